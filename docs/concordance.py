"""python3 -m docs.concordance: write a page for each note, from its lines to the code.

The pages are made of spec/statements.json, and lie in spec/concordance/: a row for each statement,
with the section that shows it, its functions, its tests, and the errata that it names.
"""

from __future__ import annotations

import json
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from docs.notation import in_letters
from tests.references import SPEC, pages

ROOT = SPEC.parent
ERRATUM = re.compile(r"\bE-[a-z]+-\d\d\b")
HEAD = """# Concordance: {title}

{author}, {date}. From a line of the note's plain text to what makes it run: a section
leads to the course or the standard, a function to its source, a test to its file. The full names
are in [statements.json](../statements.json).

| line | statement | section | functions | tests | errata |
|-----:|-----------|---------|-----------|-------|--------|
"""


def statements() -> dict[str, list[dict[str, Any]]]:
    """Return the statements of each note, by the name that its ids begin with."""
    notes: dict[str, list[dict[str, Any]]] = {}
    for entry in json.loads((SPEC / "statements.json").read_text(encoding="utf-8")):
        notes.setdefault(entry["id"].rpartition("-")[0], []).append(entry)
    return notes


def places_of_errata() -> dict[str, str]:
    """Return the link of each erratum from a page in a folder beside theirs."""
    return {
        title: f"../{page.file}#{anchor}"
        for page in pages().values()
        for anchor, title in page.headings.items()
        if ERRATUM.fullmatch(title)
    }


def page_of_note(note: str, entries: list[dict[str, Any]], errata: dict[str, str]) -> str:
    """Return the text of the page on one note."""
    numbers = {page.file: page.headings for page in pages().values()}
    rows = "".join(row(entry, numbers, errata) for entry in entries)
    text = HEAD.format(**entries[0]["note"]) + rows
    more = [e for e, place in errata.items() if f"/{note}.md" in place and e not in rows]
    return text + f"\n[Errata](../errata/{note}.md) that no row names: {links(more, errata)}.\n"


def row(entry: dict[str, Any], headings: dict[str, dict[str, str]], errata: dict[str, str]) -> str:
    """Return the row of one statement."""
    file, _, anchor = entry["section"].partition("#")
    number = headings[file][anchor].split()[0]
    cells = [
        str(entry["line"]),
        without_markup(in_letters(entry["statement"])),
        f"[{number}](../{entry['section']})",
        ", ".join(map(link_to_function, entry["functions"])),
        ", ".join(map(link_to_test, dict.fromkeys(t.split("::")[0] for t in entry["tests"]))),
        links(ERRATUM.findall(entry["statement"]), errata),
    ]
    return f"| {' | '.join(cells)} |\n"


def links(names: list[str], errata: dict[str, str]) -> str:
    """Return links to errata."""
    return ", ".join(f"[{name}]({errata[name]})" for name in names)


def without_markup(text: str) -> str:
    """Return a text in which no character means anything to Markdown."""
    return re.sub(r"([\\*|<_`])", r"\\\1", text)


def link_to_function(name: str) -> str:
    """Return a function's name in its module, linked to the source of that module."""
    parts = name.split(".")
    size = next(k for k in range(len(parts) - 1, 0, -1) if is_module(".".join(parts[:k])))
    file = Path(*parts[:size]).with_suffix(".py")
    if not (ROOT / file).exists():
        file = Path(*parts[:size], "__init__.py")
    inside = ".".join(parts[size:])
    return f"[`{inside}`](../../{file.as_posix()}#{inside})"


def is_module(name: str) -> bool:
    """Return whether a dotted name is that of a module."""
    try:
        import_module(name)
    except ModuleNotFoundError:
        return False
    return True


def link_to_test(path: str) -> str:
    """Return the name of a file of tests, linked to it."""
    return f"[{Path(path).stem.removeprefix('test_')}](../../{path})"


def all_pages() -> dict[str, str]:
    """Return the text of each page by its file below spec/."""
    errata = places_of_errata()
    return {
        f"concordance/{note}.md": page_of_note(note, entries, errata)
        for note, entries in statements().items()
    }


def main() -> None:
    for file, text in all_pages().items():
        (SPEC / file).parent.mkdir(exist_ok=True)
        (SPEC / file).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
