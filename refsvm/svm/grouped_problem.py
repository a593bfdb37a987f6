"""Nothing new is here: pickles of format 1 name this module, and these classes."""

from __future__ import annotations

from typing import Any

from .model import OffsetInterval as OffsetInterval
from .model import Solution


class SolutionWithOffsets(Solution):
    """What makes a Solution of the fields that pickles of format 1 have."""

    def __new__(cls, *fields: Any) -> Solution:  # type: ignore[misc]
        solution = tuple.__new__(Solution, fields[:-1])
        solution.offsets = fields[-1]
        return solution
