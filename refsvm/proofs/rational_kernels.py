"""The exact problem behind a problem on floats: every number given is the fraction it is.

A double is a whole number over a power of two, so a problem on floats states, to the last digit,
one problem on Fractions: these rows, these prices, this kernel. That one has an optimum which no
rounding has touched, and it is the one that every proof here is about.
"""

from fractions import Fraction

from ..svm.problem import require_problem


def exact(problem):
    """The same Problem on Fractions: rows, C and the parameters of the kernel.

    TypeError if the kernel has no values on Fractions (Gaussian, Sigmoid, and what is made of
    them). O(n d).

    >>> from refsvm.svm.problem import Problem
    >>> exact(Problem([[0.5], [2]], [-1, 1], C=0.1)).C[0]
    Fraction(3602879701896397, 36028797018963968)
    """
    problem = require_problem(problem)
    if not rational(problem.kernel):
        raise TypeError(
            f"problem has the kernel {problem.kernel!r}, whose values are no Fractions;"
            " solve_exactly(problem, bits=64) encloses its optimum"
        )
    return problem.to(Fraction)


def rational(kernel):
    """Whether the kernel takes Fractions to Fractions.

    >>> from refsvm.kernels.standard import Gaussian, Linear
    >>> rational(Linear()), rational(Linear() + Gaussian(1))
    (True, False)
    """
    try:
        kernel.to(Fraction)
    except TypeError:
        return False
    return True
