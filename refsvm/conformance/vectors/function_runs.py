"""What a function returns for given arguments, to the last bit: tests for another implementation.

    Run       a function by its name in FUNCTIONS, the arguments given to it, and why these
    exact     arguments and answer as fractions, of a function that takes fractions to fractions;
              of other kernels an interval that holds the value
    bits      the same on doubles: what the order of operations in the specification makes of them

The arguments are written once, on Fractions that are doubles too; where there are no exact values
(Gaussian, Sigmoid) on floats. Both answers are what the functions of this package return. Words of
64 bits, and seeds, are strings of digits: not every language has such integers.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import islice
from math import inf
from typing import Any, NamedTuple

from ...kernels.base import Kernel
from ...kernels.rational_values import is_rational
from ...numerics.elementary import exp, power, tanh
from ...numerics.picks import below, folds, passes, shuffle, shuffled_passes, splitmix64, uniform
from ...numerics.types import Kind
from ...online.lms import kernel_lms, lms, stochastic_kernel_lms, stochastic_lms
from ...online.pegasos import kernel_pegasos, pegasos
from ...online.perceptron import kernel_perceptron, perceptron
from ...proofs.canonical_json import document_of, kernel_document
from ...proofs.enclosures import kernel_interval
from ...solvers.active_set import active_set
from ...solvers.coordinate_ascent import coordinate_ascent
from ...solvers.decomposition import decomposition
from ...solvers.dual_coordinate_descent import dual_coordinate_descent
from ...solvers.newton import newton
from ...solvers.projected_gradient import projected_gradient
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
from ..cases.number_json import doubles, hexadecimal, rational


class Run(NamedTuple):
    """A function, to be called once; name: what its test is called."""

    name: str
    function: str
    comment: str
    given: dict[str, Any]
    flags: tuple[str, ...] = ()


def _first_draws(n: str, seed: str, count: int) -> list[str]:
    """Return the first draws below n."""
    bits = splitmix64(int(seed))
    return [str(below(int(n), bits)) for _ in range(count)]


def _kernel_number(kernel: Kernel, x: Any, z: Any) -> Any:
    """Return k(x, z); a count, which a string kernel returns, as a number like any other."""
    value = kernel(x, z)
    return Fraction(value) if isinstance(value, int) else value


def _votes_and_scores(decisions: list[Any], k: int) -> dict[str, Any]:
    """Return what k classes make of the decisions of their pairs."""
    votes: list[Any] = votes_of(decisions, k)
    return {"votes": votes, "scores": class_scores(decisions, k), "place": first_largest(votes)}


def recorded(solver: Callable[..., Any]) -> Callable[..., dict[str, Any]]:
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


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "exp": exp,
    "tanh": tanh,
    "power": power,
    "words": lambda seed, count: list(map(str, islice(splitmix64(int(seed)), count))),
    "units": lambda seed, count: [
        (word >> 11) * 2.0**-53 for word in islice(splitmix64(int(seed)), count)
    ],
    "below": _first_draws,
    "shuffle": lambda n, seed: shuffle(range(n), splitmix64(int(seed))),
    "passes": lambda n, times: list(passes(n, times)),
    "shuffled_passes": lambda n, times, seed: list(shuffled_passes(n, times, int(seed))),
    "uniform": lambda n, steps, seed: list(uniform(n, steps, int(seed))),
    "folds": lambda n, k, seed: folds(n, k, int(seed)),
    "kernel": _kernel_number,
    "kkt": kkt,
    "gap_bounds": gap_bounds,
    "votes": _votes_and_scores,
    "smo": recorded(smo),
    "coordinate_ascent": recorded(coordinate_ascent),
    "projected_gradient": recorded(projected_gradient),
    "active_set": recorded(active_set),
    "decomposition": recorded(decomposition),
    "dual_coordinate_descent": recorded(dual_coordinate_descent),
    "newton": recorded(newton),
    "pegasos": pegasos,
    "kernel_pegasos": kernel_pegasos,
    "perceptron": perceptron,
    "kernel_perceptron": kernel_perceptron,
    "lms": lms,
    "stochastic_lms": stochastic_lms,
    "kernel_lms": kernel_lms,
    "stochastic_kernel_lms": stochastic_kernel_lms,
    "calibrate": calibrate,
    "sigmoid": lambda A, B, decisions: Calibration(A, B).probabilities(decisions),
    "couple": couple,
    "class_probabilities": lambda decisions, A, B, k: class_probabilities(
        [decisions], list(map(Calibration, A, B)), k
    )[0],
    "laplace_scale": laplace_scale,
    "preparation": _fitted,
    "refitted": _refitted,
    "refusal": _is_refused,
}
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
        given = _as_documents(run.given, lambda document: document)
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
    result = FUNCTIONS[function](**given)
    answer = _as_documents(result, change)
    if not (isinstance(result, dict) or hasattr(result, "_asdict")):
        answer = {"value": answer}
    return {"given": _as_documents(given, change), "answer": answer}


def _as_documents(tree: Any, change: Callable[[Any], Any]) -> Any:
    """Return the tree with documents in place of problems and kernels, dicts in that of tuples."""
    if isinstance(tree, TrainingProblem):
        return change(document_of(tree))
    if isinstance(tree, Kernel):
        return change(kernel_document(tree))
    if hasattr(tree, "_asdict"):
        tree = tree._asdict()
    if isinstance(tree, dict):
        return {key: _as_documents(value, change) for key, value in tree.items()}
    return [_as_documents(value, change) for value in tree] if isinstance(tree, list) else tree


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
