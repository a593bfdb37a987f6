"""Coordinate ascent: what each move gains, where it ends, where it gets stuck, and the solver."""

from fractions import Fraction
from math import inf

import exact
import pytest
from exact_programs import solved
from hypothesis import given
from hypothesis import strategies as st
from problems import feasible, givens
from profiles import draws

from refsvm import Problem
from refsvm.numerics.linalg import matrix_product, transpose
from refsvm.numerics.picks import passes
from refsvm.solvers import dual_ascent as loop
from refsvm.solvers.coordinate_ascent import (
    climb,
    climb_greedily,
    coordinate_ascent,
    dual_along,
    quadratic,
    textbook_coordinate_ascent,
)

whole = st.integers(-4, 4).map(Fraction)


@st.composite
def quadratics(draw, least=2, most=4):
    """A positive definite A, a b, and a point to start from."""
    n = draw(st.integers(least, most))
    vector = st.lists(whole, min_size=n, max_size=n)
    root = draw(st.lists(vector, min_size=n, max_size=n))
    A = matrix_product(transpose(root), root)
    for i in range(n):
        A[i][i] += draw(st.integers(1, 3))
    return A, draw(vector), draw(vector)


def top_of(A, b):
    """Where W is largest, and how large: W's gradient b - A alpha vanishes there."""
    summit = solved(A, b)
    return summit, exact.inner(b, summit) / 2


def moves(points):
    """The places in which each point differs from the one before."""
    pairs = zip(points, points[1:])
    return [[i for i, (v, w) in enumerate(zip(*pair)) if v != w] for pair in pairs]


# ---- one coordinate at a time, on a quadratic


@given(quadratics(), whole)
def test_along_is_the_argmax_and_any_other_value_loses_half_a_curvature_times_a_square(given, t):
    A, b, start = given
    W, along = quadratic(A, b)
    for i in range(len(b)):
        best = along(start, i)
        at = [start[:i] + [v] + start[i + 1:] for v in (best, t)]
        assert W(at[1]) == W(at[0]) - A[i][i] * (t - best) * (t - best) / 2
        others = exact.exact_sum(A[i][j] * start[j] for j in range(len(b)) if j != i)
        assert best == (b[i] - others) / A[i][i]


@given(quadratics())
def test_W_is_the_quadratic(given):
    A, b, alpha = given
    W, _ = quadratic(A, b)
    assert W(alpha) == exact.inner(b, alpha) - exact.quadratic(A, alpha) / 2


@given(quadratics())
def test_a_pass_is_a_sweep_of_gauss_and_seidel_for_A_alpha_b(given):
    A, b, start = given
    n = len(b)
    lower = [[A[i][j] if j <= i else 0 for j in range(n)] for i in range(n)]
    right = [b[i] - exact.exact_sum(A[i][j] * start[j] for j in range(i + 1, n)) for i in range(n)]
    assert climb(quadratic(A, b)[1], start, passes(n, 1))[-1] == solved(lower, right)


@given(quadratics())
def test_W_never_falls_and_a_pass_stands_still_at_the_summit_only(given):
    A, b, start = given
    W, along = quadratic(A, b)
    points = climb(along, start, passes(len(b), 3))
    heights = [W(point) for point in points]
    assert heights == sorted(heights)
    summit, top = top_of(A, b)
    assert max(heights) <= top
    # The pass is an affine map whose only fixed point is the summit, and it gains elsewhere.
    assert (heights[len(b)] > heights[0]) == (start != summit)
    assert climb(along, summit, passes(len(b), 1))[-1] == summit


@given(quadratics())
def test_each_move_of_a_pass_uses_the_latest_values(given):
    A, b, start = given
    _, along = quadratic(A, b)
    points = climb(along, start, passes(len(b), 1))
    for i, (before, after) in enumerate(zip(points, points[1:])):
        assert after == before[:i] + [along(before, i)] + before[i + 1:]


# ---- the largest gain first


@given(quadratics())
def test_the_greedy_coordinate_gains_no_less_than_any_other(given):
    A, b, start = given
    W, along = quadratic(A, b)
    greedy = climb_greedily(W, along, start, 1)[-1]
    for i in range(len(b)):
        assert W(greedy) >= W(climb(along, start, [i])[-1])


@given(quadratics())
@draws(1/2)
def test_greedy_steps_come_to_the_same_summit_at_a_rate_that_A_tells(given):
    # With r = b - A alpha: the gain is max r_i^2 / 2 A_ii >= r'r / 2 tr A, and what is missing is
    # r'A^-1 r / 2 <= tr(A^-1) r'r / 2. So each step takes at least 1 / (tr A tr A^-1) of it.
    A, b, start = given
    n = len(b)
    W, along = quadratic(A, b)
    summit, top = top_of(A, b)
    units = [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]
    trace = exact.exact_sum(A[i][i] for i in range(n))
    inverse_trace = exact.exact_sum(solved(A, units[i])[i] for i in range(n))
    points = climb_greedily(W, along, start, 4)
    missing = [top - W(point) for point in points]
    for before, after in zip(missing, missing[1:]):
        assert after <= (1 - 1 / (trace * inverse_trace)) * before
    assert (len(points) == 1) == (start == summit)
    assert len(points) == 5 or points[-1] == summit


def test_of_equal_gains_the_first_coordinate_is_taken_and_zero_steps_are_none():
    W, along = quadratic([[1, 0], [0, 1]], [1, 1])
    assert climb_greedily(W, along, [0, 0], 1) == [[0.0, 0.0], [1.0, 0.0]]
    assert climb_greedily(W, along, [0, 0], 0) == [[0.0, 0.0]]


# ---- the figure


@given(quadratics(most=2))
def test_the_trace_moves_along_the_axes_and_each_move_leaves_the_same_part_missing(given):
    A, b, _ = given
    W, along = quadratic(A, b)
    start = [Fraction(2), Fraction(-2)]
    points = climb(along, start, passes(2, 3))
    assert points[0] == start == [2, -2] and len(points) == 7
    assert all(moved in ([], [k % 2]) for k, moved in enumerate(moves(points)))
    # To the top: from the second move on, what is missing shrinks by the same factor each time.
    _, top = top_of(A, b)
    missing = [top - W(point) for point in points]
    assert missing == sorted(missing, reverse=True)
    rho2 = A[0][1] * A[0][1] / (A[0][0] * A[1][1])
    assert 0 <= rho2 < 1
    assert all(after == rho2 * before for before, after in zip(missing[1:], missing[2:]))


# ---- where it gets stuck


def ridge(alpha):
    """Concave, with a ridge along a = b that falls away from 0: its maximum is W(0, 0) = 0."""
    a, b = alpha
    return -abs(a - b) - abs(a + b) / 10


def along_the_ridge(alpha, i):
    """Where the ridge is highest along coordinate i: it rises towards a = b on either side."""
    return alpha[1 - i]


@given(whole, whole)
def test_a_concave_W_with_a_kink_holds_coordinate_ascent_on_its_ridge(a, b):
    start = [a, b]
    for i in (0, 1):  # the largest value of a piecewise linear function is at one of its kinks
        best = along_the_ridge(start, i)
        kinks = [start[1 - i], -start[1 - i]]
        heights = [ridge(start[:i] + [v] + start[i + 1:]) for v in [best, *kinks]]
        assert heights[0] == max(heights)
        assert heights.count(heights[0]) == (3 if best == 0 else 2)
    points = climb(along_the_ridge, start, passes(2, 3))
    assert all(point == [b, b] for point in points[1:])
    assert ridge([b, b]) == -abs(b) / 5  # below the maximum 0 unless b is 0
    assert climb_greedily(ridge, along_the_ridge, [b, b], 5) == [[b, b]]


tied_hinges = givens(biases=(True,), slacks=("hinge",))


@given(tied_hinges.flatmap(lambda g: st.tuples(st.just(g), feasible(g))))
def test_with_an_offset_the_equation_leaves_no_multiplier_any_room(given_and_alpha):
    given, alpha = given_and_alpha
    y = given.y

    def along(alpha, i):  # the only alpha_i with sum alpha_i y_i = 0
        return -y[i] * exact.exact_sum(alpha[j] * y[j] for j in range(len(y)) if j != i)

    assert climb(along, alpha, passes(len(y), 1)) == [alpha] * (len(y) + 1)


def test_the_solver_says_why_it_refuses_an_offset():
    with pytest.raises(ValueError) as caught:
        coordinate_ascent(Problem([[0], [2]], [-1, 1]))
    assert str(caught.value) == (
        "problem has an offset, so sum alpha_i y_i = 0 gives each alpha_i from the others and"
        " none can move alone; coordinate_ascent needs bias=False"
    )


# ---- refusals and inputs


@pytest.mark.parametrize(
    "call, error, sentence",
    [
        (lambda: climb(along_the_ridge, [0, 0], [2]), ValueError,
         "a pick is 2; start has length 2"),
        (lambda: climb(along_the_ridge, [0, 0], [-1]), ValueError,
         "a pick is -1; it must be at least 0"),
        (lambda: climb(along_the_ridge, [], []), ValueError,
         "start is empty; it must hold at least one number"),
        (lambda: climb_greedily(ridge, along_the_ridge, [0, 0], -1), ValueError,
         "steps is -1; it must be at least 0"),
        (lambda: quadratic([[1, 0], [0, 0]], [1, 1]), ValueError,
         "A[1][1] is 0.0; W has no largest value along coordinate 1"),
        (lambda: quadratic([[1, 2], [0, 1]], [1, 1]), ValueError,
         "A[0][1] is 2.0 and A[1][0] is 0.0; A must be symmetric, so take"
         " (A + A.T) / 2"),
        (lambda: quadratic([[1]], [1, 1]), ValueError,
         "b has length 2 and A has 1 rows; the two must be equal"),
        (lambda: coordinate_ascent(Problem([[0], [2]], [-1, 1], bias=False), tol=-1), ValueError,
         "tol is -1.0; it must not be negative"),
    ],
)
def test_a_bad_argument_is_named(call, error, sentence):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == sentence


def test_inputs_are_left_alone():
    A, b, start, X, alpha = [[2, 1], [1, 2]], [1, 1], [2, -2], [[1], [2], [-1]], [0, 1, 1]
    W, along = quadratic(A, b)
    climb(along, start, [0, 1])
    climb_greedily(W, along, start, 3)
    coordinate_ascent(Problem(X, [1, 1, -1], bias=False), start=alpha)
    assert (A, b, start) == ([[2, 1], [1, 2]], [1, 1], [2, -2])
    assert (X, alpha) == ([[1], [2], [-1]], [0, 1, 1])


# ---- the solver


def plain(monkeypatch):
    """Leave the face out: the passes as the formula has them."""
    monkeypatch.setattr(loop, "move_free_multipliers", lambda ascent, tol, budget: 0)


def Q_of(given):
    n = len(given.y)
    ridge = given.problem().ridge()
    return [
        [given.y[i] * given.y[j] * given.K[i][j] + (ridge[i] if i == j else 0) for j in range(n)]
        for i in range(n)
    ]


@given(givens(biases=(False,)), st.integers(0, 6))
@draws(3/5)
def test_its_steps_are_the_formula_with_those_passed_over_that_do_not_move(given, steps):
    with pytest.MonkeyPatch.context() as monkeypatch:
        plain(monkeypatch)
        solution = coordinate_ascent(given.problem(), tol=0, max_iter=steps)
    along = dual_along(Q_of(given), given.problem().upper_bounds())
    n = len(given.y)
    points = climb(along, [Fraction(0)] * n, passes(n, steps + 1))
    moved = [points[0]] + [after for before, after in zip(points, points[1:]) if after != before]
    assert solution.alpha == moved[solution.iterations]
    assert solution.iterations == min(steps, len(moved) - 1)


@given(givens(most=4, biases=(False,)))
@draws(1/2)
def test_the_optimum_is_where_no_coordinate_of_the_dual_wants_to_move(given):
    along = dual_along(Q_of(given), given.problem().upper_bounds())
    best = coordinate_ascent(given.problem(), tol=0).alpha
    assert [along(best, i) for i in range(len(best))] == best


@given(givens(most=4, biases=(False,)).flatmap(lambda g: st.tuples(st.just(g), feasible(g))))
@draws(1/2)
def test_dual_along_is_the_best_value_within_the_bounds(given_and_alpha):
    given, alpha = given_and_alpha
    problem = given.problem()
    along = dual_along(Q_of(given), problem.upper_bounds())
    for i, top in enumerate(problem.upper_bounds()):
        best = along(alpha, i)
        if best == inf:
            assert Q_of(given)[i][i] == 0 and top == inf
            continue
        assert 0 <= best <= top
        height = problem.dual(alpha[:i] + [best] + alpha[i + 1:])
        # W is concave along the coordinate: no end and no neighbour is higher.
        for other in (0, best / 2, (best + 1) / 2, best + 1, top):
            if other <= top and other < inf:
                assert problem.dual(alpha[:i] + [other] + alpha[i + 1:]) <= height


def test_turns_go_round_in_index_order():
    steps = []
    X = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    coordinate_ascent(Problem(X, [1, -1, 1], C=9, bias=False), on_step=steps.append)
    assert [step.i for step in steps] == [0, 1, 2]


# ---- a kernel value of zero


@given(st.lists(st.sampled_from([Fraction(0), Fraction(1)]), min_size=2, max_size=4),
       st.sampled_from([Fraction(1, 3), Fraction(2), Fraction(5)]))
def test_a_row_at_the_origin_goes_to_its_bound_and_divides_by_nothing(column, C):
    y = [1, -1] + [1] * (len(column) - 2)
    problem = Problem([[v] for v in column], y, C=C, bias=False)
    solution = coordinate_ascent(problem, tol=0)
    assert (solution.status, solution.gap) == ("optimal", 0)
    assert all(a == C for a, v in zip(solution.alpha, column) if v == 0)
    along = dual_along(Q_of_rows(column, y), problem.upper_bounds())
    for i, v in enumerate(column):
        if v == 0:
            assert along([Fraction(0)] * len(column), i) == C


def Q_of_rows(column, y):
    return [[s * t * v * u for t, u in zip(y, column)] for s, v in zip(y, column)]


def test_a_row_at_the_origin_has_no_hard_margin():
    solution = coordinate_ascent(Problem([[0], [0]], [1, -1], C=inf, bias=False))
    assert solution.status == "infeasible" and 1.0 in solution.farkas
    assert dual_along([[0, 0], [0, 0]], [inf, inf])([0, 0], 1) == inf


def test_along_a_straight_line_the_better_end_is_taken_and_0_where_it_is_level():
    along = dual_along([[0, 2], [2, 0]], [3, 3])
    assert [along([alpha, 0], 1) for alpha in (0, Fraction(1, 2), 1)] == [3, 0, 0]


def test_a_multiplier_that_falls_to_its_bound_is_no_minus_zero():
    problem = Problem([[1.0], [3.0], [-1.0]], [1, 1, -1], bias=False)
    assert str(textbook_coordinate_ascent(problem).alpha) == "[1.0, 0.0, 0.0]"


def test_the_textbook_passes_end_with_the_first_that_violates_nothing():
    problem = Problem([[Fraction(0)], [3], [1]], [1, -1, 1], bias=False)
    solution = textbook_coordinate_ascent(problem, tol=0, max_iter=5)
    assert (solution.status, solution.iterations) == ("optimal", 2)


# ---- the notes' algorithm on the dual


@given(givens(most=4, biases=(False,), hard=True))
@draws(3/5)
def test_where_the_textbooks_passes_end_on_fractions_they_end_at_the_optimum(given):
    solution = textbook_coordinate_ascent(given.problem(), tol=0, max_iter=6)
    if solution.status == "max_iter":
        assert (solution.iterations, solution.violation > 0) == (6, True)
        return
    truth = exact.optimum(*given.for_the_judge)
    if solution.status == "infeasible":
        assert truth is None
        return
    assert (solution.status, solution.b, solution.objective) == ("optimal", 0, truth.value)
    assert given.problem().gap(solution.alpha, 0) == 0


@given(givens(most=4, biases=(False,)))
@draws(1/2)
def test_a_pass_of_the_textbook_is_a_climb_along_every_coordinate(given):
    problem = given.problem()
    along = dual_along(Q_of(given), problem.upper_bounds())
    for k in (1, 2):
        solution = textbook_coordinate_ascent(problem, tol=0, max_iter=k)
        points = climb(along, [Fraction(0)] * problem.n, passes(problem.n, solution.iterations))
        assert solution.alpha == points[-1]


@given(givens(most=5, biases=(False,)))
@draws(1/2)
def test_on_doubles_the_textbook_comes_to_the_solution_of_record(given):
    problem = given.problem().to(float)
    solution = textbook_coordinate_ascent(problem, tol=1e-6, max_iter=2000)
    record = coordinate_ascent(problem, tol=1e-6)
    assert solution.status in ("optimal", "max_iter")
    near = abs(solution.objective - record.objective)
    gap = problem.gap(solution.alpha, 0)
    assert near <= max(gap, record.gap) + 1e-9 * max(1, abs(record.objective))


def test_the_textbook_refuses_an_offset_and_names_other_ends():
    with pytest.raises(ValueError, match="textbook_coordinate_ascent needs bias=False"):
        textbook_coordinate_ascent(Problem([[0], [2]], [-1, 1]))
    origin = Problem([[1], [0]], [1, -1], C=inf, bias=False)
    assert textbook_coordinate_ascent(origin).status == "infeasible"
