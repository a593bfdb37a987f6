"""refsvm_fast solves as refsvm does: to the last bit, step by step, sentence by sentence."""

import copy
import pickle
from array import array
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import partial
from math import inf
from random import Random

import interrupting
import profiles
import pytest
import strategies_fast as draws
from equality import agree, compiled, equality_test, same, same_fit, tree
from hypothesis import given
from hypothesis import strategies as st
from profiles import one_in, slow_cases, tries
from strategies_fast import Enough, watch

import refsvm
import refsvm_fast
from refsvm import Gaussian, Linear, MonomialSum, Polynomial, Precomputed, Problem, Sigmoid

if refsvm_fast.COMPILED:
    from refsvm_fast._smo import DualAscent

    from refsvm_fast._inputs import table_of

SOLVERS = ["smo", "coordinate_ascent"]


# ---- the solvers on problems that are in order


@equality_test("smo", "Solution", "Solution.model", "Step")
@given(st.data())
@profiles.draws(1/2)
def test_smo_takes_the_same_steps_to_the_same_answer(data):
    problem = data.draw(draws.problems())
    same("smo", problem, **data.draw(draws.solver_options(problem)))


@equality_test("coordinate_ascent")
@given(st.data())
@profiles.draws(1/2)
def test_coordinate_ascent_takes_the_same_steps_to_the_same_answer(data):
    given = data.draw(draws.given_problems())
    given["bias"] = data.draw(st.integers(0, 9)) == 0
    problem = draws.possible(given)
    same("coordinate_ascent", problem, **data.draw(draws.solver_options(problem)))


@pytest.mark.parametrize("solver", ["projected_gradient", "active_set"])
@given(st.data())
@profiles.draws(1/2)
def test_solvers_that_are_the_oracles_own_take_packed_rows(solver, data):
    problem = data.draw(draws.problems(most=12))
    same(solver, problem, max_iter=9)


@equality_test("smo", "Problem")
@given(st.data())
@profiles.draws(1/2)
def test_smo_on_few_points_goes_to_the_very_end(data):
    # Small numbers of few values, so that ties, faces and proofs of no hard margin occur.
    rows = data.draw(st.lists(
        st.lists(st.integers(-3, 3), min_size=2, max_size=2), min_size=2, max_size=9
    ))
    problem = draws.possible({
        "X": [[v / 2 for v in row] for row in rows],
        "y": data.draw(draws.labellings(rows)),
        "kernel": data.draw(draws.plain_kernels(usual=True)),
        "C": data.draw(st.sampled_from([1, 0.1, 100, inf, inf, 2**20])),
        "bias": data.draw(st.booleans()),
        "slack": data.draw(st.sampled_from(["hinge", "squared"])),
    })
    tol = data.draw(st.sampled_from([0, 0, 1e-3, 1e-9]))
    for solver in SOLVERS:
        if solver != "coordinate_ascent" or not problem.bias:
            same(solver, problem, tol=tol, on_step=partial(watch, 400))


@equality_test("smo")
@given(st.data())
@profiles.draws(1/2)
def test_examples_of_two_values_a_feature_have_the_same_kernel_rows(data):
    X = data.draw(draws.marked_tables(data.draw(draws.sizes())))
    problem = draws.possible({
        "X": X,
        "y": data.draw(draws.labellings(X)),
        "kernel": data.draw(draws.plain_kernels(usual=data.draw(st.booleans()))),
        "C": data.draw(draws.penalties_for(len(X))),
    })
    same("smo", problem, **data.draw(draws.solver_options(problem)))


@pytest.mark.parametrize("d", [
    63, 64, 65, *slow_cases("the end of a word of marks", 127, 128, 129, 300, 1023, 1024)
])
@pytest.mark.parametrize("kernel", [Gaussian(0.01), Linear()])
def test_no_number_of_marks_is_a_boundary(d, kernel):
    random = Random(d)  # 21 rows that differ in about half of the features
    X = [[float(random.random() < 0.5) for _ in range(d)] for _ in range(21)]
    X[0], X[1] = [1.0] * d, [0.0] * d
    same("smo", Problem(X, [1 - 2 * (i % 2) for i in range(21)], kernel, 1.0), tol=1e-9)


@pytest.mark.parametrize("later", [(0.0, 1.0), (1.0, 2.0), (5.0, 6.0), (-0.0, 1.0)])
def test_values_that_come_later_are_seen(later):
    """256 rows are looked at together: what they have in common others may not."""
    X = [[float(i >> k & 1) for k in range(8)] + [0.0] for i in range(256)]
    X += [[float(i % 3 == 0)] * 8 + [later[i % 2]] for i in range(9)]
    y = [1 if sum(x) > 4 else -1 for x in X]
    same("smo", Problem(X, y, Gaussian(0.25), 1.0), max_iter=30)


@equality_test("smo", "Problem", "Solution.model")
@given(st.data())
@profiles.draws(1/2)
def test_rows_that_are_moved_where_they_lie_are_told_as_they_were_given(data):
    n = data.draw(st.sampled_from([2, 3, 9, 40, 255, 257, 300, 520]))
    X = data.draw(draws.movable_tables(n))
    y = data.draw(draws.labellings(X))
    theirs, ours = refsvm.Problem(X, y), refsvm_fast.Problem(X, y)
    solved = refsvm.smo(theirs, max_iter=9), refsvm_fast.smo(ours, max_iter=9)
    assert tree(solved[1].model()) == tree(solved[0].model())
    other = [i % 3 + 0.1 for i in range(n)]  # of unequal sums: a shift of the rows would show
    for problem in (ours, pickle.loads(pickle.dumps(ours)), copy.deepcopy(ours)):
        assert tree(problem.weights(other)) == tree(theirs.weights(other))
        assert tree(refsvm_fast.smo(problem, max_iter=9)) == tree(solved[0])
        assert tree(problem) == tree(theirs)
    same_fit(X, y, kernel="linear", max_iter=9)


@pytest.mark.parametrize("n", [2, 9, 40, 257])
def test_minus_zero_that_is_the_median_of_zeros_is_told_as_it_was_given(n):
    """Taken off itself it is 0.0: nothing tells it then from the zeros beside it."""
    X = [[0.0, float(i % 2), 3.0] for i in range(n)]
    X[(n - 1) // 2][0] = -0.0
    y = [1 - 2 * (i % 2) for i in range(n)]
    same("smo", Problem(X, y), max_iter=9)
    same_fit(X, y, kernel="linear", max_iter=9)


@pytest.mark.parametrize("d", [*range(1, 20), 31, 32, 33])
def test_no_number_of_features_that_are_moved_is_a_boundary(d):
    X = [[2000.0 + (i * k + k) % 7 + k / 8 for k in range(d)] for i in range(9)]
    y = [1 - 2 * (i % 2) for i in range(9)]
    agree(lambda package: package.smo(package.Problem(X, y), max_iter=9))
    agree(lambda package: package.kkt(package.Problem(X, y), [0.5] * 9, 0.25))


@pytest.mark.parametrize("n", [20, 80, *slow_cases("a table of more than a block", 300)])
def test_what_is_rare_among_all_classes_may_be_usual_in_two(n):
    """A median of 0 among all rows, and another one in a pair, was once taken for 0 there, too."""
    y = [min(i % n, 3) for i in range(12 * n)]
    X = [[(label < 2 and i // n % 4 > 0) * (1.0 + i % 7), 0.5 * (i % 5), float(label == 1)]
         for i, label in enumerate(y)]
    same_fit(X, y, kernel="linear", max_iter=3)


@pytest.mark.parametrize("usual, other", [(3.0, 7.0), (1.5e308, -1.5e308)])
def test_what_is_rare_among_all_rows_may_be_usual_among_those_that_count(usual, other):
    X = [[usual if i < 4 else 0.0, i % 5 / 2] for i in range(59)] + [[other, 1.0]]
    y, weight = [i % 3 for i in range(60)], [int(i < 7) for i in range(60)]
    same_fit(X, y, weight, kernel="linear")


@pytest.mark.parametrize("few", range(2, 6))
@pytest.mark.parametrize("value", [-3.0, 3.0])
def test_the_lower_median_of_as_many_zeros_as_others_may_be_none_of_the_zeros(few, value):
    # The other value is rare among all rows: it is stored as if it never were the median.
    for besides in (0, 1):
        X = [[value if i < few else 0.0, i % 5 / 2] for i in range(80)]
        y, weight = [i % 3 for i in range(80)], [int(i < 2 * few + besides) for i in range(80)]
        same_fit(X, y, weight, kernel="linear")


@pytest.mark.parametrize("n", [8, 9, 16, 17, 257])
@pytest.mark.parametrize("place", [0, 3, -1])
def test_one_row_that_counts_for_nothing_moves_no_median(n, place):
    X, y = [[float(i), (7.0 * i) % n] for i in range(n)], [i // 2 % 3 for i in range(n)]
    weight = [1] * n
    weight[place], X[place] = 0, [1e6, -1e6]
    same_fit(X, y, weight, kernel="linear", max_iter=5)


@equality_test("SVC")
@given(st.data())
@profiles.draws(1/2)
def test_rows_of_two_among_several_classes_are_gathered_as_they_were(data):
    n = data.draw(st.sampled_from([3, 9, 40, 255, 300, 520, 700]))
    X = data.draw(draws.movable_tables(n))
    random = Random(data.draw(draws.seeds))
    y = [random.randrange(3) for _ in range(n - 3)] + [0, 1, 2]
    kernel = data.draw(st.sampled_from(["linear", "rbf", "poly"]))
    few = sorted(random.sample(range(n), data.draw(st.integers(1, 3))))
    for wanted in ([i for i in range(n) if y[i] != 1], few) if refsvm_fast.COMPILED else ():
        assert tree(table_of(X).at(wanted).rows()) == tree([X[i] for i in wanted])
    same_fit(X, y, kernel=kernel, max_iter=3)


@equality_test("SVC")
@given(st.data())
@profiles.draws(1/2)
def test_pairs_share_the_shift_of_all_rows_that_count(data):
    n = data.draw(st.integers(9, 40))
    X = data.draw(draws.movable_tables(n))
    times = data.draw(st.sampled_from([1, 150]))  # of wide rows pairs share the products, too
    X = [x * (1 + times // len(x)) for x in X]
    random = Random(data.draw(draws.seeds))
    y = [random.randrange(4) for _ in range(n - 4)] + [0, 1, 2, 3]
    none = data.draw(st.sampled_from([0, 0.3, 0.8]))
    weight = [1 if i >= n - 4 else int(random.random() >= none) for i in range(n)]
    same_fit(X, y, weight, kernel="linear", max_iter=20)


@pytest.mark.parametrize("kernel", [Gaussian(0.5), Linear(), Polynomial(2, coef0=1)])
@pytest.mark.parametrize("first, second", [(1e-200, 0.75), (0.75, 1e-200), (1e200, 0.75)])
def test_two_values_whose_square_is_no_number_of_use_are_no_marks(kernel, first, second):
    """1e-200 squared is 0: it must not stand for as much as 0.75 squared."""
    X = [[0.0] * 9 for _ in range(4)]
    X[0][4], X[1][7], X[2][4], X[2][7] = first, second, first, second
    agree(lambda package: package.gram(kernel, X))
    same("smo", Problem(X, [1, -1, -1, 1], kernel), max_iter=50)


@pytest.mark.slow("a cache whose rows are taken away and made again")
def test_rows_that_are_made_again_make_room():
    random = Random(4)  # 4 MB hold a third of the rows, of which most are asked for again
    X = [[random.gauss(0, 1), random.gauss(0, 1)] for _ in range(1200)]
    y = [1 if random.random() < 0.5 + 0.3 * (row[0] > 0) else -1 for row in X]
    same("smo", Problem(X, y, Gaussian(1.0), 10.0), max_iter=700)


quarters = st.lists(
    st.lists(st.integers(-8, 8).map(lambda v: Fraction(v, 4)), min_size=2, max_size=2),
    min_size=2, max_size=5,
)


@equality_test("smo", "coordinate_ascent")
@given(st.data())
@profiles.draws(1/2)
def test_fractions_are_solved_as_the_oracle_solves_them(data):
    X = data.draw(quarters)
    problem = draws.possible({
        "X": X,
        "y": data.draw(draws.labellings(X)),
        "kernel": data.draw(st.sampled_from([Linear(), Polynomial(2, coef0=1), Gaussian(1)])),
        "C": data.draw(st.sampled_from([1, Fraction(1, 3), inf, 0.5])),
        "bias": data.draw(st.booleans()),
    })
    start = data.draw(st.sampled_from([None, [0] * len(X), [Fraction(0)] * len(X)]))
    for solver in SOLVERS:
        same(solver, problem, start=start, on_step=partial(watch, 20))


@equality_test("smo")
@given(st.data())
@profiles.draws(1/2)
def test_a_fraction_in_the_arguments_makes_the_problem_one_of_fractions(data):
    X = [[float(v) for v in row] for row in data.draw(quarters)]
    kernel = data.draw(st.sampled_from([Linear(), Gaussian(1)]))
    problem = Problem(X, data.draw(draws.labellings(X)), kernel)
    start = [Fraction(data.draw(st.integers(0, 4)), 4) for _ in X]
    same("smo", problem, start=start, on_step=partial(watch, 20))
    same("smo", problem, tol=Fraction(1, 8), on_step=partial(watch, 20))


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_start_that_is_far_too_large_goes_the_same_way(solver):
    X = [[0.0, 1.0], [1.0, 0.5], [3.0, 0.25], [4.0, 0.75]]
    problem = Problem(X, [-1, -1, 1, 1], C=[1, 1, 1e300, 1e300])
    for start in ([1, 0.5, 0.5, 5e299], [1, 0.1, 1e300, 1e284], [0, 1e-300, 1e-320, 1e299]):
        same(solver, problem, start=start, on_step=partial(watch, 100))


@pytest.mark.parametrize("seed", [
    *range(2), *slow_cases("a rare rounding", *one_in(4, range(2, 40)))])
def test_what_rounding_left_of_the_sum_is_evened_out_alike(seed):
    # Numbers of which a large one swallows a small one, or half of it; free ones may be equal,
    # and may come onto either bound exactly, or beyond it.
    random = Random(seed)
    least = 2.0**-55
    sizes = [1 - 4 * least, 1.0, 2.0, 8.0, *(k * least for k in (1, 1, 2, 3, 4, 5))]
    for _ in range(20):
        start = [random.choice(sizes) for _ in range(6)]
        y = [1, -1, *(random.choice([1, -1]) for _ in range(4))]
        C = [max(a, random.choice([a, 2 * a, 1.0, 8.0])) for a in start]
        problem = Problem([[k / 2] for k in range(6)], y, Gaussian(1), C)
        same("smo", problem, start=start, max_iter=0)


@pytest.mark.parametrize("seed", [
    *range(2), *slow_cases("a rare rounding", *one_in(4, range(2, 20)))])
def test_a_hard_margin_that_is_broken_is_mended_alike(seed):
    # By one factor for all: some margins are 0 or below, others come to 1 but for a rounding.
    random = Random(seed)
    for _ in range(10):
        X = [[random.choice([0.0, 1.0, random.random()])] for _ in range(5)] + [[-random.random()]]
        start = [random.choice([0.0, 0.01, random.random()]) for _ in X]
        C = [random.choice([inf, 1.0]) for _ in X]
        for slack in ("hinge", "squared"):
            problem = Problem(X, [1] * 5 + [-1], Linear(), C, False, slack)
            same("smo", problem, start=start, max_iter=0)


def test_a_curvature_that_is_zero_of_either_sign_is_endless():
    K = [[-0.0 if i == j else 0.0 for j in range(20)] for i in range(20)]
    same("smo", Problem(K, [1] + [-1] * 19, Precomputed(), 1.0))


def test_a_partner_whose_curvature_is_no_number_is_met_among_hopeless_ones():
    """Infinity less infinity: the oracle takes such a gain for endless, and then cannot move. All
    beside it gain too little to be looked at."""
    n, odd = 64, 50
    K = [[0.0] * n for _ in range(n)]
    for k in range(2, n):
        K[k][k] = 0.5e308
    for i in 0, odd:
        for j in 0, odd:
            K[i][j] = 1.2e308
    problem = Problem(K, [1] + [-1] * (n - 1), Precomputed(), 1.0)
    assert refsvm.smo(problem).iterations == 0
    same("smo", problem)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("last", [1e200, 1e300])
def test_a_residual_that_is_no_number_is_refused_alike(solver, last):
    # Of the third example nothing but its own residual tells: infinity less infinity.
    K = [[1.0, 0.0, 1e200], [0.0, 1.0, last], [1e200, last, 1.0]]
    problem = Problem(K, [1, -1, 1], Precomputed(), 1e280, bias=False)
    for third in (0.0, 1.0):
        for steps in (0, 20):
            same(solver, problem, start=[1e200, 1e50, third], max_iter=steps)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("C", [1e154, 1e200, 1e300])
def test_penalties_whose_squares_overflow_end_alike(solver, bias, C):
    problem = Problem([[0.5], [1.25], [-3.0], [2.0]], [-1, 1, 1, -1], C=C, bias=bias)
    same(solver, problem, max_iter=100, on_step=partial(watch, 100))


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("X, y, C, bias, slack", [
    ([[0.0], [1.0], [2.0]], [1, -1, 1], 1.7e308, False, "hinge"),
    ([[1e50], [1e75], [1e100]], [1, -1, 1], 1e150, False, "hinge"),
    ([[1.0], [2.0], [0.5]], [1, -1, 1], [1.0, 5e-324, 2.0], True, "squared"),
    ([[0.0], [-0.5], [0.25], [2.0], [-3.0], [0.125]], [1, -1, -1, 1, 1, 1], 1e300, True, "hinge"),
])
def test_what_goes_beyond_the_doubles_is_refused_alike(solver, X, y, C, bias, slack):
    problem = Problem(X, y, C=C, bias=bias, slack=slack)
    same(solver, problem, max_iter=100, on_step=partial(watch, 100))
    if solver == "smo":
        same("kkt", problem, [0.0] * len(X))


# ---- arguments that are refused


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_kernel_value_that_is_infinite_is_named_before_a_start_that_is_refused(solver):
    same(solver, Problem([[1e155], [0.0]], [1, -1], bias=False, C=0.5), start=[1, 1])


class Many:
    """A number of threads that becomes an int by tolist only, as some of NumPy's do."""

    def tolist(self):
        return 2


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_number_of_threads_may_be_of_any_sort(solver):
    X, y = draws.cloud(20, 2)
    same(solver, Problem(X, y, Gaussian(1), bias=False), max_iter=5, threads=Many())


# ---- sizes around the blocks and the lanes


BLOCK_KERNELS = [
    Linear(), Gaussian(0.3), Polynomial(3, 0.5, 1), MonomialSum(2), Sigmoid(0.1, -0.2),
    Gaussian(0.1) + 2 * Linear() * Gaussian(0.2), lambda x, z: x[0] * z[0] + 1,
]


@pytest.mark.parametrize("n", [
    2, 3, 7, 8, 9, 17,
    *slow_cases("the end of a block of examples",
                *one_in(3, [4, 5, 6, *range(10, 17), 31, 32, 33, 255, 256, 257, 264, 511, 512,
                            513])),
])
@draws.all_shared()
def test_no_number_of_examples_is_a_boundary(n):
    X, y = draws.cloud(n, 3)
    for k, kernel in enumerate(BLOCK_KERNELS):
        slack = "squared" if (n + k) % 4 == 0 else "hinge"
        problem = Problem(X, y, kernel, C=1.5, slack=slack)
        same("smo", problem, max_iter=10 if n > 100 else 40, threads=2)


@pytest.mark.parametrize("d", [
    1, 2, 4, 7, 8, 9, 17,
    *slow_cases("an end of the lanes", *one_in(3, [
        3, 5, 6, *range(10, 17), 18, 19, 31, 32, 33, 63, 64, 65, 100])),
])
def test_no_number_of_features_is_a_boundary(d):
    X, y = draws.cloud(21, d)
    for kernel in BLOCK_KERNELS:
        same("smo", Problem(X, y, kernel, C=0.7), max_iter=20)


@pytest.mark.parametrize("n, slack", [
    (9, "hinge"),
    *slow_cases("values known from many rows, or with a ridge", (9, "squared"), (20, "hinge")),
])
@pytest.mark.parametrize("filled, coarse", [(1, 0), (1, 1), (0.1, 0), (0.6, 1)])
@draws.all_shared()
def test_values_read_from_rows_that_are_known_are_the_same(n, slack, filled, coarse):
    # So many features that a value is dear: K is symmetric, and much of a row is known already.
    random = Random(n)
    X, y = draws.cloud(n, 200)
    X = [[v if k % 3 or random.random() < filled else 0.0 for k, v in enumerate(x)] for x in X]
    if coarse:  # no sum of products rounds
        X = [[round(4 * v) / 4 for v in x] for x in X]
    for kernel in (Gaussian(0.01), Polynomial(3, 0.01, 1), Gaussian(0.02) * Linear()):
        problem = Problem(X, y, kernel, C=1.5, slack=slack)
        same("smo", problem, max_iter=100, on_step=lambda step: None)
        same("smo", problem, max_iter=40, threads=2, cache_mb=0.003)
        same("kkt", problem, [0.1] * n)


@pytest.mark.slow("rows that are computed ahead of need")
def test_values_read_from_rows_that_were_guessed_are_the_same():
    # The table is so large that rows are computed several at a time, ahead of need.
    X, y = draws.cloud(280, 2000)
    same("smo", Problem(X, y, Gaussian(0.0005)), max_iter=40)


@compiled
@pytest.mark.slow("values that are moved more than once")
def test_values_that_are_moved_again_and_again_are_the_same():
    X, y = draws.cloud(240, 160)
    problem = X, y, Gaussian(0.1), 10.0
    descent = DualAscent(refsvm_fast.Problem(*problem), None, 200)
    rows = descent.rows  # which it lets go at the end
    descent.run(1e-3, 10**9, None, False)
    assert rows.mirrored > 150  # some hundred the first time
    same("smo", Problem(*problem))


@pytest.mark.slow("values of rows that are not there any more")
def test_values_are_not_read_from_rows_that_had_to_go():
    # The cache has room for the packed data, but not for all rows, and all are needed.
    X, y = draws.cloud(420, 300)
    same("smo", Problem(X, y, Gaussian(0.0001)), cache_mb=0.99)


@pytest.mark.parametrize("share", [
    0.25, *slow_cases("another way to store rows", 0, 0.01, 0.1, 0.2, 0.24, 0.26, 0.5, 0.9)
])
def test_no_share_of_zeros_is_a_boundary(share):
    random = Random(share)
    X = [[1 + random.random() if random.random() < share else random.choice([0.0, -0.0])
          for _ in range(9)] for _ in range(50)]
    y = [random.choice([1, -1]) for _ in X]
    for kernel in BLOCK_KERNELS[:6]:
        same("smo", Problem(X, y, kernel, C=3), max_iter=40)
        same("coordinate_ascent", Problem(X, y, kernel, bias=False), max_iter=20)


@pytest.mark.parametrize("n, columns", [
    (8, 0), (8, 1), (8, 30),
    *slow_cases("features rare in one block only", (255, 0), (300, 1), (520, 30)),
])
@pytest.mark.parametrize("share", [0.003, 0.03])
def test_many_features_that_are_nearly_always_zero_are_the_same(n, columns, share):
    random = Random(n)
    full = random.sample(range(250), columns)
    filled = [1 if k in full else share for k in range(250)]
    X = [[random.gauss(0, 1) if random.random() < f else 0.0 for f in filled] for _ in range(n)]
    y = [1, -1] * (n // 2) + [1] * (n % 2)
    for kernel in (Gaussian(0.3), Linear(), Gaussian(0.1) * Linear()):
        problem = Problem(X, y, kernel, C=1.5)
        same("smo", problem, max_iter=20 if n > 100 else 100)
        if n < 100:
            same("kkt", problem, [0.1] * n)
    agree(rows_of, X, y)


def rows_of(package, X, y):
    return package.Problem(X, y, Gaussian(1)).X


SORTS_OF_FEATURES = [  # what one value of each is, `usual` being the same for all
    lambda random, usual: usual,
    lambda random, usual: usual if random.random() < 0.95 else random.random(),
    lambda random, usual: random.random(),
    lambda random, usual: float(random.randint(1990, 2026)),
    lambda random, usual: random.randint(-8, 8) / 4,
    lambda random, usual: random.choice([-0.0, 0.0, 1.0]),
    lambda random, usual: -usual if random.random() < 0.05 else usual,
    lambda random, usual: random.uniform(1, 2) * 2.0 ** random.randint(-600, -400),
    lambda random, usual: random.uniform(1, 2) * 2.0 ** random.randint(300, 500),
]


@pytest.mark.parametrize("n", [2, 7, 8, 9, 33, 255, 256, 257, 520])
def test_the_rows_of_a_linear_problem_are_moved_by_the_same_medians(n):
    random = Random(n)
    columns = [[sort(random, usual) for _ in range(n)]
               for sort in SORTS_OF_FEATURES for usual in (0.0, -0.0, -1.0, 2021.0)]
    random.shuffle(columns)
    for kept in (columns, columns[:5]):  # many features, with lists among them, and few
        X, y = [list(row) for row in zip(*kept)], [1, -1] * (n // 2) + [1] * (n % 2)
        agree(shift_and_rows, X, y)


def shift_and_rows(package, X, y):
    problem = package.Problem(X, y)
    return problem.shift, problem.rows


@pytest.mark.parametrize("power", [20, 50, 60, 90, 100, 110, 150, 200])
def test_weights_of_which_nearly_all_is_cancelled_are_the_same(power):
    random = Random(power)
    for n in (3, 9, 40):
        values = [random.gauss(0, 1) * 2.0 ** random.randint(0, power) for _ in range(n)]
        left = [random.gauss(0, 1) for _ in range(4)]
        column = values + [-v for v in values] + left
        random.shuffle(column)
        alpha = [1.0 + (v in left) * random.random() for v in column]
        y = [1, -1] * n + [1, -1, 1, -1]
        X = [[v * s] for v, s in zip(column, y)]
        agree(weights_at, X, y, alpha)


@pytest.mark.parametrize("seed", range(12))
def test_weights_next_to_the_middle_of_two_doubles_are_the_same(seed):
    # Sums whose rounding hangs on terms far below the last digit, or that cancel.
    random = Random(seed)
    n = random.choice([2, 3, 5, 9, 20, 40])
    sizes = [1.0, 2.0, 1 + 2.0**-52, *(2.0**-k for k in (52, 53, 54, 105, 106, 107, 159, 220))]
    X = [[random.choice([-1, 1]) * random.choice(sizes) for _ in range(300)] for _ in range(n)]
    alpha = [random.choice([1.0, 1.0, 3.0, 1 / 3]) for _ in range(n)]
    agree(weights_at, X, [1] + [-1] * (n - 1), alpha)


def weights_at(package, X, y, alpha):
    return package.Problem(X, y).weights(alpha)


@pytest.mark.slow("a difference that appears after hundreds of steps")
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(0.5), Polynomial(2, 1, 1)], ids=repr)
@pytest.mark.parametrize("C", [1, 100, inf])
def test_long_ways_are_the_same_to_the_end(kernel, C):
    X, y = draws.cloud(265, 4)
    same("smo", Problem(X, y, kernel, C), tol=1e-4, max_iter=300)
    X, y = draws.cloud(60, 4)
    for slack, bias, tol in [("hinge", True, 0), ("squared", True, 1e-6), ("hinge", False, 1e-3)]:
        same("smo", Problem(X, y, kernel, C, bias, slack), tol=tol, max_iter=600)
    X, y = draws.cloud(30, 4)
    same("coordinate_ascent", Problem(X, y, kernel, C, False), tol=1e-6, max_iter=300)


@pytest.mark.parametrize("power", [
    -1074, 500,
    *slow_cases("a scale at which something overflows",
                -300, 0, *one_in(4, range(-977, 1024, 97))),
])
def test_every_scale_of_the_data_is_solved_alike(power):
    X, y = draws.cloud(20, 3)
    X = [[v * 2.0**(power // 2) * 2.0**(power - power // 2) for v in x] for x in X]
    for kernel in (Linear(), Gaussian(1), Polynomial(2), Polynomial(1, coef0=1), Sigmoid(1, 0)):
        for C in (1, inf, 2.0**-1000):
            same("smo", Problem(X, y, kernel, C), max_iter=60)
            same("coordinate_ascent", Problem(X, y, kernel, C, bias=False), max_iter=30)


indefinite = draws.gentle_tables(9, 2).map(
    lambda X: Problem(X, [1, -1, 1, -1, 1, -1, -1, 1, 1], Sigmoid(3, -2), C=5)
)


@pytest.mark.slow("an end of smo that the draws above never reach")
def test_the_draws_reach_every_end_of_smo():
    # If one were missing, the equality above would say nothing about it.
    wanted = {"optimal", "max_iter", "infeasible", "indefinite", "precision", "ValueError"}
    ends = set()

    @tries(3000)
    @given(st.one_of(draws.problems(most=12), indefinite), st.sampled_from([3, 200]))
    def note(problem, steps):
        try:
            ends.add(refsvm.smo(problem, max_iter=steps).status)
        except Exception as error:
            ends.add(type(error).__name__)
        if wanted <= ends:
            raise AllSeen

    with pytest.raises(AllSeen):
        note()


class AllSeen(Exception):
    """There is no need to draw more."""


# ---- a kernel value that is not finite


def only_apart(X):
    """A polynomial kernel that overflows between some rows of X, and on none with itself."""
    return Polynomial(3, 1, -X[0][0] * X[0][0])


@pytest.mark.parametrize("n", [4, 9, *slow_cases("a block of rows ahead of need", 40, 260)])
def test_a_value_that_overflows_is_found_at_the_same_step(n):
    # Rows computed ahead of need must not be refused before their time.
    random = Random(n)
    X = [[random.choice([1e52, -1e52])] if random.random() < 0.1 else [random.random()]
         for _ in range(n)]
    X[0] = [1e52]
    y = [random.choice([1, -1]) for _ in X]
    y[:2] = [1, -1]
    kernels = only_apart(X), Polynomial(2, 1e100), draws.nan_for_some, draws.inf_for_some
    for kernel in kernels:
        for C in (1e-200, 1, inf):
            same("smo", Problem(X, y, kernel, C), max_iter=200, on_step=lambda step: None)
            same("coordinate_ascent", Problem(X, y, kernel, C, False), max_iter=100)
            same("kkt", Problem(X, y, kernel, C), [1e-3] * n)
    for kernel in kernels if n < 100 else ():
        for C, members in ((1e-200, 2), (1, 3), (inf, 8)):
            problem = Problem(X, y, kernel, C)
            same("solvers.decomposition.decomposition", problem, members=members, max_iter=100)


# ---- what must not matter


@equality_test("smo", "coordinate_ascent")
@draws.all_shared()
@given(st.data())
@profiles.draws(1/2)
def test_threads_and_cache_change_no_bit(data):
    solver = data.draw(st.sampled_from(SOLVERS))
    n = data.draw(st.sampled_from([5, 30, 270]))
    X = data.draw(draws.gentle_tables(n, data.draw(st.integers(1, 9))))
    kernel = data.draw(draws.plain_kernels(usual=True))
    problem = Problem(X, data.draw(draws.labellings(X)), kernel, C=5, bias=False)
    plain = tree(getattr(refsvm, solver)(problem, max_iter=10))
    for threads, cache_mb in [(1, 1e-9), (2, 200), (3, 0.05), (7, 1e-9)]:
        fast = getattr(refsvm_fast, solver)(
            problem, max_iter=10, threads=threads, cache_mb=cache_mb
        )
        assert tree(fast) == plain, (threads, cache_mb)


@given(draws.problems(most=40))
def test_a_problem_is_as_it_was_and_can_be_copied_after_it_was_solved(problem):
    before, names = tree(problem), set(vars(problem))
    try:
        solution = refsvm_fast.smo(problem, max_iter=20)
    except Exception:
        solution = None
    assert tree(problem) == before
    assert {name for name in vars(problem) if not name.startswith("_")} == names
    assert tree(copy.copy(problem)) == before
    if solution is not None:
        assert solution.problem is problem


def test_an_answer_can_be_pickled_and_copied():
    X, y = draws.cloud(20, 3)
    problem = Problem(X, y, Gaussian(1))
    solution = refsvm_fast.smo(problem)
    model = solution.model()
    for value in (solution, model, problem):
        for other in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value), copy.copy(value)):
            assert tree(other) == tree(value)
    assert solution == refsvm.smo(problem) and model == refsvm.smo(problem).model()
    assert refsvm.smo(problem) == solution and refsvm.smo(problem).model() == model
    assert hash(solution.kernel if hasattr(solution, "kernel") else problem.kernel)
    assert isinstance(solution, refsvm.Solution) and isinstance(model, refsvm.Model)
    own = refsvm_fast.smo(refsvm_fast.Problem(X, y, Gaussian(1)))
    assert own == solution and isinstance(own, refsvm_fast.Solution)
    assert own.model() == model and isinstance(own.model(), refsvm_fast.Model)
    assert tree(pickle.loads(pickle.dumps(own))) == tree(solution)


def test_rows_that_change_between_two_problems_are_read_again():
    X, y = draws.cloud(12, 2)
    flat = array("d", [v for x in X for v in x])
    plane = memoryview(flat).cast("B").cast("d", (12, 2))
    first = tree(refsvm_fast.smo(Problem(X, y, Gaussian(1))))
    assert tree(refsvm_fast.smo(refsvm_fast.Problem(plane, y, Gaussian(1)))) == first
    for x in X:
        x[0] += 3 * x[1]
    flat[:] = array("d", [v for x in X for v in x])
    second = tree(refsvm.smo(Problem(X, y, Gaussian(1))))
    assert second != first
    assert tree(refsvm_fast.smo(refsvm_fast.Problem(X, y, Gaussian(1)))) == second
    assert tree(refsvm_fast.smo(refsvm_fast.Problem(plane, y, Gaussian(1)))) == second


def test_rows_changed_after_a_problem_was_made_do_not_change_it():
    X, y = draws.cloud(12, 2)
    flat = array("d", [v for x in X for v in x])
    plane = memoryview(flat).cast("B").cast("d", (12, 2))
    expected = tree(refsvm.smo(Problem(X, y, Gaussian(1))))
    problems = [refsvm_fast.Problem(rows, y, Gaussian(1)) for rows in (X, plane)]
    for x in X:
        x[0] = 9.0
    flat[:] = array("d", [9.0] * 24)
    for problem in problems:
        assert tree(refsvm_fast.smo(problem)) == expected


def test_answers_share_nothing_that_one_could_spoil_for_the_next():
    X, y = draws.cloud(12, 2)
    problem = refsvm_fast.Problem(X, y, Gaussian(1))
    first = tree(refsvm_fast.smo(problem))
    spoilt = refsvm_fast.smo(problem)
    spoilt.alpha[:] = [7.0] * 12
    spoilt.model().coef.clear()
    assert tree(refsvm_fast.smo(problem)) == first


# ---- callbacks


@pytest.mark.parametrize("error", [ValueError("stop"), KeyboardInterrupt(), SystemExit(3),
                                   StopIteration(), GeneratorExit(), Enough("now")], ids=repr)
@pytest.mark.parametrize("solver", SOLVERS)
def test_an_exception_of_the_callback_is_passed_on_and_breaks_nothing(solver, error):
    X, y = draws.cloud(30, 2)
    problem = Problem(X, y, Gaussian(1), C=10, bias=False)
    expected = tree(getattr(refsvm, solver)(problem))

    def stop(step):
        if step.iteration == 4:
            raise error

    same(solver, problem, on_step=stop)
    with pytest.raises(type(error)) as caught:
        getattr(refsvm_fast, solver)(problem, on_step=stop)
    assert caught.value is error
    assert tree(getattr(refsvm_fast, solver)(problem)) == expected


@pytest.mark.parametrize("solver", SOLVERS)
def test_an_exception_of_the_kernel_is_passed_on(solver):
    X, y = draws.cloud(30, 2)
    same(solver, Problem(X, y, draws.refusing, bias=False), max_iter=50)
    error = KeyboardInterrupt("in the kernel")

    def kernel(x, z):
        if x[0] > 0.9 and z[0] < 0:
            raise error
        return x[0] * z[0]

    same(solver, Problem(X, y, kernel, bias=False), max_iter=50)


def test_a_callback_may_itself_use_the_solver():
    X, y = draws.cloud(25, 2)
    problem = Problem(X, y, Gaussian(1), C=10)
    inner = tree(refsvm.smo(problem, max_iter=7))
    found = []

    def again(step):
        if step.iteration % 5 == 0:
            found.append(tree(refsvm_fast.smo(problem, max_iter=7)))

    plain = tree(refsvm.smo(problem))
    assert tree(refsvm_fast.smo(problem, on_step=again)) == plain
    assert found and all(other == inner for other in found)


def test_a_kernel_may_itself_use_a_kernel():
    X, y = draws.cloud(20, 2)

    def use(package, X, y):
        def kernel(x, z):
            return package.Gaussian(0.5)(x, z) + package.gram(package.Linear(), [x], [z])[0][0]

        return package.smo(package.Problem(X, y, kernel), max_iter=10).alpha

    agree(use, X, y)


@pytest.mark.parametrize("threads", [1, 2])
@draws.all_shared()
def test_many_may_solve_the_same_problem_at_once(threads):
    X, y = draws.cloud(150, 5)
    problem = Problem(X, y, Gaussian(0.3), C=10)
    expected = tree(refsvm.smo(problem, tol=1e-2))
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(refsvm_fast.smo, problem, 1e-2, threads=threads) for _ in range(12)]
        assert all(tree(job.result()) == expected for job in jobs)


@interrupting.possible
def test_an_interruption_ends_a_long_fit_and_breaks_nothing():
    X, y = draws.cloud(3000 if refsvm_fast.COMPILED else 200, 8)
    problem = Problem(X, y, Gaussian(1), C=1e6)
    with pytest.raises(KeyboardInterrupt), interrupting.interrupted_after(0.2):
        while True:
            refsvm_fast.smo(problem, tol=0)
    X, y = draws.cloud(30, 2)
    same("smo", Problem(X, y, Gaussian(1)))


# ---- problems with ways of their own


class OwnProblem(Problem):
    """A problem with its own idea of the kernel's rows, and of the bounds."""

    def kernel_rows(self):
        rows = super().kernel_rows()
        return lambda x: [2 * v for v in rows(x)]

    def upper_bounds(self):
        return [c / 2 for c in super().upper_bounds()]


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_class_made_from_problem_keeps_its_own_ways(solver):
    X, y = draws.cloud(20, 2)
    same(solver, OwnProblem(X, y, Gaussian(1), bias=False), max_iter=20)


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(0.5)])
@pytest.mark.parametrize("name, value", [
    ("scores_and_norm2", ([1.0], 2.0)), ("ridge", [1.0] * 99),
])
def test_the_conditions_of_a_class_made_from_problem_are_looked_at_in_its_ways(
    kernel, name, value
):
    def use(package):
        own = type("Own", (package.Problem,), {name: lambda *_: value})
        problem = own([[0, 1], [2, 3], [1, 1]], [1, -1, 1], kernel, slack="squared")
        return tuple(package.kkt(problem, [0.5] * 3))

    agree(use)


def test_precomputed_is_solved_alike():
    X, y = draws.cloud(20, 3)
    for kernel in (Linear(), Gaussian(0.5), Sigmoid(1, -1)):
        K = refsvm.gram(kernel, X)
        for C in (1, inf):
            same("smo", Problem(K, y, Precomputed(), C), max_iter=400, on_step=lambda step: None)
            same("coordinate_ascent", Problem(K, y, Precomputed(), C, False), max_iter=200)
