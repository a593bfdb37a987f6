"""Tasks with shared data: no executor changes an answer, or which error is told."""

import os
import pickle
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import nullcontext
from multiprocessing import get_context
from pathlib import Path

import pytest
from peers import peer
from profiles import one_in

import refsvm
import refsvm.commands
import refsvm_fast
from refsvm.estimators import executor_tasks as tasks
from refsvm.estimators.executor_tasks import answer_tasks
from refsvm.estimators.folds import all_but, stratified_folds

ROOT = Path(refsvm.__file__).parent.parent
PAGE = (ROOT / "spec" / "standard" / "search.md").read_text(encoding="utf-8")
PARAMETERS = {"C": [1, 10], "gamma": [0.1, 1]}
X = [[i % 7 / 3, i * i % 11 / 7] for i in range(60)]
Y = [(i % 7 + i % 4) // 4 for i in range(60)]


class Elsewhere(Executor):
    """Runs tasks in any order, as pickles that lead to pickles: so does a cluster."""

    def __init__(self, order=list.reverse):
        self.waiting, self.order, self.begun, self.sent = [], order, 0, []

    def submit(self, function, *given):
        future = Future()
        self.waiting.append((future, pickle.dumps((function, given))))
        self.sent.append(len(self.waiting[-1][1]))
        if len(self.waiting) == 4:
            self.order(self.waiting)
            while self.waiting:
                self.run(*self.waiting.pop())
        return future

    def run(self, future, task):
        if not future.set_running_or_notify_cancel():
            return
        self.begun += 1
        try:
            function, given = pickle.loads(task)
            future.set_result(pickle.loads(pickle.dumps(function(*given))))
        except Exception as error:
            future.set_exception(error)


def power(base, exponent):
    """What a task of these tests does."""
    if exponent == 5:
        raise OSError("no five")
    return base**exponent if exponent < 9 else refsvm.SVC(C=-exponent).fit([[0], [1]], [0, 1])


def outcome(exponents, executor=None):
    """The answers for base 3, or the error."""
    try:
        return answer_tasks(power, 3, [(e,) for e in exponents], executor, "task {}".format)
    except Exception as error:
        return repr(error)


def files():
    return [name for name in os.listdir(tempfile.gettempdir()) if name.startswith("refsvm-")]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A temporary folder of its own, which is empty in the end; nothing is kept from before."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(tasks, "KEPT", {})
    yield tmp_path
    assert files() == []


@pytest.mark.parametrize("seed", range(4))
def test_answers_come_by_number_whatever_is_ready_first(seed, folder):
    executor = Elsewhere(random.Random(seed).shuffle)
    assert outcome([1, 2, 0, 4, 3, 2, 1, 0], executor) == [3, 9, 1, 81, 27, 9, 3, 1]
    assert executor.begun == 8


@pytest.mark.parametrize("exponents", [[1, 5, 9, 2], [9, 1, 5, 2], [2, 1, 0, 5]])
def test_of_several_errors_the_first_is_told_with_its_task(exponents, folder):
    alone = outcome(exponents)
    number = min(exponents.index(e) for e in (5, 9) if e in exponents)
    assert f"'task {number}: " in alone
    for order in (list.reverse, list.copy, random.Random(2).shuffle):
        assert outcome(exponents, Elsewhere(order)) == alone
    with ThreadPoolExecutor(3) as threads:
        assert outcome(exponents, threads) == alone
    assert outcome([5]) == "RuntimeError('task 0: OSError: no five')"
    assert outcome([9]) == "ValueError('task 0: C is -9; it must be positive')"


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_after_an_error_what_has_not_begun_is_cancelled(error):
    class Never(Executor):
        futures = []

        def submit(self, *given):
            future = Future()
            self.futures.append(future)
            if len(self.futures) == 4:
                self.futures[1].set_exception(error("so"))
                if error is ValueError:
                    self.futures[0].set_result(tasks.TaskAnswer(1))
            return future

    with pytest.raises(error):
        answer_tasks(power, 3, [(1,)] * 4, Never(), str)
    assert [future.cancelled() for future in Never.futures[2:]] == [True, True]


def test_data_go_by_a_file_or_where_that_is_not_seen_with_the_tasks(folder, monkeypatch):
    base = random.Random(1).getrandbits(10**5)
    by_file, by_task = Elsewhere(), Elsewhere()
    assert answer_tasks(pow, base, [(1,)] * 8, by_file, str) == [base] * 8
    assert max(by_file.sent) < 500 and base in tasks.KEPT.values()
    tasks.KEPT.clear()
    read = tasks.bytes_of
    monkeypatch.setattr(tasks, "bytes_of", lambda path, digest: read("nofile", digest))
    assert answer_tasks(pow, base, [(1,)] * 8, by_task, str) == [base] * 8
    assert max(by_task.sent[:8]) < 500 and min(by_task.sent[8:]) > 10**5 / 8
    assert len(tasks.KEPT) == 1
    assert answer_tasks(pow, 2, [(1,)] * 4, Elsewhere(), str) == [2] * 4
    assert len(tasks.KEPT) == 1, "other data take the place of those before"


def test_a_file_that_holds_other_data_is_not_opened(folder):
    path = folder / "other"
    path.write_bytes(pickle.dumps(1))
    sent = tasks.Sent("0" * 64, str(path), b"")
    assert tasks.call_task(pow, sent, (1,)) == tasks.Unreachable(str(path))
    assert tasks.KEPT == {}
    path.unlink()


def test_without_a_folder_for_files_the_data_go_with_the_tasks(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    monkeypatch.setattr(tasks, "KEPT", {})
    assert outcome([1, 2, 3, 4], Elsewhere()) == [3, 9, 27, 81]


@pytest.fixture(scope="module")
def cluster():
    """dask.distributed, with two processes."""
    dask = peer("distributed")
    with dask.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as two:
        yield two


@pytest.fixture(params=["processes", "loky", "dask"])
def executor(request):
    """Executors whose processes, pickles and futures are not alike."""
    if request.param == "dask":
        with peer("distributed").Client(request.getfixturevalue("cluster")) as client:
            yield client.get_executor()
        return
    loky = request.param == "loky" and peer("joblib.externals.loky")
    spawn = {} if loky else {"mp_context": get_context("spawn")}
    with (loky.get_reusable_executor if loky else ProcessPoolExecutor)(2, **spawn) as two:
        yield two


@pytest.mark.slow("processes, pickles or futures that are not those of threads")
@pytest.mark.parametrize("package", one_in(2, [refsvm_fast, refsvm]))
def test_no_executor_changes_a_bit(executor, package, folder):
    searched = package.grid(package.SVC(), PARAMETERS, X, Y)
    validated = package.cross_validate(package.SVC(C=2), X, Y, folds=4)
    assert package.grid(package.SVC(), PARAMETERS, X, Y, executor=executor) == searched
    again = package.cross_validate(package.SVC(C=2), X, Y, folds=4, executor=executor)
    assert tuple(again) == tuple(validated)
    with pytest.raises(RuntimeError, match="^kernel=.*, fold 1 of 5: ZeroDivisionError: "):
        package.grid(package.SVC(), {"kernel": [broken]}, X, Y, executor=executor)


@pytest.mark.slow("a search of scikit-learn that workers change")
@pytest.mark.parametrize("backend", ["threading", "loky", "dask"])
def test_searches_of_scikit_learn_find_the_same_on_backends_of_joblib(backend, request):
    parallel, searches = peer("joblib"), peer("sklearn.model_selection")
    found = refsvm.grid(refsvm.SVC(), PARAMETERS, X, Y)
    cut = [(all_but(fold, len(Y)), fold) for fold in stratified_folds(Y, 5, 1)]
    client = nullcontext()
    if backend == "dask":
        client = peer("distributed").Client(request.getfixturevalue("cluster"))
    with client, parallel.parallel_config(backend, n_jobs=2):
        search = searches.GridSearchCV(refsvm_fast.SVC(), PARAMETERS, cv=cut).fit(X, Y)
    by_fold = [search.cv_results_[f"split{j}_test_score"].tolist() for j in range(5)]
    assert list(map(list, zip(*by_fold))) == [point.scores for point in found.table]


SCRIPTS = [text for text in re.findall("```python\n(.*?)```", PAGE, re.S) if ">>>" not in text]


@pytest.mark.slow("a line of the page that does not work")
@pytest.mark.parametrize("text", SCRIPTS, ids=[text.split()[1] for text in SCRIPTS])
def test_the_scripts_of_the_page_find_the_same(text, tmp_path, cluster):
    if "mpi4py" in text:
        pytest.skip("MPI is a library of the system")
    shipped = str(ROOT / "refsvm" / "data" / "wdbc.libsvm")
    assert refsvm.commands.main(["scale", shipped, "-o", str(tmp_path / "wdbc.scaled")]) == 0
    text = text.replace("tcp://first:8786", cluster.scheduler_address)
    (tmp_path / "search.py").write_text(text)
    paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    printed = subprocess.run(
        [sys.executable, "search.py"], cwd=tmp_path, env={**os.environ, "PYTHONPATH": paths},
        check=True, stdout=subprocess.PIPE, text=True).stdout
    best = {"C": 10, "gamma": 0.1} if "GridSearchCV" in text else {"C": 100, "gamma": 0.01}
    assert str(best) in printed


def broken(x, z):
    """A kernel that fails."""
    return 1 / 0
