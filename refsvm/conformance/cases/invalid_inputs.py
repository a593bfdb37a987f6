"""Inputs that must be refused: there is no right answer to them, and a silent one does harm.

They are written as documents, for most of them are no Problem. Two are left to the program: a Gram
matrix that is not positive semidefinite may be refused or worked on, but not proved to be solved.
"""

from __future__ import annotations

from math import inf, nan
from typing import Any

from ..protocol.forms import Form
from . import Case

THREE_ROWS = [[0.0], [1.0], [2.0]]
THREE_LABELS = [-1, 1, 1]


def rejected(
    name: str,
    flag: str,
    comment: str,
    kernel: Any = "linear",
    result: str = "reject",
    **changed: Any,
) -> Case:
    """Return a Case: three points of the line, all in order but for what is `changed`."""
    kernel = kernel if isinstance(kernel, dict) else {"name": kernel}
    given = {
        "X": THREE_ROWS,
        "y": THREE_LABELS,
        "C": [1.0] * 3,
        "kernel": kernel,
        "bias": True,
        "slack": "hinge",
        **changed,
    }
    return Case(name, comment, (flag,), result, given, None, None, [], [])


def _with_row(row: list[float]) -> list[list[float]]:
    """Return the points of the line, the second row changed."""
    return [THREE_ROWS[0], row, THREE_ROWS[2]]


# fmt: off
REJECTS = [
    rejected("only plus", "RejectOneClass", "any large b will do", y=[1, 1, 1]),
    rejected("only minus", "RejectOneClass", "the other class alone", y=[-1, -1, -1]),
    rejected("one class with a weight", "RejectOneClass", "the other weighs nothing",
             C=[0.0, 1.0, 1.0]),
    rejected("no weight at all", "RejectOneClass", "all examples weigh nothing", C=[0.0] * 3),
    rejected("a NaN", "RejectNotFinite", "NaN among the features", X=_with_row([nan])),
    rejected("an infinity", "RejectNotFinite", "infinity among the features", X=_with_row([inf])),
    rejected("minus infinity", "RejectNotFinite", "and the other one", X=_with_row([-inf])),
    rejected("a NaN for a label", "RejectLabel", "NaN is in no class", y=[-1, 1, nan]),
    rejected("C is zero", "RejectPenalty", "with C = 0 nothing is learned", C=0.0),
    rejected("C is negative", "RejectPenalty", "slack would be paid for", C=-1.0),
    rejected("C is NaN", "RejectPenalty", "C must be a number", C=nan),
    rejected("a negative weight", "RejectWeight", "one example has a negative weight",
             C=[1.0, -1.0, 1.0]),
    rejected("a weight that is NaN", "RejectWeight", "one example's weight is no number",
             C=[1.0, nan, 1.0]),
    rejected("no rows", "RejectShape", "nothing to learn from", X=[], y=[], C=[]),
    rejected("no features", "RejectShape", "rows without numbers", X=[[], [], []]),
    rejected("ragged rows", "RejectShape", "rows of different lengths", X=_with_row([1.0, 2.0])),
    rejected("too few labels", "RejectShape", "two labels for three rows", y=[-1, 1]),
    rejected("too many labels", "RejectShape", "four labels for three rows", y=[-1, 1, 1, -1]),
    rejected("too few weights", "RejectShape", "two weights for three rows", C=[1.0, 1.0]),
    rejected("a matrix that is not square", "RejectShape", "three rows of two kernel values",
             "precomputed", X=[[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]),
    rejected("a matrix that is not symmetric", "RejectAsymmetric", "K_01 is not K_10",
             "precomputed", X=[[1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    rejected("a matrix that holds NaN", "RejectNotFinite", "K_00 is NaN", "precomputed",
             X=[[nan, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    rejected("an unknown kernel", "RejectUnknown", "a misspelt name", "guassian"),
    rejected("an unknown slack", "RejectUnknown", "a misspelt name", slack="huber"),
    rejected("gamma is zero", "RejectParameter", "a Gaussian without a width",
             {"name": "gaussian", "gamma": 0.0}, "acceptable"),
    rejected("gamma is negative", "RejectParameter", "a Gaussian that grows with the distance",
             {"name": "gaussian", "gamma": -1.0}),
    rejected("gamma is NaN", "RejectParameter", "no number", {"name": "gaussian", "gamma": nan}),
    rejected("a negative degree", "RejectParameter", "1 / <x, z> is no kernel",
             {"name": "polynomial", "degree": -1, "gamma": 1.0, "coef0": 0.0}),
    rejected("coef0 is infinite", "RejectParameter", "every kernel value would be infinite",
             {"name": "polynomial", "degree": 2, "gamma": 1.0, "coef0": inf}),
    rejected("a saddle", "Indefinite", "K = [[0, 2], [2, 0]] is no matrix of inner products",
             "precomputed", "acceptable", X=[[0.0, 2.0], [2.0, 0.0]], y=[-1, 1], C=[3.0] * 2),
    rejected("a negative diagonal", "Indefinite", "no image has a negative square", "precomputed",
             "acceptable", X=[[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
]
# fmt: on


# ---- of the machines beside C-SVC

OF_ALL = (  # those of REJECTS that are asked of every machine
    *("a NaN", "an infinity", "ragged rows", "no rows"),
    *("a negative weight", "a weight that is NaN", "an unknown kernel"),
)
USUAL = {"epsilon": 0.25, "nu": 0.5}
NU, WIDTH = "nu is above 0, at most 1", "epsilon is 0 or more"


def machine_rejects(form: Form, letter: str) -> list[Case]:
    """Return what a machine must refuse; the names begin with its letter."""
    y: list[Any] = [1] * 3
    if form.is_labelled:
        y = THREE_LABELS if form.answers == "classes" else [0.0, 1.0, 4.0]
    usual = {} if form.parameter is None else {form.parameter: USUAL[form.parameter]}

    def of_machine(case: Case, **changed: Any) -> Case:
        X, kernel = case.given["X"], case.given["kernel"]
        C = case.given["C"] if isinstance(case.given["C"], list) else [case.given["C"]] * 3
        given = {"X": X, "y": y[: len(X)], "C": C, "kernel": kernel, **usual, **changed}
        return case._replace(name=f"{letter} {case.name}", given=given)

    def own(name: str, flag: str, comment: str, **changed: Any) -> Case:
        return of_machine(rejected(name, flag, comment), **changed)

    known = {case.name: case for case in REJECTS}
    found = [of_machine(known[name]) for name in OF_ALL]
    if form.has_C:
        found += [of_machine(known[f"C is {word}"]) for word in ("zero", "negative", "NaN")]
    if form.parameter == "nu":
        for word, nu in (("zero", 0.0), ("negative", -0.5), ("3/2", 1.5), ("NaN", nan)):
            found.append(own(f"nu is {word}", "RejectParameter", NU, nu=nu))
    if form.parameter == "epsilon":
        for word, width in (("negative", -0.25), ("NaN", nan)):
            found.append(own(f"epsilon is {word}", "RejectParameter", WIDTH, epsilon=width))
    if form.is_labelled:
        found.append(own("too few y", "RejectShape", "two y for three rows", y=y[:2]))
        found.append(own("too many y", "RejectShape", "four y for three rows", y=[*y, 1]))
        found.append(own("a NaN for a y", "RejectLabel", "no number", y=[y[0], y[1], nan]))
    if form.answers == "classes":
        found.append(own("one class only", "RejectOneClass", "nothing to tell", y=[1] * 3))
    return found
