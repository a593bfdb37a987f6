"""The offset b, which the dual does not mention: ways to compute it, and when each is right.

    midpoint      half way between the nearest scores of the two classes     hard margin
    estimates     v_i, the b that puts example i exactly on its margin       one an example
    median        the middle one of the support vectors' estimates           see below
    reconstruct   the mean over the free support vectors; without any, the
                  middle of the interval                                     always
    interval      every optimal b, from the KKT conditions                   always
    cheapest      every b with the least penalty of slack for this w         always, for any w

"Right" means: for an optimal alpha and exact numbers. The estimate of a support vector is off by
its slack: v_i = b + y_i xi_i. Free ones have none, so theirs agree; if there is a free one, b is
unique. The median over all support vectors is right if, besides, all C_i are equal: then, because
of sum alpha_i y_i = 0, the estimates above b and those below differ in number by less than there
are free ones. With a hard margin, or with squared slack (where v_i allows for the slack
alpha_i / C_i), all estimates of support vectors agree.

The least penalty. For a fixed w the penalty of slack is a convex function of b, with a slope of

    hinge      (sum of the C_i with r_i < b) - C_plus      where C_plus is the sum over y_i = +1
    squared    sum over y_i = -1, r_i < b of C_i (b - r_i)
               - sum over y_i = +1, r_i > b of C_i (r_i - b)

and b is best where the slope changes sign. With the hinge that is a weighted quantile of all r_i:
the labels only say at which share of the weight. An example with C_i = inf is a bound on b:
b >= r_i if y_i = +1, b <= r_i if y_i = -1. Both ends of the interval of best b rise, or stay, when
an r_i rises. So if each r_i is known to lie from p_i to q_i, each end lies between what it is for
the p_i and what it is for the q_i, whichever examples are support vectors.

    w    weights           alpha   multipliers        m, M   the ends of the interval
    s_i  score w.x_i       C_i     penalty of slack   free   0 < alpha_i < C_i
    r_i  residual, y_i - s_i: the estimate v_i, of the shifted rows (problem.py)

Sources: CS229 notes, equation (23); 50.007 notes, equation (4) and the last page; Keerthi et al.,
Neural Computation 13 (2001), for the interval.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from ..numerics.display import displayed
from ..numerics.exact_sums import nearest_offset
from ..numerics.linalg import matrix_vector, total
from ..numerics.types import Number, Rows, Vector, VectorLike
from ..numerics.validation import labels, matrix, number_kind, vector
from .kkt_conditions import kkt
from .problem import Problem, require_problem
from .support_vectors import require_hinge


@displayed
class Offsets(NamedTuple):
    """All offsets from low to high; none if low > high."""

    low: Number
    high: Number


@displayed
class Reconstructed(NamedTuple):
    """An offset, and the indices of the free support vectors whose mean estimate it is.

    free empty: there are none, and b is the middle of the interval of offsets.
    """

    b: Number
    free: list[int]


def midpoint(w: VectorLike, X: Rows, y: VectorLike) -> Number:
    """Return -(largest w.x of the negative rows + smallest of the positive rows) / 2. O(n d).

    Right for the weights of a hard margin, where it makes the nearest rows of the two classes
    equally near. Not for a soft margin, whose nearest rows may be anywhere. ValueError if one
    class is empty. (CS229 notes, equation (23)) Standard: S8.1.

    >>> midpoint([2], [[0], [1], [3]], [-1, -1, 1])
    -4.0
    """
    kind = number_kind(w, X)
    w, X = vector(w, "w", kind), matrix(X, "X", kind)
    y = labels(y, len(X))
    if len(X[0]) != len(w):
        raise ValueError(f"w has length {len(w)}; the rows of X have length {len(X[0])}")
    scores = matrix_vector(X, w)
    negative = max(s for s, label in zip(scores, y) if label < 0)
    positive = min(s for s, label in zip(scores, y) if label > 0)
    return 0 - (negative + positive) / 2  # not -0.0


def estimates(problem: Problem, alpha: VectorLike) -> Vector:
    """Return v_i = y_i - sum_j alpha_j y_j K_ij of every example: the b with y_i f_i = 1 (S8.2).

    Under squared slack, the b with y_i f_i = 1 - alpha_i / C_i. O(n n d), linear O(n d).
    (50.007 notes, equation (4))

    >>> estimates(Problem([[0], [1], [3], [4]], [-1, -1, 1, 1]), [0, 0.5, 0.5, 0])
    [-1.0, -2.0, -2.0, -3.0]
    """
    problem, alpha, r = _on_shifted_rows(problem, alpha)
    if problem.point_shift is None or not any(problem.point_shift):
        return r
    w = problem.point_weights(alpha)
    return [nearest_offset(v, w, problem.point_shift, -1) for v in r]


def median(problem: Problem, alpha: VectorLike) -> Number:
    """Return the median of the estimates of all support vectors (S8.6).

    Exact at an optimum with equal C_i and a free support vector; otherwise it need not be an
    optimal offset. One wrong estimate does not move it far. ValueError if alpha is 0.
    O(n n d), linear O(n d). (50.007 notes, after equation (4))

    >>> median(Problem([[0], [1], [3], [4]], [-1, -1, 1, 1]), [0, 0.5, 0.5, 0])
    -2.0
    """
    problem, alpha, r = _on_shifted_rows(problem, alpha)
    of_support = [v for v, a in zip(r, alpha) if a > 0]
    if not of_support:
        raise ValueError("alpha is 0 everywhere; without a support vector nothing tells b")
    return problem.unshifted_offset(middle_of(of_support), alpha)


def middle_of(values: Vector) -> Number:
    """Return the middle of the values in order; of two middle ones, half their sum.

    >>> middle_of([3.0, 1.0, 100.0]), middle_of([4.0, 1.0])
    (3.0, 2.5)
    """
    values = sorted(vector(values, "values"))
    last = len(values) - 1
    if last % 2 == 0:
        return values[last // 2]
    return (values[last // 2] + values[last // 2 + 1]) / 2


def reconstruct(problem: Problem, alpha: VectorLike) -> Reconstructed:
    """Return the mean estimate of the free support vectors, and their indices (S8.3).

    Without any, the middle of the interval of offsets, and free is []. Exact at an optimum; the
    mean, and not one of them, so that rounding evens out. It is the rule of smo. O(n n d),
    linear O(n d). (50.007 notes, last page)

    >>> pair = [[1], [-1], [2]], [1, -1, 1]
    >>> reconstruct(Problem(*pair, C=1), [0.5, 0.5, 0])
    Reconstructed(b=0.0, free=[0, 1])
    >>> reconstruct(Problem(*pair, C=0.125), [0.125, 0.125, 0])
    Reconstructed(b=0.625, free=[])
    """
    problem, alpha, r = _on_shifted_rows(problem, alpha)
    bounds = problem.upper_bounds()
    free = [i for i, (a, c) in enumerate(zip(alpha, bounds)) if 0 < a < c]
    if not free:
        low, high = interval(problem, alpha)
        finite = [v for v in (low, high) if -inf < v < inf]
        return Reconstructed(middle_of(finite), free)
    mean = total(r[i] for i in free) / len(free)
    return Reconstructed(problem.unshifted_offset(mean, alpha), free)


def interval(problem: Problem, alpha: VectorLike) -> Offsets:
    """Return the offsets with which alpha is optimal, from m to M of the KKT conditions (S8.4).

    m is the largest estimate of the examples whose beta_i may rise, M the smallest of those whose
    beta_i may fall (kkt_conditions.py). A feasible alpha is not optimal exactly if low > high.
    O(n n d), linear O(n d).

    >>> interval(Problem([[1], [-1], [2]], [1, -1, 1], C=0.125), [0.125, 0.125, 0])
    Offsets(low=0.5, high=0.75)
    """
    report = kkt(_require_offset(problem), alpha)
    return Offsets(report.b_low, report.b_high)


def cheapest(problem: Problem, alpha: VectorLike) -> Offsets:
    """Return the b with the least penalty of slack for the w of this alpha, optimal or not (S8.5).

    They are the weighted quantiles of the estimates. With equal C_i: from the p-th to the next of
    all n estimates in order, for p positive examples.

    Hinge slack and finite C_i only. O(n n d), linear O(n d), and O(n log n).

    >>> cheapest(Problem([[1], [-1], [2]], [1, -1, 1], C=0.125), [0.125, 0.125, 0])
    Offsets(low=0.5, high=0.75)
    """
    problem, alpha, r = _on_shifted_rows(require_hinge(problem), alpha)
    for i, c in enumerate(problem.C):
        if c == inf:
            raise ValueError(f"C[{i}] is inf; with an infinite penalty no offset is best")
    return Offsets(
        *(problem.unshifted_offset(b, alpha) for b in problem.best_lam(problem.dual_form(), r)[0])
    )


def _on_shifted_rows(problem: Problem, alpha: VectorLike) -> tuple[Problem, Vector, Vector]:
    """Return the problem and alpha in one kind, and the residuals of the shifted rows."""
    point = _require_offset(problem).at(alpha, ())
    return point.problem, point.problem.multipliers_of(point.beta), point.residuals()


def _require_offset(problem: Problem) -> Problem:
    """Return the problem; ValueError if it has no offset."""
    if not require_problem(problem).bias:
        raise ValueError("problem has no offset; its b is 0")
    return problem
