"""The slides: drawn anew they are the same bytes; each is one sheet, and nothing runs off it."""

import re
from xml.etree import ElementTree

import pytest
from test_pictures import SVG, luminance
from webdriver import browser, printed

from docs.slides.__main__ import FOLDER, PAGE, SLIDES, STYLE, page
from docs.slides.paper import HIGH, LICENCE, WIDTH, drawing, formula, title_of

CHAPTER = re.compile(r".+ \d{4}.*; course, chapters? \d+( and \d+)?")
OUTSIDE = """const [, , wide, high] = document.documentElement.getAttribute('viewBox').split(' ');
    return [...document.querySelectorAll('text')].filter((text) => {
      const box = text.getBBox();
      return box.x < 0 || box.y < 0 || box.x + box.width > +wide || box.y + box.height > +high;
    }).map((text) => text.textContent)"""


def texts(name):
    """What is written on a slide, line by line."""
    root = ElementTree.fromstring((FOLDER / f"{name}.svg").read_text("ascii"))
    return ["".join(each.itertext()) for each in root.iter(f"{SVG}text")]


def test_the_folder_holds_the_slides_and_nothing_else():
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(f"{n}.svg" for n in SLIDES)


@pytest.mark.parametrize("name", SLIDES)
def test_a_slide_is_what_the_code_draws_byte_for_byte(name):
    assert (FOLDER / f"{name}.svg").read_bytes() == drawing(SLIDES[name]).encode("ascii")


@pytest.mark.parametrize("name", SLIDES)
def test_a_slide_is_small_light_and_complete_and_names_source_and_licence(name):
    text = (FOLDER / f"{name}.svg").read_text("ascii")
    title, description = title_of(SLIDES[name])
    *_, source, licence = texts(name)
    assert title in texts(name)
    assert len(text) < 10_000
    assert 100 < len(description) < 600
    assert CHAPTER.fullmatch(source)
    assert licence == LICENCE
    assert re.findall(r"https?://[^\"]*", text) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"<script|nan|prefers-color-scheme|@font-face", text)


def test_a_slide_is_16_to_9_with_letters_that_are_read_from_the_last_row():
    assert (WIDTH, HIGH) == (640, 360)
    sizes = set()
    for name in SLIDES:
        style = re.search(r"<style>(.*?)</style>", (FOLDER / f"{name}.svg").read_text())[1]
        sizes.update(int(size) for size in re.findall(r"(\d+)px[^}]*}", style) if int(size) > 10)
    assert min(sizes - {11}) >= HIGH / 28  # the foot is for who copies it


def test_what_is_on_a_slide_is_what_refsvm_says():
    assert {"primal = 92/49", "dual = 92/49", "gap = 0, with C = 1"} < set(texts("dual"))
    assert "value = 92/49" in texts("slack")
    bars = re.findall(r'd="M326 \d+h([\d.]+)v', (FOLDER / "dual.svg").read_text())
    assert len(bars) == 2 and len(set(bars)) == 1


def test_the_steps_are_those_of_chapter_10_and_each_moves_two_multipliers():
    chapter = (FOLDER.parent / "10-textbook-smo.md").read_text("utf-8")
    rows = re.findall(r"^\d α (.+) dual (\S+) violation \S+ gap (\S+)$", chapter, re.MULTILINE)
    for k, ((before, _, _), (after, dual, gap)) in enumerate(zip(rows, rows[1:]), 1):
        pair = [a for a, old in zip(after.split(), before.split()) if a != old]
        assert len(pair) == 2
        expected = {f"step {k}", f"α: {', '.join(pair)}", f"dual {dual}", f"gap {gap}"}
        assert expected < set(texts("smo"))
    assert len(rows) == 5


def test_each_of_the_six_points_has_its_case():
    margins = [row[9:].split(", ") for row in texts("cases") if row.startswith("margin = ")]
    assert [len(row) for row in margins] == [1, 3, 2]
    assert {"α = 22/49, 12/49, 10/49", "α = 1, 1"} < set(texts("cases"))


def test_indices_and_powers_of_a_formula_are_plain_letters_below_and_above():
    assert formula(0, 9, "αᵢ ≥ x²").partition(">")[2] == (
        '<tspan>&#945;</tspan><tspan class="s" dy="5">i</tspan>'
        '<tspan class="n" dy="-5"> </tspan>&#8805; <tspan>x</tspan>'
        '<tspan class="s n" dy="-7">2</tspan></text>'
    )


def test_the_page_is_what_the_code_writes_and_loads_the_slides_only():
    text = PAGE.read_text(encoding="utf-8")
    assert text == page(), "python3 -m docs.slides"
    assert re.findall(r'src="(.*?)"', text) == [f"slides/{name}.svg" for name in SLIDES]
    assert not re.search(r"<script|<link|url\(|@import", text)


def test_words_of_the_page_stand_out_in_light_and_in_dark():
    shades = re.findall(r":root \{(.*?)\}", STYLE.read_text(encoding="utf-8"))
    assert len(shades) == 2
    for shade in shades:
        colours = dict(re.findall(r"--(\w+): (#\w{6})", shade))
        for ink in ("ink", "link"):
            low, high = sorted(luminance(colours[name]) for name in (ink, "paper"))
            assert (high + 0.05) / (low + 0.05) >= 4.5


@pytest.mark.slow("a slide that does not fit on one sheet")
def test_each_slide_is_a_sheet_of_its_own(tmp_path):
    written = printed(PAGE, tmp_path / "slides.pdf")
    assert len(re.findall(rb"/Type\s*/Page\b", written)) == len(SLIDES)
    assert set(re.findall(rb"/MediaBox \[(.*?)\]", written)) == {b"0 0 960 540"}


@pytest.mark.slow("words that run off a slide")
def test_no_word_runs_off_a_slide():
    with browser() as window:
        window.size(1280, 720)
        for name in SLIDES:
            window.go((FOLDER / f"{name}.svg").as_uri())
            assert window.run(OUTSIDE) == [], name
