# Examples as sets of marks. Part of _kernel_rows.pyx.
#
# Often features take two values only, and these differ by the same number in every feature: 0 and
# 1, say, or a column for each kind of thing. Then an example is a set of marks, one bit a feature.
# |x - z|^2 adds the same square once for each feature in which x and z differ (what it adds for
# the others is zero), so it depends on how many those are, and on nothing else, to the last bit;
# and so does <x, z>, where one of the two values is 0, on how many marks x and z share. A kernel
# has d + 1 values then: each is computed once, by the oracle's additions, and looked up by a count.
# If only the first features are such, the first part of a distance is looked up, and the squares of
# the other features are added to it.
#
#     features  so many of them, from the first on, are marks
#     square    (a - b)^2 of the two values a, b, the same for all these; 0 until two differ
#     words     whole numbers of 64 bits, one bit a mark, of each example
#     apart     whether marks that differ are counted, for a distance; else those that are shared
#     value     of each count: the kernel value, or the part of the distance if more follows

cdef enum:
    MOST_WORDS = 16  # more features than these hold are quicker as lists, if mostly zero
    FEWEST = 8       # fewer marks are not worth while if other features follow


cdef class Marks:
    """The marks of all examples of a Table, and what each count of them stands for."""

    def __cinit__(self, Table table, bint apart):
        self.words, self.apart = min((table.d + 63) // 64, MOST_WORDS), apart
        self.bits = <uint64_t *>allocated(table.padded * self.words * sizeof(uint64_t))
        self.value = <double *>allocated((64 * self.words + WIDTH) * sizeof(double))
        memset(self.bits, 0, table.padded * self.words * sizeof(uint64_t))
        while self.features < min(table.d, 64 * MOST_WORDS) and self.take(table):
            self.features += 1

    def __dealloc__(self):
        release(self.bits)
        release(self.value)

    cdef bint take(self, Table table) except -1 nogil:
        """Make marks of the next feature, if it has two values, as far apart as those before."""
        cdef double low = 0, high = 0, square
        if not two_values(table, self.features, self.apart, &low, &high):
            return False
        if low != high:
            square = (high - low) * (high - low)
            if square == 0 or square != self.square and self.square != 0:
                return False
            self.square = square
        self.mark(table, low)
        return True

    cdef void mark(self, Table table, double low) noexcept nogil:
        """Set the bit of the next feature where its value is not `low`."""
        cdef double column[BLOCK]
        cdef i64 block, word = self.features // 64
        for block in range(table.blocks):
            table.column(self.features, block, column)
            loops().mark(self.bits + block * BLOCK * self.words + word * table.width(block), column,
                         low, <uint64_t>1 << self.features % 64, table.width(block))

    cdef void find_values(self, i64 d, Formula formula) noexcept nogil:
        """Find what each count stands for: the sum that the oracle comes to; and if all d features
        are marks, what the formula makes of it."""
        cdef double total = 0
        cdef i64 count
        for count in range(64 * self.words + WIDTH):
            self.value[count] = total
            total = total + self.square
        if self.features == d:
            formula.of_totals(self.value, 64 * self.words + WIDTH)

    cdef void row(self, Table table, i64 i, i64 block, double *out) noexcept nogil:
        """Write what stands for example i and each example of a block."""
        cdef uint64_t x[MOST_WORDS]
        cdef i64 home = i // BLOCK, w
        cdef uint64_t *bits = self.bits + home * BLOCK * self.words + i % BLOCK
        for w in range(self.words):
            x[w] = bits[w * table.width(home)]
        loops().count_bits(x, self.bits + block * BLOCK * self.words, self.words, self.apart,
                        self.value, out, table.width(block))


cdef bint two_values(Table table, i64 k, bint apart, double *low, double *high) noexcept nogil:
    """Whether feature k has at most two values, and which; `low` is 0 unless `apart`. Where there
    are 0.0 and -0.0 the answer may be no, as their bits differ."""
    cdef double column[BLOCK]
    cdef double a = 0, b = 0
    cdef i64 block, count, width, others, l
    for block in range(table.blocks):
        count, width = min(BLOCK, table.n - block * BLOCK), table.width(block)
        table.column(k, block, column)
        if block == 0 and apart:
            a = b = column[0]
        fill_up(column, count, width, a)
        others, l = width - loops().count_equal(column, a, width), 0
        while others and a == b and l < count:
            b, l = column[l], l + 1
        if others and others > loops().count_equal(column, b, width):
            return False
    low[0], high[0] = a, b
    return True


cdef Marks marks_of(Table table, Formula formula):
    """The Marks of a Table for a Formula; None where they do not help."""
    cdef Marks marks
    cdef bint apart = formula.sort == GAUSSIAN
    if formula.sort in (SUM, PRODUCT, MULTIPLE):
        return None
    marks = Marks(table, apart)
    if marks.features < (FEWEST if apart and not table.exact_with(table) else table.d):
        return None
    marks.find_values(table.d, formula)
    return marks


cdef class MarkedSource(TableSource):
    """The rows of a Formula over a Table whose first features are marks."""

    cdef bint whole(self) noexcept nogil:
        """Whether examples are marks and nothing else."""
        return self.marks.features == self.table.d

    cdef void ready(self, const i64 *wanted, int m, Query *query) noexcept nogil:
        if not self.whole():
            TableSource.ready(self, wanted, m, query)

    cdef void values(self, i64 block, const i64 *wanted, Query *query, int m,
                     double *values) noexcept nogil:
        cdef int q
        for q in range(m):
            self.marks.row(self.table, wanted[q], block, values + q * BLOCK)
        if self.whole():
            return
        self.table.add_squares(block, query, m, self.marks.features, values)
        for q in range(m):
            self.formula.of_totals(values + q * BLOCK, self.table.width(block))

    cdef double spare(self) noexcept nogil:
        return INFINITY

    cdef double price(self) noexcept nogil:
        return 1 if self.whole() else TableSource.price(self)

    cdef i64 cost(self) noexcept nogil:
        return 4 + 2 * self.marks.words if self.whole() else TableSource.cost(self)
