"""The paper of a slide: 16 to 9, light, with letters that are read from the last row.

The drawing is that of docs/pictures, on a smaller sheet, so that words are larger on it. A formula
is written as in the course, yᵢ ⟨w, xᵢ⟩ ≥ 1; indices and powers become small plain letters that are
moved down or up, since not every font has a small ᵢ.
"""

import inspect
from typing import NamedTuple
from unicodedata import normalize

from docs.formulas import TOKEN
from docs.pictures.paper import RULES, colours, joined, legend
from refsvm.plotting.svg import xml_text

WIDTH, HIGH = 640, 360
LEFT, TITLE, FOOT = 20, 38, 348  # where words begin, and the base lines of the first and last
DOWN, UP = 5, -7  # pixels to an index and to a power
OWN = (
    ".title{font-size:26px;font-weight:600}.foot{font-size:11px}.formula{font-family:serif;"
    "font-size:19px}.formula tspan{font-style:italic}.formula .s{font-size:13px}"
    ".formula .n{font-style:normal}"
)
LICENCE = "CC BY 4.0, the refsvm authors"


class Slide(NamedTuple):
    """What a slide shows: charts, lines of text as SVG, and where its subject comes from."""

    charts: list
    lines: list
    source: str


def text(x, y, words, ink="ink", anchor="start", kind=""):
    """Write a line of plain text."""
    place = f'x="{x:g}" y="{y:g}" text-anchor="{anchor}"'
    return f'<text class="{joined(f"f-{ink}", kind)}" {place}>{xml_text(words)}</text>'


def formula(x, y, words, ink="ink", anchor="start"):
    """Write a line of a formula: single letters slanted, indices below, powers above."""
    x += 6 * (len(words) - len(words.lstrip()))
    parts, moved = [], 0
    for match in TOKEN.finditer(words.strip()):
        kind, word = match.lastgroup, match[0]
        place = {"low": DOWN, "high": UP}.get(kind, 0) if word != "*" else 0
        shift = f' dy="{place - moved}"' if place != moved else ""
        moved = place
        if place:
            plain = xml_text(normalize("NFKC", word.lstrip("_")))
            letters = "" if plain.isalpha() else " n"
            parts.append(f'<tspan class="s{letters}"{shift}>{plain}</tspan>')
        elif kind == "atom" and word.isalpha() and word != "Σ":
            parts.append(f"<tspan{shift}>{xml_text(word)}</tspan>")
        elif shift:
            parts.append(f'<tspan class="n"{shift}>{xml_text(word)}</tspan>')
        else:
            parts.append(xml_text(word))
    return (
        f'<text class="f-{ink} formula" x="{x:g}" y="{y:g}" text-anchor="{anchor}">'
        f"{''.join(parts)}</text>"
    )


def lines(x, y, *rows, step=26):
    """Write lines below each other: a formula where a row is (words, ink), else plain text."""
    return [
        formula(x, y + step * k, *row) if isinstance(row, tuple) else text(x, y + step * k, row)
        for k, row in enumerate(rows)
    ]


def title_of(slide):
    """The sentence on top of a slide, and what is told to a reader who cannot see it."""
    title, _, description = inspect.getdoc(slide).partition("\n\n")
    return title.rstrip("."), " ".join(description.split())


def drawing(slide):
    """The text of the SVG file of a slide, without a size of its own: it fills what it is in."""
    title, description = title_of(slide)
    charts, written, source = slide()
    drawn = "\n".join(chart.text() for chart in charts)
    body = "\n".join(
        [
            drawn + legend(drawn, WIDTH - LEFT - 80, FOOT - 17),
            text(LEFT, TITLE, title, kind="title"),
            *written,
            text(LEFT, FOOT, source, "soft", kind="foot"),
            text(WIDTH - LEFT, FOOT, LICENCE, "soft", "end", "foot"),
        ]
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HIGH}" role="img"'
            ' aria-labelledby="t d">',
            f'<title id="t">{xml_text(title)}</title>',
            f'<desc id="d">{xml_text(description)}</desc>',
            f"<style>{RULES}{colours(body, 0)}{OWN}</style>",
            f'<rect class="f-paper" width="{WIDTH}" height="{HIGH}"/>',
            body,
            "</svg>\n",
        ]
    )
