"""Tables as machines take them: rows that are prepared, and the cells that they are made of.

cells    what stands in each row: numbers, texts as the file has them, None for a gap; folds of
         cross-validation learn of their own rows
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..files.table_columns import TableColumns
from ..files.text import PathLike
from .column_kinds import cells_of
from .csv_table import read_table
from .data import Data
from .layout import Choice
from .preparation import Preparation, Prepared, as_learnt, fitted, preparation_from


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
        """Return the Data prepared anew, by these rows alone."""
        preparation = self.preparation.refitted([self.cells[i] for i in kept])
        return _prepared(self, preparation, self.cells)

    def part(self, kept: Sequence[int], learnt: bool) -> PreparedData:
        """Return these rows alone; learnt: prepared by what they say. Kinds stay those of all."""
        cells, _ = cells_of([self.cells[i] for i in kept], self.preparation.given)
        part = Data([], [self.y[i] for i in kept])
        part.columns = self.columns
        preparation = self.preparation.refitted(cells) if learnt else self.preparation
        return _prepared(part, preparation, cells)


class CellsData(Data):
    """Data whose rows are the fields of the lines of a table, as they stand there.

    Attributes
    ----------
    numbers : list of ints
        of the columns of X in the table, from 1
    """

    numbers: list[int]


def read_cells(path: PathLike, form: str, choice: Choice) -> CellsData:
    """Return the CellsData of a table."""
    X, y, layout = read_table(path, form, choice, as_cells=True)
    data = CellsData(X, y)
    data.columns = layout.table_columns()
    data.numbers = [k + 1 for k in layout.features]
    return data


Watch = Callable[[int, int], object]


def unwatched(rows: int, columns: int) -> None:
    """Take so many rows and columns."""


def learn(
    data: CellsData,
    keep: Sequence[Any] = (),
    texts: Sequence[Any] = (),
    watch: Watch = unwatched,
) -> PreparedData:
    """Return the Data of cells, prepared by what they say.

    watch is called with how many rows and columns they become, before they are made.
    A column without a name, which must be one that is left out, gets a name of its number.
    """
    columns: Any = data.columns
    cells, names = cells_of(data.X, columns.names)
    preparation = fitted(cells, names, data.numbers, keep, texts)
    watch(len(data.X), len(preparation.names))
    if columns.names:
        data.columns = columns._replace(names=preparation.given)
    return _prepared(data, preparation, cells)


def apply(
    data: CellsData, model: TableColumns, unknown: str = "refuse", watch: Watch = unwatched
) -> tuple[PreparedData, dict[str, int]]:
    """Return the Data of cells, prepared by what a model has kept of its columns.

    unknown: "gap", if what is no number in a column of numbers counts as a gap. In how many rows
    each column has such cells is the second thing returned. watch: as of learn
    """
    columns: Any = data.columns
    given = model.names or [str(k + 1) for k in range(model.width)]
    data.columns = columns._replace(names=model.names)
    preparation = preparation_from(model.prepared or [], given)
    watch(len(data.X), len(preparation.names))
    rows, counts = preparation.with_gaps(data.X) if unknown == "gap" else (data.X, {})
    return _prepared(data, preparation, rows), counts


def _prepared(data: Data, preparation: Preparation, rows: Sequence[Sequence[Any]]) -> PreparedData:
    """Return the Data with its rows of cells prepared."""
    cells, _ = cells_of(rows, preparation.given)
    found, columns = preparation.prepared(cells), data.columns
    made = PreparedData(found.rows, data.y)
    made.columns = columns and columns._replace(prepared=preparation.document())
    made.preparation, made.found = preparation, found
    made.cells = list(zip(*map(as_learnt, cells, preparation.columns)))
    return made
