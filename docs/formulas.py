"""Displayed formulas of the course as MathML, which every browser sets by itself.

In a page a formula stands in Unicode, indented by four spaces: ½‖w‖² + C Σ ξᵢ. It can be read as
it is; on the site it is set. What a formula may consist of:

    letters and numbers with indices and powers       xᵢ  w_d  δ²  p*  ½
    brackets and bars, with powers behind them        ( )  [ ]  ⟨ ⟩  |f(x)|  ‖w‖²
    sums and roots                                    Σ  Σᵢⱼ  √⟨w, w⟩
    words, and everything else as an operator         max  such that  ≤  ←

Two to four spaces are a gap, five or more the next column.
"""

from __future__ import annotations

import re
from html import escape
from unicodedata import normalize

DISPLAY = re.compile(r"(?<=\n\n)(?:    [^\n]*\n)+(?=\n|\Z)")
FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
LOW, HIGH = "ᵢⱼₖₗₘₙₚᵣₛₜᵤᵥₓ₀₁₂₃₄₅₆₇₈₉₊₋₍₎", "⁰¹²³⁴⁵⁶⁷⁸⁹ᵏⁿᵐᵗ⁺⁻*"
TOKEN = re.compile(
    rf"(?P<gap> +)|(?P<word>[A-Za-z]{{2,}})|(?P<atom>\d+|½|∞|[^\W\d_{LOW}{HIGH}])"
    rf"|(?P<low>[{LOW}]+|_\w)|(?P<high>[{HIGH}]+)|(?P<sign>\.\.\.|.)"
)
CLOSING = {"(": ")", "[": "]", "⟨": "⟩", "|": "|", "‖": "‖"}
FUNCTIONS = ("max", "min", "exp", "ln", "hinge", "primal", "dual", "gap")


class Formula:
    """A line of a display, read from left to right."""

    def __init__(self, text: str) -> None:
        self.tokens = [(m.lastgroup or "", m[0]) for m in TOKEN.finditer(text)]
        self.place = 0

    def peek(self) -> tuple[str, str]:
        """Return the kind and the text of the next token."""
        return self.tokens[self.place] if self.place < len(self.tokens) else ("end", "")

    def taken(self, kind: str) -> str:
        """Return the text of the next token and step over it, if it is of this kind; else ""."""
        found, text = self.peek()
        self.place += found == kind
        return text if found == kind else ""

    def row(self, closing: str = "") -> str:
        """Return the MathML of all that comes before a closing bracket or the end."""
        parts = []
        while self.peek()[0] != "end" and self.peek()[1] != closing:
            parts.append(self.scripted(self.base()))
        return "".join(parts)

    def base(self) -> str:
        """Return the MathML of the next thing, without its index and power."""
        kind, text = self.peek()
        self.place += 1
        if kind == "gap":
            return f'<mspace width="{min(len(text) - 1, 2) * 0.5}em"/>'
        if kind == "word":
            return (
                f"<mi>{text}</mi>" if text in FUNCTIONS else f"<mtext>&nbsp;{text}&nbsp;</mtext>"
            )
        if text == "½":
            return "<mfrac><mn>1</mn><mn>2</mn></mfrac>"
        if text == "√":
            return f"<msqrt>{self.base()}</msqrt>"
        if text == "Σ":
            low = self.taken("low")
            return f"<munder><mo>∑</mo>{index(low)}</munder>" if low else "<mo>∑</mo>"
        if text in CLOSING:
            return self.bracketed(text, CLOSING[text])
        tag = {"atom": "mn" if text[0].isdigit() else "mi"}.get(kind, "mo")
        return f"<{tag}>{escape(text)}</{tag}>"

    def bracketed(self, opening: str, closing: str) -> str:
        """Return the MathML of what stands in brackets, after the opening one."""
        inner = self.row(closing)
        self.place += 1
        fence = '<mo stretchy="false">{}</mo>'
        return f"<mrow>{fence.format(opening)}{inner}{fence.format(closing)}</mrow>"

    def scripted(self, base: str) -> str:
        """Return a base with the index and the power that follow it."""
        low, high = self.taken("low"), self.taken("high")
        if low and high:
            return f"<msubsup>{base}{index(low)}{index(high)}</msubsup>"
        if low or high:
            tag = "msub" if low else "msup"
            return f"<{tag}>{base}{index(low or high)}</{tag}>"
        return base


def index(text: str) -> str:
    """Return the MathML of an index or a power in small letters."""
    plain = normalize("NFKC", text.lstrip("_"))
    cells = (f"<mn>{c}</mn>" if c.isdigit() else f"<mi>{c}</mi>" for c in plain)
    return f"<mrow>{''.join(cells)}</mrow>"


def cells_of(line: str) -> list[str]:
    """Return the columns of a line of a display."""
    return [cell.strip() for cell in re.split(r" {5,}", line.strip())]


def display(text: str) -> str:
    """Return the MathML of a display, an HTML block of one line."""
    rows = "".join(
        "<mtr>"
        + "".join(
            f'<mtd style="text-align: left; padding: 0.2em 0.6em">{Formula(cell).row()}</mtd>'
            for cell in cells_of(line)
        )
        + "</mtr>"
        for line in text.splitlines()
    )
    table = f'<mtable displaystyle="true">{rows}</mtable>'
    return f'<div class="formula"><math display="block">{table}</math></div>\n'


def with_formulas(text: str) -> str:
    """Return a page in which every display outside code is MathML."""
    pieces = FENCE.split(text)
    pieces[::2] = (DISPLAY.sub(lambda m: display(m[0]), piece) for piece in pieces[::2])
    return "".join(pieces)
