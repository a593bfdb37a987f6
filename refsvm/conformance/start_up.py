"""The time that a program takes to start, which is not counted in the deadline of its answer.

What a new process spends before its first line is its start and an answer; no line tells where
the one ends. So the quickest first answer of all processes so far bounds the start from above,
and a first answer has that much more than the deadline, doubled for a machine that has become
busier. While there is none the longest start is allowed, a few times: a program that hangs from
the beginning costs these, and after them its deadlines alone. Python says when it has started, but
may compile at the first call: of it one such start is allowed.
"""

from __future__ import annotations

LONGEST_START = 15.0  # seconds
MOST_STARTS = 4  # times that it is allowed before there is an answer
SHORTEST = 0.25  # seconds: of a start that takes no time at all


class StartUp:
    """What is known of the time that a program takes to start.

    >>> start = StartUp()
    >>> start.allowance()
    15.0
    >>> start.answered_after(2.0)
    >>> start.allowance()
    4.0
    """

    def __init__(self, most_starts: int = MOST_STARTS) -> None:
        self.most_starts = most_starts
        self.quickest: float | None = None  # seconds from the start to the first answer
        self.in_vain = 0  # starts without an answer, before there was any

    def allowance(self) -> float:
        """Return the seconds that a first answer has beside its deadline."""
        if self.quickest is not None:
            return min(LONGEST_START, 2 * max(SHORTEST, self.quickest))
        return LONGEST_START if self.in_vain < self.most_starts else 0.0

    def answered_after(self, seconds: float) -> None:
        """Note the first answer of a process."""
        self.quickest = seconds if self.quickest is None else min(seconds, self.quickest)

    def gave_no_answer(self) -> None:
        """Note a process that was late, or wrote something else."""
        self.in_vain += self.quickest is None
