"""An exception is a refusal if its sentence names what is not on offer, and a crash if not."""

import math
import re
from itertools import product
from pathlib import Path

import pytest
from profiles import one_in, slow_cases
from test_audit import failures

import refsvm
from refsvm.commands import main
from refsvm.conformance.audit import audit
from refsvm.conformance.cases import cases
from refsvm.conformance.checks.case_requests import invalid_request
from refsvm.conformance.protocol import refusals
from refsvm.conformance.protocol.refusals import NAMES, refused_thing
from refsvm.conformance.report.coverage import coverage_of

STANDARD = Path(__file__).parent.parent / "spec" / "standard" / "auditing-your-own.md"
POLYNOMIAL, WEIGHTED = "C09", "C14"


def where_not_linear(accident):
    """A right solver that raises what an accident raises where the kernel is not linear."""
    def solve(problem):
        if not problem.linear:
            accident(problem.kernel)
        return refsvm.smo(problem, tol=1e-9)

    return solve


def found(subject, *names, **options):
    return audit(subject, isolate=False, names=names, **options)


# ---- the standard has the same words


def section():
    text = STANDARD.read_text(encoding="utf-8")
    return text[text.index("## S20.7"):].partition("\n## S20.8")[0]


def test_the_standard_lists_the_words():
    rows = re.findall(r"^\| ([\w ]+) \| (.*) \|$", section(), re.MULTILINE)
    listed = {thing: words.split(", ") for thing, words in rows[1:]}
    assert listed == {thing: words.split() for thing, words in NAMES.items()}
    blocks = [" ".join(block.split()).split(", ") for block in
              re.findall(r"(?:^    \S.*\n)+", section().partition("```")[0], re.MULTILINE)]
    assert blocks == [list(refusals.REFUSING), list(refusals.ACCIDENTS)]
    assert ", ".join(refusals.LACKING) in section()


# ---- accidents


def tanh(x, z, *, gamma):
    return x * z * gamma


ACCIDENTS = {  # with words of kernels, of refusing, and of both
    "an item of None": lambda kernel: None["gamma"],
    "a key": lambda kernel: {}["gamma"],
    "an item of a kernel": lambda kernel: kernel["gamma"],
    "an attribute": lambda kernel: kernel.rbf_gamma,
    "a kernel that is assigned to": lambda kernel: kernel.__setitem__("gamma", 1),
    "a comparison": lambda kernel: kernel < 1.0,
    "a number": lambda kernel: float(kernel),
    "a word for a number": lambda kernel: float("rbf"),
    "a whole number": lambda kernel: int("gamma"),
    "too many rows": lambda kernel: kernel([1.0], [1.0], [1.0]),
    "too few rows": lambda kernel: kernel([1.0]),
    "a name": lambda kernel: unknown_kernel,  # noqa: F821
    "a division": lambda kernel: 1.0 / 0,
    "a word added": lambda kernel: "kernel" + 1,
    "a loop": lambda kernel: list(kernel),
    "unpacking": lambda kernel: (lambda gamma, coef0: 0)(*kernel),
    "a keyword too few": lambda kernel: tanh([1.0], [1.0]),
    "a list for a number": lambda kernel: [1.0] * 0.5,
    "an index": lambda kernel: [0.0]["linear"],
}


@pytest.mark.parametrize("name", ACCIDENTS)
def test_an_accident_with_a_kernel_is_a_crash_with_its_place(name, unnamed):
    (failed,) = (r for r in found(where_not_linear(ACCIDENTS[name]), "C01", POLYNOMIAL)
                 if r.result == "fail")
    assert failed.flag == "Crash" and "line" in failed.reason and ".py" in failed.reason


def says(error, *words):
    def raises(thing):
        raise error(*words)
    return raises


@pytest.mark.parametrize("error", [ValueError, TypeError, RuntimeError])
@pytest.mark.parametrize("words", ["", "no", "math domain error", "singular matrix", "today",
                                   "the weights must be positive", "it did not converge"])
def test_what_names_nothing_of_the_problem_is_no_refusal(error, words):
    assert failures(found(where_not_linear(says(error, words)), POLYNOMIAL)) != {}


@pytest.mark.parametrize("words", ["", "no", "today"])
def test_what_is_not_implemented_must_be_named(words):
    subject = where_not_linear(says(NotImplementedError, words))
    assert {flag for flag in failures(found(subject, POLYNOMIAL)).values()}


def test_the_exit_status_of_the_false_pass(tmp_path, capsys):
    (tmp_path / "mine.py").write_text(
        "import refsvm\n"
        "def solve(p):\n"
        "    t = {} if p.linear else None\n"
        "    p.linear or t['gamma']\n"
        "    return refsvm.smo(p, tol=1e-9)\n", encoding="utf-8")
    argv = ["audit", f"{tmp_path}/mine.py:solve", "--case", "C0?", "--in-process"]
    assert main(argv) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "'NoneType' object is not subscriptable (mine.py, line 4, in solve)" in said


# ---- refusals


@pytest.mark.parametrize("error, words", one_in(3, [*product(
    [ValueError, TypeError, RuntimeError, NotImplementedError], [
        "this kernel is not supported", "only the linear kernel", "unknown kernel type",
        "kernel must be one of 'linear', 'rbf'; got 'poly'", "degree: not implemented",
        "there is no such kernel", "POLY is unsupported"])]))
def test_a_sentence_that_names_the_kernel_is_a_refusal(error, words):
    records = found(where_not_linear(says(error, words)), "C0?")
    assert failures(records) == {}
    coverage = coverage_of(records)
    assert (coverage.asked, coverage.cases) == (8, 9)


@pytest.mark.parametrize("sentence, thing", [
    ("TypeError: fit() got an unexpected keyword argument 'sample_weight'", "weights"),
    ("TypeError: SVM() got an unexpected keyword argument 'gamma'", "kernel"),
    ("ValueError: sample_weight is not supported", "weights"),
    ("ValueError: C must be finite", "weights"),
    ("ValueError: only problems with an intercept", "offset"),
    ("ValueError: loss='squared_hinge' is invalid", "slack"),
    ("ValueError: max_iter should be larger", "option"),
    ("TypeError: fit() got an unexpected keyword argument 'colour'", None),
    ("ValueError: weights", None), ("KeyError: 'weights'", None),
])
def test_words_name_things(sentence, thing):
    assert refused_thing(sentence) == thing
    assert refused_thing(f"{sentence} (svm.py, line 3, in kernel)") == thing


def test_a_refusal_names_what_the_problem_has():
    weights = found(lambda p: says(ValueError, "one weight only")(p), WEIGHTED)
    assert failures(weights) == {}
    kernel = found(lambda p: says(ValueError, "one kernel only")(p), WEIGHTED, POLYNOMIAL)
    assert [(r.case, r.flag) for r in kernel if r.result == "fail"] == [(WEIGHTED, "Refused")]


def test_a_program_that_calls_itself_refusing_is_believed_no_more():
    def solve(problem):
        return {"refused": "Cannot read properties of undefined (reading 'gamma')"}

    assert {r.flag for r in found(solve, POLYNOMIAL) if r.result == "fail"} == {"Refused"}
    assert failures(found(lambda p: {"refused": "unknown kernel"}, POLYNOMIAL)) == {}


def test_a_type_error_of_its_own_is_no_lack_of_weights():
    class Counts(refsvm.SVC):
        def fit(self, X, y, **more):
            return super().fit(X, y, [w * None for w in more.get("sample_weight", ())] or None)

    assert {r.flag for r in found(Counts, WEIGHTED) if r.result == "fail"} == {"Crash"}


def test_all_were_asked_is_said_only_if_it_is_true(capsys):
    subject = "isolated:FromDecisions"
    main(["audit", subject, "--case", "C01", "--case", "C02", "--in-process"])
    assert "All were asked." in capsys.readouterr().out
    main(["audit", subject, "--case", "C02", "--case", "labels", "--in-process"])
    assert "All were asked." not in capsys.readouterr().out


# ---- copies


def saving(error):
    class Unsaved(refsvm.SVC):
        def __reduce_ex__(self, protocol):
            raise error

    return Unsaved


@pytest.mark.parametrize("error, flags", [
    (NotImplementedError("a model cannot be saved"), set()), (KeyError("gamma"), {"RoundTrip"}),
    *slow_cases("an accident of a copy that is taken for an excuse, or an excuse for one",
                (TypeError("cannot pickle '_thread.lock' object"), set()),
                (TypeError("'NoneType' object is not iterable"), {"RoundTrip"})),
])
def test_only_what_names_the_copy_is_an_excuse_of_a_copy(unnamed, error, flags):
    records = found(saving(error), "C02", "refits")
    assert {r.flag for r in records if r.check == "G9" and r.result == "fail"} == flags
    excused = [r for r in records if "no copy by pickle" in r.reason]
    failed = [r for r in records if r.result == "fail" and r.check != "G9"]
    assert bool(flags) == bool(failed) != bool(excused), (failed, excused)


def test_the_class_of_an_exception_names_nothing():
    sentence = "degenerate, w and rho are not above 0, so there is no machine"
    for told in (sentence, f"ValueError: {sentence}"):
        assert refused_thing(told, ["numbers"]) is None


class WithoutParameters:
    """A class that has what is asked for, and no get_params."""

    def __init__(self, C=1.0):
        self.C = C

    def fit(self, X, y):
        self.machine = refsvm.SVC(C=self.C, kernel="linear", tol=1e-9).fit(X, y)
        return self

    def decision_function(self, X):
        return self.machine.decision_function(X)

    def predict(self, X):
        return self.machine.predict(X)


def test_a_class_without_get_params_is_not_asked_to_be_cloned():
    records = refsvm.audit(WithoutParameters, isolate=False, names=["refits"])
    assert [r.reason for r in records if r.result == "fail"] == []


def test_numbers_of_a_kernel_that_must_be_refused_are_numbers():
    found = {}
    for case in cases("rejects"):
        kernel = invalid_request(case, 1e-6, None).kernel
        found[case.name] = [v for key, v in kernel.items() if key != "name"]
    assert {type(v) for values in found.values() for v in values} == {float, int}
    assert found["gamma is zero"] == [0.0] and found["coef0 is infinite"] == [2, 1.0, math.inf]
