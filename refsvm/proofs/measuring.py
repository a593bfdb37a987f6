"""What is certain about an optimum, seen from a feasible alpha that is nearly optimal.

Kernel values are known to `error` (rounded_problem.py). Then, with B = sum |beta_i|, a score s_i
computed with the rounded ones is off by `error` B at most, and |w|^2 by `error` B^2. What follows
is certain.

1. The dual of alpha, rounded down, and the primal at its w and the best b, rounded up, hold the
   optimal value between them; their difference is the gap.

2. For every optimal beta*, with d = beta* - beta, and Q the kernel matrix with the ridge:

       d'Qd <= 2 gap

   The dual D is a quadratic function: D(beta) = D(beta*) - g'd - d'Qd / 2 with g its gradient at
   beta*, and g'd >= 0, as going from beta* to the feasible beta leads nowhere up. So d'Qd / 2 is
   at most D(beta*) - D(beta), which is at most the gap.

3. Hence |w* - w|^2 <= 2 gap, and |s*(x) - s(x)| <= root(2 gap k(x, x)) at every x (Cauchy and
   Schwarz). That encloses |w*|^2 and the residuals r_i = y_i - s*_i. The value is |w*|^2 / 2 plus
   the price of slack; and with the hinge it is sum alpha less |w*|^2 / 2, with squared slack half
   of sum alpha.

4. The optimal offsets are those of least price at w*. Both ends of their interval rise with every
   residual (best_offsets.py), so each is enclosed by what it is for all r_i at their lower ends
   and for all at their upper ends.

5. Let b be optimal, inside the interval of all that are if that has room. Where y_i (r_i - b) is
   negative every optimal alpha_i is 0 (status L). Where it is positive alpha_i is C_i (U); if
   slack is squared, it is positive (M).

6. To be M is to have y_i (r_i - b) = 0, which no interval can tell. But 0 < alpha*_i < C_i says
   so, and that can be proved: d is zero where 5 has decided and alpha is at that bound. On the
   others let v'Qv >= c |v|^2 for all v with sum zero, c > 0 (Nearby.curvature). Then d_i is at
   most root(2 gap / c), and if alpha_i is farther than that from both of its bounds, alpha*_i is
   not at them. Besides the optimal alpha is unique then: between two of them d'Qd = 0.

7. Who is on the margin with a multiplier at a bound is found by algebra, not by measuring: see
   ties.py, which proves equations between exponentials.

The gap falls with the square of the unit and c does not, so with more bits all is decided but
this: what is too long for 7, and examples on the margin whose features depend on each other (then
there is no c). They stay "?".

    near    a Nearby            problem    its problem on Fractions
    seen    a Measure           r          residuals without the ridge: Intervals
"""

from fractions import Fraction
from math import inf
from typing import NamedTuple

from ..numerics.intervals import Interval, point_interval, square_root
from ..numerics.linalg import total
from ..svm.best_offsets import best_offsets
from ..svm.kkt_conditions import middle
from .answer import Optimum
from .ties import on_the_margin


class Measure(NamedTuple):
    """What is known of a feasible beta (Fractions), as point 1 has it."""

    beta: list
    scores: list  # of the rounded problem
    radius: Fraction  # the true scores are within this of them
    w_norm2: Interval
    value: Interval  # from the dual to the primal, which may be inf: the optimal value is in it

    def reach(self, bits):
        """How far w* may be from w: root(2 gap), rounded up."""
        return square_root(2 * self.value.width, bits).high


def measured(near, beta):
    """The Measure of a feasible beta."""
    problem, size = near.problem, total(map(abs, beta))
    scores, w_norm2 = near.image(beta)
    radius = near.error * size
    w_norm2 = Interval(max(w_norm2 - radius * size, Fraction(0)), w_norm2 + radius * size)
    b = Fraction(0)
    if problem.bias:
        b = middle(*best_offsets(problem, [y - s for y, s in zip(problem.y, scores)]))
    worst = [s - y * radius for y, s in zip(problem.y, scores)]
    primal = problem.primal_value(worst, w_norm2.high, b)
    value = Interval(problem.dual_value(beta, w_norm2.high), primal)
    return Measure(beta, scores, radius, w_norm2, value)


def enclosure(near, seen):
    """The Optimum that a Measure proves, for the merged examples; None if the primal is inf."""
    if seen.value.high == inf:
        return None
    problem = near.problem
    r = residuals(near, seen)
    b_low, b_high = offsets(problem, r)
    status = signs(problem, r, b_low, b_high)
    alpha = [v * y for v, y in zip(seen.beta, problem.y)]
    status, alpha_unique = decided(near, seen, alpha, status, r)
    b_unique = uniqueness_of_b(problem, b_low, b_high, status)
    if b_unique:
        b_low = b_high = Interval(max(b_low.low, b_high.low), min(b_low.high, b_high.high))
    w_norm2, value = weights(near, seen), seen.value
    slack = value - w_norm2 * Fraction(1, 2)
    hinge = problem.slack == "hinge"
    return Optimum(
        alpha=alpha,
        b_low=b_low,
        b_high=b_high,
        objective=value,
        w=None,
        w_norm2=w_norm2,
        sum_alpha=value + w_norm2 * Fraction(1, 2) if hinge else 2 * value,
        sum_C_slack=Interval(max(slack.low, Fraction(0)), slack.high),
        status=status,
        alpha_unique=alpha_unique,
        b_unique=b_unique,
        other_alpha=None,
        farkas=None,
    )


def weights(near, seen):
    """|w*|^2: the square of |w| give or take the reach."""
    reach = seen.reach(near.p)
    low = square_root(seen.w_norm2.low, near.p).low - reach
    high = square_root(seen.w_norm2.high, near.p).high + reach
    return Interval(max(low, Fraction(0)) ** 2, high**2)


def residuals(near, seen):
    """y_i - s*_i, where the rounded K_ii is no less than the true one."""
    found = []
    for i, (y, s) in enumerate(zip(near.problem.y, seen.scores)):
        k = Fraction(near.values[i][i], 1 << near.p)
        off = seen.radius + square_root(2 * seen.value.width * k, near.p).high
        found.append(Interval(y - s - off, y - s + off))
    return found


def offsets(problem, r):
    """(b_low, b_high), two Intervals."""
    if not problem.bias:
        return point_interval(0), point_interval(0)
    lows = best_offsets(problem, [v.low for v in r])
    highs = best_offsets(problem, [v.high for v in r])
    return tuple(map(Interval, lows, highs))


def signs(problem, r, b_low, b_high):
    """The statuses as far as point 5 decides them, a list of letters."""
    if b_low.high < b_high.low:
        b = point_interval((b_low.high + b_high.low) / 2)
    else:
        b = Interval(b_low.low, b_high.high)
    above = "U" if problem.slack == "hinge" else "M"
    wants = [y * (v - b) for y, v in zip(problem.y, r)]
    return ["L" if v.high < 0 else above if v.low > 0 else "?" for v in wants]


def decided(near, seen, alpha, status, r):
    """Points 6 and 7: (the statuses in one string, whether alpha is unique: True, or None).

    Those that point 7 finds on the margin are T here: their multipliers are at a bound.
    """
    tops = near.problem.upper_bounds()
    forced = {"L": [0] * near.n, "U": tops}
    others = [i for i, s in enumerate(status) if s not in forced or alpha[i] != forced[s][i]]
    c = near.curvature(others) if others else 1
    if c == 0:
        return "".join(status), None
    far = square_root(2 * seen.value.width / c, near.p).high
    off_0 = {i for i in others if alpha[i] > far}
    off_C = {i for i in others if alpha[i] + far < tops[i]}
    for i in off_0 & off_C:
        status[i] = "M"
    ties = [i for i in others if status[i] == "?"]
    free = [i for i in others if status[i] == "M"]
    if ties and len(ties) + len(free) == len(others) and off_0 | off_C == set(others):
        at = [tops[i] if i in off_0 else 0 for i in ties]
        bounds = list(seen.beta)
        for i, bound in zip(ties, at):
            bounds[i] = near.problem.y[i] * bound
        if on_the_margin(near, bounds, free, ties, r):
            for i in ties:
                status[i] = "T"
    return "".join(status), True


def uniqueness_of_b(problem, b_low, b_high, status):
    """True, False, or None if neither is proved. On the margin is who asks for one b alone."""
    if not problem.bias or problem.slack == "squared":
        return True
    if b_low.high < b_high.low:
        return False
    return True if "M" in status or "T" in status else None
