"""How far residuals in doubles may lie from the exact ones.

    r_k  =  target_k - sum_j beta_j K_kj - ridge_k beta_k        |r_k as computed - r_k|  <=  E_k

With q multipliers that are not 0, and roundings v and sizes s of the kernel's values
(kernels/value_errors.py),

    E_k      =  (q + v + 5) u (sqrt(s_k) S + ridge_k |beta_k| + |target_k|)
                +  carried  +  w_error sqrt(s_k)
    S        =  sum sqrt(s_j) |beta_j|
    w_error     an upper bound of |w - sum beta_j phi_j|, for the w that a model keeps

v of these roundings are in the kernel values; q + 1 in their products with beta, and in taking
these off the target one by one; the others in the target, the ridge, and the sum of two variables
of one example. No such product is larger than its part of sqrt(s_k) S, as |K_kj| <= sqrt(s_k s_j).
`carried` is what the steps since r was new may have added (solvers/dual_ascent.py). With w_error
the bound holds for the multipliers and for the machine that is kept, whichever r was made of.
SPARE has room for the terms with u^2.

Of kernels of which no sizes are known, a Gram matrix or a function of the caller's, sum_j
|beta_j K_kj| takes the place of sqrt(s_k) S, and the difference from r made anew that of what is
carried. Of the linear kernel r may be made by w, whose scores have few roundings: then q is not
counted, and |w| takes the place of S. Of a w that is not made of beta each score is the exact sum,
rounded once: then v is not counted, either, and the score's own size, with SMALLEST, takes the
place of sqrt(s_k) S. So rows may be long, and C large.

Source: Higham, Accuracy and Stability of Numerical Algorithms (2002), chapter 3, for the sums.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf, sqrt
from typing import Any, NamedTuple

from ..kernels.value_errors import SMALLEST, may_exceed_its_diagonal
from ..numerics.linalg import squared_norm, total
from ..numerics.rounding_bounds import U, above, of_sum, rounded_up
from ..numerics.types import RowFunction
from .dual_form import DualForm, Numbers, exact_total

LOST_LENGTH = 2.0**-517  # of a length: squares of numbers so small are lost
MIN_BOUND = U * SMALLEST  # of a bound: of numbers so small products lose more than a rounding


class BoundedResiduals(NamedTuple):
    """Residuals of the variables of a form, in doubles, and how far they may be off.

    r        as computed
    errors   upper bounds of how far each is off
    roots    upper bounds of sqrt(K_kk), with the ridge
    w_error  an upper bound of |w - sum beta_k phi_k|, for the machine that is kept
    """

    r: Numbers
    errors: Numbers
    roots: Numbers
    w_error: float

    def ends(self) -> tuple[Numbers, Numbers]:
        """Return between what each r_k lies; 4 u |r_k| is for this addition, and for m - M."""
        off = [e + 4 * U * abs(x) if e > 0 else e for x, e in zip(self.r, self.errors)]
        return [x - e for x, e in zip(self.r, off)], [x + e for x, e in zip(self.r, off)]


def bounded_residuals(
    problem: Any,
    form: DualForm,
    beta: Numbers,
    r: Numbers | None,
    carried: float = 0.0,
    coefs: Numbers | None = None,
    row: RowFunction | None = None,
    length: float | None = None,
    w_error: float | None = None,
    scores: Numbers | None = None,
) -> BoundedResiduals:
    """Return residuals of a problem on doubles (S30.4). O(n d); where they are made anew O(n q d).

    r: those that a solver has; None: they are made anew
    carried: what residuals may be off by, besides the rounding that beta explains
    coefs: of each example in the w that is kept; without them those that beta makes
    row: the kernel values of an example with all, if they are known
    length: an upper bound of |w|, if r was made by w
    w_error: that of the answer, if it is known
    scores: of each example, each rounded once, if r was made of them
    """
    coefs = coefs or problem.beta(problem.multipliers_of(beta))
    of_values = problem.value_errors()
    roots = form.per_variable(of_values.roots)
    size: Any = length or total(s * abs(b) for s, b in zip(roots, beta))
    if w_error is None:
        w_error = error_of_w(problem, form, beta, coefs, roots, size)
    terms = of_values.roundings + 5 + (0 if length else len(beta) - beta.count(0))
    of_scores = [s * size for s in roots]
    if scores:
        terms, of_scores = 5, form.per_variable([abs(s) + SMALLEST for s in scores])
    brackets, apart = _brackets(problem, form, beta, roots, of_scores), [carried] * len(beta)
    if may_exceed_its_diagonal(problem.kernel):
        anew, brackets = _residuals_anew(problem, form, beta, coefs, row)
        r = r or anew
        apart = [abs(x - v) for x, v in zip(r, anew)]
    elif r is None:
        anew, _ = problem.scores_and_norm2(coefs)
        r = problem.residuals(form, beta, form.per_variable(anew))
    errors = _errors(terms, brackets, roots, apart, w_error)
    if not (length or any(coefs) or problem.rounds_targets()):
        r, errors = list(form.target), [0.0] * len(beta)  # exactly
    return BoundedResiduals(r, errors, _with_ridge(problem, form, roots), w_error)


def residuals_by_w(
    problem: Any,
    form: DualForm,
    beta: Numbers,
    coefs: Numbers | None = None,
    w: Numbers | None = None,
) -> BoundedResiduals:
    """Return residuals of a linear problem by the w that its model keeps (S30.4). O(n d).

    They are those of the multipliers, too, within their errors.

    coefs: as of bounded_residuals
    w: another w, in the columns of the points, of which alone they are then; of no ball
    """
    coefs = coefs or problem.beta(problem.multipliers_of(beta))
    if w is None:
        scores, w_norm2 = problem.scores_and_norm2(coefs)
    else:
        scores, w_norm2 = problem.nearest_scores(w), squared_norm(w)
    r, length = problem.residuals(form, beta, form.per_variable(scores)), sqrt(w_norm2)
    of_w = () if w is None else (0.0, scores)
    found: BoundedResiduals = problem.bounded_residuals(
        form, beta, r, 0.0, coefs, None, length + LOST_LENGTH, *of_w
    )
    return found


def _errors(
    terms: float, brackets: Numbers, roots: Numbers, carried: Numbers, w_error: float
) -> Numbers:
    """Return E_k; inf where it is beyond the doubles, or so small that products lose more."""
    errors = [
        above(of_sum(terms, size) + off + (w_error * s if w_error else 0.0), 4)
        for size, s, off in zip(brackets, roots, carried)
    ]
    return [e if MIN_BOUND <= e < inf else inf for e in errors]


def _brackets(
    problem: Any, form: DualForm, beta: Numbers, roots: Numbers, of_scores: Numbers
) -> Numbers:
    """Return what E_k has in brackets; the target of a ball is K_ii / 2, a kernel value too."""
    targets = map(abs, form.target)
    if problem.has_kernel_values_as_targets:
        targets = (s * s / 2 for s in roots)
    parts = zip(of_scores, form.per_variable(problem.ridge()), beta, targets)
    return [s + c * abs(b) + t for s, c, b, t in parts]


def _with_ridge(problem: Any, form: DualForm, roots: Numbers) -> Numbers:
    """Return upper bounds of sqrt(K_kk + ridge_k)."""
    ridge = form.per_variable(problem.ridge())
    return [above(sqrt(s * s + c), 4) if c else s for s, c in zip(roots, ridge)]


def _residuals_anew(
    problem: Any, form: DualForm, beta: Numbers, coefs: Numbers, row: RowFunction | None
) -> tuple[Numbers, Numbers]:
    """Return residuals made of kernel values, and the sums of the sizes of what they are made of.

    That is SMALLEST + sum_j |coefs_j K_kj| + ridge_k |beta_k| + |target_k|. O(n q).
    """
    compute, scores = problem.kernel_rows(), [0.0] * problem.n
    sizes = [SMALLEST] * problem.n  # more than products lose that are below the doubles
    for i, c in enumerate(coefs):
        if c != 0:
            products = [c * k for k in (row(i) if row else compute(problem.rows[i]))]
            scores = [s + p for s, p in zip(scores, products)]
            sizes = [s + abs(p) for s, p in zip(sizes, products)]
    ridge = form.per_variable(problem.ridge())
    r = problem.residuals(form, beta, form.per_variable(scores))
    parts = zip(form.per_variable(sizes), ridge, beta, form.target)
    return r, [s + c * abs(b) + abs(t) for s, c, b, t in parts]


def error_of_w(
    problem: Any, form: DualForm, beta: Numbers, coefs: Numbers, roots: Numbers, size: float
) -> float:
    """Return an upper bound of |w - sum beta_k phi_k|, for the w that a model keeps (S30.4).

    Where two variables belong to one example, its coefficient is their sum, rounded. Each number
    of the w of a linear model is rounded once, by u |w| together. And w is that of the rows as
    given: where the coefficients add up to a surplus more than they must, it has that times the
    shift more. The centre of a ball has the whole shift more, sum |coefs| times, and is rounded
    there.

    size: an upper bound of |w| on the shifted rows
    """
    found = 0.0
    for i in range(len(beta) - problem.n if form.of is not None else 0):
        if beta[i] != 0 and beta[problem.n + i] != 0:
            lost = Fraction(beta[i]) + Fraction(beta[problem.n + i]) - Fraction(coefs[i])
            found += rounded_up(abs(lost)) * roots[i]
    if problem.linear:
        found += of_sum(2, size + LOST_LENGTH)
        shift = problem.point_shift
        if shift is not None and any(shift):
            far = above(sqrt(squared_norm(shift)), len(shift) + 2)
            surplus = exact_total(coefs) - sum(form.sums, Fraction(0))  # exact
            found += rounded_up(abs(surplus)) * far
            if problem.has_kernel_values_as_targets:
                found += of_sum(2, far * total(map(abs, coefs)))
    found = above(found, 8)
    return found if found < inf else inf  # no number: beyond the doubles
