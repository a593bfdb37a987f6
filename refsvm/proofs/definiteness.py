"""Are the kernel values those of inner products? Only then has the machine an optimum to prove.

For most kernels the formula says so: sums and products of inner products with coefficients that
are not negative. For any other the matrix of the examples decides.

Where kernel values are fractions: if the matrix is positive definite a factorisation with rounding
mostly proves that (fixed_point.py). If not, elimination without any rounding decides
(mercer_condition.py), which takes a rank's worth of steps.

Where kernel values are intervals: p bits of them are factored, and either that proves that the
matrix is positive definite, or a negative pivot shows a vector v with v'Kv < 0, which is proved on
its own. If neither, twice the bits. A matrix that is singular stays undecided, and is refused like
an indefinite one: nothing would be certain about its optimum.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd
from typing import Any

from ..kernels.gram_matrices import asymmetry
from ..kernels.mercer_condition import integer_matrix, negative_direction
from ..numerics.exact_sums import integer_dot
from ..numerics.fixed_point import FixedPointLDL, eigenvalue_lower_bound
from ..numerics.intervals import Interval, point_interval
from ..numerics.linalg import first_asymmetry
from ..numerics.quoting import quote
from ..numerics.types import MatrixLike, Number
from ..svm.training_problem import TrainingProblem
from .enclosures import fraction_rows, interval_rows
from .rounded_problem import rounded_gram

MATRIX_BITS = 64  # of a matrix of Fractions
PRECISIONS = (64, 128, 256, 512)  # bits of a matrix of intervals, one after the other
WITNESS_BITS = (2, 4, 8, 16, 32, 64)  # bits of a witness: the fewer the easier to read


def require_definite(problem: TrainingProblem) -> None:
    """Raise ValueError, with a witness, unless K, on Fractions, is semidefinite (S15.1).

    At no cost where the kernel's formula is known; otherwise O(n^3), and where the matrix is
    singular, or nearly, O(n n r) products of whole numbers that grow, r being its rank.
    """
    if problem.kernel.inner_product:
        return
    row = problem.kernel_rows()
    K = [row(x) for x in problem.rows]
    _require_symmetric(K)
    if not is_surely_definite(K):
        v = negative_direction(integer_matrix(K))
        if v is not None:
            raise _indefinite_error(v)


def _require_symmetric(K: Sequence[Sequence[Any]]) -> None:
    """Raise ValueError unless the kernel values are symmetric."""
    place = first_asymmetry(K)
    if place:
        i, j = place
        raise asymmetry(i, j, K[i][j], K[j][i])


def is_surely_definite(K: MatrixLike) -> bool:
    """Whether K, symmetric and on Fractions, is proved positive definite in fixed point.

    What is factored is less than a unit off in each element, which cannot lower v'Kv by more than
    n units times |v|^2.

    >>> is_surely_definite([[5, 4], [4, 5]]), is_surely_definite([[4, 4], [4, 4]])
    (True, False)
    """
    whole = integer_matrix(K)
    top = max(row[i] for i, row in enumerate(whole))
    if top <= 0:
        return False
    A = [[(v << MATRIX_BITS) // top for v in row] for row in whole]
    return eigenvalue_lower_bound(A, MATRIX_BITS) * (1 << MATRIX_BITS) > len(K)


def _indefinite_error(v: Iterable[Number]) -> ValueError:
    """The error that refuses a kernel matrix for which v is the witness."""
    witness = ", ".join(map(str, v))
    return ValueError(
        f"the kernel matrix K is not positive semidefinite: v'Kv < 0 for v = {witness}"
    )


def require_definite_enclosed(problem: TrainingProblem) -> None:
    """Raise ValueError unless K, known as intervals, is proved positive semidefinite (S17.6).

    Examples with the same features count once, those without features not at all.
    """
    if problem.kernel.inner_product:
        return
    X = fraction_rows(problem.points)
    row = interval_rows(problem.kernel, X)
    K = [row(x, PRECISIONS[0], problem.n) for x in X]
    _require_symmetric(K)
    places: dict[tuple[Number, ...], int] = {}
    for i, x in enumerate(problem.points):
        if K[i][i] == point_interval(0):
            _require_zeros(K, i)
        else:
            places.setdefault(tuple(x), i)
    for p in PRECISIONS:
        values = rounded_gram(problem, p)
        A = [[values[i][j] for j in places.values()] for i in places.values()]
        # An error of one unit in each element lowers an eigenvalue by at most n units.
        if eigenvalue_lower_bound(A, p) * (1 << p) > len(A):
            return
        v = _negative_direction_enclosed(A, p)
        if v is not None:
            witness = dict(zip(places.values(), v))
            raise _indefinite_error(witness.get(i, 0) for i in range(problem.n))
    raise ValueError(
        f"the kernel matrix of {quote(problem.kernel)} could be neither proved nor refuted to be"
        f" positive semidefinite with {PRECISIONS[-1]} bits"
    )


def _require_zeros(K: Sequence[Sequence[Interval]], i: int) -> None:
    """Raise ValueError unless row i is 0, as it must be where K_ii is, with a witness.

    With b = K_ij not 0, v_j = 1 and v_i = t of the other sign, v'Kv = K_jj - 2 t |b|.
    """
    for j, b in enumerate(K[i]):
        if b == point_interval(0):
            continue
        least = max(b.low, -b.high)
        if least <= 0:
            raise ValueError(
                f"the kernel value of example {i} is 0, and that of {i} and {j} could not be told"
                f" from 0 with {PRECISIONS[0]} bits"
            )
        v = [0] * len(K)
        t = max(K[j][j].high, Fraction(0)) // (2 * least) + 1
        v[i], v[j] = int(-t if b.low > 0 else t), 1
        raise _indefinite_error(v)


def _negative_direction_enclosed(K: Sequence[Sequence[int]], p: int) -> list[int] | None:
    """Whole numbers v with v'Kv < 0 for every matrix at most 1 unit off K; None if not found.

    A row that is left out of the factors has a pivot that is not positive: its v makes Kv zero at
    all the rows that were kept.
    """
    factor = FixedPointLDL(K, p)
    for i in set(range(len(K))) - set(factor.kept):
        v = [0] * len(K)
        v[i] = 1 << p
        for k, u in zip(factor.kept, factor.solve([K[i][k] for k in factor.kept])):
            v[k] = -u
        for digits in WITNESS_BITS:
            rounded = [c >> p - digits for c in v]
            size = integer_dot(map(abs, rounded), [1] * len(K))  # its square is what units may add
            if integer_dot(rounded, [integer_dot(row, rounded) for row in K]) + size * size < 0:
                return [c // gcd(*rounded) for c in rounded]
    return None
