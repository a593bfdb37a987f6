"""Which bugs of the catalogue a run has: those that reproduce its wrong answers.

    seen      one answer of a run, right or wrong
    asked     a problem, and what each entry would answer, the same for all subjects
    theory    what may explain a wrong answer: a bug, or two, or what is said where none fits
    fits      wrong answers that a theory reproduces
    refuted   answers, right or wrong, that it would have made otherwise

    rank      allows fits^2 / (fits + refuted / 2 + 3)

The theory of the highest rank names what it fits; then again, on what is left. A few small wrong
answers of each kind are held against every entry, and what fits there against all the others. What
an entry answers depends on the case only, and is found once a process.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from math import isfinite
from typing import NamedTuple

from ..truth import Evidence, shape_of
from . import CATALOGUE
from .asked import AskedProblem, as_float, asked_of, is_said, shifts
from .bugs import Bug, meaning_of
from .pipeline import ON_ESTIMATORS, STAGES, AfterTraining, Outcome, Task, task_of
from .solver import of_own_multipliers

DOUBT = 3  # answers that are added to those that fit: one is no rule
SILENT = 0.25  # of a wrong answer that a theory does not change
PROBES, ROUNDS = 9, 3  # wrong answers that are held against every entry, and how often
ENOUGH = 3  # misses without a fit, after which an entry is not tried any more
FEW_EXAMPLES = 32  # of a small case
MOST_EXAMPLES = 60  # of a case that is solved with a bug
MOST_RIGHT = 12  # right answers that a theory changes, and that are looked at
LEAST = 3  # fits of a name, where so many could show it
ROUNDING = 1e-6  # of the largest decision
NEAR = 0.9  # of the highest rank: what fits the same answers cannot be told apart
PAIR = 0.7  # is allowed by two bugs, times what each allows
VAGUE = 0.3
Floats = list[float]


class Theory(NamedTuple):
    """What may explain a wrong answer: bugs that are composed, or a flag and words alone."""

    flag: str
    words: str
    allows: float
    bugs: tuple[Bug, ...] = ()


class Seen(NamedTuple):
    """An answer of a run; hints: what its checks say of it, as that it breaks a relation."""

    evidence: Evidence
    is_wrong: bool
    hints: tuple[Theory, ...] = ()


class Name(NamedTuple):
    """What explains some wrong answers of a run.

    theory   what they are named      also   others that fit as well: these cannot be told apart
    answers  places of the answers    rank   how sure that is
    """

    theory: Theory
    also: tuple[Theory, ...]
    answers: tuple[int, ...]
    rank: float


def _theory_of(*bugs: Bug) -> Theory:
    """Return the theory that a program has these bugs."""
    allows = bugs[0].allows
    for bug in bugs[1:]:
        allows *= PAIR * bug.allows
    return Theory(bugs[0].flag, " and ".join(bug.words for bug in bugs), allows, bugs)


ENTRIES = [_theory_of(bug) for bug in CATALOGUE if bug.stage not in ON_ESTIMATORS]


def _task_asked(e: Evidence) -> Task:
    """Return the task of an answer, with the examples of weight 0 that were asked besides."""
    task = task_of(e.truth.original, e.request.rows)
    if len(e.request.y) == task.n or not task.has_features:
        return task
    r = e.request
    return task.but(X=list(r.X), y=list(r.y), bounds=list(r.C))


def _decisions_of(e: Evidence) -> Floats:
    """Return the decisions of an answer as it stated them, or as they follow from what it did."""
    rho = e.factor if e.answer.rho is None or e.request.form != "nu_svc" else e.answer.rho
    return [as_float(f) / (as_float(rho) or 1.0) for f in e.decisions]


class Answered(NamedTuple):
    """An answer beside what is known of its problem."""

    seen: Seen
    asked: AskedProblem
    f: Floats

    def is_made_by(self, theory: Theory) -> bool | None:
        """Return whether a theory makes this answer; None where it changes nothing."""
        outcome = self.asked.outcome(theory.bugs)
        if outcome is None:
            return None
        return is_said(outcome, self.f, self.asked.room(self.f))

    @property
    def size(self) -> tuple[int, int]:
        """How many examples and features."""
        return self.asked.task.n, len(self.asked.task.X[0])

    @property
    def kind(self) -> object:
        """What decides which bugs show."""
        t = self.asked.task
        return type(t.kernel), len(set(t.bounds)) > 1, t.bias, t.slack, self.seen.hints


# ---- what is said where no entry fits


def _vague_theories(a: Answered) -> Iterator[Theory]:
    """Yield what an answer shows by itself: its multipliers, its shape."""
    e, right = a.seen.evidence, a.asked.right
    yield from a.seen.hints
    for flag, words, allows in of_own_multipliers(e):
        yield Theory(flag, words, allows)
    if _is_shifted(e):
        yield Theory("Offset", meaning_of("Offset"), VAGUE)
    elif right is not None:
        yield from _by_length(a, right)
    yield Theory("Wrong", meaning_of("Wrong"), 0.01)


def _is_shifted(e: Evidence) -> bool:
    """Return whether all decisions are off by the same, and there is an offset to be wrong."""
    shape = shape_of(e)
    return not shape.bent and bool(shape.outside) and getattr(e.truth.problem, "bias", True)


def _by_length(a: Answered, right: AfterTraining) -> Iterator[Theory]:
    """Yield that decisions are a multiple of the right ones, whatever the factor and offset."""
    s = [v / right.widths()[0] for v in right.scores]
    low, high = s.index(min(s)), s.index(max(s))
    wide = s[high] - s[low]
    if not wide > 0 or a.asked.task.has_features and len(a.asked.task.X[0]) < 2:
        return
    factor = (a.f[high] - a.f[low]) / wide
    if shifts(a.f, [factor * v for v in s], a.asked.room(a.f)) is not None and factor != 0:
        if factor > 0:
            yield Theory("Length", "the decisions have another length", VAGUE)
        else:
            yield Theory(
                "SignFlipped", "the decisions have the wrong sign, and another length", VAGUE
            )


def _second_stages(f: Floats, outcome: Outcome, room: Floats) -> Iterator[str]:
    """Yield the stage of a second bug: decisions that are a bug's, moved or stretched."""
    scores = [s / outcome.fitted.widths()[0] for s in outcome.fitted.scores]
    if outcome.said is None and shifts(f, scores, room) is not None:
        yield "offset"
        return
    low, high = scores.index(min(scores)), scores.index(max(scores))
    wide = scores[high] - scores[low]
    factor = (f[high] - f[low]) / wide if wide > 0 else 0.0
    if factor != 0 and shifts(f, [factor * s for s in scores], room) is not None:
        yield "decide"


# ---- the run


def names_of_run(seen: Iterable[Seen]) -> list[Name]:
    """Return the names of a run's wrong answers, the surest first."""
    answered = [_answered(s) for s in seen]
    wrong = {i: a for i, a in enumerate(answered) if a is not None and a.seen.is_wrong}
    right = [a for a in answered if a is not None and not a.seen.is_wrong]
    if not wrong:
        return []
    ledger = _Ledger(wrong, _refuting(right))
    ledger.search()
    return list(ledger.names())


def _answered(seen: Seen) -> Answered | None:
    """Return an answer beside its problem; None of one that says no decisions."""
    e = seen.evidence
    if e.decisions is None:
        return None
    found = Answered(seen, asked_of(_task_asked(e), e.truth), _decisions_of(e))
    return found if all(map(isfinite, found.f)) else None


def _refuting(right: Sequence[Answered]) -> list[Answered]:
    """Return the right answers that are small, by turns of each kernel and width."""
    some = [a for a in right if 2 < a.size[0] <= FEW_EXAMPLES]
    return in_turns(some, lambda a: (a.kind, a.size[1]))


def in_turns(
    answers: Sequence[Answered], key: Callable[[Answered], object] = lambda a: a.kind
) -> list[Answered]:
    """Return the answers, by turns one of each kind, small ones first."""
    kinds: dict[object, list[Answered]] = {}
    for a in sorted(answers, key=lambda a: a.size):
        kinds.setdefault(key(a), []).append(a)
    return [a for turn in zip_longest(*kinds.values()) for a in turn if a is not None]


class _Ledger:
    """Which theories were tried on which answers, and what came of it."""

    def __init__(self, wrong: Mapping[int, Answered], right: Sequence[Answered]) -> None:
        self.wrong, self.right = wrong, right
        self.fits: dict[Theory, set[int]] = {}
        self.missed: dict[Theory, int] = {}
        self.silent: dict[Theory, int] = {}
        self.tried: set[tuple[Theory, int]] = set()
        self.checked: set[Theory] = set()  # against right answers
        self.place = {id(a): i for i, a in wrong.items()}
        self.only_offsets = all(_is_shifted(a.seen.evidence) for a in wrong.values())
        for i, a in wrong.items():
            for theory in _vague_theories(a):
                self.fits.setdefault(theory, set()).add(i)

    def entries(self) -> list[Theory]:
        """Return the entries that may fit: of a constant f - s those of the offset alone."""
        if not self.only_offsets:
            return ENTRIES
        last = STAGES.index("offset")
        return [t for t in ENTRIES if STAGES.index(t.bugs[0].stage) == last]

    def search(self) -> None:
        """Hold every entry against some answers, and those that fit against all."""
        left = in_turns(list(self.wrong.values()))
        for _ in range(ROUNDS):
            probes = [a for a in left if a.size[0] <= FEW_EXAMPLES][:PROBES] or left[:2]
            if not probes:
                break
            for a in probes:
                for theory in self.entries():
                    self.try_on(theory, a)
                self.try_pairs(a)
            for theory in self.promising():
                for a in left:
                    self.try_on(theory, a)
            named = {i for t in self.promising() for i in self.fits[t]}
            left = [a for a in left if self.place[id(a)] not in named and a not in probes]

    def refuting(self, theory: Theory) -> int:
        """Return how many right answers a theory would have made otherwise, of some it changes."""
        tried = refuted = 0
        for a in self.right:
            made = a.is_made_by(theory)
            tried += made is not None
            refuted += made is False
            if tried >= MOST_RIGHT:
                break
        return refuted

    def promising(self) -> list[Theory]:
        """Return the theories with bugs that fit somewhere."""
        return [t for t, fits in self.fits.items() if t.bugs and fits]

    def try_on(self, theory: Theory, a: Answered) -> None:
        """Hold a theory against one wrong answer."""
        i = self.place[id(a)]
        fits = self.fits.setdefault(theory, set())
        tried = (theory, i) in self.tried
        if (
            tried
            or a.size[0] > MOST_EXAMPLES
            or (not fits and self.missed.get(theory, 0) >= ENOUGH)
        ):
            return
        self.tried.add((theory, i))
        made = a.is_made_by(theory)
        if made:
            fits.add(i)
        elif made is None:
            self.silent[theory] = self.silent.get(theory, 0) + 1
        else:
            self.missed[theory] = self.missed.get(theory, 0) + 1

    def try_pairs(self, a: Answered) -> None:
        """Hold pairs against an answer: entries that make it but for an offset, and an offset."""
        i = self.place[id(a)]
        if any(i in self.fits[t] for t in self.promising()):
            return
        room, last = a.asked.room(a.f), STAGES.index("offset")
        for theory in self.entries():
            (bug,) = theory.bugs
            if STAGES.index(bug.stage) >= last or (theory, i) not in self.tried:
                continue
            outcome = a.asked.outcome(theory.bugs)
            if outcome is None:
                continue
            for stage in _second_stages(a.f, outcome, room):
                for other in ENTRIES:
                    if other.bugs[0].stage == stage:
                        self.try_on(_theory_of(bug, other.bugs[0]), a)

    # ---- the verdict

    def names(self) -> Iterator[Name]:
        """Yield the theory of the highest rank, then that of what it leaves over, and so on."""
        left = set(self.wrong)
        while left:
            best, rank = self.surest(left)
            fits = self.fits[best] & left
            also = tuple(t for t in self.coincident(best, left) if t != best)
            yield Name(best, also, tuple(sorted(fits)), rank)
            left -= fits

    def surest(self, left: set[int]) -> tuple[Theory, float]:
        """Return the theory of the highest rank, and the rank.

        Those that come near are held against right answers first.
        """
        while True:
            ranks = {t: self.rank(t, fits & left) for t, fits in self.fits.items()}
            best = max(ranks, key=lambda t: ranks[t])
            near = [t for t, r in ranks.items() if r >= NEAR * ranks[best]]
            new = [t for t in near if t.bugs and t not in self.checked]
            if not new:
                same = [t for t in near if self.fits[t] & left == self.fits[best] & left]
                return _commonest(same), ranks[best]
            for theory in new:
                self.checked.add(theory)
                self.missed[theory] = self.missed.get(theory, 0) + self.refuting(theory)

    def rank(self, theory: Theory, fits: set[int]) -> float:
        """Return how likely a theory is, by what it fits and what refutes it."""
        n = len(fits)
        refuted = self.missed.get(theory, 0) + SILENT * self.silent.get(theory, 0)
        if theory.bugs and n < LEAST and refuted >= LEAST:
            return 0.0
        return theory.allows * n * n / (n + refuted / 2 + DOUBT)

    def coincident(self, best: Theory, left: set[int]) -> Iterator[Theory]:
        """Yield the theories that fit the same answers, and are refuted as little."""
        for t in self.promising():
            same = self.fits[t] & left == self.fits[best] & left
            as_little = self.missed.get(t, 0) <= self.missed.get(best, 0)
            if best.bugs and len(t.bugs) == len(best.bugs) and same and as_little:
                yield t


def _commonest(theories: Sequence[Theory]) -> Theory:
    """Return the first of those whose flag most of them have: they cannot be told apart."""
    count = Counter(t.flag for t in theories)
    return max(theories, key=lambda t: (count[t.flag], t.allows))
