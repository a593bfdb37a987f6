"""When a subject is asked no more of a sort of problem, because too many answers came too late.

The count is that of the cases before, in their order, whatever lane they are asked in: so it is
waited for, if a case that is still being asked could decide.
"""

from math import inf
from time import sleep

LATE = {"no hard margin": 2, "hard margin": 2, "soft margin": 8}  # cases, at most
MOMENT = 0.02  # seconds


class Patience:
    """How many cases of each sort were late, and how many are being asked."""

    def __init__(self, turn):
        self.turn = turn
        self.late, self.open = dict.fromkeys(LATE, 0), dict.fromkeys(LATE, 0)

    def is_over(self, sort):
        """Whether no more of this sort are asked."""
        while self.late[sort] < LATE[sort] <= self.late[sort] + self.open[sort]:
            with self.turn.left():
                sleep(MOMENT)
        return self.late[sort] >= LATE[sort]

    def begin(self, sort):
        """A case of this sort is asked."""
        self.open[sort] += 1

    def end(self, sort, late):
        """It is answered, or was late."""
        self.open[sort] -= 1
        self.late[sort] += late


def sort_of(case, problem):
    """The sort of problem that a subject may have no patience for."""
    if inf not in problem.C:
        return "soft margin"
    none = case.optimum is not None and case.optimum.status == "infeasible"
    return "no hard margin" if none else "hard margin"
