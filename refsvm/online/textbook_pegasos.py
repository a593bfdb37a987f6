"""Pegasos as the notes print it: one step a round, nothing else.

    minimise   F(w) = (1/n) sum max(0, 1 - y_i w.x_i) + lam/2 |w|^2

    w = 0
    for t = 1, 2, 3, ...:   take one example s, and
        w <- (1 - 1/t) w + y_s / (lam t) x_s     if y_s w.x_s < 1, its margin is too small
        w <- (1 - 1/t) w                         otherwise

This is gradient descent on the loss of one example, max(0, 1 - y_s w.x_s) + lam/2 |w|^2, whose
slope is lam w - y_s x_s where the margin is below 1 and lam w where it is above; the step is
1 / (lam t) long. `pegasos`, in pegasos.py, takes the same steps with fewer roundings.

Source: Nicolo Cesa-Bianchi, "Support Vector Machines" (2023), pages on Pegasos; CDS New York
University, "SVM" (2023), "Pegasos Algorithm".
"""

from __future__ import annotations

from ..numerics.linalg import add, add_scaled, dot, scale
from ..numerics.types import Number, Picks, Rows, VectorLike
from ..numerics.validation import indices, labels, matrix, number_kind
from .pegasos import Pegasos, convert_lam


def textbook_pegasos(X: Rows, y: VectorLike, lam: Number, picks: Picks) -> Pegasos:
    """Run Pegasos with the notes' step over the examples that `picks` names (S29.2).

    Parameters
    ----------
    X, y : n rows of d numbers, n labels +1 or -1
    lam : positive number
        weighs lam/2 |w|^2 against the mean hinge
    picks : indices from 0 to n - 1, at least one

    Returns
    -------
    Pegasos
        the last w, the average of w_1, ..., w_T, and W, all of them; on Fractions the very
        answer of `pegasos`

    Notes
    -----
    O(d) a round.

    Examples
    --------
    >>> textbook_pegasos([[1], [-1]], [1, -1], 1, [0, 1, 0, 1]).W
    [[0.0], [1.0], [0.5], [0.6666666666666667], [0.75]]
    """
    kind = number_kind(X, lam)
    X = matrix(X, "X", kind)
    y = labels(y, len(X))
    lam = convert_lam(kind, lam, len(X))
    picks = indices(picks, len(X))
    w = total = [kind(0)] * len(X[0])
    W = [w]
    for t, s in enumerate(picks, 1):
        total = add(total, w)
        margin = y[s] * dot(w, X[s])
        w = scale(1 - kind(1) / t, w)
        if margin < 1:
            w = add_scaled(w, y[s] / (lam * t), X[s])
        W.append(w)
    return Pegasos(w, [v / len(picks) for v in total], W)
