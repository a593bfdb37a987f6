"""Picks: the generator gives its known answers, every draw and every order is equally likely."""

from collections import Counter
from itertools import islice, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusing import refusals, type_error, value_error

from refsvm.numerics import picks
from refsvm.numerics.picks import (
    below,
    folds,
    passes,
    shuffle,
    shuffled_passes,
    splitmix64,
    uniform,
)

SEEDS = st.integers(0, 2**64 - 1)
SMALL = st.integers(1, 40)


def words(*tops, width):
    """Words whose highest `width` bits are the given ones, and whose other bits are ones."""
    return iter([(top << (64 - width)) | ((1 << (64 - width)) - 1) for top in tops])


def test_splitmix64_gives_the_known_answers():
    assert list(islice(splitmix64(1234567), 5)) == [
        6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431,
        16408922859458223821]


def test_splitmix64_of_the_two_extreme_seeds():
    assert next(splitmix64(0)) == 0xE220A8397B1DCDAF
    bits = splitmix64(2**64 - 1)
    assert all(0 <= next(bits) < 2**64 for _ in range(1000))


@given(SEEDS)
def test_two_generators_of_one_seed_do_not_disturb_each_other(seed):
    one, other = splitmix64(seed), splitmix64(seed)
    first = [next(one) for _ in range(5)]
    assert [next(other) for _ in range(5)] == first


def test_generator_is_one_permutation_of_the_states():
    # Each step of the mixing can be undone, so no word can be missed: undo it.
    def unshifted(z, shift):
        x = z
        for _ in range(64 // shift + 1):
            x = z ^ (x >> shift)
        return x

    def state(word):
        z = unshifted(word, 31) * pow(0x94D049BB133111EB, -1, 2**64) % 2**64
        z = unshifted(z, 27) * pow(0xBF58476D1CE4E5B9, -1, 2**64) % 2**64
        return unshifted(z, 30)

    bits = splitmix64(99)
    for i in range(1, 50):
        assert state(next(bits)) == (99 + i * picks.GAMMA) % 2**64
    assert picks.GAMMA % 2 == 1


@pytest.mark.parametrize("n", range(2, 34))
def test_below_gives_every_index_to_one_pattern_of_the_high_bits(n):
    width = (n - 1).bit_length()
    accepted = Counter()
    for top in range(2**width):
        bits = words(top, 0, width=width)
        index = below(n, bits)
        used = 2 - len(list(bits))
        assert used == (1 if top < n else 2)  # a rejected pattern takes the next word
        if used == 1:
            accepted[index] += 1
    assert accepted == Counter(range(n))
    assert 2 * n > 2**width  # so that fewer than half of the words are rejected


def test_below_one_takes_no_word():
    assert below(1, iter([])) == 0


def test_below_takes_the_whole_word_when_n_is_2_to_the_64():
    assert below(2**64, iter([12345])) == 12345
    assert below(2**63 + 1, iter([2**64 - 1, 2**63])) == 2**63


@pytest.mark.parametrize("n", range(1, 7))
def test_shuffle_gives_every_order_to_one_sequence_of_draws(n):
    # The draws are below n, n - 1, ..., 2; each sequence of them has the same probability.
    orders = Counter()
    for draws in product(*[range(i) for i in range(n, 1, -1)]):
        tops = [d << (64 - (i - 1).bit_length()) for d, i in zip(draws, range(n, 1, -1))]
        bits = iter(tops)
        orders[tuple(shuffle(range(n), bits))] += 1
        assert not list(bits)
    assert set(orders.values()) == {1}
    factorial = 1
    for i in range(2, n + 1):
        factorial *= i
    assert len(orders) == factorial


@given(st.lists(st.integers()), SEEDS)
def test_shuffle_keeps_the_values_and_leaves_its_input_alone(values, seed):
    before = list(values)
    assert Counter(shuffle(values, splitmix64(seed))) == Counter(values)
    assert values == before


@given(SMALL, st.integers(0, 4))
def test_passes_are_cyclic(n, times):
    assert list(passes(n, times)) == [i % n for i in range(n * times)]


@given(SMALL, st.integers(0, 4), SEEDS)
def test_every_shuffled_pass_visits_every_index_once(n, times, seed):
    order = list(shuffled_passes(n, times, seed))
    assert len(order) == n * times
    for t in range(times):
        assert sorted(order[t * n:(t + 1) * n]) == list(range(n))


@given(SMALL, SEEDS)
def test_more_passes_begin_with_the_same_passes(n, seed):
    assert list(shuffled_passes(n, 3, seed))[:2 * n] == list(shuffled_passes(n, 2, seed))
    bits = splitmix64(seed)
    assert list(shuffled_passes(n, 2, seed)) == [
        i for _ in range(2) for i in shuffle(list(range(n)), bits)]


@given(SMALL, st.integers(0, 50), SEEDS)
def test_uniform_draws_are_those_of_below(n, steps, seed):
    bits = splitmix64(seed)
    assert list(uniform(n, steps, seed)) == [below(n, bits) for _ in range(steps)]


def test_picks_are_drawn_only_when_asked_for():
    for endless in (passes(10**9, 10**9), uniform(10**9, 10**18, 1)):
        assert len(list(islice(endless, 3))) == 3
    assert iter(endless) is endless


@given(st.integers(2, 60), st.data(), SEEDS)
def test_folds_part_the_indices_into_nearly_equal_sizes(n, data, seed):
    k = data.draw(st.integers(2, n))
    parts = folds(n, k, seed)
    sizes = [len(part) for part in parts]
    assert len(parts) == k and max(sizes) - min(sizes) <= 1
    assert sorted(i for part in parts for i in part) == list(range(n))
    assert parts == [sorted(part) for part in parts]


test_bad_arguments_are_refused_before_the_first_pick = refusals(
    value_error("seed is -1; it must be at least 0", splitmix64, -1),
    value_error("seed is 18446744073709551616; a seed must be below 2**64", splitmix64, 2**64),
    type_error("seed is 1.0; a whole number is needed", splitmix64, 1.0),
    value_error("n is 0; it must be at least 1", below, 0, splitmix64(1)),
    value_error("n is 18446744073709551617; it must be at most 2**64", below, 2**64 + 1,
                splitmix64(1)),
    value_error("n is 0; it must be at least 1", passes, 0, 1),
    value_error("times is -1; it must be at least 0", passes, 3, -1),
    value_error("seed is -1; it must be at least 0", shuffled_passes, 3, 1, -1),
    type_error("times is 1.5; a whole number is needed", shuffled_passes, 3, 1.5, 1),
    value_error("steps is -1; it must be at least 0", uniform, 3, -1, 1),
    value_error("n is 0; it must be at least 1", uniform, 0, 1, 1),
    value_error("k is 4, but n is 3; no part may be empty", folds, 3, 4, 1),
    value_error("n is 1; it must be at least 2", folds, 1, 2, 1),
    value_error("k is 1; it must be at least 2", folds, 3, 1, 1),
)
