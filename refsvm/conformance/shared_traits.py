"""What some cases have in common and most others have not, in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import frexp
from typing import NamedTuple

from .cases import case_named, shipped
from .lateness import PROBLEMS, Traits, traits_of
from .records import Record

SORTS = {
    ("no hard margin",): "ask for a hard margin that does not exist",
    ("hard margin", "no hard margin"): "ask for a hard margin",
    ("invalid input",): "are no problems, and to be refused",
    ("policy",): "are questions to estimators",
}
MOST_SHARED = 2  # things in common that are told
FEW_FAILING = 3  # so many may have something in common by accident


class Trait(NamedTuple):
    """Something that cases may have: "have 2 examples"."""

    words: str
    holds: Callable[[Traits], bool]


def failing_sentence(records: Sequence[Record]) -> str | None:
    """Return what the problems that fail have in common; None if as many others have it."""
    known = shipped()
    failing = dict.fromkeys(record.case for record in records if record.result == "fail")
    asked = {record.case for record in records if record.result == "pass"} - set(failing)
    some, others = (
        [traits_of(case_named(known[name], name)) for name in names if name in known]
        for names in (failing, asked)
    )
    some, others = ([t for t in each if t.sort in PROBLEMS] for each in (some, others))
    if len(some) <= FEW_FAILING:
        return None
    words, left = shared(some, others)
    if not words or left >= len(some):
        return None
    rest = {0: "no other does", 1: "so does one that passes"}.get(left, f"so do {left} that pass")
    return f"The {len(some)} problems that fail all {' and '.join(words)}; {rest}."


def shared(some: list[Traits], others: list[Traits]) -> tuple[list[str], int]:
    """Return what all of some cases have, and how many of the others do.

    It is what fewer than half of the others have, then half of these: the rarest first.
    """
    words: list[str] = []
    left = others
    while len(words) < MOST_SHARED:
        rarest = min(_common_traits(some), key=lambda trait: len(list(filter(trait.holds, left))))
        still = list(filter(rarest.holds, left))
        if 2 * len(still) >= len(left):
            break
        words.append(rarest.words)
        left = still
    return words, len(left)


def _common_traits(some: list[Traits]) -> list[Trait]:
    """Return what all of these have."""
    first = some[0]
    found = [Trait("are problems", lambda t: True)]
    for sorts, words in SORTS.items():
        if all(t.sort in sorts for t in some):
            found.append(Trait(words, _is_one_of(sorts)))
    if all(t.kernel == first.kernel for t in some) and first.kernel:
        found.append(Trait(f"are {first.kernel}", lambda t: t.kernel == first.kernel))
    for name, words in (
        ("examples", "have {} examples"),
        ("features", "have {} features"),
        ("penalty", "have a C of {}"),
        ("size", "have features of a size of {}"),
    ):
        found += bounds(name, words, [getattr(t, name) for t in some])
    return found


def _is_one_of(sorts: tuple[str, ...]) -> Callable[[Traits], bool]:
    """Return what tells whether a case is of one of these sorts."""
    return lambda traits: traits.sort in sorts


def bounds(name: str, words: str, values: list[float]) -> list[Trait]:
    """Return that a number is at least the least of these values, at most the largest."""
    low, high = min(values), max(values)
    if low == 0:
        return []  # where there is no such number
    if low == high:
        return [Trait(words.format(in_words(low)), lambda t: getattr(t, name) == low)]
    return [
        Trait(words.format(f"at least {in_words(low)}"), lambda t: getattr(t, name) >= low),
        Trait(words.format(f"at most {in_words(high)}"), lambda t: getattr(t, name) <= high),
    ]


def in_words(value: float) -> str:
    """Return a number, a large or small power of two as such.

    >>> in_words(3), in_words(2.0**24), in_words(1e6)
    ('3', '2^24', '1e+06')
    """
    mantissa, exponent = frexp(value)
    return f"2^{exponent - 1}" if mantissa == 0.5 and abs(exponent) > 10 else f"{value:.3g}"
