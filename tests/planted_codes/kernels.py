"""What the small SVM computes with: inner products, powers, rows of the Gram matrix.

A row of the Gram matrix is computed when it is asked for, and a few are kept: the one that was
asked for the longest time ago makes room for the next.
"""

import math

BLOCK = 16  # columns of a row that are computed together; rows that are decided together
MOST_ROWS = 24  # of the Gram matrix, that are kept


def dot(x, z):
    """The inner product: four products at a time, then what is left."""
    a = b = c = d = 0.0
    whole = len(x) - len(x) % 4
    for k in range(0, whole, 4):
        a += x[k] * z[k]
        b += x[k + 1] * z[k + 1]
        c += x[k + 2] * z[k + 2]
        d += x[k + 3] * z[k + 3]
    for k in range(whole, len(x)):
        a += x[k] * z[k]
    return (a + b) + (c + d)


def power(base, degree):
    result = 1.0
    for _ in range(degree):
        result *= base
    return result


class KernelRows:
    """The Gram matrix of some examples, row by row."""

    def __init__(self, value, examples, most=MOST_ROWS):
        self.value, self.examples, self.most = value, examples, most
        self.kept = {}

    def __len__(self):
        return len(self.examples)

    def __getitem__(self, i):
        row = self.kept.pop(i, None)
        if row is None:
            row = self.compute(i)
            if len(self.kept) >= self.most:
                oldest = next(iter(self.kept))
                del self.kept[oldest]
        self.kept[i] = row
        return row

    def compute(self, i):
        row = []
        x = self.examples[i]
        for start in range(0, len(self.examples), BLOCK):
            row += [self.value(x, z) for z in self.examples[start : start + BLOCK]]
        return row


def add(sums, factor, row, places):
    """Add a multiple of a row, at these places."""
    for k in places:
        sums[k] += factor * row[k]


def combined(K, beta):
    """sum_j beta_j K_j, of the rows that count."""
    scores, everywhere = [0.0] * len(beta), range(len(beta))
    for j, v in enumerate(beta):
        if v != 0:
            add(scores, v, K[j], everywhere)
    return scores


def weighted_sum(beta, rows, width):
    return [sum(b * x[k] for b, x in zip(beta, rows)) for k in range(width)]


def scale_of(X):
    """scikit-learn's gamma="scale": 1 / (d variance of all numbers), 1 for constant rows."""
    values = [v for x in X for v in x]
    mean = sum(values) / len(values)
    variance = sum((v - mean) ** 2 for v in values) / len(values)
    return 1 / (len(X[0]) * variance) if variance > 0 else 1.0


def refuse_rows(X, width):
    if any(len(x) != width for x in X):
        raise ValueError("rows of another length")
    if not all(math.isfinite(v) for x in X for v in x):
        raise ValueError("X must be finite")
