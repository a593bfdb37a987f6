"""Residuals by way of w: equal to those by way of K, and their error is bounded."""

from fractions import Fraction as F

import exact
from hypothesis import given
from hypothesis import strategies as st
from profiles import draws
from test_decomposition import clouds

from refsvm import Problem
from refsvm.solvers.decomposition import RoundAscent
from refsvm.solvers.dual_program import dual_program


@given(
    st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=4, max_size=7),
    st.sampled_from([1.0, 1e3, 1e7]), st.booleans(), st.sampled_from(["hinge", "squared"]),
)
@draws(3/5)
def test_residual_error_is_no_less_than_what_rounding_did_since_w_was_new(points, C, bias, slack):
    y = [1, -1, 1, -1, -1, 1, 1][: len(points)]
    X = [[p / 10, q / 7] for p, q in points]  # so that products round
    problem = Problem(X, y, C=C, bias=bias, slack=slack)
    ascent = RoundAscent(problem, dual_program(problem, None, 1), 3)
    rows = [[F(v) for v in x] for x in problem.rows]
    ridge = [F(v) for v in problem.ridge()]
    new = [F(0)] * 2, [F(0)] * len(points)  # w and beta when w was new
    for turn in range(8):
        if turn == 4:
            ascent.recompute_residuals()
            assert ascent.residual_error == 0
            new = [F(v) for v in ascent.linear.w], [F(b) for b in ascent.beta]
        if not ascent.advance(1e-9, ascent.iterations + 5, None) or not ascent.residual_error:
            break  # or w was made anew
        moved = [F(b) - c for b, c in zip(ascent.beta, new[1])]
        w = [v + exact.inner(moved, column) for v, column in zip(new[0], zip(*rows))]
        right = [s - exact.inner(w, x) - c * F(b)
                 for s, x, c, b in zip(y, rows, ridge, ascent.beta)]
        errors = [abs(F(v) - r) for v, r in zip(ascent.residuals(), right)]
        assert max(errors) <= ascent.residual_error
        reach = max(ascent.diagonal) * exact.exact_sum(abs(F(b)) for b in ascent.beta) + 1
        assert ascent.residual_error <= 2**-53 * 10 * (1 + ascent.iterations) * 9 * reach


def test_w_follows_every_move_and_residuals_follow_w():
    problem = Problem(*clouds(24, 3), C=2, slack="squared").to(F)
    ascent = RoundAscent(problem, dual_program(problem, None, 1), 4)
    for _ in range(6):
        ascent.advance(0, ascent.iterations + 4, None)
        columns = zip(*problem.rows)
        assert ascent.linear.w == [exact.inner(ascent.beta, column) for column in columns]
        K = [ascent.row(i) for i in range(problem.n)]
        right = [s - v for s, v in zip(problem.y, exact.times(K, ascent.beta))]
        assert ascent.residuals() == right and ascent.residual_error == 0
    mass = max(ascent.diagonal) * exact.exact_sum(map(abs, ascent.beta))
    assert mass <= ascent.linear.mass
    ascent.recompute_residuals()
    assert ascent.linear.mass == mass
    assert ascent.linear.roundings() == 0 + 3 + 5


def test_w_needs_no_row_of_the_kernel_matrix_but_that_of_a_face(monkeypatch):
    problem = Problem(*clouds(30, 3), C=2)
    monkeypatch.setattr(RoundAscent, "move_free_multipliers", lambda self, tol: 0)
    ascent = RoundAscent(problem, dual_program(problem, None, 1), 4)
    ascent.program.rows.compute = None
    for _ in range(5):
        assert ascent.advance(1e-3, 10**5, None)
