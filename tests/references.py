"""References between the pages of spec/ go by name; this writes their numbers.

    python tests/references.py      after a chapter or a section got another number or place

In a page a reference is a label in square brackets: [4.7], [chapter 12], [E-cs-17]. At the end of
the page a definition says what the label means:

    [4.7]: 4-problem.md#47-the-conditions-of-optimality

What counts there is the name of the page and of the section. The numbers, in the definition and in
the label, are those that page and section have now.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import NamedTuple

SPEC = Path(__file__).resolve().parent.parent / "spec"
DEFINITION = re.compile(r"^\[([^\]]+)\]: (\S+)$", re.MULTILINE)
LABEL = re.compile(r"(?<![\w\]])\[([^\][]+)\](?!\()")
FENCED = r"^```.*?^```$"
CODE = re.compile(
    FENCED + r"|(?<=\n\n)(?:    [^\n]*\n)+|`[^`]+`", re.MULTILINE | re.DOTALL
)


class Page(NamedTuple):
    """A page of spec/: its file's name, its number or "", and its headings by their slugs."""

    file: str
    number: str
    headings: dict[str, str]


def slug(title: str) -> str:
    """Return what GitHub makes of a heading in a link."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def nameless(text: str) -> str:
    """Return a file's name or a slug without the number that it begins with."""
    return re.sub(r"^\d+-", "", text)


def prose(text: str) -> str:
    """Return a page without its examples, its displays and code between backquotes."""
    return CODE.sub(" ", text)


def page_of(path: Path) -> Page:
    """Return the page in a file."""
    text = re.sub(FENCED, "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    number = path.name[: len(path.name) - len(nameless(path.name))].rstrip("-")
    return Page(path.name, number, {slug(title): title for title in titles})


def pages(folder: Path = SPEC) -> dict[str, Page]:
    """Return the pages of a folder by their names without numbers."""
    return {nameless(path.name): page_of(path) for path in sorted(folder.glob("*.md"))}


def resolved(label: str, target: str, here: str, known: dict[str, Page]) -> tuple[str, str]:
    """Return the label and the target of a definition as they must be; ValueError if no such."""
    file, _, anchor = target.partition("#")
    page = known.get(nameless(file) or here)
    if page is None:
        raise ValueError(f"[{label}]: there is no page {file}")
    if not anchor:
        return re.sub(r"\d+$", page.number, label), page.file
    found = [each for each in page.headings if nameless(each) == nameless(anchor)]
    if len(found) != 1:
        raise ValueError(f"[{label}]: {page.file} has {len(found)} headings for {anchor}")
    first = page.headings[found[0]].split()[0]
    numbered = first[0].isdigit() or first.startswith("E-")
    return first if numbered else label, f"{page.file if file else ''}#{found[0]}"


def renumbered(text: str, here: str, known: dict[str, Page]) -> str:
    """Return a page, by its name without number, with the numbers its references must have."""
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

    lines = (f"[{label}]: {target}\n" for label, target in new.values())
    return LABEL.sub(relabelled, body) + "".join(sorted(lines, key=by_number))


def by_number(line: str) -> tuple[list[int], str]:
    """Return what definitions are sorted by: the numbers in their label, then its letters."""
    label = line[: line.index("]")]
    return [int(digits) for digits in re.findall(r"\d+", label)], label


def main() -> None:
    known = pages()
    for name, page in known.items():
        path = SPEC / page.file
        text = path.read_text(encoding="utf-8")
        new = renumbered(text, name, known)
        if new != text:
            path.write_text(new, encoding="utf-8")
            print(page.file)


if __name__ == "__main__":
    sys.exit(main())
