"""What a function returns for given arguments, to the last bit: tests for another implementation.

    Run       a function by its type (bits/functions.py), the arguments given to it, and why these
    exact     arguments and answer as fractions, of a function that takes fractions to fractions;
              of other kernels an interval that holds the value
    bits      the same on doubles: what the order of operations in the specification makes of them

The arguments are written once, on Fractions that are doubles too; where there are no exact values
(Gaussian, Sigmoid) on floats. Both answers are what the functions of this package return.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from ...kernels.base import Kernel
from ...kernels.rational_values import is_rational
from ...numerics.types import Kind
from ...proofs.enclosures import kernel_interval
from ...svm.training_problem import TrainingProblem
from ..bits.functions import answer_json, as_documents, functions_of
from ..cases.number_json import doubles, hexadecimal, rational


class Run(NamedTuple):
    """A function, to be called once; name: what its test is called."""

    name: str
    function: str
    comment: str
    given: dict[str, Any]
    flags: tuple[str, ...] = ()


ON_DOUBLES = (
    "exp", "tanh", "units", "calibrate", "sigmoid", "class_probabilities",
    "preparation", "refitted", "refusal",
)  # fmt: skip
ENCLOSURE_BITS = 96  # how narrow the interval of a kernel value is that is no fraction


def run_json(run: Run) -> dict[str, Any]:
    """Call the function of a Run; return its test: arguments and answer in both kinds of numbers.

    >>> test = run_json(Run("a power", "power", "1.5^2", {"b": Fraction(3, 2), "n": 2}))
    >>> test["exact"]["answer"], test["bits"]["answer"]
    ({'value': '9/4'}, {'value': '0x1.2000000000000p+1'})
    """
    test = head_of_test(run.name, run.comment, run.flags, "valid")
    if run.function not in ON_DOUBLES and _takes_only_fractions(run.given):
        exact = _call_json(run.function, converted(run.given, Fraction), lambda document: document)
        test["exact"] = rational(exact)
    elif run.function == "kernel":
        value = kernel_interval(**run.given, bits=ENCLOSURE_BITS)
        given = as_documents(run.given, lambda document: document)
        test["exact"] = rational({"given": given, "answer": {"value": value}})
    on_floats = _call_json(run.function, converted(run.given, float), doubles)
    return {**test, "bits": hexadecimal(on_floats)}


def head_of_test(name: str, comment: str, flags: tuple[str, ...], result: str) -> dict[str, Any]:
    """Return the beginning of every test; its tcId is set when the file is put together."""
    return {"tcId": 0, "name": name, "comment": comment, "flags": list(flags), "result": result}


def _call_json(
    function: str, given: dict[str, Any], change: Callable[[Any], Any]
) -> dict[str, Any]:
    """Return what is given and what comes back; `change` is applied to each document in it."""
    answer = answer_json(functions_of()[function](**given), change)
    return {"given": as_documents(given, change), "answer": answer}


def converted(tree: Any, kind: Kind) -> Any:
    """Return the tree with its numbers, problems and kernels in this kind of numbers."""
    if isinstance(tree, (TrainingProblem, Kernel)):
        return tree.to(kind)
    if isinstance(tree, dict):
        return {key: converted(value, kind) for key, value in tree.items()}
    if isinstance(tree, list):
        return [converted(value, kind) for value in tree]
    is_number = isinstance(tree, (Fraction, float)) and -inf < tree < inf
    return kind(tree) if is_number else tree


def _takes_only_fractions(given: dict[str, Any]) -> bool:
    """Return whether all that is given exists on Fractions."""
    kernels = [getattr(value, "kernel", value) for value in given.values()]
    return all(is_rational(kernel) for kernel in kernels if isinstance(kernel, Kernel))
