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
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from .explanations import Diagnosis, Explanation

SPECIFIC = 0.5  # the least weight of an explanation that is not vague
ACCIDENT = 0.12  # so large a share of the cases tried may fit by accident
DOUBT = 3  # cases that are added to those tried: one that fits is no rule
SILENT = (
    0.05  # of a wrong answer that says neither, as most are not the work of a bug that is rare
)
Key = TypeVar("Key", bound=Hashable)


def agree(
    diagnoses: Mapping[Key, Diagnosis], refuted: Mapping[str, int] | None = None
) -> dict[Key, Explanation]:
    """Return the Explanation of each Diagnosis on which all of them agree best.

    refuted: how many right answers do not have a bug, of those that were looked at.
    """
    chosen: dict[Key, Explanation] = {}
    left = dict(diagnoses)
    while left:
        cause = _best_cause(list(left.values()), refuted or {})
        for key, diagnosis in list(left.items()):
            fit = next((x for x in diagnosis.fits if x.identities == cause), None)
            if fit is not None:
                chosen[key] = fit
                del left[key]
    return chosen


def _best_cause(diagnoses: Sequence[Diagnosis], refuted: Mapping[str, int]) -> tuple[str, ...]:
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
        known = fitted[i] + missed[i]
        silent = max(0, len(diagnoses) - known)
        return known + refuted.get(i, 0) / 2 + DOUBT + SILENT * silent

    def share(identities: tuple[str, ...]) -> float:
        return min(fitted[i] / tried(i) for i in identities)

    def rank(identities: tuple[str, ...]) -> tuple[bool, float]:
        part, weight = share(identities), heaviest[identities]
        specific = weight >= SPECIFIC and part * weight >= ACCIDENT
        rejected = weight >= SPECIFIC and not specific
        return specific, -1.0 if rejected else counts[identities] * part

    return max(counts, key=rank)
