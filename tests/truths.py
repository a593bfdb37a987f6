"""What is true of an answer in doubles, in Fractions: for tests of what is said of it.

    exact_twin(problem)            the problem that the doubles state, on Fractions
    kept_primal(problem, ..)       the primal of the machine that is kept: its w is rounded
    Conditions(problem, ..)        residuals, m and M of each group, the unit of tol
    best_split(problem, ..)        the variables of net multipliers, where these do not tell them
    least_value(problem)           what the optimum is not above, or None
    drawn_problem(random)          any machine, from usual numbers to the end of the doubles
    edge_problem(random)           any machine, where an exact sum is next to a rounded one

Nothing of refsvm's bounds is used: sums are those of Python's Fractions. Values of a Gaussian are
taken from enclosures, 2^-400 wide; doubt(problem) is what that may cost.
"""

from fractions import Fraction
from math import fsum, inf, ulp
from typing import Any, NamedTuple

import refsvm
from refsvm.kernels.base import FunctionKernel
from refsvm.kernels.standard import Linear, Precomputed
from refsvm.numerics.linalg import dot
from refsvm.proofs.enclosures import lower_triangle, mirror
from refsvm.proofs.rational_kernels import is_rational
from refsvm.svm.dual_form import middle

BITS = 400


def has_values_of_its_own(problem):
    """Whether kernel values are those of a function of the caller's, taken as they are."""
    return isinstance(problem.kernel, FunctionKernel)


def exact_twin(problem):
    """The problem on Fractions, with the kernel's exact values; of functions, those it gave."""
    own = has_values_of_its_own(problem)
    if problem.kind is Fraction or is_rational(problem.kernel) and not own:
        return problem.to(Fraction)
    if own:
        row = problem.kernel_rows()
        values = [list(map(Fraction, row(x))) for x in problem.rows]
    else:
        values = [[(v.low + v.high) / 2 for v in row]
                  for row in mirror(lower_triangle(problem, BITS))]
    return problem.with_rows(values, Precomputed(), Fraction)


def stated(problem):
    """The problem whose optimum is asked for: with the values that a function gave."""
    return exact_twin(problem) if has_values_of_its_own(problem) else problem


def doubt(problem, alpha=()):
    """How far what is said here to be true may be off: 0 but for Gaussian kernels."""
    if problem.kind is Fraction or is_rational(problem.kernel) or has_values_of_its_own(problem):
        return Fraction(0)
    form = problem.dual_form()
    sizes = [*map(abs, alpha), *(abs(v) for v in (*form.lower, *form.upper) if abs(v) < inf)]
    mass = 1 + total(map(Fraction, sizes))
    return mass * mass / 2 ** (BITS - 20)


def total(values):
    return sum(values, Fraction(0))  # exact


def kept_scores(problem, twin, alpha):
    """(the score of each example, |w|^2) of the machine that is kept of these multipliers."""
    if not problem.linear:
        return twin.scores_and_norm2(twin.beta(list(map(Fraction, alpha))))
    w = list(map(Fraction, problem.weights(alpha)))
    rows = [list(map(Fraction, x)) for x in twin.X]
    return [total(a * b for a, b in zip(w, x)) for x in rows], total(a * a for a in w)


def kept_primal(problem, alpha, offsets, twin=None):
    """The primal of the Model of these, rescaled where an example allows no slack."""
    twin = twin or exact_twin(problem)
    form = twin.dual_form()
    scores, norm2 = kept_scores(problem, twin, alpha)
    lam = twin.lam_of([Fraction(v) for v in offsets], norm2)
    return twin.primal_value(form, form.per_variable(scores), norm2, lam)


class Conditions(NamedTuple):
    """What the optimality conditions are about, in exact arithmetic, at multipliers in doubles."""

    twin: Any
    form: Any
    beta: list
    r: list
    ends: list  # (m, M) of each group
    unit: Any
    norm2: Fraction

    @classmethod
    def at(cls, problem, alpha, twin=None, beta=None):
        """beta: the variables, where the multipliers do not tell them"""
        twin = twin or exact_twin(problem)
        form, alpha = twin.dual_form(), list(map(Fraction, alpha))
        if beta is not None:
            beta = list(map(Fraction, beta))
            alpha = twin.multipliers_of(beta)
        beta = beta or twin.variables_of(alpha)
        scores, norm2 = twin.scores_and_norm2(twin.beta(alpha))
        r = twin.residuals(form, beta, form.per_variable(scores))
        ends = twin.group_extremes(form, beta, r)
        lam = [middle(m, M) for m, M in ends]
        unit = form.unit(lam, norm2) if form.unit else 1
        return cls(twin, form, beta, r, ends, unit, norm2)

    @property
    def violation(self):
        return max(m - M for m, M in self.ends)

    def offsets(self):
        """The least and the largest of each offset that the conditions allow."""
        ends = self.ends
        return (self.twin.offsets_from(ends, self.norm2),
                self.twin.offsets_from([(M, m) for m, M in ends], self.norm2))


def best_split(problem, alpha, twin):
    """(variables of a NuRegressionProblem that have these multipliers and least violation, doubt).

    What the sums lack is added to both variables of examples whose residuals are nearest to the
    middle of the ends. Two variables of doubles add up to alpha but for a rounding: the doubt.
    """
    form, alpha = twin.dual_form(), list(map(Fraction, alpha))
    n, zero = twin.n, Fraction(0)
    beta = [max(a, zero) for a in alpha] + [min(a, zero) for a in alpha]
    lacks = form.sums[0] - total(beta[:n])
    if lacks <= total(Fraction(ulp(float(a))) for a in alpha):  # that was rounded off
        lacks = zero
    scores, _ = twin.scores_and_norm2(alpha)
    r = twin.residuals(form, beta, form.per_variable(scores))
    (m, M), (low, high) = twin.group_extremes(form, beta, r)
    by_cost = sorted(range(n), key=lambda i: max(m - r[i], r[i] - high))
    largest = zero
    for i in by_cost:
        part = min(max(lacks, zero), form.upper[i] - abs(alpha[i]))
        if part > 0:
            beta[i], beta[n + i], lacks = beta[i] + part, beta[n + i] - part, lacks - part
            largest = 2 * max(map(abs, twin.squared_norms()))
    return beta, largest * total(Fraction(ulp(v)) for v in map(float, beta))


def least_value(problem):
    """A lower bound of the optimum that is the optimum itself; None if there is none."""
    best = refsvm.solve_exactly(stated(problem), bits=300)
    value = best.objective
    return getattr(value, "low", value) if value not in (inf, -inf) else None


# ---- problems of any machine


def drawn_kernel(random):
    """A kernel: mostly the linear one, and polynomials, whose numbers grow."""
    gamma, coef0 = random.choice([1.0, 0.5, 0.1, 1 / 3]), random.choice([0.0, 1.0, 0.3])
    return random.choice([
        Linear(),
        Linear(),
        refsvm.Polynomial(2, 1.0, 1.0),
        refsvm.Polynomial(3, gamma, coef0),
        refsvm.Gaussian(random.choice([0.1, 1.0, 10.0])),
        refsvm.MonomialSum(3),
        gamma * Linear() + refsvm.Polynomial(2, gamma, coef0),
        Linear() * refsvm.Polynomial(1, gamma, 1.0),
    ])


def drawn_rows(random, n, d):
    """n rows: small or heavy-tailed whole numbers, or reals; in any unit, and far from 0."""
    unit = random.choice([1.0, 1.0, 1.0, 1e-8, 1e10, 1e3, 0.1])
    far = random.choice([0.0, 0.0, 0.0, 1e3, 1e8, 1e14])
    kind = random.choice(["small", "real", "heavy", "whole"])

    def number():
        if kind == "small":
            v = float(random.randrange(-5, 6))
        elif kind == "heavy":
            v = random.choice([1, -1]) * 10 ** random.uniform(0, 4) // 1
        else:
            v = random.gauss(0, 1) if kind == "real" else float(random.randrange(10**4))
        return (v + far) * unit

    return [[number() for _ in range(d)] for _ in range(n)]


def edge_kernel_and_rows(random, n):
    """Rows and kernel whose values nearly add exactly, or are those of no inner product."""
    d, far = random.randrange(1, 4), 2.0 ** random.choice([0, 10, 20, 25, 26, 27, 40])
    small = [[float(random.randrange(-3, 4)) for _ in range(d)] for _ in range(n)]
    distant = [[v + far for v in x] for x in small]
    unit = 2.0 ** random.choice([0, 0, 0, -3, 30, 250, -250])
    kind = random.choice(["gram", "identity", "indefinite", "polynomial", "linear", "rounded",
                          "sigmoid", "multiple", "twins"])
    if kind == "gram":
        more = random.choice([0.0, far, far * far])
        K = [[dot(x, z) + more for z in small] for x in small]
        return [[v * unit * unit for v in row] for row in K], Precomputed()
    if kind == "identity":
        return [[float(i == j) * unit for j in range(n)] for i in range(n)], Precomputed()
    if kind == "indefinite":
        K = [[0.0] * n for _ in range(n)]
        for i in range(n):
            for j in range(i + 1):
                K[i][j] = K[j][i] = float(random.choice([0, 0, 1, 1, 2, -1])) * unit
        return K, Precomputed()
    if kind == "polynomial":
        rows = random.choice([small, distant, [[v * 2e-4 for v in x] for x in small]])
        return rows, refsvm.Polynomial(random.choice([1, 1, 2]), 1.0, random.choice([0.0, 1.0]))
    if kind == "linear":
        return [[v * unit for v in x] for x in random.choice([small, distant])], Linear()
    if kind == "rounded":  # as a function of the caller's rounds them
        rows = [[v + random.choice([0.0, 1e8, 0.1]) for v in x] for x in small]
        return rows, lambda x, z: fsum(a * b for a, b in zip(x, z))
    if kind == "sigmoid":
        return small, refsvm.Sigmoid(random.choice([1.0, 0.1]), random.choice([0.0, 1.0, -1.0]))
    if kind == "multiple":
        factor = random.choice([1e-8, 1e8, 1 / 3])
        return small, factor * refsvm.Gaussian(1.0)
    return [random.choice(small) for _ in small], random.choice([Linear(), refsvm.Gaussian(1.0)])


def edge_problem(random, machine=None, most=6):
    """A problem of this machine, or any, on the edges of arithmetic; ValueError if it has none."""
    n = random.randrange(2, most + 1)
    problem = problem_of(random, machine or random.choice(MACHINES),
                         *edge_kernel_and_rows(random, n))
    weights = getattr(problem, "example_weights", None)
    if weights and random.random() < 0.3:  # whole multiples of 2^-30: sums of them are exact
        weights = [random.randrange(1, 2**30) / 2**30 + random.choice([0, 1]) for _ in weights]
        return problem.of_examples(range(n), weights)
    return problem


def drawn_variables(random, form):
    """Variables within their bounds, or at them; their sums are as they come."""
    size = 10.0 ** random.choice([0, 0, -3, 5])
    found = []
    for low, high in zip(form.lower, form.upper):
        low, high = max(low, -size), min(high, size)
        found.append(random.choice([low, high, 0.0, random.uniform(low, high)]))
    return found


MACHINES = ["hinge", "hinge", "squared", "no offset", "hard", "some hard", "nu", "regression",
            "nu-regression", "one class", "ball", "whole ball"]


def drawn_problem(random, machine=None, most=8, kernel=None):
    """A problem of this machine, or any; ValueError if it has none of these numbers."""
    n, d = random.randrange(2, most + 1), random.randrange(1, 4)
    X, kernel = drawn_rows(random, n, d), kernel or drawn_kernel(random)
    return problem_of(random, machine or random.choice(MACHINES), X, kernel)


def problem_of(random, machine, X, kernel, y=None):
    """A problem of this machine of these rows."""
    n = len(X)
    C = random.choice([10 ** random.uniform(-3, 6), 1.0, 2.0, 10.0, 1e3, 1e12])
    y = y or [1, -1, *(random.choice([-1, 1]) for _ in range(n - 2))]
    values = [random.gauss(0, 1) * random.choice([1.0, 1.0, C]) for _ in y]
    several = [0.5, 1.0, 2.0, 0.1, 2.7]  # C times the last two is rounded
    weights = random.choice([None, None, [random.choice(several) for _ in y]])
    if machine == "hinge":
        return refsvm.Problem(X, y, kernel, C)
    if machine == "some hard":
        return refsvm.Problem(X, y, kernel, [random.choice([C, inf]) for _ in y])
    if machine == "hard":
        return refsvm.Problem(X, y, kernel, inf, random.random() < 0.8)
    if machine == "squared":
        return refsvm.Problem(X, y, kernel, C, random.random() < 0.7, "squared")
    if machine == "no offset":
        return refsvm.Problem(X, y, kernel, C, False, random.choice(["hinge", "squared"]))
    if machine == "nu":
        return refsvm.NuProblem(X, y, kernel, random.uniform(0.05, 0.6), weights)
    if machine == "regression":
        epsilon = random.choice([0.0, 0.1, 0.5])
        return refsvm.RegressionProblem(X, values, kernel, C, epsilon, weights)
    if machine == "nu-regression":
        nu = random.uniform(0.1, 0.9)
        return refsvm.NuRegressionProblem(X, values, kernel, C, nu, weights)
    if machine == "one class":
        return refsvm.OneClassProblem(X, kernel, random.uniform(0.1, 0.9), weights)
    if machine == "whole ball":
        return refsvm.BallProblem(X, kernel, inf)
    least = 1 / min(n, sum(weights or [n])) + 1e-9
    return refsvm.BallProblem(X, kernel, max(least, random.uniform(0.1, 1)), weights)
