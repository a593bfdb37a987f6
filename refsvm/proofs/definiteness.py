"""Are the kernel values those of inner products? Only then has the machine an optimum to prove.

For most kernels the formula says so: sums and products of inner products with coefficients that
are not negative. For any other the matrix of the examples is asked. If it is positive definite a
factorisation with rounding mostly proves that (fixed_point.py). If not, elimination without any
rounding decides (mercer_condition.py), which takes a rank's worth of steps.
"""

from ..kernels.base import Combination, Multiple
from ..kernels.mercer_condition import negative_direction, whole_numbers
from ..kernels.standard import Gaussian, Linear, MonomialSum, Polynomial
from ..kernels.strings import Spectrum
from ..numerics.fixed_point import eigenvalue_lower_bound
from ..numerics.linalg import first_asymmetry

BITS = 64


def refuse_indefinite(problem):
    """ValueError with the witness unless the kernel matrix is positive semidefinite.

    At no cost where the kernel's formula is known; otherwise O(n^3), and where the matrix is
    singular, or nearly, O(n n r) products of whole numbers that grow, r being its rank.
    """
    if inner_product(problem.kernel):
        return
    row = problem.kernel_rows()
    K = [row(x) for x in problem.rows]
    refuse_asymmetric(K)
    if not surely_definite(K):
        v = negative_direction(whole_numbers(K))
        if v is not None:
            raise indefinite(v)


def refuse_asymmetric(K):
    """ValueError unless the kernel values are symmetric."""
    place = first_asymmetry(K)
    if place:
        i, j = place
        raise ValueError(
            f"the kernel value of examples {i} and {j} is {K[i][j]}, and that of {j} and {i} is"
            f" {K[j][i]}; a kernel is symmetric"
        )


def surely_definite(K):
    """Whether K, symmetric and on Fractions, is proved positive definite in fixed point.

    What is factored is less than a unit off in each element, which cannot lower v'Kv by more than
    n units times |v|^2.

    >>> surely_definite([[5, 4], [4, 5]]), surely_definite([[4, 4], [4, 4]])
    (True, False)
    """
    whole = whole_numbers(K)
    top = max(row[i] for i, row in enumerate(whole))
    if top <= 0:
        return False
    A = [[(v << BITS) // top for v in row] for row in whole]
    return eigenvalue_lower_bound(A, BITS) * (1 << BITS) > len(K)


def indefinite(v):
    """The refusal of a kernel matrix for which v is the witness."""
    v = ", ".join(map(str, v))
    return ValueError(f"the kernel matrix K is not positive semidefinite: v'Kv < 0 for v = {v}")


def inner_product(kernel):
    """Whether the kernel's formula alone says that it is an inner product of features.

    >>> inner_product(Linear() * Polynomial(2, coef0=1)), inner_product(Polynomial(1, gamma=-1))
    (True, False)
    """
    if isinstance(kernel, Combination):
        return inner_product(kernel.left) and inner_product(kernel.right)
    if isinstance(kernel, Multiple):
        return inner_product(kernel.kernel)
    if isinstance(kernel, Polynomial):
        return kernel.gamma >= 0 and kernel.coef0 >= 0
    return isinstance(kernel, (Gaussian, Linear, MonomialSum, Spectrum))
