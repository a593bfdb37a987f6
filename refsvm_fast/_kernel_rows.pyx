"""Rows of a kernel matrix: the values of one example with all examples, kept while there is room.

    Formula    what a kernel of refsvm makes of an inner product or a distance, block by block
    Source     computes rows: TableSource by a Formula; MarkedSource (binary_features.pxi) where
               features take two values only; GramSource those of a matrix that is given;
               PythonSource by calling Python; PartSource (shared_rows.pxi) of rows that several
               problems share
    Team       threads that share the sweeps of a TableSource
    Guesses    rows that may be asked for next: how many to compute
    Rows       keeps the rows that will be needed soonest, as far as that can be told, where
               KernelRows of refsvm/kernels/gram_matrices.py keeps those used last

Several rows that are computed together share one sweep over the table.

Mirroring. K is symmetric, to the last bit: what a row says of another example is also what that
one's row says of this. So where values are dear, and there is room for all rows, the examples whose
rows are made are left out of the sweeps for others, from time to time. What their rows say of any
other example is moved then to the beginning of the slot where that one's row will be, for all of
them at once, so that each line of memory is read once; it is put in its places when the row is
computed.

    i, j       examples                      m         rows in a sweep, at most SHARED
    slot       room for one row              wanted    the examples whose rows are needed
    out        where the rows go             block     of the table (_table.pyx)
    cycles     of a processor: what costs are estimated in
"""

cimport cython
from libc.stdint cimport uint64_t
from libc.math cimport INFINITY
from libc.string cimport memcpy, memset

import refsvm
from refsvm.kernels.gram_matrices import checked_squared_norms, finite_row, refuse_infinite
from refsvm.kernels.base import Multiple, Product, Sum
from refsvm.kernels.extreme_gamma import is_extreme

from . import _inputs
from .loops cimport BLOCK, PADDED, WIDTH, bring_near, i64, release
from ._table cimport Query, Table, allocated, fill_up, loops, packed, places_in, queries_for

cdef extern from "Python.h":
    void *PyThread_allocate_lock()
    void PyThread_free_lock(void *)
    int PyThread_acquire_lock(void *, int) nogil
    void PyThread_release_lock(void *) nogil
    int WAIT_LOCK, NOWAIT_LOCK

cdef enum:
    TRIES = 50_000  # at a lock before sleeping at it, by all threads together: some 0.5 ms
    TURN = 10_000_000 # cycles: so long a thread that slept may have waited on a busy processor
    FAR = 1 << 21 # a table of so many bytes does not stay in a near cache,
    FARTHER = 1 << 22 # and one of so many comes from memory
    BEGIN = 1 << 22 # bytes of rows that may be kept from the beginning
    DEARER = 32   # cycles: a dearer value is worth mirroring: that takes the memory of all rows
    COPYING = 32  # to copy an example to another table costs as much as so many values
    LOOKS = 64    # slots that are compared when one is to be emptied
    DEEPEST = 32  # kernels in kernels: each needs 16 kB of the stack

cdef enum:
    LINEAR, POLYNOMIAL, MONOMIALS, GAUSSIAN, SIGMOID, SUM, PRODUCT, MULTIPLE


cdef class Formula:
    """A kernel as numbers: of <x, z>, or of |x - z|^2, or made of two other Formulas."""

    cdef void values(self, Table points, i64 block, Query *queries, int m, bint exact,
                     double *out) noexcept nogil:
        """Write the values of m <= SHARED queries with a block of points: BLOCK numbers a query, of
        the last one `width`. exact: as for Table.ask."""
        cdef double others[SHARED * BLOCK]
        cdef i64 width = points.width(block), l
        cdef int q
        if self.sort == SUM or self.sort == PRODUCT:
            self.left.values(points, block, queries, m, exact, out)
            self.right.values(points, block, queries, m, exact, others)
            for q in range(m):
                for l in range(q * BLOCK, q * BLOCK + width):
                    out[l] = out[l] + others[l] if self.sort == SUM else out[l] * others[l]
            return
        if self.sort == MULTIPLE:
            self.left.values(points, block, queries, m, exact, out)
        elif self.sort == GAUSSIAN:
            points.distances(block, queries, m, exact, out)
        else:
            points.dots(block, queries, m, out)
        for q in range(m):
            self.of_totals(out + q * BLOCK, width)

    cdef void of_totals(self, double *totals, i64 n) noexcept nogil:
        """Turn n inner products, distances or values of the inner kernel into kernel values."""
        cdef i64 l
        if self.sort == GAUSSIAN:
            loops().exps(totals, -self.gamma, n)
        elif self.sort == POLYNOMIAL:
            loops().powers(totals, self.gamma, self.coef0, self.degree, n)
        elif self.sort == SIGMOID:
            loops().tanhs(totals, self.gamma, self.coef0, n)
        elif self.sort == MONOMIALS:
            loops().sums_of_powers(totals, self.degree, n)
        elif self.sort == MULTIPLE:
            for l in range(n):
                totals[l] = self.gamma * totals[l]


cdef Formula formula_of(object kernel, int depth=0):
    """The Formula of a kernel whose numbers are floats; None if it is none of refsvm's, or made of
    others more than DEEPEST times, or multiplies rows by a unit (extreme_gamma.py)."""
    cdef Formula formula = Formula()
    if depth > DEEPEST or is_extreme(getattr(kernel, "gamma", None)):
        return None
    cdef object cls = type(kernel)
    formula.apart, formula.joint = cls is refsvm.Gaussian, cls is not refsvm.Gaussian
    if cls is refsvm.Linear:
        formula.sort = LINEAR
    elif cls is refsvm.Gaussian:
        formula.sort, formula.gamma = GAUSSIAN, kernel.gamma
    elif cls is refsvm.Polynomial and kernel.degree < 1 << 30:
        formula.sort, formula.degree = POLYNOMIAL, kernel.degree
        formula.gamma, formula.coef0 = kernel.gamma, kernel.coef0
    elif cls is refsvm.MonomialSum and kernel.degree < 1 << 30:
        formula.sort, formula.degree = MONOMIALS, kernel.degree
    elif cls is refsvm.Sigmoid:
        formula.sort, formula.gamma, formula.coef0 = SIGMOID, kernel.gamma, kernel.coef0
    elif cls is Sum or cls is Product:
        formula.sort = SUM if cls is Sum else PRODUCT
        formula.left = formula_of(kernel.left, depth + 1)
        formula.right = formula_of(kernel.right, depth + 1)
        if formula.left is None or formula.right is None:
            return None
        formula.apart = formula.left.apart or formula.right.apart
        formula.joint = formula.left.joint or formula.right.joint
    elif cls is Multiple:
        formula.sort, formula.gamma = MULTIPLE, kernel.factor
        formula.left = formula_of(kernel.kernel, depth + 1)
        if formula.left is None:
            return None
        formula.apart, formula.joint = formula.left.apart, formula.left.joint
    else:
        return None
    return formula


cdef class Job:
    """Work that threads share: a part each."""

    cdef void work(self, int part, int parts) noexcept nogil:
        """Do one of the parts."""


cdef class Source(Job):
    """Computes the kernel values of examples, called by their index, with all n of them."""

    def __dealloc__(self):
        release(self.scratch)

    cdef int compute(self, const i64 *wanted, int m, double **out) except -1 nogil:
        """Write the rows of m examples, from 1 to SHARED; after the n values of each are zeros."""
        return 0

    cdef int compute_aside(self, const i64 *wanted, int m, double **out) except -1 nogil:
        """Compute the rows of m examples where the next ones will be written."""
        cdef int q
        if self.scratch == NULL:
            with gil:
                self.scratch = <double *>allocated(SHARED * self.padded * sizeof(double))
        for q in range(m):
            out[q] = self.scratch + q * self.padded
        return self.compute(wanted, m, out)

    cdef int subtract(self, Moves *moves, double *r) except -1 nogil:
        """Let the residuals r follow the moves. ValueError, in the oracle's words, if a value is
        not finite."""
        cdef double *out[SHARED]
        cdef i64 a, j
        cdef int m, q
        for a in range(0, moves.count, 8):  # SHARED
            m = <int>min(SHARED, moves.count - a)
            self.compute_aside(moves.rows + a, m, out)
            for q in range(m):
                j = moves.rows[a + q]
                if not moves.bounded:
                    moves.largest = max(moves.largest, self.largest_in(j, out[q]))
                if moves.ridge != NULL:
                    out[q][j] += moves.ridge[j]
            loops().subtract(r, moves.amount + a, out[0], self.padded, m, self.padded)
            if moves.second > 0:
                loops().subtract(r + moves.second, moves.amount + a, out[0], self.padded, m,
                                 self.padded)
        return 0

    cdef double among(self, const i64 *which, i64 m, double *K, i64 stride,
                      bint bounded) except -1 nogil:
        """Write the kernel values of m examples with each other: row a begins at K + a stride, and
        zeros follow it up to PADDED(m). The largest size of a value, infinity where one is not
        finite; unless values are bounded, which need no look."""
        cdef double *out[SHARED]
        cdef double largest = 0
        cdef i64 a, c
        cdef int count, q
        for a in range(0, m, 8):  # SHARED
            count = <int>min(SHARED, m - a)
            self.compute_aside(which + a, count, out)
            for q in range(count):
                for c in range(m):
                    K[(a + q) * stride + c] = out[q][which[c]]
                fill_up(K + (a + q) * stride, m, PADDED(m), 0)
                if not bounded:
                    largest = max(largest, size_of(K + (a + q) * stride, PADDED(m)))
        return largest

    cdef int norms(self, double *out) except -1 nogil:
        """Write k(x, x) of every example."""
        return 0

    cdef double price(self) noexcept nogil:
        """What one row more costs in a sweep, if a sweep for one row costs 1."""
        return 1

    cdef i64 cost(self) noexcept nogil:
        """How many cycles, about, a value takes."""
        return 1000

    cdef double spare(self) noexcept nogil:
        """How many bytes leave_out takes at most; infinite if it is not to be called."""
        return INFINITY

    cdef int leave_out(self, const bint *known) except -1:
        """From now on compute rows of those examples only that are not known, and of these rows the
        values with each other only; nothing is written to the other places."""
        return 0

    cdef double largest_in(self, i64 i, const double *row) except -1 nogil:
        """The largest size of a value in row i; ValueError if one is not finite."""
        cdef double largest = size_of(row, self.padded)
        if not largest < INFINITY:
            with gil:
                self.refuse(i, row)
        return largest

    cdef i64 example(self, i64 i) noexcept:
        """Which example of the problem has row i."""
        return i if self.order is None else self.order[i]

    cdef int refuse(self, i64 i, const double *row) except -1:
        """ValueError, in the oracle's words, for the first value of row i that is not finite."""
        cdef list values = [row[k] for k in range(self.n)]
        if self.order is not None:
            found = dict(zip(self.order, values))
            values, i = [found[k] for k in range(len(found))], self.order[i]
        finite_row(values, i)
        return 0

    cdef int refuse_norms(self, const double *norms) except -1 nogil:
        """ValueError for the first k(x, x) that is not finite."""
        with gil:
            order = range(self.n) if self.order is None else self.order
            for k, norm in sorted(zip(order, [norms[k] for k in range(self.n)])):
                refuse_infinite(norm, k, k)
        return 0

    cdef void pad(self, double *row) noexcept nogil:
        """Write the zeros after the n values of a row."""
        memset(row + self.n, 0, (self.padded - self.n) * sizeof(double))

    def hire(self, i64 threads):
        """Let so many threads share a sweep from now on, where that is worth it, until they are
        dismissed."""

    def dismiss(self):
        """Let no other thread share sweeps from now on."""


cdef class TableSource(Source):
    """The rows of a Formula over a Table."""

    def __cinit__(self, Table table, Formula formula):
        self.table, self.rest, self.formula = table, table, formula
        self.n, self.padded = table.n, table.padded
        self.exact = formula.apart and table.exact_with(table)
        self.very_sparse = table.is_very_sparse() and not formula.apart
        if self.very_sparse:
            table.number_rows()
        self.asked, self.hired = queries_for(SHARED, table.d), 1

    def __dealloc__(self):
        release(self.places_of)
        release(self.spot_of)

    cdef int compute(self, const i64 *wanted, int m, double **out) except -1 nogil:
        cdef int q
        for q in range(m):
            self.out[q] = out[q]
        self.wanted, self.m, self.backward = wanted, m, not self.backward
        self.ready(wanted, m, self.asked.query)
        self.run(self, m * <double>self.rest.padded * self.cost())
        for q in range(m):
            self.pad(out[q])
        return 0

    cdef int run(self, Job job, double cycles) except -1 nogil:
        """Do a job that takes so many cycles, about: with all threads where that is worth it."""
        if self.hired == 1 or cycles < self.least:
            job.work(0, 1)
            return 0
        if self.team is None:  # a thread takes longer to begin than many a small fit
            with gil:
                self.team = Team(self.hired)
        self.slept += self.team.run(job)
        return 0

    cdef void ready(self, const i64 *wanted, int m, Query *query) noexcept nogil:
        """Read the examples that are wanted, and what a sweep asks about them."""
        cdef double *x[SHARED]
        cdef i64 spot[SHARED]
        cdef int q
        for q in range(m):
            x[q] = query[q].x
            spot[q] = wanted[q] if self.spot_of == NULL else self.spot_of[wanted[q]]
        if self.very_sparse:
            for q in range(m):
                query[q].known = self.rest.by_row.write(spot[q], x[q], query[q].at)
        else:
            self.rest.some_rows(spot, m, x)
        for q in range(m):
            self.rest.ask(&query[q], self.formula.joint, self.formula.apart, self.exact)

    cdef int subtract(self, Moves *moves, double *r) except -1 nogil:
        if self.follower is None:
            with gil:
                self.follower = ResidualPass(self)
        return self.follower.subtract(moves, r)

    cdef double among(self, const i64 *which, i64 m, double *K, i64 stride,
                      bint bounded) except -1 nogil:
        if self.block is None:
            with gil:
                self.block = BlockPass(self)
        return self.block.compute(which, m, K, stride, bounded)

    cdef void work(self, int part, int parts) noexcept nogil:
        """Compute one of the parts of the rows: a range of blocks."""
        cdef i64 blocks = self.rest.blocks, b
        cdef i64 begin = blocks * part // parts, end = blocks * (part + 1) // parts
        for b in range(begin, end):
            self.fill(begin + end - 1 - b if self.backward else b)

    cdef void fill(self, i64 block) noexcept nogil:
        """Compute the values with a block of `rest`, and put them in their places."""
        cdef double values[SHARED * BLOCK]
        cdef int q
        if self.m == 1 and self.places_of == NULL:
            self.values(block, self.wanted, self.asked.query, 1, self.out[0] + block * BLOCK)
            return
        self.values(block, self.wanted, self.asked.query, self.m, values)
        for q in range(self.m):
            self.put(block, values + q * BLOCK, self.out[q])

    cdef void values(self, i64 block, const i64 *wanted, Query *query, int m,
                     double *values) noexcept nogil:
        """Write the values of m examples with a block of `rest`: BLOCK numbers a row, of the last
        one `width`."""
        self.formula.values(self.rest, block, query, m, self.exact, values)

    cdef void put(self, i64 block, const double *values, double *out) noexcept nogil:
        """Put the values with a block of `rest` in their places of a row."""
        cdef i64 begin = block * BLOCK, count = min(BLOCK, self.rest.n - begin), l
        if self.places_of == NULL:
            memcpy(out + begin, values, count * sizeof(double))
            return
        for l in range(count):
            out[self.places_of[begin + l]] = values[l]

    cdef double spare(self) noexcept nogil:
        if self.cost() < DEARER:
            return INFINITY
        return self.table.padded * (self.table.dense + 2 * self.table.listed()) * sizeof(double)

    cdef int leave_out(self, const bint *known) except -1:
        cdef list others = [i for i in range(self.n) if not known[i]]
        cdef i64 l
        self.rest = None  # released before the next is made, as spare() has it
        self.rest = self.table.at(others)
        if self.very_sparse:
            self.rest.number_rows()
        if self.places_of == NULL:
            self.places_of = <i64 *>allocated(self.n * sizeof(i64))
            self.spot_of = <i64 *>allocated(self.n * sizeof(i64))
        for l in range(self.rest.n):
            self.places_of[l] = others[l]
            self.spot_of[self.places_of[l]] = l
        return 0

    def hire(self, i64 threads):
        if self.formula.sort != LINEAR:  # whose rounds are mostly steps, which no other can share
            self.hired, self.least = <int>min(threads, MOST_THREADS), _inputs.WORTH_SHARING

    def dismiss(self):
        self.hired = 1
        self.follower, self.block = None, None  # which hold this source, too
        if self.team is not None:
            self.team.dismiss()
            self.team = None

    cdef int norms(self, double *out) except -1 nogil:
        norms_of(self.formula, self.table, out)
        return 0

    cdef double price(self) noexcept nogil:
        # Of an `exact` table only what is not zero in x is read.
        # A large table comes from memory at about 8 bytes a cycle, or from a cache that cores share
        # at 24; it comes once for all rows of a sweep. So the first row costs this way, one more
        # only its operations.
        cdef double way = self.table.dense, bytes = 8 * self.table.padded * way
        if self.exact or bytes < FAR:
            return 1
        return min(1.0, self.cost() / (way if bytes > FARTHER else way / 3))

    cdef i64 cost(self) noexcept nogil:
        return self.table.cost()


include "binary_features.pxi"


cdef bint take(void *lock, int tries) noexcept nogil:
    """Take a lock; fall asleep at it only after so many tries, since to be woken takes longer than
    many a sweep. Whether the thread slept."""
    cdef int t
    for t in range(tries):
        if PyThread_acquire_lock(lock, NOWAIT_LOCK):
            return False
    PyThread_acquire_lock(lock, WAIT_LOCK)
    return True


cdef class Team:
    """Threads that share jobs: each computes a range of blocks.

    No value depends on which thread computes it. The threads wait at locks, the global lock free.
    """

    def __cinit__(self, int threads):
        cdef int p
        import threading  # which takes long

        self.parts = threads
        for p in range(1, self.parts):
            self.begin[p], self.done[p] = PyThread_allocate_lock(), PyThread_allocate_lock()
            PyThread_acquire_lock(self.begin[p], WAIT_LOCK)
            PyThread_acquire_lock(self.done[p], WAIT_LOCK)
            threading.Thread(target=self.work, args=(p,), daemon=True).start()

    def __dealloc__(self):
        cdef int p
        for p in range(1, self.parts):
            if self.begin[p] != NULL:
                PyThread_free_lock(self.begin[p])
                PyThread_free_lock(self.done[p])

    def work(self, int part):
        """What a thread does: its part, whenever it may begin, until all is over."""
        with nogil:
            while True:
                take(self.begin[part], TRIES // self.parts)
                if self.over:
                    break
                self.job.work(part, self.parts)
                PyThread_release_lock(self.done[part])

    cdef i64 run(self, Job job) except -1 nogil:
        """Do a job together; cycles, about, that were slept at locks."""
        cdef i64 slept = 0
        cdef int p
        if self.job is not job:
            with gil:
                self.job = job
        for p in range(1, self.parts):
            PyThread_release_lock(self.begin[p])
        job.work(0, self.parts)
        for p in range(1, self.parts):
            if take(self.done[p], TRIES // self.parts):
                slept += TURN
        return slept

    def dismiss(self):
        """Let the threads end."""
        cdef int p
        self.over = True
        for p in range(1, self.parts):
            PyThread_release_lock(self.begin[p])


include "passes.pxi"


cdef int norms_of(Formula formula, Table table, double *out) except -1 nogil:
    """Write k(z, z) of every example of a table, by the formula alone."""
    cdef i64 l
    cdef double *others
    if formula.sort == SUM or formula.sort == PRODUCT:
        norms_of(formula.left, table, out)
        with gil:
            others = <double *>allocated(table.padded * sizeof(double))
        try:
            norms_of(formula.right, table, others)
            for l in range(table.n):
                out[l] = out[l] + others[l] if formula.sort == SUM else out[l] * others[l]
        finally:
            release(others)
        return 0
    if formula.sort == MULTIPLE:
        norms_of(formula.left, table, out)
    elif formula.sort == GAUSSIAN:
        memset(out, 0, table.padded * sizeof(double))
    else:
        memcpy(out, table.norms, table.padded * sizeof(double))
    formula.of_totals(out, table.padded)
    return 0


cdef class OrderedSource(Source):
    """The rows of another source, in another order; an example may stand there twice."""

    cdef Source source
    cdef i64 *place              # of a row: which of that source it is

    def __cinit__(self, Source source, list order):
        cdef i64 k
        self.source, self.n, self.padded = source, len(order), PADDED(len(order))
        self.place = <i64 *>allocated(self.n * sizeof(i64))
        for k in range(self.n):
            self.place[k] = order[k]

    def __dealloc__(self):
        release(self.place)

    cdef int compute(self, const i64 *wanted, int m, double **out) except -1 nogil:
        cdef double *rows[SHARED]
        cdef i64 places[SHARED]
        cdef i64 l
        cdef int q
        for q in range(m):
            places[q] = self.place[wanted[q]]
        self.source.compute_aside(places, m, rows)
        for q in range(m):
            for l in range(self.n):
                out[q][l] = rows[q][self.place[l]]
            self.pad(out[q])
        return 0

    cdef int norms(self, double *out) except -1 nogil:
        cdef double *norms
        cdef i64 l
        with gil:
            norms = <double *>allocated(self.source.padded * sizeof(double))
        try:
            self.source.norms(norms)
            for l in range(self.n):
                out[l] = norms[self.place[l]]
        finally:
            release(norms)
        return 0

    cdef i64 cost(self) noexcept nogil:
        return self.source.cost()

    def hire(self, i64 threads):
        self.source.hire(threads)

    def dismiss(self):
        self.source.dismiss()


cdef class GramSource(Source):
    """The rows of a matrix that is given. It is symmetric: a row is a column of its Table."""

    cdef Table table

    def __cinit__(self, Table table):
        self.table, self.n, self.padded = table, table.n, table.padded

    cdef int compute(self, const i64 *wanted, int m, double **out) except -1 nogil:
        cdef i64 block
        cdef int q
        for q in range(m):
            for block in range(self.table.blocks):
                self.table.column(wanted[q], block, out[q] + block * BLOCK)
        return 0

    cdef int norms(self, double *out) except -1 nogil:
        cdef double *row
        cdef i64 i
        with gil:
            row = <double *>allocated(self.padded * sizeof(double))
        for i in range(self.n):
            self.compute(&i, 1, &row)
            out[i] = row[i]
        release(row)
        return 0


cdef class PythonSource(Source):
    """Rows that a function of Python computes, as lists: for a kernel of the caller's."""

    cdef object row_of, points, kernel, kind

    def __cinit__(self, problem):
        self.points, self.row_of, self.kernel = problem.rows, problem.kernel_rows(), problem.kernel
        self.kind = problem.kind
        self.n = problem.n
        self.padded = PADDED(self.n)

    @cython.boundscheck(True)  # on_step may do anything with a problem's rows
    cdef int compute(self, const i64 *wanted, int m, double **out) except -1 nogil:
        cdef int q
        with gil:
            for q in range(m):
                copy_list(self.row_of(self.points[wanted[q]]), self.n, out[q])
                self.pad(out[q])
        return 0

    cdef int norms(self, double *out) except -1 nogil:
        with gil:
            norms = checked_squared_norms(self.kernel, self.points, self.kind)
            copy_list(norms, self.n, out)
        return 0


@cython.boundscheck(True)
cdef int copy_list(object values, i64 n, double *out) except -1:
    """Write n numbers of Python to out."""
    cdef i64 k
    for k in range(n):
        out[k] = values[k]
    return 0


cdef int next_not_zero(const double *beta, i64 n, i64 *j, i64 *wanted) noexcept nogil:
    """Write the next examples, from j on and at most SHARED, whose beta is not zero, and move j
    past them; how many there are."""
    cdef int m = 0
    while j[0] < n and m < SHARED:
        if beta[j[0]] != 0:
            wanted[m] = j[0]
            m += 1
        j[0] += 1
    return m


cdef Source source_of(object problem):
    """What computes the rows of a problem of floats."""
    cdef Table table = None
    cdef Formula formula
    if type(getattr(problem, "packed", None)) is Part:
        return PartSource(problem.packed)
    formula = formula_of(problem.kernel)
    if formula is not None or type(problem.kernel) is refsvm.Precomputed:
        table = getattr(problem, "table", None) or packed(problem.rows)
    # A caller may have put another kernel, or other rows, into the problem.
    if table is None or table.n != problem.n or formula is None and table.d != table.n:
        return PythonSource(problem)
    if formula is None:
        return GramSource(table)
    return source_over(table, formula)


cdef Source ordered(Source source, list order):
    """The source of the same rows in this order, where an example may stand twice."""
    cdef Source found
    cdef TableSource plain
    if isinstance(source, TableSource):
        plain = source
        found = source_over(plain.table.at(order), plain.formula)
    else:
        found = OrderedSource(source, order)
    found.order = order
    return found


cdef TableSource source_over(Table table, Formula formula):
    """What computes the rows of a Formula over a Table."""
    cdef MarkedSource marked
    cdef Marks marks = marks_of(table, formula)
    if marks is None:
        return TableSource(table, formula)
    marked = MarkedSource(table, formula)
    marked.marks = marks
    return marked


cdef class Guesses:
    """Which rows were computed before they were asked for, and how many of them were asked for
    later: rows are guessed as long as that pays."""

    def __cinit__(self, i64 n):
        self.asked = <bint *>allocated(n * sizeof(bint))
        memset(self.asked, 0, n * sizeof(bint))

    def __dealloc__(self):
        release(self.asked)

    cdef int learnt(self, const i64 *guessed, int m, int share) noexcept nogil:
        """Note a sweep with these m guesses; how many rows the next ones are to share, now `share`.

        More, or fewer, by how many rows guessed in the last window were asked for by now: a guess
        is worth its `price` if that share of the guesses are."""
        cdef i64 q, lucky = 0
        for q in range(m):
            self.asked[guessed[q]] = False
            self.guessed[0][self.count[0]] = guessed[q]
            self.count[0] += 1
        self.sweeps += 1
        if self.sweeps < WINDOW:
            return share
        for q in range(self.count[1]):
            lucky += self.asked[self.guessed[1][q]]
        if lucky < self.price * self.count[1]:
            share = max(2, share // 2)
        elif self.count[1] > 0:
            share = min(SHARED, share * 2)
        self.count[1] = self.count[0]
        memcpy(self.guessed[1], self.guessed[0], self.count[0] * sizeof(i64))
        self.count[0] = self.sweeps = 0
        return share


cdef class Rows:
    """The rows of K, with the ridge on its diagonal; where one must go, it is one that is far from
    being needed.

    There are 2 + SHARED slots at least: so the two rows of a step stay in place while others are
    computed.

    A fit goes round among the free examples. If a round has more rows than fit, to keep those used
    last would lose each just before it is needed again. But a solver knows more of the future: the
    example of the largest residual that may rise is picked next, and the one of the smallest that
    may fall. So the row goes whose example is farthest from both.

    Memory that was never used takes the system about as long to hand out as a row of few features
    takes to compute, and many rows are needed once only. So little of it is used at first, and more
    for each row that has to be made again: much if rows are dear, little if they are cheap.
    """

    def __cinit__(self, Source source, double cache_mb, bint bounded):
        cdef double bytes = cache_mb * 1024 * 1024, row = source.padded * sizeof(double)
        self.source, self.bounded, self.ridge, self.largest = source, bounded, NULL, 1
        self.stride = source.padded
        self.slots = max(2 + SHARED, <i64>min(bytes / row, <double>source.n))
        self.room = <double *>allocated(self.slots * self.stride * sizeof(double))
        self.slot_of = <i64 *>allocated(source.n * sizeof(i64))
        self.owner = <i64 *>allocated(self.slots * sizeof(i64))
        self.used_at = <i64 *>allocated(self.slots * sizeof(i64))
        self.unchecked = <bint *>allocated(self.slots * sizeof(bint))
        memset(self.slot_of, 0xFF, source.n * sizeof(i64))
        self.order = <i64 *>allocated(self.slots * sizeof(i64))
        self.made = <bint *>allocated(source.n * sizeof(bint))
        memset(self.made, 0, source.n * sizeof(bint))
        self.guesses = Guesses(source.n)
        self.cost, self.guesses.price = source.cost(), source.price()
        self.share = 1 if self.guesses.price >= 1 else SHARED
        self.growth = max(1, self.cost // 8)
        self.mirrors = self.slots == source.n and source.n * row + source.spare() <= bytes
        self.allowed = max(2 + SHARED, <i64>min(<double>self.slots, BEGIN / row))
        if self.mirrors:
            self.allowed = self.slots

    cdef void expect(self, i64 rows) noexcept nogil:
        """Keep so many rows from the beginning, as all of them will be needed again."""
        self.allowed = min(self.slots, max(self.allowed, rows + SHARED))

    cdef void forget(self) noexcept nogil:
        """Begin anew, without mirroring: the source has other examples now, and no more of them
        than there were at first."""
        memset(self.slot_of, 0xFF, self.source.n * sizeof(i64))
        memset(self.made, 0, self.source.n * sizeof(bint))
        memset(self.guesses.asked, 0, self.source.n * sizeof(bint))
        self.guesses.sweeps = self.guesses.count[0] = self.guesses.count[1] = 0
        self.used = self.uses = self.turn = 0
        self.largest = 1

    cdef int give_back(self) except -1 nogil:
        """Give back the memory of all rows, which will seldom be needed again."""
        cdef double largest = self.largest
        self.forget()
        self.largest, self.allowed = largest, min(self.slots, 2 + SHARED)
        release(self.room)
        self.room = NULL
        with gil:
            self.room = <double *>allocated(self.slots * self.stride * sizeof(double))
        return 0

    def __dealloc__(self):
        release(self.room)
        release(self.slot_of)
        release(self.owner)
        release(self.used_at)
        release(self.unchecked)
        release(self.order)
        release(self.made)
        release(self.aside)

    cdef bint has(self, i64 i) noexcept nogil:
        """Whether the row of example i is kept."""
        return self.slot_of[i] >= 0

    cdef const double *kept(self, i64 i) noexcept nogil:
        """The row of example i, which must be there, without a ridge unless it was asked for
        by row()."""
        return self.room + self.slot_of[i] * self.stride

    cdef const double *row(self, i64 i) except NULL nogil:
        """K_ij for every j; it stays in place until rows have been used SHARED times more."""
        cdef i64 slot
        self.want(&i, 1)
        slot = self.slot_of[i]
        self.guesses.asked[i] = True
        if self.unchecked[slot]:
            self.unchecked[slot] = False
            self.finish(i, self.room + slot * self.stride)
        return self.room + slot * self.stride

    cdef int want(self, const i64 *wanted, int m) except -1 nogil:
        """Compute those rows of m <= SHARED examples that are missing, and take note that the other
        ones were used. What is computed here is checked later, by row()."""
        cdef double *out[SHARED]
        cdef i64 missing[SHARED]
        cdef int q, k = 0  # k: how many are missing
        for q in range(m):
            if self.slot_of[wanted[q]] >= 0:
                self.touch(self.slot_of[wanted[q]])
        for q in range(m):
            if self.slot_of[wanted[q]] < 0:
                missing[k] = wanted[q]
                k += 1
                if self.made[wanted[q]]:
                    self.allowed = min(self.slots, self.allowed + self.growth)
                self.made[wanted[q]] = True
        if k == 0:
            return 0
        for q in range(k):
            out[q] = self.room + self.take_slot(missing[q]) * self.stride
        try:
            self.compute(missing, k, out)
            k = 0
        finally:
            for q in range(k):  # after a failure no slot says that it has a row
                self.owner[self.slot_of[missing[q]]] = -1
                self.slot_of[missing[q]] = -1
        return 0

    cdef int compute(self, const i64 *wanted, int m, double **out) except -1 nogil:
        """Compute the rows of m <= SHARED examples in their slots, out; and put what waits there in
        its places. Then mirror, if by now that saves more than it costs."""
        # Rows that are kept, but not mirrored yet; and rows to be made still.
        cdef i64 fresh = self.used - self.mirrored, others = self.source.n - self.used, s
        cdef double *waiting
        cdef int q
        for q in range(m if self.mirrored > 0 else 0):
            memcpy(self.aside + q * self.slots, out[q], self.mirrored * sizeof(double))
        self.source.compute(wanted, m, out)
        for q in range(m if self.mirrored > 0 else 0):
            waiting = self.aside + q * self.slots
            for s in range(self.mirrored):
                out[q][self.order[s]] = waiting[s]
        self.wasted += m * fresh
        # To leave out `fresh` examples saves so many values of each row to come. It takes a copy of
        # the others, at COPYING values each: so only more than COPYING of them can be worth it. It
        # is done when as much was wasted as the copy takes.
        if self.mirrors and others > 0 and fresh > COPYING and self.wasted > COPYING * others:
            with gil:
                self.source.leave_out(self.made)
                if self.aside == NULL:
                    self.aside = <double *>allocated(SHARED * self.slots * sizeof(double))
            self.mirror()
        return 0

    cdef int for_once(self, const i64 *wanted, int m, const double **found) except -1 nogil:
        """Find the rows of m <= SHARED examples; they stay in place until more are asked for. Those
        that are not kept are computed aside, since to use memory for the first time takes as long.
        Not for rows that mirror."""
        cdef double *out[SHARED]
        cdef i64 missing[SHARED]
        cdef int place[SHARED]
        cdef int q, k = 0
        for q in range(m):
            if self.has(wanted[q]):
                found[q] = self.row(wanted[q])
            else:
                missing[k], place[k] = wanted[q], q
                k += 1
        if k > 0:
            self.source.compute_aside(missing, k, out)
        for q in range(k):
            self.finish(missing[q], out[q])
            found[place[q]] = out[q]
        return 0

    cdef void mirror(self) noexcept nogil:
        """Move what the rows made until now say of the other examples to the beginning of the slots
        of these; the first time, each gets the slot where its row will be."""
        cdef i64 wanted[SHARED]
        cdef i64 n = self.source.n, slot = self.used, i
        cdef int m = 0
        for i in range(n if self.mirrored == 0 else 0):
            if not self.made[i]:
                self.slot_of[i], slot = -1 - slot, slot + 1
        for i in range(n):
            if not self.made[i]:
                wanted[m] = i
                m += 1
            if m == SHARED or m > 0 and i == n - 1:
                self.move_over(wanted, m)
                m = 0
        self.mirrored, self.wasted = self.used, 0

    cdef void move_over(self, const i64 *wanted, int m) noexcept nogil:
        """Move what the rows made since the last time say of m <= SHARED examples to their slots.
        If they are neighbours, a line of memory of each row holds all of it."""
        cdef double *out[SHARED]
        cdef const double *row
        cdef i64 s
        cdef int q
        for q in range(m):
            out[q] = self.room + (-1 - self.slot_of[wanted[q]]) * self.stride
        for s in range(self.mirrored, self.used):
            row = self.kept(self.order[s])
            bring_near(row + wanted[m - 1] + SHARED)  # for the next call
            for q in range(m):
                out[q][s] = row[wanted[q]]

    cdef int guess_too(self, const i64 *wanted, int m) except -1 nogil:
        """want(), where only the first row is asked for; the others are guesses of what will be."""
        self.share = self.guesses.learnt(wanted + 1, m - 1, self.share)
        return self.want(wanted, m)

    cdef int finish(self, i64 i, double *row) except -1 nogil:
        """Check a row as it was computed, and add the ridge. ValueError, in the oracle's words, if
        a value is not finite."""
        if not self.bounded:
            self.largest = max(self.largest, self.source.largest_in(i, row))
        if self.ridge != NULL:
            row[i] += self.ridge[i]
        return 0

    cdef i64 take_slot(self, i64 i) noexcept nogil:
        """Take a slot for the row of example i: the one reserved for it, a new one, or that of a
        row far from being needed, which is lost."""
        cdef i64 slot
        if self.used < self.allowed:
            slot = -1 - self.slot_of[i] if self.mirrored > 0 else self.used
            self.order[self.used] = i
            self.used += 1
        else:
            slot = self.slot_to_empty()
            if self.owner[slot] >= 0:
                self.slot_of[self.owner[slot]] = -1
        self.owner[slot], self.slot_of[i], self.unchecked[slot] = i, slot, True
        self.touch(slot)
        return slot

    cdef i64 slot_to_empty(self) noexcept nogil:
        """The one farthest from being needed of the LOOKS slots whose turn it is, but for rows that
        must stay in place (row)."""
        cdef i64 slot, found = -1
        cdef double far, farthest = -1
        cdef int look
        for look in range(min(LOOKS, self.used)):
            self.turn = (self.turn + 1) % self.used
            slot = self.turn
            if self.uses - self.used_at[slot] > SHARED:
                far = self.distance(slot)
                if not far <= farthest:  # also where infinities leave no number
                    found, farthest = slot, far
        return found

    cdef double distance(self, i64 slot) noexcept nogil:
        """How far the example whose row is in this slot is from being picked: its residual, from
        that of the next one to rise or to fall. Where nothing is known of that: uses since its
        own."""
        cdef i64 k = self.owner[slot]
        if k < 0:
            return INFINITY
        if self.outlook == NULL:
            return self.uses - self.used_at[slot]
        if self.outlook.second == 0:
            return self.distance_of(k)
        return min(self.distance_of(k), self.distance_of(k + self.outlook.second))

    cdef double distance_of(self, i64 k) noexcept nogil:
        """distance() of a variable."""
        return max(0.0, min(self.outlook.m - self.outlook.up[k],
                            self.outlook.low[k] - self.outlook.M))

    cdef bint guesses_pay(self) noexcept nogil:
        """Whether to guess: once every slot is taken, a guess must be worth the row that goes."""
        return self.share > 1 and (self.used < self.slots or self.guesses.price < 0.5)

    cdef void touch(self, i64 slot) noexcept nogil:
        """Take note that the row in this slot was used."""
        self.uses += 1
        self.used_at[slot] = self.uses


include "shared_rows.pxi"
