"""How far an answer in doubles is from the optimum: bounds that hold in exact arithmetic.

An answer is multipliers and offsets; the machine that is kept of them is its Model, whose w, of a
linear kernel, is rounded. Of this machine the primal is P, and P* is that of the optimum.

    beta'   feasible variables             s_k      the score <w, phi_k> of the machine
    v       sum beta'_k phi_k              e_k      target_k - s_k - lam_g
    r_k     target_k - s_k, less the ridge's part, ridge_k beta_k

    P - P*  <=  sum_k share_k + 1/2 |w - v|^2
    share_k  =  loss_k(e_k) - beta'_k e_k + 1/2 ridge_k beta'_k^2

Proof. P* is no less than the dual at beta', target' beta' - 1/2 |v|^2 less the ridge's part; P is
1/2 |w|^2 + sum_g s_g lam_g + sum_k loss_k(e_k), see dual_form.py. As beta' adds up to s_g over
each group, and sum_k beta'_k s_k is <w, v>,

    sum_k beta'_k e_k  =  target' beta' - <w, v> - sum_g s_g lam_g

so P less the dual is what stands above. No share is negative, as loss_k(e) is the largest beta e,
less the ridge's part, that the bounds of beta_k allow. Nothing cancels: where a multiplier is at
the bound that the sign of e_k asks for, its share is 0.

    share_k  =  (upper_k - beta'_k) max(e_k, 0)  +  (beta'_k - lower_k) max(-e_k, 0)

Under squared slack, with a = |beta'_k| and d = y_k (r_k - b), what the margin is short of the one
that a / C_k of slack allows, it is C_k d^2 / 2; but -a d - a^2 / (2 C_k) where d < -a / C_k.

In doubles e_k is known up to an error E_k, and the share is largest at e_k - E_k or e_k + E_k, as
it is convex. E_k has the rounding of the residual and of w (residual_bounds.py), and of lam, which
follows from the offsets that are kept. The multipliers need not be feasible. Each is moved to the
nearest end of its interval, and what a sum then lacks to one that has the room, where that costs
least: a change of Delta_k adds at most |Delta_k| (|e_k| + E_k) to the shares, and
|Delta_k| sqrt(K_kk) to |w - v|; with the ridge in K_kk, for 1/2 ridge_k Delta_k^2 comes to the
shares, too. That changes no number that is told, only the bound.

Where an example allows no slack and its margin is short, the machine is lifted first, see
TrainingProblem.primal. Of the ball, whose primal is twice that of its form, all counts twice.

Source: the shares are those of Certificate (proofs/certificate.py), where they are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..numerics.intervals import Interval
from ..numerics.quoting import quote
from ..numerics.types import Number
from .dual_form import DualForm, Numbers
from .judged_answer import JudgedAnswer
from .kkt_conditions import given_offsets
from .model import Solution
from .own_weights import gap_of_w
from .residual_bounds import EXACT, accuracy_of
from .training_problem import require_training_problem


def gap_bounds(problem: Any, alpha: Any, b: Any = None, *more: Number) -> Interval:
    """Return between what the primal of an answer, less that of the optimum, lies.

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
        of numbers of the problem's kind. high: by the multipliers; inf where nothing bounds it.
        low: what other offsets would gain, for this w; 0 where nothing is known, and where the
        offsets are the best

    Raises
    ------
    ValueError, TypeError
        as of `problem.primal`

    Notes
    -----
    It is of the Model that is made of the multipliers and the offsets, and holds in exact
    arithmetic for any kernel that is one of inner products; values of a function of the caller's,
    or of a Gram matrix, are taken as they are. O(n vectors d), linear O(n d).

    Examples
    --------
    >>> from refsvm.svm.problem import Problem
    >>> pair = Problem([[-1], [1]], [-1, 1], C=2)
    >>> gap_bounds(pair, [0.5, 0.5], 0.25).high >= pair.gap([0.5, 0.5], 0.25) == 0.5
    True
    >>> gap_bounds(pair, [0.5, 0.5], 0)
    Interval(low=0.0, high=0.0)
    """
    given: Any = given_offsets(b, more)
    if isinstance(alpha, Solution):
        if given:
            raise TypeError(f"the offsets are {quote(given)}; a Solution has its own: give none")
        if alpha.keeps_w:
            w = problem.in_columns_of_points(alpha.w)
            return Interval(problem.kind(0), gap_of_w(problem, alpha.alpha, w))
        given, alpha = [offset.value for offset in alpha.offsets], alpha.alpha
    answer = answer_of(require_training_problem(problem), alpha, given).narrowed()
    low = answer.least_loss_of_offsets() if given else answer.problem.kind(0)
    return Interval(low, answer.most())


def answer_of(problem: Any, alpha: Any, offsets: Sequence[Any]) -> JudgedAnswer:
    """Return the JudgedAnswer of multipliers and offsets; with the best lam if there are none."""
    return answer_at_point(problem.at(alpha, offsets), alpha, offsets)


def answer_at_point(point: Any, alpha: Any, offsets: Sequence[Any]) -> JudgedAnswer:
    """Return the same of multipliers and offsets that were evaluated."""
    problem, form, beta = point.problem, point.form, point.beta
    alpha = problem.multipliers(alpha)
    found = _answer_at(problem, form, beta, alpha, point.residuals(), point.w_norm2)
    if not offsets:
        return found._replace(lam=point.lam)
    given = problem.numbers_of_offsets(offsets)
    return found.with_offsets(given, point.w_norm2, problem.moved_by_shift(alpha))


def _answer_at(
    problem: Any, form: DualForm, beta: Numbers, alpha: Numbers, r: Numbers, w_norm2: Any
) -> JudgedAnswer:
    """The JudgedAnswer of residuals computed from the multipliers, with lam that are 0."""
    zeros = [problem.kind(0) for _ in form.groups]
    if problem.kind is float:
        of_kept_w = w_norm2 if problem.linear else None
        coefs = problem.beta(alpha)
        accuracy = accuracy_of(problem, form, beta, coefs, r, w_norm2=of_kept_w)
    else:
        accuracy = EXACT
    return JudgedAnswer(problem, form, beta, alpha, r, accuracy, zeros, zeros)
