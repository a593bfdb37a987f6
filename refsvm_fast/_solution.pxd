# What every solver ends with; see _solution.pyx.

from .loops cimport i64


cdef bint restore_exact_sum(double *beta, const double *lower, const double *upper,
                            const double *norms, i64 n, object s, bint linear) except -1


cdef struct PlainEnding:
    # Of an answer of classification: what is known of it,
    bint offset, linear           # whether there is an offset, and whether w is kept
    double tol                    # what m - M may be
    double claimed                # what it is said to be at most; infinite if nothing is said
    double carried                # what steps may have added to a residual
    # and the fields of its Solution
    double b, b_low, b_high, objective, gap, violation_at_most, optimum_at_most

cdef bint ends_plainly(PlainEnding *told, const double *beta, double *r, const double *target,
                       const double *lower, const double *upper, const double *ridge,
                       const double *C, const double *norms, i64 n, double roundings) except -1


cdef class PairRows:
    cdef i64 classes, n
    cdef i64 *members             # of all classes, one after the other
    cdef i64 *begins              # where those of a class begin
    cdef i64 *rows
    cdef double *sign
    cdef i64 take(self, i64 p, i64 q) noexcept nogil
