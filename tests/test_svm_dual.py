"""The SVM's Lagrangian, its derivatives, and the dual that comes out of it: all by equality."""

import copy
from fractions import Fraction as Q
from math import inf

import exact
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from problems import arbitrary, feasible, givens, offsets
from profiles import draws
from programs import few, inner, mixed, positives, steps, vectors
from test_constrained import quotient
from test_validation import exactly

from refsvm.kernels.standard import Polynomial
from refsvm.solvers.smo import smo
from refsvm.svm.problem import Problem
from refsvm.theory.svm_dual import (
    Point,
    downhill,
    dual_function,
    gradient,
    hard_lagrangian,
    lagrangian,
    minimiser,
    regrouped,
    substituted,
)

LINEAR = (("linear",),)
linear = givens(kernels=LINEAR, hard=True)
soft = givens(kernels=LINEAR, slacks=("hinge",))
squared = givens(kernels=LINEAR, slacks=("squared",))


@st.composite
def slack_numbers(draw, g, numbers=few):
    """Numbers for xi or lam: any, but 0 where there is no slack."""
    drawn = draw(vectors(len(g.y), numbers))
    return [Q(0) if C == inf else v for C, v in zip(g.C, drawn)]


@st.composite
def places(draw, g):
    """(w, b, xi, alpha, lam): any numbers at all."""
    w, b = draw(vectors(len(g.X[0]))), draw(offsets) if g.bias else Q(0)
    return w, b, draw(slack_numbers(g)), draw(arbitrary(g)), draw(slack_numbers(g))


@st.composite
def feasible_places(draw, g):
    """Any w and b with slacks that suffice, if slack there is; and multipliers >= 0."""
    w, b = draw(vectors(len(g.X[0]))), draw(offsets) if g.bias else Q(0)
    more = draw(slack_numbers(g, positives))
    margins = [y * (inner(w, x) + b) for x, y in zip(g.X, g.y)]
    xi = [Q(0) if C == inf else max(Q(0), 1 - m) + v for C, m, v in zip(g.C, margins, more)]
    assume(all(C != inf or m >= 1 for C, m in zip(g.C, margins)))
    alpha = draw(vectors(len(g.y), positives))
    return w, b, xi, alpha, draw(slack_numbers(g, positives))


def written_out(g, w, b, xi, alpha, lam):
    """L term by term, as the notes print it (hard examples have no slack, nor its multiplier)."""
    margins = [y * (inner(w, x) + b) for x, y in zip(g.X, g.y)]
    costs = [
        0 if C == inf else C * v if g.slack == "hinge" else C * v * v / 2
        for C, v in zip(g.C, xi)
    ]
    broken = [1 - m - v for m, v in zip(margins, xi)]
    return inner(w, w) / 2 + sum(costs) + inner(alpha, broken) - inner(lam, xi)  # exact


# The Lagrangian


@draws(3/10)
@given(st.data(), linear)
def test_the_lagrangian_is_what_the_notes_print(data, g):
    place = data.draw(places(g))
    before = copy.deepcopy((place, g.X, g.y))
    assert exactly(lagrangian(g.problem(), *place), written_out(g, *place))
    assert (place, g.X, g.y) == before


@draws(3/10)
@given(st.data(), linear)
def test_regrouped_it_is_the_same_number(data, g):
    place = data.draw(places(g))
    assert exactly(regrouped(g.problem(), *place), lagrangian(g.problem(), *place))


@draws(3/10)
@given(st.data(), givens(kernels=LINEAR))
def test_with_the_printed_minus_sign_it_is_another_number(data, g):
    """lycpaul subtracts the regrouped sum of the slacks; that is right only where it is 0."""
    w, b, xi, alpha, lam = data.draw(places(g))
    hinge = g.slack == "hinge"
    last = inner(xi, [
        (C if hinge else C * v / 2) - a - r for C, v, a, r in zip(g.C, xi, alpha, lam)
    ])
    right = regrouped(g.problem(), w, b, xi, alpha, lam)
    printed = right - 2 * last
    assert (printed == lagrangian(g.problem(), w, b, xi, alpha, lam)) == (last == 0)


@draws(3/10)
@given(st.data(), linear)
def test_at_feasible_points_multipliers_only_lower_the_value(data, g):
    w, b, xi, alpha, lam = data.draw(feasible_places(g))
    objective = lagrangian(g.problem(), w, b, xi, [0] * len(alpha), [0] * len(lam))
    assert lagrangian(g.problem(), w, b, xi, alpha, lam) <= objective
    costs = [0 if C == inf else C * v if g.slack == "hinge" else C * v * v / 2
             for C, v in zip(g.C, xi)]
    assert objective == inner(w, w) / 2 + sum(costs)  # exact


@draws(3/10)
@given(st.data(), linear)
def test_the_hard_lagrangian_has_no_slack_in_it(data, g):
    w, b, _, alpha, _ = data.draw(places(g))
    margins = [y * (inner(w, x) + b) for x, y in zip(g.X, g.y)]
    expected = inner(w, w) / 2 - inner(alpha, [m - 1 for m in margins])
    assert exactly(hard_lagrangian(g.problem(), w, b, alpha), expected)
    hard = g.problem(C=[inf] * len(g.y))
    none = [Q(0)] * len(g.y)
    assert lagrangian(hard, w, b, none, alpha, none) == expected
    if all(m >= 1 for m in margins) and all(a >= 0 for a in alpha):
        assert expected <= inner(w, w) / 2


# Its derivatives


@draws(3/10)
@given(st.data(), linear, steps)
def test_the_derivatives_are_difference_quotients(data, g, step):
    w, b, xi, alpha, lam = data.draw(places(g))
    problem = g.problem()
    slope = gradient(problem, w, b, xi, alpha, lam)
    for j in range(len(w)):
        assert slope.w[j] == quotient(
            lambda v: lagrangian(problem, v, b, xi, alpha, lam), w, j, step
        )
    for i, C in enumerate(g.C):
        if C != inf:
            assert slope.xi[i] == quotient(
                lambda v: lagrangian(problem, w, b, v, alpha, lam), xi, i, step
            )
        else:
            assert slope.xi[i] == 0
    if g.bias:
        assert slope.b == quotient(
            lambda v: lagrangian(problem, w, v[0], xi, alpha, lam), [b], 0, step
        )
    else:
        assert slope.b is None


@draws(3/10)
@given(st.data(), linear)
def test_the_derivatives_are_the_formulas_of_the_notes(data, g):
    w, b, xi, alpha, lam = data.draw(places(g))
    slope = gradient(g.problem(), w, b, xi, alpha, lam)
    beta = [a * y for a, y in zip(alpha, g.y)]
    columns = list(zip(*g.X))
    assert exactly(slope.w, [v - inner(beta, column) for v, column in zip(w, columns)])
    assert slope.b == (-exact.exact_sum(beta) if g.bias else None)
    hinge = g.slack == "hinge"
    assert exactly(slope.xi, [
        Q(0) if C == inf else (C if hinge else C * v) - a - r
        for C, v, a, r in zip(g.C, xi, alpha, lam)
    ])


@draws(3/10)
@given(st.data(), givens(kernels=LINEAR, biases=(True,), hard=True), steps)
def test_the_derivative_in_b_is_minus_the_sum_that_is_printed(data, g, step):
    """CS229 (22) and lycpaul (2) print + sum alpha_i y_i: right only where it is 0."""
    w, b, _, alpha, _ = data.draw(places(g))
    problem, printed = g.problem(), inner(alpha, g.y)
    measured = quotient(lambda v: hard_lagrangian(problem, w, v[0], alpha), [b], 0, step)
    assert measured == -printed
    assert (measured == printed) == (printed == 0)


# The dual function


@draws(3/10)
@given(st.data(), linear)
def test_w_of_alpha_is_the_only_minimiser_over_w(data, g):
    w, b, xi, alpha, lam = data.draw(places(g))
    problem = g.problem()
    best = problem.weights(alpha)
    difference = [v - c for v, c in zip(w, best)]
    worse = lagrangian(problem, w, b, xi, alpha, lam)
    least = lagrangian(problem, best, b, xi, alpha, lam)
    assert worse - least == inner(difference, difference) / 2
    assert gradient(problem, best, b, xi, alpha, lam).w == [0] * len(w)


@st.composite
def settled(draw, g):
    """(alpha, lam) with a finite dual function, feasible or not: both conditions hold."""
    alpha = draw(st.one_of(arbitrary(g), feasible(g)))
    if g.bias:
        alpha[-1] -= inner(alpha, g.y) * g.y[-1]
    if g.slack == "squared":
        return alpha, draw(slack_numbers(g))
    return alpha, [Q(0) if C == inf else C - a for C, a in zip(g.C, alpha)]


@draws(3/10)
@given(st.data(), linear)
def test_where_both_conditions_hold_the_dual_function_is_the_least_value(data, g):
    problem, (alpha, lam) = g.problem(), data.draw(settled(g))
    value, point = dual_function(problem, alpha, lam), minimiser(problem, alpha, lam)
    assert exactly(value, lagrangian(problem, *point, alpha, lam))
    assert point.w == problem.weights(alpha) and downhill(problem, alpha, lam) is None
    slope = gradient(problem, *point, alpha, lam)
    assert not any(slope.w) and not slope.b and not any(slope.xi)
    w, b, xi, _, _ = data.draw(places(g))
    assert lagrangian(problem, w, b, xi, alpha, lam) >= value


@draws(3/10)
@given(st.data(), linear, st.sampled_from([Q(1), Q(1000)]))
def test_where_a_condition_fails_the_lagrangian_falls_for_ever(data, g, t):
    problem, (w, b, xi, alpha, lam) = g.problem(), data.draw(places(g))
    balanced = not g.bias or inner(alpha, g.y) == 0
    capped = g.slack == "squared" or all(
        C == inf or a + r == C for C, a, r in zip(g.C, alpha, lam)
    )
    value, way = dual_function(problem, alpha, lam), downhill(problem, alpha, lam)
    assert (value == -inf) == (way is not None) == (not (balanced and capped))
    if way:
        assert way.w == [0] * len(w) and (g.bias or way.b == 0)
        moved = b + t * way.b, [v + t * d for v, d in zip(xi, way.xi)]
        rate = way.b * way.b + inner(way.xi, way.xi)
        fall = lagrangian(problem, w, *moved, alpha, lam) - lagrangian(
            problem, w, b, xi, alpha, lam
        )
        assert fall == -t * rate < 0


def test_the_dual_function_is_finite_only_where_each_example_keeps_its_condition():
    problem = Problem([[Q(0)], [2]], [-1, 1], C=3)
    assert dual_function(problem, [1, 1], [2, 2]) == 0
    assert dual_function(problem, [1, 1], [1, 3]) == -inf  # 1 + 1 and 1 + 3: the sum is right


@draws(3/10)
@given(st.data(), linear)
def test_the_derived_dual_is_the_dual_of_problem(data, g):
    alpha, lam = data.draw(settled(g))
    problem = g.problem()
    if g.slack == "hinge":
        assert exactly(dual_function(problem, alpha, lam), problem.dual(alpha))
        return
    assert exactly(dual_function(problem, alpha, [0] * len(lam)), problem.dual(alpha))
    charged = [Q(0) if C == inf else (2 * a + r) * r / (2 * C)
              for a, r, C in zip(alpha, lam, g.C)]
    loss = sum(charged, Q(0))  # exact
    assert dual_function(problem, alpha, lam) == problem.dual(alpha) - loss
    if all(a >= 0 for a in alpha) and all(r >= 0 for r in lam):
        assert loss >= 0 and (loss == 0) == (not any(lam))  # so the best lam is 0


@draws(3/10)
@given(st.data(), soft)
def test_multipliers_of_slack_exist_exactly_inside_the_box(data, g):
    """sup over lam >= 0: lam = C - alpha if that is allowed, and otherwise nothing is finite."""
    alpha, lam = data.draw(settled(g))
    problem = g.problem()
    inside = all(a <= C for a, C in zip(alpha, g.C))
    assert (min(lam) >= 0) == inside
    other = data.draw(slack_numbers(g, positives))
    assert (dual_function(problem, alpha, other) > -inf) == (other == lam)


@draws(3/10)
@given(st.data(), st.one_of(givens(kernels=LINEAR), linear))
def test_every_dual_value_is_below_every_primal_value(data, g):
    problem = g.problem()
    w, b, xi, alpha, lam = data.draw(feasible_places(g))
    if g.bias:
        alpha = data.draw(feasible(g))
    if g.slack == "hinge":
        lam = [Q(0) if C == inf else max(Q(0), C - a) for C, a in zip(g.C, alpha)]
    none = [Q(0)] * len(alpha)
    assert dual_function(problem, alpha, lam) <= lagrangian(problem, w, b, xi, none, none)


@draws(3/10)
@given(linear)
def test_the_supremum_of_the_dual_function_is_the_optimum(g):
    found = exact.optimum(*g.for_the_judge)
    assume(found)
    problem = g.problem()
    hinge = g.slack == "hinge"
    lam = [C - a if hinge and C != inf else Q(0) for C, a in zip(g.C, found.alpha)]
    assert min(found.alpha + lam) >= 0
    assert exactly(dual_function(problem, found.alpha, lam), found.value)
    assert problem.primal(found.alpha, found.b_low) == found.value


@draws(3/10)
@given(st.data(), linear)
def test_the_dual_function_is_concave(data, g):
    problem = g.problem()
    (a, r), (c, s) = data.draw(settled(g)), data.draw(settled(g))
    between = dual_function(problem, mixed(Q(1, 3), a, c), mixed(Q(1, 3), r, s))
    assert between >= (dual_function(problem, a, r) + 2 * dual_function(problem, c, s)) / 3


@draws(3/10)
@given(givens(kernels=LINEAR, slacks=("hinge",)))
def test_at_the_optimum_of_a_hard_margin_the_dual_is_half_the_squared_weights(g):
    """And sum alpha_i is |w|^2, which is 1 / margin^2."""
    hard = g._replace(C=[inf] * len(g.y))
    found = exact.optimum(*hard.for_the_judge)
    assume(found)
    problem, none = hard.problem(), [0] * len(g.y)
    square = inner(problem.weights(found.alpha), problem.weights(found.alpha))
    assert dual_function(problem, found.alpha, none) == square / 2 == found.value
    assert exact.exact_sum(found.alpha) == square > 0
    b = found.b_low
    least = min(y * (inner(problem.weights(found.alpha), x) + b) for x, y in zip(g.X, g.y))
    assert least * least / square == 1 / square  # the squared geometric margin


@draws(3/10)
@given(givens(kernels=LINEAR, most=3))
def test_the_solver_closes_the_gap_of_the_derived_dual(g):
    problem = g.problem()
    solution = smo(problem, tol=0)
    assume(solution.status == "optimal")
    hinge = g.slack == "hinge"
    lam = [C - a if hinge else Q(0) for C, a in zip(g.C, solution.alpha)]
    value = problem.primal(solution.alpha, solution.b)
    assert exactly(dual_function(problem, solution.alpha, lam), value)


# Putting w in


@draws(3/10)
@given(st.data(), givens(hard=True))
def test_the_four_terms_are_those_of_the_notes_for_every_kernel(data, g):
    alpha, b = data.draw(arbitrary(g)), data.draw(offsets) if g.bias else Q(0)
    beta = [a * y for a, y in zip(alpha, g.y)]
    A = exact.quadratic(g.K, beta)
    terms = substituted(g.problem(), alpha, b)
    expected = [A / 2, exact.exact_sum(alpha), -A, -b * exact.exact_sum(beta)]
    assert exactly(list(terms), expected)


@draws(3/10)
@given(st.data(), linear)
def test_the_four_terms_are_the_lagrangian_with_w_put_in(data, g):
    _, b, _, alpha, _ = data.draw(places(g))
    problem = g.problem()
    terms = substituted(problem, alpha, b)
    w = problem.weights(alpha)
    assert terms.half_square == inner(w, w) / 2
    charged = [a * (1 - y * (inner(w, x) + b)) for a, y, x in zip(alpha, g.y, g.X)]
    assert terms.alphas + terms.minus_square + terms.offset == exact.exact_sum(charged)
    assert exactly(exact.exact_sum(terms), hard_lagrangian(problem, w, b, alpha))
    hard = exact.exact_sum(terms[:3])
    assert (hard == hard_lagrangian(problem, w, b, alpha)) == (b * inner(alpha, g.y) == 0)


@draws(3/10)
@given(st.data(), givens(slacks=("hinge",)))
def test_three_terms_are_the_dual_of_problem_for_every_kernel(data, g):
    alpha = data.draw(st.one_of(feasible(g), arbitrary(g)))
    terms = substituted(g.problem(), alpha)
    assert exactly(exact.exact_sum(terms[:3]), g.problem().dual(alpha))
    assert terms.offset == 0


# Numbers


def test_a_fraction_anywhere_makes_everything_exact():
    problem = Problem([[0.1], [0.7]], [-1, 1], C=2.0)
    place = [0.1], 0.2, [0.3, 0.4], [0.5, 0.6], [0.7, 0.8]
    for k in range(5):
        one = list(place)
        one[k] = Q(place[k]) if k == 1 else list(map(Q, place[k]))
        value = lagrangian(problem, *one)
        assert type(value) is Q
        assert value == regrouped(problem, *one)
    assert type(lagrangian(problem, *place)) is float
    assert type(substituted(problem, [0.5, 0.6], Q(1)).offset) is Q
    assert gradient(problem, *place) == Point([0.1 + 0.5 * 0.1 - 0.6 * 0.7], 0.5 - 0.6, [
        2.0 - 0.5 - 0.7, 2.0 - 0.6 - 0.8
    ])


MIXED = Problem([[0], [1]], [-1, 1], C=[1, inf])
CENTRED = Problem([[0], [1]], [-1, 1], bias=False)


@pytest.mark.parametrize("call, message", [
    (lambda p: lagrangian(p, [1, 2], 0, [0, 0], [0, 0], [0, 0]),
     "w has length 2; it must have length 1"),
    (lambda p: lagrangian(p, [1], 0, [0], [0, 0], [0, 0]), "xi has length 1"),
    (lambda p: gradient(p, [1], 0, [0, 0], [0, 0, 0], [0, 0]), "alpha has length 3"),
    (lambda p: dual_function(p, [0, 0], [0]), "lam has length 1"),
    (lambda p: dual_function("p", [0, 0], [0]), "problem is 'p'; a Problem is needed"),
    (lambda p: hard_lagrangian(None, [1], 0, [0]), "problem is None; a Problem is needed"),
    (lambda p: substituted(3, [1], 0), "problem is 3; a Problem is needed"),
    (lambda p: lagrangian(p, [1], "0", [0, 0], [0, 0], [0, 0]), "b is '0'; a number is needed"),
    (lambda p: lagrangian(p, 1, 0, [0, 0], [0, 0], [0, 0]), "w is 1; a sequence is needed"),
    (lambda p: lagrangian(MIXED, [1], 0, [0, 1], [0, 0], [0, 0]),
     "C[1] is inf: there is no slack; xi[1] and lam[1] must be 0"),
    (lambda p: dual_function(Problem([[0], [1]], [-1, 1], C=inf), [0, 0], [1, 0]),
     "C[0] is inf: there is no slack"),
    (lambda p: minimiser(Problem([[0], [1]], [-1, 1], Polynomial(2)), [0, 0], [1, 1]),
     "w is a list of numbers for Linear() only"),
    (lambda p: lagrangian(CENTRED, [1], 1, [0, 0], [0, 0], [0, 0]),
     "b is 1.0; a problem without offset has b = 0"),
])
def test_bad_input_is_refused_in_one_sentence(call, message):
    with pytest.raises((ValueError, TypeError)) as caught:
        call(Problem([[0], [1]], [-1, 1]))
    assert message in str(caught.value)
