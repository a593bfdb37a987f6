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

from ..numerics.conversion import as_lists, as_sequence
from ..numerics.display import displayed
from ..numerics.intervals import Interval, point_interval
from ..numerics.linalg import dot, total
from ..numerics.pickles import with_format
from ..numerics.quoting import quote
from ..numerics.types import Number, VectorLike
from ..numerics.validation import not_negative, to_number, vector
from ..svm.kkt_conditions import extremes, middle, residuals
from ..svm.objective_values import gap_between
from ..svm.offsets import best_offsets
from ..svm.problem import Problem, require_problem
from .certificate_json import statement
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
    repair_multipliers,
    score_beta,
    score_w,
)
from .offset_interval import root_above, tilt_multipliers
from .optimum import solve_exactly
from .rational_kernels import Exact

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
        return residuals(self.problem, self.repaired.beta, self.repaired.scores)

    @cached_property
    def best_offset(self) -> Exact:
        """The best offset for the repaired multipliers, see svm/offsets.py."""
        if not self.problem.bias:
            return self.b
        r = [y - s for y, s in zip(self.problem.y, self.repaired.scores)]
        return middle(*best_offsets(self.problem, r))

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
        ends: tuple[Exact, Exact] = extremes(self.problem, self.alpha, self.residuals)
        m, M = ends
        if m <= M and not self.known.radius:
            return Interval(m, M)
        if min(self.repaired_primal, self.primal) == inf:
            return Interval(*UNBOUNDED)
        return Interval(self.offset_end(+1), self.offset_end(-1))

    def offset_end(self, sign: int) -> Exact:
        """The lower end of b_interval if sign is +1, the upper if it is -1."""
        best: Exact = min(self.repaired_primal, self.primal)
        gap, norms2 = best - self.dual, self.squared_norms()
        tilted = tilt_multipliers(self.problem, self.alpha, self.residuals, norms2, gap, sign)
        beta = [a * y for a, y in zip(tilted, self.problem.y)]
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
        values, own = self.known.intervals_at(x, norm2)
        given, repaired = (w.score_at(x, values) for w in (self.given, self.repaired))
        return min(
            (
                ((1 - p) * given - q * repaired).magnitude + root_above(radius2 * own.high)
                for p, q, radius2 in self.balls
            ),
            default=inf,
        )

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
        if self.known.radius:
            raise TypeError(
                f"problem has the kernel {quote(self.known.kernel)}, whose values are no"
                " Fractions; no certificate of it can be checked by fractions alone"
            )
        hard = all(c == inf for a, c in zip(self.alpha, self.problem.C) if a != 0)
        unbounded = any(self.alpha) and hard and self.repaired.w_norm2 == 0
        primal = primal_above(self.known, self.repaired, self.b)
        dual = inf if unbounded else self.dual
        return statement(self.problem, self.alpha, self.b, dual, primal)


def certify(problem: Problem, alpha: VectorLike, b: Number) -> Certificate:
    """Certify the machine w = sum alpha_i y_i phi(x_i), b, from any program.

    Parameters
    ----------
    alpha : n numbers, feasible or not
        for beta_i, give beta_i y_i
    b
        0 where there is no offset

    Raises
    ------
    ValueError
        if the kernel matrix is not positive semidefinite

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
    require_problem(problem).beta(alpha)  # refused before any work
    known = enclose_problem(problem)
    _, b = known.problem.in_common_type(alpha, b)
    given = score_beta(known, known.problem.beta(alpha))
    return Certificate.of(known, given, repair_multipliers(known.problem, alpha), b)


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


def read_decision(problem: Problem, decision: Any) -> tuple[list[Exact], Exact]:
    """(w, b) of a pair or a function; w as Fractions."""
    if callable(decision):
        return linear_function(problem, decision)
    decision = as_sequence(as_lists(decision))
    if decision is None or len(decision) != 2:
        raise TypeError(f"decision is {quote(decision)}; a pair (w, b) or a function is needed")
    w, width = vector(decision[0], "w", Fraction), len(problem.X[0])
    if len(w) != width:
        raise ValueError(f"w has length {len(w)}; the rows of X have length {width}")
    return w, decision[1]


def linear_function(
    problem: Problem, decision: Callable[[list[float]], Any]
) -> tuple[list[Exact], Exact]:
    """(w, b) of the linear function with the values of `decision` at d + 1 points, Fractions.

    The points are the lower medians of the columns, and these with one number replaced by the
    farthest in its column: near the data, where a function on floats is as accurate as it can be.

    >>> linear_function(Problem([[2000], [2002]], [-1, 1]), lambda x: x[0] - 2001)
    ([Fraction(1, 1)], Fraction(-2001, 1))
    """

    def value_at(x: list[float]) -> Any:
        return to_number(Fraction, decision(x), f"decision({x})")

    columns = [sorted(map(float, column)) for column in zip(*problem.X)]
    base = [column[(len(column) - 1) // 2] for column in columns]
    at_base, w = value_at(base), []
    for k, (c, column) in enumerate(zip(base, columns)):
        far = max(column[0], column[-1], key=lambda v: abs(v - c))
        if far == c:
            far = 0.0 if c else 1.0
        rise = value_at([*base[:k], far, *base[k + 1 :]]) - at_base
        w.append(rise / (Fraction(far) - Fraction(c)))
    return w, at_base - dot(w, list(map(Fraction, base)))
