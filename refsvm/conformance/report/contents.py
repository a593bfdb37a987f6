"""What a report tells, and in which order: the verdict with the smallest case and the counts,
which fill ten lines; what else was found and why it matters, the smallest cases in full, what was
asked, then the tables.

    brief   for a terminal: a screen or two, whatever the number of failures
    full    for a file: each case that fails has a paragraph and a line to paste
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...numerics.display import plural
from ...numerics.quoting import quote
from ...version import __version__
from ..auditor import DEADLINE
from ..checks import BY_LABELS
from ..protocol.records import STOPPED, Record, was_asked
from .causes import Cause, cause_of, effect_of, failures_of, words_for
from .coverage import (
    Coverage,
    count_cases,
    coverage_of,
    failing_sentence,
    groups_of,
    late_sentence,
)
from .examples import Example, in_a_line, row_text
from .stored import Changes
from .tables import (
    MOST_CAUSES,
    Block,
    Heading,
    LineOf,
    Records,
    brief_tables,
    first_names,
    full_tables,
    lines_of,
    table_if_any,
)

MAX_PROBLEM_LETTERS = 120  # letters of the problem in the head
WORDS = {2: "two", 3: "three"}
EXACT = "problems"
SORTS = {  # of cases: one, and several
    EXACT: (
        "problem whose right answer is known exactly",
        "problems whose right answer is known exactly",
    ),
    "rejects": ("invalid input", "invalid inputs"),
    "policies": ("question to estimators", "questions to estimators"),
}


class Facts(NamedTuple):
    """What the head of a report tells beside the name; None for what is not known."""

    date: str | None = None  # when the audit ended, as 2026-11-26 20:15
    seconds: float | None = None  # how long it took
    formulation: str | None = None  # which problem the subject solves, in words
    tol: float | None = None  # told to the subject, if it can be
    deadline: float | None = None  # seconds for each answer

    def sentences(self) -> str:
        """Return the facts as a few sentences."""
        took = None if self.seconds is None else f"it took {duration(self.seconds)}"
        tol = None if self.tol is None else f"tol = {self.tol:g}, where it can be told"
        words = [f"refsvm {__version__}", self.date, took, tol]
        solves = "" if self.formulation is None else f" It solves: {self.formulation}."
        return f"Asked by {'; '.join(word for word in words if word is not None)}.{solves}"


class AuditReport(NamedTuple):
    """All that a report tells."""

    name: str  # of the subject, with its version
    records: Records  # as audit returns them
    facts: Facts = Facts()
    examples: Sequence[Example] = ()  # the smallest cases that fail
    line_of: LineOf = lambda record: None
    changes: Changes | None = None  # against an earlier report: then only new failures are told

    @property
    def failures(self) -> Records:
        """The failures to be told."""
        return failures_of(self.records) if self.changes is None else self.changes.new


def counts(records: Records) -> str:
    """Return how many checks had which result: a sentence without its full stop.

    >>> counts([])
    '0 checks of 0 cases: 0 passed, 0 acceptable, 0 failed'
    """
    of = Counter(record.result for record in records)
    checks = plural(len(records), "check")
    cases = plural(count_cases(records), "case")
    return (
        f"{checks} of {cases}: {of['pass']} passed, {of['acceptable']} acceptable,"
        f" {of['fail']} failed"
    )


def duration(seconds: float) -> str:
    """Return a time in words.

    >>> duration(0.44), duration(7.4), duration(100)
    ('0.4 s', '7 s', '1 min 40 s')
    """
    if seconds < 60:
        return f"{seconds:.1f} s" if seconds < 5 else f"{seconds:.0f} s"
    return f"{int(seconds) // 60} min {int(seconds) % 60} s"


def blocks(report: AuditReport, brief: bool = False) -> list[Block]:
    """Return the report as a list of blocks."""
    cause = cause_of(report.failures)
    return [
        Heading(f"Audit of {report.name}", 1),
        *_head(report, cause),
        *_against_earlier(report),
        *([] if cause is None else _what_it_means(report, cause)),
        *_smallest_cases(report),
        *_what_was_asked(report, brief),
        *_tables(report, brief),
    ]


def _tables(report: AuditReport, brief: bool) -> Iterable[Block]:
    """Return the tables at the end."""
    records, failures = report.records, report.failures
    if brief:
        return brief_tables(failures, len(report.examples))
    every = bool(failures_of(records)) and report.changes is None
    return full_tables(records, failures, report.line_of, every)


# ---- the head: ten lines


def _head(report: AuditReport, cause: Cause | None) -> Iterable[str]:
    """Yield the verdict, the smallest case that shows it, and the counts, a paragraph each."""
    records = report.records
    if cause is not None:
        yield verdict(cause)
        shown = (e for e in report.examples if any(r.flag == cause.flag for r in e.failures))
        yield from map(_example_in_words, [cause.flag], shown)
    elif not coverage_of(records).is_enough():
        yield "Too little was answered to say anything."
    else:
        yield f"Nothing {'new ' if report.changes is not None else ''}fails."
    labels = any(record.reason == BY_LABELS for record in records)
    less = " It states no decisions; its labels alone were compared, which show less."
    yield f"{asked_in_words(records)} {counts(records)}.{less if labels else ''}"


def verdict(cause: Cause) -> str:
    """Return the cause that explains most, in a sentence."""
    failing = plural(cause.failing, "failing case")
    what = cause.sentence.rstrip(".").removeprefix("wrong, and ")
    most = "; most show something else" if 2 * cause.explained < cause.failing else ""
    return f"Wrong: {what} ({cause.flag}): {cause.explained} of {failing}{most}."


def _example_in_words(flag: str, example: Example) -> str:
    """Return a case that shows a bug: the wrong number beside the right one, and the problem."""
    shown = [record for record in example.failures if record.flag == flag]
    record = min(shown, key=lambda record: ("G3", "G1", record.check).index(record.check))
    reason = record.reason.removesuffix(f"; {words_for(flag)}")
    if record.worst_x is not None:
        row = row_text(record.worst_x)
        reason = re.sub("^f is ", f"f{row} is ", reason)
        reason = re.sub("^(it predicts [^;]*);", rf"\1 of {row};", reason)
    given = in_a_line(example.given)
    if len(given) > MAX_PROBLEM_LETTERS:
        given = f"{given[:MAX_PROBLEM_LETTERS]} .."
    return f"The smallest, {quote(example.case)}: {reason}{'. ' if given else ''}{given}."


# ---- what was asked


def _what_was_asked(report: AuditReport, brief: bool) -> Iterable[Block]:
    """Yield by whom, what came late, and the groups of cases."""
    yield Heading("What was asked")
    yield report.facts.sentences()
    yield from filter(None, [late_sentence(report.records, report.facts.deadline or DEADLINE)])
    rows = [group.row() for group in groups_of(report.records)]
    if brief:
        rows = [row for row in rows if row[3] != "0"]
    head = ["group of cases", "cases", "asked", "failing", "what it is for"]
    yield from table_if_any("groups of cases", head, rows)


def asked_in_words(records: Sequence[Record]) -> str:
    """Return how many cases of which sorts there were, what was not asked, and why."""
    coverage, counted = coverage_of(records), dict.fromkeys(SORTS, 0)
    for group in groups_of(records):
        counted[group.key if group.key in SORTS else EXACT] += count_cases(group.records)
    words = [plural(count, *SORTS[sort]) for sort, count in counted.items() if count]
    every = "" if len(words) == 1 else f"{plural(coverage.cases, 'case')}: "
    in_part = list(dict.fromkeys(r.case for r in records if not was_asked(r)))
    return " ".join([f"{every}{', '.join(words)}.", *not_asked(coverage, in_part)])


def not_asked(coverage: Coverage, in_part: Sequence[str] = ()) -> Iterable[str]:
    """Yield sentences about what was not on offer, what was given up, and where it stopped.

    in_part: the cases of which something was not asked.
    """
    if coverage.asked == coverage.cases:
        every = "All were asked" if coverage.cases > 1 else "It was asked"
        but = f", but for questions of {first_names(in_part, 3)}" if in_part else ""
        yield f"{every}{but}."
        return
    yield f"{were(coverage.asked)} asked."
    for words, count, reasons in coverage.left():
        most = sorted(reasons.items(), key=lambda item: -len(item[1]))
        told = "; ".join(f"{reason} ({first_names(names, 2)})" for reason, names in most[:3])
        more = f"; and {plural(len(most) - 3, 'other reason')}" if most[3:] else ""
        told_of = f"It {words} on {count}" if words == STOPPED else f"{were(count)} {words}"
        yield f"{told_of}: {told}{more}."


def were(count: int) -> str:
    """Return a count as the subject of a sentence in the past."""
    return f"{count} was" if count == 1 else f"{count} were"


# ---- what it means


def _what_it_means(report: AuditReport, cause: Cause) -> Iterable[Block]:
    """Yield why the verdict matters, what else was found, and what failing cases share."""
    yield Heading("Why it matters")
    causes = [cause, *cause.others[: MOST_CAUSES - 1]]
    for effect in dict.fromkeys(effect_of(each.flag) for each in causes):
        about = [each.flag for each in causes if effect_of(each.flag) == effect]
        yield f"{', '.join(about)}: {effect}"
    yield from filter(None, [others_in_words(cause), failing_sentence(report.records)])


def others_in_words(cause: Cause) -> str | None:
    """Return the causes beside the first, if there are any."""
    few, more = cause.others[: MOST_CAUSES - 1], cause.others[MOST_CAUSES - 1 :]
    if not few:
        return None
    others = [
        f"{each.flag}, {plural(each.explained, 'case')}: {each.sentence.rstrip('.')}."
        for each in few
    ]
    others += [f"And {plural(len(more), 'kind')} more."] if more else []
    return f"Beside it: {' '.join(others)}"


def _against_earlier(report: AuditReport) -> Iterable[Block]:
    """Yield what became of failures since an earlier report."""
    changes = report.changes
    if changes is None:
        return
    earlier, date = changes.earlier.name, changes.earlier.date
    other = "" if earlier == report.name else f" of {earlier}"
    told = [
        f"{len(changes.new)} new",
        f"{len(changes.mended)} mended",
        f"{changes.same} the same",
    ]
    told += [f"{len(changes.unasked)} not asked this time"] if changes.unasked else []
    when = f" of {date}" if date else ""
    yield Heading("Against the earlier report")
    yield f"Failures against the report{other}{when}: {', '.join(told)}. Only new ones are told."
    for words, records in (("Mended", changes.mended), ("Not asked", changes.unasked)):
        names = [f"{record.case} {record.check}" for record in records]
        if names:
            yield f"{words}: {first_names(names, 12)}."


# ---- the smallest cases


def _smallest_cases(report: AuditReport) -> Iterable[Block]:
    """Yield each example: the problem, what was found, numbers, a line to paste."""
    if not report.examples:
        return
    count = len(report.examples)
    many = f"The {WORDS.get(count, count)} smallest cases that fail"
    yield Heading(many if count > 1 else "The smallest case that fails")
    for example in report.examples:
        yield Heading(f"{example.case}: {example.comment}", 3)
        if example.given:
            yield in_a_line(example.given)
        for record in example.failures[:3]:
            yield f"{record.check} {record.flag}: {record.reason}"
        head = ["", "the subject", "right"]
        yield from table_if_any(f"numbers of {example.case}", head, example.numbers)
        yield from filter(None, [example.note])
        yield from lines_of(example.failures, report.line_of, 1)
