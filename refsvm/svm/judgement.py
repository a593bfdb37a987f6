"""Is an answer what its solver promised? Judged by bounds that hold in exact arithmetic.

A solver that stops at tol promises that with the offsets it gives every condition holds within
tol: e_k = r_k - lam_g is at most tol where the variable may rise, and at least -tol where it may
fall. Then each share of the gap (gap_bounds.py) is at most tol times what its variable may differ
by, or tol^2 C_k / 2 with squared slack; `promised_gap` adds these up. tol counts in units of the
machine: 1 for C-SVC, else rho, half the spread of the values, or R^2.

    feasible    each multiplier within its bounds, and each sum right, but for rounding
    gap         at most promised_gap
    offset      each condition within LEEWAY tol: what rho, b or R^2 must lie between

Each is found to lie between two numbers, low and high, in exact arithmetic. It passes where high
is at most what is allowed, and FAILs where low is more; between these doubles cannot tell.

Source: Keerthi et al., Neural Computation 13 (2001), pages 637-649, for the promise.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from ..numerics.display import text_above
from ..numerics.linalg import total
from ..numerics.rounding_bounds import U, rounded_down
from ..numerics.types import Number
from .dual_form import DualForm, Numbers, exact_total, surplus
from .machine_in_doubles import MachineInDoubles

if TYPE_CHECKING:
    from .training_problem import TrainingProblem


PASS, FAIL, UNDECIDED = "pass", "FAIL", "undecided in doubles"
# Programs round: LIBSVM keeps kernel values in single precision, and m - M <= tol is what it reads
# of these. An offset that is off by twice tol is no mistake, then; the mistakes of a program are
# larger by far.
LEEWAY = 2
# Of multipliers and their sums, in proportion: single precision, and files of six digits. What it
# costs is in the bound of the gap.
SINGLE_EPS = 2.0**-20


class JudgedPromise(NamedTuple):
    """What is asked of an answer, between what it lies, what is allowed, and the verdict."""

    verdict: str
    what: str  # "alpha", "sum", "gap" or "offset"
    low: Number
    high: Number
    allowed: Number


class Judgement(NamedTuple):
    """Whether an answer is what its solver promised.

    verdict   "pass", "FAIL" or "undecided in doubles"
    promises  of alpha, of each sum, of the gap, and of the lam of each group
    broken    by how much each example breaks its conditions, at most
    """

    verdict: str
    promises: list[JudgedPromise]
    broken: Numbers

    def promise(self, what: str) -> JudgedPromise:
        """Return the promise of this, the worst of several."""
        found = [promise for promise in self.promises if promise.what == what]
        return max(found, key=lambda f: (SEVERITY.index(f.verdict), f.high))


SEVERITY = (PASS, UNDECIDED, FAIL)


def judged_promise(
    what: str, low: Number, high: Number, allowed: Any, at_most: Any = None
) -> JudgedPromise:
    """Return the JudgedPromise with its verdict.

    at_most: where what is allowed is known between two ends: the upper one

    >>> [judged_promise("gap", low, 2.0, 1.0).verdict for low in (0.5, 1.5)]
    ['undecided in doubles', 'FAIL']
    """
    fails = low > (allowed if at_most is None else at_most)
    verdict = PASS if high <= allowed < inf else FAIL if fails else UNDECIDED
    return JudgedPromise(verdict, what, low, high, allowed)


def judge(machine: MachineInDoubles, within: Number, rounding: Number = SINGLE_EPS) -> Judgement:
    """Return the Judgement of an answer whose solver stopped at m - M <= within.

    Parameters
    ----------
    machine : MachineInDoubles
    within : number
        tol times the unit of the machine
    rounding : float
        by how much multipliers may differ from what they mean, in proportion
    """
    gap = machine.least(), machine.most()
    given = machine.problem, machine.form, machine.beta
    return judgement_of(*given, machine.excess(), gap, within, rounding)


def judgement_of(
    problem: TrainingProblem,
    form: DualForm,
    beta: Numbers,
    excess: Sequence[tuple[Number, Number]],
    gap: tuple[Number, Number],
    within: Number,
    rounding: Number = SINGLE_EPS,
) -> Judgement:
    """Return the Judgement of variables; excess: between what each r_k - lam_g lies."""
    low, high = gap
    clipped = [min(max(x, a), b) for x, a, b in zip(beta, form.lower, form.upper)]
    feasible = _promises_of_multipliers(problem, form, beta, rounding)
    # For hard margins: the primal is at most the dual and the gap, and the dual is unknown.
    primal = _primal_above(form, clipped, high)
    allowed = rounded_down(promised_gap(problem, clipped, primal, within), problem.kind)
    broken = [_broken(*parts, rounding) for parts in zip(beta, form.lower, form.upper, excess)]
    offsets = [
        judged_promise(
            "offset",
            max([broken[k][0] for k in group], default=0),
            max([broken[k][1] for k in group], default=0),
            LEEWAY * within,
        )
        for group in form.groups or [range(len(beta))]
    ]
    promises = [*feasible, judged_promise("gap", low, high, allowed), *offsets]
    verdict = max((promise.verdict for promise in promises), key=SEVERITY.index)
    return Judgement(verdict, promises, _of_examples(problem, form, [most for _, most in broken]))


def _primal_above(form: DualForm, beta: Numbers, gap: Any) -> Any:
    """Return what the primal is at most, where promised_gap asks: target' beta and the gap."""
    if not form.hard:
        return 0
    return gap if gap == inf else gap + abs(total(t * b for t, b in zip(form.target, beta)))


def _promises_of_multipliers(
    problem: TrainingProblem, form: DualForm, beta: Numbers, rounding: Number
) -> list[JudgedPromise]:
    """Return the promises on alpha and on the sum of each group; they are exact, but for size."""
    size, zero = total(map(abs, beta)), problem.kind(0)
    outside = share = zero
    for x, low, high in zip(beta, form.lower, form.upper):
        off = max(low - x, x - high)
        bound = max(abs(v) for v in (low, high) if abs(v) < inf)
        if off > rounding * bound:
            share = max(share, off)
        outside = max(outside, off)
    found = [JudgedPromise(FAIL if share else PASS, "alpha", outside, outside, zero)]
    for group, s in zip(form.groups, form.sums):
        off = problem.kind(abs(surplus(group, s, beta)))
        found.append(judged_promise("sum", off, off, rounding * size))
    return found


def _may_rise_and_fall(x: Any, low: Any, high: Any, eps: Any = SINGLE_EPS) -> tuple[bool, bool]:
    """Return whether a variable may rise, and whether it may fall; one near its bound is at it.

    >>> _may_rise_and_fall(1 - 1e-7, 0.0, 1.0), _may_rise_and_fall(0.5, 0.0, 1.0)
    ((False, True), (True, True))
    """
    near = eps * max(abs(v) for v in (low, high) if abs(v) < inf)
    return high - x > near, x - low > near


def extremes_but_for_rounding(
    form: DualForm, beta: Numbers, r: Numbers
) -> list[tuple[Number, Number]]:
    """Return (m_g, M_g) of each group, see dual_form.group_extremes; near a bound is at it."""
    found = []
    for group in form.groups:
        each = [(r[k], _may_rise_and_fall(beta[k], form.lower[k], form.upper[k])) for k in group]
        rising = [v for v, (rises, _) in each if rises]
        falling = [v for v, (_, falls) in each if falls]
        found.append((max(rising, default=-inf), min(falling, default=inf)))
    return found


def _broken(
    x: Number, low: Number, high: Number, excess: tuple[Number, Number], rounding: Number
) -> tuple[Number, Number]:
    """Return between what a variable breaks its conditions by.

    >>> _broken(0.5, 0.0, 1.0, (-0.25, -0.125), 0), _broken(1.0, 0.0, 1.0, (0.25, 0.5), 0)
    ((0.125, 0.25), (0.0, 0.0))
    """
    least, most = excess
    zero = 0 * x + 0  # no -0.0
    may_rise, may_fall = _may_rise_and_fall(x, low, high, rounding)
    rises = (least, most) if may_rise else (zero, zero)
    falls = (-most, -least) if may_fall else (zero, zero)
    return max(zero, rises[0], falls[0]), max(zero, rises[1], falls[1])


def _of_examples(problem: TrainingProblem, form: DualForm, values: Numbers) -> Numbers:
    """Return for each example the largest of its variables' values."""
    if form.of is None:
        return values
    found = [problem.kind(0)] * problem.n
    for i, v in zip(form.of, values):
        found[i] = max(found[i], v)
    return found


def unit_of(machine: MachineInDoubles, w_norm2: Number) -> Number:
    """Return what tol is a multiple of."""
    unit = machine.form.unit
    return unit(machine.lam, w_norm2) if unit else 1


def promised_gap(
    problem: TrainingProblem, variables: Numbers, primal: Number, tol: Number
) -> Number:
    """Return the largest gap at feasible variables whose conditions hold within tol (S16.5).

    Then each e_k = r_k - lam_g is at most tol where x_k may rise, and at least -tol where it may
    fall. So the share of a variable is at most tol times what it may differ by, or tol^2 C_k / 2
    with squared slack; where a bound is infinite, tol times what is on the other side. To
    rescale margins adds to the primal; a ball grows until lam is m, which is within tol of M.
    """
    form, tol = problem.dual_form(), Fraction(tol)
    primal = primal if abs(primal) == inf else Fraction(primal)
    bound = problem.cost_of_rescaling(primal, tol)
    if bound == inf:
        return inf
    bound, rooms = Fraction(bound), []
    squared = form.squared or [inf] * len(variables)
    for x, low, high, C in zip(variables, form.lower, form.upper, squared):
        if C < inf:
            bound += Fraction(C) * tol * tol / 2
        else:
            rooms.append(max(_distance(v, x) for v in (low, high) if abs(v) < inf))
    return problem.scale * (bound + tol * exact_total(rooms))


def _distance(a: Number, b: Number) -> Any:
    """Return |a - b| without rounding; where one is 0, as most are, it is no Fraction."""
    return abs(a - b) if a == 0 or b == 0 else abs(Fraction(a) - Fraction(b))


# What to change


OTHER_FIT = (
    "training ended early, or had another C, kernel parameter, weight or scaling of X: fit again,"
    " with a smaller tol or more iterations"
)
SINGLE_PRECISION_CURE = (
    "no more than rounding explains, if kernel values were kept in single precision, as LIBSVM"
    " does: lower C, scale X, or take a larger tol"
)
DOUBLE_PRECISION_CURE = (
    "no more than rounding in double precision explains: centre and scale X, lower C, or take a"
    " larger tol; solve_exactly has the optimum"
)
NO_MACHINE_CURE = (
    "rho was not above 0: the reduced hulls meet, and there is no machine for this nu; take a"
    " larger one, or another kernel"
)
UNTOLD = "doubles cannot tell: exact=True, or the command's --exact, certifies by fractions"


def cure_of(
    machine: MachineInDoubles,
    judgement: Judgement,
    within: Number,
    serials: Sequence[int],
    is_own: bool,
) -> str:
    """Return in a sentence what to change.

    serials: what the rows of the examples are called
    is_own: whether refsvm trained the machine, which keeps no number in single precision
    """
    form, beta = machine.form, machine.beta
    if judgement.verdict == PASS:
        return ""
    if judgement.verdict == UNDECIDED:
        return UNTOLD
    verdicts = {promise.what for promise in judgement.promises if promise.verdict == FAIL}
    if "alpha" in verdicts:
        if form.degenerates and total(machine.problem.multipliers_of(beta)) < 0:
            return NO_MACHINE_CURE
        off = [max(low - x, x - high) for x, low, high in zip(beta, form.lower, form.upper)]
        k = max(range(len(off)), key=off.__getitem__)
        i = k if form.of is None else form.of[k]
        bound = form.upper[k] if beta[k] > form.upper[k] else form.lower[k]
        return (
            f"the multiplier of row {serials[i]} is {abs(beta[k]):.6g}, and its bound"
            f" {abs(bound):.6g}: C, nu or a weight was another in training"
        )
    if "sum" in verdicts:
        most = judgement.promise("sum").high
        told = f"{text_above(most, 4)} more or less than they must"
        return f"the multipliers add up to {told}: some are wrong"
    rounded = machine.problem.n * U if is_own else 2.0**-24
    roots = machine.residuals.roots
    mass: Any = total(s * abs(x) for s, x in zip(roots, beta))
    if max(judgement.broken) <= rounded * max(roots) * mass:
        return DOUBLE_PRECISION_CURE if is_own else SINGLE_PRECISION_CURE
    ends = extremes_but_for_rounding(form, beta, machine.residuals.r)
    if form.groups and all(m - M <= 2 * LEEWAY * within for m, M in ends) and "offset" in verdicts:
        told = ", ".join(f"{v:.6g}" for v in machine.lam)
        right = ", ".join(f"{M:.6g} to {m:.6g}" for m, M in ends)
        return f"an offset is off: it is {told}, of rows as they are computed with; right {right}"
    return _another_bound(machine) or OTHER_FIT


def _another_bound(machine: MachineInDoubles) -> str:
    """Return a sentence if the largest multipliers are alike, and below their bounds."""
    limits = zip(machine.beta, machine.form.lower, machine.form.upper)
    shares = [abs(x) / max(-low, high) for x, low, high in limits if max(-low, high) < inf]
    most = max(shares, default=0)
    alike = len([v for v in shares if v >= most * (1 - SINGLE_EPS)])
    if most == 0 or most > 1 - 2**-20 or alike < 2:
        return ""
    told = f"{alike} multipliers are {text_above(most)} of their bound, and none more"
    return f"{told}: was C so much less?"
