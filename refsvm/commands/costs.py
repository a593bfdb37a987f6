"""Commands that can make much of little: what is told, and what is refused without --large.

    given     how many numbers or rows a command has read
    made      how many numbers it writes, or machines it trains
    usual     up to so many nothing is said, whatever they are made of

More than WARN_TIMES as many as are given, and more than usual, are told; more than MOST_TIMES as
many, and ten times more than usual, are refused. SECURITY.md has the table.
"""

from .arguments import Refusal
from .console import complain

WARN_TIMES, MOST_TIMES = 10, 100
USUAL_NUMBERS, USUAL_MACHINES = 10**6, 10**5


def large_option(parser):
    """Add the option --large."""
    parser.add_argument("--large", action="store_true", help="also where much comes of little")


def watch_numbers(given, made, of_numbers, cure):
    """Tell, or refuse, so many numbers to be written, made of these."""
    _watch(given, made, of_numbers, USUAL_NUMBERS, f"{made} numbers of {of_numbers}", cure)


def watch_machines(given, classes, rows):
    """Tell, or refuse, a machine for each pair of so many classes, of these rows."""
    made = classes * (classes - 1) // 2
    sentence = f"{classes} classes have {made} pairs, and there are {rows} rows"
    cure = "if the labels are values, say --type epsilon_svr"
    _watch(given, made, rows, USUAL_MACHINES, sentence, cure)


def _watch(given, made, of, usual, sentence, cure):
    if made > MOST_TIMES * of and made > 10 * usual and not given.large:
        raise Refusal(sentence, "--large", say=f"{cure}, or say")
    if made > WARN_TIMES * of and made > usual:
        complain(f"{sentence}; {cure}")
