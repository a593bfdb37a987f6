"""Sums rounded once: the double nearest to the exact value, whatever the order."""

from fractions import Fraction

from hypothesis import example, given
from hypothesis import strategies as st

from refsvm.numerics.exact_sums import nearest_combination, nearest_offset, scaled_integers

numbers = st.floats(-1e60, 1e60)
terms = st.integers(1, 3).flatmap(
    lambda d: st.lists(
        st.tuples(numbers, st.lists(numbers, min_size=d, max_size=d)), min_size=1, max_size=5
    )
)


@given(terms)
@example([(1.0, [1e16]), (1.0, [1.0]), (-1.0, [1e16])])
@example([(5e-324, [0.5]), (5e-324, [0.25])])
def test_each_number_is_the_double_nearest_to_the_exact_sum(terms):
    coefs, rows = [c for c, _ in terms], [row for _, row in terms]
    exactly = [
        sum(Fraction(c) * Fraction(v) for c, v in zip(coefs, column)) for column in zip(*rows)
    ]
    assert nearest_combination(coefs, rows) == list(map(float, exactly))
    assert nearest_combination(coefs[::-1], rows[::-1]) == list(map(float, exactly))
    fractions = [list(map(Fraction, row)) for row in rows]
    assert nearest_combination(list(map(Fraction, coefs)), fractions) == exactly


@given(numbers, st.lists(st.tuples(numbers, numbers), max_size=4), st.sampled_from([1, -1]))
def test_an_offset_is_moved_with_one_rounding(b, pairs, sign):
    exactly = Fraction(b) + sign * sum(Fraction(p) * Fraction(q) for p, q in pairs)
    w, x = [p for p, _ in pairs], [q for _, q in pairs]
    assert nearest_offset(b, w, x, sign) == float(exactly)
    assert nearest_offset(Fraction(b), w, x, sign) == exactly


@given(st.lists(st.one_of(numbers, st.fractions()), min_size=1))
def test_numbers_are_whole_numbers_over_one_denominator(x):
    wholes, q = scaled_integers(x)
    assert all(type(p) is int for p in wholes)
    assert [Fraction(p, q) for p in wholes] == list(map(Fraction, x))
