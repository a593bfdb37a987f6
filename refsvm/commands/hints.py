"""Hints at what spoils a machine before it is trained: columns of other scales, or of row numbers.

A kernel compares rows by inner products or distances. Where one column goes from 0 to 4000 and
another from 0 to 0.03, little but the first is seen, and the machine may learn nothing. A column
that numbers the rows tells them apart, which looks like learning if they are sorted by class.
"""

import os
from collections import Counter
from math import sqrt

from ..kernels.standard import Gaussian
from ..numerics.linalg import squared_distance
from ..numerics.sparse_rows import row_items
from ..tables.prepared_data import PreparedData
from .arguments import STDIN, columns_to_type, file_word, line_to_type, name_of_option
from .console import number, percent, say
from .reading import feature_names
from .reports import LONGEST_LABEL, is_rare, mean_squares, shortened

THOUSANDFOLD = 1000
ROWS_LOOKED_AT = 1000  # at first
FEWEST_ROWS = 10
MANY_LABELS = 20
FAR_SHARE = 0.5  # of the rows
MAX_HINTED_FEATURES = 1000  # features, of which the values between rows would take long
ROWS_ASKED = 60  # for the values of the kernel between them
FAR_APART = 4.605  # gamma |x - z|^2, where a Gaussian is 0.01
NEARLY_ALL = 0.95  # of the rows


def show_hints(given, data, answers, kernel):
    """Print hints at what to say otherwise, before the training."""
    if kernel == "precomputed":
        return
    if answers == "classes":
        _hint_at_numbers(data)
        if getattr(given, "class_weight", None) is None:
            _hint_at_weights(data.y)
    if isinstance(data, PreparedData):  # in which nothing is left to drop or to scale
        return
    _hint_to_drop(data)
    if data.columns is None or data.y:  # the command scale keeps a column of labels
        _hint_to_scale(given, data)


def _hint_to_drop(data):
    """Print the hint, if columns of a table number its rows."""
    names = data.columns and data.columns.names
    if not names or len(data.X) < FEWEST_ROWS:
        return
    for name, column in zip(names, zip(*data.X)):
        steps = {b - a for a, b in zip(column, column[1:])}
        if steps == {1} or name.lower().endswith("id") and len(set(column)) == len(column):
            drop = columns_to_type("--drop", [name])
            say(f"hint: {name} tells all rows apart; if it is no feature, say {drop}")


def _hint_at_numbers(data):
    """Print the hint, if the labels are numbers of which most rows have one of their own."""
    values, n = len(set(data.y)), len(data.y)
    is_number = all(isinstance(label, (int, float)) for label in data.y)
    if is_number and values > MANY_LABELS and values * FEWEST_ROWS > n:
        say(f"hint: the label is a number of {values} values in {n} rows, each a class here; to")
        say("predict the number itself, say --type epsilon_svr")


def _hint_at_weights(y):
    """Print the hint, if a class is so rare that a machine may leave it out.

    Of many classes each may have few rows: rare is one with less than half of an equal share.
    """
    counts = Counter(y)
    label, count = min(counts.items(), key=lambda pair: (pair[1], str(pair[0])))
    if not is_rare(y) or len(counts) > MANY_LABELS or 2 * count * len(counts) >= len(y):
        return
    name = shortened(str(label), LONGEST_LABEL)
    say(f"hint: {name} has {percent(count, len(y))} of the rows; to miss fewer of them, at the")
    say("price of more false alarms, say --class-weight balanced")


def _hint_to_scale(given, data):
    """Print the hint with the lines to type, if the data are to be scaled."""
    some = data.X[:: max(1, len(data.X) // ROWS_LOOKED_AT)]
    if _far_apart(_ranges(some)) is None:  # all rows would take as long as to read them
        return
    found = _far_apart(_ranges(data.X))
    if found is None:
        return
    (low, k), (high, j) = found
    narrow, wide = feature_names(data, [k, j])
    say("", f"hint: {wide} has a range of {number(high, 4)}, {narrow} one of {number(low, 4)};")
    if data.columns is not None:
        say(
            "the kernel sees little but the first. Without --as-is each column has deviation 1", ""
        )
        return
    say("the kernel sees little but the first. To bring all columns to one range:", "")
    for line in _lines_to_type(given):
        say(f"  {line}")
    say()


def hint_at_identity(kernel, X):
    """Print the hint, if each row is like no other: half of the kernel values are near 0.

    It is asked of a Gaussian kernel, whose values are 1 on the diagonal, and of some rows.
    """
    if type(kernel) is not Gaussian or len(X[0]) > MAX_HINTED_FEATURES:
        return
    some = X[:: max(1, len(X) // ROWS_ASKED)][:ROWS_ASKED]
    squares = sorted(squared_distance(x, z) for i, x in enumerate(some) for z in some[:i])
    if not squares or kernel.gamma * squares[len(squares) // 2] < FAR_APART:
        return
    gamma = number(1 / squares[len(squares) // 2], 2)
    say("hint: the kernel matrix is nearly the identity, between half of the rows below")
    say(f"0.01: each row is like no other. Scale them, or say --gamma {gamma}", "")


def hint_at_bounds(at_bound, y):
    """Print the hint, if C holds nearly all rows of a regression: it is in the units of y."""
    n, deviation = len(y), sqrt(mean_squares(y))
    if at_bound >= NEARLY_ALL * n:
        share, C, width = percent(at_bound, n), number(4 * deviation, 3), number(deviation / 10, 3)
        say(f"hint: {share} of the rows are at C; C and epsilon are in the units of the values,")
        say(
            f"whose standard deviation is {number(deviation, 3)}: try --C {C} --epsilon {width}",
            "",
        )


def hint_at_other_units(model, data):
    """Print the hint, if most rows lie far from all support vectors in one of the features.

    Far is more than the range of the vectors away from it, as rows are that were not scaled with
    those that the model was trained on.
    """
    laid_out = all(type(row) is list for row in [*model.vectors, *data.X])
    if len(model.vectors) < 2 or not laid_out or not model.kernel.has_rows:
        return
    for k, column in enumerate(zip(*model.vectors)):
        low, high, values = min(column), max(column), [x[k] for x in data.X]
        room = high - low
        far = len([v for v in values if not low - room <= v <= high + room])
        if room > 0 and far > FAR_SHARE * len(values):
            (name,) = feature_names(data, [k])
            ends = number(low, 4), number(high, 4), number(min(values), 4), number(max(values), 4)
            say("hint: {} is from {} to {} in the support vectors,".format(name, *ends))
            if isinstance(data, PreparedData):  # by the same numbers
                say("here from {2} to {3}, prepared alike: is the unit another?".format(*ends), "")
                return
            say("here from {2} to {3}; if the rows of the training were scaled,".format(*ends))
            say("scale these by the same numbers, see scale --restore", "")
            return


def _far_apart(found):
    """Return the least and the largest of some ranges if they differ a thousandfold, else None.

    >>> _far_apart([(0.5, 0), (499.0, 1)]), _far_apart([(0.5, 0), (500.0, 1)])
    (None, ((0.5, 0), (500.0, 1)))
    """
    if not found:
        return None
    least, largest = min(found), max(found)
    return (least, largest) if largest[0] >= THOUSANDFOLD * least[0] else None


def _ranges(X):
    """Return (range, place) of each column that is not constant.

    >>> _ranges([[1.0, 5.0, 7.0], [3.0, 5.0, 7.5]])
    [(2.0, 0), (0.5, 2)]
    """
    if all(type(row) is list for row in X):
        ends = [(min(column), max(column)) for column in zip(*X)]
        return [(high - low, k) for k, (low, high) in enumerate(ends) if low < high]
    columns = {}
    for row in X:
        for k, value in row_items(row):
            columns.setdefault(k, []).append(value)
    found = []
    for k, column in sorted(columns.items()):
        zeros = [0.0] if len(column) < len(X) else []
        low, high = min(column + zeros), max(column + zeros)
        if low < high:
            found.append((high - low, k))
    return found


def _lines_to_type(given):
    """Return the command lines that scale the data and repeat the command with scaled data."""
    scaled = _scaled_name(given.data)
    ranges = f"{scaled.partition('.')[0] or scaled}.ranges"
    form = [option for option in given.options if name_of_option(option) == "--format"]
    others = [option for option in given.options if option not in form]
    written = [["-o", file_word(scaled)], ["--save", file_word(ranges)]]
    return [
        line_to_type("scale", [given.data], [*form, *written]),
        line_to_type(given.command, [scaled], others),
    ]


def _scaled_name(path):
    """Return the name of a file for the scaled data, in this folder.

    >>> _scaled_name("data/heart.txt.gz"), _scaled_name("heart"), _scaled_name(STDIN)
    ('heart.scaled.txt.gz', 'heart.scaled', 'data.scaled')
    """
    name = "data" if path == STDIN else os.path.basename(path)
    stem, dot, ending = name.partition(".")
    return f"{stem}.scaled{dot}{ending}"
