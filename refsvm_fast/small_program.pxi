# The small program of a round, compiled: a PairAscent over the beta of the members alone, all
# others held (decomposition.RoundAscent.small_program). Part of _smo.pyx.
#
# Its slots are the members, in the order of variables. Where they are of two groups, these are two
# sections (variables.pxi); in the slots between these a member is repeated, and may not move.

cdef class SmallProgram(DualAscent):
    """The dual over the beta of the members of a round."""

    cdef Decomposition whole
    cdef i64 *of                  # of a slot: which slot of the whole it is,
    cdef i64 *row                 # and its row of K there
    cdef double *K                # the block of these rows, of `padded` numbers each,
    cdef i64 block_room           # and for how many numbers there is room
    cdef double largest           # the largest size of a value in it

    def __init__(self, Decomposition whole, i64 members):
        cdef i64 room = members + (WIDTH if whole.groups > 1 else 0)
        self.make_room(room, whole.groups)
        self.largest_face = LARGEST_FACE
        self.whole, self.problem = whole, whole.problem
        self.of = <i64 *>allocated(room * sizeof(i64))
        self.row = <i64 *>allocated(room * sizeof(i64))
        self.face.make_room(room)

    def __dealloc__(self):
        release(self.of)
        release(self.row)
        release(self.K)

    cdef int enter(self, const i64 *members, i64 count) except -1 nogil:
        """Begin where the whole is, with these slots of it as members, in their order."""
        cdef i64 a, k
        self.take_sections(members, count)
        for a in range(self.n):
            self.of[a] = members[max(0, self.variable(a))]
            self.row[a] = self.whole.column(self.of[a])
        self.compute_block()
        self.largest_residual = 0
        memset(self.diagonal, 0, self.padded * sizeof(double))
        for a in range(self.n):
            k = self.of[a]
            self.beta[a], self.target[a] = self.whole.beta[k], self.whole.target[k]
            self.lower[a], self.upper[a] = self.whole.lower[k], self.whole.upper[k]
            self.diagonal[a], self.r[a] = self.whole.diagonal[k], self.whole.residual(k)
            self.largest_residual = max(self.largest_residual, fabs(self.r[a]))
        self.measure_diagonal()
        for a in range(self.section[0].end, self.section[self.sections - 1].begin):
            self.beta[a] = self.lower[a] = self.upper[a] = 0
        self.set_residuals()
        self.iterations, self.dual = self.whole.iterations, self.whole.dual
        self.reach = self.whole.reach
        self.distance_moved = self.residual_error = 0
        self.least_curvature = 0
        return 0

    cdef void take_sections(self, const i64 *members, i64 count) noexcept nogil:
        """Let the slots be those of so many members: of two sections if they are of two groups."""
        cdef i64 first = count, end = self.whole.section[0].end
        if self.whole.groups > 1:
            first = 0
            while first < count and members[first] < end:
                first += 1
        self.groups = min(self.whole.groups, 1)
        if 0 < first < count:
            self.groups = 2
            self.be_one_section(PADDED(first) + count - first)
            self.divide(first, count - first, PADDED(first), 1)
        else:
            self.be_one_section(count)
        self.face.n, self.face.groups = self.n, self.groups

    cdef int climb(self, double aim, double tol, i64 most) except -1 nogil:
        """Take steps until the violation among the members is at most the aim, or there were so
        many of all rounds."""
        while self.violation() > max(aim, 2 * self.residual_error):
            if not self.advance(tol, most) or self.iterations == most:
                break
            if self.unbounded_direction is not None or not self.reach < NEAR_OVERFLOW:
                break
        return 0

    cdef int compute_block(self) except -1 nogil:
        """Compute K among the members, refused if a value is not finite, with the ridge."""
        cdef double largest
        cdef i64 a
        self.whole.check_signals(self.n * self.padded)
        if self.n * self.padded > self.block_room:
            with gil:
                self.make_block_room(self.n * self.padded)
        largest = self.whole.rows.source.among(self.row, self.n, self.K, self.padded,
                                               self.whole.rows.bounded)
        if not largest < INFINITY:
            with gil:
                self.refuse()
        self.largest = max(1.0, largest)
        for a in range(self.n if self.whole.ridge != NULL else 0):
            self.K[a * self.padded + a] += self.whole.ridge[self.row[a]]
        return 0

    cdef int make_block_room(self, i64 count) except -1:
        release(self.K)
        self.K, self.block_room = NULL, 0
        self.K, self.block_room = <double *>allocated(count * sizeof(double)), count
        return 0

    cdef int refuse(self) except -1:
        """ValueError for the first value of the block that is not finite, row by row."""
        cdef Source source = self.whole.rows.source
        cdef i64 a, c
        for a in range(self.n):
            for c in range(self.n):
                refuse_infinite(self.K[a * self.padded + c], source.example(self.row[a]),
                                source.example(self.row[c]))
        return 0

    cdef int check_signals(self, i64 values) except -1 nogil:
        self.whole.check_signals(values)
        self.looked, self.whole.looked = self.looked or self.whole.looked, False
        return 0

    cdef const double *kernel_row(self, i64 a) except NULL nogil:
        return self.K + a * self.padded

    cdef int want(self, const i64 *wanted, int m) except -1 nogil:
        return 0

    cdef const double *row_of(self, i64 a) except NULL nogil:
        return self.K + a * self.padded

    cdef void extend_reach(self, double moved) noexcept nogil:
        self.reach += fabs(moved) * max(self.largest, self.largest_norm)

    def direction_in_whole(self):
        """unbounded_direction, in slots of the whole."""
        return {self.of[a]: speed for a, speed in self.unbounded_direction.items()}

    def last_move(self):
        """The Move taken last, with the numbers that its variables have in the whole."""
        return Move(self.whole.variable(self.of[self.i]), self.whole.variable(self.of[self.j]),
                    self.step_low, self.step_high, self.unclipped, self.clipped, self.gain)
