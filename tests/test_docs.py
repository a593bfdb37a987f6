"""The site of the documentation has every public name, and every link is followed."""

import inspect
import re

import pytest
from test_spec import LISTED, found

from docs.links import broken_links
from docs.names import FOLDER, INDEX, SKLEARN, files_of
from docs.pages import FIRST, gather, linked_to_play, page_of, sidebar, with_links

TABLE = r"\n(?:```\{|\.\. )toctree.*?\n\n(.*?)(?:```|\Z)"


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("docs")
    gather(folder)
    return folder


def test_every_public_name_has_one_page_of_its_own(pages):
    shown = []
    for path in sorted((pages / FOLDER).glob("*.rst")):
        text = path.read_text(encoding="utf-8")
        names = re.findall(r"auto\w+:: refsvm\.(\S+)(?:\n   :members: (.*))?", text)
        assert len(names) < 2
        for name, members in names:
            assert text.startswith(f":orphan:\n\n{name}\n===")
            if not name.startswith("sklearn."):
                members = filter(None, members.split(", "))
                shown += [name, *(f"{name}.{member}" for member in members)]
    assert sorted(shown) == sorted(name for name, _ in LISTED)
    assert {f"sklearn.{name}.rst" for name in SKLEARN} < {p.name for p in path.parent.iterdir()}
    assert (path.parent / "SVC.rst").is_file()


def test_pages_of_names_that_differ_in_capitals_only_are_two_on_every_disk(pages):
    files = [path.name.lower() for path in (pages / FOLDER).iterdir()]
    assert len(files) == len(set(files))
    assert files_of(["Check", "check"]) == {"check": "check", "Check": "Check-class"}


def test_every_name_is_shown_with_an_example(pages):
    bare = []
    for path in (pages / FOLDER).glob("*.rst"):
        text = path.read_text(encoding="utf-8")
        shown = re.search(r"auto\w+:: (refsvm\.\S+)", text)
        if shown and not shown[1].startswith("refsvm.sklearn") and ">>> " not in text:
            bare += [shown[1]] if ">>> " not in docstring_of(shown[1]) else []
    assert bare == []


def docstring_of(name):
    """The docstring of a listed name."""
    return inspect.getdoc(found(name.removeprefix("refsvm."))[1])


def test_every_page_stands_in_a_table_of_contents(pages):
    listed, names = set(), {}
    for path in (path for path in pages.rglob("*.*") if path.suffix in (".md", ".rst")):
        text = path.read_text(encoding="utf-8")
        names[str(path.relative_to(pages).with_suffix(""))] = text
        for table in re.findall(TABLE, text, re.DOTALL):
            entries = (re.sub(r".*<(.*)>$", r"\1", line.strip()) for line in table.splitlines())
            there = [(path.parent / entry).resolve() for entry in entries if entry]
            listed.update(str(each.relative_to(pages.resolve())) for each in there)
    bare = {name for name, text in names.items() if not re.match(r":orphan:|---\norphan", text)}
    assert bare - listed == {"index"}
    assert listed - set(names) == {"self"}


def test_the_sidebar_is_folded_by_book():
    entries = re.findall(r"^([^`:\n].*) <", sidebar(with_play=True), re.MULTILINE)
    assert entries == [
        "Start", "Play", "Course", "scikit-learn", "Command line", "Python",
        "Is yours right?", "C and gamma", "Standard", "Lecture notes", "API", "Project",
    ]  # fmt: skip
    assert page_of(FIRST) == "index.md"
    assert INDEX == "names/index.rst"


def test_a_command_of_play_is_a_link_to_its_page_with_the_state():
    assert linked_to_play("`refsvm play`", FIRST) == (
        '<a href="play/index.html"><code>refsvm play</code></a>'
    )
    assert linked_to_play("`refsvm play '#1;p=+1,2;-3,1'`", "spec/course/02-perceptron.md") == (
        '<a href="../../play/index.html#1;p=+1,2;-3,1"><code>refsvm play</code></a>'
    )


def test_the_page_of_each_chapter_offers_its_notebook(pages):
    chapters = sorted((pages / "spec" / "course").glob("[0-9]*.md"))
    assert len(chapters) > 15
    for path in chapters:
        offered = f"svg)\n\n[This chapter as a notebook]({path.stem}.ipynb)\n\n"
        assert offered in path.read_text(encoding="utf-8")
        assert path.with_suffix(".ipynb").is_file()


def test_links_of_a_page_lead_to_pages_of_the_site(tmp_path):
    text = "[a](../README.md#b) [c](../refsvm/svm/problem.py) [d](https://d.example) [e](#f)\n"
    assert with_links(text + "[g]: ../tests/bench", "spec/errata.md", tmp_path) == (
        "[a](../README.md#b) [c](source:../_modules/refsvm/svm/problem.html)"
        " [d](https://d.example) [e](#f)\n[g]: ../tests/bench/README.md"
    )
    assert with_links("[a](../errata.md)", "spec/course/02-perceptron.md", tmp_path) == (
        "[a](../errata.md)"
    )
    assert with_links("[a](statements.json)", "spec/README.md", tmp_path) == "[a](statements.json)"
    assert (tmp_path / "spec" / "statements.json").is_file()
    listed = "[a](../refsvm/theory/losses.py#hinge)"
    method = "[a](../refsvm/kernels/base.py#Kernel.x)"
    assert with_links(listed, "spec/errata.md", tmp_path).endswith("theory/losses.html#hinge)")
    assert with_links(method, "spec/errata.md", tmp_path) == (
        "[a](place:../_modules/refsvm/kernels/base.html#Kernel)"
    )
    assert with_links("[a](../tests/test_docs.py)", "spec/errata.md", tmp_path) == (
        "[a](../tests/test_docs.md)"
    )
    assert (tmp_path / "tests" / "test_docs.md").is_file()
    assert with_links("[a](../refsvm/play/server.py#serve)", "spec/errata.md", tmp_path) == (
        "[a](../refsvm/play/server.md)"
    )  # nothing in it has a public name
    assert with_links("[a](sheet-a4.html)", "spec/course/sheet.md", tmp_path) == (
        "[a](source:../../sheet-a4.html)"
    )


def test_a_link_that_leads_nowhere_is_named(tmp_path):
    (tmp_path / "a.html").write_text('<p id="x"><a href="b.html#y"></a><a href="#x"></a>')
    (tmp_path / "b.html").write_text('<p id="y"><a href="a.html#z"></a><img src="c.png">')
    assert broken_links(tmp_path) == [
        "b.html: a.html#z leads nowhere",
        "b.html: c.png leads nowhere",
    ]
