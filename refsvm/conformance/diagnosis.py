"""Which bug a wrong answer shows.

A known bug makes of each problem another one, or of each optimal offset another number; what it
would answer can be computed exactly. So a wrong answer is compared with the answers of the known
bugs, and the first that it agrees with explains it. What no bug explains is explained by what the
subject says of itself (its multipliers, its warnings), or by what the case is aimed at.

    s, b      the truth's scores and optimal offsets            r_i    y_i - s_i, the offset that
    f         the subject's decisions                                  puts example i on its margin
    shift     what f - s is, where it is the same everywhere    beta   alpha_i y_i
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from math import inf, sqrt
from struct import pack, unpack
from typing import Any, Optional

from ..kernels.gram_matrices import gram
from ..kernels.standard import Gaussian, Precomputed
from ..numerics.elementary import exp, tanh
from ..numerics.linalg import dot
from ..proofs.verification import Unproved
from ..svm.kkt_conditions import extremes, kkt, residuals
from ..svm.problem import Problem
from .cases import Case
from .cases.flags import BUGS
from .checks import infeasibility
from .metamorphic import with_changes
from .protocol import NumericProblem, problem_from_request, says_unfinished
from .truth import (
    ENGINEERING,
    Evidence,
    NoOptimum,
    Truth,
    kernel_values,
    middle_offset,
    scores_of,
    shape_of,
    truth_of,
)
from .wrong_problems import exact_kernel_rows, wrong_offsets, wrong_problems

MOST_EXAMPLES = 40  # of a problem for which other problems are solved to explain an answer
Explanation = Optional[tuple[str, str]]  # the flag, and a sentence
UNEXPLAINED = ("Wrong", "StoppedEarly", "ThreePoints", "Float32Rows")
BUGS_OF_CASES = {
    "Float32Hostile": "Float32Rows",
    "Cancellation": "Cancellation",
    "ThreePoints": "ThreePoints",
    "SlowSMO": "StoppedEarly",
}


def diagnose(e: Evidence, case: Case) -> tuple[str, str]:
    """Return the flag, and a sentence, that explain a wrong answer; the sentence may be empty."""
    if says_unfinished(e.answer):
        found = by_multipliers(e) if e.decisions is not None and e.beta is not None else None
        flat = found is not None and found[0] == "FlatPairSkipped"
        return "FlatPairSkipped" if flat else "NotConverged", "and it says so"
    if e.decisions is not None:
        for explain in explanations(e, case):
            explanation = explain(e)
            if explanation:
                return explanation
        shape = shape_of(e)
        if not shape.bent and not shape.is_right:
            return "Offset", BUGS["Offset"]
    for flag, bug in BUGS_OF_CASES.items():
        if flag in case.flags:
            return bug, BUGS[bug]
    return "Wrong", ""


def explanations(e: Evidence, case: Case) -> tuple[Callable[[Evidence], Explanation], ...]:
    """Return the functions that may explain, in order.

    Decisions alone, where single precision spoils them, are not compared with other problems: one
    of those many fits by accident. Where the multipliers are optimal only the offset can be wrong;
    where they are not, or are not known and the penalties differ, it is more likely that another
    problem was solved.
    """
    suspect = e.beta is not None or len(set(e.truth.problem.C)) > 1
    first, second = by_offset, by_problem
    if suspect and not has_optimal_multipliers(e):
        first, second = second, first
    if e.beta is None and "Float32Hostile" in case.flags:
        return by_size, by_offset, by_sign, by_multipliers
    return (
        by_own_model,
        by_size,
        by_rounded_kernel,
        first,
        by_sign,
        second,
        by_margin,
        by_earlier_kernel,
        by_dual,
        by_multipliers,
    )


def has_optimal_multipliers(e: Evidence) -> bool:
    """Return whether the multipliers are feasible, and nearly have the optimal dual value."""
    problem, best = e.truth.problem, e.truth.optimum
    if e.beta is None or infeasibility(e):
        return False
    dual = problem.dual([c * y for c, y in zip(e.beta, problem.y)])
    return bool(abs(best.objective - dual) * 10**6 <= best.objective)


def matches(e: Evidence, scores: Iterable[Any], low: Any, high: Any) -> bool:
    """Return whether the decisions are these scores, and the same offset from low to high."""
    off = [f - s for f, s in zip(e.decisions, scores)]
    allowed = e.truth.allowed
    least = max(o - a for o, a in zip(off, allowed))
    most = min(o + a for o, a in zip(off, allowed))
    return bool(least <= most and least <= high and low <= most)


def matches_truth(e: Evidence, other: Truth) -> bool:
    """Return whether the decisions are those of another problem's optimum."""
    return matches(e, other.scores, other.optimum.b_low, other.optimum.b_high)


def truth_if_any(problem: NumericProblem, rows: Any) -> Truth | None:
    """Return the Truth of a made-up problem; None if it has no optimum, or no kernel matrix."""
    try:
        return truth_of(problem, rows)
    except (Unproved, NoOptimum):
        return None


def by_own_model(e: Evidence) -> Explanation:
    """The model is right as stated, and the decisions are not its decisions."""
    best = e.truth.optimum
    if e.stated is None or e.beta is None or e.b is None or shape_of(e).is_right:
        return None
    scores = scores_of(e.truth.problem, e.beta, e.truth.rows)
    modelled = e._replace(decisions=[s + e.b for s in scores])
    if matches(modelled, e.truth.scores, best.b_low, best.b_high):
        return "DecisionArithmetic", "alpha and b are right, the decisions made of them are not"
    return None


def by_size(e: Evidence) -> Explanation:
    """The decisions are made of the right ones: their labels, probabilities, distances."""
    truth, b = e.truth, middle_offset(e.truth.optimum)
    right = [float(s + b) for s in truth.scores]
    norm = sqrt(truth.optimum.w_norm2) if truth.problem.linear else 0
    formulas: dict[str, Callable[[float], float]] = {
        "labels": lambda f: 1 if f > 0 else -1,
        "labels 0 and 1": lambda f: int(f > 0),
        "probabilities": lambda f: 1 / (1 + exp(-f)),
        "squashed by tanh": tanh,
    }
    if norm not in (0, 1):
        formulas["distances, f / |w|"] = lambda f: f / norm
    for name, formula in formulas.items():
        off = [abs(f - Fraction(formula(v))) for f, v in zip(e.decisions, right) if v]
        if max(right) > 1.1 and max(off) <= ENGINEERING:
            return "DecisionArithmetic", f"the decisions are {name}"
    return None


def by_offset(e: Evidence) -> Explanation:
    """Only the offset is wrong."""
    shape = shape_of(e)
    if shape.bent or not shape.outside:
        return None
    allowed = min(e.truth.allowed)
    for flag, low, high in wrong_offsets(e):
        if low - allowed <= shape.shift <= high + allowed:
            return flag, BUGS[flag]
    return None


def by_sign(e: Evidence) -> Explanation:
    """Every decision has the other sign."""
    best = e.truth.optimum
    if not matches(e, [-s for s in e.truth.scores], -best.b_high, -best.b_low):
        return None
    flag = "LabelOrder" if e.truth.problem.y[0] > 0 else "SignFlipped"
    return flag, BUGS[flag]


def by_problem(e: Evidence) -> Explanation:
    """The answer is right, of another problem; its multipliers, too, if the decisions are."""
    if e.truth.problem.n > MOST_EXAMPLES:
        return None
    right = shape_of(e).is_right
    for flag, why, problem, rows in wrong_problems(e.truth.original, e.request.rows):
        other = truth_if_any(problem, rows)
        if other is None or not matches_truth(e, other):
            continue
        if not right or has_multipliers(e, other.optimum.alpha):
            return flag, f"it is the optimum {why}"
    return None


def has_multipliers(e: Evidence, alpha: list[Fraction]) -> bool:
    """Return whether the multipliers are these, to a thousandth of the largest."""
    if len(alpha) != e.truth.problem.n:
        return False
    off = max(abs(abs(c) - a) for c, a in zip(e.beta, alpha))
    return bool(off <= ENGINEERING * max(alpha))


def by_margin(e: Evidence) -> Explanation:
    """The margin asked for is 2: f is twice the answer for half of C."""
    original = e.truth.original
    if original.n > MOST_EXAMPLES or original.slack != "hinge":
        return None
    other = truth_if_any(with_changes(original, C=[c / 2 for c in original.C]), e.request.rows)
    halved = e._replace(decisions=[f / 2 for f in e.decisions])
    return ("Margin", BUGS["Margin"]) if other and matches_truth(halved, other) else None


def by_dual(e: Evidence) -> Explanation:
    """The quadratic form of the dual without its labels; b is left out of account."""
    problem = e.truth.problem
    if problem.n > MOST_EXAMPLES or inf in problem.C:
        return None
    K = [kernel_values(problem, x) for x in problem.X]
    signed = [[p * q * v for q, v in zip(problem.y, row)] for p, row in zip(problem.y, K)]
    other = truth_if_any(Problem(signed, problem.y, Precomputed(), problem.C, problem.bias), [])
    if other is None:
        return None
    scores = scores_of(problem, problem.beta(other.optimum.alpha), e.truth.rows)
    if matches(e, scores, -inf, inf):
        return "DualWithoutLabels", BUGS["DualWithoutLabels"]
    return None


def by_multipliers(e: Evidence) -> Explanation:
    """What the multipliers say: of an infeasible point, or of where the solver stopped."""
    problem = e.truth.problem
    if e.beta is None:
        return by_constant_decisions(e)
    alpha = [c * y for c, y in zip(e.beta, problem.y)]
    broken = infeasibility(e)
    if broken:
        return broken
    flag = stopping_flag(problem, e.beta, alpha)
    constant = by_constant_decisions(e) if flag == "StoppedEarly" else None
    return constant or (flag, BUGS[flag])


def by_constant_decisions(e: Evidence) -> Explanation:
    """Decisions that are all the same, where they should not be."""
    if max(e.decisions) - min(e.decisions) <= min(e.truth.allowed):
        return "NothingLearnt", BUGS["NothingLearnt"]
    return None


def by_rounded_kernel(e: Evidence) -> Explanation:
    """Kernel values rounded as some programs round them make alpha optimal.

    That is, the conditions are kept much better there than on the kernel matrix itself.
    """
    return by_matrices(e, rounded_matrices(e.truth.original, e.truth.problem))


def by_earlier_kernel(e: Evidence) -> Explanation:
    """Kernel values of a problem that was asked before make alpha optimal.

    Multipliers at their bounds are optimal for many matrices by accident.
    """
    problem = e.truth.problem
    bounds = problem.upper_bounds()
    free = [0 < c * y < C for c, y, C in zip(e.beta or (), problem.y, bounds)]
    return by_matrices(e, earlier_matrices(e)) if free.count(True) > 1 else None


def by_matrices(e: Evidence, matrices: Iterable[tuple[str, str, Any]]) -> Explanation:
    """Return what is said of the first kernel matrix for which alpha is optimal."""
    problem = e.truth.problem
    if e.beta is None or problem.n > 10 * MOST_EXAMPLES or problem.slack != "hinge":
        return None
    alpha = [c * y for c, y in zip(e.beta, problem.y)]
    here = kkt(problem, alpha)
    for flag, why, K in matrices:
        there = kkt(Problem(K, problem.y, Precomputed(), problem.C, problem.bias), alpha)
        if 100 * (there.m - there.M) < here.m - here.M:
            return flag, f"alpha is optimal for {why}"
    return None


def rounded_matrices(
    original: NumericProblem, problem: NumericProblem
) -> Iterator[tuple[str, str, Any]]:
    """Yield flag, words and kernel matrix as it is rounded by mistake, where that changes it."""
    K = problem.X if not problem.kernel.has_rows else gram(problem.kernel, problem.X)
    single = [[to_single(v) for v in row] for row in K]
    if single != K:
        yield "Float32Rows", "kernel values rounded to single precision", single
    squares = [dot(x, x) for x in original.X] if type(original.kernel) is Gaussian else [inf]
    if max(squares) < inf:
        cancelled = [
            [max(p + q - 2 * dot(x, z), 0.0) for x, p in zip(original.X, squares)]
            for z, q in zip(original.X, squares)
        ]
        K = [[Fraction(exp(-original.kernel.gamma * v)) for v in row] for row in cancelled]
        yield "Cancellation", "the distance x.x + z.z - 2 x.z, which cancels far from zero", K


def earlier_matrices(e: Evidence) -> Iterator[tuple[str, str, Any]]:
    """Yield flag, words and kernel matrix of other problems of as many examples."""
    for request in e.earlier:
        if request.form is None and len(request.X) == e.truth.problem.n:
            problem = problem_from_request(request._replace(C=[1.0] * len(request.y)))
            K = exact_kernel_rows(problem, problem.X)
            yield "StateKept", f"the rows of an earlier problem, {request.id}", K


def to_single(value: Any) -> Any:
    """Return the nearest number of single precision; the value itself beyond their range."""
    try:
        return Fraction(unpack("f", pack("f", value))[0])
    except OverflowError:
        return value


def stopping_flag(problem: NumericProblem, beta: Any, alpha: Any) -> str:
    """Return what is special about the pair of examples that violates optimality most."""
    scores, _ = problem.scores_and_norm2(beta)
    r = residuals(problem, beta, scores)
    m, M = extremes(problem, alpha, r)
    if m <= M:
        return "Wrong"
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
