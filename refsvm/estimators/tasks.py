"""Tasks that share their data: run by any executor, each by itself, answered in their order.

    executor    a concurrent.futures.Executor, or None: one task after another, here
    number      of a task, from 0. Answers are put together by it, whichever is ready first, and of
                several errors that of the lowest number is raised: no executor changes the result
    shared      what every task needs, such as the rows

To send rows takes longer than many a fit. So they are written once to a temporary file, and a task
that goes to another process carries the name of the file and the SHA-256 of what is in it. A
process opens the file with its first task and keeps what is there until other data come. One that
does not see the file, on another machine, says so, and then the bytes travel with every task.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ..numerics.quoting import quote

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

Answer = TypeVar("Answer")
KEPT: dict[str, Any] = {}  # in a process that runs tasks: the data of the last digest
PROTOCOL = 5  # of pickles; the digest of equal data is the same under every Python


class UnreachableError(Exception):
    """The file of the shared data is not where a task runs, or holds other data."""


class Shared:
    """What every task needs: at hand in this process, and pickled as what finds it in others."""

    def __init__(self, value: Any) -> None:
        from threading import Lock  # which takes long to import

        self.value = value
        self.by_file = True
        self._lock = Lock()  # executors pickle in threads of their own
        self._path: str | None = None
        self._digest = ""
        self._payload = b""

    def opened(self) -> Any:
        """Return what is shared."""
        return self.value

    def __reduce__(self) -> tuple[Any, ...]:
        with self._lock:
            if not self._digest:
                self.pack()
        return Sent, (self._digest, self._path if self.by_file else None, self.travelling())

    def travelling(self) -> bytes:
        """Return the bytes that go with a task: none as long as a file holds them."""
        return b"" if self.by_file and self._path else self._payload

    def pack(self) -> None:
        """Pickle what is shared, and write it to a file, where one can be written."""
        import pickle
        import tempfile
        from hashlib import sha256

        self._payload = pickle.dumps(self.value, PROTOCOL)
        with suppress(OSError):
            number, path = tempfile.mkstemp(prefix="refsvm-", suffix=".pickle")
            self._path = path
            with open(number, "wb") as file:
                file.write(self._payload)
        self._digest = sha256(self._payload).hexdigest()

    def close(self) -> None:
        """Remove the file."""
        if self._path:
            with suppress(OSError):
                os.remove(self._path)


class Sent(NamedTuple):
    """What is shared, as it reaches another process."""

    digest: str
    path: str | None
    payload: bytes

    def opened(self) -> Any:
        """Return what is shared, kept since the first task or opened now."""
        if self.digest in KEPT:
            with suppress(KeyError):  # another thread may have other data
                return KEPT[self.digest]
        import pickle

        value = pickle.loads(self.payload or bytes_of(self.path, self.digest))
        KEPT.clear()
        KEPT[self.digest] = value
        return value


def bytes_of(path: str | None, digest: str) -> bytes:
    """Return what a file holds, if that is what the digest says."""
    from hashlib import sha256

    payload = b""
    with suppress(OSError), open(path or "", "rb") as file:
        payload = file.read()
    if sha256(payload).hexdigest() != digest:
        raise UnreachableError
    return payload


def call(function: Callable[..., Answer], shared: Shared | Sent, task: tuple[Any, ...]) -> Answer:
    """Answer one task, wherever this runs."""
    return function(shared.opened(), *task)


def require_executor(executor: Any) -> None:
    """Raise a TypeError unless this is None or a concurrent.futures.Executor."""
    if executor is None:
        return
    from concurrent.futures import Executor

    if not isinstance(executor, Executor):
        cure = "; give its get_executor()" if hasattr(executor, "get_executor") else ""
        raise TypeError(
            f"executor is {quote(executor)}; a concurrent.futures.Executor, such as"
            f" ProcessPoolExecutor(), is needed{cure}"
        )


def unheard(number: int, answer: Any) -> None:
    """Do nothing with an answer that comes."""


def answers(
    function: Callable[..., Answer],
    value: Any,
    tasks: Sequence[tuple[Any, ...]],
    executor: Executor | None,
    name_of: Callable[[int], str],
    on_answer: Callable[[int, Answer], object] = unheard,
) -> list[Answer]:
    """Return function(value, *task) of every task, in their order.

    name_of(number) names a task in an error; on_answer(number, answer) is called when one is
    there, in this thread. When a task fails, or Ctrl-C comes, those after it that have not begun
    are cancelled.
    """
    found: dict[int, Answer] = {}
    if executor is None:
        for number, task in enumerate(tasks):
            try:
                found[number] = function(value, *task)
            except Exception as error:
                raise named(error, name_of(number)) from error
            on_answer(number, found[number])
        return list(found.values())
    with closing(Shared(value)) as shared:
        try:
            gather(executor, function, shared, tasks, found, name_of, on_answer)
        except UnreachableError:
            shared.by_file = False
            gather(executor, function, shared, tasks, found, name_of, on_answer)
    return [found[number] for number in range(len(tasks))]


def gather(
    executor: Executor,
    function: Callable[..., Answer],
    shared: Shared,
    tasks: Sequence[tuple[Any, ...]],
    found: dict[int, Answer],
    name_of: Callable[[int], str],
    on_answer: Callable[[int, Answer], object],
) -> None:
    """Let the executor answer the tasks whose answers are not found yet, and add them to those."""
    from concurrent.futures import as_completed

    waiting = [number for number in range(len(tasks)) if number not in found]
    number_of: dict[Future[Answer], int] = {}
    failure: tuple[int, Exception] | None = None
    try:
        for number in waiting:
            number_of[executor.submit(call, function, shared, tasks[number])] = number
        left = set(waiting)
        for future in as_completed(number_of):
            number = number_of[future]
            if number not in left:  # it comes after one that failed
                continue
            left.remove(number)
            try:
                found[number] = future.result()
            except UnreachableError:
                raise
            except Exception as error:
                failure = number, error
                left = cancelled_after(number, left, number_of)
            else:
                on_answer(number, found[number])
            if not left:
                break
    finally:
        for future in number_of:
            future.cancel()
    if failure:
        number, error = failure
        raise named(error, name_of(number)) from error


def cancelled_after(number: int, left: set[int], number_of: dict[Future[Any], int]) -> set[int]:
    """Cancel the tasks after this one; return the numbers of those before it that are left."""
    for future, other in number_of.items():
        if other > number:
            future.cancel()
    return {other for other in left if other < number}


def named(error: Exception, name: str) -> Exception:
    """Return the error with the name of its task before its own words."""
    if isinstance(error, MemoryError):
        return error
    if isinstance(error, (ValueError, TypeError)):
        kind = ValueError if isinstance(error, ValueError) else TypeError
        return kind(f"{name}: {error}")
    return RuntimeError(f"{name}: {type(error).__name__}: {error}")
