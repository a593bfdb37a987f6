"""Tests of pytest, one a case of the audit: what pytest --svm-audit SUBJECT adds to the others.

A case is an item, named svm-audit::SUBJECT::CASE; a failure that is expected is an xfail. At the
end stand the verdict over all cases, and what was not asked. Where pytest-xdist shares the work
each worker has its items, and the records go with their reports to the process that tells the end.

Nothing of refsvm imports this module; the plugin, pytest_refsvm, does when an audit is asked for.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from ..numerics.quoting import visible
from .audit import Auditor, expectations
from .checks.repeats import Repeats
from .naming import settle
from .protocol.records import Record, was_asked
from .report.causes import cause_of, failures_of
from .report.contents import asked_in_words, causes_in_words, counts, verdict
from .report.coverage import complain_of_coverage
from .report.formats import document_of, record_from
from .report.paste import LinesToPaste
from .subjects import as_subject
from .subjects.named_subjects import import_subject

BAD_USAGE = 2  # the exit status, as of python3 -m refsvm audit


def audited(session: pytest.Session, word: str, expected: list[str]) -> list[Audited]:
    """Return a test for each case that the subject is asked, with the failures expected of it."""
    try:
        subject = import_subject(word)
        auditor = Auditor(subject, expected=expectations(expected))
    except (TypeError, ValueError) as error:
        pytest.exit(visible(f"--svm-audit: {error}"), returncode=BAD_USAGE)
    session.config.add_cleanup(auditor.close)
    line_of, told_once = LinesToPaste(subject, word), Repeats().told_once
    return [
        Audited.from_parent(
            session,
            name=f"svm-audit::{visible(word)}::{name}",
            nodeid=f"svm-audit::{visible(word)}::{name}",
            case=name,
            auditor=auditor,
            line_of=line_of,
            told_once=told_once,
        )
        for name in auditor.names()
    ]


class Audited(pytest.Item):
    """One case of the audit."""

    def __init__(self, case: str, auditor: Any, line_of: Any, told_once: Any, **more: Any) -> None:
        super().__init__(**more)
        self.case, self.auditor = case, auditor
        self.line_of, self.told_once = line_of, told_once
        self.records: list[Record] = []

    def runtest(self) -> None:
        """Fail with the records that failed; be an expected failure if all were excused."""
        (asked,) = self.auditor.every([self.case])
        self.records = list(map(self.told_once, settle(asked, self.auditor)))
        failed = failures_of(self.records)
        if failed:
            lines = [f"{r.check} {r.flag}: {r.reason}" for r in failed]
            again = dict.fromkeys(map(self.line_of, failed))
            told = [*lines, "It is shown again by", *again]
            raise AuditFailure("\n".join(map(visible, told)))
        if not any(map(was_asked, self.records)):
            pytest.skip(self.records[0].reason)
        excused = [r.reason for r in self.records if r.reason.startswith("expected: ")]
        if excused:
            pytest.xfail("; ".join(dict.fromkeys(excused)))

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        """Return the checks that failed, a line each."""
        if isinstance(excinfo.value, AuditFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Any, int | None, str]:
        """Return where the test is, and its name."""
        return self.path, None, self.name


class AuditFailure(Exception):
    """Checks that failed, a line each, and lines that show it again."""


class VerdictAtEnd:
    """At the end of the session: what was asked, what was found; and an exit status.

    The status is that of bad usage where next to nothing was asked and no test has failed.
    """

    def __init__(self, word: str) -> None:
        self.word = word
        self.records: list[Record] = []

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Generator[None, Any, None]:
        """Let the report of a case carry its records."""
        made = yield
        if isinstance(item, Audited) and call.when == "call":
            made.get_result().svm_audit = [document_of(record) for record in item.records]

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Keep the records of a case, which may have been asked by another process."""
        self.records += map(record_from, getattr(report, "svm_audit", ()))

    def complaint(self) -> str | None:
        """Return a sentence if next to nothing was asked."""
        if not self.records:
            return None
        return complain_of_coverage(as_subject(import_subject(self.word)), self.records)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Set the exit status, unless tests have failed."""
        if session.exitstatus == pytest.ExitCode.OK and self.complaint() is not None:
            session.exitstatus = BAD_USAGE

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say what was asked, and the verdict."""
        if not self.records:
            return
        cause = cause_of(self.records)
        found = ["Nothing fails."]
        if cause is not None:
            found = [verdict(cause), *causes_in_words(cause.others)]
        lines = [*found, f"{asked_in_words(self.records)} {counts(self.records)}."]
        complaint = self.complaint()
        terminalreporter.section(f"audit of {visible(self.word)}")
        for line in [*lines, *([] if complaint is None else [f"--svm-audit: {complaint}"])]:
            terminalreporter.write_line(visible(line))
