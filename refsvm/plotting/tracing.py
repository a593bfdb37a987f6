"""Watching a solver: its steps in a table that lines up, and as a moving picture.

A solver tells of each step as it goes (on_step), but not what the multipliers are afterwards, nor
how far from the optimum. trace() asks it in the plainest way: it is run again, with max_iter 0, 1,
2 and so on. Its steps are the same each time, so what it returns when stopped after t steps is
where it stands after step t, with the dual, the violation and the gap there, computed anew.

    step        what the solver told: a Step (smo, coordinate_ascent), a GradientStep
                (projected_gradient) or a Pivot (active_set)
    others      how many multipliers besides i and j are others after the step: between two
                steps the free ones are moved together (solvers/face.py)
    dual        the objective after the step, which never falls
    violation   m - M of all examples, see kkt_conditions.py: above 0 while a pair can gain
    gap         primal - dual, with the b that the solver would return now
"""

from decimal import Context, Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from ..kernels.standard import Precomputed
from ..numerics.validation import whole_number
from ..solvers.smo import smo
from ..svm.problem import require_problem
from .animation import Moment, animation, some, still
from .svg import decimal_text

LONGEST = 100  # steps, unless max_iter says otherwise: each costs a run up to it
WIDEST = 15  # characters of a Fraction that are shown; others are rounded and marked with ~
DIGITS = Context(prec=6)
HEADS = {"iteration": "step", "step": "travel"}  # what a field is called here, if not by its name
MARKED = ("i", "j", "entering", "blocking")  # fields of a step that hold the index of an example


class Row(NamedTuple):
    """A step, and the Solution that the solver returns when it is stopped right after."""

    step: Any
    solution: Any


class Trace(NamedTuple):
    """A solver's way, step by step.

    problem    the Problem               start      the Solution before the first step
    rows       a Row for each step       solution   the Solution at the end
    """

    problem: Any
    start: Any
    rows: list
    solution: Any

    def text(self):
        """Return the steps as a table with a line of names above and a line on the end below.

        Fractions are shown as they are, where short; ~ marks what is rounded. O(steps * n).
        """
        names, told = heads(self), [cells(self, t) for t in range(len(self.rows) + 1)]
        widths = [max(map(len, column)) for column in zip(names, *told)]
        lines = [" ".join(map(str.rjust, row, widths)) for row in [names, *told]]
        return "\n".join([*lines, ending(self.solution)])

    def svg(self, *, title="", names=("feature 1", "feature 2"), called=None, frames=30):
        """The steps as the text of an SVG file that moves by itself: border, margins, the pair.

        frames     at most so many of them, at even distances; 2 or more
        others as in drawing.picture

        ValueError unless the rows have two features. O(frames * grid * vectors).
        """
        X = points(self.problem)
        shown_steps = some(range(len(self.rows) + 1), frames)
        moments = [moment(self, t) for t in shown_steps]
        return animation(X, self.problem.y, moments, title, names, called or {})

    def frame(self, step, *, title="", names=("feature 1", "feature 2"), called=None):
        """The picture after one step, 0 for the start, as the text of an SVG file that stands."""
        X = points(self.problem)
        if whole_number(step, "step", 0) > len(self.rows):
            raise ValueError(f"step is {step}; there are {len(self.rows)}")
        return still(X, self.problem.y, moment(self, step), title, names, called or {})


def trace(problem, solver=smo, **options):
    """Return the Trace of a solver on a problem.

    solver     smo, coordinate_ascent, projected_gradient or active_set
    options    the solver's, but for on_step; max_iter is 100 if not given

    Errors are those of the solver. What it costs: a run to the end, and one to each step before.

    >>> from fractions import Fraction
    >>> from refsvm.svm.problem import Problem
    >>> print(trace(Problem([[0], [Fraction(3)]], [-1, 1]), tol=0).text())
    step i j low high unclipped clipped others dual violation gap
       0 - -   -    -         -       -      -    0         2   2
       1 1 0   0    1       2/9     2/9      0  2/9         0   0
    optimal after 1 step: b is -1
    """
    require_problem(problem)
    if not callable(solver):
        raise TypeError(f"solver is {solver!r}; a function is needed, such as refsvm.smo")
    if "on_step" in options:
        raise TypeError("on_step is how a trace listens to the solver; it cannot be given")
    told, options = [], {"max_iter": LONGEST, **options}
    solution = solver(problem, on_step=told.append, **options)
    stops = [solver(problem, **{**options, "max_iter": t}) for t in range(len(told))] + [solution]
    rows = [Row(*of_step) for of_step in zip(told, stops[1:])]
    return Trace(solution.problem, stops[0], rows, solution)


def heads(traced):
    """Return the names of the columns."""
    fields = traced.rows[0].step._fields if traced.rows else ("iteration",)
    told = [HEADS.get(f, f) for f in fields if f not in ("violation", "objective")]
    return [*told, *(["others"] if "j" in fields else []), "dual", "violation", "gap"]


def cells(traced, t):
    """Return the texts of the columns for step t; 0 is the start, of which no step tells."""
    names = heads(traced)
    solution = at(traced, t)
    reached = [solution.objective, solution.violation, solution.gap]
    if t == 0:
        told = [0] + [None] * (len(names) - 4)
    else:
        step = traced.rows[t - 1].step
        told = [v for f, v in zip(step._fields, step) if f not in ("violation", "objective")]
        told += [others(traced, t)] if "j" in step._fields else []
    return list(map(shown, told + reached))


def at(traced, t):
    """Return the Solution after step t."""
    return traced.rows[t - 1].solution if t else traced.start


def others(traced, t):
    """How many multipliers besides the pair are others after step t, to the digits shown."""
    pair = {traced.rows[t - 1].step.i, traced.rows[t - 1].step.j}
    both = zip(at(traced, t - 1).alpha, at(traced, t).alpha)
    moved = [k for k, (old, new) in enumerate(both) if shown(old) != shown(new)]
    return len(set(moved) - pair)


def shown(value):
    """Return a number in short.

    >>> shown(Fraction(3, 8)), shown(Fraction(10**20, 3)), shown(0.1 + 0.2), shown(None)
    ('3/8', '~3.33333e+19', '0.3', '-')
    """
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value + 0:.6g}"  # no -0
    text = str(value)
    if len(text) <= WIDEST:
        return text
    value = Fraction(value)
    parts = map(Decimal, (value.numerator, value.denominator))
    return "~" + decimal_text(DIGITS.divide(*parts))


def ending(solution):
    """Return how it ended, in a line."""
    steps = f"{solution.iterations} step{'s' * (solution.iterations != 1)}"
    return f"{solution.status} after {steps}: b is {shown(solution.b)}"


def moment(traced, t):
    """Return what the frame after step t shows."""
    names, texts = heads(traced), cells(traced, t)
    texts[0] += f" of {len(traced.rows)}"
    marked = []
    if t:
        step = traced.rows[t - 1].step._asdict()
        marked = [(f, step[f]) for f in MARKED if step.get(f) is not None]
        if step.get("i") == step.get("j") is not None:
            marked = marked[:1]
    model = at(traced, t).model().to(float)
    return Moment(list(zip(names, texts)), marked, model)


def points(problem):
    """Return the rows as floats, refused unless they are points of the plane."""
    if isinstance(problem.kernel, Precomputed):
        raise ValueError("problem has kernel values and no features; a picture shows two")
    if isinstance(problem.X[0], str):
        raise ValueError("problem has strings for rows; a picture shows two features")
    if len(problem.X[0]) != 2:
        raise ValueError(f"X[0] has length {len(problem.X[0])}; a picture shows two features")
    return [list(map(float, x)) for x in problem.X]
