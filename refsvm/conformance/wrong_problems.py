"""What known bugs solve: another problem where one was asked, or another offset.

r_i   y_i - s_i, the offset that puts example i on its margin       beta   alpha_i y_i
up    examples whose beta may rise                                  low    may fall
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from math import ceil, floor, inf, sqrt
from typing import Any, NamedTuple

from ..kernels.base import Kernel
from ..kernels.standard import Gaussian, Polynomial, Precomputed, Sigmoid
from ..numerics.elementary import exp, power
from ..numerics.linalg import dot, squared_distance, total
from ..svm.problem import Problem
from .metamorphic import with_changes
from .protocol import NumericProblem
from .truth import Evidence, ExactOptimum, kernel_values, middle_offset, on_fractions


class WrongProblem(NamedTuple):
    """A problem that is solved by mistake.

    flag      the bug                          why    the words after "it is the optimum"
    problem   what is solved                   rows   those to decide about, as it has them
    """

    flag: str
    why: str
    problem: NumericProblem
    rows: Any


def wrong_problems(problem: NumericProblem, rows: Any) -> Iterator[WrongProblem]:
    """Yield the problems that known bugs solve in the place of this one."""
    for flag, why, C in wrong_penalties(problem):
        yield WrongProblem(flag, why, with_changes(problem, C=C), rows)
    if len(set(problem.C)) > 1 and problem.kernel.has_rows and inf not in problem.C:
        X = [[c * v for v in x] for c, x in zip(problem.C, problem.X)]
        other = with_changes(problem, X=X, C=[1.0] * problem.n)
        yield WrongProblem("WeightsOnRows", "with weights that multiply the rows", other, rows)
    yield from wrong_formulations(problem, rows)
    if problem.kernel.has_rows and len(problem.X[0]) > 1:
        for k in range(len(problem.X[0])):
            X, there = ([x[:k] + x[k + 1 :] for x in some] for some in (problem.X, rows))
            other = with_changes(problem, X=X)
            yield WrongProblem("FeatureIgnored", f"without feature {k}", other, there)
    if type(problem.kernel) is Gaussian and overflows(problem, rows):
        yield overflow_as_0(problem, rows)
    if problem.kernel.has_rows:
        yield from wrong_features(problem, rows)
    for why, kernel in wrong_parameters(problem):
        yield WrongProblem("KernelParameters", why, with_changes(problem, kernel=kernel), rows)
    if type(problem.kernel) is Polynomial:
        yield from wrong_powers(problem, rows)
    if type(problem.kernel) is Gaussian:
        yield from wrong_distances(problem, rows)
    for i in range(problem.n):
        if problem.kernel.has_rows and problem.y.count(problem.y[i]) > 1:
            X, y, C = ([*v[:i], *v[i + 1 :]] for v in (problem.X, problem.y, problem.C))
            other = with_changes(problem, X=X, y=y, C=C)
            yield WrongProblem("ExampleIgnored", f"without example {i}", other, rows)


# ---- penalties: (flag, why, C)


def wrong_penalties(problem: NumericProblem) -> Iterator[tuple[str, str, list[float]]]:
    """Yield the C that are used by mistake."""
    C, n = problem.C, problem.n
    if inf in C:
        return
    if len(set(C)) > 1:
        yield from wrong_weights(problem)
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


def wrong_weights(problem: NumericProblem) -> Iterator[tuple[str, str, list[float]]]:
    """Yield what is made by mistake of penalties that differ."""
    C, n = problem.C, problem.n
    average = float(mean(map(Fraction, C)))
    by_class = {y: {c for c, label in zip(C, problem.y) if label == y} for y in (-1, 1)}
    if len(by_class[-1]) == len(by_class[1]) == 1:
        low, high = by_class[-1].pop(), by_class[1].pop()
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


def wrong_formulations(problem: NumericProblem, rows: Any) -> Iterator[WrongProblem]:
    """Yield the same data, of which another objective is minimised."""
    C = problem.C
    if problem.bias:
        other = with_changes(problem, bias=False)
        yield WrongProblem("NoOffset", "without an offset", other, rows)
        if problem.kernel.has_rows:
            yield from regularised_offset(problem, rows)
    if problem.slack == "hinge" and inf not in C:
        for factor in (1, 2):
            other = with_changes(problem, C=[factor * c for c in C], slack="squared")
            yield WrongProblem("SquaredLoss", "of squared slacks", other, rows)
    if problem.slack == "squared":
        other = with_changes(problem, slack="hinge")
        yield WrongProblem("SquaredLoss", "of the slacks, not squared", other, rows)


def regularised_offset(problem: NumericProblem, rows: Any) -> Iterator[WrongProblem]:
    """Yield the problem with b^2 / 2 in its objective: 1 is added to each kernel value."""
    K, there = (
        [[v + 1 for v in row] for row in exact_kernel_rows(problem, some)]
        for some in (problem.X, rows)
    )
    other = Problem(K, problem.y, Precomputed(), problem.C, False, problem.slack)
    yield WrongProblem("RegularisedOffset", "with the offset regularised", other, there)
    if inf not in problem.C:
        squared = with_changes(other, C=[2 * c for c in problem.C], slack="squared")
        why = "of squared slacks with the offset regularised"
        yield WrongProblem("RegularisedOffset", why, squared, there)


def exact_kernel_rows(problem: NumericProblem, rows: Any) -> list[list[Fraction]]:
    """Return the kernel values of each row with the examples, as Fractions."""
    problem, rows = on_fractions(problem, rows)
    return [kernel_values(problem, row) for row in rows]


# ---- kernels


def wrong_parameters(problem: NumericProblem) -> Iterator[tuple[str, Kernel]]:
    """Yield (why, kernel) of the same kernel with parameters that are used by mistake."""
    kernel, width = problem.kernel, len(problem.X[0])
    if type(kernel) is Gaussian:
        gamma = kernel.gamma
        for other in (2 * gamma, gamma / 2, gamma**2, 1 / gamma, 1 / width, 1.0):
            yield f"with gamma = {other:g}", Gaussian(other)
    if type(kernel) is Sigmoid:
        gamma, coef0 = kernel.gamma, kernel.coef0
        for pair in ((gamma, 0), (1, coef0), (1 / width, coef0), (gamma, -coef0)):
            yield "with gamma = {:g}, coef0 = {:g}".format(*pair), Sigmoid(*pair)
    if type(kernel) is Polynomial:
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


def wrong_powers(problem: NumericProblem, rows: Any) -> Iterator[WrongProblem]:
    """Yield powers of inner products that are not (gamma x.z + coef0)^degree."""
    degree, gamma, coef0 = problem.kernel.degree, problem.kernel.gamma, problem.kernel.coef0
    for why, formula in (
        ("(gamma x.z)^degree + coef0", lambda s: power(gamma * s, degree) + coef0),
        ("gamma (x.z + coef0)^degree", lambda s: gamma * power(s + coef0, degree)),
        ("|gamma x.z + coef0|^degree", lambda s: power(abs(gamma * s + coef0), degree)),
    ):
        other = with_values(problem, rows, of_inner_product(formula))
        yield WrongProblem("KernelFormula", f"with {why}", *other)


def of_inner_product(formula: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    """Return the function of two rows that is a formula of their inner product."""
    return lambda x, z: formula(dot(x, z))


def wrong_distances(problem: NumericProblem, rows: Any) -> Iterator[WrongProblem]:
    """Yield exp(-gamma d) of another distance d than the square of the usual one."""
    gamma = problem.kernel.gamma

    def not_squared(x: Any, z: Any) -> Any:
        return exp(-gamma * sqrt(squared_distance(x, z)))

    def absolute(x: Any, z: Any) -> Any:
        return exp(-gamma * total(abs(p - q) for p, q in zip(x, z)))

    for why, value in (("not squared", not_squared), ("that sums absolute values", absolute)):
        other = with_values(problem, rows, value)
        yield WrongProblem("KernelFormula", f"with a distance {why}", *other)


def overflows(problem: NumericProblem, rows: Any) -> bool:
    """Return whether a squared distance is beyond the doubles."""
    return any(squared_distance(x, z) == inf for x in problem.X for z in rows)


def overflow_as_0(problem: NumericProblem, rows: Any) -> WrongProblem:
    """Return the problem whose squared distances are 0 where they overflow."""

    def value(x: Any, z: Any) -> Any:
        distance = squared_distance(x, z)
        return exp(-problem.kernel.gamma * (distance if distance < inf else 0.0))

    other = with_values(problem, rows, value)
    return WrongProblem("KernelFormula", "with distances that overflow counted as 0", *other)


def with_values(
    problem: NumericProblem, rows: Any, value: Callable[[Any, Any], Any]
) -> tuple[NumericProblem, list[Any]]:
    """Return problem and rows with a Gram matrix of the values of a function of two rows."""
    K, there = ([[value(x, z) for x in problem.X] for z in some] for some in (problem.X, rows))
    return with_changes(problem, X=K, kernel=Precomputed()), there


# ---- features


def wrong_features(problem: NumericProblem, rows: Any) -> Iterator[WrongProblem]:
    """Yield features that are scaled first: those of the rows to decide about, too, or not."""
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
        X, there = (
            [[v / (length(x) or 1.0) for v in x] for x in some] for some in (problem.X, rows)
        )
        other = with_changes(problem, X=X)
        yield WrongProblem("HiddenScaling", f"with rows {why}", other, there)
        yield WrongProblem("HiddenScaling", f"with examples {why}", other, rows)


def rescaled(
    problem: NumericProblem, rows: Any, why: str, origin: list[float], span: list[float]
) -> Iterator[WrongProblem]:
    """Yield the problem with features (v - origin) / span."""
    X, there = (
        [[(v - o) / s for v, o, s in zip(x, origin, span)] for x in some]
        for some in (problem.X, rows)
    )
    other = with_changes(problem, X=X)
    yield WrongProblem("HiddenScaling", f"with features {why}", other, there)
    yield WrongProblem("HiddenScaling", f"with features {why} in fit only", other, rows)


def deviation(column: Iterable[float], ddof: int) -> float:
    """Return the standard deviation, over n - ddof; 0 where no double holds its square."""
    values = list(map(Fraction, column))
    middle = mean(values)
    variance = total((v - middle) ** 2 for v in values) / (len(values) - ddof)
    return sqrt(variance) if variance < 2**1023 else 0.0


def mean(values: Iterable[Fraction]) -> Any:
    """Return the mean of some fractions."""
    values = list(values)
    return total(values) / len(values)


# ---- offsets: (flag, the least, the largest)


def wrong_offsets(e: Evidence) -> Iterator[tuple[str, Any, Any]]:
    """Yield the offsets that known bugs find, of this problem and its multipliers."""
    problem, best = e.truth.problem, e.truth.optimum
    beta = e.beta or problem.beta(e.truth.alpha)
    scores = e.truth.example_scores
    r = [y - s for y, s in zip(problem.y, scores)]
    support = [i for i, c in enumerate(beta) if c != 0]
    at_C = [i for i in support if abs(beta[i]) == problem.upper_bounds()[i]]
    free = [i for i in support if i not in at_C]
    yield from misplaced_offsets(best, scores[0] if problem.linear else Fraction(0))
    averages = [mean(r[i] for i in some) for some in (support, at_C, range(problem.n)) if some]
    points = [*(("OffsetAveraged", b) for b in averages), *(("OffsetBounded", r[i]) for i in at_C)]
    points.append(("OffsetHardMargin", hard_margin_offset(problem.y, scores)))
    for origin in (-middle_offset(best), Fraction(0), scores[0]):
        for some in filter(None, (free, support, range(problem.n))):
            signs = {i: 1 if scores[i] >= origin else -1 for i in some}
            b = mean(Fraction(problem.y[i] - signs[i]) for i in some)
            points += [("OffsetSignOfF", b), ("OffsetSignOfF", b - origin)]
    points += [("OffsetEnds", b) for b in wrong_ends(problem, beta, r)]
    for flag, b in points:
        yield flag, b, b


def misplaced_offsets(best: ExactOptimum, origin: Fraction) -> Iterator[tuple[str, Any, Any]]:
    """Yield optimal offsets with a wrong sign, factor or origin.

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


def hard_margin_offset(y: list[int], scores: list[Fraction]) -> Fraction:
    """Return -(the largest score of -1 + the smallest of +1) / 2."""
    below = max(s for s, label in zip(scores, y) if label < 0)
    above = min(s for s, label in zip(scores, y) if label > 0)
    return -(below + above) / 2


def wrong_ends(problem: NumericProblem, beta: Any, r: list[Fraction]) -> Iterator[Fraction]:
    """Yield the middles of what is no interval of optimal offsets: wrong sets, or wrong ends."""
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
