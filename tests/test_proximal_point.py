"""The proximal point method for linear slack (solvers/proximal_point.py), and what it says."""

import pickle
from array import array
from fractions import Fraction
from math import inf, ldexp, nextafter
from random import Random

import pytest
import truths
from equality import compiled, equality_test, own_problem, same, tree
from hypothesis import given
from hypothesis import strategies as st
from profiles import draws, slow_cases
from test_newton import with_fields

import refsvm
import refsvm_fast
from refsvm import Gaussian, Problem, proximal_point
from refsvm.numerics.linalg import dot
from refsvm.numerics.sparse_rows import KeptColumns, SparseRow
from refsvm.solvers.newton import gap_at
from refsvm.solvers.newton_direction import CHEAP_PRODUCTS
from refsvm.solvers.proximal_point import HARD, MOST_SHARE, ProximalDescent
from refsvm.svm.machine_in_doubles import machine_of_w
from refsvm.svm.own_weights import bounds_at_gradient, part_of_primal
from refsvm.svm.regression_without_offset import RegressionWithoutOffset

seeds = st.integers(0, 2**40)


def hinge(X, y, C=1):
    return Problem(X, y, C=C, bias=False)


def tube(X, y, C=1, epsilon=0.5):
    return RegressionWithoutOffset(X, y, C=C, epsilon=epsilon, slack="linear")


def of_rows(random, X, C, y=None):
    """A problem on these rows, of either sort; y: labels, for one of classification."""
    if y is None and random.random() < 0.5:
        values = [random.randint(-9, 9) / 2 for _ in X]
        return tube(X, values, C, random.choice([0, 0.5, 2, 20]))
    return hinge(X, y or [1, -1, *(random.choice([-1, 1]) for _ in X[2:])], C)


def small(random):
    """A problem on short numbers, whose penalties may be of very different sizes."""
    n, d = random.randrange(2, 8), random.randrange(1, 4)
    unit = random.choice([1, 1, 1, 2.0**-40, 2.0**40])
    X = [[random.randint(-9, 9) / 2 * unit for _ in range(d)] for _ in range(n)]
    for i in range(1, n):
        if random.random() < 0.2:
            X[i] = random.choice([X[0], [0.0] * d])
    C = random.choice([1, 0.25, 1e6, 1e-6, [10.0 ** random.randint(-6, 6) for _ in X]])
    return of_rows(random, X, C)


def wild(random):
    """A problem in any unit, far from 0, sparse or not; and tol."""
    n, d = random.randrange(2, 30), random.choice([random.randrange(1, 9), 80])
    X = truths.drawn_rows(random, n, d)
    if random.random() < 0.4:
        X = [[v if random.random() < 0.2 else 0.0 for v in x] for x in X]
    C = random.choice([10 ** random.uniform(-3, 6), 1.0, 1e12,
                       [10 ** random.uniform(-3, 3) for _ in X]])
    return of_rows(random, X, C), random.choice([1e-4, 1e-8, 0.1, 0.0, 0.5])


def long(random, n=20, d=8, sort=None, C=None):
    """A problem with columns of sizes from 1 to a million, which few examples contradict."""
    scales = [10 ** random.uniform(0, 6) for _ in range(d)]
    X = [[v * random.gauss(0, 1) for v in scales] for _ in range(n)]
    y = [dot(x, [1 / v for v in scales]) + random.choice([0, 0, 0.1]) for x in X]
    signs = [1 if v > 0 else -1 for v in y]
    C = C or random.choice([10 ** random.uniform(-3, 6), [10 ** random.uniform(-3, 6) for _ in X]])
    sort = sort or random.choice([hinge, tube]) if len({*signs}) == 2 else tube
    return sort(X, signs if sort is hinge else y, C)


def slacks(problem, w):
    """What each score of w misses, in fractions."""
    w = list(map(Fraction, w))
    scores = [sum(a * Fraction(b) for a, b in zip(w, x)) for x in problem.X]
    if problem.sides == 2:
        return [max(0, abs(Fraction(v) - s) - Fraction(problem.epsilon))
                for v, s in zip(problem.y, scores)]
    return [max(0, 1 - y * s) for y, s in zip(problem.y, scores)]


def primal(problem, w):
    """P(w) in fractions, by its definition."""
    return (sum(Fraction(v) ** 2 for v in w) / 2
            + sum(Fraction(C) * v for C, v in zip(problem.C, slacks(problem, w))))


def optimum(problem):
    return refsvm.solve_exactly(problem).objective


def words(problem, solution, tol, best):
    """What the Solution says that is not so; best: the least P."""
    true = primal(problem, solution.w)
    found = []
    if not (solution.gap == inf or true - best <= Fraction(solution.gap)):
        found.append(f"gap {solution.gap}, {float(true - best)}")
    if solution.objective > -inf and Fraction(solution.objective) > best:
        found.append(f"objective {solution.objective}, {float(best)}")
    if solution.status == "optimal" and not Fraction(solution.gap) <= Fraction(tol) * true:
        found.append(f"optimal, {solution.gap} of {float(true)}")
    ((m, M),) = truths.Conditions.at(problem, solution.alpha).ends
    if solution.violation < inf and Fraction(solution.violation) < m - M:
        found.append(f"violation {solution.violation}, {float(m - M)}")
    if any(abs(a) > C or a < 0 and problem.sides == 1 for a, C in zip(solution.alpha, problem.C)):
        found.append(f"alpha {solution.alpha}")
    return found


def any_point(random, problem):
    """(a descent, some w) where the centre is what another w made of it."""
    descent, one = ProximalDescent(problem), problem.kind(1)

    def some():
        return [one * random.randint(-9, 9) / random.randint(1, 9) for _ in problem.X[0]]

    descent.take_share(descent.least_share())
    for _ in range(random.randrange(3)):
        descent.move_centre(descent.point(some()), descent.share * random.choice([2, 8, 64]))
    return descent, some()


# ---- on fractions


@given(seeds)
@draws(3)
def test_the_gap_is_that_of_the_multipliers(seed):
    """Of any w and any centre: half the square of the gradient, and the shares."""
    random = Random(seed)
    problem = small(random).to(Fraction)
    descent, w = any_point(random, problem)
    at = descent.point(w)
    g = descent.gradient(at)
    alpha = problem.multipliers_from(at.coefs)
    v = problem.weights(alpha)
    assert at.primal == primal(problem, w) and g == [a - b for a, b in zip(w, v)]
    assert gap_at(at, g) == at.primal - problem.dual(alpha) and at.shares >= 0
    ((m, M),) = truths.Conditions.at(problem, alpha, twin=problem).ends
    if not any(g):
        assert at.apart == m - M
    assert at.active == [i for i, (b, C) in enumerate(zip(at.coefs, problem.C)) if 0 < abs(b) < C]


@given(seeds)
@draws(3)
def test_what_steps_bring_down_is_the_largest_value_of_multipliers(seed):
    """F(w): of all multipliers within their bounds those of the point have the largest value."""
    random = Random(seed)
    problem = small(random).to(Fraction)
    descent, w = any_point(random, problem)
    at = descent.point(w)
    epsilon = problem.epsilon if problem.sides == 2 else 0
    half = sum(v * v for v in w) / 2
    scores = [sum(a * b for a, b in zip(w, x)) for x in problem.X]

    def value(beta):
        """beta: multipliers with their signs"""
        return half + sum(b * (y - s) - epsilon * abs(b) - (b - a) ** 2 / (2 * c)
                          for b, y, s, a, c in zip(beta, problem.y, scores, descent.centre,
                                                   descent.C))

    assert value(at.coefs) == at.value <= at.primal
    for i, (y, C) in enumerate(zip(problem.y, problem.C)):
        least, most = (-C, C) if problem.sides == 2 else sorted([0, y * C])
        for other in (least, most, at.coefs[i] / 2, at.coefs[i] + (most - at.coefs[i]) / 1024,
                      at.coefs[i] + (least - at.coefs[i]) / 1024):
            assert least <= at.coefs[i] <= most
            assert value([*at.coefs[:i], other, *at.coefs[i + 1:]]) <= at.value


@pytest.mark.parametrize("problem", [
    hinge([[1, 2], [3, -1], [-2, 1], [0, -2]], [1, 1, -1, -1], 3),
    tube([[1, 2], [3, -1], [-2, 1], [0, -2]], [1, 2, -4, 3], 3),
], ids=["hinge", "tube"])
def test_four_points_end_on_fractions(problem):
    problem = problem.to(Fraction)
    steps, tol = [], Fraction(1, 10**4)
    solution = proximal_point(problem, tol, max_iter=40, on_step=steps.append)
    assert solution.status == "optimal" and len(steps) == solution.iterations > 2
    best, true = optimum(problem), primal(problem, solution.w)
    assert words(problem, solution, tol, best) == []
    assert 0 <= true - best <= solution.gap <= tol * true
    assert {type(v) for v in [*solution.w, solution.gap, *solution.alpha]} == {Fraction}
    told = proximal_point(problem, tol, max_iter=2)
    assert (told.status, told.iterations) == ("max_iter", 2) and told.w == steps[2].w
    assert words(problem, told, tol, best) == []


# ---- in doubles


@given(seeds)
@draws(6)
def test_what_is_said_in_doubles_is_so(seed):
    random = Random(seed)
    problem, most, steps = small(random), random.choice([0, 1, 5, 1000]), []
    tol = random.choice([1e-4, 1e-9, 0.5, 0])
    solution = proximal_point(problem, tol, most, steps.append)
    best = optimum(problem)
    assert words(problem, solution, tol, best) == []
    assert [s.iteration for s in steps] == list(range(1, solution.iterations + 1))
    assert solution.iterations <= most
    assert solution.iterations == most or solution.status != "max_iter"
    assert solution.model().w == solution.w
    by_sums = refsvm.gap_bounds(problem, solution).high
    assert words(problem, with_fields(solution, gap=by_sums), 1, best) == []
    assert by_sums <= solution.gap
    proof = refsvm.certify(problem, solution)
    assert proof.dual <= best and proof.gap >= primal(problem, solution.w) - best


@given(seeds)
@draws(2)
def test_the_bounds_at_a_gradient_hold(seed):
    """At any w and centre, and where it has ended."""
    random = Random(seed)
    make = random.choice([small, long, lambda random: wild(random)[0]])
    problem = make(random)
    descent, w = any_point(random, problem)
    try:
        if random.random() < 0.5:
            w = proximal_point(problem, tol=1e-6, max_iter=30).w
    except ValueError:  # beyond the doubles
        return
    at = descent.point(w)
    told = bounds_at_gradient(at.w, descent.gradient(at), at.primal, descent.sums(at))
    true = primal(problem, w)
    assert told.lost == inf or abs(true - Fraction(at.primal)) <= told.lost
    least, most = part_of_primal(problem, w, 1.0)
    assert least <= true <= most and (told.lost == inf or most - least <= 3 * Fraction(told.lost))
    alpha = problem.multipliers_from(at.coefs)
    gap = true - problem.to(Fraction).dual(list(map(Fraction, alpha)))
    assert told.gap == inf or gap <= told.gap
    assert gap <= machine_of_w(problem, problem.variables_of(alpha), w).most()
    if told.violation < inf:
        ((m, M),) = truths.Conditions.at(problem, alpha).ends
        assert m - M <= told.violation


@pytest.mark.parametrize("sort", [hinge, tube])
def test_rows_may_be_long_where_w_is_small(sort):
    """Their lengths times that of w are a thousandfold of any score; and no score is far off."""
    problem = long(Random(7), 180, 25, sort, 1e7)
    solution = refsvm_fast.proximal_point(problem)
    true, alpha = primal(problem, solution.w), list(map(Fraction, solution.alpha))
    gap = true - problem.to(Fraction).dual(alpha)
    assert solution.status == "optimal" and gap <= solution.gap <= gap + Fraction(1e-5) * true
    found = refsvm.gap_bounds(problem, solution)
    assert gap <= found.high <= gap + Fraction(1e-5) * true


def test_the_primal_is_no_less_than_half_the_square_of_w():
    """Where roundings may cost more than all the slack, and the multipliers prove nothing."""
    problem = long(Random(5), 420, 10, hinge, 1e9)
    solution = refsvm_fast.proximal_point(problem, 1e-3)
    assert solution.status == "optimal" and solution.objective < 0
    assert Fraction(solution.gap) <= Fraction(1e-3) * primal(problem, solution.w)


def test_steps_tell_where_they_were():
    """Of each: its w, the primal there, an upper bound of the gap, and the share of C_i in c_i."""
    random = Random(5)
    problem = hinge([[random.randint(-9, 9) / 4, 1.0] for _ in range(12)], [1, -1] * 6, 4)
    steps, best = [], float(optimum(problem))
    solution = proximal_point(problem, 1e-6, on_step=steps.append)
    assert solution.status == "optimal" and steps[0].w == [0, 0]
    for step in steps:
        true = float(primal(problem, step.w))
        assert step.primal == pytest.approx(true) and true - best <= step.gap * (1 + 1e-9)
        assert 0 < step.t <= 1
        found = proximal_point(problem, 1e-6, max_iter=step.iteration - 1)
        assert found.w == step.w or found.gap < step.gap  # of a centre before
    shares = [step.share for step in steps]
    assert shares == sorted(shares) and shares[0] * 4 * max(problem.squared_norms()) <= 1
    rises = {b / a for a, b in zip(shares, shares[1:])}
    assert rises == {1, 2, 8}
    assert all(a.share != b.share or a.gap > 1e-6 * a.primal for a, b in zip(steps, steps[1:]))


def test_a_centre_moves_where_less_than_half_the_gap_is_of_the_gradient():
    """And c_i rise eightfold after one step, else twofold."""
    random = Random(8)
    problem = tube([[random.gauss(0, 10) for _ in range(3)] for _ in range(20)],
                   [random.gauss(0, 2) for _ in range(20)], 2, 0.1)
    steps = []
    proximal_point(problem, 1e-7, on_step=steps.append)
    counts, descent = {}, ProximalDescent(problem)
    for step in steps:
        counts[step.share] = counts.get(step.share, 0) + 1
    shares = list(counts)
    assert [b / a for a, b in zip(shares, shares[1:])] == [
        8 if counts[share] == 1 else 2 for share in shares[:-1]]
    assert set(counts.values()) > {1, 2}
    descent.take_share(descent.least_share())
    for left, came in zip(steps, steps[1:]):
        at = descent.point(came.w)
        g = descent.gradient(at)
        half = sum(v * v for v in g) / 2
        assert (half <= at.shares) == (came.share > left.share)
        if came.share > left.share:
            descent.move_centre(at, came.share)


def test_nothing_is_missed_within_the_tube():
    """Then the primal is 0, and so is a gap that is proved; and so without numbers in the rows."""
    for tol in 0, 1e-4:
        rows, y = [[1.0], [2.5]] * 40, [1.0, -2] * 40
        solution = proximal_point(tube(rows, y, epsilon=3), tol)
        assert (solution.status, solution.w, solution.gap) == ("optimal", [0.0], 0)
        for nothing in hinge([[0.0, 0.0]] * 3, [1, -1, 1], 2), tube([[0.0]], [4], 2):
            solution = proximal_point(nothing, tol)
            assert not any(solution.w) and solution.iterations == 0
            assert solution.status == "optimal" and solution.violation == 0 or tol > 0


@pytest.mark.parametrize("make, most", [
    (lambda random, j: 10 ** (3 * j / 24) * random.gauss(0, 1), 80),
    (lambda random, j: 100 + random.gauss(0, 1), 60),
    (lambda random, j: float(random.randrange(2)), 40),
], ids=["scales", "offset", "bits"])
@pytest.mark.parametrize("C", [1e-2, 1.0, 1e4])
@pytest.mark.parametrize("sort", [hinge, tube])
def test_sets_that_were_hard_end(make, most, C, sort):
    """Columns of sizes from 1 to 1000, and rows far from 0: passes would be thousands."""
    random = Random(7)
    X = [[make(random, j) for j in range(25)] for _ in range(60)]
    y = [1 if x[0] - x[1] + random.gauss(0, 1) > 0 else -1 for x in X]
    solution = refsvm_fast.proximal_point(sort(X, y, C), max_iter=most)
    true = primal(sort(X, y, C), solution.w)
    assert solution.status == "optimal" and Fraction(solution.gap) <= Fraction(1e-4) * true
    best = primal(sort(X, y, C), refsvm_fast.proximal_point(sort(X, y, C), 1e-7).w)
    assert true - Fraction(solution.gap) <= best and Fraction(solution.objective) <= best


@pytest.mark.parametrize("sort, of_rows, of_targets", [
    (hinge, -240, 0), (hinge, -7, 0), (hinge, 240, 0), (tube, 7, 0), (tube, 7, -3), (tube, -7, 21),
    (hinge, -400, 0), (hinge, 400, 0), (tube, 7, 60),
])
def test_scaled_data_have_the_scaled_answer(sort, of_rows, of_targets):
    """By powers of two: w, multipliers and the gap are those of the others, scaled."""
    def answer(rows, targets):
        random = Random(4)
        X = [[ldexp(random.gauss(0, 1), rows) for _ in range(3)] for _ in range(20)]
        y = [1 if x[0] + ldexp(random.gauss(0, 1), rows) > 0 else -1 for x in X]
        given = [ldexp(3 * v, targets) for v in y], ldexp(1.3, targets - 2 * rows)
        problem = hinge(X, y, given[1]) if sort is hinge else tube(X, *given, ldexp(0.5, targets))
        found = proximal_point(problem, 1e-6)
        scaled = [ldexp(v, rows - targets) for v in found.w], [
            ldexp(v, 2 * rows - targets) for v in found.alpha]
        return found.status, found.iterations, *scaled, ldexp(found.gap, 2 * (rows - targets))

    assert answer(of_rows, of_targets) == answer(0, 0) and answer(0, 0)[0] == "optimal"


@pytest.mark.parametrize("C", [1.0, 1e4, [1e-3, 1e5] * 20])
def test_a_w_is_kept(C):
    random = Random(1)
    X = [[random.gauss(0, 1), 1e3 + random.randrange(20)] for _ in range(40)]
    y = [1 if x[0] > 0 else -1 for x in X]
    problem = hinge(X, [-y[0], *y[1:]], C)
    solution = proximal_point(problem)
    assert solution.w != problem.weights(solution.alpha)
    assert solution.model().w == solution.w and solution.b == 0
    for other in (pickle.loads(pickle.dumps(solution)), solution.without_problem()):
        assert other.w == solution.w and other.keeps_w
    assert words(problem, solution, 1e-4, optimum(problem)) == []


def test_sparse_rows_have_a_sparse_w():
    kept = KeptColumns([3, 10**6], 10**9)
    rows = [SparseRow(kept, [1.0, 2.0]), SparseRow(kept, [-3.0, 1.0])]
    for package in refsvm, refsvm_fast:
        for sort in hinge, tube:
            solution = package.proximal_point(sort(rows, [1, -1]))
            dense = proximal_point(sort([[1, 2], [-3, 1]], [1, -1]))
            assert [solution.w[3], solution.w[10**6], solution.w[0]] == [*dense.w, 0.0]
            assert len(solution.w) == 10**9 and solution.gap == dense.gap


# ---- what is refused


@pytest.mark.parametrize("problem, told, cure", [
    (Problem([[0], [1]], [-1, 1], Gaussian(1), bias=False), "needs Linear()", "smo"),
    (Problem([[0], [1]], [-1, 1]), "has an offset; proximal_point needs bias=False", "smo"),
    (Problem([[0], [1]], [-1, 1], bias=False, slack="squared"), "has squared slack", "newton"),
    (RegressionWithoutOffset([[1]], [1], slack="squared"), "has squared slack", "newton"),
    (hinge([[0], [1]], [-1, 1], [1, inf]), r"C\[1\] is inf", "dual_coordinate_descent"),
], ids=["kernel", "offset", "squared", "squared tube", "hard"])
def test_other_problems_are_refused(problem, told, cure):
    for package in (refsvm, refsvm_fast):
        with pytest.raises(ValueError, match=told) as refused:
            package.proximal_point(problem)
        assert cure in str(refused.value)
    same("proximal_point", problem)


PAIR = hinge([[1.0, 2.0], [3.0, 1.0]], [1, -1])


@pytest.mark.parametrize("wrong", [
    {"tol": -1}, {"tol": float("nan")}, {"tol": "a"}, {"max_iter": -1}, {"max_iter": 1.5},
    {"threads": 0}, {"on_step": 3},
], ids=str)
def test_bad_arguments_are_refused(wrong):
    for package in (refsvm, refsvm_fast):
        with pytest.raises((ValueError, TypeError), match=next(iter(wrong))):
            package.proximal_point(PAIR, **wrong)
    same("proximal_point", PAIR, **wrong)


@pytest.mark.parametrize("problem", [
    hinge([[1e150], [-1e150], [1e150]], [1, -1, -1], 1e6),
    hinge([[1e160], [-1e160]], [1, -1]),
    hinge([[1.0], [-1.0]], [1, -1], 1e308),
    tube([[1.0], [1.0]], [1e200, -1], 1e150),
], ids=["steps", "rows", "C", "tube"])
def test_what_is_beyond_the_doubles_is_refused(problem):
    for package in (refsvm, refsvm_fast):
        with pytest.raises(ValueError, match="beyond the doubles|must be finite"):
            package.proximal_point(problem)
    same("proximal_point", problem)


# ---- the compiled one


@equality_test("proximal_point")
@given(seeds)
@draws(2)
def test_the_compiled_one_has_the_same_bits(seed):
    random = Random(seed)
    problem, tol = wild(random) if random.random() < 0.7 else (small(random), 1e-9)
    same("proximal_point", problem, tol=tol, max_iter=random.choice([0, 1, 3, 200]),
         on_step=len)


def in_scales(n, d, zeros=0.0, sort=hinge, C=2.0):
    """Two clouds that overlap, in columns of any scale."""
    random = Random(n + d)
    scales = [10 ** random.uniform(-2, 2) for _ in range(d)]
    y = [1 if i % 3 else -1 for i in range(n)]
    X = [[0.0 if random.random() < zeros else s * random.gauss(0.3 * v, 1) for s in scales]
         for v in y]
    return sort(X, y, C)


@compiled
@pytest.mark.parametrize("n, d, zeros", [
    (2, 1, 0), (33, 1, 0), (64, 4, 0), (300, 5, 0), (70, 8, 0), (100, 9, 0.3), (40, 31, 0),
    (9, 40, 0.9), *slow_cases("the end of a panel of rows", (600, 12, 0.8))])
@pytest.mark.parametrize("sort", [hinge, tube])
def test_shapes_that_loops_end_in_have_the_same_bits(n, d, zeros, sort):
    """Of rows, columns and panels; by every sort of loop that this processor has."""
    from refsvm_fast import _table

    problem = in_scales(n, d, zeros, sort)
    wanted = proximal_point(problem, max_iter=9)
    try:
        for name in filter(_table.choose, ["baseline", "avx2", "avx512"]):
            for given in (problem, own_problem(problem)):
                assert tree(refsvm_fast.proximal_point(given, max_iter=9)) == tree(wanted), name
    finally:
        _table.choose(refsvm_fast.ISA)


@pytest.mark.parametrize("package", [refsvm, refsvm_fast])
def test_what_a_callback_does_to_its_step_changes_nothing(package):
    def spoil(step):
        step.w[:] = [7.0] * len(step.w)
        step.active.clear()

    random = Random(0)
    X = [[random.gauss(0, 1) for _ in range(3)] for _ in range(40)]
    y = [1 if x[0] + random.gauss(0, 0.7) > 0 else -1 for x in X]
    for most in range(3, 9):  # where the best w is not the last one
        problem = package.Problem(X, y, C=2.0, bias=False)
        alone = package.proximal_point(problem, 0, most)
        assert tree(package.proximal_point(problem, 0, most, spoil)) == tree(alone)


@pytest.mark.parametrize("sort", [hinge, tube])
@pytest.mark.parametrize("n, zeros, solved", [
    (44, 0.9, True), (36, 0.9, True), (18, 0.9, False), (44, 0.95, False)])
def test_after_steps_that_were_shortened_directions_are_right(monkeypatch, sort, n, zeros, solved):
    """Few numbers, far from 0: but only where that costs no more than half of 40 products."""
    random, steps, after = Random(77), [], []
    X = [[0.0 if random.random() < zeros else 100 + random.gauss(0, 1) for _ in range(40)]
         for _ in range(n)]
    problem, allow = sort(X, [1, -1] * (n // 2), 100), ProximalDescent.allow
    monkeypatch.setattr(ProximalDescent, "allow", lambda descent, products: (
        after.append(len(steps)), allow(descent, products)))
    assert ProximalDescent(problem).products >= CHEAP_PRODUCTS
    proximal_point(problem, max_iter=25, on_step=steps.append)
    short = [s for s in steps if s.t < 1]
    hard = next(s for k, s in enumerate(short) if k >= HARD - 1 and s.share == short[k - 7].share)
    assert (hard.iteration - 1 in after) == solved
    monkeypatch.undo()
    same("proximal_point", problem, max_iter=25, on_step=len)
    assert refsvm_fast.proximal_point(problem).status == "optimal"


def test_after_a_direction_that_was_not_near_they_are_right(monkeypatch):
    """Few numbers, far from 0; products of H are not tried again."""
    random, near = Random(77), []
    X = [[0.0 if random.random() < 0.9 else 100 + random.gauss(0, 1) for _ in range(40)]
         for _ in range(44)]
    problem, direction = tube(X, [1, -1] * 22, 100), ProximalDescent.conjugate_direction
    monkeypatch.setattr(ProximalDescent, "conjugate_direction", lambda *given: (
        near.append(direction(*given)) or near[-1]))
    assert ProximalDescent(problem).products >= CHEAP_PRODUCTS
    steps = proximal_point(problem, max_iter=40).iterations
    assert 1 < len(near) < steps and [is_near for _, is_near in near].index(False) == len(near) - 1
    monkeypatch.undo()
    same("proximal_point", problem, max_iter=25, on_step=len)
    assert refsvm_fast.proximal_point(problem).status == "optimal"


@compiled
def test_arrays_and_their_lists_are_the_same():
    numpy = pytest.importorskip("numpy")
    rows = numpy.random.default_rng(3).normal(size=(50, 17))
    y = [1 if v > 0 else -1 for v in rows[:, 0]]
    for X in (rows, rows.astype("float32"), numpy.asfortranarray(rows), rows[:, ::2],
              [array("d", x) for x in rows]):
        found = [package.proximal_point(package.Problem(X, y, bias=False))
                 for package in (refsvm, refsvm_fast)]
        listed = proximal_point(hinge([list(map(float, x)) for x in X], y))
        assert found[0].w == found[1].w == listed.w and listed.iterations > 3
        assert tree(found[0])[1] is not None and found[0].gap == found[1].gap == listed.gap
    wanted = proximal_point(tube(rows.tolist(), rows[:, 1].tolist()))
    ours = refsvm_fast.RegressionWithoutOffset(rows, rows[:, 1], epsilon=0.5)
    assert refsvm_fast.proximal_point(ours).w == wanted.w


@compiled
def test_a_share_that_is_nothing_is_the_same():
    """Numbers at the end of the doubles: c_i of some examples are 0, and so is a multiplier."""
    for C in ([1e-300, 1e300, 1e-300], [1e-310, 1e10, 1e-310], 5e-324):
        for sort in hinge, tube:
            same("proximal_point", sort([[1.0], [-1.0], [2.0]], [1, -1, -1], C), on_step=len)


def test_tol_below_what_doubles_hold_is_precision():
    solution = proximal_point(hinge([[1.0, 3.0], [-2.0, 1.0], [0.5, 0.7]], [1, -1, -1], 3), 0)
    assert solution.status == "precision" and 0 < solution.gap < 1e-12
    assert nextafter(0, 1) < solution.violation < 1e-4 and solution.iterations < 60
    assert MOST_SHARE == 2**20


@pytest.mark.parametrize("unit", [1e-12, 1e-6, 1e-3, 1.0, 1e6, 1e12])
def test_targets_may_be_in_any_unit(unit):
    """The smaller they are, the larger a part of C_i is what c_i times a slack has to reach."""
    random = Random(1)
    X = [[random.gauss(0, 1) for _ in range(3)] for _ in range(40)]
    y = [unit * (x[0] - 2 * x[1] + random.gauss(0, 0.3)) for x in X]
    for C in 1, unit:
        solution = refsvm_fast.proximal_point(tube(X, y, C, unit / 10), 1e-6)
        assert solution.status == "optimal" and solution.iterations < 60


@pytest.mark.parametrize("C", [1e4, 1e8, 1e13])
def test_a_smaller_tol_proves_no_less(C):
    """Beyond what doubles hold centres only add rounding: the best is kept."""
    problem = hinge([[101, 100], [100, 101], [3, 3]], [1, -1, 1], C)
    for package in refsvm, refsvm_fast:
        assert package.proximal_point(problem, 0).gap <= 2 * package.proximal_point(problem).gap


def test_what_is_proved_of_few_rows_is_optimal():
    """The bound of what roundings cost, by all C, is more than the primal: exact sums tell it."""
    solution = proximal_point(hinge([[1.0], [-1.0]], [1, -1], 1e15))
    assert 0 < solution.gap < 1e-20 * solution.objective and solution.status == "optimal"
