"""The state of the page as a line of text, which is also what a link holds and what is asked.

    1;k=lin;C=1;p=+1,2;+2,3;+3,3;-2,1;-3,2;-4,5/2

The first part is the version, the last ones are the points: a class, + or -, and two numbers. In
between stand, in any order and only where they differ from what is usual,

    m   svc (two classes) | svr (regression: the first number is x, the second is the value to be
        predicted, the class is kept and not used) | one (one class)
    k   lin | poly,degree,gamma,coef0 | rbf,gamma          C   the penalty, or inf
    s   2: squared slack       o   0: no offset            e   epsilon, half the width of the tube
    n   nu, the share of outliers                          t   smo | perceptron | pegasos, step

A number is a decimal or a fraction, and is taken as the fraction that it is. What is allowed is so
bounded that the slowest answer takes less than a second: what costs most is a large C where kernel
values are large, not the digits of a number.
"""

import re
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple
from urllib.parse import unquote

from ..numerics.quoting import quote

VERSION = "1"
TINY_STATE = "1;p=+1,2;-3,1"
MAX_STATE_LETTERS = 6000  # letters of a state
MAX_N = {"lin": 60, "poly": 40, "rbf": 30}  # points
MOST_CUBIC = 30
LONG_WAY = 2**32  # C times the largest kernel value: beyond it multipliers have long to go,
MOST_OF_LONG_WAY = {"lin": 32, "poly": 32, "rbf": 30}  # which takes steps by the thousand
MOST_CUBIC_OF_LONG_WAY = 24
MAX_XY = 1000  # a coordinate, from 0
XY_FORM = re.compile(r"-?[0-9]{1,4}(\.[0-9]{1,6}|/[1-9][0-9]?)?", re.ASCII)
PENALTY = re.compile(r"[0-9]{1,7}(\.[0-9]{1,7}|/[1-9][0-9]{0,6})?", re.ASCII)
POSITIVE = re.compile(r"[0-9]{1,2}(\.[0-9]{1,6}|/[1-9][0-9]{0,3})?", re.ASCII)
MOST_PLACES = 7  # after the point, in any of these
STEP_FORM = re.compile(r"0|[1-9][0-9]{0,3}", re.ASCII)
STATE_MACHINES = ("svc", "svr", "one")
WATCHED_ALGORITHMS = ("smo", "perceptron", "pegasos")
DEGREES = ("1", "2", "3")
LARGEST_PENALTY = 2**20
MIN_GAMMA, MAX_GAMMA = Fraction(1, 1024), 64


class PlanePoint(NamedTuple):
    """A point of the plane, with the class that it has where there are two."""

    label: int
    x: Fraction
    y: Fraction


class KernelChoice(NamedTuple):
    """A kernel: lin, poly or rbf, and its numbers."""

    name: str
    numbers: tuple = ()


class WatchedStep(NamedTuple):
    """An algorithm that is watched, after so many steps."""

    algorithm: str
    step: int


class State(NamedTuple):
    """All that the page shows follows from it."""

    machine: str
    kernel: KernelChoice
    C: Fraction  # or inf
    squared: bool
    bias: bool
    epsilon: Fraction
    nu: Fraction
    watched: Any  # a WatchedStep, or None
    points: tuple


USUAL_STATE = State(
    "svc", KernelChoice("lin"), Fraction(1), False, True, Fraction(1, 4), Fraction(1, 2), None, ()
)


def parse_state(text):
    """Read a state; ValueError in one sentence that names the part, its value and the rule.

    What a link has before its # is left out.

    >>> state = parse_state("http://127.0.0.1:8000/#1;C=1/2;p=+1,2;-3,0.5")
    >>> state.C, state.points[1]
    (Fraction(1, 2), PlanePoint(label=-1, x=Fraction(3, 1), y=Fraction(1, 2)))
    """
    if not isinstance(text, str):
        raise ValueError(f"state is {quote(text)}; it must be a text")
    if len(text) > MAX_STATE_LETTERS:
        raise ValueError(f"state has {len(text)} letters; {MAX_STATE_LETTERS} are allowed")
    head, _, points = unquote(text.rpartition("#")[2]).partition("p=")
    version, *fields = head.rstrip(";").split(";")
    if version != VERSION:
        raise ValueError(
            f"state begins with {quote(version)}; this release reads {VERSION}, as in {TINY_STATE}"
        )
    found = dict(_field_of(field) for field in fields)
    if len(found) < len(fields):
        raise ValueError("state has a part twice; each may stand once")
    state = USUAL_STATE._replace(**found, points=tuple(_points_of(points)))
    most = most_points(state)
    if len(state.points) > most:
        why = ", as C is large for points so far from 0" if _is_long_way(state) else ""
        raise ValueError(f"state has {len(state.points)} points; this kernel allows {most}{why}")
    return state


def most_points(state):
    """Return how many points a state may have, so that the slowest answer is quick.

    >>> most_points(parse_state("1;C=1000;p=+1,2")), most_points(parse_state("1;C=99999;p=+999,2"))
    (60, 32)
    """
    is_cubic, is_long = state.kernel.numbers[:1] == (3,), _is_long_way(state)
    if is_cubic:
        return MOST_CUBIC_OF_LONG_WAY if is_long else MOST_CUBIC
    return (MOST_OF_LONG_WAY if is_long else MAX_N)[state.kernel.name]


def _is_long_way(state):
    """Return whether the penalty times the largest kernel value is large."""
    size = max(
        (p.x**2 + (p.y**2 if state.machine != "svr" else 0) for p in state.points), default=0
    )
    if state.kernel.name == "rbf" or state.machine == "one":
        return False
    if state.kernel.name == "poly":
        degree, gamma, coef0 = state.kernel.numbers
        size = (gamma * size + coef0) ** degree
    return min(state.C, LARGEST_PENALTY) * size > LONG_WAY


def _field_of(field):
    """Return the name of a field of State and its value."""
    key, _, value = field.partition("=")
    if key not in FIELD_READERS:
        raise ValueError(f"state has the part {quote(field)}; the known ones are {STATE_KEYS}")
    name, read = FIELD_READERS[key]
    return name, read(value, name)  # which is told by its name, not by its letter


def _points_of(text):
    """Yield the points."""
    for place, word in enumerate(text.split(";") if text else [], 1):
        label, numbers = word[:1], word[1:].split(",")
        if label not in ("+", "-") or len(numbers) != 2:
            raise ValueError(f"point {place} is {quote(word)}; it must be like +1,2 or -1,5/2")
        x, y = (_read_coordinate(number, f"point {place}") for number in numbers)
        yield PlanePoint(1 if label == "+" else -1, x, y)


def _read_coordinate(text, place):
    """Return a coordinate."""
    value = _number_of_form(text, place, XY_FORM, "a number of at most six decimals or like 5/2")
    if abs(value) > MAX_XY:
        raise ValueError(f"{place} is {quote(text)}; coordinates are at most {MAX_XY}")
    return value


def _number_of_form(text, place, form, rule):
    """Return the number that a text of this form is."""
    if not form.fullmatch(text):
        raise ValueError(f"{place} is {quote(text)}; it must be {rule}")
    return Fraction(text)


def _read_penalty(text, place):
    """Return the penalty C."""
    if text == "inf":
        return inf
    value = _number_of_form(text, place, PENALTY, "a number such as 1, 0.5, 3/4, or inf")
    if not Fraction(1, LARGEST_PENALTY) <= value <= LARGEST_PENALTY:
        raise ValueError(f"{place} is {quote(text)}; it must be from 2^-20 to 2^20, or inf")
    return value


def _read_kernel(text, place):
    """Return the choice of a kernel."""
    name, *numbers = text.split(",")
    if name == "lin" and not numbers:
        return KernelChoice("lin")
    if name == "poly" and len(numbers) == 3 and numbers[0] in DEGREES:
        gamma = _read_gamma(numbers[1], "gamma")
        coef0 = _number_of_form(numbers[2], "coef0", POSITIVE, "a number from 0 to 99")
        return KernelChoice("poly", (int(numbers[0]), gamma, coef0))
    if name == "rbf" and len(numbers) == 1:
        return KernelChoice("rbf", (_read_gamma(numbers[0], "gamma"),))
    raise ValueError(
        f"{place} is {quote(text)}; it must be lin, or like poly,2,1,1 (degree 1 to 3) or rbf,1/2"
    )


def _read_gamma(text, place):
    """Return the gamma of a kernel."""
    value = _number_of_form(text, place, POSITIVE, "a number such as 1/2")
    if not MIN_GAMMA <= value <= MAX_GAMMA:
        raise ValueError(f"{place} is {quote(text)}; it must be from 1/1024 to {MAX_GAMMA}")
    return value


def _read_nu(text, place):
    """Return nu."""
    value = _number_of_form(text, place, POSITIVE, "a number above 0, at most 1")
    if not 0 < value <= 1:
        raise ValueError(f"{place} is {quote(text)}; it must be above 0, at most 1")
    return value


def _read_watched(text, place):
    """Return the watched algorithm and its step."""
    algorithm, _, step = text.partition(",")
    if algorithm not in WATCHED_ALGORITHMS or not STEP_FORM.fullmatch(step):
        raise ValueError(f"{place} is {quote(text)}; it must be like smo,3")
    return WatchedStep(algorithm, int(step))


def _word_reader(values):
    """Return what reads a word that stands for a value."""

    def read(text, place):
        if text not in values:
            raise ValueError(f"{place} is {quote(text)}; it must be {' or '.join(values)}")
        return values[text]

    return read


FIELD_READERS = {
    "m": ("machine", _word_reader({name: name for name in STATE_MACHINES})),
    "k": ("kernel", _read_kernel),
    "C": ("C", _read_penalty),
    "s": ("squared", _word_reader({"1": False, "2": True})),
    "o": ("bias", _word_reader({"1": True, "0": False})),
    "e": (
        "epsilon",
        lambda text, at: _number_of_form(text, at, POSITIVE, "a number from 0 to 99"),
    ),
    "n": ("nu", _read_nu),
    "t": ("watched", _read_watched),
}
STATE_KEYS = ", ".join(FIELD_READERS)


def state_text(state):
    """Return the canonical text of a state, which leaves out usual values.

    >>> state_text(parse_state("1;s=1;o=0;p=+0.5,-2"))
    '1;k=lin;C=1;o=0;p=+1/2,-2'
    """
    parts = [VERSION]
    for key, (name, _) in FIELD_READERS.items():
        value = getattr(state, name)
        if value != getattr(USUAL_STATE, name) or key in "kC":
            parts.append(f"{key}={written_part(value, key)}")
    points = ";".join(
        f"{'+' if p.label > 0 else '-'}{written_number(p.x)},{written_number(p.y)}"
        for p in state.points
    )
    return ";".join([*parts, f"p={points}"])


def written_part(value, key):
    """Return the text of the part with this key."""
    if isinstance(value, KernelChoice):
        return ",".join(
            [
                value.name,
                *(written_number(v, POSITIVE) for v in value.numbers),
            ]
        )
    if isinstance(value, WatchedStep):
        return f"{value.algorithm},{value.step}"
    if isinstance(value, bool):  # squared slack, or no offset: written only where unusual
        return "2" if value else "0"
    if isinstance(value, Fraction):
        return written_number(value, PENALTY if key == "C" else POSITIVE)
    return str(value)


def written_number(value, form=XY_FORM):
    """Return the text of a number that was read: a fraction of this form, or else decimals.

    >>> written_number(Fraction(-5, 2)), written_number(Fraction("999.95"))
    ('-5/2', '999.95')
    >>> written_number(Fraction("0.12"), PENALTY)
    '3/25'
    """
    if form.fullmatch(str(value)):
        return str(value)
    places = next(k for k in range(1, MOST_PLACES + 1) if (value * 10**k).denominator == 1)
    digits = f"{abs(value.numerator) * 10**places // value.denominator:0{places + 1}}"
    return f"{'-' * (value < 0)}{digits[:-places]}.{digits[-places:]}"
