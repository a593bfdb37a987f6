"""What every solver of the dual does alike: before its first step, and after its last.

    checked         the arguments that all solvers have in common, or a refusal
    dual_program    the quadratic program that the dual is, with the point to start from
    residuals       how far each example is from its margin, computed anew
    solution_of     the Solution: offset, both objectives and the gap, from beta and its residuals

A solver is a way from the start to the end of beta; nothing else tells one from another.

Throughout this module
    beta    alpha_k y_k                 r       residuals: r_k = y_k - (K beta)_k, the ridge in K
    m, M    as in kkt_conditions.py: the largest r of the beta that may rise, the smallest of
            those that may fall
"""

from fractions import Fraction
from math import inf

from ..kernels.gram_matrices import gram
from ..kernels.row_cache import KernelRows
from ..kernels.standard import Precomputed
from ..numerics.linalg import dot, total
from ..numerics.validation import not_negative, positive, whole_number
from ..svm.kkt_conditions import extremes, kkt, middle
from ..svm.model import Solution
from ..svm.problem import gap_between, require_problem
from .dual_program import Program

# Curvature this far below zero, relative to its three terms, is the kernel's and not rounding's.
NOISE = {float: 2.0**-40}


def checked(problem, tol, max_iter, start=None, on_step=None, cache_mb=200, threads=1):
    """The problem in the kind of its start, tol in that kind, and the number of steps allowed.

    ValueError or TypeError for what no solver takes; max_iter None: max(100 000, 100 n).
    """
    problem = require_problem(problem)
    if start is not None:
        problem, _ = problem.in_common_type(start, 0)
    tol = problem.kind(not_negative(problem.kind, tol, "tol"))
    if max_iter is None:
        max_iter = max(100_000, 100 * problem.n)
    max_iter = whole_number(max_iter, "max_iter", 0)
    positive(float, cache_mb, "cache_mb")
    whole_number(threads, "threads", 1)
    if on_step is not None and not callable(on_step):
        raise TypeError(f"on_step is {on_step!r}; a function of a Step is needed")
    return problem, tol, max_iter


def dual_program(problem, start, cache_mb):
    """The Program of the problem's dual."""
    return program_on(KernelRows(problem, cache_mb), problem, start)


def program_on(rows, problem, start):
    """The Program of the problem's dual; rows.row(i) is row i of K with the ridge."""
    zero = problem.kind(0)
    bounds = list(zip(problem.y, problem.upper_bounds()))
    return Program(
        rows=rows,
        target=[problem.kind(y) for y in problem.y],
        lower=[zero if y > 0 else -c for y, c in bounds],
        upper=[c if y > 0 else zero for y, c in bounds],
        tied=problem.bias,
        start=starting_point(problem, start),
    )


def starting_point(problem, start):
    """beta to start from: zeros, or the caller's alpha made to fulfil sum beta = 0."""
    if start is None:
        return [problem.kind(0)] * problem.n
    beta = problem.beta(start, "start")
    for i, (x, y, c) in enumerate(zip(beta, problem.y, problem.upper_bounds())):
        if not 0 <= x * y <= c:
            raise ValueError(f"start[{i}] is {x * y}; it must be from 0 to C, which is {c}")
    return balanced(problem, beta) if problem.bias else beta


def balanced(problem, beta):
    """beta with the surplus of the heavier class taken off in index order, each rounded once."""
    surplus = sum(map(Fraction, beta))  # exact
    for i, x in enumerate(map(Fraction, beta)):
        if x * surplus > 0:
            part = min(x, surplus, key=abs)
            beta[i], surplus = problem.kind(x - part), surplus - part
    return beta


def evened(problem, beta):
    """beta with sum exactly zero, where that can be had by moving a free one by a rounding.

    Each step keeps the sum only up to rounding. A few units in the last place are nothing to the
    dual, but on rows far from the origin they would be multiplied by the distance.
    """
    if not problem.bias or problem.kind is not float:
        return beta
    bounds = problem.upper_bounds()
    free = [i for i, (x, c) in enumerate(zip(beta, bounds)) if x != 0 and abs(x) < c]
    for i in sorted(free, key=lambda i: abs(beta[i])):
        surplus = sum(map(Fraction, beta))  # exact
        even = float(beta[i] - surplus)
        if surplus == 0:
            break
        if 0 <= even * problem.y[i] <= bounds[i]:
            beta[i] = even
    return beta


def residuals(program, beta):
    """r = target - K beta, summed over beta_j != 0 in index order. O(n) rows."""
    r = list(program.target)
    for j, b in enumerate(beta):
        if b != 0:
            r = [v - b * k for v, k in zip(r, program.rows.row(j))]
    return r


def refuse_overflow(beta, r):
    """ValueError if a multiplier or a residual is infinite or no number: no answer is left."""
    for name, values in (("multiplier", beta), ("residual", r)):
        for i, v in enumerate(values):
            if not -inf < v < inf:
                raise ValueError(
                    f"the {name} of example {i} went beyond the doubles;"
                    " scale X, lower C or give Fractions"
                )


def solution_of(problem, beta, r, *, iterations, status, farkas=None):
    """The Solution at beta, from its residuals. ValueError if one of these is no finite number."""
    refuse_overflow(beta, r)
    beta = evened(problem, beta)
    alpha = [x * y + 0 for x, y in zip(beta, problem.y)]
    m, M = extremes(problem, alpha, r)  # now: evening out may have put a free one on its bound
    b = offset(problem, beta, r, m, M)
    scores = [y - v - c * x for y, v, c, x in zip(problem.y, r, problem.ridge(), beta)]
    w_norm2 = dot(beta, scores)
    objective = problem.dual_value(beta, w_norm2)
    primal = problem.primal_value(scores, w_norm2, b)
    # Of floats that overflowed both may be infinite; no Fraction is.
    gap = primal - objective if problem.kind is float else gap_between(primal, objective)
    if gap != gap and status == "optimal":  # numbers overflowed: nothing is known of this answer
        status = "precision"
    return Solution.for_problem(
        problem,
        alpha=alpha,
        b=problem.unshifted_offset(b, alpha),
        b_low=problem.unshifted_offset(m, alpha),
        b_high=problem.unshifted_offset(M, alpha),
        objective=objective,
        gap=gap,
        violation=m - M,
        iterations=iterations,
        status=status,
        farkas=farkas,
    )


def offset(problem, beta, r, m, M):
    """The mean of r over the free support vectors, 0 < alpha_i < C_i; without any, (m + M) / 2."""
    if not problem.bias:
        return problem.kind(0)
    free = [v for v, x, c in zip(r, beta, problem.upper_bounds()) if x != 0 and abs(x) < c]
    return total(free) / len(free) if free else middle(m, M)


def kernel_matrix(problem):
    """K of the rows as given, with the ridge of squared slack on its diagonal. O(n n d)."""
    given = isinstance(problem.kernel, Precomputed)
    K = [list(row) for row in problem.X] if given else gram(problem.kernel, problem.X)
    for i, c in enumerate(problem.ridge()):
        K[i][i] += c
    return K


def with_signs(K, y):
    """Q, the matrix of y_i y_j K_ij."""
    return [[y_i * y_j * k for y_j, k in zip(y, row)] for y_i, row in zip(y, K)]


def violation(problem, alpha):
    """m - M: how far the conditions are from true at alpha, see kkt_conditions.py. O(n n d)."""
    report = kkt(problem, alpha)
    return report.m - report.M


def solution_at(problem, K, alpha, tol, max_iter, iterations, farkas=None):
    """The Solution at alpha, computed anew from alpha alone; the status is what is true of it.

    b is the middle of the offsets that the conditions allow. O(n n d).
    """
    report = kkt(problem, alpha)
    b = middle(report.b_low, report.b_high) if problem.bias else problem.kind(0)
    violation = report.m - report.M
    if has_negative_curvature(problem, K):
        status, farkas = "indefinite", None
    elif farkas:
        status = "infeasible"
    elif violation <= tol:
        status = "optimal"
    else:
        status = "max_iter" if iterations == max_iter else "precision"
    return Solution.for_problem(
        problem,
        alpha=alpha,
        b=b,
        b_low=report.b_low,
        b_high=report.b_high,
        objective=problem.dual(alpha),
        gap=problem.gap(alpha, b),
        violation=violation,
        iterations=iterations,
        status=status,
        farkas=farkas,
    )


def has_negative_curvature(problem, K):
    """Whether K bends the dual upwards along a step of one multiplier, or of two with an offset.

    Then it is no matrix of inner products. On floats it must be more than rounding. O(n n).
    """
    noise = NOISE.get(problem.kind, 0)
    if not problem.bias:
        return any(K[i][i] < 0 for i in range(problem.n))
    for i, row in enumerate(K):
        for j in range(i):
            size = abs(row[i]) + abs(K[j][j]) + 2 * abs(row[j])
            if row[i] + K[j][j] - 2 * row[j] < -noise * size:
                return True
    return False
