"""Step sizes for subgradient descent, also called rates, and what each guarantees.

Every theorem here comes out of one identity. A step from x to x - rate g changes the squared
distance to any point z by

    |x - rate g - z|^2 - |x - z|^2  =  rate^2 |g|^2 - 2 rate g.(x - z)

and for a subgradient g.(x - z) >= f(x) - f(z). With z = x*, a minimiser, the step comes closer if
0 < rate < 2 (f(x) - f*) / |g|^2. Summed over all steps the distances cancel, and what remains is

    the least of f(x_t) - f*   <=   (R^2 + G^2 sum rate_t^2) / (2 sum rate_t)

    R      a bound on |x_1 - x*|                f*     the smallest value of f, `minimum`
    G      no subgradient is longer             mu     f - mu/2 |x|^2 is convex
    L      no gradient changes by more than L times the distance; on a quadratic, of the
           eigenvalues of Q the largest         T      number of steps, `steps`

Where f is smooth T steps at the rate 1/L reach f - f* <= L R^2 / (2 T): to be eps from the minimum
takes about 1/eps steps there, and 1/eps^2 with kinks.

All functions of rates return a list, one a step, to be given to subgradient_descent.

An exact line search finds the rate that makes f smallest. Along a line a function of
convex_functions.py is one of one number, t: pieces of parabolas joined at kinks. Its slope never
falls, so going from kink to kink the minimum is where the slope first is not negative: at a kink,
or inside a parabola between two of them. With this search the descent may stop at a kink (nyu-45).

    line   t -> f(x + t direction)          kinks   the t > 0 where two pieces of a term are equal

Sources: the NYU slides, "Subgradient Descent" (nyu-66 to nyu-68); Nesterov, Introductory Lectures
on Convex Optimization, sections 2.1.5 and 3.2.3; Polyak, Introduction to Optimization, section
5.3; Lacoste-Julien, Schmidt, Bach, arXiv 1212.2002 (strong convexity: the sum over 1/t).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import isqrt, sqrt
from typing import Any

from ..numerics.cures import Cure, with_cure
from ..numerics.linalg import dot, scale, squared_norm, total
from ..numerics.quoting import quote
from ..numerics.types import Number, Vector, VectorLike
from ..numerics.validation import number_kind, positive, sequence, to_number, vector, whole_number
from ..theory.convex_functions import Convex, in_common_type, require_convex, substituted
from ..theory.subgradients import slope_interval

RateAt = Callable[[Vector, Any, Vector], Number]  # the rate at (x, f(x), g)


def constant(rate: Number, steps: int) -> Vector:
    """The same rate for every step (S7.3). On |x| the steps end in going to and fro.

    >>> constant(2, 3)
    [2.0, 2.0, 2.0]
    """
    return _list_of_rates(rate, "rate", steps, lambda rate, t: rate)


def for_horizon(R: Number, G: Number, steps: int) -> Vector:
    """R / (G sqrt(T)) for each of T steps (S7.4): the best f(x_t) - f* is R G / sqrt(T) or less.

    It is the constant that makes the bound above smallest. On Fractions T must be a square.

    >>> for_horizon(3, 2, 4)
    [0.75, 0.75, 0.75, 0.75]
    """
    kind, steps = number_kind(R, G), whole_number(steps, "steps", 1)
    R, G = positive(kind, R, "R"), positive(kind, G, "G")
    root = sqrt(steps) if kind is float else Fraction(isqrt(steps))
    if kind is Fraction and root * root != steps:
        raise ValueError(f"steps is {quote(steps)}; on Fractions it must be a square number")
    return [R / (G * root)] * steps


def for_accuracy(R: Number, G: Number, accuracy: Number) -> Vector:
    """accuracy / G^2 for each of steps_with_kinks(R, G, accuracy) steps; Fractions will do (S7.4).

    Then the best f(x_t) is at most `accuracy` above f*.

    >>> for_accuracy(3, 2, 4)
    [1.0, 1.0, 1.0]
    """
    kind, steps = number_kind(R, G, accuracy), steps_with_kinks(R, G, accuracy)
    whole_number(steps, "the number of steps", 0)
    G, accuracy = positive(kind, G, "G"), positive(kind, accuracy, "accuracy")
    return [accuracy / (G * G)] * steps


def inverse_root(c: Number, steps: int) -> Vector:
    """c / sqrt(t) for t = 1, ..., T; floats only. The rates fade, their sum has no bound.

    >>> inverse_root(6, 4)[3]
    3.0
    """
    if number_kind(c) is Fraction:
        raise with_cure(
            TypeError,
            f"c is {quote(c)}; c / sqrt(t) is seldom a Fraction,",
            Cure("give a float", "c", float),
        )
    return _list_of_rates(c, "c", steps, lambda c, t: c / sqrt(t))


def inverse(c: Number, steps: int) -> Vector:
    """c / t for t = 1, ..., T: the sum has no bound, but grows by c only while t grows e-fold.

    With c = 1/mu and f strongly convex it is the right one: then f at the average of x_1, ..., x_T
    is at most strong_guarantee(mu, G^2, T) above f*.

    >>> inverse(6, 3)
    [6.0, 3.0, 2.0]
    """
    return _list_of_rates(c, "c", steps, lambda c, t: c / t)


def inverse_square(c: Number, steps: int) -> Vector:
    """c / t^2 for t = 1, ..., T (S7.3). They fade too fast: the sum, and the way, stay below 2 c.

    >>> inverse_square(36, 3)
    [36.0, 9.0, 4.0]
    """
    return _list_of_rates(c, "c", steps, lambda c, t: c / (t * t))


def _list_of_rates(c: Number, name: str, steps: int, rate: Callable[[Any, int], Any]) -> Vector:
    """rate(c, t) for t = 1, ..., T, with c a positive number."""
    c, steps = positive(number_kind(c), c, name), whole_number(steps, "steps", 0)
    return [rate(c, t) for t in range(1, steps + 1)]


def polyak(minimum: Number, steps: int) -> list[RateAt]:
    """(f(x) - f*) / |g|^2, the rate in the middle of those that come closer, for each step (S7.2).

    The squared distance to every minimiser falls by at least (f(x) - f*)^2 / |g|^2 each time.
    0 where f(x) is the minimum. ValueError, during the descent, if f(x) is below it.

    >>> polyak(0, 1)[0]([3.0], 3.0, [1.0])
    3.0
    """
    minimum = to_number(number_kind(minimum), minimum, "minimum")
    return [lambda x, value, g: reach(value, minimum, g) / 2] * whole_number(steps, "steps", 0)


def reach(value: Number, minimum: Number, g: VectorLike) -> Number:
    """2 (f(x) - f*) / |g|^2: every rate between 0 and this comes closer to every minimiser (S7.2).

    0 where f(x) = f*: there no step is safe, and as f(x) falls to f* no rate stays safe.

    >>> reach(3, 0, [1, 2])
    1.2
    """
    kind = number_kind(value, minimum, g)
    value, minimum = to_number(kind, value, "value"), to_number(kind, minimum, "minimum")
    g = vector(g, "g", kind)
    if value < minimum:
        raise ValueError(
            f"value is {quote(value)}; it must not be below the minimum, {quote(minimum)}"
        )
    return kind(0) if value == minimum else 2 * (value - minimum) / squared_norm(g)


def exact_search(f: Convex, steps: int) -> list[RateAt]:
    """For each step the rate that makes f(x - rate g) smallest; f a Convex (S7.3).

    The best rate of each single step is a bad rule: it may stop for ever at a kink.

    >>> from refsvm.theory.convex_functions import absolute_sum
    >>> exact_search(absolute_sum([1, 2]), 1)[0]([2, 1], 4, [1, 2])
    0.5
    """
    steps = whole_number(steps, "steps", 0)
    return [lambda x, value, g: best_step(f, x, scale(-1, g))] * steps


# What the rates guarantee


def guarantee(R2: Number, G2: Number, rates: Sequence[Number]) -> Number:
    """(R2 + G2 sum rate^2) / (2 sum rate): a bound on the least f(x_t) - f*, t = 1, ..., T (S7.4).

    R2 and G2 are the squares of R and G. For numbers as rates, not functions. O(T).

    >>> guarantee(9, 4, for_horizon(3, 2, 4))
    3.0
    """
    rates = sequence(rates, "rates")
    kind = number_kind(R2, G2, rates)
    R2, G2 = positive(kind, R2, "R2"), positive(kind, G2, "G2")
    rates = [positive(kind, rate, f"rates[{t}]") for t, rate in enumerate(vector(rates, "rates"))]
    return (R2 + G2 * squared_norm(rates)) / (2 * dot(rates, [1] * len(rates)))


def strong_guarantee(mu: Number, G2: Number, steps: int) -> Number:
    """G2 (1 + 1/2 + ... + 1/T) / (2 mu T): bounds f(average) - f* at rates 1/(mu t) (S7.4).

    >>> strong_guarantee(2, 4, 2)
    0.75
    """
    kind, steps = number_kind(mu, G2), whole_number(steps, "steps", 1)
    mu, G2 = positive(kind, mu, "mu"), positive(kind, G2, "G2")
    harmonic = total(kind(1) / t for t in range(1, steps + 1))
    return G2 * harmonic / (2 * mu * steps)


def steps_with_kinks(R: Number, G: Number, accuracy: Number) -> int:
    """The least T with R G / sqrt(T) <= accuracy (S7.4): so many are enough. Of order 1/eps^2.

    >>> steps_with_kinks(1, 1, Fraction(1, 10))
    100
    """
    R, G, accuracy = _require_positive(R=R, G=G, accuracy=accuracy)
    return whole_number_above((R * G / accuracy) * (R * G / accuracy))


def steps_if_smooth(R: Number, L: Number, accuracy: Number) -> int:
    """The least T with L R^2 / (2 T) <= accuracy (S7.4), at the rate 1/L. Of order 1/eps.

    >>> steps_if_smooth(1, 1, Fraction(1, 10))
    5
    """
    R, L, accuracy = _require_positive(R=R, L=L, accuracy=accuracy)
    return whole_number_above(L * R * R / (2 * accuracy))


def _require_positive(**given: Number) -> list[Fraction]:
    """The numbers as Fractions, refused unless all are positive."""
    return [Fraction(positive(Fraction, value, name)) for name, value in given.items()]


def whole_number_above(v: Fraction) -> int:
    """The least int that is at least v.

    >>> whole_number_above(Fraction(7, 2)), whole_number_above(Fraction(4))
    (4, 4)
    """
    exact = Fraction(to_number(Fraction, v, "v"))
    return -((-exact.numerator) // exact.denominator)


# Exact line search


def best_step(f: Convex, x: VectorLike, direction: VectorLike) -> Number:
    """The least t >= 0 at which f(x + t direction) is smallest.

    Worked out in Fractions, so that every kink is met exactly; on floats rounded once at the end.
    ValueError if f falls for ever, and if a term of several pieces has one with a Q: then kinks
    need not be rational. O(kinks) evaluations.

    >>> from refsvm.theory.convex_functions import absolute_sum
    >>> best_step(absolute_sum([1, 2]), [2, 1], [-1, -2])
    0.5
    """
    f, x = in_common_type(f, x, "x")
    kind = number_kind(x, direction)
    direction = vector(direction, "direction", Fraction)
    line = substituted(f, [[v] for v in direction], vector(x, "x", Fraction))
    curvature = second_derivative(line)
    here: Number = Fraction(0)
    ends: list[Any] = [*kinks(line), None]
    for kink in ends:
        slope = slope_interval(line, [here]).high
        if slope >= 0:
            return kind(here)
        if curvature > 0 and (kink is None or slope + curvature * (kink - here) > 0):
            return kind(here - slope / curvature)
        here = kink
    raise ValueError("f falls for ever from x in this direction; it has no smallest value there")


def kinks(line: Convex) -> list[Fraction]:
    """The t > 0 at which two pieces of a term are equal, in order.

    >>> from refsvm.theory.convex_functions import polyhedral
    >>> kinks(polyhedral([[Fraction(0)], [1], [3]], [0, -1, -7]))
    [Fraction(1, 1), Fraction(7, 3), Fraction(3, 1)]
    """
    require_convex(line, "line")
    found: set[Any] = set()
    for pieces in line.terms:
        for k, p in enumerate(pieces):
            for q in pieces[:k]:
                if p.a != q.a:
                    found.add((q.c - p.c) / (p.a[0] - q.a[0]))
    return sorted(t for t in found if t > 0)


def second_derivative(line: Convex) -> Fraction:
    """The second derivative of all parabolas of the line; refused if a term would change it.

    >>> from refsvm.theory.convex_functions import quadratic
    >>> second_derivative(quadratic([[Fraction(3)]]))
    Fraction(3, 1)
    """
    require_convex(line, "line")
    curvature = Fraction(0)
    for pieces in line.terms:
        for piece in pieces:
            if piece.Q is not None and len(pieces) > 1:
                raise ValueError(
                    "f has a quadratic piece in a term of several; its kinks need not be rational"
                )
            curvature += 0 if piece.Q is None else Fraction(piece.Q[0][0])
    return curvature
