"""When an exception is a refusal: if its sentence names what is not on offer, and not by its type.

A program may refuse a kernel, weights, a form of the problem, an option. It says so in a sentence:

    NAMES      of each thing that may be refused, the words that name it
    REFUSING   words that say that it is refused
    ACCIDENTS  what a language itself says of a mistake, whatever words are in it

A refusal has a word of either of the first two and none of the third; and what it names must be
there in the problem. Every other exception is a crash, and is told with its place. The words stand
in chapter S20 of the standard, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from math import inf
from typing import Any

from ...svm.problem import Problem
from . import Answer
from .case import Case

KERNEL, WEIGHTS, HARD, OFFSET, SLACK = "kernel", "weights", "hard margin", "offset", "slack"
LIMIT, NUMBERS, OPTION, INPUT, CLASSES, FITS = (
    "limit", "numbers", "option", "input", "classes", "second fit",
)  # fmt: skip
NAMES = {  # each word begins one of the sentence; one of a single letter is a word of its own
    KERNEL: "kernel linear nonlinear non-linear poly rbf gauss radial sigmoid tanh precomputed"
    " gram degree gamma coef0",
    WEIGHTS: "weight sample_weight class_weight penalt cost C",
    HARD: "hard infinit inf finite C penalt",
    OFFSET: "offset bias intercept fit_intercept threshold",
    SLACK: "slack loss hinge squared",
    OPTION: "option parameter setting tol max_iter iteration step thread n_jobs cache shrink"
    " warm_start random_state",
    LIMIT: "nu C hull rho radius feasib infeasib degenera machine origin sum finite separa",
    NUMBERS: "large small infinit inf finite overflow underflow range number value",
    INPUT: "X input array sparse dense matri dtype type float int string str frame shape dimension"
    " list row feature sample data indices",
    CLASSES: "y class binary multiclass label",
    FITS: "fit fitted refit train once again",
}
_REFUSING = (
    "not supported, not implemented, not available, not allowed, not accepted, not offered, "
    "not possible, not handled, not permitted, not known, not valid, not a number, "
    "not on offer, already, has length, NotImplementedError, not finite, unsupported, "
    "unimplemented, unavailable, unknown, unrecognized, unrecognised, invalid, illegal, "
    "infeasible, degenerate, only, must, should, may contain, contains, take a smaller, "
    "take a larger, cannot use, cannot handle, cannot be, can not be, can't use, can't handle, "
    "does not support, does not accept, does not take, does not handle, do not support, "
    "doesn't support, ask for, beyond, needs, need, needed, requires, require, required, "
    "expects, expected, expect, too large, too small, lacks"
)
LACKING = "no", "without"  # before the word itself: "there is no sigmoid kernel"
_ACCIDENTS = (
    "' object, NoneType, operand, instances of, instance found, has no attribute, is not defined,"
    " positional argument, keyword-only, required argument, argument must, must be real number,"
    " can be converted, indices must, index, literal, bytes-like, concatenate, unpack, iterable,"
    " unhashable, not callable, can't multiply, broadcast, mismatch, not aligned, cannot read,"
    " cannot set, cannot access, cannot invoke, cannot load, cannot convert, cannot cast,"
    " cannot reshape, cannot coerce, can't locate, can't call, undefined, null, nil, is missing,"
    " implicit conversion, out of range, out of bounds, division by zero"
)
REFUSING, ACCIDENTS = _REFUSING.split(", "), _ACCIDENTS.split(", ")
CLASS_OF_ERROR = re.compile(r"^\w+: ")  # before the sentence of an exception
KEYWORD = re.compile(r"unexpected keyword argument(?: '(\w+)')?")
FORMS = (  # of rows, and words in the place of numbers, as a language names their types
    "'list' object, 'tuple' object, 'array.array' object, _matrix', DataFrame, Series, 'str',"
    " not str, could not convert string, can't multiply sequence"
)
COPYING = re.compile(
    r"(?<![^\W_])(?:pickl|copy|copie|deepcopy|clone|serial|reduce|save)", re.IGNORECASE
)
MANY_LETTERS = 4  # of a word that may go on: kernel, kernels
PLACE = re.compile(r" \([^()]*, line \d+, in [^()]*\)$")  # behind a sentence: with_place
FARTHEST = 2.0**127  # single precision ends here, and with it some programs


def refused_thing(sentence: str, things: Iterable[str] | None = None) -> str | None:
    """Return which of these things a sentence refuses; None if it is no refusal of any.

    Parameters
    ----------
    sentence : str
        of an exception, or of a program that calls itself refusing
    things : keys of NAMES
        that are there to be refused; None: all

    Examples
    --------
    >>> refused_thing("ValueError: kernel must be linear or rbf, got poly")
    'kernel'
    >>> refused_thing("TypeError: fit() got an unexpected keyword argument 'sample_weight'")
    'weights'
    >>> refused_thing("TypeError: 'NoneType' object is not subscriptable")
    >>> refused_thing("TypeError: 'Gaussian' object is not subscriptable")
    >>> refused_thing("KeyError: 'gamma'")
    >>> refused_thing("ValueError: degenerate, w and rho are not more than 0", ["numbers"])
    """
    sentence = without_place(sentence)
    keyword = KEYWORD.search(sentence)
    if keyword is None and _is_accident(sentence):
        return None
    wanted = list(NAMES) if things is None else list(things)
    if keyword is not None:
        sentence, says_no = keyword[1] or " ".join(wanted), True
    else:
        says_no = _says_no(sentence)
    said = CLASS_OF_ERROR.sub("", sentence)  # ValueError names no value
    named = (thing for thing in wanted if _words_of(thing).search(said))
    alone = [] if things is None else [LIMIT, FITS]  # named for no other reason
    return next((thing for thing in named if says_no or thing in alone), None)


def names_form(sentence: str) -> bool:
    """Return whether an exception names the type that was given: an array's, or a word's.

    >>> names_form("AttributeError: 'list' object has no attribute 'shape'")
    True
    """
    return any(form in sentence for form in FORMS.split(", "))


def names_copy(sentence: str) -> bool:
    """Return whether an exception names what it does not do: a copy, or a model that is saved.

    >>> names_copy("TypeError: cannot pickle '_thread.lock' object"), names_copy("KeyError: 'C'")
    (True, False)
    """
    return COPYING.search(without_place(sentence)) is not None


def _is_accident(sentence: str) -> bool:
    """Return whether a sentence is one that a language has for mistakes."""
    return _phrases(*ACCIDENTS).search(sentence) is not None


def _says_no(sentence: str) -> bool:
    """Return whether a sentence says of something that it is refused, or not there."""
    return _refusing().search(sentence) is not None


@cache
def _refusing() -> re.Pattern[str]:
    """Return what finds a word that refuses, or one that lacks what may be refused."""
    things = "|".join(_words_of(thing).pattern for thing in NAMES)
    lacking = rf"\b(?:{'|'.join(LACKING)})\s+(?:\w+\s+)?(?:{things})"
    return re.compile(rf"{_phrases(*REFUSING).pattern}|{lacking}", re.IGNORECASE)


@cache
def _phrases(*phrases: str) -> re.Pattern[str]:
    """Return what finds any of these words."""
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, phrases))})(?!\w)", re.IGNORECASE)


@cache
def _words_of(thing: str) -> re.Pattern[str]:
    """Return what finds a word that names a thing; a single letter, and a short word, alone."""
    words = NAMES[thing].split()
    whole = [rf"{re.escape(word)}\b" if len(word) < MANY_LETTERS else word for word in words]
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(whole)})", re.IGNORECASE)


def things_in(case: Case) -> list[str]:
    """Return what a case asks for that a program may refuse, because not every one offers it.

    An ordinary problem, of the linear kernel, one finite penalty, hinge and offset, has nothing.
    """
    problem, penalties = case.problem, set(case.given["C"])
    found = [LIMIT] if case.result == "acceptable" or has_no_machine(case) else []
    if problem is None:
        return found
    there = {
        KERNEL: not problem.linear,
        WEIGHTS: len(penalties) > 1,  # a weight of 0 is a penalty of its own
        HARD: inf in penalties,
        OFFSET: isinstance(problem, Problem) and not problem.bias,
        SLACK: isinstance(problem, Problem) and problem.slack != "hinge",
        NUMBERS: "LimitOfDoubles" in case.flags or _goes_far(problem.X),
        OPTION: "MaxIter" in case.flags,
    }
    return found + [thing for thing, is_there in there.items() if is_there]


def _goes_far(X: Sequence[Any]) -> bool:
    """Return whether rows hold numbers that single precision does not reach."""
    return any(not isinstance(x, str) and any(abs(v) > FARTHEST for v in x) for x in X)


def has_no_machine(case: Case) -> bool:
    """Return whether no machine comes of a problem, which therefore may be refused."""
    known = None if case.optimum is None else case.optimum.status
    return known in ("infeasible", "degenerate") and not isinstance(case.problem, Problem)


def exception_of(answer: Answer) -> str | None:
    """Return the sentence of an exception, or of a refusal; None if there was neither."""
    sentence: str | None = answer.crashed if answer.refused is None else answer.refused
    return sentence


def with_place(sentence: str, answer: Answer) -> str:
    """Return the sentence of an exception with the place where it was raised, if that is known."""
    return sentence if answer.place is None else f"{sentence} ({answer.place})"


def without_place(sentence: str) -> str:
    """Return the sentence of an exception without the place where it was raised.

    >>> without_place("ValueError: y has three classes (svm.py, line 7, in fit)")
    'ValueError: y has three classes'
    """
    return PLACE.sub("", sentence)
