"""Which bugs of the catalogue a run has: those that reproduce its wrong answers.

    seen      one wrong answer of a run
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
from typing import NamedTuple, TypeVar

from ...numerics.display import text_above
from ...numerics.rounding_bounds import nearest_double
from ..truth import shape_of
from ..wrong import BY_NAME, CATALOGUE
from ..wrong.pipeline import ON_ESTIMATORS, STAGES, Outcome, outcome_of
from ..wrong.tasks import Bug, as_gram
from .answers import (
    LEAST,
    OFFSET,
    STOPPED,
    Answered,
    Seen,
    Theory,
    answered,
    is_on_the_way,
    theories_of_itself,
)
from .asked import AskedProblem, is_said, shifts

DOUBT = 3  # answers that are added to those that fit: one is no rule
FLAT = 0.3  # of an answer that is the same for all rows
SILENT = 0.25  # of a wrong answer that a theory does not change
FEW = 3  # answers that two bugs are held against
PROBES, ROUNDS = 9, 3  # wrong answers that are held against every entry, and how often
ENOUGH = 3  # misses without a fit, after which an entry is not tried any more
FEW_EXAMPLES = 32  # of a small case
MOST_EXAMPLES = 60  # of a case that is solved with a bug, where there are small ones
LARGEST = 130  # the same where there are none, or the bug fits some of those
MOST_KNOWN = 300  # of a case whose known multipliers a bug leaves as they are
TO_SOLVE = STAGES[: STAGES.index("offset")]
MOST_RIGHT = 12  # right answers that a theory changes, and that are looked at
NEAR = 0.9  # of the highest rank: what fits the same answers cannot be told apart
PAIR = 0.7  # is allowed by two bugs, times what each allows
KEPT = 0.6  # is allowed by an offset that several answers share
DIGITS = 9  # of such an offset
MOST = 0.6  # of the wrong answers share an offset
SAID = 0.9  # is allowed by what needs a problem of its own, or several answers, to be said
Floats = list[float]
Sized = TypeVar("Sized", "Answered", AskedProblem)


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


def _pair_of(one: Bug, other: Bug) -> Theory:
    """Return the theory of two bugs, in the order of their stages."""
    return _theory_of(*sorted((one, other), key=lambda bug: STAGES.index(bug.stage)))


ENTRIES = [_theory_of(bug) for bug in CATALOGUE if bug.stage not in ON_ESTIMATORS]
SINGLE = "Float32Rows: kernel values are in single precision when it trains only"
IN_SINGLE = _theory_of(BY_NAME[SINGLE])


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


# ---- what several answers share

FIRST_MATRIX = Theory(
    "StateKept", "the kernel matrix is that of the first problem of as many examples", SAID
)


def _of_all_offsets(wrong: Mapping[int, Answered]) -> Iterator[tuple[Theory, set[int]]]:
    """Yield what most answers of which b alone is wrong have in common: b, or its error."""
    kept: dict[tuple[str, str, float], set[int]] = {}
    for i, a in wrong.items():
        shift, best = shape_of(a.evidence).shift, a.evidence.truth.optimum
        b = round(nearest_double(shift / a.evidence.factor), DIGITS)
        kept.setdefault(("StateKept", f"b is {b:g} in every answer", b), set()).add(i)
        if best.b_low == best.b_high:
            off = round(nearest_double(shift - best.b_low), DIGITS)
            kept.setdefault(("Offset", f"b is off by {off:g} in every answer", off), set()).add(i)
    for (flag, words, value), fits in kept.items():
        if value != 0 and len(fits) >= max(LEAST, MOST * len(wrong)):
            yield Theory(flag, words, KEPT), fits


def _of_all_limits(wrong: Mapping[int, Answered]) -> Iterator[tuple[Theory, set[int]]]:
    """Yield that no decision is beyond some number, the same in several answers, but right."""
    cut: dict[str, dict[int, float]] = {}
    for i, a in wrong.items():
        most, right = max(map(abs, a.f)), a.asked.outcome(())
        f = [] if right is None or not most else right.decisions()
        if f and all(
            abs(max(-most, min(most, v)) - p) <= room
            for v, p, room in zip(f, a.f, a.asked.room(a.f))
        ):
            cut.setdefault(f"{most:.6g}", {})[i] = most
    for limits in cut.values():
        if len(limits) >= LEAST:
            most = max(limits.values())
            yield Theory("FarRows", f"no decision is beyond {text_above(most)}", SAID), {*limits}


def _of_kept_matrices(
    wrong: Iterable[Answered], problems: Iterable[AskedProblem]
) -> Iterator[tuple[Answered, bool]]:
    """Yield answers, and whether the matrix of the first problem of as many examples makes them.

    That problem itself would have been answered rightly.
    """
    first: dict[int, list[Floats]] = {}
    for asked in problems:
        if asked.task.n not in first:
            first[asked.task.n] = as_gram(asked.task).X
    for a in wrong:
        own = as_gram(a.asked.task)
        K = first.get(own.n, own.X)
        outcome = outcome_of(own.but(X=K)) if K != own.X else None
        yield (
            a,
            outcome is not None
            and (a.tells_beta_of(outcome.fitted) or is_said(outcome, a.f, a.asked.room(a.f))),
        )


# ---- the run


def names_of_run(
    seen: Iterable[Seen],
    right: Iterable[AskedProblem] = (),
    problems: Iterable[AskedProblem] = (),
) -> list[Name]:
    """Return the names of a run's wrong answers, the surest first.

    `right` are problems that were answered rightly: they refute what would have shown there.
    `problems` are all small ones of the run, of which one may have been mistaken for another.
    """
    answers = map(answered, seen)
    wrong = {i: a for i, a in enumerate(answers) if a is not None}
    if not wrong:
        return []
    small = [a for a in right if 2 < a.task.n <= FEW_EXAMPLES]
    ledger = _Ledger(wrong, in_turns(small, lambda a: (a.kind, a.size[1])), problems)
    ledger.search()
    return list(ledger.names())


def in_turns(some: Iterable[Sized], kind: Callable[[Sized], object]) -> list[Sized]:
    """Return answers or problems by turns, one of each kind, small ones first."""
    kinds: dict[object, list[Sized]] = {}
    for a in sorted(some, key=lambda a: a.size):
        kinds.setdefault(kind(a), []).append(a)
    return [a for turn in zip_longest(*kinds.values()) for a in turn if a is not None]


def _small(some: Iterable[Answered]) -> list[Answered]:
    return [a for a in some if a.size[0] <= FEW_EXAMPLES]


class _Ledger:
    """Which theories were tried on which answers, and what came of it."""

    def __init__(
        self,
        wrong: Mapping[int, Answered],
        right: Sequence[AskedProblem],
        problems: Iterable[AskedProblem],
    ) -> None:
        self.wrong, self.right, self.problems = wrong, right, problems
        self.fits: dict[Theory, set[int]] = {}
        self.missed: dict[Theory, int] = {}
        self.silent: dict[Theory, int] = {}
        self.tried: set[tuple[Theory, int]] = set()
        self.checked: set[Theory] = set()  # against right answers
        self.place = {id(a): i for i, a in wrong.items()}
        flat = {i for i, a in wrong.items() if a.is_flat}
        is_small = any(a.size[0] <= FEW_EXAMPLES for a in wrong.values())
        self.most = MOST_EXAMPLES if is_small else LARGEST
        self.bent = {i for i, a in wrong.items() if max(a.f) - min(a.f) > min(a.asked.room(a.f))}
        self.flat = flat if 2 * len(flat) >= len(wrong) + len(right) else set()
        for i, a in wrong.items():
            for theory in theories_of_itself(a):
                self.fits.setdefault(theory, set()).add(i)
        self.only_offsets = self.fits.get(OFFSET) == set(wrong)
        offset_alone = {i: wrong[i] for i in self.fits.get(OFFSET, ())}
        self.fits.update([*_of_all_offsets(offset_alone), *_of_all_limits(wrong)])

    def entries(self) -> list[Theory]:
        """Return the entries that may fit: of a constant f - s those of the offset alone."""
        if not self.only_offsets:
            return ENTRIES
        return [t for t in ENTRIES if t.stage == "offset" or t.flag.startswith("Offset")]

    def search(self) -> None:
        """Hold every entry against some answers, pairs against some of what is left.

        What fits somewhere is held against all.
        """
        every = in_turns(self.wrong.values(), lambda a: a.kind)
        left = every
        for _ in range(ROUNDS):
            probes = _small(left)[:PROBES] or left[:2]
            for a in probes:
                for theory in self.entries():
                    self.try_on(theory, a)
            self._spread(left)
            left = [a for a in self._unnamed(left) if a not in probes]
        for a in _small(self._unnamed(every))[:FEW]:
            for theory in self.pairs_for(a):
                self.try_on(theory, a)
        self._spread(every)
        some = _small(every) if self._unnamed(every) else []
        kept = {self.place[id(a)]: fits for a, fits in _of_kept_matrices(some, self.problems)}
        same = {i for i, fits in kept.items() if fits}
        self.fits[FIRST_MATRIX] = same if len(same) >= LEAST else set()
        self.missed[FIRST_MATRIX] = list(kept.values()).count(False)
        left = self._unnamed(every)
        if len(self.fits.get(IN_SINGLE, ())) >= LEAST:  # where it ends depends on its way there
            shown = [a for a in left if a.asked.shows(*IN_SINGLE.bugs)]
            self.fits[IN_SINGLE].update(self.place[id(a)] for a in shown)
        stopped = {self.place[id(a)] for a in left if is_on_the_way(a)}
        self.fits.setdefault(STOPPED, set()).update(stopped)

    def _unnamed(self, some: Iterable[Answered]) -> list[Answered]:
        """Return the answers that no bug makes."""
        named = {i for theory in self.promising() for i in self.fits[theory]}
        return [a for a in some if self.place[id(a)] not in named]

    def _spread(self, some: Iterable[Answered]) -> None:
        """Hold the theories that fit somewhere against these answers, too."""
        for theory in self.promising():
            for a in some:
                self.try_on(theory, a)

    def refuting(self, theory: Theory) -> int:
        """Return how many right answers a theory would have made otherwise, of some it changes."""
        tried = refuted = 0
        for asked in self.right:
            tried += asked.outcome(theory.bugs) is not None
            refuted += asked.shows(*theory.bugs)
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
        if tried or (not fits and self.missed.get(theory, 0) >= ENOUGH):
            return
        is_likely = len(fits) >= LEAST
        most = LARGEST if is_likely else self.most
        if a.size[0] > (most if self._is_solved(theory) else MOST_KNOWN):
            return
        self.tried.add((theory, i))
        made = a.is_made_by(theory)
        if made:
            fits.add(i)
        elif made is None:
            self.silent[theory] = self.silent.get(theory, 0) + 1
        else:
            self.missed[theory] = self.missed.get(theory, 0) + 1

    def _is_solved(self, theory: Theory) -> bool:
        """Return whether a theory has a problem of its own to be solved."""
        return any(bug.stage in TO_SOLVE for bug in theory.bugs)

    def pairs_for(self, a: Answered) -> Iterator[Theory]:
        """Yield pairs that may make an answer which no bug makes alone.

        One of them is that which explains most of the others; or it makes this one but for an
        offset, or a length, and the other is of that stage.
        """
        single = [t for t in self.promising() if len(t.bugs) == 1 and len(self.fits[t]) >= LEAST]
        first = max(single, key=lambda t: self.rank(t, self.fits[t]), default=None)
        if first is not None:
            yield from (_pair_of(*first.bugs, *t.bugs) for t in self.entries() if t != first)
        room = a.asked.room(a.f)
        for theory in self.entries():
            (bug,), outcome = theory.bugs, a.asked.outcome(theory.bugs)
            if outcome is None or bug.stage == "decide":
                continue
            for stage in _second_stages(a.f, outcome, room):
                if stage != bug.stage:
                    yield from (_pair_of(bug, *t.bugs) for t in ENTRIES if t.stage == stage)

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
        n = self.weight_of(theory, fits)
        refuted = self.missed.get(theory, 0) + SILENT * self.silent.get(theory, 0)
        if theory.flag == "NothingLearnt" and not self.flat:
            refuted += len(self.wrong) + len(self.right)
        few = len(fits) < LEAST
        if few and (len(theory.bugs) > 1 or theory.bugs and refuted >= LEAST):
            return 0.0
        return theory.allows * n * n / (n + refuted / 2 + DOUBT)

    def weight_of(self, theory: Theory, fits: set[int]) -> float:
        """Return the number of answers that fit.

        Where most are flat, a flat one tells little but that it is; unless all that bend fit, too.
        """
        is_proved = len(self.bent) > 1 and self.bent <= fits
        if not theory.bugs or theory.flag == "NothingLearnt" or is_proved:
            return len(fits)
        return len(fits) - (1 - FLAT) * len(fits & self.flat)

    def coincident(self, best: Theory, left: set[int]) -> Iterator[Theory]:
        """Yield the theories that fit the same answers, and are refuted as little."""
        for t in self.promising():
            same = self.fits[t] & left == self.fits[best] & left
            as_little = self.missed.get(t, 0) <= self.missed.get(best, 0)
            if best.bugs and len(t.bugs) == len(best.bugs) and same and as_little:
                yield t


def _commonest(theories: Sequence[Theory]) -> Theory:
    """Return the likeliest of those that cannot be told apart: of several the commonest flag."""
    count = Counter(t.flag for t in theories)
    return max(theories, key=lambda t: (t.allows, count[t.flag]))
