"""Ask a program for the bits that the vectors state, and say by section what it answered.

    questions    what the vectors ask, of some sections and types
    conform      asks a program, and returns a Result for each
    Result       pass, fail, or not offered; of a failure, the first field that differs

It is asked as the audit asks (asking/): by lines, in a process of its own, with deadlines and
limits. Of a type that came too late MOST_LATE times nothing more is asked.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import cache
from typing import Any, NamedTuple, Union

from ...numerics.quoting import markup, quote
from ..asking.workers import Isolated, NotAsked, Unanswered
from ..cases import text_of_file
from ..protocol.answer_reader import object_from_line
from ..protocol.plain_values import Malformed
from ..subjects import CommandLine, words_of
from .digests import digests_of
from .judging import FAIL, NOT_OFFERED, PASS, judged
from .sections import is_within

FILES = (
    "arithmetic",
    "kernels",
    "conditions",
    "solvers",
    "machine_solvers",
    "learners",
    "probabilities",
    "tables",
    "digests",
)
DIGESTS = "digests"
MOST_LATE = 3
FAULTS = {"died": "it died", "late": "it is late", "malformed": "no answer"}
Document = dict[str, Any]
OnResult = Union[Callable[["Result"], Any], None]


class BitQuestion(NamedTuple):
    """What a test asks, and what is right."""

    id: str
    type: str
    section: str
    given: Document
    right: Document
    by_digest: bool = False


class Result(NamedTuple):
    """What became of a question; reason is a sentence, unless it passed."""

    question: BitQuestion
    result: str
    reason: str = ""


def questions(sections: Sequence[str] = (), types: Sequence[str] = ()) -> list[BitQuestion]:
    """Return what the vectors ask: of these sections and types; of all if none is given."""
    return [
        question
        for question in _every_question()
        if (not types or question.type in types)
        and (not sections or any(_is_of(question, one) for one in sections))
    ]


def _is_of(question: BitQuestion, section: str) -> bool:
    """Return whether a question is of a section, or of the whole chapter that it belongs to."""
    return is_within(question.section, section) or is_within(section, question.section)


@cache
def _every_question() -> list[BitQuestion]:
    """Return all that the vectors ask for bits."""
    return [
        BitQuestion(
            test["name"], group["type"], test["section"], test["given"], test["answer"],
            name == DIGESTS,
        )
        for name in FILES
        for group in json.loads(text_of_file(name))["testGroups"]
        for test in group["tests"]
    ]  # fmt: skip


def conform(
    program: str, asked: Sequence[BitQuestion], deadline: float, on_result: OnResult = None
) -> list[Result]:
    """Ask a program; return what became of each question.

    Raises
    ------
    ValueError
        if there is no such program, or it cannot say what it offers
    """
    with closing(Isolated(CommandLine(words_of(program)), deadline)) as process:
        offered, late = _offers(process), Counter[str]()
        results = []
        for question in asked:
            if question.type not in offered:
                result = Result(question, NOT_OFFERED)
            elif late[question.type] == MOST_LATE:
                result = Result(question, FAIL, "not asked: others of its type came too late")
            else:
                answer = _answer(process, question.id, question.type, question.given)
                late[question.type] += answer.get("fault") == "late"
                result = _judged(question, answer)
            results.append(result)
            if on_result is not None:
                on_result(result)
    return results


def _offers(process: Isolated) -> set[str]:
    """Return the types that a program offers."""
    answer = _answer(process, "offers", "offers", {})
    offered = answer.get("offers")
    if isinstance(offered, list) and all(isinstance(word, str) for word in offered):
        return set(offered)
    said = answer.get("why") or f"it says {quote(answer)}"
    raise ValueError(f"{process.subject.name} does not say what it offers: {said}")


def _answer(process: Isolated, name: str, kind: str, given: Document) -> Document:
    """Return the answer to a question of this name; or {fault, why}, where none came."""

    def read(said: bytes) -> Document:
        answer = object_from_line(said)
        if answer.get("id") != name:
            raise Malformed(f"its id is {quote(answer.get('id'))}; {quote(name)} was asked")
        return answer

    try:
        return process.ask_line(json.dumps({"id": name, "type": kind, "given": given}), read)
    except NotAsked as error:
        return {"fault": "died", "why": str(error)}
    except Unanswered as error:
        return {"fault": error.kind, "why": str(error)}


def _judged(question: BitQuestion, answer: Document) -> Result:
    """Return whether an answer is right."""
    if "fault" in answer:
        return Result(question, FAIL, f"{FAULTS[answer['fault']]}: {answer['why']}")
    if question.by_digest and not {"unsupported", "refused"} & {*answer}:
        answer = digests_of(answer)
    return Result(question, *judged(question.type, question.right, answer))


def junit(program: str, results: Sequence[Result]) -> str:
    """Return results as JUnit's XML: a suite for each section, tests not offered as skipped."""
    sections = dict.fromkeys(result.question.section for result in results)
    suites = [_suite(s, [r for r in results if r.question.section == s]) for s in sections]
    head = '<?xml version="1.0" encoding="utf-8"?>\n'
    return f'{head}<testsuites name="{markup(program)}">\n{"".join(suites)}</testsuites>\n'


def _suite(section: str, results: list[Result]) -> str:
    """Return the suite of a section."""
    counts = Counter(result.result for result in results)
    cases = "".join(map(_case, results))
    return (
        f'<testsuite name="{section}" tests="{len(results)}" failures="{counts[FAIL]}"'
        f' skipped="{counts[NOT_OFFERED]}">\n{cases}</testsuite>\n'
    )


def _case(result: Result) -> str:
    """Return the element of one test."""
    question = result.question
    inside = {
        PASS: "",
        FAIL: f'<failure message="{markup(result.reason)}"/>',
        NOT_OFFERED: "<skipped/>",
    }[result.result]
    names = f'classname="{markup(question.type)}" name="{markup(question.id)}"'
    return f"<testcase {names}>{inside}</testcase>\n"
