"""Two classes: what holds at each point, which offsets are optimal, why there may be no line."""

from fractions import Fraction
from math import inf

from ..svm.problem import Problem
from .machines import Condition, at_bounds, compared, kernel_of, kind_of, row_of, share_of
from .numbers import minus, points_named, shown

COLUMNS = ["y", "α", "y f", "slack ξ"]
COLUMNS_OF_COUNTS = ["y", "mistakes", "y f"]
COLUMNS_OF_WEIGHTS = ["y", "weight", "y f", "slack ξ"]  # of a proof that there is no line
BAR = 1  # the column of the multipliers
OFFSET = "b"
TEXT = {"L": "α = 0", "M": "0 < α < C", "U": "α = C"}
SIGN = {"L": "≥", "M": "=", "U": "≤"}
PARTS = {False: ["½‖w‖²", "C Σξ"], True: ["½‖w‖²", "½C Σξ²"]}
GAIN = {False: "Σα − ½‖w‖²", True: "Σα − Σα²/2C − ½‖w‖²"}


def problem_of(state):
    """Return the Problem; ValueError unless there are points of both classes."""
    labels = [point.label for point in state.points]
    if len(set(labels)) < 2:
        raise ValueError("two classes are needed: add a point of the other one")
    kind = kind_of(state)
    return Problem(
        [[kind(point.x), kind(point.y)] for point in state.points],
        labels,
        kernel_of(state),
        C=state.C if state.C == inf else kind(state.C),
        bias=state.bias,
        slack="squared" if state.squared else "hinge",
    )


def offset_of(best):
    """Return what is added to a score, from least to largest."""
    return best.b_low, best.b_high


def rows_of(moment):
    """Yield the row of each point."""
    problem = moment.problem
    for i, (alpha, y, f) in enumerate(zip(moment.alpha, problem.y, moment.f)):
        margin, top = y * f, problem.upper_bounds()[i]
        slack = max(0 * f, 1 - margin)
        must = condition(problem, alpha, problem.C[i], margin, moment.tol)
        spoken = (
            f"class {'plus' if y > 0 else 'minus'} 1; {place_of(margin, moment.tol)};"
            f" alpha {shown(alpha)['text']}; margin {shown(margin)['text']}"
        )
        cells = [minus(f"{y:+}"), alpha, margin, slack]
        yield row_of(moment, i, cells, share_of(alpha, top, moment.alpha), must, spoken)


def rows_of_counts(moment):
    """Yield the row of each point for a perceptron, which asks for the right side only."""
    for i, (count, y, f) in enumerate(zip(moment.alpha, moment.problem.y, moment.f)):
        must = Condition("y f > 0", y * f > 0)
        spoken = (
            f"class {'plus' if y > 0 else 'minus'} 1; {'right' if y * f > 0 else 'wrong'};"
            f" {shown(count)['text']} mistakes; y f {shown(y * f)['text']}"
        )
        cells = [minus(f"{y:+}"), count, y * f]
        yield row_of(moment, i, cells, share_of(count, inf, moment.alpha), must, spoken)


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
    if not compared(low, "=", high, moment.tol):
        ends = [_on_margin(moment, end) for end in (low, high)]
        return f"{points_named(ends[0])} at the low end, {points_named(ends[1])} at the high end"
    found = _on_margin(moment, low)
    return f"one only: {points_named(found)} on the margin" if found else "one only"


def _on_margin(moment, b):
    """Return the points that are on their margin if the offset is b."""
    margins = (y * (f - moment.b + b) for y, f in zip(moment.problem.y, moment.f))
    return [i for i, margin in enumerate(margins) if compared(margin, "=", 1, moment.tol)]
