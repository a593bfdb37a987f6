"""Solves a case: exactly, or for many examples with its numbers rounded to doubles.

The problems stand in the files themselves. What is stated of a problem is found anew from its
arguments, its flags and the rows to decide, and a test holds that it is what the file says.

The fractions of an optimum of a hundred examples have hundreds of digits. So `solve_rounded`
states a double for each number v, and one power of two for all of them, `within`: none is off by
more than within times the larger of 1 and |v|. The multipliers are left out: solving finds them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain
from math import inf
from typing import Any

from refsvm.conformance.cases import Case, Query
from refsvm.conformance.protocol.kernel_tables import VALUE_BITS, kernel_table
from refsvm.kernels.rational_values import is_rational
from refsvm.numerics.intervals import Interval, root_above
from refsvm.numerics.linalg import dot
from refsvm.proofs.enclosures import kernel_interval
from refsvm.proofs.optimum import solve_exactly
from refsvm.svm.problem import Problem

OPTIMUM_BITS = 128  # where the objective is an interval: narrower than any double is exact
GRID = 2**96  # the ends of the intervals of a case are multiples of 1 / GRID


def solve_case(case: Case) -> Case:
    """Return a Case with its optimum, its flags and its queries completed.

    O(what solve_exactly needs).
    """
    problem = _counted_problem(case.given)
    optimum: Any = solve_exactly(problem, bits=OPTIMUM_BITS)
    fields = optimum._asdict().items()
    optimum = optimum._replace(
        **{key: _on_grid(v) for key, v in fields if isinstance(v, Interval)}
    )
    return case._replace(
        flags=tuple(dict.fromkeys([*case.flags, *shown_flags(problem, optimum)])),
        result=_stated_result(case, problem),
        problem=problem,
        optimum=optimum,
        queries=[query(problem, optimum, q.x) for q in case.queries if not optimum.farkas],
        scores=[] if optimum.farkas else scores(problem, optimum),
    )


def _stated_result(case: Case, problem: Problem) -> str:
    """Return the result of a Case: not every program takes infinity for C."""
    return "acceptable" if inf in problem.C else case.result


def _counted_problem(given: dict[str, Any]) -> Problem:
    """Return the Problem of arguments among whose C there may be zeros, without those examples.

    On Fractions, or on the same numbers as floats if the kernel has no exact values.
    """
    X, y, C = given["X"], given["y"], given["C"]
    C = C if isinstance(C, list) else [C] * len(y)
    kept = [i for i, c in enumerate(C) if c != 0]
    X, y, C = ([values[i] for i in kept] for values in (X, y, C))
    if not is_rational(given["kernel"]):
        X, C = [list(map(float, x)) for x in X], list(map(float, C))
    return Problem(X, y, given["kernel"], C, given["bias"], given["slack"])


def query(problem: Problem, optimum: Any, x: Any) -> Query:
    """Return the Query of the row x.

    Where all is between two fractions, f_low and f_high are the outermost.

    >>> problem = Problem([[Fraction(0)], [Fraction(1)]], [-1, 1])
    >>> query(problem, solve_exactly(problem), [Fraction(3)])[1:]
    (Fraction(3, 1), Fraction(2, 1), Fraction(3, 1), 1)
    """
    s = score(problem, optimum, x)
    low, high = s + optimum.b_low, s + optimum.b_high
    if isinstance(s, Interval):
        low, high = _on_grid(low).low, _on_grid(high).high
    return Query(x, s, low, high, 1 if low > 0 else -1 if high < 0 else None)


def scores(problem: Problem, optimum: Any) -> list[Any]:
    """Return s of every example."""
    return [score(problem, optimum, x) for x in problem.X]


def score(problem: Problem, optimum: Any, x: Any) -> Any:
    """Return s(x) at the optimum: a Fraction, or an Interval if kernel values are no fractions.

    The interval is that of the optimum's alpha, wider by how far the scores of an alpha whose dual
    falls short by the objective's width may be from the true ones: sqrt(2 width k(x, x)).
    """
    has_rows = problem.kernel.has_rows
    beta = [Fraction(a) * y for a, y in zip(optimum.alpha, problem.y)]
    if is_rational(problem.kernel):
        return dot(beta, [problem.kernel(z, x) for z in problem.X] if has_rows else x)
    s = Interval(Fraction(0), Fraction(0))
    for b, z in zip(beta, problem.X):
        s = s + b * kernel_interval(problem.kernel, z, x, OPTIMUM_BITS)
    square = kernel_interval(problem.kernel, x, x, OPTIMUM_BITS).high
    off = root_above(2 * optimum.objective.width * square)
    return _on_grid(Interval(s.low - off, s.high + off))


def _on_grid(interval: Interval) -> Interval:
    """Return the least interval around this one whose ends are on the grid.

    >>> _on_grid(Interval(Fraction(1, 3), Fraction(1))).high
    Fraction(1, 1)
    """
    low, high = interval.low * GRID, -interval.high * GRID
    return Interval(
        Fraction(low.numerator // low.denominator, GRID),
        Fraction(-(high.numerator // high.denominator), GRID),
    )


def shown_flags(problem: Problem, optimum: Any) -> list[str]:
    """Return the flags of what the problem and its optimum themselves show."""
    not_dyadic = [] if all(map(is_double, _finite_numbers(problem))) else ["NotDyadic"]
    if optimum.farkas:
        return ["Infeasible", *not_dyadic]
    alpha, top, status = optimum.alpha, problem.upper_bounds(), optimum.status
    at_top = [a == C for a, C in zip(alpha, top)]
    free = any(0 < a < C for a, C in zip(alpha, top))
    shown = {
        "OffsetInterval": not optimum.b_unique,
        "NoFreeSV": not free,
        "BoundedSV": free and any(at_top),
        "AlphaNotUnique": not optimum.alpha_unique,
        "DegenerateMargin": any(a == 0 and letter == "M" for a, letter in zip(alpha, status)),
        "AlphaAtBoundExactly": any(t and letter == "M" for t, letter in zip(at_top, status)),
    }
    return [name for name, is_so in shown.items() if is_so] + not_dyadic


def _finite_numbers(problem: Problem) -> list[Fraction | float]:
    """Return every finite number of the problem: of its rows, its C and its kernel."""
    rows: Sequence[Any] = [] if isinstance(problem.X[0], str) else problem.X
    numbers = [*chain(*rows), *problem.C, *problem.kernel.parameters()]
    return [v for v in numbers if isinstance(v, (Fraction, float)) and v != inf]


def is_double(number: Fraction | float) -> bool:
    """Return whether a double holds the number.

    >>> is_double(Fraction(3, 2**1074)), is_double(Fraction(1, 3)), is_double(Fraction(2**1024))
    (True, False, False)
    """
    return -(2**1024) < number < 2**1024 and float(number) == number


# ---- many examples

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


def solve_rounded(case: Case) -> Case:
    """Return a Case with its optimum, flags and queries, the numbers rounded to doubles."""
    problem = _counted_problem(case.given)
    best: Any = solve_exactly(problem, bits=OPTIMUM_BITS)
    rows = [q.x for q in case.queries]
    scores, unknown = _scores_at(problem, best, [*problem.X, *rows])
    rounding = Rounding(unknown)
    numbers = {name: rounding(getattr(best, name)) for name in INTERVALS}
    w = best.w and list(map(rounding, best.w))
    rounded = list(map(rounding, scores))
    value = rounding(best.objective)
    ends = [(rounding(s + best.b_low), rounding(s + best.b_high)) for s in scores[problem.n :]]
    within = rounding.within
    objective = interval_around(value, within)
    return case._replace(
        flags=tuple(dict.fromkeys([*case.flags, *shown_flags(problem, best)])),
        result=_stated_result(case, problem),
        problem=problem,
        optimum=best._replace(alpha=None, other_alpha=None, w=w, objective=objective, **numbers),
        queries=[
            Query(x, s, low, high, 1 if low > within else -1 if -high > within else None)
            for x, s, (low, high) in zip(rows, rounded[problem.n :], ends)
        ],
        scores=rounded[: problem.n],
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
