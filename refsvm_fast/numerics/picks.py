"""refsvm.numerics.picks, with compiled iterators: the same draws and orders.

Given to a compiled learner, they hand over their indices without an int for each.
"""

import sys
from math import inf

from refsvm.numerics import picks as oracle
from refsvm.numerics.picks import *  # noqa: F403
from refsvm.numerics.validation import whole_number

from .._online import InOrder, Shuffled, Uniform
from .._public import namesake

MAX_C_INDEX = 1 << 31  # indices and orders up to here are drawn in C
MAX_C_COUNT = 1 << 63


@namesake(oracle.passes, __name__)
def passes(n, times):
    n, times = oracle._check_count(n), whole_number(times, "times", 0, most=inf)
    if n < MAX_C_INDEX and n * times < MAX_C_COUNT:
        return InOrder(n, n * times)
    return oracle.passes(n, times)


@namesake(oracle.shuffled_passes, __name__)
def shuffled_passes(n, times, seed):
    n, times = oracle._check_count(n), whole_number(times, "times", 0, most=inf)
    seed = oracle._check_seed(seed)
    if n < MAX_C_INDEX and n * times < MAX_C_COUNT:
        return Shuffled(n, n * times, seed)
    return oracle.shuffled_passes(n, times, seed)


@namesake(oracle.uniform, __name__)
def uniform(n, steps, seed):
    n, steps = oracle._check_count(n), whole_number(steps, "steps", 0, most=inf)
    seed = oracle._check_seed(seed)
    if n <= sys.maxsize and steps < MAX_C_COUNT:
        return Uniform(n, steps, seed)
    return oracle.uniform(n, steps, seed)
