"""The truth about a case, and a subject's answer beside it, as fractions.

    s(x)     the score of a row, <w, phi(x)>; the same at every optimum
    f(x)     the decision, s(x) + b; every b from b_low to b_high is optimal
    beta_i   alpha_i y_i
    error    f(x) - s(x), the offset that the subject seems to use at x: the same at every row,
             and optimal, if the subject is right

What an answer does not say is computed from what it says: decisions from beta and b or from w and
b, exactly; and how far above the optimum its primal value is.

    exact_scores      the scores of multipliers or weights
    margin_measure, grouped_measure, machine_measures     what of this depends on the machine
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from ...numerics.intervals import Interval
from ...numerics.types import Number, Vector, VectorLike
from ...proofs.answers import linear_function
from ...svm.dual_form import middle as middle_of_ends
from ..protocol import Answer, NumericProblem, Request, as_fractions
from ..protocol.case import Case
from .exact_scores import ExactOptimum as ExactOptimum
from .exact_scores import ExactScores as ExactScores
from .exact_scores import Fractions as Fractions
from .machine_measures import OneClassMeasure, measure_of
from .margin_measure import ENGINEERING as ENGINEERING
from .margin_measure import MarginMeasure
from .margin_measure import allowances as allowances
from .margin_measure import on_fractions as on_fractions


class NoOptimum(Exception):
    """The problem has no optimum, or no machine comes of it; a sentence why."""


class Truth(NamedTuple):
    """What every optimum of a problem has in common, and how far decisions may be off.

    Of a case that states its optimum in doubles, the numbers are these; then alpha is found when
    it is asked for, and the objective is the largest that it may be.
    """

    original: NumericProblem  # the problem as it was asked, on floats
    problem: NumericProblem  # the same on Fractions
    optimum: ExactOptimum
    rows: list[Fractions]  # those asked about
    scores: Fractions  # s of each of them
    example_scores: Fractions  # s of the examples
    allowed: Fractions  # how far each decision may be off
    exact: ExactScores  # of other multipliers at these rows
    offset_rounding: Any = Fraction(0)  # what rounding may do to b, found at any of the examples
    measure: Any = None  # what depends on the machine: margin_measure.py, grouped_measure.py

    @property
    def alpha(self) -> Any:
        """Multipliers of an optimum."""
        best = self.optimum
        return self.measure.solve().alpha if best.alpha is None else best.alpha

    @property
    def thousandths(self) -> Fractions:
        """A thousandth of the size of the decisions, at each row."""
        return self.measure.allowances(  # type: ignore[no-any-return]
            self.optimum, self.example_scores, self.scores
        )


class Evidence(NamedTuple):
    """A truth and an answer; None for what is not known of the answer."""

    truth: Truth
    request: Request
    tol: float | None  # the tolerance that the subject knew of
    decisions: Any
    beta: Any
    b: Any
    w: Any
    stated: Any  # the decisions as the answer states them, None if they were computed from it
    answer: Answer
    factor: Any = Fraction(1)  # what the answer's numbers are times this, see grouped_measure.py

    def times(self, factor: Number) -> Evidence:
        """Return the Evidence whose numbers are so many times the answer's."""

        def scaled(values: VectorLike | None) -> Vector | None:
            return None if values is None else [factor * v for v in values]

        return self._replace(
            decisions=scaled(self.decisions),
            stated=scaled(self.stated),
            beta=scaled(self.beta),
            w=scaled(self.w),
            b=None if self.b is None else factor * self.b,
            factor=factor,
        )

    def as_told(self, value: Number) -> Any:
        """Return a number of the truth in the unit of the answer's."""
        return value / self.factor

    def with_offsets(self, b_low: Number, b_high: Number) -> Evidence:
        """Return the Evidence beside a truth of which these offsets are optimal."""
        optimum = self.truth.optimum._replace(b_low=b_low, b_high=b_high)
        return self._replace(truth=self.truth._replace(optimum=optimum))


def truth_of(
    problem: NumericProblem, rows: Sequence[VectorLike], case: Case | None = None
) -> Truth:
    """Return the Truth about rows; NoOptimum if the problem has none.

    The optimum is that of the case, if there is one: then problem and rows are the case's, as
    as_doubles has made them, and more rows if the kernel is linear.
    """
    original, asked = problem, rows
    problem, rows = on_fractions(original, rows)
    measure = measure_of(original, problem)
    known = None if case is None or "NotDyadic" in case.flags else case.optimum
    optimum: ExactOptimum = known or measure.solve()
    if optimum.status in ("infeasible", "degenerate"):
        raise NoOptimum(measure.no_optimum)
    optimum = _with_numbers(optimum)
    exactly = measure.scores(rows, asked)
    if known and case and case.scores and not problem.linear:
        scores = list(map(middle, [*case.scores, *(query.s for query in case.queries)]))
    else:
        scores = exactly.of_optimum(optimum)
    at_examples = (
        scores if exactly.of_examples is exactly else exactly.of_examples.of_optimum(optimum)
    )
    at_examples = at_examples[: problem.n]
    allowed = measure.allowances(optimum, at_examples, scores)
    return Truth(
        original, problem, optimum, rows, scores, at_examples, allowed, exactly, measure=measure
    )


def _with_numbers(optimum: ExactOptimum) -> ExactOptimum:
    """Return the Optimum with numbers for intervals: the middle, or the end of the objective."""
    numbers = {name: middle(value) for name, value in optimum._asdict().items()}
    return optimum._replace(**{**numbers, "objective": highest(optimum.objective)})


def middle(value: Any) -> Any:
    """Return the middle of an interval; anything else as it is."""
    return (value.low + value.high) / 2 if isinstance(value, Interval) else value


def highest(value: Number) -> Number:
    """Return the upper end of an interval; a number as it is."""
    return value.high if isinstance(value, Interval) else value


def kernel_values(problem: NumericProblem, row: Any) -> Any:
    """Return K(x_i, row) for every example i of a problem on Fractions."""
    if not problem.kernel.has_rows:
        return row
    return problem.kernel.row_function(problem.X, Fraction)(row)


def scores_of(problem: NumericProblem, beta: Fractions, rows: list[Fractions]) -> Fractions:
    """Return sum beta_i K(x_i, x) of each row."""
    return ExactScores(problem, rows).of_beta(beta)


def middle_offset(optimum: ExactOptimum) -> Any:
    """Return an optimal offset: the middle of the interval, or its finite end."""
    return middle_of_ends(optimum.b_low, optimum.b_high)


# ---- the answer beside it


def evidence_of(
    truth: Truth, request: Request, answer: Answer, tol: float | None, kept: Any = None
) -> Evidence:
    """Return the Evidence; `kept` are the truth's examples among those of the request."""
    beta, b, w = (
        _stated_beta(truth.measure, answer, kept),
        truth.measure.offset_of(answer),
        answer.w,
    )
    b, w = None if b is None else Fraction(b), None if w is None else as_fractions(w)
    stated = None if answer.decisions is None else as_fractions(answer.decisions)
    found = Evidence(
        truth,
        request,
        tol,
        decisions_of_model(truth, beta, b, w) if stated is None else stated,
        beta,
        b,
        w,
        stated,
        answer,
    )
    return truth.measure.normalised(found)  # type: ignore[no-any-return]


def _stated_beta(
    measure: MarginMeasure | OneClassMeasure, answer: Answer, kept: Any
) -> Fractions | None:
    """Return beta of the truth's examples; None if the answer has no multipliers."""
    given = answer.beta if answer.alpha is None else answer.alpha
    if given is None:
        return None
    given = as_fractions(given)
    given = given if kept is None else [given[i] for i in kept]
    beta: Fractions = given if answer.alpha is None else measure.alpha_of(given)
    return beta


def decisions_of_model(
    truth: Truth, beta: Vector | None, b: Number | None, w: Any
) -> Fractions | None:
    """Return the decisions that beta and b, or w and b, stand for; None if neither is there."""
    if b is None or (beta is None and w is None):
        return None
    scores = truth.exact.of_w(w) if beta is None else truth.exact.of_beta(beta)
    return [s + b for s in scores]


class Shape(NamedTuple):
    """How the decisions differ from the truth: by a shift, and by what is no shift.

    shift     the offset that fits best       bent    whether they differ by more than a shift
    outside   how far the shift is from the optimal offsets, beyond what is allowed
    worst     the row where they are worst
    """

    shift: Fraction
    bent: bool
    outside: Fraction
    worst: int

    @property
    def is_right(self) -> bool:
        """Whether all decisions are right, so that only the multipliers can be wrong."""
        return not self.bent and not self.outside


def shape_of(evidence: Evidence) -> Shape:
    """Return the Shape of the errors. The shift is fitted where least is allowed."""
    truth = evidence.truth
    errors = [f - s for f, s in zip(evidence.decisions, truth.scores)]
    allowed = truth.allowed
    low = max(e - a for e, a in zip(errors, allowed))
    high = min(e + a for e, a in zip(errors, allowed))
    shift = (low + high) / 2
    off = [abs(e - shift) - a for e, a in zip(errors, allowed)]
    worst = off.index(max(off))
    outside = max(truth.optimum.b_low - shift, shift - truth.optimum.b_high)
    outside -= min(allowed) + truth.offset_rounding
    return Shape(shift, low > high, max(Fraction(0), outside), worst)


def share_of_allowed(evidence: Evidence) -> Fraction:
    """Return the largest error of a decision, in parts of what is allowed of it."""
    truth, shift = evidence.truth, shape_of(evidence).shift
    b = min(max(shift, truth.optimum.b_low), truth.optimum.b_high)
    errors = (abs(f - s - b) for f, s in zip(evidence.decisions, truth.scores))
    return max((Fraction(e) / a for e, a in zip(errors, truth.allowed)), default=Fraction(0))


# ---- the gap: the primal value of an answer, beside the known optimum


class Gap(NamedTuple):
    """How far above the optimum an answer is; None for what is not known, or was not stated.

    excess     the primal value at the answer less the optimum: never negative
    promised   what the stated tolerance allows of the gap
    """

    excess: Fraction | None
    promised: Fraction | None


def gap_of(e: Evidence) -> Gap:
    """Return the Gap of an Evidence."""
    primal = primal_of(e)
    if primal is None:
        return Gap(None, None)
    excess = max(primal - e.truth.optimum.objective, Fraction(0))
    if e.tol is None or e.beta is None:
        return Gap(excess, None)
    return Gap(excess, e.truth.measure.promised(e, primal))


def primal_of(e: Evidence) -> Any:
    """Return the primal value of an answer, exactly; None if it is not known what w and b it has.

    They are those of the multipliers and b that the subject states; or its w and b; or, if it only
    decides and the kernel is linear, the one w and b to which its decisions at d + 1 points
    belong. So a program that states nothing of its model has an exact primal value, too.
    """
    if (e.b is None or e.beta is None and e.w is None) and e.stated is not None:
        w, b = weights_of(e)
        e = e._replace(w=w, b=b)
    return e.truth.measure.primal(e)


def weights_of(e: Evidence) -> tuple[Any, Any]:
    """Return w, b of a linear machine of which decisions are known only; None, None if unknown.

    Decisions that are those of no linear machine have no w.
    """
    problem = e.truth.problem
    stated = {tuple(row): f for row, f in zip(e.truth.rows, e.stated)}
    if not problem.linear or not all(tuple(row) in stated for row in rows_that_fix_w(problem)):
        return None, None
    w, b = e.truth.measure.linear_model(stated)
    modelled = [s + b for s in e.truth.exact.of_w(w)]
    agree = all(abs(f - m) <= a for f, m, a in zip(e.stated, modelled, e.truth.allowed))
    return (w, b) if agree else (None, None)


def rows_that_fix_w(problem: NumericProblem) -> list[list[float]]:
    """Return the d + 1 rows whose decisions determine w and b of a linear machine.

    >>> from refsvm.svm.problem import Problem
    >>> rows_that_fix_w(Problem([[0, 1], [4, 1], [2, 3]], [-1, 1, 1]))
    [[2.0, 1.0], [0.0, 1.0], [2.0, 3.0]]
    """
    rows: list[list[float]] = []

    def keep(x: list[float]) -> int:
        rows.append(x)
        return 0

    linear_function(problem, keep)
    return rows
