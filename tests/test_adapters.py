"""Programs in other languages are audited: the adapters of spec/, and a right one of our own."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from profiles import one_in

from refsvm.conformance.audit import Auditor, audit
from refsvm.conformance.report.causes import cause_of

ROOT = Path(__file__).resolve().parent.parent
ADAPTERS = ROOT / "spec" / "adapters"
CHAPTER = (ROOT / "spec" / "standard" / "auditing-your-own.md").read_text(encoding="utf-8")
JARS = [Path("/usr/share/java") / name for name in ("libsvm3.jar", "weka.jar")]


def tool(name, *words):
    """The path of a program that can run these words; without it the test is skipped."""
    path = shutil.which(name) or pytest.skip(f"{name} is not installed")
    if words and subprocess.run([path, *words], capture_output=True).returncode:
        pytest.skip(f"{name} cannot run {' '.join(words)}")
    return path


def failures(records):
    return [(r.case, r.check, r.reason) for r in records if r.result == "fail"]


def asked(records):
    return {r.case for r in records if not r.reason.startswith("not ")}


# ---- the adapters of spec/

PLAIN = ["C01", "C05", "C06"]  # the linear kernel; no slack, so a C that is ignored does no harm
LONG = 60  # seconds, for a busy machine


def test_an_adapter_is_short():
    for path in filter(Path.is_file, ADAPTERS.iterdir()):
        assert len(path.read_text("ascii").splitlines()) <= 60, path.name


def test_every_adapter_stands_in_the_chapter():
    listed = set(re.findall(r"`([\w.]+)`", CHAPTER.split("| file ")[1].split("\n\n")[0]))
    assert {path.name for path in ADAPTERS.iterdir() if path.is_file()} <= listed


@pytest.mark.slow("an adapter in JavaScript that does not run")
@pytest.mark.parametrize("library", ["ml-svm", "svm", "libsvm-js"])
def test_libraries_of_npm(library):
    node = tool("node", "-e", f"require('{library}')")
    records = audit([node, str(ADAPTERS / "npm_svm.js"), library], names=PLAIN, deadline=LONG)
    assert failures(records) == [] and asked(records) == set(PLAIN)


def test_perl():
    perl = tool("perl", "-MAlgorithm::SVM", "-MJSON::PP", "-e", "1")
    records = audit([perl, str(ADAPTERS / "algorithm_svm.pl")], names=PLAIN, deadline=LONG)
    assert failures(records) == [] and asked(records) == set(PLAIN)


HUGE = ["C11", "C25 with C*", "exclusive or, a*"]  # penalties up to 2^24: SMO goes on and on
OTHER_FORMS = ["C02 squared", "C03 no offset", "C0[47] hard", "matrix of 20*", "Gaussian on six"]
REFUSED = ["C is negative", "too few labels", "a NaN", "an unknown slack", "an unknown kernel"]


def test_ruby():
    names = [*PLAIN, *HUGE, *OTHER_FORMS, *REFUSED]
    records = audit([tool("ruby"), str(ADAPTERS / "exact.rb")], names=names, deadline=LONG)
    assert failures(records) == [] and asked(records) == {r.case for r in records}


@pytest.mark.slow("an adapter in R that does not run")
@pytest.mark.parametrize("library", one_in(2, ["e1071", "kernlab"]))
def test_r(library):
    program = tool("Rscript", "-e", f"library({library})")
    records = audit([program, str(ADAPTERS / "svm.R"), library], names=PLAIN, deadline=LONG)
    assert failures(records) == [] and asked(records) == set(PLAIN)


@pytest.mark.slow("adapters in Java that do not run")
@pytest.mark.parametrize("name", one_in(2, ["LibsvmLines", "WekaLines"]))
def test_java(name, tmp_path):
    path = os.pathsep.join(map(str, [*JARS, tmp_path]))
    if not all(map(Path.exists, JARS)):
        pytest.skip("LIBSVM for Java or Weka is not installed")
    sources = sorted(ADAPTERS.glob("*.java"))
    compiler = [tool("javac"), "-Xlint:all", "-Werror", "-d", tmp_path, "-cp", path]
    subprocess.run([*compiler, *sources], check=True)
    records = audit([tool("java"), "-cp", path, name], names=PLAIN, deadline=LONG)
    assert failures(records) == [] and asked(records) == set(PLAIN)


@pytest.mark.parametrize("name, case", [("radial_basis", "Gaussian on six"), ("linear", "C24")])
def test_dlib(name, case, monkeypatch):
    pytest.importorskip("dlib")
    monkeypatch.syspath_prepend(str(ADAPTERS))
    import dlib_trainers

    assert failures(audit(getattr(dlib_trainers, name), isolate=False, names=[case])) == []


# ---- what the chapter shows


def block(word):
    """The lines of the chapter's block that begins with a word."""
    return re.search(rf"^```{word}\n(.*?)^```", CHAPTER, re.MULTILINE | re.DOTALL)[1]


def test_the_quadratic_program_of_the_chapter():
    pytest.importorskip("cvxopt")
    names = {}
    exec(block("python cvxopt"), names)
    records = audit(names["adapted_program"], isolate=False, names=["C??"])
    assert failures(records) == [] and len(asked(records)) == 25


TWO_POINTS = """
exports.train = (X, y, C) => {
  const dot = (x, z) => x.reduce((s, v, j) => s + v * z[j], 0);
  const across = X[1].map((v, j) => (v - X[0][j]) * y[1]);
  const size = Math.min(C, 2 / dot(across, across)), w = across.map(v => size * v);
  const b = -(dot(w, X[0]) + dot(w, X[1])) / 2;
  return { score: x => dot(w, x) + b };
};
"""


def test_the_javascript_of_the_chapter(tmp_path, monkeypatch):
    node = tool("node")
    (tmp_path / "adapter.js").write_text(block("javascript"))
    (tmp_path / "my-svm.js").write_text(TWO_POINTS)
    monkeypatch.setenv("NODE_PATH", str(tmp_path))
    records = audit([node, str(tmp_path / "adapter.js")], names=["C01"])
    assert failures(records) == [] and asked(records) == {"C01"}


# ---- a right program in another language, and faults in it

EXACT = ROOT / "tests" / "consumers" / "exact_svm.js"


def in_javascript(*fault):
    return [tool("node"), str(EXACT), *fault]


def test_a_right_program_in_another_language():
    records = audit(in_javascript(), names=["C0[1-58]", "C1[478]", "E2-5", "a NaN"])
    assert failures(records) == []


@pytest.mark.slow("an accusation of a right program in another language")
def test_a_right_program_in_another_language_is_asked_of_everything():
    names = one_in(12, Auditor(in_javascript()).names())
    records = audit(in_javascript(), deadline=LONG, names=names)
    assert failures(records) == []
    assert not [r for r in records if r.reason.startswith("not ")]


@pytest.mark.slow("a fault that is seen in Python only")
@pytest.mark.parametrize("fault, names, flag", [
    ("first-vector", ["C0[2-9]", "C1?"], "OffsetBounded"),
    ("half-gamma", ["Gaussian on six*"], "KernelParameters"),
    ("first-three", ["linear, 4 features*"], "FeatureIgnored"),
    ("over-12", ["gaussian, 65 features*"], "Length"),
])
def test_a_fault_in_another_language_has_its_name(fault, names, flag):
    assert cause_of(audit(in_javascript(fault), names=names)).flag == flag
