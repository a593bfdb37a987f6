"""**kwargs: what a constructor keeps and uses is asked, what it swallows is not on offer."""

import pytest
from test_audit import failures

import refsvm
from refsvm.conformance.audit import audit
from refsvm.conformance.report.coverage import coverage_of
from refsvm.conformance.subjects.estimator_adapter import constructor_names


class Learns:
    def fit(self, X, y, **more):
        C = self.penalty()
        self.model = refsvm.SVC(C=C, kernel="linear", tol=1e-9).fit(X, y, **more)
        return self

    def decision_function(self, X):
        return self.model.decision_function(X)


class InAttributes(Learns):
    def __init__(self, **given):
        for name, value in given.items():
            setattr(self, name, value)

    def penalty(self):
        return self.C


class InADict(Learns):
    def __init__(self, **given):
        self.settings = {"C": 1.0, **given}

    def penalty(self):
        return self.settings["C"]


class Swallows(InADict):
    def __init__(self, **given):
        self.settings = {"penalty": 1.0}

    def penalty(self):
        return self.settings["penalty"]


class NoWeights(InADict):
    def fit(self, X, y, **more):
        if more:
            raise TypeError("fit() got an unexpected keyword argument")
        return super().fit(X, y)


@pytest.mark.parametrize("subject", [InAttributes, InADict])
def test_what_is_kept_and_used_is_asked(subject):
    assert constructor_names(subject) == {"C"}
    records = audit(subject, isolate=False, names=["C0?", "C14"])
    assert failures(records) == {} and coverage_of(records).asked == 9


def test_what_is_swallowed_is_not_on_offer():
    assert constructor_names(Swallows) == set()
    found = coverage_of(audit(Swallows, isolate=False, names=["C0?"]))
    assert found.asked == 0 and "the constructor has no C" in found.not_offered


def test_weights_that_fit_refuses_are_not_on_offer():
    found = coverage_of(audit(NoWeights, isolate=False, names=["C01", "C14"]))
    assert found.not_offered == {"fit takes no sample_weight": ["C14"]}


def test_a_signature_is_believed():
    assert {"C", "kernel", "gamma"} <= constructor_names(refsvm.SVC)


class SwallowsTheRest(refsvm.LinearSVC):
    """Its parent has tol and random_state; what is given for them by **kwargs is lost."""

    def __init__(self, C=1.0, loss="hinge", fit_intercept=True, **rest):
        super().__init__(C=C, loss=loss, fit_intercept=fit_intercept, tol=1e-9)


def test_what_a_child_swallows_of_its_parents_names_is_not_asked():
    assert constructor_names(SwallowsTheRest) & {"tol", "random_state", "C"} == {"C"}
    found = coverage_of(audit(SwallowsTheRest, isolate=False, names=["C01", "C04"]))
    assert found.asked == 2
