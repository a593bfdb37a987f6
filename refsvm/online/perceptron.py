"""The perceptron: add every example that is decided wrongly, until there is none.

    w = 0;  for each pick s:   if  y_s w.x_s <= 0:   w = w + y_s x_s

An example on the decision boundary, y_s w.x_s = 0, counts as decided wrongly. The notes print < 0
there; but w = 0 puts every example on the boundary, so the algorithm as printed never takes a step
(perceptron_as_printed).

Adding y_s x_s raises the margin of s by |x_s|^2 and may lower the margins of other examples; yet
the mistakes end. If some u separates the data through the origin, y_i u.x_i >= gamma > 0, then
each mistake adds gamma or more to w.u, and at most |x_s|^2 <= R^2 to |w|^2. So w.u grows as fast
as the number of mistakes M, and |w| at most as fast as its square root:

    (M gamma)^2  <=  (w.u)^2  <=  |w|^2 |u|^2  <=  M R^2 |u|^2,     M <= R^2 |u|^2 / gamma^2

w is the sum of c_i y_i x_i, where c_i counts the mistakes on i. So kernel values suffice: the
score of x is the sum of c_i y_i K(x_i, x).

Throughout this module
    X, y     n rows and their labels +1 or -1       picks   which example next; see picks.py
    w        weights; there is no offset            c_i     counts: mistakes on example i
    R        the largest |x_i|                      u, gamma  a separator, its smallest margin

A decision boundary that does not pass through the origin needs an offset; a constant feature
makes one (with_constant).

Source: CDS New York University, "SVM" (2023), "The Perceptron Algorithm"; Novikoff, On convergence
proofs on perceptrons (1962), for the bound; CS229 notes, section 1.4, for the kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from ..kernels.base import as_kernel
from ..kernels.gram_matrices import KernelRows
from ..kernels.standard import Linear
from ..numerics.display import displayed
from ..numerics.linalg import add_scaled, dot, squared_norm
from ..numerics.pickles import with_format
from ..numerics.quoting import quote
from ..numerics.sparse_rows import copied, inner, narrowed, widened
from ..numerics.types import KernelLike, Matrix, Number, Picks, Rows, Vector, VectorLike
from ..numerics.validation import indices, labels, matrix, number_kind, room, to_number, vector
from ..svm.model import Model, model_from_beta
from ..svm.problem import Problem


@displayed
class Perceptron(NamedTuple):
    """The weights of a perceptron and the mistakes that made them.

    Attributes
    ----------
    w : d numbers
        the sum of c_i y_i x_i
    counts : n ints
        c_i, the mistakes on each example
    mistakes : int
        all of them together
    converged : bool
        whether, since the last mistake, every example was picked and decided rightly
    """

    w: Vector
    counts: list[int]
    mistakes: int
    converged: bool

    def model(self) -> Model:
        """Return the Model that decides by w, without offset."""
        return Model(b=type(self.w[0])(0), coef=[], vectors=[], kernel=Linear(), w=copied(self.w))


def perceptron(X: Rows, y: VectorLike, picks: Picks) -> Perceptron:
    """Run the perceptron over the examples that `picks` names (S23).

    Parameters
    ----------
    X, y : n rows of d numbers, n labels +1 or -1
    picks : indices from 0 to n - 1, at least one
        all are used, though after convergence none of them changes anything

    Returns
    -------
    Perceptron
        (w, counts, mistakes, converged)

    Raises
    ------
    ValueError
        if there are no picks, or an argument is out of range

    Notes
    -----
    O(d) a pick.

    Examples
    --------
    >>> from refsvm.numerics.picks import passes
    >>> perceptron([[1, 2], [2, -1]], [1, -1], passes(2, 3))
    Perceptron(w=[-1.0, 3.0], counts=[1, 1], mistakes=2, converged=True)
    """
    return _run_perceptron(X, y, picks, lambda margin: margin <= 0)


def perceptron_as_printed(X: Rows, y: VectorLike, picks: Picks) -> Perceptron:
    """Run the slide's algorithm, whose test is y_s w.x_s < 0: w stays 0 on all data (E-nyu-01).

    >>> perceptron_as_printed([[1, 2], [2, -1]], [1, -1], [0, 1, 0, 1]).w
    [0.0, 0.0]
    """
    return _run_perceptron(X, y, picks, lambda margin: margin < 0)


def _run_perceptron(
    X: Rows, y: VectorLike, picks: Picks, is_mistake: Callable[[Number], bool]
) -> Perceptron:
    """Run the perceptron; is_mistake(margin) says which margins call for a step."""
    kind = number_kind(X)
    kept, X = narrowed(matrix(X, "X", kind))
    y, picks = labels(y, len(X)), indices(picks, len(X))
    w, counts = [kind(0)] * len(X[0]), [0] * len(X)
    right: set[int] = set()  # decided rightly since the last mistake
    for s in picks:
        if is_mistake(y[s] * inner(w, X[s])):
            w = add_scaled(w, y[s], X[s])
            counts[s] += 1
            right = set()
        else:
            right.add(s)
    done = len(right) == len(X)
    return Perceptron(widened(kept, w), counts, sum(counts), done)  # exact


def step(w: VectorLike, x: VectorLike, y: Number) -> Vector:
    """Return w + y x, d numbers: the margin y w.x rises by |x|^2. O(d).

    >>> step([1, 1], [0, 2], -1)
    [1.0, -1.0]
    """
    kind = number_kind(w, x, y)
    return add_scaled(vector(w, "w", kind), to_number(kind, y, "y"), vector(x, "x", kind))


class KernelPerceptronFields(NamedTuple):
    """The fields of a KernelPerceptron, in order."""

    counts: list[int]
    mistakes: int
    converged: bool


@with_format
@displayed
class KernelPerceptron(KernelPerceptronFields):
    """The mistakes of a kernel perceptron: the fields of a Perceptron, without w."""

    problem: Problem

    def model(self) -> Model:
        """Return the Model that decides by the sum of c_i y_i K(x_i, x), without offset."""
        problem = self.problem
        beta = problem.beta(self.counts)
        return model_from_beta(problem.kernel, problem.X, beta, problem.kind(0))


def kernel_perceptron(
    kernel: KernelLike, X: Rows, y: VectorLike, picks: Picks, *, cache_mb: float = 200
) -> KernelPerceptron:
    """Run the perceptron in the feature space of a kernel (S23).

    Parameters
    ----------
    X, y, picks : as for `perceptron`; rows may be strings for a string kernel
    cache_mb : megabytes for kernel rows; changes no bit

    Returns
    -------
    KernelPerceptron
        (counts, mistakes, converged)

    Raises
    ------
    ValueError, TypeError
        for a bad argument, no picks, or a kernel value that is not finite

    Notes
    -----
    The score of pick s is the sum of (c_i y_i) K(x_s, x_i) in the order of i, over the c_i that
    are not 0. O(n) a pick, and a kernel row, O(n d), if that is not in the cache.

    Examples
    --------
    >>> from refsvm.kernels.standard import Polynomial
    >>> xor = [[1, 1], [1, -1], [-1, 1], [-1, -1]]
    >>> kernel_perceptron(Polynomial(2, coef0=1), xor, [1, -1, -1, 1], [0, 1, 2, 3, 0, 1, 2, 3])
    KernelPerceptron(counts=[1, 1, 1, 1], mistakes=4, converged=True)
    """
    room(cache_mb)
    problem = Problem(X, y, as_kernel(kernel), bias=False)
    picks, y = indices(picks, problem.n), problem.y
    rows, counts = KernelRows(problem, cache_mb), [0] * problem.n
    right: set[int] = set()  # decided rightly since the last mistake
    for s in picks:
        if y[s] * score_from_counts(counts, y, rows.row(s)) <= 0:
            counts[s] += 1
            right = set()
        else:
            right.add(s)
    run = KernelPerceptron(counts, sum(counts), len(right) == problem.n)  # exact
    run.problem = problem
    return run


def score_from_counts(counts: list[int], y: list[int], row: Vector) -> Number:
    """Return the sum of (c_i y_i) K_i in index order, over the c_i that are not 0."""
    score = 0
    for c, label, k in zip(counts, y, row):
        if c:
            score += c * label * k
    return score


def mistake_bound(X: Rows, y: VectorLike, u: VectorLike) -> Number:
    """Return R^2 |u|^2 / gamma^2: no perceptron makes more mistakes, in any order. O(n d).

    u is any vector that separates the data through the origin, of any length; ValueError if it
    does not. The bound is exact on Fractions.

    >>> mistake_bound([[1, 2], [2, -1]], [1, -1], [-1, 3])
    2.0
    """
    kind = number_kind(X, u)
    X, u = matrix(X, "X", kind), vector(u, "u", kind)
    y = labels(y, len(X))
    margins = [s * dot(u, x) for s, x in zip(y, X)]
    return _novikoff_bound(squared_norm(u), margins, map(squared_norm, X))


def kernel_mistake_bound(kernel: KernelLike, X: Rows, y: VectorLike, alpha: VectorLike) -> Number:
    """Return the bound in feature space for u = sum alpha_i y_i phi(x_i). O(n n d).

    The alpha_i may have any sign.

    >>> from refsvm.kernels.standard import Polynomial
    >>> xor = [[1, 1], [1, -1], [-1, 1], [-1, -1]]
    >>> kernel_mistake_bound(Polynomial(2, coef0=1), xor, [1, -1, -1, 1], [0.125] * 4)
    4.5
    """
    problem, _ = Problem(X, y, as_kernel(kernel), bias=False).in_common_type(alpha, 0)
    scores, norm2 = problem.scores_and_norm2(problem.beta(alpha))
    norms2 = problem.kernel.squared_norms(problem.rows, problem.kind)
    return _novikoff_bound(norm2, [s * f for s, f in zip(problem.y, scores)], norms2)


def _novikoff_bound(u_norm2: Number, margins: VectorLike, norms2: Iterable[Number]) -> Number:
    """Return max |x_i|^2 |u|^2 / (the least margin)^2."""
    gamma = min(margins)
    if not gamma > 0:
        i = margins.index(gamma)
        raise ValueError(
            f"u gives example {i} the margin {quote(gamma + 0)}; a separator's are positive"
        )
    return max(norms2) * u_norm2 / (gamma * gamma)


def with_constant(X: Rows, c: Number = 1) -> Matrix:
    """Append the number c to each row of X: its weight, times c, is an offset. O(n d).

    >>> with_constant([[1, 2], [3, 4]], 5)
    [[1.0, 2.0, 5.0], [3.0, 4.0, 5.0]]
    """
    kind = number_kind(X, c)
    c = to_number(kind, c, "c")
    return [x + [c] for x in matrix(X, "X", kind)]
