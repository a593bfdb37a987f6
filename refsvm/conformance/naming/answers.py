"""An answer of the subject: what it tells, whether some bugs make it, and what it shows by itself.

    seen      a wrong answer of the run, and what its checks say of it
    asked     its problem, and what each bug would answer
    theory    bugs that are composed; or a fact, which has no bugs: a flag and words alone

A fact is read off an answer: that its multipliers break their bounds, that all its decisions are
off by the same, or that they are all one number. Facts stand where no bug foretells the answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import Any, NamedTuple

from ...numerics.linalg import dot, squared_distance
from ...numerics.rounding_bounds import nearest_double
from ..cases.flags import BUGS
from ..protocol import Answer
from ..protocol.forms import C_SVC
from ..truth import Evidence, shape_of
from ..wrong.pipeline import AfterTraining, Outcome
from ..wrong.solver import of_own_multipliers
from ..wrong.tasks import Bug, Task, task_of
from .asked import AskedProblem, asked_of, is_said, shifts

ALIKE = 1e-4  # of the largest multiplier
MIN_FACTOR_OFF = 0.005  # a factor that says nothing
Floats = list[float]


class Theory(NamedTuple):
    """What may explain a wrong answer: bugs that are composed, or a fact: a flag and words."""

    flag: str
    words: str
    bugs: tuple[Bug, ...] = ()


class Seen(NamedTuple):
    """A wrong answer of a run.

    contradiction   that answers to one problem contradict each other: a fact that goes first
    relation        that it is none to a problem in another way: a fact that goes last
    Where it says of itself that it is none, there is no evidence.
    """

    evidence: Evidence | None
    contradiction: Theory | None = None
    relation: Theory | None = None

    def is_of(self, flag: str) -> bool:
        """Return whether the answer says of itself what it is, and it is this."""
        return self.evidence is None and of_itself(self).flag == flag


WRONG = Theory("Wrong", "")
LABELS_ALONE = Theory("Wrong", "labels are all that it tells, and a name needs decisions")
NOT_BEST = Theory("Wrong", "the multipliers keep their bounds, and are not optimal")
STOPPED = Theory("StoppedEarly", BUGS["StoppedEarly"])
FLIPPED = Theory("SignFlipped", BUGS["SignFlipped"])
FLAT = Theory("NothingLearnt", BUGS["NothingLearnt"])
OUTSIDE = Theory("AlphaOutside", BUGS["AlphaOutside"])
OFFSET = Theory("Offset", BUGS["Offset"])


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
    return [nearest_double(f) / (nearest_double(rho) or 1.0) for f in e.decisions]


class Answered(NamedTuple):
    """An answer beside what is known of its problem.

    f             its decisions
    beta          the multipliers that it tells, None if it tells none
    evidence      what the run knows of it; None of a fresh problem
    tells_model   it tells multipliers, or w, that decide as it does; so it decides rightly
    """

    asked: AskedProblem
    f: Floats
    beta: Floats | None
    tells_model: bool
    seen: Seen = Seen(None)
    evidence: Evidence | None = None

    def is_made_by(self, theory: Theory, near: float | None = None) -> bool | None:
        """Return whether a theory makes this answer; None where it changes nothing.

        near: how far a decision may be off, in parts of the largest. None: what is allowed of it.
        """
        if self.tells_model:
            outcome = self.asked.outcome_as_told(theory.bugs, tells_w=self.beta is None)
        else:
            outcome = self.asked.outcome(theory.bugs)
        if outcome is None:
            return None
        return is_said(outcome, self.f, self.room(near)) and self._is_told(theory, outcome)

    @property
    def error(self) -> float:
        """How far the decisions are from right ones, at most."""
        right = self.asked.outcome(())
        f = self.f if right is None else right.decisions()
        return max(abs(p - q) for p, q in zip(f, self.f))

    def room(self, near: float | None = None) -> Floats:
        """Return how far each decision may be from what is foretold."""
        if near is None:
            return self.asked.room(self.f)
        right = self.asked.outcome(())
        others = () if right is None else right.decisions()
        return [near * max(map(abs, (*self.f, *others)))] * len(self.f)

    def _is_told(self, theory: Theory, outcome: Outcome) -> bool:
        """Return whether the multipliers that are told are those of a theory, or as good."""
        fitted = outcome.fitted
        if self.beta is None:
            return True
        if len(self.beta) != fitted.task.n:  # examples that are left out have no say
            return len([c for c in self.beta if c != 0]) <= fitted.task.n
        if not self.tells_model and not self._is_feasible():
            return True  # in a convention of its own
        if any(bug.stage == "solve" for bug in theory.bugs):
            return self.tells_beta_of(fitted)
        return fitted.accepts(self.beta)

    def _is_feasible(self) -> bool:
        """Return whether multipliers are within their bounds; those of a run, balanced, too."""
        if self.evidence is not None:
            return self.evidence.truth.measure.infeasibility(self.evidence.beta) is None
        pairs = zip(self.beta or (), self.asked.task.bounds)
        return all(abs(c) <= bound * (1 + ALIKE) for c, bound in pairs)

    def tells_beta_of(self, fitted: AfterTraining) -> bool:
        """Return whether the multipliers that are told are those of a machine."""
        beta = self.beta or []
        near = ALIKE * max(map(abs, beta), default=0.0)
        alike = all(abs(p - q) <= near for p, q in zip(beta, fitted.beta))
        return alike and len(beta) == len(fitted.beta)

    @property
    def is_flat(self) -> bool:
        """Whether all decisions are 0, or the same where they should differ: so many bugs answer.

        Multipliers that are told, and are not all 0, tell more.
        """
        some = min(self.asked.room(self.f))
        differ = max(self.asked.scores) - min(self.asked.scores) > some
        same = max(self.f) - min(self.f) <= some and (differ or max(map(abs, self.f)) <= some)
        return same and not (self.tells_model and any(self.beta or ()))

    @property
    def size(self) -> tuple[int, int]:
        """How many examples and features."""
        return self.asked.size

    @property
    def kind(self) -> object:
        """What decides which bugs show."""
        return self.asked.kind, self.seen.contradiction, self.seen.relation


def _tells_model(asked: AskedProblem, f: Floats, beta: Any, b: Any) -> bool:
    """Return whether decisions are those of the multipliers and b that are told."""
    if asked.right is None or b is None or beta is None or len(beta) != asked.task.n:
        return False
    scores = asked.scores_of(list(map(nearest_double, beta)))
    near = zip(f, scores, asked.room(f))
    return all(abs(v - s - nearest_double(b)) <= a for v, s, a in near)


def answered(seen: Seen) -> Answered | None:
    """Return an answer beside its problem; None of one that says no decisions."""
    e = seen.evidence
    if e is None or e.decisions is None:
        return None
    asked, f = asked_of(_task_asked(e), e.truth), _decisions_of(e)
    if not all(map(isfinite, f)):
        return None
    beta = None if e.beta is None else list(map(nearest_double, e.beta))
    rho = nearest_double(e.factor)
    told = e.stated is None or _tells_model(asked, [v * rho for v in f], e.beta, e.b)
    return Answered(asked, f, beta, told, seen, e)


def answered_afresh(asked: AskedProblem, answer: Answer) -> Answered | None:
    """Return the answer to a fresh problem beside it; None of one that tells no decisions."""
    task, beta, b = asked.task, answer.beta, answer.b
    if answer.alpha is not None:
        beta = [a * y for a, y in zip(answer.alpha, task.y)] if task.is_labelled else answer.alpha
    f, is_told = answer.decisions, True
    if f is not None:
        rho = answer.rho if task.form == "nu_svc" and answer.rho else 1.0
        is_told = _tells_model(asked, f, beta, b)
        f = [v / rho for v in f]
    elif b is not None and beta is not None and len(beta) == task.n and task.form == C_SVC:
        f = [s + b for s in asked.scores_of(list(beta))]
    elif b is not None and answer.w is not None:
        f = [float(dot(answer.w, row)) + b for row in task.rows]
    if f is None or len(f) != len(task.rows) or not all(map(isfinite, f)):
        return None
    return Answered(asked, list(f), None if beta is None else list(beta), is_told)


# ---- facts


def facts_of(a: Answered) -> Iterator[Theory]:
    """Yield what an answer shows by itself, what says most first."""
    if a.seen.contradiction is not None:
        yield a.seen.contradiction
    read_off = [] if a.evidence is None else _read_off(a.evidence)
    if FLIPPED in read_off and not a.asked.is_right([-v for v in a.f]):
        read_off = [OUTSIDE]
    yield from (theory for theory in read_off if theory != STOPPED)
    if a.is_flat:
        yield FLAT
    yield from read_off
    if _is_wrong_far_out(a):
        yield Theory("FarRows", BUGS["FarRows"])
    if a.asked.right is not None:
        yield from _by_length(a, a.asked.right)
    if a.seen.relation is not None:
        yield a.seen.relation
    yield WRONG


def of_itself(seen: Seen) -> Theory:
    """Return what an answer shows by itself, before anything is held against it."""
    e, facts = seen.evidence, [seen.contradiction]
    if e is not None and e.decisions is not None:
        facts += _read_off(e)
    elif e is not None:
        facts.append(LABELS_ALONE)
    return next(filter(None, [*facts, seen.relation]), WRONG)


def _read_off(e: Evidence) -> list[Theory]:
    """Return what multipliers that are told say; where they are right, whether b alone is wrong.

    Then all decisions are off by the same, and there is an offset to be wrong.
    """
    found = [Theory(*read) for read in of_own_multipliers(e)]
    if found or not getattr(e.truth.problem, "bias", True):
        return found
    shape = shape_of(e)
    return [OFFSET] if not shape.bent and shape.outside else []


def _is_wrong_far_out(a: Answered) -> bool:
    """Return whether the wrong rows, two at least, are decided alike and are the far ones."""
    outcome, task = a.asked.outcome(()), a.asked.task
    if outcome is None or not task.has_features:
        return False
    far: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    for v, right, room, row in zip(a.f, outcome.decisions(), a.asked.room(a.f), task.rows):
        distance = min(float(squared_distance(row, x)) for x in task.X)
        far[abs(v - right) > room].append((distance, v))
    said = [v for _, v in far[True]]
    if len({distance for distance, _ in far[True]}) < 2 or not far[False]:
        return False
    alike = max(said) - min(said) <= min(a.asked.room(a.f))
    return alike and min(far[True])[0] > max(far[False])[0]


def _by_length(a: Answered, right: AfterTraining) -> Iterator[Theory]:
    """Yield that decisions are a multiple of the right ones, whatever the offset.

    A factor near 1 is what is left where a solver stops early.
    """
    s = [v / right.widths()[0] for v in right.scores]
    low, high = s.index(min(s)), s.index(max(s))
    wide = s[high] - s[low]
    if not wide > 0 or a.asked.task.has_features and len(a.asked.task.X[0]) < 2:
        return
    factor = (a.f[high] - a.f[low]) / wide
    is_another = factor > 0 and abs(factor - 1) > MIN_FACTOR_OFF
    if is_another and shifts(a.f, [factor * v for v in s], a.asked.room(a.f)) is not None:
        yield Theory("Length", f"the decisions are {factor:.6g} times as large")
