"""Values in messages: what a sentence shows of a value that may be long, odd or hostile.

Every message that repeats something given does it by `quote`. A value may be a list that holds
itself, an integer of more digits than Python prints, a text of a million letters, or an object
whose own methods raise: whatever it is, `quote` returns a few characters and raises nothing.

Text of others is shown, never obeyed: each line of a report, a page, a picture, a table or a
message goes through `visible`, at the place where it leaves refsvm. There a sign that a screen
would obey or not show (controls, marks of direction, letters of no width, ends of lines, halves of
a pair of UTF-16) becomes the escape by which Python writes it. `markup` is the same for HTML and
SVG, `shell_words` for lines to type.

    most    how many characters at most; what is longer loses its middle
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from numbers import Number as AnyNumber
from numbers import Rational
from reprlib import Repr
from typing import Any

MAX_QUOTE = 60
# Letters that Python counts as printable, and that leave no trace: joiners, fillers, selectors.
UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0\U000e0100-\U000e01ef]"
)


def quote(value: object, most: int = MAX_QUOTE) -> str:
    """The value as a message shows it, on one line: numbers as str writes them, others as repr.

    >>> quote(0.5), quote("ab"), quote([1, "ab"])
    ('0.5', "'ab'", "[1, 'ab']")
    >>> quote(10**5000), quote("a" * 100, 20)
    ('about 10^5000', "'aaaaaaaa...aaaaaaa'")
    """
    try:
        text = _number_text(value) if isinstance(value, AnyNumber) else SHORT_REPR.repr(value)
        text = visible(" ".join(str.__str__(text).splitlines()))
    except Exception:  # the value's own methods may raise anything
        text = f"<{type(value).__name__}>"
    return shorten(text, most)


def visible(text: str) -> str:
    """The text as one line on which every sign is seen; what is visible stays as it is.

    >>> print(visible("\\x1b[31mred, tall\\n"))
    \\x1b[31mred, tall\\n
    """
    if text.isprintable() and not UNSEEN.search(text):
        return text
    return "".join(
        ascii(sign)[1:-1] if UNSEEN.match(sign) or not sign.isprintable() else sign
        for sign in text
    )


def markup(text: str) -> str:
    """The text as it may stand in HTML and XML, between tags and in quoted attributes.

    >>> markup("a < b\\x00")
    'a &lt; b\\\\x00'
    """
    text = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;").replace("'", "&#x27;")


def shell_words(words: Iterable[str]) -> str:
    """The words as they are typed in sh or bash, on one line.

    printf makes what a line cannot show; $'..' would be shorter, but dash has no such quotes.

    >>> print(shell_words(["train", "my data.csv", "a\\tb.csv"]))
    train 'my data.csv' "$(printf 'a\\011b.csv')"
    """
    return " ".join(map(_shell_word, words))


def _shell_word(word: str) -> str:
    """A word as it is typed."""
    import shlex  # which few need

    if visible(word) == word:
        return shlex.quote(word)
    body = word.rstrip("\n")  # $(..) leaves line breaks at the end out; the third of IFS is one
    try:
        data = body.encode("utf-8", "surrogateescape")  # as names of files are decoded
    except UnicodeEncodeError:  # half a letter, which no shell can type
        return shlex.quote(visible(word))
    made = [
        chr(byte) if 32 <= byte < 127 and byte not in b"\\'%" else f"\\{byte:03o}" for byte in data
    ]
    if made[:1] == ["-"]:  # printf has options, too
        made[0] = "\\055"
    return f"\"$(printf '{''.join(made)}'){'${IFS#??}' * (len(word) - len(body))}\""


def shorten(text: str, most: int = MAX_QUOTE) -> str:
    """The text; without its middle if it has more than `most` characters.

    >>> shorten("/home/somebody/data/heart.libsvm", 20)
    '/home/som...t.libsvm'
    """
    if len(text) <= most:
        return text
    kept = most - len("...")
    return f"{text[: kept - kept // 2]}...{text[-(kept // 2) :]}"


def _number_text(value: object) -> str:
    """A number as str writes it, or about how large it is, where that has too many digits."""
    if not isinstance(value, Rational):
        return str(value)
    p, q = int(value.numerator), int(value.denominator)
    magnitude = p.bit_length() - q.bit_length()
    if p.bit_length() + q.bit_length() <= 3 * MAX_QUOTE:  # at most MAX_QUOTE digits
        return str(value)
    if abs(magnitude) < 1000:
        return f"about {float(value)}"
    return f"about {'-' if p < 0 else ''}10^{round(magnitude * 0.30103)}"  # log10(2) = 0.30103


class Short(Repr):
    """repr, of the first few parts of a collection, to a small depth."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 3
        self.maxstring = self.maxother = MAX_QUOTE

    def repr_int(self, x: object, level: int) -> str:
        return _number_text(x)

    repr_Fraction = repr_int

    def repr_bytes(self, x: Any, level: int) -> str:
        return self.repr_str(x, level)  # cuts before it writes, as for a text

    repr_bytearray = repr_bytes

    def repr_instance(self, x: object, level: int) -> str:
        """repr without the place in memory, which tells nothing about the value."""
        try:
            return shorten(re.sub(r" at 0x[0-9A-Fa-f]+", "", repr(x)))
        except Exception:
            return f"<{type(x).__name__}>"


SHORT_REPR = Short()
