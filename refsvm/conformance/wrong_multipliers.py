"""What multipliers that are not optimal say: of other kernel values, or of where a solver stopped.

m, M    the ends of the offsets that the conditions allow; optimal are multipliers with m <= M
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import inf
from typing import Any

from ..kernels.gram_matrices import gram
from ..kernels.standard import Gaussian, Precomputed
from ..numerics.elementary import exp
from ..numerics.linalg import dot, total
from ..svm.dual_form import group_extremes
from ..svm.kkt_conditions import kkt
from ..svm.problem import Problem
from .explanations import (
    EVERY,
    Decisions,
    Explanation,
    Wanted,
    bug,
    decisions_at_examples,
    float_kernel_rows,
    float_scores,
    optimal_beta,
)
from .nearest_multipliers import nearest_beta
from .protocol import NumericProblem, problem_from_request
from .truth import Evidence, Fractions, shape_of
from .wrong_kernels import CANCELS, exact_kernel_rows, single

MOST_EXAMPLES = 130  # whose matrices are compared
SOMETHING = 0.3  # the weight of broken conditions: most wrong answers have them
LOOSE = 0.45  # the weight of conditions that are broken by little
MOST_LOOSE = 2**11  # times the tolerance is little
MOST_SOUGHT = 40  # examples whose multipliers are found from decisions
STOPPED_AT = ("FlatPairSkipped", "AbsoluteThreshold")
SINGLE = Fraction(1, 2**21)  # what rounding to single precision does, in a few places
MUCH = 100  # times better are conditions that are kept
MOST_LUCK = 2**8  # times smaller than that may be what it does


def explain_multipliers(
    e: Evidence, decisions: Decisions, wanted: Wanted = EVERY
) -> Iterator[Explanation | str]:
    """Yield what the multipliers, stated or found from the decisions, say of the bug."""
    stopped = wanted.any_of("StoppedEarly", "ToleranceScaled", *STOPPED_AT)
    if e.beta is None:
        if stopped and not shape_of(e).is_right and _multipliers_exist(e, decisions):
            yield Explanation("StoppedEarly", _stopped_words(), SOMETHING)
        if wanted.any_of("Cancellation") and not shape_of(e).is_right:
            yield from _by_cancellation(e)
        return
    if wanted.any_of("Float32Rows", "Cancellation"):
        yield from by_rounded_kernel(e)
    if wanted.any_of("StateKept"):
        yield from _by_earlier_kernel(e)
    if wanted.any_of("DualWithoutLabels"):
        yield from _by_unsigned_scores(e)
    broken = e.truth.measure.infeasibility(e.beta)
    if broken:
        flag, why = broken
        yield Explanation(flag, why, 0.6 if flag == "SignFlipped" else 0.45, flag)
        return
    if not stopped:
        return
    problem = e.truth.problem
    scores = e.truth.exact.of_examples.of_beta(e.beta)[: problem.n]
    violation = _violation_with(problem, e.beta, scores)
    if violation <= min(e.truth.allowed):
        return
    if _is_tolerance_times_C(e, violation):
        yield bug("ToleranceScaled", 0.6)
    loose = bug("ToleranceBroken", LOOSE)
    yield loose if e.tol is not None and violation <= MOST_LOOSE * e.tol else loose.identity
    alpha = [c * y for c, y in zip(e.beta, problem.y)]
    flag = _stopping_flag(problem, e.beta, alpha, scores)
    if flag != "StoppedEarly":
        yield bug(flag, 1.2 * SOMETHING)
    yield Explanation("StoppedEarly", _stopped_words(), SOMETHING)


def _is_tolerance_times_C(e: Evidence, violation: Any) -> bool:
    """Return whether the conditions are broken by no more than the tolerance times C."""
    C = set(e.truth.problem.C)
    if e.tol is None or len(C) > 1 or inf in C:
        return False
    promised = Fraction(e.tol) * Fraction(C.pop())
    return bool(promised / 1000 <= violation <= promised)


def _stopped_words() -> str:
    """Return what is said of multipliers that break the conditions."""
    return bug("StoppedEarly").why


def has_optimal_multipliers(e: Evidence) -> bool:
    """Return whether the multipliers are feasible, and nearly have the optimal dual value."""
    problem, best = e.truth.problem, e.truth.optimum
    if e.beta is None or e.truth.measure.infeasibility(e.beta):
        return False
    dual = problem.dual([c * y for c, y in zip(e.beta, problem.y)])
    return bool(abs(best.objective - dual) * 10**6 <= best.objective)


def violation_of(problem: NumericProblem, alpha: list[Any]) -> Any:
    """Return m - M."""
    found = kkt(problem, alpha)
    return found.m - found.M


def _multipliers_exist(e: Evidence, decisions: Decisions) -> bool:
    """Return whether multipliers inside their bounds, which balance, make these decisions."""
    problem = e.truth.original
    usual = problem.slack == "hinge" and problem.n <= MOST_SOUGHT
    at_examples = decisions_at_examples(e, decisions)
    if at_examples is None or not usual or not decisions.finite:
        return False
    K = float_kernel_rows(problem, problem.X)
    beta = nearest_beta(problem, K, at_examples, min(decisions.allowed) / 4)
    shifts = decisions.shifts(float_scores(problem, beta, e.request.rows))
    return shifts is not None and (problem.bias or shifts[0] <= 0 <= shifts[1])


# ---- matrices for which the multipliers are optimal


def by_rounded_kernel(e: Evidence) -> Iterator[Explanation]:
    """Yield the rounding of kernel values that makes alpha optimal.

    That is, the conditions are kept much better there than on the kernel matrix itself.
    """
    return _by_matrices(e, _rounded_matrices(e.truth.original, e.truth.problem))


def _by_earlier_kernel(e: Evidence) -> Iterator[Explanation]:
    """Yield the earlier problem whose kernel values make alpha optimal.

    Multipliers at their bounds are optimal for many matrices by accident.
    """
    problem = e.truth.problem
    bounds = problem.upper_bounds()
    free = [0 < c * y < C for c, y, C in zip(e.beta or (), problem.y, bounds)]
    return _by_matrices(e, _earlier_matrices(e)) if free.count(True) > 1 else iter(())


def _by_unsigned_scores(e: Evidence) -> Iterator[Explanation]:
    """Yield that alpha keeps the conditions with scores of alpha, where beta is meant."""
    problem, exactly = e.truth.problem, e.truth.exact.of_examples
    if e.beta is None:
        return
    alpha = [c * y for c, y in zip(e.beta, problem.y)]
    here, there = (
        _violation_with(problem, e.beta, exactly.of_beta(c)[: problem.n]) for c in (e.beta, alpha)
    )
    if MUCH * there < here:
        why = "alpha is optimal for scores without labels"
        yield Explanation("DualWithoutLabels", why, 0.8, "scores")


def _violation_with(problem: NumericProblem, beta: Fractions, scores: Fractions) -> Any:
    """Return m - M of multipliers, with these scores of the examples."""
    form = problem.dual_form()
    ((m, M),) = group_extremes(form, beta, problem.residuals(form, beta, scores))
    return m - M


def _by_matrices(e: Evidence, matrices: Iterable[tuple[str, str, Any]]) -> Iterator[Explanation]:
    """Yield what is said of each kernel matrix for which alpha is optimal."""
    problem = e.truth.problem
    if e.beta is None or problem.n > MOST_EXAMPLES or problem.slack != "hinge":
        return
    alpha = [c * y for c, y in zip(e.beta, problem.y)]
    here = violation_of(problem, alpha)
    for flag, why, K in matrices:
        there = Problem(K, problem.y, Precomputed(), problem.C, problem.bias)
        if MUCH * violation_of(there, alpha) < here:
            yield Explanation(flag, f"alpha is optimal for {why}", 0.8, flag)


def _rounded_matrices(
    original: NumericProblem, problem: NumericProblem
) -> Iterator[tuple[str, str, Any]]:
    """Yield flag, words and kernel matrix as it is rounded by mistake, where that changes it."""
    K = problem.X if not problem.kernel.has_rows else gram(problem.kernel, problem.X)
    rounded = [[Fraction(single(v)) for v in row] for row in K]
    if rounded != K:
        yield "Float32Rows", "kernel values rounded to single precision", rounded
    cancelled = _cancelled_matrix(original)
    if cancelled is not None:
        yield "Cancellation", CANCELS, [list(map(Fraction, row)) for row in cancelled]


def _cancelled_matrix(problem: NumericProblem) -> list[list[float]] | None:
    """Return a Gaussian's matrix with expanded distances; None of another kernel, or huge rows."""
    if type(problem.kernel) is not Gaussian:
        return None
    squares = [dot(x, x) for x in problem.X]
    if max(squares) == inf:
        return None
    return [
        [
            exp(-problem.kernel.gamma * max(p + q - 2 * dot(x, z), 0.0))
            for x, p in zip(problem.X, squares)
        ]
        for z, q in zip(problem.X, squares)
    ]


def _earlier_matrices(e: Evidence) -> Iterator[tuple[str, str, Any]]:
    """Yield flag, words and kernel matrix of other problems of as many examples."""
    for request in e.earlier:
        if request.arrays is None and len(request.X) == e.truth.problem.n:
            problem = problem_from_request(request._replace(C=[1.0] * len(request.y)))
            K = exact_kernel_rows(problem, problem.X)
            yield "StateKept", f"the rows of an earlier problem, {request.id}", K


def _by_cancellation(e: Evidence) -> Iterator[Explanation]:
    """Yield that the error is no larger than what expanded distances make of kernel values.

    Not where that is less than is allowed, or much more than the error.
    """
    original, allowed = e.truth.original, e.truth.allowed
    cancelled = _cancelled_matrix(original)
    if cancelled is None:
        return
    K = float_kernel_rows(original, original.X)
    most = max(abs(p - q) for row, other in zip(K, cancelled) for p, q in zip(row, other))
    size = most * float(total(map(abs, optimal_beta(e))))
    errors = _errors_of(e)
    if min(allowed) <= size <= MOST_LUCK * max(errors) and max(errors) <= size:
        yield Explanation("Cancellation", f"the error is what {CANCELS}, makes", 0.45, "size")


def _errors_of(e: Evidence) -> Fractions:
    """Return how far each decision is off, if the first one is right."""
    shift = e.decisions[0] - e.truth.scores[0]
    return [abs(f - s - shift) for f, s in zip(e.decisions, e.truth.scores)]


def by_single_precision(e: Evidence) -> Iterator[Explanation]:
    """Yield that the error is as large as single precision makes errors of kernel values.

    Not where that is less than is allowed, or much more than the error: then it is another one.
    """
    allowed = e.truth.allowed
    rounding = [SINGLE * size for size in e.truth.exact.sizes_of_beta(optimal_beta(e))]
    errors = _errors_of(e)
    if not min(allowed) <= max(rounding) <= MOST_LUCK * max(errors):
        return
    if all(error <= a + r for error, a, r in zip(errors, allowed, rounding)):
        why = "the error is what single precision makes of kernel values so large"
        yield Explanation("Float32Rows", why, 0.45, "rounding")


# ---- where a solver stopped


def _stopping_flag(problem: NumericProblem, beta: Any, alpha: Any, scores: Any) -> str:
    """Return what is special about the pair of examples that violates optimality most."""
    form = problem.dual_form()
    r = problem.residuals(form, beta, scores)
    ((m, M),) = group_extremes(form, beta, r)
    if not problem.bias:
        return "StoppedEarly"
    i = next(k for k, v in enumerate(r) if v == m and room(problem, alpha, k, +1) > 0)
    j = next(k for k, v in enumerate(r) if v == M and room(problem, alpha, k, -1) > 0)
    row = problem.kernel_rows()
    at_i, at_j = row(problem.rows[i]), row(problem.rows[j])
    curvature = at_i[i] + at_j[j] - 2 * at_i[j]
    if curvature == 0:
        return "FlatPairSkipped"
    step = min((m - M) / curvature, room(problem, alpha, i, +1), room(problem, alpha, j, -1))
    return "AbsoluteThreshold" if step < Fraction(1, 1000) else "StoppedEarly"


def room(problem: NumericProblem, alpha: list[Fraction], k: int, direction: int) -> Any:
    """Return how far beta_k may rise (+1) or fall (-1)."""
    up = problem.y[k] * direction > 0
    return problem.upper_bounds()[k] - alpha[k] if up else alpha[k]
