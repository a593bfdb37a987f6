"""One vector against many: the same sums as linalg, taken feature by feature.

A row of a Gram matrix needs <x, z> or |x - z|^2 for every example z. Adding up one pair after the
other is how linalg.dot reads, and slow. Here the examples are turned on their side, and one pass
adds the terms of several features to the running total of every example. Each total still
receives its terms one at a time in the order of the features, so each result has the bits that
linalg.dot and linalg.squared_distance give for that pair.

Two savings cost no bit either:

    a term that is zero is not added            t + 0 == t, as no total is ever -0.0
    terms computed before are looked up         a feature with few levels has few lists of terms

Throughout this module
    x           the one vector            z           one of the n examples
    totals      the n running sums        terms       what one feature adds to each of them
    levels      the distinct values of a feature
    waiting     features, each with its value in x, whose terms are still to be added
"""

from typing import Any, NamedTuple

REPEATS = 4  # levels are few if each occurs this often, on average
BYTES_KEPT = 64 * 1024 * 1024  # room for lists of terms, at 8 bytes a term


class Columns:
    """n examples of d features, stored by feature. O(n d) to build.

    >>> table = Columns([[1.0, 0.0], [2.0, 3.0]], float)
    >>> table.dots([10.0, 1.0])
    [10.0, 23.0]
    >>> table.squared_distances([1.0, 1.0])
    [1.0, 5.0]
    """

    def __init__(self, rows, kind):
        self.zeros = [kind(0)] * len(rows)
        self.features = [FeatureColumn(values) for values in zip(*rows)]
        room = BYTES_KEPT // (8 * max(len(rows), 1))
        for feature in sorted(self.features, key=lambda f: len(f.levels)):
            room -= len(feature.levels)
            feature.few = room >= 0 and REPEATS * len(feature.levels) <= len(rows)

    def dots(self, x):
        """[<x, z> for each example z]. O(n d), less where features are zero."""
        totals, waiting = list(self.zeros), []
        for value, feature in zip(x, self.features):
            if value == 0:
                continue
            if feature.scattered:
                add(totals, waiting, PRODUCT)
                waiting = []
                for i, z in feature.nonzero:
                    totals[i] += value * z
            else:
                waiting.append((value, feature))
        add(totals, waiting, PRODUCT)
        return totals

    def squared_distances(self, x):
        """[|x - z|^2 for each example z]. O(n d), less where features are zero in both."""
        totals, waiting = list(self.zeros), []
        for value, feature in zip(x, self.features):
            if value == 0 and feature.scattered:
                add(totals, waiting, SQUARE)
                waiting = []
                for i, z in feature.nonzero:
                    totals[i] += z * z
            else:
                waiting.append((value, feature))
        add(totals, waiting, SQUARE)
        return totals


class FeatureColumn:
    """One feature of every example, and the lists of its terms that were asked for before."""

    def __init__(self, values):
        self.values = list(values)
        self.levels = set(values)
        self.few = False  # Columns says so where there is room
        self.kept = {}
        # Below one in four, touching each non-zero alone beats a pass over everybody.
        self.scattered = 4 * (len(values) - values.count(0)) < len(values)
        self.nonzero = [(i, z) for i, z in enumerate(values) if z != 0] if self.scattered else []

    def terms(self, x, formula):
        """The terms of all examples; computed only once for each level x, if these are few."""
        if not self.few:
            return formula.terms(x, self.values)
        if (x, formula) in self.kept:
            return self.kept[x, formula]
        of_level = dict(zip(self.levels, formula.terms(x, self.levels)))
        terms = [of_level[z] for z in self.values]
        if x in self.levels:
            self.kept[x, formula] = terms
        return terms


class Formula(NamedTuple):
    """A term, x z or (x - z)^2, as two functions.

    terms       takes x and the values z of a feature to the list of terms
    add_four    adds to totals the terms of four features, from their x and their values
    """

    terms: Any
    add_four: Any


def products(x, zs):
    """[x z for each z]."""
    return [x * z for z in zs]


def add_four_products(totals, four, columns):
    """Add the products of four features to totals, one after the other."""
    p, q, r, s = four
    a, b, c, d = columns
    for i, t in enumerate(totals):
        totals[i] = t + p * a[i] + q * b[i] + r * c[i] + s * d[i]


def squares(x, zs):
    """[(x - z)^2 for each z]."""
    return [(x - z) * (x - z) for z in zs]


def add_four_squares(totals, four, columns):
    """Add the squared differences of four features to totals, one after the other."""
    p, q, r, s = four
    a, b, c, d = columns
    for i, t in enumerate(totals):
        e, f = p - a[i], q - b[i]
        g, h = r - c[i], s - d[i]
        totals[i] = t + e * e + f * f + g * g + h * h


PRODUCT = Formula(products, add_four_products)
SQUARE = Formula(squares, add_four_squares)


def add(totals, waiting, formula):
    """Add the terms of the waiting features to totals, in their order.

    Four features together whose terms are not kept need no lists of terms.
    """
    k, lists = 0, []
    while k < len(waiting):
        four = waiting[k : k + 4]
        if len(four) == 4 and not any(feature.few for _, feature in four):
            add_lists(totals, lists)
            lists = []
            columns = [feature.values for _, feature in four]
            formula.add_four(totals, [x for x, _ in four], columns)
            k += 4
        else:
            x, feature = waiting[k]
            lists.append(feature.terms(x, formula))
            k += 1
    add_lists(totals, lists)


def add_lists(totals, lists):
    """Add each list of terms to totals, in their order. The more in one pass, the faster.

    The loops look each number up by its index: as quick as zip where Python is interpreted, and
    ten times as quick where it is compiled while it runs (PyPy).
    """
    k = 0
    while k + 8 <= len(lists):
        a, b, c, d, e, f, g, h = lists[k : k + 8]
        for i, t in enumerate(totals):
            totals[i] = t + a[i] + b[i] + c[i] + d[i] + e[i] + f[i] + g[i] + h[i]
        k += 8
    if k + 4 <= len(lists):
        a, b, c, d = lists[k : k + 4]
        for i, t in enumerate(totals):
            totals[i] = t + a[i] + b[i] + c[i] + d[i]
        k += 4
    for terms in lists[k:]:
        for i, t in enumerate(terms):
            totals[i] += t
