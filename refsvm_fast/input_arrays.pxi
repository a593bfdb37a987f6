"""Rows of numbers as Python has them, read as doubles. Part of _table.pyx.

    buffer     memory that an array, a memoryview or a NumPy array shows: doubles, floats, integers
               or bools, in any order and with gaps (PEP 3118); read without a list in between
    sparse     a matrix of which only what is not zero is in memory: a Compressed (_compressed.py)
    plain      of numbers: doubles, and others that are doubles exactly

What is not plain is for the oracle to read, or to refuse.
"""

cdef const char *FORMAT_LETTERS = b"dfbhilqBHILQ?"  # of the formats that are read, as struct has them,
cdef const char *INDEX_LETTERS = b"ilq"  # and of those in which sparse matrices say where a number stands
cdef double TOO_LARGE = 2.0**53  # an integer of this size may be another one, rounded

ctypedef fused Place:
    int32_t
    int64_t

ctypedef fused Number:
    double
    float
    int8_t
    int16_t
    int32_t
    int64_t
    uint8_t
    uint16_t
    uint32_t
    uint64_t


cdef class Reader:
    """n rows of d numbers, asked for by index: of a buffer, a sparse matrix, a list of rows, or of
    another table."""

    def __dealloc__(self):
        release(self.wanted)
        if self.viewed:
            PyBuffer_Release(&self.view)
        while self.opened:
            self.opened -= 1
            PyBuffer_Release(&self.parts[self.opened])

    cdef bint open(self, object rows) except -1:
        """Let the rows be those of a Compressed; whether they can be read."""
        cdef int k
        self.n, self.d = rows.n, rows.d
        for part in (rows.starts, rows.places, rows.values):
            if not view_numbers(part, 1, &self.parts[self.opened]):
                return False
            self.opened += 1
        for k in range(2):
            if strchr(INDEX_LETTERS, self.parts[k].format[0]) == NULL:
                return False
        return self.parts[0].shape[0] == self.n + 1

    cdef i64 stored(self) noexcept nogil:
        """How many numbers a Compressed has, at most."""
        return min(self.parts[1].shape[0], self.parts[2].shape[0])

    cdef i64 count(self, i64 i) noexcept nogil:
        """How many numbers row i of a Compressed has; -1 if they are not there."""
        cdef i64 ends[2]
        return ends[1] - ends[0] if self.find(i, ends) else -1

    cdef bint find(self, i64 i, i64 *ends) noexcept nogil:
        """Find where row i of a Compressed begins and ends among all numbers; whether it does."""
        ends[0], ends[1] = whole_of_view(&self.parts[0], i), whole_of_view(&self.parts[0], i + 1)
        return 0 <= ends[0] <= ends[1] <= self.stored()

    cdef int64_t place(self, i64 e) noexcept nogil:
        """Where number e of a Compressed stands."""
        return whole_of_view(&self.parts[1], e)

    cdef bint tells_numbers(self) noexcept nogil:
        """Whether RowNumbers can read it: a Compressed, or a table that has its numbers by row."""
        if self.table is None:
            return self.opened
        return self.shift == NULL and self.table.by_row is not None

    cdef i64 add(self, i64 i, double *x, int *at) noexcept nogil:
        """Add the numbers of row i of a Compressed to x, which is zero, and write their places to
        `at`, unless that is NULL; how many numbers there are, or -1 if the row is not plain.

        Several numbers of a Compressed in one place are added up in their order, as toarray() does.
        It does so in their own type, so that there must not be several unless they are doubles.
        """
        cdef i64 ends[2]
        cdef double room[AT_A_TIME]
        cdef const double *value
        cdef bint doubles
        cdef i64 e, s, k, count
        doubles = self.parts[2].format[0] == b"d"
        if not self.find(i, ends):
            return -1
        for e in range(ends[0], ends[1], 64):  # AT_A_TIME
            count = min(<i64>AT_A_TIME, ends[1] - e)
            value = self.values(e, count, room)
            if value == NULL:
                return -1
            for s in range(count):
                if not 0 <= self.place(e + s) < self.d:
                    return -1
                k = <i64>self.place(e + s)
                if x[k] != 0 and not doubles:
                    return -1
                x[k] += value[s]
                if at != NULL:
                    at[e - ends[0] + s] = <int>k
        return ends[1] - ends[0]

    cdef const double *values(self, i64 e, i64 count, double *room) noexcept nogil:
        """So many numbers of a Compressed from e on: where they lie in memory, or else in the room;
        NULL if they are not plain."""
        cdef Py_buffer *values = &self.parts[2]
        if values.format[0] == b"d" and values.strides[0] == sizeof(double):
            return <const double *>values.buf + e
        return room if copied(values, e * values.strides[0], count, room) else NULL

    cdef bint add_products(self, i64 i, Numbering numbering, const double *w, i64 stride,
                           double *totals) noexcept nogil:
        """Add each number of row i of a Compressed times the weights of its feature to the totals;
        whether they are plain, and their places in order, from the first on or from the last.

        numbering: of the columns that are features; None: all are
        """
        cdef const int *slots = NULL if numbering is None or not numbering.width else numbering.slots
        cdef bint hashed = slots == NULL and numbering is not None, ascend
        cdef const double *alone = w if stride == 1 and not hashed else NULL
        cdef const char *place
        cdef const double *value
        cdef double room[AT_A_TIME]
        cdef double turned[AT_A_TIME]
        cdef i64 which[AT_A_TIME]
        cdef i64 ends[2]
        cdef int64_t last = -1
        cdef Py_ssize_t step = self.parts[1].strides[0]
        cdef i64 e, s, count, begin
        cdef bint falls
        if not self.find(i, ends):
            return False
        falls = ends[0] < ends[1] and self.place(ends[1] - 1) < self.place(ends[0])
        step = -step if falls else step
        for begin in range(ends[0], ends[1], 64):  # AT_A_TIME
            count = min(<i64>AT_A_TIME, ends[1] - begin)
            e = ends[0] + ends[1] - begin - count if falls else begin
            value = self.values(e, count, room)
            for s in range(count if falls and value != NULL else 0):
                turned[s] = value[count - 1 - s]
            if falls and value != NULL:
                value, e = turned, e + count - 1
            place = <const char *>self.parts[1].buf + e * self.parts[1].strides[0]
            if self.parts[1].itemsize == 4:
                ascend = take_places(<const int32_t *>place, step, count, self.d, &last, slots,
                                     which, value, alone, totals)
            else:
                ascend = take_places(<const int64_t *>place, step, count, self.d, &last, slots,
                                     which, value, alone, totals)
            if not ascend:
                return False
            for s in range(count if hashed else 0):
                which[s] = numbering.find(which[s])
            if alone == NULL:
                add_weighted(value, which, count, w, stride, totals)
        return True

    cdef i64 sum_products(self, i64 begin, i64 end, const double *w, double *sums) noexcept nogil:
        """Write for each row of a Compressed from `begin` on the sum of its numbers times the weights
        in their columns; the end, or the first row whose places neither rise nor fall. None is written
        where what there is does not lie as doubles, and as ints of one size, without gaps."""
        cdef const void *places = self.parts[1].buf
        cdef const void *starts = self.parts[0].buf
        cdef const double *value = <const double *>self.parts[2].buf
        cdef i64 size = self.parts[1].itemsize, stored = self.stored()
        if self.parts[0].itemsize != size or self.parts[2].format[0] != b"d":
            return begin
        if not self.parts[0].strides[0] == self.parts[1].strides[0] == size:
            return begin
        if self.parts[2].strides[0] != sizeof(double):
            return begin
        if size == 4:
            return sums_by_row(<const int32_t *>starts, <const int32_t *>places, value, begin, end,
                               stored, self.d, w, sums)
        return sums_by_row(<const int64_t *>starts, <const int64_t *>places, value, begin, end,
                           stored, self.d, w, sums)

    cdef const double *at(self, i64 i, double *x) except? NULL:
        """Row i: where it lies in memory, or else in x; NULL if it is not d plain numbers. They may
        be infinite, or NaN."""
        if self.in_place:
            return <const double *>self.view.buf + i * self.d
        if self.table is not None:
            self.table.row(self.wanted[i], x)
            self.shift_row(x)
        elif self.opened:
            memset(x, 0, self.d * sizeof(double))
            if self.add(i, x, NULL) < 0:
                return NULL
        elif self.viewed:
            if not copied(&self.view, i * self.view.strides[0], self.d, x):
                return NULL
        elif i >= len(self.sequence) or not read_numbers(self.sequence[i], self.d, x):
            return NULL  # another thread may have taken rows away meanwhile
        return x

    cdef void shift_row(self, double *x) noexcept nogil:
        """Take the shift off a row of a table. A number that would overflow stays as it is: its row
        is none that is trained on, since of those every difference is exact (problem_rows.py)."""
        cdef i64 k
        for k in range(self.d if self.shift != NULL else 0):
            if isfinite(x[k] - self.shift[k]):
                x[k] -= self.shift[k]

    cdef bint read(self, i64 i, double *x) except -1:
        """Write row i to x; whether it is d finite plain numbers."""
        cdef const double *row = self.at(i, x)
        cdef double sum = 0
        cdef i64 k
        if row == NULL:
            return False
        for k in range(self.d):
            x[k] = row[k]
            sum += row[k] * 0  # 0, and NaN as soon as one is not finite
        return sum == 0

    cdef int some_rows(self, i64 i, double *room, double **rows) except -1:
        """Find WIDTH rows from row i on, known to be plain: where they lie in memory, or else in
        the room; those after the last are zero."""
        cdef i64 q
        for q in range(WIDTH):
            rows[q] = room + q * self.d
            if i + q >= self.n:
                memset(rows[q], 0, self.d * sizeof(double))
            else:
                rows[q] = <double *>self.at(i + q, rows[q])
        return 0


cdef inline int64_t whole_of_view(const Py_buffer *view, i64 e) noexcept nogil:
    """Number e of a view of ints of 32 or 64 bits."""
    cdef const char *at = <const char *>view.buf + e * view.strides[0]
    return (<const int32_t *>at)[0] if view.itemsize == 4 else (<const int64_t *>at)[0]


cdef i64 sums_by_row(const Place *starts, const Place *places, const double *value, i64 begin,
                     i64 end, i64 stored, i64 d, const double *w, double *sums) noexcept nogil:
    """Reader.sum_products() of what lies so."""
    cdef i64 i, e, s, step, count
    cdef int64_t last, place
    cdef double sum
    for i in range(begin, end):
        if not 0 <= starts[i] <= starts[i + 1] <= stored:
            return i
        e, step, count = starts[i], 1, starts[i + 1] - starts[i]
        if count > 0 and places[e + count - 1] < places[e]:  # as scipy's products leave them
            e, step = e + count - 1, -1
        sum, last = 0, -1
        for s in range(count):
            place = places[e]
            if not last < place < d:
                return i
            last = place
            sum += w[place] * value[e]
            e += step
        sums[i - begin] = sum
    return end


cdef void add_weighted(const double *value, const i64 *which, i64 count, const double *w, i64 stride,
                       double *totals) noexcept nogil:
    """Add so many numbers, each times the weights of a feature, to the totals."""
    cdef i64 s
    if stride > 1:
        loops().weigh(totals, value, w, which, count, stride)
    for s in range(count if stride == 1 else 0):
        totals[0] += w[which[s]] * value[s]


cdef bint take_places(const Place *first, Py_ssize_t step, i64 count, i64 d, int64_t *last,
                      const int *slots, i64 *which, const double *value, const double *w,
                      double *total) noexcept nogil:
    """Write so many places that are `step` bytes apart, or what stands in their slots, and add the
    products of the values with w there, unless that is NULL; whether each place is more than the
    last one, and less than d."""
    cdef int64_t place, before = last[0]
    cdef double sum = total[0]
    cdef i64 s, k
    for s in range(count if value != NULL else 0):
        place = (<const Place *>(<const char *>first + s * step))[0]
        if not before < place < d:
            return False
        before = place
        k = <i64>place if slots == NULL else slots[place]
        if w != NULL:
            sum += w[k] * value[s]
        else:
            which[s] = k
    last[0], total[0] = before, sum
    return value != NULL


cdef int compare_entries(const void *a, const void *b) noexcept nogil:
    cdef const Entry *first = <const Entry *>a
    cdef const Entry *second = <const Entry *>b
    if first.place == second.place:
        return (first.order > second.order) - (first.order < second.order)
    return (first.place > second.place) - (first.place < second.place)


cdef i64 entries_of(Reader reader, i64 i, Entry *row) noexcept nogil:
    """Write the numbers of row i of a Compressed in the order of their places; how many there are,
    or -1 if they are not plain and finite. Several in one place are added up as by Reader.add."""
    cdef double room[AT_A_TIME]
    cdef const double *value
    cdef i64 ends[2]
    cdef i64 e, s, count, m = 0
    cdef bint ascend = True
    if not reader.find(i, ends):
        return -1
    for e in range(ends[0], ends[1], 64):  # AT_A_TIME
        count = min(<i64>AT_A_TIME, ends[1] - e)
        value = reader.values(e, count, room)
        if value == NULL:
            return -1
        for s in range(count):
            row[m].place, row[m].value, row[m].order = reader.place(e + s), value[s], m
            if not 0 <= row[m].place < reader.d:
                return -1
            ascend = ascend and (m == 0 or row[m - 1].place < row[m].place)
            m += 1
    if not ascend:
        qsort(row, m, sizeof(Entry), compare_entries)
        m = added_up(row, m, reader.parts[2].format[0] == b"d")
    for e in range(m if m > 0 else 0):
        if not fabs(row[e].value) < INFINITY:
            return -1
    return m


cdef i64 added_up(Entry *row, i64 count, bint doubles) noexcept nogil:
    """Add up the numbers in one place; how many are left, or -1 if others than doubles would be."""
    cdef i64 e, m = 0
    for e in range(count):
        if m > 0 and row[m - 1].place == row[e].place:
            if not doubles:
                return -1
            row[m - 1].value += row[e].value
        else:
            row[m] = row[e]
            m += 1
    return m


cdef bint is_buffer(object values):
    """Whether these are numbers in memory, of a type whose tolist() gives just those.

    The type is asked by name, so that NumPy is not imported; a subclass may mean other numbers.
    """
    cls = type(values)
    if cls is memoryview:
        return True
    return cls.__name__ in ("array", "ndarray") and cls.__module__ in ("array", "numpy")


cdef bint view_numbers(object values, int dimensions, Py_buffer *view) except -1:
    """Open a view of a buffer of so many dimensions that can be read; whether it must be released,
    as there is one."""
    if not is_buffer(values):
        return False
    try:
        PyObject_GetBuffer(values, view, PyBUF_FORMAT | PyBUF_STRIDES)
    except (BufferError, ValueError, TypeError):
        return False
    if view.ndim == dimensions and is_known(view):
        return True
    PyBuffer_Release(view)
    return False


cdef bint is_known(Py_buffer *view) noexcept nogil:
    """Whether the format is one that is read, and each number lies at a multiple of its size, as C
    asks."""
    cdef const char *format = view.format
    cdef Py_ssize_t odd
    cdef int k
    if format == NULL or format[0] == 0 or format[1] != 0 or strchr(FORMAT_LETTERS, format[0]) == NULL:
        return False
    odd = <Py_ssize_t>view.buf % view.itemsize  # which is 0 of some formats that are not read
    for k in range(view.ndim):
        odd |= view.strides[k] % view.itemsize
    return odd == 0


cdef bint copied(Py_buffer *view, Py_ssize_t begin, i64 n, double *x) noexcept nogil:
    """Write n numbers of a view to x: along its last dimension, from byte `begin` on. Whether all
    are plain."""
    cdef const char *first = <const char *>view.buf + begin
    cdef Py_ssize_t step = view.strides[view.ndim - 1], size = view.itemsize
    cdef char letter = view.format[0]
    cdef i64 k
    if letter == b"d":
        spread(<const double *>first, step, n, x)
    elif letter == b"f":
        spread(<const float *>first, step, n, x)
    elif letter > b"Z":  # signed: those of the others are capitals, but for bools
        if size == 1:
            spread(<const int8_t *>first, step, n, x)
        elif size == 2:
            spread(<const int16_t *>first, step, n, x)
        elif size == 4:
            spread(<const int32_t *>first, step, n, x)
        else:
            spread(<const int64_t *>first, step, n, x)
    elif size == 1:
        spread(<const uint8_t *>first, step, n, x)
    elif size == 2:
        spread(<const uint16_t *>first, step, n, x)
    elif size == 4:
        spread(<const uint32_t *>first, step, n, x)
    else:
        spread(<const uint64_t *>first, step, n, x)
    for k in range(n if letter == b"?" else 0):
        x[k] = x[k] != 0
    for k in range(n if size == 8 and letter != b"d" else 0):
        if not -TOO_LARGE < x[k] < TOO_LARGE:
            return False
    return True


cdef void spread(const Number *first, Py_ssize_t step, i64 n, double *x) noexcept nogil:
    """Write n numbers that are `step` bytes apart to x."""
    cdef i64 k
    for k in range(n):
        x[k] = <double>(<const Number *>(<const char *>first + k * step))[0]


cdef bint read_numbers(object row, i64 d, double *x) except -1:
    """Write a row of d numbers, a list, a tuple or a buffer, to x; whether they are plain."""
    cdef Py_buffer view
    cdef bint plain
    cdef int beyond = 0
    cdef i64 k
    if type(row) is not list and type(row) is not tuple:
        if not view_numbers(row, 1, &view):
            return False
        plain = view.shape[0] == d and copied(&view, 0, d, x)
        PyBuffer_Release(&view)
        return plain
    if len(row) != d:
        return False
    for k in range(d):
        value = row[k]
        if type(value) is float or type(value) is bool:
            x[k] = value
        elif type(value) is int:
            x[k] = <double>PyLong_AsLongLongAndOverflow(value, &beyond)
            if beyond or not -TOO_LARGE < x[k] < TOO_LARGE:
                return False
        else:
            return False
    return True


cdef long length_read(object row) except -1:
    """How many numbers a row has, of the types that read_numbers reads; 0 of any other, whose own
    __len__ may say anything."""
    cdef Py_buffer view
    cdef long d
    if type(row) is list or type(row) is tuple:
        return len(row)
    if not view_numbers(row, 1, &view):
        return 0
    d = view.shape[0]
    PyBuffer_Release(&view)
    return d


cpdef bint are_same(object known, object given, int levels=3) except -1:
    """Whether these are the same object, or lists of the same objects, or lists of such lists, up to
    so many levels."""
    cdef list first, second
    cdef i64 k
    if known is given or levels == 0 or type(known) is not list or type(given) is not list:
        return known is given
    first, second = known, given
    if len(first) != len(second):
        return False
    for k in range(len(first)):
        if first[k] is second[k]:
            continue
        if type(first[k]) is not list or not are_same(first[k], second[k], levels - 1):
            return False
    return True


cdef Reader reader_of(object X):
    """A Reader of X: numbers in memory, a Compressed, or a list or tuple of rows; None for
    anything else."""
    cdef Reader reader = Reader()
    if view_numbers(X, 2, &reader.view):
        reader.viewed = True
        reader.n, reader.d = reader.view.shape[0], reader.view.shape[1]
        reader.in_place = reader.view.format[0] == b"d"
        reader.in_place = reader.in_place and PyBuffer_IsContiguous(&reader.view, b"C")
    elif type(X) is Compressed:
        if not reader.open(X):
            return None
    elif (type(X) is list or type(X) is tuple) and len(X):
        reader.sequence = X
        reader.n, reader.d = len(X), length_read(X[0])
    return reader if reader.n > 0 and reader.d > 0 else None


cpdef bint readable(object X) except -1:
    """Whether X looks like rows that a Table can be made of."""
    return reader_of(X) is not None
