"""Right programs of an unusual make: the audit accuses none of them of what is not their own."""

import pytest

import refsvm
from refsvm.conformance.audit import audit

ASKED = ["C01", "C0[29] squared", "F4 without offset", "C14", "E2-5", "zero to the zero"]


def failures(records):
    return [(r.case, r.check, r.reason) for r in records if r.result == "fail"]


def reasons(records):
    return {r.case: r.reason for r in records if r.result == "acceptable"}


# ---- **kwargs


class TakesAll(refsvm.SVC):
    """Every other name is taken, and nothing is done with it."""

    def __init__(self, C=1.0, kernel="rbf", degree=3, gamma="scale", coef0=0.0, tol=1e-3, **more):
        super().__init__(C, kernel, degree, gamma, coef0, tol)


class HandsOn(refsvm.SVC):
    """Every name is handed on to the parent."""

    def __init__(self, *given, **named):
        super().__init__(*given, **named)


class KeepsNothing(refsvm.SVC):
    """Only C is handed on to the parent."""

    def __init__(self, C=1.0, **more):
        super().__init__(C, kernel="linear")


@pytest.mark.parametrize("subject", [TakesAll, HandsOn, KeepsNothing])
def test_keyword_arguments_are_no_parameter(subject):
    records = audit(subject, isolate=False, names=ASKED)
    assert failures(records) == []
    if subject is KeepsNothing:
        assert reasons(records)["C01"] == "not on offer: the constructor has no tol"
    else:
        assert reasons(records) == reasons(audit(refsvm.SVC, isolate=False, names=ASKED))
