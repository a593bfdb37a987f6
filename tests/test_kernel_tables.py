"""Tables of kernel values are the kernels' own values, exactly or to the bits asked for."""

from fractions import Fraction as Q

import pytest
from hypothesis import given
from hypothesis import strategies as st
from profiles import draws

from refsvm.conformance.protocol.kernel_tables import KernelTable, kernel_table
from refsvm.kernels.standard import Gaussian, Linear, MonomialSum, Polynomial, Precomputed, Sigmoid
from refsvm.kernels.strings import Spectrum
from refsvm.proofs.enclosures import kernel_interval

KERNELS = [
    Linear(), Polynomial(3, Q(1, 4), 1), MonomialSum(2), Gaussian(0.25), Sigmoid(0.125, -0.5),
    0.5 * Gaussian(0.25), Linear() + Gaussian(1), Gaussian(0.25) * Polynomial(2, coef0=1),
    Sigmoid(0.5, 0) + 3 * Linear(), Linear() * Linear(),
]
NUMBERS = st.integers(-3, 3) | st.sampled_from([0.5, -0.375])
ROWS = st.lists(st.tuples(NUMBERS, NUMBERS).map(list), min_size=1, max_size=4)


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@draws(0.2)
@given(X=ROWS, more=ROWS, begins=st.booleans())
def test_each_value_lies_where_the_kernel_is_enclosed(kernel, X, more, begins):
    rows = [*X, *more] if begins else more
    table = kernel_table(kernel, X, rows, 80)
    for z, row in zip(rows, table.values):
        for x, v in zip(X, row):
            near = kernel_interval(kernel, x, z, 70)
            off = Q(1, 2**60)
            assert near.low - off <= Q(v, table.denominator) <= near.high + off


def test_strings_and_given_values_are_exact():
    words = kernel_table(Spectrum(1), ["aab", "b"], ["ab"])
    assert words.fractions() == [[3, 1]]
    given_rows = kernel_table(Precomputed(), [[1, 0], [0, 2]], [[0.5, 3]])
    assert given_rows.doubles() == [[0.5, 3.0]]


def test_scores_are_sums_of_multiples_of_the_values():
    table = KernelTable([[1, -2], [3, 4]], 8)
    assert table.scores([0.5, Q(1, 3)]) == [Q(-1, 48), Q(17, 48)]
    assert table.absolute().scores([1, 1]) == [Q(3, 8), Q(7, 8)]
    assert table.doubles() == [[0.125, -0.25], [0.375, 0.5]]
