"""Is this alpha the only optimal one? If not, here is another.

Let b be an optimal offset, inside the interval of all of them. Then every optimal alpha has
alpha_i = 0 where y_i f_i > 1 (status L) and alpha_i = C_i where y_i f_i < 1 (status U): only the
examples on the margin (M) may vary. And w is the same at every optimum, so two optima differ by a
direction d on M (in beta) with

    sum_j K_ij d_j = 0 for i in M        and, with an offset,    sum d_j = 0

which points inwards where alpha_i is on a bound. If b has room, nobody is on the margin, and alpha
is unique.

Some of M are free: 0 < alpha_i < C_i. If their part of the matrix (bordered by ones, with an
offset) is singular, a null vector of it is such a direction. If it is regular the free ones follow
the others: a change t >= 0 of those on a bound, inwards, makes d, and d is a direction if S t = 0,
with S the Schur complement of the free part. Whether there is such a t is a question about cones.

Throughout this module
    part     the inverse of the free part, an ExactInverse, whose index a stands for the
             equation if a < m and for example a - m otherwise; m is 1 with an offset, else 0
    bound    those of M whose alpha_i is 0 or C_i
    inwards  +1 or -1 for each of them: the sign of d_i that leads into the box
"""

from fractions import Fraction
from math import inf

from ..numerics.linalg import dot
from ..numerics.polyhedra import nonnegative_combination


def statuses(problem, residuals, b):
    """A letter for each example, L, M or U, in one string; b is inside the interval.

    >>> from refsvm.numerics.exact_sums import ScaledIntegers
    >>> from refsvm.svm.problem import Problem
    >>> line = Problem([[Fraction(0)], [1], [3]], [-1, 1, 1])
    >>> statuses(line, ScaledIntegers([-1, -1, -5], 1), Fraction(-1))
    'MML'
    """
    numbers, D = residuals
    middle = b * D
    wants = [y * (r - middle) for y, r in zip(problem.y, numbers)]
    return "".join("U" if v > 0 else "L" if v < 0 else "M" for v in wants)


def other_optimum(problem, alpha, status, part):
    """Another optimal alpha, or None if there is none; `part` is where the search ended."""
    movable = [i for i, letter in enumerate(status) if letter == "M"]
    if not movable:
        return None
    tops = problem.upper_bounds()
    free = [i for i in movable if 0 < alpha[i] < tops[i]]
    bound = [i for i in movable if not 0 < alpha[i] < tops[i]]
    direction = among_free(part, free, int(problem.bias))
    if direction is None:
        inwards = {i: problem.y[i] * (1 if alpha[i] == 0 else -1) for i in bound}
        direction = from_bounds(part, inwards, int(problem.bias))
    return None if direction is None else farthest(problem, alpha, direction)


def among_free(part, free, m):
    """{i: d_i} on the free ones, a null vector of their part; None if it is regular.

    Then `part` is of all of them and nobody else; but if nobody is free it keeps, with an offset,
    one who is on a bound, without whom it would not be regular.
    """
    strangers = [a for a in part.index if a >= m and a - m not in free]
    missing = [m + i for i in free if m + i not in part.index]
    while strangers and len(part.index) > 2 * m:
        part.remove(strangers.pop())
    if strangers and missing:
        part.replace(strangers.pop(), missing.pop())
    for a in missing:
        if not part.add_if_regular(a):
            u, _, sign = part.response(a)
            if sign == 0:
                return {a - m: Fraction(1), **moves(part, u, m)}
            part.add(a)
    return None


def moves(part, values, m):
    """{i: value} for the examples in `part`, from a value for each index of it."""
    return {a - m: v for a, v in zip(part.index[m:], values[m:])}


def from_bounds(part, inwards, m):
    """{i: d_i} that leads inwards from the bounds, the others following; None if there is none.

    inwards has all of M that are on a bound; of the one of them that may be in `part` an equation
    says, with an unknown >= 0, that it follows inwards, too.
    """
    movers = [i for i in inwards if m + i not in part.index]
    if regular_with(part, [m + i for i in movers]):
        return None
    responses = {i: part.response(m + i)[0] for i in movers}
    stuck = [k for k, a in enumerate(part.index) if a - m in inwards]
    columns = []
    for i, u in responses.items():
        schur = schur_column(part, [m + e for e in movers], m + i, u)
        follows = [inwards[part.index[k] - m] * u[k] for k in stuck]
        columns.append([inwards[i] * v for v in schur + follows] + [Fraction(1)])
    zeros = [Fraction(0)] * len(movers)
    columns += [[*zeros, Fraction(-1), Fraction(0)] for _ in stuck]
    goal = [*zeros, *(Fraction(0) for _ in stuck), Fraction(1)]
    t = nonnegative_combination(columns, goal).coefs
    if t is None:
        return None
    steps = [inwards[i] * v for i, v in zip(movers, t)]
    follow = [dot(steps, column) for column in zip(*responses.values())]
    return {**dict(zip(movers, steps)), **moves(part, follow, m)}


def regular_with(part, newcomers):
    """Whether the matrix is surely regular with all of these in it; `part` stays as it is."""
    came = [a for a in newcomers if part.add_if_regular(a)]
    for a in came:
        part.remove(a)
    return len(came) == len(newcomers)


def schur_column(part, rows, j, u):
    """Column j of the Schur complement, at these rows; u is the response to j."""
    column = []
    for e in rows:
        whole, below = part.prepare(e)
        moved = dot([whole[a] for a in part.index], u)
        column.append(Fraction(whole[j] + moved, below))
    return column


def farthest(problem, alpha, direction):
    """The alpha at the end of the direction, where the first meets a bound."""
    tops = problem.upper_bounds()
    change = {i: problem.y[i] * d for i, d in direction.items() if d != 0}
    t = min(
        ((tops[i] if d > 0 else 0) - alpha[i]) / d
        for i, d in change.items()
        if d < 0 or tops[i] < inf
    )
    return [a + t * change.get(i, 0) for i, a in enumerate(alpha)]
