"""Workers: a subject is asked in a process of its own, which may hang, exit or print.

    ask        write a line, wait until the deadline for the line that comes back
    Worker     python -m refsvm.conformance.workers: reads the pickled subject, then requests
    Fork       for what cannot be pickled or is defined in __main__, where there are forks
    Command    a command line, which reads and writes the same lines itself

A process that hangs is killed, and a dead one is started again for the next request, so that one
bad problem costs one answer. While an answer is late the next problem is asked of another worker.
What a worker prints is thrown away; what a dead one last wrote to standard error is in its answer.
"""

from __future__ import annotations

import base64
import multiprocessing
import os
import pickle
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property
from typing import IO, Any, Union

from .estimator_adapter import Estimator
from .protocol import Answer, Request, answer_from_line, request_from_line, to_line
from .scheduling import FairLock
from .subjects import CommandLine, GivenAnswer, ModelFile, ProblemFunction, Subject

STARTUP = 120.0  # seconds that a worker may take to import what it needs
LATE_AFTER = 0.5  # seconds after which another worker may be asked
MOST_WORKERS = min(2, os.cpu_count() or 1)  # a hang may take a whole processor


class InProcess:
    """A subject asked in this very process: fast, and without protection."""

    workers = 1

    def __init__(self, subject: Estimator | ProblemFunction | GivenAnswer | ModelFile) -> None:
        self.ask, self.lock = subject.answer, FairLock()

    def close(self) -> None:
        """Do nothing: there is no process to end."""


class Isolated:
    """A subject asked through processes, each started when it is needed.

    One at a time but for those that are late: while one is, the lock is released. A command line
    may keep files, so it has one process; and so have forks, which should be made of a process
    with one thread.
    """

    def __init__(self, subject: Subject, deadline: float) -> None:
        self.subject, self.deadline, self.lock = subject, deadline, FairLock()
        self.idle: list[Process] = []  # those that answered, or are beginning

    @cached_property
    def pickle(self) -> bytes | None:
        """The subject as a worker reads it; None if a worker cannot."""
        return None if isinstance(self.subject, CommandLine) else pickle_subject(self.subject)

    @property
    def workers(self) -> int:
        """How many may be asked at once."""
        return 1 if self.pickle is None else MOST_WORKERS

    def ask(self, request: Request) -> Answer:
        """Return the Answer; one that says died or late, if none came."""
        try:
            process = self.idle_process() or self.start()
        except ValueError as error:
            return Answer(crashed=str(error))
        try:
            answer = answer_from_line(self.exchange(process, to_line(request)))
        except ValueError as error:
            process.kill()
            return Answer(crashed=str(error))
        except queue.Empty:
            process.kill()
            if self.pickle is not None:
                self.idle.insert(0, self.start())  # it imports while others answer
            return Answer(late=f"no answer within {self.deadline:g} s")
        except (EOFError, BrokenPipeError):
            return Answer(died=process.kill())
        self.idle.append(process)
        return answer

    def exchange(self, process: Process, line: str) -> str:
        """Write a line, return the line that comes back; while it is late, release the lock."""
        soon = min(LATE_AFTER, self.deadline)
        try:
            return process.exchange(line, soon)
        except queue.Empty:
            with self.lock.released():
                return process.lines.next(self.deadline - soon)

    def idle_process(self) -> Process | None:
        """Return a process that is alive and waits; None if there is none."""
        while self.idle:
            process = self.idle.pop()
            if process.is_alive():
                return process
            process.kill()
        return None

    def start(self) -> Process:
        """Start a process that answers for the subject."""
        if self.pickle is not None:
            return Worker(self.pickle)
        if isinstance(self.subject, CommandLine):
            return Command(self.subject.command)
        return Fork(self.subject)

    def close(self) -> None:
        """End every process."""
        while self.idle:
            self.idle.pop().kill()


Asker = Union[InProcess, Isolated]


def asker_for(subject: Subject, isolate: bool, deadline: float) -> Asker:
    """Return what asks the subject; a command line always has a process, an answer never."""
    if isinstance(subject, CommandLine):
        return Isolated(subject, deadline)
    if isolate and not isinstance(subject, (GivenAnswer, ModelFile)):
        return Isolated(subject, deadline)
    return InProcess(subject)


def pickle_subject(subject: Subject) -> bytes | None:
    """Return the subject as bytes that another interpreter can read; None if it could not."""
    try:
        text = pickle.dumps(subject)
    except (pickle.PicklingError, AttributeError, TypeError):
        return None
    return None if b"__main__" in text else text


class LineReader:
    """A stream of lines, read by a thread, so that waiting for one can end at a deadline."""

    def __init__(self, stream: IO[str]) -> None:
        self.lines: queue.Queue[str | None] = queue.Queue()
        self.thread = threading.Thread(target=self.read, args=[stream], daemon=True)
        self.thread.start()

    def read(self, stream: IO[str]) -> None:
        """Put every line into the queue, then None."""
        with stream, suppress(ValueError, OSError):  # what is no text ends it, too
            for line in stream:
                self.lines.put(line)
        self.lines.put(None)

    def next(self, deadline: float) -> str:
        """Return the next line; queue.Empty after the deadline, EOFError after the last line."""
        line = self.lines.get(timeout=deadline)
        if line is None:
            raise EOFError
        return line


class Process:
    """Lines to a process and back. A subclass sets the attributes."""

    writer: IO[str]
    lines: LineReader
    errors: IO[bytes]

    def is_alive(self) -> bool:
        """Return whether the process runs."""
        raise NotImplementedError

    def stop(self) -> int | None:
        """End the process; return its status."""
        raise NotImplementedError

    def exchange(self, line: str, deadline: float) -> str:
        """Write a line; return the line that comes back."""
        self.write(line)
        return self.lines.next(deadline)

    def write(self, line: str) -> None:
        """Write a line at once."""
        self.writer.write(line + "\n")
        self.writer.flush()

    def kill(self) -> str:
        """End the process; return a sentence that says how it ended, with its last words."""
        status = self.stop()
        with suppress(OSError):
            self.writer.close()
        self.lines.thread.join()
        self.errors.seek(0)
        words = self.errors.read().decode(errors="replace").strip().splitlines()
        self.errors.close()
        return f"the process ended with status {status}" + (f": {words[-1]}" if words else "")


class Command(Process):
    """A command line."""

    def __init__(self, command: list[str], environment: Iterable[tuple[str, str]] = ()) -> None:
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115
        try:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.errors,
                text=True,
                encoding="utf-8",
                env={**os.environ, **dict(environment)},
            )
        except OSError as error:
            self.errors.close()
            raise ValueError(f"{command[0]!r} cannot be run: {error.strerror}") from None
        assert self.process.stdin is not None and self.process.stdout is not None
        self.writer = self.process.stdin
        self.lines = LineReader(self.process.stdout)

    def is_alive(self) -> bool:
        return self.process.poll() is None

    def stop(self) -> int:
        self.process.kill()
        return self.process.wait()


class Worker(Command):
    """Another Python, which reads a subject and answers for it."""

    def __init__(self, subject: bytes) -> None:
        path = os.pathsep.join(sys.path)
        super().__init__([sys.executable, "-m", __name__], [("PYTHONPATH", path)])
        self.ready = False
        self.write(base64.b64encode(subject).decode())

    def exchange(self, line: str, deadline: float) -> str:
        if not self.ready:
            self.ready = bool(self.lines.next(STARTUP))
        return super().exchange(line, deadline)


class Fork(Process):
    """A copy of this process, which answers for a subject that only this process has."""

    def __init__(self, subject: Subject) -> None:
        if "fork" not in multiprocessing.get_all_start_methods():
            raise ValueError(
                f"{subject.name} cannot be imported by another process; say isolate=False"
            )
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115
        to_child, to_parent = os.pipe(), os.pipe()
        self.process = multiprocessing.get_context("fork").Process(
            target=answer_in_fork,
            daemon=True,
            args=[subject, to_child, to_parent, self.errors.fileno()],
        )
        self.process.start()
        os.close(to_child[0])
        os.close(to_parent[1])
        self.writer = os.fdopen(to_child[1], "w", encoding="utf-8")
        self.lines = LineReader(os.fdopen(to_parent[0], encoding="utf-8"))

    def is_alive(self) -> bool:
        return self.process.is_alive()

    def stop(self) -> int | None:
        self.process.kill()
        self.process.join()
        return self.process.exitcode


def answer_in_fork(
    subject: Subject, to_child: tuple[int, int], to_parent: tuple[int, int], errors: int
) -> None:
    """Answer for the subject until the input ends; then end the process."""
    os.close(to_child[1])
    os.close(to_parent[0])
    os.dup2(errors, 2)
    silence()
    lines = os.fdopen(to_child[0], encoding="utf-8")
    serve(subject, lines, os.fdopen(to_parent[1], "w", encoding="utf-8"))
    os._exit(0)


def silence() -> None:
    """Throw away what is printed."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)


def serve(subject: Any, lines: Iterable[str], writer: IO[str]) -> None:
    """Answer each line that comes."""
    for line in lines:
        writer.write(to_line(subject.answer(request_from_line(line))) + "\n")
        writer.flush()


def main() -> None:
    """Be a worker: read a line with the subject, write a line, then answer requests."""
    writer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    silence()
    subject = pickle.loads(base64.b64decode(sys.stdin.readline()))
    writer.write("ready\n")
    writer.flush()
    serve(subject, sys.stdin, writer)


if __name__ == "__main__":
    main()
