"""The names of a run's failures: each wrong answer gets that of the bug which explains most.

reproduction.py finds the bugs. Here their names go to the records, and cases that were answered
rightly refute them.

    asked            the problems of wrong answers, and what each bug would answer
    answers          what an answer shows by itself
    reproduction     which bug, or pair of bugs, reproduces the answers of the run
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ..cases import Case
from ..protocol.plain_values import one_line
from ..protocol.records import Record
from .answers import Seen, Theory, of_itself
from .asked import AskedProblem, asked_about
from .reproduction import Name, names_of_run

MODEL_FLAGS = frozenset(
    [
        "HiddenScaling",
        "KernelParameters",
        "KernelFormula",
        "Cancellation",
        "Float32Rows",
        "RowsRounded",
        "DecisionsRounded",
        "FeatureIgnored",
        "BlockRemainder",
        "RadiusNotSquared",
        "SupportVectorsLost",
        "RhoNotDivided",
        "RegularisedOffset",
    ]
)
MOST_EXAMPLES = 32  # of a small problem
MOST_SAID = 3  # bugs that cannot be told apart
Cases = Mapping[str, Callable[[], Case]]


class WrongRecord(Record):
    """A Record of a failure, with the wrong answer, and what it says before that has a name."""

    seen: Seen
    plain: Record

    @classmethod
    def of(cls, record: Record, seen: Seen) -> WrongRecord:
        """Return the Record with what the answer shows by itself."""
        made = cls(*explained(record, of_itself(seen)))
        made.seen, made.plain = seen, record
        return made


def settle(records: Iterable[Record], cases: Cases | None = None) -> list[Record]:
    """Return the records with the names that the whole run gives to its wrong answers.

    Where it takes two bugs to explain a case, it has a record more, which names the second. The
    `cases` that were answered rightly refute the bugs that would show there.
    """
    records = list(records)
    wrong = {id(r.seen): r for r in reversed(records) if isinstance(r, WrongRecord)}
    seen = [r.seen for r in wrong.values()]
    chosen: dict[int, Name] = {}
    for name in names_of_run(seen, *_problems_of(records, cases or {})) if seen else ():
        chosen.update((id(seen[i]), name) for i in name.answers)
    settled: list[Record] = []
    for r in records:
        if not isinstance(r, WrongRecord):
            settled.append(r)
            continue
        name = chosen.get(id(r.seen))
        theory = of_itself(r.seen) if name is None else name.theory
        settled.append(explained(r.plain, theory, () if name is None else name.also))
        for bug in theory.bugs[1:]:
            if wrong[id(r.seen)] is r:
                second = explained(r.plain, Theory(bug.flag, bug.words, 0.0, (bug,)))
                check = "G3" if bug.stage == "offset" else r.check
                settled.append(second._replace(check=check))
    return settled


def explained(record: Record, theory: Theory, also: Iterable[Theory] = ()) -> Record:
    """Return a plain Record with the flag and the words of a theory, and of those like it.

    Decisions that are not those of the model as stated are explained by a bug of the kernel or of
    the features, and by no other.
    """
    if record.check == "G4" and theory.flag not in MODEL_FLAGS:
        return record
    words = _in_words(theory, also)
    reason = f"{record.reason}; {words}" if words else record.reason
    return record._replace(flag=theory.flag, reason=one_line(reason))


def _in_words(theory: Theory, also: Iterable[Theory]) -> str:
    """Return what a theory says, and those as likely that could not be told from it."""
    words = list(
        dict.fromkeys([theory.words, *(t.words for t in also if t.allows >= theory.allows)])
    )
    more = len(words) - MOST_SAID
    some = " or ".join(words[:MOST_SAID])
    return f"{some} or one of {more} more" if more > 0 else some


def _problems_of(
    records: Sequence[Record], cases: Cases
) -> tuple[Iterator[AskedProblem], Iterator[AskedProblem]]:
    """Return the problems of the cases in which nothing failed, and all small ones, when asked."""
    failed = {r.case for r in records if r.result == "fail"}
    right = {r.case for r in records if r.check == "G1" and r.result == "pass"} - failed
    asked = {r.case for r in records if r.check == "G1"}
    every = (asked_about(case()) for name, case in cases.items() if name in right)
    small = (
        asked_about(case())
        for name, case in cases.items()
        if name in asked and getattr(case().problem, "n", MOST_EXAMPLES + 1) <= MOST_EXAMPLES
    )
    return (a for a in every if a is not None), (a for a in small if a is not None)
