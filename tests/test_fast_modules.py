"""The compiled names that stand in modules, by those names: picks.below, for one.

More on each of them is in test_fast_picks.py.
"""

import strategies_fast as draws
from equality import Fresh, agree, equality_test, find, same
from hypothesis import given
from hypothesis import strategies as st

from refsvm.numerics import picks

counts = st.one_of(st.integers(1, 70), st.sampled_from([255, 256, 257, 2**64, 2**64 + 1, 0, -1]))
few = st.integers(-1, 70)
any_seed = st.one_of(st.integers(0, 2**64), st.just(-1))


@equality_test(
    "numerics.picks.passes",
    "numerics.picks.shuffled_passes",
    "numerics.picks.uniform",
    "numerics.picks.folds",
)
@given(counts, few, any_seed)
def test_picks_are_the_same(n, times, seed):
    same("numerics.picks.uniform", n, times, seed)
    same("numerics.picks.passes", n, times)
    if n < 2**60:
        same("numerics.picks.shuffled_passes", n, times % 5, seed)
        same("numerics.picks.folds", n, times, seed)


@equality_test("numerics.picks.splitmix64", "numerics.picks.below", "numerics.picks.shuffle")
@given(st.lists(counts, max_size=9), any_seed, st.lists(st.integers(), max_size=40))
def test_words_are_drawn_alike(bounds, seed, values):
    def use(package):
        bits = find(package, "numerics.picks.splitmix64")(seed)
        drawn = [find(package, "numerics.picks.below")(n, bits) for n in bounds]
        return drawn, find(package, "numerics.picks.shuffle")(values, bits), next(bits)

    agree(use)
    for n in bounds:
        same("numerics.picks.below", n, Fresh(lambda: picks.splitmix64(7)))
        same("numerics.picks.below", n, Fresh(lambda: iter([2**64 - 1, 2**63, 0])))


@equality_test(
    "numerics.picks.splitmix64",
    "numerics.picks.below",
    "numerics.picks.shuffle",
    "numerics.picks.passes",
    "numerics.picks.uniform",
    "numerics.picks.shuffled_passes",
    "numerics.picks.folds",
)
@given(draws.nonsense, draws.nonsense, draws.nonsense)
def test_bad_arguments_of_picks_meet_the_same_sentence(a, b, c):
    for name, good in [
        ("passes", (3, 2)),
        ("uniform", (3, 2, 1)),
        ("folds", (5, 2, 1)),
        ("shuffled_passes", (3, 2, 1)),
    ]:
        for place, bad in zip(range(len(good)), (a, b, c)):
            if not isinstance(bad, int) or isinstance(bad, bool) or bad < 99:
                same(f"numerics.picks.{name}", *good[:place], bad, *good[place + 1 :])
    same("numerics.picks.splitmix64", a)
    same("numerics.picks.below", a, Fresh(lambda: picks.splitmix64(7)))
    same("numerics.picks.shuffle", a, Fresh(lambda: picks.splitmix64(7)))
