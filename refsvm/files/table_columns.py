"""What the columns of a table are, and the line that keeps it beside a model or a scaling.

    # refsvm {"labels":["no","yes"],"features":["age","size"],"label":"ill"}

It is the last line of a model or of a scaling, after all that LIBSVM reads of such a file.

    labels      the classes, in the order of the model, where the header calls them 1, 2, .., k
    features    the names of the columns of X in their order; without names, how many there are
    label       the name of the column of labels, or its number counted from 1; null without one
    prepared    what was learnt of each column, if rows are prepared: tables/preparation.py
    type        "linear_svc" or "linear_svr", where the vectors of a model are its weights
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ..numerics.display import displayed
from ..numerics.quoting import quote
from ..numerics.validation import one_of
from .text import PathLike, brief, in_line

BEGINS = "# refsvm"
MAX_DOUBLE = sys.float_info.max
COMMENT_KEYS = ("labels", "features", "label", "prepared", "type")
LINEAR_TYPES = {"linear_svc": "c_svc", "linear_svr": "epsilon_svr"}  # what headers call them


class Kept(NamedTuple):
    """What a line keeps; None of what it does not."""

    labels: list[Any] | None
    columns: TableColumns | None
    svm_type: str | None


@displayed
class TableColumns(NamedTuple):
    """What the columns of a table are.

    Attributes
    ----------
    names : list of d strings, or None
        of the columns of X; None for a table without names
    width : int
        how many columns the table has beside the labels: d, unless they are prepared
    label : string or None
        the name of the column of labels
    place : int or None
        where the column of labels stands, counted from 1, among the columns that were read;
        None if that is not known, or there is none
    prepared : list, or None
        the document of the Preparation that makes rows of X of the columns; None: they are X

    Examples
    --------
    >>> columns = TableColumns(["age", "size"], 2, "ill", 3)
    >>> columns.header()
    ['age', 'size', 'ill']
    """

    names: list[str] | None
    width: int
    label: str | None = None
    place: int | None = None
    prepared: list[Any] | None = None

    @property
    def features(self) -> int:
        """How many numbers a row of X has."""
        if self.prepared is None:
            return self.width
        return sum(map(_features_of, self.prepared))  # exact

    def header(self) -> list[str] | None:
        """Return the names of all columns in their order, None for a table without names."""
        if self.names is None:
            return None
        return self.with_label(list(self.names), str(self.label))

    def with_label(self, fields: list[str], label: str) -> list[str]:
        """Return the fields of a line: the row of X with the label inserted at its place."""
        if self.place is not None:
            fields.insert(self.place - 1, label)
        return fields


def line_of(
    columns: TableColumns | None, labels: list[Any] | None = None, svm_type: str | None = None
) -> list[str]:
    """Return the line that keeps columns, labels and the type, as a list; [] for none of them.

    >>> line_of(TableColumns(None, 4, None, 5), ["no", "yes"])
    ['# refsvm {"labels":["no","yes"],"features":4,"label":5}']
    """
    kept: dict[str, Any] = {}
    if labels is not None:
        kept["labels"] = labels
    if columns is not None:
        kept["features"] = columns.width if columns.names is None else columns.names
        kept["label"] = columns.place if columns.label is None else columns.label
        if columns.prepared is not None:
            kept["prepared"] = columns.prepared
    if svm_type in LINEAR_TYPES:
        kept["type"] = svm_type
    if not kept:
        return []
    import json  # which takes long to import

    return [f"{BEGINS} " + json.dumps(kept, separators=(",", ":"))]


def lines_before(
    path: PathLike, lines: Iterable[tuple[int, str]], kept: list[Kept]
) -> Iterator[tuple[int, str]]:
    """Yield the lines before the one that keeps columns; what that holds is added to `kept`."""
    for number, line in lines:
        if kept and line.strip():
            raise ValueError(f"{brief(path)}, line {number}: the line {BEGINS} must be the last")
        if line.startswith(BEGINS):
            with in_line(path, number):
                kept.append(_kept_in(line))
        else:
            yield number, line


def kept_width(path: PathLike, columns: TableColumns | None, largest: int) -> int:
    """Return how many features there are, by the columns if they are kept."""
    if columns is None:
        return largest
    if largest > columns.features:
        raise ValueError(
            f"{brief(path)} has numbers of feature {largest}; after {BEGINS} it has"
            f" {columns.features} features"
        )
    return columns.features


def _kept_in(line: str) -> Kept:
    """Return what a line keeps.

    >>> _kept_in('# refsvm {"features":["age"],"label":"ill"}').columns
    TableColumns(names=['age'], width=1, label='ill', place=2, prepared=None)
    >>> _kept_in('# refsvm {"features":[]}')
    Traceback (most recent call last):
      ...
    ValueError: "features" is []; a list of different names is needed, or their number
    """
    kept = _json_object(line.removeprefix(BEGINS))
    for key in kept:
        if key not in COMMENT_KEYS:
            known = ", ".join(COMMENT_KEYS)
            raise ValueError(f"{quote(key)} is no key of the line # refsvm; the known are {known}")
    labels = kept.get("labels")
    if labels is not None and not differing(labels, (str, int)):
        raise ValueError(
            f'"labels" is {quote(labels)}; a list of different texts or ints is needed'
        )
    svm_type = kept.get("type")
    if "type" in kept:
        one_of(svm_type, LINEAR_TYPES, '"type"')
    return Kept(labels, _columns_kept(kept) if "features" in kept else None, svm_type)


def _columns_kept(kept: dict[str, Any]) -> TableColumns:
    """Return the TableColumns that were kept."""
    features, label = kept["features"], kept.get("label")
    counted = _is_number_of_column(features)
    if not counted and not differing(features, (str,)):
        raise ValueError(
            f'"features" is {quote(features)}; a list of different names is needed, or their'
            " number"
        )
    if label is not None and not isinstance(label, str) and not _is_number_of_column(label):
        raise ValueError(
            f'"label" is {quote(label)}; the name of a column is needed, or its number'
        )
    names = None if counted else features
    width = features if counted else len(features)
    prepared = kept.get("prepared")
    if prepared is not None and not _is_preparation(prepared, width):
        raise ValueError(
            f'"prepared" is {quote(prepared)}; for each column null is needed, its values, or its'
            " mean and deviation"
        )
    if isinstance(label, str):
        return TableColumns(names, width, label, width + 1, prepared)
    return TableColumns(names, width, None, label, prepared)


def _features_of(entry: Any) -> int:
    """Return how many features a column becomes, of which this was learnt."""
    if entry is None:
        return 0
    return len(entry["values"]) if "values" in entry else 1


def _is_preparation(entries: object, width: int) -> bool:
    """Tell whether these entries are a preparation of `width` columns."""
    if not isinstance(entries, list) or len(entries) != width:
        return False
    return all(entry is None or _is_learnt(entry) for entry in entries)


def _is_learnt(entry: object) -> bool:
    """Tell whether this was learnt of a column: its values, or its mean and deviation."""
    if not isinstance(entry, dict):
        return False
    if set(entry) == {"values"}:
        return differing(entry["values"], (str,))
    numbers: list[Any] = [entry.get(key) for key in ("mean", "deviation")]
    are_numbers = all(type(v) in (int, float) and abs(v) <= MAX_DOUBLE for v in numbers)
    keys = {"mean", "deviation", *(["days"] if "days" in entry else ["decimal", "unit"])}
    is_written = entry.get("decimal", ".") in (".", ",") and type(entry.get("unit", "")) is str
    is_known = set(entry) <= keys and entry.get("days", True) is True and is_written
    return is_known and are_numbers and numbers[1] >= 0


def _json_object(text: str) -> dict[str, Any]:
    """Return the object that a JSON text holds."""
    import json

    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise ValueError(f"after # refsvm stands {quote(text.strip())}; a JSON object is needed")
    return found


def differing(values: object, kinds: tuple[type, ...]) -> bool:
    """Tell whether this is a list of different values of these types."""
    if not isinstance(values, list) or not values:
        return False
    return set(map(type, values)) <= set(kinds) and len(set(values)) == len(values)


def _is_number_of_column(value: object) -> bool:
    """Tell whether this is an int that a column can have as its number."""
    return type(value) is int and 1 <= value < 2**31
