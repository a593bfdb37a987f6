"""Rows of the kernel matrix of a problem, computed when asked for and kept as memory allows."""

from collections import OrderedDict

from .base import norms_of
from .gram_matrices import finite_row, refuse_infinite

BYTES_A_NUMBER = 32  # a list holds a pointer (8 bytes) and the float it points to (24)


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
