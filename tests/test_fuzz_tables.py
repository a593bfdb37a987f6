"""Tables as people have them are trained, or refused with all that is at fault in one sentence."""

import fuzz_tables
import pytest

from refsvm.tables import column_kinds


def test_drawn_tables_are_trained_or_refused_with_all_columns_at_fault():
    assert list(fuzz_tables.fuzz(20, seed=1)) == []


@pytest.mark.parametrize(
    "module, name, value, wrong",
    [
        (column_kinds, "_unlike_numbers", lambda cells, known: None, "at fault"),
        (column_kinds, "is_missing", lambda token: token == "", "refused: "),
        (column_kinds, "days_of", lambda cell: None + 1, "exit status 70"),
    ],
)
def test_what_a_change_breaks_is_found(monkeypatch, module, name, value, wrong):
    monkeypatch.setattr(module, name, value)
    assert any(wrong in found for _, found in fuzz_tables.fuzz(12, seed=1))


def test_words_of_python_are_found():
    assert fuzz_tables.wrong_words("rows[0] is None") and not fuzz_tables.wrong_words("--drop a")
