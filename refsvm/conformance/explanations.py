"""What may explain a wrong answer, and the answers that known bugs would give.

    guess        what a known bug would answer: scores, and the offsets that go with them
    explanation  the bug whose guess the answer is, and how little that bug allows
    diagnosis    every explanation of one answer, and the bugs whose guesses it is not

Guesses are computed in floats: they name a bug, they judge nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from math import inf, isfinite
from typing import Any, NamedTuple

from ..numerics.linalg import dot
from ..solvers.active_set import active_set
from ..solvers.smo import smo
from .cases.flags import BUGS
from .protocol import NumericProblem
from .truth import Evidence, middle_offset

FEW_EXAMPLES = 16  # for so many the active set is quicker than SMO
GUESS_TOL = 1e-6
MOST_STEPS = 1000  # of a problem that is solved for a guess
Floats = list[float]


class Explanation(NamedTuple):
    """A bug that makes the answer what it is.

    flag     a key of BUGS                      why      words that end a sentence about the answer
    weight   how little it allows: 1 for one answer and no other, 1/k for a choice among k
    variant  what is the same in every case of one program that has the bug; "" means: `why`
    second   a second bug, where it takes two
    """

    flag: str
    why: str
    weight: float = 1.0
    variant: str = ""
    second: Explanation | None = None

    @property
    def identity(self) -> str:
        """The bug and its variant, whatever the case."""
        return f"{self.flag}: {self.variant or self.why}"

    @property
    def identities(self) -> tuple[str, ...]:
        """Those of the bug, and of the second if there is one."""
        return (self.identity, *(self.second.identities if self.second else ()))


class Diagnosis(NamedTuple):
    """What was found about one wrong answer.

    fits       every Explanation, the likeliest first
    missed     identities of those that it is not
    postponed  the Evidence, if what takes long to find out was not looked for yet
    relation   what is to be said if nothing else explains that a relation is broken
    """

    fits: tuple[Explanation, ...]
    missed: frozenset[str] = frozenset()
    postponed: Evidence | None = None
    relation: Explanation | None = None


class Wanted:
    """Which explanations are looked for: all, or those with one of some identities.

    None of those that the run has dropped is.
    """

    def __init__(
        self, identities: Collection[str] | None = None, dropped: Collection[str] = ()
    ) -> None:
        self.identities, self.dropped = identities, dropped
        self.flags = {identity.partition(":")[0] for identity in identities or ()}

    def any_of(self, *flags: str) -> bool:
        """Return whether one of these flags is looked for."""
        return self.identities is None or not self.flags.isdisjoint(flags)

    def has(self, explanation: Explanation) -> bool:
        """Return whether an explanation is looked for."""
        identity = explanation.identity
        wanted = self.identities is None or identity in self.identities
        return wanted and identity not in self.dropped


EVERY = Wanted()


class Guess(NamedTuple):
    """The answer of a known bug: f is scores + b, with b from low to high; and its beta."""

    scores: Floats
    low: float
    high: float
    beta: Floats | None = None

    def changed(self, factor: float, added: float = 0.0) -> Guess:
        """Return the Guess of a program whose decisions are factor f + added."""
        low, high = sorted((factor * self.low + added, factor * self.high + added))
        return Guess([factor * s for s in self.scores], low, high)


def bug(flag: str, weight: float = 1.0) -> Explanation:
    """Return the Explanation in the words of BUGS."""
    return Explanation(flag, BUGS[flag], weight)


def to_float(value: Any) -> float:
    """Return the nearest double; an infinity beyond them."""
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


class Decisions:
    """The decisions of an answer as floats, to be held against guesses."""

    def __init__(self, e: Evidence) -> None:
        best = e.truth.optimum
        self.f = [to_float(f) for f in e.decisions]
        self.allowed = [to_float(a) for a in e.truth.allowed]
        scores = [to_float(s) for s in e.truth.scores]
        self.right = Guess(scores, to_float(best.b_low), to_float(best.b_high))
        self.finite = all(map(isfinite, [*self.f, *scores]))

    def shifts(self, scores: Sequence[float], f: Sequence[float] | None = None) -> Any:
        """Return the least and the largest b for which f is scores + b; None if there is none."""
        off = [p - s for p, s in zip(self.f if f is None else f, scores)]
        least = max(o - a for o, a in zip(off, self.allowed))
        most = min(o + a for o, a in zip(off, self.allowed))
        return (least, most) if least <= most else None

    def are_same(self, scores: Sequence[float]) -> bool:
        """Return whether scores may all be one number, to what is allowed."""
        return max(scores) - min(scores) <= 2 * min(self.allowed)

    def are(self, guess: Guess) -> bool:
        """Return whether these are the decisions of a guess."""
        shifts = self.shifts(guess.scores)
        return shifts is not None and shifts[0] <= guess.high and guess.low <= shifts[1]

    def tell_apart(self, guess: Guess) -> bool:
        """Return whether a guess is another answer than the right one."""
        shifts = self.shifts(guess.scores, [s + self.right.low for s in self.right.scores])
        wide = self.right.high - self.right.low
        return shifts is None or shifts[0] > guess.high or guess.low > shifts[1] + wide


def guess_optimum(problem: NumericProblem, rows: Any) -> Guess | None:
    """Return the Guess that a problem on floats is solved; None if that is not found at once."""
    if not all(0 < c for c in problem.C):
        return None
    solution = None
    if problem.n <= FEW_EXAMPLES:
        solution = active_set(problem, tol=GUESS_TOL, max_iter=MOST_STEPS)
    if solution is None or solution.status == "indefinite":
        solution = smo(problem, tol=GUESS_TOL, max_iter=MOST_STEPS)
    if solution.status not in ("optimal", "precision", "indefinite"):
        return None
    beta = problem.beta(solution.alpha)
    low, high = sorted((to_float(solution.b_low), to_float(solution.b_high)))
    guess = Guess(float_scores(problem, beta, rows), low, high, beta)
    return guess if all(map(isfinite, [*guess.scores, low, high])) else None


def float_scores(problem: NumericProblem, beta: Any, rows: Any) -> Any:
    """Return sum beta_i K(x_i, x) of each row, in floats."""
    if problem.linear:
        w = problem.weights([c * y for c, y in zip(beta, problem.y)])
        return [dot(w, x) for x in rows]
    support = [i for i, c in enumerate(beta) if c != 0]
    if not problem.kernel.has_rows:
        return [dot([beta[i] for i in support], [x[i] for i in support]) for x in rows]
    row = problem.kernel.row_function([problem.X[i] for i in support], float)
    return [dot([beta[i] for i in support], row(x)) for x in rows]


def float_kernel_rows(problem: NumericProblem, rows: Any) -> list[Floats]:
    """Return the kernel values of each row with the examples, in floats."""
    if not problem.kernel.has_rows:
        return [list(map(float, x)) for x in rows]
    row = problem.kernel.row_function(problem.X, float)
    return [list(row(x)) for x in rows]


def optimal_beta(e: Evidence) -> list[Fraction]:
    """Return alpha_i y_i of an optimum of the problem that was asked."""
    beta: list[Fraction] = e.truth.problem.beta(e.truth.alpha)
    return beta


def stated_or_optimal_beta(e: Evidence) -> list[Fraction]:
    """Return the answer's alpha_i y_i, or if it has none an optimum's."""
    return optimal_beta(e) if e.beta is None else e.beta


def begins_with_examples(e: Evidence) -> bool:
    """Return whether the rows that are asked about are the examples first."""
    n = e.truth.problem.n
    return bool(e.truth.rows[:n] == e.truth.problem.X)


def decisions_at_examples(e: Evidence, decisions: Decisions) -> Floats | None:
    """Return the decisions about the examples; None if some were not asked about."""
    found = {tuple(row): f for row, f in zip(e.truth.rows, decisions.f)}
    at = [found.get(tuple(x)) for x in e.truth.problem.X]
    return None if None in at else [f for f in at if f is not None]


def right_decisions(e: Evidence) -> Floats:
    """Return decisions that are right, as floats."""
    b = middle_offset(e.truth.optimum)
    return [to_float(s + b) for s in e.truth.scores]
