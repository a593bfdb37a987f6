"""Pegasos: one example at a time, for the mean hinge without offset.

    minimise   F(w) = (1/n) sum max(0, 1 - y_i w.x_i) + lam/2 |w|^2

Round t looks at one example s, shrinks w, and adds a share of the example if it is not decided
with a margin of 1:

    w_{t+1} = (1 - 1/t) w_t + [y_s w_t.x_s < 1] y_s / (lam t) x_s            w_1 = 0

Which examples, and how many, is an argument: `picks`, an iterable of indices (picks.passes for
rounds in order, picks.uniform for independent draws, which is what the guarantee is about). t
counts all of them. There is no projection and no offset; a constant feature makes do for one,
but it is priced like the others.

Since 1 - 1/1 = 0 nothing of w_1 survives, and all later pushes end up with the same weight:

    w_{t+1} = v / (lam t)            v = the sum of y_s x_s over the rounds that pushed

So it is v that is kept. It changes in no other round, and only where x_s is not zero; and nothing
is rounded in order to shrink. The push of round s is in w_{s+1}, ..., w_T, and in their sum with
the weight (H_{T-1} - H_{s-1}) / lam: two sums of pushes make the average, too.
With a kernel it is enough to count, for each example, the rounds in which it pushed:

    g_{t+1}(x) = 1/(lam t) sum c_i y_i K(x_i, x)

Throughout this module
    X, y     n rows and their labels +1 or -1       lam     price of |w|^2 / 2, positive
    t, T     round, number of rounds                c_i     counts: rounds in which i pushed
    W        [w_1, ..., w_{T+1}]                    H_t     1 + 1/2 + ... + 1/t
    v        the sum of the pushes y_s x_s          late    the same, each H_{s-1} times

Source: Shalev-Shwartz, Singer, Srebro, Cotter, Pegasos, Mathematical Programming 127 (2011),
without its projection; CDS New York University, "SVM" (2023), "Subgradient descent for SVM";
Nicolo Cesa-Bianchi, "Support Vector Machines" (2023), pages on Pegasos.
"""

from math import inf
from typing import Any, NamedTuple

from ..kernels.base import as_kernel
from ..kernels.row_cache import KernelRows
from ..kernels.standard import Linear
from ..numerics.linalg import dot
from ..numerics.validation import indices, labels, matrix, number_kind, positive, yes_or_no
from ..svm.conventions import from_mean_hinge_halved
from ..svm.model import Model, model_from_beta
from ..svm.problem import Problem, training_rows


class Pegasos(NamedTuple):
    """What pegasos returns.

    w        the last iterate, w_{T+1}
    average  (w_1 + ... + w_T) / T: the guarantee is for it; with w_1 = 0, without w_{T+1}
    W        all of them: [w_1, ..., w_{T+1}]; without history the last one alone
    """

    w: list
    average: list
    W: list

    def model(self, average=True):
        """The Model that decides by the average, or else by the last iterate."""
        w = list(self.average if yes_or_no(average, "average") else self.w)
        return Model(b=type(w[0])(0), coef=[], vectors=[], kernel=Linear(), w=w)


def pegasos(X, y, lam, picks, *, history=True):
    """Run Pegasos over the examples that `picks` names; a Pegasos(w, average, W).

    The arithmetic, each operation rounded: in round t the margin is y_s g, and g is the sum of
    v_k x_k divided by lam (t - 1), or 0 at first. If it is below 1 y_s x_k is added to v_k, and to
    late_k H_{t-1} times that. The average is ((0 - late_k) + v_k H_{T-1}) / (lam T).

    history  whether W is to hold all iterates, O(T d) memory, or [w_{T+1}] alone

    All picks are read first, so they must end. ValueError for bad arguments or no picks at all. A
    round costs O(d).

    >>> pegasos([[1], [-1]], [1, -1], 1, [0, 1, 0, 1]).W
    [[0.0], [1.0], [0.5], [0.6666666666666666], [0.75]]
    """
    kind = number_kind(X, lam)
    X = matrix(X, "X", kind)
    y = labels(y, len(X))
    lam = price(kind, lam, len(X))
    picks, history = indices(picks, len(X)), yes_or_no(history, "history")
    v = late = [kind(0)] * len(X[0])
    W, before = [v], kind(0)  # before: H_{t-1}
    for t, s in enumerate(picks, 1):
        g = 0
        if t > 1:
            before += kind(1) / (t - 1)
            g = dot(v, X[s]) / (lam * (t - 1))
        if y[s] * g < 1:
            push = [y[s] * x for x in X[s]]
            v = [a + p for a, p in zip(v, push)]
            late = [a + before * p for a, p in zip(late, push)]
        if history or t == len(picks):
            W.append([a / (lam * t) for a in v])
    # (0 - b first: a zero in the average has no sign.)
    average = [(0 - b + a * before) / (lam * len(picks)) for a, b in zip(v, late)]
    return Pegasos(W[-1], average, W if history else W[-1:])


class KernelPegasosFields(NamedTuple):
    """The fields of a KernelPegasos, in order."""

    counts: list
    average: list
    steps: int
    lam: Any


class KernelPegasos(KernelPegasosFields):
    """What kernel_pegasos returns.

    counts   c_i: the last iterate is g_{T+1}(x) = 1/(lam T) sum c_i y_i K(x_i, x)
    average  a_i: (g_1 + ... + g_T) / T is         1/(lam T) sum a_i y_i K(x_i, x)
    steps    T, the number of picks
    lam      as given, converted
    """

    def alpha(self, average=True):
        """What multiplies y_i K(x_i, x): a_i / (lam T), or else c_i / (lam T). n numbers."""
        amounts = self.average if yes_or_no(average, "average") else self.counts
        return [c / (self.lam * self.steps) for c in amounts]

    def model(self, average=True):
        """The Model that decides by the average, or else by the last iterate."""
        problem = self.problem
        beta = problem.beta(self.alpha(average))
        return model_from_beta(problem.kernel, problem.X, beta, problem.kind(0))

    def bracket(self, average=True):
        """(low, high): the least value of F lies between, and high is F at this iterate.

        `low` comes from the dual: no alpha between 0 and 1 / (lam n) can promise more than the
        optimum, so what is larger is cut off there. O(n n d), and subject to rounding on floats.
        """
        problem, alpha = self.problem, self.alpha(average)
        feasible = [min(a, c) for a, c in zip(alpha, problem.C)]
        return self.lam * problem.dual(feasible), self.lam * problem.primal(alpha, 0)


def kernel_pegasos(kernel, X, y, lam, picks, *, cache_mb=200):
    """Run Pegasos on functions, with a kernel; a KernelPegasos(counts, average, steps, lam).

    In round t example s pushes if y_s g_t(x_s) < 1; g_t(x_s) is the sum of (c_i y_i) K(x_s, x_i)
    in the order of i over the c_i that are not 0, divided by lam (t - 1), and 0 at first. If s
    pushes in round t it is in g_{t+1}, ..., g_T, hence in the average with H_{T-1} - H_{t-1}:
    a_i = c_i H_{T-1} - the sum of the H_{t-1}, added round by round.

    cache_mb  room for kernel rows in megabytes; changes no bit

    ValueError or TypeError for bad arguments, no picks, or a kernel value that is not finite. A
    round costs O(n), and a kernel row, O(n d), if that is not in the cache.

    >>> run = kernel_pegasos(Linear(), [[1], [-1]], [1, -1], 1, [0, 1, 0, 1])
    >>> run.counts, run.model(average=False).w
    ([2, 1], [0.75])
    """
    positive(float, cache_mb, "cache_mb")
    problem, lam = problem_of(kernel, X, y, lam)
    picks = indices(picks, problem.n)
    rows, y = KernelRows(problem, cache_mb), problem.y
    counts, since = [0] * problem.n, [problem.kind(0)] * problem.n
    before = problem.kind(0)  # H_{t-1}
    for t, s in enumerate(picks, 1):
        g = 0
        if t > 1:
            before += problem.kind(1) / (t - 1)
            g = weighted(counts, y, rows.row(s)) / (lam * (t - 1))
        if y[s] * g < 1:
            counts[s] += 1
            since[s] += before
    average = [c * before - late for c, late in zip(counts, since)]
    run = KernelPegasos(counts, average, len(picks), lam)
    run.problem = problem
    return run


def weighted(counts, y, row):
    """The sum of (c_i y_i) K_i in index order over the c_i that are not 0."""
    total = 0
    for c, label, k in zip(counts, y, row):
        if c:
            total += c * label * k
    return total


def problem_of(kernel, X, y, lam):
    """(the Problem whose primal is F / lam, and lam), all in one kind: C = 1 / (lam n).

    >>> problem_of(Linear(), [[1], [-1]], [1, -1], 0.25)[0].C
    [2.0, 2.0]
    """
    kernel = as_kernel(kernel)
    kind = number_kind(X, lam, kernel.numbers())
    X = training_rows(X, kernel.to(kind), kind)
    lam = price(kind, lam, len(X))
    return Problem(X, y, kernel, from_mean_hinge_halved(lam, len(X)).C, bias=False), lam


def price(kind, lam, n):
    """lam as a number of this kind, refused unless 1 / lam and lam n are numbers of it, too."""
    lam = positive(kind, lam, "lam")
    if 1 / lam == inf or lam * n == inf:
        raise ValueError(f"lam is {lam}; 1 / lam and {n} lam must be numbers a double holds")
    return lam
