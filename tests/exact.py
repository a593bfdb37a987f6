"""The exact optimum of a small problem, by trying everything: the judge of the other tests.

It imports nothing of refsvm and shares no formula with it but the definition of the problem:

    primal    minimise  1/2 beta' K beta + sum C_i loss(xi_i),   xi_i = max(0, 1 - y_i (s_i + b))
    dual      maximise  sum alpha_i - 1/2 beta' K' beta           over 0 <= alpha_i <= C_i

    K       kernel matrix of Fractions, positive semidefinite      beta_i   alpha_i y_i
    loss   xi, or xi^2 / 2 under squared slack                    s        K beta
    K'      K, or under squared slack K + diag(1 / C) (and then alpha has no upper bound)
    tied    with an offset b, sum beta_i = 0; without, b = 0

Every alpha_i is tried at 0, at C_i and in between (exact_programs.py). An answer is believed only
when its primal value equals its dual value; if no pattern has one, there is no optimum: a hard
margin that does not exist. All in Fractions, so there is nothing to tolerate.
"""

from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from exact_programs import Program, corners, exact_sum, inner, times


class Optimum(NamedTuple):
    value: Fraction
    alpha: list  # one of the optimal ones
    scores: list  # s_i = <w, phi(x_i)>, the same for every optimal alpha
    b_low: Any  # the ends of the interval of optimal offsets
    b_high: Any


def optimum(K, y, C, bias=True, squared=False):
    """The Optimum, or None if the dual has no bound. O(3^n n^3)."""
    return next(optima(K, y, C, bias, squared), None)


def optima(K, y, C, bias=True, squared=False):
    """The Optimum of every corner of the optimal alphas.

    So the optimal alpha is unique if and only if there is one.
    """
    for beta in corners(program(K, y, C, bias, squared)):
        offsets = best_offsets(K, y, C, bias, squared, beta)
        if offsets and primal(K, y, C, beta, offsets[0], squared) == dual(K, y, C, beta, squared):
            alpha = [b * s for b, s in zip(beta, y)]
            yield Optimum(dual(K, y, C, beta, squared), alpha, times(K, beta), *offsets)


def program(K, y, C, bias, squared):
    """The dual, less its sign, in beta."""
    ridge = [1 / c if squared and c != inf else 0 for c in C]
    top = [inf if squared else c for c in C]
    return Program(
        [[v + (ridge[i] if i == j else 0) for j, v in enumerate(row)] for i, row in enumerate(K)],
        y,
        [0 if label > 0 else -c for label, c in zip(y, top)],
        [c if label > 0 else 0 for label, c in zip(y, top)],
        [list(range(len(y)))] if bias else [],
        [0] if bias else [],
    )


def best_offsets(K, y, C, bias, squared, beta):
    """The ends of the interval of the b that are best for this beta; None if no b will do.

    Hinge: the primal is linear in b between the offsets that put an example onto its margin, so
    the best are among these. Squared: xi_i = alpha_i / C_i at an optimum, which tells b.
    """
    if not bias:
        return Fraction(0), Fraction(0)
    s = times(K, beta)
    if squared:
        told = {
            y_i - s_i - (0 if c == inf else b / c)
            for y_i, s_i, b, c in zip(y, s, beta, C)
            if b != 0
        }
        return (min(told), max(told)) if told else None
    corners = [y_i - s_i for y_i, s_i in zip(y, s)]
    values = [loss(s, y, C, b) for b in corners]
    best = [b for b, value in zip(corners, values) if value == min(values) < inf]
    return (min(best), max(best)) if best else None


def primal(K, y, C, beta, b, squared=False):
    """The primal objective at w = sum beta_i phi(x_i) and b; inf if a hard constraint breaks."""
    s = times(K, beta)
    return inner(beta, s) / 2 + loss(s, y, C, b, squared)


def loss(s, y, C, b, squared=False):
    """What the slacks cost at the scores s and the offset b."""
    total = Fraction(0)
    for y_i, s_i, c in zip(y, s, C):
        xi = max(0, 1 - y_i * (s_i + b))
        if xi > 0:
            total += inf if c == inf else c * xi * xi / 2 if squared else c * xi
    return total


def dual(K, y, C, beta, squared=False):
    """The dual objective."""
    total = exact_sum(b * s for b, s in zip(beta, y)) - quadratic(K, beta) / 2
    if squared:
        total -= exact_sum(b * b / c for b, c in zip(beta, C) if c != inf) / 2
    return total


def is_separable(K, y, bias=True):
    """Whether a hard margin exists."""
    return optimum(K, y, [inf] * len(y), bias) is not None


def linear_gram(X):
    return [[inner(x, z) for z in X] for x in X]


def polynomial_gram(X, degree, gamma=1, coef0=0):
    return [[(gamma * inner(x, z) + coef0) ** degree for z in X] for x in X]


def quadratic(K, beta):
    return inner(beta, times(K, beta))

