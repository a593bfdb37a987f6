"""Says it converged, or nothing, and has not: the policy of the cases at which doubles end.

A subject that says of itself that it stopped, or that doubles show no more, is not blamed there.
One that says it converged, by its status or by no warning, has promised a gap of at most
tol sum max(C_i - alpha_i, alpha_i) (S19.3). Whether it is kept is proved:

    kept      by gap_bounds, or by the exact gap, or as every decision is right to a thousandth
    broken    by the exact gap, from the exact optimum of the case

Decisions without multipliers promise to be right to a thousandth of their size.
"""

from __future__ import annotations

from math import inf
from typing import Any

from ...svm.gap_bounds import gap_bounds
from ..protocol import says_unfinished
from ..truth import Evidence, Gap, gap_of
from . import Finding, check_arithmetic, check_offset, check_optimality, failure, short_text

AIM = "LimitOfDoubles"  # the flag of these cases
CLAIM_TOL = 1e-3  # that they are asked with, if the subject takes one
SAID, SILENT = "it says that it converged", "it does not say that it stopped"


def check_claim(e: Evidence) -> Finding:
    """Check G8: whether an answer that says it converged has."""
    if says_unfinished(e.answer):
        return Finding("pass", "it says that it has not finished")
    gap = gap_of(e)
    arithmetic = check_arithmetic(e)
    decides_so = arithmetic is None or arithmetic.result != "fail"  # as its multipliers say
    if decides_so and gap.promised is not None and _proved_gap(e) <= gap.promised:
        return Finding("pass", "gap_bounds proves that it has converged", gap=gap.excess)
    for found in (check_optimality(e), check_offset(e), arithmetic):
        if found is not None and found.result == "fail":
            said = SILENT if e.answer.status is None else SAID
            reason = f"{said}: {found.reason}{_broken_promise(e, gap)}"
            return failure(reason, "FalseConvergence", gap=gap.excess, worst=found.worst)
    return Finding("pass", "it has converged", gap=gap.excess)


def _broken_promise(e: Evidence, gap: Gap) -> str:
    """Return by how much the tolerance is exceeded; nothing if there is none, or it is not."""
    if gap.promised is None or gap.excess is None or gap.excess <= gap.promised:
        return ""
    excess, promised, tol = map(short_text, (gap.excess, gap.promised, e.tol))
    return f"; the gap is {excess}, and tol = {tol} allows {promised}"


def _proved_gap(e: Evidence) -> Any:
    """Return the upper bound of the gap that gap_bounds proves; infinity where it cannot be asked.

    It takes multipliers and offsets as they are stated, all of them.
    """
    problem, answer = e.truth.original, e.answer
    stated = {"rho": answer.rho, "epsilon": answer.epsilon, "radius2": answer.radius2 or answer.b}
    offsets = [answer.b if name == "b" else stated[name] for name in problem.offsets_class._fields]
    if e.beta is None or e.factor != 1 or None in offsets:
        return inf
    alpha = [float(a) for a in e.truth.measure.alpha_of(e.beta)]
    return gap_bounds(problem, alpha, tuple(offsets)).high
