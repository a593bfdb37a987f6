"""Records: what each check found in each case, as audit() returns them."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from ...numerics.display import displayed

NOT_OFFERED, NOT_ASKED = "not on offer", "not asked"  # how a reason begins
STOPPED = "stopped at its limit"  # the same, of what says that it did: there it has no answer
NOT_JUDGED = "not judged, as in"  # of what repeats an earlier failure
UNASKED = (NOT_OFFERED, NOT_ASKED, STOPPED)


@displayed
class Record(NamedTuple):
    """What one check found in one case.

    Parameters
    ----------
    case, check : str
        names, such as "C02" and "G3"
    result : str
        "pass"; "fail"; "acceptable": not what was asked for, but no mistake either; "not judged":
        as an earlier failure; "not asked": as the subject could not be, or was given up
    gap : Fraction or None
        the primal value at the answer less the optimum; None if unknown
    worst_x : list of floats, or None
        the row where the answer is worst
    flag : str or None
        of a failure, the kind of bug: a key of BUGS or of FLAGS in conformance.cases.flags
    reason : str
        a sentence
    """

    case: str
    check: str
    result: str
    gap: Fraction | None
    worst_x: list[float] | None
    flag: str | None
    reason: str


def was_asked(record: Record) -> bool:
    """Return whether the subject was asked what the record is about, and did not stop before."""
    return not record.reason.startswith(UNASKED)
