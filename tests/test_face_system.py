"""Faces of many free multipliers, solved at once; in both packages to the last bit."""

from fractions import Fraction as F
from random import Random

import pytest

import refsvm
import refsvm_fast
from refsvm.numerics.linalg import dot
from refsvm.solvers import conjugate_gradient, dual_ascent
from refsvm.solvers.conjugate_gradient import Face
from refsvm.solvers.dual_program import dual_program
from refsvm.solvers.face_system import FaceSystem, solve_face
from refsvm.solvers.pair_ascent import PairAscent


@pytest.fixture
def none_is_small(monkeypatch):
    """Every face is solved at once."""
    monkeypatch.setattr(dual_ascent.DualAscent, "largest_face", 0)


def exact_rows(random, n, d):
    return [[F(random.randint(-9, 9)) for _ in range(d)] for _ in range(n)]


def face_of(problem, start):
    """The PairAscent at a start, and its Face."""
    ascent = PairAscent(dual_program(problem, start, 1), problem.kind)
    return ascent, Face(ascent)


def quadratic(random, n, **options):
    """A problem with a positive definite kernel matrix, half way to all bounds."""
    y = [1, -1] * (n // 2)
    kernel = refsvm.Polynomial(2, F(1), F(1))
    problem = refsvm.Problem(exact_rows(random, n, 4), y, kernel, C=options.pop("C", F(10**9)),
                             **options)
    return problem, [F(1)] * n


@pytest.mark.parametrize("bias", [True, False])
def test_the_way_to_the_optimum_solves_the_system(bias):
    random = Random(1)
    problem, start = quadratic(random, 8, bias=bias)
    ascent, face = face_of(problem, start)
    system = FaceSystem(face, 0)
    z = system.solution()
    p, lam = z[system.first :], z[1] + face.r[0] if bias else 0
    K = [ascent.row(i) for i in face.index]
    assert [dot(row, p) + lam for row in K] == face.r
    assert not bias or dot(p, [1] * 8) == 0
    solve_face(face, 0, 0)
    assert face.violation() == 0
    members, r = face.index, face.r
    assert ascent.update_after_moving_from(face.start) > 0
    assert ascent.violation() == 0
    assert r == [ascent.residuals()[i] for i in members]


def test_members_that_meet_bounds_leave_the_residuals_of_the_others_true():
    for options in {}, {"bias": False}:
        problem, start = quadratic(Random(1), 12, C=F(3, 2), **options)
        ascent, face = face_of(problem, start)
        solve_face(face, 0, 0)
        members, r = face.index, face.r
        assert 0 < len(members) < 12
        ascent.update_after_moving_from(face.start)
        assert r == [ascent.residuals()[i] for i in members]


def test_a_face_near_enough_to_its_optimum_stays():
    problem, start = quadratic(Random(1), 8)
    for share, moves in (F(2), False), (F(199, 100), True):
        _, face = face_of(problem, start)
        solve_face(face, share * face.violation(), 0)
        assert (face.beta != list(face.start.values())) == moves


def test_a_member_that_leaves_is_as_if_it_had_never_been_there():
    random = Random(2)
    problem, start = quadratic(random, 8)
    _, face = face_of(problem, start)
    system, first = FaceSystem(face, 0), face.r[0]
    for k in (4, 8, 2):
        system.remove(k)
    rest = [a for a in range(8) if a + 2 not in (4, 8, 2)]
    for values in "index", "r":
        setattr(face, values, [getattr(face, values)[a] for a in rest])
    alone = FaceSystem(face, 0)
    solution = system.solution()
    assert [solution[a + 2] for a in rest] == alone.solution()[2:]
    assert solution[1] + first == alone.solution()[1] + face.r[0]
    assert [solution[k] for k in (4, 8, 2)] == [0, 0, 0]


def test_a_group_may_lose_all_its_members():
    rows, y = exact_rows(Random(3), 8, 3), [1, -1] * 4
    for noise, kind in (0, F), (2.0**-40, float):
        X = [[kind(v) for v in row] for row in rows]
        kernel = refsvm.Polynomial(2, kind(1), kind(1))
        problem = refsvm.NuProblem(X, y, kernel, nu=kind(F(1, 2)))
        start = [kind(F(1, 2))] * 8
        ascent, face = face_of(problem, start)
        system = FaceSystem(face, noise)
        ends = face.group_ends
        assert all(system.d[1:])
        for k, i in enumerate(face.index):
            if i < ends[0]:
                system.remove(system.first + k)
        assert system.d[1] == 0 and system.solution()[1] == 0
        assert any(system.solution()[system.first :])


def test_members_that_depend_on_others_are_held():
    rows = [[F(0)], [F(1)], [F(2)], [F(3)]] * 2
    problem = refsvm.Problem(rows, [1, -1] * 4, C=F(9), bias=False)
    _, face = face_of(problem, [F(1)] * 8)
    assert [k for k, d in enumerate(FaceSystem(face, 0).d) if d] == [8]  # x = 3, the last


def test_each_solver_comes_to_the_optimum_by_it(none_is_small):
    random = Random(4)
    for options in {}, {"bias": False}, {"slack": "squared"}, {"C": F(1, 100)}:
        problem, _ = quadratic(random, 12, **options)
        solution = refsvm.smo(problem, tol=0)
        assert (solution.status, solution.gap) == ("optimal", 0)


def test_both_packages_have_the_same_bits(none_is_small, monkeypatch):
    calls = []

    def noted(face, *given):
        before = len(face.index)
        solve_face(face, *given)
        calls.append(len(face.index) < before)

    monkeypatch.setattr(conjugate_gradient, "solve_face", noted)
    random = Random(5)
    for kernel in refsvm.Gaussian(0.5), refsvm.Linear(), refsvm.Sigmoid(0.5, -1.0):
        X = [[random.gauss(0, 1), random.gauss(0, 1)] for _ in range(20)]
        y, values = [1, -1] * 10, [random.gauss(0, 1) for _ in X]
        for problem in (
            refsvm.Problem(X, y, kernel, C=100.0), refsvm.Problem(X, y, kernel, slack="squared"),
            refsvm.Problem(X, y, kernel, C=10.0, bias=False), refsvm.NuProblem(X, y, kernel, 0.3),
            refsvm.RegressionProblem(X, values, kernel, C=100.0, epsilon=0.1),
            refsvm.NuRegressionProblem(X, values, kernel, C=100.0, nu=0.3),
        ):
            oracle = refsvm.smo(problem, tol=1e-9, max_iter=200)
            assert refsvm_fast.smo(problem, tol=1e-9, max_iter=200) == oracle
    assert calls.count(True) > 10 and calls.count(False) > 10


def test_rows_eliminated_by_the_panel_have_the_same_bits(none_is_small):
    random = Random(7)
    X = [[random.gauss(0, 1), random.gauss(0, 1)] for _ in range(75)]  # panels of 32, 32, the rest
    y = [random.choice([1, -1]) for _ in X]
    for problem in (
        refsvm.Problem(X, y, refsvm.Gaussian(0.5), slack="squared"),
        refsvm.Problem(X, y, refsvm.Polynomial(3, 1.0, 1.0), slack="squared", bias=False),
        refsvm.Problem(X, y, refsvm.Polynomial(2, 1.0, 1.0), C=1e4),  # most are held
        refsvm.NuProblem(X, y, refsvm.Gaussian(2.0), 0.8),
    ):
        oracle = refsvm.smo(problem, tol=1e-9, max_iter=150)
        assert refsvm_fast.smo(problem, tol=1e-9, max_iter=150) == oracle


def test_a_face_of_many_waits_until_its_cost_was_saved(monkeypatch):
    monkeypatch.setattr(dual_ascent.DualAscent, "largest_face", 5)
    problem, start = quadratic(Random(6), 8)
    ascent, face = face_of(problem, start)
    for patience in 2, 3, 4:  # 8^3 / 6 is 85
        assert conjugate_gradient.move_free_multipliers(ascent, 0, 25) == 0
        assert ascent.patience == patience and ascent.beta == list(ascent.program.start)
    assert conjugate_gradient.move_free_multipliers(ascent, 0, 25) > 0
    assert ascent.patience == 1 and ascent.violation() == 0
    ascent.largest_system = 7
    assert conjugate_gradient.move_free_multipliers(ascent, 0, 10**9) == 0


def test_a_face_of_more_than_usual_waits_four_times_as_long(monkeypatch):
    monkeypatch.setattr(dual_ascent.DualAscent, "largest_face", 5)
    problem, start = quadratic(Random(6), 8)
    for usual, patience in (7, 14), (8, 4):  # 8^3 / 6 is 85, and four times that 340
        ascent, _ = face_of(problem, start)
        ascent.usual_system = usual
        for k in range(2, patience + 1):
            assert conjugate_gradient.move_free_multipliers(ascent, 0, 25) == 0
            assert ascent.patience == k
        assert conjugate_gradient.move_free_multipliers(ascent, 0, 25) > 0


def test_both_packages_wait_alike(none_is_small, monkeypatch):
    random, ends = Random(8), []
    X = [[random.gauss(0, 1), random.gauss(0, 1)] for _ in range(75)]
    y = [random.choice([1, -1]) for _ in X]
    problem = refsvm.Problem(X, y, refsvm.Gaussian(0.5), slack="squared")
    for usual in 75, 6:
        monkeypatch.setattr(dual_ascent.DualAscent, "usual_system", usual)
        ends.append(refsvm.smo(problem, tol=1e-9, max_iter=300))
        assert refsvm_fast.smo(problem, tol=1e-9, max_iter=300) == ends[-1]
    assert ends[0] != ends[1]
