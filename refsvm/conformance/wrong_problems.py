"""The problems that are solved by mistake, where another one was asked.

Each is told by its flag, the words after "it is the optimum", the problem itself and the rows to
decide about, as that problem has them.
"""

from fractions import Fraction
from math import ceil, floor, inf, sqrt

from ..kernels.standard import Gaussian, Polynomial, Precomputed, Sigmoid
from ..numerics.elementary import exp, power
from ..numerics.linalg import dot, squared_distance, total
from ..svm.problem import Problem
from .truth import kernel_values, middle, on_fractions


def other_problems(problem, rows):
    """(flag, how it differs, problem, rows) of the problems that are solved by mistake."""
    for flag, why, C in other_prices(problem):
        yield flag, why, changed(problem, C=C), rows
    if len(set(problem.C)) > 1 and problem.kernel.has_rows and inf not in problem.C:
        X = [[c * v for v in x] for c, x in zip(problem.C, problem.X)]
        other = changed(problem, X=X, C=[1.0] * problem.n)
        yield "WeightsOnRows", "with weights that multiply the rows", other, rows
    yield from other_formulations(problem, rows)
    if problem.kernel.has_rows and len(problem.X[0]) > 1:
        for k in range(len(problem.X[0])):
            X, there = without(problem.X, k), without(rows, k)
            yield "FeatureIgnored", f"without feature {k}", changed(problem, X=X), there
    if type(problem.kernel) is Gaussian and overflows(problem, rows):
        other = with_values(
            problem,
            rows,
            lambda x, z: exp(-problem.kernel.gamma * finite_or_0(squared_distance(x, z))),
        )
        yield "KernelFormula", "with distances that overflow counted as 0", *other
    if problem.kernel.has_rows:
        yield from other_features(problem, rows)
    for why, kernel in other_kernels(problem):
        yield "KernelParameters", why, changed(problem, kernel=kernel), rows
    if type(problem.kernel) is Polynomial:
        yield from other_powers(problem, rows)
    if type(problem.kernel) is Gaussian:
        yield from other_distances(problem, rows)
    for i in range(problem.n):
        if problem.kernel.has_rows and problem.y.count(problem.y[i]) > 1:
            yield "ExampleIgnored", f"without example {i}", left_out(problem, i), rows


def overflows(problem, rows):
    """Whether a squared distance is beyond the doubles."""
    return any(squared_distance(x, z) == inf for x in problem.X for z in rows)


def finite_or_0(value):
    return value if value < inf else 0.0


def other_distances(problem, rows):
    """exp(-gamma d) of another distance d than the square of the usual one."""

    def plain(x, z):
        return sqrt(squared_distance(x, z))

    def absolute(x, z):
        return total(abs(p - q) for p, q in zip(x, z))

    for why, distance in (("not squared", plain), ("that sums absolute values", absolute)):
        other = with_values(
            problem,
            rows,
            lambda x, z, distance=distance: exp(-problem.kernel.gamma * distance(x, z)),
        )
        yield "KernelFormula", f"with a distance {why}", *other


def other_powers(problem, rows):
    """Powers of inner products that are not (gamma x.z + coef0)^degree."""
    degree, gamma, coef0 = problem.kernel.degree, problem.kernel.gamma, problem.kernel.coef0
    for why, formula in (
        ("(gamma x.z)^degree + coef0", lambda s: power(gamma * s, degree) + coef0),
        ("gamma (x.z + coef0)^degree", lambda s: gamma * power(s + coef0, degree)),
        ("|gamma x.z + coef0|^degree", lambda s: power(abs(gamma * s + coef0), degree)),
    ):
        other = with_values(problem, rows, lambda x, z, formula=formula: formula(dot(x, z)))
        yield "KernelFormula", f"with {why}", *other


def with_values(problem, rows, value):
    """(problem, rows) with a Gram matrix of the values of a function of two rows."""
    K, there = [[[value(x, z) for x in problem.X] for z in some] for some in (problem.X, rows)]
    return Problem(K, problem.y, Precomputed(), problem.C, problem.bias, problem.slack), there


def other_features(problem, rows):
    """Features that are scaled first: those of the rows to decide about, too, or not."""
    columns = list(zip(*problem.X))
    means = [float(mean(map(Fraction, column))) for column in columns]
    for ddof in (0, 1):
        spans = [deviation(column, ddof) or 1.0 for column in columns]
        yield from rescaled(problem, rows, "standardised", means, spans)
    low = [min(column) for column in columns]
    spans = [max(column) - min(column) or 1.0 for column in columns]
    yield from rescaled(problem, rows, "from 0 to 1", low, spans)
    middles = [(max(column) + min(column)) / 2 for column in columns]
    halves = [span / 2 for span in spans]
    yield from rescaled(problem, rows, "from -1 to 1", middles, halves)
    for why, length in (
        ("of length 1", lambda x: sqrt(dot(x, x))),
        ("of largest 1", lambda x: max(map(abs, x))),
    ):
        shorter, there = (
            [[v / (length(x) or 1.0) for v in x] for x in some] for some in (problem.X, rows)
        )
        other = changed(problem, X=shorter)
        yield "HiddenScaling", f"with rows {why}", other, there
        yield "HiddenScaling", f"with examples {why}", other, rows


def rescaled(problem, rows, why, origin, span):
    """The same with features (v - origin) / span."""
    X, there = (
        [[(v - o) / s for v, o, s in zip(x, origin, span)] for x in some]
        for some in (problem.X, rows)
    )
    yield "HiddenScaling", f"with features {why}", changed(problem, X=X), there
    yield "HiddenScaling", f"with features {why} in fit only", changed(problem, X=X), rows


def deviation(column, ddof):
    """The standard deviation, over n - ddof; 0 where no double holds its square."""
    values = list(map(Fraction, column))
    middle = mean(values)
    variance = total((v - middle) ** 2 for v in values) / (len(values) - ddof)
    return sqrt(variance) if variance < 2**1023 else 0.0


def changed(problem, X=None, kernel=None, C=None, bias=None, slack=None):
    """The problem with something else in it."""
    return Problem(
        X or problem.X,
        problem.y,
        kernel or problem.kernel,
        list(map(float, C or problem.C)),
        problem.bias if bias is None else bias,
        slack or problem.slack,
    )


def without(rows, k):
    return [row[:k] + row[k + 1 :] for row in rows]


def left_out(problem, i):
    """The problem without example i."""
    kept = [j for j in range(problem.n) if j != i]
    return Problem(
        [problem.X[j] for j in kept],
        [problem.y[j] for j in kept],
        problem.kernel,
        [problem.C[j] for j in kept],
        problem.bias,
        problem.slack,
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
    yield "WeightsScaled", "with the roots of the weights", [sqrt(c) for c in C]
    yield "WeightsScaled", "with weights rounded up", [float(ceil(c)) for c in C]
    if min(C) >= 1:
        yield "WeightsScaled", "with weights rounded down", [float(floor(c)) for c in C]
    yield "WeightsScaled", "with weights of 1 at most", [min(c, 1.0) for c in C]
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
        for label in (-1, 1):
            for other in (1.0, inf):
                why = f"for C = {other:g} of the class {label:+}"
                yield "PriceIgnored", why, [other if y == label else C[0] for y in problem.y]
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
        for gamma in (
            2 * kernel.gamma,
            kernel.gamma / 2,
            kernel.gamma**2,
            1 / kernel.gamma,
            1 / len(problem.X[0]),
            1.0,
        ):
            yield f"with gamma = {gamma:g}", Gaussian(gamma)
    if type(kernel) is Sigmoid:
        gamma, coef0 = kernel.gamma, kernel.coef0
        for other in ((gamma, 0), (1, coef0), (1 / len(problem.X[0]), coef0), (gamma, -coef0)):
            yield "with gamma = {:g}, coef0 = {:g}".format(*other), Sigmoid(*other)
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


# ---- wrong_offsets


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
    return total(values) / len(values)


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
