"""Which scores need no exact arithmetic: those of examples that are surely beyond their margin.

Where kernel values are rounded to 128 bits (rounded_problem.py), they are what a certificate
costs. Most are for nothing. An example without a multiplier that is beyond its margin adds nothing
to w, to the primal value, to the dual one, or to the gap: all that counts of it is that it is
beyond. And that can be seen in doubles. With e_k = r_k - lam_g of its variables, computed with an
error of E at most (svm/residual_bounds.py), what it adds is loss_k(e_k) - x_k e_k with x_k = 0,

    0    where e_k + E <= 0 and lower_k = 0, or e_k - E >= 0 and upper_k = 0

for the bound on that side is the loss (svm/dual_form.py). Where margins are rescaled, by a factor
of 1 or more, it stays beyond; and by how much they are no margin beyond decides. So of n examples
with m vectors among them, m m / 2 kernel values are enclosed, and not n n / 2.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import inf, isfinite
from typing import Any

from ..kernels.standard import Gaussian
from ..numerics.types import VectorLike
from ..svm.residual_bounds import bounded_residuals
from ..svm.training_problem import TrainingProblem
from .certified_bounds import EnclosedProblem, PrimalSide, ScoredWeights, score_beta
from .rational_kernels import Exact

MAX_MULTIPLIER = 2**1000  # of a multiplier
MAX_VECTOR_SHARE = 3 / 4  # of examples: with more, to look for others takes longer than to enclose


def side_at(known: EnclosedProblem, weights: ScoredWeights, offsets: Any) -> PrimalSide:
    """The PrimalSide of this w and these offsets."""
    return PrimalSide(known, weights, known.problem.lam_of(offsets, weights.w_norm2))


def side_that_counts(
    known: EnclosedProblem,
    given: TrainingProblem,
    alpha: list[Exact],
    offsets: VectorLike,
    repaired: list[Exact],
) -> PrimalSide:
    """The PrimalSide of multipliers and offsets, with rough scores where these do.

    given: the problem as it was given; repaired: the feasible multipliers of the dual side
    """
    near = known.problem
    beta = near.beta(alpha)
    r, error = _rough_residuals(known, given, alpha)
    if error == inf:
        return side_at(known, score_beta(known, beta), offsets)
    of = range(near.n) if known.form.of is None else known.form.of
    # Of the tube both variables of an example may be above 0, and its multiplier 0.
    variables = zip(of, near.variables_of(alpha), near.variables_of(repaired))
    free = set(of) - {i for i, x, v in variables if x != 0 or v != 0}
    side = side_at(known, score_beta(known, beta, dict.fromkeys(free, Fraction(0))), offsets)
    beyond = _beyond(side, r, error, free)
    return side_at(known, score_beta(known, beta, beyond), offsets)


def _rough_residuals(
    known: EnclosedProblem, given: TrainingProblem, alpha: list[Exact]
) -> tuple[list[float], float]:
    """(r_k in doubles, E an upper bound of each E_k); E is inf where nothing is known.

    Only of a Gaussian, whose values are finite, whatever the rows are.
    """
    nothing: tuple[list[float], float] = [], inf
    if known.row is not None or type(known.kernel) is not Gaussian:
        return nothing
    vectors = len(alpha) - alpha.count(0)
    if max(map(abs, alpha)) > MAX_MULTIPLIER or vectors > MAX_VECTOR_SHARE * len(alpha):
        return nothing
    doubles = list(map(float, alpha))
    if any(a != c for a, c in zip(doubles, alpha)):
        return nothing
    point = given.at(doubles, ())
    found = bounded_residuals(point.problem, point.form, point.beta, point.residuals())
    return (found.r, max(found.errors)) if all(map(isfinite, found.r)) else nothing


def _beyond(
    side: PrimalSide, r: list[float], error: float, free: Iterable[int]
) -> dict[int, Fraction]:
    """Scores of those examples that are surely beyond their margin, of these without multiplier.

    Each has the excess that was computed, of an example's last variable; that of the other may be
    off by the errors of both.
    """
    form, far = side.known.form, 2 * (Fraction(error) + side.error())
    of = range(len(r)) if form.of is None else form.of
    found = dict.fromkeys(free, Fraction(0))
    limits = zip(form.lower, form.upper, form.target, form.lam_per_variable(side.lam))
    for i, v, (low, high, target, lam) in zip(of, r, limits):
        if i in found:
            e = Fraction(v) - lam
            found[i] = target - Fraction(v)
            if (low < 0 and e - far < 0) or (high > 0 and e + far > 0):
                del found[i]
    return found
