"""Conventions for the penalty C: the constants of other texts, converted to the C of Problem.

Every text multiplies something else by its constant. Here C multiplies the SUM of the slacks:

    ours     1/2 |w|^2 + C sum xi_i            (or C/2 sum xi_i^2 with slack="squared")

Each function takes the constants of one convention and returns Converted(C, scale): the C to give
to Problem, and the factor by which that text's objective is larger than ours. The minimiser is
the same. n is the number of examples; lam is lambda. Exact on Fractions; ValueError for a constant
that is not positive, or where C or the scale is beyond the doubles.

Sources, by the notes' names: CDS New York University, "SVM" (2023); Andrew Ng and Tengyu Ma,
"CS229 lecture notes" parts V and VI (2019); Nicolo Cesa-Bianchi, "Support Vector Machines" (2023);
lycpaul, "SVMs Dual Formulation"; 50.007 Machine Learning, "Support Vector Machines (II)" (2022).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf
from typing import NamedTuple

from ..numerics.cures import Cure, with_cure
from ..numerics.display import displayed
from ..numerics.quoting import quote
from ..numerics.types import Number
from ..numerics.validation import number_kind, positive, whole_number


@displayed
class Converted(NamedTuple):
    """The penalty of another text, converted.

    Attributes
    ----------
    C : number
        the penalty for Problem
    scale : number
        that text's objective divided by ours
    """

    C: Number
    scale: Number


def from_sum_of_slacks(C: Number) -> Converted:
    """Convert 1/2 |w|^2 + C sum xi: ours (CS229 section 8; lycpaul, L1; S2.9).

    >>> from_sum_of_slacks(2)
    Converted(C=2.0, scale=1.0)
    """
    return _convert(C, "C", lambda c: (c, 1))


def from_average_slack(C: Number, n: int) -> Converted:
    """Convert 1/2 |w|^2 + (C / n) sum xi (New York University, soft margin; S2.9).

    >>> from_average_slack(2, 8)
    Converted(C=0.25, scale=1.0)
    """
    n = whole_number(n, "n", 1)
    return _convert(C, "C", lambda c: (c / n, 1))


def from_mean_hinge(lam: Number, n: int) -> Converted:
    """Convert lam |w|^2 + (1/n) sum hinge (S2.9; New York University, J(w)); usually without b.

    >>> from_mean_hinge(0.25, 4)
    Converted(C=0.5, scale=0.5)
    """
    n = whole_number(n, "n", 1)
    return _convert(lam, "lam", lambda v: (1 / (2 * v * n), 2 * v))


def from_mean_hinge_halved(lam: Number, n: int) -> Converted:
    """Convert lam/2 |w|^2 + (1/n) sum hinge (Cesa-Bianchi, F(w); what Pegasos minimises; S2.9).

    >>> from_mean_hinge_halved(0.25, 4)
    Converted(C=1.0, scale=0.25)
    """
    n = whole_number(n, "n", 1)
    return _convert(lam, "lam", lambda v: (1 / (v * n), v))


def from_sum_hinge_halved(lam: Number) -> Converted:
    """Convert lam/2 |w|^2 + sum hinge (50.007, equation 5; S2.9).

    >>> from_sum_hinge_halved(4)
    Converted(C=0.25, scale=4.0)
    """
    return _convert(lam, "lam", lambda v: (1 / v, v))


def from_halved_squares(C: Number) -> Converted:
    """Convert 1/2 |w|^2 + C/2 sum xi^2: ours with slack="squared" (lycpaul, L2; S2.9).

    >>> from_halved_squares(3)
    Converted(C=3.0, scale=1.0)
    """
    return _convert(C, "C", lambda c: (c, 1))


def from_squares(C: Number) -> Converted:
    """Convert 1/2 |w|^2 + C sum xi^2, for slack="squared" (LIBLINEAR's squared hinge; S2.9).

    >>> from_squares(3)
    Converted(C=6.0, scale=1.0)
    """
    return _convert(C, "C", lambda c: (2 * c, 1))


def _convert(
    value: Number, name: str, formula: Callable[[Number], tuple[Number, Number]]
) -> Converted:
    """Return Converted(*formula(value)) for a positive, finite value, all of one kind.

    ValueError where C or the scale would round to 0 or infinity: that is another problem.
    """
    kind = number_kind(value)
    number = positive(kind, value, name)
    try:
        C, scale = formula(number)
        converted = Converted(kind(C), kind(scale))
    except OverflowError:  # of an n that no double holds
        converted = Converted(0, 0)
    if not (0 < converted.C < inf and 0 < converted.scale < inf):
        raise with_cure(
            ValueError,
            f"{name} is {quote(value)}; what it stands for is beyond the doubles;",
            Cure("give it as a Fraction", name, Fraction),
        )
    return converted
