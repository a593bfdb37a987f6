"""What TrainingProblem.solution takes, compiled: the values at some variables. Part of _solution.pyx.

It reads lists, and does with them what the oracle's methods of the same names do; what is not plain
floats is the oracle's.

    s     scores of the variables, target - r, less the ridge's part
    net   what the two variables of an example add up to, where it has two
"""

cdef double LARGE = 2.0**1000  # numbers that add up to less can be added exactly


cdef class Columns:
    """Lists of n numbers each, one after the other."""

    cdef double *numbers
    cdef long n

    def __dealloc__(self):
        release(self.numbers)

    cdef double *column(self, long c) noexcept nogil:
        """The numbers of list c."""
        return self.numbers + c * self.n


cdef Columns columns_with(tuple lists, Columns found):
    """The Columns, which are found so far, with these lists; None unless all are lists of floats,
    and equally many."""
    cdef list values
    cdef double *column
    cdef long c, k
    for given in lists:
        if type(given) is not list or len(given) != len(lists[0]):
            return None
    found.n = len(lists[0])
    found.numbers = <double *>allocated(max(1, len(lists) * found.n) * sizeof(double))
    for c, values in enumerate(lists):
        column = found.column(c)
        for k in range(found.n):
            if type(values[k]) is not float:
                return None
            column[k] = <double>values[k]
    return found


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


cdef class Ending(Columns):
    """Some variables of a form and their residuals, and what follows from them."""

    cdef double *beta
    cdef double *r
    cdef double *target
    cdef double *lower
    cdef double *upper
    cdef double *ridge            # of squared slack; otherwise NULL, as is
    cdef double *C
    cdef double *s                # where r is until nothing needs it

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
    cdef Ending e
    cdef double m, M, value, norm2
    cdef bint classifies = isinstance(problem, refsvm.Problem), of_net
    cdef list ends = []
    plain = type(beta) is list and type(r) is list
    if not plain or form.hard or not classifies and inf in form.upper:
        return None
    squared = (problem.ridge(), form.squared) if form.squared is not None else ()
    e = columns_with((beta, r, form.target, form.lower, form.upper, *squared), Ending())
    if e is None:
        return None
    e.beta, e.r, e.target = e.column(0), e.column(1), e.column(2)
    e.lower, e.upper, e.s = e.column(3), e.column(4), e.r
    if squared:
        e.ridge, e.C = e.column(5), e.column(6)
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


def largest_below_bound(upper, alpha, r, within):
    """outlier_problem.largest_below_bound."""
    cdef Columns lists = columns_with((upper, alpha, r), Columns())
    cdef double most = -INFINITY, least
    cdef long below = 0, k
    if lists is None:
        return outlier_problem.largest_below_bound(upper, alpha, r, within)
    cdef double *high = lists.column(0)
    cdef double *a = lists.column(1)
    cdef double *v = lists.column(2)
    for k in range(lists.n):
        if a[k] < high[k]:
            below, most = below + 1, max(most, v[k])
    least = most - <double>within
    return [k for k in range(lists.n) if not v[k] < least and a[k] < high[k]] if below else []


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
