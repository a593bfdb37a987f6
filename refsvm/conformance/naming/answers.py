"""What is seen of a run: its wrong answers, and what each shows by itself.

    seen      a wrong answer, and what its checks say of it
    asked     its problem, and what each bug would answer
    theory    what may explain it: a bug, or two, or what is said where none fits

A theory without bugs is read off an answer: that its multipliers break their bounds, that all its
decisions are off by the same, or that they are all one number.

Where decisions are all that is known of a program, the nearest multipliers tell whether it has
solved some dual problem part of the way: its decisions are then those of feasible multipliers.

    beta    alpha_i y_i, from low_i to high_i; their sum is 0 where there is an offset
    r_i     what the score of example i lacks of its decision
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, isfinite
from typing import Any, NamedTuple

from ...numerics.linalg import squared_distance
from ...numerics.rounding_bounds import nearest_double
from ..cases.flags import BUGS
from ..protocol.forms import C_SVC
from ..truth import Evidence, shape_of
from ..wrong.pipeline import AfterTraining, Outcome, fitted_with
from ..wrong.solver import SOMETHING, of_own_multipliers
from ..wrong.tasks import Bug, Task, as_gram, task_of
from .asked import AskedProblem, asked_of, is_said, shifts

ALIKE = 1e-4  # of the largest multiplier
LEAST = 3  # answers that have a name, where so many could show it
SAME = 0.5  # is allowed by decisions that are all the same
VAGUE = 0.3
Floats = list[float]


class Theory(NamedTuple):
    """What may explain a wrong answer: bugs that are composed, or a flag and words alone."""

    flag: str
    words: str
    allows: float
    bugs: tuple[Bug, ...] = ()

    @property
    def stage(self) -> str | None:
        """The stage of the first of its bugs."""
        return self.bugs[0].stage if self.bugs else None


class Seen(NamedTuple):
    """A wrong answer of a run; hints: what its checks say of it, as that it breaks a relation.

    Where nothing but its hints can name it, there is no evidence.
    """

    evidence: Evidence | None
    hints: tuple[Theory, ...] = ()

    def is_of(self, flag: str) -> bool:
        """Return whether the answer says of itself what it is, and it is this."""
        return self.evidence is None and self.hints[0].flag == flag


WRONG = Theory("Wrong", "", 0.01)
LABELS_ALONE = Theory("Wrong", "labels are all that it tells, and a name needs decisions", 0.02)
OFFSET = Theory("Offset", BUGS["Offset"], VAGUE)
STOPPED = Theory("StoppedEarly", BUGS["StoppedEarly"], SOMETHING)


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
    tells_model   it tells multipliers, or w, that decide as it does; so it decides rightly
    """

    seen: Seen
    evidence: Evidence
    asked: AskedProblem
    f: Floats
    tells_model: bool

    def is_made_by(self, theory: Theory) -> bool | None:
        """Return whether a theory makes this answer; None where it changes nothing."""
        if self.tells_model:
            outcome = self.asked.outcome_as_told(theory.bugs, tells_w=self.evidence.beta is None)
        else:
            outcome = self.asked.outcome(theory.bugs)
        if outcome is None:
            return None
        said = is_said(outcome, self.f, self.asked.room(self.f))
        return said and self._is_told(theory, outcome)

    def _is_told(self, theory: Theory, outcome: Outcome) -> bool:
        """Return whether the multipliers that are told are those of a theory, or as good."""
        e, fitted = self.evidence, outcome.fitted
        if e.beta is None:
            return True
        if len(e.beta) != fitted.task.n:  # examples that are left out have no say
            return len([c for c in e.beta if c != 0]) <= fitted.task.n
        if not self.tells_model and e.truth.measure.infeasibility(e.beta) is not None:
            return True  # in a convention of its own
        if any(bug.stage == "solve" for bug in theory.bugs):
            return self.tells_beta_of(fitted)
        return fitted.accepts(list(map(nearest_double, e.beta)))

    def tells_beta_of(self, fitted: AfterTraining) -> bool:
        """Return whether the multipliers that are told are those of a machine."""
        beta = list(map(nearest_double, self.evidence.beta or ()))
        near = ALIKE * max(map(abs, beta), default=0.0)
        alike = all(abs(p - q) <= near for p, q in zip(beta, fitted.beta))
        return alike and len(beta) == len(fitted.beta)

    @property
    def is_flat(self) -> bool:
        """Whether all decisions are the same, where they should differ: so many bugs answer.

        Multipliers that are told, and are not all 0, tell more.
        """
        some = min(self.asked.room(self.f))
        same = max(self.f) - min(self.f) <= some < max(self.asked.scores) - min(self.asked.scores)
        return same and not (self.tells_model and any(self.evidence.beta or ()))

    @property
    def size(self) -> tuple[int, int]:
        """How many examples and features."""
        return self.asked.size

    @property
    def kind(self) -> object:
        """What decides which bugs show."""
        return self.asked.kind, self.seen.hints


def _tells_model(e: Evidence, asked: AskedProblem) -> bool:
    """Return whether an answer's decisions are those of the multipliers and b that it tells."""
    if e.stated is None:
        return True
    known = asked.right is not None and e.b is not None and e.beta is not None
    if not known or len(e.beta) != asked.task.n:
        return False
    f, b = list(map(nearest_double, e.stated)), nearest_double(e.b)
    scores = asked.scores_of(list(map(nearest_double, e.beta)))
    rho = nearest_double(e.factor)
    return all(abs(v - s - b) <= rho * a for v, s, a in zip(f, scores, asked.room(f)))


# ---- what is said where no entry fits


def theories_of_itself(a: Answered) -> Iterator[Theory]:
    """Yield what an answer shows by itself: its multipliers, its shape."""
    yield from a.seen.hints
    if a.is_flat:
        yield Theory("NothingLearnt", BUGS["NothingLearnt"], SAME)
    yield WRONG
    right, read_off = a.asked.right, _read_off(a.evidence)
    yield from read_off
    if _is_wrong_far_out(a):
        yield Theory("FarRows", BUGS["FarRows"], SAME)
    if right is not None and OFFSET not in read_off:
        yield from _by_length(a, right)


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
    """Return whether the wrong rows are all decided alike, and are those far from the examples."""
    outcome, task = a.asked.outcome(()), a.asked.task
    if outcome is None or not task.has_features:
        return False
    far: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    for v, right, room, row in zip(a.f, outcome.decisions(), a.asked.room(a.f), task.rows):
        distance = min(float(squared_distance(row, x)) for x in task.X)
        far[abs(v - right) > room].append((distance, v))
    if not far[True] or not far[False]:
        return False
    said = [v for _, v in far[True]]
    alike = max(said) - min(said) <= min(a.asked.room(a.f))
    return alike and min(far[True])[0] > max(far[False])[0]


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


def is_on_the_way(a: Answered) -> bool:
    """Return whether decisions, which are all that is told, are those of feasible multipliers."""
    if a.evidence.beta is not None:
        return False
    scores = _scores_on_the_way(a.asked.task, a.f, min(a.asked.allowed) / 4)
    off = None if scores is None else shifts(a.f, scores, a.asked.room(a.f))
    return off is not None and (a.asked.task.bias or off[0] <= 0 <= off[1])


def of_itself(seen: Seen) -> Theory:
    """Return what an answer shows by itself, before anything is held against it."""
    e = seen.evidence
    shown = list(seen.hints)
    if e is not None and e.decisions is not None:
        shown += _read_off(e)
    elif e is not None:
        shown.append(LABELS_ALONE)
    return max([*shown, WRONG], key=lambda theory: theory.allows)


def answered(seen: Seen) -> Answered | None:
    """Return an answer beside its problem; None of one that says no decisions."""
    e = seen.evidence
    if e is None or e.decisions is None:
        return None
    asked, f = asked_of(_task_asked(e), e.truth), _decisions_of(e)
    return Answered(seen, e, asked, f, _tells_model(e, asked)) if all(map(isfinite, f)) else None


MOST_STEPS = 400
MOST_SOUGHT = 40  # examples whose multipliers are found from decisions
LARGEST = 1e6  # bound of a multiplier that has none


class PairStep(NamedTuple):
    """Add `length` to beta_i, and take it from beta_j if there is a j."""

    i: int
    j: int | None
    length: float


def _scores_on_the_way(task: Task, f: list[float], allowed: float) -> list[float] | None:
    """Return the scores of the rows that feasible multipliers make, nearest to the decisions.

    None of a problem of another machine, or large, or whose examples were not asked about.
    """
    if task.form != C_SVC or task.slack != "hinge" or task.n > MOST_SOUGHT:
        return None
    said = {tuple(row): v for row, v in zip(task.rows, f)}
    at = [said.get(tuple(x)) for x in task.X]
    there = [v for v in at if v is not None]
    if len(there) < task.n:
        return None
    K = as_gram(task).X
    beta = _nearest_beta(task, K, there, allowed)
    alpha = [c * y for c, y in zip(beta, task.y)]
    return fitted_with(task, alpha).scores


def _nearest_beta(
    problem: Task, K: list[list[float]], decisions: list[float], allowed: float
) -> list[float]:
    """Return beta whose scores are nearest to the decisions about the examples."""
    bounds = [min(C, LARGEST) for C in problem.bounds]
    low = [0.0 if y > 0 else -C for y, C in zip(problem.y, bounds)]
    high = [C if y > 0 else 0.0 for y, C in zip(problem.y, bounds)]
    beta, r = [0.0] * problem.n, list(decisions)
    find = _best_pair if problem.bias else _best_example
    for _ in range(MOST_STEPS):
        step = find(K, r, beta, low, high, allowed)
        if step is None:
            break
        i, j, t = step
        beta[i] += t
        change = [t * v for v in K[i]]
        if j is not None:
            beta[j] -= t
            change = [t * (p - q) for p, q in zip(K[i], K[j])]
        r = [v - c for v, c in zip(r, change)]
    return beta


def _best_pair(K: Any, r: Any, beta: Any, low: Any, high: Any, allowed: float) -> PairStep | None:
    """Return the step on the pair whose r differ most; None if they hardly do."""
    up = [k for k, c in enumerate(beta) if c < high[k]]
    down = [k for k, c in enumerate(beta) if c > low[k]]
    if not up or not down:
        return None
    i, j = max(up, key=lambda k: r[k]), min(down, key=lambda k: r[k])
    if r[i] - r[j] <= allowed:
        return None
    curvature = K[i][i] + K[j][j] - 2 * K[i][j]
    best = (r[i] - r[j]) / curvature if curvature > 0 else inf
    return PairStep(i, j, min(best, high[i] - beta[i], beta[j] - low[j]))


def _best_example(
    K: Any, r: Any, beta: Any, low: Any, high: Any, allowed: float
) -> PairStep | None:
    """Return the step on the example that lacks most; None if none lacks much."""
    steps = []
    for k, v in enumerate(r):
        best = v / K[k][k] if K[k][k] > 0 else 0.0
        steps.append(max(low[k] - beta[k], min(high[k] - beta[k], best)))
    i = max(range(len(r)), key=lambda k: abs(r[k] * steps[k]))
    return PairStep(i, None, steps[i]) if abs(r[i]) > allowed and steps[i] else None
