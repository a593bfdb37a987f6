"""Sparse matrices on their way to compiled code, which reads them row by row (input_arrays.pxi).

Their numbers are never all laid out: text has thousands of features, and hardly any in a row.
"""


class Compressed:
    """Rows compressed (CSR): those of `values`, none of them zero, each in its column of `places`,
    that stand between two of the `starts`. `kept`: which columns of the rows given these are; None
    if all. `thin`: whether those that occur in no row are left out, even if most of the others
    occur in most."""

    thin = False

    def __init__(self, starts, places, values, n, d, kept=None):
        self.starts, self.places, self.values = starts, places, values
        self.n, self.d, self.kept = n, d, kept

    def __len__(self):
        return self.n
