"""Pegasos: one example at a time, for the mean hinge without offset.

    minimise   F(w) = (1/n) sum max(0, 1 - y_i w.x_i) + lam/2 |w|^2

Round t looks at one example s, shrinks w, and adds a share of x_s if its margin is below 1:

    w_{t+1} = (1 - 1/t) w_t + [y_s w_t.x_s < 1] y_s / (lam t) x_s            w_1 = 0

textbook_pegasos.py has exactly this loop. Which examples, and how many, is an argument: `picks`,
an iterable of indices (picks.passes for rounds in order, picks.uniform for independent draws,
which is what the guarantee is about). t counts all of them. There is no projection and no offset;
a constant feature can stand in for one, but its weight is penalised like the others.

The functions here take the same steps with less work and fewer roundings. In round 1 the factor
1 - 1/t is 0, so nothing of w_1 remains, and in later rounds the factors telescope: every push
y_s x_s has the same weight in the end,

    w_{t+1} = v / (lam t)            v = the sum of y_s x_s over the rounds with a margin below 1

So v is kept, not w. It changes only in such a round, and only where x_s is not zero, and no
number is rounded in order to shrink. The push of round s is in w_{s+1}, ..., w_T, and in their
sum with the weight (H_{T-1} - H_{s-1}) / lam: two sums of pushes make the average, too.
With a kernel it is enough to count, for each example, the rounds in which it was pushed:

    g_{t+1}(x) = 1/(lam t) sum c_i y_i K(x_i, x)

Throughout this module
    X, y     n rows and their labels +1 or -1       lam     weight of |w|^2 / 2, positive
    t, T     round, number of rounds                c_i     counts: rounds in which i was pushed
    W        [w_1, ..., w_{T+1}]                    H_t     1 + 1/2 + ... + 1/t
    v        the sum of the pushes y_s x_s          late    the same, each H_{s-1} times

Source: Shalev-Shwartz, Singer, Srebro, Cotter, Pegasos, Mathematical Programming 127 (2011),
without its projection; CDS New York University, "SVM" (2023), "Subgradient descent for SVM";
Nicolo Cesa-Bianchi, "Support Vector Machines" (2023), pages on Pegasos.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from ..kernels.base import as_kernel
from ..kernels.gram_matrices import KernelRows
from ..kernels.standard import Linear
from ..numerics.display import displayed
from ..numerics.pickles import with_format
from ..numerics.quoting import quote
from ..numerics.sparse_rows import copied, inner, narrowed, widened
from ..numerics.types import KernelLike, Kind, Matrix, Number, Picks, Rows, Vector, VectorLike
from ..numerics.validation import indices, labels, matrix, number_kind, positive, room, yes_or_no
from ..svm.conventions import from_mean_hinge_halved
from ..svm.model import Model, model_from_beta
from ..svm.problem import Problem
from ..svm.problem_rows import training_rows
from .perceptron import score_from_counts


@displayed
class Pegasos(NamedTuple):
    """The iterates of Pegasos.

    Attributes
    ----------
    w : d numbers
        the last iterate, w_{T+1}
    average : d numbers
        (w_1 + ... + w_T) / T, which the guarantee is for; with w_1 = 0, without w_{T+1}
    W : list of d numbers each
        [w_1, ..., w_{T+1}]; without history w_{T+1} alone
    """

    w: Vector
    average: Vector
    W: Matrix

    def model(self, average: bool = True) -> Model:
        """Return the Model that decides by the average, or else by the last iterate."""
        w = copied(self.average if yes_or_no(average, "average") else self.w)
        return Model(b=type(w[0])(0), coef=[], vectors=[], kernel=Linear(), w=w)


def pegasos(X: Rows, y: VectorLike, lam: Number, picks: Picks, *, history: bool = True) -> Pegasos:
    """Run Pegasos over the examples that `picks` names (S29.4).

    Parameters
    ----------
    X, y : n rows of d numbers, n labels +1 or -1
    lam : positive number
        weighs lam/2 |w|^2 against the mean hinge
    picks : indices from 0 to n - 1, at least one
        all are read before the first round, so they must end
    history : bool
        whether W holds all iterates, O(T d) memory, or [w_{T+1}] alone

    Returns
    -------
    Pegasos
        (w, average, W)

    Raises
    ------
    ValueError
        if there are no picks, or an argument is out of range

    Notes
    -----
    The arithmetic, each operation rounded: in round t the margin is y_s g, and g is the sum of
    v_k x_k divided by lam (t - 1), or 0 at first. If it is below 1 y_s x_k is added to v_k, and
    to late_k H_{t-1} times that. The average is ((0 - late_k) + v_k H_{T-1}) / (lam T).
    O(d) a round.

    Examples
    --------
    >>> pegasos([[1], [-1]], [1, -1], 1, [0, 1, 0, 1]).W
    [[0.0], [1.0], [0.5], [0.6666666666666666], [0.75]]
    """
    kind = number_kind(X, lam)
    kept, X = narrowed(matrix(X, "X", kind))
    y = labels(y, len(X))
    lam = convert_lam(kind, lam, len(X))
    picks, history = indices(picks, len(X)), yes_or_no(history, "history")
    v = late = [kind(0)] * len(X[0])
    W, before = [widened(kept, v)], kind(0)  # before: H_{t-1}
    for t, s in enumerate(picks, 1):
        g = 0
        if t > 1:
            before += kind(1) / (t - 1)
            g = inner(v, X[s]) / (lam * (t - 1))
        if y[s] * g < 1:
            push = [y[s] * x for x in X[s]]
            v = [a + p for a, p in zip(v, push)]
            late = [a + before * p for a, p in zip(late, push)]
        if history or t == len(picks):
            W.append(widened(kept, [a / (lam * t) for a in v]))
    # (0 - b first: a zero in the average has no sign.)
    average: Vector = [(0 - b + a * before) / (lam * len(picks)) for a, b in zip(v, late)]
    return Pegasos(W[-1], widened(kept, average), W if history else W[-1:])


class KernelPegasosFields(NamedTuple):
    """The fields of a KernelPegasos, in order."""

    counts: list[int]
    average: Vector
    steps: int
    lam: Number


@with_format
@displayed
class KernelPegasos(KernelPegasosFields):
    """The functions that kernel Pegasos visits.

    Attributes
    ----------
    counts : n ints
        c_i: the last iterate is g_{T+1}(x) = 1/(lam T) sum c_i y_i K(x_i, x)
    average : n numbers
        a_i: (g_1 + ... + g_T) / T is 1/(lam T) sum a_i y_i K(x_i, x)
    steps : int
        T, the number of picks
    lam : number
        as given, converted
    """

    problem: Problem

    def alpha(self, average: bool = True) -> Vector:
        """Return the factors of y_i K(x_i, x): a_i / (lam T), or else c_i / (lam T)."""
        amounts = self.average if yes_or_no(average, "average") else self.counts
        return [c / (self.lam * self.steps) for c in amounts]

    def model(self, average: bool = True) -> Model:
        """Return the Model that decides by the average, or else by the last iterate."""
        problem = self.problem
        beta = problem.beta(self.alpha(average))
        return model_from_beta(problem.kernel, problem.X, beta, problem.kind(0))

    def bracket(self, average: bool = True) -> tuple[Number, Number]:
        """Return (low, high) around the least value of F; high is F at this iterate (S29.8).

        `low` is a value of the dual, at the multipliers cut off at 1 / (lam n): none between 0
        and that makes the dual larger than the optimum. O(n n d); rounded on floats.
        """
        problem, alpha = self.problem, self.alpha(average)
        feasible = [min(a, c) for a, c in zip(alpha, problem.C)]
        return self.lam * problem.dual(feasible), self.lam * problem.primal(alpha, 0)


def kernel_pegasos(
    kernel: KernelLike,
    X: Rows,
    y: VectorLike,
    lam: Number,
    picks: Picks,
    *,
    cache_mb: float = 200,
) -> KernelPegasos:
    """Run Pegasos in the feature space of a kernel (S29.7).

    Parameters
    ----------
    X, y, lam, picks : as for `pegasos`; rows may be strings for a string kernel
    cache_mb : megabytes for kernel rows; changes no bit

    Returns
    -------
    KernelPegasos
        (counts, average, steps, lam)

    Raises
    ------
    ValueError, TypeError
        for a bad argument, no picks, or a kernel value that is not finite

    Notes
    -----
    In round t example s is pushed if y_s g_t(x_s) < 1; g_t(x_s) is the sum of
    (c_i y_i) K(x_s, x_i) in the order of i over the c_i that are not 0, divided by lam (t - 1),
    and 0 at first. A push of round t is in g_{t+1}, ..., g_T, hence in the average with
    H_{T-1} - H_{t-1}: a_i = c_i H_{T-1} - the sum of the H_{t-1}, added round by round.
    O(n) a round, and a kernel row, O(n d), if that is not in the cache.

    Examples
    --------
    >>> run = kernel_pegasos(Linear(), [[1], [-1]], [1, -1], 1, [0, 1, 0, 1])
    >>> run.counts, run.model(average=False).w
    ([2, 1], [0.75])
    """
    room(cache_mb)
    problem, lam = equivalent_problem(kernel, X, y, lam)
    picks = indices(picks, problem.n)
    rows, y = KernelRows(problem, cache_mb), problem.y
    counts, late = [0] * problem.n, [problem.kind(0)] * problem.n
    before = problem.kind(0)  # H_{t-1}
    for t, s in enumerate(picks, 1):
        g = 0
        if t > 1:
            before += problem.kind(1) / (t - 1)
            g = score_from_counts(counts, y, rows.row(s)) / (lam * (t - 1))
        if y[s] * g < 1:
            counts[s] += 1
            late[s] += before
    average: Vector = [c * before - v for c, v in zip(counts, late)]
    run = KernelPegasos(counts, average, len(picks), lam)
    run.problem = problem
    return run


def equivalent_problem(
    kernel: KernelLike, X: Rows, y: VectorLike, lam: Number
) -> tuple[Problem, Number]:
    """Return the Problem whose primal is F / lam, and lam, in numbers of one kind (S29.1).

    >>> equivalent_problem(Linear(), [[1], [-1]], [1, -1], 0.25)[0].C
    [2.0, 2.0]
    """
    kernel = as_kernel(kernel)
    kind = number_kind(X, lam, kernel.parameters())
    X = training_rows(X, kernel.to(kind), kind)
    lam = convert_lam(kind, lam, len(X))
    return Problem(X, y, kernel, from_mean_hinge_halved(lam, len(X)).C, bias=False), lam


def convert_lam(kind: Kind, lam: Number, n: int) -> Number:
    """Return lam as a number of this kind; refuse it unless 1 / lam and lam n are finite, too."""
    lam = positive(kind, lam, "lam")
    if 1 / lam == inf or lam * n == inf:
        raise ValueError(
            f"lam is {quote(lam)}; 1 / lam and {n} lam must be numbers a double holds"
        )
    return lam
