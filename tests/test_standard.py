"""A function that the standard defines names its section, and the section names the function."""

import ast
import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "refsvm" / "conformance" / "bits" / "sections.py"
ALONE = "refsvm/conformance/"  # names sections that are about no function, too
HEADING = re.compile(r"^##? (S\d+(?:\.\d+)?)\.? .*\n", re.MULTILINE)
BELOW = re.compile(r"\nIn the code:\s([^\n]+(?:\n[^\n]+)*)\.\n\n")
LINK = re.compile(r"\[`([\w.]+)`\]\(\.\./\.\./(refsvm/[\w/]+\.py)#\1\)")
SECTION = re.compile(r"\bS\d+(?:\.\d+)?\b")

# What answers an algorithm that is no function of its own name.
FUNCTIONS = {
    "words": "splitmix64", "units": "splitmix64", "kernel": "Kernel", "votes": "votes_of",
    "sigmoid": "Calibration.probabilities", "preparation": "Preparation.fit",
    "refitted": "Preparation.refitted", "refusal": "refuse_columns",
}


def texts(folder, pattern):
    """The texts of the files below a folder, by their names."""
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
            for path in sorted((ROOT / folder).rglob(pattern))}


def sections_in(text):
    """Each section, and each chapter, with what stands below its heading."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    parts = HEADING.split(text)
    return dict(zip(parts[1::2], parts[2::2]))


def functions_in(tree, owner=""):
    """Each function and class with its docstring, by its name within the file."""
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield owner + node.name, ast.get_docstring(node) or ""
            if isinstance(node, ast.ClassDef):
                yield from functions_in(node, f"{owner}{node.name}.")


def faults(pages, sources, algorithms):
    """What is wrong, a line each: pages and sources are texts by file, algorithms the table."""
    found, named = [], {}
    for file, page in pages.items():
        for section, text in sections_in(page).items():
            line = BELOW.match(text)
            links = line[1] if line else ""
            named[section] = [(where, name) for name, where in LINK.findall(links)]
            if text.count("In the code") != bool(line) or LINK.sub("", links).strip(", \n"):
                found.append(f"{file}: {section} names its functions in another form")
    linked = {file for functions in named.values() for file, _ in functions}
    trees = {file: ast.parse(text) for file, text in sources.items()
             if file in linked or SECTION.search(text)}
    said = {(file, name): set(SECTION.findall(text)) for file, tree in trees.items()
            for name, text in [("", ast.get_docstring(tree) or ""), *functions_in(tree)]}
    for (file, name), sections in said.items():
        for section in sorted(sections):
            if section not in named:
                found.append(f"{file}: {name} names {section}, which is no section")
            elif name and not file.startswith(ALONE) and (file, name) not in named[section]:
                found.append(f"{file}: {name} names {section}, which does not name it")
    for section, functions in named.items():
        for file, name in functions:
            if (file, name) not in said:
                found.append(f"{section} names {name} of {file}, which is not there")
            elif section not in said[file, name]:
                found.append(f"{section} names {name} of {file}, which does not name it")
    for kind, algorithm in algorithms.items():
        name = FUNCTIONS.get(kind, kind)
        if name not in {name for _, name in named.get(algorithm.section, ())}:
            found.append(f"{algorithm.section} orders {kind}, and does not name {name}")
        found += [f"{section} orders {place} of {kind}, and names no function"
                  for place, section in algorithm.fields.items() if not named.get(section)]
    return found


def test_the_standard_and_the_code_name_each_other():
    algorithms = runpy.run_path(str(TABLE))["ALGORITHMS"]
    pages, sources = texts("spec/standard", "*.md"), texts("refsvm", "*.py")
    assert faults(pages, sources, algorithms) == []
    assert sum(len(BELOW.findall(text)) for text in pages.values()) > 150
    assert set(FUNCTIONS) <= set(algorithms)


class Ordered:
    section = "S1.1"
    fields = {"at": "S1.1"}


PAGES = {"a.md": """# S1. Things

In the code: [`Thing`](../../refsvm/a.py#Thing).

Text.

## S1.1 Parts

In the code: [`Thing.part`](../../refsvm/a.py#Thing.part),
[`exp`](../../refsvm/a.py#exp).

Text.

## S1.2 Others

Text.
"""}
SOURCES = {"refsvm/a.py": '''"""Things, see S1."""


class Thing:
    """A thing (S1)."""

    def part(self):
        """Return a part (S1.1)."""


def exp():
    """Return a power.

    Standard: S1.1.
    """


def other():
    """Return another."""
'''}


def test_what_is_tied_has_no_fault():
    assert faults(PAGES, SOURCES, {"exp": Ordered}) == []


@pytest.mark.parametrize("old, new, fault", [
    ("see S1.", "see S2.", "refsvm/a.py:  names S2, which is no section"),
    ("power.", "power (S1.3).", "refsvm/a.py: exp names S1.3, which is no section"),
    ("another.", "another (S1.2).", "refsvm/a.py: other names S1.2, which does not name it"),
    ("part (S1.1)", "part", "S1.1 names Thing.part of refsvm/a.py, which does not name it"),
    ("def part", "def parts", "S1.1 names Thing.part of refsvm/a.py, which is not there"),
    ("a.py#exp", "b.py#exp", "S1.1 names exp of refsvm/b.py, which is not there"),
    ("[`exp`]", "[`e`]", "a.md: S1.1 names its functions in another form"),
    ("In the code: [`Thing.", "See [`Thing.", "S1.1 orders exp, and does not name exp"),
    ("Text.\n\n## S1.2", "In the code: exp.\n\n## S1.2",
     "a.md: S1.1 names its functions in another form"),
    (",\n[`exp`](../../refsvm/a.py#exp)", "", "S1.1 orders exp, and does not name exp"),
])
def test_a_tie_with_one_end_is_a_fault(old, new, fault):
    pages, sources = ({file: text.replace(old, new) for file, text in some.items()}
                      for some in (PAGES, SOURCES))
    assert (pages, sources) != (PAGES, SOURCES)
    assert fault in faults(pages, sources, {"exp": Ordered})


def test_a_part_of_an_answer_that_a_section_without_functions_orders_is_a_fault():
    class Elsewhere(Ordered):
        fields = {"at": "S1.2"}

    assert faults(PAGES, SOURCES, {"exp": Elsewhere}) == [
        "S1.2 orders at of exp, and names no function"
    ]
