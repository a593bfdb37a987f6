"""LIBSVM's data files: one example a line, its label first, then the features that are not zero.

    +1 1:0.7 3:-1      # the row [0.7, 0, -1], label 1
    -1                 # the row [0, 0, 0], label -1

    X    the n rows of d floats                              y    the n labels
    n    number of examples                                  d    number of features, `features`

Indices count from 1 and ascend. The file does not say how many features there are: a column that
is zero to the end of the file is simply not there, hence the argument `features`. Rows that are
nearly all zero are not laid out: each reads as the list of its d numbers.

A precomputed kernel (LIBSVM's option -t 4) is written in the same form. Each line then begins
`label 0:serial`, serial being the number of the example counted from 1, and item j is the kernel
value with training example j.

Source: the format is described in LIBSVM's README ("svm-train usage", "Precomputed Kernels").
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..numerics.quoting import quote
from ..numerics.types import RowsLike
from ..numerics.validation import check_length, matrix, sequence
from .outputs import writing
from .text import (
    Items,
    PathLike,
    at,
    brief,
    decimals,
    finite,
    item_words,
    items,
    reading,
    rows_of_items,
    whole_width,
)


class Data(NamedTuple):
    """The rows X and the labels y of a data file."""

    X: list[Any]  # lists of floats, or sparse rows that read as such
    y: list[Any]  # ints if all are whole, else floats


def read_data(path: PathLike, features: int | None = None, *, precomputed: bool = False) -> Data:
    """Read a data file, plain or gzipped.

    Blank lines and comments, from # to the end of a line, are passed over.

    Parameters
    ----------
    path : name of a file
    features : int
        how many columns X has; the largest index in the file if not given
    precomputed : bool
        the rows are kernel values: the item 0:serial must begin every line; it is checked and
        left out. LIBSVM finds example j by its serial number; here it is row j-1, so keep a
        training file in the order of its serial numbers

    Returns
    -------
    Data
        X and y; the labels are ints where all of them are whole

    Raises
    ------
    ValueError
        naming the file, the line, the token and the rule: for indices that do not ascend or are
        not from 1 to `features`, numbers that are not finite, a label that is missing, qid (which
        is for ranking), a file without examples or features, and what is
        beyond a limit: 2^26 characters a line, 1000 a number, and for gzipped text 2^24 characters
        or 100 times the file's size, whichever is more

    Notes
    -----
    O(numbers in the file).

    Examples
    --------
    >>> import os, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = os.path.join(folder.name, "two.libsvm")
    >>> write_data(path, [[0.7, 0, -1], [0, 0, 0]], [1, -1])
    >>> read_data(path)
    Data(X=[[0.7, 0.0, -1.0], [0.0, 0.0, 0.0]], y=[1, -1])
    >>> read_data(path, features=4).X[0]
    [0.7, 0.0, -1.0, 0.0]
    >>> folder.cleanup()
    """
    if features is not None:
        features = whole_width(features)
    labels: list[float] = []
    rows: list[Items] = []
    with reading(path) as lines:
        for number, line in lines:
            tokens = line.partition("#")[0].split()
            if tokens:
                with at(path, number):
                    labels.append(label_of(tokens[0]))
                    rows.append(items(features_of(tokens, precomputed), features))
    if not rows:
        raise ValueError(
            f"{brief(path)} holds no example; at least one line must begin with a label"
        )
    width = features or max(indices[-1] if indices else 0 for indices, _ in rows)
    if width == 0:
        raise ValueError(
            f"{brief(path)} holds no item index:value; give the number of columns, features"
        )
    return Data(rows_of_items(rows, width), whole_labels(labels))


def label_of(token: str) -> float:
    """Return the number of a label."""
    if ":" in token:
        raise ValueError(
            f"{quote(token)} stands where the label belongs; a line begins with a label"
        )
    return finite(token, "the label")


def features_of(tokens: list[str], precomputed: bool) -> list[str]:
    """Return the tokens after the label, and after 0:serial when a precomputed kernel is read."""
    if not precomputed:
        if len(tokens) > 1 and tokens[1].startswith("0:"):
            raise ValueError(
                f"in {quote(tokens[1])} the index is 0; indices begin at 1, except in a"
                " precomputed"
                " kernel, which is read with precomputed=True"
            )
        return tokens[1:]
    if len(tokens) < 2 or not tokens[1].startswith("0:"):
        raise ValueError("no item 0:serial after the label; a precomputed kernel needs it")
    finite(tokens[1][2:], "the serial number")
    return tokens[2:]


def whole_labels(labels: list[float]) -> list[int] | list[float]:
    """Return the labels as ints if every one of them is whole, otherwise as they are.

    >>> whole_labels([1.0, -1.0]), whole_labels([1.0, 0.5])
    ([1, -1], [1.0, 0.5])
    """
    if all(label.is_integer() for label in labels):
        return [int(label) for label in labels]
    return labels


def write_data(
    path: PathLike, X: RowsLike, y: Sequence[Any], *, precomputed: bool = False
) -> None:
    """Write X and y as a data file: shortest decimals, zeros left out, gzipped for a name in .gz.

    What read_data returned is read back the same, except that columns which are zero in every
    row at the end of X must be asked for again by `features`. The file appears whole or not at
    all. O(n d).

    Parameters
    ----------
    X : n rows of d numbers
    y : n numbers
    precomputed : bool
        a row of X holds kernel values: it is written with its serial number 0:1, 0:2, .. and with
        its zeros, for LIBSVM finds kernel values by counting

    Raises
    ------
    ValueError or TypeError
        for what is not a matrix of finite numbers with as many labels, and for a Fraction that no
        double equals
    """
    X, y = matrix(X, "X"), sequence(y, "y")
    check_length(y, len(X), "y")
    with writing(path) as text:
        for i, (row, label) in enumerate(zip(X, y)):
            words = kernel_words(row, i) if precomputed else item_words(row, f"X[{i}]")
            text.write(" ".join([decimals(label, f"y[{i}]")] + words) + "\n")


def kernel_words(row: Sequence[Any], i: int) -> list[str]:
    """Return the serial number of example i, and all its kernel values, as items."""
    return [f"0:{i + 1}"] + [
        f"{k}:{decimals(value, f'X[{i}][{k - 1}]')}" for k, value in enumerate(row, 1)
    ]
