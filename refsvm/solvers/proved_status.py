"""Is an answer "optimal"? That says m - M <= tol in exact arithmetic: it is proved, or taken back.

Residuals are computed in doubles, so each is wrong by something. "optimal" is said if m - M <= tol
whatever that is within its bound E_k (svm/residual_bounds.py): if

    max over those that may rise of (r_k + E_k)  -  min over those that may fall of (r_k - E_k)

is at most tol. One bound for all rows is tried first, as it needs no look at the rows: that of
E_k with the largest K_kk for each size. It is also what the answer is judged by
(svm/solutions.py), if it is far below tol, or m - M; if not, each row has its own.

tol is a multiple of a unit, which is a linear function of the lam_g and of |w|^2. So it is no less
than the unit as computed, less its coefficients times the errors of these.

Where these leave a doubt it is about a few rows: whose r_k + E_k is less than another's r - E is
not the largest. Of those that may be m or M the residual is computed without rounding. These
residuals, rounded once, are the answer's.

Source: Higham, Accuracy and Stability of Numerical Algorithms (2002), chapter 3, for the sums.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from math import inf, isfinite, sqrt
from typing import Any

from ..kernels.value_errors import SMALLEST, bound_by_diagonal
from ..numerics.linalg import total
from ..numerics.records import NamedTuple
from ..numerics.rounding_bounds import TINY, U, above, nearest_size, of_sum
from ..svm.dual_form import Numbers, middle
from ..svm.residual_bounds import (
    EXACT,
    LEAST,
    ErrorBounds,
    ExactResiduals,
    accuracy_of,
    error_by_w,
    error_of_w,
    exact_residuals,
    grain_of_kernel_values,
    left_by_values,
    residuals_by_w,
    size_of_w,
    surplus_of,
)

LESS = 1 - 2.0**-50  # more than rounding takes off a comparison
FAR_BELOW = 2.0**-8


class Sizes(NamedTuple):
    """How many multipliers are not 0, the sum of their sizes, the largest K_kk and |target|."""

    support: int
    mass: Any
    norm: Any
    target: Any

    @property
    def largest(self) -> Any:
        """No sum of the products of a residual is larger."""
        return (self.norm + SMALLEST) * self.mass + self.target


class Stop(NamedTuple):
    """Where a solver stopped: m - M as computed, tol, its unit, and whether that is "optimal".

    carried: what steps may have added to residuals, see dual_ascent.py
    """

    violation: Any
    tol: Any
    unit: Any = 1
    claims: bool = True
    carried: Any = 0


def proved_residuals(
    problem: Any, form: Any, beta: Numbers, r: Numbers, stop: Stop
) -> tuple[Numbers, ErrorBounds, bool]:
    """The residuals to tell, how accurate they are, and whether m - M <= tol unit is proved.

    form: the data of the dual, or its DualProgram. On Fractions nothing is rounded. O(n), and
    O(n d) in doubt.
    """
    if problem.kind is not float:
        return r, EXACT, stop.violation <= stop.tol * stop.unit

    def sizes() -> Sizes:
        return Sizes(
            support=len(beta) - beta.count(0),
            mass=total(map(abs, beta)),
            norm=max(abs(k + c) for k, c in zip(problem.squared_norms(), problem.ridge())),
            target=max(map(abs, form.target)),
        )

    def surplus() -> Fraction:
        return surplus_of(form, problem.beta(problem.multipliers_of(beta)))

    given = sizes, surplus, lambda: (beta, r)
    told, accuracy, proved = judged_residuals(problem, form, stop, *given)
    return told or r, accuracy, proved


def judged_residuals(
    problem: Any,
    form: Any,
    stop: Stop,
    sizes: Callable[[], Sizes],
    surplus: Callable[[], Fraction],
    variables: Callable[[], tuple[Numbers, Numbers]],
) -> tuple[Any, ErrorBounds, bool]:
    """What proved_residuals tells; None for the residuals where those of the solver stay.

    sizes, surplus, variables: return the Sizes, surplus_of, and beta and r, if they are needed
    """
    if grain_of_kernel_values(problem) > 0:
        beta, r = variables()
        exact = exact_residuals(problem, form, beta)
        if exact is not None:
            proved = stop.claims and ResidualBounds(problem, form, beta, *exact).prove(stop.tol)
            return (*exact, proved)
    found = _proved_at_once(problem, form, sizes(), stop, surplus)
    if found is not None:
        return None, found, stop.claims
    return _proved_by_row(problem, form, *variables(), stop)


def _proved_at_once(
    problem: Any, form: Any, sizes: Sizes, stop: Stop, surplus: Callable[[], Fraction]
) -> ErrorBounds | None:
    """One ErrorBounds for all rows, if it proves what is claimed, and is far below it."""
    v = bound_by_diagonal(problem.kernel, problem.row_length())
    root = above(sqrt(sizes.norm + SMALLEST), 4)
    w_error = error_of_w(problem, size_of_w(sizes.mass * root, sizes.mass), sizes.mass, surplus)
    error = of_sum(sizes.support + v + 5, sizes.largest) + stop.carried
    error = above(error + error_by_w(w_error, root), 8)
    far = FAR_BELOW * max(stop.violation, stop.tol * stop.unit)
    of_w = error_by_w(w_error, sizes.mass * root + w_error)
    if not LEAST <= error <= far or stop.claims and not is_certain(form, sizes, error, stop, of_w):
        return None
    return ErrorBounds(error, root, w_error, sizes.largest)


def is_certain(form: Any, sizes: Sizes, error: Any, stop: Stop, of_w: Any = 0) -> bool:
    """Whether one error for all rows proves that m - M is at most tol units.

    of_w: how far |w|^2 is off by w_error, besides what is so of the scores
    """
    of_norm2 = sizes.mass * (error + U * (len(form.target) + 1) * sizes.largest) + of_w
    limit = stop.tol * (stop.unit - error_of_unit(form, error, of_norm2))
    return bool(stop.violation + 2 * error <= limit * LESS)


def error_of_unit(form: Any, of_multipliers: Any, of_norm2: Any) -> Any:
    """How far the unit of tol is off at most, from the errors of lam and of |w|^2."""
    if form.unit is None:
        return 0
    groups = range(len(form.groups))
    at_zero = form.unit([0 for _ in groups], 0)
    slopes = [abs(form.unit([int(h == g) for h in groups], 0) - at_zero) for g in groups]
    steep: Any = abs(form.unit([0 for _ in groups], 1) - at_zero)
    return sum(slopes) * of_multipliers + (steep * of_norm2 if steep else 0)  # exact


def _proved_by_row(
    problem: Any, form: Any, beta: Numbers, r: Numbers, stop: Stop
) -> tuple[Numbers, ErrorBounds, bool]:
    """What proved_residuals tells, by a bound for each row, and without rounding for a few."""
    coefs = problem.beta(problem.multipliers_of(beta))
    if problem.linear:
        by_w, accuracy = residuals_by_w(problem, form, beta, coefs)
        if not all(map(isfinite, by_w)):  # beyond the doubles: nothing is known of r
            return r, accuracy._replace(errors=inf), False
        r = by_w
    else:
        accuracy = accuracy_of(problem, form, beta, coefs, r, carried=stop.carried)
    if not stop.claims:
        return r, accuracy, False
    bounds = ResidualBounds(problem, form, beta, r, accuracy)
    # The unit was computed from the residuals of the solver, which those by w replace.
    unit = None if problem.linear else bounds.least_unit_given(stop.unit)
    if bounds.prove(stop.tol, unit):
        return r, accuracy, True
    for k in bounds.undecided():
        bounds.narrow(k)
    return bounds.r, bounds.accuracy(), bounds.prove(stop.tol)


Pair = tuple[Any, Any]


def _exact_middle(pair: Pair) -> Any:
    """The middle of two numbers, exactly; the first of them if it is infinite."""
    return pair[0] if abs(pair[0]) == inf else (Fraction(pair[0]) + Fraction(pair[1])) / 2


def _extent(pair: Pair) -> Any:
    """How far apart two numbers are."""
    return 0 if abs(pair[0]) == inf else Fraction(pair[1]) - Fraction(pair[0])


class ResidualBounds:
    """low and high of each residual r, between which it lies; what may be proved by them."""

    def __init__(
        self, problem: Any, form: Any, beta: Numbers, r: Numbers, accuracy: ErrorBounds
    ) -> None:
        self.problem, self.form, self.beta, self.r = problem, form, beta, list(r)
        self.of: Sequence[int] = range(problem.n) if form.of is None else form.of
        self.coefs = problem.beta(problem.multipliers_of(beta))
        self.errors, self.roots = accuracy.of_variable(len(beta))
        self.w_error, self.size = accuracy.w_error, accuracy.size
        off = [e + 2 * U * abs(x) if e > 0 else e for e, x in zip(self.errors, r)]
        self.low: Numbers = [x - e for x, e in zip(r, off)]
        self.high: Numbers = [x + e for x, e in zip(r, off)]

    @cached_property
    def exact(self) -> ExactResiduals:
        """The residuals without rounding."""
        return ExactResiduals(self.problem, self.form, self.of, self.beta, self.coefs)

    @cached_property
    def left(self) -> Numbers:
        """How far residuals are off that are computed without rounding: by kernel values."""
        return left_by_values(self.problem, self.form, self.coefs)

    def accuracy(self) -> ErrorBounds:
        """How accurate r is."""
        return ErrorBounds(self.errors, self.roots, self.w_error, self.size)

    def sides(self) -> list[tuple[list[int], list[int]]]:
        """Which variables may rise, and which may fall, of each group."""
        form, b = self.form, self.beta
        return [
            ([k for k in g if b[k] < form.upper[k]], [k for k in g if b[k] > form.lower[k]])
            for g in form.groups or [range(len(b))]
        ]

    def least_unit_given(self, unit: Any) -> Any:
        """The least that a unit may be that was computed with these residuals."""
        if self.form.unit is None:
            return 1
        mass, error = total(map(abs, self.beta)), max(self.errors)
        of_w = error_by_w(self.w_error, mass * max(self.roots) + self.w_error)
        of_norm2 = mass * (error + U * (len(self.r) + 1) * self.size) + of_w
        least = (unit - error_of_unit(self.form, error, of_norm2)) * LESS
        return least if isfinite(least) else 0

    def prove(self, tol: Any, unit: Any = None) -> bool:
        """Whether m - M is at most tol units in each group by these bounds.

        unit: it is no less; otherwise it is computed from low and high
        """
        ends = [self.ends(*sides) for sides in self.sides()]
        if any(m == inf or M == -inf for (_, m), (M, _) in ends):
            return False
        if unit is None:
            unit = 1 if self.form.unit is None else self.least_unit(ends)
        limit = Fraction(tol) * Fraction(unit)
        return all(
            m == -inf or M == inf or Fraction(m) - Fraction(M) <= limit for (_, m), (M, _) in ends
        )

    def ends(self, rising: list[int], falling: list[int]) -> tuple[Pair, Pair]:
        """Between what m lies, and between what M does."""
        zero = [] if self.form.groups else [0]  # without an offset b = 0 is a bound of either sort
        m, M = (
            [choose([*(v[k] for k in side), *zero], default=end) for v in (self.low, self.high)]
            for choose, side, end in ((max, rising, -inf), (min, falling, inf))
        )
        return (m[0], m[1]), (M[0], M[1])

    def least_unit(self, ends: list[tuple[Pair, Pair]]) -> Any:
        """The least that the unit of tol may be, where m and M lie between these ends."""
        unit, zeros = self.form.unit, [0 for _ in ends]
        lam = [middle(_exact_middle(m), _exact_middle(M)) for m, M in ends]
        error = max(_extent(m) + _extent(M) for m, M in ends)
        norm2, left = Fraction(0), Fraction(0)
        if unit(zeros, 1) != unit(zeros, 0):
            norm2, coefs = self.exact.norm2(), self.exact.coefs
            left = sum(Fraction(abs(b) * self.left[i]) for i, b in coefs.items())  # exact
        found = Fraction(unit(lam, norm2))
        return found - abs(found) / 2**50 - error_of_unit(self.form, error, left)

    def undecided(self) -> list[int]:
        """The variables that may have the largest residual, or the smallest, of their side."""
        found: set[int] = set()
        for rising, falling in self.sides():
            m = max((self.low[k] for k in rising), default=-inf)
            M = min((self.high[k] for k in falling), default=inf)
            found.update(k for k in rising if self.high[k] >= m)
            found.update(k for k in falling if self.low[k] <= M)
        return sorted(found)

    def narrow(self, k: int) -> None:
        """Let residual k be the exact one, rounded; low and high leave what its values do."""
        r, left = self.exact.residual(k), self.left[k]
        self.low[k] = r - Fraction(left) if left < inf else -inf
        self.high[k] = r + Fraction(left) if left < inf else inf
        try:
            self.r[k] = float(r)
        except OverflowError:  # beyond the doubles; then it stays what it was
            self.errors[k] = inf
            return
        off = nearest_size(abs(r - Fraction(self.r[k])))
        of_w = error_by_w(self.w_error, self.roots[k])
        self.errors[k] = above(off + left + of_w, 8) or TINY  # see JudgedAnswer._without_rounding
