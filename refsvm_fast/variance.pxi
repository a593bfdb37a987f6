"""The variance of all numbers of a Table (kernel_estimator.variance), of which the estimators make
their default gamma. Part of _solution.pyx."""

cdef double MIN_SQUARED = 2.0**-300  # of this size, up to MAX_SQUARED, numbers have squares that are ordinary
cdef double MAX_SQUARED = 2.0**300


@cython.boundscheck(True)
def ordinary_variance(Table table, list present):
    """The variance of the rows present, v 4^e of kernel_estimator.variance; None if a number is
    not 0 and yet beyond 2^-300 to 2^300: between, another unit changes no bit on the way."""
    cdef Queries mean = queries_for(1, table.d)
    cdef double *of_row = <double *>allocated(table.blocks * BLOCK * sizeof(double))
    cdef double count = len(present) * table.d, total = 0, squares = 0, first
    cdef i64 block, i, k
    cdef bint ordinary = True
    table.require(present)
    table.row(present[0], mean.query.x)
    first = mean.query.x[0]
    with nogil:
        for block in range(table.blocks):
            ordinary = add_up(table, block, first, of_row + block * BLOCK) and ordinary
    if not ordinary:
        release(of_row)
        return None
    for i in present:
        total += of_row[i]
    for k in range(table.d):
        mean.query.x[k] = first + total / count
    with nogil:
        table.find_runs(mean.query)
        for block in range(table.blocks):
            table.distances(block, mean.query, 1, False, of_row + block * BLOCK)
    for i in present:
        squares += of_row[i]
    release(of_row)
    return squares / count


@cython.boundscheck(True)
def sparse_variance(Table table, list present):
    """ordinary_variance, where columns are left out: they count as runs of zeros."""
    cdef Queries room = queries_for(1, table.d)
    cdef i64 *places = room.query.until
    cdef double *of_row = NULL
    cdef i64 width = table.kept.width
    cdef double count = <double>len(present) * width, total = 0, squares = 0, first, mean
    cdef i64 entries = table.first[table.blocks * table.scattered], k, i
    table.require(present)
    if not (are_ordinary(table.values, entries)
            and are_ordinary(table.columns, table.padded * table.dense)):
        return None
    for k, place in enumerate(table.kept.places[:table.d]):
        places[k] = place
    table.row(present[0], room.query.x)
    first = room.query.x[0] if places[0] == 0 else 0
    of_row = <double *>allocated(table.blocks * BLOCK * sizeof(double))
    total_of_rows(table, places, width, first, False, of_row)
    for i in present:
        total += of_row[i]
    mean = first + total / count
    total_of_rows(table, places, width, mean, True, of_row)
    for i in present:
        squares += of_row[i]
    release(of_row)
    return squares / count


cdef bint are_ordinary(const double *x, i64 n) noexcept nogil:
    """Whether all numbers but zeros are from MIN_SQUARED to MAX_SQUARED in size."""
    cdef i64 k
    for k in range(n):
        if x[k] != 0 and not MIN_SQUARED <= fabs(x[k]) <= MAX_SQUARED:
            return False
    return True


cdef void total_of_rows(Table table, const i64 *places, i64 width, double c, bint squared,
                        double *totals) noexcept nogil:
    """Write sparse_rows.total_of of every row: of the term v - c, or of its square."""
    cdef double of_zero = term_of(0, c, squared)
    cdef double column[BLOCK]
    cdef i64 end[BLOCK]  # of each row of a block: the place after its last number so far
    cdef i64 block, k, p, e, l
    cdef i64 *first
    for block in range(table.blocks):
        memset(totals, 0, BLOCK * sizeof(double))
        memset(end, 0, BLOCK * sizeof(i64))
        first = lists_of(table, block)
        for k in range(table.d):
            p = table.place[k]
            if p < 0:
                for e in range(first[-1 - p], first[-p]):
                    l = table.spots[e]
                    add_term(totals + l, end + l, places[k], table.values[e], c, squared)
                continue
            table.column(k, block, column)
            for l in range(table.width(block)):
                add_term(totals + l, end + l, places[k], column[l], c, squared)
        for l in range(BLOCK):
            totals[l] = add_repeatedly(totals[l], of_zero, width - end[l])
        totals += BLOCK


cdef void add_term(double *total, i64 *end, i64 place, double v, double c,
                   bint squared) noexcept nogil:
    """Add the term of a number, unless that is zero, and of the zeros before it."""
    if v != 0:
        total[0] = add_repeatedly(total[0], term_of(0, c, squared), place - end[0])
        total[0] += term_of(v, c, squared)
        end[0] = place + 1


cdef inline double term_of(double v, double c, bint squared) noexcept nogil:
    return (v - c) * (v - c) if squared else v - c


cdef double add_repeatedly(double total, double term, i64 times) noexcept nogil:
    """sparse_rows.add_repeatedly."""
    cdef double before, step, low, room
    cdef i64 steps
    cdef int power
    while times > 0:
        before = total
        total += term
        times -= 1
        if total == before or total != total:
            return total
        step = (total + term) - total
        frexp(total, &power)
        low = ldexp(0.5, power)
        if step == 0 or not (is_between(low, before) and is_between(low, total)
                             and is_between(low, total + step)):
            continue
        room = 2 * low - fabs(total) if (step > 0) == (total > 0) else fabs(total) - low
        room = room / fabs(step) - 1
        steps = times if times < room else max(0, <i64>room)
        total += steps * step
        times -= steps
    return total


cdef inline bint is_between(double low, double v) noexcept nogil:
    """Whether |v| is from low to before 2 low."""
    return low <= fabs(v) < 2 * low


cdef bint add_up(Table table, i64 block, double first, double *totals) noexcept nogil:
    """Write the sum of each row of a block, `first` being taken off every number; whether all
    numbers but zeros are from MIN_SQUARED to MAX_SQUARED in size."""
    cdef double column[BLOCK]
    cdef bint ordinary = True
    cdef i64 k, l
    memset(totals, 0, BLOCK * sizeof(double))
    for k in range(table.d):
        table.column(k, block, column)
        for l in range(table.width(block)):
            totals[l] += column[l] - first
        ordinary = ordinary and are_ordinary(column, table.width(block))
    return ordinary
