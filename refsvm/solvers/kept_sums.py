"""The sums of the groups at the end: as exact as doubles allow, before anything is judged.

A step moves multipliers so that each group's sum stays; on floats up to rounding. What is left of
that at the end is taken off a free multiplier (svm/dual_form.py), and the residuals follow. Where
steps lost more of a sum than rounding, bounds give way, too, and the residuals are made anew.

The limit of a rounding. To add n numbers, and to compare the sum with s, may round by
(n + 2) u (sum |beta| + |s|) at most, u = 2^-53; so does a residual, a sum of n products.
Steps round, too, so sixteen times this is allowed: then the exact sum is within seventeen times
this of s. On Fractions it is 0.
"""

from __future__ import annotations

from typing import Any

from ..numerics.linalg import total
from ..svm.dual_form import restore_exact_sums, restore_sums
from .dual_program import DualProgram, Numbers, refuse_overflow


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


def end_with_sums(problem: Any, ascent: Any, status: str) -> None:
    """Give an ascent that has stopped with this status its sums, and residuals that go with them.

    Before, the two variables of an example become the one whose sum is told. Free multipliers give
    way first: one that leaves its bound by a rounding would count as free.
    """
    program, kind = ascent.program, problem.kind
    refuse_overflow(ascent.beta, ascent.residuals())
    r, ascent.beta = ascent.residuals(), problem.without_common_parts(ascent.beta)
    ascent.set_residuals(r)
    lost = status != "infeasible" and not keeps_sums(program, ascent.beta, ascent.rounding)
    start = dict(enumerate(ascent.beta))
    ascent.beta = restore_exact_sums(program, ascent.beta, kind, ascent.diagonal, problem.linear)
    if lost and not keeps_sums(program, ascent.beta, ascent.rounding):
        ascent.beta = restore_sums(program, ascent.beta, kind)
    if lost:
        ascent.recompute_residuals()
    elif any(b != start[k] for k, b in enumerate(ascent.beta)):
        ascent.update_after_moving_from(start)
