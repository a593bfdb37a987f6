"""What every test run says about itself; the profiles of hypothesis are in profiles.py."""

import os
import sys

try:
    import profiles
except ImportError:  # there is no hypothesis: doctests, and tests of examples, run without
    profiles = None

if profiles:
    profiles.register()


def pytest_report_header(config):
    data = os.environ.get("REFSVM_DATA", "not set: tests on the larger data skip")
    return f"refsvm on {sys.implementation.name} {sys.version.split()[0]}; REFSVM_DATA {data}"
