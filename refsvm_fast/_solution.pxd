# What every solver ends with; see _solution.pyx.

cdef enum Restored:
    INEXACT, EXACT, NOT_TOLD

cdef Restored restore_exact_sum(double *beta, const double *lower, const double *upper,
                                const double *norms, long n, object s,
                                bint linear) except? NOT_TOLD
