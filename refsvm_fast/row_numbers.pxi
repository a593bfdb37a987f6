# The numbers of a table by row, where there are few of them. Part of _table.pyx.

cdef class RowNumbers:
    """The numbers of a table, row after row: all that are not zero, and those of columns.

    Most lists of a hollow table have no number in most blocks. To go through them, or to look in
    them for what a row has, takes longer than to read the numbers.
    """

    def __cinit__(self, Table table):
        cdef long count = table.n * table.dense + table.first[table.blocks * table.scattered]
        cdef long block, i
        self.d = table.d
        self.first = <long *>allocated((table.n + 1) * sizeof(long))
        self.feature = <int *>allocated(count * sizeof(int))
        self.value = <double *>allocated(count * sizeof(double))
        self.first[0] = 0
        for block in range(table.blocks):
            self.count_block(table, block, self.first + block * BLOCK + 1)
        for i in range(table.n):
            self.first[i + 1] += self.first[i]
        for block in range(table.blocks):
            self.copy_block(table, block)

    def __dealloc__(self):
        release(self.first)
        release(self.feature)
        release(self.value)

    cdef void count_block(self, Table table, long block, long *counts) noexcept nogil:
        """Write how many numbers each row of a block has."""
        cdef const long *list_ = lists_of(table, block)
        cdef long l, e
        for l in range(min(<long>BLOCK, table.n - block * BLOCK)):
            counts[l] = table.dense
        for e in range(list_[0], list_[table.scattered]):
            counts[table.spots[e]] += 1

    cdef void copy_block(self, Table table, long block) noexcept nogil:
        """Copy the numbers of a block, feature after feature."""
        cdef long next_[BLOCK]  # of each row: where it goes on
        cdef long count = min(<long>BLOCK, table.n - block * BLOCK), k, p, l, e
        cdef const long *first = lists_of(table, block)
        cdef const double *column
        memcpy(next_, self.first + block * BLOCK, count * sizeof(long))
        for k in range(table.d):
            p = table.place[k]
            if p >= 0:
                column = columns_of(table, block) + p * table.width(block)
                for l in range(count):
                    self.take(&next_[l], k, column[l])
            else:
                for e in range(first[-1 - p], first[-p]):
                    self.take(&next_[table.spots[e]], k, table.values[e])

    cdef void take(self, long *place, long k, double v) noexcept nogil:
        """Let v of feature k be the number in this place, which becomes the next."""
        self.feature[place[0]], self.value[place[0]] = <int>k, v
        place[0] += 1

    cdef long write(self, long i, double *x, int *at) noexcept nogil:
        """Write the numbers of row i to x, and their features to `at`, in order; how many they are.
        The rest of x is left as it is."""
        cdef long begin = self.first[i], count = self.first[i + 1] - begin, s
        memcpy(at, self.feature + begin, count * sizeof(int))
        for s in range(count):
            x[at[s]] = self.value[begin + s]
        return count

    cdef double score(self, const double *w, long i) noexcept nogil:
        """<w, x_i>"""
        cdef double total = 0
        cdef long s
        for s in range(self.first[i], self.first[i + 1]):
            total += w[self.feature[s]] * self.value[s]
        return total

    cdef void add_row(self, long i, double t, double *w, int part, int parts) noexcept nogil:
        """Add t times row i to w: one of the parts of its features."""
        cdef long begin = self.d * part // parts, end = self.d * (part + 1) // parts, s
        for s in range(self.first[i], self.first[i + 1]):
            if begin <= self.feature[s] < end:
                w[self.feature[s]] += t * self.value[s]
