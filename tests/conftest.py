"""What every test run says about itself; the profiles of hypothesis are in profiles.py."""

import gc
import re
import sys

import pytest

from refsvm.numerics.environment import env_text

try:
    import profiles
except ImportError:  # there is no hypothesis: doctests run without
    profiles = None

if profiles:
    profiles.register()

# Pages and docstrings whose examples take half a second or more, and what these find.
SLOW_EXAMPLES = {
    "13-is-yours-right.md": "another verdict over a machine that is not right",
    "17-in-practice.md": "another figure of a machine for 344 penguins",
    "audit.md": "another word of the audit",
    "auditing-your-own.md": "another word about a program of the reader's own",
    "refsvm.conformance.fingerprint.fingerprint": "another formulation of an estimator",
    "refsvm.conformance.fingerprint.table": "another answer of a formulation",
}


@pytest.fixture
def unnamed(monkeypatch):
    """A wrong answer has the name it shows by itself: to predict it by all bugs takes seconds."""
    from refsvm.conformance import naming

    monkeypatch.setattr(naming, "names_of_run", lambda seen, right, ask: ())


def pytest_report_header(config):
    data = env_text("REFSVM_DATA") or "not set: tests on the larger data skip"
    return f"refsvm on {sys.implementation.name} {sys.version.split()[0]}; REFSVM_DATA {data}"


def pytest_ignore_collect(collection_path, config):
    """With -k read only the files in whose name or text one of its words stands."""
    words = re.findall(r"\w+", config.option.keyword.lower())
    if not words or "not" in words or collection_path.suffix not in (".py", ".md"):
        return None
    text = f"{collection_path}\n{collection_path.read_text(encoding='utf-8')}".lower()
    return True if not any(word in text for word in words) else None


@pytest.hookimpl(hookwrapper=True)
def pytest_collection():
    """Look for no garbage among what is read, then or later: there is none, and it is much."""
    gc.disable()
    yield
    gc.enable()
    if sys.implementation.name == "cpython":
        gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """See that a slow test says what it finds, and that most are quick."""
    for item in items:
        if item.name in SLOW_EXAMPLES:
            item.add_marker(pytest.mark.slow(SLOW_EXAMPLES[item.name]))
    slow = [item for item in items if item.get_closest_marker("slow")]
    for item in slow:
        if len(item.get_closest_marker("slow").args) != 1:
            raise pytest.UsageError(f"{item.nodeid} is slow: what does it find?")
    if not config.option.file_or_dir and len(slow) > len(items) / 10:
        raise pytest.UsageError(f"{len(slow)} of {len(items)} tests are slow: more than a tenth")
