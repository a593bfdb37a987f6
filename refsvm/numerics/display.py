"""How results show themselves: short in a terminal, as a table or a picture in a notebook.

`displayed` gives a class of results both. Its repr is the usual one, which evaluates to an equal
object, as long as that has at most MAX_REPR characters. Longer lists lose their middle, and say
how much that is. What a notebook shows is made by the function in notebook_hook.py.

    ends    how many values at each end of a list are shown
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from . import notebook_hook
from .quoting import quote, shorten, visible
from .rounding_bounds import rounded_down, rounded_up
from .types import Number

MAX_REPR = 1500  # characters of a repr: some twenty lines of a terminal
MAX_REPR_DEPTH = 4  # lists in lists that are looked into

Class = TypeVar("Class", bound="type[Any]")


def displayed(cls: Class) -> Class:
    """Give a NamedTuple a short repr, and a table or picture where a notebook asks for it."""
    setattr(cls, "__repr__", _record_text)  # noqa: B010 (mypy refuses the other form)
    setattr(cls, "_repr_html_", notebook_html)  # noqa: B010
    return cls


def notebook_html(self: Any) -> str:
    """Return the HTML that a notebook shows in place of the repr."""
    return notebook_hook.html(self)


def _record_text(record: Any) -> str:
    """Return the repr of a NamedTuple, in short."""
    return call_text(type(record).__name__, zip(record._fields, record))


def call_text(name: str, values: Iterable[tuple[str, Any]]) -> str:
    """Return the call of this name with these arguments; shortened beyond MAX_REPR characters.

    >>> call_text("Point", [("x", 1), ("y", 2)])
    'Point(x=1, y=2)'
    >>> call_text("Point", [("x", list(range(10000)))])
    'Point(x=[0, 1, 2, 3, 4, 5, ... 9988 more ..., 9994, 9995, 9996, 9997, 9998, 9999])'
    """
    values, text = list(values), ""
    for ends in (MAX_REPR, 6, 3, 2, 1):  # whole first, then ever fewer values at the ends
        if ends < MAX_REPR or _is_small([value for _, value in values]):
            inside = ", ".join(f"{field}={value_text(value, ends)}" for field, value in values)
            text = f"{name}({inside})"
            if len(text) <= MAX_REPR:
                return text
    return shorten(text, MAX_REPR)


def _is_small(values: Any) -> bool:
    """Tell whether nested lists hold less than MAX_REPR values, without counting many more."""
    count, waiting = 0, [values]
    while waiting and count < MAX_REPR:
        value = waiting.pop()
        if isinstance(value, (list, tuple)):
            waiting += value[:MAX_REPR]
        count += 1
    return count < MAX_REPR


def value_text(value: Any, ends: int, level: int = 0) -> str:
    """Return a value as repr writes it, long lists and texts without their middle.

    >>> value_text([1, 2, 3, 4, 5], 1), value_text("abcdefgh" * 9, 1)
    ('[1, ... 3 more ..., 5]', "'abcdefghab... 52 more ...ghabcdefgh'")
    """
    if level > MAX_REPR_DEPTH:
        return quote(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        parts = (f"{f}={value_text(v, ends, level + 1)}" for f, v in zip(value._fields, value))
        return f"{type(value).__name__}({', '.join(parts)})"
    if type(value) is tuple:
        inside = ", ".join(_ends_of(value, ends, level))
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if isinstance(value, list):
        return f"[{', '.join(_ends_of(value, ends, level))}]"
    if isinstance(value, str) and len(value) > max(60, 2 * ends):
        return f"{value[:10]!r}"[:-1] + f"... {len(value) - 20} more ..." + f"{value[-10:]!r}"[1:]
    try:
        text = visible(repr(value))
    except Exception:  # of a number of thousands of digits, or an object of the caller's
        text = quote(value)
    return text if ends == MAX_REPR else shorten(text, 60 * ends)


def _ends_of(values: Sequence[Any], ends: int, level: int) -> list[str]:
    """Return the texts of the values; of many those at the ends, and between them how many."""
    shown = without_middle(range(len(values)), ends)
    return [i if isinstance(i, str) else value_text(values[i], ends, level + 1) for i in shown]


def without_middle(values: Sequence[Any], ends: int) -> list[Any]:
    """Return the values, but of many those at the ends, and between them how many are not there.

    >>> without_middle(range(10), 2)
    [0, 1, '... 6 more ...', 8, 9]
    """
    left_out = len(values) - 2 * ends
    if left_out < 2:
        return list(values)
    return [*values[:ends], f"... {left_out} more ...", *values[-ends:]]


def plural(count: int, one: str, more: str | None = None) -> str:
    """Return a count with its noun.

    >>> plural(1, "row"), plural(3, "class", "classes")
    ('1 row', '3 classes')
    """
    return f"{count} {one if count == 1 else more or one + 's'}"


def text_below(value: Number, digits: int = 6) -> str:
    """Return a lower bound as text of at most so many digits (S30.1), rounded down: it is one.

    >>> text_below(2.0 / 3, 3), text_below(-2.0 / 3, 3), text_below(0.5)
    ('0.666', '-0.667', '0.5')
    """
    return _rounded_text(rounded_down(value), digits, "ROUND_FLOOR")


def text_above(value: Number, digits: int = 6) -> str:
    """Return an upper bound as text, rounded up (S30.1).

    >>> text_above(1.0 / 3, 3), text_above(222.04, 3), text_above(0.0), text_above(float("inf"))
    ('0.334', '223', '0', 'inf')
    """
    return _rounded_text(rounded_up(value), digits, "ROUND_CEILING")


def _rounded_text(value: float, digits: int, rounding: str) -> str:
    """A double as text, rounded in one direction."""
    from decimal import Context, Decimal  # which takes long to import, and serves text only

    rounded = Context(prec=digits, rounding=rounding).create_decimal(Decimal(value))
    return f"{float(rounded):.{digits}g}"  # these digits tell the double from all others
