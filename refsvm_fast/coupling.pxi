"""Probabilities of several classes from those of each pair, as refsvm/svm/coupling.py makes them.
Part of _solution.pyx.

    R    k by k: the probability of the class of the row, if it is that or the one of the column
    S    the linear system of k + 1 unknowns, each row with its right side
"""

cdef double MIN_PAIR_PROBABILITY = coupling.MIN_PAIR_PROBABILITY


def coupled_rows(list of_pairs, i64 k):
    """The probabilities of k classes for each row, from those of the earlier class of each pair;
    None where a pivot is 0, which is for the oracle to tell."""
    cdef i64 n = length_of_pairs(of_pairs, k), i, c
    cdef double *R = <double *>allocated(k * k * sizeof(double))
    cdef double *S = NULL
    cdef double *p = NULL
    cdef list found = [], pairs = [list(column) for column in of_pairs]
    try:
        S = <double *>allocated((k + 1) * (k + 2) * sizeof(double))
        p = <double *>allocated((k + 1) * sizeof(double))
        for i in range(n):
            fill_pairwise(R, [column[i] for column in pairs], k)
            if k == 2:
                found.append([R[1], R[2]])
                continue
            fill_coupling(S, R, k)
            if not solved_system(S, p, k + 1):
                return None
            found.append([not_negative(p[c], p[0] * 0.0) for c in range(k)])
    finally:
        release(R)
        release(S)
        release(p)
    return found


cdef i64 length_of_pairs(list of_pairs, i64 k) except -1:
    """The number of rows: each of the k (k - 1) / 2 pairs has as many."""
    lengths = set(map(len, of_pairs))
    if k < 2 or len(of_pairs) != k * (k - 1) // 2 or len(lengths) != 1:
        raise ValueError("each pair of two or more classes needs the probabilities of all rows")
    return lengths.pop()


cdef double not_negative(double value, double zero) noexcept nogil:
    """Python's max(zero, value)."""
    return value if value > zero else zero


cdef int fill_pairwise(double *R, list probabilities, i64 k) except -1:
    """coupling.pairwise."""
    cdef i64 p, q, at = 0
    cdef double r
    for p in range(k):
        R[p * k + p] = 0
        for q in range(p + 1, k):
            r = probabilities[at]
            at += 1
            r = MIN_PAIR_PROBABILITY if MIN_PAIR_PROBABILITY > r else r
            r = 1 - MIN_PAIR_PROBABILITY if 1 - MIN_PAIR_PROBABILITY < r else r
            R[p * k + q], R[q * k + p] = r, 1 - r
    return 0


cdef void fill_coupling(double *S, const double *R, i64 k) noexcept nogil:
    """coupling_matrix(R), below and beside it ones, and the right side."""
    cdef i64 i, j, s, width = k + 2
    cdef double total
    for i in range(k):
        for j in range(k):
            S[i * width + j] = -R[j * k + i] * R[i * k + j]
        total = 0
        for s in range(k):
            if s != i:
                total += R[s * k + i] * R[s * k + i]
        S[i * width + i], S[i * width + k], S[i * width + k + 1] = total, 1, 0
        S[k * width + i] = 1
    S[k * width + k], S[k * width + k + 1] = 0, 1


cdef bint solved_system(double *S, double *x, i64 n) noexcept nogil:
    """factorisations.solve of n rows of n + 1 numbers; whether no pivot is 0."""
    cdef i64 i, j, k, p, width = n + 1
    cdef double factor, total
    for j in range(n):
        p = j
        for i in range(j + 1, n):
            if fabs(S[i * width + j]) > fabs(S[p * width + j]):
                p = i
        for k in range(width):
            S[j * width + k], S[p * width + k] = S[p * width + k], S[j * width + k]
        if S[j * width + j] == 0:
            return False
        for i in range(j + 1, n):
            factor = -(S[i * width + j] / S[j * width + j])
            for k in range(j + 1, width):
                S[i * width + k] += factor * S[j * width + k]
    for i in range(n - 1, -1, -1):
        total = 0
        for k in range(i + 1, n):
            total += S[i * width + k] * x[k]
        x[i] = (S[i * width + n] - total) / S[i * width + i]
    return True
