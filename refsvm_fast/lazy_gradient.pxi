"""Examples whose residuals are known roughly, as long as no step picks them. Part of _smo.pyx.

A step looks for the largest up and the smallest low of all examples (dual_ascent.py), and yet most
examples are never picked: they are far from their margin. Such an example may sleep, with beta = 0.
Its kernel values are rough then: never below what they should be, and hardly above it
(rough_kernel.pxi). So is its residual; its up is held so much higher, and its low so much lower,
that neither is on the wrong side of what it should be.

All that is done to find the next step is monotonic, roundings included: a partner's gain grows as
its kernel value does, and as its low falls. So if an example that is awake has the largest up, no
sleeper has a larger one; likewise the smallest low, and the largest gain. If a sleeper comes out
first it is woken, and the search is made again: its kernel values become what they should be in all
rows, and its residual follows, from the target on, every move since residuals were last computed
anew, by the very operations that it has missed. No bit of the answer depends on what slept.

    unsure     how far a rough kernel value may be above what it should be
    doubt      how far a sleeper's residual may be from what it should be
    allowance  how far up is held above that residual, and low below it: not less than doubt
"""

cdef enum:
    LONG = 1 << 16  # moves that are remembered, at most: all are woken before there are more


cdef struct Moved:
    long i, j                     # r fell by rose K_i + fell K_j, or rose K_i where j is -1
    double rose, fell


cdef class Sleepers:
    """Which examples are asleep, and the moves that woken ones must follow."""

    cdef RoughSource source       # of the rows, as long as any example sleeps
    cdef readonly long n, awake   # how many examples there are, and how many of them are awake
    cdef char *asleep             # of an example: whether it is
    cdef double unsure, doubt, allowance
    cdef Moved *moved             # the moves since all residuals were computed anew,
    cdef long moves               # and how many
    cdef double *values           # of those that are woken: BLOCK numbers for each row that is kept,
    cdef long room                # and for how many rows there is room

    def __cinit__(self, RoughSource source):
        self.source, self.n = source, source.n
        self.unsure = 2 * source.sketch.error
        self.asleep = <char *>allocated(self.n)
        self.moved = <Moved *>allocated(LONG * sizeof(Moved))
        memset(self.asleep, True, self.n)

    def __dealloc__(self):
        release(self.asleep)
        release(self.moved)
        release(self.values)

    cdef int make_room(self, long rows) except -1 nogil:
        """Make room for the values of those that are woken with so many rows."""
        if rows <= self.room:
            return 0
        with gil:
            release(self.values)
            self.values, self.room = NULL, 0
            self.values = <double *>allocated(2 * rows * BLOCK * sizeof(double))
            self.room = 2 * rows
        return 0

    cdef void note(self, long i, long j, double rose, double fell, double rounded) noexcept nogil:
        """Remember a move: r falls by rose K_i + fell K_j, which rounds it by `rounded` at most."""
        self.moved[self.moves].i, self.moved[self.moves].j = i, j
        self.moved[self.moves].rose, self.moved[self.moves].fell = rose, fell
        self.moves += 1
        self.doubt += (fabs(rose) + fabs(fell)) * self.unsure + rounded

    cdef void allow(self, double *up, double *low) noexcept nogil:
        """Raise the allowance to twice the doubt, so that this is not needed often."""
        cdef double more = 2 * self.doubt - self.allowance
        cdef long k
        for k in range(self.n):
            if self.asleep[k]:
                up[k] += more
                low[k] -= more
        self.allowance += more

    cdef int follow(self, const long *which, int count, Rows rows, double *r) except -1 nogil:
        """Compute the values of these examples in all rows that are kept, and let their residuals r
        follow all moves, from their targets on."""
        cdef Moved *move
        cdef double *row_i
        cdef double *row_j
        cdef long s, l
        self.make_room(rows.used)
        self.source.wake(which, count, rows, self.values)
        for s in range(self.moves):
            move = self.moved + s
            row_i = self.values + rows.slot_of[move.i] * BLOCK
            if move.j < 0:
                for l in range(count):
                    r[l] = r[l] - move.rose * row_i[l]
                continue
            row_j = self.values + rows.slot_of[move.j] * BLOCK
            for l in range(count):
                r[l] = r[l] - (move.rose * row_i[l] + move.fell * row_j[l])
        return 0


cdef Sleepers sleepers_of(Source source, double bytes):
    """All examples of a source as Sleepers; None if that does not pay, or takes more bytes."""
    cdef RoughSource rough = rough_source(source, bytes)
    return None if rough is None else Sleepers(rough)
