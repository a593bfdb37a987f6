"""The names of the columns of a data frame, which must be the same in fit and in predict.

A frame is known by what it has, so that no library is imported: `columns` (pandas, polars) or
`column_names` (Arrow). Names count where all of them are strings, as in scikit-learn; rows without
names are taken as they come.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from ..numerics.conversion import PLAIN, as_sequence
from ..numerics.quoting import quote


def feature_names(X: Any) -> list[str] | None:
    """Return the names of the columns of X, None if it has none; TypeError if some are no strings.

    >>> feature_names([[1.0, 2.0]]) is None
    True
    """
    if type(X) in PLAIN:
        return None
    names = (
        as_sequence(_attribute(X, "column_names")) or as_sequence(_attribute(X, "columns")) or ()
    )
    strings = [name for name in names if isinstance(name, str)]
    if len(strings) < len(names) and strings:
        other = next(name for name in names if not isinstance(name, str))
        raise TypeError(
            f"X has columns named {quote(strings[0])} and {quote(other)}; all names must be"
            " strings, or none"
        )
    return list(map(str, strings)) or None


def _attribute(X: Any, name: str) -> Any:
    """Return an attribute of an object of another library, None if it has none to give."""
    try:
        return getattr(X, name, None)
    except Exception:
        return None


def refuse_other_names(X: Any, expected: list[str] | None) -> None:
    """Raise an error if X has names and they are not those that fit saw, in their order.

    >>> class Frame:
    ...     columns = ["b", "a"]
    >>> refuse_other_names(Frame(), ["a", "b"])
    Traceback (most recent call last):
      ...
    ValueError: X has column 0 named 'b' where fit had 'a'; give the columns of fit in their order
    """
    names = feature_names(X)
    if names is None or expected is None or names == list(expected):
        return
    pairs = enumerate(zip_longest(names, expected))
    place, (name, wanted) = next((k, pair) for k, pair in pairs if pair[0] != pair[1])
    if name is None:
        found = f"X has no column {quote(wanted)}, which fit had at place {place}"
    elif wanted is None:
        found = f"X has column {place} named {quote(name)}, which fit had not"
    else:
        found = f"X has column {place} named {quote(name)} where fit had {quote(wanted)}"
    raise ValueError(f"{found}; give the columns of fit in their order")
