"""The terminal: lines of aligned text, and a line of progress on stderr while work goes on."""

import sys
import time
from contextlib import contextmanager
from math import inf

EVERY = 0.1  # seconds between two lines of progress


def table(rows, sides):
    """Return rows of words as lines: columns two blanks apart, aligned as sides says, l or r.

    >>> print("\\n".join(table([["row", "slack"], ["7", "0.25"], ["12", "0"]], "rl")))
    row  slack
      7  0.25
     12  0
    """
    widths = [max(map(len, column)) for column in zip(*rows)]
    return [
        "  ".join(
            word.rjust(width) if side == "r" else word.ljust(width)
            for word, width, side in zip(row, widths, sides)
        ).rstrip()
        for row in rows
    ]


def show(lines, indent=2):
    """Print the lines, moved to the right, and an empty one."""
    for line in lines:
        print(" " * indent + line)
    print()


def number(value, digits=6):
    """Return a number as text of at most so many digits."""
    return f"{float(value):.{digits}g}"


def percent(part, whole):
    """Return a part of a whole as a percentage, in text."""
    return f"{100 * part / whole:.2f} %"


def ratio(part, whole):
    """Return a part in proportion to a whole, in text, or a dash if there is none.

    >>> ratio(1.0, 8.0), ratio(1.0, 0.0), ratio(inf, inf)
    ('0.12', '-', '-')
    """
    return number(part / whole, 2) if whole and abs(whole) < inf else "-"


def plural(count, one, more=None):
    """Return a count with its noun.

    >>> plural(1, "row"), plural(3, "class", "classes")
    ('1 row', '3 classes')
    """
    return f"{count} {one if count == 1 else more or one + 's'}"


@contextmanager
def progress(what, stream=None, clock=time.monotonic):
    """Show a line on the terminal while work goes on, and erase it at the end.

    Gives an on_step for a solver; None without a terminal, so that the solver reports no steps.
    """
    stream = sys.stderr if stream is None else stream
    if not stream.isatty():
        yield None
        return
    shown = due = 0

    def write(line):
        nonlocal shown, due
        stream.write("\r" + line.ljust(shown))
        stream.flush()
        shown, due = len(line), clock() + EVERY

    def on_step(step):
        if clock() >= due:
            write(
                f"{what}: step {step.iteration}, violation {step.violation:.2g},"
                f" objective {step.objective:.6g}"
            )

    write(what)
    try:
        yield on_step
    finally:
        stream.write("\r" + " " * shown + "\r")
        stream.flush()
