"""audit: is this SVM right? Every case is asked, every answer compared with the exact optimum.

    subject    what is audited          case     a problem whose optimum is known
    record     one check of one case    flag     the kind of bug that a failure shows

What is asked is listed in what_is_asked.py; judging.py asks and judges one case. The wrong answers
of the whole run are held against those of known bugs, the catalogue in wrong/: a bug that
foretells fresh answers gives the failures its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

from ..numerics.quoting import quote
from ..svm.training_problem import TrainingProblem
from .auditor import DEADLINE as DEADLINE
from .auditor import TOL as TOL
from .auditor import Auditor as Auditor
from .auditor import ParallelAuditor
from .cases.drawn import SEED as SEED
from .checks.repeats import tell_once
from .naming import settle
from .protocol.records import Record as Record

if TYPE_CHECKING:
    from concurrent.futures import Executor


def audit(
    subject: Any,
    problem: Any = None,
    *,
    isolate: bool = True,
    deadline: float = DEADLINE,
    tol: float = TOL,
    names: Sequence[str] | None = None,
    expected: Mapping[str, str] | None = None,
    on_case: Callable[[list[Record]], object] | None = None,
    executor: Executor | None = None,
    form: str | None = None,
    seed: int = SEED,
) -> list[Record]:
    """Ask the subject every case, or one problem only, and judge its answers.

    Parameters
    ----------
    subject : what is audited
        an estimator class or instance with scikit-learn's constructor and fit; a function
        problem -> decision function (or Solution, or Model); (w, b) or (beta, b) or the
        pathlib.Path of a LIBSVM model file, with its problem; a command line
    problem : Problem, or one of the other machines'
        asked in the place of all cases; one on Fractions is asked, and judged, on the nearest
        doubles
    isolate : bool
        ask the subject in a process of its own, started again after a hang or an exit; its
        memory is limited to 2 GB, and it starts in a temporary folder
    deadline : float
        seconds for each answer, where there is such a process
    tol : float
        for a subject that has such a parameter; an instance keeps its own
    names : patterns of the names of the cases to ask, as "C*"
        None: all
    expected : dict
        {"case", "case/check" or "case/question": reason}: failures that are known become
        "acceptable"; the question begins the reason of a record that is about one of several
    on_case : function
        called with each case's list of records as soon as they are there: in the order in which
        cases are asked, before what repeats is told once, and with flags that fit the case alone
    executor : concurrent.futures.Executor
        asks and judges many cases at once; the records are the same, unless the subject keeps
        something from one problem for the next. None: one case after another, here
    form : str
        the machine, whose cases are asked: "c_svc", "nu_svc", "epsilon_svr", "nu_svr",
        "one_class" or "svdd". None: the problem says it; or the subject's name, its parents' names
        and its constructor do, as those of scikit-learn's SVR; and else it is C-SVC
    seed : int
        of the cases that are drawn; their names tell it

    Returns
    -------
    list of Record
        in the order of the cases; a wrong answer is a record, not an exception. An exception
        of the subject's that repeats is one failure, which says how often

    Raises
    ------
    TypeError, ValueError
        for a subject or a problem that is none, for a subject that cannot be started or of which
        an executor's process cannot be told, and for a kernel matrix that is not positive
        semidefinite

    Examples
    --------
    >>> from refsvm.solvers.smo import smo
    >>> records = audit(smo, isolate=False, names=["C02"])
    >>> [(record.check, record.result) for record in records][:3]
    [('G1', 'pass'), ('G2', 'pass'), ('G3', 'pass')]
    """
    given = subject, problem, isolate, deadline, tol, expected, form, seed
    auditor = Auditor(*given) if executor is None else ParallelAuditor(executor, *given)
    return records_of(auditor, auditor.names(names), on_case)


def records_of(
    auditor: Auditor,
    names: Sequence[str],
    on_case: Callable[[list[Record]], object] | None = None,
) -> list[Record]:
    """Ask these cases, close the auditor, and return the records with the run's names."""
    found: dict[str, list[Record]] = {}
    with closing(auditor), closing(auditor.every(names)) as every:
        for records in every:
            if records:
                found[records[0].case] = records
            if on_case is not None:
                on_case(records)
    every_record = [record for name in names for record in found.get(name, [])]
    with closing(auditor):
        return tell_once(settle(every_record, auditor))


def is_wrong(subject: Any, problem: TrainingProblem) -> bool:
    """Return whether audit(subject, problem, isolate=False) has a failure.

    Which bug it is takes many times as long to find out, and is not asked here.
    """
    auditor = Auditor(subject, problem, isolate=False)
    found = [auditor.judge.judge(read())[0] for read in auditor.cases.values()]
    return any(finding.result == "fail" for findings in found for _, finding in findings)


def expectations(words: Sequence[str]) -> dict[str, str]:
    """Return {"case" or "case/check": reason} of words "case: reason".

    >>> expectations(["C17/G1: kernel values are single"])
    {'C17/G1': 'kernel values are single'}
    """
    expected = {}
    for word in words:
        key, _, reason = map(str.strip, word.partition(":"))
        if not key or not reason:
            raise ValueError(f"{quote(word)} expects nothing; CASE[/CHECK]: REASON is needed")
        expected[key] = reason
    return expected
