"""Whether an answer is right, of a program that was asked or of a stream.

pass         every bit is right; or refused, where refsvm refuses
fail         with the first place that differs, and the section that orders it
not offered  where the answer says `unsupported`

Numbers are compared by their bits: no two zeros are one, and every NaN is one. How a double is
spelled does not matter, nor do fields that were not asked for.

Each answer of a stream has the id of its question, from which the question is drawn anew. They
must come in their order, and end with the last number of the stream.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ...numerics.quoting import quote
from ..protocol.answer_reader import object_from_line
from ..protocol.plain_values import Malformed, one_line
from .drawing import parts_of, question_of
from .functions import ORACLE, answer_to, is_double
from .sections import section_of

PASS, FAIL, NOT_OFFERED = "pass", "fail", "not offered"
Document = dict[str, Any]
Line = tuple[int, str]  # its number, its words


def judged(kind: str, right: Document, said: Document) -> tuple[str, str]:
    """Return what becomes of an answer of a type, and why.

    >>> judged("exp", {"value": "0x1p+0"}, {"value": "0x1p+1"})
    ('fail', "value is '0x1p+1'; '0x1p+0' is right (S1.3)")
    >>> judged("smo", {"refused": "X"}, {"refused": "it overflows"})
    ('pass', '')
    """
    if said.get("unsupported") is not None:
        return NOT_OFFERED, one_line(str(said["unsupported"]))
    if "refused" in right:
        why = one_line(right["refused"])
        return (PASS, "") if said.get("refused") is not None else (FAIL, f"to be refused: {why}")
    if said.get("refused") is not None:
        return FAIL, one_line(f"refused: {said['refused']}")
    found = first_difference(right, said)
    return (PASS, "") if found is None else (FAIL, f"{found} ({section_of(kind, found.place)})")


def complaint(results: Iterable[tuple[str, str]]) -> str | None:
    """Return a sentence if fewer than half of what is offered was answered.

    results: pass, fail or not offered, and why; what a program did not offer at all has no reason
    """
    offered = [result for result, why in results if result != NOT_OFFERED or why]
    left = offered.count(NOT_OFFERED)
    if not offered:
        return "the program offers nothing of what was to be asked"
    if 2 * left > len(offered):
        return f"{left} of {len(offered)} questions of types on offer are called unsupported"
    return None


class Difference(NamedTuple):
    """Where an answer differs, and from what."""

    place: str
    right: Any
    said: Any

    def __str__(self) -> str:
        said = "is missing" if self.said is MISSING else f"is {quote(self.said)}"
        return f"{self.place} {said}; {quote(self.right)} is right"


MISSING = object()  # in the place of a field that is not there


def first_difference(right: Any, said: Any, place: str = "") -> Difference | None:
    """Return the first place where what was said is not right; None if all of it is.

    Parameters
    ----------
    right, said : JSON
        of the right one every field is asked for, in its order
    place : str
        of both in the answer

    Examples
    --------
    >>> right = {"steps": [{"i": 1, "t": "0x1.8000000000000p+0"}], "b": "-0x0.0p+0"}
    >>> first_difference(right, {"b": "-0x0p+0", "steps": [{"t": "0x3p-1", "i": 1}], "extra": 1})
    >>> print(first_difference(right, {"b": "0x0p+0", "steps": [{"t": "0x3p-1", "i": 1}]}))
    b is '0x0p+0'; '-0x0.0p+0' is right
    >>> print(first_difference(right, {"steps": [{"t": "0x3p-1"}]}))
    steps[0].i is missing; 1 is right
    """
    if isinstance(right, dict) and isinstance(said, dict):
        parts = [(f"{place}.{key}".lstrip("."), key) for key in right]
        pairs = [(where, right[key], said.get(key, MISSING)) for where, key in parts]
        return _first_of(pairs)
    if isinstance(right, list) and isinstance(said, list):
        pairs = [(f"{place}[{k}]", *pair) for k, pair in enumerate(zip(right, said))]
        length = Difference(f"the length of {place or 'it'}", len(right), len(said))
        return _first_of(pairs) or (length if len(right) != len(said) else None)
    return None if _is_same(right, said) else Difference(place or "it", right, said)


def _first_of(pairs: list[tuple[str, Any, Any]]) -> Difference | None:
    """Return the first difference of several places."""
    found = (first_difference(right, said, place) for place, right, said in pairs)
    return next((difference for difference in found if difference is not None), None)


def _is_same(right: Any, said: Any) -> bool:
    """Return whether a number, word or truth value is another."""
    if is_double(right):
        return is_double(said) and float.fromhex(right).hex() == float.fromhex(said).hex()
    if isinstance(right, bool) or isinstance(said, bool):
        return right is said
    return bool(right == said)  # 3 is 3.0


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
