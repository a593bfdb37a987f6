"""The compiled names that stand in modules, by those names: picks.uniform, for one.

More on each of them is in test_fast_picks.py.
"""

from equality import equality_test, same
from hypothesis import given
from hypothesis import strategies as st

counts = st.one_of(st.integers(1, 70), st.sampled_from([255, 256, 257, 2**64, 2**64 + 1, 0, -1]))
few = st.integers(-1, 70)
any_seed = st.one_of(st.integers(0, 2**64), st.just(-1))


@equality_test(
    "numerics.picks.passes",
    "numerics.picks.shuffled_passes",
    "numerics.picks.uniform",
)
@given(counts, few, any_seed)
def test_picks_are_the_same(n, times, seed):
    same("numerics.picks.uniform", n, times, seed)
    same("numerics.picks.passes", n, times)
    if n < 2**60:
        same("numerics.picks.shuffled_passes", n, times % 5, seed)
