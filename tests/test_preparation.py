"""Preparations: means and deviations rounded once, kinds of columns, what is unknown."""

import copy
import csv
import json
import math
import pickle
import random
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from profiles import draws
from refusing import refusals, value_error

import refsvm
from refsvm import Preparation
from refsvm.numerics.exact_sums import mean_and_deviation, nearest_root
from refsvm.tables import column_kinds
from refsvm.tables.column_kinds import MAX_CELL, MAX_TEXTS, NUMBERS, TEXTS, column_of, plain_cell
from refsvm.tables.preparation import preparation_from

ROOT = Path(__file__).parent.parent
NUMBER = st.floats(-MAX_CELL, MAX_CELL, allow_nan=False)
COLUMN = st.one_of(
    st.lists(NUMBER, min_size=1, max_size=20),
    st.lists(st.integers(-9, 9).map(float), min_size=1, max_size=20),
    st.lists(st.sampled_from([0.1, 0.3, 1e300, 5e-324, -5e-324]), min_size=1, max_size=20),
)


def is_nearest(value, square):
    """Whether a double is the nearest to the root of a Fraction."""
    low, high = (math.nextafter(value, way) for way in (0, math.inf))
    assert 0 <= value < math.inf
    below, above = (Fraction(value) + Fraction(other) for other in (low, high))
    return (below / 2) ** 2 <= square <= (above / 2) ** 2


@draws(1)
@given(COLUMN)
@example([0.1] * 3)
@example([1 / 3])  # whose last bit is 1
@example([1e16, 1.0, -1e16])
def test_mean_and_deviation_are_the_doubles_nearest_to_the_exact_ones(values):
    n, exact = len(values), list(map(Fraction, values))
    mean = sum(exact) / n
    m, s = mean_and_deviation(values)
    assert m == float(mean)
    assert is_nearest(s, sum((v - mean) ** 2 for v in exact) / n)


@draws(1)
@given(st.integers(1, 2**200), st.integers(1, 2**80))
@example((2**54 + 1) ** 2, 3)  # a middle of two doubles, over 3
@example((2**54 + 1) ** 2 * 9, 3)
@example(10**40, 2**70 - 1)
def test_a_root_is_rounded_once(square, q):
    assert is_nearest(nearest_root(square, q), Fraction(square, q * q))


WORDS = st.sampled_from(["a", "b", "1.5", "NA", "2024-02-29"])
CELL = st.one_of(st.none(), st.integers(-3, 3), WORDS)
TABLE = st.integers(1, 4).flatmap(
    lambda d: st.lists(st.lists(CELL, min_size=d, max_size=d), min_size=1, max_size=14))


@draws(1)
@given(TABLE, st.randoms(use_true_random=False))
def test_rows_in_another_order_give_the_same_preparation(rows, chance):
    shuffled = rows[:]
    chance.shuffle(shuffled)
    try:
        first = Preparation.fit(rows)
    except ValueError as error:
        with pytest.raises(ValueError) as other:
            Preparation.fit(shuffled)
        assert str(other.value) == str(error)
        return
    assert Preparation.fit(shuffled) == first
    prepared = first.rows(rows)
    assert len(first.names) == len(prepared[0]) == len(first.rows(shuffled)[0])
    document = json.loads(json.dumps(first.document()))
    assert preparation_from(document, first.given).rows(rows) == prepared
    assert pickle.loads(pickle.dumps(first)) == copy.deepcopy(first) == first
    assert first.refitted(rows) == first


@pytest.mark.parametrize("cells, kind, reason", [
    ([None, float("nan"), "NA", ""], None, "only gaps"),
    ([3, 3.0, "3", None], None, "one value"),
    (["a", None, "a"], None, "one value"),
    ([1, "2.5", None], NUMBERS, ""),
    (list(range(7, 17)), None, "it counts the rows"),
    (list(range(16, 6, -1)), None, "it counts the rows"),
    (list(range(9)), NUMBERS, ""),
    ([*range(10), None], NUMBERS, ""),
    (["2024-01-05", "1969/12/31"], "days", ""),
    (["2024-01-05", "2024-02-30"], TEXTS, ""),
    (["2024-01-05", "12"], TEXTS, ""),
    (["a", "b"], TEXTS, ""),
    (["a", "b", "c"], None, "a text for each row"),
    (["a", "b", "c", "a"], TEXTS, ""),
    ([f"v{k}" for k in range(MAX_TEXTS)] * 2, TEXTS, ""),
    ([f"v{k}" for k in range(MAX_TEXTS + 1)] * 2, None, "51 texts; at most 50 become columns"),
    ([1.0, 2.0, "low", "low"] * 2, TEXTS, ""),
    ([1.0, 2.0, "low", "low"], None, "2 of 4 texts, as 'low'"),
    (["38,5", "40,1", "39", "41"], NUMBERS, ""),
    (["16.5 %", "$1,200", "<5", "7.100,5"], None, "4 of 4 texts, as '$1,200'"),
    (["1,500", "12"], None, "'1,500' is 1500 or 1.5"),
    (["1,5", "2.5"], None, "'1,5' beside other decimal marks"),
    (["(1)", "(2)"], None, "all in brackets, as '(1)'"),
    (["2-", "1", "2"] * 9, None, "'2-' is a number below 0, or a mark"),
    (["0", "1", "2", "3+"] * 2, TEXTS, ""),
    ([*range(10), "much"] * 2, TEXTS, ""),
    ([*range(11), "much"] * 2, None, "2 of 24 texts, as 'much'"),
    (["1st", "2nd", "3rd"] * 2, TEXTS, ""),
    (["<18", "18-65", ">65"] * 3, TEXTS, ""),
    (["1e308", "2"], None, "numbers that are not from -2^1022 to 2^1022"),
    (["M\ufffdnchen", "a"] * 2, None, "not in UTF-8; save the table so"),
    (["K\ufffdln"] * 4, None, "not in UTF-8; save the table so"),  # it may be Köln and Käln
    ([True, False], NUMBERS, ""),
])  # fmt: skip
def test_the_first_kind_that_fits_is_taken(cells, kind, reason):
    plain = [plain_cell(cell, "rows[0][0]") for cell in cells]
    found = column_of(plain, "a")
    assert (found.kind, found.reason) == (kind, reason)
    kept = column_of(plain, "a", keep=True)
    assert kept.kind is not None or kept.refused or reason in ("only gaps", "one value")


@pytest.mark.parametrize("odd", ["NA", None, float("nan"), "1_0", "a b", " 7", "1e999", 2, "(3)"])
def test_it_makes_no_difference_how_many_rows_are_read_at_a_time(monkeypatch, odd):
    rows = [[odd if k == 4 else f"{k}.5", odd if k == 5 else k / 8, "ab"[k % 2]] for k in range(9)]
    whole, _ = column_kinds.cells_of(rows, None)
    monkeypatch.setattr(column_kinds, "PART", 2)
    parts, _ = column_kinds.cells_of(rows, None)
    assert parts == whole == [[plain_cell(cell, "") for cell in column] for column in zip(*rows)]
    for column in parts + whole:
        assert column.numbers == column_kinds.plain_numbers(list(column))
    assert (parts[0].numbers is None) == (odd in ["1_0", "a b", "1e999", "(3)"])
    with pytest.raises(TypeError, match=r"rows\[8\]\[2\] is 1j"):
        column_kinds.cells_of([*rows[:8], ["", 1, 1j]], None)


def test_whole_numbers_called_id_are_left_out_unless_they_are_kept():
    rows = [[k * k, k % 3] for k in range(10)]
    preparation = Preparation.fit(rows, ["patientID", "x"])
    assert preparation.left_out == {"patientID": "a number for each row"}
    assert Preparation.fit(rows, ["patientID", "x"], keep=["patientID"]).left_out == {}
    assert Preparation.fit(rows, ["square", "x"]).left_out == {}
    assert Preparation.fit(rows, ["square", "x"], drop=1).left_out == {"square": "dropped"}
    as_texts = Preparation.fit(rows, ["square", "x"], texts="x")
    assert as_texts.names == ["square", "x=0", "x=1", "x=2"]


@pytest.mark.parametrize("cells", [["a", "b", "c"], [85, 86, 88], ["2,5", "<5", "7"],
                                   ["2024-01-05", "2024-01-06", "2024-01-07"]])
def test_a_first_column_without_a_name_or_a_repeated_cell_names_the_rows(cells):
    rows = [[cell, k] for k, cell in enumerate(cells)]
    preparation = Preparation.fit(rows, ["", "x"])
    assert preparation.names == ["x"] and list(preparation.left_out) == ["column 1"]
    with pytest.raises(ValueError, match="without a name: 2|cannot be read"):
        Preparation.fit([[k, *row] for k, row in enumerate(rows * 2)], ["x", "", "y"])
    assert "x" in Preparation.fit(rows, ["x", "y"], keep=["x"], texts=["x"]).given


def test_every_column_that_is_half_numbers_is_refused_at_once():
    low = [[k / 7 if k % 3 else "<5", k, f"{k}" if k % 4 else "much"] for k in range(80)]
    with pytest.raises(ValueError) as error:
        Preparation.fit(low, ["lead", "n", "rent"])
    assert str(error.value) == (
        "columns that cannot be read: 'lead' (27 of 80 texts, as '<5'),"
        " 'rent' (20 of 80 texts, as 'much'); mend them, read as texts by texts, or leave"
        " them out by drop=['lead', 'rent']"
    )


def test_columns_of_one_name_and_of_none_are_told_with_those_that_cannot_be_read():
    rows = [[k, f"<{k}", k / 7, k % 3, 0, k * k] for k in range(20)]
    with pytest.raises(ValueError) as error:
        Preparation.fit(rows, ["", "a", "b", "", "", "a"])
    assert str(error.value) == (
        "columns that cannot be read: 'a' (20 of 20 texts, as '<0');"
        " named twice: 'a' (2, 6); without a name: 4; mend them, read as texts by texts, or"
        " leave them out by drop=[2, 4, 6]"
    )
    preparation = Preparation.fit(rows, ["", "a", "b", "", "", "a"], drop=[2, 4, 6])
    assert preparation.names == ["b"]
    assert preparation.left_out["column 1"] == "it counts the rows"


def test_what_is_unknown_is_0_and_counted():
    rows = [["a", 1.0, "2024-01-01"], ["b", 3.0, "2024-01-03"], ["a", None, None]]
    preparation = Preparation.fit(rows, ["t", "v", "day"])
    found = preparation.prepared([["c", None, "2024-01-04"], [None, 2.0, None], ["d", 4, "NA"]])
    assert found.rows == [[0, 0, 0, 2.0], [0, 0, 0, 0], [0, 0, 2.0, 0]]
    assert (found.gaps, found.unknown) == ({"t": 1, "v": 1, "day": 2}, {"t": 2})


def test_all_columns_of_numbers_with_something_else_are_named():
    preparation = Preparation.fit([[1, "2024-01-01"], [2, "2024-01-02"]], ["n", "day"])
    with pytest.raises(ValueError) as error:
        preparation.rows([["rotary", "soon"], [3, 7]])
    assert str(error.value).split("; ") == [
        "'n', a column of numbers, has 1 other cell, as 'rotary' in row 1",
        "'day', a column of dates, has 2 other cells, as 'soon' in row 1",
        "mend them, or leave them empty",
    ]


def test_a_fold_has_numbers_of_its_own_and_a_constant_column_is_0():
    whole = Preparation.fit([["a", 1.0], ["b", 2.0], ["a", 4.0]], ["t", "v"])
    fold = whole.refitted([["a", 2.0], ["a", 2.0]])
    assert fold.names == ["t=a", "v"] and fold.rows([["b", 9.0]]) == [[0.0, 0.0]]


def test_a_fold_without_a_text_has_as_many_rows_without_a_column():
    fold = Preparation.fit([["a"], ["b"], [None]]).refitted([[None], [None]])
    assert fold.names == [] and fold.rows([["a"], ["b"], [None]]) == [[], [], []]


test_a_refusal_names_the_place_and_the_rule = refusals(
    value_error("rows is empty; at least one row is needed", Preparation.fit, []),
    value_error("rows[1] has 2 cells; rows[0] has 1", Preparation.fit, [[1], [1, 2]]),
    value_error("names has 2 names; the rows have 1 cells", Preparation.fit, [[1], [2]],
                ["a", "b"]),
    value_error("columns named twice: 'a' (1, 2); mend them, or leave them out by drop=[2]",
                Preparation.fit, [[1, 2], [2, 1]], ["a", "a"]),
    value_error("two columns would be called 's=m'; rename one", Preparation.fit,
                [["m", 0], ["f", 1]], ["s", "s=m"]),
    value_error("drop[0] is 3; columns are counted from 1 to 2", Preparation.fit, [[1, 2], [2, 1]],
                drop=[3]),
    value_error("keep[0] is 'b'; the columns are 'a'", Preparation.fit, [[1], [2]], ["a"],
                keep="b"),
    value_error("no column is left to learn from: a (one value)", Preparation.fit, [[1], [1]],
                ["a"]),
    value_error("rows[0][0] is 1e+308; a number must be from -2^1022 to 2^1022", Preparation.fit,
                [[1e308], [0]]),
    value_error("rows[0][0] is 1e+308; a number must be from -2^1022 to 2^1022", Preparation.fit,
                [[1e308], [0.5]]),
    value_error("columns that cannot be read: '1' (numbers that are not from -2^1022 to"
                " 2^1022); mend them, read as texts by texts, or leave them out by drop=[1]",
                Preparation.fit, [["1e308"], [0]]),
    value_error("rows[0][0] is inf; a number must be from -2^1022 to 2^1022", Preparation.fit,
                [[math.inf], [0]]),
)


def test_a_cell_of_another_sort_is_refused():
    with pytest.raises(TypeError, match=r"rows\[1\]\[0\] is \[2\]; a number, a text, a date or"):
        Preparation.fit([[1], [[2]]])


@pytest.mark.parametrize("ask", [
    lambda made: made.document(), lambda made: made.sentences(), lambda made: made.names,
    lambda made: made.rows([[1]]), lambda made: made.refitted([[1]]),
])
def test_a_record_that_holds_no_columns_says_so(ask):
    with pytest.raises(TypeError, match=r"columns\[0\] is 5; it must be a NumberColumn, a Text"):
        ask(Preparation([5], ["a"], {}))


def test_numbers_are_those_of_fractions_dates_and_arrays():
    numpy = pytest.importorskip("numpy")
    import datetime

    day = datetime.date
    rows = [[Fraction(1, 4), numpy.float32(2), day(2024, 1, 1)],
            [0.75, numpy.int64(4), day(2024, 1, 3)]]
    preparation = Preparation.fit(rows)
    assert preparation.rows(numpy.array([[0.75, 4.0, numpy.nan]])) == [[1.0, 1.0, 0.0]]
    assert preparation.rows([[0.25, 3, day(2024, 1, 4)]]) == [[-1.0, 0.0, 2.0]]


def test_penguins_are_prepared_as_a_careful_person_would():
    path = Path(refsvm.__file__).parent / "data" / "penguins.csv"
    if not path.exists():
        pytest.skip("the table is not there")
    with open(path, encoding="utf-8") as text:
        (_, *names), *rows = csv.reader(text)
    rows = [row[1:] for row in rows]
    random.Random(1).shuffle(rows)
    preparation = Preparation.fit(rows, names)
    assert preparation.columns[1] == (43.9219298245614, 5.4515960231618195, False, "", "")
    assert preparation.sentences() == [
        "5 numbers to mean 0, deviation 1",
        "2 texts to 5 columns of 0 and 1: island (3), sex (2)",
    ]
