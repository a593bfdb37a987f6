# What is told of a training set, and of rows that are given; see _answers.pyx and values.pxi.

from ._rows cimport Formula
from ._table cimport Queries, Reader, Table

cdef dict told_of(object problem, double *beta, const double *r)

cdef class Questions:
    cdef readonly long n, width
    cdef Reader reader
    cdef Table table
    cdef Formula formula
    cdef bint exact
    cdef int count
    cdef Queries rows

    cdef bint read(self, long begin) except -1
    cdef void measure(self, double *x, double *grain, double *reach) noexcept nogil
    cdef void values(self, long block, double *out) noexcept nogil
