"""The problem that a model of a file answers, from its type, its numbers and the options.

A file does not say what C, epsilon and nu were. Unless an option does, they are taken from the
model itself, as those that it could be right for:

    C          the largest |coefficient|, which it is if one vector is at the bound
    epsilon    between the |y - f| of those at C and of those that are no vectors
    nu         what the multipliers add up to, in proportion to all that they could

A classifier by nu is written in units of its margin: its coefficients are alpha_i / rho, and b is
divided by rho, too. Here both are multiplied by rho, which is 1 over the largest |coefficient|, or
follows from nu.
"""

from fractions import Fraction
from typing import Any, NamedTuple

from ..estimators.pairwise_training import pair_data
from ..files.matching import match_rows, multipliers, net_multipliers
from ..numerics.linalg import total
from ..numerics.validation import positive
from ..svm.dual_form import exact_total
from ..svm.one_vs_one import pairs
from .arguments import Refusal
from .console import number, plural
from .deciding import decide
from .engine import library
from .optimality import snap


class ModelAnswer(NamedTuple):
    """A problem with multipliers and offsets for it, and how its parameters were found."""

    heading: str
    serials: list  # of the rows of the data that are its examples
    problem: Any
    alpha: list
    offsets: tuple
    taken: list  # sentences


def answers_by_nu(given, model, data, rounding):
    """Yield the ModelAnswer of each pair of classes by nu; C of the data are weights."""
    matched = match_rows(model, data.rows, labels_of(data))
    for pair, (p, q) in enumerate(pairs(len(model.classes))):
        rows, X, y, weights = pair_data(data, p, q)
        problem = library(given).NuProblem(X, y, model.kernel, 1, weights)
        shares = multipliers(model, matched, p, q, rows, problem)
        largest = max([abs(a) / w for a, w in zip(shares, weights)])
        if not largest > 0:
            names = f"{model.classes[p]} and {model.classes[q]}"
            raise Refusal(f"the model has no coefficient but zeros for the classes {names}")
        rho = 1 / largest
        if given.nu is not None:
            rho = given.nu * total(weights) / total(map(abs, shares))
        alpha = snap([a * rho for a in shares], weights, rounding)
        nu, taken = nu_of(given, alpha, weights, rounding)
        problem = library(given).NuProblem(X, y, model.kernel, nu, weights)
        heading = (
            f"classes {model.classes[p]} (y = -1) and {model.classes[q]} (y = +1):"
            f" {plural(len(rows), 'example')}"
        )
        yield ModelAnswer(heading, rows, problem, alpha, (-model.offsets[pair] * rho, rho), taken)


def labels_of(data):
    """Return the label of each row of a TrainingSet."""
    labels = [None] * len(data.rows)
    for label, members in zip(data.classes, data.members):
        for i in members:
            labels[i] = label
    return labels


def answer_of_single(given, model, data, rounding):
    """Return the ModelAnswer of a machine of regression or of one class."""
    make, values = library(given), data.y if given.type != "one_class" else []
    alpha = net_multipliers(model, data.X, values)
    if given.type == "one_class":
        alpha = snap(alpha, [1.0] * len(alpha), rounding)
        nu, taken = nu_of(given, alpha, [1.0] * len(alpha), rounding)
        problem = make.OneClassProblem(data.X, model.kernel, nu)
        return ModelAnswer("", range(problem.n), problem, alpha, (0 - model.b,), taken)
    C, taken = _penalty_of(given, alpha)
    alpha = snap(alpha, [C] * len(alpha), rounding)
    if given.type == "nu_svr":
        nu, more = nu_of(given, alpha, [C] * len(alpha), rounding)
        problem = make.NuRegressionProblem(data.X, values, model.kernel, C, nu)
        offsets = (model.b, _half_width(given, model, alpha, C, data) or 0.0)
        return ModelAnswer("", range(problem.n), problem, alpha, offsets, taken + more)
    epsilon, more = _epsilon_of(given, model, alpha, C, data)
    problem = make.RegressionProblem(data.X, values, model.kernel, C, epsilon)
    return ModelAnswer("", range(problem.n), problem, alpha, (model.b,), taken + more)


def _penalty_of(given, alpha):
    """Return C, and a sentence on it unless it is given."""
    if given.C is not None:
        return positive(float, given.C, "C"), []
    C = max(map(abs, alpha), default=0)
    if not C > 0:
        raise Refusal("the model has no coefficient but zeros; say what C was by --C")
    return C, [
        f"C = {number(C, 10)}, taken from the largest |coefficient|; if training had more, say --C"
    ]


def nu_of(given, alpha, limits, rounding):
    """Return nu, and a sentence on it unless it is given.

    A nu that differs from what the multipliers add up to by their rounding alone is that.
    """
    share = float(min(Fraction(1), exact_total(map(abs, alpha)) / exact_total(limits)))
    if given.nu is not None:
        return share if abs(share - given.nu) <= rounding * share else given.nu, []
    if not share > 0:
        raise Refusal("the model has no coefficient but zeros; say what nu was by --nu")
    return share, [f"nu = {number(share, 10)}, by the sum of |alpha|; if it was another, say --nu"]


def _half_width(given, model, alpha, C, data):
    """Return the half width of the tube that these multipliers are least wrong for.

    No |y - f| of a row with |alpha| < C is to be above it, and none of a vector below. None where
    all rows are at C, or none is a vector: then many are right.
    """
    misses = [abs(v - f) for v, f in zip(data.y, decide(given, model, data.X))]
    low = max((miss for miss, a in zip(misses, alpha) if abs(a) < C), default=None)
    high = min((miss for miss, a in zip(misses, alpha) if a != 0), default=None)
    return None if low is None or high is None else (low + high) / 2


def _epsilon_of(given, model, alpha, C, data):
    """Return epsilon, and a sentence on it unless it is given."""
    if given.epsilon is not None:
        return given.epsilon, []
    epsilon = _half_width(given, model, alpha, C, data)
    if epsilon is None:
        raise Refusal("epsilon does not follow from the model; say what it was by --epsilon")
    return epsilon, [
        f"epsilon = {number(epsilon, 10)}, by |y - f| of vectors and others; if it was another,"
        " say --epsilon"
    ]
