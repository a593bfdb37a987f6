# Decomposition, compiled: refsvm/solvers/decomposition.py, round by round. Part of _smo.pyx.
#
# A round takes three passes: members are chosen by their residuals; steps are taken among them, in
# the block of K that they have with each other; and all residuals follow those that moved. Threads
# share all but the steps (round_sweeps.pxi, passes.pxi). Sleepers take no part, and no kernel row is stored where it is cheap to compute.

cdef long SHARE = 10


cdef class SmallProgram(DualAscent):
    """The dual over the beta of the members of a round, all others held."""

    cdef Decomposition whole
    cdef const long *examples     # which of the whole these are, in index order
    cdef double *K                # their block, a row of `padded` numbers each
    cdef bint symmetric           # to the last bit, as where a Formula makes its values
    cdef double largest           # the largest size of a value in it

    def __init__(self, Decomposition whole, long room):
        self.make_room(room, whole.groups)
        self.whole, self.problem = whole, whole.problem
        self.K = numbers(room * PADDED(room))
        self.symmetric = isinstance(whole.rows.source, TableSource)
        self.face.make_room(room)

    def __dealloc__(self):
        release(self.K)

    cdef int enter(self) except -1 nogil:
        """Begin where the whole is, with the members chosen last."""
        cdef long a, k
        cdef long count = self.whole.count
        self.examples, self.face.n = self.whole.examples, count
        self.be_one_section(count)
        self.compute_block()
        self.largest_norm = self.largest_residual = 0
        memset(self.diagonal, 0, self.padded * sizeof(double))
        for a in range(count):
            k = self.examples[a]
            self.beta[a], self.target[a] = self.whole.beta[k], self.whole.target[k]
            self.lower[a], self.upper[a] = self.whole.lower[k], self.whole.upper[k]
            self.diagonal[a], self.r[a] = self.whole.diagonal[k], self.whole.residual(k)
            self.largest_norm = max(self.largest_norm, fabs(self.diagonal[a]))
            self.largest_residual = max(self.largest_residual, fabs(self.r[a]))
        self.set_residuals()
        self.iterations, self.dual = self.whole.iterations, self.whole.dual
        self.reach = self.whole.reach
        self.distance_moved = self.residual_error = 0
        self.indefinite = False
        return 0

    cdef int climb(self, double aim, double tol, long max_iter) except -1 nogil:
        """Take steps until the violation among the members is at most the aim."""
        while self.violation() > max(aim, 2 * self.residual_error):
            if not self.advance(tol, max_iter) or self.iterations == max_iter:
                break
            if self.unbounded_direction is not None or not self.reach < FAR:
                break
        return 0

    cdef int compute_block(self) except -1 nogil:
        """Compute K among the members, refused if a value is not finite, with the ridge."""
        cdef double largest
        cdef long a
        self.whole.check_signals(self.n * self.padded)
        largest = self.whole.rows.source.among(self.examples, self.n, self.K, self.padded,
                                               self.whole.rows.bounded)
        if not largest < INFINITY:
            self.refuse()
        self.largest = max(1.0, largest)
        for a in range(self.n if self.whole.ridge != NULL else 0):
            self.K[a * self.padded + a] += self.whole.ridge[self.examples[a]]
        return 0

    cdef int refuse(self) except -1 nogil:
        """ValueError for the first value of the block that is not finite, row by row."""
        cdef long a, c
        for a in range(self.n):
            for c in range(self.n):
                if not isfinite(self.K[a * self.padded + c]):
                    with gil:
                        refuse_infinite(self.K[a * self.padded + c], self.examples[a],
                                        self.examples[c])
        return 0

    cdef double *block(self) noexcept nogil:
        return self.K if self.symmetric else NULL

    cdef int check_signals(self, long values) except -1 nogil:
        self.whole.check_signals(values)
        self.looked, self.whole.looked = self.looked or self.whole.looked, False
        return 0

    cdef const double *kernel_row(self, long a) except NULL nogil:
        return self.K + a * self.padded

    cdef int want(self, const long *wanted, int m) except -1 nogil:
        return 0

    cdef const double *row_of(self, long a) except NULL nogil:
        return self.K + a * self.padded

    cdef void extend_reach(self, double moved) noexcept nogil:
        self.reach += fabs(moved) * max(self.largest, self.largest_norm)

    def direction_in_whole(self):
        """unbounded_direction, with the numbers that its examples have in the whole."""
        return {self.examples[a]: speed for a, speed in self.unbounded_direction.items()}

    def last_move(self):
        """The Move taken last, with the numbers that its examples have in the whole."""
        return Move(self.examples[self.i], self.examples[self.j], self.step_low, self.step_high,
                    self.unclipped, self.clipped, self.gain)


cdef class Decomposition(DualAscent):
    """decomposition.RoundAscent."""

    cdef SmallProgram small
    cdef Foremost foremost
    cdef Bounds bounds
    cdef long most                # members of a round, at most
    cdef long count               # those of the last round,
    cdef long *members            # as they were chosen,
    cdef long *chosen             # and those of the next,
    cdef long *examples           # in index order
    cdef bint *taken              # of an example: whether it is a member; and while they are chosen
    cdef double *change           # of every example: by how much its beta rose in the round
    cdef long next_face           # conjugate gradients are due after so many steps
    cdef ScorePass linear         # w, for the linear kernel; None for another
    cdef double mass              # no score is larger in size
    cdef double additions         # to w since it was made anew

    def __dealloc__(self):
        release(self.members)
        release(self.chosen)
        release(self.examples)
        release(self.taken)
        release(self.change)

    def __init__(self, problem, start, double cache_mb, long members):
        cdef long room
        DualAscent.__init__(self, problem, start, cache_mb)
        self.most = members
        self.rows.mirrors = False  # passes need the whole table
        room = min(self.most, self.n)
        self.members = <long *>allocated(room * sizeof(long))
        self.chosen = <long *>allocated(room * sizeof(long))
        self.examples = <long *>allocated(self.n * sizeof(long))
        self.taken = <bint *>allocated(self.n * sizeof(bint))
        memset(self.taken, 0, self.n * sizeof(bint))
        self.change = numbers(self.n)
        self.next_face = self.cg_interval
        if type(problem.kernel) is oracle.Linear and isinstance(self.rows.source, TableSource):
            self.linear = ScorePass(self.rows.source)
        self.small = SmallProgram(self, room)

    def run(self, double tol, long max_iter, tell, bint sampled):
        self.small.tell, self.small.sampled = tell, sampled
        self.foremost, self.bounds = Foremost(self, min(self.most, self.n)), Bounds(self)
        try:
            return DualAscent.run(self, tol, max_iter, tell, sampled)
        finally:  # these hold this one: together they would stay in memory
            self.small = self.foremost = self.bounds = None

    # A round

    cdef bint advance(self, double tol, long max_iter) except -1 nogil:
        """Do one round, and conjugate gradients where needed; whether to do another."""
        cdef double aim = max(self.violation() / SHARE, tol / 2)
        cdef long begun = self.iterations
        self.check_signals(4 * self.padded)
        self.choose_members()
        self.small.enter()
        self.small.climb(aim, tol, max_iter)
        self.take_over()
        if (self.iterations >= self.next_face and self.has_more_free_than_members()
                and self.unbounded_direction is None):
            self.next_face = self.iterations + self.cg_interval
            self.dual += self.move_free_multipliers(tol)
        if self.iterations == begun and self.residual_error > 0 and self.reach < FAR:
            return self.improves_when_recomputed(tol)
        return self.iterations > begun

    cdef bint improves_when_recomputed(self, double tol) except -1 nogil:
        cdef double least = self.last_violation, most = self.last_objective
        cdef bint improves = DualAscent.improves_when_recomputed(self, tol)
        self.last_violation = min(least, self.last_violation)
        self.last_objective = max(most, self.last_objective)
        return improves

    cdef int take_over(self) except -1 nogil:
        """Put the beta of the small program into their places, and let all residuals follow."""
        cdef long *moved = self.chosen
        cdef long a, k, count = 0
        for a in range(self.count):
            k = self.examples[a]
            self.change[k] = self.small.beta[a] - self.beta[k]
            if self.change[k] != 0:
                self.beta[k] = self.small.beta[a]
                moved[count] = k
                count += 1
        self.subtract_moves(moved, self.change, count)
        self.set_residuals()
        self.iterations, self.dual = self.small.iterations, self.small.dual
        self.reach = max(self.reach, self.small.reach)
        self.indefinite = self.indefinite or self.small.indefinite
        if self.small.unbounded_direction is not None:
            with gil:
                self.unbounded_direction = self.small.direction_in_whole()
        return 0

    cdef bint is_time_to_look(self) noexcept nogil:
        return True

    # Which examples

    cdef int choose_members(self) except -1 nogil:
        """decomposition.choose_members."""
        cdef double m = self.m if self.groups else 0
        cdef double M = self.M if self.groups else 0
        cdef long fresh = self.most - min(self.most // 2, min(self.most - 2, self.count))
        cdef long count = self.take_foremost(M, fresh // 2, False, 0), a
        count = self.take_foremost(-m, fresh - count, True, count)
        count = self.take_free(self.take_last(False, count))
        count = self.take_last(True, count)
        self.count, self.members, self.chosen = count, self.chosen, self.members
        memcpy(self.examples, self.members, count * sizeof(long))
        qsort(self.examples, count, sizeof(long), compare_longs)
        for a in range(count):
            self.taken[self.members[a]] = False
        return 0

    cdef long take_foremost(self, double least, long most, bint falling,
                            long count) except -1 nogil:
        """Take as members, beside the `count` there are, at most `most` examples with the largest
        up above `least`; or, if falling, with the largest -low. How many there are then."""
        cdef long a
        for a in range(self.foremost.find(least, most, falling)):
            count = self.take(self.foremost.found[a], count)
        return count

    cdef long take(self, long k, long count) noexcept nogil:
        """Take example k as a member, beside the `count` there are; how many there are then."""
        self.chosen[count], self.taken[k] = k, True
        return count + 1

    cdef long take_last(self, bint bounded, long count) noexcept nogil:
        """Take as members, while there is room, those of the last round that are free; or, if
        `bounded`, those that are not. How many there are then."""
        cdef long a, k
        for a in range(self.count):
            k = self.members[a]
            if count < self.most and not self.taken[k] and bounded != self.is_free(k):
                count = self.take(k, count)
        return count

    cdef long take_free(self, long count) noexcept nogil:
        """Take as members, while there is room, other free examples. How many there are then."""
        cdef long k = 0
        while k < self.n and count < self.most:
            if self.is_free(k) and not self.taken[k]:
                count = self.take(k, count)
            k += 1
        return count

    cdef bint has_more_free_than_members(self) noexcept nogil:
        """Whether no round can move all free multipliers together."""
        cdef long k, count = 0
        for k in range(self.n):
            count += self.is_free(k)
        return count > self.most

    cdef bint is_free(self, long k) noexcept nogil:
        """Whether beta_k may both rise and fall."""
        return self.up[k] > -INFINITY and self.low[k] < INFINITY

    # Residuals

    cdef void set_residuals(self) noexcept nogil:
        self.section[0].seen = self.bounds.show()
        self.take_worst_group()

    cdef int compute_residuals(self) except -1 nogil:
        cdef long k, count = 0
        self.reach = max(self.reach, 1)
        for k in range(self.n):
            if self.beta[k] != 0:
                self.examples[count] = k
                count += 1
        if self.linear is not None:
            self.linear.clear()
            self.mass = self.additions = 0
            self.add_to_weights(self.examples, self.beta, count)
            self.additions = 0
            return self.follow_weights()
        memcpy(self.r, self.target, self.n * sizeof(double))
        return self.follow(self.examples, self.beta, count)

    cdef int subtract_moves(self, const long *members, const double *change,
                            long moved) except -1 nogil:
        cdef long a
        if self.linear is not None and moved > 0:
            self.add_to_weights(members, change, moved)
            self.residual_error = (ROUNDING * (self.additions + self.linear.source.table.d + 5)
                                   * (self.largest_residual + self.mass))
            return self.follow_weights()
        for a in range(moved):
            self.distance_moved += fabs(change[members[a]]) * self.largest_norm
        self.follow(members, change, moved)
        self.residual_error += ROUNDING * moved * (self.largest_residual + 4 * self.distance_moved)
        return 0

    cdef int follow(self, const long *which, const double *amount, long count) except -1 nogil:
        """r_k -= d_j K_jk for these examples j, in their order."""
        cdef Moves moves
        cdef long a
        moves.which, moves.count, moves.amount = which, count, amount
        moves.ridge, moves.bounded, moves.largest = self.ridge, self.rows.bounded, 0
        self.check_signals(count * self.padded)
        self.rows.source.subtract(&moves, self.r)
        self.rows.largest = max(self.rows.largest, moves.largest)
        for a in range(count):
            self.extend_reach(amount[which[a]])
        return 0

    cdef int add_to_weights(self, const long *which, const double *amount,
                            long count) except -1 nogil:
        """w += d_j x_j for these examples j, in their order."""
        cdef long a
        self.linear.add(which, amount, count)
        for a in range(count):
            self.mass += fabs(amount[which[a]]) * self.largest_norm
            self.extend_reach(amount[which[a]])
        self.additions += count
        return 0

    cdef int follow_weights(self) except -1 nogil:
        """Let self.r be what follows from w."""
        self.check_signals(self.padded)
        return self.linear.residuals(self.target, self.ridge, self.beta, self.r)


cdef int compare_longs(const void *a, const void *b) noexcept nogil:
    """For qsort: the smallest first."""
    cdef long v = (<const long *>a)[0], w = (<const long *>b)[0]
    return (v > w) - (v < w)


@public
@cython.binding(True)
def decomposition(
    problem, tol=1e-3, max_iter=None, start=None, on_step=None, *, members=1024, cache_mb=200,
    threads=1,
):
    """refsvm.decomposition, compiled; what is not plain floats, or no classification, is the
    oracle's."""
    members = whole_number(members, "members", 2)
    given = problem, tol, max_iter, start
    theirs = partial(oracle.decomposition, members=members)
    if not isinstance(problem, oracle.Problem):
        return theirs(*given, on_step, cache_mb=cache_mb, threads=threads)
    way = partial(Decomposition, members=members)
    return solved(way, theirs, given, on_step, cache_mb, threads, STEPS)
