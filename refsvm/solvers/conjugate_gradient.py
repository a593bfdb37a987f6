"""Between pair steps: conjugate gradients over all free multipliers at once.

Once SMO has found which multipliers lie strictly between their bounds, what is left is a system
of equations on these (the face of the box they lie on), and pair steps creep along its narrow
valleys: without this, four points and C = 10^6 can take half a million steps. Conjugate gradients
solve the system in as many steps as it has unknowns, in exact arithmetic.

Throughout this module
    index   the free examples: those with beta strictly between its bounds
    K, r    their block of the kernel matrix, and their residuals
    g       r less its mean if the program is tied: the steepest way up that keeps sum beta
    p       the direction, conjugate to the ones before: p' K p_before = 0
    t       how far to go: to the best point of the line, or to the first bound on it

A multiplier that meets its bound stays there and leaves the face; the directions start anew. If
K is singular and p has no curvature, the line has no best point but its end, which is a bound.

Source: Hestenes and Stiefel, Journal of Research of the National Bureau of Standards 49 (1952),
pages 409-436.
"""

from math import inf

from ..numerics.linalg import dot, total
from .line import best_travel, picker

LARGEST = 1000  # examples on a face: for more the block of K needs more room than all the rest


def along_the_face(descent, tol, budget):
    """Move the free beta of a Descent towards the optimum of their face; the dual's gain.

    Stops when their residuals differ by no more than tol / 2, or when `budget` multiplications
    are spent, or when there is no way on. O(f n) for f that moved, and their kernel rows.
    """
    face = Face(descent)
    while face.index and face.spread() > tol / 2:
        budget -= len(face.index) ** 2
        if budget < 0 or len(face.index) > LARGEST or not face.advance():
            break
    descent.endless = face.endless
    return descent.settle(face.start)


class Face:
    """The free multipliers cut out of a Descent. Their residuals are kept up to date here."""

    def __init__(self, descent):
        both = zip(descent.up, descent.low)
        self.index = [k for k, (u, v) in enumerate(both) if u > -inf and v < inf]
        self.program, self.beta = descent.program, descent.beta
        self.start = {i: descent.beta[i] for i in self.index}
        self.r = [descent.up[i] for i in self.index]
        self.row = descent.row
        self.K = self.p = self.endless = None

    def spread(self):
        """How far the residuals are apart; from zero if the program is not tied."""
        high, low = max(self.r), min(self.r)
        return high - low if self.program.tied else max(high, -low)

    def advance(self):
        """Take one conjugate step; whether there was one to take."""
        if not self.turn():
            return False
        Kp = [dot(row, self.p) for row in self.K]
        ends = [self.room(i, q) for i, q in zip(self.index, self.p)]
        t = best_travel(dot(self.p, self.r), dot(self.p, Kp), 0 * self.size, min(ends))
        if t == inf:
            if any(self.p):  # rounding may have left no direction at all
                self.endless = dict(zip(self.index, self.p))
            return False
        if t != t or not self.go(t, ends):  # no number, where curvature and slope are infinite
            return False
        self.r = [v - t * c for v, c in zip(self.r, Kp)]
        if t == min(ends):
            self.drop()
        return True

    def turn(self):
        """Find the next direction p; whether there is one."""
        g = self.level(self.r)
        size = dot(g, g)
        if size == 0:
            return False
        if self.K is None:
            pick = picker(self.index, len(self.beta))
            self.K = [pick(self.row(i)) for i in self.index]
        self.p = [v + size / self.size * q for v, q in zip(g, self.p)] if self.p else g
        self.size = size
        return True

    def go(self, t, ends):
        """Move by t along p; whether any beta is another number than before."""
        before = [self.beta[i] for i in self.index]
        for i, q, end in zip(self.index, self.p, ends):
            self.beta[i] = self.bound(i, q) if end == t else self.within(i, self.beta[i] + t * q)
        return before != [self.beta[i] for i in self.index]

    def level(self, r):
        """r less its mean, so that it sums to zero, if the program is tied.

        The first of them is taken off before, which is exact where they are close: near the end
        all are nearly equal and far from zero, and the mean itself would be rounded too coarsely.
        """
        if not self.program.tied:
            return r
        r = [v - r[0] for v in r]
        mean = total(r) / len(r)
        return [v - mean for v in r]

    def bound(self, i, q):
        """The bound that beta_i moves towards."""
        return self.program.upper[i] if q > 0 else self.program.lower[i]

    def room(self, i, q):
        """How many q until beta_i meets its bound."""
        return (self.bound(i, q) - self.beta[i]) / q if q != 0 else inf

    def within(self, i, value):
        """The value, or the bound that rounding carried it past."""
        return min(max(value, self.program.lower[i]), self.program.upper[i])

    def drop(self):
        """Take those that met a bound off the face, and start the directions anew."""
        lower, upper = self.program.lower, self.program.upper
        stay = [a for a, i in enumerate(self.index) if lower[i] < self.beta[i] < upper[i]]
        self.index = [self.index[a] for a in stay]
        self.r = [self.r[a] for a in stay]
        self.K = [[self.K[a][c] for c in stay] for a in stay]
        self.p = None
