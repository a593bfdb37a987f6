"""refsvm_fast's dual coordinate descent takes the oracle's steps, to the last bit."""

from fractions import Fraction
from functools import partial
from itertools import cycle, islice
from math import inf
from random import Random
from sys import float_info

import pytest
import strategies_fast as draws
from equality import agree, compiled, equality_test, same
from hypothesis import given
from hypothesis import strategies as st
from profiles import draws as share_of_draws
from profiles import each_pair, one_in, slow_cases
from strategies_fast import watch
from test_fast_online import picks_below

import refsvm_fast
from refsvm import Linear, Problem, dual_coordinate_descent
from refsvm.numerics.picks import passes, shuffled_passes
from refsvm.numerics.sparse_rows import KeptColumns, SparseRow

if refsvm_fast.COMPILED:
    from refsvm_fast import _online, _online_learners


@st.composite
def linear_problems(draw):
    """Problems that it takes, nearly always."""
    given = draw(draws.given_problems())
    if draw(st.integers(0, 9)):
        given["kernel"], given["bias"] = Linear(), False
    return draws.possible(given)


def solve(package, problem, picks, **options):
    """The Solution, and the picks that are left."""
    picks = iter(picks)
    return package.dual_coordinate_descent(problem, picks, **options), list(islice(picks, 50))


@equality_test("dual_coordinate_descent", "Solution", "Solution.model")
@given(st.data())
@share_of_draws(3/5)
def test_it_takes_the_same_steps_to_the_same_answer(data):
    problem = data.draw(linear_problems())
    n = problem.n
    picks = data.draw(st.one_of(
        picks_below(n), st.sampled_from([list(shuffled_passes(n, 8, n)), list(passes(n, 8))])
    ))
    options = {"tol": data.draw(draws.tolerances)}
    if data.draw(st.booleans()):
        options["on_step"] = partial(watch, data.draw(st.sampled_from([3, 10**6, 10**6])))
    if data.draw(st.booleans()):
        options["start"] = data.draw(draws.starts(problem))
    same("dual_coordinate_descent", problem, picks, **options)
    if isinstance(picks, list):
        agree(solve, problem, picks, **options)


@equality_test("dual_coordinate_descent")
@given(st.data())
@share_of_draws(2/5)
def test_on_few_points_it_goes_to_every_end(data):
    rows = data.draw(st.lists(
        st.lists(st.integers(-3, 3), min_size=2, max_size=2), min_size=2, max_size=9
    ))
    problem = draws.possible({
        "X": [[v / 2 for v in row] for row in rows],
        "y": data.draw(draws.labellings(rows)),
        "C": data.draw(st.sampled_from([1, 0.1, 100, inf, inf, 2**20])),
        "bias": False,
        "slack": data.draw(st.sampled_from(["hinge", "squared"])),
    })
    tol = data.draw(st.sampled_from([0, 1e-3, 1e-9]))
    same("dual_coordinate_descent", problem, list(passes(len(rows), 20)), tol,
         on_step=lambda step: None)


@pytest.mark.parametrize("share, slack", [
    (0.55, "squared"),
    *slow_cases("another way to store rows",
                (0.02, "hinge"), (0.2, "squared"), (0.45, "hinge"), (1, "hinge")),
])
def test_no_share_of_zeros_is_a_boundary(share, slack):
    random = Random(share)
    for n, d in (9, 4), (257, 5):
        X = [[random.gauss(0, 1) if random.random() < share else random.choice([0.0, -0.0])
              for _ in range(d)] for _ in range(n)]
        y = [1, -1] + [random.choice([1, -1]) for _ in X[2:]]
        sparse = [SparseRow(KeptColumns([k for k in range(d) if x[k]], 3 * d),
                            [v for v in x if v]) for x in X]
        for rows in (X, sparse):
            problem = Problem(rows, y, C=2, bias=False, slack=slack)
            same("dual_coordinate_descent", problem, list(shuffled_passes(n, 300 // n, n)), 0.1)


@pytest.mark.parametrize("power, C, slack", one_in(2, each_pair(
    [-1074, -600, -300, 0, 300, 500], [1, inf, 2.0**-1000, 1.7e308, float_info.max],
    ["hinge", "squared"])))
def test_every_scale_of_the_data_is_solved_alike(power, C, slack):
    X, y = draws.cloud(20, 3)
    X = [[v * 2.0**(power // 2) * 2.0**(power - power // 2) for v in x] for x in X]
    problem = Problem(X, y, Linear(), C, False, slack)
    same("dual_coordinate_descent", problem, list(passes(20, 9)), on_step=lambda step: None)


@pytest.mark.parametrize("share", [0.1, 1])
@pytest.mark.parametrize("seed", range(6))
def test_weights_beyond_the_doubles_are_met_by_the_same_example(share, seed):
    # Of a row that is zero where w is infinite the oracle has a score.
    random = Random(seed)
    X = [[random.choice([0.0, 0.5, -1e5, 1e5]) if random.random() < share else 0.0
          for _ in range(6)] for _ in range(9)]
    start = [random.choice([0.0, 1e300, 1.7e308]) for _ in X]
    problem = Problem(X, [1, -1, 1] * 3, C=1.7e308, bias=False)
    same("dual_coordinate_descent", problem, list(shuffled_passes(9, 3, seed)), start=start,
         on_step=lambda step: None)


def test_fractions_are_the_oracles():
    problem = Problem([[Fraction(1)], [Fraction(-1, 2)], [3]], [1, -1, 1], bias=False)
    same("dual_coordinate_descent", problem, [0, 1, 2] * 3, Fraction(1, 8))
    plain = Problem([[1.0], [-0.5]], [1, -1], bias=False)
    same("dual_coordinate_descent", plain, [0, 1] * 3, start=[Fraction(1, 3), 0])


def solved_by(package, source, problem):
    """The Solution, and the pick that follows, of endless picks of this package."""
    picks = __import__(f"{source}.numerics.picks", fromlist=["uniform"])
    drawn = picks.uniform(problem.n, 10**15, 3)
    return package.dual_coordinate_descent(problem, drawn), next(drawn)


def test_picks_may_be_endless():
    X, y = draws.cloud(40, 3)
    problem = Problem(X, y, C=0.5, bias=False)
    for source in ("refsvm", "refsvm_fast"):
        agree(solved_by, source, problem)
    agree(lambda package: package.dual_coordinate_descent(problem, cycle(range(40))))


@pytest.mark.parametrize("slack", ["hinge", *slow_cases("a slack that ends late", "squared")])
def test_picks_end_where_rounding_is_all_there_is(slack):
    for n, zeros in ((7, 0), (40, 0.9)):
        X, y = draws.cloud(n, 3)
        X = [[0.0 if k % 10 < 10 * zeros else v for k, v in enumerate(x * 9)] for x in X]
        problem = Problem(X, y, C=0.3, bias=False, slack=slack)
        same("dual_coordinate_descent", problem, list(shuffled_passes(n, 500, n)), 0)
    same("dual_coordinate_descent", problem, [], start=[0.1] * n)


@pytest.mark.parametrize("slack", ["hinge", "squared"])
@pytest.mark.parametrize("value", [
    0.3, -0.0, 1.0, 2, 1.1, -0.1, 1e308, float("inf"), float("nan"), True, "1", None])
def test_a_start_is_taken_or_refused_alike(slack, value):
    X, y = draws.cloud(9, 3)
    problem = Problem(X, y, C=1.0, bias=False, slack=slack)
    for start in ([value] * 9, [0.1] * 8 + [value], (0.1,) * 8 + (value,), [0.1] * 9 + [value]):
        same("dual_coordinate_descent", problem, list(range(9)) * 3, start=start,
             on_step=lambda step: None)


@pytest.mark.parametrize("C", [(1.0,) * 3, [1.0], []])
def test_a_problem_whose_lists_on_step_has_changed_ends_alike(C):
    def use(package):
        problem = package.Problem([[1.0], [-0.5], [2.0]], [1, -1, 1], bias=False)
        return package.dual_coordinate_descent(
            problem, [0, 1, 2] * 4, 0, on_step=lambda step: setattr(problem, "C", C)
        )

    agree(use)


def test_a_problem_that_has_lost_a_point_is_the_oracles():
    def use(package):
        problem = Problem([[1.0], [-0.5], [2.0]], [1, -1, 1], bias=False)
        problem.points = problem.points[:2]
        return package.dual_coordinate_descent(problem, [0, 1, 0, 1, 0])

    agree(use)


def test_no_picks_leave_an_optimum_optimal():
    problem = Problem([[1.0], [-1.0]], [1, -1], bias=False)
    same("dual_coordinate_descent", problem, [], start=[0.5, 0.5])
    assert dual_coordinate_descent(problem, [], start=[0.5, 0.5]).status == "optimal"


@compiled
@pytest.mark.parametrize("slack", ["hinge", "squared"])
@pytest.mark.parametrize("scale", [1.0, 1e-90, 1e60])
def test_an_answer_that_is_plain_says_what_its_lists_say(slack, scale):
    random = Random(slack)
    n, d = 400, 6
    X = [[random.choice([0, 1, random.gauss(0, 1)]) * scale for _ in range(d)] for _ in range(n)]
    y = [1 if x[0] + random.gauss(0, scale) > 0 else -1 for x in X]
    C = [(random.random() + 0.1) / scale**2 for _ in range(n)]
    problem = refsvm_fast.Problem(X, y, C=C, bias=False, slack=slack)
    descent = _online.CoordinateDescent(_online_learners.solved_rows(problem), problem)
    reason = descent.descend(shuffled_passes(n, 400, 1), 0.1, None)
    plain = _online_learners.plain_solution(descent, problem, 0.1, reason)
    listed = _online_learners.ended(descent, problem, problem.dual_form(), 0.1, reason)
    assert plain is not None, listed
    told = "alpha", "b", "b_low", "b_high", "objective", "gap", "violation", "iterations", "status"
    for name in (*told, "farkas", "offsets", "optimum_at_most", "w", "limit", "least_scores"):
        assert repr(getattr(plain, name)) == repr(getattr(listed, name)), name
