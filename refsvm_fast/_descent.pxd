# A descent down the dual, and its faces; see _descent.pyx.

from .loops cimport Extremes
from ._rows cimport RoughSource, Rows, Source

cdef enum Status:
    GOING, OPTIMAL, MAX_ITER, PRECISION, INFEASIBLE, TOO_LARGE

cdef struct Moved:
    long i, j                     # r fell by rose K_i + fell K_j, or rose K_i where j is -1
    double rose, fell

cdef class Sleepers:
    cdef RoughSource source       # of the rows, as long as anybody sleeps
    cdef readonly long n, awake   # how many examples there are, and how many of them are awake
    cdef char *asleep             # of an example: whether it is
    cdef double unsure, doubt, allowance
    cdef Moved *moved             # the moves since all residuals were computed anew,
    cdef long moves               # and how many
    cdef double *values           # of those who are woken: BLOCK numbers for each row that is kept,
    cdef long room                # and for how many rows there is room
    cdef int make_room(self, long rows) except -1 nogil
    cdef void note(self, long i, long j, double rose, double fell, double rounded) noexcept nogil
    cdef void allow(self, double *up, double *low) noexcept nogil
    cdef int follow(self, const long *which, int count, Rows rows, double *r) except -1 nogil

cdef class Descent:
    cdef object problem
    cdef long n, padded
    cdef bint tied, indefinite
    cdef bint hard                # C is inf for some example
    cdef double *beta
    cdef double *lower
    cdef double *upper
    cdef double *target
    cdef double *diagonal
    cdef double *ridge
    cdef double *up
    cdef double *low
    cdef double *r                # room for residuals
    cdef readonly Rows rows
    cdef readonly Sleepers sleepers  # None where all are awake
    cdef double m, M              # the largest up, the smallest low
    cdef long place               # the first example whose up is m
    cdef double largest_norm, largest, travelled, drift
    cdef double reach             # no residual is larger, whatever the kernel
    cdef double seen_violation, seen_objective
    cdef object endless
    cdef long pause, work
    cdef Face face
    cdef long worked              # cycles, about, since the last look for Ctrl-C
    # the Move taken last:
    cdef long i, j
    cdef double step_low, step_high, unclipped, clipped, gain

    cdef int take_diagonal(self, Source source) except -1
    cdef int breathe(self, long values) except -1 nogil
    cdef bint refresh(self) except -1 nogil
    cdef int anew(self) except -1 nogil
    cdef int take_off(self, const long *wanted, const double *amount, int m) except -1 nogil
    cdef int follow_moves(self, const long *members, const double *change,
                          long moved) except -1 nogil
    cdef double residual(self, long k) noexcept nogil
    cdef void show(self) noexcept nogil
    cdef void mark(self, long k, double r) noexcept nogil
    cdef void see(self) noexcept nogil
    cdef void saw(self, Extremes found) noexcept nogil
    cdef double largest_up(self) noexcept nogil
    cdef double smallest_low(self) noexcept nogil
    cdef double violation(self) noexcept nogil
    cdef bint sure(self, double tol) noexcept nogil
    cdef bint look_again(self, double tol) except -1 nogil
    cdef double objective(self) noexcept nogil
    cdef bint step(self) except -1 nogil
    cdef bint pair_step(self) except -1 nogil
    cdef bint single_step(self) except -1 nogil
    cdef bint move_alone(self, long i) except -1 nogil
    cdef const double *row_of(self, long i) except NULL nogil
    cdef int companions(self, long i, long *found, int most) noexcept nogil
    cdef int asking_most(self, long i, bint asleep, long *found, int most) noexcept nogil
    cdef double put(self, long i, double t) noexcept nogil
    cdef bint sleeps(self, long k) noexcept nogil
    cdef bint is_rough(self, long k) noexcept nogil
    cdef void note(self, long i, long j, double rose, double fell) noexcept nogil
    cdef void allow(self) noexcept nogil
    cdef int make_sure(self, double bound) except -1 nogil
    cdef long lowest(self) noexcept nogil
    cdef int wake_with(self, long k) except -1 nogil
    cdef int wake(self, const long *which, int count) except -1 nogil
    cdef int open_eyes(self, const long *which, int count) except -1 nogil
    cdef bint crowded(self) noexcept nogil
    cdef int wake_all(self) except -1 nogil
    cdef int wake_beyond(self, double low, double high) except -1 nogil
    cdef int wake_who_counts(self) except -1 nogil
    cdef int wake_large(self) except -1 nogil
    cdef void far(self, double moved) noexcept nogil
    cdef void add_drift(self, double rose, double fell) noexcept nogil
    cdef double along_the_face(self, double tol, long budget) except? -1 nogil
    cdef double settle(self) except? -1 nogil
    cdef Status descend(self, double tol, long max_iter, object tell, long *steps) except *
    cdef Status reason_to_stop(self, double tol, long iterations,
                               long max_iter) except? TOO_LARGE nogil


cdef class Face:
    cdef readonly Rows rows
    cdef bint tied, endless       # endless: p is a way along which the dual rises for ever
    cdef double *beta             # of the Descent, as are the bounds
    cdef double *lower
    cdef double *upper
    cdef long n
    cdef long begun, size         # examples on the face at first, and now
    cdef long room                # how many there is room for
    cdef long *members            # those at first, then those that moved
    cdef long *index              # those now
    cdef long *order              # where they are in the block K
    cdef double *start
    cdef double *old
    cdef double *change           # of every example of the problem
    cdef double *r
    cdef double *p
    cdef double *Kp
    cdef double *ends
    cdef double *K                # K[c * width + a]: row a of the block, element c
    cdef long width
    cdef bint has_K, has_p
    cdef double norm2             # g.g when p was found

    cdef void release(self) noexcept nogil
    cdef int begin(self, const double *up, const double *low) except -1 nogil
    cdef int make_room(self, long count) except -1
    cdef double spread(self) noexcept nogil
    cdef bint advance(self) except -1 nogil
    cdef bint turn(self) except -1 nogil
    cdef int cut(self) except -1 nogil
    cdef void keep(self, long a, const double **rows, int m) noexcept nogil
    cdef bint go(self, double t) noexcept nogil
    cdef double way(self, long i, double q) noexcept nogil
    cdef void drop(self) noexcept nogil
    cdef void close_ranks(self) noexcept nogil
