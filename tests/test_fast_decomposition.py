"""Decomposition, compiled: the oracle's rounds and steps, to the last bit."""

from math import inf
from random import Random

import pytest
import strategies_fast as draws
from equality import equality_test, same
from hypothesis import given
from hypothesis import strategies as st
from profiles import slow_cases

import refsvm
import refsvm_fast
from refsvm import Gaussian, Linear, Polynomial, Precomputed, Problem, Sigmoid, gram
from refsvm.solvers.smo import MANY

MEMBERS = st.integers(2, 16)


@equality_test("decomposition")
@given(st.data())
def test_decomposition_takes_the_same_steps_to_the_same_answer(data):
    problem = data.draw(draws.problems())
    options = data.draw(draws.solver_options(problem))
    same("decomposition", problem, members=data.draw(MEMBERS), **options)


def cloud(n, d, seed, zeros=0.0):
    """n rows of d numbers, some of them zero, and labels that overlap."""
    random = Random(seed)
    X = [[0.0 if random.random() < zeros else random.gauss(0, 1) for _ in range(d)]
         for _ in range(n)]
    return X, [1 if x[0] + random.gauss(0, 0.5) > 0 else -1 for x in X]


KERNELS = [Linear(), Gaussian(0.5), Polynomial(2, coef0=1), Sigmoid(0.25, -0.5),
           Gaussian(1) + Linear(), 0.5 * Gaussian(1) * Polynomial(2)]


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("slack", ["hinge", "squared"])
@pytest.mark.parametrize("zeros", [0.0, 0.9])
def test_every_kind_of_rows_is_followed_by_the_same_residuals(kernel, bias, slack, zeros):
    X, y = cloud(40, 12, seed=1, zeros=zeros)
    problem = Problem(X, y, kernel, 10.0, bias, slack)
    same("decomposition", problem, tol=1e-6, members=6, max_iter=300)


@pytest.mark.parametrize("n, threads", [
    (19, 3), *slow_cases("blocks of the table, and parts of a pass", (255, 2), (257, 2), (700, 3))
])
def test_blocks_of_the_table_and_threads_change_no_bit(n, threads):
    X, y = cloud(n, 3, seed=n)
    for kernel in (Gaussian(1.0), Linear(), Polynomial(2, coef0=1)):
        for members in (7, 300):
            problem = Problem(X, y, kernel, 10.0)
            same("decomposition", problem, members=members, max_iter=60, threads=threads)


def test_threads_choose_the_same_members():
    random, n = Random(7), 52_000  # fewer are not worth sharing
    x = random.choices(range(-9, 10), k=n)  # on a grid, where many residuals are equal
    y = [1 if v + noise > 0 else -1 for v, noise in zip(x, random.choices(range(-4, 6), k=n))]
    for kernel in (Gaussian(1.0), Linear()):
        problem = refsvm_fast.Problem([[float(v)] for v in x], y, kernel, 0.5)
        steps = [[], []]
        for threads, taken in zip((1, 3), steps):
            refsvm_fast.decomposition(problem, on_step=taken.append, members=60, max_iter=99,
                                      threads=threads)
        assert steps[0] == steps[1]


def test_a_matrix_that_is_given_a_function_and_marks_are_followed_too():
    X, y = cloud(30, 4, seed=3)
    same("decomposition", Problem(gram(Gaussian(1), X), y, Precomputed(), inf), members=5)
    same("decomposition", Problem(X, y, lambda x, z: 1 + x[0] * z[0]), members=4, max_iter=90)
    marks = [[float(v > 0) for v in x] * 3 for x in X]
    same("decomposition", Problem(marks, y, Gaussian(0.25), 5.0), members=8)


@pytest.mark.parametrize("n", [4, 9, 40])
def test_a_value_that_is_not_finite_is_refused_in_the_same_words(n):
    random = Random(n)
    X = [[random.choice([1e52, -1e52])] if random.random() < 0.1 else [random.random()]
         for _ in range(n)]
    X[0] = [1e52]
    y = [1, -1] + [random.choice([1, -1]) for _ in X[2:]]
    only_apart = Polynomial(3, 1, -X[0][0] * X[0][0])  # it overflows off the diagonal alone
    for kernel in (only_apart, Polynomial(2, 1e100), draws.nan_for_some, draws.inf_for_some):
        for C, members in ((1e-200, 2), (1, 3), (inf, 8)):
            problem = Problem(X, y, kernel, C)
            same("decomposition", problem, members=members, max_iter=100)


def test_numbers_near_the_end_of_the_doubles_are_the_oracles():
    X, y = cloud(12, 2, seed=5)
    for scale in (2.0**480, 2.0**-480):
        big = [[v * scale for v in x] for x in X]
        same("decomposition", Problem(big, y, Linear(), 1e3), members=4, max_iter=200)
        same("decomposition", Problem(X, y, scale * Gaussian(1), 1e3), members=4, max_iter=200)


def test_bad_members_are_refused():
    problem = Problem([[0.0], [1.0]], [-1, 1])
    same("decomposition", problem, members=1)
    with pytest.raises(ValueError, match="members is 1; it must be"):
        refsvm_fast.decomposition(problem, members=1)


def many(n, kernel):
    """A problem of n examples of one feature; the classes overlap."""
    random = Random(n)
    X = [[random.gauss(0, 1) + (i % 2) * 3] for i in range(n)]
    return Problem(X, [2 * (i % 2) - 1 for i in range(n)], kernel, 10.0)


def test_smo_is_this_where_there_are_many_examples():
    for n in (MANY, MANY + 1):
        problem = many(n, Gaussian(1.0))
        solutions = [solve(problem, max_iter=20)
                     for solve in (refsvm_fast.smo, refsvm_fast.decomposition)]
        assert (solutions[0] == solutions[1]) == (n > MANY)


@pytest.mark.slow("the oracle's smo on both sides of the limit")
@pytest.mark.parametrize("n, kernel", [(MANY, Linear()), (MANY + 1, Gaussian(1.0))])
def test_on_both_sides_of_the_limit_smo_takes_the_oracles_steps(n, kernel):
    steps = [[], []]
    for package, taken in zip((refsvm, refsvm_fast), steps):
        package.smo(many(n, kernel), max_iter=40, on_step=taken.append)
    assert steps[0] == steps[1] and len(steps[0]) == 40
