"""The smallest ball around most examples: support vector data description.

    primal    minimise   R^2 + sum C w_i xi_i                      over c, R^2 and xi >= 0
              such that  |phi(x_i) - c|^2 <= R^2 + xi_i

    dual      maximise   sum alpha_i K_ii - sum_ij alpha_i alpha_j K_ij
              such that  0 <= alpha_i <= C w_i, and sum alpha_i = 1

    c         the centre, sum alpha_i phi(x_i)          w_i     weight of an example
    R^2       the squared radius, 2 lam + |c|^2         f       R^2 - |phi(x) - c|^2

For C >= 1 no bound is met before the sum is, and the ball holds all examples. If the C w_i add up
to less than 1, no multipliers have the sum 1 and the status is "infeasible": the ball of radius 0
around the mean would then be best. With a kernel whose K_ii are all equal this is the one-class
machine with nu = 1 / (n C).

Source: Tax and Duin, Machine Learning 54 (2004), pages 45-66; Chang, Lee and Lin, "A revisit to
support vector data description", 2013, for small C.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from ..kernels.base import Kernel, as_kernel
from ..kernels.standard import Linear, Precomputed
from ..numerics.display import displayed
from ..numerics.linalg import squared_distance
from ..numerics.pickles import with_format
from ..numerics.sparse_rows import inner
from ..numerics.types import KernelLike, Kind, Matrix, Number, Rows, Vector, VectorLike
from ..numerics.validation import number_kind, positive
from .box_bounds import box_limits, box_weights
from .dual_form import DualForm
from .model import Model, OffsetInterval, SingleDecision, model_at
from .outlier_problem import OutlierProblem


@displayed
class BallOffsets(NamedTuple):
    """radius2: the squared radius."""

    radius2: OffsetInterval


class BallFields(NamedTuple):
    """The fields of a BallModel, in order."""

    radius2: Number
    coef: Vector
    vectors: list[Any]
    kernel: KernelLike
    w: Vector | None
    w_norm2: Number


@with_format
@displayed
class BallModel(SingleDecision, BallFields):
    """A ball around most of the training examples; f(x) = R^2 - |phi(x) - c|^2 (S10.5).

    Attributes
    ----------
    radius2 : number
        R^2
    coef : list of numbers
        alpha_i of each support vector; c = sum alpha_i phi(x_i)
    vectors : list
        the support vectors, in the order of training
    kernel : a Kernel, or any k(x, z)
    w : d numbers, or None
        c, for the linear kernel
    w_norm2 : number
        |c|^2

    Notes
    -----
    With the linear kernel the distance is computed from c itself: no squares cancel. With a
    precomputed kernel nothing can be decided, as the row of an example lacks its own k(x, x).
    """

    __slots__ = ()

    def decide(self, X: Rows, names: list[str]) -> Vector:
        """Return f of the rows of X; names say which row an error is about."""
        if isinstance(self.kernel, Precomputed):
            raise TypeError(
                "a ball of a precomputed kernel decides nothing: a row of kernel values lacks"
                " k(x, x); give the kernel as a function"
            )
        kind = number_kind(X, self.radius2)
        ball = self.to(kind)
        plain = Model(kind(0), ball.coef, ball.vectors, ball.kernel, ball.w)
        if ball.w is not None:
            rows = [plain.convert_row(x, name, kind) for x, name in zip(X, names)]
            return [ball.radius2 - squared_distance(list(x), list(ball.w)) for x in rows]
        scores = plain.decide(X, names)
        rows = [plain.convert_row(x, name, kind) for x, name in zip(X, names)]
        norms2 = as_kernel(ball.kernel).squared_norms(rows, kind) if rows else []
        return [ball.radius2 - ((k - 2 * s) + ball.w_norm2) for k, s in zip(norms2, scores)]

    def to(self, kind: Kind) -> BallModel:
        """Return the same model in numbers of this kind."""
        if kind is type(self.radius2):
            return self
        plain = Model(self.radius2, self.coef, self.vectors, self.kernel, self.w)  # b: R^2
        return BallModel(*plain.to(kind), kind(self.w_norm2))


class BallProblem(OutlierProblem):
    """A training problem of the smallest ball; it never changes afterwards (S10.5).

    Parameters
    ----------
    X : n rows
        numbers, or strings for a string kernel; with Precomputed(), the Gram matrix
    kernel : a Kernel, or any pure symmetric function k(x, z)
    C : positive number, or math.inf
        the penalty of slack, in units of the squared radius
    weights : n positive numbers
        each multiplies the C of its example; 1 without them

    Raises
    ------
    ValueError, TypeError
        for bad input, with one sentence that names the argument, the place and the rule

    Notes
    -----
    O(n d). The offset of primal and gap is radius2.

    Examples
    --------
    >>> from refsvm.solvers.smo import smo
    >>> solution = smo(BallProblem([[0], [2], [10]]))
    >>> solution.alpha, solution.offsets.radius2.value
    ([0.5, 0.0, 0.5], 25.0)
    """

    C: Number
    example_weights: Vector

    made_of = ("kind", "X", "kernel", "C", "example_weights")
    numbers = ("C", "example_weights")
    offsets_class = BallOffsets
    model_class = BallModel
    lam_coefficients = ((2,),)
    not_negative = ("radius2",)
    scale = 2
    has_kernel_values_as_targets = True

    def __init__(
        self,
        X: Rows,
        kernel: KernelLike = Linear(),
        C: Number = 1,
        weights: VectorLike | None = None,
    ) -> None:
        kernel = as_kernel(kernel)
        kind = number_kind(X, C, weights, kernel.parameters())
        self.set_converted(kind, X, kernel, C, weights)

    def set_converted(
        self, kind: Kind, X: Rows, kernel: Kernel, C: Number, weights: VectorLike | None
    ) -> None:
        """Set the attributes from values that are checked, and converted to this kind."""
        kernel = kernel.to(kind)
        rows = self.convert_rows(X, kernel, kind)
        self.kind, self.C = kind, positive(kind, C, "C", infinite=True)
        self.example_weights = box_weights(kind, weights, len(rows))
        box_limits(self.C, self.example_weights)  # refused here, before any work
        self.set_points(rows, kernel)

    def dual_form(self) -> DualForm:
        """Return the dual's data (S10.8, S34.1): one group, whose lam is (R^2 - |c|^2) / 2."""
        zero = self.kind(0)
        return DualForm(
            of=None,
            target=[k / 2 for k in self.squared_norms()],
            lower=[zero] * self.n,
            upper=box_limits(self.C, self.example_weights),
            groups=[range(self.n)],
            sums=[Fraction(1)],
            unit=lambda lam, w_norm2: 2 * lam[0] + w_norm2,
        )

    def rows_of_w(self) -> Matrix:
        """Return the shifted rows, whose centre c is then."""
        return self.rows

    def offset_constant(self, w_norm2: Number) -> Number:
        """Return |c|^2."""
        return w_norm2

    def lam_of(self, offsets: Vector, w_norm2: Number) -> Vector:
        """Return (R^2 - |c|^2) / 2."""
        return [(offsets[0] - w_norm2) / 2]

    def feasible_factor(
        self, form: DualForm, scores: Vector, lam: Vector, error: Number = 0
    ) -> tuple[Any, Vector] | None:
        """Return a lam with which the ball holds all examples that allow no slack."""
        must = [t - s + error for t, s, c in zip(form.target, scores, form.upper) if c == inf]
        return 1, [max([*lam, *must])]

    def cost_of_mending(self, short: Number, primal: Number) -> Number:
        """Return what a ball lacks that must hold all examples."""
        return short

    def decision_offset(self, offsets: BallOffsets) -> OffsetInterval:
        """Return R^2: f is that less the squared distance from the centre."""
        return offsets.radius2

    def model_before_rounding(self, alpha: Vector, b: Number) -> BallModel:
        """Return the BallModel with this squared radius. O(n d), with other kernels O(n n d)."""
        model = model_at(self, alpha, b)
        if model.w is not None:
            w_norm2 = inner(model.w, model.w)
        else:
            _, w_norm2 = self.scores_and_norm2(self.beta(alpha))
        return self.model_class(*model, w_norm2)

    def least_scores(self, *given: Any) -> Sequence[int]:
        """Return none where the model can compute no distance."""
        return [] if isinstance(self.kernel, Precomputed) else super().least_scores(*given)
