"""Pairwise coupling: exact values, and what holds of every matrix of pairs."""

from fractions import Fraction as F
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from profiles import draws

from refsvm.svm.coupling import couple, coupling_matrix

CERTAIN = st.sampled_from([F(0), F(1)])
shares = st.fractions(0, 1, max_denominator=50)
doubles = st.sampled_from([0.0, 1.0, 0.5, 1e-7, 1 - 1e-7, 1e-300, 2.0**-53]) | st.floats(0, 1)


def matrix_of(k, upper):
    """R with these numbers above its diagonal, row by row."""
    values, R = iter(upper), [[0] * k for _ in range(k)]
    for i in range(k):
        for j in range(i + 1, k):
            R[i][j] = next(values)
            R[j][i] = 1 - R[i][j]
    return R


@st.composite
def matrices(draw, numbers=shares | CERTAIN, most=6):
    k = draw(st.integers(2, most))
    size = k * (k - 1) // 2
    return matrix_of(k, draw(st.lists(numbers, min_size=size, max_size=size)))


def loss(R, p):
    """The sum that couple makes least."""
    k = range(len(R))
    return sum((R[j][i] * p[i] - R[i][j] * p[j]) ** 2 for i in k for j in k if i != j)


@pytest.mark.parametrize("upper, p", [
    ((F(3, 4), F(2, 3), F(1, 2)), (F(527, 965), F(197, 965), F(241, 965))),
    ((F(3, 4), F(1, 4), F(3, 4)), (F(1, 3), F(1, 3), F(1, 3))),  # a cycle
    ((F(3, 5), F(3, 4), F(2, 3)), (F(1, 2), F(1, 3), F(1, 6))),  # the pairs agree
    ((F(1), F(1), F(1, 2)), (1, 0, 0)),
    ((F(1), F(0), F(1)), (F(1, 3), F(1, 3), F(1, 3))),  # a cycle of certainties
    ((F(0), F(0), F(0)), (0, 0, 1)),
])
def test_three_classes_exactly(upper, p):
    assert couple(matrix_of(3, upper)) == list(p)
    assert couple(matrix_of(3, map(float, upper))) == pytest.approx(list(map(float, p)), abs=1e-15)


@given(st.lists(st.integers(1, 50), min_size=2, max_size=6))
def test_pairs_that_agree_give_back_what_they_were_made_of(sizes):
    R = [[F(a, a + b) for b in sizes] for a in sizes]
    assert couple(R) == [F(a, sum(sizes)) for a in sizes]


@given(matrices())
def test_the_answer_is_a_distribution_and_no_other_is_better(R):
    p = couple(R)
    assert sum(p) == 1 and min(p) >= 0
    slopes = [sum(q * v for q, v in zip(row, p)) for row in coupling_matrix(R)]
    assert len(set(slopes)) == 1
    for i in range(len(R)):  # F is convex: if no such move is better, none is
        for j in range(len(R)):
            moved = [v + F(1, 1000) * ((c == i) - (c == j)) for c, v in enumerate(p)]
            assert i == j or loss(R, moved) > loss(R, p)


@draws(1 / 2)
@given(matrices(most=4))
def test_another_order_of_the_classes_is_another_order_of_the_probabilities(R):
    p = couple(R)
    for order in permutations(range(len(R))):
        assert couple([[R[i][j] for j in order] for i in order]) == [p[i] for i in order]


@given(matrices(doubles, 8))
def test_doubles_are_near_the_exact_answer_and_never_below_zero(R):
    p = couple(R)
    k = range(len(R))
    exact = couple([[F(R[i][j]) if i < j else 1 - F(R[j][i]) for j in k] for i in k])
    assert min(p) >= 0
    assert all(abs(F(found) - value) < F(2) ** -48 for found, value in zip(p, exact))


def test_rounding_below_zero_is_zero():
    """Without the rule the second would be -2.8e-18."""
    assert couple(matrix_of(3, [1.0, 0.8, 0.0]))[1] == 0.0


def test_two_classes_are_what_is_given_and_the_diagonal_is_not_read():
    assert couple([[7, 0.3], [0.7, -5]]) == [0.3, 0.7]
    R = matrix_of(3, [F(3, 4), F(2, 3), F(1, 2)])
    assert couple([[F(9) if i == j else v for j, v in enumerate(row)]
                   for i, row in enumerate(R)]) == couple(R)


@pytest.mark.parametrize("R, sentence", [
    ([[0.5]], "R has one row; there must be one for each of two classes or more"),
    ([[0, 1]], "R[0] has length 2 and the number of rows of R is 1; the two must be equal"),
    ([[0, 1.5], [-0.5, 0]], "R[0][1] is 1.5; it must be from 0 to 1"),
    ([[0, 0.5], [-0.5, 0]], "R[0][1] is 0.5 and R[1][0] is -0.5; they must add up to 1, so take"
     " 1 - R[0][1]"),
    ([[0, 0.25], [0.7, 0]], "R[0][1] is 0.25 and R[1][0] is 0.7; they must add up to 1, so take"
     " 1 - R[0][1]"),
    ([[0, F(1, 10)], [0.9, 0]], "R[0][1] is 1/10 and R[1][0] is"
     " 8106479329266893/9007199254740992; they must add up to 1, so take 1 - R[0][1]"),
    ([[0, float("nan")], [0.5, 0]], "R[0][1] is nan; it must be a finite number"),
])
def test_what_is_no_matrix_of_pairs_is_refused(R, sentence):
    with pytest.raises(ValueError) as refusal:
        couple(R)
    assert str(refusal.value) == sentence
