"""What a report tells, and in which order: the verdict with the smallest case and the counts,
which fill ten lines; which bugs there are and why they matter, the smallest cases in full, what
was asked, then the other cases.

    brief   for a terminal: a screen or two, whatever the number of failures
    full    for a file: each case that fails has a paragraph and a line to paste

A block is a Heading, a paragraph (a str), a Table, or a list of lines for a shell, each of which
is pasted whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import NamedTuple, Union

from ...numerics.display import plural
from ...numerics.quoting import quote
from ...version import __version__
from ..auditor import DEADLINE
from ..checks import BY_LABELS, CHECKS, short_text
from ..protocol.records import STOPPED, Record, was_asked
from .causes import Cause, cause_of, effect_of, failures_of
from .coverage import count_cases, coverage_of, first_names, grouped, groups_of, late_sentence
from .examples import Example, in_a_line, problem_words, question_of, row_text

MAX_PROBLEM_LETTERS = 120  # letters of the problem in the head
MOST_CAUSES = 4  # that are told in sentences
MOST_FAILURES = 8  # of a case, in its paragraph; rows of the table on a terminal
SORTS = {  # of cases, by their group or "problems": one, and several
    "problems": (
        "problem whose right answer is known exactly",
        "problems whose right answer is known exactly",
    ),
    "rejects": ("invalid input", "invalid inputs"),
    "policies": ("question to estimators", "questions to estimators"),
}
Records = Sequence[Record]
LineOf = Callable[[Record], Union[str, None]]  # what shows a failure again


class Heading(NamedTuple):
    """A line above the blocks that follow."""

    text: str
    level: int = 2


class Table(NamedTuple):
    """Rows of words under a head.

    title says what the table shows, to those who do not see it. Rows that are shorter than the
    head are filled with empty cells.
    """

    title: str
    head: list[str]
    rows: list[list[str]]


Block = Union[Heading, str, Table, list[str]]


class Facts(NamedTuple):
    """What the head of a report tells beside the name; None for what is not known."""

    date: str | None = None  # when the audit ended, as 2026-11-26 20:15
    seconds: float | None = None  # how long it took
    formulation: str | None = None  # which problem the subject solves, in words
    tol: float | None = None  # told to the subject, if it can be
    deadline: float | None = None  # seconds for each answer

    def sentences(self) -> str:
        """Return the facts as a few sentences."""
        took = None if self.seconds is None else f"it took {self.seconds:.0f} s"
        tol = None if self.tol is None else f"tol = {self.tol:g}, where it can be told"
        words = [f"refsvm {__version__}", self.date, took, tol]
        solves = "" if self.formulation is None else f" It solves: {self.formulation}."
        return f"Asked by {'; '.join(word for word in words if word is not None)}.{solves}"


class Stored(NamedTuple):
    """An earlier report: whose it is, when it was made, and its records."""

    name: str
    date: str | None
    records: list[Record]


class Changes(NamedTuple):
    """What became of failures, against an earlier report."""

    earlier: Stored
    new: list[Record]  # failures that were none
    mended: list[Record]  # that are none any more, as they were
    same: int  # how many failures still are
    unasked: list[Record]  # of which nothing is known, for their case was not asked this time


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


def changes_since(earlier: Stored, records: Sequence[Record]) -> Changes:
    """Return what became of failures since an earlier report.

    Numbers in the reason may differ from run to run, and a bug may have another name once more is
    known of it: two failures are the same if case, check and, of a policy, the question are.
    """
    now, before = failures_of(records), failures_of(earlier.records)
    known, found = set(map(_key_of, before)), set(map(_key_of, now))
    asked = {record.case for record in records if was_asked(record)}
    chosen = {record.case for record in records}
    new = [record for record in now if _key_of(record) not in known]
    gone = [record for record in before if _key_of(record) not in found]
    return Changes(
        earlier,
        new,
        [record for record in gone if record.case in asked],
        len(now) - len(new),
        [record for record in gone if record.case in chosen - asked],
    )


def _key_of(record: Record) -> tuple[str, str, str]:
    """Return what makes a failure the same in two reports."""
    return record.case, record.check, question_of(record)


def blocks(report: AuditReport, brief: bool = False) -> list[Block]:
    """Return the report as a list of blocks."""
    cause = cause_of(report.failures)
    causes = [] if cause is None else [cause, *cause.others]
    told = {example.case for example in report.examples}
    left = [record for record in report.failures if record.case not in told]
    parts: list[Iterable[Block]] = [
        [Heading(f"Audit of {report.name}", 1)],
        _head(report, cause),
        _against_earlier(report),
        _why_it_matters(causes, MOST_CAUSES if brief else len(causes)),
        _smallest_cases(report),
        _what_was_asked(report, brief),
        _failures_in_a_table(left) if brief else _each_failure(report, left),
        [_legend(report.failures)] if causes else [],
    ]
    return list(chain(*parts))


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
    record = min(shown, key=lambda record: record.check != "G3")  # of an offset it tells most
    worst = None if record.check == "G3" else record.worst_x
    row = "" if worst is None else f", at {row_text(worst)}"
    given = in_a_line(example.given)
    if len(given) > MAX_PROBLEM_LETTERS:
        given = f"{given[:MAX_PROBLEM_LETTERS]} .."
    told = filter(None, [f"The smallest, {quote(example.case)}{row}: {record.reason}", given])
    return f"{'. '.join(told)}."


def counts(records: Records) -> str:
    """Return how many checks had which result: a sentence without its full stop.

    >>> counts([])
    '0 checks of 0 cases: 0 passed, 0 acceptable, 0 failed'
    """
    of = Counter(record.result for record in records)
    checks = plural(len(records), "check")
    cases = plural(count_cases(records), "case")
    others = [f", {of[word]} {word}" for word in ("not judged", "not asked") if of[word]]
    return (
        f"{checks} of {cases}: {of['pass']} passed, {of['acceptable']} acceptable,"
        f" {of['fail']} failed{''.join(others)}"
    )


def asked_in_words(records: Records) -> str:
    """Return how many cases of which sorts there were, what was not asked, and why.

    >>> asked_in_words([Record("C01", "G1", "pass", None, None, None, "")])
    '1 problem whose right answer is known exactly. It was asked.'
    """
    coverage, counted = coverage_of(records), Counter[str]()
    for group in groups_of(records):
        counted[group.key if group.key in SORTS else "problems"] += count_cases(group.records)
    words = [plural(counted[sort], *forms) for sort, forms in SORTS.items() if counted[sort]]
    every = "All were" if coverage.cases > 1 else "It was"
    asked = every if coverage.asked == coverage.cases else _were(coverage.asked)
    sentences = [f"{', '.join(words)}.", f"{asked} asked."]
    for words_of_kind, count, reasons in coverage.left():
        most = sorted(reasons.items(), key=lambda item: -len(item[1]))
        told = "; ".join(f"{reason} ({first_names(names, 2)})" for reason, names in most[:3])
        more = f"; and {plural(len(most) - 3, 'other reason')}" if most[3:] else ""
        is_stop = words_of_kind == STOPPED
        begin = f"It {STOPPED} on {count}" if is_stop else f"{_were(count)} {words_of_kind}"
        sentences.append(f"{begin}: {told}{more}.")
    return " ".join(sentences)


def _were(count: int) -> str:
    """Return a count as the subject of a sentence in the past."""
    return f"{count} was" if count == 1 else f"{count} were"


# ---- what it means


def _why_it_matters(causes: Sequence[Cause], most: int) -> Iterable[Block]:
    """Yield the causes under their heading."""
    if causes:
        yield Heading("Why it matters")
        yield from causes_in_words(causes, most)


def causes_in_words(causes: Sequence[Cause], most: int = MOST_CAUSES) -> Iterable[str]:
    """Yield of the first causes what each is, and why it matters; and how many more there are."""
    for cause in causes[:most]:
        cases = plural(cause.explained, "case")
        yield f"{cause.flag}, {cases}: {cause.sentence.rstrip('.')}. {effect_of(cause.flag)}"
    if causes[most:]:
        yield f"And {plural(len(causes) - most, 'kind')} more."


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


# ---- cases


def _smallest_cases(report: AuditReport) -> Iterable[Block]:
    """Yield each example: the problem, what was found, numbers, a line to paste."""
    if report.examples:
        several = len(report.examples) > 1
        yield Heading(f"The smallest case{'s that fail' if several else ' that fails'}")
    for example in report.examples:
        yield Heading(f"{example.case}: {example.comment}", 3)
        if example.given:
            yield in_a_line(example.given)
        for record in example.failures[:MOST_FAILURES]:
            yield f"{record.check} {record.flag}: {record.reason}"
        head = ["", "the subject", "right"]
        yield from _table_if_any(f"numbers of {example.case}", head, example.numbers)
        yield from filter(None, [example.note])
        yield from _lines_of(example.failures[:1], report.line_of)


def _what_was_asked(report: AuditReport, brief: bool) -> Iterable[Block]:
    """Yield by whom, what came late, and the groups of cases."""
    yield Heading("What was asked")
    yield report.facts.sentences()
    yield from filter(None, [late_sentence(report.records, report.facts.deadline or DEADLINE)])
    rows = [group.row() for group in groups_of(report.records)]
    if brief:
        rows = [row for row in rows if row[3] != "0"]
    head = ["group of cases", "cases", "asked", "failing", "what it is for"]
    yield from _table_if_any("groups of cases", head, rows)


def _failures_in_a_table(failures: Records) -> Iterable[Block]:
    """Yield a table of the first failure of each case, as far as a screen holds it."""
    rows = [
        [case, first.check, first.flag or "", first.reason]
        for case, (first, *_) in grouped(failures, lambda record: record.case).items()
    ]
    if rows:
        yield Heading("Failures")
        left = len(rows) - MOST_FAILURES
        remark = [[f".. and {left} more, which -o REPORT has"]] if left > 0 else []
        head = ["case", "check", "bug", "what happened"]
        yield Table("failures", head, rows[:MOST_FAILURES] + remark)


def _each_failure(report: AuditReport, failures: Records) -> Iterable[Block]:
    """Yield each of these cases that fail, and what is acceptable."""
    if failures:
        yield Heading(
            "Every other case that fails" if report.examples else "Every case that fails"
        )
    for name, of_one in grouped(failures, lambda record: record.case).items():
        yield Heading(name, 3)
        yield from problem_words(name)
        yield _failure_table(of_one)
        yield from _lines_of(of_one, report.line_of)
    excused = [record for record in report.records if record.result not in ("pass", "fail")]
    if excused:
        rows = [
            [check, reason, str(count_cases(found)), first_names(r.case for r in found)]
            for (check, reason), found in grouped(excused, lambda r: (r.check, r.reason)).items()
        ]
        yield Heading("Acceptable, not judged, not asked")
        yield "Not what was asked for, and no mistake that is counted; the reason says which."
        yield Table("acceptable", ["check", "reason", "cases", "seen in"], rows)


def _failure_table(failures: Records) -> Table:
    """Return a row for each failure of a case; the bug comes before what happened."""
    rows = [
        [
            record.check,
            record.flag or "",
            record.reason,
            "" if record.worst_x is None else row_text(record.worst_x),
            "" if record.gap is None else short_text(record.gap, 3),
        ]
        for record in failures
    ]
    return Table("failures", ["check", "bug", "what happened", "worst row", "gap"], rows)


def _table_if_any(title: str, head: list[str], rows: list[list[str]]) -> list[Table]:
    """Return the table as a list of one block; no block where it has no rows."""
    return [Table(title, head, rows)] if rows else []


def _legend(records: Records) -> Table:
    """Return what each check asks that has a record."""
    there = {record.check for record in records}
    rows = [[check, asks] for check, asks in CHECKS.items() if check in there]
    return Table("checks", ["check", "what it asks"], rows)


def _lines_of(failures: Records, line_of: LineOf) -> list[Block]:
    """Return the lines that show failures again, each once, as a list of at most one block."""
    lines = dict.fromkeys(line for line in map(line_of, failures) if line is not None)
    return [list(lines)] if lines else []
