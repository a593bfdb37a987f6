"""Training one against one: an SVM for each pair of classes, gathered into one model.

    p, q     the places of two classes, p < q; their SVM is trained with y = +1 for q
    rows     the indices of the examples of a pair, in the order given
    alpha    the multipliers of the pair's SVM, one for each of those rows: compress(rows, alpha)
             takes those whose alpha is not zero, the support vectors

A OneAgainstOne speaks for the earlier class, so everything is stored with its sign turned, which
is exact: a vector of class p gets the coefficient alpha, a vector of class q gets -alpha, and the
offset is -b.

Source: Chang and Lin, LIBSVM: A Library for Support Vector Machines, section 7.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from itertools import compress
from typing import TYPE_CHECKING, Any, NamedTuple

from ..kernels.standard import Precomputed
from ..numerics.cures import retold
from ..numerics.quoting import quote
from ..numerics.types import Label, Matrix, Number, Vector
from ..numerics.validation import tolerance
from ..svm.one_vs_one import OneAgainstOne, pairs
from .training_data import TrainingSet

if TYPE_CHECKING:
    from ..svm.model import Solution


Watch = Callable[[Any, Any], AbstractContextManager[Any]]  # of two labels; gives an on_step
ProblemOf = Callable[[TrainingSet, int, int], "tuple[list[int], Any]"]


class Pair(NamedTuple):
    """One trained pair of classes."""

    p: int
    q: int
    rows: list[int]
    y: list[int]
    solution: Solution


class PairTraining(NamedTuple):
    """How each pair is trained.

    Attributes
    ----------
    tol, max_iter, cache_mb
        what the solver is given
    problem_of : callable
        problem_of(data, p, q) returns the rows of a pair and their problem
    solve : callable
        the solver
    watch : callable
        watch(label, label) gives the on_step of a pair; the command line shows progress by it
    """

    tol: Number
    max_iter: int | None
    cache_mb: Number
    problem_of: ProblemOf
    solve: Callable[..., Any]
    watch: Watch


class PairData(NamedTuple):
    """The examples of a pair of classes, in the order given; rows are their indices."""

    rows: list[int]
    X: list[Any]
    y: list[int]
    C: Vector


def pair_data(data: TrainingSet, p: int, q: int) -> PairData:
    """Return the examples of the classes p and q; of a Gram matrix their columns, too."""
    rows, y, C = pair_rows(data, p, q)
    X = [data.rows[i] for i in rows]
    if isinstance(data.kernel, Precomputed):
        X = [[x[j] for j in rows] for x in X]
    return PairData(rows, X, y, C)


def pair_rows(data: TrainingSet, p: int, q: int) -> tuple[list[int], list[int], Vector]:
    """Return the indices of the examples of the classes p and q, their labels and penalties."""
    later = set(data.members[q])
    rows = sorted(data.members[p] + data.members[q])
    return rows, [1 if i in later else -1 for i in rows], [data.C[i] for i in rows]


def unwatched(first: object, second: object) -> AbstractContextManager[None]:
    """Return the context of a training that nothing watches: there is no on_step."""
    return nullcontext()


def train_pairs(data: TrainingSet, training: PairTraining) -> list[Pair]:
    """Train each pair of classes of a training set; return a Pair for each, in their order.

    Raises ValueError for a tol below zero, or where a pair has no answer, as with kernel values
    that are not finite.
    """
    training = training._replace(tol=tolerance(data.kind, training.tol))
    return [train_pair(data, training, p, q) for p, q in pairs(len(data.classes))]


def train_pair(data: TrainingSet, training: PairTraining, p: int, q: int) -> Pair:
    """Train one pair of classes; see train_pairs."""
    tol, max_iter, cache_mb, problem_of, solve, watch = training
    rows, problem = problem_of(data, p, q)
    problem.is_one_of_many = len(data.classes) > 2
    first, second = data.classes[p], data.classes[q]
    try:
        with watch(first, second) as on_step:
            solution = solve(problem, tol, max_iter, on_step=on_step, cache_mb=cache_mb)
    except ValueError as error:
        if len(rows) == len(data.rows):  # then "X[3]" is what the caller calls it, too
            raise
        raise retold(
            error,
            f"training the classes {quote(first)} and {quote(second)}, with examples counted"
            f" among their rows only: {error}",
        ) from error
    # The problem is forgotten: among k classes every row is in k - 1 of them.
    return Pair(p, q, rows, problem.y, solution.without_problem())


def _vectors_of(data: TrainingSet, support: list[int]) -> list[Any]:
    """Return what a model keeps of its support vectors: rows, or indices if precomputed."""
    rows = support if isinstance(data.kernel, Precomputed) else map(data.rows.__getitem__, support)
    return list(rows)


def gather(data: TrainingSet, trained: list[Pair]) -> tuple[list[int], OneAgainstOne]:
    """Return (support, model): the rows that are support vectors of some pair, and the model."""
    used: set[int] = set().union(*[compress(pair.rows, pair.solution.alpha) for pair in trained])
    support = [i for members in data.members for i in members if i in used]
    return support, OneAgainstOne(
        classes=data.classes,
        kernel=data.kernel,
        vectors=_vectors_of(data, support),
        counts=[len(used.intersection(members)) for members in data.members],
        coefs=_dual_coefficients(data, trained, support),
        offsets=[-pair.solution.b for pair in trained],
    )


def _dual_coefficients(data: TrainingSet, trained: list[Pair], support: list[int]) -> Matrix:
    """Return the k-1 lists of coefficients, an entry for each support vector."""
    place = {i: v for v, i in enumerate(support)}
    coefs: Matrix = [[data.kind(0)] * len(support) for _ in data.classes[1:]]
    for p, q, rows, signs, solution in trained:
        alpha = solution.alpha
        for i, y, a in compress(zip(rows, signs, alpha), alpha):
            coefs[p if y == 1 else q - 1][place[i]] = -a if y == 1 else a
    return coefs


def pair_names(classes: list[Label]) -> list[str]:
    """Return what each pair of classes is called in a sentence.

    >>> pair_names(["low", "high"])
    ["the classes 'low' and 'high'"]
    """
    k = len(classes)
    return [f"the classes {quote(classes[p])} and {quote(classes[q])}" for p, q in pairs(k)]
