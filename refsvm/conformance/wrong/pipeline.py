"""A right machine as a pipeline of stages, for all six machines; a bug changes one stage.

    rows      task -> task           X, and the rows to decide about, as the program sees them
    problem   task -> task           y, bounds, nu or epsilon, whether there is an offset
    kernel    task -> task           k(x, z), in training and when it decides
    solve     fitted -> multipliers  what the solver ends with
    offset    fitted -> b            what is added to the scores, of many values the ends
    decide    fitted, f -> f         what is said of a row
    pairs, votes, labels, state      of an estimator, in state.py

The right machine changes nothing: refsvm's own solver answers. Several bugs are changes one after
the other. A change returns None where it changes nothing: a kernel without gamma has no wrong one.
If no bug changes anything, the outcome is SAME; if what is left cannot be solved, there is none.

    score     sum beta_i k(x_i, x); of the ball minus the squared distance from the centre
    f         score + b, of nu-classification over rho; b is -rho of one class, R^2 of the ball
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf, isfinite
from typing import Any, NamedTuple

from ...kernels.base import as_kernel
from ...kernels.standard import Linear, Precomputed
from ...numerics.linalg import dot, total
from ...numerics.types import Number, VectorLike
from ...solvers.smo import smo
from ...svm.dual_form import DualForm, group_extremes, middle
from ..protocol.forms import C_SVC
from .tasks import Bug, Task, as_gram, keep, problem_of

ON_TASKS, ON_ESTIMATORS = ("rows", "problem", "kernel"), ("pairs", "votes", "labels", "state")
STAGES = (*ON_TASKS, "solve", "offset", "decide", *ON_ESTIMATORS)
SOLVER_TOL = 1e-8
AS_GOOD = 1e-5  # of the largest multiplier is no difference
NEARLY = 1e-3  # so far from optimal is near enough
SWEEPS = 2000  # of coordinate ascent
LEFT = 1e-12  # of the largest multiplier is no change
MOST_STEPS = 3000  # of a problem that is solved only to name a bug
Floats = list[float]


class AfterTraining(NamedTuple):
    """A machine after training: what the offset and the decisions are made of.

    alpha       the multipliers                    beta   what multiplies k(x_i, x)
    x, r        variables of the dual form, and their residuals: target - score
    ends        of each group the ends of its lam  w_norm2   |w|^2, of the ball |c|^2
    at          the score of each example          scores    of each row to decide about
    """

    task: Task
    problem: Any
    form: DualForm
    alpha: Floats
    beta: Floats
    x: Floats
    r: Floats
    ends: list[tuple[float, float]]
    w_norm2: float
    at: Floats
    scores: Floats

    def offset(self, lam: Sequence[float]) -> float:
        """Return b, of one lam for each group: -rho of one class, R^2 of the ball."""
        if len(lam) == 2:
            return (lam[0] + lam[1]) / 2
        return 2 * lam[0] + self.w_norm2 if self.task.form == "svdd" else lam[0]

    def offsets(self) -> tuple[float, float]:
        """Return the least and the largest optimal b."""
        if self.task.penalised:
            b = float(total(self.beta))
            return b, b
        if not self.ends:
            return 0.0, 0.0
        low, high = (self.offset([end[k] for end in self.ends]) for k in (0, 1))
        if self.task.form == "nu_svc" and not (isfinite(low) and isfinite(high)):
            low = high = self.offset([middle(*end) for end in self.ends])
        return (max(low, 0.0), high) if self.task.form == "svdd" else (low, high)

    def widths(self) -> Floats:
        """Return the rho that decisions may be divided by: of nu-classification, else 1."""
        if self.task.form != "nu_svc":
            return [1.0]
        (m, M), (p, P) = self.ends
        low, high = max((p - M) / 2, 0.0), (P - m) / 2
        found = [rho for rho in (middle(low, high), low, high) if 0 < rho < inf]
        return list(dict.fromkeys(found))

    def with_scores_of(self, task: Task) -> AfterTraining:
        """Return the machine with the scores of a task's rows, as that sees them."""
        norm2 = float(dot(self.beta, _sums(task, self.beta, task.X, task.kernel)))
        return self._replace(scores=_scores(task, self.beta, norm2))

    def accepts(self, beta: Floats) -> bool:
        """Return whether multipliers are optimal for what was solved, as far as doubles tell.

        Those of nu-classification may have been divided by any rho.
        """
        y = self.task.y
        if self.task.form == "nu_svc" and any(beta):
            rho = float(total(list(map(abs, self.beta)))) / float(total(list(map(abs, beta))))
            beta = [rho * c for c in beta]
        alpha = [c * v for c, v in zip(beta, y)] if self.task.is_labelled else list(beta)
        found = fitted_with(self.task, alpha)
        form, near = self.form, AS_GOOD * max(map(abs, (*found.x, *self.x)))
        x = at_bounds(form, found.x, near)
        if any(not low <= v <= high for v, low, high in zip(x, form.lower, form.upper)):
            return False
        unit = max(map(abs, self.r))
        if not self.ends:  # no sums, and an offset that is 0 or follows from the multipliers
            b, _ = found.offsets()
            sides = zip(x, form.lower, form.upper, [v - b for v in found.r])
            return all(
                (v >= high or r <= NEARLY * unit) and (v <= low or r >= -NEARLY * unit)
                for v, low, high, r in sides
            )
        sums = [float(total([x[k] for k in group])) for group in form.groups]
        if any(abs(s - float(v)) > near * self.task.n for s, v in zip(sums, form.sums)):
            return False
        return all(m - M <= NEARLY * unit for m, M in group_extremes(form, x, found.r))

    @property
    def bounded(self) -> list[bool]:
        """Whether each variable is at its bound other than 0."""
        limits = zip(self.x, self.form.lower, self.form.upper)
        return [v != 0 and v in (low, high) for v, low, high in limits]


class Outcome(NamedTuple):
    """What a program answers: f is (score + b) / rho, with b from low to high and a rho of some.

    said: the decisions that a bug makes of f, for some b that are optimal; None: f itself
    """

    fitted: AfterTraining
    low: float
    high: float
    said: list[Floats] | None = None

    def decisions(self, rho: float | None = None) -> Floats:
        """Return the decisions of a program that takes the middle of what it may choose."""
        if self.said is not None:
            return self.said[0]
        widths = [rho] if rho is not None else self.fitted.widths()
        return _plain_decisions(self.fitted, middle(self.low, self.high), widths[0])


def _plain_decisions(fitted: AfterTraining, b: float, rho: float) -> Floats:
    """Return (score + b) / rho of each row."""
    return [(s + b) / rho for s in fitted.scores]


SAME = "same"  # the outcome of bugs of which none changes anything


def outcome_of(task: Task, bugs: Iterable[Any] = (), right: AfterTraining | None = None) -> Any:
    """Return the Outcome of a program with these bugs; SAME where none of them changes anything.

    None where it has no answer: the bugs make a problem that cannot be solved. `right` is the
    machine without a bug, if it is known: most bugs leave its multipliers as they are.
    """
    some = list(bugs)
    try:
        fitted, has_changed = _trained_with(task, some, right)
        if fitted is None:
            return None
        outcome, decides_otherwise = _decided(fitted, some)
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return None
    return outcome if has_changed or decides_otherwise or not some else SAME


def _changes(bugs: Sequence[Bug], *stages: str) -> Iterator[Callable[..., Any]]:
    """Yield the changes of the bugs of some stages, in the order of the stages."""
    for stage in stages:
        yield from (bug.change for bug in bugs if bug.stage == stage)


def trained(task: Task) -> AfterTraining | None:
    """Return the right machine; None if there is none, or it takes too long."""
    return _trained_with(task, (), None)[0]


def _trained_with(
    task: Task, bugs: Sequence[Bug], right: AfterTraining | None
) -> tuple[AfterTraining | None, bool]:
    """Return (machine that is trained, whether a bug changed it); None if there is no machine."""
    asked, has_changed = task, False
    for change in _changes(bugs, *ON_TASKS):
        changed = change(task)
        if changed is not None and changed != task:
            task, has_changed = changed, True
    task = _counted(task)
    if right is not None and task == _counted(asked):
        fitted: AfterTraining | None = right
    else:
        decides_only = task.but(rows=asked.rows, there=asked.there) == _counted(asked)
        known = right.alpha if right is not None and decides_only else None
        alpha = multipliers_of(task) if known is None else known
        fitted = None if alpha is None else fitted_with(task, alpha)
    for change in _changes(bugs, "solve"):
        alpha = None if fitted is None else change(fitted)
        if alpha is not None:
            fitted, has_changed = fitted_with(task, alpha), True
    return fitted, has_changed


def _counted(task: Task) -> Task:
    """Return the task without its examples of weight 0."""
    return keep(task, [i for i, c in enumerate(task.bounds) if c != 0]) or task


def multipliers_of(task: Task) -> Floats | None:
    """Return optimal multipliers; None if there are none, or it takes too long."""
    if task.margin != 1:
        bounds = [c / task.margin for c in task.bounds]
        nearer = task.but(targets=(-1.0, 1.0), bounds=bounds)
        alpha = multipliers_of(nearer)
        return None if alpha is None else [task.margin * a for a in alpha]
    if task.penalised:
        g = as_gram(task)
        return multipliers_of(g.but(X=[[v + 1 for v in x] for x in g.X], penalised=False))
    problem = problem_of(task)
    if not task.bias and task.form != C_SVC:
        return _without_sums(problem)
    solution: Any = smo(problem, tol=SOLVER_TOL, max_iter=MOST_STEPS)
    ended = solution.status in ("optimal", "precision", "indefinite")
    nearly = solution.status == "max_iter" and solution.violation <= NEARLY
    return list(solution.alpha) if ended or nearly else None


def at_bounds(form: DualForm, x: Floats, near: Number | None = None) -> Any:
    """Return the variables; those that are at a bound but for rounding are there."""
    room = LEFT * max(map(abs, x)) if near is None else near
    limits = zip(x, form.lower, form.upper)
    return [next((end for end in ends if abs(v - end) <= room), v) for v, *ends in limits]


def fitted_with(task: Task, alpha: Floats) -> AfterTraining:
    """Return the machine of these multipliers."""
    problem = problem_of(task)
    beta = problem.beta(alpha)
    inner = _sums(task, beta, task.X, task.kernel)
    form = problem.dual_form()
    x = at_bounds(form, problem.variables_of(alpha))
    if task.form == "svdd":  # whose own target is that of rows moved to the origin
        halves = [k / 2 for k in norms2_of(task, task.X, task.kernel)]
        form = form._replace(target=halves)
    ridge = problem.ridge() if task.form == C_SVC else [0.0] * len(x)
    parts = zip(form.target, form.per_variable(inner), ridge, x)
    middle_of_targets = (task.targets[0] + task.targets[1]) / 2
    r = [middle_of_targets + task.margin * t - s - c * v for t, s, c, v in parts]
    has_sums = bool(form.groups) and task.bias
    ends = [(min(end), max(end)) for end in group_extremes(form, x, r)] if has_sums else []
    norm2 = float(dot(beta, inner))
    scores = _scores(task, beta, norm2)
    if task.form == "svdd":
        inner = [2 * s - k - norm2 for s, k in zip(inner, norms2_of(task, task.X, task.kernel))]
    return AfterTraining(task, problem, form, alpha, beta, x, r, ends, norm2, inner, scores)


def _scores(task: Task, beta: Floats, norm2: float) -> Floats:
    """Return the score of each row to decide about."""
    there = task.kernel if task.there is None else task.there
    scores = _sums(task, beta, task.rows, there)
    if task.form != "svdd":
        return scores
    return [2 * s - k - norm2 for s, k in zip(scores, norms2_of(task, task.rows, there))]


def _sums(task: Task, beta: Floats, rows: Sequence[VectorLike], kernel: Any) -> Floats:
    """Return sum beta_i k(x_i, row) of each row."""
    if isinstance(kernel, Linear):
        d = len(task.X[0])
        w = [float(total([c * x[j] for c, x in zip(beta, task.X)])) for j in range(d)]
        return [float(dot(w, row)) for row in rows]
    support = [i for i, c in enumerate(beta) if c != 0]
    coefs = [beta[i] for i in support]
    if isinstance(kernel, Precomputed):
        return [float(dot(coefs, [row[i] for i in support])) for row in rows]
    values = as_kernel(kernel).row_function([task.X[i] for i in support], float)
    return [float(dot(coefs, values(row))) for row in rows]


def norms2_of(task: Task, rows: Sequence[Any], kernel: Any) -> Floats:
    """Return k(x, x) of each row."""
    if isinstance(kernel, Precomputed):
        if rows is task.rows and task.norms2 is not None:
            return task.norms2
        return [row[i] for i, row in enumerate(rows)]  # those of the examples
    kernel = as_kernel(kernel)
    return [float(kernel(x, x)) for x in rows]


def _decided(fitted: AfterTraining, bugs: Sequence[Bug]) -> tuple[Outcome | None, bool]:
    """Return (what a machine decides, if that is a number, whether a bug changed it here)."""
    if not fitted.widths():
        return None, False
    low, high = fitted.offsets()
    has_changed = False
    for change in _changes(bugs, "offset"):
        found = change(fitted)
        if found is not None:
            low, high = found if isinstance(found, tuple) else (found, found)
            has_changed = True
    outcome = Outcome(fitted, min(low, high), max(low, high))
    said = []
    for b in dict.fromkeys((middle(low, high), low, high)):
        for rho in fitted.widths():
            f = _plain_decisions(fitted, b, rho) if isfinite(b) else None
            said += [] if f is None else _changed_decisions(fitted, f, bugs)
    if said:
        return outcome._replace(said=said), True
    return (outcome if all(map(isfinite, fitted.scores)) else None), has_changed


def _changed_decisions(fitted: AfterTraining, f: Floats, bugs: Sequence[Bug]) -> list[Floats]:
    """Return what bugs make of decisions; [] if they change nothing."""
    has_changed = False
    for change in _changes(bugs, "decide"):
        found = change(fitted, f)
        if found is not None:
            f, has_changed = found, True
    return [f] if has_changed else []


def _without_sums(problem: Any) -> list[float]:
    """Return the multipliers of a problem without the sums of its dual, by coordinate ascent."""
    form, row = problem.dual_form(), problem.kernel_rows()
    K = [list(row(x)) for x in problem.rows]
    of = form.of or list(range(problem.n))
    x = [min(max(0.0, low), high) for low, high in zip(form.lower, form.upper)]
    net = [0.0] * problem.n
    for _ in range(SWEEPS):
        largest = 0.0
        for k, i in enumerate(of):
            if K[i][i] <= 0:
                continue
            to = x[k] + (form.target[k] - dot(net, K[i])) / K[i][i]
            to = min(max(to, form.lower[k]), form.upper[k])
            largest = max(largest, abs(to - x[k]))
            net[i] += to - x[k]
            x[k] = to
        if largest <= LEFT * max(map(abs, x)):
            break
    alpha: list[float] = problem.multipliers_of(x)
    return alpha
