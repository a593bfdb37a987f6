"""Kernel Pegasos: counts of how often an example lacked its margin.

Its own faults: there is no offset, and after so few rounds it is far from the optimum.

Source: Shalev-Shwartz, Singer, Srebro, Cotter, Mathematical Programming 127 (2011), figure 3.
"""

from random import Random

from libraries import only

from refsvm import Gaussian, Linear, Polynomial

ROUNDS = 30  # times the number of examples


def train(problem):
    """A function of a row: the decision about it."""
    only(problem, Linear, Polynomial, Gaussian)
    X, y, value = problem.X, problem.y, problem.kernel
    n, draws = len(y), Random(0)
    lam = 1 / (n * problem.C[0])
    K = [[value(x, z) for z in X] for x in X]
    counts = [0] * n
    rounds = ROUNDS * n
    for t in range(1, rounds + 1):
        i = draws.randrange(n)
        s = sum(c * q * k for c, q, k in zip(counts, y, K[i]))
        if y[i] * s < lam * t:
            counts[i] += 1
    scale = lam * rounds

    def decide(x):
        s = sum(c * q * value(z, x) for c, q, z in zip(counts, y, X) if c)
        return s / scale

    return decide
