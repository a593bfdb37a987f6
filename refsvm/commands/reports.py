"""How rightly rows are predicted: accuracy, figures of each class, and which classes are confused.

    counts      counts[p][q], how many rows of class p are predicted to be of class q: the
                confusion matrix
    precision   of the rows predicted to be of a class, the share that is of it
    recall      of the rows of a class, the share that is predicted to be
    F1          2 precision recall / (precision + recall)

A report fits a terminal of 80 columns: long labels are cut, or stand beside letters; of a matrix
that is still too wide the pairs that are confused most are listed instead.
"""

from collections import Counter
from collections.abc import Callable
from math import sqrt
from operator import eq
from typing import NamedTuple

from ..estimators.scores import scoring_named
from ..estimators.svr import r2_score
from ..numerics.linalg import total
from ..numerics.quoting import visible
from ..svm.one_vs_one import pairs
from .console import cells, cut, number, percent, plural, say, show, table

REPORT_LETTERS = 78  # beside the indent of a table
LONGEST_LABEL = 24
MAX_CONFUSED_PAIRS = 15
RARE = 1 / 10  # of the rows
MAX_NEVER = 5  # labels in a sentence
ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def report(classes, y, predicted):
    """Print how rightly rows are predicted, whose labels y are among the classes."""
    counts = confusion(classes, y, predicted)
    names = [shortened(str(label), LONGEST_LABEL) for label in classes]
    show(table(figures(names, counts), "lrrrrr"))
    matrix = _matrix_lines(names, counts)
    if matrix:
        say("  rows of each class, by what they are predicted to be:", "")
        show(matrix, indent=4)
    elif _confused(names, counts)[1:]:
        say("  which classes are confused:", "")
        show(table(_confused(names, counts), "llr"), indent=4)


def confusion(classes, y, predicted):
    """Return the confusion matrix; a row whose label is no class is left out.

    >>> confusion(["a", "b"], ["a", "a", "b", "c"], ["a", "b", "b", "b"])
    [[1, 1], [0, 1]]
    """
    place = {label: p for p, label in enumerate(classes)}
    counts = [[0] * len(classes) for _ in classes]
    for label, other in zip(y, predicted):
        if label in place:
            counts[place[label]][place[other]] += 1
    return counts


def figures(names, counts):
    """Return the figures of each class, for a table."""
    rows = [["class", "rows", "predicted", "precision", "recall", "F1"]]
    for p, name in enumerate(names):
        right, there = counts[p][p], sum(counts[p])  # exact
        predicted = sum(row[p] for row in counts)  # exact
        rows.append(
            [
                name,
                str(there),
                str(predicted),
                share(right, predicted),
                share(right, there),
                share(2 * right, there + predicted),
            ]
        )
    return rows


def share(part, whole):
    """Return a share with three digits, a dash of nothing.

    >>> share(2, 3), share(0, 0)
    ('0.667', '-')
    """
    return f"{part / whole:.3f}" if whole else "-"


def _matrix_lines(names, counts):
    """Return the confusion matrix as lines, with letters for long labels; None if too wide."""
    heads = names
    if not _fits(names, heads, counts) and len(names) <= len(ALPHABET):
        heads = list(ALPHABET[: len(names)])
        names = [f"{head} = {name}" for head, name in zip(heads, names)]
    if not _fits(names, heads, counts):
        return None
    rows = [[name, *map(str, row)] for name, row in zip(names, counts)]
    return table([["", *heads], *rows], "l" + "r" * len(heads))


def _fits(names, heads, counts):
    """Tell whether the confusion matrix fits into a terminal."""
    widths = [max(map(cells, map(str, column))) for column in zip(heads, *counts)]
    return max(map(cells, names)) + sum(widths) + 2 * len(widths) <= REPORT_LETTERS - 2  # exact


def _confused(names, counts):
    """Return the pairs of classes that are confused, most often first, for a table."""
    both = [(p, q) for pair in pairs(len(names)) for p, q in (pair, pair[::-1])]
    wrong = sorted((-counts[p][q], p, q) for p, q in both if counts[p][q])
    rows = [["class", "predicted", "rows"]]
    rows += [[names[p], names[q], str(-count)] for count, p, q in wrong[:MAX_CONFUSED_PAIRS]]
    if wrong[MAX_CONFUSED_PAIRS:]:
        others = -sum(count for count, _, _ in wrong[MAX_CONFUSED_PAIRS:])  # exact
        rows.append([f".. {len(wrong) - MAX_CONFUSED_PAIRS} more", "", str(others)])
    return rows


def shortened(text, width):
    """Return a text, without its end where it is wider.

    >>> shortened("versicolor", 30), shortened("versicolor", 8)
    ('versicolor', 'versic..')
    """
    text = visible(text)
    return text if cells(text) <= width else cut(text, width - 2) + ".."


def fit_of_values(y, predicted):
    """Return in words how near predictions come to the values.

    >>> fit_of_values([1, 2, 3], [1.0, 2.0, 4.0])
    'R^2 0.5000, mean squared error 0.333333 (3 rows); always the mean: 0.666667'
    """
    squares = total((v - f) * (v - f) for v, f in zip(y, predicted))
    r2, rows = r2_score(y, predicted), plural(len(y), "row")
    guessed = number(mean_squares(y))
    error = f"mean squared error {number(squares / len(y))} ({rows}); always the mean: {guessed}"
    return f"R^2 {r2:.4f}, {error}"


def mean_squares(y):
    """Return the mean squared error of always the mean."""
    mean = total(y) / len(y)
    return total((v - mean) * (v - mean) for v in y) / len(y)


def errors_of_scale(scale):
    """Return in words how far predictions are off, from the scale of their Laplace distribution.

    >>> errors_of_scale(2.0)
    'errors have a Laplace distribution of scale 2: half are below 1.4, nine of ten below 4.6'
    """
    half, most = (number(factor * scale, 2) for factor in (0.6931471805599453, 2.302585092994046))
    return (
        f"errors have a Laplace distribution of scale {number(scale)}: half are below {half}, nine"
        f" of ten below {most}"
    )


def outside(predicted):
    """Return in words how many rows lie outside.

    >>> outside([1, -1, 1, 1])
    'outside 25.00 % (1 of 4 rows)'
    """
    count, n = predicted.count(-1), len(predicted)
    return f"outside {percent(count, n)} ({count} of {plural(n, 'row')})"


def accuracy(right, y):
    """Return the accuracy in words, beside that of always saying the commonest label.

    >>> accuracy(9, ["no"] * 8 + ["yes"] * 2)
    'accuracy 90.00 % (9 of 10 rows); always no: 80.00 %'
    """
    n = len(y)
    return f"accuracy {percent(right, n)} ({right} of {plural(n, 'row')}); {guessing(y)}"


def guessing(y):
    """Return in words how often the commonest label is right.

    >>> guessing(["yes", "no"])
    'always no: 50.00 %'
    """
    label, count = _commonest(y)
    return f"always {label}: {percent(count, len(y))}"


def _commonest(y):
    """Return the label of most rows, shortened, and of how many; of several the first."""
    label, count = min(Counter(y).items(), key=lambda pair: (-pair[1], str(pair[0])))
    return shortened(str(label), LONGEST_LABEL), count


def is_rare(y):
    """Tell whether a class has so few of the rows that it is hardly seen in an accuracy."""
    return min(Counter(y).values()) < RARE * len(y)


def _no_better(share, y):
    """Return a line if this accuracy is no better than that of the commonest label.

    >>> _no_better(0.55, ["no"] * 10 + ["yes"] * 9), _no_better(0.75, ["no"] * 10 + ["yes"] * 9)
    (['accuracy no better than always no, within a standard error'], [])
    """
    label, count = _commonest(y)
    m = count / len(y)
    as_good = share <= m + sqrt(m * (1 - m) / len(y))
    return [f"accuracy no better than always {label}, within a standard error"] if as_good else []


def cautions(y, predicted, unseen):
    """Return lines on what an accuracy hides: guessing is as good, or rare classes are not seen.

    As good is the commonest label if the accuracy is at most a standard error above its share; it
    is said of rows that the machine has not seen.

    >>> for line in cautions(["no"] * 19 + ["yes"], ["no"] * 20, unseen=True):
    ...     print(line)
    accuracy no better than always no, within a standard error
    balanced accuracy 50.00 % (always one class: 50.00 %), the mean over the classes
    never predicted: yes
    """
    right = list(map(eq, y, predicted)).count(True)
    lines = _no_better(right / len(y), y) if unseen else []
    if is_rare(y):
        score = scoring_named("balanced_accuracy", "classes")
        share = percent(score.score(y, [score.tally(y, predicted)]), 1)
        guessed = f"always one class: {percent(1, len(set(y)))}"
        lines.append(f"balanced accuracy {share} ({guessed}), the mean over the classes")
    never = sorted({*map(str, y)} - {*map(str, predicted)})
    if never:
        shown = [shortened(name, LONGEST_LABEL) for name in never[:MAX_NEVER]]
        lines.append(f"never predicted: {', '.join(shown)}" + (" .." if never[MAX_NEVER:] else ""))
    return lines


class _Score(NamedTuple):
    """What points are compared by, and how it is printed."""

    name: str
    of: str  # what it is the score of
    cell: Callable
    best: Callable  # from the score and the y of all rows
    within: str = "a standard error ({})"  # which points are as good


def _accuracy_of(share, y):
    """Return an accuracy in words.

    >>> _accuracy_of(0.75, [1, 1, -1, -1])
    '75.00 % (3 of 4 rows; always -1: 50.00 %)'
    """
    n, right = len(y), round(share * len(y))
    return f"{percent(right, n)} ({right} of {plural(n, 'row')}; {guessing(y)})"


def _balanced_of(share, y):
    """Return a balanced accuracy in words.

    >>> _balanced_of(0.75, [1, 1, -1, -1])
    'balanced accuracy 75.00 % (always one class: 50.00 %)'
    """
    guessed = percent(1, len(set(y)))
    return f"balanced accuracy {percent(share, 1)} (always one class: {guessed})"


def _fit_of(r2, y):
    """Return R^2 in words, and the mean squared error that it stands for.

    >>> _fit_of(0.75, [1.0, 3.0])
    'R^2 0.7500, mean squared error 0.25 (2 rows; always the mean: 1)'
    """
    spread = mean_squares(y)
    rows = f"{plural(len(y), 'row')}; always the mean: {number(spread)}"
    error = f", mean squared error {number((1 - r2) * spread)}" if spread else ""
    return f"R^2 {r2:.4f}{error} ({rows})"


def _error_of(error, y):
    """Return a mean absolute error in words.

    >>> _error_of(0.5, [1.0, 3.0])
    'mean absolute error 0.5 (2 rows; always the mean: 1)'
    """
    rows, guessed = plural(len(y), "row"), number(_mean_absolute(y))
    return f"mean absolute error {number(error)} ({rows}; always the mean: {guessed})"


def _mean_absolute(y):
    """Return the mean absolute error of always the mean."""
    scoring, mean = scoring_named("mean_absolute_error", "values"), total(y) / len(y)
    return scoring.score(y, [scoring.tally(y, [mean] * len(y))])


def as_good_as_guessing(name, score, error, y):
    """Return a line if the score of rows not trained on is no better than guessing.

    name, score, error: of a Scoring, its value, and how far that may be off by chance.

    >>> as_good_as_guessing("r2", 0.0, 0.01, [1.0, 2.0])
    ['no better than always the mean']
    >>> as_good_as_guessing("mean_absolute_error", 0.6, 0.005, [1.0, 2.0])
    ['no better than always the mean']
    >>> as_good_as_guessing("balanced_accuracy", 0.6, 0.05, ["no", "yes"])
    []
    """
    if name == "accuracy":
        return _no_better(score, y)
    if name == "balanced_accuracy" and score <= 1 / len(set(y)) + error:
        return ["no better than always one class, within a standard error"]
    of_mean = (
        name == "r2" and score <= 0 or name == "mean_absolute_error" and score >= _mean_absolute(y)
    )
    return ["no better than always the mean"] if of_mean else []


def _share(share):
    """Return a share as a cell of the table."""
    return percent(share, 1)


def _four_digits(value):
    """Return a number from 0 to 1 as a cell of the table."""
    return f"{value:.4f}"


SCORES = {
    "accuracy": _Score("accuracy", "accuracy on rows", _share, _accuracy_of),
    "balanced_accuracy": _Score("balanced", "balanced accuracy on rows", _share, _balanced_of),
    "f1_macro": _Score(
        "F1", "mean F1 on rows", _four_digits, lambda score, y: f"mean F1 {score:.4f}"
    ),
    "r2": _Score("R^2", "R^2 of predictions of rows", _four_digits, _fit_of, "{}"),
    "mean_absolute_error": _Score(
        "error", "mean absolute error of predictions of rows", number, _error_of, "{}"
    ),
}


def score_for(given, answers, y):
    """Return the name of the score; balanced where a class is so rare that accuracy hides it."""
    if given.score is not None:
        return scoring_named(given.score, answers).name
    if answers == "values":
        return "r2"
    return "balanced_accuracy" if is_rare(y) else "accuracy"
