# What every solver ends with; see _solution.pyx.

cdef bint restore_exact_sum(double *beta, const double *lower, const double *upper,
                            const double *norms, long n, object s, bint linear) except -1
