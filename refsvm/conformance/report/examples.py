"""The smallest cases that fail: the problem in words, the subject's numbers and the right ones.

A record does not hold the answer, so the subject is asked once more, alone. What is right then,
though it was wrong before, depends on what was asked before; that is said, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from math import inf
from typing import Any, NamedTuple

from ...kernels.base import Kernel
from ...numerics.types import Number, VectorLike
from ..audit import Auditor
from ..cases import Case
from ..cases.drawn import find_case, place_of
from ..checks import short_text
from ..checks.answer_checks import check_delivery
from ..checks.case_requests import invalid_request
from ..policies.questions import Ask, Policy
from ..protocol import Answer, Request, as_doubles, kernel_document, problem_from_request
from ..protocol.forms import Form, bounds_of, form_named
from ..protocol.records import Record
from ..subjects import stated_tol
from ..truth import Evidence, NoOptimum, evidence_of, gap_of, middle, shape_of, truth_of
from ..what_is_asked import relations_of
from .causes import cause_of
from .coverage import grouped

SHOWN_CASES = 3
SHOWN_ROWS = 6  # whose decisions are compared, beside the worst row
SHOWN_EXAMPLES = 8  # rows of X; of more only the first are shown
SHOWN_LABELS = 32
LONGEST_ROW = 8  # numbers of a row
WITHOUT_ANSWER = ("Hang", "Exit", "Crash", "NoAnswer", "Refused", "NotAccepted")
OF_SEVERAL = ("G5", "G6")  # checks that hold two answers against each other
Given = dict[str, str]  # words by names
Numbers = list[list[str]]  # what, the subject's number, the right one


class Example(NamedTuple):
    """A case that fails, with numbers."""

    case: str  # its name
    comment: str  # what it is for
    failures: Sequence[Record]  # what was found
    given: Given  # X, y, C, kernel in words
    numbers: Numbers
    note: str | None = None  # a sentence about the numbers


def smallest_examples(auditor: Auditor, failures: Iterable[Record]) -> list[Example]:
    """Return the smallest cases that fail, asked once more; the first one shows the verdict.

    Problems that are answered come before those that are not, for they have numbers; then come
    invalid input and questions to estimators.
    """
    failures = list(failures)
    by_case = grouped(failures, lambda record: record.case)

    def rank(name: str) -> tuple[Any, ...]:
        sort, *size = _size_of(auditor, name)
        return sort, by_case[name][0].flag in WITHOUT_ANSWER, *size

    smallest = sorted(by_case, key=rank)
    cause = cause_of(failures)
    of_verdict = [r for r in failures if cause is not None and r.flag == cause.flag]
    of_verdict.sort(key=lambda r: (r.check in OF_SEVERAL, smallest.index(r.case)))
    smallest = list(dict.fromkeys([*(r.case for r in of_verdict[:1]), *smallest]))[:SHOWN_CASES]
    return [_example_of(auditor, name, by_case[name]) for name in smallest]


def _size_of(auditor: Auditor, name: str) -> tuple[int, int, int]:
    """Return the order of cases: problems, invalid input, policies; by examples and features."""
    if name not in auditor.cases:
        return 2, 0, 0
    case = auditor.cases[name]()
    if case.problem is None:
        return 1, 0, 0
    return 0, case.problem.n, len(case.problem.X[0])


def _example_of(auditor: Auditor, name: str, failures: Sequence[Record]) -> Example:
    """Return a case that fails, with the numbers of an answer that is asked for now."""
    record = min(failures, key=lambda record: (record.check in OF_SEVERAL, record.check))
    case = auditor.cases[name]() if name in auditor.cases else None
    comment = case.comment if case is not None else "a question to estimators"
    request = request_of(auditor, record)
    if request is None:
        return Example(name, comment, failures, {}, [])
    given = _given_words(request._asdict(), form_named(request.form))
    if case is None or case.problem is None:
        numbers = [["answer", record.reason, "to be refused"]] if case is not None else []
        return Example(name, comment, failures, given, numbers)
    numbers, note = _compare(auditor, case, request, record)
    return Example(name, comment, failures, given, numbers, note)


def _compare(
    auditor: Auditor, case: Case, request: Request, record: Record
) -> tuple[Numbers, str | None]:
    """Return the numbers of an answer beside the right ones, and a sentence about them.

    A case is asked about all its rows, whose right decisions are known.
    """
    shown = [*request.rows[:SHOWN_ROWS], request.rows[-1]]
    if record.check != "G5":
        problem, rows = as_doubles(case.problem, [query.x for query in case.queries])
        request = request._replace(rows=[*rows, *(x for x in request.rows if x not in rows)])
    answer = Answer() if record.flag in WITHOUT_ANSWER else auditor.judge.ask(request)
    try:
        if record.check == "G5":
            truth = truth_of(problem_from_request(request), request.rows)
        else:
            truth = truth_of(problem, request.rows, case)
    except NoOptimum as why:
        return [["status", answer.status or "none", f"there is no optimum: {why}"]], None
    except ValueError:  # a weight of 0, which no Problem has
        return [], None
    undelivered = check_delivery(answer)
    if undelivered is not None:
        answer = Answer()  # nothing of it can be measured
    kept = [i for i, c in enumerate(request.C) if c != 0]
    tol = stated_tol(auditor.subject, auditor.judge.tol)
    evidence = evidence_of(truth, request, answer, tol, kept)
    places = dict.fromkeys(map(request.rows.index, shown))
    numbers = _decision_rows(evidence, places) + _model_rows(evidence)
    if undelivered is not None:
        numbers.insert(0, ["answer", undelivered.reason, "finite numbers"])
    right = evidence.decisions is not None and shape_of(evidence).is_right
    before = right and record.check in ("G1", "G3")
    note = "Asked once more, alone, it decides rightly: what else it was asked matters."
    return numbers, note if before else None


def _decision_rows(e: Evidence, places: Iterable[int]) -> Numbers:
    """Return the decisions about the rows at these places."""
    best, rows = e.truth.optimum, []
    for k in places:
        s = e.truth.scores[k]
        theirs = "-" if e.decisions is None else short_text(e.decisions[k] / e.factor)
        right = _interval_text((s + best.b_low) / e.factor, (s + best.b_high) / e.factor)
        rows.append([f"f{row_text(e.request.rows[k])}", theirs, right])
    return rows


def _model_rows(e: Evidence) -> Numbers:
    """Return b, w, the multipliers and the primal value, as far as they are known."""
    best, rows, one = e.truth.optimum, [], 1 / e.factor
    if e.b is not None:
        right = _interval_text(one * best.b_low, one * best.b_high)
        rows.append(["b", short_text(one * e.b), right])
    if e.w is not None and best.w is not None:
        theirs = row_text([one * v for v in e.w], 6)
        rows.append(["w", theirs, row_text([one * v for v in best.w])])
    if e.beta is not None and len(e.beta) <= SHOWN_EXAMPLES and best.alpha is not None:
        theirs = row_text([one * a for a in e.truth.measure.alpha_of(e.beta)], 6)
        others = "" if best.alpha_unique else ", or others"
        right = f"({', '.join(_exact_text(one * a) for a in best.alpha)})"
        rows.append(["alpha", theirs, right + others])
    known = e.decisions is not None and inf not in bounds_of(e.truth.problem)
    excess = gap_of(e).excess if known else None
    if excess is not None:
        value = middle(best.objective) + middle(excess)
        rows.append(["objective", short_text(value), _exact_text(best.objective)])
    return rows


# ---- what was asked


def request_of(auditor: Auditor, record: Record) -> Request | None:
    """Return the Request, about the examples and the worst row; None where it cannot be told."""
    if record.case in auditor.policies:
        return _asked_by(auditor.policies[record.case], question_of(record), auditor.form)
    case = find_case(record.case) or auditor.cases[record.case]()
    judge = auditor.judge
    if case.problem is None:
        return invalid_request(case, judge.tol, judge.form)
    problem, rows = as_doubles(case.problem, [])
    if record.worst_x is not None and record.worst_x not in rows:
        rows.append(record.worst_x)
    if record.check != "G5":
        return judge.request(case, problem, rows)._replace(extras=False, threads=None)
    relation = record.reason.partition(": ")[0]
    for other in relations_of(auditor.subject, case, problem, rows):
        if other.name == relation:
            return judge.transformed_request(case, other)
    return None


def question_of(record: Record) -> str:
    """Return the question that a record of a policy is about; of another case "".

    >>> question_of(Record("labels", "G7", "fail", None, None, None, "0 and 1: refused"))
    '0 and 1'
    """
    if place_of(record.case) or ": " not in record.reason:
        return ""
    return record.reason.partition(": ")[0]


def _asked_by(policy: Policy, question: str, form: Form | None) -> Request | None:
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


# ---- words


def in_a_line(given: Given) -> str:
    """Return X, y, C, the kernel and what else is given, as one line."""
    return "; ".join(f"{name} = {words}" for name, words in given.items())


def _given_words(given: Mapping[str, Any], form: Form | None) -> Given:
    """Return the words of what is given: the fields of a request or of a case."""
    X, y = given["X"], given["y"]
    found = {} if form is None else {"machine": form.words}
    more = f" .. {len(X)} rows" if len(X) > SHOWN_EXAMPLES else ""
    found["X"] = " ".join(map(_data_text, X[:SHOWN_EXAMPLES])) + more
    if form is None or form.is_labelled:
        more = " .." if len(y) > SHOWN_LABELS else ""
        found["y"] = " ".join(map(_label_text, y[:SHOWN_LABELS])) + more
    found["C" if form is None or form.has_C else "weights"] = _penalty_text(given["C"])
    for name in ("epsilon", "nu"):
        if given.get(name) is not None:
            found[name] = _number_text(given[name])
    kernel = [_kernel_words(given["kernel"])]
    kernel += ["no offset"] if given.get("bias") is False else []
    kernel += ["squared slacks"] if given.get("slack") == "squared" else []
    found["kernel"] = ", ".join(kernel)
    return found


def _label_text(label: Any) -> str:
    """Return a label in words: +1 with its sign."""
    return f"{label:+d}" if type(label) is int and abs(label) == 1 else str(label)


def _kernel_words(kernel: Kernel | dict[str, Any]) -> str:
    """Return a kernel, or its document, in words.

    >>> _kernel_words({"name": "gaussian", "gamma": 0.5})
    'gaussian, gamma = 0.5'
    """
    known = kernel if isinstance(kernel, dict) else kernel_document(kernel)
    if known is None:
        return repr(kernel)
    words = [f"{k} = {v:g}" if isinstance(v, float) else f"{k} = {v}" for k, v in known.items()]
    return ", ".join([str(known["name"]), *words[1:]])


def _data_text(row: Any) -> str:
    """Return a row of X: numbers, or a string."""
    return repr(row) if isinstance(row, str) else row_text(row)


def row_text(row: Iterable[Any], digits: int = 12) -> str:
    """Return a row of numbers, in short.

    >>> row_text([0.5, 3.0])
    '(0.5, 3)'
    """
    row = list(row)
    more = ", .." if len(row) > LONGEST_ROW else ""
    return "(" + ", ".join(_number_text(v, digits) for v in row[:LONGEST_ROW]) + more + ")"


def _number_text(value: Number, digits: int = 12) -> str:
    """Return a number with so many digits; of another value its repr."""
    value = middle(value)
    return short_text(value, digits) if hasattr(value, "__float__") else repr(value)


def _penalty_text(C: VectorLike) -> str:
    """Return C, once if it is the same for all.

    >>> _penalty_text([0.5, 0.5]), _penalty_text([1.0, inf])
    ('0.5', '1, inf')
    """
    every = C if isinstance(C, list) else [C]
    some = every[:1] if len(set(map(repr, every))) == 1 else every
    words = list(map(_number_text, some))
    more = f" .. {len(words)} values" if len(words) > SHOWN_EXAMPLES else ""
    return ", ".join(words[:SHOWN_EXAMPLES]) + more


def _interval_text(low: Any, high: Any) -> str:
    """Return a number, or the two between which it may lie."""
    one, other = _exact_text(low), _exact_text(high)
    return one if one == other else f"from {one} to {other}"


def _exact_text(value: Any) -> str:
    """Return a fraction as it is if it is short, else rounded; of an interval the middle."""
    value = middle(value)
    text = str(value)
    return text if len(text) <= 12 else f"{float(value):.9g}"


def problem_words(name: str) -> list[str]:
    """Return paragraphs about a case that is shipped; none for another."""
    form, case = (place_of(name) or (None,))[0], find_case(name)
    if case is None:
        return []
    given = _given_words(case.given, form)
    return [case.comment, in_a_line(given)]
