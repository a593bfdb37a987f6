"""refsvm_fast reads problems, and says of them what refsvm says, to the last bit."""

from fractions import Fraction
from functools import partial
from math import inf
from random import Random

import profiles
import pytest
import strategies_fast as draws
from equality import agree, compiled, equality_test, same, tree
from hypothesis import given
from hypothesis import strategies as st
from profiles import one_in, slow_cases
from strategies_fast import numpy, tried

import refsvm
import refsvm_fast
from refsvm import Gaussian, Linear, Polynomial

if refsvm_fast.COMPILED:

    from refsvm_fast._inputs import table_of

SOLVERS = ["smo", "coordinate_ascent"]


# ---- what a problem is made of


@equality_test("Problem", "smo")
@given(draws.given_problems())
@profiles.draws(1/2)
def test_rows_of_any_sort_make_the_same_problem(given):
    same("Problem", **given)
    if len(given["y"]) < 70:
        agree(lambda package, **given: package.smo(package.Problem(**given), max_iter=5), **given)


IN_MEMORY = {
    "arrays of float32", "arrays of ints", "arrays of bytes", "every other of a memoryview",
    "a memoryview of float32", "a memoryview of unsigned", "a memoryview of bools", "a frame",
    "a sparse matrix", "some bools", "Fortran order", "float32", "int64", "int32", "int16", "int8",
    "uint64", "uint32", "uint16", "uint8", "bools", "every other row", "every other column",
    "backwards", "broadcast", "read-only", "transposed",
    "sparse, by rows", "sparse, an array", "sparse, by columns", "sparse, float32",
    "sparse, int64", "sparse, int8", "sparse, bools", "sparse, nothing left out", "sparse, twice",
}


@compiled
@pytest.mark.parametrize("name", sorted(IN_MEMORY & set(draws.DRESSES)))
def test_numbers_are_packed_from_where_they_lie(name):
    X = draws.dress([[0.0, 3.0], [1.0, 1.0], [2.0, 0.0]], name)
    assert refsvm_fast.Problem(X, [1, -1, 1]).given is not None


@compiled
@pytest.mark.parametrize("name, part", draws.BROKEN)
def test_a_sparse_matrix_that_is_none_is_not_read(name, part):
    X = draws.three_rows(2)
    assert table_of(X).rows() == [[1.0, 0.0], [0.0, 2.0], [3.0, 4.0]]
    assert table_of(draws.with_part(X, name, part)) is None


@pytest.mark.skipif(draws.sparse is None, reason="SciPy is needed")
@pytest.mark.parametrize("part", ["indptr", "indices"])
@pytest.mark.parametrize("kind", ["i1", "u1", "u4", "i8", "u8", "f4", "f8"])
def test_places_of_a_sparse_matrix_are_read_where_scipy_reads_them(part, kind):
    def use(package):
        X = draws.sparse.csr_matrix([[1.0, 0.0, 3.0], [0.0, 2.0, 0.0]])
        setattr(X, part, getattr(X, part).astype(kind))
        calls = [(package.Problem, ()), (package.pegasos, (1, [0, 1])),
                 (package.perceptron, ([0, 1],))]
        return [tried(call, X, [1, -1], *more) for call, more in calls]

    agree(use)


@pytest.mark.skipif(numpy is None, reason="NumPy is needed")
@pytest.mark.parametrize("kind", ["V0", [], "V3", [("a", "f8")], "S1", "O", "f2", "c16", ">f8"])
def test_an_array_of_what_is_not_read_is_the_oracles(kind):
    agree(lambda package: package.Problem(numpy.zeros((2, 3), dtype=kind), [1, -1]))


class Last:
    """A row that would take the other rows away if it were asked for its length."""

    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        self.rows[:] = [[1.0, 2.0], [3.0, 1.0]]
        return 2


@compiled
def test_a_foreign_row_is_not_asked_while_others_are_read():
    X = [[0.0, 0.0] for _ in range(10**4)]
    X[0] = Last(X)
    assert table_of(X) is None and len(X) == 10**4


@compiled
@pytest.mark.skipif(draws.sparse is None, reason="SciPy is needed")
def test_rows_of_a_sparse_matrix_may_be_longer_than_they_are_wide():
    values = [float(k) for k in range(300)]
    X = draws.sparse.csr_matrix((values, [k % 2 for k in range(300)], [0, 300]), shape=(1, 2))
    assert table_of(X).rows() == X.toarray().tolist()


@pytest.mark.skipif(draws.sparse is None, reason="SciPy is needed")
@pytest.mark.parametrize("width", [2, 2000])
@pytest.mark.parametrize("kind, values", [
    ("i1", [100, 100]), ("f4", [0.1, 0.3]), ("f8", [0.1, 0.3]), ("f8", [1e16, 1, -1e16]),
    ("f8", [-0.0]), ("f8", [-0.0, -0.0]), ("f4", [-0.0]), ("bool", [1, 1]), ("i8", [2**52, 2**52]),
    ("i8", [2**53, -1]), ("f8", [1e308, 1e308, -1e308]),
])
def test_numbers_of_one_place_are_added_as_their_own_sort(kind, values, width):
    def use(package, values):
        ends, places = [0, len(values), len(values) + 1], [1] * len(values) + [0]
        numbers = draws.numpy.array([*values, 1], dtype=kind)
        X = draws.sparse.csr_matrix((numbers, places, ends), shape=(2, width))
        return (package.Problem(X, [1, -1], Gaussian(0.5)).X, package.gram(Linear(), X),
                package.pegasos(X, [1, -1], 1, [0, 1]))

    agree(use, values)


@pytest.mark.parametrize("name", one_in(4, sorted(draws.DRESSES), 1))
@pytest.mark.parametrize("sizes", [
    [(2, 1), (9, 3)], *slow_cases("a sort of rows that is read in lanes", [(40, 8)])
])
def test_rows_of_each_sort_are_solved_alike(name, sizes):
    for n, d in sizes:
        random = Random(n)
        X = draws.dress([[float(random.randint(0, 3)) for _ in range(d)] for _ in range(n)], name)
        y = [1 if i % 3 else -1 for i in range(n)]
        for kernel in (Linear(), Gaussian(0.5)):
            agree(lambda p, X, y, k: p.smo(p.Problem(X, y, k, C=2), max_iter=50), X, y, kernel)


class Gone:
    """A table that is not there any more when it is asked for."""

    def to_numpy(self):
        raise RuntimeError("the table is gone")


@pytest.mark.parametrize("bad", [{}, {"kernel": "linear"}, {"C": -1}, {"bias": 2}])
def test_what_is_wrong_is_told_in_the_same_order(bad):
    agree(lambda package: package.Problem(Gone(), [1, -1], **bad))
    agree(lambda package: package.SVC(**bad).fit(Gone(), [1, -1]))
    agree(lambda package: package.pegasos(Gone(), [1, -1], -1, [0]))
    agree(lambda package: package.kernel_pegasos(bad.get("kernel", Linear()), Gone(), [1], 1, [0]))
    agree(lambda package: package.kernel_perceptron(bad.get("kernel", Linear()), Gone(), [1], [0]))
    agree(lambda package: package.gram(bad.get("kernel", Linear()), [[1.0]], Gone()))
    agree(lambda package: package.gram(bad.get("kernel", Linear()), Gone(), [["a"]]))


# ---- the methods of a problem, and the conditions


@st.composite
def multipliers(draw, problem):
    """Any alpha: feasible, too large, negative, of another length, no numbers at all."""
    if draw(st.integers(0, 9)) == 0:
        return draw(draws.spoiled([0.5] * problem.n))
    random = Random(draw(draws.seeds))
    values = draw(st.sampled_from([
        [0.0, 1.0], [0.0, -0.0, 0.5], [0, 1, 2], [1e-320, 1e300], [-1.0, 1.0], [0.1, 0.2, 0.3],
        [Fraction(1, 3), 0], [0.0],
    ]))
    if problem.n > 20 and any(isinstance(v, Fraction) for v in values):
        values = [0.25, 0.0]
    return draw(draws.lists_as([random.choice(values) for _ in range(problem.n)]))


offsets = st.one_of(
    st.sampled_from([0, 0.0, -0.0, 1, 0.3, -2.5, 1e300, 5e-324, Fraction(1, 3)]), draws.nonsense
)


@equality_test("kkt", "KKT", "svm.kkt_conditions.Row", "svm.kkt_conditions.Violation")
@given(st.data())
@profiles.draws(1/2)
def test_the_conditions_are_the_same(data):
    problem = data.draw(draws.problems())
    alpha = data.draw(multipliers(problem))
    b = data.draw(st.one_of(st.none(), st.just(0), offsets))
    if problem.n > 20 and isinstance(b, Fraction):
        b = 0.5
    same("kkt", problem, alpha, b)
    same("kkt", problem, alpha)


@equality_test("kkt")
@given(st.data())
@profiles.draws(1/2)
def test_the_conditions_at_an_answer_are_the_same(data):
    problem = data.draw(draws.problems(most=40))
    try:
        solution = refsvm.smo(problem, max_iter=100)
    except Exception:
        draws.assume(False)
    same("kkt", problem, solution.alpha, solution.b)
    same("kkt", problem, solution.alpha)


@equality_test(*(f"Problem.{name}" for name in (
    "weights", "margins", "slacks", "primal", "dual", "gap", "upper_bounds", "ridge")))
@given(st.data())
@profiles.draws(1/2)
def test_the_methods_of_a_problem_are_the_same(data):
    given = data.draw(draws.given_problems(most=65))
    problem = draws.possible(given)
    alpha = data.draw(multipliers(problem))
    b = data.draw(st.one_of(st.just(0), offsets))

    def every_method(package, given, alpha, b):
        problem = package.Problem(**given)
        answers = []
        for name in ("weights", "margins", "slacks", "primal", "dual", "gap"):
            method = getattr(problem, name)
            try:
                answers.append(method(alpha) if name in ("weights", "dual") else method(alpha, b))
            except Exception as error:
                answers.append(error)
        return [*answers, problem.upper_bounds(), problem.ridge(), problem]

    agree(every_method, given, alpha, b)


@pytest.mark.parametrize("alpha", [
    [1.0, 1.0, 0.0, 0.0], [0.0] * 4, [0.0, 0.0, -0.0, 1.0], [1.0, 1.0, 1e-300, 0.0],
    [0.0, 0.0, 1.0, 1.0], [1e308, 1e308, 0.0, 0.0], [-1e308, 1e308, 0.0, 1.0],
])
def test_an_infinite_kernel_value_counts_only_times_a_multiplier_that_is_not_zero(alpha):
    X, y = [[1.0], [2.0], [1e200], [-1.0]], [1, -1, 1, -1]

    def use(package, name):
        problem = package.Problem(X, y, Polynomial(2, 1, 1), C=5.0)
        if name == "kkt":
            return [package.kkt(problem, alpha, b) for b in (None, 0.0, 1.0)]
        return getattr(problem, name)(alpha, 1.0)

    for name in ("kkt", "margins", "slacks", "primal", "gap"):
        agree(use, name)


# ---- problems that were changed by hand


def four_points(package, kernel):
    return package.Problem([[0, 1], [2, 3], [1, 1], [5, 2]], [1, -1, -1, 1], kernel, 2)


def after_a_change(package, name, value, kernel):
    """What is said of a problem whose labels, penalties or number were changed since."""
    told = []
    for solver in ("smo", "kkt", "scores_and_norm2", "weights"):
        problem = four_points(package, kernel)
        setattr(problem, name, value)
        arguments = () if solver == "smo" else ([0.5] * 4,)
        call = getattr(problem, solver, None) or partial(getattr(package, solver), problem)
        told.append(tried(call, *arguments))
    return told


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(0.5)])
@pytest.mark.parametrize("name, value", [
    ("y", [1, -1]), ("y", (1, -1, -1, 1)), ("y", []), ("y", [1, -1, -1, 1, 1]), ("C", [1.0]),
    ("C", (1.0, 2.0, 1.0, 2.0)), ("C", []), ("n", 3), ("n", 5), ("n", 10**6),
])
def test_nothing_is_read_past_the_end_of_what_was_put_into_a_problem(name, value, kernel):
    agree(after_a_change, name, value, kernel)


@pytest.mark.parametrize("name, value", [("y", [1, -1]), ("C", [2.0]), ("C", (2.0,) * 4)])
def test_nor_of_what_a_callback_puts_there(name, value):
    def use(package):
        problem = four_points(package, Gaussian(1))
        return package.smo(problem, on_step=lambda step: setattr(problem, name, value))

    agree(use)


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(0.5)])
@pytest.mark.parametrize("name, value", [
    ("y", [1] * 4), ("y", [-1] * 4), ("C", [inf] * 4), ("C", [0.0] * 4),
])
def test_labels_and_penalties_that_no_problem_begins_with_are_taken_alike(name, value, kernel):
    # Of one class: then no offset is too large, or none too small.
    agree(after_a_change, name, value, kernel)


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(1)])
def test_an_image_is_that_of_any_sort_of_numbers(kernel):
    for beta in [(0.5, -0.5, 0.0, 1.0), *([numpy.array([0.5, -0.5, 0, 1])] if numpy else [])]:
        agree(lambda package, beta=beta: four_points(package, kernel).scores_and_norm2(beta))


@pytest.mark.parametrize("kind", [float, Fraction])
def test_residuals_and_variables_are_of_the_problems_kind(kind):
    told = []
    for package in (refsvm, refsvm_fast):
        problem = package.Problem([[0], [1], [3]], [-1, 1, 1], C=3, slack="squared").to(kind)
        beta = problem.variables_of([kind(1), kind(0), kind(2)])
        r = problem.residuals(problem.dual_form(), beta, [kind(v) for v in (0, 1, 3)])
        assert {*map(type, r)} == {kind}
        told.append(tree([beta, r, problem.multipliers_of(beta)]))
    assert told[0] == told[1]
