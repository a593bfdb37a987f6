"""The widest separation is wider than any other, by proof; and what the notes claim of it."""

from fractions import Fraction as Q
from math import inf

import pytest
from cases_by_hand import FOUR_CORNERS, TWO_CLOUDS
from hypothesis import assume, given
from hypothesis import strategies as st
from problems import coordinates
from profiles import draws
from soft_optima import separable, solved, total

from refsvm.kernels.standard import Polynomial
from refsvm.numerics.linalg import add_scaled, dot, scale, squared_norm
from refsvm.numerics.linalg import squared_distance as squared_length_between
from refsvm.numerics.picks import passes
from refsvm.online.perceptron import perceptron, with_constant
from refsvm.solvers.hard_margin import squared_margin_bound, widest
from refsvm.solvers.smo import smo
from refsvm.svm.problem import Problem
from refsvm.theory.hyperplanes import squared_distance
from refsvm.theory.margins import (
    canonical,
    functional_margin,
    functional_margins,
    separates,
    squared_geometric_margins,
)

LINEAR = [("linear",)]
whole = st.integers(-3, 3).map(Q)
planes = separable(kernels=LINEAR)
through_origin = separable(kernels=LINEAR, biases=(False,))


def squared_margin(w, b, X, y):
    """The geometric margin times its size, exactly."""
    return min(squared_geometric_margins(w, b, X, y))


def other_planes(draw, d):
    """Some (w, b) with w not zero."""
    w = draw(st.lists(coordinates, min_size=d, max_size=d).filter(any))
    return w, draw(st.fractions(-4, 4, max_denominator=3))


def of_sign(X, y, label):
    return [x for x, s in zip(X, y) if s == label]


# --- the widest separation --------------------------------------------------------------------


@given(planes, st.data())
def test_no_plane_lies_further_from_both_classes(g, data):
    found = widest(g.X, g.y)
    w, b = other_planes(data.draw, len(g.X[0]))
    assert squared_margin(w, b, g.X, g.y) <= found.squared_margin
    if squared_margin(w, b, g.X, g.y) == found.squared_margin:
        same = canonical(w, b, g.X, g.y)
        assert (same.w, same.b) == (found.w, found.b)
    assert squared_margin(found.w, found.b, g.X, g.y) == found.squared_margin > 0


@given(planes)
def test_the_closest_points_of_both_classes_are_equally_far(g):
    found = widest(g.X, g.y)
    nearest = [
        min(squared_distance(found.w, found.b, x) for x in of_sign(g.X, g.y, s)) for s in (1, -1)
    ]
    assert nearest == [found.squared_margin] * 2
    assert separates(found.w, found.b, g.X, g.y)


@given(planes)
def test_its_smallest_functional_margin_is_1_and_the_closest_have_it(g):
    found = widest(g.X, g.y)
    margins = functional_margins(found.w, found.b, g.X, g.y)
    assert min(margins) == 1
    assert found.closest == [i for i, m in enumerate(margins) if m == 1]
    assert found.squared_margin == 1 / squared_norm(found.w)


@given(planes)
def test_positive_multipliers_have_margin_1_and_make_w(g):
    found = widest(g.X, g.y)
    assert {i for i, a in enumerate(found.alpha) if a > 0} <= set(found.closest)
    assert min(found.alpha) >= 0
    w = [Q(0)] * len(g.X[0])
    for a, s, x in zip(found.alpha, g.y, g.X):
        w = add_scaled(w, a * s, x)
    assert w == found.w
    assert total(a * s for a, s in zip(found.alpha, g.y)) == 0


@given(planes, st.data())
def test_any_plane_with_margins_of_1_has_a_longer_w(g, data):
    found = widest(g.X, g.y)
    turn, shift = other_planes(data.draw, len(g.X[0]))
    w, b = add_scaled(scale(Q(40), found.w), 1, turn), 40 * found.b + shift
    assume(functional_margin(w, b, g.X, g.y) > 0)
    scaled = canonical(w, b, g.X, g.y)
    assert squared_norm(scaled.w) >= squared_norm(found.w)
    # and between the two w the margins stay 1 or more: the shortest is unique
    middle = [(p + q) / 2 for p, q in zip(scaled.w, found.w)]
    assert functional_margin(middle, (scaled.b + found.b) / 2, g.X, g.y) >= 1
    assert squared_norm(middle) < squared_norm(scaled.w) or scaled.w == found.w


@given(planes, st.fractions(Q(1, 4), 4, max_denominator=4))
def test_the_ratio_of_margin_and_length_forgets_the_scale(g, c):
    found = widest(g.X, g.y)
    w, b = scale(c, found.w), c * found.b
    assert functional_margin(w, b, g.X, g.y) == c
    assert squared_margin(w, b, g.X, g.y) == found.squared_margin
    assert functional_margin(w, b, g.X, g.y) ** 2 / squared_norm(w) == found.squared_margin


@given(planes, st.sampled_from([(3, 4), (-5, 12), (8, 15), (1, 0)]), coordinates)
def test_no_unit_vector_has_a_wider_margin(g, legs, b):
    assume(len(g.X[0]) == 2)
    length = {(3, 4): 5, (-5, 12): 13, (8, 15): 17, (1, 0): 1}[legs]
    u = [Q(v, length) for v in legs]
    gamma = functional_margin(u, b, g.X, g.y)
    assert gamma <= 0 or gamma * gamma <= widest(g.X, g.y).squared_margin


def test_unit_vectors_are_no_convex_set_and_shorter_ones_do_no_better():
    u, v = [Q(3, 5), Q(4, 5)], [Q(4, 5), Q(-3, 5)]
    middle = [(p + q) / 2 for p, q in zip(u, v)]
    assert squared_norm(u) == squared_norm(v) == 1 > squared_norm(middle)
    X, y = [[Q(0), Q(0)], [Q(6), Q(8)]], [-1, 1]
    found = widest(X, y)
    assert found.squared_margin == 25
    for c in (Q(1, 3), Q(1, 2), Q(1)):  # |c u| <= 1, with b as good as can be
        assert functional_margin(scale(c, u), -5 * c, X, y) == 5 * c <= 5


# --- nothing is wider: the proof --------------------------------------------------------------


@given(planes, st.data())
def test_multipliers_bound_every_margin_and_those_of_the_optimum_meet_it(g, data):
    problem = Problem(g.X, g.y, C=inf)
    found = widest(g.X, g.y)
    amounts = data.draw(st.lists(st.integers(0, 4).map(Q), min_size=len(g.y), max_size=len(g.y)))
    sums = {s: total(a for a, t in zip(amounts, g.y) if t == s) for s in (1, -1)}
    assume(0 not in sums.values())
    alpha = [a / sums[s] for a, s in zip(amounts, g.y)]
    assert squared_margin_bound(problem, alpha) >= found.squared_margin
    assert squared_margin_bound(problem, found.alpha) == found.squared_margin
    assert squared_margin_bound(problem, scale(Q(7, 3), alpha)) == squared_margin_bound(
        problem, alpha)
    w, b = other_planes(data.draw, len(g.X[0]))
    assert squared_margin(w, b, g.X, g.y) <= squared_margin_bound(problem, alpha)


@given(planes, st.data())
def test_the_bound_is_a_quarter_of_the_squared_distance_between_points_of_the_hulls(g, data):
    sides = [of_sign(g.X, g.y, s) for s in (1, -1)]
    shares = [
        data.draw(st.lists(st.integers(1, 4).map(Q), min_size=len(side), max_size=len(side)))
        for side in sides
    ]
    points = []
    for side, share in zip(sides, shares):
        point = [Q(0)] * len(g.X[0])
        for c, x in zip(share, side):
            point = add_scaled(point, c / total(share), x)
        points.append(point)
    alpha, taken = [], {1: iter(shares[0]), -1: iter(shares[1])}
    for s in g.y:
        alpha.append(next(taken[s]) / total(shares[0 if s > 0 else 1]))
    between = squared_length_between(*points)
    assert 4 * squared_margin_bound(Problem(g.X, g.y, C=inf), alpha) == between


@given(planes)
def test_the_optimum_of_the_dual_is_half_the_squared_length(g):
    problem = Problem(g.X, g.y, C=inf)
    found = widest(g.X, g.y)
    assert problem.dual(found.alpha) == squared_norm(found.w) / 2
    assert total(found.alpha) == squared_norm(found.w) == 1 / found.squared_margin
    assert problem.gap(found.alpha, found.b) == 0


# --- through the origin -----------------------------------------------------------------------


@given(through_origin, st.data())
def test_through_the_origin_no_plane_lies_further_away_either(g, data):
    found = widest(g.X, g.y, bias=False)
    assert found.b == 0
    u = data.draw(st.lists(coordinates, min_size=len(g.X[0]), max_size=len(g.X[0])).filter(any))
    assert squared_margin(u, Q(0), g.X, g.y) <= found.squared_margin
    assert squared_margin(found.w, Q(0), g.X, g.y) == found.squared_margin
    problem = Problem(g.X, g.y, C=inf, bias=False)
    assert squared_margin_bound(problem, found.alpha) == found.squared_margin
    assert {i for i, a in enumerate(found.alpha) if a > 0} <= set(found.closest)
    if squared_margin(u, Q(0), g.X, g.y) == found.squared_margin:
        assert canonical(u, Q(0), g.X, g.y).w == found.w


@given(through_origin)
@draws(3/5)
def test_the_perceptron_finds_a_plane_and_not_a_wider_one(g):
    run = perceptron(g.X, g.y, passes(len(g.X), 30))
    assume(run.converged)
    best = widest(g.X, g.y, bias=False).squared_margin
    assert 0 < squared_margin(run.w, Q(0), g.X, g.y) <= best


@given(through_origin)
def test_unit_separator_and_shortest_w_are_multiples_of_each_other(g):
    found = widest(g.X, g.y, bias=False)
    gamma2 = found.squared_margin
    # u = gamma w has length 1, and its margins are gamma or more: (y w.x)^2 gamma^2 >= gamma^2
    assert gamma2 * squared_norm(found.w) == 1
    margins = functional_margins(found.w, Q(0), g.X, g.y)
    assert all(m * m * gamma2 >= gamma2 and m > 0 for m in margins)
    # and back: the w that belongs to (u, gamma) is the one we came from
    assert scale(1 / gamma2, scale(gamma2, found.w)) == found.w


@given(st.lists(coordinates, min_size=2, max_size=2))
def test_every_w_but_zero_has_a_gamma_with_gamma_times_its_length_1(w):
    if any(w):
        gamma2 = 1 / squared_norm(w)
        assert gamma2 > 0 and gamma2 * squared_norm(w) == 1
        # in a plane of the same normal at distance gamma from two mirrored points, w has margin 1
        X, y = [scale(gamma2, w), scale(-gamma2, w)], [1, -1]
        found = widest(X, y, bias=False)
        assert (found.w, found.squared_margin) == (w, gamma2)
    else:
        assert functional_margin(w, Q(0), [[Q(1), Q(2)], [Q(3), Q(4)]], [1, -1]) == 0


def test_squaring_the_margin_without_gamma_above_0_would_prefer_the_worst_separator():
    X, y = [[Q(1)], [Q(-2)]], [1, -1]
    right, wrong = functional_margin([Q(1)], Q(0), X, y), functional_margin([Q(-1)], Q(0), X, y)
    assert (right, wrong) == (1, -2)
    assert wrong * wrong > right * right
    assert widest(X, y, bias=False).w == [1]


def test_a_constant_feature_is_no_offset():
    X = [[Q(v) for v in x] for x in ((10, 8), (10, 6), (1, 3), (3, 3), (0, 10))]
    y = [1, 1, -1, -1, -1]
    free = widest(X, y)
    for size, closer in ((1, Q(11, 10)), (100, Q(379, 100))):
        charged = widest(with_constant(X, size), y, bias=False)
        w, b = charged.w[:-1], charged.w[-1] * size
        assert separates(w, b, X, y)
        assert squared_margin(w, b, X, y) < free.squared_margin
        assert (squared_margin(w, b, X, y) > closer * closer) == (size == 100)


# --- what is removed, what is added -----------------------------------------------------------


@given(planes, st.booleans())
def test_examples_that_are_not_closest_can_be_left_out(g, by_alpha):
    found = widest(g.X, g.y)
    kept = [i for i, a in enumerate(found.alpha) if a > 0] if by_alpha else found.closest
    again = widest([g.X[i] for i in kept], [g.y[i] for i in kept])
    assert again.squared_margin == found.squared_margin
    assert (again.w, again.b) == (found.w, found.b)


@given(through_origin)
def test_through_the_origin_examples_that_are_not_closest_can_be_left_out_too(g):
    found = widest(g.X, g.y, bias=False)
    X, y = [g.X[i] for i in found.closest], [g.y[i] for i in found.closest]
    assume(len(set(y)) == 2)  # a Problem has both classes
    assert widest(X, y, bias=False).w == found.w


@given(planes, st.data())
def test_an_example_beyond_its_margin_changes_nothing(g, data):
    found = widest(g.X, g.y)
    x = data.draw(st.lists(coordinates, min_size=len(g.X[0]), max_size=len(g.X[0])))
    label = data.draw(st.sampled_from([1, -1]))
    missing = 1 - label * (dot(found.w, x) + found.b)
    if missing > 0:  # moved along w until its margin is 1
        x = add_scaled(x, label * missing / squared_norm(found.w), found.w)
    again = widest([*g.X, x], [*g.y, label])
    assert (again.w, again.b) == (found.w, found.b)


@given(planes)
def test_few_of_the_closest_are_enough(g):
    found = widest(g.X, g.y)
    d = len(g.X[0])
    X, y = [g.X[i] for i in found.closest], [g.y[i] for i in found.closest]
    while len(y) > d + 1:  # one of them can always go, by Caratheodory's theorem
        without = [(X[:k] + X[k + 1 :], y[:k] + y[k + 1 :]) for k in range(len(y))]
        enough = [(P, s) for P, s in without if len(set(s)) == 2 and widest(P, s).w == found.w]
        assert enough
        X, y = enough[0]
    assert widest(X, y).w == found.w


def test_closest_points_need_no_multiplier_and_multipliers_are_not_unique():
    found = widest([[1, 0], [1, 1], [-1, 0]], [1, 1, -1])
    assert found.closest == [0, 1, 2] and found.alpha == [0.5, 0, 0.5]
    problem = Problem(FOUR_CORNERS, [1, 1, -1, -1], C=inf)
    for alpha in ([Q(1, 4)] * 4, [Q(1, 2), 0, Q(1, 2), 0]):
        assert problem.weights(alpha) == [1, 0] and problem.gap(alpha, 0) == 0


def test_one_outlier_swings_the_plane_and_narrows_the_gap():
    y = [1, 1, 1, -1, -1]
    calm = widest(TWO_CLOUDS, y)
    swung = widest([*TWO_CLOUDS, [Q(-3, 2), Q(-1)]], [*y, 1])
    assert (calm.squared_margin, swung.squared_margin) == (8, Q(5, 16))
    assert calm.w[0] == calm.w[1] and 2 * swung.w[0] == swung.w[1]
    # with a penalty on slack the outlier is overruled: its plane still separates the clouds alike
    problem = Problem([*TWO_CLOUDS, [Q(-3, 2), Q(-1)]], [*y, 1], C=Q(1, 16))
    soft = problem.weights(solved(problem).alpha)
    turn = {name: squared_sine(w, calm.w) for name, w in (("hard", swung.w), ("soft", soft))}
    assert turn["hard"] == Q(1, 10) and turn["soft"] < turn["hard"]
    assert squared_norm(soft) < squared_norm(swung.w)


def squared_sine(v, w):
    """The square of the sine of the angle between two vectors."""
    return 1 - dot(v, w) ** 2 / (squared_norm(v) * squared_norm(w))


# --- where there is none ----------------------------------------------------------------------


@st.composite
def inseparable(draw):
    """Examples of which two of different classes are one point, or one lies between others."""
    X = draw(st.lists(st.lists(whole, min_size=2, max_size=2), min_size=2, max_size=4))
    y = draw(st.lists(st.sampled_from([1, -1]), min_size=len(X), max_size=len(X)))
    t, label = draw(st.sampled_from([Q(0), Q(1, 2), Q(1, 3)])), y[0]
    y[1] = label
    between = [(1 - t) * p + t * q for p, q in zip(X[0], X[1])]
    return [*X, between], [*y, -label]


@given(inseparable(), st.data())
def test_without_separation_every_plane_has_a_margin_that_is_not_positive(g, data):
    X, y = g
    w, b = other_planes(data.draw, 2)
    assert functional_margin(w, b, X, y) <= 0
    with pytest.raises(ValueError) as caught:
        widest(X, y)
    assert str(caught.value).startswith("the classes cannot be separated: the rows ")
    solution = smo(Problem(X, y, C=inf).to(Q), tol=0)
    assert solution.status == "infeasible"
    assert total(q * s for q, s in zip(solution.farkas, y)) == 0
    assert max(solution.farkas) > 0


def test_the_margins_may_all_be_zero_or_more_though_nothing_separates():
    X, y = [[0], [0], [1], [-1]], [1, -1, 1, -1]
    assert functional_margins([1], 0, X, y) == [0, 0, 1, 1]
    assert functional_margins([0], 0, X, y) == [0] * 4
    with pytest.raises(ValueError, match="cannot be separated"):
        widest(X, y)


@given(inseparable(), st.integers(1, 6))
def test_without_separation_the_dual_has_no_bound(g, t):
    X, y = g
    problem = Problem(X, y, C=inf).to(Q)
    q = smo(problem, tol=0).farkas
    assert problem.dual(scale(Q(t), q)) == t * total(q) > 0


def test_points_apart_only_with_an_offset_have_no_plane_through_the_origin():
    X, y = [[Q(1)], [Q(2)]], [1, -1]
    found = widest(X, y)
    assert (found.w, found.b, found.alpha, found.squared_margin) == ([-2], 3, [2, 2], Q(1, 4))
    with pytest.raises(ValueError, match="rows 0, 1 with weights 2, 1 cancel"):
        widest(X, y, bias=False)
    free = Problem(X, y, C=inf, bias=False)
    assert [free.dual([2 * t, t]) for t in (1, 2, 50)] == [3, 6, 150]


# --- soft and hard, with and without offset ----------------------------------------------------


@given(planes)
def test_given_its_slack_the_soft_w_is_the_shortest(g):
    problem = Problem(g.X, g.y, C=Q(1, 3))
    soft = solved(problem)
    slacks, w = problem.slacks(soft.alpha, soft.b), problem.weights(soft.alpha)
    assert all(m >= 1 - xi for m, xi in zip(problem.margins(soft.alpha, soft.b), slacks))
    # whatever (v, c) keeps these slacks: |w|^2 = sum alpha_i (1 - xi_i) <= w.v <= |w| |v|
    assert total(a * (1 - xi) for a, xi in zip(soft.alpha, slacks)) == squared_norm(w)
    v = widest(g.X, g.y)
    assert dot(w, v.w) >= squared_norm(w)  # its margins are 1 or more: it needs no slack at all
    assert squared_norm(v.w) >= squared_norm(w)


@given(planes)
def test_slack_at_a_penalty_above_all_multipliers_is_not_bought(g):
    hard = widest(g.X, g.y)
    problem = Problem(g.X, g.y, C=max(hard.alpha))
    soft = solved(problem)
    assert problem.weights(soft.alpha) == hard.w
    assert soft.b_low <= hard.b <= soft.b_high
    assert problem.primal(soft.alpha, hard.b) == squared_norm(hard.w) / 2


@given(planes, st.lists(coordinates, min_size=2, max_size=2))
def test_moving_all_points_moves_the_plane_and_keeps_the_multipliers(g, shift):
    shift = shift[: len(g.X[0])]
    found = widest(g.X, g.y)
    moved = widest([[v + s for v, s in zip(x, shift)] for x in g.X], g.y)
    assert moved.w == found.w
    assert moved.b == found.b - dot(found.w, shift)
    assert Problem(g.X, g.y, C=inf).gap(moved.alpha, found.b) == 0


@given(separable(), st.data())
def test_each_support_vector_gives_the_offset(g, data):
    problem = Problem(g.X, g.y, g.kernel, C=inf)
    solution = solved(problem)
    beta = problem.beta(solution.alpha)
    scores = [total(c * g.K[i][j] for j, c in enumerate(beta)) for i in range(problem.n)]
    for i, a in enumerate(solution.alpha):
        assert a == 0 or g.y[i] * (scores[i] + solution.b) == 1
        assert a == 0 or g.y[i] - scores[i] == solution.b
        assert solution.b_low == solution.b_high == solution.b


def test_xor_has_no_plane_and_a_kernel_finds_one():
    X, y = [[1, 1], [1, -1], [-1, 1], [-1, -1]], [1, -1, -1, 1]
    with pytest.raises(ValueError, match="cannot be separated"):
        widest(X, y)
    problem = Problem(X, y, Polynomial(2, coef0=Q(1)), C=inf)
    solution = solved(problem)
    assert solution.alpha == [Q(1, 8)] * 4 and solution.b == 0
    assert problem.margins(solution.alpha, 0) == [1] * 4
    assert squared_margin_bound(problem, solution.alpha) == 2


@given(planes)
@draws(3/10)
def test_floats_are_solved_exactly_and_rounded_once(g):
    X = [[float(v) + 0.1 for v in x] for x in g.X]
    try:
        exact = widest([[Q(v) for v in x] for x in X], g.y)
    except ValueError:
        return
    kept = [list(x) for x in X]
    found = widest(X, g.y)
    assert found.w == [float(v) for v in exact.w] and found.b == float(exact.b)
    assert found.closest == exact.closest and X == kept
    assert found.squared_margin == float(exact.squared_margin)


@pytest.mark.parametrize("call, message", [
    (lambda: squared_margin_bound(Problem([[0], [1]], [1, -1]), [0, 0]),
     "alpha is zero everywhere"),
    (lambda: squared_margin_bound(Problem([[0], [1]], [1, -1]), [1, -1]),
     "alpha[1] is -1.0; it must not be negative"),
    (lambda: squared_margin_bound(Problem([[0], [1]], [1, -1]), [1, 2]),
     "sum alpha_i y_i is -1.0; with an offset it must be 0"),
    (lambda: widest([[0], [1]], [1, 1]), "y holds the label +1 only"),
    (lambda: widest([[1], [1]], [1, -1]),
     "the classes cannot be separated: the rows 0, 1 with weights 1, 1 cancel"),
])
def test_a_refusal_names_argument_place_value_and_rule(call, message):
    with pytest.raises(ValueError) as caught:
        call()
    assert str(caught.value).startswith(message)
