"""spec/statements.json is complete: every statement of the notes has a function and a test.

That each test can fail is shown by tests/breaking.py, which breaks the functions one by one.
"""

import ast
import importlib
import json
import re
from functools import lru_cache
from pathlib import Path

import pytest
from references import CODE, SPEC, pages, section_of

ROOT = Path(__file__).parent.parent
ENTRIES = json.loads((ROOT / "spec" / "statements.json").read_text(encoding="utf-8"))
COUNTS = {"nyu": 99, "cs229": 109, "cesabianchi": 52, "lycpaul": 35, "sutd": 30}
FUNCTIONS = sorted({name for entry in ENTRIES for name in entry["functions"]})


def found(name):
    """What a dotted name stands for."""
    parts = name.split(".")
    for k in range(len(parts) - 1, 0, -1):
        try:
            value = importlib.import_module(".".join(parts[:k]))
        except ModuleNotFoundError:
            continue
        for part in parts[k:]:
            value = getattr(value, part)
        return value
    raise ModuleNotFoundError(name)


def test_all_325_statements_are_there_in_order():
    expected = [f"{note}-{k:02d}" for note, count in COUNTS.items() for k in range(1, count + 1)]
    assert [entry["id"] for entry in ENTRIES] == expected
    assert len(expected) == 325


def test_every_entry_has_its_fields_and_no_other():
    for entry in ENTRIES:
        fields = {"id", "note", "line", "statement", "section", "functions", "tests"}
        assert set(entry) == fields, entry["id"]
        assert set(entry["note"]) == {"title", "author", "date"}
        assert entry["line"] > 0
        assert entry["statement"].strip().endswith((".", ")")), entry["id"]


def test_the_statements_of_one_note_name_one_note():
    notes = {}
    for entry in ENTRIES:
        notes.setdefault(entry["id"].split("-")[0], []).append(entry["note"])
    assert all(note == given[0] for given in notes.values() for note in given)


def is_function(name):
    try:
        value = found(name)
    except (ImportError, AttributeError):
        return False
    return callable(value) or isinstance(value, property)


def test_every_function_named_can_be_imported_and_called():
    assert [name for name in FUNCTIONS if not is_function(name)] == []


TREES = {}


def definitions(file):
    """name -> what defines it at the top of a file of tests/, imported helpers followed."""
    if file not in TREES:
        TREES[file] = {}
        for node in ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8")).body:
            for name in defined_by(node):
                TREES[file][name] = (file, node)
            if isinstance(node, ast.ImportFrom) and is_helper(node.module):
                for alias in node.names:
                    known = definitions(f"{node.module}.py").get(alias.name)
                    if known:
                        TREES[file][alias.asname or alias.name] = known
    return TREES[file]


def is_helper(module):
    return module is not None and (ROOT / "tests" / f"{module}.py").exists()


def defined_by(node):
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, ast.Assign):
        return [name.id for target in node.targets for name in ast.walk(target)
                if isinstance(name, ast.Name)]
    return []


def is_collected(test):
    """Whether pytest finds a test of this name: a function of that file, no helper's."""
    path, name = test.split("::")
    file, node = definitions(Path(path).name).get(name, (None, None))
    return path == f"tests/{file}" and isinstance(node, ast.FunctionDef) and name[:5] == "test_"


@pytest.mark.slow("a test that was named and is gone")
def test_every_test_named_is_collected():
    named = {test for entry in ENTRIES for test in entry["tests"]}
    assert [test for test in named if not is_collected(test)] == []


# --- a section of the course, or of the standard, shows it ---------------------------------------

PAGES = pages()
THROUGH_ITS_CLASS = ("__call__", "row_function", "value")  # how a kernel is asked


@lru_cache(None)
def code_of_section(place):
    """The code of a section, its title as the link `page#title` of statements.json has it."""
    file, _, anchor = place.partition("#")
    (page,) = [each for each in PAGES.values() if each.file == file]
    text = (SPEC / file).read_text(encoding="utf-8").split(f" {page.headings[anchor]}\n", 1)[1]
    return "\n".join(CODE.findall(re.split(r"^## ", text, flags=re.MULTILINE)[0]))


def is_shown(name, code):
    """Whether code names a function, or the class of a method that is called through it."""
    *owner, last = name.split(".")
    word = owner[-1] if last in THROUGH_ITS_CLASS and owner[-1][0].isupper() else last
    return re.search(rf"(?<!\w){word}\b", code) is not None


def test_the_section_of_a_statement_is_there():
    for place in {entry["section"] for entry in ENTRIES}:
        assert section_of(place, PAGES) == place, "python tests/references.py writes the numbers"


def test_the_section_of_a_statement_shows_one_of_its_functions():
    wrong = {}
    for entry in ENTRIES:
        code = code_of_section(entry["section"])
        if not any(is_shown(name, code) for name in entry["functions"]):
            wrong[entry["id"]] = (entry["section"], entry["functions"])
    assert wrong == {}


# --- no statement is covered only by an import ------------------------------------------------

def reached(file, name):
    """(the nodes, the words) that a test consists of, with what it uses of its own helpers."""
    nodes, words, todo = [], set(), [definitions(file).get(name)]
    while todo:
        place = todo.pop()
        if place is None or place[1] in nodes:
            continue
        nodes.append(place[1])
        for node in ast.walk(place[1]):
            word = getattr(node, "id", None) or getattr(node, "attr", None)
            if isinstance(word, str):
                words.add(word)
                todo.append(definitions(place[0]).get(word))
    return nodes, words


def asserts_something(nodes):
    return any(
        isinstance(inner, ast.Assert) or getattr(inner, "attr", None) == "raises"
        for node in nodes for inner in ast.walk(node)
    )


def calls_a_function_of_it_and_asserts(entry):
    """Whether each test of the statement asserts, and one of them calls a function of it."""
    called = set()
    for test in entry["tests"]:
        path, name = test.split("::")
        nodes, words = reached(Path(path).name, name)
        if not asserts_something(nodes):
            return False
        called |= words
    return not called.isdisjoint(name.split(".")[-1] for name in entry["functions"])


@pytest.mark.slow("a test that says nothing of its statement")
def test_a_test_of_the_statement_calls_a_function_of_it_and_asserts():
    wrong = [entry["id"] for entry in ENTRIES if not calls_a_function_of_it_and_asserts(entry)]
    assert wrong == []
