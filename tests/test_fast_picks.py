"""refsvm_fast.numerics.picks: the same draws, orders and sentences; and as lazy."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain, islice
from threading import Barrier
from types import GeneratorType

import pytest
from equality import Fresh, agree, compiled, outcome
from hypothesis import given
from hypothesis import strategies as st

from refsvm.numerics import picks as oracle
from refsvm_fast.numerics import picks as fast

SEEDS = st.one_of(st.integers(0, 2**64 - 1), st.sampled_from([0, 1, 2**63, 2**64 - 1]))
COUNTS = st.one_of(st.integers(1, 40), st.sampled_from([63, 64, 65, 127, 128, 129, 1000, 1025]))
HUGE = st.sampled_from([2**31 - 1, 2**31, 2**32 + 1, 2**53, 2**62, 2**63 - 1, 2**63, 2**63 + 1,
                        2**64 - 1, 2**64, 2**64 + 1])
NAMES = ["passes", "shuffled_passes", "uniform"]


def same(name, *args):
    """The function of this name shows the same, whichever of the two modules it is from."""
    ours, theirs = (outcome(getattr(module, name), *args) for module in (oracle, fast))
    assert ours == theirs


def both(use, *args):
    """use(module, *args) is the same for both modules."""
    assert use(oracle, *args) == use(fast, *args)


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


def test_iterators_are_iterators_that_end_once():
    for module in (oracle, fast):
        for draws_ in (module.uniform(5, 3, 1), module.passes(3, 1),
                       module.shuffled_passes(3, 1, 1)):
            assert iter(draws_) is draws_
            assert len(list(draws_)) == 3 and list(draws_) == [] and next(draws_, None) is None


@compiled
@pytest.mark.parametrize("name, args", [("passes", (900, 40)), ("shuffled_passes", (900, 40, 1)),
                                        ("uniform", (900, 36_000, 1))])
def test_threads_that_share_an_iterator_take_each_number_once(name, args):
    # Without the global lock, too; with it, one thread at a time takes what is next.
    shared = getattr(fast, name)(*args)
    at_once = Barrier(4)

    def work(_):
        at_once.wait()
        return list(islice(shared, 36_000))

    with ThreadPoolExecutor(4) as pool:
        taken = list(pool.map(work, range(4)))
    assert sorted(chain(*taken)) == sorted(getattr(oracle, name)(*args))


@compiled
def test_draws_are_compiled():
    assert not isinstance(fast.uniform(5, 3, 1), GeneratorType)


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
