"""What other compiled modules ask of the draws and of the strings; see _basics.pyx."""

from libc.stdint cimport int64_t, uint32_t, uint64_t


cdef class Words:
    cdef uint64_t state


cdef class Draws:
    cdef Py_ssize_t n                 # every index is below n
    cdef unsigned long long left      # how many are still to come

    cdef Py_ssize_t take(self, Py_ssize_t *into, Py_ssize_t room) except -1
    cdef void fill(self, Py_ssize_t *into, Py_ssize_t count) noexcept


cdef Draws draws_of(picks, Py_ssize_t n)


cdef class Names:
    cdef uint64_t *pairs
    cdef uint32_t *names      # 0 where a place is free
    cdef uint64_t places      # a power of two
    cdef uint32_t count       # how many names there are: LETTERS, LETTERS + 1, ...
    cdef uint32_t *slots      # for each name, while a string is counted: 1 + where it is counted

    cdef int make_room(self, uint64_t places) except -1
    cdef uint64_t place(self, uint64_t pair) noexcept
    cdef uint32_t name(self, uint32_t first, uint32_t last, bint give) except 0


cdef class WordCounts:
    cdef readonly Py_ssize_t length, n
    cdef Names names
    cdef dict tallies         # of the points
    cdef Py_ssize_t *first
    cdef Py_ssize_t *holders
    cdef int64_t *counts

    cdef int values(self, str x, double *into) except -1
    cdef double norm(self, str x) except -1


cdef WordCounts counts_of(kernel, points)
