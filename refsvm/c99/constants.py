"""Numbers, tables and words as C: no digit is lost, and no byte spent without need.

C99 writes doubles in hexadecimal, as Python's float.hex does: 0x1.8p+1 is 1.5 times 2^1, exactly.
A table is given the smallest type that holds each of its numbers exactly (the counts of a
histogram fit a char, most decimals need a double); in an expression with a double C converts them
back, and that is exact. A matrix with many zeros is stored as its other numbers and their places.

    values    numbers: floats, or ints where they count something
    rows      a matrix of floats as a list of lists, not empty
    nonzero   for each row, the numbers that are not zero with their places

-0.0 is stored as 0 in a table: what is multiplied by it and added to a sum begun at +0 cannot tell
the two apart, and neither can the square of a difference.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ..numerics.quoting import quote
from ..numerics.sparse_rows import row_items

MAX_C_LINE = 99
INT_TYPES = [  # smallest first; what C99 itself promises each to hold
    ("signed char", 1, range(-127, 128)),
    ("unsigned char", 1, range(256)),
    ("short", 2, range(-32767, 32768)),
    ("unsigned short", 2, range(65536)),
    ("float", 4, None),
    ("double", 8, None),
]
COUNT_TYPES = [  # and the first number that is too large; 0: no count is
    ("unsigned char", 1, 2**8),
    ("unsigned short", 2, 2**16),
    ("uint_least32_t", 4, 0),  # an unsigned long has 8 bytes on most large machines
]


class CText(NamedTuple):
    """Some C text that declares tables, and the bytes that these take."""

    text: str
    size: int


def literal(value: float) -> str:
    """Return a float as a C constant of type double, exactly.

    >>> literal(0.1), literal(-2.0), literal(-0.0)
    ('0x1.999999999999ap-4', '-0x1p+1', '-0.0')
    """
    if value == 0:
        return repr(value)
    digits, power = value.hex().split("p")
    return f"{digits.rstrip('0').rstrip('.')}p{power}"


def smallest_type(values: Iterable[float]) -> tuple[str, int]:
    """Return (name, bytes) of the smallest type of C that holds all the floats exactly (S14.4).

    >>> smallest_type([0.0, 255.0]), smallest_type([0.5]), smallest_type([0.1])
    (('unsigned char', 1), ('float', 4), ('double', 8))
    """
    levels = set(values)
    whole = all(v.is_integer() for v in levels)

    def fits(name: str, held: Any) -> bool:
        if held is not None:
            return whole and held[0] <= min(levels) and max(levels) <= held[-1]
        return name == "double" or all(map(_is_single, levels))

    return next((name, size) for name, size, held in INT_TYPES if fits(name, held))


def _is_single(value: float) -> bool:
    """Tell whether a number of 32 bits equals this double.

    >>> _is_single(0.5), _is_single(0.1), _is_single(1e300)
    (True, False, False)
    """
    try:
        return bool(struct.unpack("<f", struct.pack("<f", value))[0] == value)
    except OverflowError:
        return False


def _count_type(largest: int) -> tuple[str, int]:
    """Return (name, bytes) of the smallest type of C for whole numbers from 0 to `largest`.

    >>> _count_type(255), _count_type(256)
    (('unsigned char', 1), ('unsigned short', 2))
    """
    return next((name, size) for name, size, end in COUNT_TYPES if largest < end or not end)


def count_table(name: str, values: Sequence[int], what: str) -> CText:
    """Return a table of whole numbers; `what` they are becomes a comment, as in the next three."""
    kind, size = _count_type(max(values))
    inside = lines(list(map(str, values)))
    return _table(f"{kind} {name}[{len(values)}]", inside, what, size * len(values))


def number_table(name: str, values: Sequence[float], what: str) -> CText:
    """Return a table of floats."""
    kind, size = smallest_type(values)
    inside = lines(_constants(values, kind))
    return _table(f"{kind} {name}[{len(values)}]", inside, what, size * len(values))


def matrix_table(name: str, rows: Sequence[Sequence[float]], what: str) -> CText:
    """Return a table of rows of floats, each number in its place."""
    n, d = len(rows), len(rows[0])
    kind, size = smallest_type(value for row in rows for value in row)
    braced = ["    {" + lines(_constants(row, kind), "     ").lstrip() + "}" for row in rows]
    return _table(f"{kind} {name}[{n}][{d}]", ",\n".join(braced), what, size * n * d)


def sparse_tables(rows: Sequence[Sequence[float]], what: str) -> CText:
    """Return the same as three tables, without the zeros (S14.4)."""
    nonzero = [list(row_items(row)) for row in rows]
    first = [0]
    for of_row in nonzero:
        first.append(first[-1] + len(of_row))
    # C has no empty tables: where every number is zero, one stands there that is never read.
    places = [k for of_row in nonzero for k, _ in of_row] or [0]
    values = [value for of_row in nonzero for _, value in of_row] or [0.0]
    parts = [
        count_table(
            "first",
            first,
            f"{what}, without zeros: row i has n from first[i] to before first[i + 1]",
        ),
        count_table("places", places, "where in its row number n stands, counted from 0"),
        number_table("values", values, "number n"),
    ]
    return CText("".join(part.text for part in parts), sum(part.size for part in parts))  # exact


def smaller_without_zeros(rows: Sequence[Sequence[float]]) -> bool:
    """Tell whether sparse_tables take fewer bytes than a matrix_table.

    >>> smaller_without_zeros([[0.0, 0.0, 0.1]]), smaller_without_zeros([[0.0, 0.0, 1.0]])
    (True, False)
    """
    nonzero = [value for row in rows for _, value in row_items(row)]
    n, d = len(rows), len(rows[0])
    full = n * d * smallest_type(nonzero or [0.0])[1]
    each = _count_type(d - 1)[1] + smallest_type(nonzero or [0.0])[1]
    return len(nonzero) * each + (n + 1) * _count_type(len(nonzero))[1] < full


def _table(declared: str, inside: str, what: str, size: int) -> CText:
    """Return the CText of one table."""
    return CText(f"/* {what} */\nstatic const {declared} = {{\n{inside}\n}};\n", size)


def _constants(values: Iterable[float], kind: str) -> list[str]:
    """Return the numbers as constants that fit a table of this type."""
    if kind in ("float", "double"):
        return ["0" if value == 0 else literal(value) for value in values]
    return [str(int(value)) for value in values]


def lines(constants: list[str], indent: str = "    ") -> str:
    """Return the constants on as many lines as they need, the same number on each but the last.

    >>> lines(["1", "2"])
    '    1, 2'
    """
    widest = max(map(len, constants)) + len(", ")
    n = max((MAX_C_LINE - len(indent)) // widest, 1)
    rows = [", ".join(constants[k : k + n]) for k in range(0, len(constants), n)]
    return indent + f",\n{indent}".join(rows)


def quoted(word: str) -> str:
    r"""Return a word as a C string: UTF-8, in octal what C99 has no letters for.

    And the question mark, because ??/ would mean a backslash.

    >>> print(quoted('say "no"?'))
    "say \042no\042\077"
    """
    letters = []
    for byte in _utf_8(word):
        plain = 32 <= byte < 127 and chr(byte) not in '"\\?$@`'
        letters.append(chr(byte) if plain else f"\\{byte:03o}")
    return '"' + "".join(letters) + '"'


def _utf_8(word: str) -> bytes:
    """Return the bytes of a word, refused if it has none."""
    try:
        return word.encode()
    except UnicodeEncodeError:
        raise ValueError(
            f"{quote(word)} holds half a letter, for which UTF-8 has no bytes; rename it"
        ) from None
