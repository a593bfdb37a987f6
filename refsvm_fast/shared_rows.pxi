# Parts of a training set that share its kernel rows. Part of _kernel_rows.pyx.
#
# Among k classes each example belongs to k - 1 pairs, and each pair is a problem of its own. If
# rows are shared, a pair gathers its kernel values from those of all examples (Whole), and a value
# that was computed for one pair is not computed again for another. If not, a pair gathers the
# features of its examples, and computes its own values.

cdef enum:
    HANDLING = 6  # cycles for each feature of an example that is gathered and asked about, once
    LOOK_UP = 4   # cycles for a kernel value that is gathered
    OBJECTS = 30_000  # cycles for what a pair that shares nothing is made of


cdef class Whole:
    """The kernel rows of all examples of a Table."""

    def __cinit__(self, TableSource source, double cache_mb, bint bounded):
        self.table, self.rows = source.table, Rows(source, cache_mb, bounded)
        self.norms = <double *>allocated(source.padded * sizeof(double))
        source.norms(self.norms)

    def __dealloc__(self):
        release(self.norms)


cdef class Part:
    """Some examples of a Whole: what a Problem has instead of their Table."""

    def __cinit__(self, Whole whole, list places):
        self.whole, self.places = whole, places

    def __len__(self):
        return len(self.places)

    def row_length(self):
        """How many numbers a row has."""
        return self.whole.table.row_length()

    def most_numbers(self):
        """How many of a row are not zero, at most."""
        return self.table().most_numbers()

    def table(self):
        """The Table of these examples, where more of them is needed than their kernel rows."""
        return self.whole.table.at(self.places)


cdef class PartSource(Source):
    """The kernel rows of a Part."""

    def __cinit__(self, Part part):
        self.whole, self.n, self.padded = part.whole, len(part), PADDED(len(part))
        self.place, self.room = places_in(self.whole.table, part.places), self.n

    def __dealloc__(self):
        release(self.place)

    cdef bint take(self, const i64 *places, i64 n) noexcept nogil:
        """Let it be the source of these n examples; whether there is room for them."""
        if n > self.room:
            return False
        memcpy(self.place, places, n * sizeof(i64))
        self.n, self.padded = n, PADDED(n)
        release(self.scratch)  # which has the size of the rows until now
        self.scratch = NULL
        return True

    cdef int compute(self, const i64 *wanted, int m, double **out) except -1 nogil:
        cdef i64 places[SHARED]
        cdef const double *row
        cdef i64 l
        cdef int q
        for q in range(m):
            places[q] = self.place[wanted[q]]
        self.whole.rows.want(places, m)
        for q in range(m):
            row = self.whole.rows.kept(places[q])
            for l in range(self.n):
                out[q][l] = row[self.place[l]]
            self.pad(out[q])
        return 0

    cdef int norms(self, double *out) except -1 nogil:
        cdef i64 l
        for l in range(self.n):
            out[l] = self.whole.norms[self.place[l]]
        return 0

    cdef i64 cost(self) noexcept nogil:
        return self.whole.rows.source.cost() * self.whole.table.n // self.n


def whole_of(Table table, kernel, double cache_mb, i64 classes, i64 most):
    """The Whole of a table; None where it is not worth while. `most`: examples of a pair, at most.

    To share saves handling the features of an example k - 1 times instead of once. It costs looking
    up values, and computing those of a row with all examples, where without sharing only its pairs
    that ask for it would: about half of them. There must be room for all rows, and for those of a
    pair. And a pair of few examples costs less to begin (many_pairs.pxi).
    """
    cdef Formula formula = formula_of(kernel)
    cdef TableSource source
    cdef double room = cache_mb - 8.0 * most * PADDED(most) / 2**20
    cdef double handled = HANDLING * <double>table.d * (classes - 1)
    cdef double begun = OBJECTS * classes * (classes - 1) / (2 * <double>table.n)
    if classes == 2 or formula is None or 8.0 * table.n * table.padded > room * 2**20:
        return None
    source = source_over(table, formula)
    if handled + begun <= table.n * (source.cost() / <double>classes + LOOK_UP):
        return None
    return Whole(source, room, kernel.bounded)
