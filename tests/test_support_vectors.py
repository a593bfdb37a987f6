"""Support vectors: what alpha and the margin say of each other, at an optimum and elsewhere."""

import copy
from fractions import Fraction as Q
from math import inf, nan

import exact
import pytest
from cases_by_hand import CASES
from hypothesis import given
from hypothesis import strategies as st
from problems import arbitrary, feasible, givens, known, of_case, offsets
from profiles import draws
from refusing import refusals, type_error, value_error
from soft_optima import hinges, solved, squared_length, total
from test_validation import exactly

from refsvm.svm.problem import Problem
from refsvm.svm.support_vectors import (
    Place,
    adversary,
    gap_shares,
    is_possible,
    margin_support,
    places,
    shares,
    slackness,
    support_vectors,
)

F3 = Problem([[Q(1), 0], [1, 1], [-1, 0]], [1, 1, -1], C=inf)
F1 = Problem([[Q(1)], [-1]], [1, -1], C=Q(1, 2))
BY_HAND = [case for case in CASES if case.slack == "hinge"]


def offset_of(data, g):
    return data.draw(offsets) if g.bias else Q(0)


def margins_of(g, alpha, b):
    """The margins from their definition, with nothing but the judge's arithmetic."""
    beta = [a * y for a, y in zip(alpha, g.y)]
    return [y * (s + b) for y, s in zip(g.y, exact.times(g.K, beta))]


# The definitions


@given(st.lists(st.sampled_from([Q(0), Q(1, 10**9), Q(2), Q(-1)]), min_size=1))
def test_support_vectors_are_the_indices_with_alpha_above_zero(alpha):
    before = list(alpha)
    assert support_vectors(alpha) == [i for i in range(len(alpha)) if alpha[i] > 0]
    assert alpha == before


@given(st.data(), givens(hard=True))
def test_the_wider_notion_is_a_margin_of_at_most_1(data, g):
    alpha, b = data.draw(arbitrary(g)), offset_of(data, g)
    problem, before = g.problem(), copy.deepcopy(alpha)
    margins = margins_of(g, alpha, b)
    assert margin_support(problem, alpha, b) == [i for i, m in enumerate(margins) if m <= 1]
    assert alpha == before and problem.X == g.problem().X


@given(st.data(), givens(hard=True))
def test_a_place_says_where_alpha_and_the_margin_lie(data, g):
    alpha, b = data.draw(feasible(g)), offset_of(data, g)
    problem = g.problem()
    found = places(problem, alpha, b)
    assert [place.share for place in found] == shares(problem, alpha)
    for place, a, c, m in zip(found, alpha, problem.upper_bounds(), margins_of(g, alpha, b)):
        assert {"none": a == 0, "free": 0 < a < c, "full": a == c}[place.share]
        assert {"inside": m < 1, "on": m == 1, "beyond": m > 1}[place.side]
        assert {"right": m > 0, "undecided": m == 0, "wrong": m < 0}[place.decision]


def test_a_margin_may_be_taken_for_1_within_a_distance():
    sides = [place.side for place in places(F1, [Q(1, 2), Q(1, 2)], Q(1, 8), within=Q(1, 8))]
    assert sides == ["on", "on"]
    sides = [place.side for place in places(F1, [Q(1, 2), Q(1, 2)], Q(1, 7), within=0.125)]
    assert sides == ["beyond", "inside"]


# At an optimum


@pytest.mark.parametrize("case", BY_HAND, ids=[case.name for case in BY_HAND])
def test_every_optimum_known_by_hand_stands_at_possible_places(case):
    problem, found = of_case(case).problem(), known(case.name)
    for b in (found.b_low, found.b_high, (found.b_low + 2 * found.b_high) / 3):
        assert all(map(is_possible, places(problem, found.alpha, b)))
        assert slackness(problem, found.alpha, b) == [(0, 0)] * problem.n
        assert gap_shares(problem, found.alpha, b) == [0] * problem.n


@draws(2/5)
@given(hinges())
def test_alpha_zero_means_a_margin_of_at_least_1(g):
    found = solved(g.problem())
    for place in places(g.problem(), found.alpha, found.b):
        assert place.share != "none" or place.side in ("on", "beyond")
        assert place.side != "inside" or place.share == "full"


@draws(2/5)
@given(hinges())
def test_alpha_strictly_between_means_a_margin_of_exactly_1(g):
    found = solved(g.problem())
    for place in places(g.problem(), found.alpha, found.b):
        assert place.share != "free" or place.side == "on"


@draws(2/5)
@given(hinges())
def test_alpha_at_its_bound_means_a_margin_of_at_most_1(g):
    found = solved(g.problem())
    for place in places(g.problem(), found.alpha, found.b):
        assert place.share != "full" or place.side in ("on", "inside")
        assert place.side != "beyond" or place.share == "none"


@draws(2/5)
@given(hinges())
def test_the_six_statements_hold_for_every_offset_of_the_interval(g):
    problem, found = g.problem(), solved(g.problem())
    for b in (found.b_low, found.b_high, (found.b_low + 3 * found.b_high) / 4):
        b = b if g.bias else Q(0)
        margins = problem.margins(found.alpha, b)
        for a, c, m, place in zip(found.alpha, g.C, margins, places(problem, found.alpha, b)):
            assert a != 0 or m >= 1
            assert not 0 < a < c or m == 1
            assert a != c or m <= 1
            assert not m < 1 or a == c
            assert m != 1 or 0 <= a <= c
            assert not m > 1 or a == 0
            assert is_possible(place)


def test_the_six_statements_are_these_five_places_and_no_other():
    every = [(s, t) for s in ("none", "free", "full") for t in ("inside", "on", "beyond")]
    possible = [pair for pair in every if is_possible(Place(*pair, "right"))]
    assert possible == [
        ("none", "on"), ("none", "beyond"), ("free", "on"), ("full", "inside"), ("full", "on")
    ]
    assert [is_possible(Place("free", "on", word)) for word in ("right", "wrong")] == [True] * 2


def test_a_margin_of_1_does_not_tell_alpha():
    """The converses fail: margin 1 with alpha 0 (F3), and with alpha at its bound (F1)."""
    optimum = [Q(1, 2), Q(0), Q(1, 2)]
    assert F3.gap(optimum, 0) == 0
    assert places(F3, optimum, 0)[1] == Place("none", "on", "right")
    optimum = [Q(1, 2), Q(1, 2)]
    assert F1.gap(optimum, 0) == 0
    assert places(F1, optimum, 0) == [Place("full", "on", "right")] * 2


def test_all_three_kinds_of_support_vector_in_one_optimum():
    """On its margin; inside it but right; and misclassified."""
    problem = Problem([[Q(3)], [2], [1], [0], [-4], [-1]], [1, 1, 1, -1, -1, 1], C=Q(1, 2))
    found = solved(problem)
    stands = places(problem, found.alpha, found.b)
    assert all(map(is_possible, stands))
    kinds = {place[1:] for place in stands if place.share != "none"}
    assert {("on", "right"), ("inside", "right"), ("inside", "wrong")} <= kinds


@draws(2/5)
@given(hinges())
def test_the_narrow_notion_lies_between_the_margin_errors_and_the_wide_notion(g):
    problem, found = g.problem(), solved(g.problem())
    narrow = set(support_vectors(found.alpha))
    wide = set(margin_support(problem, found.alpha, found.b))
    errors = {i for i, m in enumerate(problem.margins(found.alpha, found.b)) if m < 1}
    assert errors <= narrow <= wide


@draws(2/5)
@given(hinges())
def test_slack_means_a_multiplier_at_its_bound(g):
    problem, found = g.problem(), solved(g.problem())
    for a, c, xi in zip(found.alpha, g.C, problem.slacks(found.alpha, found.b)):
        assert xi == 0 or a == c


def test_the_wider_notion_is_wider_where_a_margin_of_1_needs_no_help():
    assert support_vectors([Q(1, 2), Q(0), Q(1, 2)]) == [0, 2]
    assert margin_support(F3, [Q(1, 2), Q(0), Q(1, 2)], 0) == [0, 1, 2]


def test_neither_notion_has_a_tolerance():
    assert support_vectors([0, 5e-324, 1]) == [1, 2]
    assert margin_support(F1, [Q(1, 2), Q(1, 2)], Q(1, 10**30)) == [1]  # margins 1 +- 10^-30


# Anywhere


@given(st.data(), hinges(hard=True))
def test_the_shares_of_the_gap_add_up_to_the_gap(data, g):
    alpha, b = data.draw(feasible(g)), offset_of(data, g)
    problem, found = g.problem(), gap_shares(g.problem(), alpha, b)
    assert all(share >= 0 for share in found)
    if all(m >= 1 or c < inf for m, c in zip(problem.margins(alpha, b), g.C)):
        assert exactly(total(found), problem.gap(alpha, b))
    else:
        assert inf in found


@draws(2/5)
@given(st.data(), hinges())
def test_no_gap_if_and_only_if_every_place_is_possible(data, g):
    found = solved(g.problem())
    alpha = data.draw(st.one_of(feasible(g), st.just(found.alpha)))
    b = data.draw(st.one_of(offsets, st.just(found.b))) if g.bias else Q(0)
    problem = g.problem()
    possible = [is_possible(place) for place in places(problem, alpha, b)]
    assert [share == 0 for share in gap_shares(problem, alpha, b)] == possible
    assert [products == (0, 0) for products in slackness(problem, alpha, b)] == possible
    assert (problem.gap(alpha, b) == 0) == all(possible)


@given(st.data(), hinges(hard=True))
def test_the_products_are_multiplier_times_constraint(data, g):
    alpha, b = data.draw(arbitrary(g)), offset_of(data, g)
    for (first, second), a, c, m in zip(
        slackness(g.problem(), alpha, b), alpha, g.C, margins_of(g, alpha, b)
    ):
        xi = 1 - m if m < 1 else Q(0)
        assert first == a * (1 - m - xi)
        assert second == (0 if xi == 0 else (c - a) * xi)


@given(st.data(), hinges(), st.lists(st.integers(0, 4), min_size=6, max_size=6))
def test_no_reply_of_the_adversary_beats_his_best(data, g, quarters):
    alpha, b = data.draw(feasible(g)), offset_of(data, g)
    problem, margins = g.problem(), margins_of(g, alpha, b)
    best = adversary(problem, alpha, b)
    other = [c * q / 4 for c, q in zip(g.C, quarters)]
    assert all(0 <= a <= c for a, c in zip(best.multipliers, g.C))
    assert total(a * (1 - m) for a, m in zip(best.multipliers, margins)) == best.value
    assert total(a * (1 - m) for a, m in zip(other, margins)) <= best.value
    assert [a == c for a, c in zip(best.multipliers, g.C)] == [m < 1 for m in margins]
    assert {a for a, m in zip(best.multipliers, margins) if m >= 1} <= {0}
    assert squared_length(problem, alpha) / 2 + best.value == problem.primal(alpha, b)


@draws(2/5)
@given(hinges())
def test_the_game_is_worth_the_same_to_both_at_the_optimum(g):
    """The dual solution is one of the best replies to the machine it makes."""
    problem, found = g.problem(), solved(g.problem())
    margins = problem.margins(found.alpha, found.b)
    assert total(a * (1 - m) for a, m in zip(found.alpha, margins)) == adversary(
        problem, found.alpha, found.b
    ).value


def test_an_adversary_without_a_limit_wins_without_a_limit():
    hard = Problem([[Q(1)], [-1]], [1, -1], C=inf)
    assert adversary(hard, [Q(1, 2), Q(1, 2)], 0) == ([0, 0], 0)
    assert adversary(hard, [Q(1, 4), Q(1, 4)], 0) == ([inf, inf], inf)
    assert slackness(hard, [Q(1, 4), Q(1, 4)], 0) == [(0, inf)] * 2
    assert gap_shares(hard, [Q(1, 4), Q(1, 4)], 0) == [inf] * 2


@given(st.data(), hinges(biases=(True,)), offsets)
def test_answers_are_of_the_kind_of_the_numbers_given(data, g, b):
    alpha = data.draw(feasible(g))
    for row in slackness(g.problem(), alpha, b):
        assert [type(v) for v in row] == [Q, Q]
    assert {type(v) for v in gap_shares(g.problem(), alpha, b)} == {Q}
    assert {type(v) for v in adversary(g.problem(), alpha, b).multipliers} == {Q}
    assert type(adversary(g.problem(), alpha, b).value) is Q


PAIR = Problem([[-1], [1]], [-1, 1])
SQUARED = Problem([[-1], [1]], [-1, 1], slack="squared")


test_bad_input_is_refused = refusals(
    value_error("alpha[1] is nan; it must be a finite number", support_vectors, [1, nan]),
    type_error("problem is 3; a Problem is needed", margin_support, 3, [1, 1], 0),
    value_error("alpha has length 1; there are 2 examples", margin_support, PAIR, [1], 0),
    type_error("problem is None; a Problem is needed", shares, None, [1, 1]),
    type_error("alpha[1] is '1'; a number is needed", shares, PAIR, [1, "1"]),
    value_error("within is -1.0; it must not be negative", places, PAIR, [1, 1], 0, within=-1),
    value_error("problem has squared slack; this is said of hinge slack only", slackness, SQUARED,
                [1, 1], 0),
    value_error("problem has squared slack; this is said of hinge slack only", gap_shares, SQUARED,
                [1, 1], 0),
    type_error("b is None; a number is needed", adversary, PAIR, [1, 1], None),
)
