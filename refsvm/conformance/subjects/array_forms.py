"""Rows as the arrays that users have: lists, small integers, other strides, sparse matrices.

NumPy and SciPy are not needed here; where the subject has loaded them, its users have such arrays,
and each of them is the same problem.
"""

from __future__ import annotations

import sys
from array import array as plain_array
from collections.abc import Callable, Sequence
from typing import Any

from ...numerics.conversion import as_lists
from ...numerics.types import Label, VectorLike


def as_caller_has(values: Any) -> Any:
    """Return a copy of the values: an array where NumPy is loaded, else lists."""
    numpy = sys.modules.get("numpy")
    return to_lists(values) if numpy is None else numpy.array(values)


def to_lists(values: Any) -> Any:
    """Return nested lists of plain numbers or labels."""
    values = as_lists(values)
    if isinstance(values, (list, tuple)):
        return [to_lists(value) for value in values]
    return values


def in_form(values: Sequence[VectorLike], form: str) -> Any:
    """Return the rows in this form; LookupError where the library is not loaded."""
    if form in LISTS:
        return LISTS[form](values)
    numpy = sys.modules["numpy"]
    array = numpy.array(values, dtype=float)
    if form in DTYPES:
        return array.astype(form)
    if form in LAYOUTS:
        return LAYOUTS[form](numpy, array)
    if form == FRAME:
        return _data_frame(sys.modules["pandas"], array)
    sys.modules["scipy.sparse"]
    return SPARSE[form](sys.modules["scipy"], array)


def labels_in_form(values: Sequence[Label], form: str) -> Any:
    """Return the labels in this form; LookupError where the library is not loaded."""
    if form == "lists":
        return list(values)
    if form == FRAME:
        return sys.modules["pandas"].Series(values, index=_numbers_of_rows(values))
    return sys.modules["numpy"].array(values).astype(form)


LISTS: dict[str, Callable[[Any], Any]] = {  # what needs no library
    "lists": to_lists,
    "lists of ints": lambda values: [[int(v) for v in row] for row in values],
    "tuples": lambda values: tuple(map(tuple, to_lists(values))),
    "arrays of the standard library": lambda values: [plain_array("d", row) for row in values],
}

# ---- data frames

FRAME = "data frame"
ELSEWHERE = 100  # the first number of the rows of a frame: not that of their place


def _data_frame(pandas: Any, array: Any) -> Any:
    """Return a data frame with names of columns and numbers of rows that do not begin at 0."""
    names = [f"feature {k}" for k in range(array.shape[1])]
    return pandas.DataFrame(array, columns=names, index=_numbers_of_rows(array))


def _numbers_of_rows(values: Sequence[Label]) -> range:
    """Return the numbers of the rows of a frame."""
    return range(ELSEWHERE, ELSEWHERE + len(values))


# ---- dense arrays


def _read_only(numpy: Any, array: Any) -> Any:
    """Forbid writing to the array; return it."""
    array.setflags(write=False)
    return array


DTYPES = (
    *("uint8", "int8", "int16", "int32", "int64"),
    *("float64", "float32", "float16", ">f8", "object"),
)
LAYOUTS: dict[str, Callable[[Any, Any], Any]] = {  # the same numbers, elsewhere in memory
    "columns first": lambda numpy, array: numpy.asfortranarray(array),
    "every second row": lambda numpy, array: numpy.repeat(array, 2, axis=0)[::2],
    "backwards": lambda numpy, array: numpy.array(array[::-1, ::-1])[::-1, ::-1],
    "part of wider rows": lambda numpy, array: numpy.hstack([array, -array])[:, : array.shape[1]],
    "read-only": _read_only,
}


# ---- sparse matrices: functions of SciPy and an array

Entries = list[tuple[int, float]]  # of a row: the column and the value of each entry


def _rewritten(change: Callable[[Entries, int], Entries]) -> Callable[[Any, Any], Any]:
    """Return what makes compressed rows of changed entries, whose values are the same."""

    def make(scipy: Any, array: Any) -> Any:
        plain = scipy.sparse.csr_matrix(array)
        data: list[float] = []
        indices: list[int] = []
        ends = [0]
        for i in range(plain.shape[0]):
            row = range(plain.indptr[i], plain.indptr[i + 1])
            entries = [(int(plain.indices[k]), float(plain.data[k])) for k in row]
            for k, v in change(entries, plain.shape[1]):
                indices.append(k)
                data.append(v)
            ends.append(len(data))
        return scipy.sparse.csr_matrix((data, indices, ends), shape=plain.shape)

    return make


def _with_long_indices(scipy: Any, array: Any) -> Any:
    """Return compressed rows whose indices are of 64 bits, as readers of files make them."""
    rows = scipy.sparse.csr_matrix(array)
    rows.indices, rows.indptr = rows.indices.astype("int64"), rows.indptr.astype("int64")
    return rows


SPARSE: dict[str, Callable[[Any, Any], Any]] = {
    "sparse rows": lambda scipy, array: scipy.sparse.csr_matrix(array),
    "sparse, from the last feature": _rewritten(lambda entries, width: entries[::-1]),
    "sparse, with stored zeros": _rewritten(
        lambda entries, width: [(k, dict(entries).get(k, 0.0)) for k in range(width)]
    ),
    "sparse, in halves": _rewritten(  # each entry twice, which count together
        lambda entries, width: [(k, v / 2) for k, v in entries for _ in range(2)]
    ),
    "sparse, with indices of 64 bits": _with_long_indices,
    "sparse columns": lambda scipy, array: scipy.sparse.csc_matrix(array),
    "sparse, a list of entries": lambda scipy, array: scipy.sparse.coo_matrix(array),
}
