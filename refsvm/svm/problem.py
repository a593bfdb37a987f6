"""The support vector machine problem, in one normal form.

    primal    minimise   1/2 |w|^2 + sum C_i xi_i          over w, b and xi >= 0
              such that  y_i (<w, phi(x_i)> + b) >= 1 - xi_i

    dual      maximise   sum alpha_i - 1/2 sum_ij beta_i beta_j K_ij
              such that  0 <= alpha_i <= C_i               and, with an offset, sum beta_i = 0

Throughout this module
    y          labels, +1 or -1               alpha   multipliers, one an example
    K_ij       kernel of x_i and x_j          beta    alpha_i y_i; then w = sum beta_i phi(x_i)
    C_i        penalty of slack, may be inf   s_i     <w, phi(x_i)>, the score without offset
    xi_i       slack, max(0, 1 - y_i f_i)     f_i     s_i + b, the decision value

Two variants. bias=False: b is 0 and there is no equation sum beta_i = 0. slack="squared": the
penalty of slack is C_i / 2 xi_i^2; the dual then has no upper bound and K_ii + 1 / C_i on its
diagonal, and xi_i = alpha_i / C_i. C = math.inf is the hard margin, in both variants.

Rows, kernel and w are the business of training_problem.py. Linear problems with an offset are
solved on shifted columns (problem_rows.py). The problems that several classes make share one
shift. Other conventions for C (averages, lambda) are converted by conventions.py.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from ..kernels.base import Kernel, as_kernel
from ..kernels.standard import Linear
from ..numerics.display import displayed
from ..numerics.linalg import total
from ..numerics.quoting import quote
from ..numerics.types import KernelLike, Kind, Number, Rows, Vector, VectorLike
from ..numerics.validation import labels, number_kind, one_of, penalties, yes_or_no
from .dual_form import DualForm, distinct
from .model import OffsetInterval
from .training_problem import TrainingProblem

if TYPE_CHECKING:
    from ..numerics.intervals import Interval


@displayed
class ProblemOffsets(NamedTuple):
    """b: the offset."""

    b: OffsetInterval


class Problem(TrainingProblem):
    """A training problem, checked and converted; it never changes afterwards (S2.1).

    Parameters
    ----------
    X : n rows
        numbers, or strings for a string kernel; with Precomputed(), the Gram matrix
    y : n labels, +1 or -1
    kernel : a Kernel, or any pure symmetric function k(x, z)
    C : positive number, n of them, or math.inf
        the penalty of slack: for all examples, or one for each
    bias : bool
        whether there is an offset b
    slack : "hinge" or "squared"

    Attributes
    ----------
    X, y, kernel, bias, slack
        what was given, converted
    C : n numbers
    n : int
    kind : float or Fraction
        the type of all numbers
    shift : d numbers, or None
        what the columns are shifted by: None without an offset, or if the kernel is not linear

    Raises
    ------
    ValueError, TypeError
        for bad input, with one sentence that names the argument, the place and the rule

    Notes
    -----
    O(n d).

    Examples
    --------
    >>> problem = Problem([[0], [2]], [-1, 1], C=Fraction(1, 2))
    >>> problem.dual([Fraction(1, 2), Fraction(1, 2)])
    Fraction(1, 2)
    >>> problem.gap([Fraction(1, 2), Fraction(1, 2)], -1)
    Fraction(0, 1)
    """

    y: list[int]
    C: Vector
    bias: bool
    slack: str

    made_of = ("kind", "X", "y", "kernel", "C", "bias", "slack")
    numbers = ("C",)
    box = "C"
    sides = 1  # of an example, on which a score may have slack
    offsets_class = ProblemOffsets
    lam_coefficients = ((1,),)

    def __init__(
        self,
        X: Rows,
        y: VectorLike,
        kernel: KernelLike = Linear(),
        C: Number | VectorLike = 1,
        bias: bool = True,
        slack: str = "hinge",
    ) -> None:
        kernel = as_kernel(kernel)
        kind = number_kind(X, C, kernel.parameters())
        self.set_converted(kind, X, y, kernel, C, bias, slack)

    def set_converted(
        self,
        kind: Kind,
        X: Rows,
        y: VectorLike,
        kernel: Kernel,
        C: Number | VectorLike,
        bias: bool,
        slack: str,
    ) -> None:
        """Set the attributes from values that are checked, and converted to this kind."""
        kernel = kernel.to(kind)
        rows = self.convert_rows(X, kernel, kind)
        y = labels(y, len(rows))
        C = penalties(kind, C, len(rows))
        bias, slack = yes_or_no(bias, "bias"), one_of(slack, ("hinge", "squared"), "slack")
        self.set_validated(kind, rows, y, kernel, C, bias, slack)

    def set_validated(
        self,
        kind: Kind,
        rows: list[Any],
        y: list[int],
        kernel: Kernel,
        C: Vector,
        bias: bool = True,
        slack: str = "hinge",
        shift: Vector | None = None,
    ) -> None:
        """Set the attributes from validated values, all numbers of this kind."""
        self.kind, self.y, self.C = kind, y, C
        self.bias, self.slack = bias, slack
        self.set_points(rows, kernel, shift)

    def may_shift(self) -> bool:
        """Return whether the dual stays the same when all rows are moved: with an offset."""
        return self.bias

    def __repr__(self) -> str:
        return (
            f"<Problem of {self.n} examples, {self.kernel!r}, {self.slack} slack,"
            f" {'with' if self.bias else 'without'} offset>"
        )

    def in_common_type(self, alpha: object, b: Number) -> tuple[Problem, Number]:
        """Return the problem and b in Fractions if the problem, alpha or b holds one."""
        problem, b = super().in_common_type(alpha, b)
        if b != 0 and not self.bias:
            raise ValueError(f"b is {quote(b)}; a problem without offset has b = 0")
        return problem, b

    def dual_form(self) -> DualForm:
        """Return the data of the dual: each example is a variable, all are one group (S34.1)."""
        zero, upper = self.kind(0), self.upper_bounds()
        return DualForm(
            of=None,
            target=[self.kind(y) for y in self.y],
            lower=[zero if y > 0 else -c for y, c in zip(self.y, upper)],
            upper=[c if y > 0 else zero for y, c in zip(self.y, upper)],
            groups=[range(self.n)] if self.bias else [],
            sums=[Fraction(0)] if self.bias else [],
            hard=inf in distinct(self.C),
            squared=self.C if self.slack == "squared" else None,
        )

    def variables(self, alpha: VectorLike, name: str) -> Vector:
        """Return the beta of these multipliers; ValueError unless they are from 0 to C_i."""
        beta = self.beta(alpha, name)
        for i, (x, y, c) in enumerate(zip(beta, self.y, self.upper_bounds())):
            if not 0 <= x * y <= c:
                raise ValueError(
                    f"{name}[{i}] is {quote(x * y)}; it must be from 0 to C, which is {quote(c)}"
                )
        return beta

    def variables_of(self, alpha: Vector) -> Vector:
        """Return alpha_i y_i."""
        return [a * y for a, y in zip(alpha, self.y)]

    def multipliers_of(self, variables: Vector) -> Vector:
        """Return alpha; a zero has no sign."""
        return [v * y + 0 for v, y in zip(variables, self.y)]

    def multipliers_from(self, coefs: Vector) -> Vector:
        """Return alpha."""
        return self.multipliers_of(coefs)

    def largest_target(self) -> int:
        """Return the largest size of what a score is compared with: the margin."""
        return 1

    def unit_of_tol(self) -> int:
        """Return in units of what tol is, without an offset: of the margin."""
        return 1

    def score_bounds(self) -> tuple[Vector, Vector]:
        """Return between which two numbers each score costs no slack, without an offset."""
        one = self.kind(1)
        return [one if y > 0 else -inf for y in self.y], [inf if y > 0 else -one for y in self.y]

    def example_and_sign(self, k: int) -> tuple[int, int]:
        """Return the example of a variable, and the sign that makes its alpha of it."""
        return k, self.y[k]

    def upper_bounds(self) -> Vector:
        """Return the largest value of each alpha: C_i, or inf under squared slack (S2.4)."""
        return self.C if self.slack == "hinge" else [inf] * self.n

    def sums_at_optimum(self, value: Number | Interval, w_norm2: Any) -> tuple[Any, Any]:
        """Return sum alpha and the penalty of slack: there the primal is equal to the dual."""
        square = w_norm2 * Fraction(1, 2)
        return value + square if self.slack == "hinge" else 2 * value, value - square

    def ridge(self) -> Vector:
        """Return what squared slack adds to the diagonal of K: 1 / C_i; zeros under hinge (S2.4).

        ValueError if one of them is beyond the doubles: of C below 5.6e-309.
        """
        zero = self.kind(0)
        if self.slack == "hinge":
            return [zero] * self.n
        of_penalty = {c: zero if c == inf else 1 / c for c in distinct(self.C)}
        if len(of_penalty) == 1:
            ridge = [*of_penalty.values()] * self.n
        else:
            ridge = [of_penalty[c] for c in self.C]
        if inf in of_penalty.values():
            i = ridge.index(inf)
            raise ValueError(
                f"C[{i}] is {quote(self.C[i])}; under squared slack floats need a C whose 1 /"
                " C is finite"
            )
        return ridge

    def beta(self, alpha: VectorLike, name: str = "alpha") -> Vector:
        """Return alpha_i y_i, in numbers of the problem's kind."""
        return self.variables_of(self.multipliers(alpha, name))

    def lam_of(self, offsets: Vector, w_norm2: Number) -> Vector:
        """Return b; without an offset, which must be 0, nothing."""
        if offsets[0] != 0 and not self.bias:
            raise ValueError(f"b is {quote(offsets[0])}; a problem without offset has b = 0")
        return offsets if self.bias else []

    def middles(self, ends: list[tuple[Any, Any]]) -> Vector:
        """Return the b where the worst margin is least bad; 0 without an offset."""
        return super().middles(ends) if self.bias else [self.kind(0)]

    def lam_at(self, beta: Vector, r: Vector, ends: Any, near: Vector) -> Vector:
        """Return b: the mean of r over the free, 0 < alpha_i < C_i; without any, (m + M) / 2."""
        if not self.bias:
            return [self.kind(0)]
        sizes: list[Any] = [abs(x) for x in beta]
        off, limits = near[0], self.upper_bounds()
        free = [v for v, x, c in zip(r, sizes, limits) if off < x and x + off < c]
        return [total(free) / len(free)] if free else self.middles(ends)

    def best_lam(self, form: DualForm, r: Vector) -> list[tuple[Any, Any]]:
        """Return the least and the largest b with the smallest penalty of slack, given r."""
        return [best_offsets(self.y, self.C, self.slack, r)] if self.bias else []

    def slacks(self, alpha: VectorLike, b: Number) -> Vector:
        """Return max(0, 1 - y_i f_i) of every example (S2.1)."""
        return [max(1 - m, self.kind(0)) for m in self.margins(alpha, b)]

    def margins(self, alpha: VectorLike, b: Number) -> Vector:
        """Return the functional margin y_i f_i of every example (S2.1)."""
        problem, b = self.in_common_type(alpha, b)
        b = problem.shifted_offset(b, alpha)
        scores, _ = problem.scores_and_norm2(problem.beta(alpha))
        return [y * (s + b) for y, s in zip(problem.y, scores)]

    def feasible_factor(
        self, form: DualForm, scores: Vector, lam: Vector, error: Number = 0
    ) -> tuple[Any, Vector] | None:
        """Return the least factor of (w, b) that scales each margin with C_i inf to 1."""
        if not form.hard:
            return 1, lam
        b = lam[0] if lam and self.bias else 0
        margins: Vector = [y * (s + b) for y, s in zip(self.y, scores)]
        if error != 0:
            margins = [m - error for m in margins]
        factor = self.rescaling_factor(margins)
        return None if factor is None else (factor, lam)

    def cost_of_mending(self, short: Number, primal: Number) -> Number:
        """Return what the factor 1 / (1 - short) adds, by whose square the primal grows."""
        part = short / (1 - short) if short < 1 else inf
        return part * (2 + part) * primal

    def cost_of_rescaling(self, primal: Number, tol: Number) -> Number:
        """Return 1 - (1 - tol)^2 of it where some C_i is inf: the factor is 1 / (1 - tol) at most.

        Of a machine that is multiplied by a factor the primal is at most its square as large.
        """
        if inf not in distinct(self.C):
            return self.kind(0)
        if tol >= 1:
            return inf
        return tol * (2 - tol) * primal if primal < inf else self.kind(0)  # inf: none was rescaled

    def rescaling_factor(self, margins: Vector) -> Number | None:
        """Return the least factor >= 1 that scales margins with C_i inf to 1 (S2.6), or None."""
        factor = self.kind(1)
        for margin, c in zip(margins, self.C):
            if c == inf and factor * margin < 1:
                if margin <= 0:
                    return None
                factor = 1 / margin
        return factor


def require_problem(problem: Problem) -> Problem:
    """Return the problem; TypeError if it is none."""
    if not isinstance(problem, Problem):
        raise TypeError(f"problem is {quote(problem)}; a Problem is needed")
    return problem.detached() if problem.kernel.is_callers else problem


# The b that costs least slack, whatever w is
#
#     r_i    residual, y_i - s_i: the b with which example i lies on its margin
#
# As b grows past r_i a positive example loses its slack, and a negative one begins to have some.
# So along b the penalty is convex, and its least value lies where its slope changes sign.


def best_offsets(y: list[int], C: Vector, slack: str, r: VectorLike) -> tuple[Number, Number]:
    """Return the ends of the b with the least penalty of slack, given the residuals (S8.8).

    O(n log n). Hinge slack, or Fractions. With infinite C_i there may be no b that keeps all
    bounds; then the lower end is still a number that rises with every r_i.

    >>> best_offsets([-1, 1, 1], [2, 1, 1], "hinge", [-1, 0, 5])
    (-1, 0)
    """
    lowest = _lowest_of_hinge if slack == "hinge" else _lowest_of_squares
    given = list(zip(r, y, C))
    least = max((v for v, y, c in given if c == inf and y > 0), default=-inf)
    most = min((v for v, y, c in given if c == inf and y < 0), default=inf)
    # The sign of a slope must not be rounded away: C in Fractions.
    examples = sorted((v, y, Fraction(c)) for v, y, c in given if c < inf)
    mirrored = [(-v, -y, c) for v, y, c in reversed(examples)]  # its least b is minus our largest
    low, high = lowest(examples), -lowest(mirrored)
    return min(max(low, least), most), min(max(high, least), most)


Example = tuple[Number, int, Fraction]  # (r_i, y_i, C_i), C_i finite


def _lowest_of_hinge(examples: list[Example]) -> Number:
    """Return the smallest b where the slope is no longer negative; -inf if it never is.

    A weighted quantile: the first r_i, in order, where the sum of the C_i reaches C_plus.
    """
    C_plus = total(c for _, y, c in examples if y > 0)
    if C_plus == 0:
        return -inf
    sums = accumulate(c for _, _, c in examples)
    return next(r for (r, _, _), weight in zip(examples, sums) if weight >= C_plus)


def _lowest_of_squares(examples: list[Example]) -> Number:
    """Return the smallest b where the slope is zero; -inf if it is zero from there on.

    Between two neighbouring residuals the slope is linear, and zero at a mean of residuals.
    """
    low, high = 0, len(examples)
    while low < high:
        middle = (low + high) // 2
        if _slope_of_squares(examples, examples[middle][0]) < 0:
            low = middle + 1
        else:
            high = middle
    # At the b that is sought positive examples from low on have slack, and negative ones before.
    pull = weight = 0
    for k, (r, y, c) in enumerate(examples):
        if (y > 0) == (k >= low):
            pull, weight = pull + c * r, weight + c
    return pull / weight if weight else -inf


def _slope_of_squares(examples: list[Example], b: Number) -> Number:
    """Return the slope of half the sum of the C_i xi_i^2 at b."""
    return total(c * (b - r) for r, y, c in examples if y * (r - b) > 0)
