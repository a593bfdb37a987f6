"""Inputs that must be refused: there is no right answer to them, and a silent one does harm.

They are written as documents, for most of them are no Problem. Two are left to the program: a Gram
matrix that is not positive semidefinite may be refused or worked on, but not proved to be solved.
"""

from __future__ import annotations

from math import inf, nan
from typing import Any

from refsvm.conformance.cases import Case

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
