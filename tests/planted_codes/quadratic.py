"""The dual handed to a solver of quadratic programs, as in many posts on the web.

Its own faults: multipliers below 1e-5 count as 0, and b is the mean of y - s over all support
vectors, those at C among them. The solver is refsvm.smo, so that only the recipe is wrong.
"""

import math

from libraries import only

from refsvm import Gaussian, Linear, Polynomial, Precomputed, Problem, smo


def solve(K, y, C):
    """The multipliers."""
    return smo(Problem(K, y, Precomputed(), C), tol=1e-9).alpha


def inner(x, z):
    return sum(p * q for p, q in zip(x, z))


def value_of(kernel):
    """The kernel as a function of two rows."""
    if isinstance(kernel, Gaussian):
        gamma = kernel.gamma
        return lambda x, z: math.exp(-gamma * sum((p - q) ** 2 for p, q in zip(x, z)))
    if isinstance(kernel, Polynomial):
        degree, gamma, coef0 = kernel.parameters()
        return lambda x, z: (gamma * inner(x, z) + coef0) ** int(degree)
    return inner


def train(problem):
    """A function of a row: the decision about it."""
    only(problem, Linear, Polynomial, Gaussian)
    value = value_of(problem.kernel)
    X, y = problem.X, problem.y
    C = problem.C[0]
    K = [[value(x, z) for z in X] for x in X]
    alpha = solve(K, y, C)
    beta = [a * s for a, s in zip(alpha, y)]
    support = [i for i, a in enumerate(alpha) if a > 1e-5]
    scores = [sum(beta[j] * K[i][j] for j in support) for i in range(len(y))]
    off = [y[i] - scores[i] for i in support]
    b = sum(off) / len(off) if off else 0.0

    def decide(x):
        return sum(beta[j] * value(X[j], x) for j in support) + b

    return decide
