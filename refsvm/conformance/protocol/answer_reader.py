"""The door for answers: whatever a subject answers becomes a checked Answer, or is Malformed.

    read_answer       the fields that an estimator or a function gave, each of them any object
    answer_from_line  a line of a program: any bytes; object_from_line, whatever object it holds

Behind this door each field of an Answer has the type and the length that __init__.py says, and
nothing asks again. What a subject's own objects do while they are read (attributes, lengths and
conversions that raise) is part of the answer, and makes it Malformed: a sentence that names the
field and shows the value in a few words.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ...numerics.quoting import MAX_QUOTE, quote
from ...numerics.types import Label, Matrix, Vector
from . import Answer, Request
from .plain_values import (
    Malformed,
    each,
    label,
    listed,
    number,
    numbers,
    one_line,
    plain,
    plain_list,
    reading,
    table,
    whole,
    words,
)

LONGEST_NUMBER = 2000  # letters; the decimals of a double are fewer than 800
MOST_WARNINGS = 20
Fields = dict[str, Any]  # of an Answer, as the subject gave them
Reader = Callable[[str, Any, Request], Any]  # of a field's name and value


def _per_row(name: str, value: object, request: Request) -> Vector:
    """Return a number for each of the rows asked about."""
    return numbers(name, plain_list(name, value, len(request.rows)))


def _per_example(name: str, value: object, request: Request) -> Vector:
    """Return a number for each example."""
    return numbers(name, plain_list(name, value, len(request.y)))


def weights(name: str, value: object, request: Request) -> Vector | None:
    """Return the weight of each feature; None unless the kernel is linear."""
    if request.kernel.get("name") != "linear":
        return None
    return numbers(name, plain(name, value), len(request.X[0]) if request.X else None)


def labels(name: str, value: object, request: Request) -> list[Label]:
    """Return a label for each of the rows asked about."""
    return each(label, name, plain_list(name, value, len(request.rows)))


def _table_of_rows(name: str, value: object, request: Request) -> Matrix | None:
    """Return numbers for each of the rows asked about, all of them finite."""
    rows = table(name, plain_list(name, value, len(request.rows)))
    for row in rows:
        for v in row:
            if v - v != 0:
                raise Malformed(f"{name} holds {v}")
    return rows


def _single_decisions(name: str, value: Any, request: Request) -> Any:
    """Return [(number of a row, its decision when asked alone), ..], or a sentence."""
    value = plain(name, value)
    if isinstance(value, str):
        return one_line(value)
    pairs = [listed(name, pair, 2) for pair in listed(name, value)]
    for k, _ in pairs:
        if whole(name, k) not in range(len(request.rows)):
            raise Malformed(f"{name} is about row {quote(k)} of {len(request.rows)}")
    return [(k, number(f"{name}[{k}]", f)) for k, f in pairs]


def _decisions_or_sentence(name: str, value: object, request: Request) -> Any:
    """Return a number for each of the rows asked about, or a sentence."""
    return one_line(value) if isinstance(value, str) else _per_row(name, value, request)


def _lists_of_decisions(name: str, value: Any, request: Request) -> Any:
    """Return lists of decisions, or a sentence."""
    value = plain(name, value)
    if isinstance(value, str):
        return one_line(value)
    return [None if v is None else _per_row(name, v, request) for v in listed(name, value)]


def sentences(name: str, value: Any, request: Request) -> list[str]:
    """Return the first few of a list of sentences."""
    return each(words, name, listed(name, plain(name, value))[:MOST_WARNINGS])


def attributes(name: str, value: object, request: Request) -> Fields:
    """Return scikit-learn's attributes of a fitted machine, without the underscore."""
    if not isinstance(value, dict):
        raise Malformed(f"{name} is {quote(value)}; an object is needed")
    found = {
        key: _read_field(f"{key}_", read, value[key], request)
        for key, read in ATTRIBUTES.items()
        if value.get(key) is not None
    }
    return {key: values for key, values in found.items() if values is not None}


def _rows_of_numbers(name: str, value: object, request: Request) -> Matrix:
    """Return rows of numbers."""
    return table(name, plain(name, value))


def indices(name: str, value: Any, request: Request) -> list[int]:
    """Return the numbers of examples; a truth value for each example says the same."""
    value = listed(name, plain(name, value))
    if len(value) == len(request.y) and all(type(v) is bool for v in value):
        return [i for i, chosen in enumerate(value) if chosen]
    return each(whole, name, value)


def counts(name: str, value: object, request: Request) -> list[int] | None:
    """Return how many of each class; None of a number, which tells them all together."""
    value = plain(name, value)
    return each(whole, name, value) if isinstance(value, list) else None


def offsets(name: str, value: object, request: Request) -> Any:
    """Return a number, or a list of numbers."""
    value = plain(name, value)
    return numbers(name, value) if isinstance(value, list) else number(name, value)


def coefficients(name: str, value: object, request: Request) -> Matrix:
    """Return the rows of dual_coef; a list or a column of numbers is one row."""
    return _rows_or_one_row(name, value, width=None)


def _feature_weights(name: str, value: object, request: Request) -> Matrix:
    """Return rows of weights, one for each feature; a list or a column of them is one row."""
    width = len(request.X[0]) if request.X else None
    rows = _rows_or_one_row(name, value, width)
    for row in rows:
        weights(name, row, request)
    return rows


def _rows_or_one_row(name: str, value: Any, width: int | None) -> list[list[Any]]:
    """Return rows of numbers; what is one row, written as a list or a column, in a list."""
    rows = listed(name, plain(name, value))
    is_column = len(rows) > 1 and all(isinstance(row, list) and len(row) == 1 for row in rows)
    if not (rows and isinstance(rows[0], list)) or (is_column and width != 1):
        return [numbers(name, rows)]
    return table(name, rows)


ATTRIBUTES: dict[str, Reader] = {
    "support": indices,
    "support_vectors": _rows_of_numbers,
    "n_support": counts,
    "dual_coef": coefficients,
    "intercept": offsets,
    "radius2": offsets,
    "offset": offsets,
    "epsilon": offsets,
    "coef": _feature_weights,
    "classes": lambda name, value, request: each(label, name, plain(name, value)),
}
SENTENCES = ("unsupported", "refused", "crashed", "place", "died", "late", "malformed")
READERS: dict[str, Reader] = {
    "decisions": _per_row,
    "predictions": labels,
    "alpha": _per_example,
    "beta": _per_example,
    "b": lambda name, value, request: number(name, plain(name, value)),
    "w": weights,
    **{
        name: lambda name, value, request: number(name, plain(name, value))
        for name in ("rho", "epsilon", "radius2")
    },
    "status": lambda name, value, request: words(name, plain(name, value)),
    "warnings": sentences,
    "attributes": attributes,
    "exchanged": _per_row,
    "refitted": _per_row,
    "repeated": _per_row,
    "after_other_fit": _per_row,
    "one_by_one": _single_decisions,
    "threaded": _lists_of_decisions,
    "scores": _table_of_rows,
    "changed": lambda name, value, request: words(name, plain(name, value)),
    "reloaded": _decisions_or_sentence,
    **{name: lambda name, v, request: words(name, plain(name, v)) for name in SENTENCES},
}


def _read_field(name: str, read: Reader, value: object, request: Request) -> Any:
    """Return what a reader makes of a value; what the value raises makes it Malformed."""
    with reading(name):
        return read(name, value, request)


def read_answer(given: object, request: Request) -> Answer:
    """Return the Answer that an object holds; one that says `malformed` if it holds none.

    Fields of other names are ignored.

    >>> request = Request("", [[0.0]], [1], [1.0], {"name": "linear"}, [[0.0], [1.0]])
    >>> read_answer({"decisions": (1, 2), "speed": "fast"}, request).decisions
    [1.0, 2.0]
    >>> read_answer({"decisions": [0.5]}, request).malformed
    'decisions has length 1; it must be 2'
    """
    try:
        if not isinstance(given, dict):
            raise Malformed(f"the answer is {quote(given)}; an object of fields is needed")
        return Answer(
            **{
                name: _read_field(name, read, given[name], request)
                for name, read in READERS.items()
                if given.get(name) is not None
            }
        )
    except Malformed as why:
        return Answer(malformed=one_line(str(why)))


# ---- lines


def answer_from_line(line: bytes, request: Request) -> Answer:
    """Return the Answer that a line of JSON holds; Malformed if it is no object of JSON."""
    return read_answer(object_from_line(line), request)


def object_from_line(line: bytes) -> Fields:
    """Return the object that a line of JSON holds; Malformed if it holds none."""
    try:
        given = json.loads(line.decode(), parse_int=_short_int, parse_float=_short_float)
    except (ValueError, RecursionError):
        shown = one_line(quote(line[: 2 * MAX_QUOTE].decode(errors="replace")))
        raise Malformed(f"the program wrote {shown}; a line of JSON is needed") from None
    if not isinstance(given, dict):
        shown = one_line(quote(given))
        raise Malformed(f"the program wrote {shown}; an object of JSON is needed")
    return given


def _short_int(digits: str) -> int:
    """Return the int; ValueError for one of thousands of digits, which takes long to read."""
    if len(digits) > LONGEST_NUMBER:
        raise ValueError("a number is too long")
    return int(digits)


def _short_float(digits: str) -> float:
    """Return the float; ValueError for one of thousands of digits."""
    if len(digits) > LONGEST_NUMBER:
        raise ValueError("a number is too long")
    return float(digits)
