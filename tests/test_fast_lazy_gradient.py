"""No bit depends on what slept: fits in which most residuals are known roughly only."""

from contextlib import contextmanager
from functools import partial
from math import inf, sqrt
from random import Random

import pytest
import strategies_fast as draws
from equality import compiled, equality_test, same
from hypothesis import given
from hypothesis import strategies as st
from strategies_fast import watch

import refsvm
import refsvm_fast
from refsvm import Gaussian, Problem

pytestmark = compiled
WIDE = 250  # features: with so many a kernel value is dear by the widest of the inner loops, too
if refsvm_fast.COMPILED:
    from refsvm_fast._smo import DualAscent
    from refsvm_fast._table import packed

    from refsvm_fast import _kernel_rows


@contextmanager
def all_asleep(blur=0.0):
    """Fits in which all may sleep, however few there are, and are woken one by one; and gamma is
    too large for them by a share."""
    _kernel_rows.sleep_always(True, blur)
    try:
        yield
    finally:
        _kernel_rows.sleep_always(False)


def awake_at_the_end(problem, cache_mb=200, max_iter=10**9):
    """How many examples a fit has woken; None if it has woken all."""
    descent = DualAscent(problem, None, cache_mb)
    assert descent.sleepers is not None
    descent.run(1e-3, max_iter, None, False)
    return descent.sleepers and descent.sleepers.awake


def spread(n, d, seed, wrong=0.0, apart=2.0, grain=None):
    """n points about a plane in d dimensions, half of them `apart` from the others in it; some
    labels are wrong."""
    random = Random(seed)
    axes = [[random.gauss(0, 1) / sqrt(d) for _ in range(d)] for _ in range(2)]
    X, y = [], []
    for i in range(n):
        side = i % 2
        u, v = random.gauss(side * apart, 1), random.gauss(0, 1)
        x = [u * a + v * b + random.gauss(0, 0.02) for a, b in zip(*axes)]
        X.append([round(k / grain) * grain for k in x] if grain else x)
        y.append(1 if (side == 1) != (random.random() < wrong) else -1)
    return X, y


@st.composite
def sleepy_problems(draw):
    """Gaussian problems with few support vectors or many, equal rows, and numbers of any size."""
    n = draw(st.sampled_from([2, 12, 30, 60, 60, 60, 300]))
    random = Random(draw(draws.seeds))
    X, y = spread(
        n, draw(st.sampled_from([1, 2, 2, 9, 21])), random.random(),
        wrong=draw(st.sampled_from([0.0, 0.05, 0.3])),
        apart=draw(st.sampled_from([1.0, 2.0, 5.0])),
        grain=draw(st.sampled_from([None, None, 0.5, 0.1])),
    )
    if draw(st.integers(0, 3)) == 0:
        X = draw(draws.tables(n, 2))
    if draw(st.integers(0, 3)) == 0:  # one that is far from all others makes the sketch rough
        X[n // 2] = [v + draw(st.sampled_from([50.0, 300.0])) for v in X[n // 2]]
    scale = 2.0 ** draw(st.sampled_from([0, 0, 0, 0, 0, -300, -70, -40, 40, 70]))
    far = draw(st.sampled_from([0.0, 0.0, 1e3, 1e9])) * scale
    scaled = [[v * scale + far for v in x] for x in X]
    if all(-inf < v < inf for x in scaled for v in x):
        X = scaled
    y[0], y[-1] = 1, -1
    gamma = draw(st.sampled_from([1.0, 1.0, 0.25, 0.01, 30.0])) / scale**2
    C = draw(st.sampled_from([1.0, 10.0, 100.0, 0.01, 1e4]))
    if draw(st.integers(0, 3)) == 0:
        C = [C * (1 + random.random()) for _ in y]
    slack = draw(st.sampled_from(["hinge", "hinge", "squared"]))
    return Problem(X, y, Gaussian(gamma if 0 < gamma < inf else 1.0), C, slack=slack)


@equality_test("smo")
@given(st.data())
def test_who_slept_is_told_by_no_bit(data):
    problem = data.draw(sleepy_problems())
    options = {
        "tol": data.draw(st.sampled_from([1e-3, 1e-3, 0.5, 0.1, 0.01, 1e-6, 1e-12, 1e-14, 2e-15])),
        "threads": data.draw(st.sampled_from([1, 1, 2])),
    }
    if data.draw(st.booleans()):
        options["on_step"] = partial(watch, 300)
    else:
        options["max_iter"] = data.draw(st.sampled_from([1, 5, 40, 400]))
    with all_asleep(data.draw(st.sampled_from([0.0, 2.0**-12, 2.0**-6, 0.125]))):
        same("smo", problem, **options)


@given(st.data())
def test_a_sketch_is_never_below_the_value_and_not_far_above_it(data):
    problem = data.draw(sleepy_problems())
    many = data.draw(st.integers(1, 8))
    error, rows = _kernel_rows.sketched(packed(problem.X), problem.kernel.gamma, many)
    if error <= 2.0**-13:
        for exact, about in zip(refsvm.gram(problem.kernel, problem.X), rows):
            assert all(k <= v <= k + 2 * error for k, v in zip(exact, about))


def test_how_far_above_is_told_by_the_features_and_their_widest_difference():
    """The bound at the head of rough_kernel.pxi, for s = 1 + SUMMED additions and g = 1."""
    error, _ = _kernel_rows.sketched(packed([[0.0, 0.0], [0.6, 0.8]]), 1.0, 1)
    F = 2.0**-24
    least = (18 * 0.37 + 8 * 0.43 + 8) * F
    assert least + 16 * F * F < error < 1.25 * least


def test_rows_that_may_go_are_not_read_when_all_are_woken():
    """There is room for all rows once none sleeps, but it was given to the sleepers."""
    X, y = spread(900, 80, seed=5, wrong=0.5, apart=0.0)
    problem = refsvm_fast.Problem(X, y, Gaussian(16.0), 10.0)
    answer = refsvm_fast.smo(problem)
    assert sum(a > 0 for a in answer.alpha) > 890
    with all_asleep():
        assert DualAscent(problem, None, 12.0).rows.slots < 890
        assert refsvm_fast.smo(problem, cache_mb=12.0).alpha == answer.alpha


def alike(problem, **options):
    """Whether a fit is the same, step by step, as from a start, where none sleeps."""
    fits, told = [], ([], [])
    for start, steps in zip((None, [0.0] * problem.n), told):
        fits.append(refsvm_fast.smo(problem, start=start, **options))
        fits.append(refsvm_fast.smo(problem, start=start, on_step=steps.append, **options))
    return fits.count(fits[0]) == len(fits) and told[0] == told[1] != []


@pytest.mark.slow("sleepers among so many examples that they sleep unasked")
def test_most_sleep_to_the_end_where_few_count():
    X, y = spread(4000, WIDE, seed=3, apart=5.0)
    problem = refsvm_fast.Problem(X, y, Gaussian(0.1), 10.0)
    assert awake_at_the_end(problem) < 4000 // 8
    assert alike(problem, threads=2, tol=1e-12)


@pytest.mark.slow("a change of the source of rows in the middle of a fit")
def test_all_are_woken_where_most_count():
    X, y = spread(4000, WIDE, seed=4, wrong=0.5)
    problem = refsvm_fast.Problem(X, y, Gaussian(0.1), 1.0)
    assert awake_at_the_end(problem, max_iter=80) is None
    assert alike(problem, max_iter=80, threads=2)  # both go over to the other source


def test_all_are_woken_where_there_is_no_room_for_another_row():
    X, y = spread(2000, 2, seed=5, wrong=0.5)
    problem = refsvm_fast.Problem(X, y, Gaussian(1.0), 1.0)
    with all_asleep():
        assert awake_at_the_end(problem, cache_mb=17, max_iter=300) is None
        assert awake_at_the_end(problem, max_iter=300) is not None
        assert alike(problem, cache_mb=17, max_iter=300)


def test_equal_rows_are_picked_in_their_order_though_some_sleep():
    X, y = spread(40, 2, seed=6, grain=1.0)
    with all_asleep():
        for C in (0.5, 1.0, 100.0):
            same("smo", Problem(3 * X, 3 * y, Gaussian(0.5), C), on_step=partial(watch, 300))


@pytest.mark.parametrize("X, gamma", [
    ([[1e300, 0.0], [-1e300, 1.0], [0.0, 0.0]], 1e-300),
    ([[2.0**-140, 0.0], [0.0, 2.0**-149], [2.0**-75, 0.0]], 2.0**150),
    ([[5e-324], [0.0], [1e-310]], 1.0),
    ([[1e12 + k] for k in range(9)], 0.5),
])
def test_numbers_beyond_single_precision(X, gamma):
    with all_asleep():
        same("smo", Problem(X, [1, -1] + [1] * (len(X) - 2), Gaussian(gamma), 10.0), tol=1e-6)
