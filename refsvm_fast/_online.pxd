"""Rows of numbers, one after the other, for learners that take one at a time; see _online.pyx."""

cimport cython

from ._table cimport Reader


cdef class Doubles:
    cdef readonly Py_ssize_t n
    cdef double *at


@cython.final
cdef class Examples:
    cdef readonly Py_ssize_t n, d
    cdef const double *X      # row after row; NULL if they are mostly zero
    cdef double *own          # the memory of X, to be freed, unless X lies in
    cdef Reader reader        # what the caller gave
    cdef bint mostly_zero     # whether rows are listed: row i from first[i] up to first[i + 1]
    cdef Py_ssize_t *first
    cdef int *places          # the features that are not zero,
    cdef double *values       # and their values; then zeros, in places d, d + 1, ...
    cdef bint ones            # whether every value but those zeros is 1

    cdef bint read(self, X) except -1
    cdef bint look(self) except -1
    cdef int list_dense(self, Py_ssize_t count) except -1
    cdef bint list_sparse(self) except -1
    cdef Py_ssize_t take(self, double *x, Py_ssize_t begin, Py_ssize_t count) noexcept nogil
    cdef Py_ssize_t filled_up(self, Py_ssize_t end) noexcept nogil
    cdef void look_for_ones(self) noexcept nogil
    cdef int begin_list(self, Py_ssize_t count) except -1
    cdef Doubles weights(self, Py_ssize_t count)
    cdef const double *row(self, Py_ssize_t i) noexcept nogil
    cdef inline double score(self, const double *w, Py_ssize_t i) noexcept nogil
    cdef inline double whole_score(self, const double *w, Py_ssize_t i) noexcept nogil
    cdef void scores(self, const double *w, const Py_ssize_t *s, Py_ssize_t count,
                     double *into) noexcept nogil
    cdef bint pushed(self, double *w, double amount, Py_ssize_t i) noexcept nogil
    cdef void push(self, double *w, double amount, Py_ssize_t i) noexcept nogil


@cython.final
cdef class Mistakes:
    cdef Py_ssize_t n
    cdef Py_ssize_t *counts   # c_i
    cdef Py_ssize_t *seen     # 1 + how many mistakes there were when example i was last right
    cdef Py_ssize_t all       # mistakes
    cdef Py_ssize_t right     # examples decided rightly since the last one

    cdef void wrong(self, Py_ssize_t i) noexcept nogil
    cdef void fine(self, Py_ssize_t i) noexcept nogil
    cdef tuple told(self)

