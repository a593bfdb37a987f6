"""The order of work: threads of which one works at a time.

A hang costs its deadline. So a thread that waits for a late answer releases the lock to the other
thread, and takes it back when the answer or the deadline is there. All else is done by turns, in
the order of the items: nothing is shared that could be changed meanwhile.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from threading import Condition, Thread
from typing import Any


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
    work: Callable[[Any], Any],
    items: Iterable[Any],
    lock: FairLock,
    threads: int,
    elsewhere: bool = False,
) -> Generator[Any, None, None]:
    """Yield work(item) for each item, in their order.

    What work does while the lock is released, it does beside the next. What is done elsewhere is
    not waited for after Ctrl-C.

    >>> list(map_in_order(abs, [-1, 2, -3], FairLock(), 2))
    [1, 2, 3]
    """
    left: deque[tuple[Any, Future[Any]]] = deque((item, Future()) for item in items)
    futures = [future for _, future in left]
    workers = [
        Thread(target=_work_through, args=[work, left, lock], daemon=True) for _ in range(threads)
    ]
    for worker in workers:
        worker.start()
    try:
        for future in futures:
            yield future.result()
    except KeyboardInterrupt:
        if elsewhere:
            workers.clear()
        raise
    finally:
        left.clear()
        for worker in workers:
            worker.join()


def _work_through(work: Callable[[Any], Any], left: deque[Any], lock: FairLock) -> None:
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
