"""The audit names bugs planted into small machines of regression, nu and outliers.

Each is asked with the case that shows it, in planted_bugs/machine_cases.json.
"""

import json
from collections import Counter
from pathlib import Path

import pytest
from planted import flags_said
from planted_bugs.changes import changed, unchanged
from planted_bugs.machines import BALL, MACHINE_BUGS, NU_SVC, NU_SVR, ONE_CLASS, SVR
from profiles import one_in, partly_slow

import refsvm_fast
from refsvm.conformance.audit import Auditor, audit
from refsvm.conformance.checks.claims import AIM
from refsvm.conformance.wrong import pipeline

pipeline.smo = refsvm_fast.smo  # the same bits, sooner

CASES = json.loads(
    (Path(__file__).parent / "planted_bugs" / "machine_cases.json").read_text(encoding="utf-8")
)
CODES = {"SVR": SVR, "NuSVR": NU_SVR, "one class": ONE_CLASS, "ball": BALL, "NuSVC": NU_SVC}


def flags_in(subject, names):
    records = audit(subject, isolate=False, names=names)
    return {r.flag for r in records if r.result == "fail"}


def test_there_are_enough_and_each_has_its_case():
    assert len(MACHINE_BUGS) >= 50
    assert [change.name for change in MACHINE_BUGS] == sorted(
        CASES, key=[change.name for change in MACHINE_BUGS].index
    )
    assert min(Counter(change.stage for change in MACHINE_BUGS).values()) >= 8


DEAR = {  # what no bug predicts, or many do
    "SVR: b forgets the tube", "SVR: it stops after four steps",
    "one class: a start that is not balanced", "ball: the dual has no k(x, x)",
    "NuSVR: the tolerance is an absolute number", "SVR: the tolerance is an absolute number",
}
SLOW = [change for change in MACHINE_BUGS if change.name in DEAR]


@pytest.mark.parametrize("change", partly_slow("a bug without its name", SLOW, MACHINE_BUGS),
                         ids=lambda change: change.name)
def test_a_planted_bug_is_found_and_named(change):
    found = flags_said(changed(change), CASES[change.name])
    assert found & set(change.flags) if change.flags else found, found


@pytest.mark.parametrize("name", CODES)
def test_the_small_machines_fail_none_of_these_cases(name):
    names = {case for bug, case in CASES.items() if bug.startswith(f"{name}:")}
    assert flags_in(unchanged(CODES[name]), sorted(names)) == set()


@pytest.mark.slow("a small machine that is wrong in a case that shows no bug")
@pytest.mark.parametrize("name", one_in(2, list(CODES)))
def test_the_small_machines_fail_nothing(name):
    """But where doubles end: these take their own sums for exact, and do not say so."""
    auditor = Auditor(unchanged(CODES[name]), isolate=False)
    names = [case for case, read in auditor.cases.items() if AIM not in read().flags]
    assert flags_in(unchanged(CODES[name]), names) == set()
