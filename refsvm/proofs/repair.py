"""Multipliers that come close to the constraints, made to fulfil them exactly.

A program's alpha leaves the box by a rounding, and sum alpha_i y_i is 1e-17 and not 0; that of a
broken program is anything at all. The dual's value bounds the optimum only at an alpha that is
feasible. So each multiplier is moved to the nearest end of its interval, and then, where there is
an offset, all of the heavier class are multiplied by the one factor that makes the classes even.
"""

from fractions import Fraction


def repaired(problem, alpha):
    """Feasible multipliers near alpha, for a problem on Fractions; alpha if it is feasible. O(n).

    >>> from refsvm.svm.problem import Problem
    >>> problem = Problem([[Fraction(0)], [1], [3]], [-1, 1, 1], C=2)
    >>> [str(a) for a in repaired(problem, [3, -1, 0.5])]
    ['1/2', '0', '1/2']
    """
    alpha = [y * x for y, x in zip(problem.y, problem.beta(alpha))]
    clipped = [min(max(a, Fraction(0)), top) for a, top in zip(alpha, problem.upper_bounds())]
    return even(clipped, problem.y) if problem.bias else clipped


def even(alpha, y):
    """alpha >= 0 with the heavier class scaled down, so that sum alpha_i y_i is 0."""
    weight = {+1: Fraction(0), -1: Fraction(0)}
    for a, label in zip(alpha, y):
        weight[label] += a
    if weight[1] == weight[-1]:
        return alpha
    heavier = 1 if weight[1] > weight[-1] else -1
    factor = weight[-heavier] / weight[heavier]
    return [a * factor if label == heavier else a for a, label in zip(alpha, y)]
