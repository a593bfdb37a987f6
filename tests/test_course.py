"""A chapter of the course is short, begins with a picture, and has one notation."""

import re
from doctest import DocTestParser

import pytest
from references import DEFINITION, FENCED, SPEC, pages

from docs.formulas import TOKEN
from docs.notebooks import FENCE
from docs.pages import PLAY
from refsvm import course
from refsvm.play.answers import answer

MOST_LINES, MOST_WORDS = 250, 30
MINUTES = 6, 11  # as the README of the course says: the fewest and the most of a chapter
PICTURE = re.compile(r"# \d+\. .+\n\n!\[([^\]]+)\]\(([\w/.-]+)\)\n")
DISPLAY = re.compile(r"(?<=\n\n)(?:    [^\n]*\n)+")
# How other texts write what the course writes αᵢ, xᵢ, ½, ‖w‖, ⟨w, x⟩, ≤; and words of riddles.
OTHER_NOTATION = r"\b(?:alpha|beta|xi|lambda|gamma)\b|\b\w_[ijkn\d]\b|\b1/2 \w|\|\w\||\b[wx]\.\w"
OTHER_NOTATION += r"|[<>]=|\b\w\^\d|\bsum \w+_"
RIDDLES = r"\b(?:nobody|everybody|whoever|one likes|he|his|price[sd]?)\b"


def texts():
    """File -> text of the chapters of the course."""
    named = [page.file for page in pages().values() if page.number.isdigit()]
    return {file: (SPEC / file).read_text(encoding="utf-8") for file in named}


TEXTS = texts()


def plain(text):
    """The prose: no examples, displays, headings, pictures, links' targets, tables' rules."""
    text = DISPLAY.sub("", re.sub(FENCED, "", text, flags=re.MULTILINE | re.DOTALL))
    text = re.sub(r"^(?:#.*|!\[.*|\|[-:| ]+|</?(?:details|summary).*)$", "", text, flags=re.M)
    return re.sub(r"\]\([^)]*\)", "]", DEFINITION.sub("", text))


def sentences(text):
    """Its sentences, those of a list's points and of a table's cells each by themselves."""
    text = re.sub(r'"[^"]*"|“[^”]*”', "quoted", plain(text))
    for part in re.split(r"\n\s*\n|\n(?=[-|] |\d+\. )|\|", text):
        yield from re.split(r"(?<=[.!?])[)*_]*\s+", " ".join(part.split()))


def words(sentence):
    return [word for word in sentence.split() if re.search(r"\w", word)]


def minutes(text):
    """How long a chapter takes without its exercises: 200 words of prose a minute, 100 of code."""
    text = text.partition("\n## Exercises\n")[0]
    prose = len(words(plain(text)))
    return prose / 200 + (len(words(text)) - prose) / 100


def displays(text):
    """The formulas that stand by themselves."""
    return "".join(DISPLAY.findall(re.sub(FENCED, "", text, flags=re.M | re.S)))


def letters(text):
    """The single letters of a formula, without their indices."""
    found = (m[0] for m in TOKEN.finditer(text) if m.lastgroup == "atom")
    return {letter for letter in found if letter.isalpha() and letter != "Σ"}


@pytest.mark.parametrize("file", TEXTS)
def test_a_chapter_can_be_read_in_a_quarter_of_an_hour(file):
    assert MINUTES[0] <= minutes(TEXTS[file]) <= MINUTES[1]
    assert TEXTS[file].count("\n") <= MOST_LINES
    long = [each for each in sentences(TEXTS[file]) if len(words(each)) > MOST_WORDS]
    assert long == []


@pytest.mark.parametrize("file", TEXTS)
def test_a_chapter_begins_with_a_picture_that_is_there_and_described(file):
    assert PICTURE.match(TEXTS[file]), "a title, and then a picture with its description"
    told, picture = PICTURE.match(TEXTS[file]).groups()
    assert len(words(told)) >= 6
    shown = [picture, *re.findall(r"!\[[^\]]+\]\(([^)]+)\)", TEXTS[file])]
    assert [each for each in shown if not (SPEC / "course" / each).is_file()] == []


@pytest.mark.parametrize("file", TEXTS)
def test_a_chapter_has_the_notation_of_the_course_and_plain_words(file):
    prose = re.sub(r"`[^`]*`|\([a-z]+\)", "", plain(TEXTS[file]))  # α (alpha)
    assert re.findall(OTHER_NOTATION, prose + displays(TEXTS[file])) == []
    assert re.findall(RIDDLES, prose, re.IGNORECASE) == []


def test_every_letter_of_a_formula_stands_in_the_table_of_symbols():
    table = (SPEC / "course" / "README.md").read_text(encoding="utf-8")
    explained = letters(" ".join(re.findall(r"^\| ([^|`]+) \|", table, flags=re.MULTILINE)))
    assert letters("".join(map(displays, TEXTS.values()))) <= explained


def test_the_chapters_are_numbered_without_a_gap():
    assert [int(file[7:9]) for file in TEXTS] == list(range(1, len(TEXTS) + 1))


def test_a_sentence_that_is_too_long_is_found():
    short, long = "word " * 30, "word " * 31
    text = f"# 1. A\n\n{short}. {short}? Then:\n\n- {short}\n- {short}\n\n    {long}\n"
    text += f"\n| {short}|{short}|\n"
    assert max(len(words(each)) for each in sentences(text)) == 30
    assert max(len(words(each)) for each in sentences(f"A.\n\n- Two. {long.strip()}.\n")) == 31


HEAD = "from refsvm.course import *\n"
BESIDE = {"course/12-other-ways.md": ["refsvm.solvers.coordinate_ascent"],  # its quadratic
          "course/17-in-practice.md": ["refsvm.commands"]}


@pytest.mark.parametrize("file", TEXTS)
def test_a_chapter_imports_in_one_line_and_its_first_block_shows_something(file):
    blocks = [DocTestParser().get_examples(block) for block in FENCE.findall(TEXTS[file])]
    sources = [example.source for block in blocks for example in block]
    assert HEAD in [example.source for example in blocks[0]]
    assert any(example.want for example in blocks[0])
    taken = re.findall(r"^ *(?:from|import) (refsvm[\w.]*)", "".join(sources), re.MULTILINE)
    assert sorted(taken) == sorted(["refsvm.course", *BESIDE.get(file, [])])


def test_every_name_of_the_course_is_used_in_a_chapter():
    code = "".join("".join(FENCE.findall(text)) for text in TEXTS.values())
    names = [name for name in vars(course) if name[0] not in "_@"]  # @py_..: pytest's
    assert len(names) > 100
    assert [name for name in names if not re.search(rf"\b{name}\b", code)] == []


@pytest.mark.parametrize("file", TEXTS)
def test_what_a_chapter_opens_in_play_can_be_opened(file):
    states = [state for _, state in PLAY.findall(TEXTS[file])]
    for state in states:
        assert answer({"state": state})["status"] in ("optimal", "infeasible")
    if file[7:9] not in ("05", "12", "13", "16", "17"):
        assert states
