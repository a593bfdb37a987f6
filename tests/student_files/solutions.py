"""A student's answers to the exercises, written without refsvm."""


def dot(x, z):
    return sum(a * b for a, b in zip(x, z))


def predict(w, b, x):
    return 1 if dot(w, x) + b >= 0 else -1


def foot(w, b, x):
    t = (dot(w, x) + b) / dot(w, w)
    return tuple(a - t * c for a, c in zip(x, w))


def two_points(w, b):
    if w[1]:
        return [0, -b / w[1]], [1, (-b - w[0]) / w[1]]
    return [-b / w[0], 0], [-b / w[0], 1]


def right_without_margin(w, b):
    return two_points(w, b)[1], 1


def functional_margins(w, b, X, y):
    return [label * (dot(w, x) + b) for x, label in zip(X, y)]


def perceptron_step(w, x, y):
    if y * dot(w, x) > 0:
        return w
    return [a + y * c for a, c in zip(w, x)]


def perceptron(X, y, picks):
    w = [0] * len(X[0])
    for s in picks:
        w = perceptron_step(w, X[s], y[s])
    return w


def another_pair(w, b):
    return [v / 3 for v in w], b / 3


def canonical(w, b, X, y):
    m = min(functional_margins(w, b, X, y))
    return [v / m for v in w], b / m


def offset(w, X, y):
    above = min(dot(w, x) for x, label in zip(X, y) if label == 1)
    below = max(dot(w, x) for x, label in zip(X, y) if label == -1)
    return -(above + below) / 2


def hinge(m):
    return max(0, 1 - m)


def slacks(w, b, X, y):
    return [hinge(m) for m in functional_margins(w, b, X, y)]


def side_by_slack(xi):
    if xi == 0:
        return "beyond"
    if xi == 1:
        return "on"
    return "inside" if xi < 1 else "wrong"


def equal_penalty(a, s, b, t):
    return (a / 2 - b / 2) / (t - s)


def zero_loss(X, y):
    return [0 for _ in X[0]], 0


def hinge_slopes(m):
    return (-1 if m <= 1 else 0), (-1 if m < 1 else 0)


def hinge_subgradient(w, x, y):
    t = 1 if y * dot(w, x) <= 1 else 0  # at the kink the other end than refsvm's
    return [-t * y * v for v in x]


def dual_function(a, c):
    return a * (c - a) + a * a / 2


def weights(alpha, X, y):
    w = [0] * len(X[0])
    for a, x, label in zip(alpha, X, y):
        for k, v in enumerate(x):
            w[k] += a * label * v
    return w


def dual(alpha, X, y):
    w = weights(alpha, X, y)
    return sum(alpha) - dot(w, w) / 2


def gap(alpha, b, X, y, C):
    w = weights(alpha, X, y)
    return dot(w, w) / 2 + C * sum(slacks(w, b, X, y)) - dual(alpha, X, y)


def is_optimal(alpha, b, X, y, C):
    feasible = dot(alpha, y) == 0 and min(alpha) >= 0 and max(alpha) <= C
    return feasible and gap(alpha, b, X, y, C) == 0


def offset_interval(alpha, X, y, C):
    w = weights(alpha, X, y)
    low, high = [], []
    for a, x, label in zip(alpha, X, y):
        r = label - dot(w, x)
        if a < C if label == 1 else a > 0:
            low.append(r)
        if a > 0 if label == 1 else a < C:
            high.append(r)
    return max(low), min(high)


def polynomial(x, z, degree, c):
    return (dot(x, z) + c) ** degree


def quadratic_features(X):
    """Without the products twice: four squares make up for the square root of 2."""
    n = range(len(X[0]))
    return [[x[i] * x[i] for i in n] + [x[i] * x[j] for i in n for j in n if i < j]
            + [x[i] * x[j] for i in n for j in n if i > j] for x in X]


def feature_distance(k_xx, k_xz, k_zz):
    return k_xx + k_zz - 2 * k_xz


def no_kernel(K):
    sign = 1 if K[0][1] < 0 else -1
    for s in (1, 2, 5, 10, 100, 1000):
        for v in ([s, sign], [1, sign * s]):
            if sum(v[i] * v[j] * K[i][j] for i in (0, 1) for j in (0, 1)) < 0:
                return v
    if K[0][0]:
        return [-K[0][1], K[0][0]]
    return [-K[1][1] - 1, K[0][1]]


def segment(alpha_i, alpha_j, y_i, y_j, C):
    if y_i == y_j:
        return max(0, alpha_i + alpha_j - C), min(C, alpha_i + alpha_j)
    return max(0, alpha_j - alpha_i), min(C, C + alpha_j - alpha_i)


def leading_coefficient(x, z):
    return -(dot(x, x) - 2 * dot(x, z) + dot(z, z)) / 2


def best_multiplier(alpha_j, y_j, E_i, E_j, eta, L, H):
    top = alpha_j + y_j * (E_i - E_j) / eta
    return L if top < L else H if top > H else top


def violating_pair(alpha, E, y, C):
    i = j = None
    for k, (a, label) in enumerate(zip(alpha, y)):
        rises = a < C if label == 1 else a > 0
        falls = a > 0 if label == 1 else a < C
        if rises and (i is None or E[k] < E[i]):
            i = k
        if falls and (j is None or E[k] > E[j]):
            j = k
    return i, j


def pegasos_step(w, x, y, lam, t):
    push = y / (lam * t) if y * dot(w, x) < 1 else 0
    return [v * (t - 1) / t + push * u for v, u in zip(w, x)]


def coordinate_step(A, b, alpha, i):
    new = list(alpha)
    rest = sum(A[i][j] * alpha[j] for j in range(len(alpha)) if j != i)
    new[i] = (b[i] - rest) / A[i][i]
    return new


def tube_slack(y, f, epsilon):
    return max(0, y - f - epsilon, f - y - epsilon)


def tube_dual(alpha, X, y, epsilon):
    w = weights(alpha, X, [1] * len(X))
    return dot(alpha, y) - epsilon * sum(abs(a) for a in alpha) - dot(w, w) / 2


def best_rho(scores, nu):
    def loss(rho):
        return sum(max(0, rho - s) for s in scores) - nu * len(scores) * rho

    least = min(loss(s) for s in scores)
    return max(s for s in scores if loss(s) == least)


def ball_decision(alpha, X, radius2, x):
    """By inner products alone, as a kernel would."""
    n = range(len(X))
    cc = sum(alpha[i] * alpha[j] * dot(X[i], X[j]) for i in n for j in n)
    return radius2 - dot(x, x) + 2 * sum(alpha[i] * dot(X[i], x) for i in n) - cc


def centre_of_class(alpha, X, y, nu):
    share = nu * len(X) / 2
    plus = [(a, x) for a, x, label in zip(alpha, X, y) if label == 1]
    return [sum(a * x[k] for a, x in plus) / share for k in range(len(X[0]))]


def target_probability(y, n_plus, n_minus):
    from fractions import Fraction

    return 1 - Fraction(1, n_plus + 2) if y == 1 else Fraction(1, n_minus + 2)
