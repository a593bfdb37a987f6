"""The verdict over a whole audit: which causes explain its failures.

A failing case has one failing record or more, each with the flag of the bug that it shows. The
cause that explains most cases is said first; the others explain what it does not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ..numerics.display import displayed
from .cases.flags import BUGS, FLAGS

if TYPE_CHECKING:
    from .audit import Record

VAGUE = ("StoppedEarly", "Wrong")  # they say little: any bug of a solver or a kernel may look so
# Relations between two answers: that one is broken tells that one of them is wrong, and not why.
SYMPTOMS = ("ExampleOrder", "Duplicates", "ZeroColumn", "Scale", "Translation", "Rotation")
SEVERAL = 5  # so many cases of a symptom count as one of a vague cause
SPECIFIC = 3  # a case of another cause counts as so many of these, if it is more than an accident
ACCIDENT = 2  # cases that a cause may explain by accident


@displayed
class Cause(NamedTuple):
    """What explains failures of an audit.

    Parameters
    ----------
    flag : str
        a key of BUGS or of FLAGS in conformance.cases.flags
    sentence : str
        what it is, in words
    explained : int
        the number of failing cases that have this flag
    failing : int
        the number of failing cases
    others : list of Cause
        for what this one does not explain; theirs are empty
    """

    flag: str
    sentence: str
    explained: int
    failing: int
    others: list[Cause]


def cause_of(records: Iterable[Record]) -> Cause | None:
    """Return the Cause that explains most of the failing cases, with the others behind it.

    Parameters
    ----------
    records : as audit returns them

    Returns
    -------
    Cause or None
        None if nothing failed

    Examples
    --------
    >>> from refsvm import audit, smo
    >>> def without_offset(problem):
    ...     return {"alpha": smo(problem, tol=1e-9).alpha, "b": 0.0}
    >>> cause = cause_of(audit(without_offset, isolate=False, names=["C01", "C02", "C04"]))
    >>> cause.flag, cause.sentence, cause.explained, cause.failing
    ('OffsetMissing', 'b is 0, or left out', 2, 2)
    """
    failures = [record for record in records if record.result == "fail"]
    failed: dict[str, dict[str, None]] = {}  # {flag: its cases, in order}
    for record in failures:
        failed.setdefault(record.flag or "Wrong", {})[record.case] = None
    first = _first_checks(failures)
    main = Counter(flag for flag, cases in failed.items() for case in cases if flag in first[case])
    by_size = sorted(
        failed, key=lambda flag: (-_weight_of(flag, main), -len(failed[flag]), flag in VAGUE)
    )
    failing = len(first)
    causes = [Cause(flag, words_for(flag), len(failed[flag]), failing, []) for flag in by_size]
    return causes[0]._replace(others=causes[1:]) if causes else None


def _weight_of(flag: str, cases: Mapping[str, int]) -> float:
    """Return the number of cases of a flag, in cases of a vague one."""
    n = cases[flag]
    if flag in SYMPTOMS:
        return n / SEVERAL
    return n if flag in VAGUE else max(n, SPECIFIC * (n - ACCIDENT))


def _first_checks(failures: Iterable[Record]) -> dict[str, set[str]]:
    """Return {case: flags of the first check that failed}; what later checks find may follow."""
    checks: dict[str, tuple[str, set[str]]] = {}
    for record in failures:
        check, flags = checks.get(record.case, (record.check, set()))
        if record.check < check:
            check, flags = record.check, set()
        if record.check == check:
            flags.add(record.flag or "Wrong")
        checks[record.case] = check, flags
    return {case: flags for case, (_, flags) in checks.items()}


def words_for(flag: str) -> str:
    """Return what a flag means, in words."""
    return BUGS[flag] if flag in BUGS else FLAGS[flag].description
