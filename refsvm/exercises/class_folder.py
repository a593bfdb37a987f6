"""A folder of a class's files: which exercises each file has, and how each does.

A file is read here for the names of its functions alone. It is run in a process of its own,
one for each exercise (student_file.py).

    right      wrong      missing    the body is that of the task
    no answer  it takes too long, or its process ends
    unread     the file is no Python, or raises when it is run
    -          the file has no such function
"""

from __future__ import annotations

import ast
from pathlib import Path

from .catalogue import EXERCISES
from .exercise import MISSING, Exercise
from .student_file import judge_file, source_of

WORDS = ("right", "wrong", "missing", "no answer", "unread", "-")
RIGHT, WRONG, MISSED, SILENT, UNREAD, NONE = WORDS


def python_files(folder: str) -> list[Path]:
    """Return the Python files of a folder and of those in it, hidden ones left out, in order."""
    found = sorted(Path(folder).rglob("*.py"))
    return [p for p in found if not any(n[0] == "." for n in p.relative_to(folder).parts)]


def written_in(path: Path) -> list[str] | None:
    """Return the exercises whose functions a file has, as the course has them; None: unread."""
    try:
        tree = ast.parse(source_of(str(path)))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return [name for name in EXERCISES if name in names]


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
