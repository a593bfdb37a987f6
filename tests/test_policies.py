"""Policies: every question is told, faults of form, labels, votes and state are seen, and no more.

A right estimator is accused of nothing: not one that takes lists only, nor one whose decisions are
drawn in their last bits, nor one that refuses a second fit, nor one that solves another problem.
"""

import random
import warnings
from itertools import combinations

import pytest
from planted_codes.svm import Machine
from profiles import one_in, slow_cases

import refsvm
import refsvm_fast
from refsvm import smo
from refsvm.conformance.audit import audit
from refsvm.conformance.auditor import Auditor
from refsvm.conformance.policies.inputs import SCALES, WIDTHS
from refsvm.conformance.policies.questions import MOST_LATE, wide_request
from refsvm.conformance.protocol import problem_from_request
from refsvm.conformance.protocol.answer_reader import Answer
from refsvm.conformance.protocol.records import NOT_ASKED
from refsvm.conformance.subjects.estimator_adapter import Estimator
from refsvm.conformance.what_is_asked import policies_for

POLICIES = [name for name in policies_for(Estimator(refsvm.SVC)) if name != "tolerance"]


class Weighs(refsvm.SVC):
    """Swaps the weights of the classes."""

    def fit(self, X, y, sample_weight=None):
        given = self.class_weight
        if isinstance(given, dict) and len(given) == 2:
            self.class_weight = dict(zip(given, list(given.values())[::-1]))
        return super().fit(X, y, sample_weight)


def asked(subject, *names):
    return audit(subject, isolate=False, names=names or list(POLICIES))


def failures(records):
    return [(r.case, r.flag, r.reason) for r in records if r.result == "fail"]


def flags(subject, *names):
    return {flag for _, flag, _ in failures(asked(subject, *names))}


def test_every_question_is_told_and_an_expected_failure_hides_no_other():
    records = asked(Weighs, "class weights")
    assert [(r.reason.split(":")[0], r.result) for r in records] == [
        ("class_weight of -1", "fail"), ("class_weight of 1", "fail"), ("balanced", "pass"),
        ("class_weight and sample_weight", "pass"), ("balanced beside a row of weight 0", "pass"),
    ]
    expected = {"class weights/class_weight of -1": "known"}
    records = audit(Weighs, isolate=False, names=["class weights"], expected=expected)
    assert [r.result for r in records] == ["acceptable", "fail", "pass", "pass", "pass"]
    assert records[0].reason == "expected: known"


def test_three_late_answers_end_a_policy_and_two_such_policies_the_others():
    auditor = Auditor(refsvm.SVC, isolate=False)
    asked = []
    auditor.asker.ask = lambda request: asked.append(request) or Answer(late="so")
    for number, name in enumerate(["integers", "arrays", "many rows", "refits"], 1):
        records = auditor.records(name)
        assert {r.result for r in records} <= {"fail", "acceptable", "not asked"}
        assert len(asked) == MOST_LATE * min(number, 2)
        assert records[-1].reason.startswith(NOT_ASKED)


def test_a_late_answer_costs_no_other_question():
    auditor = Auditor(refsvm_fast.SVC, isolate=False)
    answer, is_late = auditor.asker.ask, []

    def ask(request):
        is_late.append(request.kernel["name"] == "linear" and max(request.X[0]) > 2**20)
        return Answer(late="so") if is_late[-1] else answer(request)

    auditor.asker.ask = ask
    for name in ["integers"] * 3:
        found = {(r.flag, r.result) for r in auditor.records(name)}
        assert found == {("Hang", "fail"), (None, "pass")} and is_late[-1] is False


def test_what_cannot_be_asked_is_told_once():
    class Bare:
        def __init__(self, kernel="linear"):
            pass

        def fit(self, X, y):
            return self

    records = asked(Bare, "arrays", "labels", "integers")
    assert len(records) <= 6 and {r.result for r in records} == {"acceptable"}


# ---- right estimators


COSTLY = ("arrays", "many rows", "kernels of wide rows")


@pytest.mark.parametrize("names", [
    [name for name in POLICIES if name not in COSTLY],
    pytest.param(COSTLY, marks=pytest.mark.slow("a right machine accused for one of many forms")),
], ids=["cheap", "costly"])
def test_a_right_machine_passes_each_question(names):
    records = asked(pytest.importorskip("refsvm_fast").SVC, *names)
    told = [(r.case, r.reason) for r in records if r.reason]
    assert len(told) == len(set(told)) and failures(records) == []
    assert len({r.reason for r in records}) > 50


class Lists(Machine):
    """Refuses all but lists of lists of floats, and all labels but the ints -1 and 1."""

    def fit(self, X, y, sample_weight=None):
        if type(y) is not list or not all(type(v) is int and v in (-1, 1) for v in y):
            raise ValueError("y must be a list of -1 and 1")
        return super().fit(self.lists(X), y, sample_weight)

    def decision_function(self, X):
        return super().decision_function(self.lists(X))

    def lists(self, X):
        if type(X) is not list or not all(type(v) is float for x in X for v in x):
            raise TypeError("X must be a list of lists of floats")
        return X


class OfTwoClasses(Machine):
    def fit(self, X, y, sample_weight=None):
        if len(set(y)) > 2:
            raise ValueError("two classes are needed")
        return super().fit(X, y, sample_weight)


class Draws(OfTwoClasses):
    """Has decisions whose last bits are drawn at random."""

    def decision_function(self, X):
        return [f * (1 + random.gauss(0, 1e-7)) for f in super().decision_function(X)]


class Once(Machine):
    """Refuses a second fit."""

    def fit(self, X, y, sample_weight=None):
        if hasattr(self, "classes_"):
            raise ValueError("it is fitted already; make a new object")
        return super().fit(X, y, sample_weight)


class Guesses(OfTwoClasses):
    """Stops far from its optimum, at a place drawn at random."""

    def decision_function(self, X):
        return [f + self.shift for f in super().decision_function(X)]

    def fit(self, X, y, sample_weight=None):
        self.shift = random.uniform(-1, 1)
        return super().fit(X, y, sample_weight)


class Regularised(refsvm.SVC):
    """Solves another problem, with the penalty C / 3."""

    def fit(self, X, y, sample_weight=None):
        C, self.C = self.C, self.C / 3
        try:
            return super().fit(X, y, sample_weight)
        finally:
            self.C = C


@pytest.mark.parametrize("subject, name", [
    (Lists, "labels"), (Draws, "few steps"), (Once, "refits"), (Guesses, "labels"),
    (Regularised, "class weights"),
])
def test_a_right_estimator_of_another_make_is_not_accused(subject, name):
    assert failures(asked(subject, name)) == []


@pytest.mark.slow("a policy that accuses a right estimator of another make")
@pytest.mark.parametrize("first, subject", [
    (0, Lists), (1, Draws), (0, Once), (1, Guesses), (0, Regularised),
])
def test_no_policy_accuses_a_right_estimator_of_another_make(first, subject):
    names = [name for name in POLICIES if subject is not Guesses or name not in OPTIMUM]
    assert failures(asked(subject, *one_in(2, names, first))) == []


OPTIMUM = ("kernel parameters", "zero to the zero", "sign of the sigmoid")


def test_drawn_bits_are_no_kept_state_and_no_other_model():
    for subject in (Draws, Once):
        assert failures(asked(subject, "C01", "C02", "E8")) == []


def test_an_estimator_of_lists_is_given_lists_where_numpy_is_loaded():
    pytest.importorskip("numpy")
    records = asked(Lists, "C01", "arrays of two forms")
    assert failures(records) == []
    assert {r.result for r in records if r.case == "C01"} == {"pass"}


# ---- wrong estimators


def cut_block(size):
    class Cut(refsvm.SVC):
        """Rows of ints lose what is left of their last block."""

        def fit(self, X, y, sample_weight=None):
            return super().fit([self.cut(x) for x in X], y, sample_weight)

        def cut(self, x):
            if not any(isinstance(v, float) for v in x):
                return [v if j < len(x) // size * size else 0 for j, v in enumerate(x)]
            return x

    return Cut


SIZES = slow_cases("a remainder of some block", 4, 8, 16)


@pytest.mark.parametrize("size", SIZES)
def test_a_remainder_that_is_lost_in_one_form(size):
    assert flags(cut_block(size), "integers") == {"NotAccepted"}


class Remembers(refsvm.SVC):
    """Caches a fit by the number of its examples and its first row."""

    kept = {}

    def fit(self, X, y, sample_weight=None):
        key = len(X), tuple(X[0]), repr(self.get_params())
        self.kept.setdefault(key, ([*map(list, X)], list(y)))
        return super().fit(*self.kept[key], sample_weight)


class Broken(refsvm.SVC):
    """Of four classes or more the last pair counts for the other class."""

    def predict(self, X):
        if len(self.classes_) < 4:
            return super().predict(X)
        swap = dict(zip(self.classes_[-2:], self.classes_[:-3:-1]))
        return [swap.get(label, label) for label in super().predict(X)]


class OfPairs(Broken):
    """Has machines of pairs of classes, and none of a class against the rest."""

    def fit(self, X, y, sample_weight=None):
        if len(set(y)) == 2 and len(y) > 30:
            raise ValueError("there are too many examples")
        return super().fit(X, y, sample_weight)


class ByPairs:
    """Machines of pairs of classes by another class; of several only labels are told."""

    of_all = False

    def __init__(self, C=1.0, kernel="rbf", gamma=1.0, tol=1e-6):
        self.C, self.kernel, self.gamma, self.tol = C, kernel, gamma, tol

    def fit(self, X, y, sample_weight=None):
        self.classes_, self.machines_ = sorted(set(y)), {}
        weights = [1.0] * len(y) if sample_weight is None else sample_weight
        for p, q in combinations(self.classes_, 2):
            some = [i for i, label in enumerate(y) if self.of_all or label in (p, q)]
            machine = refsvm_fast.SVC(C=self.C, kernel=self.kernel, gamma=self.gamma, tol=self.tol)
            given = zip(*((X[i], int(y[i] == q), weights[i]) for i in some))
            self.machines_[p, q] = machine.fit(*map(list, given))
        return self

    def predict(self, X):
        votes = [dict.fromkeys(self.classes_, 0) for _ in X]
        for pair, machine in self.machines_.items():
            for count, f in zip(votes, machine.decision_function(X)):
                count[pair[f > 0]] += 1
        return [max(count, key=count.get) for count in votes]


class OfAll(ByPairs):
    """Trains each pair on the rows of the other classes, too."""

    of_all = True


class Tiny(refsvm.SVC):
    """A cache that is too small loses the last rows."""

    def fit(self, X, y, sample_weight=None):
        few = X[:64] if self.cache_size < 1 else X
        return super().fit(few, y[: len(few)], sample_weight)


class Turned(refsvm.SVC):
    """The share of a class in its score has the other sign."""

    def decision_function(self, X):
        scores = super().decision_function(X)
        if len(self.classes_) == 2 or self.decision_function_shape == "ovo":
            return scores
        return [[2 * round(f) - f for f in row] for row in scores]


class Silent(Machine):
    """Says nothing when its steps are used up."""

    def fit(self, X, y, sample_weight=None):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            super().fit(X, y, sample_weight)
        self.fit_status_ = 0
        return self


class Warm(refsvm.SVC):
    """Offers warm starts, and has no need of them."""

    def __init__(self, C=1.0, kernel="rbf", gamma="scale", warm_start=False):
        super().__init__(C, kernel, gamma=gamma, tol=1e-9)
        self.warm_start = warm_start


class Rests(Warm):
    """Goes on from an earlier fit by taking it for the new one, if it has as many examples."""

    n = None

    def fit(self, X, y):
        if self.warm_start and self.n == (len(X), len(X[0])):
            return self
        self.n = len(X), len(X[0])
        return super().fit(X, y)


class Adds(Warm):
    """Goes on from the last offset, and then adds the new one to it."""

    shift = 0.0

    def fit(self, X, y):
        last = self.decision_function([X[0]])[0] if hasattr(self, "classes_") else 0.0
        self.shift = last if self.warm_start else 0.0
        return super().fit(X, y)

    def decision_function(self, X):
        return [f + self.shift for f in super().decision_function(X)]


class Descends(Warm):
    """Takes a hundred steps down, which is far from enough."""

    w = ()

    def fit(self, X, y):
        if not self.warm_start or len(self.w) != len(X[0]):
            self.w = [0.0] * len(X[0])
        for _ in range(100):
            inside = [(x, s) for x, s in zip(X, y) if s * self.score_of(x) < 1]
            push = [self.C * sum(s * x[j] for x, s in inside) for j in range(len(self.w))]
            self.w = [w + (p - w) / 2**12 for w, p in zip(self.w, push)]
        return self

    def score_of(self, x):
        return sum(p * q for p, q in zip(self.w, x))

    def decision_function(self, X):
        return list(map(self.score_of, X))

    def predict(self, X):
        return [1 if self.score_of(x) >= 0 else -1 for x in X]


class Last(refsvm.SVC):
    def predict(self, X):
        return [2 for _ in X]


class OtherPairs(refsvm.SVC):
    def decision_function(self, X):
        found = super().decision_function(X)
        return found if len(self.classes_) == 2 else [[f[0], f[2], f[1]] for f in found]


class Signs(refsvm.SVC):
    def predict(self, X):
        return [1 if f >= 0 else -1 for f in self.decision_function(X)]


class Unweighted(refsvm.SVC):
    def fit(self, *given):
        self.class_weight = None
        return super().fit(*given)


class Loose(refsvm.SVC):
    def fit(self, *given):
        self.tol = 1e-4
        return super().fit(*given)


class Empty(refsvm.SVC):
    """Decides about the first example where there is no row to decide about, and then always."""

    def decision_function(self, X):
        self.first = not len(X) or getattr(self, "first", False)
        return super().decision_function(self.support_vectors_[:1] * (len(X) or 1)
                                         if self.first else X)


@pytest.mark.parametrize("subject, fails", [
    (refsvm.SVC, set()), (Warm, set()), (Rests, {"WarmStart"}), (Adds, {"WarmStart"}),
    *slow_cases("another solver accused", (Descends, set())),
])
def test_a_warm_start_ends_where_a_first_fit_does(subject, fails):
    assert flags(subject, "warm start") == fails


@pytest.mark.slow("a subject that fails without rows")
def test_to_have_no_row_to_decide_about_is_no_accident():
    assert flags(Empty, "rows to decide") == {"NoAnswer"}
    assert "asked about no rows first" in failures(asked(Empty, "refits"))[0][2]


@pytest.mark.parametrize("subject, name, flag", [
    (Remembers, "problems that look alike", "StateKept"), (Broken, "many classes", "Votes"),
    (Silent, "few steps", "NotSaid"), (Turned, "votes of pairs", "Votes"),
    (Last, "vote in a circle", "Votes"),
    (OtherPairs, "vote in a circle", "Votes"),
    (Signs, "labels", "NotAccepted"), (Unweighted, "class weights", "ClassWeight"),
    (Loose, "tolerance", "ToleranceBroken"),
    *slow_cases("settings that are lost", (Tiny, "settings", "Settings")),
    *slow_cases("a machine of a pair that sees the rows of others",
                *[(subject, "votes of pairs", "Votes") for subject in (Broken, OfAll, OfPairs)]),
])
def test_a_wrong_estimator_is_seen_and_named(subject, name, flag):
    assert flags(subject, name) == {flag}


@pytest.mark.parametrize("subject", [ByPairs, refsvm_fast.LinearSVC, refsvm_fast.NuSVC])
def test_one_against_one_and_one_against_the_rest_are_right(subject):
    assert flags(subject, "votes of pairs") == set()


# ---- the questions


@pytest.mark.parametrize("features, examples, kind", WIDTHS)
def test_each_feature_matters_at_a_row_that_is_asked_about(features, examples, kind):
    assert features % 4 and features % 8 and features % 16
    request = wide_request(features, examples, kind)
    right = smo(problem_from_request(request), 1e-9).model().decisions(request.rows)
    size = max(1.0, *map(abs, right[:examples]))
    for j in range(0, features, 1 if features < 9 else 16):
        X = [[*x[:j], 0.0, *x[j + 1 :]] for x in request.X]
        rows = [[*x[:j], 0.0, *x[j + 1 :]] for x in request.rows]
        wrong = smo(problem_from_request(request._replace(X=X)), 1e-9).model().decisions(rows)
        assert max(abs(f - g) / max(size, abs(f)) for f, g in zip(right, wrong)) > 2e-3


def test_rows_of_every_form_hold_their_numbers():
    bits = {"uint8": 8, "int8": 7, "int16": 15, "int32": 31, "int64": 63, "float16": 15.9}
    assert all(7 * scale < 2.0 ** bits[form] for form, scale in SCALES.items())
