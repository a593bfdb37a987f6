"""The judgement of svm/judgement.py by a certificate: in fractions, so that it is always decided.

Where kernel values are fractions, all is exact. Where they are enclosed, a score is off by the
error of the certificate's side, 2^-128 of the multipliers' size, and that is allowed for.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..svm.dual_form import gap_between, of_variables, spread
from ..svm.judgement import ROUNDING, Judgement, judgement_of
from .certificate import Certificate


def exact_judgement(
    found: Certificate, alpha: Any, within: Any, rounding: float = ROUNDING
) -> Judgement:
    """Return the Judgement of the answer that was certified.

    alpha: the multipliers as given; within, rounding: as of judge
    """
    problem, form, off = found.problem, found.known.form, found.side.error()
    beta = problem.variables_of(problem.multipliers(alpha))
    scores, ridge = spread(form, found.side.weights.scores), spread(form, problem.ridge())
    parts = zip(form.target, scores, of_variables(form, found.side.lam), ridge, beta)
    excess = [(e - off, e + off) for e in (t - (s + v) - c * x for t, s, v, c, x in parts)]
    low: Any = gap_between(found.gap, 2 * problem.scale * off * found.side.weights.size)
    gap: Any = max(low, Fraction(0)), found.gap
    return judgement_of(problem, form, beta, excess, gap, Fraction(within), Fraction(rounding))
