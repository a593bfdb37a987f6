"""Numbers and lists as the page shows them: fractions where they are short, else decimals."""

from fractions import Fraction
from math import inf

from ..numerics.display import text_above
from ..numerics.intervals import Interval
from ..numerics.numerals import numeral

WIDEST = 13  # letters of a fraction that is shown as it is
DIGITS = 5
NOTHING = 1e-12  # less is a rounding, in doubles


def shown(value):
    """Return a number for the page: its text, the double next to it, and all of it, if longer.

    >>> from fractions import Fraction
    >>> [shown(v)["text"] for v in (Fraction(-22, 49), Fraction(10**9 + 1, 10**9), inf)]
    ['−22/49', '≈1', '∞']
    """
    if isinstance(value, Interval):
        return enclosed(value)
    if value is None or abs(value) == inf:
        return {"text": "–" if value is None else "−∞" if value < 0 else "∞", "near": None}
    if isinstance(value, float) and abs(value) < NOTHING:
        return {"text": "0" if value == 0 else "≈0", "near": 0.0}
    whole = numeral(value)
    if len(whole) <= WIDEST:
        return {"text": minus(whole), "near": float(value)}
    if isinstance(value, float):
        return {"text": "≈" + decimal(value), "near": value}
    return {"text": "≈" + decimal(float(value)), "near": float(value), "full": minus(whole)}


def enclosed(value):
    """Return a number that is known between two fractions."""
    if value.width == 0:
        return shown(value.low)
    middle = (value.low + value.high) / 2
    near = float(middle)
    whole = Fraction(repr(near))  # the decimals that are shown are off by this at most:
    off = max(value.high - whole, whole - value.low)
    full = f"{minus(repr(near))}, to within {text_above(off, 1)}"
    return {"text": "≈" + decimal(near, DIGITS + 3), "near": near, "full": full}


def equation(name, value):
    """Return that a name has a value, or nearly has it.

    >>> equation("w", 2), equation("w", 2**0.5)
    ('w = 2', 'w ≈ 1.4142')
    """
    text = shown(value)["text"]
    return f"{name} ≈ {text[1:]}" if text[0] == "≈" else f"{name} = {text}"


def decimal(value, digits=DIGITS):
    """Return a double in decimals."""
    return minus(f"{value + 0:.{digits}g}")


def minus(text):
    """Return a text with the sign that is as wide as a plus."""
    return text.replace("-", "−")


def midpoint(value):
    """Return a number itself, or the middle of its interval."""
    return (value.low + value.high) / 2 if isinstance(value, Interval) else value


def _in_a_sentence(words):
    """Return words as a list in a sentence.

    >>> _in_a_sentence(["1", "4", "6"])
    '1, 4 and 6'
    """
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def points_named(places):
    """Return the points at these places, counted from 0, in words."""
    if not places:
        return "no point"
    names = [str(i + 1) for i in places]
    return f"point{'s' * (len(names) > 1)} {_in_a_sentence(names)}"
