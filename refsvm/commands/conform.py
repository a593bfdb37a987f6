"""conform PROGRAM: ask a program for bits, and say by section which are right."""

import argparse
import os
from collections import Counter

from ..conformance.asking.process_groups import end_all
from ..conformance.asking.processes import RUN
from ..conformance.audit import DEADLINE
from ..conformance.bits.conforming import conform, junit, questions
from ..conformance.bits.judging import FAIL, NOT_OFFERED, PASS, complaint
from ..conformance.bits.sections import ALGORITHMS
from ..files.outputs import writing
from ..numerics.quoting import quote
from ..numerics.validation import positive
from .arguments import ProgramWords, target
from .console import plural, say, say_written, status_line, table

EXAMPLE = """\
  python3 -m refsvm conform "./program"
  python3 -m refsvm conform "node port.js" --section S3 -o report.xml
  python3 -m refsvm conform "python3 -m refsvm.conformance.bits.answering" --type smo

The program reads and writes lines of JSON (spec/standard/vectors.md). The exit status is 1 if
something fails; else 2 if fewer than half of the questions of the types that it offers were
answered; else 0."""
SHOWN = 20  # failures, without --all


def arguments(parser):
    parser.add_argument("program", metavar="PROGRAM", type=ProgramWords, help="a command line")
    parser.add_argument(
        "--section",
        action="append",
        default=[],
        metavar="S3.5",
        help="only questions of this section or chapter of the standard; may be repeated",
    )
    parser.add_argument(
        "--type",
        action="append",
        default=[],
        choices=ALGORITHMS,
        metavar="TYPE",
        help="only questions of this type, such as smo; may be repeated",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="REPORT.xml",
        type=_junit_file,
        help="write JUnit's XML to this file: a suite for each section",
    )
    parser.add_argument(
        "--all", action="store_true", help=f"show every failure, not the first {SHOWN} only"
    )
    parser.add_argument(
        "--deadline",
        type=float,
        default=DEADLINE,
        metavar="SECONDS",
        help=f"for each answer of a quick program (default: {DEADLINE:g}), as in audit",
    )


def run(given):
    asked = questions(given.section, given.type)
    if not asked:
        words = " and ".join(map(quote, [*given.section, *given.type]))
        raise ValueError(f"no question is of {words}")
    deadline = positive(float, given.deadline, "deadline")
    try:
        with status_line() as write:
            show = write and _Progress(len(asked), write)
            results = conform(str(given.program), asked, deadline, show)
    except KeyboardInterrupt:
        end_all(RUN)
        raise
    _report(results, None if given.all else SHOWN)
    if given.output is not None:
        with writing(given.output) as text:
            text.write(junit(str(given.program), results))
        say_written(given.output)
    counts = Counter(result.result for result in results)
    say(f"{counts[PASS]} right, {counts[FAIL]} wrong, {counts[NOT_OFFERED]} not offered")
    if counts[FAIL]:
        return 1
    sentence = complaint((result.result, result.reason) for result in results)
    if sentence is not None:
        raise ValueError(sentence)
    return 0


def _report(results, most):
    """Say for each section and type what became of its questions; then what failed."""
    found = {}
    for result in results:
        key = result.question.section, result.question.type
        found.setdefault(key, Counter())[result.result] += 1
    rows = [
        [*key, *(str(counts[kind] or "") for kind in (PASS, FAIL, NOT_OFFERED))]
        for key, counts in sorted(found.items(), key=lambda item: _order(item[0][0]))
    ]
    for line in table([["section", "type", "passed", "failed", NOT_OFFERED], *rows], "llrrr"):
        say(line)
    failures = [result for result in results if result.result == FAIL]
    if failures:
        say()
    for result in failures[:most]:
        say(f"{result.question.type}: {result.question.id}: {result.reason}")
    if len(failures[:most]) < len(failures):
        say(f"and {len(failures) - most} more; --all shows them")


def _order(section):
    """Return the numbers of a section, for sorting."""
    return [int(part) for part in section[1:].split(".")]


class _Progress:
    """Called with each result, it writes how many were asked, and how many failed."""

    def __init__(self, every, write):
        self.every, self.write, self.asked, self.failures = every, write, 0, 0

    def __call__(self, result):
        self.asked += 1
        self.failures += result.result == FAIL
        failures = plural(self.failures, "failure")
        self.write(f"{self.asked} of {plural(self.every, 'question')}, {failures}")


def _junit_file(word):
    """Return a report to write, refused unless its name ends in .xml."""
    path, ending = target(word), os.path.splitext(word)[1]
    if word != "-" and ending != ".xml":
        raise argparse.ArgumentTypeError(f"{word} ends in {quote(ending)}; a report ends in .xml")
    return path
