"""Problems of any machine whose numbers may be anywhere in the doubles.

    drawn_extreme(random)         a problem; ValueError where it has none of these numbers

In the place of the numbers that truths.drawn_problem has as a rule: rows, values, C and weights
from 1e-308 to 1e308, alone and mixed.
"""

import refsvm

SIZES = [0, 0, 100, -100, 150, 153, -150, -160, -200, 200, 300, 307.9, -300]


def _number(random):
    size = random.choice([*SIZES, random.uniform(-308, 308)])
    return random.choice([0.0, 1.0, -1.0, random.gauss(0, 1)]) * 10.0**size


def _positive(random):
    return 10.0 ** random.choice([0, random.uniform(-300, 307)])


def drawn_extreme(random):
    """A problem of 2 to 5 examples."""
    n, d = random.randrange(2, 6), random.choice([1, 2])
    unit = 10.0 ** random.choice([0, 0, random.uniform(-308, 307.9), 150, 153.5, -160])
    X = [[random.gauss(0, 1) * unit for _ in range(d)] for _ in range(n)]
    y = [1, -1, *(random.choice([-1, 1]) for _ in range(n - 2))]
    values, C, few = [_number(random) for _ in range(n)], _positive(random), random.random() < 0.5
    weights = [_positive(random) for _ in range(n)] if few else None
    kernel = random.choice([refsvm.Linear(), refsvm.Gaussian(1.0), refsvm.Polynomial(2, 1.0, 1.0)])
    machine = random.randrange(7)
    if machine == 0:
        return refsvm.Problem(X, y, kernel, C)
    if machine == 1:
        return refsvm.Problem(X, y, kernel, C, slack="squared")
    if machine == 2:
        return refsvm.NuProblem(X, y, kernel, 0.5, weights)
    if machine == 3:
        return refsvm.RegressionProblem(X, values, kernel, C, abs(_number(random)), weights)
    if machine == 4:
        return refsvm.NuRegressionProblem(X, values, kernel, C, 0.4, weights)
    if machine == 5:
        return refsvm.OneClassProblem(X, kernel, 0.4, weights)
    return refsvm.BallProblem(X, kernel, max(C, 1.0), weights)
