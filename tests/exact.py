"""The exact optimum of a small problem, by trying everything: the judge of the other tests.

It imports nothing of refsvm and shares no formula with it but the definition of the problem:

    primal    minimise  1/2 beta' K beta + sum C_i loss(xi_i),   xi_i = max(0, 1 - y_i (s_i + b))
    dual      maximise  sum alpha_i - 1/2 beta' K' beta           over 0 <= alpha_i <= C_i

    K       kernel matrix of Fractions, positive semidefinite      beta_i   alpha_i y_i
    loss   xi, or xi^2 / 2 under squared slack                    s        K beta
    K'      K, or under squared slack K + diag(1 / C) (and then alpha has no upper bound)
    tied    with an offset b, sum beta_i = 0; without, b = 0

Every alpha_i is tried at 0, at C_i and in between: 3^n patterns. Those in between solve a linear
system. Patterns whose system is singular may be left out: the optimal alphas form a polytope, and
at a corner of it the system is not singular (a direction d of its null space has K d = 0, so it
would lead from the corner to other optima both ways). An answer is believed only when its primal
value equals its dual value; if no pattern has one, there is no optimum: a hard margin that does
not exist. All in Fractions, so there is nothing to tolerate.
"""

from fractions import Fraction
from itertools import product
from math import inf
from typing import Any, NamedTuple


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
    """The Optimum of every pattern that has one: with every corner of the optimal alphas.

    So the optimal alpha is unique if and only if all of these have the same.
    """
    ridge = [1 / c if squared and c != inf else Fraction(0) for c in C]
    top = [inf if squared else c for c in C]
    for pattern in product((0, 1, 2), repeat=len(y)):
        if any(p == 2 and c == inf for p, c in zip(pattern, top)):
            continue
        beta = candidate(K, y, top, ridge, bias, pattern)
        if beta is None:
            continue
        offsets = best_offsets(K, y, C, bias, squared, beta)
        if offsets and primal(K, y, C, beta, offsets[0], squared) == dual(K, y, C, beta, squared):
            alpha = [b * s for b, s in zip(beta, y)]
            yield Optimum(dual(K, y, C, beta, squared), alpha, times(K, beta), *offsets)


def candidate(K, y, top, ridge, bias, pattern):
    """The beta of a pattern, or None: 0 means alpha_i = 0, 1 in between, 2 at the top."""
    beta = [s * c if p == 2 else Fraction(0) for s, c, p in zip(y, top, pattern)]
    free = [i for i, p in enumerate(pattern) if p == 1]
    s = times(K, beta)
    system = [[K[i][j] + (ridge[i] if i == j else 0) for j in free] + [1] * bias for i in free]
    right = [y[i] - s[i] for i in free]
    if bias:
        system.append([1] * len(free) + [0])
        right.append(-exact_sum(beta))
        if not free:
            return beta if right == [0] else None
    solution = solved(system, right)
    if solution is None:
        return None
    for i, v in zip(free, solution):
        beta[i] = v
        if not 0 <= v * y[i] <= top[i]:
            return None
    return beta


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


def inner(x, z):
    return exact_sum(a * b for a, b in zip(x, z) if a and b)


def linear_gram(X):
    return [[inner(x, z) for z in X] for x in X]


def polynomial_gram(X, degree, gamma=1, coef0=0):
    return [[(gamma * inner(x, z) + coef0) ** degree for z in X] for x in X]


def quadratic(K, beta):
    return inner(beta, times(K, beta))


def times(K, beta):
    return [inner(row, beta) for row in K]


def exact_sum(numbers):
    return sum(numbers, Fraction(0))  # exact


def solved(A, right):
    """The solution of a square system, or None if A is singular; [] for no unknowns."""
    rows = [[Fraction(v) for v in row] + [Fraction(r)] for row, r in zip(A, right)]
    n = len(rows)
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k] != 0), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [v / rows[k][k] for v in rows[k]]
        for i in range(n):
            if i != k and rows[i][k] != 0:
                factor = rows[i][k]
                rows[i] = [v - factor * p if p else v for v, p in zip(rows[i], rows[k])]
    return [row[n] for row in rows]
