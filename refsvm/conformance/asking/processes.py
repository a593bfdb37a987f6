"""Processes that are asked by lines: a line to it, a line back, each by a deadline.

    Command    a program                  Fork    a copy of this process
    exchange   Late, EOFError or Malformed where no line comes back that could be an answer
    end        nothing is left: neither the process, nor what it started, nor a file

A process starts in a temporary folder, in a session of its own. Its pipes cannot make this process
wait: threads write them and read them. What it writes is kept up to a line of a stated length and
a number of lines, and of what it writes to standard error the end. The queues are queue.Queue: in
Python 3.9 SimpleQueue.get may wait for ever when the time it is given is over before it begins.

The deadline is of time that the process could use: while its threads could run and had no
processor, for other programs had them all, the clock stands still. The system tells this time.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import time
import traceback
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from tempfile import TemporaryDirectory
from threading import TIMEOUT_MAX, Thread
from typing import Union

from ...numerics.quoting import quote
from ..protocol.plain_values import Malformed, one_line
from .process_groups import (
    FOLDER_PREFIX,
    PARENT,
    SHELL,
    TOKEN,
    Heir,
    ProcessGroup,
    process_table,
    queue_times,
    remove_orphaned,
)

CHUNK = 2**16  # bytes read at once
LONGEST_LINE = 2**20  # bytes
LINE_SHARE = 8  # bytes of an answer for each of its question, beside LONGEST_LINE
MOST_LINES = 16  # kept before they are asked for
LAST_WORDS = 2**12  # bytes kept of standard error
LARGEST_FILE = 2**30  # bytes
GRACE = 2.0  # seconds from the end of its output to the end of the process itself
MOST_QUEUED = 3  # times as long again, for a process that waits for a processor
SHORTEST_TURN = 0.01  # seconds: what a process waits for on a machine that is idle
RUN = uuid.uuid4().hex  # begins the token of whatever this process starts
JOIN_SECONDS = 1.0  # seconds for a thread, when the other end of its pipe is gone
Ends = tuple[int, int, int]  # of pipes: standard input, output, errors


# ---- pipes


class Late(Exception):
    """No line within the deadline."""


class LineReader(Thread):
    """Reads lines from a pipe, up to the bounds on a line and on their number."""

    def __init__(self, pipe: int) -> None:
        super().__init__(daemon=True)
        self.pipe, self.longest, self.has_ended = pipe, LONGEST_LINE, False
        self.lines: queue.Queue[bytes | Exception] = queue.Queue()
        self.start()

    def run(self) -> None:
        """Put every line into the queue, then why there are no more."""
        rest = b""
        end: Exception = EOFError()
        for chunk in _chunks_of(self.pipe):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines[: MOST_LINES + 1]:
                self.lines.put(line)
            if max(map(len, [*lines, rest])) > self.longest:
                size = f"{self.longest / 2**20:.3g} MB"
                end = Malformed(f"the program wrote a line longer than {size}")
                break
            if self.lines.qsize() > MOST_LINES:
                end = Malformed("the program wrote more lines than it was asked for")
                break
        self.has_ended = True
        self.lines.put(end)
        os.close(self.pipe)

    def next(self, seconds: float) -> bytes:
        """Return the next line."""
        try:
            line = self.lines.get(timeout=min(max(seconds, 0.0), TIMEOUT_MAX))
        except queue.Empty:
            raise Late from None
        if isinstance(line, Exception):
            raise line
        return line

    def refuse_early_lines(self) -> None:
        """Refuse a line that came before it was asked for: it would be taken for the answer."""
        with suppress(Late):
            shown = quote(self.next(0).decode(errors="replace"))
            raise Malformed(f"the program wrote {shown}; nothing had been asked")


class Tail(Thread):
    """Reads a pipe to its end, and keeps the last words."""

    def __init__(self, pipe: int) -> None:
        super().__init__(daemon=True)
        self.pipe, self.kept = pipe, b""
        self.start()

    def run(self) -> None:
        """Read until the end."""
        for chunk in _chunks_of(self.pipe):
            self.kept = (self.kept + chunk)[-LAST_WORDS:]
        os.close(self.pipe)

    def last_line(self) -> str:
        """Return the last line that has words."""
        lines = self.kept.decode(errors="replace").strip().splitlines()
        return one_line(lines[-1]) if lines else ""


class LineWriter(Thread):
    """Writes lines to a pipe that may not be read at the other end."""

    def __init__(self, pipe: int) -> None:
        super().__init__(daemon=True)
        self.pipe = pipe
        self.lines: queue.Queue[bytes | None] = queue.Queue()
        self.start()

    def run(self) -> None:
        """Write each line of the queue, until None or until nothing reads any more."""
        with suppress(OSError):
            while (line := self.lines.get()) is not None:
                while line:
                    line = line[os.write(self.pipe, line) :]
        os.close(self.pipe)


def _chunks_of(pipe: int) -> Iterator[bytes]:
    """Yield what a pipe holds, until its end."""
    with suppress(OSError):
        while chunk := os.read(pipe, CHUNK):
            yield chunk


# ---- processes


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


Child = Union["subprocess.Popen[bytes]", ForkedChild]


class Process:
    """A process that answers lines. A subclass starts it."""

    has_answered = False

    def __init__(self, allowance: int = 0) -> None:
        self.folder = TemporaryDirectory(prefix=FOLDER_PREFIX)
        self.token = RUN + uuid.uuid4().hex
        (reads, to_it), (from_it, writes), (errors, words) = os.pipe(), os.pipe(), os.pipe()
        theirs, ours = (reads, writes, words), (to_it, from_it, errors)
        try:
            self.child = self.start(theirs, ours)
        except OSError:
            _close_all(ours)
            self.folder.cleanup()
            raise
        finally:
            _close_all(theirs)
        _limit_files(self.child.pid)
        self.group = ProcessGroup(self.child.pid, self.token, allowance)
        self.writer, self.reader = LineWriter(to_it), LineReader(from_it)
        self.errors = Tail(errors)

    def start(self, theirs: Ends, ours: Ends) -> Child:
        """Start the process on its ends of the pipes; OSError if that cannot be done."""
        raise NotImplementedError

    def is_alive(self) -> bool:
        """Return whether the process runs."""
        return self.child.poll() is None and not self.group.broken

    def exchange(self, line: str, seconds: float) -> tuple[bytes, float]:
        """Write a line; return the line that comes back, and the seconds that it took.

        The time is not counted in which it waits for a processor: at most MOST_QUEUED times as
        long as is given, for a program of many threads waits for itself.
        """
        self.reader.refuse_early_lines()
        before, begun, queued = self.queue_times(), time.monotonic(), 0.0
        self.write(line)
        while True:
            try:
                said = self.reader.next(begun + seconds + queued - time.monotonic())
            except Late:
                more = min(self.queued_since(before), MOST_QUEUED * seconds)
                if more < queued + SHORTEST_TURN:
                    raise
                queued = more
            else:
                self.has_answered = True
                return said, time.monotonic() - begun - self.queued_since(before)

    def queue_times(self) -> dict[str, float]:
        """Return how long each of its threads has waited for a processor."""
        return queue_times(list(self.group.known))

    def queued_since(self, before: Mapping[str, float]) -> float:
        """Return how much longer one of its threads has waited for a processor by now."""
        times = self.queue_times().items()
        return max((time - before.get(thread, 0.0) for thread, time in times), default=0.0)

    def write(self, line: str) -> None:
        """Write a line as soon as it is read."""
        words = line.encode()
        self.reader.longest = LONGEST_LINE + LINE_SHARE * len(words)
        self.writer.lines.put(words + b"\n")

    def end(self) -> str:
        """End all that it started; return a sentence that says how it ended."""
        status = _wait(self.child, GRACE if self.reader.has_ended else 0)
        self.group.end()
        self.child.kill()  # where groups cannot be seen
        if status is None:
            _wait(self.child, JOIN_SECONDS)
        self.writer.lines.put(None)
        for thread in (self.errors, self.reader, self.writer):
            thread.join(JOIN_SECONDS)
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


def _close_all(pipes: Ends) -> None:
    """Close these ends of pipes."""
    for pipe in pipes:
        os.close(pipe)


def _wait(child: Child, seconds: float) -> int | None:
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

    def start(self, theirs: Ends, ours: Ends) -> Child:
        self.heir = Heir(self.folder.name) if os.path.exists(SHELL) else None
        try:
            child = self.started(theirs)
        except OSError:
            self.dismiss_heir()
            raise
        if self.heir:
            self.heir.note(child.pid)
        return child

    def dismiss_heir(self) -> None:
        if self.heir:
            self.heir.dismiss()

    def end(self) -> str:
        words = super().end()
        self.dismiss_heir()
        return words

    def started(self, theirs: Ends) -> subprocess.Popen[bytes]:
        """Start the program, in a session and a process group of its own."""
        return subprocess.Popen(
            self.command,
            stdin=theirs[0],
            stdout=theirs[1],
            stderr=theirs[2],
            cwd=self.folder.name,
            start_new_session=True,
            env={
                **os.environ,
                **self.environment,
                TOKEN: self.token,
                PARENT: str(os.getpid()),
            },
        )


class Fork(Process):
    """A copy of this process, which calls a function and ends."""

    def __init__(self, act: Callable[[], None]) -> None:
        self.act = act
        here = process_table().get(os.getpid())
        super().__init__(here.resident if here else 0)  # its copy is not its own memory

    def start(self, theirs: Ends, ours: Ends) -> Child:
        parent = os.getpid()
        pid = os.fork()
        if pid:
            return ForkedChild(pid)
        status = 1
        try:
            os.setsid()
            os.environ[PARENT] = str(parent)
            os.chdir(self.folder.name)
            for number, pipe in enumerate(theirs):
                os.dup2(pipe, number)
            _close_all(theirs)
            _close_all(ours)
            sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
            status = status_of(self.act)
            remove_orphaned(self.folder.name, parent)
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
