# Rows of a kernel matrix; see _kernel_rows.pyx.

from libc.stdint cimport uint64_t

from .loops cimport i64
from ._table cimport Queries, Query, RowNumbers, Table

cdef enum:
    SHARED = 8         # rows that are computed in one sweep, at most
    WINDOW = 32        # sweeps with guesses between two looks at how many of these were asked for
    MOST_THREADS = 64  # that share a sweep

cdef class Formula:
    cdef int sort
    cdef double gamma, coef0      # of a multiple, gamma is the factor
    cdef i64 degree
    cdef Formula left, right
    cdef bint joint, apart        # whether an inner product is part of it, and a distance
    cdef void values(self, Table points, i64 block, Query *queries, int m, bint exact,
                     double *out) noexcept nogil
    cdef void of_totals(self, double *totals, i64 n) noexcept nogil

cdef Formula formula_of(object kernel, int depth=*)

cdef struct Moves:
    # What residuals are to follow: r_k -= d_a K_ak, one row of K after the other.
    i64 *rows                    # so many rows,
    i64 count
    double *amount                # and d of each
    i64 second                    # where residuals of the second variables of all begin; 0: none
    const double *ridge           # what is added to the diagonal, or NULL
    bint bounded                  # whether kernel values need no look at whether they are finite
    double largest                # the largest size of a value met, where they are looked at

cdef class Job:
    cdef void work(self, int part, int parts) noexcept nogil

cdef class Source(Job):
    cdef readonly i64 n, padded   # examples; numbers in a row: n, up to a multiple of WIDTH
    cdef i64 slept                # cycles, about, that were slept since breathe() counted them
    cdef double *scratch          # room for SHARED rows, where a pass needs some
    cdef list order               # of a row: its example; None where rows are in the problem's order
    cdef int compute(self, const i64 *wanted, int m, double **out) except -1 nogil
    cdef int compute_aside(self, const i64 *wanted, int m, double **out) except -1 nogil
    cdef int subtract(self, Moves *moves, double *r) except -1 nogil
    cdef double among(self, const i64 *which, i64 m, double *K, i64 stride,
                      bint bounded) except -1 nogil
    cdef int norms(self, double *out) except -1 nogil
    cdef double price(self) noexcept nogil
    cdef i64 cost(self) noexcept nogil
    cdef double spare(self) noexcept nogil
    cdef int leave_out(self, const bint *known) except -1
    cdef double largest_in(self, i64 i, const double *row) except -1 nogil
    cdef i64 example(self, i64 i) noexcept
    cdef int refuse(self, i64 i, const double *row) except -1
    cdef int refuse_norms(self, const double *norms) except -1 nogil
    cdef void pad(self, double *row) noexcept nogil

cdef class Guesses:
    cdef double price             # of one row more in a sweep, if a sweep of one row costs 1
    cdef bint *asked              # of an example: was its row asked for since it was guessed?
    cdef i64 sweeps               # with guesses, in this window of WINDOW sweeps
    cdef i64 count[2]             # how many guesses there were: in this window, and in the last,
    cdef i64 guessed[2][WINDOW * SHARED]  # and of which examples
    cdef int learnt(self, const i64 *guessed, int m, int share) noexcept nogil

cdef struct Outlook:
    # What a solver knows of the rows that it will ask for, as in refsvm/solvers/dual_ascent.py.
    const double *up
    const double *low
    double m, M                   # the largest up, the smallest low; 0 among both without a group
    i64 second                    # where those of the second variables of all begin; 0: none have one

cdef class Rows:
    cdef readonly Source source
    cdef double *ridge            # what is added to the diagonal, or NULL
    cdef bint bounded             # whether values are sure to be finite, and no larger than on the
                                  # diagonal
    cdef double largest           # the largest size of a value in a row that was asked for
    cdef i64 cost                 # of a value, in cycles
    # The slots: room for a row each. `used` of them have one, or had one.
    cdef double *room
    cdef i64 stride               # numbers in a slot
    cdef readonly i64 slots       # how many there is room for,
    cdef i64 allowed, growth      # may be used now, and more may be for each row made again
    cdef i64 used
    cdef i64 *slot_of            # of an example: the slot of its row; -1 - slot, if that is only
                                  # reserved for it; -1, if neither
    cdef i64 *owner               # of a slot: whose row it keeps, or -1
    cdef bint *unchecked          # of a slot: whether its row was not asked for yet
    cdef bint *made               # of an example: whether its row was computed before
    # Which row goes where one must: one that is far from being needed.
    cdef i64 uses                 # of all rows until now
    cdef i64 *used_at             # of a slot: `uses` when its row was used last
    cdef const Outlook *outlook   # of the solver that asks for rows, or NULL
    cdef i64 turn                 # the slot that was looked at last when one was to be emptied
    # Rows that are not asked for are computed along with one that is.
    cdef readonly int share       # how many rows to compute in one sweep, those guessed included
    cdef Guesses guesses
    # Mirroring: what rows say of an example is put into its own row.
    cdef bint mirrors             # whether that is done: only if no row ever goes
    cdef readonly i64 mirrored    # so many examples are left out of sweeps: the first in `order`
    cdef i64 wasted               # values computed since then that the other rows kept say, too
    cdef i64 *order               # whose rows were made, one after the other
    cdef double *aside            # what waits in the slots of rows while these are computed
    cdef void expect(self, i64 rows) noexcept nogil
    cdef void forget(self) noexcept nogil
    cdef int give_back(self) except -1 nogil
    cdef const double *row(self, i64 i) except NULL nogil
    cdef int guess_too(self, const i64 *wanted, int m) except -1 nogil
    cdef int want(self, const i64 *wanted, int m) except -1 nogil
    cdef const double *kept(self, i64 i) noexcept nogil
    cdef bint has(self, i64 i) noexcept nogil
    cdef i64 take_slot(self, i64 i) noexcept nogil
    cdef void touch(self, i64 slot) noexcept nogil
    cdef i64 slot_to_empty(self) noexcept nogil
    cdef double distance(self, i64 slot) noexcept nogil
    cdef double distance_of(self, i64 k) noexcept nogil
    cdef bint guesses_pay(self) noexcept nogil
    cdef int compute(self, const i64 *wanted, int m, double **out) except -1 nogil
    cdef int for_once(self, const i64 *wanted, int m, const double **found) except -1 nogil
    cdef void mirror(self) noexcept nogil
    cdef void move_over(self, const i64 *wanted, int m) noexcept nogil
    cdef int finish(self, i64 i, double *row) except -1 nogil

cdef class Marks:
    cdef i64 features, words
    cdef bint apart
    cdef double square
    cdef uint64_t *bits           # of a block: the first word of each example, the second, ...
    cdef double *value            # of each count
    cdef bint take(self, Table table) except -1 nogil
    cdef void mark(self, Table table, double low) noexcept nogil
    cdef void find_values(self, i64 d, Formula formula) noexcept nogil
    cdef void row(self, Table table, i64 i, i64 block, double *out) noexcept nogil

cdef class ResidualPass

cdef class BlockPass

cdef class TableSource(Source):
    cdef Table table
    cdef Table rest               # those examples that are not left out of sweeps; mostly all
    cdef i64 *places_of           # of a row of `rest`: which of all examples it is; NULL: the same
    cdef i64 *spot_of             # of an example that is not left out: which row of `rest`
    cdef Formula formula
    cdef bint exact               # whether no sum rounds (Table.ask)
    cdef bint very_sparse              # whether of an example its numbers are read, and no zeros
    cdef int hired                # threads that may share a job, this one included,
    cdef double least             # if it takes so many cycles;
    cdef Team team                # and those that do, once a job is worth it
    # of the sweep that is under way:
    cdef const i64 *wanted        # whose rows it computes,
    cdef int m                    # how many they are,
    cdef Queries asked            # what is asked of the table,
    cdef double *out[SHARED]      # and where the rows go
    cdef bint backward            # whether it begins where the last one ended: that is near still
    cdef ResidualPass follower    # once residuals were to follow moves
    cdef BlockPass block          # once values of some with each other were asked for
    cdef int run(self, Job job, double cycles) except -1 nogil
    cdef void ready(self, const i64 *wanted, int m, Query *query) noexcept nogil
    cdef void fill(self, i64 block) noexcept nogil
    cdef void values(self, i64 block, const i64 *wanted, Query *query, int m,
                     double *values) noexcept nogil
    cdef void put(self, i64 block, const double *values, double *out) noexcept nogil

cdef class MarkedSource(TableSource):
    cdef Marks marks
    cdef bint whole(self) noexcept nogil

cdef class ResidualPass(Job):
    cdef TableSource source
    cdef Queries asked
    cdef i64 room                # how many queries there is room for
    cdef Moves *moves
    cdef i64 begin, end           # of the moves: those that are looked at now,
    cdef bint ready               # once their queries are
    cdef double *r
    cdef double largest[MOST_THREADS]  # of each part: the largest size of a value
    cdef int subtract(self, Moves *moves, double *r) except -1 nogil
    cdef void make_ready(self, int part, int parts) noexcept nogil
    cdef void follow(self, i64 block, int part) noexcept nogil
    cdef int refuse(self) except -1 nogil

cdef class BlockPass(Job):
    cdef TableSource source
    cdef TableSource few          # of the examples of the block
    cdef Queries asked            # `group` for each part
    cdef int group                # rows that are computed together
    cdef double *K
    cdef i64 stride
    cdef bint bounded
    cdef double largest[MOST_THREADS]
    cdef double compute(self, const i64 *which, i64 m, double *K, i64 stride,
                        bint bounded) except -1 nogil
    cdef void tile(self, const i64 *rows, int m, Query *query, i64 block,
                   int part) noexcept nogil

cdef class ScorePass:
    cdef TableSource source
    cdef RowNumbers numbers       # of its table, by row, if that is very_sparse; else None
    cdef Queries asked
    cdef double *w                # d numbers
    cdef void clear(self) noexcept nogil
    cdef void add(self, const Moves *moves) noexcept nogil
    cdef void residuals(self, const Moves *moves, const double *target, const double *beta,
                        double *r) noexcept nogil

cdef class Team:
    cdef Job job                  # what is being done,
    cdef int parts                # in so many parts, a thread each; part 0 for the one that asks
    cdef bint over
    cdef void *begin[MOST_THREADS]  # a lock for each part: released when it may begin,
    cdef void *done[MOST_THREADS]   # and one released when it is done
    cdef i64 run(self, Job job) except -1 nogil

cdef class Whole:
    cdef Table table
    cdef Rows rows
    cdef double *norms            # k(x, x) of every example

cdef class Part:
    cdef Whole whole
    cdef list places              # which rows of its table

cdef class PartSource(Source):
    cdef Whole whole
    cdef i64 *place               # of an example of the part: which of the whole it is
    cdef i64 room                 # how many there may be
    cdef bint take(self, const i64 *places, i64 n) noexcept nogil

cdef Source source_of(object problem)
cdef Source ordered(Source source, list order)
cdef TableSource source_over(Table table, Formula formula)
cdef int next_not_zero(const double *beta, i64 n, i64 *j, i64 *wanted) noexcept nogil
