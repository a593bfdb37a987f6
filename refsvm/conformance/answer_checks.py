"""Answers that end the matter before anything is measured: none, a refusal, an admission.

Here G7 and G8 are judged: what must be refused is, and nothing else; an answer comes in time, is
made of finite numbers, and is honest about itself.
"""

from fractions import Fraction
from math import inf, isfinite

from .checks import PASS, Finding, failed
from .protocol import says_unfinished


def unfinished(answer, n, rows):
    """G8, as far as it ends the matter: a Finding if there is no answer to look at, else None."""
    for sentence, flag in (
        (answer.late, "Hang"),
        (answer.died, "Exit"),
        (answer.crashed, "Crash"),
    ):
        if sentence is not None:
            return failed(sentence, flag)
    for name, length in (
        ("decisions", rows),
        ("predictions", rows),
        ("alpha", n),
        ("beta", n),
        ("w", None),
    ):
        ended = malformed(name, getattr(answer, name), length)
        if ended is not None:
            return ended
    return None if answer.b is None else malformed("b", [answer.b], 1)


def malformed(name, values, length):
    """A Finding about a list that is none, or is too long, or holds what is no number."""
    if values is None:
        return None
    if not isinstance(values, list):
        return failed(f"{name} is {values!r:.40}; a list is needed", "NoAnswer")
    if length is not None and len(values) != length:
        return failed(f"{name} has length {len(values)}; it must be {length}", "NoAnswer")
    if name == "predictions":
        return None
    for value in values:
        if isinstance(value, bool) or not isinstance(value, (int, float, Fraction)):
            return failed(f"{name} holds {value!r:.40}, which is no number", "NoAnswer")
        if not isfinite(value):
            return failed(f"{name} holds {value}", "NotFinite")
    return None


def refusal(case, answer):
    """(check, Finding) for an answer that is a refusal, else None."""
    if answer.unsupported is not None:
        return "G7", Finding("acceptable", f"not on offer: {answer.unsupported}")
    if answer.refused is None:
        return None
    if case.result == "acceptable" or unusual(case.problem):
        return "G7", Finding("acceptable", f"refused: {answer.refused}")
    return "G7", failed(answer.refused, "Refused")


def dead(answer, n, rows):
    """("G8", Finding) if there is no answer to look at, else None."""
    ended = unfinished(answer, n, rows)
    return ended and ("G8", ended)


def infeasible(answer):
    """G8 of an answer where there is no hard margin."""
    if says_unfinished(answer):
        return Finding("pass", "it says that there is none")
    if answer.status == "optimal":
        return failed("it says 'optimal' where there is no hard margin", "NotSaid")
    return Finding("acceptable", "there is no hard margin, and it says nothing")


def cut_short(answer):
    """G8 of a wrong answer after the one step that was allowed."""
    if says_unfinished(answer):
        return Finding("pass", "it says that it has not finished")
    return failed("stopped after one step, and does not say so", "NotSaid")


def rejected(case, answer):
    """(check, Finding) of an answer to what is no problem."""
    if answer.unsupported is not None:
        return "G7", Finding("acceptable", f"not on offer: {answer.unsupported}")
    if answer.refused is not None or says_unfinished(answer):
        return "G7", PASS
    if answer.crashed is not None:
        return "G7", Finding("acceptable", f"refused by accident: {answer.crashed}")
    if answer.late or answer.died:
        return "G8", unfinished(answer, 0, 0)
    if case.result == "acceptable":
        return "G7", Finding("acceptable", f"accepted: {case.comment}")
    return "G7", failed(f"accepted: {case.comment}", case.flags[0])


def unusual(problem):
    """Whether a problem asks for more than a price, the linear kernel and an offset."""
    return (
        not problem.linear
        or not problem.bias
        or problem.slack != "hinge"
        or len(set(problem.C)) > 1
        or inf in problem.C
    )
