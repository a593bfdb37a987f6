"""The exact optimum of the program inside every machine, by trying everything.

It imports nothing of refsvm. The program, in Fractions:

    (G)  minimise  1/2 b'Kb - t'b   over  lower <= b <= upper,   and for each group g
                                                                 sum of b_k over k in g = sum_g

    K              positive semidefinite
    lower, upper   a variable may have one of them infinite, not both
    g              a list of variables; a variable is in one group at most, and may be in none

With r = t - K b, a b that fulfils the constraints is optimal if and only if each group has a
multiplier lam_g with

    r_k <= lam_g  where b_k may rise (b_k < upper_k),      r_k >= lam_g  where b_k may fall,

that is if m_g = max r over those that may rise <= M_g = min r over those that may fall; lam_g is
then any number of [m_g, M_g], whichever optimal b they are read from: optimal multipliers go with
every optimum. Without a group lam is 0.

Every variable is tried at its lower bound, at its upper bound, and free in between: 3^N patterns.
Those in between solve a linear system with the matrix [K A'; A 0], A a row of ones for each group
that has a free variable. A set of variables whose matrix is singular is left out, and every larger
set with it: a vector of its null space is a direction d with K d = 0 and no sum changed, so it
leads from an optimum to others both ways. The corners of the set of optima have no such direction,
and every optimum is a mixture of corners (where a bound is infinite: and of rays). So at most
rank K + the number of groups variables are free. What is left is worked out in whole numbers:
Fractions would take 20 times as long.
"""

from fractions import Fraction
from itertools import product
from math import inf, lcm
from typing import NamedTuple


class Program(NamedTuple):
    """(G)."""

    K: list
    t: list
    lower: list
    upper: list
    groups: list = []
    sums: list = []


class Optimum(NamedTuple):
    value: Fraction
    b: list  # one of the optimal ones, a corner of their set
    r: list  # t - K b, the same for every optimal b
    multipliers: list  # (m_g, M_g) of each group, the same for every optimal b


def is_feasible(program):
    """Whether some b fulfils the constraints."""
    bounds = list(zip(program.lower, program.upper))
    return all(low <= high for low, high in bounds) and all(
        sum(bounds[k][0] for k in g) <= s <= sum(bounds[k][1] for k in g)  # exact
        for g, s in zip(program.groups, program.sums)
    )


def optimum(program):
    """The Optimum, or None: no b fulfils the constraints, or the objective has no lower bound."""
    b = next(corners(program), None)
    if b is None:
        return None
    r = residuals(program, b)
    return Optimum(objective(program, b), b, r, multipliers(program, b, r))


def objective(program, b):
    return inner(b, times(program.K, b)) / 2 - inner(program.t, b)


def residuals(program, b):
    return [t - s for t, s in zip(program.t, times(program.K, b))]


def multipliers(program, b, r):
    """[m_g, M_g] of each group; m_g is -inf if none may rise, M_g is inf if none may fall."""
    return [
        (max((r[k] for k in g if b[k] < program.upper[k]), default=-inf),
         min((r[k] for k in g if b[k] > program.lower[k]), default=inf))
        for g in program.groups
    ]


def corners(program):
    """Every corner of the set of optimal b, once; nothing if there is no optimum."""
    whole, unit = in_whole_numbers(program)
    found = set()
    for free, inverse, q in free_sets(whole):
        for scaled in candidates(whole, free, inverse, q):
            b = tuple(Fraction(v, q * unit) for v in scaled)
            if b not in found and is_optimal(whole, scaled, q):
                found.add(b)
                yield list(b)


def in_whole_numbers(program):
    """(the Program with b in units of 1 / unit and K in units of its own, all whole; unit)"""
    def lcm_of(numbers):
        return lcm(*(Fraction(v).denominator for v in numbers if abs(v) != inf))

    k = lcm_of(v for row in program.K for v in row)
    unit = lcm_of([*program.t, *program.lower, *program.upper, *program.sums])
    whole = Program(
        [multiplied(k, row) for row in program.K], multiplied(k * unit, program.t),
        multiplied(unit, program.lower), multiplied(unit, program.upper),
        program.groups, multiplied(unit, program.sums),
    )
    return whole, unit


def multiplied(factor, numbers):
    """Whole numbers, or infinite ones: inf times a whole number beyond any double is an error."""
    return [v if abs(v) == inf else int(v * factor) for v in numbers]


def free_sets(program, free=()):
    """(free, inverse, q): each set of variables whose system has the inverse `inverse` / q."""
    touched = [g for g in program.groups if any(k in g for k in free)]
    system = [[program.K[i][j] for j in free] + [int(i in g) for g in touched] for i in free]
    system += [[int(j in g) for j in free] + [0] * len(touched) for g in touched]
    inverse = inverted(system)
    if inverse is None:
        return
    q = lcm(*(v.denominator for row in inverse for v in row))
    yield free, [[int(v * q) for v in row] for row in inverse], q
    for k in range(free[-1] + 1 if free else 0, len(program.t)):
        if program.lower[k] < program.upper[k]:
            yield from free_sets(program, (*free, k))


def candidates(program, free, inverse, q):
    """q times each b whose other variables are at bounds and whose free ones are within theirs."""
    K, t, lower, upper, groups, sums = program
    others = [k for k in range(len(t)) if k not in free]
    touched = [(g, s) for g, s in zip(groups, sums) if any(k in g for k in free)]
    untouched = [(g, s) for g, s in zip(groups, sums) if not any(k in g for k in free)]
    ends = [sorted({v for v in (lower[k], upper[k]) if abs(v) != inf}) for k in others]
    low, high = multiplied(q, lower), multiplied(q, upper)
    for pattern in product(*ends):
        b = [0] * len(t)
        for k, v in zip(others, pattern):
            b[k] = v
        if any(sum(b[k] for k in g) != s for g, s in untouched):  # exact
            continue
        right = [t[i] - whole_inner(K[i], b) for i in free]
        right += [s - sum(b[k] for k in g) for g, s in touched]  # exact
        scaled = [q * v for v in b]
        for k, row in zip(free, inverse):
            scaled[k] = whole_inner(row, right)
        if all(low[k] <= scaled[k] <= high[k] for k in free):
            yield scaled


def is_optimal(program, scaled, q):
    """Whether the whole numbers scaled / q, which fulfil the constraints, are optimal."""
    r = [q * t - whole_inner(row, scaled) for t, row in zip(program.t, program.K)]
    tied = {k for g in program.groups for k in g}
    stretched = program._replace(lower=multiplied(q, program.lower),
                                 upper=multiplied(q, program.upper))
    return all(m <= M for m, M in multipliers(stretched, scaled, r)) and all(
        (r_k <= 0 or b == high) and (r_k >= 0 or b == low)
        for k, (r_k, b, low, high) in enumerate(zip(r, scaled, stretched.lower, stretched.upper))
        if k not in tied
    )


def inverted(A):
    """The inverse of a square matrix, or None if A is singular; [] for no rows."""
    n = len(A)
    rows = [
        [Fraction(v) for v in row] + [Fraction(int(i == j)) for j in range(n)]
        for i, row in enumerate(A)
    ]
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k] != 0), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [v / rows[k][k] for v in rows[k]]
        for i in range(n):
            if i != k and rows[i][k] != 0:
                factor = rows[i][k]
                rows[i] = [v - factor * p if p else v for v, p in zip(rows[i], rows[k])]
    return [row[n:] for row in rows]


def solved(A, right):
    """The solution of a square system, or None if A is singular; [] for no unknowns."""
    inverse = inverted(A)
    return None if inverse is None else times(inverse, right)


def whole_inner(x, z):
    return sum(a * b for a, b in zip(x, z))  # exact


def inner(x, z):
    return exact_sum(a * b for a, b in zip(x, z) if a and b)


def times(K, b):
    return [inner(row, b) for row in K]


def exact_sum(numbers):
    return sum(numbers, Fraction(0))  # exact
