"""A search for C and gamma that knows when to stop: wider at an edge, then finer, then cautious.

    point    (i, j), which stands for C = 4^i units and gamma = 4^j times the scale of the rows
    usual    (1, -1), what is taken without a search: C = 4 units, gamma "scale/4"
    best     the point with the best score; of several the nearest to the usual one
    taken    the nearest to the usual one of all that are within a standard error of the best

First come 3 x 3 points, 16-fold apart. While the best is at an end of the values tried, the next
value is added there, and crossed with all others; when the best stays, its eight neighbours
follow, 4-fold apart. So a search has 17 to 38 points. On small tables the best of many is the best
by chance, and worse on new rows than the usual one: that is why the best itself is not taken.

Distances are those of (i, j). Of points equally near the better goes first, then the one with the
lesser C, then with the lesser gamma. So the answer does not depend on the order of the points.

Source: the rule of one standard error is that of Breiman, Friedman, Olshen and Stone,
Classification and Regression Trees (1984), section 3.4.3; the points were measured on 107 tables.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import NamedTuple

Point = tuple[int, int]
Line = tuple[int, ...]  # the values of i, or j, that are tried

USUAL_POINT = (1, -1)
FIRST_GRID: tuple[Line, Line] = (-1, 1, 3), (-3, -1, 1)
EXPONENTS = (-3, 7), (-5, 3)
WIDE_STEP = 2  # 16-fold
MIN_POINTS, MAX_POINTS = 17, 38  # 3 x 3 and 8 neighbours; 6 x 5 within the limits and 8 neighbours


class Score(NamedTuple):
    """How good a point is, more being better, and the standard error of that."""

    value: float
    error: float


class Found(NamedTuple):
    """What a search has found; scores: of all points, in the order in which they were asked."""

    scores: dict[Point, Score]
    best: Point
    taken: Point


def refined_search(ask: Callable[[list[Point], int], list[Score]]) -> Found:
    """Search for the best point, and for one as good and nearer to the usual one (S13.8).

    Parameters
    ----------
    ask : callable
        ask(points, more) returns the Score of each of the points, of which none is asked twice;
        more is how many points may be asked afterwards, at most

    Notes
    -----
    17 to 38 points, in 2 to 7 calls.

    Examples
    --------
    >>> def ask(points, more):
    ...     return [Score(-abs(i - 4) - abs(j + 2), 1.5) for i, j in points]
    >>> found = refined_search(ask)
    >>> found.best, found.taken, len(found.scores)
    ((4, -2), (3, -2), 20)
    """
    scores: dict[Point, Score] = {}
    (Cs, gammas), new = FIRST_GRID, list(product(*FIRST_GRID))
    while new:
        more = MAX_POINTS - len(scores) - len(new)
        scores.update(zip(new, ask(new, more)))
        best = _best(scores)
        Cs, gammas = map(_wider, (Cs, gammas), best, EXPONENTS)
        new = [point for point in product(Cs, gammas) if point not in scores]
    near = [point for point in _neighbours(best) if point not in scores]
    scores.update(zip(near, ask(near, 0)))
    best = _best(scores)
    return Found(scores, best, _taken(scores, best))


def _best(scores: dict[Point, Score]) -> Point:
    """Return the point with the best score; of several the nearest to the usual one."""
    return min(scores, key=lambda point: (-scores[point].value, _distance(point), point))


def _taken(scores: dict[Point, Score], best: Point) -> Point:
    """Return the point nearest to the usual one that is within a standard error of the best."""
    least = scores[best].value - scores[best].error
    good = [point for point in scores if scores[point].value >= least]
    return min(good, key=lambda point: (_distance(point), -scores[point].value, point))


def _distance(point: Point) -> int:
    """Return the square of the distance from the usual point."""
    return sum((at - usual) ** 2 for at, usual in zip(point, USUAL_POINT))  # exact


def _wider(line: Line, at: int, limits: tuple[int, int]) -> Line:
    """Return the line, extended by one value where the best is at an end.

    >>> _wider((-1, 1, 3), 3, (-3, 7)), _wider((-3, -1, 1, 3), -3, (-3, 7))
    ((-1, 1, 3, 5), (-3, -1, 1, 3))
    """
    low, high = limits
    if at == line[0] and at - WIDE_STEP >= low:
        return (at - WIDE_STEP, *line)
    if at == line[-1] and at + WIDE_STEP <= high:
        return (*line, at + WIDE_STEP)
    return line


def _neighbours(best: Point) -> list[Point]:
    """Return the points around one, within the limits."""
    Cs, gammas = (
        range(max(at - 1, low), min(at + 1, high) + 1) for at, (low, high) in zip(best, EXPONENTS)
    )
    return [point for point in product(Cs, gammas) if point != best]
