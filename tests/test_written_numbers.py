"""Written numbers: what a person reads as a number is that number, or is asked about."""

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from profiles import draws

from refsvm import Preparation
from refsvm.tables.preparation import preparation_from
from refsvm.tables.written_numbers import Manner, manner_of, read_as, written

SIGNS = ["-{}", "\u2212{}", "\u2013{}", "({})", "{}-", "- {}", "\uff0d{}"]
UNITS = ["", "kg", " kg", "%", " mg/dl", " m2", " \u20ac", "$"]
FULL_WIDTH = str.maketrans({str(k): chr(0xFF10 + k) for k in range(10)})


@st.composite
def columns(draw):
    """Exact numbers with two decimals, the cells that write them, and their manner."""
    pairs = st.tuples(st.integers(0, 10**8), st.sampled_from(["{}", *SIGNS]))
    numbers = draw(st.lists(pairs, min_size=3, max_size=9))
    decimal, unit = draw(st.sampled_from(".,")), draw(st.sampled_from(UNITS))
    parted, is_wide = draw(st.booleans()), draw(st.booleans())
    cells = []
    for hundredths, sign in [(123456789, "{}"), *numbers]:
        text = format(Decimal(hundredths) / 100, ",.2f" if parted else ".2f")
        if decimal == ",":
            text = text.translate(str.maketrans(",.", ".,"))
        text = text.translate(FULL_WIDTH) if is_wide else text
        cells.append(sign.format(f"${text}" if unit == "$" else f"{text}{unit}"))
    values = [123456789 / 100] + [n / 100 * (1 if sign == "{}" else -1) for n, sign in numbers]
    return cells, values, Manner(decimal if parted or decimal == "," else "", unit.strip())


@draws(1)
@given(columns())
def test_a_column_is_the_numbers_that_its_cells_write(column):
    cells, values, manner = column
    assert manner_of(cells) == manner
    assert [read_as(cell, manner) for cell in cells] == values


@draws(1/2)
@given(columns())
def test_a_preparation_is_that_of_the_plain_numbers_and_so_is_one_from_its_document(column):
    cells, values, manner = column
    rows, plain = [[cell] for cell in cells], [[v] for v in values]
    learnt = Preparation.fit(rows)
    assert learnt.columns[0][:2] == Preparation.fit(plain).columns[0][:2]
    assert learnt.columns[0][3:] == manner
    kept = preparation_from(json.loads(json.dumps(learnt.document())), ["1"])
    assert kept.rows(rows) == learnt.rows(rows) == Preparation.fit(plain).rows(plain)


@pytest.mark.parametrize("cell, number", [
    ("\u22125.1", -5.1), ("(5.10)", -5.1), ("( 5.10 )", -5.1), ("5.10-", -5.1), ("+5", 5),
    ("5.10D+00", 5.1), ("1.0d0", 1), ("1d-3", 0.001), ("1 234 567", 1234567), ("1'234.5", 1234.5),
    ("\uff11\uff12\uff0e\uff15", 12.5), ("\u0663\u066b\u0664", 3.4), (".5", 0.5),
    ("5.", 5), ("007", 7),
])
def test_what_a_cell_tells_by_itself_is_read_in_any_column(cell, number):
    assert read_as(cell, Manner()) == number


@pytest.mark.parametrize("cell", [
    "1.2.2020", "10:30", "1/2", "5-10", "5 - 6", "A1", "12D4", "0x10", "1_000", "inf", "nan",
    "1e400", "\u00bd", "030 123", "555 1234", "--5", "-(5)", "-5-", "(5", "5)", "$5 $", "5 6",
    "1,2,3", "12,34", "", "-", "kg", "5x10^3", "\u2013",
])  # fmt: skip
def test_what_no_column_reads_as_a_number(cell):
    assert written(cell) is None or cell == "12,34" and read_as(cell, Manner(".")) is None


@pytest.mark.parametrize("cell, trained_on", [
    ("1,5", ["1.5", "2"]), ("1,234.5", ["1.5", "2"]), ("5", ["5 kg", "6 kg"]),
    ("5 g", ["5 kg", "6 kg"]), ("5 kg", ["5", "6"]), ("<5", ["5", "6"]), ("2.5", ["1,5", "2"]),
])
def test_what_was_not_learnt_is_refused_at_prediction(cell, trained_on):
    preparation = Preparation.fit([[v] for v in trained_on])
    with pytest.raises(ValueError, match="1 other cell, as"):
        preparation.rows([[cell]])
    with pytest.raises(ValueError, match="1 other cell, as"):
        preparation_from(preparation.document(), ["1"]).rows([[cell]])


def test_a_point_parts_thousands_where_a_comma_was_learnt_to_be_the_decimal_mark():
    preparation = Preparation.fit([["1,5"], ["2,5"]])
    assert preparation.rows([["1.000"], ["2"]]) == [[1996.0], [0.0]]


def test_cells_that_are_read_are_told_whatever_their_order():
    rows = [["5 kg"], ["1.5 kg"], [None], ["(7 kg)"]]
    assert Preparation.fit(rows[:3]).prepared(rows[:3]).written == {"1": ("1.5 kg", 1.5)}
    assert Preparation.fit(rows).prepared(rows).written == {"1": ("(7 kg)", -7.0)}
    assert Preparation.fit(rows[::-1]).prepared(rows[::-1]).written == {"1": ("(7 kg)", -7.0)}
    assert Preparation.fit([[1], ["\u22122"]]).prepared([["3"], [None]]).written == {}
