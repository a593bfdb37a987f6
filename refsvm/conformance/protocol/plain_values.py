"""Any object of a subject as plain lists, numbers and words; Malformed where it is none.

plain       any object as nested lists of numbers and words
number, whole, label, words, listed, numbers, table
            a plain value, if it is of this form and length
reading     what an object raises while it is read makes it Malformed
one_line, sentence_of
            what a subject says, as it stands in a sentence: short, one line, printable
place_of    where an exception was raised
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from ...numerics.conversion import as_lists
from ...numerics.quoting import quote, visible
from ...numerics.types import Matrix, Number, Vector
from . import NOT_FINITE

MOST_ITEMS = 10**6  # of a sequence that is no list
DEEPEST = 5  # lists in lists: more than any field has
RAISED = (Exception, SystemExit)  # by code of others; an interrupt is the user's
LONGEST_SENTENCE = 280  # letters of what a subject says
EXACT: dict[type, Callable[[Any], Any]] = {str: str.__str__, float: float.__float__}


class Malformed(Exception):
    """A sentence: in what an answer is not of the form that was asked for."""


class Unsupported(Exception):
    """A sort of problem that the subject does not offer."""


def one_line(text: str, most: int = LONGEST_SENTENCE) -> str:
    """Return a text as one line on which every sign is seen, cut after the most.

    >>> print(one_line("no\\tlicence\\n\\x1b[31m", 14))
    no licence \\x1..
    """
    words = visible(" ".join(text[: 4 * most].split()))
    return words if len(words) <= most else words[:most] + ".."


def text_of(thing: object) -> str:
    """Return str(thing), or the name of its type where that raises."""
    try:
        return str(thing)
    except RAISED:
        return type(thing).__name__


def sentence_of(error: BaseException) -> str:
    """Return an exception in one line."""
    return one_line(f"{type(error).__name__}: {text_of(error)}")


def place_of(error: BaseException) -> str | None:
    """Return where an exception was raised: file, line and function; None if it was nowhere."""
    trace = error.__traceback__
    if trace is None:
        return None
    while trace.tb_next is not None:
        trace = trace.tb_next
    code = trace.tb_frame.f_code
    return f"{os.path.basename(code.co_filename)}, line {trace.tb_lineno}, in {code.co_name}"


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Make an exception that an object raises while it is read a Malformed one."""
    try:
        yield
    except Malformed:
        raise
    except RAISED as error:
        raise Malformed(f"{name} cannot be read: {sentence_of(error)}") from None


# ---- plain values, and their forms


def plain_list(name: str, value: object, length: int) -> list[Any]:
    """Return a plain list of this length; one of another length is not read."""
    if type(value) is list:
        listed(name, value, length)
    return listed(name, plain(name, value), length)


def plain(name: str, value: object, depth: int = DEEPEST) -> Any:
    """Return nested lists of numbers, words and None; Malformed for anything else."""
    value = as_lists(value)
    if value is None or type(value) in (float, bool, str):
        return value
    if isinstance(value, (int, Fraction)):
        return _held_by_a_double(name, value)
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes, bytearray)):
        if depth == 0:
            raise Malformed(f"{name} holds lists in lists, deeper than {DEEPEST}")
        if not isinstance(value, list) and len(value) > MOST_ITEMS:  # a range costs nothing
            raise Malformed(f"{name} holds {quote(value)}, which is too long")
        return [plain(name, item, depth - 1) for item in value]
    for kind, convert in EXACT.items():  # of a subclass, whatever it makes of its own methods
        if isinstance(value, kind):
            return convert(value)
    if not hasattr(value, "__float__"):
        raise Malformed(f"{name} holds {quote(value)}, which is no number and no word")
    return float(value)


def _held_by_a_double(name: str, value: Any) -> Number:
    """Return an exact number as it is; Malformed for one beyond the doubles."""
    value = int.__index__(value) if isinstance(value, int) else value
    try:
        float(value)
    except OverflowError:
        raise Malformed(f"{name} holds a number beyond the doubles") from None
    return value


def number(name: str, value: object) -> Number:
    """Return a float, finite or not; a Fraction stays exact."""
    value = NOT_FINITE.get(value, value) if isinstance(value, str) else value
    if isinstance(value, Fraction):
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise Malformed(f"{name} is {quote(value)}; a number is needed")
    return float(value)


def whole(name: str, value: object) -> int:
    """Return an int."""
    if type(value) is not int:
        raise Malformed(f"{name} is {quote(value)}; a whole number is needed")
    return value


def label(name: str, value: object) -> Any:
    """Return a label: a number, a word or a truth value."""
    if value is None or isinstance(value, list):
        raise Malformed(f"{name} is {quote(value)}; a label is needed")
    return value


def words(name: str, value: object) -> str:
    """Return a sentence, as one line."""
    if not isinstance(value, str):
        raise Malformed(f"{name} is {quote(value)}; a string is needed")
    return one_line(value)


def listed(name: str, value: object, length: int | None = None) -> list[Any]:
    """Return a list of this length."""
    if not isinstance(value, list):
        raise Malformed(f"{name} is {quote(value)}; a list is needed")
    if length is not None and len(value) != length:
        raise Malformed(f"{name} has length {len(value)}; it must be {length}")
    return value


def each(
    read: Callable[[str, Any], Any], name: str, values: Any, length: int | None = None
) -> list[Any]:
    """Return a list of what `read` makes of each item."""
    items = enumerate(listed(name, values, length))
    return [read(f"{name}[{k}]", item) for k, item in items]


def numbers(name: str, values: Any, length: int | None = None) -> Vector:
    """Return a list of numbers; a column of numbers is one, too."""
    values = [v[0] if isinstance(v, list) and len(v) == 1 else v for v in listed(name, values)]
    if all(type(v) is float for v in values):
        return listed(name, values, length)
    return each(number, name, values, length)


def table(name: str, values: Any, length: int | None = None) -> Matrix:
    """Return rows of numbers, all of the same length."""
    rows = [
        each(number, f"{name}[{k}]", row) for k, row in enumerate(listed(name, values, length))
    ]
    for k, row in enumerate(rows):
        listed(f"{name}[{k}]", row, len(rows[0]))
    return rows
