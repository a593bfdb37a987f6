"""Models of refsvm_fast decide as refsvm's do: to the last bit, in the same words."""

import copy
import pickle
from array import array
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from math import inf, nan
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import sleep

import profiles
import pytest
import strategies_fast as draws
from equality import agree, equality_test
from hypothesis import given
from hypothesis import strategies as st
from profiles import each_pair, one_in, slow_cases
from strategies_fast import tried

import refsvm
import refsvm_fast
from refsvm import (
    SVC,
    Gaussian,
    Linear,
    MonomialSum,
    Polynomial,
    Precomputed,
    Problem,
    Sigmoid,
)
from refsvm.numerics.sparse_rows import KeptColumns, SparseRow, row_numbers
from refsvm.svm.calibration import Calibration
from refsvm.svm.one_vs_one import pair_terms, pair_weights
from refsvm_fast import _models

FORMULAS = [Linear(), Gaussian(0.3), Polynomial(3, 0.5, 1), MonomialSum(3), Sigmoid(0.1, -0.2)]


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
@profiles.draws(1/2)
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
@profiles.draws(1/2)
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


@pytest.mark.parametrize("name", one_in(2, [*SORTS_OF_NUMBERS]))
def test_weights_and_coefficients_of_any_sort_are_taken_alike(name):
    # The oracle multiplies with what it is given: with numbers of NumPy it says numbers of NumPy.
    numbers = SORTS_OF_NUMBERS[name]
    kernels = Linear(), Gaussian(1), Precomputed(), 2 * Linear(), draws.by_hand, None, "rbf"
    tables = [[1.0], [0.5]], [[1.0, 2.0]], [[nan]], ["a"]
    for kernel, rows, vectors in each_pair(kernels, tables, ([[1.0]], [0], [])):
        agree(draws.decided_each_way, rows, 0.5, [1.0], vectors, kernel, numbers)
        agree(draws.decided_each_way, rows, 0.5, numbers, vectors, kernel, None)
        agree(draws.decided_each_way, rows, 0.5, numbers, vectors, kernel, [3.0])


def test_weights_of_a_pair_of_many_classes_hold_its_columns_alone():
    """Each of 30 classes has 40 columns of its own: laid out, a w would hold all 1200."""
    vectors = [SparseRow(KeptColumns(list(range(9 * k, 9 * 1200, 270)), 10**6), [k - 7.5] * 40)
               for k in range(30)]
    coefs = [[(-1.0)**(v + k) for v in range(30)] for k in range(29)]
    given = [*range(30)], Linear(), vectors, [1] * 30, coefs, [0.25] * 435
    model = refsvm_fast.OneAgainstOne(*given)
    terms = pair_terms(model, 3, 8)
    found = _models.weights(model, terms)
    assert found == pair_weights(model, terms) and len(row_numbers(found)) == 80
    agree(lambda package: package.OneAgainstOne(*given).decisions(vectors))
    agree(lambda package: package.OneAgainstOne(*given).predictions(vectors))


@pytest.mark.parametrize("vectors", [None, 5, "ab"])
@pytest.mark.parametrize("kernel", [Precomputed(), Gaussian(1)])
def test_a_model_whose_vectors_are_no_list_meets_the_same_error(kernel, vectors):
    agree(lambda package: package.Model(0.0, [], vectors, kernel, None).decision([1.0]))


@equality_test("Model.decisions")
@given(draws.given_problems(most=40))
@profiles.draws(1/2)
def test_no_rows_no_answers(given):
    def decide(package, given):
        model = package.smo(package.Problem(**given), max_iter=3).model()
        return [tried(model.decisions, rows) for rows in ([], (), array("d"), {}, "", None)]

    agree(decide, given)


@pytest.mark.parametrize("n", [
    1, 7, 8, 9, 17, *slow_cases(
        "the end of a block of vectors", *one_in(3, [256, 2, 16, 257, 255, 512, 600]))
])
@draws.all_shared()
def test_no_number_of_support_vectors_or_rows_is_a_boundary(n):
    random = Random(n)
    vectors = [[random.gauss(0, 1) for _ in range(3)] for _ in range(n)]
    coef = [random.gauss(0, 1) for _ in range(n)]
    for kernel in [*FORMULAS, Gaussian(1) + 0.5 * Linear()]:
        for count in (1, 3, 8, 9):
            rows = [[random.gauss(0, 1) for _ in range(3)] for _ in range(count)]
            for threads in (1, 3):
                agree(draws.decided_by_hand, coef, vectors, kernel, rows, threads)
        agree(draws.decided_by_hand, coef[:5], vectors[:5], kernel, vectors, 1)


@pytest.mark.parametrize("vector, row, coef", [
    (0, 0, 1.0), (0, 39, 0.0), (255, 7, -1.0), (256, 8, 1.0), (299, 33, 0.0)])
def test_a_kernel_value_that_is_not_finite_is_refused_wherever_it_stands(vector, row, coef):
    random = Random(1)
    vectors = [[random.gauss(0, 1), 0.0] for _ in range(300)]
    rows = [[random.gauss(0, 1), 0.0] for _ in range(40)]
    vectors[vector][1], rows[row][1] = 1e100, 1e100
    coefs = [random.gauss(0, 1) for _ in vectors]
    coefs[vector] = coef
    for kernel in (Polynomial(3), MonomialSum(2), Gaussian(1) + Polynomial(2)):
        agree(draws.decided_by_hand, coefs, vectors, kernel, rows, 1)


def test_sums_that_are_too_large_for_a_double_are_told_as_the_oracle_tells_them():
    vectors = [[1e100], [1e-3]]
    for coef in ([1e300, 1.0], [-1e300, 1.0], [1e200, 1e200]):
        for kernel in (Polynomial(1), Polynomial(3)):
            agree(draws.decided_by_hand, coef, vectors, kernel, [[1.0], [1e3], [1e-90]], 1)


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


@draws.all_shared()
def test_many_may_ask_the_same_model_at_once():
    random = Random(5)
    X = [[random.gauss(0, 1) for _ in range(4)] for _ in range(120)]
    problem = Problem(X, [1 if x[0] > 0 else -1 for x in X], Gaussian(1))
    expected = refsvm.smo(problem).model().decisions(X)
    model = refsvm_fast.smo(problem).model()
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(model.decisions, X, threads=1 + i % 2) for i in range(8)]
        assert all(job.result() == expected for job in jobs)


def several_classes(package, kernel):
    X = [[float(i % 7), i / 5] for i in range(40)]
    return package.SVC(C=3.0, kernel=kernel).fit(X, [i % 4 for i in range(40)]), X


def changed_in_place(model, what):
    """Change what a model of several classes was made of."""
    if what == "vectors":
        model.vectors[0][1] += 1.0
    elif what == "gamma":
        vars(model.kernel)["gamma"] = 3.0
    elif what == "sign":
        model.offsets[0] = -0.0
    elif what == "classes":
        model.classes[1] = "one"
    else:
        values = getattr(model, what)
        values = values[0] if what == "coefs" else values
        values[1] = values[1] * 2


@pytest.mark.parametrize("kernel", ["rbf", "linear", "poly"])
@pytest.mark.parametrize("what", ["vectors", "coefs", "offsets", "counts", "classes", "gamma",
                                  "sign"])
def test_what_is_changed_after_it_was_asked_is_packed_anew(kernel, what):
    def use(package):
        model, X = (svc := several_classes(package, kernel)[0]).model_, X_TO_ASK
        before = model.decisions(X), svc.predict(X)
        tried(changed_in_place, model, what)
        return before, [tried(ask, X) for ask in (model.decisions, model.predictions, svc.predict)]

    agree(use)


X_TO_ASK = [[0.5, 1.0], [3.0, 7.5], [6.0, 0.0]]


def test_a_fitted_machine_is_packed_once_and_its_copies_pack_their_own():
    svc, X = several_classes(refsvm_fast, "rbf")
    expected, size = svc.predict(X), len(pickle.dumps(svc))
    model = svc._kept_model()
    assert not refsvm_fast.COMPILED or model.machine() is model.machine()
    for other in (copy.copy(svc), copy.deepcopy(svc), pickle.loads(pickle.dumps(svc))):
        assert other.predict(X) == other.model_.predictions(X) == expected
    assert len(pickle.dumps(svc)) == size
    assert svc.fit([x[::-1] for x in X], [i % 3 for i in range(40)]).predict(X) == (
        refsvm.SVC(C=3.0).fit([x[::-1] for x in X], [i % 3 for i in range(40)]).predict(X)
    )


def test_threads_may_share_a_machine_that_is_not_packed_yet():
    for _ in range(5):
        svc, X = several_classes(refsvm_fast, "rbf")
        expected = several_classes(refsvm, "rbf")[0].decision_function(X)
        with ThreadPoolExecutor(4) as pool:
            jobs = [pool.submit(svc.decision_function, X) for _ in range(12)]
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


# ---- models from files


@equality_test("read_model", "OneAgainstOne.predictions", "OneAgainstOne.decisions")
@pytest.mark.filterwarnings("ignore:training the classes")  # any model will do
@given(st.data())
@profiles.draws(1/2)
def test_a_model_that_is_read_decides_the_same(data):
    n, d = data.draw(draws.sizes(most=33)), data.draw(draws.widths)
    X, y = data.draw(draws.gentle_tables(n, d)), data.draw(draws.class_labels(n))
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


decisions = st.sampled_from([0.0, -0.0, 1e3, -1e3]) | st.floats(-40, 40)


@equality_test("OneAgainstOne.probabilities_from")
@given(st.data(), st.integers(2, 9))
@profiles.draws(1/2)
def test_probabilities_of_several_classes_are_coupled_alike(data, k):
    m = k * (k - 1) // 2
    rows = [[data.draw(decisions) for _ in range(m)] for _ in range(data.draw(st.integers(0, 3)))]
    slopes = st.sampled_from([-1.0, -2.5, 0.0, 3.0])
    sigmoids = [Calibration(data.draw(slopes), data.draw(decisions)) for _ in range(m)]
    fields = [*range(k)], Linear(), [], [0] * k, [[]] * (k - 1), [0.0] * m

    def use(package, calibrations):
        return package.OneAgainstOne(*fields, calibrations).probabilities_from(rows)

    agree(use, sigmoids)
    agree(use, None)
    agree(use, sigmoids[1:])
