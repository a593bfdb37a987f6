"""An executor audits many cases at once: the same records, in the same order."""

import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import pytest
from isolated import FromDecisions, HangsOnTwo, with_short_starts
from profiles import slow_cases
from test_lateness import late_of

import refsvm
from refsvm.commands import main
from refsvm.conformance.audit import audit
from refsvm.conformance.auditor import KEPT

NAMES = ["C0?", "only *"]


class Halved(FromDecisions):
    def decision_function(self, X):
        return [f / 2 for f in super().decision_function(X)]


def wrong(problem):
    return {"alpha": refsvm.smo(problem, 1e-9).alpha, "b": 0.0}


@pytest.mark.parametrize("subject", [
    refsvm.smo, wrong, *slow_cases("an estimator that threads share", Halved),
])
def test_threads_find_what_one_finds(subject):
    alone = audit(subject, isolate=False, names=NAMES)
    with ThreadPoolExecutor(3) as executor:
        asked = []
        found = audit(
            subject, isolate=False, names=NAMES, executor=executor, on_case=asked.append
        )
    assert found == alone and len(asked) >= 9 and not KEPT


@pytest.mark.slow("what does not reach another process")
def test_processes_find_what_one_finds(monkeypatch):
    with_short_starts(monkeypatch.setattr)
    alone = audit(Halved, names=NAMES)
    spawn = get_context("spawn")
    with ProcessPoolExecutor(2, spawn, initializer=with_short_starts) as executor:
        assert audit(Halved, names=NAMES, executor=executor) == alone
        assert late_of(HangsOnTwo, executor) == late_of(HangsOnTwo, None)


def test_what_no_other_process_can_be_told_of_is_named():
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor, pytest.raises(
        ValueError, match="of which another process cannot be told"
    ):
        audit(lambda problem: None, names=["C01"], executor=executor)
    with pytest.raises(TypeError, match="executor is 3; a concurrent.futures.Executor"):
        audit(refsvm.smo, executor=3)


@pytest.mark.slow("jobs of the command line")
def test_the_command_line_has_jobs(capsys):
    assert main(["audit", "isolated:FromDecisions", "--case", "C0?", "--jobs", "2"]) == 0
    assert "0 failed; 1 case not on offer" in capsys.readouterr().out
    assert main(["audit", "isolated:FromDecisions", "--jobs", "0"]) == 2
    assert "jobs" in capsys.readouterr().err and sys
