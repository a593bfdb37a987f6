"""Solvers of the dual and the primal: SMO and others; quadratic programs."""
