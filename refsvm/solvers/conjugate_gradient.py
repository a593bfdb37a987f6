"""Between two steps: conjugate gradients over all free multipliers at once.

Once a solver has found which multipliers lie strictly between their bounds, what is left is a
system of equations on these (the face of the box they lie on), and steps of one or two multipliers
creep along its narrow valleys: without this, four points and C = 10^6 can take half a million
steps. Conjugate gradients solve the system in as many steps as it has unknowns, in exact
arithmetic.

Throughout this module
    index   the free examples: those with beta strictly between its bounds
    K, r    their block of the kernel matrix, and their residuals
    g       r less its mean over each group: the steepest way up that keeps the sums of beta
    p       the direction, conjugate to the ones before: p' K p_before = 0
    t       the step length: to the best point of the line, or to the first bound on it

A multiplier that meets its bound stays there and leaves the face; the directions start anew. They
do so, too, where p no longer sums to zero over a group. If K is singular and p has no curvature,
the line has no best point but its end, which is a bound.

Source: Hestenes and Stiefel, Journal of Research of the National Bureau of Standards 49 (1952),
pages 409-436.
"""

from __future__ import annotations

from bisect import bisect_left
from math import inf
from operator import itemgetter
from typing import Any

from ..numerics.linalg import difference, dot, total
from ..numerics.types import Number, Vector
from .dual_program import best_travel
from .face_system import IN_DOUBT, solve_face

CG_STEPS = 10  # for each unknown, at most: exact numbers need one, rounded ones some more
LOST_PARTS = 2**40  # a sum beyond one part in so many of the size of a direction is no rounding
MAX_CG_FACE = 250  # examples on a face: more of them are left to face_system.py


def move_free_multipliers(ascent: Any, tol: Number, budget: int) -> Any:
    """Move the free beta of a DualAscent towards the optimum of their face; the dual's gain.

    Stops when their residuals differ by at most tol / 2, or when the budget is spent, or when
    no step is left. The budget is a number of multiplications; where it was spent, and the dual
    grew, the next is twice as large, up to CG_STEPS for each unknown of its face. O(f n) for f
    that moved, and their kernel rows. Standard: S3.7.
    """
    face = Face(ascent)
    if len(face.index) > ascent.largest_face:
        return solve_large_face(ascent, face, tol, budget)
    budget = max(budget, min(ascent.patience * budget, CG_STEPS * len(face.index) ** 3))
    while face.index and face.violation() > tol / 2:
        budget -= len(face.index) ** 2
        if budget < 0 or not face.step():
            break
    ascent.unbounded_direction = face.unbounded_direction
    gain = ascent.update_after_moving_from(face.start)
    was_short = budget < 0 and ascent.dual + gain > ascent.dual
    ascent.patience = 2 * ascent.patience if was_short else 1
    return gain


def solve_large_face(ascent: Any, face: Face, tol: Number, budget: int) -> Any:
    """Solve a face of many at once, when as much was saved as that costs; the dual's gain (S3.7).

    f^3 / 6 multiplications, which count for more on the largest faces. What a face may have each
    time is saved until then, and steps settle meanwhile who is on it.
    """
    f = len(face.index)
    if f > ascent.largest_system or face.violation() <= tol / 2:
        ascent.patience = 1
        return ascent.zero
    work = f**3 // 6 * (IN_DOUBT if f > ascent.usual_system else 1)
    if work > ascent.patience * budget:
        ascent.patience += 1
        return ascent.zero
    ascent.patience = 1
    solve_face(face, tol, ascent.noise)
    return ascent.update_after_moving_from(face.start)


class Face:
    """The free multipliers cut out of a DualAscent. Their residuals are kept up to date here."""

    def __init__(self, ascent: Any) -> None:
        both = zip(ascent.up, ascent.low)
        self.index = [k for k, (u, v) in enumerate(both) if u > -inf and v < inf]
        self.group_ends = [g.stop for g in ascent.form.groups]
        self.form, self.beta = ascent.form, ascent.beta
        self.start = {i: ascent.beta[i] for i in self.index}
        self.r = [ascent.up[i] for i in self.index]
        self.row = ascent.row
        self.K: Any = None
        self.p: Any = None
        self.g_norm2: Any = None
        self.unbounded_direction: dict[int, Any] | None = None

    def violation(self) -> Any:
        """m - M: how far residuals of a group are apart, at most; from zero without a group."""
        if not self.group_ends:
            return max(max(self.r), -min(self.r))
        return max(max(r) - min(r) for r in self.in_groups(self.r) if r)

    def in_groups(self, values: list[Any]) -> list[list[Any]]:
        """The values of the face, a list for each group; one of all if there is none."""
        if len(self.group_ends) < 2:
            return [values]
        ends = [bisect_left(self.index, end) for end in self.group_ends]
        return [values[begin:end] for begin, end in zip([0, *ends], ends)]

    def step(self) -> bool:
        """Take one conjugate step; whether there was one to take (S3.7)."""
        if not self.next_direction():
            return False
        Kp = [dot(row, self.p) for row in self.K]
        ends = [self.length_to_bound(i, q) for i, q in zip(self.index, self.p)]
        t = best_travel(dot(self.p, self.r), dot(self.p, Kp), 0 * self.g_norm2, min(ends))
        if t == inf:
            if any(self.p):  # rounding may have left no direction at all
                self.unbounded_direction = dict(zip(self.index, self.p))
            return False
        if not (t > 0 and self.move(t, ends)):  # no number, where curvature and slope are infinite
            return False
        self.r = [v - t * c for v, c in zip(self.r, Kp)]
        if t == min(ends):
            self.remove_bounded()
        return True

    def next_direction(self) -> bool:
        """Compute the next direction p; whether there is one."""
        g = self.gradient()
        g_norm2 = dot(g, g)
        if g_norm2 == 0:
            return False
        if self.K is None:
            select = selector(self.index, len(self.beta))
            self.K = [select(self.row(i)) for i in self.index]
        p = [v + g_norm2 / self.g_norm2 * q for v, q in zip(g, self.p)] if self.p else g
        self.p = p if self.keeps_sums(p) else g
        self.g_norm2 = g_norm2
        return True

    def keeps_sums(self, p: Vector) -> bool:
        """Whether p sums to zero over each group, up to rounding.

        Where g and the last direction cancel, what is left is their rounding, which has any sum;
        and as it has little curvature, the step along it may be as long as the bounds allow.
        """
        groups = self.in_groups(p) if self.group_ends else []
        sums: list[Any] = [(total(q), total(map(abs, q))) for q in groups]
        return all(abs(s) <= size / LOST_PARTS for s, size in sums)

    def gradient(self) -> Vector:
        """r less its mean over each group, where it then sums to zero; r itself without a group.

        The first of them is taken off before, which is exact where they are close: near the end
        all are nearly equal and far from zero, and the mean itself would be rounded too coarsely.
        """
        if not self.group_ends:
            return self.r
        g: Vector = []
        for group in self.in_groups(self.r):
            r = [v - group[0] for v in group]
            mean = total(r) / len(r) if r else 0
            g += [v - mean for v in r]
        return g

    def move(self, t: Number, ends: Vector) -> bool:
        """Move by t along p; whether any beta is another number than before."""
        before = [self.beta[i] for i in self.index]
        for i, q, end in zip(self.index, self.p, ends):
            self.beta[i] = self.bound(i, q) if end == t else self.clip(i, self.beta[i] + t * q)
        return before != [self.beta[i] for i in self.index]

    def bound(self, i: int, q: Number) -> Any:
        """The bound that beta_i moves towards."""
        return self.form.upper[i] if q > 0 else self.form.lower[i]

    def length_to_bound(self, i: int, q: Number) -> Number:
        """The step length at which beta_i meets its bound (the ratio test)."""
        if q == 0:
            return inf
        distance = difference(self.bound(i, q), self.beta[i])
        # An infinity is a float, and the Fraction q may be beyond them.
        return inf if type(distance) is not type(q) else distance / q

    def clip(self, i: int, value: Number) -> Any:
        """The value, or the bound that rounding carried it past."""
        return min(max(value, self.form.lower[i]), self.form.upper[i])

    def remove_bounded(self) -> None:
        """Take those that met a bound off the face, and start the directions anew."""
        lower, upper = self.form.lower, self.form.upper
        free = [a for a, i in enumerate(self.index) if lower[i] < self.beta[i] < upper[i]]
        self.index = [self.index[a] for a in free]
        self.r = [self.r[a] for a in free]
        self.K = [[self.K[a][c] for c in free] for a in free]
        self.p = None


def selector(indices: list[int], n: int) -> Any:
    """The function that takes a list of n to the list of its elements at these indices.

    >>> selector([0, 2], 3)(["a", "b", "c"])
    ['a', 'c']
    """
    if len(indices) == n:
        return list
    if len(indices) == 0:
        return lambda values: []
    if len(indices) == 1:
        return lambda values: [values[indices[0]]]
    select = itemgetter(*indices)
    return lambda values: list(select(values))
