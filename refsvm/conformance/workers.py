"""Asking a subject in a process of its own, which may hang, exit or print what it likes.

    ask            hand a line over, wait until the deadline for the line that comes back
    the worker     python -m refsvm.conformance.workers: reads the pickled subject, then requests
    a fork         for what cannot be pickled or is defined in __main__, where there are forks
    a program      a command line, which speaks the same lines itself

Whoever hangs is killed, and whoever is dead is started again for the next request, so that one
bad problem costs one answer. While an answer is late the next problem is asked of another worker.
What the worker prints goes nowhere; what a dead one last wrote to standard error is told.
"""

import base64
import multiprocessing
import os
import pickle
import queue
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from functools import cached_property

from .protocol import Answer, answer_of, line_of, request_of
from .scheduling import Turn
from .subjects import CommandLine, Fixed, ModelFile

START = 120.0  # seconds that a worker may take to import what it needs
SLOW = 0.5  # seconds after which an answer is late, and another lane may go on
LANES = min(2, os.cpu_count() or 1)  # who hangs may take a whole processor


class InProcess:
    """A subject asked in this very process: fast, and without protection."""

    lanes = 1

    def __init__(self, subject):
        self.ask, self.turn = subject.answer, Turn()

    def close(self):
        """Nothing to end."""


class Isolated:
    """A subject asked through processes, each started when it is needed.

    One at a time but for those that are late: while one is, the turn is another lane's. A command
    line may keep files, so there is one lane for it; and one for forks, which should be made of a
    process with one thread.
    """

    def __init__(self, subject, deadline):
        self.subject, self.deadline, self.turn = subject, deadline, Turn()
        self.idle = []  # processes that answered, or are beginning

    @cached_property
    def text(self):
        """The subject as a worker reads it; None if none can."""
        return None if isinstance(self.subject, CommandLine) else pickled(self.subject)

    @property
    def lanes(self):
        """How many may ask at once."""
        return 1 if self.text is None else LANES

    def ask(self, request):
        """The Answer; one that says died or late, if none came."""
        process = None
        try:
            process = self.idle_process() or self.started()
            answer = answer_of(self.exchanged(process, line_of(request)))
            self.idle.append(process)
            return answer
        except ValueError as error:
            if process is not None:
                process.ended()
            return Answer(crashed=str(error))
        except queue.Empty:
            process.ended()
            if self.text is not None:
                self.idle.insert(0, self.started())  # it imports while others answer
            return Answer(late=f"no answer within {self.deadline:g} s")
        except (EOFError, BrokenPipeError):
            return Answer(died=process.ended())

    def exchanged(self, process, line):
        """The line that comes back; who has the turn gives it away while the line is late."""
        soon = min(SLOW, self.deadline)
        try:
            return process.exchanged(line, soon)
        except queue.Empty:
            with self.turn.left():
                return process.lines.next(self.deadline - soon)

    def idle_process(self):
        """One that is alive and waits; None if there is none."""
        while self.idle:
            process = self.idle.pop()
            if process.alive():
                return process
            process.ended()
        return None

    def started(self):
        """A new process that answers for the subject."""
        if self.text is not None:
            return Worker(self.text)
        if isinstance(self.subject, CommandLine):
            return Command(self.subject.command)
        return Fork(self.subject)

    def close(self):
        """End every process."""
        while self.idle:
            self.idle.pop().ended()


def asker(subject, isolate, deadline):
    """What asks the subject; a program always has a process, an answer given never."""
    answers_are_given = isinstance(subject, (Fixed, ModelFile))
    if isinstance(subject, CommandLine) or (isolate and not answers_are_given):
        return Isolated(subject, deadline)
    return InProcess(subject)


def pickled(subject):
    """The subject as bytes that another interpreter can read; None if it could not."""
    try:
        text = pickle.dumps(subject)
    except (pickle.PicklingError, AttributeError, TypeError):
        return None
    return None if b"__main__" in text else text


class Lines:
    """A stream of lines, read by a thread, so that waiting for one can end at a deadline."""

    def __init__(self, stream):
        self.lines = queue.Queue()
        self.thread = threading.Thread(target=self.read, args=[stream], daemon=True)
        self.thread.start()

    def read(self, stream):
        with stream, suppress(ValueError, OSError):  # what is no text ends it, too
            for line in stream:
                self.lines.put(line)
        self.lines.put(None)

    def next(self, deadline):
        """The next line; queue.Empty after the deadline, EOFError after the last line."""
        line = self.lines.get(timeout=deadline)
        if line is None:
            raise EOFError
        return line


class Process:
    """Lines to a process and back. A subclass sets writer, lines and errors."""

    def exchanged(self, line, deadline):
        """Write a line; the line that comes back."""
        self.write(line)
        return self.lines.next(deadline)

    def write(self, line):
        self.writer.write(line + "\n")
        self.writer.flush()

    def ended(self):
        """Kill it, if it lives; a sentence that says how it ended, with its last words."""
        status = self.killed()
        with suppress(OSError):
            self.writer.close()
        self.lines.thread.join()
        self.errors.seek(0)
        words = self.errors.read().decode(errors="replace").strip().splitlines()
        self.errors.close()
        return f"the process ended with status {status}" + (f": {words[-1]}" if words else "")


class Command(Process):
    """A command line."""

    def __init__(self, command, environment=()):
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
        self.writer = self.process.stdin
        self.lines = Lines(self.process.stdout)

    def alive(self):
        return self.process.poll() is None

    def killed(self):
        self.process.kill()
        return self.process.wait()


class Worker(Command):
    """Another Python, which reads a subject and answers for it."""

    def __init__(self, text):
        path = os.pathsep.join(sys.path)
        super().__init__([sys.executable, "-m", __name__], {"PYTHONPATH": path})
        self.ready = False
        self.write(base64.b64encode(text).decode())

    def exchanged(self, line, deadline):
        if not self.ready:
            self.ready = bool(self.lines.next(START))
        return super().exchanged(line, deadline)


class Fork(Process):
    """A copy of this process, which answers for a subject that only this process has."""

    def __init__(self, subject):
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
        self.lines = Lines(os.fdopen(to_parent[0], encoding="utf-8"))

    def alive(self):
        return self.process.is_alive()

    def killed(self):
        self.process.kill()
        self.process.join()
        return self.process.exitcode


def answer_in_fork(subject, to_child, to_parent, errors):
    """What the copy does until its input ends."""
    os.close(to_child[1])
    os.close(to_parent[0])
    os.dup2(errors, 2)
    silence()
    lines = os.fdopen(to_child[0], encoding="utf-8")
    serve(subject, lines, os.fdopen(to_parent[1], "w", encoding="utf-8"))
    os._exit(0)


def silence():
    """Send what is printed nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)


def serve(subject, lines, writer):
    """Answer each line that comes."""
    for line in lines:
        writer.write(line_of(subject.answer(request_of(line))) + "\n")
        writer.flush()


def main():
    """The worker: a line with the subject, a line back, then requests and answers."""
    writer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    silence()
    subject = pickle.loads(base64.b64decode(sys.stdin.readline()))
    writer.write("ready\n")
    writer.flush()
    serve(subject, sys.stdin, writer)


if __name__ == "__main__":
    main()
