"""What an entry of the catalogue is: one bug of one stage, its name, its effect, where it was met.

    stage    where in the pipeline it sits              change   what it does there
    flag     its name in a verdict: a key of BUGS
    words    what the program does
    effect   what that does to people                   met      where it was met
    allows   how little fits it: 1 for one answer and no other, less for what many bugs look like

A kind of bug is written down once, with its variants: each of them is an entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

Change = Any  # a function of a task, or of a trained machine, see pipeline.py
EMPTY: Mapping[str, Any] = {}
CONDITIONAL = 0.9  # of what an entry allows that shows under a condition only


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


class BugTable:
    """The bugs of one stage, as they are written down."""

    def __init__(self, stage: str) -> None:
        self.stage, self.bugs = stage, list[Bug]()

    def add(
        self,
        flag: str,
        effect: str,
        met: str,
        variants: Mapping[str, Change],
        allows: float = 1.0,
        conditional: Mapping[str, Change] = EMPTY,
    ) -> None:
        """Add a kind of bug: {what the program does: the change}; some under a condition only."""
        for some, share in ((variants, allows), (conditional, CONDITIONAL * allows)):
            for words, change in some.items():
                self.bugs.append(Bug(self.stage, flag, words, change, effect, met, share))
