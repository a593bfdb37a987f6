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
        self.features = [Feature(values) for values in zip(*rows)]
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
                totals, waiting = plus(totals, waiting, PRODUCT), []
                for i, z in feature.nonzero:
                    totals[i] += value * z
            else:
                waiting.append((value, feature))
        return plus(totals, waiting, PRODUCT)

    def squared_distances(self, x):
        """[|x - z|^2 for each example z]. O(n d), less where features are zero in both."""
        totals, waiting = list(self.zeros), []
        for value, feature in zip(x, self.features):
            if value == 0 and feature.scattered:
                totals, waiting = plus(totals, waiting, SQUARE), []
                for i, z in feature.nonzero:
                    totals[i] += z * z
            else:
                waiting.append((value, feature))
        return plus(totals, waiting, SQUARE)


class Feature:
    """One feature of every example, and the lists of its terms that were asked for before."""

    def __init__(self, values):
        self.values = values
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

    terms        takes x and the values z of a feature to the list of terms
    four_added   takes totals, the x of four features and their values to the new totals
    """

    terms: Any
    four_added: Any


def products(x, zs):
    """[x z for each z]."""
    return [x * z for z in zs]


def four_products_added(totals, four, columns):
    """totals plus the products of four features, one after the other."""
    p, q, r, s = four
    return [t + p * a + q * b + r * c + s * d for t, a, b, c, d in zip(totals, *columns)]


def squares(x, zs):
    """[(x - z)^2 for each z]."""
    return [(s := x - z) * s for z in zs]


def four_squares_added(totals, four, columns):
    """totals plus the squared differences of four features, one after the other."""
    p, q, r, s = four
    return [
        t + (e := p - a) * e + (e := q - b) * e + (e := r - c) * e + (e := s - d) * e
        for t, a, b, c, d in zip(totals, *columns)
    ]


PRODUCT = Formula(products, four_products_added)
SQUARE = Formula(squares, four_squares_added)


def plus(totals, waiting, formula):
    """totals plus the terms of the waiting features, in their order.

    Four features together whose terms are not kept need no lists of terms.
    """
    k, lists = 0, []
    while k < len(waiting):
        four = waiting[k : k + 4]
        if len(four) == 4 and not any(feature.few for _, feature in four):
            totals, lists = added(totals, lists), []
            columns = [feature.values for _, feature in four]
            totals = formula.four_added(totals, [x for x, _ in four], columns)
            k += 4
        else:
            x, feature = waiting[k]
            lists.append(feature.terms(x, formula))
            k += 1
    return added(totals, lists)


def added(totals, lists):
    """totals plus each list of terms, in their order. The more in one pass, the faster."""
    k = 0
    while k + 8 <= len(lists):
        eight = zip(totals, *lists[k : k + 8])
        totals = [t + a + b + c + d + e + f + g + h for t, a, b, c, d, e, f, g, h in eight]
        k += 8
    if k + 4 <= len(lists):
        four = zip(totals, *lists[k : k + 4])
        totals = [t + a + b + c + d for t, a, b, c, d in four]
        k += 4
    for terms in lists[k:]:
        totals = [t + a for t, a in zip(totals, terms)]
    return totals
