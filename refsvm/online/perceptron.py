"""The perceptron: whatever is decided wrongly is added, until nothing is.

    w = 0;  for each pick s:   if  y_s w.x_s <= 0:   w = w + y_s x_s

An example is decided wrongly, too, when it lies on the border, y_s w.x_s = 0. The notes print < 0
there; but every example lies on the border of w = 0, so that the algorithm as printed never moves
(perceptron_as_printed).

Adding y_s x_s raises the margin of s by |x_s|^2, and nothing else is known; yet it ends. If some u
separates the data through the origin, y_i u.x_i >= gamma > 0, then each mistake adds gamma or more
to w.u, and adds |x_s|^2 <= R^2 or less to |w|^2. The first grows as fast as the number of mistakes
M, |w| as fast as its root at most, so

    (M gamma)^2  <=  (w.u)^2  <=  |w|^2 |u|^2  <=  M R^2 |u|^2,     M <= R^2 |u|^2 / gamma^2

w is the sum of c_i y_i x_i, where c_i counts the mistakes on i. So kernel values suffice: the
score of x is the sum of c_i y_i K(x_i, x).

Throughout this module
    X, y     n rows and their labels +1 or -1       picks   which example next; see picks.py
    w        weights; there is no offset            c_i     counts: mistakes on example i
    R        the largest |x_i|                      u, gamma  a separator, its smallest margin

A border that does not pass through the origin needs an offset; a constant feature makes one
(with_constant).

Source: CDS New York University, "SVM" (2023), "The Perceptron Algorithm"; Novikoff, On convergence
proofs on perceptrons (1962), for the bound; CS229 notes, section 1.4, for the kernel.
"""

from typing import NamedTuple

from ..kernels.base import as_kernel
from ..kernels.row_cache import KernelRows
from ..kernels.standard import Linear
from ..numerics.linalg import add_scaled, dot, squared_norm
from ..numerics.validation import indices, labels, matrix, number_kind, positive, to_number, vector
from ..svm.model import Model, model_from_beta
from ..svm.problem import Problem
from .pegasos import weighted


class Perceptron(NamedTuple):
    """What perceptron returns.

    w          the weights at the end: the sum of c_i y_i x_i
    counts     c_i, the mistakes on each example
    mistakes   all of them together
    converged  whether, since the last mistake, every example was picked and decided rightly
    """

    w: list
    counts: list
    mistakes: int
    converged: bool

    def model(self):
        """The Model that decides by w, without offset."""
        return Model(b=type(self.w[0])(0), coef=[], vectors=[], kernel=Linear(), w=list(self.w))


def perceptron(X, y, picks):
    """Run the perceptron over the examples that `picks` names; a Perceptron.

    All picks are used, though after convergence none of them changes anything. ValueError for bad
    arguments or no picks. O(d) a pick.

    >>> from refsvm.numerics.picks import passes
    >>> perceptron([[1, 2], [2, -1]], [1, -1], passes(2, 3))
    Perceptron(w=[-1.0, 3.0], counts=[1, 1], mistakes=2, converged=True)
    """
    return run(X, y, picks, lambda margin: margin <= 0)


def perceptron_as_printed(X, y, picks):
    """The slide's algorithm, whose test is y_s w.x_s < 0: w stays 0 on all data (E-nyu-01).

    >>> perceptron_as_printed([[1, 2], [2, -1]], [1, -1], [0, 1, 0, 1]).w
    [0.0, 0.0]
    """
    return run(X, y, picks, lambda margin: margin < 0)


def run(X, y, picks, mistaken):
    """The perceptron, with its test of a margin as an argument."""
    kind = number_kind(X)
    X = matrix(X, "X", kind)
    y, picks = labels(y, len(X)), indices(picks, len(X))
    w, counts, right = [kind(0)] * len(X[0]), [0] * len(X), set()
    for s in picks:
        if mistaken(y[s] * dot(w, X[s])):
            w = moved(w, X[s], y[s])
            counts[s] += 1
            right = set()
        else:
            right.add(s)
    return Perceptron(w, counts, sum(counts), len(right) == len(X))  # exact


def step(w, x, y):
    """w + y x, a list of d numbers: the margin y w.x rises by |x|^2. O(d).

    >>> step([1, 1], [0, 2], -1)
    [1.0, -1.0]
    """
    kind = number_kind(w, x)
    return moved(vector(w, "w", kind), vector(x, "x", kind), to_number(kind, y, "y"))


def moved(w, x, y):
    return add_scaled(w, y, x)


class KernelPerceptronFields(NamedTuple):
    """The fields of a KernelPerceptron, in order."""

    counts: list
    mistakes: int
    converged: bool


class KernelPerceptron(KernelPerceptronFields):
    """What kernel_perceptron returns; the fields are those of a Perceptron, without w."""

    def model(self):
        """The Model that decides by the sum of c_i y_i K(x_i, x), without offset."""
        problem = self.problem
        beta = problem.beta(self.counts)
        return model_from_beta(problem.kernel, problem.X, beta, problem.kind(0))


def kernel_perceptron(kernel, X, y, picks, *, cache_mb=200):
    """Run the perceptron in the feature space of a kernel; a KernelPerceptron.

    The score of pick s is the sum of (c_i y_i) K(x_s, x_i) in the order of i, over the c_i that
    are not 0. cache_mb is room for kernel rows in megabytes; it changes no bit. ValueError or
    TypeError for bad arguments, no picks, or a kernel value that is not finite. O(n) a pick, and a
    kernel row, O(n d), if that is not in the cache.

    >>> from refsvm.kernels.standard import Polynomial
    >>> xor = [[1, 1], [1, -1], [-1, 1], [-1, -1]]
    >>> kernel_perceptron(Polynomial(2, coef0=1), xor, [1, -1, -1, 1], [0, 1, 2, 3, 0, 1, 2, 3])
    KernelPerceptron(counts=[1, 1, 1, 1], mistakes=4, converged=True)
    """
    positive(float, cache_mb, "cache_mb")
    problem = Problem(X, y, as_kernel(kernel), bias=False)
    picks, y = indices(picks, problem.n), problem.y
    rows, counts, right = KernelRows(problem, cache_mb), [0] * problem.n, set()
    for s in picks:
        if y[s] * weighted(counts, y, rows.row(s)) <= 0:
            counts[s] += 1
            right = set()
        else:
            right.add(s)
    found = KernelPerceptron(counts, sum(counts), len(right) == problem.n)  # exact
    found.problem = problem
    return found


def mistake_bound(X, y, u):
    """R^2 |u|^2 / gamma^2: no perceptron makes more mistakes, in whatever order. O(n d).

    u is any vector that separates the data through the origin, of any length; ValueError if it
    does not. The bound is exact on Fractions.

    >>> mistake_bound([[1, 2], [2, -1]], [1, -1], [-1, 3])
    2.0
    """
    kind = number_kind(X, u)
    X, u = matrix(X, "X", kind), vector(u, "u", kind)
    y = labels(y, len(X))
    return bound(squared_norm(u), [s * dot(u, x) for s, x in zip(y, X)], map(squared_norm, X))


def kernel_mistake_bound(kernel, X, y, alpha):
    """The same in feature space, for u = sum alpha_i y_i phi(x_i), alpha of any sign. O(n n d).

    >>> from refsvm.kernels.standard import Polynomial
    >>> xor = [[1, 1], [1, -1], [-1, 1], [-1, -1]]
    >>> kernel_mistake_bound(Polynomial(2, coef0=1), xor, [1, -1, -1, 1], [0.125] * 4)
    4.5
    """
    problem, _ = Problem(X, y, as_kernel(kernel), bias=False).in_common_type(alpha, 0)
    scores, norm = problem.scores_and_norm2(problem.beta(alpha))
    longest = problem.kernel.squared_norms(problem.rows, problem.kind)
    return bound(norm, [s * f for s, f in zip(problem.y, scores)], longest)


def bound(u_norm2, margins, norms2):
    """max |x_i|^2 |u|^2 / (the least margin)^2."""
    gamma = min(margins)
    if not gamma > 0:
        i = margins.index(gamma)
        raise ValueError(f"u gives example {i} the margin {gamma + 0}; a separator's are positive")
    return max(norms2) * u_norm2 / (gamma * gamma)


def with_constant(X, c=1):
    """The rows of X, each with the number c at its end: its weight, times c, is an offset. O(n d).

    >>> with_constant([[1, 2], [3, 4]], 5)
    [[1.0, 2.0, 5.0], [3.0, 4.0, 5.0]]
    """
    kind = number_kind(X, c)
    c = to_number(kind, c, "c")
    return [x + [c] for x in matrix(X, "X", kind)]
