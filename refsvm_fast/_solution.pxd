# What every solver ends with; see _solution.pyx.

cdef dict solution_fields(object problem, double *beta, const double *r)
