"""Whoever answers calls held against an exercise: small arguments, and the smallest failure.

All that is judged is plain values: see calls.py.
"""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from typing import Any

from ..conformance.protocol.plain_values import one_line
from .calls import MAX_STRANGE, Answering, Called, NoAnswer, Strange
from .exercise import MISSING_BODY, Arguments, Assessment, Exercise, text_of

CLOSE_SHARE = 1e-9  # a float so near to the fraction is meant for it
FORM = "it does not have the form that the task asks for"


def assess(exercise: Exercise, answering: Answering, source: str = "") -> Assessment:
    """Ask for what an exercise tries, the shortest arguments first, until an answer is wrong.

    answering : what answers calls, as calls.py makes it of a function or of a process
    source : the text of its file, which the last exercise counts the lines of
    """
    if exercise.check is not None:
        return exercise.check(answering, source)
    trials = exercise.trials()
    for arguments in trials:
        verdict = tried(exercise, answering, arguments)
        if verdict is not None:
            return verdict
    return Assessment(True, f"{exercise.name} is right for all {len(trials)} arguments tried")


def tried(exercise: Exercise, answering: Answering, arguments: Arguments) -> Assessment | None:
    """Return what is wrong with one answer, or None."""
    shown = [(name, text_of(value)) for name, value in zip(exercise.parameters, arguments)]
    try:
        called = answering(*arguments)
    except NoAnswer as error:
        return Assessment(False, f"{exercise.name} {error}", shown, answered=False)
    if called.missing:
        return Assessment(False, f"{exercise.name}: {MISSING_BODY}")
    if called.raised:
        return Assessment(False, f"{exercise.name} raises {called.raised}", shown)
    pairs = zip(exercise.parameters, arguments, called.arguments)
    changed = [name for name, before, after in pairs if before != after]
    if changed:
        words = f"changes its argument {changed[0]}"
        return Assessment(
            False, f"{exercise.name} {words}; make a new list in the place of that", shown
        )
    right = exercise.answer(*deepcopy(arguments))
    wrong = fault(exercise, arguments, right, called.value)
    if wrong is None:
        return None
    expected = "one right answer" if exercise.judge else "expected"
    shown += [(expected, text_of(right)), ("yours", answer_text(called.value))]
    shown += [("note", note) for note in notes(wrong, right, called)]
    return Assessment(False, f"{exercise.name} is wrong for", shown)


def fault(exercise: Exercise, arguments: Arguments, right: object, answer: object) -> str | None:
    """Return what is wrong with an answer, "" if that is plain to see, None if it is right."""
    try:
        if exercise.judge is None:
            return None if equal(right, answer) else ""
        return exercise.judge(*deepcopy(arguments), answer)
    except Exception:  # of another length, or a word where a number should be
        return FORM


def equal(right: object, answer: object) -> bool:
    """Tell whether two answers are the same numbers; a list and a tuple may stand for each other.

    >>> equal(([Fraction(1, 2)], 3), [(0.5,), 3]), equal([1, 2], [1]), equal(1, None)
    (True, False, False)
    """
    if isinstance(right, (list, tuple)):
        return (
            isinstance(answer, (list, tuple))
            and len(right) == len(answer)
            and all(map(equal, right, answer))
        )
    return not isinstance(answer, (list, tuple)) and bool(right == answer)


def answer_text(answer: object) -> str:
    """Return what a function answered, in short."""
    return one_line(text_of(answer), MAX_STRANGE)


def notes(wrong: str, right: object, called: Called) -> list[str]:
    """Return the notes below a wrong answer: why it is wrong, and the likely slip."""
    slip = hint(right, called.value, called.printed)
    found = ("" if slip and wrong == FORM else wrong, slip)
    return [one_line(note, MAX_STRANGE) for note in found if note]


def hint(right: object, answer: object, printed: bool) -> str:
    """Return what a frequent slip needs, or nothing."""
    if answer is None:
        return "it prints its answer; return it" if printed else "it returns nothing"
    if isinstance(right, (list, tuple)) and not isinstance(answer, (list, tuple)):
        asked = type(right).__name__
        kind = answer.kind if isinstance(answer, Strange) else type(answer).__name__
        return f"it is of type {kind}, where a {asked} is asked for"
    mine, yours = numbers_in(right), numbers_in(answer)
    if any(isinstance(v, float) for v in yours):
        if len(mine) == len(yours) and all(map(is_close, mine, yours)):
            return "it is close, but a float: write x / 2, not 0.5 * x, and take no root"
        return "it holds floats: with + - * / of what is given every answer is a fraction"
    return ""


def is_close(right: Any, answer: Any) -> bool:
    """Tell whether a number may be meant for another one."""
    try:
        return bool(abs(right - answer) <= CLOSE_SHARE * max(1, abs(right)))
    except OverflowError:  # it is beyond the doubles
        return False


def numbers_in(value: object) -> list[Any]:
    """Return the numbers of nested lists, in order."""
    if isinstance(value, (list, tuple)):
        return [number for part in value for number in numbers_in(part)]
    return [value] if isinstance(value, (int, float, Fraction)) else []
