"""How much of an audit could be asked, what stood in the way of the rest, and the cure.

not offered    the subject, or its adapter, has no word for it: another kernel, squared slacks
not asked      given up: too many late answers to its like, a process that ended in vain
stopped        the subject says itself that it stopped before the optimum: at its max_iter

A sort of problem is offered if the subject has taken any problem of it. What it offers and has not
answered counts against it; other sorts do not.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache
from inspect import isclass
from itertools import chain
from typing import NamedTuple, TypeVar

from ...numerics.display import plural
from ..asking.lateness import traits_of
from ..auditor import DEADLINE
from ..cases.drawn import find_case, place_of
from ..protocol.records import NOT_ASKED, NOT_OFFERED, UNASKED, Record, was_asked
from ..protocol.refusals import things_in
from ..subjects import CommandLine, Subject
from ..subjects.estimator_adapter import Estimator
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


def is_mostly_judged(records: Sequence[Record]) -> bool:
    """Return whether at least half of the cases were judged, and not only as an earlier one.

    >>> is_mostly_judged([Record("C01", "G8", "not judged", None, None, None, "as in C00")])
    False
    """
    judged, cases = _judged_cases(records), {record.case for record in records}
    return 2 * len(judged) >= len(cases)


def _judged_cases(records: Sequence[Record]) -> set[str]:
    """Return the cases that were judged, and not only as an earlier one."""
    return {r.case for r in records if r.result not in ("not judged", NOT_ASKED)}


def hint_of_repeats(subject: Subject, records: Sequence[Record]) -> str | None:
    """Return a sentence if fewer than half of what was asked could be judged: one exception."""
    asked = list(filter(was_asked, records))
    if is_mostly_judged(asked) or complain_of_coverage(subject, records) is not None:
        return None
    cases, judged = {record.case for record in asked}, _judged_cases(asked)
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


def first_names(names: Iterable[str], most: int = 4) -> str:
    """Return the first few different names, and how many more there are.

    >>> first_names(["C01", "kernel 9", "C01", "two points, C = 1"], 2)
    'C01; kernel 9 and 1 more'
    """
    every = list(dict.fromkeys(names))  # of which some hold a comma
    return "; ".join(every[:most]) + (f" and {len(every) - most} more" if every[most:] else "")


def late_sentence(records: Iterable[Record], deadline: float) -> str | None:
    """Return which answers came late; None if none did."""
    late = dict.fromkeys(record.case for record in records if record.flag == "Hang")
    default = ", the default of --deadline" if deadline == DEADLINE else ""
    after = f"after {deadline:g} s{default}, or ten times what others of the size took"
    return f"Late ({after}): {plural(len(late), 'case')}: {first_names(late)}." if late else None
