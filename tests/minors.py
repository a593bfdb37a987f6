"""Determinants the long way, and what they say: small, slow, and independent of refsvm."""


def determinant(A):
    """By expansion along the first row."""
    if not A:
        return 1
    total = 0
    for j, a in enumerate(A[0]):
        minor = determinant([row[:j] + row[j + 1 :] for row in A[1:]])
        total += minor * (a if j % 2 == 0 else -a)
    return total


def has_no_negative_principal_minor(A):
    """True exactly for the positive semidefinite; the leading minors alone would not do."""
    n = len(A)
    for chosen in range(2**n):
        picked = [i for i in range(n) if chosen >> i & 1]
        if determinant([[A[i][j] for j in picked] for i in picked]) < 0:
            return False
    return True
