"""The optimum of a state: exact, enclosed between fractions, or certified in doubles."""

from fractions import Fraction
from math import inf

from ...numerics.intervals import Interval
from ...proofs.certificate import certify
from ...proofs.optimum import solve_exactly
from ...solvers.smo import smo
from ...svm.problem import Problem
from .machines import Objectives, moment_at, values_of
from .numbers import middle_of

BITS = 40  # an enclosure is 2^-40 wide, or narrower
CLOSE = 1e-9  # tol of a machine in doubles
ROUNDED = 1e-6  # a condition holds, as far as doubles can tell


def optimum(problem, offset_of):
    """Return the optimum, its ShownMachine, its Objectives and the ends of its offset.

    offset_of    says of an optimum what the ends are
    """
    exact = problem.kind is Fraction
    if exact or isinstance(problem, Problem):
        best = solve_exactly(problem, bits=BITS)
        if best.status == "infeasible":
            return best, None, None, None
        half, value = best.w_norm2 * Fraction(1, 2), best.objective
        letters = "" if best.status == "degenerate" else best.status
        values = values_of(half, value)
    else:
        best = smo(problem, tol=CLOSE)
        known = certify(problem, best.alpha)
        half = problem.scores_and_norm2(problem.beta(best.alpha))[1] / 2
        value = Interval(known.dual, known.primal)
        middle = float(middle_of(value))
        values = Objectives(half, middle - half, value, middle + half, value)
        letters = ""
    ends = offset_of(best)
    moment = moment_at(problem, best.alpha, middle_end(*ends), letters, 0 if exact else ROUNDED)
    return best, moment, values, ends


def middle_end(low, high):
    """Return the middle of two ends, or the finite one."""
    low, high = middle_of(low), middle_of(high)
    return high if low == -inf else low if high == inf else (low + high) / 2
