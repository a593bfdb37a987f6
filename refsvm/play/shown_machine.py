"""What the three machines have in common: their problem, their optimum, their two objectives.

    ShownMachine   multipliers and an offset, of the optimum or of a step towards it
    Objectives     the two objectives at a ShownMachine, in parts

Kernels whose values are fractions have everything on Fractions. With the Gaussian the numbers of
the optimum lie between two fractions, and decision values are those of the middle, in doubles.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from ..kernels.standard import Gaussian, Linear, Polynomial
from ..numerics.display import text_above
from ..numerics.intervals import Interval
from ..numerics.numerals import numeral
from ..numerics.types import Number
from ..proofs.verification import integer_scores
from ..svm.gap_bounds import gap_bounds
from ..svm.model import Model, model_from_beta

SIGN = {"L": "≥", "M": "=", "U": "≤"}  # of a decision value and where it must be at L, M, U


class ShownMachine(NamedTuple):
    """A machine at one moment: what its rows, its bars and its lines follow from."""

    problem: Any
    alpha: list  # numbers; at an enclosed optimum some are Intervals
    b: Number  # what is added to a score
    f: list  # the decision value of each point
    model: Model
    letters: str  # L, M or U of each point; "" where they are not known
    tol: Number  # 0 where conditions are decided exactly


class Objectives(NamedTuple):
    """The objectives: primal = 1/2 |w|^2 + slack, dual = gain - 1/2 |w|^2.

    gap: how far the primal is above the optimum at most; None where primal - dual says it
    """

    half_norm2: Number | Interval
    slack: Number | Interval
    primal: Number | Interval
    gain: Number | Interval
    dual: Number | Interval
    gap: Any = None


class Condition(NamedTuple):
    """What must hold at a point, and whether it does."""

    text: str
    holds: bool


def number_kind_of(state):
    """Return the type of the numbers: float where an exponential is in the kernel."""
    return float if state.kernel.name == "rbf" else Fraction


def kernel_of_state(state):
    """Return the kernel."""
    name, numbers = state.kernel
    made = {"lin": Linear, "poly": Polynomial, "rbf": Gaussian}[name]
    return made(
        *(value if type(value) is int else number_kind_of(state)(value) for value in numbers)
    )


def moment_at(problem, alpha, b, letters="", tol=0):
    """Return the ShownMachine of multipliers and an offset."""
    kind = problem.kind
    b, beta = kind(b), problem.beta([kind(midpoint(a)) for a in alpha])
    model = model_from_beta(problem.kernel, problem.X, beta, b)
    if kind is Fraction and not problem.linear:  # whole numbers are several times as fast
        numbers, denominator = integer_scores(problem, beta)[0]
        f = [Fraction(int(v), denominator) + b for v in numbers]
    else:
        f = model.decisions(problem.X)
    return ShownMachine(problem, list(alpha), b, f, model, letters, tol)


def objectives_at(problem, alpha, *offsets):
    """Return the Objectives at multipliers and offsets."""
    half = problem.scores_and_norm2(problem.beta(alpha))[1] / 2
    primal, dual = problem.primal(alpha, *offsets), problem.dual(alpha)
    slack, gap = primal - half if primal < inf else inf, None
    if problem.kind is float:  # what stands on the page holds, whatever is rounded
        gap = gap_bounds(problem, alpha, *offsets).high
    return Objectives(half, slack, primal, dual + half, dual, gap)


def objectives_of_optimum(half, value):
    """Return the Objectives where the primal value is the dual one."""
    return Objectives(half, value - half, value, value + half, value)


def at_bounds(alpha, top):
    """Return L, M or U: what a multiplier is by its own value.

    >>> at_bounds(0, 1), at_bounds(-1, 1), at_bounds(Interval(Fraction(0), Fraction(1)), 1)
    ('L', 'U', 'M')
    """
    if isinstance(alpha, Interval):
        return "M"
    return "L" if alpha == 0 else "U" if abs(alpha) == top else "M"


def share_of(alpha, top, alphas):
    """Return how long the bar of a multiplier is, from 0 to 1: of its bound, or of the largest."""
    whole = max(abs(midpoint(a)) for a in alphas) if top == inf else top
    return min(1.0, abs(float(midpoint(alpha) / whole))) if whole else 0.0


def compared(value, sign, target, tol):
    """Tell whether value >= target, value <= target or value = target holds, to within tol."""
    if sign == "=":
        return abs(value - target) <= tol
    return value >= target - tol if sign == "≥" else value <= target + tol


def row_of(moment, i, cells, share, condition, spoken):
    """Return the row of a point in the table."""
    alpha = moment.alpha[i]
    return {
        "cells": [
            shown_number(cell) if not isinstance(cell, str) else {"text": cell} for cell in cells
        ],
        "share": share,
        "letter": moment.letters[i] if moment.letters else "",
        "must": condition.text,
        "holds": condition.holds,
        "support": alpha != 0,
        "spoken": spoken,
    }


def ends_held(moment, low, high, points_on, place, names=("low", "high")):
    """Return which points hold the ends of the interval of an offset, in words.

    points_on    (moment, offset) to the points that are on the border, margin or edge with it
    names        of the ends, from the least of what is added to a score
    """
    if not compared(low, "=", high, moment.tol):
        ends = [_points_named(points_on(moment, end)) for end in (low, high)]
        return f"{ends[0]} at the {names[0]} end, {ends[1]} at the {names[1]} end"
    found = points_on(moment, low)
    return f"one only: {_points_named(found)} on the {place}" if found else "one only"


MAX_EXACT_LETTERS = 13  # letters of a fraction that is shown as it is
DECIMAL_DIGITS = 5
ROUNDED_TO_0 = 1e-12  # less is a rounding, in doubles


def shown_number(value):
    """Return a number for the page: its text, the double next to it, and all of it, if longer.

    >>> from fractions import Fraction
    >>> [shown_number(v)["text"] for v in (Fraction(-22, 49), Fraction(10**9 + 1, 10**9), inf)]
    ['−22/49', '≈1', '∞']
    """
    if isinstance(value, Interval):
        return enclosed(value)
    if value is None or abs(value) == inf:
        return {"text": "–" if value is None else "−∞" if value < 0 else "∞", "near": None}
    if isinstance(value, float) and abs(value) < ROUNDED_TO_0:
        return {"text": "0" if value == 0 else "≈0", "near": 0.0}
    whole = numeral(value)
    if len(whole) <= MAX_EXACT_LETTERS:
        return {"text": minus(whole), "near": float(value)}
    if isinstance(value, float):
        return {"text": "≈" + decimal(value), "near": value}
    return {"text": "≈" + decimal(float(value)), "near": float(value), "full": minus(whole)}


def enclosed(value):
    """Return a number that is known between two fractions."""
    if value.width == 0:
        return shown_number(value.low)
    middle = (value.low + value.high) / 2
    near = float(middle)
    whole = Fraction(repr(near))  # the decimals that are shown are off by this at most:
    off = max(value.high - whole, whole - value.low)
    full = f"{minus(repr(near))}, to within {text_above(off, 1)}"
    return {"text": "≈" + decimal(near, DECIMAL_DIGITS + 3), "near": near, "full": full}


def equation(name, value):
    """Return that a name has a value, or nearly has it.

    >>> equation("w", 2), equation("w", 2**0.5)
    ('w = 2', 'w ≈ 1.4142')
    """
    text = shown_number(value)["text"]
    return f"{name} ≈ {text[1:]}" if text[0] == "≈" else f"{name} = {text}"


def decimal(value, digits=DECIMAL_DIGITS):
    """Return a double in decimals."""
    return minus(f"{value + 0:.{digits}g}")


def minus(text):
    """Return a text with the sign that is as wide as a plus."""
    return text.replace("-", "−")


def midpoint(value):
    """Return a number itself, or the middle of its interval."""
    return (value.low + value.high) / 2 if isinstance(value, Interval) else value


def _in_a_sentence(words):
    """Return words as a list in a sentence.

    >>> _in_a_sentence(["1", "4", "6"])
    '1, 4 and 6'
    """
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _points_named(places):
    """Return the points at these places, counted from 0, in words."""
    if not places:
        return "no point"
    names = [str(i + 1) for i in places]
    return f"point{'s' * (len(names) > 1)} {_in_a_sentence(names)}"
