"""What `python -O` and `-OO` drop decides and says nothing:  python3 tests/dropped_texts.py

The product has no `assert`, and reads no docstring: a verdict or a text that is one is gone where
Python is told to leave these out. A class may hand on the docstring of another, for help().
"""

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PRODUCT = "refsvm", "refsvm_fast", "spec/vectors/makers", "setup.py", "pytest_refsvm.py"
READERS = "__doc__", "getdoc", "__debug__"
IN_CYTHON = re.compile(r"^\s*assert\b|__doc__|\bgetdoc\b|__debug__")


def sources():
    """Each file of the product."""
    for name in PRODUCT:
        path = ROOT / name
        yield from [path] if path.is_file() else sorted(path.rglob("*.py*"))


def found_in(text, suffix=".py"):
    """The lines of a program that depend on what is dropped."""
    if suffix != ".py":
        lines = enumerate(text.splitlines(), 1)
        return [k for k, line in lines if IN_CYTHON.search(line)]
    tree = ast.parse(text)
    copies = {id(part) for node in ast.walk(tree) if is_copy(node) for part in ast.walk(node)}
    return sorted({node.lineno for node in ast.walk(tree) if id(node) not in copies
                   and (isinstance(node, ast.Assert) or reads_docstring(node))})


def is_copy(node):
    """Whether this is `__doc__ = Other.__doc__`, which only help() shows."""
    return isinstance(node, ast.Assign) and [ast.unparse(t) for t in node.targets] == ["__doc__"]


def reads_docstring(node):
    """Whether this names a docstring, or what finds one."""
    name = getattr(node, "id", None) or getattr(node, "attr", None)
    words = node.value if isinstance(node, ast.Constant) else None
    return name in READERS or words in READERS


def main():
    found = [(path, line) for path in sources() if path.suffix in (".py", ".pyx", ".pxi", ".pxd")
             for line in found_in(path.read_text("utf-8"), path.suffix)]
    for path, line in found:
        print(f"{path.relative_to(ROOT)}:{line}: python -OO drops what this reads or decides")
    return f"{len(found)} lines depend on assert or docstrings" if found else 0


if __name__ == "__main__":
    sys.exit(main())
