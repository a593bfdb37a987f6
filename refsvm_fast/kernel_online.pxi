# The kernel forms: w is the sum of coef_i phi(x_i), and only the coefficients are kept. Part of
# _online.pyx.
#
#     places    the examples whose coefficient is not 0, in order of index
#     coefs     their coefficients, c_i y_i
#     row       kernel values of one example with all examples


cdef class Expansion:
    """The sum of coef_i K(x_i, .): scores are added in the order of i, over the coef_i not 0."""

    cdef Py_ssize_t count
    cdef Py_ssize_t *places
    cdef double *coefs

    def __cinit__(self, Py_ssize_t n):
        self.places = <Py_ssize_t *> zeroed(n, sizeof(Py_ssize_t))
        self.coefs = <double *> zeroed(n, sizeof(double))

    def __dealloc__(self):
        PyMem_Free(self.places)
        PyMem_Free(self.coefs)

    cdef void add(self, Py_ssize_t i, double sign) noexcept nogil:
        """Add sign, +1 or -1, to coef_i: it never comes back to 0, as an example's sign is its
        label."""
        cdef Py_ssize_t low = 0, high = self.count, middle
        while low < high:
            middle = (low + high) // 2
            if self.places[middle] < i:
                low = middle + 1
            else:
                high = middle
        if low == self.count or self.places[low] != i:
            memmove(self.places + low + 1, self.places + low,
                    (self.count - low) * sizeof(Py_ssize_t))
            memmove(self.coefs + low + 1, self.coefs + low, (self.count - low) * sizeof(double))
            self.places[low], self.coefs[low] = i, 0
            self.count += 1
        self.coefs[low] += sign

    cdef void scores(self, const double **rows, double *into) noexcept nogil:
        """The scores of AHEAD examples, side by side."""
        cdef double total0 = 0, total1 = 0, total2 = 0, total3 = 0
        cdef double coef
        cdef Py_ssize_t p, i
        for p in range(self.count):
            i, coef = self.places[p], self.coefs[p]
            total0 += coef * rows[0][i]
            total1 += coef * rows[1][i]
            total2 += coef * rows[2][i]
            total3 += coef * rows[3][i]
        into[0], into[1], into[2], into[3] = total0, total1, total2, total3


cdef int rows_of(Rows rows, const Py_ssize_t *s, Py_ssize_t ahead,
                 const double **found) except -1 nogil:
    """Find the rows of the next `ahead` picks; and of the last one again, to make AHEAD of them."""
    cdef i64 wanted[AHEAD]
    cdef Py_ssize_t j, k, m = 0
    for j in range(ahead):
        for k in range(m):
            if wanted[k] == s[j]:
                break
        else:
            wanted[m] = s[j]
            m += 1
    rows.want(wanted, <int> m)
    for j in range(AHEAD):
        found[j] = rows.row(s[min(j, ahead - 1)])
    return 0


cdef Rows finite_rows(problem, double cache_mb):
    """The kernel rows of a problem; refused, as KernelRows does, if its diagonal is not finite."""
    cdef Source source = source_of(problem)
    cdef Doubles norms = Doubles(source.padded)
    cdef Py_ssize_t i
    source.norms(norms.at)
    if not all_finite(norms.at, source.n):
        for i in range(source.n):
            refuse_infinite(norms.at[i], i, i)
    return Rows(source, cache_mb, problem.kernel.bounded)


def kernel_perceptron(problem, picks, double cache_mb):
    """The fields of refsvm.kernel_perceptron for a problem of floats."""
    cdef Draws draws = draws_of(picks, problem.n)
    cdef Doubles y = plain_signs(problem.y, problem.n)
    cdef Rows rows = finite_rows(problem, cache_mb)
    cdef Expansion expansion = Expansion(problem.n)
    cdef Mistakes mistakes = Mistakes(problem.n)
    cdef const double *found[AHEAD]
    cdef double scores[AHEAD]
    cdef Py_ssize_t s[ROWS_AT_ONCE]
    cdef Py_ssize_t at, count, ahead, j
    while draws.left:
        count, at = draws.take(s, ROWS_AT_ONCE), 0
        with nogil:
            while at < count:
                ahead = min(<Py_ssize_t> AHEAD, count - at)
                rows_of(rows, s + at, ahead, found)
                expansion.scores(found, scores)
                for j in range(ahead):
                    at += 1
                    if y.at[s[at - 1]] * scores[j] <= 0:
                        expansion.add(s[at - 1], y.at[s[at - 1]])
                        mistakes.wrong(s[at - 1])
                        break
                    mistakes.fine(s[at - 1])
        PyErr_CheckSignals()
    return mistakes.fields()


cdef struct KernelPegasos:
    double lam, t
    double H            # 1 + 1/2 + ... + 1/(t-1)
    double *y
    double *since       # for each example the sum of the H of the rounds in which it pushed
    double *pushes      # 1 if the example pushed when it was last picked, else 0


cdef Py_ssize_t kernel_pegasos_rounds(KernelPegasos *run, Expansion expansion, Rows rows,
                                      Mistakes counts, const Py_ssize_t *s,
                                      Py_ssize_t count) except -1 nogil:
    """The next rounds: up to one in which an example pushes; how many were settled."""
    cdef const double *found[AHEAD]
    cdef double scores[AHEAD]
    cdef double g
    cdef Py_ssize_t j = 0, ahead = 0
    while ahead < min(<Py_ssize_t> AHEAD, count):
        ahead += 1
        if run.pushes[s[ahead - 1]]:
            break
    if run.t > 1:  # in round 1 no row is asked for
        rows_of(rows, s, ahead, found)
        expansion.scores(found, scores)
    for j in range(ahead):
        g = 0
        if run.t > 1:
            run.H += 1 / (run.t - 1)
            g = scores[j] / (run.lam * (run.t - 1))
        run.t += 1
        run.pushes[s[j]] = run.y[s[j]] * g < 1
        if run.pushes[s[j]]:
            expansion.add(s[j], run.y[s[j]])
            counts.wrong(s[j])
            run.since[s[j]] += run.H
            return j + 1
    return ahead


def kernel_pegasos(problem, double lam, picks, double cache_mb):
    """(counts, average, steps) of refsvm.kernel_pegasos for a problem of floats."""
    cdef Draws draws = draws_of(picks, problem.n)
    cdef Py_ssize_t n = problem.n
    cdef Doubles y = plain_signs(problem.y, n), since = Doubles(n), pushes = Doubles(n)
    cdef Rows rows = finite_rows(problem, cache_mb)
    cdef Expansion expansion = Expansion(n)
    cdef Mistakes counts = Mistakes(n)
    cdef KernelPegasos run = KernelPegasos(lam, 1, 0, y.at, since.at, pushes.at)
    cdef Py_ssize_t s[ROWS_AT_ONCE]
    cdef Py_ssize_t at, count, i
    for i in range(n):
        pushes.at[i] = 1
    while draws.left:
        count, at = draws.take(s, ROWS_AT_ONCE), 0
        with nogil:
            while at < count:
                at += kernel_pegasos_rounds(&run, expansion, rows, counts, s + at, count - at)
        PyErr_CheckSignals()
    average = [counts.counts[i] * run.H - since.at[i] for i in range(n)]
    return counts.fields()[0], average, <unsigned long long> run.t - 1
