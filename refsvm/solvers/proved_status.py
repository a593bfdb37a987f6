"""Is an answer "optimal"? That says m - M <= tol in exact arithmetic: it is proved, or taken back.

Residuals are computed in doubles, so each is wrong by something. "optimal" is said if m - M <= tol
whatever that is within its bound E_k: if

    max over those that may rise of (r_k + E_k)  -  min over those that may fall of (r_k - E_k)

is at most tol. One bound for all rows is tried first, as it needs no look at the rows; it is the
last line of this with the largest K_kk for each size. With q multipliers that are not 0, and
roundings v and sizes s of the kernel's values (kernels/value_errors.py),

    E_k  =  (q + v + 5) u (sqrt(s_k) S + |target_k|)  +  2 u |r_k|  +  carried
    S    =  sum sqrt(s_j) |beta_j|

v of these roundings are in the kernel values; q + 1 in their products with beta, and in taking
these off the target one by one; the others in the target, the ridge, and the sum of two variables
of one example. No such product is larger than its part of sqrt(s_k) S, as |K_kj| <= sqrt(s_k s_j).
2 u |r_k| is for r_k + E_k itself, and `carried` is what the steps since r was new may have added
(dual_ascent.py); also what a sum of the multipliers that is not exact adds to scores of shifted
rows, times the distance. SPARE has room for the terms with u^2.

tol is a multiple of a unit, which is a linear function of the lam_g and of |w|^2. So it is no less
than the unit as computed, less its coefficients times the errors of these.

Where these leave a doubt it is about a few rows: whose r_k + E_k is less than another's r - E is
not the largest. Of those that may be m or M the residual is computed without rounding: multipliers
are doubles, and every double is a fraction. A polynomial in <x, z> has exact values, too; the
linear kernel needs none, since sum beta_j K_kj is <w, x_k>, with an exact w, that of the rows as
given. Of other kernels the values are taken as they were computed, and v u sqrt(s_k) S is left of
E_k. These residuals, rounded once, are the answer's.

Source: Higham, Accuracy and Stability of Numerical Algorithms (2002), chapter 3, for the sums.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from math import inf, isfinite, lcm, sqrt
from typing import Any, NamedTuple

from ..kernels.rational_values import polynomial_rows, usual_coefficients
from ..kernels.standard import Linear
from ..kernels.value_errors import (
    SMALLEST,
    SPARE,
    bound_by_diagonal,
    may_exceed_its_diagonal,
    roundings_of,
    value_errors,
)
from ..numerics.exact_sums import integer_dot, scaled_integers
from ..numerics.linalg import squared_norm, total
from ..numerics.sparse_rows import row_items
from ..svm.dual_form import Numbers, exact_total, middle

U = 2.0**-53
TINY = 2.0**-1074
LESS = 1 - 2.0**-50  # more than rounding takes off a comparison
LEAST = U * SMALLEST  # of a bound: of numbers so small products lose more than a rounding


class Sizes(NamedTuple):
    """How many multipliers are not 0, the sum of their sizes, the largest K_kk and |target|."""

    support: int
    mass: Any
    norm: Any
    target: Any


def proved_residuals(
    problem: Any,
    form: Any,
    beta: Numbers,
    r: Numbers,
    *,
    violation: Any,
    carried: Any = 0,
    tol: Any,
    unit: Any = 1,
) -> tuple[Numbers, bool]:
    """The residuals to tell, and whether m - M <= tol unit is proved. O(n), and O(n d) in doubt.

    form: the data of the dual, or its DualProgram; violation: m - M of these residuals. On
    Fractions nothing is rounded.
    """
    if problem.kind is not float:
        return r, violation <= tol * unit
    coefs = problem.beta(problem.multipliers_of(beta))
    sizes = Sizes(
        support=len(beta) - beta.count(0),
        mass=total(map(abs, beta)),
        norm=max(abs(k + c) for k, c in zip(problem.squared_norms(), problem.ridge())),
        target=max(map(abs, form.target)),
    )
    carried = carried + error_of_shift(problem, form, coefs, sizes.norm)
    if is_certain(problem, form, sizes, violation, carried, tol, unit):
        return r, True
    return doubtful_residuals(problem, form, beta, r, carried, tol, unit)


def error_of_shift(problem: Any, form: Any, coefs: Numbers, norm: Any) -> Any:
    """How far scores of shifted rows are from those of the rows as given, but for a constant.

    Where the coefficients add up to d more than they must, the w of the rows as given has d times
    the shift more. norm: the largest K_kk, of the longest row.
    """
    shift = problem.point_shift
    if not problem.linear or not shift or not any(shift) or problem.has_kernel_values_as_targets:
        return 0  # the centre of a ball is that of the shifted rows
    d = exact_total(coefs) - sum(form.sums)  # exact
    if d == 0:
        return 0  # also where the norm is beyond the doubles
    return SPARE * abs(float(d)) * sqrt(squared_norm(shift)) * sqrt(norm)


def is_certain(
    problem: Any, form: Any, sizes: Sizes, violation: Any, carried: Any, tol: Any, unit: Any
) -> bool:
    """Whether one bound for all rows proves it."""
    v = bound_by_diagonal(problem.kernel, problem.row_length())
    size = (sizes.norm + SMALLEST) * sizes.mass + sizes.target
    error = _error_of_residual(sizes.support + v, size, carried)
    of_norm2 = sizes.mass * (error + U * (len(form.target) + 1) * size)
    limit = tol * (unit - error_of_unit(form, error, of_norm2))
    return bool(LEAST <= error and violation + 2 * error <= limit * LESS)


def _error_of_residual(terms: Any, scale: Any, carried: Any) -> Any:
    """E_k, but for 2 u |r_k|. terms: q + v; scale: sqrt(s_k) S + |target_k|, or more."""
    return SPARE * U * (terms + 5) * scale + carried


def error_of_unit(form: Any, of_multipliers: Any, of_norm2: Any) -> Any:
    """How far the unit of tol is off at most, from the errors of lam and of |w|^2."""
    if form.unit is None:
        return 0
    groups = range(len(form.groups))
    at_zero = form.unit([0 for _ in groups], 0)
    slopes = [abs(form.unit([int(h == g) for h in groups], 0) - at_zero) for g in groups]
    steep: Any = abs(form.unit([0 for _ in groups], 1) - at_zero)
    return sum(slopes) * of_multipliers + (steep * of_norm2 if steep else 0)  # exact


def doubtful_residuals(
    problem: Any, form: Any, beta: Numbers, r: Numbers, carried: Any, tol: Any, unit: Any
) -> tuple[Numbers, bool]:
    """What proved_residuals tells, by a bound for each row, and without rounding for a few."""
    bounds = ResidualBounds(problem, form, beta, r, carried)
    if bounds.prove(tol, bounds.least_unit_given(unit, r)):
        return r, True
    r = list(r)
    for k in bounds.undecided():
        r[k] = _round_within_doubles(bounds.narrow(k), r[k])
    return r, bounds.prove(tol)


def _round_within_doubles(exact: Fraction, otherwise: Any) -> Any:
    """The double nearest to a fraction; otherwise the other number, where it is beyond doubles."""
    try:
        return float(exact)
    except OverflowError:
        return otherwise


Pair = tuple[Any, Any]
Score = Callable[[int], Fraction]  # of an example: sum beta_j K_ij


def _exact_middle(pair: Pair) -> Any:
    """The middle of two numbers, exactly; the first of them if it is infinite."""
    return pair[0] if abs(pair[0]) == inf else (Fraction(pair[0]) + Fraction(pair[1])) / 2


def _extent(pair: Pair) -> Any:
    """How far apart two numbers are."""
    return 0 if abs(pair[0]) == inf else Fraction(pair[1]) - Fraction(pair[0])


def _furthest(choose: Callable[..., Any], values: Numbers, end: Any) -> Any:
    """The largest or smallest number; of Fractions and floats apart, which are slow to compare."""
    exact = [v for v in values if type(v) is Fraction]
    others = [v for v in values if type(v) is not Fraction]
    return choose((choose(some) for some in (exact, others) if some), default=end)


class ResidualBounds:
    """low and high of each residual r, between which it lies.

    size    no product of a residual is larger, nor a sum of them
    left    how far a residual that was computed without rounding may be off: kernel values
    """

    def __init__(self, problem: Any, form: Any, beta: Numbers, r: Numbers, carried: Any) -> None:
        self.form, self.beta = form, beta
        self.of: Sequence[int] = range(problem.n) if form.of is None else form.of
        coefs = problem.beta(problem.multipliers_of(beta))
        self.exact = ExactResiduals(problem, form, self.of, beta, coefs)
        if may_exceed_its_diagonal(problem.kernel):
            self.add_up(problem)
        else:
            self.compare_sizes(problem, coefs, r, carried)

    def add_up(self, problem: Any) -> None:
        """Make residuals anew, and bound them by the sums of the sizes of what is added.

        With sum |beta_j K_kj| in place of sqrt(s_k) S, and nothing carried: for kernel values that
        nothing is known of.
        """
        row, ridge, support = _row_function(problem, self.form), problem.ridge(), self.exact.coefs
        scores, sizes = [0.0] * problem.n, [0.0] * problem.n
        for i, c in support.items():
            products = [c * value for value in row(i)]
            scores = [s + p for s, p in zip(scores, products)]
            sizes = [s + abs(p) for s, p in zip(sizes, products)]
        parts = list(zip(self.of, self.form.target, self.beta))
        r = [t - scores[i] - ridge[i] * b for i, t, b in parts]
        scales = [sizes[i] + ridge[i] * abs(b) + abs(t) for i, t, b in parts]
        v = roundings_of(problem.kernel, problem.rows)
        self.set_bounds(r, len(support) + v, scales)
        self.left = [SPARE * U * v * s for s in scales]

    def compare_sizes(self, problem: Any, coefs: Numbers, r: Numbers, carried: Any) -> None:
        """Bound the residuals by the sizes of rows: |K_kj| <= sqrt(s_k s_j)."""
        beta, ridge = self.beta, problem.ridge()
        v, sizes = value_errors(problem.kernel, problem.rows)
        roots = [sqrt(sizes[i] + ridge[i]) for i in self.of]
        mass = total(s * abs(b) for s, b in zip(roots, beta))
        targets = self.form.target
        if problem.has_kernel_values_as_targets:  # K_ii / 2, which may be less than its size
            targets = [sizes[i] / 2 for i in self.of]
        scales = [s * mass + abs(t) for s, t in zip(roots, targets)]
        self.set_bounds(r, len(beta) - beta.count(0) + v, scales, carried)
        self.left = [0.0] * len(beta)
        if usual_coefficients(problem.kernel) is None:  # values are taken as computed
            mass = total(sqrt(sizes[i]) * abs(c) for i, c in enumerate(coefs))
            if not problem.has_kernel_values_as_targets:
                targets = self.left
            scales = [s * mass + abs(t) for s, t in zip(roots, targets)]
            least = v * TINY if any(coefs) else 0  # no kernel value is in any residual
            self.left = [SPARE * U * v * s + least for s in scales]

    def set_bounds(self, r: Numbers, terms: Any, scales: Numbers, carried: Any = 0) -> None:
        """Set low and high: r_k give or take E_k, with 2 u |r_k| for this addition."""
        self.size = max(scales)
        errors = [_error_of_residual(terms, s, carried) for s in scales]
        errors = [e + 2 * U * abs(x) for e, x in zip(errors, r)]
        errors = [e if LEAST <= e < inf else inf for e in errors]  # sizes beyond the doubles
        self.low: Numbers = [x - e for x, e in zip(r, errors)]
        self.high: Numbers = [x + e for x, e in zip(r, errors)]

    def sides(self) -> list[tuple[list[int], list[int]]]:
        """Which variables may rise, and which may fall, of each group."""
        form, b = self.form, self.beta
        return [
            ([k for k in g if b[k] < form.upper[k]], [k for k in g if b[k] > form.lower[k]])
            for g in form.groups or [range(len(b))]
        ]

    def least_unit_given(self, unit: Any, r: Numbers) -> Any:
        """The least that a unit may be that was computed with these residuals; as is_certain."""
        if self.form.unit is None:
            return 1
        error = max(max(high - x, x - low) for low, x, high in zip(self.low, r, self.high))
        mass = total(map(abs, self.beta))
        of_norm2 = mass * (error + U * (len(r) + 1) * self.size)
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
            [_furthest(choose, [*(v[k] for k in side), *zero], end) for v in (self.low, self.high)]
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
            coefs = self.exact.coefs
            norm2 = sum(Fraction(b) * self.exact.score(i) for i, b in coefs.items())  # exact
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

    def narrow(self, k: int) -> Fraction:
        """Let low and high of residual k leave no more than its kernel values do; the middle."""
        r = self.exact.residual(k)
        left = Fraction(self.left[k]) if self.left[k] < inf else None
        self.low[k] = -inf if left is None else r - left
        self.high[k] = inf if left is None else r + left
        return r


def _row_function(problem: Any, form: Any) -> Callable[[int], Numbers]:
    """The function from an example to its kernel values, which a program may have kept."""
    if hasattr(form, "rows") and not any(problem.ridge()):
        of_examples = form.rows if form.of is None else form.rows.rows
        return of_examples.row  # type: ignore[no-any-return]
    compute = problem.kernel_rows()
    return lambda i: compute(problem.rows[i])


class ExactResiduals:
    """The residuals without rounding of a problem on floats, each computed when asked for.

    of      the example of each variable
    coefs   the coefficient in w of each example, where it is not 0
    """

    def __init__(
        self, problem: Any, form: Any, of: Sequence[int], beta: Numbers, coefs: Numbers
    ) -> None:
        self.problem, self.form, self.of, self.beta = problem, form, of, beta
        self.coefs = {i: c for i, c in enumerate(coefs) if c != 0}
        self.score = cache(_score_function(problem, self.coefs))

    def residual(self, k: int) -> Fraction:
        """r_k."""
        i, beta = self.of[k], Fraction(self.beta[k])
        target, ridge = self.problem.exact_target(self.form, k), self.problem.exact_ridge(i)
        exact: Fraction = target - self.score(i) - ridge * beta
        return exact


def _score_function(problem: Any, coefs: dict[int, Any]) -> Score:
    """The function from an example to its exact score."""
    if not coefs:
        return lambda i: Fraction(0)
    if type(problem.kernel) is Linear:
        return _linear_score(problem.rows_of_w(), problem.rows, coefs)
    polynomial = usual_coefficients(problem.kernel)
    if polynomial is None:
        return problem.score_of_computed_values(coefs)  # type: ignore[no-any-return]
    row = polynomial_rows(problem.rows, polynomial, list(coefs))
    factors, denominator = scaled_integers(coefs.values())

    def score(i: int) -> Fraction:
        values, unit = row(i)
        return Fraction(integer_dot(factors, values), unit * denominator)

    return score


def _linear_score(given: Sequence[Any], rows: Sequence[Any], coefs: dict[int, Any]) -> Score:
    """The same of the linear kernel, by way of w in whole numbers. O(d) each, once w is made.

    given: the rows that w is made of

    >>> _linear_score([[0.5, 3.0], [1.0, 0.0]], [[0.5, 3.0], [1.0, 0.0]], {0: 2.0})(1)
    Fraction(1, 1)
    """
    factors, denominator = scaled_integers(coefs.values())
    scaled = {i: scaled_integers(v for _, v in row_items(given[i])) for i in coefs}
    common = lcm(*(row.denominator for row in scaled.values()))
    w: dict[int, int] = {}
    for factor, (i, (numbers, unit)) in zip(factors, scaled.items()):
        for (c, _), v in zip(row_items(given[i]), numbers):
            w[c] = w.get(c, 0) + factor * v * (common // unit)

    def score(i: int) -> Fraction:
        numbers, unit = scaled_integers(v for _, v in row_items(rows[i]))
        weights = [w.get(c, 0) for c, _ in row_items(rows[i])]
        return Fraction(integer_dot(weights, numbers), common * unit * denominator)

    return score
