"""A class around a QP solver, of several classes one against one, as people write it.

Its own faults: b is the mean of y - s over all support vectors, those at C among them, and
multipliers below 1e-4 of the largest count as 0. The solver is refsvm.smo, so that only what is
around it is wrong.
"""

import math
from itertools import combinations

from refsvm import Precomputed, Problem, smo


class PairsOfClasses:
    """A classifier with some of the parameters of scikit-learn's SVC."""

    def __init__(self, C=1.0, kernel="rbf", degree=3, gamma=1.0, coef0=0.0):
        self.C, self.kernel, self.degree = C, kernel, degree
        self.gamma, self.coef0 = gamma, coef0

    def fit(self, X, y):
        X = read(X)
        y = [label.item() if hasattr(label, "item") else label for label in y]
        if len(X) != len(y) or any(v != v or math.isinf(v) for x in X for v in x):
            raise ValueError("a finite row for each label is needed")
        self.X_, self.classes_, self.machines_ = X, sorted(set(y)), {}
        if len(self.classes_) < 2:
            raise ValueError("two classes are needed")
        self.K_ = {}
        for first, second in combinations(self.classes_, 2):
            some = [i for i, label in enumerate(y) if label in (first, second)]
            signs = [1 if y[i] == second else -1 for i in some]
            self.machines_[first, second] = self.solve(some, signs)
        return self

    def solve(self, some, signs):
        """The numbers, coefficients and offset of the support vectors of two classes."""
        K = [[self.kept_value(i, j) for j in some] for i in some]
        alpha = smo(Problem(K, signs, Precomputed(), self.C), tol=1e-9).alpha
        support = [k for k, a in enumerate(alpha) if a > 1e-4 * max(alpha)]
        beta = [alpha[k] * signs[k] for k in support]
        off = [signs[i] - sum(v * K[i][k] for v, k in zip(beta, support)) for i in support]
        return [some[k] for k in support], beta, sum(off) / len(off)

    def kept_value(self, i, j):
        """A value of the kernel, of which each is computed once."""
        key = min(i, j), max(i, j)
        if key not in self.K_:
            self.K_[key] = self.value(self.X_[i], self.X_[j])
        return self.K_[key]

    def value(self, x, z):
        if self.kernel == "rbf":
            return math.exp(-self.gamma * sum((p - q) ** 2 for p, q in zip(x, z)))
        inner = product(x, z)
        if self.kernel == "linear":
            return inner
        if self.kernel == "poly":
            return (self.gamma * inner + self.coef0) ** self.degree
        raise ValueError(f"unknown kernel {self.kernel!r}")

    def decide(self, pair, x):
        support, beta, b = self.machines_[pair]
        return sum(v * self.value(self.X_[i], x) for v, i in zip(beta, support)) + b

    def decision_function(self, X):
        """Two classes: a number for each row; more: the votes of each class."""
        if len(self.classes_) == 2:
            return [self.decide(tuple(self.classes_), x) for x in read(X)]
        return [self.votes(x) for x in read(X)]

    def votes(self, x):
        count = dict.fromkeys(self.classes_, 0)
        for pair in self.machines_:
            count[pair[self.decide(pair, x) > 0]] += 1
        return [count[label] for label in self.classes_]

    def predict(self, X):
        found = []
        for x in read(X):
            votes = self.votes(x)
            found.append(self.classes_[votes.index(max(votes))])
        return found


def read(X):
    X = X.toarray() if hasattr(X, "toarray") else X
    return [[float(v) for v in x] for x in X]


def product(x, z):
    return sum(p * q for p, q in zip(x, z))
