"""Constrained programs for hypothesis to draw, in Fractions."""

from fractions import Fraction as Q
from itertools import product

from hypothesis import strategies as st

from refsvm.theory.constrained import Differentiable, Program
from refsvm.theory.qp_duality import quadratic_program

few = st.sampled_from([Q(v) for v in range(-3, 4)] + [Q(1, 2), Q(-1, 3), Q(5, 2)])
positives = st.sampled_from([Q(0), Q(0), Q(1, 3), Q(1), Q(5, 2)])  # zero often: not every one is
steps = st.sampled_from([Q(1), Q(1, 2), Q(3)])


def vectors(d, numbers=few):
    return st.lists(numbers, min_size=d, max_size=d)


def matrices(rows, columns):
    return st.lists(vectors(columns), min_size=rows, max_size=rows)


def inner(x, z):
    return sum((a * b for a, b in zip(x, z)), Q(0))  # exact


def times(A, x):
    return [inner(row, x) for row in A]


def mixed(t, x, z):
    """t x + (1 - t) z, for points of one number or several."""
    return [t * a + (1 - t) * b for a, b in zip(x, z)]


@st.composite
def semidefinite(draw, d):
    """M'M, so often singular."""
    M = draw(matrices(draw(st.integers(1, d)), d))
    return [[sum((row[i] * row[j] for row in M), Q(0)) for j in range(d)]  # exact
            for i in range(d)]


@st.composite
def symmetric(draw, d):
    M = draw(matrices(d, d))
    return [[M[max(i, j)][min(i, j)] for j in range(d)] for i in range(d)]


@st.composite
def quadratics(draw, hessian=semidefinite, most=3):
    """A quadratic program, feasible or not, bounded or not."""
    d, m, k = draw(st.integers(1, 2)), draw(st.integers(0, most)), draw(st.integers(0, 1))
    return quadratic_program(
        draw(hessian(d)), draw(vectors(d)), draw(matrices(m, d)), draw(vectors(m)),
        draw(matrices(k, d)), draw(vectors(k)),
    )


@st.composite
def solved(draw, most=3):
    """A convex program built round its solution: (program, x, alpha, beta)."""
    d, m, k = draw(st.integers(1, 2)), draw(st.integers(0, most)), draw(st.integers(0, 1))
    P, G, A = draw(semidefinite(d)), draw(matrices(m, d)), draw(matrices(k, d))
    x, alpha, beta = draw(vectors(d)), draw(vectors(m, positives)), draw(vectors(k))
    room = [Q(0) if a else s for a, s in zip(alpha, draw(vectors(m, positives)))]
    pull = [[a * v for v in row] for a, row in zip(alpha + beta, G + A)]
    q = [-s - sum((row[j] for row in pull), Q(0)) for j, s in enumerate(times(P, x))]  # exact
    h = [s + r for s, r in zip(times(G, x), room)]
    return quadratic_program(P, q, G, h, A, times(A, x)), x, alpha, beta


def grid(d, reach=3):
    return [list(map(Q, x)) for x in product(range(-reach, reach + 1), repeat=d)]


def table(numbers):
    """A function that is only known at 0, 1, 2, ...: any numbers at all, and no gradient."""
    return Differentiable(lambda x: numbers[int(x[0])], None)


@st.composite
def finite(draw, equalities=1):
    """(program, points): arbitrary values of f, g and h at the points 0, 1, 2, ..."""
    n = draw(st.integers(1, 4))
    m, k = draw(st.integers(0, 2)), draw(st.integers(0, equalities))
    columns = [table(draw(vectors(n))) for _ in range(1 + m + k)]
    return Program(columns[0], columns[1 : 1 + m], columns[1 + m :]), [[i] for i in range(n)]


@st.composite
def dual_points(draw, program, numbers=positives):
    """alpha >= 0 and any beta for a program of functions."""
    m, k = len(program.inequalities), len(program.equalities)
    return draw(vectors(m, numbers)), draw(vectors(k))
