"""SVC and one against one answer as refsvm's do: to the last bit, in the same words."""

import copy
import pickle
import sys
from array import array
from fractions import Fraction
from itertools import product
from math import inf, nan
from random import Random

import profiles
import pytest
import strategies_fast as draws
from equality import agree, compiled, equality_test, same_fit
from hypothesis import given
from hypothesis import strategies as st
from profiles import each_pair, one_in
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
    Spectrum,
)

# ---- several classes


svc_penalties = st.sampled_from([1.0, 1, 10, 0.1, 100, inf, 1e-3])
svc_kernels = st.one_of(
    st.sampled_from(["rbf", "linear", "poly", "sigmoid", "rbf", "linear"]),
    draws.plain_kernels(usual=True), st.sampled_from([draws.by_hand, draws.nearness]),
)


@st.composite
def svc_parameters(draw):
    """Parameters of SVC by name, usual ones."""
    given = {}
    choices = {
        "C": svc_penalties, "kernel": svc_kernels, "degree": st.integers(0, 4),
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
@profiles.draws(1/2)
def test_an_svc_learns_and_decides_the_same(data):
    n, d = data.draw(draws.sizes(most=41)), data.draw(draws.widths)
    usual = data.draw(st.integers(0, 3))
    table = draws.gentle_tables if usual else draws.tables
    X, y = data.draw(table(n, d)), data.draw(draws.class_labels(n))
    Z = data.draw(table(data.draw(st.integers(1, 9)), d))
    weight = data.draw(st.sampled_from([None, None, [1.0] * n, [0, 1, 2.5] * n, [0.0] * n]))
    if weight is not None:
        weight = weight[:n]
    given = data.draw(svc_parameters())
    given.setdefault("max_iter", 300)
    X = draws.dress(X, data.draw(draws.dresses))
    agree(everything, given, X, y, weight, draws.dress(Z, data.draw(draws.dresses)))


@pytest.mark.slow("kernel values that several machines share")
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


@equality_test("SVC", "SVC.fit", "SVC.predict", "SVC.decision_function")
@given(st.data())
@profiles.draws(1/2)
def test_data_near_the_ends_of_the_doubles_are_learnt_the_same(data):
    X = data.draw(draws.gentle_tables(data.draw(st.integers(4, 19)), 2))
    near = st.sampled_from([-1, 1]).flatmap(lambda s: st.integers(500, 540).map(s.__mul__))
    unit = Fraction(2) ** data.draw(st.one_of(st.integers(-1060, 1000), near))
    far = [[float(max(-(2**1023), min(Fraction(v) * unit, 2**1023))) for v in x] for x in X]
    given = {"kernel": data.draw(st.sampled_from(["rbf", "poly", "sigmoid"])), "max_iter": 99}
    X = far if data.draw(st.integers(0, 3)) else [*X[2:], *far[:2]]
    y = [i % 3 for i in range(len(X))]
    agree(everything, given, draws.dress(X, data.draw(draws.dresses)), y, None, far[:3])


@equality_test("SVC", "SVC.fit", "SVC.predict")
@given(st.data())
@profiles.draws(1/2)
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
@profiles.draws(1/2)
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
@pytest.mark.parametrize("k", [2, 6])
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


@pytest.mark.parametrize("kernel, sizes", one_in(5, [*product(
    ["linear", "rbf", "poly"], [(1, 9, 1), (1, 17, 8), (2, 20, 4), (2, 16, 3)])]))
def test_few_rows_are_decided_alike_by_many_classes(kernel, sizes):
    rows, k, each = sizes
    random = Random(k)
    y = [i % k for i in range(k * each)]  # 17 classes of 8 lie in three blocks
    X = [[label + random.gauss(0, 1), label % 5 + random.gauss(0, 1)] for label in y]
    agree(everything, {"kernel": kernel}, X, y, [1.0] * len(y), X[:rows])


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
                tried(getattr, svc, "coef_"), tried(getattr, svc, "solutions_"), sorted(vars(svc))]

    for first in asked:
        agree(use, first)


def small_classes(k, rows, d=3):
    random = Random(k)
    X = [[random.gauss(i % k, 1) for _ in range(d)] for i in range(k * rows)]
    return X, [i % k for i in range(k * rows)]


@pytest.mark.parametrize("tol, sizes, given", each_pair(
    [0, 1e-12, 1e-3, 3.0],  # not proved at once, or no step
    [(9, 2, 3), (6, 6, 1), (3, 20, 2)],
    [{}, {"C": 1e-3, "class_weight": {0: 5}}, {"C": 1e6, "gamma": 100.0}, {"kernel": "linear"},
     {"kernel": "poly"},
     {"kernel": "poly", "degree": 2, "coef0": -0.5}]))  # no inner product: each by itself
def test_pairs_that_are_trained_in_one_room_end_as_problems_of_their_own(tol, sizes, given):
    X, y = small_classes(*sizes)
    weight = [i % 5 / 2 for i in range(len(X))]

    def use(package):
        svc = package.SVC(tol=tol, max_iter=200, **given).fit(X, y, weight)
        told = [[*found, found.offsets, found.limit, found.optimum_at_most]
                for found in svc.solutions_]
        return [told, svc, pickle.loads(pickle.dumps(svc)), svc.solutions_ is svc.solutions_]

    agree(use)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize("k, d", [(3, 40), (8, 200)])  # kernel values are shared by the eight
def test_each_pair_counts_the_numbers_of_its_own_rows(kernel, k, d):
    random = Random(d)
    y = [i % k for i in range(5 * k)]
    X = [[random.choice([0.1, 0.3, -0.0]) * (random.randrange(d) <= c * c) for _ in range(d)]
         for c in y]

    def use(package):
        return [package.SVC(C, kernel=kernel).fit(X, y).solutions_ for C in (1.0, inf)]

    agree(use)


@compiled
@given(st.integers(0, 10**6), st.sampled_from([3, 300, 600]), st.sampled_from([1, 4, 11]))
@profiles.draws(0.3)
def test_most_terms_are_those_of_the_oracle(seed, n, d):
    random = Random(seed)
    share = [random.choice([0, 0.02, 0.3]) for _ in range(d)]
    X = [[random.choice([1.5, -0.0]) * (random.random() < p) for p in share] for _ in range(n)]
    X[random.randrange(n)] = [float(random.random() < 0.5) for _ in range(d)]
    y = [1, -1] * n
    for kernel in (Gaussian(1), Linear()):
        agree(lambda package, kernel: package.Problem(X, y[:n], kernel).most_terms(), kernel)


@pytest.mark.parametrize("far", [1e60, 1e103, 1e200])
def test_cubes_beyond_doubles_are_told_of_the_pair_that_has_them(far):
    X, y = small_classes(5, 3)
    X[7][1] = far
    agree(lambda package: package.SVC(kernel="poly", gamma=1.0, max_iter=50).fit(X, y))


def test_pairs_whose_kernel_values_are_exact_are_proved_by_themselves():
    X = [[i % 3 - 1.0, i // 3 - 1.0] for i in range(9)] + [[0.1, 0.3], [0.7, 1.5], [0.2, 0.9]]
    y = [0, 1, 2] * 3 + [3] * 3

    def use(package):
        svc = package.SVC(2.0**-8, kernel="poly", degree=2, gamma=1.0, coef0=1.0).fit(X, y)
        return [svc.solutions_, [found.offsets for found in svc.solutions_], svc]

    agree(use)


@compiled
@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_a_pair_of_small_classes_has_no_solution_of_its_own(kernel):
    X, y = small_classes(60, 2)
    refsvm_fast.SVC(kernel=kernel).fit(X[:4], y[:4])  # which imports what it needs
    calls = []
    sys.setprofile(lambda frame, event, what: calls.append(frame.f_code.co_name))
    try:
        svc = refsvm_fast.SVC(kernel=kernel).fit(X, y)
    finally:
        sys.setprofile(None)
    assert "solution_at" not in calls and len(svc.intercept_) == 60 * 59 // 2


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


# ---- an SVC whose kernel values are given, and one that is changed after it was fitted


@equality_test("SVC", "SVC.fit", "SVC.predict", "SVC.decision_function", "SVC.score")
@given(st.data())
@profiles.draws(1/2)
def test_an_svc_of_given_kernel_values_is_the_same(data):
    n = data.draw(st.integers(2, 20))
    K = draws.gram_of(data.draw(draws.gentle_tables(n, 2)))
    y = data.draw(draws.class_labels(n))
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
@profiles.draws(1/2)
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

    for kernel in ("rbf", "poly") if k == 2 else ("linear",):
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
