# cython: binding=False
"""The learners that take one example at a time, on weights, compiled: Pegasos, perceptron, LMS.

The arithmetic is that of refsvm.solvers.pegasos and refsvm.online, operation by operation. A sum
over the features is added in their order, each addition after the one before; but a processor can
have several such sums on their way at once. So Pegasos and the perceptron look ahead: they compute
the scores of the next picks, expecting of each of these what it did last time. Where one surprises
them, the scores after it are thrown away.

    X, y     examples, their labels         n, d     how many, how many features
    w        weights                        s        the examples picked next
    t        number of the round            done     how many of the rounds looked at are settled

In rows that are mostly zero the products with zero are skipped: a sum that begins at +0 is never
-0, and adding +0 or -0 leaves it as it is. (Not so when w holds an infinity or NaN: then rows are
read whole.)
"""

from cpython.buffer cimport PyBuffer_Release
from cpython.exc cimport PyErr_CheckSignals
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.float cimport DBL_MAX
from libc.math cimport INFINITY, fabs, isfinite
from libc.string cimport memcpy, memmove, memset

from refsvm.door import yes_or_no
from refsvm.gram_matrices import finite_row, refuse_infinite

from ._basics cimport Draws, draws_of
from .lanes cimport Lanes
from ._rows cimport Rows, Source, source_of
from ._table cimport lanes, read_numbers, view_doubles

cdef enum:
    AHEAD = 4         # sums on their way at once: about the cycles that one addition takes
    CHUNK = 1024      # picks taken at once, at most
    FEW = 8           # kernel rows computed at once, at most
    WORK = 1 << 22    # products between two looks for Ctrl-C


cdef void *zeros(Py_ssize_t count, size_t size) except NULL:
    """Room for so many things, all bits 0; to be freed."""
    cdef void *room = PyMem_Calloc(count + 1, size)
    if not room:
        raise MemoryError
    return room


cdef class Doubles:
    """Room for so many doubles, zero at first."""

    def __cinit__(self, Py_ssize_t count):
        self.n, self.at = count, <double *> zeros(count, sizeof(double))

    def __dealloc__(self):
        PyMem_Free(self.at)


cdef class Examples:
    """n rows of d finite doubles, one row after the other."""

    def __dealloc__(self):
        if self.viewed:
            PyBuffer_Release(&self.view)
        PyMem_Free(self.own)
        PyMem_Free(self.first)
        PyMem_Free(self.places)

    cdef bint read(self, X) except -1:
        """Look at a matrix of doubles, or copy a list of rows; False if X is anything else."""
        cdef Py_ssize_t i
        self.viewed = view_doubles(X, 2, &self.view)
        if self.viewed:
            self.n, self.d = self.view.shape[0], self.view.shape[1]
            self.X = <const double *> self.view.buf
        elif type(X) is list or type(X) is tuple:
            self.n = len(X)
            self.d = len(X[0]) if self.n and hasattr(X[0], "__len__") else 0
            self.own = <double *> zeros(self.n * self.d, sizeof(double))
            self.X = self.own
            for i in range(self.n):
                if not read_numbers(X[i], self.d, self.own + i * self.d):
                    return False
        return self.n > 0 and self.d > 0 and not one_infinite(self.X, self.n * self.d)

    cdef int find_places(self) except -1:
        """List where the rows are not zero, if they are zero at more than half of all places."""
        cdef Py_ssize_t i, k, count = 0
        for i in range(self.n * self.d):
            count += self.X[i] != 0
        self.mostly_zero = count < self.n * self.d - count
        if not self.mostly_zero:
            return 0
        self.first = <Py_ssize_t *> zeros(self.n + 1, sizeof(Py_ssize_t))
        self.places = <Py_ssize_t *> zeros(count, sizeof(Py_ssize_t))
        count = 0
        for i in range(self.n):
            for k in range(self.d):
                if self.row(i)[k] != 0:
                    self.places[count] = k
                    count += 1
            self.first[i + 1] = count
        return 0

    cdef const double *row(self, Py_ssize_t i) noexcept nogil:
        return self.X + i * self.d

    cdef double score(self, const double *w, Py_ssize_t i) noexcept nogil:
        """w.x_i"""
        cdef const double *x = self.row(i)
        cdef double total = 0
        cdef Py_ssize_t k
        if self.mostly_zero:
            for k in range(self.first[i], self.first[i + 1]):
                total += w[self.places[k]] * x[self.places[k]]
        else:
            for k in range(self.d):
                total += w[k] * x[k]
        return total

    cdef void scores(self, const double *w, Py_ssize_t apart, const Py_ssize_t *s,
                     Py_ssize_t count, double *into) noexcept nogil:
        """The scores of the rows s; each by weights that lie so far after those before."""
        cdef Py_ssize_t j = 0
        while not self.mostly_zero and j + AHEAD <= count:
            four_dots(w + j * apart, apart, self.row(s[j]), self.row(s[j + 1]),
                      self.row(s[j + 2]), self.row(s[j + 3]), self.d, into + j)
            j += AHEAD
        while j < count:
            into[j] = self.score(w + j * apart, s[j])
            j += 1

    cdef bint pushed(self, double *w, double push, Py_ssize_t i) noexcept nogil:
        """Make w into w + push x_i, where w is finite; whether it still is."""
        cdef const double *x = self.row(i)
        cdef Py_ssize_t p, infinite = not isfinite(push)
        if self.mostly_zero:
            for p in range(self.first[i], self.first[i + 1]):
                w[self.places[p]] += push * x[self.places[p]]
                infinite |= not isfinite(w[self.places[p]])
            return not infinite
        lanes().step(w, 1, w, push, x, self.d)
        return not infinite and not one_infinite(w, self.d)

    cdef void step(self, double *into, double shrink, const double *w, double push,
                   Py_ssize_t i) noexcept nogil:
        """shrink w + push x_i. If a number becomes infinite, rows are read whole from then on."""
        cdef Py_ssize_t p
        lanes().step(into, shrink, w, push, self.row(i), self.d)
        if self.mostly_zero:
            for p in range(self.first[i], self.first[i + 1]):
                if not isfinite(into[self.places[p]]):
                    self.mostly_zero = False


cdef void four_dots(const double *w, Py_ssize_t apart, const double *x0, const double *x1,
                    const double *x2, const double *x3, Py_ssize_t d, double *into) noexcept nogil:
    """Four dots side by side: none of them waits for another."""
    cdef const double *w1 = w + apart
    cdef const double *w2 = w1 + apart
    cdef const double *w3 = w2 + apart
    cdef double total0 = 0, total1 = 0, total2 = 0, total3 = 0
    cdef Py_ssize_t k
    for k in range(d):
        total0 += w[k] * x0[k]
        total1 += w1[k] * x1[k]
        total2 += w2[k] * x2[k]
        total3 += w3[k] * x3[k]
    into[0], into[1], into[2], into[3] = total0, total1, total2, total3


cdef bint one_infinite(const double *w, Py_ssize_t d) noexcept nogil:
    """Whether a number is infinite or NaN."""
    cdef Py_ssize_t k, found = 0
    for k in range(d):
        found |= not fabs(w[k]) <= DBL_MAX
    return found


def plain_signs(y, Py_ssize_t n):
    """n labels +1 and -1, both present, as Doubles; None if they are anything else."""
    cdef Doubles found = Doubles(n)
    cdef Py_ssize_t i, positive = 0
    if not plain_list(y) or not read_numbers(y, n, found.at):
        return None
    for i in range(n):
        positive += found.at[i] == 1
        if fabs(found.at[i]) != 1:
            return None
    return found if 0 < positive < n else None


def plain_values(y, Py_ssize_t n):
    """n finite numbers as Doubles; None if they are anything else."""
    cdef Doubles found = Doubles(n)
    if not n or not plain_list(y) or not read_numbers(y, n, found.at) or one_infinite(found.at, n):
        return None
    return found


cdef bint plain_list(y):
    return type(y) is list or type(y) is tuple


cdef list list_of(const double *w, Py_ssize_t d):
    cdef Py_ssize_t k
    return [w[k] for k in range(d)]


cdef Py_ssize_t chunk(Py_ssize_t work):
    """How many picks to take at once, if each needs so many products."""
    return max(1, min(CHUNK, WORK // work))


def examples(X):
    """The Examples of a list of rows of numbers, or of a matrix of doubles; None of others."""
    cdef Examples found = Examples()
    if not found.read(X):
        return None
    found.find_places()
    return found


# Pegasos


cdef struct Pegasos:
    double *w           # w_t, and room for the AHEAD iterates that follow
    double *total       # w_1 + ... + w_{t-1}
    double lam, t
    double *y
    const Lanes *lanes
    double *rests       # 1 if the example did not push when it was last picked, else 0


cdef Py_ssize_t pegasos_rounds(Pegasos *run, Examples X, const Py_ssize_t *s,
                               Py_ssize_t ahead) noexcept nogil:
    """Rounds t, ..., t + ahead - 1, though none after a surprise; how many were settled.

    The iterates that follow from what is expected are laid out in run.w, and hold as far as the
    expectation does.
    """
    cdef double scores[AHEAD]
    cdef double rests
    cdef Py_ssize_t j, d = X.d
    for j in range(ahead):
        pegasos_step(run, X, s[j], j)
    X.scores(run.w, d, s, ahead, scores)
    for j in range(ahead):
        rests = not run.y[s[j]] * scores[j] < 1
        if rests != run.rests[s[j]]:
            run.rests[s[j]] = rests
            pegasos_step(run, X, s[j], j)
            ahead = j + 1
            break
    run.lanes.add(run.total, run.w, ahead, d)
    return ahead


cdef void pegasos_step(Pegasos *run, Examples X, Py_ssize_t i, Py_ssize_t j) noexcept nogil:
    """w_{t+j+1} from w_{t+j}, after example i."""
    cdef double t = run.t + j
    cdef double shrink = 1 - 1 / t
    cdef double *w = run.w + j * X.d
    if run.rests[i]:
        run.lanes.shrink(w + X.d, shrink, w, X.d)
    else:
        X.step(w + X.d, shrink, w, run.y[i] / (run.lam * t), i)


def pegasos(Examples X, Doubles y, double lam, picks, wanted):
    """(w, average, W) of refsvm.pegasos for labels and lam that are checked."""
    cdef Draws draws = draws_of(picks, X.n)
    cdef bint history = yes_or_no(wanted, "history")
    cdef Py_ssize_t d = X.d
    cdef Doubles w = Doubles((AHEAD + 1) * d), total = Doubles(d)
    cdef Doubles rests = Doubles(X.n)
    cdef Pegasos run = Pegasos(w.at, total.at, lam, 1, y.at, lanes(), rests.at)
    cdef Py_ssize_t s[CHUNK]
    cdef Py_ssize_t at, count, done, j, room = chunk(d)
    cdef list W = [list_of(run.w, d)]
    while draws.left:
        count, at = draws.take(s, room), 0
        with nogil:
            while at < count:
                done = pegasos_rounds(&run, X, s + at, min(<Py_ssize_t> AHEAD, count - at))
                if history:
                    with gil:
                        for j in range(1, done + 1):
                            W.append(list_of(run.w + j * d, d))
                memcpy(run.w, run.w + done * d, d * sizeof(double))
                run.t += done
                at += done
        PyErr_CheckSignals()
    if not history:
        W = [list_of(run.w, d)]
    return W[len(W) - 1], [run.total[j] / (run.t - 1) for j in range(d)], W



# Perceptron


cdef class Mistakes:
    """How often each example was decided wrongly, and which were not since the last mistake."""

    def __cinit__(self, Py_ssize_t n):
        self.counts = <Py_ssize_t *> zeros(n, sizeof(Py_ssize_t))
        self.seen = <Py_ssize_t *> zeros(n, sizeof(Py_ssize_t))
        self.all, self.right, self.n = 0, 0, n

    def __dealloc__(self):
        PyMem_Free(self.counts)
        PyMem_Free(self.seen)

    cdef void wrong(self, Py_ssize_t i) noexcept nogil:
        self.counts[i] += 1
        self.all += 1
        self.right = 0

    cdef void fine(self, Py_ssize_t i) noexcept nogil:
        if self.seen[i] != self.all + 1:
            self.seen[i] = self.all + 1
            self.right += 1

    cdef tuple told(self):
        """The last fields of a Perceptron: counts, mistakes, converged."""
        cdef Py_ssize_t i
        return [self.counts[i] for i in range(self.n)], self.all, self.right == self.n


cdef Py_ssize_t perceptron_rounds(Examples X, const double *y, const Py_ssize_t *s,
                                  Py_ssize_t ahead, double *w, Mistakes mistakes) noexcept nogil:
    """The next `ahead` picks, though none after a mistake; how many were settled."""
    cdef double scores[AHEAD]
    cdef Py_ssize_t j
    X.scores(w, 0, s, ahead, scores)
    for j in range(ahead):
        if y[s[j]] * scores[j] <= 0:
            X.step(w, 1, w, y[s[j]], s[j])
            mistakes.wrong(s[j])
            return j + 1
        mistakes.fine(s[j])
    return ahead


def perceptron(Examples X, Doubles y, picks):
    """The fields of refsvm.perceptron for labels that are checked."""
    cdef Draws draws = draws_of(picks, X.n)
    cdef Doubles w = Doubles(X.d)
    cdef Mistakes mistakes = Mistakes(X.n)
    cdef Py_ssize_t s[CHUNK]
    cdef Py_ssize_t at, count, room = chunk(X.d)
    while draws.left:
        count, at = draws.take(s, room), 0
        with nogil:
            while at < count:
                at += perceptron_rounds(X, y.at, s + at, min(<Py_ssize_t> AHEAD, count - at),
                                        w.at, mistakes)
        PyErr_CheckSignals()
    return list_of(w.at, X.d), *mistakes.told()


# LMS


cdef double take_errors(Examples X, const double *y, const double *w,
                        double *errors) except? -1 nogil:
    """errors_i = y_i - w.x_i for all i; half the sum of their squares."""
    cdef Py_ssize_t s[CHUNK]
    cdef double squares = 0
    cdef Py_ssize_t i = 0, j, count
    while i < X.n:
        count = min(<Py_ssize_t> CHUNK, 1 + WORK // X.d, X.n - i)
        for j in range(count):
            s[j] = i + j
        X.scores(w, 0, s, count, errors + i)
        i += count
        with gil:
            PyErr_CheckSignals()
    for i in range(X.n):
        errors[i] = y[i] - errors[i]
        squares += errors[i] * errors[i]
    return squares / 2


cdef int combine(Examples X, const double *errors, double *totals) except -1 nogil:
    """totals_k = the sum of errors_i X_ik in the order of i."""
    cdef Py_ssize_t i
    memset(totals, 0, X.d * sizeof(double))
    for i in range(X.n):
        lanes().step(totals, 1, totals, errors[i], X.row(i), X.d)
        if i * X.d % WORK < X.d:
            with gil:
                PyErr_CheckSignals()
    return 0


cdef int too_far(double rate, t) except -1:
    """Refuse a rate whose step t led out of the doubles, in the oracle's words."""
    from refsvm.online.lms import settled

    settled([INFINITY], rate, t)
    return 0


def lms(Examples X, Doubles y, double rate, steps):
    """(w, losses) of refsvm.lms."""
    cdef Doubles w = Doubles(X.d), totals = Doubles(X.d), errors = Doubles(X.n)
    cdef double loss
    cdef list losses = []
    for t in range(steps):
        with nogil:
            loss = take_errors(X, y.at, w.at, errors.at)
            combine(X, errors.at, totals.at)
            lanes().step(w.at, 1, w.at, rate, totals.at, X.d)
        losses.append(loss)
        if one_infinite(w.at, X.d):
            too_far(rate, t)
    return list_of(w.at, X.d), losses


def kernel_lms(Examples K, Doubles y, double rate, steps):
    """(beta, losses) of refsvm.kernel_lms, the rows of K being those of the Gram matrix."""
    cdef Doubles beta = Doubles(K.n), errors = Doubles(K.n)
    cdef double loss
    cdef list losses = []
    for t in range(steps):
        with nogil:
            loss = take_errors(K, y.at, beta.at, errors.at)
            lanes().step(beta.at, 1, beta.at, rate, errors.at, K.n)
        losses.append(loss)
        if one_infinite(beta.at, K.n):
            too_far(rate, t)
    return list_of(beta.at, K.n), losses


def stochastic_lms(Examples X, Doubles y, double rate, picks, bint on_coefficients):
    """(w, losses) of refsvm.stochastic_lms; or, if X is a Gram matrix, of its kernel form."""
    cdef Draws draws = draws_of(picks, X.n)
    cdef Doubles w = Doubles(X.d)
    cdef Py_ssize_t s[CHUNK]
    cdef double seen[CHUNK]
    cdef Py_ssize_t j, count, room = chunk(X.d)
    cdef bint infinite = False
    cdef list losses = []
    while draws.left and not infinite:
        count = draws.take(s, room)
        with nogil:
            for j in range(count):
                seen[j] = y.at[s[j]] - X.score(w.at, s[j])
                if on_coefficients:
                    w.at[s[j]] += rate * seen[j]
                    infinite = not isfinite(w.at[s[j]])
                else:
                    infinite = not X.pushed(w.at, rate * seen[j], s[j])
                if infinite:
                    count = j
                    break
        losses += [error * error / 2 for error in seen[:count]]
        PyErr_CheckSignals()
    if infinite:
        draws.left = 0
        too_far(rate, len(losses))
    return list_of(w.at, X.d), losses


include "kernel_online.pxi"
