# Newton's method, compiled: refsvm/solvers/newton.py. Part of _online.pyx.
#
# The steps are taken by the oracle's function; here are the sums over the examples. Each has an
# accumulator of its own, which is filled in the oracle's order: of the second derivative one for
# each pair of columns. Rows of active examples are copied to a panel, some at a time, with each row
# at a multiple of WIDTH, so that all columns go side by side.
#
# A number that is zero adds nothing, unless it meets an infinity, of w or of C_i x_i: such a score
# is summed again without them, and so is the second derivative.

cdef Py_ssize_t CHEAP_PRODUCTS = newton_direction.CHEAP_PRODUCTS

cdef enum:
    TOGETHER = 32     # examples that meet a row of the second derivative one after the other


cdef class NewtonPoint:
    """newton.PrimalPoint; the lists are made when they are asked for."""

    cdef readonly list w
    cdef readonly double primal
    cdef readonly double value  # what steps bring down
    cdef readonly double shares  # of linear slack, and the next
    cdef readonly double apart
    cdef Doubles scores       # w.x_i
    cdef Doubles xi
    cdef Doubles C
    cdef Py_ssize_t *some     # the active examples,
    cdef Py_ssize_t count     # and how many they are

    def __cinit__(self, Doubles C):
        self.C = C
        self.some = <Py_ssize_t *> zeroed(C.n, sizeof(Py_ssize_t))

    def __dealloc__(self):
        PyMem_Free(self.some)

    @property
    def coefs(self):
        cdef Py_ssize_t i
        cdef object zero = 0.0  # one, as most are
        return [
            self.C.at[i] * self.xi.at[i] if self.xi.at[i] != 0 else zero for i in range(self.C.n)
        ]

    @property
    def active(self):
        cdef Py_ssize_t i
        return [self.some[i] for i in range(self.count)]


cdef class NewtonExamples:
    """What newton.NewtonDescent does with the examples; the names are those there."""

    cdef Examples X
    cdef Table table          # of the same rows, if it has columns only; or None
    cdef Doubles C            # share times
    cdef Doubles of_problem   # those of the problem
    cdef Doubles low          # between which two numbers each score costs nothing
    cdef Doubles high
    cdef Py_ssize_t stride    # of the rows of the panel: d, up to a multiple of WIDTH
    cdef Doubles panel        # rows of active examples,
    cdef Doubles scaled       # each times its C_i; both NULL if the rows are listed
    cdef double push[TOGETHER]  # by_i of these
    cdef Doubles by             # of each example, by how much of its row a vector is to be less
    cdef Py_ssize_t taken       # how many there are in the panel
    cdef int sides              # of an example, on which a score may have slack
    cdef public Py_ssize_t products  # of H with a vector, which cost as much as to make and to solve it
    cdef public double reduction  # |g|^2 is so many times what |g + H s|^2 may be

    def __cinit__(self, Examples X, problem):
        cdef Py_ssize_t i
        cdef Table table
        cdef list C = problem.C, low, high
        low, high = problem.score_bounds()
        self.X, self.of_problem, self.low, self.high = X, Doubles(X.n), Doubles(X.n), Doubles(X.n)
        self.C, self.by = self.of_problem, Doubles(PADDED(X.n))
        for i in range(X.n):
            self.C.at[i], self.low.at[i], self.high.at[i] = C[i], low[i], high[i]
        self.stride, self.sides = PADDED(X.d), problem.sides
        self.panel = Doubles(0 if X.mostly_zero else TOGETHER * self.stride)
        self.scaled = Doubles(0 if X.mostly_zero else TOGETHER * self.stride)
        packed = getattr(problem, "packed", None)
        if packed is not None and type(packed) is not ListedRows:
            table = problem.table
            self.table = table if table.scattered == 0 else None
        self.products = newton_direction.products_of_factorisation(X.n, X.d, self.numbers())

    cdef numbers(self):
        """How many numbers are not zero."""
        cdef const double *x
        cdef Py_ssize_t i, j, found = 0
        if self.X.mostly_zero:
            x = self.X.values
            for i in range(self.X.first[self.X.n]):
                found += x[i] != 0
            return found
        for i in range(self.X.n):
            x = self.X.row(i)
            for j in range(self.X.d):
                found += x[j] != 0
        return found

    def take_share(self, double share):
        cdef Py_ssize_t i
        self.C = Doubles(self.X.n)  # a point keeps those that it was made with
        for i in range(self.X.n):
            self.C.at[i] = share * self.of_problem.at[i]

    cdef Doubles weights(self, list w):
        cdef Doubles found = Doubles(self.stride + FILLED)
        cdef Py_ssize_t j
        for j in range(self.X.d):
            found.at[j] = w[j]
        return found

    def point(self, list w):
        """Return what follows from w."""
        cdef NewtonPoint at = self.new_point(w)
        self.all_scores(self.weights(w), at.scores.at)
        self.follow(at)
        return at

    def point_between(self, NewtonPoint at, NewtonPoint full, double t, list w):
        """Return what follows from w, a part t of the way from at to full, by their scores."""
        cdef NewtonPoint found = self.new_point(w)
        cdef Py_ssize_t i
        for i in range(self.X.n):
            found.scores.at[i] = at.scores.at[i] + t * (full.scores.at[i] - at.scores.at[i])
        self.follow(found)
        return found

    cdef NewtonPoint new_point(self, list w):
        cdef NewtonPoint at = NewtonPoint(self.C)
        at.scores, at.xi = Doubles(PADDED(self.X.n)), Doubles(self.X.n)
        at.w, at.primal = w, dot(w, w) / 2
        return at

    cdef void follow(self, NewtonPoint at) noexcept:
        """Find what follows from w and its scores."""
        cdef const double *scores = at.scores.at
        cdef double loss = 0, v, above
        cdef Py_ssize_t i
        for i in range(self.X.n):
            v, above = self.low.at[i] - scores[i], self.high.at[i] - scores[i]
            at.xi.at[i] = v = v if v > 0 else above if above < 0 else 0
            loss += self.C.at[i] * v * v
            at.some[at.count] = i  # without a branch that could not be foretold
            at.count += v != 0
        at.primal = at.value = at.primal + loss / 2

    cdef int all_scores(self, Doubles w, double *into) except -1:
        """Write w.x_i of all rows."""
        cdef Py_ssize_t i = 0, end
        while i < self.X.n:
            end = min(i + BLOCK, self.X.n)
            with nogil:
                memset(into + i, 0, (end - i) * sizeof(double))
                self.scores(w.at, i, end, into + i)
                for i in range(i, end):
                    if not isfinite(into[i]):
                        into[i] = self.careful_score(w.at, i)
                i += 1
            PyErr_CheckSignals()
        return 0

    cdef void scores(self, const double *w, Py_ssize_t begin, Py_ssize_t end,
                     double *into) noexcept nogil:
        """Write w.x_i of the rows of a block, which are zero there."""
        cdef Py_ssize_t s[BLOCK]
        cdef i64 block = begin // BLOCK
        cdef const double *columns
        cdef Py_ssize_t i
        if self.table is not None:
            columns = columns_of(self.table, block)
            loops().products(into, w, columns, self.table.place, self.X.d,
                             self.table.width(block), columns)
            return
        for i in range(begin, end):
            s[i - begin] = i
        self.X.scores(w, s, end - begin, into)

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
        cdef Py_ssize_t a, i
        for i in range(self.X.n):
            penalties += self.C.at[i]
            if self.C.at[i] < least:
                least = self.C.at[i]
        for a in range(at.count):
            mass += fabs(self.C.at[at.some[a]] * at.xi.at[at.some[a]])
        return at.count, mass, penalties, least

    def has_same_piece(self, NewtonPoint at, NewtonPoint found):
        """Return whether the same examples are active, on the same sides."""
        cdef size_t size = at.count * sizeof(Py_ssize_t)
        cdef Py_ssize_t a, i
        if at.count != found.count or memcmp(at.some, found.some, size) != 0:
            return False
        for a in range(at.count if self.sides == 2 else 0):
            i = at.some[a]
            if (self.C.at[i] * at.xi.at[i] > 0) != (self.C.at[i] * found.xi.at[i] > 0):
                return False
        return True

    cdef Py_ssize_t take(self, NewtonPoint at, Py_ssize_t a, bint squares) noexcept nogil:
        """Copy the rows of active examples to the panel, from the one in place a on; which is next.
        squares: each times its C_i, too."""
        cdef const double *x
        cdef double *into = self.panel.at
        cdef double *scaled = self.scaled.at
        cdef double C
        cdef Py_ssize_t i, k, q
        self.taken = min(TOGETHER, at.count - a)
        for q in range(self.taken):
            i = at.some[a + q]
            x, C = self.X.row(i), self.C.at[i]
            self.push[q] = self.by.at[i]
            memcpy(into, x, self.X.d * sizeof(double))
            for k in range(self.X.d if squares else 0):
                scaled[k] = C * x[k]
            into += self.stride
            scaled += self.stride
        return a + self.taken

    cdef void subtract(self, NewtonPoint at, double *v) noexcept nogil:
        """Take by_i x_i of the active examples off a vector."""
        cdef Py_ssize_t a = 0, q
        if self.X.mostly_zero:
            for a in range(at.count):
                self.X.push(v, -self.by.at[at.some[a]], at.some[a])
            return
        while a < at.count:
            a = self.take(at, a, False)
            for q in range(0, self.taken, 8):  # WIDTH
                loops().subtract(v, self.push + q, self.panel.at + q * self.stride, self.stride,
                                 <int> min(WIDTH, self.taken - q), self.stride)

    def gradient(self, NewtonPoint at):
        """Return w - sum alpha_i y_i x_i."""
        cdef Doubles g = self.weights(at.w)
        cdef Py_ssize_t a, i
        with nogil:
            for a in range(at.count):
                i = at.some[a]
                self.by.at[i] = self.C.at[i] * at.xi.at[i]
            self.subtract(at, g.at)
        return list_of(g.at, self.X.d)

    cdef int multiply(self, NewtonPoint at, Examples X, Doubles p, Doubles q) except -1:
        """Write H p into q (newton.NewtonDescent.times_second_derivative), or what is no number.
        X: has the active rows."""
        cdef bint finite = True
        cdef Py_ssize_t a = 0
        memcpy(q.at, p.at, self.X.d * sizeof(double))
        with nogil:
            while a < at.count:
                finite = self.add_products(at, X, a, p.at, q.at) and finite
                a += WIDTH
        PyErr_CheckSignals()
        if not finite:
            q.at[0] = NAN
        return 0

    cdef bint add_products(self, NewtonPoint at, Examples X, Py_ssize_t a, const double *p,
                           double *q) noexcept nogil:
        """Add C_i (x_i.p) x_i of up to WIDTH active examples, from place a on; whether all C_i
        (x_i.p) are finite: an infinity would meet numbers that are zero."""
        cdef const double *x[WIDTH]
        cdef double by[WIDTH]
        cdef Py_ssize_t some = min(WIDTH, at.count - a), k, i, j, whole
        cdef bint finite = True
        X.scores(p, at.some + a, some, by)
        for k in range(some):
            i = at.some[a + k]
            if not isfinite(by[k]):
                by[k] = self.careful_score(p, i)
            by[k] = -(self.C.at[i] * by[k])
            finite = finite and isfinite(by[k])
            if X.mostly_zero:
                X.push(q, -by[k], i)
            else:
                x[k] = X.row(i)
        if not X.mostly_zero:
            whole = X.d - X.d % WIDTH  # no number behind the last row is read
            loops().subtract_rows(q, by, x, <int> some, whole)
            for j in range(whole, X.d):
                for k in range(some):
                    q[j] -= by[k] * x[k][j]
        return finite

    cdef void find_diagonal(self, NewtonPoint at, Examples X, double *D) noexcept nogil:
        """Write the diagonal of H."""
        cdef const double *x
        cdef double C
        cdef Py_ssize_t a, i, j, k
        for j in range(X.d):
            D[j] = 1
        for a in range(at.count):
            i = at.some[a]
            C = self.C.at[i]
            if X.mostly_zero:
                for k in range(X.first[i], X.first[i + 1]):
                    x = X.values + k
                    D[X.places[k]] += C * x[0] * x[0]
            else:
                x = X.row(i)
                for j in range(X.d):
                    D[j] += C * x[j] * x[j]

    cdef list conjugate_direction(self, NewtonPoint at, list g, bint *is_near):
        """newton_direction.conjugate_direction."""
        cdef Py_ssize_t d = self.X.d, j, k
        cdef Doubles s = Doubles(self.stride + FILLED), r = self.weights(g)
        cdef Doubles p = Doubles(self.stride + FILLED), q = Doubles(self.stride + FILLED)
        cdef Doubles D = Doubles(self.stride + FILLED)
        cdef double slope = 0, limit = dot(g, g) / self.reduction, curvature, t, left, before
        cdef Examples X = self.X.only(at.some, at.count)
        is_near[0] = False
        self.find_diagonal(at, X, D.at)
        for j in range(d):
            r.at[j] = -r.at[j]
            p.at[j] = r.at[j] / D.at[j]
            slope += r.at[j] * p.at[j]
        for k in range(max(self.products, CHEAP_PRODUCTS)):
            self.multiply(at, X, p, q)
            curvature = left = 0
            for j in range(d):
                curvature += p.at[j] * q.at[j]
            if not 0 < curvature < INFINITY:
                break
            t = slope / curvature
            for j in range(d):
                s.at[j] += t * p.at[j]
                r.at[j] += -t * q.at[j]
                left += r.at[j] * r.at[j]
            if left <= limit:
                is_near[0] = True
                break
            before, slope = slope, 0
            for j in range(d):
                q.at[j] = r.at[j] / D.at[j]
                slope += r.at[j] * q.at[j]
            if not 0 < slope < INFINITY:
                break
            t = slope / before
            for j in range(d):
                p.at[j] = q.at[j] + t * p.at[j]
        return list_of(s.at, d)

    def step_from(self, NewtonPoint at, list g):
        """Return the s with H s = -g, or nearly."""
        cdef bint is_near
        cdef list s, nearly = None
        if self.products >= CHEAP_PRODUCTS:
            nearly = self.conjugate_direction(at, g, &is_near)
            if is_near or self.X.d > MOST_FACTORISED:
                return nearly
            self.products = 0
        s = self.factorised(at, g)
        if -INFINITY < dot(s, g) < 0:
            return s
        return nearly or self.conjugate_direction(at, g, &is_near)

    cdef list factorised(self, NewtonPoint at, list g):
        """The s with H s = -g."""
        cdef Py_ssize_t d = self.X.d, j
        cdef Doubles H = Doubles(self.stride * self.stride), s = self.weights(g)
        cdef Doubles L = Doubles(TOGETHER * self.stride), taken = Doubles(TOGETHER * self.stride)
        cdef bint finite = True
        self.make_squares(at, H.at, self.X.mostly_zero)
        for j in range(d):
            s.at[j] = -s.at[j]
            finite = finite and isfinite(H.at[j * self.stride + j])
        if not finite:  # a C_i x_ij is not
            memset(H.at, 0, self.stride * self.stride * sizeof(double))
            self.make_squares(at, H.at, True)
        with nogil:
            solve(H.at, s.at, d, self.stride, L.at, taken.at)
        return list_of(s.at, d)

    cdef int make_squares(self, NewtonPoint at, double *H, bint listed) except -1:
        """Make the lower triangle of I + sum C_i x_i x_i' of zeros; listed: by what is not zero."""
        cdef Py_ssize_t a = 0, j
        for j in range(self.X.d):
            H[j * self.stride + j] = 1
        while a < at.count:
            with nogil:
                if listed:
                    for a in range(a, min(a + TOGETHER, at.count)):
                        self.add_listed(H, at.some[a])
                    a += 1
                else:
                    a = self.take(at, a, True)
                    loops().add_squares(H, self.scaled.at, self.panel.at, self.stride,
                                        <int> self.taken, (self.X.d + 3) // 4 * 4)
            PyErr_CheckSignals()
        return 0

    cdef void add_listed(self, double *H, Py_ssize_t i) noexcept nogil:
        """Add C_i x_i x_i', by what is not zero."""
        cdef const int *places = self.X.places
        cdef Py_ssize_t first = 0, end = self.X.d, p, q, j, k
        cdef const double *x
        cdef double c
        if self.X.mostly_zero:
            x, first, end = self.X.values, self.X.first[i], self.X.first[i + 1]
        else:
            x = self.X.row(i)
        for p in range(first, end):
            if x[p] == 0:  # behind the list, too
                continue
            j, c = places[p] if self.X.mostly_zero else p, self.C.at[i] * x[p]
            for q in range(first, p + 1):
                if x[q] != 0:
                    k = places[q] if self.X.mostly_zero else q
                    H[j * self.stride + k] += c * x[q]


cdef void solve(double *H, double *s, Py_ssize_t d, Py_ssize_t stride, double *L,
                double *taken) noexcept nogil:
    """newton.solve, in place of s. TOGETHER columns of L are made, and their products, taken, then
    taken off all columns behind them at once, in the same order. L, taken: TOGETHER strides."""
    cdef double *row
    cdef double c
    cdef Py_ssize_t begin = 0, end, j, k, at
    while begin < d:
        end = min(begin + TOGETHER, d)
        for k in range(begin, end):
            at = (k - begin) * stride
            if H[k * stride + k] < 1:
                H[k * stride + k] = 1
            for j in range(k + 1, d):
                row = H + j * stride
                c = row[k]
                row[k] = L[at + j] = c / H[k * stride + k]
                taken[at + j] = -c
                loops().step(row + k + 1, row + k + 1, -c, L + at + k + 1, min(j + 1, end) - k - 1)
            loops().step(s + k + 1, s + k + 1, -s[k], L + at + k + 1, d - k - 1)
        loops().add_squares(H + end * (stride + 1), taken + end, L + end, stride,
                            <int> (end - begin), (d - end + 3) // 4 * 4)
        begin = end
    for j in range(d):
        s[j] /= H[j * stride + j]
    for j in range(d - 1, -1, -1):
        loops().step(s, s, -s[j], H + j * stride, j)
