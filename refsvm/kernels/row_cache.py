"""The rows of a problem's kernel matrix, computed when needed and kept as memory allows.

The kernel matrix of n examples has n^2 numbers, too many to keep for large n. A solver of the dual
reads it a row at a time, and comes back to some rows again and again. KernelRows computes a row
when it is asked for, and keeps the rows used last. A KernelBlock has the rows of a few examples,
among these alone.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from ..numerics.types import Vector
from .gram_matrices import finite_row, refuse_infinite

BYTES_A_NUMBER = 32  # a list holds a pointer (8 bytes) and the float it points to (24)


class KernelRows:
    """The rows of K, with the ridge of the problem added to the diagonal.

    The rows used last are kept: as many as fit into cache_mb megabytes, and at least two. How many
    fit changes no bit of any answer.

    diagonal    [K_ii for every i], with the ridge
    """

    def __init__(self, problem: Any, cache_mb: float) -> None:
        self.rows = problem.rows
        self.compute = problem.kernel_rows()
        self.bounded = problem.kernel.bounded
        self.ridge = problem.ridge()
        self.diagonal = [k + c for k, c in zip(problem.squared_norms(), self.ridge)]
        row_bytes = BYTES_A_NUMBER * problem.n
        cache_bytes = min(float(cache_mb) * 1024 * 1024, row_bytes * problem.n)  # may be infinite
        self.capacity = max(2, int(cache_bytes // row_bytes))
        self.kept: OrderedDict[int, Vector] = OrderedDict()

    def row(self, i: int) -> Vector:
        """[K_ij for every j]. ValueError if a value is not finite."""
        if i in self.kept:
            self.kept.move_to_end(i)
            return self.kept[i]
        row: Vector = self.compute(self.rows[i])
        if not self.bounded:
            finite_row(row, i)
        row[i] += self.ridge[i]
        if len(self.kept) >= self.capacity:
            self.kept.popitem(last=False)
        self.kept[i] = row
        return row


class VariableRows:
    """The rows of K for variables that stand for examples; several may stand for the same one.

    of    the example of each variable
    """

    def __init__(self, rows: Any, of: list[int]) -> None:
        self.rows, self.of = rows, of
        self.diagonal = [rows.diagonal[i] for i in of]

    def row(self, k: int) -> Vector:
        """Row k: the kernel values of its example with those of all variables."""
        row = self.rows.row(self.of[k])
        return [row[i] for i in self.of]


class KernelBlock:
    """The rows of K among some examples, with the ridge on the diagonal; all computed at once.

    An example may occur twice, then it has no ridge. diagonal: K_ii of these
    """

    def __init__(self, problem: Any, examples: list[int], diagonal: Vector) -> None:
        row, ridge = problem.kernel_rows(examples), problem.ridge()
        self.rows = [row(problem.rows[i]) for i in examples]
        for a, i in enumerate(examples):
            for j, value in zip(examples, self.rows[a]):
                refuse_infinite(value, i, j)
            self.rows[a][a] += ridge[i]
        self.diagonal = diagonal

    def row(self, a: int) -> Vector:
        """[K_ij for every j of these], where i is number a among them."""
        row: Vector = self.rows[a]
        return row
