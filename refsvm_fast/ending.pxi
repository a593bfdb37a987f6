"""What TrainingProblem.solution takes, compiled: the values at some variables. Part of _solution.pyx.

It reads lists, and does with them what the oracle's methods of the same names do; what is not plain
floats is the oracle's.

    s     scores of the variables, target - r, less the ridge's part
    net   what the two variables of an example add up to, where it has two
"""

cdef double LARGE = 2.0**1000  # numbers that add up to less can be added exactly


def with_signs(list variables, list y):
    """Problem.multipliers_of; None unless variables are floats. Those that stay are no new ones."""
    cdef object zero = 0.0, one = 1
    cdef list found = []
    cdef long k
    if len(variables) != len(y):
        return None
    for k in range(len(y)):
        v = variables[k]
        if type(v) is not float:
            return None
        found.append(zero if <double>v == 0 else v if y[k] is one else -<double>v)
    return found


cdef class Ending:
    """Some variables of a form and their residuals, and what follows from them."""

    cdef double *numbers          # of all the lists, one after the other
    cdef long n
    cdef double *beta
    cdef double *r
    cdef double *target
    cdef double *lower
    cdef double *upper
    cdef double *ridge            # of squared slack; otherwise NULL, as is
    cdef double *C
    cdef double *s                # where r is until nothing needs it

    def __dealloc__(self):
        release(self.numbers)

    cdef bint read(self, tuple lists) except -1:
        """Read beta, r, target, lower and upper, and ridge and C if there are such; whether all
        are lists of floats, and equally many."""
        cdef list values
        cdef double *column
        cdef long c, k
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
        if len(lists) > 5:
            self.ridge, self.C = self.upper + self.n, self.upper + 2 * self.n
        return True

    cdef void find_scores(self) noexcept nogil:
        cdef long k
        for k in range(self.n):
            self.s[k] = self.target[k] - self.r[k]
            if self.ridge != NULL:
                self.s[k] -= self.ridge[k] * self.beta[k]

    cdef (double, double) extremes(self, long begin, long end) noexcept nogil:
        """m and M of these variables."""
        cdef double m = -INFINITY, M = INFINITY
        cdef long k
        for k in range(begin, end):
            if self.beta[k] < self.upper[k] and self.r[k] > m:
                m = self.r[k]
            if self.beta[k] > self.lower[k] and self.r[k] < M:
                M = self.r[k]
        return m, M

    cdef double mean_of_free(self, double otherwise) noexcept nogil:
        """The mean residual of the variables between their bounds."""
        cdef double total = 0
        cdef long free = 0, k
        for k in range(self.n):
            if self.lower[k] < self.beta[k] < self.upper[k]:
                total += self.r[k]
                free += 1
        return total / free if free else otherwise

    cdef double norm2(self, long examples) noexcept nogil:
        """|w|^2 from the net of each example, or from all variables where each has one."""
        cdef double total = 0
        cdef long k
        for k in range(examples):
            if examples < self.n:
                total += (self.beta[k] + self.beta[examples + k]) * self.s[k]
            else:
                total += self.beta[k] * self.s[k]
        return total

    cdef double dual(self, double norm2, bint of_net) noexcept nogil:
        """dual_form.dual; of_net: NuRegressionProblem.dual_value."""
        cdef double total = 0, cost
        cdef long half = self.n // 2, k
        for k in range(half if of_net else self.n):
            if of_net:
                total += self.target[k] * (self.beta[k] + self.beta[half + k])
            else:
                cost = 0 if self.ridge == NULL else self.ridge[k] * self.beta[k] * self.beta[k] / 2
                total += self.target[k] * self.beta[k] - cost
        return total - norm2 / 2

    cdef double losses(self, double value, double lam, long begin, long end) noexcept nogil:
        """A primal value with the losses of these variables added (dual_form.primal)."""
        cdef double excess, limit
        cdef long k
        for k in range(begin, end):
            excess = self.target[k] - (self.s[k] + lam)
            limit = self.upper[k] if excess > 0 else self.lower[k] if excess < 0 else 0
            if self.C != NULL and limit != 0:
                value += self.C[k] * (excess * excess) / 2
            elif limit != 0:
                value += limit * excess
        return value


def values_at(problem, form, beta, r):
    """TrainingProblem.values_at; None where numbers are not plain, or margins must be lifted."""
    cdef Ending e = Ending()
    cdef double m, M, value, norm2
    cdef bint classifies = isinstance(problem, refsvm.Problem), of_net
    cdef list ends = []
    plain = type(beta) is list and type(r) is list
    if not plain or form.hard or not classifies and inf in form.upper:
        return None
    squared = (problem.ridge(), form.squared) if form.squared is not None else ()
    if not e.read((beta, r, form.target, form.lower, form.upper, *squared)):
        return None
    groups = form.groups or [range(e.n)]
    for g in groups:
        m, M = e.extremes(g.start, g.stop)
        ends.append((m, M) if form.groups else (0.0 if 0 > m else m, 0.0 if 0 < M else M))
    lam = problem.middles(ends)
    if classifies and form.groups:
        lam = [e.mean_of_free(lam[0])]
    e.find_scores()
    of_net = isinstance(problem, refsvm.NuRegressionProblem)
    norm2 = e.norm2(problem.n)
    value = norm2 / 2
    for s, v in zip(form.sums, lam):
        if s != 0:
            value += <double>float(s) * <double>v
    for g, v in zip(groups, lam):
        value = e.losses(value, v, g.start, g.stop)
    objective = problem.scale * e.dual(norm2, of_net)
    return SolutionValues(ends, lam, norm2, objective, problem.scale * value)


cdef Restored restore_exact_sum(double *beta, const double *lower, const double *upper,
                                const double *norms, long n, object s,
                                bint linear) except? NOT_TOLD:
    """dual_form.restore_exact_sums of one group; whether its sum is exact then, if that is told."""
    cdef Sum sum
    cdef double size = fabs(s), part, moved
    cdef long k, first
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


cdef long next_free(const double *norms, const double *sizes, long n, long last) noexcept nogil:
    """The next after `last` by norm, then by size, then by index: the first if `last` is -1, and -1
    after the last. Infinite sizes do not count."""
    cdef long found = -1, k
    for k in range(n):
        if sizes[k] < INFINITY and (last < 0 or precedes(norms, sizes, last, k)):
            if found < 0 or precedes(norms, sizes, k, found):
                found = k
    return found


cdef bint precedes(const double *norms, const double *sizes, long a, long b) noexcept nogil:
    """Whether a comes before b."""
    if norms[a] != norms[b]:
        return norms[a] < norms[b]
    return sizes[a] < sizes[b] or sizes[a] == sizes[b] and a < b
