"""Mutants: copies of a module with one small mistake in them, to see whether a test notices.

A mutant is made from the syntax tree, so that it always compiles: another comparison, plus for
minus, a constant one larger, a condition turned round, a statement left out, nothing returned.
One that is not noticed shows a line that no test depends on.

Docstrings, messages and annotations are left alone: they carry no number.
"""

import ast
import copy
import os
import shutil
import subprocess
import sys
import tempfile
from compileall import compile_dir
from os.path import commonprefix
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
COPIED = ["refsvm", "pytest_refsvm.py", "tests", "spec", "pyproject.toml"]
COPIED += ["README.md", "CHANGELOG.md"]
SWAPS = {
    ast.Lt: [ast.LtE, ast.Gt], ast.LtE: [ast.Lt, ast.GtE],
    ast.Gt: [ast.GtE, ast.Lt], ast.GtE: [ast.Gt, ast.LtE],
    ast.Eq: [ast.NotEq], ast.NotEq: [ast.Eq], ast.Is: [ast.IsNot], ast.IsNot: [ast.Is],
    ast.In: [ast.NotIn], ast.NotIn: [ast.In],
    ast.Add: [ast.Sub], ast.Sub: [ast.Add], ast.Mult: [ast.Div], ast.Div: [ast.Mult],
    ast.FloorDiv: [ast.Mult], ast.Mod: [ast.FloorDiv],
    ast.LShift: [ast.RShift], ast.RShift: [ast.LShift], ast.BitXor: [ast.BitOr],
    ast.And: [ast.Or], ast.Or: [ast.And],
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
VERDICTS = {  # by pytest's exit status
    0: "passes", 1: "fails",
    2: "fails",  # the mutant cannot even be imported
    5: "passes",  # no test was selected
    7: "fails on a draw",  # as unshrunk.py tells it
}
KEPT = 24  # letters on either side of a change that name its place
LEFT_OUT = (ast.AugAssign, ast.Raise, ast.Continue, ast.Break)


class Mutant(NamedTuple):
    """One mistake: in which function, on which line, what it is, and the module that has it."""

    path: Path
    function: str
    line: int
    what: str
    source: str
    change: str = ""  # the line, before and after: it names the mutant when others move

    def __str__(self):
        return f"{self.path.relative_to(ROOT)}:{self.line} {self.function}: {self.what}"


def mutants(path, functions=None):
    """Every Mutant of the module at this path, or of some functions in it, in a fixed order."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    before, found = ast.unparse(tree), []
    for function, parent, field, place, node in sites(tree):
        if functions is None or any(f"{function}.".startswith(f"{f}.") for f in functions):
            for what, new in changes(node):
                source = with_change(tree, parent, field, place, new)
                line, change = node_line(node, parent), changed_line(before, source)
                found.append(Mutant(path, function, line, what, source, change))
    return found


def changed_line(before, after):
    """What differs in the first line that does, as "before -> after", with what stands beside."""
    pairs = zip(before.split("\n"), after.split("\n"))
    old, new = next((old.strip(), new.strip()) for old, new in pairs if old != new)
    first = max(0, len(commonprefix([old, new])) - KEPT)
    last = max(0, len(commonprefix([old[::-1], new[::-1]])) - KEPT)
    return f"{old[first:len(old) - last]} -> {new[first:len(new) - last]}"


def sites(tree):
    """(function, parent, field, index in it or None, node) for what may be changed."""
    stack = [("", tree)]
    while stack:
        function, parent = stack.pop()
        for field, value in ast.iter_fields(parent):
            if field in ("annotation", "returns", "type_comment", "decorator_list"):
                continue
            for place, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if not isinstance(node, ast.AST) or isinstance(node, ast.JoinedStr):
                    continue
                if is_docstring(node) or isinstance(parent, ast.Raise):
                    continue
                name = function
                if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                    name = f"{function}.{node.name}" if function else node.name
                stack.append((name, node))
                yield name, parent, field, place, node


def is_docstring(node):
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def changes(node):
    """(what it is, the node instead) for each small mistake that this node offers."""
    for new in SWAPS.get(type(node), ()):
        yield f"{type(node).__name__} to {new.__name__}", new()
    if isinstance(node, ast.Constant):
        value = node.value
        if isinstance(value, bool):
            yield f"{value} to {not value}", ast.Constant(not value)
        elif isinstance(value, (int, float)):
            yield f"{value} to {value + 1}", ast.Constant(value + 1)
    elif isinstance(node, ast.UnaryOp):
        if isinstance(node.op, (ast.USub, ast.Not)):
            yield f"no {type(node.op).__name__}", node.operand
    elif isinstance(node, ast.Name) and node.id in NAMES:
        yield f"{node.id} to {NAMES[node.id]}", ast.Name(NAMES[node.id], node.ctx)
    elif isinstance(node, (ast.If, ast.While, ast.IfExp)):
        new = copy.deepcopy(node)
        new.test = ast.UnaryOp(ast.Not(), new.test)
        yield "the condition turned round", new
    elif isinstance(node, ast.Return) and not says_nothing(node.value):
        yield "nothing returned", ast.Return(None)
    elif isinstance(node, (*LEFT_OUT, ast.Expr)):
        yield "left out", ast.Pass()


def says_nothing(value):
    """Whether to return this and to return nothing is the same: None, or False as a condition."""
    return value is None or isinstance(value, ast.Constant) and value.value in (None, False)


def with_change(tree, parent, field, place, new):
    """The source of the tree with another node at one place; the tree stays as it was."""
    value = getattr(parent, field)
    if place is None:
        setattr(parent, field, new)
        source = ast.unparse(ast.fix_missing_locations(tree))
        setattr(parent, field, value)
    else:
        old, value[place] = value[place], new
        source = ast.unparse(ast.fix_missing_locations(tree))
        value[place] = old
    return source


def node_line(node, parent):
    return getattr(node, "lineno", getattr(parent, "lineno", 1))


class Workshop:
    """A copy of the project in which mutants are tried; the checkout itself is never touched."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="mutants-"))
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                ignore = shutil.ignore_patterns("__pycache__")
                shutil.copytree(source, self.folder / name, ignore=ignore)
            else:
                shutil.copy(source, self.folder / name)
        # Compiled once; a file that is changed is told by what stands in it, not by its time.
        compile_dir(self.folder / "refsvm", quiet=1,
                    invalidation_mode=PycInvalidationMode.CHECKED_HASH)

    def passes(self, tests, seconds=120, options=("--hypothesis-profile=breaking",)):
        """Whether the tests pass here: False if one fails or they take too long."""
        return self.verdict(tests, seconds, options) == "passes"

    def verdict(self, tests, seconds=120, options=("--hypothesis-profile=breaking",)):
        """Return "passes", "fails" (or takes too long), or "fails on a draw" of hypothesis."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider",
                   "-p", "tests.unshrunk", *options, *tests]
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        environment.pop("CI", None)
        try:
            done = subprocess.run(command, cwd=self.folder, env=environment, timeout=seconds,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        except subprocess.TimeoutExpired:
            return "fails"
        if done.returncode not in VERDICTS:
            raise SystemExit(f"{' '.join(tests)}: {done.stdout.decode()[-2000:]}")
        return VERDICTS[done.returncode]

    def verdict_on(self, mutant, tests, *limits):
        """Return the verdict of the tests on the mutant."""
        path = self.folder / mutant.path.relative_to(ROOT)
        original = path.read_text(encoding="utf-8")
        path.write_text(mutant.source, encoding="utf-8")
        try:
            return self.verdict(tests, *limits)
        finally:
            path.write_text(original, encoding="utf-8")

    def close(self):
        shutil.rmtree(self.folder)
