"""Scaling: every feature moved to the same range, as LIBSVM's svm-scale does it.

Kernels compare features by size, so a feature in metres outweighs one in kilometres. Scaling
learns the smallest and the largest value of each feature from the training rows, and then maps

    v  ->  lower + (upper - lower) * (v - min) / (max - min)        computed in this order

    lower, upper    the ends of the new range, usually -1 and 1
    minima, maxima  of each feature in the rows that were fitted

Rows to predict go through the same map, never one of their own; their values may leave the range.
A feature that was constant tells nothing and becomes 0, whatever value it has later.

Source: svm-scale of LIBSVM; Hsu, Chang and Lin, A Practical Guide to Support Vector
Classification (2003), section 2.2.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from ..numerics.display import displayed
from ..numerics.pickles import with_format
from ..numerics.powers_of_two import times_power_of_two
from ..numerics.quoting import quote
from ..numerics.sparse_rows import filled_columns, narrowed, row_items, rows_from, widened
from ..numerics.types import Kind, Matrix, Number, RowsLike, Vector, VectorLike
from ..numerics.validation import matrix, number_kind, to_number, vector
from .outputs import writing
from .table_columns import Kept, TableColumns, kept_width, line_of, lines_before
from .text import (
    PathLike,
    brief,
    decimals,
    finite,
    in_line,
    reading,
    rows_of_items,
    whole,
    whole_width,
)


@with_format
@displayed
class Scaling(NamedTuple):
    """The range that each feature had, and the range lower to upper that it is moved to.

    Attributes
    ----------
    lower, upper : numbers, lower < upper
    minima, maxima : lists of d numbers

    Examples
    --------
    >>> scaling = Scaling.fit([[0, 5, 7], [10, 5, 8]])
    >>> scaling
    Scaling(lower=-1.0, upper=1.0, minima=[0.0, 5.0, 7.0], maxima=[10.0, 5.0, 8.0])
    >>> scaling.apply([[5, 5, 8], [20, 6, 7.25]])
    [[0.0, 0.0, 1.0], [3.0, 0.0, -0.5]]
    """

    lower: Number
    upper: Number
    minima: Vector
    maxima: Vector

    @classmethod
    def fit(cls, X: RowsLike, lower: Number = -1, upper: Number = 1) -> Scaling:
        """Learn the range of each feature of the rows X; exact on Fractions. O(n d).

        ValueError if lower is not below upper, or a feature's range is wider than any double.
        """
        kind = number_kind(X, lower, upper)
        lower, upper = to_number(kind, lower, "lower"), to_number(kind, upper, "upper")
        _check_ends(lower, upper)
        kept, points = narrowed(matrix(X, "X", kind))
        filled = [numbers for _, numbers in filled_columns(points)]
        columns = [[*v, kind(0)] if len(v) < len(points) else v for v in filled]
        minima, maxima = (widened(kept, list(map(end, columns))) for end in (min, max))
        for k, low, high in varying(minima, maxima):
            _check_feature(low, high, f"column {k} of X")
        return cls(lower, upper, minima, maxima)

    def apply(self, X: RowsLike) -> Matrix:
        """Return the rows of X, scaled, as new rows. O(n d).

        The smallest value fitted becomes exactly lower, the largest exactly upper. A row with
        fewer features than were fitted has zeros for the rest, as in a data file; features
        beyond the fitted ones become 0. ValueError if a value is scaled out of the doubles.
        """
        return self.scaled_rows(matrix(X, "X", number_kind(X, *self)), "X[{}]")

    def row(self, x: VectorLike) -> Vector:
        """Return one row, scaled as apply does it."""
        return self.scaled_rows([vector(x, "x", number_kind(x, *self))], "x")[0]

    def scaled_rows(self, rows: Matrix, name: str) -> Matrix:
        """Return rows of numbers of one kind, scaled; row i is what a refusal calls name[i]."""
        kind = number_kind(rows, *self)
        width = max([len(self.minima), *map(len, rows)])
        lower, upper = kind(self.lower), kind(self.upper)
        ranges = {k: (kind(low), kind(high)) for k, low, high in varying(*self[2:])}
        moved = self.columns_of_zeros_moved(kind)
        scaled = []
        for i, row in enumerate(rows):
            given = {k: v for k, v in row_items(row) if k in ranges}
            places = sorted({*moved, *given})
            numbers = [_rescale(given.get(k, kind(0)), *ranges[k], lower, upper) for k in places]
            for k, number in zip(places, numbers):
                if number - number != 0:  # infinite or NaN
                    value, (low, high) = given.get(k, kind(0)), ranges[k]
                    raise ValueError(
                        f"{name.format(i)}[{k}] is {quote(value)}; scaled from {quote(low)} to"
                        f" {quote(high)} it is no double"
                    )
            scaled.append((places, numbers))
        return rows_from(scaled, width, kind(0))

    def columns_of_zeros_moved(self, kind: Kind = float) -> list[int]:
        """Return the features in which a 0 becomes another number: of these no row stays sparse.

        >>> Scaling(-1.0, 1.0, [0.0, -2.0, 5.0], [2.0, 2.0, 5.0]).columns_of_zeros_moved()
        [0]
        """
        lower, upper = kind(self.lower), kind(self.upper)
        return [
            k
            for k, low, high in varying(*self[2:])
            if _rescale(kind(0), kind(low), kind(high), lower, upper) != 0
        ]


def varying(minima: VectorLike, maxima: VectorLike) -> list[tuple[int, Number, Number]]:
    """Return (k, minimum, maximum) of the features that are not constant.

    >>> varying([0, 5, 7], [10, 5, 8])
    [(0, 0, 10), (2, 7, 8)]
    """
    found = sorted({k for ends in (minima, maxima) for k, _ in row_items(ends)})
    return [(k, minima[k], maxima[k]) for k in found if minima[k] != maxima[k]]


def _rescale(value: Number, low: Number, high: Number, lower: Number, upper: Number) -> Number:
    """Return the value, moved from the range low to high to the range lower to upper.

    Where a part of the formula overflows, it is computed exactly and rounded once: infinite only
    where no double holds the result.
    """
    if value == high:  # the formula may miss upper by a rounding; lower it never misses
        return upper
    scaled = lower + (upper - lower) * (value - low) / (high - low)
    if scaled - scaled == 0:
        return scaled
    share = (Fraction(value) - Fraction(low)) / (Fraction(high) - Fraction(low))
    return times_power_of_two(Fraction(lower) + (Fraction(upper) - Fraction(lower)) * share, 0)


def _check_ends(lower: Number, upper: Number) -> None:
    """Refuse a range whose ends are not in ascending order, or wider than any double."""
    if not lower < upper:
        raise ValueError(
            f"lower is {quote(lower)} and upper is {quote(upper)}; lower must be below upper"
        )
    _check_feature(lower, upper, "the range to scale to")


def _check_feature(low: Number, high: Number, name: str) -> None:
    """Refuse a range whose width overflows: nothing could be divided by it."""
    width = high - low
    if width - width != 0:
        raise ValueError(
            f"{name} goes from {quote(low)} to {quote(high)}; no double holds its width"
        )


def write_scaling(path: PathLike, scaling: Scaling, columns: TableColumns | None = None) -> None:
    """Write a Scaling as svm-scale -s does: constant features are left out.

    The columns of the table that it was learnt from are kept in a last line (table_columns.py),
    which svm-scale does not read.

    read_scaling gives back a Scaling that scales every row the same. A Fraction that no double
    equals: ValueError. The file appears whole or not at all. O(d).
    """
    if not isinstance(scaling, Scaling):
        raise TypeError(f"scaling is a {type(scaling).__name__}; a Scaling is needed")
    ends = f"{decimals(scaling.lower, 'lower')} {decimals(scaling.upper, 'upper')}"
    lines = ["x", ends]
    for k, low, high in varying(scaling.minima, scaling.maxima):
        ends = f"{decimals(low, f'minima[{k}]')} {decimals(high, f'maxima[{k}]')}"
        lines.append(f"{k + 1} {ends}")
    lines += line_of(columns)
    with writing(path) as text:
        text.writelines(line + "\n" for line in lines)


def read_scaling(path: PathLike, features: int | None = None) -> Scaling:
    """Return the Scaling in a file that svm-scale -s or write_scaling wrote, plain or gzipped.

        x
        lower upper
        index min max        a line for each feature that is not constant, indices ascending

    There are as many features as `features`, the line # refsvm or the largest index says; those
    without a line were constant, their minimum and maximum are set to 0.

    ValueError, naming the file and the line, for anything else: also for a range of labels (y),
    which is for regression. O(d).

    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "small.range")
    ...     write_scaling(path, Scaling.fit([[0, 5, 7], [10, 5, 8]]))
    ...     read_scaling(path)
    Scaling(lower=-1.0, upper=1.0, minima=[0.0, 0.0, 7.0], maxima=[10.0, 0.0, 8.0])
    """
    return read_scaling_and_columns(path, features)[0]


def read_scaling_and_columns(
    path: PathLike, features: int | None = None
) -> tuple[Scaling, TableColumns | None]:
    """Return the Scaling of a file, and what the columns of its table were; see read_scaling.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_scaling(f"{folder}/range", Scaling.fit([[0], [4]]))
    ...     read_scaling_and_columns(f"{folder}/range")[0].maxima
    [4.0]
    """
    if features is not None:
        features = whole_width(features)
    kept: list[Kept] = []
    with reading(path) as text:
        lines = [(n, line.split()) for n, line in lines_before(path, text, kept) if line.strip()]
    _check_head(path, lines)
    with in_line(path, lines[1][0]):
        lower, upper = [finite(token, "an end of the range") for token in lines[1][1]]
        if not lower < upper:  # in words that are no parameters of the caller's
            raise ValueError(f"the range goes from {quote(lower)} to {quote(upper)}; it must rise")
        _check_ends(lower, upper)
    ranges = [(0, 0.0, 0.0)]
    for number, tokens in lines[2:]:
        with in_line(path, number):
            ranges.append(_feature_range(tokens, ranges[-1][0], features))
    indices, minima, maxima = map(list, zip(*ranges[1:])) if ranges[1:] else ([], [], [])
    columns = kept[0].columns if kept else None
    width = features or kept_width(path, columns, ranges[-1][0])
    ends = rows_of_items([(indices, minima), (indices, maxima)], width)
    return Scaling(lower, upper, *ends), columns


def _check_head(path: PathLike, lines: list[tuple[int, list[str]]]) -> None:
    """Refuse a file that does not begin with the line x and a line of two numbers."""
    if lines and lines[0][1] == ["y"]:
        raise ValueError(
            f"{brief(path)} scales labels (y), which is for regression; only x can be read"
        )
    if len(lines) < 2 or lines[0][1] != ["x"] or len(lines[1][1]) != 2:
        raise ValueError(f"{brief(path)} does not begin with the line x and the line lower upper")


def _feature_range(tokens: list[str], last: int, features: int | None) -> tuple[int, float, float]:
    """index, min, max from the tokens of a line that comes after the index `last`."""
    if len(tokens) != 3:
        raise ValueError(f"{quote(' '.join(tokens))} is not index min max")
    index = whole(tokens[0], "the index", 1)
    if index <= last:
        raise ValueError(f"the index {index} comes after {last}; indices must ascend")
    if features is not None and index > features:
        raise ValueError(f"the index {index} is above {features}, the features asked for")
    low, high = finite(tokens[1], "min"), finite(tokens[2], "max")
    if low > high:
        raise ValueError(f"min is {quote(low)} and max is {quote(high)}; min must not exceed max")
    _check_feature(low, high, f"feature {index}")
    return index, low, high
