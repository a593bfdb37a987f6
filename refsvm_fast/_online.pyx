"""What takes one example at a time, compiled: Pegasos and the perceptron.

picks.pxi is part of this module: the draws that say which example is next; and so are
kernel_online.pxi, the same learners with a kernel, dual_coordinate_descent.pxi, newton.pxi and
proximal_point.pxi.

The arithmetic is that of refsvm.online.pegasos and refsvm.online, operation by operation. A sum
over the features is added in their order, each addition after the one before; but several such
sums can be made side by side. So Pegasos and the perceptron look ahead: they compute the scores of
the next picks as if none of these changed w, or in Pegasos as if each pushed if and only if it did
when it was last picked. Where one does otherwise, the scores after it are thrown away.

    X, y     examples, their labels         n, d     how many, how many features
    w        weights                        s        the examples picked next
    t        number of the round            done     how many of the rounds looked at are settled
    sign     the label of the pick          late, H  those of solvers/pegasos.py; v is there, too

In rows that are mostly zero the products with zero are skipped: a sum that begins at +0 is never
-0, and adding +0 or -0 leaves it as it is. Not so when w holds an infinity or NaN, but it never
does: where adding x_k to w_k, or subtracting it, would overflow, w_k x_k has done so before, and
an example with such a score pushes nothing.

For the same reason the list of such a row may end with zeros, at places behind the last feature,
where w is 0. It is filled up to a multiple of FILLED: a processor expects a loop to go on, and each
end that it did not foresee costs as much as half of the sum, so that few lengths are better than
many.
"""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from cpython.long cimport PyLong_AsLongLongAndOverflow
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.float cimport DBL_MAX
from libc.math cimport INFINITY, NAN, fabs, isfinite
from libc.stdint cimport uint64_t
from libc.string cimport memcmp, memcpy, memmove, memset

from itertools import chain, islice

import refsvm
from refsvm.numerics import validation
from refsvm.numerics.validation import yes_or_no
from refsvm.kernels.gram_matrices import refuse_infinite
from refsvm.kernels.standard import Linear
from refsvm.kernels.value_errors import roundings_of
from refsvm.solvers.dual_program import beyond_doubles
from refsvm.solvers import newton_direction
from refsvm.solvers.newton import MOST_FACTORISED
from refsvm.solvers.smo import Step
from refsvm.svm.exact_answers import is_short

from ._kernel_rows cimport Rows, Source, source_of
from ._solution cimport PlainEnding, ends_plainly
from .loops cimport BLOCK, Loops, NOT_FINITE, PADDED, WIDTH, bring_near, i64, release
from ._table cimport (
    ListedRows, FILLED, Reader, RowNumbers, Table, all_finite, allocated, columns_of, is_zero,
    lists_of, loops, read_numbers, reader_of,
)
from ._inputs import as_rows
from ._sparse import narrowed

cdef enum:
    AHEAD = 4         # scores summed side by side without lanes: an addition takes so many cycles
    CHUNK = 1024      # picks taken at once, at most
    ROWS_AT_ONCE = 8           # kernel rows computed at once, at most
    WORK = 1 << 22    # products between two looks for Ctrl-C, about


cdef object LINEAR = Linear()

cdef extern from "Python.h":
    Py_ssize_t PY_SSIZE_T_MAX


cdef void *zeroed(size_t count, size_t size) except NULL:
    """Room for so many things, all bits 0; for PyMem_Free."""
    cdef void *room = PyMem_Calloc(count + 1, size)
    if not room:
        raise MemoryError
    return room


include "picks.pxi"


cdef class Doubles:
    """Memory for so many doubles, zero at first."""

    cdef readonly Py_ssize_t n
    cdef double *at

    def __cinit__(self, Py_ssize_t count):
        self.n, self.at = count, <double *> zeroed(count, sizeof(double))

    def __dealloc__(self):
        PyMem_Free(self.at)


@cython.final
cdef class Examples:
    """n rows of d finite doubles: one row after the other; or if more than half of the numbers are
    zero, of each row a list of those that are not."""

    cdef readonly Py_ssize_t n, d
    cdef const double *X      # row after row; NULL if they are mostly zero
    cdef double *own          # the memory of X, to be freed, unless X lies in
    cdef Reader reader        # what the caller gave
    cdef readonly object kept  # which columns of that these are; None if all
    cdef bint mostly_zero     # whether rows are listed: row i from first[i] up to first[i + 1]
    cdef Py_ssize_t *first
    cdef int *places          # the features that are not zero,
    cdef double *values       # and their values; then zeros, in places d, d + 1, ...
    cdef bint ones            # whether every value but those zeros is 1
    cdef ListedRows listed    # whose memory the lists are; None: they are its own

    def __dealloc__(self):
        release(self.own)
        if self.listed is not None:
            return
        PyMem_Free(self.first)
        PyMem_Free(self.places)
        PyMem_Free(self.values)

    cdef bint read(self, X) except -1:
        """Take the rows of X; False if they are not plain (input_arrays.pxi)."""
        cdef Py_ssize_t i
        X = narrowed(as_rows(X))
        self.kept = getattr(X, "kept", None)
        self.reader = reader_of(X)
        if self.reader is None:
            return False
        self.n, self.d = self.reader.n, self.reader.d
        if self.reader.opened and 2 * self.reader.stored() < self.n * self.d:
            return self.list_sparse()
        if self.reader.in_place:
            self.X = self.reader.at(0, NULL)
        else:
            self.X = self.own = <double *> allocated(self.n * self.d * sizeof(double))
            for i in range(self.n):
                if self.reader.at(i, self.own + i * self.d) == NULL:
                    return False
        return self.look()

    cdef bint look(self) except -1:
        """Whether all numbers are finite. If most are zero, the others are listed."""
        cdef Doubles counts = Doubles(PADDED(self.d)), most = Doubles(PADDED(self.d))
        cdef double count = 0
        cdef Py_ssize_t i, k
        for i in range(self.n):
            if loops().survey(self.row(i), counts.at, most.at, 0, self.d) == NOT_FINITE:
                return False
        for k in range(self.d):
            count += counts.at[k]
        if 2 * count < <double> self.n * self.d:
            self.list_dense(<Py_ssize_t> count)
        return True

    cdef int keep(self) except -1:
        """Copy the rows that lie in the caller's memory, before code of the caller's can run."""
        if self.X != NULL and self.own == NULL:
            self.own = <double *> allocated(self.n * self.d * sizeof(double))
            memcpy(self.own, self.X, self.n * self.d * sizeof(double))
            self.X, self.reader = self.own, None
        return 0

    cdef int list_dense(self, Py_ssize_t count) except -1:
        """List the `count` numbers that are not zero, and forget the rows."""
        cdef const double *x
        cdef Py_ssize_t i, e, p = 0
        self.begin_list(count)
        for i in range(self.n):
            x = self.row(i)
            for e in range(loops().nonzero_places(x, self.d, self.places + p)):
                self.values[p] = x[self.places[p]]
                p += 1
            p = self.first[i + 1] = self.filled_up(p)
        self.look_for_ones()
        release(self.own)
        self.X = self.own = NULL
        self.reader = None
        return 0

    cdef bint list_sparse(self) except -1:
        """List what is not zero in a sparse matrix; whether all numbers are plain and finite."""
        cdef Doubles x = Doubles(self.d)
        cdef Py_ssize_t i, count, p = 0
        self.begin_list(self.reader.stored())
        for i in range(self.n):
            count = self.reader.add(i, x.at, self.places + p)
            if count < 0:
                return False
            p = self.first[i + 1] = self.filled_up(self.take(x.at, p, count))
        self.look_for_ones()
        return all_finite(self.values, p)

    cdef Py_ssize_t take(self, double *x, Py_ssize_t begin, Py_ssize_t count) noexcept nogil:
        """List what is not zero in x, in the order of the features, and make all of x zero; where
        the list ends. It begins at `begin`, where `count` places are written, in any order and
        maybe twice, that hold all of x that is not zero."""
        cdef int *places = self.places + begin
        cdef Py_ssize_t e, k, p = begin
        cdef bint ascend = True
        for e in range(1, count):
            ascend = ascend and places[e - 1] <= places[e]
        for e in range(count if ascend else self.d):
            k = places[e] if ascend else e
            if x[k] != 0:
                self.places[p], self.values[p] = <int> k, x[k]
                p += 1
            x[k] = 0
        return p

    cdef Py_ssize_t filled_up(self, Py_ssize_t end) noexcept nogil:
        """Fill up the list of a row, which ends there, with zeros to a multiple of FILLED; where it
        ends then."""
        cdef Py_ssize_t q
        for q in range(FILLED - 1):
            self.places[end + q], self.values[end + q] = <int> (self.d + q), 0
        return (end + FILLED - 1) // FILLED * FILLED

    cdef void look_for_ones(self) noexcept nogil:
        """Whether nothing is listed but ones, and the zeros that fill up."""
        cdef Py_ssize_t count = PADDED(self.first[self.n])
        cdef Py_ssize_t zeros = loops().count_equal(self.values, 0, count)
        self.ones = zeros + loops().count_equal(self.values, 1, count) == count

    cdef void take_listed(self, ListedRows rows) noexcept:
        """Take rows as they are listed."""
        rows.put_constant()
        self.n, self.d, self.listed, self.mostly_zero = rows.n, rows.d, rows, True
        self.first, self.places, self.values = rows.first, rows.places, rows.values

    cdef int take_table(self, Table table) except -1:
        """Take the rows of a Table, as they are stored there."""
        cdef i64 *end
        cdef Py_ssize_t i, p = 0
        self.n, self.d, self.kept = table.n, table.d, table.kept
        if table.by_row is not None and self.list_numbers(table.by_row):
            return 0
        if not self.half_are_zero(table):
            self.X = self.own = <double *> allocated(self.n * self.d * sizeof(double))
            for i in range(table.blocks):
                self.lay_out(table, i)
            return 0
        end = <i64 *> zeroed(self.n, sizeof(i64))
        try:
            for i in range(table.blocks):
                table.count_numbers(i, end + i * BLOCK)
            for i in range(self.n):
                p += end[i]
            self.begin_list(p)
            p = 0
            for i in range(self.n):
                self.first[i], p, end[i] = p, p + (end[i] + FILLED - 1) // FILLED * FILLED, p
            self.first[self.n] = p
            self.list_table(table, end)
            for i in range(self.n):
                for p in range(end[i], self.first[i + 1]):
                    self.places[p] = <int> (self.d + p - end[i])
            return 0
        finally:
            PyMem_Free(end)

    cdef bint half_are_zero(self, Table table) noexcept nogil:
        """Whether more than half of the numbers of a Table are zero, without those that are -0.0."""
        cdef i64 block = 0, others = lists_of(table, table.blocks)[0], p, width
        while block < table.blocks and 2 * others < self.n * self.d:
            width = table.width(block)
            for p in range(table.dense):
                others += width - loops().count_equal(columns_of(table, block) + p * width, 0, width)
            block += 1
        return 2 * others < self.n * self.d

    cdef void lay_out(self, Table table, i64 block) noexcept nogil:
        """Write the rows of a block: WIDTH columns at a time."""
        cdef const double *column[WIDTH]
        cdef const i64 *list_ = lists_of(table, block)
        cdef double *rows = self.own + block * BLOCK * self.d
        cdef i64 count = min(<i64> BLOCK, table.n - block * BLOCK), k = 0, q, e, p
        if table.scattered:
            memset(rows, 0, count * self.d * sizeof(double))
        while k < self.d:
            q = 0
            while q < WIDTH and k + q < self.d and table.place[k + q] >= 0:
                p = table.place[k + q]
                column[q] = columns_of(table, block) + p * table.width(block)
                q += 1
            if q == WIDTH:
                loops().side_by_side(column, 0, count, rows + k, self.d)
            else:
                for e in range(count if q else 0):
                    for p in range(q):
                        rows[e * self.d + k + p] = column[p][e]
            k += q
            if q < WIDTH and k < self.d:
                p = -1 - table.place[k]
                for e in range(list_[p], list_[p + 1]):
                    rows[table.spots[e] * self.d + k] = table.values[e]
                k += 1

    cdef bint list_numbers(self, RowNumbers numbers) except -1:
        """List what is not zero of numbers by row, if more than half of all are zero."""
        cdef Py_ssize_t i, s, count = 0, p = 0
        for s in range(numbers.first[self.n]):
            count += numbers.value[s] != 0
        if 2 * count >= self.n * self.d:
            return False
        self.begin_list(count)
        for i in range(self.n):
            for s in range(numbers.first[i], numbers.first[i + 1]):
                self.places[p], self.values[p] = numbers.feature[s], numbers.value[s]
                p += numbers.value[s] != 0
            p = self.first[i + 1] = self.filled_up(p)
        return True

    cdef void list_table(self, Table table, i64 *end) noexcept nogil:
        """List what is not zero in the Table, of row i from end[i] on, which becomes the place
        after it."""
        cdef const double *column
        cdef const i64 *list_
        cdef i64 block, k, e
        for block in range(table.blocks):
            for k in range(table.d):
                if table.place[k] >= 0:
                    column = columns_of(table, block) + table.place[k] * table.width(block)
                    for e in range(min(<i64> BLOCK, table.n - block * BLOCK)):
                        self.list_number(block * BLOCK + e, k, column[e], end)
                else:
                    list_ = lists_of(table, block) - 1 - table.place[k]
                    for e in range(list_[0], list_[1]):
                        self.list_number(block * BLOCK + table.spots[e], k, table.values[e], end)

    cdef inline void list_number(self, i64 i, i64 k, double v, i64 *end) noexcept nogil:
        if v != 0:
            self.places[end[i]], self.values[end[i]] = <int> k, v
            end[i] += 1

    cdef Examples only(self, const Py_ssize_t *some, Py_ssize_t count):
        """The same but for all other rows, which are empty, where these are at most half of all,
        and listed: side by side they stay in a near cache."""
        cdef Examples few = Examples()
        cdef Py_ssize_t a, i, size = 0
        if not self.mostly_zero or 2 * count > self.n:
            return self
        for a in range(count):
            size += self.first[some[a] + 1] - self.first[some[a]]
        few.n, few.d, a = self.n, self.d, 0
        few.begin_list(size, 0)
        for i in range(self.n):
            few.first[i + 1] = few.first[i]
            if a < count and some[a] == i:
                few.copy_row(self, i)
                a += 1
        return few

    cdef void copy_row(self, Examples X, Py_ssize_t i) noexcept nogil:
        """List row i of X behind the rows before it."""
        cdef Py_ssize_t to = self.first[i], begin = X.first[i], count = X.first[i + 1] - begin
        memcpy(self.places + to, X.places + begin, count * sizeof(int))
        memcpy(self.values + to, X.values + begin, count * sizeof(double))
        self.first[i + 1] = to + count

    cdef int begin_list(self, Py_ssize_t count, Py_ssize_t filling=FILLED) except -1:
        """Make room for a list of so many numbers, and so many zeros a row that fill it up."""
        count = PADDED(count + filling * self.n)
        self.first = <Py_ssize_t *> zeroed(self.n + 1, sizeof(Py_ssize_t))
        self.places = <int *> zeroed(count, sizeof(int))
        self.values = <double *> zeroed(count, sizeof(double))
        self.mostly_zero = True
        return 0

    cdef Doubles weights(self, Py_ssize_t count):
        """Room for so many vectors of weights, 0 at first, and for what fills up lists."""
        return Doubles(count * self.d + FILLED)

    cdef const double *row(self, Py_ssize_t i) noexcept nogil:
        return self.X + i * self.d

    cdef const double *numbers(self, Py_ssize_t i, Py_ssize_t *count) noexcept nogil:
        """The numbers of row i, or what is listed of them; and how many."""
        count[0] = self.d
        if not self.mostly_zero:
            return self.row(i)
        count[0] = self.first[i + 1] - self.first[i]
        return self.values + self.first[i]

    cdef bint is_empty(self, Py_ssize_t i) noexcept nogil:
        """Whether row i is zero."""
        cdef Py_ssize_t k, count
        cdef const double *x = self.numbers(i, &count)
        for k in range(count):
            if x[k] != 0:
                return False
        return True

    cdef double squares(self, Py_ssize_t i) noexcept nogil:
        """x_i.x_i"""
        cdef Py_ssize_t k, count
        cdef const double *x = self.numbers(i, &count)
        cdef double total = 0
        for k in range(count):
            total += x[k] * x[k]
        return total

    cdef inline void bring_near(self, Py_ssize_t i) noexcept nogil:
        """Fetch row i from memory, as it is needed soon: lines of eight doubles."""
        cdef Py_ssize_t k
        if self.mostly_zero:
            for k in range(self.first[i], self.first[i + 1], 8):
                bring_near(self.values + k)
                bring_near(self.places + k)
        else:
            for k in range(0, self.d, 8):
                bring_near(self.row(i) + k)

    cdef inline double score(self, const double *w, Py_ssize_t i) noexcept nogil:
        """w.x_i"""
        cdef const int *places = self.places
        cdef const double *x = self.values
        cdef double total = 0
        cdef Py_ssize_t k
        if self.mostly_zero:
            for k in range(self.first[i], self.first[i + 1], 4):  # FILLED
                total += w[places[k]] * x[k]
                total += w[places[k + 1]] * x[k + 1]
                total += w[places[k + 2]] * x[k + 2]
                total += w[places[k + 3]] * x[k + 3]
        else:
            x = self.row(i)
            for k in range(self.d):
                total += w[k] * x[k]
        return total

    cdef inline double whole_score(self, const double *w, Py_ssize_t i) noexcept nogil:
        """w.x_i if all that is listed is 1, and the weights are whole numbers so small that no sum
        is ever rounded: then its order does not matter."""
        cdef const int *places = self.places
        cdef double total0 = 0, total1 = 0, total2 = 0, total3 = 0
        cdef Py_ssize_t p
        for p in range(self.first[i], self.first[i + 1], 4):  # FILLED
            total0 += w[places[p]]
            total1 += w[places[p + 1]]
            total2 += w[places[p + 2]]
            total3 += w[places[p + 3]]
        return total0 + total1 + (total2 + total3)

    cdef void scores(self, const double *w, const Py_ssize_t *s, Py_ssize_t count,
                     double *into) noexcept nogil:
        """Write w.x_i of the rows s."""
        cdef const double *v[WIDTH]
        cdef const double *x[WIDTH]
        cdef Py_ssize_t j = 0, k
        while not self.mostly_zero and j + WIDTH <= count:
            for k in range(WIDTH):
                v[k], x[k] = w, self.row(s[j + k])
            loops().dots(v, x, self.d, into + j)
            j += WIDTH
        while j < count:
            into[j] = self.score(w, s[j])
            j += 1

    cdef void push(self, double *w, double amount, Py_ssize_t i) noexcept nogil:
        """Add amount x_i to w."""
        cdef Py_ssize_t p
        if self.mostly_zero:
            for p in range(self.first[i], self.first[i + 1]):
                w[self.places[p]] += amount * self.values[p]
        else:
            loops().step(w, w, amount, self.row(i), self.d)


def plain_signs(y, Py_ssize_t n):
    """n labels +1 and -1, both present, as Doubles; None if they are anything else."""
    cdef Doubles found = Doubles(n)
    cdef Py_ssize_t i, positive = 0
    if not read_numbers(y, n, found.at):
        return None
    for i in range(n):
        positive += found.at[i] == 1
        if fabs(found.at[i]) != 1:
            return None
    return found if 0 < positive < n else None


cdef list list_of(const double *w, Py_ssize_t d):
    """These numbers; all that are +0.0 are one object."""
    cdef object zero = 0.0
    cdef Py_ssize_t k
    return [zero if is_zero(w[k]) else w[k] for k in range(d)]


cdef double dot(list x, list z) except *:
    """linalg.dot of as many floats."""
    cdef double found = 0
    cdef Py_ssize_t k
    for k in range(len(x)):
        found += <double> x[k] * <double> z[k]
    return found


cdef Py_ssize_t chunk(Py_ssize_t work):
    """How many picks to take at once, between two looks for Ctrl-C, if each needs so many
    products."""
    return max(1, min(CHUNK, WORK // work))


def examples(X, y=None, picks=None, *others):
    """The Examples of rows of plain numbers; None of anything else.

    They stay where the caller has them if no code of the caller's can run until the end: the
    labels are plain, the picks compiled draws, and the others plain numbers.
    """
    cdef Examples found = Examples()
    if not found.read(X):
        return None
    if (not isinstance(picks, Draws) or plain_signs(y, found.n) is None
            or not set(map(type, others)) <= {int, float, bool}):
        found.keep()
    return found


# Pegasos


cdef struct Clock:
    double lam, t, H  # t rounds are over; H = 1 + 1/2 + ... + 1/(t-1)


cdef struct Pegasos:
    Clock clock
    double *y
    bint *pushed                # whether an example pushed when it was last picked
    double *late
    const double *now           # v after the rounds that are over
    const double *v[WIDTH + 1]  # v before each round that is looked at, and after the last one, as
    double *room                # it is expected to be; and the memory for them, v[0] first
    bint whole                  # whether all that is listed is 1, and no sum over v reaches 2^53
    const Loops *loops


cdef inline bint pushes(Clock *clock, double margin) noexcept nogil:
    """Whether an example with this margin, y_i v.x_i, pushes in the next round; the clock goes on.

    The oracle asks whether margin / bound is below 1. The quotient, rounded, is so if and only if
    margin < bound: the next double below the bound is at most 1 - 2^-53 times the bound, and that
    factor is a double. An infinite bound makes 0 of finite margins, and NaN of others.
    """
    cdef double bound = clock.lam * clock.t
    cdef bint first = clock.t == 0
    if not first:
        clock.H += 1 / clock.t
    clock.t += 1
    return first or margin < bound and (bound <= DBL_MAX or margin >= -DBL_MAX)


cdef void short_rounds(Pegasos *run, Examples X, const Py_ssize_t *s,
                       Py_ssize_t count) noexcept nogil:
    """The next rounds, with rows that are mostly zero: v is changed in place."""
    cdef Clock clock = run.clock
    cdef const int *places = X.places
    cdef const double *x = X.values
    cdef double *v = run.room
    cdef double *late = run.late
    cdef double sign, score, later
    cdef Py_ssize_t j, p
    for j in range(count):
        sign = run.y[s[j]]
        score = X.whole_score(v, s[j]) if run.whole else X.score(v, s[j])
        if pushes(&clock, sign * score):
            later = clock.H * sign
            for p in range(X.first[s[j]], X.first[s[j] + 1]):
                v[places[p]] += sign * x[p]
                late[places[p]] += later * x[p]
    run.clock = clock


cdef Py_ssize_t rounds(Pegasos *run, Examples X, const Py_ssize_t *s,
                       Py_ssize_t ahead) noexcept nogil:
    """The next `ahead` rounds, though none after one that does not go as expected; how many
    were settled."""
    cdef Clock clock = run.clock
    cdef double scores[WIDTH]
    cdef const double *x[WIDTH]
    cdef double sign
    cdef bint pushed
    cdef Py_ssize_t j
    if run.now != run.room:
        memcpy(run.room, run.now, X.d * sizeof(double))
    for j in range(WIDTH):
        x[j] = X.row(s[min(j, ahead - 1)])
    for j in range(ahead):
        lay_out(run, x[j], run.y[s[j]], run.pushed[s[j]], j, X.d)
    run.loops.dots(run.v, x, X.d, scores)
    for j in range(ahead):
        sign = run.y[s[j]]
        pushed = pushes(&clock, sign * scores[j])
        if pushed:
            run.loops.step(run.late, run.late, clock.H * sign, x[j], X.d)
        if pushed != run.pushed[s[j]]:
            run.pushed[s[j]] = pushed
            lay_out(run, x[j], sign, pushed, j, X.d)
            ahead = j + 1
            break
    run.clock, run.now = clock, run.v[ahead]
    return ahead


cdef inline void lay_out(Pegasos *run, const double *x, double sign, bint pushed,
                         Py_ssize_t j, Py_ssize_t d) noexcept nogil:
    """Let v[j + 1] be v[j]; or if x pushes, v[j] + sign x."""
    cdef double *after = run.room + (j + 1) * d
    run.v[j + 1] = run.v[j]
    if pushed:
        run.loops.step(after, run.v[j], sign, x, d)
        run.v[j + 1] = after


def pegasos(Examples X, Doubles y, double lam, picks, wanted):
    """(w, average, W) of refsvm.pegasos for labels and lam that are checked."""
    cdef Draws draws = draws_of(picks, X.n)
    cdef bint history = yes_or_no(wanted, "history")
    cdef Py_ssize_t d = X.d
    cdef Doubles v = X.weights(WIDTH + 1), late = X.weights(1)
    cdef Doubles pushed = Doubles(X.n)  # memory for a bint each
    cdef Pegasos run
    cdef Py_ssize_t s[CHUNK]
    cdef Py_ssize_t at, count, done, j, room = chunk(d)
    cdef list W = [list_of(v.at, d)]
    run.now, run.room, run.late, run.y, run.pushed = v.at, v.at, late.at, y.at, <bint *> pushed.at
    run.clock, run.loops = Clock(lam, 0, 0), loops()
    run.whole = X.ones and <double> draws.left * d < 2.0**53
    for j in range(WIDTH + 1):
        run.v[j] = v.at
    while draws.left:
        count, at = draws.take(s, room), 0
        with nogil:
            while at < count:
                if X.mostly_zero:
                    done = 1 if history else count
                    short_rounds(&run, X, s + at, done)
                else:
                    done = rounds(&run, X, s + at, min(<Py_ssize_t> WIDTH, count - at))
                if history:
                    with gil:
                        for j in range(1, done + 1):
                            W.append(divided(run.v[j], lam * (run.clock.t - done + j), d))
                at += done
        PyErr_CheckSignals()
    bound, H = lam * run.clock.t, run.clock.H
    if not history:
        W = [divided(run.now, bound, d)]
    average = [(0 - late.at[j] + run.now[j] * H) / bound for j in range(d)]
    return W[len(W) - 1], average, W


cdef list divided(const double *v, double by, Py_ssize_t d):
    cdef Py_ssize_t k
    return [v[k] / by for k in range(d)]


# Perceptron


@cython.final
cdef class Mistakes:
    """How often each example was decided wrongly, and which were decided rightly since the last
    mistake."""

    cdef Py_ssize_t n
    cdef Py_ssize_t *counts   # c_i
    cdef Py_ssize_t *seen     # 1 + how many mistakes there were when example i was last right
    cdef Py_ssize_t all       # mistakes
    cdef Py_ssize_t right     # examples decided rightly since the last one

    def __cinit__(self, Py_ssize_t n):
        self.counts = <Py_ssize_t *> zeroed(n, sizeof(Py_ssize_t))
        self.seen = <Py_ssize_t *> zeroed(n, sizeof(Py_ssize_t))
        self.all, self.right, self.n = 0, 0, n

    def __dealloc__(self):
        PyMem_Free(self.counts)
        PyMem_Free(self.seen)

    cdef void wrong(self, Py_ssize_t i) noexcept nogil:
        self.counts[i] += 1
        self.all += 1
        self.right = 0

    cdef void fine(self, Py_ssize_t i) noexcept nogil:
        if self.seen[i] != self.all + 1:
            self.seen[i] = self.all + 1
            self.right += 1

    cdef tuple fields(self):
        """The last fields of a Perceptron: counts, mistakes, converged."""
        cdef Py_ssize_t i
        return [self.counts[i] for i in range(self.n)], self.all, self.right == self.n


cdef Py_ssize_t perceptron_rounds(Examples X, const double *y, const Py_ssize_t *s,
                                  Py_ssize_t ahead, double *w, Mistakes mistakes) noexcept nogil:
    """The next `ahead` picks, though none after a mistake; how many were settled."""
    cdef double scores[WIDTH]
    cdef Py_ssize_t j
    X.scores(w, s, ahead, scores)
    for j in range(ahead):
        if y[s[j]] * scores[j] <= 0:
            X.push(w, y[s[j]], s[j])
            mistakes.wrong(s[j])
            return j + 1
        mistakes.fine(s[j])
    return ahead


def perceptron(Examples X, Doubles y, picks):
    """The fields of refsvm.perceptron for labels that are checked."""
    cdef Draws draws = draws_of(picks, X.n)
    cdef Doubles w = X.weights(1)
    cdef Mistakes mistakes = Mistakes(X.n)
    cdef Py_ssize_t s[CHUNK]
    cdef Py_ssize_t at, count, room = chunk(X.d), ahead = AHEAD if X.mostly_zero else WIDTH
    while draws.left:
        count, at = draws.take(s, room), 0
        with nogil:
            while at < count:
                at += perceptron_rounds(X, y.at, s + at, min(ahead, count - at), w.at,
                                        mistakes)
        PyErr_CheckSignals()
    return list_of(w.at, X.d), *mistakes.fields()


include "kernel_online.pxi"
include "dual_coordinate_descent.pxi"
include "newton.pxi"
include "proximal_point.pxi"
