"""Newton's method for linear machines (solvers/newton.py), and what its Solution says."""

import pickle
from fractions import Fraction
from math import inf, nextafter
from random import Random

import pytest
import truths
from equality import compiled, equality_test, own_problem, same, tree
from hypothesis import given
from hypothesis import strategies as st
from profiles import draws, slow_cases

import refsvm
import refsvm_fast
from refsvm import Gaussian, Problem, newton, solve_exactly
from refsvm.numerics.sparse_rows import KeptColumns, SparseRow
from refsvm.solvers.newton import NewtonDescent
from refsvm.svm.own_weights import bounds_at_gradient
from refsvm.svm.regression_without_offset import RegressionWithoutOffset

seeds = st.integers(0, 2**40)


def machine(X, y, C=1):
    return Problem(X, y, C=C, bias=False, slack="squared")


# Full steps alone go round between two pieces.
ROUND = machine([[-4, 3], [-4, -9], [7, 7], [-9, 2]], [1, -1, 1, 1], 10)
RISING = machine([[0, 9, -5], [-1, -2, 6], [5, 1, -8], [-7, -4, -5]], [1, -1, 1, 1], 10)


def small(random, most=6):
    """A problem on small whole numbers."""
    n, d = random.randrange(2, most + 1), random.randrange(1, 4)
    X = [[random.randint(-9, 9) for _ in range(d)] for _ in range(n)]
    y = [1, -1, *(random.choice([-1, 1]) for _ in range(n - 2))]
    return machine(X, y, [random.choice([1, 10, 1000]) for _ in y])


def wild(random):
    """A problem in any unit, far from 0, sparse or not; and tol."""
    n, d = random.randrange(2, 30), random.choice([random.randrange(1, 9), 80])
    X = truths.drawn_rows(random, n, d)
    if random.random() < 0.4:
        X = [[v if random.random() < 0.2 else 0.0 for v in x] for x in X]
    y = [1, -1, *(random.choice([-1, 1]) for _ in range(n - 2))]
    C = random.choice([10 ** random.uniform(-3, 6), 1.0, 1e12,
                       [10 ** random.uniform(-3, 3) for _ in y]])
    return machine(X, y, C), random.choice([1e-4, 1e-8, 0.1, 0.0, 0.5])


def primal(problem, w):
    """P(w) in fractions, of these numbers of any kind."""
    slacks = [max(0, 1 - y * sum(Fraction(a) * Fraction(b) for a, b in zip(w, x)))
              for x, y in zip(problem.X, problem.y)]
    return (sum(Fraction(v) ** 2 for v in w)
            + sum(Fraction(C) * v**2 for C, v in zip(problem.C, slacks))) / 2


# ---- on fractions


@given(seeds)
@draws(10)
def test_the_gap_is_half_the_square_of_the_gradient(seed):
    random = Random(seed)
    problem = small(random).to(Fraction)
    descent = NewtonDescent(problem)
    w = [Fraction(random.randint(-9, 9), random.randint(1, 9)) for _ in problem.X[0]]
    at = descent.point(w)
    assert at.primal == primal(problem, w)
    g = descent.gradient(at)
    alpha = problem.multipliers_from(at.coefs)
    assert at.primal - problem.dual(alpha) == sum(v * v for v in g) / 2


@given(seeds)
@draws(4)
def test_it_ends_at_the_optimum_on_fractions(seed):
    problem = small(Random(seed)).to(Fraction)
    solution = newton(problem, tol=0, max_iter=100)
    assert (solution.status, solution.gap, solution.violation) == ("optimal", 0, 0)
    assert solution.objective == primal(problem, solution.w)
    best = solve_exactly(problem)
    assert solution.alpha == best.alpha and solution.objective == best.objective
    assert newton(problem, tol=0, start=solution.w).iterations == 0


def test_where_full_steps_go_round_it_ends():
    steps = []
    solution = newton(ROUND.to(Fraction), tol=0, on_step=steps.append)
    assert [str(s.t) for s in steps] == ["1", "1", "1/64", "1"]
    assert solution.w == [Fraction(-19570, 241331), Fraction(54000, 241331)]
    assert [s.iteration for s in steps] == [1, 2, 3, 4] and steps[0].w == [0, 0]
    descent, w, seen = NewtonDescent(ROUND.to(Fraction)), [Fraction(0)] * 2, []
    for _ in range(8):
        at = descent.point(w)
        seen.append(at.active)
        s = descent.step_from(at, descent.gradient(at))
        w = [a + b for a, b in zip(w, s)]
    assert seen[1:4] == seen[4:7] and len(set(map(str, seen[1:4]))) == 3


def test_c_rises_after_the_second_step_that_is_shortened():
    """Each step is of a problem with its share of C; the answer is of the whole."""
    steps = []
    solution = newton(RISING.to(Fraction), tol=0, on_step=steps.append)
    assert [str(s.t) for s in steps] == ["1", "1/32", "1/2", "1", "1", "1", "1", "1"]
    assert [s.share for s in steps] == [1, 1, 1, *(Fraction(1, 8**k) for k in (4, 3, 2, 1)), 1]
    assert solution.objective == solve_exactly(RISING.to(Fraction)).objective
    for s in steps:
        own = machine(RISING.X, RISING.y, 10 * s.share).to(Fraction)
        assert s.primal == primal(own, s.w)
        assert s.gap == newton(own, tol=0, max_iter=0, start=s.w).gap


@pytest.mark.parametrize("stopped", range(8))
def test_what_is_told_before_c_has_risen_is_of_the_whole(stopped):
    best = newton(RISING.to(Fraction), tol=0).objective
    for package in (refsvm, refsvm_fast):
        solution = package.newton(RISING, tol=1e-9, max_iter=stopped)
        assert (solution.status, solution.iterations) == ("max_iter", stopped)
        assert words(RISING, solution, 1e-9, best) == []


@pytest.mark.parametrize("C", [1.0, 1e4, 1e8])
def test_margins_that_are_nearly_hard_take_some_dozen_steps(C):
    """Some 100 to 1000 without the rise of C: as many columns as rows, of any scale."""
    random = Random(7)
    X = [[10 ** (j / 8) * random.gauss(0, 1) for j in range(24)] for _ in range(30)]
    solution = refsvm_fast.newton(machine(X, [1, -1] * 15, C), max_iter=60)
    assert solution.status == "optimal"


# ---- in doubles


def words(problem, solution, tol, best):
    """What the Solution says that is not so; best: the least P."""
    true = primal(problem, solution.w)
    found = []
    if not (solution.gap == inf or true - best <= Fraction(solution.gap)):
        found.append(f"gap {solution.gap}, {float(true - best)}")
    if Fraction(solution.objective) > best:
        found.append(f"objective {solution.objective}, {float(best)}")
    if solution.status == "optimal" and true - best > Fraction(tol) * true:
        found.append(f"optimal, {float((true - best) / true)} of {tol}")
    told = truths.Conditions.at(problem, solution.alpha)
    ((m, M),) = told.ends
    if Fraction(solution.violation) < m - M:
        found.append(f"violation {solution.violation}, {float(m - M)}")
    if Fraction(solution.b_low) > m or Fraction(solution.b_high) < M:
        found.append(f"ends {solution.b_low}, {solution.b_high}")
    return found


def with_fields(solution, **fields):
    """The Solution with other fields, and the same w."""
    found = solution._replace(**fields)
    found.w = solution.w
    return found


@given(seeds)
@draws(8)
def test_what_is_said_in_doubles_is_so(seed):
    random = Random(seed)
    problem, tol = small(random), random.choice([1e-4, 1e-9, 0.5])
    start = [random.gauss(0, 1) for _ in problem.X[0]] if random.random() < 0.5 else None
    solution = newton(problem, tol, max_iter=random.choice([0, 1, 100]), start=start)
    best = newton(problem.to(Fraction), tol=0).objective
    assert words(problem, solution, tol, best) == []
    by_sums = refsvm.gap_bounds(problem, solution).high
    assert words(problem, with_fields(solution, gap=by_sums), tol, best) == []
    assert solution.status == "optimal" or by_sums <= solution.gap <= 3 * by_sums


@given(seeds)
@draws(1)
def test_the_bounds_at_a_gradient_hold(seed):
    """At any w, and where the gradient is nothing but rounding."""
    random = Random(seed)
    problem = wild(random)[0] if random.random() < 0.5 else small(random)
    descent = NewtonDescent(problem)
    w = [random.gauss(0, 1) for _ in problem.X[0]]
    if random.random() < 0.6:
        try:
            w = newton(problem, tol=0).w
        except ValueError:  # beyond the doubles
            return
    at = descent.point(w)
    g = descent.gradient(at)
    told = bounds_at_gradient(at.w, g, at.primal, descent.sums(at))
    true = primal(problem, w)
    assert told.lost == inf or abs(true - Fraction(at.primal)) <= told.lost
    alpha = problem.multipliers_from(at.coefs)
    if told.gap < inf:
        assert true - problem.to(Fraction).dual(alpha) <= told.gap
    if told.violation < inf:
        ((m, M),) = truths.Conditions.at(problem, alpha).ends
        assert m - M <= told.violation


def test_what_is_said_of_many_rows_is_so_and_near():
    """By the gradient with its roundings; exact sums say less still."""
    random = Random(3)
    X = [[random.gauss(0, 10 ** random.uniform(0, 3)) for _ in range(3)] for _ in range(700)]
    y = [1 if x[0] + random.gauss(0, 1) > 0 else -1 for x in X]
    problem = machine(X, y, 100.0)
    solution = newton(problem, tol=1e-6)
    best = newton(problem.to(Fraction), tol=0, start=solution.w).objective
    assert solution.status == "optimal" and words(problem, solution, 1e-6, best) == []
    by_sums = refsvm.gap_bounds(problem, solution).high
    assert primal(problem, solution.w) - best <= by_sums <= 1e-20 * best
    assert by_sums < solution.gap <= 1e-12 * best


def test_nothing_is_rounded_of_small_whole_numbers():
    pair = machine([[2.0], [-2.0]], [1, -1], 0.125)  # w = 1/4, every slack 1/2
    solution = newton(pair, tol=0)
    assert solution.w == [0.25] and solution.status == "optimal"
    assert (solution.gap, solution.violation, solution.objective) == (0.0, 0.0, 0.0625)


def test_tol_below_what_doubles_hold_is_precision():
    solution = newton(ROUND, tol=0)
    assert solution.status == "precision" and 0 < solution.gap < 1e-25
    assert solution.limit.startswith("rounding leaves a gap of up to 9.585e-30: lower C, which")


@pytest.mark.parametrize("tol", [0.0, 1e-4])
def test_a_w_that_its_multipliers_do_not_make_is_kept(tol):
    """A year beside a large C: the sum of alpha_i y_i x_i in doubles is far from w."""
    random = Random(1)
    X = [[random.gauss(0, 1), 1e5 + random.randrange(20)] for _ in range(40)]
    y = [1 if x[0] > 0 else -1 for x in X]
    problem = machine(X, [-y[0], *y[1:]], 1e6)
    solution = newton(problem, tol)
    assert solution.w != problem.weights(solution.alpha)
    assert solution.model().w == solution.w
    for other in (pickle.loads(pickle.dumps(solution)), solution.without_problem()):
        assert other.w == solution.w and other.keeps_w
    best = newton(problem.to(Fraction), tol=0, start=solution.w).objective
    assert words(problem, solution, tol, best) == []


def test_sparse_rows_have_a_sparse_w():
    kept = KeptColumns([3, 10**6], 10**9)
    rows = [SparseRow(kept, [1.0, 2.0]), SparseRow(kept, [-3.0, 1.0])]
    solution = newton(machine(rows, [1, -1]))
    dense = newton(machine([[1, 2], [-3, 1]], [1, -1]))
    assert [solution.w[3], solution.w[10**6], solution.w[0]] == [*dense.w, 0.0]
    assert len(solution.w) == 10**9 and solution.gap == dense.gap
    again = newton(machine(rows, [1, -1]), start=solution.w)
    assert again.iterations == 0 and again.w == solution.w


@pytest.mark.parametrize("problem, told", [
    (Problem([[0], [1]], [-1, 1], Gaussian(1), bias=False, slack="squared"), "needs Linear()"),
    (Problem([[0], [1]], [-1, 1], slack="squared"), "has an offset"),
    (Problem([[0], [1]], [-1, 1], bias=False), "has hinge slack"),
    (machine([[0], [1]], [-1, 1], [1, inf]), r"C\[1\] is inf"),
], ids=["kernel", "offset", "hinge", "hard"])
def test_other_problems_are_refused(problem, told):
    for package in (refsvm, refsvm_fast):
        with pytest.raises(ValueError, match=told):
            package.newton(problem)


def test_bad_arguments_are_refused():
    pair = machine([[1.0, 2.0], [3.0, 1.0]], [1, -1])
    for wrong, told in [({"start": [1.0]}, "start has length 1; the problem has 2"),
                        ({"start": [1.0, inf]}, "start"), ({"tol": -1}, "tol"),
                        ({"max_iter": -1}, "max_iter"), ({"threads": 0}, "threads"),
                        ({"on_step": 3}, "on_step")]:
        with pytest.raises((ValueError, TypeError), match=told):
            newton(pair, **wrong)
    with pytest.raises(ValueError, match="beyond the doubles"):
        newton(machine([[1e150], [-1e150]], [1, -1], 1e9), start=[1e100])


# ---- the compiled one


@equality_test("newton")
@given(seeds)
@draws(2)
def test_the_compiled_one_has_the_same_bits(seed):
    random = Random(seed)
    problem, tol = wild(random)
    start = [random.gauss(0, 1) for _ in problem.X[0]] if random.random() < 0.3 else None
    same("newton", problem, tol=tol, max_iter=random.choice([0, 1, 3, 200]), start=start)


def test_where_steps_that_are_nearly_right_end_others_begin_anew():
    """Few numbers, far from 0, and a large C: where margins meet nearly right ones go nowhere."""
    random = Random(77)
    X = [[0.0 if random.random() < 0.9 else 100 + random.gauss(0, 1) for _ in range(64)]
         for _ in range(40)]
    problem, steps = machine(X, [1, -1] * 20, 1e5), []
    solution = newton(problem, on_step=steps.append)
    assert solution.status == "optimal" and solution.iterations == len(steps)
    (again,) = (k for k, step in enumerate(steps) if k and not any(step.w))
    assert newton(problem, max_iter=again).status != "optimal" and steps[again].share == 1
    same("newton", problem, max_iter=again + 1)


def test_after_shortened_steps_others_come_nearer_to_right_ones(monkeypatch):
    X = [[0.0] * 35 for _ in range(30)]
    for i, row in enumerate(X):
        for k in range(3):
            row[(5 * i + i * k + 5 * k * k) % 35] = (i * (k + 2) + k) % 5 - 2.0
    problem = machine(X, [1 if i % 5 < 3 else -1 for i in range(30)], 100.0)
    same("newton", problem)
    steps = newton(problem).iterations
    monkeypatch.setattr(NewtonDescent, "sharpen", lambda descent: None)
    assert 2 * steps < newton(problem).iterations


def test_small_c_begin_with_steps_that_are_nearly_right(monkeypatch):
    """One that was not near came before; after another one steps are right to the end."""
    random, allowed, allow = Random(0), [], NewtonDescent.allow
    X = [[random.gauss(0, 1) for _ in range(66)] for _ in range(120)]
    y = [sum(x[::3]) + 0.1 * random.gauss(0, 1) for x in X]
    problem = RegressionWithoutOffset(X, y, C=100.0, epsilon=0.3, slack="squared")
    monkeypatch.setattr(NewtonDescent, "allow", lambda descent, products: (
        allowed.append(products), allow(descent, products)))
    assert newton(problem, max_iter=60).status == "optimal"
    assert allowed == [0, NewtonDescent(problem).products, 0]
    monkeypatch.undo()
    same("newton", problem, max_iter=60, on_step=len)


@pytest.mark.parametrize("d", [6, *slow_cases("many pivots that are rounding", 80)])
def test_where_the_second_derivative_is_singular_in_doubles_steps_go_on(d):
    """I adds nothing to numbers of 1e40, and few rows are active: pivots are rounding."""
    random = Random(d)
    X = [[1e20 * random.gauss(0, 1) for _ in range(d)] for _ in range(d + 4)]
    problem = machine(X, [1, -1] * (d // 2 + 2), 1e6)
    same("newton", problem, tol=1e-4, max_iter=30)
    first, last = (newton(problem, max_iter=k) for k in (0, 30))
    assert primal(problem, last.w) < primal(problem, first.w) * 0.6


@compiled
def test_its_steps_are_the_same():
    sparse = machine([[0.0, 0.3, 0.0], [0.0, 0.0, -2.0], [1.0, 0.0, 0.0]], [1, -1, 1])
    for problem in (ROUND, RISING, sparse):
        told = [], []
        newton(problem, tol=0, on_step=told[0].append)
        refsvm_fast.newton(own_problem(problem), tol=0, on_step=told[1].append)
        assert tree(told[0]) == tree(told[1]) and told[0]
        step = told[1][0]
        assert step.t <= 1 and step.gap > nextafter(0, 1)


def clouds(n, d, zeros=0.0):
    """Two clouds that overlap, in columns of any scale."""
    random = Random(n + d)
    scales = [10 ** random.uniform(-2, 2) for _ in range(d)]
    y = [1 if i % 3 else -1 for i in range(n)]
    X = [[0.0 if random.random() < zeros else s * random.gauss(0.3 * v, 1) for s in scales]
         for v in y]
    return machine(X, y, 2.0)


@compiled
@pytest.mark.parametrize("n, d, zeros", [
    (33, 1, 0), (64, 4, 0), (300, 5, 0), (70, 8, 0), (100, 9, 0.3), (40, 31, 0),
    *slow_cases("the end of a panel of rows", (600, 12, 0.8))])
def test_shapes_that_loops_end_in_have_the_same_bits(n, d, zeros):
    """Of rows, columns and panels; by every sort of loop that this processor has."""
    from refsvm_fast import _table

    problem = clouds(n, d, zeros)
    wanted = newton(problem, max_iter=4)
    try:
        for name in filter(_table.choose, ["baseline", "avx2", "avx512"]):
            for given in (problem, own_problem(problem)):
                assert tree(refsvm_fast.newton(given, max_iter=4)) == tree(wanted), name
    finally:
        _table.choose(refsvm_fast.ISA)


@compiled
def test_a_product_beyond_the_doubles_is_the_same():
    """C_i x_ij is infinite, and the other number of the row 0."""
    C = 2.0**1019
    problem = machine([[0.0, 8.0], [0.0, 8.0], [1.0, 0.0]], [1, -1, 1], [7 * C, C, 1.0])
    same("newton", problem, tol=0, start=[0.25, 0.09375])
