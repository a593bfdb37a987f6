"""refsvm.numerics.picks, compiled: the same words, draws and orders, where many are needed.

What is an iterator there is an iterator here. Given to a compiled learner, the iterators of this
module hand over their indices without an int for each.
"""

from functools import wraps

from refsvm.numerics import picks as oracle
from refsvm.numerics.picks import *  # noqa: F403
from refsvm.numerics.validation import whole_number

from .._online import InOrder, Shuffled, Uniform, Words

FEW = 1 << 31  # indices and orders up to here are drawn in C
LONG = 1 << 63


@wraps(oracle.splitmix64)
def splitmix64(seed):
    return Words(oracle._check_seed(seed))


@wraps(oracle.below)
def below(n, bits):
    if type(bits) is Words and type(n) is int and 0 < n < LONG:
        return bits.below(n)
    return oracle.below(n, bits)


@wraps(oracle.shuffle)
def shuffle(values, bits):
    if type(bits) is Words:
        return bits.shuffled(list(values))
    return oracle.shuffle(values, bits)


@wraps(oracle.passes)
def passes(n, times):
    n, times = oracle._check_count(n), whole_number(times, "times", 0)
    if n < FEW and n * times < LONG:
        return InOrder(n, n * times)
    return oracle.passes(n, times)


@wraps(oracle.shuffled_passes)
def shuffled_passes(n, times, seed):
    n, times = oracle._check_count(n), whole_number(times, "times", 0)
    seed = oracle._check_seed(seed)
    if n < FEW and n * times < LONG:
        return Shuffled(n, n * times, seed)
    return oracle.shuffled_passes(n, times, seed)


@wraps(oracle.uniform)
def uniform(n, steps, seed):
    n, steps = oracle._check_count(n), whole_number(steps, "steps", 0)
    seed = oracle._check_seed(seed)
    if n < LONG and steps < LONG:
        return Uniform(n, steps, seed)
    return oracle.uniform(n, steps, seed)


@wraps(oracle.folds)
def folds(n, k, seed):
    if type(n) is not int or type(k) is not int or not 2 <= k <= n < FEW:
        return oracle.folds(n, k, seed)
    order = Words(oracle._check_seed(seed)).shuffled(list(range(n)))
    return [sorted(order[n * j // k : n * (j + 1) // k]) for j in range(k)]
