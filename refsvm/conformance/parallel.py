"""An audit of many cases at once: any executor asks and judges them, in the order of one alone.

    settings    what is audited and how: it travels with each task, which is the name of a case

What is asked, and what is given up for late answers, is decided here; elsewhere cases are asked.
There an auditor is kept for the next task, with the process that it asks, and closed when none
comes for a while, when the audit is over, or when its own process ends.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from threading import Lock, Timer
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from ..estimators.executor_tasks import require_executor
from .auditor import Auditor
from .protocol.plain_values import sentence_of
from .protocol.records import Record

if TYPE_CHECKING:
    from concurrent.futures import Executor

IDLE = 10.0  # seconds after which an auditor without a task is closed
GUARD = Lock()  # of what is kept


class Settings(NamedTuple):
    """What is audited and how."""

    token: str
    subject: Any
    problem: Any
    isolate: bool
    deadline: float
    tol: float
    expected: Mapping[str, str] | None
    form: str | None
    seed: int


class Kept(NamedTuple):
    """An auditor that waits for a task, and what closes it when none comes."""

    auditor: Auditor
    timer: Timer


KEPT: dict[str, list[Kept]] = {}  # by the token of the audit


class ParallelAuditor(Auditor):
    """An Auditor whose cases are asked and judged by an executor."""

    is_elsewhere = True

    def __init__(self, executor: Executor, subject: Any, *given: Any) -> None:
        require_executor(executor)
        super().__init__(subject, *given)
        self.executor, self.settings = executor, Settings(uuid4().hex, subject, *given)

    @property
    def lanes(self) -> int:
        """How many cases are asked at once: as many as the executor has workers."""
        return int(getattr(self.executor, "_max_workers", None) or os.cpu_count() or 1)

    def judged(self, name: str, relations: bool = True) -> list[Record]:
        """Let the executor ask a case; return its records."""
        with self.asker.lock.released():
            try:
                return self.executor.submit(_judged_there, self.settings, name, relations).result()
            except Exception as error:
                self.require_pickle(error)
                raise

    def require_pickle(self, error: Exception) -> None:
        """Raise a ValueError if what went wrong is that the subject cannot be pickled."""
        try:
            pickle.dumps(self.settings)
        except Exception as why:
            raise ValueError(
                f"subject is {self.subject.name}, of which another process cannot be told:"
                f" {sentence_of(why)[:100]}; without an executor it is asked in a fork"
            ) from error

    def close(self) -> None:
        """End what asks in this process."""
        super().close()
        _close_kept(self.settings.token)


def _judged_there(settings: Settings, name: str, relations: bool) -> list[Record]:
    """Ask a case, wherever this runs; return its records."""
    with _kept_auditor(settings) as auditor:
        return auditor.judged(name, relations)


@contextmanager
def _kept_auditor(settings: Settings) -> Iterator[Auditor]:
    """Lend an auditor that no other thread has; it is kept for the next task."""
    token, *given = settings
    kept = take(token)
    auditor = kept.auditor if kept else Auditor(*given)
    try:
        yield auditor
    except BaseException:
        auditor.close()
        raise
    keep(token, auditor)


def take(token: str) -> Kept | None:
    """Take one of the auditors kept for an audit; None if there is none."""
    with GUARD:
        kept = KEPT[token].pop() if KEPT.get(token) else None
    if kept is not None:
        kept.timer.cancel()
    return kept


def keep(token: str, auditor: Auditor) -> None:
    """Keep an auditor until it is idle, or this process ends."""
    timer = Timer(IDLE, _close_kept, [token, auditor])
    timer.daemon = True
    with GUARD:
        KEPT.setdefault(token, []).append(Kept(auditor, timer))
        _close_at_the_end()
    timer.start()


def _close_kept(token: str, idle: Auditor | None = None) -> None:
    """Close the auditors kept for an audit, or one of them that is idle."""
    with GUARD:
        every = KEPT.pop(token, [])
        left = [kept for kept in every if idle is not None and kept.auditor is not idle]
        if left:
            KEPT[token] = left
    for kept in every:
        if kept not in left:
            kept.timer.cancel()
            kept.auditor.close()


def _close_all() -> None:
    """Close every auditor that is kept."""
    for token in list(KEPT):
        _close_kept(token)


@cache
def _close_at_the_end() -> None:
    """Let the end of this process close them; one of multiprocessing skips atexit."""
    from multiprocessing.util import Finalize

    Finalize(None, _close_all, exitpriority=1)
