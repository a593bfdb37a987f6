"""Problems whose answers were worked out by hand, or exactly, before there was a program.

C01 to C25 are corner cases that programs in wide use get wrong; F1 to F15 come from lecture notes.
Each field after the problem itself is what is known of the answer, exactly; None: not stated.
"""

from fractions import Fraction as Q
from math import inf
from typing import Any, NamedTuple

from spec.vectors.makers.small_data import column, rows, signs


class Case(NamedTuple):
    name: str
    X: list
    y: list
    C: Any  # one number or one an example
    value: Any = None  # primal = dual at the optimum
    w: Any = None
    b: Any = None  # (lowest, highest) optimal offset
    alpha: Any = None  # only where it is unique
    sum_alpha: Any = None
    kernel: tuple = ("linear",)  # or ("polynomial", degree, gamma, coef0) or ("precomputed",)
    bias: bool = True
    slack: str = "hinge"


def point(b):
    return Q(b), Q(b)


FOUR_CORNERS = rows((1, 1), (1, -1), (-1, 1), (-1, -1))
SIX = rows((1, 2), (2, 3), (3, 3), (2, 1), (3, 2), (4, Q(5, 2)))
TWO_CLOUDS = rows((2, 2), (3, 3), (2, 3), (-2, -2), (-3, -2))
E20, E40 = 2**20, 2**40

CASES = [
    Case("C01", column(-1, 1), signs("-+"), 1, Q(1, 2), [1], point(0)),
    Case("C02", column(10, 11), signs("-+"), Q(1, 8), Q(31, 128), [Q(1, 8)], (Q(-9, 4), Q(-3, 8))),
    Case("C03", column(0, 0), signs("-+"), 1, 2, [0], (-1, 1)),
    Case("C04", column(3, 3, 3, 3), signs("+++-"), 2, 4, [0], point(1), sum_alpha=4),
    Case("C05", column(-1, -1, 1, 1), signs("--++"), 1, Q(1, 2), [1], point(0)),
    Case("C06", FOUR_CORNERS, signs("++--"), 1, Q(1, 2), [1, 0], point(0)),
    Case("C07", rows((-1, 0), (1, 0), (1, 5)), signs("-++"), 1, Q(1, 2), [1, 0], point(0)),
    Case("C08", rows((0, 0), (1, 1), (0, 1), (1, 0)), signs("--++"), E20, 4 * E20, [0, 0], (-1, 1),
         alpha=[E20] * 4),
    Case("C09", rows((-1, -1), (1, 1), (-1, 1), (1, -1)), signs("--++"), 8, Q(1, 4), b=point(0),
         alpha=[Q(1, 8)] * 4, kernel=("polynomial", 2, 1, 1)),
    Case("C10", column(1, 2, 3, 4, 5), signs("+++--"), 1, 4, b=point(1),
         kernel=("polynomial", 0, 1, 0)),
    Case("C11", rows((0, 0), (2, 2), (2, 0), (3, 0)), signs("--++"), 2**30, 1, [1, -1], point(-1),
         alpha=[Q(1, 2), Q(1, 2), 1, 0]),
    Case("C12", column(10, 12, 11, 13), signs("--++"), Q(1, 2**30), Q(2147483647, 2**59),
         [Q(1, 2**29)], (Q(-268435461, 2**28), Q(536870899, 2**29))),
    Case("C13", column(0, 1, 2, 3, 4), signs("-++++"), Q(1, E20), Q(4194303, 2**41),
         b=(Q(524287, 2**19), Q(1048575, E20))),
    Case("C14", column(0, 2, 1, 3), signs("--++"), [Q(1, 4), Q(1, 4), 1, 1], 1, [0], point(1)),
    Case("C15", rows((0, 0, 0), (0, 1, 0), (0, -1, 0), (0, 2, 0)), signs("-+-+"), 3, 2, [0, 2, 0],
         point(-1)),
    Case("C16", column(0, E20, 3 * E20, 4 * E20, 2 * E20), signs("--+++"), Q(1, E40),
         Q(3, 2 * E40), [Q(1, E20)], (-2, -1)),
    Case("C17", column(E20, E20 + 1, E20 + 3, E20 + 4, E20 + 2), signs("--+++"), 1, Q(3, 2), [1],
         (-1048578, -1048577)),
    Case("C18",
         [[Q(E20 + u), Q(v, 1024)] for u, v in zip((0, 1, 3, 4, 2), (1, 2, 1, 3, 2))],
         signs("--+++"), 8, 2, [2, 0], point(-2097155)),
    Case("C19", column(1, 1 + Q(1, E20), 0, 2), signs("+--+"), 1, Q(2621441, E20), [1], point(-1)),
    Case("C20", rows((1, 1), (1, 1), (0, 0), (2, 3)), signs("+--+"), 5, Q(132, 13),
         [Q(4, 13), Q(6, 13)], point(-1)),
    Case("C21", column(-1, 1), signs("-+"), Q(1, 2), Q(1, 2), [1], point(0),
         alpha=[Q(1, 2), Q(1, 2)]),
    Case("C22", column(3, 1, 0, 2), signs("+--+"), 1, Q(3, 2), [1], (-2, -1)),
    Case("C23", rows((1, 0, 0), (0, 1, 1), (0, 1, 1)), signs("-++"), 1, 1, b=point(0), sum_alpha=2,
         kernel=("precomputed",)),
    Case("C24", column(0, 1, 2), signs("-++"), [3, 1, 2], Q(3, 2), [1], point(-1)),
    Case("C25", column(0, 1, 2, 3, 4, 5), signs("--+-++"), 1, Q(26, 9), [Q(2, 3)], point(Q(-5, 3)),
         alpha=[0, Q(5, 9), 1, 1, Q(5, 9), 0]),

    Case("F1 hard", column(1, -1), signs("+-"), inf, Q(1, 2), [1], point(0),
         alpha=[Q(1, 2), Q(1, 2)]),
    Case("F1 soft", column(1, -1), signs("+-"), Q(1, 4), Q(3, 8), [Q(1, 2)], (Q(-1, 2), Q(1, 2)),
         alpha=[Q(1, 4), Q(1, 4)]),
    Case("F2", FOUR_CORNERS, signs("++--"), inf, Q(1, 2), [1, 0], point(0)),
    Case("F3", rows((1, 0), (1, 1), (-1, 0)), signs("++-"), inf, w=[1, 0], b=point(0),
         alpha=[Q(1, 2), 0, Q(1, 2)]),
    Case("F4", column(1, 2), signs("+-"), inf, w=[-2], b=point(3), alpha=[2, 2]),
    Case("F5 soft", column(1, 1), signs("+-"), Q(3, 4), Q(3, 2), [0], (-1, 1),
         alpha=[Q(3, 4), Q(3, 4)]),
    Case("F6", column(2, 1, -1, -2, Q(3, 2)), signs("++---"), Q(1, 2), Q(25, 18), [Q(2, 3)],
         point(Q(-1, 3)), alpha=[Q(11, 36), Q(1, 2), Q(11, 36), 0, Q(1, 2)]),
    Case("F7", column(1, -1, 2), signs("+-+"), Q(1, 10), Q(9, 50), [Q(1, 5)], (Q(3, 5), Q(4, 5)),
         alpha=[Q(1, 10), Q(1, 10), 0]),
    Case("F8", column(1, -1, 2, -2, 3), signs("+-+--"), 1, Q(186, 91),
         alpha=[Q(102, 91), Q(44, 91), Q(84, 91), Q(26, 91), Q(116, 91)], slack="squared"),
    Case("F9", SIX, signs("+++---"), 1, Q(92, 49), [Q(-6, 7), Q(8, 7)], point(Q(-3, 7))),
    Case("F9 without offset", SIX, signs("+++---"), 1, 2, [-1, 1], point(0), bias=False),
    # The notes give the margins 2 sqrt(2) and sqrt(5) / 4 and the directions (1, 1) and (1, 2).
    Case("F10", TWO_CLOUDS, signs("+++--"), inf, Q(1, 16), [Q(1, 4), Q(1, 4)]),
    Case("F10 outlier", TWO_CLOUDS + rows((Q(-3, 2), -1)), signs("+++--+"), inf, Q(8, 5),
         [Q(4, 5), Q(8, 5)]),
    # The notes minimise lambda/2 |w|^2 + sum xi: C = 1 / lambda, and their optimum / lambda.
    Case("F11 lambda 1/4", column(1, -1, Q(1, 2), -2), signs("+---"), 4, 6),
    Case("F11 lambda 1", column(1, -1, Q(1, 2), -2), signs("+---"), 1, Q(15, 8)),
    Case("F11 lambda 4", column(1, -1, Q(1, 2), -2), signs("+---"), Q(1, 4), Q(63, 128)),
    Case("F12 lambda 4", column(1, -1, 2, -2), signs("+-+-"), Q(1, 4),
         alpha=[Q(1, 4), Q(1, 4), 0, 0]),
    Case("F12 lambda 8", column(1, -1, 2, -2), signs("+-+-"), Q(1, 8),
         alpha=[Q(1, 8), Q(1, 8), Q(1, 16), Q(1, 16)]),
    Case("F15", FOUR_CORNERS, signs("+--+"), inf, b=point(0), alpha=[Q(1, 8)] * 4,
         kernel=("polynomial", 2, 1, 1)),
]

# F4, F5, F15: a hard margin that does not exist, and why.
NOT_SEPARABLE = [
    Case("F4 without offset", column(1, 2), signs("+-"), inf, bias=False),
    Case("F5 hard", column(1, 1), signs("+-"), inf),
    Case("F15 linear", FOUR_CORNERS, signs("+--+"), inf),
]

# F13, F14 are stated as rounded margins and as counts of training errors.
F13 = rows((10, 8), (10, 6), (1, 3), (3, 3), (0, 10)), signs("++---")
F14 = column(2, 2, -5, -2, 4), signs("++-+-")
