"""Multipliers that prove that there is no hard margin: found where the classes touch, else not."""

from fractions import Fraction as Q
from math import inf

from hypothesis import assume, given
from hypothesis import strategies as st

from refsvm.kernels.gram_matrices import KernelRows
from refsvm.kernels.standard import Linear, Polynomial, Precomputed
from refsvm.numerics.factorisations import rank
from refsvm.numerics.linalg import dot, subtract
from refsvm.solvers.active_set import active_set
from refsvm.solvers.coordinate_ascent import coordinate_ascent
from refsvm.solvers.decomposition import decomposition
from refsvm.solvers.infeasibility import MAX_SUPPORT, farkas_multipliers, projection, vanishes
from refsvm.solvers.projected_gradient import projected_gradient
from refsvm.solvers.smo import smo
from refsvm.solvers.textbook_smo import textbook_smo
from refsvm.svm.problem import Problem

whole = st.integers(-3, 3).map(Q)


def row_of(problem):
    return KernelRows(problem, 10).row


@given(st.lists(st.lists(whole, min_size=4, max_size=4), max_size=3),
       st.lists(whole, min_size=4, max_size=4))
def test_projection_is_in_the_span_and_what_is_left_is_orthogonal_to_it(basis, a):
    assume(not basis or rank(basis) == len(basis))
    near = projection(a, basis)
    assert not any(near) if not basis else rank([*basis, near]) == len(basis)
    assert [dot(subtract(a, near), v) for v in basis] == [0] * len(basis)


@given(st.lists(st.integers(1, 5).map(Q), min_size=3, max_size=3), whole, st.booleans())
def test_the_nearest_solution_of_the_equations_is_returned(alpha, middle, bias):
    # two ends of a line and a point of the other class between them: q is (1, 2, 1) t
    X, y = [[middle - 1], [middle], [middle + 1]], [1, -1, 1]
    problem = Problem(X, y, C=inf, bias=bias).to(Q)
    beta = [a * s for a, s in zip(alpha, y)]
    found = farkas_multipliers(problem, beta, row_of(problem))
    if bias:
        t = (alpha[0] + 2 * alpha[1] + alpha[2]) / 6
        assert found == [t, 2 * t, t]
    elif found is not None:
        assert sum(q * s * x[0] for q, s, x in zip(found, y, X)) == 0
        assert min(found) >= 0 < max(found)


@given(st.lists(st.tuples(whole, whole, st.sampled_from([1, -1]), st.integers(0, 3)),
                min_size=2, max_size=6), st.booleans())
def test_whatever_is_returned_is_a_proof(given_rows, bias):
    X, y = [[p, q] for p, q, _, _ in given_rows], [s for _, _, s, _ in given_rows]
    assume(len(set(y)) == 2)
    kernel = Polynomial(2, coef0=Q(1))
    problem = Problem(X, y, kernel, C=inf, bias=bias).to(Q)
    beta = [Q(a) * s for (_, _, _, a), s in zip(given_rows, y)]
    q = farkas_multipliers(problem, beta, row_of(problem))
    if q is not None:
        assert min(q) >= 0 < max(q)
        signed = [a * s for a, s in zip(q, y)]
        assert not bias or sum(signed) == 0
        assert all(sum(c * kernel(x, z) for c, x in zip(signed, X)) == 0 for z in X)
        assert all(a == 0 for a, b in zip(q, beta) if b == 0)  # within the support


def test_classes_that_are_apart_have_no_proof():
    problem = Problem([[Q(0)], [Q(2)]], [-1, 1], C=inf)
    assert farkas_multipliers(problem, [Q(-1), Q(1)], row_of(problem)) is None
    assert farkas_multipliers(problem, [Q(0), Q(0)], row_of(problem)) is None


def test_an_example_whose_slack_has_a_penalty_proves_nothing():
    X, y = [[Q(1)], [Q(1)], [Q(1)]], [1, -1, 1]
    both = Problem(X, y, C=[inf, inf, 1])
    assert farkas_multipliers(both, [Q(1), Q(-2), Q(1)], row_of(both)) == [Q(3, 2), Q(3, 2), 0]
    charged = Problem(X, y, C=[inf, 1, 1])
    assert farkas_multipliers(charged, [Q(1), Q(-2), Q(1)], row_of(charged)) is None


def test_alpha_itself_is_looked_at_where_there_are_too_many_for_the_null_space():
    n = MAX_SUPPORT // 2 + 1
    problem = Problem([[Q(1)]] * (2 * n), [1, -1] * n, C=inf)
    assert farkas_multipliers(problem, [Q(1), Q(-1)] * n, row_of(problem)) == [1] * (2 * n)
    assert farkas_multipliers(problem, [Q(2), Q(-1)] * n, row_of(problem)) is None


def test_on_floats_the_rounding_of_the_sum_is_allowed_and_no_more():
    apart = 2.0**-20  # |q sum|^2 is then 2^-40 of the terms: far above their rounding
    for distance, touches in ((0.0, True), (apart, False)):
        problem = Problem([[1.0], [1.0 + distance]], [1, -1], Linear(), C=inf)
        assert vanishes(problem, {0: 1.0, 1: 1.0}, row_of(problem)) is touches
    problem = Problem([[0.1 * 3], [0.3]], [1, -1], Linear(), C=inf, bias=False)
    assert vanishes(problem, {0: 1.0, 1: 1.0}, row_of(problem))
    lopsided = Problem([[0.0], [0.0]], [1, -1], Linear(), C=inf)
    assert not vanishes(lopsided, {0: 1.0, 1: 1.5}, row_of(lopsided))


def test_what_rounding_alone_makes_touch_is_not_infeasible():
    """The classes are 2^-30 apart, or the curvature is below 0, or slack costs no more than C."""
    near = Problem([[1.0, 2.0**30], [1.0 + 2.0**-30, 2.0**30], [1.0, -(2.0**30)],
                    [1.0 + 2.0**-30, -(2.0**30)]], [1, -1, 1, -1], Polynomial(1), C=inf)
    bent = Problem([[1, 2], [2, 1]], [1, -1], Precomputed(), C=inf, bias=False)
    for problem in (near, bent):
        for solver in (smo, decomposition, coordinate_ascent, projected_gradient, active_set):
            if problem.bias != (solver is coordinate_ascent):
                assert solver(problem, tol=1e-3, max_iter=2000).status != "infeasible"
    same = Problem([[1e5], [1e5]], [-1, 1], Polynomial(4), C=1, slack="squared")
    assert textbook_smo(same).status != "infeasible"


def test_doubles_that_touch_are_infeasible():
    for X, y in (([[0.1], [0.4], [0.7]], [1, -1, 1]),
                 ([[0.1, 0.3], [0.7, 0.2], [0.4, 0.9], [0.45, 0.42]], [1, 1, 1, -1])):
        for solver in (smo, projected_gradient, active_set):
            assert solver(Problem(X, y, C=inf)).status == "infeasible"
