"""The loops over all variables that GroupedProblem.solution takes, compiled. Part of _solution.pyx.

They read lists, and do with them what the oracle's functions of the same names do; what is not
plain floats is the oracle's.
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


cdef Columns columns_with(tuple lists):
    """The Columns of these lists; None unless all are lists of plain numbers, and equally many."""
    cdef Columns found = Columns()
    cdef long c
    for values in lists:
        if type(values) is not list or len(values) != len(lists[0]):
            return None
    found.n = len(lists[0])
    found.numbers = <double *>allocated(max(1, len(lists) * found.n) * sizeof(double))
    for c, values in enumerate(lists):
        if not read_numbers(values, found.n, found.column(c)):
            return None
    return found


def dot(x, z):
    """linalg.dot."""
    cdef Columns both = columns_with((x, z))
    cdef double found = 0
    cdef long k
    if both is None:
        return linalg.dot(x, z)
    for k in range(both.n):
        found += both.numbers[k] * both.numbers[both.n + k]
    return found


def total(values):
    """linalg.total."""
    cdef Columns only = columns_with((values,))
    cdef double found = 0
    cdef long k
    if only is None:
        return linalg.total(values)
    for k in range(only.n):
        found += only.numbers[k]
    return found


def largest_below_bound(upper, alpha, r, within):
    """outlier_problem.largest_below_bound."""
    cdef Columns lists = columns_with((upper, alpha, r))
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


def group_extremes(form, beta, r):
    """dual_form.group_extremes."""
    cdef Columns lists = columns_with((beta, r, form.lower, form.upper))
    cdef double m, M
    cdef long k
    if lists is None:
        return dual_form.group_extremes(form, beta, r)
    cdef double *b = lists.column(0)
    cdef double *v = lists.column(1)
    cdef double *low = lists.column(2)
    cdef double *high = lists.column(3)
    cdef list found = []
    for group in form.groups:
        m, M = -INFINITY, INFINITY
        for k in range(group.start, group.stop):
            if b[k] < high[k] and v[k] > m:
                m = v[k]
            if b[k] > low[k] and v[k] < M:
                M = v[k]
        found.append((m, M))
    return found


def unscaled_primal(form, r, double value, lam):
    """GroupedProblem.primal_value before it is scaled, where half of |w|^2 is `value`; None where
    numbers are not plain."""
    cdef Columns lists = columns_with((r, form.lower, form.upper))
    cdef double v, limit
    cdef long k
    if lists is None:
        return None
    cdef double *x = lists.column(0)
    cdef double *low = lists.column(1)
    cdef double *high = lists.column(2)
    for group, s, multiplier in zip(form.groups, form.sums, lam):
        v = multiplier
        value += <double>float(s) * v
        for k in range(group.start, group.stop):
            limit = high[k] if x[k] > v else low[k] if x[k] < v else 0
            if limit != 0:
                value = value + limit * (x[k] - v) if fabs(limit) < INFINITY else INFINITY
    return value


cdef bint restore_exact_sum(double *beta, const double *lower, const double *upper,
                            const double *norms, long n, object s, bint linear) except -1:
    """dual_form.restore_exact_sums of one group; whether the sum can be told exactly."""
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
            return False
        add(&sum, -part)
        s -= Fraction(part)
    if not size < LARGE:
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
