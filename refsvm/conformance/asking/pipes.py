"""Lines through pipes that cannot make this process wait: threads write them and read them.

    LineReader   lines, kept until they are asked for, up to bounds on their length and number
    LineWriter   lines, written as soon as they are read at the other end
    Tail         the last words of a pipe that is read to its end

The queues are queue.Queue: in Python 3.9 SimpleQueue.get may wait for ever when the time it is
given is over before it begins.
"""

from __future__ import annotations

import os
import queue
from contextlib import suppress
from threading import TIMEOUT_MAX, Thread
from typing import Any, NamedTuple

from ...numerics.quoting import quote
from ..protocol.plain_values import Malformed, one_line

CHUNK = 2**16  # bytes read at once
LONGEST_LINE = 2**20  # bytes, and LINE_SHARE times as many as the question has
MOST_LINES = 16  # kept before they are asked for
LAST_WORDS = 2**12  # bytes kept of standard error


class Late(Exception):
    """No line within the deadline."""


class Ended(Exception):
    """The output has ended."""


class TooLong(NamedTuple):
    """What stands in the place of a line that was not kept."""

    reason: str


class LineReader(Thread):
    """Reads lines from a pipe, up to the bounds on a line and on their number."""

    def __init__(self, pipe: int) -> None:
        super().__init__(daemon=True)
        self.pipe, self.longest, self.has_ended = pipe, LONGEST_LINE, False
        self.lines: queue.Queue[bytes | TooLong | None] = queue.Queue()
        self.start()

    def run(self) -> None:
        """Put every line into the queue, then None."""
        rest = b""
        for chunk in _chunks_of(self.pipe):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines[: MOST_LINES + 1]:
                self.lines.put(line)
            if max(map(len, [*lines, rest])) > self.longest:
                self.lines.put(TooLong(f"a line longer than {self.longest / 2**20:.3g} MB"))
                break
            if self.lines.qsize() > MOST_LINES:
                self.lines.put(TooLong("more lines than it was asked for"))
                break
        self.has_ended = True
        self.lines.put(None)
        os.close(self.pipe)

    def next(self, seconds: float) -> bytes:
        """Return the next line."""
        try:
            line = self.lines.get(timeout=min(max(seconds, 0.0), TIMEOUT_MAX))
        except queue.Empty:
            raise Late from None
        if line is None:
            raise Ended
        if isinstance(line, TooLong):
            raise Malformed(f"the program wrote {line.reason}")
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


def _chunks_of(pipe: int) -> Any:
    """Yield what a pipe holds, until its end."""
    with suppress(OSError):
        while chunk := os.read(pipe, CHUNK):
            yield chunk


class Pipes(NamedTuple):
    """Standard input, output and errors of a process: its own ends, then ours."""

    theirs: tuple[int, int, int]
    ours: tuple[int, int, int]


def open_pipes() -> Pipes:
    """Return three new pipes."""
    (reads, to_it), (from_it, writes), (errors, words) = os.pipe(), os.pipe(), os.pipe()
    return Pipes((reads, writes, words), (to_it, from_it, errors))
