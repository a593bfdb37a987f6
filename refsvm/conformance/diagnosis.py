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

from ..conditions import extremes, kkt, residuals
from ..elementary import exp
from ..gram_matrices import gram
from ..kernels import Gaussian, Polynomial, Precomputed
from ..linalg import dot, squared_distance
from ..problem import Problem
from ..proofs.verification import Unproved
from .checks import infeasibility, sum_of
from .evidence import kernel_values, middle, on_fractions, scores_of, shape_of, truth_of

MOST = 40  # examples of a problem for which other problems are solved to explain an answer

BUGS = {
    "Hang": "no answer within the deadline",
    "Exit": "the whole process ended",
    "Crash": "an exception that is no refusal",
    "NoAnswer": "an answer without decisions, or with too many or too few numbers",
    "NotFinite": "a NaN or an infinity is returned",
    "Refused": "an ordinary problem is refused",
    "NotConverged": "it says itself that it has not finished",
    "NotSaid": "it has not finished and does not say so",
    "OffsetSign": "b has the wrong sign",
    "OffsetMissing": "b is 0, or left out",
    "OffsetAveraged": "b is averaged over support vectors at C, too, which are not on the margin",
    "OffsetBounded": "b is taken from an example at C, which is not on the margin",
    "OffsetHardMargin": "b is half way between the classes, which is right without slack only",
    "OffsetEnds": "the two ends that b lies between are exchanged, or of the wrong sets",
    "OffsetSignOfF": "b averages y - sign(f) instead of y - f",
    "OffsetScaled": "b is halved, doubled or multiplied by a scale of the data",
    "OffsetOrigin": "b was found for rows that had been moved, and is not carried back",
    "Offset": "only b is wrong: the decisions are off by the same everywhere",
    "SignFlipped": "every decision has the wrong sign",
    "LabelOrder": "the sign depends on which class comes first",
    "DecisionArithmetic": "the decisions are not those of the model that is stated",
    "WeightsSwapped": "the classes' prices of slack are exchanged",
    "WeightsIgnored": "one price of slack for all examples, where each has its own",
    "WeightsScaled": "the prices of slack are squared, inverted or normalised",
    "PriceScaled": "C is halved, doubled, or divided or multiplied by the number of examples",
    "PriceIgnored": "C is 1, or infinite, whatever was asked",
    "RegularisedOffset": "another problem: the offset is regularised, too",
    "NoOffset": "another problem: the one without an offset",
    "SquaredLoss": "another problem: squared slacks where the slacks were meant, or the reverse",
    "KernelParameters": "another kernel: gamma, coef0 or degree are lost or exchanged",
    "KernelFormula": "another kernel: its formula is not the usual one",
    "KernelSign": "another kernel: its values have the wrong sign",
    "ZeroToTheZero": "0^0 is not 1",
    "Margin": "another problem: the margin asked for is not 1",
    "WeightsOnRows": "weights multiply the rows, where they should multiply C",
    "DualWithoutLabels": "the labels are left out of the dual's quadratic form",
    "ExampleIgnored": "an example was left out",
    "FeatureIgnored": "a feature was left out",
    "Float32Rows": "kernel values in single precision",
    "Cancellation": "the squared distance as x.x + z.z - 2 x.z, which cancels far from zero",
    "AlphaOutside": "a multiplier outside its bounds",
    "AlphaUnbalanced": "sum alpha_i y_i is not 0",
    "FlatPairSkipped": "stopped at a pair without curvature, which should go to its bound",
    "AbsoluteThreshold": "stopped because steps are small in absolute numbers",
    "NothingLearnt": "every decision is the same",
    "StoppedEarly": "stopped although the conditions of optimality are broken",
    "ThreePoints": "wrong on three examples",
    "Wrong": "wrong, and no known bug explains it",
    "ExampleOrder": "the order of the examples matters",
    "Duplicates": "two copies at half the price are not one example",
    "ZeroColumn": "a feature that is always zero matters",
    "Scale": "features in other units give another answer",
    "Translation": "features from another origin give another answer",
    "Rotation": "turned features give another answer",
    "ZeroWeight": "an example of weight 0 is not as if absent",
    "SupportIndices": "support_ does not say which rows the support vectors are",
    "Attributes": "attributes contradict each other",
    "PredictSign": "predict and decision_function contradict each other",
    "BatchDependence": "a row's decision depends on the other rows asked about",
    "StateKept": "a second fit remembers the first",
    "RoundTrip": "a saved and loaded model decides otherwise",
    "NotAccepted": "labels or numbers of a usual sort are refused or mistaken",
    "ClassWeight": "class_weight is not the same as the weight of each example",
    "ToleranceBroken": "the stated tolerance is not kept, and that is not said",
    "GammaScale": "gamma='scale' does not follow the data's variance",
}


def diagnosis(e, case):
    """(flag, sentence) of what explains the wrong answer e; the sentence may be empty."""
    if says_unfinished(e.answer):
        flag = e.decisions is not None and e.beta is not None and by_multipliers(e)[0]
        return flag if flag == "FlatPairSkipped" else "NotConverged", "and it says so"
    for explain in explanations(e):
        found = e.decisions is not None and explain(e)
        if found:
            return found
    if e.decisions is not None and not shape_of(e).bent:
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


def explanations(e):
    """The functions that may explain, in order.

    Where the multipliers are optimal only the offset can be wrong; where they are not, or are
    not known and the prices differ, it is more likely that another problem was solved.
    """
    suspect = e.beta is not None or len(set(e.truth.problem.C)) > 1
    first, second = by_offset, by_problem
    if suspect and not optimal_multipliers(e):
        first, second = second, first
    return (
        by_own_model, by_kernel_values, first, by_sign, second, by_margin, by_dual, by_multipliers
    )


def optimal_multipliers(e):
    """Whether the multipliers are feasible, and their dual value is the optimum's, nearly."""
    problem, best = e.truth.problem, e.truth.optimum
    if e.beta is None or infeasibility(e):
        return False
    dual = problem.dual([c * y for c, y in zip(e.beta, problem.y)])
    return abs(best.objective - dual) * 10**6 <= best.objective


def says_unfinished(answer):
    """Whether the subject says of itself that it has not finished."""
    words = " ".join(answer.warnings or []).lower()
    return answer.status not in (None, "optimal") or any(
        word in words for word in ("converge", "max_iter", "iterations", "status", "optimal")
    )


def fits(e, scores, low, high):
    """Whether the decisions are these scores, and the same offset from low to high."""
    off = [f - s for f, s in zip(e.decisions, scores)]
    allowed = e.truth.allowed
    least = max(o - a for o, a in zip(off, allowed))
    most = min(o + a for o, a in zip(off, allowed))
    return least <= most and least <= high and low <= most


def by_own_model(e):
    """The model is right as stated, and the decisions are not its decisions."""
    best = e.truth.optimum
    if e.stated is None or e.beta is None or e.b is None:
        return None
    modelled = e._replace(decisions=[
        s + e.b for s in scores_of(e.truth.problem, e.beta, e.truth.rows)
    ])
    if fits(modelled, e.truth.scores, best.b_low, best.b_high):
        return "DecisionArithmetic", "alpha and b are right, the decisions made of them are not"
    return None


def by_offset(e):
    """Only the offset is wrong."""
    shape = shape_of(e)
    if shape.bent:
        return None
    allowed = min(e.truth.allowed)
    for flag, low, high in wrong_offsets(e):
        if low - allowed <= shape.shift <= high + allowed:
            return flag, BUGS[flag]
    return None


def wrong_offsets(e):
    """(flag, low, high): the offsets that known bugs find, of this problem and its multipliers."""
    problem, best = e.truth.problem, e.truth.optimum
    beta = e.beta or problem.beta(best.alpha)
    scores = e.truth.at_examples
    r = [y - s for y, s in zip(problem.y, scores)]
    chosen = [i for i, c in enumerate(beta) if c != 0]
    at_C = [i for i in chosen if abs(beta[i]) == problem.upper_bounds()[i]]
    free = [i for i in chosen if i not in at_C]
    yield from misplaced(best, scores[0] if problem.linear else Fraction(0))
    for kind in filter(None, (chosen, at_C, range(problem.n))):
        yield "OffsetAveraged", *twice(mean(r[i] for i in kind))
    for i in at_C:
        yield "OffsetBounded", r[i], r[i]
    yield "OffsetHardMargin", *twice(half_way(problem.y, scores))
    for origin in (-middle(best), Fraction(0), scores[0]):
        for kind in filter(None, (free, chosen, range(problem.n))):
            asked = mean(problem.y[i] - sign(scores[i] - origin) for i in kind)
            yield "OffsetSignOfF", *twice(asked)
            yield "OffsetSignOfF", *twice(asked - origin)
    for value in wrong_ends(problem, beta, r):
        yield "OffsetEnds", value, value


def misplaced(best, origin):
    """(flag, low, high): optimal offsets with a wrong sign, factor or origin.

    origin is the score of the row that a program counts from.
    """
    low, high = best.b_low, best.b_high
    for start in (Fraction(0), origin):
        yield "OffsetSign", -high - 2 * start, -low - 2 * start
        yield "OffsetMissing", -start, -start
        for factor in (2, Fraction(1, 2)):
            yield "OffsetScaled", factor * (low + start) - start, factor * (high + start) - start
    for times in (1, 2):
        yield "OffsetOrigin", low + times * origin, high + times * origin


def twice(value):
    return value, value


def sign(value):
    """+1 or -1, as a fraction; +1 of zero."""
    return Fraction(1 if value >= 0 else -1)


def mean(values):
    """The mean of some fractions."""
    values = list(values)
    return sum_of(values) / len(values)


def half_way(y, scores):
    """b = -(the largest score of -1 + the smallest of +1) / 2."""
    below = max(s for s, label in zip(scores, y) if label < 0)
    above = min(s for s, label in zip(scores, y) if label > 0)
    return -(below + above) / 2


def wrong_ends(problem, beta, r):
    """The middles of what is no interval of optimal offsets: the wrong sets, or the wrong ends."""
    alpha = [c * y for c, y in zip(beta, problem.y)]
    bounds = problem.upper_bounds()
    up = [v for v, a, y, C in zip(r, alpha, problem.y, bounds) if (a < C if y > 0 else a > 0)]
    low = [v for v, a, y, C in zip(r, alpha, problem.y, bounds) if (a > 0 if y > 0 else a < C)]
    if up and low:
        for p, q in ((min(up), max(low)), (max(low), min(up)), (min(r), max(r))):
            yield (p + q) / 2
        yield from (min(up), max(low), min(r), max(r))
        yield (max(up) - min(low)) / 2
        yield (min(low) - max(up)) / 2


def by_sign(e):
    """Every decision has the other sign."""
    best = e.truth.optimum
    turned = [-s for s in e.truth.scores]
    if not fits(e, turned, -best.b_high, -best.b_low):
        return None
    flag = "LabelOrder" if e.truth.problem.y[0] > 0 else "SignFlipped"
    return flag, BUGS[flag]


def by_problem(e):
    """The answer is right, of another problem."""
    if e.truth.problem.n > MOST:
        return None
    for flag, why, problem, rows in other_problems(e.truth.posed, e.request.rows):
        other = truth_if_any(problem, rows)
        best = other and other.optimum
        if other and fits(e, other.scores, best.b_low, best.b_high):
            return flag, f"it is the optimum {why}"
    return None


def truth_if_any(problem, rows):
    """The Truth of a problem made up; None if it has no optimum, or its kernel is none."""
    try:
        return truth_of(problem, rows)
    except Unproved:
        return None


def other_problems(problem, rows):
    """(flag, how it differs, problem, rows) of the problems that are solved by mistake."""
    for flag, why, C in other_prices(problem):
        yield flag, why, changed(problem, C=C), rows
    if len(set(problem.C)) > 1 and problem.kernel.has_rows and inf not in problem.C:
        X = [[c * v for v in x] for c, x in zip(problem.C, problem.X)]
        other = changed(problem, X=X, C=[1.0] * problem.n)
        yield "WeightsOnRows", "with weights that multiply the rows", other, rows
    yield from other_formulations(problem, rows)
    for why, kernel in other_kernels(problem):
        yield "KernelParameters", why, changed(problem, kernel=kernel), rows
    if type(problem.kernel) is Gaussian:
        yield from other_distances(problem, rows)
    if problem.kernel.has_rows and len(problem.X[0]) > 1:
        for k in range(len(problem.X[0])):
            X, there = without(problem.X, k), without(rows, k)
            yield "FeatureIgnored", f"without feature {k}", changed(problem, X=X), there
    for i in range(problem.n):
        if problem.kernel.has_rows and problem.y.count(problem.y[i]) > 1:
            yield "ExampleIgnored", f"without example {i}", left_out(problem, i), rows


def other_distances(problem, rows):
    """exp(-gamma d) of another distance d than the square of the usual one."""
    def plain(x, z):
        return sqrt(squared_distance(x, z))

    def absolute(x, z):
        return sum_of(abs(p - q) for p, q in zip(x, z))

    for why, distance in (("not squared", plain), ("that sums absolute values", absolute)):
        K, there = [
            [[exp(-problem.kernel.gamma * distance(x, z)) for x in problem.X] for z in some]
            for some in (problem.X, rows)
        ]
        other = Problem(K, problem.y, Precomputed(), problem.C, problem.bias, problem.slack)
        yield "KernelFormula", f"with a distance {why}", other, there


def changed(problem, X=None, kernel=None, C=None, bias=None, slack=None):
    """The problem with something else in it."""
    return Problem(
        X or problem.X, problem.y, kernel or problem.kernel, list(map(float, C or problem.C)),
        problem.bias if bias is None else bias, slack or problem.slack,
    )


def without(rows, k):
    return [row[:k] + row[k + 1:] for row in rows]


def left_out(problem, i):
    """The problem without example i."""
    kept = [j for j in range(problem.n) if j != i]
    return Problem(
        [problem.X[j] for j in kept], [problem.y[j] for j in kept], problem.kernel,
        [problem.C[j] for j in kept], problem.bias, problem.slack,
    )


def other_weights(problem):
    """(flag, how, C): what is made by mistake of prices that differ."""
    C, n = problem.C, problem.n
    average = float(mean(map(Fraction, C)))
    for low, high in class_prices(problem):
        exchanged = [high if y < 0 else low for y in problem.y]
        yield "WeightsSwapped", "with the classes' prices exchanged", exchanged
    for one in (1.0, max(C), min(C), average, C[0]):
        yield "WeightsIgnored", f"with C = {one:g} for all", [one] * n
    yield "WeightsScaled", "with weights squared", [c * c for c in C]
    yield "WeightsScaled", "with weights inverted", [1 / c for c in C]
    yield "WeightsScaled", "with weights of mean 1", [c / average for c in C]
    yield "WeightsSwapped", "with weights in another order", C[::-1]


def other_prices(problem):
    """(flag, how, C) of the prices that are used by mistake."""
    C, n = problem.C, problem.n
    if inf in C:
        return
    if len(set(C)) > 1:
        yield from other_weights(problem)
    for name, factor in (("C / 2", 0.5), ("2 C", 2), ("C / n", 1 / n), ("n C", n)):
        yield "PriceScaled", f"for {name}", [factor * c for c in C]
    if len(set(C)) == 1:
        yield "PriceIgnored", "for C = 1", [1.0] * n
        yield "PriceScaled", "for 1 / C", [1 / c for c in C]
    yield "PriceIgnored", "for infinite C", [inf] * n


def class_prices(problem):
    """(price of -1, price of +1), if each class has one."""
    of = {y: {c for c, label in zip(problem.C, problem.y) if label == y} for y in (-1, 1)}
    if len(of[-1]) == len(of[1]) == 1:
        yield of[-1].pop(), of[1].pop()


def other_formulations(problem, rows):
    """The same data, of which another objective is minimised."""
    if problem.bias:
        yield "NoOffset", "without an offset", changed(problem, bias=False), rows
        if problem.kernel.has_rows:
            K, there = [
                [[v + 1 for v in row] for row in values_with(problem, some)]
                for some in (problem.X, rows)
            ]
            other = Problem(K, problem.y, Precomputed(), problem.C, False, problem.slack)
            yield "RegularisedOffset", "with the offset regularised", other, there
            if inf not in problem.C:
                C = [2 * c for c in problem.C]
                why = "of squared slacks with the offset regularised"
                yield "RegularisedOffset", why, changed(other, C=C, slack="squared"), there
    if problem.slack == "hinge" and inf not in problem.C:
        for factor in (1, 2):
            C = [factor * c for c in problem.C]
            yield "SquaredLoss", "of squared slacks", changed(problem, C=C, slack="squared"), rows
    if problem.slack == "squared":
        yield "SquaredLoss", "of the slacks, not squared", changed(problem, slack="hinge"), rows


def values_with(problem, rows):
    """The kernel values of each row with the examples, as Fractions."""
    problem, rows = on_fractions(problem, rows)
    return [kernel_values(problem, row) for row in rows]


def other_kernels(problem):
    """(how, kernel) of the kernels that are used by mistake."""
    kernel = problem.kernel
    if type(kernel) is Gaussian:
        for gamma in (2 * kernel.gamma, kernel.gamma / 2, kernel.gamma ** 2, 1 / kernel.gamma,
                      1 / len(problem.X[0]), 1.0):
            yield f"with gamma = {gamma:g}", Gaussian(gamma)
    if type(kernel) is Polynomial:
        yield from other_polynomials(kernel, len(problem.X[0]))


def other_polynomials(kernel, width):
    """The same, where it is a polynomial; width is the number of features."""
    degree, gamma, coef0 = kernel.degree, kernel.gamma, kernel.coef0
    yield "with coef0 = 0", Polynomial(degree, gamma, 0)
    yield "with gamma = 1", Polynomial(degree, 1, coef0)
    yield "with gamma = 1 / features", Polynomial(degree, 1 / width, coef0)
    yield "with the default degree 3", Polynomial(3, gamma, coef0)
    yield "with a degree more", Polynomial(degree + 1, gamma, coef0)
    if degree > 0:
        yield "with a degree less", Polynomial(degree - 1, gamma, coef0)
    yield "with gamma and coef0 exchanged", Polynomial(degree, coef0, gamma)
    yield "with 1 for coef0", Polynomial(degree, gamma, 1)
    yield "with -coef0", Polynomial(degree, gamma, -coef0)


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
    problem = e.truth.problem
    if e.beta is None or problem.n > 10 * MOST or problem.slack != "hinge":
        return None
    alpha = [c * y for c, y in zip(e.beta, problem.y)]
    here = kkt(problem, alpha)
    for flag, why, K in rounded_matrices(e.truth.posed, problem):
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
    if type(posed.kernel) is Gaussian:
        squares = [dot(x, x) for x in posed.X]
        cancelled = [
            [max(p + q - 2 * dot(x, z), 0.0) for x, p in zip(posed.X, squares)]
            for z, q in zip(posed.X, squares)
        ]
        K = [[Fraction(exp(-posed.kernel.gamma * v)) for v in row] for row in cancelled]
        yield "Cancellation", "the distance x.x + z.z - 2 x.z, which cancels far from zero", K


def as_single(value):
    """The nearest number of single precision; the value itself beyond their range."""
    try:
        return Fraction(unpack("f", pack("f", value))[0])
    except OverflowError:
        return value


def where_stopped(problem, beta, alpha):
    """What is special about the pair of examples that asks loudest for a step."""
    scores, _ = problem.image(beta)
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
