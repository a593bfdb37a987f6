"""The offsets that known bugs find where the scores are right.

r_i   y_i - s_i, the offset that puts example i on its margin       beta   alpha_i y_i
up    examples whose beta may rise                                  low    may fall
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from ..numerics.linalg import total
from .cases.flags import BUGS
from .explanations import Explanation
from .margin_measure import short_text
from .protocol import NumericProblem

ROUNDED = Fraction(1, 2**20)  # of a multiplier
VAGUE = 0.3  # the weight of an offset that is wrong, whatever it is
ALL_RIGHT = 0.35  # the weight of a mean of y - sign(f) where all signs are right: it is 0


class WrongOffset(NamedTuple):
    """An offset that is found by mistake: any from low to high."""

    flag: str
    why: str
    low: Any
    high: Any
    weight: float = 1.0


class OffsetSources(NamedTuple):
    """What an offset is found from.

    optimal   b_low, b_high           scores  of the examples
    origin    the score of the row that a program counts from
    """

    problem: NumericProblem
    optimal: tuple[Any, Any]
    scores: Sequence[Any]
    beta: Sequence[Any]

    @property
    def origin(self) -> Any:
        """The score of the first example, where it may be the origin of the rows; or 0."""
        return self.scores[0] if self.problem.linear else 0

    @property
    def r(self) -> list[Any]:
        """The offset that puts each example on its margin."""
        return [y - s for y, s in zip(self.problem.y, self.scores)]

    @property
    def support(self) -> list[int]:
        """The support vectors, without what rounding leaves of a multiplier."""
        least = ROUNDED * max(map(abs, self.beta))
        return [i for i, c in enumerate(self.beta) if abs(c) > least]

    @property
    def bounded(self) -> list[int]:
        """The support vectors at C."""
        bounds = self.problem.upper_bounds()
        return [i for i in self.support if abs(self.beta[i]) * (1 + ROUNDED) >= bounds[i]]


def offsets_in_words(b: Any, scores: Sequence[Any]) -> tuple[str, str]:
    """Return an offset, and what it is for rows counted from the first example."""
    return f"b is {short_text(b)}", f"b is {short_text(b + scores[0])}"


def explain_offset(at: OffsetSources, least: Any, most: Any) -> tuple[list[Explanation], set[str]]:
    """Return what explains an offset from least to most, and the identities of what does not.

    That only the offset is wrong is always among them.
    """
    found: dict[str, Explanation] = {}
    missed = set()
    for flag, why, low, high, weight in wrong_offsets(at):
        explanation = Explanation(flag, why, weight)
        if least <= high and low <= most:
            found.setdefault(explanation.identity, explanation)
        elif at.optimal[1] < low or high < at.optimal[0]:
            missed.add(explanation.identity)
    fits = [*found.values(), Explanation("Offset", BUGS["Offset"], VAGUE)]
    return fits, missed - set(found)


def wrong_offsets(at: OffsetSources) -> Iterator[WrongOffset]:
    """Yield the offsets that known bugs find."""
    yield from _misplaced_offsets(at)
    yield from _offsets_of_vectors(at)
    y, scores = at.problem.y, at.scores
    b = _hard_margin_offset(y, scores)
    yield WrongOffset("OffsetHardMargin", BUGS["OffsetHardMargin"], b, b)
    yield from _wrong_ends(at)
    yield from _offsets_of_signs(at)
    yield from offsets_of_own_terms(at)


def _misplaced_offsets(at: OffsetSources) -> Iterator[WrongOffset]:
    """Yield optimal offsets with a wrong sign, factor or origin."""
    low, high = at.optimal
    yield WrongOffset("OffsetMissing", BUGS["OffsetMissing"], 0, 0)
    yield WrongOffset("OffsetSign", BUGS["OffsetSign"], -high, -low)
    for name, factor in (("doubled", 2), ("halved", Fraction(1, 2))):
        yield WrongOffset("OffsetScaled", f"b is {name}", factor * low, factor * high)
    C = at.problem.C
    if len(set(C)) == 1 and 0 < C[0] < inf:
        for name, factor in (("multiplied", Fraction(C[0])), ("divided", 1 / Fraction(C[0]))):
            ends = factor * low, factor * high
            yield WrongOffset("OffsetScaled", f"b is {name} by C", *ends)
    origin = at.origin
    if origin == 0:
        return
    moved = "for rows counted from the first one"
    yield WrongOffset("OffsetMissing", f"b is 0 {moved}", -origin, -origin)
    ends = -high - 2 * origin, -low - 2 * origin
    yield WrongOffset("OffsetSign", f"b has the wrong sign {moved}", *ends)
    for name, factor in (("doubled", 2), ("halved", Fraction(1, 2))):
        ends = factor * (low + origin) - origin, factor * (high + origin) - origin
        yield WrongOffset("OffsetScaled", f"b is {name} {moved}", *ends)
    for times in (1, 2):
        ends = low + times * origin, high + times * origin
        yield WrongOffset("OffsetOrigin", BUGS["OffsetOrigin"], *ends)


def _offsets_of_vectors(at: OffsetSources) -> Iterator[WrongOffset]:
    """Yield what single examples, and averages over too many of them, tell of b."""
    r = at.r
    support, bounded = at.support, at.bounded
    for name, some in (
        ("all support vectors, those at C too", support),
        ("the support vectors at C", bounded),
        ("all examples", range(at.problem.n)),
    ):
        if some:
            b = mean([r[i] for i in some])
            yield WrongOffset("OffsetAveraged", f"b is the mean over {name}", b, b)
    if support:
        for name, some in (
            ("first support vector", support),
            ("last support vector", support[::-1]),
            ("first support vector of class +1", of_class(at, support, 1)),
            ("first support vector of class -1", of_class(at, support, -1)),
            ("last support vector of class +1", of_class(at, support[::-1], 1)),
            ("last support vector of class -1", of_class(at, support[::-1], -1)),
            ("support vector of the largest alpha", by_size(at, support)),
        ):
            if some:
                why = f"b is that of the {name}, free or not"
                yield WrongOffset("OffsetBounded", why, r[some[0]], r[some[0]])
        b = mean([y - at.scores[i] for i, y in _ends_of_classes(at, support)])
        yield WrongOffset("OffsetBounded", "b is the mean of one vector of each class", b, b, 0.8)
    values = {r[i] for i in bounded}
    for b in values:
        why = "b is taken from a support vector at C, which is not on the margin"
        yield WrongOffset("OffsetBounded", why, b, b, max(VAGUE, 1 / len(values)) * 0.95)
    yield from _offsets_of_first_examples(at)


def _offsets_of_first_examples(at: OffsetSources) -> Iterator[WrongOffset]:
    """Yield what the first and the last example tell of b, support vectors or not."""
    for name, i in (("first", 0), ("last", at.problem.n - 1)):
        b = at.r[i]
        yield WrongOffset("OffsetBounded", f"b is that of the {name} example", b, b)


def of_class(at: OffsetSources, some: Sequence[int], label: int) -> list[int]:
    """Return those of some examples that have a label."""
    return [i for i in some if at.problem.y[i] == label]


def by_size(at: OffsetSources, some: Sequence[int]) -> list[int]:
    """Return some examples, those of the largest alpha first."""
    return sorted(some, key=lambda i: -abs(at.beta[i]))


def _ends_of_classes(at: OffsetSources, support: list[int]) -> list[tuple[int, int]]:
    """Return (index, label) of the first support vector of each class."""
    firsts = ((of_class(at, support, label), label) for label in (-1, 1))
    return [(some[0], label) for some, label in firsts if some]


def _hard_margin_offset(y: Sequence[int], scores: Sequence[Any]) -> Any:
    """Return -(the largest score of -1 + the smallest of +1) / 2."""
    below = max(s for s, label in zip(scores, y) if label < 0)
    above = min(s for s, label in zip(scores, y) if label > 0)
    return -(below + above) / 2


def _offsets_of_signs(at: OffsetSources) -> Iterator[WrongOffset]:
    """Yield means of y - sign(f), where y - s is meant."""
    support = at.support
    free = [i for i in support if i not in at.bounded]
    middle = (at.optimal[0] + at.optimal[1]) / 2
    for origin in (-middle, 0, at.scores[0]):
        for some in filter(None, (free, support, range(at.problem.n))):
            signs = {i: 1 if at.scores[i] >= origin else -1 for i in some}
            b = mean([Fraction(at.problem.y[i] - signs[i]) for i in some])
            for value in {b, b - origin}:
                weight = 0.7 if b else ALL_RIGHT
                yield WrongOffset("OffsetSignOfF", BUGS["OffsetSignOfF"], value, value, weight)


def offsets_of_own_terms(at: OffsetSources) -> Iterator[WrongOffset]:
    """Yield means of y_i - beta_i K_ii, where the sum over all examples is meant."""
    problem, support = at.problem, at.support
    free = [i for i in support if i not in at.bounded]
    for name, some in (("free support vectors", free), ("support vectors", support)):
        if some:
            X = problem.X
            own = [
                problem.kernel(X[i], X[i]) if problem.kernel.has_rows else X[i][i] for i in some
            ]
            b = mean([problem.y[i] - at.beta[i] * k for i, k in zip(some, own)])
            why = f"b is the mean over the {name} of y less its own term, not the whole score"
            yield WrongOffset("Offset", why, b, b)


def _wrong_ends(at: OffsetSources) -> Iterator[WrongOffset]:
    """Yield the middles of what is no interval of optimal offsets: wrong sets, or wrong ends."""
    alpha = [c * y for c, y in zip(at.beta, at.problem.y)]
    each = list(zip(at.r, alpha, at.problem.y, at.problem.upper_bounds()))
    up = [v for v, a, y, C in each if (a < C if y > 0 else a > 0)]
    low = [v for v, a, y, C in each if (a > 0 if y > 0 else a < C)]
    if not up or not low:
        return
    outer = min(up), max(low)
    points = {
        "b is the middle of the ends exchanged": [(outer[0] + outer[1]) / 2],
        "b is the middle of the wrong ends of one set": [
            (max(low) + min(low)) / 2,
            (max(up) + min(up)) / 2,
        ],
        "b is the middle over all examples": [(min(at.r) + max(at.r)) / 2],
        "b is one end, and the wrong one": [*outer, min(at.r), max(at.r)],
        "b is the difference of its ends, not their mean": [
            (max(up) - min(low)) / 2,
            (min(low) - max(up)) / 2,
        ],
        "b is the sum of its ends": [max(up) + min(low)],
    }
    for why, values in points.items():
        for b in values:
            yield WrongOffset("OffsetEnds", why, b, b, 1 / len(values) ** 0.5)


def mean(values: Sequence[Any]) -> Any:
    """Return the mean of some numbers."""
    return total(values) / len(values)
