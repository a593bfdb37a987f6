"""The solver of the small SVM: SMO with exact clipping, shrinking and a check at the end.

    K      Gram matrix, row by row        alpha    multipliers, 0 <= alpha_i <= C_i
    y      +1 or -1                       r_i      y_i - s_i, the offset that puts i on its margin
    up     beta_i may rise                low      beta_i may fall         (beta_i = alpha_i y_i)
    active examples that pairs are chosen from; of the others r is out of date
"""

import math

from planted_codes.kernels import add, combined, dot

FURTHEST = 1024.0  # times the way of a few steps; the rounding in it grows as much


def smo(K, y, C, tol, max_iter):
    """(alpha, r, steps, whether the violation is at most tol)."""
    n = len(y)
    alpha, before, last = [0.0] * n, [0.0] * n, [0.0] * n
    active = list(range(n))
    r, fresh = residuals(K, alpha, y), True
    for step in range(max_iter):
        i, j = pair(alpha, r, y, C, active)
        if r[i] - r[j] <= tol:
            if fresh and len(active) == n:
                return alpha, r, step, True
            active = list(range(n))
            r, fresh = residuals(K, alpha, y), True
            continue
        t = travel(K, alpha, r, y, C, i, j)
        advance(alpha, y, C, i, t)
        advance(alpha, y, C, j, -t)
        update(r, active, t, K[i], K[j])
        fresh = step % (2 * n) == 2 * n - 1
        if step % 8 == 7:
            active = shrunk(alpha, r, y, C, active)
        if fresh:
            alpha = stride(K, before, alpha, y, C)
            before, last = last, alpha[:]
            r = residuals(K, alpha, y)
    return alpha, r, max_iter, False


def may_rise(a, s, c):
    return a < c if s > 0 else a > 0


def may_fall(a, s, c):
    return a > 0 if s > 0 else a < c


def pair(alpha, r, y, C, active):
    """The most violating pair: the largest r of those that may rise, the smallest of the rest."""
    up = [i for i in active if may_rise(alpha[i], y[i], C[i])]
    low = [i for i in active if may_fall(alpha[i], y[i], C[i])]
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


def update(r, active, t, rising, falling):
    """The residuals of the active examples after a step."""
    add(r, -t, rising, active)
    add(r, t, falling, active)


def shrunk(alpha, r, y, C, active):
    """The active examples without those that are at a bound and far from violating anything."""
    i, j = pair(alpha, r, y, C, active)
    most, least = max(r[i], r[j]), min(r[i], r[j])
    kept = []
    for k in active:
        up, low = may_rise(alpha[k], y[k], C[k]), may_fall(alpha[k], y[k], C[k])
        if (up and r[k] >= least) or (low and r[k] <= most):
            kept.append(k)
    return kept


def stride(K, before, alpha, y, C):
    """One step along the way of the last 2 n steps: pairs alone take C steps for four points."""
    way = [a - p for a, p in zip(alpha, before)]
    beta = [v * s for v, s in zip(way, y)]
    curvature = dot(beta, combined(K, beta))
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
    return [s - score for s, score in zip(y, combined(K, beta))]


def offset(alpha, r, y, C):
    """The mean of r over the free; if none is free, the middle of what the others leave."""
    free = [v for v, a, c in zip(r, alpha, C) if 0 < a < c]
    if free:
        return sum(free) / len(free)
    low = max(v for v, a, s, c in zip(r, alpha, y, C) if may_rise(a, s, c))
    high = min(v for v, a, s, c in zip(r, alpha, y, C) if may_fall(a, s, c))
    return (low + high) / 2
