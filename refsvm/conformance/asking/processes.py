"""Processes that are asked by lines: a line to it, a line back, each by a deadline.

    Command    a program                  Fork    a copy of this process
    exchange   Late, Ended or Malformed where no line comes back that could be an answer
    end        nothing is left: neither the process, nor what it started, nor a file

A process starts in a temporary folder, in a session of its own. What it writes is kept up to a
line of a stated length, and of what it writes to standard error the end.

The deadline is of time that the process could use: while its threads could run and had no
processor, for other programs had them all, the clock stands still. The system tells this time.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import traceback
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from tempfile import TemporaryDirectory
from typing import Protocol

from .pipes import LONGEST_LINE, Late, LineReader, LineWriter, Pipes, Tail, open_pipes
from .process_groups import TOKEN, ProcessGroup, process_table

LINE_SHARE = 8  # bytes of an answer for each of its question, beside LONGEST_LINE
LARGEST_FILE = 2**30  # bytes
GRACE = 2.0  # seconds from the end of its output to the end of the process itself
MOST_QUEUED = 3  # deadlines more, for a process that waits for a processor
SHORTEST_TURN = 0.01  # seconds: what a process waits for on a machine that is idle
RUN = uuid.uuid4().hex  # begins the token of whatever this process starts
PATIENCE = 1.0  # seconds for a thread, when the other end of its pipe is gone


class Child(Protocol):
    """What is known of a process: its number, and its status when it has ended."""

    pid: int

    def poll(self) -> int | None:
        """Return the status; None while it runs."""

    def kill(self) -> None:
        """End it."""


class Process:
    """A process that answers lines. A subclass starts it."""

    has_answered = False  # set when it is asked
    queued_before: Mapping[str, float] = {}  # queue times of threads when it was asked last

    def __init__(self, allowance: int = 0) -> None:
        self.folder = TemporaryDirectory(prefix="refsvm-audit-")
        self.token = RUN + uuid.uuid4().hex
        pipes = open_pipes()
        try:
            self.child = self.start(pipes)
        except OSError:
            for pipe in pipes.ours:
                os.close(pipe)
            self.folder.cleanup()
            raise
        finally:
            for pipe in pipes.theirs:
                os.close(pipe)
        _limit_files(self.child.pid)
        self.group = ProcessGroup(self.child.pid, self.token, allowance)
        to_it, from_it, errors = pipes.ours
        self.writer, self.reader, self.errors = (
            LineWriter(to_it),
            LineReader(from_it),
            Tail(errors),
        )

    def start(self, pipes: Pipes) -> Child:
        """Start the process on its ends of the pipes; OSError if that cannot be done."""
        raise NotImplementedError

    def is_alive(self) -> bool:
        """Return whether the process runs."""
        return self.child.poll() is None and not self.group.broken

    def exchange(self, line: str, seconds: float) -> bytes:
        """Write a line; return the line that comes back."""
        self.reader.refuse_early_lines()
        self.queued_before = self.group.queue_times()
        self.write(line)
        return self.reader.next(seconds)

    def next_line(self, seconds: float, deadline: float) -> bytes:
        """Return the line that comes; the time that it waits for a processor is not counted.

        That is at most MOST_QUEUED deadlines, for a program of many threads waits for itself.
        """
        given = 0.0
        while True:
            try:
                return self.reader.next(seconds)
            except Late:
                seconds = min(self.queued(), MOST_QUEUED * deadline) - given
                if seconds < SHORTEST_TURN:
                    raise
                given += seconds

    def queued(self) -> float:
        """Return how long a thread of it has waited for a processor since it was asked."""
        before = self.queued_before
        times = self.group.queue_times().items()
        return max((time - before.get(thread, 0.0) for thread, time in times), default=0.0)

    def write(self, line: str) -> None:
        """Write a line as soon as it is read."""
        words = line.encode()
        self.reader.longest = LONGEST_LINE + LINE_SHARE * len(words)
        self.writer.lines.put(words + b"\n")

    def end(self) -> str:
        """End all that it started; return a sentence that says how it ended."""
        status = wait(self.child, GRACE if self.reader.has_ended else 0)
        self.group.end()
        self.child.kill()  # where groups cannot be seen
        if status is None:
            wait(self.child, PATIENCE)
        self.writer.lines.put(None)
        for thread in (self.errors, self.reader, self.writer):
            thread.join(PATIENCE)
        with suppress(OSError, RecursionError):
            self.folder.cleanup()
        if self.group.broken:
            return self.group.broken
        if status is None:
            return "the process closed its output" + self.words()
        return f"the process ended with status {status}" + self.words()

    def words(self) -> str:
        """Return its last words, as they stand in a sentence."""
        last = self.errors.last_line()
        return f": {last}" if last else ""


def wait(child: Child, seconds: float) -> int | None:
    """Return the status of a process that ends within so many seconds, else None."""
    until = time.monotonic() + seconds
    while child.poll() is None and time.monotonic() < until:
        time.sleep(0.005)
    return child.poll()


def _limit_files(pid: int) -> None:
    """Limit the size of the files that a process writes, where that can be done (Linux)."""
    with suppress(ImportError, AttributeError, OSError):
        import resource

        resource.prlimit(pid, resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))
        resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))


class Command(Process):
    """A program, with more in its environment."""

    def __init__(self, command: list[str], environment: Mapping[str, str]) -> None:
        self.command, self.environment = command, environment
        super().__init__()

    def start(self, pipes: Pipes) -> Child:
        reads, writes, words = pipes.theirs
        return subprocess.Popen(
            self.command,
            stdin=reads,
            stdout=writes,
            stderr=words,
            cwd=self.folder.name,
            start_new_session=True,
            env={**os.environ, **self.environment, TOKEN: self.token},
        )


class ForkedChild:
    """A fork of this process."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.status: int | None = None

    def poll(self) -> int | None:
        """Return the status; None while it runs."""
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.status = os.waitstatus_to_exitcode(status) if pid else None
        return self.status

    def kill(self) -> None:
        """End it, unless it has ended and been waited for."""
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)


class Fork(Process):
    """A copy of this process, which calls a function and ends."""

    def __init__(self, act: Callable[[], None]) -> None:
        self.act = act
        here = process_table().get(os.getpid())
        super().__init__(here.resident if here else 0)  # its copy is not its own memory

    def start(self, pipes: Pipes) -> Child:
        pid = os.fork()
        if pid:
            return ForkedChild(pid)
        status = 1
        try:
            os.setsid()
            os.chdir(self.folder.name)
            for number, pipe in enumerate(pipes.theirs):
                os.dup2(pipe, number)
            for pipe in (*pipes.theirs, *pipes.ours):
                os.close(pipe)
            sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
            status = status_of(self.act)
        finally:
            os._exit(status)


def status_of(act: Callable[[], None]) -> int:
    """Call a function; return the status of a Python that ends with it."""
    try:
        act()
    except SystemExit as left:
        if isinstance(left.code, int):
            return left.code & 255
        if left.code is not None:
            print(left.code, file=sys.stderr, flush=True)
        return int(left.code is not None)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        return 1
    return 0
