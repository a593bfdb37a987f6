"""A file of a student's, which is read and called in a process of its own.

That process only answers calls (calls.py): what is right is judged in this one, which the file
cannot write into. Its limits are those of the audit's processes, and so is what ends it and all
that it has started. It may loop, print, or end the process: then there is no answer.

Of a folder each file is read here for the names of its functions alone, and in each exercise it is

    right      wrong      missing    the body is that of the task
    no answer  it takes too long, or its process ends
    unread     the file is no Python, or raises when it is run
    -          the file defines no such function; what it imports is another file's
"""

from __future__ import annotations

import ast
import json
import os
import sys
import time
import warnings
from pathlib import Path
from stat import S_ISREG
from typing import IO, Any, NamedTuple

from ..conformance.asking.processes import Command, Late
from ..conformance.protocol.answer_reader import object_from_line
from ..conformance.protocol.plain_values import Malformed, one_line, words
from ..numerics.quoting import quote
from .calls import Called, NoAnswer, called_of, document_of
from .catalogue import EXERCISES
from .checking import assess
from .exercise import MISSING_BODY, Assessment, Exercise

READING = 10.0  # seconds to start Python and to read the file
TRIALS = 30  # times the limit of one answer are the limit of all
MAX_FILE_BYTES = 2**20  # bytes of a file
ROOT = Path(__file__).resolve().parent.parent.parent
CHILD_PROGRAM = (  # without the current folder
    "import os, sys;"
    " sys.path[:] = [sys.argv[1], *(p for p in sys.path[1:] if p not in ('', os.getcwd()))];"
    " from refsvm.exercises.student_process import main; main()"
)


def judge_file(exercise: Exercise, path: str) -> Assessment:
    """Check the function of this name in a file.

    Raises
    ------
    OSError
        if the file cannot be read
    ValueError
        if it is no Python, cannot be run, or has no such function
    """
    return _judge_source(exercise, path, source_of(path))


def _judge_source(exercise: Exercise, path: str, source: str) -> Assessment:
    """Check the function of this name in the text of a file."""
    student = StudentProcess(exercise)
    try:
        student.read(path, source)
        return assess(exercise, student, source)
    finally:
        student.process.end()


def source_of(path: str) -> str:
    """Return the text of a file; ValueError if it can be no Python."""
    with open(path, "rb") as file:
        return _text_in(file, path)


def _text_in(file: IO[bytes], path: str) -> str:
    """Return the text that an open file has; ValueError if it can be no Python."""
    found = file.read(MAX_FILE_BYTES + 1)
    if len(found) > MAX_FILE_BYTES:
        raise ValueError(
            f"{path} has more than {MAX_FILE_BYTES >> 20} MB; a file of some lines is asked for"
        )
    if b"\0" in found:
        raise ValueError(f"{path} is no Python: it holds the character NUL")
    try:
        return found.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is no Python: byte {error.start + 1} is no UTF-8") from None


class StudentProcess:
    """The process that answers for a file."""

    def __init__(self, exercise: Exercise) -> None:
        self.exercise = exercise
        self.process = Command([sys.executable, "-c", CHILD_PROGRAM, str(ROOT)], {})
        self.until = 0.0  # of all answers
        self.calls = 0

    def read(self, path: str, source: str) -> None:
        """Have the file read; ValueError if it cannot be, or has no such function."""
        name = self.exercise.name
        asked = {"name": name, "path": path, "source": source, "folder": os.getcwd()}
        try:
            found = self.exchange(asked, READING)
            if "refused" in found:
                raise ValueError(words("refused", found["refused"]))
            if found != {"ready": True}:
                shown = one_line(quote(found))
                raise Malformed(f"the program wrote {shown}, which says nothing of the file")
        except Late:
            seconds = f"{READING:g} seconds"
            raise ValueError(f"{path} takes longer than {seconds} to be read") from None
        except EOFError:
            raise ValueError(f"{path} {self.ending()} when it is read") from None
        except Malformed as error:
            raise ValueError(f"{path} cannot be judged: {error}") from None
        self.until = time.monotonic() + TRIALS * self.exercise.seconds

    def __call__(self, *arguments: object) -> Called:
        """Return what came of a call; NoAnswer in words that follow the function's name."""
        left = self.until - time.monotonic()
        try:
            asked = {"arguments": [document_of(value) for value in arguments]}
            return called_of(self.exchange(asked, min(self.exercise.seconds, left)))
        except Late:
            seconds = self.exercise.seconds * (TRIALS if left < self.exercise.seconds else 1)
            late = f"does not answer within {seconds:g} seconds; does a loop never end?"
            raise NoAnswer(late) from None
        except EOFError:
            raise NoAnswer(self.ending()) from None
        except Malformed as error:
            raise NoAnswer(f"cannot be judged: {error}") from None

    def exchange(self, document: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Write a line and read one, within `seconds` of the time of the process."""
        self.calls += 1
        line, _ = self.process.exchange(json.dumps({"call": self.calls, **document}), seconds)
        found = object_from_line(line)
        if found.pop("call", None) != self.calls:  # the file may have written it, or fork
            raise Malformed("the program wrote what answers no call, or another one")
        return found

    def ending(self) -> str:
        """Return how the process has ended, in words that follow a name."""
        self.process.end()
        broken = self.process.group.broken
        return f"ends: {broken}" if broken else "ends the process in which it is asked"


OUTCOMES = ("right", "wrong", "missing", "no answer", "unread", "-")
RIGHT, WRONG, MISSED, UNANSWERED, UNREAD, NONE = OUTCOMES


def python_files(folder: str) -> list[Path]:
    """Return the Python files of a folder and of those in it, hidden ones left out, in order.

    A folder that cannot be read, or goes away meanwhile, has none.
    """
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name[0] != "."]
        found += [Path(place, name) for name in names if name[0] != "." and name[-3:] == ".py"]
    return sorted(found)


class HandedIn(NamedTuple):
    """A file as it was read, once: its text, and the exercises whose functions it has."""

    source: str
    names: list[str]


def handed_in(path: Path) -> HandedIn | None:
    """Return what a file is, which may be another one later; None: unread."""
    try:
        with open(path, "rb", opener=_open_at_once) as file, warnings.catch_warnings():
            if not S_ISREG(os.fstat(file.fileno()).st_mode):  # a pipe has no end
                return None
            warnings.simplefilter("ignore")  # of a text such as "\\d"
            source = _text_in(file, str(path))
            tree = ast.parse(source)
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    names = {name for node in tree.body for name in _defined_by(node)}
    return HandedIn(source, [name for name in EXERCISES if name in names])


def _open_at_once(name: str, flags: int) -> int:
    """Open a file, and wait for no writer of a pipe."""
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))


def _defined_by(node: ast.stmt) -> list[str]:
    """Return the names that a statement of a file defines."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    targets = list(node.targets) if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AnnAssign) and node.value:
        targets = [node.target]
    return [leaf.id for each in targets for leaf in ast.walk(each) if isinstance(leaf, ast.Name)]


def mark(exercise: Exercise, path: Path, handed: HandedIn | None) -> str:
    """Return how a file, as it was handed in, does in an exercise, in a word or two."""
    if handed is None:
        return UNREAD
    if exercise.name not in handed.names:
        return NONE
    try:
        found = _judge_source(exercise, str(path), handed.source)
    except (OSError, ValueError):
        return UNREAD
    if not found.answered:
        return UNANSWERED
    if found.sentence == f"{exercise.name}: {MISSING_BODY}":
        return MISSED
    return RIGHT if found.right else WRONG
