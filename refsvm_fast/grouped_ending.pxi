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


def sum_of_changes(before, after):
    """outlier_problem.sum_of_changes."""
    cdef Columns both = columns_with((before, after))
    cdef double found = 0
    cdef long k
    if both is None:
        return outlier_problem.sum_of_changes(before, after)
    for k in range(both.n):
        found += fabs(both.numbers[k] - both.numbers[both.n + k])
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


def restore_exact_sums(form, beta, kind):
    """dual_form.restore_exact_sums."""
    cdef Columns lists = columns_with((beta, form.lower, form.upper)) if kind is float else None
    cdef Sum sum
    if lists is None:
        return dual_form.restore_exact_sums(form, beta, kind)
    for group, s in zip(form.groups, form.sums):
        if not surplus(lists.numbers, group.start, group.stop, s, &sum):
            return dual_form.restore_exact_sums(form, beta, kind)
        if rounded(&sum) != 0:
            take_off(lists, group, &sum, beta)
    return beta


cdef bint surplus(const double *beta, long begin, long end, object s, Sum *sum) except -1:
    """Write by how much numbers add up to more than s; whether that can be told exactly."""
    cdef double size = fabs(s), part
    cdef long k
    sum.count = 0
    for k in range(begin, end):
        size += fabs(beta[k])
        if beta[k] != 0:
            add(sum, beta[k])
    while s != 0:
        part = s
        if part == 0:
            return False
        add(sum, -part)
        s -= Fraction(part)
    return size < LARGE


cdef int take_off(Columns lists, object group, Sum *sum, list beta) except -1:
    """Take the surplus off free multipliers, from the smallest, as far as one can be moved by it."""
    cdef double *b = lists.column(0)
    cdef double *low = lists.column(1)
    cdef double *high = lists.column(2)
    cdef double moved, much
    cdef long k
    for k in sorted([k for k in group if low[k] < b[k] < high[k]], key=lambda k: abs(beta[k])):
        much = rounded(sum)
        if much == 0:
            break
        moved = b[k] - much
        if low[k] <= moved <= high[k]:
            add(sum, moved)
            add(sum, -b[k])
            b[k] = beta[k] = moved
    return 0
