"""Whether multipliers and b keep the conditions of optimality to a tolerance.

A solver that stops at m - M <= tol has kept its promise, although its decisions may be off by more
than a thousandth where they are large. Where no tolerance is known it is a thousandth of the
margin, which is 1: that is what most programs stop at. No optimum is needed.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..proofs.repair import repair_multipliers
from ..svm.kkt_conditions import extremes, residuals
from .protocol import Answer, NumericProblem
from .truth import ENGINEERING, Evidence, ExactScores, Fractions, on_fractions, stated_beta


def keeps_tolerance(e: Evidence) -> bool:
    """Return whether an answer's multipliers and b keep its tolerance, or a thousandth."""
    return keeps_conditions(e.truth.problem, e.truth.exact.of_examples, e.beta, e.b, e.tol)


def transformed_keeps_tolerance(
    problem: NumericProblem, rows: list[Any], answer: Answer, tol: float | None, allowed: Fractions
) -> bool:
    """Return whether an answer to a problem on floats does, and decides as its model does.

    A last example that weighs nothing is none of the problem's.
    """
    exactly, there = on_fractions(problem, rows)
    beta = stated_beta(exactly, answer, range(problem.n))
    if answer.decisions is None or beta is None or answer.b is None:
        return False
    beta = feasible(exactly, beta)  # one outside its bounds decides otherwise
    scores, b = ExactScores(exactly, there), Fraction(answer.b)
    off = [abs(Fraction(f) - s - b) for f, s in zip(answer.decisions, scores.of_beta(beta))]
    agree = all(o <= a for o, a in zip(off, allowed))
    return agree and keeps_conditions(exactly, scores.of_examples, beta, b, tol)


def keeps_conditions(
    problem: NumericProblem, examples: ExactScores, beta: Any, b: Any, tol: float | None
) -> bool:
    """Return whether m - M is at most tol, and b between the two or no farther away than tol."""
    if beta is None or b is None or not problem.bias:
        return False
    allowed = ENGINEERING if tol is None else Fraction(tol)
    beta = feasible(problem, beta)
    alpha = [c * y for c, y in zip(beta, problem.y)]
    scores = examples.of_beta(beta)[: problem.n]
    m, M = extremes(problem, alpha, residuals(problem, beta, scores))
    return bool(m - M <= allowed and min(m, M) - allowed <= b <= max(m, M) + allowed)


def feasible(problem: NumericProblem, beta: Fractions) -> Fractions:
    """Return beta with multipliers inside their bounds, and balanced."""
    alpha = repair_multipliers(problem, [c * y for c, y in zip(beta, problem.y)])
    return [a * y for a, y in zip(alpha, problem.y)]
