"""A kernel for strings: how many pairs of equal substrings two strings have.

The features of a string are counts: how often each word of a given length occurs in it, as a run
of neighbouring letters, overlaps included. There are 26^4 = 456 976 words of four letters, yet a
string of n letters holds at most n of them: it is enough to count those. Or not to count words at
all: two equal substrings end at a place in x and a place in z whose common suffix is long enough.

    x, z       strings                    length   how many letters a substring has
    word       a string of that length    count    how often a word occurs in x
    suffix     what x read up to letter i and z read up to letter j have in common at their ends

Source: Ng and Ma, CS229 lecture notes, part V, section 1.4; Leslie, Eskin and Noble, The spectrum
kernel (2002).
"""

from itertools import product

from ..numerics.validation import whole_number
from .base import Kernel


class Spectrum(Kernel):
    """k(x, z) = the number of pairs of equal substrings of this length, one of x and one of z.

    An int, so that it is exact next to floats and Fractions alike; 0 if x or z is shorter than
    `length`. Rows are strings: numbers are a TypeError. O(|x| + |z|) words.

    >>> Spectrum(2)("banana", "ananas")
    8
    >>> Spectrum(2)("a", "a")
    0
    """

    takes_numbers = False

    def __init__(self, length):
        self.length = whole_number(length, "length", 1)

    def __call__(self, x, z):
        return pairs_by_counting(self.a_string(x), self.a_string(z), self.length)

    def squared_norms(self, X, kind):
        return [kind(self(x, x)) for x in X]

    def row_function(self, points, kind):
        """Each point is counted here, once; a row then meets only points it shares a word with."""
        holders = {}
        for i, z in enumerate(points):
            for word, count in substring_counts(self.a_string(z), self.length).items():
                holders.setdefault(word, []).append((i, count))

        def row(x):
            totals = [0] * len(points)
            for word, count in substring_counts(self.a_string(x), self.length).items():
                for i, of_point in holders.get(word, ()):
                    totals[i] += count * of_point
            return [kind(total) for total in totals]

        return row

    def a_string(self, x):
        if not isinstance(x, str):
            raise TypeError(f"{self!r} compares strings; it was given {x!r}")
        return x


def substring_counts(x, length):
    """How often each substring of this length occurs in x, as a dict. O(|x|) words.

    >>> substring_counts("banana", 2)
    {'ba': 1, 'an': 2, 'na': 2}
    >>> substring_counts("ba", 3)
    {}
    """
    (x,), length = checked([("x", x)], length)
    counts = {}
    for start in range(len(x) - length + 1):
        word = x[start : start + length]
        counts[word] = counts.get(word, 0) + 1
    return counts


def pairs_by_counting(x, z, length):
    """The pairs of equal substrings, as the sum of the products of counts. O(|x| + |z|) words.

    >>> pairs_by_counting("aaaa", "aaa", 2)
    6
    """
    (x, z), length = checked([("x", x), ("z", z)], length)
    of_z, pairs = substring_counts(z, length), 0
    for word, count in substring_counts(x, length).items():
        pairs += count * of_z.get(word, 0)
    return pairs


def pairs_by_suffixes(x, z, length):
    """The same number by dynamic programming. O(|x| |z|) steps, and room for |z| numbers.

    The common suffix of x up to letter i and of z up to letter j is one longer than that of the
    letters before, if the two letters are equal, otherwise empty. Each that has `length` letters
    or more is a pair.

    >>> pairs_by_suffixes("aaaa", "aaa", 2)
    6
    """
    (x, z), length = checked([("x", x), ("z", z)], length)
    before, pairs = [0] * (len(z) + 1), 0
    for letter in x:
        suffixes = [0]
        for j, other in enumerate(z):
            suffixes.append(before[j] + 1 if letter == other else 0)
            pairs += suffixes[-1] >= length
        before = suffixes
    return pairs


def count_vector(x, length, alphabet):
    """The features themselves: the count of every word over the alphabet, in dictionary order.

    A list of |alphabet|^length ints. ValueError for a letter that is not in the alphabet, or is
    there twice.

    >>> count_vector("abba", 2, "ab")
    [0, 1, 1, 1]
    """
    (x, alphabet), length = checked([("x", x), ("alphabet", alphabet)], length)
    if len(set(alphabet)) < len(alphabet):
        raise ValueError(f"alphabet is {alphabet!r}; no letter may be there twice")
    for i, letter in enumerate(x):
        if letter not in alphabet:
            raise ValueError(f"x[{i}] is {letter!r}; the alphabet is {alphabet!r}")
    counts = substring_counts(x, length)
    return [counts.get("".join(word), 0) for word in product(alphabet, repeat=length)]


def count_words(letters, length):
    """How many words of this length an alphabet of so many letters has: an int.

    >>> count_words(26, 4)
    456976
    """
    letters = whole_number(letters, "letters", 1)
    return letters ** whole_number(length, "length", 1)  # ints: exact


def checked(named, length):
    """The strings of pairs (name, string), and a length from 1; refused if anything else."""
    for name, value in named:
        if not isinstance(value, str):
            raise TypeError(f"{name} is {value!r}; a string is needed")
    return [value for _, value in named], whole_number(length, "length", 1)
