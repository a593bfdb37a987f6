"""How far is an answer from the optimum? Certified for any numbers, from any program.

Nothing is assumed of the numbers. (w, b), whatever they are, have a primal value, which is
an upper bound of the optimum's. Multipliers, repaired until they fulfil the constraints, have a
dual value, which is a lower bound. What lies between is the gap. All is computed in exact
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

from ..numerics.cures import giving, with_cure
from ..numerics.display import displayed
from ..numerics.intervals import Interval
from ..numerics.pickles import with_format
from ..numerics.quoting import quote
from ..numerics.types import Number, VectorLike
from ..numerics.validation import not_negative, vector
from ..svm.dual_form import gap_between, require_feasible
from ..svm.exact_answers import repair_multipliers
from ..svm.judgement import promised_gap
from ..svm.kkt_conditions import given_offsets
from ..svm.model import OffsetInterval, Solution
from ..svm.problem import Problem, require_problem
from ..svm.training_problem import TrainingProblem, require_training_problem
from .answers import read_decision
from .certificate_json import statement
from .certified_bounds import (
    Ball,
    EnclosedProblem,
    PrimalSide,
    ScoredWeights,
    ball_between,
    best_side,
    dual_below,
    enclose_problem,
    require_fractions,
    score_beta,
    score_error,
    score_w,
)
from .offset_interval import lam_intervals, norm2_of_optimum
from .optimum import solve_exactly
from .plain_json import Document
from .rational_kernels import Exact
from .rough_scores import side_at, side_that_counts

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
        the primal value at w and the offsets: an upper bound of the optimum's. Where an example
        allows no slack and its margin is short, that of the machine once it is rescaled, see
        Problem.primal. math.inf if no multiple of (w, b) will do
    dual
        the dual value at alpha: a lower bound of the optimum's
    gap
        primal - dual >= 0, the duality gap: an upper bound of the suboptimality, primal - optimum
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

    @classmethod
    def of(cls, side: PrimalSide, alpha: list[Exact], offsets: list[Exact]) -> Certificate:
        """The Certificate of a machine and its offsets, by feasible multipliers alpha."""
        known, problem, weights = side.known, side.known.problem, side.weights
        variables, beta = problem.variables_of(alpha), problem.beta(alpha)
        none = {i: Fraction(0) for i, x in enumerate(beta) if x == 0}
        repaired = weights if beta == weights.beta else score_beta(known, beta, none)
        primal, dual = side.primal(), dual_below(known, variables, repaired)
        gap, shares = gap_between(primal, dual), side.shares(variables)
        found = cls(primal, dual, gap, shares, alpha, offsets, problem)
        found.known = known
        found.side = side  # whose scores are known already
        for name, scored in (("given", weights), ("repaired", repaired)):
            if scored.is_whole:
                setattr(found, name, scored)
        return found

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
    def given(self) -> ScoredWeights:
        """The w that was given, with all scores: O(n n) kernel values, at the first time."""
        return score_beta(self.known, self.side.weights.beta)

    @cached_property
    def repaired(self) -> ScoredWeights:
        """That of alpha, likewise."""
        beta = self.problem.beta(self.alpha)
        return self.given if beta == self.given.beta else score_beta(self.known, beta)

    @cached_property
    def side(self) -> PrimalSide:
        """The w that is given with the lam of its offsets: the machine that is certified."""
        return side_at(self.known, self.given, self.offsets)

    @cached_property
    def factor(self) -> Exact | None:
        """What w is multiplied by, so that all margins are kept that allow no slack; or None."""
        rescaled = self.side.feasible_factor()
        return None if rescaled is None else rescaled[0]

    @cached_property
    def variables(self) -> list[Exact]:
        """Those of alpha."""
        return self.problem.variables_of(self.alpha)  # type: ignore[arg-type]

    @cached_property
    def residuals(self) -> list[Exact]:
        """r_k of the repaired multipliers, see kkt_conditions.py."""
        form = self.known.form
        scores = form.per_variable(self.repaired.scores)
        return self.problem.residuals(form, self.variables, scores)

    @cached_property
    def repaired_primal(self) -> Exact:
        """The primal value at the repaired multipliers and the best offsets for them."""
        return best_side(self.known, self.repaired).primal()

    @cached_property
    def intervals(self) -> Any:
        """The Interval of each offset that holds every optimal one, by name: a NamedTuple.

        Where alpha is optimal, of those that are. Otherwise of those that the bounds on the
        optimum's value leave, see offset_interval.py. O(n) kernel rows, at the first time.
        """
        problem, best = self.problem, min(self.repaired_primal, self.primal)
        ends = lam_intervals(self.known, self.variables, self.residuals, best, self.dual)
        gap: Number = gap_between(best, self.dual)
        low, high = norm2_of_optimum(self.repaired, gap / problem.scale)
        lows: Any = problem.offsets_from(ends, low)
        highs: Any = problem.offsets_from([(M, m) for m, M in ends], high)
        return problem.offsets_class(*(Interval(*ends) for ends in zip(lows, highs)))

    @property
    def b_interval(self) -> Interval:
        """The Interval that holds all optimal numbers that a decision adds to a score (S16.4)."""
        return self.decision_offset(self.intervals)

    @cached_property
    def balls(self) -> list[Ball]:
        """The Balls in which the optimum's w lies: by what was given, and as repaired."""
        balls = []
        if self.primal < inf:
            balls.append(self.ball(self.given, self.factor, self.primal))
        if self.repaired_primal < inf:
            factor, _ = best_side(self.known, self.repaired).feasible_factor()
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
        is infinite, and math.inf if nothing is known. Standard: S16.3.

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
        return score_error(self.known, self.balls, (self.given, self.repaired), x, norm2)

    def honours(self, tol: Number) -> bool:
        """Return False if the answer breaks the promise of tol, m - M <= tol, b between (S16.5).

        tol is a multiple of the machine's unit: 1 for C-SVC, else rho, half the spread of the
        values, or R^2. That promise bounds the gap (promised_gap), so a larger gap refutes it.
        """
        tol, unit = not_negative(Fraction, tol, "tol"), self.known.form.unit
        if unit is not None:
            tol *= unit(self.side.lam, self.side.weights.w_norm2)
        # Rounded kernel values may be to blame for so much of a residual, and of |w|^2 and |v|^2.
        off = self.side.error()
        gap = gap_between(self.gap, 2 * self.problem.scale * off * self.side.weights.size)
        return bool(gap <= promised_gap(self.problem, self.variables, self.primal, tol + 2 * off))

    def document(self) -> Document:
        """Return the certificate that checker.py checks (S16.8), a document of canonical_json.py.

        It is of the machine of `alpha`, which was repaired, with the offsets: its dual and its
        primal value; the dual is inf if alpha proves that there is no hard margin.

        Raises
        ------
        TypeError
            where kernel values are rounded
        """
        require_fractions(self.known)
        side = side_at(self.known, self.repaired, self.offsets)
        primal, rescaled = side.primal(), side.feasible_factor()
        # The checker multiplies a machine by a factor; but offsets it takes as they are written.
        primal = primal if rescaled is not None and rescaled[1] == side.lam else inf
        offsets = dict(zip(self.problem.offsets_class._fields, self.offsets))
        dual = self.dual
        if self.is_proof_of_no_margin():  # which no offset mends
            dual, offsets = inf, dict.fromkeys(offsets, Fraction(0))
        return statement(self.problem, self.alpha, offsets, dual, primal)

    def is_proof_of_no_margin(self) -> bool:
        """Whether the dual grows without end with alpha: multiples are feasible, and w is 0."""
        form, ridge = self.known.form, self.known.form.per_variable(self.problem.ridge())
        parts = zip(self.variables, form.lower, form.upper, ridge)
        endless = all(inf in (-low, high) and c == 0 for x, low, high, c in parts if x != 0)
        return form.hard and endless and any(self.alpha) and self.repaired.w_norm2 == 0


def certify(
    problem: TrainingProblem, alpha: VectorLike | Solution, b: Number | None = None, *more: Number
) -> Certificate:
    """Certify the machine w = sum beta_i phi(x_i) with these offsets, from any program (S16.1).

    Parameters
    ----------
    problem : Problem, or one of the other machines'
    alpha : n numbers, feasible or not
        for beta_i, give beta_i y_i; for regression the net multipliers. Or a Solution, which has
        its offsets and, if it is linear, the w that it keeps
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
    O(n n d), linear O(n d). Of a Gaussian, with m multipliers that are not 0, m m / 2 kernel
    values are enclosed to 128 bits, at 5 microseconds each, if the offsets are given; what is
    asked of the Certificate later may take all n n / 2.

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
            raise with_cure(
                TypeError,
                f"the offsets are {quote(given)}; a Solution has its own:",
                giving("give none", "b", None),
            )
        given, w, alpha = [offset.value for offset in alpha.offsets], alpha.w, alpha.alpha
        if w is not None:
            return certify_weights(problem, alpha, w, given)
    problem = require_training_problem(problem)
    problem.beta(alpha)  # refused before any work
    known = enclose_problem(problem)
    near = known.problem
    require_feasible(known.form)
    alpha, offsets = near.multipliers(alpha), near.numbers_of_offsets(given)
    repaired = repair_multipliers(near, alpha)
    if given:
        return Certificate.of(
            side_that_counts(known, problem, alpha, offsets, repaired), repaired, offsets
        )
    return _with_best_offsets(known, score_beta(known, near.beta(alpha)), repaired)


def _with_best_offsets(
    known: EnclosedProblem, weights: ScoredWeights, repaired: list[Exact]
) -> Certificate:
    """The Certificate of this w with the offsets that are best for it."""
    side = best_side(known, weights)
    ends = [(v, v) for v in side.lam or [Fraction(0)]]
    # Not cut off at 0: to a rho below it belongs another primal value than to rho = 0.
    offsets = known.problem.offsets_uncut(ends, weights.w_norm2)
    return Certificate.of(side, repaired, offsets)


def certify_weights(
    problem: TrainingProblem, alpha: VectorLike, w: VectorLike, offsets: Sequence[Number]
) -> Certificate:
    """Certify a linear machine that keeps this w, by the multipliers that it was made of. O(n d).

    offsets: as of certify; the best for this w if there are none
    """
    problem = require_training_problem(problem)
    problem.beta(alpha)  # refused before any work
    known = enclose_problem(problem)
    near = known.problem
    require_feasible(known.form)
    repaired, given = repair_multipliers(near, alpha), near.numbers_of_offsets(offsets)
    weights = score_w(known, vector(w, "w", Fraction))
    if not given:
        return _with_best_offsets(known, weights, repaired)
    return Certificate.of(side_at(known, weights, given), repaired, given)


def certify_linear(
    problem: Problem, decision: tuple[VectorLike, Number] | Callable[[list[float]], Number]
) -> Certificate:
    """Certify a linear machine: (w, b), or any function that computes w.x + b (S16.6).

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
    return Certificate.of(side_at(known, score_w(known, w), [b]), alpha, [b])
