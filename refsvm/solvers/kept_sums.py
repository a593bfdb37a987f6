"""Whether steps have kept the sums of the groups, as far as rounding lets them.

A step moves multipliers so that each group's sum stays; on floats up to rounding. What is left of
that at the end is taken off one multiplier (svm/dual_form.py), and the residuals stay those of the
multipliers before. That is right as long as it is a rounding, so this is asked first; multipliers
whose sum was lost get it back together with their residuals.

The limit. To add n numbers, and to compare the sum with s, may round by
(n + 2) u (sum |beta| + |s|) at most, u = 2^-53; so does a residual, a sum of n products.
Steps round, too, so sixteen times this is allowed: then the exact sum is within seventeen times
this of s. On Fractions it is 0.
"""

from __future__ import annotations

from typing import Any

from ..numerics.linalg import total
from ..svm.dual_form import restore_exact_sums, restore_sums
from .dual_program import DualProgram, Numbers


def keeps_sums(program: DualProgram, beta: Numbers, rounding: Any) -> bool:
    """Whether each group's sum is what it must be, within the limit above. O(n).

    rounding: the largest relative error of one operation.
    """
    return all(
        is_kept(beta[group.start : group.stop], type(beta[0])(s), rounding)
        for group, s in zip(program.groups, program.sums)
    )


def is_kept(beta: Numbers, s: Any, rounding: Any) -> bool:
    """Whether these numbers add up to s, within the limit above.

    >>> is_kept([0.1, 0.2], 0.3, 2.0**-53), is_kept([0.1, 0.2], 0.3 + 2.0**-40, 2.0**-53)
    (True, False)
    """
    size = total(map(abs, beta)) + abs(s)
    return bool(abs(total(beta) - s) <= 16 * rounding * (len(beta) + 2) * size)


def end_with_sums(ascent: Any, status: str, tol: Any) -> str:
    """The status, once an ascent that stops for it has its sums, and residuals that go with them.

    Where a sum was lost it is restored, by the free multipliers if they can: one that leaves its
    bound by a rounding would count as free. "optimal" is said only if that is still true.
    """
    program, kind = ascent.program, type(ascent.beta[0])
    if status == "infeasible" or keeps_sums(program, ascent.beta, ascent.rounding):
        return status
    ascent.beta = restore_exact_sums(program, ascent.beta, kind)
    if not keeps_sums(program, ascent.beta, ascent.rounding):
        ascent.beta = restore_sums(program, ascent.beta, kind)
    ascent.recompute_residuals()
    lost = status == "optimal" and not ascent.violation() <= tol * ascent.unit
    return "precision" if lost else status
