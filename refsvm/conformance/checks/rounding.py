"""What rounding to doubles does to decisions, in any program: it is allowed, and no more.

The best that a program can state is the optimum with each number rounded. Where kernel values
are large (10^21 for a polynomial of degree seven) its decisions are wrong by more than a
thousandth all the same, and a right program must not be called wrong for that. How much rounding
does is computed for each row from the exact optimum, never from the answer: so a wrong machine
gains nothing by stating large numbers.

    linear      a program can keep w: the terms are w_j x_j and b
    others      the terms are beta_i K(x_i, x) and b, each of them rounded, and their sums

Of a case that states no multipliers nothing more is allowed: those were chosen so that rounding
is far below a thousandth (tests/test_sizes.py).
"""

from __future__ import annotations

from fractions import Fraction

from ...numerics.types import Number
from ..truth import Evidence, Fractions, Truth, middle_offset, scores_of
from . import roundings


def allow_rounding(truth: Truth) -> Truth:
    """Return the Truth that allows for each decision what summing it in doubles does, too."""
    problem, best = truth.problem, truth.optimum
    if not problem.linear and best.alpha is None:
        return truth
    beta = None if problem.linear else problem.beta(best.alpha)
    return _with_more_allowed(truth, roundings(truth, beta, best.w, middle_offset(best)))


def allow_rounded_multipliers(e: Evidence) -> Evidence:
    """Return the Evidence that allows a linear machine without decisions its rounded multipliers.

    Its decisions are summed exactly, from the multipliers as stated. They are allowed twice of
    what the nearest doubles do: a program may round the other way. For other kernels
    allow_rounding has counted this already.
    """
    truth, best = e.truth, e.truth.optimum
    unknown = e.stated is not None or e.beta is None or best.alpha is None
    if unknown or not truth.problem.linear:
        return e
    off = [as_double(c) - c for c in truth.problem.beta(best.alpha)]
    more = [2 * abs(s) for s in scores_of(truth.problem, off, truth.rows)]
    return e._replace(truth=_with_more_allowed(truth, more))


def _with_more_allowed(truth: Truth, more: Fractions) -> Truth:
    """Return the Truth that allows so much more of each decision.

    A program finds b at an example whose multiplier is free, or at all of these: so b may be off
    by what rounding does to the decision about any example.
    """
    allowed = [a + r for a, r in zip(truth.allowed, more)]
    return truth._replace(allowed=allowed, offset_rounding=max(more[: truth.problem.n]))


def is_beyond_doubles(truth: Truth) -> bool:
    """Return whether rounding alone may spoil the decisions of the optimal multipliers."""
    best = truth.optimum
    if best.alpha is None:
        return False
    beta = truth.problem.beta(best.alpha)
    most = roundings(truth, beta, None, middle_offset(best))
    return any(r > a for r, a in zip(most, truth.thousandths))


def as_double(value: Number) -> Fraction:
    """Return the double nearest to a value; the value itself beyond their range.

    >>> as_double(Fraction(1, 3)) - Fraction(1, 3)
    Fraction(-1, 54043195528445952)
    """
    try:
        return Fraction(float(value))
    except OverflowError:
        return Fraction(value)
