"""What a proof of optimality leaves: the numbers of the optimum, and what is unique about them."""

from typing import Any, NamedTuple


class Optimum(NamedTuple):
    """The optimum of a problem; every number a Fraction, and verified.

    alpha          n multipliers that are optimal
    b_low, b_high  the optimal offsets are exactly the numbers from b_low to b_high
    objective      the least primal value, which is the greatest dual value
    w              the weights of a linear machine, else None
    w_norm2        |w|^2, the same at every optimum, as are the next two
    sum_alpha      the sum of the alpha_i
    sum_C_slack    what slack costs: sum C_i xi_i, or sum C_i / 2 xi_i^2 if squared
    status         "infeasible", or a letter for each example:
                   L   y f > 1 (at an optimal b inside the interval): alpha_i is 0 at every optimum
                   M   on the margin: y f = 1, or 1 - alpha_i / C_i if slack is squared
                   U   y f < 1: alpha_i is C_i at every optimum
    alpha_unique   whether no other alpha is optimal         b_unique    whether b_low == b_high
    other_alpha    another optimal alpha, verified too; None if there is none
    farkas         if "infeasible": n multipliers q >= 0, not all zero, only where C_i is infinite,
                   with sum q_i y_i phi(x_i) = 0 and (with an offset) sum q_i y_i = 0. They prove
                   that there is no hard margin; all other fields but `status` are None then

    Where kernel values are no fractions (Gaussian, Sigmoid) the numbers are Intervals instead,
    alpha is feasible and nearly optimal, a status that is not decided is "?", and alpha_unique and
    b_unique are None where neither answer is proved.
    """

    alpha: Any
    b_low: Any
    b_high: Any
    objective: Any
    w: Any
    w_norm2: Any
    sum_alpha: Any
    sum_C_slack: Any
    status: str
    alpha_unique: Any
    b_unique: Any
    other_alpha: Any
    farkas: Any
