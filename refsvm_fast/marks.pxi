# Examples as sets of marks. Part of _rows.pyx.
#
# Often each feature takes two values only, as far from each other as those of any other: 0 and 1,
# or one column for each kind of thing. Then an example is a set of marks, one bit a feature.
# |x - z|^2 adds the same square once for each feature in which x and z differ (what it adds for
# the others is zero), so it depends on how many those are, and on nothing else, to the last bit;
# and so does <x, z>, where one of the two values is 0, on how many marks x and z share. A kernel
# has d + 1 values then, found beforehand by the oracle's additions, and a row of it is counted.
#
#     square    (a - b)^2 of the two values, the same for all features
#     words     how many times 64 marks an example has
#     apart     whether marks that differ are counted, for a distance; else those that are shared
#     value     the kernel value of each count

cdef enum:
    MOST_WORDS = 16  # with more, features that are mostly zero are quicker as lists


cdef class Marks:
    """The marks of all examples of a Table, and the kernel value of each count."""

    def __cinit__(self, Table table, bint apart):
        self.words, self.apart = (table.d + 63) // 64, apart
        self.bits = <uint64_t *>allocated(table.padded * self.words * sizeof(uint64_t))
        self.value = <double *>allocated((table.d + WIDTH) // WIDTH * WIDTH * sizeof(double))
        memset(self.bits, 0, table.padded * self.words * sizeof(uint64_t))

    def __dealloc__(self):
        free(self.bits)
        free(self.value)

    cdef bint mark(self, Table table, long k) noexcept nogil:
        """Set the bits of feature k; whether it has two values, as far apart as all others."""
        cdef double column[256]
        cdef double low = 0, high = 0, square
        cdef long block, count, l, strange = 0
        cdef uint64_t *bits
        for block in range(table.blocks):
            table.column(k, block, column)
            count = min(BLOCK, table.n - block * BLOCK)
            if block == 0 and self.apart:
                low = high = column[0]
            l = 0
            while high == low and l < count:
                high = column[l]
                l += 1
            bits = self.bits + block * BLOCK * self.words + k // 64 * table.width(block)
            for l in range(count):
                strange |= (column[l] != low) & (column[l] != high)
                bits[l] |= <uint64_t>(column[l] != low) << (k & 63)
            if strange:
                return False
        square = (high - low) * (high - low)
        if high != low and self.square != square:
            if self.square != 0:
                return False
            self.square = square
        return high == low or square != 0

    cdef void find_values(self, long d, Formula formula) noexcept nogil:
        """Make the kernel value of every count: the sum that the oracle comes to, and formula."""
        cdef double total = 0
        cdef long count
        for count in range((d + WIDTH) // WIDTH * WIDTH):
            self.value[count] = total
            total = total + self.square
        formula.of_totals(self.value, (d + WIDTH) // WIDTH * WIDTH)

    cdef void row(self, Table table, long i, long block, double *out) noexcept nogil:
        """The kernel values of example i with those of a block."""
        cdef uint64_t x[MOST_WORDS]
        cdef long home = i // BLOCK, w
        cdef uint64_t *bits = self.bits + home * BLOCK * self.words + i % BLOCK
        for w in range(self.words):
            x[w] = bits[w * table.width(home)]
        lanes().counted(x, self.bits + block * BLOCK * self.words, self.words, self.apart,
                        self.value, out, table.width(block))


cdef Marks marks_of(Table table, Formula formula):
    """The Marks of a Table for a Formula; None where there are none."""
    cdef Marks marks
    cdef long k
    if formula.sort in (SUM, PRODUCT, MULTIPLE) or table.d > 64 * MOST_WORDS:
        return None
    marks = Marks(table, formula.sort == GAUSSIAN)
    for k in range(table.d):
        if not marks.mark(table, k):
            return None
    marks.find_values(table.d, formula)
    return marks
