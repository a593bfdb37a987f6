"""What a subject was asked where it failed: the Request of a record, made once more."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from ..audit import Auditor
from ..case_requests import invalid_request
from ..forms import Form
from ..protocol import Answer, Request, as_doubles
from ..questions import Ask, FindingList
from ..records import Record
from .stored import question_of


def request_of(auditor: Auditor, record: Record) -> Request | None:
    """Return the Request, about the examples and the worst row; None where it cannot be told."""
    if record.case in auditor.policies:
        return _asked_by(auditor.policies[record.case], question_of(record), auditor.form)
    case = auditor.cases[record.case]()
    if case.problem is None:
        return invalid_request(case, auditor.judge.tol, auditor.judge.form)
    problem, rows = as_doubles(case.problem, [])
    if record.worst_x is not None and record.worst_x not in rows:
        rows.append(record.worst_x)
    judge = auditor.judge
    if record.check != "G5":
        return judge.request(case, problem, rows)._replace(extras=False, threads=None)
    relation = record.reason.partition(": ")[0]
    for other in judge.relations(case, problem, rows):
        if other.name == relation:
            return judge.transformed_request(case, other)
    return None


def _asked_by(
    policy: Callable[[Ask], FindingList], question: str, form: Form | None
) -> Request | None:
    """Return the Request that bears the name of the question; the subject is not asked."""
    seen: list[Request] = []

    def ask(request: Request) -> Answer:
        if request.id == question:
            seen.append(request)
            raise LookupError("it is found")
        return Answer(decisions=[0.0 for _ in request.rows])

    with suppress(Exception):  # also what a policy makes of answers that are none
        policy(Ask(ask, form))
    return seen[0] if seen else None
