"""The offset b, which the dual does not mention: ways to read it off, and when each is right.

    midpoint      half way between the nearest scores of the two classes     hard margin
    estimates     v_i, the b that puts example i exactly on its margin       one an example
    median        the middle one of the support vectors' estimates           see below
    reconstruct   the mean over the free support vectors; without any, the
                  middle of the interval                                     always
    interval      every optimal b, from the conditions                       always
    cheapest      every b that is best for this w, from the slacks alone     always, for any w

"Right" is said of an optimal alpha and exact numbers. The estimate of a support vector is off by
its slack: v_i = b + y_i xi_i. Free ones have none, so theirs agree; if there is a free one, b is
unique. The median over all support vectors is right if, besides, all C_i are equal: then, because
of sum alpha_i y_i = 0, the estimates above b and those below differ in number by less than there
are free ones. With a hard margin, or with squared slack (where v_i allows for the slack
alpha_i / C_i), all estimates of support vectors agree.

    w    weights           alpha   multipliers        m, M   the ends of the interval
    s_i  score w.x_i       C_i     price of slack     free   0 < alpha_i < C_i

Sources: CS229 notes, equation (23); 50.007 notes, equation (4) and the last page; Keerthi et al.,
Neural Computation 13 (2001), for the interval.
"""

from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from ..numerics.exact_sums import nearest_offset
from ..numerics.linalg import matrix_vector
from ..numerics.validation import labels, matrix, number_kind, vector
from .kkt_conditions import kkt, residuals
from .problem import require_problem
from .support_vectors import require_hinge


class Interval(NamedTuple):
    """From low to high; empty if low > high."""

    low: Any
    high: Any


class Reconstructed(NamedTuple):
    """The offset, and the indices of the free support vectors it is the mean of.

    free empty: there are none, and b is the middle of the interval of offsets.
    """

    b: Any
    free: list


def midpoint(w, X, y):
    """-(largest w.x of the negative rows + smallest w.x of the positive rows) / 2. O(n d).

    Right for the weights of a hard margin, where it makes the nearest rows of the two classes
    equally near. Not for a soft margin, whose nearest rows may be anywhere. ValueError if one
    class is empty. (CS229 notes, equation (23))

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


def estimates(problem, alpha):
    """v_i = y_i - sum_j alpha_j y_j K_ij for every example: the b with y_i f_i = 1.

    Under squared slack, the b with y_i f_i = 1 - alpha_i / C_i. O(n n d), linear O(n d).
    (50.007 notes, equation (4))

    >>> from refsvm.svm.problem import Problem
    >>> estimates(Problem([[0], [1], [3], [4]], [-1, -1, 1, 1]), [0, 0.5, 0.5, 0])
    [-1.0, -2.0, -2.0, -3.0]
    """
    problem, alpha, asks = asked(problem, alpha)
    if problem.shift is None or not any(problem.shift):
        return asks
    w = problem.weights(alpha)
    return [nearest_offset(v, w, problem.shift, -1) for v in asks]


def median(problem, alpha):
    """The median of the estimates of all support vectors; of two middle ones, half their sum.

    Exact at an optimum with equal prices and a free support vector; without one of the two it need
    not be an optimal offset. One spoilt estimate does not move it far. ValueError if alpha is 0.
    O(n n d), linear O(n d). (50.007 notes, after equation (4))

    >>> from refsvm.svm.problem import Problem
    >>> median(Problem([[0], [1], [3], [4]], [-1, -1, 1, 1]), [0, 0.5, 0.5, 0])
    -2.0
    """
    problem, alpha, asks = asked(problem, alpha)
    told = [v for v, a in zip(asks, alpha) if a > 0]
    if not told:
        raise ValueError("alpha is 0 everywhere; without a support vector nothing tells b")
    return problem.unshifted_offset(middle_of(told), alpha)


def middle_of(values):
    """The middle of the values in order; of two middle ones, half their sum.

    >>> middle_of([3.0, 1.0, 100.0]), middle_of([4.0, 1.0])
    (3.0, 2.5)
    """
    values = sorted(values)
    last = len(values) - 1
    if last % 2 == 0:
        return values[last // 2]
    return (values[last // 2] + values[last // 2 + 1]) / 2


def reconstruct(problem, alpha):
    """Reconstructed(b, free): the mean estimate of the free support vectors, and their indices.

    Without any, the middle of the interval of offsets, and free is []. Exact at an optimum; the
    mean, and not one of them, so that rounding evens out. It is the rule of smo. O(n n d),
    linear O(n d). (50.007 notes, last page)

    >>> from refsvm.svm.problem import Problem
    >>> pair = [[1], [-1], [2]], [1, -1, 1]
    >>> reconstruct(Problem(*pair, C=1), [0.5, 0.5, 0])
    Reconstructed(b=0.0, free=[0, 1])
    >>> reconstruct(Problem(*pair, C=0.125), [0.125, 0.125, 0])
    Reconstructed(b=0.625, free=[])
    """
    problem, alpha, asks = asked(problem, alpha)
    bounds = problem.upper_bounds()
    free = [i for i, (a, c) in enumerate(zip(alpha, bounds)) if 0 < a < c]
    if not free:
        low, high = interval(problem, alpha)
        finite = [v for v in (low, high) if -inf < v < inf]
        return Reconstructed(middle_of(finite), free)
    total = problem.kind(0)
    for i in free:
        total += asks[i]
    return Reconstructed(problem.unshifted_offset(total / len(free), alpha), free)


def interval(problem, alpha):
    """Interval(m, M) of the offsets with which alpha is optimal, from the conditions.

    Each low end is the largest estimate of those who ask for more, each high end the smallest of
    those who ask for less (see kkt_conditions.py). Empty, low > high, exactly if a feasible alpha
    is not optimal. O(n n d), linear O(n d).

    >>> from refsvm.svm.problem import Problem
    >>> interval(Problem([[1], [-1], [2]], [1, -1, 1], C=0.125), [0.125, 0.125, 0])
    Interval(low=0.5, high=0.75)
    """
    report = kkt(require_offset(problem), alpha)
    return Interval(report.b_low, report.b_high)


def cheapest(problem, alpha):
    """Interval of the b for which slack costs least with the w of this alpha, optimal or not.

    The cost, sum C_i max(0, y_i (v_i - b)), is a chain of straight pieces with its corners at the
    estimates v_i. Far left its slope is minus the price of all positive examples, and each
    corner adds C_i, whatever the label; cheapest is where the slope is 0 or changes its sign. With
    equal prices: from the p-th to the next of all n estimates in order, for p positive examples.

    Hinge slack and finite prices only. O(n n d), linear O(n d), and O(n log n).

    >>> from refsvm.svm.problem import Problem
    >>> cheapest(Problem([[1], [-1], [2]], [1, -1, 1], C=0.125), [0.125, 0.125, 0])
    Interval(low=0.5, high=0.75)
    """
    problem, alpha, asks = asked(require_hinge(problem), alpha)
    for i, c in enumerate(problem.C):
        if c == inf:
            raise ValueError(f"C[{i}] is inf; slack of infinite price has no cheapest offset")
    prices = [Fraction(c) for c in problem.C]  # the sign of a slope must not be rounded away
    slope, low = Fraction(0), None
    for y, c in zip(problem.y, prices):
        if y > 0:
            slope -= c
    for v, c in sorted(zip(asks, prices)):
        slope += c
        if slope >= 0 and low is None:
            low = v
        if slope > 0:
            break
    return Interval(problem.unshifted_offset(low, alpha), problem.unshifted_offset(v, alpha))


def asked(problem, alpha):
    """The problem and alpha in one kind of number, and the estimates for the rows solved on."""
    problem, _ = require_offset(problem).in_common_type(alpha, 0)
    beta = problem.beta(alpha)
    scores, _ = problem.scores_and_norm2(beta)
    return problem, [x * y for x, y in zip(beta, problem.y)], residuals(problem, beta, scores)


def require_offset(problem):
    """The problem, refused if it has no offset."""
    if not require_problem(problem).bias:
        raise ValueError("problem has no offset; its b is 0")
    return problem
