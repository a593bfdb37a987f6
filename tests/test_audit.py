"""The audit: correct solvers pass, known bugs are found and named, and nothing can hang it."""

import refsvm
from refsvm.conformance.audit import audit


def failures(records):
    return {(r.case, r.check): r for r in records if r.result == "fail"}


def test_the_solver_of_record_passes():
    assert failures(audit(refsvm.smo, isolate=False)) == {}


def test_svc_passes():
    assert failures(audit(refsvm.SVC, isolate=False)) == {}
