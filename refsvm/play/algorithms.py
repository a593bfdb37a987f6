"""SMO, the perceptron and Pegasos after so many steps, for the page.

The steps of SMO are those of the solver of record. They are taken on Fractions where the machine
is linear and has few points, so that each number is exact; elsewhere on doubles. A step of the
perceptron, or of Pegasos, is a look at one point, in the order of the points.
"""

from bisect import bisect_left
from fractions import Fraction
from math import inf

from ..numerics.picks import passes
from ..online.pegasos import kernel_pegasos
from ..online.perceptron import kernel_perceptron
from ..proofs.optimum import solve_exactly
from ..solvers.smo import smo
from ..svm.problem import Problem
from .shown_machine import Objectives, equation, moment_at, objectives_at, shown_number

SMO_TOL = Fraction(1, 1000)
MAX_SMO_STEPS = 100  # of SMO
MAX_EXACT_POINTS = 12  # points whose steps are exact
PASSES = [1, 2, 4, 8, 16, 32]  # tried in turn: what converges early costs little
MAX_LOOKS = 400  # of Pegasos, at most


class WatchedRun:
    """An algorithm after a step: its ShownMachine, its objectives and what the stepper says."""

    def __init__(self, name, step, steps, moment, values, facts, marked=(), note=""):
        self.moment, self.values = moment, values
        self.document = {
            "algorithm": name,
            "step": step,
            "steps": steps,
            "facts": facts,
            "marked": list(marked),
            "note": note,
        }


def watch(state, problem):
    """Return the WatchedRun that a state asks for; a step beyond the last is the last."""
    algorithm, step = state.watched
    if algorithm == "smo":
        return _watch_smo(problem, step)
    if state.machine != "svc":
        raise ValueError(f"watched is {algorithm},{step}; only smo is watched on this machine")
    return (_watch_perceptron if algorithm == "perceptron" else _watch_pegasos)(
        state, problem, step
    )


def _watch_smo(problem, asked):
    """Return the WatchedRun of SMO."""
    problem = _problem_for_steps(problem)
    heard = []
    options = {"tol": problem.kind(SMO_TOL)}
    smo(problem, on_step=heard.append, max_iter=MAX_SMO_STEPS, **options)
    step = min(asked, len(heard))
    solution = smo(problem, max_iter=step, **options)
    offsets = _offsets_of(solution)
    moment = moment_at(problem, solution.alpha, solution.b, tol=options["tol"])
    values = objectives_at(problem, solution.alpha, *offsets)
    if step == 0:
        facts = [["before the first step", "every α begins where it is allowed to"]]
        return WatchedRun("smo", 0, len(heard), moment, values, facts)
    last = heard[step - 1]
    facts = [
        ["pair", f"{last.i + 1} and {last.j + 1}" if last.i != last.j else f"{last.i + 1} alone"],
        ["segment", f"{_in_short(last.low)} to {_in_short(last.high)}"],
        ["unclipped", _in_short(last.unclipped)],
        ["clipped", _in_short(last.clipped)],
        ["violation", _in_short(last.violation)],
    ]
    return WatchedRun("smo", step, len(heard), moment, values, facts, {last.i, last.j})


def _in_short(value):
    """Return a number in short."""
    return shown_number(value)["text"]


def _offsets_of(solution):
    """Return the offsets of a solution, as the objectives take them."""
    if hasattr(solution, "offsets"):
        return [offset.value for offset in solution.offsets]
    return [solution.b]


def _problem_for_steps(problem):
    """Return the problem on the numbers on which steps are taken."""
    if problem.kind is float or (problem.linear and problem.n <= MAX_EXACT_POINTS):
        return problem
    return problem.to(float)


def _watch_perceptron(state, problem, asked):
    """Return the WatchedRun of the perceptron, which has no offset and no penalty."""
    problem = _problem_for_steps(problem)
    steps = _looks_of_perceptron(problem)
    step = min(asked, steps)
    counts, told = [0] * problem.n, "before the first look every weight is 0"
    marked = []
    if step:
        run = _perceptron_after(problem, step)
        before = _perceptron_after(problem, step - 1).counts if step > 1 else counts
        i = (step - 1) % problem.n
        marked, counts = [i], run.counts
        told = f"point {i + 1}, " + ("decided wrongly: added" if counts != before else "right")
    facts = [["look", told], ["mistakes", str(sum(counts))]]  # exact
    plain = _problem_without_offset(problem, 1)
    moment = moment_at(plain, [plain.kind(c) for c in counts], 0)
    note = "The perceptron has no offset: its line goes through (0, 0)."
    if steps == PASSES[-1] * problem.n:
        note += f" It has not converged after {PASSES[-1]} passes."
    return WatchedRun("perceptron", step, steps, moment, None, facts, marked, note)


def _looks_of_perceptron(problem):
    """Return after how many looks it has converged, or the most that are taken."""
    n = problem.n
    for times in PASSES:
        if _perceptron_after(problem, times * n).converged:
            # Once it has converged it stays so: the first look after which it has is bisected.
            return bisect_left(Converged(problem, times * n), True, 1)
    return PASSES[-1] * n


def _perceptron_after(problem, looks):
    """Return the KernelPerceptron after `looks` visits."""
    return kernel_perceptron(problem.kernel, problem.X, problem.y, looking(problem.n, looks))


def looking(n, looks):
    """Return the order in which points are visited, pass after pass."""
    return [*passes(n, looks // n + 1)][:looks]


def _problem_without_offset(problem, C):
    """Return the Problem without offset, with the hinge and the penalty C."""
    return Problem(problem.X, problem.y, problem.kernel, C=problem.kind(C), bias=False)


def _watch_pegasos(state, problem, asked):
    """Return the WatchedRun of Pegasos, lam = 1 / (n C), beside the optimum without offset."""
    if state.C == inf:
        raise ValueError("Pegasos needs a penalty C that is a number; C is inf")
    problem = problem.to(float)
    n, C = problem.n, float(state.C)
    plain = _problem_without_offset(problem, C)
    steps = min(MAX_LOOKS, 20 * n)
    step, alpha, marked = min(asked, steps), [0.0] * n, []
    told = "before the first look every weight is 0"
    if step:
        run = kernel_pegasos(problem.kernel, problem.X, problem.y, 1 / (n * C), looking(n, step))
        before = (
            step > 1
            and kernel_pegasos(
                problem.kernel, problem.X, problem.y, 1 / (n * C), looking(n, step - 1)
            ).counts
        )
        i = (step - 1) % n
        marked, alpha = [i], run.alpha(average=False)
        pushed = run.counts[i] != (before[i] if before else 0)
        told = f"point {i + 1}, y f {'< 1: added' if pushed else '≥ 1: only shrunk'}"
    moment = moment_at(plain, alpha, 0)
    value = plain.primal(alpha, 0)
    half = plain.scores_and_norm2(plain.beta(alpha))[1] / 2
    best = solve_exactly(plain, bits=40).objective
    facts = [
        ["look", told],
        ["λ", equation("1/(nC)", 1 / (n * C))],
        ["value", _in_short(value)],
        ["optimum", _in_short(best)],
    ]
    values = Objectives(half, value - half, value, None, best)
    note = "No offset: the line goes through (0, 0), the optimum is that without b."
    return WatchedRun("pegasos", step, steps, moment, values, facts, marked, note)


class Converged:
    """Whether the perceptron has converged after so many looks: a sequence, False, then True."""

    def __init__(self, problem, looks):
        self.problem, self.looks = problem, looks

    def __len__(self):
        return self.looks

    def __getitem__(self, looks):
        return _perceptron_after(self.problem, looks).converged
