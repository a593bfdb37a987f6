"""Subjects by their names: module:Name and file.py:Name, imported; else a command line.

A file is imported by its name, as a module of its folder, so that another process can import it,
too. Where that name means another module already, it gets one of its own, and is asked in a fork.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

from ..protocol.plain_values import one_line, sentence_of, text_of

LONGEST_IMPORT = 120.0  # seconds
PYTHON_NAME = re.compile(r"\w+(\.\w+)*:\w+(\.\w+)*")
FILE_NAME = re.compile(r"(.*\.py):(\w+(?:\.\w+)*)")


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeoutError after so many seconds, where there are signals, in the main thread."""

    def stop(*given: Any) -> None:
        raise TimeoutError(f"it takes longer than {seconds:g} s")

    if not hasattr(signal, "setitimer") or current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def import_subject(word: str) -> Any:
    """Return what module:Name or file.py:Name stands for; another word is a command line.

    >>> import_subject("math:inf"), import_subject("./train")
    (inf, './train')
    """
    in_file = FILE_NAME.fullmatch(word)
    if in_file is None and not PYTHON_NAME.fullmatch(word):
        return word
    module, _, name = word.rpartition(":")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        with time_limit(LONGEST_IMPORT):
            value = import_module(module) if in_file is None else _import_file(Path(module))
            for part in name.split("."):
                value = getattr(value, part)
    except (Exception, SystemExit) as error:  # whatever a module does when it is imported
        known = isinstance(error, (ImportError, AttributeError, TimeoutError))
        words = text_of(error) if known else sentence_of(error)
        raise ValueError(f"{word} cannot be imported: {one_line(words)}") from None
    return value


def _import_file(path: Path) -> Any:
    """Return the module that a file is; ImportError if there is no such file."""
    path, folder = path.resolve(), str(path.resolve().parent)
    if not path.is_file():
        raise ImportError(f"there is no file {path.name} in {folder}")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    known = sys.modules.get(path.stem)
    if path.stem.isidentifier() and (known is None or _is_of_file(known, path)):
        module = import_module(path.stem)
        if _is_of_file(module, path):
            return module
    spec = spec_from_file_location(f"file {path}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _is_of_file(module: Any, path: Path) -> bool:
    """Return whether a module was read from this file."""
    return Path(getattr(module, "__file__", None) or ".").resolve() == path
