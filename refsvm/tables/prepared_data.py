"""Tables as machines take them: rows that are prepared, and the cells that they are made of.

cells    the fields of each row as they stand in the file, or floats, for folds of cross-validation
         learn of their own rows
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..files.text import PathLike
from .csv_table import read_table
from .data import Data
from .layout import Choice
from .preparation import Preparation, Prepared, preparation_from


class PreparedData(Data):
    """Data whose rows are prepared.

    Attributes
    ----------
    preparation : Preparation
    cells : n rows of cells
        of which the rows were made
    found : Prepared
        how many gaps and unknown texts there were
    """

    preparation: Preparation
    cells: list[Any]
    found: Prepared

    def with_rows_of(self, kept: Sequence[int]) -> PreparedData:
        """Return the same Data, prepared by what these rows alone say."""
        preparation = self.preparation.refitted([self.cells[i] for i in kept])
        return _prepared(self, preparation, self.cells)


def read_cells(path: PathLike, form: str, choice: Choice) -> Data:
    """Return the Data of a table whose rows are the fields of its lines, as they stand there."""
    X, y, columns = read_table(path, form, choice, as_cells=True)
    data = Data(X, y)
    data.columns = columns
    return data


def learn(data: Data, keep: Sequence[Any] = (), texts: Sequence[Any] = ()) -> PreparedData:
    """Return the Data of cells, prepared by what they say."""
    columns: Any = data.columns
    preparation = Preparation.fit(data.X, columns.names, keep=keep, texts=texts)
    return _prepared(data, preparation, data.X)


def apply(data: Data, document: Sequence[Any]) -> PreparedData:
    """Return the Data of cells, prepared by what a model has kept."""
    columns: Any = data.columns
    given = columns.names or [str(k + 1) for k in range(columns.width)]
    return _prepared(data, preparation_from(document, given), data.X)


def _prepared(data: Data, preparation: Preparation, cells: list[Any]) -> PreparedData:
    """Return the Data with its cells prepared."""
    found = preparation.prepared(cells)
    made, columns = PreparedData(found.rows, data.y), data.columns
    made.columns = columns and columns._replace(prepared=preparation.document())
    made.preparation, made.cells, made.found = preparation, cells, found
    return made
