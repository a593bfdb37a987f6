"""Are the kernel values those of inner products? Only then has the machine an optimum to prove.

For most kernels the formula says so: sums and products of inner products with coefficients that
are not negative. For any other the matrix of the examples is asked (definiteness.py).
"""

from ..definiteness import mercer
from ..kernel_algebra import Combination, Multiple
from ..kernels import Gaussian, Linear, MonomialSum, Polynomial
from ..strings import Spectrum


def refuse_indefinite(problem):
    """ValueError with the witness unless the kernel matrix is positive semidefinite.

    At no cost where the kernel's formula is known, otherwise as mercer.
    """
    if inner_product(problem.kernel):
        return
    row = problem.kernel_rows()
    found = mercer([row(x) for x in problem.rows])
    if not found.symmetric:
        i, j = found.witness
        raise ValueError(f"the kernel value of examples {i} and {j} is not that of {j} and {i}")
    if not found.psd:
        raise indefinite(found.witness)


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
