"""An answer judged in exact arithmetic: of a problem on Fractions, or of a small one on doubles.

Doubles are fractions. Where kernel values are fractions, too, nothing needs a bound: each number
is computed exactly, and rounded once, outwards, where it is told in doubles.

    r_k       target_k - sum_j beta_j K_kj - ridge_k beta_k, of the multipliers as they are
    primal    of the machine that is kept: of its w, where it keeps one, and its offsets
    dual      of the nearest feasible multipliers
    gap       primal - dual, the duality gap: an upper bound of primal - optimum

All of it is of the rows as given: nothing is shifted. A problem on doubles is judged so if it is
small and bounds in doubles leave a doubt (is_small); and at once if its numbers are as short as
those of a lesson (is_short), where a reader expects a gap of 0: not a pair of several classes, of
which there may be thousands.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import frexp, inf
from typing import TYPE_CHECKING, Any

from ..kernels.base import Kernel
from ..kernels.rational_values import polynomial_rows, usual_coefficients
from ..kernels.standard import Precomputed
from ..kernels.strings import Spectrum
from ..numerics.exact_sums import integer_dot, nearest_weights, scaled_integers
from ..numerics.linalg import total
from ..numerics.projections import clip_to_box
from ..numerics.sparse_rows import row_items, row_numbers
from ..numerics.types import Number, VectorLike
from ..numerics.validation import vector
from .dual_form import (
    DualForm,
    Numbers,
    gap_between,
    infeasible_group,
    is_feasible,
    middle,
    surplus,
)

if TYPE_CHECKING:
    from .training_problem import TrainingProblem


MAX_PRODUCTS = 2**12  # of an exact judgement: of numbers in rows, and multipliers that are not 0
MAX_LOOKED_AT = 2**6  # numbers in all rows


def is_small(problem: TrainingProblem, beta: Numbers) -> bool:
    """Return whether some hundredths of a second judge these variables exactly (S30.5).

    O(n) products of rows for the linear kernel, and n q for q multipliers that are not 0.
    """
    support = 1 if problem.linear else len(beta) - beta.count(0)
    products = problem.n * support * max(1, problem.row_length())
    return products <= MAX_PRODUCTS and _has_rational_values(problem.kernel)


def is_short(problem: TrainingProblem) -> bool:
    """Return whether all rows are of few numbers of 12 binary digits at most (S30.5). O(n d).

    And whether kernel values are fractions.

    >>> from refsvm.svm.one_class_problem import OneClassProblem
    >>> [is_short(OneClassProblem([[v]])) for v in (-4095.0, 0.75, 0.1)]
    [True, True, False]
    """
    if problem.is_one_of_many or problem.n * max(1, problem.row_length()) > MAX_LOOKED_AT:
        return False
    numbers = (v for x in problem.points if not isinstance(x, str) for v in row_numbers(x))
    short = all((2**12 * frexp(v)[0]).is_integer() for v in numbers)
    return short and _has_rational_values(problem.kernel)


def _has_rational_values(kernel: Kernel) -> bool:
    """Return whether exact values follow from the numbers given, and none is very long."""
    return isinstance(kernel, (Precomputed, Spectrum)) or usual_coefficients(kernel) is not None


def exact_scores(problem: Any, coefs: Numbers) -> Numbers:
    """Return <sum coefs_j phi_j, phi_i> of every example of a problem on Fractions.

    In whole numbers where the kernel is a polynomial in <x, z>. O(n q d), linear O(n d).
    """
    if problem.linear:
        return _scores_by_w(problem, nearest_weights(coefs, problem.points))
    polynomial = usual_coefficients(problem.kernel)
    if polynomial is None:
        return problem.scores_and_norm2(coefs)[0]  # type: ignore[no-any-return]
    support = [j for j, c in enumerate(coefs) if c != 0]
    factors, unit = scaled_integers(coefs[j] for j in support)
    row = polynomial_rows(problem.points, polynomial, support)
    rows = map(row, range(problem.n))
    return [Fraction(integer_dot(factors, row.numbers), unit * row.denominator) for row in rows]


def _scores_by_w(problem: Any, w: Numbers) -> Numbers:
    """Return w.x of every example, in whole numbers."""
    weights, unit = scaled_integers(w)
    found = []
    for x in problem.points:
        items = list(row_items(x))
        numbers, q = scaled_integers(v for _, v in items)
        found.append(Fraction(integer_dot([weights[c] for c, _ in items], numbers), unit * q))
    return found


def _product(x: Numbers, z: Numbers) -> Fraction:
    """Return x.z of Fractions; most of x are 0."""
    return sum((a * b for a, b in zip(x, z) if a != 0), Fraction(0))  # exact


class ExactAnswer:
    """Variables of a problem, and the machine that is made of them, in exact arithmetic (S30.5).

    Parameters
    ----------
    problem
        on Fractions, or on doubles whose exact values are asked of
    beta : numbers
        the variables of its dual form
    coefs : n numbers
        of the examples in the machine's w; those that beta makes without them
    w : d numbers
        what a linear machine keeps instead, in the columns of the points
    scores : numbers
        those of beta, if they are known
    """

    def __init__(
        self,
        problem: Any,
        beta: Numbers,
        coefs: Numbers | None = None,
        w: Numbers | None = None,
        scores: Numbers | None = None,
    ) -> None:
        self.problem = problem.to(Fraction)
        self.form: DualForm = self.problem.dual_form()
        self.beta = list(map(Fraction, beta))
        self.net = self.problem.beta(self.problem.multipliers_of(self.beta))
        own_w = None if w is None else nearest_weights(self.net, self.problem.points)  # exact
        if scores is None:
            by_w = own_w and _scores_by_w(self.problem, own_w)
            scores = by_w or exact_scores(self.problem, self.net)
        self.scores, self.norm2 = scores, _product(self.net, scores)
        if w is not None and w != own_w:
            w = list(map(Fraction, w))
            self.kept_scores, self.kept_norm2 = _scores_by_w(self.problem, w), _product(w, w)
        else:
            self.kept_scores, self.kept_norm2 = self.scored(self.net if coefs is None else coefs)

    def scored(self, coefs: Numbers) -> tuple[Numbers, Fraction]:
        """Return the scores of these coefficients, and |w|^2; O(n) for those of beta."""
        if coefs == self.net:
            return self.scores, self.norm2
        coefs = list(map(Fraction, coefs))
        scores = exact_scores(self.problem, coefs)
        return scores, _product(coefs, scores)

    @cached_property
    def residuals(self) -> Numbers:
        """r of each variable."""
        scores = self.form.per_variable(self.scores)
        ridge = self.form.per_variable(self.problem.ridge())
        parts = zip(self.form.target, scores, ridge, self.beta)
        return [t - s - c * x if c else t - s for t, s, c, x in parts]

    @cached_property
    def dual(self) -> Any:
        """The dual of the nearest feasible multipliers; -inf where none are."""
        problem, form = self.problem, self.form
        if is_feasible(form, self.beta):
            doubled = [t + r for t, r in zip(form.target, self.residuals)]
            return problem.scale * _product(self.beta, doubled) / 2
        if infeasible_group(form) is not None:
            return -inf
        alpha = repair_multipliers(problem, problem.multipliers_of(self.beta))
        _, norm2 = self.scored(problem.beta(alpha))
        return problem.dual_value(form, problem.variables_of(alpha), norm2)

    def primal(self, offsets: Sequence[Any]) -> Any:
        """Return the primal of the machine with these offsets; without any, with the best."""
        problem, form, scores = self.problem, self.form, self.form.per_variable(self.kept_scores)
        if offsets:
            lam = problem.lam_of(list(map(Fraction, offsets)), self.kept_norm2)
        else:
            r = [t - s for t, s in zip(form.target, scores)]
            lam = [middle(*ends) for ends in problem.best_lam(form, r)]
        return problem.primal_value(form, scores, self.kept_norm2, lam)

    def gap(self, offsets: VectorLike) -> Any:
        """Return primal - dual."""
        return inf if self.dual == -inf else gap_between(self.primal(offsets), self.dual)


# The nearest feasible multipliers


def repair_multipliers(problem: Any, alpha: VectorLike) -> Numbers:
    """Return feasible multipliers near alpha, of a problem on Fractions; alpha if feasible. O(n).

    Each variable is moved to the nearest end of its interval. Then, in a group whose sum is too
    large, those above zero are scaled down, and where it is too small those below zero; in
    classification that is the class of larger sum. Where there are none of these the others are
    moved towards their bounds, each by the same part of its way: those that are not 0, or all
    where that is not enough. Standard: S16.1, S16.11.

    >>> from refsvm.svm.problem import Problem
    >>> problem = Problem([[Fraction(0)], [1], [3]], [-1, 1, 1], C=2)
    >>> [str(a) for a in repair_multipliers(problem, [3, -1, 0.5])]
    ['1/2', '0', '1/2']
    """
    form: DualForm = problem.dual_form()
    given = problem.variables_of(vector(alpha, "alpha", problem.kind))
    x: Numbers = clip_to_box(given, form.lower, form.upper)
    for group, s in zip(form.groups, form.sums):
        much = surplus(group, s, x)
        side = [k for k in group if x[k] * much > 0]
        size: Any = total([x[k] for k in side])
        if much != 0 and abs(size) >= abs(much):
            for k in side:
                x[k] *= 1 - much / size
        elif much != 0:
            _fill(x, form.upper if much < 0 else form.lower, group, -much)
    return problem.multipliers_of(x)  # type: ignore[no-any-return]


def _fill(x: Numbers, ends: VectorLike, group: range, missing: Number) -> None:
    """Add to the variables of a group what their sum is missing; ends: where they go to."""
    for some in ([k for k in group if x[k] != 0], list(group)):
        if any(abs(ends[k]) == inf for k in some):
            for k in some:
                x[k] += missing / len(some)
            return
        room: Any = abs(total([ends[k] - x[k] for k in some]))
        if room >= abs(missing):
            for k in some:
                x[k] += (ends[k] - x[k]) * (abs(missing) / room)
            return
