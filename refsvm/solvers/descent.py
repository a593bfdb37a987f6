"""One step after another down the quadratic program of program.py, two variables at a time.

Throughout this module
    r_k        target_k - (K beta)_k, the residual: minus the slope of the objective along beta_k
    up[k]      r_k if beta_k may rise (beta_k < upper_k), else -inf
    low[k]     r_k if beta_k may fall (beta_k > lower_k), else +inf
    m, M       the largest up, the smallest low; beta is optimal if and only if m <= M
    active     the examples still looked at; up, low and diagonal list these only, in index order

A step raises beta_i and lowers beta_j by the same amount, so that sum beta stays. i is where up is
largest; j is where the step would gain most if the bounds did not stop it (Fan, Chen, Lin, JMLR 6,
2005, pages 1889-1918, the second-order rule). Ties go to the lowest index. If the program is not
tied, one variable moves alone, the one that would gain most.

Nothing here is compared with an absolute threshold. A bound is met exactly: a step that reaches it
puts beta onto it. Scaling the data by a power of two scales every number and changes no choice.
"""

from math import inf
from typing import Any, NamedTuple

from ..linalg import dot
from .answers import residuals
from .line import best_travel, picker

# The largest relative error of one operation on doubles; Fractions make none.
ROUNDING = {float: 2.0**-53}
# Curvature this far below zero, relative to its three terms, is the kernel's and not rounding's.
NOISE = {float: 2.0**-40}
FEW = 10  # at least one in so many is set aside, or nobody: beta is copied each time
PAUSE = 1000  # steps before the face is tried, at most; a quarter of n if that is less (loop.py)


class Move(NamedTuple):
    """A step as taken: beta_i rose and beta_j fell (i is j when a variable moved alone)."""

    i: int
    j: int
    low: Any  # the ends of what beta_j was allowed
    high: Any
    unclipped: Any  # where it would have gone
    clipped: Any  # and where it went
    gain: Any  # what the step added to the dual


class Descent:
    """beta on its way to the optimum, with what is known about it.

    True between any two steps, up to rounding; what the steps since the residuals were last
    computed anew may have added to each of them is at most `drift` (for a Mercer kernel):
        (a)  lower_k <= beta_k <= upper_k, and sum beta is that of the start if tied
        (b)  up and low hold r_k of the active k, and show exactly what beta_k may do
    """

    def __init__(self, program, kind):
        self.program = program
        self.row = program.rows.row
        self.beta = list(program.start)
        self.zero = kind(0)
        self.work = len(self.beta)  # how many numbers a step touches, about
        self.pause = min(self.work // 4 + 1, PAUSE)  # steps before the face is tried
        self.rounding = ROUNDING.get(kind, self.zero)
        self.noise = NOISE.get(kind, self.zero)
        self.largest_norm = max(map(abs, program.rows.diagonal))
        self.seen = inf, -inf  # violation and objective when all residuals were last new
        self.drift = self.zero
        self.indefinite = False
        self.waiting = []  # of each time somebody was set aside: beta then, and {k: r_k} of them
        self.endless = None  # {i: how fast}: a way along which the dual rises for ever, once met
        self.refresh()

    def refresh(self):
        """Compute every residual anew, from beta alone, and look at every example again.

        Whether rounding had touched them: if not, nothing new can come of it.
        """
        drifted = self.drift > 0
        everybody = range(len(self.beta))
        r = self.residuals(everybody)
        self.look_at(list(everybody), r)
        self.waiting = []
        self.largest = max(map(abs, r))
        self.travelled = self.drift = self.zero
        return drifted

    def restore(self):
        """Look at every example again; those set aside catch up with all moves since."""
        r = dict(zip(self.active, self.known()))
        for before, aside in self.waiting:
            r.update(zip(aside, self.caught_up(before, aside)))
        everybody = list(range(len(self.beta)))
        self.look_at(everybody, [r[k] for k in everybody])
        self.waiting = []

    def caught_up(self, before, aside):
        """The residuals of those set aside when beta was `before`.

        It takes a kernel row for each that moved. That is seldom as many as summing anew would
        need: a row for each beta that is not zero.
        """
        pick, r = picker(list(aside), len(self.beta)), list(aside.values())
        moved = {j: b - a for j, (a, b) in enumerate(zip(before, self.beta)) if a != b}
        for j, d in moved.items():
            r = [v - d * k for v, k in zip(r, pick(self.row(j)))]
        self.drift += self.rounding * len(moved) * (self.largest + 4 * self.travelled)
        return r

    def residuals(self, wanted):
        """r_k for the wanted k, summed over beta_j != 0 in index order. O(n) rows."""
        return residuals(self.program, self.beta, wanted)

    def look_at(self, active, r):
        """Make these the active examples, with these residuals."""
        beta, lower, upper = self.beta, self.program.lower, self.program.upper
        self.active = active
        self.pick = picker(active, len(beta))
        self.diagonal = self.pick(self.program.rows.diagonal)
        self.up = [v if beta[k] < upper[k] else -inf for k, v in zip(active, r)]
        self.low = [v if beta[k] > lower[k] else inf for k, v in zip(active, r)]

    def settle(self, start):
        """Let the residuals follow after beta_j moved away from start[j]; the dual's gain."""
        r, gain = self.known(), self.zero
        old = dict(zip(self.active, r))
        moved = {j: self.beta[j] - b for j, b in start.items() if self.beta[j] != b}
        for j, d in moved.items():
            r = [v - d * k for v, k in zip(r, self.pick(self.row(j)))]
            self.travelled += abs(d) * self.largest_norm
        self.drift += self.rounding * len(moved) * (self.largest + 4 * self.travelled)
        self.look_at(self.active, r)
        new = dict(zip(self.active, r))
        for j, d in moved.items():
            gain += d * (old[j] + new[j]) / 2
        return gain

    def known(self):
        """r of the active examples: every one of them may rise or fall."""
        return [u if u > -inf else v for u, v in zip(self.up, self.low)]

    def extremes(self):
        """m and M of the active examples; without a tie the number 0 joins both."""
        m, M = max(self.up, default=-inf), min(self.low, default=inf)
        return (m, M) if self.program.tied else (max(m, self.zero), min(M, self.zero))

    def violation(self):
        """m - M of the active examples."""
        m, M = self.extremes()
        return m - M

    def sure(self, tol):
        """Whether the violation is at most tol for all examples, whatever the steps' rounding."""
        everybody = len(self.active) == len(self.beta)
        return everybody and self.violation() + 2 * self.drift <= tol

    def look_again(self, tol):
        """Bring everybody back, with all residuals anew if rounding may have hidden tol.

        Whether to go on: no, if all are new and neither the violation nor the objective is
        better than when they were new the last time.
        """
        if self.violation() + 2 * self.drift <= tol:
            self.restore()
            return True
        self.refresh()
        violation, objective = self.violation(), self.objective()
        better = violation <= tol or violation < self.seen[0] or objective > self.seen[1]
        self.seen = violation, objective
        return better

    def objective(self):
        """The dual objective, sum beta (target + r) / 2, when everybody is active. O(n)."""
        return dot(self.beta, [t + r for t, r in zip(self.program.target, self.known())]) / 2

    def set_aside(self):
        """Stop looking at examples that rest on a bound and are pressed against it.

        One that may only fall, with r above m, or only rise, with r below M, is in no pair that
        would improve. It may come to be again, so restore() has the last word.
        """
        m, M = self.extremes()
        if m < M:
            return  # nobody wants to move: the end, and the example that sets m must stay
        keep = [not (u == -inf and v > m or v == inf and u < M) for u, v in zip(self.up, self.low)]
        if FEW * keep.count(False) < len(keep):
            return
        r = list(zip(self.active, self.known(), keep))
        self.waiting.append((list(self.beta), {k: v for k, v, stays in r if not stays}))
        self.look_at([k for k, _, stays in r if stays], [v for _, v, stays in r if stays])

    def step(self):
        """Choose and take one step; the Move, or None if there was nothing left to move."""
        return self.pair_step() if self.program.tied else self.single_step()

    def pair_step(self):
        """Raise the beta that asks most for it, and lower the best partner."""
        a = self.up.index(max(self.up))
        i = self.active[a]
        row_i = self.pick(self.row(i))
        b = self.partner(a, row_i)
        j = self.active[b]
        row_j = self.pick(self.row(j))
        slope = self.up[a] - self.low[b]
        k_ii, k_jj, k_ij = self.diagonal[a], self.diagonal[b], row_i[b]
        curvature = (k_ii + k_jj) - 2 * k_ij
        if curvature < -self.noise * (abs(k_ii) + abs(k_jj) + 2 * abs(k_ij)):
            self.indefinite = True
        beta, lower, upper = self.beta, self.program.lower, self.program.upper
        forward = min(upper[i] - beta[i], beta[j] - lower[j])
        backward = min(beta[i] - lower[i], upper[j] - beta[j])
        t = best_travel(slope, curvature, -backward, forward)
        if abs(t) == inf:
            self.endless = {i: 1, j: -1}
            return None
        unclipped = beta[j] - slope / curvature if curvature > 0 else beta[j] - t
        ends = beta[j] - forward, beta[j] + backward
        rose, fell = self.put(i, t), self.put(j, -t)
        if not rose and not fell:
            return None
        # What the dual gains by moving both, each by what rounding let it move.
        gain = (rose * self.residual(a) + fell * self.residual(b)) - (
            k_ii * rose * rose + 2 * k_ij * rose * fell + k_jj * fell * fell
        ) / 2
        self.follow([rose * p + fell * row_j[k] for k, p in enumerate(row_i)], rose, fell)
        self.mark(a)
        self.mark(b)
        return Move(i, j, *ends, unclipped, beta[j], gain)

    def partner(self, a, row):
        """The place of the j that gains most with i: (r_i - r_j)^2 / (2 curvature)."""
        m, k_ii = self.up[a], self.diagonal[a]
        diagonal, best, place = self.diagonal, -1, 0
        for b, v in enumerate(self.low):
            if v < m:
                d, e = m - v, (k_ii + diagonal[b]) - 2 * row[b]
                gain = d * d / e if e > 0 else inf
                if gain > best:
                    best, place = gain, b
        return place

    def single_step(self):
        """Move alone the beta that gains most: r^2 / (2 K_ii)."""
        gains = [
            -1 if p == 0 else p * p / k if k > 0 else inf
            for p, k in zip(self.pulls(), self.diagonal)
        ]
        return self.move_alone(gains.index(max(gains)))

    def pulls(self):
        """r of each active beta, or 0 where a bound is in its way: the slope to follow alone."""
        return [u if u > 0 else v if v < 0 else 0 for u, v in zip(self.up, self.low)]

    def move_alone(self, a):
        """Move the active beta at place a to where the dual is largest along it; the Move."""
        i = self.active[a]
        row = self.pick(self.row(i))
        slope, curvature = self.residual(a), self.diagonal[a]
        if curvature < 0:
            self.indefinite = True
        old, low, high = self.beta[i], self.program.lower[i], self.program.upper[i]
        t = best_travel(slope, curvature, low - old, high - old)
        if abs(t) == inf:
            self.endless = {i: 1 if t > 0 else -1}
            return None
        unclipped = old + slope / curvature if curvature > 0 else old + t
        moved = self.put(i, t)
        if not moved:
            return None
        gain = moved * slope - curvature * moved * moved / 2
        self.follow([moved * k for k in row], moved, self.zero)
        self.mark(a)
        return Move(i, i, low, high, unclipped, self.beta[i], gain)

    def residual(self, a):
        """r of the active example at place a."""
        return self.up[a] if self.up[a] > -inf else self.low[a]

    def put(self, i, t):
        """Move beta_i by t, onto a bound exactly if it gets there; what it really moved."""
        old, low, high = self.beta[i], self.program.lower[i], self.program.upper[i]
        if t == high - old:
            self.beta[i] = high
        elif t == low - old:
            self.beta[i] = low
        else:
            self.beta[i] = min(max(old + t, low), high)
        return self.beta[i] - old

    def follow(self, change, rose, fell):
        """Let the residuals follow: r_k falls by change_k; and bound what rounding added.

        Each residual was rounded to within u |r| and 3 u (|rose| + |fell|) max|K|, if K is a
        Mercer kernel, and |r| is at most its largest value when new plus all the changes since.
        """
        up, low = self.up, self.low
        for k, c in enumerate(change):
            up[k] -= c
            low[k] -= c
        self.travelled += (abs(rose) + abs(fell)) * self.largest_norm
        self.drift += self.rounding * (self.largest + 4 * self.travelled)

    def mark(self, a):
        """Make up and low show what beta at place a may do now."""
        k, r = self.active[a], self.residual(a)
        self.up[a] = r if self.beta[k] < self.program.upper[k] else -inf
        self.low[a] = r if self.beta[k] > self.program.lower[k] else inf
