"""How a student's function is called: arguments in, plain values out.

A judge is given something that answers calls: it takes arguments and returns a Called, or raises
NoAnswer. `calling` makes one of a function of this process; student_file asks another process, by
lines of JSON:

    {"call": 2, "arguments": [..]}
    {"call": 2, "value": .., "arguments": [..], "printed": false}      as they are afterwards
    {"call": 2, "raised": sentence}      {"call": 2, "missing": true}

A plain value is None, a truth value, a whole number, a Fraction, a float, a text, or a list or a
tuple of these, each of exactly this type: so what a judge does with one calls no code of the
student's. Whatever else a function answers is a Strange.

    1    [..]    "text"    {"fraction": [3, 8]}    {"float": "0x1p-1"}    {"tuple": [..]}
    {"strange": [type, text]}
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational
from typing import Any, NamedTuple

from ..conformance.protocol.plain_values import RAISED, Malformed, one_line, sentence_of
from ..numerics.quoting import quote

MAX_ANSWER_LETTERS = 20_000  # letters of an answer, or nearly
MAX_ARGUMENT_LETTERS = 400_000  # letters of an argument, which a function may have made longer
MAX_NESTED_LISTS = 6  # lists in lists
MAX_INT_BITS = 4096  # of a whole number
BITS_OF_LETTER = 3  # of a whole number are a letter, or nearly
MAX_STRANGE = 160  # letters of what is no plain value


class Strange:
    """What was answered and is no plain value: the name of its type, and its text."""

    def __init__(self, kind: str, text: str) -> None:
        self.kind, self.text = kind, text

    def __repr__(self) -> str:
        return self.text


class Called(NamedTuple):
    """What came of a call."""

    value: Any = None  # plain
    arguments: list[Any] = []  # as they are afterwards
    raised: str = ""  # an exception, in one line
    missing: bool = False  # the body is that of the task
    printed: bool = False  # whether the function has printed anything, so far


class NoAnswer(Exception):
    """No answer came: what the function does instead, in words."""


Answering = Callable[..., Called]


def calling(function: Callable[..., Any], printed: Callable[[], bool] = bool) -> Answering:
    """Return what answers calls by a function of this process.

    >>> calling(lambda x: [x + 1])(2)
    Called(value=[3], arguments=[2], raised='', missing=False, printed=False)
    """

    def call(*arguments: object) -> Called:
        given = deepcopy(arguments)
        try:
            value = function(*given)
            afterwards = [plain_value(argument, MAX_ARGUMENT_LETTERS) for argument in given]
            return Called(plain_value(value), afterwards, printed=printed())
        except NotImplementedError:
            return Called(missing=True)
        except RAISED as error:
            return Called(raised=one_line(sentence_of(error)).rstrip(": "))

    return call


# ---- plain values


class TooLarge(Exception):
    """A value has too many numbers, too many digits, or lists too deep in lists."""


def plain_value(value: object, most: int = MAX_ANSWER_LETTERS) -> Any:
    """Return a plain value of at most `most` letters; a Strange for anything else.

    >>> plain_value((Decimal("0.5"), [2.0, True])), plain_value(range(2)).kind
    ((Fraction(1, 2), [2.0, True]), 'range')
    """
    try:
        return _plain(value, [most], MAX_NESTED_LISTS)
    except TooLarge:
        kind = type(value).__name__
        return Strange(kind, f"a {kind} that is too large to be shown")


def _plain(value: Any, left: list[int], depth: int) -> Any:
    """Return a plain value; left holds how many more letters there may be."""
    take(left, 1)
    if depth < 0:
        raise TooLarge
    kind = type(value)
    if value is None or kind is bool:
        return value
    for sequence in (list, tuple):
        if issubclass(kind, sequence):
            return sequence(_plain(v, left, depth - 1) for v in sequence.__iter__(value))
    if issubclass(kind, str):
        take(left, str.__len__(value))
        return str.__str__(value)
    if issubclass(kind, float):
        return float.__float__(value)
    if issubclass(kind, Integral):
        return _short(int(value), left)
    if issubclass(kind, Rational):
        parts = (int(value.numerator), int(value.denominator))
        return Fraction(*(_short(part, left) for part in parts))
    if kind is Decimal and value.is_finite() and abs(value.adjusted()) < MAX_INT_BITS // 4:
        return Fraction(value)
    if kind is Strange:
        return value
    return Strange(one_line(kind.__name__), _text_of(value))


def _short(value: int, left: list[int]) -> int:
    """Return a whole number that is not too long."""
    if value.bit_length() > MAX_INT_BITS:
        raise TooLarge
    take(left, value.bit_length() // BITS_OF_LETTER)
    return value


def take(left: list[int], letters: int) -> None:
    """Count letters; TooLarge if they are more than are left."""
    left[0] -= letters
    if left[0] < 0:
        raise TooLarge


def _text_of(value: object) -> str:
    """Return what a value says of itself, in one line."""
    try:
        return one_line(repr(value), MAX_STRANGE)
    except Exception:
        return f"a {type(value).__name__} that cannot be shown"


# ---- as JSON


def document_of(value: object) -> Any:
    """Return a plain value as JSON holds it."""
    if isinstance(value, Fraction):
        return {"fraction": [value.numerator, value.denominator]}
    if isinstance(value, float):
        return {"float": value.hex()}
    if isinstance(value, Strange):
        return {"strange": [value.kind, value.text]}
    if isinstance(value, (list, tuple)):
        inside = [document_of(v) for v in value]
        return inside if isinstance(value, list) else {"tuple": inside}
    return value


def value_of(document: object, depth: int = MAX_NESTED_LISTS) -> Any:
    """Return the plain value that JSON holds; Malformed for anything else.

    >>> value_of([1, {"fraction": [1, 2]}, {"tuple": ["a", {"float": "0x1p-1"}]}])
    [1, Fraction(1, 2), ('a', 0.5)]
    """
    if document is None or type(document) in (bool, int, str):
        return document
    if isinstance(document, list) and depth >= 0:
        return [value_of(inside, depth - 1) for inside in document]
    if isinstance(document, dict) and len(document) == 1:
        [(kind, inside)] = document.items()
        types = list(map(type, inside)) if isinstance(inside, list) else []
        if kind == "tuple" and isinstance(inside, list) and depth >= 0:
            return tuple(value_of(v, depth - 1) for v in inside)
        if kind == "fraction" and types == [int, int] and inside[1] > 0:
            return Fraction(*inside)
        if kind == "strange" and types == [str, str]:
            return Strange(one_line(inside[0], MAX_STRANGE), one_line(inside[1], MAX_STRANGE))
        if kind == "float" and isinstance(inside, str):
            return _float_of(inside)
    raise Malformed(f"the answer holds {quote(document)}, which is no plain value")


def _float_of(text: str) -> float:
    """Return the float that its own hex() wrote."""
    try:
        value = float.fromhex(text)
    except (ValueError, OverflowError):
        raise Malformed(f"the answer holds {quote(text)}, which is no float") from None
    return value


def document_of_called(called: Called) -> dict[str, Any]:
    """Return what came of a call as JSON holds it."""
    if called.missing:
        return {"missing": True}
    if called.raised:
        return {"raised": called.raised}
    return {
        "value": document_of(called.value),
        "arguments": [document_of(v) for v in called.arguments],
        "printed": called.printed,
    }


def called_of(document: dict[str, Any]) -> Called:
    """Return what came of a call; Malformed if the document is of another form."""
    keys = sorted(document)
    if keys == ["missing"] and document["missing"] is True:
        return Called(missing=True)
    if keys == ["raised"] and isinstance(document["raised"], str):
        return Called(raised=one_line(document["raised"]))
    if keys == ["arguments", "printed", "value"]:
        arguments, printed = document["arguments"], document["printed"]
        if isinstance(arguments, list) and isinstance(printed, bool):
            value = plain_value(value_of(document["value"]))
            return Called(value, [value_of(v) for v in arguments], printed=printed)
    raise Malformed(f"the program wrote {one_line(quote(document))}, which answers no call")
