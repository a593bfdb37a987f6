"""The dual of every machine, in one form.

    maximise   target' beta - 1/2 beta' K beta
    such that  lower_k <= beta_k <= upper_k      and  sum over group g of beta_k = s_g, for each g

The variables stand in order, group after group; each belongs to an example, whose row of the
kernel matrix it has. Where C_i or w_i is the largest share that example i may take:

    machine              variables       target_k            bounds of beta_k    groups, sums
    classification       each i          y_i                 0 .. y_i C_i        all: 0
     without offset      each i          y_i                 0 .. y_i C_i        none
    nu-classification    y_i = +1        0                   0 .. w_i            these: nu W / 2
                         y_i = -1        0                   -w_i .. 0           these: -nu W / 2
    regression           each i          value_i - epsilon   0 .. C_i            all: 0
                         each i again    value_i + epsilon   -C_i .. 0
    nu-regression        each i          value_i             0 .. C_i            these: nu C W / 2
                         each i again    value_i             -C_i .. 0           these: -nu C W / 2
    one class            each i          0                   0 .. w_i            all: nu W
    smallest ball        each i          K_ii / 2            0 .. C_i            all: 1

W is the sum of the w_i. Let r = target - K beta, the residuals. A feasible beta is optimal if and
only if for each group there is a number lam_g with

    r_k <= lam_g  where beta_k < upper_k         r_k >= lam_g  where beta_k > lower_k

so lam_g may be any number from m_g, the largest r_k of those that may rise, to M_g, the smallest
of those that may fall. It is the multiplier of the group's equation, and the offset of the machine
comes from it. With such numbers the primal is, for any feasible beta and any lam,

    1/2 |w|^2 + sum_g s_g lam_g + sum_k loss_k(e_k)              e_k = target_k - (s_k + lam_g)

where s_k is the score and loss_k(e) the largest beta e that the bounds of beta_k allow. Squared
slack (of classification) has no upper bound, but beta e - beta^2 / (2 C_k): then K has a ridge of
1 / C_k on its diagonal, and loss_k(e) is C_k e^2 / 2.

Source: Chang and Lin, Neural Computation 13 (2001), pages 2119-2147, and 14 (2002), pages
1959-1977, for two groups.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import inf
from operator import mul
from typing import Any, NamedTuple

from ..numerics.exact_sums import scaled_integers
from ..numerics.linalg import difference, total
from ..numerics.rounding_bounds import rounded_up
from ..numerics.types import Kind, Number

Numbers = list[Any]  # of one kind; bounds may be infinite
OF_BOUNDS = 2.0**-50  # roundings_of_sums


class DualForm(NamedTuple):
    """The data of a machine's dual, but for the kernel matrix (S34.1).

    of        the example of each variable; None if variable i is that of example i
    groups    the variables of each sum; none: there is no sum
    sums      what each group's sum must be, exactly
    hard      whether some example allows no slack at all, so that there may be no optimum
    squared   C_k of squared slack; None if slack is that of the hinge
    unit      what tol is a multiple of, from the lam of each group and |w|^2; None: of 1
    degenerates  whether there is no machine where the unit is 0
    """

    of: list[int] | None
    target: Numbers
    lower: Numbers
    upper: Numbers
    groups: Sequence[range]
    sums: Sequence[Fraction]
    hard: bool = False
    squared: Numbers | None = None
    unit: Callable[[Numbers, Any], Any] | None = None
    degenerates: bool = False

    def lam_per_variable(self, lam: Numbers) -> Numbers:
        """Return the lam of each variable's group; zeros where there is no group."""
        if len(self.groups) == 1:
            return lam * len(self.target)
        found: Numbers = [0] * len(self.target)
        for group, v in zip(self.groups, lam):
            found[group.start : group.stop] = [v] * len(group)
        return found

    def per_variable(self, values: Numbers) -> Numbers:
        """Return the value of each variable's example, from one an example."""
        return values if self.of is None else [values[i] for i in self.of]


def loss(excess: Any, low: Any, high: Any, C: Any = None) -> Any:
    """Return the largest beta excess for low <= beta <= high; with C less beta^2 / (2 C).

    Where a bound is infinite, and C is none or infinite, no slack is allowed; and none is counted,
    as the `feasible_factor` of the problem mends such a margin first.

    >>> loss(2.0, 0.0, 3.0), loss(-2.0, 0.0, 3.0), loss(2.0, 0.0, inf, 3.0)
    (6.0, 0.0, 6.0)
    """
    limit = high if excess > 0 else low if excess < 0 else 0
    if C is not None and C < inf and limit != 0:
        return C * (excess * excess) / 2
    return limit * excess if 0 < abs(limit) < inf else type(excess)(0)


def primal(
    form: DualForm,
    scores: Numbers,
    w_norm2: Number,
    lam: Numbers,
    factor: Number = 1,
    error: Number = 0,
) -> Number:
    """Return the primal from the score of each variable, |w|^2 and lam, all times the factor.

    With an error, by which scores may be off: the largest that it may be. Standard: S2.6.

    >>> form = DualForm(None, [1.0], [0.0], [2.0], [range(1)], [Fraction(0)])
    >>> primal(form, [0.25], 0.5, [0.25])
    1.25
    """
    value = factor * factor * w_norm2 / 2
    for s, v in zip(form.sums, lam):
        if s != 0:
            value += type(value)(s) * v
    limits = zip(form.lower, form.upper, form.squared or [None] * len(scores))
    for t, s, v, (low, high, C) in zip(form.target, scores, form.lam_per_variable(lam), limits):
        excess = t - factor * (s + v)
        if error == 0:
            value += loss(excess, low, high, C)
        else:
            value += max(loss(excess + e, low, high, C) for e in (-error, error))
    return value


def dual(form: DualForm, beta: Numbers, w_norm2: Number, ridge: Numbers) -> Any:
    """Return target' beta - 1/2 |w|^2, less 1/2 sum ridge_k beta_k^2 (S2.6)."""
    value = type(form.target[0])(0)
    for t, b, c in zip(form.target, beta, ridge):
        value += t * b - c * b * b / 2
    return value - w_norm2 / 2


def middle(m: Any, M: Any) -> Any:
    """Return the middle of m and M, or the finite one of them (S34.3).

    >>> middle(1.0, 4.0), middle(1e308, 1.2e308), middle(-inf, 1.0)
    (2.5, 1.1e+308, 1.0)
    """
    if -inf < m and M < inf:
        found = (m + M) / 2
        return found if abs(found) < inf else m / 2 + M / 2
    return m if -inf < m else M


def group_extremes(
    form: DualForm, beta: Numbers, r: Numbers, near: Numbers | None = None
) -> list[tuple[Any, Any]]:
    """Return (m_g, M_g) of each group: -inf where none may rise, inf where none may fall (S2.7).

    Without a group the pair of all variables, which the number 0 joins, as lam is 0.

    near: of each group, how near a bound counts as at it; 0 if not given
    """
    if not form.groups:
        ((m, M),) = group_extremes(form._replace(groups=[range(len(beta))]), beta, r)
        zero = type(r[0])(0)
        return [(max(m, zero), min(M, zero))]
    found = []
    for g, off in zip(form.groups, near or [0] * len(form.groups)):
        part = slice(g.start, g.stop)
        v, b, low, high = r[part], beta[part], form.lower[part], form.upper[part]
        rising = [v for v, b, high in zip(v, b, high) if b + off < high]
        falling = [v for v, b, low in zip(v, b, low) if b - off > low]
        found.append((max(rising, default=-inf), min(falling, default=inf)))
    return found


def roundings_of_sums(form: DualForm, beta: Numbers) -> Numbers:
    """Return of each group how near a bound a variable may be by rounding alone (S30.11). O(n).

    Let all variables be at their bounds, as numbers in decimals say: 2 of 5 examples for nu = 0.4.
    C, nu and the weights are rounded to doubles, and so is C w_i. Their sum C nu W / 2 is off by
    4 u of itself then, u = 2^-53, and the bounds by 3 u of theirs; one variable takes it all. By
    1e-16 it is free, and an offset that may lie in an interval would be one of its ends, and which
    would depend on the unit. So what is within 8 u of sum |beta_k| of its bound counts as at it.
    On Fractions nothing else does.

    >>> roundings_of_sums(DualForm(None, [0.0], [0.0], [2.0], [range(1)], [Fraction(1)]), [1.0])
    [8.881784197001252e-16]
    """
    if type(beta[0]) is not float:
        return [0 for _ in form.groups]
    return [total(abs(x) * OF_BOUNDS for x in beta[g.start : g.stop]) for g in form.groups]


def best_multipliers(form: DualForm, r: Numbers) -> list[tuple[Any, Any]]:
    """Return each group's least and largest lam of smallest primal, given r (S8.8, S9.4).

    Order statistics: the primal falls along lam_g until the upper bounds of those with r_k above
    lam_g, and the lower bounds of those below, add up to at most s_g. O(n log n).

    >>> form = DualForm(None, [0] * 3, [0] * 3, [1] * 3, [range(3)], [Fraction(2)])
    >>> best_multipliers(form, [-1, -2, -4])
    [(-4, -2)]
    """
    return [_lowest_primal(form, g, s, r) for g, s in zip(form.groups, form.sums)]


def _lowest_primal(form: DualForm, group: range, s: Fraction, r: Numbers) -> tuple[Number, Number]:
    """The ends of the interval of lam at which this group's part of the primal is smallest."""
    low, high = -inf, inf
    # The slope of the primal at a lam above all r_k, and by how much each r_k raises it.
    slope = s - total(as_fraction(form.lower[k]) for k in group)
    for k in sorted(group, key=lambda k: -r[k]):
        if slope > 0:
            high = r[k]
        slope -= as_fraction(form.upper[k]) - as_fraction(form.lower[k])
        if slope < 0:
            low = r[k]
            break
        if slope == 0 and high == inf:
            high = r[k]
    return low, high


def as_fraction(value: Number) -> Number:
    """Return the number as a Fraction; an infinity, or what is no number, as it is."""
    return Fraction(value) if -inf < value < inf else value


def infeasible_group(form: DualForm) -> int | None:
    """The first group whose bounds do not allow its sum, if any (S10.6, S11.6, S30.1)."""
    for g, (group, s) in enumerate(zip(form.groups, form.sums)):
        if s == 0:
            continue  # zeros always have it
        part = slice(group.start, group.stop)
        lower, upper = form.lower[part], form.upper[part]
        least = -inf if -inf in lower else exact_total(lower)
        most = inf if inf in upper else exact_total(upper)
        if not least <= s <= most:
            return g
    return None


def why_infeasible(form: DualForm, g: int) -> str:
    """Say what is wrong with the multipliers of group g, whose bounds do not allow its sum.

    >>> why_infeasible(DualForm(None, [0] * 3, [0] * 3, [1] * 3, [range(3)], [Fraction(4)]), 0)
    'must add up to 4.0 and can to 3.0 at most, which is 1.0 less'
    """
    part, s = slice(form.groups[g].start, form.groups[g].stop), form.sums[g]
    most = exact_total(form.upper[part] if s > 0 else form.lower[part])
    return (
        f"must add up to {abs(float(s))!r} and can to {rounded_up(abs(most))!r} at most, which is"
        f" {float(abs(s) - abs(most))!r} less"
    )


def require_feasible(form: DualForm) -> None:
    """Raise a ValueError where no multipliers have the sums of the form."""
    g = infeasible_group(form)
    if g is not None:
        raise ValueError(
            "problem has no optimum, so nothing bounds it: some of its multipliers"
            f" {why_infeasible(form, g)}; solve_exactly has the proof"
        )


def distinct(values: Numbers) -> Numbers | set[Any]:
    """Return the numbers that occur in a list, each once; quick if all are one object.

    >>> distinct([2.0, 1.0, 2.0]) == {1.0, 2.0}, distinct([3.0] * 9)
    (True, [3.0])
    """
    return values[:1] if values.count(values[0]) == len(values) else {*values}


def exact_total(values: Iterable[Any]) -> Fraction:
    """The sum of finite numbers, exactly.

    In whole numbers, which takes a tenth of the time; and equal ones, as most bounds are, at once.
    """
    some = list(values)
    equal = some != [] and some.count(some[0]) == len(some)
    counts = {some[0]: len(some)} if equal else Counter(filter(None, some))
    numbers, denominator = scaled_integers(counts)
    return Fraction(sum(map(mul, numbers, counts.values())), denominator)  # exact


def surplus(group: range, s: Fraction, beta: Numbers) -> Fraction:
    """By how much the sum over a group is too large, exactly."""
    return exact_total(beta[group.start : group.stop]) - s


def is_feasible(form: DualForm, x: Numbers) -> bool:
    """Return whether x has the sums, and is within its bounds."""
    sums = [surplus(group, s, x) for group, s in zip(form.groups, form.sums)]
    return not any(sums) and all(a <= v <= b for a, v, b in zip(form.lower, x, form.upper))


def restore_sums(form: DualForm, beta: Numbers, kind: Kind) -> Numbers:
    """beta with each group's sum as it must be (S3.3), as far as one rounding of each allows.

    What a sum has too much is taken, in index order, first off variables on the side of the
    surplus, down to zero, then off any, down to their bounds; what it lacks is added likewise.
    """
    for group, s in zip(form.groups, form.sums):
        part, much = slice(group.start, group.stop), surplus(group, s, beta)
        falls, zero = much > 0, kind(0)
        if max(beta[part], default=zero) > 0 if falls else min(beta[part], default=zero) < 0:
            ends: Numbers = [zero if (x > 0 if falls else x < 0) else None for x in beta[part]]
            beta[part], much = _moved_towards(ends, beta[part], much, kind)
        if much != 0:
            ends = form.lower[part] if falls else form.upper[part]
            beta[part], _ = _moved_towards(ends, beta[part], much, kind)
    return beta


def _moved_towards(
    ends: Numbers, values: Numbers, much: Fraction, kind: Kind
) -> tuple[Numbers, Fraction]:
    """The values, from which `much` is taken in index order until each is at its end; the rest.

    A value stays whose end is None. In whole numbers, which equal values share: these would be
    many Fractions.

    >>> _moved_towards([0.0, 0.5, 0.0], [1.0, 1.0, 1.0], Fraction(2), float)
    ([0.0, 0.5, 0.5], Fraction(0, 1))
    """
    different = list({*values, *ends, much} - {None, inf, -inf})
    numbers, unit = scaled_integers(different)
    whole = dict(zip(different, numbers))
    rest, found = whole[much], list(values)
    for k, (value, end) in enumerate(zip(values, ends)):
        if rest == 0:
            break
        if end is None:
            continue
        room = whole[value] - whole[end] if end in whole else None  # None: endless
        if room is not None and abs(room) <= abs(rest):
            found[k], rest = end, rest - room
        else:
            found[k], rest = kind(Fraction(whole[value] - rest, unit)), 0
    return found, Fraction(rest, unit)


def restore_exact_sums(
    form: DualForm, beta: Numbers, kind: Kind, norms: Numbers, linear: bool
) -> Numbers:
    """beta with each sum exactly right (S3.10), where a free one can be moved so at little cost.

    Each step keeps the sums only up to rounding. What is left is taken off the free one with the
    least K_kk, which moves no score by more than sqrt(K_kk) times as much; of equals off the
    smallest, which takes it with the least rounding of its own. What that leaves stays, for one
    with a large K_kk may be so small that it would be another number then. Only the linear kernel
    asks all free ones: with rows far from the origin it would be multiplied by the distance.

    norms: K_kk of each variable
    """
    if kind is not float:
        return beta
    for group, s in zip(form.groups, form.sums):
        part = slice(group.start, group.stop)
        rows = zip(group, form.lower[part], beta[part], form.upper[part])
        free = [k for k, low, b, high in rows if low < b < high]
        least = min((norms[k] for k in free), default=0)
        much = surplus(group, s, beta)
        for k in sorted(free, key=lambda k: (norms[k], abs(beta[k]))):
            rounded = float(beta[k] - much)
            if much == 0 or not linear and norms[k] > least:
                break
            if form.lower[k] <= rounded <= form.upper[k]:
                much += Fraction(rounded) - Fraction(beta[k])
                beta[k] = rounded
    return beta


# What slack costs, and how far two values are apart


def slack_penalty(slack: str, C: Number, xi: Number) -> Number:
    """Return what a slack xi adds to the primal: C xi, or C/2 xi^2 if slack is "squared".

    The Lagrangian asks it of negative slacks, too, which loss does not know.

    >>> slack_penalty("hinge", 2.0, 3.0), slack_penalty("squared", 2.0, 3.0)
    (6.0, 9.0)
    """
    return C * xi if slack == "hinge" else C * (xi * xi) / 2


def gap_between(primal: Number, dual: Number) -> Number:
    """Return primal - dual; inf where primal is, for a Fraction dual may be beyond the doubles.

    >>> from fractions import Fraction
    >>> gap_between(3.0, 1.0), gap_between(inf, Fraction(10) ** 400)
    (2.0, inf)
    """
    gap: Number = primal if primal == inf else difference(primal, dual)
    return gap
