"""strategies.py: what a change does to the exact optimum, and what is drawn, are as it says."""

from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import find, given
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample
from hypothesis.stateful import run_state_machine_as_test
from planted import PLANTED, changed
from planted_codes.svm import Machine
from profiles import slow_cases, tries

from refsvm import Linear, Polynomial, Precomputed, solve_exactly
from refsvm.conformance.strategies import (
    DRAWN_C,
    DRAWN_KERNELS,
    estimator_machine,
    images,
    problems,
    smallest_failure,
    trainings,
)
from refsvm.svm.model import model_from_beta
from spec.vectors.makers import write


class Answer:
    """The optimal value, and the interval of f at any row."""

    def __init__(self, problem):
        self.optimum = solve_exactly(problem)
        self.value = self.optimum.objective
        beta = problem.beta(self.optimum.alpha)
        self.machine = model_from_beta(problem.kernel, problem.X, beta, problem.kind(0))

    def interval(self, x):
        score = self.machine.decision(x)
        return score + self.optimum.b_low, score + self.optimum.b_high


def rows_to_ask(problem):
    """The rows trained on; points between and beyond them, unless it is a matrix."""
    if isinstance(problem.kernel, Precomputed):
        return problem.X
    half = [[(a + b) / 2 for a, b in zip(problem.X[0], x)] for x in problem.X]
    return problem.X + half + [[7 * v for v in problem.X[-1]]]


@given(data=st.data())
def test_the_optimum_of_an_image_is_the_image_of_the_optimum(data):
    problem = data.draw(problems())
    image = data.draw(images(problem))
    before, after = Answer(problem), Answer(image.problem)
    assert after.value == image.factor * before.value + image.added
    for x in rows_to_ask(problem):
        low, high = sorted(image.sign * f for f in before.interval(x))
        new_low, new_high = after.interval(image.query(x))
        assert low <= new_low <= new_high <= high
        if image.whole:
            assert (low, high) == (new_low, new_high)


CHANGES = (
    "permuted", "mirrored", "split", "translated", "scaled", "turned", "widened", "margin point",
    "opposite pair",
)


@pytest.mark.slow("a change that is promised and not drawn")
def test_every_change_is_drawn():
    missing = set(CHANGES)

    def is_the_last(image):
        missing.discard(image.name)
        return not missing

    assert find(problems(kernels=[Linear()]).flatmap(images), is_the_last, settings=tries(2000))


def twins(t):
    """The examples that have a row in common and not the label."""
    return [i for i, x in enumerate(t.X) if any(x == z and s != t.y[i] for z, s in zip(t.X, t.y))]


PROMISED = {
    "a weight of 0": lambda t: Fraction(0) in t.weights,
    "the largest": lambda t: len(t.X) == 8 and len(t.X[0]) == 3,
    "few different rows": lambda t: len(set(map(tuple, t.X))) < len(t.X) - 2,
    "one row with both labels": twins,
    **{f"C = {C}": lambda t, C=C: t.C == C for C in DRAWN_C},
    **{repr(kernel): lambda t, kernel=kernel: t.kernel == kernel for kernel in DRAWN_KERNELS},
}


@pytest.mark.slow("a kind of data that is promised and not drawn")
def test_what_the_draws_promise_is_there():
    left = dict(PROMISED)

    def is_the_last(training):
        for word in [word for word, holds in left.items() if holds(training)]:
            del left[word]
        return not left

    with suppress(NoSuchExample):
        find(trainings(), is_the_last, settings=tries(2000))
    assert left == {}


@given(trainings())
def test_every_number_drawn_is_a_double_and_so_are_the_products_of_two(training):
    numbers = {v for x in training.X for v in x} | {training.C * w for w in training.weights}
    assert all(Fraction(float(v)) == v and Fraction(float(v * v)) == v * v for v in numbers)


@given(trainings())
def test_an_example_of_weight_0_is_not_in_the_problem(training):
    problem = training.problem
    assert problem.n == sum(weight > 0 for weight in training.weights)
    assert {1, -1} == set(problem.y)
    positive = [weight for weight in training.weights if weight]
    assert problem.C == [training.C * weight for weight in positive]


# ---- searching with them

FEW = tries(10, stateful_step_count=5)


def with_bug(name):
    """The small SVM with the planted bug whose name begins so."""
    return changed(next(bug for bug in PLANTED if bug.name.startswith(name)))


def maker(machine):
    """What makes an estimator of this class for a Training."""
    def make(training):
        kernel, given = training.kernel, {"C": float(training.C), "tol": 1e-6}
        if isinstance(kernel, Polynomial):
            gamma, coef0 = float(kernel.gamma), float(kernel.coef0)
            return machine(kernel="poly", degree=kernel.degree, gamma=gamma, coef0=coef0, **given)
        return machine(kernel="linear", **given)

    return make


def test_a_correct_estimator_stays_correct_whatever_was_done_before():
    run_state_machine_as_test(estimator_machine(maker(Machine)), settings=FEW)


@pytest.mark.parametrize("name", [
    "b has the wrong sign where none", "a second fit keeps", "a model is saved without b",
    "the first class seen", "decisions are divided",
    *slow_cases("a weight of 0 that no search finds", "an example of weight 0 counts"),
])
def test_the_state_machine_finds_a_planted_bug(name):
    machine = estimator_machine(maker(with_bug(name)))
    with pytest.raises(AssertionError):
        run_state_machine_as_test(machine, settings=FEW)


def test_the_smallest_failure_becomes_a_vector(tmp_path):
    path = tmp_path / "found.json"
    subject = with_bug("b has the wrong sign where none")
    problem = smallest_failure(subject, kernels=[Linear()])
    assert problem.n <= 3
    (case,) = write(problem, path)
    assert case.problem.X == problem.X and case.problem.y == problem.y
    assert case.optimum == solve_exactly(problem)


@pytest.mark.slow("a failure that is none")
def test_no_failure_is_no_problem():
    assert smallest_failure(Machine, kernels=[Linear()], tries=20) is None
