"""How much of an audit could be asked, what stood in the way of the rest, and the cure.

not offered    the subject, or its adapter, has no word for it: another kernel, squared slacks
not asked      given up: too many late answers to its like, a process that ended in vain
stopped        the subject says itself that it stopped before the optimum: at its max_iter

A sort of problem is offered if the subject has taken any problem of it. What it offers and has not
answered counts against it; other sorts do not.

So that a hang can be found by its cases it is told what late answers have in common: where most of
the late cases have a trait, and most of the others have not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache
from inspect import isclass
from itertools import chain
from math import frexp
from typing import NamedTuple, TypeVar

from ...numerics.display import plural, text_above, text_below
from ..asking.lateness import PROBLEMS, Traits, traits_of
from ..auditor import DEADLINE
from ..cases.drawn import find_case, place_of
from ..protocol.records import NOT_ASKED, NOT_OFFERED, UNASKED, Record, was_asked
from ..protocol.refusals import things_in
from ..subjects import CommandLine, Subject
from ..subjects.estimator_adapter import Estimator
from ..truth.margin_measure import short_text
from ..what_is_asked import GROUPS
from .causes import failures_of

MAX_REASON_LETTERS = 80  # letters of a reason among others
Key = TypeVar("Key", bound=Hashable)
Cases = dict[str, list[str]]  # {why: the names of the cases}


class Coverage(NamedTuple):
    """How many cases there are, how many were asked, and why the others were not."""

    cases: int
    asked: int
    not_offered: Cases  # those that the subject has no word for
    not_asked: Cases  # those that were given up
    stopped: Cases  # those where it says that it stopped
    offered: int  # how many are of a sort that the subject offers

    def is_enough(self) -> bool:
        """Return whether at least half of what is offered was asked, and answered."""
        return 2 * self.asked >= self.offered > 0

    def left(self) -> list[tuple[str, int, Cases]]:
        """Return (words, number of cases, reasons) of what was not on offer, given up, stopped."""
        kinds = zip(UNASKED, (self.not_offered, self.not_asked, self.stopped))
        return [
            (words, len(list(chain(*reasons.values()))), reasons)
            for words, reasons in kinds
            if reasons
        ]


def coverage_of(records: Sequence[Record]) -> Coverage:
    """Return how much was asked.

    A case counts as asked if any of its records is about an answer that is finished.

    Examples
    --------
    >>> records = [
    ...     Record("C01", "G1", "pass", None, None, None, ""),
    ...     Record("C02", "G7", "acceptable", None, None, None, "not on offer: no kernel"),
    ... ]
    >>> found = coverage_of(records)
    >>> found.asked, found.offered, found.not_offered
    (1, 2, {'no kernel': ['C02']})
    """
    asked = {record.case for record in records if was_asked(record)}
    reasons = {r.case: r.reason for r in reversed(records) if r.case not in asked}
    kinds: dict[str, Cases] = {kind: {} for kind in UNASKED}
    for case, reason in reversed(reasons.items()):
        kind = next((kind for kind in UNASKED if reason.startswith(kind)), NOT_ASKED)
        kinds[kind].setdefault(reason.partition(": ")[2], []).append(case)
    refused = set(chain(*kinds[NOT_OFFERED].values()))
    taken = {sort_of(case) for case in (*asked, *reasons) if case not in refused}
    others = [case for case in refused if sort_of(case) not in taken]
    every = len(asked) + len(reasons)
    not_offered, not_asked, stopped = kinds.values()
    return Coverage(every, len(asked), not_offered, not_asked, stopped, every - len(others))


@cache
def sort_of(name: str) -> tuple[str, ...]:
    """Return what a problem is, of what a program need not offer: the kernel, weights and so on.

    A question to estimators is a sort of its own, and so is an invalid input.

    >>> sort_of("C02"), sort_of("C09")
    (('Linear',), ('Polynomial', 'kernel'))
    """
    case = find_case(name)
    if case is None or case.problem is None:
        return (name,)
    return (traits_of(case).kernel, *things_in(case))


def complain_of_coverage(subject: Subject, records: Sequence[Record]) -> str | None:
    """Return a sentence if fewer than half of what is offered was answered: why, and the cure."""
    found = coverage_of(records)
    if found.is_enough():
        return None
    reasons = {**found.not_offered, **found.not_asked, **found.stopped}
    most = sorted(reasons, key=lambda reason: -len(reasons[reason]))[:2]
    why = ", ".join(f"{reason[:MAX_REASON_LETTERS]} ({len(reasons[reason])})" for reason in most)
    cure, verb = _cure_for(subject), "could not be asked"
    if most[0] in found.not_asked:
        cure = "a longer deadline may help" if "late" in most[0] else "its last words say why"
    if most[0] in found.stopped:
        cure, verb = "allow it more steps", "have no answer that is finished"
    left = found.cases - found.asked
    return f"{left} of {found.cases} cases {verb}: {why}; {cure}"


def hint_of_repeats(subject: Subject, records: Sequence[Record]) -> str | None:
    """Return a sentence if fewer than half of what was asked could be judged: one exception."""
    cases = {record.case for record in records if was_asked(record)}
    judged = {r.case for r in records if r.result == "pass" or r.gap is not None}
    if 2 * len(judged) >= len(cases) or complain_of_coverage(subject, records) is not None:
        return None
    left = len(cases) - len(judged)
    return f"{left} of {len(cases)} cases could not be judged; {_cure_for(subject)}"


def _cure_for(subject: Subject) -> str:
    """Return what helps a subject that has no words for what it is asked."""
    if isinstance(subject, CommandLine):
        page = 'spec/standard/audit.md, "Programs in other languages",'
        return f"{page} says what a program reads and writes"
    if isinstance(subject, Estimator) or isclass(getattr(subject, "function", None)):
        page = "spec/standard/auditing-your-own.md"
        return f"audit a function of about eight lines that calls it, as in {page}"
    page = 'spec/standard/audit.md, "What can be audited"'
    return f"audit a function of a Problem that calls it, as in {page}"


class Group(NamedTuple):
    """A group of cases, and what became of it; key is one of GROUPS."""

    key: str
    title: str
    purpose: str
    records: list[Record]

    def row(self) -> list[str]:
        """Return the row of the table of groups: title, cases, asked, failing, purpose."""
        asked = filter(was_asked, self.records)
        counted = map(count_cases, (self.records, asked, failures_of(self.records)))
        return [self.title, *map(str, counted), self.purpose]


def count_cases(records: Iterable[Record]) -> int:
    """Return how many cases the records are about."""
    return len({record.case for record in records})


def groups_of(records: Iterable[Record]) -> list[Group]:
    """Return the records in their groups, in the order of the first of each."""
    found = grouped(records, lambda record: _group_of(record.case))
    return [Group(*group, some) for group, some in found.items()]


def grouped(records: Iterable[Record], key: Callable[[Record], Key]) -> dict[Key, list[Record]]:
    """Return {key: the records that have it}, in the order of the first of each."""
    found: dict[Key, list[Record]] = {}
    for record in records:
        found.setdefault(key(record), []).append(record)
    return found


def _group_of(name: str) -> tuple[str, str, str]:
    """Return the key of a case's group, its title, and what it is for."""
    _, group = place_of(name) or (None, "given" if name == "given" else "policies")
    return group, *GROUPS[group]


# ---- what cases have in common

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
    one, many = ("is", "are") if words[0].startswith("are ") else ("does", "do")
    rest = f"so {many} {left} that pass" if left > 1 else f"so {one} one that passes"
    rest = rest if left else f"no other {one}"
    return f"The {len(some)} problems that fail all {' and '.join(words)}; {rest}."


def _traits_of_every(names: Iterable[str]) -> list[Traits]:
    """Return the traits of those that are cases; policies are none."""
    return [traits_of(case) for case in map(find_case, names) if case is not None]


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
        return [(words.format(in_words(low, short_text)), lambda t: getattr(t, name) == low)]
    least, most = f"at least {in_words(low, text_below)}", f"at most {in_words(high, text_above)}"
    return [
        (words.format(least), lambda t: getattr(t, name) >= low),
        (words.format(most), lambda t: getattr(t, name) <= high),
    ]


def in_words(value: float, rounded: Callable[[float, int], str]) -> str:
    """Return a number, rounded to a side, or a large or small power of two as such.

    >>> in_words(3, text_below), in_words(2.0**24, text_below), in_words(12345, text_below)
    ('3', '2^24', '1.23e+04')
    """
    mantissa, exponent = frexp(value)
    return f"2^{exponent - 1}" if mantissa == 0.5 and abs(exponent) > 10 else rounded(value, 3)


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
    left = f" For these, {len(given_up)} more were not asked." if given_up else ""
    about = f": {shared}" if shared and len(late) > 1 else ""
    after = f"after {deadline:g} s{default}, or ten times what others of the size took"
    return f"Late ({after}): {plural(len(late), 'case')}{about}.{left}"


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
