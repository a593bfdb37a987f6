# Kernel values of one row with all examples; see _rows.pyx.

from libc.stdint cimport uint64_t

from ._table cimport Queries, Query, Table

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

cdef class Source:
    cdef readonly long n, padded
    cdef long slept               # cycles, about, spent asleep since somebody took note of them
    cdef int compute(self, const long *wanted, int m, double **out) except -1 nogil
    cdef int norms(self, double *out) except -1 nogil
    cdef double price(self) noexcept nogil
    cdef long cost(self) noexcept nogil
    cdef double spare(self) noexcept nogil
    cdef int leave_out(self, const bint *known) except -1
    cdef double held(self) noexcept nogil

cdef class Rows:
    cdef Source source
    cdef double *ridge            # what is added to the diagonal, or NULL
    cdef bint bounded
    cdef double largest           # the largest size of a value in a row that was asked for
    cdef readonly long slots, computed
    cdef long sweeps              # those with guesses, since the last look at how lucky they were
    cdef long guesses[2]          # how many guesses: in the sweeps since, and before
    cdef long guessed[2][256]     # which
    cdef bint *asked              # of example i: was its row asked for since it was guessed?
    cdef readonly int share       # how many rows to compute in one sweep, those asked for included
    cdef double price             # of a row more in a sweep, if a sweep of one row is 1
    cdef long cost                # of a value, in cycles
    cdef bint *unchecked          # of a slot: whether nobody has asked for it yet
    cdef long stride, used
    cdef double bytes             # room for rows, and for what the source holds
    cdef bint mirrors             # whether all rows have room, and examples are left out of sweeps
    cdef readonly long mirrored   # how many are: those whose rows were made first
    cdef long wasted              # values computed since then that could have been filled in
    cdef long allowed, growth     # slots that may be used; how many more if a row is made again
    cdef bint *made               # of example i: whether its row was computed before
    cdef double *room
    cdef long *slot_of            # of example i: where its row is kept, or will be: -1 - that; -1
    cdef long *owner              # of a slot: whose row it keeps
    cdef long *order              # of all rows made, while none has gone: whose they are
    cdef double *aside            # what waited in the slots of rows that are being computed
    cdef long *used_at            # of a slot: when its row was used last, in uses of any row
    cdef double *worth            # of a slot: its row's uses, each as many units as one was then
    cdef double unit
    cdef long uses, turn          # of any row; the slot looked at last when one was to be emptied
    cdef void reckon(self) noexcept nogil
    cdef const double *row(self, long i) except NULL nogil
    cdef void learn(self) noexcept nogil
    cdef int guess_too(self, const long *wanted, int m) except -1 nogil
    cdef int want(self, const long *wanted, int m) except -1 nogil
    cdef const double *kept(self, long i) noexcept nogil
    cdef bint has(self, long i) noexcept nogil
    cdef long take_slot(self, long i) noexcept nogil
    cdef void touch(self, long slot) noexcept nogil
    cdef long slot_to_empty(self) noexcept nogil
    cdef void fade(self) noexcept nogil
    cdef int compute(self, const long *wanted, int m, double **out) except -1 nogil
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

cdef class Sketch:
    cdef Table table
    cdef long n, d
    cdef long width               # columns of a block: d, up to a multiple of SUMMED
    cdef double gamma, error      # how wrong a value is, at most
    cdef long most                # how many may be awake before all are woken
    cdef int group                # how many are woken together
    cdef double *middle           # c: what is taken off each feature
    cdef float *columns           # as those of the Table, but of all features: z - c
    cdef float *x                 # the rows asked about, `width` numbers each: x - c
    cdef Table fresh, awake
    cdef long *who                # of a row of `awake`: which of all examples it is,
    cdef long *where              # and of such an example: which row of `awake`
    cdef double *rows             # the rows of `awake`, one after the other

    cdef size_t room(self) noexcept nogil
    cdef long span(self, long block) noexcept nogil
    cdef float *column(self, long block, long k) noexcept nogil
    cdef void draw(self) noexcept nogil
    cdef void ask(self, int q, const double *x) noexcept nogil
    cdef void values(self, long block, int m, double **out) noexcept nogil
    cdef double *row(self, long i) noexcept nogil
    cdef int enlarge(self) except -1
    cdef void freshen(self, const long *which, int count, double **x) noexcept nogil
    cdef int join(self, const long *which) except -1 nogil

cdef class TableSource(Source):
    cdef Table table
    cdef Table rest               # of the examples whose values are computed: all but those left out
    cdef long *places_of          # of an example of the rest: which of all it is; NULL if all are
    cdef long *spot_of            # of an example of the rest, called by which of all it is: where
    cdef Formula formula
    cdef Marks marks              # None unless features, or the first of them, take two values
    cdef bint exact
    cdef const long *wanted       # whose rows this sweep computes
    cdef Queries asked
    cdef double *out[8]           # where the rows of this sweep go
    cdef int m                    # and how many they are
    cdef bint backward            # whether it begins where the last one ended: that is near still
    cdef Sketch sketch            # None unless values are computed about
    cdef Team team                # who helps; None if one thread does it all
    cdef bint whole(self) noexcept nogil
    cdef void put(self, long block, const double *values, double *out) noexcept nogil
    cdef void sweep(self, int part, int parts) noexcept nogil
    cdef void count(self, long block, double *values) noexcept nogil
    cdef void compute_awake(self) noexcept nogil
    cdef bint fall_asleep(self, double bytes) except -1
    cdef long rough_cost(self) noexcept nogil
    cdef long most_awake(self) noexcept nogil
    cdef double held_at_most(self) noexcept nogil
    cdef int wake(self, const long *which, int count, Rows rows, double *values) except -1 nogil

cdef class Team:
    cdef TableSource source
    cdef int parts
    cdef bint over
    cdef void *begin[64]          # locks: released when a part may begin, and when it is done
    cdef void *done[64]
    cdef void run(self) noexcept nogil

cdef class Whole:
    cdef Table table
    cdef Rows rows
    cdef double *norms

cdef class Part:
    cdef Whole whole
    cdef list places

cdef Source source_of(object problem)
