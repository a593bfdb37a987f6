"""fingerprint: which problem does this program solve?

Many texts call many problems "the SVM". On six points of the line, for three values of C, all the
usual ones have different answers; so the answers of a program tell which one it solves. Seven more
points, away from the origin, tell them apart from programs that scale features or ignore C. What
the problems are, and their answers, is in formulations.py.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

from ..numerics.display import displayed
from ..numerics.linalg import dot
from .asking.workers import asker_for
from .checks.answer_checks import check_delivery
from .formulations import C_VALUES as C_VALUES
from .formulations import QUESTIONS, Question, formulations, in_words, optimum
from .formulations import Formulation as Formulation
from .formulations import table as table
from .protocol import Answer, Request, says_unfinished
from .subjects import as_subject
from .subjects.form_of_subject import form_of_subject

Told = tuple[Question, tuple[Fraction, float, float]]  # C, w, b
FEWEST = 4  # answers that are a formulation's, where others are far from it
FINISHED = 1e-4  # they are as near, in proportion to w and b
SAME = 1e-6  # distances no farther apart are alike
SHOWN = 3  # formulations that fit, in words
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
        named = " or ".join(f"({in_words(other)})" for other in self.others[:SHOWN])
        more = len(self.others) - SHOWN
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
        known: distance(told, known) if d <= 2 * CLOSE else d for known, d in rough.items()
    }
    fitting = sorted((d, k) for k, d in enumerate(distances.values()) if d <= CLOSE)
    nearest = min(distances.values())
    every = list(distances)
    return nearest, [every[k] for d, k in fitting if d <= max(2 * nearest, SAME)]


def distance(
    told: list[Told],
    known: Formulation,
    kind: type = Fraction,
) -> float:
    """Return the largest error of w and b over their size; the first that is far is enough."""
    worst = 0.0
    for question, (_, w, b) in told:
        exact_w, low, high = optimum(known, question, kind)
        size = max(abs(exact_w), abs(low), abs(high)) or 1
        off: Any = max(abs(w - exact_w), low - kind(b), kind(b) - high)
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
