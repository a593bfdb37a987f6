"""Two multipliers at a time: the step of SMO, one function a formula.

With an offset, sum alpha_k y_k = 0 gives each multiplier from the others, so none can move alone.
Two can: for examples i and j, with all others held,

    alpha_i y_i + alpha_j y_j = zeta             the line they are on           zeta
    alpha_i = (zeta - alpha_j y_j) y_i           one of them gives the other    partner
    L <= alpha_j <= H                            the line within the box        segment
    W = a alpha_j^2 + b alpha_j + c              the dual on the line           parabola
    a = -eta / 2,  eta = K_ii + K_jj - 2 K_ij    |phi(x_i) - phi(x_j)|^2        curvature
    alpha_j + y_j (E_i - E_j) / eta              where its slope is zero        unclipped
    that, brought to L .. H                      the best that is allowed       clip, best

Setting the slope to zero and clipping is right for eta > 0 only. For eta = 0 the parabola is a
straight line, for eta < 0 (K is then no matrix of inner products) it is open upwards: the best
place is an end of the segment, and best() takes the better one.

Throughout this module
    problem   a Problem with an offset           alpha   multipliers within 0 .. C_k
    E_k       f(x_k) - y_k, the error; b cancels in E_i - E_j, so no step needs it
    K         the kernel matrix, with the ridge of squared slack on its diagonal
    C_k       the largest alpha_k; no bound (inf) under squared slack

These functions are for reading and for checking. solvers/textbook_smo.py puts them in a loop, and
smo takes the same steps (solvers/smo.py) without computing everything anew for each.

Source: CS229 notes, section 9.2, equation (32) and what follows; Platt, "Sequential Minimal
Optimization", 1998, for the offset, which has the opposite sign there (f = sum - b).
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from ..numerics.display import displayed
from ..numerics.linalg import difference, total
from ..numerics.quoting import quote
from ..numerics.types import Number, Vector, VectorLike
from ..numerics.validation import number_kind, to_number, whole_number
from ..svm.offsets import estimates
from ..svm.problem import Problem, require_problem


@displayed
class Segment(NamedTuple):
    """The values that alpha_j may have, from low to high."""

    low: Number
    high: Number


@displayed
class Parabola(NamedTuple):
    """The parabola a x^2 + b x + c."""

    a: Number
    b: Number
    c: Number

    def at(self, x: Number) -> Number:
        """Return its value at x."""
        return (self.a * x + self.b) * x + self.c


def implied(problem: Problem, alpha: VectorLike, i: int) -> Number:
    """Return the alpha_i that the others imply: -y_i sum of alpha_k y_k over k != i. O(n).

    >>> implied(Problem([[0], [1], [2]], [1, -1, 1], C=9), [0, 5, 2], 0)
    3.0
    """
    problem, alpha = _convert_pair(problem, alpha, i)
    others = total(a * y for k, (a, y) in enumerate(zip(alpha, problem.y)) if k != i)
    return 0 - problem.y[i] * others  # not -0.0


def zeta(problem: Problem, alpha: VectorLike, i: int, j: int) -> Number:
    """Return alpha_i y_i + alpha_j y_j, which no step of i and j changes. (CS229 notes, (32))

    >>> zeta(Problem([[0], [1], [2]], [1, -1, 1], C=9), [3, 5, 2], 0, 1)
    -2.0
    """
    problem, alpha = _convert_pair(problem, alpha, i, j)
    return alpha[i] * problem.y[i] + alpha[j] * problem.y[j]


def partner(problem: Problem, alpha: VectorLike, i: int, j: int, alpha_j: Number) -> Number:
    """Return alpha_i = (zeta - alpha_j y_j) y_i, for another alpha_j than that in alpha.

    >>> partner(Problem([[0], [1], [2]], [1, -1, 1], C=9), [3, 5, 2], 0, 1, 4)
    2.0
    """
    problem, alpha = _convert_pair(problem, alpha, i, j, alpha_j)
    alpha_j = to_number(problem.kind, alpha_j, "alpha_j")
    y_i, y_j = problem.y[i], problem.y[j]
    return (alpha[i] * y_i + alpha[j] * y_j - alpha_j * y_j) * y_i + 0  # not -0.0


def segment(problem: Problem, alpha: VectorLike, i: int, j: int) -> Segment:
    """Return the Segment of the alpha_j for which both multipliers are within their bounds.

        y_i != y_j     L = max(0, alpha_j - alpha_i)          H = min(C_j, C_i + alpha_j - alpha_i)
        y_i  = y_j     L = max(0, alpha_i + alpha_j - C_i)    H = min(C_j, alpha_i + alpha_j)

    >>> problem = Problem([[0], [1], [2]], [1, -1, 1], C=4)
    >>> segment(problem, [1, 3, 2], 0, 1), segment(problem, [1, 3, 2], 0, 2)
    (Segment(low=2.0, high=4.0), Segment(low=0.0, high=3.0))
    """
    problem, alpha = _convert_pair(problem, alpha, i, j)
    zero, (C_i, C_j) = problem.kind(0), (problem.upper_bounds()[k] for k in (i, j))
    if problem.y[i] != problem.y[j]:
        apart = alpha[j] - alpha[i]
        return Segment(max(zero, apart), min(C_j, difference(C_i, -apart)))
    both = alpha[i] + alpha[j]
    return Segment(max(zero, difference(both, C_i)), min(C_j, both))


def errors(problem: Problem, alpha: VectorLike) -> Vector:
    """Return E_k = f(x_k) - y_k of every example, for b = 0. O(n n d), linear O(n d).

    Under squared slack alpha_k y_k / C_k is added, the part of the ridge.

    >>> errors(Problem([[0], [1]], [-1, 1]), [0.5, 0.5])
    [1.0, -0.5]
    """
    problem, alpha = _convert_pair(problem, alpha)
    return [0 - v for v in estimates(problem, alpha)]


def curvature(problem: Problem, i: int, j: int) -> Number:
    """Return eta = K_ii + K_jj - 2 K_ij: the squared distance of the two in feature space. O(n d).

    >>> curvature(Problem([[0], [3]], [-1, 1]), 0, 1)
    9.0
    """
    problem, _ = _convert_pair(problem, [0] * require_problem(problem).n, i, j)
    row, ridge = problem.kernel_rows(), problem.ridge()
    of_i, of_j = row(problem.rows[i]), row(problem.rows[j])
    return (of_i[i] + ridge[i]) + (of_j[j] + ridge[j]) - 2 * of_i[j]


def parabola(problem: Problem, alpha: VectorLike, i: int, j: int) -> Parabola:
    """Return the dual W as a Parabola in alpha_j, where alpha_i moves along with it.

    >>> parabola(Problem([[0], [1]], [-1, 1]), [0, 0], 0, 1)
    Parabola(a=-0.5, b=2.0, c=0.0)
    """
    problem, alpha = _convert_pair(problem, alpha, i, j)
    E, eta = errors(problem, alpha), curvature(problem, i, j)
    slope = problem.y[j] * (E[i] - E[j])  # of W at the present alpha_j
    a, b = 0 - eta / 2, slope + eta * alpha[j]
    return Parabola(a, b, problem.dual(alpha) - (a * alpha[j] + b) * alpha[j])


def unclipped(problem: Problem, alpha: VectorLike, i: int, j: int) -> Number:
    """Return alpha_j + y_j (E_i - E_j) / eta: the top of the parabola, within the segment or not.

    ValueError if it has no top, eta <= 0.

    >>> unclipped(Problem([[0], [1]], [-1, 1]), [0, 0], 0, 1)
    2.0
    """
    problem, alpha = _convert_pair(problem, alpha, i, j)
    E, eta = errors(problem, alpha), curvature(problem, i, j)
    if not eta > 0:
        raise ValueError(
            f"K[{i}][{i}] + K[{j}][{j}] - 2 K[{i}][{j}] is {quote(eta)}; the dual has no"
            " highest point"
            " on the line, only a better end of the segment"
        )
    return alpha[j] + problem.y[j] * (E[i] - E[j]) / eta


def clip(value: Number, low: Number, high: Number) -> Number:
    """Return the number from low to high that is nearest to the value.

    >>> clip(2.0, 0.0, 1.0), clip(-2.0, 0.0, 1.0), clip(0.5, 0.0, 1.0)
    (1.0, 0.0, 0.5)
    """
    return low if value < low else high if value > high else value


def best(problem: Problem, alpha: VectorLike, i: int, j: int) -> Number:
    """Return the alpha_j of the segment where W is largest, whatever the sign of eta.

    The present alpha_j, if none is better. ValueError if W rises without bound.

    >>> best(Problem([[0], [1]], [-1, 1]), [0, 0], 0, 1)                # 2, clipped
    1.0
    >>> best(Problem([[5], [5]], [-1, 1], C=3), [0, 0], 0, 1)           # eta = 0: an end
    3.0
    """
    problem, alpha = _convert_pair(problem, alpha, i, j)
    low, high = segment(problem, alpha, i, j)
    W = parabola(problem, alpha, i, j)
    if W.a < 0:
        return clip(unclipped(problem, alpha, i, j), low, high)
    if high < inf:
        return max((alpha[j], low, high), key=W.at)
    if W.a > 0 or W.b > 0:
        raise ValueError(f"the dual rises for ever as alpha[{i}] and alpha[{j}] grow together")
    return max((alpha[j], low), key=W.at)


def pair_step(problem: Problem, alpha: VectorLike, i: int, j: int) -> Vector:
    """Return new multipliers: W is as large as i and j alone can make it.

    >>> pair_step(Problem([[0], [1], [3]], [-1, 1, 1], C=9), [0, 0, 0], 1, 0)
    [2.0, 2.0, 0.0]
    """
    problem, alpha = _convert_pair(problem, alpha, i, j)
    alpha_j = best(problem, alpha, i, j)
    alpha_i = partner(problem, alpha, i, j, alpha_j)
    return [alpha_i if k == i else alpha_j if k == j else a for k, a in enumerate(alpha)]


def offset_after(problem: Problem, alpha: VectorLike, i: int, j: int) -> Number:
    """Return a b that suits i and j after their step: Platt's update of b.

    The b with y_k f(x_k) = 1 for k = i if alpha_i is off its bounds, else for k = j; if both are
    on a bound, the middle of the two, since any b between them is right. If both are off, the two
    agree. No later step needs it, and it suits the other examples at the end only. A pair with
    low = high takes no step: then both bounds on b may lie on the same side, and the middle is
    not between them.

    >>> problem = Problem([[0], [1], [3]], [-1, 1, 1], C=9)
    >>> offset_after(problem, [2, 2, 0], 1, 0)
    -1.0
    """
    problem, alpha = _convert_pair(problem, alpha, i, j)
    v, C = estimates(problem, alpha), problem.upper_bounds()
    for k in (i, j):
        if 0 < alpha[k] < C[k]:
            return v[k]
    return (v[i] + v[j]) / 2


def _convert_pair(problem: Problem, alpha: VectorLike, *pair: Number) -> tuple[Problem, Vector]:
    """Return the problem and alpha in one kind; ValueError unless i and j are a pair.

    A number after i and j decides the kind, too.
    """
    i_j, numbers = pair[:2], pair[2:]
    require_problem(problem)
    if not problem.bias:
        raise ValueError("problem has no offset, so nothing ties two multipliers; bias is False")
    kind = number_kind(alpha, *numbers)
    problem, _ = problem.in_common_type(alpha, kind(0))
    alpha = [b * y + 0 for b, y in zip(problem.beta(alpha), problem.y)]
    for k, (a, C) in enumerate(zip(alpha, problem.upper_bounds())):
        if not 0 <= a <= C:
            raise ValueError(
                f"alpha[{k}] is {quote(a)}; it must be from 0 to C, which is {quote(C)}"
            )
    for name, k in zip("ij", i_j):
        if whole_number(k, name, 0) >= problem.n:
            raise ValueError(f"{name} is {k}; there are {problem.n} examples, counted from 0")
    if len(i_j) == 2 and i_j[0] == i_j[1]:
        raise ValueError(f"i and j are both {quote(i_j[0])}; two multipliers are needed")
    return problem, alpha
