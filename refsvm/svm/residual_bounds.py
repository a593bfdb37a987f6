"""How far residuals, as computed in doubles, may lie from the exact ones; and these themselves.

    r_k  =  target_k - sum_j beta_j K_kj - ridge_k beta_k        |r_k as computed - r_k|  <=  E_k

With q multipliers that are not 0, and roundings v and sizes s of the kernel's values
(kernels/value_errors.py),

    E_k  =  (q + v + 5) u (sqrt(s_k) S + |target_k|)  +  carried
    S    =  sum sqrt(s_j) |beta_j|

v of these roundings are in the kernel values; q + 1 in their products with beta, and in taking
these off the target one by one; the others in the target, the ridge, and the sum of two variables
of one example. No such product is larger than its part of sqrt(s_k) S, as |K_kj| <= sqrt(s_k s_j);
of kernels of which that is not known, sum |beta_j K_kj| takes its place. `carried` is what the
steps since r was new may have added (solvers/dual_ascent.py). SPARE has room for the terms with
u^2. Where all numbers are multiples of one power of two, and small enough, nothing is rounded
(numerics/rounding_bounds.py): E_k is 0 for the whole numbers of a lesson.

The machine that is kept of a linear problem is a w of doubles, that of the rows as given. It is
off by a rounding, and by the distance that the rows were shifted times what the sum of the
multipliers is off: w_error. A score is off by that times the length of its row.

Where E_k is too large, the residual is computed without rounding: multipliers are doubles, and
every double is a fraction. A polynomial in <x, z> has exact values, too; the linear kernel needs
none, since sum beta_j K_kj is <w, x_k>, with an exact w, that of the rows as given. Of other
kernels the values are taken as they were computed, and v u sqrt(s_k) S is left of E_k.

Source: Higham, Accuracy and Stability of Numerical Algorithms (2002), chapter 3, for the sums.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from math import inf, lcm, sqrt
from typing import Any, Union

from ..kernels.rational_values import polynomial_rows, usual_coefficients
from ..kernels.standard import Linear
from ..kernels.value_errors import (
    SMALLEST,
    grain_of_values,
    may_exceed_its_diagonal,
    roundings_of,
    value_errors,
)
from ..numerics.exact_sums import integer_dot, scaled_integers
from ..numerics.linalg import squared_norm, total
from ..numerics.records import NamedTuple
from ..numerics.rounding_bounds import TINY, U, above, adds_exactly, grain, nearest_size, of_sum
from ..numerics.sparse_rows import row_items, row_numbers
from .dual_form import Numbers, exact_total, spread

LOST = 2.0**-517
LEAST = U * SMALLEST  # of a bound: of numbers so small products lose more than a rounding

Score = Callable[[int], Fraction]  # of an example: sum beta_j K_ij
Each = Union[Any, Numbers]  # one number for all variables, or a list with one for each


def error_by_w(w_error: Any, root: Any) -> Any:
    """Return how far a score is off by w_error; a root may be infinite, and then it matters.

    >>> error_by_w(0.0, inf), error_by_w(0.5, 2.0)
    (0.0, 1.0)
    """
    return w_error * root if w_error > 0 else w_error


class ErrorBounds(NamedTuple):
    """How far the residuals of some variables may be from those of the machine that is kept.

    errors   of each residual, or one for all; 0 where nothing was rounded
    roots    no less than sqrt(K_kk) with the ridge, likewise
    w_error  how far the w that is kept may be from sum beta_j phi_j
    size     what is added to a residual is no more, each number taken without its sign
    """

    errors: Each
    roots: Each
    w_error: Any
    size: Any = inf

    def of_variable(self, n: int) -> tuple[Numbers, Numbers]:
        """Return errors and roots of each of n variables."""
        return each(self.errors, n), each(self.roots, n)

    def with_error_of_w(self) -> ErrorBounds:
        """Return the same of residuals by a w that is off by w_error: of the exact ones."""
        if not isinstance(self.roots, list):
            found = self.errors + error_by_w(self.w_error, self.roots)
            return self._replace(errors=above(found, 2))
        pairs = zip(each(self.errors, len(self.roots)), self.roots)
        return self._replace(errors=[e + error_by_w(self.w_error, s) for e, s in pairs])


EXACT = ErrorBounds(Fraction(0), None, Fraction(0))  # on Fractions; roots are made when needed


def accuracy_of(
    problem: Any,
    form: Any,
    beta: Numbers,
    coefs: Numbers,
    r: Numbers,
    *,
    carried: Any = 0,
    w_norm2: Any = None,
) -> ErrorBounds:
    """Return the ErrorBounds of each residual, of a problem on floats. O(n d).

    coefs: the coefficient of each example in the w that is kept
    carried: what residuals may be off by, besides the rounding that beta explains
    w_norm2: |w|^2, if the scores are those of the w that a linear model keeps
    """
    known = _Known.of(problem, form, beta, coefs, r, w_norm2)
    if may_exceed_its_diagonal(problem.kernel):
        carried = 0  # the residuals were compared with others that were made anew
    exact = carried == 0 and known.is_exact()
    mass = total(map(abs, coefs))
    size = size_of_w(known.mass if w_norm2 is None else sqrt(w_norm2), mass)
    w_error = error_of_w(problem, size, mass, lambda: surplus_of(form, coefs), exact)
    if exact and w_error == 0:
        return ErrorBounds(0.0, known.roots, 0.0, max(known.scales))
    errors = [0.0 if exact else of_sum(known.terms, s) for s in known.scales]
    errors = [e + off for e, off in zip(errors, known.off)]
    if w_norm2 is None or problem.has_kernel_values_as_targets:  # scores of another w
        errors = [e + error_by_w(w_error, s) for e, s in zip(errors, known.roots)]
    errors = [above(e + carried, 4) for e in errors]
    if not exact:  # sizes beyond the doubles
        errors = [e if LEAST <= e < inf else inf for e in errors]
    return ErrorBounds(errors, known.roots, w_error, max(known.scales))


MOST_NUMBERS = 2_000  # that are looked at one by one: beyond, rounding is as good as sure


def grain_of_kernel_values(problem: Any) -> float:
    """Return a power of two of which all kernel values are multiples, if they may be exact; or 0.

    Asked of the numbers of a lesson only. O(n d), and less where a row says no.
    """
    kernel, least = problem.kernel, 1.0
    if problem.n * max(1, problem.row_length()) > MOST_NUMBERS or not grain_of_values(kernel, 1.0):
        return 0.0
    if problem.row_length() > 0:  # no strings
        least = inf
    for i, norm in enumerate(problem.squared_norms()):
        (row,) = problem.rows_at([i])
        least = min(least, 1.0 if isinstance(row, str) else grain(row_numbers(row)))
        if not adds_exactly(abs(norm), grain_of_values(kernel, least)):
            return 0.0
    return grain_of_values(kernel, least)


def exact_residuals(problem: Any, form: Any, beta: Numbers) -> tuple[Numbers, ErrorBounds] | None:
    """Return residuals made anew, and their ErrorBounds, if nothing is rounded; or None."""
    coefs = problem.beta(problem.multipliers_of(beta))
    scores, _ = problem.scores_and_norm2(coefs)
    r = problem.residuals(form, beta, spread(form, scores))
    accuracy = accuracy_of(problem, form, beta, coefs, r)
    return None if isinstance(accuracy.errors, list) else (r, accuracy)


def residuals_by_w(
    problem: Any, form: Any, beta: Numbers, coefs: Numbers
) -> tuple[Numbers, ErrorBounds]:
    """Return residuals by the w of a linear model, which has few roundings, and their ErrorBounds.

    Of that w and of the multipliers, whichever is asked about.
    """
    scores, w_norm2 = problem.scores_and_norm2(coefs)
    r = problem.residuals(form, beta, spread(form, scores))
    accuracy = accuracy_of(problem, form, beta, coefs, r, w_norm2=w_norm2)
    return r, accuracy.with_error_of_w()


def each(errors: Any, n: int) -> Numbers:
    """A number for each, where there is one for all."""
    return errors if isinstance(errors, list) else [errors] * n


def ends_of(r: Numbers, errors: Any) -> tuple[Numbers, Numbers]:
    """Between what each residual lies; 4 u |r| is for this addition, and for m - M of these."""
    if not isinstance(errors, list) and errors == 0:
        return r, r
    pairs: Any = zip(r, each(errors, len(r)))
    off = [e + 4 * U * abs(x) if e > 0 else e for x, e in pairs]
    return [x - e for x, e in zip(r, off)], [x + e for x, e in zip(r, off)]


class _Known(NamedTuple):
    """What E_k is made of.

    terms   roundings         scales  sqrt(s_k) S + |target_k|         off  of r from one made anew
    """

    problem: Any
    form: Any
    beta: Numbers
    roots: Numbers
    mass: Any
    terms: Any
    scales: Numbers
    off: Numbers

    @classmethod
    def of(
        cls, problem: Any, form: Any, beta: Numbers, coefs: Numbers, r: Numbers, w_norm2: Any
    ) -> _Known:
        """Return what is known of these variables."""
        ridge, target = problem.ridge(), form.target
        terms = roundings_of(problem.kernel, problem.rows) + 5
        terms += 0 if w_norm2 is not None else len(beta) - beta.count(0)
        off = [0.0] * len(beta)
        if may_exceed_its_diagonal(problem.kernel):
            sizes = [abs(k) for k in problem.squared_norms()]
            scores, added = _scores_with_sizes(problem, form, coefs)
            ridges = spread(form, ridge)
            anew = zip(target, spread(form, scores), ridges, beta)
            off = [abs(x - (t - s - c * b)) for x, (t, s, c, b) in zip(r, anew)]
            scales = [s + c * abs(b) for s, c, b in zip(spread(form, added), ridges, beta)]
        else:
            sizes = value_errors(problem.kernel, problem.rows).sizes
            if problem.has_kernel_values_as_targets:  # K_ii / 2, which may be less than its size
                target = [s / 2 for s in spread(form, sizes)]
            scales = []
        roots = spread(form, [above(sqrt(s + c), 4) for s, c in zip(sizes, ridge)])
        mass = total(s * abs(b) for s, b in zip(roots, beta))
        if w_norm2 is not None:  # a score is no larger than |w| |x|
            own = zip(roots, spread(form, ridge), beta)
            length = size_of_w(sqrt(w_norm2), mass)
            scales = [s * length + c * abs(b) for s, c, b in own]
        scales = [s + abs(t) for s, t in zip(scales or [s * mass for s in roots], target)]
        return cls(problem, form, beta, roots, mass, terms, scales, off)

    def is_exact(self) -> bool:
        """Return whether all that is added are multiples of one number, and nothing is rounded."""
        problem, form, beta = self.problem, self.form, self.beta
        of_values = grain_of_kernel_values(problem)
        if of_values == 0 or any(self.off):
            return False
        ridge = problem.ridge()
        if any(problem.exact_ridge(i) != c for i, c in enumerate(ridge)):
            return False
        if any(problem.exact_target(form, k) != t for k, t in enumerate(form.target)):
            return False
        of_beta = grain(beta)
        units = _times(of_beta, of_values), _times(of_beta, grain(ridge)), grain(form.target)
        return adds_exactly(max(self.scales), min(units))


def _times(a: float, b: float) -> float:
    """The product of two grains: inf where one of them is, as all is 0 then."""
    return inf if inf in (a, b) else a * b


def _scores_with_sizes(problem: Any, form: Any, coefs: Numbers) -> tuple[Numbers, Numbers]:
    """The scores and sum_j |beta_j K_ij|: for kernel values that nothing is known of."""
    row, scores, sizes = _row_function(problem, form), [0.0] * problem.n, [0.0] * problem.n
    for i, c in enumerate(coefs):
        if c != 0:
            products = [c * k for k in row(i)]
            scores = [s + p for s, p in zip(scores, products)]
            sizes = [s + abs(p) for s, p in zip(sizes, products)]
    return scores, sizes


def _row_function(problem: Any, form: Any) -> Callable[[int], Numbers]:
    """The function from an example to its kernel values, which a program may have kept."""
    if hasattr(form, "rows") and not any(problem.ridge()):
        of_examples = form.rows if form.of is None else form.rows.rows
        return of_examples.row  # type: ignore[no-any-return]
    compute = problem.kernel_rows()
    return lambda i: compute(problem.rows[i])


def size_of_w(length: Any, mass: Any) -> Any:
    """Return no less than |w|, from its length as computed.

    A square may lose 2^-1075 because it is small, so fewer than 2^40 of them less than LOST^2.

    mass: sum |beta_j|; without any, w is 0

    >>> size_of_w(0.0, 0.0), size_of_w(0.0, 1e-200) > 1e-156, size_of_w(1.0, 1.0)
    (0.0, True, 1.0)
    """
    return length + LOST if mass > 0 else length


def error_of_w(
    problem: Any,
    size: Any,
    mass: Any,
    surplus: Callable[[], Fraction],
    has_exact_scores: bool = False,
) -> Any:
    """Return how far the w that a Model of the linear kernel keeps may be from sum beta_j x_j.

    Each number of it is rounded once, by u |w| together; size is no less than |w| on the shifted
    rows. And it is that of the rows as given: where the coefficients add up to a surplus more than
    they must, it has that times the shift more. The centre of a ball has the whole shift more,
    mass times, and is rounded there.

    Without a surplus the scores tell whether w itself is rounded. Let beta be multiples of g and
    the rows of h. Then w is one of g h, and where scores add exactly |w| |x_k| is less than
    2^53 g h^2; a row that is not 0 is no shorter than h, so |w| is less than 2^53 g h.
    """
    if not problem.linear:
        return 0.0
    shift = problem.point_shift
    is_shifted = shift is not None and any(shift)
    much = surplus() if is_shifted else Fraction(0)
    found = 0.0 if has_exact_scores and much == 0 else of_sum(2, size)
    if is_shifted:
        far = above(sqrt(squared_norm(shift)), len(shift) + 2)
        found += above(nearest_size(abs(much)), 2) * far
        if problem.has_kernel_values_as_targets:
            found += of_sum(2, far * mass)
    return found if found == found else inf  # no number: beyond the doubles


def surplus_of(form: Any, coefs: Numbers) -> Fraction:
    """Return by how much the coefficients of w add up to more than they must, together."""
    return exact_total(coefs) - sum(form.sums, Fraction(0))  # exact


# Without rounding


def left_by_values(problem: Any, form: Any, coefs: Numbers) -> Numbers:
    """Return how far residuals are off that are computed without rounding: by kernel values."""
    v = roundings_of(problem.kernel, problem.rows)
    zeros = [0.0] * len(form.target)
    if v == 0 or usual_coefficients(problem.kernel) is not None or not any(coefs):
        return zeros
    if may_exceed_its_diagonal(problem.kernel):
        scales = _scores_with_sizes(problem, form, coefs)[1]
    else:
        sizes = value_errors(problem.kernel, problem.rows).sizes
        mass = total(sqrt(s) * abs(c) for s, c in zip(sizes, coefs))
        halves = [s / 2 if problem.has_kernel_values_as_targets else 0 for s in sizes]
        scales = [sqrt(s) * mass + t for s, t in zip(sizes, halves)]
    return [of_sum(v, s) + v * TINY for s in spread(form, scales)]


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

    def norm2(self) -> Fraction:
        """|w|^2; of the ball that of its centre, less the shift."""
        rows, coefs = self.problem.exact_parts_of_w(self.coefs)
        score = _linear_score(rows, rows, coefs) if self.problem.linear else self.score
        return sum((Fraction(c) * score(i) for i, c in coefs.items()), Fraction(0))  # exact


def _score_function(problem: Any, coefs: dict[int, Any]) -> Score:
    """The function from an example to its exact score."""
    if type(problem.kernel) is Linear:
        rows, coefs = problem.exact_parts_of_w(coefs)
        return _linear_score(rows, problem.rows, coefs)
    if not coefs:
        return lambda i: Fraction(0)
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
