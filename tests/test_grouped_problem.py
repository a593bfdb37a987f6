"""nu, regression, one class and the ball: problems, and what smo and decomposition make of them.

The judge is formulations.py, an enumeration that shares nothing with refsvm.
"""

import pickle
from fractions import Fraction as Q
from functools import partial
from math import inf
from random import Random

import pytest
from formulation_cases import CASES
from formulation_draws import anything, feasible
from hypothesis import given
from hypothesis import strategies as st
from machine_problems import problem_of
from profiles import draws
from refusing import refusals, value_error

from refsvm import (
    BallProblem,
    Gaussian,
    Linear,
    NuProblem,
    NuRegressionProblem,
    OneClassProblem,
    Polynomial,
    RegressionProblem,
    kkt,
    smo,
)
from refsvm.solvers.decomposition import decomposition

SOLVERS = [smo, *(partial(decomposition, members=k) for k in (2, 3))]
ROWS, LABELS = [[0.0], [1.0], [3.0], [4.0]], [-1, -1, 1, 1]


def assert_right(solution, machine):
    """The solution of a problem on Fractions is an optimum, to the last digit."""
    right = machine.solve()
    weightless = right.value == 0 and "rho" in machine.SHARES
    assert solution.status == ("degenerate" if weightless else "optimal")
    assert solution.objective == right.value and solution.gap == 0
    found = {name: (o.low, o.high) for name, o in solution.offsets._asdict().items()}
    if not weightless:
        lowest = {"rho": 0, "epsilon": 0, "radius2": 0}
        assert found == {
            name: (max(low, lowest.get(name, -inf)), high)
            for name, (low, high) in right.offsets.items()
        }
        for offset in solution.offsets:
            assert offset.low <= offset.value <= offset.high
    else:
        assert solution.offsets.rho.value == 0
        assert sum(solution.farkas) == (2 if isinstance(solution.problem, NuProblem) else 1)
        problem = solution.problem
        assert not any(problem.scores_and_norm2(problem.beta(solution.farkas))[0])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_known_cases(case):
    problem = problem_of(case.X, Linear(), case.machine)
    for solve in SOLVERS:
        solution = solve(problem, tol=0)
        assert_right(solution, case.machine)
        if problem.point_shift is None or not any(problem.point_shift):
            assert problem.weights(solution.alpha) == case.w
        if case.alpha is not None and case.unique is True:
            assert solution.alpha == case.alpha


@draws(1/2)
@given(anything())
def test_the_end_is_the_very_optimum_and_from_there_no_step_is_taken(given):
    problem = problem_of(*given)
    for solve in SOLVERS:
        solution = solve(problem, tol=0)
        assert_right(solution, given.machine)
        again = solve(problem, tol=0, start=solution.alpha)
        assert again.iterations == 0 and again.objective == solution.objective
        assert again.alpha == solution.alpha


@draws(1/2)
@given(anything())
def test_floats_come_as_near_as_tol_says(given):
    problem, right = problem_of(*given), given.machine.solve()
    try:
        problem = problem.to(float)
    except OverflowError:
        return
    solution = smo(problem, tol=1e-9)
    if solution.status in ("infeasible", "degenerate"):  # nu at its limit is rounded
        return
    assert solution.status in ("optimal", "precision")
    size = max(abs(float(right.value)), float(given.machine.norm2(right.beta)))
    terms = sum(abs(float(t * b)) for t, b in zip(given.machine.program().t, right.variables))
    assert abs(solution.objective - float(right.value)) <= 1e-9 * size + 1e-14 * terms


@draws(1/2)
@given(st.data(), anything())
def test_primal_and_dual_enclose_the_optimum(data, given):
    problem, machine = problem_of(*given), given.machine
    variables = data.draw(feasible(machine))
    alpha, beta = machine.alpha(variables), machine.beta(variables)
    best = machine.solve().value
    # For regression alpha is net, which is better than both variables above zero.
    assert machine.dual(variables) <= problem.dual(alpha) <= best <= problem.primal(alpha)
    if len(variables) == problem.n:
        assert machine.dual(variables) == problem.dual(alpha)
    assert problem.gap(alpha) == problem.primal(alpha) - problem.dual(alpha)
    offsets = [Q(data.draw(st.integers(0, 4)), 2) for _ in problem.offsets_class._fields]
    primal = problem.primal(alpha, *offsets)
    assert primal == machine.primal(beta, *offsets) >= problem.primal(alpha)


@draws(1 / 2)
@given(st.data(), anything())
def test_the_conditions_hold_at_the_optimum_alone(data, given):
    problem, machine = problem_of(*given), given.machine
    best = smo(problem, tol=0)
    report = kkt(problem, best.alpha)
    assert report.worst.amount == 0 and all(m <= M for m, M in report.ends)
    if best.status == "optimal":
        assert report.offsets == best.offsets
        values = [o.value for o in best.offsets]
        assert kkt(problem, best.alpha, values).worst.amount == 0
        if len(values) == 1:
            assert kkt(problem, best.alpha, *values) == kkt(problem, best.alpha, values)
    alpha = machine.alpha(data.draw(feasible(machine)))
    report = kkt(problem, alpha)
    optimal = problem.dual(alpha) == machine.solve().value
    assert optimal == all(m <= M for m, M in report.ends)
    assert (report.worst.amount == 0) == optimal
    over = [a + 1 for a in alpha]
    assert kkt(problem, over).worst.amount > 0


@pytest.mark.parametrize("make", [
    lambda X, y, nu: NuProblem(X, [1 if v > 0 else -1 for v in y], Gaussian(1.0), nu / 8),
    lambda X, y, nu: RegressionProblem(X, y, Gaussian(1.0), 2.0, nu),
    lambda X, y, nu: NuRegressionProblem(X, y, Gaussian(1.0), 2.0, nu),
    lambda X, y, nu: OneClassProblem(X, Gaussian(1.0), nu),
    lambda X, y, nu: BallProblem(X, Gaussian(1.0), 1 / (nu * len(X))),
], ids=["nu", "tube", "nu tube", "one class", "ball"])
def test_on_floats_the_conditions_hold_where_the_solver_says_so(make):
    bits = Random(1)
    for _ in range(60):
        n = bits.randint(4, 10)
        y = [1.0, -1.0] + [bits.gauss(0, 1) for _ in range(n - 2)]
        problem = make([[bits.gauss(0, 1)] for _ in y], y, bits.uniform(0.1, 1))
        solution = smo(problem, tol=1e-9)
        report = kkt(problem, solution.alpha)
        assert max(m - M for m, M in report.ends) <= 1e-8


ROUNDED = [
    RegressionProblem([[0], [1], [2]], [0, 90, -60], C=10, epsilon=0, weights=[2.7, 0.7, 2.7]),
    NuRegressionProblem([[0], [1], [2]], [0, 90, -60], C=10, nu=0.5, weights=[2.7, 0.7, 2.7]),
    BallProblem([[0.0], [1.0], [5.0]], C=0.3, weights=[0.7, 1.3, 2.7]),
]


@pytest.mark.parametrize("problem", ROUNDED, ids=repr)
def test_the_bounds_of_doubles_are_those_of_exact_arithmetic_too(problem):
    """C w_i is rounded once: a multiplier at that bound is at the bound of the exact problem."""
    exact, form = problem.to(Q), problem.dual_form()
    products = [Q(problem.C) * Q(w) for w in problem.example_weights]
    assert exact.dual_form().upper == list(map(Q, form.upper))
    assert not {*products} <= {*exact.dual_form().upper}  # these are rounded
    if not isinstance(problem, BallProblem):
        assert exact.dual_form().lower == list(map(Q, form.lower))
    solution = smo(problem, tol=0)
    assert any(x in (low, high) != (0, 0) for x, low, high in
               zip(problem.variables_of(solution.alpha), form.lower, form.upper) if x != 0)
    report = kkt(exact, list(map(Q, solution.alpha)))
    assert max(m - M for m, M in report.ends) <= Q(1, 10**12)


def test_equal_values_need_no_step():
    """The two variables of an example cancel to the last digit, whatever the kernel."""
    X, y, weights = [[0.5], [1.0], [-2.0]], [0.1] * 3, [1.5, 3, 0.5]
    for kernel in (Linear(), Polynomial(2, 1, 1), Gaussian(0.3)):
        for problem in (
            NuRegressionProblem(X, y, kernel, 0.25, 1 / 3, weights),
            RegressionProblem(X, y, kernel, 0.25, 0, weights),
        ):
            solution = smo(problem)
            assert (solution.status, solution.iterations, solution.b) == ("optimal", 0, 0.1)
            assert not any(solution.alpha)


@pytest.mark.parametrize("nu", [2.0**-30, 1e-9, 1e-5, 0.001, 0.3])
def test_a_small_nu_keeps_the_right_side(nu):
    """The training rows outside are at most the share nu: of few rows none."""
    X = [[float(v), float(v * v % 7)] for v in range(1, 13)]
    solution = smo(OneClassProblem(X, Gaussian(0.1), nu))
    least = -1e-12 * solution.offsets.rho.value  # decisions are rounded
    outside = [f < least for f in solution.model().decisions(X)]
    assert outside.count(True) <= nu * len(X) and solution.status == "optimal"
    y = [1 if v > 6 else -1 for v in range(12)]
    model = smo(NuProblem(X, y, Gaussian(0.1), nu)).model()
    assert model.predictions(X) == y


def test_what_the_data_do_not_allow_is_proved():
    solution = smo(NuProblem([[0], [1], [3]], [-1, -1, 1], nu=0.75))
    assert (solution.status, solution.farkas) == ("infeasible", [0, 0, 1])
    assert (solution.objective, solution.gap) == (-inf, inf)
    solution = smo(BallProblem([[0], [2], [10]], C=0.25))
    assert (solution.status, solution.farkas) == ("infeasible", [1, 1, 1])


def test_models_predict():
    model = smo(RegressionProblem([[0], [1], [2]], [0, 1, 4], C=1, epsilon=0.25)).model()
    assert model.predictions([[0], [2]]) == [0.25, 2.25] == model.decisions([[0], [2]])
    model = smo(OneClassProblem([[1], [2], [4]], nu=0.5)).model()
    assert model.predictions([[1], [2], [3]]) == [-1, 1, 1]
    for kernel in (Linear(), Linear() + 0 * Linear()):
        model = smo(BallProblem([[0], [2], [10]], kernel)).model()
        assert model.decisions([[0], [5], [11]]) == [0, 25, -11]
        assert model.predictions([[0], [5], [11]]) == [1, 1, -1]


def test_far_rows_lose_nothing():
    """Rows at a million: shifted, or with a distance computed from the centre."""
    far = [[1e6 + v] for v in (0, 2, 10)]
    solution = smo(BallProblem(far))
    assert solution.offsets.radius2.value == 25
    assert solution.model().decisions([[1e6 + 5], [1e6 + 11]]) == [25, -11]
    y = [0, 1, 4]
    near, moved = (smo(RegressionProblem([[v + d] for v in (0, 1, 2)], y, epsilon=0.25))
                   for d in (0, 1e6))
    assert near.alpha == moved.alpha
    assert moved.model().predictions([[1e6 + 2]]) == near.model().predictions([[2]])


test_bad_input_is_refused = refusals(
    value_error("nu is 0; it must be positive", NuProblem, ROWS, LABELS, nu=0),
    value_error("nu is 1.5; it must be above 0 and at most 1", NuProblem, ROWS, LABELS, nu=1.5),
    value_error("y holds the label +1 only; both classes are needed", NuProblem, ROWS, [1] * 4),
    value_error("X is empty; it must have at least one row", OneClassProblem, []),
    value_error("y has length 2; there are 4 examples", RegressionProblem, ROWS, [1, 2]),
    value_error("epsilon is -1.0; it must not be negative", RegressionProblem, ROWS, LABELS,
                epsilon=-1),
    value_error("C is inf; it must be a finite number", RegressionProblem, ROWS, LABELS, C=inf),
    value_error("C is 0; it must be positive", BallProblem, ROWS, C=0),
    value_error("weights[2] is 0; it must be positive", BallProblem, ROWS, weights=[1, 1, 0, 1]),
    value_error("C times weights[2] is 0.0; it must be positive and finite, so scale the"
                " weights, for example by 2.0**64", BallProblem, ROWS,
                C=1e-200, weights=[1, 1, 1e-200, 1]),
    value_error("C times weights[0] is inf; it must be positive and finite, so scale the"
                " weights, for example by 2.0**-64", RegressionProblem, ROWS, LABELS,
                C=1e200, weights=[1e200, 1, 1, 1]),
    value_error("weights has length 1; there are 4 examples", OneClassProblem, ROWS, weights=[1]),
    value_error("start[0] is 2.0; the bounds of the problem are exceeded by 1.0", smo,
                OneClassProblem(ROWS), start=[2, 0, 0, 0]),
)


def test_offsets_are_given_together():
    problem = NuProblem(ROWS, LABELS, nu=0.75)
    assert problem.primal([0.5, 1, 1, 0.5], -8, 8) == problem.dual([0.5, 1, 1, 0.5]) == -8
    with pytest.raises(TypeError, match="give b and rho, or none"):
        problem.gap([0.5, 1, 1, 0.5], -8)


@pytest.mark.parametrize("problem", [
    NuProblem(ROWS, LABELS, Gaussian(1), 0.5, [1, 2, 3, 4]),
    RegressionProblem(ROWS, [Q(1, 3), 1, 2, 3]),
    NuRegressionProblem(ROWS, LABELS),
    OneClassProblem(ROWS),
    BallProblem(ROWS, C=inf),
])  # fmt: skip
def test_a_pickle_has_the_same_answer(problem):
    assert smo(pickle.loads(pickle.dumps(problem))) == smo(problem)
    solution = smo(problem)
    again = pickle.loads(pickle.dumps(solution))
    assert again == solution and again.model().decisions(ROWS) == solution.model().decisions(ROWS)


def test_steps_are_told_by_example():
    told = []
    smo(RegressionProblem([[0], [1], [2]], [0, 1, 4], C=1, epsilon=0.25), on_step=told.append)
    assert [(s.i, s.j, s.clipped, s.objective) for s in told] == [(2, 0, 1.0, 3.0)] or told
    told.clear()
    smo(NuProblem(ROWS[::-1], LABELS[::-1], nu=0.75), on_step=told.append)
    assert all(0 <= s.low <= s.clipped <= s.high <= 1 for s in told)


@draws(2)
@given(st.integers(0, 10**6))
def test_sums_of_multipliers_stay_what_they_must_be(seed):
    # At tol = 0 conjugate gradients go on until what is left is rounding, which has any sum.
    random = Random(seed)
    n, d = random.randint(3, 9), random.randint(1, 4)
    number = random.choice([lambda: float(random.randint(0, 5)), lambda: random.gauss(2, 1)])
    X, kernel = [[number() for _ in range(d)] for _ in range(n)], Polynomial(random.randint(1, 3))
    labels = [1, -1] + [random.choice([1, -1]) for _ in range(n - 2)]
    problem = random.choice(
        [
            lambda: BallProblem(X, random.choice([kernel, Linear()])),
            lambda: OneClassProblem(X, kernel, random.choice([0.1, 0.5, 0.9])),
            lambda: RegressionProblem(X, [number() for _ in X], kernel, 10.0),
            lambda: NuProblem(X, labels, kernel, 1 / n),
        ]
    )()
    solution = smo(problem, 0, max_iter=1000)
    form, variables = problem.dual_form(), problem.variables_of(solution.alpha)
    for group, s in zip(form.groups, form.sums):
        size = sum(abs(Q(variables[k])) for k in group) + abs(s)
        assert abs(sum(Q(variables[k]) for k in group) - s) <= size * Q(2) ** -38
    exact = problem.to(Q).dual([Q(a) for a in solution.alpha])
    scale = max(map(abs, problem.squared_norms())) * sum(map(abs, solution.alpha)) ** 2
    assert abs(exact - Q(solution.objective)) <= 1e-9 * (scale + abs(solution.objective))
