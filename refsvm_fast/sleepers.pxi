"""Examples of which it is enough to know about where they are. Part of _descent.pyx.

A fit looks for the largest and the smallest residual of all examples, and yet most of these are
never picked: they are far from their margin. Such an example may sleep, with beta = 0. Its kernel
values are then about what they should be, but never below it (sketch.pxi), its up is never below,
and its low never above. All that is done with these is monotonic, roundings included: a partner's
gain grows with the kernel value, and as its low falls. So if the largest up is that of an example
that is awake, no sleeper has a larger one; likewise the smallest low, and the largest gain. And if a
sleeper comes out first it is woken: kernel values become what they should be in all rows, and its
residual follows every move since all were new, by the operations that it has missed. No bit of the
answer tells whether anybody slept.

    unsure     how much more than it should be a kernel value may be
    doubt      how far a sleeper's residual may be from what it should be
    allowance  how much its up, or low, asks for beyond that residual; never less than doubt
"""

cdef enum:
    LONG = 1 << 16 # moves until all are woken


cdef class Sleepers:
    """Who is asleep, and what those who are woken must follow."""

    def __cinit__(self, TableSource source):
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
        """Make room for the values of those who are woken with so many rows."""
        if rows <= self.room:
            return 0
        with gil:
            release(self.values)
            self.values, self.room = NULL, 0
            self.values = <double *>allocated(2 * rows * BLOCK * sizeof(double))
            self.room = 2 * rows
        return 0

    cdef void note(self, long i, long j, double rose, double fell, double rounded) noexcept nogil:
        """Take note of a move that rounds a residual by so much at most."""
        self.moved[self.moves].i, self.moved[self.moves].j = i, j
        self.moved[self.moves].rose, self.moved[self.moves].fell = rose, fell
        self.moves += 1
        self.doubt += (fabs(rose) + fabs(fell)) * self.unsure + rounded

    cdef void allow(self, double *up, double *low) noexcept nogil:
        """Let the allowance be twice the doubt, so that it need not grow often."""
        cdef double more = 2 * self.doubt - self.allowance
        cdef long k
        for k in range(self.n):
            if self.asleep[k]:
                up[k] += more
                low[k] -= more
        self.allowance += more

    cdef int follow(self, const long *which, int count, Rows rows, double *r) except -1 nogil:
        """Compute the values of these with all rows, and let their residuals follow all moves."""
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
    """All examples asleep, if that is worth while; else None. At most so many bytes are needed."""
    if type(source) is not TableSource or not (<TableSource>source).fall_asleep(bytes):
        return None
    return Sleepers(<TableSource>source)
