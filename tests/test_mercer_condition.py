"""mercer: the decision against all principal minors, and a witness that always works."""

from copy import deepcopy
from fractions import Fraction
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from minors import has_no_negative_principal_minor

from refsvm.kernels.mercer_condition import Mercer, mercer
from refsvm.numerics.linalg import gram_of_rows, quadratic_form

small = st.integers(-3, 3)
rationals = st.fractions(min_value=-3, max_value=3, max_denominator=7)
floats = st.floats(min_value=-1e6, max_value=1e6)


def squares(numbers, largest=4):
    return st.integers(1, largest).flatmap(
        lambda n: st.lists(st.lists(numbers, min_size=n, max_size=n), min_size=n, max_size=n)
    )


def symmetric_matrices(numbers, largest=4):
    return squares(numbers, largest).map(
        lambda A: [[A[max(i, j)][min(i, j)] for j in range(len(A))] for i in range(len(A))]
    )


def data(numbers):
    """Up to five rows of one or two features: their Gram matrices are singular, most of them."""
    return st.integers(1, 2).flatmap(
        lambda d: st.lists(st.lists(numbers, min_size=d, max_size=d), min_size=1, max_size=5)
    )


def times(A, c):
    return [[c * a for a in row] for row in A]


def exactly(K, v):
    """v'Kv in fractions, for the very numbers given."""
    return quadratic_form([list(map(Fraction, row)) for row in K], list(map(Fraction, v)))


def kinds(v):
    return {type(a) for a in v}


@given(symmetric_matrices(small))
def test_psd_is_what_the_principal_minors_say_for_whole_numbers(K):
    found = mercer(K)
    assert found.symmetric and found.psd == has_no_negative_principal_minor(K)
    assert (found.witness is None) == found.psd
    if not found.psd:
        assert exactly(K, found.witness) < 0
        assert kinds(found.witness) == {float}  # so small that no rounding is needed


@given(st.one_of(symmetric_matrices(rationals), data(rationals).map(gram_of_rows)))
def test_psd_is_what_the_principal_minors_say_for_fractions(K):
    found = mercer(K)
    assert found.psd == has_no_negative_principal_minor(K)
    if not found.psd:
        assert exactly(K, found.witness) < 0 and kinds(found.witness) == {Fraction}


@given(data(floats).map(gram_of_rows))
def test_rounded_gram_matrices_are_decided_as_the_numbers_they_are(K):
    found = mercer(K)
    assert found.psd == has_no_negative_principal_minor([list(map(Fraction, row)) for row in K])
    assert found.psd or exactly(K, found.witness) < 0


@pytest.mark.parametrize(
    "K, found",
    [
        ([[0]], Mercer(True, True, 0.0, None)),
        ([[-2]], Mercer(True, False, -2.0, [1.0])),
        ([[0, 0], [0, 0]], Mercer(True, True, 0.0, None)),
        ([[0, 1], [1, 0]], Mercer(True, False, -1.0, [-1.0, 1.0])),
        ([[0, -1], [-1, 0]], Mercer(True, False, -1.0, [1.0, 1.0])),
        ([[1, 2], [2, 1]], Mercer(True, False, -1.0, [-2.0, 1.0])),
        ([[1, 2, 0], [2, 1, 0], [0, 0, -1]], Mercer(True, False, -1.0, [0.0, 0.0, 1.0])),
        ([[1, 1], [-1, 1]], Mercer(False, False, None, (0, 1))),
        ([[1, 2, 3], [2, 1, 4], [3, 5, 1]], Mercer(False, False, None, (1, 2))),
        ([[1, 2, 3], [0, 1, 4], [0, 5, 1]], Mercer(False, False, None, (0, 1))),
    ],
)
def test_known_answers(K, found):
    assert mercer(K) == found


@pytest.mark.parametrize(
    "K",
    [
        [[0, 1], [1, 100]],  # a zero pivot with a large partner
        [[0, 1], [1, 4]],
        [[0, -1], [-1, 1e300]],
        [[1, 1, 1], [1, 1, 2], [1, 2, 50]],  # the zero turns up in the second step
        [[2, 0, 0], [0, 0, 0], [0, 0, -1]],  # a row of zeros to skip
        [[1, 1, 0, 1], [1, 1, 0, 1], [0, 0, 4, 2], [1, 1, 2, 1]],
        [[5e-324, 1e-323], [1e-323, 5e-324]],
        [[1.7e308, -1.7e308, 0], [-1.7e308, 0, 0], [0, 0, 5e-324]],
    ],
)
def test_a_matrix_with_a_negative_direction_gets_a_witness_that_works(K):
    found = mercer(K)
    assert not found.psd and exactly(K, found.witness) < 0 and kinds(found.witness) == {float}


def test_a_last_bit_decides():
    below = 1 - Fraction(1, 2**53)
    assert mercer([[1.0, 1.0], [1.0, 1.0]]).psd
    assert not mercer([[1.0, 1.0], [1.0, float(below)]]).psd
    assert mercer([[1.0, float(below)], [float(below), 1.0]]).psd
    assert mercer([[1, below], [below, below * below]]).psd
    assert not mercer([[1, below], [below, below * below - Fraction(1, 10**99)]]).psd


def test_the_witness_stays_in_fractions_when_its_floats_would_prove_nothing():
    # K = L diag(1, 1, 1, 1, -1) L', where L is 1 on the diagonal and c just below it.
    c = 1_000_001
    K = [[0] * 5 for _ in range(5)]
    for i in range(5):
        K[i][i] = 1 if i == 0 else c * c + (1 if i < 4 else -1)
        if i < 4:
            K[i][i + 1] = K[i + 1][i] = c
    found = mercer(K)
    assert found.witness == [c**4, -(c**3), c**2, -c, 1] and kinds(found.witness) == {Fraction}
    assert exactly(K, found.witness) == -1
    assert exactly(K, [float(a) for a in found.witness]) > 0


def test_the_witness_is_rounded_in_the_way_that_keeps_it_one():
    a, b = [4, 2, 8], [3, 2, 2]  # (-6, 8, 1) is at right angles to both
    K = [[(a[i] * a[j] + b[i] * b[j]) / 7 for j in range(3)] for i in range(3)]
    v = mercer(K).witness
    assert exactly(K, v) < 0 and v[:2] == [-0.75, 1.0] and kinds(v) == {float}


def test_fractions_beyond_any_float_are_decided_and_their_eigenvalue_is_infinite():
    huge, tiny = Fraction(10**400), Fraction(1, 10**400)
    assert mercer([[huge, 0], [0, -huge]]) == Mercer(True, False, -inf, [0, 1])
    assert mercer([[huge]]) == Mercer(True, True, inf, None)
    assert mercer([[tiny, 0], [0, tiny]]) == Mercer(True, True, 0.0, None)
    assert mercer([[-tiny]]).psd is False


@given(symmetric_matrices(small), st.integers(-300, 300))
def test_a_power_of_two_times_the_matrix_has_the_scaled_eigenvalue_and_the_same_witness(K, k):
    c = float(Fraction(2) ** k)
    found, scaled = mercer(K), mercer(times(K, c))
    assert scaled == found._replace(smallest=c * found.smallest)


def test_thirty_examples_with_a_rank_of_three():
    X = [[Fraction(i), Fraction(i * i), Fraction(1)] for i in range(30)]
    K = gram_of_rows(X)
    assert mercer(K).psd
    K[29][29] -= Fraction(1, 1000)
    assert exactly(K, mercer(K).witness) < 0


def test_sixty_independent_examples_are_quick_since_the_numbers_stay_determinants():
    K = [[min(i, j) + (2 if i == j else 1) for j in range(60)] for i in range(60)]
    assert mercer(K).psd


@pytest.mark.parametrize(
    "K, sentence",
    [
        ([], "K is empty"),
        ([[1, 2]], "K[0] has length 2 and the number of rows of K is 1; the two must be equal"),
        ([[1, 2], [3]], "K[1] has length 1"),
        ([[1, nan], [nan, 1]], "K[0][1] is nan"),
        ([[inf]], "K[0][0] is inf"),
    ],
)
def test_what_is_no_square_matrix_of_finite_numbers_is_refused(K, sentence):
    with pytest.raises(ValueError) as refusal:
        mercer(K)
    assert str(refusal.value).startswith(sentence) and "\n" not in str(refusal.value)


def test_the_matrix_given_is_not_changed():
    for K in ([[1.0, 2.0], [2.0, 1.0]], [[Fraction(1), 1], [1, 1]], ((2, 1), (1, 2))):
        before = deepcopy(K)
        mercer(K)
        assert K == before
