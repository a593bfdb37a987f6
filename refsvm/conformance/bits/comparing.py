"""Hold answers to drawn questions against refsvm's: the first that is wrong, and how many are.

Each answer has the id of its question, from which the question is drawn anew. They must come in
their order, and end with the last number of the stream.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ..protocol.answer_reader import object_from_line
from ..protocol.plain_values import Malformed
from .drawing import parts_of, question_of
from .functions import ORACLE, answer_to
from .judging import FAIL, judged

Line = tuple[int, str]  # its number, its words


class Compared(NamedTuple):
    """What became of one answer: its id, pass, fail or not offered, and why."""

    id: str
    result: str
    reason: str = ""


def compared(lines: Iterable[Line], package: str = ORACLE) -> Iterator[Compared]:
    """Yield what becomes of each answer, and of those that are missing.

    Raises
    ------
    ValueError
        for a line that holds no answer to a drawn question

    Examples
    --------
    >>> answer = '{"id": "power 17 1/1", "value": "0x1.b000000000000p+1"}'
    >>> next(compared([(1, answer)]))
    Compared(id='power 17 1/1', result='pass', reason='')
    """
    before: tuple[str, int, int, int] | None = None
    for number, line in lines:
        answer = _answer_in(line, number)
        name = answer["id"]
        here = parts_of(name)
        if before is not None:
            if (*here[:2], here[3]) != (*before[:2], before[3]) or here[2] <= before[2]:
                raise ValueError(f"line {number}: {name} does not come after {_name(before)}")
            yield from _missing(before, here[2])
        question = question_of(name)
        kind = question["type"]
        found, why = judged(kind, answer_to(kind, question["given"], package), answer)
        yield Compared(name, found, why)
        before = here
    if before is not None:
        yield from _missing(before, before[3] + 1)


def _answer_in(line: str, number: int) -> dict[str, Any]:
    """Return the answer that a line holds, whose id is that of a question."""
    try:
        answer = object_from_line(line.encode())
        parts_of(answer.get("id"))
    except (Malformed, ValueError) as error:
        raise ValueError(f"line {number}: {error}") from None
    return answer


def _missing(before: tuple[str, int, int, int], until: int) -> Iterator[Compared]:
    """Yield those between an answer and the number of the next; of many, one for all."""
    kind, seed, number, last = before
    if number + 1 < until:
        name = _name((kind, seed, number + 1, last))
        more = f", nor have the next {until - number - 2}" if number + 2 < until else ""
        yield Compared(name, FAIL, f"it has no answer{more}")


def _name(parts: tuple[str, int, int, int]) -> str:
    """Return the id of a question."""
    kind, seed, number, last = parts
    return f"{kind} {seed} {number}/{last}"
