"""Small machines of regression, nu and outliers, right, in plain Python: written to be broken.

They have scikit-learn's names. One solver is for all: variables in groups, each group with its own
sum, two variables an example in regression. Each line that others got wrong stands alone, so that
one change of text is one bug.

    x      the variables of a group      t    what their gradient is without the others
    r      t - K x                       lam  the multiplier of a group: an offset comes of it
"""

import math

MOST = 60_000  # steps


class Base:
    """Kernels by name, rows and weights, decisions."""

    def kernel_value(self, x, z):
        if self.kernel == "rbf":
            return math.exp(-self.width() * sum((p - q) * (p - q) for p, q in zip(x, z)))
        product = sum(p * q for p, q in zip(x, z))
        if self.kernel == "poly":
            return (self.width() * product + self.coef0) ** self.degree
        return product

    def width(self):
        return 1.0 / len(self.X[0]) if self.gamma == "scale" else self.gamma

    def read(self, X, y, sample_weight):
        X = [[float(v) for v in x] for x in X]
        n = len(X)
        y = [1.0] * n if y is None else [float(v) for v in y]
        weights = [1.0] * n if sample_weight is None else [float(v) for v in sample_weight]
        numbers = [*weights, *y, *(v for x in X for v in x)]
        if not X or not all(map(math.isfinite, numbers)) or min(weights) < 0:
            raise ValueError("rows, y and weights are finite numbers, and no weight is negative")
        if len(y) != n or len(weights) != n or len({len(x) for x in X}) != 1:
            raise ValueError("rows, y and weights have one length")
        if self.kernel not in ("linear", "poly", "rbf", "precomputed"):
            raise ValueError("an unknown kernel")
        for name, least in (("C", 0.0), ("nu", 0.0), ("epsilon", -1e-300)):
            if not getattr(self, name, 1.0) > least:
                raise ValueError(f"{name} is too small")
        if getattr(self, "nu", 0.5) > 1:
            raise ValueError("nu is at most 1")
        kept = [i for i, w in enumerate(weights) if w > 0]
        self.support_rows, self.X = kept, [X[i] for i in kept]
        self.y, self.weights = [y[i] for i in kept], [weights[i] for i in kept]
        self.n, self.features = len(kept), len(X[0])
        if self.kernel == "precomputed":
            self.K = [[x[j] for j in kept] for x in self.X]
        else:
            self.K = [[self.kernel_value(x, z) for z in self.X] for x in self.X]

    def keep(self, beta, b):
        self.beta, self.b = beta, b
        self.support_ = [self.support_rows[i] for i in range(self.n) if beta[i] != 0]
        self.dual_coef_ = [[c for c in beta if c != 0]]
        self.intercept_ = [b]
        self.offset_ = -b
        return self

    def scores(self, X):
        found = []
        for x in X:
            if len(x) != self.features:
                raise ValueError("rows to decide about are as long as those of the training")
            if self.kernel == "precomputed":
                k = [x[i] for i in self.support_rows]
            else:
                k = [self.kernel_value(z, list(map(float, x))) for z in self.X]
            found.append(sum(c * v for c, v in zip(self.beta, k)))
        return found


def solve(K, t, lower, upper, groups, sums, unit, tol):
    """(the variables, lam of each group); of says which example a variable is."""
    n = len(K)
    of = [k % n for k in range(len(t))]
    x = [0.0] * len(t)
    for group, rest in zip(groups, sums):
        for k in group:
            x[k] = min(max(rest, lower[k]), upper[k])
            rest -= x[k]
    r = [t[k] - sum(K[of[k]][of[j]] * x[j] for j in range(len(t)) if x[j]) for k in range(len(t))]
    for _ in range(MOST):
        pairs = []
        for group in groups:
            i = max((k for k in group if x[k] < upper[k]), key=lambda k: r[k], default=None)
            j = min((k for k in group if x[k] > lower[k]), key=lambda k: r[k], default=None)
            if i is not None and j is not None:
                pairs.append((r[i] - r[j], i, partner(i, group, x, r, lower, K, of)))
        if not pairs or max(pairs)[0] <= tol * unit(offsets(x, r, lower, upper, groups), x):
            break
        _, i, j = max(pairs)
        a, b = of[i], of[j]
        eta = K[a][a] + K[b][b] - 2 * K[a][b]
        step = (r[i] - r[j]) / eta if eta > 0 else math.inf
        step = min(step, upper[i] - x[i], x[j] - lower[j])
        x[i] = upper[i] if step == upper[i] - x[i] else x[i] + step
        x[j] = lower[j] if step == x[j] - lower[j] else x[j] - step
        for k in range(len(t)):
            r[k] -= step * (K[of[k]][a] - K[of[k]][b])
    return x, offsets(x, r, lower, upper, groups)


def partner(i, group, x, r, lower, K, of):
    """The variable that may fall and gains most together with i."""
    def gain(k):
        a, b = of[i], of[k]
        eta = K[a][a] + K[b][b] - 2 * K[a][b]
        return (r[i] - r[k]) ** 2 / eta if eta > 0 else math.inf

    return max((k for k in group if x[k] > lower[k] and r[k] < r[i]), key=gain, default=i)


def offsets(x, r, lower, upper, groups):
    """lam of each group: the mean over free variables, else the middle of what is possible."""
    found = []
    for group in groups:
        free = [r[k] for k in group if lower[k] < x[k] < upper[k]]
        low = max((r[k] for k in group if x[k] < upper[k]), default=-math.inf)
        high = min((r[k] for k in group if x[k] > lower[k]), default=math.inf)
        if free:
            found.append(sum(free) / len(free))
        elif math.isfinite(low) and math.isfinite(high):
            found.append((low + high) / 2)
        else:
            found.append(low if math.isfinite(low) else high)
    return found


class SVR(Base):
    def __init__(self, kernel="rbf", degree=3, gamma="scale", coef0=0.0, tol=1e-9, C=1.0,
                 epsilon=0.1):
        self.kernel, self.degree, self.gamma, self.coef0 = kernel, degree, gamma, coef0
        self.tol, self.C, self.epsilon = tol, C, epsilon

    def fit(self, X, y, sample_weight=None):
        self.read(X, y, sample_weight)
        n, top = self.n, [self.C * w for w in self.weights]
        spread = (max(self.y) - min(self.y)) / 2
        t = [v - self.epsilon for v in self.y] + [v + self.epsilon for v in self.y]
        lower, upper = [0.0] * n + [-c for c in top], top + [0.0] * n
        x, (b,) = solve(self.K, t, lower, upper, [range(2 * n)], [0.0],
                        lambda lam, x: spread, self.tol)
        return self.keep([x[i] + x[n + i] for i in range(n)], b)

    def predict(self, X):
        return [s + self.b for s in self.scores(X)]


class NuSVR(SVR):
    def __init__(self, nu=0.5, C=1.0, kernel="rbf", degree=3, gamma="scale", coef0=0.0, tol=1e-9):
        self.kernel, self.degree, self.gamma, self.coef0 = kernel, degree, gamma, coef0
        self.tol, self.C, self.nu = tol, C, nu

    def fit(self, X, y, sample_weight=None):
        self.read(X, y, sample_weight)
        n, top = self.n, [self.C * w for w in self.weights]
        spread = (max(self.y) - min(self.y)) / 2
        half = self.nu * sum(top) / 2
        lower, upper = [0.0] * n + [-c for c in top], top + [0.0] * n
        x, lam = solve(self.K, self.y + self.y, lower, upper, [range(n), range(n, 2 * n)],
                       [half, -half], lambda lam, x: spread, self.tol)
        b = (lam[0] + lam[1]) / 2
        self.epsilon_ = max(0.0, (lam[0] - lam[1]) / 2)
        return self.keep([x[i] + x[n + i] for i in range(n)], b)


class OneClassSVM(Base):
    def __init__(self, kernel="rbf", degree=3, gamma="scale", coef0=0.0, tol=1e-9, nu=0.5):
        self.kernel, self.degree, self.gamma, self.coef0 = kernel, degree, gamma, coef0
        self.tol, self.nu = tol, nu

    def fit(self, X, y=None, sample_weight=None):
        self.read(X, None, sample_weight)
        n, top = self.n, list(self.weights)
        share = self.nu * sum(top)
        x, lam = solve(self.K, [0.0] * n, [0.0] * n, top, [range(n)], [share],
                       lambda lam, x: max(-lam[0], 0.0), self.tol)
        w2 = sum(p * q * self.K[i][j] for i, p in enumerate(x) for j, q in enumerate(x))
        if w2 <= 1e-20 * share * share * max(self.K[i][i] for i in range(n)):
            raise ValueError("the origin lies among the rows")
        return self.keep(x, lam[0])

    def decision_function(self, X):
        return [s + self.b for s in self.scores(X)]

    def predict(self, X):
        return [1 if f >= 0 else -1 for f in self.decision_function(X)]


class SVDD(Base):
    def __init__(self, C=1.0, kernel="rbf", degree=3, gamma="scale", coef0=0.0, tol=1e-9):
        self.kernel, self.degree, self.gamma, self.coef0 = kernel, degree, gamma, coef0
        self.tol, self.C = tol, C

    def fit(self, X, y=None, sample_weight=None):
        self.read(X, None, sample_weight)
        n, top = self.n, [self.C * w for w in self.weights]
        if sum(top) < 1 - 1e-12:
            raise ValueError("C is too small")
        t = [self.K[i][i] / 2 for i in range(n)]

        def squared_radius(lam, x):
            return 2 * lam[0] + self.norm2(x)

        x, lam = solve(self.K, t, [0.0] * n, top, [range(n)], [1.0], squared_radius, self.tol)
        self.centre2 = self.norm2(x)
        self.keep(x, 0.0)
        del self.intercept_, self.offset_
        self.radius2_ = max(0.0, 2 * lam[0] + self.centre2)
        return self

    def norm2(self, x):
        return sum(p * q * self.K[i][j] for i, p in enumerate(x) for j, q in enumerate(x))

    def decision_function(self, X):
        found = []
        for x, s in zip(X, self.scores(X)):
            x = [float(v) for v in x]
            distance2 = self.kernel_value(x, x) - 2 * s + self.centre2
            found.append(self.radius2_ - distance2)
        return found

    def predict(self, X):
        return [1 if f >= -1e-12 * self.radius2_ else -1 for f in self.decision_function(X)]


class NuSVC(Base):
    def __init__(self, nu=0.5, kernel="rbf", degree=3, gamma="scale", coef0=0.0, tol=1e-9):
        self.kernel, self.degree, self.gamma, self.coef0 = kernel, degree, gamma, coef0
        self.tol, self.nu = tol, nu

    def fit(self, X, y, sample_weight=None):
        labels = [float(v) for v in y]
        self.classes_ = sorted(set(y))
        if len(self.classes_) != 2:
            raise ValueError("two classes are needed")
        self.read(X, labels, sample_weight)
        n, top = self.n, self.weights
        plus = [i for i in range(n) if self.y[i] == self.classes_[1]]
        minus = [i for i in range(n) if self.y[i] == self.classes_[0]]
        half = self.nu * sum(top) / 2
        if half > min(sum(top[i] for i in some) for some in (plus, minus)) * (1 + 1e-12):
            raise ValueError("nu is too large")
        lower = [0.0 if i in plus else -top[i] for i in range(n)]
        upper = [top[i] if i in plus else 0.0 for i in range(n)]
        x, lam = solve(self.K, [0.0] * n, lower, upper, [plus, minus], [half, -half],
                       lambda lam, x: max((lam[1] - lam[0]) / 2, 0.0), self.tol)
        b, rho = (lam[0] + lam[1]) / 2, (lam[1] - lam[0]) / 2
        w2 = sum(p * q * self.K[i][j] for i, p in enumerate(x) for j, q in enumerate(x))
        if w2 <= 1e-20 * half * half * max(self.K[i][i] for i in range(n)):
            raise ValueError("the reduced hulls of the classes meet")
        return self.keep([c / rho for c in x], b / rho)

    def decision_function(self, X):
        return [s + self.b for s in self.scores(X)]

    def predict(self, X):
        return [self.classes_[1 if f >= 0 else 0] for f in self.decision_function(X)]
