"""The folders of refsvm are floors: a file imports from its own folder and from earlier ones."""

import ast
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import mutation
import pytest

import refsvm
from docs.play import WITHOUT

ROOT = Path(__file__).parent.parent
FLOORS = [
    "numerics", "kernels", "svm", "theory", "online", "solvers", "files", "tables", "c99",
    "estimators", "plotting", "proofs", "conformance", "course",
    "exercises", "play", "commands", "sklearn",
]
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).replace(".__init__", ""): path
    for path in sorted((ROOT / "refsvm").rglob("*.py"))
}


@cache
def nodes_of(module):
    """The nodes of a module's syntax tree, those inside functions, too."""
    return list(ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))))


@cache
def imports_of(module):
    """The modules of refsvm that a module imports, anywhere in it: inside functions, too."""
    inside = MODULES[module].stem == "__init__"
    package = module.split(".") if inside else module.split(".")[:-1]
    found = set()
    for node in nodes_of(module):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name in MODULES}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else []
            source = ".".join([*base, *filter(None, [node.module])])
            for alias in node.names:
                whole = f"{source}.{alias.name}"
                found |= {whole if whole in MODULES else source} & set(MODULES)
    return found | named_in_strings(module, ".".join(package))


def named_in_strings(module, package):
    """The modules whose names are strings of a module that can import by name, or look into
    sys.modules: whole names, or as they are in its own folder. The tables of refsvm/__init__.py
    are left out: what is asked for there, a user asks for."""
    if not asks_by_name(module):
        return set()
    texts = {node.value.strip(".") for node in nodes_of(module) if isinstance(node, ast.Constant)
             and isinstance(node.value, str)} - table_of(module)
    return {name for text in filter(None, texts) for name in (text, f"{package}.{text}")
            if name in MODULES}


def asks_by_name(module):
    return any(name in ("import_module", "__import__", "modules") for name in map(
        lambda node: getattr(node, "id", getattr(node, "attr", None)), nodes_of(module)))


def table_of(module):
    """The strings of the table of public names."""
    return set(refsvm.PUBLIC) if module == "refsvm" else set()


def floor_of(module):
    """The place of a module's folder in FLOORS; None for what lies at the top."""
    parts = module.split(".")
    return FLOORS.index(parts[1]) if len(parts) > 1 and parts[1] in FLOORS else None


def test_every_module_lies_in_a_folder_that_is_a_floor():
    loose = {name for name in MODULES if floor_of(name) is None}
    assert loose == {"refsvm", "refsvm.__main__", "refsvm.version"}


@pytest.mark.parametrize("folder", FLOORS)
def test_a_folder_imports_only_from_those_before_it(folder):
    for module in MODULES:
        if module.startswith(f"refsvm.{folder}"):
            for other in imports_of(module) - {"refsvm", "refsvm.version"}:
                assert floor_of(other) is not None, f"{module} imports {other}"
                assert floor_of(other) <= floor_of(module), f"{module} imports {other}"


AUDIT = "refsvm.conformance."
ROOMS = [  # of the audit, each a folder; "": the files beside them, which make a run of it
    "protocol", "truth", "cases", "wrong", "subjects", "asking", "checks", "naming", "policies",
    "", "report", "pytest_items", "bits",
]


def room_of(module):
    folder = module.removeprefix(AUDIT).split(".")[0]
    return ROOMS.index(folder if folder in ROOMS else "")


def test_the_folders_of_the_audit_are_floors_too():
    for module in {name for name in MODULES if name.startswith(AUDIT)}:
        for other in {name for name in imports_of(module) if name.startswith(AUDIT)}:
            assert room_of(other) <= room_of(module), f"{module} imports {other}"


@pytest.mark.parametrize("room", ROOMS)
def test_a_folder_of_the_audit_has_at_most_twelve_files(room):
    assert len(list((ROOT / "refsvm/conformance" / room).glob("*.py"))) <= 12


BY_NAME = {  # what imports a module whose name is not in an import statement, and why
    "refsvm": "public names are imported when they are first asked for",
    "refsvm.conformance.subjects.named_subjects": "the program of the caller's that is audited",
    "refsvm.commands": "the module of a command",
    "refsvm.commands.engine": "refsvm_fast, where it is compiled",
    "refsvm.conformance.bits.functions": "the package of the caller's that answers",
    "refsvm.sklearn.estimator": "refsvm_fast, where it is installed",
}


def test_modules_are_imported_by_name_only_where_a_reason_stands():
    asking = {
        module for module in MODULES for node in nodes_of(module)
        if isinstance(node, ast.Name) and node.id in ("import_module", "__import__")
    }
    assert asking == set(BY_NAME)


def test_no_modules_import_each_other_in_a_circle():
    """A folder is not imported by its files, though Python imports it first."""
    graph = {name: imports_of(name) - {name} for name in MODULES}
    TopologicalSorter(graph).prepare()  # raises a CycleError that names the circle


def test_the_page_in_a_browser_takes_along_the_folders_that_it_imports_from():
    found, waiting = set(), ["refsvm.play.answers"]
    while waiting:
        found.add(module := waiting.pop())
        waiting += imports_of(module) - found
    needed = {FLOORS[floor_of(module)] for module in found - {"refsvm.version"}}
    assert sorted(WITHOUT) == sorted(set(FLOORS) - needed)


@pytest.mark.slow("a signal handler that an import sets")
def test_no_import_sets_a_signal_handler():
    names = [name for name in MODULES if not name.startswith("refsvm.sklearn")]
    code = f"""
import signal, sys
handlers = [signal.getsignal(number) for number in signal.valid_signals()]
sys.argv, sys.orig_argv = ["-m"], [sys.executable, "-m", "refsvm"]  # as it begins for a command
for name in {names}:
    __import__(name)
assert handlers == [signal.getsignal(number) for number in signal.valid_signals()]
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_only_write_whole_writes_to_standard_streams():
    """print() and write() lose what an unbuffered stream did not take; the checker is one file."""
    found = set()
    for module in MODULES:
        for node in nodes_of(module):
            name = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            if name == "print" or name.endswith(("stdout.write", "stderr.write")):
                found.add(module)
    assert found == {"refsvm.proofs.checker", "refsvm.conformance.asking.processes"}


def test_no_class_name_stands_for_two_things():
    """But in refsvm/sklearn, whose estimators repeat the names of refsvm's."""
    places = {}
    for module in {module for module in MODULES if not module.startswith("refsvm.sklearn")}:
        for node in nodes_of(module):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(module)
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_every_module_has_tests_that_its_mutants_are_tried_against():
    modules, table = mutation.modules(), mutation.ALSO_TESTED
    stems = {path.stem for path in modules}
    assert len(stems) == len(modules)  # a name of its own
    assert [name for name in table if not (ROOT / name).exists()] == []
    assert {stem for words in table.values() for stem in words.split()} <= stems
    assert [path.stem for path in modules if len(mutation.tests_of(path)) < 2] == []
