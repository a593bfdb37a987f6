"""References between the pages of spec/ go by name; this writes their numbers.

    python tests/references.py      after a chapter or a section got another number or place

The sections that statements.json names are written, too.

Chapters of the course are 1, 2, ..., those of the standard S1, S2, ...: the number stands in the
title of a page and before the name of each section. In a page a reference is a label in square
brackets: [3.2], [S3.4], [chapter S3], [E-cs-17]. At the end of the page a definition says what the
label means:

    [S2.7]: ../standard/problem.md#s27-the-conditions-of-optimality

What counts there is the name of the page and of the section. The numbers, in the definition and in
the label, and the folder are those that page and section have now.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from posixpath import basename, dirname, join, normpath, relpath
from typing import NamedTuple

SPEC = Path(__file__).resolve().parent.parent / "spec"
BESIDE = ("vectors", "adapters")  # folders of spec/ that are no pages
DEFINITION = re.compile(r"^\[([^\]]+)\]: (\S+)$", re.MULTILINE)
LABEL = re.compile(r"(?<![\w\]])\[([^\][]+)\](?!\()")
FENCED = r"^```.*?^```$"
CODE = re.compile(
    FENCED + r"|(?<=\n\n)(?:    [^\n]*\n)+|`[^`]+`", re.MULTILINE | re.DOTALL
)
CODE_KEPT = re.compile(f"({CODE.pattern})", CODE.flags)


class Page(NamedTuple):
    """A page: its file below spec/, the number in its title or "", its headings by their slugs."""

    file: str
    number: str
    headings: dict[str, str]


def slug(title: str) -> str:
    """Return what GitHub makes of a heading in a link."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def nameless(text: str) -> str:
    """Return the path of a file or a slug without the number that its last part begins with."""
    return re.sub(r"(^|/)s?\d+-(?=[^/]*$)", r"\1", text)


def prose(text: str) -> str:
    """Return a page without its examples, its displays and code between backquotes."""
    return CODE.sub(" ", text)


def page_of(path: Path, folder: Path = SPEC) -> Page:
    """Return the page in a file below a folder."""
    text = re.sub(FENCED, "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    number = re.match(r"(S?\d+)\. ", titles[0])
    file = path.relative_to(folder).as_posix()
    return Page(file, number[1] if number else "", {slug(title): title for title in titles})


def pages(folder: Path = SPEC) -> dict[str, Page]:
    """Return the pages below a folder by their paths without numbers, in the order of chapters."""
    paths = [path for path in sorted(folder.rglob("*.md")) if path.parent.name not in BESIDE]
    found = sorted((page_of(path, folder) for path in paths), key=lambda p: by_number(p.number))
    return {nameless(page.file): page for page in found}


def page_meant(file: str, here: Page, known: dict[str, Page]) -> Page | None:
    """Return the page that a link leads to; one that has moved is found by its name alone."""
    if not file:
        return here
    name = nameless(normpath(join(dirname(here.file), file)))
    moved = [page for key, page in known.items() if basename(key) == basename(name)]
    return known.get(name) or (moved[0] if len(moved) == 1 else None)


def resolved(label: str, target: str, here: Page, known: dict[str, Page]) -> tuple[str, str]:
    """Return the label and the target of a definition as they must be; ValueError if no such."""
    file, _, anchor = target.partition("#")
    page = page_meant(file, here, known)
    if page is None:
        raise ValueError(f"[{label}]: there is no page {file}")
    way = "" if page is here else relpath(page.file, dirname(here.file) or ".")
    if not anchor:
        return re.sub(r"S?\d+$", page.number, label), way
    found = [each for each in page.headings if nameless(each) == nameless(anchor)]
    if len(found) != 1:
        raise ValueError(f"[{label}]: {page.file} has {len(found)} headings for {anchor}")
    first = page.headings[found[0]].split()[0]
    numbered = re.match(r"S?\d|E-", first)
    return first if numbered else label, f"{way}#{found[0]}"


def renumbered(text: str, here: Page, known: dict[str, Page]) -> str:
    """Return a page's text with the numbers that its references must have."""
    new = {
        label: resolved(label, target, here, known) for label, target in DEFINITION.findall(text)
    }
    if not new:
        return text
    body = text[: text.index(f"\n[{next(iter(new))}]: ") + 1]

    def relabelled(match: re.Match[str]) -> str:
        label = match[1]
        small = label[0].lower() + label[1:]
        if label in new:
            return f"[{new[label][0]}]"
        return f"[{label[0]}{new[small][0][1:]}]" if small in new else match[0]

    lines = {f"[{label}]: {target}\n" for label, target in new.values()}
    pieces = CODE_KEPT.split(body)
    pieces[::2] = (LABEL.sub(relabelled, piece) for piece in pieces[::2])
    return "".join(pieces) + "".join(sorted(lines, key=by_label))


def by_label(line: str) -> tuple[bool, list[int], str]:
    """Return what definitions are sorted by: the numbers in their label, then its letters."""
    return by_number(line[: line.index("]")])


def by_number(label: str) -> tuple[bool, list[int], str]:
    """Return what numbers are sorted by: those of the course first."""
    digits = [int(each) for each in re.findall(r"\d+", label)]
    return re.search(r"\bS\d", label) is not None, digits, label


def section_of(place: str, known: dict[str, Page]) -> str:
    """Return what the `section` of a statement, `page#title`, must be; ValueError if no such."""
    return resolved("", place, Page("statements.json", "", {}), known)[1]


def main() -> None:
    known = pages()
    for page in known.values():
        path = SPEC / page.file
        text = path.read_text(encoding="utf-8")
        new = renumbered(text, page, known)
        if new != text:
            path.write_text(new, encoding="utf-8")
            print(page.file)
    statements = SPEC / "statements.json"
    text = statements.read_text(encoding="utf-8")
    places = set(re.findall(r'^    "section": "(.*)",$', text, re.MULTILINE))
    for place in places:
        text = text.replace(f'"section": "{place}"', f'"section": "{section_of(place, known)}"')
    statements.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
