"""An answer as it is judged: its residuals and lam, each within a bound, and what they prove.

The theorem and its proof are the head of gap_bounds.py; the formulas of it are here.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any

from ..numerics.exact_sums import round_to_kind
from ..numerics.intervals import root_above
from ..numerics.linalg import total
from ..numerics.records import NamedTuple
from ..numerics.rounding_bounds import LARGEST, TINY, U, above, nearest_size, of_difference, of_sum
from .dual_form import (
    DualForm,
    Numbers,
    infeasible_group,
    loss,
    middle,
    of_variables,
    spread,
    surplus,
)
from .residual_bounds import ErrorBounds, ExactResiduals, error_by_w, left_by_values

WIDE = 2.0**-8  # a bound may be so much wider, in proportion, than the gap as computed
MOST_PRODUCTS = 2**18  # of kernel values and multipliers that are added without rounding


class GapParts(NamedTuple):
    """What a gap is made of.

    shares   what they add up to
    cost     of multipliers that are made feasible, in shares; moved: how far that moves w
    of_lam   what sums lacked, times |lam_g|: the dual may be less by so much besides
    """

    shares: Any
    cost: Any
    moved: Any
    of_lam: Any


class JudgedAnswer(NamedTuple):
    """Variables of a problem with their residuals and lam, and how far each number may be off.

    alpha       the multipliers of the machine that is kept
    r           target - score - ridge beta, of each variable
    accuracy    of the residuals, for the machine that is kept
    lam         of each group, of the offsets that are kept
    lam_errors  how far each may be off
    """

    problem: Any
    form: DualForm
    beta: Numbers
    alpha: Numbers
    r: Numbers
    accuracy: ErrorBounds
    lam: Numbers
    lam_errors: Numbers

    @property
    def has_exact_residuals(self) -> bool:
        """Whether no residual was rounded, nor w. Of lam, |w|^2 or a model that says nothing."""
        return self.problem.kind is not float or not (self.accuracy.w_error or any(self.errors))

    @property
    def coefs(self) -> Numbers:
        """The coefficient of each example in the w that is kept."""
        return self.problem.beta(self.alpha)  # type: ignore[no-any-return]

    @property
    def errors(self) -> Numbers:
        """How far each residual may be off."""
        return self.accuracy.of_variable(len(self.beta))[0]

    @property
    def roots(self) -> Numbers:
        """No less than sqrt(K_kk), with the ridge, of each variable."""
        roots = self.accuracy.of_variable(len(self.beta))[1]
        return roots if roots[0] is not None else _roots_of(self.problem, self.form)

    def most(self) -> Any:
        """Return what the primal is at most above the optimum's."""
        parts = self.parts()
        if parts.moved == inf:  # which no Fraction is added to
            return inf
        distance = self.accuracy.w_error + parts.moved
        found = self.problem.scale * (parts.shares + parts.cost + distance * distance / 2)
        if self.problem.kind is not float:
            return found
        if found != found:  # no number: beyond the doubles
            return inf
        return above(found if found > 0 or distance == 0 else TINY, len(self.beta) + 16)

    def parts(self, lifts: bool = True) -> GapParts:
        """Return the GapParts; lifts: of the machine that is lifted, if it has short margins.

        refsvm_fast adds them up where all is as it is as a rule.
        """
        errors, roots, _, _ = self.accuracy
        given = self.form, self.beta, self.r, errors, roots, self.lam, self.lam_errors
        plain = self.problem.plain_parts(*given)
        if plain is not None:
            return GapParts(*plain)
        grows, excess = self.lifted(self.excess()) if lifts else (0, self.excess())
        if grows is None:
            return GapParts(inf, inf, inf, inf)
        beta, parts = self.feasible(excess)
        ridge = spread(self.form, self.problem.ridge())
        shares = total(_shares(self.form, beta, ridge, excess, max))
        moved = parts.moved
        if grows > 0:
            of_beta = total(s * abs(x) for s, x in zip(self.roots, self.beta))
            moved += grows * (of_beta + self.accuracy.w_error)  # |w| of the machine is no more
        return parts._replace(shares=shares, moved=moved)

    def excess(self) -> list[tuple[Any, Any]]:
        """Return between what r_k - lam_g lies, for each variable."""
        lams, off = (of_variables(self.form, v) for v in (self.lam, self.lam_errors))
        found = []
        for x, error, v, of_lam in zip(self.r, self.errors, lams, off):
            e, error = x - v, error + of_lam
            if abs(e) == inf:  # of two doubles: it is beyond them all
                found.append((LARGEST, inf) if e > 0 else (-inf, -LARGEST))
                continue
            if error > 0:
                error += 4 * U * abs(e)  # of this difference, and of the next two
            found.append((e - error, e + error))
        return found

    def with_offsets(
        self, offsets: Numbers, w_norm2: Any, shifted: Fraction, moved: Any = 0
    ) -> JudgedAnswer:
        """Return the same with the lam of these offsets, which are of the rows as given.

        w_norm2: |w|^2, as computed from the scores; shifted: what the shift of the rows adds to b
        moved: how far a model moves its offset
        """
        asked = [*offsets, *([w_norm2] if self.problem.has_kernel_values_as_targets else [])]
        if not all(-inf < v < inf for v in asked):  # beyond the doubles: nothing is known of lam
            return self._replace(lam_errors=[inf] * len(self.lam))
        if shifted == 0 and self.problem.has_plain_offsets():
            zeros = [self.problem.kind(0) + moved for _ in self.lam]
            return self._replace(lam=self.problem.lam_of(offsets, w_norm2), lam_errors=zeros)
        given, names = [Fraction(v) for v in offsets], self.problem.offsets_class._fields
        if shifted != 0:
            given[names.index("b")] += shifted
        norm2 = Fraction(w_norm2) if -inf < w_norm2 < inf else Fraction(0)
        exact, kind = self.problem.lam_of(given, norm2), self.problem.kind
        lam = [round_to_kind(v, kind) for v in exact]
        errors = [at_least(abs(v - Fraction(x)), kind) for v, x in zip(exact, lam)]
        more = self.error_of_half_norm2(w_norm2) + moved
        if more > 0:
            errors = [above(e + more, 4) for e in errors]
        return self._replace(lam=lam, lam_errors=errors)

    def error_of_half_norm2(self, w_norm2: Any) -> Any:
        """Return how far |w|^2 / 2 may be off in the lam of a ball; 0 where no lam has it.

        |w|^2 has twice the digits of the scores, so it is rounded where they may be exact. From
        these it is then computed without rounding.
        """
        if self.problem.kind is not float or not self.problem.has_kernel_values_as_targets:
            return 0
        if self.has_exact_residuals and abs(w_norm2) < inf:
            terms = zip(self.beta, self.form.target, self.r)
            exact = sum(Fraction(b) * (Fraction(t) - Fraction(r)) for b, t, r in terms)  # exact
            return at_least(abs(exact - Fraction(w_norm2)) / 2, float)
        mass = total(s * abs(b) for s, b in zip(self.roots, self.beta))
        found = total(abs(b) * e for b, e in zip(self.beta, self.errors) if b != 0)
        w_error = self.accuracy.w_error
        found += of_sum(len(self.beta) + 4, mass * mass) + w_error * w_error
        return above(found, 8)

    def narrowed(self) -> JudgedAnswer:
        """Return the same with the residuals without rounding that leave the bound wide.

        Which are those of a few variables: near their margin, or between their bounds. The others
        have a sign that is sure, and no share.
        """
        if self.has_exact_residuals or not isinstance(self.accuracy.errors, list):
            return self
        ridge, sharp = spread(self.form, self.problem.ridge()), self.accuracy._replace(errors=0.0)
        answers = self, self._replace(accuracy=sharp, lam_errors=[0.0] * len(self.lam))
        told, point = (
            list(_shares(self.form, self.beta, ridge, answer.excess(), max)) for answer in answers
        )
        wide, size = [a - b for a, b in zip(told, point)], total(point)
        if not total(wide) > WIDE * size:
            return self
        rows = [k for k, v in enumerate(wide) if not v * len(wide) <= WIDE * size / 2]
        if len(rows) * (len(self.alpha) - self.alpha.count(0)) > MOST_PRODUCTS:
            return self
        return self._without_rounding(rows)

    def _without_rounding(self, rows: list[int]) -> JudgedAnswer:
        """The same with these residuals made of exact sums; their kernel values may be rounded."""
        problem, form = self.problem, self.form
        of = range(problem.n) if form.of is None else form.of
        exact = ExactResiduals(problem, form, of, self.beta, self.coefs)
        left = left_by_values(problem, form, self.coefs)
        roots, w_error = self.roots, self.accuracy.w_error
        r, errors = list(self.r), list(self.errors)
        for k in rows:
            residual = exact.residual(k)
            try:
                r[k] = float(residual)
            except OverflowError:
                continue
            off = at_least(abs(residual - Fraction(r[k])), float)
            found = above(off + left[k] + error_by_w(w_error, roots[k]), 4)
            errors[k] = found or TINY  # what follows from it is rounded all the same
        return self._replace(r=r, accuracy=ErrorBounds(errors, roots, w_error))

    def lifted(self, excess: Any) -> tuple[Any, Any]:
        """Return by what part w grows at most, so that no margin is short that allows no slack.

        With the excess that is left then; None where nothing helps. The machine that is kept is
        lifted by as little as mends it, which may make slack of others less: so each excess has
        the ends of what that may be.
        """
        form, kind = self.form, self.problem.kind
        shorts = kind(0), kind(0)
        for ends, least, most, C in zip(excess, *_limits(form)):
            if (C is None or C == inf) and inf in (most, -least):
                low, high = ends if most == inf else (-ends[1], -ends[0])
                shorts = max(shorts[0], low), max(shorts[1], high)
        if shorts[1] == 0:
            return kind(0), excess
        least_lift, most_lift = map(self.problem.lift, shorts)
        if least_lift is None or most_lift is None:
            return None, excess
        grows, more = zip(least_lift, most_lift)
        if kind is float:
            grows, more = ((a * (1 - 8 * U), above(b, 4)) for a, b in (grows, more))
        ridge = spread(form, self.problem.ridge())
        found = []
        for (low, high), t, c, x in zip(excess, form.target, ridge, self.beta):
            # target - factor * (score + lam), less the ridge's part, for a factor of 1 + g
            lows, highs = ([e + g * (e + (c * x - t)) for g in grows] for e in (low, high))
            error: Any = 0
            if kind is float:
                sizes = max(abs(low), abs(high)), grows[1], abs(c * x) + abs(t), more[1]
                error = 8 * U * ((1 + sizes[1]) * (sizes[0] + sizes[2]) + sizes[3]) + 4 * TINY
            found.append((min(lows) - more[1] - error, max(highs) - more[0] + error))
        return grows[1], found

    def feasible(self, excess: Any) -> tuple[Numbers, GapParts]:
        """Return the variables within their bounds, and what it may cost to make them feasible."""
        form, beta, kind = self.form, list(self.beta), self.problem.kind
        cost, moved, of_lam = kind(0), self._rounded_off(), kind(0)
        sizes = [max(abs(low), abs(high)) for low, high in excess]
        for k, (x, low, high) in enumerate(zip(beta, form.lower, form.upper)):
            if not low <= x <= high:
                beta[k] = min(max(x, low), high)
                cost += abs(x - beta[k]) * sizes[k]
                moved += abs(x - beta[k]) * self.roots[k]
        for group, s, v in zip(form.groups, form.sums, self.lam):
            much = surplus(group, s, beta)
            if much == 0:
                continue
            size = at_least(abs(much), kind)
            ends = form.lower if much > 0 else form.upper
            able = [k for k in group if abs(ends[k] - beta[k]) > size]
            if not able and infeasible_group(form) is not None:
                return beta, GapParts(inf, inf, inf, inf)
            k = min(able or group, key=lambda k: sizes[k] if able else -sizes[k])
            cost += size * sizes[k]
            moved += size * (self.roots[k] if able else max(self.roots))
            of_lam += size * abs(v)
        return beta, GapParts(kind(0), cost, moved, of_lam)

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
        grows, excess = self.lifted(self.excess())
        if grows is None:
            return inf
        beta, parts = self.feasible(excess)
        ridge = spread(self.form, self.problem.ridge())
        found = self.problem.scale * total(_shares(self.form, beta, ridge, excess, min))
        if self.problem.kind is float:
            found -= of_sum(len(beta) + 16, found) + 2 * self.problem.scale * parts.cost
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
    (1.0, 0.5, 0)
    """
    room = rise if e > 0 else fall
    return room * abs(e) or TINY if 0 < room < inf and e != 0 else 0  # a product may be lost


def _square_share(d: Any, a: Any, C: Any, ridge: Any) -> Any:
    """Return the same under squared slack, with the excess d of the margin and the multiplier a.

    >>> _square_share(0.5, 2.0, 2.0, 0.5), _square_share(-2.0, 2.0, 2.0, 0.5)
    (0.25, 3.0)
    """
    found = C * (d * d) / 2 if d >= -ridge * a else -a * (d + ridge * a / 2) if a > 0 else a
    return found or (TINY if d != 0 and (a > 0 or d > 0) else found)  # a product may be lost


def at_least(value: Any, kind: Any) -> Any:
    """The double next to a Fraction that is not below it; the Fraction itself."""
    if kind is not float:
        return value
    try:
        return above(nearest_size(value), 1)
    except OverflowError:
        return inf


def _roots_of(problem: Any, form: DualForm) -> Numbers:
    """Return a Fraction no less than sqrt(K_kk), with the ridge, of each variable."""
    sizes = zip(problem.squared_norms(), problem.ridge())
    return spread(form, [root_above(abs(k) + c) for k, c in sizes])
