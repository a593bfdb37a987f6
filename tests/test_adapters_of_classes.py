"""--adapter: what is printed for a constructor of any shape is saved, and audits the machine."""

import subprocess
import sys
from pathlib import Path

import pytest
from profiles import slow_cases

from refsvm.commands import main
from refsvm.conformance.audit import audit
from refsvm.conformance.report.coverage import coverage_of
from refsvm.conformance.subjects.adapters import adapter_for
from refsvm.conformance.subjects.named_subjects import import_subject

OTHERS = Path(__file__).parent / "machines_of_others.py"


def audited(folder, name, text, names=("C??", "E2*")):
    """The records of the adapter that is printed for a class, saved in a folder."""
    path = folder / f"adapter_of_{name.lower()}.py"
    path.write_text(text, encoding="utf-8")
    return audit(import_subject(f"{path}:solve"), isolate=False, names=names)


@pytest.mark.parametrize("name, asked", [
    ("Sigma", 1), ("ConstantAndPenalty", 25), *slow_cases(
        "a constructor of another shape, whose adapter asks another problem",
        ("Cost", 24), ("LambdaParam", 24), ("Reg", 24), ("DataInConstructor", 24),
        ("NamedKernel", 25), ("FunctionOfRows", 27), ("FunctionOfMatrices", 27), ("train_svm", 24),
    ),
])
def test_a_right_machine_passes_through_its_adapter(tmp_path, name, asked):
    text = adapter_for(f"{OTHERS}:{name}")
    compile(text, name, "exec")
    assert max(map(len, text.splitlines())) < 110 and "refsvm audit adapter.py:solve" in text
    records = audited(tmp_path, name, text)
    assert [record for record in records if record.result == "fail"] == []
    assert coverage_of(records).asked >= asked


@pytest.mark.parametrize("name, form, asked", [
    ("BallOfData", "svdd", 4), *slow_cases(
        "an adapter of another machine that asks another problem",
        ("TubeRegression", "epsilon_svr", 9), ("Novelty", "one_class", 6),
        ("NuMargin", "nu_svc", 5),
    ),
])
def test_another_machine_passes_through_its_adapter(tmp_path, name, form, asked):
    text = adapter_for(f"{OTHERS}:{name}", form)
    assert f"refsvm audit adapter.py:solve --type {form}" in text and "bias" not in text
    path = tmp_path / f"adapter_of_{name.lower()}.py"
    path.write_text(text, encoding="utf-8")
    names = ["[DSON]?", "loud, epsilon*", "O six, gaussian, nu = 2/5"]
    records = audit(import_subject(f"{path}:solve"), isolate=False, names=names, form=form)
    assert [record for record in records if record.result == "fail"] == []
    assert coverage_of(records).asked >= asked, coverage_of(records)


def test_an_adapter_is_for_the_machine_that_a_class_shows():
    text = adapter_for("refsvm:SVR")
    for words in ("epsilon=problem.epsilon", "C=problem.C,", "machine.predict(",
                  "--type epsilon_svr", "refsvm.RegressionProblem"):
        assert words in text
    assert "this lambda" not in text and "labels" not in text


@pytest.mark.parametrize("file", [
    "my-svm", "class", 'a"""+b', "it's", "e\x1b[31m", "back\\slash", "n\u0113", "9",
])
def test_a_file_of_any_name_is_imported_by_its_adapter(file, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    path = tmp_path / f"{file}.py"
    path.write_text("def solve(problem):\n    return lambda x: 0.0\n", encoding="utf-8")
    text = adapter_for(f"{path}:solve")
    assert text.replace("\n", "").isprintable()
    names = {}
    exec(compile(text.partition("def solve")[0], file, "exec"), names)
    assert names["solve"].__module__ == file


def test_a_bug_shows_through_the_adapter(tmp_path):
    records = audited(tmp_path, "WrongOffset", adapter_for(f"{OTHERS}:WrongOffset"), ["C0?"])
    assert [record for record in records if record.result == "fail" and record.check == "G3"]


def test_conversions_and_warnings_stand_in_the_text():
    assert "1 / (problem.n * problem.C[0])" in adapter_for(f"{OTHERS}:LambdaParam")
    sigma = '(2 * getattr(problem.kernel, "gamma", 0.5)) ** -0.5'
    assert sigma in adapter_for(f"{OTHERS}:Sigma")
    nu = adapter_for(f"{OTHERS}:Nu")
    assert nu.startswith("# On four points this did not run") and "nu=nu_of(problem)" in nu
    assert "C=problem.C[0]" in (text := adapter_for(f"{OTHERS}:ConstantAndPenalty"))
    assert 'c=getattr(problem.kernel, "coef0", 0.0)' in text


NUMPY = '''
import numpy as np
print("hello from the file")

class SVM:
    def __init__(self, kernel_func=lambda A, B: A @ B.T, C=1.0):
        self.kernel_func, self.C = kernel_func, C

    def fit(self, X, y):
        import refsvm
        K = self.kernel_func(X, X)
        assert K.shape == (len(X), len(X))
        solution = refsvm.smo(refsvm.Problem(K, y, refsvm.Precomputed(), self.C), 1e-9)
        self.beta, self.b, self.X = np.array(solution.alpha) * y, solution.b, X

    def project(self, X):
        return self.beta @ self.kernel_func(self.X, X) + self.b
'''


@pytest.mark.slow("a printed adapter that does not run from its file")
def test_arrays_and_the_command_line_end_to_end(tmp_path):
    pytest.importorskip("numpy")
    (tmp_path / "mine.py").write_text(NUMPY, encoding="utf-8")

    def run(*words):
        words = [sys.executable, "-m", "refsvm", "audit", *words]
        path = {"PYTHONPATH": ":".join([str(OTHERS.parent.parent), *sys.path])}
        return subprocess.run(words, cwd=tmp_path, env=path, capture_output=True, text=True)

    printed = run("--adapter", "mine.py:SVM")
    assert printed.returncode == 0 and "hello" not in printed.stdout
    (tmp_path / "adapter.py").write_text(printed.stdout, encoding="utf-8")
    done = run("adapter.py:solve", "--case", "C0?")
    assert done.returncode == 0 and "Nothing fails" in done.stdout, done.stdout + done.stderr


def test_what_has_no_adapter(capsys, tmp_path):
    assert main(["audit", "--adapter", "./train --json"]) == 2
    assert "needs module:Name" in capsys.readouterr().err
    assert main(["audit", f"{tmp_path}/none.py:SVM"]) == 2
    assert "there is no file none.py" in capsys.readouterr().err
