"""What each group of cases is for: the files of the cases, and the questions to estimators."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..cases import shipped
from ..cases.machines import EXACT, FAMILIES, FAR, INVALID, SIZES, machine_names
from ..records import Record, was_asked

GROUPS = {  # by the file that holds the cases: the name of the group, and what it is for
    "core": (
        "C01 to C25, E..",
        "Two to eight examples, one case for each way to go wrong: ties, offsets that are not"
        " unique, extreme C, weights, numbers far from 0. E.. are extras: strings, threads ..",
    ),
    "lectures": ("F..", "Problems that lecture notes solve by hand, in the order of the notes."),
    "bugs": (
        "known bugs",
        "Problems on which some program is known to be wrong, each named after the mistake.",
    ),
    "families": (
        "families",
        "Three points at every distance, examples drawn from few values, the same data at other"
        " scales and in other orders. Most are degenerate.",
    ),
    "found": ("found", "Problems on which a search found some program wrong."),
    "gaussians": (
        "Gaussian and others",
        "Kernels whose values are no fractions, or which are sums and products of others.",
    ),
    "sizes": (
        "sizes",
        "4 to 65 features and 20 to 130 examples, with every kernel: where blocks end, caches are"
        " full and working sets change.",
    ),
    "claims": (
        "claims",
        "Numbers so large that doubles hold no answer to the tolerance: a program must not say"
        " that it converged.",
    ),
    "rejects": ("invalid input", "Input that is no problem, and must be refused."),
    "policies": (
        "questions to estimators",
        "Labels, arrays, sparse rows, weights, several classes, tolerances: what a user may hand"
        " to fit and predict.",
    ),
    "given": ("the given problem", "The problem that was given to the audit."),
}
MACHINE_GROUPS = {  # the same for a machine beside C-SVC, by the group of its cases
    EXACT: (
        "exact",
        "Two to five examples whose answer was found on paper: what programs get wrong, and what"
        " has more than one answer.",
    ),
    FAMILIES: (
        "families",
        "The same in other units, orders and weights, with nu, C and epsilon from one end to the"
        " other, with other kernels, and with more rows.",
    ),
    SIZES: ("sizes", "5 to 65 features and 20 to 70 examples: where blocks end."),
    FAR: GROUPS["claims"],
    INVALID: GROUPS["rejects"],
}


class Group(NamedTuple):
    """A group of cases, and what became of it; key is one of GROUPS."""

    key: str
    title: str
    purpose: str
    records: list[Record]

    def count(self, records: Iterable[Record]) -> int:
        """Return how many cases the records are about."""
        return len({record.case for record in records})

    def row(self) -> list[str]:
        """Return the row of the table of groups: title, cases, asked, failing, purpose."""
        asked = filter(was_asked, self.records)
        failed = [record for record in self.records if record.result == "fail"]
        counted = (self.count(self.records), self.count(asked), self.count(failed))
        return [self.title, *map(str, counted), self.purpose]


def groups_of(records: Iterable[Record]) -> list[Group]:
    """Return the records in their groups, in the order of the first of each."""
    groups: dict[str, Group] = {}
    for record in records:
        key, title, purpose = _group_of(record.case)
        groups.setdefault(key, Group(key, title, purpose, [])).records.append(record)
    return list(groups.values())


def _group_of(name: str) -> tuple[str, str, str]:
    """Return the key of a case's group, its title, and what it is for."""
    machine = machine_names().get(name)
    if machine is not None:
        title, purpose = MACHINE_GROUPS[machine[1]]
        return ("rejects" if machine[1] == INVALID else machine[1]), title, purpose
    file = shipped().get(name, "given" if name == "given" else "policies")
    title, purpose = GROUPS.get(file, (file, ""))
    return file, title, purpose
