"""fingerprint: which problem does this program solve?

Many texts call many problems "the SVM". On six points of the line, for three values of C, all the
usual ones have different answers; so the answers of a program tell which one it solves.

    loss      hinge: sum xi;  squared: sum xi^2 / 2
    offset    free: b costs nothing;  regularised: 1/2 b^2 is added, as if the rows had a feature 1
              more (or s more: `intercept_scaling`);  none: b = 0
    price     the penalty, which multiplies the loss, of a program that is given C: C itself, 2 C
              (as for C xi^2), C / n (a mean), 1 / C (C is a lambda) ..

    x = 0 .. 5, y = - + - - + +, f(x) = w x + b

Source: the table of exact answers is computed here, from the definitions, as fractions.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from ..numerics.display import displayed
from ..solvers.active_set import active_set
from ..svm.problem import Problem
from .answer_checks import check_delivery
from .protocol import Answer, Request
from .subjects import as_subject
from .workers import asker_for

X = [Fraction(v) for v in range(6)]
Y = [-1, 1, -1, -1, 1, 1]
N = len(X)
C_VALUES = (Fraction(1), Fraction(1, 6), Fraction(1, 32))  # the C of three requests
LOSSES = {"hinge": "the sum of the slacks", "squared": "half the sum of the squared slacks"}
OFFSETS: dict[str, int | None] = {
    "free": None,
    "none": 0,
    "regularised": 1,
    "regularised / 10": 10,
}
PENALTIES: dict[str, Callable[[Fraction], Fraction]] = {
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
Answers = tuple[Fraction, Fraction, Fraction]  # w, b_low, b_high
CLOSE = 0.02  # of the size of w and b; formulations differ by more, programs in floats by less


@displayed
class Formulation(NamedTuple):
    """One of the problems that go by the name of SVM.

    Parameters
    ----------
    loss : a key of LOSSES
    offset : a key of OFFSETS
    price : a key of PENALTIES
        what multiplies the loss, in terms of the C that the program is given
    """

    loss: str
    offset: str
    price: str


@displayed
class Fingerprint(NamedTuple):
    """What a program solves, judged by its answers.

    Parameters
    ----------
    formulation : Formulation or None
        the nearest; None if the answers are near to none
    distance : float
        how far the answers are from its own, in proportion to them
    others : list of Formulation
        those that the answers do not tell from it
    answers : list of (C, w, b)
        one for each C that was asked
    """

    formulation: Formulation | None
    distance: float
    others: list[Formulation]
    answers: list[tuple[Fraction, float, float]]

    def __str__(self) -> str:
        if self.formulation is None:
            return "none of the formulations known"
        return in_words(self.formulation)


def in_words(formulation: Formulation) -> str:
    """Return a formulation in words.

    >>> in_words(Formulation("squared", "none", "2 C"))
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


def fingerprint(
    subject: Any, *, isolate: bool = True, deadline: float = 4, tol: float = 1e-8
) -> Fingerprint:
    """Find which formulation a program solves.

    Parameters
    ----------
    subject : as in audit, but one that can be asked
    isolate, deadline : as in audit
    tol : float
        for a subject that has such a parameter

    Returns
    -------
    Fingerprint

    Raises
    ------
    ValueError
        if it gives no answer

    Examples
    --------
    >>> from refsvm.solvers.smo import smo
    >>> str(fingerprint(smo, isolate=False))
    '1/2 |w|^2 + C times the sum of the slacks, with a free offset'
    """
    asker = asker_for(as_subject(subject), isolate, deadline)
    try:
        answers = [(c, *coefficients(asker.ask(request_at(c, tol)))) for c in C_VALUES]
    finally:
        asker.close()
    distances = {known: distance(answers, at) for known, at in table().items()}
    nearest = min(distances, key=lambda known: distances[known])
    near = [known for known in distances if known != nearest and distances[known] < CLOSE]
    if distances[nearest] > CLOSE:
        return Fingerprint(None, distances[nearest], [], answers)
    others = [known for known in near if distances[known] <= 2 * distances[nearest]]
    return Fingerprint(nearest, distances[nearest], others, answers)


def request_at(C: Fraction, tol: float) -> Request:
    """Return the Request at this C, with bias and slack left to the subject."""
    rows = [[float(v)] for v in X]
    return Request("fingerprint", rows, Y, [float(C)] * N, {"name": "linear"}, rows, tol=tol)


def coefficients(answer: Answer) -> tuple[float, float]:
    """Return w and b of the decisions at 0 and 5; ValueError if there are none."""
    undelivered = check_delivery(answer)
    if undelivered is None and answer.decisions is not None:
        b = answer.decisions[0]
        return (answer.decisions[-1] - b) / float(X[-1]), b
    if undelivered is None and answer.w is not None and answer.b is not None:
        return answer.w[0], answer.b
    reasons = answer.unsupported, answer.refused, undelivered and undelivered.reason
    reason = next(filter(None, reasons), "it gives no decisions")
    raise ValueError(f"subject cannot be asked: {reason}")


@cache
def table() -> dict[Formulation, list[Answers]]:
    """Return {Formulation: [(w, b_low, b_high) for each C asked]}, exactly.

    >>> [tuple(map(str, at)) for at in table()[Formulation("hinge", "regularised", "C")][:2]]
    [('5/13', '-12/13', '-12/13'), ('35/156', '-19/156', '-19/156')]
    """
    return {
        Formulation(loss, offset, price): [optimum(loss, feature, penalty(c)) for c in C_VALUES]
        for loss in LOSSES
        for offset, feature in OFFSETS.items()
        for price, penalty in PENALTIES.items()
    }


@cache
def optimum(loss: str, feature: int | None, C: Fraction) -> Answers:
    """Return w, b_low, b_high; `feature`: the constant one in the place of b, None: b is free."""
    rows = [[v, Fraction(feature)] if feature else [v] for v in X]
    problem = Problem(rows, Y, C=C, bias=feature is None, slack=loss)
    solution: Any = active_set(problem, tol=0)
    w: Any = problem.weights(solution.alpha)
    if feature is None:
        return w[0], solution.b_low, solution.b_high
    b = w[1] * feature if feature else Fraction(0)
    return w[0], b, b


def distance(answers: list[tuple[Fraction, float, float]], known: list[Answers]) -> float:
    """Return the largest error of w and b over their size, for the C where it is largest."""
    worst = 0.0
    for (_, w, b), (exact_w, low, high) in zip(answers, known):
        size = max(abs(exact_w), abs(low), abs(high))
        off: Any = max(abs(w - exact_w), low - Fraction(b), Fraction(b) - high)
        worst = max(worst, float(off / size))
    return worst
