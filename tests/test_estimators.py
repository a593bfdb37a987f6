"""SVC, and what it is made of: labels, weights, pairs, fitted attributes, refusals."""

import copy
import inspect
import warnings
from array import array
from fractions import Fraction
from math import inf, nan

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from refusing import refusals, type_error, value_error

import refsvm
import refsvm_fast
from refsvm.estimators import training_data
from refsvm.estimators.kernel_estimator import variance
from refsvm.estimators.svc import SVC
from refsvm.kernels.standard import WORDS, Gaussian, Linear, Polynomial, Precomputed
from refsvm.kernels.strings import Spectrum
from refsvm.numerics.display import text_above
from refsvm.solvers.smo import smo
from refsvm.svm.one_vs_one import pairs
from refsvm.svm.problem import Problem

F = Fraction
EXAMPLES = [[0], [1], [3], [4], [2]]  # with the labels below: w = 1, b from -2 to -1
LABELS = [0, 0, 1, 1, 1]
CYCLE_X = [[0, 0], [4, 0], [2, 4], [1, 0], [4, 1], [2, 1]]  # the vote cycle of test_one_vs_one.py
CYCLE_Y = [0, 0, 1, 1, 2, 2]
CORNERS = [[0, 0], [1, 0], [0, 3], [1, 3], [4, 0], [4, 1], [5, 5], [4, 5]]
QUARTERS = ["a", "a", "b", "b", "c", "c", "d", "d"]
KERNELS = ["linear", "poly", "rbf", "sigmoid"]


def linear(**parameters):
    return SVC(kernel="linear", **parameters)


def fitted_attributes(svc):
    """Everything fit left, in a form that shows each bit of each float."""
    names = sorted(name for name in vars(svc) if name.endswith("_"))
    return {name: repr(getattr(svc, name)) for name in names}


def refusal(error, call, *given, **named):
    with pytest.raises(error) as refused:
        call(*given, **named)
    return str(refused.value)


# Parameters


def test_the_signature_is_scikit_learns_without_what_is_not_there():
    assert SVC().get_params() == dict(
        C=1.0, kernel="rbf", degree=3, gamma="scale", coef0=0.0, tol=1e-3, cache_size=200,
        class_weight=None, max_iter=-1, decision_function_shape="ovr", break_ties=False,
    )
    assert SVC(2, "poly").get_params()["C"] == 2


def test_parameters_go_round():
    given = SVC(C=3, gamma=0.5, class_weight={1: 2}, break_ties=True)
    again = SVC().set_params(**given.get_params(deep=True))
    assert again.get_params() == given.get_params()
    assert again.class_weight is given.class_weight
    assert SVC(**given.get_params()).get_params() == given.get_params()


@pytest.mark.parametrize("package", [refsvm, refsvm_fast])
@pytest.mark.parametrize(
    "name", ["SVC", "NuSVC", "LinearSVC", "SVR", "NuSVR", "OneClassSVM", "SVDD"])
def test_each_argument_is_kept_under_its_name_as_it_was_given(package, name):
    cls = getattr(package, name)
    given = {parameter: object() for parameter in inspect.signature(cls).parameters}
    machine = cls(**given)
    assert len(given) > 7 and vars(machine) == given and machine.get_params() == given


def test_keyword_arguments_of_a_subclass_are_no_parameter():
    class More(SVC):
        def __init__(self, C=1.0, *, gamma=2.0, **more):
            super().__init__(C, gamma=gamma, **more)

    assert More(kernel="linear").get_params() == {"C": 1.0, "gamma": 2.0}
    assert More(3, kernel="linear").set_params(gamma=1.0).gamma == 1.0
    with pytest.raises(ValueError, match="more"):
        More().set_params(more=1)


def test_repr_shows_what_is_not_the_default():
    assert repr(SVC()) == "SVC()"
    assert repr(SVC(kernel="linear", C=2)) == "SVC(C=2, kernel='linear')"
    assert repr(SVC(C=1)) == "SVC(C=1)"
    assert repr(SVC(kernel=Gaussian(1.0))) == "SVC(kernel=Gaussian(gamma=1.0))"


def test_an_unknown_parameter_is_refused_and_nothing_is_set():
    svc = SVC()
    sentence = refusal(ValueError, svc.set_params, C=7, nu=0.5)
    assert sentence == (
        "the parameter is 'nu'; the known ones are 'C', 'break_ties', 'cache_size',"
        " 'class_weight', 'coef0', 'decision_function_shape', 'degree', 'gamma', 'kernel',"
        " 'max_iter', 'tol'"
    )
    assert svc.C == 1.0


# Two classes


def test_with_two_classes_every_sign_speaks_for_the_later_one():
    svc = linear().fit([[0], [1], [3], [4]], ["no", "no", "yes", "yes"])
    assert svc.classes_ == ["no", "yes"]
    assert svc.support_ == [1, 2] and svc.support_vectors_ == [[1.0], [3.0]]
    assert svc.n_support_ == [1, 1]
    assert svc.dual_coef_ == [[-0.5, 0.5]]
    assert svc.coef_ == [[1.0]] and svc.intercept_ == [-2.0]
    assert svc.decision_function([[0], [2], [5]]) == [-2.0, 0.0, 3.0]
    assert svc.predict([[0], [2], [5]]) == ["no", "yes", "yes"]
    assert svc.class_weight_ == [1.0, 1.0]
    assert (svc.n_features_in_, svc.shape_fit_, svc.fit_status_) == (1, (4, 1), 0)
    assert svc.n_iter_ == [svc.solutions_[0].iterations]
    assert svc.solutions_[0].status == "optimal" and svc.solutions_[0].gap == 0
    assert svc.model_.offsets == [2.0]


@pytest.mark.parametrize("labels", [(1, 2), (0, 1), (1, -1), ("a", "b"), (True, False), (-1.0, 2),
                                    ((1, 2), (1, 3)), (F(1), F(3)), ("", "a"), (b"x", b"y")])
def test_any_labels_that_can_be_sorted_are_classes(labels):
    low, high = sorted(labels)
    svc = linear().fit(EXAMPLES, [labels[i] for i in LABELS])
    assert svc.classes_ == [low, high]
    assert [type(label) for label in svc.classes_] == [type(low), type(high)]
    assert svc.predict(EXAMPLES) == [labels[i] for i in LABELS]
    signs = svc.decision_function(EXAMPLES)
    assert [svc.classes_[f >= 0] for f in signs] == svc.predict(EXAMPLES)
    assert [type(label) for label in svc.predict(EXAMPLES)] == [type(labels[i]) for i in LABELS]


def test_labels_keep_the_form_of_their_first_appearance():
    assert linear().fit([[0], [1], [2]], [True, 0, 1]).classes_ == [0, True]
    assert [type(c) for c in linear().fit([[0], [1], [2]], [True, 0, 1]).classes_] == [int, bool]


def test_predictions_at_zero_go_to_the_later_class():
    assert linear().fit([[-1], [1]], [0, 1]).predict([[0]]) == [1]
    assert linear().fit([[-1], [1]], [1, 0]).predict([[0]]) == [1]


@pytest.mark.parametrize("shape", ["ovr", "ovo"])
def test_two_classes_have_one_number_a_row_in_either_shape(shape):
    svc = linear(decision_function_shape=shape).fit(EXAMPLES, LABELS)
    assert svc.decision_function([[5], [0]])[0] > 0 > svc.decision_function([[5], [0]])[1]


# Several classes


def test_each_pair_is_trained_on_its_rows_in_the_order_given_with_the_later_class_as_plus():
    X = [[F(v) for v in row] for row in CORNERS]
    order = [5, 0, 7, 2, 4, 1, 3, 6]
    X, y = [X[i] for i in order], [QUARTERS[i] for i in order]
    svc = SVC(kernel="poly", degree=2, gamma=F(1, 4), C=F(1, 2), decision_function_shape="ovo")
    svc.fit(X, y)
    decisions = svc.decision_function(X)
    for place, (p, q) in enumerate(pairs(4)):
        chosen = [i for i, label in enumerate(y) if label in ("abcd"[p], "abcd"[q])]
        problem = Problem(
            [X[i] for i in chosen], [1 if y[i] == "abcd"[q] else -1 for i in chosen],
            Polynomial(2, F(1, 4)), F(1, 2),
        )
        solution = smo(problem)
        assert tuple(svc.solutions_[place]) == tuple(solution)
        model = solution.model()
        assert [row[place] for row in decisions] == [-model.decision(x) for x in X]


def test_support_vectors_are_grouped_by_class_in_the_order_given():
    svc = linear().fit(CORNERS[::-1], QUARTERS[::-1])
    assert [QUARTERS[::-1][i] for i in svc.support_] == sorted(
        QUARTERS[::-1][i] for i in svc.support_
    )
    starts = [sum(svc.n_support_[:c]) for c in range(5)]  # exact
    for start, end in zip(starts, starts[1:]):
        assert svc.support_[start:end] == sorted(svc.support_[start:end])
    assert svc.support_vectors_ == [[float(v) for v in CORNERS[::-1][i]] for i in svc.support_]
    assert [len(row) for row in svc.dual_coef_] == [len(svc.support_)] * 3
    assert len(svc.intercept_) == len(svc.coef_) == len(svc.n_iter_) == 6
    assert svc.dual_coef_ == svc.model_.coefs and svc.intercept_ == svc.model_.offsets


def test_dual_coef_of_each_pair_sums_to_zero_and_keeps_the_sign_of_its_class():
    svc = SVC(C=F(1), kernel="poly", gamma=F(1), degree=2).fit(CYCLE_X, CYCLE_Y)
    class_of = [CYCLE_Y[i] for i in svc.support_]
    for p, q in pairs(3):
        earlier = [c for c, label in zip(svc.dual_coef_[q - 1], class_of) if label == p]
        later = [c for c, label in zip(svc.dual_coef_[p], class_of) if label == q]
        assert all(c >= 0 for c in earlier) and all(c <= 0 for c in later)
        assert sum(earlier) + sum(later) == 0  # exact


def test_the_vote_cycle_is_class_0_by_votes_and_1_by_scores():
    svc = linear(tol=1e-9).fit(CYCLE_X, CYCLE_Y)
    assert svc.predict([[0, 1]]) == [0]
    assert svc.set_params(break_ties=True).predict([[0, 1]]) == [1]
    scores = svc.decision_function([[0, 1]])[0]
    assert scores.index(max(scores)) == 1
    decisions = svc.set_params(decision_function_shape="ovo").decision_function([[0, 1]])[0]
    for f, truth in zip(decisions, [F(1, 2), F(-9, 17), F(21, 11)]):
        assert abs(F(f) - truth) < F(1, 10**7)


def test_the_score_of_a_row_does_not_depend_on_its_batch():
    for shape in ("ovr", "ovo"):
        svc = SVC(decision_function_shape=shape).fit(CORNERS, QUARTERS)
        alone = [svc.decision_function([x])[0] for x in CORNERS]
        assert svc.decision_function(CORNERS) == alone
        assert len(alone[0]) == {"ovr": 4, "ovo": 6}[shape]


def test_breaking_ties_needs_a_score_for_each_class():
    svc = SVC(break_ties=True, decision_function_shape="ovo").fit(CORNERS, QUARTERS)
    assert refusal(ValueError, svc.predict, CORNERS) == (
        "break_ties is True and decision_function_shape is 'ovo'; only 'ovr' has a score for each"
        " class that could break ties"
    )
    assert SVC(break_ties=True).fit(EXAMPLES, LABELS).predict(EXAMPLES) == LABELS


def test_a_product_of_weights_overflows_only_if_the_whole_of_it_does():
    for C, of_class, weight in ((1e300, 1e200, 1e-300), (1e-300, 1e-200, 1e300), (1e-320, 1, 1)):
        found = training_data.penalties_of_rows(C, [of_class], [[0]], [weight])
        assert found == [pytest.approx(float(F(C) * F(of_class) * F(weight)), rel=1e-15)]
    assert linear().fit(EXAMPLES, LABELS).score(EXAMPLES, [0, 1, 1, 1, 1], [1.5e308] * 5) == 0.8


def test_a_word_does_not_pass_for_breaking_ties():
    sentence = "break_ties is 'no'; it must be True or False"
    svc = SVC(break_ties="no")
    assert refusal(TypeError, svc.fit, EXAMPLES, LABELS) == sentence
    svc = SVC().fit(EXAMPLES, LABELS).set_params(break_ties="no")
    assert refusal(TypeError, svc.predict, EXAMPLES) == sentence


# Kernels


@pytest.mark.parametrize("number", [float, F])
def test_gamma_may_be_a_part_of_scale(number):
    X = [[number(v) for v in x] for x in CORNERS]
    def gamma(word):
        return SVC(kernel="poly", gamma=word).fit(X, QUARTERS).model_.kernel.gamma
    whole = gamma("scale")
    for word, part in (("scale/4", F(1, 4)), ("scale/0.25", 4), ("scale/3", F(1, 3))):
        assert gamma(word) == (whole * part if number is F else pytest.approx(whole * float(part)))
    for word in ("scale/", "scale/0", "scale/-4", "scale/x", "scale/1/2", "scale/1e3", "scale/ 4",
                 "scale/" + "9" * 400, "auto/4", "scale4"):
        sentence = refusal(ValueError, SVC(gamma=word).fit, X, QUARTERS)
        assert "; the known ones are 'scale', 'auto', 'scale/4' and the like" in sentence


def test_gamma_scale_is_one_over_width_times_variance():
    X = [[0, 1], [2, 3], [4, 8]]
    assert variance(X, F) == (F(20, 3), 0)
    svc = SVC(kernel="poly", degree=1, C=F(1)).fit(X, [0, 0, 1])
    assert svc.model_.kernel == Polynomial(1, F(3, 40), F(0))
    assert SVC().fit([[-1], [1]], [0, 1]).model_.kernel == Gaussian(1.0)
    assert SVC(gamma="auto").fit([[-1, 0], [1, 0]], [0, 1]).model_.kernel == Gaussian(0.5)
    assert SVC(gamma=3).fit([[-1, 0], [1, 0]], [0, 1]).model_.kernel == Gaussian(3.0)


def test_the_pairs_of_several_classes_share_the_medians_of_all_rows_that_count():
    X, y = [[-9e9], [1e9 + 1], [1e9 + 2], [1e9 + 4], [1e9 + 5], [1e9 + 9]], [2, 0, 0, 1, 1, 2]
    svc = SVC(kernel="linear").fit(X, y, sample_weight=[0, 1, 1, 1, 1, 1])
    for (p, q), solution in zip([(0, 1), (0, 2), (1, 2)], svc.solutions_):
        rows = [i for i, label in enumerate(y) if i and label in (p, q)]
        signs = [1 if y[i] == q else -1 for i in rows]
        checked = float, [X[i] for i in rows], signs, Linear(), [1.0] * len(rows)
        assert solution == smo(Problem.from_validated(*checked, shift=[1e9 + 4]))


def test_parameters_go_to_the_kernel_as_numbers_of_the_kind_of_the_data():
    svc = SVC(kernel="sigmoid", gamma=1, coef0=-2).fit([[-1], [1]], [0, 1])
    assert repr(svc.model_.kernel) == "Sigmoid(gamma=1.0, coef0=-2.0)"
    svc = SVC(kernel="poly", degree=2, gamma=1, coef0=3).fit([[F(-1)], [F(1)]], [0, 1])
    assert repr(svc.model_.kernel) == repr(Polynomial(2, F(1), F(3)))


@given(st.floats(-1e6, 1e6), st.integers(1, 7))
def test_equal_entries_have_variance_zero_and_gamma_one(value, n):
    assert variance([[value, value]] * n, float)[0] == 0
    assert SVC().fit([[value]] * (n + 1), [1] * n + [0]).model_.kernel == Gaussian(1.0)


@pytest.mark.filterwarnings("ignore:training the classes")
@given(st.integers(-1074, 1020), st.sampled_from(["rbf", "poly", "sigmoid"]))
@example(-600, "rbf")
@example(511, "rbf")  # gamma is subnormal, and rounded
@example(509, "poly")
def test_scaling_by_any_power_of_two_leaves_every_decision_as_it_is(k, kernel):
    scaled = [[float(v * F(2) ** k) for v in x] for x in CORNERS]
    near, far = SVC(kernel=kernel).fit(CORNERS, QUARTERS), SVC(kernel=kernel)
    gamma = F(near.model_.kernel.gamma) / F(4) ** k
    if not F(1, 2**1048) <= gamma < F(2) ** 1024:
        sentence = refusal(ValueError, far.fit, scaled, QUARTERS)
        assert sentence.startswith("gamma 'scale' is 1 / (features * variance), beyond the double")
        unit = F(2) ** int(sentence.rpartition("2.0**")[2])
        far.fit([[float(v * F(2) ** k * unit) for v in x] for x in CORNERS], QUARTERS)
    else:
        far.fit(scaled, QUARTERS)
        assert far.model_.kernel.gamma == float(gamma)
        if float(gamma) == gamma:
            assert near.decision_function(CORNERS) == far.decision_function(scaled)


def test_gamma_is_that_of_the_rows_that_count_however_large_the_others_are():
    X, weight = [*EXAMPLES, [1e300]], [1] * 5 + [0]
    found = SVC().fit(X, [*LABELS, 0], weight).model_.kernel
    assert found == SVC().fit(EXAMPLES, LABELS).model_.kernel
    assert SVC().fit([[1e-320], [1e-320]], [0, 1]).model_.kernel == Gaussian(1.0)
    assert SVC(gamma="auto").fit([[1e-320], [0]], [0, 1]).model_.kernel == Gaussian(1.0)


@pytest.mark.parametrize("name, parameters, kernel", [
    ("linear", {}, Linear()),
    ("poly", {"degree": 2, "gamma": 0.5, "coef0": 1}, Polynomial(2, 0.5, 1)),
    ("rbf", {"gamma": 0.5}, Gaussian(0.5)),
])
def test_a_kernel_by_name_as_an_object_as_a_function_and_as_a_matrix_is_the_same(
    name, parameters, kernel
):
    X = [[v * 0.3 for v in x] for x in CORNERS]
    named = SVC(kernel=name, **parameters).fit(X, QUARTERS)
    an_object = SVC(kernel=kernel).fit(X, QUARTERS)
    assert fitted_attributes(named) == fitted_attributes(an_object)
    function = SVC(kernel=lambda x, z: kernel(x, z)).fit(X, QUARTERS)
    K = [[kernel(x, z) for z in X] for x in X]
    matrix = SVC(kernel="precomputed").fit(K, QUARTERS)
    assert function.predict(X) == matrix.predict(K) == named.predict(X)
    assert function.decision_function(X) == matrix.decision_function(K)
    assert function.support_ == matrix.support_ == named.support_
    if name != "linear":
        assert function.decision_function(X) == named.decision_function(X)


def test_a_precomputed_row_holds_a_value_for_every_row_given_to_fit():
    X = [[F(0)], [F(9)], [F(2)], [F(1)], [F(3)]]  # row 1 has weight 0
    y, weight = [0, 0, 0, 1, 1], [1, 0, 1, 1, 1]
    K = [[x[0] * z[0] for z in X] for x in X]
    svc = SVC(kernel="precomputed").fit(K, y, weight)
    plain = linear().fit(X, y, weight)
    assert svc.support_ == plain.support_ and svc.dual_coef_ == plain.dual_coef_
    assert svc.model_.vectors == svc.support_ and svc.support_vectors_ == []
    assert svc.decision_function(K) == plain.decision_function(X)
    assert (svc.n_features_in_, svc.shape_fit_) == (5, (5, 5))
    assert refusal(ValueError, svc.predict, [row[:4] for row in K]) == (
        "X[0] has length 4; the rows given to fit had length 5"
    )
    assert SVC(kernel=Precomputed()).fit(K, y, weight).dual_coef_ == svc.dual_coef_


def test_strings_are_rows_for_a_kernel_that_takes_them():
    svc = SVC(kernel=lambda x, z: len(set(x) & set(z)))
    svc.fit(["ab", "abc", "xy", "xyz"], [0, 0, 1, 1])
    assert svc.predict(["aab", "zzy"]) == [0, 1]
    assert svc.shape_fit_ == (4,) and not hasattr(svc, "n_features_in_")
    assert set(svc.support_vectors_) <= {"ab", "abc", "xy", "xyz"}


def test_coef_is_there_for_a_linear_kernel_only():
    assert not hasattr(SVC(), "coef_") and not hasattr(linear(), "coef_")
    assert not hasattr(SVC().fit(EXAMPLES, LABELS), "coef_")
    assert SVC(kernel=Linear()).fit(EXAMPLES, LABELS).coef_ == [[1.0]]
    assert refusal(AttributeError, getattr, SVC().fit(EXAMPLES, LABELS), "coef_") == (
        "coef_ is there after fit, and with a linear kernel only"
    )


@pytest.mark.parametrize("parameters", [
    {"kernel": "linear"},
    {"kernel": "poly", "degree": 2},
    {"kernel": "poly", "gamma": "auto", "coef0": 1},
    {"kernel": "precomputed"},
])
def test_fractions_give_fractions(parameters):
    X = [[F(v) for v in x] for x in CORNERS]
    if parameters["kernel"] == "precomputed":
        X = [[x[0] * z[0] + x[1] * z[1] for z in X] for x in X]
    svc = SVC(**parameters).fit(X, QUARTERS)
    numbers = [*svc.dual_coef_[0], *svc.intercept_, *svc.decision_function(X)[0]]
    numbers += [*svc.class_weight_, svc.solutions_[0].gap]
    assert {type(number) for number in numbers} == {F}
    assert svc.predict(X) == QUARTERS


@pytest.mark.parametrize("changed", [
    {"C": F(1)}, {"class_weight": {0: F(1)}}, {"kernel": Polynomial(1, F(1))},
    {"kernel": "poly", "gamma": F(1)}, {"kernel": "poly", "coef0": F(1)},
])
def test_one_fraction_among_the_parameters_makes_everything_exact(changed):
    svc = SVC(**{"kernel": "linear", **changed}).fit(EXAMPLES, LABELS)
    assert type(svc.intercept_[0]) is F and type(svc.decision_function([[1]])[0]) is F


def test_an_exact_machine_takes_integers_that_no_double_holds():
    svc = linear(C=F(1)).fit([[0], [1]], [0, 1])
    assert svc.decision_function([[2**60 + 1]]) == [2**60 + 1 - F(1, 2)]


def test_a_fraction_among_the_weights_makes_everything_exact():
    svc = linear().fit(EXAMPLES, LABELS, [F(1), 1, 1, 1, 1])
    assert type(svc.intercept_[0]) is F


# Weights


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_weight_zero_is_absence_for_gamma_and_balance_too(kernel, class_weight):
    # The last two rows would change the variance, the counts and the classes.
    X, y = CORNERS + [[50, 60], [70, 80]], QUARTERS + ["a", "e"]
    svc = SVC(kernel=kernel, class_weight=class_weight)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the sigmoid is not a Mercer kernel
        full = copy.copy(svc).fit(X, y, [1] * 8 + [0] * 2)
        short = copy.copy(svc).fit(CORNERS, QUARTERS)
    assert full.shape_fit_ == (10, 2)
    full.shape_fit_ = short.shape_fit_
    assert fitted_attributes(full) == fitted_attributes(short)


@given(st.lists(st.tuples(st.integers(-3, 3), st.booleans(), st.integers(1, 3)), min_size=2,
                max_size=5).filter(lambda rows: len({label for _, label, _ in rows}) == 2))
def test_a_whole_weight_is_the_row_repeated(rows):
    weighted = linear(C=F(1), tol=0, max_iter=10)
    repeated = linear(C=F(1), tol=0, max_iter=10)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        weighted.fit([[v] for v, _, _ in rows], [c for _, c, _ in rows], [w for _, _, w in rows])
        copies = [(v, c) for v, c, weight in rows for _ in range(weight)]
        repeated.fit([[v] for v, _ in copies], [c for _, c in copies])
    # On so few integers exact steps nine times in ten end exactly at the optimum.
    if weighted.fit_status_ == repeated.fit_status_ == 0:
        assert weighted.solutions_[0].objective == repeated.solutions_[0].objective
        assert weighted.coef_ == repeated.coef_ or weighted.support_ == repeated.support_ == []
        assert weighted.solutions_[0].b_low == repeated.solutions_[0].b_low
        assert weighted.solutions_[0].b_high == repeated.solutions_[0].b_high


def test_c_is_multiplied_by_both_weights():
    # Every alpha is at its bound, so dual_coef_ shows the penalty of each row.
    X, y = [[0], [0], [0], [0]], [0, 0, 1, 1]
    weights = dict(class_weight={0: 3, 1: 2})
    svc = linear(C=F(1, 4), **weights).fit(X, y, [2, 4, 3, 6])
    assert svc.dual_coef_ == [[F(-3, 2), F(-3), F(3, 2), F(3)]]
    assert svc.class_weight_ == [3, 2]


def test_class_weights_go_to_their_class():
    # Swapped weights would give b = -1.
    X, y = [[0], [2], [1], [3]], [-1, -1, 1, 1]
    svc = linear(C=1.0, class_weight={-1: 0.25, 1: 1}).fit(X, y)
    assert svc.coef_ == [[0.0]] and svc.intercept_ == [1.0]


def test_balanced_counts_rows_and_not_their_weights():
    y = [0, 0, 0, 1]
    svc = linear(class_weight="balanced").fit([[0], [1], [2], [3]], y, [1, 1, 5, 7])
    assert svc.class_weight_ == [4 / 6.0, 2.0]
    assert linear(class_weight="balanced", C=F(1)).fit(EXAMPLES, LABELS).class_weight_ == [
        F(5, 4), F(5, 6)
    ]


def test_a_class_without_a_weight_of_its_own_has_weight_one():
    assert linear(class_weight={"b": 2}).fit(CORNERS, QUARTERS).class_weight_ == [1, 2, 1, 1]
    assert linear(class_weight={}).fit(EXAMPLES, LABELS).class_weight_ == [1, 1]


# Far from the origin


def test_the_offset_makes_good_how_w_was_rounded():
    # Without, the decision is off by hundreds.
    X = [[1_600_000_000 + (37 * i * i) % 101, i / 7] for i in range(40)]
    y = [(i * i + i // 3) % 2 for i in range(40)]
    svc = linear(C=1 / 3).fit(X, y)
    near = [[a - 1_600_000_000, b] for a, b in X]
    expected = linear(C=1 / 3).fit(near, y).decision_function(near)
    for f, g in zip(svc.decision_function(X), expected):
        assert abs(f - g) < 1e-3


# Endings


def test_an_ending_that_is_not_optimal_is_warned_of():
    with pytest.warns(UserWarning) as told:
        svc = linear(max_iter=1, C=10).fit(EXAMPLES, [0, 1, 0, 1, 0])
    gap = svc.solutions_[0].gap
    assert [str(w.message) for w in told] == [
        f"training the classes 0 and 1 ended with status 'max_iter' and gap {text_above(gap, 4)}"
    ]
    assert told[0].filename == __file__
    assert svc.fit_status_ == 1 and svc.n_iter_ == [1]
    with pytest.warns(UserWarning) as told:
        svc = linear(max_iter=0).fit(CORNERS, QUARTERS)
    assert str(told[0].message) == (
        "training the classes 'a' and 'b' ended with status 'max_iter' and gap 4.001"
        " (and 5 more pairs)"
    )
    assert len(told) == 1 and svc.n_iter_ == [0] * 6


def test_a_hard_margin_that_does_not_exist_is_warned_of():
    with pytest.warns(UserWarning, match="'a' and 'b' ended with status 'infeasible' and gap inf"):
        svc = linear(C=inf).fit([[0], [2], [1], [9]], ["a", "a", "b", "c"])
    assert [s.status for s in svc.solutions_] == ["infeasible", "optimal", "optimal"]
    assert linear(C=inf).fit([[0], [1]], [0, 1]).coef_ == [[2.0]]


def test_an_optimal_ending_is_silent():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        linear().fit(CORNERS, QUARTERS)


def test_without_a_step_there_is_no_support_vector_and_the_answers_keep_their_shape():
    with pytest.warns(UserWarning):
        svc = linear(max_iter=0).fit(CORNERS, QUARTERS)
    assert svc.coef_ == [[0, 0]] * 6
    assert svc.dual_coef_ == [[], [], []] and svc.support_ == [] and svc.n_support_ == [0] * 4
    assert len(svc.predict(CORNERS)) == 8
    assert refusal(ValueError, svc.predict, [[1]]) == (
        "X[0] has length 1; the rows given to fit had length 2"
    )


# State


def test_a_second_fit_leaves_the_same_bits_and_nothing_of_the_first():
    svc = SVC()
    first = fitted_attributes(svc.fit(CORNERS, QUARTERS))
    svc.kernel = lambda x, z: len(set(x) & set(z))
    svc.fit(["ab", "cd"], [0, 1])
    assert not hasattr(svc, "n_features_in_") and svc.n_support_ == [1, 1]
    svc.kernel = "rbf"
    assert fitted_attributes(svc.fit(CORNERS, QUARTERS)) == first


def test_nothing_given_is_changed_and_nothing_is_shared():
    X, y, weight = copy.deepcopy(CORNERS), list(QUARTERS), [1.0] * 8
    X = [[float(v) for v in x] for x in X]
    of_class = {"a": 2}
    before = copy.deepcopy((X, y, weight, of_class))
    svc = linear(class_weight=of_class).fit(X, y, weight)
    decisions = svc.decision_function(X)
    assert (X, y, weight, of_class) == before
    for row in X:
        row[0] = 99.0
    for name in ("support_vectors_", "dual_coef_", "intercept_", "classes_", "n_support_",
                 "support_", "class_weight_"):
        value = getattr(svc, name)
        for row in value:
            if isinstance(row, list):
                row.clear()
        value.clear()
    assert svc.decision_function(before[0]) == decisions
    assert svc.predict(before[0]) == QUARTERS
    svc = SVC(kernel="precomputed").fit([[2, 1], [1, 2]], [0, 1])
    svc.support_.clear()
    assert svc.predict([[2, 1], [1, 2]]) == [0, 1]


class Frame:
    """A table that, like a data frame, answers to_numpy with something that has tolist."""

    def __init__(self, rows):
        self.rows = rows

    def to_numpy(self):
        return self

    def tolist(self):
        return self.rows


class Sparse:
    """A matrix that, like a sparse one, has to be asked for all its entries."""

    def __init__(self, rows):
        self.rows = rows

    def toarray(self):
        return Frame(self.rows)


@pytest.mark.parametrize("form", [
    list, tuple, Frame, lambda X: [tuple(x) for x in X], lambda X: [array("d", x) for x in X],
    lambda X: [Frame(x) for x in X], Sparse,
])
def test_rows_come_in_any_form(form):
    plain = SVC().fit(CORNERS, QUARTERS)
    svc = SVC().fit(form(CORNERS), tuple(QUARTERS), Frame([1] * 8))
    assert fitted_attributes(svc) == fitted_attributes(plain)
    assert svc.predict(form(CORNERS)) == plain.predict(CORNERS)
    assert svc.score(form(CORNERS), Frame(QUARTERS)) == 1


# Score


def test_score_is_the_share_of_labels_predicted():
    svc = linear().fit(EXAMPLES, LABELS)
    assert svc.score(EXAMPLES, LABELS) == 1.0
    assert svc.score(EXAMPLES, [1, 0, 1, 1, 0]) == 3 / 5.0
    assert svc.score(EXAMPLES, [1, 1, 0, 0, 0]) == 0.0
    assert svc.score(EXAMPLES, [1, 0, 1, 1, 0], [4, 2, 1, 1, 1]) == 4 / 9.0
    assert svc.score(EXAMPLES, [1, 0, 1, 1, 0], [F(4), 2, 1, 1, 1]) == F(4, 9)
    assert refusal(ValueError, svc.score, EXAMPLES, LABELS, [0] * 5) == (
        "sample_weight is 0 for every row; one must be positive"
    )
    assert refusal(ValueError, svc.score, EXAMPLES, [1]) == (
        "y has length 1; there are 5 examples"
    )


# Refusals


@pytest.mark.parametrize("parameters, error, sentence", [
    ({"C": 0}, ValueError, "C is 0; it must be positive"),
    ({"C": -1.5}, ValueError, "C is -1.5; it must be positive"),
    ({"C": nan}, ValueError, "C is nan; it must be positive"),
    ({"C": "1"}, TypeError, "C is '1'; a number is needed"),
    ({"C": [1, 2]}, TypeError, "C is [1, 2]; a number is needed"),
    ({"kernel": "gauss"}, ValueError,
     f"kernel is 'gauss'; the known ones are {', '.join(map(repr, WORDS))}"),
    ({"kernel": 3}, TypeError, "kernel is 3; a kernel or a function k(x, z) is needed"),
    ({"kernel": "poly", "degree": -1}, ValueError, "degree is -1; it must be at least 0"),
    ({"kernel": "poly", "degree": 2.5}, TypeError, "degree is 2.5; a whole number is needed"),
    ({"kernel": "poly", "coef0": inf}, ValueError, "coef0 is inf; it must be a finite number"),
    ({"gamma": "sclae"}, ValueError, "gamma is 'sclae'; the known ones are 'scale', 'auto',"
     " 'scale/4' and the like"),
    ({"gamma": 0}, ValueError, "gamma is 0; it must be positive"),
    ({"kernel": "poly", "gamma": -1}, ValueError, "gamma is -1; it must be positive"),
    ({"gamma": None}, TypeError, "gamma is None; a number is needed"),
    ({"tol": -1}, ValueError, "tol is -1.0; it must not be negative"),
    ({"tol": nan}, ValueError, "tol is nan; it must be a finite number"),
    ({"cache_size": 0}, ValueError, "cache_size is 0; it must be positive"),
    ({"max_iter": -2}, ValueError, "max_iter is -2; it must be at least -1"),
    ({"max_iter": 1.5}, TypeError, "max_iter is 1.5; a whole number is needed"),
    ({"decision_function_shape": "ova"}, ValueError,
     "decision_function_shape is 'ova'; the known ones are 'ovr', 'ovo'"),
    ({"class_weight": "equal"}, ValueError,
     "class_weight is 'equal'; the known ones are 'balanced'"),
    ({"class_weight": [1, 2]}, TypeError,
     "class_weight is [1, 2]; None, 'balanced' or a dict of weights is needed"),
    ({"class_weight": {2: 1}}, ValueError, "class_weight has the key 2; the classes are [0, 1]"),
    ({"class_weight": {1: 0}}, ValueError, "class_weight[1] is 0; it must be positive"),
    ({"class_weight": {1: nan}}, ValueError, "class_weight[1] is nan; it must be a finite number"),
    ({"C": 1e300, "class_weight": {0: 1e300}}, ValueError,
     "C * class_weight * sample_weight of X[0] is inf; it must be positive and finite"),
    ({"C": 1e-300, "class_weight": {1: 1e-300}}, ValueError,
     "C * class_weight * sample_weight of X[2] is 0.0; it must be positive and finite"),
    ({"C": F(1)}, TypeError, "the values of Gaussian on Fractions are not Fractions; give floats"),
])
def test_a_bad_parameter_is_refused_by_fit(parameters, error, sentence):
    assert refusal(error, SVC(**parameters).fit, EXAMPLES, LABELS) == sentence


test_bad_data_is_refused = refusals(
    value_error("X is empty; it must have at least one row", SVC().fit, [], []),
    value_error("X[1] has length 2; every row must have the length of X[0], which is 1", SVC().fit,
                [[1], [2, 3]], [0, 1]),
    value_error("X[1][0] is nan; it must be a finite number", SVC().fit, [[1], [nan]], [0, 1]),
    type_error("X[1][0] is 'x'; a number is needed", SVC().fit, [[1], ["x"]], [0, 1]),
    type_error("X[0] is 'ab'; the kernel 'rbf' needs rows of numbers", SVC().fit, ["ab", "cd"],
               [0, 1]),
    type_error("X is 3; a sequence is needed", SVC().fit, 3, [0, 1]),
    value_error("y has length 1; there are 2 examples", SVC().fit, [[1], [2]], [0]),
    value_error("y holds one class only, 0; two are needed", SVC().fit, [[1], [2]], [0, 0]),
    value_error("y holds one class only, 'a'; two are needed", SVC().fit, [[1], [2]], ["a", "a"]),
    value_error("y[1] is nan; a label must equal itself, so leave out the rows that have none",
                SVC().fit, [[1], [2]], [0, nan]),
    type_error("y holds labels of the types int, str; labels must be of types that can be"
               " sorted", SVC().fit, [[1], [2]], [0, "a"]),
    value_error("y[1] is None; a label must be there, so leave out the rows that have none",
                SVC().fit, [[1], [2]], [1, None]),
    type_error("y[0] is [0]; a label must be a single value, so give y as a list and no column",
               SVC().fit, [[1], [2]], [[0], [1]]),
    type_error("y[0] is [0, 1]; a label must be a single value, one that can be hashed", SVC().fit,
               [[1], [2]], [[0, 1], [1, 0]]),
    type_error("y[0] is bytearray(b'a'); a label must be a single value, one that can be hashed",
               SVC().fit, [[1], [2]], [bytearray(b"a"), b"b"]),
    type_error("y is 'ab'; a sequence is needed", SVC().fit, [[1], [2]], "ab"),
)


def test_an_array_is_no_label():
    numpy = pytest.importorskip("numpy")
    for label in (numpy.array([1, 2]), memoryview(bytearray(b"a"))):
        told = "[1, 2]" if type(label) is numpy.ndarray else "<memory>"
        assert refusal(TypeError, SVC().fit, [[1], [2]], [label, 1]) == (
            f"y[0] is {told}; a label must be a single value, one that can be hashed"
        )


@pytest.mark.parametrize("weight, error, sentence", [
    ([1, 1, 1, 1], ValueError, "sample_weight has length 4; there are 5 examples"),
    ([1, 1, -1, 1, 1], ValueError, "sample_weight[2] is -1.0; it must not be negative"),
    ([1, 1, 1, nan, 1], ValueError, "sample_weight[3] is nan; it must be a finite number"),
    ([1, 1, 1, inf, 1], ValueError, "sample_weight[3] is inf; it must be a finite number"),
    ([1, 1, 1, "2", 1], TypeError, "sample_weight[3] is '2'; a number is needed"),
    (3, TypeError, "sample_weight is 3; a sequence is needed"),
    ([0] * 5, ValueError,
     "y holds no class, among the rows of positive weight; two are needed"),
    ([1, 1, 0, 0, 0], ValueError,
     "y holds one class only, 0, among the rows of positive weight; two are needed"),
])
def test_bad_weights_are_refused(weight, error, sentence):
    assert refusal(error, SVC().fit, EXAMPLES, LABELS, weight) == sentence


def test_a_weight_for_a_class_that_weight_zero_took_away_is_refused():
    svc = linear(class_weight={"a": 1, "d": 2})
    assert refusal(ValueError, svc.fit, CORNERS, QUARTERS, [1] * 6 + [0] * 2) == (
        "class_weight has the key 'd'; the classes are ['a', 'b', 'c']"
    )


test_a_precomputed_matrix_must_be_a_gram_matrix = refusals(
    value_error("X[1][0] is 3.0 and X[0][1] is 2.0; a precomputed Gram matrix is symmetric, so"
                " take (K + K.T) / 2", SVC(kernel="precomputed").fit, [[1, 2], [3, 1]], [0, 1]),
    value_error("X[0] has length 3; a precomputed Gram matrix of 2 rows is square",
                SVC(kernel="precomputed").fit, [[1, 2, 3], [2, 1, 3]], [0, 1]),
)


@pytest.mark.parametrize("kernel, X, sentence", [
    (Linear(), ["ab", "cd", "ef"], "X[0] is 'ab'; Linear() needs rows of numbers"),
    (Spectrum(2), [[1], [2], [3]], "X[0] is [1.0]; Spectrum(length=2) needs strings"),
    (Spectrum(2), [[1.5, 2], [2, 3], [3, 4]],
     "X[0] is [1.5, 2.0]; Spectrum(length=2) needs strings"),
    (Precomputed(), ["ab", "cd", "ef"], "X[0] is 'ab'; Precomputed() needs rows of numbers"),
])
@pytest.mark.parametrize("y", [[0, 0, 1], [2, 1, 0]])
def test_rows_the_kernel_does_not_take_are_refused_where_they_stand_in_X(kernel, X, y, sentence):
    assert refusal(TypeError, SVC(kernel=kernel).fit, X, y) == sentence


HUGE = [[1], [2], [3], [1e200], [-1e200]]


def test_kernel_values_that_are_not_finite_are_told_by_the_rows_of_X():
    assert refusal(ValueError, linear().fit, HUGE, [0, 0, 0, 1, 1]) == (
        "the kernel value of examples 3 and 3 is inf; it must be finite"
    )


@pytest.mark.parametrize("y, weight", [
    ([0, 0, 1, 2, 2], None), ([0, 0, 0, 2, 2], [1, 0, 1, 1, 1]),
])
def test_kernel_values_of_a_part_of_the_rows_are_told_with_the_pair(y, weight):
    assert refusal(ValueError, linear().fit, HUGE, y, weight) == (
        "training the classes 0 and 2, with examples counted among their rows only:"
        " the kernel value of examples 2 and 2 is inf; it must be finite"
    )


def test_a_tolerance_is_refused_and_no_pair_blamed():
    assert refusal(ValueError, SVC(tol=-1).fit, CORNERS, QUARTERS) == (
        "tol is -1.0; it must not be negative"
    )


@pytest.mark.parametrize("method", ["predict", "decision_function"])
def test_an_svc_that_is_not_fitted_says_so(method):
    assert refusal(ValueError, getattr(linear(), method), EXAMPLES) == (
        "SVC(kernel='linear') is not fitted; call fit(X, y) first"
    )
    svc = SVC().fit(CORNERS, QUARTERS)
    assert refusal(ValueError, getattr(svc, method), [[1, 2], [1, inf]]) == (
        "X[1][1] is inf; it must be a finite number"
    )
    assert refusal(ValueError, getattr(svc, method), [[1, 2, 3]]) == (
        "X[0] has length 3; the rows given to fit had length 2"
    )


@pytest.mark.parametrize("cls", ["SVC", "NuSVC", "SVR", "NuSVR", "OneClassSVM", "SVDD"])
def test_each_parameter_is_told_by_the_docstring_or_by_that_which_it_names(cls):
    doc = getattr(refsvm, cls).__doc__
    told = doc + "".join(getattr(refsvm, o).__doc__ for o in ("SVC", "SVR") if f"as in {o}" in doc)
    heads = [line.partition(" : ")[0].strip() for line in told.split("\n") if line[4:5] != " "]
    assert set(getattr(refsvm, cls)().get_params()) <= set(", ".join(heads).split(", "))
