"""One class: where most points lie, as seen from the origin of the feature space."""

from ..svm.one_class_problem import OneClassProblem
from .shown_machine import (
    SIGN,
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

COLUMNS = ["α", "score − ρ", "slack ξ"]
BAR = 0
OFFSET = "ρ"
PLACES = {"L": "inside", "M": "border", "U": "outside"}
PARTS = ["½‖w‖²", "Σξ − ν n ρ"]
GAIN = "−½‖w‖²"
TEXT = {"L": "α = 0", "M": "0 < α < 1", "U": "α = 1"}


def problem_of_state(state):
    """Return the OneClassProblem; ValueError unless there is a point."""
    if not state.points:
        raise ValueError("there is no point: add one")
    kind = number_kind_of(state)
    X = [[kind(point.x), kind(point.y)] for point in state.points]
    return OneClassProblem(X, kernel_of_state(state), kind(state.nu))


def offset_of(best):
    """Return the interval of the offset that is added to a score."""
    return -best.offsets.rho.high, -best.offsets.rho.low


def rows_of(moment):
    """Yield the row of each point."""
    for i, (alpha, f) in enumerate(zip(moment.alpha, moment.f)):
        at = at_bounds(alpha, 1)
        must = Condition(f"{TEXT[at]}, score {SIGN[at]} ρ", compared(f, SIGN[at], 0, moment.tol))
        spoken = (
            f"{place_of(f, moment.tol)}; alpha {shown_number(alpha)['text']};"
            f" score minus rho {shown_number(f)['text']}"
        )
        cells = [alpha, f, max(0 * f, -f)]
        yield row_of(moment, i, cells, share_of(alpha, 1, moment.alpha), must, spoken)


def place_of(f, tol):
    """Return where a point with this decision value lies, in words."""
    if compared(f, "=", 0, tol):
        return "on the border"
    return "inside" if f > 0 else "an outlier"


def bar_words(state):
    """Return the names of the parts of the primal value, and what the dual one is."""
    return PARTS, GAIN


def who_holds(moment, low, high):
    """Return which points hold the ends of the interval of rho, in words."""
    # rho is what is taken away from a score: its high end is the low one of what is added
    return ends_held(moment, low, high, _on_border, "border", ("high", "low"))


def _on_border(moment, b):
    """Return the points whose decision value is 0 if b is added to the score."""
    values = (f - moment.b + b for f in moment.f)
    return [i for i, value in enumerate(values) if compared(value, "=", 0, moment.tol)]
