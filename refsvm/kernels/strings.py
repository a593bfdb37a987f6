"""A kernel for strings: how many pairs of equal substrings two strings have.

The features of a string are counts: how often each word of a given length occurs in it, as a run
of neighbouring letters, overlaps included. There are 26^4 = 456 976 words of four letters, but a
string of n letters holds at most n of them, and only these need to be counted. There is also a way
without counting: a pair of equal substrings ends at a place in x and at a place in z, and up to
there the two strings have a common suffix that is long enough.

    x, z       strings                    length   how many letters a substring has
    word       a string of that length    count    how often a word occurs in x
    suffix     what x read up to letter i and z read up to letter j have in common at their ends

Source: Ng and Ma, CS229 lecture notes, part V, section 1.4; Leslie, Eskin and Noble, The spectrum
kernel (2002).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from ..numerics.quoting import quote
from ..numerics.types import Kind, Row, RowFunction, Vector
from ..numerics.validation import text, whole_number
from .base import Kernel


class Spectrum(Kernel):
    """The kernel that counts pairs of equal substrings of a given length, one of x and one of z.

    Rows are strings; numbers are a TypeError. A value is an int, exact beside floats and Fractions
    alike; it is 0 if x or z is shorter than `length`. Standard: S2.3.

    Parameters
    ----------
    length : int
        letters of a substring, 1 or more

    Notes
    -----
    O(|x| + |z|) words a value. Source: Leslie, Eskin and Noble, The spectrum kernel (2002).

    Examples
    --------
    >>> Spectrum(2)("banana", "ananas")
    8
    >>> Spectrum(2)("a", "a")
    0
    """

    takes_numbers = False
    symmetric = True
    inner_product = True

    def __init__(self, length: int) -> None:
        self.length = whole_number(length, "length", 1)

    def __call__(self, x: Row, z: Row) -> int:
        return pairs_by_counting(self.check_string(x), self.check_string(z), self.length)

    def squared_norms(self, X: Sequence[str], kind: Kind) -> Vector:
        return [kind(self(x, x)) for x in X]

    def row_function(self, points: Sequence[str], kind: Kind) -> RowFunction:
        """As Kernel.row_function; the words of each point are counted once, before any row."""
        holders: dict[str, list[tuple[int, int]]] = {}  # word: points that have it, how often
        for i, z in enumerate(points):
            for word, count in substring_counts(self.check_string(z), self.length).items():
                holders.setdefault(word, []).append((i, count))

        def row(x: str) -> Vector:
            totals = [0] * len(points)
            for word, count in substring_counts(self.check_string(x), self.length).items():
                for i, of_point in holders.get(word, ()):
                    totals[i] += count * of_point
            return [kind(total) for total in totals]

        return row

    def check_string(self, x: object) -> str:
        """x, if it is a string."""
        if not isinstance(x, str):
            raise TypeError(f"{quote(self)} compares strings; it was given {quote(x)}")
        return x


def substring_counts(x: str, length: int) -> dict[str, int]:
    """Count how often each substring of this length occurs in x. O(|x|) words.

    Examples
    --------
    >>> substring_counts("banana", 2)
    {'ba': 1, 'an': 2, 'na': 2}
    >>> substring_counts("ba", 3)
    {}
    """
    (x,), length = _check_arguments([("x", x)], length)
    counts: dict[str, int] = {}
    for start in range(len(x) - length + 1):
        word = x[start : start + length]
        counts[word] = counts.get(word, 0) + 1
    return counts


def pairs_by_counting(x: str, z: str, length: int) -> int:
    """Count the pairs of equal substrings of x and z, as a sum of products of counts (S27.4).

    Notes
    -----
    O(|x| + |z|) words.

    Examples
    --------
    >>> pairs_by_counting("aaaa", "aaa", 2)
    6
    """
    (x, z), length = _check_arguments([("x", x), ("z", z)], length)
    of_z, pairs = substring_counts(z, length), 0
    for word, count in substring_counts(x, length).items():
        pairs += count * of_z.get(word, 0)
    return pairs


def pairs_by_suffixes(x: str, z: str, length: int) -> int:
    """Count the pairs of equal substrings of x and z, by dynamic programming (S27.4).

    The common suffix of x up to letter i and of z up to letter j is one letter longer than that up
    to the letters before, if the two letters are equal; otherwise it is empty. Each suffix of
    `length` letters or more is a pair.

    Notes
    -----
    O(|x| |z|) steps, and memory for |z| numbers.

    Examples
    --------
    >>> pairs_by_suffixes("aaaa", "aaa", 2)
    6
    """
    (x, z), length = _check_arguments([("x", x), ("z", z)], length)
    before, pairs = [0] * (len(z) + 1), 0
    for letter in x:
        suffixes = [0]
        for j, other in enumerate(z):
            suffixes.append(before[j] + 1 if letter == other else 0)
            pairs += suffixes[-1] >= length
        before = suffixes
    return pairs


def count_vector(x: str, length: int, alphabet: str) -> list[int]:
    """Compute the feature vector of a string: the count of every word over the alphabet.

    Returns
    -------
    list of |alphabet|^length ints
        in dictionary order

    Raises
    ------
    ValueError
        for a letter that is not in the alphabet, or is there twice

    Examples
    --------
    >>> count_vector("abba", 2, "ab")
    [0, 1, 1, 1]
    """
    (x, alphabet), length = _check_arguments([("x", x), ("alphabet", alphabet)], length)
    if len(set(alphabet)) < len(alphabet):
        raise ValueError(f"alphabet is {quote(alphabet)}; no letter may be there twice")
    for i, letter in enumerate(x):
        if letter not in alphabet:
            raise ValueError(f"x[{i}] is {quote(letter)}; the alphabet is {quote(alphabet)}")
    counts = substring_counts(x, length)
    return [counts.get("".join(word), 0) for word in product(alphabet, repeat=length)]


def count_words(letters: int, length: int) -> int:
    """Count the words of this length over an alphabet of so many letters.

    Examples
    --------
    >>> count_words(26, 4)
    456976
    """
    letters = whole_number(letters, "letters", 1)
    words: int = letters ** whole_number(length, "length", 1)
    return words


def _check_arguments(named: Sequence[tuple[str, str]], length: int) -> tuple[list[str], int]:
    """The strings of pairs (name, string), and the length; TypeError if they are not strings."""
    return [text(value, name) for name, value in named], whole_number(length, "length", 1)
