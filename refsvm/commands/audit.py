"""audit SUBJECT: hold a program against problems whose optimum is known exactly."""

import argparse
import os
import signal
from contextlib import contextmanager
from threading import current_thread, main_thread

from ..conformance.audit import TOL, audit, expectations
from ..conformance.coverage import complain_of_coverage
from ..conformance.fingerprint import fingerprint
from ..conformance.process_groups import end_all
from ..conformance.processes import RUN
from ..conformance.report import (
    bugs_found,
    case_grid,
    describe_bug,
    first_names,
    html,
    markdown,
    verdict,
)
from ..conformance.subjects import as_subject, import_subject, name_with_version
from ..files import STDOUT
from ..files.outputs import writing
from ..numerics.quoting import quote
from ..numerics.validation import positive
from .arguments import Input, target
from .console import say, say_written, show, status_line, table

EXAMPLE = """\
  python3 -m refsvm audit sklearn.svm:SVC -o report.html
  python3 -m refsvm audit "./train --json"
  python3 -m refsvm audit sklearn.svm:SVC --case "C??" --expect "C17: float32, as documented"

The exit status is 0 if nothing fails, 1 if something does, 2 if fewer than half of the cases could
be asked."""
WRITERS = {".md": markdown, ".html": html}
WIDEST = 60  # letters of a reason on the terminal; the report has it whole


def arguments(parser):
    parser.add_argument(
        "subject",
        metavar="SUBJECT",
        type=Subject,
        help="module:Name of an estimator or of a function of a Problem; or a command line, which"
        " reads and writes lines of JSON (spec/22-audit.md)",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="REPORT",
        type=report_file,
        help="write a report, .md or .html, to this file; - is standard output",
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
        default=4.0,
        metavar="SECONDS",
        help="for each answer (default: 4)",
    )
    parser.add_argument(
        "--tol", type=float, default=TOL, help="told to the subject, if it can be (default: 1e-6)"
    )
    parser.add_argument(
        "--in-process",
        action="store_true",
        help="ask a Python subject in this process: faster, but it may hang or end it",
    )


def run(given):
    subject = import_subject(str(given.subject))
    options = {
        "isolate": not given.in_process,
        "deadline": positive(float, given.deadline, "deadline"),
    }
    name = name_with_version(subject)
    say(name)
    with interrupted_by_signals(), status_line() as write:
        if given.case is None:
            say(f"solves: {formulation(subject, options)}")
        records = audit(
            subject,
            tol=positive(float, given.tol, "tol"),
            names=given.case,
            expected=expectations(given.expect),
            on_case=write and (lambda records: write(records[0].case if records else "")),
            **options,
        )
    if not records:
        raise ValueError(f"no case is called {' or '.join(map(repr, given.case))}")
    tell(records)
    if given.output:
        as_text = WRITERS.get(os.path.splitext(given.output)[1], markdown)
        with writing(given.output) as text:
            text.write(as_text(name, records))
        say_written(given.output)
    complaint = complain_of_coverage(as_subject(subject), records)
    if complaint is not None:
        raise ValueError(complaint)
    return 1 if any(record.result == "fail" for record in records) else 0


class Subject(Input):
    """The word that names a subject; the files among the words of a command line are read."""

    def paths(self):
        return list(filter(os.path.isfile, self.split()))


@contextmanager
def interrupted_by_signals():
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


def report_file(word):
    """Return a report to write, refused unless its name says of which kind."""
    path = target(word)
    ending = os.path.splitext(path)[1]
    if path != STDOUT and ending not in WRITERS:
        raise argparse.ArgumentTypeError(
            f"{word} ends in {quote(ending)}; a report ends in .md or .html"
        )
    return path


def formulation(subject, options):
    """Return which problem the subject solves, in words."""
    try:
        return str(fingerprint(subject, **options))
    except ValueError as error:
        return f"not known, for {error}"


def tell(records):
    """Print what was found: the cases in which not all is well, the bugs, the verdict."""
    failed = [record for record in records if record.result == "fail"]
    if failed:
        about = {record.case for record in failed}
        marks = case_grid([record for record in records if record.case in about])
        say()
        show(table([marks.head, *marks.rows], "l" * len(marks.head)))
        show(table([["bug", "what it is", "seen in"], *map(bug_row, bugs_found(records))], "lll"))
        show(table([["case", "check", "what happened"], *map(failure_row, failed)], "lll"))
    say(verdict(records))


def bug_row(item):
    flag, shown = item
    return [flag, describe_bug(flag), first_names((record.case for record in shown), 3)]


def failure_row(record):
    reason = record.reason
    short = reason if len(reason) <= WIDEST else reason[:WIDEST] + " .."
    return [record.case, record.check, short]
