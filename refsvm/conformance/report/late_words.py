"""What late answers have in common, in words: so that a hang can be found by its cases.

A trait is told where most of the late cases have it, and most of the others have not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import frexp

from ..asking.lateness import PROBLEMS, Traits, traits_of
from ..auditor import DEADLINE
from ..cases import case_named, shipped
from ..protocol.records import Record
from .causes import failures_of
from .coverage import coverage_of

SORTS = {
    ("no hard margin",): "ask for a hard margin that does not exist",
    ("hard margin", "no hard margin"): "ask for a hard margin",
    ("invalid input",): "are no problems, and to be refused",
    ("policy",): "are questions to estimators",
}
MOST_SHARED = 2  # things in common that are told
FEW_FAILING = 3  # so many may have something in common by accident


Trait = tuple[str, Callable[[Traits], bool]]  # "have 2 examples", and whether a case has it


def failing_sentence(records: Sequence[Record]) -> str | None:
    """Return what the problems that fail have in common; None if as many others have it."""
    failing = dict.fromkeys(record.case for record in failures_of(records))
    asked = {record.case for record in records if record.result == "pass"} - set(failing)
    some, others = map(_problems_among, map(_traits_of_every, (failing, asked)))
    if len(some) <= FEW_FAILING:
        return None
    words, left = shared(some, others)
    if not words or left >= len(some):
        return None
    rest = {0: "no other does", 1: "so does one that passes"}.get(left, f"so do {left} that pass")
    return f"The {len(some)} problems that fail all {' and '.join(words)}; {rest}."


def _traits_of_every(names: Iterable[str]) -> list[Traits]:
    """Return the traits of those that are cases of a file; policies are none."""
    known = shipped()
    return [traits_of(case_named(known[name], name)) for name in names if name in known]


def _problems_among(traits: Iterable[Traits]) -> list[Traits]:
    """Return the traits of problems, without those of invalid input."""
    return [t for t in traits if t.sort in PROBLEMS]


def shared(some: list[Traits], others: list[Traits]) -> tuple[list[str], int]:
    """Return what all of some cases have, and how many of the others do.

    It is what fewer than half of the others have, then half of these: the rarest first.
    """
    words: list[str] = []
    left = others
    while len(words) < MOST_SHARED:
        found = [(word, list(filter(holds, left))) for word, holds in _common_traits(some)]
        rarest, still = min(found, key=lambda each: len(each[1]))
        if 2 * len(still) >= len(left):
            break
        words.append(rarest)
        left = still
    return words, len(left)


def _common_traits(some: list[Traits]) -> list[Trait]:
    """Return what all of these have."""
    first = some[0]
    found: list[Trait] = [("are problems", lambda t: True)]
    for sorts, words in SORTS.items():
        if all(t.sort in sorts for t in some):
            found.append((words, _is_one_of(sorts)))
    if all(t.kernel == first.kernel for t in some) and first.kernel:
        found.append((f"are {first.kernel}", lambda t: t.kernel == first.kernel))
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
        return [(words.format(in_words(low)), lambda t: getattr(t, name) == low)]
    return [
        (words.format(f"at least {in_words(low)}"), lambda t: getattr(t, name) >= low),
        (words.format(f"at most {in_words(high)}"), lambda t: getattr(t, name) <= high),
    ]


def in_words(value: float) -> str:
    """Return a number, a large or small power of two as such.

    >>> in_words(3), in_words(2.0**24), in_words(1e6)
    ('3', '2^24', '1e+06')
    """
    mantissa, exponent = frexp(value)
    return f"2^{exponent - 1}" if mantissa == 0.5 and abs(exponent) > 10 else f"{value:.3g}"


LATE = re.compile("too late|in time")  # in the reason why a case was given up
MOST_SORTS = 3


def late_sentence(records: Sequence[Record], deadline: float) -> str | None:
    """Return how many answers came late, what their cases share, and what was given up.

    None if no answer came late.
    """
    late = dict.fromkeys(record.case for record in records if record.flag == "Hang")
    if not late:
        return None
    not_asked = coverage_of(records).not_asked.items()
    given_up = [name for why, names in not_asked if LATE.search(why) for name in names]
    asked = {r.case for r in records} - set(given_up) - set(late)
    shared = "; ".join(_shared_in_words(_traits_of_every(late), _traits_of_every(asked)))
    default = ", the default of --deadline" if deadline == DEADLINE else ""
    count = "1 case" if len(late) == 1 else f"{len(late)} cases"
    left = f" For these, {len(given_up)} more were not asked." if given_up else ""
    about = f": {shared}" if shared and len(late) > 1 else ""
    after = f"after {deadline:g} s{default}, or ten times what others of the size took"
    return f"Late ({after}): {count}{about}.{left}"


def _shared_in_words(late: list[Traits], others: list[Traits]) -> Iterable[str]:
    """Yield what all late cases have and few others; or that of each sort of them.

    Questions to estimators and invalid inputs hold several problems, or none.
    """
    problems = _problems_among(late)
    every = "all" if len(problems) in (0, len(late)) else "all problems among them"
    if problems:
        late, others = problems, _problems_among(others)
    found = shared(late, others)[0] if late else []
    if found or not late:
        yield from [f"{every} {' and '.join(found)}"] if found else []
        return
    sorts = [sort for sort, _ in Counter(sorted(t.sort for t in late)).most_common()]
    for sort in sorts[:MOST_SORTS] if len(sorts) > 1 else []:
        here = [t for t in late if t.sort == sort]
        words, _ = shared(here, others)
        if words:
            yield f"{len(here)} {' and '.join(words)}"
