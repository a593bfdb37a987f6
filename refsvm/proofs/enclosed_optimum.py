"""The optimum where kernel values are no fractions: every number of it held between two.

    1  merged      equal examples are made one                                 rounded_problem.py
    2  definite?   a kernel that is not known to be one is looked at           definite_kernels.py
    3  rounded     kernel values to p bits: a problem on Fractions next to it  rounded_problem.py
    4  polished    its optimum, nearly                                         refinement.py
    5  measured    what that proves of the true one                            measuring.py

If that is not enough, 3 to 5 again with twice the bits.
"""

from fractions import Fraction

from ..numerics.linalg import total
from ..numerics.validation import whole_number
from .answer import Optimum
from .definite_kernels import refuse_unless_definite
from .measuring import enclosure, measured
from .refinement import polished
from .rounded_problem import Merged, Nearby
from .starting_points import for_exponentials

DOUBLINGS = 2  # of the bits, if nothing but a status is not decided
LIMIT = 8  # of the bits, whatever is not


def enclosed_optimum(problem, bits):
    """The Optimum of a problem whose kernel values are no fractions; for solve_exactly.

    objective, w_norm2, sum_alpha, sum_C_slack, b_low and b_high are Intervals no wider than
    2^-bits, alpha is feasible and nearly optimal; alpha_unique and b_unique are True or False if
    that is proved, else None.

    ValueError if bits is not from 1, or if the kernel matrix is not positive semidefinite.
    ArithmeticError if a hard margin is neither found nor refuted, as with 0 * Gaussian(1), whose
    zeros no precision shows to be zero.
    """
    bits = whole_number(bits, "bits", 1)
    refuse_unless_definite(problem)
    merged = Merged(problem)
    farkas = merged.clash()
    if farkas is not None:
        return Optimum(*[None] * 8, "infeasible", *[None] * 3, farkas)
    beta, free = for_exponentials(merged)
    p = first_precision(beta, bits, min(merged.C))
    for doubling in range(LIMIT + 1):
        near = Nearby(merged, p)
        beta, free = polished(near, beta, free)
        found = enclosure(near, measured(near, beta))
        if narrow(found, bits) and ("?" not in found.status or doubling >= DOUBLINGS):
            return for_all(merged, found)
        p *= 2
    undecided = "whether there is a hard margin" if found is None else f"the optimum to 2^-{bits}"
    raise ArithmeticError(f"{p // 2} bits of the kernel values do not tell {undecided}")


def first_precision(beta, bits, least):
    """p to begin with: |w|^2 is enclosed to the root of the gap, which goes with |beta|^2.

    If all of beta is small, units must be smaller by as much; least: the smallest C, which stands
    in for beta where floats proposed none.
    """
    size = total(map(abs, beta))
    large, small = int(size), int(1 / (size or least))
    lengths = 4 * large.bit_length() + small.bit_length() + 2 * len(beta).bit_length()
    return 2 * bits + lengths + 32


def narrow(found, bits):
    """Whether all Intervals of an Optimum are there, and no wider than 2^-bits."""
    if found is None:
        return False
    intervals = (
        found.objective,
        found.w_norm2,
        found.sum_alpha,
        found.sum_C_slack,
        found.b_low,
        found.b_high,
    )
    return all(v.width <= Fraction(1, 1 << bits) for v in intervals)


def for_all(merged, found):
    """The Optimum for the examples as they were before they were merged."""
    movable = [s == "M" for s in found.status]
    other = merged.divided_otherwise(found.alpha, movable)
    undecided = merged.divided_otherwise(found.alpha, [s == "?" for s in found.status])
    unique = False if other else None if undecided else found.alpha_unique
    return found._replace(
        alpha=merged.divided(found.alpha),
        other_alpha=other,
        alpha_unique=unique,
        status="".join(merged.spread(found.status)).replace("T", "M"),
    )
