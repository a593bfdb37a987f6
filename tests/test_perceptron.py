"""The perceptron does what the notes say of it, exactly; and what they print never moves."""

from fractions import Fraction as Q
from itertools import permutations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from profiles import draws

from refsvm.kernels.feature_maps import MapKernel
from refsvm.kernels.standard import Gaussian, Linear, Polynomial, Precomputed
from refsvm.kernels.strings import Spectrum
from refsvm.numerics.factorisations import rank
from refsvm.numerics.linalg import add, dot, gram_of_rows, scale, squared_norm
from refsvm.numerics.picks import passes, uniform
from refsvm.online.perceptron import (
    kernel_mistake_bound,
    kernel_perceptron,
    mistake_bound,
    perceptron,
    perceptron_as_printed,
    step,
    with_constant,
)
from refsvm.theory.losses import perceptron_subgradient

whole = st.integers(-4, 4)


@st.composite
def examples(draw, least=2, most=6, d=2):
    """Rows of whole numbers as Fractions, and labels of both classes."""
    n = draw(st.integers(least, most))
    X = [[Q(v) for v in draw(st.lists(whole, min_size=d, max_size=d))] for _ in range(n)]
    y = draw(st.lists(st.sampled_from([1, -1]), min_size=n, max_size=n))
    y[0], y[1] = 1, -1
    return X, y


@st.composite
def separated(draw):
    """Examples whose labels a drawn u gives, so that it separates them through the origin."""
    u = [Q(v) for v in draw(st.lists(whole, min_size=2, max_size=2))]
    points = draw(st.lists(st.tuples(whole, whole), min_size=2, max_size=7))
    X = [[Q(v) for v in point] for point in points]
    scores = [dot(u, x) for x in X]
    assume(min(scores) < 0 < max(scores) and 0 not in scores)
    return X, [1 if s > 0 else -1 for s in scores], u


def orders(n):
    return st.lists(st.integers(0, n - 1), min_size=1, max_size=30)


def margins(X, y, w):
    return [s * dot(w, x) for s, x in zip(y, X)]


@given(separated(), st.data())
def test_it_separates_whatever_can_be_separated_through_the_origin(data, draw):
    X, y, u = data
    enough = int(mistake_bound(X, y, u)) + 1
    found = perceptron(X, y, passes(len(X), enough))  # one pass without a mistake at least
    assert found.converged
    assert min(margins(X, y, found.w)) > 0


@given(examples(), st.data())
def test_the_weights_are_the_counted_examples(data, draw):
    X, y = data
    picks = draw.draw(orders(len(X)))
    given_X, given_y, given_picks = [list(x) for x in X], list(y), list(picks)
    found = perceptron(X, y, picks)
    expected = [0, 0]
    for c, s, x in zip(found.counts, y, X):
        expected = add(expected, scale(c * s, x))
    assert found.w == expected
    assert found.mistakes == sum(found.counts) <= len(picks)
    assert (X, y, picks) == (given_X, given_y, given_picks)


@given(examples(), st.data())
def test_a_pick_changes_w_if_and_only_if_its_margin_is_not_positive(data, draw):
    X, y = data
    picks = draw.draw(orders(len(X)))
    before, after = perceptron(X, y, picks), perceptron(X, y, [*picks, 0])
    wrong = y[0] * dot(before.w, X[0]) <= 0
    assert after.counts[0] - before.counts[0] == wrong
    assert after.w == (step(before.w, X[0], y[0]) if wrong else before.w)
    assert after.counts[1:] == before.counts[1:]


@given(examples(), st.data())
def test_converged_says_that_since_the_last_mistake_everybody_was_right(data, draw):
    X, y = data
    picks = draw.draw(orders(len(X)))
    runs = [perceptron(X, y, picks[:t]) for t in range(1, len(picks) + 1)]
    totals = [0] + [run.mistakes for run in runs]
    last = max(t for t in range(len(runs)) if totals[t + 1] > totals[t])
    assert runs[-1].converged == (set(picks[last + 1 :]) == set(range(len(X))))
    if runs[-1].converged:
        assert min(margins(X, y, runs[-1].w)) > 0


@given(examples(), st.data())
def test_what_is_printed_never_moves(data, draw):
    X, y = data
    found = perceptron_as_printed(X, y, draw.draw(orders(len(X))))
    assert found.w == [0, 0] and found.mistakes == 0
    assert perceptron_as_printed(X, y, passes(len(X), 1)).converged  # and it believes it is done


@given(st.lists(whole, min_size=2, max_size=2), st.lists(whole, min_size=2, max_size=2),
       st.sampled_from([1, -1]))
def test_an_update_raises_the_margin_by_the_squared_length(w, x, y):
    assert y * dot(step(w, x, y), x) == y * dot(w, x) + squared_norm(x)
    assert type(step([Q(1)] * 2, x, y)[0]) is Q


@given(separated(), st.data())
def test_no_order_makes_more_mistakes_than_any_separator_allows(data, draw):
    X, y, u = data
    bound = mistake_bound(X, y, u)
    found = perceptron(X, y, draw.draw(orders(len(X))))
    assert found.mistakes <= bound
    assert mistake_bound(X, y, scale(Q(7, 2), u)) == bound
    assert squared_norm(found.w) <= found.mistakes * max(map(squared_norm, X))
    assert dot(found.w, u) >= found.mistakes * min(margins(X, y, u))


def test_the_bound_is_met_by_two_unit_vectors():
    X, y = [[1, 0], [0, 1]], [1, -1]
    assert perceptron(X, y, passes(2, 2)).mistakes == mistake_bound(X, y, [1, -1]) == 2


def test_a_border_away_from_the_origin_is_found_with_a_constant_feature_only():
    X, y = [[Q(1)], [Q(2)]], [1, -1]
    stuck = perceptron(X, y, passes(2, 50))
    assert not stuck.converged and stuck.mistakes > 50
    ended = perceptron(with_constant(X), y, passes(2, 20))
    assert ended.converged
    w, b = ended.w
    assert w * 1 + b > 0 > w * 2 + b


@given(examples(), whole)
def test_the_weight_of_a_constant_feature_is_an_offset(data, c):
    X, _ = data
    rows = with_constant(X, c)
    scores = [dot([*x, Q(3)], row) for x, row in zip(X, rows)]
    assert scores == [squared_norm(x) + 3 * c for x in X]
    assert [len(x) for x in X] == [2] * len(X)


@given(separated())
@draws(2/5)
def test_a_separator_with_offset_bounds_the_mistakes_with_a_constant_feature_of_length_r(data):
    X, y, u = data
    longest = max(map(squared_norm, X))
    R = next(r for r in range(1, 8) if r * r >= longest)
    rows = with_constant(X, R)
    found = perceptron(rows, y, passes(len(X), 40))
    # u with offset b = 0 is one of the separators: (2 R |u| / gamma)^2 bounds the mistakes
    gamma = min(margins(X, y, u))
    assert found.mistakes <= mistake_bound(rows, y, [*u, Q(0)])
    assert mistake_bound(rows, y, [*u, Q(0)]) <= 4 * R * R * squared_norm(u) / (gamma * gamma)


@given(examples(), st.data(), st.fractions(Q(1, 8), 8, max_denominator=8))
def test_it_is_subgradient_descent_on_the_perceptron_loss(data, draw, rate):
    X, y = data
    picks = draw.draw(orders(len(X)))
    w = [Q(0), Q(0)]
    for s in picks:
        slope = perceptron_subgradient(y[s] * dot(w, X[s]))
        w = add(w, scale(-rate * slope * y[s], X[s]))
    assert w == scale(rate, perceptron(X, y, picks).w)


def test_another_order_leads_to_another_hyperplane():
    X, y = [[3, 1], [1, 3], [-1, -1]], [1, 1, -1]
    ends = {}
    for order in permutations(range(3)):
        found = perceptron(X, y, [*order] * 10)
        assert found.converged
        ends[order] = found.w
    assert max(rank([v, w]) for v in ends.values() for w in ends.values()) == 2


# --- with a kernel ----------------------------------------------------------------------------


@given(examples(), st.data())
def test_with_the_linear_kernel_it_is_the_same_algorithm(data, draw):
    X, y = data
    picks = draw.draw(orders(len(X)))
    plain, kernel = perceptron(X, y, picks), kernel_perceptron(Linear(), X, y, picks)
    assert kernel == plain[1:]
    assert kernel.model().w == plain.w == plain.model().w
    assert kernel.model().decisions(X) == plain.model().decisions(X)
    by_gram = kernel_perceptron(Precomputed(), gram_of_rows(X), y, picks)
    assert by_gram == kernel


def test_the_rows_of_floats_are_not_shifted_as_there_is_no_offset():
    run = kernel_perceptron(Linear(), [[1.0], [2.0]], [1, -1], [0, 1, 0, 1])
    assert run == ([2, 2], 4, False)


@given(examples(d=1), st.data())
def test_with_a_kernel_it_is_the_perceptron_on_the_features(data, draw):
    X, y = data
    picks = draw.draw(orders(len(X)))

    def features(x):
        return [1, x[0], x[0] * x[0]]

    explicit = perceptron([features(x) for x in X], y, picks)
    kernel = kernel_perceptron(lambda x, z: 1 + x[0] * z[0] + (x[0] * z[0]) ** 2, X, y, picks)
    assert kernel == explicit[1:] == kernel_perceptron(MapKernel(features), X, y, picks)
    new = [[Q(5)], [Q(-1, 2)]]
    assert kernel.model().decisions(new) == [dot(explicit.w, features(x)) for x in new]


@given(examples(most=5), st.data())
@draws(3/5)
def test_a_separator_in_feature_space_bounds_the_mistakes(data, draw):
    X, y = data
    kernel = Polynomial(2, coef0=Q(1))
    assume(len({tuple(x) for x in X}) == len(X))
    found = kernel_perceptron(kernel, X, y, passes(len(X), 30))
    assume(found.converged)
    assert found.mistakes <= kernel_mistake_bound(kernel, X, y, found.counts)
    other = draw.draw(orders(len(X)))
    again = kernel_perceptron(kernel, X, y, other)
    assert again.mistakes <= kernel_mistake_bound(kernel, X, y, found.counts)
    problem = again.problem
    norm = problem.scores_and_norm2(problem.beta(again.counts))[1]
    assert norm <= again.mistakes * max(kernel(x, x) for x in X)


def test_the_kernel_bound_with_the_linear_kernel_is_the_plain_one():
    X, y = [[Q(1), Q(2)], [Q(2), Q(-1)]], [1, -1]
    assert kernel_mistake_bound(Linear(), X, y, [1, 1]) == mistake_bound(X, y, [-1, 3]) == 2


def test_xor_is_learnt_with_a_quadratic_kernel_and_not_without():
    X, y = [[1, 1], [1, -1], [-1, 1], [-1, -1]], [1, -1, -1, 1]
    quadratic = kernel_perceptron(Polynomial(2, coef0=Q(1)), X, y, passes(4, 5))
    assert quadratic.converged
    assert quadratic.model().predictions(X) == y
    assert not perceptron(X, y, passes(4, 100)).converged
    assert kernel_mistake_bound(Polynomial(2, coef0=Q(1)), X, y, [1] * 4) == Q(9, 2)


def test_strings_are_learnt():
    words, y = ["abab", "baba", "cdcd", "dcdc"], [1, 1, -1, -1]
    found = kernel_perceptron(Spectrum(2), words, y, passes(4, 5))
    assert found.converged
    assert found.model().predictions(["ab", "cd", "bababa"]) == [1, -1, 1]


def test_a_bounded_kernel_and_any_size_of_cache_give_the_same():
    X = [[v * 0.37 % 1, v * 0.61 % 1] for v in range(12)]
    y = [1 if (x[0] - 0.5) * (x[1] - 0.5) > 0 else -1 for x in X]
    picks = list(uniform(12, 60, seed=3))
    found = kernel_perceptron(Gaussian(3), X, y, picks)
    assert found == kernel_perceptron(Gaussian(3), X, y, picks, cache_mb=1e-9)
    assert found.mistakes > 3


@pytest.mark.parametrize("call, message", [
    (lambda: perceptron([[1], [2]], [1, 1], [0]),
     "y holds the label +1 only; both classes are needed"),
    (lambda: perceptron([[1], [2]], [1, -1], []),
     "picks is empty; it must hold at least one index"),
    (lambda: perceptron([[1], [2]], [1, -1], [0, 2]), "picks[1] is 2; there are 2 examples"),
    (lambda: mistake_bound([[1], [2]], [1, -1], [1]),
     "u gives example 1 the margin -2.0; a separator's are positive"),
    (lambda: mistake_bound([[1], [0]], [1, -1], [1]),
     "u gives example 1 the margin 0.0; a separator's are positive"),
    (lambda: kernel_mistake_bound(Linear(), [[1], [2]], [1, -1], [1, 0]),
     "u gives example 1 the margin -2.0; a separator's are positive"),
    (lambda: with_constant([[1], [2]], float("nan")), "c is nan"),
    (lambda: kernel_perceptron(Linear(), [[1], [2]], [1, -1], [0], cache_mb=0), "cache_mb is 0"),
    (lambda: kernel_perceptron(lambda x, z: float("inf"), [[1], [2]], [1, -1], [0]),
     "the kernel value of examples 0 and 0 is inf; it must be finite"),
])
def test_a_refusal_names_argument_place_value_and_rule(call, message):
    with pytest.raises(ValueError) as caught:
        call()
    assert str(caught.value).startswith(message)


