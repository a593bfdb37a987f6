# Sparse rows on their way to training: of each a list of what is not zero. Part of _table.pyx.
#
# A Table of a text takes longer to make than a few passes over its numbers. Dual coordinate descent
# reads rows one by one, and nothing else: so of a Compressed lists are made first, and a Table of
# these only when it is asked for (PackedRows.given).
#
# The list of a row has room for a number more, in the place behind all features: the constant that
# makes an offset (constant_feature.py), or zero. Then zeros, in the places after that, fill it up to
# a multiple of FILLED, as _online.pyx says why.


@cython.final
cdef class ListedRows:
    """Rows of which fewer than one number in SPARSE_RATIO is not zero. Made by listed_rows() only."""

    def __dealloc__(self):
        if self.owner is None:
            release(self.first)
            release(self.end)
            release(self.places)
            release(self.values)

    def __len__(self):
        return self.n

    def row_length(self):
        """How many numbers a row has."""
        return self.d if self.columns is None else self.columns.width + (self.constant != 0)

    def most_numbers(self):
        """How many of a row are not zero, at most."""
        cdef Py_ssize_t most = 0
        cdef i64 i
        for i in range(self.n):
            most = max(most, self.end[i] - self.first[i])
        return most + (self.constant != 0)

    @property
    def kept(self):
        """Which columns of the rows given the features are; None: all. Made when it is asked for."""
        if self.columns is None or self.constant == 0:
            return self.columns
        return KeptColumns([*self.columns.places, self.columns.width], self.columns.width + 1)

    def __getitem__(self, i64 i):
        """Row i as a list of floats, as it was given; sparse if columns are left out."""
        cdef Py_ssize_t p
        if not 0 <= i < self.n:
            raise IndexError(i)
        places = [self.places[p] for p in range(self.first[i], self.end[i])]
        numbers = [self.values[p] for p in range(self.first[i], self.end[i])]
        if self.constant != 0:
            places.append(self.d - 1)
            numbers.append(self.constant)
        (row,) = rows_from([(places, numbers)], self.d)
        return list(row) if self.columns is None else widened(self.kept, row)

    cdef int make_room(self, i64 n, i64 count) except -1:
        """Let there be memory for n rows of so many numbers, and what follows them."""
        self.n = n
        self.first = <Py_ssize_t *>allocated((n + 1) * sizeof(Py_ssize_t))
        self.end = <Py_ssize_t *>allocated(n * sizeof(Py_ssize_t))
        self.places = <int *>allocated((count + FILLED * n) * sizeof(int))
        self.values = <double *>allocated((count + FILLED * n) * sizeof(double))
        self.first[0] = 0
        return 0

    cdef Py_ssize_t fill_up(self, i64 i, Py_ssize_t p) noexcept nogil:
        """End row i at p, but for what follows its numbers; where the next row begins."""
        self.end[i] = p
        self.first[i + 1] = (p + FILLED) // FILLED * FILLED
        for p in range(p, self.first[i + 1]):
            self.places[p], self.values[p] = <int>(self.features() + p - self.end[i]), 0
        return self.first[i + 1]

    cdef i64 features(self) noexcept nogil:
        """How many there are without the constant."""
        return self.d - (self.constant != 0)

    cdef void put_constant(self) noexcept nogil:
        """Let the number behind each row be the constant."""
        cdef i64 i
        for i in range(self.n):
            self.values[self.end[i]] = self.constant

    def with_constant(self, double s):
        """The same rows, in the same memory, with s behind each: only one of both is to be used."""
        cdef ListedRows longer = ListedRows()
        longer.n, longer.d, longer.constant, longer.owner = self.n, self.d + 1, s, self
        longer.first, longer.end = self.first, self.end
        longer.places, longer.values = self.places, self.values
        longer.columns = self.columns
        return longer

    def at(self, list wanted):
        """The rows with these indices; one may come twice."""
        cdef ListedRows part = ListedRows()
        cdef Py_ssize_t p = 0, size, count = 0
        cdef i64 i, l
        for i in wanted:
            if not 0 <= i < self.n:
                raise IndexError(i)
            count += self.end[i] - self.first[i]
        part.make_room(len(wanted), count)
        part.d, part.constant, part.columns = self.d, self.constant, self.columns
        for l, i in enumerate(wanted):
            size = self.end[i] - self.first[i]
            memcpy(part.places + p, self.places + self.first[i], size * sizeof(int))
            memcpy(part.values + p, self.values + self.first[i], size * sizeof(double))
            p = part.fill_up(l, p + size)
        return part

    def table(self):
        """The Table of these rows."""
        cdef RowNumbers numbers = RowNumbers()
        cdef Table table = Table()
        cdef Py_ssize_t size
        cdef i64 i
        if self.n == 0:
            raise IndexError(0)
        numbers.d = self.features()
        numbers.make_room(self.n, self.first[self.n])
        for i in range(self.n):
            size = self.end[i] - self.first[i]
            memcpy(numbers.feature + numbers.first[i], self.places + self.first[i],
                   size * sizeof(int))
            memcpy(numbers.value + numbers.first[i], self.values + self.first[i],
                   size * sizeof(double))
            numbers.first[i + 1] = numbers.first[i] + size
        measure(table, self.n, numbers.d)
        place_numbers(table, numbers)
        take_norms(table)
        table.kept = self.columns
        return table if self.constant == 0 else with_constant(table, self.constant)


cdef bint list_rows(ListedRows rows, Reader reader, const Place *place, const double *value,
                    unsigned char *occurs, bint *ascend) noexcept nogil:
    """List the rows of a Compressed, and note which columns occur, and whether all are in order;
    whether no number is zero or infinite."""
    cdef i64 ends[2]
    cdef i64 i, e
    cdef Py_ssize_t p = 0
    cdef int64_t k, last
    cdef bint fine = True
    for i in range(reader.n):
        if not reader.find(i, ends):
            return False
        last = -1
        for e in range(ends[0], ends[1]):
            k = place[e]
            if not 0 <= k < reader.d:
                return False
            ascend[0] &= last < k
            occurs[k] = 1
            rows.places[p], rows.values[p], last = <int>k, value[e], k
            fine &= 0 < fabs(value[e]) < INFINITY
            p += 1
        p = rows.fill_up(i, p)
    return fine


cdef bint put_in_order(ListedRows rows) except -1:
    """Put the numbers of each row in the order of their columns, by way of a list of each column;
    whether no column comes twice in a row."""
    cdef i64 *next_ = <i64 *>allocated((rows.d + 1) * sizeof(i64))  # where each column goes on
    cdef i64 *row = NULL
    cdef double *value = NULL
    cdef Py_ssize_t e = 0, p
    cdef i64 i, k
    cdef bint fine = True
    memset(next_, 0, (rows.d + 1) * sizeof(i64))
    try:
        row = <i64 *>allocated(rows.first[rows.n] * sizeof(i64))
        value = <double *>allocated(rows.first[rows.n] * sizeof(double))
        for i in range(rows.n):
            for p in range(rows.first[i], rows.end[i]):
                next_[rows.places[p] + 1] += 1
        for k in range(rows.d):
            next_[k + 1] += next_[k]
        for i in range(rows.n):
            for p in range(rows.first[i], rows.end[i]):
                k = rows.places[p]
                row[next_[k]], value[next_[k]] = i, rows.values[p]
                next_[k] += 1
            rows.end[i] = rows.first[i]
        for k in range(rows.d):
            for e in range(e, next_[k]):
                p = rows.end[row[e]]
                fine &= p == rows.first[row[e]] or rows.places[p - 1] != k
                rows.places[p], rows.values[p] = <int>k, value[e]
                rows.end[row[e]] += 1
            e = next_[k]
        return fine
    finally:
        release(next_)
        release(row)
        release(value)


cdef list number_columns(ListedRows rows, const unsigned char *occurs, i64 width):
    """Leave out the columns that do not occur; those that do."""
    cdef int *number = <int *>allocated(width * sizeof(int))
    cdef list columns = []
    cdef Py_ssize_t p
    cdef i64 i, k, count = 0
    for k in range(width):  # without a branch that could not be foretold
        number[k] = <int>count
        count += occurs[k]
    rows.d = count
    with nogil:
        for i in range(rows.n):
            for p in range(rows.first[i], rows.end[i]):
                rows.places[p] = number[rows.places[p]]
            rows.fill_up(i, rows.end[i])
    release(number)
    for k in range(width):
        if occurs[k]:
            columns.append(k)
    return columns


def listed_rows(X):
    """The ListedRows of a Compressed of doubles, each row with few numbers, in any order; None of
    any other. Columns that occur nowhere are left out, as by narrowed()."""
    cdef Reader reader = Reader()
    cdef ListedRows rows = ListedRows()
    cdef Py_buffer *places = &reader.parts[1]
    cdef Py_buffer *values = &reader.parts[2]
    cdef unsigned char *occurs = NULL
    cdef bint fine, leaves_out, ascend = True
    cdef i64 stored
    if not reader.open(X) or values.format[0] != b"d":
        return None
    stored, leaves_out = reader.stored(), X.thin or mostly_zero(X.n, X.d, len(X.values))
    if stored == 0 or reader.d > INT_MAX - FILLED or reader.d // WIDE > stored:
        return None
    if not PyBuffer_IsContiguous(places, b"C") or not PyBuffer_IsContiguous(values, b"C"):
        return None
    try:
        occurs = <unsigned char *>allocated(reader.d)
        memset(occurs, 0, reader.d)
        rows.make_room(reader.n, stored)
        rows.d = reader.d
        if places.itemsize == 4:
            fine = list_rows(rows, reader, <const int32_t *>places.buf, <double *>values.buf, occurs,
                             &ascend)
        else:
            fine = list_rows(rows, reader, <const int64_t *>places.buf, <double *>values.buf, occurs,
                             &ascend)
        if not fine:
            return None
        if leaves_out:
            rows.columns = KeptColumns(number_columns(rows, occurs, reader.d), reader.d)
        if not ascend and not put_in_order(rows):
            return None
        return rows if SPARSE_RATIO * stored < <double>rows.n * rows.d else None
    finally:
        release(occurs)
