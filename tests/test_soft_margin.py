"""What the notes claim of the soft margin's optimum, on optima that are exact."""

from fractions import Fraction as Q
from math import inf

import exact
import pytest
from cases_by_hand import F14, FOUR_CORNERS, TWO_CLOUDS, rows
from hypothesis import assume, given
from hypothesis import strategies as st
from problems import arbitrary, coordinates, feasible, offsets, penalties
from profiles import draws
from soft_optima import hinges, separable, solved, squared_length, total, with_penalty

from refsvm.kernels.standard import Polynomial
from refsvm.solvers.smo import smo
from refsvm.svm.conventions import (
    from_average_slack,
    from_mean_hinge,
    from_mean_hinge_halved,
    from_sum_hinge_halved,
    from_sum_of_slacks,
)
from refsvm.svm.model import Model
from refsvm.svm.problem import Problem
from refsvm.svm.support_vectors import adversary, places, support_vectors
from refsvm.theory.regularised_risk import primal_at

linear = (("linear",),)
with_rows = (("linear",), ("polynomial", 2, 1, 1))
constants = st.fractions(Q(1, 12), 12, max_denominator=12)


def slack_sum(problem, found):
    return total(problem.slacks(found.alpha, found.b))


def errors(problem, found):
    """How many training examples the machine decides wrongly; +1 is said where f is 0."""
    decided = found.model().predictions(problem.X)
    return len([1 for d, y in zip(decided, problem.y) if d != y])


def distance2(problem, alpha, other):
    """|w - w'|^2 in feature space, for two alphas of one problem."""
    return squared_length(problem, [a - b for a, b in zip(alpha, other)])


def keep(g, indices):
    """The Given with these examples alone."""
    X, y, C = ([values[i] for i in indices] for values in (g.X, g.y, g.C))
    assume(len(set(y)) == 2)
    return g._replace(X=X, y=y, C=C)


# The program and its dual


@draws(2/5)
@given(st.data(), hinges(), offsets)
def test_an_example_short_of_its_margin_by_xi_costs_C_xi(data, g, b):
    """1/2 |w|^2 + sum C_i xi_i, with the least slack that the margins allow."""
    alpha, b = data.draw(arbitrary(g)), b if g.bias else Q(0)
    problem, before = g.problem(), list(alpha)
    beta = [a * y for a, y in zip(alpha, g.y)]
    margins = [y * (s + b) for y, s in zip(g.y, exact.times(g.K, beta))]
    xi = [1 - m if m < 1 else 0 for m in margins]
    assert problem.slacks(alpha, b) == xi
    cost = total(c * v for c, v in zip(g.C, xi))
    assert problem.primal(alpha, b) == exact.quadratic(g.K, beta) / 2 + cost
    assert alpha == before and problem.X == g.problem().X


@draws(2/5)
@given(st.data(), hinges(), st.lists(st.fractions(0, 2), min_size=6, max_size=6))
def test_slack_beyond_the_hinge_only_costs(data, g, more):
    """So minimising over w, b and xi is minimising the hinge losses over w and b."""
    alpha, b = data.draw(feasible(g)), data.draw(offsets) if g.bias else Q(0)
    problem = g.problem()
    allowed = [xi + m for xi, m in zip(problem.slacks(alpha, b), more)]
    assert all(m >= 1 - xi for m, xi in zip(problem.margins(alpha, b), allowed))
    cost = squared_length(problem, alpha) / 2 + total(c * xi for c, xi in zip(g.C, allowed))
    assert cost >= problem.primal(alpha, b)
    assert (cost == problem.primal(alpha, b)) == (not any(more[: len(g.y)]))


@draws(2/5)
@given(st.data(), hinges())
def test_the_best_of_the_dual_is_the_least_of_the_primal(data, g):
    """Feasible alphas are below, machines above, and the solution is in both."""
    problem, found = g.problem(), solved(g.problem())
    alpha = data.draw(feasible(g))
    b = data.draw(offsets) if g.bias else Q(0)
    assert problem.dual(alpha) <= found.objective <= problem.primal(alpha, b)
    assert problem.dual(found.alpha) == found.objective == problem.primal(found.alpha, found.b)
    assert all(0 <= a <= c for a, c in zip(found.alpha, g.C))
    assert not g.bias or total(a * y for a, y in zip(found.alpha, g.y)) == 0


@draws(2/5)
@given(hinges(most=4))
def test_the_optimum_is_the_one_found_by_trying_everything(g):
    assert solved(g.problem()).objective == exact.optimum(*g.for_the_judge).value


@draws(2/5)
@given(hinges())
def test_the_multipliers_add_up_to_the_squared_length_and_the_penalty_of_slack(g):
    problem, found = g.problem(), solved(g.problem())
    slack = total(c * xi for c, xi in zip(g.C, problem.slacks(found.alpha, found.b)))
    assert total(found.alpha) == squared_length(problem, found.alpha) + slack


@draws(2/5)
@given(hinges(kernels=linear))
def test_the_weights_are_the_sum_of_the_rows_times_alpha_and_label(g):
    problem, found = g.problem(), solved(g.problem())
    beta = [a * y for a, y in zip(found.alpha, g.y)]
    w = [exact.inner(beta, column) for column in zip(*g.X)]
    assert problem.weights(found.alpha) == w == found.model().w
    assert primal_at(problem, w, found.b) == found.objective


@draws(2/5)
@given(st.data(), hinges(kernels=linear))
def test_inner_products_with_the_support_vectors_decide_as_the_weights_do(data, g):
    problem, found = g.problem(), solved(g.problem())
    points = data.draw(st.lists(
        st.lists(coordinates, min_size=len(g.X[0]), max_size=len(g.X[0])), min_size=1, max_size=4
    ))
    by_weights = found.model()
    assert by_weights.w == problem.weights(found.alpha)
    holding = support_vectors(found.alpha)
    by_products = Model(
        found.b, [found.alpha[i] * g.y[i] for i in holding], [g.X[i] for i in holding],
        Polynomial(1, Q(1), Q(0)), None,
    )
    everybody = [
        total(a * y * exact.inner(x, z) for a, y, x in zip(found.alpha, g.y, g.X)) + found.b
        for z in points
    ]
    assert by_weights.decisions(points) == everybody == by_products.decisions(points)
    assert by_weights.coef == by_products.coef and by_weights.vectors == by_products.vectors


def test_a_point_on_the_plane_is_predicted_plus_1():
    model = solved(Problem([[Q(1)], [-1]], [1, -1], C=Q(1))).model()
    assert (model.decision([0]), model.predict([0])) == (0, 1)


# Which problems have a solution


@draws(2/5)
@given(st.data(), hinges(most=4), constants)
def test_with_slack_every_data_set_has_a_finite_optimum(data, g, lam):
    problem = g.problem(C=[from_sum_hinge_halved(lam).C] * len(g.y))
    assert 0 < solved(problem).objective <= problem.C[0] * len(g.y)
    hard = smo(g.problem(C=[inf] * len(g.y)), tol=0)
    assert (hard.status == "optimal") == exact.is_separable(g.K, g.y, g.bias)


def test_four_corners_crossed_have_no_hard_margin_but_a_soft_one():
    y = [1, -1, -1, 1]
    assert smo(Problem(FOUR_CORNERS, y, C=inf)).status == "infeasible"
    assert solved(Problem(FOUR_CORNERS, y, C=Q(3))).objective == 12


# The path in C


@draws(2/5)
@given(hinges(), constants, constants)
def test_as_C_grows_the_weights_grow_and_the_slack_shrinks(g, C, D):
    C, D = min(C, D), max(C, D)
    less, more = with_penalty(g, C), with_penalty(g, D)
    assert squared_length(less[0], less[1].alpha) <= squared_length(more[0], more[1].alpha)
    assert slack_sum(*less) >= slack_sum(*more)


@draws(2/5)
@given(hinges(), constants, constants)
def test_as_lambda_grows_the_weights_shrink_and_the_slack_grows(g, lam, mu):
    lam, mu = min(lam, mu), max(lam, mu)
    less, more = (with_penalty(g, from_sum_hinge_halved(v).C) for v in (lam, mu))
    assert squared_length(less[0], less[1].alpha) >= squared_length(more[0], more[1].alpha)
    assert slack_sum(*less) <= slack_sum(*more)


@draws(2/5)
@given(hinges(), constants, constants)
def test_the_optimal_value_rises_with_C_and_ever_more_slowly(g, C, D):
    low, high, middle = (with_penalty(g, c)[1].objective for c in (C, D, (C + D) / 2))
    assert low == high or (C < D) == (low < high)
    assert middle >= (low + high) / 2


@draws(2/5)
@given(hinges(), constants)
def test_the_weights_are_no_longer_than_C_times_the_longest_row(g, C):
    """With C times the average slack: so w goes to 0 with C."""
    problem, found = with_penalty(g, from_average_slack(C, len(g.y)).C)
    longest = max(g.K[i][i] for i in range(len(g.y)))
    assert squared_length(problem, found.alpha) <= C * C * longest
    assert squared_length(problem, found.alpha) <= C


@draws(2/5)
@given(hinges(biases=(False,)), constants)
def test_the_weights_are_no_longer_than_the_longest_row_over_lambda(g, lam):
    problem, found = with_penalty(g, from_mean_hinge_halved(lam, len(g.y)).C)
    longest = max(g.K[i][i] for i in range(len(g.y)))
    assert squared_length(problem, found.alpha) <= longest / (lam * lam)


@draws(2/5)
@given(separable(biases=(True, False)), constants)
def test_without_slack_at_the_optimum_the_soft_margin_is_the_hard_one(g, C):
    """And that is so if and only if a hard solution has no multiplier above C."""
    hard_problem, hard = g.problem(), solved(g.problem())
    problem, soft = with_penalty(g, C)
    if slack_sum(problem, soft) == 0:
        assert hard_problem.gap(soft.alpha, soft.b) == 0
        assert max(soft.alpha) <= C
        assert distance2(problem, soft.alpha, hard.alpha) == 0
        assert soft.b == hard.b
    else:
        assert max(hard.alpha) > C
        assert squared_length(problem, soft.alpha) < squared_length(problem, hard.alpha)
        assert soft.objective < hard.objective


@draws(2/5)
@given(separable(biases=(True, False)), st.fractions(1, 3))
def test_the_hard_solution_solves_every_soft_margin_whose_C_it_does_not_exceed(g, more):
    hard = solved(g.problem())
    problem, soft = with_penalty(g, more * max(hard.alpha))
    assert problem.gap(hard.alpha, hard.b) == 0
    assert slack_sum(problem, soft) == 0
    assert distance2(problem, soft.alpha, hard.alpha) == 0
    assert soft.b_low == soft.b_high == hard.b


@draws(2/5)
@given(constants)
def test_separable_data_do_not_mean_that_there_is_no_slack(C):
    """F1: w is 2C up to C = 1/2, and 1 from there on."""
    problem = Problem([[Q(1)], [-1]], [1, -1], C=C)
    found = solved(problem)
    assert problem.weights(found.alpha) == [min(2 * C, 1)]
    assert problem.slacks(found.alpha, found.b)[0] + problem.slacks(found.alpha, found.b)[1] == (
        2 * max(0, 1 - 2 * C)
    )
    assert found.objective == (2 * C - 2 * C * C if C < Q(1, 2) else Q(1, 2))


# Training errors, margin errors


@draws(2/5)
@given(st.data(), hinges(hard=True), offsets)
def test_slack_tells_on_which_side_an_example_is(data, g, b):
    alpha, b = data.draw(arbitrary(g)), b if g.bias else Q(0)
    problem = g.problem()
    for place, xi in zip(places(problem, alpha, b), problem.slacks(alpha, b)):
        assert (0 < xi) == (place.side == "inside")
        assert (xi < 1) == (place.decision == "right")
        assert (xi == 1) == (place.decision == "undecided")
        assert (xi > 1) == (place.decision == "wrong")


@draws(2/5)
@given(st.data(), hinges(), offsets)
def test_there_are_no_more_training_errors_than_slack(data, g, b):
    alpha, b = data.draw(feasible(g)), b if g.bias else Q(0)
    found = places(g.problem(), alpha, b)
    wrong = len([1 for place in found if place.decision != "right"])
    assert wrong <= total(g.problem().slacks(alpha, b))


def test_training_errors_may_become_fewer_as_lambda_grows():
    """F14: two errors at lambda = 3, one at 5. And w may stay as it is from 3 to 7/2."""
    X, y = F14
    paths = [Problem(X, y, C=from_sum_hinge_halved(Q(v)).C) for v in ("3", "7/2", "5")]
    found = [solved(problem) for problem in paths]
    assert [errors(*pair) for pair in zip(paths, found)][::2] == [2, 1]
    weights = [problem.weights(f.alpha) for problem, f in zip(paths, found)]
    assert weights[0] == weights[1] == [Q(2, 7)]
    assert [slack_sum(*pair) for pair in zip(paths, found)] == sorted(
        slack_sum(*pair) for pair in zip(paths, found)
    )


# What the penalty limits


@draws(2/5)
@given(hinges(), constants)
def test_no_multiplier_is_above_1_over_lambda(g, lam):
    """Larger lambda, smaller limit: lambda alpha is from 0 to 1, and 1 where there is slack."""
    problem, found = with_penalty(g, from_sum_hinge_halved(lam).C)
    assert all(0 <= lam * a <= 1 for a in found.alpha)
    for a, m in zip(found.alpha, problem.margins(found.alpha, found.b)):
        assert lam * a == 1 or m >= 1
        assert a == 0 or m <= 1


def test_a_larger_lambda_may_make_a_multiplier_larger():
    """F12: from lambda = 4 to 6 and 8 the third goes from 0 to 1/24 and 1/16."""
    third = [
        solved(Problem([[Q(1)], [-1], [2], [-2]], [1, -1, 1, -1], C=1 / Q(lam))).alpha[2]
        for lam in (4, 6, 8)
    ]
    assert third == [0, Q(1, 24), Q(1, 16)]


@draws(2/5)
@given(hinges(biases=(False,), kernels=with_rows), constants, st.data())
def test_taking_an_example_away_moves_w_by_no_more_than_its_penalty_times_its_length(g, C, data):
    """Without offset, whatever the example is."""
    g = g._replace(C=[C] * len(g.y))
    i = data.draw(st.integers(0, len(g.y) - 1))
    others = [j for j in range(len(g.y)) if j != i]
    problem, found = g.problem(), solved(g.problem())
    without = solved(keep(g, others).problem()).alpha
    without.insert(i, Q(0))
    assert distance2(problem, found.alpha, without) <= C * C * g.K[i][i]


@draws(2/5)
@given(hinges(biases=(False,)), constants, st.data())
def test_a_change_of_one_penalty_moves_w_by_no_more_than_the_change_times_the_length(g, C, data):
    i = data.draw(st.integers(0, len(g.y) - 1))
    changed = [*g.C[:i], C, *g.C[i + 1 :]]
    before, after = solved(g.problem()), solved(g.problem(C=changed))
    limit = (C - g.C[i]) * (C - g.C[i]) * g.K[i][i]
    assert distance2(g.problem(), before.alpha, after.alpha) <= limit


@draws(2/5)
@given(st.fractions(Q(1, 100), Q(1, 2)))
def test_without_slack_a_short_example_may_move_w_as_far_as_it_likes(x):
    """Without offset: x = 1 and -1 give w = 1; a third example at x makes it 1 / x."""
    three = [[Q(1)], [Q(-1)], [x]], [1, -1, 1]
    hard = Problem(*three, C=inf, bias=False)
    assert hard.weights(solved(hard).alpha) == [1 / x]
    soft = Problem(*three, C=Q(1, 2), bias=False)
    assert soft.weights(solved(soft).alpha)[0] <= 1 + x / 2


def test_an_outlier_turns_a_soft_margin_less_than_a_hard_one():
    """F10: alone the clouds give the direction (1, 1). The cosines squared with it, exactly."""
    X, y = TWO_CLOUDS + rows((Q(-3, 2), -1)), [1, 1, 1, -1, -1, 1]

    def cosine2(C):
        problem = Problem(X, y, C=C)
        w = problem.weights(solved(problem).alpha)
        return (w[0] + w[1]) ** 2 / (2 * exact.inner(w, w))

    assert cosine2(inf) == Q(9, 10)
    assert cosine2(Q(1, 16)) > Q(99, 100) > cosine2(inf)


# Which examples matter


@draws(2/5)
@given(hinges(kernels=with_rows))
def test_examples_with_alpha_0_may_be_dropped_if_the_penalty_is_kept(g):
    found = solved(g.problem())
    holding = support_vectors(found.alpha)
    fewer = keep(g, holding).problem()
    alpha = [found.alpha[i] for i in holding]
    assert fewer.gap(alpha, found.b) == 0
    again = solved(fewer)
    assert again.objective == found.objective
    assert distance2(fewer, again.alpha, alpha) == 0
    assert again.b_low <= found.b_low and found.b_high <= again.b_high


def test_dropping_them_changes_w_if_the_penalty_is_an_average_over_fewer():
    X, y = [[Q(1)], [-1], [9], [-9]], [1, -1, 1, -1]
    four = Problem(X, y, C=from_average_slack(Q(1), 4).C)
    two = Problem(X[:2], y[:2], C=from_average_slack(Q(1), 2).C)
    assert Problem(X[:2], y[:2], C=Q(1, 4)).weights([Q(1, 4), Q(1, 4)]) == [Q(1, 2)]
    assert support_vectors(solved(four).alpha) == [0, 1]
    assert four.weights(solved(four).alpha) == [Q(1, 2)]
    assert two.weights(solved(two).alpha) == [1]


@draws(2/5)
@given(hinges(biases=(False,)), constants)
def test_without_offset_alpha_is_a_slope_of_the_hinge_over_lambda_m(g, lam):
    """alpha_t = p_t / (lambda m): p_t is 1 where there is slack, 0 beyond the margin."""
    m = len(g.y)
    problem, found = with_penalty(g, from_mean_hinge_halved(lam, m).C)
    for a, margin in zip(found.alpha, problem.margins(found.alpha, Q(0))):
        p = a * lam * m
        assert 0 <= p <= 1
        assert p == 1 or margin >= 1
        assert p == 0 or margin <= 1


def test_the_examples_with_slack_alone_do_not_make_w():
    """One example on its margin: no slack anywhere, and yet w is not 0."""
    problem = Problem([[Q(1)], [-1]], [1, -1], C=Q(1, 2), bias=False)
    found = solved(problem)
    assert problem.slacks(found.alpha, 0) == [0, 0]
    assert problem.weights(found.alpha) == [1]
    assert support_vectors(found.alpha) == [0, 1]


# What the texts call C


@draws(2/5)
@given(hinges(kernels=linear), constants, st.integers(2, 3))
def test_repeating_the_data_changes_nothing_in_an_averaged_form(g, v, times):
    for convert in (from_average_slack, from_mean_hinge, from_mean_hinge_halved):
        again = g._replace(X=g.X * times, y=g.y * times, C=g.C * times)
        one, one_found = with_penalty(g, convert(v, len(g.y)).C)
        many, many_found = with_penalty(again, convert(v, len(again.y)).C)
        assert one.weights(one_found.alpha) == many.weights(many_found.alpha)
        assert (one_found.b_low, one_found.b_high) == (many_found.b_low, many_found.b_high)


@draws(2/5)
@given(hinges(kernels=linear), constants, st.integers(2, 3))
def test_repeating_the_data_multiplies_C_in_a_summed_form(g, v, times):
    for convert in (from_sum_of_slacks, from_sum_hinge_halved):
        again = g._replace(X=g.X * times, y=g.y * times, C=g.C * times)
        one, one_found = with_penalty(g, times * convert(v).C)
        many, many_found = with_penalty(again, convert(v).C)
        assert one.weights(one_found.alpha) == many.weights(many_found.alpha)


def test_a_repeated_pair_under_five_conventions():
    """F1 twice over: averaged forms stay at w = 1/5, summed forms go from 1/5 to 2/5."""
    X, y = [[Q(1)], [-1]], [1, -1]

    def weight(times, C):
        problem = Problem(X * times, y * times, C=C)
        return problem.weights(solved(problem).alpha)[0]

    for convert, constant in (
        (from_average_slack, Q(1, 5)), (from_mean_hinge, Q(5, 2)),
        (from_mean_hinge_halved, Q(5)),
    ):
        assert [weight(r, convert(constant, 2 * r).C) for r in (1, 2)] == [Q(1, 5)] * 2
    for convert, constant in ((from_sum_of_slacks, Q(1, 10)), (from_sum_hinge_halved, Q(10))):
        assert [weight(r, convert(constant).C) for r in (1, 2)] == [Q(1, 5), Q(2, 5)]


@draws(2/5)
@given(st.data(), hinges(kernels=linear), constants, offsets)
def test_no_machine_has_less_of_the_lambda_form_than_the_converted_one(data, g, lam, b):
    """lambda/2 |w|^2 + sum of hinge losses is least where C = 1 / lambda; lambda times as much."""
    C, scale = from_sum_hinge_halved(lam)
    problem, found = with_penalty(g, C)
    w = problem.weights(found.alpha)

    def theirs(w, b):
        losses = [max(0, 1 - y * (exact.inner(w, x) + b)) for x, y in zip(g.X, g.y)]
        return lam / 2 * exact.inner(w, w) + total(losses)

    best = theirs(w, found.b)
    assert best == scale * found.objective == lam * problem.dual(found.alpha)
    other = data.draw(st.lists(coordinates, min_size=len(w), max_size=len(w)))
    assert theirs(other, b if g.bias else Q(0)) >= best
    assert scale == lam and C == 1 / lam


@draws(2/5)
@given(st.data(), hinges(biases=(False,), kernels=linear), constants)
def test_no_machine_has_less_mean_hinge_than_the_converted_one(data, g, lam):
    """J with lambda |w|^2 is the averaged form with c = 1 / (2 lambda); F has lambda/2 |w|^2."""
    n = len(g.y)
    assert from_mean_hinge(lam, n).C == from_average_slack(1 / (2 * lam), n).C
    assert from_mean_hinge_halved(2 * lam, n).C == from_mean_hinge(lam, n).C
    problem, found = with_penalty(g, from_mean_hinge(lam, n).C)
    w = problem.weights(found.alpha)

    def J(w):
        losses = [max(0, 1 - y * exact.inner(w, x)) for x, y in zip(g.X, g.y)]
        return total(losses) / n + lam * exact.inner(w, w)

    assert J(w) == from_mean_hinge(lam, n).scale * found.objective
    assert J(data.draw(st.lists(coordinates, min_size=len(w), max_size=len(w)))) >= J(w)


@draws(2/5)
@given(hinges(), penalties)
def test_the_dual_as_printed_is_that_of_C_1_over_lambda_not_of_the_lambda_form(g, lam):
    """With a = lambda alpha the lambda form's own dual is sum a - 1/(2 lambda) a' Q a, a <= 1."""
    problem, found = with_penalty(g, 1 / lam)
    a = [lam * v for v in found.alpha]
    own_dual = total(a) - squared_length(problem, a) / (2 * lam)
    primal = lam * problem.primal(found.alpha, found.b)
    assert own_dual == primal == lam * problem.dual(found.alpha)
    assert (problem.dual(found.alpha) == primal) == (lam == 1)


@pytest.mark.parametrize("lam, primal, dual", [
    (Q(1, 4), Q(3, 2), 6), (Q(1), Q(15, 8), Q(15, 8)), (Q(4), Q(63, 32), Q(63, 128)),
])
def test_the_two_values_of_f11(lam, primal, dual):
    C, scale = from_sum_hinge_halved(lam)
    problem = Problem([[Q(1)], [-1], [Q(1, 2)], [-2]], [1, -1, -1, -1], C=C)
    found = solved(problem)
    assert (scale * problem.primal(found.alpha, found.b), problem.dual(found.alpha)) == (
        primal, dual
    )


@pytest.mark.parametrize("convert", [
    from_sum_hinge_halved, lambda v: from_mean_hinge_halved(v, 4), lambda v: from_mean_hinge(v, 4),
])
def test_a_lambda_that_is_not_positive_is_refused(convert):
    for lam in (0, -1, Q(-1, 2)):
        with pytest.raises(ValueError, match="lam is .*; it must be positive"):
            convert(lam)


@draws(2/5)
@given(st.data(), hinges(), constants)
def test_to_limit_the_multipliers_is_to_penalise_the_slack(data, g, lam):
    """The machine pays 1/2 |w|^2; the adversary weighs broken promises, up to 1/lambda each."""
    problem = g.problem(C=[1 / lam] * len(g.y))
    alpha, b = data.draw(arbitrary(g)), data.draw(offsets) if g.bias else Q(0)
    reply = adversary(problem, alpha, b)
    assert all(a in (0, 1 / lam) for a in reply.multipliers)
    assert reply.value == total(problem.slacks(alpha, b)) / lam
