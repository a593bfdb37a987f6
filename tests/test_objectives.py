"""The SVM objective as a function of (w, b): what it is, its convexity, and where it has kinks."""

from copy import deepcopy
from fractions import Fraction

from convex_draws import inner, points, positives, small, thirds
from exact import exact_sum, linear_gram, optimum
from hypothesis import given
from hypothesis import strategies as st
from problems import examples
from profiles import draws
from refusing import refusals, value_error

from refsvm.svm.conventions import from_average_slack
from refsvm.svm.problem import Problem
from refsvm.theory.convex_functions import plus, quadratic
from refsvm.theory.regularised_risk import average_hinge, svm_objective
from refsvm.theory.subgradients import (
    directional_derivative,
    disproof,
    is_differentiable,
    is_minimiser,
    jensen_gap,
    slope_interval,
)

F = Fraction


@st.composite
def machines(draw, how_many=1):
    """X, y, c, and so many points [w_1, ..., w_d, b]."""
    X, y = draw(examples(small, (2, 4), (1, 2)))
    of = points(len(X[0]) + 1, thirds)
    return (X, y, draw(positives), *(draw(of) for _ in range(how_many)))


def margins(X, y, machine):
    *w, b = machine
    return [s * (inner(w, x) + b) for x, s in zip(X, y)]


@draws(2/5)
@given(machines(), st.lists(st.fractions(0, 2, max_denominator=3), min_size=4, max_size=4))
def test_the_objective_is_the_constrained_one_at_its_best_slacks(given_, more):
    X, y, c, machine = given_
    before = deepcopy((X, y))
    *w, b = machine
    n = len(X)
    value = svm_objective(X, y, c)(machine)
    slacks = [max(0, 1 - m) for m in margins(X, y, machine)]
    assert value == inner(w, w) / 2 + c / n * exact_sum(slacks)
    assert value == average_hinge(X, y)(w) * c + inner(w, w) / 2 or b != 0
    # The constrained problem: any slacks that are allowed cost as much or more.
    problem = Problem(X, y, C=from_average_slack(c, n).C)
    scores = [inner(w, x) for x in X]
    assert value == problem.primal_value(problem.dual_form(), scores, inner(w, w), [b])
    allowed = [xi + extra for xi, extra in zip(slacks, more)]
    assert all(xi >= 0 and m >= 1 - xi for xi, m in zip(allowed, margins(X, y, machine)))
    assert inner(w, w) / 2 + c / n * exact_sum(allowed) >= value
    assert (X, y) == before


@draws(2/5)
@given(machines(2), st.integers(0, 5))
def test_the_objective_is_convex_in_weights_and_offset_together(given_, fifths):
    X, y, c, p, q = given_
    theta = F(fifths, 5)
    f = svm_objective(X, y, c)
    middle = [theta * u + (1 - theta) * v for u, v in zip(p, q)]
    assert f(middle) <= theta * f(p) + (1 - theta) * f(q)
    assert jensen_gap(f, [p, q], [theta, 1 - theta]) >= 0


@draws(2/5)
@given(machines(2))
def test_the_offset_is_not_penalised_so_moving_all_rows_moves_it_alone(given_):
    X, y, c, (*w, b), (*shift, _) = given_
    moved = [[v + s for v, s in zip(x, shift)] for x in X]
    assert svm_objective(moved, y, c)([*w, b - inner(w, shift)]) == svm_objective(X, y, c)([*w, b])


@st.composite
def on_a_margin(draw):
    """A machine whose offset puts one example's margin, as often as not, exactly on 1."""
    X, y, c, (*w, b), direction = draw(machines(2))
    i = draw(st.integers(0, len(X) - 1))
    touching = y[i] - inner(w, X[i])
    return X, y, c, [*w, draw(st.sampled_from([b, touching]))], direction


@draws(2/5)
@given(on_a_margin())
def test_the_objective_has_kinks_exactly_where_a_margin_is_one(given_):
    X, y, c, machine, direction = given_
    f = svm_objective(X, y, c)
    kinks = [i for i, m in enumerate(margins(X, y, machine)) if m == 1]
    assert is_differentiable(f, machine) == (not kinks)
    # Along a line the slope jumps if an example on its margin is moved by going along it.
    left = -directional_derivative(f, machine, [-v for v in direction])
    right = directional_derivative(f, machine, direction)
    jumps = [inner([*X[i], 1], direction) for i in kinks]
    assert right - left == c / len(X) * exact_sum(abs(v) for v in jumps)
    assert (left != right) == any(jumps)


@draws(2/5)
@given(examples(small, (2, 3), (1, 2)), positives, positives)
def test_zero_is_a_subgradient_at_the_optimum_and_nowhere_else(given_, c, little):
    X, y = given_
    n = len(X)
    best = optimum(linear_gram(X), y, [c / n] * n)
    w = [inner([a * s for a, s in zip(best.alpha, y)], column) for column in zip(*X)]
    f = svm_objective(X, y, c)
    for b in (best.b_low, (best.b_low + best.b_high) / 2, best.b_high):
        assert is_minimiser(f, [*w, b])
        assert f([*w, b]) == best.value
    for machine in ([*w, best.b_low - little], [*w, best.b_high + little],
                    [w[0] + little, *w[1:], best.b_low]):
        assert not is_minimiser(f, machine)
        assert best.value <= f(disproof(f, machine, [0] * len(machine))) < f(machine)


@given(st.lists(st.fractions(-3, 3, max_denominator=2), min_size=1, max_size=1), positives)
def test_without_an_offset_the_average_hinge_has_the_subgradient_written_by_hand(w, lam):
    X, y = [[F(1)], [F(2)], [F(-1)]], [1, -1, 1]
    f = plus(average_hinge(X, y), quadratic([[lam]]))
    low, high = slope_interval(f, w)
    by_hand = [lam * w[0] + F(1, 3) * exact_sum(
        (-s * x[0] if s * w[0] * x[0] < 1 else 0)
        if s * w[0] * x[0] != 1 else end(-s * x[0], 0) for x, s in zip(X, y)
    ) for end in (min, max)]
    assert [low, high] == by_hand


def test_floats_and_fractions_agree_where_nothing_is_rounded():
    X, y = [[1, 2], [3, -1], [0.5, 0.25], [-2, 1]], [1, -1, 1, -1]
    machine = [0.5, -0.25, 1.0]
    value = svm_objective(X, y, 2)(machine)
    assert type(value) is float
    assert value == svm_objective(X, y, F(2))(machine)
    assert svm_objective(X, y, F(2)).kind is Fraction


test_bad_data_is_refused = refusals(
    value_error("..y holds the label +1 only; both classes are needed..", svm_objective,
                [[1], [2]], [1, 1], 1),
    value_error("..y[1] is 0; a label must be +1 or -1..", svm_objective, [[1], [2]], [1, 0], 1),
    value_error("..c is 0; it must be positive..", svm_objective, [[1], [2]], [1, -1], 0),
    value_error("..X[1] has length 2; every row must have the length of X..", svm_objective,
                [[1], [2, 3]], [1, -1], 1),
)
