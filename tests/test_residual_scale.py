"""The scale of a Laplace distribution of residuals: a mean, without what is far beyond it."""

from fractions import Fraction as F

from hypothesis import given
from hypothesis import strategies as st
from refusing import refusals, type_error, value_error

from refsvm.svm.residual_scale import laplace_scale

fractions = st.fractions(-100, 100, max_denominator=30)
residuals = st.lists(fractions | fractions.map(lambda v: 1000 * v), min_size=1, max_size=40)


@given(residuals)
def test_it_is_LIBSVMs_rule_on_fractions(r):
    mean = F(sum(map(abs, r)), len(r))
    kept = [abs(v) for v in r if v * v <= 25 * 2 * mean * mean]
    assert laplace_scale([*map(F, r)]) == F(sum(kept), len(kept))


def test_outliers_begin_beyond_five_standard_deviations():
    assert laplace_scale([F(1)] * 7 + [F(10**9)]) == 1  # 8 rows: 8 times the mean
    assert laplace_scale([F(0)] * 6 + [F(10**9)]) == F(10**9, 7)  # 7 rows: none can be one
    assert laplace_scale([0.0] * 7 + [1.0]) == 0.0


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30), st.integers(-900, 900))
def test_another_unit_of_the_labels_is_another_unit_of_the_scale(r, k):
    r = [v for v in r if abs(v) > 1e-9] or [1.0]
    assert laplace_scale([v * 2.0**k for v in r]) == laplace_scale(r) * 2.0**k
    assert laplace_scale([-v for v in r]) == laplace_scale(r)


def test_sizes_near_the_ends_of_the_doubles_are_added_up():
    assert laplace_scale([1.7e308, -1.7e308]) == 1.7e308
    assert laplace_scale([5e-324, 5e-324]) == 5e-324
    assert laplace_scale([0.0, 0.0]) == 0.0 and laplace_scale([F(0)]) == 0


test_what_are_no_residuals_is_refused = refusals(
    value_error("residuals is empty; it must hold at least one number", laplace_scale, []),
    value_error("residuals[1] is inf; it must be a finite number", laplace_scale,
                [1, float("inf")]),
    type_error("residuals is 3; a sequence is needed", laplace_scale, 3),
)
