"""Kernel values of rows that are given, and what is made of them: Gram matrices and decisions. Part
of _solution.pyx.

    scores_of   the scores of a problem's own examples
    Questions   rows that are asked of a Table, some at a time: they are read as they come, so no
                more memory is needed for a million of them
    GramMatrix  the kernel values themselves
    Machine     sums of coefficient times kernel value, one for each pair of classes. Here the
                lanes run over the rows, so that each sum has its terms in the oracle's order

GramMatrix and Machine answer for PART rows at a time (_inputs.py), each maybe in another thread.

    v       a vector               k       classes; 2 for a Model
    p, q    two classes, p < q; their pair is counted as in refsvm/svm/one_vs_one.py
    totals  f_pq of each pair, one pair after the other, of `width` rows each
"""

cdef enum Want:
    NUMBERS, PAIRS, WINNERS, SCORES

cdef double TINY = 2.0**-300  # of this size, up to HUGE, numbers have squares that are ordinary
cdef double HUGE = 2.0**300

cdef long place
cdef long in_order[BLOCK]  # 0, 1, ..: for products() of columns as they stand
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

    cdef long n                   # rows of X; 0 if it cannot be read, or has other features
    cdef long width               # of the rows read last: count, up to a multiple of WIDTH
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
            self.some = <int>max(1, min(<long>SOME, ROOM // (4 * sizeof(double) * table.d)))
        self.rows = queries_for(<int>min(<long>self.some, self.n), table.d)

    cdef bint read(self, long begin) except -1:
        """Read the rows from `begin` on, `some` at most; whether there are any, all plain."""
        cdef double grain = self.table.grain, reach = 0
        cdef Query *query
        cdef int q
        cdef bint plain
        if self.n == 0:
            return False
        query, self.count = self.rows.query, <int>max(0, min(<long>self.some, self.n - begin))
        for q in range(self.count):
            if self.sparse is None:
                query[q].known = -1
                plain = self.reader.read(begin + q, query[q].x)
            else:
                plain = self.sparse.read(begin + q, q, &query[q])
            if not plain:
                return False
        with nogil:
            self.exact = self.formula.apart and grain > 0
            for q in range(self.count if self.exact else 0):
                self.measure(&query[q], &grain, &reach)
            self.exact = self.exact and self.table.exact_beside(grain, reach)
            for q in range(self.count):
                self.table.ask(&query[q], self.formula.joint, self.formula.apart, self.exact)
        self.width = PADDED(self.count)
        return self.count > 0

    cdef void measure(self, Query *query, double *grain, double *reach) noexcept nogil:
        """Make grain and reach what they are with this row among those measured before."""
        cdef double norm = 0
        cdef double *x = query.x
        cdef long k, s
        for s in range(self.table.d if query.known < 0 else query.known):
            k = s if query.known < 0 else query.at[s]
            if x[k] != 0:
                grain[0] = min(grain[0], grain_of(x[k]))
                norm += x[k] * x[k]
        for s in range(query.outside):
            grain[0] = min(grain[0], grain_of(query.other[s]))
            norm += query.other[s] * query.other[s]
        reach[0] = max(reach[0], norm)

    cdef void values(self, long block, double *out) noexcept nogil:
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
    cdef long n = source.n, i
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
    cdef long wanted[SHARED]
    cdef long j = 0
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
    cdef long block
    cdef list products = []
    if not read_numbers(w, table.d, weights.query.x):
        raise ValueError(f"w is {w!r}; a list of {table.d} floats is needed")
    table.find_entries(weights.query, False)
    for block in range(table.blocks):
        table.dots(block, weights.query, 1, totals)
        products += as_list(totals, min(BLOCK, table.n - block * BLOCK))
    return products


def distances_from(Table table, w):
    """[|x - w|^2 for the rows x of the table]; None unless w is a list of d finite floats."""
    cdef Queries center = queries_for(1, table.d)
    cdef double totals[BLOCK]
    cdef long block
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


@cython.boundscheck(True)
def ordinary_variance(Table table, list present):
    """The variance of the rows present, v 4^e of kernel_estimator.variance; None if a number is
    not 0 and yet beyond 2^-300 to 2^300: between, another unit changes no bit on the way."""
    cdef Queries mean = queries_for(1, table.d)
    cdef double *of_row = <double *>allocated(table.blocks * BLOCK * sizeof(double))
    cdef double count = len(present) * table.d, total = 0, squares = 0, first
    cdef long block, i, k
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
    cdef long *places = room.query.until
    cdef double *of_row = NULL
    cdef long width = table.kept.width
    cdef double count = <double>len(present) * width, total = 0, squares = 0, first, mean
    cdef long entries = table.first[table.blocks * table.scattered], k, i
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


cdef bint are_ordinary(const double *x, long n) noexcept nogil:
    """Whether all numbers but zeros are from TINY to HUGE in size."""
    cdef long k
    for k in range(n):
        if x[k] != 0 and not TINY <= fabs(x[k]) <= HUGE:
            return False
    return True


cdef void total_of_rows(Table table, const long *places, long width, double c, bint squared,
                        double *totals) noexcept nogil:
    """Write sparse_rows.total_of of every row: of the term v - c, or of its square."""
    cdef double of_zero = term_of(0, c, squared)
    cdef double column[BLOCK]
    cdef long end[BLOCK]  # of each row of a block: the place after its last number so far
    cdef long block, k, p, e, l
    cdef long *first
    for block in range(table.blocks):
        memset(totals, 0, BLOCK * sizeof(double))
        memset(end, 0, BLOCK * sizeof(long))
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


cdef void add_term(double *total, long *end, long place, double v, double c,
                   bint squared) noexcept nogil:
    """Add the term of a number, unless that is zero, and of the zeros before it."""
    if v != 0:
        total[0] = add_repeatedly(total[0], term_of(0, c, squared), place - end[0])
        total[0] += term_of(v, c, squared)
        end[0] = place + 1


cdef inline double term_of(double v, double c, bint squared) noexcept nogil:
    return (v - c) * (v - c) if squared else v - c


cdef double add_repeatedly(double total, double term, long times) noexcept nogil:
    """sparse_rows.add_repeatedly."""
    cdef double before, step, low, room
    cdef long steps
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
        steps = times if times < room else max(0, <long>room)
        total += steps * step
        times -= steps
    return total


cdef inline bint is_between(double low, double v) noexcept nogil:
    """Whether |v| is from low to before 2 low."""
    return low <= fabs(v) < 2 * low


cdef bint add_up(Table table, long block, double first, double *totals) noexcept nogil:
    """Write the sum of each row of a block, `first` being taken off every number; whether all
    numbers but zeros are from TINY to HUGE in size."""
    cdef double column[BLOCK]
    cdef bint ordinary = True
    cdef long k, l
    memset(totals, 0, BLOCK * sizeof(double))
    for k in range(table.d):
        table.column(k, block, column)
        for l in range(table.width(block)):
            totals[l] += column[l] - first
        ordinary = ordinary and are_ordinary(column, table.width(block))
    return ordinary


# Gram matrices


cdef class GramMatrix:
    """The values k(x, z) for x in X, z in Z."""

    cdef object X
    cdef Table Z
    cdef Formula formula

    def part(self, long begin):
        """The rows from `begin` on, PART at most, as lists; None if they are not plain."""
        cdef Questions questions = Questions(self.X, self.Z, self.formula)
        cdef double *values = <double *>allocated(SOME * self.Z.padded * sizeof(double))
        cdef long i = begin
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
        cdef long block, l
        cdef int q
        for block in range(self.Z.blocks):
            questions.values(block, values)
            for q in range(questions.count):
                for l in range(self.Z.width(block)):
                    rows[q * self.Z.padded + block * BLOCK + l] = values[q * BLOCK + l]


cdef list as_list(const double *values, long n):
    """n numbers as a list."""
    cdef long k
    return [values[k] for k in range(n)]


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
    return in_parts(matrix.part, len(matrix.X), threads)


# Decisions


cdef class Machine:
    """f_pq of every pair of classes, for as many rows as are asked about.

    f_pq(x) is the sum of coef_v k(v, x) over the vectors v of p and q, in the order of index, and
    then b. The vectors are grouped by class; each has a coefficient against each of the other
    classes. Without coefs the vectors are weights w, one for each pair, and f_pq(x) = <w, x> + b;
    in the place of the pairs there may then be any number of linear machines.
    """

    cdef Table vectors
    cdef Formula formula
    cdef long k, pairs            # classes, and how many f there are
    cdef long *ends               # where the vectors of each class end
    cdef double *coefs            # k - 1 rows (refsvm/svm/one_vs_one.py); NULL: vectors are weights
    cdef double *offsets          # b of each pair

    def __cinit__(self, long k, long pairs):
        self.k, self.pairs = k, pairs
        self.ends = <long *>allocated(k * sizeof(long))
        self.offsets = <double *>allocated(self.pairs * sizeof(double))

    def __dealloc__(self):
        release(self.ends)
        release(self.coefs)
        release(self.offsets)

    cdef bint read(self, counts, coefs, offsets) except -1:
        """Read the lists of a model; whether all are of plain numbers, finite, and as many as they
        must be."""
        cdef long c, n = self.vectors.n, end = 0
        if not read_finite(offsets, self.pairs, self.offsets):
            return False
        if coefs is None:
            return True
        if len(counts) != self.k or len(coefs) != self.k - 1:
            return False
        for c in range(self.k):
            if type(counts[c]) is not int or not 0 <= counts[c] <= n - end:
                return False
            end += counts[c]
            self.ends[c] = end
        self.coefs = <double *>allocated((self.k - 1) * n * sizeof(double))
        for c in range(self.k - 1):
            if not read_finite(coefs[c], n, self.coefs + c * n):
                return False
        return end == n

    def part(self, X, Want want, long begin):
        """The answers for the rows of X from `begin`, PART at most; None if they are not plain."""
        cdef Questions rows = Questions(X, self.vectors, self.formula)
        cdef long most = min(SOME, PADDED(max(rows.n - begin, 0))), i = begin
        cdef double *totals = <double *>allocated(self.pairs * most * sizeof(double))
        cdef double *room = <double *>allocated(2 * most * BLOCK * sizeof(double))
        cdef bint plain
        cdef list answers = []
        try:
            while i < min(begin + PART, rows.n):
                plain = rows.read(i)
                if plain:
                    with nogil:
                        plain = self.decide(rows, room, totals)
                if not plain:
                    return None
                self.answer(rows.count, rows.width, totals, want, answers)
                i += rows.count
            return answers or None
        finally:
            release(totals)
            release(room)

    def part_by_weights(self, X, Want want, long begin):
        """part(), where the vectors are weights and the rows sparse."""
        cdef Weights weights = weights_of_table(self.vectors)
        cdef SparseRows rows = SparseRows(reader_of(X), self.vectors)
        cdef double *totals = <double *>allocated(self.pairs * sizeof(double))
        cdef long i
        cdef list answers = []
        try:
            for i in range(begin, min(begin + PART, rows.reader.n)):
                rows.find(i)
                if not weights.decide(rows, totals, self.offsets):
                    return None
                self.answer(1, 1, totals, want, answers)
            return answers
        finally:
            release(totals)

    cdef bint decide(self, Questions rows, double *room, double *totals) noexcept nogil:
        """Write every f_pq of the rows read. False if some kernel value may be infinite or NaN, as
        the sums that it is in are then, whatever its coefficient. room: 2 BLOCK numbers a row."""
        cdef long block, pair, l
        cdef double *turned = room + rows.width * BLOCK  # the values, rows side by side
        memset(room + rows.count * BLOCK, 0, (rows.width - rows.count) * BLOCK * sizeof(double))
        memset(totals, 0, self.pairs * rows.width * sizeof(double))
        for block in range(self.vectors.blocks):
            rows.values(block, room)
            if self.coefs == NULL:
                turn(room, rows.width, self.in_block(block), totals + block * BLOCK * rows.width)
            else:
                turn(room, rows.width, self.in_block(block), turned)
                self.add(block, turned, rows.width, totals)
        for pair in range(self.pairs):
            for l in range(rows.width):
                totals[pair * rows.width + l] += self.offsets[pair]
        return self.coefs == NULL or all_finite(totals, self.pairs * rows.width)

    cdef long in_block(self, long block) noexcept nogil:
        """How many vectors this block holds."""
        return min(BLOCK, self.vectors.n - block * BLOCK)

    cdef void add(self, long block, const double *values, long width,
                  double *totals) noexcept nogil:
        """Add coef_v k(v, x) for the vectors v of a block; `values` has `width` rows x a vector."""
        cdef long first = block * BLOCK, begin = first, end, c, j  # c: a class; j: another
        cdef double *coefs
        for c in range(self.k):
            end = min(self.ends[c], first + BLOCK)
            for j in range(self.k if begin < end else 0):
                if j != c:
                    coefs = self.coefs + (j - 1 if j > c else j) * self.vectors.n
                    loops().products(
                        totals + pair_of(min(c, j), max(c, j), self.k) * width,
                        coefs + begin, values, in_order + begin - first, end - begin, width,
                        values,
                    )
            begin = max(begin, end)

    cdef int answer(self, long count, long width, const double *totals, Want want,
                    list answers) except -1:
        """Append what is wanted of each of `count` rows, made of every f_pq."""
        cdef long l, pair
        for l in range(count):
            if want == NUMBERS:
                answers.append(totals[l])
            elif want == PAIRS:
                answers.append([totals[pair * width + l] for pair in range(self.pairs)])
            elif want == WINNERS:
                answers.append(self.winner(totals + l, width))
            else:
                answers.append(self.scores(totals + l, width))
        return 0

    cdef long winner(self, const double *totals, long width) except -1:
        """one_vs_one.first_largest of the votes of one row."""
        cdef long c, best = 0
        cdef double *votes = <double *>allocated(2 * self.k * sizeof(double))
        self.vote(totals, width, votes)
        for c in range(self.k):
            if votes[c] > votes[best]:
                best = c
        release(votes)
        return best

    cdef list scores(self, const double *totals, long width):
        """one_vs_one.class_scores one row."""
        cdef double *votes = <double *>allocated(2 * self.k * sizeof(double))
        cdef double *clarity = votes + self.k
        cdef long c
        self.vote(totals, width, votes)
        try:
            return [votes[c] + clarity[c] / (3 * (fabs(clarity[c]) + 1)) for c in range(self.k)]
        finally:
            release(votes)

    cdef void vote(self, const double *totals, long width, double *votes) noexcept nogil:
        """Write the votes for each class, then the clarity of each (one_vs_one.class_scores)."""
        cdef long p, q
        cdef double f
        memset(votes, 0, 2 * self.k * sizeof(double))
        for p in range(self.k):
            for q in range(p + 1, self.k):
                f = totals[pair_of(p, q, self.k) * width]
                votes[p if f > 0 else q] += 1
                votes[self.k + p] += f
                votes[self.k + q] -= f


cdef void turn(const double *values, long width, long n, double *turned) noexcept nogil:
    """Put the kernel values of `width` rows with each of n vectors side by side."""
    cdef const double *rows[WIDTH]
    cdef long q, i
    for q in range(0, width, 8):  # WIDTH
        for i in range(WIDTH):
            rows[i] = values + (q + i) * BLOCK
        loops().side_by_side(rows, 0, n, turned + q, width)


cdef long pair_of(long p, long q, long k) noexcept nogil:
    """The place of a pair of classes in the order (0,1) (0,2) .. (1,2) .."""
    return p * k - p * (p + 1) // 2 + q - p - 1


cdef bint read_finite(object values, long n, double *out) except -1:
    """Write n numbers of a list or buffer to out; whether there were n, plain and finite."""
    return read_numbers(values, n, out) and all_finite(out, n)


def machine_of(long k, kernel, Table vectors or None, counts, coefs, offsets):
    """The Machine of these; without coefs the vectors are weights. None if not all are plain."""
    cdef Machine machine
    if vectors is None or k < 2:
        return None
    machine = Machine(k, vectors.n if coefs is None else k * (k - 1) // 2)
    machine.vectors, machine.formula = vectors, plain_formula(kernel)
    if machine.formula is None:
        return None
    return machine if machine.read(counts, coefs, offsets) else None


cdef list answers_of(Machine machine, object X, Want want, object threads):
    """What is wanted of each row of X, as a list; None where the oracle is to answer."""
    if machine is None or not readable(X) or not is_plain(threads):
        return None
    if machine.coefs == NULL and by_weights(machine.vectors, X):
        return in_parts(partial(machine.part_by_weights, X, want), len(X), threads)
    X = rows_for(machine.vectors, X)
    return None if X is None else in_parts(partial(machine.part, X, want), len(X), threads)


def decisions(machine, X, threads):
    """[f(x) for x in X], of two classes; like all that follow, None where the oracle is to
    answer."""
    return answers_of(machine, X, NUMBERS, threads)


def pair_decisions(machine, X):
    """[[f_01(x), f_02(x), ..] for x in X]."""
    return answers_of(machine, X, PAIRS, 1)


def winners(machine, X):
    """[the place of the class with most votes for x in X]."""
    return answers_of(machine, X, WINNERS, 1)


def scores(machine, X):
    """[the scores of all classes for x in X]."""
    return answers_of(machine, X, SCORES, 1)
