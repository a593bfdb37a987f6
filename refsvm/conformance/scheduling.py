"""The order of work: two threads of which one works at a time, and when to stop asking.

A hang costs its deadline. So a thread that waits for a late answer releases the lock to the other
thread, and takes it back when the answer or the deadline is there. All else is done by turns, in
the order of the items: nothing is shared that could be changed meanwhile.

Too many late answers to one sort of problem, and no more of that sort are asked.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from math import inf
from threading import Condition, Thread
from time import sleep
from typing import Any

from ..svm.problem import Problem
from .cases import Case

MOST_LATE = {  # cases
    "no hard margin": 2,
    "hard margin": 2,
    "soft margin": 8,
    "invalid input": 4,
    "policy": 4,
}
MOMENT = 0.02  # seconds


class FairLock:
    """A lock that threads get in the order in which they asked for it."""

    def __init__(self) -> None:
        self.queue: deque[object] = deque()
        self.changed = Condition()

    def __enter__(self) -> None:
        ticket = object()
        with self.changed:
            self.queue.append(ticket)
            self.changed.wait_for(lambda: self.queue[0] is ticket)

    def __exit__(self, *error: object) -> None:
        with self.changed:
            self.queue.popleft()
            self.changed.notify_all()

    @contextmanager
    def released(self) -> Iterator[None]:
        """Let the others work until this ends; if the lock is not in use, it changes nothing."""
        if not self.queue:
            yield
            return
        self.__exit__()
        try:
            yield
        finally:
            self.__enter__()


def map_in_order(
    work: Callable[[Any], Any], items: Iterable[Any], lock: FairLock, threads: int
) -> Generator[Any, None, None]:
    """Yield work(item) for each item, in their order.

    What work does while the lock is released, it does beside the next.

    >>> list(map_in_order(abs, [-1, 2, -3], FairLock(), 2))
    [1, 2, 3]
    """
    left: deque[tuple[Any, Future[Any]]] = deque((item, Future()) for item in items)
    futures = [future for _, future in left]
    workers = [
        Thread(target=work_through, args=[work, left, lock], daemon=True) for _ in range(threads)
    ]
    for worker in workers:
        worker.start()
    try:
        for future in futures:
            yield future.result()
    finally:
        left.clear()
        for worker in workers:
            worker.join()


def work_through(work: Callable[[Any], Any], left: deque[Any], lock: FairLock) -> None:
    """Do the next item whenever the lock is there, until none is left."""
    while True:
        with lock:
            if not left:
                return
            item, future = left.popleft()
            try:
                future.set_result(work(item))
            except BaseException as error:  # raised again where the result is asked for
                future.set_exception(error)


class LateAnswers:
    """How many cases of each sort were late, and how many are being asked.

    The count is that of the cases before, in their order, in whichever thread they are asked: so
    a case that is still being asked is waited for, if it could decide.
    """

    def __init__(self, lock: FairLock) -> None:
        self.lock = lock
        self.late, self.open = dict.fromkeys(MOST_LATE, 0), dict.fromkeys(MOST_LATE, 0)

    def are_too_many(self, sort: str) -> bool:
        """Return whether no more of this sort are to be asked."""
        while self.late[sort] < MOST_LATE[sort] <= self.late[sort] + self.open[sort]:
            with self.lock.released():
                sleep(MOMENT)
        return self.late[sort] >= MOST_LATE[sort]

    def begin(self, sort: str) -> None:
        """Count a case of this sort that is being asked."""
        self.open[sort] += 1

    def end(self, sort: str, late: bool) -> None:
        """Count it as answered, or as late."""
        self.open[sort] -= 1
        self.late[sort] += late


def sort_of(case: Case, problem: Problem) -> str:
    """Return the sort of problem: a key of MOST_LATE."""
    if inf not in problem.C:
        return "soft margin"
    none = case.optimum is not None and case.optimum.status == "infeasible"
    return "no hard margin" if none else "hard margin"
