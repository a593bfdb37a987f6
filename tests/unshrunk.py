"""A plugin for pytest, where mutants are tried.

hypothesis finds a failure and does not make it smaller, which takes longer; and the exit status
tells a failure on what was drawn from one that is there with every draw.
"""

import pytest
from hypothesis import Phase, is_hypothesis_test, settings

ON_A_DRAW = 7  # the exit status; mutants.py knows it


@pytest.hookimpl(trylast=True)  # after the profile was chosen
def pytest_configure():
    finding = [p for p in settings.default.phases if p not in (Phase.shrink, Phase.explain)]
    settings.register_profile("unshrunk", settings.default, phases=finding)
    settings.load_profile("unshrunk")


def pytest_runtest_makereport(item, call):
    if call.excinfo is not None and is_hypothesis_test(getattr(item, "obj", None)):
        item.session.failed_on_a_draw = True


def pytest_sessionfinish(session, exitstatus):
    if exitstatus == pytest.ExitCode.TESTS_FAILED and hasattr(session, "failed_on_a_draw"):
        session.exitstatus = ON_A_DRAW
