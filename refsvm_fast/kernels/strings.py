"""refsvm.kernels.strings, compiled where strings are long or many: pairs of equal substrings.

Strings of a class of their own, and all that is refused, are the oracle's.
"""

from functools import wraps

from refsvm.kernels import strings as oracle
from refsvm.kernels.strings import *  # noqa: F403

from .. import _basics
from .._basics import word_rows  # noqa: F401

LONG = 1 << 62  # longer than any string


def plain(length, *strings):
    """Whether these are strings of the language's own class, and a length from 1 on."""
    return type(length) is int and length > 0 and all(type(x) is str for x in strings)


@wraps(oracle.pairs_by_counting)
def pairs_by_counting(x, z, length):
    if not plain(length, x, z):
        return oracle.pairs_by_counting(x, z, length)
    return _basics.pairs_by_counting(x, z, min(length, LONG))


@wraps(oracle.pairs_by_suffixes)
def pairs_by_suffixes(x, z, length):
    if not plain(length, x, z):
        return oracle.pairs_by_suffixes(x, z, length)
    return _basics.pairs_by_suffixes(x, z, min(length, LONG))
