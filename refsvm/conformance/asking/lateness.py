"""Late answers: which cases are given up for them, and what is asked meanwhile.

    kind      the sort of problem and its kernel: cases are compared with others of their kind
    reach     log2 of C times the largest kernel value, roughly: a long way for multipliers to go
    late      no answer within the deadline

A case is given up when two of its kind came late, it is no easier than these, and none that was no
easier was answered. So a program that hangs on two examples is asked about three, and one that is
slow at C = 2^24 is asked all other penalties. The transformed problems of check G5 are a kind of
their own.

Threads work one at a time, for a hang costs its deadline: a thread that waits for a late answer
releases the lock to the other thread, and takes it back when the answer or the deadline is there.
All else is done by turns, in the order of the items: nothing is shared that could be changed
meanwhile.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from math import inf, log2
from threading import Condition, Thread
from time import sleep
from typing import Any, NamedTuple

from ...svm.problem import Problem
from ..cases import Case
from ..protocol import kernel_document
from ..protocol.forms import bounds_of

PROBLEMS = ("soft margin", "hard margin", "no hard margin")
FIRST_PROBLEMS = 8  # problems: if none of so many is answered in time, no more is asked
FEWEST_LATE = 2  # cases of a kind, no harder than one that is given up
PATIENCE = 12  # late answers of all kinds, by their cost, after which one is enough
MOMENT = 0.02  # seconds


class Traits(NamedTuple):
    """What decides how long an answer may take."""

    sort: str
    kernel: str = ""
    examples: int = 0
    features: int = 0
    penalty: float = 0.0  # the largest C that is finite
    size: float = 0.0  # the largest number of X

    @property
    def kind(self) -> tuple[str, str]:
        """The sort of problem and its kernel."""
        return self.sort, self.kernel

    @property
    def reach(self) -> float:
        """The logarithm of how far multipliers may have to go."""
        bounded = self.kernel in ("Gaussian", "Sigmoid")
        return _log2_of(self.penalty) + (0.0 if bounded else 2 * _log2_of(self.size))


def transformed(traits: Traits) -> Traits:
    """Return the traits of the problems that a case is transformed into, twice as large."""
    return traits._replace(sort=f"transformed, {traits.sort}", examples=2 * traits.examples)


def _log2_of(value: float) -> float:
    """Return the logarithm of a size; of none it is 0."""
    return log2(value) if value > 0 else 0.0


def traits_of(case: Case) -> Traits:
    """Return the traits of a case."""
    problem = case.problem
    if problem is None:
        return Traits("invalid input")
    penalties = bounds_of(problem)
    sort = "soft margin"
    if inf in penalties and isinstance(problem, Problem):
        none = case.optimum is not None and case.optimum.status == "infeasible"
        sort = "no hard margin" if none else "hard margin"
    kernel = type(problem.kernel).__name__
    if kernel_document(problem.kernel) is None:
        kernel = "Precomputed"  # it is sent as its Gram matrix
    rows = [] if isinstance(problem.X[0], str) else problem.X
    return Traits(
        sort,
        kernel,
        problem.n,
        len(rows[0]) if rows else 0,
        max((float(c) for c in penalties if c != inf), default=0.0),
        float(max((abs(v) for row in rows for v in row), default=0)),
    )


def _is_no_easier(one: Traits, other: Traits) -> bool:
    """Return whether a case has as many examples as another, as large a C and as large a reach."""
    return (
        one.examples >= other.examples
        and one.penalty >= other.penalty
        and one.reach >= other.reach
    )


def asking_order(names: Sequence[str], traits: Sequence[Traits]) -> list[str]:
    """Return the names with the easiest two of each group first: of a kind and a size.

    >>> easy, hard = Traits("soft margin", "Linear", 2, 1, 1.0), Traits("soft margin", "Linear", 9)
    >>> asking_order(["a", "b", "c", "d"], [easy, easy, easy, hard])
    ['a', 'd', 'b', 'c']
    """
    groups: dict[object, list[tuple[float, int]]] = {}
    for k, each in enumerate(traits):
        if each.sort in PROBLEMS:
            size = (each.examples - 1).bit_length()
            groups.setdefault((each.kind, size), []).append((each.reach, k))
    easiest = [[k for _, k in sorted(group)[:2]] for group in groups.values()]
    first = [group[rank] for rank in range(2) for group in easiest if rank < len(group)]
    chosen = set(first)
    return [names[k] for k in [*first, *(k for k in range(len(names)) if k not in chosen)]]


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


class Asked:
    """A case that is being asked, or was."""

    def __init__(self, traits: Traits) -> None:
        self.traits = traits
        self.late: bool | None = None  # None: the answer is not there yet


class LateAnswers:
    """Which cases were asked, which came late, and which are given up for that.

    Cases count in the order in which they are asked, in whichever thread: so one that is still
    being asked is waited for, if it could decide.
    """

    def __init__(self, lock: FairLock, cost: Callable[[], float] = lambda: 0.0) -> None:
        self.lock = lock
        self.cost = cost  # of late answers, in deadlines as given
        self.asked: list[Asked] = []

    @contextmanager
    def asking(self, traits: Traits) -> Iterator[Asked]:
        """Count a case as asked; who asks says whether it was late."""
        asked = Asked(traits)
        self.asked.append(asked)
        try:
            yield asked
        finally:
            asked.late = bool(asked.late)

    def reason_to_give_up(self, traits: Traits) -> str | None:
        """Return why a case is not to be asked; None if it is."""
        while (reason := self.reason_if(traits, True)) != self.reason_if(traits, False):
            with self.lock.released():
                sleep(MOMENT)
        return reason

    def reason_if(self, traits: Traits, unknown: bool) -> str | None:
        """Return why not to ask, if all that is still being asked comes late, or comes."""
        known = [(a.traits, unknown if a.late is None else a.late) for a in self.asked]
        late_ones = len([late for _, late in known if late])
        if late_ones == 0:
            return None
        weight = max(late_ones, self.cost())
        problems = [late for other, late in known if other.sort in PROBLEMS]
        if len(problems) >= FIRST_PROBLEMS and all(problems):
            return f"none of the first {FIRST_PROBLEMS} problems was answered in time"
        alike = [(other, late) for other, late in known if other.kind == traits.kind]
        if _is_above(traits, alike, weight):
            kind = ", ".join(filter(None, traits.kind))
            return f"others of its kind ({kind}), no harder, came too late"
        return None


def _is_above(traits: Traits, known: list[tuple[Traits, bool]], weight: float) -> bool:
    """Return whether it is no easier than late ones, and no answer speaks against these.

    That is an answer to a problem that was no easier. At the end of all patience it is not heard.
    """
    late = [other for other, is_late in known if is_late and _is_no_easier(traits, other)]
    if weight >= 2 * PATIENCE:
        return bool(late)
    answered = [other for other, is_late in known if not is_late]
    late = [one for one in late if not any(_is_no_easier(other, one) for other in answered)]
    enough = FEWEST_LATE if weight < PATIENCE else 1
    sizes = {other.examples for other in late}  # if all have two, they say nothing of three
    return len(late) >= enough and (len(sizes) > 1 or traits.examples in sizes)


# ---- threads


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
