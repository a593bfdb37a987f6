"""One vector against many: the same sums as linalg, taken feature by feature.

A row of a Gram matrix needs <x, z> or |x - z|^2 for every example z. Adding up one pair after the
other is how linalg.dot reads, and slow. Here the examples are turned on their side, and one pass
adds the terms of four features to the running total of every example. Each total still receives
its terms one at a time in the order of the features, so each result has the bits that linalg.dot
and linalg.squared_distance give for that pair.

Two savings cost no bit either:

    a term that is zero is not added            t + 0 == t, as no total is ever -0.0
    terms computed before are looked up         a feature with few levels has few lists of terms

Throughout this module
    x           the one vector            z           one of the n examples
    totals      the n running sums        terms       what one feature adds to each of them
    levels      the distinct values of a feature
"""

from itertools import repeat

AT_ONCE = 4  # features added in one pass; more are hardly faster, and the line gets long
FEW = 32  # a feature with at most this many levels keeps its lists of terms, one a level


class Columns:
    """n examples of d features, stored by feature. O(n d) to build.

    >>> table = Columns([[1.0, 0.0], [2.0, 3.0]], float)
    >>> table.dots([10.0, 1.0])
    [10.0, 23.0]
    >>> table.squared_distances([1.0, 1.0])
    [1.0, 5.0]
    """

    def __init__(self, rows, kind):
        self.n = len(rows)
        self.zero = kind(0)
        self.features = [Feature(values) for values in zip(*rows)]

    def dots(self, x):
        """[<x, z> for each example z]. O(n d), less where features are zero."""
        totals, waiting = [self.zero] * self.n, []
        for value, feature in zip(x, self.features):
            if value == 0:
                continue
            if feature.scattered:
                totals, waiting = added(totals, waiting), []
                for i, z, _ in feature.nonzero:
                    totals[i] += value * z
            else:
                waiting.append(feature.products(value))
        return added(totals, waiting)

    def squared_distances(self, x):
        """[|x - z|^2 for each example z]. O(n d), less where features are zero in both."""
        totals, waiting = [self.zero] * self.n, []
        for value, feature in zip(x, self.features):
            if value == 0 and feature.scattered:
                totals, waiting = added(totals, waiting), []
                for i, _, square in feature.nonzero:
                    totals[i] += square
            else:
                waiting.append(feature.squared_differences(value))
        return added(totals, waiting)


def added(totals, waiting):
    """totals plus the terms of the waiting features, each total in the features' order."""
    for start in range(0, len(waiting), AT_ONCE):
        four = waiting[start : start + AT_ONCE]
        four += [repeat(0)] * (AT_ONCE - len(four))
        totals = [t + p + q + r + s for t, p, q, r, s in zip(totals, *four)]
    return totals


class Feature:
    """One feature of every example, and the lists of its terms that were asked for before."""

    def __init__(self, values):
        self.values = values
        self.nonzero = [(i, z, z * z) for i, z in enumerate(values) if z != 0]
        # Below one in four, touching each non-zero alone beats a pass over everybody.
        self.scattered = 4 * len(self.nonzero) < len(values)
        self.few = len(set(values)) <= FEW
        self.kept_products = {}
        self.kept_squares = {}

    def products(self, x):
        """[x z for the value z of each example]."""
        return self.kept(self.kept_products, x, lambda z: x * z)

    def squared_differences(self, x):
        """[(x - z) (x - z) for the value z of each example]."""
        if not self.few:
            return [(p := x - z) * p for z in self.values]
        return self.kept(self.kept_squares, x, lambda z: (x - z) * (x - z))

    def kept(self, kept, x, term):
        """The list of terms for this x, computed only the first time if the levels are few."""
        if x in kept:
            return kept[x]
        if not self.few:
            return [term(z) for z in self.values]
        of_level = {z: term(z) for z in set(self.values)}
        terms = [of_level[z] for z in self.values]
        if len(kept) < FEW:
            kept[x] = terms
        return terms
