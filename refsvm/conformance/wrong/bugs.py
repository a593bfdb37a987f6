"""What an entry of the catalogue is: one bug of one stage, its name, its effect, where it was met.

    stage    where in the pipeline it sits              change   what it does there
    flag     its name in a verdict: a key of BUGS, or of NEW here
    words    what the program does
    effect   what that does to people                   met      where it was met
    allows   how little fits it: 1 for one answer and no other, less for what many bugs look like

A kind of bug is written down once, with its variants: each of them is an entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..cases.flags import BUGS

Change = Any  # a function of a task, or of a trained machine, see pipeline.py
NEW = {
    "RowsRounded": "the rows are rounded, or cut to whole numbers",
    "DecisionsRounded": "the decisions are rounded",
    "VectorsDropped": "multipliers that are small beside C are taken for 0",
    "BoxOfAnother": "a multiplier is kept within the bound of another example",
    "AlphaConstant": "the multipliers are all the same number, whatever the data",
    "LinearTerm": "the linear term of the dual is another one",
    "CentreNorm": "the squared norm of the centre is forgotten",
}


class Bug(NamedTuple):
    """An entry of the catalogue."""

    stage: str
    flag: str
    words: str
    change: Change
    effect: str
    met: str
    allows: float = 1.0

    @property
    def name(self) -> str:
        """The flag and the words, which no other entry has."""
        return f"{self.flag}: {self.words}"


def meaning_of(flag: str) -> str:
    """Return what a flag of the catalogue means, in words."""
    return NEW[flag] if flag in NEW else BUGS[flag]


class BugTable:
    """The bugs of one stage, as they are written down."""

    def __init__(self, stage: str) -> None:
        self.stage, self.bugs = stage, list[Bug]()

    def add(
        self, flag: str, effect: str, met: str, variants: Mapping[str, Change], allows: float = 1.0
    ) -> None:
        """Add a kind of bug: {what the program does: the change}."""
        for words, change in variants.items():
            self.bugs.append(Bug(self.stage, flag, words, change, effect, met, allows))
