"""What a function returns for given arguments, to the last bit: tests for another implementation.

    Run       a function by its type (bits/functions.py), the arguments given to it, and why these
    run_json    its test: arguments and answer on doubles, to the last bit
    exact_json  the same as fractions, of a function that takes fractions to fractions; of other
                kernels an interval that holds the value

The arguments are written once, on Fractions that are doubles too; where there are no exact values
(Gaussian, Sigmoid) on floats. Both answers are what the functions of this package return.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from refsvm.conformance.bits.functions import answer_json, as_documents, functions_of
from refsvm.conformance.bits.sections import ALGORITHMS
from refsvm.conformance.cases.number_json import doubles, hexadecimal
from refsvm.kernels.base import Kernel
from refsvm.kernels.rational_values import is_rational
from refsvm.kernels.standard import Linear
from refsvm.numerics.types import Kind
from refsvm.proofs.enclosures import kernel_interval
from refsvm.svm.problem import Problem
from refsvm.svm.training_problem import TrainingProblem

from .json_text import rational


class Run(NamedTuple):
    """A function, to be called once; name: what its test is called.

    section: what it is aimed at, if neither _aim nor the section of the function says so
    exact: whether the answer is stated as fractions, too, where there are such
    """

    name: str
    function: str
    comment: str
    given: dict[str, Any]
    flags: tuple[str, ...] = ()
    section: str = ""
    exact: bool = True


ON_DOUBLES = (
    "exp", "tanh", "units", "calibrate", "sigmoid", "class_probabilities",
    "preparation", "refitted", "refusal",
)  # fmt: skip
DUAL_FORM = "S34"  # of the other machines
DUAL_SOLVERS = {
    "smo": {
        "start": "S3.3", "limits": "S3.4", "endings": "S3.9", "no offset": "S3.6", "many": "S3.7",
        "": "S3.5",
    },
    "decomposition": {
        "limits": "S4.1", "linear": "S4.5", "many": "S4.2", "": "S4.3",
    },
}  # fmt: skip
MANY = 20  # examples, of which more than a few may be free
ENCLOSURE_BITS = 96  # how narrow the interval of a kernel value is that is no fraction


def run_json(run: Run) -> dict[str, Any]:
    """Call the function of a Run on doubles; return its test.

    >>> test = run_json(Run("a power", "power", "1.5^2", {"b": Fraction(3, 2), "n": 2}))
    >>> test["given"], test["answer"]
    ({'b': '0x1.8000000000000p+0', 'n': 2}, {'value': '0x1.2000000000000p+1'})
    """
    on_floats = _call_json(run.function, converted(run.given, float), doubles)
    return {**_head_of_run(run), **hexadecimal(on_floats)}


def exact_json(run: Run) -> dict[str, Any] | None:
    """Return the test of a Run as fractions; None where there is none.

    >>> exact_json(Run("a power", "power", "1.5^2", {"b": Fraction(3, 2), "n": 2}))["answer"]
    {'value': '9/4'}
    """
    if not run.exact:
        return None
    if run.function not in ON_DOUBLES and _takes_only_fractions(run.given):
        exact = _call_json(run.function, converted(run.given, Fraction), lambda document: document)
    elif run.function == "kernel":
        value = kernel_interval(**run.given, bits=ENCLOSURE_BITS)
        given = as_documents(run.given, lambda document: document)
        exact = {"given": given, "answer": {"value": value}}
    else:
        return None
    return {**_head_of_run(run), **rational(exact)}


def _head_of_run(run: Run) -> dict[str, Any]:
    """Return the beginning of the test of a Run: with its section."""
    algorithm = ALGORITHMS[run.function]
    section = run.section or _aim(run) or algorithm.section
    head = head_of_test(run.name, run.comment, run.flags, "valid", section)
    return {**head, "revision": algorithm.revision}


def _aim(run: Run) -> str:
    """Return the section that a run of smo or decomposition is aimed at; "" of another run."""
    if run.function not in DUAL_SOLVERS:
        return ""
    given, problem = run.given, run.given["problem"]
    if not isinstance(problem, Problem):
        return DUAL_FORM
    sections = DUAL_SOLVERS[run.function]
    aims = {
        "start": "start" in given,
        "limits": given["tol"] == 0 or given.get("max_iter", 1) == 0,
        "endings": inf in problem.C,
        "linear": isinstance(problem.kernel, Linear),
        "no offset": not problem.bias,
        "many": problem.n >= MANY,
    }
    found = [sections[aim] for aim, is_so in aims.items() if is_so and aim in sections]
    return found[0] if found else sections[""]


def head_of_test(
    name: str, comment: str, flags: tuple[str, ...], result: str, section: str
) -> dict[str, Any]:
    """Return the beginning of every test; its tcId is set when the file is put together."""
    return {
        "tcId": 0,
        "name": name,
        "comment": comment,
        "flags": list(flags),
        "result": result,
        "section": section,
    }


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
