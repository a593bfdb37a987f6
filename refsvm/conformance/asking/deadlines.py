"""How long an answer may take: slow is no hang, so the deadline grows with what a subject needs.

The deadline that was given stands for quick subjects. Of one that needs seconds for a problem, an
answer is late when it takes TIMES as long as the slowest so far about as many examples; where none
of these is known, as the slowest about fewer, each doubling of which takes GROWTH as long. There
is an end to this, too, for a hang costs all of it: MOST deadlines. What late answers have cost is
counted, so that others are given up the sooner: one that is waited for ten deadlines as ten late
ones (lateness.py).

Only what the subject itself needed makes its deadlines grow: not the time in which other programs
had the processor, nor that in which the audit judged another answer before it took this one.

The time that a program takes to start is not counted. What a new process spends before its first
line is its start and an answer; no line tells where the one ends. So the quickest first answer of
all processes so far bounds the start from above, and a first answer has that much more than the
deadline, doubled for a machine that has become busier. While there is none the longest start is
allowed, a few times: a program that hangs from the beginning costs these, and after them its
deadlines alone. Python says when it has started, but may compile at the first call: of it one such
start is allowed.
"""

from __future__ import annotations

TIMES = 10
GROWTH = 4
MOST = 10


class Deadlines:
    """The deadline of each answer, by what the answers so far needed.

    >>> deadlines = Deadlines(4.0)
    >>> deadlines.answered(examples=8, seconds=1.0)
    >>> deadlines.of(2), deadlines.of(9), deadlines.of(100)
    (4.0, 10.0, 40.0)
    >>> deadlines.of(5) == deadlines.of(16) == 10.0
    True
    >>> deadlines.missed(10.0)
    >>> deadlines.cost
    2.5
    """

    def __init__(self, given: float) -> None:
        self.given = given
        self.slowest: dict[int, float] = {}  # by the size
        self.cost = 0.0  # of late answers, in deadlines as given

    def answered(self, examples: int, seconds: float) -> None:
        """Note how long an answer took."""
        size = _size_of(examples)
        self.slowest[size] = max(seconds, self.slowest.get(size, 0.0))

    def missed(self, seconds: float) -> None:
        """Note an answer that did not come within these seconds, its deadline."""
        self.cost += seconds / self.given

    def slowest_alike(self, examples: int) -> float | None:
        """Return the longest that an answer about as many examples took; None if none is known."""
        size = _size_of(examples)
        return max((t for s, t in self.slowest.items() if abs(s - size) <= 1), default=None)

    def of(self, examples: int) -> float:
        """Return the seconds after which an answer is late."""
        needed = self.slowest_alike(examples)
        if needed is None:
            size = _size_of(examples)
            smaller = [(s, t) for s, t in self.slowest.items() if s < size]
            nearest, slowest = max(smaller, default=(size, 0.0))
            needed = slowest * GROWTH ** (size - nearest)
        return max(self.given, min(TIMES * needed, MOST * self.given))

    def others_in_words(self, examples: int) -> str:
        """Return what answers about as many examples took, at the end of a sentence."""
        slowest = self.slowest_alike(examples)
        return "" if slowest is None else f"; others of its size took {slowest:.2g} s at most"


def _size_of(examples: int) -> int:
    """Return the logarithm of a number of examples, which doubles from each to the next."""
    return max(0, examples - 1).bit_length()


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
