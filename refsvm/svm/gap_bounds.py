"""How far an answer in doubles is from the optimum: bounds that hold in exact arithmetic.

An answer is multipliers and offsets; the machine that is kept of them is its Model, whose w, of a
linear kernel, is rounded. Of this machine the primal is P, and P* is that of the optimum.

    beta'  feasible variables            r_k, e_k   the residual target_k - s_k, and r_k - lam_g
    v      sum beta'_k phi_k             s_k        the score <w, phi_k> of the machine that is kept

    P - P*  <=  sum_k share_k  +  1/2 |w - v|^2       share_k = loss_k(e_k) - beta'_k e_k
                                                                + ridge_k beta'_k^2 / 2

Proof. P* is no less than the dual at beta', which is target' beta' - 1/2 |v|^2 less the ridge's
part; P is 1/2 |w|^2 + sum_g s_g lam_g + sum_k loss_k(e_k), see dual_form.py. As beta' adds up to
s_g over each group, and sum_k beta'_k s_k is <w, v>,

    sum_k beta'_k e_k  =  target' beta' - <w, v> - sum_g s_g lam_g

so P less the dual is what the line above says. No share is negative, as loss_k(e) is the largest
beta e, less the ridge's part, that the bounds of beta_k allow. Nothing cancels: where a multiplier
is at the bound that the sign of e_k asks for, its share is 0.

    share_k  =  (upper_k - beta'_k) max(e_k, 0)  +  (beta'_k - lower_k) max(-e_k, 0)

and under squared slack, with a = |beta'_k| and d the excess of the margin, y_k e_k - a / C_k, it is
C_k d^2 / 2, but  -a d - a^2 / (2 C_k)  where d is below -a / C_k.

In doubles e_k is known to an error E_k, and the share is largest at e_k - E_k or at e_k + E_k, as it
is convex. E_k has the rounding of the residual, which residual_errors bounds; of lam, which follows
from the offsets that are kept; and of w. The multipliers of an answer need not be feasible. Each is
moved to the nearest end of its interval, and what a sum then lacks to one that has the room, the
one where that costs least: a change of Delta_k adds at most |Delta_k| (|e_k| + E_k) to the shares,
and |Delta_k| sqrt(K_kk) to |w - v|. That changes no number that is told, only the bound.

Where an example allows no slack and its margin is short, the machine is lifted first, see
TrainingProblem.primal. Of the ball, whose primal is twice that of its form, all of it counts twice.

Source: the shares are those of Certificate (proofs/certificate.py), where they are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf, sqrt
from typing import Any, NamedTuple

from ..kernels.value_errors import (
    MOST_NUMBERS,
    SMALLEST,
    grain_of_values,
    may_exceed_its_diagonal,
    roundings_of,
    value_errors,
)
from ..numerics.exact_sums import integer_dot, scaled_integers
from ..numerics.intervals import Interval, root_above
from ..numerics.linalg import squared_norm, total
from ..numerics.quoting import quote
from ..numerics.rounding_bounds import TINY, U, above, adds_exactly, grain, of_difference, of_sum
from ..numerics.types import Number
from .dual_form import (
    DualForm,
    Numbers,
    exact_total,
    infeasible_group,
    loss,
    middle,
    of_variables,
    spread,
    surplus,
)
from .exact_residuals import ExactResiduals, has_exact_values
from .kkt_conditions import given_offsets
from .model import Solution
from .training_problem import require_training_problem

WIDE = 2.0**-8  # a bound may be so much wider, in proportion, than the gap as computed
MOST_PRODUCTS = 2**18  # of kernel values and multipliers that are added without rounding


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
        low: what other offsets would gain, for this w; 0 where nothing is known

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
        given, alpha = [offset.value for offset in alpha.offsets], alpha.alpha
    answer = judged_answer(require_training_problem(problem), alpha, given).narrowed()
    return Interval(answer.least_loss_of_offsets(), answer.most())


class JudgedAnswer(NamedTuple):
    """Variables of a problem with their residuals, and how far each number may be off.

    coefs       the coefficient of each example in the w that is kept
    r           target - score - ridge beta, of each variable
    errors      how far each may be off, of the machine that is kept
    lam         of each group, of the offsets that are kept
    lam_errors  how far each may be off
    roots       no less than sqrt(K_kk)
    w_error     how far the w that is kept may be from sum beta_k phi_k
    """

    problem: Any
    form: DualForm
    beta: Numbers
    coefs: Numbers
    r: Numbers
    errors: Numbers
    lam: Numbers
    lam_errors: Numbers
    roots: Numbers
    w_error: Any

    def most(self) -> Any:
        """Return what the primal is at most above the optimum's."""
        excess = self.excess()
        factor, excess = self.lifted(excess)
        if factor is None:
            return inf
        beta, cost, moved = self.feasible(excess)
        if cost == inf:
            return inf
        ridge = spread(self.form, self.problem.ridge())
        sum_of_shares = total(_shares(self.form, beta, ridge, excess, max))
        distance = self.w_error + moved
        if factor > 1:
            distance += (factor - 1) * total(s * abs(x) for s, x in zip(self.roots, self.beta))
        found = self.problem.scale * (sum_of_shares + cost + distance * distance / 2)
        return above(found, len(beta) + 16) if self.problem.kind is float else found

    def with_offsets(self, alpha: Numbers, offsets: Numbers, w_norm2: Any) -> JudgedAnswer:
        """Return the same with the lam of these offsets, which are of the rows as given.

        w_norm2: |w|^2, as computed from the scores
        """
        exact = _exact_lam(self.problem, alpha, offsets, w_norm2)
        kind = self.problem.kind
        lam = [kind(v) for v in exact]
        errors = [_at_least(abs(v - Fraction(x)), kind) for v, x in zip(exact, lam)]
        if kind is float and self.problem.has_kernel_values_as_targets and any(self.errors):
            # lam has |c|^2 / 2, a sum of the products of beta and scores
            mass = total(s * abs(b) for s, b in zip(self.roots, self.beta))
            of_norm2 = total(abs(b) * e for b, e in zip(self.beta, self.errors))
            of_norm2 += of_sum(len(self.beta) + 4, mass * mass) + self.w_error * self.w_error
            errors = [above(e + of_norm2, 8) for e in errors]
        return self._replace(lam=lam, lam_errors=errors)

    def excess(self) -> list[tuple[Any, Any]]:
        """Return between what r_k - lam_g lies, for each variable."""
        off = of_variables(self.form, self.lam_errors)
        found = []
        for x, error, v, of_lam in zip(self.r, self.errors, of_variables(self.form, self.lam), off):
            e, error = x - v, error + of_lam
            if error > 0:
                error += 4 * U * abs(e)  # of this difference, and of the next two
            found.append((e - error, e + error))
        return found

    def narrowed(self) -> JudgedAnswer:
        """Return the same with the residuals without rounding that leave the bound wide.

        Which are those of a few variables: near their margin, or between their bounds. The others
        have a sign that is sure, and no share.
        """
        if self.problem.kind is not float or not any(self.errors):
            return self
        zeros, exact = [0.0] * len(self.errors), [0.0] * len(self.lam)
        ridge = spread(self.form, self.problem.ridge())
        told, sharp = (
            list(_shares(self.form, self.beta, ridge, answer.excess(), max))
            for answer in (self, self._replace(errors=zeros, lam_errors=exact))
        )
        wide, size = [a - b for a, b in zip(told, sharp)], total(sharp)
        if not total(wide) > WIDE * size:
            return self
        rows = [k for k, v in enumerate(wide) if not v * len(wide) <= WIDE * size / 2]
        if len(rows) * (len(self.coefs) - self.coefs.count(0)) > MOST_PRODUCTS:
            return self
        return self._without_rounding(rows)

    def _without_rounding(self, rows: list[int]) -> JudgedAnswer:
        """The same with these residuals made of exact sums; their kernel values may be rounded."""
        problem, form, coefs = self.problem, self.form, self.coefs
        of = range(problem.n) if form.of is None else form.of
        exact = ExactResiduals(problem, form, of, self.beta, coefs)
        v = 0 if has_exact_values(problem) else roundings_of(problem.kernel, problem.rows)
        r, errors = list(self.r), list(self.errors)
        scales = _scales(problem, form, self.beta, coefs, None)[1] if v else errors
        for k in rows:
            residual = exact.residual(k)
            try:
                r[k] = float(residual)
            except OverflowError:
                continue
            error = _at_least(abs(residual - Fraction(r[k])), float) + self.w_error * self.roots[k]
            if v:
                error += of_sum(v, scales[k]) + v * TINY
            errors[k] = above(error, 4)
        return self._replace(r=r, errors=errors)

    def lifted(self, excess: Any) -> tuple[Any, Any]:
        """Return what w is multiplied by so that no margin is short that allows no slack.

        With the excess that is left then; None where nothing helps.
        """
        form, kind = self.form, self.problem.kind
        short = kind(0)
        for (low, high), least, most, C in zip(excess, *_limits(form)):
            if most == inf and (C is None or C == inf):
                short = max(short, high)
            if least == -inf and (C is None or C == inf):
                short = max(short, -low)
        if short == 0:
            return kind(1), excess
        lift = self.problem.lift(short)
        if lift is None:
            return None, excess
        factor, more = lift
        if kind is float:
            factor, more = factor and (factor if factor == 1 else above(factor, 4)), above(more, 4)
        ridge = spread(form, self.problem.ridge())
        found = []
        for (low, high), t, c, x in zip(excess, form.target, ridge, self.beta):
            fixed = (factor - 1) * (c * x - t) - more
            error = 8 * U * (factor * max(abs(low), abs(high)) + abs(fixed))
            error = error if kind is float else 0
            found.append((factor * low + fixed - error, factor * high + fixed + error))
        return factor, found

    def feasible(self, excess: Any) -> tuple[Numbers, Any, Any]:
        """Return the variables within their bounds, and what a feasible choice may cost besides.

        The cost in shares, and how far it moves w. inf where nothing is feasible.
        """
        form, beta = self.form, list(self.beta)
        cost, moved = self.problem.kind(0), self._rounded_off()
        sizes = [max(abs(low), abs(high)) for low, high in excess]
        for k, (x, low, high) in enumerate(zip(beta, form.lower, form.upper)):
            if not low <= x <= high:
                beta[k] = min(max(x, low), high)
                cost += abs(x - beta[k]) * sizes[k]
                moved += abs(x - beta[k]) * self.roots[k]
        for group, s in zip(form.groups, form.sums):
            much = surplus(group, s, beta)
            if much == 0:
                continue
            if infeasible_group(form) is not None:
                return beta, inf, inf
            size = _at_least(abs(much), self.problem.kind)
            ends = form.lower if much > 0 else form.upper
            able = [k for k in group if abs(ends[k] - beta[k]) > size]
            k = min(able or group, key=lambda k: sizes[k] if able else -sizes[k])
            cost += size * sizes[k]
            moved += size * (self.roots[k] if able else max(self.roots))
        return beta, cost, moved

    def _rounded_off(self) -> Any:
        """How far the coefficients, which are rounded, move w: where two variables make one."""
        n, moved = self.problem.n, self.problem.kind(0)
        if len(self.beta) == n:
            return moved
        for a, b, c, root in zip(self.beta, self.beta[n:], self.coefs, self.roots):
            net = a + b
            error = of_difference(a, -b) if self.problem.kind is float else 0
            moved += (abs(net - c) + error) * root
        return moved

    def least(self) -> Any:
        """Return what the primal is at least above the dual of the multipliers made feasible."""
        excess = self.excess()
        factor, excess = self.lifted(excess)
        if factor is None:
            return inf
        beta, cost, _ = self.feasible(excess)
        ridge = spread(self.form, self.problem.ridge())
        found = self.problem.scale * total(_shares(self.form, beta, ridge, excess, min))
        if self.problem.kind is float:
            found -= of_sum(len(beta) + 16, found) + 2 * self.problem.scale * cost
        return max(found, self.problem.kind(0))

    def least_loss_of_offsets(self) -> Any:
        """Return what the primal is at least above its value with the best lam, for this w."""
        problem, form = self.problem, self.form
        zero = problem.kind(0)
        if form.hard or not form.groups or inf in form.upper and not form.squared:
            return zero
        ridge = spread(form, problem.ridge())
        r = [x + c * b for x, c, b in zip(self.r, ridge, self.beta)]
        best = [middle(*ends) for ends in problem.best_lam(form, r)]
        found = size = zero
        for s, v, other, error in zip(form.sums, self.lam, best, self.lam_errors):
            if s != 0:
                parts = problem.kind(s) * v, problem.kind(s) * other
                found += parts[0] - parts[1]
                size += abs(parts[0]) + abs(parts[1])
                found -= abs(problem.kind(s)) * error
        own = self._losses(self.lam, min)
        others = self._losses(best, max)
        for a, c in zip(own, others):
            found += a - c
            size += a + c
        if problem.kind is float:
            found -= of_sum(len(own) + 16, size) + len(own) * TINY
        return max(problem.scale * found, zero) if abs(found) < inf else zero

    def _losses(self, lam: Numbers, choose: Any) -> Numbers:
        """Return loss_k at the end of what e_k may be where it is least, or largest."""
        form, exact = self.form, self.problem.kind is not float
        ridge, found = spread(form, self.problem.ridge()), []
        limits = zip(self._replace(lam=lam).excess(), ridge, self.beta, *_limits(form))
        for (low, high), c, x, least, most, C in limits:
            error = 0 if exact else 4 * U * (abs(c * x) + max(abs(low), abs(high)))
            low, high = low + c * x - (error if c else 0), high + c * x + (error if c else 0)
            ends = [loss(low, least, most, C), loss(high, least, most, C)]
            found.append(min(ends) * 0 if choose is min and low <= 0 <= high else choose(ends))
        return found


def _limits(form: DualForm) -> tuple[Any, Any, Any]:
    """Return lower, upper and C of squared slack, or None, of all variables."""
    return form.lower, form.upper, form.squared or [None] * len(form.target)


def _shares(form: DualForm, beta: Numbers, ridge: Numbers, excess: Any, choose: Any) -> Any:
    """Yield the share of each variable where it is largest, or least, within its excess."""
    for x, c, (low, high), least, most, C in zip(beta, ridge, excess, *_limits(form)):
        if choose is min and low <= 0 <= high:
            yield x * 0
        elif C is None or C == inf:
            yield choose(_hinge_share(e, most - x, x - least) for e in (low, high))
        else:
            ends = (low, high) if most > 0 else (-low, -high)
            yield choose(_square_share(d, abs(x), C, c) for d in ends)


def _hinge_share(e: Any, rise: Any, fall: Any) -> Any:
    """Return what a variable that may rise and fall so far adds to the gap, with e_k = e.

    An infinite room adds nothing, as what is short of it was lifted.

    >>> _hinge_share(0.5, 2.0, 1.0), _hinge_share(-0.5, 2.0, 1.0), _hinge_share(-0.5, 2.0, 0.0)
    (1.0, 0.5, 0.0)
    """
    room = rise if e > 0 else fall
    return room * abs(e) if room < inf else 0 * e


def _square_share(d: Any, a: Any, C: Any, ridge: Any) -> Any:
    """Return the same under squared slack, with the excess d of the margin and the multiplier a.

    >>> _square_share(0.5, 2.0, 2.0, 0.5), _square_share(-2.0, 2.0, 2.0, 0.5)
    (0.25, 3.0)
    """
    return C * (d * d) / 2 if d >= -ridge * a else -a * (d + ridge * a / 2)


def _at_least(value: Any, kind: Any) -> Any:
    """The double next to a Fraction that is not below it; the Fraction itself."""
    if kind is not float:
        return value
    try:
        return above(float(value), 1)
    except OverflowError:
        return inf


# What is judged: multipliers and offsets, made into variables, residuals and lam


def judged_answer(problem: Any, alpha: Any, offsets: Sequence[Any]) -> JudgedAnswer:
    """Return the JudgedAnswer of multipliers and offsets; the best lam, where none are given."""
    point = problem.at(alpha, offsets)
    problem, form, beta = point.problem, point.form, point.beta
    alpha = problem.multipliers(alpha)
    w_norm2 = point.w_norm2 if problem.linear and problem.kind is float else None
    coefs = problem.beta(alpha)
    found = judge(problem, form, beta, coefs, point.residuals(), w_norm2=w_norm2)
    if not offsets:
        return found._replace(lam=point.lam, lam_errors=[problem.kind(0)] * len(point.lam))
    return found.with_offsets(alpha, problem.numbers_of_offsets(offsets), point.w_norm2)


def judge(
    problem: Any,
    form: DualForm,
    beta: Numbers,
    coefs: Numbers,
    r: Numbers,
    *,
    carried: Any = 0,
    w_norm2: Any = None,
) -> JudgedAnswer:
    """Return the JudgedAnswer of variables and their residuals, with offsets that are all 0.

    carried: what else the residuals may be off by, besides the rounding that beta explains
    w_norm2: |w|^2, if scores are those of the w that a linear model keeps
    """
    lam = [problem.kind(0) for _ in form.groups]
    if problem.kind is not float:
        zeros, norms = [Fraction(0)] * len(beta), spread(form, problem.squared_norms())
        roots = [root_above(abs(v)) for v in norms]
        return JudgedAnswer(problem, form, beta, coefs, r, zeros, lam, lam, roots, Fraction(0))
    ridge = problem.ridge()
    sizes, scales, terms = _scales(problem, form, beta, coefs, w_norm2)
    roots = spread(form, [above(sqrt(abs(s) + c), 4) for s, c in zip(sizes, ridge)])
    mass = total(s * abs(b) for s, b in zip(roots, beta))
    errors, w_error = [0.0] * len(beta), 0.0
    if not adds_exactly(max(scales), _grain_of_residuals(problem, form, beta)):
        errors = [of_sum(terms, s) + terms * TINY for s in scales]
        w_error = _error_of_w(problem, form, coefs, mass if w_norm2 is None else sqrt(w_norm2))
        if w_norm2 is None or problem.has_kernel_values_as_targets:  # scores of another w
            errors = [e + w_error * s for e, s in zip(errors, roots)]
        if 0 < mass < SMALLEST:  # products may be lost
            errors = [inf] * len(errors)
    errors = [above(e + carried, 4) for e in errors]
    return JudgedAnswer(problem, form, beta, coefs, r, errors, lam, lam, roots, w_error)


def _scales(
    problem: Any, form: DualForm, beta: Numbers, coefs: Numbers, w_norm2: Any
) -> tuple[Numbers, Numbers, Any]:
    """The sizes of the kernel's values, what is added to each residual at most, and how often.

    That is sum_j |beta_j K_kj|, at most sqrt(s_k) S, and |target_k|, in q + v + 5 roundings (see
    solvers/ending.py for what each is); with the w of a linear model |w| |x_k|, in v + 5.
    """
    ridge, v, target = problem.ridge(), roundings_of(problem.kernel, problem.rows), form.target
    terms = v + 5 if w_norm2 is not None else len(beta) - beta.count(0) + v + 5
    if may_exceed_its_diagonal(problem.kernel):
        sizes, added = problem.squared_norms(), _sizes_of_scores(problem, coefs)
        added = [s + c * abs(b) for s, c, b in zip(added, ridge, coefs)]
        scales = spread(form, added)
    else:
        sizes = value_errors(problem.kernel, problem.rows).sizes
        roots = spread(form, [sqrt(s + c) for s, c in zip(sizes, ridge)])
        if problem.has_kernel_values_as_targets:  # K_ii / 2, which may be less than its size
            target = [s / 2 for s in spread(form, sizes)]
        mass = total(s * abs(b) for s, b in zip(roots, beta))
        if w_norm2 is not None:  # of the ridge's part 1 / C_k, its multiplier alone
            mass = sqrt(w_norm2)
            own = [c * abs(b) for c, b in zip(spread(form, ridge), beta)]
            roots = spread(form, [sqrt(s) for s in sizes])
            scales = [s * mass + c for s, c in zip(roots, own)]
        else:
            scales = [s * mass for s in roots]
    return sizes, [s + abs(t) for s, t in zip(scales, target)], terms


def _sizes_of_scores(problem: Any, coefs: Numbers) -> Numbers:
    """sum_j |beta_j K_ij| of each example: for kernel values that nothing is known of."""
    row, sizes = problem.kernel_rows(), [0.0] * problem.n
    for c, x in zip(coefs, problem.rows):
        if c != 0:
            sizes = [s + abs(c * k) for s, k in zip(sizes, row(x))]
    return sizes


def _grain_of_residuals(problem: Any, form: DualForm, beta: Numbers) -> float:
    """A power of two of which all that is added to residuals are multiples; 0 where unknown."""
    of_values = grain_of_values(problem.kernel, problem.rows)
    if of_values == 0 or len(beta) > MOST_NUMBERS:
        return 0.0
    of_beta = grain(beta)
    of_ridge = grain(problem.ridge())
    exactly = problem.exact_ridge() == list(map(Fraction, problem.ridge()))
    if not exactly or problem.exact_target(form) != list(map(Fraction, form.target)):
        return 0.0
    return min(_times(of_beta, of_values), _times(of_beta, of_ridge), grain(form.target))


def _times(a: float, b: float) -> float:
    """The product of two grains: inf where one of them is, as all is 0 then."""
    return inf if inf in (a, b) else a * b


def _error_of_w(problem: Any, form: DualForm, coefs: Numbers, mass: Any) -> Any:
    """How far the w that a Model of the linear kernel keeps may be from sum beta_j x_j.

    Each number of it is rounded once. And it is that of the rows as given: where the coefficients
    add up to d more than they must, it has d times the shift more than that of the shifted rows.
    """
    if not problem.linear:
        return 0.0
    found = of_sum(2, mass)
    shift = problem.point_shift
    if shift and any(shift):
        d = exact_total(coefs) - sum(form.sums)  # exact
        found += above(abs(float(d)), 2) * above(sqrt(squared_norm(shift)), len(shift) + 2)
    return found


# In JudgedAnswer: offsets that are kept


def _exact_lam(problem: Any, alpha: Numbers, offsets: Numbers, w_norm2: Any) -> list[Fraction]:
    """The lam of these offsets, for the w that a Model keeps, on the rows computed with."""
    given = [Fraction(v) for v in offsets]
    shift, names = problem.point_shift, problem.offsets_class._fields
    if "b" in names and shift and any(shift):
        w, unit_of_w = scaled_integers(problem.point_weights(alpha))
        moved, unit = scaled_integers(shift)
        given[names.index("b")] += Fraction(integer_dot(w, moved), unit_of_w * unit)
    return problem.lam_of(given, Fraction(w_norm2))  # type: ignore[no-any-return]
