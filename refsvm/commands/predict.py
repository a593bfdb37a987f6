"""predict DATA MODEL [-o OUT]: decide about rows, and say how often rightly."""

from ..files.data import format_of
from ..files.outputs import writing
from ..files.table_layout import DELIMITERS
from ..files.text import decimals
from ..svm.one_vs_one import first_largest, pairs, votes_of
from .arguments import data_file, model_file, target
from .console import plural, progress, say
from .engine import announce, pure_option
from .reading import counts_of, cut_words, read_with_model
from .reports import accuracy, report

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
        write_labels(given, model.classes, predicted, decisions)
    if y:
        tell(model.classes, y, predicted)
    else:
        say(cut_words(f"{plural(len(predicted), 'row')}: {counts_of(predicted)}"))
    return 0


def decide(model, X):
    """Return the decisions of all rows, some at a time."""
    found = []
    for start in range(0, len(X), BATCH):
        with progress(f"row {start + 1} of {len(X)}"):
            found += model.decisions(X[start : start + BATCH])
    return found


def write_labels(given, classes, predicted, decisions):
    """Write a line for each row: its label, and its decisions if they are asked for."""
    import csv  # which nothing else waits for

    form = format_of(given.output)
    delimiter = " " if form == "libsvm" else DELIMITERS[form][0]
    lines = [[label] for label in predicted]
    if given.decisions:
        lines = [
            [label, *(decimals(f, "a decision value") for f in row)]
            for label, row in zip(predicted, decisions)
        ]
    heads = [f"{classes[p]},{classes[q]}" for p, q in pairs(len(classes))] * given.decisions
    if given.decisions or form != "libsvm":
        lines.insert(0, ["label", *heads])
    with writing(given.output) as out:
        if delimiter == " " and not given.decisions:
            out.writelines(f"{label}\n" for (label,) in lines)
        else:
            csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(lines)


def tell(classes, y, predicted):
    """Print the accuracy, and which labels of the file the model cannot predict."""
    known, others = first_labels(classes), [label for label in y if label not in classes]
    if len(others) == len(y):
        say(f"{plural(len(y), 'row')}; none has a label of the model ({known}), so no accuracy")
        return
    right = len([1 for label, other in zip(y, predicted) if label == other])
    say(accuracy(right, len(y)))
    if others:
        rows, lacking = plural(len(others), "row"), first_labels(sorted(set(others), key=str))
        say(f"not among the labels of the model ({known}): {rows} of label {lacking}")
    say()
    report(classes, y, predicted)


def first_labels(labels, most=5):
    """Return some labels in words, in their order.

    >>> first_labels([1, 2, 3]), first_labels(list(range(9)))
    ('1, 2, 3', '0, 1, 2, 3, 4, ..')
    """
    return ", ".join([*map(str, labels[:most]), *([".."] if labels[most:] else [])])
