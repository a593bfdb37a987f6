# One pass over the table after many beta moved. Part of _kernel_rows.pyx.
#
#     ResidualPass   r_k -= d_j K_jk: a block of the table stays in a near cache until the values of
#                    all that moved with it are computed and used; no row is ever stored
#     ScorePass      <w, x_k> for the linear kernel
#
# Threads share a pass: each has a range of blocks, and they wait for each other once, at its end.

cdef enum:
    QUERIES = 1 << 20  # bytes of queries that are made ready at once, about


cdef double largest_in(const double *row, long n, long i) except -1 nogil:
    """The largest size of n values in the row of example i, which has zeros up to a multiple of
    WIDTH. ValueError, in the oracle's words, if one is not finite."""
    cdef double largest = loops().largest(row, PADDED(n))
    cdef long k
    if not largest < INFINITY:
        with gil:
            finite_row([row[k] for k in range(n)], i)
    return largest


cdef class ResidualPass(Job):
    """Lets residuals follow the moves of many beta."""

    def __cinit__(self, TableSource source):
        self.source = source
        self.room = max(SHARED, QUERIES // (36 * max(source.table.d, 1)) // SHARED * SHARED)
        self.asked = queries_for(self.room, source.table.d)

    cdef int subtract(self, Moves *moves, double *r) except -1 nogil:
        """Source.subtract."""
        cdef long g
        cdef int part
        self.moves, self.r, self.end = moves, r, 0
        for part in range(MOST_THREADS):
            self.largest[part] = 0
        while self.end < moves.count:
            self.begin, self.end = self.end, min(self.end + self.room, moves.count)
            for g in range(self.begin, self.end, 8):  # SHARED
                self.source.ready(moves.which + g, <int>min(SHARED, self.end - g),
                                  self.asked.query + (g - self.begin))
            self.source.run(self, (self.end - self.begin) * <double>self.source.padded
                            * self.source.cost())
        for part in range(MOST_THREADS):
            if not self.largest[part] < INFINITY:
                self.refuse()
            moves.largest = max(moves.largest, self.largest[part])
        return 0

    cdef void work(self, int part, int parts) noexcept nogil:
        cdef long blocks = self.source.table.blocks, b
        for b in range(blocks * part // parts, blocks * (part + 1) // parts):
            self.follow(b, part)

    cdef void follow(self, long block, int part) noexcept nogil:
        """Let the residuals of a block follow the moves from `begin` to `end`."""
        cdef double values[SHARED * BLOCK]
        cdef const double *ridge = self.moves.ridge
        cdef long width = self.source.table.width(block), first = block * BLOCK, g, j, l
        cdef long count = min(BLOCK, self.source.n - first)
        cdef int m, q
        for g in range(self.begin, self.end, 8):  # SHARED
            m = <int>min(SHARED, self.end - g)
            self.source.values(block, self.moves.which + g, self.asked.query + (g - self.begin), m,
                               values)
            for q in range(m):
                j = self.moves.which[g + q]
                for l in range(count, width):
                    values[q * BLOCK + l] = 0
                if not self.moves.bounded:
                    self.note_largest(values + q * BLOCK, width, part)
                if ridge != NULL and first <= j < first + count:
                    values[q * BLOCK + j - first] += ridge[j]
                loops().subtract(self.r + first, self.moves.amount[j], values + q * BLOCK, width)

    cdef void note_largest(self, const double *values, long width, int part) noexcept nogil:
        """Note the largest size of a value; infinity where one is no number."""
        cdef double largest = loops().largest(values, width)
        if largest != largest:
            largest = INFINITY
        self.largest[part] = max(self.largest[part], largest)

    cdef int refuse(self) except -1 nogil:
        """Find the first row of these with a value that is not finite: ValueError."""
        cdef double *row
        cdef long a
        for a in range(self.moves.count):
            self.source.compute_aside(self.moves.which + a, 1, &row)
            largest_in(row, self.source.n, self.moves.which[a])
        return 0


cdef class ScorePass(Job):
    """w of the linear kernel, and the scores <w, x_k> that follow from it."""

    def __cinit__(self, TableSource source):
        self.source, self.asked = source, queries_for(1, source.table.d)
        self.w = self.asked.query[0].x
        self.rows = <double *>allocated(SHARED * source.table.d * sizeof(double))
        self.scores = <double *>allocated(source.table.blocks * BLOCK * sizeof(double))

    def __dealloc__(self):
        release(self.rows)
        release(self.scores)

    cdef int compute(self) except -1 nogil:
        """Compute all scores."""
        self.source.table.ask(self.asked.query, True, False, False)
        return self.source.run(self, self.source.padded * <double>self.source.cost())

    cdef void work(self, int part, int parts) noexcept nogil:
        cdef long blocks = self.source.table.blocks, b
        for b in range(blocks * part // parts, blocks * (part + 1) // parts):
            self.source.table.dots(b, self.asked.query, 1, self.scores + b * BLOCK)

    cdef void add(self, const long *which, const double *amount, long count) noexcept nogil:
        """w += d_j x_j of these examples j, one after the other."""
        cdef double *x[SHARED]
        cdef long a
        cdef int m, q
        for a in range(count if self.source.table.scattered else 0):
            self.source.table.add_row(which[a], amount[which[a]], self.w)
        for q in range(SHARED):
            x[q] = self.rows + q * self.source.table.d
        for a in range(0, 0 if self.source.table.scattered else count, 8):  # SHARED
            m = <int>min(SHARED, count - a)
            self.source.table.some_rows(which + a, m, x)
            for q in range(m):
                loops().step(self.w, self.w, amount[which[a + q]], x[q],
                             self.source.table.d)
