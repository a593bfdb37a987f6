"""Verdicts and texts of the product, looked at without `assert`:  python3 -OO

pytest rewrites no assert here: what is asked for is raised.
"""

import contextlib
import io
import os
from tempfile import TemporaryDirectory

from refsvm.commands import main
from refsvm.conformance.audit import audit
from refsvm.estimators.svc import SVC
from refsvm.exercises.calls import calling
from refsvm.exercises.catalogue import EXERCISES
from refsvm.exercises.checking import assess
from refsvm.plotting.notebook import result_html
from refsvm.solvers.smo import smo
from refsvm.svm.problem import Problem
from tests.student_files import solutions
from tests.wrong_answers import WRONG


def need(is_so, words):
    """Raise unless something is so."""
    if not is_so:
        raise RuntimeError(words)


def told(*words):
    """What a command prints, and its exit status."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main([*words])
    return status, out.getvalue() + err.getvalue()


def every_verdict():
    """Look at commands, exercises, the audit and a notebook's words."""
    commands()
    exercises()
    audits()
    text = result_html(smo(Problem([[0.0], [1.0]], [-1, 1])))
    need("true violation" in text or "multiplier" in text, "a notebook tells meanings")


def commands():
    """Each command has a help that says what it does."""
    listed = told("--help")[1]
    names = [line.split()[0] for line in listed.splitlines() if line.startswith("  ")]
    need(len(names) >= 14, f"commands are listed: {names}")
    for name in names:
        status, text = told(name, "--help")
        need(status == 0 and len(text.splitlines()) > 4, f"{name} has a help: {text}")
    text = told("demo")[1]
    need("support vectors" in text, f"demo explains: {text}")


def exercises():
    """Every task is there; right answers pass, wrong ones do not."""
    for name, exercise in EXERCISES.items():
        need(len(exercise.summary()) > 20, f"{name} has a task")
        need(exercise.summary() in exercise.file_text("refsvm"), f"{name} has a file")
        if exercise.check is None and len(exercise.parameters) < 4:
            need(assess(exercise, calling(getattr(solutions, name))).right, f"{name} is right")
            need(not assess(exercise, calling(WRONG[name][0])).right, f"{name} is wrong")


class Wrong(SVC):
    """Decides the same of all."""

    def decision_function(self, X):
        return [0.123 for _ in X]


def audits():
    """A wrong machine fails the audit."""
    problem = Problem([[0.0], [1.0], [3.0]], [-1, 1, 1])
    records = audit({"decisions": [0.123] * 3}, problem, isolate=False)
    need(any(record.result == "fail" for record in records), "the audit sees a wrong machine")


def state_machine():
    """The state machine fails for decisions that are the same everywhere."""
    from hypothesis import HealthCheck, Phase, settings
    from hypothesis.stateful import run_state_machine_as_test

    from refsvm.conformance.strategies import estimator_machine

    machine = estimator_machine(lambda training: Wrong(kernel="linear", C=float(training.C)))
    with TemporaryDirectory() as folder:
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = folder
        few = settings(max_examples=3, stateful_step_count=2, database=None, deadline=None,
                       phases=[Phase.generate], suppress_health_check=list(HealthCheck))
        try:
            run_state_machine_as_test(machine, settings=few)
        except BaseException as error:
            need("the audit fails" in repr(error), f"{error!r}")
            return
    need(False, "the state machine sees a wrong machine")
