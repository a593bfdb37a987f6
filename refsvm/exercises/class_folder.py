"""A folder of a class's files: which exercises each file has, and how each does.

A file is read here for the names of its functions alone. It is run in a process of its own,
one for each exercise (student_file.py).

    right      wrong      missing    the body is that of the task
    no answer  it takes too long, or its process ends
    unread     the file is no Python, or raises when it is run
    -          the file defines no such function; what it imports is another file's
"""

from __future__ import annotations

import ast
import os
import warnings
from pathlib import Path

from .catalogue import EXERCISES
from .exercise import MISSING, Exercise
from .student_file import judge_file, source_of

WORDS = ("right", "wrong", "missing", "no answer", "unread", "-")
RIGHT, WRONG, MISSED, SILENT, UNREAD, NONE = WORDS


def python_files(folder: str) -> list[Path]:
    """Return the Python files of a folder and of those in it, hidden ones left out, in order.

    A folder that cannot be read, or goes away meanwhile, has none.
    """
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name[0] != "."]
        found += [Path(place, name) for name in names if name[0] != "." and name[-3:] == ".py"]
    return sorted(found)


def written_in(path: Path) -> list[str] | None:
    """Return the exercises whose functions a file has, as the course has them; None: unread."""
    if not path.is_file():  # a pipe has no end
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a text such as "\\d"
            tree = ast.parse(source_of(str(path)))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    names = {name for node in tree.body for name in _defined_by(node)}
    return [name for name in EXERCISES if name in names]


def _defined_by(node: ast.stmt) -> list[str]:
    """Return the names that a statement of a file defines."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    targets = list(node.targets) if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AnnAssign) and node.value:
        targets = [node.target]
    return [leaf.id for each in targets for leaf in ast.walk(each) if isinstance(leaf, ast.Name)]


def mark(exercise: Exercise, path: Path, written: list[str] | None) -> str:
    """Return how a file does in an exercise, in a word or two.

    written : the exercises that it has, as written_in tells them
    """
    if written is None:
        return UNREAD
    if exercise.name not in written:
        return NONE
    try:
        found = judge_file(exercise, str(path))
    except (OSError, ValueError):
        return UNREAD
    if not found.answered:
        return SILENT
    if found.sentence == f"{exercise.name}: {MISSING}":
        return MISSED
    return RIGHT if found.right else WRONG
