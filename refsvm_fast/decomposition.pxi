# Decomposition, compiled: refsvm/solvers/decomposition.py, round by round. Part of _smo.pyx.
#
# A round takes three passes: members are chosen by their residuals (round_members.pxi); steps are
# taken among them, in the block of K that they have with each other (small_program.pxi); and all
# residuals follow those that moved. Threads share the passes over the table (passes.pxi).
# No kernel row is stored where it is cheap to compute.

cdef i64 GROWTH = 8
cdef i64 VIOLATION_SHARE = 10


cdef class Decomposition(DualAscent):
    """decomposition.RoundAscent."""

    cdef bint by_rounds           # or, until then, by steps among all
    cdef i64 most                 # members of the next round, at most,
    cdef i64 largest              # of the largest round,
    cdef i64 room                 # and how many there can be
    cdef SmallProgram small
    cdef Members members
    cdef i64 *moved               # the slots of members that moved in the round
    cdef Moves moves              # what residuals, or w, follow next
    cdef i64 next_face            # conjugate gradients are due after so many steps
    cdef ScorePass linear         # w, for the linear kernel; None for another
    cdef double score_bound       # no score is larger in size
    cdef double additions         # to w since it was made anew

    def __init__(self, problem, start, double cache_mb, i64 members, bint by_rounds):
        cdef bint linear = type(problem.kernel) is oracle.Linear
        if linear:
            getattr(problem, "given", None)  # rows instead of a Part: w is made of them
        DualAscent.__init__(self, problem, start, cache_mb)
        self.by_rounds, self.rows.mirrors = by_rounds, False  # passes need the whole table
        self.most, self.largest = members, GROWTH * members
        self.room = min(self.largest, self.variables)
        self.moved = <i64 *>allocated(self.room * sizeof(i64))
        self.moves.rows = <i64 *>allocated(self.n * sizeof(i64))
        self.moves.amount, self.moves.second = numbers(self.n), self.outlook.second
        self.moves.ridge, self.moves.bounded = self.ridge, self.rows.bounded
        self.next_face = self.cg_interval
        if linear and isinstance(self.rows.source, TableSource):
            self.linear = ScorePass(self.rows.source)
        DualAscent.set_residuals(self)  # once for slots without a variable
        self.small = SmallProgram(self, self.room)

    def __dealloc__(self):
        release(self.moved)
        release(self.moves.rows)
        release(self.moves.amount)

    def run(self, double tol, i64 max_iter, tell, bint sampled):
        self.small.tell, self.small.sampled = tell, sampled
        self.members = Members(self, self.room)
        try:
            return DualAscent.run(self, tol, max_iter, tell, sampled)
        finally:  # they hold this one: together they would stay in memory
            self.let_rows_go()

    cdef int let_rows_go(self) except -1:
        self.rows = self.small = self.members = None
        return 0

    # A round

    cdef bint advance(self, double tol, i64 max_iter) except -1 nogil:
        """Do one round, and conjugate gradients where needed; whether to do another."""
        cdef i64 begun = self.iterations
        cdef double aim
        if not self.by_rounds:
            if (begun < self.variables or begun % self.cg_interval
                    or self.count_free() <= self.usual_system):
                return DualAscent.advance(self, tol, max_iter)
            self.begin_rounds()
        aim = max(self.violation() / VIOLATION_SHARE, tol / 2)
        self.check_signals(4 * self.padded)
        if 2 * self.count_free() > self.most:
            self.most = min(2 * self.most, self.largest)
        self.members.choose(self.most)
        self.small.enter(self.members.slots, self.members.count)
        self.small.climb(aim, tol, min(max_iter, begun + self.window))
        self.take_over()
        if (self.iterations >= self.next_face and self.count_free() > self.most
                and self.unbounded_direction is None):
            self.next_face = self.iterations + self.cg_interval
            self.dual += self.move_free_multipliers(tol)
        if self.iterations == begun and self.residual_error > 0 and self.reach < NEAR_OVERFLOW:
            return self.improves_when_recomputed(tol)
        return self.iterations > begun

    cdef int begin_rounds(self) except -1 nogil:
        """Go over from steps to rounds, which keep all residuals in self.r."""
        self.by_rounds = True
        self.rows.give_back()
        self.read_residuals()
        if self.linear is not None:
            self.recompute_residuals()
        return 0

    cdef bint improves_when_recomputed(self, double tol) except -1 nogil:
        cdef double least = self.last_violation, most = self.last_objective
        cdef bint improves = DualAscent.improves_when_recomputed(self, tol)
        if self.by_rounds:
            self.last_violation = min(least, self.last_violation)
            self.last_objective = max(most, self.last_objective)
        return improves

    cdef int take_over(self) except -1 nogil:
        """Put the beta of the small program into their places, and let all residuals follow."""
        cdef double *change = self.face.change
        cdef const Section *part
        cdef i64 a, k, count = 0
        cdef int s
        for s in range(self.small.sections):
            part = &self.small.section[s]
            for a in range(part.begin, part.end):
                k = self.small.of[a]
                change[k] = self.small.beta[a] - self.beta[k]
                if change[k] != 0:
                    self.beta[k] = self.small.beta[a]
                    self.moved[count] = k
                    count += 1
        self.subtract_moves(self.moved, change, count)
        self.set_residuals()
        self.iterations, self.dual = self.small.iterations, self.small.dual
        self.reach = max(self.reach, self.small.reach)
        if self.small.least_curvature < self.least_curvature:
            self.least_curvature = self.small.least_curvature
            self.rising = self.small.of[self.small.rising]
            self.falling = self.small.of[self.small.falling]
        if self.small.unbounded_direction is not None:
            with gil:
                self.unbounded_direction = self.small.direction_in_whole()
        return 0

    cdef bint is_time_to_look(self) noexcept nogil:
        return self.by_rounds or DualAscent.is_time_to_look(self)

    cdef i64 count_free(self) noexcept nogil:
        cdef i64 k, count = 0
        for k in range(self.n):
            count += self.is_free(k)
        return count

    cdef bint is_free(self, i64 k) noexcept nogil:
        """Whether beta_k may both rise and fall."""
        return self.up[k] > -INFINITY and self.low[k] < INFINITY

    # Residuals

    cdef void set_residuals(self) noexcept nogil:
        cdef int s
        if not self.by_rounds:
            DualAscent.set_residuals(self)
            return
        for s in range(self.sections):
            self.show(&self.section[s])
        self.take_worst_group()

    cdef void show(self, Section *section) noexcept nogil:
        """Let up and low show the residuals of a section, which has its extremes of them then, as
        DualAscent.find_extremes finds them."""
        cdef double r, up, low
        cdef Extremes best = section.seen
        cdef i64 k
        best.m, best.M, best.place = -INFINITY, INFINITY, section.begin
        for k in range(section.begin, section.end):
            r = self.r[k]
            up = r if self.beta[k] < self.upper[k] else -INFINITY
            low = r if self.beta[k] > self.lower[k] else INFINITY
            self.up[k], self.low[k] = up, low
            if up > best.m:
                best.m, best.place = up, k
            if low < best.M:
                best.M = low
        section.seen = best

    cdef int compute_residuals(self) except -1 nogil:
        cdef const double *amount = self.beta
        cdef i64 k
        if not self.by_rounds:
            return DualAscent.compute_residuals(self)
        if self.linear is None:
            amount = self.net_variables()
        self.reach = max(self.reach, self.largest_target)
        self.moves.count = 0
        for k in range(self.n):
            if amount[k] != 0:
                self.add_move(k, amount[k])
        if self.linear is not None:
            self.linear.clear()
            self.score_bound = 0
            self.move_weights()
            self.additions = 0
            return self.follow_weights()
        memcpy(self.r, self.target, self.n * sizeof(double))
        return self.follow()

    cdef int subtract_moves(self, const i64 *members, const double *change,
                            i64 moved) except -1 nogil:
        cdef i64 a
        if not self.by_rounds:
            return DualAscent.subtract_moves(self, members, change, moved)
        self.moves.count = 0
        for a in range(moved):
            self.add_move(members[a], change[members[a]])
        if self.linear is not None and moved > 0:
            self.move_weights()
            self.residual_error = (ROUNDING * (self.additions + self.linear.source.table.d + 5)
                                   * (self.largest_residual + self.score_bound))
            return self.follow_weights()
        for a in range(moved):
            self.distance_moved += fabs(self.moves.amount[a]) * self.largest_norm
        self.follow()
        self.residual_error += ROUNDING * moved * (self.largest_residual + 4 * self.distance_moved)
        return 0

    cdef void add_move(self, i64 k, double amount) noexcept nogil:
        """Let residuals follow one more move: beta_k rose by this amount."""
        cdef i64 a = self.moves.count
        self.moves.rows[a], self.moves.amount[a] = self.column(k), amount
        self.moves.count += 1

    cdef int follow(self) except -1 nogil:
        """Let self.r follow the moves, by kernel values."""
        cdef i64 a
        self.moves.largest = 0
        self.check_signals(self.moves.count * self.padded)
        self.rows.source.subtract(&self.moves, self.r)
        self.rows.largest = max(self.rows.largest, self.moves.largest)
        for a in range(self.moves.count):
            self.extend_reach(self.moves.amount[a])
        return 0

    cdef int move_weights(self) except -1 nogil:
        """Let w follow the moves."""
        cdef i64 a
        self.linear.add(&self.moves)
        for a in range(self.moves.count):
            self.score_bound += fabs(self.moves.amount[a]) * self.largest_norm
            self.extend_reach(self.moves.amount[a])
        self.additions += self.moves.count
        return 0

    cdef int follow_weights(self) except -1 nogil:
        """Let self.r be what follows from w."""
        self.check_signals(self.padded)
        self.linear.residuals(&self.moves, self.target, self.beta, self.r)
        return 0
