"""The offsets that known mistakes find.

r_i   y_i - s_i, the offset that puts example i on its margin       beta   alpha_i y_i
up    examples whose beta may rise                                  low    may fall
"""

from fractions import Fraction

from ..numerics.linalg import total
from .truth import middle


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
