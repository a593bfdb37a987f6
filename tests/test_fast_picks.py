"""refsvm_fast.numerics.picks: the same words, draws, orders and sentences; and as lazy."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain, islice
from threading import Barrier
from types import GeneratorType

import pytest
import strategies_fast as draws
from equality import Fresh, agree, compiled, outcome
from hypothesis import given
from hypothesis import strategies as st

from refsvm.numerics import picks as oracle
from refsvm_fast.numerics import picks as fast

SEEDS = st.one_of(st.integers(0, 2**64 - 1), st.sampled_from([0, 1, 2**63, 2**64 - 1]))
COUNTS = st.one_of(st.integers(1, 40), st.sampled_from([63, 64, 65, 127, 128, 129, 1000, 1025]))
HUGE = st.sampled_from([2**31 - 1, 2**31, 2**32 + 1, 2**53, 2**62, 2**63 - 1, 2**63, 2**63 + 1,
                        2**64 - 1, 2**64, 2**64 + 1])
NAMES = ["splitmix64", "below", "shuffle", "passes", "shuffled_passes", "uniform", "folds"]


def same(name, *args):
    """The function of this name shows the same, whichever of the two modules it is from."""
    ours, theirs = (outcome(getattr(module, name), *args) for module in (oracle, fast))
    assert ours == theirs


def both(use, *args):
    """use(module, *args) is the same for both modules."""
    assert use(oracle, *args) == use(fast, *args)


@given(SEEDS)
def test_words_are_the_same(seed):
    both(lambda picks: list(islice(picks.splitmix64(seed), 20)))


@given(SEEDS, st.lists(st.one_of(COUNTS, HUGE), min_size=1, max_size=12))
def test_draws_below_take_the_same_words(seed, bounds):
    def use(picks):
        bits = picks.splitmix64(seed)
        found = [outcome(picks.below, n, bits) for n in bounds]
        return found, next(bits)

    both(use)


@given(SEEDS, COUNTS, st.integers(0, 60))
def test_uniform_draws_are_the_same(seed, n, steps):
    same("uniform", n, steps, seed)


@given(SEEDS, HUGE)
def test_draws_from_very_many_are_the_same(seed, n):
    both(lambda picks: outcome(lambda: list(islice(picks.uniform(n, 10**30, seed), 5))))
    both(lambda picks: outcome(lambda: list(islice(picks.passes(n, 10**30), 5))))


@given(SEEDS, COUNTS, st.integers(0, 4))
def test_passes_are_the_same(seed, n, times):
    same("passes", n, times)
    same("shuffled_passes", n, times, seed)


@given(SEEDS, st.one_of(st.text(), st.lists(st.integers()), st.integers(0, 99).map(range)))
def test_orders_are_the_same(seed, values):
    def use(picks):
        bits = picks.splitmix64(seed)
        return picks.shuffle(values, bits), picks.shuffle(values, bits), next(bits)

    both(use)


@given(SEEDS, st.integers(2, 60), st.integers(2, 60))
def test_folds_are_the_same(seed, n, k):
    same("folds", n, k, seed)


@given(SEEDS, st.integers(1, 40))
def test_bits_may_come_from_anywhere(seed, n):
    words = list(islice(oracle.splitmix64(seed), 400))
    for one, other in [(oracle.splitmix64, fast.splitmix64), (fast.splitmix64,) * 2]:
        assert oracle.shuffle(range(n), one(seed)) == fast.shuffle(range(n), other(seed))
        assert oracle.below(n, one(seed)) == fast.below(n, other(seed))
    same("below", n, Fresh(lambda: iter(words)))
    same("shuffle", range(n), Fresh(lambda: iter(words)))
    same("shuffle", range(n), Fresh(lambda: iter(words[:3])))


@given(st.data())
def test_bad_arguments_meet_the_same_sentence(data):
    name = data.draw(st.sampled_from(NAMES))
    good = {
        "splitmix64": [5], "below": [6, iter([2**63] * 9)], "shuffle": ["abc", iter([2**63] * 9)],
        "passes": [3, 2], "shuffled_passes": [3, 2, 7], "uniform": [3, 5, 7], "folds": [9, 3, 7],
    }[name]
    for _ in range(data.draw(st.integers(1, 2))):
        good[data.draw(st.integers(0, len(good) - 1))] = data.draw(draws.nonsense)
    same(name, *good)


def test_iterators_are_iterators_that_end_once():
    for module in (oracle, fast):
        for draws_ in (module.uniform(5, 3, 1), module.passes(3, 1),
                       module.shuffled_passes(3, 1, 1)):
            assert iter(draws_) is draws_
            assert len(list(draws_)) == 3 and list(draws_) == [] and next(draws_, None) is None
        bits = module.splitmix64(3)
        assert iter(bits) is bits


@compiled
@pytest.mark.parametrize("name, args", [("passes", (900, 40)), ("shuffled_passes", (900, 40, 1)),
                                        ("uniform", (900, 36_000, 1)), ("splitmix64", (1,))])
def test_threads_that_share_an_iterator_take_each_number_once(name, args):
    # Without the global lock, too; with it, one thread at a time takes what is next.
    shared, take = getattr(fast, name)(*args), 9_000 if name == "splitmix64" else 36_000
    at_once = Barrier(4)

    def work(_):
        at_once.wait()
        return list(islice(shared, take))

    with ThreadPoolExecutor(4) as pool:
        taken = list(pool.map(work, range(4)))
    alone = islice(getattr(oracle, name)(*args), 36_000)
    assert sorted(chain(*taken)) == sorted(alone)


@compiled
def test_draws_are_compiled():
    assert not isinstance(fast.uniform(5, 3, 1), GeneratorType)
    assert not isinstance(fast.splitmix64(3), GeneratorType)


@given(SEEDS, COUNTS, st.integers(1, 3))
def test_learners_see_the_same_picks_as_anyone_who_iterates(seed, n, times):
    X, y = [[float(i)] for i in range(n + 1)], [-1] + [1] * n
    ways = [("uniform", (n, 30, seed)), ("shuffled_passes", (n, times, seed)),
            ("passes", (n, times))]

    def use(package, picks):
        first = next(picks)
        return first, package.pegasos(X, y, 1e6, picks), list(picks)  # every round pushes

    for module in (oracle, fast):
        for name, args in ways:
            if len(list(getattr(module, name)(*args))) > 1:
                agree(use, Fresh(partial(getattr(module, name), *args)))
