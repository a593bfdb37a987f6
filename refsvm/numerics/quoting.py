"""Values in messages: what a sentence shows of a value that may be long, odd or hostile.

Every message that repeats something given does it by `quote`. A value may be a list that holds
itself, an integer of more digits than Python prints, a text of a million letters, or an object
whose own methods raise: whatever it is, `quote` returns a few characters and raises nothing.

    most    how many characters at most; what is longer loses its middle
"""

from __future__ import annotations

import re
from numbers import Number as AnyNumber
from numbers import Rational
from reprlib import Repr
from typing import Any

MOST = 60


def quote(value: Any, most: int = MOST) -> str:
    """The value as a message shows it, on one line: numbers as str writes them, others as repr.

    >>> quote(0.5), quote("ab"), quote([1, "ab"])
    ('0.5', "'ab'", "[1, 'ab']")
    >>> quote(10**5000), quote("a" * 100, 20)
    ('about 10^5000', "'aaaaaaaa...aaaaaaa'")
    """
    try:
        text = _number_text(value) if isinstance(value, AnyNumber) else SHORT.repr(value)
        text = printable(" ".join(str.__str__(text).splitlines()))
    except Exception:  # the value's own methods may raise anything
        text = f"<{type(value).__name__}>"
    return shorten(text, most)


def printable(text: str) -> str:
    """The text; a letter that a terminal would obey, and not show, as a question mark.

    >>> printable("\\x1b[31mred")
    '?[31mred'
    """
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def shorten(text: str, most: int = MOST) -> str:
    """The text; without its middle if it has more than `most` characters.

    >>> shorten("/home/somebody/data/heart.libsvm", 20)
    '/home/som...t.libsvm'
    """
    if len(text) <= most:
        return text
    kept = most - len("...")
    return f"{text[: kept - kept // 2]}...{text[-(kept // 2) :]}"


def _number_text(value: Any) -> str:
    """A number as str writes it, or about how large it is, where that has too many digits."""
    if not isinstance(value, Rational):
        return str(value)
    p, q = int(value.numerator), int(value.denominator)
    magnitude = p.bit_length() - q.bit_length()
    if p.bit_length() + q.bit_length() <= 3 * MOST:  # at most MOST digits
        return str(value)
    if abs(magnitude) < 1000:
        return f"about {float(value)}"
    return f"about {'-' if p < 0 else ''}10^{round(magnitude * 0.30103)}"  # log10(2) = 0.30103


class Short(Repr):
    """repr, of the first few parts of a collection, to a small depth."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 3
        self.maxstring = self.maxother = MOST

    def repr_int(self, x: Any, level: int) -> str:
        return _number_text(x)

    repr_Fraction = repr_int

    def repr_bytes(self, x: Any, level: int) -> str:
        return self.repr_str(x, level)  # cuts before it writes, as for a text

    repr_bytearray = repr_bytes

    def repr_instance(self, x: Any, level: int) -> str:
        """repr without the place in memory, which tells nothing about the value."""
        try:
            return shorten(re.sub(r" at 0x[0-9A-Fa-f]+", "", repr(x)))
        except Exception:
            return f"<{type(x).__name__}>"


SHORT = Short()
