"""voting: decisions of all pairs in LIBSVM's layout, votes, ties and scores."""

import copy
import pickle
import tracemalloc
from fractions import Fraction
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refsvm.kernels.standard import Gaussian, Kernel, Linear, Polynomial, Precomputed, Sigmoid
from refsvm.svm.one_vs_one import OneAgainstOne, class_scores, first_largest, pairs, votes_of

F = Fraction

# Two points a class, C = 1, linear; each pair solved by hand (conditions checked below). At the
# query (0, 1) class 0 beats 1, 1 beats 2, and 2 beats 0.
CYCLE_X = [[0, 0], [4, 0], [2, 4], [1, 0], [4, 1], [2, 1]]
CYCLE_COEFS = [
    [F(13, 16), F(5, 16), F(-1, 8), F(-1), F(-9, 17), F(-1)],
    [F(9, 17), F(1), F(36, 121), F(86, 121), F(-1, 121), F(-1)],
]
CYCLE_OFFSETS = [F(1), F(1), F(19, 11)]
CYCLE = OneAgainstOne(
    ["a", "b", "c"], Linear(), CYCLE_X, [2, 2, 2], CYCLE_COEFS, CYCLE_OFFSETS
)
KERNELS = [
    Linear(),
    Polynomial(3, 0.5, 1),
    Gaussian(0.5),
    Sigmoid(0.1, -1),
    Linear() + 2 * Gaussian(1),
    lambda x, z: min(x[0], z[0]),
]

numbers = st.floats(-100, 100)
coefficients = st.one_of(st.just(0.0), numbers)


@st.composite
def models(draw, kernels=KERNELS):
    k = draw(st.integers(2, 4))
    counts = draw(st.lists(st.integers(0, 3), min_size=k, max_size=k))
    V, d = 0, draw(st.integers(1, 3))
    for count in counts:
        V += count

    def table(rows, columns, entries):
        row = st.lists(entries, min_size=columns, max_size=columns)
        return draw(st.lists(row, min_size=rows, max_size=rows))

    offsets = table(1, len(pairs(k)), numbers)[0]
    return OneAgainstOne(
        list(range(k)),
        draw(st.sampled_from(kernels)),
        table(V, d, numbers),
        counts,
        table(k - 1, V, coefficients),
        offsets,
    ), table(draw(st.integers(1, 3)), d, numbers)


def by_the_definition(model, x):
    """The decisions of x straight from the words at the top of the module."""
    class_of = [c for c, count in enumerate(model.counts) for _ in range(count)]
    decisions = []
    for (p, q), b in zip(pairs(len(model.classes)), model.offsets):
        terms = []
        for v, c in enumerate(class_of):
            coef = model.coefs[q - 1][v] if c == p else model.coefs[p][v] if c == q else 0
            if coef != 0:
                terms.append((coef, model.vectors[v]))
        total = 0
        if isinstance(model.kernel, Linear):
            for a, z in zip(weights_by_the_definition(terms, len(x)), x):
                total += a * z
        else:
            for coef, v in terms:
                total += coef * model.kernel(v, x)
        decisions.append(float(total + b))
    return decisions


def weights_by_the_definition(terms, d):
    """The doubles nearest to the sum of coefficient * vector."""
    return [float(sum(F(coef) * F(v[k]) for coef, v in terms)) for k in range(d)]


@given(models())
def test_decisions_have_the_bits_of_the_definition(drawn):
    model, X = drawn
    expected = [by_the_definition(model, x) for x in X]
    for row, wanted in zip(model.decisions(X), expected):
        assert [f.hex() for f in row] == [f.hex() for f in wanted]


@given(models())
def test_a_row_is_decided_alone_as_in_a_batch(drawn):
    model, X = drawn
    assert model.decisions(X) == [model.pair_decisions(x) for x in X]
    assert model.predictions(X) == [model.predict(x) for x in X]


@given(models())
def test_nothing_given_is_changed_and_a_pickle_decides_alike(drawn):
    model, X = drawn
    before = copy.deepcopy((model[2:], X))
    decisions = model.decisions(X)
    assert (model[2:], X) == before
    if isinstance(model.kernel, Kernel):
        assert pickle.loads(pickle.dumps(model)).decisions(X) == decisions


def test_the_vote_cycle_is_the_optimum_of_each_pair():
    for p, q in pairs(3):
        used = [(v, CYCLE_COEFS[q - 1][v], 1) for v in (2 * p, 2 * p + 1)]
        used += [(v, CYCLE_COEFS[p][v], -1) for v in (2 * q, 2 * q + 1)]
        total = 0
        for v, coef, sign in used:
            total += coef
            f = CYCLE.pair_decisions(CYCLE_X[v])[pairs(3).index((p, q))]
            alpha = sign * coef
            assert 0 < alpha <= 1
            assert sign * f == 1 if alpha < 1 else sign * f <= 1
        assert total == 0


def test_a_vote_cycle_goes_to_the_first_class_and_scores_break_it():
    decisions = CYCLE.pair_decisions([0, 1])
    assert decisions == [F(1, 2), F(-9, 17), F(21, 11)]
    assert CYCLE.votes([0, 1]) == [1, 1, 1]
    assert CYCLE.predict([0, 1]) == "a"
    assert CYCLE.predictions([[0, 1], [2, 4], [5, 1]]) == ["a", "b", "c"]
    scores = class_scores(decisions, 3)
    assert scores == [1 - F(1, 105), 1 + F(31, 159), 1 - F(86, 445)]
    assert first_largest(scores) == 1


def test_a_decision_of_zero_is_a_vote_for_the_later_class():
    model = OneAgainstOne([0, 1], Linear(), [[1]], [1, 0], [[1]], [-2])
    assert [model.votes([x]) for x in (1, 2, 3)] == [[0, 1], [0, 1], [1, 0]]
    assert model.predictions([[1], [2], [3]]) == [1, 1, 0]


def test_decisions_are_exact_when_one_number_is_a_fraction():
    model = OneAgainstOne([0, 1], Polynomial(2), [[0.1], [0.7]], [1, 1], [[0.3, -0.3]], [0.1])
    exact = F(0.3) * (F(0.1) / 3) ** 2 - F(0.3) * (F(0.7) / 3) ** 2 + F(0.1)
    assert model.pair_decisions([F(1, 3)]) == [exact]
    assert model.decisions([[F(1, 3)]]) == [[exact]]
    assert type(model.pair_decisions([1])[0]) is float
    for part in (
        model._replace(offsets=[F(0.1)]),
        model._replace(coefs=[[0.3, F(-0.3)]]),
        model._replace(vectors=[[0.1], [F(0.7)]]),
        model._replace(kernel=Polynomial(2, F(1))),
    ):
        assert part.pair_decisions([0.5]) == model.pair_decisions([F(0.5)])


class Counting(Kernel):
    """The linear kernel, counting what it is asked."""

    def __init__(self):
        self.values = self.preparations = 0

    def __call__(self, x, z):
        self.values += 1
        return x[0] * z[0]

    def row_function(self, points, kind):
        self.preparations += 1
        return super().row_function(points, kind)


def test_a_kernel_value_serves_every_pair_and_is_prepared_once():
    kernel = Counting()
    coefs = [[1, 2, 3], [4, 5, 6]]
    model = OneAgainstOne("abc", kernel, [[1], [2], [3]], [1, 1, 1], coefs, [0] * 3)
    model.predictions([[1], [2], [3], [4]])
    assert (kernel.values, kernel.preparations) == (12, 1)


def test_precomputed_vectors_are_places_in_the_row():
    model = OneAgainstOne([5, 7], Precomputed(), [4, 1], [1, 1], [[2, -1]], [0.5])
    assert model.decisions([[9, 10, 9, 9, 100]]) == [[190.5]]
    with pytest.raises(ValueError) as refused:
        model.predict([1, 2, 3, 4])
    assert str(refused.value) == (
        "x has length 4; it must hold a kernel value for every training example, and example 4"
        " is a support vector"
    )


def test_strings_are_rows_for_a_kernel_that_takes_them():
    model = OneAgainstOne(
        ["ab", "xy"], lambda x, z: len(set(x) & set(z)), ["ab", "xy"], [1, 1], [[1, -1]], [0]
    )
    assert model.pair_decisions("aab") == [2.0]
    assert model.decisions(["aab", "xya"]) == [[2.0], [-1.0]]
    assert model.predictions(["aab", "xya"]) == ["ab", "xy"]


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(1), Precomputed()])
def test_without_support_vectors_the_offsets_decide(kernel):
    model = OneAgainstOne("abc", kernel, [], [0, 0, 0], [[], []], [1, -2, 3])
    assert model.decisions([[5, 6], [7, 8]]) == [[1.0, -2.0, 3.0]] * 2
    assert model.predict([5, 6]) == "a"


@pytest.mark.parametrize(
    "x, sentence",
    [
        ([1], "x has length 1; the support vectors have length 2"),
        ([1, 2, 3], "x has length 3; the support vectors have length 2"),
        ([1, nan], "x[1] is nan; it must be a finite number"),
        ([], "x is empty; it must hold at least one number"),
    ],
)
def test_a_row_that_does_not_fit_is_refused(x, sentence):
    for ask in (CYCLE.pair_decisions, CYCLE.votes, CYCLE.predict):
        with pytest.raises(ValueError) as refused:
            ask(x)
        assert str(refused.value) == sentence


@pytest.mark.parametrize(
    "X, sentence",
    [
        ([[1]], "X[0] has length 1; the support vectors have length 2"),
        ([[1, 2], [1, 2, 3]], "X[1] has length 3; every row must have the length of X[0], which"
                              " is 2"),
        ([], "X is empty; it must have at least one row"),
    ],
)
def test_rows_that_do_not_fit_are_refused(X, sentence):
    for ask in (CYCLE.decisions, CYCLE.predictions):
        with pytest.raises(ValueError) as refused:
            ask(X)
        assert str(refused.value) == sentence


@pytest.mark.parametrize("bad", [inf, -inf, nan])
def test_a_kernel_value_that_is_not_finite_is_refused(bad):
    model = OneAgainstOne(
        [0, 1], lambda x, z: bad if x[0] == z[0] else 1.0, [[1], [2]], [1, 1], [[1, -1]], [0]
    )
    with pytest.raises(ValueError) as refused:
        model.decisions([[5], [2]])
    assert str(refused.value) == (
        f"the kernel value of X[1] and support vector 1 is {bad}; it must be finite"
    )


decision_lists = st.integers(2, 5).flatmap(
    lambda k: st.tuples(
        st.just(k),
        st.lists(st.integers(-3, 3).map(F), min_size=len(pairs(k)), max_size=len(pairs(k))),
    )
)


@given(decision_lists)
def test_every_pair_votes_once(drawn):
    k, decisions = drawn
    votes = votes_of(decisions, k)
    total = 0
    for count in votes:
        total += count
    assert len(votes) == k and total == len(decisions)


@given(decision_lists)
def test_the_best_score_is_among_the_classes_with_most_votes(drawn):
    k, decisions = drawn
    votes, scores = votes_of(decisions, k), class_scores(decisions, k)
    assert votes[first_largest(scores)] == max(votes)
    assert all(abs(score - vote) < F(1, 3) for score, vote in zip(scores, votes))


def test_votes_of_a_row_need_the_decisions_of_that_row_alone():
    """Of 40 classes 780 decisions, 200 times: 4 MB at once."""
    coefs = [[1.0] * 40] * 39
    model = OneAgainstOne(range(40), Linear(), [[1.0]] * 40, [1] * 40, coefs, [0.5] * 780)
    X = [[float(i)] for i in range(200)]
    tracemalloc.start()
    found = model.predictions(X)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found == [model.classes[0]] * 200 and most < 1e6
