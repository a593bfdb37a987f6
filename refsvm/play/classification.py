"""Two classes: what holds at each point, which offsets are optimal, why there may be no line."""

from fractions import Fraction
from math import inf

from ..numerics.linalg import total
from ..numerics.polyhedra import weighted_mean
from ..svm.problem import Problem
from .shown_machine import (
    SIGN,
    Condition,
    at_bounds,
    compared,
    ends_held,
    kernel_of_state,
    minus,
    number_kind_of,
    row_of,
    share_of,
    shown_number,
)

COLUMNS = ["y", "α", "y f", "slack ξ"]
COLUMNS_OF_COUNTS = ["y", "mistakes", "y f"]
COLUMNS_OF_WEIGHTS = ["y", "weight", "y f", "slack ξ"]  # of a proof that there is no line
BAR = 1  # the column of the multipliers
OFFSET = "b"
PLACES = {"L": "outside", "M": "margin", "U": "inside"}
TEXT = {"L": "α = 0", "M": "0 < α < C", "U": "α = C"}
PARTS = {False: ["½‖w‖²", "C Σξ"], True: ["½‖w‖²", "½C Σξ²"]}
GAIN = {False: "Σα − ½‖w‖²", True: "Σα − Σα²/2C − ½‖w‖²"}


def problem_of_state(state):
    """Return the Problem; ValueError unless there are points of both classes."""
    labels = [point.label for point in state.points]
    if not labels:
        raise ValueError("there is no point: two classes are needed")
    if len(set(labels)) < 2:
        there = "the only point is" if len(labels) == 1 else f"all {len(labels)} points are"
        here, other = ("+1", "−1") if labels[0] > 0 else ("−1", "+1")
        raise ValueError(f"{there} of class {here}: add one of class {other}")
    kind = number_kind_of(state)
    return Problem(
        [[kind(point.x), kind(point.y)] for point in state.points],
        labels,
        kernel_of_state(state),
        C=state.C if state.C == inf else kind(state.C),
        bias=state.bias,
        slack="squared" if state.squared else "hinge",
    )


def offset_of(best):
    """Return the interval of the offset that is added to a score."""
    return best.b_low, best.b_high


def rows_of(moment):
    """Yield the row of each point."""
    problem = moment.problem
    for i, (alpha, y, f) in enumerate(zip(moment.alpha, problem.y, moment.f)):
        margin, top = y * f, problem.upper_bounds()[i]
        slack = max(0 * f, 1 - margin)
        must = condition(problem, alpha, problem.C[i], margin, moment.tol)
        spoken = (
            f"{_class_words(y)}; {place_of(margin, moment.tol)};"
            f" alpha {shown_number(alpha)['text']}; margin {shown_number(margin)['text']}"
        )
        cells = [minus(f"{y:+}"), alpha, margin, slack]
        yield row_of(moment, i, cells, share_of(alpha, top, moment.alpha), must, spoken)


def rows_of_counts(moment):
    """Yield the row of each point for a perceptron, which asks for the right side only."""
    for i, (count, y, f) in enumerate(zip(moment.alpha, moment.problem.y, moment.f)):
        must = Condition("y f > 0", y * f > 0)
        spoken = (
            f"{_class_words(y)}; {'right' if y * f > 0 else 'wrong'};"
            f" {shown_number(count)['text']} mistakes; y f {shown_number(y * f)['text']}"
        )
        cells = [minus(f"{y:+}"), count, y * f]
        yield row_of(moment, i, cells, share_of(count, inf, moment.alpha), must, spoken)


def _class_words(y):
    """Return the class of a point, as it is spoken."""
    return f"class {'plus' if y > 0 else 'minus'} 1"


def condition(problem, alpha, C, margin, tol):
    """Return what must hold at a point whose multiplier is alpha."""
    if problem.slack == "squared" and alpha != 0 and C < inf:
        ridge = alpha * (Fraction(1) / C if problem.kind is Fraction else 1 / C)
        middle = (ridge.low + ridge.high) / 2 if isinstance(ridge, tuple) else ridge
        return Condition("α = C ξ", compared(margin, "=", 1 - middle, tol))
    at = at_bounds(alpha, C)
    text = "α > 0" if at == "M" and C == inf else TEXT[at]
    return Condition(f"{text}, y f {SIGN[at]} 1", compared(margin, SIGN[at], 1, tol))


def place_of(margin, tol):
    """Return where a point with this margin lies, in words."""
    if compared(margin, "=", 1, tol):
        return "on the margin"
    if margin > 1:
        return "outside the margin"
    return (
        "inside the margin" if margin > 0 else "on the wrong side" if margin < 0 else "on the line"
    )


def share_of_C(problem, moment):
    """Return the nu that gives the same machine, between the two shares that it bounds."""
    n, C = problem.n, problem.C[0]
    if C == inf or problem.kind is float or not problem.bias:
        return []
    late = [y * f < 1 for y, f in zip(problem.y, moment.f)].count(True)
    most, least = Fraction(late, n), Fraction(n - moment.alpha.count(0), n)
    nu = total(moment.alpha) / (n * C)
    shares = (shown_number(v)["text"] for v in (most, nu, least))
    return [["ν", " ≤ ".join(shares)]]


def bar_words(state):
    """Return the names of the parts of the primal value, and what the dual one is."""
    return PARTS[state.squared], GAIN[state.squared]


def who_holds(moment, low, high):
    """Return which points hold the ends of the interval of b, in words."""
    problem = moment.problem
    if not problem.bias:
        return "no offset: b is 0"
    if problem.slack == "squared":
        return "one only, by Σ α y = 0"
    return ends_held(moment, low, high, _on_margin, "margin")


def _on_margin(moment, b):
    """Return the points that are on their margin if the offset is b."""
    margins = (y * (f - moment.b + b) for y, f in zip(moment.problem.y, moment.f))
    return [i for i, margin in enumerate(margins) if compared(margin, "=", 1, moment.tol)]


# ---- where there is no line: by Farkas's lemma a place would be on both sides. The weights that
# prove it, made to have the sum 1 in each class, are of one and the same place in feature space.
# Without an offset they show instead that no half-plane that begins at the origin has every +x and
# every -x of them inside.


def infeasible_document(problem, best):
    """Return the document of an infeasible problem."""
    proof = _why_no_line(problem, best.farkas)
    rows = [
        {
            "cells": [{"text": minus(f"{y:+}")}, weight, {"text": "–"}, {"text": "–"}],
            "share": weight["near"] / max(w["near"] for w in proof["weights"]),
            "letter": "",
            "must": "",
            "holds": None,
            "support": weight["near"] > 0,
            "spoken": f"{_class_words(y)}; weight {weight['text']} in the proof",
        }
        for y, weight in zip(problem.y, proof["weights"])
    ]
    place = {"place": proof["place"], "ends": proof["ends"]} if "place" in proof else {}
    return {
        "status": "infeasible",
        "told": f"No hard margin: {proof['sentence']}.",
        "rows": rows,
        "drawing": place,
    }


def _why_no_line(problem, farkas):
    """Return the proof for the page: a sentence, the weights, and the place, where there is one.

    The weights of each class have the sum 1; without an offset they are as they are.
    """
    of_plus, of_minus = (
        [(i, v) for i, v in enumerate(farkas) if v != 0 and problem.y[i] == label]
        for label in (1, -1)
    )
    if not problem.bias:
        zero = " − ".join(
            _weighted_sum(side, grouped=True) for side in (of_plus, of_minus) if side
        )
        sentence = f"{zero} = 0: no line through (0, 0) has all of these on their sides"
        return {"sentence": sentence, "weights": [shown_number(v) for v in farkas]}
    whole = Fraction(0)
    for _, v in of_plus:
        whole += v
    of_plus, of_minus = ([(i, v / whole) for i, v in side] for side in (of_plus, of_minus))
    proof = {"weights": [shown_number(v / whole) for v in farkas]}
    if not problem.linear:
        at = "one place in feature space that would be on both sides"
        return {**proof, "sentence": f"{_weighted_sum(of_plus)} = {_weighted_sum(of_minus)}: {at}"}
    place = weighted_mean([problem.X[i] for i, _ in of_plus], [v for _, v in of_plus])
    at = "(" + ", ".join(shown_number(v)["text"] for v in place) + ")"
    both = "one place that would be on both sides"
    return {
        **proof,
        "sentence": f"{_weighted_sum(of_plus)} = {at} = {_weighted_sum(of_minus)}: {both}",
        "place": [float(v) for v in place],
        "ends": [[float(v) for v in problem.X[i]] for i, _ in of_plus + of_minus],
    }


def _weighted_sum(side, grouped=False):
    """Return a weighted sum of points, in words.

    >>> _weighted_sum([(0, Fraction(1, 2)), (3, Fraction(1, 2))])
    '1/2 · point 1 + 1/2 · point 4'
    """
    terms = [(shown_number(v)["text"], f"point {i + 1}") for i, v in side]
    words = " + ".join(point if v == "1" else f"{v} · {point}" for v, point in terms)
    return f"({words})" if grouped and len(terms) > 1 else words
