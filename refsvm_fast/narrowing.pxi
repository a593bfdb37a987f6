"""Columns that occur in no row are left out, as in refsvm/numerics/sparse_rows.py. Part of
_table.pyx.

A text has a million possible words. The columns that occur are found by a table with a slot for
each of all columns, as long as these are not many more than the numbers; otherwise by hash, so that
no time or memory is taken for a column in which no number stands.
"""

cdef enum:
    WIDE = 8  # columns a number, above which there is not a slot for each

cdef uint64_t GOLDEN_FACTOR = 0x9E3779B97F4A7C15  # 2^64 by the golden ratio: near places lie far apart


cdef int compare(const void *a, const void *b) noexcept nogil:
    cdef int64_t first = (<const int64_t *>a)[0], second = (<const int64_t *>b)[0]
    return (first > second) - (first < second)


cdef class Numbering:
    """Columns, each of which has a number: at first the order in which they came."""

    def __dealloc__(self):
        release(self.columns)
        release(self.slots)

    cdef i64 slot(self, int64_t column) noexcept nogil:
        """Where the number of a column is, or would be."""
        cdef i64 s
        if self.width:
            return <i64>column if 0 <= column < self.width else 0
        s = <i64>((<uint64_t>column * GOLDEN_FACTOR) >> (64 - self.bits))
        while self.slots[s] >= 0 and self.columns[self.slots[s]] != column:
            s = (s + 1) & ((<i64>1 << self.bits) - 1)
        return s

    cdef i64 find(self, int64_t column) noexcept nogil:
        """The number of a column; -1 if it has none."""
        return self.slots[self.slot(column)]

    cdef i64 count_before(self, int64_t column) noexcept nogil:
        """How many columns, which are in order, are less than this one."""
        cdef i64 low = 0, high = self.count, middle
        while low < high:
            middle = (low + high) // 2
            if self.columns[middle] < column:
                low = middle + 1
            else:
                high = middle
        return low

    cdef int make_room(self, i64 count) except -1:
        """Let there be at least twice as many slots as columns."""
        cdef int64_t *columns
        while (<i64>1 << self.bits) < 2 * count + 2:
            self.bits += 1
        columns = <int64_t *>allocated((<i64>1 << self.bits) // 2 * sizeof(int64_t))
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

    cdef i64 size(self) noexcept nogil:
        """How many slots there are."""
        return self.width if self.width else <i64>1 << self.bits

    cdef void number_all(self) noexcept nogil:
        """Let the numbers be the order of the columns."""
        cdef i64 k
        memset(self.slots, 0xFF, self.size() * sizeof(int))  # -1: free
        for k in range(self.count):
            self.slots[self.slot(self.columns[k])] = <int>k

    cdef void sort(self) noexcept nogil:
        """Number the columns from the first to the last."""
        cdef i64 s, k = 0
        if not self.width:
            qsort(self.columns, self.count, sizeof(int64_t), compare)
            self.number_all()
            return
        for s in range(self.width):  # without a branch that could not be foretold
            self.columns[k] = s
            self.slots[s] = <int>k if self.slots[s] >= 0 else -1
            k += self.slots[s] >= 0

    cdef int add(self, int64_t column) except -1:
        """Give a column a number, unless it has one."""
        cdef i64 s = self.slot(column)
        if self.slots[s] >= 0:
            return 0
        self.columns[self.count], self.slots[s] = column, <int>self.count
        self.count += 1
        if 2 * self.count + 2 > <i64>1 << self.bits:
            self.make_room(2 * self.count)
        return 0

    cdef bint add_places(self, Reader reader) except -1:
        """Add every place of a Compressed; whether all of them are columns."""
        cdef int64_t place
        cdef i64 e
        for e in range(reader.parts[1].shape[0]):
            place = reader.place(e)
            if not 0 <= place < reader.d:
                return False
            if self.slots[self.slot(place)] < 0:
                self.add(place)
        return True

    cdef list all(self):
        """The columns, by their numbers."""
        cdef i64 k
        return [self.columns[k] for k in range(self.count)]


cdef Numbering numbering_of(list columns, int64_t width, i64 entries):
    """The Numbering of these among so many columns, in their order; it will be asked for the places
    of so many numbers, each of which must be a column."""
    cdef Numbering numbering = Numbering()
    cdef int64_t column
    numbering.width = width if width // WIDE <= entries else 0
    numbering.make_room(len(columns))
    for column in columns:
        if numbering.width and not 0 <= column < width:
            raise IndexError(column)
        numbering.add(column)
    return numbering


def occurring(X):
    """(the columns of a Compressed in which it has numbers, in order, as a list; its places, each
    as its number among these, as an array of ints); None if a number of it stands in no column."""
    cdef Reader reader = Reader()
    cdef Numbering numbering
    cdef Py_buffer view
    cdef i64 e
    if not reader.open(X):
        return None
    numbering = numbering_of([], X.d, reader.parts[1].shape[0])
    if not numbering.add_places(reader):
        return None
    numbering.sort()
    places = array("i", [0]) * reader.parts[1].shape[0]
    PyObject_GetBuffer(places, &view, PyBUF_FORMAT | PyBUF_STRIDES)
    for e in range(reader.parts[1].shape[0]):
        (<int *>view.buf)[e] = <int>numbering.find(reader.place(e))
    PyBuffer_Release(&view)
    return numbering.all(), places


@cython.boundscheck(True)  # another thread may take numbers away meanwhile
def numbers_of_rows(list rows):
    """The starts, places and values of a Compressed of these sparse rows, as arrays; None unless
    they are of floats and of one length."""
    cdef Py_buffer views[2]
    cdef list columns, numbers, parts = []
    cdef i64 k, m = 0, count = 0
    for row in rows:
        columns, numbers = listed(row)
        parts.append((columns, numbers))
        count += len(numbers)
        if row.kept.width != rows[0].kept.width:
            return None
    starts, places, values = array("q", [0]), array("q", [0]) * count, array("d", [0.0]) * count
    PyObject_GetBuffer(places, &views[0], PyBUF_FORMAT | PyBUF_STRIDES)
    PyObject_GetBuffer(values, &views[1], PyBUF_FORMAT | PyBUF_STRIDES)
    try:
        for columns, numbers in parts:
            for k in range(min(len(columns), len(numbers))):
                v = numbers[k]
                if type(v) is not float:
                    if type(v) is not int or v:
                        return None
                elif <double>v != 0:
                    if m == count:
                        return None  # another thread has put more there meanwhile
                    (<int64_t *>views[0].buf)[m], (<double *>views[1].buf)[m] = columns[k], v
                    m += 1
            starts.append(m)
    finally:
        PyBuffer_Release(&views[0])
        PyBuffer_Release(&views[1])
    return starts, places[:m], values[:m]


cdef tuple listed(row):
    """(columns, numbers) of a sparse row, as lists of one length; with zeros, maybe."""
    columns, numbers = row.kept.places, row.numbers
    if type(columns) is type(numbers) is list and len(columns) == len(numbers):
        return columns, numbers
    items = list(row.items())
    return [k for k, _ in items], [v for _, v in items]
