"""Numbers, vectors and matrices as lists, and the validation of input: what all else stands on."""
