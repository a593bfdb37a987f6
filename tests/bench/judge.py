"""How good an answer is: its gap relative to its dual, by the same lines for every program.

    gap = primal - dual      primal  1/2 |w|^2 + C sum slacks      dual  sum alpha - 1/2 |w|^2

All in doubles. The multipliers are made feasible first, and the offset is the one at which the
primal is least: its derivative is zero where as many y_i - s_i lie below b as there are positive
examples. Kernel values are made a block of rows at a time, with the support vectors only.

    s    scores without offset          beta    alpha_i y_i
"""

from math import inf

import numpy
from against_libsvm import feasible

BLOCK = 50 * 2**20 // 8  # kernel values at a time: 50 MB


def relative_gap(X, y, alpha, kernel, C):
    """((primal - dual) / dual, dual) of the problem at alpha; `kernel` as in trainers.py."""
    flat = kernel == "flat"
    alpha = numpy.clip(alpha, 0, C) if flat else feasible(alpha, y, C)
    beta = alpha * y
    s = scores(X, X, beta, kernel)
    quadratic = beta @ s / 2
    b = 0 if flat else numpy.sort(y - s)[(y > 0).sum() - 1]
    slacks = numpy.maximum(0, 1 - y * (s + b))
    dual = float(alpha.sum() - quadratic)
    gap = float(quadratic + C * slacks.sum()) - dual
    return gap / dual if dual > 0 else inf, dual


def primal_of(X, y, w, C):
    """The primal of a linear machine without offset."""
    return float(w @ w / 2 + C * numpy.maximum(0, 1 - y * (X @ w)).sum())


def scores(rows, X, beta, kernel):
    """The sum of beta_j k(x_j, row) for each row, over the beta_j that are not zero."""
    support = numpy.flatnonzero(beta)
    vectors, weights = X[support], beta[support]
    if kernel in ("linear", "flat"):
        return rows @ (weights @ vectors)
    result = numpy.empty(len(rows))
    step = max(1, BLOCK // max(1, len(support)))
    for start in range(0, len(rows), step):
        block = KERNELS[kernel](rows[start:start + step], vectors)
        result[start:start + step] = block @ weights
    return result


def cubic(rows, vectors):
    """(x.z / d)^3 of all pairs."""
    K = rows @ vectors.T
    K /= rows.shape[1]
    return K * K * K


def gaussian(rows, vectors):
    """exp(-|x - z|^2 / d) of all pairs."""
    K = rows @ vectors.T
    K *= -2
    K += (rows * rows).sum(axis=1)[:, None]
    K += (vectors * vectors).sum(axis=1)
    K /= -rows.shape[1]
    return numpy.exp(K, out=K)


KERNELS = {"gaussian": gaussian, "cubic": cubic}
