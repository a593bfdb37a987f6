"""Which bug a wrong answer shows.

A known bug makes of each problem another one, or of each optimal offset another number; what it
would answer can be worked out exactly. So a wrong answer is held against the answers of the known
bugs, and the first that it agrees with explains it. What no bug explains is told by what the
subject says of itself (its multipliers, its warnings), or by what the case is aimed at.

    s, b      the truth's scores and optimal offsets            r_i    y_i - s_i, the offset that
    f         the subject's decisions                                  puts example i on its margin
    shift     what f - s is, where it is the same everywhere    beta   alpha_i y_i
"""

from fractions import Fraction
from math import inf, sqrt
from struct import pack, unpack

from ..kernels.gram_matrices import gram
from ..kernels.standard import Gaussian, Precomputed
from ..numerics.elementary import exp, tanh
from ..numerics.linalg import dot
from ..proofs.verification import Unproved
from ..svm.kkt_conditions import extremes, kkt, residuals
from ..svm.problem import Problem
from .cases.flags import BUGS
from .checks import infeasibility
from .protocol import problem_of, says_unfinished
from .truth import ENGINEERING, kernel_values, middle, scores_of, shape_of, truth_of
from .wrong_problems import changed, other_problems, values_with, wrong_offsets

MOST = 40  # examples of a problem for which other problems are solved to explain an answer


def diagnosis(e, case):
    """(flag, sentence) of what explains the wrong answer e; the sentence may be empty."""
    if says_unfinished(e.answer):
        flag = e.decisions is not None and e.beta is not None and by_multipliers(e)[0]
        return flag if flag == "FlatPairSkipped" else "NotConverged", "and it says so"
    for explain in explanations(e, case):
        found = e.decisions is not None and explain(e)
        if found:
            return found
    if e.decisions is not None and not shape_of(e).bent and not is_right(e):
        return "Offset", BUGS["Offset"]
    for flag, bug in OF_CASES.items():
        if flag in case.flags:
            return bug, BUGS[bug]
    return "Wrong", ""


UNEXPLAINED = ("Wrong", "StoppedEarly", "ThreePoints", "Float32Rows")
OF_CASES = {
    "Float32Hostile": "Float32Rows",
    "Cancellation": "Cancellation",
    "ThreePoints": "ThreePoints",
    "SlowSMO": "StoppedEarly",
}


def explanations(e, case):
    """The functions that may explain, in order.

    Decisions alone, where single precision spoils them, are not held against other problems: one
    of those many fits by accident. Where the multipliers are optimal only the offset can be wrong;
    where they are not, or are not known and the prices differ, it is more likely that another
    problem was solved.
    """
    suspect = e.beta is not None or len(set(e.truth.problem.C)) > 1
    first, second = by_offset, by_problem
    if suspect and not optimal_multipliers(e):
        first, second = second, first
    if e.beta is None and "Float32Hostile" in case.flags:
        return by_size, by_offset, by_sign, by_multipliers
    return (
        by_own_model,
        by_size,
        by_kernel_values,
        first,
        by_sign,
        second,
        by_margin,
        by_earlier,
        by_dual,
        by_multipliers,
    )


def optimal_multipliers(e):
    """Whether the multipliers are feasible, and their dual value is the optimum's, nearly."""
    problem, best = e.truth.problem, e.truth.optimum
    if e.beta is None or infeasibility(e):
        return False
    dual = problem.dual([c * y for c, y in zip(e.beta, problem.y)])
    return abs(best.objective - dual) * 10**6 <= best.objective


def fits(e, scores, low, high):
    """Whether the decisions are these scores, and the same offset from low to high."""
    off = [f - s for f, s in zip(e.decisions, scores)]
    allowed = e.truth.allowed
    least = max(o - a for o, a in zip(off, allowed))
    most = min(o + a for o, a in zip(off, allowed))
    return least <= most and least <= high and low <= most


def is_right(e):
    """Whether the decisions are right, so that only the multipliers can be wrong."""
    shape = shape_of(e)
    return not shape.bent and not shape.outside


def by_own_model(e):
    """The model is right as stated, and the decisions are not its decisions."""
    best = e.truth.optimum
    if e.stated is None or e.beta is None or e.b is None or is_right(e):
        return None
    modelled = e._replace(
        decisions=[s + e.b for s in scores_of(e.truth.problem, e.beta, e.truth.rows)]
    )
    if fits(modelled, e.truth.scores, best.b_low, best.b_high):
        return "DecisionArithmetic", "alpha and b are right, the decisions made of them are not"
    return None


def by_size(e):
    """The decisions are made of the right ones: their labels, probabilities, distances."""
    truth, b = e.truth, middle(e.truth.optimum)
    right = [float(s + b) for s in truth.scores]
    w = sqrt(truth.optimum.w_norm2) if truth.problem.linear else 0
    sizes = {
        "labels": lambda f: 1 if f > 0 else -1,
        "labels 0 and 1": lambda f: int(f > 0),
        "probabilities": lambda f: 1 / (1 + exp(-f)),
        "squashed by tanh": tanh,
    }
    if w not in (0, 1):
        sizes["distances, f / |w|"] = lambda f: f / w
    for name, made in sizes.items():
        off = [abs(f - Fraction(made(v))) for f, v in zip(e.decisions, right) if v]
        if max(right) > 1.1 and max(off) <= ENGINEERING:
            return "DecisionArithmetic", f"the decisions are {name}"
    return None


def by_offset(e):
    """Only the offset is wrong."""
    shape = shape_of(e)
    if shape.bent or not shape.outside:
        return None
    allowed = min(e.truth.allowed)
    for flag, low, high in wrong_offsets(e):
        if low - allowed <= shape.shift <= high + allowed:
            return flag, BUGS[flag]
    return None


def by_sign(e):
    """Every decision has the other sign."""
    best = e.truth.optimum
    turned = [-s for s in e.truth.scores]
    if not fits(e, turned, -best.b_high, -best.b_low):
        return None
    flag = "LabelOrder" if e.truth.problem.y[0] > 0 else "SignFlipped"
    return flag, BUGS[flag]


def by_problem(e):
    """The answer is right, of another problem; its multipliers, too, if the decisions are."""
    if e.truth.problem.n > MOST:
        return None
    right = is_right(e)
    for flag, why, problem, rows in other_problems(e.truth.posed, e.request.rows):
        other = truth_if_any(problem, rows)
        best = other and other.optimum
        if (
            other
            and fits(e, other.scores, best.b_low, best.b_high)
            and (not right or has_multipliers(e, best.alpha))
        ):
            return flag, f"it is the optimum {why}"
    return None


def has_multipliers(e, alpha):
    """Whether the multipliers are these, to a thousandth of the largest."""
    if len(alpha) != e.truth.problem.n:
        return False
    off = max(abs(abs(c) - a) for c, a in zip(e.beta, alpha))
    return off <= ENGINEERING * max(alpha)


def truth_if_any(problem, rows):
    """The Truth of a problem made up; None if it has no optimum, or its kernel is none."""
    try:
        return truth_of(problem, rows)
    except Unproved:
        return None


def by_margin(e):
    """The margin asked for is 2: f is twice the answer for half of C."""
    posed = e.truth.posed
    if posed.n > MOST or posed.slack != "hinge":
        return None
    other = truth_if_any(changed(posed, C=[c / 2 for c in posed.C]), e.request.rows)
    halved = e._replace(decisions=[f / 2 for f in e.decisions])
    best = other and other.optimum
    if other and fits(halved, other.scores, best.b_low, best.b_high):
        return "Margin", BUGS["Margin"]
    return None


def by_dual(e):
    """The quadratic form of the dual without its labels; b is left out of account."""
    problem = e.truth.problem
    if problem.n > MOST or inf in problem.C:
        return None
    K = [kernel_values(problem, x) for x in problem.X]
    signed = [[p * q * v for q, v in zip(problem.y, row)] for p, row in zip(problem.y, K)]
    other = truth_if_any(Problem(signed, problem.y, Precomputed(), problem.C, problem.bias), [])
    if other is None:
        return None
    scores = scores_of(problem, problem.beta(other.optimum.alpha), e.truth.rows)
    if fits(e, scores, -inf, inf):
        return "DualWithoutLabels", BUGS["DualWithoutLabels"]
    return None


def by_multipliers(e):
    """What the multipliers say: of an infeasible point, or of where the solver stopped."""
    problem = e.truth.problem
    if e.beta is None:
        return same_everywhere(e)
    alpha = [c * y for c, y in zip(e.beta, problem.y)]
    broken = infeasibility(e)
    if broken:
        return broken
    flag = where_stopped(problem, e.beta, alpha)
    return flag == "StoppedEarly" and same_everywhere(e) or (flag, BUGS[flag])


def same_everywhere(e):
    """Decisions that are all the same, where they should not be."""
    if max(e.decisions) - min(e.decisions) <= min(e.truth.allowed):
        return "NothingLearnt", BUGS["NothingLearnt"]
    return None


def by_kernel_values(e):
    """Kernel values rounded as some programs round them make alpha optimal.

    That is, the conditions are kept much better there than on the kernel matrix itself.
    """
    return by_matrices(e, rounded_matrices(e.truth.posed, e.truth.problem))


def by_earlier(e):
    """Kernel values of a problem that was asked before make alpha optimal.

    Multipliers at their bounds are optimal for many matrices by accident.
    """
    problem = e.truth.problem
    free = [
        0 < c * y < most for c, y, most in zip(e.beta or (), problem.y, problem.upper_bounds())
    ]
    return by_matrices(e, earlier_matrices(e)) if free.count(True) > 1 else None


def by_matrices(e, matrices):
    """What is said of the first kernel matrix for which alpha is optimal."""
    problem = e.truth.problem
    if e.beta is None or problem.n > 10 * MOST or problem.slack != "hinge":
        return None
    alpha = [c * y for c, y in zip(e.beta, problem.y)]
    here = kkt(problem, alpha)
    for flag, why, K in matrices:
        there = kkt(Problem(K, problem.y, Precomputed(), problem.C, problem.bias), alpha)
        if 100 * (there.m - there.M) < here.m - here.M:
            return flag, f"alpha is optimal for {why}"
    return None


def rounded_matrices(posed, problem):
    """(flag, how, K): the kernel matrix as it is rounded by mistake, where that changes it."""
    K = problem.X if not problem.kernel.has_rows else gram(problem.kernel, problem.X)
    single = [[as_single(v) for v in row] for row in K]
    if single != K:
        yield "Float32Rows", "kernel values rounded to single precision", single
    squares = [dot(x, x) for x in posed.X] if type(posed.kernel) is Gaussian else [inf]
    if max(squares) < inf:
        cancelled = [
            [max(p + q - 2 * dot(x, z), 0.0) for x, p in zip(posed.X, squares)]
            for z, q in zip(posed.X, squares)
        ]
        K = [[Fraction(exp(-posed.kernel.gamma * v)) for v in row] for row in cancelled]
        yield "Cancellation", "the distance x.x + z.z - 2 x.z, which cancels far from zero", K


def earlier_matrices(e):
    """(flag, how, K): the kernel matrices of other problems of as many examples."""
    for request in e.earlier:
        if request.form is None and len(request.X) == e.truth.problem.n:
            problem = problem_of(request._replace(C=[1.0] * len(request.y)))
            K = values_with(problem, problem.X)
            yield "StateKept", f"the rows of an earlier problem, {request.id}", K


def as_single(value):
    """The nearest number of single precision; the value itself beyond their range."""
    try:
        return Fraction(unpack("f", pack("f", value))[0])
    except OverflowError:
        return value


def where_stopped(problem, beta, alpha):
    """What is special about the pair of examples that asks loudest for a step."""
    scores, _ = problem.scores_and_norm2(beta)
    r = residuals(problem, beta, scores)
    m, M = extremes(problem, alpha, r)
    if m <= M:
        return "Wrong"
    if not problem.bias:
        return "StoppedEarly"
    i, j = pair_at(problem, alpha, r, m, M)
    row = problem.kernel_rows()
    at_i, at_j = row(problem.rows[i]), row(problem.rows[j])
    curvature = at_i[i] + at_j[j] - 2 * at_i[j]
    if curvature == 0:
        return "FlatPairSkipped"
    step = min((m - M) / curvature, room(problem, alpha, i, +1), room(problem, alpha, j, -1))
    return "AbsoluteThreshold" if step < Fraction(1, 1000) else "StoppedEarly"


def pair_at(problem, alpha, r, m, M):
    """The first examples at m and at M that may move."""
    i = next(k for k, v in enumerate(r) if v == m and room(problem, alpha, k, +1) > 0)
    j = next(k for k, v in enumerate(r) if v == M and room(problem, alpha, k, -1) > 0)
    return i, j


def room(problem, alpha, k, direction):
    """How far beta_k may rise (+1) or fall (-1)."""
    up = problem.y[k] * direction > 0
    return problem.upper_bounds()[k] - alpha[k] if up else alpha[k]
