"""Set the cheat sheet of the course on one page:  python3 -m docs.sheet

What is on it stands in spec/course/sheet.md, and nowhere else; here it becomes sheet-a4.html, one
file that loads nothing: three columns and a wide table, light and dark on a screen, black on white
on one sheet A4. Only what that page needs of Markdown is understood: headings, tables, formulas,
paragraphs, code, emphasis, references.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from unicodedata import normalize

from docs.formulas import HIGH, LOW, display
from tests.references import DEFINITION

COURSE = Path(__file__).resolve().parent.parent / "spec" / "course"
SOURCE, SHEET = COURSE / "sheet.md", COURSE / "sheet-a4.html"
STYLE = Path(__file__).with_name("sheet.css")
COLUMNS = [
    ["Primal", "What others call C", "Kernels"],
    ["Dual", "The offset", "α and the margin"],
    ["Karush, Kuhn, Tucker", "A step of SMO", "When something is odd"],
]
WIDE = ["Symbols of five notes"]
SIDEWAYS = 'class="formula"', 'class="wide"'  # scroll on a small screen, also by keyboard
SMALL = {"sub": LOW, "sup": HIGH.replace("*", "") + "ᵀ⁽⁾ⁱ"}
BESIDE = "A-Za-z0-9α-ω\u0302"  # what makes a letter part of a word
LARGE = {ord(c): normalize("NFKC", c) for c in SMALL["sub"] + SMALL["sup"]}
LETTER = re.compile(rf"(?<![{BESIDE}&'])([b-zB-HJ-Zα-ω]\u0302?)(?![{BESIDE}'])")


def inline(text: str) -> str:
    """Return a line as HTML."""
    parts = re.split(r"(`[^`]+`)", text)
    return "".join(
        f"<code>{escape(p[1:-1])}</code>" if p.startswith("`") else prose(p) for p in parts
    )


def prose(text: str) -> str:
    """Return text without code as HTML: symbols in italics, small letters as indices."""
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    text = re.sub(r" ([=<>≤≥]) ", "\u00a0\\1\u00a0", text)  # a relation stays on one line
    text = LETTER.sub(r"<i>\1</i>", escape(text, quote=False))
    text = re.sub(r"_<i>(\w)</i>", r"<sub>\1</sub>", text)
    for tag, letters in SMALL.items():
        text = re.sub(f"([{letters}]+)", rf"<{tag}>\1</{tag}>", text)
    text = text.translate(LARGE)
    text = re.sub(r"\*([^*]+)\*", r"<em>\1</em>", text)
    return re.sub(r"\[([^\]]+)\]", r'<span class="reference">\1</span>', text)


def table(block: str) -> str:
    """Return a table as HTML."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()]
    head = "".join(f"<th>{inline(cell)}</th>" for cell in rows[0])
    body = "\n".join(
        "<tr>" + "".join(f"<td>{inline(cell)}</td>" for cell in row) + "</tr>" for row in rows[2:]
    )
    return f"<table>\n<tr>{head}</tr>\n{body}\n</table>\n"


def blocks(text: str) -> str:
    """Return what stands below a heading as HTML."""
    html = []
    for block in re.split(r"\n\n+", text.strip("\n")):
        if block.startswith("    "):
            html.append(display(block))
        elif block.startswith("|"):
            html.append(table(block))
        else:
            html.append(f"<p>{inline(' '.join(block.split()))}</p>\n")
    return "".join(html)


def sheet() -> str:
    """Return the page as HTML."""
    head, *parts = re.split(r"^## ", DEFINITION.sub("", SOURCE.read_text("utf-8")), flags=re.M)
    sections = {}
    for part in parts:
        title, _, text = part.partition("\n")
        sections[title] = f"<section>\n<h2>{prose(title)}</h2>\n{blocks(text)}</section>\n"
    columns = "".join(
        f'<div class="{kind}">\n' + "".join(sections.pop(title) for title in titles) + "</div>\n"
        for kind, titles in [*(("column", titles) for titles in COLUMNS), ("wide", WIDE)]
    )
    for part in SIDEWAYS:
        columns = columns.replace(part, f'{part} tabindex="0"')
    if sections:
        raise ValueError(f"no column has the sections {', '.join(sections)}")
    title, about = re.fullmatch(r"# (.+)\n\n(.+?\.) .*", head.strip(), re.DOTALL).groups()
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}: support vector machines</title>\n<style>\n"
        f"{STYLE.read_text('utf-8')}</style>\n<body>\n<header><h1>{title}</h1><p>{about} "
        "Grey numbers are sections of the course of refsvm.</p></header>\n"
        f"<main>\n{columns}</main>\n</body>\n</html>\n"
    )


if __name__ == "__main__":
    SHEET.write_text(sheet(), encoding="utf-8")
