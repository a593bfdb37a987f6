"""Rough values of a Gaussian kernel: their error is known, and their cost a fraction of that of the
values as they should be. Part of _kernel_rows.pyx.

Most examples are far from being picked, and a fit need not know more (lazy_gradient.pxi).
So their kernel values are computed in single precision, which takes half the memory and, as it may
round in any way, a third of the operations.

    x          a row that is asked about, z one of the examples; D = |x - z|^2, q = gamma D
    c          what is taken off a feature first: the first example's value (`middle`)
    a          the largest |z - c| of a feature, of all features A^2 = sum of the a^2
    F          2^-24: how much of a number a rounding in single precision changes at most
    s          how many additions a square takes part in

The error. x - c and z - c are each rounded by F a at most, and their difference by 2 F a more: it
is wrong by 4 F a at most, which makes the sum of the squares wrong by 8 F A sqrt(D) + 16 F^2 A^2.
The squares and their sums round by (s + 1) F D. So exp(-q) is wrong by at most exp(-q) times

    (s + 1) F q + 8 F g sqrt(q) + 16 F^2 g^2            g = sqrt(gamma) A

where q exp(-q) is below 0.37, and sqrt(q) exp(-q) below 0.43. It is computed as a power of two:
q / ln 2 is rounded twice, which makes 0.37 2 F; the series of the power has an error of 2 F, and
its sums round by 3 F at most: less than 8 F altogether. What is left out, second orders and the
rounding of doubles, is far less than what draw() rounds these numbers up by.
"""

cdef enum:
    DEAR = 56     # cycles: a dearer value is worth computing roughly (tests/bench/README.md)
    FEW = 4000    # with fewer examples none sleeps: to find out which count would cost too much
    AWAKE = 12    # all are woken once one in so many is
    GROUP = 8     # woken together, at most SHARED: the one needed, and the most violating ones

cdef double ROUGH = 2.0**-13  # kernel values with a larger error tell too little
cdef bint _always = False  # whether examples sleep wherever they can (sleep_always),
cdef double _blur = 0      # and by which share gamma is made too large for them


def sleep_always(yes, blur=0.0):
    """Let examples sleep however few they are, and wake one by one; if not yes, only where it pays.
    For tests.

    Single precision is so good that hardly a test would notice if its errors were ignored. So gamma
    can be made too large by a share, `blur`: rough values are wrong by more then, as they may be.
    """
    global _always, _blur
    _always, _blur = yes, blur


cdef class Sketch:
    """The examples of a Table in single precision. Of those in the table `awake` values are
    computed as they should be, too; those in `fresh` are about to join it.

    blur: by which share gamma is made too large (sleep_always).
    """

    def __cinit__(self, Table table, double gamma, double blur=0):
        self.n, self.d, self.gamma, self.table = table.n, table.d, gamma * (1 + blur), table
        self.width = (self.d + TURNS - 1) // TURNS * TURNS
        self.middle = <double *>allocated(self.width * sizeof(double))
        self.x = <float *>allocated(SHARED * self.width * sizeof(float))
        memset(self.x, 0, SHARED * self.width * sizeof(float))
        self.tiles = <float *>allocated(self.room())
        self.draw()
        self.error += 0.4 * blur  # exp(-q) falls by less than blur q exp(-q)
        self.fresh, self.awake = empty_table(self.d, 1), empty_table(self.d, 1)
        self.who = <long *>allocated(self.n * sizeof(long))
        self.where = <long *>allocated(self.n * sizeof(long))
        self.rows = <double *>allocated(BLOCK * self.d * sizeof(double))

    def __dealloc__(self):
        release(self.middle)
        release(self.x)
        release(self.tiles)
        release(self.who)
        release(self.where)
        release(self.rows)

    cdef size_t room(self) noexcept nogil:
        """How many bytes the tiles take, at most."""
        return (self.table.padded + SPAN) * self.width * sizeof(float)

    cdef void draw(self) noexcept nogil:
        """Fill the tiles, and find how wrong a kernel value is at most (see above)."""
        cdef double squares = 0, most, F = 2.0**-24, g
        cdef double values[BLOCK]
        cdef float narrow[BLOCK]
        cdef float *tile
        cdef long block, k, count, l
        memset(narrow, 0, sizeof(narrow))
        memset(self.tiles, 0, self.room())
        for k in range(self.d):
            most = 0
            for block in range(self.table.blocks):
                self.table.column(k, block, values)
                if block == 0:
                    self.middle[k] = values[0]
                count = min(BLOCK, self.n - block * BLOCK)
                fill_up(values, count, self.table.width(block), self.middle[k])
                most = max(most, loops().to_single(narrow, values, self.middle[k],
                                                  self.table.width(block)))
                for l in range(0, self.table.width(block), 16):  # SPAN
                    tile = self.tiles + (block * BLOCK + l) * self.width
                    memcpy(tile + k * SPAN, narrow + l, SPAN * sizeof(float))
            squares += most * most
        g = sqrt(self.gamma * squares)
        self.error = 0.4 * (self.width // SUMMED + SUMMED + 2) + 4 * g + 16 * F * g * g + 8
        self.error *= 1.1 * F
        # Numbers too small for single precision; of those too large nothing is known.
        self.error += 2.0**-140 * self.gamma * self.d * (1 + sqrt(squares)) + 2.0**-40
        if not squares < 2.0**120 or not 2.0**-60 < self.gamma < 2.0**60:
            self.error = INFINITY

    cdef void ask(self, int q, const double *x) noexcept nogil:
        """Let query q be about x, one of the examples."""
        cdef long k
        for k in range(self.d):
            self.x[q * self.width + k] = <float>(x[k] - self.middle[k])

    cdef void values(self, long block, int m, double **out) noexcept nogil:
        """Write the values of m queries with the examples of a block, each plus the error: none is
        below what it should be, nor above it by more than twice the error."""
        cdef float totals[SHARED * BLOCK]
        cdef int q
        loops().rough_squares(totals, m, self.x, self.tiles + block * BLOCK * self.width,
                              self.width, self.table.width(block))
        for q in range(m):
            loops().rough_exps(out[q] + block * BLOCK, totals + q * BLOCK, -self.gamma, self.error,
                               self.table.width(block))

    cdef double *row(self, long i) noexcept nogil:
        """The row of an example that is awake."""
        return self.rows + self.where[i] * self.d

    cdef void freshen(self, const long *which, int count, double **x) noexcept nogil:
        """Let `fresh` hold these examples, BLOCK at most. x: room for SHARED rows."""
        cdef double *columns = self.fresh.columns
        cdef long width = PADDED(count), l, k
        cdef int q, m
        self.fresh.n, self.fresh.padded = count, width
        memset(columns, 0, self.d * width * sizeof(double))
        for l in range(0, count, 8):  # SHARED
            m = <int>min(SHARED, count - l)
            self.table.some_rows(which + l, m, x)
            for k in range(self.d):
                for q in range(m):
                    columns[k * width + l + q] = x[q][k]

    cdef int join(self, const long *which) except -1 nogil:
        """Append the examples that `fresh` holds, which are these, to those awake."""
        cdef long width = self.fresh.padded, i, l, k
        cdef double *columns
        cdef double *row
        if self.awake.n + self.fresh.n > self.awake.padded:
            with gil:
                self.enlarge()
        for l in range(self.fresh.n):
            i = self.awake.n + l
            self.who[i], self.where[which[l]] = which[l], i
            columns = columns_of(self.awake, i // BLOCK) + i % BLOCK
            row = self.rows + i * self.d
            for k in range(self.d):
                columns[k * BLOCK] = row[k] = self.fresh.columns[k * width + l]
        self.awake.n += self.fresh.n
        return 0

    cdef int enlarge(self) except -1:
        """Make room for twice as many that are awake."""
        cdef Table awake = empty_table(self.d, 2 * self.awake.blocks)
        cdef size_t size = self.awake.padded * self.d * sizeof(double)
        cdef double *rows = <double *>allocated(2 * size)
        memcpy(awake.columns, self.awake.columns, size)
        memcpy(rows, self.rows, size)
        awake.n = self.awake.n
        release(self.rows)
        self.awake, self.rows = awake, rows
        return 0


cdef class RoughSource(TableSource):
    """The rows of a Gaussian kernel over a Table: rough values, exact with those that are awake."""

    def __cinit__(self, Table table, Formula formula):
        self.most = self.n if _always else self.n // AWAKE
        self.group = 1 if _always else GROUP

    cdef TableSource replaced(self):
        """The plain source; threads that helped this one help that one from now on."""
        self.plain.team, self.team = self.team, None
        return self.plain

    cdef int compute(self, const long *wanted, int m, double **out) except -1 nogil:
        TableSource.compute(self, wanted, m, out)
        self.compute_awake()
        return 0

    cdef void ready(self, const long *wanted, int m, Query *query) noexcept nogil:
        cdef int q
        TableSource.ready(self, wanted, m, query)
        for q in range(m):
            self.sketch.ask(q, query[q].x)

    cdef void fill(self, long block) noexcept nogil:
        self.sketch.values(block, self.m, self.out)

    cdef void compute_awake(self) noexcept nogil:
        """Write the values with those examples that are awake over the rough ones."""
        cdef long *who = self.sketch.who
        cdef double values[SHARED * BLOCK]
        cdef long n = self.sketch.awake.n, begin, l
        cdef int q
        for begin in range(0, n, 256):  # BLOCK
            self.formula.values(self.sketch.awake, begin // BLOCK, self.asked.query, self.m, False,
                                values)
            for q in range(self.m):
                for l in range(min(BLOCK, n - begin)):
                    self.out[q][who[begin + l]] = values[q * BLOCK + l]

    cdef long cost(self) noexcept nogil:
        # Two operations a number, two at once, on twice as many lanes.
        return <long>(10 + 0.5 * self.table.d / loops().width)

    cdef double price(self) noexcept nogil:
        return self.price_of(self.sketch.width / 2.0)

    cdef double spare(self) noexcept nogil:
        return INFINITY

    cdef double held(self) noexcept nogil:
        # Floats for all; the awake, as a table and as rows, in room that is doubled when it is
        # full; and BLOCK values for each row that is kept, doubled likewise.
        cdef double d = self.table.d
        return 4 * self.n * d + self.most * (32 * d + 16 * BLOCK)

    cdef int wake(self, const long *which, int count, Rows rows, double *values) except -1 nogil:
        """Compute the values of these examples, BLOCK at most, in every row that is kept: in the
        row itself, and in `values`, BLOCK numbers a slot."""
        cdef Query *query = self.asked.query
        cdef double *x[SHARED]
        cdef double *row
        cdef long slot, l
        cdef int q, m
        for q in range(SHARED):
            x[q] = query[q].x
        self.sketch.freshen(which, count, x)
        for slot in range(0, rows.used, 8):  # SHARED
            m = <int>min(SHARED, rows.used - slot)
            for q in range(m):
                query[q].x = self.sketch.row(rows.owner[slot + q])
            self.formula.values(self.sketch.fresh, 0, query, m, False, values + slot * BLOCK)
            for q in range(m):
                row = rows.room + (slot + q) * rows.stride
                for l in range(count):
                    row[which[l]] = values[(slot + q) * BLOCK + l]
        for q in range(SHARED):
            query[q].x = x[q]
        return 0


cdef RoughSource rough_source(Source source, double bytes):
    """The source, but rough where no example is awake; None if that does not pay, or takes more
    bytes than these."""
    cdef TableSource plain
    cdef RoughSource rough
    if type(source) is not TableSource:
        return None
    plain = source
    if plain.formula.sort != GAUSSIAN or plain.exact:
        return None
    if not _always and (plain.cost() < DEAR or plain.n < FEW):
        return None
    rough = RoughSource(plain.table, plain.formula)
    # A Sketch has no lists: where most features are lists it saves too little.
    if rough.held() > bytes or not _always and 4 * rough.cost() > 3 * plain.cost():
        return None
    rough.plain, rough.sketch = plain, Sketch(plain.table, plain.formula.gamma, _blur)
    return rough if rough.sketch.error <= ROUGH + _blur else None


cdef Table empty_table(long d, long blocks):
    """A Table of no rows, with room for so many full blocks of them: all columns, all zero."""
    cdef Table table = Table()
    cdef long k
    table.n, table.d, table.dense, table.scattered = 0, d, d, 0
    table.blocks, table.padded = blocks, blocks * BLOCK
    table.place = <long *>allocated(d * sizeof(long))
    for k in range(d):
        table.place[k] = k
    table.first = <long *>allocated(sizeof(long))
    table.first[0] = 0
    table.columns = <double *>allocated(table.padded * d * sizeof(double))
    memset(table.columns, 0, table.padded * d * sizeof(double))
    return table


def sketched(Table table, double gamma, int many):
    """(error, the Sketch's kernel values of all rows with all), so many rows at a time. For
    tests."""
    cdef Sketch sketch = Sketch(table, gamma)
    cdef double *room = <double *>allocated(SHARED * table.padded * sizeof(double))
    cdef double *x = <double *>allocated(table.d * sizeof(double))
    cdef double *out[SHARED]
    cdef list rows = []
    cdef long i, l, block
    cdef int q, m
    for i in range(0, table.n, many):
        m = <int>min(many, table.n - i)
        for q in range(m):
            out[q] = room + q * table.padded
            table.row(i + q, x)
            sketch.ask(q, x)
        for block in range(table.blocks):
            sketch.values(block, m, out)
        rows += [[out[q][l] for l in range(table.n)] for q in range(m)]
    release(room)
    release(x)
    return sketch.error, rows
