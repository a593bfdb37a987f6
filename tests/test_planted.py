"""The audit names the bugs planted in a correct SVM, and lets programs do what they may."""

from contextlib import suppress

import pytest
from planted import FREEDOM, PLANTED, changed
from planted_svm import Machine

from refsvm.conformance.audit import audit

# Kernel values up to 10^21: SMO on doubles says that it has not finished, which is the truth.
EXPECTED = {"degree seven": "doubles do not suffice"}


CORE = ["C??", "E*"]  # the first cases, and the extras


class Enough(Exception):
    """Raised as soon as a bug has its name."""


def failures(subject, names=None, until=()):
    """The records of failure, up to the first with one of these flags."""
    found = []

    def look(records):
        found.extend(record for record in records if record.result == "fail")
        if any(record.flag in until for record in found):
            raise Enough

    with suppress(Enough):
        audit(subject, isolate=False, expected=EXPECTED, names=names, on_case=look)
    return found


def flags_of(subject, wanted):
    """The flags of its failures: in the first cases, or if none is wanted there, in them all."""
    found = {record.flag for record in failures(subject, CORE, wanted)}
    if not found & set(wanted):
        found |= {record.flag for record in failures(subject, None, wanted)}
    return found


def test_there_are_enough_of_either():
    assert len(PLANTED) >= 60
    assert len(FREEDOM) >= 8
    assert len({change.name for change in PLANTED + FREEDOM}) == len(PLANTED + FREEDOM)


@pytest.mark.parametrize("change", PLANTED, ids=lambda change: change.name)
def test_a_planted_bug_is_found_and_named(change):
    found = flags_of(changed(change), change.flags)
    assert found & set(change.flags), found


@pytest.mark.parametrize("change", FREEDOM, ids=lambda change: change.name)
def test_what_is_free_is_no_bug(change):
    assert failures(changed(change), CORE) == []


def test_the_machine_without_a_bug_passes():
    assert failures(Machine) == []
