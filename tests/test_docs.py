"""The site of the documentation has every public name, and every link is followed."""

import re

import pytest
from test_spec import LISTED

from docs.links import broken_links
from docs.pages import ADAPTER, gather, with_links


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("docs")
    gather(folder)
    return folder


def test_every_public_name_is_shown_once(pages):
    shown = []
    for path in set((pages / "names").glob("*.rst")) - {pages / ADAPTER}:
        names = re.findall(r"auto\w+:: refsvm\.(\S+)(?:\n   :members: (.*))?", path.read_text())
        for name, members in names:
            shown += [name, *(f"{name}.{member}" for member in filter(None, members.split(", ")))]
    assert sorted(shown) == sorted(name for name, _ in LISTED)


def test_every_page_stands_in_a_table_of_contents(pages):
    text = (pages / "index.md").read_text(encoding="utf-8")
    listed = set(re.search(r"\n```\{toctree\}.*", text, re.DOTALL)[0].split())
    written = {path for path in pages.rglob("*.*") if path.suffix in (".md", ".rst")}
    names = {str(path.relative_to(pages).with_suffix("")) for path in written}
    assert {name for name in names - listed if not name.startswith("tests/test_")} == {"index"}


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
        "[a](../index.md#b) [c](source:../_modules/refsvm/svm/problem.html)"
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
