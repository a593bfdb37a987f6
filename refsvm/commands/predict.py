"""predict DATA MODEL [-o OUT]: decide about rows, and say how often rightly."""

import sys

from ..files.models import read_model, same_width
from ..files.text import decimals, writing
from ..kernels.standard import Precomputed
from ..svm.one_vs_one import first_largest, pairs, votes_of
from .arguments import data_file, model_file, refuse_unless_file_can_be
from .console import percent, progress
from .training import read_for

EXAMPLE = """\
  python3 -m refsvm predict wdbc.scaled wdbc.model -o wdbc.labels
  python3 -m refsvm predict wdbc.scaled wdbc.model --decisions -o -"""
BATCH = 500  # rows between two signs of progress


def arguments(parser):
    data_file(parser)
    model_file(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="write a line with the label for each row; - is standard output",
    )
    parser.add_argument(
        "--decisions",
        action="store_true",
        help="write the decision value of each pair of classes after the label, and above them"
        " which pairs: p,q, where a value above 0 is a vote for p",
    )


def run(given):
    if given.output:
        refuse_unless_file_can_be(given.output)
    model = read_model(given.model)
    precomputed = "precomputed" if isinstance(model.kernel, Precomputed) else None
    X, y = read_for(precomputed, given.data)
    decisions = decide(*same_width(model, X))
    k = len(model.classes)
    predicted = [model.classes[first_largest(votes_of(row, k))] for row in decisions]
    if given.output:
        write(given, lines(model.classes, predicted, decisions if given.decisions else None))
    tell(model.classes, y, predicted, sys.stderr if given.output == "-" else sys.stdout)
    return 0


def decide(model, X):
    """Return the decisions of all rows, some at a time."""
    found = []
    for start in range(0, len(X), BATCH):
        with progress(f"row {start + 1} of {len(X)}"):
            found += model.decisions(X[start : start + BATCH])
    return found


def lines(classes, predicted, decisions):
    """Return the lines to write: labels, and decisions if there are any."""
    if decisions is None:
        return [f"{label}\n" for label in predicted]
    head = " ".join(["label"] + [f"{classes[p]},{classes[q]}" for p, q in pairs(len(classes))])
    rows = [
        " ".join([str(label)] + [decimals(f, "a decision value") for f in row])
        for label, row in zip(predicted, decisions)
    ]
    return [line + "\n" for line in [head] + rows]


def write(given, text):
    """Write the lines to the file that was asked for."""
    if given.output == "-":
        sys.stdout.writelines(text)
        return
    with writing(given.output) as out:
        out.writelines(text)


def tell(classes, y, predicted, stream):
    """Print the accuracy, if the file has labels to compare with."""
    if not set(y) & set(classes):
        known = ", ".join(map(str, classes))
        print(
            f"{len(y)} rows; none has a label of the model ({known}), so no accuracy", file=stream
        )
        return
    right = len([1 for label, other in zip(y, predicted) if label == other])
    print(f"accuracy {percent(right, len(y))} ({right} of {len(y)} rows)", file=stream)
