"""Is this alpha the only optimal one? If not, here is another.

Let b be an optimal offset, inside the interval of all of them. Then every optimal alpha has
alpha_i = 0 where y_i f_i > 1 (status L) and alpha_i = C_i where y_i f_i < 1 (status U): only the
examples on the margin (M) may vary. And w is the same at every optimum, so two optima differ by a
direction d on M with

    sum_j K_ij d_j = 0 for i in M        and, with an offset,    sum d_j = 0        (d in beta)

which, where alpha_i sits on a bound, points inwards. If b has room, nobody is on the margin, and
alpha is unique.

Some of M are free, 0 < alpha_i < C_i. If their part of the matrix (bordered by ones, with an
offset) is singular, a null vector of it is such a direction. If it is regular the free ones follow
the others: a change t of those on a bound makes d, and d is a direction if S t = 0, with S the
Schur complement, and t points inwards: a question about cones.

Throughout this module
    beta     alpha_i y_i                       line(a)   as in pivoting.py: a = 0 is the equation
    bound    those of M at 0 or at C_i         m         1 with an offset, else 0
"""

from ..cones import nonnegative_combination
from ..linalg import dot
from ..solvers.principal_exact import Exact


def statuses(problem, residuals, b):
    """A letter for each example, L, M or U, in one string; b is inside the interval.

    >>> from fractions import Fraction
    >>> from refsvm.problem import Problem
    >>> line = Problem([[Fraction(0)], [1], [3]], [-1, 1, 1])
    >>> statuses(line, [Fraction(-1), -1, -5], -1)
    'MML'
    """
    wants = [y * (r - b) for y, r in zip(problem.y, residuals)]
    return "".join("U" if v > 0 else "L" if v < 0 else "M" for v in wants)


def other_optimum(problem, alpha, status, line):
    """Another optimal alpha, or None if there is none."""
    movable = [i for i, letter in enumerate(status) if letter == "M"]
    direction = null_direction(problem, alpha, movable, line)
    if direction is None:
        return None
    return farthest(problem, alpha, direction)


def null_direction(problem, alpha, movable, line):
    """{i: d_i}, a change of beta from one optimum to others; None if there is none."""
    m = int(problem.bias)
    top = problem.upper_bounds()
    free = [i for i in movable if 0 < alpha[i] < top[i]]
    bound = [i for i in movable if not 0 < alpha[i] < top[i]]
    if not movable:
        return None
    if not free and m:
        return from_bounds(problem, alpha, [bound[0]], bound[1:], line)
    part = Exact(line, m + problem.n)
    part.take([*range(m), *(m + i for i in free[:m])])
    for i in free[m:]:
        if not part.admit(m + i):
            u, eta, sign = part.response(m + i)
            if sign == 0:
                return {i: 1, **{a - m: v for a, v in zip(part.index[m:], u[m:])}}
            part.enter(m + i)
    return from_bounds(problem, alpha, free, bound, line)


def from_bounds(problem, alpha, free, bound, line):
    """{i: d_i} with d not zero on `bound`, the part of `free` being regular; or None.

    Of `free` one may be on a bound itself.
    """
    m = int(problem.bias)
    part = Exact(line, m + problem.n)
    part.take([*range(m), *(m + i for i in free)])
    inwards = {i: problem.y[i] * (1 if alpha[i] == 0 else -1) for i in [*free, *bound]}
    columns, responses = [], []
    for i in bound:
        u = part.response(m + i)[0]
        row = line(m + i)
        others = [line(a) for a in part.index]
        schur = [row[m + e] + dot([o[m + e] for o in others], u) for e in bound]
        responses.append(u[m:])
        columns.append([inwards[i] * v for v in schur])
    stuck = [k for k, i in enumerate(free) if alpha[i] in (0, problem.upper_bounds()[i])]
    vectors = [
        [*column, *(inwards[i] * inwards[free[k]] * u[k] for k in stuck), problem.kind(1)]
        for i, column, u in zip(bound, columns, responses)
    ]
    zero = problem.kind(0)
    for k in range(len(stuck)):
        vectors.append([zero] * len(bound) + [-problem.kind(k == e) for e in range(len(stuck))]
                       + [zero])
    if not bound:
        return None
    found = nonnegative_combination(vectors, [zero] * (len(bound) + len(stuck)) + [1]).coefs
    if found is None:
        return None
    steps = [inwards[i] * t for i, t in zip(bound, found)]
    direction = dict(zip(bound, steps))
    for k, i in enumerate(free):
        direction[i] = dot(steps, [u[k] for u in responses])
    return direction


def farthest(problem, alpha, direction):
    """The alpha at the end of the direction, where the first meets a bound."""
    top = problem.upper_bounds()
    change = {i: problem.y[i] * d for i, d in direction.items() if d != 0}
    t = min(
        ((top[i] if d > 0 else 0) - alpha[i]) / d
        for i, d in change.items() if d < 0 or top[i] != float("inf")
    )
    return [a + t * change.get(i, 0) for i, a in enumerate(alpha)]
