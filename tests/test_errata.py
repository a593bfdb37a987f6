"""Each erratum says of which kind it is, where it stands, and shows it by a call."""

import json
import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "spec" / "errata.md").read_text(encoding="utf-8")
ENTRY = re.compile(r"^### (E-\S+)\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
PAGES = {path.stem: dict(ENTRY.findall(path.read_text(encoding="utf-8")))
         for path in (ROOT / "spec" / "errata").glob("*.md")}
ENTRIES = {entry: text for page in PAGES.values() for entry, text in page.items()}
KINDS = ("WRONG", "MISPRINT", "CONDITION", "TRAP")
BY_WEIGHT = ("WRONG", "CONDITION", "TRAP", "MISPRINT")
NOTES = {
    "nyu": "NYU slides", "cs": "CS229", "cb": "Cesa-Bianchi", "lp": "lycpaul", "sutd": "50.007",
}
WORD = r"\b(?:E-(?:nyu|cs|cb|lp|sutd|x)|nyu|cs229|cesabianchi|lycpaul|sutd)-\d+"
PLACE = r"(lines? \d|equation \(\d|display \(\d|the whole note)"


def kind_of(entry):
    return re.match(r"\n(\w+)\. \*\*", ENTRIES[entry])[1]


def prose_of(entry):
    """The entry without its examples and without code between backquotes."""
    return " ".join(re.sub(r"```.*?```|`[^`]*`", "", ENTRIES[entry], flags=re.DOTALL).split())


def test_the_entries_of_a_note_are_numbered_from_one():
    notes = Counter(entry.split("-")[1] for entry in ENTRIES)
    expected = {f"E-{note}-{k:02d}" for note, count in notes.items() for k in range(1, count + 1)}
    assert set(ENTRIES) == expected
    assert set(notes) == {*NOTES, "x"}


def test_each_note_has_a_page_whose_entries_stand_by_weight():
    stated = dict(re.findall(r"^\| \[.*\]\(errata/([\w-]+)\.md\) \| (.*) \|$", TEXT, re.MULTILINE))
    assert set(stated) == set(PAGES)
    for name, page in PAGES.items():
        assert len({entry.split("-")[1] for entry in page}) == 1
        kinds = [kind_of(entry) for entry in page]
        assert kinds == sorted(kinds, key=BY_WEIGHT.index), name
        assert stated[name] == " | ".join(str(kinds.count(kind)) for kind in BY_WEIGHT), name


def test_every_entry_begins_with_its_kind_and_the_counts_are_right():
    counts = Counter(map(kind_of, ENTRIES))
    assert set(counts) == set(KINDS)
    stated = dict(re.findall(r"^\| (\w+) +\|.*\| +(\d+) \|$", TEXT, re.MULTILINE))
    assert stated == {kind: str(counts[kind]) for kind in KINDS}


def test_an_entry_names_its_place_and_has_a_call():
    for entry, text in ENTRIES.items():
        note = entry.split("-")[1]
        if note != "x":
            assert re.search(rf"\({NOTES[note]}.{{,70}}?{PLACE}", prose_of(entry)), entry
        assert ">>> " in text, entry


def test_only_an_entry_on_one_note_quotes_and_its_marks_are_paired():
    quoting = {entry: prose_of(entry).count('"') for entry in ENTRIES}
    assert [entry for entry, marks in quoting.items() if marks % 2] == []
    assert [entry for entry, marks in quoting.items() if marks and entry[:4] == "E-x-"] == []


def test_statements_and_chapters_name_entries_that_are_there():
    statements = json.loads((ROOT / "spec" / "statements.json").read_text(encoding="utf-8"))
    texts = {entry["id"]: entry["statement"] for entry in statements}
    for path in [*(ROOT / "spec").rglob("*.md"), *(ROOT / "refsvm").rglob("*.py")]:
        texts[path.name] = path.read_text(encoding="utf-8")
    named = {(name, word) for name, text in texts.items() for word in re.findall(WORD, text)}
    there = {*ENTRIES, *(entry["id"] for entry in statements)}
    assert [pair for pair in named if pair[1] not in there] == []
