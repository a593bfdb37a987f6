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
from math import sqrt
from operator import eq

from ..estimators.scores import scoring_named
from ..estimators.svr import r2_score
from ..numerics.linalg import total
from ..numerics.quoting import visible
from ..svm.one_vs_one import pairs
from .console import cells, cut, number, percent, plural, say, show, table

WIDTH = 78  # beside the indent of a table
LONGEST_LABEL = 24
MOST_PAIRS = 15
RARE = 1 / 10  # of the rows
SHOWN = 5  # labels in a sentence
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def report(classes, y, predicted):
    """Print how rightly rows are predicted, whose labels y are among the classes."""
    counts = confusion(classes, y, predicted)
    names = [short(str(label), LONGEST_LABEL) for label in classes]
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
    if not _fits(names, heads, counts) and len(names) <= len(LETTERS):
        heads = list(LETTERS[: len(names)])
        names = [f"{head} = {name}" for head, name in zip(heads, names)]
    if not _fits(names, heads, counts):
        return None
    rows = [[name, *map(str, row)] for name, row in zip(names, counts)]
    return table([["", *heads], *rows], "l" + "r" * len(heads))


def _fits(names, heads, counts):
    """Tell whether the confusion matrix is no wider than a terminal."""
    widths = [max(map(cells, map(str, column))) for column in zip(heads, *counts)]
    return max(map(cells, names)) + sum(widths) + 2 * len(widths) <= WIDTH - 2  # exact


def _confused(names, counts):
    """Return the pairs of classes that are confused, most often first, for a table."""
    both = [(p, q) for pair in pairs(len(names)) for p, q in (pair, pair[::-1])]
    wrong = sorted((-counts[p][q], p, q) for p, q in both if counts[p][q])
    rows = [["class", "predicted", "rows"]]
    rows += [[names[p], names[q], str(-count)] for count, p, q in wrong[:MOST_PAIRS]]
    if wrong[MOST_PAIRS:]:
        others = -sum(count for count, _, _ in wrong[MOST_PAIRS:])  # exact
        rows.append([f".. {len(wrong) - MOST_PAIRS} more", "", str(others)])
    return rows


def short(text, width):
    """Return a text, without its end where it is wider.

    >>> short("versicolor", 30), short("versicolor", 8)
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
    return short(str(label), LONGEST_LABEL), count


def is_rare(y):
    """Tell whether a class has so few of the rows that it is hardly seen in an accuracy."""
    return min(Counter(y).values()) < RARE * len(y)


def no_better(share, y):
    """Return a line if this accuracy is no better than that of the commonest label.

    >>> no_better(0.55, ["no"] * 10 + ["yes"] * 9), no_better(0.75, ["no"] * 10 + ["yes"] * 9)
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
    lines = no_better(right / len(y), y) if unseen else []
    if is_rare(y):
        score = scoring_named("balanced_accuracy", "classes")
        share = percent(score.score(y, [score.tally(y, predicted)]), 1)
        guessed = f"always one class: {percent(1, len(set(y)))}"
        lines.append(f"balanced accuracy {share} ({guessed}), the mean over the classes")
    never = sorted({*map(str, y)} - {*map(str, predicted)})
    if never:
        shown = [short(name, LONGEST_LABEL) for name in never[:SHOWN]]
        lines.append(f"never predicted: {', '.join(shown)}" + (" .." if never[SHOWN:] else ""))
    return lines
