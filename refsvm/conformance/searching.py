"""Which wrong answers of a run are looked at closely, and what is looked for in the others.

To hold an answer against every known bug takes up to a second, and a run may have hundreds that
are wrong. So some are looked at closely, small ones of each kind first; a bug that these do not
have is dropped for the run, and the others are asked only about what explains them. Then some that
are still without a name are looked at, and so on. All this is decided by counts, never by a clock.

    left    wrong answers that were not looked at closely, and have no name yet
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest

from ..svm.problem import Problem
from .agreement import SPECIFIC, Key, agree
from .cases import Case
from .diagnosis import is_flat, missed_by_right, right_evidence, search
from .explanations import Decisions, Diagnosis, Wanted
from .machine_diagnosis import missed_by_right_machine
from .records import Record
from .truth import Evidence
from .wrong_decisions import decisions_are_the_models

ROUNDS = 3  # in which some cases are looked at closely
MOST_WHOLE = 14  # of them in each round
MOST_LARGE = 3  # the same, where there are no small ones
MOST_FLAT = 2  # the same, where all decisions are the same number
MOST_LEADING = 4  # explanations of these that are tried on all others
LEAST = 8  # one of so many cases is to have an explanation that is tried on others
EACH = 6  # small cases of a kind that come first
FEW_EXAMPLES = 24  # of a small case
ENOUGH = 6  # cases that do not have a bug, for each that has it and one more, drop it
LARGE = 3  # a large case counts as so many
MOST_RIGHT = 16  # right answers that are looked at
SMALL = 8  # examples of these
Reader = Callable[[], Case]


class Tally:
    """How often each explanation fitted and did not, in the cases looked at closely."""

    def __init__(self) -> None:
        self.fitted: Counter[str] = Counter()
        self.missed: Counter[str] = Counter()

    def add(self, diagnosis: Diagnosis) -> None:
        """Count what fits, and what does not."""
        times = LARGE if place_of(diagnosis)[0] > FEW_EXAMPLES else 1
        fitted = {identity for x in diagnosis.fits for identity in x.identities}
        self.fitted.update(dict.fromkeys(fitted, times))
        self.missed.update(dict.fromkeys(diagnosis.missed, times))

    def wanted(self) -> Wanted:
        """Return what is to be looked for: everything but what was missed too often."""
        dropped = {i for i, n in self.missed.items() if n >= ENOUGH * (1 + self.fitted[i])}
        return Wanted(dropped=dropped)


def complete(diagnoses: Mapping[Key, Diagnosis], right: RightAnswers) -> dict[Key, Diagnosis]:
    """Return the diagnoses with what takes long to find out, as far as the run needs it."""
    found = dict(diagnoses)
    left = in_turns(found)
    whole: dict[Key, Diagnosis] = {key: d for key, d in found.items() if d.postponed is None}
    tally, searched = Tally(), set[str]()
    for _ in range(ROUNDS):
        close = next_close(found, left)
        if not close:
            break
        for key in close:
            whole[key] = found[key] = search(found[key], tally.wanted())
            tally.add(found[key])
        left = [key for key in left if key not in whole]
        leading = _leading_explanations(whole, right)
        newest = _usual_explanations([whole[key] for key in close])
        new = {*leading, *newest} - searched
        searched |= new
        for key in left:
            if new and not _has_fit(found[key], leading[0]):
                found[key] = search(found[key], Wanted(new))
        chosen = agree(found, right.refute(found.values()))
        left = [key for key in left if chosen[key].weight < SPECIFIC]
    return found


def next_close(found: Mapping[Key, Diagnosis], left: Sequence[Key]) -> list[Key]:
    """Return those to be looked at closely next: small ones if there are any.

    Those whose decisions are all the same come last, and are few: they tell one bug as well as
    another.
    """
    some = [key for key in left if not _has_flat_answer(found[key])]
    small = [key for key in some if is_close(found[key])]
    return small[:MOST_WHOLE] or some[:MOST_LARGE] or list(left[:MOST_FLAT])


def _leading_explanations(whole: Mapping[Key, Diagnosis], right: RightAnswers) -> list[str]:
    """Return the identities that explain most of some diagnoses, the first one first."""
    refuted = right.refute(whole.values())
    votes = Counter(i for x in agree(whole, refuted).values() for i in x.identities)
    return [i for i, n in votes.most_common(MOST_LEADING) if n * LEAST >= len(whole)]


def _usual_explanations(close: Sequence[Diagnosis]) -> list[str]:
    """Return the identities that fit most of some diagnoses, chosen or not.

    Of one that is wider another is a case: of all blocks of four, features cut to four.
    """
    votes = Counter(
        identity
        for diagnosis in close
        for identity in {i for x in diagnosis.fits if x.weight >= SPECIFIC for i in x.identities}
    )
    return [i for i, n in votes.most_common(MOST_LEADING) if n * LEAST >= len(close)]


def in_turns(diagnoses: Mapping[Key, Diagnosis]) -> list[Key]:
    """Return the diagnoses that are not complete: by turns one of each kind, small ones first.

    The order of the run does not matter.
    """
    there = [key for key, d in diagnoses.items() if is_postponed(d)]
    kinds: dict[object, list[Key]] = {}
    large: list[Key] = []
    for key in sorted(there, key=lambda key: place_of(diagnoses[key])):
        close = is_close(diagnoses[key])
        (kinds.setdefault(kind_of(diagnoses[key]), []) if close else large).append(key)
    turns = zip_longest(*map(_of_all_sizes, kinds.values()))
    return [*(key for turn in turns for key in turn if key is not None), *large]


def _of_all_sizes(keys: Sequence[Key]) -> list[Key]:
    """Return the keys in another order, so that the first few are of all sizes."""
    step = max(1, len(keys) // EACH)
    return [key for start in range(step) for key in keys[(start + step // 2) % step :: step]]


def is_close(diagnosis: Diagnosis) -> bool:
    """Return whether it comes first: few examples, or decisions that are not the model's."""
    return place_of(diagnosis)[0] <= FEW_EXAMPLES or decides_otherwise(diagnosis)


def decides_otherwise(diagnosis: Diagnosis) -> bool:
    """Return whether the decisions are not those of the model as stated: a bug of few kinds."""
    e = diagnosis.postponed
    if e is None or e.decisions is None:
        return False
    return not decisions_are_the_models(e, Decisions(e))


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
    told = diagnosis.relation is None, decides_otherwise(diagnosis)
    return type(problem.kernel), weights, problem.bias, problem.slack, told


def place_of(diagnosis: Diagnosis) -> tuple[int, int, str]:
    """Return the numbers of examples and of features, and the name of the request."""
    e = diagnosis.postponed
    return (0, 0, "") if e is None else (e.truth.problem.n, len(e.request.X[0]), e.request.id)


def _has_flat_answer(diagnosis: Diagnosis) -> bool:
    """Return whether all decisions are the same number, where they should differ."""
    e = diagnosis.postponed
    return e is not None and e.decisions is not None and is_flat(e)


def _has_fit(diagnosis: Diagnosis, identity: str) -> bool:
    """Return whether an Explanation by one bug is known to fit."""
    return any(x.identities == (identity,) for x in diagnosis.fits)


# ---- right answers


class RightAnswers:
    """A few cases of a run that were answered rightly, with the kernels of those that failed.

    They count against the bugs that they do not have. A bug that depends on the kernel is not
    refuted by another kernel.
    """

    def __init__(self, records: Sequence[Record], cases: Mapping[str, Reader]) -> None:
        failed = {record.case for record in records if record.result == "fail"}
        answered = {r.case for r in records if r.check == "G1" and r.result == "pass"} - failed
        kernels = {kernel_of(cases[name]) for name in failed if name in cases}
        small = [
            name
            for name in cases
            if name in answered and kernel_of(cases[name]) in kernels and _is_small(cases[name])
        ]
        chosen = small[:: max(1, len(small) // MOST_RIGHT)][:MOST_RIGHT]
        self.cases = [cases[name] for name in chosen]
        self.evidence: list[Evidence] = []
        self.asked: set[str] = set()
        self.refuted: Counter[str] = Counter()

    def refute(self, diagnoses: Iterable[Diagnosis]) -> Counter[str]:
        """Return how many of them do not have each bug that fits one of the diagnoses."""
        fitted = {i for d in diagnoses for x in d.fits for i in x.identities}
        new = fitted - self.asked
        if new and not self.evidence:
            self.evidence = [right_evidence(read()) for read in self.cases]
        for e in self.evidence if new else ():
            is_machine = not isinstance(e.truth.problem, Problem)
            missed = missed_by_right_machine(e) if is_machine else missed_by_right(e, Wanted(new))
            self.refuted.update(missed & new)
        self.asked |= new
        return self.refuted


def kernel_of(read: Reader) -> object:
    """Return the kind of kernel of a case; None of what is no problem."""
    problem = read().problem
    return None if problem is None else type(problem.kernel)


def _is_small(read: Reader) -> bool:
    """Return whether a case has few examples, and an optimum."""
    case = read()
    there = case.problem is not None and case.optimum is not None and case.optimum.farkas is None
    return there and case.problem is not None and 3 < case.problem.n <= SMALL
