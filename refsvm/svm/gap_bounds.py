"""How far an answer is from the optimum: bounds that hold in exact arithmetic.

An answer is multipliers and offsets; the machine that is kept of them has a w, which is rounded if
the kernel is linear. Of this machine the primal is P, and P* is that of the optimum.

    beta'   feasible variables             s_k      the score <w, phi_k> of the machine
    v       sum beta'_k phi_k              e_k      target_k - s_k - lam_g
    r_k     target_k - s_k, less the ridge's part, ridge_k beta_k

    P - P*  <=  P - D(beta')  =  sum_k share_k + 1/2 |w - v|^2
    share_k  =  loss_k(e_k) - beta'_k e_k + 1/2 ridge_k beta'_k^2

Proof. P* is at least the dual at beta', D = target' beta' - 1/2 |v|^2 less the ridge's part; P
is 1/2 |w|^2 + sum_g s_g lam_g + sum_k loss_k(e_k), see dual_form.py. As beta' adds up to s_g over
each group, and sum_k beta'_k s_k is <w, v>,

    sum_k beta'_k e_k  =  target' beta' - <w, v> - sum_g s_g lam_g

so P less the dual is what stands above. No share is negative, as loss_k(e) is the largest beta e,
less the ridge's part, that the bounds of beta_k allow. Nothing cancels: where a multiplier is at
the bound that the sign of e_k asks for, its share is 0.

    share_k  =  (upper_k - beta'_k) max(e_k, 0)  +  (beta'_k - lower_k) max(-e_k, 0)

Under squared slack, with a = |beta'_k| and d = y_k (r_k - b), what the margin is short of the one
that a / C_k of slack allows, it is C_k d^2 / 2; but -a d - a^2 / (2 C_k) where d < -a / C_k.

Problems on Fractions, and small ones whose kernel values are fractions, are judged exactly
(exact_answers.py), others by bounds in doubles (machine_in_doubles.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf
from typing import Any

from ..numerics.cures import giving, with_cure
from ..numerics.intervals import Interval
from ..numerics.quoting import quote
from ..numerics.rounding_bounds import rounded_down, rounded_up
from ..numerics.types import Number, VectorLike
from .dual_form import Numbers
from .exact_answers import ExactAnswer, is_small
from .kkt_conditions import given_offsets
from .machine_in_doubles import has_best_offsets, machine_at, machine_of_w
from .model import Solution
from .training_problem import TrainingProblem, require_training_problem


def gap_bounds(
    problem: TrainingProblem, alpha: VectorLike | Solution, b: Any = None, *more: Number
) -> Interval:
    """Return between what the primal of an answer, less that of the optimum, lies (S30.6).

    Parameters
    ----------
    problem : Problem, or one of the other machines'
    alpha : n numbers, feasible or not
        the multipliers; for regression the net ones. Or a Solution, which has its offsets
    b, more : numbers
        the offsets of the machine, in the order of its Solution's `offsets`, or one tuple of them;
        without any, the best for this w

    Returns
    -------
    Interval
        of numbers of the problem's kind. high: an upper bound of the duality gap, with the nearest
        feasible multipliers, and so of primal - optimum; inf where nothing bounds it. low: what
        other offsets would gain, for this w; 0 where nothing is known

    Raises
    ------
    ValueError, TypeError
        as of `problem.primal`

    Notes
    -----
    It is of the machine w = sum beta_i phi(x_i), that of `certify`, and of its Model, whose w is
    rounded if it is linear; of a Solution with the w that it keeps. It holds in exact arithmetic
    for any kernel that is one of inner products; values of a function of the caller's, or of a
    Gram matrix, are taken as they are. O(n vectors d), linear O(n d).

    Examples
    --------
    >>> from refsvm.svm.problem import Problem
    >>> pair = Problem([[-1], [1]], [-1, 1], C=2)
    >>> gap_bounds(pair, [0.5, 0.5], 0.25)
    Interval(low=0.5, high=0.5)
    >>> gap_bounds(pair, [0.5, 0.5], 0)
    Interval(low=0.0, high=0.0)
    """
    given: Any = given_offsets(b, more)
    w: Any = None
    keeps_w = False
    if isinstance(alpha, Solution):
        if given:
            raise with_cure(
                TypeError,
                f"the offsets are {quote(given)}; a Solution has its own:",
                giving("give none", "b", None),
            )
        given, keeps_w = [offset.value for offset in alpha.offsets], alpha.keeps_w
        w = alpha.w and problem.in_columns_of_points(alpha.w)
        alpha = alpha.alpha
    point = require_training_problem(problem).at(alpha, given)
    problem, given = point.problem, point.problem.numbers_of_offsets(given)
    if problem.kind is Fraction or is_small(problem, point.beta):
        return _exact_bounds(point, problem.multipliers(alpha), w, given)
    by_w = machine_of_w(problem, point.beta, w) if keeps_w else None
    machine = by_w or machine_at(point, alpha, given, rounds_w=w is not None)
    bounds: Any = machine.least_loss_of_offsets() if given else 0.0, machine.most()
    return Interval(*bounds)


def _exact_bounds(point: Any, alpha: Numbers, w: Any, offsets: Sequence[Any]) -> Interval:
    """Return the same in exact arithmetic, rounded outwards."""
    problem = point.problem
    answer = ExactAnswer(problem, point.beta, problem.beta(alpha), w)
    high, primal = answer.gap(offsets), answer.primal(offsets)
    compares = offsets and has_best_offsets(answer.form) and primal < inf
    low = primal - answer.primal(()) if compares else Fraction(0)
    if problem.kind is Fraction:
        return Interval(low, high)
    if problem.linear and w is None:  # and of the Model, whose w is rounded
        least, most = _exact_bounds(point, alpha, problem.point_weights(alpha), offsets)
        low, high = min(low, least), max(high, most)
    bounds: Any = rounded_down(low), rounded_up(high)
    return Interval(*bounds)


def gap_of_w(problem: TrainingProblem, alpha: Numbers, w: Numbers) -> float:
    """Return an upper bound of the duality gap of a machine on doubles that keeps w (S31.4)."""
    beta = problem.variables_of(alpha)
    if is_small(problem, beta):
        return float(rounded_up(ExactAnswer(problem, beta, w=w).gap(())))
    return machine_of_w(problem, beta, w).most()
