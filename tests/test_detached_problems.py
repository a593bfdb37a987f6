"""Whatever code of the caller's does meanwhile, answers are those of what was given.

Callbacks, kernels, picks and executors may change each list that they reach. The answer is as if
they had not, in both packages; or one sentence refuses what they gave back.
"""

import re
from concurrent.futures import Executor, Future
from fractions import Fraction

import pytest
from equality import agree, tree

import refsvm
from refsvm.estimators.scores import importances, scoring_named
from refsvm.proofs.certificate import certify_linear

ROWS = [[k * 7 % 11 - 5.0, k * k % 13 - 6.0] for k in range(20)]
LABELS = [1 if 3 * a + b > (k % 4) - 1 else -1 for k, (a, b) in enumerate(ROWS)]


def spoil(problem):
    """Empty, or replace, all that a problem shows."""
    for name in ("X", "points", "rows", "y", "C"):
        values = getattr(problem, name)
        for row in values if name != "y" else ():
            if isinstance(row, list):
                row.clear()
        values.clear()
    problem.X, problem.kind, problem.kernel, problem.n = [], Fraction, None, 3


def problem_for(package, solver):
    options = {"newton": {"bias": False, "slack": "squared"},
               "dual_coordinate_descent": {"bias": False},
               "coordinate_ascent": {"bias": False, "kernel": refsvm.Gaussian(0.1)}}
    return package.Problem(ROWS, LABELS, **options.get(solver, {}))


SOLVERS = ["smo", "coordinate_ascent", "projected_gradient", "active_set",
           "dual_coordinate_descent", "newton"]


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("spoils", [spoil, lambda problem: setattr(problem, "X", [])])
def test_a_callback_that_spoils_the_problem_changes_no_answer(solver, spoils):
    picks = [list(range(20)) * 30] if solver == "dual_coordinate_descent" else []

    def solved(package, on_step=None):
        problem, heard = problem_for(package, solver), []

        def spoiling(step):
            heard.append(step)
            if len(heard) == 2:
                spoils(problem)

        solution = getattr(package, solver)(problem, *picks, on_step=spoiling)
        assert heard
        return tree(solution), solution.model().decisions([[1.0, 2.0], [0.0, -3.0]])

    there = getattr(refsvm, solver)(problem_for(refsvm, solver), *picks)
    assert solved(refsvm)[0] == tree(there)
    agree(solved)


def test_picks_that_spoil_the_problem_change_no_answer():
    def solved(package, spoils):
        problem = problem_for(package, "dual_coordinate_descent")

        def picks():
            for t in range(200):
                if t == 25:
                    spoils(problem)
                yield t % 20

        return tree(package.dual_coordinate_descent(problem, picks()))

    assert solved(refsvm, spoil) == solved(refsvm, id)
    agree(lambda package: solved(package, spoil))


def product(x, z):
    return x[0] * z[0] + x[1] * z[1]


class Emptying(refsvm.Kernel):
    """Each of its methods empties what it was given."""

    def __call__(self, x, z):
        value = product(x, z)
        x.clear(), z.clear()
        return value

    def of_one_kind(self, x, z):
        return self(x, z)

    def squared_norms(self, X, kind):
        norms = [kind(product(x, x)) for x in X]
        X.clear()
        return norms

    def reference_points(self, X):
        points = [x[:] for x in X]
        for x in X:
            x.clear()
        return points

    def row_function(self, points, kind):
        kept = [z[:] for z in points]
        points.clear()

        def row(x):
            values = [kind(product(x, z)) for z in kept]
            x.clear()
            return values

        return row


CALLS = {
    "smo": lambda p, problem: p.smo(problem),
    "projected_gradient": lambda p, problem: p.projected_gradient(problem),
    "active_set": lambda p, problem: p.active_set(problem),
    "decisions": lambda p, problem: p.smo(problem).model().decisions([[1.0, 2.0]]),
    "gap_bounds": lambda p, problem: p.gap_bounds(problem, [0.0] * 20, 0.5),
    "kkt": lambda p, problem: p.kkt(problem, [0.0] * 20, 0.5),
    "certify": lambda p, problem: p.certify(problem, [0.1] * 20, 0.5).gap,
    "solve_exactly": lambda p, problem: p.solve_exactly(problem).objective,
    "textbook": lambda p, problem: p.textbook_smo(problem),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_kernel_that_empties_rows_changes_no_answer(name):
    def found(kernel):
        return lambda p: tree(CALLS[name](p, p.Problem(ROWS, LABELS, kernel, C=0.5)))

    agree(found(Emptying()))
    agree(found(0.5 * Emptying() + Emptying()))
    there, here = (CALLS[name](refsvm, refsvm.Problem(ROWS, LABELS, kernel, C=0.5))
                   for kernel in (product, Emptying()))
    assert here == there


@pytest.mark.parametrize("name", CALLS)
def test_a_kernel_that_spoils_its_problem_changes_no_answer(name):
    def found(p, spoils):
        def kernel(x, z):
            for problem in made:
                spoils(problem)
            return product(x, z)

        made = []
        problem = p.Problem(ROWS, LABELS, kernel, C=0.5)
        made.append(problem)
        return tree(CALLS[name](p, problem))

    assert found(refsvm, lambda problem: problem.X.clear()) == found(refsvm, id)
    agree(lambda p: found(p, lambda problem: (problem.X.clear(), problem.y.clear())))


@pytest.mark.parametrize("method, returned, sentence", [
    ("to", None, "to(kind) of the kernel returned None; a Kernel is needed"),
    ("reference_points", None, "reference_points(X) of the kernel is None"),
    ("reference_points", [], "reference_points(X) of the kernel has length 0; there are"),
    ("row_function", None, "row_function of the kernel returned None; a function of a row is"),
])
def test_what_a_method_of_a_kernel_gives_back_is_looked_at(method, returned, sentence):
    def linear(self, x, z):
        return product(x, z)

    other = type("Other", (refsvm.Kernel,), {
        "__call__": linear, method: lambda self, *given: returned})
    agree(lambda p: p.smo(p.Problem(ROWS, LABELS, other())).status)
    with pytest.raises((TypeError, ValueError), match=re.escape(sentence)):
        refsvm.smo(refsvm.Problem(ROWS, LABELS, other()))


def test_a_rate_and_a_step_hold_copies_of_the_subgradient():
    kept = [0.5]

    def rate(x, value, g):
        g.clear(), x.clear()
        return 0.1

    descent = refsvm.subgradient_descent(
        lambda x: x[0], lambda x: kept, [1.0], [rate, rate],
        on_step=lambda step: (step.g.clear(), step.x.clear()))
    assert descent.last == [1 - 0.1 * 0.5 - 0.1 * 0.5]


class Giving(Executor):
    """Gives back what it was made with, or a Future of it."""

    def __init__(self, given, futures=True):
        self.given, self.futures = given, futures

    def submit(self, function, *given):
        if not self.futures:
            return self.given
        future = Future()
        future.set_result(self.given)
        return future


@pytest.mark.parametrize("executor", [
    Giving(None), Giving((1, 2)), Giving(None, False), Giving(3, False)])
def test_an_executor_that_gives_back_something_else_is_refused(executor):
    said = f"the executor gave back {executor.given!r}; what the function returned is needed"
    with pytest.raises(TypeError, match=r"^(fold 1 of 5: )?" + re.escape(said)):
        refsvm.cross_validate(refsvm.SVC(), ROWS, LABELS, executor=executor)
    with pytest.raises(TypeError, match="the executor gave back"):
        refsvm.audit(refsvm.textbook_smo, executor=executor)


def test_one_future_for_all_calls_is_refused():
    class Same(Executor):
        future = None

        def submit(self, function, *given):
            if self.future is None:
                self.future = Future()
                self.future.set_result(function(*given))
            return self.future

    with pytest.raises(TypeError, match="by a Future of its own for each call"):
        refsvm.cross_validate(refsvm.SVC(), ROWS, LABELS, executor=Same())


def test_an_executor_that_empties_the_lists_changes_no_answer():
    X, y = [row[:] for row in ROWS], LABELS[:]

    class Spoiler(Executor):
        def submit(self, function, *given):
            X.clear(), y.clear()
            future = Future()
            future.set_result(function(*given))
            return future

    there = refsvm.cross_validate(refsvm.SVC(), ROWS, LABELS)
    assert refsvm.cross_validate(refsvm.SVC(), X, y, executor=Spoiler()) == there


def test_a_function_that_empties_rows_changes_no_importance():
    def predicted(rows):
        labels = [1 if row[0] > 0 else -1 for row in rows]
        for row in rows:
            row.clear()
        rows.clear()
        return labels

    accuracy = scoring_named("accuracy", "classes")
    there = importances(
        lambda rows: [1 if row[0] > 0 else -1 for row in rows], ROWS, LABELS, accuracy)
    assert importances(predicted, ROWS, LABELS, accuracy) == there


def test_a_decision_that_empties_its_row_changes_no_certificate():
    def decision(x):
        value = x[0] - x[1] / 2
        x.clear()
        return value

    problem = refsvm.Problem(ROWS, LABELS)
    there = certify_linear(problem, lambda x: x[0] - x[1] / 2)
    assert certify_linear(problem, decision).gap == there.gap


def test_a_solver_of_the_callers_is_traced_on_a_problem_of_its_own():
    problem = refsvm.Problem(ROWS, LABELS)

    def emptying(given, **options):
        solution = refsvm.smo(given, **options)
        given.X.clear()
        return solution

    emptying(refsvm.Problem(ROWS, LABELS))
    refsvm.trace(problem, refsvm.smo, max_iter=3)
    with pytest.raises((TypeError, ValueError)):
        refsvm.trace(problem, lambda given, **options: None)
    assert len(problem.X) == 20
