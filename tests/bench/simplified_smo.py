"""The usual from-scratch SVM: the simplified SMO of the CS229 notes, in NumPy, to compare with.

Written for this benchmark from the description in the notes. It is the whole of what a student
finds first: the second multiplier of a pair is drawn at random, a step shorter than 1e-5 is not
taken, and it ends after a number of passes over the data in which nothing changed.

That end is no evidence of an optimum, so it is only noted here (`quiet_gap`), and the passes go
on until the gap is as small as the one to reach, or the time is up. The gap is measured after
each pass, off the clock.

    K    Gram matrix, computed once          alpha, b    multipliers and offset
    E    f(x_i) - y_i, the error             L, H        the ends of what alpha_j is allowed
    eta  2 K_ij - K_ii - K_jj: minus the curvature of the dual along the pair
"""

import time
from typing import Any, NamedTuple

import numpy

QUIET = 5  # passes without a change, after which the notes say to stop
SHORTEST = 1e-5  # shorter steps are not taken


class Run(NamedTuple):
    """How far it came: seconds on the clock, its gap then, whether that is small enough."""

    seconds: float
    gap: float
    reached: bool
    quiet_gap: Any  # the gap when it would have stopped of itself; None if it never would have


def gram(X, gamma):
    """exp(-gamma |x - z|^2) for all pairs, the quick way."""
    norms = (X * X).sum(axis=1)
    squares = norms[:, None] + norms[None, :] - 2 * (X @ X.T)
    return numpy.exp(-gamma * numpy.maximum(squares, 0))


def simplified_smo(X, y, gamma, C, tol, gap_of, gap_to_reach, limit):
    """Passes until gap_of(alpha) is at most gap_to_reach, or `limit` seconds are over: a Run."""
    start = time.process_time()
    K = gram(X, gamma)
    alpha, b = numpy.zeros(len(y)), 0.0
    random = numpy.random.default_rng(229)
    seconds, quiet, quiet_gap = time.process_time() - start, 0, None
    while True:
        start = time.process_time()
        b, changed, in_time = one_pass(K, y, alpha, b, C, tol, random, start + limit - seconds)
        seconds += time.process_time() - start
        gap = gap_of(alpha)
        quiet = 0 if changed else quiet + 1
        if quiet == QUIET and quiet_gap is None:
            quiet_gap = gap
        if gap <= gap_to_reach or not in_time:
            return Run(seconds, gap, gap <= gap_to_reach, quiet_gap)


def one_pass(K, y, alpha, b, C, tol, random, deadline):
    """Give each alpha_i that violates its condition one partner; b, steps taken, time left?"""
    changed = 0
    for i in range(len(y)):
        if time.process_time() > deadline:
            return b, changed, False
        E_i = (alpha * y) @ K[i] + b - y[i]
        if not (y[i] * E_i < -tol and alpha[i] < C or y[i] * E_i > tol and alpha[i] > 0):
            continue
        j = random.integers(len(y) - 1)
        j += j >= i
        E_j = (alpha * y) @ K[j] + b - y[j]
        moved = step(K, y, alpha, i, j, E_i, E_j, C)
        if moved is None:
            continue
        b = offset(K, y, alpha, b, i, j, E_i, E_j, C, *moved)
        changed += 1
    return b, changed, True


def step(K, y, alpha, i, j, E_i, E_j, C):
    """Move alpha_i and alpha_j to the best allowed point; what they moved, or None."""
    if y[i] != y[j]:
        L, H = max(0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    else:
        L, H = max(0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    eta = 2 * K[i, j] - K[i, i] - K[j, j]
    if L == H or eta >= 0:
        return None
    new = min(max(alpha[j] - y[j] * (E_i - E_j) / eta, L), H)
    d_j = new - alpha[j]
    if abs(d_j) < SHORTEST:
        return None
    d_i = -y[i] * y[j] * d_j
    alpha[i] += d_i
    alpha[j] = new
    return d_i, d_j


def offset(K, y, alpha, b, i, j, E_i, E_j, C, d_i, d_j):
    """The offset after a step: from whichever of the two is free, or half-way between."""
    b_i = b - E_i - y[i] * d_i * K[i, i] - y[j] * d_j * K[i, j]
    b_j = b - E_j - y[i] * d_i * K[i, j] - y[j] * d_j * K[j, j]
    if 0 < alpha[i] < C:
        return b_i
    return b_j if 0 < alpha[j] < C else (b_i + b_j) / 2
