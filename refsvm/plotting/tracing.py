"""The trace of a solver: its steps in a table that lines up, and as a moving picture.

A solver reports each step by on_step, but not the multipliers after it, nor the gap. trace() finds
them in the plainest way: it runs the solver again, with max_iter 0, 1, 2 and so on. The steps are
the same each time, so the Solution of a run that is stopped after t steps is the state after step
t, with its dual, violation and gap.

What on_step is given is a Step (smo, coordinate_ascent), a GradientStep (projected_gradient) or a
Pivot (active_set). What each column means: COLUMN_MEANINGS. Besides i and j the free multipliers
may move between two steps (solvers/conjugate_gradient.py); the gap is that with the b which the
solver would return now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from ..kernels.standard import Precomputed
from ..numerics.display import displayed, plural
from ..numerics.quoting import quote
from ..numerics.validation import number_kind, to_number, whole_number
from ..solvers.pair_ascent import Step
from ..solvers.smo import smo
from ..svm.model import Solution
from ..svm.problem import Problem
from ..svm.regression_problem import TubeProblem
from ..svm.training_problem import TrainingProblem, require_training_problem
from .animation import Moment, Surroundings, animation, evenly_taken, still_picture
from .svg import Picture, decimal_text

MAX_STEPS_TRACED = 100  # steps, unless max_iter says otherwise: each costs a run up to it
MAX_FRACTION = 15  # characters of a Fraction that are shown; others are rounded and marked with ~
SIX_DIGITS = Context(prec=6)
HEADS = {"iteration": "step", "step": "travel"}  # what a field is called here, if not by its name
MARKED = ("i", "j", "entering", "blocking")  # fields of a step that hold the index of an example
COLUMN_MEANINGS = {
    "step": "how many steps the solver has taken",
    "i": "the example that asks most to move",
    "j": "its partner: alpha_j moves, and alpha_i with it, so that the sum of alpha y stays 0",
    "low": "the least alpha_j at which both multipliers are within their bounds",
    "high": "the largest alpha_j at which both multipliers are within their bounds",
    "unclipped": "the alpha_j at which the dual would be largest, if there were no bounds",
    "clipped": "the alpha_j that is taken: unclipped, or the end of low .. high that is nearer",
    "others": "how many more multipliers moved: now and then all that are off their bounds do",
    "rate": "how far along the slope of the dual the multipliers move",
    "moved": "how many multipliers this step moved",
    "entering": "the example whose multiplier is let go from its bound",
    "travel": "how far it moved; without one, the part that was gone of the way to the best point",
    "blocking": "the example whose multiplier met a bound and ended the step",
    "dual": "the objective as computed; but for rounding it never falls, nor is the optimum below",
    "violation": "m - M as computed: by so much the conditions are violated; none at an optimum",
    "gap": "primal - dual as computed: but for rounding the objective can rise by no more",
}
OF_GROUPS = {
    "j": "its partner: alpha_j moves, and alpha_i with it, so that sums stay what they must be",
}
OF_SHARES = {
    "j": "its partner: a share of alpha_j moves, and one of alpha_i, so that sums stay what they"
    " must be",
    "low": "the least that share, which is above 0 or below it, at which all bounds are kept",
    "high": "the largest that share at which all bounds are kept",
    "unclipped": "where that share would make the dual largest, if there were no bounds",
    "clipped": "the share that is taken: unclipped, or the end of low .. high that is nearer",
    "net": "alpha_j after the step: its shares above and below 0 together",
}


@displayed
class TraceRow(NamedTuple):
    """A step, and the Solution that the solver returns when it is stopped right after.

    >>> row = trace(Problem([[0], [2]], [-1, 1])).rows[0]
    >>> row.step.clipped, row.solution.alpha
    (0.5, [0.5, 0.5])
    """

    step: Step
    solution: Solution


@displayed
class Trace(NamedTuple):
    """The steps of a solver on a problem.

    Attributes
    ----------
    problem : Problem, or that of another machine
    start : Solution
        before the first step
    rows : list
        for each step what on_step was given, and the Solution after it
    solution : Solution
        at the end
    """

    problem: Any  # a Problem, or that of another machine
    start: Solution
    rows: list[TraceRow]
    solution: Solution

    def text(self) -> str:
        """Return the steps as a table with a line of names above and a line on the end below.

        Fractions are shown as they are, where short; ~ marks what is rounded. O(steps * n).
        """
        names, rows = heads(self), [_row_texts(self, t) for t in range(len(self.rows) + 1)]
        widths = [max(map(len, column)) for column in zip(names, *rows)]
        lines = [" ".join(map(str.rjust, row, widths)) for row in [names, *rows]]
        return "\n".join([*lines, ending(self.solution)])

    def svg(
        self,
        *,
        title: str = "",
        names: Sequence[str] = ("feature 1", "feature 2"),
        called: Mapping[int, str] | None = None,
        frames: int = 30,
    ) -> Picture:
        """Return the steps as the text of an SVG file that moves: border, margins, the pair.

        It has links to stop it, and to go from step to step. At most `frames` steps are shown,
        at even distances; the others as in drawing.picture.
        ValueError unless a Problem has rows with two features. O(frames * grid * vectors).
        """
        X = points(self.problem)
        shown_steps = evenly_taken(range(len(self.rows) + 1), frames)
        moments = [moment(self, t) for t in shown_steps]
        return animation(X, self.problem.y, moments, _surroundings(self, title, names, called))

    def frame(
        self,
        step: int,
        *,
        title: str = "",
        names: Sequence[str] = ("feature 1", "feature 2"),
        called: Mapping[int, str] | None = None,
    ) -> Picture:
        """Return the picture after one step, 0 for the start, as the text of an SVG file."""
        X = points(self.problem)
        if whole_number(step, "step", 0) > len(self.rows):
            raise ValueError(f"step is {quote(step)}; there are {len(self.rows)}")
        around = _surroundings(self, title, names, called)
        return still_picture(X, self.problem.y, moment(self, step), around)


def trace(problem: TrainingProblem, solver: Callable[..., Any] = smo, **options: Any) -> Trace:
    """Run a solver on a problem and return its Trace.

    Parameters
    ----------
    problem : Problem, or that of another machine, which smo takes
    solver : smo, coordinate_ascent, projected_gradient or active_set
    options
        the solver's, but for on_step; max_iter is 100 if not given

    Notes
    -----
    Errors are those of the solver. The cost is a run to the end, and one to each step before.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from refsvm.svm.problem import Problem
    >>> print(trace(Problem([[0], [Fraction(3)]], [-1, 1]), tol=0).text())
    step i j low high unclipped clipped others dual violation gap
       0 - -   -    -         -       -      -    0         2   2
       1 1 0   0    1       2/9     2/9      0  2/9         0   0
    optimal after 1 step: b is -1
    """
    problem = require_training_problem(problem).detached()  # from what the solver may do
    if not callable(solver):
        raise TypeError(f"solver is {quote(solver)}; a function is needed, such as refsvm.smo")
    if "on_step" in options:
        raise TypeError("on_step is how a trace listens to the solver; it cannot be given")
    steps: list[Step] = []
    options = {"max_iter": MAX_STEPS_TRACED, **options}
    solution = solver(problem, on_step=steps.append, **options)
    stops = [solver(problem, **{**options, "max_iter": t}) for t in range(len(steps))]
    stops.append(solution)
    for answer in stops:
        if not isinstance(answer, Solution):
            raise TypeError(f"solver returned {quote(answer)}; a Solution is needed")
    rows = [TraceRow(*of_step) for of_step in zip(steps, stops[1:])]
    return Trace(solution.problem, stops[0], rows, solution)


def _surroundings(traced, title, names, called):
    """Return title, axis names and word meanings around the plot."""
    return Surroundings(title, traced.problem.C, names, called, column_meanings(traced))


def column_meanings(traced):
    """Return (name, what it means) of each column."""
    return _meanings_of(heads(traced), not isinstance(traced.problem, Problem))


def _meanings_of(names: Iterable[str], grouped: bool = False) -> list[tuple[str, str]]:
    """Return (name, what it means) of the columns of these names.

    grouped: whether the multipliers are those of nu, regression, one class or the ball. Those of
    regression have two shares, and so a column `net`.

    >>> _meanings_of(["moved"])
    [('moved', 'how many multipliers this step moved')]
    """
    names = list(names)
    words = {**COLUMN_MEANINGS, **OF_GROUPS} if grouped else COLUMN_MEANINGS
    if "net" in names:
        words = {**words, **OF_SHARES}
    return [(name, words[name]) for name in names]


def heads(traced):
    """Return the names of the columns."""
    fields = traced.rows[0].step._fields if traced.rows else ("iteration",)
    own = [HEADS.get(f, f) for f in fields if f not in ("violation", "objective")]
    if "j" in fields:
        own += ["net"] * _has_net(traced) + ["others"]
    return [*own, "dual", "violation", "gap"]


def _has_net(traced):
    """Return whether a step moves one of two parts of a multiplier, as of regression."""
    return isinstance(traced.problem, TubeProblem)


def _row_texts(traced, t):
    """Return the texts of the columns for step t; 0 is the start, before any step."""
    names = heads(traced)
    solution = _solution_after(traced, t)
    reached = [solution.objective, solution.violation, solution.gap]
    if t == 0:
        own = [0] + [None] * (len(names) - 4)  # no step yet: its number, and the three reached
    else:
        step = traced.rows[t - 1].step
        own = [v for f, v in zip(step._fields, step) if f not in ("violation", "objective")]
        if "j" in step._fields:
            own += [_solution_after(traced, t).alpha[step.j]] * _has_net(traced) + [
                others(traced, t)
            ]
    return list(map(shown, own + reached))


def _solution_after(traced, t):
    """Return the Solution after step t."""
    return traced.rows[t - 1].solution if t else traced.start


def others(traced, t):
    """Return how many multipliers besides the pair step t changes, to the digits shown."""
    pair = {traced.rows[t - 1].step.i, traced.rows[t - 1].step.j}
    both = zip(_solution_after(traced, t - 1).alpha, _solution_after(traced, t).alpha)
    moved = [k for k, (old, new) in enumerate(both) if shown(old) != shown(new)]
    return len(set(moved) - pair)


def shown(value):
    """Return a number in short.

    >>> [shown(v) for v in (Fraction(3, 8), Fraction(10**20, 3), 0.1 + 0.2, None)]
    ['3/8', '~3.33333e+19', '0.3', '-']
    """
    if value is None:
        return "-"
    if type(value) is not float:  # which may be infinite
        value = to_number(number_kind(value), value, "value")
    if isinstance(value, float):
        return f"{value + 0:.6g}"  # no -0
    text = str(value)
    if len(text) <= MAX_FRACTION:
        return text
    value = Fraction(value)
    parts = map(Decimal, (value.numerator, value.denominator))
    return "~" + decimal_text(SIX_DIGITS.divide(*parts))


def ending(solution):
    """Return how it ended, in a line."""
    steps = plural(solution.iterations, "step")
    offsets = {"b": solution.b}
    if not isinstance(solution.problem, Problem):
        offsets = {name: found.value for name, found in solution.offsets._asdict().items()}
    told = ", ".join(f"{name} is {shown(value)}" for name, value in offsets.items())
    return f"{solution.status} after {steps}: {told}"


def moment(traced, t):
    """Return what the frame after step t shows."""
    names, texts = heads(traced), _row_texts(traced, t)
    texts[0] += f" of {len(traced.rows)}"
    marked = []
    if t:
        step = traced.rows[t - 1].step._asdict()
        marked = [(f, step[f]) for f in MARKED if step.get(f) is not None]
        if step.get("i") == step.get("j") is not None:  # one multiplier moved alone
            marked = marked[:1]
    model = _solution_after(traced, t).model().to(float)
    return Moment(list(zip(names, texts)), marked, model)


def points(problem):
    """Return the rows as floats, refused unless they are points of the plane, of two classes."""
    if not isinstance(problem, Problem):
        raise ValueError(
            f"problem is {quote(problem)}; only the steps of a Problem are drawn, the text has"
            " those of any"
        )
    if isinstance(problem.kernel, Precomputed):
        raise ValueError("problem has kernel values and no features; a picture shows two")
    if isinstance(problem.X[0], str):
        raise ValueError("problem has strings for rows; a picture shows two features")
    if len(problem.X[0]) != 2:
        raise ValueError(f"X[0] has length {len(problem.X[0])}; a picture shows two features")
    return [list(map(float, x)) for x in problem.X]
