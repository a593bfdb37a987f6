"""refsvm_fast computes kernel values as refsvm does: to the last bit, in the same words."""

from array import array
from random import Random

import profiles
import pytest
import strategies_fast as draws
from equality import agree, compiled, equality_test, same, tree
from hypothesis import given
from hypothesis import strategies as st
from profiles import one_in, slow_cases
from strategies_fast import tried

import refsvm_fast
from refsvm import (
    Gaussian,
    Linear,
    MonomialSum,
    Polynomial,
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
@profiles.draws(1/2)
def test_gram_matrices_are_the_same(given, threads):
    X, Z, kernel = given
    same("gram", kernel, X, Z, threads=threads)
    same("gram", kernel, Z, X)
    same("gram", kernel, Z, threads=threads)


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
    1, 2, 7, 8, 9, 17,
    *slow_cases("the end of a block of rows", 3, 4, 5, 6, *range(10, 17), 31, 32, 33,
                255, 256, 257, 511, 512),
])
@draws.all_shared()
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
            agree(draws.decided_by_hand, [1.0] * 20, more, kernel, rows, 1)


@pytest.mark.parametrize("threads", [0, -1, 1.5, None, True, "1"])
def test_a_number_of_threads_that_is_no_good_is_refused_alike(threads):
    for kernel, X in ((Spectrum(1), ["ab", "b"]), (Linear(), [[1.0], [2.0]])):
        same("gram", kernel, X, threads=threads)


@pytest.mark.parametrize("d", [
    1, 2, 3, 4, 7, 8, 9, 16, 17, 257,
    *slow_cases("an end of the lanes", 5, 6, *range(10, 16), 18, 19, 31, 32, 33, 64, 100)])
def test_no_number_of_features_is_a_boundary(d):
    random = Random(d)
    X = [[random.gauss(0, 1) if random.random() < 0.7 else 0.0 for _ in range(d)]
         for _ in range(19)]
    for kernel in FORMULAS:
        same("gram", kernel, X)


@pytest.mark.parametrize("name", one_in(4, sorted(draws.DRESSES)))
def test_rows_of_each_sort_are_read_alike(name):
    random = Random(1)
    X = [[float(random.randint(0, 3)) for _ in range(5)] for _ in range(11)]
    Z = [[float(random.randint(-3, 3)) for _ in range(5)] for _ in range(3)]
    for kernel in (Linear(), draws.by_hand):
        same("gram", kernel, draws.dress(X, name))
    same("gram", Gaussian(0.1), X, draws.dress(Z, name))
    same("gram", Gaussian(0.1), draws.dress(Z, name), X)
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
    same("perceptron", [[1, 2], [0, 1]], [1, value], [0, 1])


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
        agree(draws.decided_each_way, X, 0.5, [1.0], [[]], kernel, None)
        agree(draws.decided_each_way, X, 0.5, [], [], kernel, [])
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
    agree(draws.decided_by_hand, [1.0] * 4, X, kernel, X, 1)
    for slack in ("hinge", "squared"):
        agree(lambda package, slack=slack: package.smo(
            package.Problem(X, y, kernel, slack=slack), max_iter=20))


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


@compiled
@pytest.mark.parametrize("name", ["baseline", "avx2", "avx512"])
def test_the_inner_loops_that_are_chosen_are_those_in_use(name):
    """Which they are shows in no bit: a choice without effect costs half of the speed."""
    from refsvm_fast import _table

    assert _table.in_use() == refsvm_fast.ISA
    try:
        if _table.choose(name) is None:
            pytest.skip("not on this processor")
        assert _table.in_use() == name
    finally:
        _table.choose(refsvm_fast.ISA)
