"""The quadratic program that the dual of every support vector machine is.

    minimise   1/2 beta' K beta - target' beta
    such that  lower_i <= beta_i <= upper_i        and, if tied, sum beta_i keeps its value

With a_i = y_i beta_i this is the usual  min 1/2 a'Qa + p'a,  y'a = delta,  0 <= a_i <= C_i:
Q_ij = y_i y_j K_ij, p_i = -y_i target_i, delta is the sum of `start`, and an example has the
bounds 0 .. C_i where y_i = +1 and -C_i .. 0 where y_i = -1. In beta no label is left, and:

    machine           target_i              bounds of beta_i          tied
    classification    y_i                   0 .. y_i C_i              with an offset
    regression        value -+ epsilon      two variables an example  with an offset
    one class         0                     0 .. 1                    yes, sum = nu n
"""

from typing import Any, NamedTuple


class Program(NamedTuple):
    """The data of the program; rows is a KernelRows, tied a bool, the others lists of n."""

    rows: Any
    target: list
    lower: list
    upper: list
    tied: bool
    start: list
