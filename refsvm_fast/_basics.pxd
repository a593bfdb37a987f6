"""What other compiled modules ask of the draws and of the strings; see _basics.pyx."""

from libc.stdint cimport int64_t, uint32_t, uint64_t


cdef void *zeroed(size_t count, size_t size) except NULL


cdef class Words:
    cdef uint64_t state


cdef class Draws:
    cdef Py_ssize_t n                 # every index is below n
    cdef unsigned long long left      # how many are still to come

    cdef Py_ssize_t take(self, Py_ssize_t *into, Py_ssize_t room) except -1
    cdef void fill(self, Py_ssize_t *into, Py_ssize_t count) noexcept
    cdef Draws moved(self)


cdef Draws draws_of(picks, Py_ssize_t n)


cdef class Names:
    cdef uint64_t *pairs      # in each place a pair of numbers, the first in the upper half,
    cdef uint32_t *names      # and its name; 0 where the place is free
    cdef uint64_t places      # a power of two
    cdef uint32_t count       # how many names there are: LETTERS, LETTERS + 1, ...
    cdef uint32_t *slots      # of each name, while a string is counted: 1 + where; 0 elsewhere

    cdef int make_room(self, uint64_t places) except -1
    cdef uint64_t place(self, uint64_t pair) noexcept
    cdef uint32_t name(self, uint32_t first, uint32_t last, bint give) except 0


cdef class WordCounts:
    cdef readonly Py_ssize_t length, n  # letters of a word; points
    cdef Names names
    cdef dict tallies         # the Tally of each point
    cdef Py_ssize_t *first    # of a word: where its holders begin; one more
    cdef Py_ssize_t *holders  # which points have it,
    cdef int64_t *counts      # and how often

    cdef int values(self, str x, double *into) except -1
    cdef double norm(self, str x) except -1


cdef WordCounts counts_of(kernel, points)
