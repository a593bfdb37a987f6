"""Vectors and matrices as lists, exact sums, exp, draws, and the validation of input."""
