"""Columns that occur in no row are left out, as in refsvm/numerics/sparse_rows.py. Part of
_table.pyx.

A text has a million possible words. The columns that occur are found by a table with a slot for
each of all columns, as long as these are not many more than the numbers; otherwise by hash, so that
no time or memory is taken for a column in which no number stands.
"""

cdef enum:
    WIDE = 8  # columns a number, above which there is not a slot for each

cdef uint64_t SPREAD = 0x9E3779B97F4A7C15  # 2^64 by the golden ratio: near places lie far apart


cdef int compare(const void *a, const void *b) noexcept nogil:
    cdef int64_t first = (<const int64_t *>a)[0], second = (<const int64_t *>b)[0]
    return (first > second) - (first < second)


cdef class Numbering:
    """Columns, each of which has a number: at first the order in which they came."""

    def __dealloc__(self):
        release(self.columns)
        release(self.slots)

    cdef long slot(self, int64_t column) noexcept nogil:
        """Where the number of a column is, or would be."""
        cdef long s
        if self.width:
            return <long>column
        s = <long>((<uint64_t>column * SPREAD) >> (64 - self.bits))
        while self.slots[s] >= 0 and self.columns[self.slots[s]] != column:
            s = (s + 1) & ((<long>1 << self.bits) - 1)
        return s

    cdef long find(self, int64_t column) noexcept nogil:
        """The number of a column; -1 if it has none."""
        return self.slots[self.slot(column)]

    cdef int make_room(self, long count) except -1:
        """Let there be at least twice as many slots as columns."""
        cdef int64_t *columns
        while (<long>1 << self.bits) < 2 * count + 2:
            self.bits += 1
        columns = <int64_t *>allocated((<long>1 << self.bits) // 2 * sizeof(int64_t))
        if self.columns != NULL:
            memcpy(columns, self.columns, self.count * sizeof(int64_t))
        release(self.columns)
        self.columns = columns
        if self.width and self.slots != NULL:
            return 0
        release(self.slots)
        self.slots = NULL
        self.slots = <int *>allocated(self.size() * sizeof(int))
        self.number_all()
        return 0

    cdef long size(self) noexcept nogil:
        """How many slots there are."""
        return self.width if self.width else <long>1 << self.bits

    cdef void number_all(self) noexcept nogil:
        """Let the numbers be the order of the columns."""
        cdef long k
        memset(self.slots, 0xFF, self.size() * sizeof(int))  # -1: free
        for k in range(self.count):
            self.slots[self.slot(self.columns[k])] = <int>k

    cdef void sort(self) noexcept nogil:
        """Number the columns from the first to the last."""
        qsort(self.columns, self.count, sizeof(int64_t), compare)
        self.number_all()

    cdef int add(self, int64_t column) except -1:
        """Give a column a number, unless it has one."""
        cdef long s = self.slot(column)
        if self.slots[s] >= 0:
            return 0
        self.columns[self.count], self.slots[s] = column, <int>self.count
        self.count += 1
        if 2 * self.count + 2 > <long>1 << self.bits:
            self.make_room(2 * self.count)
        return 0

    cdef bint add_places(self, Reader reader) except -1:
        """Add every place of a Compressed; whether all of them are columns."""
        cdef int64_t place
        cdef long e
        for e in range(reader.parts[1].shape[0]):
            place = reader.place(e)
            if not 0 <= place < reader.d:
                return False
            self.add(place)
        return True

    cdef list all(self):
        """The columns, by their numbers."""
        cdef long k
        return [self.columns[k] for k in range(self.count)]


cdef Numbering numbering_of(list columns, long width, long entries):
    """The Numbering of these among so many columns, in their order; it will be asked for the places
    of so many numbers, each of which must be a column."""
    cdef Numbering numbering = Numbering()
    cdef int64_t column
    numbering.width = width if width // WIDE <= entries else 0
    numbering.make_room(len(columns))
    for column in columns:
        numbering.add(column)
    return numbering


cdef object over(object X, Reader reader, Numbering numbering, object kept):
    """The Compressed X over columns among which are all that occur, by their numbers."""
    cdef Py_buffer view
    cdef long e
    renumbered = array("i", [0]) * reader.parts[1].shape[0]
    PyObject_GetBuffer(renumbered, &view, PyBUF_FORMAT | PyBUF_STRIDES)
    for e in range(reader.parts[1].shape[0]):
        (<int *>view.buf)[e] = <int>numbering.find(reader.place(e))
    PyBuffer_Release(&view)
    return Compressed(X.starts, renumbered, X.values, X.n, numbering.count, kept)


def narrowed(X):
    """A Compressed that is thin over the columns that occur; others as they are."""
    cdef Reader reader = Reader()
    cdef Numbering numbering
    if type(X) is not Compressed or not (X.thin or mostly_zero(X.n, X.d, len(X.values))):
        return X
    if not reader.open(X):
        return X
    numbering = numbering_of([], X.d, reader.parts[1].shape[0])
    if not numbering.add_places(reader):
        return X
    if numbering.count == 0:
        numbering.add(0)
    numbering.sort()
    return over(X, reader, numbering, KeptColumns(numbering.all(), X.d))


def in_common(X, kept):
    """(the columns that occur in the Compressed X or are kept, for each of them whether it was
    kept, as bytes, X over these); None if X has another number of columns in all."""
    cdef Reader reader = Reader()
    cdef Numbering own, both
    cdef long k, entries = len(X.values)
    if X.d != kept.width or not reader.open(X):
        return None
    own = numbering_of(list(kept.places), X.d, entries)
    both = numbering_of(list(kept.places), X.d, entries)
    if not both.add_places(reader):
        return None
    if both.count > own.count:
        both.sort()
        kept = KeptColumns(both.all(), X.d)
    mine = bytes([own.find(both.columns[k]) >= 0 for k in range(both.count)])
    return kept, mine, over(X, reader, both, kept)


def compressed_rows(list rows):
    """Sparse rows as a Compressed; as they are, if they are not of floats and of one length."""
    cdef Py_buffer of_places, of_values
    cdef int64_t *places
    cdef double *values
    cdef double v
    cdef long count = 0, k
    cdef list where, numbers, parts = [listed(row) for row in rows]
    for where, numbers in parts:
        count += min(len(where), len(numbers))
    found = array("q", [0]) * count, array("d", [0]) * count
    starts = array("q", [0])
    PyObject_GetBuffer(found[0], &of_places, PyBUF_FORMAT | PyBUF_STRIDES)
    PyObject_GetBuffer(found[1], &of_values, PyBUF_FORMAT | PyBUF_STRIDES)
    places, values, count = <int64_t *>of_places.buf, <double *>of_values.buf, 0
    try:
        if len(set(map(len, rows))) > 1:
            return rows
        for where, numbers in parts:
            for k in range(min(len(where), len(numbers))):
                number = numbers[k]
                if type(number) is float:
                    v = number
                    if v != 0:
                        places[count], values[count] = where[k], v
                        count += 1
                elif number != 0:
                    return rows
            starts.append(count)
    finally:
        PyBuffer_Release(&of_places)
        PyBuffer_Release(&of_values)
    X = Compressed(starts, found[0][:count], found[1][:count], len(rows), len(rows[0]))
    X.thin = True
    return X


cdef tuple listed(row):
    """(places, numbers) of a sparse row: those that are in memory."""
    where, numbers = row.kept.places, row.numbers
    if type(numbers) is SparseRow:
        within, numbers = listed(numbers)
        where = [where[k] for k in within]
    return list(where), list(numbers)
