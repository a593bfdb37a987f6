"""The process in which a student's file is read and its function is called.

It reads lines of JSON and writes one for each. The first is asked with the text of the file and
tells whether there is such a function, the others are those of calls.py:

    {"call": 1, "name": .., "path": .., "source": .., "folder": ..}
    {"call": 1, "ready": true}                {"call": 1, "refused": sentence}

The number says which line is answered: a file may fork, or write lines of its own.
What the file prints goes nowhere, and what it reads is empty.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from ..conformance.asking.process_groups import private_lines
from ..conformance.protocol.plain_values import RAISED, one_line, sentence_of
from .calls import calling, document_of_called, value_of

MEMORY = 4 * 2**30  # bytes of addresses, after which Python raises a MemoryError


class Printed(io.TextIOBase):
    """Standard output that tells whether anything was written, and keeps nothing."""

    has_text = False

    def write(self, text: str) -> int:
        """Note that there is text."""
        self.has_text = True
        return len(text)


def main() -> None:
    """Read the file, tell, and answer calls; leave when no more come."""
    lines, writer = private_lines()
    limit_memory()
    printed = sys.stdout = Printed()

    def tell(document: dict[str, Any]) -> None:
        writer.write(json.dumps({"call": given["call"], **document}) + "\n")
        writer.flush()

    given = json.loads(lines.readline())
    with suppress(OSError):
        os.chdir(given["folder"])
    try:
        function = function_of(given["name"], given["path"], given["source"])
    except ValueError as error:
        return tell({"refused": str(error)})
    tell({"ready": True})
    answer = calling(function, lambda: printed.has_text)
    for line in lines:
        given = json.loads(line)
        tell(document_of_called(answer(*map(value_of, given["arguments"]))))


def function_of(name: str, path: str, source: str) -> Callable[..., Any]:
    """Return the function of this name in the text of a file; ValueError if there is none."""
    try:
        code = compile(source, path, "exec")
    except SyntaxError as error:
        raise ValueError(f"{path}, line {error.lineno}: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        raise ValueError(f"{path} is no Python: {one_line(sentence_of(error))}") from None
    sys.path.append(str(Path(path).resolve().parent))  # the last: it may hold a copy.py
    module = sys.modules["student"] = ModuleType("student")
    names = vars(module)
    names["__file__"] = path
    try:
        exec(code, names)
    except RAISED as error:
        words = one_line(sentence_of(error)).rstrip(": ")
        raise ValueError(f"{path} raises {words} when it is read") from None
    if callable(names.get(name)):
        return names[name]  # type: ignore[no-any-return]
    others = [word for word, value in names.items() if callable(value) and word[:2] != "__"]
    has = f"; it has {', '.join(others[:5])}" if others else ""
    raise ValueError(f"{path} has no function {name}{has}")


def limit_memory() -> None:
    """Limit this process to MEMORY bytes, where the system can."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
