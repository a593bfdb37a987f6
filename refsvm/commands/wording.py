"""Refusals of the library in words of the command line: its options, and rows of a file."""

import re

PHRASES = [
    (r"C \* class_weight \* sample_weight of X\[(\d+)\]", r"--C times --class-weight of X[\1]"),
    (r"which is read with precomputed=True", "told by --kernel precomputed or by the model"),
    (r"header=True or header=False", "--header or --no-header"),
    (r"\bheader=True", "--header"),
    (r"\bformat='(\w+)'", r"--format \1"),
    (r"\blabel=('[^']*'|[0-9]+)", r"--label \1"),
    (r"\bdrop=\[(.+)\]", r"--drop \1"),
    (r"left out by drop$", "left out by --drop"),
    (r"; give the number of columns, features", "; at least one is needed"),
    (r"\bcache_size\b", "cache_mb"),
    (r"^folds is", "--folds is"),
    (r"^y holds", "the data hold"),
    (r"^gamma '(\w+)' is", r"--gamma \1 is"),
    (
        r"numbers of X are (.*); scale them, .*",
        r"numbers of the data are \1; the command scale brings them to one range",
    ),
]


def in_words_of_options(sentence, names):
    """Return a sentence in which a parameter that begins it is written as the option it is.

    >>> in_words_of_options("max_iter is -2; it must be at least -1", ["max_iter"])
    '--max-iter is -2; it must be at least -1'
    >>> in_words_of_options("y[0] is 0.5; classes are whole numbers", ["C"])
    'the label of row 1 is 0.5; classes are whole numbers'
    """
    for pattern, words in PHRASES:
        sentence = re.sub(pattern, words, sentence)
    known = "|".join(map(re.escape, names))
    sentence = re.sub(rf"(^|\band )({known})(?=\[| is | has )", _as_option, sentence)
    sentence = re.sub(r"\by\[(\d+)\]", lambda found: f"the label of {row(found)}", sentence)
    sentence = re.sub(r"\bX\[(\d+)\]\[(\d+)\]", _in_row, sentence)
    return re.sub(r"\bX\[(\d+)\]", row, sentence)


def _as_option(found):
    """Return a parameter as an option."""
    return f"{found[1]}--{found[2].replace('_', '-')}"


def row(found):
    """Return the name of a row, counted from 1."""
    return f"row {int(found[1]) + 1}"


def _in_row(found):
    """Return the name of a number in a row."""
    return f"item {int(found[2]) + 1} of {row(found)}"
