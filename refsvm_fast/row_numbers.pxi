# The numbers of a table by row, where there are few of them. Part of _table.pyx.

cdef class RowNumbers:
    """The numbers of a table, row after row: all that are not zero, and those of columns.

    Most lists of a very_sparse table have no number in most blocks. To go through them, or to look in
    them for what a row has, takes longer than to read the numbers.

    Sparse rows are read so, too, before a table is made of them (fill_numbers): then +0.0 is left
    out of columns as well.
    """

    def __cinit__(self, Table table=None):
        cdef i64 block, i
        if table is None:
            return
        self.d = table.d
        self.make_room(
            table.n, table.n * table.dense + table.first[table.blocks * table.scattered]
        )
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

    cdef int make_room(self, i64 n, i64 count) except -1:
        """Let there be memory for n rows and so many numbers."""
        self.first = <i64 *>allocated((n + 1) * sizeof(i64))
        self.feature = <int *>allocated(count * sizeof(int))
        self.value = <double *>allocated(count * sizeof(double))
        self.first[0] = 0
        return 0

    cdef bint read(self, Reader reader) except -1:
        """Take the rows of a Compressed; whether they are plain and finite."""
        cdef i64 i, count
        self.d = reader.d
        self.make_room(reader.n, reader.stored())
        for i in range(reader.n):
            count = self.read_row(reader, i)
            if count < 0:
                count = self.read_unordered(reader, i)
            if count < 0:
                return False
            self.first[i + 1] = self.first[i] + count
        return True

    cdef i64 read_row(self, Reader reader, i64 i) noexcept nogil:
        """Take row i behind those before it; how many numbers it has, or -1 if it is not plain and
        finite, or not in order."""
        cdef i64 ends[2]
        cdef int *feature = self.feature + self.first[i]
        cdef double *value = self.value + self.first[i]
        cdef int64_t place, last = -1
        cdef i64 e, count = 0
        cdef bint fine = True
        if not reader.find(i, ends):
            return -1
        if not copied(&reader.parts[2], ends[0] * reader.parts[2].strides[0], ends[1] - ends[0],
                      value):
            return -1
        for e in range(ends[1] - ends[0]):
            place = reader.place(ends[0] + e)
            fine = fine & (last < place) & (fabs(value[e]) < INFINITY)
            feature[count], value[count], last = <int>place, value[e], place
            count += not is_zero(value[e])
        return count if fine and last < self.d else -1

    cdef i64 read_unordered(self, Reader reader, i64 i) except -2:
        """read_row(), whatever the order of the row is."""
        cdef i64 count = reader.count(i), e, s = self.first[i]
        cdef Entry *row
        if count < 0:
            return -1
        row = <Entry *>allocated(count * sizeof(Entry))
        count = entries_of(reader, i, row)
        for e in range(count):
            self.take(&s, <i64>row[e].place, row[e].value)
            s -= is_zero(row[e].value)
        release(row)
        return count if count < 0 else s - self.first[i]

    cdef int choose(self, RowNumbers whole, const i64 *wanted, i64 n) except -1:
        """Take n rows of another."""
        cdef i64 i, s, end, count = 0
        self.d = whole.d
        for i in range(n):
            count += whole.first[wanted[i] + 1] - whole.first[wanted[i]]
        self.make_room(n, count)
        for i in range(n):
            end = self.first[i]
            for s in range(whole.first[wanted[i]], whole.first[wanted[i] + 1]):
                self.take(&end, whole.feature[s], whole.value[s])
                end -= is_zero(whole.value[s])
            self.first[i + 1] = end
        return 0

    cdef RowNumbers with_constant(self, i64 n, double c):
        """The same n rows with a number more, c, behind each."""
        cdef RowNumbers longer = RowNumbers()
        cdef i64 i, begin, end, count
        longer.d = self.d + 1
        longer.make_room(n, self.first[n] + n)
        for i in range(n):
            begin, count = self.first[i], self.first[i + 1] - self.first[i]
            end = longer.first[i]
            memcpy(longer.feature + end, self.feature + begin, count * sizeof(int))
            memcpy(longer.value + end, self.value + begin, count * sizeof(double))
            end += count
            longer.take(&end, self.d, c)
            longer.first[i + 1] = end
        return longer

    cdef void count_block(self, Table table, i64 block, i64 *counts) noexcept nogil:
        """Write how many numbers each row of a block has."""
        cdef const i64 *list_ = lists_of(table, block)
        cdef i64 l, e
        for l in range(min(<i64>BLOCK, table.n - block * BLOCK)):
            counts[l] = table.dense
        for e in range(list_[0], list_[table.scattered]):
            counts[table.spots[e]] += 1

    cdef void copy_block(self, Table table, i64 block) noexcept nogil:
        """Copy the numbers of a block, feature after feature."""
        cdef i64 next_[BLOCK]  # of each row: where it goes on
        cdef i64 count = min(<i64>BLOCK, table.n - block * BLOCK), k, p, l, e
        cdef const i64 *first = lists_of(table, block)
        cdef const double *column
        memcpy(next_, self.first + block * BLOCK, count * sizeof(i64))
        for k in range(table.d):
            p = table.place[k]
            if p >= 0:
                column = columns_of(table, block) + p * table.width(block)
                for l in range(count):
                    self.take(&next_[l], k, column[l])
            else:
                for e in range(first[-1 - p], first[-p]):
                    self.take(&next_[table.spots[e]], k, table.values[e])

    cdef void take(self, i64 *place, i64 k, double v) noexcept nogil:
        """Let v of feature k be the number in this place, which becomes the next."""
        self.feature[place[0]], self.value[place[0]] = <int>k, v
        place[0] += 1

    cdef i64 write(self, i64 i, double *x, int *at) noexcept nogil:
        """Write the numbers of row i to x, and their features to `at`, in order; how many they are.
        The rest of x is left as it is."""
        cdef i64 begin = self.first[i], count = self.first[i + 1] - begin, s
        memcpy(at, self.feature + begin, count * sizeof(int))
        for s in range(count):
            x[at[s]] = self.value[begin + s]
        return count

    cdef double score(self, const double *w, i64 i) noexcept nogil:
        """<w, x_i>"""
        cdef double total = 0
        cdef i64 s
        for s in range(self.first[i], self.first[i + 1]):
            total += w[self.feature[s]] * self.value[s]
        return total

    cdef void add_row(self, i64 i, double t, double *w) noexcept nogil:
        """Add t times row i to w."""
        cdef i64 s
        for s in range(self.first[i], self.first[i + 1]):
            w[self.feature[s]] += t * self.value[s]
