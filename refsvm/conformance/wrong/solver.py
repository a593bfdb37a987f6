"""Bugs of the solver: the multipliers are not those of the problem.

TABLE holds changes of the right multipliers: what is cut off, kept in the wrong box, or optimal
for another dual. How a solver goes wrong on its way, from step to step, no table can hold: that is
read off the multipliers that the program tells, by `of_own_multipliers`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import inf
from typing import Any, Optional

from ...kernels.gram_matrices import gram
from ...kernels.standard import Gaussian
from ...numerics.elementary import exp
from ...numerics.linalg import dot, total
from ...numerics.types import Vector, VectorLike
from ...svm.dual_form import group_extremes
from ...svm.problem import Problem
from ...svm.training_problem import TrainingProblem
from ..cases.flags import BUGS
from ..truth import Evidence
from ..truth.grouped_measure import TINY
from .kernel import expanded_distance
from .pipeline import AfterTraining, at_bounds, multipliers_of
from .rows import single
from .tasks import BugTable, Task, as_gram

TABLE = BugTable("solve")
Floats = list[float]
OfAlpha = Callable[[AfterTraining], Optional[Floats]]
MOST_PAIRS = 5000


def _each(of_alpha: Callable[[float, float, int, AfterTraining], float]) -> OfAlpha:
    """Return the change of each multiplier, by its bound and its place."""

    def change(m: AfterTraining) -> Floats | None:
        pairs = zip(m.alpha, m.task.bounds)
        alpha = [of_alpha(a, c, i, m) for i, (a, c) in enumerate(pairs)]
        return None if alpha == m.alpha else alpha

    return change


def _dropped(share: float) -> OfAlpha:
    return _each(lambda a, c, i, m: 0.0 if abs(a) < share * c < inf else a)


def _boxed(other: Callable[[int, int], int]) -> OfAlpha:
    """Return multipliers that stay within the bound of another example."""

    def of(a: float, c: float, i: int, m: AfterTraining) -> float:
        most = m.task.bounds[other(i, m.task.n)]
        return max(-most, min(most, a))

    return _each(of)


def _on_matrix(of_value: Callable[[Task, int, int, float], float]) -> OfAlpha:
    """Return the multipliers that are optimal for other kernel values."""

    def change(m: AfterTraining) -> Floats | None:
        g = as_gram(m.task)
        X = [[of_value(g, i, j, v) for j, v in enumerate(x)] for i, x in enumerate(g.X)]
        return None if X == g.X else multipliers_of(g.but(X=X))

    return change


def _signed(t: Task, i: int, j: int, v: float) -> float:
    return float(t.y[i] * t.y[j] * v) if t.is_labelled else v


def _with_linear_term(factor: float) -> OfAlpha:
    """Return the multipliers of a ball whose dual has so many times its linear term, K_ii / 2."""

    def change(m: AfterTraining) -> Floats | None:
        if m.task.form != "svdd":
            return None
        target = [factor * v for v in m.form.target]
        return _of_sum_one(as_gram(m.task).X, target, m.form.upper)

    return change


def _of_sum_one(K: Sequence[VectorLike], target: Floats, upper: Floats) -> Floats:
    """Return the multipliers of sum 1 that maximise target' a - 1/2 a' K a, by pair steps."""
    n, rest = len(target), 1.0
    a = [0.0] * n
    for i, most in enumerate(upper):
        a[i] = min(most, rest)
        rest -= a[i]
    r = [t - float(dot(a, row)) for t, row in zip(target, K)]
    for _ in range(MOST_PAIRS):
        up = max((k for k in range(n) if a[k] < upper[k]), key=lambda k: r[k], default=None)
        low = min((k for k in range(n) if a[k] > 0), key=lambda k: r[k], default=None)
        if up is None or low is None or r[up] - r[low] <= 1e-9 * max(map(abs, r)):
            break
        curvature = K[up][up] + K[low][low] - 2 * K[up][low]
        room = min(upper[up] - a[up], a[low])
        step = min(room, (r[up] - r[low]) / curvature) if curvature > 0 else room
        a[up], a[low] = a[up] + step, a[low] - step
        r = [v - step * (x - z) for v, x, z in zip(r, K[up], K[low])]
    return a


TABLE.add(
    "VectorsDropped",
    "Rows with small multipliers have no say; b is found without them.",
    "eriklindernoren/ML-From-Scratch#41 and codes with 1e-5, or a share of C",
    {
        f"multipliers below {words} of C are 0": _dropped(share)
        for words, share in (("1/50", 0.02), ("1/100", 0.01), ("1/10", 0.1), ("1/4", 0.25))
    },
)
TABLE.add(
    "VectorsDropped",
    "With a small C no row has a say; b is found without those that are dropped.",
    "jonchar/ml-python#1 and codes that ask for alpha > 1e-5",
    {"multipliers below 1e-5 are 0": _each(lambda a, c, i, m: a if abs(a) >= 1e-5 else 0.0)},
)
TABLE.add(
    "BoxOfAnother",
    "Where weights differ, a row has the weight of another; equal weights pass.",
    "pair steps that clip j by C_i",
    {
        "a multiplier keeps within the bound of the example before": _boxed(lambda i, n: i - 1),
        "a multiplier keeps within the bound of the example behind": _boxed(
            lambda i, n: (i + 1) % n
        ),
        "a multiplier keeps within the bound of the first example": _boxed(lambda i, n: 0),
    },
)
TABLE.add(
    "AlphaConstant",
    "It is the difference of the classes' means, under another name.",
    "fengdu78/lihang-code#46: alpha stays 1",
    {
        "every multiplier is 1": _each(lambda a, c, i, m: 1.0 if a >= 0 or c else a),
        "every multiplier is C": _each(lambda a, c, i, m: c if c < inf else a),
    },
)
TABLE.add(
    "SupportVectorsLost",
    "The multipliers do not balance any more.",
    "regressions that keep one of two halves",
    {
        "multipliers at their bound are 0": _each(lambda a, c, i, m: 0.0 if abs(a) >= c else a),
        "multipliers below their bound are 0": _each(
            lambda a, c, i, m: 0.0 if abs(a) < c < inf else a
        ),
        "negative multipliers are 0": _each(lambda a, c, i, m: max(a, 0.0)),
    },
)
TABLE.add(
    "DualWithoutLabels",
    "The classes attract each other: the border lies anywhere.",
    "jonchar/ml-python#1",
    {"the labels are left out of the dual": _on_matrix(_signed)},
)
TABLE.add(
    "LinearTerm",
    "The centre lies elsewhere: rows far out are no longer on the surface.",
    "SVDD codes without, or with twice, k(x, x) in their dual",
    {
        "the dual has K_ii where K_ii / 2 is meant": _with_linear_term(2.0),
        "the dual has no K_ii": _with_linear_term(0.0),
        "the dual has K_ii / 4": _with_linear_term(0.5),
    },
)
TABLE.add(
    "Float32Rows",
    "Multipliers end where single precision ends.",
    "programs on graphics cards",
    {"multipliers are kept in single precision": _each(lambda a, c, i, m: single(a))},
)


# ---- what the multipliers that a program tells say


MOST_LOOSE = 2**11  # tolerances by which conditions are broken at most
ABSOLUTE = Fraction(1, 50)  # is small in numbers without units
MUCH = 100  # times better are conditions that are kept
MAX_MATRIX_EXAMPLES = 130  # whose matrices are compared
LARGEST_SINGLE = 2**127  # of kernel values that single precision holds
IN_SINGLE = "alpha is optimal for kernel values rounded to single precision"
Read = tuple[str, str]  # flag, words


def of_own_multipliers(e: Evidence) -> Iterator[Read]:
    """Yield what an answer's multipliers say of its solver: flag and words; the surest first."""
    if e.beta is None:
        return
    e = _with_the_sum_of_nu(e)
    broken = e.truth.measure.infeasibility(e.beta)
    if broken is not None:
        flag, _ = broken
        yield flag, BUGS[flag]
        return
    if not isinstance(e.truth.problem, Problem):
        yield from _of_grouped(e)
        return
    here = _violation(e, e.truth.exact.of_examples.of_beta(e.beta))
    if here <= min(e.truth.allowed):
        return
    for flag, words, there in _other_scores(e):
        if MUCH * there < here:
            yield flag, words
    C = e.truth.problem.C[0]
    if e.tol is not None and len(set(e.truth.problem.C)) == 1 and C < inf:
        promised = Fraction(e.tol) * Fraction(C)
        if promised / 1000 <= here <= promised:
            yield "ToleranceScaled", "the conditions are broken by no more than tol C"
    if e.tol is not None and here <= MOST_LOOSE * e.tol:
        yield "ToleranceBroken", "the conditions are broken by little"
    yield from _stopped_at(e)
    yield "StoppedEarly", BUGS["StoppedEarly"]


def _with_the_sum_of_nu(e: Evidence) -> Evidence:
    """Return the Evidence of nu-classification, whose multipliers were divided by some rho, with
    the sum that they had before.
    """
    size = total(list(map(abs, e.beta)))
    if e.factor == 1 or size == 0 or not hasattr(e.truth.measure, "solved_rho"):
        return e
    times = 2 * e.truth.measure.form.sums[0] / size
    return e._replace(beta=[times * c for c in e.beta])


def _of_grouped(e: Evidence) -> Iterator[Read]:
    """Yield the same of the other machines, whose multipliers have several sums."""
    measure = e.truth.measure
    alpha = measure.alpha_of(e.beta)
    here = _grouped_violation(e, measure.scores_at_examples(alpha))
    if here <= min(e.truth.allowed):
        return
    rounded = _rounded_values(e.truth.original)
    if rounded is not None:
        there = _grouped_violation(e, _scores_on(rounded, measure.beta_of(alpha)))
        if MUCH * there < here:
            yield "Float32Rows", IN_SINGLE
    unit = measure.unit(e.truth.optimum)
    keeps_tol = e.tol is not None and e.tol * unit < here <= 2 * Fraction(e.tol)
    if keeps_tol or here <= ABSOLUTE:
        words = "the conditions are broken by a small number, in no units"
        yield "AbsoluteTolerance", words
    yield "StoppedEarly", BUGS["StoppedEarly"]


def _grouped_violation(e: Evidence, scores: Any) -> Any:
    """Return the largest m - M of the groups, with these scores of the examples.

    A multiplier that was divided by rho is at its bound if it is there but for rounding.
    """
    measure = e.truth.measure
    form, x = measure.form, measure.problem.variables_of(measure.alpha_of(e.beta))
    x = at_bounds(form, x, TINY * max(map(abs, x)))
    return max(m - M for m, M in group_extremes(form, x, measure.residuals(scores)))


def why_tolerance_is_broken(e: Evidence) -> tuple[str, str]:
    """Return the flag, and the words, of multipliers that do not keep the stated tolerance."""
    few = ("Float32Rows", "Cancellation", "AbsoluteTolerance")
    if isinstance(e.truth.problem, Problem):
        here = _violation(e, e.truth.exact.of_examples.of_beta(e.beta))
        every = [(f, words) for f, words, there in _other_scores(e) if MUCH * there < here]
    else:
        every = [(f, words) for f, words in of_own_multipliers(e)]
    found = (read for read in every if read[0] in few)
    return next(found, ("ToleranceBroken", "no warning"))


def is_flat_pair(e: Evidence) -> bool:
    """Return whether the solver stopped at a pair of examples without curvature."""
    is_feasible = e.beta is not None and e.truth.measure.infeasibility(e.beta) is None
    if not is_feasible or not isinstance(e.truth.problem, Problem):
        return False
    return any(flag == "FlatPairSkipped" for flag, *_ in _stopped_at(e))


def _violation(e: Evidence, scores: VectorLike) -> Any:
    """Return m - M of an answer's multipliers with these scores."""
    problem = e.truth.problem
    form = problem.dual_form()
    r = problem.residuals(form, e.beta, scores[: problem.n])
    ((m, M),) = group_extremes(form, e.beta, r)
    return m - M


def _other_scores(e: Evidence) -> Iterator[tuple[str, str, Any]]:
    """Yield flag, words, and how optimal the multipliers are for kernel values that are wrong."""
    problem, original = e.truth.problem, e.truth.original
    if problem.n > MAX_MATRIX_EXAMPLES or problem.slack != "hinge":
        return
    rounded = _rounded_values(problem)
    if rounded is not None:
        yield "Float32Rows", IN_SINGLE, _violation(e, _scores_on(rounded, e.beta))
    if type(original.kernel) is Gaussian:
        gamma, X = original.kernel.gamma, original.X
        values = [[Fraction(exp(-gamma * expanded_distance(x, z))) for x in X] for z in X]
        words = "alpha is optimal for x.x + z.z - 2 x.z"
        yield "Cancellation", words, _violation(e, _scores_on(values, e.beta))


def _rounded_values(problem: TrainingProblem) -> list[list[Fraction]] | None:
    """Return the kernel values in single precision; None if they are so already, or too many."""
    if problem.n > MAX_MATRIX_EXAMPLES:
        return None
    K = gram(problem.kernel, problem.X) if problem.kernel.has_rows else problem.X
    if not max(abs(v) for row in K for v in row) < LARGEST_SINGLE:
        return None
    rounded = [[Fraction(single(float(v))) for v in row] for row in K]
    return None if rounded == K else rounded


def _scores_on(K: Sequence[VectorLike], beta: VectorLike) -> Vector:
    """Return the scores of the examples with another matrix."""
    return [dot(beta, row) for row in K]


def _stopped_at(e: Evidence) -> Iterator[Read]:
    """Yield what is special about the pair of examples that violates optimality most."""
    problem = e.truth.problem
    if not problem.bias:
        return
    form = problem.dual_form()
    scores = e.truth.exact.of_examples.of_beta(e.beta)[: problem.n]
    r = problem.residuals(form, e.beta, scores)
    ((m, M),) = group_extremes(form, e.beta, r)
    up = next(k for k, v in enumerate(r) if v == m and e.beta[k] < form.upper[k])
    low = next(k for k, v in enumerate(r) if v == M and e.beta[k] > form.lower[k])
    row = problem.kernel_rows()
    at_up, at_low = row(problem.rows[up]), row(problem.rows[low])
    curvature = at_up[up] + at_low[low] - 2 * at_up[low]
    if curvature == 0:
        yield "FlatPairSkipped", "it stopped at a pair without curvature"
        return
    room = min(form.upper[up] - e.beta[up], e.beta[low] - form.lower[low])
    if min((m - M) / curvature, room) < Fraction(1, 1000):
        yield "AbsoluteThreshold", "it stopped where steps are small"
