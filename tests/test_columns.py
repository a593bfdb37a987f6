"""Columns: whatever the features are like, each sum has the bits of linalg's plain loop."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from profiles import draws

from refsvm.kernels import columns
from refsvm.kernels.columns import Columns, FeatureColumn, add_lists
from refsvm.numerics.linalg import dot, squared_distance

TINY, HUGE = 5e-324, 1.7976931348623157e308
ANY = st.floats(allow_nan=False, allow_infinity=False)
FEW = st.sampled_from([0.0, -0.0, 1.0, -1.0, 0.1, 1e16, 1e-16, TINY, -TINY, HUGE, 1e160, 1e-160])
ORDINARY = st.floats(-2, 2)
BITS = st.sampled_from([0.0, 1.0])
SCATTERED = st.sampled_from([0.0] * 9 + [-0.0, 0.1, -3.0, 1e16, TINY])
FRACTIONS = st.fractions(max_denominator=20)


@st.composite
def tables(draw, features=(ANY, FEW, ORDINARY, BITS, SCATTERED)):
    """Rows, each feature of a sort of its own, and rows to compare with them, one of them new."""
    n, d = draw(st.integers(1, 12)), draw(st.integers(1, 14))
    sorts = [draw(st.sampled_from(features)) for _ in range(d)]
    table = [draw(st.lists(sort, min_size=n + 1, max_size=n + 1)) for sort in sorts]
    *rows, other = [list(row) for row in zip(*table)]
    return rows, rows[:2] + [other] + rows[:1]


def bits(values):
    """The hexadecimal digits of floats; NaN in one spelling."""
    return [float.hex(v) for v in values]


def check(rows, xs):
    table = Columns(rows, float)
    copies = [list(row) for row in rows], [list(x) for x in xs]
    for x in xs:
        assert bits(table.dots(x)) == bits(dot(x, z) for z in rows)
        assert bits(table.squared_distances(x)) == bits(squared_distance(x, z) for z in rows)
    assert (rows, xs) == copies


@given(tables())
def test_sums_have_the_bits_of_the_plain_loops(table):
    check(*table)


@given(tables([FEW, BITS]))
def test_sums_over_few_levels_have_the_bits_of_the_plain_loops(table):
    check(*table)


@given(tables([ORDINARY]))
def test_sums_over_many_levels_have_the_bits_of_the_plain_loops(table):
    check(*table)


@given(tables([SCATTERED, SCATTERED, ORDINARY]))
def test_sums_over_scattered_features_have_the_bits_of_the_plain_loops(table):
    check(*table)


@given(tables([FRACTIONS, st.sampled_from([Fraction(0), Fraction(1, 3)])]))
@draws(1/4)
def test_sums_of_fractions_are_exact(table):
    rows, xs = table
    columns_of = Columns(rows, Fraction)
    for x in xs:
        assert columns_of.dots(x) == [dot(x, z) for z in rows]
        assert columns_of.squared_distances(x) == [squared_distance(x, z) for z in rows]
        assert {type(v) for v in columns_of.dots(x)} == {Fraction}


@given(tables([BITS, ORDINARY, FEW]), st.integers(0, 30))
def test_room_for_lists_of_terms_changes_no_bit(table, lists):
    rows, xs = table
    usual, columns.BYTES_KEPT = columns.BYTES_KEPT, lists * 8 * len(rows)
    try:
        check(rows, xs)
        kept = Columns(rows, float)
        for x in xs:
            kept.squared_distances(x)
        assert sum(len(f.kept) for f in kept.columns) <= lists
    finally:
        columns.BYTES_KEPT = usual


@given(st.data(), st.integers(1, 20))
def test_lists_are_added_one_after_the_other(data, count):
    trio = st.lists(st.floats(-8, 8), min_size=3, max_size=3)
    start, *lists = [data.draw(trio) for _ in range(count)]
    totals = start
    for terms in lists:
        totals = [t + a for t, a in zip(totals, terms)]
    sums = list(start)
    add_lists(sums, lists)
    assert bits(sums) == bits(totals)


def test_a_sum_that_only_one_order_gives():
    # From the left 1e16 + 1 + 1 is 1e16, in any other order it is not.
    for d in range(3, 20):
        row = [1e16] + [1.0] * (d - 1)
        for rows in ([row], [row] * 8, [row] + [[v + k for v in row] for k in range(4)]):
            assert Columns(rows, float).dots([1.0] * d)[0] == 1e16
            assert Columns(rows, float).squared_distances([0.0] * d)[0] == 1e32


def test_no_sum_is_minus_zero():
    rows = [[-0.0, 0.0], [0.0, -0.0], [1.0, -1.0]]
    for x in ([-1.0, 0.0], [0.0, -1.0], [-0.0, -0.0], [1.0, 1.0]):
        check(rows * 4, [x])
        assert "-" not in "".join(bits(Columns(rows[:2] * 4, float).dots(x)))


def test_a_feature_below_one_in_four_is_scattered():
    assert FeatureColumn([0.0] * 5, [4], [1.0]).nonzero == [(4, 1.0)]
    assert not FeatureColumn([0.0] * 4, range(4), (0.0, 0.0, 0.0, 1.0)).scattered


def test_terms_are_kept_for_levels_only():
    table = Columns([[0.0], [1.0]] * 8, float)
    first = table.columns[0].terms(1.0, columns.SQUARE)
    assert table.columns[0].terms(1.0, columns.SQUARE) is first
    table.squared_distances([0.5])
    table.dots([1.0])
    assert sorted(x for x, _ in table.columns[0].kept) == [1.0, 1.0]


def test_no_terms_are_kept_of_a_feature_whose_levels_hardly_repeat():
    table = Columns([[float(i // 3)] for i in range(12)], float)
    table.squared_distances([1.0])
    assert not table.columns[0].kept


def test_no_examples_and_no_features():
    assert Columns([], float).dots([1.0]) == []
    assert Columns([[], []], float).squared_distances([]) == [0.0, 0.0]
