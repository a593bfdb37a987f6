"""Nothing new is here: pickles of refsvm 0.2 name this module, and this class."""

from __future__ import annotations

from typing import Any

from .verification import Optimum


class OptimumWithOffsets(Optimum):
    """What makes an Optimum of the fields that pickles of refsvm 0.2 have."""

    def __new__(cls, *fields: Any) -> Optimum:  # type: ignore[misc]
        return Optimum._make([*fields[:6], None, None, *fields[6:]])
