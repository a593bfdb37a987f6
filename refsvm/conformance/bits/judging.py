"""Whether an answer is right, of a program that was asked or of a stream.

pass         every bit is right; or refused, where refsvm refuses
fail         with the first place that differs, and the section that orders it
not offered  where the answer says `unsupported`
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..protocol.plain_values import one_line
from .differences import first_difference
from .sections import section_of

PASS, FAIL, NOT_OFFERED = "pass", "fail", "not offered"
Document = dict[str, Any]


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
