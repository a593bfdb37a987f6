"""Questions about C-SVC, put to the other machines in their numbers; faults that these show."""

import pytest

import refsvm
import refsvm_fast
from refsvm.conformance.audit import Auditor, audit
from refsvm.conformance.policies.questions import NU, Ask, request_on_rows
from refsvm.conformance.protocol import problem_from_request
from refsvm.conformance.protocol.forms import FORMS

QUESTION = request_on_rows("a question", [[0.0], [1.0], [3.0], [4.0]], [-1, -1, 1, 1], 8.0)
STATE = {"refits", "problems that look alike", "settings", "few steps", "tolerance"}


def flags(subject, *names):
    return {r.flag for r in audit(subject, isolate=False, names=names) if r.result == "fail"}


@pytest.mark.parametrize("form, numbers", [
    ("epsilon_svr", ([8.0] * 4, 0.25, None)), ("nu_svr", ([8.0] * 4, None, NU)),
    ("nu_svc", ([1.0] * 4, None, NU)), ("one_class", ([1.0] * 4, None, NU)),
    ("svdd", ([1 / (4 * NU)] * 4, None, None)),
])
def test_a_question_is_put_in_the_numbers_of_the_machine(form, numbers):
    ask = Ask(lambda request: request, FORMS[form])
    meant = ask(QUESTION)
    assert (meant.C, meant.epsilon, meant.nu) == numbers and meant.form == form
    assert isinstance(problem_from_request(meant), FORMS[form].problem)
    assert ask.meant(meant) == meant and Ask(lambda request: request)(QUESTION) == QUESTION
    weighted = ask.meant(QUESTION._replace(C=[1.0, 3.0, 3.0, 1.0])).C
    assert weighted[1] == 3 * weighted[0]
    if ask.answers != "values":
        assert sum(weighted) == sum(meant.C)


def test_what_is_done_before_has_such_numbers_too():
    smaller = QUESTION._replace(before=[("fit", {"C": [2.0] * 4}), ("copy", {"by": "clone"})])

    def before(form):
        return Ask(lambda request: request, FORMS[form])(smaller).before

    assert before("epsilon_svr")[0][1]["C"] == [2.0] * 4
    assert before("one_class") == [("fit", {"C": [1.0] * 4, "nu": NU / 4}), smaller.before[1]]
    assert before("svdd")[0][1]["C"] == [1.5 / 4] * 4  # less than 1 / n would be no ball


def test_machines_without_labels_are_not_asked_about_them():
    names = {form: set(Auditor(getattr(refsvm, cls), isolate=False).policies) for form, cls in
             [("classes", "NuSVC"), ("values", "SVR"), ("outliers", "OneClassSVM")]}
    assert names["classes"] - names["values"] == {"labels", "three classes", "many classes"}
    assert names["values"] == names["outliers"] >= STATE
    asked = [r.reason for r in audit(refsvm_fast.SVR, isolate=False, names=["refits"])]
    assert not [words for words in asked if "words" in words or "classes" in words]


def keeping(cls):
    class Keeps(cls):
        """Keeps the first rows it was ever given, if the number of features is the same."""

        def fit(self, X, *more, **named):
            before = getattr(self, "before", X)
            self.before = before if len(before[0]) == len(X[0]) else X
            return super().fit(self.before if len(self.before) == len(X) else X, *more, **named)

    return Keeps


def remembering(cls):
    known = {}

    class Remembers(cls):
        """Looks its answer up by the first and the last row."""

        def fit(self, X, *more, **named):
            twin = known.setdefault(str([len(X), X[0], X[-1]]), self)
            if twin is not self:
                vars(self).update(vars(twin))
                return self
            return super().fit(X, *more, **named)

    return Remembers


def loosening(cls):
    class Loosens(cls):
        """Has a least tolerance."""

        def fit(self, X, *more, **named):
            self.tol = max(self.tol, 1e-4)
            return super().fit(X, *more, **named)

    return Loosens


SLOW = pytest.mark.slow("a fault of state or tolerance in a machine of its own kind")


@pytest.mark.parametrize("name, fault, policy, flag", [
    ("OneClassSVM", loosening, "tolerance", "ToleranceBroken"),
    pytest.param("SVR", loosening, "tolerance", "ToleranceBroken", marks=SLOW),
    pytest.param("NuSVC", keeping, "refits", "StateKept", marks=SLOW),
    pytest.param("SVDD", keeping, "refits", "StateKept", marks=SLOW),
    pytest.param("NuSVC", remembering, "problems that look alike", "StateKept", marks=SLOW),
    pytest.param("NuSVR", remembering, "problems that look alike", "StateKept", marks=SLOW),
])
def test_faults_of_state_and_tolerance_are_seen(name, fault, policy, flag):
    assert flags(fault(getattr(refsvm_fast, name)), policy) == {flag}


def test_a_class_behind_kwargs_is_not_accused_of_what_get_params_does_not_tell():
    class Behind(refsvm_fast.OneClassSVM):
        def __init__(self, **given):
            super().__init__(**given)

    assert flags(Behind, "refits") == set()
