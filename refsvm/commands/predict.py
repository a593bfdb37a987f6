"""predict DATA MODEL [-o OUT]: decide about rows, and say how often rightly."""

from ..files.outputs import writing
from ..files.text import decimals
from ..svm.one_vs_one import first_largest, pairs, votes_of
from .arguments import data_file, model_file, target
from .console import percent, plural, progress, say
from .engine import announce, pure_option
from .reading import read_with_model

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
        type=target,
        help="write a line with the label for each row; - is standard output",
    )
    parser.add_argument(
        "--decisions",
        action="store_true",
        help="write the decision value of each pair of classes after the label, and above them"
        " which pairs: p,q, where a value above 0 is a vote for p",
    )
    pure_option(parser)


def run(given):
    model, (X, y) = read_with_model(given)
    announce(given)
    decisions = decide(model, X)
    k = len(model.classes)
    predicted = [model.classes[first_largest(votes_of(row, k))] for row in decisions]
    if given.output:
        with writing(given.output) as out:
            out.writelines(lines(model.classes, predicted, decisions if given.decisions else None))
    tell(model.classes, y, predicted)
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


def tell(classes, y, predicted):
    """Print the accuracy, and which labels of the file the model cannot predict."""
    known, others = first_labels(classes), [label for label in y if label not in classes]
    if len(others) == len(y):
        say(f"{plural(len(y), 'row')}; none has a label of the model ({known}), so no accuracy")
        return
    right = len([1 for label, other in zip(y, predicted) if label == other])
    say(f"accuracy {percent(right, len(y))} ({right} of {plural(len(y), 'row')})")
    if others:
        rows, lacking = plural(len(others), "row"), first_labels(sorted(set(others)))
        say(f"not among the labels of the model ({known}): {rows} of label {lacking}")


def first_labels(labels, most=5):
    """Return some labels in words, in their order.

    >>> first_labels([1, 2, 3]), first_labels(list(range(9)))
    ('1, 2, 3', '0, 1, 2, 3, 4, ..')
    """
    return ", ".join([*map(str, labels[:most]), *([".."] if labels[most:] else [])])
