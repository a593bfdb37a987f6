"""LIBSVM's data files, read and written a line at a time.

One example a line, its label first, then the features that are not zero:

    +1 1:0.7 3:-1      # the row [0.7, 0, -1], label 1
    -1                 # the row [0, 0, 0], label -1

Indices count from 1 and ascend; where `first` says so they count from 0, as other programs write
them, and LIBSVM reads them. The file does not say how many features there are: a column that is
zero to the end of the file is simply not there, hence the argument `features`. Rows that are
nearly all zero are not laid out: each reads as the list of its d numbers.

A precomputed kernel (LIBSVM's option -t 4) is written in the same form. Each line then begins
`label 0:serial`, serial being the number of the example counted from 1, and item j is the kernel
value with the example whose serial number is j. Rows may stand in any order, and may be a part of
all; of rows to predict the serial number says nothing.

Source: the format is described in LIBSVM's README ("svm-train usage", "Precomputed Kernels").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ..numerics.cures import giving, with_cure
from ..numerics.quoting import quote
from ..numerics.types import VectorLike
from .text import (
    MAX_INDEX,
    Items,
    PathLike,
    brief,
    decimals,
    finite,
    in_line,
    item_words,
    items,
    plain_line,
    reading,
    rows_of_items,
)

COLON = re.compile(r":[ \t]+(?=[^\s:]+(?:\s|$))")  # LIBSVM passes over blanks behind a colon


def read_libsvm(
    path: PathLike, features: int | None, precomputed: bool, first: int | None = 1
) -> tuple[list[Any], list[Any], list[float], int]:
    """Return rows, labels, serial numbers and `first` of LIBSVM's text, as read_data says.

    Only rows of kernel values have serial numbers. first: the index of the first column; None: 0
    if that occurs, else 1. O(numbers in the file).
    """
    labels: list[float] = []
    serials: list[float] = []
    rows: list[Items] = []
    if precomputed:
        first = 1
    least = 0 if first is None else first
    largest = MAX_INDEX if features is None else features
    with reading(path) as lines:
        for number, line in lines:
            plain = None if precomputed else plain_line(line, 1, largest, least)
            if plain:
                labels += plain[0]
                rows.append(plain[1])
                continue
            tokens = COLON.sub(":", line.partition("#")[0]).split()
            if tokens:
                try:
                    labels.append(_label_of(tokens[0]))
                    if precomputed:
                        serials.append(_serial_of(tokens))
                    elif least == 1:
                        _refuse_index_zero(tokens)
                    rows.append(items(tokens[1 + precomputed :], features, least))
                except ValueError as error:
                    with in_line(path, number):
                        raise _refusal_of(line, error, bool(rows)) from None
    if not rows:
        raise ValueError(
            f"{brief(path)} holds no example; at least one line must begin with a label"
        )
    if first is None:
        first = _first_index(path, rows)
    largest = max(indices[-1] + 1 - first if indices else 0 for indices, _ in rows)
    width = largest if features is None else features
    if largest > width:
        raise ValueError(
            f"{brief(path)} has {largest} columns, from index 0; {width} are asked for"
        )
    if width == 0:
        raise with_cure(
            ValueError,
            f"{brief(path)} holds no item index:value;",
            giving("give the number of columns, features", "features", 1),
        )
    return rows_of_items(rows, width, first), _whole_labels(labels), serials, first


def _first_index(path: PathLike, rows: list[Items]) -> int:
    """Return the index of the first column: 0 if that occurs, unless it has serial numbers."""
    zeros = [values[0] for indices, values in rows if indices[:1] == [0]]
    width = max(indices[-1] if indices else 0 for indices, _ in rows)
    if 1 < len(set(zeros)) == len(rows) and set(zeros) <= set(range(1, width + 1)):
        raise ValueError(
            f"{brief(path)} has a serial number as the item 0 of each row, as rows of kernel"
            " values have, which are read with precomputed=True"
        )
    return 0 if zeros else 1


def _refusal_of(line: str, error: ValueError, is_begun: bool) -> ValueError:
    """Return the refusal of a line, which may be one of a table and not of LIBSVM's text."""
    by_blanks = not is_begun and line.lstrip()[:1] not in "@%" and len(line.split()) > 1
    if ":" in line or not (set(line.strip()) & set(",;\t") or by_blanks):
        return error
    cure = giving("if this is a table, say format='csv'", "format", "csv")
    return with_cure(ValueError, f"{error};", cure)


def _label_of(token: str) -> float:
    """Return the number of a label."""
    if token.lower() in ("@relation", "@attribute", "@data", "%"):
        raise ValueError(
            f"{quote(token)} begins a line of an ARFF file; save the table as CSV, with the names"
            " of the columns in its first line"
        )
    if ":" in token:
        raise ValueError(
            f"{quote(token)} stands where the label belongs; a line begins with a label"
        )
    return finite(token, "the label")


def _refuse_index_zero(tokens: list[str]) -> None:
    """Refuse an item that has no place among the columns, which are counted from 1."""
    if len(tokens) > 1 and tokens[1].startswith("0:"):
        words = "say first=0 where they begin at 0, and precomputed=True for rows of kernel values"
        raise with_cure(
            ValueError,
            f"in {quote(tokens[1])} the index is 0; indices begin at 1:",
            giving(words, "first", 0),
        )


def _serial_of(tokens: list[str]) -> float:
    """Return the serial number that stands after the label of a row of kernel values."""
    if len(tokens) < 2 or not tokens[1].startswith("0:"):
        raise ValueError("no item 0:serial after the label; a precomputed kernel needs it")
    return finite(tokens[1][2:], "the serial number")


def _whole_labels(labels: list[float]) -> list[int] | list[float]:
    """Return the labels as ints if every one of them is whole, otherwise as they are.

    >>> _whole_labels([1.0, -1.0]), _whole_labels([1.0, 0.5])
    ([1, -1], [1.0, 0.5])
    """
    if all(label.is_integer() for label in labels):
        return [int(label) for label in labels]
    return labels


def libsvm_lines(X: Sequence[VectorLike], y: VectorLike, precomputed: bool) -> Iterator[str]:
    """Yield the line of each example."""
    for i, (row, label) in enumerate(zip(X, y)):
        words = _kernel_items(row, i) if precomputed else item_words(row, f"X[{i}]")
        yield " ".join([decimals(label, f"y[{i}]"), *words]) + "\n"


def _kernel_items(row: VectorLike, i: int) -> list[str]:
    """Return the serial number of example i, and all its kernel values, as items."""
    return [f"0:{i + 1}"] + [
        f"{k}:{decimals(value, f'X[{i}][{k - 1}]')}" for k, value in enumerate(row, 1)
    ]
