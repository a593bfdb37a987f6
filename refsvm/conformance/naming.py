"""The names of a run's failures: every wrong answer has the explanation that all agree on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from .agreement import agree
from .cases import Case
from .explanations import Diagnosis, Explanation
from .plain_values import one_line
from .records import Record
from .searching import RightAnswers, complete

MODEL_FLAGS = frozenset(
    [
        "HiddenScaling",
        "KernelParameters",
        "KernelFormula",
        "Cancellation",
        "Float32Rows",
        "FeatureIgnored",
        "BlockRemainder",
        "RadiusNotSquared",
        "SupportVectorsLost",
        "RhoNotDivided",
        "RegularisedOffset",
    ]
)


class DiagnosedRecord(Record):
    """A Record of a failure, with what may explain it, and what it says without that."""

    diagnosis: Diagnosis
    plain: Record

    @classmethod
    def of(cls, record: Record, diagnosis: Diagnosis) -> DiagnosedRecord:
        """Return the Record with the likeliest flag, seen alone."""
        made = cls(*explained(record, agree({0: diagnosis})[0]))
        made.diagnosis, made.plain = diagnosis, record
        return made


def settle(
    records: Iterable[Record], cases: Mapping[str, Callable[[], Case]] | None = None
) -> list[Record]:
    """Return the records with the flags that all of them agree on.

    Where it takes two bugs to explain a case, it has a record more, which names the second. The
    `cases` that were answered rightly count against the bugs that they do not have.
    """
    records = list(records)
    diagnosed = [r for r in records if isinstance(r, DiagnosedRecord)]
    right = RightAnswers(records, cases or {})
    found = complete({id(r.diagnosis): r.diagnosis for r in diagnosed}, right)
    chosen = agree(found, right.refute(found.values()))
    named = {id(r.diagnosis): r for r in reversed(diagnosed) if r.check in ("G3", "G1")}
    settled: list[Record] = []
    for r in records:
        if not isinstance(r, DiagnosedRecord):
            settled.append(r)
            continue
        x = chosen[id(r.diagnosis)]
        settled.append(explained(r.plain, x))
        if x.second is not None and named.get(id(r.diagnosis)) is r:
            second = explained(r.plain, x.second)
            settled.append(second._replace(check=_check_of(r, x.second)))
    return settled


def explained(record: Record, x: Explanation) -> Record:
    """Return a plain Record with the flag and the words of an Explanation.

    Decisions that are not those of the model as stated are explained by a bug of the kernel or of
    the features, and by no other.
    """
    if record.check == "G4" and x.flag not in MODEL_FLAGS:
        return record
    reason = f"{record.reason}; {x.why}" if x.why else record.reason
    return record._replace(flag=x.flag, reason=one_line(reason))


def _check_of(record: Record, second: Explanation) -> str:
    """Return the check that a second bug belongs to."""
    return "G3" if second.flag.startswith("Offset") else record.check
