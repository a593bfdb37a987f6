"""What is left over after blocks, and how it is counted wrongly."""

from refsvm.conformance.wrong_features import wrong_remainders


def test_what_is_left_after_blocks_is_counted_wrongly_in_five_ways():
    assert [counts for _, counts in wrong_remainders(7, 4)] == [
        [1, 1, 1, 1, 2, 2, 2],
        [1, 1, 1, 2, 1, 1, 1],
        [1, 1, 1, 2, 1, 1, 1],
        [1, 1, 1, 1, 1, 0, 0],
        [1, 1, 1, 1, 1, 1, 0],
    ]
    assert [counts for _, counts in wrong_remainders(3, 4)] == [[2, 2, 2]]
    assert list(wrong_remainders(8, 4)) == []
