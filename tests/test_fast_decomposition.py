"""Decomposition, compiled: the oracle's rounds and steps, to the last bit."""

from functools import partial
from math import inf
from random import Random

import profiles
import pytest
import strategies_fast as draws
from equality import agree, compiled, equality_test, same
from hypothesis import given
from hypothesis import strategies as st
from profiles import each_pair, slow_cases
from test_decomposition import no_face
from test_fast_grouped_problems import (
    DECOMPOSITION,
    NAMES,
    cloud_problem,
    options,
)
from test_fast_grouped_problems import problems as grouped_problems

import refsvm
import refsvm_fast
from refsvm import Gaussian, Linear, Polynomial, Precomputed, Problem, Sigmoid, gram
from refsvm.solvers.smo import MAX_SMO_ROWS
from refsvm_fast.solvers.decomposition import decomposition

MEMBERS = st.integers(2, 16)


@equality_test(DECOMPOSITION)
@given(st.data())
@profiles.draws(1/2)
def test_decomposition_takes_the_same_steps_to_the_same_answer(data):
    problem = data.draw(draws.problems())
    options = data.draw(draws.solver_options(problem))
    same(DECOMPOSITION, problem, members=data.draw(MEMBERS), **options)


@equality_test(DECOMPOSITION, *NAMES)
@given(st.data())
@profiles.draws(1/2)
def test_every_machine_takes_the_same_steps_in_rounds(data):
    problem = data.draw(grouped_problems())
    same(DECOMPOSITION, problem, members=data.draw(MEMBERS), **data.draw(options(problem)))


def cloud(n, d, seed, zeros=0.0):
    """n rows of d numbers, some of them zero, and labels that overlap."""
    random = Random(seed)
    X = [[0.0 if random.random() < zeros else random.gauss(0, 1) for _ in range(d)]
         for _ in range(n)]
    return X, [1 if x[0] + random.gauss(0, 0.5) > 0 else -1 for x in X]


KERNELS = [Linear(), Gaussian(0.5), Polynomial(2, coef0=1), Sigmoid(0.25, -0.5),
           Gaussian(1) + Linear(), 0.5 * Gaussian(1) * Polynomial(2)]


@pytest.mark.parametrize("kernel, bias, slack, zeros", each_pair(
    KERNELS, [True, False], ["hinge", "squared"], [0.0, 0.9]), ids=repr)
def test_every_kind_of_rows_is_followed_by_the_same_residuals(kernel, bias, slack, zeros):
    X, y = cloud(40, 12, seed=1, zeros=zeros)
    problem = Problem(X, y, kernel, 10.0, bias, slack)
    same(DECOMPOSITION, problem, tol=1e-6, members=6, max_iter=300)


@pytest.mark.parametrize("name, kernel, zeros, members", each_pair(
    NAMES, [Linear(), Gaussian(0.5), Gaussian(1) + Linear()], [0.0, 0.9], [3, 7, 16]), ids=repr)
def test_rows_of_every_machine_are_followed_by_the_same_residuals(name, kernel, zeros, members):
    X, y = cloud(41, 12, seed=2, zeros=zeros)  # classes of other sizes than lanes have
    problem = cloud_problem(refsvm, name, X, y, kernel)
    watch = partial(draws.watch, 40)
    same(DECOMPOSITION, problem, 1e-6, members=members, max_iter=120, on_step=watch)


@pytest.mark.slow("whether the limit of a face in a round is the same: draws are of few examples")
def test_large_faces_of_a_round_are_left_to_the_same_steps():
    X, y = cloud(530, 3, seed=3)
    same(DECOMPOSITION, Problem(X, y, Gaussian(500), 10.0), members=530, max_iter=700)


def few_numbers(n, d, seed):
    """n rows of d numbers, in each of which 5 are not zero; the first has 200, some are -0.0."""
    random = Random(seed)
    X = [[0.0] * d for _ in range(n)]
    for i, x in enumerate(X):
        x[0] = random.uniform(-1, 1)
        for _ in range(4 if i else 200):
            x[random.randrange(d)] = random.choice([-0.0, random.uniform(-1, 1)])
    return X, [1 if x[0] > random.uniform(-1, 1) else -1 for x in X]


@pytest.mark.parametrize("kernel", [
    Linear(), *slow_cases("other kernels of wide rows", Polynomial(2), Linear() + Gaussian(1)),
], ids=repr)
def test_rows_with_fewer_numbers_than_features_are_followed_alike(kernel):
    X, y = few_numbers(40, 900, seed=8)
    for bias, threads in ((True, 1), (False, 2)):
        problem = Problem(X, y, kernel, 10.0, bias=bias)
        same(DECOMPOSITION, problem, 1e-6, members=9, max_iter=80, threads=threads)


@compiled
def test_some_rows_of_few_numbers_come_out_as_they_went_in():
    X, _ = few_numbers(300, 1500, seed=5)  # in two blocks
    for wanted in ([299, 0, 7, 0, 256], list(range(299, -1, -1))):
        agree(lambda p, wanted=wanted: (
            refsvm_fast.Problem(X, [1, -1] * 150).packed.at(wanted).rows() if p is refsvm_fast
            else [X[i] for i in wanted]
        ))


@pytest.mark.parametrize("name", NAMES)
def test_a_matrix_of_every_machine_is_followed_too(name):
    X, y = cloud(30, 3, seed=4)
    for rows, kernel in ((draws.gram_of(X), Precomputed()), (X, draws.by_hand)):
        problem = cloud_problem(refsvm, name, rows, y, kernel)
        same(DECOMPOSITION, problem, members=6, max_iter=60, on_step=partial(draws.watch, 60))


@compiled
@pytest.mark.parametrize("name", ["Problem", *NAMES])
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(1)], ids=repr)
def test_above_the_limit_smo_of_every_machine_goes_by_rounds(monkeypatch, name, kernel):
    X, y = cloud(50, 3, seed=9)
    for module in ("refsvm.solvers.smo", "refsvm_fast._solvers"):
        monkeypatch.setattr(f"{module}.MAX_SMO_ROWS", 49)
    agree(lambda p: p.smo(cloud_problem(p, name, X, y, kernel), max_iter=200,
                          on_step=partial(draws.watch, 50)))


@pytest.mark.parametrize("name", ["Problem", *NAMES])
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(1)], ids=repr)
def test_where_many_are_free_smo_of_every_machine_goes_over_to_rounds(monkeypatch, name, kernel):
    X, y = cloud(50, 3, seed=9)
    for module in ("refsvm.solvers.smo", "refsvm_fast._solvers"):
        monkeypatch.setattr(f"{module}.MAX_STEP_ROWS", 49)
    no_face(monkeypatch)
    monkeypatch.setattr("refsvm.solvers.dual_ascent.DualAscent.usual_system", 4)
    monkeypatch.setattr("refsvm.solvers.decomposition.MEMBERS", 6)
    agree(lambda p: p.smo(cloud_problem(p, name, X, y, kernel), tol=1e-9, max_iter=400,
                          on_step=partial(draws.watch, 400)))


@compiled
def test_above_the_limit_pairs_that_share_kernel_rows_have_w_too(monkeypatch):
    from refsvm_fast._kernel_rows import whole_of

    X, y = cloud(24, 400, seed=3)  # few and wide, so with the loops of any processor
    table = refsvm_fast.Problem(X, y).packed
    assert whole_of(table, Linear(), 200.0, 3, 16) is not None  # so three classes share rows
    for module in ("refsvm.solvers.smo", "refsvm_fast._solvers"):
        monkeypatch.setattr(f"{module}.MAX_SMO_ROWS", 12)
    agree(lambda p: p.SVC(kernel="linear").fit(X, [k % 3 for k in range(24)]))


@pytest.mark.parametrize("n, threads", [
    (19, 3), *slow_cases("blocks of the table, and parts of a pass", (255, 2), (257, 2), (700, 3))
])
@draws.all_shared()
def test_blocks_of_the_table_and_threads_change_no_bit(n, threads):
    X, y = cloud(n, 3, seed=n)
    for kernel in (Gaussian(1.0), Linear(), Polynomial(2, coef0=1)):
        for members in (7, 300):
            problem = Problem(X, y, kernel, 10.0)
            same(DECOMPOSITION, problem, members=members, max_iter=60, threads=threads)
        regression = refsvm.RegressionProblem(X, [x[0] for x in X], kernel, epsilon=0.01)
        same(DECOMPOSITION, regression, members=50, max_iter=60, threads=threads)


@pytest.mark.parametrize("name", ["Problem", "RegressionProblem", "NuRegressionProblem"])
@draws.all_shared()
def test_of_equal_residuals_the_same_are_chosen(name):
    random = Random(7)
    x = random.choices(range(-9, 10), k=60)  # on a grid, where many residuals are equal
    y = [1 if v + noise > 0 else -1 for v, noise in zip(x, random.choices(range(-4, 6), k=60))]
    for kernel in (Gaussian(1.0), Linear()):
        problem = cloud_problem(refsvm, name, [[float(v)] for v in x], y, kernel)
        same(DECOMPOSITION, problem, members=9, max_iter=99, threads=3,
             on_step=partial(draws.watch, 99))


def test_a_matrix_that_is_given_a_function_and_marks_are_followed_too():
    X, y = cloud(30, 4, seed=3)
    same(DECOMPOSITION, Problem(gram(Gaussian(1), X), y, Precomputed(), inf), members=5)
    same(DECOMPOSITION, Problem(X, y, lambda x, z: 1 + x[0] * z[0]), members=4, max_iter=90)
    marks = [[float(v > 0) for v in x] * 3 for x in X]
    same(DECOMPOSITION, Problem(marks, y, Gaussian(0.25), 5.0), members=8)


def test_numbers_near_the_end_of_the_doubles_are_the_oracles():
    X, y = cloud(12, 2, seed=5)
    for scale in (2.0**480, 2.0**-480):
        big = [[v * scale for v in x] for x in X]
        same(DECOMPOSITION, Problem(big, y, Linear(), 1e3), members=4, max_iter=200)
        same(DECOMPOSITION, Problem(X, y, scale * Gaussian(1), 1e3), members=4, max_iter=200)


def test_bad_members_are_refused():
    problem = Problem([[0.0], [1.0]], [-1, 1])
    same(DECOMPOSITION, problem, members=1)
    with pytest.raises(ValueError, match="members is 1; it must be"):
        decomposition(problem, members=1)


def many(n, kernel):
    """A problem of n examples of one feature; the classes overlap."""
    random = Random(n)
    X = [[random.gauss(0, 1) + (i % 2) * 3] for i in range(n)]
    return Problem(X, [2 * (i % 2) - 1 for i in range(n)], kernel, 10.0)


def test_smo_is_this_where_there_are_many_examples():
    for n in (MAX_SMO_ROWS, MAX_SMO_ROWS + 1):
        problem = many(n, Gaussian(1.0))
        solutions = [solve(problem, max_iter=20)
                     for solve in (refsvm_fast.smo, decomposition)]
        assert (solutions[0] == solutions[1]) == (n > MAX_SMO_ROWS)


@pytest.mark.slow("the oracle's smo on both sides of the limit")
@pytest.mark.parametrize("more, kernel", [(0, Linear()), (1, Gaussian(1.0))])
def test_on_both_sides_of_the_limit_smo_takes_the_oracles_steps(more, kernel):
    steps = [[], []]
    for package, taken in zip((refsvm, refsvm_fast), steps):
        package.smo(many(MAX_SMO_ROWS + more, kernel), max_iter=40, on_step=taken.append)
    assert steps[0] == steps[1] and len(steps[0]) == 40
