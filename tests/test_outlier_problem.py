"""One class and the ball: no training row that is below its bound is told to be an outlier."""

from fractions import Fraction as Q
from math import inf
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from profiles import draws

import refsvm
import refsvm_fast
from refsvm import SVDD, Gaussian, Linear, OneClassSVM, Polynomial, Precomputed, gram
from refsvm.svm.dual_form import roundings_of_sums
from refsvm.svm.outlier_problem import keep_inside

KERNELS = [Gaussian(0.5), Gaussian(0.01), Linear(), Polynomial(2, 1, 1), Polynomial(3)]
NUS = [1e-9, 1e-5, 0.01, 0.1, 0.3, 0.5, 0.77, 1.0]
PENALTIES = [1.0, inf, 0.1, 0.3]
PACKAGES = [refsvm, refsvm_fast]


def rows_of(random):
    """Few integers, so that rows are equal; doubles; and doubles far from the origin."""
    n, d = random.randint(2, 25), random.randint(1, 4)
    number = random.choice(
        [
            lambda: float(random.randint(0, 5)),
            lambda: random.gauss(2, 1),
            lambda: 1e3 + random.random(),
        ]
    )
    rows = [[number() for _ in range(d)] for _ in range(n)]
    return rows[:: random.choice([1, -1])]


def arguments_of(seed):
    """(rows, kernel, nu or C, weights, tol); half of the time without weights."""
    random = Random(seed)
    rows = rows_of(random)
    some = [random.choice([0.5, 1.0, 2.0, 0.3]) for _ in rows]
    weights = random.choice([None, some])
    kernel, nu, tol = (random.choice(some) for some in (KERNELS, NUS, [0, 1e-9, 1e-3]))
    return rows, kernel, nu, weights, tol


def solved(package, seed, ball):
    rows, kernel, nu, weights, tol = arguments_of(seed)
    if ball:
        problem = package.BallProblem(rows, kernel, PENALTIES[NUS.index(nu) % 4], weights)
    else:
        problem = package.OneClassProblem(rows, kernel, nu, weights)
    return problem, package.smo(problem, tol)


@draws(4)
@given(st.integers(0, 10**6), st.booleans())
@example(386, False)
@example(3105, True)  # one is below its bound by the rounding of the sum
@example(393, False)
def test_no_row_below_its_bound_is_an_outlier(seed, ball):
    problem, solution = solved(refsvm, seed, ball)
    if solution.status == "infeasible":
        return
    model, form = solution.model(), problem.dual_form()
    decisions = model.decisions(problem.X)
    outside = [i for i, f in enumerate(decisions) if f < 0]
    (near,) = roundings_of_sums(form, solution.alpha)
    assert all(solution.alpha[i] + near >= form.upper[i] for i in outside)
    assert sum(Q(form.upper[i]) for i in outside) <= form.sums[0] * (1 + Q(2) ** -40)
    assert model.predictions(problem.X) == [1 if f >= 0 else -1 for f in decisions]
    # Rounding moved the offset, outwards, and nothing else did.
    size = max(map(abs, problem.squared_norms())) * sum(solution.alpha)
    assert 0 <= model[0] - solution.b <= 1e-9 * size


@draws(1)
@given(st.integers(0, 10**6), st.booleans())
def test_the_fast_model_is_the_same(seed, ball):
    (_, slow), (_, fast) = (solved(package, seed, ball) for package in PACKAGES)
    assert slow == fast
    assert slow.model() == fast.model()
    assert len(slow.least_scores) == len(fast.least_scores)


@draws(1)
@given(st.integers(0, 10**6), st.sampled_from([-300, -20, 20, 300]))
def test_weights_in_another_unit_give_the_same_sides(seed, k):
    rows, kernel, nu, weights, tol = arguments_of(seed)
    weights = weights or [1.0] * len(rows)
    one = refsvm.smo(refsvm.OneClassProblem(rows, kernel, nu, weights), tol).model()
    scaled = refsvm.OneClassProblem(rows, kernel, nu, [w * 2.0**k for w in weights])
    other = refsvm.smo(scaled, tol).model()
    assert other.b == one.b * 2.0**k
    assert other.decisions(rows) == [f * 2.0**k for f in one.decisions(rows)]


@pytest.mark.parametrize("order", [1, -1])
def test_few_rows_are_asked_for_their_score(order):
    random = Random(1)
    rows = [[random.gauss(0, 1), random.gauss(0, 1)] for _ in range(400)][::order]
    for nu in 1e-9, 0.1, 0.5:
        found = refsvm_fast.smo(refsvm_fast.OneClassProblem(rows, Gaussian(0.5), nu))
        assert 0 < len(found.least_scores) <= 5
    years = [[2000 + v, 1e6 * v] for v, _ in rows]
    assert 0 < len(refsvm_fast.smo(refsvm_fast.BallProblem(years)).least_scores) <= 5


def test_all_forms_of_a_machine_have_its_offset(tmp_path):
    for seed in range(8):
        rows, _, nu, weights, _ = arguments_of(seed)
        machine = OneClassSVM(gamma=0.5, nu=nu, tol=1e-6).fit(rows, None, weights)
        assert machine.intercept_ == [machine.model_.b] and machine.offset_ == -machine.model_.b
        refsvm.write_model(tmp_path / "model", machine)
        again = refsvm.read_model(tmp_path / "model")
        assert again.predictions(rows) == machine.predict(rows)
        K = gram(Gaussian(0.5), rows)
        precomputed = refsvm.OneClassProblem(K, Precomputed(), nu, weights)
        assert refsvm.smo(precomputed, 1e-6).model().b == machine.model_.b
        ball = SVDD(gamma=0.5).fit(rows)
        assert ball.radius2_ == ball.model_.radius2 == -ball.offset_


def test_an_offset_is_only_raised():
    model = refsvm.smo(refsvm.OneClassProblem([[1.0], [2.0], [4.0]], Linear(), 0.5)).model()
    assert (model.b, keep_inside(model, []).b) == (-4.0, -4.0)
    assert keep_inside(model, [[4.0]]).b == -4.0
    assert keep_inside(model, [[4.0], [1.0]]).b == -2.0


def test_fractions_are_not_moved():
    problem = refsvm.OneClassProblem([[Q(1)], [Q(2)], [Q(4)]], Linear(), Q(1, 2))
    solution = refsvm.smo(problem, 0)
    assert not solution.least_scores and solution.model().b == solution.b == -4
