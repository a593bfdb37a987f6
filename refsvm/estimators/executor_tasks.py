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
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, suppress
from operator import methodcaller
from typing import IO, TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from ..numerics.cures import Cure, retold, with_cure
from ..numerics.quoting import quote

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

Answer = TypeVar("Answer")
Task = tuple[Any, ...]  # the arguments after what is shared
Failure = tuple[int, Exception]  # of the task with this number
KEPT: dict[str, Any] = {}  # in a process that runs tasks: the data of the last digest
PROTOCOL = 5  # of pickles; the digest of equal data is the same under every Python


class Unreachable(NamedTuple):
    """The answer of a process that finds no file of the shared data, or one of other data."""

    path: str | None


class TaskAnswer(NamedTuple):
    """The answer of a task, as what ran it must give it back."""

    answer: Any


class Shared:
    """What every task needs: at hand here, and pickled as what finds it elsewhere (S13.6).

    The file has no name where all tasks are answered on this machine and /proc leads to what a
    process holds open (Linux): so nothing is left of a program that is killed.
    """

    def __init__(self, value: object, is_here: bool = False) -> None:
        from threading import Lock  # which takes long to import

        self.value = value
        self.has_name = not is_here or not os.path.exists("/proc/self/fd")
        self.by_file = True
        self._lock = Lock()  # executors pickle in threads of their own
        self._file: IO[bytes] | None = None
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
            if self.has_name:
                number, self._path = tempfile.mkstemp(prefix="refsvm-", suffix=".pickle")
                self._file = open(number, "wb")  # noqa: SIM115 (close() closes it)
            else:
                self._file = tempfile.TemporaryFile()  # noqa: SIM115
                self._path = f"/proc/{os.getpid()}/fd/{self._file.fileno()}"
            self._file.write(self._payload)
            self._file.flush()
        self._digest = sha256(self._payload).hexdigest()

    def close(self) -> None:
        """Close the file, and remove one that has a name."""
        with suppress(OSError):
            if self._file is not None:
                self._file.close()
            if self.has_name and self._path:
                os.remove(self._path)


class Sent(NamedTuple):
    """What is shared, as it reaches another process (S13.6)."""

    digest: str
    path: str | None
    payload: bytes

    def opened(self) -> Any:
        """Return what is shared, kept since the first task or opened now; or Unreachable."""
        if self.digest in KEPT:
            with suppress(KeyError):  # another thread may have other data
                return KEPT[self.digest]
        import pickle

        payload = self.payload or bytes_of(self.path, self.digest)
        if not payload:
            return Unreachable(self.path)
        value = pickle.loads(payload)
        KEPT.clear()
        KEPT[self.digest] = value
        return value


def bytes_of(path: str | None, digest: str) -> bytes:
    """Return what a file holds, if that is what the digest says; else nothing."""
    from hashlib import sha256

    payload = b""
    with suppress(OSError), open(path or "", "rb") as file:
        payload = file.read()
    return payload if sha256(payload).hexdigest() == digest else b""


def call_task(
    function: Callable[..., Answer], shared: Shared | Sent, task: Task
) -> TaskAnswer | Unreachable:
    """Answer one task, wherever this runs."""
    value = shared.opened()
    return value if isinstance(value, Unreachable) else TaskAnswer(function(value, *task))


def require_executor(executor: object) -> None:
    """Raise a TypeError unless this is None or a concurrent.futures.Executor."""
    if executor is None:
        return
    from concurrent.futures import Executor

    if not isinstance(executor, Executor):
        sentence = (
            f"executor is {quote(executor)}; a concurrent.futures.Executor, such as"
            " ProcessPoolExecutor(), is needed"
        )
        if hasattr(executor, "get_executor"):
            cure = Cure("give its get_executor()", "executor", methodcaller("get_executor"))
            raise with_cure(TypeError, f"{sentence};", cure)
        raise TypeError(sentence)


def require_future(given: Any) -> Any:
    """Return what an executor gave for a call; TypeError unless that is a Future."""
    from concurrent.futures import Future

    if not isinstance(given, Future):
        raise no_answer(given)
    return given


def unheard(number: int, answer: object) -> None:
    """Do nothing with an answer that comes."""


def answer_tasks(
    function: Callable[..., Answer],
    value: object,
    tasks: Sequence[Task],
    executor: Executor | None,
    name_of: Callable[[int], str],
    on_answer: Callable[[int, Answer], object] = unheard,
) -> list[Answer]:
    """Return function(value, *task) of every task, in their order (S13.4).

    name_of(number) names a task in an error; on_answer(number, answer) is called when one is
    there, in this thread. When a task fails, or Ctrl-C comes, what has not begun is cancelled.
    """
    found: dict[int, Answer] = {}

    def add(number: int, answer: Answer) -> None:
        found[number] = answer
        on_answer(number, answer)

    if executor is None:
        failure = _answer_here(function, value, tasks, add)
    else:
        from concurrent.futures import ProcessPoolExecutor

        is_here = isinstance(executor, ProcessPoolExecutor)
        with closing(Shared(value, is_here)) as shared:
            failure = _answer_by(executor, function, shared, dict(enumerate(tasks)), add)
            if isinstance(failure, Unreachable):
                shared.by_file = False
                left = {k: task for k, task in enumerate(tasks) if k not in found}
                failure = _answer_by(executor, function, shared, left, add)
    if failure is not None:
        number, error = cast(Failure, failure)
        raise _with_name(error, name_of(number)) from error
    return [found[number] for number in range(len(tasks))]


def _answer_here(
    function: Callable[..., Answer],
    value: object,
    tasks: Sequence[Task],
    add: Callable[[int, Answer], None],
) -> Failure | None:
    """Answer one task after another; return the number and the error of one that fails."""
    for number, task in enumerate(tasks):
        try:
            answer = function(value, *task)
        except Exception as error:
            return number, error
        add(number, answer)
    return None


def _answer_by(
    executor: Executor,
    function: Callable[..., Answer],
    shared: Shared,
    tasks: dict[int, Task],
    add: Callable[[int, Answer], None],
) -> Failure | Unreachable | None:
    """Let an executor answer the tasks; return the number and the error of the first that fails.

    After an error those before it may still fail, and are waited for.
    """
    left, failure = set(tasks), None
    with closing(_done(executor, function, shared, tasks)) as futures:
        for number, future in futures:
            if number in left:
                left.remove(number)
                try:
                    answer = future.result()
                    if not isinstance(answer, (TaskAnswer, Unreachable)):
                        raise no_answer(answer)
                except Exception as error:
                    failure = number, error
                    left = {other for other in left if other < number}
                else:
                    if isinstance(answer, Unreachable):
                        return answer
                    add(number, answer.answer)
            if not left:
                break
    return failure


def no_answer(given: object) -> TypeError:
    """Return the refusal of an executor that gives back something else than it must."""
    return TypeError(
        f"the executor gave back {quote(given)}; what the function returned is needed, by a"
        " Future of its own for each call"
    )


def _done(
    executor: Executor,
    function: Callable[..., Answer],
    shared: Shared,
    tasks: dict[int, Task],
) -> Generator[tuple[int, Future[TaskAnswer | Unreachable]], None, None]:
    """Generate the number and the future of each task that is done; at the end cancel others."""
    from concurrent.futures import as_completed

    number_of: dict[Future[TaskAnswer | Unreachable], int] = {}
    try:
        for number, task in tasks.items():
            future = require_future(executor.submit(call_task, function, shared, task))
            if future in number_of:
                raise no_answer(future)
            number_of[future] = number
        for future in as_completed(number_of):
            yield number_of[future], future
    finally:
        for future in number_of:
            future.cancel()


def _with_name(error: Exception, name: str) -> Exception:
    """Return the error with the name of its task before its own words."""
    if isinstance(error, MemoryError):
        return error
    if isinstance(error, (ValueError, TypeError)):
        return retold(error, f"{name}: {error}")
    return RuntimeError(f"{name}: {type(error).__name__}: {error}")
