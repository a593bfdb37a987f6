"""The one-class support vector machine: where most examples lie, as seen from the origin.

    primal    minimise   1/2 |w|^2 - nu W rho + sum w_i xi_i       over w, rho and xi >= 0
              such that  <w, phi(x_i)> >= rho - xi_i

    dual      maximise   -1/2 sum_ij alpha_i alpha_j K_ij
              such that  0 <= alpha_i <= w_i, and sum alpha_i = nu W

    w_i       weight of an example, W their sum: n without weights        lam     -rho
    f         score - rho; an example with f < 0 is an outlier

At most the share nu of the weight are outliers, and at least that share are support vectors. With
the linear kernel this is the half-space farthest from the origin, so the rows are never shifted:
another origin is another problem. If the origin lies in the reduced hull of the rows, w and rho
are 0 and there is no machine: the status is "degenerate".

Source: Schoelkopf, Platt, Shawe-Taylor, Smola, Williamson, Neural Computation 13 (2001), pages
1443-1471, on the scale of LIBSVM (their w, rho and alpha times nu n).
"""

from __future__ import annotations

from typing import NamedTuple

from ..kernels.base import Kernel, as_kernel
from ..kernels.standard import Linear
from ..numerics.display import displayed
from ..numerics.types import KernelLike, Kind, Number, Rows, Vector, VectorLike
from ..numerics.validation import number_kind
from .box_bounds import box_weights, share_of_outliers, share_of_weights
from .dual_form import DualForm
from .model import Model, OffsetInterval
from .outlier_problem import OutlierProblem


@displayed
class OneClassOffsets(NamedTuple):
    """rho: the score below which an example is an outlier."""

    rho: OffsetInterval


class OneClassModel(Model):
    """A trained machine of one class (S10.1): f(x) = sum alpha_i k(x_i, x) - rho, +1 if f >= 0.

    Attributes
    ----------
    b : number
        -rho
    coef, vectors, kernel, w
        as in Model; coef holds the multipliers
    """


class OneClassProblem(OutlierProblem):
    """A training problem of one class; it never changes afterwards (S10.1).

    Parameters
    ----------
    X : n rows
        numbers, or strings for a string kernel; with Precomputed(), the Gram matrix
    kernel : a Kernel, or any pure symmetric function k(x, z)
    nu : number above 0, at most 1
        the share of the weight that may be outliers
    weights : n positive numbers
        the largest alpha of each example; 1 without them

    Raises
    ------
    ValueError, TypeError
        for bad input, with one sentence that names the argument, the place and the rule

    Notes
    -----
    O(n d). The offset of primal and gap is rho.

    Examples
    --------
    >>> from refsvm.solvers.smo import smo
    >>> solution = smo(OneClassProblem([[1], [2], [4]], nu=0.5))
    >>> solution.alpha, solution.offsets.rho
    ([1.0, 0.5, 0.0], OffsetInterval(value=4.0, low=4.0, high=4.0))
    """

    nu: Number
    example_weights: Vector

    made_of = ("kind", "X", "kernel", "nu", "example_weights")
    numbers = ("nu", "example_weights")
    offsets_class = OneClassOffsets
    model_class = OneClassModel
    lam_coefficients = ((-1,),)
    not_negative = ("rho",)

    def __init__(
        self,
        X: Rows,
        kernel: KernelLike = Linear(),
        nu: Number = 0.5,
        weights: VectorLike | None = None,
    ) -> None:
        kernel = as_kernel(kernel)
        kind = number_kind(X, nu, weights, kernel.parameters())
        self.set_converted(kind, X, kernel, nu, weights)

    def set_converted(
        self, kind: Kind, X: Rows, kernel: Kernel, nu: Number, weights: VectorLike | None
    ) -> None:
        """Set the attributes from values that are checked, and converted to this kind."""
        kernel = kernel.to(kind)
        rows = self.convert_rows(X, kernel, kind)
        self.kind, self.nu = kind, share_of_outliers(kind, nu)
        self.example_weights = box_weights(kind, weights, len(rows))
        self.set_points(rows, kernel)

    def may_shift(self) -> bool:
        """Return False: the origin is part of the problem."""
        return False

    def dual_form(self) -> DualForm:
        """Return the data of the dual: one group, whose lam is -rho (S10.8, S34.1)."""
        zero = self.kind(0)
        return DualForm(
            of=None,
            target=[zero] * self.n,
            lower=[zero] * self.n,
            upper=self.example_weights,
            groups=[range(self.n)],
            sums=[share_of_weights(self.kind, self.nu, self.example_weights)],
            unit=lambda lam, w_norm2: -lam[0],
            degenerates=True,
        )

    def lam_of(self, offsets: Vector, w_norm2: Number) -> Vector:
        """Return -rho."""
        return [-offsets[0]]

    def decision_offset(self, offsets: OneClassOffsets) -> OffsetInterval:
        """Return -rho."""
        value, low, high = offsets.rho
        return OffsetInterval(0 - value, 0 - high, 0 - low)
