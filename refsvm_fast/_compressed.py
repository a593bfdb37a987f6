"""Sparse rows as they are given to compiled code, which reads them row by row."""


class Compressed:
    """Rows compressed (CSR): those of `values`, none of them zero, each in its column of `places`,
    that stand between two of the `starts`. `kept`: which columns of the rows given these are; None
    if all. `thin`: whether those that occur in no row are left out, even if most of the others
    occur in most. `checked`: whether all places are known to be columns, and all numbers not zero;
    if not, only what needs neither may be asked of it."""

    thin, checked = False, True

    def __init__(self, starts, places, values, n, d, kept=None):
        self.starts, self.places, self.values = starts, places, values
        self.n, self.d, self.kept = n, d, kept

    def __len__(self):
        return self.n
