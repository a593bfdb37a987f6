"""What a report tells, and in which order: the verdict with the smallest case and the counts,
which fill ten lines; what else was found and why it matters, the smallest cases in full, what was
asked, then the tables.

    brief   for a terminal: a screen or two, whatever the number of failures
    full    for a file: each case that fails has a paragraph and a line to paste
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from ...numerics.quoting import quote
from ..auditor import DEADLINE
from ..checks import BY_LABELS
from ..protocol.records import STOPPED, Record, was_asked
from .blocks import Block, Heading, Lines, Paragraph, Table, first_names, plural, table_if_any
from .causes import Cause, cause_of, effect_of, words_for
from .coverage import Coverage, coverage_of, groups_of
from .examples import Example, problem_words, row_text
from .facts import AuditReport, counts, failures_of
from .late_words import failing_sentence, late_sentence
from .tables import bug_table, bugs_found, every_case, excuse_table, failure_table, legend

MOST_CAUSES = 4  # that are told in sentences
LONGEST = 120  # letters of the problem in the head
WORDS = {2: "two", 3: "three"}
MOST_FAILURES = 8  # rows of a table on a terminal
MOST_BUGS = 8
EXACT = "problems"
SORTS = {  # of cases: one, and several
    EXACT: (
        "problem whose right answer is known exactly",
        "problems whose right answer is known exactly",
    ),
    "rejects": ("invalid input", "invalid inputs"),
    "policies": ("question to estimators", "questions to estimators"),
}
Records = list[Record]


def blocks(report: AuditReport, brief: bool = False) -> list[Block]:
    """Return the report as a list of blocks."""
    cause = cause_of(report.failures)
    return [
        Heading(f"Audit of {report.name}", 1),
        *map(Paragraph, _head(report, cause)),
        *_against_earlier(report),
        *([] if cause is None else _what_it_means(report, cause)),
        *_smallest_cases(report),
        *_what_was_asked(report, brief),
        *(_brief_tables(report) if brief else _full_tables(report)),
    ]


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
    return f"Wrong: {what} ({cause.flag}): {cause.explained} of {failing}."


def _example_in_words(flag: str, example: Example) -> str:
    """Return a case that shows a bug: the wrong number beside the right one, and the problem."""
    shown = [record for record in example.failures if record.flag == flag]
    record = min(shown, key=lambda record: ("G3", "G1", record.check).index(record.check))
    reason = record.reason.removesuffix(f"; {words_for(flag)}")
    if record.worst_x is not None:
        row = row_text(record.worst_x)
        reason = re.sub("^f is ", f"f{row} is ", reason)
        reason = re.sub("^(it predicts [^;]*);", rf"\1 of {row};", reason)
    given = "; ".join(f"{name} = {words}" for name, words in example.given)
    if len(given) > LONGEST:
        given = f"{given[:LONGEST]} .."
    return f"The smallest, {quote(example.case)}: {reason}{'. ' if given else ''}{given}."


# ---- what was asked


def _what_was_asked(report: AuditReport, brief: bool) -> Iterable[Block]:
    """Yield by whom, what came late, and the groups of cases."""
    yield Heading("What was asked")
    yield Paragraph(report.facts.sentences())
    late = late_sentence(report.records, report.facts.deadline or DEADLINE)
    if late is not None:
        yield Paragraph(late)
    rows = [group.row() for group in groups_of(report.records)]
    if brief:
        rows = [row for row in rows if row[3] != "0"]
    head = ["group of cases", "cases", "asked", "failing", "what it is for"]
    yield from table_if_any("groups of cases", head, rows)


def asked_in_words(records: Sequence[Record]) -> str:
    """Return how many cases of which sorts there were, what was not asked, and why."""
    coverage, counted = coverage_of(records), dict.fromkeys(SORTS, 0)
    for group in groups_of(records):
        counted[group.key if group.key in SORTS else EXACT] += group.count(group.records)
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
        yield Paragraph(f"{', '.join(about)}: {effect}")
    others = others_in_words(cause)
    together = failing_sentence(report.records)
    yield from [Paragraph(words) for words in (others, together) if words is not None]


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
    yield Paragraph(
        f"Failures against the report{other}{when}: {', '.join(told)}. Only new ones are told."
    )
    for words, records in (("Mended", changes.mended), ("Not asked", changes.unasked)):
        names = [f"{record.case} {record.check}" for record in records]
        if names:
            yield Paragraph(f"{words}: {first_names(names, 12)}.")


# ---- the smallest cases


def _smallest_cases(report: AuditReport) -> Iterable[Block]:
    """Yield the examples."""
    if not report.examples:
        return
    count = len(report.examples)
    many = f"The {WORDS.get(count, count)} smallest cases that fail"
    yield Heading(many if count > 1 else "The smallest case that fails")
    for example in report.examples:
        yield from _example_blocks(example, report.line_of)


def _example_blocks(example: Example, line_of: Callable[[Record], str | None]) -> Iterable[Block]:
    """Yield a case that fails: the problem, what was found, numbers, a line to paste."""
    yield Heading(f"{example.case}: {example.comment}", 3)
    if example.given:
        yield Paragraph("; ".join(f"{name} = {words}" for name, words in example.given))
    for record in example.failures[:3]:
        yield Paragraph(f"{record.check} {record.flag}: {record.reason}")
    head = ["", "the subject", "right"]
    yield from table_if_any(f"numbers of {example.case}", head, example.numbers)
    if example.note:
        yield Paragraph(example.note)
    yield from _lines_of(example.failures, line_of, 1)


def _lines_of(
    failures: Iterable[Record], line_of: Callable[[Record], str | None], most: int | None = None
) -> Iterable[Block]:
    """Yield the lines that show failures again, each once."""
    lines = [line for line in map(line_of, failures) if line is not None]
    if lines:
        yield Lines(list(dict.fromkeys(lines))[:most])


# ---- the tables


def _brief_tables(report: AuditReport) -> Iterable[Block]:
    """Yield a table of bugs and one of failures, as far as a screen holds them."""
    failures = list(report.failures)
    if not failures:
        return
    if len(bugs_found(failures)) > MOST_CAUSES:
        yield Heading("Kinds of bug")
        for table in bug_table(failures):
            yield shortened(table, MOST_BUGS)
    if len({record.case for record in failures}) > len(report.examples):
        yield Heading("Failures")
        for table in failure_table(_once_a_case(failures)):
            yield shortened(_without_numbers(table), MOST_FAILURES)
    yield legend(failures)


def _once_a_case(failures: Records) -> Records:
    """Return a record for each case and bug, the first, with the checks of all."""
    by_case: dict[tuple[str, str | None], Records] = {}
    for record in failures:
        by_case.setdefault((record.case, record.flag), []).append(record)
    return [
        records[0]._replace(check=" ".join(dict.fromkeys(record.check for record in records)))
        for records in by_case.values()
    ]


def _without_numbers(table: Table) -> Table:
    """Return the table of failures without its last columns, the worst row and the gap."""
    return table._replace(head=table.head[:-2], rows=[row[:-2] for row in table.rows])


def shortened(table: Table, most: int) -> Table:
    """Return a table without its last rows, which are counted."""
    left = len(table.rows) - most
    if left <= 0:
        return table
    return table._replace(rows=[*table.rows[:most], [f".. and {left} more, which -o REPORT has"]])


def _full_tables(report: AuditReport) -> Iterable[Block]:
    """Yield every table, and a paragraph for each case that fails."""
    failures = list(report.failures)
    if failures:
        yield Heading("Kinds of bug")
        yield from bug_table(failures)
        yield Heading("Every case that fails")
        yield legend(failures)
        yield from _failing_cases(failures, report.line_of)
    excuses = list(excuse_table(report.records))
    if excuses:
        yield Heading("Acceptable")
        yield Paragraph("Not what was asked for, and no mistake either.")
        yield from excuses
    if failures_of(report.records) and report.changes is None:
        yield from every_case(report.records)


def _failing_cases(failures: Records, line_of: Callable[[Record], str | None]) -> Iterable[Block]:
    """Yield the cases that fail, each with its problem, its failures and a line to paste."""
    by_case: dict[str, Records] = {}
    for record in failures:
        by_case.setdefault(record.case, []).append(record)
    for name, records in by_case.items():
        yield Heading(name, 3)
        yield from map(Paragraph, problem_words(name))
        yield from failure_table(records, with_case=False)
        yield from _lines_of(records, line_of)
