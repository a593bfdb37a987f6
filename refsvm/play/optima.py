"""The optimum of a state: exact, or where an exponential is in the kernel between fractions."""

from fractions import Fraction
from math import inf

from ..proofs.optimum import solve_exactly
from .machines import moment_at, values_of
from .numbers import middle_of

BITS = 40  # an enclosure is 2^-40 wide, or narrower
ROUNDED = 1e-6  # a condition holds, as far as doubles can tell


def optimum(problem, offset_of):
    """Return the optimum, its ShownMachine, its Objectives and the ends of its offset.

    offset_of    says of an optimum what the ends are
    """
    best = solve_exactly(problem, bits=BITS)
    if best.status == "infeasible":
        return best, None, None, None
    values = values_of(best.w_norm2 * Fraction(1, 2), best.objective)
    letters = "" if best.status == "degenerate" else best.status
    ends = offset_of(best)
    tol = 0 if problem.kind is Fraction else ROUNDED
    return best, moment_at(problem, best.alpha, middle_end(*ends), letters, tol), values, ends


def middle_end(low, high):
    """Return the middle of two ends, or the finite one."""
    low, high = middle_of(low), middle_of(high)
    return high if low == -inf else low if high == inf else (low + high) / 2
