"""The formulas of the course are set on the site, and say what the pages say."""

import re
from html.parser import HTMLParser
from unicodedata import normalize

import pytest
from references import SPEC, pages

from docs.formulas import DISPLAY, FENCE, Formula, display, with_formulas

CHAPTERS = [page.file for page in pages().values() if page.file.startswith("course/")]


class Text(HTMLParser):
    """The text of MathML, and whether its tags are paired."""

    def __init__(self, source):
        super().__init__()
        self.parts, self.open = [], []
        self.feed(source)

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.parts.append(data)


def bare(text):
    """A text without spaces, with indices and powers as plain letters."""
    text = text.replace("½", "12").replace("∑", "Σ").replace("√", "").replace("_", "")
    return re.sub(r"\s", "", normalize("NFKC", text))


@pytest.mark.parametrize("file", CHAPTERS)
def test_a_formula_on_the_site_has_the_letters_of_the_page(file):
    for piece in FENCE.split((SPEC / file).read_text(encoding="utf-8"))[::2]:
        for found in DISPLAY.findall(piece):
            text = Text(display(found))
            assert text.open == []
            assert bare("".join(text.parts)) == bare(found)


def test_indices_powers_sums_roots_and_brackets():
    assert Formula("‖w‖²").row() == (
        '<msup><mrow><mo stretchy="false">‖</mo><mi>w</mi><mo stretchy="false">‖</mo></mrow>'
        "<mrow><mn>2</mn></mrow></msup>"
    )
    assert Formula("Σᵢⱼ x_d²").row() == (
        "<munder><mo>∑</mo><mrow><mi>i</mi><mi>j</mi></mrow></munder>"
        '<mspace width="0.0em"/><msubsup><mi>x</mi><mrow><mi>d</mi></mrow><mrow><mn>2</mn></mrow>'
        "</msubsup>"
    )
    assert Formula("√⟨w, w⟩").row().startswith('<msqrt><mrow><mo stretchy="false">⟨</mo>')
    assert "<mfrac>" in Formula("½").row() and "<mo>&lt;</mo>" in Formula("a < b").row()


def test_code_stays_as_it_is():
    text = "A\n\n    x = y\n\n```python\n>>> 1\n\n    2\n\n```\n"
    changed = with_formulas(text)
    assert "\n    2\n" in changed and "\n    x = y\n" not in changed
