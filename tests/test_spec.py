"""The list of public names in spec/README.md is complete, and each name is as it says."""

import ast
import inspect
import json
import re
from importlib import import_module
from pathlib import Path

import refsvm
import refsvm_fast
from refsvm.commands import COMMANDS
from refsvm.commands.arguments import Parser
from tests.references import pages

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "spec" / "README.md").read_text(encoding="utf-8")
FORMULAS = (ROOT / "spec" / "formulas.md").read_text(encoding="utf-8")
LISTED = re.findall(r"^- `([\w.]+)(\(.*?\))`(?: .*)?$", TEXT + FORMULAS, re.MULTILINE)
NAMES = [name for name, _ in LISTED]


def cells(heading):
    """The rows of the tables between a heading and the next, as lists of cells."""
    part = TEXT.split(f"\n{heading}\n")[1].split("\n#")[0]
    return [line.split("|")[1:-1] for line in part.splitlines() if line.startswith("|")][2:]


def words_of(cell):
    """What stands between backquotes."""
    return re.findall(r"`(.*?)`", cell)


def found(name):
    """(owner, value) for a listed name: an attribute of refsvm, or of a module of it."""
    parts = name.split(".")
    owner, value = None, refsvm
    while parts:
        owner = value
        whole = f"{getattr(owner, '__name__', '')}.{parts[0]}"
        known = inspect.ismodule(owner) and whole != f"refsvm.{name}" and is_module(whole)
        value = import_module(whole) if known else getattr(owner, parts[0])
        del parts[0]
    return owner, value


def is_module(name):
    path = ROOT.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").exists()


PUBLIC = {value for owner, value in map(found, NAMES) if not inspect.isclass(owner)}
METHODS = {(found(name)[0], name.split(".")[-1]) for name in NAMES}


def signature_text(name):
    """The signature without annotations and without self."""
    owner, value = found(name)
    parameters = list(inspect.signature(value).parameters.values())
    if inspect.isclass(owner) and not inspect.ismethod(value):
        del parameters[0]
    bare = [p.replace(annotation=inspect.Parameter.empty) for p in parameters]
    text = str(inspect.Signature(bare)).replace("<class 'int'>", "int")
    return re.sub(r"<function (\w+) at 0x\w+>", r"\1", text)


def test_every_line_of_the_list_is_understood():
    lines = [line for line in (TEXT + FORMULAS).splitlines() if line.startswith("- `")]
    assert len(lines) == len(LISTED) > 350
    assert len(set(NAMES)) == len(NAMES)


def test_a_listed_name_has_the_listed_signature():
    wrong = {}
    for name, signature in LISTED:
        try:
            there = signature_text(name)
        except Exception as error:
            there = repr(error)
        if there != signature:
            wrong[name] = f"{signature} is listed, {there} is there"
    assert wrong == {}


def test_every_exported_name_is_listed():
    assert set(refsvm.__all__) <= set(NAMES)


def test_a_name_listed_without_a_module_is_exported():
    without = {name.split(".")[0] for name in NAMES if name[0].isupper() or "." not in name}
    assert without == set(refsvm.__all__)


def test_type_checkers_are_told_the_table_of_public_names():
    stub = ast.parse((ROOT / "refsvm" / "__init__.pyi").read_text(encoding="utf-8"))
    told = [(node.module, alias.name, alias.asname) for node in stub.body
            if isinstance(node, ast.ImportFrom) for alias in node.names]
    table = [(module, name, name) for module, names in refsvm.PUBLIC.items()
             for name in names.split()]
    assert sorted(told) == sorted([*table, ("version", "__version__", "__version__")])


def test_the_attributes_of_a_problem_are_listed():
    listed = {word for row in cells("### The problem") for word in words_of(row[0])}
    problem = refsvm.Problem([[0], [1]], [-1, 1])
    inner = {"kept", "linear", "point_shift", "points", "rows"}
    assert set(vars(problem)) - listed == inner
    assert all(hasattr(problem, name) for name in listed)


def test_the_fitted_attributes_are_listed():
    for classifier, heading, asked in (
        (refsvm.SVC(kernel="linear"), "### In use", "coef_"),
        (refsvm.LinearSVC(), "### Linear, the offset penalised", "model_"),
    ):
        listed = {word for row in cells(heading) for word in words_of(row[0])}
        classifier.fit([[0], [1]], ["no", "yes"])
        more = {asked, "feature_names_in_"}  # computed when asked for; of frames only
        assert {name for name in vars(classifier) if name.endswith("_")} | more == listed
        assert getattr(classifier, asked)


def test_the_fitted_attributes_of_the_other_machines_are_listed():
    listed = {word for row in cells("### The other machines") for word in words_of(row[0])}
    seen = {"coef_", "feature_names_in_"}
    for cls in (refsvm.SVR, refsvm.NuSVR, refsvm.OneClassSVM, refsvm.SVDD):
        machine = cls().fit([[0], [1], [3]], *([[0, 1, 2]] if hasattr(cls, "score") else []))
        seen |= {name for name in vars(machine) if name.endswith("_")}
    assert seen == listed


def test_the_commands_and_their_options_are_listed():
    options = {words_of(row[0])[0] if "`" in row[0] else row[0].strip(): row[1]
               for row in cells("### The command line")}
    commands = {key.split()[0]: key for key in options if not key.startswith("the ")}
    assert set(commands) == set(COMMANDS)
    for name, key in commands.items():
        module = import_module(f"refsvm.commands.{name}")
        parser = Parser(name, COMMANDS[name], module.EXAMPLE)
        module.arguments(parser)
        has = {word for action in parser._actions for word in action.option_strings}
        listed = set(words_of(options[key]))
        for group in ("the machine", "the solver", "the table", "the preparation"):
            if group in options[key]:
                listed |= set(words_of(options[group]))
        assert has - {"-h", "--help"} == listed, name


FAST = ROOT / "refsvm_fast"
TAKES = re.compile(r"^\s*from \.(\w*) c?import (.*)", re.MULTILINE)


def compiled_modules_named():
    """The modules that refsvm_fast's docstring names, in order; each with its .pxi files."""
    text = refsvm_fast.__doc__.split("named before it")[1].split("\n\n")[1]
    columns = [re.split(r"\s{2,}", line[15:])[0] for line in text.splitlines()]
    return re.findall(r"(\w+)(?: \(([\w ]+)\))?", " ".join(columns))


def taken_by(name, parts):
    """What a module of refsvm_fast and its .pxi files import from the package."""
    files = [FAST / f"{name}.{end}" for end in ("py", "pyx", "pxd")]
    files = [path for path in files if path.exists()]
    for path in files + [FAST / f"{part}.pxi" for part in parts]:
        for module, names in TAKES.findall(path.read_text(encoding="utf-8")):
            yield from [module] if module else re.findall(r"\w+", names.split("#")[0])


def test_each_file_of_refsvm_fast_takes_only_from_files_named_before_it():
    named = {name: parts.split() for name, parts in compiled_modules_named()}
    place = {name: k for k, name in enumerate(named)}
    assert len(named) == len(compiled_modules_named())
    single = {path.stem for path in FAST.glob("*.py*") if path.suffix in (".py", ".pyx")}
    assert set(named) == single - {"__init__"} | {"simd", "loops"}
    assert sorted(sum(named.values(), [])) == sorted(path.stem for path in FAST.glob("*.pxi"))
    for name, parts in named.items():
        source = FAST / f"{name}.pyx"
        text = source.read_text(encoding="utf-8") if source.exists() else ""
        assert set(re.findall(r'^include "(\w+).pxi"', text, re.MULTILINE)) == set(parts)
        for other in taken_by(name, parts):
            assert other == name or place[other] < place[name], f"{name} takes from {other}"


def test_every_chapter_has_examples_and_stands_in_the_table_of_chapters():
    chapters = [page.file for page in pages().values() if page.number]
    assert len(chapters) > 25
    for page in ["../README.md", "README.md", "formulas.md", *chapters]:
        assert ">>> " in (ROOT / "spec" / page).read_text(encoding="utf-8"), page
    assert re.findall(r"^\| \[S?\d+\. [^]]+\]\(([\w/-]+\.md)\)", TEXT, re.MULTILINE) == chapters


def is_listed(name):
    """Whether a dotted name is public: on a list itself, or as a method of a class on it."""
    owner, value = found(name.split(".", 1)[1])
    if not inspect.isclass(owner):
        return value in PUBLIC
    method = name.rsplit(".", 1)[1]
    return method == "__call__" and owner in PUBLIC or any(
        (base, method) in METHODS for base in owner.__mro__
    )


def test_every_function_that_a_statement_names_is_listed():
    path = ROOT / "spec" / "statements.json"
    entries = json.loads(path.read_text(encoding="utf-8"))
    names = {name for entry in entries for name in entry["functions"]}
    assert sorted(name for name in names if not is_listed(name)) == []


def test_a_symbol_that_begins_a_line_of_the_list_is_written_as_in_the_docstring():
    """C(n, k) is no c(n, k)."""
    for name, text in re.findall(r"^- `([\w.]+)\(.*?\)` (.+)$", TEXT + FORMULAS, re.MULTILINE):
        symbol = re.match(r"(?!a\b|[a-z]{2,}\b)[A-Za-z]\w*", text)
        if symbol:
            words = re.findall(r"\w+", found(name)[1].__doc__ or "")
            turned = symbol[0][0].swapcase() + symbol[0][1:]
            assert symbol[0] in words or turned not in words, name


def test_every_line_of_the_formulas_says_what_it_is():
    lines = [line for line in FORMULAS.splitlines() if line.startswith("- `")]
    assert [line for line in lines if not re.search(r"\)` \S", line)] == []
