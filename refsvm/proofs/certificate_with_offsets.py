"""Nothing new is here: pickles of format 1 name this module, and this function."""

from __future__ import annotations

from typing import Any

from .certificate import Certificate, certify


def certify_with_offsets(problem: Any, alpha: Any, offsets: Any) -> Certificate:
    """What makes a Certificate of the arguments that pickles of format 1 have."""
    return certify(problem, alpha, *offsets)
