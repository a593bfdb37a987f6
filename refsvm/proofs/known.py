"""What is known of a problem's kernel values: fractions, and how far they may be off.

Where kernel values are fractions they are known, and off by nothing. A Gaussian's are not; but
each can be rounded to a fraction that is off by one radius at most (rounded_problem.py). So what
is computed from those is off by no more than

    radius |beta|              a score s_i = sum_j beta_j K_ij, where |beta| = sum_j |beta_j|
    radius |beta| |beta|       |w|^2 = sum_ij beta_i beta_j K_ij

which is all it takes to round a primal value up and a dual value down: see certified_bounds.py.

    K    kernel values, or rounded ones                    w    sum beta_i phi(x_i)
"""

from fractions import Fraction
from functools import cache
from math import inf
from typing import Any, NamedTuple

from ..kernels.gram_matrices import refuse_other_sort, refuse_string
from ..kernels.standard import Precomputed
from ..numerics.exact_sums import ScaledIntegers
from ..numerics.intervals import point_interval
from ..numerics.validation import same_length, to_number, vector
from ..svm.problem import Problem, require_problem
from .definite_kernels import refuse_unless_definite
from .definiteness import refuse_indefinite
from .enclosures import enclosing, on_fractions
from .rational_kernels import exact, rational
from .rounded_problem import Rounded, centres
from .whole_rows import WholeRows

BITS = 128  # of enclosed values: beyond what the 53 of a double can spoil


class Known(NamedTuple):
    """A problem on Fractions, and what its numbers stand for.

    problem    the exact problem; where kernel values are enclosed, that of rounded ones
    row        the function that takes i to row i of its kernel matrix, ScaledIntegers
    radius     how far each of its kernel values may be from the true one
    kernel     the true kernel               rows    the true rows, Fractions or strings
    """

    problem: Problem
    row: Any
    radius: Fraction
    kernel: Any
    rows: list

    @classmethod
    def of(cls, problem, radius, kernel, rows):
        """The Known of these, with the function that makes its rows."""
        return cls(problem, row_of(problem), radius, kernel, rows)

    def __reduce__(self):  # that function cannot be pickled, nor copied, but made anew
        return Known.of, (self.problem, self.radius, self.kernel, self.rows)

    def intervals_at(self, x, norm2=None):
        """(Intervals of k(x_i, x) for each example, Interval of k(x, x)). O(n d).

        With Precomputed, x is the list of the k(x_i, x), and norm2 must be given: k(x, x).
        """
        if isinstance(self.kernel, Precomputed):
            return given_values(x, norm2, len(self.rows))
        if norm2 is not None:
            raise TypeError(f"norm2 is {norm2!r}; {self.kernel!r} computes it itself")
        x = self.read(x)
        own, *values = enclosing(self.kernel, [x, *self.rows])(x, BITS, len(self.rows) + 1)
        return values, own

    def read(self, x):
        """x as a row like those of the examples, refused if it is none."""
        refuse_string(self.kernel, x, "x")
        refuse_other_sort(x, self.rows, "x")
        if isinstance(x, str):
            return x
        x, width = vector(x, "x", Fraction), len(self.rows[0])
        if len(x) != width:
            raise ValueError(f"x has length {len(x)}; the rows of X have length {width}")
        return x


def known(problem):
    """The Known of a Problem; ValueError if its kernel matrix is not positive semidefinite.

    >>> from refsvm.kernels.standard import Gaussian
    >>> known(Problem([[0.5], [2]], [-1, 1])).problem.X[0]
    [Fraction(1, 2)]
    >>> known(Problem([[0], [1]], [-1, 1], Gaussian(1))).radius == Fraction(1, 2**128)
    True
    """
    kernel = require_problem(problem).kernel
    rows = on_fractions(problem.X)
    if rational(kernel):
        problem = exact(problem)
        refuse_indefinite(problem)
        return Known.of(problem, Fraction(0), problem.kernel, rows)
    refuse_unless_definite(problem)
    values, unit = centres(problem, BITS), Fraction(1, 1 << BITS)
    indices = [[Fraction(i)] for i in range(problem.n)]
    C = [c if c == inf else Fraction(c) for c in problem.C]
    stand_in = Problem(indices, problem.y, Rounded(values, BITS), C, problem.bias, problem.slack)
    return Known.of(stand_in, unit, kernel, rows)


def row_of(problem):
    """The function that takes i to row i of an exact problem's kernel matrix, ScaledIntegers."""
    kernel = problem.kernel
    if isinstance(kernel, Rounded):
        return lambda i: ScaledIntegers(kernel.values[i], kernel.unit.denominator)
    return cache(WholeRows(problem, ridge=False).row)


def given_values(x, norm2, n):
    """The values that a caller of Precomputed brings, as Intervals that hold one number."""
    values = vector(x, "x", Fraction)
    same_length(values, n, "x")
    if norm2 is None:
        raise TypeError("norm2 is None; with Precomputed it must be the kernel value of x and x")
    return list(map(point_interval, values)), point_interval(to_number(Fraction, norm2, "norm2"))
