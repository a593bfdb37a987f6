"""The hyperplane furthest from both classes, why nothing is wider, and the primal with its slacks.

Among all (w, b) with y_i (w.x_i + b) > 0 the one whose closest point is furthest away. Scale it so
that the closest margins are 1, and the distance to the closest points is 1 / |w|; so it is the
(w, b) of least |w| with all margins 1 or more. It is one and the same problem to

    maximise gamma    such that  y_i (u.x_i + b) >= gamma  and  |u| = 1        gamma*, u*
    minimise |w|^2/2  such that  y_i (w.x_i + b) >= 1                          w* = u* / gamma*

That nothing is wider has a proof of one line. Take any multipliers alpha_i >= 0, not all zero,
with sum alpha_i y_i = 0. Then for every (u, b) with |u| = 1, whose margins are gamma or more,

    gamma sum alpha_i  <=  sum alpha_i y_i (u.x_i + b)  =  u.(sum alpha_i y_i x_i)  <=  |w(alpha)|

so no margin exceeds |w(alpha)| / sum alpha_i, where w(alpha) = sum alpha_i y_i x_i. That is half
the distance between two points, one in the convex hull of each class; at the optimum it is gamma*.

`widest` solves the dual. `hard_margin` and `soft_margin` solve the primal as the notes state it, a
quadratic program in w, b and the slacks:

    hard       minimise 1/2 |w|^2                     y_i (w.x_i + b) >= 1
    hinge      minimise 1/2 |w|^2 + sum C_i xi_i      y_i (w.x_i + b) >= 1 - xi_i,  xi_i >= 0
    squared    minimise 1/2 |w|^2 + sum C_i/2 xi_i^2  the same; xi_i >= 0 may be left out

The weak inequality matters: with > the set of feasible (w, b) would be open, and w could always be
shortened a little more. Nothing is transformed there, no dual, no kernel: the answers are an
independent check on every other solver. With n + d + 1 unknowns and 2n inequalities it is slow.

Throughout this module
    w, b    d weights and the offset        gamma     margin: the distance of the closest point
    alpha   multipliers, one an example     closest   the examples whose margin is exactly 1
    C_i     penalty, inf: no slack allowed  xi        n slacks
    P, q, G, h   minimise 1/2 v'P v + q'v such that G v <= h, for v = [w; b; xi]: b is missing if
                 there is no offset, xi if there is no slack

Squares are used for lengths: they are fractions where lengths are not.

Source: CDS New York University, "SVM" (2023), "Maximize the Margin", nyu-17, nyu-71; CS229 notes,
section 5; Nicolo Cesa-Bianchi, "Support Vector Machines" (2023), Theorem 1; lycpaul, hard margin
and L2; 50.007, (1) and (2).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from ..numerics.display import displayed
from ..numerics.exact_sums import round_to_kind
from ..numerics.linalg import squared_norm
from ..numerics.quoting import quote, shorten
from ..numerics.types import Matrix, Number, Vector, VectorLike
from ..numerics.validation import matrix, number_kind, one_of, penalties, signs, yes_or_no
from ..svm.problem import Problem, require_problem
from ..theory.svm_program import primal_program
from .quadratic_program import minimise_inequalities
from .smo import smo


@displayed
class Widest(NamedTuple):
    """The widest separation: w and b with margins of 1 or more, of which the closest have 1.

    squared_margin  gamma*^2 = 1 / |w|^2: the square of the distance to the closest points
    alpha           multipliers with w = sum alpha_i y_i x_i: the proof that nothing is wider
    closest         indices of the examples whose margin is exactly 1, among them all alpha_i > 0
    """

    w: Vector
    b: Number
    squared_margin: Number
    alpha: Vector
    closest: list[int]


def widest(X: Sequence[VectorLike], y: Sequence[int], bias: bool = True) -> Widest:
    """Find the hyperplane furthest from both classes; through the origin if bias is False.

    Returns
    -------
    Widest
        solved on Fractions, so that `closest` and the optimum are exact, then rounded once if
        floats were given

    Raises
    ------
    ValueError
        if the classes cannot be separated

    Notes
    -----
    For teaching and for small data: the numbers of a fraction grow.

    Examples
    --------
    >>> widest([[0], [1], [3], [4]], [-1, -1, 1, 1])
    Widest(w=[1.0], b=-2.0, squared_margin=1.0, alpha=[0.0, 0.5, 0.5, 0.0], closest=[1, 2])
    >>> widest([[0], [1], [2]], [1, -1, 1])
    Traceback (most recent call last):
      ...
    ValueError: the classes cannot be separated: the rows 0, 1, 2 with weights 1, 2, 1 cancel
    """
    kind = number_kind(X)
    problem = Problem(X, y, C=inf, bias=yes_or_no(bias, "bias")).to(Fraction)
    solution = smo(problem, tol=0)
    if solution.farkas:
        rows = _describe_farkas(solution.farkas)
        raise ValueError(f"the classes cannot be separated: {rows} cancel")
    b: Any = solution.b
    w: list[Any] = problem.weights(solution.alpha)
    alpha: list[Any] = solution.alpha
    margins = problem.margins(alpha, b)
    return Widest(
        w=[round_to_kind(v, kind) for v in w],
        b=round_to_kind(b, kind),
        squared_margin=round_to_kind(Fraction(1 / squared_norm(w)), kind),
        alpha=[round_to_kind(a, kind) for a in alpha],
        closest=[i for i, margin in enumerate(margins) if margin == 1],
    )


def _describe_farkas(farkas: Vector) -> str:
    """The rows of non-zero weight, and the weights, in words; the least weight is 1."""
    rows = [i for i, q in enumerate(farkas) if q != 0]
    least = min(farkas[i] for i in rows)
    weights = ", ".join(quote(farkas[i] / least) for i in rows)
    return f"the rows {shorten(', '.join(map(str, rows)))} with weights {shorten(weights)}"


def squared_margin_bound(problem: Problem, alpha: VectorLike) -> Number:
    """|w(alpha)|^2 / (sum alpha_i)^2: no margin has a larger square (S24.3). O(n n d).

    alpha is any list of n numbers >= 0, not all zero, with sum alpha_i y_i = 0 if the problem has
    an offset; ValueError otherwise. With a kernel, margins are distances in its feature space.

    >>> problem = Problem([[0], [1], [3], [4]], [-1, -1, 1, 1], C=inf)
    >>> squared_margin_bound(problem, [1, 0, 0, 1]), squared_margin_bound(problem, [0, 1, 1, 0])
    (4.0, 1.0)
    """
    problem, _ = require_problem(problem).in_common_type(alpha, 0)
    beta = problem.beta(alpha)
    total = balance = problem.kind(0)
    for i, (x, label) in enumerate(zip(beta, problem.y)):
        if x * label < 0:
            raise ValueError(f"alpha[{i}] is {quote(x * label)}; it must not be negative")
        total += x * label
        balance += x
    if total == 0:
        raise ValueError("alpha is zero everywhere; one multiplier at least must be positive")
    if problem.bias and balance != 0:
        raise ValueError(f"sum alpha_i y_i is {quote(balance)}; with an offset it must be 0")
    return problem.scores_and_norm2(beta)[1] / (total * total)


# The primal, as stated


@displayed
class MarginProgram(NamedTuple):
    """minimise 1/2 v'P v + q'v such that G v <= h; the first n rows of G are the margins."""

    P: Matrix
    q: Vector
    G: Matrix
    h: Vector


@displayed
class Margin(NamedTuple):
    """The best w, b and slacks; alpha proves them best: they make the dual equal to `value`.

    If status is "infeasible" there is no hard margin, w, b, xi and value are None, and alpha >= 0,
    not all zero, has sum alpha_i y_i x_i = 0 and (with an offset) sum alpha_i y_i = 0.
    """

    w: Vector | None
    b: Number | None
    xi: Vector | None
    alpha: Vector
    value: Number | None
    status: str


def margin_program(
    X: Sequence[VectorLike],
    y: Sequence[int],
    C: Number | VectorLike = inf,
    slack: str = "hinge",
    bias: bool = True,
    nonnegative: bool = True,
) -> MarginProgram:
    """The MarginProgram of these examples (S6.1). Without `nonnegative`, xi_i >= 0 is left out.

    C is one number or one an example: all inf (a hard margin, no slacks) or none. Labels may all
    be the same. ValueError or TypeError for bad input. O((n + d)^2) numbers.

    >>> program = margin_program([[Fraction(2)]], [1], C=3)
    >>> [list(map(int, row)) for row in program.G], list(map(int, program.h))
    ([[-2, -1, -1], [0, 0, -1]], [-1, 0])
    """
    kind = number_kind(X, C)
    X = matrix(X, "X", kind)
    y, C = signs(y, len(X)), penalties(kind, C, len(X))
    yes_or_no(bias, "bias")
    one_of(slack, ("hinge", "squared"), "slack")
    if inf in C and any(c != inf for c in C):
        raise ValueError("C holds inf and other numbers; slacks are for all or for none")
    return MarginProgram(*primal_program(kind, X, y, C, slack, bias, nonnegative))


def hard_margin(X: Sequence[VectorLike], y: Sequence[int], bias: bool = True) -> Margin:
    """The Margin without slack (S6.2): the widest street between the classes, or proof of none.

    >>> hard_margin([[Fraction(1)], [Fraction(2)]], [1, -1])[:2]
    ([Fraction(-2, 1)], Fraction(3, 1))
    >>> hard_margin([[Fraction(1)], [Fraction(2)]], [1, -1], bias=False).status
    'infeasible'
    """
    return margin_of(X, y, inf, "hinge", bias, True)


def soft_margin(
    X: Sequence[VectorLike],
    y: Sequence[int],
    C: Number | VectorLike = 1,
    slack: str = "hinge",
    bias: bool = True,
    nonnegative: bool = True,
) -> Margin:
    """The Margin with slack at penalty C, from w = 0, b = 0, xi = 1 (S6.2).

    >>> best = soft_margin([[Fraction(1)], [Fraction(-1)]], [1, -1], Fraction(1, 4))
    >>> best.w, best.value
    ([Fraction(1, 2)], Fraction(3, 8))
    """
    return margin_of(X, y, C, slack, bias, nonnegative)


def margin_of(
    X: Sequence[VectorLike], y: Sequence[int], C: Any, slack: str, bias: bool, nonnegative: bool
) -> Margin:
    """The Margin of the program, solved."""
    program, bias = margin_program(X, y, C, slack, bias, nonnegative), yes_or_no(bias, "bias")
    n, d = len(X), len(X[0])
    slacks = len(program.q) - d - bias
    start = [0] * (d + bias) + [1] * slacks if slacks else None
    found = minimise_inequalities(*program, start=start)
    if found.x is None:
        return Margin(None, None, None, found.multipliers[:n], None, found.status)
    kind = Fraction if isinstance(found.value, Fraction) else float
    w, rest = found.x[:d], found.x[d:]
    b = rest[0] if bias else kind(0)
    xi = rest[bias:] if slacks else [kind(0)] * n
    return Margin(w, b, xi, found.multipliers[:n], found.value, found.status)
