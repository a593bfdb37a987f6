"""Sigmoids for all pairs of classes, from decisions of machines that did not see the rows.

A OneAgainstOne makes probabilities of its decisions if it has a Calibration for each pair of its
classes. Here they are made: cross-validation gives every row the decisions of a machine trained on
the other folds, and each pair is calibrated on the rows of its two classes.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

from ..numerics.quoting import quote
from ..numerics.types import Labels, RowsLike, Vector
from ..svm.calibration import Calibration, calibrate
from .cross_validation import fresh_copy, split_data, trials_of, validation
from .executor_tasks import require_executor
from .labels import classes_of

if TYPE_CHECKING:
    from concurrent.futures import Executor


def calibrate_pairs(
    estimator: object,
    X: RowsLike,
    y: Labels,
    folds: int = 5,
    seed: int = 1,
    executor: Executor | None = None,
) -> list[Calibration]:
    """Fit a sigmoid for each pair of classes to the decisions of cross-validation (S12.4).

    Parameters
    ----------
    estimator : SVC, or what decides one against one as it does
        is copied, and stays as it is
    X : n rows, or an array, a data frame, a sparse matrix
    y : n labels
        at least two of each class
    folds, seed, executor
        as cross_validate takes them

    Returns
    -------
    list of k(k-1)/2 Calibrations
        what the `calibrations` of the OneAgainstOne of the same estimator, trained on all rows,
        are to be

    Raises
    ------
    ValueError, TypeError
        as cross_validate; for a class of one row; for an estimator that decides in another way

    Notes
    -----
    k fits on n (k - 1) / k rows for k folds, and O(n) steps. What probability=True asks other
    libraries for, but the decisions of the machine are not changed by it, and the folds are given.

    Examples
    --------
    >>> from refsvm.estimators.svc import SVC
    >>> X, y = [[1], [2], [3], [4], [5], [6], [7], [8]], list("aaababbb")
    >>> machine = SVC(kernel="linear").fit(X, y)
    >>> pairs = calibrate_pairs(machine, X, y, folds=4)
    >>> model = machine.model_._replace(calibrations=pairs)
    >>> [[round(p, 2) for p in row] for row in model.probabilities([[1], [4.5], [8]])]
    [[0.67, 0.33], [0.5, 0.5], [0.33, 0.67]]
    """
    require_executor(executor)
    machine = fresh_copy(estimator)
    parameters = machine.get_params()
    if "decision_function_shape" in parameters:  # ties are broken by sums over the pairs
        machine.set_params(decision_function_shape="ovo", break_ties=False)
    split = split_data(machine, X, y, folds, seed)
    classes, members = classes_of(split.y, list(range(len(split.y))))
    if not callable(getattr(machine, "decision_function", None)) or (
        len(classes) > 2 and "decision_function_shape" not in parameters
    ):
        raise ValueError(
            f"estimator is {quote(estimator)}; it must decide one against one, as SVC does"
        )
    for label, rows in zip(classes, members):
        if len(rows) < 2:
            raise ValueError(
                f"y[{rows[0]}] is {quote(label)}, the only row of its class; there must be at"
                " least two of each"
            )
    (trials,) = trials_of(machine, [{}], split, executor, with_answers=True)
    decisions: list[Any] = validation(split, trials).decisions or []
    if len(classes) == 2:  # then they are numbers, positive for the later class
        decisions = [[0 - f] for f in decisions]
    return [
        _calibrate_pair([row[place] for row in decisions], *pair)
        for place, pair in enumerate(combinations(members, 2))
    ]


def _calibrate_pair(decisions: Vector, earlier: list[int], later: list[int]) -> Calibration:
    """Fit the sigmoid of a pair of classes, of which these are the rows, to all decisions."""
    label = {**dict.fromkeys(earlier, 1), **dict.fromkeys(later, -1)}
    rows = sorted(label)
    return calibrate([decisions[i] for i in rows], [label[i] for i in rows])
