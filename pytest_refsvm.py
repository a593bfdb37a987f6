"""The plugin of pytest: pytest --svm-audit my.module:MyClass makes each check of the audit a test.

    --svm-audit SUBJECT   module:Name of an estimator or of a function, or a command line
    svm_audit_expected    in the configuration, a line each: CASE[/CHECK]: REASON

Where refsvm is installed every run of pytest loads this module, by its entry point. So it stands
outside the package, whose import takes time, and looks into it only when an audit is asked for.
"""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option and the line of the configuration."""
    group = parser.getgroup("svm-audit", "audit of a support vector machine")
    group.addoption("--svm-audit", metavar="SUBJECT", help="module:Name, or a command line")
    parser.addini("svm_audit_expected", "CASE[/CHECK]: REASON", type="linelist", default=[])


def pytest_configure(config: pytest.Config) -> None:
    """Let the verdict be told at the end."""
    subject = config.getoption("--svm-audit")
    if subject is not None:
        from refsvm.conformance.pytest_items import VerdictAtEnd

        config.pluginmanager.register(VerdictAtEnd(subject))


def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add a test for each case."""
    subject = config.getoption("--svm-audit")
    if subject is not None:
        from refsvm.conformance.pytest_items import audited

        items += audited(session, subject, config.getini("svm_audit_expected"))
