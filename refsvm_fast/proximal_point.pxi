# The proximal point method, compiled: refsvm/solvers/proximal_point.py. Part of _online.pyx.
#
# The steps are taken by the oracle's functions, with the directions of newton.pxi; here is what
# follows from a point.


cdef class ProximalPoint(NewtonPoint):
    """newton.PrimalPoint; the lists are made when they are asked for."""

    cdef Doubles beta
    cdef Doubles limits         # C_i
    cdef NewtonPoint pushing    # of which the examples with a multiplier are the active ones

    def __cinit__(self, Doubles C):
        self.beta, self.pushing = Doubles(C.n), NewtonPoint(C)

    @property
    def coefs(self):
        cdef Py_ssize_t i
        cdef object zero = 0.0
        return [self.beta.at[i] if self.beta.at[i] != 0 else zero for i in range(self.beta.n)]

    cdef int place(self, Py_ssize_t i) noexcept nogil:
        """Where beta_i is: 0, 1 between its bounds, 2 at one; negative if it is."""
        cdef double b = self.beta.at[i], C = self.limits.at[i]
        return 0 if b == 0 else 1 if 0 < b < C else 2 if b > 0 else -1 if b > -C else -2


cdef class ProximalExamples(NewtonExamples):
    """What proximal_point.ProximalDescent does with the examples; the names are those there."""

    cdef Doubles centre

    def __cinit__(self, Examples X, problem):
        self.centre = Doubles(X.n)

    def take_centre(self, ProximalPoint at):
        self.centre = at.beta

    cdef NewtonPoint new_point(self, list w):
        cdef ProximalPoint at = ProximalPoint(self.C)
        at.limits, at.scores = self.of_problem, Doubles(PADDED(self.X.n))
        at.w, at.primal = w, dot(w, w) / 2
        return at

    cdef void follow(self, NewtonPoint point) noexcept:
        """Find what follows from w and its scores; without branches that could not be foretold: of
        two numbers that are added one is 0."""
        cdef ProximalPoint at = <ProximalPoint> point
        cdef double score, low, high, b, C, c, a, cost, bound, m = 0, M = 0, value = 0, loss = 0
        cdef Py_ssize_t i
        cdef int place
        for i in range(self.X.n):
            score, C, c, a = at.scores.at[i], self.of_problem.at[i], self.C.at[i], self.centre.at[i]
            low, high = self.low.at[i] - score, self.high.at[i] - score
            b = positive_part(a + c * low, C) - positive_part(-(a + c * high), C)
            at.beta.at[i] = b
            cost = C * (positive_part(low, INFINITY) + positive_part(-high, INFINITY))
            bound = low if b > 0 else high if b < 0 else 0
            loss += cost
            at.shares += cost - b * bound
            value += b * bound
            value -= (b - a) * ((b - a) / (c if c > 0 else 1)) / 2
            m = max(m, low if b < C else m, high if b < 0 else m)
            M = min(M, low if b > 0 else M, high if b > -C else M)
            place = at.place(i)
            at.some[at.count] = i
            at.count += place == 1 or place == -1
            at.pushing.some[at.pushing.count] = i
            at.pushing.count += place != 0
        at.apart = m - M
        at.value, at.primal = at.primal + value, at.primal + loss

    def gradient(self, ProximalPoint at):
        """Return w - sum alpha_i y_i x_i."""
        cdef Doubles g = self.weights(at.w)
        with nogil:
            memcpy(self.by.at, at.beta.at, self.X.n * sizeof(double))
            self.subtract(at.pushing, g.at)
        return list_of(g.at, self.X.d)

    def has_same_piece(self, ProximalPoint at, ProximalPoint found):
        """Return whether each multiplier is at the same bound, or between the same two."""
        cdef Py_ssize_t i
        for i in range(self.X.n):
            if at.place(i) != found.place(i):
                return False
        return True

    def sums(self, ProximalPoint at):
        """How many multipliers there are, what they add up to, and all C; the least C."""
        cdef double mass = 0, penalties = 0, least = INFINITY
        cdef Py_ssize_t i
        for i in range(self.X.n):
            mass += fabs(at.beta.at[i])
            penalties += self.of_problem.at[i]
            least = min(least, self.of_problem.at[i])
        return at.pushing.count, mass, penalties, least


cdef inline double positive_part(double v, double most) noexcept nogil:
    """The number, but 0 where it is no positive one, and no more than this."""
    v = v if v > 0 else 0
    return v if v < most else most
