# Examples as sets of marks. Part of _rows.pyx.
#
# Often features take two values only, each as far from each other as those of the next: 0 and 1,
# or one column for each kind of thing. Then an example is a set of marks, one bit a feature.
# |x - z|^2 adds the same square once for each feature in which x and z differ (what it adds for
# the others is zero), so it depends on how many those are, and on nothing else, to the last bit;
# and so does <x, z>, where one of the two values is 0, on how many marks x and z share. A kernel
# has d + 1 values then, found beforehand by the oracle's additions, and a row of it is counted.
# If only the first features are such, their part of a distance is, and the others are added to it.
#
#     reach     so many features, from the first on, are marks
#     square    (a - b)^2 of the two values, the same for all these
#     words     how many times 64 marks an example has
#     apart     whether marks that differ are counted, for a distance; else those that are shared
#     value     of each count: the kernel value, or the part of the distance if more follows

cdef enum:
    MOST_WORDS = 16  # with more, features that are mostly zero are quicker as lists
    FEWEST = 8       # marks that are worth it if other features follow


cdef class Marks:
    """The marks of all examples of a Table, and what each count of them stands for."""

    def __cinit__(self, Table table, bint apart):
        self.words, self.apart = min((table.d + 63) // 64, MOST_WORDS), apart
        self.bits = <uint64_t *>allocated(table.padded * self.words * sizeof(uint64_t))
        self.value = <double *>allocated((64 * self.words + WIDTH) * sizeof(double))
        memset(self.bits, 0, table.padded * self.words * sizeof(uint64_t))
        while self.reach < min(table.d, 64 * MOST_WORDS) and self.take(table):
            self.reach += 1

    def __dealloc__(self):
        release(self.bits)
        release(self.value)

    cdef bint take(self, Table table) except -1 nogil:
        """Make marks of the next feature, if it has two values, as far apart as those before."""
        cdef double low = 0, high = 0, square
        if not two_values(table, self.reach, self.apart, &low, &high):
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
        cdef long block, word = self.reach // 64
        for block in range(table.blocks):
            table.column(self.reach, block, column)
            lanes().mark(self.bits + block * BLOCK * self.words + word * table.width(block), column,
                         low, <uint64_t>1 << self.reach % 64, table.width(block))

    cdef void find_values(self, long d, Formula formula) noexcept nogil:
        """What each count stands for: the sum that the oracle comes to, and if it is whole the
        formula."""
        cdef double total = 0
        cdef long count
        for count in range(64 * self.words + WIDTH):
            self.value[count] = total
            total = total + self.square
        if self.reach == d:
            formula.of_totals(self.value, 64 * self.words + WIDTH)

    cdef void row(self, Table table, long i, long block, double *out) noexcept nogil:
        """What stands for example i beside each of a block."""
        cdef uint64_t x[MOST_WORDS]
        cdef long home = i // BLOCK, w
        cdef uint64_t *bits = self.bits + home * BLOCK * self.words + i % BLOCK
        for w in range(self.words):
            x[w] = bits[w * table.width(home)]
        lanes().counted(x, self.bits + block * BLOCK * self.words, self.words, self.apart,
                        self.value, out, table.width(block))


cdef bint two_values(Table table, long k, bint apart, double *low, double *high) noexcept nogil:
    """Whether feature k has no more than two values, and these; `low` is 0 if not `apart`. -0.0
    may be taken for a third beside 0.0."""
    cdef double column[BLOCK]
    cdef double a = 0, b = 0
    cdef long block, count, width, others, l
    for block in range(table.blocks):
        count, width = min(BLOCK, table.n - block * BLOCK), table.width(block)
        table.column(k, block, column)
        if block == 0 and apart:
            a = b = column[0]
        fill_up(column, count, width, a)
        others, l = width - lanes().alike(column, a, width), 0
        while others and a == b and l < count:
            b, l = column[l], l + 1
        if others and others > lanes().alike(column, b, width):
            return False
    low[0], high[0] = a, b
    return True


cdef Marks marks_of(Table table, Formula formula, bint exact):
    """The Marks of a Table for a Formula; None where they do not help."""
    cdef Marks marks
    cdef bint apart = formula.sort == GAUSSIAN
    if formula.sort in (SUM, PRODUCT, MULTIPLE):
        return None
    marks = Marks(table, apart)
    if marks.reach < (FEWEST if apart and not exact else table.d):
        return None
    marks.find_values(table.d, formula)
    return marks
