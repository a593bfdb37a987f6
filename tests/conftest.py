"""What every test run says about itself, and how hard hypothesis tries."""

import os
import sys

try:
    from hypothesis import HealthCheck, Phase, settings
except ImportError:
    settings = None

if settings:
    patient = [HealthCheck.too_slow, HealthCheck.data_too_large]
    settings.register_profile("dev", deadline=None, suppress_health_check=patient)
    settings.register_profile("ci", settings.get_profile("dev"), derandomize=True)
    settings.register_profile("thorough", settings.get_profile("ci"), max_examples=300)
    settings.register_profile("few", settings.get_profile("ci"), max_examples=20)
    settings.register_profile("bits", settings.get_profile("ci"), max_examples=2000)
    look = [Phase.explicit, Phase.reuse, Phase.generate]  # a mutant's failure is not shrunk
    settings.register_profile("breaking", settings.get_profile("dev"), phases=look)
    settings.load_profile("ci" if os.environ.get("CI") else "dev")


def pytest_report_header(config):
    data = os.environ.get("REFSVM_DATA", "not set: tests on the larger data skip")
    return f"refsvm on {sys.implementation.name} {sys.version.split()[0]}; REFSVM_DATA {data}"
