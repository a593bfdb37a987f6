"""A report as Markdown."""

from __future__ import annotations

from .blocks import Block, Heading, Lines, Paragraph, Table
from .contents import blocks
from .facts import AuditReport


def markdown(report: AuditReport) -> str:
    """Return the report as Markdown text."""
    return "\n\n".join(map(_block_markdown, blocks(report))) + "\n"


def _block_markdown(block: Block) -> str:
    """Return a block as Markdown."""
    if isinstance(block, Heading):
        return "#" * block.level + " " + block.text
    if isinstance(block, Paragraph):
        return block.text
    if isinstance(block, Lines):
        return "\n".join(["```sh", *block.lines, "```"])
    return table_markdown(block)


def table_markdown(table: Table) -> str:
    """Return a table as Markdown."""
    width = len(table.head)
    rows = [[*row, *[""] * (width - len(row))] for row in table.rows]
    lines = [table.head, ["---"] * width, *rows]
    return "\n".join("| " + " | ".join(map(_escape_bars, line)) + " |" for line in lines)


def _escape_bars(word: str) -> str:
    """Return a word that breaks no table of Markdown."""
    return word.replace("|", "\\|")
