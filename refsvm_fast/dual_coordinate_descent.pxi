# Dual coordinate descent, compiled: refsvm/solvers/dual_coordinate_descent.py, step by step. Part
# of _online.pyx.
#
# The oracle's sums run over the features that are not zero, and here over all, if most of them are
# not zero. That is another number only where w holds an infinity or NaN, and then the sum is none.
# So a score that is not finite is summed again, as the oracle does.
#
# How it begins and ends stands in _online_learners.py.

cdef enum Visit:
    STILL, MOVED, ENDLESS, BEYOND

cdef enum:
    SOON = 4          # so many picks ahead a row is fetched from memory


cdef class CoordinateDescent:
    """dual_coordinate_descent.CoordinateDescent; the names are those there."""

    cdef Examples X
    cdef Py_ssize_t n
    cdef Doubles room         # the memory of the next seven
    cdef double *alpha
    cdef double *beta
    cdef double *y
    cdef double *upper
    cdef double *D
    cdef double *Q
    cdef double *r            # of regression, of the variables below the tube, and above it
    cdef double *value        # of regression, else NULL: then y is the side of the tube
    cdef double epsilon, largest
    cdef readonly double unit  # what tol is a multiple of
    cdef Doubles w
    cdef char *shrunk
    cdef Py_ssize_t *picks    # of the pass
    cdef double m, M, m_before, M_before, known, objective
    cdef double least, most   # best of the oracle
    cdef double most_rounded  # twice rounding() is never larger, whatever alpha is
    cdef bint asked           # whether r and known are those of alpha
    cdef double best, PG      # of the last visit
    cdef Visit last           # how it ended
    cdef readonly object unbounded, iterations

    def __cinit__(self, Examples X, problem):
        cdef Py_ssize_t i, n = X.n
        cdef list bounds = problem.upper_bounds(), ridge = problem.ridge(), y = problem.y
        cdef bint is_tube = problem.sides == 2
        self.X, self.n, self.w, self.room = X, n, X.weights(1), Doubles((9 if is_tube else 7) * n)
        self.alpha, self.beta, self.y = self.room.at, self.room.at + n, self.room.at + 2 * n
        self.upper, self.D = self.room.at + 3 * n, self.room.at + 4 * n
        self.Q, self.r, self.value = self.room.at + 5 * n, self.room.at + 6 * n, NULL
        self.largest, self.unit = problem.largest_target(), problem.unit_of_tol()
        if is_tube:
            self.value, self.epsilon = self.room.at + 8 * n, problem.epsilon
        self.shrunk = <char *> zeroed(n, 1)
        self.picks = <Py_ssize_t *> zeroed(n, sizeof(Py_ssize_t))
        for i in range(n):
            self.y[i], self.upper[i], self.D[i] = 1 if is_tube else <i64> y[i], bounds[i], ridge[i]
            if is_tube:
                self.value[i] = y[i]
            self.Q[i] = X.squares(i) + self.D[i]
            if not isfinite(self.Q[i]):
                refuse_infinite(self.Q[i], i, i)
        self.iterations, self.known = 0, INFINITY
        self.least, self.most = INFINITY, -INFINITY
        self.most_rounded = 2 * self.rounding(self.upper)
        if self.most_rounded != self.most_rounded:  # as infinity times zero is no number
            self.most_rounded = INFINITY
        self.wake_all()

    def __dealloc__(self):
        PyMem_Free(self.shrunk)
        PyMem_Free(self.picks)

    def begins_plainly(self, start):
        """begin_at() of the multipliers of classification; whether they are floats, within their
        bounds. The dual is summed as by dual_form.dual."""
        cdef double dual = 0, b
        cdef Py_ssize_t i
        if self.value != NULL or type(start) is not list or set(map(type, start)) != {float}:
            return False
        if not read_numbers(start, self.n, self.alpha):
            return False
        for i in range(self.n):
            if not 0 <= self.alpha[i] <= min(self.upper[i], DBL_MAX):
                return False
            self.alpha[i] += 0.0  # a zero has no sign
            b = self.alpha[i] * self.y[i]
            dual += self.alpha[i] - self.D[i] * b * b / 2
        self.make_weights()
        self.objective = dual - self.norm2() / 2
        return True

    cdef double norm2(self) noexcept nogil:
        """|w|^2, as by linalg.dot."""
        cdef double norm2 = 0
        cdef Py_ssize_t k
        for k in range(self.X.d):
            norm2 += self.w.at[k] * self.w.at[k]
        return norm2

    def begin_at(self, problem, form, list beta):
        """Begin at this beta."""
        cdef Py_ssize_t i
        if self.value != NULL:
            net = problem.multipliers_of(beta)
            for i in range(self.n):
                self.alpha[i], self.y[i] = fabs(net[i]), -1 if net[i] < 0 else 1
        else:
            for i in range(self.n):
                self.alpha[i] = <double> beta[i] * self.y[i] + 0
        self.make_weights()
        self.objective = problem.dual_value(form, beta, self.norm2())

    cdef void wake_all(self) noexcept nogil:
        memset(self.shrunk, 0, self.n)
        self.m, self.M = INFINITY, -INFINITY

    cdef inline double gradient_at(self, Py_ssize_t i, double score) noexcept nogil:
        """G, if w.x_i is this."""
        cdef double margin = 1
        if self.value != NULL:
            if self.alpha[i] == 0:
                self.y[i] = 1 if score <= self.value[i] else -1
            margin = self.y[i] * self.value[i] - self.epsilon
        return self.y[i] * score - margin + self.D[i] * self.alpha[i]

    cdef double careful_gradient(self, Py_ssize_t i) noexcept nogil:
        """G, without the features that are zero."""
        return self.gradient_at(i, self.careful_score(i))

    cdef double careful_score(self, Py_ssize_t i) noexcept nogil:
        """w.x_i, without the features that are zero."""
        cdef const double *x
        cdef double score = 0
        cdef Py_ssize_t k
        if self.X.mostly_zero:
            return self.X.score(self.w.at, i)
        x = self.X.row(i)
        for k in range(self.X.d):
            if x[k] != 0:
                score += self.w.at[k] * x[k]
        return score

    cdef inline Visit visit(self, Py_ssize_t i) noexcept nogil:
        """Move alpha_i to where the dual is largest along it; how that ended."""
        cdef double G = self.gradient_at(i, self.X.score(self.w.at, i)), Q = self.Q[i]
        cdef double old = self.alpha[i], U = self.upper[i], PG, best, new, moved, r
        if not -DBL_MAX <= G <= DBL_MAX:
            G = self.careful_gradient(i)
            if not -DBL_MAX <= G <= DBL_MAX:
                return BEYOND
        PG = min(G, 0.0) if old == 0 else max(G, 0.0) if old == U else G
        r = -self.y[i] * G
        if PG == 0:
            self.shrunk[i] = not self.M_before <= r <= self.m_before
            return STILL
        self.m, self.M = max(self.m, r), min(self.M, r)
        best = old - G / Q if Q > 0 else U if G < 0 else 0.0
        new = min(max(best, 0.0), U)
        if new == INFINITY:
            return ENDLESS
        moved = new - old
        if moved == 0:
            return STILL
        self.alpha[i] = new
        self.X.push(self.w.at, moved * self.y[i], i)
        self.objective -= moved * G + Q * moved * moved / 2
        self.best, self.PG = best, PG
        return MOVED

    cdef Py_ssize_t visits(self, Py_ssize_t t, Py_ssize_t end, bint every) noexcept nogil:
        """Visit the picks from t on; where it stopped, which is after each move if every is."""
        cdef Py_ssize_t awake[CHUNK + SOON]  # which of the picks are of examples awake
        cdef Py_ssize_t count = 0, a, s
        for a in range(t, end):  # without a branch that could not be foretold
            awake[count] = a
            count += not self.shrunk[self.picks[a]]
        for a in range(count, count + SOON):
            awake[a] = end - 1
        for a in range(count):
            self.X.bring_near(self.picks[awake[a + SOON]])
            s = self.picks[awake[a]]
            if self.shrunk[s]:  # picked twice
                continue
            self.last = self.visit(s)
            if self.last > MOVED or every and self.last == MOVED:
                return awake[a] + 1
        self.last = STILL
        return end

    cdef int make_pass(self, Py_ssize_t count, on_step) except -1:
        """Visit those of the `count` picks that are awake."""
        cdef Py_ssize_t t = 0, end, room = chunk(self.X.d)
        cdef bint every = on_step is not None
        self.m_before, self.M_before, self.m, self.M = self.m, self.M, 0, 0
        self.asked = False
        while t < count and self.unbounded is None:
            end = min(count, t + room)
            with nogil:
                t = self.visits(t, end, every)
            if t == end:
                PyErr_CheckSignals()
            if self.last == MOVED:
                on_step(self.step(self.iterations + t, self.picks[t - 1]))
            elif self.last != STILL:
                self.stop_at(self.picks[t - 1])
        self.iterations += t
        return 0

    cdef object step(self, iteration, Py_ssize_t i):
        """The Step of the last visit, to i."""
        return Step(iteration, i, i, 0.0, self.upper[i], self.best, self.alpha[i], fabs(self.PG),
                    self.objective)

    cdef int stop_at(self, Py_ssize_t i) except -1:
        """CoordinateDescent.note_unbounded, or the error of a slope that is not finite."""
        if self.last == BEYOND:
            raise beyond_doubles("residual", i)
        if self.Q[i] > 0 or not self.X.is_empty(i):
            raise beyond_doubles("multiplier", i)
        self.unbounded = i
        return 0

    cdef void make_weights(self) noexcept nogil:
        """Make w anew, from alpha in index order."""
        cdef Py_ssize_t i
        memset(self.w.at, 0, self.X.d * sizeof(double))
        for i in range(self.n):
            if self.alpha[i] != 0:
                self.X.push(self.w.at, self.alpha[i] * self.y[i], i)

    cdef int find_residuals(self) except -1:
        """r, with w made anew."""
        cdef Py_ssize_t s[CHUNK]
        cdef Py_ssize_t i = 0, j, count, room = chunk(self.X.d)
        self.make_weights()
        if self.value != NULL:
            self.find_residuals_of_tube()
            return 0
        while i < self.n:
            count = min(room, self.n - i)
            with nogil:
                for j in range(count):
                    s[j] = i + j
                self.X.scores(self.w.at, s, count, self.r + i)
                for i in range(i, i + count):
                    self.r[i] = self.gradient_at(i, self.r[i])
                    if not -DBL_MAX <= self.r[i] <= DBL_MAX:
                        self.r[i] = self.careful_gradient(i)
                    self.r[i] = -self.y[i] * self.r[i]
                i += 1
            PyErr_CheckSignals()
        return 0

    cdef int find_residuals_of_tube(self) except -1:
        """r of both variables of each example, by the w that is there."""
        cdef double score, net, up, down
        cdef Py_ssize_t i, k
        for i in range(self.n):
            score = self.X.score(self.w.at, i)
            if not -DBL_MAX <= score <= DBL_MAX:
                score = self.careful_score(i)
            net = self.alpha[i] * self.y[i] + 0
            up, down = max(net, 0.0), min(net, 0.0)
            self.r[i] = self.value[i] - self.epsilon - (score + self.D[i] * up)
            self.r[self.n + i] = self.value[i] + self.epsilon - (score + self.D[i] * down)
            if i % CHUNK == 0:
                PyErr_CheckSignals()
        return 0

    cdef int ask(self) except -1:
        """known: m - M of the residuals made anew."""
        cdef double m = 0, M = 0
        cdef bint rises, falls
        cdef Py_ssize_t i
        if self.asked:
            return 0
        self.find_residuals()
        if self.value != NULL:
            for i in range(self.n):
                rises, falls = self.y[i] > 0, self.alpha[i] != 0
                if not (falls and rises and self.alpha[i] == self.upper[i]):
                    m = max(m, self.r[i])  # the variable below the tube rises
                if falls and rises:
                    M = min(M, self.r[i])
                if falls and not rises:
                    m = max(m, self.r[self.n + i])
                if not (falls and not rises and self.alpha[i] == self.upper[i]):
                    M = min(M, self.r[self.n + i])
            self.known, self.asked = m - M, True
            return 0
        for i in range(self.n):
            rises, falls = self.alpha[i] < self.upper[i], self.alpha[i] > 0
            if self.y[i] < 0:
                rises, falls = falls, rises
            if rises and self.r[i] > m:
                m = self.r[i]
            if falls and self.r[i] < M:
                M = self.r[i]
        self.known, self.asked = m - M, True
        return 0

    cdef object reason_to_stop(self, double tol):
        """Why there is to be no further pass, or None."""
        cdef double rounded, seen = self.m - self.M
        cdef bint improves
        if seen > max(tol, self.known / 10, self.most_rounded):
            return None
        rounded = 2 * self.rounding(self.alpha)
        if seen > max(tol, self.known / 10, rounded):
            return None
        self.ask()
        self.wake_all()
        if self.known <= tol:
            return "optimal"
        improves = self.known < self.least or self.objective > self.most
        self.least, self.most = min(self.least, self.known), max(self.most, self.objective)
        return None if improves or self.known > rounded else "precision"

    cdef double rounding(self, const double *alpha) noexcept:
        """What rounding may add to a residual when w is made anew from these, at most. It grows
        with each of them, to the last bit."""
        cdef double mass = 0, norm = 0
        cdef Py_ssize_t i, support = 0
        for i in range(self.n):
            norm = max(norm, self.Q[i])
            mass += alpha[i]
            support += alpha[i] != 0
        return 2.0**-53 * (support + self.X.d + 8) * (self.largest + mass * norm)

    def descend(self, picks, double tol, on_step):  # tol times the unit
        """Make passes until there is a reason to stop, which is returned, or the picks are used up;
        those of a pass are read and checked before any of them is visited."""
        cdef Draws draws = None
        cdef Py_ssize_t begin = 0
        cdef list some
        cdef object reason = None
        given = validation.iterator(picks, "picks", "indices")
        drawn = isinstance(given, Draws) and (<Draws> given).n <= self.n
        while reason is None and self.unbounded is None:
            if drawn:
                draws = given
            else:
                some = list(islice(given, self.n))
                if not some:
                    break
                draws = listed(some, self.n)
                draws = draws or listed(validation.indices(some, self.n, begin), self.n)
                begin += self.n
            count = draws.take(self.picks, self.n)
            if count == 0:
                break
            self.make_pass(count, on_step)
            if self.unbounded is None:
                reason = self.reason_to_stop(tol)
        return reason

    def violation(self):
        """m - M of the residuals made anew."""
        self.ask()
        return self.known

    def betas(self):
        """beta as a list."""
        cdef Py_ssize_t i
        if self.value != NULL:
            net = [self.alpha[i] * self.y[i] + 0 for i in range(self.n)]
            return [max(a, 0.0) for a in net] + [min(a, 0.0) for a in net]
        for i in range(self.n):
            self.beta[i] = self.alpha[i] * self.y[i]
        return list_of(self.beta, self.n)

    def residuals(self):
        """r as a list."""
        return list_of(self.r, self.n if self.value == NULL else 2 * self.n)

    def plain_ending(self, problem, double tol, double claimed):
        """The fields of the Solution but for iterations, status and farkas, and how much the optimum
        is at most; None unless all is proved at once, as nearly always (ends_plainly). claimed: what
        m - M is said to be at most."""
        cdef Doubles room = Doubles(5 * self.n)
        cdef double *r = room.at
        cdef double *lower = r + self.n
        cdef double *upper = lower + self.n
        cdef double *C = upper + self.n
        cdef double *norms = C + self.n
        cdef double roundings = roundings_of(LINEAR, problem.most_terms())
        cdef bint squared = problem.slack != "hinge"
        cdef list penalties = problem.C
        cdef PlainEnding told
        cdef Py_ssize_t i
        if self.value != NULL or len(penalties) != self.n or is_short(problem):
            return None  # C was replaced after the problem was made, or the answer is judged exactly
        for i in range(self.n):
            C[i], r[i] = penalties[i], self.r[i]
            self.beta[i] = self.alpha[i] * self.y[i]
            lower[i] = 0 if self.y[i] > 0 else -self.upper[i]
            upper[i] = self.upper[i] if self.y[i] > 0 else 0
            norms[i] = self.X.squares(i)
        if not (all_finite(self.beta, self.n) and all_finite(r, self.n)):
            return None
        told.tol, told.claimed, told.carried = tol, claimed, 0
        told.offset, told.linear = False, True
        if not ends_plainly(&told, self.beta, r, self.y, lower, upper, self.D if squared else NULL,
                            C if squared else NULL, norms, self.n, roundings):
            return None
        for i in range(self.n):
            r[i] = self.alpha[i] + 0.0  # a zero has no sign
        found = told.b, told.b_low, told.b_high, told.objective, told.gap, told.violation_at_most
        return list_of(r, self.n), *found, told.optimum_at_most


def rows_of_problem(problem):
    """The rows of a linear problem as Examples; None if they are not plain."""
    cdef Examples X = Examples()
    rows = getattr(problem, "packed", None)
    if type(rows) is ListedRows:
        X.take_listed(rows)
        return X
    if rows is not None:
        X.take_table(problem.table)
        return X
    return X if X.read(problem.points) else None
