"""audit SUBJECT: hold a program against problems whose optimum is known exactly."""

import argparse
import os
import signal
import time
from contextlib import closing, contextmanager
from datetime import datetime
from textwrap import wrap
from threading import current_thread, main_thread

from ..conformance.asking.process_groups import end_all
from ..conformance.asking.processes import RUN
from ..conformance.audit import DEADLINE, SEED, TOL, Auditor, audit, expectations
from ..conformance.fingerprint import fingerprint
from ..conformance.protocol.forms import C_SVC, FORMS
from ..conformance.report import AuditReport, Facts, html
from ..conformance.report.contents import Heading, blocks, changes_since, counts
from ..conformance.report.coverage import (
    complain_of_coverage,
    coverage_of,
    hint_of_repeats,
    is_mostly_judged,
)
from ..conformance.report.examples import smallest_examples
from ..conformance.report.formats import read_stored, to_json
from ..conformance.report.paste import LinesToPaste
from ..conformance.subjects import as_subject, name_with_version
from ..conformance.subjects.named_subjects import import_subject
from ..files import STDOUT
from ..files.outputs import writing
from ..numerics.quoting import quote, visible
from ..numerics.validation import positive
from .arguments import ProgramWords, source, target
from .console import cells, columns, padded, plural, say, say_written, status_line
from .engine import jobs_option, processes
from .watching import duration

EXAMPLE = """\
  python3 -m refsvm audit sklearn.svm:SVC -o report.html
  python3 -m refsvm audit "./train --json"
  python3 -m refsvm audit sklearn.svm:SVR
  python3 -m refsvm audit "./train --json" --type one_class
  python3 -m refsvm audit sklearn.svm:SVC --case "C??" --expect "C17: float32, as documented"
  python3 -m refsvm audit mine:SVM -o today.json --baseline earlier.json

The exit status is 1 if something fails; else 2 if fewer than half of the problems of the sort that
the subject offers were asked and answered; else 0. With --baseline only failures count that the
earlier report does not have."""
ENDINGS = (".html", ".json")
TELLING = 0.1  # the share of the cases after which the time left is guessed
SOON = 3.0  # seconds after which it is


def arguments(parser):
    parser.add_argument(
        "subject",
        metavar="SUBJECT",
        type=ProgramWords,
        help="module:Name or file.py:Name of an estimator or of a function of a Problem; or a"
        " command line, which reads and writes lines of JSON (spec/standard/audit.md)",
    )
    parser.add_argument(
        "--type",
        choices=(C_SVC, *FORMS),
        help="which machine the subject is; an estimator shows it by its name or its parameters,"
        " a function by its name (default otherwise: c_svc)",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="REPORT",
        action="append",
        default=[],
        type=_report_file,
        help="write a report to this file: .html, or .json for a later --baseline; may be"
        " repeated; - prints all of it on standard output",
    )
    parser.add_argument(
        "--baseline",
        metavar="REPORT.json",
        type=source,
        help="tell only what is new against this earlier report",
    )
    parser.add_argument(
        "--case",
        action="append",
        metavar="PATTERN",
        help="only the cases whose name fits, such as 'C??'; may be repeated (default: all)",
    )
    parser.add_argument(
        "--expect",
        action="append",
        default=[],
        metavar="CASE[/CHECK]:REASON",
        help="a failure that is known, and why it is no failure; in the place of the check may"
        " stand the question that begins what happened; may be repeated",
    )
    parser.add_argument(
        "--deadline",
        type=float,
        default=DEADLINE,
        metavar="SECONDS",
        help=f"for each answer of a quick subject (default: {DEADLINE:g}); a slow one has ten"
        " times as long as its slowest answer so far",
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=SEED,
        help="of the cases that are drawn, and which their names tell (default: 1)",
    )
    jobs_option(parser)
    parser.add_argument(
        "--tol", type=float, default=TOL, help="told to the subject, if it can be (default: 1e-6)"
    )
    parser.add_argument(
        "--in-process",
        action="store_true",
        help="ask a Python subject in this process: faster, but it may hang or end it",
    )


def run(given):
    earlier = None if given.baseline is None else read_stored(given.baseline)
    subject = import_subject(str(given.subject))
    deadline, tol = positive(float, given.deadline, "deadline"), positive(float, given.tol, "tol")
    options = {"isolate": not given.in_process, "deadline": deadline, "seed": given.seed}
    expected = expectations(given.expect)
    with (
        _interrupted_by_signals(),
        closing(Auditor(subject, tol=tol, form=given.type, **options)) as again,
    ):
        every = again.names(given.case)
        if not every:
            raise ValueError(f"no case is called {' or '.join(map(repr, given.case))}")
        settings = {"tol": tol, "expected": expected, "form": given.type, **options}
        report = _asked(given, subject, len(every), again.form, settings)
        if earlier is not None:
            report = report._replace(changes=changes_since(earlier, report.records))
        report = report._replace(examples=smallest_examples(again, report.failures))
    say(*report_lines(blocks(report, brief=True)), end="")
    for path in given.output:
        with writing(path) as text:
            text.write(_spelled(report, path))
        say_written(path)
    hint = hint_of_repeats(as_subject(subject), report.records)
    if hint is not None:
        say(hint)
    say(_last_line(report.records))
    complaint = complain_of_coverage(as_subject(subject), report.records)
    if complaint is not None and not report.failures:
        raise ValueError(complaint)
    if complaint is not None:
        say(complaint)
    if not is_mostly_judged(report.records):
        return 2
    return 1 if report.failures else 0


def _asked(given, subject, every, form, options):
    """Return the report of an audit of so many cases of a machine, without examples."""
    begun, word = time.monotonic(), str(given.subject)
    with processes(given.jobs, every) as executor, _ended_first(), status_line() as write:
        solves = None if given.case or form else _formulation(subject, options, write)
        show = write and Progress(every, write)
        records = audit(subject, names=given.case, on_case=show, executor=executor, **options)
    now, took = datetime.now().strftime("%Y-%m-%d %H:%M"), round(time.monotonic() - begun, 1)
    facts = Facts(now, took, solves, options["tol"], options["deadline"])
    line_of = LinesToPaste(subject, word, options["tol"], given.type)
    name = _name_of(word, subject) + ("" if form is None else f", as {form.words}")
    return AuditReport(name, records, facts, [], line_of)


def _name_of(word, subject):
    """Return the name of the subject as it was given, with the version of its package."""
    return name_with_version(subject).replace(as_subject(subject).name, word, 1)


class Progress:
    """Called with the records of each case, it writes how many were asked, and what was found."""

    def __init__(self, every, write, clock=time.monotonic):
        self.every, self.write, self.clock = every, write, clock
        self.begun, self.asked, self.failures = clock(), 0, 0

    def __call__(self, records):
        self.asked += 1
        self.failures += len([record for record in records if record.result == "fail"])
        words = [f"{self.asked} of {self.every} cases", plural(self.failures, "failure")]
        elapsed = self.clock() - self.begun
        if elapsed >= SOON and self.asked >= TELLING * self.every:
            left = elapsed * (self.every - self.asked) / self.asked
            words.append(f"about {duration(left)} left")
        self.write(", ".join(words))


def _spelled(report, path):
    """Return a report as the ending of its file asks; on standard output as text."""
    ending = os.path.splitext(path)[1]
    if ending == ".json":
        return to_json(report.name, report.facts._asdict(), report.records)
    return html(report) if ending == ".html" else "\n".join(report_lines(blocks(report)))


@contextmanager
def _interrupted_by_signals():
    """Let the signals that end this process end the subject first, as Ctrl-C does."""
    names = ("SIGTERM", "SIGHUP") if current_thread() is main_thread() else ()
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = [signal.signal(number, signal.default_int_handler) for number in numbers]
    try:
        yield
    except KeyboardInterrupt:
        end_all(RUN)  # it may have come between the start of a process and the note of it
        raise
    finally:
        for number, handler in zip(numbers, before):
            signal.signal(number, handler)


@contextmanager
def _ended_first():
    """End the subjects that other processes ask before these are ended, which watch over them."""
    try:
        yield
    except KeyboardInterrupt:
        end_all(RUN)
        raise


def _last_line(records):
    """Return how many checks had which result, and how many cases were not asked."""
    left = coverage_of(records).left()
    return "; ".join([counts(records), *(f"{plural(n, 'case')} {words}" for words, n, _ in left)])


def _report_file(word):
    """Return a report to write, refused unless its name says of which kind."""
    path = target(word)
    ending = os.path.splitext(path)[1]
    if path != STDOUT and ending not in ENDINGS:
        raise argparse.ArgumentTypeError(
            f"{word} ends in {quote(ending)}; a report ends in .html or .json"
        )
    return path


def _formulation(subject, options, write):
    """Return which problem the subject solves, in words."""
    if write:
        write("which problem it solves")
    try:
        return str(fingerprint(subject, isolate=options["isolate"], deadline=options["deadline"]))
    except ValueError as error:
        return f"not known ({str(error).partition(': ')[2] or error})"


# The report as lines for a terminal: text is wrapped, never cut
#
# A table that is too wide gets narrower columns, the widest first, whose cells are wrapped. Lines
# to paste are left whole, for a shell has no use for them in parts.

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
        return _wrapped(block.text, width) if block.level < 3 else _wrapped(block.text, width, 1)
    if isinstance(block, str):
        return _wrapped(block, width, 1)
    if isinstance(block, list):
        return [" " * INDENT + visible(line) for line in block]
    return _table_lines(block.head, block.rows, width)


def _wrapped(text, width, times=0):
    """Return a text as lines, indented so many times.

    >>> _wrapped("a hyperplane", 11, 1)
    ['  a hyperpl', '  ane']
    """
    space = " " * INDENT * times
    return [space + line for line in wrap(visible(text), max(NARROWEST, width - len(space)))]


def _table_lines(head, rows, width):
    """Return a table as lines: columns GAP blanks apart, indented, cells wrapped to fit."""
    filled = [[*row, *[""] * (len(head) - len(row))] for row in [head, *rows]]
    rows = [list(map(visible, row)) for row in filled if any([*head, *row])]
    widths = fitted([max(map(cells, column)) for column in zip(*rows)], width - INDENT)
    lines = []
    for row in rows:
        if sum(map(bool, row)) == 1 and row[0]:  # exact; a remark, which may run over the columns
            lines += _wrapped(row[0], width, 1)
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
