"""fingerprint: which problem does this program solve?

Many texts call many problems "the SVM". On six points of the line, for three values of C, all the
usual ones have different answers; so the answers of a program tell which one it solves. Seven more
points, away from the origin, tell them apart from programs that scale features or ignore C.

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
from itertools import combinations, product
from statistics import mean, pvariance, variance  # exact, of fractions
from typing import Any, NamedTuple

from ..kernels.standard import Linear, Precomputed
from ..numerics.display import displayed
from ..numerics.linalg import dot, total
from ..numerics.types import Number, Vector
from ..solvers.active_set import active_set
from ..svm.model import Solution
from ..svm.problem import Problem
from .asking.workers import asker_for
from .checks.answer_checks import check_delivery
from .protocol import Answer, Request, says_unfinished
from .subjects import as_subject
from .subjects.named_subjects import form_of_subject


class Question(NamedTuple):
    """Points of the line, their labels, and a C."""

    X: tuple[Fraction, ...]
    y: tuple[int, ...]
    C: Fraction


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
# origin and square of features (x - origin) / root of square
FEATURES: dict[str, Callable[[Points], tuple[Fraction, Fraction]]] = {
    "as given": lambda X: (Fraction(0), Fraction(1)),
    "standardised": lambda X: (mean(X), pvariance(X)),
    "standardised, over n - 1": lambda X: (mean(X), variance(X)),
    "scaled to 0 .. 1": lambda X: (min(X), (max(X) - min(X)) ** 2),
    "scaled to -1 .. 1": lambda X: ((min(X) + max(X)) / 2, (max(X) - min(X)) ** 2 / 4),
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

    Examples
    --------
    >>> Formulation("hinge", "free", "C").features
    'as given'
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
    price = FIXED.get(known.price) or PENALTIES[known.price](question.C, len(question.X))
    constant = OFFSETS[known.offset]
    x = [v - origin for v in question.X]
    rows, kernel = [[v] for v in x], Linear()
    if constant is not None:
        scaled = constant**2 * square
        rows, kernel = [[p * q + scaled for p in x] for q in x], Precomputed()
    problem = Problem(rows, question.y, kernel, price / square, constant is None, known.loss)
    solution: Solution = active_set(problem.to(kind), tol=0 if kind is Fraction else 1e-9)
    beta: Vector = problem.to(kind).beta(solution.alpha)
    w: Any = dot(beta, list(map(kind, x)))
    low, high = solution.b_low, solution.b_high
    if constant is not None:
        low = high = kind(scaled) * total(beta)
    return w, low - w * kind(origin), high - w * kind(origin)


# ---- the answers of a program

Told = tuple[Question, tuple[Fraction, float, float]]  # C, w, b
FEWEST = 4  # answers that are a formulation's, where others are far from it
FINISHED = 1e-4  # they are as near, in proportion to w and b
SAME = 1e-6  # distances no farther apart are alike
MAX_FITTING = 3  # formulations that fit, in words
CLOSE = 0.02  # of the size of w and b; formulations differ by more, programs in floats by less


@displayed
class Fingerprint(NamedTuple):
    """What a program solves, judged by its answers.

    Parameters
    ----------
    formulation : Formulation or None
        the one whose answers these are; None if there is none, or more than one
    distance : float
        how far the answers are from those of the nearest, in proportion to them
    others : list of Formulation
        those that the answers do not tell from each other, the nearest first
    answers : list of (C, w, b)
        one for each question; those of which the program itself says that it has not finished are
        not judged by, unless there are no others
    apart : list of (C, w, b)
        answers that are far from the formulation's, where all others are its own: a program may
        not have finished there
    """

    formulation: Formulation | None
    distance: float
    others: list[Formulation]
    answers: list[tuple[Fraction, float, float]]
    apart: list[tuple[Fraction, float, float]] = []

    def __str__(self) -> str:
        apart = " and ".join(f"C = {C}" for C, *_ in self.apart)
        but = f", but for {apart}, where the answer is another" if apart else ""
        if self.formulation is not None:
            return in_words(self.formulation) + but
        if not self.others:
            return "none of the formulations known"
        named = " or ".join(f"({in_words(other)})" for other in self.others[:MAX_FITTING])
        more = len(self.others) - MAX_FITTING
        return f"one of several: {named}" + (f" or {more} more" if more > 0 else "") + but


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
        if it gives no answer, or is another machine than C-SVC

    Examples
    --------
    >>> from refsvm.solvers.smo import smo
    >>> str(fingerprint(smo, isolate=False))
    '1/2 |w|^2 + C times the sum of the slacks, with a free offset'
    """
    asked = as_subject(subject)
    form = form_of_subject(asked)
    if form is not None:
        raise ValueError(
            f"subject is {asked.name}, {form.words} ({form.name}); fingerprint tells formulations"
            " of C-SVC apart, and audit says of any machine whether it is right"
        )
    asker = asker_for(asked, isolate, deadline)
    answers, finished = [], []
    try:
        for question in QUESTIONS:
            answer = asker.ask(request_of(question, tol))
            answers.append((question.C, *coefficients(answer, question)))
            if not says_unfinished(answer):
                finished.append((question, answers[-1]))
    finally:
        asker.close()
    told = finished or list(zip(QUESTIONS, answers))
    nearest, near, apart = _nearest_of_most(told)
    formulation = near[0] if len(near) == 1 else None
    others = [] if formulation else near
    return Fingerprint(formulation, nearest, others, answers, [answer for _, answer in apart])


def _nearest_of_most(told: list[Told]) -> tuple[float, list[Formulation], list[Told]]:
    """Return what nearest_of does, and the answers apart: the fewest without which there are some.

    The others must be as near as a program in doubles is that has finished: for large C some have
    not, and do not say so.
    """
    nearest, near = _nearest_of(told)
    for few in range(1, 0 if near else len(told) - FEWEST + 1):
        for apart in map(list, combinations(told, few)):
            at, found = _nearest_of([each for each in told if each not in apart])
            if found and at <= FINISHED:
                return at, found, apart
    return nearest, near, []


def _nearest_of(told: list[Told]) -> tuple[float, list[Formulation]]:
    """Return how far the nearest formulation is from some answers, and those that are as near."""
    rough = {known: distance(told, known, float) for known in formulations()}
    distances = {
        known: distance(told, known, Fraction) if d <= 2 * CLOSE else d
        for known, d in rough.items()
    }
    nearest = min(distances.values())
    fitting = [known for known, d in distances.items() if d <= min(CLOSE, max(2 * nearest, SAME))]
    return nearest, sorted(fitting, key=distances.__getitem__)


def distance(told: list[Told], known: Formulation, kind: type) -> float:
    """Return the largest error of w and b over their size; the first that is far is enough."""
    worst = 0.0
    for question, (_, w, b) in told:
        right_w, low, high = optimum(known, question, kind)
        size = max(abs(right_w), abs(low), abs(high)) or 1
        off: Number = max(abs(w - right_w), low - kind(b), kind(b) - high)
        worst = max(worst, float(off / size))
        if worst > 2 * CLOSE:
            break
    return worst


def request_of(question: Question, tol: float) -> Request:
    """Return the Request of a question, with bias and slack left to the subject."""
    rows = [[float(v)] for v in question.X]
    C = [float(question.C)] * len(rows)
    return Request("fingerprint", rows, question.y, C, {"name": "linear"}, rows, tol=tol)


def coefficients(answer: Answer, question: Question) -> tuple[float, float]:
    """Return w and b, of the decisions at the ends or as stated; ValueError if there are none."""
    undelivered = check_delivery(answer)
    if undelivered is None and answer.decisions is not None:
        first, last = question.X[0], question.X[-1]
        w = (answer.decisions[-1] - answer.decisions[0]) / (last - first)
        return w, answer.decisions[0] - w * first
    w = _feature_weight(answer, question)
    if undelivered is None and w is not None and answer.b is not None:
        return w, answer.b
    reasons = answer.unsupported, answer.refused, undelivered and undelivered.reason
    reason = next(filter(None, reasons), "it gives no decisions, and no multipliers with b")
    raise ValueError(f"subject cannot be asked: {reason}")


def _feature_weight(answer: Answer, question: Question) -> float | None:
    """Return w as it is stated, or as the multipliers stated make it; None if neither is."""
    if answer.w is not None:
        return float(answer.w[0])
    beta: Any = answer.beta
    if beta is None and answer.alpha is not None:
        beta = [a * y for a, y in zip(answer.alpha, question.y)]
    if beta is None or len(beta) != len(question.X):
        return None
    return float(dot(beta, list(map(float, question.X))))
