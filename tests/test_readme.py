"""What README.md and the pages on use show is what their commands do."""

import re

import pytest
from readme import PAGES, ROOT, as_printed, pictures

README = ROOT / "README.md"
FIRST = 26  # lines of a screen


@pytest.mark.slow("output in README.md that its commands no longer print")
def test_commands_print_what_stands_there_and_make_its_picture(tmp_path):
    shown_in = ""
    for page, text in as_printed(tmp_path).items():
        pair = text, page.read_text(encoding="utf-8")
        printed, shown = (re.sub(r"sklearn \d[\w.]*", "sklearn", each) for each in pair)
        assert printed == shown, "python3 tests/readme.py writes it anew"
        shown_in += shown
    made = pictures(tmp_path)
    for path in made:
        assert path.read_bytes() == (ROOT / "docs" / path.name).read_bytes()
    assert {path.name for path in made} == set(re.findall(r"/docs/(.*?)\)", shown_in))


def test_the_first_screen_has_a_line_for_each_who_comes():
    lines = README.read_text(encoding="utf-8").splitlines()
    assert len(lines) < 120
    first = "\n".join(lines[:FIRST])
    for line in ("python3 -m refsvm demo", "python3 -m tests", "python3 -m refsvm play",
                 "spec/course/README.md", "from refsvm.sklearn import SVC",
                 "refsvm train penguins.csv", "refsvm audit"):
        assert line in first
    assert not re.search(r"^    \$ ", first, re.MULTILINE)  # no output stands before them


def test_every_page_on_use_is_linked_from_the_first_page():
    text = README.read_text(encoding="utf-8")
    assert [p.name for p in PAGES[1:] if f"(spec/use/{p.name})" not in text] == []
