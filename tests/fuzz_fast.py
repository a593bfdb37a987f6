"""Look for a problem that refsvm_fast solves otherwise than refsvm, for as long as there is time:

    python tests/fuzz_fast.py --seconds 600 --seed 1
    python tests/fuzz_fast.py --only 1234567        one problem again, by the number printed

Problems are larger than those of the tests: up to a few thousand examples, sparse and dense, that
look like real data or like nothing at all. Compared are every step and the whole Solution. At the
first difference its place and the number of the problem are printed; the exit status is then 1.
"""

import argparse
import sys
import time
from math import inf
from pathlib import Path
from random import Random

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

import equality  # noqa: E402

import refsvm  # noqa: E402
import refsvm_fast  # noqa: E402
from refsvm import Gaussian, Linear, MonomialSum, Polynomial, Sigmoid  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="the number of one problem")
    parser.add_argument("--most", type=int, default=3000, help="examples at most")
    parser.add_argument("--kernel", help="only kernels whose repr has this word in it")
    given = parser.parse_args()
    if not refsvm_fast.COMPILED:
        print("refsvm_fast is not compiled: there is nothing to compare")
    end, tried, seen = time.monotonic() + given.seconds, 0, {}
    numbers = Random(given.seed)
    while time.monotonic() < end:
        number = given.only if given.only is not None else numbers.getrandbits(40)
        case = drawn(Random(number), given.most)
        if given.kernel and given.kernel not in repr(case["problem"]):
            continue
        found, end_of = compare(case)
        if found:
            print(f"number {number}: {described(case)}", *found, sep="\n")
            return 1
        tried += 1
        seen[end_of] = seen.get(end_of, 0) + 1
        if given.only is not None:
            break
    print(f"{tried} problems solved alike; ended {seen}; ISA {refsvm_fast.ISA}")
    return 0


def described(case):
    options = {name: v for name, v in case["options"].items() if name not in ("start", "on_step")}
    d = len(case["problem"].X[0])
    return f"{case['solver']} {case['problem']!r} d={d} C={set(case['problem'].C)} {options}"


# ---- what is drawn


def drawn(random, most):
    """A problem, a solver and its options."""
    n = int(min(most, 2 + 10 ** random.uniform(0.3, 3.6)))
    d = int(10 ** random.uniform(0, 2.2 if n < 1000 else 1.7))
    solver = random.choice(["smo"] * 8 + ["coordinate_ascent"] * 2)
    X, y = data(random, n, d)
    bias = solver != "coordinate_ascent" and random.random() < 0.8
    problem = refsvm.Problem(X, y, kernel(random, X), penalty(random, n), bias,
                             random.choice(["hinge", "hinge", "hinge", "squared"]))
    options = {
        "tol": random.choice([1e-3, 1e-3, 1e-2, 1e-1, 1e-6, 0]),
        "cache_mb": random.choice([200, 10, 1, 0.01]),
        "threads": random.choice([1, 1, 2, 3]),
        "max_iter": int(random.choice([20, 200, 2000, 2000]) * (0.05 if n > 1500 else 1)) + 3,
    }
    if random.random() < 0.2:
        tops = [1.0 if c == inf else c for c in problem.upper_bounds()]
        options["start"] = [random.choice([0, 0, c, c * random.random()]) for c in tops]
    if random.random() < 0.8:
        options["on_step"] = quiet
    return {"problem": problem, "solver": solver, "options": options}


def quiet(step):
    """An on_step: what it is told is noted by equality.outcome."""


def data(random, n, d):
    """Rows and labels that two clouds, a checkerboard, a text or a table might give."""
    way = random.choice(["clouds", "board", "text", "table", "grid", "rank", "noise"])
    y = [random.choice([1, -1]) for _ in range(n)]
    if way == "clouds":
        gap = random.choice([0.1, 0.5, 1, 3])
        X = [[random.gauss(gap * s * (k < 3), 1) for k in range(d)] for s in y]
    elif way == "board":
        X = [[random.uniform(-2, 2) for _ in range(d)] for _ in range(n)]
        y = [1 if sum(int(v // 1) for v in x[:2]) % 2 else -1 for x in X]  # exact
    elif way == "text":
        share = random.choice([0.01, 0.05, 0.2, 0.3])
        common = [share ** random.uniform(0.3, 2) for _ in range(d)]
        X = [[1.0 if random.random() < c else 0.0 for c in common] for _ in range(n)]
    elif way == "table":
        columns = [random.choice([
            lambda r: float(r.randint(0, 1)), lambda r: float(r.randint(18, 90)),
            lambda r: float(r.randint(1900, 2020)), lambda r: r.lognormvariate(8, 2),
            lambda r: r.gauss(0, 1), lambda r: 0.0 if r.random() < 0.9 else r.random(),
            lambda r: r.choice([-1.0, -0.0, 0.0, 1.0]), lambda r: 1.6e9 + r.randint(0, 10**6),
        ]) for _ in range(d)]
        X = [[column(random) for column in columns] for _ in range(n)]
    elif way == "grid":
        X = [[random.randint(-4, 4) / 4 for _ in range(d)] for _ in range(n)]
    elif way == "rank":
        basis = [[random.gauss(0, 1) for _ in range(d)] for _ in range(2)]
        X = [[a * p + b * q for p, q in zip(*basis)]
             for a, b in [(random.gauss(0, 1), random.gauss(0, 1)) for _ in range(n)]]
    else:
        X = [[random.random() for _ in range(d)] for _ in range(n)]
    if random.random() < 0.3:
        scale = 2.0 ** random.choice([-200, -40, -10, 10, 40])
        X = [[v * scale for v in x] for x in X]
    if random.random() < 0.3:
        for _ in range(n // 4):
            X[random.randrange(n)] = X[random.randrange(n)]
    if random.random() < 0.4:
        y = [1 if x[0] - x[-1] / 2 + random.gauss(0, 1e-1) > 0 else -1 for x in X]
    if random.random() < 0.2:
        y = [1 if random.random() < 0.03 else -1 for _ in y]
    if len(set(y)) < 2:
        y[0] = -y[0]
    return X, y


def kernel(random, X):
    """A kernel whose values on these rows are mostly neither all the same nor all apart."""
    largest = max(max(map(abs, x)) for x in X) or 1.0
    square = largest * largest or 1.0
    gamma = random.choice([1, 0.1, 5, 1 / len(X[0]), 2.0**-7]) / (square if square < inf else 1)
    if not 0 < gamma < 1e300:
        gamma = 1.0
    return random.choice([
        lambda: Linear(), lambda: Linear(), lambda: Gaussian(gamma), lambda: Gaussian(gamma),
        lambda: Gaussian(gamma), lambda: Polynomial(random.randint(0, 5), gamma, 1),
        lambda: Polynomial(random.randint(1, 3), gamma), lambda: MonomialSum(random.randint(0, 3)),
        lambda: Sigmoid(gamma, random.uniform(-1, 1)),
        lambda: Gaussian(gamma) + 0.5 * Linear(),
        lambda: Gaussian(gamma) * Polynomial(2, gamma, 1),
    ])()


def penalty(random, n):
    """C: a number, or one for each example."""
    some = [1, 10, 0.1, 100, 1e4, 1e-3, inf]
    if random.random() < 0.7:
        return random.choice(some)
    few = random.sample(some, 2)
    return [random.choice(few) for _ in range(n)]


# ---- the comparison


def compare(case):
    """(the differences in words, how the oracle ended)."""
    ours, theirs = (
        equality.outcome(getattr(package, case["solver"]), case["problem"], **case["options"])
        for package in (refsvm, refsvm_fast)
    )
    status = dict(ours.value.parts)[".status"] if ours.error is None else ours.error.kind
    return equality.differences(ours, theirs), status.replace("str ", "")


if __name__ == "__main__":
    sys.exit(main())
