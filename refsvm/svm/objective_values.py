"""What slack adds to the objective, and how far two values of it are apart."""

from __future__ import annotations

from math import inf

from ..numerics.infinite_bounds import difference
from ..numerics.types import Number


def slack_penalty(form: str, C: Number, xi: Number) -> Number:
    """Return what a slack xi adds to the primal: C xi, or C/2 xi^2 if the form is "squared".

    >>> slack_penalty("hinge", 2.0, 3.0), slack_penalty("squared", 2.0, 3.0)
    (6.0, 9.0)
    """
    return C * xi if form == "hinge" else C * (xi * xi) / 2


def gap_between(primal: Number, dual: Number) -> Number:
    """Return primal - dual; inf where primal is, for a Fraction dual may be beyond the doubles.

    >>> from fractions import Fraction
    >>> gap_between(3.0, 1.0), gap_between(inf, Fraction(10) ** 400)
    (2.0, inf)
    """
    gap: Number = primal if primal == inf else difference(primal, dual)
    return gap
