"""What is at fault with the columns of a table: all of it in one sentence, with what to leave out.

numbers    what a sentence calls a column without a name: its number in the table, from 1
"""

from __future__ import annotations

from collections.abc import Sequence

from ..numerics.quoting import quote
from .column_kinds import FoundColumn
from .layout import SHOWN, given_column

MOST_SHOWN = 12  # columns that are named
ROOM = 180  # characters for what is said of the columns, and as many for those to leave out


def refuse_columns(
    found: Sequence[FoundColumn], names: Sequence[str], numbers: Sequence[int]
) -> None:
    """Refuse at once all columns that cannot be read, and those of one name or of none.

    A column without a name may only be one that is left out, as those that count the rows are.
    """
    unread = [k for k, column in enumerate(found) if column.refused]
    twice = _of_one_name(names)
    garbled = [k for k, name in enumerate(names) if "\ufffd" in name]
    nameless = [k for k, name in enumerate(names) if not name and found[k].kind is not None]
    parts = [
        ("that cannot be read", [
            f"{_called(names[k], numbers[k])} ({found[k].reason})" for k in unread]),
        ("named twice", [
            f"{_called(names[group[0]], 0)} ({_shown([str(numbers[k]) for k in group])})"
            for group in twice]),
        ("named in other signs than those of UTF-8", [str(numbers[k]) for k in garbled]),
        ("without a name", [str(numbers[k]) for k in nameless]),
    ]  # fmt: skip
    parts = [(what, which) for what, which in parts if which]
    if parts:
        faults = [f"{what}: {_shown(which, ROOM // len(parts))}" for what, which in parts]
        at_fault = {*unread, *garbled, *nameless, *(k for group in twice for k in group[1:])}
        texts = ", read as texts by texts" if unread else ""
        raise ValueError(
            f"columns {'; '.join(faults)}; mend them{texts}, or leave them out"
            f"{_drop_of(sorted(at_fault), names, numbers)}"
        )


def _drop_of(columns: Sequence[int], names: Sequence[str], numbers: Sequence[int]) -> str:
    """Return how a caller leaves columns out; nothing of more than a table of mistakes has."""
    if len(columns) > MOST_SHOWN:
        return ""
    drop = ", ".join(given_column(names, k, numbers[k]) for k in columns)
    if len(drop) > ROOM:
        drop = ", ".join(str(numbers[k]) for k in columns)
    return f" by drop=[{drop}]"


def _of_one_name(names: Sequence[str]) -> list[list[int]]:
    """Return the places of each name that stands more than once."""
    places: dict[str, list[int]] = {}
    for k, name in enumerate(names):
        places.setdefault(name, []).append(k)
    return [group for name, group in places.items() if name and len(group) > 1]


def _called(name: str, number: int) -> str:
    """Return what a sentence calls a column."""
    return quote(name, SHOWN) if name else f"column {number}"


def _shown(parts: list[str], room: int = ROOM) -> str:
    """Return the first of what is to be said, in this room, and how many more there are.

    >>> _shown(["a (..)", "b (..)", "c (..)"], 15)
    'a (..), b (..), and 1 more'
    """
    kept = 1
    while kept < min(len(parts), MOST_SHOWN) and len(", ".join(parts[: kept + 1])) <= room:
        kept += 1
    more = [f"and {len(parts) - kept} more"] if parts[kept:] else []
    return ", ".join(parts[:kept] + more)
