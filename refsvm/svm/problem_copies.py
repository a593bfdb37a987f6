"""Copies of a Problem: in another kind of number, and in a pickle.

A pickle holds what the problem is made of. To open it makes the problem anew, and checks it.
So a pickle is the same whether the rows were packed or not, and a damaged one is refused as any
other bad argument is, before anything is computed from it.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any, TypeVar

from ..kernels.base import Kernel, as_kernel
from ..numerics.pickles import Pickled, attributes, require_state, set_attributes
from ..numerics.sparse_rows import converted
from ..numerics.types import Kind, Vector

MADE_OF = ("kind", "X", "y", "kernel", "C", "bias", "slack")
AnyProblem = TypeVar("AnyProblem", bound="Copied")


class Copied(Pickled):
    """The base of Problem that makes problems of it."""

    kind: Kind
    kernel: Kernel
    X: list[Any]
    C: Vector

    computed = ("n", "linear", "kept", "points", "point_shift", "rows")

    def __copy__(self: AnyProblem) -> AnyProblem:
        other = type(self).__new__(type(self))
        set_attributes(other, attributes(self))
        return other

    def __setstate__(self, state: Any) -> None:
        state = require_state(state, type(self), MADE_OF)
        kind, X, y, kernel, *others = map(state.pop, MADE_OF)
        if kind is not float and kind is not Fraction:
            raise ValueError("the kind of a pickled Problem is neither float nor Fraction")
        set_attributes(self, state)  # what a subclass added
        self.set_converted(kind, X, y, as_kernel(kernel), *others)

    def to(self: AnyProblem, kind: Kind) -> AnyProblem:
        """Return the same problem in numbers of this kind."""
        if kind is self.kind:
            return self
        from copy import copy  # rarely needed

        other = copy(self)
        other.kind, other.kernel = kind, self.kernel.to(kind)
        if not isinstance(self.X[0], str):
            other.set_rows([converted(x, kind) for x in self.X])
        other.C = [c if c == inf else kind(c) for c in self.C]
        other.compute_shifted_rows()
        return other

    # What Problem defines:

    def set_converted(self, *values: Any, **options: Any) -> None:
        """Set the attributes from values that are checked, and converted to one kind."""
        raise NotImplementedError

    def set_rows(self, rows: list[Any]) -> None:
        """Set X."""
        raise NotImplementedError

    def compute_shifted_rows(self, shift: Vector | None = None) -> None:
        """Set the rows that are computed with."""
        raise NotImplementedError
