"""Probabilities of all classes from the decision values of the pairs, as LIBSVM makes them.

A pair (p, q) of classes has a decision value f_pq, positive for p, and a sigmoid that makes of it
the probability of p, if it is p or q. No pair is taken to be more certain than 1 - 1e-7: that is
LIBSVM's rule, without which one pair could make a class impossible for all others. The pairs are
then coupled (coupling.py).

    k    number of classes; the pairs are (0,1) (0,2) .. (0,k-1) (1,2) ..
    R    k by k: the probability of the class of the row, if it is that or the one of the column

Source: svm_predict_probability of LIBSVM.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from ..numerics.quoting import quote
from ..numerics.types import Matrix
from .calibration import Calibration
from .coupling import coupled

LEAST = 1e-7  # the probability of a class of a pair


def checked_calibrations(calibrations: Any, k: int) -> list[Calibration]:
    """Return the Calibration of each pair, refused if there are none or not as many as pairs."""
    if calibrations is None:
        raise ValueError(
            "the model has no calibrations, which probabilities are made of; those of a file"
            " have them, in lines probA and probB, after svm-train -b 1 or train --probabilities"
        )
    if not isinstance(calibrations, list) or len(calibrations) != k * (k - 1) // 2:
        raise ValueError(
            f"calibrations is {quote(calibrations)}; it must be a list of one for each pair of"
            f" classes, which are {k * (k - 1) // 2}"
        )
    return [Calibration(*pair) for pair in calibrations]


def class_probabilities(
    decisions: Matrix, calibrations: list[Calibration], k: int
) -> list[list[float]]:
    """Return the probability of each class for each row, from the decision of each pair.

    >>> class_probabilities([[0.0], [1.0]], [Calibration(-2.0, 0.0)], 2)
    [[0.5, 0.5], [0.8807970779778823, 0.11920292202211769]]
    """
    of_pairs = probabilities_of_pairs(decisions, calibrations)
    return [coupled(pairwise(of_row, k)) for of_row in zip(*of_pairs)]  # type: ignore[misc]


def probabilities_of_pairs(decisions: Matrix, calibrations: list[Calibration]) -> Matrix:
    """Return for each pair the probability of its earlier class, for every row."""
    return [
        calibration.probabilities([row[c] for row in decisions])  # type: ignore[misc]
        for c, calibration in enumerate(calibrations)
    ]


def pairwise(probabilities: tuple[float, ...], k: int) -> Matrix:
    """Return R, from the probability of the earlier class of each pair.

    >>> pairwise((0.75,), 2), pairwise((1.0,), 2)
    ([[0, 0.75], [0.25, 0]], [[0, 0.9999999], [9.999999994736442e-08, 0]])
    """
    R: Matrix = [[0] * k for _ in range(k)]
    for r, (p, q) in zip(probabilities, combinations(range(k), 2)):
        R[p][q] = min(max(r, LEAST), 1 - LEAST)
        R[q][p] = 1 - R[p][q]
    return R
