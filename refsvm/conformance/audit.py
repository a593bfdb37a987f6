"""audit: is this SVM right? Every case is asked, every answer compared with the exact optimum.

    subject    what is audited          case     a problem whose optimum is known
    record     one check of one case    flag     the kind of bug that a failure shows

judging.py asks and judges one case. A case that fails is looked at again by diagnosis.py, which
computes what the answers of known bugs would be, exactly, and so gives the failure its name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from fnmatch import fnmatchcase
from functools import partial
from typing import Any

from ..kernels.standard import Gaussian
from ..numerics.options import yes_or_no
from ..numerics.quoting import quote
from ..proofs.definiteness import require_definite
from ..svm.problem import Problem, require_problem
from .cases import FILES, Case, Query, case_named, names_of
from .cases.entries import probes
from .checks import Finding
from .estimator_adapter import Estimator
from .estimator_checks import policies_for
from .judging import Findings, Judge, add_flags, has_decisions
from .plain_values import one_line
from .protocol import as_doubles
from .records import UNASKED
from .records import Record as Record
from .rounding import is_beyond_doubles
from .scheduling import map_in_order
from .subjects import ProblemFunction, Subject, as_subject
from .truth import Evidence, on_fractions
from .workers import asker_for

MOST_PROBES = 50  # rows between the examples of a given problem, to be decided, too
FIELD_NAME = re.compile(r" (?:is|has|holds|cannot|wrote|returned) |\[")  # ends a field's name
TOL = 1e-6  # for a subject that takes a tolerance


def audit(
    subject: Any,
    problem: Problem | None = None,
    *,
    isolate: bool = True,
    deadline: float = 4,
    tol: float = TOL,
    names: Sequence[str] | None = None,
    expected: Mapping[str, str] | None = None,
    on_case: Callable[[list[Record]], object] | None = None,
) -> list[Record]:
    """Ask the subject every case, or one problem only, and judge its answers.

    Parameters
    ----------
    subject : what is audited
        an estimator class or instance with scikit-learn's constructor and fit; a function
        problem -> decision function (or Solution, or Model); (w, b) or (beta, b) or the
        pathlib.Path of a LIBSVM model file, with its problem; a command line
    problem : Problem
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
        called with each case's list of records as soon as they are there

    Returns
    -------
    list of Record
        in the order of the cases; a wrong answer is a record, not an exception

    Raises
    ------
    TypeError, ValueError
        for a subject or a problem that is none, for a subject that cannot be started, and for a
        kernel matrix that is not positive semidefinite

    Examples
    --------
    >>> from refsvm.solvers.smo import smo
    >>> records = audit(smo, isolate=False, names=["C02"])
    >>> [(record.check, record.result) for record in records][:3]
    [('G1', 'pass'), ('G2', 'pass'), ('G3', 'pass')]
    """
    auditor = Auditor(subject, problem, isolate, deadline, tol, expected)
    records = []
    with closing(auditor), closing(auditor.every(auditor.names(names))) as every:
        for of_case in every:
            records += of_case
            if on_case is not None:
                on_case(of_case)
    return records


def is_wrong(subject: Any, problem: Problem) -> bool:
    """Return whether audit(subject, problem, isolate=False) has a failure.

    Which bug it is takes many times as long to find out, and is not asked here.
    """

    def explain(findings: Findings, evidence: Evidence, case: Case) -> Findings:
        return (
            add_flags(findings, evidence, case) if is_beyond_doubles(evidence.truth) else findings
        )

    auditor = Auditor(subject, problem, isolate=False)
    found = [auditor.judge.judge(read(), explain)[0] for read in auditor.cases.values()]
    return any(finding.result == "fail" for findings in found for _, finding in findings)


class Auditor:
    """An audit case by case: names() says which there are, records(name) asks one of them."""

    def __init__(
        self,
        subject: Any,
        problem: Problem | None = None,
        isolate: bool = True,
        deadline: float = 4,
        tol: float = TOL,
        expected: Mapping[str, str] | None = None,
    ) -> None:
        if problem is not None:
            problem = require_problem(problem)
        self.subject = as_subject(subject, problem)
        self.asker = asker_for(self.subject, yes_or_no(isolate, "isolate"), deadline)
        self.judge = Judge(self.subject, self.asker, tol)
        self.expected = dict(expected or {})
        self.malformed: dict[str, Record] = {}  # of each field the first where it was
        self.policies = {}
        if problem is None:
            self.cases = shipped_cases(self.subject)
            if isinstance(self.subject, Estimator):
                self.policies = policies_for(self.subject)
        else:
            case = given_case(problem, self.subject)
            self.cases = {"given": lambda: case}

    def names(self, patterns: Sequence[str] | None = None) -> list[str]:
        """Return the names of the cases that a pattern fits, in their order; None: of all."""
        every = [*self.cases, *self.policies]
        if patterns is None:
            return every
        return [name for name in every if any(fnmatchcase(name, p) for p in patterns)]

    def every(self, names: Sequence[str]) -> Generator[list[Record], None, None]:
        """Yield the records of these cases, one case after the other."""
        if self.asker.workers == 1 or len(names) == 1:
            found = (self.records(name) for name in names)
        else:
            found = map_in_order(self.records, names, self.asker.lock, self.asker.workers)
        with closing(found):
            for records in found:
                yield [self.malformed_once(record) for record in records]

    def malformed_once(self, record: Record) -> Record:
        """Return the record; a failure only where its field is malformed for the first time."""
        if record.result != "fail" or record.flag != "NoAnswer":
            return record
        field = FIELD_NAME.split(record.reason)[0].rpartition(": ")[2]
        first = self.malformed.setdefault(field, record)
        if first == record:
            return record
        reason = one_line(f"not judged, as in {first.case}: {record.reason}")
        return record._replace(result="acceptable", flag=None, reason=reason)

    def records(self, name: str) -> list[Record]:
        """Return the records of a case."""
        rows: list[Any] = []
        if name in self.policies:
            findings = self.judge.judge_policy(self.policies[name])
        else:
            findings, rows = self.judge.judge(self.cases[name]())
        records = [self.record(name, check, finding, rows) for check, finding in findings]
        return sorted(records, key=lambda record: record.check)

    def record(self, name: str, check: str, finding: Finding, rows: list[Any]) -> Record:
        """Return the Record of a Finding, excused if it was expected."""
        worst = None if finding.worst is None else rows[finding.worst]
        keys = (f"{name}/{finding.question}", f"{name}/{check}", name)
        excuse = next((self.expected[key] for key in keys if key in self.expected), None)
        reason = finding.reason
        if finding.question is not None and not reason.startswith(UNASKED):
            reason = f"{finding.question}: {reason}" if reason else finding.question
        if finding.result == "fail" and excuse is not None:
            finding, reason = finding._replace(result="acceptable"), f"expected: {excuse}"
        reason = one_line(reason)
        return Record(name, check, finding.result, finding.gap, worst, finding.flag, reason)

    def close(self) -> None:
        """End the process, if there is one."""
        self.asker.close()


def shipped_cases(subject: Subject) -> dict[str, Callable[[], Case]]:
    """Return {name: what reads the case}; a function is given Problems, so no invalid input."""
    files = [f for f in FILES if f != "rejects" or not isinstance(subject, ProblemFunction)]
    return {name: partial(case_named, file, name) for file in files for name in names_of(file)}


def given_case(problem: Problem, subject: Subject) -> Case:
    """Return the case of a given problem."""
    problem, _ = as_doubles(problem, [])
    if not isinstance(problem.kernel, Gaussian):
        require_definite(on_fractions(problem, [])[0])
    given = {"C": problem.C, "y": problem.y, "X": problem.X}
    between = [] if has_decisions(subject) else probes(problem)[:MOST_PROBES]
    queries = [Query(x, None, None, None, None) for x in between]
    return Case("given", "", (), "valid", given, problem, None, queries, [])


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
