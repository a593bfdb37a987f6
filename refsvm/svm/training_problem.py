"""What every training problem has, whatever machine it is for.

A machine gives its dual in the form of dual_form.py, and says what its offsets are in terms of
lam, the multipliers of the groups. All else follows from the form, and is here: primal, dual, gap,
Solution. The primal is asked at offsets, or at the best for this w: order statistics of residuals.

    lam_g    the multiplier of group g's sum           r    target - K beta, the residuals
    lam_coefficients    by how much each lam_g counts in an offset: where there are two groups and
                        b = (lam_0 + lam_1) / 2 it is (1, 1); the sum is divided by their number

The classification of problem.py is the simplest: one group, whose lam is b.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

from ..numerics.display import notebook_html
from ..numerics.linalg import dot, total
from ..numerics.quoting import quote
from ..numerics.types import Number, Vector, VectorLike
from ..numerics.validation import check_length, number_kind, sequence, to_number, vector
from .dual_form import (
    DualForm,
    best_multipliers,
    dual,
    gap_between,
    group_extremes,
    infeasible_group,
    middle,
    primal,
    roundings_of_sums,
)
from .model import Model, OffsetInterval, Solution, SolutionValues, model_at
from .problem_rows import ProblemRows
from .residual_bounds import BoundedResiduals, bounded_residuals

if TYPE_CHECKING:
    from ..numerics.intervals import Interval


AnyProblem = TypeVar("AnyProblem", bound="TrainingProblem")


class TrainingProblem(ProblemRows):
    """The base of the problems of all machines. It never changes once made.

    offsets_class     the NamedTuple of the offsets
    model_class       the class of the models
    lam_coefficients  by how much each lam counts in each offset
    not_negative      the offsets that are never negative
    scale             primal and dual are this times those of the form
    has_kernel_values_as_targets   whether the targets of the form are made of them
    is_one_of_many    whether several classes make it: such a pair is no lesson (exact_answers.py)
    """

    offsets_class: ClassVar[Any]
    model_class: ClassVar[type[Any]] = Model
    lam_coefficients: ClassVar[tuple[tuple[int, ...], ...]]
    not_negative: ClassVar[tuple[str, ...]] = ()
    scale: ClassVar[int] = 1
    has_kernel_values_as_targets: ClassVar[bool] = False
    is_one_of_many = False

    # What a machine defines:

    def dual_form(self) -> DualForm:
        """Return the data of the dual."""
        raise NotImplementedError

    def variables_of(self, alpha: Vector) -> Vector:
        """Return the variables of these multipliers."""
        raise NotImplementedError

    def multipliers_of(self, variables: Vector) -> Vector:
        """Return the multipliers of these variables, one an example."""
        raise NotImplementedError

    def example_and_sign(self, k: int) -> tuple[int, int]:
        """Return the example of a variable, and the sign that makes a multiplier of it."""
        return k, 1

    def lam_of(self, offsets: Vector, w_norm2: Number) -> Vector:
        """Return the lam that these offsets belong to."""
        raise NotImplementedError

    def middles(self, ends: list[tuple[Any, Any]]) -> Vector:
        """Return the lam of each group where the worst residual is least wrong (S34.5)."""
        return [middle(m, M) for m, M in ends]

    def lam_at(self, beta: Vector, r: Vector, ends: Any, near: Vector) -> Vector:
        """Return the lam of a Solution: the middles."""
        return self.middles(ends)

    def rounds_targets(self) -> bool:
        """Return whether the targets of the form may be rounded."""
        return self.has_kernel_values_as_targets

    def best_lam(self, form: DualForm, r: Vector) -> list[tuple[Any, Any]]:
        """Return for each group the least and the largest lam of smallest primal, given r."""
        return best_multipliers(form, r)

    def feasible_factor(
        self, form: DualForm, scores: Vector, lam: Vector, error: Number = 0
    ) -> tuple[Any, Vector] | None:
        """Return a factor of w and lam, and lam, that keep all margins that allow no slack.

        Whatever the error of the scores is. (1, lam) where every example allows some slack; None
        where nothing keeps the margins.
        """
        return 1, lam

    def cost_of_mending(self, short: Any, primal: Any) -> Any:
        """Return what it adds to the primal to mend margins that allow no slack, in form's units.

        short: how much the worst of these lacks; primal: an upper bound of that without them
        """
        return 0

    def cost_of_rescaling(self, primal: Number, tol: Number) -> Number:
        """Return how much of the primal may come of rescaling, none of which lacks over tol.

        In units of the form; inf if a tol so large promises nothing.
        """
        return self.kind(0)

    def sums_at_optimum(
        self, value: Number | Interval, w_norm2: Number | Interval
    ) -> tuple[Any, Any]:
        """Return sum alpha and the penalty of slack, from the optimal value and |w|^2, or None.

        None where they are not the same at every optimum.
        """
        return None, None

    def multipliers_from(self, coefs: Vector) -> Vector:
        """Return the multipliers with these coefficients of the examples in w: see beta."""
        return coefs

    def ridge(self) -> Vector:
        """Return what is added to the diagonal of K: nothing."""
        return [self.kind(0)] * self.n

    def least_scores(
        self, form: DualForm, alpha: Vector, r: Vector, lam: Number, residual_error: Number
    ) -> Sequence[int]:
        """Return the examples whose sign a model must not lose by rounding: none."""
        return ()

    def without_common_parts(self, variables: Vector) -> Vector:
        """Return the variables of the same multipliers of which no two of an example cancel."""
        return variables

    def offset_constant(self, w_norm2: Number) -> Number:
        """Return what is added to an offset besides the lam."""
        return 0

    def decision_offset(self, offsets: Any) -> OffsetInterval:
        """Return what a decision value adds to the score."""
        return offsets.b  # type: ignore[no-any-return]

    def model_of(self, solution: Solution) -> Any:
        """Return the model of a solution."""
        return self.model_class(*model_at(self, solution.alpha, solution.b))

    # What follows from the form

    _repr_html_ = notebook_html

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.n} examples, {self.kernel!r}>"

    def multipliers(self, alpha: VectorLike, name: str = "alpha") -> Vector:
        """Return n multipliers as numbers of the problem's kind."""
        alpha = sequence(alpha, name)
        check_length(alpha, self.n, name)
        return vector(alpha, name, self.kind)

    def beta(self, alpha: VectorLike, name: str = "alpha") -> Vector:
        """Return the coefficient of each example in w: alpha itself, in the problem's numbers."""
        return self.multipliers(alpha, name)

    def variables(self, alpha: VectorLike, name: str) -> Vector:
        """Return the variables of these multipliers; ValueError if one is beyond its bounds."""
        alpha = self.multipliers(alpha, name)
        form, variables = self.dual_form(), self.variables_of(alpha)
        for k, (x, low, high) in enumerate(zip(variables, form.lower, form.upper)):
            if not low <= x <= high:
                i = k if form.of is None else form.of[k]
                raise ValueError(
                    f"{name}[{i}] is {quote(alpha[i])}; the bounds of the problem are exceeded by"
                    f" {quote(max(low - x, x - high))}"
                )
        return variables

    def at(self, alpha: VectorLike, offsets: VectorLike) -> Evaluation:
        """Return the Evaluation of these multipliers and offsets, in one kind of number.

        Its lam is that of the offsets, or the best for this w where there are none.
        """
        kind = Fraction if self.kind is Fraction else number_kind(alpha, offsets)
        problem = self.to(kind)
        given = problem.numbers_of_offsets(offsets)
        form, beta = problem.dual_form(), problem.variables_of(problem.multipliers(alpha))
        of_examples, w_norm2 = problem.scores_and_norm2(problem.beta(alpha))
        scores = form.per_variable(of_examples)
        if given:
            lam = problem.lam_of(problem.on_rows([given], alpha, +1)[0], w_norm2)
        else:
            r = [t - s for t, s in zip(form.target, scores)]
            lam = [middle(*ends) for ends in problem.best_lam(form, r)]
        return Evaluation(problem, form, beta, scores, w_norm2, lam)

    def numbers_of_offsets(self, offsets: VectorLike) -> Vector:
        """Return the offsets in the problem's numbers; TypeError unless all are given, or none."""
        names = self.offsets_class._fields
        if offsets and len(offsets) != len(names):
            raise TypeError(f"offsets are {quote(offsets)}; give {' and '.join(names)}, or none")
        return [to_number(self.kind, v, name) for v, name in zip(offsets, names)]

    def on_rows(self, several: list[Vector], alpha: VectorLike, sign: int) -> list[Vector]:
        """Return such offsets for the shifted rows, or from these (sign -1): b alone changes."""
        names = self.offsets_class._fields
        if "b" not in names:
            return several
        k = names.index("b")
        moved = self.translated_offsets([offsets[k] for offsets in several], alpha, sign)
        return [[*offsets[:k], b, *offsets[k + 1 :]] for offsets, b in zip(several, moved)]

    def primal(self, alpha: VectorLike, *offsets: Number) -> Number:
        """Return the primal objective at w and these offsets; without any, at the best for w.

        But for rounding it is at least the optimum. Where an example allows no slack and its
        margin is short, the machine is first rescaled as little as mends it: (w, b) is multiplied
        by a factor, the ball grows. The value is inf if nothing does. O(n n d), linear O(n d), and
        O(n log n). Standard: S2.2.
        """
        value: Number = self.at(alpha, offsets).primal()
        return value

    def dual(self, alpha: VectorLike) -> Number:
        """Return the dual objective at alpha: but for rounding at most the optimum (S2.2).

        alpha has to be feasible.
        """
        value: Number = self.at(alpha, ()).dual()
        return value

    def gap(self, alpha: VectorLike, *offsets: Number) -> Number:
        """Return the duality gap, primal - dual: how far each is from the optimum at most (S2.2).

        If alpha is feasible. As computed: rounding may leave it a little below zero on floats, or
        hide what is there. gap_bounds has a bound that holds.
        """
        point = self.at(alpha, offsets)
        return gap_between(point.primal(), point.dual())

    def primal_value(
        self, form: DualForm, scores: Vector, w_norm2: Number, lam: Vector, error: Number = 0
    ) -> Number:
        """Return the primal from the score of each variable, |w|^2, and lam.

        error: by how much scores may be off; then what the primal is at most
        """
        rescaled = self.feasible_factor(form, scores, lam, error)
        if rescaled is None:
            return inf
        factor, lam = rescaled
        return self.scale * primal(form, scores, w_norm2, lam, factor, factor * error)

    def dual_value(self, form: DualForm, beta: Vector, w_norm2: Number) -> Any:
        """Return the dual from the variables and |w|^2."""
        return self.scale * dual(form, beta, w_norm2, form.per_variable(self.ridge()))

    def norm2_of(self, beta: Vector, scores: Vector) -> Number:
        """Return |w|^2 from the variables and the score of each."""
        return dot(beta, scores)

    def residuals(self, form: DualForm, beta: Vector, scores: Vector) -> Vector:
        """Return target - score of each variable, less beta_i / C_i under squared slack."""
        ridge = form.per_variable(self.ridge())
        return [t - (s + c * x) for t, s, c, x in zip(form.target, scores, ridge, beta)]

    def group_extremes(self, form: DualForm, *given: Any) -> list[tuple[Any, Any]]:
        """Return (m_g, M_g) of each group."""
        return group_extremes(form, *given)

    def values_at(
        self, form: DualForm, beta: Vector, residuals: BoundedResiduals
    ) -> SolutionValues:
        """Return what residuals in doubles say of a Solution at these variables (S30.7)."""
        near, r, ends = roundings_of_sums(form, beta), residuals.r, residuals.ends()
        lows, highs = (self.group_extremes(form, beta, v) for v in ends)
        told_lows, told_highs = (self.group_extremes(form, beta, v, near) for v in ends)
        ridge = form.per_variable(self.ridge())
        # Back from r = target - (s + ridge beta): solvers carry residuals, and no scores.
        scores = [t - v - c * x for t, v, c, x in zip(form.target, r, ridge, beta)]
        return SolutionValues(
            ends=[(low[0], high[0], low[1], high[1]) for low, high in zip(lows, highs)],
            near=[(low[0], high[1]) for low, high in zip(told_lows, told_highs)],
            w_norm2=self.norm2_of(beta, scores),
        )

    def moved_offset(self, alpha: Vector, residual_error: Number) -> Number:
        """Return how far a model's offset may be from the one that was taken; 0 as a rule."""
        return 0

    def kept_offsets(self, alpha: Vector, offsets: Vector, least_scores: Sequence[int]) -> Vector:
        """Return the offsets that a model keeps: as a rule these."""
        return offsets

    def bounded_residuals(self, *given: Any) -> BoundedResiduals:
        """Return residuals of a problem on doubles, see residual_bounds.py."""
        return bounded_residuals(self, *given)

    def plain_parts(self, *given: Any) -> Any:
        """Return None: refsvm_fast adds up the parts of a gap here (gap_bounds.py), as a rule."""
        return None

    plain_dual = plain_parts  # and the dual

    def proof_of(self, status: str, form: DualForm, alpha: Vector) -> Vector | None:
        """Return the multipliers that prove that the problem is infeasible, or degenerate."""
        if status not in ("degenerate", "infeasible"):
            return None
        if status == "degenerate":
            return [a / self.kind(max(form.sums)) for a in alpha]
        g = infeasible_group(form)
        if g is None:
            return None
        of = range(self.n) if form.of is None else form.of
        members = {of[k] for k in form.groups[g]}
        return [self.kind(i in members) for i in range(self.n)]

    def offset_intervals(
        self, alpha: Vector, lam: Vector, ends: Sequence[tuple[Number, Number]], w_norm2: Number
    ) -> Any:
        """Return the offsets of the caller's rows, each with its interval (S34.5)."""
        values = zip(lam, lam), ends, ((M, m) for m, M in ends)
        found = [self.offsets_from(list(some), w_norm2) for some in values]
        return self.offsets_class(*map(OffsetInterval, *self.on_rows(found, alpha, -1)))

    def offsets_from(self, ends: Sequence[tuple[Number, Number]], w_norm2: Number) -> Vector:
        """Return offsets_uncut; cut off at 0, where no optimum has less."""
        names, zero = self.offsets_class._fields, self.kind(0)
        found = zip(names, self.offsets_uncut(ends, w_norm2))
        return [max(value, zero) if name in self.not_negative else value for name, value in found]

    def offsets_uncut(self, ends: Sequence[tuple[Number, Number]], w_norm2: Number) -> Vector:
        """Return the least offsets of the rows computed with, lam from low to high (S34.5)."""
        offsets = []
        for coefficients in self.lam_coefficients:
            parts = [c * (low if c > 0 else high) for c, (low, high) in zip(coefficients, ends)]
            # An infinity is not added to: a Fraction beside it may be beyond the doubles.
            infinite = [v for v in parts if abs(v) == inf]
            value = infinite[0] if infinite else total(parts) / len(parts)
            if abs(value) == inf and not infinite:
                value = total(v / len(parts) for v in parts)  # their sum alone is beyond doubles
            if not infinite:
                value += self.offset_constant(w_norm2)
            offsets.append(value)
        return offsets


class Evaluation(NamedTuple):
    """Multipliers and offsets of a problem, with what follows from them for its variables."""

    problem: Any
    form: DualForm
    beta: Vector
    scores: Vector
    w_norm2: Any
    lam: Vector

    def residuals(self) -> Vector:
        """Return the residual of each variable."""
        found: Vector = self.problem.residuals(self.form, self.beta, self.scores)
        return found

    def primal(self) -> Any:
        """Return the primal value."""
        return self.problem.primal_value(self.form, self.scores, self.w_norm2, self.lam)

    def dual(self) -> Any:
        """Return the dual value."""
        return self.problem.dual_value(self.form, self.beta, self.w_norm2)


def require_training_problem(problem: AnyProblem) -> AnyProblem:
    """Return the problem, whatever machine it is for; TypeError if it is none."""
    if not isinstance(problem, TrainingProblem):
        raise TypeError(f"problem is {quote(problem)}; a Problem is needed")
    return problem.detached() if problem.kernel.is_callers else problem
