"""A plugin for pytest, where mutants are tried: hypothesis finds a failure and does not make it
smaller, which takes longer."""

import pytest
from hypothesis import Phase, settings


@pytest.hookimpl(trylast=True)  # after the profile was chosen
def pytest_configure():
    finding = [p for p in settings.default.phases if p not in (Phase.shrink, Phase.explain)]
    settings.register_profile("unshrunk", settings.default, phases=finding)
    settings.load_profile("unshrunk")
