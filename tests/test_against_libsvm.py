"""Our optimum is LIBSVM's or better, on a sample of against_libsvm.py, which runs them all."""

import pytest
from against_libsvm import SETS, compare, load
from peers import data_folder, peer

from refsvm import Problem, smo

# Each set, kernel and C at least once.
SAMPLE = (
    ("heart_scale", "linear", 100),
    ("heart_scale", "gaussian", 100),
    ("australian_scale", "cubic", 100),
    ("australian_scale", "gaussian", 0.1),
    ("breast-cancer_scale", "linear", 100),
    ("diabetes_scale", "gaussian", 100),
    ("german.numer_scale", "linear", 0.1),
    ("ionosphere_scale", "linear", 100),
    ("ionosphere_scale", "cubic", 1),
    ("sonar_scale", "linear", 1),
    ("sonar_scale", "cubic", 0.1),
    ("fourclass_scale", "linear", 100),
    ("fourclass_scale", "gaussian", 100),
    ("splice", "linear", 0.1),
    ("a1a", "linear", 0.1),
    ("w1a", "linear", 0.1),
    ("svmguide1", "linear", 1),
    ("svmguide3", "gaussian", 1),
)


def test_the_sample_has_every_set_kernel_and_penalty():
    sets, kernels, penalties = map(set, zip(*SAMPLE))
    assert sets == set(SETS)
    assert kernels == {"linear", "cubic", "gaussian"} and penalties == {0.1, 1, 100}


@pytest.mark.parametrize("name, kernel, C", SAMPLE)
def test_our_dual_is_at_least_that_of_libsvm(name, kernel, C):
    folder = data_folder()
    peer("numpy")
    peer("sklearn.svm")
    X, y = load(folder, name)
    row = compare(X, y, name, kernel, C)
    assert row.verdict() in ("ok", "gap"), row
    assert row.status == "optimal"


POINTS, LABELS = [0, 1, 3, 4, 2], [-1, -1, 1, 1, 1]


def five(shift, scale, C):
    """The Solution and w of five points on a line, moved and scaled."""
    problem = Problem([[(x + shift) * scale] for x in POINTS], LABELS, C=C)
    solution = smo(problem, tol=0)
    return solution, solution.model().w


def test_moving_the_points_by_years_or_timestamps_leaves_the_margin():
    still, _ = five(0, 1, 1)
    for k in range(41):
        solution, w = five(2.0**k, 1, 1)
        there = w, solution.alpha, solution.b, solution.status
        assert there == ([1.0], still.alpha, still.b - 2.0**k, "optimal"), k


def test_scaling_the_points_by_a_power_of_two_scales_the_answer():
    plain, v = five(0, 1, 1)
    for k in range(-60, 61):
        solution, w = five(0, 2.0**k, 4.0**-k)
        there = w, solution.alpha, solution.b, solution.iterations
        scaled = [a * 4.0**-k for a in plain.alpha]
        assert there == ([v[0] * 2.0**-k], scaled, plain.b, plain.iterations), k
