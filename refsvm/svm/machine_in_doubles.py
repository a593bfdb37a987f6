"""A machine in doubles beside multipliers: how far its primal is from the optimum, by bounds.

The theorem is that of gap_bounds.py. In doubles e_k = r_k - lam_g is known up to an error, that of
r_k (residual_bounds.py) and that of lam, which follows from the offsets that are kept; and a share
is largest at an end of where e_k lies, as it is convex. The multipliers need not be feasible: each
is moved to the nearest end of its interval, and what a sum lacks then is taken from some. A change
of Delta_k adds at most |Delta_k| |e_k| to the shares, and |Delta_k| sqrt(K_kk) to |w - v|.

Where an example allows no slack and its margin is short, the machine is mended first, see
TrainingProblem.primal. What is short then counts nothing in the theorem, and mending adds to the
primal: (w, b) times a factor 1 / (1 - short) multiplies |w|^2 by its square, and no slack by more;
a ball that grows by `short` adds as much. Of the ball, whose primal is twice that of its form, all
counts twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from ..numerics.linalg import subtract, total
from ..numerics.rounding_bounds import (
    MAX_DOUBLE,
    MIN_DOUBLE,
    U,
    above,
    nearest_double,
    norm_above,
    norm_below,
    of_sum,
    rounded_up,
)
from ..numerics.types import Number, VectorLike
from .dual_form import DualForm, Numbers, infeasible_group, middle, surplus
from .residual_bounds import BoundedResiduals, residuals_by_w

if TYPE_CHECKING:
    from .training_problem import Evaluation, TrainingProblem

LEAST_SQUARED = 2.0**-480  # the square of a smaller one loses digits, which C may make large


class MachineInDoubles(NamedTuple):
    """Variables of a problem on doubles, and the machine that is kept of them.

    residuals   of the machine: of its w, which may be off from that of the variables by w_error
    lam         of each group, of the offsets that are kept
    lam_errors  upper bounds of how far each is off
    least_apart  a lower bound of |w - v|, v being that of the variables
    """

    problem: Any
    form: DualForm
    beta: Numbers
    residuals: BoundedResiduals
    lam: Numbers
    lam_errors: Numbers
    least_apart: float = 0.0

    def most(self) -> float:
        """Return an upper bound of the duality gap, with feasible multipliers near beta (S30.6).

        Where a margin is short that allows no slack, of the machine that is mended.
        """
        found, short = self.apart(), self.largest_shortness()
        if short > 0:
            _, dual = self.dual()
            found += above(self.problem.cost_of_mending(short, max(dual + found, 0.0)), 8)
        return float(above(self.problem.scale * found, 4)) if found < inf else inf

    def apart(self) -> float:
        """Return an upper bound of the right side of the theorem, in units of the form.

        What is short of a margin that allows no slack counts nothing.
        """
        shares, cost, distance = self.parts()
        found = shares + cost + distance * distance / 2
        if not found < inf:
            return inf
        found = found if found > 0 or distance == 0 else MIN_DOUBLE
        return float(above(found, len(self.beta) + 12))

    def parts(self) -> tuple[Any, Any, Any]:
        """Return (the shares' sum, the cost of feasible multipliers in shares, |w - v|): bounds.

        refsvm_fast adds them up where all is as it is as a rule.
        """
        plain = self.problem.plain_parts(*self[1:6])
        if plain is not None:
            return plain  # type: ignore[no-any-return]
        moves = moves_to_feasible(self.form, self.beta)
        if moves is None:
            return inf, inf, inf
        excess, roots = self.excess(), self.residuals.roots
        cost, moved = cost_of_moves(moves, [max(-low, high) for low, high in excess], roots)
        shares: Number = total(self.shares(excess, max))
        return shares, cost, self.residuals.w_error + moved

    def largest_shortness(self) -> float:
        """Return an upper bound of how short a margin is that allows no slack; 0 if none is."""
        form, short = self.form, 0.0
        if inf in (form.squared or [inf]) and (inf in form.upper or -inf in form.lower):
            for (low, high), least, most, C in zip(self.excess(), *_limits(form)):
                if C == inf and inf in (most, -least):
                    short = max(short, high if most == inf else -low)
        return short

    def dual(self) -> tuple[float, float]:
        """Return bounds of the dual of feasible multipliers near beta, in units of the form.

        It is sum beta_k (target_k + r_k) / 2, also with a ridge. Moves of Delta_k add sum r_k
        Delta_k, and take half the square off of how far they move v. Standard: S30.7.
        """
        plain = self.problem.plain_dual(*self[1:4])
        if plain is not None:
            return plain  # type: ignore[no-any-return]
        moves, n = moves_to_feasible(self.form, self.beta), len(self.beta)
        r, errors, roots, _ = self.residuals
        if moves is None:
            return -inf, inf
        if not moves and not any(self.beta):
            return 0.0, 0.0
        slopes = [abs(v) + e for v, e in zip(r, errors)] if moves else []
        cost, moved = cost_of_moves(moves, slopes, roots)
        doubled = size = off = 0.0
        for x, t, v, e in zip(self.beta, self.form.target, r, errors):
            if x != 0:
                doubled += x * (t + v)
                size += abs(x) * (abs(t) + abs(v))
                off += abs(x) * e
        lost = (off + of_sum(n + 4, size)) / 2 + (cost + moved * moved) + n * MIN_DOUBLE
        lost = above(lost, 8)
        return (doubled / 2 - lost, doubled / 2 + lost) if lost < inf else (-inf, inf)

    def excess(self) -> list[tuple[float, float]]:
        """Return between what r_k - lam_g lies, for each variable."""
        lams, off = (self.form.lam_per_variable(v) for v in (self.lam, self.lam_errors))
        found = []
        for x, error, v, of_lam in zip(self.residuals.r, self.residuals.errors, lams, off):
            e = x - v
            if abs(e) == inf:  # of two doubles: it is beyond them all
                found.append((MAX_DOUBLE, inf) if e > 0 else (-inf, -MAX_DOUBLE))
                continue
            error = error + of_lam + 4 * U * abs(e)  # of this difference, and of the next two
            found.append((e - error, e + error))
        return found

    def shares(self, excess: Sequence[tuple[Number, Number]], choose: Any) -> Numbers:
        """Return the share of each variable where it is largest, or least, within its excess.

        Of variables outside their intervals, at the nearest end.
        """
        found, ridge = [], self.form.per_variable(self.problem.ridge())
        for x, c, ends, low, high, C in zip(self.beta, ridge, excess, *_limits(self.form)):
            x = min(max(x, low), high)
            if choose is min and ends[0] <= 0 <= ends[1]:
                found.append(0.0)
            elif C == inf:
                found.append(choose(hinge_share(e, high - x, x - low) for e in ends))
            else:
                signed = ends if high > 0 else (-ends[0], -ends[1])
                found.append(choose(square_share(d, abs(x), C, c) for d in signed))
        return found

    def least(self) -> float:
        """Return a lower bound of the duality gap, with feasible multipliers near beta (S30.6)."""
        moves, excess = moves_to_feasible(self.form, self.beta), self.excess()
        if moves is None:
            return inf
        widths = [high - low for low, high in zip(self.form.lower, self.form.upper)]
        if min(*widths, *(self.form.squared or ())) < inf and self.largest_shortness() > 0:
            return 0.0  # the slack of others may be less where the machine is mended
        slopes = [max(-low, high) for low, high in excess]
        cost, moved = cost_of_moves(moves, slopes, self.residuals.roots)
        apart = max(self.least_apart - above(moved, len(moves) + 4), 0.0)
        found: Any = total(self.shares(excess, min)) + apart * apart / 2
        found -= of_sum(len(self.beta) + 16, found) + 2 * cost
        found *= self.problem.scale
        return found if 0 < found < inf else 0.0

    def least_loss_of_offsets(self) -> float:
        """Return a lower bound of the primal less its value with the best lam, for this w.

        Both are above the same dual, by their shares, but for what sums lack times the difference
        of lam.
        """
        form = self.form
        if not has_best_offsets(form):
            return 0.0
        ridge = form.per_variable(self.problem.ridge())
        r = [v + c * x for v, c, x in zip(self.residuals.r, ridge, self.beta)]
        best = [middle(*ends) for ends in self.problem.best_lam(form, r)]
        given = self.shares(self.excess(), min)
        others = self.shares(self._replace(lam=best).excess(), max)
        lost = len(given) * MIN_DOUBLE + of_sum(len(given) + 16, total(given) + total(others))
        for part, size in moves_to_feasible(form, self.beta) or ():
            g = next(g for g, group in enumerate(form.groups) if part[0] in group)
            lost += 2 * size * (abs(self.lam[g] - best[g]) + self.lam_errors[g])
        found = self.problem.scale * (total(a - c for a, c in zip(given, others)) - lost)
        return max(found, 0.0) if found < inf else 0.0


def has_best_offsets(form: DualForm) -> bool:
    """Return whether other offsets are compared, for the same w: where all allow some slack."""
    slack = form.squared is not None or inf not in form.upper
    return bool(form.groups) and not form.hard and slack


def _limits(form: DualForm) -> tuple[Numbers, Numbers, Numbers]:
    """Return lower, upper and C of squared slack, which is infinite without, of all variables."""
    return form.lower, form.upper, form.squared or [inf] * len(form.target)


def hinge_share(e: float, rise: float, fall: float) -> float:
    """Return what a variable that may rise and fall so far adds to the gap, with e_k = e.

    An infinite room adds nothing, as what is short of it is mended.

    >>> hinge_share(0.5, 2.0, 1.0), hinge_share(-0.5, 2.0, 1.0), hinge_share(-0.5, 2.0, 0.0)
    (1.0, 0.5, 0.0)
    """
    room = rise if e > 0 else fall
    return room * abs(e) or MIN_DOUBLE if 0 < room < inf and e != 0 else 0.0  # it may be lost


def square_share(d: float, a: float, C: float, ridge: float) -> float:
    """Return the same under squared slack, with the excess d of the margin and the multiplier a.

    >>> square_share(0.5, 2.0, 2.0, 0.5), square_share(-2.0, 2.0, 2.0, 0.5)
    (0.25, 3.0)
    """
    square = C * (d * d) if abs(d) >= LEAST_SQUARED else C * d * d
    found = square / 2 if d >= -ridge * a else -a * (d + ridge * a / 2) if a > 0 else 0.0
    return found or (MIN_DOUBLE if d != 0 and (a > 0 or d > 0) else 0.0)  # a product may be lost


def moves_to_feasible(form: DualForm, beta: Numbers) -> list[tuple[Sequence[int], float]] | None:
    """Return [(variables, size)]: some of these move by it, together; None if none help (S30.6).

    First each to the nearest end of its interval; then what the sum of a group lacks.
    """
    moves: list[tuple[Sequence[int], float]] = []
    clipped = list(beta)
    for k, (x, low, high) in enumerate(zip(beta, form.lower, form.upper)):
        if not low <= x <= high:
            clipped[k] = min(max(x, low), high)
            moves.append(([k], above(abs(x - clipped[k]), 1)))
    for group, s in zip(form.groups, form.sums):
        much = surplus(group, s, clipped)
        if much != 0:
            moves.append((group, rounded_up(abs(much))))
    return None if moves and infeasible_group(form) is not None else moves


def cost_of_moves(
    moves: Sequence[tuple[Sequence[int], Number]], slopes: Numbers, roots: Numbers
) -> tuple[float, float]:
    """Return upper bounds of sum |slope_k| |Delta_k| and of how far w moves."""
    cost = moved = 0.0
    for some, size in moves:
        cost += size * max(slopes[k] for k in some)
        moved += size * max(roots[k] for k in some)
    return cost, moved


# Of answers that are given


def machine_at(
    point: Evaluation, alpha: VectorLike, offsets: VectorLike, rounds_w: bool = True
) -> MachineInDoubles:
    """Return the machine of multipliers and offsets that were evaluated; on doubles.

    Without offsets with the best lam. If w is not rounded b belongs to that w: on shifted rows
    lam is another by (w as rounded - w).shift.
    """
    if point.problem.kind is not float:
        alpha, offsets = list(map(float, alpha)), list(map(float, offsets))
        point = point.problem.to(float).at(alpha, offsets)
    problem, form, beta = point.problem, point.form, point.beta
    alpha = problem.multipliers(alpha)
    if problem.linear:
        residuals = residuals_by_w(problem, form, beta, problem.beta(alpha))
    else:
        given = point.residuals(), 0.0, problem.beta(alpha)
        residuals = problem.bounded_residuals(form, beta, *given)
    found = MachineInDoubles(problem, form, beta, residuals, point.lam, [0.0] * len(point.lam))
    shifted = problem.moved_by_shift(alpha)
    off = 0.0 if rounds_w else error_of_shift(problem, residuals.w_error)
    return with_offsets(found, offsets, point.w_norm2, shifted, off) if offsets else found


def error_of_shift(problem: TrainingProblem, w_error: float) -> float:
    """Return an upper bound of how far <w, shift> is off, where that is part of b."""
    shift = problem.shift_of_b()
    return float(above(w_error * norm_above(shift), 2)) if any(shift) else 0.0


def with_offsets(
    machine: MachineInDoubles,
    offsets: Sequence[Any],
    w_norm2: float,
    shifted: Fraction,
    moved: float = 0.0,
) -> MachineInDoubles:
    """Return the machine with the lam of these offsets, which are of the rows as given.

    w_norm2: |w|^2, as computed from the scores; shifted: what the shift of the rows adds to b
    moved: how far a model moves its offset, or how far lam may be off besides
    """
    problem, names = machine.problem, machine.problem.offsets_class._fields
    asked = [*offsets, *([w_norm2] if problem.has_kernel_values_as_targets else [])]
    if not all(-inf < v < inf for v in asked):  # beyond the doubles: nothing is known of lam
        zeros = [0.0 for _ in machine.form.groups]
        return machine._replace(lam=zeros, lam_errors=[inf for _ in zeros])
    given = list(map(Fraction, offsets))
    if shifted != 0:
        given[names.index("b")] += shifted
    exact = problem.lam_of(given, Fraction(w_norm2) if abs(w_norm2) < inf else Fraction(0))
    lam = [nearest_double(v) for v in exact]
    more = error_of_half_norm2(machine) + moved
    lost = [abs(v - Fraction(x)) if abs(x) < inf else inf for v, x in zip(exact, lam)]
    errors: Numbers = list(map(rounded_up, lost))
    if more > 0:
        errors = [above(e + more, 4) for e in errors]
    return machine._replace(lam=lam, lam_errors=errors)


def error_of_half_norm2(machine: MachineInDoubles) -> float:
    """Return an upper bound of the error of |w|^2 / 2 in the lam of a ball; 0 where no lam has it.

    |w|^2 is computed from the scores of the variables; and w may be off by w_error.
    """
    if not machine.problem.has_kernel_values_as_targets:
        return 0.0
    _, errors, roots, w_error = machine.residuals
    mass = total(s * abs(b) for s, b in zip(roots, machine.beta))
    found = total(abs(b) * e for b, e in zip(machine.beta, errors) if b != 0)
    found += of_sum(len(machine.beta) + 4, mass * mass) + w_error * (mass + w_error)
    return float(above(found, 8))


def machine_of_w(
    problem: TrainingProblem,
    beta: Numbers,
    w: Numbers,
    off: float = 0.0,
    others: Sequence[float] = (),
) -> MachineInDoubles:
    """Return the machine without offset that keeps w, beside the variables beta. O(n d).

    The theorem of the head holds for any w and beta; w_error is then the distance of the two.

    w: in the columns of the points
    off: how far the machine's w may be from this one
    others: its weights in columns where no row has a number
    """
    form, v = problem.dual_form(), problem.point_weights(problem.multipliers_of(beta))
    of_v, found = residuals_by_w(problem, form, beta), residuals_by_w(problem, form, beta, w=w)
    apart, lost = [*subtract(w, v), *others], of_v.w_error + off
    away, least = above(norm_above(apart) + lost, 4), norm_below(apart) - above(lost, 4)
    errors = [above(e + off * s, 2) if off else e for e, s in zip(found.errors, found.roots)]
    residuals = BoundedResiduals(found.r, errors, found.roots, away)
    return MachineInDoubles(problem, form, beta, residuals, [], [], max(least, 0.0))
