"""predict DATA MODEL [-o OUT]: decide about rows, and say how often rightly."""

from ..files.outputs import writing
from ..files.table_columns import LINEAR_TYPES
from ..files.text import decimals
from ..numerics.quoting import quote
from ..svm.coupling import checked_calibrations
from ..svm.one_vs_one import first_largest, pairs, votes_of
from ..tables.data import format_of, has_return, write_lines
from ..tables.layout import DELIMITERS
from .arguments import Refusal, data_file, model_file, target
from .console import number, plural, say
from .costs import watch_decisions, watch_weights
from .engine import announce, decide, decided, in_parts, pure_option, signs
from .hints import hint_at_other_units
from .reading import TELL, answers_of, counts_of, cut_words, read_with_model
from .reports import accuracy, cautions, errors_of_scale, fit_of_values, outside, report

EXAMPLE = """\
  python3 -m refsvm predict wdbc.scaled wdbc.model -o wdbc.labels
  python3 -m refsvm predict wdbc.scaled wdbc.model --decisions -o -
  python3 -m refsvm predict wdbc.scaled sure.model --probabilities -o -"""


def arguments(parser):
    data_file(parser)
    model_file(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        type=target,
        help="write a line with the label or the value for each row; - is standard output",
    )
    more = parser.add_mutually_exclusive_group()
    more.add_argument(
        "--decisions",
        action="store_true",
        help="write the decision value of each pair of classes after the label, and above them"
        " which pairs: p,q, where a value above 0 is a vote for p; of a model of one class its"
        " decision value",
    )
    more.add_argument(
        "--probabilities",
        action="store_true",
        help="predict the most probable class, and write the probability of each class after it,"
        " as svm-predict -b 1 does; MODEL is one of train --probabilities or svm-train -b 1. Of a"
        " model that predicts values, tell how far they are off",
    )
    pure_option(parser)


def run(given):
    model, data = read_with_model(given, every=True)
    X, y = data
    answers = answers_of(model)
    for option, value, other in (
        ("--probabilities", given.probabilities, "outliers"),
        ("--decisions", given.decisions, "values"),
    ):
        if value and answers == other:
            raise Refusal(
                f"{option} is not for models that {TELL[answers]}, such as {given.model}"
            )
    if given.type not in LINEAR_TYPES:  # whose vectors are no rows
        hint_at_other_units(model, data)
    {
        "classes": _predict_classes,
        "values": _predict_values,
        "outliers": _predict_outliers,
    }[answers](given, model, X, y)
    return 0


def _predict_values(given, model, X, y):
    """Predict values, and print their errors if the file has values."""
    if given.probabilities and model.scale is None:
        raise Refusal(
            f"{given.model} has no line probA, the scale of what it misses; train --probabilities"
            " and svm-train -b 1 write it"
        )
    announce(given)
    predicted = decide(given, model, X)
    if given.output:  # svm-predict -b 1, too, writes the values alone
        values = [decimals(f, "a value to write") for f in predicted]
        _write_lines(given.output, ["value"], values)
    if y:
        say(fit_of_values(*_labelled(y, predicted)))
    else:
        ends = f"from {number(min(predicted))} to {number(max(predicted))}"
        say(f"{plural(len(predicted), 'row')}: values {ends}")
    if model.scale is not None:
        say(errors_of_scale(model.scale))


def _predict_outliers(given, model, X, y):
    """Tell which rows lie outside, and how rightly if the labels of the file are +1 and -1."""
    announce(given)
    decisions = decide(given, model, X)
    predicted = signs(decisions)
    if given.output:
        head = ["label", "decision"]
        if given.decisions:
            _write_numbers(given.output, head, zip(predicted, ([f] for f in decisions)))
        else:
            _write_lines(given.output, head[:1], predicted)
    say(outside(predicted))
    if y and set(y) <= {-1, 1}:
        _tell([-1, 1], y, predicted)


def _predict_classes(given, model, X, y):
    """Predict classes, and print how rightly."""
    if given.probabilities:
        checked_calibrations(model.calibrations, len(model.classes))
    watch_weights(given, model)
    if given.decisions:
        watch_decisions(given, model, X)
    announce(given)
    answers = _answers(given, model, X)
    if given.output and (given.decisions or given.probabilities):
        predicted = _write_numbers(given.output, _head(given, model.classes), answers)
    else:
        predicted = [label for label, _ in answers]
        if given.output:
            _write_lines(given.output, _head(given, model.classes)[:1], predicted)
    if y:
        _tell(model.classes, *_labelled(y, predicted))
    else:
        say(cut_words(f"{plural(len(predicted), 'row')}: {counts_of(predicted)}"))


def _answers(given, model, X):
    """Generate the class of each row, with the decision values or probabilities asked for."""
    if not given.decisions and not given.probabilities:
        for labels in in_parts(model.predictions, X):
            yield from ((label, []) for label in labels)
        return
    for decisions in decided(given, model, X):
        if given.probabilities:
            numbers = scores = model.probabilities_from(decisions)
        else:
            numbers = decisions
            scores = (votes_of(row, len(model.classes)) for row in decisions)
        for of_row, row in zip(scores, numbers):
            yield model.classes[first_largest(of_row)], row


def _labelled(y, predicted):
    """Return the labels that are there, and the answers about their rows."""
    known = [pair for pair in zip(y, predicted) if pair[0] is not None]
    if len(known) < len(y):
        say(f"{plural(len(y) - len(known), 'row')} without a label: predicted, and not counted")
    return tuple(map(list, zip(*known)))


def _write_lines(path, head, predicted):
    """Write a line for each row: its answer."""
    form = format_of(path)
    if form == "libsvm":
        _refuse_broken_lines(path, predicted)
    with writing(path) as out:
        if form == "libsvm":
            out.writelines(f"{label}\n" for label in predicted)
        else:
            lines = [head, *([label] for label in predicted)]
            write_lines(out, lines, DELIMITERS[form][0], has_return([*head, *predicted]))


def _write_numbers(path, head, answers):
    """Write a line for each answer: a label and its numbers; the labels.

    The head has the name of every label that there can be.
    """
    form, predicted = format_of(path), []

    def lines():
        yield head
        for label, numbers in answers:
            predicted.append(label)
            yield [label, *(decimals(number, "a number to write") for number in numbers)]

    with writing(path) as out:
        write_lines(out, lines(), DELIMITERS.get(form, " ")[0], has_return(head))
    return predicted


def _refuse_broken_lines(path, predicted):
    """Refuse labels of which a list with a line for each cannot give all back."""
    for label in set(predicted):
        if len(str(label).splitlines()) > 1:
            raise Refusal(
                f"the label {quote(label)} has more than one line, which a list of labels cannot"
                f" hold; name OUT as a table, {quote(path + '.csv')}"
            )


def _head(given, classes):
    """Return what the columns are called; that of labels as svm-predict -b 1 calls it."""
    if given.probabilities:
        return ["labels" if format_of(given.output) == "libsvm" else "label", *classes]
    return ["label", *(f"{classes[p]},{classes[q]}" for p, q in pairs(len(classes)))]


def _tell(classes, y, predicted):
    """Print the accuracy, and which labels of the file the model cannot predict."""
    known, others = _first_labels(classes), [label for label in y if label not in classes]
    if len(others) == len(y):
        say(f"{plural(len(y), 'row')}; none has a label of the model ({known}), so no accuracy")
        return
    right = len([1 for label, other in zip(y, predicted) if label == other])
    say(accuracy(right, y))
    if others:
        rows, lacking = plural(len(others), "row"), _first_labels(sorted(set(others), key=str))
        say(f"not among the labels of the model ({known}): {rows} of label {lacking}")
    known = [pair for pair in zip(y, predicted) if pair[0] in classes]
    for line in cautions(*zip(*known), unseen=False):
        say(line)
    say()
    report(classes, y, predicted)


def _first_labels(labels, most=5):
    """Return some labels in words, in their order.

    >>> _first_labels([1, 2, 3]), _first_labels(list(range(9)))
    ('1, 2, 3', '0, 1, 2, 3, 4, ..')
    """
    return ", ".join([*map(str, labels[:most]), *([".."] if labels[most:] else [])])
