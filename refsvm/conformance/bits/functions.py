"""The functions whose bits are stated, by their types, and a question as JSON to its answer.

    functions_of   {type: function}, of refsvm or of the package that has its names compiled
    answer_to      what the function of a type makes of arguments as JSON: as JSON

Words of 64 bits, and seeds, are strings of digits: not every language has such integers.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from importlib import import_module
from itertools import islice
from typing import Any

from ...kernels.base import Kernel
from ...numerics.elementary import exp, power, tanh
from ...numerics.picks import below, folds, passes, shuffle, shuffled_passes, splitmix64, uniform
from ...online.lms import kernel_lms, lms, stochastic_kernel_lms, stochastic_lms
from ...online.pegasos import kernel_pegasos, pegasos
from ...online.perceptron import kernel_perceptron, perceptron
from ...proofs.canonical_json import (
    COMPOSED,
    FORMS,
    NAMED,
    document_of,
    kernel_document,
)
from ...solvers.active_set import active_set
from ...solvers.coordinate_ascent import coordinate_ascent
from ...solvers.decomposition import decomposition
from ...solvers.dual_coordinate_descent import dual_coordinate_descent
from ...solvers.newton import newton
from ...solvers.projected_gradient import projected_gradient
from ...solvers.proximal_point import proximal_point
from ...solvers.smo import smo
from ...svm.calibration import Calibration, calibrate
from ...svm.coupling import class_probabilities, couple
from ...svm.gap_bounds import gap_bounds
from ...svm.kkt_conditions import kkt
from ...svm.one_vs_one import class_scores, first_largest, votes_of
from ...svm.problem import Problem
from ...svm.residual_scale import laplace_scale
from ...svm.training_problem import TrainingProblem
from ...tables.preparation import Preparation
from ..cases.number_json import NOT_FINITE_NAMES, doubles, hexadecimal

Document = dict[str, Any]
ORACLE = "refsvm"
HEXADECIMAL = re.compile(r"[+-]?0x[0-9a-f]*\.?[0-9a-f]*p[+-]?[0-9]+")
OF_TABLES = ("preparation", "refitted", "refusal")  # whose strings are fields, never numbers


# ---- what a function of another form is called with, and returns


def _kernel_number(kernel: Kernel, x: Any, z: Any) -> Any:
    """Return k(x, z); a count, which a string kernel returns, as a number like any other."""
    value = kernel(x, z)
    return Fraction(value) if isinstance(value, int) else value


def _votes_and_scores(decisions: list[Any], k: int) -> dict[str, Any]:
    """Return what k classes make of the decisions of their pairs."""
    votes: list[Any] = votes_of(decisions, k)
    return {"votes": votes, "scores": class_scores(decisions, k), "place": first_largest(votes)}


def _recorded(solver: Callable[..., Any]) -> Callable[..., dict[str, Any]]:
    """Return the function that runs the solver and returns its steps, too."""

    def run(problem: TrainingProblem, **options: Any) -> dict[str, Any]:
        steps: list[Any] = []
        solution = solver(problem, on_step=steps.append, **options)
        more = {} if isinstance(problem, Problem) else {"offsets": solution.offsets}
        if solution.keeps_w:
            more["w"] = solution.w
        return {"steps": steps, **solution._asdict(), **more}

    return run


def _prepared(preparation: Preparation, rows: list[Any], new: list[Any]) -> dict[str, Any]:
    """Return what was learnt, and what becomes of rows; reasons are words, and stay out."""
    found = preparation.prepared(new)
    return {
        "names": preparation.names,
        "columns": preparation.document(),
        "rows": preparation.rows(rows),
        "new": found.rows,
        "gaps": [found.gaps.get(name, 0) for name in preparation.given],
        "unknown": [found.unknown.get(name, 0) for name in preparation.given],
    }


def _fitted(
    names: list[str], rows: list[Any], new: list[Any], **columns: list[Any]
) -> dict[str, Any]:
    """Return what a preparation learns of rows, and makes of them and of new ones."""
    return _prepared(Preparation.fit(rows, names, **columns), rows, new)


def _refitted(
    names: list[str], rows: list[Any], new: list[Any], part: list[int]
) -> dict[str, Any]:
    """Return what the preparation of rows learns of a part of them."""
    of_part = Preparation.fit(rows, names).refitted([rows[i] for i in part])
    return _prepared(of_part, rows, new)


def _is_refused(names: list[str], rows: list[Any]) -> bool:
    """Return whether a table is refused."""
    try:
        Preparation.fit(rows, names)
    except ValueError:
        return True
    return False


# ---- the functions

Namesake = Callable[[Any], Any]  # takes a function of refsvm to that of the package


@cache
def functions_of(package: str = ORACLE) -> dict[str, Callable[..., Any]]:
    """Return {type: its function}; those that the package has under their names are its own.

    >>> functions_of()["power"](b=Fraction(3, 2), n=2)
    Fraction(9, 4)
    """

    def own(thing: Any) -> Any:
        return _namesake(thing, package)

    solvers = {
        solver.__name__: _recorded(own(solver))
        for solver in (
            smo, coordinate_ascent, projected_gradient, active_set, decomposition,
            dual_coordinate_descent, newton, proximal_point,
        )
    }  # fmt: skip
    plain = {
        function.__name__: own(function)
        for function in (
            exp, tanh, power, kkt, gap_bounds, pegasos, kernel_pegasos, perceptron,
            kernel_perceptron, lms, stochastic_lms, kernel_lms, stochastic_kernel_lms, calibrate,
            couple, laplace_scale,
        )
    }  # fmt: skip
    return {
        **plain,
        **solvers,
        **_draws(own),
        "kernel": _kernel_number,
        "votes": _votes_and_scores,
        "sigmoid": lambda A, B, decisions: Calibration(A, B).probabilities(decisions),
        "class_probabilities": lambda decisions, A, B, k: class_probabilities(
            [decisions], list(map(Calibration, A, B)), k
        )[0],
        "preparation": _fitted,
        "refitted": _refitted,
        "refusal": _is_refused,
    }


def _namesake(thing: Any, package: str) -> Any:
    """Return what the package has in the place of a function or class of refsvm."""
    if package == ORACLE:
        return thing
    library, name = import_module(package), thing.__name__
    if hasattr(library, name):
        return getattr(library, name)
    return getattr(import_module(thing.__module__.replace(ORACLE, package, 1)), name)


def _draws(own: Namesake) -> dict[str, Callable[..., Any]]:
    """Return the functions of the generator, whose words and seeds are strings."""
    bits = own(splitmix64)

    def first_draws(n: str, seed: str, count: int) -> list[str]:
        words = bits(int(seed))
        return [str(own(below)(int(n), words)) for _ in range(count)]

    return {
        "words": lambda seed, count: list(map(str, islice(bits(int(seed)), count))),
        "units": lambda seed, count: [
            (word >> 11) * 2.0**-53 for word in islice(bits(int(seed)), count)
        ],
        "below": first_draws,
        "shuffle": lambda n, seed: own(shuffle)(range(n), bits(int(seed))),
        "passes": lambda n, times: list(own(passes)(n, times)),
        "shuffled_passes": lambda n, times, seed: list(own(shuffled_passes)(n, times, int(seed))),
        "uniform": lambda n, steps, seed: list(own(uniform)(n, steps, int(seed))),
        "folds": lambda n, k, seed: own(folds)(n, k, int(seed)),
    }


# ---- questions and answers as JSON


def answer_to(kind: str, given: Document, package: str = ORACLE) -> Document:
    """Return what the function of a type answers in doubles, as `bits.answer` of the vectors.

    What it refuses is {"refused": why}.

    >>> answer_to("power", {"b": "0x1.8p+0", "n": 2})
    {'value': '0x1.2000000000000p+1'}
    """
    try:
        arguments = arguments_of(kind, given, package)
        return answer_json(functions_of(package)[kind](**arguments), doubles)
    except ValueError as error:
        return {"refused": str(error)}


def arguments_of(kind: str, given: Document, package: str = ORACLE) -> Document:
    """Return the arguments of a function that JSON stands for."""
    if kind in OF_TABLES:
        return given
    return {key: _argument(key, value, package) for key, value in given.items()}


def _argument(key: str, value: Any, package: str) -> Any:
    """Return the argument that JSON stands for."""
    if key == "problem":
        return _problem_from(value, package)
    return _kernel_from(value) if key == "kernel" else _values(value)


def _values(tree: Any) -> Any:
    """Return the tree with doubles for their strings; other words stay."""
    if isinstance(tree, list):
        return list(map(_values, tree))
    return float.fromhex(tree) if is_double(tree) else tree


def is_double(value: Any) -> bool:
    """Return whether a value is the string of a double."""
    if not isinstance(value, str) or not HEXADECIMAL.fullmatch(value):
        return isinstance(value, str) and value in NOT_FINITE_NAMES
    try:
        float.fromhex(value)
    except (ValueError, OverflowError):  # of an exponent that no double has
        return False
    return True


def _problem_from(document: Document, package: str) -> Any:
    """Return the problem that a document of doubles holds."""
    form = document.get("form")
    kind = _namesake(Problem if form is None else FORMS[form], package)
    values = {key: _values(value) for key, value in document.items() if key != "form"}
    return kind(**{**values, "kernel": _kernel_from(document["kernel"])})


def _kernel_from(document: Document) -> Any:
    """Return the kernel that a document of doubles holds."""
    name, rest = document["name"], {k: v for k, v in document.items() if k != "name"}
    if name == "multiple":
        return _values(rest["factor"]) * _kernel_from(rest["kernel"])
    if name in COMPOSED:
        kind, key = COMPOSED[name]
        return kind(*map(_kernel_from, rest[key]))
    return NAMED[name][0](**{key: _values(value) for key, value in rest.items()})


def answer_json(result: object, change: Callable[[Any], Any]) -> Document:
    """Return what a function returned as the answer of a test; see as_documents."""
    answer = as_documents(result, change)
    if not (isinstance(result, dict) or hasattr(result, "_asdict")):
        answer = {"value": answer}
    return hexadecimal(answer) if change is doubles else answer


def as_documents(tree: Any, change: Callable[[Any], Any]) -> Any:
    """Return the tree with documents in place of problems and kernels, dicts in that of tuples.

    `change` is applied to each document in it.
    """
    if isinstance(tree, TrainingProblem):
        return change(document_of(tree))
    if isinstance(tree, Kernel):
        return change(kernel_document(tree))
    if hasattr(tree, "_asdict"):
        tree = tree._asdict()
    if isinstance(tree, dict):
        return {key: as_documents(value, change) for key, value in tree.items()}
    return [as_documents(value, change) for value in tree] if isinstance(tree, list) else tree
