"""A report of an audit as lines for a terminal: text is wrapped, never cut.

A table that is too wide gets narrower columns, the widest first, whose cells are wrapped. Lines to
paste are left whole, for a shell has no use for them in parts.
"""

from textwrap import wrap

from ..conformance.report.blocks import Heading, Lines, Paragraph
from .console import cells, columns, padded

GAP = 2  # blanks between two columns
INDENT = 2
NARROWEST = 6  # columns of a terminal that a column of a table keeps
WIDEST = 100  # columns beyond which a text is hard to read


def report_lines(blocks, width=None):
    """Return the blocks of a report as lines no wider than the terminal."""
    width = min(columns() if width is None else width, WIDEST)
    return [line for block in blocks for line in [*_block_lines(block, width), ""]]


def _block_lines(block, width):
    """Return a block as lines."""
    if isinstance(block, Heading):
        return wrapped(block.text, width) if block.level < 3 else wrapped(block.text, width, 1)
    if isinstance(block, Paragraph):
        return wrapped(block.text, width, 1)
    if isinstance(block, Lines):
        return [" " * INDENT + line for line in block.lines]
    return table_lines(block.head, block.rows, width)


def wrapped(text, width, times=0):
    """Return a text as lines, indented so many times.

    >>> wrapped("a hyperplane", 11, 1)
    ['  a hyperpl', '  ane']
    """
    space = " " * INDENT * times
    return [space + line for line in wrap(text, max(NARROWEST, width - len(space)))]


def table_lines(head, rows, width):
    """Return a table as lines: columns GAP blanks apart, indented, cells wrapped to fit."""
    rows = [[*row, *[""] * (len(head) - len(row))] for row in [head, *rows] if any([*head, *row])]
    widths = fitted([max(map(cells, column)) for column in zip(*rows)], width - INDENT)
    lines = []
    for row in rows:
        if sum(map(bool, row)) == 1 and row[0]:  # exact; a remark, which may run over the columns
            lines += wrapped(row[0], width, 1)
            continue
        parts = [wrap(cell, size) or [""] for cell, size in zip(row, widths)]
        for k in range(max(map(len, parts))):
            words = [part[k] if k < len(part) else "" for part in parts]
            line = (" " * GAP).join(map(padded, words, widths, "l" * len(widths)))
            lines.append(" " * INDENT + line.rstrip())
    return lines


def fitted(widths, most):
    """Return the widths of columns; the widest are made narrower until the table fits.

    >>> fitted([5, 60, 30], 60)
    [5, 25, 26]
    """
    widths = list(widths)
    while sum(widths) + GAP * (len(widths) - 1) > most and max(widths) > NARROWEST:  # exact
        widths[widths.index(max(widths))] -= 1
    return widths
