"""Between which numbers every optimal offset lies, whatever alpha one has.

Fix b. The least primal value with this b is p(b), and any multipliers a in the box bound it,
balanced or not:

    p(b) >= D(a) - b sum a_i y_i          D: the dual objective

(The Lagrangian of the problem in which b is no variable; sum a_i y_i = 0 came from varying b.) At
an optimal b the left side is the optimum's value, and no primal value is below that. So for every
optimal b, every primal value P and all a in the box

    b T >= D(a) - P          where T = sum a_i y_i

and each a with T > 0 gives a lower end, each with T < 0 an upper end. Any a will do for a proof; a
good one is found from nearly optimal balanced multipliers alpha. Move beta_i = alpha_i y_i by t_i
for some examples that may rise. With r_i the residuals (kkt_conditions.py) and
N = sum t_i |phi(x_i)|

    D(a) >= D(alpha) + sum t_i r_i - N^2 / 2          T = sum t_i

so those with the largest r_i are moved first, each as far as its bound, until N^2 / 2 is the gap
P - D(alpha): then the end is about the mean of their r_i, less the root of twice the gap times the
mean of their |phi(x_i)|. As alpha tends to the optimum the ends tend to those of the interval of
optimal offsets.

    sign    +1 for the lower end, -1 for the upper, where beta_i falls and -r_i counts
    room    how far beta_i may move          reach    |phi(x_i)| or a little more, not 0
"""

from fractions import Fraction
from math import inf

from ..numerics.intervals import square_root


def mover(problem, alpha, asks, norms2, gap, sign):
    """Multipliers in the box with sign T > 0 that give a good end. O(n log n).

    asks: the residuals r_i of alpha; norms2: |phi(x_i)|^2 or more; gap > 0, or nearly the gap.
    """
    budget = root_above(2 * gap)
    moves = [
        (sign * r, room, root_above(k) or Fraction(1), i)
        for i, (r, room, k) in enumerate(zip(asks, rooms(problem, alpha, sign), norms2))
        if room > 0
    ]
    steps, best, best_end = [], 0, -inf
    far, asked, total = Fraction(0), Fraction(0), Fraction(0)
    for r, room, reach, i in sorted(moves, key=lambda move: -move[0]):
        t = min(room, (budget - far) / reach)
        steps.append((i, t))
        far, asked, total = far + t * reach, asked + t * r, total + t
        end = (asked - far * far / 2 - gap) / total
        if end > best_end:
            best, best_end = len(steps), end
        if far == budget:
            break
    moved = list(alpha)
    for i, t in steps[:best]:
        moved[i] += sign * problem.y[i] * t
    return moved


def rooms(problem, alpha, sign):
    """How far each beta_i may move in the direction of the sign.

    Without end below an infinite bound: a float, from which not every Fraction can be taken.
    """
    return [
        a if sign * y < 0 else top if top == inf else top - a
        for y, a, top in zip(problem.y, alpha, problem.upper_bounds())
    ]


def root_above(x):
    """A Fraction that is the root of x >= 0, or above it by one part in 2^60 at most.

    >>> root_above(Fraction(9, 4))
    Fraction(3, 2)
    """
    bits = 62 + max(0, x.denominator.bit_length() - x.numerator.bit_length() + 1) // 2
    return square_root(x, bits).high
