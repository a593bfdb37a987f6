"""What a function returns for given arguments, to the last bit: tests for whoever writes it anew.

    Run       a function by its name in FUNCTIONS, the arguments given to it, and why these
    exact     arguments and answer as fractions, of a function that takes fractions to fractions;
              of other kernels an interval that holds the value
    bits      the same on doubles: what the order of operations in the specification makes of them

The arguments are written once, on Fractions that are doubles too; where there are no exact values
(Gaussian, Sigmoid) on floats. Both answers are what the functions of this package return. Words of
64 bits, and seeds, are strings of digits: not every language has such integers.
"""

from fractions import Fraction
from itertools import islice
from math import inf
from typing import NamedTuple

from ...kernels.base import Kernel
from ...numerics.elementary import exp, power, tanh
from ...numerics.picks import below, folds, passes, shuffle, shuffled_passes, splitmix64, uniform
from ...online.lms import kernel_lms, lms, stochastic_kernel_lms, stochastic_lms
from ...online.pegasos import kernel_pegasos, pegasos
from ...online.perceptron import kernel_perceptron, perceptron
from ...proofs.canonical_json import document_of, kernel_document
from ...proofs.enclosures import kernel_interval
from ...proofs.rational_kernels import rational as takes_fractions
from ...solvers.active_set import active_set
from ...solvers.coordinate_ascent import coordinate_ascent
from ...solvers.projected_gradient import projected_gradient
from ...solvers.smo import smo
from ...svm.kkt_conditions import kkt
from ...svm.one_vs_one import first_largest, scores_of, votes_of
from ...svm.problem import Problem
from ..cases.number_json import doubles, hexadecimal, rational
from .case_json import headed


class Run(NamedTuple):
    """A function, to be called once; name: what its test is called."""

    name: str
    function: str
    comment: str
    given: dict
    flags: tuple = ()


def words(seed, count):
    """The first words of the generator."""
    return list(map(str, islice(splitmix64(int(seed)), count)))


def units(seed, count):
    """The first doubles in [0, 1) that are made of its words."""
    return [(word >> 11) * 2.0**-53 for word in islice(splitmix64(int(seed)), count)]


def draws(n, seed, count):
    """The first draws below n."""
    bits = splitmix64(int(seed))
    return [str(below(int(n), bits)) for _ in range(count)]


def order(n, seed):
    """A shuffle of 0, ..., n - 1."""
    return shuffle(range(n), splitmix64(int(seed)))


def kernel_value(kernel, x, z):
    """k(x, z); a count, which a string kernel returns, as a number like any other."""
    value = kernel(x, z)
    return Fraction(value) if isinstance(value, int) else value


def vote(decisions, k):
    """What k classes make of the decisions of their pairs."""
    votes = votes_of(decisions, k)
    return {"votes": votes, "scores": scores_of(decisions, k), "place": first_largest(votes)}


def watched(solver):
    """The function that solves and tells of each step on the way."""

    def run(problem, **options):
        steps = []
        solution = solver(problem, on_step=steps.append, **options)
        return {"steps": steps, **solution._asdict()}

    return run


FUNCTIONS = {
    "exp": exp,
    "tanh": tanh,
    "power": power,
    "words": words,
    "units": units,
    "below": draws,
    "shuffle": order,
    "passes": lambda n, times: list(passes(n, times)),
    "shuffled_passes": lambda n, times, seed: list(shuffled_passes(n, times, int(seed))),
    "uniform": lambda n, steps, seed: list(uniform(n, steps, int(seed))),
    "folds": lambda n, k, seed: folds(n, k, int(seed)),
    "kernel": kernel_value,
    "kkt": kkt,
    "votes": vote,
    "smo": watched(smo),
    "coordinate_ascent": watched(coordinate_ascent),
    "projected_gradient": watched(projected_gradient),
    "active_set": watched(active_set),
    "pegasos": pegasos,
    "kernel_pegasos": kernel_pegasos,
    "perceptron": perceptron,
    "kernel_perceptron": kernel_perceptron,
    "lms": lms,
    "stochastic_lms": stochastic_lms,
    "kernel_lms": kernel_lms,
    "stochastic_kernel_lms": stochastic_kernel_lms,
}
ON_DOUBLES = ("exp", "tanh", "units")
BITS = 96  # how narrow a kernel value is told that is no fraction


def as_test(run):
    """The test of a Run: what is given and what comes back, in both kinds of numbers.

    >>> test = as_test(Run("a power", "power", "1.5^2", {"b": Fraction(3, 2), "n": 2}))
    >>> test["exact"]["answer"], test["bits"]["answer"]
    ({'value': '9/4'}, {'value': '0x1.2000000000000p+1'})
    """
    test = headed(run.name, run.comment, run.flags, "valid")
    if run.function not in ON_DOUBLES and on_fractions(run.given):
        test["exact"] = rational(called(run.function, of_kind(run.given, Fraction), unchanged))
    elif run.function == "kernel":
        value = kernel_interval(**run.given, bits=BITS)
        answer = {"value": value}
        test["exact"] = rational({"given": told(run.given, unchanged), "answer": answer})
    called_on_floats = called(run.function, of_kind(run.given, float), doubles)
    return {**test, "bits": hexadecimal(called_on_floats)}


def called(function, given, change):
    """What is given and what comes back; a document in it is changed."""
    result = FUNCTIONS[function](**given)
    if isinstance(result, dict) or hasattr(result, "_asdict"):
        answer = told(result, change)
    else:
        answer = {"value": told(result, change)}
    return {"given": told(given, change), "answer": answer}


def told(tree, change):
    """The tree with documents in the place of problems and kernels, dicts in that of tuples."""
    if isinstance(tree, Problem):
        return change(document_of(tree))
    if isinstance(tree, Kernel):
        return change(kernel_document(tree))
    if hasattr(tree, "_asdict"):
        tree = tree._asdict()
    if isinstance(tree, dict):
        return {key: told(value, change) for key, value in tree.items()}
    return [told(value, change) for value in tree] if isinstance(tree, list) else tree


def unchanged(document):
    """The document."""
    return document


def of_kind(tree, kind):
    """The tree with its numbers, problems and kernels in this kind of numbers."""
    if isinstance(tree, (Problem, Kernel)):
        return tree.to(kind)
    if isinstance(tree, dict):
        return {key: of_kind(value, kind) for key, value in tree.items()}
    if isinstance(tree, list):
        return [of_kind(value, kind) for value in tree]
    return kind(tree) if isinstance(tree, (Fraction, float)) and abs(tree) < inf else tree


def on_fractions(given):
    """Whether all that is given exists on Fractions."""
    kernels = [getattr(value, "kernel", value) for value in given.values()]
    return all(takes_fractions(kernel) for kernel in kernels if isinstance(kernel, Kernel))
