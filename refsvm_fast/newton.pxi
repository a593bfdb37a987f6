# Newton's method, compiled: refsvm/solvers/newton.py. Part of _online.pyx.
#
# The steps are taken by the oracle's function; here are the sums over the examples. Each has an
# accumulator of its own, which is filled in the oracle's order: of the second derivative one for
# each pair of columns, so that many examples can meet one row of it while that is near.
#
# A number that is zero adds nothing, unless w holds an infinity: such a score is summed again,
# without them.

cdef enum:
    TOGETHER = 32     # examples that meet a row of the second derivative one after the other


cdef class NewtonPoint:
    """newton.Point; the lists are made when they are asked for."""

    cdef readonly list w
    cdef readonly double primal
    cdef Doubles xi
    cdef Doubles C

    @property
    def alpha(self):
        cdef Py_ssize_t i
        return [self.C.at[i] * self.xi.at[i] for i in range(self.xi.n)]

    @property
    def active(self):
        cdef Py_ssize_t i
        return [i for i in range(self.xi.n) if self.xi.at[i] > 0]


cdef class NewtonExamples:
    """What newton.NewtonDescent does with the examples; the names are those there."""

    cdef Examples X
    cdef Doubles C
    cdef Doubles y

    def __cinit__(self, Examples X, problem):
        cdef Py_ssize_t i
        cdef list C = problem.C, y = problem.y
        self.X, self.C, self.y = X, Doubles(X.n), Doubles(X.n)
        for i in range(X.n):
            self.C.at[i], self.y.at[i] = C[i], <long> y[i]

    cdef Doubles weights(self, list w):
        cdef Doubles found = self.X.weights(1)
        cdef Py_ssize_t j
        for j in range(self.X.d):
            found.at[j] = w[j]
        return found

    def point(self, list w):
        """Return what follows from w."""
        cdef NewtonPoint at = NewtonPoint()
        cdef Doubles weights = self.weights(w), xi = Doubles(self.X.n)
        cdef double loss = 0, v
        cdef Py_ssize_t s[CHUNK]
        cdef Py_ssize_t i = 0, j, count, room = chunk(self.X.d)
        while i < self.X.n:
            count = min(room, self.X.n - i)
            with nogil:
                for j in range(count):
                    s[j] = i + j
                self.X.scores(weights.at, s, count, xi.at + i)
                for i in range(i, i + count):
                    if not isfinite(xi.at[i]):
                        xi.at[i] = self.careful_score(weights.at, i)
                    v = 1 - self.y.at[i] * xi.at[i]
                    if v > 0:
                        loss += self.C.at[i] * v * v
                    xi.at[i] = v if v > 0 else 0
                i += 1
            PyErr_CheckSignals()
        at.w, at.xi, at.C = w, xi, self.C
        at.primal = squared_norm(w) / 2 + loss / 2
        return at

    cdef double careful_score(self, const double *w, Py_ssize_t i) noexcept nogil:
        """w.x_i, without the numbers that are zero."""
        cdef const double *x
        cdef double score = 0
        cdef Py_ssize_t k
        if self.X.mostly_zero:
            return self.X.score(w, i)
        x = self.X.row(i)
        for k in range(self.X.d):
            if x[k] != 0:
                score += w[k] * x[k]
        return score

    def longest(self):
        """|x_i|^2 of the longest row; not finite if one is not."""
        cdef double most = 0, v
        cdef Py_ssize_t i
        for i in range(self.X.n):
            v = self.X.squares(i)
            if not v <= most:
                most = v
        return most

    def sums(self, NewtonPoint at):
        """How many examples are active, what their multipliers add up to, and all C; the least C."""
        cdef double mass = 0, penalties = 0, least = INFINITY
        cdef Py_ssize_t i, active = 0
        for i in range(self.X.n):
            penalties += self.C.at[i]
            if self.C.at[i] < least:
                least = self.C.at[i]
            if at.xi.at[i] > 0:
                active += 1
                mass += self.C.at[i] * at.xi.at[i]
        return active, mass, penalties, least

    def has_same_piece(self, NewtonPoint at, NewtonPoint found):
        """Return whether the same examples are active."""
        cdef Py_ssize_t i
        for i in range(self.X.n):
            if (at.xi.at[i] > 0) != (found.xi.at[i] > 0):
                return False
        return True

    def gradient(self, NewtonPoint at):
        """Return w - sum alpha_i y_i x_i."""
        cdef Doubles g = self.weights(at.w)
        cdef Py_ssize_t i
        with nogil:
            for i in range(self.X.n):
                if at.xi.at[i] > 0:
                    self.X.push(g.at, -(self.y.at[i] * (self.C.at[i] * at.xi.at[i])), i)
        return list_of(g.at, self.X.d)

    def step_from(self, NewtonPoint at, list g):
        """Return the s with H s = -g."""
        cdef Py_ssize_t d = self.X.d, i, count = 0, j
        cdef Py_ssize_t some[TOGETHER]
        cdef Doubles H = Doubles(d * d), s = self.weights(g)
        for j in range(d):
            H.at[j * d + j] = 1
            s.at[j] = -s.at[j]
        for i in range(self.X.n):
            if at.xi.at[i] > 0:
                some[count] = i
                count += 1
            if count == TOGETHER or i + 1 == self.X.n:
                with nogil:
                    self.add_squares(H.at, some, count)
                count = 0
                PyErr_CheckSignals()
        with nogil:
            solve(H.at, s.at, d)
        return list_of(s.at, d)

    cdef void add_squares(self, double *H, const Py_ssize_t *some, Py_ssize_t count) noexcept nogil:
        """Add C_i x_i x_i' of these examples, in order, to the lower triangle."""
        cdef const double *x
        cdef Py_ssize_t d = self.X.d, j, e
        if self.X.mostly_zero:
            for e in range(count):
                self.add_listed(H, some[e])
            return
        for j in range(d):
            for e in range(count):
                x = self.X.row(some[e])
                if x[j] != 0:
                    loops().step(H + j * d, H + j * d, self.C.at[some[e]] * x[j], x, j + 1)

    cdef void add_listed(self, double *H, Py_ssize_t i) noexcept nogil:
        """The same of one row of which only what is not zero is listed."""
        cdef const int *places = self.X.places
        cdef const double *x = self.X.values
        cdef Py_ssize_t first = self.X.first[i], d = self.X.d, p, q
        cdef double c
        for p in range(first, self.X.first[i + 1]):
            if places[p] >= d:
                return
            c = self.C.at[i] * x[p]
            for q in range(first, p + 1):
                H[places[p] * d + places[q]] += c * x[q]


cdef void solve(double *H, double *s, Py_ssize_t d) noexcept nogil:
    """newton.solve, in place of s."""
    cdef double *row
    cdef const double *earlier
    cdef double c
    cdef Py_ssize_t j, k, m
    for j in range(d):
        row = H + j * d
        for k in range(j):  # L_jk D_k
            earlier = H + k * d
            c = row[k]
            for m in range(k):
                c -= earlier[m] * row[m]
            row[k] = c
        for k in range(j):
            c = row[k]
            row[k] = c / H[k * d + k]
            row[j] -= row[k] * c
            s[j] -= row[k] * s[k]
        if not row[j] > 1:
            row[j] = 1
    for j in range(d):
        s[j] /= H[j * d + j]
    for j in range(d - 1, -1, -1):
        for k in range(j):
            s[k] -= H[j * d + k] * s[j]
