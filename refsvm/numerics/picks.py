"""Which example comes next: passes, shuffles and uniform draws, the same in every language.

A stochastic method can be repeated only if its choices can. Here they come from SplitMix64, a
generator of ten lines that the specification defines. The choices are an argument: a solver takes
an iterable of indices (`picks`) and never draws by itself.

    bits    an iterator of 64-bit integers, from `splitmix64(seed)`; it holds the generator's state
    n       number of examples; an index is 0, ..., n - 1
    seed    0, ..., 2^64 - 1; the same seed gives the same picks
    times   number of passes over all examples
    steps   number of picks

Sources: Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014 (the
generator, with the constants of its SplittableRandom); Knuth, The Art of Computer Programming 2,
section 3.4.2, algorithm P (the shuffle, after Fisher and Yates).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf
from typing import TypeVar

from .quoting import quote
from .validation import whole_number

T = TypeVar("T")

WORD = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15  # 2^64 / golden ratio, made odd: the state then visits all 2^64 values


def splitmix64(seed: int) -> Iterator[int]:
    """Generate 64-bit integers, 0, ..., 2^64 - 1, without end (S1.5). O(1) each.

    Examples
    --------
    >>> bits = splitmix64(1234567)
    >>> next(bits), next(bits)
    (6457827717110365317, 3203168211198807973)
    """
    return _words(_check_seed(seed))


def _words(state: int) -> Iterator[int]:
    """The words of SplitMix64 from this state on."""
    while True:
        state = (state + GAMMA) & WORD
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & WORD
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WORD
        yield z ^ (z >> 31)


def below(n: int, bits: Iterator[int]) -> int:
    """Draw an index 0, ..., n - 1, each with the same probability (S1.5).

    Notes
    -----
    Takes the highest w bits of a word, w as small as n - 1 allows, and tries the next word while
    that is n or more: a remainder or a product would favour some indices. n = 1 takes no word; any
    other n takes less than two words on average.

    Examples
    --------
    >>> bits = splitmix64(7)
    >>> [below(6, bits) for _ in range(10)]
    [3, 0, 4, 3, 1, 3, 2, 1, 3, 0]
    """
    return _below(_check_count(n), bits)


def _below(n: int, bits: Iterator[int]) -> int:
    """below(n, bits) for an n already checked."""
    if n == 1:
        return 0
    unused = 64 - (n - 1).bit_length()
    index = n
    while index >= n:
        index = next(bits) >> unused
    return index


def shuffle(values: Iterable[T], bits: Iterator[int]) -> list[T]:
    """Return the values in a random order, each order with the same probability (S1.5). O(n).

    From the last place to the second: the value there changes places with one at or before it.

    Examples
    --------
    >>> shuffle("abcdef", splitmix64(7))
    ['b', 'e', 'c', 'f', 'a', 'd']
    """
    order = list(values)
    for i in range(len(order) - 1, 0, -1):
        j = _below(i + 1, bits)
        order[i], order[j] = order[j], order[i]
    return order


def passes(n: int, times: int) -> Iterator[int]:
    """Generate 0, ..., n - 1 in order, `times` times (S1.5).

    Examples
    --------
    >>> list(passes(3, 2))
    [0, 1, 2, 0, 1, 2]
    """
    n, times = _check_count(n), whole_number(times, "times", 0, most=inf)
    # An expression: with `yield` here nothing would be checked before the first pick.
    return (i for _ in range(times) for i in range(n))


def shuffled_passes(n: int, times: int, seed: int) -> Iterator[int]:
    """Generate `times` passes over 0, ..., n - 1, each shuffled anew (S1.5).

    Each pass shuffles 0, ..., n - 1 itself, not the pass before it; one generator serves them all.

    Examples
    --------
    >>> list(shuffled_passes(3, 2, seed=7))
    [2, 0, 1, 1, 0, 2]
    """
    n, times = _check_count(n), whole_number(times, "times", 0, most=inf)
    bits = splitmix64(seed)
    return (i for _ in range(times) for i in shuffle(range(n), bits))


def uniform(n: int, steps: int, seed: int) -> Iterator[int]:
    """Generate `steps` independent draws from 0, ..., n - 1, with replacement (S1.5).

    Examples
    --------
    >>> list(uniform(6, 10, seed=7))
    [3, 0, 4, 3, 1, 3, 2, 1, 3, 0]
    """
    n, steps = _check_count(n), whole_number(steps, "steps", 0, most=inf)
    bits = splitmix64(seed)
    return (_below(n, bits) for _ in range(steps))


def folds(n: int, k: int, seed: int) -> list[list[int]]:
    """Deal 0, ..., n - 1 into k parts at random, for cross-validation (S1.5). O(n log n).

    The sizes differ by at most one. Part j holds places n j // k to n (j + 1) // k - 1 of a
    shuffle, in increasing order, so that a part keeps the order of the data.

    Examples
    --------
    >>> folds(7, 3, seed=7)
    [[2, 6], [1, 5], [0, 3, 4]]
    """
    n = whole_number(n, "n", 2)
    k = whole_number(k, "k", 2)
    if k > n:
        raise ValueError(f"k is {k}, but n is {n}; no part may be empty")
    order = shuffle(range(n), splitmix64(seed))
    return [sorted(order[n * j // k : n * (j + 1) // k]) for j in range(k)]


def _check_count(n: int) -> int:
    """n, if it is a number of examples that 64 bits can tell apart."""
    n = whole_number(n, "n", 1, most=inf)
    if n > WORD + 1:
        raise ValueError(f"n is {quote(n)}; it must be at most 2**64")
    return n


def _check_seed(seed: int) -> int:
    """The seed, if it has at most 64 bits."""
    seed = whole_number(seed, "seed", 0, most=inf)
    if seed > WORD:
        raise ValueError(f"seed is {quote(seed)}; a seed must be below 2**64")
    return seed
