"""Which columns of a table are features and which is the label: names, numbers, order.

    names      those on the first line, if no field of it but the label's is a number
    kept       the places of the columns that are not left out
    place      of a column, counted from 0; callers and sentences count from 1

The columns of a table to predict are found by the names that the model was trained on, whatever
their order; without names by their number, if there are as many. Anything else is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple, Union

from ..files.table_columns import TableColumns
from ..files.text import finite
from ..numerics.cures import adding, giving, with_cure
from ..numerics.numerals import is_short_number
from ..numerics.quoting import quote, shorten, visible
from ..numerics.validation import (
    LARGEST_WHOLE,
    instance_of,
    sequence,
    text,
    whole_number,
    yes_or_no,
)
from .written_numbers import written

Column = Union[str, int]  # a name, or a number counted from 1
NAME_MAX = 30  # characters of a name
NOWHERE = -1  # the place of a column that a model has left out, and a table need not have
DELIMITERS = {"csv": ",;\t", "tsv": "\t"}  # those that may part the fields of a format


class Choice(NamedTuple):
    """What the caller says of the columns."""

    label: Column | None = None
    header: bool | None = None
    drop: Sequence[Column] = ()
    columns: TableColumns | None = None  # of the table that a machine was trained on
    labelled: bool = True  # whether one column is the label, if none is named


def choice_of(label: Any, header: Any, drop: Any, columns: Any, labelled: Any = True) -> Choice:
    """Return the Choice of what a caller gives, checked; a column to drop may stand alone."""
    dropped = [drop] if issubclass(type(drop), (str, int)) else sequence(drop, "drop")
    return Choice(
        None if label is None else _column_given(label, "label"),
        None if header is None else yes_or_no(header, "header"),
        [_column_given(given, f"drop[{k}]") for k, given in enumerate(dropped)],
        None if columns is None else instance_of(TableColumns, columns, "columns"),
        yes_or_no(labelled, "labelled"),
    )


def _column_given(given: object, name: str) -> Column:
    """Return a column as given: its name, or a number that need not exist."""
    if issubclass(type(given), str):
        return text(given, name)
    return whole_number(given, name, -LARGEST_WHOLE)


class Layout(NamedTuple):
    """Which columns are read, and how many there are."""

    features: list[int]
    label: int | None
    names: list[str] | None
    width: int  # of all columns
    label_given: bool = False
    of_model: bool = False  # then no column can be left out

    def table_columns(self) -> TableColumns:
        """Return the TableColumns that are read."""
        names = [self.names[k] for k in self.features] if self.names else None
        if self.label is None:
            return TableColumns(names, len(self.features))
        place = len([k for k in self.features if k < self.label]) + 1
        label = self.names[self.label] if self.names else None
        return TableColumns(names, len(self.features), label, place)

    def name_in_sentence(self, k: int) -> str:
        """Return what a sentence calls a column."""
        name = f" ({quote(self.names[k], NAME_MAX)})" if self.names else ""
        return f"column {k + 1}{name}"

    def name_for_caller(self, k: int) -> str:
        """Return how a caller gives a column: its name, or its number."""
        return given_column(self.names, k, k + 1) if self.names else str(k + 1)


def given_column(names: Sequence[str], k: int, number: int) -> str:
    """Return how a caller gives a column: its name, or its number where that is clearer.

    The name may be typed in a shell, too, and after an option.

    >>> names = ["age", "it's", "-x", "a, b"]
    >>> [given_column(names, k, k + 1) for k in range(4)]
    ["'age'", '2', '3', '4']
    """
    name = names[k]
    is_odd = set(name) & set("'\",\\\ufffd") or name[:1] == "-" or visible(name) != name
    if is_odd or len(name) > NAME_MAX or not name or name.isdigit() or names.count(name) > 1:
        return str(number)
    return repr(name)


def layout_of(fields: list[str], choice: Choice) -> Layout:
    """Return the layout of a table, from the fields of its first line."""
    names = fields if _has_header(fields, choice) else None
    if names is None and choice.header is None and choice.columns is None:
        _refuse_doubtful_header(fields)
    dropped = {_column_place(column, names, len(fields)) for column in choice.drop}
    kept = [k for k in range(len(fields)) if k not in dropped]
    chosen = _chosen_columns(kept, names, choice)
    given = choice.label is not None, choice.columns is not None
    layout = Layout(*chosen, names, len(fields), *given)
    if not layout.features:
        bar = "|" in fields[0]
        cure = ", as sed 's/|/;/g' makes them of the bars here" if bar else ""
        raise ValueError(
            "there is one column; a table has a label and at least one feature, parted by commas,"
            f" semicolons or tabs{cure}"
        )
    if names and layout.label is not None:
        _refuse_doubtful_name(layout.label, names, layout.features)
    return layout


def _has_header(fields: list[str], choice: Choice) -> bool:
    """Tell whether these fields are names: no field is a number, but the label's may be."""
    if choice.header is not None:
        return choice.header
    needed = _needed_names(choice.columns) if choice.columns else []
    if needed and set(needed) <= set(fields):
        return True
    label = _expected_label(fields, choice)
    return not any(_is_like_data(field) for k, field in enumerate(fields) if k != label)


def _is_like_data(field: str) -> bool:
    """Tell whether a field is a number rather than a name: without a unit and brackets.

    >>> [_is_like_data(field) for field in ("5.1", "\\u22125,1", "25%", "(1)", "2nd", "1.5D+00")]
    [True, True, False, False, False, True]
    """
    found = written(field)
    return is_number(field) or (found is not None and not found.unit and not found.shape)


def _needed_names(model: TableColumns) -> list[str]:
    """Return the names of the columns that a table to predict must have; [] if they have none."""
    kept = model.prepared or [True] * model.width
    return [name for name, learnt in zip(model.names or [], kept) if learnt is not None]


def _expected_label(fields: list[str], choice: Choice) -> int | None:
    """Return where the label stands, as far as is known before the names are; None if nowhere."""
    label, model = choice.label, choice.columns
    if label is None and model:
        if model.width >= len(fields):
            return None
        label = model.label or model.place
    if label is None:
        return _last_named(fields, range(len(fields))) if choice.labelled else None
    if isinstance(label, str):
        if label in fields:
            return fields.index(label)
        label = int(label) if is_short_number(label) else None
    return label - 1 if label else None


def _refuse_doubtful_header(fields: list[str]) -> None:
    """Refuse a first line 0, 1, 2, .., as a data frame names its columns, or an example.

    So is one in which the first field alone is empty: in its column a data frame has its index.
    """
    counted = [[str(start + k) for k in range(len(fields))] for start in (0, 1)]
    if len(fields) > 2 and (fields in counted or not fields[0] and all(fields[1:])):
        raise with_cure(
            ValueError,
            f"the line {', '.join(fields[:3])}, .. may be an example or the names of the columns;",
            giving("say header=True or header=False", "header", True),
        )


def refuse_doubtful_names(layout: Layout) -> None:
    """Refuse features that have no name, or that of another column that is read."""
    if layout.names is None:
        return
    often = Counter(layout.names[k] for k in layout.features)
    for k in layout.features:
        name = layout.names[k]
        if often[name] > 1 or not name or "\ufffd" in name:
            _refuse_doubtful_name(k, layout.names, layout.features)


def _refuse_doubtful_name(k: int, names: list[str], features: Sequence[int]) -> None:
    """Refuse a column that is read and has no name, or that of a feature."""
    if not names[k]:
        words = f"or leave it out by drop=[{k + 1}], as where it only counts the rows"
        raise with_cure(
            ValueError,
            f"column {k + 1} has no name; give it one,",
            adding(words, "drop", k + 1),
        )
    if "\ufffd" in names[k]:
        raise ValueError(f"the name {quote(names[k])} is not in UTF-8; save the table so")
    read = {k, *features}
    _only_place(names[k], [name if j in read else "" for j, name in enumerate(names)])


def _chosen_columns(
    kept: list[int], names: list[str] | None, choice: Choice
) -> tuple[list[int], int | None]:
    """Return the places of the features and of the label, among the columns kept."""
    model, count = choice.columns, max(kept, default=-1) + 1
    label = None
    if choice.label is not None:
        label = _column_place(choice.label, names, count)
        if label not in kept:
            raise ValueError(f"column {label + 1} is the label, and is left out by drop")
    if model is None:
        if label is None and kept and choice.labelled:
            label = _last_named(names, kept)
        return [k for k in kept if k != label], label
    if model.names is not None:
        if label is None and names and model.label in names:
            place = names.index(model.label)
            label = place if place in kept else None
        needed = set(_needed_names(model))
        given, left = names or [], set(kept)
        often, places = Counter(given), {name: k for k, name in enumerate(given)}
        for k, name in enumerate(given):
            if name in needed and k not in left and often[name] == 1:
                raise ValueError(
                    f"column {k + 1} ({quote(name, NAME_MAX)}) is left out by drop, but the model"
                    " was trained on it"
                )
        clear = {name for name in places if often[name] == 1 and places[name] != label}
        return [NOWHERE if name not in needed else places[name] if name in clear
                else _place_among(name, names, label) for name in model.names], label  # fmt: skip
    if label is None and len(kept) == model.width + 1:
        label = kept[-1 if model.place is None else model.place - 1]
    features = [k for k in kept if k != label]
    if len(features) != model.width and not (choice.label is not None and model.place is None):
        raise ValueError(
            f"there are {len(kept)} columns; the model has {model.width} features, beside which"
            " one column may be the label"
        )
    return features, label


def _last_named(names: list[str] | None, places: Sequence[int]) -> int:
    """Return the last place at which a name stands: behind it only separators may end a line."""
    return next((k for k in reversed(places) if names and names[k]), places[-1])


def _column_place(column: object, names: list[str] | None, count: int) -> int:
    """Return the place of a column that is given by its name, or by its number from 1."""
    if isinstance(column, str):
        if names and column in names:
            return _only_place(column, names)
        if not is_short_number(column):
            raise ValueError(_no_such_column(column, names))
        column = int(column)
    if type(column) is not int or not 1 <= column <= count:
        raise ValueError(
            f"there is no column {quote(column)}; columns are counted from 1 to {count}"
        )
    return column - 1


def _only_place(name: str, names: list[str]) -> int:
    """Return the place of a name, refused if it stands twice."""
    place = names.index(name)
    if name in names[place + 1 :]:
        other = names.index(name, place + 1)
        raise with_cure(
            ValueError,
            f"columns {place + 1} and {other + 1} are both named {quote(name, NAME_MAX)}; give"
            " them different names,",
            adding(f"or leave one out by drop=[{other + 1}]", "drop", other + 1),
        )
    return place


def _no_such_column(column: str, names: list[str] | None) -> str:
    """Return the sentence that a column is not there, with the names there are."""
    sentence = f"there is no column {quote(column, NAME_MAX)}"
    if names is None:
        return f"{sentence}, for the line has numbers and no names; give its number, from 1"
    from difflib import get_close_matches  # which takes long to import

    near = get_close_matches(column, names, 1, 0.75)
    known = shorten(", ".join(map(repr, names)), 80)
    return f"{sentence}; " + (
        f"the nearest is {quote(near[0], NAME_MAX)} of {known}" if near else f"there are {known}"
    )


def _place_among(name: str, names: list[str] | None, label: int | None) -> int:
    """Return the place of a column that a model was trained on, and which is not the label."""
    if names is None:
        raise ValueError(
            "the line has no names; the model knows its columns by name, as"
            f" {quote(name, NAME_MAX)}"
        )
    if name not in names:
        raise ValueError(f"{_no_such_column(name, names)}; the model was trained on it")
    place = _only_place(name, names)
    if place == label:
        raise ValueError(f"column {place + 1} is the label, but the model was trained on it")
    return place


def is_number(token: str) -> bool:
    """Tell whether a field is a number."""
    try:
        finite(token, "")
    except ValueError:
        return False
    return True
