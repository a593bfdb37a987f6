"""G5: the same problem in another dress has the same answer.

Each relation makes another problem of a given one, exactly, and knows how the decisions of the
two are related. None is tried where doubles would have to round.

    order     the examples the other way round         sign       the classes exchanged
    twice     every example twice, at half the price   stretched  the features times 4
    column    a feature more, which is always zero     moved      3 added to each feature
    turned    by 45 degrees, and stretched by sqrt 2   absent     an example more, of weight 0
"""

from math import isfinite
from typing import Any, NamedTuple

from ..kernels.standard import Gaussian, Linear, Polynomial, Precomputed, Sigmoid
from ..svm.problem import Problem


class Dress(NamedTuple):
    """A problem made of another: its decisions are those of the other, times sign."""

    name: str
    flag: str
    problem: Any
    rows: list
    sign: int = 1
    weightless: bool = False  # whether an example of weight 0 is to be put after the last


def dresses(problem, rows, weights):
    """Every Dress that a problem on floats can be put in; weights: whether fit takes them."""
    made = [order(problem, rows), sign(problem, rows), twice(problem, rows)]
    if isinstance(problem.kernel, (Linear, Gaussian, Polynomial, Sigmoid)):
        made += [column(problem, rows), stretched(problem, rows)]
    if isinstance(problem.kernel, (Linear, Gaussian)):
        made += [moved(problem, rows), turned(problem, rows)]
    if weights and problem.kernel.has_rows:
        made.append(
            Dress("an example of weight 0 added", "ZeroWeight", problem, rows, weightless=True)
        )
    return [dress for dress in made if dress is not None]


def like(problem, X, C=None, y=None, kernel=None):
    """The problem with other rows, prices, labels or kernel."""
    return Problem(
        X, y or problem.y, kernel or problem.kernel, C or problem.C, problem.bias, problem.slack
    )


def order(problem, rows):
    """The examples the other way round; so are the entries of rows of kernel values."""
    X = problem.X[::-1]
    if isinstance(problem.kernel, Precomputed):
        X, rows = [row[::-1] for row in X], [row[::-1] for row in rows]
    other = like(problem, X, problem.C[::-1], problem.y[::-1])
    return Dress("the examples in another order", "ExampleOrder", other, rows)


def sign(problem, rows):
    """The classes exchanged."""
    other = like(problem, problem.X, y=[-label for label in problem.y])
    return Dress("the classes exchanged", "LabelOrder", other, rows, sign=-1)


def twice(problem, rows):
    """Every example twice, each copy at half the price."""
    X = [*problem.X, *problem.X]
    if isinstance(problem.kernel, Precomputed):
        X, rows = [row + row for row in X], [row + row for row in rows]
    half = [c / 2 for c in problem.C] * 2
    if not all(2 * h == c for h, c in zip(half, problem.C)):
        return None
    other = like(problem, X, half, [*problem.y, *problem.y])
    return Dress("every example twice at half the price", "Duplicates", other, rows)


def column(problem, rows):
    """A feature more, which is always zero."""
    other = like(problem, [[*x, 0.0] for x in problem.X])
    return Dress("a feature more, always zero", "ZeroColumn", other, [[*x, 0.0] for x in rows])


def stretched(problem, rows):
    """The features times 4, which the kernel's own gamma or the price makes good again."""

    def grown(X):
        return [[4 * v for v in x] for x in X]

    kernel, C = scaled(problem.kernel, problem.C, 16)
    if kernel is None or not all(isfinite(v) for x in grown(rows) for v in x):
        return None
    other = like(problem, grown(problem.X), C, kernel=kernel)
    return Dress("the features times 4", "Scale", other, grown(rows))


def scaled(kernel, C, factor):
    """The kernel and prices that undo a factor (a power of 2) of inner products."""
    if type(kernel) is Linear:
        return kernel, [c / factor for c in C]
    if type(kernel) is Gaussian:
        return Gaussian(kernel.gamma / factor), C
    if type(kernel) is Polynomial:
        return Polynomial(kernel.degree, kernel.gamma / factor, kernel.coef0), C
    return Sigmoid(kernel.gamma / factor, kernel.coef0), C


def moved(problem, rows):
    """3 added to every feature."""
    if type(problem.kernel) is Linear and not problem.bias:
        return None
    other = [[v + 3 for v in x] for x in problem.X]
    there = [[v + 3 for v in x] for x in rows]
    if any(u - 3 != v for x, z in zip(rows, there) for v, u in zip(x, z)):
        return None
    return Dress("3 added to every feature", "Translation", like(problem, other), there)


def turned(problem, rows):
    """Two features turned by 45 degrees and stretched by sqrt 2: x + z, x - z."""
    if len(problem.X[0]) != 2:
        return None
    there = [[p + q, p - q] for p, q in rows]
    if any([(p + q) / 2, (p - q) / 2] != row for row, (p, q) in zip(rows, there)):
        return None
    kernel, C = scaled(problem.kernel, problem.C, 2)
    other = like(problem, there[: problem.n], C, kernel=kernel)
    return Dress("turned by 45 degrees", "Rotation", other, there)
