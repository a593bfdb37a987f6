"""Digests of the answer of a solver: of steps, alpha, offsets and values, each apart.

A digest is the SHA-256 of numbers as eight bytes each, the least significant first, after adding 0
so that no zero has a sign; integers are numbers, too.

    steps      of each step its fields, in the order of STEP
    alpha      the multipliers
    offsets    b, b_low, b_high; of other machines then value, low and high of each offset
    values     objective, gap, violation
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from struct import pack
from typing import Any

STEP = ("iteration", "i", "j", "low", "high", "unclipped", "clipped", "violation", "objective")
OFFSET = ("value", "low", "high")
MISFORMED = (KeyError, TypeError, ValueError, AttributeError, OverflowError)


def digests_of(answer: dict[str, Any]) -> dict[str, Any]:
    """Return status, iterations and the digests of an answer as JSON, as far as it has them.

    >>> answer = {"status": "optimal", "iterations": 0, "steps": [], "alpha": ["-0x0.0p+0"]}
    >>> digests_of(answer)["alpha"] == digests_of({"alpha": ["0x0.0p+0"]})["alpha"]
    True
    >>> digests_of({"alpha": "nothing", "status": "optimal"})
    {'status': 'optimal'}
    """
    found: dict[str, Any] = {key: answer[key] for key in ("status", "iterations") if key in answer}
    for key, numbers in (
        ("steps", lambda: [step[name] for step in answer["steps"] for name in STEP]),
        ("alpha", lambda: answer["alpha"]),
        ("offsets", lambda: list(_offsets(answer))),
        ("values", lambda: [answer[name] for name in ("objective", "gap", "violation")]),
    ):
        try:
            found[key] = _digest(numbers())
        except MISFORMED:  # it is not there, or is no such list
            continue
    return found


def _offsets(answer: dict[str, Any]) -> Iterable[Any]:
    """Yield the offsets and their ends."""
    yield from (answer[name] for name in ("b", "b_low", "b_high"))
    for offset in answer.get("offsets", {}).values():
        yield from (offset[name] for name in OFFSET)


def _digest(numbers: list[Any]) -> str:
    """Return the digest of numbers: doubles as strings, and integers."""
    doubles = [float.fromhex(v) if isinstance(v, str) else float(v) for v in numbers]
    return sha256(pack(f"<{len(doubles)}d", *(v + 0.0 for v in doubles))).hexdigest()
