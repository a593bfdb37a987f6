"""The judgement of svm/judgement.py by a certificate: in fractions, so that it is always decided.

Where kernel values are fractions, all is exact. Where they are enclosed, a score is off by the
error of the certificate's side, 2^-128 of the multipliers' size, and that is allowed for.

Where the kernel matrix is not positive semidefinite, as with most sigmoids, there is no optimum to
measure an answer by, whatever conditions hold: then nothing is decided, and a sentence says why.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ..svm.dual_form import gap_between
from ..svm.exact_answers import is_small
from ..svm.judgement import SEVERITY, SINGLE_EPS, UNDECIDED, Judgement, judge, judgement_of
from ..svm.machine_in_doubles import MachineInDoubles
from .certificate import Certificate, certify, certify_weights


def judge_answer(
    machine: MachineInDoubles,
    problem: Any,
    alpha: Any,
    offsets: Sequence[Any],
    within: Any,
    rounding: float = SINGLE_EPS,
    exact: bool = False,
) -> tuple[Judgement, str]:
    """Return the Judgement of an answer, and ""; or why fractions decide nothing.

    In doubles; by its certificate on Fractions, where it is asked for, and where doubles leave a
    doubt of a small problem. Without a certificate it does not pass, but what FAILs by conditions
    that are broken does so with any kernel.

    machine: that of the answer, in doubles
    """
    rough = judge(machine, within, rounding)
    in_doubt = rough.verdict == UNDECIDED and is_small(machine.problem, machine.beta)
    if not (exact or in_doubt or problem.kind is not float):
        return rough, ""
    try:
        found = _certificate(problem, alpha, offsets)
    except ValueError as error:
        verdict = max(rough.verdict, UNDECIDED, key=SEVERITY.index)
        cause, _, _ = str(error).partition(": v'Kv")  # the witness may be long
        return rough._replace(verdict=verdict), f"nothing can be certified: {cause}"
    return exact_judgement(found, alpha, within, rounding), ""


def _certificate(problem: Any, alpha: Any, offsets: Sequence[Any]) -> Certificate:
    """Return the Certificate of the machine that is judged in doubles, too.

    A linear machine keeps a w that is rounded.
    """
    if problem.kind is float and problem.linear:
        return certify_weights(problem, alpha, problem.weights(alpha), offsets)
    return certify(problem, alpha, *offsets)


def exact_judgement(
    found: Certificate, alpha: Any, within: Any, rounding: float = SINGLE_EPS
) -> Judgement:
    """Return the Judgement of the answer that was certified.

    alpha: the multipliers as given; within, rounding: as of judge
    """
    problem, form, off = found.problem, found.known.form, found.side.error()
    beta = problem.variables_of(problem.multipliers(alpha))
    scores = form.per_variable(found.side.weights.scores)
    ridge = form.per_variable(problem.ridge())
    parts = zip(form.target, scores, form.lam_per_variable(found.side.lam), ridge, beta)
    excess = [(e - off, e + off) for e in (t - (s + v) - c * x for t, s, v, c, x in parts)]
    low: Any = gap_between(found.gap, 2 * problem.scale * off * found.side.weights.size)
    gap: Any = max(low, Fraction(0)), found.gap
    return judgement_of(problem, form, beta, excess, gap, Fraction(within), Fraction(rounding))
