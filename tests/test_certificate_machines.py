"""certify of the five other machines: bounds on any numbers, held to the enumeration."""

import pickle
from dataclasses import replace
from fractions import Fraction as Q
from math import inf

import pytest
from exact_programs import exact_sum, inner
from formulation_cases import CASES
from formulations import NuSVC
from hypothesis import given
from hypothesis import strategies as st
from machine_problems import answers, beta_of, by_machine, machines, named, problem_of, some
from profiles import draws

from refsvm import (
    BallProblem,
    Gaussian,
    Linear,
    NuProblem,
    OneClassProblem,
    Precomputed,
    Sigmoid,
    certify,
    smo,
    solve_exactly,
)
from refsvm.proofs.enclosures import kernel_interval

TINY = Q(1, 2**300)


def holds(found, machine, best, alpha, offsets):
    """Whether all that a certificate states is so."""
    beta = beta_of(machine, alpha)
    assert found.primal == machine.primal(beta, *(offsets or found.offsets))
    assert found.dual <= best.value <= found.primal
    assert found.gap == found.primal - found.dual >= exact_sum(found.shares)
    assert min(found.shares) >= 0
    repaired = beta_of(machine, found.alpha)
    away = machine.norm2([a - b for a, b in zip(beta, repaired)]) / 2
    scale = found.problem.scale
    assert found.gap == exact_sum(found.shares) + scale * away
    again = certify(found.problem, found.alpha)
    assert again.alpha == found.alpha and again.dual == found.dual
    for name, (low, high) in best.offsets.items():
        interval = getattr(found.intervals, name)
        assert interval.low <= low and high <= interval.high
    K = machine.K
    for i, x in enumerate(found.problem.X):
        given = (x, K[i][i]) if repr(found.problem.kernel) == "Precomputed()" else (x,)
        assert abs(inner(K[i], beta) - best.scores[i]) <= found.bound(*given)


@by_machine
@draws(1 / 2)
@given(st.data())
def test_a_certificate_holds_whatever_the_numbers(name, data):
    machine, problem = data.draw(machines(name))
    alpha, offsets = data.draw(answers(machine))
    holds(certify(problem, alpha, *offsets), machine, machine.solve(), alpha, offsets)


@by_machine
@draws(1 / 2)
@given(st.data())
def test_the_optimum_has_no_gap_and_its_intervals_are_exact(name, data):
    machine, problem = data.draw(machines(name))
    best, alpha = machine.solve(), solve_exactly(problem).alpha
    found = certify(problem, alpha)
    holds(found, machine, best, alpha, [])
    assert found.gap == 0 == max(found.shares) and found.alpha == alpha
    assert {k: tuple(v) for k, v in found.intervals._asdict().items()} == best.offsets


@pytest.mark.parametrize("case", CASES[::3], ids=[case.name for case in CASES[::3]])
def test_what_smo_finds_is_near(case):
    problem = problem_of(case.X, Linear(), case.machine).to(float)
    solution = smo(problem, tol=1e-9)
    found = certify(problem, solution.alpha, *(v.value for v in solution.offsets))
    assert found.gap <= 1e-7 * max(abs(found.primal), 1)
    assert found.honours(1e-9) and certify(problem, solution).gap <= solution.gap
    other = certify(problem, solution.alpha, *(v.value + 50 for v in solution.offsets))
    assert not other.honours(1e-9)


def test_the_best_rho_for_a_w_that_is_not_the_optimum_may_be_negative():
    """To cut it off at 0 would leave an offset that has another primal value."""
    found = certify(NuProblem([[1], [0], [3]], [1, -1, -1], nu=0.5), [0.5, 1.25, -0.5])
    assert (found.primal, found.offsets) == (5, [-4, -2])
    one = OneClassProblem([[1], [3]], nu=0.5)
    found = certify(one, [-1, 0])
    assert found.offsets[0] < 0 and found.primal == one.primal([-1, 0], *found.offsets)


@by_machine
@draws(1 / 2)
@given(st.data())
def test_no_solution_is_accused(name, data):
    (_, problem), tol = data.draw(machines(name)), data.draw(st.sampled_from([0.5, 0.01, 1e-6]))
    solution = smo(problem.to(float), tol=tol)
    assert solution.status != "optimal" or certify(problem, solution).honours(tol)


@pytest.mark.parametrize("kernel", [Gaussian(0.5), Linear() + Gaussian(1.0)])
@pytest.mark.parametrize("name", ["N2", "N7", "S1", "S7", "V4", "O2", "D2"])
def test_rounded_kernel_values_are_allowed_for(name, kernel):
    """The true optimum is that of kernel values of 400 bits, but for what is less than TINY."""
    case = named(name)
    X = [list(map(float, x)) for x in case.X]
    K = [[kernel_interval(kernel, x, z, 400).low for z in X] for x in X]
    machine = replace(case.machine, K=K)
    floats = problem_of(X, kernel, converted(machine, float))
    machine = converted(converted(machine, float), Q)
    best = solve_exactly(problem_of(K, Precomputed(), machine))
    for alpha in (best.alpha, [Q(1, 3)] * len(X)):
        found = certify(floats, alpha)
        assert found.dual <= best.objective + TINY and best.objective <= found.primal + TINY
        assert min(found.shares) >= 0 <= found.gap
        for true, interval in zip(best.offsets, found.intervals):
            assert interval.low <= true.low + TINY and true.high <= interval.high + TINY
        for i, x in enumerate(X):
            assert abs(score(K[i], machine, alpha) - score(K[i], machine, best.alpha)) <= (
                found.bound(x) + TINY)
    assert certify(floats, best.alpha).gap < Q(1, 2**100)


def test_where_no_multiplier_can_rise_nothing_bounds_the_offset():
    """With nu = 1 all are at their bounds: any rho from the largest score on is as good."""
    found = certify(OneClassProblem([[0.0], [1.0]], Gaussian(1.0), nu=1.0), [1.0, 1.0])
    assert found.intervals.rho.high == inf and 1 < found.intervals.rho.low < 1.4
    assert found.b_interval == (-inf, -found.intervals.rho.low)


def test_a_primal_of_rounded_values_is_above_the_true_one():
    """Large multipliers of mixed signs, a large C: what K_ii and |c|^2 are off by counts, too.

    Of these rows K_12 and K_13 are rounded up by nearly a unit, and K_23 by little.
    """
    kernel, X, alpha = Gaussian(0.0001), [[0.0], [48.0], [44.0]], [-500, 500, 500]
    K = [[kernel_interval(kernel, x, z, 400).low for z in X] for x in X]
    for make in (lambda X, kernel: BallProblem(X, kernel, C=64.0),
                 lambda X, kernel: OneClassProblem(X, kernel, 0.5)):
        true, found = make(K, Precomputed()), certify(make(X, kernel), alpha, 0)
        assert 0 <= found.primal - true.primal(alpha, 0) + TINY < Q(1, 2**90)
        assert found.dual <= true.dual(found.alpha) + TINY


def converted(machine, kind):
    """The machine with its numbers, but for the labels, in another kind."""
    numbers = {name: v for name, v in vars(machine).items() if name not in ("K", "y")}
    if not isinstance(machine, NuSVC) and hasattr(machine, "y"):
        numbers["y"] = machine.y
    return replace(machine, **{
        name: list(map(kind, v)) if isinstance(v, list) else kind(v) for name, v in numbers.items()
    })


def score(row, machine, alpha):
    return inner(row, beta_of(machine, alpha))


points = st.lists(st.lists(st.integers(-9, 9), min_size=2, max_size=2), min_size=2, max_size=5)


@given(points, st.data())
def test_a_ball_without_slack_grows_until_it_holds_all(X, data):
    """The primal is the square of the larger of two radii: that given, that of the farthest."""
    ball = BallProblem([list(map(Q, x)) for x in X], C=inf)
    parts = data.draw(st.lists(st.integers(0, 9), min_size=ball.n, max_size=ball.n).filter(any))
    alpha, given = [Q(p, sum(parts)) for p in parts], data.draw(some)  # exact
    c = [inner(alpha, column) for column in zip(*X)]
    needed = max(inner(d, d) for x in X for d in [[a - b for a, b in zip(x, c)]])
    found, best = certify(ball, alpha, given), solve_exactly(ball)
    assert found.primal == max(given, needed) >= best.objective >= found.dual
    assert found.gap == found.primal - found.dual == exact_sum(found.shares)
    assert min(found.shares) >= 0 and found.offsets == [given]
    document = found.document()
    assert document["primal"] == (str(given) if given >= needed else "inf")
    assert certify(ball, alpha).primal == needed


def test_the_promise_of_a_ball_is_in_units_of_its_square_and_as_tight_as_it_can_be():
    """Around 2 with R^2 = 4, and 6 outside: m - M is 6, the gap of the ball that holds it 12."""
    found = certify(BallProblem([[0], [4], [6]], C=inf), [Q(1, 2), Q(1, 2), 0], 4)
    assert found.gap == 12 and found.honours(Q(3, 2)) and not found.honours(Q(149, 100))


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(0.5)])
@given(points, st.sampled_from([1e-2, 1e-6]))
def test_what_smo_finds_of_a_ball_without_slack_is_near(kernel, X, tol):
    ball = BallProblem(X, kernel, C=inf)
    found = certify(ball, smo(ball, tol=tol))
    assert found.honours(tol) and found.gap <= 4 * tol * max(found.primal, Q(1, 2))


@pytest.mark.parametrize("offsets, sentence", [
    ([1], "give b and epsilon, or none"), ([1, 2, 3], "give b and epsilon, or none"),
])
def test_offsets_are_all_given_or_none(offsets, sentence):
    case = named("V4")
    with pytest.raises(TypeError, match=sentence):
        certify(problem_of(case.X, Linear(), case.machine), [0, 0, 0], *offsets)


def test_what_nothing_bounds_is_refused():
    case = named("D3")
    problem = problem_of(case.X, Linear(), case.machine)
    with pytest.raises(ValueError, match="can to 0.75 at most, which is 0.25 less"):
        certify(type(problem)(problem.X, C=Q(1, 4)), [0, 0, 0])


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(1.0)])
@pytest.mark.parametrize("name", ["S1", "D1"])
def test_a_pickle_states_the_same(name, kernel):
    case = named(name)
    X = [list(map(float, x)) for x in case.X]
    found = certify(problem_of(X, kernel, converted(case.machine, float)), [0.25, 0.25, 0.5])
    again = pickle.loads(pickle.dumps(found))
    assert again[:6] == found[:6] and again.intervals == found.intervals
    assert again.bound(X[1]) == found.bound(X[1]) and repr(again) == repr(found)


def test_a_sigmoid_is_certified_where_its_matrix_is_definite():
    X = [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    assert 0 <= certify(OneClassProblem(X, Sigmoid(1.0, 0.0), 0.5), [0.5, 0.5, 0.5]).gap < 1
    with pytest.raises(ValueError, match="positive semidefinite"):
        certify(OneClassProblem(X, Sigmoid(1.0, -0.5), 0.5), [0.5, 0.5, 0.5])
