"""The dual as a quadratic program: where each solver of it starts, and the Solution it ends in.

    minimise   1/2 beta' K beta - target' beta
    such that  lower_k <= beta_k <= upper_k        and sum beta_k over each group keeps its value

With a_k = y_k beta_k this is the usual  min 1/2 a'Qa + p'a,  y'a = delta,  0 <= a_k <= C_k:
Q_kl = y_k y_l K_kl and p_k = -y_k target_k. svm/dual_form.py says what target, bounds and groups
each machine has.

Throughout this module
    beta    alpha_k y_k                 r       residuals: r_k = y_k - (K beta)_k, the ridge in K
    m, M    as in kkt_conditions.py: the largest r of the beta that may rise, the smallest of
            those that may fall
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf, isfinite
from typing import Any, NamedTuple

from ..kernels.gram_matrices import KernelRows, VariableRows
from ..numerics.cures import Cure, calling, in_fractions, with_cure
from ..numerics.linalg import total
from ..numerics.quoting import quote
from ..numerics.types import Number, RowFunction, VectorLike
from ..numerics.validation import checked_limits, room, whole_number
from ..svm.dual_form import DualForm, restore_exact_sums, restore_sums
from ..svm.model import Solution
from ..svm.problem import Problem, require_problem
from ..svm.solutions import FinalIterate, solution_at
from ..svm.training_problem import TrainingProblem

Numbers = list[Any]  # of the problem's kind: floats, or Fractions


class DualProgram(NamedTuple):
    """The data of the program, and where a solver starts (S3.1).

    rows      has row(k), row k of the kernel matrix with its ridge, and the diagonal
    start     a number for each variable
    """

    form: DualForm
    rows: Any
    start: Numbers


# Before the first step


def solver_arguments(
    problem: TrainingProblem,
    tol: Number,
    max_iter: int | None,
    start: Any = None,
    on_step: Callable[[Any], Any] | None = None,
    cache_mb: float = 200,
    threads: int = 1,
    steps: int | None = None,
    require: Callable[[Any], Any] = require_problem,
    calls_back: bool = False,
) -> tuple[Any, Any, Any]:
    """The problem in the kind of its start, tol in that kind, and the number of steps allowed.

    ValueError or TypeError for what no solver takes. steps: see checked_limits;
    require: returns the problem, if it is one that this solver takes. Where code of the caller's
    runs between steps, on_step or what calls_back stands for, the problem is detached.
    """
    problem = require(problem)
    if start is not None:
        problem, _ = problem.in_common_type(start, 0)
    tol, most = checked_limits(problem.kind, problem.n, tol, max_iter, steps)
    room(cache_mb)
    whole_number(threads, "threads", 1)
    if on_step is not None and not callable(on_step):
        raise TypeError(f"on_step is {quote(on_step)}; a function of a Step is needed")
    return problem if on_step is None and not calls_back else problem.detached(), tol, most


def dual_program(problem: Problem, start: VectorLike | None, cache_mb: float) -> DualProgram:
    """The DualProgram of the problem, which computes kernel rows and keeps them."""
    refuse_shared_ridge(problem)
    form, rows = problem.dual_form(), KernelRows(problem, cache_mb)
    of_variables = rows if form.of is None else VariableRows(rows, form.of)
    return DualProgram(form, of_variables, starting_point(problem, form, start))


def refuse_shared_ridge(problem: TrainingProblem) -> None:
    """ValueError where both variables of an example have a ridge, which rows of K do not show."""
    if getattr(problem, "slack", "") == "squared" and getattr(problem, "sides", 1) == 2:
        raise with_cure(
            ValueError,
            "problem has squared slack on both sides of a tube;",
            calling("newton solves it", "newton"),
        )


def kernel_values(problem: Problem, program: DualProgram) -> RowFunction | None:
    """The kernel values of an example with all, as they are kept; None if these have a ridge."""
    rows = program.rows if program.form.of is None else program.rows.rows
    return None if any(problem.ridge()) else rows.row


def starting_point(problem: TrainingProblem, form: DualForm, start: VectorLike | None) -> Numbers:
    """beta to start from (S3.3): zeros, or the caller's alpha, made to fulfil the groups' sums."""
    if start is None:
        beta = [problem.kind(0)] * len(form.target)
        return restore_sums(form, beta, problem.kind) if any(form.sums) else beta
    return restore_sums(form, problem.variables(start, "start"), problem.kind)


def compute_residuals(program: DualProgram, beta: Numbers) -> Numbers:
    """r = target - K beta, summed over beta_j != 0 in index order (S3.8). O(n) rows.

    The variables of one example are added first: they have one row, and often cancel.
    """
    r = list(program.form.target)
    for j, b in net_variables(program.form, beta).items():
        if b != 0:
            r = [v - b * k for v, k in zip(r, program.rows.row(j))]
    return r


def net_variables(form: DualForm, beta: Numbers) -> dict[int, Number]:
    """{j: sum of the variables of an example}, j being the first of them."""
    if form.of is None:
        return dict(enumerate(beta))
    first: dict[int, int] = {}
    net: dict[int, Any] = {}
    for j, (i, b) in enumerate(zip(form.of, beta)):
        k = first.setdefault(i, j)
        net[k] = net[k] + b if k in net else b
    return net


# A step


def best_travel(slope: Number, curvature: Number, low: Number, high: Number) -> Number:
    """The t in [low, high] where slope t - curvature t^2 / 2 is largest; of equals high (S3.5).

    >>> best_travel(3.0, 2.0, -1.0, 1.0), best_travel(3.0, 2.0, -1.0, 9.0)
    (1.0, 1.5)
    >>> best_travel(1.0, -2.0, -5.0, 1.0)
    -5.0
    """
    if curvature > 0:
        return min(max(slope / curvature, low), high)
    if curvature == 0:
        return high if slope >= 0 else low
    # A Fraction times inf is a float, and may be beyond the doubles before that.
    if type(slope) is Fraction and inf in (high, -low):
        return high if high == inf else low
    at_low, at_high = (t * (slope - curvature * t / 2) for t in (low, high))
    return high if at_high >= at_low else low


# After the last step
#
# A step moves multipliers so that each group's sum stays; on floats up to rounding. What is left
# of that at the end is taken off a free multiplier (svm/dual_form.py), and the residuals follow.
# Where steps lost more of a sum than rounding, bounds give way, too, and the residuals are made
# anew.
#
# The limit of a rounding. To add n numbers, and to compare the sum with s, may round by
# (n + 2) u (sum |beta| + |s|) at most, u = 2^-53; so does a residual, a sum of n products.
# Steps round, too, so sixteen times this is allowed: then the exact sum is within seventeen times
# this of s. On Fractions it is 0.


def end_with_sums(problem: TrainingProblem, ascent: Any, status: str) -> None:
    """Give an ascent that has stopped with this status its sums, and residuals that go with them.

    Before, the two variables of an example become the one whose sum is told. Free multipliers give
    way first: one that leaves its bound by a rounding would count as free. Standard: S3.10.
    """
    form, kind = ascent.form, problem.kind
    refuse_overflow(ascent.beta, ascent.residuals())
    r, ascent.beta = ascent.residuals(), problem.without_common_parts(ascent.beta)
    ascent.set_residuals(r)
    lost = status != "infeasible" and not keeps_sums(form, ascent.beta, ascent.rounding)
    start = dict(enumerate(ascent.beta))
    ascent.beta = restore_exact_sums(form, ascent.beta, kind, ascent.diagonal, problem.linear)
    if lost and not keeps_sums(form, ascent.beta, ascent.rounding):
        ascent.beta = restore_sums(form, ascent.beta, kind)
    if lost:
        ascent.recompute_residuals()
    elif any(b != start[k] for k, b in enumerate(ascent.beta)):
        ascent.update_after_moving_from(start)


def keeps_sums(form: DualForm, beta: Numbers, rounding: Number) -> bool:
    """Whether each group's sum is what it must be, within the limit above. O(n).

    rounding: the largest relative error of one operation.
    """
    return all(
        adds_up_to(beta[group.start : group.stop], type(beta[0])(s), rounding)
        for group, s in zip(form.groups, form.sums)
    )


def adds_up_to(beta: Numbers, s: Any, rounding: Any) -> bool:
    """Whether these numbers add up to s, within the limit above.

    >>> adds_up_to([0.1, 0.2], 0.3, 2.0**-53), adds_up_to([0.1, 0.2], 0.3 + 2.0**-40, 2.0**-53)
    (True, False)
    """
    size = total(map(abs, beta)) + abs(s)
    return bool(abs(total(beta) - s) <= 16 * rounding * (len(beta) + 2) * size)


def refuse_overflow(beta: Numbers, r: Numbers) -> None:
    """ValueError if a multiplier or a residual is infinite or no number: no answer is left."""
    for name, values in (("multiplier", beta), ("residual", r)):
        if set(map(type, values)) == {float} and all(map(isfinite, values)):
            continue  # as below, in a tenth of the time
        for i, v in enumerate(values):
            if not -inf < v < inf:
                raise beyond_doubles(name, i)


def beyond_doubles(name: str, i: int) -> ValueError:
    """The error of a multiplier or residual, of example i, that is infinite or no number."""
    return with_cure(
        ValueError,
        f"the {name} of example {i} went beyond the doubles;",
        Cure("scale X, lower C or give Fractions", "X", in_fractions),
    )


def solution_of(
    answer: FinalIterate,
    tol: Number,
    *,
    iterations: int,
    status: str,
    farkas: Numbers | None = None,
) -> Solution:
    """The Solution of a FinalIterate; "optimal" becomes "precision" unless it is proved.

    ValueError if a multiplier or a residual is no finite number.
    """
    refuse_overflow(answer.beta, answer.r)
    return solution_at(answer, tol, iterations=iterations, status=status, farkas=farkas)
