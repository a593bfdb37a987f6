"""For each exercise at least two functions that are wrong in a plausible way."""

from fractions import Fraction as F

from refsvm.exercises.catalogue import EXERCISES


def dot(x, z):
    return sum(a * b for a, b in zip(x, z))


WRONG = {  # plausible slips, at least two for each
    "predict": [lambda w, b, x: 1 if dot(w, x) + b > 0 else -1,
                lambda w, b, x: 1 if dot(w, x) >= b else -1,
                lambda w, b, x: dot(w, x) + b >= 0],
    "foot": [lambda w, b, x: [v - (dot(w, x) + b) * c for v, c in zip(x, w)],
             lambda w, b, x: [v + (dot(w, x) + b) / dot(w, w) * c for v, c in zip(x, w)],
             lambda w, b, x: [v - dot(w, x) / dot(w, w) * c for v, c in zip(x, w)]],
    "two_points": [lambda w, b: ([0, -b / w[1]], [1, (-b - w[0]) / w[1]]) if w[1]
                   else ([-b * w[0], 0], [-b * w[0], 1]),
                   lambda w, b: ([-b / (w[0] or 1), 0], [0, -b / (w[1] or 1)]),
                   lambda w, b: ([-b * v / dot(w, w) for v in w],) * 2,
                   lambda w, b: (w, w)],
    "right_without_margin": [lambda w, b: (w, 1),
                             lambda w, b: ([-b * v / dot(w, w) for v in w], -1),
                             lambda w, b: ([0, 0], 1)],
    "perceptron_step": [lambda w, x, y: [a + y * c for a, c in zip(w, x)],
                        lambda w, x, y: [a + y * c * (y * dot(w, x) < 0) for a, c in zip(w, x)],
                        lambda w, x, y: [a + c * (y * dot(w, x) <= 0) for a, c in zip(w, x)]],
    "perceptron": [lambda X, y, picks: perceptron(X, y, range(len(X))),
                   lambda X, y, picks: perceptron(X, y, picks[:-1]),
                   lambda X, y, picks: perceptron(X, y, picks, strict=True)],
    "functional_margins": [lambda w, b, X, y: [dot(w, x) + b for x in X],
                           lambda w, b, X, y: [s * dot(w, x) + b for x, s in zip(X, y)],
                           lambda w, b, X, y: [abs(dot(w, x) + b) for x in X]],
    "another_pair": [lambda w, b: (w, b), lambda w, b: ([2 * v for v in w], b),
                     lambda w, b: ([-v for v in w], -b), lambda w, b: ([0 * v for v in w], 0 * b)],
    "canonical": [lambda w, b, X, y: ([v / dot(w, w) for v in w], b / dot(w, w)),
                  lambda w, b, X, y: ([v / smallest(w, b, X, y) for v in w], b),
                  lambda w, b, X, y: (w, b)],
    "offset": [lambda w, X, y: -sum(dot(w, x) for x in X) / len(X),
               lambda w, X, y: (low(w, X, y) + high(w, X, y)) / 2,
               lambda w, X, y: -low(w, X, y)],
    "hinge": [lambda m: max(0, 1 + m), lambda m: max(0, -m), lambda m: 1 - m,
              lambda m: max(0, 1 - m) ** 2],
    "slacks": [lambda w, b, X, y: [1 - s * (dot(w, x) + b) for x, s in zip(X, y)],
               lambda w, b, X, y: [max(0, 1 - dot(w, x) - b) for x in X],
               lambda w, b, X, y: [max(0, -s * (dot(w, x) + b)) for x, s in zip(X, y)]],
    "side_by_slack": [lambda xi: "beyond" if xi == 0 else "inside" if xi <= 1 else "wrong",
                      lambda xi: "inside" if xi < 1 else "on" if xi == 1 else "wrong"],
    "equal_penalty": [lambda a, s, b, t: (b - a) / (s - t),
                      lambda a, s, b, t: (a - b) / (2 * (s - t))],
    "zero_loss": [lambda X, y: (X[0], 0), lambda X, y: ([0], 1),
                  lambda X, y: ([0 for _ in X[0]], 1)],
    "hinge_slopes": [lambda m: (-1, -1) if m <= 1 else (0, 0),
                     lambda m: (0, 0) if m >= 1 else (-1, -1),
                     lambda m: (0, -1) if m == 1 else (-1, -1) if m < 1 else (0, 0)],
    "hinge_subgradient": [lambda w, x, y: [-y * v for v in x],
                          lambda w, x, y: [(y * dot(w, x) < 1) * y * v for v in x],
                          lambda w, x, y: [-(y * dot(w, x) < 1) * v for v in x],
                          lambda w, x, y: [0 * v for v in x]],
    "dual_function": [lambda a, c: a * c - a * a, lambda a, c: a * a / 2, lambda a, c: c * c / 2],
    "weights": [lambda alpha, X, y: [dot(alpha, column) for column in zip(*X)],
                lambda alpha, X, y: [dot(y, column) for column in zip(*X)]],
    "dual": [lambda alpha, X, y: sum(alpha) - quadratic(alpha, X, y),
             lambda alpha, X, y: sum(alpha) - quadratic(alpha, X, [1] * len(X)) / 2,
             lambda alpha, X, y: dot(alpha, y) - quadratic(alpha, X, y) / 2,
             lambda alpha, X, y: sum(alpha) + quadratic(alpha, X, y) / 2],
    "gap": [lambda alpha, b, X, y, C: gap(alpha, 0, X, y, C),
            lambda alpha, b, X, y, C: gap(alpha, b, X, y, 1),
            lambda alpha, b, X, y, C: -gap(alpha, b, X, y, C),
            lambda alpha, b, X, y, C: max(0, gap(alpha, b, X, y, C) - 1)],
    "is_optimal": [lambda alpha, b, X, y, C: True, lambda alpha, b, X, y, C: False,
                   lambda alpha, b, X, y, C: dot(alpha, y) == 0 and 0 <= min(alpha) <= C,
                   lambda alpha, b, X, y, C: suits(alpha, b, X, y, C),
                   lambda alpha, b, X, y, C: suits(alpha, b, X, y, C) and dot(alpha, y) == 0,
                   lambda alpha, b, X, y, C: suits(alpha, b, X, y, C) and max(alpha) <= C,
                   lambda alpha, b, X, y, C: suits(alpha, b, X, y, C) and min(alpha) <= C
                   and dot(alpha, y) == 0 and min(alpha) >= 0],
    "offset_interval": [lambda alpha, X, y, C: (lambda b: (b, b))(free(alpha, X, y, C)),
                        lambda alpha, X, y, C: swapped(alpha, X, y, C)],
    "polynomial": [lambda x, z, degree, c: dot(x, z) ** degree + c,
                   lambda x, z, degree, c: (dot(x, z) + c) * degree,
                   lambda x, z, degree, c: (dot(x, z) + c) ** 2],
    "quadratic_features": [lambda X: [[v * v for v in x] for x in X], lambda X: X,
                           lambda X: [[x[i] * x[j] for i in range(len(x)) for j in range(i + 1)]
                                      for x in X]],
    "feature_distance": [lambda xx, xz, zz: xx - xz + zz, lambda xx, xz, zz: xx + zz,
                         lambda xx, xz, zz: xx + 2 * xz + zz],
    "no_kernel": [lambda K: [1, -1 if K[0][1] > 0 else 1], lambda K: [1, 1],
                  lambda K: [K[0][1], -K[0][0]]],
    "segment": [lambda a, b, s, t, C: (0, C),
                lambda a, b, s, t, C: (max(0, a + b - C), min(C, a + b)),
                lambda a, b, s, t, C: (max(0, b - a), min(C, C + b - a)),
                lambda a, b, s, t, C: (0, min(C, a + b)) if s == t else (max(0, b - a), C)],
    "leading_coefficient": [lambda x, z: -distance(x, z), lambda x, z: distance(x, z) / 2,
                            lambda x, z: -(dot(x, x) + dot(z, z)) / 2],
    "best_multiplier": [lambda a, y, E, G, eta, L, H: min(max(a + y * (G - E) / eta, L), H),
                        lambda a, y, E, G, eta, L, H: a + y * (E - G) / eta,
                        lambda a, y, E, G, eta, L, H: min(max(a + (E - G) / eta, L), H),
                        lambda a, y, E, G, eta, L, H: max(a + y * (E - G) / eta, L)],
    "violating_pair": [lambda alpha, E, y, C: (E.index(min(E)), E.index(max(E))),
                       lambda alpha, E, y, C: (E.index(max(E)), E.index(min(E))),
                       lambda alpha, E, y, C: pair(alpha, E, y, C)[::-1]],
    "pegasos_step": [lambda w, x, y, lam, t: pegasos(w, x, y, lam, t + 1),
                     lambda w, x, y, lam, t: pegasos(w, x, y, 1, t),
                     lambda w, x, y, lam, t: [v - v / t + y * u / (lam * t) for v, u in zip(w, x)],
                     lambda w, x, y, lam, t: pegasos(w, x, y, lam, t, least=0)],
    "coordinate_step": [lambda A, b, alpha, i: put(alpha, i, b[i] / A[i][i]),
                        lambda A, b, alpha, i: put(alpha, i, (b[i] - dot(A[i], alpha)) / A[i][i]),
                        lambda A, b, alpha, i: [(b[k] - dot(A[k], alpha)) / A[k][k] + alpha[k]
                                                for k in range(len(b))]],
    "tube_slack": [lambda y, f, epsilon: abs(y - f), lambda y, f, epsilon: abs(y - f) - epsilon,
                   lambda y, f, epsilon: max(0, y - f - epsilon)],
    "tube_dual": [lambda alpha, X, y, epsilon: tube_dual(alpha, X, y, 0),
                  lambda alpha, X, y, epsilon: tube_dual(alpha, X, y, -epsilon),
                  lambda alpha, X, y, epsilon: dot(alpha, y) - epsilon * sum(alpha)
                  - quadratic(alpha, X, [1] * len(X)) / 2,
                  lambda alpha, X, y, epsilon: tube_dual(alpha, X, [-v for v in y], epsilon)],
    "best_rho": [lambda scores, nu: sorted(scores)[-1 - int(nu * len(scores))],
                 lambda scores, nu: sorted(scores)[max(0, int(nu * len(scores)) - 1)],
                 lambda scores, nu: scores[int(nu * len(scores))],
                 lambda scores, nu: -(-nu * len(scores) // 1)],
    "ball_decision": [lambda alpha, X, radius2, x: distance(x, mean(alpha, X)) - radius2,
                      lambda alpha, X, radius2, x: radius2 * radius2 - distance(x, mean(alpha, X)),
                      lambda alpha, X, radius2, x: radius2 - distance(x, mean(alpha, X)) ** 2,
                      lambda alpha, X, radius2, x: radius2 - distance(x, mean([1] * len(X), X))],
    "centre_of_class": [lambda alpha, X, y, nu: mean(alpha, X),
                        lambda alpha, X, y, nu: mean([a * (s > 0) for a, s in zip(alpha, y)], X),
                        lambda alpha, X, y, nu: mean([a * (s < 0) / (nu * len(X) / 2)
                                                      for a, s in zip(alpha, y)], X)],
    "target_probability": [lambda y, n_plus, n_minus: y > 0,
                           lambda y, n_plus, n_minus: F(n_plus + 1, n_plus + 2) if y > 0
                           else F(n_minus + 1, n_minus + 2),
                           lambda y, n_plus, n_minus: F(n_plus, n_plus + n_minus),
                           lambda y, n_plus, n_minus: F(n_plus + 1, n_plus + 2) if y > 0
                           else F(1, n_plus + 2)],
}  # fmt: skip


def perceptron(X, y, picks, strict=False):
    w = [0 for _ in X[0]]
    for s in picks:
        margin = y[s] * dot(w, X[s])
        if margin < 0 or margin == 0 and not strict:
            w = [v + y[s] * u for v, u in zip(w, X[s])]
    return w


def smallest(w, b, X, y):
    return min(s * (dot(w, x) + b) for x, s in zip(X, y))


def low(w, X, y):
    return max(dot(w, x) for x, s in zip(X, y) if s < 0)


def high(w, X, y):
    return min(dot(w, x) for x, s in zip(X, y) if s > 0)


def quadratic(alpha, X, y):
    w = [sum(a * s * x[k] for a, x, s in zip(alpha, X, y)) for k in range(len(X[0]))]
    return dot(w, w)


def scores(alpha, X, y):
    w = [sum(a * s * x[k] for a, x, s in zip(alpha, X, y)) for k in range(len(X[0]))]
    return [dot(w, x) for x in X]


def gap(alpha, b, X, y, C):
    slack = sum(max(0, 1 - s * (v + b)) for v, s in zip(scores(alpha, X, y), y))
    return quadratic(alpha, X, y) + C * slack - sum(alpha)


def mean(weights, X):
    return [dot(weights, column) for column in zip(*X)]


def tube_dual(alpha, X, y, epsilon):
    bent = dot(alpha, y) - epsilon * sum(map(abs, alpha))
    return bent - quadratic(alpha, X, [1] * len(X)) / 2


def suits(alpha, b, X, y, C):
    """The conditions of each example, but not the equation for all of them."""
    margins = [s * (v + b) for v, s in zip(scores(alpha, X, y), y)]
    return all((m >= 1 or a == C) and (m <= 1 or a == 0) for a, m in zip(alpha, margins))


def free(alpha, X, y, C):
    r = [s - v for v, s in zip(scores(alpha, X, y), y)]
    return next((v for a, v in zip(alpha, r) if 0 < a < C), r[0])


def swapped(alpha, X, y, C):
    first, last = EXERCISES["offset_interval"].answer(alpha, X, y, C)
    return last, first


def distance(x, z):
    return sum((a - b) * (a - b) for a, b in zip(x, z))


def pair(alpha, E, y, C):
    return EXERCISES["violating_pair"].answer(alpha, E, y, C)


def pegasos(w, x, y, lam, t, least=1):
    push = [y * v / (lam * t) if y * dot(w, x) < least else 0 for v in x]
    return [v - v / t + p for v, p in zip(w, push)]


def put(alpha, i, value):
    return [value if k == i else v for k, v in enumerate(alpha)]
