"""Learners as courses hand them out, each written out from its source, thresholds and all.

They are what students hand in and blogs copy: right on a cloud of points, wrong on some of the
cases. The scoreboard names those; nothing in refsvm uses these. SMO as the notes print it, without
such thresholds, is refsvm.textbook_smo.

    alpha, b   multipliers and offset          E_i    f(x_i) - y_i, the error
    L, H       the ends of what alpha_j may be        eta    2 K_ij - K_ii - K_jj, not positive
"""

from random import Random

from libraries import KERNELS, Trained, f_of, kernel_rows, only

from refsvm import Linear, pegasos, smo
from refsvm.numerics.picks import uniform
from refsvm.solvers.textbook_smo import ends_of_segment


def ends(alpha, y, C, i, j):
    """L and H."""
    at_L, at_H = ends_of_segment(y, [C] * len(y), alpha, i, j)
    return at_L[1], at_H[1]


def simplified_smo(problem, tol=1e-3):
    """The simplified SMO of CS229's handout: j at random, until 10 passes change nothing.

    Source: CS 229 Autumn 2009, "The Simplified SMO Algorithm", handout of assignment 2, page 5.
    """
    only(problem, *KERNELS)
    K, y, C = kernel_rows(problem, problem.X), problem.y, problem.C[0]
    n, draws = problem.n, Random(0)
    alpha, b, passes, rounds = [0.0] * n, 0.0, 0, 0
    while passes < 10 and rounds < 10_000:
        changed = 0
        for i in range(n):
            beta = [a * s for a, s in zip(alpha, y)]
            E_i = f_of(beta, K[i], b) - y[i]
            if not (y[i] * E_i < -tol and alpha[i] < C or y[i] * E_i > tol and alpha[i] > 0):
                continue
            j = draws.choice([k for k in range(n) if k != i])
            E_j = f_of(beta, K[j], b) - y[j]
            L, H = ends(alpha, y, C, i, j)
            eta = 2 * K[i][j] - K[i][i] - K[j][j]
            if L == H or eta >= 0:
                continue
            new_j = min(H, max(L, alpha[j] - y[j] * (E_i - E_j) / eta))
            if abs(new_j - alpha[j]) < 1e-5:
                continue
            new_i = alpha[i] + y[i] * y[j] * (alpha[j] - new_j)
            rise, other = y[i] * (new_i - alpha[i]), y[j] * (new_j - alpha[j])
            b_i = b - E_i - rise * K[i][i] - other * K[i][j]
            b_j = b - E_j - rise * K[i][j] - other * K[j][j]
            b = b_i if 0 < new_i < C else b_j if 0 < new_j < C else (b_i + b_j) / 2
            alpha[i], alpha[j] = new_i, new_j
            changed += 1
        passes = 0 if changed else passes + 1
        rounds += 1
    return Trained(alpha, b)


class Platt:
    """Platt's SMO with both loops and the error cache, as his pseudo-code has it.

    Source: Platt, Sequential Minimal Optimization, MSR-TR-98-14 (1998), section 2.5, pages 10-12.
    His threshold has the opposite sign of b, and his eta is taken as K_ii + K_jj - 2 K_ij.
    """

    def __init__(self, problem, tol, eps=1e-3):
        self.K, self.y, self.C = kernel_rows(problem, problem.X), problem.y, problem.C[0]
        self.tol, self.eps, self.n = tol, eps, problem.n
        self.alpha, self.b = [0.0] * self.n, 0.0
        self.E = [-float(s) for s in self.y]
        self.draws = Random(0)

    def run(self):
        changed, everybody = 0, True
        for _ in range(10_000):
            look = range(self.n) if everybody else self.inside()
            changed = sum(self.examine(i) for i in look)
            if everybody and not changed:
                return
            everybody = not everybody and not changed
        raise RuntimeError("10 000 passes")

    def inside(self):
        return [i for i, a in enumerate(self.alpha) if 0 < a < self.C]

    def examine(self, j):
        r = self.E[j] * self.y[j]
        if not (r < -self.tol and self.alpha[j] < self.C or r > self.tol and self.alpha[j] > 0):
            return False
        free = self.inside()
        if len(free) > 1:
            i = max(free, key=lambda k: abs(self.E[k] - self.E[j]))
            if self.step(i, j):
                return True
        for few in (free, list(range(self.n))):
            start = self.draws.randrange(len(few)) if few else 0
            if any(self.step(i, j) for i in few[start:] + few[:start]):
                return True
        return False

    def step(self, i, j):
        if i == j:
            return False
        K, y, alpha, E = self.K, self.y, self.alpha, self.E
        L, H = ends(alpha, y, self.C, i, j)
        if L == H:
            return False
        eta = K[i][i] + K[j][j] - 2 * K[i][j]
        if eta > 0:
            new_j = min(H, max(L, alpha[j] + y[j] * (E[i] - E[j]) / eta))
        else:
            gain = y[j] * (E[i] - E[j])
            low, high = ((v - alpha[j]) * gain - eta * (v - alpha[j]) ** 2 / 2 for v in (L, H))
            new_j = L if low > high + self.eps else H if high > low + self.eps else alpha[j]
        if abs(new_j - alpha[j]) < self.eps * (new_j + alpha[j] + self.eps):
            return False
        new_i = alpha[i] + y[i] * y[j] * (alpha[j] - new_j)
        self.move(i, j, new_i, new_j)
        return True

    def move(self, i, j, new_i, new_j):
        K, y = self.K, self.y
        rise, other = y[i] * (new_i - self.alpha[i]), y[j] * (new_j - self.alpha[j])
        b_i = self.b - self.E[i] - rise * K[i][i] - other * K[i][j]
        b_j = self.b - self.E[j] - rise * K[i][j] - other * K[j][j]
        b = b_i if 0 < new_i < self.C else b_j if 0 < new_j < self.C else (b_i + b_j) / 2
        self.E = [e + rise * p + other * q + b - self.b for e, p, q in zip(self.E, K[i], K[j])]
        self.alpha[i], self.alpha[j], self.b = new_i, new_j, b


def platt_smo(problem, tol=1e-3):
    """Platt's SMO, with its two loops."""
    only(problem, *KERNELS)
    machine = Platt(problem, tol)
    machine.run()
    return Trained(machine.alpha, machine.b)


def qp_with_threshold(problem):
    """A QP solver's multipliers, those above 1e-5 kept, b the mean of y - s over all of them.

    Source: the recipe of many posts on the web, with cvxopt. Here the QP is solved by refsvm.smo,
    so that what is wrong is the recipe.
    """
    only(problem, *KERNELS)
    alpha = [a if a > 1e-5 else 0.0 for a in smo(problem, tol=1e-9).alpha]
    beta = [a * s for a, s in zip(alpha, problem.y)]
    scores = [f_of(beta, row, 0.0) for row in kernel_rows(problem, problem.X)]
    kept = [s - f for s, f, a in zip(problem.y, scores, alpha) if a]
    return Trained(alpha, sum(kept) / len(kept) if kept else 0.0)


def pegasos_with_column(problem):
    """Pegasos, 20 000 rounds, on rows with a one appended for the offset; the last w.

    Source: Shalev-Shwartz, Singer, Srebro, Cotter, Mathematical Programming 127 (2011), pages
    3-30; the offset as in its section 6, first way.
    """
    only(problem, Linear)
    rows = [[*x, 1.0] for x in problem.X]
    lam = 1 / (problem.n * problem.C[0])
    w, _, _ = pegasos(rows, problem.y, lam, uniform(problem.n, 20_000, 1), history=False)
    return lambda x: sum(p * q for p, q in zip(w, [*x, 1.0]))
