"""Subgradient descent: step against a subgradient, by a rate that is fixed in advance.

    x_(t+1) = x_t - rate_t g_t,     g_t a subgradient of f at x_t,     t = 1, ..., T

A step against a subgradient may raise f: what it surely does, if it is short, is come closer to a
minimiser. So the best point passed is kept, and the convergence theorems are about it.
Subgradients do not fade near a kink as gradients do near a minimum, so it is the rates that must
fade, and not too fast: their sum must have no bound.

    f       the function                            rate    length of a step over |g|
    x, g    a point, a subgradient of f there       t, T    step, number of steps

A rate is a number, or a function of (x, f(x), g) that returns one. `rates` holds one a step, and
ends: the caller decides how many steps there are. step_sizes.py makes such lists, with their
theorems.

Source: the NYU slides, "Subgradient Descent" (nyu-64 to nyu-68).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from ..numerics.display import displayed
from ..numerics.linalg import add, add_scaled
from ..numerics.types import Kind, Number, Vector, VectorLike
from ..numerics.validation import iterator, not_negative, number_kind, positive, to_number, vector


@displayed
class Descent(NamedTuple):
    """Where a subgradient descent has been (S7.1)."""

    best: Vector  # of x_1, ..., x_(T+1) the first with the smallest value
    best_value: Number
    last: Vector  # x_(T+1)
    average: Vector  # of x_1, ..., x_T, the points where a subgradient was taken; x_1 if T is 0
    steps: int  # T


@displayed
class DescentStep(NamedTuple):
    """One step, for on_step: x was left for x - rate g."""

    t: int  # 1 for the first
    x: Vector
    value: Number
    g: Vector
    rate: Number


def subgradient_descent(
    value: Callable[[Vector], Number],
    subgradient: Callable[[Vector], VectorLike],
    start: VectorLike,
    rates: Iterable[Any],
    on_step: Callable[[DescentStep], object] | None = None,
) -> Descent:
    """Run subgradient descent from `start`, one step for each rate (S7.1).

    Parameters
    ----------
    value, subgradient : functions of a list of d numbers
        f(x), and a subgradient of f at x; they must not change the list
    start : d numbers
    rates : numbers above 0, or functions (x, value, g) -> number of at least 0
    on_step : function
        called with a DescentStep before each step

    Returns
    -------
    Descent
        in Fractions if start, a rate or value(start) is one

    Raises
    ------
    ValueError, TypeError
        for what is no finite number or has the wrong length

    Notes
    -----
    T + 2 calls of value, T of subgradient, O(T d) besides. Source: NYU slides, nyu-64 to nyu-68.

    Examples
    --------
    >>> from refsvm.theory.convex_functions import absolute_sum
    >>> from refsvm.theory.subgradients import subgradient
    >>> f = absolute_sum([1, 2])
    >>> descent = subgradient_descent(f, lambda x: subgradient(f, x), [3, 0], [1, 0.5, 0.25])
    >>> descent.best, descent.best_value, descent.last
    ([1.25, -0.5], 2.25, [1.25, -0.5])
    """
    rates = list(iterator(rates, "rates", "numbers or functions"))
    kind = number_kind(start, [r for r in rates if not callable(r)], value(vector(start, "start")))
    rates = [_check_rate(kind, rate, f"rates[{t}]") for t, rate in enumerate(rates)]
    x = best = average = vector(start, "start", kind)
    here: Number = to_number(kind, value(list(x)), "value(start)")
    best_value = here
    total: Vector = [kind(0)] * len(x)
    for t, rate in enumerate(rates, 1):
        g = vector(subgradient(list(x)), "subgradient(x)", kind)
        if callable(rate):
            rate = not_negative(kind, rate(list(x), here, list(g)), f"rates[{t - 1}](x, value, g)")
        if on_step:
            on_step(DescentStep(t, list(x), here, list(g), rate))
        total = add(total, x)
        x = add_scaled(x, -rate, g)
        here = to_number(kind, value(list(x)), f"value(x) after step {t}")
        if here < best_value:
            best, best_value = x, here
    if rates:
        average = [v / len(rates) for v in total]
    return Descent(list(best), best_value, list(x), list(average), len(rates))


def _check_rate(kind: Kind, rate: object, name: str) -> Any:
    """The rate: a function as it is, a number refused unless it is positive."""
    return rate if callable(rate) else positive(kind, rate, name)
