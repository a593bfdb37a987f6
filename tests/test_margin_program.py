"""The primal as the notes state it: the same answers as the dual route, to the last digit."""

from fractions import Fraction as Q
from math import inf

import exact
import pytest
from cases_by_hand import CASES, NOT_SEPARABLE
from exact import inner as dot
from hypothesis import assume, given
from hypothesis import strategies as st
from problems import coordinates, givens, known, penalties
from profiles import draws

from refsvm import Problem, smo
from refsvm.numerics.factorisations import rank
from refsvm.numerics.linalg import quadratic_form
from refsvm.solvers.active_set import active_set
from refsvm.solvers.hard_margin import (
    hard_margin,
    margin_of,
    margin_program,
    soft_margin,
)
from refsvm.solvers.quadratic_program import minimise_inequalities

LINEAR = {"kernels": (("linear",),)}
HARD = [c for c in CASES if c.C in (inf,) and c.kernel == ("linear",)]


@st.composite
def examples(draw, most=4):
    """Rows and labels; the labels may all be the same."""
    n, d = draw(st.integers(1, most)), draw(st.integers(1, 2))
    X = draw(st.lists(st.lists(coordinates, min_size=d, max_size=d), min_size=n, max_size=n))
    return X, draw(st.lists(st.sampled_from([1, -1]), min_size=n, max_size=n))


def functional_margins(X, y, w, b):
    return [s * (dot(w, x) + b) for x, s in zip(X, y)]


def gram(X):
    return exact.linear_gram(X)


# ---- the program


@given(examples(), penalties, st.sampled_from(["hinge", "squared"]), st.booleans(), st.data())
@draws(1/4)
def test_the_program_says_what_the_notes_say(given, C, slack, bias, data):
    X, y = given
    P, q, G, h = margin_program(X, y, C, slack, bias)
    n, d = len(X), len(X[0])
    size = d + bias + n
    assert (len(P), len(q), len(G), len(h)) == (size, size, 2 * n, 2 * n)
    assert rank(P) == d + (n if slack == "squared" else 0)
    v = [data.draw(coordinates) for _ in range(size)]
    w, b, xi = v[:d], v[d] if bias else 0, v[d + bias :]
    cost = [c if slack == "hinge" else c * c / 2 for c in xi]
    assert quadratic_form(P, v) / 2 + dot(q, v) == dot(w, w) / 2 + C * exact.exact_sum(cost)
    kept = [m >= 1 - c for m, c in zip(functional_margins(X, y, w, b), xi)] + [c >= 0 for c in xi]
    assert [dot(row, v) <= right for row, right in zip(G, h)] == kept


@given(givens(most=4, slacks=("hinge",), **LINEAR))
@draws(1/4)
def test_any_solver_of_the_program_finds_what_smo_finds(given):
    program = margin_program(given.X, given.y, given.C, "hinge", given.bias)
    found = minimise_inequalities(*program)  # without the start that is known
    assert (found.status, found.value) == ("optimal", smo(given.problem(), tol=0).objective)
    n = len(given.y)
    # The multipliers of xi_i >= 0 are what is left of C_i.
    both = zip(found.multipliers[:n], found.multipliers[n:], given.C)
    assert all(a + r == c for a, r, c in both)


@given(examples(), st.booleans())
@draws(1/4)
def test_the_hard_program_has_no_slack(given, bias):
    X, y = given
    P, q, G, h = margin_program(X, y, bias=bias)
    n, d = len(X), len(X[0])
    assert (len(P), len(G), rank(P), set(q), set(h)) == (d + bias, n, d, {0}, {-1})


# ---- the hard margin


def is_a_disproof(X, y, alpha, bias):
    total = [dot(alpha, [s * v for s, v in zip(y, column)]) for column in zip(*X)]
    return (
        min(alpha) >= 0 < max(alpha) and set(total) == {0} and (not bias or dot(alpha, y) == 0)
    )


@given(examples(), st.booleans())
@draws(1/4)
def test_a_hard_margin_is_feasible_and_its_multipliers_prove_it_shortest(given, bias):
    X, y = given
    found = hard_margin(X, y, bias)
    if found.status == "infeasible":
        assert is_a_disproof(X, y, found.alpha, bias)
        return
    margins = functional_margins(X, y, found.w, found.b)
    assert found.status == "optimal" and min(margins) >= 1
    assert found.value == dot(found.w, found.w) / 2
    # Strong duality: a feasible point of the dual with the same value. No shorter w is feasible.
    beta = [a * s for a, s in zip(found.alpha, y)]
    assert min(found.alpha) >= 0 and (not bias or sum(beta) == 0)  # exact
    assert exact.dual(gram(X), y, [inf] * len(y), beta) == found.value
    assert found.w == [dot(beta, column) for column in zip(*X)]


@given(examples(), st.data())
@draws(1/4)
def test_without_offset_the_hard_margin_is_that_of_separation_through_the_origin(given, data):
    X, y = given
    found = hard_margin(X, y, bias=False)
    separable = exact.is_separable(gram(X), y, bias=False)
    assert (found.status == "optimal") == separable
    if separable:
        assert found.b == 0 and min(functional_margins(X, y, found.w, 0)) >= 1
        assert found.value == exact.optimum(gram(X), y, [inf] * len(y), False).value
        # Unique: any other point of the feasible set is longer.
        w = [v + data.draw(coordinates) for v in found.w]
        if min(functional_margins(X, y, w, 0)) >= 1 and w != found.w:
            assert dot(w, w) > dot(found.w, found.w)


def test_separable_with_an_offset_is_not_separable_through_the_origin():
    X, y = [[Q(1)], [Q(2)]], [1, -1]
    assert hard_margin(X, y)[:2] == ([-2], 3)
    found = hard_margin(X, y, bias=False)
    assert (found.status, found.w) == ("infeasible", None)
    assert is_a_disproof(X, y, found.alpha, False)


@given(examples().filter(lambda e: len(set(e[1])) == 2), st.data())
@draws(1/4)
def test_the_optimal_margin_classifier_is_unique_and_the_dual_finds_it(given, data):
    X, y = given
    found = hard_margin(X, y)
    solution = active_set(Problem(X, y, C=inf), tol=0)
    assert (found.status, solution.status) in (
        ("optimal", "optimal"), ("infeasible", "infeasible")
    )
    if found.status == "optimal":
        assert solution.problem.weights(solution.alpha) == found.w
        assert (solution.b, solution.objective) == (found.b, found.value)
        order = data.draw(st.permutations(range(len(y))))
        again = hard_margin([X[i] for i in order], [y[i] for i in order])
        assert (again.w, again.b) == (found.w, found.b)


@given(examples(), st.lists(coordinates, min_size=3, max_size=3))
@draws(1/4)
def test_nothing_feasible_is_shorter_than_the_hard_margin(given, direction):
    X, y = given
    w, b = direction[: len(X[0])], direction[2]
    least = min(functional_margins(X, y, w, b))
    assume(least > 0)
    w = [v / least for v in w]  # the shortest multiple with all margins at least 1
    found = hard_margin(X, y)
    assert found.status == "optimal" and found.value <= dot(w, w) / 2


@pytest.mark.parametrize("case", HARD, ids=[case.name for case in HARD])
def test_the_widest_street_of_the_cases_by_hand(case):
    found = hard_margin(case.X, case.y, case.bias)
    assert found.status == "optimal"
    assert case.w is None or found.w == case.w
    assert case.b is None or case.b[0] <= found.b <= case.b[1]
    assert case.value is None or found.value == case.value
    # theta and theta_0 leave the nearest points of both classes at 1 / |theta|.
    margins = functional_margins(case.X, case.y, found.w, found.b)
    for label in (1, -1):
        assert min(m for m, s in zip(margins, case.y) if s == label) == 1


@pytest.mark.parametrize("case", NOT_SEPARABLE, ids=[case.name for case in NOT_SEPARABLE])
def test_where_no_hard_margin_is_the_multipliers_say_why(case):
    found = hard_margin(case.X, case.y, case.bias)
    assert found.status == "infeasible" and is_a_disproof(case.X, case.y, found.alpha, case.bias)


@given(st.fractions(1, 5).filter(lambda w: w > 1))
@draws(1/4)
def test_with_a_strict_inequality_nothing_is_best(w):
    # x = -1 and 1: every w > 1 is feasible with > in the constraint, and (1 + w) / 2 is shorter.
    shorter = (1 + w) / 2
    assert 1 < shorter < w
    found = hard_margin([[Q(1)], [Q(-1)]], [1, -1])
    assert (found.w, found.value) == ([1], Q(1, 2))
    assert min(functional_margins([[Q(1)], [Q(-1)]], [1, -1], found.w, found.b)) == 1


# ---- with slack


@given(givens(most=4, **LINEAR))
@draws(1/4)
def test_primal_and_dual_route_meet(given):
    found = margin_of(given.X, given.y, given.C, given.slack, given.bias, True)
    truth = exact.optimum(*given.for_the_judge)
    assert (found.status, found.value) == ("optimal", truth.value)
    beta = [a * s for a, s in zip(found.alpha, given.y)]
    squared = given.slack == "squared"
    assert exact.dual(given.K, given.y, given.C, beta, squared) == truth.value
    top = [inf] * len(beta) if squared else given.C
    assert all(0 <= a <= c for a, c in zip(found.alpha, top))
    assert not given.bias or sum(beta) == 0  # exact
    assert given.problem().weights(found.alpha) == found.w
    if given.bias:
        assert truth.b_low <= found.b <= truth.b_high
    margins = functional_margins(given.X, given.y, found.w, found.b)
    assert found.xi == [max(0, 1 - m) for m in margins]


SQUARED = {"slacks": ("squared",), "biases": (True,), **LINEAR}


@given(givens(most=4, **SQUARED))
@draws(1/4)
def test_squared_slack_costs_half_C_times_the_squared_hinge(given):
    found = soft_margin(given.X, given.y, given.C, "squared")
    margins = functional_margins(given.X, given.y, found.w, found.b)
    hinges = [max(0, 1 - m) for m in margins]
    cost = exact.exact_sum(c * v * v / 2 for c, v in zip(given.C, hinges))
    assert found.value == dot(found.w, found.w) / 2 + cost
    assert found.value == given.problem().primal(found.alpha, found.b)


@given(givens(most=4, **SQUARED))
@draws(1/4)
def test_squared_slacks_need_not_be_told_to_be_nonnegative(given):
    told = soft_margin(given.X, given.y, given.C, "squared")
    not_told = soft_margin(given.X, given.y, given.C, "squared", nonnegative=False)
    assert told[:5] == not_told[:5]


@given(givens(most=4, **SQUARED))
@draws(1/4)
def test_every_multiplier_is_C_times_its_slack_and_the_other_is_zero(given):
    n = len(given.y)
    program = margin_program(given.X, given.y, given.C, "squared")
    found = minimise_inequalities(*program)
    xi = found.x[-n:]
    assert found.multipliers[:n] == [c * v for c, v in zip(given.C, xi)]
    assert found.multipliers[n:] == [0] * n


@given(examples(), penalties, st.sampled_from([1, -1]))
@draws(1/4)
def test_one_class_alone_is_separated_by_nothing(given, C, label):
    # w = 0 and b on its side: E-x-06.
    X, y = given[0], [label] * len(given[0])
    for found in (hard_margin(X, y), soft_margin(X, y, C), soft_margin(X, y, C, "squared")):
        assert found.status == "optimal" and found.value == 0
        assert found.w == [0] * len(X[0]) and label * found.b >= 1
        assert found.alpha == [0] * len(y)


def test_without_more_words_C_is_1_and_there_is_an_offset():
    assert soft_margin([[Q(0)], [0]], [1, -1]).value == 2  # each of the two slacks is 1
    assert len(margin_program([[1], [2]], [1, -1]).q) == 2  # w and b


def test_floats_get_the_nearest_floats():
    case = next(case for case in CASES if case.name == "F9")
    X = [list(map(float, x)) for x in case.X]
    found = soft_margin(X, case.y, 1)
    assert max(abs(v - float(t)) for v, t in zip(found.w, case.w)) < 1e-12
    assert abs(found.value - float(known("F9").value)) < 1e-12


@given(examples())
@draws(1/4)
def test_inputs_are_left_alone(given):
    X, y = given
    rows, labels = [list(x) for x in X], list(y)
    soft_margin(X, y, [1] * len(y))
    assert (X, y) == (rows, labels)


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (([[1]], [0]), "y[0] is 0; a label must be +1 or -1"),
        (([[1], [2]], [1]), "y has length 1; there are 2 examples"),
        (([[1], [2]], [1, -1], [1, inf]), "C holds inf and other numbers; slacks are for all or"
         " for none"),
        (([[1]], [1], 0), "C is 0; it must be positive"),
        (([[1]], [1], 1, "cubed"), "slack is 'cubed'; the known ones are 'hinge', 'squared'"),
    ],
)
def test_a_bad_argument_is_named(arguments, sentence):
    with pytest.raises(ValueError) as caught:
        margin_program(*arguments)
    assert str(caught.value) == sentence


def test_bias_is_yes_or_no():
    with pytest.raises(TypeError, match="^bias is 'no'"):
        margin_program([[1], [2]], [1, -1], bias="no")
