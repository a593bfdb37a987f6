"""The quadratic program that the dual of every support vector machine is.

    minimise   1/2 beta' K beta - target' beta
    such that  lower_i <= beta_i <= upper_i        and, if tied, sum beta_i keeps its value

With a_i = y_i beta_i this is the usual  min 1/2 a'Qa + p'a,  y'a = delta,  0 <= a_i <= C_i:
Q_ij = y_i y_j K_ij, p_i = -y_i target_i, delta is the sum of `start`, and an example has the
bounds 0 .. C_i where y_i = +1 and -C_i .. 0 where y_i = -1. In beta no label is left, and:

    machine           target_i              bounds of beta_i          tied
    classification    y_i                   0 .. y_i C_i              with an offset
    regression        value -+ epsilon      two variables an example  with an offset
    one class         0                     0 .. 1                    yes, sum = nu n
"""

from collections import OrderedDict
from typing import Any, NamedTuple

from ..gram_matrices import finite_row, refuse_infinite
from ..kernel_algebra import norms_of

BYTES_A_NUMBER = 32  # a list holds a pointer (8 bytes) and the float it points to (24)


class Program(NamedTuple):
    """The data of the program; rows is a KernelRows, tied a bool, the others lists of n."""

    rows: Any
    target: list
    lower: list
    upper: list
    tied: bool
    start: list


class KernelRows:
    """The rows of K (with the ridge on its diagonal), computed when asked for.

    The rows used last are kept, as many as fit into cache_mb megabytes and at least two. How many
    fit changes no bit of any answer.
    """

    def __init__(self, problem, cache_mb):
        self.points = problem.rows
        self.compute = problem.kernel_rows()
        self.bounded = problem.kernel.bounded
        self.ridge = problem.ridge()
        norms = norms_of(problem.kernel, problem.rows, problem.kind)
        for i, norm in enumerate(norms):
            refuse_infinite(norm, i, i)
        self.diagonal = [k + c for k, c in zip(norms, self.ridge)]
        row = BYTES_A_NUMBER * problem.n
        room = min(float(cache_mb) * 1024 * 1024, row * problem.n)  # which may be infinite
        self.room = max(2, int(room // row))
        self.kept = OrderedDict()

    def row(self, i):
        """[K_ij for every j]. ValueError if a value is not finite."""
        if i in self.kept:
            self.kept.move_to_end(i)
            return self.kept[i]
        row = self.compute(self.points[i])
        if not self.bounded:
            finite_row(row, i)
        row[i] += self.ridge[i]
        if len(self.kept) >= self.room:
            self.kept.popitem(last=False)
        self.kept[i] = row
        return row
