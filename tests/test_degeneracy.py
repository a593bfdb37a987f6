"""What says that there is no machine is said of doubles where exact arithmetic agrees."""

from fractions import Fraction as Q
from math import inf
from random import Random

import equality
import pytest
import truths
from hypothesis import assume, given
from hypothesis import strategies as st

import refsvm
import refsvm_fast
from refsvm import Gaussian, Linear, MonomialSum, NuProblem, OneClassProblem, Polynomial
from refsvm.solvers import degeneracy, semidefiniteness
from refsvm.solvers.decomposition import decomposition
from refsvm.solvers.degeneracy import is_proved_degenerate
from refsvm.solvers.semidefiniteness import exact_rows, is_semidefinite

XOR, LABELS = [[0, 0], [1, 1], [0, 1], [1, 0]], [1, 1, -1, -1]
TWINS = [[0.1, 0.7], [0.3, 0.3], [0.3, 0.3], [0.1, 0.7]]
FAR, APART = [[0], [1e9], [2e9], [3e9]], [-1, 1, -1, 1]
NEAR = [[0.0], [1e-6], [1.0], [1 + 1e-6]]
WEIGHTS = [0.1, 0.3, 0.7, 1.1]

MEETING = [
    NuProblem(XOR, LABELS, Linear(), 0.5),
    NuProblem(XOR, LABELS, Linear(), 1 / 3, [0.7, 1.1, 0.3, 0.9]),
    NuProblem([[x * 0.1 for x in row] for row in XOR], LABELS, Linear(), 0.3),
    NuProblem([[0.1], [0.2], [0.3], [0.7]], [1, -1, -1, 1], Linear(), 0.1),
    NuProblem(TWINS, LABELS, Gaussian(1.0), 0.3, WEIGHTS),
    NuProblem(TWINS, LABELS, Gaussian(1.0) + Linear(), 0.3),
    NuProblem(TWINS, LABELS, Polynomial(3, 0.1, 0.3), 0.5),
    NuProblem(TWINS, LABELS, Polynomial(11, 0.1, 0.3), 0.3),
    NuProblem(TWINS, LABELS, lambda x, z: 2.0 if x[0] == z[0] else 1.0, 0.3),
    NuProblem(["abc", "bcd", "bcd", "abc"], LABELS, refsvm.Spectrum(2), 0.3),
    NuProblem([[1.0, 0.5, 0.5, 1.0], [0.5, 1.0, 1.0, 0.5], [0.5, 1.0, 1.0, 0.5],
               [1.0, 0.5, 0.5, 1.0]], LABELS, refsvm.Precomputed(), 1 / 3),
    OneClassProblem([[0.1, 0.1], [-0.3, 0.2], [0.2, -0.7], [0.1, 0.1]], Linear(), 0.45),
    OneClassProblem([[0.1], [-0.3], [0.7]], Polynomial(3), 0.3, [0.9, 0.3, 0.7]),
]
APART_BY_LITTLE = [
    NuProblem(FAR, APART, Polynomial(3, 1, 1), 0.5),
    NuProblem(NEAR, [1, -1, 1, -1], Gaussian(0.5), 0.5),
    NuProblem([[0.0], [1e-9]], [1, -1], Gaussian(1.0), 0.5),  # whose value is 1.0 in doubles
    NuProblem([[1.0, 2.0**30], [1.0 + 2.0**-30, 2.0**30], [1.0, -(2.0**30)],
               [1.0 + 2.0**-30, -(2.0**30)]], [1, -1, 1, -1], Linear(), 0.9),
    NuProblem([[-0.5], [0.5], [1000.0], [-1.0]], [1, -1, -1, 1], Polynomial(3, 0.1, 0.3), 0.25),
    NuProblem([[0.1], [0.2], [0.3]], [1, -1, 1], Linear(), 2 / 3 * (1 - 2**-50), [1, 1, 1e-3]),
    OneClassProblem([[1.0, 1e9], [1.0, -1e9]], Polynomial(2, 1, 0), 0.7),
]


@pytest.mark.parametrize("problem", MEETING, ids=repr)
def test_hulls_that_meet_are_degenerate_in_both_packages(problem):
    solution = same(problem)
    assert solution.status == "degenerate"
    assert min(solution.farkas) >= 0 < max(solution.farkas)


@pytest.mark.parametrize("problem", APART_BY_LITTLE, ids=repr)
def test_hulls_that_rounding_alone_makes_meet_are_not(problem):
    assert same(problem).status in ("optimal", "precision")
    assert refsvm.solve_exactly(problem).status != "degenerate"


def same(problem):
    """The Solution of smo, which is that of both packages."""
    equality.same("smo", problem)
    return refsvm.smo(problem)


tenths = st.integers(-9, 9).map(lambda v: v / 10)


@given(st.lists(st.tuples(tenths, tenths, st.sampled_from([1, -1]), st.sampled_from([1, 0.3])),
                min_size=2, max_size=8), st.sampled_from([0.1, 1 / 3, 0.5, 0.7]),
       st.sampled_from([Linear(), Polynomial(2, 1, 1), MonomialSum(2), Gaussian(1.0)]),
       st.booleans())
def test_the_word_is_that_of_exact_arithmetic(given_rows, nu, kernel, one_class):
    X, weights = [[p, q] for p, q, _, _ in given_rows], [w for *_, w in given_rows]
    y = [s for _, _, s, _ in given_rows]
    assume(len(set(y)) == 2)
    problem = (OneClassProblem(X, kernel, nu, weights) if one_class
               else NuProblem(X, y, kernel, nu, weights))
    told, exact = refsvm.smo(problem).status, refsvm.solve_exactly(problem).status
    assert (told == "degenerate") == (exact == "degenerate")


def grid(side):
    """The points of a square grid, of both classes in turn."""
    X = [[i * 0.1, j * 0.1] for i in range(side) for j in range(side)]
    return X, [1 if i % 2 else -1 for i in range(len(X))]


@pytest.mark.slow("many rows that are not proved degenerate")
def test_hundreds_of_rows_among_each_other_are_degenerate():
    X, y = grid(17)
    for kernel in (Linear(), Polynomial(2, 1, 1)):
        assert same(NuProblem(X, y, kernel, 0.3)).status == "degenerate"


def test_more_multipliers_than_are_looked_at_prove_nothing(monkeypatch):
    X, y = grid(9)
    problem = NuProblem(X, y, Linear(), 0.3)
    for name, most in (("MAX_MOVABLE", 0), ("MAX_MOVABLE", 1), ("MAX_EXAMPLES", 5)):
        with monkeypatch.context() as patch:
            patch.setattr(degeneracy, name, most)
            if name == "MAX_EXAMPLES":
                patch.setattr(degeneracy, "MAX_MOVABLE", 20)
            solution = same(problem)
        assert solution.status == "precision" and solution.iterations < 1000
        assert "m - M may be" in solution.limit and " and rho 0: " in solution.limit
    assert refsvm.smo(problem).status == "degenerate"


def scattered(n, kernel):
    random = Random(12)
    X = [[random.gauss(0, 10), random.gauss(0, 10)] for _ in range(n)]
    return NuProblem(X, [random.choice([1, -1]) for _ in X], kernel, 0.1)


def test_a_proof_in_long_fractions_ends(monkeypatch):
    """Of 50 rows and a polynomial of degree 7 it took minutes, when nothing was counted."""
    monkeypatch.setattr(degeneracy, "MAX_WORK", degeneracy.MAX_WORK >> 4)
    solution = refsvm_fast.smo(scattered(50, Polynomial(7, 1, 1)))
    assert solution.status == "precision" and " and rho 0: " in solution.limit


def test_the_work_of_a_proof_is_counted_as_the_standard_says(monkeypatch):
    """Twins: 2 variables and 2 sums, numbers of Q of 1 bit, and halves: points 1 and 2, once."""
    twins = NuProblem([[1.0], [1.0]], [1, -1], Linear(), 0.5)
    work = 2 * (4 * (4 * 1 + 2) ** 2)
    for most, expected in (work, True), (work - 1, False):
        monkeypatch.setattr(degeneracy, "MAX_WORK", most)
        assert proved(twins, [0.5, 0.5]) == expected


def test_the_bits_of_all_values_are_counted(monkeypatch):
    """The longest is 9, of 4 bits; or the denominator 4, of 3."""
    three, quarter = [[3.0], [1.0]], [[0.5], [0.5]]
    for X, y, bits in (three, [1, -1], 4), (quarter, [1, -1], 3):
        row = exact_rows(NuProblem(X, y, Linear(), 0.5), [0, 1])
        for most, expected in (4 * bits, bits), (4 * bits - 1, None):
            monkeypatch.setattr(degeneracy, "MAX_BITS", most)
            assert degeneracy._longest(row, 2) == expected
    assert not proved(NuProblem(quarter, [1, -1], Linear(), 0.5), [0.5, 0.5])


def test_a_matrix_that_takes_long_to_judge_proves_nothing(monkeypatch):
    """2 examples, whose values in units of the least are 1, of 1 bit: 2 (2 * 1)^2."""
    twins = NuProblem([[2.0, 2.0], [2.0, 2.0]], [1, -1], refsvm.Precomputed(), 0.5)
    assert proved(twins, [0.5, 0.5])
    for most, expected in (8, True), (7, False):
        monkeypatch.setattr(semidefiniteness, "MAX_BIT_PRODUCTS", most)
        assert is_semidefinite(twins) == proved(twins, [0.5, 0.5]) == expected
    monkeypatch.undo()
    monkeypatch.setattr(semidefiniteness, "MAX_ELIMINATED", 1)
    assert not is_semidefinite(twins)
    monkeypatch.setattr(semidefiniteness, "MAX_ELIMINATED", 0)
    assert is_semidefinite(NuProblem(["abc", "abc"], [1, -1], refsvm.Spectrum(2), 0.5))


def test_what_cannot_be_told_ends_after_twenty_looks(monkeypatch):
    monkeypatch.setattr(degeneracy, "MAX_MOVABLE", 0)
    monkeypatch.setattr(degeneracy, "MAX_EXAMPLES", 0)
    X = [[x, y, z] for x in (0.0, 1.0, 2.0) for y in (0.0, 1.0, 2.0) for z in (0.0, 1.0, 2.0)]
    solution = same(NuProblem(X + X, [1] * 27 + [-1] * 27, Gaussian(1.0), 0.3))
    assert solution.status == "precision" and solution.iterations == 20 * (54 // 4 + 1)


def test_what_was_not_proved_at_first_is_asked_again_at_the_end():
    random = Random(4)
    X = [[random.choice([0, 1, 2, -1, 0.1, 0.3, 1e3, 7.7]) for _ in "xy"] for _ in range(62)]
    problem = NuProblem(X, [1, -1] * 31, Polynomial(3, 0.1, 0.3), 0.1)
    assert same(problem).status == "degenerate"
    at_first = refsvm.smo(problem, max_iter=16)
    assert at_first.status == "max_iter"


def proved(problem, alpha):
    return is_proved_degenerate(problem, problem.dual_form(), problem.variables_of(alpha))


def test_multipliers_that_are_rounded_are_mended_within_their_bounds():
    X, y = [[0.0], [3.0], [1.0]], [1, 1, -1]
    meet = NuProblem(X, y, Linear(), 0.2)
    third = meet.nu * 3 / 2
    assert proved(meet, [third * 2 / 3, third / 3, third])
    assert proved(meet, [third, 0.0, third])
    # 2 / 3 of the sum is more than one multiplier may be
    apart = NuProblem(X, y, Linear(), 0.2, [0.09, 1.0, 0.41])
    assert not proved(apart, [0.09, 0.06, 0.15])
    assert refsvm.smo(apart).status == "optimal"


def test_multipliers_that_have_not_the_sums_prove_nothing(monkeypatch):
    """Two of the four allow a sum of 1, and 1.5 is asked for."""
    monkeypatch.setattr(degeneracy, "MAX_MOVABLE", 1)
    problem = NuProblem([[0.0], [0.0], [1.0], [2.0]], [1, -1, 1, -1], Linear(), 0.75)
    assert proved(NuProblem(problem.X, problem.y, Linear(), 0.5), [1.0, 1.0, 0.0, 0.0])
    assert not proved(problem, [1.0, 1.0, 0.0, 0.0])


def test_a_matrix_of_no_inner_products_is_not_taken_for_zero():
    """q'Kq is 0, and Kq is not: no hyperplane has the weights 0."""
    K = [[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0]]
    problem = NuProblem(K, [1, -1, -1], refsvm.Precomputed(), 2 / 3, [1.0, 1.0, 1e-9])
    assert not proved(problem, [0.5, 0.5, 0.0])


@pytest.mark.parametrize(("kernel", "expected"), [
    (Linear(), [[Q(1, 4), Q(1, 8)], [Q(1, 8), Q(1, 16)]]),
    (Polynomial(2, 1, 1), [[Q(25, 16), Q(81, 64)], [Q(81, 64), Q(289, 256)]]),
    (Gaussian(1.0), [[1, 0], [0, 1]]),
    (Polynomial(11, 1, 1), [[1, 0], [0, 1]]),
    (Gaussian(1.0) * Linear(), [[1, 0], [0, 1]]),
    (refsvm.Sigmoid(1.0, 0.0), [[1, 0], [0, 1]]),
    (lambda x, z: 2.0 + abs(x[0] - z[0]), [[2, Q(9, 4)], [Q(9, 4), 2]]),
])
def test_exact_rows_are_those_that_vanish_with_the_features(kernel, expected):
    problem = refsvm.Problem([[9.0], [0.5], [0.25]], [1, -1, 1], kernel)
    row = exact_rows(problem, [1, 2])
    assert [[Q(v, row(a).denominator) for v in row(a).numbers] for a in (0, 1)] == expected


# The estimators divide by rho


def test_nu_svc_refuses_where_the_hulls_meet_and_where_that_is_open():
    for package in (refsvm, refsvm_fast):
        machine = package.NuSVC(nu=0.5, kernel="poly", gamma=1, coef0=1)
        with pytest.raises(ValueError, match="^nu is 0.5; the reduced hulls of the classes -1 and"
                                             " 1 meet, so w is 0 and there is no machine:"
                                             " neither another nu nor kernel='rbf' was found"):
            machine.fit(XOR + XOR, LABELS + [-y for y in LABELS])
        with pytest.raises(ValueError, match="training the classes -1 and 1 ended with status"
                                             " 'precision' where rho may be 0, as it is if the"
                                             " reduced hulls meet:"
                                             " "):
            machine.fit(FAR, APART)
        assert not hasattr(machine, "rho_")


def test_nu_svc_answers_where_doubles_end_and_rho_is_above_zero():
    with pytest.warns(UserWarning, match="status 'precision'"):
        machine = refsvm.NuSVC(nu=0.5, kernel="rbf", gamma=0.5).fit(NEAR, [1, -1, 1, -1])
    assert 0 < machine.rho_[0] < 1e-12
    solution = machine.solutions_[0]
    assert solution.optimum_at_most < 0 and " and rho 0" not in solution.limit


@pytest.mark.parametrize("machine", ["nu", "one class"])
def test_the_primal_of_what_is_kept_is_no_more_than_is_said(machine):
    """Then rho is above 0 where that is below 0; numbers as large as they come."""
    seen = 0
    for seed in range(80):
        try:
            problem = truths.drawn_problem(Random(seed), machine)
            solution = refsvm.smo(problem)
        except ValueError:  # beyond the doubles
            continue
        offsets, most = [offset.value for offset in solution.offsets], solution.optimum_at_most
        if most < inf and solution.status != "infeasible":
            slip = truths.doubt(problem, solution.alpha)
            assert truths.kept_primal(problem, solution.alpha, offsets) <= Q(most) + slip
        if most < 0:
            seen += 1
            assert solution.offsets.rho.value > 0
    assert seen > 10


def test_nu_svc_does_not_divide_by_zero_when_steps_end_early():
    X = [[0.0, 1.0], [3.0, 3.0], [-3.0, -1.0], [0.0, 3.0], [-3.0, -2.0], [-1.0, 1.0]]
    for package in (refsvm, refsvm_fast):
        machine = package.NuSVC(nu=0.2, kernel="linear", gamma=1, max_iter=1)
        with pytest.raises(ValueError, match="'max_iter' where rho may be 0, .*: allow more"):
            machine.fit(X, [1, 1, 1, 1, 1, -1])


def test_one_class_refuses_where_the_origin_may_lie_among_the_rows(monkeypatch):
    for package in (refsvm, refsvm_fast):
        machine = package.OneClassSVM(kernel="linear", nu=0.7)
        with pytest.raises(ValueError, match="the origin lies in the reduced hull of the rows"):
            machine.fit([[0.1], [-0.3], [0.7]])
    monkeypatch.setattr(degeneracy, "MAX_MOVABLE", 0)
    monkeypatch.setattr(degeneracy, "MAX_EXAMPLES", 0)
    with pytest.raises(ValueError, match="'precision' where rho may be 0, as it is if the origin"):
        refsvm.OneClassSVM(kernel="linear", nu=0.7).fit([[0.1], [-0.3], [0.7]])


def test_scikit_learns_kind_refuses_in_the_same_words():
    pytest.importorskip("sklearn")
    from refsvm import sklearn
    with pytest.raises(ValueError, match="'precision' where rho may be 0, as it is if the"):
        sklearn.NuSVC(nu=0.5, kernel="poly", gamma=1, coef0=1).fit(FAR, APART)


# "indefinite", and "infeasible" of kernels that are no fractions


@pytest.mark.parametrize("K", [
    [[1, 2], [2, 1]], [[1, 3, 0], [3, 4, 0], [0, 0, 1]], [[2, 2.5, 1], [2.5, 3, 0], [1, 0, 5]],
], ids=repr)
def test_a_direction_without_end_and_a_curvature_below_zero_is_indefinite(K):
    y = [1, -1, 1][: len(K)]
    problem = refsvm.Problem(K, y, refsvm.Precomputed(), C=inf, bias=False)
    for solver in (refsvm.smo, decomposition, refsvm.coordinate_ascent, refsvm.active_set,
                   refsvm.projected_gradient):
        assert solver(problem, tol=0).status == "indefinite"
    for name in ("smo", "coordinate_ascent", "active_set", "projected_gradient"):
        equality.same(name, problem, tol=0)


def test_rounding_alone_bends_nothing_upwards():
    """Both rows are parallel, but for the last bit: the values of the square are rounded."""
    X = [[0.1, 0.3], [0.1 * 3, 0.3 * 3]]
    problem = refsvm.Problem(X, [1, -1], Polynomial(2), C=inf, bias=False)
    for solver in (refsvm.smo, refsvm.coordinate_ascent, refsvm.active_set):
        assert solver(problem, tol=0, max_iter=2000).status != "indefinite"


def test_a_gaussian_has_a_hard_margin_unless_rows_of_both_classes_are_equal():
    near, equal = [[0.0], [1e-9], [3.0]], [[0.0], [3.0], [3.0]]
    for kernel in (Gaussian(1.0), Gaussian(1.0) + Gaussian(0.5)):
        for X, said in ((near, False), (equal, True)):
            problem = refsvm.Problem(X, [1, -1, 1], kernel, C=inf)
            for solver in (refsvm.smo, refsvm.projected_gradient, refsvm.active_set):
                status = solver(problem, max_iter=2000).status
                assert (status == "infeasible") == said, (solver, X)


def test_a_matrix_of_no_inner_products_ends_the_proof_as_well():
    """No equations of the active-set method may be singular, as they may be of such a matrix."""
    random = Random(8)
    for _ in range(30):
        n = random.choice([8, 40, 70])
        K = [[0.0] * n for _ in range(n)]
        for i in range(n):
            for j in range(i + 1):
                K[i][j] = K[j][i] = random.choice([0.0, 0.0, 1.0, -1.0, 0.5])
        y = [1, -1, *(random.choice([1, -1]) for _ in range(n - 2))]
        problem = NuProblem(K, y, refsvm.Precomputed(), random.choice([0.1, 0.2, 1 / 3]))
        assert refsvm_fast.smo(problem, max_iter=5000).status != "degenerate"
        form = problem.dual_form()
        start = [h / 100 * s for h, s in zip(range(n), [1 if v else -1 for v in form.upper])]
        assert not is_proved_degenerate(problem, form, start)
