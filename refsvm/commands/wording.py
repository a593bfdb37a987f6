"""Refusals in words of the command line: its options, and rows of a file.

A command that is typed from habit is told what LIBSVM's options are called here.
"""

import re

from ..numerics.numerals import is_short_number
from ..numerics.quoting import shell_words

BEGIN = r"(?<![\w/])"  # of a word that is no end of the name of a file
PHRASES = [
    (r"C \* class_weight \* sample_weight of X\[(\d+)\]", r"--C times --class-weight of X[\1]"),
    (r"are read with precomputed=True", "are told by --kernel precomputed or by the model"),
    (r"header=True or header=False", "--header or --no-header"),
    (r"\bheader=True", "--header"),
    (r"\bformat='(\w+)'", r"--format \1"),
    (r"\blabel=('[^']*'|[0-9]+)", r"--label \1"),
    (r"\bdrop=\[(.+)\]", lambda found: f"--drop {found[1].replace(', ', ',')}"),
    (r"as texts by texts", "as texts by --texts"),
    (r"^columns (?=that|named|without)", "the columns "),
    (r"left out by drop$", "left out by --drop"),
    (r"name it in keep$", "say --keep"),
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
    sentence = re.sub(rf"{BEGIN}y\[(\d+)\]", lambda found: f"the label of {_row(found)}", sentence)
    sentence = re.sub(rf"{BEGIN}X\[(\d+)\]\[(\d+)\]", _in_row, sentence)
    return re.sub(rf"{BEGIN}X\[(\d+)\]", _row, sentence)


def _as_option(found):
    """Return a parameter as an option."""
    return f"{found[1]}--{found[2].replace('_', '-')}"


def _row(found):
    """Return the name of a row, counted from 1."""
    return f"row {int(found[1]) + 1}"


def _in_row(found):
    """Return the name of a number in a row."""
    return f"item {int(found[2]) + 1} of {_row(found)}"


# LIBSVM's options, and what they are called here

LIBSVM_KERNELS = ("linear", "poly", "rbf", "sigmoid", "precomputed")  # -t 0 to -t 4
LIBSVM_TYPE_WORDS = ("c_svc", "nu_svc", "one_class", "epsilon_svr", "nu_svr")  # -s 0 to -s 4
# Of svm-train, and of svm-scale where that has the same letter; the first that a command has.
CALLED_HERE = {
    "-c": ["--C"],
    "-g": ["--gamma"],
    "-d": ["--degree"],
    "-r": ["--coef0", "--restore"],
    "-e": ["--tol"],
    "-m": ["--cache-mb"],
    "-l": ["--lower"],
    "-n": ["--nu"],
    "-p": ["--epsilon"],
    "-u": ["--upper"],
    "-s": ["--save"],
}
NOT_HERE = {
    "-s": "the type is that of the model, so leave it out",
    "-b": "there are no probabilities here, so leave it out",
    "-q": "a report is all that is printed, so leave it out",
    "-v": "cross-validation is train DATA -v FOLDS",
    "-y": "labels are not scaled here",
}


def libsvm_hint(words, options):
    """Return what to write for the first option of LIBSVM that a command lacks; None without one.

    >>> libsvm_hint(["heart", "-c", "10"], {"--C"})
    '-c 10 is of LIBSVM; here it is --C 10'
    >>> libsvm_hint(["heart", "-t", "0", "-w1", "5"], {"--kernel", "--class-weight"})
    '-t 0 is of LIBSVM; here it is --kernel linear'
    """
    for word, value in zip(words, [*words[1:], ".."]):
        if re.fullmatch("-[a-z]|-w-?[0-9]+", word) and word not in options:
            said = _counterpart(word, value, options)
            if said:
                return f"{word} {value} is of LIBSVM; {said}"
    return None


def from_libsvm(words, options):
    """Return a command line in which LIBSVM's options, where a command has them, are its own.

    >>> from_libsvm(["heart", "-c", "10", "-w1", "5", "-w-1", "2"], {"--C", "--class-weight"})
    ['heart', '--C', '10', '--class-weight=1:5,-1:2']
    """
    found, weights, left = [], [], iter(words)
    has_weights = any(word.startswith("--class-weight") for word in words)
    for word in left:
        own = next((name for name in CALLED_HERE.get(word, []) if name in options), word)
        is_weight = re.fullmatch("-w-?[0-9]+", word) and "--class-weight" in options
        if is_weight and not has_weights:
            weights.append(f"{word[2:]}:{next(left, '')}")
        else:
            found.append(own)
    return [*found, *([f"--class-weight={','.join(weights)}"] if weights else [])]


def _counterpart(word, value, options):
    """Return in words what stands here for an option of LIBSVM with its value."""
    if word == "-s" and "--type" in options:
        return f"here it is --type {_named_by(value, LIBSVM_TYPE_WORDS)}"
    for option in CALLED_HERE.get(word, []):
        if option in options:
            return f"here it is {shell_words([option, value])}"
    if (word, value) == ("-b", "1") and "--probabilities" in options:
        return "here it is --probabilities"
    if word == "-t" and "--kernel" in options:
        return f"here it is --kernel {_named_by(value, LIBSVM_KERNELS)}"
    if word[1] == "w" and "--class-weight" in options:
        return f"here it is {shell_words([f'--class-weight={word[2:]}:{value}'])}"
    return NOT_HERE.get(word)


def _named_by(number, names):
    """Return the name with this number; all of them where there is none."""
    known = is_short_number(number) and int(number) < len(names)
    return names[int(number)] if known else ", ".join(names)
