"""The pairs of a training set with several classes, trained one after the other. Part of _smo.pyx.

With k classes there are k (k - 1) / 2 pairs, and most have few examples. A Problem and a Solution
for each would take longer than all steps together. So one ascent serves all pairs, and of a pair
numbers are kept: its multipliers, and what its Solution says, which is made when it is asked for.
If the pairs are parts of one Whole (shared_rows.pxi), even their rows are kept in the same room.

That is so if training ends as it does nearly always (ends_plainly, in ending.pxi). If not, the pair
is trained again, as a problem of its own.
"""

from refsvm.estimators.pairwise_training import Pair


cdef class PairAscent(DualAscent):
    """The ascent of one pair after the other; it is made for the largest of them."""

    # Of all rows, if the pairs share nothing:
    cdef Table table
    cdef Formula formula
    cdef double cache_mb
    cdef bint bounded             # as of Rows
    cdef i64 windowed             # the examples that the window is for

    cdef int let_rows_go(self) except -1:
        """Give back the memory of kernel rows, and of their examples, unless pairs share them."""
        if self.table is not None:
            self.rows = None
        return 0

    cdef int take_rows(self, const i64 *rows, i64 n) except -1:
        """Let the kernel rows be those of these examples."""
        cdef PartSource shared
        cdef TableSource source
        cdef i64 l
        if self.table is None:
            shared = self.rows.source
            if not shared.take(rows, n):
                raise IndexError(n)
            self.rows.forget()
            return 0
        self.let_rows_go()  # before the next take as much
        source = source_over(self.table.at([rows[l] for l in range(n)]), self.formula)
        self.rows = Rows(source, self.cache_mb, self.bounded)
        self.rows.outlook = &self.outlook
        return 0

    cdef int begin_pair(self, PairRows pair, i64 n, const double *C) except -1:
        """Begin with n examples, and the penalties C of all."""
        cdef i64 k
        self.take_rows(pair.rows, n)
        self.be_one_section(n)
        if n != self.windowed:  # as a call of Python costs as much as the steps of a small pair
            self.window, self.windowed = ascent_loop.window(n), n
        self.face.n = n
        for k in range(n):
            self.target[k], self.beta[k] = pair.sign[k], 0
            self.lower[k] = 0 if pair.sign[k] > 0 else -C[pair.rows[k]]
            self.upper[k] = C[pair.rows[k]] if pair.sign[k] > 0 else 0
        self.rows.source.norms(self.diagonal)
        memset(self.diagonal + n, 0, (self.padded - n) * sizeof(double))
        self.measure_diagonal()
        self.largest_residual = self.reach = self.distance_moved = 0
        self.residual_error = self.mass_when_new = self.dual = 0
        self.support_when_new = self.iterations = 0
        self.last_violation, self.last_objective = INFINITY, -INFINITY
        self.least_curvature, self.unbounded_direction = 0, None
        self.check_signals(n)
        return 0

    cdef bint ended_plainly(self, double tol, i64 max_iter, double roundings,
                            PlainEnding *told) except -1:
        """Train; whether it ended optimal, as `told` then says."""
        cdef Status ended
        with nogil:
            ended = self.ascend(tol, max_iter)
            if ended == OPTIMAL:
                self.end_with_sums(ended)
        if ended != OPTIMAL or not self.reach < NEAR_OVERFLOW or self.least_curvature < 0:
            return False
        return self.tell_plainly(tol, roundings, told)


cdef class TrainedPairs:
    """What training left of each pair: a sequence of Pair, each made when it is asked for."""

    cdef PairRows pair
    cdef object offsets_class
    cdef double *alphas           # of all pairs, one after the other,
    cdef i64 *begins              # and where those of a pair begin
    cdef PlainEnding *endings
    cdef i64 *steps
    cdef dict others              # those that ended otherwise: the Solution

    def __cinit__(self, list members, offsets_class):
        cdef i64 count
        self.pair, self.offsets_class, self.others = PairRows(members), offsets_class, {}
        count = len(self)
        self.alphas = <double *>allocated(
            max(1, self.pair.classes - 1) * self.pair.n * sizeof(double)
        )
        self.begins = <i64 *>allocated((count + 1) * sizeof(i64))
        self.endings = <PlainEnding *>allocated(max(1, count) * sizeof(PlainEnding))
        self.steps = <i64 *>allocated(max(1, count) * sizeof(i64))

    def __dealloc__(self):
        release(self.alphas)
        release(self.begins)
        release(self.endings)
        release(self.steps)

    def __len__(self):
        return self.pair.classes * (self.pair.classes - 1) // 2

    def __iter__(self):
        cdef i64 p, q, n, l, place = 0
        for p in range(self.pair.classes):
            for q in range(p + 1, self.pair.classes):
                n = self.pair.take(p, q)
                rows = [self.pair.rows[l] for l in range(n)]
                y = [1 if self.pair.sign[l] > 0 else -1 for l in range(n)]
                yield Pair(p, q, rows, y, self.solution(place))
                place += 1

    cdef solution(self, i64 place):
        """The Solution of a pair, without its problem."""
        cdef const PlainEnding *told = self.endings + place
        cdef i64 l
        if place in self.others:
            return self.others[place]
        alpha = [self.alphas[l] for l in range(self.begins[place], self.begins[place + 1])]
        found = Solution(
            alpha=alpha, b=told.b, b_low=told.b_low, b_high=told.b_high,
            objective=told.objective, gap=told.gap, violation=told.violation_at_most,
            iterations=self.steps[place], status="optimal", farkas=None,
        )
        found.offsets = self.offsets_class(OffsetInterval(told.b, told.b_low, told.b_high))
        found.limit, found.optimum_at_most = "", told.optimum_at_most
        return found

    def solutions(self):
        """The Solution of each pair."""
        cdef i64 place
        return [self.solution(place) for place in range(len(self))]

    def iterations(self):
        """The steps of each pair."""
        cdef i64 place
        return [self.steps[place] for place in range(len(self))]

    def offsets(self):
        """b of each pair, for the earlier class."""
        cdef i64 place
        return [-self.endings[place].b for place in range(len(self))]

    def all_optimal(self):
        """Whether every pair ended so."""
        return all(solution.status == "optimal" for solution in self.others.values())

    def multipliers(self):
        """alpha of all pairs, one after the other, as bytes."""
        return (<char *>self.alphas)[:self.begins[len(self)] * sizeof(double)]

    cdef int keep(self, i64 place, const double *beta, i64 n) except -1:
        """Keep the multipliers of a pair; a zero has no sign."""
        cdef double *alpha = self.alphas + self.begins[place]
        cdef i64 l
        for l in range(n):
            alpha[l] = (beta[l] if self.pair.sign[l] > 0 else -beta[l]) + 0.0
        return 0

    cdef int keep_solution(self, i64 place, solution) except -1:
        """Keep one that another solver found."""
        cdef double *alpha = self.alphas + self.begins[place]
        cdef i64 l
        for l, a in enumerate(solution.alpha):
            alpha[l] = a
        self.endings[place].b, self.steps[place] = solution.b, solution.iterations
        self.others[place] = solution
        return 0


def trained_pairs(list members, list penalties, Table table or None, problem, double tol,
                  i64 max_iter, double cache_mb, list roundings, train):
    """The TrainedPairs of these members of classes; None where the kernel has no Formula.

    table: of all rows; None where pairs are parts of a Whole. problem: that of the largest pair.
    roundings: of the kernel's values in each class; a pair has the larger. train(p, q): trains a
    pair as a problem of its own.
    """
    cdef Formula formula = formula_of(problem.kernel)
    cdef TrainedPairs found
    cdef PairRows pair
    cdef PairAscent ascent
    cdef bint plainly
    cdef i64 p, q, n, place = 0, begin = 0
    cdef double *C
    if formula is None:
        return None
    found, ascent = TrainedPairs(members, problem.offsets_class), PairAscent(problem, None, cache_mb)
    pair = found.pair
    ascent.table, ascent.formula, ascent.cache_mb = table, formula, cache_mb
    ascent.bounded = problem.kernel.bounded
    C = <double *>allocated(len(penalties) * sizeof(double))
    try:
        for n in range(len(penalties)):
            C[n] = penalties[n]
        for p in range(pair.classes):
            for q in range(p + 1, pair.classes):
                n = pair.take(p, q)
                found.begins[place] = begin
                plainly = False
                # Where several pairs end otherwise, most others would be trained twice, too.
                if 8 * len(found.others) <= place:
                    ascent.begin_pair(pair, n, C)
                    most = max(roundings[p], roundings[q])
                    plainly = ascent.ended_plainly(tol, max_iter, most, found.endings + place)
                if plainly:
                    found.keep(place, ascent.beta, n)
                    found.steps[place] = ascent.iterations
                else:
                    ascent.let_rows_go()
                    found.keep_solution(place, train(p, q))
                begin += n
                place += 1
        found.begins[place] = begin
        return found
    finally:
        release(C)
