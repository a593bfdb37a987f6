"""The names of a run's failures: each wrong answer gets that of a bug that foretells answers.

prediction.py finds the bugs. Here their names go to the records.

    asked         the problems of wrong answers, others like them, and what each bug would answer
    answers       what an answer tells, and what it shows by itself
    prediction    which bugs foretell what it answers
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from ..cases import Case
from ..protocol.plain_values import one_line
from ..protocol.records import Record
from .answers import Seen, Theory, of_itself
from .asked import AskedProblem, asked_about
from .prediction import LEAST, MOST_SAID, Name, names_of_run

OF_OPTIMUM = ("G1", "G2", "G3")
MOST_ASKED, MOST_LEFT = 12, 2  # cases that are asked alone, and that are wrong there, too
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


def settle(records: Iterable[Record], auditor: Any) -> list[Record]:
    """Return the records with the names that the whole run gives to its wrong answers.

    What was kept from other problems comes first: it makes any answer. Where it takes two bugs to
    explain a case, it has a record more, which names the second.
    """
    records = _with_what_was_kept(list(records), auditor.is_right_alone)
    wrong = {id(r.seen): r for r in reversed(records) if isinstance(r, WrongRecord)}
    seen = [r.seen for r in wrong.values()]
    chosen: dict[int, Name] = {}
    right = _right_problems(records, auditor.cases)
    for name in names_of_run(seen, right, auditor.ask_afresh) if seen else ():
        chosen.update((id(seen[i]), name) for i in name.answers if id(seen[i]) not in chosen)
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
                second = explained(r.plain, Theory(bug.flag, bug.words, (bug,)))
                check = "G3" if bug.stage == "offset" else r.check
                settled.append(second._replace(check=check))
    return settled


def _with_what_was_kept(
    records: list[Record], is_right_alone: Callable[[str], bool]
) -> list[Record]:
    """Return the records; those of cases that are answered rightly alone are StateKept."""
    of_optimum = (r for r in records if isinstance(r, WrongRecord) and r.check in OF_OPTIMUM)
    wrong = dict.fromkeys(r.case for r in of_optimum)
    kept: set[str] = set()
    for k, name in enumerate(islice(wrong, MOST_ASKED)):
        if k - len(kept) >= MOST_LEFT or len(wrong) < LEAST:
            break
        if is_right_alone(name):
            kept.add(name)
    if len(kept) < LEAST:
        return records
    return [_kept(r) if isinstance(r, WrongRecord) and r.case in kept else r for r in records]


def _kept(r: WrongRecord) -> Record:
    """Return a failure of which another problem is the cause."""
    why = "; asked alone it is right, and after others it is not"
    return r.plain._replace(flag="StateKept", reason=r.plain.reason + why)


def explained(record: Record, theory: Theory, also: Iterable[Theory] = ()) -> Record:
    """Return a plain Record with the flag and the words of a theory, and of those like it.

    Decisions that are not those of the model as stated are explained by a bug, and by no fact.
    """
    if record.check == "G4" and not theory.bugs:
        return record
    words = _in_words(theory, also)
    reason = f"{record.reason}; {words}" if words else record.reason
    return record._replace(flag=theory.flag, reason=one_line(reason))


def _in_words(theory: Theory, also: Iterable[Theory]) -> str:
    """Return what a theory says, and one that nothing asked tells apart from it."""
    return " or ".join(list(dict.fromkeys([theory.words, *(t.words for t in also)]))[:MOST_SAID])


def _right_problems(records: Sequence[Record], cases: Cases) -> Iterator[AskedProblem]:
    """Yield the problems of the cases in which nothing failed."""
    failed = {r.case for r in records if r.result == "fail"}
    right = {r.case for r in records if r.check == "G1" and r.result == "pass"} - failed
    every = (asked_about(case()) for name, case in cases.items() if name in right)
    yield from (a for a in every if a is not None)
