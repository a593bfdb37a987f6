"""Validation of input: every number given to refsvm is checked and converted here, once.

A calculation works with one kind of number. If any number that it is given is a Fraction, the kind
is Fraction, and every other number becomes the Fraction that it is (each float is one, exactly).
Otherwise the kind is float. After validation all numbers have one type, and the code that follows
need not ask which: it uses + - * / and comparisons, its constants are ints, and int / int is never
written.

    kind    float or Fraction: the type, used to convert (kind(0) is the zero of that kind)
    name    what an error message calls the place of a value, such as "X[3][1]" or "gamma"

An error message is one sentence that names the argument, the place, the value and the rule. It is
a ValueError if the value is wrong, a TypeError if it is not of the type that is needed. What the
caller gave is never changed: what a function returns is a new list.

What a value of any type is in Python's own types says conversion.py. What comes after compares,
counts and prints Python's own numbers only, whose methods raise nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sized
from fractions import Fraction
from math import inf, isfinite
from typing import Any, TypeVar

from .conversion import NUMBER_TYPES, PLAIN_TYPES, as_lists, as_number, as_sequence, is_double
from .cures import Cure, with_cure
from .quoting import quote
from .sparse_rows import SparseRow, row_numbers
from .types import Kind, Matrix, Number, Vector

LARGEST_WHOLE = 2**63 - 1  # of what is counted, and of a degree
MAX_LIST_DEPTH = 6  # lists in lists: more than any argument has


def number_kind(*given: Any) -> Kind:
    """float, or Fraction as soon as one Fraction is found in the (nested) numbers given (S1.1).

    Strings and None count as no number, nor does what is nested deeper than any argument is, as a
    list that holds itself: it is refused where it is converted. O(number of numbers).

    >>> number_kind([[1, 2.5], [3, 4]], 1).__name__
    'float'
    >>> number_kind([[1, 2.5], [3, Fraction(1, 3)]]).__name__
    'Fraction'
    """
    level: list[Any] = [given]
    seen: dict[int, Any] = {}  # by identity; kept, so that no other list gets the same
    for _ in range(MAX_LIST_DEPTH):
        below: list[Any] = []
        for values in level:
            types = set(map(type, values)) - {float}  # nothing is left, in the common case
            if Fraction in types or any(
                issubclass(kind, Fraction) for kind in types - PLAIN_TYPES
            ):
                return Fraction
            for value in values if not types <= NUMBER_TYPES else ():
                if type(value) not in NUMBER_TYPES and id(value) not in seen:
                    seen[id(value)] = value
                    found = value if type(value) is list else as_lists(value)
                    below.append(
                        row_numbers(found) if type(found) is SparseRow else as_sequence(found)
                    )
        level = list(filter(None, below))
    return float


def to_number(kind: Kind, value: object, name: str) -> Number:
    """A finite number of this kind (S1.1).

    A Fraction is never rounded: it stays a Fraction even if the kind is float.

    >>> to_number(float, 3, "C")
    3.0
    >>> to_number(Fraction, 0.5, "C")
    Fraction(1, 2)
    >>> to_number(float, 2**53 + 1, "C")
    Traceback (most recent call last):
      ...
    ValueError: C is 9007199254740993, an integer that no double holds; give the nearest float, \
or a Fraction
    >>> to_number(float, "1", "X[0][2]")
    Traceback (most recent call last):
      ...
    TypeError: X[0][2] is '1'; a number is needed
    """
    if kind is float and type(value) is float and isfinite(value):
        return value
    value = as_lists(value)  # a NumPy integer becomes an int, which a double may not hold
    number = as_number(value)
    if number is None:
        raise TypeError(f"{name} is {quote(value)}; a number is needed")
    if isinstance(number, float) and not isfinite(number):
        raise ValueError(f"{name} is {number}; it must be a finite number")
    if isinstance(number, Fraction) or kind is Fraction:
        return Fraction(number)
    if not is_double(number):
        raise with_cure(
            ValueError,
            f"{name} is {quote(number)}, an integer that no double holds;",
            Cure("give it as a Fraction", name, Fraction)
            if abs(number) >= 2**1024
            else Cure("give the nearest float, or a Fraction", name, float),
        )
    return float(number)


def nearest(kind: Kind, number: Number, name: str) -> Number:
    """The number of this kind nearest to one that was checked; a Fraction may be beyond doubles.

    >>> nearest(float, Fraction(1, 3), "tol")
    0.3333333333333333
    """
    try:
        return kind(number)
    except OverflowError:
        raise ValueError(f"{name} is {quote(number)}; it must be within the doubles") from None


def vector(x: object, name: str, kind: Kind | None = None) -> Vector:
    """A new list of the numbers of x, all of one kind; at least one number. Sparse, if x is.

    >>> vector((1, 2), "x")
    [1.0, 2.0]
    >>> vector([1.0, float("nan")], "x")
    Traceback (most recent call last):
      ...
    ValueError: x[1] is nan; it must be a finite number
    """
    if type(x) is SparseRow:
        return _sparse_vector(x, name, kind or number_kind(x))
    x = sequence(x, name)
    if not x:
        raise ValueError(f"{name} is empty; it must hold at least one number")
    kind = kind or number_kind(x)
    if kind is float and set(map(type, x)) == {float} and all(map(isfinite, x)):
        return list(x)
    return [to_number(kind, value, f"{name}[{k}]") for k, value in enumerate(x)]


def _sparse_vector(x: SparseRow, name: str, kind: Kind) -> Vector:
    """The row x in numbers of this kind."""
    numbers, given = x.numbers, row_numbers(x)
    if kind is not float or set(map(type, given)) - {float} or not all(map(isfinite, given)):
        places = zip(x.kept.places, numbers)
        numbers = [to_number(kind, value, f"{name}[{k}]") for k, value in places]
    return SparseRow(x.kept, numbers, kind(0))  # type: ignore[return-value]


def matrix(X: object, name: str, kind: Kind | None = None) -> Matrix:
    """A new list of rows of numbers, all of one kind; at least one row, all of one length.

    >>> matrix([[1, 2], [3]], "X")
    Traceback (most recent call last):
      ...
    ValueError: X[1] has length 1; every row must have the length of X[0], which is 2
    """
    X = sequence(X, name)
    if not X:
        raise ValueError(f"{name} is empty; it must have at least one row")
    kind = kind or number_kind(X)
    rows = [vector(row, f"{name}[{i}]", kind) for i, row in enumerate(X)]
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise ValueError(
                f"{name}[{i}] has length {len(row)}; every row must have the length of {name}[0],"
                f" which is {len(rows[0])}"
            )
    return rows


def sequence(values: object, name: str) -> list[Any] | tuple[Any, ...]:
    """`values` as a list or tuple; TypeError for a string, or what is no sequence."""
    values = as_lists(values)
    found = as_sequence(values)
    if found is None:
        raise TypeError(f"{name} is {quote(values)}; a sequence is needed")
    return found


def labels(y: object, n: int, name: str = "y") -> list[int]:
    """The labels as ints +1 and -1, one for each of n examples; both must occur.

    >>> labels([1, -1.0], 2)
    [1, -1]
    >>> labels([1, 0], 2)
    Traceback (most recent call last):
      ...
    ValueError: y[1] is 0; a label must be +1 or -1
    """
    found = signs(y, n, name)
    if 1 not in found or -1 not in found:
        raise ValueError(f"{name} holds the label {found[0]:+d} only; both classes are needed")
    return found


def signs(y: object, n: int, name: str = "y") -> list[int]:
    """The labels as ints +1 and -1, one for each of n examples; all may be the same."""
    y = sequence(y, name)
    check_length(y, n, name)
    types = set(map(type, y))
    if types <= {int, float} and set(y) <= {1, -1}:  # the common case, without a call for each
        return list(y) if types == {int} else [1 if value == 1 else -1 for value in y]
    return [label(value, f"{name}[{k}]") for k, value in enumerate(y)]


def label(value: object, name: str) -> int:
    """One label as the int +1 or -1; ValueError for anything else."""
    value = as_lists(value)
    number = as_number(value)
    if number not in (1, -1):
        raise ValueError(f"{name} is {quote(value)}; a label must be +1 or -1")
    return 1 if number == 1 else -1


def check_length(values: Sized, n: int, name: str) -> None:
    """Raise ValueError unless there is one value for each of n examples."""
    if len(values) != n:
        raise ValueError(f"{name} has length {len(values)}; there are {n} examples")


def positive(kind: Kind, value: object, name: str, infinite: bool = False) -> Number:
    """A number above zero; math.inf is allowed if `infinite` is True.

    >>> positive(float, 0, "C")
    Traceback (most recent call last):
      ...
    ValueError: C is 0; it must be positive
    """
    value = as_lists(value)
    if infinite:
        given = as_number(value)
        if given == inf:
            return inf
        if given != given:
            raise ValueError(f"{name} is {given}; it must be positive")
    number = to_number(kind, value, name)
    if not number > 0:
        raise ValueError(f"{name} is {quote(value)}; it must be positive")
    return number


def not_negative(kind: Kind, value: object, name: str) -> Number:
    """A number that is zero or above.

    >>> not_negative(float, -1, "tol")
    Traceback (most recent call last):
      ...
    ValueError: tol is -1.0; it must not be negative
    """
    number = to_number(kind, value, name)
    if number < 0:
        raise ValueError(f"{name} is {quote(number)}; it must not be negative")
    return number


def room(value: object, name: str = "cache_mb") -> float:
    """A number above zero that is within the doubles, as one."""
    return float(nearest(float, positive(float, value, name), name))


def tolerance(kind: Kind, tol: object) -> Number:
    """tol in this kind: zero or above, and within the doubles unless all are Fractions."""
    return nearest(kind, not_negative(kind, tol, "tol"), "tol")


def penalties(kind: Kind, C: object, n: int) -> Vector:
    """C as a list of n positive numbers or math.inf: one number for all, or one an example.

    >>> penalties(float, 2, 3)
    [2.0, 2.0, 2.0]
    """
    C = as_lists(C)
    if not hasattr(type(C), "__iter__") or issubclass(type(C), (str, bytes)):
        return [positive(kind, C, "C", infinite=True)] * n
    C = sequence(C, "C")
    check_length(C, n, "C")
    if kind is float and set(map(type, C)) == {float} and all(map((0.0).__lt__, C)):
        return list(C)  # the common case, without a call for each; NaN is not above 0
    return [positive(kind, c, f"C[{i}]", infinite=True) for i, c in enumerate(C)]


def whole_number(value: object, name: str, least: int, most: float = LARGEST_WHOLE) -> int:
    """An int that is from `least` to `most`; TypeError for a float or a bool.

    >>> whole_number(2.0, "degree", 0)
    Traceback (most recent call last):
      ...
    TypeError: degree is 2.0; a whole number is needed
    """
    value = as_lists(value)
    number = as_number(value)
    if type(number) is not int:
        sort = ", a Fraction" if isinstance(number, Fraction) else ""
        raise TypeError(f"{name} is {quote(value)}{sort}; a whole number is needed")
    if number < least:
        raise ValueError(f"{name} is {quote(number)}; it must be at least {least}")
    if number > most:
        raise ValueError(f"{name} is {quote(number)}; it must be at most {most}")
    return number


def indices(picks: object, n: int, begin: int = 0) -> list[int]:
    """The picks as a list of indices from 0 to n - 1, at least one; `begin` went before them."""
    given = enumerate(iterator(picks, "picks", "indices"), begin)
    found = [whole_number(s, f"picks[{t}]", 0) for t, s in given]
    for t, s in enumerate(found, begin):
        if s >= n:
            raise ValueError(f"picks[{t}] is {quote(s)}; there are {n} examples")
    if not found:
        raise ValueError("picks is empty; it must hold at least one index")
    return found


def iterator(values: Any, name: str, of: str) -> Iterator[Any]:
    """An iterator over the values; TypeError if there is none.

    An array with no dimension, and a class, have __iter__ and yet no iterator.

    >>> iterator(0.5, "rates", "numbers")
    Traceback (most recent call last):
      ...
    TypeError: rates is 0.5; an iterable of numbers is needed
    """
    try:
        return iter(values)
    except Exception:
        raise TypeError(f"{name} is {quote(values)}; an iterable of {of} is needed") from None


# What is no number: words, answers of yes or no, objects of refsvm
#
#     name    what an error message calls the place of a value, such as "slack"
#
# The type is asked, by issubclass(type(value), ..): isinstance would believe a __class__ that the
# value makes up. And str.__str__ makes a plain string of one whose class has its own methods.


Instance = TypeVar("Instance")


def text(value: object, name: str) -> str:
    """The string; TypeError for anything else."""
    if not issubclass(type(value), str):
        raise TypeError(f"{name} is {quote(value)}; a string is needed")
    return str.__str__(value)


def instance_of(sort: type[Instance], value: Any, name: str) -> Instance:
    """The value, if it is of this class of refsvm; TypeError for anything else.

    >>> from fractions import Fraction
    >>> instance_of(Fraction, 3, "q")
    Traceback (most recent call last):
      ...
    TypeError: q is 3; a Fraction is needed
    """
    if not issubclass(type(value), sort):
        raise TypeError(f"{name} is {quote(value)}; a {sort.__name__} is needed")
    return value  # type: ignore[no-any-return]


def yes_or_no(value: object, name: str) -> bool:
    """True or False; TypeError for a word, which Python would take for True.

    >>> yes_or_no("no", "bias")
    Traceback (most recent call last):
      ...
    TypeError: bias is 'no'; it must be True or False
    """
    value = as_lists(value)
    number = as_number(value)
    if not isinstance(number, int) or number not in (0, 1):
        raise TypeError(f"{name} is {quote(value)}; it must be True or False")
    return bool(number)


def one_of(value: object, choices: Collection[str], name: str) -> str:
    """The word, if it is one of the choices; ValueError, with the choices, if it is not.

    >>> one_of("square", ("hinge", "squared"), "slack")
    Traceback (most recent call last):
      ...
    ValueError: slack is 'square'; the known ones are 'hinge', 'squared'
    """
    word = str.__str__(value) if issubclass(type(value), str) else None
    if word is None or word not in choices:
        known = ", ".join(map(repr, choices))
        raise ValueError(f"{name} is {quote(value)}; the known ones are {known}")
    return word


def checked_limits(
    kind: Kind, n: int, tol: Number, max_iter: int | None, steps: int | None
) -> tuple[Any, Any]:
    """tol in this kind, and the most steps: max(100 000, steps n), or inf, if not given."""
    tol = tolerance(kind, tol)
    if max_iter is None:
        return tol, inf if steps is None else max(100_000, steps * n)
    return tol, whole_number(max_iter, "max_iter", 0)
