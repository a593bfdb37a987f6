"""Asking an estimator one problem of a policy, and judging the answer by decisions alone.

A policy is a function of `ask`, which takes a Request and returns an Answer. It returns a list of
(check, Finding), empty where there is nothing to judge.
"""

from .checks import PASS, Finding, failed
from .endings import unfinished
from .protocol import Request
from .truth import evidence_of, shape_of, truth_of

LINE = [[0.0], [1.0], [3.0], [4.0], [7.0]]
SIGNS = [-1, -1, 1, 1, 1]
PLANE = [[0.0, 1.0], [1.0, 3.0], [3.0, 0.0], [4.0, 2.0], [7.0, 1.0]]


def question(name, X, y, C=1.0, kernel=None, **more):
    """A Request for an estimator, about its own rows."""
    kernel = kernel or {"name": "linear"}
    return Request(name, X, y, [C] * len(y), kernel, X, True, "hinge", 1e-6, **more)


def stopped(answer, n, rows):
    """A [(check, Finding)] for an answer that is none, else None."""
    if answer.unsupported is not None:
        return [("G7", Finding("acceptable", f"not on offer: {answer.unsupported}"))]
    ended = unfinished(answer, n, rows)
    if ended is not None:
        return [("G8", ended)]
    if answer.refused is not None:
        return [("G7", failed(answer.refused, "NotAccepted"))]
    return None


def judged(ask, request, problem, flag, rows=None):
    """G7 of a Request whose answer must be that of a Problem, after a second fit and
    another model's, too.

    rows are those to decide about as the Problem has them, if they are others there.
    """
    answer = ask(request)
    ended = stopped(answer, len(request.y), len(request.rows))
    if ended is not None or answer.decisions is None:
        return ended or []
    truth = truth_of(problem, [list(map(float, row)) for row in rows or request.rows])
    for decisions, shown in (
        (answer.decisions, flag),
        (answer.again, "StateKept"),
        (answer.after, "StateKept"),
    ):
        if decisions is None:
            continue
        said = answer._replace(decisions=decisions)
        shape = shape_of(evidence_of(truth, request, said, None))
        if shape.bent or shape.outside:
            reason = f"{request.id}: not the answer to the problem that this means"
            return [("G7", failed(reason, shown))]
    return [("G7", PASS)]


def first_failure(findings):
    """The first of the lists of findings that has a failure; else a pass, if there is one."""
    seen = []
    for found in findings:
        seen += found
        if found and found[0][1].result == "fail":
            return found
    return [next((one for one in seen if one[1].result == "pass"), seen[0])] if seen else []


def scaled(rows, factor):
    """The rows times a power of two."""
    return [[v * factor for v in row] for row in rows]
