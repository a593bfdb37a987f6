"""The types that annotations name: numbers, vectors, rows, labels.

How to read an annotation here:

    Number        a float or a Fraction. In one calculation all numbers are of one kind
                  (validation.py), which no type says. An int is a Number too: sums begin at 0.
    Vector        a list of numbers, as functions return it. VectorLike: any sequence of numbers,
                  as a caller gives it (a tuple, an array). Likewise Matrix and MatrixLike.
    Kind          the type of all numbers of a calculation, float or Fraction, as a value:
                  kind(0) is the zero of that kind

Nothing is checked by these names; what a caller gives is checked by validation.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, Protocol, Union

Number = Union[int, float, Fraction]
Kind = Union[type[float], type[Fraction]]

Vector = list[Number]
Matrix = list[Vector]
VectorLike = Sequence[Number]
MatrixLike = Sequence[VectorLike]


class Shaped(Protocol):
    """What another library keeps rows or labels in: an array, a data frame, a sparse matrix."""

    @property
    def shape(self) -> Any: ...


Row = Union[VectorLike, str]  # what a kernel compares: a list of numbers, or a string
Rows = Sequence[Row]
RowsLike = Union[Rows, Shaped]  # as a caller gives them
RowFunction = Callable[[Any], list[Any]]  # takes x to the list of k(x, z) for some fixed z
KernelLike = Callable[[Any, Any], Number]  # k(x, z): a Kernel, or any pure symmetric function
Label = Union[int, float, str, bool]  # what SVC tells apart; a Problem has -1 and +1
Labels = Union[Sequence[Label], Shaped]
Picks = Iterable[int]  # which example comes next
