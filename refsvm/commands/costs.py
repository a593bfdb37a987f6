"""Commands that can make much of little: what is told, and what is refused without --large.

    given     how many numbers or rows a command has read
    made      how many numbers it writes, or machines it trains
    usual     up to so many nothing is said, whatever they are made of

More than WARN_TIMES as many as are given, and more than usual, are told; more than MOST_TIMES as
many, and ten times more than usual, are refused. SECURITY.md has the table.
"""

from itertools import accumulate

from ..kernels.standard import Linear
from ..numerics.sparse_rows import row_items, row_numbers
from ..svm.one_vs_one import OneAgainstOne, pairs
from .arguments import Refusal
from .console import complain

WARN_TIMES, MOST_TIMES = 10, 100
USUAL_NUMBERS, USUAL_MACHINES = 10**6, 10**5


def watch_numbers(given, made, of_numbers, cure):
    """Tell, or refuse, so many numbers to be written, made of these."""
    _watch(given, made, of_numbers, USUAL_NUMBERS, f"{made} numbers of {of_numbers}", cure)


def watch_machines(given, classes, rows, cure="if the labels are values, say --type epsilon_svr"):
    """Tell, or refuse, a machine for each pair of so many classes, of these rows."""
    made = classes * (classes - 1) // 2
    sentence = f"{classes} classes have {made} pairs, and there are {rows} rows"
    _watch(given, made, rows, USUAL_MACHINES, sentence, cure)


def watch_columns(given, features):
    """Return what tells, or refuses, a column for each text of a table, of so many features."""

    def watch(rows, columns):
        cure = "a column of many texts tells little, so leave it out by --drop"
        watch_numbers(given, rows * columns, rows * features, cure)

    return watch


def watch_weights(given, model):
    """Tell, or refuse, the weights of each pair of classes, made of the numbers of a model."""
    if not isinstance(model, OneAgainstOne) or type(model.kernel) is not Linear:
        return
    ends = [0, *accumulate(model.counts)]
    places = [
        len({k for x in model.vectors[start:end] for k, _ in row_items(x)})
        for start, end in zip(ends, ends[1:])
    ]
    vectors = sum(len(row_numbers(x)) for x in model.vectors)  # exact
    read = vectors + len(model.offsets) + len(model.vectors) * len(model.coefs)
    width = len(model.vectors[0]) if model.vectors else 0
    made = sum(min(width, places[p] + places[q]) for p, q in pairs(len(places)))  # exact
    watch_numbers(given, made, read, "train with a Gaussian kernel, which needs no weights")


def watch_decisions(given, model, X):
    """Tell, or refuse, a decision of each row for each pair of classes."""
    read = sum(len(row_numbers(x)) for x in X) + len(model.offsets)  # exact
    made = len(X) * len(model.offsets)
    watch_numbers(given, made, read, "--probabilities writes one number for each class")


def _watch(given, made, of, usual, sentence, cure):
    if made > MOST_TIMES * of and made > 10 * usual and not given.large:
        raise Refusal(sentence, "--large", say=f"{cure}, or say")
    if made > WARN_TIMES * of and made > usual:
        complain(f"{sentence}; {cure}")
