"""Whether multipliers and b keep the conditions of optimality to a tolerance.

A solver that stops at m - M <= tol has kept its promise, although its decisions may be off by more
than a thousandth where they are large. Where no tolerance is known it is a thousandth of the
margin, which is 1: that is what most programs stop at. No optimum is needed.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .margin_measure import ENGINEERING, MarginMeasure, on_fractions
from .protocol import Answer, NumericProblem
from .truth import Evidence, ExactScores, Fractions, stated_beta


def keeps_tolerance(e: Evidence) -> bool:
    """Return whether an answer's multipliers and b keep its tolerance, or a thousandth."""
    return e.truth.measure.keeps_tolerance(e)  # type: ignore[no-any-return]


def transformed_keeps_tolerance(
    problem: NumericProblem, rows: list[Any], answer: Answer, tol: float | None, allowed: Fractions
) -> bool:
    """Return whether an answer to a Problem on floats does, and decides as its model does.

    A last example that weighs nothing is none of the problem's.
    """
    exactly, there = on_fractions(problem, rows)
    measure = MarginMeasure(exactly)
    beta = stated_beta(measure, answer, range(problem.n))
    if answer.decisions is None or beta is None or answer.b is None:
        return False
    beta = measure.feasible(beta)  # one outside its bounds decides otherwise
    scores, b = ExactScores(exactly, there), Fraction(answer.b)
    off = [abs(Fraction(f) - s - b) for f, s in zip(answer.decisions, scores.of_beta(beta))]
    agree = all(o <= a for o, a in zip(off, allowed))
    most = ENGINEERING if tol is None else Fraction(tol)
    return agree and measure.keeps_conditions(scores.of_examples, beta, b, most)
