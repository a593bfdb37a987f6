"""The labels of a classifier: any values of one sort that can be told apart and sorted.

Whole numbers, strings and bools are what most data have; tuples, dates or Fractions do as well.
Three things are refused before any work, for a machine trained on them would answer nonsense: a
label that is missing (None, NaN, the NA of a data frame), a real-valued target, which asks for
regression, and labels without an order. A label may be an object of any library, so whatever its
own methods raise counts as no.

    y           n labels, one an example        members   the indices of the rows of each class
    classes     the distinct labels, sorted     present   the rows whose weight is not 0
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from ..numerics.conversion import as_lists, is_date
from ..numerics.cures import Cure, calling, with_cure
from ..numerics.quoting import quote, shorten
from ..numerics.types import Label
from ..numerics.validation import check_length, sequence


def plain_labels(y: object, n: int) -> list[Label]:
    """Return the n labels as Python objects; NumPy's scalars become those.

    >>> plain_labels([1, [2]], 2)
    Traceback (most recent call last):
      ...
    TypeError: y[1] is [2]; a label must be a single value, so give y as a list and no column
    >>> plain_labels([1.0, 2.5], 2)
    Traceback (most recent call last):
      ...
    ValueError: y[1] is 2.5; classes are whole numbers, strings or bools, other numbers ask for \
regression
    """
    y = list(sequence(y, "y"))
    check_length(y, n, "y")
    types = set(map(type, y))
    if any(hasattr(cls, "dtype") for cls in types):
        y = [as_lists(label) if hasattr(type(label), "dtype") else label for label in y]
        types = set(map(type, y))
    if types <= {int, str, bool} or types == {float} and all(v % 1 == 0 for v in set(y)):
        return y  # the common cases, without a call for each
    for i, label in enumerate(y):
        _refuse_label(label, f"y[{i}]")
    return y


def _refuse_label(label: Any, name: str) -> None:
    """Raise the error of a label that cannot be hashed, is missing, or is a real number."""
    if not _succeeds(hash, label):
        rule = f"{name} is {quote(label)}; a label must be a single value,"
        if not _is_row_of_one(label):
            raise TypeError(f"{rule} one that can be hashed")
        raise with_cure(
            TypeError, rule, Cure("so give y as a list and no column", "y", _first_of_each)
        )
    if label is None or not is_true(lambda: label == label):
        rule = "be there" if label is None else "equal itself"
        raise with_cure(
            ValueError,
            f"{name} is {quote(label)}; a label must {rule}, so",
            Cure("leave out the rows that have none", "X, y", _labelled),
        )
    if is_true(lambda: is_date(label)):
        cure = Cure("give dates as text, such as y.astype(str)", "y", _as_texts)
        raise with_cure(TypeError, f"{name} is {quote(label)};", cure)
    if hasattr(type(label), "__float__") and not is_true(lambda: label % 1 == 0):
        raise with_cure(
            ValueError,
            f"{name} is {quote(label)}; classes are whole numbers, strings or bools,",
            calling("other numbers ask for regression", "SVR"),
        )


def _first_of_each(y: Sequence[Sequence[Label]]) -> list[Label]:
    """Return the labels of a column."""
    return [row[0] for row in y]


def _labelled(rows: tuple[Sequence[Any], Sequence[Any]]) -> tuple[list[Any], list[Any]]:
    """Return (X, y) without the rows whose label is missing."""
    kept = [(x, label) for x, label in zip(*rows) if label is not None and label == label]
    return [x for x, _ in kept], [label for _, label in kept]


def _as_texts(y: Sequence[Any]) -> list[str]:
    """Return the labels as texts."""
    return list(map(str, y))


def classes_of(y: list[Label], present: list[int]) -> tuple[list[Label], list[list[int]]]:
    """Return (classes, members) of the rows present.

    classes are the distinct labels, sorted, at least two; members holds for each of them the
    indices of its rows, which grow.

    >>> classes_of(["b", "a", "b"], [0, 1, 2])
    (['a', 'b'], [[1], [0, 2]])
    >>> classes_of(["b", "a", "b"], [0, 2])
    Traceback (most recent call last):
      ...
    ValueError: y holds one class only, 'b', among the rows of positive weight; two are needed
    """
    members: dict[Label, list[int]] = defaultdict(list)
    # To look a label up calls its own __eq__ and __hash__, and to sort it its __lt__.
    if not is_true(lambda: _add_members(y, present, members)):
        _refuse_types(y, "compared")
    if len(members) < 2:
        only = f"one class only, {quote(y[present[0]])}" if present else "no class"
        where = ", among the rows of positive weight" if len(present) < len(y) else ""
        raise ValueError(f"y holds {only}{where}; two are needed")
    classes: list[Any] = []
    if not is_true(lambda: _sort_into(classes, members)):
        _refuse_types(list(members), "sorted")
    return classes, [members[label] for label in classes]


def _add_members(y: list[Label], present: list[int], members: dict[Label, list[int]]) -> bool:
    """Add the index of every row present to the members of its label."""
    for i in present:
        members[y[i]].append(i)
    return True


def _sort_into(classes: list[Any], labels: Iterable[Any]) -> bool:
    """Sort the labels into `classes`; tell whether each is below the next (sets are not)."""
    classes += sorted(labels)
    return all(a < b for a, b in zip(classes, classes[1:]))


def _refuse_types(y: list[Label], what: str) -> NoReturn:
    """Raise the error of labels that cannot be compared, or sorted."""
    types = shorten(", ".join(sorted({type(label).__name__ for label in y})))
    raise TypeError(
        f"y holds labels of the types {types}; labels must be of types that can be {what}"
    )


def is_same(label: object, other: object) -> bool:
    """Tell whether two labels are equal; those that cannot be compared are not."""
    return is_true(lambda: label == other)


def _is_row_of_one(label: object) -> bool:
    """Tell whether this is no label but a row that holds one: y is a column then."""
    return type(label) is list and len(label) == 1


def _succeeds(call: Callable[..., object], *given: object) -> bool:
    """Tell whether a method that is not ours raises nothing."""
    try:
        call(*given)
    except Exception:
        return False
    return True


def is_true(answer: Callable[[], object]) -> bool:
    """Tell whether an answer that another library computes is true; what it raises is no."""
    try:
        return bool(answer())
    except Exception:
        return False
