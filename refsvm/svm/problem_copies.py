"""Copies of a Problem: in another kind of number, and in a pickle.

A pickle holds what the problem is made of. To open it makes the problem anew, and checks it.
So a pickle is the same whether the rows were packed or not, and a damaged one is refused as any
other bad argument is, before anything is computed from it.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any, ClassVar, TypeVar

from ..kernels.base import Kernel, as_kernel
from ..numerics.pickles import Pickled, attributes, require_state, set_attributes
from ..numerics.sparse_rows import converted
from ..numerics.types import Kind, Vector

AnyProblem = TypeVar("AnyProblem", bound="Copied")


class Copied(Pickled):
    """The base of a problem that makes problems of it.

    made_of    what a pickle holds: the arguments of set_converted, in order
    numbers    the attributes of these that are numbers, or lists of them, besides X
    """

    kind: Kind
    kernel: Kernel
    X: list[Any]

    made_of: ClassVar[tuple[str, ...]]
    numbers: ClassVar[tuple[str, ...]]
    computed = ("n", "linear", "kept", "points", "point_shift", "rows")

    def __copy__(self: AnyProblem) -> AnyProblem:
        other = type(self).__new__(type(self))
        set_attributes(other, attributes(self))
        return other

    def __setstate__(self, state: Any) -> None:
        state = require_state(state, type(self), self.made_of)
        given = {name: state.pop(name) for name in self.made_of}
        if given["kind"] is not float and given["kind"] is not Fraction:
            raise ValueError("the kind of a pickled Problem is neither float nor Fraction")
        set_attributes(self, state)  # what a subclass added
        given["kernel"] = as_kernel(given["kernel"])
        self.set_converted(*given.values())

    def to(self: AnyProblem, kind: Kind) -> AnyProblem:
        """Return the same problem in numbers of this kind."""
        if kind is self.kind:
            return self
        from copy import copy  # rarely needed

        other = copy(self)
        other.kind, other.kernel = kind, self.kernel.to(kind)
        if not isinstance(self.X[0], str):
            other.set_rows([converted(x, kind) for x in self.X])
        for name in self.numbers:
            setattr(other, name, numbers_of_kind(getattr(self, name), kind))
        other.compute_shifted_rows()
        return other

    # What a problem defines:

    def set_converted(self, *values: Any, **options: Any) -> None:
        """Set the attributes from values that are checked, and converted to one kind."""
        raise NotImplementedError

    def set_rows(self, rows: list[Any]) -> None:
        """Set X."""
        raise NotImplementedError

    def compute_shifted_rows(self, shift: Vector | None = None) -> None:
        """Set the rows that are computed with."""
        raise NotImplementedError


def numbers_of_kind(given: Any, kind: Kind) -> Any:
    """Return a number, or a list of them, in this kind; infinity stays infinity."""
    if isinstance(given, list):
        return [c if c == inf else kind(c) for c in given]
    return given if given == inf else kind(given)
