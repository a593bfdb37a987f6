"""One verdict on all wrong answers of a run: of each, the explanation that most others share.

A bug that is there explains every case in which it makes a difference; one that fits by accident
explains a few. So each explanation counts by how little it allows, times the share of the cases in
which it was tried and fitted, and the one that counts most is taken wherever it fits; what it does
not explain is left to the next. Explanations that say little (an answer that stopped somewhere, an
offset that is wrong somehow) come after all the others.

    tried    a case where the bug would have given another answer than the right one
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import TypeVar

from .cases import Case
from .diagnosis import diagnose, diagnose_right
from .explanations import EVERY, Diagnosis, Explanation, Wanted
from .plain_values import one_line
from .records import Record

SPECIFIC = 0.5  # the least weight of an explanation that is not vague
ACCIDENT = 0.12  # so large a share of the cases tried may fit by accident
DOUBT = 3  # cases that are added to those tried: one that fits is no rule
ROUNDS = 3  # in which some cases are looked at closely
MOST_WHOLE = 14  # of them in each round
MOST_LARGE = 3  # the same, where there are no small ones
MOST_LEADING = 4  # explanations of these that are tried on all others
LEAST = 8  # one of so many cases is to have an explanation that is tried on others
EACH = 6  # small cases of a kind that come first
FEW_EXAMPLES = 24  # of a small case
MODEL_FLAGS = frozenset(
    [
        "HiddenScaling",
        "KernelParameters",
        "KernelFormula",
        "Cancellation",
        "Float32Rows",
        "FeatureIgnored",
        "BlockRemainder",
        "RegularisedOffset",
    ]
)
MOST_RIGHT = 16  # right answers that are looked at
SMALL = 8  # examples of these
REFUTED: dict[str, frozenset[str]] = {}  # of each case, what is known of its right answer
Reader = Callable[[], Case]
Key = TypeVar("Key", bound=Hashable)


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


def agree(
    diagnoses: Mapping[Key, Diagnosis], refuted: Mapping[str, int] | None = None
) -> dict[Key, Explanation]:
    """Return the Explanation of each Diagnosis on which all of them agree best.

    refuted: how many right answers do not have a bug, of those that were looked at.
    """
    chosen: dict[Key, Explanation] = {}
    left = dict(diagnoses)
    while left:
        cause = best_cause(list(left.values()), refuted or {})
        for key, diagnosis in list(left.items()):
            fit = next((x for x in diagnosis.fits if x.identities == cause), None)
            if fit is not None:
                chosen[key] = fit
                del left[key]
    return chosen


def best_cause(diagnoses: Sequence[Diagnosis], refuted: Mapping[str, int]) -> tuple[str, ...]:
    """Return the identities of the Explanation that explains most of these."""
    fitted: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    counts: dict[tuple[str, ...], float] = {}
    heaviest: dict[tuple[str, ...], float] = {}
    for diagnosis in diagnoses:
        here = {x.identities: x for x in reversed(diagnosis.fits)}
        fitted.update({identity for identities in here for identity in identities})
        missed.update(diagnosis.missed)
        for identities, x in reversed(here.items()):
            counts[identities] = counts.get(identities, 0.0) + x.weight
            heaviest[identities] = max(heaviest.get(identities, 0.0), x.weight)

    def tried(i: str) -> float:
        return fitted[i] + missed[i] + refuted.get(i, 0) / 2 + DOUBT

    def share(identities: tuple[str, ...]) -> float:
        return min(fitted[i] / tried(i) for i in identities)

    def rank(identities: tuple[str, ...]) -> tuple[bool, float]:
        part, weight = share(identities), heaviest[identities]
        specific = weight >= SPECIFIC and part * weight >= ACCIDENT
        rejected = weight >= SPECIFIC and not specific
        return specific, -1.0 if rejected else counts[identities] * part

    return max(counts, key=rank)


# ---- the records of a run


def settle(records: Iterable[Record], cases: Mapping[str, Reader] | None = None) -> list[Record]:
    """Return the records with the flags that all of them agree on.

    Where it takes two bugs to explain a case, it has a record more, which names the second. The
    `cases` that were answered rightly count against the bugs that they do not have.
    """
    records = list(records)
    diagnosed = [r for r in records if isinstance(r, DiagnosedRecord)]
    diagnoses = {id(r.diagnosis): r.diagnosis for r in diagnosed}
    refuted = refuted_by(records, cases or {}) if diagnoses else Counter()
    chosen = agree(complete(diagnoses, refuted), refuted)
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
            settled.append(second._replace(check=check_of(r, x.second)))
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


def check_of(record: Record, second: Explanation) -> str:
    """Return the check that a second bug belongs to."""
    return "G3" if second.flag.startswith("Offset") else record.check


# ---- right answers


def refuted_by(records: Sequence[Record], cases: Mapping[str, Reader]) -> Counter[str]:
    """Return how many right answers do not have a bug, of a few with the kernels that failed.

    A bug that depends on the kernel is not refuted by another kernel.
    """
    failed = {record.case for record in records if record.result == "fail"}
    answered = {r.case for r in records if r.check == "G1" and r.result == "pass"} - failed
    kernels = {kernel_of(cases[name]) for name in failed if name in cases}
    small = [
        name
        for name in cases
        if name in answered and kernel_of(cases[name]) in kernels and is_small(cases[name])
    ]
    chosen = small[:: max(1, len(small) // MOST_RIGHT)][:MOST_RIGHT]
    found: Counter[str] = Counter()
    for name in chosen:
        if name not in REFUTED:
            REFUTED[name] = diagnose_right(cases[name]())
        found.update(REFUTED[name])
    return found


def kernel_of(read: Reader) -> object:
    """Return the kind of kernel of a case; None of what is no problem."""
    problem = read().problem
    return None if problem is None else type(problem.kernel)


def is_small(read: Reader) -> bool:
    """Return whether a case has few examples, and an optimum."""
    case = read()
    there = case.problem is not None and case.optimum is not None and case.optimum.farkas is None
    return there and case.problem is not None and 3 < case.problem.n <= SMALL


# ---- what takes long to find out


def complete(
    diagnoses: Mapping[Key, Diagnosis], refuted: Mapping[str, int]
) -> dict[Key, Diagnosis]:
    """Return the diagnoses with what takes long to find out.

    Of some cases everything is looked for; of the others what explains these. Then of some that
    are still without a name, and so on.
    """
    found = dict(diagnoses)
    left = in_turns(found)
    whole: dict[Key, Diagnosis] = {key: d for key, d in found.items() if d.postponed is None}
    searched: set[str] = set()
    for _ in range(ROUNDS):
        small = [key for key in left if place_of(found[key])[0] <= FEW_EXAMPLES]
        close = small[:MOST_WHOLE] or left[:MOST_LARGE]
        if not close:
            break
        for key in close:
            whole[key] = found[key] = search(found[key], EVERY)
        left = [key for key in left if key not in whole]
        votes = Counter(i for x in agree(whole, refuted).values() for i in x.identities)
        leading = [i for i, n in votes.most_common(MOST_LEADING) if n * LEAST >= len(whole)]
        if not searched.issuperset(leading):
            searched.update(leading)
            for key in left:
                if not has_fit(found[key], leading[0]):
                    found[key] = search(found[key], Wanted(searched))
        chosen = agree(found, refuted)
        left = [key for key in left if chosen[key].weight < SPECIFIC]
    return found


def in_turns(diagnoses: Mapping[Key, Diagnosis]) -> list[Key]:
    """Return the diagnoses that are not complete: by turns one of each kind, small ones first.

    The order of the run does not matter.
    """
    there = [key for key, d in diagnoses.items() if is_postponed(d)]
    kinds: dict[object, list[Key]] = {}
    large: list[Key] = []
    for key in sorted(there, key=lambda key: place_of(diagnoses[key])):
        is_small = place_of(diagnoses[key])[0] <= FEW_EXAMPLES
        (kinds.setdefault(kind_of(diagnoses[key]), []) if is_small else large).append(key)
    turns = zip_longest(*map(spread, kinds.values()))
    return [*(key for turn in turns for key in turn if key is not None), *large]


def spread(keys: Sequence[Key]) -> list[Key]:
    """Return the keys in another order, so that the first few are of all sizes."""
    step = max(1, len(keys) // EACH)
    return [key for start in range(step) for key in keys[(start + step // 2) % step :: step]]


def is_postponed(diagnosis: Diagnosis) -> bool:
    """Return whether something was not looked for yet."""
    return diagnosis.postponed is not None


def kind_of(diagnosis: Diagnosis) -> object:
    """Return what decides which bugs show: the kernel, whether weights differ, what is told."""
    e = diagnosis.postponed
    if e is None:
        return None
    problem = e.truth.problem
    weights = len(set(problem.C)) > 1
    return type(problem.kernel), weights, problem.bias, problem.slack, diagnosis.relation is None


def place_of(diagnosis: Diagnosis) -> tuple[int, int, str]:
    """Return the numbers of examples and of features, and the name of the request."""
    e = diagnosis.postponed
    return (0, 0, "") if e is None else (e.truth.problem.n, len(e.request.X[0]), e.request.id)


def has_fit(diagnosis: Diagnosis, identity: str) -> bool:
    """Return whether an Explanation by one bug is known to fit."""
    return any(x.identities == (identity,) for x in diagnosis.fits)


def search(diagnosis: Diagnosis, wanted: Wanted) -> Diagnosis:
    """Return the Diagnosis with what was postponed, as far as it is wanted."""
    e = diagnosis.postponed
    return diagnosis if e is None else diagnose(e, wanted, diagnosis.relation)
