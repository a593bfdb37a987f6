"""Two lanes of work, of which one moves at a time: while one waits, the other goes on.

A hang costs its deadline. So who waits for a late answer leaves the turn to the other lane, and
takes it back when the answer or the deadline is there. All else is done by turns, in the order of
the items: nothing is shared that could be changed meanwhile.
"""

from collections import deque
from concurrent.futures import Future
from contextlib import contextmanager
from math import inf
from threading import Condition, Thread
from time import sleep


class Turn:
    """Whose turn it is: one thread's at a time, in the order in which they came."""

    def __init__(self):
        self.line, self.changed = deque(), Condition()

    def __enter__(self):
        ticket = object()
        with self.changed:
            self.line.append(ticket)
            self.changed.wait_for(lambda: self.line[0] is ticket)

    def __exit__(self, *error):
        with self.changed:
            self.line.popleft()
            self.changed.notify_all()

    @contextmanager
    def left(self):
        """The others may work until this ends; where nobody works by turns, nothing is left."""
        if not self.line:
            yield
            return
        self.__exit__()
        try:
            yield
        finally:
            self.__enter__()


def in_lanes(work, items, turn, lanes):
    """work(item) for each item, in their order; what work does without the turn, it does beside
    the next.

    >>> list(in_lanes(abs, [-1, 2, -3], Turn(), 2))
    [1, 2, 3]
    """
    found = [Future() for _ in items]
    left = deque(zip(items, found))
    threads = [Thread(target=lane, args=[work, left, turn], daemon=True) for _ in range(lanes)]
    for thread in threads:
        thread.start()
    try:
        for future in found:
            yield future.result()
    finally:
        left.clear()
        for thread in threads:
            thread.join()


def lane(work, left, turn):
    """What one thread does: an item whenever it has the turn, until none is left."""
    while True:
        with turn:
            if not left:
                return
            item, future = left.popleft()
            try:
                future.set_result(work(item))
            except BaseException as error:  # in_lanes raises it to who asked for the result
                future.set_exception(error)


# ---- patience

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
