"""Decomposition: the optimum of smo, by rounds of steps among a few members."""

import inspect
from fractions import Fraction as F
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from peers import peer
from profiles import draws
from refusing import refusals, type_error, value_error
from test_solvers import clouds

from refsvm import (
    Gaussian,
    Linear,
    Polynomial,
    Problem,
    Sigmoid,
    smo,
)
from refsvm.numerics.picks import uniform
from refsvm.solvers import conjugate_gradient
from refsvm.solvers import decomposition as module
from refsvm.solvers import dual_ascent as loop
from refsvm.solvers.decomposition import RoundAscent, choose_members, decomposition
from refsvm.solvers.dual_program import dual_program

# ---- the optimum


def test_rows_that_are_nearly_all_zero_give_the_answer_of_the_same_rows_laid_out():
    sparse = peer("scipy.sparse")
    draws = uniform(300, 120, 3)
    places = [[next(draws) for _ in range(5)] for _ in range(24)]
    X = [[float(k in row) * (1 + k % 3) for k in range(300)] for row in places]
    y = [1 if min(row) < 45 else -1 for row in places]
    for bias in (True, False):
        dense = decomposition(Problem(X, y, C=4, bias=bias), members=6)
        packed = decomposition(Problem(sparse.csr_matrix(X), y, C=4, bias=bias), members=6)
        assert packed[:2] == dense[:2] and packed.status == dense.status == "optimal"
        assert packed.gap <= dense.gap  # fewer columns can round


# ---- who is a member


values = st.sampled_from([F(v) for v in range(-3, 4)])


@st.composite
def states(draw):
    """up and low of beta that may rise, fall or both; m, M; how many; the members before."""
    n = draw(st.integers(2, 9))
    r = draw(st.lists(values, min_size=n, max_size=n))
    free = draw(st.lists(st.sampled_from(["rise", "fall", "both"]), min_size=n, max_size=n))
    up = [v if may != "fall" else -inf for v, may in zip(r, free)]
    low = [v if may != "rise" else inf for v, may in zip(r, free)]
    count = draw(st.integers(2, 8))
    last = draw(st.lists(st.sampled_from(range(n)), unique=True, max_size=count))
    m, M = (max(up), min(low)) if draw(st.booleans()) else (F(0), F(0))
    return up, low, m, M, count, last


@given(states())
@draws(5/2)
def test_members_are_those_that_violate_most_and_some_of_the_round_before(state):
    up, low, m, M, count, last = state
    members = choose_members(*state)
    assert len(members) == len(set(members)) <= count
    above = sorted((-v, k) for k, v in enumerate(up) if v > M)
    below = sorted((v, k) for k, v in enumerate(low) if v < m)
    assert above[:1] == [] or above[0][1] in members
    assert below[:1] == [] or below[0][1] in members  # so the most violating pair is there
    # Each is a violator or of the last round, and comes before all that violate less.
    kept = min(count // 2, count - 2, len(last))
    new = count - kept
    rising = [k for _, k in above][: new // 2]
    falling = [k for _, k in below if k not in rising][: new - len(rising)]
    free = [k for k in range(len(up)) if up[k] > -inf and low[k] < inf]
    others = [k for k in last if k in free] + free + last
    others = [k for k in dict.fromkeys(others) if k not in rising + falling]
    assert members == (rising + falling + others)[:count]


@pytest.mark.parametrize("up, low, count, last, members", [
    ([5, 4, -inf, 3, 2, -inf], [inf, 4, 0, 3, inf, 1], 4, [5, 4, 3, 1], [0, 2, 3, 1]),
    ([1, 1, 1, -inf, -inf], [inf, inf, inf, -1, -1], 2, [], [0, 3]),
    ([1, 1, 1, -inf, -inf], [inf, inf, inf, -1, -1], 3, [0, 2], [0, 3, 2]),
    ([1, 1, 1, -inf, -inf], [inf, inf, inf, -1, -1], 9, [], [0, 1, 2, 3, 4]),
    ([1, -inf, -inf, -inf], [inf, -1, -3, -2], 8, [], [0, 2, 3, 1]),
])
def test_members_by_hand(up, low, count, last, members):
    assert choose_members(up, low, max(up), min(low), count, last) == members


# ---- steps and rounds


@pytest.mark.parametrize("bias", [True, False])
def test_steps_move_the_multipliers_of_the_whole_that_they_name(bias):
    X, y = clouds(20, 2)
    problem = Problem([[F(round(64 * v), 64) for v in x] for x in X], y, C=F(2), bias=bias)
    steps = []
    alphas = [decomposition(problem, tol=0, max_iter=k, members=3).alpha for k in range(9)]
    decomposition(problem, tol=0, max_iter=8, members=3, on_step=steps.append)
    named = {step.j for step in steps} | {step.i for step in steps}
    assert len(named) > 3  # of several rounds
    alone = 0
    for before, after, step in zip(alphas, alphas[1:], steps):
        moved = {k for k, (a, b) in enumerate(zip(before, after)) if a != b}
        if moved <= {step.i, step.j}:  # no conjugate gradients followed
            assert moved == {step.i, step.j} and after[step.j] == step.clipped
            alone += 1
        assert problem.dual(after) >= step.objective > problem.dual(before)
    assert alone > 2


def test_a_round_leaves_its_members_a_tenth_of_the_violation_or_half_of_tol():
    X, y = clouds(40, 8)
    problem = Problem(X, y, Gaussian(1), C=5)
    ascent = RoundAscent(problem, dual_program(problem, None, 1), 6)
    while (violation := ascent.violation()) > 1e-3:
        assert ascent.advance(1e-3, 10**5, None)
        small = ascent.small_program(sorted(ascent.members))
        if ascent.iterations < ascent.next_face - ascent.cg_interval + 1:
            continue  # conjugate gradients moved the members, too
        assert small.violation() <= max(violation / 10, 1e-3 / 2) + 1e-12
    assert ascent.iterations > 20


def test_conjugate_gradients_follow_a_round_after_so_many_steps(monkeypatch):
    X, y = clouds(40, 8)
    problem = Problem(X, y, Gaussian(1), C=5)
    monkeypatch.setattr(module, "GROWTH", 1)
    seen = []
    monkeypatch.setattr(RoundAscent, "move_free_multipliers",
                        lambda self, tol: seen.append(self.iterations) or 0)
    ascent = RoundAscent(problem, dual_program(problem, None, 1), 4)
    due, marks = 11, []  # 40 // 4 + 1
    while ascent.violation() > 1e-3:
        ascent.advance(1e-3, 10**5, None)
        free = [u > -inf and v < inf for u, v in zip(ascent.up, ascent.low)].count(True)
        if ascent.iterations >= due and free > 4:
            marks.append(ascent.iterations)
            due = ascent.iterations + 11
    assert seen == marks and len(marks) > 1


@pytest.mark.parametrize("largest", [512, 6])
def test_conjugate_gradients_in_a_round_leave_large_faces_to_steps(monkeypatch, largest):
    X, y = clouds(24, 8)
    problem = Problem(X, y, Gaussian(4), C=50)
    moved, step = set(), conjugate_gradient.Face.step
    monkeypatch.setattr(conjugate_gradient.Face, "step",
                        lambda face: moved.add(len(face.index)) or step(face))
    monkeypatch.setattr(module, "LARGEST_FACE", largest)
    solution = decomposition(problem, members=24)
    assert solution.status == "optimal" and sum(1 for a in solution.alpha if 0 < a < 50) > 6
    assert (max(moved, default=0) > 6) == (largest == 512)


def test_without_a_limit_there_is_none(monkeypatch):
    limits = []
    monkeypatch.setattr(module, "maximise", lambda *given: limits.append(given[3]))
    for options in {}, {"max_iter": None}, {"max_iter": 3}:
        decomposition(Problem([[0], [1]], [1, -1]), **options)
    assert limits == [inf, inf, 3]


# ---- starting


def test_a_start_that_does_not_balance_loses_its_surplus_and_its_residuals_are_right():
    problem = Problem([[0], [1], [3], [4]], [-1, -1, 1, 1], C=5)
    solution = decomposition(problem, start=[3, 2, 1, 0], max_iter=0)
    assert solution.alpha == [0.0, 1.0, 1.0, 0.0]
    assert solution == smo(problem, start=[3, 2, 1, 0], max_iter=0)


# ---- endings


def test_negative_curvature_among_some_members_stays_in_mind():
    X, y = clouds(30, 2)
    problem = Problem(X, y, Sigmoid(3, -2), C=5)
    steps = []
    solution = decomposition(problem, members=4, on_step=steps.append)
    assert (solution.status, solution.violation < 1e-3) == ("indefinite", True)
    assert all(b.objective >= a.objective for a, b in zip(steps, steps[1:]))


def test_a_direction_without_end_names_the_examples_of_the_whole():
    # Examples 2 and 3 are one point with both labels, and members number 0 and 1 of a round.
    X = [[F(9)], [F(-9)], [F(1)], [F(1)]]
    solution = decomposition(Problem(X, [1, -1, 1, -1], C=inf), tol=0, members=2)
    assert (solution.status, solution.farkas) == ("infeasible", [0, 0, 1, 1])


@pytest.mark.parametrize("problem, members", [
    (Problem(*clouds(30, 4), Polynomial(3, coef0=1), C=100), 8),
    (Problem(*clouds(20, 4), C=3, slack="squared"), 4),
    (Problem(*clouds(20, 6), C=100, bias=False), 30),
    (Problem(*clouds(10, 7), Gaussian(0.5), C=1e4, bias=False, slack="squared"), 16),
])
def test_less_than_doubles_resolve_is_not_waited_for(problem, members):
    solution = decomposition(problem, tol=0, members=members)
    assert solution.status in ("precision", "optimal")
    assert solution.violation < 1e-9 and solution.iterations < 1000


def test_a_round_that_moves_nothing_does_not_come_again_for_ever():
    # With an alpha of 10^16 no residual is a slope: it was asked to look again, and again.
    X = [[0.5, -1], [1, 1], [-1, -0.5], [2, 0], [0, -2], [1, -1]]
    for seed in range(6):
        y = [1, -1, 1, -1, 1, -1] if seed % 2 else [1, 1, -1, -1, 1, -1]
        rows = [[v + seed / 7 for v in x] for x in X]
        solution = decomposition(Problem(rows, y, C=inf, bias=False), max_iter=500, members=3)
        assert solution.status in ("infeasible", "precision", "optimal")
    X, y = clouds(12, 1)
    far = Problem([[2000 + 9 * v for v in x] for x in X], y, Polynomial(3, coef0=1), C=0.1)
    solution = decomposition(far, members=12)
    assert solution.status in ("precision", "optimal") and solution.iterations < 1000


def test_two_rounds_that_undo_each_other_are_compared_with_the_best_of_all():
    problem = Problem([[0.0], [1.0]], [1, -1])
    ascent = RoundAscent(problem, dual_program(problem, None, 1), 2)
    states = iter([(4.0, 1.0), (5.0, 2.0), (4.0, 1.0), (5.0, 2.0), (3.0, 0.0), (9.0, 3.0)])

    def show():
        ascent.violation, ascent.objective = (lambda v=v: v for v in next(states))

    ascent.recompute_residuals = show
    assert [ascent.improves_when_recomputed(0) for _ in range(6)] == [
        True, True, False, False, True, True,
    ]


def test_numbers_that_go_beyond_the_doubles_are_refused_or_called_imprecise():
    X, y = [[0.0], [1.0], [2.0]], [1, -1, 1]
    with pytest.raises(ValueError, match="residual of example 2 went beyond the doubles; scale X"):
        decomposition(Problem(X, y, Polynomial(1), 1.7e308, False), max_iter=100, members=2)
    solution = decomposition(Problem(X, y, Linear(), 1.7e308, False), max_iter=100, members=2)
    assert solution.status == "precision" and solution.gap > 1e307


# ---- refusals, and what must not matter


def broken(pairs):
    """A kernel of rows [i], symmetric, that is infinite where {i, j} is one of the pairs."""
    bad = [set(pair) for pair in pairs]
    return lambda x, z: inf if {x[0], z[0]} in bad else 20.0 if x == z else x[0] * z[0]


@pytest.mark.parametrize("bad, named", [
    ([(3, 3), (0, 1)], "3 and 3"),  # the diagonal comes before all
    ([(0, 3), (1, 2)], "0 and 3"),  # then the block, row by row
    ([(1, 3), (0, 3)], "0 and 3"),
    ([(0, 5), (1, 4)], "0 and 5"),  # then the rows of members that moved
    ([(2, 5), (1, 4)], "1 and 4"),
])
def test_a_kernel_value_that_is_not_finite_is_named_by_its_examples(bad, named):
    y = [1, 1, -1, -1, 1, -1]
    problem = Problem([[i] for i in range(6)], y, broken(bad), C=1)
    with pytest.raises(ValueError) as caught:
        decomposition(problem, members=4)
    assert str(caught.value) == f"the kernel value of examples {named} is inf; it must be finite"


def test_a_member_that_did_not_move_needs_no_row_of_its_own():
    X = [[0.0], [1.0], [2.0], [3.0], [9.0]]
    asked = []

    def kernel(x, z):
        asked.append({x[0], z[0]})
        return 1 + x[0] * z[0]

    problem = Problem(X, [-1, 1, 1, 1, 1], kernel, C=1)
    assert decomposition(problem, members=3).status == "optimal"
    assert {2.0, 9.0} not in asked  # 2 was a member of the first round, and stayed at 0


test_a_bad_argument_is_named = refusals(
    value_error("members is 1; it must be at least 2",
                lambda: decomposition(Problem([[0], [2]], [-1, 1]), **{"members": 1})),
    type_error("members is 2.5; a whole number is needed",
               lambda: decomposition(Problem([[0], [2]], [-1, 1]), **{"members": 2.5})),
)


def test_all_as_members_is_smo_but_for_the_looks():
    X, y = clouds(30, 3)
    problem = Problem(X, y, Gaussian(2), C=1)
    one, other = [], []
    smo(problem, on_step=one.append)
    decomposition(problem, on_step=other.append)
    same = loop.CG_INTERVAL and problem.n // 4  # until conjugate gradients follow in smo
    assert one[:same] == other[:same]


def test_the_signature_is_that_of_smo_and_members():
    given, smos = (list(inspect.signature(f).parameters) for f in (decomposition, smo))
    assert given == [*smos[:5], "members", *smos[5:]]
    assert inspect.signature(decomposition).parameters["members"].default == 512


def test_smo_is_this_above_a_number_of_examples(monkeypatch):
    X, y = clouds(40, 8)
    problem = Problem(X, y, Gaussian(1), C=5)
    monkeypatch.setattr("refsvm.solvers.smo.MAX_SMO_ROWS", 40)
    below = smo(problem)
    monkeypatch.setattr("refsvm.solvers.smo.MAX_SMO_ROWS", 39)
    assert smo(problem) == decomposition(problem) != below


def no_face(monkeypatch):
    """Let no free multipliers move together."""
    monkeypatch.setattr(loop.DualAscent, "largest_face", 0)
    monkeypatch.setattr(loop.DualAscent, "largest_system", 0)


def test_smo_goes_over_to_rounds_where_steps_and_free_multipliers_are_many(monkeypatch):
    X, y = clouds(40, 8)
    problem = Problem(X, y, Gaussian(3), C=1)
    no_face(monkeypatch)
    taken = [[], []]
    below = smo(problem, tol=1e-9, on_step=taken[0].append)
    monkeypatch.setattr("refsvm.solvers.smo.MAX_STEP_ROWS", 39)
    assert smo(problem, tol=1e-9) == below  # as few are free
    monkeypatch.setattr(loop.DualAscent, "usual_system", 4)
    monkeypatch.setattr("refsvm.solvers.decomposition.MEMBERS", 6)
    found = smo(problem, tol=1e-9, on_step=taken[1].append)
    assert found.status == "optimal" and found != below
    assert next(k for k, (a, b) in enumerate(zip(*taken)) if a != b) == 44  # P is 11
