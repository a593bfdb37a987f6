"""fingerprint: which problem does this program solve?

Many texts call many problems "the SVM". On six points of the line, for three values of C, all the
usual ones have different answers; so the answers of a program tell which one it solves.

    loss      hinge: sum xi;  squared: sum xi^2 / 2
    offset    free: b costs nothing;  regularised: 1/2 b^2 is paid, as if the rows had a feature 1
              more (or s more: `intercept_scaling`);  none: b = 0
    price     what multiplies the loss, when the program is told C: C itself, 2 C (as for C xi^2),
              C / n (a mean), 1 / C (C is a lambda) ..

    x = 0 .. 5, y = - + - - + +, f(x) = w x + b

Source: the table of exact answers is worked out here, from the definitions, as fractions.
"""

from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from ..solvers.active_set import active_set
from ..svm.problem import Problem
from .protocol import Request
from .subjects import as_subject
from .workers import asker

LINE = [Fraction(v) for v in range(6)]
LABELS = [-1, 1, -1, -1, 1, 1]
ASKED = (Fraction(1), Fraction(1, 6), Fraction(1, 32))
N = len(LINE)
LOSSES = {"hinge": "the sum of the slacks", "squared": "half the sum of the squared slacks"}
OFFSETS = {"free": None, "none": 0, "regularised": 1, "regularised / 10": 10}
PRICES = {
    "C": lambda c: c,
    "2 C": lambda c: 2 * c,
    "C / 2": lambda c: c / 2,
    "C / n": lambda c: c / N,
    "2 C / n": lambda c: 2 * c / N,
    "n C": lambda c: c * N,
    "1 / C": lambda c: 1 / c,
    "1 / (2 C)": lambda c: 1 / (2 * c),
    "1 / (n C)": lambda c: 1 / (N * c),
    "2 / (n C)": lambda c: 2 / (N * c),
}
CLOSE = 0.02  # of the size of w and b; formulations differ by more, programs in floats by less


class Formulation(NamedTuple):
    """One of the problems that go by the name of SVM; each field a key of the tables above."""

    loss: str
    offset: str
    price: str


class Fingerprint(NamedTuple):
    """What a program solves, judged by its answers.

    formulation  the nearest Formulation; None if the answers are near to none
    distance     how far the answers are from its own, in proportion to them
    others       the formulations that the answers do not tell from it
    answers      for each C that was asked (C, w, b)
    """

    formulation: Any
    distance: float
    others: list
    answers: list

    def __str__(self):
        if self.formulation is None:
            return "none of the formulations known"
        return sentence(self.formulation)


def sentence(formulation):
    """A formulation in words.

    >>> sentence(Formulation("squared", "none", "2 C"))
    '1/2 |w|^2 + 2 C times half the sum of the squared slacks, without an offset'
    """
    loss, offset, price = formulation
    about = {
        "free": "with a free offset",
        "none": "without an offset",
        "regularised": "the offset regularised, too",
    }
    where = about.get(offset, "the offset regularised, too, as the weight of a feature 10")
    return f"1/2 |w|^2 + {price} times {LOSSES[loss]}, {where}"


def fingerprint(subject, *, isolate=True, deadline=4, tol=1e-8):
    """The Fingerprint of a subject, as in audit, but one that can be asked.

    ValueError if it gives no answer.

    >>> from refsvm.solvers.smo import smo
    >>> str(fingerprint(smo, isolate=False))
    '1/2 |w|^2 + C times the sum of the slacks, with a free offset'
    """
    subject = as_subject(subject)
    ask = asker(subject, isolate, deadline)
    try:
        answers = [(c, *line_of(ask.ask(question(c, tol)))) for c in ASKED]
    finally:
        ask.close()
    distances = {known: distance(answers, at) for known, at in table().items()}
    nearest = min(distances, key=distances.get)
    near = [known for known in distances if known != nearest and distances[known] < CLOSE]
    if distances[nearest] > CLOSE:
        return Fingerprint(None, distances[nearest], [], answers)
    others = [known for known in near if distances[known] <= 2 * distances[nearest]]
    return Fingerprint(nearest, distances[nearest], others, answers)


def question(c, tol):
    """The Request at C = c, with bias and slack left to the subject."""
    rows = [[float(v)] for v in LINE]
    return Request("fingerprint", rows, LABELS, [float(c)] * N, {"name": "linear"}, rows, tol=tol)


def line_of(answer):
    """w and b of the decisions at 0 and 5; ValueError if there are none."""
    if answer.decisions is None and answer.w is not None and answer.b is not None:
        return answer.w[0], answer.b
    if answer.decisions is None:
        told = next((s for s in answer[10:] if s), "it gives no decisions")
        raise ValueError(f"subject cannot be asked: {told}")
    b = answer.decisions[0]
    return (answer.decisions[-1] - b) / float(LINE[-1]), b


@cache
def table():
    """{Formulation: [(w, b_low, b_high) for each C asked]}, exactly.

    >>> [tuple(map(str, at)) for at in table()[Formulation("hinge", "regularised", "C")][:2]]
    [('5/13', '-12/13', '-12/13'), ('35/156', '-19/156', '-19/156')]
    """
    return {
        Formulation(loss, offset, price): [optimum(loss, OFFSETS[offset], C(c)) for c in ASKED]
        for loss in LOSSES
        for offset in OFFSETS
        for price, C in PRICES.items()
    }


@cache
def optimum(loss, feature, C):
    """(w, b_low, b_high) of one formulation; `feature` is the constant one, None: b is free."""
    rows = [[v, Fraction(feature)] if feature else [v] for v in LINE]
    problem = Problem(rows, LABELS, C=C, bias=feature is None, slack=loss)
    solution = active_set(problem, tol=0)
    w = problem.weights(solution.alpha)
    if feature is None:
        return w[0], solution.b_low, solution.b_high
    b = w[1] * feature if feature else Fraction(0)
    return w[0], b, b


def distance(answers, known):
    """The largest error of w and b over their size, for the C where it is largest."""
    worst = 0.0
    for (_, w, b), (exact_w, low, high) in zip(answers, known):
        size = max(abs(exact_w), abs(low), abs(high))
        off = max(abs(w - exact_w), low - Fraction(b), Fraction(b) - high)
        worst = max(worst, float(off / size))
    return worst
