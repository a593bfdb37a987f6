"""What bounds the multipliers of an example from above: its weight, C times it, and nu."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import inf

from ..numerics.cures import Cure, scaled, with_cure
from ..numerics.quoting import quote
from ..numerics.rounding_bounds import MAX_DOUBLE
from ..numerics.types import Kind, Number, Vector, VectorLike
from ..numerics.validation import check_length, positive, sequence
from .dual_form import exact_total


def box_weights(kind: Kind, weights: VectorLike | None, n: int) -> Vector:
    """Return a positive weight for each of n examples; 1 where there are none."""
    if weights is None:
        return [kind(1)] * n
    weights = sequence(weights, "weights")
    check_length(weights, n, "weights")
    if set(map(type, weights)) == {kind} == {float} and all(0 < v < inf for v in {*weights}):
        return list(weights)  # as below, in a tenth of the time
    return [positive(kind, v, f"weights[{i}]") for i, v in enumerate(weights)]


def box_limits(C: Number, weights: Vector) -> Vector:
    """Return C w_i, the largest size of each alpha; ValueError where a double does not hold it."""
    limits = [C * w if C < inf else inf for w in weights]
    for i, limit in enumerate(limits):
        if limit == 0 or limit == inf != C:
            raise with_cure(
                ValueError,
                f"C times weights[{i}] is {quote(limit)}; it must be positive and finite, so",
                _scale_weights(64 if limit == 0 else -64),
            )
    return limits


def _scale_weights(power: int) -> Cure:
    return Cure(
        f"scale the weights, for example by 2.0**{power}", "weights", partial(scaled, power)
    )


def exact_weights(C: Number, weights: Vector) -> Vector:
    """Return weights in Fractions of which C w_i is what it is of these, where it is rounded.

    A multiplier in doubles can be no nearer to its bound than the double next to C w_i; so that
    is the bound which the problem has, also where it is solved or judged in exact arithmetic.

    >>> [str(w) for w in exact_weights(10.0, [2.7, 0.5])], Fraction(2.7) == Fraction(27, 10)
    (['27/10', '1/2'], False)
    """
    return [Fraction(limit) / Fraction(C) for limit in box_limits(C, weights)]


def share_of_outliers(kind: Kind, nu: object) -> Number:
    """Return nu, which must be above 0 and at most 1."""
    nu = positive(kind, nu, "nu")
    if nu > 1:
        raise ValueError(f"nu is {quote(nu)}; it must be above 0 and at most 1")
    return nu


def share_of_weights(kind: Kind, nu: Number, weights: Vector) -> Fraction:
    """Return nu times the sum of the weights, exactly; ValueError where no double holds it.

    >>> share_of_weights(float, 0.5, [1.0, 2.0])
    Fraction(3, 2)
    """
    share = Fraction(nu) * exact_total(weights)
    if kind is float and share > MAX_DOUBLE:
        raise with_cure(
            ValueError,
            "nu times the sum of the weights is beyond the doubles; it is what multipliers add"
            " up to, so",
            _scale_weights(-64),
        )
    return share
