# Passes over the table, once a round: after many beta moved, and before others do. Part of
# _kernel_rows.pyx.
#
#     ResidualPass   r_k -= d_j K_jk: a block of the table stays in a near cache until the values of
#                    all that moved with it are computed and used; no row is ever stored
#     ScorePass      w of the linear kernel, and the residuals that follow from it
#     BlockPass      the kernel values of some examples with each other
#
# Threads share a pass, but for w: each has a range of blocks or rows. They wait for each other at
# the end of a pass; and of a ResidualPass twice for each QUERIES bytes of queries, so once or twice
# a round for few features, and never for a row.

cdef enum:
    QUERIES = 1 << 20  # bytes of queries that are made ready at once, about,
    QUERY = 36         # each of so many a feature
    ADDING = 8         # cycles to add a number of a row to w: it comes from a far cache


cdef double size_of(const double *values, i64 n) noexcept nogil:
    """The largest size of n values, a multiple of WIDTH; infinity where one is not finite."""
    cdef double largest = loops().largest(values, n)
    return largest if largest == largest else INFINITY


cdef class ResidualPass(Job):
    """Lets residuals follow the moves of many beta."""

    def __cinit__(self, TableSource source):
        self.source = source
        self.room = max(SHARED, QUERIES // (QUERY * max(source.table.d, 1)) // SHARED * SHARED)
        self.asked = queries_for(self.room, source.table.d)

    cdef int subtract(self, Moves *moves, double *r) except -1 nogil:
        """Source.subtract."""
        cdef i64 count
        cdef int part
        self.moves, self.r, self.end = moves, r, 0
        for part in range(MOST_THREADS):
            self.largest[part] = 0
        while self.end < moves.count:
            self.begin, self.end = self.end, min(self.end + self.room, moves.count)
            count, self.ready = self.end - self.begin, False
            self.source.run(self, count * <double>ADDING * self.source.table.d)
            self.ready = True
            self.source.run(self, count * <double>self.source.padded * self.source.cost())
        for part in range(MOST_THREADS):
            if not self.largest[part] < INFINITY:
                self.refuse()
            moves.largest = max(moves.largest, self.largest[part])
        return 0

    cdef void work(self, int part, int parts) noexcept nogil:
        cdef i64 blocks = self.source.table.blocks, b
        if not self.ready:
            self.make_ready(part, parts)
            return
        for b in range(blocks * part // parts, blocks * (part + 1) // parts):
            self.follow(b, part)

    cdef void make_ready(self, int part, int parts) noexcept nogil:
        """Make a part of the queries ready."""
        cdef i64 groups = (self.end - self.begin + SHARED - 1) // SHARED, h, g
        for h in range(groups * part // parts, groups * (part + 1) // parts):
            g = self.begin + h * SHARED
            self.source.ready(self.moves.rows + g, <int>min(SHARED, self.end - g),
                              self.asked.query + h * SHARED)

    cdef void follow(self, i64 block, int part) noexcept nogil:
        """Let the residuals of a block follow the moves from `begin` to `end`."""
        cdef double values[SHARED * BLOCK]
        cdef const double *ridge = self.moves.ridge
        cdef double *r = self.r + block * BLOCK
        cdef i64 width = self.source.table.width(block), first = block * BLOCK, g, j
        cdef i64 count = min(BLOCK, self.source.n - first)
        cdef int m, q
        for g in range(self.begin, self.end, 8):  # SHARED
            m = <int>min(SHARED, self.end - g)
            self.source.values(block, self.moves.rows + g, self.asked.query + (g - self.begin), m,
                               values)
            for q in range(m):
                j = self.moves.rows[g + q]
                fill_up(values + q * BLOCK, count, width, 0)
                if not self.moves.bounded:
                    self.largest[part] = max(self.largest[part],
                                             size_of(values + q * BLOCK, width))
                if ridge != NULL and first <= j < first + count:
                    values[q * BLOCK + j - first] += ridge[j]
            loops().subtract(r, self.moves.amount + g, values, BLOCK, m, width)
            if self.moves.second > 0:
                loops().subtract(r + self.moves.second, self.moves.amount + g, values, BLOCK, m,
                                 width)

    cdef int refuse(self) except -1 nogil:
        """Find the first row of these with a value that is not finite: ValueError."""
        cdef double *row
        cdef i64 a
        for a in range(self.moves.count):
            self.source.compute_aside(self.moves.rows + a, 1, &row)
            self.source.largest_in(self.moves.rows[a], row)
        return 0


cdef class BlockPass(Job):
    """Computes the kernel values of some examples with each other.

    K is symmetric, to the last bit: of two tiles of BLOCK rows and columns that mirror each other
    one is computed, and written twice.
    """

    def __cinit__(self, TableSource source):
        cdef int parts = source.hired
        self.source, self.group = source, SHARED
        if QUERY * parts * SHARED * <double>source.table.d > QUERIES:
            self.group = max(1, SHARED // parts)  # wide queries take memory
        self.asked = queries_for(self.group * parts, source.table.d)

    cdef double compute(self, const i64 *which, i64 m, double *K, i64 stride,
                        bint bounded) except -1 nogil:
        """Source.among."""
        cdef double largest = 0
        cdef int part
        cdef i64 a
        for part in range(MOST_THREADS):
            self.largest[part] = 0
        self.K, self.stride, self.bounded = K, stride, bounded
        with gil:
            self.few = source_over(self.source.table.at([which[a] for a in range(m)]),
                                   self.source.formula)
        self.source.run(self, m * <double>m / 2 * self.few.cost())
        for part in range(MOST_THREADS):
            largest = max(largest, self.largest[part])
        return largest

    cdef void work(self, int part, int parts) noexcept nogil:
        cdef Query *query = self.asked.query + part * self.group
        cdef i64 rows[SHARED]
        cdef i64 m = self.few.n, a, block
        cdef int count, q
        a = part * self.group
        while a < m:  # in turns, as the first rows have the most tiles
            count = <int>min(self.group, m - a)
            for q in range(count):
                rows[q] = a + q
            self.few.ready(rows, count, query)
            for block in range(a // BLOCK, self.few.table.blocks):
                self.tile(rows, count, query, block, part)
            a += parts * self.group

    cdef void tile(self, const i64 *rows, int m, Query *query, i64 block,
                   int part) noexcept nogil:
        """Write the values of m rows with a block of examples, and what mirrors them."""
        cdef double values[SHARED * BLOCK]
        cdef i64 width = self.few.table.width(block), first = block * BLOCK, l
        cdef i64 count = min(BLOCK, self.few.n - first)
        cdef double *mirror
        cdef int q
        self.few.values(block, rows, query, m, values)
        for q in range(m):
            fill_up(values + q * BLOCK, count, width, 0)
            if not self.bounded:
                self.largest[part] = max(self.largest[part], size_of(values + q * BLOCK, width))
            memcpy(self.K + rows[q] * self.stride + first, values + q * BLOCK,
                   width * sizeof(double))
        for l in range(count if rows[0] < first else 0):
            mirror = self.K + (first + l) * self.stride + rows[0]
            for q in range(m):
                mirror[q] = values[q * BLOCK + l]


cdef class ScorePass:
    """w of the linear kernel, and the residuals that follow from it."""

    def __cinit__(self, TableSource source):
        self.source, self.asked = source, queries_for(1, source.table.d)
        self.numbers = source.table.by_row if source.very_sparse else None
        self.w = self.asked.query[0].x

    cdef void clear(self) noexcept nogil:
        """Let w be zero."""
        memset(self.w, 0, self.source.table.d * sizeof(double))

    cdef void add(self, const Moves *moves) noexcept nogil:
        """w += d_a x_a of the moves, one after the other."""
        cdef i64 a
        for a in range(moves.count):
            if self.numbers is None:
                self.source.table.add_row(moves.rows[a], moves.amount[a], self.w)
            else:
                self.numbers.add_row(moves.rows[a], moves.amount[a], self.w)

    cdef void residuals(self, const Moves *moves, const double *target, const double *beta,
                        double *r) noexcept nogil:
        """r_k = target_k - <w, x_k> - ridge_k beta_k of every variable k. moves: where the second
        ones begin, and the ridge."""
        cdef double scores[BLOCK]
        cdef i64 block, first, end, k
        if self.numbers is None:
            self.source.table.ask(self.asked.query, True, False, False)
        for block in range(self.source.table.blocks):
            first, end = block * BLOCK, min(block * BLOCK + BLOCK, self.source.n)
            if self.numbers is None:
                self.source.table.dots(block, self.asked.query, 1, scores)
            else:
                for k in range(first, end):
                    scores[k - first] = self.numbers.score(self.w, k)
            for k in range(first, end):
                r[k] = target[k] - scores[k - first]
                if moves.ridge != NULL:
                    r[k] = r[k] - moves.ridge[k] * beta[k]
                if moves.second > 0:
                    r[moves.second + k] = target[moves.second + k] - scores[k - first]
