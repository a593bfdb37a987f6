# The Solution at the end of a descent; see _answers.pyx.

cdef object solution_of(object problem, double *beta, const double *r, long iterations,
                        object status, object farkas)
