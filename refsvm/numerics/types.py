"""The types that annotations name: numbers, rows, labels.

All numbers of a problem are floats, or all are Fractions (see validation.py); an annotation says
Number for either. What is given may be any sequence of numbers; what comes back is a list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, Union

Number = Union[int, float, Fraction]  # int: where a sum begins, or what a user types
Vector = list[Number]  # d numbers, as they come back
Matrix = list[Vector]
Kind = Union[type[float], type[Fraction]]  # which of the two all numbers are

VectorLike = Sequence[Number]  # d numbers, as they are given
Row = Union[VectorLike, str]  # what a kernel takes: numbers, or a string for a string kernel
Rows = Sequence[Row]
Label = Union[int, float, str, bool]  # what SVC tells apart; a Problem has -1 and +1
KernelLike = Callable[[Any, Any], Number]  # k(x, z): a Kernel, or any pure symmetric function
Picks = Iterable[int]  # which example comes next
