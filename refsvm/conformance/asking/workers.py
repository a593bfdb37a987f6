"""Workers: a subject is asked in a process of its own, which may hang, exit, print or flood.

    Isolated   asks through a process, started when it is needed
    Worker     this module, run with -m: reads the pickled subject, then requests
    Fork       for what cannot be pickled or is defined in __main__, where there are forks
    Command    a command line, which reads and writes the same lines itself

A process that hangs is killed, and a dead one is started again for the next request, so that one
bad problem costs one answer. What a worker prints is thrown away; what a dead one last wrote to
standard error is in its answer.

Slow is no hang. The deadline that was given stands for quick subjects; of one that needs longer,
an answer is late when it takes SLOW_TIMES as long as its slowest so far. There is an end to this,
too, for a hang costs all of it: MAX_DEADLINES. The time in which other programs have the processor
makes no deadline grow.

The time that a program takes to start is not counted. What a new process spends before its first
line is its start and an answer; no line tells where the one ends. So the quickest first answer of
all processes so far bounds the start from above, and a first answer has that much more than the
deadline, doubled for a machine that has become busier. While there is none the longest start is
allowed. Python says when it has started, but may compile at the first call.
"""

from __future__ import annotations

import base64
import os
import pickle
import sys
from collections.abc import Callable, Iterable
from functools import cached_property
from threading import Lock
from typing import IO, Any, TypeVar, Union

from ...files.outputs import words_of
from ...numerics.cures import giving, retold, with_cure
from ...numerics.display import text_above
from ...numerics.validation import positive
from ..protocol import Answer, Request, request_from_line, to_line
from ..protocol.answer_reader import answer_from_line
from ..protocol.plain_values import RAISED, Malformed, sentence_of
from ..subjects import CommandLine, GivenAnswer, ProblemFunction, Subject
from ..subjects.estimator_adapter import Estimator
from .process_groups import private_lines
from .processes import Command, Fork, Late, Process

STARTUP = 120.0  # seconds that a worker may take to import what it needs
MOST_IN_VAIN = 8  # ends of the process before the first answer
SLOW_TIMES = 10
MAX_DEADLINES = 10
LONGEST_START = 15.0  # seconds
SHORTEST = 0.25  # seconds: of a start that takes no time at all
ONE_AT_A_TIME = Lock()  # in this process, whose warnings are caught meanwhile
Said = TypeVar("Said")


class Deadlines:
    """The deadline of each answer, by what the answers and starts so far needed.

    >>> deadlines = Deadlines(4.0)
    >>> deadlines.answered(2.0, is_first=True)
    >>> deadlines.answered(1.0, is_first=False)
    >>> deadlines.of_answer(), deadlines.allowance(is_first=True)
    (10.0, 4.0)
    """

    def __init__(self, given: float) -> None:
        self.given = given
        self.slowest: float | None = None  # of the answers that were no process's first
        self.quickest: float | None = None  # from a start to the first answer

    def answered(self, seconds: float, is_first: bool) -> None:
        """Note how long an answer took, which may be the first of its process."""
        if is_first:
            self.quickest = seconds if self.quickest is None else min(seconds, self.quickest)
        else:
            self.slowest = max(seconds, self.slowest or 0.0)

    def of_answer(self) -> float:
        """Return the seconds after which an answer is late."""
        return max(self.given, min(SLOW_TIMES * (self.slowest or 0), MAX_DEADLINES * self.given))

    def allowance(self, is_first: bool) -> float:
        """Return the seconds that an answer has besides.

        Until there is one that was no process's first, a start may be all that takes long.
        """
        if self.slowest is not None and not is_first:
            return 0.0
        if self.quickest is None:
            return LONGEST_START
        return min(LONGEST_START, 2 * max(SHORTEST, self.quickest))

    def sentence(self, is_first: bool) -> str:
        """Return what is said of a late answer."""
        deadline, allowance = self.of_answer(), self.allowance(is_first)
        start = f", nor in {allowance:.3g} s more that its start may take" if allowance else ""
        slowest = "" if self.slowest is None else text_above(self.slowest, 2)
        others = f"; others took {slowest} s at most" if slowest else ""
        return f"no answer within {deadline:.3g} s{start}{others}"


class InProcess:
    """A subject asked in this very process: fast, and without protection from a hang."""

    def __init__(self, subject: Estimator | ProblemFunction | GivenAnswer) -> None:
        self.subject = subject

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
    """A subject asked through a process, started when it is needed.

    What cannot be started even once is no subject: a ValueError.
    """

    def __init__(self, subject: Subject, deadline: float) -> None:
        self.subject = subject
        self.deadlines = Deadlines(float(positive(float, deadline, "deadline")))
        self.process: Process | None = None
        self.was_ready = False
        self.in_vain: int | None = 0  # times that it ended; None: it has answered once

    @cached_property
    def pickle(self) -> bytes | None:
        """The subject as a worker reads it; None if a worker cannot."""
        return None if isinstance(self.subject, CommandLine) else pickle_subject(self.subject)

    def ask(self, request: Request) -> Answer:
        """Return the Answer; one that says died, late or malformed, if none came."""
        try:
            return self.ask_line(to_line(request), lambda said: answer_from_line(said, request))
        except Unanswered as why:
            return Answer(**{why.kind: str(why)})

    def ask_line(self, line: str, read: Callable[[bytes], Said]) -> Said:
        """Return what `read` makes of the answer to a line; Unanswered if none came.

        NotAsked after a process has ended too often without any.
        """
        if self.in_vain == MOST_IN_VAIN:
            raise NotAsked(f"the process ended {self.in_vain} times, and has not answered once")
        process, deadlines = self.ready_process(), self.deadlines
        is_first = not process.has_answered
        try:
            seconds = deadlines.of_answer() + deadlines.allowance(is_first)
            said, took = process.exchange(line, seconds)
            answer = read(said)
        except Malformed as error:
            self.close()
            raise Unanswered("malformed", str(error)) from None
        except Late:
            self.close()
            raise Unanswered("late", deadlines.sentence(is_first)) from None
        except EOFError:
            words = self.close()
            is_program = isinstance(self.subject, CommandLine)
            if is_program and not is_first and process.child.poll() == 0:
                return self.ask_line(line, read)  # it ends after each answer
            self.in_vain = None if self.in_vain is None else self.in_vain + 1
            raise Unanswered("died", words) from None
        except BaseException:
            self.close()
            raise
        deadlines.answered(took, is_first)
        self.in_vain = None
        return answer

    def ready_process(self) -> Process:
        """Return a process that waits for a line.

        ValueError if there was never one, and Unanswered if another one cannot be had.
        """
        if self.process is not None and not self.process.is_alive():
            self.close()
        try:
            if self.process is None:
                self.process = self.start()
            if isinstance(self.process, Worker):
                self.process.require_ready()
        except NotReady as error:
            self.process = None
            if not self.was_ready:
                raise retold(error, f"{self.subject.name} cannot be asked: {error}") from None
            raise Unanswered("died", str(error)) from None
        self.was_ready = True
        return self.process

    def start(self) -> Process:
        """Start a process that answers for the subject; NotReady if that cannot be done."""
        try:
            if self.pickle is not None:
                return Worker(self.pickle)
            if isinstance(self.subject, CommandLine):
                return Command(self.subject.command, {"PYTHONPATH": _python_path(after=True)})
            if not hasattr(os, "fork"):
                cure = giving("say isolate=False", "isolate", False)
                raise with_cure(NotReady, "another process cannot import it;", cure)
            return Fork(lambda: serve(self.subject, *private_lines()))
        except OSError as error:
            raise NotReady(f"no process can be started: {words_of(error)}") from None

    def close(self) -> str:
        """End the process, if there is one; return a sentence that says how it ended."""
        process, self.process = self.process, None
        return "" if process is None else process.end()


class Unanswered(Exception):
    """A sentence: why no answer came. Its kind is died, late or malformed."""

    def __init__(self, kind: str, sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind


class NotAsked(ValueError):
    """A sentence: why the subject is asked no more."""


class NotReady(ValueError):
    """A sentence: why no process waits for a line."""


Asker = Union[InProcess, Isolated]


def asker_for(subject: Subject, isolate: bool, deadline: float) -> Asker:
    """Return what asks the subject; a command line always has a process, an answer never."""
    if isinstance(subject, CommandLine):
        return Isolated(subject, deadline)
    if isolate and not isinstance(subject, GivenAnswer):
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
