"""A small support vector machine, correct, in plain Python: written to be broken by planted.py.

It has scikit-learn's names, pair SMO with exact clipping, the mean over the free for b, weights,
labels of any sort, kernels by name, and a text form to be saved in. Each line that others got
wrong stands alone, so that one change of text is one bug.

    K      Gram matrix            alpha   multipliers, 0 <= alpha_i <= C_i
    y      +1 or -1               r_i     y_i - s_i, the offset that puts example i on its margin
    up     beta_i may rise        low     beta_i may fall         (beta_i = alpha_i y_i)
"""

import json
import math
import warnings

FURTHEST = 1024.0  # times the way of a few steps; the rounding in it grows as much


class Machine:
    """A classifier for two classes; the arguments are those of scikit-learn's SVC."""

    def __init__(self, C=1.0, kernel="rbf", degree=3, gamma="scale", coef0=0.0, tol=1e-9,
                 class_weight=None, max_iter=-1):
        self.C, self.kernel, self.degree, self.gamma = C, kernel, degree, gamma
        self.coef0, self.tol, self.class_weight, self.max_iter = coef0, tol, class_weight, max_iter

    def get_params(self, deep=True):
        return {name: value for name, value in vars(self).items() if not name.endswith("_")}

    def set_params(self, **given):
        for name, value in given.items():
            setattr(self, name, value)
        return self

    def fit(self, X, y, sample_weight=None):
        y = [label.item() if hasattr(label, "dtype") else label for label in y]
        X = [[float(v) for v in x] for x in X]
        weight = [1.0] * len(X) if sample_weight is None else [float(v) for v in sample_weight]
        self.refuse(X, y, weight)
        self.classes_ = sorted(set(y))
        first, second = self.classes_
        share = self.class_weight or {}
        if share == "balanced":
            share = balanced(y, weight, self.classes_)
        C = [self.C * share.get(label, 1.0) * v for label, v in zip(y, weight)]
        kept = [i for i, c in enumerate(C) if c > 0]
        signs = [1 if label == second else -1 for label in y]
        self.gamma_ = scale_of(X) if self.gamma == "scale" else self.gamma
        self.solve(X, [signs[i] for i in kept], [C[i] for i in kept], kept)
        return self

    def solve(self, X, y, C, kept):
        rows = [X[i] for i in kept]
        self.origin_ = rows[0] if self.kernel == "linear" else None
        if self.kernel == "precomputed":
            K = [[x[j] for j in kept] for x in rows]
        else:
            moved = self.moved(rows)
            K = [[self.value(x, z) for z in moved] for x in moved]
        steps = 10_000 if self.max_iter < 0 else self.max_iter
        alpha, r, self.n_iter_, done = smo(K, y, C, self.tol, steps)
        b = offset(alpha, r, y, C)
        self.fit_status_ = 0 if done else 1
        if not done:
            warnings.warn("max_iter reached before tol", RuntimeWarning, stacklevel=3)
        self.keep(X, rows, kept, [a * s for a, s in zip(alpha, y)], b)

    def keep(self, X, rows, kept, beta, b):
        """Leave the support vectors, their coefficients, and for a linear machine w."""
        self.width_ = len(X[0])
        chosen = [k for k, v in enumerate(beta) if v != 0]
        self.support_ = [kept[k] for k in chosen]
        self.support_vectors_ = [rows[k] for k in chosen]
        self.dual_coef_ = [[beta[k] for k in chosen]]
        self.n_support_ = [sum(beta[k] < 0 for k in chosen), sum(beta[k] > 0 for k in chosen)]
        if self.kernel == "linear":
            w = weighted_sum(self.dual_coef_[0], self.moved(self.support_vectors_), self.width_)
            b = b - dot(w, self.origin_)
            self.coef_ = [w]
        self.intercept_ = [b]

    def moved(self, rows):
        """A linear machine is solved on rows less the first: its dual is the same, b is not."""
        if self.origin_ is None:
            return rows
        return [[v - o for v, o in zip(x, self.origin_)] for x in rows]

    def value(self, x, z):
        """k(x, z)."""
        if self.kernel == "linear":
            return dot(x, z)
        if self.kernel == "poly":
            return power(self.gamma_ * dot(x, z) + self.coef0, self.degree)
        if self.kernel == "sigmoid":
            return math.tanh(self.gamma_ * dot(x, z) + self.coef0)
        distance = sum((p - q) * (p - q) for p, q in zip(x, z))
        return math.exp(-self.gamma_ * distance)

    def decision_function(self, X):
        X = [[float(v) for v in x] for x in X]
        refuse_rows(X, self.width_)
        return [self.decide(x) for x in X]

    def decide(self, x):
        b = self.intercept_[0]
        if self.kernel == "linear":
            return dot(self.coef_[0], x) + b
        beta = self.dual_coef_[0]
        if self.kernel == "precomputed":
            return dot(beta, [x[i] for i in self.support_]) + b
        return dot(beta, [self.value(z, x) for z in self.support_vectors_]) + b

    def predict(self, X):
        first, second = self.classes_
        return [second if f >= 0 else first for f in self.decision_function(X)]

    def score(self, X, y, sample_weight=None):
        weight = sample_weight or [1.0] * len(X)
        right = [w for p, label, w in zip(self.predict(X), y, weight) if p == label]
        return sum(right) / sum(weight)

    def __getstate__(self):
        return json.dumps(vars(self))

    def __setstate__(self, text):
        vars(self).update(json.loads(text))

    def refuse(self, X, y, weight):
        """ValueError for what no machine can be trained on."""
        refuse_rows(X, len(X[0]) if X else 0)
        if not X or not X[0] or len(y) != len(X) or len(weight) != len(X):
            raise ValueError("X, y and sample_weight must be of one length, not empty")
        if not all(math.isfinite(v) and v >= 0 for v in weight):
            raise ValueError("a weight must be a number, 0 or more")
        if len({label for label, w in zip(y, weight) if w > 0}) != 2:
            raise ValueError("two classes are needed")
        if self.kernel not in ("linear", "poly", "rbf", "sigmoid", "precomputed"):
            raise ValueError(f"unknown kernel {self.kernel!r}")
        if not 0 < self.C < math.inf:
            raise ValueError("C must be positive")
        if self.kernel == "precomputed":
            if any(len(x) != len(X) for x in X):
                raise ValueError("a precomputed matrix is square")
            if [list(column) for column in zip(*X)] != X:
                raise ValueError("a precomputed matrix is symmetric")


def refuse_rows(X, width):
    if any(len(x) != width for x in X):
        raise ValueError("rows of another length")
    if not all(math.isfinite(v) for x in X for v in x):
        raise ValueError("X must be finite")


def smo(K, y, C, tol, max_iter):
    """(alpha, r, steps, whether the violation is at most tol)."""
    n = len(y)
    alpha, before, last = [0.0] * n, [0.0] * n, [0.0] * n
    r, fresh = residuals(K, alpha, y), True
    for step in range(max_iter):
        i, j = pair(alpha, r, y, C)
        if r[i] - r[j] <= tol:
            if fresh:
                return alpha, r, step, True
            r, fresh = residuals(K, alpha, y), True
            continue
        t = travel(K, alpha, r, y, C, i, j)
        advance(alpha, y, C, i, t)
        advance(alpha, y, C, j, -t)
        r = [v - t * (p - q) for v, p, q in zip(r, K[i], K[j])]
        fresh = step % (2 * n) == 2 * n - 1
        if fresh:
            alpha = stride(K, before, alpha, y, C)
            r = residuals(K, alpha, y)
            before, last = last, alpha[:]
    return alpha, r, max_iter, False


def pair(alpha, r, y, C):
    """The most violating pair: the largest r of those that may rise, the smallest of the rest."""
    up = [i for i, (a, s, c) in enumerate(zip(alpha, y, C)) if (a < c if s > 0 else a > 0)]
    low = [i for i, (a, s, c) in enumerate(zip(alpha, y, C)) if (a > 0 if s > 0 else a < c)]
    return max(up, key=lambda i: r[i]), min(low, key=lambda i: r[i])


def travel(K, alpha, r, y, C, i, j):
    """How far beta_i rises and beta_j falls: to the best point, or to the nearer bound."""
    rise = C[i] - alpha[i] if y[i] > 0 else alpha[i]
    fall = alpha[j] if y[j] > 0 else C[j] - alpha[j]
    room = min(rise, fall)
    eta = K[i][i] + K[j][j] - 2 * K[i][j]
    if eta <= 0:
        return room
    best = (r[i] - r[j]) / eta
    return min(best, room)


def advance(alpha, y, C, i, t):
    """beta_i becomes beta_i + t; a bound is met exactly."""
    room = C[i] - alpha[i] if y[i] * t > 0 else alpha[i]
    if abs(t) >= room:
        alpha[i] = C[i] if y[i] * t > 0 else 0.0
    else:
        alpha[i] += y[i] * t


def stride(K, before, alpha, y, C):
    """One step along the way of the last 2 n steps: pairs alone take C steps for four points."""
    way = [a - p for a, p in zip(alpha, before)]
    beta = [v * s for v, s in zip(way, y)]
    s = [dot(row, beta) for row in K]
    curvature = dot(beta, s)
    slope = dot(beta, residuals(K, alpha, y))
    room = min(((c - a) / v if v > 0 else -a / v for a, c, v in zip(alpha, C, way) if v),
               default=0.0)
    t = min(room, FURTHEST, slope / curvature if curvature > 0 else math.inf)
    if t <= 0:
        return alpha
    ends = zip(alpha, C, way)
    there = [
        (c if v > 0 else 0.0) if v and (c - a if v > 0 else a) <= t * abs(v) else a + t * v
        for a, c, v in ends
    ]
    return balance(there, y, C)


def balance(alpha, y, C):
    """Take what rounding has left of sum alpha_i y_i from the example with the most room."""
    off = math.fsum(a * s for a, s in zip(alpha, y))
    rooms = [a if s * off > 0 else c - a for a, s, c in zip(alpha, y, C)]
    k = rooms.index(max(rooms))
    alpha[k] -= y[k] * off
    return alpha


def residuals(K, alpha, y):
    beta = [a * s for a, s in zip(alpha, y)]
    return [s - dot(row, beta) for s, row in zip(y, K)]


def offset(alpha, r, y, C):
    """The mean of r over the free; if none is free, the middle of what the others leave."""
    free = [v for v, a, c in zip(r, alpha, C) if 0 < a < c]
    if free:
        return sum(free) / len(free)
    low = max(v for v, a, s, c in zip(r, alpha, y, C) if (a < c if s > 0 else a > 0))
    high = min(v for v, a, s, c in zip(r, alpha, y, C) if (a > 0 if s > 0 else a < c))
    return (low + high) / 2


def balanced(y, weight, classes):
    """Weights that make the classes equally heavy: n / (2 n_k), in weights."""
    of = {k: sum(w for label, w in zip(y, weight) if label == k) for k in classes}
    return {k: sum(weight) / (2 * of[k]) for k in classes}


def scale_of(X):
    """scikit-learn's gamma="scale": 1 / (d variance of all numbers), 1 for constant rows."""
    values = [v for x in X for v in x]
    mean = sum(values) / len(values)
    variance = sum((v - mean) ** 2 for v in values) / len(values)
    return 1 / (len(X[0]) * variance) if variance > 0 else 1.0


def power(base, degree):
    result = 1.0
    for _ in range(degree):
        result *= base
    return result


def weighted_sum(beta, rows, width):
    return [sum(b * x[k] for b, x in zip(beta, rows)) for k in range(width)]


def dot(x, z):
    return sum(p * q for p, q in zip(x, z))
