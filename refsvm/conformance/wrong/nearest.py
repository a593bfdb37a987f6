"""Multipliers for given decisions: inside their bounds, balanced, with the nearest scores.

Where decisions are all that is known of a program, these tell whether it has solved some dual
problem part of the way: its decisions are those of feasible multipliers.

    beta    alpha_i y_i, from low_i to high_i; their sum is 0 where there is an offset
    r_i     what the score of example i lacks of its decision
"""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

from ..forms import C_SVC
from .pipeline import fitted_with
from .tasks import Task, as_gram

MOST_STEPS = 400
MOST_SOUGHT = 40  # examples whose multipliers are found from decisions
LARGEST = 1e6  # bound of a multiplier that has none


class PairStep(NamedTuple):
    """Add `length` to beta_i, and take it from beta_j if there is a j."""

    i: int
    j: int | None
    length: float


def scores_on_the_way(task: Task, f: list[float], allowed: float) -> list[float] | None:
    """Return the scores of the rows that feasible multipliers make, nearest to the decisions.

    None of a problem of another machine, or large, or whose examples were not asked about.
    """
    if task.form != C_SVC or task.slack != "hinge" or task.n > MOST_SOUGHT:
        return None
    said = {tuple(row): v for row, v in zip(task.rows, f)}
    at = [said.get(tuple(x)) for x in task.X]
    there = [v for v in at if v is not None]
    if len(there) < task.n:
        return None
    K = as_gram(task).X
    beta = _nearest_beta(task, K, there, allowed)
    alpha = [c * y for c, y in zip(beta, task.y)]
    return fitted_with(task, alpha).scores


def _nearest_beta(
    problem: Task, K: list[list[float]], decisions: list[float], allowed: float
) -> list[float]:
    """Return beta whose scores are nearest to the decisions about the examples."""
    bounds = [min(C, LARGEST) for C in problem.bounds]
    low = [0.0 if y > 0 else -C for y, C in zip(problem.y, bounds)]
    high = [C if y > 0 else 0.0 for y, C in zip(problem.y, bounds)]
    beta, r = [0.0] * problem.n, list(decisions)
    find = _best_pair if problem.bias else _best_example
    for _ in range(MOST_STEPS):
        step = find(K, r, beta, low, high, allowed)
        if step is None:
            break
        i, j, t = step
        beta[i] += t
        change = [t * v for v in K[i]]
        if j is not None:
            beta[j] -= t
            change = [t * (p - q) for p, q in zip(K[i], K[j])]
        r = [v - c for v, c in zip(r, change)]
    return beta


def _best_pair(K: Any, r: Any, beta: Any, low: Any, high: Any, allowed: float) -> PairStep | None:
    """Return the step on the pair whose r differ most; None if they hardly do."""
    up = [k for k, c in enumerate(beta) if c < high[k]]
    down = [k for k, c in enumerate(beta) if c > low[k]]
    if not up or not down:
        return None
    i, j = max(up, key=lambda k: r[k]), min(down, key=lambda k: r[k])
    if r[i] - r[j] <= allowed:
        return None
    curvature = K[i][i] + K[j][j] - 2 * K[i][j]
    best = (r[i] - r[j]) / curvature if curvature > 0 else inf
    return PairStep(i, j, min(best, high[i] - beta[i], beta[j] - low[j]))


def _best_example(
    K: Any, r: Any, beta: Any, low: Any, high: Any, allowed: float
) -> PairStep | None:
    """Return the step on the example that lacks most; None if none lacks much."""
    steps = []
    for k, v in enumerate(r):
        best = v / K[k][k] if K[k][k] > 0 else 0.0
        steps.append(max(low[k] - beta[k], min(high[k] - beta[k], best)))
    i = max(range(len(r)), key=lambda k: abs(r[k] * steps[k]))
    return PairStep(i, None, steps[i]) if abs(r[i]) > allowed and steps[i] else None
