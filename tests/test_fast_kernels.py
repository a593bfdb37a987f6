"""refsvm_fast computes kernels and decides as refsvm does: to the last bit, in the same words."""

import copy
import pickle
from array import array
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import product
from math import inf, nan
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import sleep

import pytest
import strategies_fast as draws
from equality import agree, equality_test, same, same_fit, tree
from hypothesis import given
from hypothesis import strategies as st
from profiles import slow_cases
from strategies_fast import tried

import refsvm
import refsvm_fast
from refsvm import (
    SVC,
    Gaussian,
    Linear,
    MonomialSum,
    OneAgainstOne,
    Polynomial,
    Precomputed,
    Problem,
    Sigmoid,
    Spectrum,
)

FORMULAS = [Linear(), Gaussian(0.3), Polynomial(3, 0.5, 1), MonomialSum(3), Sigmoid(0.1, -0.2)]


# ---- Gram matrices


@st.composite
def rows_and_kernels(draw, most=None):
    """(rows, rows to compare with, a kernel), as a caller may give them."""
    n, d = draw(draws.sizes(most)), draw(draws.widths)
    m = draw(draws.sizes(most=5 if n > 70 else 33))
    if draw(st.integers(0, 9)) == 9:
        words = draw(draws.words_of(min(n, 20))), draw(draws.words_of(m))
        return (*words, draw(draws.string_kernels))
    X, Z = draw(draws.tables(n, d)), draw(draws.tables(m, d))
    if draw(st.booleans()):
        Z = [list(X[i % n]) if i % 3 else z for i, z in enumerate(Z)]
    kernel = draw(draws.kernels)
    if n > 70:
        kernel = draw(draws.plain_kernels())
    return draws.dress(X, draw(draws.dresses)), draws.dress(Z, draw(draws.dresses)), kernel


@equality_test("gram")
@given(rows_and_kernels(), draws.threads)
def test_gram_matrices_are_the_same(given, threads):
    X, Z, kernel = given
    same("gram", kernel, X, Z, threads=threads)
    same("gram", kernel, Z, X)
    same("gram", kernel, Z, threads=threads)


@equality_test("gram")
@given(st.data())
def test_bad_arguments_of_gram_meet_the_same_sentence(data):
    X, Z, kernel = data.draw(rows_and_kernels(most=9))
    arguments = {"kernel": kernel, "X": X, "Z": Z, "threads": 1}
    arguments = data.draw(draws.spoiled_arguments(arguments))
    if data.draw(st.booleans()):
        arguments = data.draw(draws.spoiled_arguments(arguments))
    same("gram", **arguments)


@equality_test("gram")
@given(st.data())
def test_kernel_values_are_those_of_one_pair_at_a_time(data):
    # The oracle's gram against the formulas themselves, and refsvm_fast's against both.
    d = data.draw(draws.widths)
    X, Z = data.draw(draws.tables(3, d)), data.draw(draws.tables(10, d))
    kernel = data.draw(draws.plain_kernels())

    def values(package):
        try:
            return package.gram(kernel, X, Z)
        except ValueError:
            return None

    agree(values)
    if values(refsvm_fast) is not None:
        assert tree(values(refsvm_fast)) == tree([[kernel(x, z) for z in Z] for x in X])


@pytest.mark.parametrize("n", [
    *range(1, 20), 31, 32, 33, 257,
    *slow_cases("the end of a block of rows", 255, 256, 511, 512, 513),
])
def test_no_number_of_rows_is_a_boundary(n):
    random = Random(n)
    X = [[random.gauss(0, 1), 0.0, random.random()] for _ in range(n)]
    for kernel in [*FORMULAS, Gaussian(1) * Linear() + 2 * Polynomial(2), draws.by_hand]:
        for m in (1, 2, 3, 5):
            same("gram", kernel, X[:m], X, threads=2)
        if n < 40:
            same("gram", kernel, X)


@pytest.mark.parametrize("d", [7, 8, 9, 23, 40])
@pytest.mark.parametrize("n", [40, 270])
def test_rows_without_a_zero_are_served_together(n, d):
    random = Random(n + d)
    X = [[random.gauss(0, 1) for _ in range(d)] for _ in range(n)]
    few = [x if i % 4 else [0.0, *x[1:]] for i, x in enumerate(X[:11])]
    for kernel in (Linear(), Polynomial(3, 0.5, 1), Gaussian(0.1)):
        same("gram", kernel, few, X)


@pytest.mark.parametrize("i, j", [(0, 0), (39, 2), (33, 299), (7, 256), (280, 1)])
def test_a_value_of_a_gram_matrix_that_is_not_finite_is_named_by_its_place(i, j):
    X, Z = ([[1.0, 0.0] for _ in range(300)] for _ in range(2))
    X[i][1] = Z[j][1] = 1e200
    for kernel in (Linear(), Polynomial(2)):
        same("gram", kernel, X, Z)


@pytest.mark.parametrize("place", range(5))
@pytest.mark.parametrize("other", [0.1, 1e9 + 0.25, 1e-170, 1e150, 2.0**27 + 1, 2.0**28 + 7])
def test_one_row_that_is_finer_or_larger_than_the_others_costs_no_bit(place, other):
    X = [[float(i + k) for k in range(4)] for i in range(5)]
    Z = [[float(i - k) for k in range(4)] for i in range(20)]
    X[place][place % 4] = other
    for rows in (X, [x + [0.0, 1.0] for x in X], [[1.0, *x] for x in X]):
        more = [[*z, *z][:len(rows[0])] for z in Z]
        for kernel in (Gaussian(0.1), Gaussian(2.0**-54)):
            same("gram", kernel, rows, more)
            agree(decided_by_hand, [1.0] * 20, more, kernel, rows, 1)


@pytest.mark.parametrize("threads", [0, -1, 1.5, None, True, "1"])
def test_a_number_of_threads_that_is_no_good_is_refused_alike(threads):
    for kernel, X in ((Spectrum(1), ["ab", "b"]), (Linear(), [[1.0], [2.0]])):
        same("gram", kernel, X, threads=threads)


@pytest.mark.parametrize("d", [*range(1, 20), 31, 32, 33, 64, 100, 257])
def test_no_number_of_features_is_a_boundary(d):
    random = Random(d)
    X = [[random.gauss(0, 1) if random.random() < 0.7 else 0.0 for _ in range(d)]
         for _ in range(19)]
    for kernel in FORMULAS:
        same("gram", kernel, X)


@pytest.mark.parametrize("name", sorted(draws.DRESSES))
def test_rows_of_each_sort_are_read_alike(name):
    random = Random(1)
    X = [[float(random.randint(0, 3)) for _ in range(5)] for _ in range(11)]
    Z = [[float(random.randint(-3, 3)) for _ in range(5)] for _ in range(3)]
    for kernel in (Linear(), Gaussian(0.1), draws.by_hand):
        same("gram", kernel, draws.dress(X, name))
        same("gram", kernel, X, draws.dress(Z, name))
        same("gram", kernel, draws.dress(Z, name), X)
    for kernel in (Linear(), Gaussian(0.1)):
        problem = Problem(X, [1, -1] * 5 + [1], kernel)

        def decide(package, X, problem=problem):
            model = package.smo(problem).model()
            return model.decisions(X), model.predictions(X)

        agree(decide, draws.dress(X, name))
        agree(decide, draws.dress(Z, name))


@pytest.mark.parametrize("value", [
    sign * (2**power + more)
    for power in (31, 52, 53, 54, 62, 63, 64, 1100) for more in (-1, 0, 1) for sign in (1, -1)
])
def test_an_integer_is_taken_if_a_double_holds_it_and_refused_alike_if_none_does(value):
    same("gram", Linear(), [[1, value], [0.5, True]])
    same("lms", [[1, 2], [0, 1]], [1, value], 0, 1)


@pytest.mark.parametrize("form", [list, tuple, draws.numpy and draws.numpy.array])
def test_rows_without_a_number_are_refused_alike(form):
    if form is None:
        pytest.skip("NumPy is not installed")
    X = form([[], []])
    for kernel in (Linear(), Gaussian(1)):
        same("gram", kernel, X)
        same("gram", kernel, X, [[]])
        same("gram", kernel, [[1.0]], X)
        agree(lambda package, kernel, X: package.Problem(X, [1, -1], kernel), kernel, X)
        agree(decided_each_way, X, 0.5, [1.0], [[]], kernel, None)
        agree(decided_each_way, X, 0.5, [], [], kernel, [])
    same("pegasos", X, [1, -1], 0.5, [0, 1])
    same("perceptron", X, [1, -1], [0, 1])


@pytest.mark.skipif(draws.numpy is None, reason="NumPy is not installed")
@pytest.mark.parametrize("kind", ["datetime64[D]", "timedelta64[s]"])
def test_an_array_that_does_not_show_its_memory_is_refused_alike(kind):
    A = draws.numpy.zeros((2, 2), dtype=kind)
    for X in (A, list(A), [A[0].tolist()] * 2):
        same("gram", Gaussian(1), X)
        agree(lambda package, X: package.Problem(X, [1, -1]), X)


class Lengthless(list):
    """A row that does not tell its length."""

    def __len__(self):
        raise LookupError("no length")


def test_a_row_is_not_asked_for_its_length_before_the_oracle_does():
    for X in ([Lengthless([1.0])] * 2, (Lengthless([1.0]),) * 2):
        for kernel in (Spectrum(2), Linear()):
            agree(lambda package, X, kernel: package.Problem(X, [1, -1], kernel), X, kernel)


class AtOnce(Linear):
    """Its rows are what `of` makes of those of Linear."""

    def __init__(self, of):
        self.of = of

    def parameters(self):
        return []

    def row_function(self, points, kind):
        row = Linear().row_function(points, kind)
        return lambda x: self.of(row(x))

    def squared_norms(self, X, kind):
        return self.of(super().squared_norms(X, kind))

    def __repr__(self):
        return "AtOnce()"


class Moved(Gaussian):
    """It compares other points than the rows."""

    def reference_points(self, X):
        return [[v + 1 for v in x] for x in X]


class AllButOne(Gaussian):
    """It has too few points."""

    def reference_points(self, X):
        return X[1:]


@pytest.mark.parametrize("kernel", [
    *map(AtOnce, [list, tuple, lambda row: array("d", row), lambda row: row[1:], str,
                  lambda row: [*row, 1.0], lambda row: None, lambda row: [int(v) for v in row],
                  lambda row: [None] * len(row), lambda row: row[:0]]),
    Moved(1), AllButOne(1),
])
def test_rows_that_a_kernel_gives_in_any_form_are_taken_and_refused_alike(kernel):
    X, y = [[1.0], [2.0], [-1.0], [3.5]], [1, 1, -1, -1]
    same("gram", kernel, X)
    same("kernel_perceptron", kernel, X, y, [0, 1, 2, 3, 0])
    same("kernel_pegasos", kernel, X, y, 0.1, [0, 1, 2, 3, 0])
    same("kernel_lms", kernel, X, y, 0.01, 2)
    agree(decided_by_hand, [1.0] * 4, X, kernel, X, 1)
    for slack in ("hinge", "squared"):
        agree(lambda package, slack=slack: package.smo(
            package.Problem(X, y, kernel, slack=slack), max_iter=20))


# ---- models of two classes


@st.composite
def decided(draw, X, kernel):
    """Rows for a model trained on X: the same, others, of any sort, and now and then no good."""
    if isinstance(X[0], str):
        return draw(draws.words_of(draw(st.integers(1, 9))))
    if isinstance(kernel, Precomputed):
        rows = X[:draw(st.integers(1, 9))]
    elif draw(st.booleans()):
        rows = draw(draws.tables(draw(st.integers(1, 40)), len(X[0])))
    else:
        rows = [list(x) for x in X]
    if draw(st.integers(0, 9)) == 0:
        return draw(draws.spoiled(rows))
    return draws.dress(rows, draw(draws.dresses))


@equality_test("Model", "Model.decisions", "Model.predictions", "Model.decision", "Model.predict",
               "Solution.model")
@given(st.data())
def test_a_trained_model_decides_the_same(data):
    given = data.draw(draws.given_problems(sorts=False))
    given["y"] = list(given["y"])
    try:
        problem = Problem(**given)
        steps = data.draw(st.sampled_from([0, 1, 5, 60]))
        solution = refsvm.smo(problem, max_iter=steps)
    except Exception:
        draws.assume(False)
    rows = data.draw(decided(problem.X, problem.kernel))
    threads = data.draw(draws.threads)

    def decide(package, rows):
        model = package.smo(problem, max_iter=steps).model()
        single = []
        for row in rows[:3] if isinstance(rows, list) else []:
            for method in (model.decision, model.predict):
                single.append(tried(method, row))
        return (tried(model.decisions, rows, threads=threads),
                tried(model.predictions, rows, threads=threads), single, model)

    assert solution.problem is problem
    agree(decide, rows)


odd_numbers = st.sampled_from([0, 1, -1, 0.0, -0.0, 0.5, 2, True, 1e300, 5e-324, nan, inf,
                               Fraction(1, 3), None, "1"])


@st.composite
def models_by_hand(draw):
    """The fields of a Model that was not trained."""
    d, n = draw(st.integers(1, 9)), draw(st.integers(0, 20))
    plain = draw(st.booleans())
    random = Random(draw(draws.seeds))
    vectors = draw(draws.tables(n, d)) if n else []
    coef = [random.gauss(0, 1) for _ in range(n)]
    b = draw(st.sampled_from([0.0, 0.5, -0.0]))
    w = [random.gauss(0, 1) for _ in range(d)]
    kernel = draw(draws.plain_kernels() if plain else draws.kernels)
    if draw(st.integers(0, 2)) or not isinstance(kernel, Linear):
        w = None
    if draw(st.integers(0, 9)) == 0:
        kernel, vectors, d = Precomputed(), sorted(random.sample(range(30), n)), 31
    if not plain:
        change = draw(st.integers(0, 8))
        if change == 0:
            coef = [draw(odd_numbers) for _ in coef]
        elif change == 1:
            b = draw(odd_numbers)
        elif change == 2:
            coef, vectors = tuple(coef), tuple(vectors)
        elif change == 3:
            vectors = draw(draws.spoiled(vectors))
            w = None
        elif change == 4:
            coef = coef + [1.0] if draw(st.booleans()) else coef[:-1]
        elif change == 5 and w:
            w = draw(st.sampled_from([tuple(w), w[:-1], [int(v) for v in w], array("d", w), []]))
        elif change == 6:
            kernel = draw(draws.nonsense)
        elif change == 7 and isinstance(vectors, list) and d < 31:
            vectors = draws.dress(vectors, draw(draws.dresses))
    return (b, coef, vectors, kernel, w), d


@equality_test("Model", "Model.decisions", "Model.predictions", "Model.decision", "Model.predict")
@given(st.data())
def test_a_model_made_by_hand_decides_the_same(data):
    fields, d = data.draw(models_by_hand())
    X = data.draw(draws.tables(data.draw(st.integers(1, 20)), d))
    rows = draws.dress(X, data.draw(draws.dresses))
    if data.draw(st.integers(0, 4)) == 0:
        rows = data.draw(draws.spoiled(X))
    row = data.draw(st.one_of(draws.lists_as(X[0]), draws.nonsense))
    threads = data.draw(st.one_of(draws.threads, draws.threads, draws.nonsense))

    def decide(package, fields, rows, row):
        model = package.Model(*fields)
        return (tried(model.decisions, rows, threads=threads), tried(model.decision, row),
                tried(model.predictions, rows, threads=threads), tried(model.predict, row), model)

    agree(decide, fields, rows, row)


def test_a_linear_model_whose_vectors_are_a_buffer_meets_the_same_error():
    vectors = memoryview(array("d", [1.0])).cast("B").cast("d", (1, 1))
    agree(lambda package: package.Model(0.0, [1.0], vectors, Linear(), [2.0]).decision([1.0]))


@pytest.mark.parametrize("b", [0, 0.0, True])
@pytest.mark.parametrize("coef", [None, [None], ["a"], [[1.0]], [], [1.0, 2.0]])
def test_coefficients_that_are_not_needed_are_converted_with_the_offset_alike(b, coef):
    agree(lambda package: package.Model(b, coef, [[1.0]], Linear(), [2.0]).decisions([[3.0]]))


SORTS_OF_NUMBERS = {
    "list": [2.0], "tuple": (2.0,), "ints": [2], "bools": [True], "array": array("d", [2.0]),
    "memoryview": memoryview(array("f", [2.0])), "dict": {0: 2.0}, "set": {2.0}, "string": ["2"],
    "too long": [2.0, 1.0], "empty": [], "in a list": [[2.0]], "int": 2, "large int": [2**53 + 1],
    "fraction": [Fraction(1, 2)], "nan": [nan], "inf": [inf],
}
if draws.numpy:
    SORTS_OF_NUMBERS["NumPy"] = draws.numpy.array([2.0])
    SORTS_OF_NUMBERS["NumPy's float32"] = draws.numpy.array([2.0], dtype="f4")
    SORTS_OF_NUMBERS["NumPy's scalar"] = [draws.numpy.float64(2)]


def decided_each_way(package, rows, *fields):
    model = package.Model(*fields)
    return [tried(method, rows) for method in (model.decisions, model.predictions)] + [
        tried(method, rows[0]) for method in (model.decision, model.predict)]


@pytest.mark.parametrize("name", SORTS_OF_NUMBERS)
def test_weights_and_coefficients_of_any_sort_are_taken_alike(name):
    # The oracle multiplies with what it is given: with numbers of NumPy it says numbers of NumPy.
    numbers = SORTS_OF_NUMBERS[name]
    kernels = Linear(), Gaussian(1), Precomputed(), 2 * Linear(), draws.by_hand, None, "rbf"
    tables = [[1.0], [0.5]], [[1.0, 2.0]], [[nan]], ["a"]
    for kernel, rows, vectors in product(kernels, tables, ([[1.0]], [0], [])):
        agree(decided_each_way, rows, 0.5, [1.0], vectors, kernel, numbers)
        agree(decided_each_way, rows, 0.5, numbers, vectors, kernel, None)
        agree(decided_each_way, rows, 0.5, numbers, vectors, kernel, [3.0])


@pytest.mark.parametrize("vectors", [None, 5, "ab"])
@pytest.mark.parametrize("kernel", [Precomputed(), Gaussian(1)])
def test_a_model_whose_vectors_are_no_list_meets_the_same_error(kernel, vectors):
    agree(lambda package: package.Model(0.0, [], vectors, kernel, None).decision([1.0]))


@equality_test("Model.decisions")
@given(draws.given_problems(most=40))
def test_no_rows_no_answers(given):
    def decide(package, given):
        model = package.smo(package.Problem(**given), max_iter=3).model()
        return [tried(model.decisions, rows) for rows in ([], (), array("d"), {}, "", None)]

    agree(decide, given)


def decided_by_hand(package, coef, vectors, kernel, rows, threads):
    return package.Model(0.5, coef, vectors, kernel, None).decisions(rows, threads=threads)


@pytest.mark.parametrize("n", [
    1, 2, 7, 8, 9, 16, 17, *slow_cases("the end of a block of vectors", 255, 256, 257, 512, 600)
])
def test_no_number_of_support_vectors_or_rows_is_a_boundary(n):
    random = Random(n)
    vectors = [[random.gauss(0, 1) for _ in range(3)] for _ in range(n)]
    coef = [random.gauss(0, 1) for _ in range(n)]
    for kernel in [*FORMULAS, Gaussian(1) + 0.5 * Linear()]:
        for count in (1, 3, 8, 9):
            rows = [[random.gauss(0, 1) for _ in range(3)] for _ in range(count)]
            for threads in (1, 2, 3):
                agree(decided_by_hand, coef, vectors, kernel, rows, threads)
        agree(decided_by_hand, coef[:5], vectors[:5], kernel, vectors, 1)


@pytest.mark.parametrize("coef", [1.0, -1.0, 0.0])
@pytest.mark.parametrize("vector, row", [(0, 0), (0, 39), (255, 7), (256, 8), (299, 33)])
def test_a_kernel_value_that_is_not_finite_is_refused_wherever_it_stands(vector, row, coef):
    random = Random(1)
    vectors = [[random.gauss(0, 1), 0.0] for _ in range(300)]
    rows = [[random.gauss(0, 1), 0.0] for _ in range(40)]
    vectors[vector][1], rows[row][1] = 1e100, 1e100
    coefs = [random.gauss(0, 1) for _ in vectors]
    coefs[vector] = coef
    for kernel in (Polynomial(3), MonomialSum(2), Gaussian(1) + Polynomial(2)):
        agree(decided_by_hand, coefs, vectors, kernel, rows, 1)


def test_sums_that_are_too_large_for_a_double_are_told_as_the_oracle_tells_them():
    vectors = [[1e100], [1e-3]]
    for coef in ([1e300, 1.0], [-1e300, 1.0], [1e200, 1e200]):
        for kernel in (Polynomial(1), Polynomial(3)):
            agree(decided_by_hand, coef, vectors, kernel, [[1.0], [1e3], [1e-90]], 1)


def test_a_model_is_a_tuple_like_the_oracles():
    def use(package):
        model = package.Model(0.5, [1.0, -2.0], [[1.0], [2.0]], Gaussian(1), None)
        other = model._replace(b=1.0)
        b, coef, *rest = model
        return [
            model, other, b, coef, rest, model._asdict(), package.Model._make(model), len(model),
            model == other, model == tuple(model), model[1], repr(other), model._fields,
            package.Model._field_defaults, other.decisions([[1.0]]), type(other).__name__,
            copy.copy(model), copy.deepcopy(model), pickle.loads(pickle.dumps(model)),
            pickle.loads(pickle.dumps(model)).decisions([[3.0]]), type(model).__qualname__,
            tried(package.Model, 1), tried(package.Model), tried(hash, model),
            tried(setattr, model, "b", 2), tried(setattr, model, "mine", 2),
        ]

    agree(use)


OWN_WAYS = {
    "convert_row": lambda self, x, name, kind: [1.0],
    "decision_from": lambda self, values, name: -1.0,
    "to": lambda self, kind: self._replace(b=9.0),
    "kernel": Gaussian(3),
    "offsets": [0.5],
    "machine": lambda self: "of the caller's",
}


@pytest.mark.parametrize("name", OWN_WAYS)
def test_a_class_made_from_a_model_has_its_own_ways(name):
    def use(package):
        own = {name: OWN_WAYS[name]}
        two = type("Two", (package.Model,), own)
        many = type("Many", (package.OneAgainstOne,), own)
        X, told = [[0.5], [3.0]], []
        for kernel in (Gaussian(1), Linear()):
            w = [2.0] if type(kernel) is Linear else None
            models = [two(0.5, [1.0, -2.0], [[1.0], [2.0]], kernel, w),
                      many([0, 1], kernel, [[1.0], [2.0]], [1, 1], [[1.0, 2.0]], [1.0])]
            for model in models:
                told += [tried(model.decisions, X), tried(model.predictions, X),
                         tried(model.predict, X[0])]
        return told

    agree(use)


def test_a_model_made_from_the_oracles_class_is_equal_to_that_of_the_other():
    fields = 0.5, [1.0, -2.0], [[1.0], [2.0]], Gaussian(1), None
    assert refsvm_fast.Model(*fields) == refsvm.Model(*fields)
    assert isinstance(refsvm_fast.Model(*fields), refsvm.Model)


def test_a_model_reads_its_vectors_anew_when_they_were_changed():
    vectors, coef = [[1.0, 0.5], [2.0, -1.0]], [1.0, -1.0]
    for package in (refsvm, refsvm_fast):
        rows = copy.deepcopy(vectors), copy.deepcopy(coef)
        model = package.Model(0.0, rows[1], rows[0], Gaussian(1), None)
        first = model.decisions([[0.0, 0.0]])
        rows[0][0][0] = 5.0
        rows[1][1] = 3.0
        changed = model.decisions([[0.0, 0.0]])
        again = package.Model(0.0, [1.0, 3.0], [[5.0, 0.5], [2.0, -1.0]], Gaussian(1), None)
        assert changed == again.decisions([[0.0, 0.0]]) != first


def test_many_may_ask_the_same_model_at_once():
    random = Random(5)
    X = [[random.gauss(0, 1) for _ in range(4)] for _ in range(300)]
    problem = Problem(X, [1 if x[0] > 0 else -1 for x in X], Gaussian(1))
    expected = refsvm.smo(problem).model().decisions(X)
    model = refsvm_fast.smo(problem).model()
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(model.decisions, X, threads=1 + i % 2) for i in range(8)]
        assert all(job.result() == expected for job in jobs)


@pytest.mark.parametrize("pause", [0.001 * k for k in range(9)])
def test_rows_that_another_thread_takes_away_meanwhile_are_not_read(pause):
    # Other threads run while kernel values are computed. What is told then is not defined.
    Z = [[float(i % 5), i / 2] for i in range(3000 if refsvm_fast.COMPILED else 30)]
    X = [[float(i % 7), i / 3] for i in range(len(Z))]
    with ThreadPoolExecutor(1) as pool:
        job = pool.submit(lambda: (sleep(pause), X.clear()))
        tried(refsvm_fast.gram, Gaussian(1), X, Z)
        job.result()


# ---- several classes


@st.composite
def class_labels(draw, n):
    """Labels of one sort, of two classes and more, now and then of one."""
    sort = draw(st.sampled_from([
        [0, 1], [1, -1], [-1, 1], ["no", "yes"], [0.5, 1.5, -2.0], [True, False], [3, 1, 2],
        ["b", "a", "c", "d"], [10, 9, 8, 7, 6], [(1, 2), (0, 5)], [Fraction(1, 2), 1], [1, 2.0],
        [-0.0, 1], ["", "a"], [b"a", b"b"], [1], ["a", 1], [None, 1], [2**70, -(2**70)],
    ]))
    random = Random(draw(draws.seeds))
    y = [random.choice(sort) for _ in range(n)]
    if draw(st.integers(0, 9)):
        y[:len(sort)] = sort[:n]
    if draws.numpy and draw(st.integers(0, 3)) == 0:
        try:
            return draws.numpy.array(y)
        except ValueError:
            return y
    return y


svc_prices = st.sampled_from([1.0, 1, 10, 0.1, 100, inf, 1e-3])
svc_kernels = st.one_of(
    st.sampled_from(["rbf", "linear", "poly", "sigmoid", "rbf", "linear"]),
    draws.plain_kernels(usual=True), st.sampled_from([draws.by_hand, draws.nearness]),
)


@st.composite
def svc_parameters(draw):
    """Parameters of SVC by name, usual ones."""
    given = {}
    choices = {
        "C": svc_prices, "kernel": svc_kernels, "degree": st.integers(0, 4),
        "gamma": st.sampled_from(["scale", "auto", 0.5, 1, 0.01, 3.0]),
        "coef0": st.sampled_from([0.0, 1, -0.5]), "tol": st.sampled_from([1e-3, 1e-1, 1e-6, 0]),
        "cache_size": st.sampled_from([200, 1, 1e-6]),
        "class_weight": st.sampled_from([None, "balanced", {0: 2.0}, {1: 0.5, -1: 2}]),
        "max_iter": st.sampled_from([-1, 0, 1, 5, 50]),
        "decision_function_shape": st.sampled_from(["ovr", "ovo"]),
        "break_ties": st.booleans(),
    }
    for name in draw(st.lists(st.sampled_from(sorted(choices)), max_size=5, unique=True)):
        given[name] = draw(choices[name])
    return given


def everything(package, given, X, y, weight, Z):
    """All that an SVC says after it was fitted, or was refused."""
    svc = package.SVC(**given)
    fitted = tried(svc.fit, X, y, weight)
    return [
        fitted if fitted is svc or isinstance(fitted, Exception) else "not itself", svc,
        *(tried(method, rows) for rows in (X, Z) for method in (
            svc.predict, svc.decision_function)),
        tried(svc.score, X, y), tried(svc.score, X, y, weight), tried(getattr, svc, "coef_"),
        svc.get_params(), repr(svc),
        sorted(name for name in dir(svc) if not name.startswith("_")),
    ]


@equality_test("SVC", "SVC.fit", "SVC.predict", "SVC.decision_function", "SVC.score",
               "SVC.get_params", "OneAgainstOne", "OneAgainstOne.predictions",
               "OneAgainstOne.decisions")
@given(st.data())
def test_an_svc_learns_and_decides_the_same(data):
    n, d = data.draw(draws.sizes(most=41)), data.draw(draws.widths)
    usual = data.draw(st.integers(0, 3))
    table = draws.gentle_tables if usual else draws.tables
    X, y = data.draw(table(n, d)), data.draw(class_labels(n))
    Z = data.draw(table(data.draw(st.integers(1, 9)), d))
    weight = data.draw(st.sampled_from([None, None, [1.0] * n, [0, 1, 2.5] * n, [0.0] * n]))
    if weight is not None:
        weight = weight[:n]
    given = data.draw(svc_parameters())
    given.setdefault("max_iter", 300)
    X = draws.dress(X, data.draw(draws.dresses))
    agree(everything, given, X, y, weight, draws.dress(Z, data.draw(draws.dresses)))


@equality_test("SVC", "SVC.fit", "SVC.predict", "SVC.decision_function", "SVC.score")
@given(st.data())
def test_small_classes_of_wide_rows_which_share_kernel_values_are_learnt_the_same(data):
    n, d = data.draw(draws.sizes(most=24)), data.draw(st.integers(1, 9))
    table = draws.gentle_tables if data.draw(st.integers(0, 3)) else draws.tables
    times = data.draw(st.sampled_from([80, 200])) // d
    X = [x * times for x in data.draw(table(n, d))]
    random = Random(data.draw(draws.seeds))
    y = [random.randrange(5) for _ in range(n)]
    weight = data.draw(st.sampled_from([None, [random.choice([0, 1, 2.5]) for _ in range(n)]]))
    given = data.draw(svc_parameters())
    given.setdefault("max_iter", 100)
    agree(everything, given, draws.dress(X, data.draw(draws.dresses)), y, weight, X[:3])


@equality_test("SVC", "SVC.fit", "SVC.predict")
@given(st.data())
def test_bad_arguments_of_an_svc_meet_the_same_sentence(data):
    X = data.draw(draws.gentle_tables(data.draw(st.integers(2, 9)), 2))
    y, weight, Z = [i % 2 for i in range(len(X))], [1.0] * len(X), [list(X[0])]
    given = data.draw(svc_parameters())
    given.setdefault("max_iter", 50)
    which = data.draw(st.integers(0, 4))
    if which == 0 and given:
        given[data.draw(st.sampled_from(sorted(given)))] = data.draw(draws.nonsense)
    elif which == 1:
        X = data.draw(draws.spoiled(X))
    elif which == 2:
        y = data.draw(draws.spoiled(y))
    elif which == 3:
        weight = data.draw(draws.spoiled(weight))
    else:
        Z = data.draw(draws.spoiled(Z))
    agree(everything, given, X, y, weight, Z)


class Elementwise:
    """Compares as an array does: with no one answer."""

    def __eq__(self, other):
        return self

    def __bool__(self):
        raise ValueError("the truth value is ambiguous")

    def __repr__(self):
        return "array([])"


@pytest.mark.parametrize("name", ["kernel", "C", "gamma", "class_weight", "break_ties"])
def test_a_parameter_that_compares_with_no_one_answer_is_refused_alike(name):
    X, y = [[0.0, 1.0], [1.0, 0.0]], [0, 1]
    agree(everything, {name: Elementwise()}, X, y, [1.0, 1.0], X)


@equality_test("SVC", "SVC.set_params", "SVC.get_params")
@given(st.dictionaries(st.sampled_from(["C", "gamma", "kernel", "Cc", "tol", ""]), draws.nonsense))
def test_parameters_are_kept_and_refused_alike(params):
    def use(package, params):
        svc = package.SVC()
        try:
            assert svc.set_params(**params) is svc
        finally:
            print(svc)
        return svc, svc.get_params(), svc.get_params(deep=False), repr(svc), vars(svc)

    agree(use, params)


@equality_test("SVC", "OneAgainstOne", "OneAgainstOne.pair_decisions", "OneAgainstOne.votes",
               "OneAgainstOne.predict", "OneAgainstOne.decisions", "OneAgainstOne.predictions")
@given(st.data())
def test_a_classifier_of_several_classes_decides_the_same(data):
    k, d = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 9))
    counts = data.draw(st.lists(st.integers(0, 6), min_size=k, max_size=k))
    V, random = sum(counts), Random(data.draw(draws.seeds))  # exact
    choice = data.draw(st.sampled_from([[0.0, 1.0, -0.5], [0, 1], [0.0], [0.1, 0.2, 1e300]]))
    kernel = data.draw(draws.kernels)
    vectors = data.draw(draws.tables(V, d)) if V else []
    fields = [
        list("abcde")[:k], kernel, draws.dress(vectors, data.draw(draws.dresses)), counts,
        [[random.choice(choice) for _ in range(V)] for _ in range(k - 1)],
        [random.choice([0.0, -1.0, 0.5]) for _ in range(k * (k - 1) // 2)],
    ]
    if data.draw(st.integers(0, 3)) == 0:
        place = data.draw(st.integers(0, 5))
        value = fields[place]
        fields[place] = data.draw(
            draws.spoiled(value) if isinstance(value, list) else draws.nonsense
        )
    X = data.draw(draws.tables(5, d))
    rows = draws.dress(X, data.draw(draws.dresses))
    if data.draw(st.integers(0, 4)) == 0:
        rows = data.draw(draws.spoiled(X))

    def use(package, fields, rows, row):
        model = package.OneAgainstOne(*fields)
        return [
            tried(method, given) for method, given in (
                (model.decisions, rows), (model.predictions, rows), (model.pair_decisions, row),
                (model.votes, row), (model.predict, row),
            )
        ] + [model]

    agree(use, fields, rows, X[0])


def decided_by_votes(package, kernel, vectors, rows, counts=(1, 1, 1),
                     coefs=((1.0, 1.0, 1.0), (2.0, 2.0, 2.0)), offsets=(0.5, 1.0, 2.0)):
    """What a classifier of three classes says of the rows; lists where tuples are given."""
    counts, coefs, offsets = (list(v) if type(v) is tuple else v for v in (counts, coefs, offsets))
    model = package.OneAgainstOne(["a", "b", "c"], kernel, vectors, counts, coefs, offsets)
    return tried(model.decisions, rows), tried(model.predictions, rows), model


ODD = [None, 5, "111", {0: 1, 1: 1, 2: 1}, {0, 1, 2}, range(3), array("i", [1, 1, 1]),
       [True, True, True], [1.0, 1.0, 1.0], [Fraction(1), 1, 1], [1, 1], [1, 1, 1, 0], [-1, 2, 2],
       [2, -1, 2], [2, 2, -1], [2**70, 0, 0], [1, 1, 0], [1, 1, 2]]


@pytest.mark.parametrize("kernel", [Gaussian(1), Linear()])
@pytest.mark.parametrize("counts", ODD)
def test_counts_of_any_sort_are_taken_alike(kernel, counts):
    vectors = [[1.0, 2.0], [2.0, -1.0], [0.5, 0.5]]
    agree(decided_by_votes, kernel, vectors, vectors, counts)


@pytest.mark.parametrize("kernel", [Gaussian(1), Linear()])
@pytest.mark.parametrize("coefs", [
    None, 5, "11", {0: [1.0] * 3, 1: [2.0] * 3}, [None, None], [[1.0] * 3, [2.0] * 2],
    [[1.0] * 3], [[1.0] * 3] * 3, [[1.0] * 3, [1.0] * 3, [nan] * 3],
    [[1.0] * 3, [inf] * 3], [array("d", [1.0] * 3)] * 2, [(1.0,) * 3, [True] * 3],
    memoryview(array("d", [1.0] * 6)).cast("B").cast("d", (2, 3)),
])
def test_coefficients_of_any_sort_are_taken_alike(kernel, coefs):
    # As many vectors as there are pairs: once they were taken for weights where coefs is None.
    vectors = [[1.0, 2.0], [2.0, -1.0], [0.5, 0.5]]
    agree(decided_by_votes, kernel, vectors, vectors, (1, 1, 1), coefs)


@pytest.mark.parametrize("kernel", [Gaussian(1), Linear()])
@pytest.mark.parametrize("offsets", [(inf, 0.0, 0.0), (0.0, 0.0, -inf), (nan, 0.0, 0.0), (0.5,)])
def test_offsets_that_are_no_good_are_refused_alike(kernel, offsets):
    agree(decided_by_votes, kernel, [[1.0], [2.0], [0.5]], [[1.0]], offsets=offsets)


@pytest.mark.parametrize("b", [inf, -inf, nan])
def test_an_offset_that_is_no_good_is_refused_alike_where_weights_are_known(b):
    def use(package):
        model = package.OneAgainstOne(["a", "b"], Linear(), [[1.0]], [1, 0], [[2.0]], [0.5])
        first = model.decisions([[1.0]])
        model.offsets[0] = b
        of_two = package.Model(b, [1.0], [[1.0]], Linear(), [2.0])
        return [first, *(tried(method, [[1.0]]) for one in (model, of_two) for method in (
            one.decisions, one.predictions))]

    agree(use)


@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("large", [1e200, 1e90])
def test_what_is_not_finite_in_one_pair_only_is_told_alike(place, large):
    vectors = [[1.0], [2.0], [3.0]]
    vectors[place] = [large]
    for coefs in (((1.0,) * 3,) * 2, ((0.0,) * 3,) * 2, ((1.0,) * 3, (1e300,) * 3)):
        for kernel in (Polynomial(3), MonomialSum(3)):
            agree(decided_by_votes, kernel, vectors, [[1.0], [1e20]], coefs=coefs)


@pytest.mark.slow("rows of two classes that lie in different blocks")
@pytest.mark.parametrize("k", [2, 3, 6])
@pytest.mark.parametrize("kernel", ["rbf", "linear", "poly", "sigmoid", "precomputed", "own"])
def test_more_rows_than_a_block_are_learnt_alike(k, kernel):
    random = Random(k)
    y = [random.randrange(k) for _ in range(290)]
    X = [[random.gauss(label, 1), random.gauss(-label, 2), random.random()] for label in y]
    if kernel == "precomputed":
        X = refsvm.gram(Gaussian(0.2), X)
    chosen = draws.nearness if kernel == "own" else kernel
    given = {"kernel": chosen, "C": 2, "max_iter": 150}
    if kernel == "own":
        X, y = X[:90], y[:90]
    agree(everything, given, X, y, [0.5 + (i % 3) for i in range(len(y))], X[:40])


@pytest.mark.slow("more pairs of classes than are decided at a time")
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_more_pairs_of_classes_than_a_block_has_places_decide_alike(kernel):
    random = Random(1)
    y = [i % 24 for i in range(72)]  # 276 pairs
    X = [[label + random.gauss(0, 1), label % 5 + random.gauss(0, 1)] for label in y]
    agree(everything, {"kernel": kernel}, X, y, [1.0] * 72, X[:9])


@pytest.mark.parametrize("zeros", [0, 300])  # so that the rows are moved where they lie, or copied
@pytest.mark.parametrize("k", [2, 3])
def test_a_row_that_counts_for_nothing_may_be_too_far_to_be_shifted(k, zeros):
    X = [[1.7e308, float(i)] for i in range(6)] + [[-1.7e308, 0.0]] + [[0.0, 1.0]] * zeros
    given = {"kernel": "linear", "max_iter": 50}
    agree(everything, given, X, [i % k for i in range(len(X))], [1] * 6 + [0] * (zeros + 1), X[:9])


def test_a_class_made_from_svc_has_its_own_ways():
    def use(package):
        class Mine(package.SVC):
            def __init__(self, C=2.0, kernel="linear"):
                super().__init__(C=C, kernel=kernel)

            def decision_function(self, X):
                return [2 * v for v in super().decision_function(X)]

        svc = Mine().fit([[0], [1], [3], [4]], [0, 0, 1, 1])
        return [svc.predict([[2.5]]), svc.decision_function([[2.5]]), repr(svc), svc.get_params(),
                svc.support_, svc.coef_, vars(pickle.loads(pickle.dumps(fitted(package))))]

    agree(use)


def fitted(package):
    return package.SVC().fit([[0.0], [1.0], [3.0], [4.0]], ["a", "a", "b", "b"])


def test_a_fitted_svc_can_be_copied_and_pickled():
    def use(package):
        svc = fitted(package)
        others = [copy.copy(svc), copy.deepcopy(svc), pickle.loads(pickle.dumps(svc))]
        return [svc, *others, *(other.predict([[2.5]]) for other in others)]

    agree(use)


@pytest.mark.parametrize("kernel", ["rbf", "linear"])
@pytest.mark.parametrize("most", [0, 2, 3, 1000])  # steps: no vector, few, or nearly all rows
def test_what_a_fit_tells_on_demand_is_the_same_whatever_is_asked_first(kernel, most):
    X = [[float(i % 5), i / 3] for i in range(30)]
    asked = {
        "nothing": lambda svc: None,
        "its state": lambda svc: svc.__getstate__() if hasattr(svc, "__getstate__") else vars(svc),
        "names": lambda svc: {n for n in dir(svc) if n.endswith("_") and not n.startswith("_")},
        "vectors": lambda svc: svc.support_vectors_,
        "model": lambda svc: svc.model_,
        "weights": lambda svc: getattr(svc, "coef_", None),
        "labels": lambda svc: svc.predict(X),
        "changed vectors": lambda svc: svc.support_vectors_.append(None),
        "a fit again": lambda svc: svc.fit(X[::-1], [i % 3 for i in range(30)]),
        "no such name": lambda svc: tried(getattr, svc, "model"),
    }

    def use(package, first):
        svc = package.SVC(kernel=kernel, C=0.1, max_iter=most)
        svc.fit(X, [i % 4 > 1 for i in range(30)])
        svc.__dict__.pop("solutions_")  # which hold no more than the answers
        return [asked[first](svc), svc.predict(X), svc.support_vectors_, svc.model_, svc.support_,
                tried(getattr, svc, "coef_"), sorted(vars(svc))]

    for first in asked:
        agree(use, first)


@pytest.mark.parametrize("k", [2, 3])
def test_weights_beyond_doubles_are_told_alike_before_the_model_is(k):
    # 1e150 and 1e-150 in one column: their sum is that of whole numbers.
    X = [[1e150, 1e-150], [-1e150, 3e-150], [1e150, -5e-150], [2e149, 1e-160], [-1e150, 0.1]]

    def use(package):
        svc = package.SVC(kernel="linear", C=1e-300, max_iter=50).fit(X, [i % k for i in range(5)])
        return [svc.coef_, svc.predict(X), svc]

    agree(use)


def test_a_refused_fit_loses_nothing_of_the_one_before():
    def use(package):
        svc = fitted(package)
        error = tried(svc.fit, [[0.0], [nan]], [0, 1])
        return [error, svc, svc.predict([[2.5]])]

    agree(use)


@pytest.mark.parametrize("given, X, y", [
    ({"kernel": Spectrum(2)}, [[1.0], [2.0], [3.0]], [0, 1, 0]),
    ({"kernel": "linear"}, [[1.0], [2.0], [1e200], [-1e200]], [0, 0, 1, 1]),
    ({"kernel": "linear"}, [[1.0], [2.0], [3.0], [1e200], [-1e200]], [0, 1, 1, 2, 2]),
    ({"tol": -1}, [[1.0], [2.0], [3.0]], [0, 1, 2]),
])
def test_what_cannot_be_trained_is_told_by_the_same_places(given, X, y):
    same_fit(X, y, **given)


@pytest.mark.parametrize("kernel", [Spectrum(2), 0.5 * Spectrum(1), draws.common_letters])
def test_strings_are_learnt_alike(kernel):
    random = Random(7)
    X = ["".join(random.choices("ab", k=random.randint(0, 12))) for _ in range(40)]
    y = ["even" if x.count("ab") % 2 == 0 else "odd" for x in X]
    agree(everything, {"kernel": kernel}, X, y, None, ["ab", "", "bbbbba"])
    agree(everything, {"kernel": kernel}, X, y, None, ["ab", [1.0]])
    agree(everything, {"kernel": kernel}, X, y, None, [[1.0, 2.0]])


def test_a_fitted_svc_of_the_oracle_and_one_of_refsvm_fast_hold_equal_models():
    svc, other = fitted(refsvm), fitted(refsvm_fast)
    assert svc.model_ == other.model_ and isinstance(other.model_, OneAgainstOne)
    assert isinstance(other, SVC)


# ---- the kernels themselves


@equality_test("Linear", "Polynomial", "Gaussian", "Sigmoid", "MonomialSum", "Spectrum", "Kernel",
               "Precomputed", "Gaussian.from_sigma")
@given(st.data())
def test_kernels_are_made_and_called_alike(data):
    name = data.draw(st.sampled_from(["Linear", "Polynomial", "Gaussian", "Sigmoid", "MonomialSum",
                                      "Spectrum", "Precomputed", "Kernel", "Gaussian.from_sigma"]))
    usual = st.sampled_from([1, 2, 0.5, 3, 0])
    parameters = data.draw(st.lists(st.one_of(usual, usual, draws.nonsense), max_size=3))
    d = data.draw(st.integers(1, 9))
    X = data.draw(draws.tables(2, d))
    x, z = (data.draw(st.one_of(draws.lists_as(row), draws.nonsense)) for row in X)

    def use(package, parameters, x, z):
        maker = package
        for part in name.split("."):
            maker = getattr(maker, part)
        k = maker(*parameters)
        more = [tried(lambda: k + k), tried(lambda: k * k), tried(lambda: 2 * k)]
        return [k, repr(k), tried(k, x, z), tried(k, z, x), *more,
                *(tried(other, x, z) for other in more if callable(other)), hash(k) == hash(k)]

    agree(use, parameters, x, z)


# ---- models from files


@equality_test("read_model", "OneAgainstOne.predictions", "OneAgainstOne.decisions")
@pytest.mark.filterwarnings("ignore:training the classes")  # any model will do
@given(st.data())
def test_a_model_that_is_read_decides_the_same(data):
    n, d = data.draw(draws.sizes(most=33)), data.draw(draws.widths)
    X, y = data.draw(draws.gentle_tables(n, d)), data.draw(class_labels(n))
    kernel = data.draw(st.sampled_from(["rbf", "linear", "poly", "sigmoid"]))
    features = data.draw(st.sampled_from([None, None, d, d + 3, 0, -1, "x"]))
    with TemporaryDirectory() as folder:
        path = Path(folder, "a.model")
        try:
            refsvm.write_model(path, SVC(kernel=kernel, max_iter=40).fit(X, y).model_)
        except Exception:
            draws.assume(False)
        if data.draw(st.integers(0, 3)) == 0:
            text = path.read_text()
            place = data.draw(st.integers(0, len(text) - 1))
            path.write_text(text[:place] + data.draw(st.sampled_from(["", " ", "x", "-", "1e9"])))

        def use(package):
            model = package.read_model(path, features)
            return [model, *(tried(method, X) for method in (model.decisions, model.predictions))]

        agree(use)


# ---- an SVC whose kernel values are given, and one that is changed after it was fitted


@equality_test("SVC", "SVC.fit", "SVC.predict", "SVC.decision_function", "SVC.score")
@given(st.data())
def test_an_svc_of_given_kernel_values_is_the_same(data):
    n = data.draw(st.integers(2, 20))
    K = draws.gram_of(data.draw(draws.gentle_tables(n, 2)))
    y = data.draw(class_labels(n))
    given = {**data.draw(svc_parameters()), "kernel": data.draw(
        st.sampled_from(["precomputed", Precomputed()]))}
    given.setdefault("max_iter", 100)
    Z = data.draw(st.one_of(st.just(K), draws.spoiled(K), st.just([row[:-1] for row in K]),
                            st.just([row + [1.0] for row in K])))
    weight = data.draw(st.sampled_from([None, [0, 1, 1, 2] * n]))
    K = draws.dress(K, data.draw(draws.dresses))
    agree(everything, given, K, y, None if weight is None else weight[:n], Z)


@equality_test("SVC", "SVC.predict", "SVC.decision_function", "SVC.set_params")
@given(st.data())
def test_an_svc_changed_after_it_was_fitted_is_taken_alike(data):
    k = data.draw(st.integers(2, 3))
    X = [[float(i % 5), i / 3] for i in range(9)]
    kernel = data.draw(st.sampled_from(["rbf", "linear", draws.nearness]))
    names = ["decision_function_shape", "break_ties", "kernel", "gamma", "classes_",
             "n_features_in_", "support_vectors_", "dual_coef_", "intercept_", "shape_fit_",
             "model_"]
    name = data.draw(st.sampled_from(names))
    value = data.draw(st.one_of(st.sampled_from(["ovo", "ovr", True, False]), draws.nonsense))

    def use(package, value):
        svc = package.SVC(kernel=kernel).fit(X, [i % k for i in range(9)])
        setattr(svc, name, value)
        return [*(tried(method, X) for method in (svc.predict, svc.decision_function)),
                tried(getattr, svc, "coef_"), svc.support_vectors_, svc.model_]

    agree(use, value)


@pytest.mark.parametrize("k", [2, 3])
def test_an_svc_whose_lists_are_changed_by_hand_is_taken_alike(k):
    X = [[float(i % 5), i / 3] for i in range(9)]

    def use(package, kernel, change):
        svc = package.SVC(kernel=kernel, decision_function_shape="ovo")
        svc.fit(X, [i % k for i in range(9)])
        before = svc.predict(X), svc.decision_function(X)
        change(svc)
        return [before, *(tried(method, X) for method in (svc.predict, svc.decision_function)),
                tried(getattr, svc, "coef_")]

    def clear(values):
        values[:] = []

    for kernel in ("rbf", "linear", "poly"):
        for change in (
            lambda svc: svc.model_.coefs[0].__setitem__(0, 3.0),
            lambda svc: svc.model_.coefs[0].__setitem__(0, Fraction(1, 3)),
            lambda svc: svc.model_.vectors[0].__setitem__(0, 3.0),
            lambda svc: svc.model_.vectors[0].__setitem__(0, Fraction(1, 3)),
            lambda svc: svc.model_.offsets.__setitem__(0, 3.0),
            lambda svc: svc.model_.counts.__setitem__(0, 1),
            lambda svc: clear(svc.model_.vectors),
            lambda svc: clear(svc.model_.vectors[0]),
            lambda svc: svc.model_.classes.__setitem__(0, "other"),
            lambda svc: svc.classes_.__setitem__(0, "other"),
            lambda svc: svc.support_vectors_[0].__setitem__(0, 3.0),
            lambda svc: svc.dual_coef_[0].__setitem__(0, 3.0),
            lambda svc: setattr(svc, "model_", svc.model_._replace(coefs=svc.dual_coef_)),
            lambda svc: setattr(svc, "model_", fitted(refsvm).model_._replace(kernel=Linear())),
        ):
            agree(use, kernel, change)
