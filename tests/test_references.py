"""References between the pages of spec/ go by name, and their numbers are right."""

import re
from pathlib import Path

import pytest
from references import (
    DEFINITION,
    LABEL,
    SPEC,
    Page,
    nameless,
    page_meant,
    pages,
    prose,
    renumbered,
    slug,
)

ROOT = SPEC.parent
KNOWN = pages()
TEXTS = {page.file: (SPEC / page.file).read_text(encoding="utf-8") for page in KNOWN.values()}
SECTIONS = {title.split()[0] for page in KNOWN.values() for title in page.headings.values()
            if page.number and re.match(r"S?\d+\.\d", title)}
BESIDE = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "tests/bench/README.md")
SOURCES = [path for folder in ("refsvm", "refsvm_fast", "tests")
           for path in (ROOT / folder).rglob("*")
           if path.suffix in (".py", ".pyx", ".pxi", ".pxd", ".h", ".c", ".js")
           and "references" not in path.name]


def without_links(text):
    """What is left of a page's prose when references, links and headings are taken out."""
    text = prose(DEFINITION.sub("", text))
    text = re.sub(r"^#.*$|\[[^\]]*\]\([^)]*\)", "", text, flags=re.MULTILINE)
    return LABEL.sub("", text)


@pytest.mark.parametrize("name", KNOWN)
def test_every_number_of_a_reference_is_that_of_the_name_it_goes_by(name):
    page = KNOWN[name]
    text = TEXTS[page.file]
    assert renumbered(text, page, KNOWN) == text, "python tests/references.py writes the numbers"


@pytest.mark.parametrize("name", KNOWN)
def test_sections_have_the_number_of_their_chapter_and_files_of_the_course_too(name):
    page = KNOWN[name]
    folder, _, file = page.file.rpartition("/")
    in_file = re.match(r"\d\d(?=-)", file)
    if page.number:
        numbers = re.findall(r"^(S?\d+)\.", "\n".join(page.headings.values()), re.MULTILINE)
        assert set(numbers) == {page.number}
    if folder == "course" and file not in ("README.md", "sheet.md", "teaching.md"):
        assert in_file and int(in_file[0]) == int(page.number)
    else:
        assert page.number.startswith("S") == (folder == "standard"), "only there"


def test_no_two_chapters_have_one_number():
    numbers = [page.number for page in KNOWN.values() if page.number]
    assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize("file", TEXTS)
def test_every_label_is_defined_and_every_definition_used(file):
    body = prose(DEFINITION.sub("", TEXTS[file]))
    defined = {label.lower() for label, _ in DEFINITION.findall(TEXTS[file])}
    labels = {label.lower() for label in LABEL.findall(body)}
    meant = {label for label in labels if re.match(r"s?\d+(\.\d+)?$|chapter|e-", label)}
    assert meant <= defined <= labels
    assert defined.isdisjoint(re.findall(r"\w\[(\d+)\]", body)), "x[1] would be a link"


@pytest.mark.parametrize("file", TEXTS)
def test_no_number_of_a_chapter_or_section_stands_outside_a_reference(file):
    text = without_links(TEXTS[file])
    chapter = r"\b[Cc]hapters? S?\d+|\bspec S?\d+|\bS\d+\.\d|\(\d\d?(?:, \d\d?)*\)(?= +\|)"
    assert re.findall(chapter, text) == []
    if file in ("standard/exact.md", "standard/enclosures.md"):
        text = re.sub(r"^\|.*$", "", text, flags=re.MULTILINE)  # numbers that were, and seconds
    number = r"(?<![\w.^*/-])(?<![Pp]oint )(?<!points )(\d+\.\d+)(?!\.\d|\w| times)"
    assert SECTIONS.intersection(re.findall(number, text)) == set()


def test_no_line_begins_with_what_markdown_takes_for_a_quotation():
    for file, text in TEXTS.items():
        assert re.findall(r"^ {0,3}>(?!>> )", text, re.MULTILINE) == [], file


def test_links_to_a_page_lead_to_a_heading_of_it_and_have_its_number():
    known = {f"spec/{page.file}": page for page in KNOWN.values()}
    texts = {f"spec/{file}": text for file, text in TEXTS.items()}
    texts.update((file, (ROOT / file).read_text(encoding="utf-8")) for file in BESIDE)
    link = r"\[([^\]]+)\]\(([^)#\s]*\.md)?(?:#([^)]*))?\)"
    for file, text in texts.items():
        for label, target, anchor in re.findall(link, text):
            path = ((ROOT / file).parent / target if target else ROOT / file).resolve()
            assert path.is_file(), (file, target)
            page = known.get(path.relative_to(ROOT).as_posix())
            if page:
                assert not anchor or anchor in page.headings, (file, anchor)
                number = re.match(r"(?:chapter )?(S?\d+)\b", label, re.IGNORECASE)
                assert number is None or number[1] == page.number, (file, label)


@pytest.mark.parametrize("file", BESIDE)
def test_pages_beside_the_specification_refer_to_it_by_links(file):
    text = without_links((ROOT / file).read_text(encoding="utf-8"))
    assert re.findall(r"\b[Cc]hapters? S?\d+|\bspec S?\d+", text) == []


NAMED = {  # by refsvm/conformance, whose numbers nothing else renews: what stands there
    "S1.3": "exp", "S1.4": "tanh and power", "S1.5": "The generator, draws, orders",
    "S2": "problem", "S2.3": "Kernels", "S2.7": "The conditions of optimality",
    "S2.10": "Several classes", "S3": "smo", "S3.3": "Where it starts", "S3.4": "The loop",
    "S3.5": "A step with an offset", "S3.6": "A step without offset",
    "S3.7": "Every P steps: conjugate gradients on the face",
    "S3.9": "Endings, and the proof that there is no hard margin",
    "S3.10": "What is returned", "S4": "decomposition", "S4.1": "The loop",
    "S4.2": "The members", "S4.3": "The steps of a round",
    "S4.5": "The linear kernel: by way of w", "S5.7": "Both solvers in full",
    "S5.9": "By way of w", "S6.7": "The same, to the last bit", "S9.1": "The tube",
    "S9.5": "nu in the place of epsilon", "S10.1": "A half-space away from the origin",
    "S10.5": "The smallest ball", "S11": "nu", "S12.1": "Platt's sigmoid",
    "S12.2": "The fit, to the last bit", "S12.3": "Several classes",
    "S12.4": "Models with probabilities", "S12.5": "Predictions that are numbers",
    "S23": "perceptron-and-lms", "S23.1": "LMS", "S23.2": "LMS with a kernel",
    "S29.4": "The algorithm to the last bit", "S29.7": "With a kernel", "S30.6": "The gap",
    "S30.7": "The other bounds of a Solution", "S31.3": "In full",
    "S31.4": "What is told, and how it is proved",
    "S31.7": "The proximal point method in full", "S33.2": "The kind of a column",
    "S33.3": "What is learnt", "S33.4": "What becomes of a row", "S33.5": "Folds",
    "S34": "dual-form",
}


def test_the_sections_that_vectors_name_are_what_they_were():
    titles = {page.number: Path(page.file).stem for page in KNOWN.values()}
    for page in KNOWN.values():
        titles.update(title.partition(" ")[::2] for title in page.headings.values())
    assert {number: titles.get(number) for number in NAMED} == NAMED
    found = set()
    for path in sorted((SPEC / "vectors").rglob("*.json")):
        if "schema" not in path.name and path.parent.name != "catalogue":
            words = re.findall(r'"(?!name)[a-z_.]+": "(S[0-9.]+)"', path.read_text("ascii"))
            assert words, path.name
            found.update(words)
    assert found == {*NAMED}


def test_a_source_refers_to_the_specification_by_page_and_title():
    for path in SOURCES:
        text = re.sub(r"^\s*[#*]+", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        text = " ".join(text.split())
        for found in re.finditer(r"\bspec \d+\.\d|\b[Cc]hapters? \d+", text):
            assert "Source" in text[max(0, found.start() - 300) : found.start()], path
        for file, title in re.findall(r'spec/([\w/-]+\.md)(?:, "([^"]+)")?', text):
            assert file in TEXTS or file == "vectors/README.md", (path, file)
            titles = KNOWN[nameless(file)].headings.values()
            assert not title or title in map(without_number, titles), (path, title)


def without_number(title):
    return re.sub(r"^S?[\d.]+ ", "", title)


CUT = Page(
    "course/3-cut.md", "3", {"31-sides": "3.1 Sides", "32-far-away": "3.2 Far away"}
)
LOSS = Page("course/2-loss.md", "2", {"21-the-hinge": "2.1 The hinge"})
BITS = Page("standard/bits.md", "S1", {"s11-order": "S1.1 Order"})
MOVED = {nameless(page.file): page for page in (CUT, LOSS, BITS)}


def test_a_chapter_that_moves_changes_numbers_and_nothing_else():
    """What was chapter 2 is 3, what was 3 is 2, and a section of it another one."""
    before = (
        "# 3. Loss\n\nAfter [chapter 2]: [2.1], [2.2]; [Chapter 2] is before [3.1], x[2] not.\n\n"
        "[2.1]: 2-cut.md#21-far-away\n[2.2]: 2-cut.md#22-sides\n[3.1]: #31-the-hinge\n"
        "[chapter 2]: 2-cut.md\n"
    )
    assert renumbered(before, LOSS, MOVED) == (
        "# 3. Loss\n\nAfter [chapter 3]: [3.2], [3.1]; [Chapter 3] is before [2.1], x[2] not.\n\n"
        "[2.1]: #21-the-hinge\n[chapter 3]: 3-cut.md\n[3.1]: 3-cut.md#31-sides\n"
        "[3.2]: 3-cut.md#32-far-away\n"
    )
    with pytest.raises(ValueError, match=r"there is no page 2-gone\.md"):
        renumbered("[2.1]\n\n[2.1]: 2-gone.md#21-far\n", LOSS, MOVED)
    with pytest.raises(ValueError, match=r"course/3-cut\.md has 0 headings for 21-gone"):
        renumbered("[2.1]\n\n[2.1]: 2-cut.md#21-gone\n", LOSS, MOVED)


def test_a_chapter_that_goes_to_another_book_is_found_there_by_its_name():
    before = "See [1.1].\n\n[1.1]: 1-bits.md#11-order\n"
    after = "See [S1.1].\n\n[S1.1]: ../standard/bits.md#s11-order\n"
    assert renumbered(before, LOSS, MOVED) == after
    twice = {**MOVED, "errata/bits.md": Page("errata/bits.md", "", {})}
    assert page_meant("1-bits.md", LOSS, twice) is None
    assert page_meant("../errata/bits.md", LOSS, twice) is twice["errata/bits.md"]


def test_code_with_a_number_in_brackets_is_no_reference():
    text = "After [3]:\n\n```python\n>>> [[2], [3]]\n[[2], [3]]\n\n```\n\n[3]: 2-cut.md\n"
    assert renumbered(text, LOSS, MOVED).count("[[2], [3]]") == 2


def test_a_heading_is_linked_as_github_links_it():
    assert slug("12.9 Endings, and the proof that there is no hard margin") == (
        "129-endings-and-the-proof-that-there-is-no-hard-margin"
    )
