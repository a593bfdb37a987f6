"""Data files: LIBSVM's text, which files/libsvm_data.py reads, or tables, as csv_table.py does.

    X    the n rows of d floats                              y    the n labels
    n    number of examples                                  d    number of features, `features`

What a file holds is told by its name: tables end in .csv or .tsv, packed ones in .csv.gz.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TextIO

from ..files.libsvm_data import libsvm_lines, read_libsvm
from ..files.outputs import writing
from ..files.table_columns import TableColumns
from ..files.text import (
    PathLike,
    brief,
    checked_path,
    whole_width,
)
from ..numerics.cures import giving, with_cure
from ..numerics.display import displayed
from ..numerics.quoting import quote
from ..numerics.types import Label, RowsLike, VectorLike
from ..numerics.validation import (
    check_length,
    instance_of,
    matrix,
    one_of,
    sequence,
    whole_number,
)
from .layout import DELIMITERS, Choice, Column, choice_of

FILE_FORMATS = ("libsvm", *DELIMITERS)


class DataFields(NamedTuple):
    """The fields of Data, in order."""

    X: list[Any]
    y: list[Any]


@displayed
class Data(DataFields):
    """The rows X and the labels y of a data file.

    Attributes
    ----------
    X : n lists of floats, or sparse rows that read as such
    y : n labels
        ints if all are whole, else floats; in tables texts, too. [] for a table without labels
    columns : TableColumns or None
        of a table: what its columns are called, and which holds the labels
    serials : list of numbers, or None
        of rows of kernel values in LIBSVM's text: the serial number of each
    first : 1 or 0
        the index of the first column in LIBSVM's text
    """

    columns: TableColumns | None = None
    serials: list[float] | None = None
    first: int = 1


def training_matrix(data: Data) -> Data:
    """Return the Data of rows of kernel values with the Gram matrix of these rows alone for X.

    LIBSVM finds the example of serial number j in the value j of each row: so rows in another
    order, or a part of them, make a matrix of other columns than they have in the file. O(n^2).

    Raises
    ------
    ValueError
        for a serial number that is no place among the values

    Examples
    --------
    >>> data = Data([[1.0, 0.5, 0.25], [0.25, 0.5, 2.0]], [-1, 1])
    >>> data.serials = [1, 3]
    >>> training_matrix(data).X
    [[1.0, 0.25], [0.25, 2.0]]
    """
    data = instance_of(Data, data, "data")
    serials, width = data.serials or [], len(data.X[0])
    if not serials or serials == list(range(1, width + 1)):
        return data
    for i, serial in enumerate(serials):
        if not (1 <= serial <= width and serial == int(serial)):
            raise ValueError(
                f"row {i + 1} has the serial number {serial:g}; the rows have values of the"
                f" examples 1 to {width}, and one of these it must be"
            )
    places = [int(serial) - 1 for serial in serials]
    found = Data([[row[k] for k in places] for row in data.X], data.y)
    found.columns, found.serials = data.columns, serials
    return found


def read_data(
    path: PathLike,
    features: int | None = None,
    *,
    precomputed: bool = False,
    format: str | None = None,
    label: Column | None = None,
    header: bool | None = None,
    drop: Sequence[Column] = (),
    columns: TableColumns | None = None,
    labelled: bool = True,
    first: int | None = 1,
) -> Data:
    """Read a data file, plain or gzipped: LIBSVM's text, or a table.

    In LIBSVM's text blank lines and comments, from # to the end of a line, are passed over.

    Parameters
    ----------
    path : name of a file
    features : int
        how many columns X has; in LIBSVM's text the largest index in the file if not given
    precomputed : bool
        the rows are kernel values: in LIBSVM's text the item 0:serial must begin every line, and
        value j of a row is that with the example of serial number j. training_matrix makes the
        Gram matrix of rows to train on, which may be in any order and a part of all
    format : "libsvm", "csv" or "tsv"
        if not given, told by the end of the name: .csv, .tsv (or these and .gz), else "libsvm"
    label : string or int
        of a table, the column of labels by its name or its number from 1; the last if not given
    header : bool
        of a table, whether its first line has the names of the columns; if not given, it has them
        if no field of it but the label's is a number
    drop : sequence of strings or ints
        of a table, the columns to leave out
    columns : TableColumns
        of the data that a machine was trained on: a table to predict has its columns in any order
        (without names: in the same), others beside them, and labels or none
    labelled : bool
        of a table, whether one column holds the labels if `label` names none; if not, every column
        is a feature
    first : 1, 0 or None
        in LIBSVM's text the index of the first column; None: 0 if that occurs, else 1

    Returns
    -------
    Data
        X and y; the labels are ints where all of them are whole

    Raises
    ------
    ValueError
        naming the file, the line, the token and the rule: for indices that do not ascend or are
        not those of `features` columns, numbers that are not finite, a label that is missing, qid
        (which is for ranking), a file without examples or features; in a table for texts and
        missing values among the features, lines of different lengths, columns that are not there,
        and names that stand twice; and for what is beyond a limit: 2^26 characters a line, 1000 a
        number, and for gzipped text 2^24 bytes or 100 times the file's size, whichever is
        more

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
    >>> path = os.path.join(folder.name, "ill.csv")
    >>> with open(path, "w") as table:
    ...     size = table.write("id,age,ill,size\\n7,31,no,1.75\\n9,58,yes,1.62\\n")
    >>> data = read_data(path, label="ill", drop=["id"])
    >>> data, data.columns.names
    (Data(X=[[31.0, 1.75], [58.0, 1.62]], y=['no', 'yes']), ['age', 'size'])
    >>> folder.cleanup()
    """
    if features is not None:
        features = whole_width(features)
    form = format_of(path) if format is None else one_of(format, FILE_FORMATS, "format")
    choice = choice_of(label, header, drop, columns, labelled)
    if form != "libsvm":
        return _table_data(path, form, choice, features)
    _refuse_choice(path, choice)
    if first is not None:
        first = whole_number(first, "first", 0, 1)
    X, y, serials, found = read_libsvm(path, features, precomputed, first)
    data = Data(X, y)
    data.serials, data.first = serials or None, found
    return data


def format_of(path: PathLike) -> str:
    """Return the format that the end of a name tells.

    >>> format_of("iris.csv"), format_of("iris.TSV.gz"), format_of("iris.data")
    ('csv', 'tsv', 'libsvm')
    """
    stem = os.fsdecode(checked_path(path)).lower().removesuffix(".gz")
    return next((form for form in DELIMITERS if stem.endswith(f".{form}")), "libsvm")


def _table_data(path: PathLike, form: str, choice: Choice, features: int | None) -> Data:
    """Read a table."""
    from .csv_table import read_table  # LIBSVM's text does not wait for it

    X, y, layout = read_table(path, form, choice)
    columns = layout.table_columns()
    if features not in (None, columns.width):
        raise ValueError(f"{brief(path)} has {columns.width} features; {features} are asked for")
    data = Data(X, y)
    data.columns = columns
    return data


def _refuse_choice(path: PathLike, choice: Choice) -> None:
    """Refuse options of columns for LIBSVM's text, which has no named columns."""
    for name, value in zip(("label", "header", "drop"), choice):
        if value is not None and value not in ((), []):
            raise with_cure(
                ValueError,
                f"{name} is {quote(value)}, but {brief(path)} is read as LIBSVM's text; if it is a"
                " table,",
                giving("say format='csv'", "format", "csv"),
            )


def write_data(
    path: PathLike,
    X: RowsLike,
    y: Sequence[Label],
    *,
    precomputed: bool = False,
    format: str | None = None,
    columns: TableColumns | None = None,
) -> None:
    """Write X and y as a data file: shortest decimals, gzipped for a name in .gz.

    What read_data returned is read back the same, except that in LIBSVM's text, where zeros are
    left out, columns which are zero in every row at the end of X must be asked for again by
    `features`. The file appears whole or not at all. O(n d).

    Parameters
    ----------
    X : n rows of d numbers
    y : n numbers, in a table also texts
    precomputed : bool
        a row of X holds kernel values: in LIBSVM's text it is written with its serial number 0:1,
        0:2, .. and with its zeros, for LIBSVM finds kernel values by counting
    format : "libsvm", "csv" or "tsv"
        if not given, told by the end of the name, as in read_data
    columns : TableColumns
        of a table: the names, and where the labels stand; without it there are no names, and the
        labels are the last column. y is [] if it has no column of labels

    Raises
    ------
    ValueError or TypeError
        for what is not a matrix of finite numbers with as many labels, and for a Fraction that no
        double equals
    """
    X, y = matrix(X, "X"), sequence(y, "y")
    form = format_of(path) if format is None else one_of(format, FILE_FORMATS, "format")
    if form != "libsvm":
        _write_table(path, X, y, columns, form)
        return
    check_length(y, len(X), "y")
    with writing(path) as text:
        text.writelines(libsvm_lines(X, y, precomputed))


def _write_table(
    path: PathLike,
    X: Sequence[VectorLike],
    y: Sequence[Any],
    columns: TableColumns | None,
    form: str,
) -> None:
    """Write a table."""
    from .csv_table import table_lines

    d = len(X[0])
    columns = TableColumns(None, d, None, d + 1) if columns is None else columns
    if columns.width != d:
        raise ValueError(f"columns has {columns.width} features; X has {d}")
    if y or columns.place is not None:
        check_length(y, len(X), "y")
    lines = table_lines(X, y, columns)
    first, delimiter = next(lines), DELIMITERS[form][0]
    # By what parts the first line a reader knows the delimiter: no other may stand there bare.
    doubtful = any(set(field) & set(DELIMITERS["csv"]) for field in first)
    with writing(path) as text:
        write_lines(text, [first], delimiter, quoted=doubtful or has_return(first))
        write_lines(text, lines, delimiter, quoted=has_return(y))


def write_lines(out: TextIO, lines: Iterable[Sequence[Any]], delimiter: str, quoted: bool) -> None:
    """Write lines of a table; quoted: every field."""
    import csv  # which reading does not need

    quoting: Any = csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL
    csv.writer(out, delimiter=delimiter, lineterminator="\n", quoting=quoting).writerows(lines)


def has_return(fields: Iterable[object]) -> bool:
    """Tell whether a text has a carriage return, which csv does not quote by itself."""
    return any(isinstance(field, str) and "\r" in field for field in fields)
