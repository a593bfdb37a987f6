"""How far is an answer from the optimum? Certified for any numbers, from any program.

Nothing is assumed of the numbers. (w, b), whatever they are, have a primal value, and the
optimum's is not above it. Multipliers, repaired until they fulfil the constraints, have a dual
value, and the optimum's is not below it. What lies between is the gap. All is computed in exact
fractions; where the kernel is a Gaussian, primal values are rounded up and dual values down.

    gap = sum of the shares + 1/2 |w - v|^2        w: as given, v: of the repaired multipliers

where no share is negative (certified_bounds.py): it says which examples are to blame. Because the
primal is strongly convex, a small gap says, too, that w itself is near the optimum's
(Certificate.bound), and b (Certificate.b_interval).

Source: weak duality; Keerthi et al., Neural Computation 13 (2001), for the interval of offsets;
List, Hush, Scovel and Steinwart, Gaps in Support Vector Optimization, COLT 2007.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Any, NamedTuple, Union

from ..numerics.display import displayed
from ..numerics.intervals import Interval, point_interval
from ..numerics.linalg import total
from ..numerics.pickles import with_format
from ..numerics.quoting import quote
from ..numerics.types import Number, VectorLike
from ..numerics.validation import not_negative
from ..svm.dual_form import gap_between, group_extremes, middle
from ..svm.problem import Problem, require_problem
from ..svm.training_problem import require_training_problem
from .certificate_json import statement
from .certificate_with_offsets import certify_with_offsets
from .certified_bounds import (
    Ball,
    EnclosedProblem,
    ScoredWeights,
    ball_between,
    dual_below,
    enclose_problem,
    factor_of,
    gap_bound,
    gap_shares_above,
    primal_above,
    require_fractions,
    score_beta,
    score_error,
    score_w,
)
from .linear_decisions import read_decision
from .offset_interval import tilt
from .optimum import solve_exactly
from .rational_kernels import Exact
from .repair import repair_multipliers

Bound = Union[Fraction, float]  # a Fraction, or math.inf
UNBOUNDED: tuple[Any, Any] = (-inf, inf)


class CertificateFields(NamedTuple):
    """The fields of a Certificate, in order."""

    primal: Bound
    dual: Fraction
    gap: Bound
    shares: list[Bound]
    alpha: list[Fraction]
    b: Fraction
    problem: Problem


@with_format
@displayed
class Certificate(CertificateFields):
    """What is certain of an answer (w, b) to a problem; every number a Fraction.

    Attributes
    ----------
    primal
        the primal value at (w, b): the optimum's is not above it. math.inf if a margin whose C_i
        is infinite is not positive, so that no multiple of (w, b) will do
    dual
        the dual value at alpha: the optimum's is not below it
    gap
        primal - dual >= 0: the answer's primal value is at most so far above the optimum's
    shares
        what each example adds to the gap, >= 0; all of the gap if alpha was feasible
    alpha
        the multipliers, repaired: feasible
    problem
        the exact problem; for Gaussian and Sigmoid that of rounded kernel values, and then primal
        and shares are rounded up and dual down
    """

    known: EnclosedProblem
    given: ScoredWeights
    repaired: ScoredWeights
    factor: Exact

    @classmethod
    def of(
        cls, known: EnclosedProblem, given: ScoredWeights, alpha: list[Exact], b: Exact
    ) -> Certificate:
        """The Certificate of the w that is given and of b, by feasible multipliers alpha."""
        repaired = score_beta(known, [a * y for a, y in zip(alpha, known.problem.y)])
        primal, dual = primal_above(known, given, b), dual_below(known, repaired)
        factor = factor_of(known, given, b)
        shares = gap_shares_above(known, given, b, factor or Fraction(1), alpha)
        gap = gap_between(primal, dual)
        certificate = cls(primal, dual, gap, shares, alpha, b, known.problem)
        certificate.known, certificate.given, certificate.repaired = known, given, repaired
        certificate.factor = factor
        return certificate

    @cached_property
    def residuals(self) -> list[Exact]:
        """r_i of the repaired multipliers, see kkt_conditions.py."""
        form, repaired = self.problem.dual_form(), self.repaired
        return self.problem.residuals(form, repaired.beta, repaired.scores)

    @cached_property
    def best_offset(self) -> Exact:
        """The best offset for the repaired multipliers, see svm/offsets.py."""
        if not self.problem.bias:
            return self.b
        r = [y - s for y, s in zip(self.problem.y, self.repaired.scores)]
        return middle(*self.problem.best_lam(self.problem.dual_form(), r)[0])

    @cached_property
    def repaired_primal(self) -> Exact:
        """The primal value at the repaired multipliers and the best offset, whatever b is."""
        return primal_above(self.known, self.repaired, self.best_offset)

    @cached_property
    def b_interval(self) -> Interval:
        """The Interval of the offsets that may be optimal: every optimal b is in it.

        Where alpha is optimal, of those that are. Otherwise of those that the bounds on the
        optimum's value leave, see offset_interval.py. O(n) kernel rows, at the first time.
        """
        if not self.problem.bias:
            return point_interval(0)
        form, beta = self.problem.dual_form(), self.repaired.beta
        ((m, M),) = group_extremes(form, beta, self.residuals)
        if m <= M and not self.known.radius:
            return Interval(m, M)
        if min(self.repaired_primal, self.primal) == inf:
            return Interval(*UNBOUNDED)
        return Interval(self.offset_end(+1), self.offset_end(-1))

    def offset_end(self, sign: int) -> Exact:
        """The lower end of b_interval if sign is +1, the upper if it is -1."""
        best: Exact = min(self.repaired_primal, self.primal)
        gap, norms2 = best - self.dual, self.squared_norms()
        form = self.problem.dual_form()
        beta: Any = [a * y for a, y in zip(self.alpha, self.problem.y)]
        beta = tilt(form, form.groups[0], beta, self.residuals, norms2, gap, sign)
        return (dual_below(self.known, score_beta(self.known, beta)) - best) / total(beta)

    def squared_norms(self) -> list[Exact]:
        """|phi(x_i)|^2 or more, with what squared slack adds."""
        values = self.problem.kernel.squared_norms(self.problem.rows, Fraction)
        return [v + self.known.radius + c for v, c in zip(values, self.problem.ridge())]

    @cached_property
    def balls(self) -> list[Ball]:
        """The Balls in which the optimum's w lies: by what was given, and as repaired."""
        known, repaired, balls = self.known, self.repaired, []
        if self.primal < inf:
            balls.append(
                ball_between(known, self.given, self.factor, self.primal, repaired, self.dual)
            )
        if self.repaired_primal < inf:
            factor = factor_of(known, repaired, self.best_offset)
            p, q, radius2 = ball_between(
                known, repaired, factor, self.repaired_primal, repaired, self.dual
            )
            balls.append(Ball(Fraction(0), p + q, radius2))
        return balls

    def bound(self, x: Any, norm2: Number | None = None) -> Bound:
        """Bound the error |s(x) - s*(x)| of a score, s(x) = <w, phi(x)>, s* that of the optimum.

        Both are without offset. The bound is never more than the root of 2 gap k(x, x), if no C_i
        is infinite, and math.inf if nothing is known.

        Parameters
        ----------
        x
            a row; with Precomputed, the n values k(x_i, x)
        norm2
            with Precomputed, k(x, x); otherwise None

        Notes
        -----
        O(n d). How far the optimum's w may be (see the Balls), times |phi(x)|. The root in it is
        rounded up, by one part in 2^60 at most.
        """
        return score_error(self.known, self.balls, (self.given, self.repaired), x, norm2)  # type: ignore[no-any-return]

    def honours(self, tol: Number) -> bool:
        """Return False if the answer breaks the promise of tol: m - M <= tol, b in between.

        That promise bounds the gap (gap_bound), so a larger gap refutes it.
        """
        tol = not_negative(Fraction, tol, "tol")
        return bool(self.gap <= gap_bound(self.problem, self.alpha, self.primal, tol))

    def document(self) -> dict[str, Any]:
        """Return the certificate that checker.py checks, as a document of canonical_json.py.

        It is of the machine of `alpha`, which was repaired, with b: its dual and its primal value;
        the dual is inf if alpha proves that there is no hard margin.

        Raises
        ------
        TypeError
            where kernel values are rounded
        """
        require_fractions(self.known)
        hard = all(c == inf for a, c in zip(self.alpha, self.problem.C) if a != 0)
        unbounded = any(self.alpha) and hard and self.repaired.w_norm2 == 0
        primal = primal_above(self.known, self.repaired, self.b)
        dual = inf if unbounded else self.dual
        return statement(self.problem, self.alpha, {"b": self.b}, dual, primal)


def certify(problem: Any, alpha: VectorLike, b: Number | None = None, *more: Number) -> Any:
    """Certify the machine w = sum alpha_i y_i phi(x_i), b, from any program.

    Parameters
    ----------
    problem : Problem, or one of the other machines'
    alpha : n numbers, feasible or not
        for beta_i, give beta_i y_i; for regression the net multipliers
    b, more
        0 where there is no offset. The offsets of the other machines, in the order of their
        Solution's `offsets`; without any, the best for this w

    Returns
    -------
    Certificate, or CertificateWithOffsets for the other machines

    Raises
    ------
    ValueError
        if the kernel matrix is not positive semidefinite; if no multipliers are feasible

    Notes
    -----
    O(n n d), linear O(n d).

    Examples
    --------
    >>> pair = Problem([[-1], [1]], [-1, 1], C=2)
    >>> found = certify(pair, [0.5, 0.625], 0.25)
    >>> [str(v) for v in (found.primal, found.dual, found.gap)]
    ['113/128', '1/2', '49/128']
    >>> found.b_interval
    Interval(low=Fraction(0, 1), high=Fraction(0, 1))
    """
    require_training_problem(problem).beta(alpha)  # refused before any work
    if not isinstance(problem, Problem):
        offsets = () if b is None and not more else (b, *more)
        return certify_with_offsets(problem, alpha, offsets)
    if more:
        raise TypeError(f"the offsets are {quote((b, *more))}; a Problem has one, b")
    known = enclose_problem(problem)
    offset: Any = b
    _, offset = known.problem.in_common_type(alpha, offset)
    given = score_beta(known, known.problem.beta(alpha))
    return Certificate.of(known, given, repair_multipliers(known.problem, alpha), offset)


def certify_linear(
    problem: Problem, decision: tuple[VectorLike, Number] | Callable[[list[float]], Number]
) -> Certificate:
    """Certify a linear machine: (w, b), or any function that computes w.x + b.

    The multipliers of the Certificate are those of the optimum, so the gap is exactly how far
    above it the answer is.

    Parameters
    ----------
    decision
        a pair, or a function that is called d + 1 times, with lists of floats. Its values there
        belong to one w and b exactly, and of these the Certificate is.

    Raises
    ------
    TypeError
        if the kernel is not Linear()

    Notes
    -----
    The cost is that of solve_exactly.

    Examples
    --------
    >>> certify_linear(Problem([[0], [2]], [-1, 1]), lambda x: 1.5 * x[0] - 1).gap
    Fraction(5, 8)
    """
    if not require_problem(problem).linear:
        raise TypeError(f"problem has the kernel {quote(problem.kernel)}; Linear() is needed")
    w, b = read_decision(problem, decision)
    known = enclose_problem(problem)
    _, b = known.problem.in_common_type(w, b)
    alpha = solve_exactly(problem).alpha or [Fraction(0)] * problem.n  # no optimum: any will do
    return Certificate.of(known, score_w(known, w), alpha, b)
