"""The door: every number that enters refsvm is converted here, once, and every bad one is refused.

A calculation runs on one kind of number. If any number it is given is a Fraction, the kind is
Fraction and every other number becomes the fraction it is (a float is a dyadic fraction, exactly).
Otherwise the kind is float. Behind the door the source never asks which: it uses + - * / and
comparisons, its constants are ints, and int / int is never written.

    kind    float or Fraction: the type, used to convert (kind(0) is the zero of that kind)
    name    how a sentence calls the place of a value, such as "X[3][1]" or "gamma"

A refusal is one sentence that names the argument, the place, the value and the rule: ValueError
when the value is wrong, TypeError when it is not the sort of thing that was asked for. Nothing of
the caller's is changed: what comes back is always a new list.
"""

from fractions import Fraction
from math import inf, isfinite

PLAIN = {float, int, list, tuple}  # nearly all that is given, and no array


def number_kind(*given):
    """float, or Fraction as soon as one Fraction is found in the (nested) numbers given.

    Strings and None count as no number. O(number of numbers).

    >>> number_kind([[1, 2.5], [3, 4]], 1).__name__
    'float'
    >>> number_kind([[1, 2.5], [3, Fraction(1, 3)]]).__name__
    'Fraction'
    """
    for value in given:
        if isinstance(value, (float, int, str)) or value is None:
            continue
        if isinstance(value, Fraction):
            return Fraction
        value = as_lists(value)
        # All floats, the common case, is seen without asking each of them.
        plain = not is_sequence(value) or set(map(type, value)) == {float}
        if not plain and number_kind(*value) is Fraction:
            return Fraction
    return float


def is_sequence(value):
    """Whether value has a length and an order; a generator or a set has not, a string is a word.

    To read a generator is to use it up, and nothing of the caller's may be changed here.
    """
    if isinstance(value, (list, tuple)):
        return True
    if isinstance(value, (str, bytes, dict)):
        return False
    return hasattr(value, "__len__") and hasattr(value, "__getitem__")


def as_lists(value):
    """Nested lists for an array, a buffer, a data frame or a sparse matrix; others as they are.

    Asked by method, so that none of those libraries is ever imported.
    """
    if type(value) in PLAIN:
        return value
    for method in ("toarray", "to_numpy", "tolist"):
        convert = getattr(value, method, None)
        if convert is not None:
            value = convert()
    return value


def to_number(kind, value, name):
    """`value` as a number of this kind, refused unless it is a finite number.

    A Fraction is never rounded: it stays one even where the kind is float.

    >>> to_number(float, 3, "C")
    3.0
    >>> to_number(Fraction, 0.5, "C")
    Fraction(1, 2)
    >>> to_number(float, 2**53 + 1, "C")
    Traceback (most recent call last):
      ...
    ValueError: C is 9007199254740993, an integer that no double holds; give it as a Fraction
    >>> to_number(float, "1", "X[0][2]")
    Traceback (most recent call last):
      ...
    TypeError: X[0][2] is '1'; a number is needed
    """
    if kind is float and type(value) is float and isfinite(value):
        return value
    value = as_lists(value)  # a NumPy scalar is no int, but may be too large for a double too
    if not hasattr(value, "__float__"):
        raise TypeError(f"{name} is {value!r}; a number is needed")
    if isinstance(value, Fraction):
        return value
    if kind is Fraction and isinstance(value, int):
        return Fraction(value)
    try:
        number = float(value)
    except OverflowError:
        number = inf  # an int, which the next sentence names whole
    except (TypeError, ValueError):  # classes have __float__ too, and complex numbers had it
        raise TypeError(f"{name} is {value!r}; a number is needed") from None
    if isinstance(value, int) and (not isfinite(number) or int(number) != value):
        raise ValueError(
            f"{name} is {value}, an integer that no double holds; give it as a Fraction"
        )
    if not isfinite(number):
        raise ValueError(f"{name} is {number}; it must be a finite number")
    return kind(number)


def vector(x, name, kind=None):
    """A new list of the numbers of x, all of one kind; at least one number.

    >>> vector((1, 2), "x")
    [1.0, 2.0]
    >>> vector([1.0, float("nan")], "x")
    Traceback (most recent call last):
      ...
    ValueError: x[1] is nan; it must be a finite number
    """
    x = sequence(x, name)
    if not x:
        raise ValueError(f"{name} is empty; it must hold at least one number")
    kind = kind or number_kind(x)
    if kind is float and set(map(type, x)) == {float} and all(map(isfinite, x)):
        return list(x)
    return [to_number(kind, value, f"{name}[{k}]") for k, value in enumerate(x)]


def matrix(X, name, kind=None):
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


def sequence(values, name):
    """`values` as a list or tuple, refused when it is a string or no sequence."""
    values = as_lists(values)
    if not is_sequence(values):
        raise TypeError(f"{name} is {values!r}; a sequence is needed")
    return values if isinstance(values, (list, tuple)) else list(values)


def labels(y, n, name="y"):
    """The labels as a list of the ints +1 and -1, one for each of n examples, both present.

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


def signs(y, n, name="y"):
    """The labels as ints, one for each of n examples, which may all be the same."""
    y = sequence(y, name)
    same_length(y, n, name)
    types = set(map(type, y))
    if types <= {int, float} and set(y) <= {1, -1}:  # seen without asking each
        return list(y) if types == {int} else [1 if value == 1 else -1 for value in y]
    return [label(value, f"{name}[{k}]") for k, value in enumerate(y)]


def label(value, name):
    """One label as the int +1 or -1; ValueError for anything else."""
    value = as_lists(value)  # an array, compared with a number, may be no truth value at all
    if isinstance(value, str) or value not in (1, -1):
        raise ValueError(f"{name} is {value!r}; a label must be +1 or -1")
    return 1 if value == 1 else -1


def same_length(values, n, name):
    """Refuse a list of another length than there are examples."""
    if len(values) != n:
        raise ValueError(f"{name} has length {len(values)}; there are {n} examples")


def positive(kind, value, name, infinite=False):
    """A number above zero; `infinite` says whether math.inf may pass (as the float inf).

    >>> positive(float, 0, "C")
    Traceback (most recent call last):
      ...
    ValueError: C is 0; it must be positive
    """
    value = as_lists(value)
    if infinite and hasattr(value, "__float__"):  # a list compares with anything
        if value == inf:
            return inf
        if value != value:
            raise ValueError(f"{name} is {value}; it must be positive")
    number = to_number(kind, value, name)
    if not number > 0:
        raise ValueError(f"{name} is {value}; it must be positive")
    return number


def not_negative(kind, value, name):
    """A number that is zero or above.

    >>> not_negative(float, -1, "tol")
    Traceback (most recent call last):
      ...
    ValueError: tol is -1.0; it must not be negative
    """
    number = to_number(kind, value, name)
    if number < 0:
        raise ValueError(f"{name} is {number}; it must not be negative")
    return number


def penalties(kind, C, n):
    """C as a list of n positive numbers or math.inf: one number for all, or one an example.

    >>> penalties(float, 2, 3)
    [2.0, 2.0, 2.0]
    """
    C = as_lists(C)
    if not hasattr(C, "__iter__") or isinstance(C, (str, bytes)):
        return [positive(kind, C, "C", infinite=True)] * n
    C = sequence(C, "C")
    same_length(C, n, "C")
    if kind is float and set(map(type, C)) == {float} and all(map((0.0).__lt__, C)):
        return list(C)  # seen without asking each
    return [positive(kind, c, f"C[{i}]", infinite=True) for i, c in enumerate(C)]


def whole_number(value, name, least):
    """An int that is at least `least`; a float or a bool is not a whole number here.

    >>> whole_number(2.0, "degree", 0)
    Traceback (most recent call last):
      ...
    TypeError: degree is 2.0; a whole number is needed
    """
    value = as_lists(value)
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} is {value!r}; a whole number is needed")
    value = value.__index__()
    if value < least:
        raise ValueError(f"{name} is {value}; it must be at least {least}")
    return value


def indices(picks, n):
    """The picks as a list of indices below n, at least one."""
    picks = enumerate(iterator(picks, "picks", "indices"))
    picks = [whole_number(s, f"picks[{t}]", 0) for t, s in picks]
    for t, s in enumerate(picks):
        if s >= n:
            raise ValueError(f"picks[{t}] is {s}; there are {n} examples")
    if not picks:
        raise ValueError("picks is empty; it must hold at least one index")
    return picks


def iterator(values, name, of):
    """An iterator of these. An array of no length and a class seem to have one, but do not.

    >>> iterator(0.5, "rates", "numbers")
    Traceback (most recent call last):
      ...
    TypeError: rates is 0.5; an iterable of numbers is needed
    """
    try:
        return iter(values)
    except TypeError:
        raise TypeError(f"{name} is {values!r}; an iterable of {of} is needed") from None


def yes_or_no(value, name):
    """True or False, and not a word that would pass for True.

    >>> yes_or_no("no", "bias")
    Traceback (most recent call last):
      ...
    TypeError: bias is 'no'; it must be True or False
    """
    value = as_lists(value)
    if not isinstance(value, int) or value not in (0, 1):
        raise TypeError(f"{name} is {value!r}; it must be True or False")
    return bool(value)


def one_of(value, choices, name):
    """Refuse a word that is not among the known ones, and list those.

    >>> one_of("square", ("hinge", "squared"), "slack")
    Traceback (most recent call last):
      ...
    ValueError: slack is 'square'; the known ones are 'hinge', 'squared'
    """
    if not isinstance(value, str) or value not in choices:
        known = ", ".join(map(repr, choices))
        raise ValueError(f"{name} is {value!r}; the known ones are {known}")
    return value
