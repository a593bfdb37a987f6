"""What the machines beside classification share: nu, regression, one class, the smallest ball.

Each gives its dual in the form of dual_form.py, and says what its offsets are in terms of lam, the
multipliers of the groups. All else follows from the form, and is here: the values of primal and
dual, the gap, and the Solution. The primal is asked at offsets, or at the best there are for this
w, which are order statistics of the residuals.

    lam_g    the multiplier of group g's sum           r    target - K beta, the residuals
    shares   by how much each lam_g counts in an offset: where there are two groups and
             b = (lam_0 + lam_1) / 2 it is (1, 1); the sum is divided by the number of groups
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf
from typing import Any, ClassVar, NamedTuple

from ..numerics.conversion import as_lists, as_sequence
from ..numerics.display import displayed, notebook_html
from ..numerics.linalg import dot, total
from ..numerics.pickles import with_format
from ..numerics.quoting import quote
from ..numerics.types import Number, Vector, VectorLike
from ..numerics.validation import check_length, number_kind, sequence, to_number, vector
from .dual_form import (
    DualForm,
    best_multipliers,
    group_extremes,
    infeasible_group,
)
from .grouped_conditions import grouped_kkt
from .kkt_conditions import middle
from .model import Model, model_at
from .objective_values import gap_between
from .training_problem import TrainingProblem


@displayed
class OffsetInterval(NamedTuple):
    """An offset: the value taken, and the interval of those that are as good."""

    value: Number
    low: Number
    high: Number


class FieldsWithOffsets(NamedTuple):
    """The fields of a SolutionWithOffsets: those of a Solution, then the offsets."""

    alpha: Vector
    b: Number
    b_low: Number
    b_high: Number
    objective: Number
    gap: Number
    violation: Number
    iterations: int
    status: str
    farkas: Vector | None
    offsets: Any


@with_format
@displayed
class SolutionWithOffsets(FieldsWithOffsets):
    """The answer of a solver for one of these machines, and how good it is.

    Attributes
    ----------
    alpha : n numbers
        the multipliers; for regression the net ones, which may be negative
    b, b_low, b_high : number
        what the decision value adds to the score, and the ends of its interval
    objective, gap, violation, iterations, farkas
        as in a Solution; the violation is that of the worst group
    status : str
        those of a Solution; "infeasible" where no multipliers have the sums asked for: `farkas`
        marks the examples whose bounds are too small together; "degenerate" where rho is 0, so
        that w is, and there is no machine: `farkas` holds the weights of a point that the reduced
        hulls have in common
    offsets : NamedTuple of OffsetInterval
        b, rho, epsilon or radius2, as the machine has them
    """

    problem: GroupedProblem
    least_scores: Sequence[int] = ()  # see outlier_problem.py

    def without_problem(self) -> FieldsWithOffsets:
        """Return the fields alone: with many problems, their rows would be kept, too."""
        return FieldsWithOffsets(*self)

    def model(self) -> Model:
        """Return the Model of this solution. O(n d)."""
        return self.problem.model_of(self)  # type: ignore[no-any-return]


class GroupedProblem(TrainingProblem):
    """The base of the problems whose dual has groups of variables.

    offsets_class  the NamedTuple of the offsets
    model_class    the class of the models
    shares         by how much each lam counts in each offset
    not_negative   the offsets that are never negative
    scale          primal and dual are this times those of the form
    """

    offsets_class: ClassVar[Any]
    model_class: ClassVar[type[Any]] = Model
    shares: ClassVar[tuple[tuple[int, ...], ...]]
    not_negative: ClassVar[tuple[str, ...]] = ()
    scale: ClassVar[int] = 1

    # Loops over all variables, of which refsvm_fast has its own:

    _dot = staticmethod(dot)
    _group_extremes = staticmethod(group_extremes)

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

    def multiplier_between(self, m: Number, M: Number) -> Number:
        """Return the lam of a group: the middle, where the worst residual is least wrong."""
        return middle(m, M)

    def offset_constant(self, w_norm2: Number) -> Number:
        """Return what is added to an offset besides the lam."""
        return self.kind(0)

    def decision_offset(self, offsets: Any) -> OffsetInterval:
        """Return what a decision value adds to the score."""
        return offsets.b  # type: ignore[no-any-return]

    def model_of(self, solution: SolutionWithOffsets) -> Any:
        """Return the model of a solution."""
        return self.model_class(*model_at(self, solution.alpha, solution.b))

    # What follows from the form

    _repr_html_ = notebook_html

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.n} examples, {self.kernel!r}>"

    def beta(self, alpha: VectorLike, name: str = "alpha") -> Vector:
        """Return the coefficient of each example in w: alpha itself, in the problem's numbers."""
        alpha = sequence(alpha, name)
        check_length(alpha, self.n, name)
        return vector(alpha, name, self.kind)

    def variables(self, alpha: VectorLike, name: str) -> Vector:
        """Return the variables of these multipliers; ValueError if one is beyond its bounds."""
        alpha = GroupedProblem.beta(self, alpha, name)
        form, variables = self.dual_form(), self.variables_of(alpha)
        for k, (x, low, high) in enumerate(zip(variables, form.lower, form.upper)):
            if not low <= x <= high:
                i = k if form.of is None else form.of[k]
                raise ValueError(
                    f"{name}[{i}] is {quote(alpha[i])}; the bounds of the problem are exceeded by"
                    f" {quote(max(low - x, x - high))}"
                )
        return variables

    def at(
        self, alpha: VectorLike, offsets: Any
    ) -> tuple[Any, DualForm, Vector, Vector, Number, Vector]:
        """Return (problem, form, variables, residuals, |w|^2, lam), in one kind of number.

        lam: of these offsets, or the best for this w where there are none.
        """
        names = self.offsets_class._fields
        if offsets and len(offsets) != len(names):
            raise TypeError(f"offsets are {quote(offsets)}; give {' and '.join(names)}, or none")
        kind = Fraction if self.kind is Fraction else number_kind(alpha, offsets)
        problem = self.to(kind)
        form = problem.dual_form()
        variables = problem.variables_of(GroupedProblem.beta(problem, alpha))
        scores, w_norm2 = problem.scores_and_norm2(problem.beta(alpha))
        r = [t - s for t, s in zip(form.target, spread(form, scores))]
        if offsets:
            given = [to_number(kind, v, name) for v, name in zip(offsets, names)]
            lam = problem.lam_of(problem.on_rows(given, alpha, +1), w_norm2)
        else:
            lam = [middle(*ends) for ends in best_multipliers(form, r)]
        return problem, form, variables, r, w_norm2, lam

    def on_rows(self, offsets: Vector, alpha: VectorLike, sign: int) -> Vector:
        """Return the offsets for the shifted rows, or from these (sign -1): b alone changes."""
        return [
            self.translated_offset(v, alpha, sign) if name == "b" else v
            for name, v in zip(self.offsets_class._fields, offsets)
        ]

    def primal(self, alpha: VectorLike, *offsets: Number) -> Number:
        """Return the primal objective at w and these offsets; without any, at the best for w.

        It is never below the optimum. O(n n d), linear O(n d), and O(n log n).
        """
        problem, form, _, r, w_norm2, lam = self.at(alpha, offsets)
        return problem.primal_value(form, r, w_norm2, lam)  # type: ignore[no-any-return]

    def dual(self, alpha: VectorLike) -> Number:
        """Return the dual objective at alpha: never above the optimum, if alpha is feasible."""
        problem, form, variables, _, w_norm2, _ = self.at(alpha, ())
        return problem.dual_value(form, variables, w_norm2)  # type: ignore[no-any-return]

    def gap(self, alpha: VectorLike, *offsets: Number) -> Number:
        """Return primal - dual: a bound on how far each is from the optimum, if alpha is feasible.

        As computed: rounding may leave it a little below zero on floats.
        """
        problem, form, variables, r, w_norm2, lam = self.at(alpha, offsets)
        primal = problem.primal_value(form, r, w_norm2, lam)
        return gap_between(primal, problem.dual_value(form, variables, w_norm2))

    def primal_value(self, form: DualForm, r: Vector, w_norm2: Number, lam: Vector) -> Number:
        """Return the primal from the residuals, |w|^2, and the multipliers of the groups."""
        value = w_norm2 / 2
        for group, s, v in zip(form.groups, form.sums, lam):
            value += self.kind(s) * v
            part = slice(group.start, group.stop)
            for x, low, high in zip(r[part], form.lower[part], form.upper[part]):
                limit = high if x > v else low if x < v else 0
                if limit != 0:
                    value = value + limit * (x - v) if abs(limit) < inf else inf
        return self.scale * value

    def norm2_of(self, variables: Vector, scores: Vector) -> Number:
        """Return |w|^2 from the variables and the score of each."""
        return self._dot(variables, scores)

    def dual_value(self, form: DualForm, variables: Vector, w_norm2: Number) -> Number:
        """Return target' beta - 1/2 |w|^2."""
        return self.scale * (self._dot(form.target, variables) - w_norm2 / 2)

    def conditions(self, alpha: VectorLike, offsets: Any) -> Any:
        """Return the GroupedKKT at alpha and these offsets, which may be ()."""
        is_number = as_sequence(as_lists(offsets)) is None
        return grouped_kkt(self, alpha, (offsets,) if is_number else tuple(offsets))

    def solution(
        self,
        form: Any,
        beta: Vector,
        r: Vector,
        *,
        iterations: int,
        status: str,
        residual_error: Number = 0,
    ) -> SolutionWithOffsets:
        """Return the SolutionWithOffsets at these variables of its form, from their residuals.

        residual_error: a bound on what rounding added to each residual since they were new.
        """
        ends = self._group_extremes(form, beta, r)
        lam = [self.multiplier_between(m, M) for m, M in ends]
        w_norm2 = self.norm2_of(beta, [t - v for t, v in zip(form.target, r)])
        alpha, objective = self.multipliers_of(beta), self.dual_value(form, beta, w_norm2)
        primal = self.primal_value(form, r, w_norm2, lam)
        gap = primal - objective if self.kind is float else gap_between(primal, objective)
        offsets = self.offset_intervals(alpha, lam, ends, w_norm2)
        b = self.decision_offset(offsets)
        found = SolutionWithOffsets(
            alpha=alpha,
            b=b.value,
            b_low=b.low,
            b_high=b.high,
            objective=objective,
            gap=gap,
            violation=max(m - M for m, M in ends),
            iterations=iterations,
            status=status,
            farkas=self.proof_of(status, form, alpha),
            offsets=offsets,
        )
        if status == "infeasible":  # no multipliers are feasible, and the primal has no lower end
            found = found._replace(objective=-inf, gap=inf)
        found.problem = self
        return found

    def proof_of(self, status: str, form: Any, alpha: Vector) -> Vector | None:
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

    def offset_intervals(self, alpha: Vector, lam: Vector, ends: Any, w_norm2: Number) -> Any:
        """Return the offsets of the caller's rows, each with its interval."""
        values = zip(lam, lam), ends, ((M, m) for m, M in ends)
        found = [self.offsets_from(list(some), w_norm2) for some in values]
        return self.offsets_class(
            *map(OffsetInterval, *(self.on_rows(some, alpha, -1) for some in found))
        )

    def offsets_from(self, ends: list[tuple[Any, Any]], w_norm2: Number) -> Vector:
        """Return the least offsets, of the rows computed with, for lam from low to high."""
        offsets = []
        for name, share in zip(self.offsets_class._fields, self.shares):
            parts = [c * (low if c > 0 else high) for c, (low, high) in zip(share, ends)]
            infinite = [v for v in parts if abs(v) == inf]
            value = infinite[0] if infinite else total(parts) / len(parts)
            if not infinite:
                value += self.offset_constant(w_norm2)
            offsets.append(max(value, self.kind(0)) if name in self.not_negative else value)
        return offsets


def spread(form: DualForm, values: Vector) -> Vector:
    """Return the value of each variable's example, from one an example."""
    return values if form.of is None else [values[i] for i in form.of]
