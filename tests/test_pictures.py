"""The pictures of the course: drawn anew they are the same bytes, and each can be read by all."""

import re
from xml.etree import ElementTree

import pytest
from profiles import partly_slow

from docs.pictures.__main__ import FOLDER, PICTURES, PLAY
from docs.pictures.moving import play_at_work, scenes
from docs.pictures.paper import COLOURS, drawing

SVG = "{http://www.w3.org/2000/svg}"


def test_the_folder_holds_the_pictures_and_nothing_else():
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(f"{n}.svg" for n in PICTURES)


@pytest.mark.parametrize("name", partly_slow("a change of one picture", ["path", "widths"],
                                             PICTURES))
def test_a_picture_is_what_the_code_draws_byte_for_byte(name):
    assert (FOLDER / f"{name}.svg").read_bytes() == drawing(PICTURES[name]).encode("ascii")


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_small_and_complete_and_says_what_it_shows(name):
    text = (FOLDER / f"{name}.svg").read_text("ascii")
    root = ElementTree.fromstring(text)
    title, description = root.find(f"{SVG}title").text, root.find(f"{SVG}desc").text
    assert len(text) < 15_000
    assert 20 < len(title) < 100 < len(description) < 600
    assert re.findall(r"https?://[^\"]*", text) == ["http://www.w3.org/2000/svg"]
    assert "<script" not in text and "nan" not in text.lower()


@pytest.mark.parametrize("name", PICTURES)
def test_every_colour_of_a_picture_has_a_rule_for_light_and_one_for_dark(name):
    text = (FOLDER / f"{name}.svg").read_text("ascii")
    light, dark = text.partition("</style>")[0].split("@media(prefers-color-scheme:dark)")
    used = set(re.findall(r"\b([fs])-([a-z]+)\b", text.split("</style>", 1)[1]))
    for kind, ink in used:
        for shade, rules in enumerate((light, dark)):
            key = "fill" if kind == "f" else "stroke"
            assert f".{kind}-{ink}{{{key}:{COLOURS[ink][shade]}}}" in rules
    assert not re.search(r'(fill|stroke)="#', text)


def luminance(colour):
    """Relative luminance, as WCAG 2 defines it."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    r, g, b = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


@pytest.mark.parametrize("shade", [0, 1])
@pytest.mark.parametrize("ink", ["ink", "soft", "minus", "plus", "key", "other"])
def test_words_stand_out_from_the_paper(ink, shade):
    """By 4.5 to 1, as WCAG asks of text."""
    low, high = sorted(luminance(COLOURS[name][shade]) for name in (ink, "paper"))
    assert (high + 0.05) / (low + 0.05) >= 4.5


def test_the_picture_that_moves_is_what_play_answers():
    text = PLAY.read_text("ascii")
    assert text == drawing(play_at_work)
    assert len(text) < 45_000
    assert "<script" not in text and "nan" not in text.lower()
    gaps = re.findall(r"gap = ([\d/]+)<", text)
    assert len(gaps) == len(scenes())
    watched = [gap for gap, scene in zip(gaps, scenes()) if scene.watched]
    assert len(watched) > 3
    assert "0" not in watched[:-1]
    dragged = {gap for gap, scene in zip(gaps, scenes()) if not scene.watched}
    assert dragged == {watched[-1]} == {"0"}
