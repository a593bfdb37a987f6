"""Which quick tests faster loops or other programs can change: `--rest` runs them again.

A test runs again if it, or a fixture, function or other name of its file that it uses, names
refsvm_fast or another program, or skips. A page of examples runs again if any line of it does.
"""

import ast
import re
from functools import cache
from pathlib import Path

MAY_DIFFER = re.compile(r"""refsvm_fast | skip | find_spec | ^[ >]* (?:from | import) [ ] (?:
    equality | interrupting | libraries | peers |
    dask | joblib | libsvm | matplotlib | numpy | pandas | polars | scipy | sklearn | skops)""",
                        re.MULTILINE | re.VERBOSE)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
WHOLE = "the whole file"


def may_differ(item):
    """Whether a test of pytest's collection can do otherwise in the second run."""
    if not hasattr(item, "originalname"):  # a doctest
        return MAY_DIFFER.search(read(item.path)) is not None
    return not {item.originalname, WHOLE}.isdisjoint(names_that_differ(item.path))


@cache
def read(path):
    return path.read_text(encoding="utf-8")


@cache
def names_that_differ(path):
    """The names of a file that lead to a word of MAY_DIFFER; WHOLE where none is bound to it."""
    text = read(path)
    return reaching(text, lambda module: names_that_differ(file) if (
        file := Path(__file__).with_name(f"{module}.py")).exists() else frozenset())


def reaching(text, names_of=lambda module: frozenset()):
    """The names that a text binds and that lead, over others of them, to a word of MAY_DIFFER.

    `names_of` tells the same of a module that the text imports.
    """
    lines, found, uses = text.splitlines(), set(), []
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue  # the docstring
        bound = names_bound_by(statement)
        first = min(node.lineno for node in (statement, *decorators_of(statement)))
        if MAY_DIFFER.search("\n".join(lines[first - 1 : statement.end_lineno])):
            found |= bound
        elif isinstance(statement, ast.ImportFrom) and statement.module:
            there = names_of(statement.module.rpartition(".")[2])
            found |= {alias.asname or alias.name for alias in statement.names
                      if alias.name in there}
        uses.append((bound, names_used_by(statement)))
    while more := {name for bound, used in uses if used & found for name in bound} - found:
        found |= more
    return frozenset(found)


def names_bound_by(statement):
    """The names that a statement of a module binds; WHOLE for what acts on all tests of a file."""
    if isinstance(statement, DEFINITIONS):
        return {WHOLE if is_autouse(statement) else statement.name}
    bound = set()
    for node in ast.walk(statement):
        if isinstance(node, DEFINITIONS):
            bound.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
        elif isinstance(node, ast.alias):
            bound.add((node.asname or node.name).partition(".")[0])
    return {WHOLE} if "pytestmark" in bound else bound or {WHOLE}


def decorators_of(statement):
    return getattr(statement, "decorator_list", [])


def is_autouse(definition):
    """Whether a fixture is one that all tests of its file have."""
    return any(isinstance(node, ast.keyword) and node.arg == "autouse"
               for decorator in decorators_of(definition) for node in ast.walk(decorator))


def names_used_by(statement):
    """The names in a statement, and its parameters: a fixture is asked for as one."""
    names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
    return names | {node.arg for node in ast.walk(statement) if isinstance(node, ast.arg)}
