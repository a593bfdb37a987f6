"""A small support vector machine, correct, in plain Python: written to be broken.

It has scikit-learn's names: weights, labels of any sort, kernels by name, several classes one
against one, and a text form to be saved in. What real code has, it has in a few lines each:
products four at a time, rows of the Gram matrix that are kept a while (kernels.py), shrinking
(solver.py), decisions block by block. Each line that others got wrong stands alone, so that one
change of text is one bug.

    K      Gram matrix            alpha   multipliers, 0 <= alpha_i <= C_i
    y      +1 or -1               beta    alpha_i y_i
"""

import json
import math
import warnings
from inspect import signature
from itertools import combinations

from planted_codes.kernels import (
    BLOCK,
    KernelRows,
    dot,
    power,
    refuse_rows,
    scale_of,
    weighted_sum,
)
from planted_codes.solver import offset, smo


class Machine:
    """A classifier; the arguments are those of scikit-learn's SVC."""

    def __init__(self, C=1.0, kernel="rbf", degree=3, gamma="scale", coef0=0.0, tol=1e-9,
                 class_weight=None, max_iter=-1, decision_function_shape="ovr"):
        self.C, self.kernel, self.degree, self.gamma = C, kernel, degree, gamma
        self.coef0, self.tol, self.class_weight, self.max_iter = coef0, tol, class_weight, max_iter
        self.decision_function_shape = decision_function_shape

    def get_params(self, deep=True):
        return {name: getattr(self, name) for name in signature(Machine).parameters}

    def set_params(self, **given):
        for name, value in given.items():
            setattr(self, name, value)
        return self

    def fit(self, X, y, sample_weight=None):
        self.forget()
        y = [label.item() if hasattr(label, "dtype") else label for label in y]
        X = self.read(X)
        weight = [1.0] * len(X) if sample_weight is None else [float(v) for v in sample_weight]
        self.refuse(X, y, weight)
        self.width_ = len(X[0])
        self.classes_ = sorted(set(y))
        share = self.class_weight or {}
        if share == "balanced":
            share = balanced(y, weight, self.classes_)
        C = [self.C * share.get(label, 1.0) * v for label, v in zip(y, weight)]
        kept = [i for i, c in enumerate(C) if c > 0]
        self.gamma_ = self.bandwidth(X)
        if len(self.classes_) > 2:
            self.fit_pairs(X, y, C, kept)
            return self
        first, second = self.classes_
        signs = [1 if label == second else -1 for label in y]
        self.solve(X, [signs[i] for i in kept], [C[i] for i in kept], kept)
        return self

    def read(self, X):
        """Rows as lists of doubles."""
        X = X.toarray() if hasattr(X, "toarray") else X
        return [[float(v) for v in x] for x in X]

    def forget(self):
        """Nothing is left of an earlier fit."""
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)

    def bandwidth(self, X):
        if self.gamma == "scale":
            return scale_of(X)
        return 1 / len(X[0]) if self.gamma == "auto" else self.gamma

    def fit_pairs(self, X, y, C, kept):
        """A machine for each pair of classes, of the examples of these two alone."""
        self.pairs_ = []
        for first, second in combinations(self.classes_, 2):
            some = [i for i in kept if y[i] in (first, second)]
            pair = Machine(**self.get_params())
            pair.width_, pair.gamma_ = self.width_, self.gamma_
            signs = [1 if y[i] == second else -1 for i in some]
            pair.solve(X, signs, [C[i] for i in some], some)
            self.pairs_.append(pair)

    def solve(self, X, y, C, kept):
        rows = [X[i] for i in kept]
        self.origin_ = rows[0] if self.kernel == "linear" else None
        if self.kernel == "precomputed":
            K = [[x[j] for j in kept] for x in rows]
        else:
            moved = self.moved(rows)
            K = KernelRows(self.value, moved)
        steps = min(10_000, 1000 + 200 * len(y)) if self.max_iter < 0 else self.max_iter
        alpha, r, self.n_iter_, done = smo(K, y, C, self.tol, steps)
        b = offset(alpha, r, y, C)
        self.fit_status_ = 0 if done else 1
        if not done:
            warnings.warn("max_iter reached before tol", RuntimeWarning, stacklevel=3)
        self.keep(X, rows, kept, [a * s for a, s in zip(alpha, y)], b)

    def keep(self, X, rows, kept, beta, b):
        """Leave the support vectors, their coefficients, and for a linear machine w."""
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
        X = self.read(X)
        refuse_rows(X, self.width_)
        if len(self.classes_) == 2:
            return self.decide_all(X)
        scores = self.scores(X)
        if self.decision_function_shape == "ovo":
            return scores
        return [shares(row, len(self.classes_)) for row in scores]

    def scores(self, X):
        """Of each row the decision of each pair of classes, positive for the first of the two."""
        columns = [pair.decide_all(X) for pair in self.pairs_]
        return [[-f for f in row] for row in zip(*columns)]

    def decide_all(self, X):
        """Decide block by block."""
        found = []
        for start in range(0, len(X), BLOCK):
            found += [self.decide(x) for x in X[start : start + BLOCK]]
        return found

    def decide(self, x):
        b = self.intercept_[0]
        if self.kernel == "linear":
            return dot(self.coef_[0], x) + b
        beta = self.dual_coef_[0]
        if self.kernel == "precomputed":
            return dot(beta, [x[i] for i in self.support_]) + b
        return dot(beta, [self.value(z, x) for z in self.support_vectors_]) + b

    def predict(self, X):
        if len(self.classes_) > 2:
            X = self.read(X)
            refuse_rows(X, self.width_)
            return [self.classes_[winner(row, len(self.classes_))] for row in self.scores(X)]
        first, second = self.classes_
        return [second if f >= 0 else first for f in self.decision_function(X)]

    def score(self, X, y, sample_weight=None):
        weight = sample_weight or [1.0] * len(X)
        right = [w for p, label, w in zip(self.predict(X), y, weight) if p == label]
        return sum(right) / sum(weight)

    def __getstate__(self):
        return json.dumps(vars(self), default=vars)

    def __setstate__(self, text):
        vars(self).update(json.loads(text))
        for k, state in enumerate(vars(self).get("pairs_", [])):
            self.pairs_[k] = Machine()
            vars(self.pairs_[k]).update(state)

    def refuse(self, X, y, weight):
        """ValueError for what no machine can be trained on."""
        refuse_rows(X, len(X[0]) if X else 0)
        if not X or not X[0] or len(y) != len(X) or len(weight) != len(X):
            raise ValueError("X, y and sample_weight must be of one length, not empty")
        if not all(math.isfinite(v) and v >= 0 for v in weight):
            raise ValueError("a weight must be a number, 0 or more")
        if len({label for label, w in zip(y, weight) if w > 0}) < 2:
            raise ValueError("two classes are needed")
        if any(label != label for label in y):
            raise ValueError("a label is not a number")
        if self.kernel not in ("linear", "poly", "rbf", "sigmoid", "precomputed"):
            raise ValueError(f"unknown kernel {self.kernel!r}")
        if not 0 < self.C < math.inf:
            raise ValueError("C must be positive")
        if self.degree < 0:
            raise ValueError("the degree must be 0 or more")
        if self.kernel == "rbf" and not isinstance(self.gamma, str) and not self.gamma >= 0:
            raise ValueError("gamma must be 0 or more")
        if self.kernel == "precomputed":
            if any(len(x) != len(X) for x in X):
                raise ValueError("a precomputed matrix is square")
            if [list(column) for column in zip(*X)] != X:
                raise ValueError("a precomputed matrix is symmetric")


def balanced(y, weight, classes):
    """Weights that make the classes equally heavy: n / (k n_k), in weights."""
    of = {k: sum(w for label, w in zip(y, weight) if label == k) for k in classes}
    return {k: sum(weight) / (len(classes) * of[k]) for k in classes}


def votes(scores, classes):
    """How many of its pairs each class wins."""
    count = [0] * classes
    for f, (p, q) in zip(scores, combinations(range(classes), 2)):
        count[p if f > 0 else q] += 1
    return count


def winner(scores, classes):
    """The class with the most votes, the first of them."""
    count = votes(scores, classes)
    return count.index(max(count))


def shares(scores, classes):
    """The votes of each class, and a share of less than one half by its decisions."""
    margins = [0.0] * classes
    for f, (p, q) in zip(scores, combinations(range(classes), 2)):
        margins[p] += f
        margins[q] -= f
    return [v + m / (3 * (abs(m) + 1)) for v, m in zip(votes(scores, classes), margins)]
