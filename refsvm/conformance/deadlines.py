"""How long an answer may take: slow is no hang, so the deadline grows with what a subject needs.

The deadline that was given stands for quick subjects. Of one that needs seconds for a problem, an
answer is late when it takes TIMES as long as the slowest so far about as many examples; where none
of these is known, as the slowest about fewer, each doubling of which takes GROWTH as long. There
is an end to this, too, for a hang costs all of it: MOST deadlines.
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
    """

    def __init__(self, given: float) -> None:
        self.given = given
        self.slowest: dict[int, float] = {}  # by the size

    def answered(self, examples: int, seconds: float) -> None:
        """Note how long an answer took."""
        size = _size_of(examples)
        self.slowest[size] = max(seconds, self.slowest.get(size, 0.0))

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
