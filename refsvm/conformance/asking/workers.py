"""Workers: a subject is asked in a process of its own, which may hang, exit, print or flood.

    Isolated   asks through processes, started when they are needed
    Worker     this module, run with -m: reads the pickled subject, then requests
    Fork       for what cannot be pickled or is defined in __main__, where there are forks
    Command    a command line, which reads and writes the same lines itself

A process that hangs is killed, and a dead one is started again for the next request, so that one
bad problem costs one answer. While an answer is late the next problem is asked of another worker.
What a worker prints is thrown away; what a dead one last wrote to standard error is in its answer.

Slow is no hang, so the deadline grows with what a subject needs. That which was given stands for
quick subjects. Of one that needs seconds for a problem, an answer is late when it takes SLOW_TIMES
as long as the slowest so far about as many examples; where none of these is known, as the slowest
about fewer, each doubling of which takes GROWTH as long. There is an end to this, too, for a hang
costs all of it: MAX_DEADLINES. What late answers have cost is counted, so that others are given
up the sooner: one that is waited for ten deadlines as ten late ones (lateness.py).

Only what the subject itself needed makes its deadlines grow: not the time in which other programs
had the processor, nor that in which the audit judged another answer before it took this one.

The time that a program takes to start is not counted. What a new process spends before its first
line is its start and an answer; no line tells where the one ends. So the quickest first answer of
all processes so far bounds the start from above, and a first answer has that much more than the
deadline, doubled for a machine that has become busier. While there is none the longest start is
allowed, a few times: a program that hangs from the beginning costs these, and after them its
deadlines alone. Python says when it has started, but may compile at the first call: of it one such
start is allowed.
"""

from __future__ import annotations

import base64
import os
import pickle
import sys
import time
from collections.abc import Callable, Iterable
from functools import cached_property
from threading import Lock
from typing import IO, Any, Union

from ...files.outputs import words_of
from ...numerics.display import text_above
from ...numerics.validation import positive
from ..protocol import Answer, Request, request_from_line, to_line
from ..protocol.answer_reader import answer_from_line
from ..protocol.plain_values import RAISED, Malformed, sentence_of
from ..subjects import CommandLine, GivenAnswer, ModelFile, ProblemFunction, Subject
from ..subjects.estimator_adapter import Estimator
from .lateness import FairLock
from .private_lines import private_lines
from .processes import Command, Fork, Late, Process

STARTUP = 120.0  # seconds that a worker may take to import what it needs
MOST_IN_VAIN = 8  # ends of the process before the first answer
LATE_AFTER = 0.5  # seconds after which another worker may be asked
MOST_WORKERS = min(2, os.cpu_count() or 1)  # a hang may take a whole processor
SLOW_TIMES = 10
GROWTH = 4
MAX_DEADLINES = 10
LONGEST_START = 15.0  # seconds
MOST_STARTS = 4  # times that it is allowed before there is an answer
SHORTEST = 0.25  # seconds: of a start that takes no time at all
ONE_AT_A_TIME = Lock()  # in this process, whose warnings are caught meanwhile


class Deadlines:
    """The deadline of each answer, by what the answers and starts so far needed.

    >>> deadlines = Deadlines(4.0)
    >>> deadlines.answered(examples=8, seconds=1.0)
    >>> deadlines.of(2), deadlines.of(9), deadlines.of(100)
    (4.0, 10.0, 40.0)
    >>> deadlines.of(5) == deadlines.of(16) == 10.0
    True
    >>> deadlines.missed(10.0)
    >>> deadlines.cost
    2.5
    >>> deadlines.started_and_answered(2.0)
    >>> deadlines.allowance()
    4.0
    """

    def __init__(self, given: float, most_starts: int = MOST_STARTS) -> None:
        self.given, self.most_starts = given, most_starts
        self.slowest: dict[int, float] = {}  # by the size
        self.cost = 0.0  # of late answers, in deadlines as given
        self.quickest: float | None = None  # seconds from a start to the first answer
        self.in_vain = 0  # starts without an answer, before there was any

    def answered(self, examples: int, seconds: float) -> None:
        """Note how long an answer took."""
        size = _size_of(examples)
        self.slowest[size] = max(seconds, self.slowest.get(size, 0.0))

    def missed(self, seconds: float) -> None:
        """Note an answer that did not come within these seconds, its deadline."""
        self.cost += seconds / self.given

    def slowest_alike(self, examples: int) -> float | None:
        """Return the longest that an answer about as many examples took; None if none is known."""
        size = _size_of(examples)
        return max((t for s, t in self.slowest.items() if abs(s - size) <= 1), default=None)

    def of(self, examples: int) -> float:
        """Return the seconds after which an answer is late."""
        needed = self.slowest_alike(examples)
        if needed is None:
            size = _size_of(examples)
            smaller = [(s, t) for s, t in self.slowest.items() if s < size]
            nearest, slowest = max(smaller, default=(size, 0.0))
            needed = slowest * GROWTH ** (size - nearest)
        return max(self.given, min(SLOW_TIMES * needed, MAX_DEADLINES * self.given))

    def others_in_words(self, examples: int) -> str:
        """Return what answers about as many examples took, at the end of a sentence."""
        slowest = self.slowest_alike(examples)
        if slowest is None:
            return ""
        return f"; others of its size took {text_above(slowest, 2)} s at most"

    def allowance(self) -> float:
        """Return the seconds that the first answer of a process has beside its deadline."""
        if self.quickest is not None:
            return min(LONGEST_START, 2 * max(SHORTEST, self.quickest))
        return LONGEST_START if self.in_vain < self.most_starts else 0.0

    def started_and_answered(self, seconds: float) -> None:
        """Note how long the first answer of a process took."""
        self.quickest = seconds if self.quickest is None else min(seconds, self.quickest)

    def gave_no_answer(self) -> None:
        """Note a process that was late, or wrote something else."""
        self.in_vain += self.quickest is None


def _size_of(examples: int) -> int:
    """Return the logarithm of a number of examples, which doubles from each to the next."""
    return max(0, examples - 1).bit_length()


class InProcess:
    """A subject asked in this very process: fast, and without protection from a hang."""

    workers = 1
    cost_of_late = 0.0

    def __init__(self, subject: Estimator | ProblemFunction | GivenAnswer | ModelFile) -> None:
        self.subject, self.lock = subject, FairLock()

    def ask(self, request: Request) -> Answer:
        """Return the Answer; an exception that would end this process is one, too."""
        try:
            with ONE_AT_A_TIME:
                return self.subject.answer(request)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return Answer(died=f"it raises {sentence_of(error)}")

    def close(self) -> None:
        """Do nothing: there is no process to end."""


class Isolated:
    """A subject asked through processes, each started when it is needed.

    One at a time but for those that are late: while one is, the lock is released. A command line
    may keep files, so it has one process; and so have forks, which should be made of a process
    with one thread. What cannot be started even once is no subject: a ValueError.
    """

    def __init__(self, subject: Subject, deadline: float) -> None:
        self.subject, self.lock = subject, FairLock()
        starts = MOST_STARTS if isinstance(subject, CommandLine) else 1
        self.deadlines = Deadlines(float(positive(float, deadline, "deadline")), starts)
        self.idle: list[Process] = []  # those that answered, or are beginning
        self.was_ready = False
        self.in_vain: int | None = 0  # times that it ended; None: it has answered once

    @cached_property
    def pickle(self) -> bytes | None:
        """The subject as a worker reads it; None if a worker cannot."""
        return None if isinstance(self.subject, CommandLine) else pickle_subject(self.subject)

    @property
    def workers(self) -> int:
        """How many may be asked at once."""
        return 1 if self.pickle is None else MOST_WORKERS

    @property
    def cost_of_late(self) -> float:
        """What late answers have cost, in deadlines as given."""
        return self.deadlines.cost

    def ask(self, request: Request) -> Answer:
        """Return the Answer; one that says died, late or malformed, if none came."""

        def read(line: bytes) -> Answer:
            return answer_from_line(line, request)

        answer: Answer = self.ask_line(to_line(request), len(request.y), read, Answer)
        return answer

    def ask_line(
        self, line: str, examples: int, read: Callable[[bytes], Any], failed: Callable[..., Any]
    ) -> Any:
        """Return what `read` makes of the answer to a line about so many examples.

        If none came, `failed`, called with one of died, late and malformed, a sentence. NotAsked
        after a process has ended too often without any.
        """
        if self.in_vain == MOST_IN_VAIN:
            raise NotAsked(f"the process ended {self.in_vain} times, and has not answered once")
        try:
            process = self.ready_process()
        except NotReady as error:
            if not self.was_ready:
                raise ValueError(f"{self.subject.name} cannot be asked: {error}") from None
            return failed(died=str(error))
        deadline = self.deadlines.of(examples)
        # Until there is an answer that was no process's first, a start may be all that takes long.
        is_known = process.has_answered and self.deadlines.slowest
        allowance = 0.0 if is_known else self.deadlines.allowance()
        try:
            said, took = self.exchange(process, line, deadline, allowance)
            answer = read(said)
        except Malformed as error:
            process.end()
            self.deadlines.gave_no_answer()
            return failed(malformed=str(error))
        except Late:
            process.end()
            self.deadlines.missed(deadline)
            self.deadlines.gave_no_answer()
            if self.pickle is not None:
                self.idle.insert(0, self.start())  # it imports while others answer
            start = f", nor in {allowance:.3g} s more that its start may take" if allowance else ""
            others = self.deadlines.others_in_words(examples)
            return failed(late=f"no answer within {deadline:.3g} s{start}{others}")
        except EOFError:
            words = process.end()
            if self.ended_after_answer(process):
                return self.ask_line(line, examples, read, failed)
            self.in_vain = None if self.in_vain is None else self.in_vain + 1
            return failed(died=words)
        except BaseException:
            process.end()
            raise
        if process.has_answered:
            self.deadlines.answered(examples, took)
        else:
            self.deadlines.started_and_answered(took)
        self.idle.append(process)
        self.in_vain, process.has_answered = None, True
        return answer

    def ended_after_answer(self, process: Process) -> bool:
        """Return whether a program has answered before, and then ended without a fault."""
        is_program = isinstance(self.subject, CommandLine)
        return is_program and process.has_answered and process.child.poll() == 0

    def exchange(
        self, process: Process, line: str, deadline: float, allowance: float
    ) -> tuple[bytes, float]:
        """Write a line, return the line that comes back, and the seconds that it took.

        While it is late the lock is released. The process is charged for none of the time in which
        it had no processor, or in which this thread waits for its turn.
        """
        begun, soon = time.monotonic(), min(LATE_AFTER, deadline)
        try:
            return process.exchange(line, soon), time.monotonic() - begun
        except Late:
            with self.lock.released():
                said = process.next_line(deadline + allowance - soon, deadline)
                return said, time.monotonic() - begun - process.queued()

    def ready_process(self) -> Process:
        """Return a process that waits for a line; NotReady if none can be had."""
        process = self.idle_process() or self.start()
        if isinstance(process, Worker):
            process.require_ready()
        self.was_ready = True
        return process

    def idle_process(self) -> Process | None:
        """Return a process that is alive and waits; None if there is none."""
        while self.idle:
            process = self.idle.pop()
            if process.is_alive():
                return process
            process.end()
        return None

    def start(self) -> Process:
        """Start a process that answers for the subject; NotReady if that cannot be done."""
        try:
            if self.pickle is not None:
                return Worker(self.pickle)
            if isinstance(self.subject, CommandLine):
                return Command(self.subject.command, {"PYTHONPATH": _python_path(after=True)})
            if not hasattr(os, "fork"):
                raise NotReady("another process cannot import it; say isolate=False")
            return Fork(lambda: serve(self.subject, *private_lines()))
        except OSError as error:
            raise NotReady(f"no process can be started: {words_of(error)}") from None

    def close(self) -> None:
        """End every process."""
        while self.idle:
            self.idle.pop().end()


class NotAsked(ValueError):
    """A sentence: why the subject is asked no more."""


class NotReady(Exception):
    """A sentence: why no process waits for a line."""


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
    except RAISED:
        return None
    return None if b"__main__" in text else text


def _python_path(after: bool = False) -> str:
    """Return PYTHONPATH for a process that starts in another folder.

    What this Python has on its path; or what it was given, and then this folder, where the
    modules are of a program that is started here.
    """
    given = [*os.environ.get("PYTHONPATH", "").split(os.pathsep), "."] if after else sys.path
    paths = [path for path in given if path] if after else given
    return os.pathsep.join(map(os.path.abspath, paths))


class Worker(Command):
    """Another Python, which reads a subject and answers for it."""

    def __init__(self, subject: bytes) -> None:
        super().__init__([sys.executable, "-m", __name__], {"PYTHONPATH": _python_path()})
        self.ready = False
        self.write(base64.b64encode(subject).decode())

    def require_ready(self) -> None:
        """Wait until it has read the subject; NotReady if it does not."""
        try:
            self.ready = self.ready or bool(self.reader.next(STARTUP))
        except Late:
            self.end()
            raise NotReady(f"its import takes longer than {STARTUP:g} s") from None
        except (EOFError, Malformed):
            raise NotReady(self.end()) from None


def serve(subject: Any, lines: Iterable[str], writer: IO[str]) -> None:
    """Answer each line that comes."""
    for line in lines:
        writer.write(to_line(subject.answer(request_from_line(line))) + "\n")
        writer.flush()


def main() -> None:
    """Be a worker: read a line with the subject, write a line, then answer requests."""
    lines, writer = private_lines()
    subject = pickle.loads(base64.b64decode(lines.readline()))
    writer.write("ready\n")
    writer.flush()
    serve(subject, lines, writer)


if __name__ == "__main__":
    main()
