"""Exact optima to state facts about: solved on Fractions, down to a gap of 0."""

from fractions import Fraction as Q
from math import inf

from exact import inner, linear_gram
from hypothesis import strategies as st
from problems import KERNELS, Given, coordinates, givens, kernel_and_gram, labellings

from refsvm.solvers.smo import smo


def hinges(most=6, **kinds):
    """Problems with hinge slack and finite penalties."""
    return givens(most=most, slacks=("hinge",), **kinds)


def solved(problem):
    """An exact Solution of a problem that has one."""
    solution = smo(problem, tol=0)
    assert solution.status == "optimal" and solution.gap == 0
    return solution


@st.composite
def separable(draw, most=6, biases=(True,), kernels=KERNELS):
    """Hard margins that exist: every row is put on its side of a plane. Precomputed is linear."""
    n, d = draw(st.integers(2, most)), draw(st.integers(1, 2))
    row = st.lists(coordinates, min_size=d, max_size=d)
    w, X = draw(row.filter(any)), draw(st.lists(row, min_size=n, max_size=n))
    y = draw(labellings(n))
    bias = draw(st.sampled_from(biases))
    t = draw(coordinates) if bias else Q(0)
    X = [on_its_side(x, label, w, t) for x, label in zip(X, y)]
    spec = draw(st.sampled_from(kernels))
    if spec == ("precomputed",):
        X = linear_gram(X)
    kernel, K = kernel_and_gram(spec, X)
    return Given(X, y, kernel, [inf] * n, bias, "hinge", K)


def on_its_side(x, label, w, t):
    """x, or its mirror image in the plane w.x = t, or one step off the plane."""
    s = inner(w, x) - t
    step = Q(label) if s == 0 else 0 if s * label > 0 else -2 * s / inner(w, w)
    return [v + step * c for v, c in zip(x, w)]


def squared_length(problem, alpha):
    """|w|^2, in feature space."""
    beta = problem.beta(alpha)
    return problem.scores_and_norm2(beta)[1]


def total(values):
    return sum(values, Q(0))  # exact


def with_penalty(g, C):
    """(problem, solution) of a Given under one penalty for all examples."""
    problem = g.problem(C=[C] * len(g.y))
    return problem, solved(problem)
