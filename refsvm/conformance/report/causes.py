"""The verdict over a whole audit: which causes explain its failures.

A failing case has one failing record or more, each with the flag of the bug that it shows. The
cause that explains most cases is said first; the others explain what it does not. What a user of
the program would see of a bug is a sentence for each kind: that of the catalogue, or one below.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from ...numerics.display import displayed
from ..cases.flags import BUGS, FLAGS
from ..protocol.records import Record
from ..wrong import CATALOGUE

# The same subject was asked twice, or looked at: that needs no guess, and much follows from it.
SURE = ("InputChanged", "StateKept", "BatchDependence", "RoundTrip", "Threads")
OF_RELATIONS = ("G6", "G7", "G9")  # checks
# What is seen of an answer or of two, and may have many causes.
SYMPTOMS = ("ExampleOrder", "Duplicates", "ZeroColumn", "Scale", "Translation", "Rotation")
NAMELESS, CLAIM = "Wrong", "FalseConvergence"  # these say nothing of what is wrong
READ_OFF = ("Offset", "Length", "NothingLearnt", "AlphaOutside", "AlphaUnbalanced")
FACTS = (NAMELESS, CLAIM, *READ_OFF)
MAX_BY_ACCIDENT = 2  # cases that a cause may explain by accident


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

    What a relation shows that needs no guess comes first, however few its cases are; then bugs
    that explain several cases, half as many as facts do, and more than are all one number; then
    what is seen of answers, then relations that are broken.

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
    failures = failures_of(records)
    failed: dict[str, dict[str, None]] = {}  # {flag: its cases, in order}
    for record in failures:
        failed.setdefault(record.flag or "Wrong", {})[record.case] = None
    first = _first_checks(failures)
    main = Counter(flag for flag, cases in failed.items() for case in cases if flag in first[case])
    sure = {r.flag for r in failures if r.flag in SURE and r.check in OF_RELATIONS}

    most = max(main[flag] for flag in READ_OFF)

    def place(flag: str) -> tuple[Any, ...]:
        if flag in sure:
            behind = 0
        elif flag in SYMPTOMS or not main[flag]:
            behind = 3
        else:
            enough = max(MAX_BY_ACCIDENT, most // 2, main["NothingLearnt"])  # any bug is flat
            behind = 1 if main[flag] > enough and flag not in FACTS else 2
        return behind, -main[flag], -len(failed[flag]), flag in FACTS, flag == NAMELESS

    by_size = sorted(failed, key=place)
    failing = len(first)
    causes = [Cause(flag, _words_for(flag), len(failed[flag]), failing, []) for flag in by_size]
    return causes[0]._replace(others=causes[1:]) if causes else None


def failures_of(records: Iterable[Record]) -> list[Record]:
    """Return the records that are failures."""
    return [record for record in records if record.result == "fail"]


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


def _words_for(flag: str) -> str:
    """Return what a flag means, in words."""
    if flag in BUGS:
        return BUGS[flag]
    words = FLAGS[flag].description.rstrip(".")
    return f"it takes what it must refuse: {words}" if flag.startswith("Reject") else words


WHOLE = "Its models are not the best for their data, and nothing tells so: rows get wrong labels."
EFFECTS = {  # of flags of which the catalogue has no sentence, or several
    "SupportVectorsLost BlockRemainder": "Part of the data is not used, or used wrongly: on small"
    " or even data it does not show, and on data of another size the labels are wrong.",
    "FarRows": "Rows unlike those of the training are decided without regard to their features.",
    "GammaScale": "The model is that of another kernel: parameters that were found with another"
    " program, or in a text, give other results here.",
    "ClassWeight ZeroWeight": "Weights do not do what was asked: classes or examples count too"
    " much or too little.",
    "Float32Rows AbsoluteThreshold": "Data with large numbers (years, prices, time stamps, a C of"
    " a million) lose the digits that tell rows apart: the model is wrong there, and right on data"
    " near 0.",
    "StoppedEarly FlatPairSkipped NotConverged NotSaid FalseConvergence ToleranceBroken"
    " ToleranceScaled Settings": "Training ends before the best model is found: the model depends"
    " on the order of the examples and on settings that should not matter.",
    "ExampleOrder Duplicates ZeroColumn Scale Translation Rotation": "The same data in another"
    " order, origin or unit give another model: results cannot be reproduced.",
    "Refused SparseRows InputChanged RejectOneClass RejectNotFinite RejectPenalty RejectWeight"
    " RejectShape RejectLabel RejectUnknown RejectParameter RejectAsymmetric": "Data that its"
    " users have are refused or mistaken, or mistakes in data go unnoticed.",
    "WarmStart Threads RoundTrip": "What it answers depends on more than the model and the row,"
    " such as earlier fits, threads or a file: results cannot be reproduced.",
    "SupportIndices Attributes DecisionArithmetic AlphaOutside AlphaUnbalanced AlphaSum RhoWrong"
    " EpsilonWrong": "What it says of its model is not the model: who reads the support vectors,"
    " the weights or the labels from it computes something else.",
    "AbsoluteTolerance TargetScale TargetShift TargetSign": "Data in other units (thousandths,"
    " millions) give another model, or none at all, and no warning: every row gets the same value,"
    " or is an outlier.",
    "BoundarySign BoundaryOutliers": "Rows of the training are called outliers that are none:"
    " false alarms.",
    "NuAtLimit Degenerate SumTooLarge": "A model is returned where there is none, and its numbers"
    " mean nothing.",
    "Hang": "A program that calls it waits ten times as long as usual, or more, if not for ever.",
    "Exit Crash": "A program that calls it ends with it, or must be ready for that.",
    "NoAnswer NotFinite": "A program that calls it cannot read its answer, or goes on with numbers"
    " that are none.",
}
OF_FLAGS = {
    **{bug.flag: bug.effect for bug in reversed(CATALOGUE)},
    **{flag: effect for flags, effect in EFFECTS.items() for flag in flags.split()},
}


def effect_of(flag: str) -> str:
    """Return why a bug matters, in a sentence.

    >>> effect_of("Hang")
    'A program that calls it waits ten times as long as usual, or more, if not for ever.'
    """
    return OF_FLAGS.get(flag, WHOLE)
