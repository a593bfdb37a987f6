"""One step after another down the quadratic program of dual_program.py, two variables at a time.

Throughout this module
    r_k        target_k - (K beta)_k, the residual: minus the slope of the objective along beta_k
    up[k]      r_k if beta_k may rise (beta_k < upper_k), else -inf
    low[k]     r_k if beta_k may fall (beta_k > lower_k), else +inf
    m, M       the largest up, the smallest low; beta is optimal if and only if m <= M

A step raises beta_i and lowers beta_j by the same amount, so that sum beta stays. i is where up is
largest; j is where the step would gain most if the bounds did not stop it (Fan, Chen, Lin, JMLR 6,
2005, pages 1889-1918, the second-order rule). Ties go to the lowest index. If the program is not
tied, one variable moves alone, the one that would gain most.

Nothing here is compared with an absolute threshold. A bound is met exactly: a step that reaches it
puts beta onto it. Scaling the data by a power of two scales every number and changes no choice.
"""

from math import inf
from typing import Any, NamedTuple

from ..numerics.linalg import dot
from .answers import NOISE, residuals
from .line import best_travel

# The largest relative error of one operation on doubles; Fractions make none.
ROUNDING = {float: 2.0**-53}
PAUSE = 1000  # steps before the face is tried, at most; a quarter of n if that is less


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
        (b)  up and low hold r_k, and show exactly what beta_k may do
    """

    def __init__(self, program, kind):
        self.program = program
        self.row, self.diagonal = program.rows.row, program.rows.diagonal
        self.beta = list(program.start)
        self.zero = kind(0)
        self.work = len(self.beta)  # how many numbers a step touches, about
        self.pause = min(self.work // 4 + 1, PAUSE)  # steps before the face is tried
        self.rounding = ROUNDING.get(kind, self.zero)
        self.noise = NOISE.get(kind, self.zero)
        self.largest_norm = max(map(abs, self.diagonal))
        self.seen = inf, -inf  # violation and objective when all residuals were last new
        self.drift = self.zero
        self.indefinite = False
        self.endless = None  # {i: how fast}: a way along which the dual rises for ever, once met
        self.refresh()

    def refresh(self):
        """Compute every residual anew, from beta alone.

        Whether rounding had touched them: if not, nothing new can come of it. O(n) rows.
        """
        drifted = self.drift > 0
        r = residuals(self.program, self.beta)
        self.show(r)
        self.largest = max(map(abs, r))
        self.travelled = self.drift = self.zero
        return drifted

    def show(self, r):
        """Let up and low show these residuals, and what beta may do."""
        lower, upper = self.program.lower, self.program.upper
        self.up = [v if b < high else -inf for v, b, high in zip(r, self.beta, upper)]
        self.low = [v if b > low else inf for v, b, low in zip(r, self.beta, lower)]

    def settle(self, start):
        """Let the residuals follow after beta_j moved away from start[j]; the dual's gain."""
        old, gain = self.known(), self.zero
        moved = {j: self.beta[j] - b for j, b in start.items() if self.beta[j] != b}
        r = old
        for j, d in moved.items():
            r = [v - d * k for v, k in zip(r, self.row(j))]
            self.travelled += abs(d) * self.largest_norm
        self.drift += self.rounding * len(moved) * (self.largest + 4 * self.travelled)
        self.show(r)
        for j, d in moved.items():
            gain += d * (old[j] + r[j]) / 2
        return gain

    def known(self):
        """r: every beta may rise or fall."""
        return [u if u > -inf else v for u, v in zip(self.up, self.low)]

    def extremes(self):
        """m and M; without a tie the number 0 joins both."""
        m, M = max(self.up), min(self.low)
        return (m, M) if self.program.tied else (max(m, self.zero), min(M, self.zero))

    def violation(self):
        """m - M."""
        m, M = self.extremes()
        return m - M

    def sure(self, tol):
        """Whether the violation is at most tol, whatever the steps' rounding."""
        return self.violation() + 2 * self.drift <= tol

    def look_again(self, tol):
        """Compute all residuals anew, as rounding may have hidden tol.

        Whether to go on: no, if neither the violation nor the objective is better than when they
        were new the last time.
        """
        self.refresh()
        violation, objective = self.violation(), self.objective()
        better = violation <= tol or violation < self.seen[0] or objective > self.seen[1]
        self.seen = violation, objective
        return better

    def objective(self):
        """The dual objective, sum beta (target + r) / 2. O(n)."""
        return dot(self.beta, [t + r for t, r in zip(self.program.target, self.known())]) / 2

    def step(self):
        """Choose and take one step; the Move, or None if there was nothing left to move."""
        return self.pair_step() if self.program.tied else self.single_step()

    def pair_step(self):
        """Raise the beta that asks most for it, and lower the best partner."""
        i = self.up.index(max(self.up))
        row_i = self.row(i)
        j = self.partner(i, row_i)
        row_j = self.row(j)
        slope = self.up[i] - self.low[j]
        k_ii, k_jj, k_ij = self.diagonal[i], self.diagonal[j], row_i[j]
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
        gain = (rose * self.residual(i) + fell * self.residual(j)) - (
            k_ii * rose * rose + 2 * k_ij * rose * fell + k_jj * fell * fell
        ) / 2
        self.follow([rose * p + fell * q for p, q in zip(row_i, row_j)], rose, fell)
        self.mark(i)
        self.mark(j)
        return Move(i, j, *ends, unclipped, beta[j], gain)

    def partner(self, i, row):
        """The j that gains most with i: (r_i - r_j)^2 / (2 curvature)."""
        m, k_ii = self.up[i], self.diagonal[i]
        diagonal, best, j = self.diagonal, -1, 0
        for k, v in enumerate(self.low):
            if v < m:
                d, e = m - v, (k_ii + diagonal[k]) - 2 * row[k]
                gain = d * d / e if e > 0 else inf
                if gain > best:
                    best, j = gain, k
        return j

    def single_step(self):
        """Move alone the beta that gains most: r^2 / (2 K_ii)."""
        gains = [
            -1 if p == 0 else p * p / k if k > 0 else inf
            for p, k in zip(self.pulls(), self.diagonal)
        ]
        return self.move_alone(gains.index(max(gains)))

    def pulls(self):
        """r of each beta, or 0 where a bound is in its way: the slope to follow alone."""
        return [u if u > 0 else v if v < 0 else 0 for u, v in zip(self.up, self.low)]

    def move_alone(self, i):
        """Move beta_i to where the dual is largest along it; the Move."""
        row = self.row(i)
        slope, curvature = self.residual(i), self.diagonal[i]
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
        self.mark(i)
        return Move(i, i, low, high, unclipped, self.beta[i], gain)

    def residual(self, k):
        """r_k."""
        return self.up[k] if self.up[k] > -inf else self.low[k]

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

    def mark(self, k):
        """Make up and low show what beta_k may do now."""
        r = self.residual(k)
        self.up[k] = r if self.beta[k] < self.program.upper[k] else -inf
        self.low[k] = r if self.beta[k] > self.program.lower[k] else inf
