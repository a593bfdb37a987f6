"""Coordinate ascent of the dual with a column of ones for the offset, as LIBLINEAR does it.

It solves another problem: b^2 / 2 is added to the objective. Linear only.

Source: Hsieh, Chang, Lin, Keerthi, Sundararajan, A dual coordinate descent method for large-scale
linear SVM, ICML 2008, algorithm 1.
"""

from libraries import only

from refsvm import Linear

EPOCHS = 2000


def train(problem):
    """A function of a row: the decision about it."""
    only(problem, Linear, penalties="each")
    X = [[*x, 1.0] for x in problem.X]
    y, C = problem.y, problem.C
    alpha = [0.0] * len(y)
    w = [0.0] * len(X[0])
    squares = [product(x, x) for x in X]
    for _ in range(EPOCHS):
        largest = 0.0
        for i, x in enumerate(X):
            gradient = y[i] * product(w, x) - 1
            new = alpha[i] - gradient / squares[i]
            new = min(C[i], max(0.0, new))
            change = new - alpha[i]
            alpha[i] = new
            w = [v + change * y[i] * p for v, p in zip(w, x)]
            largest = max(largest, abs(change) * squares[i])
        if largest < 1e-7:
            break
    b = w.pop()

    def decide(x):
        return product(w, x) + b

    return decide


def product(x, z):
    return sum(p * q for p, q in zip(x, z))
