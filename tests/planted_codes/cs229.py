"""The simplified SMO of CS229's notes, as a class that people write from them.

Its own faults: it stops after a few rounds in which nothing changed, leaves out short steps and
pairs without curvature, and b is what the last step left.

Source: CS 229 Autumn 2009, "The Simplified SMO Algorithm", handout of assignment 2, page 5.
"""

import math
from random import Random

from libraries import only

from refsvm import Gaussian, Linear, Polynomial

PASSES = 5  # rounds in which nothing changed
ROUNDS = 60  # in all


class SimplifiedSMO:
    """alpha, b and decision_function of a machine with this C and this kernel."""

    def __init__(self, C, kernel, tol=1e-3):
        self.C, self.kernel, self.tol = C, kernel, tol

    def fit(self, X, y):
        n, draws = len(y), Random(0)
        self.X, self.y = X, y
        self.alpha, self.b = [0.0] * n, 0.0
        self.K = [[self.kernel(x, z) for z in X] for x in X]
        self.errors = [-float(s) for s in y]
        passes = 0
        for _ in range(ROUNDS):
            changed = 0
            for i in range(n):
                if self.breaks_a_condition(i):
                    j = (i + 1 + draws.randrange(n - 1)) % n
                    changed += self.step(i, j)
            passes = 0 if changed else passes + 1
            if passes == PASSES:
                break
        return self

    def breaks_a_condition(self, i):
        lack = self.y[i] * self.errors[i]
        return (lack < -self.tol and self.alpha[i] < self.C) or (
            lack > self.tol and self.alpha[i] > 0)

    def ends(self, i, j):
        a, c = self.alpha[i], self.alpha[j]
        if self.y[i] != self.y[j]:
            return max(0.0, c - a), min(self.C, self.C + c - a)
        return max(0.0, a + c - self.C), min(self.C, a + c)

    def step(self, i, j):
        K, y, alpha = self.K, self.y, self.alpha
        L, H = self.ends(i, j)
        eta = 2 * K[i][j] - K[i][i] - K[j][j]
        if L == H or eta >= 0:
            return 0
        new = alpha[j] - y[j] * (self.errors[i] - self.errors[j]) / eta
        new = min(H, max(L, new))
        if abs(new - alpha[j]) < 1e-5:
            return 0
        fall = y[j] * (new - alpha[j])
        rise = -fall
        at_i = self.b - self.errors[i] - rise * K[i][i] - fall * K[i][j]
        at_j = self.b - self.errors[j] - rise * K[i][j] - fall * K[j][j]
        alpha[i] += y[i] * rise
        alpha[j] = new
        inside_i = 0 < alpha[i] < self.C
        inside_j = 0 < alpha[j] < self.C
        b = at_i if inside_i else at_j if inside_j else (at_i + at_j) / 2
        shift, self.b = b - self.b, b
        self.errors = [e + rise * p + fall * q + shift
                       for e, p, q in zip(self.errors, K[i], K[j])]
        return 1

    def decision_function(self, rows):
        beta = [a * s for a, s in zip(self.alpha, self.y)]
        return [sum(c * self.kernel(z, x) for c, z in zip(beta, self.X)) + self.b for x in rows]


def linear(x, z):
    return sum(p * q for p, q in zip(x, z))


def polynomial(x, z, degree, gamma, coef0):
    return (gamma * linear(x, z) + coef0) ** degree


def gaussian(x, z, gamma):
    return math.exp(-gamma * sum((p - q) ** 2 for p, q in zip(x, z)))


def train(problem):
    """The adapter: a refsvm Problem as this class takes it."""
    only(problem, Linear, Polynomial, Gaussian)
    kernel = linear
    if isinstance(problem.kernel, Polynomial):
        degree, gamma, coef0 = problem.kernel.parameters()
        kernel = lambda x, z: polynomial(x, z, int(degree), gamma, coef0)  # noqa: E731
    if isinstance(problem.kernel, Gaussian):
        kernel = lambda x, z: gaussian(x, z, problem.kernel.gamma)  # noqa: E731
    return SimplifiedSMO(problem.C[0], kernel).fit(problem.X, problem.y)
