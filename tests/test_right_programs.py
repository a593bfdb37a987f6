"""Right programs of an unusual make: the audit accuses none of them of what is not their own."""

import math
import os
import signal
import subprocess
import sys
import time
from random import Random

import pytest
from profiles import one_in, partly_slow

import refsvm
import refsvm_fast
from refsvm.conformance.asking import process_groups, processes, workers
from refsvm.conformance.asking.processes import Late
from refsvm.conformance.audit import Auditor, audit

ASKED = ["C01", "C0[29] squared", "F4 without offset", "C14", "E2-5", "zero to the zero",
         "C is NaN"]


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
        assert reasons(records)["E2-5"] == "not on offer: the constructor has no gamma"
        assert "C01" not in reasons(records)  # it is asked without tol
    else:
        assert reasons(records) == reasons(audit(refsvm.SVC, isolate=False, names=ASKED))


# ---- the time that a program takes to start

RIGHT = """
import json, sys, time
time.sleep(float(sys.argv[1]))
import refsvm
for line in sys.stdin:
    asked = json.loads(line)
    problem = refsvm.Problem(asked["X"], asked["y"], C=[float(c) for c in asked["C"]])
    if len(asked["X"]) == int(sys.argv[2]):
        time.sleep(9)
    solution = refsvm.smo(problem, asked["tol"])
    print(json.dumps({"decisions": solution.model().decisions(asked["rows"])}), flush=True)
    if len(sys.argv) > 3:
        break
"""


def program(*words):
    return [sys.executable, "-c", RIGHT, *words]


@pytest.mark.slow("a program that starts anew, before the first answer or before each")
@pytest.mark.parametrize("words", [["1.2", "0"], ["0.6", "0", "ends after each answer"]])
def test_a_start_is_not_counted(words):
    records = audit(program(*words), names=["C02"], deadline=0.6)
    assert failures(records) == [] and reasons(records) == {}


@pytest.mark.slow("a program that starts anew after it has been ended")
def test_a_start_after_a_hang_is_not_counted():
    records = audit(program("1", "3"), names=["C02", "C07", "C21"], deadline=0.6)
    (case, _, reason), = failures(records)
    assert case == "C07" and reason.startswith("no answer within 0.6 s; others took 0.")


def test_a_start_is_as_long_as_the_quickest_first_answer():
    start = workers.Deadlines(4.0)
    for seconds, allowed in ((99.0, workers.LONGEST_START), (3.0, 6.0), (1.0, 2.0), (9.0, 2.0),
                             (0.01, 0.5)):
        start.answered(seconds, is_first=True)
        assert start.allowance(is_first=True) == allowed


# ---- a machine that others use

BUSY = """
import sys, time
for line in sys.stdin:
    begun = time.process_time()
    while time.process_time() < begun + 0.4: pass
    print(line, end="", flush=True)
"""


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="other systems do not tell")
@pytest.mark.slow("a deadline that counts what other programs take of the processor")
def test_a_program_is_not_late_because_others_use_the_processor():
    cpu = min(os.sched_getaffinity(0))
    here = f"import os; os.sched_setaffinity(0, [{cpu}])\n"
    spins = f"{here}parent = os.getppid()\nwhile os.getppid() == parent: pass"  # as long as this
    others = [subprocess.Popen([sys.executable, "-c", spins], start_new_session=True)
              for _ in range(2)]
    asked = processes.Command([sys.executable, "-c", here + BUSY], {})
    try:
        asked.exchange("the first, with the start", 9)
        for line in "the second", "the third", "the fourth":
            assert asked.exchange(line, 0.8)[0].decode().strip() == line
    finally:
        asked.end()
        for other in others:
            other.kill()
            other.wait()


ASKS_FOR_EVER = """
import time
from refsvm.conformance.asking.processes import Command
asked = Command(["sh", "-c", "sleep 1000 & while :; do :; done"], {})
print(asked.child.pid, asked.folder.name, flush=True)
time.sleep(1000)
"""


@pytest.mark.skipif(os.name != "posix", reason="process groups are those of POSIX")
@pytest.mark.parametrize("number", ["SIGTERM", "SIGKILL"])
def test_a_program_that_never_ends_is_ended_with_this_process(number):
    asks = subprocess.Popen([sys.executable, "-c", ASKS_FOR_EVER], stdout=subprocess.PIPE)
    group, folder = asks.stdout.readline().decode().split()
    os.kill(asks.pid, getattr(signal, number))
    asks.communicate()
    until = time.monotonic() + 9
    while (os.path.exists(folder) or is_group(int(group))) and time.monotonic() < until:
        time.sleep(0.02)
    assert not os.path.exists(folder) and not is_group(int(group))


def is_group(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


class Waits(processes.Process):
    """A process that does not answer, and waits for a processor so long, by and by."""

    def __init__(self, queued):
        self.queue, self.reader, self.waited = iter([0.0, *queued]), self, []

    def queue_times(self):
        return {"thread": next(self.queue)}

    def refuse_early_lines(self):
        pass

    def write(self, line):
        pass

    def next(self, seconds):
        self.waited.append(round(seconds, 1))
        raise Late


@pytest.mark.parametrize("queued, waited", [
    ([0.001], [2.0]), ([1.5, 2.0, 2.0], [2.0, 3.5, 4.0]), ([1.0, 99.0, 99.0], [2.0, 3.0, 8.0]),
])
def test_time_without_a_processor_is_not_counted(queued, waited):
    process = Waits(queued)
    with pytest.raises(Late):
        process.exchange("a line", 2.0)
    assert process.waited == waited


def test_how_long_a_thread_waited_is_read_where_the_system_tells():
    times = process_groups.queue_times([os.getpid(), 2**22 + 1])
    assert all(seconds >= 0 for seconds in times.values())
    if os.path.exists("/proc/self/schedstat"):
        assert times.keys() >= {str(os.getpid())}


# ---- no tol


class OwnTolerance(refsvm.SVC):
    """Stops where a thousandth is right, and takes no tol."""

    def __init__(self, C=1.0, kernel="rbf", degree=3, gamma="scale", coef0=0.0):
        super().__init__(C, kernel, degree, gamma, coef0)


@pytest.mark.parametrize("subject, asked", [
    (OwnTolerance, False), (refsvm.SVC, True), (refsvm.SVC(), True),
])
def test_a_tolerance_is_kept_where_there_is_one(subject, asked):
    records = audit(subject, isolate=False, names=["C0?", "tolerance"])
    assert failures(records) == []
    assert (reasons(records).get("tolerance") == "not on offer: there is no tol") is not asked


# ---- what a right program may look like


class Keeps:
    """A machine of its own make around a right one."""

    def __init__(self, C=1.0, kernel="rbf", degree=3, gamma="scale", coef0=0.0, tol=1e-3):
        self.C, self.kernel, self.degree = C, kernel, degree
        self.gamma, self.coef0, self.tol = gamma, coef0, tol

    def fit(self, X, y, sample_weight=None):
        given = (self.C, self.kernel, self.degree, self.gamma, self.coef0, self.tol)
        self.svc, self.n = refsvm_fast.SVC(*given).fit(X, y, sample_weight), len(y)
        return self


class Predicts(Keeps):
    """Says nothing but labels."""

    def predict(self, X):
        return self.svc.predict(X)


class Decides(Keeps):
    """Says nothing but decisions, in a column."""

    def decision_function(self, X):
        f = self.svc.decision_function(X)
        return f if isinstance(f[0], list) else [[v] for v in f]


class Nests(Decides):
    """Keeps lists where scikit-learn has rows, and columns; truth values, and one number."""

    support_ = property(lambda self: [i in self.svc.support_ for i in range(self.n)])
    intercept_ = property(lambda self: [[self.svc.intercept_[0]]])
    n_support_ = property(lambda self: len(self.svc.support_))

    @property
    def dual_coef_(self):
        return [v for _, v in sorted(zip(self.svc.support_, self.svc.dual_coef_[0]))]

    @property
    def coef_(self):
        if self.kernel != "linear":
            raise NotImplementedError("there is no w")
        return [[v] for v in self.svc.coef_[0]]


class ListsBackwards(Decides):
    """Lists its support vectors from the last to the first."""

    support_ = property(lambda self: list(self.svc.support_)[::-1])
    support_vectors_ = property(lambda self: list(self.svc.support_vectors_)[::-1])
    dual_coef_ = property(lambda self: [list(self.svc.dual_coef_[0])[::-1]])
    intercept_ = property(lambda self: self.svc.intercept_)


class ListsAll(Decides):
    """Lists every example as a support vector, most of them with the multiplier 0."""

    def fit(self, X, y, sample_weight=None):
        self.X = [list(map(float, x)) for x in X]
        return super().fit(X, y, sample_weight)

    support_ = property(lambda self: list(range(self.n)))
    support_vectors_ = property(lambda self: self.X)
    intercept_ = property(lambda self: self.svc.intercept_)

    @property
    def dual_coef_(self):
        coef = dict(zip(self.svc.support_, self.svc.dual_coef_[0]))
        return [[coef.get(i, 0.0) for i in range(self.n)]]


class Refuses(Decides):
    """Takes no weights, no hard margin, no constant kernel, no third class; and says so."""

    def fit(self, X, y, sample_weight=None):
        if sample_weight is not None:
            raise NotImplementedError("weights")
        if self.C == math.inf or (self.kernel == "poly" and self.degree < 1) or len(set(y)) > 2:
            raise ValueError("a finite C, degree 1 and two classes are needed")
        return super().fit(X, y)


def low(problem):
    """The offset at the lower end of its interval."""
    solution = refsvm_fast.smo(problem, 1e-9)
    b = min(solution.b_low, solution.b_high)
    return {"alpha": solution.alpha, "b": b, "status": solution.status}


def shuffled(problem):
    """SMO on the examples in a random order: other multipliers, where they are not unique."""
    order = Random(problem.n).sample(range(problem.n), problem.n)
    X, y, C = ([values[i] for i in order] for values in (problem.X, problem.y, problem.C))
    if isinstance(problem.kernel, refsvm.Precomputed):
        X = [[row[j] for j in order] for row in X]
    other = refsvm.Problem(X, y, problem.kernel, C, problem.bias, problem.slack)
    solution = refsvm_fast.smo(other, 1e-9, max_iter=2000)
    alpha = [a for _, a in sorted(zip(order, solution.alpha))]
    return {"alpha": alpha, "b": solution.b, "status": solution.status}


def decides_only(problem):
    """A decision function, and not even whether it has finished."""
    return refsvm_fast.smo(problem, 1e-9).model().decision


def to_a_thousandth(problem):
    """Stops at a thousandth, which nothing tells the audit."""
    return refsvm_fast.smo(problem, 1e-3)


def to_five_hundredths(problem):
    return refsvm_fast.smo(problem, 0.05)


def name(subject):
    """What a test is called after: no address in memory, which two workers would not share."""
    return getattr(subject, "__name__", None) or str(subject)


LOOSE = ["linear, 5 features, 65*", "linear, 33 features, 49*", "polynomial, 31 features, 65*"]


@pytest.mark.parametrize("subject", [to_a_thousandth, refsvm_fast.SVC(tol=1e-3)], ids=name)
def test_a_tolerance_of_a_thousandth_is_no_mistake(subject):
    assert failures(audit(subject, isolate=False, names=LOOSE)) == []


@pytest.mark.slow("a program far from the end that passes")
def test_a_looser_tolerance_that_nothing_tells_is_one():
    auditor = Auditor(to_five_hundredths, isolate=False)
    for name in auditor.names(LOOSE):
        found, _ = auditor.judge.judge(auditor.cases[name]())
        assert "fail" in {finding.result for _, finding in found}, name


SUBJECTS = [Predicts, Decides, Nests, ListsBackwards, ListsAll, Refuses, low, shuffled,
            decides_only, to_a_thousandth, refsvm_fast.SVC(tol=1e-3), refsvm_fast.SVC(tol=1e-9)]
FEW = [*ASKED, "C17", "C2*", "E3", "degree seven", "plane, C = 1/2"]


@pytest.mark.parametrize("subject", partly_slow("another make accused", SUBJECTS[1::2], SUBJECTS),
                         ids=name)
def test_a_right_program_of_another_make_is_not_accused(subject):
    assert failures(audit(subject, isolate=False, names=FEW)) == []


@pytest.mark.slow("an accusation in one of the other cases")
@pytest.mark.parametrize("subject", SUBJECTS, ids=name)
def test_no_case_accuses_a_right_program_of_another_make(subject):
    every = Auditor(subject, isolate=False).names()
    names = one_in(len(SUBJECTS), every, SUBJECTS.index(subject))
    assert failures(audit(subject, isolate=False, names=names)) == []
