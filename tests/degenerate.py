"""Many degenerate problems of up to 8 points, each solved exactly and judged.

    python tests/degenerate.py [HOW MANY] [SEED]

Points of few distinct coordinates, so that they coincide, are opposite duplicates, lie on lines
and on each other's margin; penalties from 2^-30 to 2^20 and infinite ones, or lowered to what
alpha_i is at the optimum, so that none is free; both kinds of slack, with and without offset;
several kernels. solve_exactly verifies each of its own answers. Those with up to 6 points are also
compared with exact.py, which tries all 3^n patterns: value, offsets, statuses, uniqueness, and
that the other alpha is optimal too.
"""

import sys
import time
from collections import Counter
from fractions import Fraction
from math import inf
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import exact as judge  # noqa: E402

from refsvm import Linear, MonomialSum, Polynomial, Problem, gram, solve_exactly  # noqa: E402

MOST, JUDGED = 8, 6
PENALTIES = (Fraction(1, 2**30), Fraction(1, 3), Fraction(1), Fraction(8), Fraction(2**20), inf)
KERNELS = (
    Linear(), Linear(), Polynomial(2, coef0=1), MonomialSum(2), Polynomial(0),
    Linear() * Linear() + 2 * Linear(),
)


def drawn(random):
    """A Problem on Fractions."""
    n, d = random.randint(2, MOST), random.randint(1, 3)
    values = [Fraction(random.randint(-3, 3), random.choice((1, 2, 3))) for _ in range(3)]
    X = [[random.choice(values) for _ in range(d)] for _ in range(n)]
    y = [1, -1, *(random.choice((1, -1)) for _ in range(n - 2))]
    random.shuffle(y)
    one = random.random() < 0.6
    C = random.choice(PENALTIES) if one else [random.choice(PENALTIES) for _ in range(n)]
    kernel, bias = random.choice(KERNELS), random.random() < 0.7
    problem = Problem(X, y, kernel, C, bias, random.choice(("hinge", "hinge", "squared")))
    return problem if random.random() < 0.7 else without_free(problem)


def without_free(problem):
    """The Problem with each C_i lowered to alpha_i, if that is positive: the same optimum."""
    alpha = solve_exactly(problem).alpha
    if alpha is None or problem.slack == "squared":
        return problem
    C = [a or c for a, c in zip(alpha, problem.C)]
    return Problem(problem.X, problem.y, problem.kernel, C, problem.bias)


def judged(problem, found):
    """AssertionError unless an Optimum is what trying all patterns finds."""
    K = gram(problem.kernel, problem.X)
    given = K, problem.y, problem.C, problem.bias, problem.slack == "squared"
    corners = list(judge.optima(*given))
    if not corners:
        assert found.status == "infeasible"
        return
    best = corners[0]
    assert found.objective == best.value
    assert (found.b_low, found.b_high) == (best.b_low, best.b_high)
    assert found.b_unique == (best.b_low == best.b_high)
    alphas = [corner.alpha for corner in corners]
    assert found.alpha_unique == (len(set(map(tuple, alphas))) == 1)
    assert_forced(problem, found, alphas)
    if not found.alpha_unique:
        assert found.other_alpha != found.alpha
        beta = [a * y for a, y in zip(found.other_alpha, problem.y)]
        assert judge.dual(K, problem.y, problem.C, beta, given[-1]) == best.value
        assert problem.gap(found.other_alpha, found.b_low) == 0


def assert_forced(problem, found, alphas):
    """L means 0 at every corner, U means C_i."""
    for i, letter in enumerate(found.status):
        forced = {"L": 0, "U": problem.C[i]}.get(letter)
        assert forced is None or all(alpha[i] == forced for alpha in alphas)


def main(count=10_000, seed=1):
    random, kinds, start = Random(seed), Counter(), time.perf_counter()
    for _ in range(count):
        problem = drawn(random)
        found = solve_exactly(problem)
        if problem.n <= JUDGED:
            judged(problem, found)
            kinds["judged by all patterns"] += 1
        kinds["infeasible" if found.farkas else "solved"] += 1
        kinds["alpha not unique"] += found.alpha_unique is False
        kinds["b not unique"] += found.b_unique is False
    for kind, times in kinds.items():
        print(f"{times:6} {kind}")
    print(f"{time.perf_counter() - start:6.0f} seconds, no failure")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
