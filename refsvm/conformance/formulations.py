"""The problems that go by the name of SVM, and their exact answers on a few points of the line.

    loss      hinge: sum xi;  squared: sum xi^2 / 2
    offset    free: b costs nothing;  regularised: 1/2 b^2 is added, as if the rows had a feature 1
              more (or s more: `intercept_scaling`);  none: b = 0
    price     the penalty, which multiplies the loss, of a program that is given C: C itself, 2 C
              (as for C xi^2), C / n (a mean), 1 / C (C is a lambda) ..
    features   as given, or scaled first and said nowhere: f(x) = w (x - origin) + b then, and C is
              divided by the square of the scale, so all answers stay fractions

    x = 0 .. 5, y = - + - - + +, f(x) = w x + b

Source: the table of exact answers is computed here, from the definitions, as fractions.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from ..kernels.standard import Linear, Precomputed
from ..numerics.display import displayed
from ..numerics.linalg import dot, total
from ..solvers.active_set import active_set
from ..svm.problem import Problem


class Question(NamedTuple):
    """Points of the line, their labels, and a C."""

    X: tuple[Fraction, ...]
    y: tuple[int, ...]
    C: Fraction


class FeatureScale(NamedTuple):
    """Features (x - origin) / root of square."""

    origin: Fraction
    square: Fraction


C_VALUES = (Fraction(1), Fraction(1, 6), Fraction(1, 32))  # the C of the first three requests
SIX = tuple(map(Fraction, range(6)))
SEVEN = tuple(map(Fraction, (3, 4, 6, 9, 10, 14, 15)))
CLOSER = tuple(v / 512 for v in SEVEN)  # the larger C is, the more it takes to see that it counts
QUESTIONS = [
    *(Question(SIX, (-1, 1, -1, -1, 1, 1), c) for c in C_VALUES),
    Question(SEVEN, (-1, -1, 1, -1, 1, 1, -1), Fraction(1, 10)),
    Question(SEVEN, (-1, 1, -1, -1, -1, -1, 1), Fraction(3)),
    Question(CLOSER, (-1, -1, 1, -1, 1, 1, -1), Fraction(1024)),
]
Points = tuple[Fraction, ...]
LOSSES = {"hinge": "the sum of the slacks", "squared": "half the sum of the squared slacks"}
OFFSETS: dict[str, int | None] = {
    "free": None,
    "none": 0,
    "regularised": 1,
    "regularised / 10": 10,
}
PENALTIES: dict[str, Callable[[Fraction, int], Fraction]] = {
    "C": lambda c, n: c,
    "2 C": lambda c, n: 2 * c,
    "C / 2": lambda c, n: c / 2,
    "C / n": lambda c, n: c / n,
    "2 C / n": lambda c, n: 2 * c / n,
    "n C": lambda c, n: c * n,
    "1 / C": lambda c, n: 1 / c,
    "1 / (2 C)": lambda c, n: 1 / (2 * c),
    "1 / (n C)": lambda c, n: 1 / (n * c),
    "2 / (n C)": lambda c, n: 2 / (n * c),
}
UNPAID = ("free", "none")  # offsets beside a penalty so large that it hides whether b costs
FIXED = {  # C is ignored
    "1, whatever C is,": Fraction(1),
    "10, whatever C is,": Fraction(10),
    "100, whatever C is,": Fraction(100),
    "1000, whatever C is,": Fraction(1000),
    "a very large number, whatever C is,": Fraction(2**40),
}
FEATURES: dict[str, Callable[[Points], FeatureScale]] = {
    "as given": lambda X: FeatureScale(Fraction(0), Fraction(1)),
    "standardised": lambda X: FeatureScale(mean(X), _scatter(X) / len(X)),
    "standardised, over n - 1": lambda X: FeatureScale(mean(X), _scatter(X) / (len(X) - 1)),
    "scaled to 0 .. 1": lambda X: FeatureScale(min(X), (max(X) - min(X)) ** 2),
    "scaled to -1 .. 1": lambda X: FeatureScale((min(X) + max(X)) / 2, (max(X) - min(X)) ** 2 / 4),
}
Answers = tuple[Fraction, Fraction, Fraction]  # w, b_low, b_high


@displayed
class Formulation(NamedTuple):
    """One of the problems that go by the name of SVM.

    Parameters
    ----------
    loss : a key of LOSSES
    offset : a key of OFFSETS
    price : a key of PENALTIES or of FIXED
        what multiplies the loss, in terms of the C that the program is given
    features : a key of FEATURES
    """

    loss: str
    offset: str
    price: str
    features: str = "as given"


def in_words(formulation: Formulation) -> str:
    """Return a formulation in words.

    >>> in_words(Formulation("squared", "none", "2 C"))
    '1/2 |w|^2 + 2 C times half the sum of the squared slacks, without an offset'
    """
    loss, offset, price, features = formulation
    about = {
        "free": "with a free offset",
        "none": "without an offset",
        "regularised": "the offset regularised, too",
    }
    where = about.get(offset, "the offset regularised, too, as the weight of a feature 10")
    first = "" if features == "as given" else f", on features {features}"
    return f"1/2 |w|^2 + {price} times {LOSSES[loss]}, {where}{first}"


def mean(X: Points) -> Fraction:
    """Return the mean of some points."""
    return sum(X, Fraction(0)) / len(X)  # exact


def _scatter(X: Points) -> Fraction:
    """Return the sum of the squared distances from the mean."""
    return sum(((v - mean(X)) ** 2 for v in X), Fraction(0))  # exact


@cache
def table() -> dict[Formulation, list[Answers]]:
    """Return {Formulation: [(w, b_low, b_high) for each question]}, of features as given.

    >>> [tuple(map(str, at)) for at in table()[Formulation("hinge", "regularised", "C")][:2]]
    [('5/13', '-12/13', '-12/13'), ('35/156', '-19/156', '-19/156')]
    """
    usual = [Formulation(*known) for known in product(LOSSES, OFFSETS, PENALTIES)]
    return {known: [optimum(known, q) for q in QUESTIONS] for known in usual}


@cache
def formulations() -> list[Formulation]:
    """Return every Formulation; where C is ignored, of features as given."""
    every = [*product(LOSSES, OFFSETS, PENALTIES, FEATURES), *product(LOSSES, UNPAID, FIXED)]
    return [Formulation(*known) for known in every]


@cache
def optimum(known: Formulation, question: Question, kind: type = Fraction) -> Answers:
    """Return w, b_low, b_high of a formulation's answer to a question, exactly or in floats."""
    origin, square = FEATURES[known.features](question.X)
    if known.price in FIXED:
        penalty = FIXED[known.price]
    else:
        penalty = PENALTIES[known.price](question.C, len(question.X))
    C = penalty / square
    constant = OFFSETS[known.offset]
    scaled = None if constant is None else constant**2 * square
    w, low, high = solve(known.loss, question, origin, scaled, C, kind)
    return w, low - w * origin, high - w * origin


def solve(
    loss: str,
    question: Question,
    origin: Fraction,
    constant: Fraction | None,
    C: Fraction,
    kind: type,
) -> Answers:
    """Return w, b_low, b_high for rows from an origin.

    constant: the square of the constant feature in the place of b; None: b is free.
    """
    x = [v - origin for v in question.X]
    if constant is None:
        rows, kernel = [[v] for v in x], Linear()
    else:
        rows, kernel = [[p * q + constant for p in x] for q in x], Precomputed()
    problem = Problem(rows, question.y, kernel, C, constant is None, loss)
    if kind is float:
        solution: Any = active_set(problem.to(float), tol=1e-9)
        x = list(map(float, x))
    else:
        solution = active_set(problem, tol=0)
    beta: Any = problem.beta(solution.alpha)
    w: Any = dot(beta, x)
    if constant is None:
        return w, solution.b_low, solution.b_high
    b: Any = constant * total(beta)
    return w, b, b
