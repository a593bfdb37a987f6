# Rows of a kernel matrix; see _kernel_rows.pyx.

from libc.stdint cimport uint64_t

from ._table cimport Queries, Query, RowNumbers, Table

cdef enum:
    SHARED = 8         # rows that are computed in one sweep, at most
    WINDOW = 32        # sweeps with guesses between two looks at how many of these were asked for
    MOST_THREADS = 64  # that share a sweep

cdef class Formula:
    cdef int sort
    cdef double gamma, coef0      # of a multiple, gamma is the factor
    cdef long degree
    cdef Formula left, right
    cdef bint joint, apart        # whether an inner product is part of it, and a distance
    cdef void values(self, Table points, long block, Query *queries, int m, bint exact,
                     double *out) noexcept nogil
    cdef void of_totals(self, double *totals, long n) noexcept nogil

cdef Formula formula_of(object kernel, int depth=*)

cdef struct Moves:
    # What residuals are to follow: r_k -= d_a K_ak, one row of K after the other.
    long *rows                    # so many rows,
    long count
    double *amount                # and d of each
    long second                   # where residuals of the second variables of all begin; 0: none
    const double *ridge           # what is added to the diagonal, or NULL
    bint bounded                  # whether kernel values need no look at whether they are finite
    double largest                # the largest size of a value met, where they are looked at

cdef class Job:
    cdef void work(self, int part, int parts) noexcept nogil

cdef class Source(Job):
    cdef readonly long n, padded  # examples; numbers in a row: n, up to a multiple of WIDTH
    cdef long slept               # cycles, about, that were slept since breathe() counted them
    cdef double *scratch          # room for SHARED rows, where a pass needs some
    cdef list order               # of a row: its example; None where rows are in the problem's order
    cdef int compute(self, const long *wanted, int m, double **out) except -1 nogil
    cdef int compute_aside(self, const long *wanted, int m, double **out) except -1 nogil
    cdef int subtract(self, Moves *moves, double *r) except -1 nogil
    cdef double among(self, const long *which, long m, double *K, long stride,
                      bint bounded) except -1 nogil
    cdef int parts(self) noexcept nogil
    cdef int run(self, Job job, double cycles) except -1 nogil
    cdef int norms(self, double *out) except -1 nogil
    cdef double price(self) noexcept nogil
    cdef long cost(self) noexcept nogil
    cdef double spare(self) noexcept nogil
    cdef int leave_out(self, const bint *known) except -1
    cdef double largest_in(self, long i, const double *row) except -1 nogil
    cdef long example(self, long i) noexcept
    cdef int refuse(self, long i, const double *row) except -1
    cdef int refuse_norms(self, const double *norms) except -1 nogil
    cdef void pad(self, double *row) noexcept nogil

cdef class Guesses:
    cdef double price             # of one row more in a sweep, if a sweep of one row costs 1
    cdef bint *asked              # of an example: was its row asked for since it was guessed?
    cdef long sweeps              # with guesses, in this window of WINDOW sweeps
    cdef long count[2]            # how many guesses there were: in this window, and in the last,
    cdef long guessed[2][WINDOW * SHARED]  # and of which examples
    cdef int learnt(self, const long *guessed, int m, int share) noexcept nogil

cdef struct Outlook:
    # What a solver knows of the rows that it will ask for, as in refsvm/solvers/dual_ascent.py.
    const double *up
    const double *low
    double m, M                   # the largest up, the smallest low; 0 among both without a group
    long second                   # where those of the second variables of all begin; 0: none have one

cdef class Rows:
    cdef readonly Source source
    cdef double *ridge            # what is added to the diagonal, or NULL
    cdef bint bounded             # whether values are sure to be finite, and no larger than on the
                                  # diagonal
    cdef double largest           # the largest size of a value in a row that was asked for
    cdef long cost                # of a value, in cycles
    # The slots: room for a row each. `used` of them have one, or had one.
    cdef double *room
    cdef long stride              # numbers in a slot
    cdef readonly long slots      # how many there is room for,
    cdef long allowed, growth     # may be used now, and more may be for each row made again
    cdef long used
    cdef long *slot_of            # of an example: the slot of its row; -1 - slot, if that is only
                                  # reserved for it; -1, if neither
    cdef long *owner              # of a slot: whose row it keeps, or -1
    cdef bint *unchecked          # of a slot: whether its row was not asked for yet
    cdef bint *made               # of an example: whether its row was computed before
    # Which row goes where one must: one that is far from being needed.
    cdef long uses                # of all rows until now
    cdef long *used_at            # of a slot: `uses` when its row was used last
    cdef const Outlook *outlook   # of the solver that asks for rows, or NULL
    cdef long turn                # the slot that was looked at last when one was to be emptied
    # Rows that are not asked for are computed along with one that is.
    cdef readonly int share       # how many rows to compute in one sweep, those guessed included
    cdef Guesses guesses
    # Mirroring: what rows say of an example is put into its own row.
    cdef bint mirrors             # whether that is done: only if no row ever goes
    cdef readonly long mirrored   # so many examples are left out of sweeps: the first in `order`
    cdef long wasted              # values computed since then that the other rows kept say, too
    cdef long *order              # whose rows were made, one after the other
    cdef double *aside            # what waits in the slots of rows while these are computed
    cdef void expect(self, long rows) noexcept nogil
    cdef void forget(self) noexcept nogil
    cdef const double *row(self, long i) except NULL nogil
    cdef int guess_too(self, const long *wanted, int m) except -1 nogil
    cdef int want(self, const long *wanted, int m) except -1 nogil
    cdef const double *kept(self, long i) noexcept nogil
    cdef bint has(self, long i) noexcept nogil
    cdef long take_slot(self, long i) noexcept nogil
    cdef void touch(self, long slot) noexcept nogil
    cdef long slot_to_empty(self) noexcept nogil
    cdef double distance(self, long slot) noexcept nogil
    cdef double distance_of(self, long k) noexcept nogil
    cdef bint guesses_pay(self) noexcept nogil
    cdef int compute(self, const long *wanted, int m, double **out) except -1 nogil
    cdef int for_once(self, const long *wanted, int m, const double **found) except -1 nogil
    cdef void mirror(self) noexcept nogil
    cdef void move_over(self, const long *wanted, int m) noexcept nogil
    cdef int finish(self, long i, double *row) except -1 nogil

cdef class Marks:
    cdef long features, words
    cdef bint apart
    cdef double square
    cdef uint64_t *bits           # of a block: the first word of each example, the second, ...
    cdef double *value            # of each count
    cdef bint take(self, Table table) except -1 nogil
    cdef void mark(self, Table table, double low) noexcept nogil
    cdef void find_values(self, long d, Formula formula) noexcept nogil
    cdef void row(self, Table table, long i, long block, double *out) noexcept nogil

cdef class ResidualPass

cdef class BlockPass

cdef class TableSource(Source):
    cdef Table table
    cdef Table rest               # those examples that are not left out of sweeps; mostly all
    cdef long *places_of          # of a row of `rest`: which of all examples it is; NULL: the same
    cdef long *spot_of            # of an example that is not left out: which row of `rest`
    cdef Formula formula
    cdef bint exact               # whether no sum rounds (Table.ask)
    cdef bint hollow              # whether of an example its numbers are read, and no zeros
    cdef int hired                # threads that may share a job, this one included,
    cdef Team team                # and those that do, once a job is worth it
    # of the sweep that is under way:
    cdef const long *wanted       # whose rows it computes,
    cdef int m                    # how many they are,
    cdef Queries asked            # what is asked of the table,
    cdef double *out[SHARED]      # and where the rows go
    cdef bint backward            # whether it begins where the last one ended: that is near still
    cdef ResidualPass follower    # once residuals were to follow moves
    cdef BlockPass block          # once values of some with each other were asked for
    cdef void ready(self, const long *wanted, int m, Query *query) noexcept nogil
    cdef void fill(self, long block) noexcept nogil
    cdef void values(self, long block, const long *wanted, Query *query, int m,
                     double *values) noexcept nogil
    cdef void put(self, long block, const double *values, double *out) noexcept nogil

cdef class MarkedSource(TableSource):
    cdef Marks marks
    cdef bint whole(self) noexcept nogil

cdef class ResidualPass(Job):
    cdef TableSource source
    cdef Queries asked
    cdef long room                # how many queries there is room for
    cdef Moves *moves
    cdef long begin, end          # of the moves: those that are looked at now,
    cdef bint ready               # once their queries are
    cdef double *r
    cdef double largest[MOST_THREADS]  # of each part: the largest size of a value
    cdef int subtract(self, Moves *moves, double *r) except -1 nogil
    cdef void make_ready(self, int part, int parts) noexcept nogil
    cdef void follow(self, long block, int part) noexcept nogil
    cdef int refuse(self) except -1 nogil

cdef class BlockPass(Job):
    cdef TableSource source
    cdef TableSource few          # of the examples of the block
    cdef Queries asked            # `group` for each part
    cdef int group                # rows that are computed together
    cdef double *K
    cdef long stride
    cdef bint bounded
    cdef double largest[MOST_THREADS]
    cdef double compute(self, const long *which, long m, double *K, long stride,
                        bint bounded) except -1 nogil
    cdef void tile(self, const long *rows, int m, Query *query, long block,
                   int part) noexcept nogil

cdef class ScorePass(Job):
    cdef TableSource source
    cdef RowNumbers numbers       # of its table, by row, if that is hollow; else None
    cdef Queries asked
    cdef double *w                # d numbers
    # of the moves that w follows, and of the residuals that follow from w:
    cdef bint adding              # which of the two is under way
    cdef const Moves *moves
    cdef const double *target
    cdef const double *beta
    cdef double *r
    cdef void clear(self) noexcept nogil
    cdef int add(self, const Moves *moves) except -1 nogil
    cdef int residuals(self, const Moves *moves, const double *target, const double *beta,
                       double *r) except -1 nogil
    cdef void follow(self, long block) noexcept nogil

cdef class Team:
    cdef Job job                  # what is being done,
    cdef int parts                # in so many parts, a thread each; part 0 for the one that asks
    cdef bint over
    cdef void *begin[MOST_THREADS]  # a lock for each part: released when it may begin,
    cdef void *done[MOST_THREADS]   # and one released when it is done
    cdef long run(self, Job job) except -1 nogil

cdef class Whole:
    cdef Table table
    cdef Rows rows
    cdef double *norms            # k(x, x) of every example

cdef class Part:
    cdef Whole whole
    cdef list places              # which rows of its table

cdef class PartSource(Source):
    cdef Whole whole
    cdef long *place              # of an example of the part: which of the whole it is
    cdef long room                # how many there may be
    cdef bint take(self, const long *places, long n) noexcept nogil

cdef Source source_of(object problem)
cdef Source ordered(Source source, list order)
cdef TableSource source_over(Table table, Formula formula)
cdef int next_not_zero(const double *beta, long n, long *j, long *wanted) noexcept nogil
