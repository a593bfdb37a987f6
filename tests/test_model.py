"""A Model decides by the definition, to the last bit; what it cannot decide it refuses."""

import pickle
from fractions import Fraction as Q
from math import inf, nan

import pytest
from exact import inner
from hypothesis import given
from hypothesis import strategies as st
from peers import peer
from problems import examples
from test_kernels import Common, common
from test_validation import exactly, refused

from refsvm.kernels.standard import Gaussian, Linear, Polynomial, Precomputed, Sigmoid
from refsvm.svm.model import Model, Solution
from refsvm.svm.problem import Problem


def solution(problem, alpha, b):
    """A Solution as a solver might leave it."""
    return Solution.for_problem(
        problem, alpha=alpha, b=b, b_low=b, b_high=b, objective=problem.dual(alpha),
        gap=problem.gap(alpha, b), violation=0, iterations=0, status="optimal", farkas=None,
    )


numbers = st.one_of(st.integers(-3, 3).map(float), st.floats(-100, 100))
weights = st.one_of(st.just(0.0), st.floats(0, 10))
kernels = st.sampled_from([
    Linear(), Polynomial(3, 0.5, 1), Gaussian(0.25), Sigmoid(0.1, -1), Linear() + Gaussian(1),
    Linear() * (2 * Gaussian(0.5)), Common(),
])


@st.composite
def trained(draw, of=numbers, alphas=weights, kernels=kernels):
    X, y = draw(examples(of))
    rows = st.lists(of, min_size=len(X[0]), max_size=len(X[0]))
    alpha = [draw(alphas) for _ in y]
    problem = Problem(X, y, draw(kernels))
    return problem, alpha, draw(of), draw(st.lists(rows, min_size=1, max_size=4))


def by_definition(problem, alpha, b, x):
    """f(x) from the examples: for Linear w.x + b, else over alpha_i != 0 in index order, + b.

    Each number of w is sum beta_i x_i, rounded once.
    """
    beta = [a * y for a, y in zip(alpha, problem.y)]
    total = 0
    if isinstance(problem.kernel, Linear):
        for k, v in enumerate(x):
            w_k = sum(Q(c) * Q(row[k]) for c, row in zip(beta, problem.X))
            total += problem.kind(w_k) * v
    else:
        for c, row in zip(beta, problem.X):
            if c != 0:
                total += c * problem.kernel(row, x)
    return total + b


@given(trained())
def test_decision_has_the_bits_of_the_definition(given_):
    problem, alpha, b, rows = given_
    model = solution(problem, alpha, b).model()
    expected = [by_definition(problem, alpha, b, x) for x in rows]
    assert [f.hex() for f in model.decisions(rows)] == [float(f).hex() for f in expected]
    assert [model.decision(x).hex() for x in rows] == [float(f).hex() for f in expected]
    signs = [1 if f >= 0 else -1 for f in expected]
    assert model.predictions(rows, threads=2) == signs == [model.predict(x) for x in rows]


fractions = st.fractions(-3, 3, max_denominator=6)
exact_kernels = st.sampled_from([Linear(), Polynomial(2, Q(1, 3), 1), Linear() * Linear()])


@given(trained(fractions, fractions, exact_kernels))
def test_decision_is_exact_on_fractions(given_):
    problem, alpha, b, rows = given_
    model = solution(problem, alpha, b).model()
    assert exactly(model.decisions(rows), [by_definition(problem, alpha, b, x) for x in rows])


@given(trained(kernels=st.sampled_from([Linear(), Polynomial(2, 0.1, 1)])))
def test_a_model_of_floats_decides_exactly_about_fractions(given_):
    problem, alpha, b, rows = given_
    model = solution(problem, alpha, b).model()
    x = [Q(v) + Q(1, 3) for v in rows[0]]
    if model.w:
        expected = inner(map(Q, model.w), x)
    else:
        values = [(Q(0.1) * inner(map(Q, z), x) + 1) ** 2 for z in model.vectors]
        expected = inner(map(Q, model.coef), values)
    assert exactly(model.decision(x), expected + Q(b))


def test_a_tie_is_positive():
    for b, label in ((0.0, 1), (-0.0, 1), (5e-324, 1), (-5e-324, -1)):
        assert Model(b, [1.0], [[1.0]], Linear(), [1.0]).predict([0.0]) == label
    assert Model(-1.0, [1.0], [[1.0]], Polynomial(1), None).predictions([[1], [0.5]]) == [1, -1]


def test_only_support_vectors_are_kept_in_their_order():
    problem = Problem([[1], [2], [3], [4]], [1, -1, 1, -1], Gaussian(1))
    model = solution(problem, [0, 2.0, 0, 0.5], 0.25).model()
    assert model == Model(0.25, [-2.0, -0.5], [[2.0], [4.0]], Gaussian(1), None)
    problem = Problem([[1, 0], [2, 1], [3, 5]], [1, -1, 1])
    model = solution(problem, [1.5, 2, 0.5], 0.25).model()
    assert model.w == [1.5 - 4 + 1.5, -2 + 2.5]


def test_a_model_of_no_support_vector_decides_by_its_offset():
    X, y = [[-1.0, 2.0], [3.0, -4.0]], [1, -1]
    for kernel in (Linear(), Polynomial(2), Gaussian(1), Common()):
        model = solution(Problem(X, y, kernel), [0, 0], -0.5).model()
        assert model.coef == [] and model.vectors == []
        assert exactly(model.decisions([[1, 2], [3, 4]]), [-0.5, -0.5])
    model = solution(Problem(X, y), [0, 0], -0.5).model()
    assert [w.hex() for w in model.w] == [0.0.hex()] * 2  # not -0.0
    assert refused(model.decision, [1]) == (ValueError, "x has length 1; the model has 2 features")


def test_weights_of_a_sum_of_zeros_are_not_minus_zero():
    problem = Problem([[-1.0], [0.0]], [1, -1], bias=False)
    assert problem.weights([0.0, 1.0])[0].hex() == 0.0.hex()
    assert problem.weights([5e-324, 0.0])[0].hex() == (-5e-324).hex()


def test_rows_for_a_precomputed_kernel_hold_a_value_for_every_example():
    K = [[2.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 1.0, 2.0]]
    model = solution(Problem(K, [1, -1, 1], Precomputed()), [0.5, 1.5, 0], 1).model()
    assert model.vectors == [0, 1] and model.w is None
    assert model.decisions(K) == [0.5 * 2 - 1.5 + 1, 0.5 - 1.5 * 2 + 1, -1.5 + 1]
    assert refused(model.decisions, [[1, 2, 3], [1]]) == (
        ValueError,
        "X[1] has length 1; it must hold the kernel value with every training example, at least 2",
    )
    assert refused(model.decision, "ab") == (
        TypeError, "x is 'ab'; Precomputed() needs rows of numbers"
    )


def test_strings_are_decided_about_by_a_kernel_that_takes_them():
    model = solution(Problem(["ab", "bc"], [1, -1], Common()), [1, 0.5], 0).model()
    assert model.decisions(["a", "c", "abc"]) == [1.0, -0.5, 1.0]
    assert refused(model.decision, [1, 2]) == (
        TypeError, "x is [1, 2]; the model was trained on strings"
    )
    model = solution(Problem([[1], [2]], [1, -1], common), [1, 0.5], 0).model()
    assert refused(model.predictions, ["ab"]) == (
        TypeError, "X[0] is 'ab'; the model was trained on rows of numbers"
    )


MODELS = [
    Model(0.5, [1.0], [[1.0, 2.0]], Linear(), [1.0, 2.0]),
    Model(0.5, [1.0], [[1.0, 2.0]], Gaussian(1), None),
]


@pytest.mark.parametrize("model", MODELS, ids=["linear", "gaussian"])
@pytest.mark.parametrize("x, refusal", [
    ([1], (ValueError, "{} has length 1; the model has 2 features")),
    ([1, 2, 3], (ValueError, "{} has length 3; the model has 2 features")),
    ([], (ValueError, "{} is empty; it must hold at least one number")),
    ([1, nan], (ValueError, "{}[1] is nan; it must be a finite number")),
    ([inf, 1], (ValueError, "{}[0] is inf; it must be a finite number")),
    ([1, "2"], (TypeError, "{}[1] is '2'; a number is needed")),
    ([[1, 2]], (TypeError, "{}[0] is [1, 2]; a number is needed")),
    (1, (TypeError, "{} is 1; a sequence is needed")),
])
def test_what_is_no_row_is_refused_by_name(model, x, refusal):
    kind, sentence = refusal
    assert refused(model.decision, x) == (kind, sentence.format("x"))
    assert refused(model.predict, x) == (kind, sentence.format("x"))
    assert refused(model.decisions, [[1, 2], x]) == (kind, sentence.format("X[1]"))
    assert refused(model.predictions, [[1, 2], x]) == (kind, sentence.format("X[1]"))


def test_a_string_is_refused_by_a_formula():
    sentences = [refused(model.decision, "ab") for model in MODELS]
    assert sentences == [
        (TypeError, "x is 'ab'; Linear() needs rows of numbers"),
        (TypeError, "x is 'ab'; Gaussian(gamma=1.0) needs rows of numbers"),
    ]


def test_bad_arguments_are_refused():
    assert refused(MODELS[0].decisions, 5) == (TypeError, "X is 5; a sequence is needed")
    assert refused(MODELS[0].decisions, [], threads=0) == (
        ValueError, "threads is 0; it must be at least 1"
    )
    assert refused(MODELS[1].decision, [Q(1), 2]) == (
        TypeError, "the values of Gaussian on Fractions are not Fractions; give floats"
    )


def test_a_model_written_by_hand_with_ints_decides_about_halves():
    model = Model(0, [1], [[1, 1]], Linear(), [1, 1])
    assert exactly(model.decision([0.5, 0.25]), 0.75)
    model = Model(0, [1], [[1, 1]], Polynomial(1), None)
    assert exactly(model.decision([0.5, Q(1, 3)]), Q(5, 6))


def test_a_model_written_by_hand_may_have_a_function_for_its_kernel():
    """As a Problem may: it is wrapped, and what it takes, rows or strings, it knows itself."""
    model = Model(-1.0, [2.0, -1.0], [[1.0], [3.0]], common, None)
    X = [[1], [3], [2]]
    assert exactly(model.decisions(X), [1.0, -2.0, -1.0])
    assert exactly(model.predictions(X), [1, -1, -1])
    assert exactly(model.decision([Q(1)]), Q(1))
    assert exactly(model.to(Q).decisions(X), [Q(1), Q(-2), Q(-1)])
    assert exactly(Model(0.0, [2.0], ["ab"], common, None).decisions(["bc", "cd"]), [2.0, 0.0])


@pytest.mark.parametrize("kernel", ["rbf", None, Gaussian])
@pytest.mark.parametrize("w", [None, [1.0]])
def test_a_model_refuses_what_is_no_kernel_as_a_problem_does(kernel, w):
    model, sentence = Model(0.0, [1.0], [[1.0]], kernel, w), refused(Problem, [[1]], [1], kernel)
    for call, value in ((model.decisions, []), (model.decision, [2]), (model.to, Q)):
        assert refused(call, value) == sentence


def test_rows_are_as_before():
    X = [(1, 2.0), [Q(1, 2), True]]
    before = [(1, 2.0), [Q(1, 2), True]]
    MODELS[0].decisions(X)
    assert X == before and [list(map(type, x)) for x in X] == [list(map(type, x)) for x in before]


def test_rows_may_be_arrays_of_numpy():
    np = peer("numpy")
    X = np.array([[1, 2], [3, 4.5]])
    for model in MODELS:
        assert exactly(model.decisions(X), model.decisions(X.tolist()))
        assert exactly(model.predictions(X), model.predictions(X.tolist()))
        assert exactly(model.decision(X[1]), model.decision(X[1].tolist()))


def test_pickles_and_conversions_keep_everything():
    problem = Problem([[1, 2], [3, 5]], [1, -1], Polynomial(2, 0.5, 1))
    found = solution(problem, [0.5, 0.5], 0.25)
    for version in range(2, 6):
        twin = pickle.loads(pickle.dumps(found, version))
        assert twin == found and type(twin) is Solution and repr(twin) == repr(found)
        assert twin.model() == found.model()
        assert pickle.loads(pickle.dumps(found.model(), version)) == found.model()
    exact = found.model().to(Q)
    assert exactly(exact.to(float).vectors, found.model().vectors)
    assert exact.to(float) == found.model()
    assert exactly([exact.b] + exact.coef, [Q(1, 4), Q(1, 2), Q(-1, 2)])
