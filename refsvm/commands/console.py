"""What a command says: its report, in lines of aligned text; refusals and progress on stderr.

    report    what a command says of its work; printed on standard output, or on stderr where
              standard output takes a file that was asked for
    needed    the report is all that was asked for: to lose it is an error. Beside a file or a
              verdict it is not, and the work goes on

Either stream may be closed, full, or of an encoding that lacks a letter.
"""

import errno
import os
import sys
import time
from contextlib import contextmanager, suppress
from math import inf
from unicodedata import east_asian_width

from ..files import STDOUT, write_whole
from ..numerics.display import plural as plural  # for the other commands
from ..numerics.numerals import is_short_number
from ..numerics.quoting import visible
from .watching import Watch, written_now_and_then

TERMINAL_LETTERS = 80  # of a terminal that does not tell


class _Report:
    """A stream for the report, whose errors are raised if it is needed, and else kept."""

    def __init__(self, stream, needed):
        self.stream, self.needed, self.error = stream, needed, None

    def write(self, text):
        """Write a text, unless one could not be written before."""
        if self.error:
            return
        encoding = getattr(self.stream, "encoding", None) or "utf-8"
        try:
            if self.stream is not None:
                write_whole(
                    self.stream, text.encode(encoding, "backslashreplace").decode(encoding)
                )
            elif self.needed:
                raise OSError(errno.EBADF, "it is closed")
        except OSError as error:
            self.error = OSError(error.errno, error.strerror, STDOUT)
            _silence(self.stream)
            if self.needed:
                raise self.error from None


current = None  # the Report in use


@contextmanager
def reporting(stream, needed):
    """Let say() print to this stream; tell at the end of an error that did not matter."""
    global current
    before, current = current, _Report(stream, needed)
    report = current
    try:
        yield
    except BaseException:
        report.needed = False  # what went wrong before is told, not this
        raise
    finally:
        current = before
    if report.error and report.error.errno != errno.EPIPE:  # a reader may have had enough
        complain(f"{STDOUT}: {report.error.strerror}; all else is done")


def say(*lines, end="\n"):
    """Print lines of the report.

    What a line holds cannot end it: only `end` and the next argument begin a new one.
    """
    report = current or _Report(sys.stdout, True)
    report.write("\n".join(map(visible, lines)) + end)


def say_written(path):
    """Print that a file is written."""
    if path != STDOUT:
        say(f"written: {path}")


def complain(sentence):
    """Print a sentence on stderr, as one line."""
    put(sys.stderr, f"refsvm: {visible(sentence)}\n")


def _silence(stream):
    """Let what a stream still holds go nowhere: Python would fail on it once more at its end."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def table(rows, sides):
    """Return rows of words as lines: columns two blanks apart, aligned as sides says, l or r.

    >>> print("\\n".join(table([["row", "slack"], ["7", "0.25"], ["12", "0"]], "rl")))
    row  slack
      7  0.25
     12  0
    """
    rows = [list(map(visible, row)) for row in rows]
    widths = [max(map(cells, column)) for column in zip(*rows)]
    return ["  ".join(map(padded, row, widths, sides)).rstrip() for row in rows]


def padded(word, width, side):
    """Return a word padded with blanks to this width."""
    blanks = " " * (width - cells(word))
    return blanks + word if side == "r" else word + blanks


def show(lines, indent=2):
    """Print the lines, moved to the right, and an empty one."""
    for line in lines:
        say(" " * indent + line)
    say()


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


@contextmanager
def progress(what, tol=None, stream=None, clock=time.monotonic):
    """Show a line on the terminal while work goes on, and erase it at the end.

    Gives an on_step for a solver that ends at tol (watching.py); None without a terminal, so that
    the solver reports no steps.
    """
    with status_line(stream) as write:
        if write is None:
            yield None
            return
        watch = Watch(what, tol, clock)
        with written_now_and_then(watch, write):
            yield watch


@contextmanager
def status_line(stream=None):
    """Give what writes a line of the terminal anew, and erase it at the end; None without one."""
    stream = sys.stderr if stream is None else stream
    if stream is None or not stream.isatty():
        yield None
        return
    shown = 0

    def write(line):
        nonlocal shown
        line = cut(visible(line), _width_of(stream) - 1)  # in the last column it would wrap
        put(stream, "\r" + line + " " * (shown - cells(line)))
        shown = cells(line)

    try:
        yield write
    finally:
        put(stream, "\r" + " " * shown + "\r")


def put(stream, text):
    """Write a text to a terminal or to stderr, which may be closed or gone."""
    if stream is not None:
        with suppress(OSError):
            write_whole(stream, text)


def columns():
    """Return how wide a text for standard output may be: what COLUMNS says, or its terminal."""
    asked = os.environ.get("COLUMNS", "")
    return int(asked) if is_short_number(asked) and int(asked) else _width_of(sys.__stdout__)


def _width_of(stream):
    """Return how many columns a terminal has."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or TERMINAL_LETTERS
    except (AttributeError, OSError, ValueError):
        return TERMINAL_LETTERS


def cells(text):
    """Return how many columns of a terminal a text takes.

    >>> cells("abc"), cells("\u6a21\u578b")
    (3, 4)
    """
    return len(text) + len([c for c in text if east_asian_width(c) in "WF"])


def cut(text, width):
    """Return a text cut at its end to at most this width.

    >>> cut("training", 5), cut("\u6a21\u578b", 3)
    ('train', '\u6a21')
    """
    text = text[:width]
    while cells(text) > width:
        text = text[:-1]
    return text
