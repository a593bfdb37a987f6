"""Training one against one: an SVM for each pair of classes, gathered into one classifier.

    p, q     the places of two classes, p < q; their SVM is trained with y = +1 for q
    rows     the indices of the examples of a pair, in the order given
    alpha    the multipliers of the pair's SVM, one for each of those rows

A OneAgainstOne speaks for the earlier class, so everything is stored with its sign turned, which
is exact: a vector of class p gets the coefficient alpha, a vector of class q gets -alpha, and the
offset is -b.

Source: Chang and Lin, LIBSVM: A Library for Support Vector Machines, section 7.
"""

from typing import Any, NamedTuple

from .kernels import Precomputed
from .problem import Problem
from .solvers.smo import smo
from .voting import OneAgainstOne, pairs


class Pair(NamedTuple):
    """One trained pair of classes."""

    p: int
    q: int
    rows: list
    problem: Any
    solution: Any


def pair_problem(data, p, q):
    """The rows of the classes p and q in the order given, and their Problem."""
    later = set(data.members[q])
    rows = sorted(data.members[p] + data.members[q])
    X = [data.rows[i] for i in rows]
    if isinstance(data.kernel, Precomputed):
        X = [[x[j] for j in rows] for x in X]
    y = [1 if i in later else -1 for i in rows]
    return rows, Problem(X, y, data.kernel, [data.C[i] for i in rows])


def train_pairs(data, tol, max_iter, cache_mb, problem_of=pair_problem, solve=smo):
    """A Pair for each pair of classes of a training set (see training_sets.py), in their order.

    problem_of and solve: what makes the problem of a pair, and solves it.
    """
    trained = []
    for p, q in pairs(len(data.classes)):
        rows, problem = problem_of(data, p, q)
        solution = solve(problem, tol, max_iter, cache_mb=cache_mb)
        trained.append(Pair(p, q, rows, problem, solution))
    return trained


def gathered(data, trained):
    """(support, model): the rows that are support vectors of some pair, and the OneAgainstOne."""
    used = {i for pair in trained for i, a in zip(pair.rows, pair.solution.alpha) if a != 0}
    support = [i for members in data.members for i in members if i in used]
    precomputed = isinstance(data.kernel, Precomputed)
    return support, OneAgainstOne(
        classes=data.classes,
        kernel=data.kernel,
        vectors=list(support) if precomputed else [data.rows[i] for i in support],
        counts=[len(used.intersection(members)) for members in data.members],
        coefs=coefficients(data, trained, support),
        offsets=[-pair.solution.b for pair in trained],
    )


def coefficients(data, trained, support):
    """The k-1 lists of coefficients, an entry for each support vector."""
    place = {i: v for v, i in enumerate(support)}
    coefs = [[data.kind(0)] * len(support) for _ in data.classes[1:]]
    for p, q, rows, problem, solution in trained:
        for i, y, a in zip(rows, problem.y, solution.alpha):
            if a != 0:
                coefs[p if y == 1 else q - 1][place[i]] = -a if y == 1 else a
    return coefs
