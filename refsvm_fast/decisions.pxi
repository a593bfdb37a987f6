"""Decisions of models: sums of coefficient times kernel value. Part of _solution.pyx.

The lanes run over the rows that are asked about, or over the classes, so that each sum has its
terms in the oracle's order.

    v       a vector               k       classes; 2 for a Model
    p, q    two classes, p < q; their pair is counted as in refsvm/svm/one_vs_one.py
    totals  f_pq of each pair and row; from one pair's to the next one's it is `apart`
"""

cdef enum Want:
    NUMBERS, PAIRS, LABELS, WINNERS, SCORES

cdef enum:
    PART_BY_WEIGHTS = 256  # rows that are decided before their answers become objects


cdef class Machine:
    """f_pq of every pair of classes, for as many rows as are asked about.

    f_pq(x) is the sum of coef_v k(v, x) over the vectors v of p and q, in the order of index, and
    then b. The vectors are grouped by class; each has a coefficient against each of the other
    classes. Without coefs the vectors are weights w, one for each pair, and f_pq(x) = <w, x> + b;
    in the place of the pairs there may then be any number of linear machines.
    """

    cdef Table vectors
    cdef Formula formula
    cdef i64 k, pairs             # classes, and how many f there are
    cdef i64 *ends                # where the vectors of each class end
    cdef double *coefs            # of each vector, against each other class; NULL: vectors are weights
    cdef i64 stride               # from one vector's to the next one's
    cdef double *offsets          # b of each pair

    def __cinit__(self, i64 k, i64 pairs):
        self.k, self.pairs = k, pairs
        self.ends = <i64 *>allocated(k * sizeof(i64))
        self.offsets = <double *>allocated(self.pairs * sizeof(double))

    def __dealloc__(self):
        release(self.ends)
        release(self.coefs)
        release(self.offsets)

    cdef bint read(self, counts, coefs, offsets) except -1:
        """Read the lists of a model; whether all are of plain numbers, finite, and as many as they
        must be."""
        cdef i64 c, v, n = self.vectors.n, end = 0
        cdef double *column
        if not read_finite(offsets, self.pairs, self.offsets):
            return False
        if coefs is None:
            return True
        if len(counts) != self.k or len(coefs) != self.k - 1:
            return False
        self.stride = self.k - 1 if self.k <= WIDTH else PADDED(self.k - 1)
        for c in range(self.k):
            if type(counts[c]) is not int or not 0 <= counts[c] <= n - end:
                return False
            end += counts[c]
            self.ends[c] = end
        if end != n:
            return False
        self.coefs = <double *>allocated(self.stride * n * sizeof(double))
        column = <double *>allocated(n * sizeof(double))
        try:
            memset(self.coefs, 0, self.stride * n * sizeof(double))
            for c in range(self.k - 1):
                if not read_finite(coefs[c], n, column):
                    return False
                for v in range(n):
                    self.coefs[v * self.stride + c] = column[v]
        finally:
            release(column)
        return True

    def part(self, X, Want want, list labels or None, i64 begin):
        """The answers for the rows of X from `begin`, PART at most; None if they are not plain."""
        cdef Questions rows = Questions(X, self.vectors, self.formula)
        cdef i64 most = min(SOME, PADDED(max(rows.n - begin, 0))), i = begin
        cdef double *totals = <double *>allocated(self.pairs * most * sizeof(double))
        cdef double *room = <double *>allocated(2 * most * BLOCK * sizeof(double))
        cdef double *sums = <double *>allocated(max(1, self.stride) * sizeof(double))
        cdef bint plain, by_class
        cdef list answers = []
        try:
            while i < min(begin + PART, rows.n):
                plain = rows.read(i)
                by_class = self.lanes_over_classes(rows.count)
                if plain:
                    with nogil:
                        if by_class:
                            plain = self.decide_by_class(rows, room, sums, totals)
                        else:
                            plain = self.decide(rows, room, totals)
                if not plain:
                    return None
                if by_class:
                    self.answer(rows.count, self.pairs, 1, totals, want, labels, answers)
                else:
                    self.answer(rows.count, 1, rows.width, totals, want, labels, answers)
                i += rows.count
            return answers or None
        finally:
            release(totals)
            release(room)
            release(sums)

    cdef list decide_by_weights(self, Reader reader, Want want, list labels):
        """The answers for all rows, where these are sparse and the vectors are weights."""
        cdef Weights weights = weights_of_table(self.vectors)
        cdef SparseRows rows = SparseRows(reader, self.vectors)
        cdef i64 i = 0, next_
        cdef double *totals = <double *>allocated(
            min(reader.n, <i64>PART_BY_WEIGHTS) * weights.stride * sizeof(double)
        )
        cdef list answers = []
        try:
            while i < reader.n:
                PyErr_CheckSignals()
                with nogil:
                    next_ = weights.decide_some(rows, i, min(reader.n, i + PART_BY_WEIGHTS),
                                                totals, self.offsets)
                if next_ == i:
                    if not weights.decide(rows, i, totals, self.offsets):
                        return None
                    next_ = i + 1
                self.answer(next_ - i, weights.stride, 1, totals, want, labels, answers)
                i = next_
            return answers
        finally:
            release(totals)

    cdef bint decide(self, Questions rows, double *room, double *totals) noexcept nogil:
        """Write every f_pq of the rows read. False if some kernel value may be infinite or NaN, as
        the sums that it is in are then, whatever its coefficient. room: 2 BLOCK numbers a row."""
        cdef i64 block, pair, l
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

    cdef i64 in_block(self, i64 block) noexcept nogil:
        """How many vectors this block holds."""
        return min(BLOCK, self.vectors.n - block * BLOCK)

    cdef void add(self, i64 block, const double *values, i64 width,
                  double *totals) noexcept nogil:
        """Add coef_v k(v, x) for the vectors v of a block; `values` has `width` rows x a vector."""
        cdef i64 first = block * BLOCK, begin = first, end, c, j, v  # c: a class; j: another
        cdef double factors[BLOCK]
        cdef const double *coefs
        for c in range(self.k):
            end = min(self.ends[c], first + BLOCK)
            for j in range(self.k if begin < end else 0):
                if j != c:
                    coefs = self.coefs + begin * self.stride + (j - 1 if j > c else j)
                    for v in range(end - begin):
                        factors[v] = coefs[v * self.stride]
                    loops().products(
                        totals + pair_of(min(c, j), max(c, j), self.k) * width,
                        factors, values, in_order + begin - first, end - begin, width, values,
                    )
            begin = max(begin, end)

    cdef bint lanes_over_classes(self, i64 count) noexcept nogil:
        """Whether the lanes run over the classes: if these are many beside the rows (measured)."""
        return self.coefs != NULL and WIDTH * count < self.k

    cdef bint decide_by_class(self, Questions rows, double *room, double *sums,
                              double *totals) noexcept nogil:
        """decide(), but the lanes run over the classes, and the totals of a row are side by side."""
        cdef i64 block, pair
        cdef int q
        memset(totals, 0, self.pairs * rows.count * sizeof(double))
        for block in range(self.vectors.blocks):
            rows.values(block, room)
            for q in range(rows.count):
                self.add_by_class(block, room + q * BLOCK, sums, totals + q * self.pairs)
        for q in range(rows.count):
            for pair in range(self.pairs):
                totals[q * self.pairs + pair] += self.offsets[pair]
        return all_finite(totals, self.pairs * rows.count)

    cdef void add_by_class(self, i64 block, const double *values, double *sums,
                           double *totals) noexcept nogil:
        """add() of one row, whose values with the vectors of a block these are. sums: room for the
        pairs of a class."""
        cdef i64 first = block * BLOCK, begin = first, end, c, j, pair
        cdef size_t later  # of the pairs in which c comes first, which are side by side
        for c in range(self.k):
            end = min(self.ends[c], first + BLOCK)
            later = (self.k - 1 - c) * sizeof(double)
            if begin < end:
                pair = c - 1
                for j in range(c):
                    sums[j] = totals[pair]
                    pair += self.k - 2 - j
                memcpy(sums + c, totals + pair_of(c, c + 1, self.k), later)
                loops().products(
                    sums, values + begin - first, self.coefs + begin * self.stride, in_order,
                    end - begin, self.stride, self.coefs + end * self.stride,
                )
                pair = c - 1
                for j in range(c):
                    totals[pair] = sums[j]
                    pair += self.k - 2 - j
                memcpy(totals + pair_of(c, c + 1, self.k), sums + c, later)
            begin = max(begin, end)

    cdef int answer(self, i64 count, i64 next_row, i64 apart, const double *totals, Want want,
                    list labels, list answers) except -1:
        """Append what is wanted of each of `count` rows, made of every f_pq; labels: of LABELS."""
        cdef i64 l
        for l in range(count):
            if want == NUMBERS:
                answers.append(totals[0])
            elif want == PAIRS:
                answers.append(untracked(as_list(totals, self.pairs, apart)))
            elif want == LABELS and self.pairs == 1:
                answers.append(labels[totals[0] >= 0])
            elif want == LABELS:
                answers.append(labels[first_largest(totals, apart, self.pairs)])
            elif want == WINNERS:
                answers.append(self.winner(totals, apart))
            else:
                answers.append(untracked(self.scores(totals, apart)))
            totals += next_row
        return 0

    cdef i64 winner(self, const double *totals, i64 apart) except -1:
        """The first class with most votes in one row."""
        cdef i64 best
        cdef double *votes = <double *>allocated(self.k * sizeof(double))
        self.vote(totals, apart, votes)
        best = first_largest(votes, 1, self.k)
        release(votes)
        return best

    cdef list scores(self, const double *totals, i64 apart):
        """one_vs_one.class_scores one row."""
        cdef double *votes = <double *>allocated(2 * self.k * sizeof(double))
        cdef double *clarity = votes + self.k
        cdef i64 c
        try:
            self.vote(totals, apart, votes)
            self.clear(totals, apart, clarity)
            return [votes[c] + clarity[c] / (3 * (fabs(clarity[c]) + 1)) for c in range(self.k)]
        finally:
            release(votes)

    cdef void vote(self, const double *totals, i64 apart, double *votes) noexcept nogil:
        """Write the votes for each class: whole numbers, whose sums have no order."""
        cdef i64 p, q, won
        cdef bint for_p
        memset(votes, 0, self.k * sizeof(double))
        for p in range(self.k):
            won = 0
            for q in range(p + 1, self.k):
                for_p = totals[0] > 0  # added, not asked: half of all guesses would be wrong
                won += for_p
                votes[q] += not for_p
                totals += apart
            votes[p] += won

    cdef void clear(self, const double *totals, i64 apart, double *clarity) noexcept nogil:
        """Write the clarity of each class (one_vs_one.class_scores)."""
        cdef i64 p, q
        memset(clarity, 0, self.k * sizeof(double))
        for p in range(self.k):
            for q in range(p + 1, self.k):
                clarity[p] += totals[0]
                clarity[q] -= totals[0]
                totals += apart


cdef list untracked(list row):
    """A list of numbers that the collector of garbage is not to know of before all are there: it
    would go through those that were made, again and again, and then through all that is in memory."""
    PyObject_GC_UnTrack(row)
    return row


cdef i64 first_largest(const double *numbers, i64 apart, i64 n) noexcept nogil:
    """one_vs_one.first_largest of n numbers."""
    cdef i64 c, best = 0
    for c in range(n):
        if numbers[c * apart] > numbers[best * apart]:
            best = c
    return best


cdef void turn(const double *values, i64 width, i64 n, double *turned) noexcept nogil:
    """Put the kernel values of `width` rows with each of n vectors side by side."""
    cdef const double *rows[WIDTH]
    cdef i64 q, i
    for q in range(0, width, 8):  # WIDTH
        for i in range(WIDTH):
            rows[i] = values + (q + i) * BLOCK
        loops().side_by_side(rows, 0, n, turned + q, width)


cdef i64 pair_of(i64 p, i64 q, i64 k) noexcept nogil:
    """The place of a pair of classes in the order (0,1) (0,2) .. (1,2) .."""
    return p * k - p * (p + 1) // 2 + q - p - 1


cdef bint read_finite(object values, i64 n, double *out) except -1:
    """Write n numbers of a list or buffer to out; whether there were n, plain and finite."""
    return read_numbers(values, n, out) and all_finite(out, n)


def machine_of(i64 k, kernel, Table vectors or None, counts, coefs, offsets):
    """The Machine of these; without coefs the vectors are weights. None if not all are plain."""
    cdef Machine machine
    if vectors is None or k < 2:
        return None
    machine = Machine(k, vectors.n if coefs is None else k * (k - 1) // 2)
    machine.vectors, machine.formula = vectors, plain_formula(kernel)
    if machine.formula is None:
        return None
    return machine if machine.read(counts, coefs, offsets) else None


cdef list answers_of(Machine machine, object X, Want want, object threads, list labels=None):
    """What is wanted of each row of X, as a list; None where the oracle is to answer."""
    cdef Reader reader = None if machine is None else reader_of(X)
    cdef list found
    if reader is None or not is_plain(threads):
        return None
    if machine.coefs == NULL and by_weights(machine.vectors, reader):
        found = machine.decide_by_weights(reader, want, labels)
    else:
        X = rows_for(machine.vectors, X) if type(X) is not Compressed or X.checked else None
        if X is None:
            return None
        cycles = machine.vectors.n * machine.vectors.cost()
        found = in_parts(partial(machine.part, X, want, labels), len(X), threads, cycles)
    for row in found or () if want == PAIRS or want == SCORES else ():
        PyObject_GC_Track(row)
    return found


def decisions(machine, X, threads):
    """[f(x) for x in X], of two classes; like all that follow, None where the oracle is to
    answer."""
    return answers_of(machine, X, NUMBERS, threads)


def pair_decisions(machine, X):
    """[[f_01(x), f_02(x), ..] for x in X]."""
    return answers_of(machine, X, PAIRS, 1)


def labels_of(machine, X, list labels not None):
    """[the label of the first of the largest f(x) for x in X]; of one f, labels[f(x) >= 0]."""
    return answers_of(machine, X, LABELS, 1, labels)


def winners(machine, X):
    """[the place of the class with most votes for x in X]."""
    return answers_of(machine, X, WINNERS, 1)


def scores(machine, X):
    """[the scores of all classes for x in X]."""
    return answers_of(machine, X, SCORES, 1)
