"""Regression: the first number of a point is x, the second is the value to be predicted."""

from ..svm.regression_problem import RegressionProblem
from .shown_machine import (
    Condition,
    at_bounds,
    compared,
    ends_held,
    kernel_of_state,
    number_kind_of,
    row_of,
    share_of,
    shown_number,
)

COLUMNS = ["value", "α", "r = value − f", "slack ξ"]
BAR = 1
OFFSET = "b"
PLACES = {"L": "inside", "M": "edge", "U": "outside"}
PARTS = ["½‖w‖²", "C Σξ"]
GAIN = "Σ α value − ε Σ|α| − ½‖w‖²"


def problem_of_state(state):
    """Return the RegressionProblem; ValueError unless there is a point."""
    if not state.points:
        raise ValueError("there is no point: add one")
    kind = number_kind_of(state)
    if state.C == float("inf"):
        raise ValueError("regression needs a penalty C that is a number")
    return RegressionProblem(
        [[kind(point.x)] for point in state.points],
        [kind(point.y) for point in state.points],
        kernel_of_state(state),
        kind(state.C),
        kind(state.epsilon),
    )


def offset_of(best):
    """Return the interval of the offset that is added to a score."""
    return best.offsets.b.low, best.offsets.b.high


def rows_of(moment):
    """Yield the row of each point."""
    problem = moment.problem
    for i, (alpha, value, f) in enumerate(zip(moment.alpha, problem.y, moment.f)):
        r, top = value - f, problem.limits()[i]
        slack = max(0 * f, abs(r) - problem.epsilon)
        must = condition(problem, alpha, r, top, moment.tol)
        spoken = (
            f"value {shown_number(value)['text']}; {place_of(r, problem.epsilon, moment.tol)};"
            f" alpha {shown_number(alpha)['text']}; residual {shown_number(r)['text']}"
        )
        cells = [value, alpha, r, slack]
        yield row_of(moment, i, cells, share_of(alpha, top, moment.alpha), must, spoken)


def condition(problem, alpha, r, top, tol):
    """Return what must hold at a point whose multiplier is alpha."""
    at = at_bounds(alpha, top)
    if at == "L":
        return Condition("α = 0, |r| ≤ ε", compared(abs(r), "≤", problem.epsilon, tol))
    if alpha > 0:
        sign, text = ("=", "0 < α < C") if at == "M" else ("≥", "α = C")
        return Condition(f"{text}, r {sign} ε", compared(r, sign, problem.epsilon, tol))
    sign, text = ("=", "−C < α < 0") if at == "M" else ("≤", "α = −C")
    return Condition(f"{text}, r {sign} −ε", compared(r, sign, -problem.epsilon, tol))


def place_of(r, epsilon, tol):
    """Return where a point with this residual lies, in words."""
    if compared(abs(r), "=", epsilon, tol):
        return "on the edge of the tube"
    return "inside the tube" if abs(r) < epsilon else "outside the tube"


def bar_words(state):
    """Return the names of the parts of the primal value, and what the dual one is."""
    return PARTS, GAIN


def who_holds(moment, low, high):
    """Return which points hold the ends of the interval of b, in words."""
    return ends_held(moment, low, high, _on_edge, "edge of the tube")


def _on_edge(moment, b):
    """Return the points that are on the edge of the tube if the offset is b."""
    epsilon = moment.problem.epsilon
    residuals = (value - (f - moment.b + b) for value, f in zip(moment.problem.y, moment.f))
    return [i for i, r in enumerate(residuals) if compared(abs(r), "=", epsilon, moment.tol)]
