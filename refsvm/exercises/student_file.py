"""A file of a student's, asked in a process of its own: it may loop, print, or end the process.

The process is told the exercise and the file, and writes one line of JSON:

    {"refused": sentence}                                    the file has no such function
    {"right": bool, "sentence": text, "shown": [[name, value], ..]}      an Assessment

What the file prints goes nowhere, and what it reads is empty. Its memory is limited, and so is the
time of one answer; a process that does not keep to that is ended.
"""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from ..conformance.protocol.plain_values import one_line, sentence_of
from ..conformance.subjects.named_subjects import time_limit
from .catalogue import EXERCISES
from .checking import check
from .exercise import Assessment, Exercise

READING = 10.0  # seconds to read the file
LIMIT, LONG_LIMIT = 30.0, 300.0  # seconds for all answers; for those of the last exercise
MEMORY = 4 * 2**30  # bytes
ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = (  # without the current folder, where a copy.py of the student's may lie
    "import os, sys;"
    " sys.path[:] = [sys.argv[1], *(p for p in sys.path[1:] if p not in ('', os.getcwd()))];"
    " from refsvm.exercises.student_file import answer_for; answer_for(*sys.argv[2:])"
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
    with open(path, "rb"):
        pass  # or the sentence would come from the other process
    limit = LONG_LIMIT if exercise.check else LIMIT
    told = output_of([sys.executable, "-c", PROGRAM, str(ROOT), exercise.name, path], limit)
    if told is None:
        words = f"does not answer within {limit:g} seconds; does a loop never end?"
        return Assessment(False, f"{exercise.name} {words}")
    try:
        found = json.loads(told)
    except ValueError:
        return Assessment(False, f"{exercise.name} ends the process in which it is asked")
    if "refused" in found:
        raise ValueError(found["refused"])
    shown = [(name, value) for name, value in found["shown"]]
    return Assessment(found["right"], found["sentence"], shown)


def output_of(command: list[str], limit: float) -> str | None:
    """Return what a command writes on standard output, None if it takes longer than the limit."""
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
        start_new_session=os.name == "posix",
    ) as process:
        try:
            return process.communicate(timeout=limit)[0]
        except subprocess.TimeoutExpired:
            return None
        finally:
            end(process)


def end(process: subprocess.Popen[str]) -> None:
    """End a process and, where there are groups, what it has started."""
    with suppress(OSError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def answer_for(name: str, path: str) -> None:
    """Ask the file, write what is found, and leave at once, whatever the file has started."""
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as out:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        limit_memory()
        try:
            found = asked(EXERCISES[name], Path(path))._asdict()
        except ValueError as error:
            found = {"refused": str(error)}
        out.write(json.dumps(found))
    os._exit(0)


def asked(exercise: Exercise, path: Path) -> Assessment:
    """Return the verdict on the function of a file, in this process."""
    source, function = function_of(exercise.name, path)
    printed = sys.stdout = io.StringIO()
    try:
        return check(exercise, function, source, lambda: bool(printed.getvalue()))
    finally:
        sys.stdout = sys.__stdout__


def function_of(name: str, path: Path) -> tuple[str, Callable[..., Any]]:
    """Return the text of a file and its function of this name; ValueError if there is none."""
    try:
        source = path.read_bytes().decode("utf-8-sig")
        code = compile(source, str(path), "exec")
    except SyntaxError as error:
        raise ValueError(f"{path}, line {error.lineno}: {error.msg}") from None
    except ValueError as error:
        raise ValueError(f"{path} is no Python: {one_line(str(error))}") from None
    sys.path.append(str(path.resolve().parent))  # the last: it may hold a copy.py
    module = sys.modules["student"] = ModuleType("student")
    names = vars(module)
    names["__file__"] = str(path)
    try:
        with time_limit(READING):
            exec(code, names)
    except (Exception, SystemExit) as error:
        words = one_line(sentence_of(error))
        raise ValueError(f"{path} raises {words} when it is read") from None
    if callable(names.get(name)):
        return source, names[name]
    others = [word for word, value in names.items() if callable(value) and word[:2] != "__"]
    has = f"; it has {', '.join(others[:5])}" if others else ""
    raise ValueError(f"{path} has no function {name}{has}")


def limit_memory() -> None:
    """Let this process have no more than MEMORY bytes, where the system can say so."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
