"""What TrainingProblem.solution takes, compiled: the values at some variables. Part of _solution.pyx.

It reads lists, and does with them what the oracle's methods of the same names do; what is not plain
floats is the oracle's.

    s     scores of the variables, target - r, less the ridge's part
    net   what the two variables of an example add up to, where it has two
"""

cdef double EXACT_BELOW = 2.0**1000  # numbers that add up to less can be added exactly
cdef double OF_BOUNDS = 2.0**-50  # as in dual_form.py
cdef double U = 2.0**-53  # these as in rounding_bounds.py
cdef double SPARE = 1 + 2.0**-6
cdef double MIN_DOUBLE = 2.0**-1074
cdef double LEAST_SQUARED = 2.0**-480  # of machine_in_doubles.py
cdef double MAX_DOUBLE = 2.0**1023 * (2 - 2.0**-52)  # of all doubles
cdef double SMALLEST = 2.0**-960  # of value_errors.py
cdef double MIN_BOUND = U * SMALLEST  # of residual_bounds.py
cdef double LOST_LENGTH = 2.0**-517  # as there
cdef double FAR_BELOW = 2.0**-8  # of solutions.py


def with_signs(variables, y, bint plain_zeros):
    """Problem.multipliers_of, or with zeros that have a sign Problem.variables_of; None unless
    variables are floats. Those that stay are no new ones."""
    cdef object zero = 0.0, one = 1
    cdef list found = []
    cdef i64 k
    if type(variables) is not list or type(y) is not list or len(variables) != len(y):
        return None
    for k in range(len(y)):
        v = variables[k]
        if type(v) is not float:
            return None
        if plain_zeros and <double>v == 0:
            v = zero
        elif y[k] is not one:
            v = -<double>v
        found.append(v)
    return found


def residuals_of(target, scores, ridge, beta):
    """TrainingProblem.residuals of lists with a number for each variable; None unless these are
    floats."""
    cdef list t, s, c, x, found = []
    cdef i64 k
    for given in (target, scores, ridge, beta):
        if type(given) is not list or len(given) != len(beta):
            return None
    t, s, c, x = target, scores, ridge, beta
    for k in range(len(x)):
        if type(t[k]) is not float or type(s[k]) is not float:
            return None
        if type(c[k]) is not float or type(x[k]) is not float:
            return None
        found.append(<double>t[k] - (<double>s[k] + <double>c[k] * <double>x[k]))
    return found


cdef double above(double value, double roundings) noexcept nogil:
    """rounding_bounds.above."""
    return value * (1 + (roundings + 4) * U * SPARE) + (roundings + 1) * MIN_DOUBLE if value else value


cdef class Ending:
    """Some variables of a form and their residuals, and what follows from them."""

    cdef double *numbers          # of all the lists, one after the other
    cdef i64 n
    cdef double *beta
    cdef double *r
    cdef double *target
    cdef double *lower
    cdef double *upper
    cdef double *ridge            # of squared slack; otherwise NULL, as is
    cdef double *C
    cdef double *s                # where r is until nothing needs it
    cdef double *errors
    cdef double *scores           # of a w, each rounded once, or NULL

    cdef double ridge_of(self, i64 k) noexcept nogil:
        return 0 if self.ridge == NULL else self.ridge[k]

    def __dealloc__(self):
        release(self.numbers)

    cdef bint read(self, tuple lists) except -1:
        """Read beta, r, target, lower, upper, and what comes after these; whether all are lists of
        floats, and equally many."""
        cdef list values
        cdef double *column
        cdef i64 c, k
        for given in lists:
            if type(given) is not list or len(given) != len(lists[0]):
                return False
        self.n = len(lists[0])
        self.numbers = <double *>allocated(max(1, len(lists) * self.n) * sizeof(double))
        for c, values in enumerate(lists):
            column = self.numbers + c * self.n
            for k in range(self.n):
                if type(values[k]) is not float:
                    return False
                column[k] = <double>values[k]
        self.beta, self.r = self.numbers, self.numbers + self.n
        self.target, self.lower = self.r + self.n, self.r + 2 * self.n
        self.upper, self.s = self.r + 3 * self.n, self.r
        return True

    cdef void find_scores(self) noexcept nogil:
        cdef i64 k
        for k in range(self.n):
            self.s[k] = self.target[k] - self.r[k]
            if self.ridge != NULL:
                self.s[k] -= self.ridge[k] * self.beta[k]

    cdef double near(self, i64 begin, i64 end) noexcept nogil:
        """dual_form.roundings_of_sums, of the group of these variables."""
        cdef double total = 0
        cdef i64 k
        for k in range(begin, end):
            total += fabs(self.beta[k]) * OF_BOUNDS
        return total

    cdef (double, double) extremes(self, i64 begin, i64 end, double sign,
                                   double near) noexcept nogil:
        """m and M of these variables, with r_k + sign E_k for r_k (BoundedResiduals.ends)."""
        cdef double m = -INFINITY, M = INFINITY, v
        cdef i64 k
        for k in range(begin, end):
            v = self.r[k]
            if sign != 0 and self.errors[k] > 0:
                v += sign * (self.errors[k] + 4 * U * fabs(v))
            if self.beta[k] + near < self.upper[k] and v > m:
                m = v
            if self.beta[k] - near > self.lower[k] and v < M:
                M = v
        return m, M

    cdef double mean_of_free(self, double near, double otherwise) noexcept nogil:
        """The mean residual of the variables between their bounds, and not so near one."""
        cdef double total = 0
        cdef i64 free = 0, k
        for k in range(self.n):
            if self.beta[k] - near > self.lower[k] and self.beta[k] + near < self.upper[k]:
                total += self.r[k]
                free += 1
        return total / free if free else otherwise

    cdef double norm2(self, i64 examples) noexcept nogil:
        """|w|^2 from the net of each example, or from all variables where each has one."""
        cdef double total = 0
        cdef i64 k
        for k in range(examples):
            if examples < self.n:
                total += (self.beta[k] + self.beta[examples + k]) * self.s[k]
            else:
                total += self.beta[k] * self.s[k]
        return total

    cdef (double, double) dual(self, double lost) noexcept nogil:
        """MachineInDoubles.dual; lost: what moves cost."""
        cdef double doubled = 0, size = 0, off = 0, x
        cdef i64 k
        for k in range(self.n):
            x = fabs(self.beta[k])
            if x != 0:
                doubled += self.beta[k] * (self.target[k] + self.r[k])
                size += x * (fabs(self.target[k]) + fabs(self.r[k]))
                off += x * self.errors[k]
        lost = (off + SPARE * U * (self.n + 4) * size) / 2 + lost + self.n * MIN_DOUBLE
        lost = above(lost, 8)
        return doubled / 2 - lost, doubled / 2 + lost

    cdef double hinge_share(self, i64 k, double e) noexcept nogil:
        """machine_in_doubles.hinge_share."""
        cdef double room = self.upper[k] - self.beta[k] if e > 0 else self.beta[k] - self.lower[k]
        if not 0 < room < INFINITY or e == 0:
            return 0
        return room * fabs(e) if room * fabs(e) > 0 else MIN_DOUBLE

    cdef double square_share(self, i64 k, double d) noexcept nogil:
        """machine_in_doubles.square_share."""
        cdef double a = fabs(self.beta[k]), c = self.ridge_of(k), found = 0
        if d >= -c * a:
            found = (self.C[k] * (d * d) if fabs(d) >= LEAST_SQUARED else self.C[k] * d * d) / 2
        elif a > 0:
            found = -a * (d + c * a / 2)
        return MIN_DOUBLE if found == 0 and d != 0 and (a > 0 or d > 0) else found

    cdef (double, double) excess(self, i64 k, double lam, double off) noexcept nogil:
        """Between what r_k - lam lies (MachineInDoubles.excess)."""
        cdef double e = self.r[k] - lam, error = self.errors[k] + off
        if e == INFINITY:
            return MAX_DOUBLE, e
        if e == -INFINITY:
            return e, -MAX_DOUBLE
        error += 4 * U * fabs(e)
        return e - error, e + error

    cdef double shares(self, double total, i64 begin, i64 end, double lam,
                       double off) noexcept nogil:
        """The total, and what these variables add to the gap at most."""
        cdef double low, high
        cdef i64 k
        for k in range(begin, end):
            low, high = self.excess(k, lam, off)
            if self.C == NULL:
                low, high = self.hinge_share(k, low), self.hinge_share(k, high)
            elif self.upper[k] > 0:
                low, high = self.square_share(k, low), self.square_share(k, high)
            else:
                low, high = self.square_share(k, -low), self.square_share(k, -high)
            total += high if high > low else low
        return total

    cdef double off_sum(self, i64 begin, i64 end, s) except? -1:
        """How far these variables add up from s, rounded up; -1 if that is the oracle's."""
        cdef Sum sum
        cdef double part
        cdef i64 k
        sum.count = 0
        while s != 0:
            part = s
            if part == 0:
                return -1
            add(&sum, -part)
            s -= Fraction(part)
        for k in range(begin, end):
            if self.beta[k] != 0:
                add(&sum, self.beta[k])
        part = rounded(&sum)
        add(&sum, -part)
        if part < 0 and rounded(&sum) < 0 or part > 0 and rounded(&sum) > 0:
            return nextafter(fabs(part), INFINITY)
        return fabs(part)

    cdef (double, double) slopes(self, i64 begin, i64 end, double lam, double off) noexcept nogil:
        """The largest |e_k|, and the largest |r_k|, of these, within their errors."""
        cdef double of_e = 0, of_r = 0, low, high
        cdef i64 k
        for k in range(begin, end):
            low, high = self.excess(k, lam, off)
            of_e = max(of_e, high if high > -low else -low)
            of_r = max(of_r, fabs(self.r[k]) + self.errors[k])
        return of_e, of_r

    cdef bint is_plain(self, bint bounded) noexcept nogil:
        """Whether all are within their bounds, which are finite."""
        cdef i64 k
        for k in range(self.n):
            if not self.lower[k] <= self.beta[k] <= self.upper[k]:
                return False
            if bounded and (self.upper[k] == INFINITY or self.lower[k] == -INFINITY):
                return False
            if self.C != NULL and self.C[k] == INFINITY:
                return False
        return True

    cdef bint is_apart(self, i64 examples) noexcept nogil:
        """Whether no two variables of an example are not 0."""
        cdef i64 k
        for k in range(self.n - examples):
            if self.beta[k] != 0 and self.beta[examples + k] != 0:
                return False
        return True

    cdef void find_roots(self, const double *norms) noexcept nogil:
        """Write the roots of residual_bounds.bounded_residuals where the errors will be."""
        cdef i64 k
        for k in range(self.n):
            self.errors[k] = above(sqrt(fabs(norms[k]) + SMALLEST), 4)

    cdef double root_with_ridge(self, i64 k) noexcept nogil:
        """residual_bounds._with_ridge, of a root."""
        cdef double root = self.errors[k], ridge = self.ridge_of(k)
        return above(sqrt(root * root + ridge), 4) if ridge else root

    cdef double mass(self) noexcept nogil:
        """What the sizes of all variables times their roots add up to."""
        cdef double total = 0
        cdef i64 k
        for k in range(self.n):
            total += self.errors[k] * fabs(self.beta[k])
        return total

    cdef i64 support(self) noexcept nogil:
        """How many variables are not 0."""
        cdef i64 count = 0, k
        for k in range(self.n):
            count += self.beta[k] != 0
        return count

    cdef void find_errors(self, double terms, double length, double w_error,
                          double carried) noexcept nogil:
        """Write the errors there, in the place of the roots."""
        cdef double size
        cdef i64 k
        for k in range(self.n):
            size = self.errors[k] * length if self.scores == NULL else fabs(self.scores[k]) + SMALLEST
            size = size + self.ridge_of(k) * fabs(self.beta[k]) + fabs(self.target[k])
            size = SPARE * U * terms * size + carried
            if w_error != 0:
                size += w_error * self.errors[k]
            size = above(size, 4)
            self.errors[k] = size if MIN_BOUND <= size < INFINITY else INFINITY

    cdef bint tell(self, PlainEnding *told, double w_error, double off_sum,
                   double root) noexcept nogil:
        """solutions._proved_in_doubles: whether it suffices. root: the largest"""
        cdef double near = self.near(0, self.n) if told.offset else 0
        cdef double m, M, v, V, most, worst = 0
        cdef double moved = off_sum * root, of_e = 0, of_r = 0, distance = w_error + moved
        cdef i64 k
        told.b = 0
        if told.offset:
            m, M = self.extremes(0, self.n, 0, near)
            told.b = self.mean_of_free(near, middle_of(m, M)) + 0.0  # a zero has no sign
        m, V = self.extremes(0, self.n, -1, near)[0], self.extremes(0, self.n, -1, 0)[1]
        v, M = self.extremes(0, self.n, 1, 0)[0], self.extremes(0, self.n, 1, near)[1]
        if not told.offset:
            m, v, V, M = 0 if 0 > m else m, 0 if 0 > v else v, 0 if 0 < V else V, 0 if 0 < M else M
        told.b_low, told.b_high = m + 0.0, M + 0.0
        told.violation_at_most = -INFINITY if v == -INFINITY or V == INFINITY else sum_above(v, -V)
        for k in range(self.n):
            worst = max(worst, self.errors[k])
        if not worst <= FAR_BELOW * max(told.violation_at_most, told.tol):
            return False
        if not told.violation_at_most <= told.claimed:
            return False
        if off_sum > 0:
            of_e, of_r = self.slopes(0, self.n, told.b, 0)
        told.gap = self.shares(0, 0, self.n, told.b, 0) + off_sum * of_e + distance * distance / 2
        if not told.gap > 0 and distance != 0:
            told.gap = MIN_DOUBLE
        told.gap = above(above(told.gap, self.n + 12), 4)
        told.objective, most = self.dual(off_sum * of_r + moved * moved)
        told.optimum_at_most = sum_above(most, told.gap)
        # All that is beyond the doubles is the oracle's.
        return fabs(told.b) < INFINITY and fabs(v - V) < INFINITY and told.optimum_at_most < INFINITY


cdef Ending ending_with(problem, form, beta, residuals):
    """The Ending of these; None where numbers are not plain."""
    r, errors, _, _ = residuals
    squared = ()
    if form.squared is not None:
        squared = form.per_variable(problem.ridge()), form.squared
    cdef Ending e = Ending()
    if not e.read((beta, r, form.target, form.lower, form.upper, errors, *squared)):
        return None
    e.errors = e.upper + e.n
    if squared:
        e.ridge, e.C = e.upper + 2 * e.n, e.upper + 3 * e.n
    return e


def plain_residuals(problem, form, list beta, r, double carried=0, coefs=None, row=None,
                    length=None, w_error=None, scores=None):
    """residual_bounds.bounded_residuals; None unless all is as it is as a rule."""
    cdef Ending e
    cdef double terms, size
    cdef i64 k
    kernel, squared = problem.kernel, form.squared is not None
    plain = has_norms_as_sizes(kernel) and not may_exceed_its_diagonal(kernel)
    if r is None or not plain or problem.has_kernel_values_as_targets:
        return None
    norms = problem.squared_norms()
    norms = norms if form.of is None else [norms[i] for i in form.of]
    more = (form.per_variable(problem.ridge()),) if squared else ()
    of_w = () if scores is None else (form.per_variable(scores),)
    e = Ending()
    if not e.read((beta, r, form.target, form.lower, form.upper, norms, norms, *more, *of_w)):
        return None
    if not (e.is_apart(problem.n) and e.support()):
        return None
    e.errors, e.ridge = e.upper + e.n, e.upper + 3 * e.n if squared else NULL
    e.scores = e.upper + (3 + len(more)) * e.n if of_w else NULL
    e.find_roots(e.upper + 2 * e.n)
    roots = [e.root_with_ridge(k) for k in range(e.n)]
    size = length or e.mass()
    if w_error is None:
        w_error = 0.0
        if problem.linear:
            coefs = coefs or problem.beta(problem.multipliers_of(beta))
            plain_roots = [e.errors[k] for k in range(e.n)]
            w_error = error_of_w(problem, form, beta, coefs, plain_roots, size)
    terms = 0 if of_w else roundings_of(kernel, problem.most_terms())
    terms += 5 + (0 if length else e.support())
    e.find_errors(terms, size, w_error, carried)
    return BoundedResiduals(r, [e.errors[k] for k in range(e.n)], roots, w_error)


def values_at(problem, form, beta, residuals):
    """TrainingProblem.values_at; None where numbers are not plain."""
    cdef Ending e
    cdef double m, M, v, V, near = 0
    cdef list bounds = [], told = []
    e = ending_with(problem, form, beta, residuals)
    if e is None:
        return None
    for g in form.groups or [range(e.n)]:
        near = e.near(g.start, g.stop) if form.groups else 0
        m, V = e.extremes(g.start, g.stop, -1, 0)
        v, M = e.extremes(g.start, g.stop, 1, 0)
        if not form.groups:
            m, v, V, M = 0 if 0 > m else m, 0 if 0 > v else v, 0 if 0 < V else V, 0 if 0 < M else M
        bounds.append((m, v, V, M))
        if form.groups:
            m = e.extremes(g.start, g.stop, -1, near)[0]
            M = e.extremes(g.start, g.stop, 1, near)[1]
        told.append((m, M))
    e.find_scores()
    return SolutionValues(bounds, told, e.norm2(problem.n))


def plain_parts(problem, form, beta, residuals, lam, lam_errors):
    """MachineInDoubles.parts; None unless all is as it is as a rule."""
    cdef Ending e
    cdef double shares = 0, cost = 0, moved = 0, off_sum
    if form.hard:
        return None
    e = ending_with(problem, form, beta, residuals)
    if e is None or not e.is_plain(form.squared is None):
        return None
    for g, s, v, off in zip(form.groups, form.sums, lam, lam_errors):
        off_sum = e.off_sum(g.start, g.stop, s)
        if off_sum < 0 or off_sum > 0 and infeasible_group(form) is not None:
            return None
        if off_sum > 0:
            cost += off_sum * e.slopes(g.start, g.stop, v, off)[0]
            moved += off_sum * <double>max(residuals.roots[g.start:g.stop])
    for g, v, off in zip(form.groups or [range(e.n)], lam or [0.0], lam_errors or [0.0]):
        shares = e.shares(shares, g.start, g.stop, v, off)
    return shares, cost, residuals.w_error + moved


def plain_dual(problem, form, beta, residuals):
    """MachineInDoubles.dual where multipliers are feasible, and not all 0; else None."""
    cdef Ending e = ending_with(problem, form, beta, residuals)
    cdef double low, high
    if e is None or not e.support() or not e.is_plain(False):
        return None
    for g, s in zip(form.groups, form.sums):
        if e.off_sum(g.start, g.stop, s) != 0:
            return None
    low, high = e.dual(0)
    return (low, high) if high - low < INFINITY else None


cdef bint ends_plainly(PlainEnding *told, const double *beta, double *r, const double *target,
                       const double *lower, const double *upper, const double *ridge,
                       const double *C, const double *norms, i64 n, double roundings) except -1:
    """Whether the residuals that a solver has prove an answer of classification, as nearly always;
    then `told` has what solutions.solution_at says of it. r is written over.

    Of targets 1 and -1, and a kernel whose values have so many roundings and K_ii as sizes
    (value_errors.has_norms_as_sizes); rows are not shifted. ridge, C: of squared slack.
    """
    cdef double *errors = <double *>allocated(max(1, n) * sizeof(double))
    cdef double off_sum, root = 0, w_error = 0, mass
    cdef i64 k
    cdef Ending e
    try:
        e = Ending()
        e.n, e.beta, e.r, e.target = n, <double *>beta, r, <double *>target
        e.lower, e.upper, e.s, e.errors = <double *>lower, <double *>upper, r, errors
        e.ridge, e.C = <double *>ridge, <double *>C
        if not e.is_plain(C == NULL):
            return False
        off_sum = e.off_sum(0, n, 0) if told.offset else 0
        if off_sum < 0 or not e.support():
            return False
        e.find_roots(norms)
        for k in range(n):
            root = max(root, e.root_with_ridge(k))
        mass = e.mass()
        if told.linear:
            w_error = above(SPARE * U * 2 * (mass + LOST_LENGTH), 8)
        e.find_errors(roundings + 5 + e.support(), mass, w_error, told.carried)
        return e.tell(told, w_error, off_sum, root)
    finally:
        release(errors)


cdef double middle_of(double m, double M) noexcept nogil:
    """dual_form.middle of numbers that are not beyond the doubles together."""
    if -INFINITY < m and M < INFINITY:
        return (m + M) / 2
    return m if -INFINITY < m else M


cdef double sum_above(double a, double b) noexcept nogil:
    """The least double that is an upper bound of the sum."""
    cdef double sum = a + b, of_b = sum - a
    cdef double lost = (a - (sum - of_b)) + (b - of_b)
    return nextafter(sum, INFINITY) if lost > 0 else sum + 0.0


cdef bint restore_exact_sum(double *beta, const double *lower, const double *upper,
                            const double *norms, i64 n, object s, bint linear) except -1:
    """dual_form.restore_exact_sums of one group; False where that is the oracle's."""
    cdef Sum sum
    cdef double size = fabs(s), part, moved
    cdef i64 k, first
    sum.count = 0
    for k in range(n):
        size += fabs(beta[k])
        if beta[k] != 0:
            add(&sum, beta[k])
    while s != 0:
        part = s
        if part == 0:
            return False
        add(&sum, -part)
        s -= Fraction(part)
    if not size < EXACT_BELOW:
        return False
    cdef double *sizes = <double *>allocated(max(1, n) * sizeof(double))
    for k in range(n):  # as all are before any is moved
        sizes[k] = fabs(beta[k]) if lower[k] < beta[k] < upper[k] else INFINITY
    k = first = next_free(norms, sizes, n, -1)
    while k >= 0 and rounded(&sum) != 0 and (linear or norms[k] == norms[first]):
        moved = beta[k] - rounded(&sum)
        if lower[k] <= moved <= upper[k]:
            add(&sum, moved)
            add(&sum, -beta[k])
            beta[k] = moved
        k = next_free(norms, sizes, n, k)
    release(sizes)
    return True


cdef i64 next_free(const double *norms, const double *sizes, i64 n, i64 last) noexcept nogil:
    """The next after `last` by norm, then by size, then by index: the first if `last` is -1, and -1
    after the last. Infinite sizes do not count."""
    cdef i64 found = -1, k
    for k in range(n):
        if sizes[k] < INFINITY and (last < 0 or precedes(norms, sizes, last, k)):
            if found < 0 or precedes(norms, sizes, k, found):
                found = k
    return found


cdef bint precedes(const double *norms, const double *sizes, i64 a, i64 b) noexcept nogil:
    """Whether a comes before b."""
    if norms[a] != norms[b]:
        return norms[a] < norms[b]
    return sizes[a] < sizes[b] or sizes[a] == sizes[b] and a < b
