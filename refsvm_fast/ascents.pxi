"""Coordinate ascent and projected gradient, compiled: refsvm/solvers/, step by step.

Both are a Descent that takes other steps; the names, and the order of every operation, are the
oracle's, and so are the reasons. Part of _descent.pyx.
"""

from refsvm.solvers.projected_gradient import GradientStep, Slide


cdef class OneByOne(Descent):
    """coordinate_ascent.OneByOne."""

    cdef long turn                # whose turn it is

    cdef bint step(self) except -1 nogil:
        """Move the next one that has anything to gain; whether there was one."""
        cdef long turn = self.turn
        return self.step_among(turn, self.n) or self.endless is None and self.step_among(0, turn)

    cdef bint step_among(self, long begin, long end) except -1 nogil:
        """Move the first from begin on that can be moved; whether there was one before the end."""
        cdef bint moved
        cdef long k = loops().asking(self.up, self.low, 0, 0, begin, end)
        while k < end:
            moved = self.move_alone(k)
            if moved or self.endless is not None:
                self.turn = k + 1
                return moved
            self.breathe(10 * self.padded)
            k = loops().asking(self.up, self.low, 0, 0, k + 1, end)
        return False

    cdef int companions(self, long i, long *found, int most) noexcept nogil:
        """Up to `most` others whose rows are missing: those whose turn is next."""
        cdef int count = self.missing(i + 1, self.n, found, 0, most)
        return self.missing(0, i, found, count, most)

    cdef int missing(self, long begin, long end, long *found, int count, int most) noexcept nogil:
        """Add those from begin on that have something to gain, but no row; how many there are."""
        cdef long k = loops().asking(self.up, self.low, 0, 0, begin, end)
        while k < end and count < most:
            if not self.rows.has(k):
                found[count] = k
                count += 1
            k = loops().asking(self.up, self.low, 0, 0, k + 1, end)
        return count


cdef class UpTheSlope(Descent):
    """projected_gradient.UpTheSlope, with projections.tied and clipped."""

    cdef double rate, total
    cdef bint plain               # whether sums of bounds stay far from the end of the doubles
    cdef long moved               # how many multipliers the step taken last moved,
    cdef long *members            # and which
    cdef double *start            # of everybody: beta before the step,
    cdef double *before           # the residual before it,
    cdef double *z                # where the slope leads to,
    cdef double *change           # and how far beta moved
    cdef double *kinks            # every nu where some z - nu meets a bound
    cdef double left, right       # the two of these between which nu lies

    def __cinit__(self, problem, start, cache_mb):
        cdef long k
        self.start, self.before, self.z = numbers(self.n), numbers(self.n), numbers(self.n)
        self.change, self.kinks = numbers(self.n), numbers(2 * self.n)
        self.members = <long *>allocated(self.n * sizeof(long))
        self.work, self.pause = self.n * self.n, 3
        self.plain = True
        for k in range(self.n):
            self.total += self.beta[k]
            self.plain = self.plain and not FAR <= self.upper[k] - self.lower[k] < INFINITY

    def __dealloc__(self):
        release(self.start)
        release(self.before)
        release(self.z)
        release(self.change)
        release(self.kinks)
        release(self.members)

    def begin(self):
        """Find the rate."""
        cdef double bound
        with nogil:
            self.refresh()
            bound = self.largest_row()
        self.rate = 1 / bound if bound > 0 and 1 / bound < INFINITY else 1

    def listener(self, on_step):
        def tell(slide, iteration, violation, objective):
            on_step(GradientStep(iteration, self.rate, slide.moved, violation, objective))

        return tell

    def told(self):
        return Slide(self.moved, self.gain)

    cdef double largest_row(self) except? -1 nogil:
        """The largest sum of sizes in a row of K; eight rows are added up side by side."""
        cdef long wanted[SHARED]
        cdef const double *row[SHARED]
        cdef double total[SHARED]
        cdef double largest = 0
        cdef long i, k
        cdef int q, m
        for i in range(0, self.n, 8):  # SHARED
            m = <int>min(SHARED, self.n - i)
            for q in range(SHARED):
                wanted[q], total[q] = i + q, 0
            self.breathe(m * self.padded * 10)
            self.rows.want(wanted, m)
            for q in range(SHARED):
                row[q] = self.rows.row(wanted[q] if q < m else i)
            for k in range(self.n):
                for q in range(SHARED):
                    total[q] += fabs(row[q][k])
            for q in range(m):
                largest = max(largest, total[q])
        return largest

    cdef bint step(self) except -1 nogil:
        """beta <- P(beta + rate r); whether that moved anything."""
        cdef double nu = 0
        cdef long k
        cdef bint within = self.plain
        for k in range(self.n):
            self.start[k], self.before[k] = self.beta[k], self.residual(k)
            self.z[k] = self.beta[k] + self.rate * self.before[k]
            within = within and fabs(self.z[k]) < FAR
        if not within:
            return self.give_up()
        if self.tied:
            self.move_near()
            nu = self.common_shift()
        self.moved = 0
        for k in range(self.n):
            self.beta[k] = min(max(self.z[k] - nu, self.lower[k]), self.upper[k])
            self.change[k] = self.beta[k] - self.start[k]
            if self.change[k] != 0:
                self.members[self.moved] = k
                self.moved += 1
        if self.moved == 0:
            return False
        self.gain = self.follow_all()
        self.look_for_negative_curvature()
        return True

    cdef bint give_up(self) noexcept nogil:
        """Let descend() end with TOO_LARGE, so that the oracle takes over."""
        self.reach, self.drift = INFINITY, 1
        return False

    cdef double follow_all(self) except? -1 nogil:
        """Let the residuals follow after every beta moved; the dual's gain."""
        cdef double gain = 0
        cdef long a, k
        for k in range(self.n):
            self.r[k] = self.before[k]
        self.follow_moves(self.members, self.change, self.moved)
        for a in range(self.moved):
            k = self.members[a]
            gain += self.change[k] * (self.before[k] + self.r[k]) / 2
        self.show()
        return gain

    cdef void look_for_negative_curvature(self) noexcept nogil:
        """Note it if the slope grew on the way, by more than rounding could make it."""
        cdef double bend = 0, size = 0
        cdef long k
        for k in range(self.n):
            bend += self.change[k] * (self.before[k] - self.r[k])
            size += self.change[k] * self.change[k]
        if bend * self.rate < -NOISE * size:
            self.indefinite = True

    cdef void move_near(self) noexcept nogil:
        """Count z from the kink next to nu, as projections.tied does."""
        cdef double nu = self.common_shift(), near = 0
        cdef long k
        if self.left > -INFINITY and not fabs(nu - self.right) < fabs(nu - self.left):
            near = self.left
        elif self.right < INFINITY:
            near = self.right
        for k in range(self.n):
            self.z[k] -= near

    cdef double common_shift(self) noexcept nogil:
        """projections.common_shift between the neighbours, which it finds."""
        cdef double v, low, high, missing = -self.total
        cdef long k, free = 0
        self.find_neighbours()
        for k in range(self.n):
            v, low, high = self.z[k], self.lower[k], self.upper[k]
            if v - high <= self.left and self.right <= v - low:
                missing += v
                free += 1
            else:
                missing += high if self.right <= v - high else low
        if free:
            return missing / free
        if self.left == -INFINITY or missing >= 0 and self.right < INFINITY:
            return self.right
        return self.left

    cdef void find_neighbours(self) noexcept nogil:
        """projections.neighbours, without sorting: each pass drops the kinks on the wrong side of
        some of their own, eight at a time. A sum of clipped numbers never rises with nu, not even
        by rounding, so that the kinks between which it meets the total are the same."""
        cdef long count = self.find_kinks()
        self.left, self.right = -INFINITY, INFINITY
        while count > 0:
            count = self.fewer_kinks(count)

    cdef long find_kinks(self) noexcept nogil:
        """Write every nu where a z - nu meets a bound; how many there are. 0.0 and -0.0 are one
        kink: all are written as the first is."""
        cdef const double *bound = self.lower
        cdef double v, zero = 0
        cdef long count = 0, k
        cdef bint seen = False
        cdef int side
        for side in range(2):
            for k in range(self.n):
                if fabs(bound[k]) < INFINITY:
                    v = self.z[k] - bound[k]
                    if v == 0:
                        zero, seen = zero if seen else v, True
                        v = zero
                    self.kinks[count] = v
                    count += 1
            bound = self.upper
        return count

    cdef long fewer_kinks(self, long count) noexcept nogil:
        """Move left and right closer together, and keep the kinks between; how many are left."""
        cdef double shift[WIDTH]
        cdef double sums[WIDTH]
        cdef long a, kept = 0
        cdef int s
        for s in range(WIDTH):
            shift[s] = self.kinks[(2 * s + 1) * count // (2 * WIDTH)]
        loops().clipped_sums(self.z, self.lower, self.upper, shift, sums, self.n)
        for s in range(WIDTH):
            if sums[s] > self.total:
                self.left = max(self.left, shift[s])
            else:
                self.right = min(self.right, shift[s])
        for a in range(count):
            if self.left < self.kinks[a] < self.right:
                self.kinks[kept] = self.kinks[a]
                kept += 1
        return kept


@cython.binding(True)
def coordinate_ascent(
    problem, tol=1e-3, max_iter=None, start=None, on_step=None, *, cache_mb=200, threads=1
):
    """refsvm.coordinate_ascent, compiled; what is not plain floats is the oracle's."""
    given = problem, tol, max_iter, start
    if getattr(problem, "bias", True):
        return oracle.coordinate_ascent(*given, on_step, cache_mb=cache_mb, threads=threads)
    return solved(OneByOne, oracle.coordinate_ascent, given, on_step, cache_mb, threads)


@cython.binding(True)
def projected_gradient(
    problem, tol=1e-3, max_iter=None, start=None, on_step=None, *, cache_mb=200, threads=1
):
    """refsvm.projected_gradient, compiled; what is not plain floats is the oracle's."""
    given = problem, tol, max_iter, start
    return solved(UpTheSlope, oracle.projected_gradient, given, on_step, cache_mb, threads)
