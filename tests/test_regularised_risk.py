"""The mean hinge: both objectives, their subgradients, and what the notes say of the optimum."""

from copy import deepcopy
from fractions import Fraction as Q
from typing import Any, NamedTuple

from exact import exact_sum, inner, linear_gram, optimum
from hypothesis import given
from hypothesis import strategies as st
from problems import coordinates, examples
from refusing import refusals, value_error

from refsvm.numerics.linalg import subtract
from refsvm.online.pegasos import pegasos
from refsvm.solvers.smo import smo
from refsvm.svm.conventions import from_mean_hinge, from_mean_hinge_halved
from refsvm.svm.problem import Problem
from refsvm.theory.regularised_risk import (
    Loss,
    losses,
    objective,
    objective_unhalved,
    subgradient,
    subgradient_unhalved,
)

lams = st.sampled_from([Q(1, 5), Q(1, 2), Q(1), Q(3, 2), Q(4)])


def points(d):
    return st.lists(coordinates, min_size=d, max_size=d)


class Sample(NamedTuple):
    """Examples and a penalty; X2 is the largest |x|^2."""

    X: list
    y: list
    lam: Any

    @property
    def X2(self):
        return max(inner(x, x) for x in self.X)

    def margins(self, w):
        return [label * inner(w, x) for x, label in zip(self.X, self.y)]


@st.composite
def samples(draw, least=2, most=4):
    return Sample(*draw(examples(coordinates, (least, most), (1, 2))), draw(lams))


@st.composite
def samples_and_points(draw, number):
    """A Sample and so many points w; some of them put an example exactly on its kink."""
    sample = draw(samples())
    return sample, [draw(near_kinks(sample)) for _ in range(number)]


@st.composite
def near_kinks(draw, sample):
    w = draw(points(len(sample.X[0])))
    i = draw(st.integers(-1, len(sample.X) - 1))
    if i >= 0 and sample.margins(w)[i] != 0:
        w = [v / sample.margins(w)[i] for v in w]
    return w


def minimum(sample):
    """(w*, F(w*), alpha): the least F, from the judge of the other tests."""
    n = len(sample.y)
    best = optimum(linear_gram(sample.X), sample.y, [1 / (sample.lam * n)] * n, bias=False)
    beta = [a * label for a, label in zip(best.alpha, sample.y)]
    w = [inner(beta, column) for column in zip(*sample.X)]
    return w, sample.lam * best.value, best.alpha


def mean(values):
    values = list(values)
    return exact_sum(values) / len(values)


def hinges(sample, w):
    return [max(1 - m, 0) for m in sample.margins(w)]


def squared_distance(u, w):
    return inner(subtract(u, w), subtract(u, w))


# The objectives


@given(samples_and_points(1))
def test_F_is_the_mean_hinge_and_half_lam_times_the_squared_length(case):
    sample, (w,) = case
    before = deepcopy((sample, w))
    assert objective(w, *sample) == mean(hinges(sample, w)) + sample.lam / 2 * inner(w, w)
    assert (sample, w) == before
    assert objective([0 * v for v in w], *sample) == 1


@given(samples_and_points(1))
def test_J_is_the_mean_hinge_and_lam_times_the_squared_length(case):
    sample, (w,) = case
    assert objective_unhalved(w, *sample) == mean(hinges(sample, w)) + sample.lam * inner(w, w)
    assert objective_unhalved([0 * v for v in w], *sample) == 1


@given(samples_and_points(1))
def test_J_is_F_with_lam_doubled(case):
    (X, y, lam), (w,) = case
    assert objective_unhalved(w, X, y, lam) == objective(w, X, y, 2 * lam)
    assert subgradient_unhalved(w, X, y, lam) == subgradient(w, X, y, 2 * lam)


@given(samples_and_points(1))
def test_F_is_the_mean_of_the_losses_of_the_examples(case):
    sample, (w,) = case
    each = losses(*sample)
    assert mean(loss.value(w) for loss in each) == objective(w, *sample)
    assert [loss.value(w) for loss in each] == [
        h + sample.lam / 2 * inner(w, w) for h in hinges(sample, w)]


@given(samples_and_points(2))
def test_F_rises_from_its_minimum_by_half_lam_times_the_squared_distance_or_more(case):
    sample, points = case
    best, value, _ = minimum(sample)
    assert objective(best, *sample) == value
    for u in points:
        assert objective(u, *sample) >= value + sample.lam / 2 * squared_distance(u, best)


@given(samples())
def test_minimum_of_F_is_no_longer_than_the_notes_allow(sample):
    best, value, alpha = minimum(sample)
    assert inner(best, best) <= 1 / sample.lam
    assert inner(best, best) <= sample.X2 / sample.lam**2
    # Strong duality says where the first comes from: F(w*) = lam sum alpha - lam/2 |w*|^2.
    half = sample.lam / 2 * inner(best, best)
    assert objective(best, *sample) == value == sample.lam * exact_sum(alpha) - half
    assert sample.lam * exact_sum(alpha) <= 1


@given(samples_and_points(1))
def test_minimum_of_J_is_the_soft_margin_without_offset(case):
    (X, y, lam), (u,) = case
    C, scale = from_mean_hinge(lam, len(X))
    assert (C, scale) == (1 / (2 * lam * len(X)), 2 * lam)
    solution = smo(Problem(X, y, C=C, bias=False), tol=0)
    w = solution.model().w
    value = objective_unhalved(w, X, y, lam)
    assert value == scale * solution.objective
    assert objective_unhalved(u, X, y, lam) >= value + lam * squared_distance(u, w)


# Subgradients


@given(samples_and_points(2))
def test_subgradient_of_J_gives_a_plane_that_J_stays_above(case):
    sample, (w, u) = case
    g = subgradient_unhalved(w, *sample)
    below = objective_unhalved(w, *sample) + inner(g, subtract(u, w))
    assert objective_unhalved(u, *sample) >= below + sample.lam * squared_distance(u, w)


@given(samples_and_points(2), st.data())
def test_every_choice_at_the_kinks_is_a_subgradient(case, data):
    sample, (w, u) = case
    shares = [Q(s, 4) for s in data.draw(
        st.lists(st.integers(0, 4), min_size=len(sample.X), max_size=len(sample.X)))]
    g = subgradient(w, *sample, kink=shares)
    below = objective(w, *sample) + inner(g, subtract(u, w))
    assert objective(u, *sample) >= below + sample.lam / 2 * squared_distance(u, w)


@given(samples_and_points(1))
def test_subgradient_of_J_is_the_gradient_where_there_is_one(case):
    sample, (w,) = case
    rooms = [abs(1 - m) for m in sample.margins(w)]
    if 0 in rooms:
        w = [v + Q(1, 97) for v in w]  # off the kinks, for these coordinates
        rooms = [abs(1 - m) for m in sample.margins(w)]
    if 0 in rooms:
        return
    # No margin passes 1 within h, so J is quadratic there and central differences are exact.
    h = min(rooms) / (1 + max(abs(v) for x in sample.X for v in x))
    slopes = []
    for k in range(len(w)):
        ahead, behind = ([v + (step if j == k else 0) for j, v in enumerate(w)]
                         for step in (h, -h))
        rise = objective_unhalved(ahead, *sample) - objective_unhalved(behind, *sample)
        slopes.append(rise / (2 * h))
    assert subgradient_unhalved(w, *sample) == slopes
    assert subgradient_unhalved(w, *sample, kink=1) == slopes


@given(samples_and_points(1))
def test_subgradient_of_J_sums_over_the_margins_strictly_below_1(case):
    sample, (w,) = case
    X, y, lam = sample
    inside = [i for i, m in enumerate(sample.margins(w)) if m < 1]
    assert subgradient_unhalved(w, *sample) == [
        exact_sum(-y[i] * X[i][k] for i in inside) / len(X) + 2 * lam * w[k]
        for k in range(len(w))]


@given(samples_and_points(1))
def test_subgradient_of_F_is_the_mean_of_those_of_the_losses(case):
    sample, (w,) = case
    each = [loss.subgradient(w) for loss in losses(*sample)]
    assert subgradient(w, *sample) == [mean(column) for column in zip(*each)]


@given(samples_and_points(1))
def test_subgradient_of_a_loss_is_lam_w_less_the_push(case):
    sample, (w,) = case
    for loss, x, label, h in zip(losses(*sample), sample.X, sample.y, hinges(sample, w)):
        push = [label * v * (h > 0) for v in x]  # the indicator of h > 0: 0 on the kink
        assert loss.push(w) == push
        assert loss.subgradient(w) == [sample.lam * a - v for a, v in zip(w, push)]


@given(samples_and_points(2))
def test_a_loss_is_strongly_convex(case):
    sample, (w, u) = case
    for loss in losses(*sample):
        below = loss.value(w) + inner(loss.subgradient(w), subtract(u, w))
        assert loss.value(u) >= below + sample.lam / 2 * squared_distance(u, w)


@given(samples_and_points(2))
def test_a_loss_is_no_more_than_lam_strongly_convex(case):
    sample, (w, u) = case
    for loss in losses(*sample):
        if loss.push(w) == loss.push(u):  # no kink between: the hinge is a straight line there
            below = loss.value(w) + inner(loss.subgradient(w), subtract(u, w))
            assert loss.value(u) == below + sample.lam / 2 * squared_distance(u, w)


# The optimum


@given(samples())
def test_zero_is_a_subgradient_at_the_minimum_of_F_for_the_multipliers_as_shares(sample):
    X, y, lam = sample
    best, _, alpha = minimum(sample)
    shares = [a * lam * len(X) for a in alpha]  # alpha_i over its bound
    assert subgradient(best, *sample, kink=shares) == [0 * v for v in best]
    for share, m in zip(shares, sample.margins(best)):
        assert share == 1 if m < 1 else share == 0 if m > 1 else 0 <= share <= 1


@given(samples())
def test_minimum_of_F_is_a_sum_over_the_margins_up_to_1(sample):
    X, y, lam = sample
    C = from_mean_hinge_halved(lam, len(X)).C
    problem = Problem(X, y, C=C, bias=False)
    alpha = smo(problem, tol=0).alpha
    S = [i for i, m in enumerate(problem.margins(alpha, 0)) if m <= 1]
    best, _, _ = minimum(sample)
    assert problem.weights(alpha) == best
    assert best == [exact_sum(y[i] * alpha[i] * X[i][k] for i in S) for k in range(len(best))]
    assert all(alpha[i] >= 0 for i in S)
    for i, m in enumerate(sample.margins(best)):
        assert alpha[i] == (C if m < 1 else 0) or m == 1


def test_the_printed_sum_over_positive_hinges_can_be_empty_and_the_minimum_not_zero():
    X, y, lam = [[Q(1)], [Q(-1)]], [1, -1], Q(1, 2)
    problem = Problem(X, y, C=from_mean_hinge_halved(lam, 2).C, bias=False)
    alpha = smo(problem, tol=0).alpha
    assert problem.weights(alpha) == [1]
    assert problem.slacks(alpha, 0) == [0, 0]  # so S as printed is empty
    assert problem.margins(alpha, 0) == [1, 1]


def test_one_step_of_pegasos_lands_on_the_kink_of_both_examples():
    # "Will we ever hit exactly y w.x = 1?" At once, and in floating point, too.
    for one in (1.0, Q(1)):
        w = pegasos([[one], [-one]], [1, -1], 1, [0]).w
        assert [loss.push(w) for loss in losses([[one], [-one]], [1, -1], 1)] == [[0], [0]]
        assert [loss.value(w) for loss in losses([[one], [-one]], [1, -1], 1)] == [one / 2] * 2


@given(samples())
def test_subgradient_of_J_at_its_minimum_is_zero_only_if_no_example_on_a_kink_is_needed(sample):
    # So the length of the subgradient is no test for being there.
    X, y, lam = sample
    best, _, alpha = minimum(Sample(X, y, 2 * lam))
    free = [i for i, m in enumerate(sample.margins(best)) if m == 1]
    missing = [exact_sum(y[i] * alpha[i] * X[i][k] for i in free) for k in range(len(best))]
    g = subgradient_unhalved(best, *sample)
    assert g == [2 * lam * v for v in missing]


def test_subgradient_of_J_at_its_minimum_need_not_be_zero():
    assert subgradient_unhalved([1], [[1], [-1]], [1, -1], Q(1, 4)) == [Q(1, 2)]
    assert minimum(Sample([[Q(1)], [Q(-1)]], [1, -1], Q(1, 2)))[0] == [1]


# The door


@given(samples_and_points(1))
def test_floats_and_fractions_may_be_mixed_and_one_fraction_makes_it_exact(case):
    sample, (w,) = case
    if any(v.denominator & (v.denominator - 1) for x in [w, *sample.X] for v in x):
        return  # only dyadic numbers are floats
    X = [[float(v) for v in x] for x in sample.X]
    floats = [float(v) for v in w]
    for row, label in zip(X, sample.y):
        exact = Loss([Q(v) for v in row], label, sample.lam)
        assert Loss(row, label, sample.lam).value(floats) == exact.value(w)
        assert Loss(row, label, sample.lam).subgradient(floats) == exact.subgradient(w)
    assert objective(floats, X, sample.y, sample.lam) == objective(w, *sample)
    assert subgradient(floats, X, sample.y, sample.lam) == subgradient(w, *sample)


def test_no_zero_of_a_push_is_negative():
    assert [str(v) for v in Loss([-1, 0.0], 1, 1).push([-5, 0])] == ["0.0", "0.0"]


test_bad_arguments_are_refused_with_a_sentence = refusals(
    value_error("w has length 2; the rows have length 1", objective, [1, 2], [[1], [2]], [1, -1],
                1),
    value_error("y[1] is 0; a label must be +1 or -1", objective, [1], [[1], [2]], [1, 0], 1),
    value_error("lam is 0; it must be positive", objective, [1], [[1], [2]], [1, -1], 0),
    value_error("lam is -1; it must be positive", objective_unhalved, [1], [[1], [2]], [1, -1],
                -1),
    value_error("lam is 0; it must be positive", losses, [[1], [2]], [1, -1], 0),
    value_error("X[1] has length 2; every row must have the length of X[0], which is 1", losses,
                [[1], [2, 3]], [1, -1], 1),
    value_error("lam is 0; it must be positive", Loss([1], 1, 0).value, [1]),
    value_error("w has length 2; the rows have length 1", Loss([1], 1, 1).push, [1, 2]),
    value_error("kink is 2.0; it must be from 0 to 1", subgradient, [1], [[1], [2]], [1, -1], 1,
                kink=2),
    value_error("kink[1] is -1.0; it must be from 0 to 1", subgradient, [1], [[1], [2]], [1, -1],
                1, kink=[0, -1]),
    value_error("kink has length 1; there are 2 examples", subgradient, [1], [[1], [2]], [1, -1],
                1, kink=[0]),
)
