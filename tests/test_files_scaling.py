"""Facts about scaling: the rule of svm-scale, exact at both ends, in memory and by its files."""

import os
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from peers import data_folder
from test_files_models import refusal

from refsvm.files.scaling import Scaling, read_scaling, write_scaling
from refsvm.numerics.sparse_rows import row_items, rows_from
from refsvm.tables.data import read_data

moderate = st.floats(-1e150, 1e150) | st.sampled_from([0.0, -0.0, 5e-324, 1e-300, 0.1])


def matrices(numbers):
    return st.integers(1, 3).flatmap(
        lambda d: st.lists(st.lists(numbers, min_size=d, max_size=d), min_size=1, max_size=5)
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("scaling")


def read_text(folder, content, *arguments):
    path = folder / "some.range"
    path.write_text(content)
    return read_scaling(path, *arguments)


# The rule


@given(matrices(moderate), st.sampled_from([(-1, 1), (0, 1), (-0.3, 0.7), (5, 1e5)]))
def test_smallest_becomes_lower_largest_becomes_upper_and_constant_becomes_zero(X, ends):
    before = repr(X)
    lower, upper = ends
    scaled = Scaling.fit(X, lower, upper).apply(X)
    assert repr(X) == before
    for column, image in zip(zip(*X), zip(*scaled)):
        for value, moved in zip(column, image):
            if min(column) == max(column):
                assert moved == 0
            elif value == min(column):
                assert moved == lower
            elif value == max(column):
                assert moved == upper


@given(matrices(st.fractions(max_denominator=50)))
def test_on_fractions_the_map_is_affine_exactly(X):
    scaling = Scaling.fit(X, Fraction(-1, 3), 2)
    for row, image in zip(X, scaling.apply(X)):
        for v, moved, low, high in zip(row, image, scaling.minima, scaling.maxima):
            assert isinstance(moved, Fraction)
            if low == high:
                assert moved == 0
            else:
                assert (moved + Fraction(1, 3)) * (high - low) == (v - low) * Fraction(7, 3)


def test_the_formula_is_computed_in_the_order_of_svm_scale():
    low, high, v = 0.1, 0.9, 0.6
    got = Scaling.fit([[low], [high]], -0.3, 0.9).row([v])[0]
    assert got == -0.3 + (0.9 - -0.3) * (v - low) / (high - low)
    assert got != -0.3 + (0.9 - -0.3) * ((v - low) / (high - low))


def test_values_outside_what_was_fitted_leave_the_range():
    assert Scaling.fit([[0], [10]]).apply([[-10], [30]]) == [[-3.0], [5.0]]


def test_a_constant_feature_is_zero_whatever_comes_later():
    assert Scaling.fit([[3, 1], [3, 2]]).apply([[3, 1], [99, 2]]) == [[0.0, -1.0], [0.0, 1.0]]


def test_short_rows_have_zeros_and_features_never_seen_become_zero():
    scaling = Scaling.fit([[0, -2], [4, 2]])
    assert scaling.apply([[4]]) == [[1.0, 0.0]]
    assert scaling.apply([[4, 2, 7]]) == [[1.0, 1.0, 0.0]]


def test_one_row_is_scaled_as_a_row_of_many():
    scaling = Scaling.fit([[0, -2], [4, 2]])
    x = [1, 1]
    assert scaling.row(x) == scaling.apply([x])[0]
    assert x == [1, 1]


def test_one_fraction_makes_all_of_them_fractions():
    scaling = Scaling.fit([[0, 1], [3, 3]])
    assert scaling.row([Fraction(1), 2]) == [Fraction(-1, 3), 0]
    assert {type(v) for v in scaling.row([Fraction(1), 2])} == {Fraction}


@pytest.mark.parametrize(
    "X, ends, sentence",
    [
        ([[0], [1]], (1, 1), "lower is 1.0 and upper is 1.0; lower must be below upper"),
        ([[0], [1]], (1, -1), "lower is 1.0 and upper is -1.0; lower must be below upper"),
        ([[0], [1]], (-1, float("nan")), "upper is nan; it must be a finite number"),
        ([[0], [1]], (-1e308, 1e308), "the range to scale to goes from -1e+308 to 1e+308; no"
         " double holds its width"),
        ([[0, -1e308], [1, 1e308]], (-1, 1), "column 1 of X goes from -1e+308 to 1e+308; no double"
         " holds its width"),
        ([[0], [float("inf")]], (-1, 1), "X[1][0] is inf; it must be a finite number"),
        ([[0], [1, 2]], (-1, 1), "X[1] has length 2; every row must have the length of X[0], which"
         " is 1"),
        ([], (-1, 1), "X is empty; it must have at least one row"),
    ],
)  # fmt: skip
def test_what_cannot_be_fitted_is_refused(X, ends, sentence):
    assert refusal(Scaling.fit, X, *ends) == sentence


def test_a_value_that_scales_out_of_the_doubles_is_refused_by_place():
    scaling = Scaling.fit([[0, 0], [1, 1e-10]])
    assert refusal(scaling.apply, [[0, 0], [0, 1e300]]) == (
        "X[1][1] is 1e+300; scaled from 0.0 to 1e-10 it is no double"
    )
    assert refusal(scaling.row, [-1.7e308, 0]) == (
        "x[0] is -1.7e+308; scaled from 0.0 to 1.0 it is no double"
    )


# The files


def test_only_what_scales_out_of_the_doubles_as_a_whole_is_refused():
    assert Scaling(-1e300, 1e300, [0.0], [1e300]).apply([[1e299]]) == [[-8e299]]
    assert Scaling(-1.0, 1.0, [-1e308], [7e307]).row([1.7e308]) == [2.176470588235294]
    with pytest.raises(ValueError, match="scaled from 0.0 to 0.1 it is no double"):
        Scaling(0.0, 1.7e308, [0.0], [0.1]).row([1.0])


def test_a_file_is_written_as_svm_scale_writes_it(folder):
    scaling = Scaling.fit([[0, 7, -1.5, 3], [10, 7, 0.1, 3]], 0, 1)
    write_scaling(folder / "written.range", scaling)
    assert (folder / "written.range").read_text() == "x\n0 1\n1 0 10\n3 -1.5 0.1\n"
    assert read_scaling(folder / "written.range", 4) == Scaling(
        0.0, 1.0, [0.0, 0.0, -1.5, 0.0], [10.0, 0.0, 0.1, 0.0]
    )


@given(matrices(moderate), matrices(moderate))
def test_what_is_written_scales_every_row_the_same(folder, X, Z):
    scaling = Scaling.fit(X, -0.1, 1)
    for path in (folder / "round.range", folder / "round.range.gz"):
        write_scaling(path, scaling)
        got = read_scaling(path, len(X[0]))
        assert got.apply(X) == scaling.apply(X)
        assert read_scaling(path).apply(X) == scaling.apply(X)
        assert got.lower == scaling.lower and got.upper == scaling.upper
        for low, high, a, b in zip(got.minima, got.maxima, scaling.minima, scaling.maxima):
            assert (low, high) == ((a, b) if a != b else (0.0, 0.0))


def test_numbers_of_sixteen_and_seventeen_digits_are_read(folder):
    got = read_text(folder, "x\r\n-1 1\r\n1 0.10000000000000001 0.2999999999999999\r\n\n")
    assert got == Scaling(-1.0, 1.0, [0.1], [0.2999999999999999])


def test_a_file_in_which_every_feature_was_constant_makes_everything_zero(folder):
    got = read_text(folder, "x\n-1 1\n")
    assert got == Scaling(-1.0, 1.0, [], [])
    assert got.apply([[3, 4]]) == [[0.0, 0.0]]
    assert read_text(folder, "x\n-1 1\n", 2).apply([[3]]) == [[0.0, 0.0]]


@pytest.mark.parametrize(
    "content, sentence",
    [
        ("", " does not begin with the line x and the line lower upper"),
        ("x\n", " does not begin with the line x and the line lower upper"),
        ("z\n-1 1\n", " does not begin with the line x and the line lower upper"),
        ("x\n-1\n", " does not begin with the line x and the line lower upper"),
        ("y\n-1 1\n0 9\nx\n-1 1\n", " scales labels (y), which is for regression; only x can be"
         " read"),
        ("x\n-1 one\n", ", line 2: an end of the range is 'one'; it must be a finite number"),
        ("x\n1 -1\n", ", line 2: the range goes from 1.0 to -1.0; it must rise"),
        ("x\n-1 1\n1 0\n", ", line 3: '1 0' is not index min max"),
        ("x\n-1 1\n0 0 1\n", ", line 3: the index is '0'; it must be a whole number from 1 to"
         " 2147483647"),
        ("x\n-1 1\n2 0 1\n2 0 1\n", ", line 4: the index 2 comes after 2; indices must ascend"),
        ("x\n-1 1\n4 0 1\n", ", line 3: the index 4 is above 3, the features asked for"),
        ("x\n-1 1\n1 nan 1\n", ", line 3: min is 'nan'; it must be a finite number"),
        ("x\n-1 1\n1 0 inf\n", ", line 3: max is 'inf'; it must be a finite number"),
        ("x\n-1 1\n1 2 1\n", ", line 3: min is 2.0 and max is 1.0; min must not exceed max"),
        (f"x\n-1 1\n1 {'9' * 200} 1\n", ", line 3: min is 1e+200 and max is 1.0; min must not"
         " exceed max"),
        ("x\n-1 1\n1 -1e308 1e308\n", ", line 3: feature 1 goes from -1e+308 to 1e+308; no double"
         " holds its width"),
    ],
)  # fmt: skip
def test_what_is_no_range_file_is_refused_by_its_place_and_rule(folder, content, sentence):
    assert refusal(read_text, folder, content, 3) == f"{folder / 'some.range'}{sentence}"


def test_what_no_range_file_holds_is_refused_and_no_file_appears(tmp_path):
    scaling = Scaling.fit([[0], [Fraction(1, 3)]])
    assert refusal(write_scaling, tmp_path / "new", scaling) == (
        "maxima[0] is 1/3, which no double equals; a file holds doubles, so use float() first"
    )
    with pytest.raises(TypeError, match="^scaling is a list; a Scaling is needed$"):
        write_scaling(tmp_path / "new", [])
    with pytest.raises(TypeError, match="^features is '3'; a whole number is needed$"):
        read_scaling(tmp_path / "new", "3")
    assert os.listdir(tmp_path) == []


# Real data


def test_german_numer_becomes_german_numer_scale_in_every_digit():
    raw = read_data(data_folder() / "german.numer.libsvm")
    scaled = read_data(data_folder() / "german.numer_scale.libsvm")
    ours = Scaling.fit(raw.X).apply(raw.X)
    assert [[float(f"{value:g}") for value in row] for row in ours] == scaled.X
    assert raw.y == scaled.y


def test_zeros_that_stay_zeros_are_not_written():
    rows = rows_from([([7 * i], [1.0 + i]) for i in range(200)], 1400)
    scaled = Scaling.fit(rows, 0, 1).apply(rows)
    assert [list(row_items(row)) for row in scaled] == [[(7 * i, 1.0)] for i in range(200)]
    assert Scaling.fit(rows, -1, 1).columns_of_zeros_moved() == [7 * i for i in range(200)]
