"""Regression without an offset, whose slack may be squared: what LinearSVR solves.

    linear     minimise   1/2 |w|^2 +     sum C_i e_i          e_i = max(0, |y_i - f_i| - epsilon)
    squared    minimise   1/2 |w|^2 + 1/2 sum C_i e_i^2        f_i = <w, phi(x_i)>

    dual       maximise   sum (y_i alpha_i - epsilon |alpha_i|) - 1/2 |w|^2
               such that  -C_i <= alpha_i <= C_i

Squared slack takes the bounds away, and 1/2 sum alpha_i^2 / C_i off the dual; |alpha_i| is
C_i e_i then. Without an offset no sum of multipliers is demanded: each may move alone. The solver
sees two variables an example, as in regression_problem.py; not both are away from 0 at an optimum.

Of a linear machine an offset is the weight of a constant feature (constant_feature.py).

Source: Ho and Lin, Large-scale linear support vector regression, JMLR 13 (2012), pages 3323-3348.
"""

from __future__ import annotations

from math import inf
from typing import Any, Union

from ..kernels.base import Kernel, as_kernel
from ..kernels.standard import Linear
from ..numerics.quoting import quote
from ..numerics.types import KernelLike, Kind, Number, Rows, Vector, VectorLike
from ..numerics.validation import (
    check_length,
    not_negative,
    number_kind,
    one_of,
    penalties,
    positive,
    vector,
)
from .dual_form import DualForm, distinct
from .problem import Problem, require_problem
from .regression_problem import FixedTubeProblem, RegressionModel, RegressionOffsets

SLACKS_OF_TUBE = ("linear", "squared")


class RegressionWithoutOffset(FixedTubeProblem):
    """A training problem of regression without an offset; it never changes afterwards.

    Parameters
    ----------
    X : n rows
        numbers, or strings for a string kernel; with Precomputed(), the Gram matrix
    y : n numbers
        the values to be predicted
    kernel : a Kernel, or any pure symmetric function k(x, z)
    C : positive number, or n of them
        the penalty of slack: for all examples, or one for each
    epsilon : number, 0 or more
        half the width of the tube, in units of y
    slack : "linear" or "squared"

    Raises
    ------
    ValueError, TypeError
        for bad input, with one sentence that names the argument, the place and the rule

    Notes
    -----
    O(n d). b is 0. tol counts in units of the largest |y_i|. Standard: S9.10.

    Examples
    --------
    >>> from refsvm.solvers.newton import newton
    >>> problem = RegressionWithoutOffset([[1], [1]], [1, 3], C=1, epsilon=0, slack="squared")
    >>> solution = newton(problem)
    >>> solution.w, solution.alpha
    ([1.3333333333333333], [-0.33333333333333326, 1.6666666666666667])
    """

    C: Vector  # type: ignore[assignment]
    slack: str
    bias = False

    made_of = ("kind", "X", "y", "kernel", "C", "epsilon", "slack")
    numbers = ("y", "C", "epsilon")
    box = "C"
    sides = 2
    offsets_class = RegressionOffsets
    model_class = RegressionModel
    lam_coefficients = ((1,),)

    def __init__(
        self,
        X: Rows,
        y: VectorLike,
        kernel: KernelLike = Linear(),
        C: Number | VectorLike = 1,
        epsilon: Number = 0.1,
        slack: str = "linear",
    ) -> None:
        kernel = as_kernel(kernel)
        kind = number_kind(X, y, C, epsilon, kernel.parameters())
        self.set_converted(kind, X, y, kernel, C, epsilon, slack)

    def set_converted(  # type: ignore[override]
        self,
        kind: Kind,
        X: Rows,
        y: VectorLike,
        kernel: Kernel,
        C: Number | VectorLike,
        epsilon: Number,
        slack: str,
    ) -> None:
        """Set the attributes from values that are checked, and converted to this kind."""
        kernel = kernel.to(kind)
        rows = self.convert_rows(X, kernel, kind)
        y = vector(y, "y", kind)
        check_length(y, len(rows), "y")
        C = penalties(kind, C, len(rows))
        if inf in distinct(C):
            positive(kind, inf, f"C[{C.index(inf)}]")  # which refuses it
        epsilon = not_negative(kind, epsilon, "epsilon")
        slack = one_of(slack, SLACKS_OF_TUBE, "slack")
        self.set_validated(kind, rows, y, kernel, C, epsilon, slack)

    def set_validated(
        self,
        kind: Kind,
        rows: list[Any],
        y: Vector,
        kernel: Kernel,
        C: Vector,
        epsilon: Number,
        slack: str,
    ) -> None:
        """Set the attributes from validated values, all numbers of this kind."""
        self.kind, self.y, self.C = kind, y, C
        self.epsilon, self.slack = epsilon, slack
        self.set_points(rows, kernel)

    def may_shift(self) -> bool:
        """Return False: rows that are moved are another problem."""
        return False

    def upper_bounds(self) -> Vector:
        """Return the largest size of each alpha: C_i, or inf under squared slack."""
        return self.C if self.slack == "linear" else [inf] * self.n

    limits = upper_bounds

    def ridge(self) -> Vector:
        """Return what squared slack adds to the diagonal of K: 1 / C_i (S9.10).

        ValueError if one of them is beyond the doubles.
        """
        if self.slack == "linear":
            return super().ridge()
        found: Vector = [1 / c for c in self.C]
        if inf in found:
            i = found.index(inf)
            raise ValueError(
                f"C[{i}] is {quote(self.C[i])}; under squared slack floats need a C whose 1 /"
                " C is finite"
            )
        return found

    def dual_form(self) -> DualForm:
        """Return the data of the dual: two variables an example, and no group (S9.10)."""
        unit = self.unit_of_tol()
        form = self.two_sided_form(self.epsilon, groups=[], sums=[])
        squared = self.C * 2 if self.slack == "squared" else None
        return form._replace(squared=squared, unit=lambda lam, w_norm2: unit)

    def closed_form(self) -> DualForm:
        """Return the dual's data with one variable an example: of a tube without width."""
        squared = self.C if self.slack == "squared" else None
        return super().closed_form()._replace(groups=[], sums=[], squared=squared)

    def score_bounds(self) -> tuple[Vector, Vector]:
        """Return between which two numbers each score costs no slack: y_i -+ epsilon."""
        return [v - self.epsilon for v in self.y], [v + self.epsilon for v in self.y]

    def largest_target(self) -> Number:
        """Return the largest size of what a score is compared with."""
        sizes: list[Any] = [abs(v) for ends in self.score_bounds() for v in ends]
        return max(sizes)  # type: ignore[no-any-return]

    def unit_of_tol(self) -> Number:
        """Return in units of what tol is: of the largest |y_i|."""
        sizes: list[Any] = [abs(v) for v in self.y]
        return max(sizes)  # type: ignore[no-any-return]

    def lam_of(self, offsets: Vector, w_norm2: Number) -> Vector:
        """Return nothing: there is no group; ValueError unless b is 0."""
        if offsets[0] != 0:
            raise ValueError(f"b is {quote(offsets[0])}; a problem without offset has b = 0")
        return []

    def middles(self, ends: list[tuple[Any, Any]]) -> Vector:
        """Return b, which is 0."""
        return [self.kind(0)]

    def best_lam(self, form: DualForm, r: Vector) -> list[tuple[Any, Any]]:
        """Return nothing: there is no group."""
        return []

    def sums_at_optimum(self, value: Any, w_norm2: Any) -> tuple[Any, Any]:
        """Return None, and the penalty of slack."""
        return None, value - w_norm2 / 2


LinearProblem = Union[Problem, RegressionWithoutOffset]  # of a machine that keeps w


def require_for_descent(problem: Any) -> Any:
    """Return the problem; TypeError unless it is one of those that keep w as they are solved."""
    return problem if isinstance(problem, RegressionWithoutOffset) else require_problem(problem)
