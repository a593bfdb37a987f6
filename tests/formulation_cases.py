"""28 problems of the five machines, and their answers, known before there was a program.

Linear kernels, most of one feature. Each is one that programs in wide use get wrong, or that has
more than one answer. What is not named is not known of the case, or follows from the rest.
"""

from fractions import Fraction as Q
from math import inf
from typing import Any, NamedTuple

from exact import linear_gram
from formulations import Ball, NuRegression, NuSVC, OneClass, Regression

from spec.vectors.makers.small_data import column, rows, signs


class Case(NamedTuple):
    """What is known of the answer of a machine.

    alpha        net multipliers, beta for regression; if not unique, one of the optimal ones
    unique       whether it is the only one
    offsets      the name of an offset to (lowest, highest)
    lams         an interval for the multiplier of each group
    scaled       nu-SVC: (w / rho, b / rho, beta / rho), rho the least
    degenerate   w = 0 and rho = 0: no decision comes of it
    """

    name: str
    X: list
    machine: Any
    w: list
    offsets: dict
    alpha: Any = None
    unique: Any = True
    lams: Any = None
    value: Any = None
    scaled: Any = None
    degenerate: bool = False


def numbers(*values):
    return [Q(v) for v in values]


def point(v):
    return Q(v), Q(v)


def nu_svc(name, X, labels, nu, w, b, rho, **known):
    y = signs(labels)
    machine = NuSVC(linear_gram(X), y, Q(nu), [Q(1)] * len(y))
    return Case(name, X, machine, w, {"b": b, "rho": rho}, **known)


def regression(name, X, y, C, epsilon, w, b, **known):
    machine = Regression(linear_gram(X), numbers(*y), Q(C), Q(epsilon), [Q(1)] * len(y))
    return Case(name, X, machine, w, {"b": b}, **known)


def nu_regression(name, X, y, C, nu, w, b, epsilon, **known):
    machine = NuRegression(linear_gram(X), numbers(*y), Q(C), Q(nu), [Q(1)] * len(y))
    return Case(name, X, machine, w, {"b": b, "epsilon": epsilon}, **known)


def one_class(name, X, nu, w, rho, **known):
    machine = OneClass(linear_gram(X), Q(nu), [Q(1)] * len(X))
    return Case(name, X, machine, w, {"rho": rho}, **known)


def ball(name, X, C, centre, radius2, **known):
    machine = Ball(linear_gram(X), Q(C), [Q(1)] * len(X))
    return Case(name, X, machine, centre, {"radius2": radius2}, **known)


FOUR, FAR = column(0, 1, 3, 4), column(0, 3, 2, 5)
PLANE = rows((0, 0), (1, 0), (0, 2), (3, 1), (2, 2))
THREE, LINE = column(0, 1, 2), column(0, 1, 2, 3)

CASES = [
    nu_svc("N1", FOUR, "--++", "1/2", [2], (-5, -3), (2, 4), alpha=[0, 1, 1, 0],
           lams=[(-8, -6), (-2, 0)]),
    nu_svc("N2", FOUR, "--++", "3/4", [4], point(-8), point(8),
           alpha=numbers("1/2", 1, 1, "1/2"),
           scaled=([Q(1, 2)], -1, numbers("-1/16", "-1/8", "1/8", "1/16"))),
    nu_svc("N3", FOUR, "--++", 1, [6], (-inf, inf), (12, inf), alpha=[1, 1, 1, 1],
           lams=[(-inf, -24), (0, inf)],
           scaled=([Q(1, 2)], -1, numbers("-1/12", "-1/12", "1/12", "1/12"))),
    nu_svc("N4", column(0, 1, 3), "--+", "2/3", [2], (-inf, -3), (2, inf), alpha=[0, 1, 1],
           lams=[(-inf, -6), (-2, 0)]),
    nu_svc("N5", column(0, 2, 0, 2), "--++", "1/2", [0], point(0), point(0), unique=False,
           degenerate=True),
    nu_svc("N6", FOUR, "--++", "1/10000", [Q(1, 2500)], point(Q(-1, 1250)), point(Q(1, 2500)),
           alpha=numbers(0, "1/5000", "1/5000", 0),
           scaled=([1], -2, numbers(0, "-1/2", "1/2", 0))),
    nu_svc("N7", PLANE, "--+++", "3/5", numbers("4/5", "12/5"), point(Q(-12, 5)), point(Q(12, 5)),
           alpha=numbers("1/2", 1, "9/10", "3/5", 0),
           scaled=(numbers("1/3", 1), -1, numbers("-5/24", "-5/12", "3/8", "1/4", 0))),
    nu_svc("N8", FAR, "--++", "3/4", [Q(3, 2)], point(Q(-15, 4)), point(Q(15, 4)),
           alpha=numbers("1/2", 1, 1, "1/2"),
           scaled=([Q(2, 5)], -1, numbers("-2/15", "-4/15", "4/15", "2/15"))),
    nu_svc("N9", FAR, "--++", "1/4", [0], point(0), point(0),
           alpha=numbers(0, "1/2", "1/3", "1/6"), unique=False, degenerate=True),

    regression("S1", THREE, (0, 1, 4), 1, "1/4", [1], point(Q(1, 4)), alpha=[0, -1, 1], value=2),
    regression("S3", THREE, (0, 1, 4), 1, 5, [0], (-1, 5), alpha=[0, 0, 0], value=0),
    regression("S5", column(1, 1, 2), (0, 2, 3), 1, "1/2", [1], point(Q(1, 2)), alpha=[-1, 0, 1]),
    regression("S6", THREE, (0, Q(1, 10_000), Q(4, 10_000)), "1/10000", "1/40000",
               [Q(1, 10_000)], point(Q(1, 40_000)), alpha=numbers(0, "-1/10000", "1/10000")),
    regression("S7", LINE, (0, 1, 4, 3), 10, "1/2", [1], point(Q(1, 2)), value=Q(21, 2),
               alpha=numbers(0, "-11/2", 10, "-9/2"), unique=False),

    nu_regression("V1", LINE, (0, 1, 4, 3), 1, "1/2", [1], (0, 1), (0, 1), unique=False,
                  lams=[(0, 2), (0, 0)]),
    nu_regression("V2", LINE, (0, 1, 4, 3), 1, 1, [1], point(0), point(0), unique=False),
    nu_regression("V4", THREE, (0, 1, 4), 1, "1/3", [1], point(1), point(1), value=Q(3, 2),
                  alpha=numbers("-1/2", 0, "1/2")),
    nu_regression("V6", LINE, (0, 1, 4, 3), 10, "1/4", [1], point(1), point(1),
                  unique=False),

    one_class("O1", column(1, 2, 4), "2/3", [3], (6, 12), alpha=[1, 1, 0]),
    one_class("O2", column(1, 2, 4), "1/2", [2], point(4), alpha=numbers(1, "1/2", 0)),
    one_class("O3", column(1, 2, 4), 1, [7], (28, inf), alpha=[1, 1, 1]),
    one_class("O4", column(4, 1, 2), Q(1, 10**6), [Q(3, 10**6)], point(Q(3, 10**6)),
              alpha=numbers(0, "3/1000000", 0)),
    one_class("O5", column(1, -1, 2), "2/3", [0], point(0), alpha=[1, 1, 0], degenerate=True),
    one_class("O6", rows((1, 0), (0, 1), (1, 1), (3, 1)), "3/4", [2, 2], (4, 8),
              alpha=[1, 1, 1, 0]),

    ball("D1", column(0, 2, 10), 1, [5], point(25), alpha=numbers("1/2", 0, "1/2")),
    ball("D2", column(0, 2, 10), "2/5", [Q(22, 5)], point(Q(144, 25)),
         alpha=numbers("2/5", "1/5", "2/5")),
    ball("D3", column(0, 2, 10), "1/3", [4], (0, 4), alpha=numbers("1/3", "1/3", "1/3"),
         lams=[(-inf, -6)]),
    ball("D4", rows((0, 0), (4, 0), (0, 2), (1, 1)), 1, [2, 1], point(5),
         alpha=numbers(0, "1/2", "1/2", 0)),
]
