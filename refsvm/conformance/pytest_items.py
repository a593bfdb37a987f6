"""Tests of pytest, one a case of the audit: what pytest --svm-audit SUBJECT adds to the others.

A case is an item, named svm-audit::CASE; a failure that is expected is an xfail. Nothing of refsvm
imports this module; the plugin, pytest_refsvm, does when an audit is asked for.
"""

from __future__ import annotations

from typing import Any

import pytest

from .audit import Auditor, expectations
from .coverage import complain_of_coverage
from .records import Record, was_asked
from .subjects import import_subject

RECORDS = pytest.StashKey[list[Record]]()  # of all cases that were asked in this session
BAD_USAGE = 2  # the exit status, as of python3 -m refsvm audit


def audited(session: pytest.Session, subject: str, expected: list[str]) -> list[Audited]:
    """Return a test for each case that the subject is asked, with the failures expected of it."""
    try:
        auditor = Auditor(import_subject(subject), expected=expectations(expected))
    except (TypeError, ValueError) as error:
        pytest.exit(f"--svm-audit: {error}", returncode=BAD_USAGE)
    session.config.add_cleanup(auditor.close)
    session.config.pluginmanager.register(CoverageAtEnd(auditor))
    return [
        Audited.from_parent(session, name=f"svm-audit::{name}", case=name, auditor=auditor)
        for name in auditor.names()
    ]


class Audited(pytest.Item):
    """One case of the audit."""

    def __init__(self, case: str, auditor: Any, **more: Any) -> None:
        super().__init__(**more)
        self.case, self.auditor = case, auditor

    def runtest(self) -> None:
        """Fail with the records that failed; be an expected failure if all were excused."""
        (records,) = self.auditor.every([self.case])
        self.config.stash.setdefault(RECORDS, []).extend(records)
        failed = [record for record in records if record.result == "fail"]
        if failed:
            raise AuditFailure(failed)
        if not any(map(was_asked, records)):
            pytest.skip(records[0].reason)
        excused = [r.reason for r in records if r.reason.startswith("expected: ")]
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


class CoverageAtEnd:
    """At the end of the session, a sentence and an exit status if next to nothing was asked."""

    def __init__(self, auditor: Auditor) -> None:
        self.auditor = auditor

    def complaint(self, config: pytest.Config) -> str | None:
        """Return the sentence, if there is one to say."""
        records = config.stash.get(RECORDS, [])
        return complain_of_coverage(self.auditor.subject, records) if records else None

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Set the exit status, unless tests have failed."""
        passed = session.exitstatus == pytest.ExitCode.OK
        if passed and self.complaint(session.config) is not None:
            session.exitstatus = BAD_USAGE

    def pytest_terminal_summary(self, terminalreporter: Any, config: pytest.Config) -> None:
        """Say the sentence."""
        complaint = self.complaint(config)
        if complaint is not None:
            terminalreporter.write_line(f"--svm-audit: {complaint}")


class AuditFailure(Exception):
    """Checks that failed, a line each."""

    def __init__(self, records: list[Any]) -> None:
        super().__init__("\n".join(f"{r.check} {r.flag}: {r.reason}" for r in records))
