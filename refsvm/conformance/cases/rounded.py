"""A case of many examples: solved exactly, and stated in doubles.

The fractions of an optimum of a hundred examples have hundreds of digits. So a double is stated
for each number v, and one power of two for all of them, `within`: none is off by more than within
times the larger of 1 and |v|. The multipliers are left out; they can be found again by solving.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ...numerics.intervals import Interval, root_above
from ...proofs.optimum import solve_exactly
from ...svm.problem import Problem
from ..protocol.kernel_tables import VALUE_BITS, kernel_table
from . import ARGUMENTS, Case, Query
from .entries import OPTIMUM_BITS, Entry, counted_problem, shown_flags, stated_result

INTERVALS = ("b_low", "b_high", "w_norm2", "sum_alpha", "sum_C_slack")


class Rounding:
    """Rounds numbers to doubles, and knows how far the worst of them is off.

    That is told as a share of the number, or of 1 if it is smaller.
    """

    def __init__(self, unknown: Fraction) -> None:
        self.unknown = self.worst = unknown  # how far the numbers may be off before

    def __call__(self, number: Any) -> Fraction:
        low: Any
        high: Any
        low, high = number if isinstance(number, Interval) else (number, number)
        rounded = Fraction(float((low + high) / 2))
        off = max(rounded - low, high - rounded)
        self.worst = max(self.worst, self.unknown + off / max(1, abs(rounded)))
        return rounded

    @property
    def within(self) -> Fraction:
        """The least power of two that is not below the worst; 0 if all numbers are doubles."""
        power = Fraction(self.worst > 0)
        while power / 2 >= self.worst > 0:
            power /= 2
        return power


def solve_rounded(entry: Entry) -> Case:
    """Return the Case of an Entry, its numbers rounded to doubles."""
    given = {key: getattr(entry, key) for key in ARGUMENTS}
    problem = counted_problem(given)
    best: Any = solve_exactly(problem, bits=OPTIMUM_BITS)
    queries = [list(map(problem.kind, x)) if isinstance(x, tuple) else x for x in entry.queries]
    scores, unknown = _scores_at(problem, best, [*problem.X, *queries])
    rounding = Rounding(unknown)
    numbers = {name: rounding(getattr(best, name)) for name in INTERVALS}
    w = best.w and list(map(rounding, best.w))
    rounded = list(map(rounding, scores))
    value = rounding(best.objective)
    ends = [(rounding(s + best.b_low), rounding(s + best.b_high)) for s in scores[problem.n :]]
    within = rounding.within
    return Case(
        entry.name,
        entry.comment,
        tuple(dict.fromkeys([*entry.flags, *shown_flags(problem, best)])),
        stated_result(entry, problem),
        given,
        problem,
        best._replace(
            alpha=None,
            other_alpha=None,
            w=w,
            objective=interval_around(value, within),
            **numbers,
        ),
        [
            Query(x, s, low, high, 1 if low > within else -1 if -high > within else None)
            for x, s, (low, high) in zip(queries, rounded[problem.n :], ends)
        ],
        rounded[: problem.n],
    )


def interval_around(value: Any, within: Any) -> Interval:
    """Return the interval in which a number lies that is stated as this value."""
    off = within * max(1, abs(value))
    return Interval(value - off, value + off)


def _scores_at(problem: Problem, best: Any, rows: list[Any]) -> tuple[list[Any], Fraction]:
    """Return s of each row at the optimum's alpha, and how far they may be from the true ones.

    An alpha whose dual falls short by the objective's width has scores that are off by the root
    of 2 width k(x, x) at most.
    """
    beta = [Fraction(a) * y for a, y in zip(best.alpha, problem.y)]
    scores = kernel_table(problem.kernel, problem.X, rows).scores(beta)
    if not isinstance(best.objective, Interval):
        return scores, Fraction(0)
    sizes = [kernel_table(problem.kernel, [x], [x]) for x in rows]
    largest = max(Fraction(t.values[0][0], t.denominator) for t in sizes)
    rounding = sum(map(abs, beta)) * (1 + largest) / 2 ** (VALUE_BITS // 2)  # exact
    return scores, root_above(2 * best.objective.width * (1 + largest)) + rounding
