"""The plugin of pytest: pytest --svm-audit my.module:MyClass makes each check of the audit a test.

    --svm-audit SUBJECT   module:Name of an estimator or of a function, or a command line
    svm_audit_expected    in the configuration, a line each: CASE[/CHECK]: REASON

A case is an item, named svm-audit::CASE; a failure that is expected is an xfail. pytest finds this
module by its entry point, and nothing else of refsvm imports it; so it imports the audit itself
only when it is asked for.
"""

from __future__ import annotations

from typing import Any

import pytest

BAD_USAGE = 2  # the exit status, as of python3 -m refsvm audit


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option and the line of the configuration."""
    group = parser.getgroup("svm-audit", "audit of a support vector machine")
    group.addoption("--svm-audit", metavar="SUBJECT", help="module:Name, or a command line")
    parser.addini("svm_audit_expected", "CASE[/CHECK]: REASON", type="linelist", default=[])


def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add a test for each case."""
    subject = config.getoption("--svm-audit")
    if subject is None:
        return
    from .audit import Auditor, expectations
    from .subjects import import_subject

    try:
        expected = expectations(config.getini("svm_audit_expected"))
        auditor = Auditor(import_subject(subject), expected=expected)
    except (TypeError, ValueError) as error:
        pytest.exit(f"--svm-audit: {error}", returncode=BAD_USAGE)
    config.add_cleanup(auditor.close)
    items += [
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
        failed = [record for record in records if record.result == "fail"]
        if failed:
            raise AuditFailure(failed)
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


class AuditFailure(Exception):
    """Checks that failed, a line each."""

    def __init__(self, records: list[Any]) -> None:
        super().__init__("\n".join(f"{r.check} {r.flag}: {r.reason}" for r in records))
