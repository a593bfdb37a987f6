"""Which bugs of the catalogue a subject has: those that foretell what it answers.

    suspect    bugs that make some of the run's wrong answers
    rivals     suspects that make most of the same ones
    fresh      a problem like one of these, which is asked to tell rivals apart
    foretold   fresh wrong answers that a suspect makes      failed   those that it does not make
    against    right answers, of the run or fresh, that it would have made wrong

A suspect is named when it has foretold eight fresh wrong answers, and its rivals have failed, or
have more against them. Where nothing that was asked tells two apart, both are said; of more, none.
Then the same again about the answers that it does not make. An answer without a name keeps what
it shows by itself: the facts of answers.py, or what several answers share.

A subject that cannot be asked again, as a model in a file, has no name, but its facts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, zip_longest
from typing import NamedTuple, Protocol, TypeVar

from ...numerics.rounding_bounds import nearest_double
from ..protocol import Answer
from ..truth import shape_of
from ..wrong import BY_NAME, CATALOGUE
from ..wrong.pipeline import ON_ESTIMATORS, STAGES, Outcome
from ..wrong.tasks import Bug, Task
from .answers import (
    FLAT,
    NOT_BEST,
    STOPPED,
    WRONG,
    Answered,
    Seen,
    Theory,
    answered,
    answered_afresh,
    facts_of,
)
from .asked import AskedProblem, is_said, problems_like, shifts

FORETOLD, MOST_AGAINST = 8, 4  # fresh wrong answers that make a name, and right ones against it
MOST_DRAWN, MOST_IN_VAIN = 80, 24  # fresh problems for one name, and where none is foretold
MOST_IDLE = 16  # of them one after the other that tell no two rivals apart
MOST_RIVALS, MOST_TRIED = 12, 4  # suspects that are told apart at once, and how often
MOST_SAID = 2  # bugs that cannot be told apart
MOST_NAMES = 4
PROBES = 8  # small wrong answers that are held against every entry
LEAST = 3  # answers that share something
ASKED_AGAIN = 3  # answers that are asked again
MAX_SMALL = 32  # of a small case
MOST_EXAMPLES = 60  # of a case that is solved with a bug, where there are small ones
MAX_SOLVED = 130  # the same where there are none
MAX_KNOWN_EXAMPLES = 300  # of a case whose known multipliers a bug leaves as they are
TO_SOLVE = STAGES[: STAGES.index("offset")]
MOST_RIGHT = 12  # right answers of the run that a suspect changes, and that are looked at
LADDER = [1e-8, 1e-7, 1e-6, 1e-5]  # how far decisions may be off, in parts of the largest
ROUGH = 1e-4  # the same of a subject of which nothing better is known
MEASURED = 16  # problems
NEARER = 10  # times nearer is nearer
WIDE = 10  # answers that differ by more than so many times that differ
DIGITS = 9  # of an offset that answers share
HOW_IT_STOPPED = "AbsoluteThreshold", "FlatPairSkipped", "ToleranceScaled", "ToleranceBroken"
MIN_SHARE = 0.6  # of the wrong answers share an offset
Floats = list[float]
Sized = TypeVar("Sized", "Answered", AskedProblem)


class AskAfresh(Protocol):
    """Asks the subject about a task, with more steps and a smaller tolerance if need be."""

    def __call__(self, task: Task, more_steps: bool = False) -> Answer | None: ...


class Name(NamedTuple):
    """What explains some wrong answers of a run.

    theory    what they are named      also   another that nothing asked tells apart from it
    answers   places of the answers
    """

    theory: Theory
    also: tuple[Theory, ...]
    answers: tuple[int, ...]


class Suspect:
    """Bugs of one kind that make some wrong answers, and what came of what they foretold."""

    def __init__(self, *theories: Theory) -> None:
        self.theories, self.made = theories, set[int]()
        self.foretold = self.failed = self.against = 0

    @property
    def flag(self) -> str:
        """The kind of bug."""
        return self.theories[0].flag

    def makes(self, a: Answered, near: float | None = None) -> bool:
        """Return whether it makes an answer."""
        return any(a.is_made_by(theory, near) for theory in self.theories)

    def shows(self, asked: AskedProblem) -> bool:
        """Return whether it changes the answer to a problem."""
        return any(asked.shows(*theory.bugs) for theory in self.theories)

    @property
    def is_out(self) -> bool:
        """Whether it foretold what did not come."""
        return self.failed > max(2, self.foretold // FORETOLD) or self.against > MOST_AGAINST

    @property
    def is_sure(self) -> bool:
        """Whether it has foretold enough: as many again for each that it has not."""
        return self.foretold >= FORETOLD * (1 + self.failed) and self.against <= MOST_AGAINST


def _theory_of(*bugs: Bug) -> Theory:
    """Return the theory that a program has these bugs."""
    ordered = tuple(sorted(bugs, key=lambda bug: STAGES.index(bug.stage)))
    return Theory(ordered[0].flag, " and ".join(bug.words for bug in ordered), ordered)


ENTRIES = [_theory_of(bug) for bug in CATALOGUE if bug.stage not in ON_ESTIMATORS]
PRODUCTS = BY_NAME["Cancellation: x.z of rows as they are, far from 0"]
SINGLE = BY_NAME["Float32Rows: kernel values are in single precision when it trains only"]


def names_of_run(
    seen: Iterable[Seen],
    right: Iterable[AskedProblem] = (),
    ask: AskAfresh | None = None,
) -> list[Name]:
    """Return the names of a run's wrong answers, by those and by problems answered rightly."""
    answers = map(answered, seen)
    wrong = {i: a for i, a in enumerate(answers) if a is not None}
    if not wrong:
        return []
    small = [a for a in right if 2 < a.task.n <= MAX_SMALL]
    run = _Run(wrong, in_turns(small, lambda a: (a.kind, a.size[1])), ask)
    names: list[Name] = []
    left = dict(wrong)
    while left and len(names) < MOST_NAMES and (name := run.name_of(left)):
        names.append(name)
        left = {i: a for i, a in left.items() if i not in name.answers}
    facts = _facts_about(left, run.right)
    return [*names, *(run.with_more_steps(fact) for fact in facts)]


def in_turns(some: Iterable[Sized], kind: Callable[[Sized], object]) -> list[Sized]:
    """Return answers or problems by turns, one of each kind, small ones first."""
    kinds: dict[object, list[Sized]] = {}
    for a in sorted(some, key=lambda a: a.size):
        kinds.setdefault(kind(a), []).append(a)
    return [a for turn in zip_longest(*kinds.values()) for a in turn if a is not None]


class _Run:
    """The answers of a run, and how the subject is asked again."""

    def __init__(
        self, wrong: Mapping[int, Answered], right: Sequence[AskedProblem], ask: AskAfresh | None
    ) -> None:
        self.wrong, self.right, self.ask = wrong, right, ask
        is_small = any(a.size[0] <= MAX_SMALL for a in wrong.values())
        self.most = MOST_EXAMPLES if is_small else MAX_SOLVED
        self.near = None if ask is None else self.accuracy()

    def answer_to(self, asked: AskedProblem, more_steps: bool = False) -> Answered | None:
        """Ask the subject, and return its answer beside the problem; None if there is none."""
        answer = None if self.ask is None else self.ask(asked.task, more_steps)
        return None if answer is None else answered_afresh(asked, answer)

    def accuracy(self) -> float:
        """Return ten times what decisions are off where it is right, in parts of the largest."""
        found = []
        for task in islice(problems_like([a.task for a in self.right]), MEASURED):
            asked = AskedProblem.fresh(task)
            a = None if asked is None else self.answer_to(asked)
            if a is not None and a.asked.is_right(a.f):
                outcome = a.asked.outcome(())
                steps = (k for k in LADDER if outcome and is_said(outcome, a.f, a.room(k)))
                found.append(next(steps, ROUGH))
        usual = sorted(found)[len(found) * 3 // 4] if found else ROUGH
        return min(WIDE * usual, ROUGH)

    def with_more_steps(self, fact: Name) -> Name:
        """Return a fact; that it stopped early just if more steps bring an answer nearer."""
        if fact.theory not in (STOPPED, FLAT, WRONG):
            return fact
        some = [self.wrong[i] for i in fact.answers if self.wrong[i].size[0] <= MAX_SOLVED]
        if any(map(self.more_steps_help, some[:ASKED_AGAIN])):
            return fact._replace(theory=STOPPED)
        return fact._replace(theory=NOT_BEST) if fact.theory == STOPPED else fact

    def more_steps_help(self, a: Answered) -> bool:
        """Return whether a smaller tolerance and more steps bring an answer nearer."""
        errors = []
        for more_steps in (False, True):
            again = self.answer_to(a.asked, more_steps)
            if again is None:
                return False
            errors.append(again.error)
        return NEARER * errors[1] < errors[0]

    # ---- suspects

    def name_of(self, left: Mapping[int, Answered]) -> Name | None:
        """Return the name of some of these answers; None if there is none."""
        some = in_turns(left.values(), lambda a: a.kind)
        probes = [a for a in some if a.size[0] <= MAX_SMALL][:PROBES] or some[:2]
        place = {id(a): i for i, a in left.items()}
        suspects = self.suspects(ENTRIES, probes, some, place)
        name = self.first_named([*_groups(suspects), *_groups(_kinds(suspects))], left)
        if name is not None:
            return name
        alone = {i for s in suspects for i in s.made}
        rest = [a for a in some if place[id(a)] not in alone and a.size[0] <= MAX_SMALL][:1]
        pairs = self.suspects(self.pairs(suspects, rest), rest, some, place)
        return self.first_named(_groups(pairs), left)

    def first_named(
        self, groups: Iterable[list[Suspect]], left: Mapping[int, Answered]
    ) -> Name | None:
        """Return the name of the first group of rivals that has one."""
        return next(filter(None, (self.told_apart(rivals, left) for rivals in groups)), None)

    def suspects(
        self,
        theories: Iterable[Theory],
        probes: Sequence[Answered],
        some: Sequence[Answered],
        place: Mapping[int, int],
    ) -> list[Suspect]:
        """Return the theories that make one of the probes, with all the answers that they make."""
        found = []
        for theory in dict.fromkeys(theories):
            if any(self.makes(theory, a) for a in probes):
                suspect = Suspect(theory)
                suspect.made = {place[id(a)] for a in some if self.makes(theory, a)}
                found.append(suspect)
        return found

    def makes(self, theory: Theory, a: Answered, most: int = 0) -> bool:
        """Return whether a theory makes an answer; False where that takes long to find out."""
        is_solved = any(bug.stage in TO_SOLVE for bug in theory.bugs)
        if a.size[0] > (max(most, self.most) if is_solved else MAX_KNOWN_EXAMPLES):
            return False
        return bool(a.is_made_by(theory))

    def pairs(self, suspects: Sequence[Suspect], some: Sequence[Answered]) -> Iterator[Theory]:
        """Yield two bugs that may make answers which none makes alone.

        One makes most of the others, or all but an offset or a length, which is the other's.
        """
        first = max(suspects, key=lambda s: len(s.made), default=None)
        if first is not None:
            (theory,) = first.theories
            yield from (_theory_of(*theory.bugs, *t.bugs) for t in ENTRIES if t != theory)
        for a in some:
            room = a.room(self.near)
            for (bug,) in (theory.bugs for theory in ENTRIES if theory.bugs[0].stage != "decide"):
                outcome = a.asked.outcome([bug])
                stages = [] if outcome is None else [*_second_stages(a.f, outcome, room)]
                others = (b for b in CATALOGUE if b.stage in stages and b.stage != bug.stage)
                yield from (_theory_of(bug, other) for other in others)

    # ---- what they foretell

    def told_apart(self, rivals: list[Suspect], left: Mapping[int, Answered]) -> Name | None:
        """Return the name of the rival that foretells fresh answers; None if none does."""
        if self.ask is None:
            return None
        for suspect in rivals:
            suspect.against = self.refuting(suspect)
        likely = in_turns([left[i] for i in rivals[0].made], lambda a: a.kind)
        sure = self.confirmed([s for s in rivals if not s.is_out], likely)
        best = _surest(sure, key=lambda s: s.failed + s.against)
        if not best:
            return None
        first, *also = (theory for s in best for theory in s.theories)
        some = best[0].theories
        made = (i for i, a in left.items() if any(self.makes(t, a, MAX_SOLVED) for t in some))
        return Name(first, tuple(also), tuple(made))

    def refuting(self, suspect: Suspect) -> int:
        """Return how many right answers it would have made otherwise, of some it changes."""
        (theory, *_) = suspect.theories
        changed = (a for a in self.right if a.outcome(theory.bugs) is not None)
        return sum(map(suspect.shows, islice(changed, MOST_RIGHT)))  # exact

    def confirmed(self, rivals: Sequence[Suspect], likely: Sequence[Answered]) -> list[Suspect]:
        """Return the rivals that have foretold enough fresh answers."""
        alive, idle = list(rivals), 0
        fresh = islice(problems_like([a.asked.task for a in likely]), MOST_DRAWN)
        for k, task in enumerate(fresh):
            is_enough = any(s.is_sure for s in alive)
            asked = AskedProblem.fresh(task)
            if asked is None or not self.is_worth_asking(asked, alive, is_enough):
                idle += 1
                if is_enough and idle >= MOST_IDLE:
                    break
                continue
            idle = 0
            a = self.answer_to(asked)
            if a is None or a.is_flat:
                continue
            self.count(a, alive)
            alive = [s for s in alive if not s.is_out]
            if not any(s.foretold or k < MOST_IN_VAIN for s in alive):
                break
        return [s for s in alive if s.is_sure]

    def is_worth_asking(
        self, asked: AskedProblem, alive: Sequence[Suspect], is_enough: bool
    ) -> bool:
        """Return whether a suspect changes the answer; where it is enough, not all alike."""
        shown = [s for s in alive if s.shows(asked)]
        if not shown or not is_enough:
            return bool(shown)
        if len(shown) < len(alive):
            return True
        outcome = asked.outcome(shown[0].theories[0].bugs)
        f = [] if outcome is None else outcome.decisions()
        room = [WIDE * (self.near or 0.0) * max(map(abs, f), default=0.0)] * len(f)
        others = filter(None, (asked.outcome(s.theories[0].bugs) for s in shown[1:]))
        return not all(is_said(other, f, room) for other in others)

    def count(self, a: Answered, alive: Sequence[Suspect]) -> None:
        """Count what a fresh answer says of each suspect."""
        if a.asked.is_right(a.f):
            for s in alive:
                s.against += s.shows(a.asked)
            return
        for s in alive:  # one that is made roughly, no better, says nothing: numbers may be large
            s.foretold += s.makes(a, self.near)
            s.failed += not s.makes(a)


def _groups(suspects: Iterable[Suspect]) -> Iterator[list[Suspect]]:
    """Yield suspects with their rivals, those that make most answers first."""
    left = sorted(suspects, key=lambda s: -len(s.made))
    for _ in range(MOST_TRIED):
        if not left:
            return
        first = left[0]
        rivals = [s for s in left if 2 * len(s.made & first.made) >= len(first.made)]
        yield rivals[:MOST_RIVALS]
        left = [s for s in left if s not in rivals[:MOST_RIVALS]]


def _kinds(suspects: Iterable[Suspect]) -> Iterator[Suspect]:
    """Yield a suspect for each kind with several: a bug that is not always the same."""
    kinds: dict[str, list[Suspect]] = {}
    for suspect in sorted(suspects, key=lambda s: -len(s.made)):
        kinds.setdefault(suspect.flag, []).append(suspect)
    for some in kinds.values():
        if len(some) > 1:
            kind = Suspect(*(theory for s in some for theory in s.theories))
            kind.made = {i for s in some for i in s.made}
            yield kind


def _surest(suspects: Sequence[Suspect], key: Callable[[Suspect], object]) -> list[Suspect]:
    """Return the suspects with the least of a key, late stages first; [] if of too many kinds."""
    least = min(map(key, suspects), default=None)  # type: ignore[type-var]
    best = [s for s in suspects if key(s) == least]
    count = Counter(s.flag for s in best)
    if len(count) > MOST_SAID:
        return []

    def place(s: Suspect) -> tuple[int, int, int]:
        return -STAGES.index(s.theories[0].bugs[0].stage), -len(s.made), -count[s.flag]

    return sorted(best, key=place)


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


# ---- facts


def _facts_about(left: Mapping[int, Answered], right: Sequence[AskedProblem]) -> list[Name]:
    """Return what answers without a name share, or show by themselves."""
    names: dict[Theory, set[int]] = {}
    has_right = len(right) >= LEAST
    shared = [*_of_single_precision(left, has_right), *_of_all_offsets(left)]
    shared += _of_cancellation(left, right)
    rest = dict(left)
    for theory, some in shared:
        names.setdefault(theory, set()).update(some & set(rest))
        rest = {i: a for i, a in rest.items() if i not in some}
    for i, a in rest.items():
        names.setdefault(next(facts_of(a)), set()).add(i)
    stopped = names.get(STOPPED, set())
    for theory in [t for t in names if t.flag in HOW_IT_STOPPED and len(names[t]) < len(stopped)]:
        stopped |= names.pop(theory)  # where it stopped is chance
    return [Name(theory, (), tuple(sorted(some))) for theory, some in names.items()]


def _of_all_offsets(wrong: Mapping[int, Answered]) -> Iterator[tuple[Theory, set[int]]]:
    """Yield what most answers of which b alone is wrong have in common: b, or its error."""
    kept: dict[tuple[str, float], set[int]] = {}
    alone = 0
    for i, a in wrong.items():
        e = a.evidence
        if e is None or not a.asked.task.bias or shape_of(e).bent:
            continue
        alone += 1
        shift, best = shape_of(e).shift, e.truth.optimum
        b = round(nearest_double(shift / e.factor), DIGITS)
        kept.setdefault((f"b is {b:g} in every answer", b), set()).add(i)
        if best.b_low == best.b_high:
            off = round(nearest_double(shift - best.b_low), DIGITS)
            kept.setdefault((f"b is off by {off:g} in every answer", off), set()).add(i)
    for (words, value), fits in kept.items():
        if value != 0 and len(fits) >= max(LEAST, MIN_SHARE * alone):
            yield Theory("Offset", words), fits


def _of_cancellation(
    wrong: Mapping[int, Answered], right: Sequence[AskedProblem]
) -> Iterator[tuple[Theory, set[int]]]:
    """Yield which answers are off as far as rounded products are: how they are is chance.

    The subject is right where single precision does not suffice.
    """
    for i, a in wrong.items():
        outcome, best = a.asked.outcome([PRODUCTS]), a.asked.outcome(())
        if outcome is None or best is None or not a.asked.shows(PRODUCTS):
            continue
        errors = [abs(p - q) for p, q in zip(outcome.decisions(), best.decisions())]
        if a.error <= WIDE * max(errors) and any(p.shows(SINGLE) for p in right):
            yield Theory(PRODUCTS.flag, PRODUCTS.words), {i}


def _of_single_precision(
    wrong: Mapping[int, Answered], has_right: bool
) -> Iterator[tuple[Theory, set[int]]]:
    """Yield that answers are wrong just where kernel values of single precision do not suffice."""
    small = {i: a for i, a in wrong.items() if a.size[0] <= MOST_EXAMPLES}
    shown = {i for i, a in small.items() if a.asked.shows(SINGLE)}
    if has_right and len(shown) >= LEAST and len(shown) >= MIN_SHARE * len(small):
        yield Theory(SINGLE.flag, SINGLE.words), shown
