"""The training set in memory: n examples of d numbers, packed so that loops can run over examples.

The oracle keeps rows as lists. Here they are cut into blocks of 256 examples, and inside a block
they are stored by feature (refsvm/kernels/columns.py does so for all examples at once):

    column   a feature with few zeros: its value for each example of the block, 2 kB
    list     a feature with many: the values that are not zero, each with its spot in the block

Throughout the table a feature is one or the other. A total receives its terms in the order of the
features, as in the oracle. Of a list only what is not zero is touched: a product with zero adds
nothing, and (x - 0)(x - 0) is x x.

Where all numbers are multiples of one power of two and not too large (0 and 1, say, or pixels),
no sum of products rounds, in whatever order it is added: then |x - z|^2 is <x, x> + <z, z> -
2 <x, z>, to the last bit, and only what is not zero in x is looked at (`exact`).

    x          the one row that is asked about (a Query), z one of the examples
    totals     a block's running sums              m    how many queries share a sweep
    width      numbers in a column of a block: BLOCK; in the last block fewer, a multiple of WIDTH,
               of which those after the last example are zero
    p          the place of a feature: column p of every block if p >= 0, else list -1 - p
    first      of a block: where its lists begin; the entries of list -1 - p are those from
               first[-1 - p] up to first[-p]
    e          an entry of a list: values[e], of the example in spots[e] of its block
    shift      what was taken off each feature (column_shift.py); then the table is shifted
    common_unit      the largest power of two that divides every number of a table
    reach      no norm is larger: the sum over features of the largest square

row_numbers.pxi is part of this module, and so are input_arrays.pxi, narrowing.pxi,
listed_rows.pxi and class_members.pxi: rows and labels as Python has them. Where range() has a step it is
written as a number, beside its name, because Cython makes a loop of C of no other.
"""

cimport cython
from cpython.buffer cimport PyBUF_FORMAT, PyBUF_STRIDES, PyBuffer_IsContiguous
from cpython.buffer cimport PyBuffer_Release, PyObject_GetBuffer
from cpython.long cimport PyLong_AsLongLongAndOverflow
from libc.math cimport INFINITY, NAN, fabs, floor, isfinite
from libc.limits cimport INT_MAX
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport qsort
from libc.string cimport memchr, memcpy, memset, strchr

from .loops cimport BLOCK, FINER, NOT_FINITE, PADDED, WIDTH, Loops, _loops, refsvm_loops
from .loops cimport i64, refsvm_room, refsvm_smaller, release
from ._compressed import Compressed
from array import array
from refsvm.numerics.sparse_rows import KeptColumns, mostly_zero, rows_from, widened

cdef extern from "Python.h":
    Py_ssize_t PY_SSIZE_T_MAX

cdef enum:
    SPARSE = 8  # a feature becomes a list if fewer than one of its values in so many is not zero
    FULL = 8    # x is multiplied whole, zeros and all, if these are fewer than one in so many
    NEAR = 8    # columns of a full block that stay in the nearest cache: 16 kB beside 16 of totals
    AT_ONCE = 64  # features of one row that are read before those of the next row
    SPARSE_RATIO = 4     # a table has few numbers if these are fewer than one in so many: see fill_numbers
    NEXT = 4    # so near to the median it is sought among the neighbours of the pivot


cdef const Loops *loops() noexcept nogil:
    """The inner loops in use."""
    return _loops


def product_and_sum(double a, double b, double c):
    """a * b + c, for refsvm/numerics/roundings.py."""
    return a * b + c


def choose(name=None):
    """Use the inner loops of this name ("baseline", "avx2", "avx512"); the best for None.

    The name of those in use; None if this processor or this build has none of that name.
    """
    global _loops
    cdef bytes asked = b"" if name is None else name.encode()
    cdef const char *wanted = asked
    cdef const Loops *found = refsvm_loops(NULL) if name is None else refsvm_loops(wanted)
    if found == NULL:
        return None
    _loops = found
    return in_use()


def in_use():
    """The name of the inner loops in use. For tests, too: all of them give the same bits."""
    return loops().name.decode()


cdef class Queries:
    """Room for queries to tables of d features. Made by queries_for() only."""

    def __dealloc__(self):
        release(self.query)
        release(self.numbers)
        release(self.places)
        release(self.at)


cdef Queries queries_for(int m, i64 d):
    """Room for m queries to tables of d features."""
    cdef Queries room = Queries()
    cdef int q
    room.query = <Query *>allocated(m * sizeof(Query))
    room.numbers = <double *>allocated(2 * m * d * sizeof(double))
    room.places = <i64 *>allocated(2 * m * d * sizeof(i64))
    room.at = <int *>allocated(m * d * sizeof(int))
    for q in range(m):
        room.query[q].x = room.numbers + 2 * q * d
        room.query[q].until = room.places + 2 * q * d
        room.query[q].known, room.query[q].at = -1, room.at + q * d
        room.query[q].outside = 0
    return room


cdef void pick_up(double *out, const double *values, i64 step, i64 n) noexcept nogil:
    """n values that are so many steps apart."""
    cdef i64 l
    for l in range(n):
        out[l] = values[l * step]


cdef class Table:
    """See the module. Python gets one from packed() only.

    Where a table is shifted, its numbers are stored less the shift, and are computed with as they
    are stored; but Python sees the rows as they were given.
    """

    def __dealloc__(self):
        release(self.place)
        release(self.feature)
        release(self.columns)
        release(self.norms)
        if self.owner is None:
            release(self.first)
            release(self.spots)
            release(self.values)

    def __len__(self):
        return self.n

    cdef int remember(self, tuple shift) except -1:
        """Take note of what was taken off each feature."""
        cdef i64 k
        self.shift = shift
        self.shifting = [k for k in range(self.d) if self.taken_off(k) != 0]
        return 0

    def row_length(self):
        """How many numbers a row has."""
        return self.d if self.kept is None else self.kept.width

    def most_numbers(self):
        """How many of a row are not zero, at most, as they are stored; or as many as half of its
        length, which is enough for most_terms()."""
        cdef i64 count[BLOCK]
        cdef i64 block, l, half = (self.row_length() + 1) // 2, most = 0
        for block in range(self.blocks):
            memset(count, 0, sizeof(count))
            self.count_numbers(block, count)
            for l in range(BLOCK):
                most = max(most, count[l])
            if most >= half:
                break
        return most

    cdef void count_numbers(self, i64 block, i64 *counts) noexcept nogil:
        """Add to counts how many numbers of each row of a block are not zero."""
        cdef const double *column = columns_of(self, block)
        cdef const i64 *list_ = lists_of(self, block)
        cdef i64 p, e, width = self.width(block)
        for p in range(self.dense):
            for e in range(min(<i64>BLOCK, self.n - block * BLOCK)):
                counts[e] += column[p * width + e] != 0
        for e in range(list_[0], list_[self.scattered]):
            counts[self.spots[e]] += self.values[e] != 0

    def __getitem__(self, i64 i):
        """Row i as a list of floats, as it was given; sparse if columns are left out."""
        self.require([i])
        return widened(self.kept, self.floats(i, self.shift))

    cdef int require(self, list places) except -1:
        """Refuse places where no row is."""
        cdef i64 i
        for i in places:
            if not 0 <= i < self.n:
                raise IndexError(i)
        return 0

    def at(self, list wanted):
        """The Table of the rows with these indices, as they are stored; one may come twice."""
        cdef Table part
        self.require(wanted or [0])
        # For few rows it is quicker to write each out and pack it than to go through all lists.
        if self.is_very_sparse() and len(wanted) < self.n:
            part = filled(reader_at(self, wanted))
        elif self.n * self.listed() <= 2 * len(wanted) * self.d:
            part = gathered(self, wanted)
        else:
            part = filled(reader_at(self, wanted))
        part.shift, part.shifting, part.kept = self.shift, self.shifting, self.kept
        return part

    def rows(self):
        """The rows as lists of floats, as they were given; sparse if columns are left out."""
        return [widened(self.kept, point) for point in self.points()]

    def points(self):
        """The rows as lists of floats, as they were given, but for the columns left out."""
        cdef i64 i
        return [self.floats(i, self.shift) for i in range(self.n)]

    def entries_at(self, list wanted):
        """(the columns, the numbers) that are not zero in the rows with these indices, which
        differ: a list for each row; in one pass over all lists, where a row would look into each.
        None of rows that are not nearly all zero, or shifted where they are."""
        cdef i64 block, k, e
        cdef i64 *index = NULL  # of a row: which of those wanted it is, or -1
        cdef const double *column
        cdef const i64 *list_
        cdef list places = [], numbers = []
        if self.kept is None or self.n == 0:
            return None
        self.require(wanted)
        k = self.padded * self.dense + self.first[self.blocks * self.scattered]
        if not mostly_zero(self.n, self.d, k):
            return None
        for k in range(self.d):
            if self.place[k] < 0 and self.taken_off(k) != 0:
                return None
        index = <i64 *>allocated(self.blocks * BLOCK * sizeof(i64))
        memset(index, 0xFF, self.blocks * BLOCK * sizeof(i64))
        for i in wanted:
            index[<i64>i] = len(places)
            places.append([])
            numbers.append([])
        for block in range(self.blocks):
            for k in range(self.d):
                if self.place[k] >= 0:
                    column = columns_of(self, block) + self.place[k] * self.width(block)
                    for e in range(self.width(block)):
                        note(index[block * BLOCK + e], k,
                             given_back(column[e], self.taken_off(k)), places, numbers)
                else:
                    list_ = lists_of(self, block) - 1 - self.place[k]
                    for e in range(list_[0], list_[1]):
                        note(index[block * BLOCK + self.spots[e]], k, self.values[e], places,
                             numbers)
        release(index)
        return places, numbers

    def stored_rows(self):
        """The rows as lists of floats, as they are stored."""
        cdef i64 i
        return [self.floats(i, None) for i in range(self.n)]

    cdef Numbering columns_kept(self):
        """The Numbering of the columns kept, made once; None if all are."""
        cdef Numbering made
        if self.numbering is None and self.kept is not None:
            places = list(self.kept.places)
            made = numbering_of(places, self.kept.width, len(places))
            with cython.critical_section(self):  # of two that were made at once, one stays for ever
                if self.numbering is None:
                    self.numbering = made
        return self.numbering

    cdef object floats(self, i64 i, tuple shift):
        """Row i as a list of floats, with the shift added to it unless that is None; as a sparse
        row if columns are left out, and it is nearly all zero without them, too.

        All zeros are one float object, and so are equal neighbours: rows have many zeros, and to
        make a float costs more than all the rest.
        """
        cdef double *x = <double *>allocated(self.d * sizeof(double))
        cdef object zero = 0.0, last = zero
        cdef list found = [zero] * self.d, places = [], numbers = []
        cdef uint64_t bits = 0, seen = 0
        cdef i64 k
        self.row(i, x)
        for k in range(0 if shift is None else self.d):
            x[k] = given_back(x[k], shift[k])
        for k in range(self.d):
            memcpy(&bits, x + k, 8)
            if bits == 0:
                continue
            if bits != seen:
                last, seen = x[k], bits
            found[k] = last
            if self.kept is not None and x[k] != 0:
                places.append(k)
                numbers.append(last)
        release(x)
        if self.kept is not None and mostly_zero(1, self.d, len(places)):
            return rows_from([(places, numbers)], self.d)[0]
        return found

    cdef double taken_off(self, i64 k):
        """What was taken off feature k; 0 if nothing was."""
        return 0 if self.shift is None else self.shift[k]

    cdef i64 width(self, i64 block) noexcept nogil:
        """How many examples a column of this block holds, those that fill it up included."""
        return min(BLOCK, self.padded - block * BLOCK)

    cdef double listed(self) noexcept nogil:
        """How many entries of lists an example has, on average."""
        return self.first[self.blocks * self.scattered] / <double>self.n

    cdef i64 cost(self) noexcept nogil:
        """How many cycles, about, a kernel value of an example takes."""
        # Three operations a number, two of them at once, by lanes; about two cycles for an entry of
        # a list, and some ten for what a formula makes of a sum.
        cdef double columns = 1.5 * self.dense / loops().width
        return <i64>(10 + columns + 2 * self.listed())

    cdef i64 near_columns(self, i64 block) noexcept nogil:
        """How many columns of this block stay in the nearest cache."""
        return NEAR * (BLOCK // self.width(block))

    cdef i64 near_features(self, i64 block) noexcept nogil:
        """How many features do, columns and lists as they come."""
        return <i64>(self.near_columns(block) * self.d / max(1.0, self.dense + self.listed()))

    cdef void row(self, i64 i, double *x) noexcept nogil:
        """Write row i to x."""
        self.some_rows(&i, 1, &x)

    cdef void some_rows(self, const i64 *wanted, int m, double **x) noexcept nogil:
        """Write m <= WIDTH rows to x, some features of each in turn: rows of one block have their
        numbers in the same lines of memory."""
        cdef const double *number[WIDTH]  # of each row: its number in column 0,
        cdef i64 step[WIDTH]              # how far it is from there to that in the next column,
        cdef i64 block, k, p, end
        cdef int q
        for q in range(m):
            block = wanted[q] // BLOCK
            number[q] = columns_of(self, block) + wanted[q] % BLOCK
            step[q] = self.width(block)
        if self.scattered == 0:
            for k in range(0, self.d, 64):  # AT_ONCE
                end = min(self.d, k + AT_ONCE)
                for q in range(m):
                    pick_up(x[q] + k, number[q] + k * step[q], step[q], end - k)
            return
        for q in range(m):
            self.lists_at(wanted[q] // BLOCK, wanted[q] % BLOCK, x[q])
        for p in range(self.dense):
            for q in range(m):
                x[q][self.feature[p]] = number[q][p * step[q]]

    cdef void lists_at(self, i64 block, i64 spot, double *x) noexcept nogil:
        """Write to x what an example has in the lists of its block, and zeros beside it."""
        cdef i64 list_ = 0, e = self.next_entry(lists_of(self, block)[0], block, spot)
        memset(x, 0, self.d * sizeof(double))
        while e < lists_of(self, block)[self.scattered]:
            list_ = self.list_with(e, block, list_)
            x[self.feature[self.dense + list_]] = self.values[e]
            e = self.next_entry(lists_of(self, block)[list_ + 1], block, spot)

    cdef i64 list_with(self, i64 e, i64 block, i64 low) noexcept nogil:
        """The list of a block that entry e is in, `low` or a later one. It is sought by halves:
        an example has far fewer entries than there are lists."""
        cdef const i64 *first = lists_of(self, block)
        cdef i64 high = self.scattered, middle  # first[low] <= e < first[high]
        while high - low > 1:
            middle = (low + high) // 2
            if first[middle] <= e:
                low = middle
            else:
                high = middle
        return low

    cdef void add_row(self, i64 i, double t, double *w) noexcept nogil:
        """Add t times example i to w."""
        cdef i64 block = i // BLOCK, spot = i % BLOCK, width = self.width(block), list_ = 0, p, e
        cdef i64 end = lists_of(self, block)[self.scattered]
        cdef const double *columns = columns_of(self, block) + spot
        for p in range(self.dense):
            w[self.feature[p]] += t * columns[p * width]
        e = self.next_entry(lists_of(self, block)[0], block, spot)
        while e < end:
            list_ = self.list_with(e, block, list_)
            w[self.feature[self.dense + list_]] += t * self.values[e]
            e = self.next_entry(lists_of(self, block)[list_ + 1], block, spot)

    cdef bint is_very_sparse(self) noexcept nogil:
        """Whether there are more lists than numbers, so that rows are quicker to go through."""
        cdef double lists = <double>self.blocks * self.scattered
        return lists > <double>self.padded * self.dense + self.first[self.blocks * self.scattered]

    cdef int number_rows(self) except -1:
        """Let its numbers be there row after row, too."""
        if self.by_row is None:
            self.by_row = RowNumbers(self)
        return 0

    cdef i64 next_entry(self, i64 e, i64 block, i64 spot) noexcept nogil:
        """The next entry of an example in the lists of its block, from e on; or their end."""
        cdef i64 end = self.first[(block + 1) * self.scattered]
        cdef void *found = memchr(self.spots + e, <int>spot, end - e)
        return end if found == NULL else <unsigned char *>found - self.spots

    cdef double *shift_column(self, i64 k, i64 block, double c, double *room) noexcept nogil:
        """Take c off feature k of each example of a block; where the column lies then: a list, for
        which c must be 0.0, is written to `room`."""
        cdef i64 width = self.width(block), p = self.place[k], l
        if p < 0:
            self.column(k, block, room)
            return room
        room = columns_of(self, block) + p * width
        for l in range(min(width, self.n - block * BLOCK)):
            room[l] -= c
        return room

    cdef void column(self, i64 k, i64 block, double *out) noexcept nogil:
        """Write feature k of each example of a block to out, `width` numbers."""
        cdef i64 width = self.width(block), p = self.place[k], e
        cdef i64 *first = lists_of(self, block)
        if p >= 0:
            memcpy(out, columns_of(self, block) + p * width, width * sizeof(double))
            return
        memset(out, 0, width * sizeof(double))
        for e in range(first[-1 - p], first[-p]):
            out[self.spots[e]] = self.values[e]

    cdef bint loses(self, i64 k) noexcept nogil:
        """Whether a shift that is not 0.0 cannot be taken off feature k in place: the zeros of a
        list would not stay zero (nor -0.0 what it is, if that is the shift), and -0.0 would be
        lost, since -0.0 - c is 0.0 - c."""
        cdef i64 p = self.place[k], block, width
        if p < 0:
            return True
        for block in range(self.blocks):
            width = self.width(block)
            if _loops.count_equal(columns_of(self, block) + p * width, -0.0, width):
                return True
        return False

    cdef bint mostly_zero(self, i64 k, i64 n) noexcept nogil:
        """Whether the lower median of feature k is +0.0 whichever n of the examples are asked:
        whether its list has no -0.0, and too few entries to reach the middle of n."""
        cdef i64 p = self.place[k], most = (n - 1) // 2, block, e
        cdef i64 *first
        if p >= 0:
            return False
        for block in range(self.blocks):
            first = lists_of(self, block)
            most -= first[-p] - first[-1 - p]
            for e in range(first[-1 - p], first[-p]):
                if self.values[e] == 0:  # -0.0
                    return False
        return most >= 0

    cdef void ask(self, Query *query, bint joint, bint apart, bint exact) noexcept nogil:
        """Ready a query, whose x is there, for products (`joint`), distances (`apart`), or both;
        `exact`: no sum of these rounds, and distances are made of products."""
        if joint or exact:
            self.find_entries(query, exact)
        if apart and not exact:
            self.find_runs(query)

    cdef void find_entries(self, Query *query, bint exact) noexcept nogil:
        """List what is not zero in x, as a product with zero adds nothing; or all of x if hardly
        any is zero. In the order of the features; but if no sum rounds, columns come before lists,
        so that they are one run."""
        cdef i64 s, count = query.known
        cdef double *x = query.x
        if count < 0:
            count = _loops.nonzero_places(x, self.d, query.at)
        query.norm = 0
        for s in range(count if exact else 0):
            query.norm += x[query.at[s]] * x[query.at[s]]
        for s in range(query.outside if exact else 0):
            query.norm += query.other[s] * query.other[s]
        if count == self.d or query.known < 0 and FULL * count > (FULL - 1) * self.d:
            query.value, query.place, query.count = x, self.place, self.d
            return
        query.value, query.place, query.count = x + self.d, query.until + self.d, 0
        if exact and self.scattered:
            self.add_entries(query, count, True, False)
            self.add_entries(query, count, False, True)
        else:
            self.add_entries(query, count, True, True)

    cdef void add_entries(self, Query *query, i64 places, bint columns,
                          bint lists) noexcept nogil:
        """List what is not zero of x in so many places: of features that are columns, that are
        lists, or of all."""
        cdef double *x = query.x
        cdef i64 k, s, count = query.count
        for s in range(places):
            k = query.at[s]
            if x[k] != 0 and (columns if self.place[k] >= 0 else lists):
                query.value[count], query.place[count] = x[k], self.place[k]
                count += 1
        query.count = count

    cdef void find_runs(self, Query *query) noexcept nogil:
        """Find where each run of features ends that some_squares() takes together: columns, or
        lists in whose features x is zero. Any other list is alone. Without lists all columns are
        one run, and nothing is written."""
        cdef i64 k, end = self.d
        cdef bint column, alone, next_column = False, next_alone = True
        for k in range(self.d - 1 if self.scattered else -1, -1, -1):
            column = self.place[k] >= 0
            alone = not column and query.x[k] != 0
            if alone or next_alone or column != next_column:
                end = k + 1
            query.until[k] = end
            next_column, next_alone = column, alone

    cdef void clear(self, i64 block, int m, double *out) noexcept nogil:
        """Set the totals of m queries to 0: BLOCK numbers each, of the last one `width`."""
        memset(out, 0, ((m - 1) * BLOCK + self.width(block)) * sizeof(double))

    cdef void dots(self, i64 block, Query *queries, int m, double *out) noexcept nogil:
        """<x, z> of m queries with the examples of a block; out has BLOCK numbers a query.

        The queries take turns, each with so many columns (`share`) as stay in a near cache until
        all have been there; and each brings one of the next columns near meanwhile.
        """
        cdef double *columns = columns_of(self, block)
        cdef i64 done[WIDTH]  # of each query: which of its numbers is next
        cdef i64 most = 0, share, width = self.width(block), s, end
        cdef int q, twos = m - m % 2 if self.scattered == 0 else 0
        self.clear(block, m, out)
        for q in range(m):
            most, done[q] = max(most, queries[q].count), 0
            # So many queries are served in twos: none, unless all of every x is taken.
            twos = twos if queries[q].place == self.place else 0
        share = most if m == 1 else self.near_columns(block)
        while most > 0:
            for q in range(0, twos, 2):
                s, end = done[q], min(done[q] + share, self.d)
                _loops.two_products(
                    out + q * BLOCK, queries[q].x + s, queries[q + 1].x + s, columns,
                    self.place + s, end - s, width, columns + (s + share + q) * width,
                )
                done[q] = end
            for q in range(twos, m):
                done[q] = self.some_dots(block, &queries[q], done[q], done[q] + share,
                                         0 if m == 1 else share + q, out + q * BLOCK)
            most -= share

    cdef i64 some_dots(self, i64 block, Query *query, i64 s, i64 end, i64 ahead,
                       double *totals) noexcept nogil:
        """Add the products of a query's numbers from s up to end, and bring the column near that is
        `ahead` of the first; where to go on."""
        cdef i64 width = self.width(block), run
        cdef double *columns = columns_of(self, block)
        end = min(end, query.count)
        while s < end:
            if query.place[s] < 0:
                self.scatter_product(block, -1 - query.place[s], query.value[s], totals)
                s += 1
                continue
            run = s + 1
            while run < end and query.place[run] >= 0:
                run += 1
            _loops.products(totals, query.value + s, columns, query.place + s, run - s, width,
                            columns + (query.place[s] + ahead) * width)
            s = run
        return s

    cdef void distances(self, i64 block, Query *queries, int m, bint exact,
                        double *out) noexcept nogil:
        """|x - z|^2 of m queries with the examples of a block; `exact`: no sum of these rounds."""
        cdef i64 l
        cdef double *totals
        cdef double *norms = self.norms + block * BLOCK
        cdef int q
        if exact:
            self.dots(block, queries, m, out)
            for q in range(m):
                totals = out + q * BLOCK
                for l in range(self.width(block)):
                    totals[l] = (queries[q].norm + norms[l]) - 2 * totals[l]
            return
        self.clear(block, m, out)
        self.add_squares(block, queries, m, 0, out)

    cdef void add_squares(self, i64 block, Query *queries, int m, i64 k,
                          double *out) noexcept nogil:
        """Add (x - z)(x - z) of the features from k on to the totals of m queries, which take turns
        as in dots()."""
        cdef i64 share = self.d if m == 1 else self.near_features(block)
        cdef i64 ahead = self.near_columns(block)
        cdef int q
        while k < self.d:
            for q in range(m):
                self.squares_up_to(block, &queries[q], k, min(k + share, self.d),
                                   0 if m == 1 else ahead + q, out + q * BLOCK)
            k += share

    cdef void squares_up_to(self, i64 block, Query *query, i64 k, i64 end, i64 ahead,
                            double *totals) noexcept nogil:
        """some_squares(), and those of the numbers that the query has outside, before the features
        from k up to `end`, and behind the last one."""
        cdef i64 s = 0, l
        cdef double square
        while s < query.outside and query.before[s] < k:
            s += 1
        while s < query.outside and (query.before[s] < end or end == self.d):
            self.some_squares(block, query, k, query.before[s], ahead, totals)
            k, square = query.before[s], query.other[s] * query.other[s]
            for l in range(self.width(block)):
                totals[l] += square
            s += 1
        self.some_squares(block, query, k, end, ahead, totals)

    cdef void some_squares(self, i64 block, Query *query, i64 k, i64 end, i64 ahead,
                           double *totals) noexcept nogil:
        """Add the squares of the features from k up to end; and bring columns near that are `ahead`
        of those in use."""
        cdef i64 width = self.width(block), run, p
        cdef double *x = query.x
        cdef double *columns = columns_of(self, block)
        cdef i64 *first = lists_of(self, block)
        while k < end:
            run, p = min(query.until[k], end) if self.scattered else end, self.place[k]
            if p >= 0:
                _loops.squares(totals, x + k, columns, self.place + k, run - k, width,
                               columns + (p + ahead) * width)
            elif x[k] != 0:
                self.scatter_square(block, -1 - p, x[k], width, totals)
            else:
                self.scatter_squares_of(first[-1 - p], first[-1 - p + run - k], totals)
            k = run

    cdef void scatter_product(self, i64 block, i64 list_, double x,
                              double *totals) noexcept nogil:
        """Add x z to the totals of the examples whose z is not zero."""
        cdef i64 *first = lists_of(self, block) + list_
        cdef i64 e
        for e in range(first[0], first[1]):
            totals[self.spots[e]] += x * self.values[e]

    cdef void scatter_squares_of(self, i64 begin, i64 end, double *totals) noexcept nogil:
        """Add z z of the entries from begin up to end, in whose features x is zero."""
        cdef i64 e
        for e in range(begin, end):
            totals[self.spots[e]] += self.values[e] * self.values[e]

    cdef void scatter_square(self, i64 block, i64 list_, double x, i64 width,
                             double *totals) noexcept nogil:
        """Add (x - z)(x - z) to all totals: of a z that is zero it is x x. The others get theirs
        from the totals as they were before x x was added."""
        cdef i64 *first = lists_of(self, block) + list_
        cdef unsigned char *spots = self.spots + first[0]
        cdef double *values = self.values + first[0]
        cdef i64 count = first[1] - first[0], e, l
        cdef double kept[BLOCK]
        cdef double d
        for e in range(count):
            d = x - values[e]
            kept[e] = totals[spots[e]] + d * d
        d = x * x
        for l in range(width):
            totals[l] += d
        for e in range(count):
            totals[spots[e]] = kept[e]

    cdef bint exact_with(self, Table other) noexcept nogil:
        """Whether no sum of products or squares of this table's rows and the other's can round."""
        return self.exact_beside(other.common_unit, other.reach)

    cdef bint exact_beside(self, double common_unit, double reach) noexcept nogil:
        """The same, of the common_unit and reach of the other."""
        # All sums on the way to |x|^2 + |z|^2 - 2 <x, z> are below this, and multiples of common_unit^2.
        cdef double most = 4 * (self.reach + reach)
        common_unit = min(self.common_unit, common_unit)
        # A common_unit between these keeps every product far from the ends of the doubles.
        return 2.0**-400 < common_unit < 2.0**400 and most < 2.0**52 * (common_unit * common_unit)


cdef class Some:
    """Some rows of a table, feature by feature."""

    def __cinit__(self, Table table):
        self.table = table
        self.index = <i64 *>allocated(table.n * sizeof(i64))
        self.blocks = <i64 *>allocated(table.n * sizeof(i64))

    def __dealloc__(self):
        release(self.index)
        release(self.blocks)

    cdef void choose(self, const i64 *wanted, i64 n) noexcept nogil:
        """Be these rows. Their indices are not copied: they must stay where they are."""
        cdef i64 s
        self.wanted, self.n, self.spread, self.all = wanted, n, 0, n == self.table.n
        memset(self.index, 0xFF, self.table.n * sizeof(i64))  # -1
        for s in range(n):
            self.all = self.all and wanted[s] == s
            self.index[wanted[s]] = s
            if s == 0 or wanted[s] // BLOCK != wanted[s - 1] // BLOCK:
                self.blocks[self.spread] = wanted[s] // BLOCK
                self.spread += 1

    cdef bint column(self, i64 k, double *out) noexcept:
        """Write feature k of each, as it is stored; whether any may differ from zero. `out` must
        have room for PADDED(n) numbers."""
        cdef Table table = self.table
        cdef i64 p = table.place[k], block = -1, s, b, e
        cdef i64 *first
        cdef double *column = NULL
        cdef bint found = False
        if p >= 0 and self.all:
            for block in range(table.blocks):
                table.column(k, block, out + block * BLOCK)
            return True
        for s in range(self.n if p >= 0 else 0):
            if self.wanted[s] // BLOCK != block:
                block = self.wanted[s] // BLOCK
                column = columns_of(table, block) + p * table.width(block)
            out[s] = column[self.wanted[s] % BLOCK]
        if p >= 0:
            return True
        memset(out, 0, self.n * sizeof(double))
        for b in range(self.spread):
            block = self.blocks[b]
            first = lists_of(table, block)
            for e in range(first[-1 - p], first[-p]):
                s = self.index[block * BLOCK + table.spots[e]]
                if s >= 0:
                    out[s], found = table.values[e], True
        return found

    cdef i64 numbers(self, i64 k, const double *coefs, double *values,
                     double *theirs) noexcept:
        """Write the numbers of a feature that is a list, and of each the coefficient of its row;
        how many there are. Zeros follow them, up to a multiple of WIDTH."""
        cdef Table table = self.table
        cdef i64 p = table.place[k], count = 0, b, block, s, e
        cdef i64 *first
        for b in range(self.spread):
            block = self.blocks[b]
            first = lists_of(table, block)
            for e in range(first[-1 - p], first[-p]):
                s = self.index[block * BLOCK + table.spots[e]]
                if s >= 0:
                    values[count], theirs[count] = table.values[e], coefs[s]
                    count += 1
        for s in range(count, PADDED(count)):
            values[s] = theirs[s] = 0
        return count


cdef int note(i64 row, i64 k, double v, list places, list numbers) except -1:
    """Note that v stands in column k of one of the rows wanted, unless it is zero."""
    if row >= 0 and v != 0:
        (<list>places[row]).append(k)
        (<list>numbers[row]).append(v)
    return 0


cdef void *allocated(size_t size) except NULL:
    """That much memory, or a MemoryError."""
    cdef void *found = NULL
    if size < <size_t>PY_SSIZE_T_MAX:  # else a negative number was asked for
        found = refsvm_room(size + 64)
    if found == NULL:
        raise MemoryError
    return found


include "row_numbers.pxi"
include "input_arrays.pxi"
include "narrowing.pxi"
include "class_members.pxi"
include "listed_rows.pxi"


cpdef Table packed(object X):
    """The Table of X; None where X is anything but rows of finite numbers, all of one length."""
    cdef Reader reader = reader_of(X)
    return None if reader is None else filled(reader)


cdef Reader reader_at(Table table, list wanted):
    """A Reader of some rows of a table."""
    cdef Reader reader = Reader()
    reader.table, reader.n, reader.d = table, len(wanted), table.d
    reader.wanted = places_in(table, wanted)
    if table.is_very_sparse():
        table.number_rows()
    return reader


cdef int shift_in_place(Table table, const double *shift) except -1:
    """Store every row less the shift from now on, in the memory where it lies."""
    cdef double *counts = <double *>allocated(table.blocks * table.d * sizeof(double))
    table.by_row = table.by_feature = None
    try:
        take_off(table, shift, counts)
        arrange(table, counts)
        take_norms(table)
    finally:
        release(counts)
    return 0


cdef void take_off(Table table, const double *shift, double *counts) noexcept nogil:
    """Take the shift off every number; and find anew what surveyed() found of the table: common_unit,
    reach, and the counts of what is not zero, d a block."""
    cdef double room[BLOCK]
    cdef double many[BLOCK]  # what survey() counts: here by example, which is not needed
    cdef double most[BLOCK]
    cdef double *column
    cdef double largest
    cdef bint hope = True  # that no sum rounds, as in surveyed()
    cdef i64 k, block, width, widest = table.width(0)
    table.common_unit, table.reach = 2.0**399, 0
    memset(many, 0, widest * sizeof(double))
    for k in range(table.d):
        memset(most, 0, widest * sizeof(double))
        for block in range(table.blocks):
            width = table.width(block)
            column = table.shift_column(k, block, shift[k], room)
            counts[block * table.d + k] = width - _loops.count_equal(column, 0.0, width)
            if hope and _loops.survey(column, many, most, 1 / table.common_unit, width) == FINER:
                table.common_unit = finest(table.common_unit, column, width)
                hope = table.common_unit > 2.0**-400
        if hope:
            largest = _loops.largest(most, widest)
            table.reach += largest * largest
            hope = table.exact_with(table)
    if not hope:
        table.common_unit = 0


cdef int arrange(Table table, const double *counts) except -1:
    """Make lists of the columns that are mostly zero now, and move the other columns together.

    The new columns are written over the old ones, from the first on: none comes to lie behind
    where it was, so that each is read before anything is written there.
    """
    cdef Table new = Table()
    cdef double room[BLOCK]
    cdef double *column
    cdef i64 *first
    cdef i64 block, k, l, width, e
    new.n, new.d, new.padded, new.blocks = table.n, table.d, table.padded, table.blocks
    plan(new, counts, table.d, table.blocks)
    if new.dense == table.dense:
        return 0
    make_lists(new, counts, table.d)
    for block in range(table.blocks):
        width, column = table.width(block), table.columns + block * BLOCK * new.dense
        first = lists_of(new, block)
        for k in range(table.d):
            table.column(k, block, room)
            if new.place[k] >= 0:
                memcpy(column + new.place[k] * width, room, width * sizeof(double))
                continue
            e = first[-1 - new.place[k]]
            for l in range(width):
                if not is_zero(room[l]):
                    new.spots[e], new.values[e] = <unsigned char>l, room[l]
                    e += 1
    table.place, new.place = new.place, table.place
    table.feature, new.feature = new.feature, table.feature
    table.first, new.first = new.first, table.first
    table.spots, new.spots = new.spots, table.spots
    table.values, new.values = new.values, table.values
    table.dense, table.scattered = new.dense, new.scattered
    shrink_columns(table)
    return 0


cdef Table gathered(Table whole, list wanted):
    """The Table of some rows of another, made feature by feature, as both are stored so.

    Columns remain columns. What is a list in the whole may become a column: values that are rare
    there may be usual among a few rows.
    """
    cdef Table part = Table()
    # Of a row of the whole: which of the part it is, or -1; behind that, of a row of the part:
    # another one that is the same row of the whole, or -1.
    cdef i64 *home = NULL
    cdef double *counts = NULL
    cdef i64 block, l, i
    part.n, part.d, part.common_unit, part.reach = len(wanted), whole.d, whole.common_unit, whole.reach
    part.padded = PADDED(part.n)
    part.blocks = (part.n + BLOCK - 1) // BLOCK
    part.norms = <double *>allocated(part.blocks * BLOCK * sizeof(double))
    memset(part.norms, 0, part.blocks * BLOCK * sizeof(double))
    try:
        home = <i64 *>allocated((whole.n + part.n) * sizeof(i64))
        memset(home, 0xFF, whole.n * sizeof(i64))  # -1
        for l, i in enumerate(wanted):
            home[whole.n + l], home[i], part.norms[l] = home[i], l, whole.norms[i]
        counts = <double *>allocated(part.blocks * part.d * sizeof(double))
        count_again(part, whole, home, counts)
        plan(part, counts, part.d, part.blocks)
        make_lists(part, counts, part.d)
        make_columns(part)
        for block in range(part.blocks):
            gather_columns(part, block, whole, wanted)
        gather_lists(part, whole, home)
        return part
    finally:
        release(home)
        release(counts)


cdef void count_again(Table part, Table whole, const i64 *home, double *counts) noexcept nogil:
    """Count as surveyed() does: the entries of lists; of a column, so many that it remains one."""
    cdef i64 block, k, p, e, i
    cdef i64 *first
    for k in range(part.blocks * part.d):
        counts[k] = BLOCK if whole.place[k % part.d] >= 0 else 0
    for block in range(whole.blocks if whole.scattered else 0):
        first = lists_of(whole, block)
        for k in range(part.d):
            p = whole.place[k]
            if p >= 0:
                continue
            for e in range(first[-1 - p], first[-p]):
                i = home[block * BLOCK + whole.spots[e]]
                while i >= 0:
                    counts[i // BLOCK * part.d + k] += 1
                    i = home[whole.n + i]


cdef int gather_columns(Table part, i64 block, Table whole, list wanted) except -1:
    """Fill those columns of a block of the part that are columns of the whole. Rows that follow
    each other and come from the same block of the whole are copied together, column by column."""
    cdef i64 count = min(BLOCK, part.n - block * BLOCK), width = part.width(block), step
    cdef i64 i, k, l, end
    cdef i64 home[BLOCK]            # of each row: which block of the whole it comes from,
    cdef unsigned char spot[BLOCK]  # and from where in it
    cdef double *columns = columns_of(part, block)
    cdef const double *theirs
    for l in range(count):
        i = wanted[block * BLOCK + l]
        home[l], spot[l] = i // BLOCK, <unsigned char>(i % BLOCK)
    l = 0
    while l < count:
        end = l + 1
        while end < count and home[end] == home[l]:
            end += 1
        theirs, step = columns_of(whole, home[l]), whole.width(home[l])
        for k in range(part.d):
            if whole.place[k] >= 0:
                pick_out(columns + part.place[k] * width + l, theirs + whole.place[k] * step,
                         spot + l, end - l)
        l = end
    for k in range(part.dense if count < width else 0):
        memset(columns + k * width + count, 0, (width - count) * sizeof(double))
    return 0


cdef void pick_out(double *out, const double *values, const unsigned char *spot,
                   i64 n) noexcept nogil:
    """out[l] = values[spot[l]]"""
    cdef i64 l
    for l in range(n):
        out[l] = values[spot[l]]


cdef int gather_lists(Table part, Table whole, const i64 *home) except -1:
    """Fill the features that are lists in the whole. next_: where each list of the part goes on."""
    cdef i64 *next_ = <i64 *>allocated((part.blocks * part.scattered + 1) * sizeof(i64))
    cdef i64 k
    memcpy(next_, part.first, part.blocks * part.scattered * sizeof(i64))
    for k in range(part.d):
        if whole.place[k] < 0:
            gather_list(part, whole, home, k, next_)
    release(next_)
    return 0


cdef void gather_list(Table part, Table whole, const i64 *home, i64 k,
                      i64 *next_) noexcept nogil:
    """Fill feature k of the part, a column or a list, from a list of the whole."""
    cdef i64 p = part.place[k], theirs = whole.place[k], block, there, e, i
    cdef i64 *first
    cdef double *column
    for block in range(part.blocks if p >= 0 else 0):
        column = columns_of(part, block) + p * part.width(block)
        memset(column, 0, part.width(block) * sizeof(double))
    for block in range(whole.blocks):
        first = lists_of(whole, block)
        for e in range(first[-1 - theirs], first[-theirs]):
            i = home[block * BLOCK + whole.spots[e]]
            while i >= 0:
                there = i // BLOCK
                if p >= 0:
                    column = columns_of(part, there) + p * part.width(there)
                    column[i % BLOCK] = whole.values[e]
                else:
                    there = there * part.scattered - 1 - p
                    part.spots[next_[there]] = <unsigned char>(i % BLOCK)
                    part.values[next_[there]] = whole.values[e]
                    next_[there] += 1
                i = home[whole.n + i]


cdef Table filled(Reader reader):
    """The Table of all rows of a reader; None if a number is not plain and finite."""
    cdef Table table = Table()
    cdef double *x = <double *>allocated(reader.d * sizeof(double))
    try:
        measure(table, reader.n, reader.d)
        plain = fill_numbers(table, reader) if reader.tells_numbers() else fill(table, reader, x)
        if not plain:
            return None
        take_norms(table)
        return table
    finally:
        release(x)


cdef void measure(Table table, i64 n, i64 d) noexcept:
    """Let it have n examples of d features."""
    table.n, table.d, table.padded = n, d, PADDED(n)
    table.blocks = (n + BLOCK - 1) // BLOCK


cdef bint fill_numbers(Table table, Reader reader) except -1:
    """Fill the table with rows that tell their numbers: whether these are plain and finite. Nothing
    else is looked at."""
    cdef RowNumbers numbers = RowNumbers()
    if not reader.opened:
        numbers.choose(reader.table.by_row, reader.wanted, reader.n)
    elif not numbers.read(reader):
        return False
    place_numbers(table, numbers)
    return True


cdef int place_numbers(Table table, RowNumbers numbers) except -1:
    """Put numbers in their places. Those by row stay there, too, if they are few: descent reads
    them."""
    cdef double *counts = NULL
    cdef i64 entries = 0, block, k
    try:
        counts = <double *>allocated(table.d * sizeof(double))
        survey_numbers(table, numbers, counts)
        plan(table, counts, 0, 1)
        for k in range(table.d):
            entries += <i64>counts[k] if table.place[k] < 0 else 0
        make_entries(table, entries)
        make_columns(table)
        memset(table.columns, 0, table.padded * table.dense * sizeof(double))
        table.first[0] = 0
        for block in range(table.blocks):
            fill_block(table, numbers, block)
        if table.is_very_sparse() or SPARSE_RATIO * numbers.first[table.n] < <double>table.n * table.d:
            table.by_row = numbers
        return 0
    finally:
        release(counts)


cdef int survey_numbers(Table table, RowNumbers numbers, double *counts) except -1:
    """surveyed(), of numbers by row; there is one count a feature."""
    cdef double *most = <double *>allocated(table.d * sizeof(double))
    cdef bint hope = True
    cdef i64 s, k
    cdef double v
    memset(most, 0, table.d * sizeof(double))
    memset(counts, 0, table.d * sizeof(double))
    table.common_unit = 2.0**399
    for s in range(numbers.first[table.n]):
        k, v = numbers.feature[s], fabs(numbers.value[s])
        counts[k] += 1
        most[k] = v if v > most[k] else most[k]
        if hope and common_unit_of(v) < table.common_unit:
            table.common_unit, table.reach = common_unit_of(v), squares_of(most, table.d)
            hope = table.exact_with(table)
    table.reach = squares_of(most, table.d)
    if not hope:
        table.common_unit = 0
    release(most)
    return 0


cdef void fill_block(Table table, RowNumbers numbers, i64 block) noexcept nogil:
    """Put the rows of a block in their places. While its lists are filled, the place behind each
    says where it goes on: at last that is where it ends, and the next one begins."""
    cdef i64 *next_ = lists_of(table, block) + 1
    cdef double *columns = columns_of(table, block)
    cdef i64 first = block * BLOCK, end = min(table.n, first + BLOCK), i, s, p, count
    cdef i64 begin = lists_of(table, block)[0]
    memset(next_, 0, table.scattered * sizeof(i64))
    for s in range(numbers.first[first], numbers.first[end]):
        p = table.place[numbers.feature[s]]
        if p < 0:
            next_[-1 - p] += 1
    for p in range(table.scattered):
        count = next_[p]
        next_[p] = begin
        begin += count
    for i in range(first, end):
        for s in range(numbers.first[i], numbers.first[i + 1]):
            p = table.place[numbers.feature[s]]
            if p >= 0:
                columns[p * table.width(block) + i - first] = numbers.value[s]
                continue
            table.spots[next_[-1 - p]] = <unsigned char>(i - first)
            table.values[next_[-1 - p]] = numbers.value[s]
            next_[-1 - p] += 1


cdef bint fill(Table table, Reader reader, double *x) except -1:
    """Fill the table: whether all numbers are plain and finite; x is room for a row. Each row is
    read twice: to count what is not zero, and to put it in its place."""
    cdef i64 padded = PADDED(reader.d)
    cdef double *counts = <double *>allocated(table.blocks * padded * sizeof(double))
    try:
        if not surveyed(table, reader, x, counts, padded):
            return False
        plan(table, counts, padded, table.blocks)
        make_lists(table, counts, padded)
        make_columns(table)
        place_all(table, reader)
        return True
    finally:
        release(counts)


cdef bint surveyed(Table table, Reader reader, double *x, double *counts, i64 padded) except -1:
    """Count what is not zero, of each feature in each block; find common_unit and reach.

    Whether all rows are plain, and finite. There are `padded` counts a block.
    """
    cdef double *most = <double *>allocated(padded * sizeof(double))
    cdef const double *row
    cdef i64 i
    cdef int found
    cdef bint hope = True  # that no sum rounds; given up as soon as the numbers are too fine
    try:
        memset(most, 0, padded * sizeof(double))
        memset(counts, 0, table.blocks * padded * sizeof(double))
        table.common_unit = 2.0**399
        for i in range(table.n):
            row = reader.at(i, x)
            if row == NULL:
                return False
            found = _loops.survey(
                row, counts + i // BLOCK * padded, most, 1 / table.common_unit if hope else 0, table.d
            )
            if found == NOT_FINITE:
                return False
            if found == FINER:
                table.common_unit = finest(table.common_unit, row, table.d)
                table.reach = squares_of(most, table.d)
                hope = table.exact_with(table)
        table.reach = squares_of(most, table.d)
        if not hope:
            table.common_unit = 0
        return True
    finally:
        release(most)


cdef bint is_zero(double v) noexcept nogil:
    """Whether this is +0.0, which no list holds; -0.0 is listed, so that a row comes out as it came
    in."""
    cdef uint64_t bits
    memcpy(&bits, &v, 8)
    return bits == 0


cdef bint all_finite(const double *values, i64 n) noexcept nogil:
    """Whether n numbers are finite."""
    cdef i64 l, others = 0
    for l in range(n):
        others += not fabs(values[l]) < INFINITY
    return others == 0


cdef double squares_of(const double *v, i64 n) noexcept nogil:
    """The sum of the squares, where rounding does not matter."""
    cdef double total = 0
    cdef i64 k
    for k in range(n):
        total += v[k] * v[k]
    return total


cdef double finest(double common_unit, const double *v, i64 n) noexcept nogil:
    """The common_unit, or a finer one that divides all these, too."""
    cdef i64 k
    for k in range(n):
        common_unit = min(common_unit, common_unit_of(v[k]))
    return common_unit


cdef double common_unit_of(double v) noexcept nogil:
    """The largest power of two that divides v, 2^399 for zero; 0 if that is below 2^-500."""
    cdef uint64_t bits, digits
    cdef double common_unit
    memcpy(&bits, &v, 8)
    if bits >> 52 & 0x7FF < 523:
        return 0 if v != 0 else 2.0**399
    # The lowest digit that is set, moved to the front: its power of two, as a double.
    digits = bits & 0xFFFFFFFFFFFFFu | 0x10000000000000u
    digits &= ~digits + 1
    common_unit = <double>digits  # exact
    bits = (bits & 0x7FF0000000000000u) - (<uint64_t>52 << 52)
    memcpy(&v, &bits, 8)
    return v * common_unit


cdef int plan(Table table, const double *counts, i64 padded, i64 parts) except -1:
    """Make each feature a column or a list, by how many of its values are not zero: there are
    counts of so many parts of the rows, `padded` of each."""
    cdef i64 k, part
    table.place = <i64 *>allocated(table.d * sizeof(i64))
    memset(table.place, 0, table.d * sizeof(i64))
    for part in range(parts):  # which lie far apart where rows are wide
        for k in range(table.d):
            table.place[k] += <i64>counts[part * padded + k]
    for k in range(table.d):
        if SPARSE * table.place[k] < table.n:
            table.scattered += 1
            table.place[k] = -table.scattered
        else:
            table.place[k] = table.dense
            table.dense += 1
    table.first = <i64 *>allocated((table.blocks * table.scattered + 1) * sizeof(i64))
    return name_features(table)


cdef int name_features(Table table) except -1:
    """Note which feature each column and each list is."""
    cdef i64 k, p
    table.feature = <i64 *>allocated(table.d * sizeof(i64))
    for k in range(table.d):
        p = table.place[k]
        table.feature[p if p >= 0 else table.dense - 1 - p] = k
    return 0


cdef int make_lists(Table table, const double *counts, i64 padded) except -1:
    """Find where each list that was planned begins, and make room for the entries."""
    cdef i64 k, block, entries = 0
    for block in range(table.blocks if table.scattered else 0):
        for k in range(table.d):
            if table.place[k] < 0:
                lists_of(table, block)[-1 - table.place[k]] = entries
                entries += <i64>counts[block * padded + k]
    table.first[table.blocks * table.scattered] = entries
    return make_entries(table, entries)


cdef int make_entries(Table table, i64 entries) except -1:
    """Make room for the entries of all lists."""
    table.spots = <unsigned char *>allocated(entries)
    table.values = <double *>allocated(entries * sizeof(double))
    return 0


cdef int make_columns(Table table) except -1:
    """Make room for the columns that were planned."""
    table.columns = <double *>allocated(table.padded * table.dense * sizeof(double))
    return 0


cdef void shrink_columns(Table table) noexcept:
    """Give back the room behind the columns, of which there are fewer now."""
    cdef size_t size = table.padded * table.dense * sizeof(double)
    table.columns = <double *>refsvm_smaller(table.columns, size + 64)


cdef int place_all(Table table, Reader reader) except -1:
    """Put every row in its place, block after block."""
    cdef i64 *next_ = <i64 *>allocated((table.scattered + 1) * sizeof(i64))
    cdef double *room = <double *>allocated(WIDTH * table.d * sizeof(double))
    cdef double *rows[WIDTH]
    cdef i64 block, i
    try:
        for block in range(table.blocks):
            memcpy(next_, lists_of(table, block), table.scattered * sizeof(i64))
            for i in range(block * BLOCK, min(table.n, (block + 1) * BLOCK), 8):  # WIDTH
                reader.some_rows(i, room, rows)
                place_rows(table, block, i - block * BLOCK, rows, next_)
    finally:
        release(next_)
        release(room)
    return 0


cdef void place_rows(Table table, i64 block, i64 spot, double **rows,
                     i64 *next_) noexcept nogil:
    """Put WIDTH rows in a block, from a spot on; next_: where each of its lists goes on."""
    cdef double *columns = columns_of(table, block)
    cdef i64 width = table.width(block), k, p, end = 0
    cdef int q
    cdef bint some
    for k in range(table.d):
        p = table.place[k]
        if k < end:
            continue
        if p >= 0:
            end = k + 1
            while end < table.d and table.place[end] >= 0:  # they are side by side
                end += 1
            _loops.side_by_side(<const double **>rows, k, end, columns + p * width + spot, width)
            continue
        p = -1 - p
        some = False
        for q in range(WIDTH):
            some |= not is_zero(rows[q][k])
        for q in range(WIDTH if some else 0):
            if not is_zero(rows[q][k]):
                table.spots[next_[p]] = <unsigned char>(spot + q)
                table.values[next_[p]] = rows[q][k]
                next_[p] += 1


cdef int take_norms(Table table) except -1:
    """Find every <z, z>: it has the bits of the squared distance from zero."""
    cdef Queries zero = queries_for(1, table.d)
    cdef double totals[BLOCK]
    cdef i64 block
    if table.norms == NULL:
        table.norms = <double *>allocated(table.blocks * BLOCK * sizeof(double))
    memset(zero.query.x, 0, table.d * sizeof(double))
    table.find_runs(zero.query)
    for block in range(table.blocks):
        table.distances(block, zero.query, 1, False, totals)
        memcpy(table.norms + block * BLOCK, totals, table.width(block) * sizeof(double))
    return 0


def symmetric(Table table):
    """Whether the table is a square matrix, the same as its transpose (as numbers compare)."""
    cdef double *row
    cdef double column[BLOCK]
    cdef i64 i, block, l
    cdef bint same = table.n == table.d
    if not same:
        return False
    row = <double *>allocated(table.d * sizeof(double))
    for i in range(table.n):
        table.row(i, row)
        for block in range(table.blocks):
            table.column(i, block, column)
            for l in range(min(BLOCK, table.n - block * BLOCK)):
                same = same and row[block * BLOCK + l] == column[l]
    release(row)
    return same


def shift_of(Table table, list present=None):
    """column_shift.shift_of the rows with these indices (all for None), as a list. That of a
    table which was shifted before is what was taken off then."""
    cdef i64 n = table.n if present is None else len(present), k, block
    cdef i64 padded = PADDED(n), stride = stride_over(n)
    cdef double *column = <double *>allocated(padded * sizeof(double))
    cdef i64 *wanted = NULL
    cdef Some some = Some(table)
    cdef list shift = [0.0] * table.d
    if table.shift is not None:
        return list(table.shift)
    try:
        if n < table.n:
            wanted = places_in(table, present)
            some.choose(wanted, n)
        for k in range(table.d):
            if table.mostly_zero(k, n):
                continue
            if wanted != NULL:
                some.column(k, column)
            for block in range(table.blocks if wanted == NULL else 0):
                table.column(k, block, column + block * BLOCK)
            fill_up(column, n, padded, NAN)
            middle = lower_median(column, n, stride)
            fill_up(column, n, padded, middle)
            if _loops.differ_exactly(column, middle, n):
                shift[k] = middle
        return shift
    finally:
        release(column)
        release(wanted)


def shifted(Table table, list shift):
    """The Table of a table's rows less the shift: the same one, so that its numbers are in memory
    once, or a copy if some of them would not come back as they were given, or its lists are not its
    own alone. A table that was shifted before is returned as it is; so is any if the shift is zero."""
    cdef double *c
    cdef Reader reader
    cdef bint shifts = False, loses = table.lent or table.owner is not None
    cdef i64 k
    if table.shift is not None:
        return table
    c = <double *>allocated(table.d * sizeof(double))
    try:
        for k in range(table.d):
            c[k] = shift[k]
            if not is_zero(c[k]):
                shifts, loses = True, loses or table.loses(k)
        if shifts and loses:
            reader = reader_at(table, list(range(table.n)))
            reader.shift = c
            kept, table = table.kept, filled(reader)
            table.kept = kept
        elif shifts:
            shift_in_place(table, c)
        if shifts:
            table.remember(tuple(shift))
    finally:
        release(c)
    return table


def with_constant(Table table, double s):
    """The Table of constant_feature.with_constant of a table's rows: a column more, of s. It has
    the same lists in memory."""
    cdef Table longer = Table()
    cdef i64 block, l
    cdef double *column
    longer.n, longer.d, longer.padded, longer.blocks = table.n, table.d + 1, table.padded, table.blocks
    longer.dense, longer.scattered = table.dense + 1, table.scattered
    longer.common_unit, longer.reach = min(table.common_unit, common_unit_of(s)), table.reach + s * s
    longer.place = <i64 *>allocated(longer.d * sizeof(i64))
    memcpy(longer.place, table.place, table.d * sizeof(i64))
    longer.place[table.d] = table.dense
    name_features(longer)
    longer.owner, table.lent = table, True
    longer.first, longer.spots, longer.values = table.first, table.spots, table.values
    make_columns(longer)
    for block in range(table.blocks):
        column = columns_of(longer, block) + table.dense * table.width(block)
        memcpy(columns_of(longer, block), columns_of(table, block),
               (column - columns_of(longer, block)) * sizeof(double))
        fill_up(column, 0, table.width(block), 0)
        fill_up(column, 0, min(BLOCK, table.n - block * BLOCK), s)
    longer.norms = <double *>allocated(table.blocks * BLOCK * sizeof(double))
    for l in range(table.padded):
        longer.norms[l] = table.norms[l] + (s * s if l < table.n else 0)
    if longer.common_unit > 0 and not longer.exact_with(longer):
        longer.common_unit = 0
    if table.by_row is not None:
        longer.by_row = table.by_row.with_constant(table.n, s)
    if table.kept is not None:
        longer.kept = KeptColumns([*table.kept.places, table.kept.width], table.kept.width + 1)
    return longer


cdef i64 *places_in(Table table, list places) except NULL:
    """The numbers of a list, which are places of rows."""
    cdef i64 *found = NULL
    cdef i64 l
    table.require(places)
    found = <i64 *>allocated(len(places) * sizeof(i64))
    for l in range(len(places)):
        found[l] = places[l]
    return found


cdef void fill_up(double *column, i64 n, i64 padded, double v) noexcept nogil:
    """Let v follow the n values of a column."""
    cdef i64 l
    for l in range(n, padded):
        column[l] = v


cdef double lower_median(const double *values, i64 n, i64 stride) noexcept nogil:
    """sorted(values)[(n - 1) // 2]; of 0.0 and -0.0, which compare equal, it is the one there.

    Nothing is sorted: to count what is below a pivot is quick by lanes. The next pivot is a value
    between the largest pivot that was too low and the smallest that was too high, the first that is
    met in steps of `stride` (stride_over). Near the median few such values are left, and long to
    search for: then it is the neighbour of the pivot in size.

    After the n values there must be NaN, up to a multiple of WIDTH.
    """
    cdef i64 rank = (n - 1) // 2, below = 0, equal = 0, i = 0, far
    cdef double low = -INFINITY, high = INFINITY, pivot = 0
    while True:
        _loops.count_below(values, pivot, n, &below, &equal)
        if below <= rank < below + equal:
            break
        if rank < below:
            high, far = pivot, below - rank
        else:
            low, far = pivot, rank - below - equal + 1
        if far <= NEXT:
            pivot = _loops.next_below(values, pivot, 1 if rank < below else -1, n)
            continue
        while (values[i] <= low) | (values[i] >= high):  # not `or`: neither could be foretold
            i += stride - n if i >= n - stride else stride
        pivot = values[i]
    if pivot != 0:
        return pivot
    i = 0
    while values[i] != 0 or below < rank:
        below += values[i] == 0
        i += 1
    return values[i]


cdef i64 stride_over(i64 n) noexcept nogil:
    """A step that leads round n places to every one of them, those reached so far being spread
    evenly: n times the golden ratio, or the next number that shares no divisor with n."""
    cdef i64 stride = <i64>(0.6180339887 * n), a, b
    while True:
        a, b = stride, n
        while b > 0:
            a, b = b, a % b
        if a == 1:
            return stride
        stride += 1
