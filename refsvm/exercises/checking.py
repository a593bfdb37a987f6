"""One function held against an exercise: many small arguments, and its smallest failure."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from typing import Any

from ..conformance.protocol.plain_values import one_line, sentence_of
from ..conformance.subjects.named_subjects import time_limit
from .exercise import MISSING, Arguments, Assessment, Exercise, text_of

SECONDS = 2.0  # for each answer
LONGEST = 160  # letters of an answer that are shown
CLOSE = 1e-9  # a float so near to the fraction is meant for it
FORM = "it does not have the form that the task asks for"


def check(
    exercise: Exercise,
    function: Callable[..., Any],
    source: str = "",
    printed: Callable[[], bool] = lambda: False,
) -> Assessment:
    """Call a function with the arguments of an exercise, the shortest first, until it is wrong.

    source : the text of its file, which the last exercise counts the lines of
    printed : tells whether the function has printed anything
    """
    if exercise.check is not None:
        return exercise.check(function, source)
    trials = exercise.trials()
    for arguments in trials:
        verdict = tried(exercise, function, arguments, printed)
        if verdict is not None:
            return verdict
    return Assessment(True, f"{exercise.name} is right for all {len(trials)} arguments tried")


def tried(
    exercise: Exercise,
    function: Callable[..., Any],
    arguments: Arguments,
    printed: Callable[[], bool],
) -> Assessment | None:
    """Return what is wrong with one answer, or None."""
    shown = [(name, text_of(value)) for name, value in zip(exercise.parameters, arguments)]
    given = deepcopy(arguments)
    try:
        with time_limit(SECONDS):
            answer = function(*given)
    except NotImplementedError:
        return Assessment(False, f"{exercise.name}: {MISSING}")
    except TimeoutError:
        words = f"does not answer within {SECONDS:g} seconds; does a loop never end?"
        return Assessment(False, f"{exercise.name} {words}", shown)
    except (Exception, SystemExit) as error:
        words = one_line(sentence_of(error)).rstrip(": ")
        return Assessment(False, f"{exercise.name} raises {words}", shown)
    changed = [
        name
        for name, before, after in zip(exercise.parameters, arguments, given)
        if before != after
    ]
    if changed:
        words = f"changes its argument {changed[0]}; make a new list in the place of that"
        return Assessment(False, f"{exercise.name} {words}", shown)
    right = exercise.answer(*deepcopy(arguments))
    wrong = fault(exercise, arguments, right, answer)
    if wrong is None:
        return None
    expected = "one right answer" if exercise.judge else "expected"
    shown += [(expected, text_of(right)), ("yours", answer_text(answer))]
    shown += [("note", note) for note in notes(wrong, right, answer, printed())]
    return Assessment(False, f"{exercise.name} is wrong for", shown)


def fault(exercise: Exercise, arguments: Arguments, right: Any, answer: Any) -> str | None:
    """Return what is wrong with an answer, "" if that is plain to see, None if it is right."""
    try:
        if exercise.judge is None:
            return None if equal(right, answer) else ""
        return exercise.judge(*deepcopy(arguments), answer)
    except Exception:  # whatever a strange value does when it is looked at
        return FORM


def equal(right: Any, answer: Any) -> bool:
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


def answer_text(answer: Any) -> str:
    """Return what a function answered, in short, whatever it is."""
    try:
        return one_line(text_of(answer), LONGEST)
    except Exception:  # a list that holds itself, an object that cannot be shown
        return f"a {type(answer).__name__} that cannot be shown"


def notes(wrong: str, right: Any, answer: Any, printed: bool) -> list[str]:
    """Return what is said below a wrong answer: why it is wrong, and which slip that may be."""
    try:
        slip = hint(right, answer, printed)
    except Exception:  # whatever a strange value does when it is looked at
        slip = ""
    return [note for note in ("" if slip and wrong == FORM else wrong, slip) if note]


def hint(right: Any, answer: Any, printed: bool) -> str:
    """Return what a frequent slip needs, or nothing."""
    if answer is None:
        return "it prints its answer; return it" if printed else "it returns nothing"
    if isinstance(right, (list, tuple)) and not isinstance(answer, (list, tuple)):
        asked = type(right).__name__
        return f"it is of type {type(answer).__name__}, where a {asked} is asked for"
    mine, yours = numbers_in(right), numbers_in(answer)
    if any(isinstance(v, float) for v in yours):
        if len(mine) == len(yours) and all(map(is_close, mine, yours)):
            return "it is close, but a float: write x / 2, not 0.5 * x, and take no root"
        return "it holds floats: with + - * / of what is given every answer is a fraction"
    return ""


def is_close(right: Any, answer: Any) -> bool:
    """Tell whether a number may be meant for another one."""
    return bool(abs(right - answer) <= CLOSE * max(1, abs(right)))


def numbers_in(value: Any) -> list[Any]:
    """Return the numbers of nested lists, in order."""
    if isinstance(value, (list, tuple)):
        return [number for part in value for number in numbers_in(part)]
    return [value] if isinstance(value, (int, float, Fraction)) else []
