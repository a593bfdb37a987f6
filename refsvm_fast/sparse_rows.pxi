"""Sparse rows that are asked of a Table, by their numbers alone. Part of _solution.pyx.

A text has a hundred numbers in 200,000 columns, so that a machine which serves one text after the
other must do nothing for each column. What the Table needs for that is made once, and kept with it
(numbering, by_feature).

A row may have numbers outside, in columns that the Table left out, since they occur in no vector.
To an inner product they add nothing; to a squared distance their squares, each in its place in the
order of the columns (Query.before).
"""

cdef enum:
    SOME = 32    # rows that are read together (Questions), at most;
    ROOM = 1 << 20  # if they are sparse, no more than take so many bytes, laid out: a near cache


cdef class SparseRows:
    """The rows of a Compressed, which are read one at a time."""

    cdef Reader reader
    cdef Table table              # what they are asked of
    cdef Numbering numbering      # of the columns it has; None: of all
    cdef Entry *row               # the numbers of the row found last, by place,
    cdef i64 count                # so many; -1 if they are not plain
    cdef i64 room                 # for how many there is memory
    cdef double *other[SOME]      # of each query: its numbers outside
    cdef i64 *before[SOME]
    cdef i64 rooms[SOME]

    def __cinit__(self, Reader reader, Table table):
        self.reader, self.table, self.numbering = reader, table, table.columns_kept()

    def __dealloc__(self):
        cdef int q
        release(self.row)
        for q in range(SOME):
            release(self.other[q])
            release(self.before[q])

    cdef int find(self, i64 i) except -1:
        """Find the numbers of row i."""
        self.count = self.reader.count(i)
        if self.count > self.room:
            release(self.row)
            self.row, self.room = NULL, 0
            self.row = <Entry *>allocated(2 * self.count * sizeof(Entry))
            self.room = 2 * self.count
        if self.count > 0:
            with nogil:
                self.count = entries_of(self.reader, i, self.row)
        return 0

    cdef inline i64 feature(self, i64 e) noexcept nogil:
        """The feature of the table in which number e stands; -1 if that is outside."""
        cdef int64_t place = self.row[e].place
        return <i64>place if self.numbering is None else self.numbering.find(place)

    cdef bint read(self, i64 i, int q, Query *query) except -1:
        """Write row i to a query, the q-th, which knows then where it is not zero; whether it is
        finite and plain."""
        cdef i64 e, k
        if query.known < 0:
            memset(query.x, 0, self.table.d * sizeof(double))
        for e in range(query.known):
            query.x[query.at[e]] = 0
        query.known = query.outside = 0
        self.find(i)
        self.make_room(q, self.count)
        query.other, query.before = self.other[q], self.before[q]
        for e in range(self.count):
            k = self.feature(e)
            if k >= 0:
                query.x[k], query.at[query.known] = self.row[e].value, <int>k
                query.known += 1
            else:
                query.other[query.outside] = self.row[e].value
                query.before[query.outside] = self.numbering.count_before(self.row[e].place)
                query.outside += 1
        return self.count >= 0

    cdef int make_room(self, int q, i64 count) except -1:
        """Let there be memory for so many numbers outside of the q-th query."""
        if count <= self.rooms[q]:
            return 0
        release(self.other[q])
        release(self.before[q])
        self.other[q], self.before[q], self.rooms[q] = NULL, NULL, 0
        self.other[q] = <double *>allocated(count * sizeof(double))
        self.before[q] = <i64 *>allocated(count * sizeof(i64))
        self.rooms[q] = count
        return 0


cdef class Weights:
    """w of each linear machine side by side, for sparse rows: of these nothing is looked at but
    their numbers, in whatever columns they are."""

    cdef i64 pairs
    cdef i64 stride               # from the weights of one feature to those of the next one
    cdef Numbering numbering      # of the columns that are features; None: all are
    cdef double *room             # zeros, for a column without a feature: number -1,
    cdef double *w                # and those of all machines for a feature, one after the other

    def __cinit__(self, Table vectors):
        cdef double *row = <double *>allocated(vectors.d * sizeof(double))
        cdef Numbering kept = vectors.columns_kept()
        cdef bint few = kept is not None and (kept.width == 0 or kept.width > 2 * vectors.d)
        cdef i64 pair, k, count
        self.numbering, count = kept if few else None, vectors.d if few or kept is None else kept.width
        self.pairs = vectors.n
        self.stride = 1 if self.pairs == 1 else 4 if self.pairs <= 4 else PADDED(self.pairs)
        self.room = <double *>allocated((count + 1) * self.stride * sizeof(double))
        self.w = self.room + self.stride
        memset(self.room, 0, (count + 1) * self.stride * sizeof(double))
        for pair in range(self.pairs):
            vectors.row(pair, row)
            for k in range(vectors.d):
                count = k if few or kept is None else kept.columns[k]
                self.w[count * self.stride + pair] = row[k]
        release(row)

    def __dealloc__(self):
        release(self.room)

    cdef i64 decide_some(self, SparseRows rows, i64 begin, i64 end, double *totals,
                         const double *offsets) noexcept nogil:
        """add_row() of each row from begin on; the end, or the first row of which it is False."""
        cdef i64 i = begin, k
        if self.pairs == 1 and self.numbering is None:
            i = rows.reader.sum_products(begin, end, self.w, totals)
        for k in range(i - begin):
            totals[k] += offsets[0]
            if not isfinite(totals[k]):
                return begin + k
        for i in range(i, end):
            if not self.add_row(rows, i, totals + (i - begin) * self.stride, offsets):
                return i
        return end

    cdef bint decide(self, SparseRows rows, i64 i, double *totals,
                     const double *offsets) except -1:
        """Write every f of row i, whose numbers may be in any order, and what fills up their lanes;
        whether it is plain and finite."""
        cdef i64 e, k
        rows.find(i)
        memset(totals, 0, self.stride * sizeof(double))
        for e in range(rows.count):
            k = <i64>rows.row[e].place if self.numbering is None else rows.feature(e)
            add_weighted(&rows.row[e].value, &k, 1, self.w, self.stride, totals)
        for k in range(self.pairs):
            totals[k] += offsets[k]
        return rows.count >= 0

    cdef bint add_row(self, SparseRows rows, i64 i, double *totals,
                      const double *offsets) noexcept nogil:
        """decide() of a row whose numbers are in order; whether they are, and all f are finite."""
        cdef i64 pair
        memset(totals, 0, self.stride * sizeof(double))
        if not rows.reader.add_products(i, self.numbering, self.w, self.stride, totals):
            return False
        for pair in range(self.pairs):
            totals[pair] += offsets[pair]
        return all_finite(totals, self.pairs)


cdef Weights weights_of_table(Table vectors):
    """The Weights of a Table, made once."""
    cdef Weights made
    if vectors.by_feature is None:
        made = Weights(vectors)
        with cython.critical_section(vectors):  # see Table.columns_kept
            if vectors.by_feature is None:
                vectors.by_feature = made
    return vectors.by_feature


cdef bint by_weights(Table w, Reader rows) noexcept:
    """Whether the rows are best asked of Weights: they are sparse, and these take little more
    memory than the Table w."""
    if not rows.opened or rows.d != w.row_length():
        return False
    return w.padded * w.d <= 4 * (w.padded * w.dense + w.first[w.blocks * w.scattered])
