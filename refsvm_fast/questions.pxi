"""Kernel values of rows that are given: scores of a problem, Gram matrices. Part of _solution.pyx.

    scores_of   the scores of a problem's own examples
    Questions   rows that are asked of a Table, some at a time: they are read as they come, so no
                more memory is needed for a million of them
    GramMatrix  the kernel values themselves

GramMatrix answers for PART rows at a time (_inputs.py), each maybe in another thread; and so does
Machine, in decisions.pxi.
"""

cdef i64 place
cdef i64 in_order[BLOCK]  # 0, 1, ..: for products() of columns as they stand
for place in range(BLOCK):
    in_order[place] = place


cdef Formula plain_formula(object kernel):
    """The Formula of a kernel as the caller gave it; None if it has none (formula_of), or numbers
    that are neither floats nor ints."""
    if not isinstance(kernel, Kernel):
        return None
    for value in kernel.parameters():
        if type(value) is not float and type(value) is not int:
            return None
    try:
        return formula_of(kernel.to(float))
    except (TypeError, ValueError):  # its numbers were changed since it was made
        return None


cdef object rows_for(Table table, object X):
    """The rows X as Questions reads them: sparse, if the Table has columns left out. None where the
    oracle is to answer."""
    return X if table.kept is None or type(X) is Compressed else without_zeros(X)


cdef bint is_plain(object threads):
    """Whether this is a number of threads, and not for the oracle to refuse."""
    return type(threads) is int and threads >= 1


cdef class Questions:
    """Rows of X, read some at a time and ready to be asked of a Table."""

    cdef i64 n                    # rows of X; 0 if it cannot be read, or has other features
    cdef i64 width                # of the rows read last: count, up to a multiple of WIDTH
    cdef Reader reader            # of X,
    cdef SparseRows sparse        # and if it is sparse
    cdef Table table              # what they are asked of
    cdef Formula formula
    cdef bint exact               # whether no sum rounds (Table.ask)
    cdef int some                 # how many rows are read together, at most
    cdef int count                # how many were read last,
    cdef Queries rows             # and these

    def __cinit__(self, X, Table table, Formula formula):
        self.reader, self.table, self.formula = reader_of(X), table, formula
        if self.reader is None or self.reader.d != table.row_length():
            return
        if self.reader.opened:
            self.sparse = SparseRows(self.reader, table)
        elif table.kept is not None:
            return
        self.n, self.some = self.reader.n, SOME
        if self.reader.opened:  # a sweep over lists gains less from many than it loses
            self.some = <int>max(1, min(SOME, ROOM // (4 * <i64>sizeof(double) * table.d)))
        self.rows = queries_for(<int>min(<i64>self.some, self.n), table.d)

    cdef bint read(self, i64 begin) except -1:
        """Read the rows from `begin` on, `some` at most; whether there are any, all plain."""
        cdef double common_unit = self.table.common_unit, reach = 0
        cdef Query *query
        cdef int q
        cdef bint plain
        if self.n == 0:
            return False
        query, self.count = self.rows.query, <int>max(0, min(<i64>self.some, self.n - begin))
        for q in range(self.count):
            if self.sparse is None:
                query[q].known = -1
                plain = self.reader.read(begin + q, query[q].x)
            else:
                plain = self.sparse.read(begin + q, q, &query[q])
            if not plain:
                return False
        with nogil:
            self.exact = self.formula.apart and common_unit > 0
            for q in range(self.count if self.exact else 0):
                self.measure(&query[q], &common_unit, &reach)
            self.exact = self.exact and self.table.exact_beside(common_unit, reach)
            for q in range(self.count):
                self.table.ask(&query[q], self.formula.joint, self.formula.apart, self.exact)
        self.width = PADDED(self.count)
        return self.count > 0

    cdef void measure(self, Query *query, double *common_unit, double *reach) noexcept nogil:
        """Make common_unit and reach what they are with this row among those measured before."""
        cdef double norm = 0
        cdef double *x = query.x
        cdef i64 k, s
        for s in range(self.table.d if query.known < 0 else query.known):
            k = s if query.known < 0 else query.at[s]
            if x[k] != 0:
                common_unit[0] = min(common_unit[0], common_unit_of(x[k]))
                norm += x[k] * x[k]
        for s in range(query.outside):
            common_unit[0] = min(common_unit[0], common_unit_of(query.other[s]))
            norm += query.other[s] * query.other[s]
        reach[0] = max(reach[0], norm)

    cdef void values(self, i64 block, double *out) noexcept nogil:
        """Write the kernel values of the rows read with a block of the table: BLOCK numbers a
        row."""
        cdef int q
        for q in range(0, self.count, 8):  # SHARED
            self.formula.values(
                self.table, block, self.rows.query + q, min(SHARED, self.count - q), self.exact,
                out + q * BLOCK
            )


# Scores


def scores_of(problem, beta):
    """Problem.scores_and_norm2 where the kernel is not linear; None if beta is not of plain,
    finite numbers."""
    cdef Source source = source_of(problem)
    cdef i64 n = source.n, i
    cdef double *scores = <double *>allocated(source.padded * sizeof(double))
    cdef double *numbers = <double *>allocated(n * sizeof(double))
    cdef double norm = 0
    try:
        if not read_finite(beta, n, numbers):
            return None
        memset(scores, 0, source.padded * sizeof(double))
        combine(source, numbers, scores)
        for i in range(n):
            norm += numbers[i] * scores[i]
        return as_list(scores, n), norm
    finally:
        release(scores)
        release(numbers)


cdef int combine(Source source, const double *beta, double *scores) except -1:
    """scores += beta_j times the kernel row of j, for every beta_j that is not zero, in order."""
    cdef double *room = <double *>allocated(SHARED * source.padded * sizeof(double))
    cdef double *rows[SHARED]
    cdef double factors[SHARED]
    cdef i64 wanted[SHARED]
    cdef i64 j = 0
    cdef int m, q
    try:
        for q in range(SHARED):
            rows[q] = room + q * source.padded
        while j < source.n:
            m = next_not_zero(beta, source.n, &j, wanted)
            PyErr_CheckSignals()
            if m == 0:
                break
            for q in range(m):
                factors[q] = beta[wanted[q]]
            with nogil:
                source.compute(wanted, m, rows)
                loops().products(scores, factors, room, in_order, m, source.padded, room)
    finally:
        release(room)
    return 0


def products_with(Table table, w):
    """[<w, x> for the rows x of the table]; w must be a list of d floats."""
    cdef Queries weights = queries_for(1, table.d)
    cdef double totals[BLOCK]
    cdef i64 block
    cdef list products = []
    if not read_numbers(w, table.d, weights.query.x):
        raise ValueError(f"w is {w!r}; a list of {table.d} floats is needed")
    table.find_entries(weights.query, False)
    for block in range(table.blocks):
        table.dots(block, weights.query, 1, totals)
        products += as_list(totals, min(BLOCK, table.n - block * BLOCK))
    return products


def nearest_products(Table table, w):
    """exact_sums.nearest_products of the rows of the table; None unless w is a list of d floats."""
    cdef RowNumbers numbers = RowNumbers(table) if table.scattered else None
    cdef i64 padded = PADDED(table.d), i, s, begin, count = table.d
    cdef double *x = <double *>allocated(3 * padded * sizeof(double))
    cdef double *theirs = x + padded
    cdef double *weights = theirs + padded
    cdef double score = 0
    cdef list products = []
    cdef dict beyond = {}         # rows whose numbers, or those of w, are near the ends of the doubles
    try:
        memset(x, 0, 3 * padded * sizeof(double))
        if not read_numbers(w, table.d, weights):
            return None
        memcpy(theirs, weights, table.d * sizeof(double))
        for i in range(table.n):
            PyErr_CheckSignals()
            if numbers is None:
                table.row(i, x)
            else:
                begin, count = numbers.first[i], numbers.first[i + 1] - numbers.first[i]
                for s in range(count):
                    x[s], theirs[s] = numbers.value[begin + s], weights[numbers.feature[begin + s]]
                memset(x + count, 0, (PADDED(count) - count) * sizeof(double))
            if not nearest_sum(theirs, x, count, &score):
                table.row(i, x)
                beyond[i] = as_list(x, table.d)
            products.append(score)
        for i, score in zip(beyond, exact_sums.nearest_products(w, beyond.values())):
            products[i] = score
        return products
    finally:
        release(x)


def distances_from(Table table, w):
    """[|x - w|^2 for the rows x of the table]; None unless w is a list of d finite floats."""
    cdef Queries center = queries_for(1, table.d)
    cdef double totals[BLOCK]
    cdef i64 block
    cdef list distances = []
    if table.kept is not None or type(w) is not list or not read_finite(w, table.d, center.query.x):
        return None
    table.find_runs(center.query)
    for block in range(table.blocks):
        table.distances(block, center.query, 1, False, totals)
        distances += as_list(totals, min(BLOCK, table.n - block * BLOCK))
    return distances


def kernel_norms(kernel, Table table):
    """kernel.squared_norms of the rows of the table; None where the oracle is to answer."""
    cdef Formula formula = plain_formula(kernel)
    cdef double *norms
    if formula is None:
        return None
    norms = <double *>allocated(table.padded * sizeof(double))
    try:
        TableSource(table, formula).norms(norms)
        return as_list(norms, table.n)
    finally:
        release(norms)


# Gram matrices

cdef enum:
    BOXING = 100  # cycles to make a number an object, which one thread does at a time


cdef class GramMatrix:
    """The values k(x, z) for x in X, z in Z."""

    cdef object X
    cdef Table Z
    cdef Formula formula

    def part(self, i64 begin):
        """The rows from `begin` on, PART at most, as lists; None if they are not plain."""
        cdef Questions questions = Questions(self.X, self.Z, self.formula)
        cdef double *values = <double *>allocated(SOME * self.Z.padded * sizeof(double))
        cdef i64 i = begin
        cdef int q
        cdef list rows = []
        try:
            while i < min(begin + PART, questions.n):
                if not questions.read(i):
                    return None
                with nogil:
                    self.compute(questions, values)
                for q in range(questions.count):
                    row = as_list(values + q * self.Z.padded, self.Z.n)
                    if not all_finite(values + q * self.Z.padded, self.Z.n):
                        finite_row(row, i + q)
                    rows.append(row)
                i += questions.count
            return rows or None
        finally:
            release(values)

    cdef void compute(self, Questions questions, double *rows) noexcept nogil:
        """Write the kernel values of the rows that were read with all of Z."""
        cdef double values[SOME * BLOCK]
        cdef i64 block, l
        cdef int q
        for block in range(self.Z.blocks):
            questions.values(block, values)
            for q in range(questions.count):
                for l in range(self.Z.width(block)):
                    rows[q * self.Z.padded + block * BLOCK + l] = values[q * BLOCK + l]


cdef list as_list(const double *values, i64 n, i64 apart=1):
    """n numbers that are `apart` as a list, which has no room for more."""
    cdef list found = [None] * n
    cdef i64 k
    for k in range(n):
        found[k] = values[k * apart]
    return found


def gram(kernel, X, Z, threads):
    """refsvm.gram; None where the oracle is to answer."""
    cdef GramMatrix matrix = GramMatrix()
    matrix.formula = plain_formula(kernel)
    if matrix.formula is None or not is_plain(threads):
        return None
    matrix.X, matrix.Z = as_rows(X), table_of(X if Z is None else Z)
    if matrix.Z is not None:
        matrix.X = rows_for(matrix.Z, matrix.X)
    if matrix.Z is None or not readable(matrix.X):
        return None
    cycles = matrix.Z.n * max(0, matrix.Z.cost() - BOXING)
    return in_parts(matrix.part, len(matrix.X), threads, cycles)
