"""Numbers as people write them: what a person reads as -5.1 may be (5.10), 5,1- or -5.10 kg.

    plain    finite decimals as every program writes them: -5.1, .5, 1e3
    mark     a comma, a point, an apostrophe or a blank between digits
    decimal  the decimal mark of a column: "," where points part thousands, "." where commas do,
             and "" where no comma stands, nor a second point
    unit     what stands beside each number of a column: kg, %, $; "" for nothing
    limit    <5 and 85+ are limits: they tell on which side of 5 and of 85 a number lies

A sign is read in each of its spellings, before the digits or behind them, and so are digits of
full width and those of Arabic. What a comma means, and the unit, is seen in a whole column.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import isfinite
from typing import NamedTuple

from ..numerics.quoting import quote

SIGNS = {"-": "\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d", "+": "\uff0b"}
MARKS = {".": "\uff0e\u066b", ",": "\uff0c\u066c", "'": "\u2019", "%": "\uff05"}
ZEROS = 0xFF10, 0x0660, 0x06F0  # of digits of full width, of Arabic, and of Persian
SPELLINGS = str.maketrans(
    {sign: plain for plain, signs in {**SIGNS, **MARKS}.items() for sign in signs}
    | {chr(zero + k): str(k) for zero in ZEROS for k in range(10)}
)
LETTERS = "[A-Za-z%\u2030\u00b0\u00b5\u00c0-\u024f\u0391-\u04ff]{1,8}[23]?"
MONEY = "[$\u20ac\u00a3\u00a5\u20b9]"
WRITTEN = re.compile(
    rf"(?P<limit>[<>~\u2264\u2265]=? ?)?(?P<open>\( ?)?(?P<sign>[+-] ?)?"
    rf"(?P<money>{MONEY}|(?:EUR|USD|GBP|CHF) )? ?(?P<inner>[+-])?"
    r"(?P<digits>[0-9](?:[0-9.,' ]*[0-9])?\.?|[.,][0-9]+)"
    rf"(?P<exponent>[eEdD][+-]?[0-9]{{1,4}})?(?: ?(?P<unit>{MONEY}|{LETTERS}(?:[/^.]{LETTERS})*))?"
    r"(?P<behind> ?[+-])?(?P<close> ?\))?"
)
GROUPED = re.compile(
    r"([1-9][0-9]{0,2}(,[0-9]{2,3})*,[0-9]{3}|[1-9][0-9]{0,2}(([ '])[0-9]{3})(\4[0-9]{3})*|[0-9]*)"
    r"(\.[0-9]*)?"
)
EXCHANGED = str.maketrans(",.", ".,")


class Written(NamedTuple):
    """What a cell writes, if it is a number."""

    sign: str  # "-" or ""
    digits: str  # with their marks
    exponent: str
    unit: str
    shape: str  # "limit", "brackets", "behind" (a minus is), or ""


class Manner(NamedTuple):
    """How the numbers of a column are written, beside what each tells by itself."""

    decimal: str = ""
    unit: str = ""


PLAIN = Manner()


def written(cell: str) -> Written | None:
    """Return what a cell writes; None if a person reads no number there (S33.6).

    >>> written("(5.10)")
    Written(sign='-', digits='5.10', exponent='', unit='', shape='brackets')
    >>> written("5,10 kg").unit, written("85+").shape, written("1.2.2020"), written("10:30")
    ('kg', 'limit', None, None)
    """
    found = WRITTEN.fullmatch(cell.translate(SPELLINGS))
    if not found:
        return None
    part = {name: (text or "").strip() for name, text in found.groupdict().items()}
    signs = [part[name] for name in ("open", "sign", "inner", "behind") if part[name]]
    units = [part[name] for name in ("money", "unit") if part[name]]
    exponent, is_open = part["exponent"].lower(), bool(part["open"])
    is_code = exponent[:1] == "d" and exponent[1] not in "+-" and "." not in part["digits"]
    if len(signs) > 1 or len(units) > 1 or is_open != bool(part["close"]) or is_code:
        return None
    is_limit = bool(part["limit"]) or part["behind"] == "+"
    shape = "behind" if part["behind"] else "brackets" if is_open else ""
    sign = "-" if signs and signs[0] != "+" else ""
    made = Written(sign, part["digits"], exponent.replace("d", "e"), "".join(units),
                   "limit" if is_limit else shape)  # fmt: skip
    return None if _number(made, ".") is _number(made, ",") is None else made


def read_as(cell: str, manner: Manner) -> float | None:
    """Return the number of a cell of a column that is written so; None of another cell (S33.6).

    >>> read_as("1.234,5 kg", Manner(",", "kg")), read_as("1,234.5", Manner())
    (1234.5, None)
    """
    found = written(cell)
    if found is None or found.shape == "limit" or found.unit != manner.unit:
        return None
    if not manner.decimal and "," in found.digits:
        return None
    return _number(found, manner.decimal or ".")


def numbers_meant(cell: str) -> list[float]:
    """Return the numbers that a cell may write, seen alone: two if its mark may be either.

    >>> numbers_meant("1,500"), numbers_meant("(5.10)"), numbers_meant("5.10 kg")
    ([1500.0, 1.5], [-5.1], [5.1])
    """
    found = written(cell)
    if found is None or found.shape == "limit":
        return []
    numbers = [_number(found, decimal) for decimal in ".,"]
    return [number for number in dict.fromkeys(numbers) if number is not None]


def _number(found: Written, decimal: str) -> float | None:
    """Return the number that is written, with this decimal mark; None if it has no such one."""
    digits = found.digits.translate(EXCHANGED) if decimal == "," else found.digits
    if not GROUPED.fullmatch(digits):
        return None
    number = float(found.sign + re.sub("[,' ]", "", digits) + found.exponent)
    return number if isfinite(number) else None


def manner_of(cells: Iterable[str]) -> Manner | str | None:
    """Return how all cells of a column are written; a text: why it is not certain (S33.6).

    None: some cell is no number, or only a limit, or they have more than one unit.

    >>> manner_of(["1.234,5", "7"]), manner_of(["16 %", "3 %"]), manner_of(["5 kg", "300 g"])
    (Manner(decimal=',', unit=''), Manner(decimal='', unit='%'), None)
    >>> print(manner_of(["1,500", "12"]))
    '1,500' is 1500 or 1.5
    """
    pairs = [(cell, written(cell)) for cell in sorted(set(cells))]
    known = {cell: found for cell, found in pairs if found and found.shape != "limit"}
    units = {found.unit for found in known.values()}
    if len(known) < len(pairs) or len(units) != 1:
        return None
    ways = [d for d in ".," if all(_number(found, d) is not None for found in known.values())]
    commas = [cell for cell, found in known.items() if "," in found.digits]
    if not ways:
        return f"{quote((commas or list(known))[0], 30)} beside other decimal marks"
    if commas and len(ways) == 2:
        first, second = (_number(known[commas[0]], d) for d in ways)
        return f"{quote(commas[0], 30)} is {first:.15g} or {second:.15g}"
    return _doubt_of_signs(known) or Manner(ways[0] if commas or ways == [","] else "", *units)


def _doubt_of_signs(known: dict[str, Written]) -> str | None:
    """Return why what stands around the digits may be no minus; None if it is one."""
    shapes = {found.shape for found in known.values()}
    behind = [cell for cell, found in known.items() if found.shape == "behind"]
    if shapes == {"brackets"}:
        return f"all in brackets, as {quote(next(iter(known)), 30)}"
    if behind and not any(set(known[cell].digits) & set(".,") for cell in behind):
        return f"{quote(behind[0], 30)} is a number below 0, or a mark"
    return None
