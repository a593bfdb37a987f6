"""Cures: what a refusal recommends, in words for a reader and as a change for a program.

An exception that names a cure carries it as its attribute `cure`:

    >>> from refsvm import OneClassSVM
    >>> X, machine = [[-1], [1], [3], [4]], OneClassSVM(kernel="linear", nu=0.5)
    >>> try:
    ...     machine.fit(X)
    ... except ValueError as refusal:
    ...     cure = refusal.cure
    >>> cure.words, cure.argument, cure.change(machine.nu)
    ('take a larger nu, such as 1.0, or another kernel', 'nu', 1.0)
    >>> machine.set_params(nu=cure.change(machine.nu)).fit(X).predict([[0], [5]])
    [-1, 1]

Where the words name several ways, the change is the one that helps always. tests/test_cures.py
makes each change on an input that was refused, and sees that it is taken.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, TypeVar

from .types import Matrix, MatrixLike, Number

Refusal = TypeVar("Refusal", bound=Exception)


class Cure(NamedTuple):
    """A change that a refusal recommends.

    Attributes
    ----------
    words : str
        the change as the sentence says it: "take a larger nu, such as 0.8"
    argument : str
        what is changed: the name of an argument or parameter, "X[0][2]" for a part of one; ""
        where another function is called, "argv" where the words of a command line are
    change : callable
        takes what was given for it to what helps; where `argument` is "", the function that
        refused to the one to call
    """

    words: str
    argument: str
    change: Callable[[Any], Any]


def with_cure(kind: type[Refusal], sentence: str, cure: Cure) -> Refusal:
    """Return the exception whose text is the sentence and the words of the cure, which it carries.

    >>> with_cure(TypeError, "A holds Fractions;", Cure("give floats", "A", in_floats))
    TypeError('A holds Fractions; give floats')
    """
    refusal = kind(f"{sentence} {cure.words}")
    refusal.cure = cure  # type: ignore[attr-defined]
    return refusal


def retold(refusal: Exception, sentence: str) -> Exception:
    """Return a refusal of the same sort with another sentence, which carries the cure, if any."""
    other: Exception = (ValueError if isinstance(refusal, ValueError) else TypeError)(sentence)
    if hasattr(refusal, "cure"):
        other.cure = refusal.cure  # type: ignore[attr-defined]
    return other


def giving(words: str, argument: str, value: object) -> Cure:
    """Return the cure of giving this value for an argument, whatever it was.

    >>> giving("it must be False", "bias", False).change(True)
    False
    """
    return Cure(words, argument, partial(_instead, value))


def adding(words: str, argument: str, *names: object) -> Cure:
    """Return the cure of more names in a list, which may be None so far.

    >>> adding("leave it out", "drop", "id").change(["day"])
    ['day', 'id']
    """
    return Cure(words, argument, partial(_with_more, names))


def _with_more(names: tuple[object, ...], given: Any) -> list[Any]:
    return [*(given or ()), *names]


def calling(words: str, name: str) -> Cure:
    """Return the cure of calling another function with the same arguments.

    It is looked for in the package of the function that refused, and in its module.
    """
    return Cure(words, "", partial(_function_beside, name))


def _function_beside(name: str, function: Any) -> Any:
    """Return the function of this name in the package of another one, or in its module."""
    package = sys.modules[function.__module__.partition(".")[0]]
    return getattr(package, name, None) or getattr(sys.modules[function.__module__], name)


def _instead(value: object, given: object) -> object:
    return value


def in_fractions(given: Any) -> Any:
    """Return numbers, in lists of any depth, as Fractions of the same values.

    >>> in_fractions([[0.5, 2]])
    [[Fraction(1, 2), Fraction(2, 1)]]
    """
    return list(map(in_fractions, given)) if isinstance(given, list) else Fraction(given)


def in_floats(given: Any) -> Any:
    """Return numbers, in lists of any depth, as the floats nearest to them.

    >>> in_floats([Fraction(1, 2), 2])
    [0.5, 2.0]
    """
    return list(map(in_floats, given)) if isinstance(given, (list, tuple)) else float(given)


def scaled(power: int, given: Any) -> Any:
    """Return numbers, in lists of any depth, times 2^power.

    >>> scaled(-2, [[8.0], [2.0]])
    [[2.0], [0.5]]
    """
    if isinstance(given, list):
        return [scaled(power, part) for part in given]
    factor: Number = Fraction(2) ** power if isinstance(given, Fraction) else 2.0**power
    return given * factor


def symmetrised(A: MatrixLike) -> Matrix:
    """Return (A + A.T) / 2, the mean of a matrix and its transpose.

    >>> symmetrised([[1.0, 3.0], [2.0, 1.0]])
    [[1.0, 2.5], [2.5, 1.0]]
    """
    return [[(A[i][j] + A[j][i]) / 2 for j in range(len(A))] for i in range(len(A))]
