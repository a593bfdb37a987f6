"""What TrainingProblem.solution takes, compiled: the values at some variables. Part of _solution.pyx.

It reads lists, and does with them what the oracle's methods of the same names do; what is not plain
floats is the oracle's.

    s     scores of the variables, target - r, less the ridge's part
    net   what the two variables of an example add up to, where it has two
"""

cdef double LARGE = 2.0**1000  # numbers that add up to less can be added exactly
cdef double OF_BOUNDS = 2.0**-50  # as in dual_form.py
cdef double U = 2.0**-53  # these as in rounding_bounds.py
cdef double SPARE = 1 + 2.0**-6
cdef double LEAST_DOUBLE = 2.0**-1074  # TINY
cdef double LARGEST = 2.0**1023 * (2 - 2.0**-52)  # of all doubles


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


cdef struct Feasible:  # parts of GapParts
    double cost
    double moved
    double of_lam


cdef double above(double value, double roundings) noexcept nogil:
    """rounding_bounds.above."""
    return value * (1 + (roundings + 4) * U * SPARE) + (roundings + 1) * LEAST_DOUBLE if value else value


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
    cdef double *errors           # NULL: all are error
    cdef double error

    cdef double error_of(self, i64 k) noexcept nogil:
        return self.error if self.errors == NULL else self.errors[k]

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
        """m and M of these variables, with r_k + sign E_k for r_k (residual_bounds.ends_of)."""
        cdef double m = -INFINITY, M = INFINITY, v
        cdef i64 k
        for k in range(begin, end):
            v = self.r[k]
            if sign != 0 and self.error_of(k) > 0:
                v += sign * (self.error_of(k) + 4 * U * fabs(v))
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

    cdef double dual(self, double norm2, bint of_net) noexcept nogil:
        """dual_form.dual; of_net: NuRegressionProblem.dual_value."""
        cdef double total = 0, cost
        cdef i64 half = self.n // 2, k
        for k in range(half if of_net else self.n):
            if of_net:
                total += self.target[k] * (self.beta[k] + self.beta[half + k])
            else:
                cost = 0 if self.ridge == NULL else self.ridge[k] * self.beta[k] * self.beta[k] / 2
                total += self.target[k] * self.beta[k] - cost
        return total - norm2 / 2

    cdef (double, double, double) sizes(self, i64 examples) noexcept nogil:
        """size, mass and of_errors of SolutionValues."""
        cdef double size = 0, mass = 0, of_errors = 0, x
        cdef i64 k
        for k in range(self.n):
            x = fabs(self.beta[k])
            size += x * (fabs(self.target[k]) + fabs(self.s[k]) + self.ridge_of(k) * x)
            mass += x
        for k in range(examples):  # as norm2
            x = fabs(self.beta[k])
            if examples < self.n:
                x += fabs(self.beta[examples + k])
            if x != 0:
                of_errors += x * self.error_of(k)
        return size, mass, of_errors

    cdef double hinge_share(self, i64 k, double e) noexcept nogil:
        """judged_answer._hinge_share."""
        cdef double room = self.upper[k] - self.beta[k] if e > 0 else self.beta[k] - self.lower[k]
        if not 0 < room < INFINITY or e == 0:
            return 0
        return room * fabs(e) if room * fabs(e) > 0 else LEAST_DOUBLE

    cdef double square_share(self, i64 k, double d) noexcept nogil:
        """judged_answer._square_share."""
        cdef double a = fabs(self.beta[k]), c = self.ridge_of(k), found = a
        if d >= -c * a:
            found = self.C[k] * (d * d) / 2
        elif a > 0:
            found = -a * (d + c * a / 2)
        return LEAST_DOUBLE if found == 0 and d != 0 and (a > 0 or d > 0) else found

    cdef (double, double) excess(self, i64 k, double lam, double off) noexcept nogil:
        """Between what r_k - lam lies (JudgedAnswer.excess)."""
        cdef double e = self.r[k] - lam, error = self.error_of(k) + off
        if e == INFINITY:
            return LARGEST, e
        if e == -INFINITY:
            return e, -LARGEST
        if error > 0:
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

    cdef bint add_surplus(self, i64 begin, i64 end, s, double lam, double off, roots,
                          Feasible *found) except -1:
        """Add what it may cost to make the sum of a group s (JudgedAnswer.feasible); whether one
        of the variables has the room for it."""
        cdef Sum sum
        cdef double part, much, size, room, low, high, worst, least = INFINITY
        cdef i64 k, best = -1
        sum.count = 0
        while s != 0:
            part = s
            if part == 0:
                return False
            add(&sum, -part)
            s -= Fraction(part)
        for k in range(begin, end):
            if self.beta[k] != 0:
                add(&sum, self.beta[k])
        much = rounded(&sum)
        if much == 0:
            return True
        size = above(fabs(much), 1)
        for k in range(begin, end):
            room = fabs((self.lower[k] if much > 0 else self.upper[k]) - self.beta[k])
            if room > size:
                low, high = self.excess(k, lam, off)
                worst = fabs(high) if fabs(high) > fabs(low) else fabs(low)
                if best < 0 or worst < least:
                    best, least = k, worst
        if best < 0:
            return False
        found.cost += size * least
        found.moved += size * <double>(roots[best] if type(roots) is list else roots)
        found.of_lam += size * fabs(lam)
        return True

    cdef bint is_plain(self, i64 examples, bint bounded) noexcept nogil:
        """Whether all are within their bounds, which are finite, and no two of an example cancel."""
        cdef i64 k
        for k in range(self.n):
            if not self.lower[k] <= self.beta[k] <= self.upper[k]:
                return False
            if bounded and (self.upper[k] == INFINITY or self.lower[k] == -INFINITY):
                return False
            if self.C != NULL and self.C[k] == INFINITY:
                return False
        for k in range(self.n - examples):
            if self.beta[k] != 0 and self.beta[examples + k] != 0:
                return False
        return True


cdef Ending ending_with(problem, form, beta, r, errors):
    """The Ending of these; None where numbers are not plain."""
    if type(beta) is not list or type(r) is not list:
        return None
    squared = (problem.ridge(), form.squared) if form.squared is not None else ()
    by_row = (errors,) if type(errors) is list else ()
    cdef Ending e = Ending()
    if not e.read((beta, r, form.target, form.lower, form.upper, *squared, *by_row)):
        return None
    if squared:
        e.ridge, e.C = e.upper + e.n, e.upper + 2 * e.n
    if by_row:
        e.errors = e.upper + (3 if squared else 1) * e.n
    else:
        e.error = errors
    return e


def values_at(problem, form, beta, r, errors):
    """TrainingProblem.values_at; None where numbers are not plain."""
    cdef Ending e
    cdef double m, M, v, V, norm2, near = 0, size, mass, of_errors
    cdef bint classifies = isinstance(problem, refsvm.Problem), of_net
    cdef list ends = [], bounds = []
    e = ending_with(problem, form, beta, r, errors)
    if e is None:
        return None
    for g in form.groups or [range(e.n)]:
        near = e.near(g.start, g.stop) if form.groups else 0
        ends.append(e.extremes(g.start, g.stop, 0, near))
        m, V = e.extremes(g.start, g.stop, -1, near)[0], e.extremes(g.start, g.stop, -1, 0)[1]
        v, M = e.extremes(g.start, g.stop, 1, 0)[0], e.extremes(g.start, g.stop, 1, near)[1]
        if not form.groups:
            m, v, V, M = 0 if 0 > m else m, 0 if 0 > v else v, 0 if 0 < V else V, 0 if 0 < M else M
        bounds.append((m, v, V, M))
    lam = problem.middles(ends)
    if classifies and form.groups:
        lam = [e.mean_of_free(near, lam[0])]
    e.find_scores()
    of_net = isinstance(problem, refsvm.NuRegressionProblem)
    norm2 = e.norm2(problem.n)
    objective = problem.scale * e.dual(norm2, of_net)
    size, mass, of_errors = e.sizes(problem.n)
    return SolutionValues(bounds, lam, norm2, objective, size, mass, of_errors)


def plain_parts(problem, form, beta, r, errors, roots, lam, lam_errors):
    """The GapParts of JudgedAnswer.parts; None unless all is as it is as a rule."""
    cdef Ending e
    cdef Feasible found
    cdef double shares = 0
    if form.hard:
        return None
    e = ending_with(problem, form, beta, r, errors)
    if e is None or not e.is_plain(problem.n, form.squared is None):
        return None
    found.cost = found.moved = found.of_lam = 0
    for g, s, v, off in zip(form.groups, form.sums, lam, lam_errors):
        if not e.add_surplus(g.start, g.stop, s, v, off, roots, &found):
            return None
    for g, v, off in zip(form.groups or [range(e.n)], lam or [0.0], lam_errors or [0.0]):
        shares = e.shares(shares, g.start, g.stop, v, off)
    return shares, found.cost, found.moved, found.of_lam


cdef double SMALLEST = 2.0**-960  # these as in value_errors.py
cdef double LEAST_ERROR = U * SMALLEST  # LEAST of residual_bounds.py
cdef double LOST = 2.0**-517
cdef double LESS = 1 - 2.0**-50  # and proved_status.py
cdef double FAR_BELOW = 2.0**-8


cdef bint ends_plainly(PlainEnding *told, const double *beta, double *r, const double *target,
                       const double *lower, const double *upper, const double *ridge,
                       const double *C, i64 n, double roundings) except -1:
    """Whether one bound for all residuals proves an answer of classification, as nearly always;
    then `told` has what solutions.solution_at says of it. r is written over.

    Of targets 1 and -1, and a kernel whose values have so many roundings
    (value_errors.bound_by_diagonal) and no grain; rows are not shifted. ridge, C: of squared slack.
    """
    cdef double root = above(sqrt(told.norm + SMALLEST), 4)
    cdef double largest = (told.norm + SMALLEST) * told.mass + 1
    cdef double error = SPARE * U * (told.support + roundings + 5) * largest + told.carried
    cdef double near, m, M, v, V, norm2, shares, size, mass, of_errors, lost, most, w_error = 0
    cdef Feasible found
    cdef Ending e
    if told.linear:
        w_error = SPARE * U * 2 * (told.mass * root + (LOST if told.mass > 0 else 0))
        error += w_error * root
    error = above(error, 8)
    if not LEAST_ERROR <= error <= FAR_BELOW * max(told.violation, told.tol):
        return False
    if not told.violation + 2 * error <= told.tol * LESS:
        return False
    e = Ending()
    e.n, e.beta, e.r, e.target = n, <double *>beta, r, <double *>target
    e.lower, e.upper, e.s, e.error = <double *>lower, <double *>upper, r, error
    e.ridge, e.C = <double *>ridge, <double *>C
    if not e.is_plain(n, C == NULL):
        return False
    near = e.near(0, n) if told.offset else 0
    told.b = 0
    if told.offset:
        m, M = e.extremes(0, n, 0, near)
        told.b = e.mean_of_free(near, middle_of(m, M)) + 0.0  # a zero has no sign
    m, V = e.extremes(0, n, -1, near)[0], e.extremes(0, n, -1, 0)[1]
    v, M = e.extremes(0, n, 1, 0)[0], e.extremes(0, n, 1, near)[1]
    if not told.offset:
        m, v, V, M = 0 if 0 > m else m, 0 if 0 > v else v, 0 if 0 < V else V, 0 if 0 < M else M
    told.b_low, told.b_high = m + 0.0, M + 0.0
    found.cost = found.moved = found.of_lam = 0
    if told.offset and not e.add_surplus(0, n, 0, told.b, 0, root, &found):
        return False
    shares = e.shares(0, 0, n, told.b, 0)
    e.find_scores()
    norm2 = e.norm2(n)
    told.objective = most = e.dual(norm2, False)
    size, mass, of_errors = e.sizes(n)
    w_error += found.moved
    told.gap = shares + found.cost + w_error * w_error / 2
    if not told.gap > 0 and w_error != 0:
        told.gap = LEAST_DOUBLE
    told.gap = above(told.gap, n + 16)
    if mass != 0:
        lost = of_errors + SPARE * U * (n + 16) * size + n * LEAST_DOUBLE
        lost += found.cost + found.of_lam
        if found.moved > 0:
            lost += found.moved * (found.moved + 2 * root * mass)
        lost = above(lost, 8)
        told.objective, most = told.objective - lost, told.objective + lost
    told.violation_at_most = -INFINITY if v == -INFINITY or V == INFINITY else v - V
    told.optimum_at_most = sum_above(most, told.gap)
    # All that is beyond the doubles is the oracle's.
    return fabs(told.b) < INFINITY and fabs(v - V) < INFINITY and told.optimum_at_most < INFINITY


cdef double middle_of(double m, double M) noexcept nogil:
    """dual_form.middle of numbers that are not beyond the doubles together."""
    if -INFINITY < m and M < INFINITY:
        return (m + M) / 2
    return m if -INFINITY < m else M


cdef double sum_above(double a, double b) noexcept nogil:
    """The least double that is not below the sum."""
    cdef double sum = a + b, of_b = sum - a
    cdef double lost = (a - (sum - of_b)) + (b - of_b)
    return nextafter(sum, INFINITY) if lost > 0 else sum + 0.0


cdef Restored restore_exact_sum(double *beta, const double *lower, const double *upper,
                                const double *norms, i64 n, object s,
                                bint linear) except? NOT_TOLD:
    """dual_form.restore_exact_sums of one group; whether its sum is exact then, if that is told."""
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
            return NOT_TOLD
        add(&sum, -part)
        s -= Fraction(part)
    if not size < LARGE:
        return NOT_TOLD
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
    return EXACT if rounded(&sum) == 0 else INEXACT


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
