"""refsvm.numerics.picks, compiled: the same words, draws and orders, where many are needed.

What is an iterator there is an iterator here. Given to a compiled learner, the iterators of this
module hand over their indices without an int for each.
"""

from math import inf

from refsvm.numerics import picks as oracle
from refsvm.numerics.picks import *  # noqa: F403
from refsvm.numerics.validation import whole_number

from .._online import InOrder, Shuffled, Uniform, Words
from .._public import namesake

FEW = 1 << 31  # indices and orders up to here are drawn in C
LONG = 1 << 63


@namesake(oracle.splitmix64, __name__)
def splitmix64(seed):
    return Words(oracle._check_seed(seed))


@namesake(oracle.below, __name__)
def below(n, bits):
    if type(bits) is Words and type(n) is int and 0 < n < LONG:
        return bits.below(n)
    return oracle.below(n, bits)


@namesake(oracle.shuffle, __name__)
def shuffle(values, bits):
    if type(bits) is Words:
        return bits.shuffled(list(values))
    return oracle.shuffle(values, bits)


@namesake(oracle.passes, __name__)
def passes(n, times):
    n, times = oracle._check_count(n), whole_number(times, "times", 0, most=inf)
    if n < FEW and n * times < LONG:
        return InOrder(n, n * times)
    return oracle.passes(n, times)


@namesake(oracle.shuffled_passes, __name__)
def shuffled_passes(n, times, seed):
    n, times = oracle._check_count(n), whole_number(times, "times", 0, most=inf)
    seed = oracle._check_seed(seed)
    if n < FEW and n * times < LONG:
        return Shuffled(n, n * times, seed)
    return oracle.shuffled_passes(n, times, seed)


@namesake(oracle.uniform, __name__)
def uniform(n, steps, seed):
    n, steps = oracle._check_count(n), whole_number(steps, "steps", 0, most=inf)
    seed = oracle._check_seed(seed)
    if n < LONG and steps < LONG:
        return Uniform(n, steps, seed)
    return oracle.uniform(n, steps, seed)


@namesake(oracle.folds, __name__)
def folds(n, k, seed):
    if type(n) is not int or type(k) is not int or not 2 <= k <= n < FEW:
        return oracle.folds(n, k, seed)
    order = Words(oracle._check_seed(seed)).shuffled(list(range(n)))
    return [sorted(order[n * j // k : n * (j + 1) // k]) for j in range(k)]
