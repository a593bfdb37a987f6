"""Tables as people have them are trained, or refused with all that is at fault in one sentence."""

import fuzz_tables


def test_drawn_tables_are_trained_or_refused_with_all_columns_at_fault():
    assert list(fuzz_tables.fuzz(20, seed=1)) == []
