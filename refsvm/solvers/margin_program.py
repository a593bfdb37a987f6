"""The primal as the lecture notes state it: a quadratic program in w, b and the slacks.

    hard       minimise 1/2 |w|^2                     y_i (w.x_i + b) >= 1
    hinge      minimise 1/2 |w|^2 + sum C_i xi_i      y_i (w.x_i + b) >= 1 - xi_i,  xi_i >= 0
    squared    minimise 1/2 |w|^2 + sum C_i/2 xi_i^2  the same; xi_i >= 0 may be left out

The weak inequality matters: with > the set of feasible (w, b) would be open, and w could always be
shortened a little more. Nothing is transformed here: no dual, no kernel. That makes the answers an
independent check on every other solver; with n + d + 1 unknowns and 2n inequalities it is slow.

Throughout this module
    X, y   n rows of d numbers, n labels      w, b     d weights and the offset
    C_i    price of slack, inf: none allowed  xi       n slacks
    P, q, G, h   minimise 1/2 v'P v + q'v such that G v <= h, for v = [w; b; xi]: b is missing if
                 there is no offset, xi if there is no slack
    alpha  multipliers of the margin constraints: the dual's solution

Source: NYU slides (nyu-17, nyu-71); CS229 notes, section 5; lycpaul, hard margin and L2; sutd (1).
"""

from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from ..numerics.validation import matrix, number_kind, one_of, penalties, signs, yes_or_no
from .quadratic_program import minimise_inequalities


class MarginProgram(NamedTuple):
    """minimise 1/2 v'P v + q'v such that G v <= h; the first n rows of G are the margins."""

    P: list
    q: list
    G: list
    h: list


class Margin(NamedTuple):
    """The best w, b and slacks; alpha proves them best: they make the dual equal to `value`.

    If status is "infeasible" there is no hard margin, w, b, xi and value are None, and alpha >= 0,
    not all zero, has sum alpha_i y_i x_i = 0 and (with an offset) sum alpha_i y_i = 0.
    """

    w: Any
    b: Any
    xi: Any
    alpha: list
    value: Any
    status: str


def margin_program(X, y, C=inf, slack="hinge", bias=True, nonnegative=True):
    """The MarginProgram of these examples. Without `nonnegative`, xi_i >= 0 is left out.

    C is one number or one an example: all inf (a hard margin, no slacks) or none. Labels may all
    be the same. ValueError or TypeError for bad input. O((n + d)^2) numbers.

    >>> program = margin_program([[Fraction(2)]], [1], C=3)
    >>> [list(map(int, row)) for row in program.G], list(map(int, program.h))
    ([[-2, -1, -1], [0, 0, -1]], [-1, 0])
    """
    kind = number_kind(X, C)
    X, zero, one = matrix(X, "X", kind), kind(0), kind(1)
    n, d = len(X), len(X[0])
    y, C = signs(y, n), penalties(kind, C, n)
    yes_or_no(bias, "bias")
    squared = one_of(slack, ("hinge", "squared"), "slack") == "squared"
    hard = inf in C
    if hard and any(c != inf for c in C):
        raise ValueError("C holds inf and other numbers; slacks are for all or for none")
    slacks = 0 if hard else n
    size = d + bias + slacks
    prices = [zero] * (d + bias) + ([] if hard else C)
    weigh = [one] * d + [zero] * bias + ([] if hard else [c if squared else zero for c in C])
    margins = [
        [-s * v for v in x] + [-s * one] * bias + [-one if i == k else zero for k in range(slacks)]
        for i, (x, s) in enumerate(zip(X, y))
    ]
    rests = [
        [zero] * (d + bias) + [-one if i == k else zero for k in range(slacks)]
        for i in range(slacks if nonnegative else 0)
    ]
    return MarginProgram(
        P=[[v if a == b else zero for b in range(size)] for a, v in enumerate(weigh)],
        q=[zero] * size if squared else prices,
        G=margins + rests,
        h=[-one] * n + [zero] * len(rests),
    )


def hard_margin(X, y, bias=True):
    """The Margin without slack: the widest street between the classes, or the proof of none.

    >>> hard_margin([[Fraction(1)], [Fraction(2)]], [1, -1])[:2]
    ([Fraction(-2, 1)], Fraction(3, 1))
    >>> hard_margin([[Fraction(1)], [Fraction(2)]], [1, -1], bias=False).status
    'infeasible'
    """
    return margin_of(X, y, inf, "hinge", bias, True)


def soft_margin(X, y, C=1, slack="hinge", bias=True, nonnegative=True):
    """The Margin with slack at price C, from w = 0, b = 0, xi = 1.

    >>> best = soft_margin([[Fraction(1)], [Fraction(-1)]], [1, -1], Fraction(1, 4))
    >>> best.w, best.value
    ([Fraction(1, 2)], Fraction(3, 8))
    """
    return margin_of(X, y, C, slack, bias, nonnegative)


def margin_of(X, y, C, slack, bias, nonnegative):
    """The Margin of the program, solved."""
    program = margin_program(X, y, C, slack, bias, nonnegative)
    n, d = len(X), len(X[0])
    slacks = len(program.q) - d - bias
    start = [0] * (d + bias) + [1] * slacks if slacks else None
    found = minimise_inequalities(*program, start=start)
    if found.x is None:
        return Margin(None, None, None, found.multipliers[:n], None, found.status)
    kind = Fraction if isinstance(found.value, Fraction) else float
    w, rest = found.x[:d], found.x[d:]
    b = rest[0] if bias else kind(0)
    xi = rest[bias:] if slacks else [kind(0)] * n
    return Margin(w, b, xi, found.multipliers[:n], found.value, found.status)
