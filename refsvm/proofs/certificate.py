"""How far is an answer from the optimum? Certified for any numbers, from any program.

Nothing is assumed of the numbers. (w, b), whatever they are, have a primal value, and the
optimum's is not above it. Multipliers, repaired until they fulfil the constraints, have a dual
value, and the optimum's is not below it. What lies between is the gap. All is computed in exact
fractions; where the kernel is a Gaussian, primal values are rounded up and dual values down.

    gap = sum of the shares + 1/2 |w - v|^2        w: as given, v: of the repaired multipliers

where no share is negative (certified_bounds.py): it says which examples are to blame. Because the
primal is strongly convex, a small gap says, too, that w itself is near the optimum's
(Certificate.bound), and b (Certificate.b_interval).

It is one way for every machine, as all of it is said of the dual's form (svm/dual_form.py):
offsets say what the lam of the groups are, and each optimal lam_g is between the numbers of
offset_interval.py. Of the ball, whose primal is twice that of its form, the squares count twice.

Source: weak duality; Keerthi et al., Neural Computation 13 (2001), for the interval of offsets;
List, Hush, Scovel and Steinwart, Gaps in Support Vector Optimization, COLT 2007.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Any, NamedTuple, Union

from ..numerics.display import displayed
from ..numerics.intervals import Interval
from ..numerics.pickles import with_format
from ..numerics.quoting import quote
from ..numerics.types import Number, VectorLike
from ..numerics.validation import not_negative
from ..svm.dual_form import group_extremes, require_feasible, spread, surplus
from ..svm.kkt_conditions import given_offsets
from ..svm.model import OffsetInterval, Solution
from ..svm.objective_values import gap_between
from ..svm.problem import Problem, require_problem
from ..svm.training_problem import TrainingProblem, require_training_problem
from .certificate_json import statement
from .certified_bounds import (
    Ball,
    EnclosedProblem,
    Machine,
    ScoredWeights,
    ball_between,
    best_machine,
    dual_below,
    enclose_problem,
    gap_bound,
    require_fractions,
    score_beta,
    score_error,
    score_w,
)
from .linear_decisions import read_decision
from .offset_interval import root_above, tilt
from .optimum import solve_exactly
from .plain_json import Document
from .rational_kernels import Exact
from .repair import repair_multipliers

Bound = Union[Fraction, float]  # a Fraction, or math.inf


class CertificateFields(NamedTuple):
    """The fields of a Certificate, in order."""

    primal: Bound
    dual: Fraction
    gap: Bound
    shares: list[Bound]
    alpha: list[Fraction]
    offsets: list[Fraction]
    problem: TrainingProblem


@with_format
@displayed
class Certificate(CertificateFields):
    """What is certain of an answer, w and offsets, to a problem; every number a Fraction.

    Attributes
    ----------
    primal
        the primal value at w and the offsets: the optimum's is not above it. Where an example
        allows no slack and its margin is short, that of the machine once it is lifted, see
        Problem.primal. math.inf if no multiple of (w, b) will do
    dual
        the dual value at alpha: the optimum's is not below it
    gap
        primal - dual >= 0: the answer's primal value is at most so far above the optimum's
    shares
        what each example adds to the gap, >= 0; all of the gap if alpha was feasible
    alpha
        the multipliers, repaired: feasible
    offsets
        as given; the best for this w where none were
    problem
        the exact problem; for Gaussian and Sigmoid that of rounded kernel values, and then primal
        and shares are rounded up and dual down
    """

    known: EnclosedProblem
    given: ScoredWeights
    repaired: ScoredWeights

    @classmethod
    def of(cls, machine: Machine, alpha: list[Exact], offsets: list[Exact]) -> Certificate:
        """The Certificate of a machine and its offsets, by feasible multipliers alpha."""
        known, problem = machine.known, machine.known.problem
        variables = problem.variables_of(alpha)
        repaired = score_beta(known, problem.beta(alpha))
        primal, dual = machine.primal(), dual_below(known, variables, repaired)
        gap, shares = gap_between(primal, dual), machine.shares(variables)
        found = cls(primal, dual, gap, shares, alpha, offsets, problem)
        found.known, found.given, found.repaired = known, machine.weights, repaired
        found.machine = machine  # of which the offsets, where they are cut off at 0, do not tell
        return found

    @staticmethod
    def fields_of_format_1(fields: Sequence[Any]) -> list[Any]:
        """The fields, of those in pickles of format 1: they have b in place of the offsets."""
        *before, b, problem = fields
        return [*before, [b], problem]

    @property
    def b(self) -> Fraction:
        """What the machine adds to a score: the b given, -rho of one class, R^2 of the ball."""
        return self.decision_offset((v, v) for v in self.offsets).low

    def decision_offset(self, ends: Any) -> Interval:
        """The Interval of what a decision adds to the score, by that of each offset."""
        offsets = self.problem.offsets_class(*(OffsetInterval(a, a, b) for a, b in ends))
        _, low, high = self.problem.decision_offset(offsets)
        return Interval(low, high)  # type: ignore[arg-type]

    @cached_property
    def machine(self) -> Machine:
        """The machine that is certified."""
        return machine_at(self.known, self.given, self.offsets)

    @cached_property
    def factor(self) -> Exact | None:
        """What w is multiplied by, so that all margins are kept that allow no slack; or None."""
        lifted = self.machine.lifted()
        return None if lifted is None else lifted[0]

    @cached_property
    def variables(self) -> list[Exact]:
        """Those of alpha."""
        return self.problem.variables_of(self.alpha)  # type: ignore[arg-type]

    @cached_property
    def residuals(self) -> list[Exact]:
        """r_k of the repaired multipliers, see kkt_conditions.py."""
        form = self.known.form
        scores = spread(form, self.repaired.scores)
        return self.problem.residuals(form, self.variables, scores)

    @cached_property
    def repaired_primal(self) -> Exact:
        """The primal value at the repaired multipliers and the best offsets for them."""
        return best_machine(self.known, self.repaired).primal()

    @property
    def best_primal(self) -> Exact:
        """The lower of the two primal values."""
        return min(self.repaired_primal, self.primal)

    @cached_property
    def lam_intervals(self) -> list[tuple[Any, Any]]:
        """Between which numbers every optimal lam_g lies.

        Where alpha is optimal, of those that are. Otherwise of those that the bounds on the
        optimum's value leave, see offset_interval.py. O(n) kernel rows, at the first time.
        """
        form = self.known.form
        if not form.groups:  # then lam is 0, and so is b
            return [(Fraction(0), Fraction(0))]
        ends: list[tuple[Any, Any]] = group_extremes(form, self.variables, self.residuals)
        if all(m <= M for m, M in ends) and not self.known.radius:
            return ends
        if self.best_primal == inf:
            return [(-inf, inf) for _ in ends]
        return [(self.lam_end(g, +1), self.lam_end(g, -1)) for g in range(len(ends))]

    def lam_end(self, g: int, sign: int) -> Any:
        """The lower end of the interval of lam_g if sign is +1, the upper if it is -1."""
        problem, form, scale = self.problem, self.known.form, self.problem.scale
        group, best = form.groups[g], self.best_primal
        norms2 = spread(form, self.squared_norms())
        gap = (best - self.dual) / scale
        tilted: Any = tilt(form, group, self.variables, self.residuals, norms2, gap, sign)
        much = surplus(group, form.sums[g], tilted)
        if much == 0:
            return -sign * inf
        weights = score_beta(self.known, problem.beta(problem.multipliers_of(tilted)))
        return (dual_below(self.known, tilted, weights) - best) / (scale * much)

    def squared_norms(self) -> list[Exact]:
        """|phi(x_i)|^2 or more, with what squared slack adds."""
        values = self.problem.kernel.squared_norms(self.problem.rows, Fraction)
        ridge: Any = self.problem.ridge()
        return [v + self.known.radius + c for v, c in zip(values, ridge)]

    @cached_property
    def intervals(self) -> Any:
        """The Interval of each offset that holds every optimal one, by name: a NamedTuple."""
        problem, ends = self.problem, self.lam_intervals
        low, high = self.norm2_of_optimum
        lows: Any = problem.offsets_from(ends, low)
        highs: Any = problem.offsets_from([(M, m) for m, M in ends], high)
        return problem.offsets_class(*(Interval(*ends) for ends in zip(lows, highs)))

    @property
    def norm2_of_optimum(self) -> Interval:
        """The Interval of |w|^2 of the optimum, which is root(2 gap) away from w at most."""
        norm2, error = self.repaired.w_norm2, self.repaired.error * self.repaired.size
        gap: Any = gap_between(self.best_primal, self.dual)
        if gap == 0 == error:
            return Interval(norm2, norm2)
        if gap == inf:
            return Interval(Fraction(0), inf)  # type: ignore[arg-type]
        far = root_above(2 * gap / self.problem.scale)
        least = max(norm2 - error, Fraction(0))
        low = least / root_above(least) - far if least else least
        high = root_above(norm2 + error) + far
        return Interval(max(low, Fraction(0)) ** 2, high**2)

    @property
    def b_interval(self) -> Interval:
        """The Interval of what a decision adds to the score: it holds every optimal number."""
        return self.decision_offset(self.intervals)

    @cached_property
    def balls(self) -> list[Ball]:
        """The Balls in which the optimum's w lies: by what was given, and as repaired."""
        balls = []
        if self.primal < inf:
            balls.append(self.ball(self.given, self.factor, self.primal))
        if self.repaired_primal < inf:
            factor, _ = best_machine(self.known, self.repaired).lifted()
            p, q, radius2 = self.ball(self.repaired, factor, self.repaired_primal)
            balls.append(Ball(Fraction(0), p + q, radius2))
        return balls

    def ball(self, weights: ScoredWeights, factor: Exact, primal: Exact) -> Ball:
        """The Ball between a primal value, of these weights times the factor, and the dual one."""
        primal, dual = primal / self.problem.scale, self.dual / self.problem.scale
        return ball_between(self.known, weights, factor, primal, self.repaired, dual)

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

        tol is a multiple of the machine's unit: 1 for C-SVC, else rho, half the spread of the
        values, or R^2. That promise bounds the gap (gap_bound), so a larger gap refutes it.
        """
        tol, unit = not_negative(Fraction, tol, "tol"), self.known.form.unit
        if unit is not None:
            tol *= unit(self.machine.lam, self.given.w_norm2)
        # Rounded kernel values may be to blame for so much of a residual, and of |w|^2 and |v|^2.
        off = self.machine.error()
        gap = gap_between(self.gap, 2 * self.problem.scale * off * self.given.size)
        return bool(gap <= gap_bound(self.problem, self.alpha, self.primal, tol + 2 * off))

    def document(self) -> Document:
        """Return the certificate that checker.py checks, as a document of canonical_json.py.

        It is of the machine of `alpha`, which was repaired, with the offsets: its dual and its
        primal value; the dual is inf if alpha proves that there is no hard margin.

        Raises
        ------
        TypeError
            where kernel values are rounded
        """
        require_fractions(self.known)
        machine = machine_at(self.known, self.repaired, self.offsets)
        primal, lifted = machine.primal(), machine.lifted()
        # The checker multiplies a machine by a factor; but offsets it takes as they are written.
        primal = primal if lifted is not None and lifted[1] == machine.lam else inf
        offsets = dict(zip(self.problem.offsets_class._fields, self.offsets))
        dual = inf if self.is_proof_of_no_margin() else self.dual
        return statement(self.problem, self.alpha, offsets, dual, primal)

    def is_proof_of_no_margin(self) -> bool:
        """Whether the dual grows without end with alpha: multiples are feasible, and w is 0."""
        form, ridge = self.known.form, spread(self.known.form, self.problem.ridge())
        parts = zip(self.variables, form.lower, form.upper, ridge)
        endless = all(inf in (-low, high) and c == 0 for x, low, high, c in parts if x != 0)
        return form.hard and endless and any(self.alpha) and self.repaired.w_norm2 == 0


def certify(problem: TrainingProblem, alpha: Any, b: Any = None, *more: Number) -> Certificate:
    """Certify the machine w = sum beta_i phi(x_i) with these offsets, from any program.

    Parameters
    ----------
    problem : Problem, or one of the other machines'
    alpha : n numbers, feasible or not
        for beta_i, give beta_i y_i; for regression the net multipliers. Or a Solution, which has
        its offsets
    b, more : numbers
        the offsets of the machine, in the order of its Solution's `offsets`, or one tuple of them;
        without any, the best for this w

    Returns
    -------
    Certificate

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
    given: Any = given_offsets(b, more)
    if isinstance(alpha, Solution):
        if given:
            raise TypeError(f"the offsets are {quote(given)}; a Solution has its own: give none")
        given, alpha = [offset.value for offset in alpha.offsets], alpha.alpha
    require_training_problem(problem).beta(alpha)  # refused before any work
    known = enclose_problem(problem)
    near = known.problem
    require_feasible(known.form)
    alpha, offsets = near.multipliers(alpha), near.numbers_of_offsets(given)
    weights = score_beta(known, near.beta(alpha))
    if given:
        machine = machine_at(known, weights, offsets)
    else:
        machine = best_machine(known, weights)
        ends = [(v, v) for v in machine.lam or [Fraction(0)]]
        offsets = near.offsets_from(ends, weights.w_norm2)
    return Certificate.of(machine, repair_multipliers(near, alpha), offsets)


def machine_at(known: EnclosedProblem, weights: ScoredWeights, offsets: Any) -> Machine:
    """The Machine of this w and these offsets."""
    return Machine(known, weights, known.problem.lam_of(offsets, weights.w_norm2))


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
    return Certificate.of(machine_at(known, score_w(known, w), [b]), alpha, [b])
