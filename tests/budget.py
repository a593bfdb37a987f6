"""Each folder keeps to its budget of files and lines:  python3 tests/budget.py

tests/budget.toml says of each folder how many files it has, and how many lines of code, of
docstrings, of comments and of pages; blank lines count nowhere. A folder that is over its budget
makes room, or a commit of its own raises the number. Of one that has less the number is lowered,
so that it does not grow back unseen.

    --write            lower each number to what there is
    --write --raise    raise those that are exceeded, too
"""

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUDGET = ROOT / "tests" / "budget.toml"
HELD = "refsvm", "refsvm_fast", "tests", "docs", "spec"
BY_SUBFOLDER = "refsvm", "spec"  # which have a budget for each of their folders
LIKE_C = "//", "/*", "*/", "comment"  # what begins a comment; what stands about a longer text
LIKE_PYTHON = "#", '"""', '"""', "docstring"
LIKE_COQ = "(**)", "(*", "*)", "comment"
MARKS = {
    **dict.fromkeys([".c", ".h", ".css", ".js", ".mjs", ".java"], LIKE_C),
    **dict.fromkeys([".pyx", ".pxi", ".pxd", ".R", ".rb", ".pl"], LIKE_PYTHON),
    **dict.fromkeys([".v", ".ml"], LIKE_COQ),
}
KINDS = {"files": "files", "code": "lines of code", "docstring": "lines of docstrings",
         "comment": "lines of comments", "lines": "lines of pages"}
NOTE = "# What each folder has, and may have: tests/budget.py writes and holds it.\n\n"


def counted(text, suffix):
    """How many lines of each kind a file has."""
    lines = [line.strip() for line in text.split("\n")]
    if suffix in MARKS:
        return scanned(lines, *MARKS[suffix])
    kinds = ["lines"] * len(lines) if suffix == ".md" else of_python(text, len(lines))
    return Counter(kind for kind, line in zip(kinds, lines) if line)


def of_python(text, count):
    """The kind of each line of a Python program, as Python tells them apart."""
    kinds = ["code"] * count
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and token.line.strip() == token.string:
            kinds[token.start[0] - 1] = "comment"
    for node in ast.walk(ast.parse(text)):
        has_body = isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        if has_body and ast.get_docstring(node, clean=False) is not None:
            first, last = node.body[0].lineno - 1, node.body[0].end_lineno
            kinds[first:last] = ["docstring"] * (last - first)
    return kinds


def scanned(lines, mark, opening, closing, longer):
    """How many lines of each kind a program of another language has, by how they begin."""
    found, inside = Counter(), False
    for line in filter(None, lines):
        begins = not inside and line.startswith(opening)
        if inside or begins:
            found[longer] += 1
            inside = closing not in line[len(opening) * begins:]
        else:
            found["comment" if line.startswith(mark) else "code"] += 1
    return found


def folder_of(path):
    """The folder whose budget a file belongs to."""
    first, *rest = path.split("/")
    return f"{first}/{rest[0]}" if first in BY_SUBFOLDER and rest[1:] else first


def listed(*folders):
    """Names of the files of the checkout, without what git ignores."""
    words = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *folders]
    found = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    return found.stdout.splitlines()


def present():
    """{folder: its numbers} of the checkout."""
    found = defaultdict(Counter)
    for name in listed(*HELD):
        path = ROOT / name
        if path.suffix in (".py", ".pyi", ".md", *MARKS) and path.is_file():
            found[folder_of(name)].update(counted(path.read_text("utf-8"), path.suffix), files=1)
    return found


def allowed():
    """{folder: its numbers} of the file."""
    rows = re.findall(r'^"(.+)" = \{(.+)\}$', BUDGET.read_text("utf-8"), re.MULTILINE)
    return {folder: Counter({kind: int(n) for kind, n in re.findall(r"(\w+) = (\d+)", numbers)})
            for folder, numbers in rows}


def complaints(found, budget):
    """A sentence for each number that is not that of the budget."""
    numbers = [(folder, kind) for folder in sorted({*found, *budget}) for kind in KINDS]
    for folder, kind in numbers:
        has, may = (part.get(folder, Counter())[kind] for part in (found, budget))
        if has > may:
            yield (f"{folder} has {has} {KINDS[kind]}, and {may} are allowed: make room, or raise"
                   " it in tests/budget.toml by a commit of its own whose body says what the"
                   " reader gains")
        elif has < may:
            yield (f"{folder} has {has} {KINDS[kind]}, and its budget is {may}; lower it:"
                   " python3 tests/budget.py --write")


def toml(found):
    """The text of tests/budget.toml."""
    told = {folder: ", ".join(f"{kind} = {numbers[kind]}" for kind in KINDS if numbers[kind])
            for folder, numbers in sorted(found.items())}
    return NOTE + "".join(f'"{folder}" = {{{words}}}\n' for folder, words in told.items() if words)


def main(words):
    found = present()
    if "--write" in words:
        budget = found if "--raise" in words else allowed()
        least = {folder: found[folder] & numbers for folder, numbers in budget.items()}
        BUDGET.write_text(toml(least), encoding="utf-8")
    told = list(complaints(found, allowed()))
    print(*told, sep="\n", end="\n" * bool(told))
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
