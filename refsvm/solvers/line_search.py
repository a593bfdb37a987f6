"""Exact line search: how far to go in a direction so that a convex function becomes smallest.

Along a line a function of convex_functions.py is one of one number, t: pieces of parabolas joined
at kinks. Its slope never falls, so going from kink to kink the minimum is where the slope first is
not negative: at a kink, or inside a parabola between two of them.

    line      t -> f(x + t direction)               bend    its second derivative, 0 or more
    kinks     the t > 0 where two pieces of a term are equal

Source: the NYU slides ask whether gradient descent would work on a function with kinks (nyu-45);
with this search it does not.
"""

from fractions import Fraction

from ..numerics.validation import number_kind, vector
from ..theory.convex_functions import agree, substituted
from ..theory.subgradients import interval


def best_step(f, x, direction):
    """The least t >= 0 at which f(x + t direction) is smallest.

    Worked out in Fractions, so that every kink is met exactly; on floats rounded once at the end.
    ValueError if f falls for ever, and if a term of several pieces has one with a Q: then kinks
    need not be rational. O(kinks) evaluations.

    >>> from refsvm.theory.convex_functions import absolute_sum
    >>> best_step(absolute_sum([1, 2]), [2, 1], [-1, -2])
    0.5
    """
    f, x = agree(f, x, "x")
    kind = number_kind(x, direction)
    direction = vector(direction, "direction", Fraction)
    line = substituted(f, [[v] for v in direction], vector(x, "x", Fraction))
    here, bend = Fraction(0), second_derivative(line)
    for kink in [*kinks(line), None]:
        slope = interval(line, [here]).high
        if slope >= 0:
            return kind(here)
        if bend > 0 and (kink is None or slope + bend * (kink - here) > 0):
            return kind(here - slope / bend)
        here = kink
    raise ValueError("f falls for ever from x in this direction; it has no smallest value there")


def kinks(line):
    """The t > 0 at which two pieces of a term are equal, in order.

    >>> from refsvm.theory.convex_functions import polyhedral
    >>> kinks(polyhedral([[Fraction(0)], [1], [3]], [0, -1, -7]))
    [Fraction(1, 1), Fraction(7, 3), Fraction(3, 1)]
    """
    found = set()
    for pieces in line.terms:
        for k, p in enumerate(pieces):
            for q in pieces[:k]:
                if p.a != q.a:
                    found.add((q.c - p.c) / (p.a[0] - q.a[0]))
    return sorted(t for t in found if t > 0)


def second_derivative(line):
    """What all parabolas of the line bend by together; refused if a term would change it.

    >>> from refsvm.theory.convex_functions import quadratic
    >>> second_derivative(quadratic([[Fraction(3)]]))
    Fraction(3, 1)
    """
    bend = Fraction(0)
    for pieces in line.terms:
        for piece in pieces:
            if piece.Q is not None and len(pieces) > 1:
                raise ValueError(
                    "f has a quadratic piece in a term of several; its kinks need not be rational"
                )
            bend += 0 if piece.Q is None else piece.Q[0][0]
    return bend
