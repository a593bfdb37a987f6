"""refsvm.strings, compiled where strings are long or many: pairs of equal substrings.

Strings of a class of their own, and all that is refused, are the oracle's.
"""

from functools import wraps

from refsvm import strings as oracle
from refsvm.strings import *  # noqa: F403
from refsvm.strings import Spectrum

from . import _basics

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


def word_rows(kernel, points):
    """The function x -> [kernel(x, z) for z in points] in floats, compiled for a Spectrum.

    None for any other kernel, and for points that are not all plain strings.
    """
    if type(kernel) is not Spectrum or not plain(kernel.length, *points):
        return None
    counts = _basics.WordCounts(list(points), min(kernel.length, LONG))

    def row(x):
        return counts.row(x) if type(x) is str else kernel.against(points, float)(x)

    return row
