"""An audit ends, in time, with records, whatever the subject does; and nothing is left of it."""

import os
import subprocess
import sys
import time
from pathlib import Path

import fuzz_answers
import pytest
from hypothesis import given
from hypothesis import strategies as st
from profiles import draws

import refsvm
from refsvm.conformance.asking import process_groups, workers
from refsvm.conformance.audit import audit
from refsvm.conformance.fingerprint import fingerprint
from refsvm.conformance.protocol.plain_values import plain
from refsvm.conformance.report.coverage import coverage_of
from refsvm.conformance.subjects.named_subjects import import_subject
from refsvm.numerics.sparse_rows import KeptColumns, SparseRow

ROOT = Path(__file__).parent.parent
LINUX = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc here")
POSIX = pytest.mark.skipif(os.name != "posix", reason="there are no sessions here")


def shell(line):
    return ["sh", "-c", line]


def python(text):
    return [sys.executable, "-c", text]


def only_record(subject, **more):
    record, = audit(subject, names=["C01"], **more)
    return record


def leftovers(word):
    """The processes of this machine with a word in their command line."""
    found = subprocess.run(["ps", "-A", "-o", "args="], stdout=subprocess.PIPE, text=True)
    return [line for line in found.stdout.splitlines() if word in line]


# ---- programs

# A number of its own for each process, so that none sees what another test run has started.
SLEEP = f"sleep 9{os.getpid()}"
DAEMON = f"""
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execlp("{SLEEP.split()[0]}", *"{SLEEP}".split())
    os._exit(0)
time.sleep(60)
"""


@POSIX
@pytest.mark.parametrize("subject, flag, reason", [
    (shell(f"{SLEEP}; true"), "Hang", "within 0.3 s"),
    (shell(f"setsid {SLEEP} & exec 1>&-; {SLEEP}"), "Hang|Exit", ""),
    (shell(f"trap '' TERM INT HUP; while :; do {SLEEP}; done"), "Hang", "within"),
    (shell(f"exec 0<&-; {SLEEP}"), "Hang", "within"),
    pytest.param(python(DAEMON), "Hang", "within", marks=LINUX),
    (shell("cat /dev/zero"), "NoAnswer", "the program wrote a line longer than"),
    (shell("yes"), "NoAnswer", "the program wrote 'y'"),
    (shell("yes >&2"), "Hang", "within"),
    (python("print('[' * 10**5); input()"), "NoAnswer", "wrote '[[["),
    (python("raise SystemExit(5)"), "Exit", "the process ended with status 5"),
    (shell("read line; kill -9 $$"), "Exit", "status -9"),
    (shell("exec 1>&-; echo 'no licence' >&2"), "Exit", "status 0: no licence"),
])
def test_a_program_that_stops_floods_or_leaves_children(subject, flag, reason, monkeypatch):
    monkeypatch.setattr(workers, "LONGEST_START", 0.3)
    begun = time.monotonic()
    record = only_record(subject, deadline=0.3 if "Hang" in flag else 9)
    assert record.flag in flag.split("|") and reason in record.reason
    assert time.monotonic() - begun < 20
    assert leftovers(SLEEP) == []


def test_files_are_found_from_the_folder_it_starts_in_and_none_is_left(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "answer.json").write_text('{"refused": "of the file"}\n')
    (tmp_path / "mine.py").write_text("WORD = 'of the module'")
    for word, reason in (("answer.json", "file"), ("--from=answer.json", "file"), ("m", "module")):
        text = """
import json, sys
input()
word = sys.argv[1].rpartition("=")[2]
open("scratch", "w").write("x")
if word == "m":
    import mine
    print(json.dumps({"refused": mine.WORD}))
else:
    print(open(word).read())
"""
        assert only_record([*python(text), word]).reason == f"of the {reason}"
    assert set(os.listdir()) - {"__pycache__"} == {"answer.json", "mine.py"}


@LINUX
@pytest.mark.slow("memory and processes without bound")
@pytest.mark.parametrize("text, reason", [
    ("kept = [bytes(b'x' * 10**8) for _ in range(100)]", "it used more than 1 GB of memory"),
    ("import os\nfor _ in range(10): os.fork()\nimport time; time.sleep(60)",
     "it had started more than 500 processes"),
])
def test_what_takes_too_much_is_ended(text, reason, monkeypatch):
    monkeypatch.setattr(process_groups, "MOST_RESIDENT", 2**30)
    assert only_record(python(text), deadline=60).reason.startswith(reason)


@pytest.mark.slow("memory that is reserved and counted")
@LINUX
def test_resident_memory_counts_and_address_space_does_not(monkeypatch):
    monkeypatch.setattr(process_groups, "MOST_RESIDENT", 2**28)
    reserved = "import mmap; kept = mmap.mmap(-1, 2**32); "
    record = only_record(python(reserved + "input(); raise SystemExit(7)"), deadline=30)
    assert record.reason == "the process ended with status 7"
    touched = reserved + "kept[: 2**29] = bytes(2**29); input(); input()"
    assert only_record(python(touched), deadline=30).reason.startswith("it used more than")


@POSIX
def test_to_end_the_audit_ends_the_subject():
    words = ["-m", "refsvm", "audit", f"sh -c '{SLEEP}; true'", "--deadline", "99"]
    auditing = subprocess.Popen([sys.executable, *words], cwd=ROOT, stdout=subprocess.DEVNULL)
    while not [line for line in leftovers(SLEEP) if line.startswith("sleep")]:
        time.sleep(0.05)
    auditing.terminate()
    assert auditing.wait(20) == 130 and leftovers(SLEEP) == []


# ---- estimators and functions


class Leaves(refsvm.SVC):
    """Leaves a file, a child, and the process by SystemExit."""

    def fit(self, X, y, sample_weight=None):
        Path("left behind").write_text("x")
        subprocess.Popen(SLEEP.split())
        raise SystemExit(5)


@POSIX
def test_an_estimator_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(ROOT), str(ROOT / "tests"), *sys.path])
    assert only_record(Leaves).reason.startswith("the process ended with status 5")

    def fork(problem):
        return Leaves().fit(problem.X, problem.y)

    assert only_record(fork).reason.startswith("the process ended with status 5")
    record = only_record(lambda problem: sys.exit(5), isolate=False)
    assert record.reason == "it raises SystemExit: 5"
    assert os.listdir() == [] and leftovers(SLEEP) == []


class Alone(refsvm.SVC):
    """The decision of one row is a number, not a list of one."""

    def decision_function(self, X):
        found = super().decision_function(X)
        return found[0] if len(X) == 1 else found


def test_what_is_malformed_fails_once_and_all_else_is_judged():
    records = audit(Alone, isolate=False, names=["C0?"])
    failed = [r for r in records if r.result == "fail"]
    assert [(r.case, r.check, r.flag) for r in failed] == [("C01", "G6", "NoAnswer")]
    assert failed[0].reason.startswith("of a row alone decisions is ")
    again = [r for r in records if r.reason.startswith("not judged, as in C01: of a row alone")]
    assert len(again) > 3 and {r.check for r in again} == {"G6"}
    assert {r.check for r in records if r.result == "pass"} >= {"G1", "G2", "G3", "G4"}


class Biased(refsvm.SVC):
    """Its offset is one more weight, as in LIBLINEAR."""

    @property
    def coef_(self):
        return [[*w, 0.0] for w in super().coef_]


@pytest.mark.parametrize("field, value, reason", [
    ("attributes", 1.5, "attributes is 1.5; an object is needed"),
    ("warnings", 1.5, "warnings is 1.5; a list is needed"),
    ("predictions", [[1], [1], [-1], [1]], "predictions[0] is [1]; a label is needed"),
    ("b", [0.0], "b is [0.0]; a number is needed"),
    ("b", 10**400, "b holds a number beyond the doubles"),
    ("w", [1.0, 0.0], "w has length 2; it must be 1"),
    ("alpha", (v for v in "ab"), "alpha holds <generator object"),
    ("decisions", [[[[[[[]]]]]]] * 4, "decisions holds lists in lists, deeper than 5"),
    ("status", 5, "status is 5; a string is needed"),
])
def test_a_field_of_another_form_is_named_and_shown(field, value, reason):
    found = only_record(lambda problem: {"decisions": [0.0] * 4, field: value}, isolate=False)
    assert (found.check, found.flag) == ("G8", "NoAnswer") and found.reason.startswith(reason)


def test_rows_that_keep_no_zeros_are_lists():
    row = SparseRow(KeptColumns([1], 90), [2.5])
    assert plain("support_vectors_", [row]) == [list(row)]


def test_weights_one_number_too_long():
    assert only_record(Biased, isolate=False).reason == "coef_ has length 2; it must be 1"


@pytest.mark.slow("an answer that the audit cannot tell in records")
@draws(1 / 4)
@given(st.integers(0, 2**40 - 1))
def test_any_answer_becomes_short_records(number):
    assert fuzz_answers.complaint(number) is None


@pytest.mark.slow("an answer that is neither read nor refused")
@draws(2)
@given(st.integers(0, 2**40 - 1))
def test_any_answer_is_read_or_refused(number):
    assert fuzz_answers.misreading(number) is None


# ---- the share that could be asked, and what a machine must take


@pytest.mark.slow("an audit that praises who answers nothing")
def test_an_audit_of_little_is_no_audit():
    def offers_nothing(problem):
        raise refsvm.conformance.subjects.Unsupported("today")

    assert coverage_of(audit(offers_nothing, isolate=False, names=["C0?"])).asked == 0
    records = audit(python("raise SystemExit('no data')"), names=["C??"])
    assert records[0].result == "fail" and len(records) == 25
    assert {r.result for r in records[1:]} <= {"not judged", "not asked"}
    assert records[1].reason.startswith("not asked: the process ended 8 times")
    assert coverage_of(audit(refsvm.smo, isolate=False, names=["C0?"])).asked == 9
    with pytest.raises(ValueError, match="cannot be asked: b holds nan"):
        fingerprint(lambda problem: {"w": [1.0], "b": float("nan")}, isolate=False)


class Numbered(refsvm.SVC):
    """Predicts the number of a class in the place of its label."""

    def predict(self, X):
        return [list(self.classes_).index(label) for label in super().predict(X)]


class ShortIndices(refsvm.SVC):
    """Takes sparse rows whose indices have 32 bits."""

    def fit(self, X, y, sample_weight=None):
        if hasattr(X, "indices") and X.indices.dtype != "int32":
            raise ValueError("only 32-bit indices are accepted")
        return super().fit(X, y, sample_weight)


def test_labels_and_indices_of_every_sort():
    found = audit(Numbered, isolate=False, names=["three classes"])
    assert [(r.result, r.flag) for r in found] == [("fail", "NotAccepted")] * 4
    pytest.importorskip("scipy.sparse")
    found = audit(ShortIndices, isolate=False, names=["sparse rows"])
    assert [r.reason for r in found if r.result != "pass"] == [
        "not on offer: ValueError: only 32-bit indices are accepted"
    ]


@pytest.mark.slow("a quoted line that does not read back")
def test_a_quoted_line_reads_back_as_it_is():
    assert fuzz_answers.misreading(493156411860) is None


@pytest.mark.parametrize("file", ["my-svm", "class", 'a"""+b', "it's", "e\x1b[31m", "9"])
def test_a_file_of_any_name_is_imported(file, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    path = tmp_path / f"{file}.py"
    with pytest.raises(ValueError, match="there is no file"):
        import_subject(f"{path}:solve")
    path.write_text("def solve(problem):\n    return 1.5\n", encoding="utf-8")
    assert import_subject(f"{path}:solve")(None) == 1.5


@LINUX
def test_an_audit_that_is_killed_leaves_nothing_running(tmp_path):
    """The subject never ends, and the process that would end it is gone."""
    pid = tmp_path / "pid"
    (tmp_path / "endless.py").write_text(
        "import os, refsvm\nclass Endless(refsvm.SVC):\n    def fit(self, *given):\n"
        f"        open({str(pid)!r}, 'w').write(str(os.getpid()))\n        while True: pass\n")
    words = [sys.executable, "-m", "refsvm", "audit", str(tmp_path / "endless.py:Endless")]
    asked = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL)
    wait_until(lambda: pid.exists() and pid.read_text())
    asked.kill()
    asked.wait()
    wait_until(lambda: not Path("/proc", pid.read_text()).exists())


def wait_until(holds):
    """Wait until something holds, for half a minute at most."""
    for _ in range(300):
        if holds():
            return
        time.sleep(0.1)
    assert holds()
