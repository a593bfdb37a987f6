"""The nu-support vector machine: a bound on the share of margin errors in the place of C.

    primal    minimise   1/2 |w|^2 - nu W rho + sum w_i xi_i     over w, b, rho and xi >= 0
              such that  y_i (<w, phi(x_i)> + b) >= rho - xi_i

    dual      maximise   -1/2 sum_ij beta_i beta_j K_ij
              such that  0 <= alpha_i <= w_i, and sum alpha_i = nu W / 2 over each class

    beta_i    alpha_i y_i            w_i   weight of an example, W their sum: n without weights
    rho       the functional margin that examples must keep, which takes the place of 1
    lam       b - rho of the class +1, b + rho of the class -1

At most the share nu of the weight are margin errors (y_i f_i < rho), and at least that share are
support vectors. alpha / (nu W / 2) are the weights of the nearest points of the two reduced convex
hulls. If these meet, w and rho are 0 and there is no machine: the status is "degenerate". Where a
class weighs less than nu W / 2, that is for nu > 2 min(W_+, W_-) / W, it is "infeasible".

With rho > 0, w / rho and b / rho are the classifier of Problem with C = w_i / rho.

Source: Schoelkopf, Smola, Williamson, Bartlett, Neural Computation 12 (2000), pages 1207-1245, on
the scale of LIBSVM (their w, b, rho and xi times n); Chang and Lin, Neural Computation 13 (2001),
pages 2119-2147; Crisp and Burges, NIPS 12 (1999), for the hulls.
"""

from __future__ import annotations

from typing import NamedTuple

from ..kernels.base import Kernel, as_kernel
from ..kernels.standard import Linear
from ..numerics.display import displayed
from ..numerics.types import KernelLike, Kind, Number, Rows, Vector, VectorLike
from ..numerics.validation import labels, number_kind
from .box_bounds import box_weights, share_of_outliers, share_of_weights
from .dual_form import DualForm
from .model import OffsetInterval
from .training_problem import TrainingProblem


@displayed
class NuOffsets(NamedTuple):
    """b, and rho, the functional margin; they are not independent: see dual_form.py (S11.3)."""

    b: OffsetInterval
    rho: OffsetInterval


class NuProblem(TrainingProblem):
    """A training problem of the nu-support vector machine; it never changes afterwards (S11.1).

    Parameters
    ----------
    X : n rows
        numbers, or strings for a string kernel; with Precomputed(), the Gram matrix
    y : n labels, +1 or -1
    kernel : a Kernel, or any pure symmetric function k(x, z)
    nu : number above 0, at most 1
        the share of the weight that may be margin errors
    weights : n positive numbers
        the largest alpha of each example; 1 without them

    Raises
    ------
    ValueError, TypeError
        for bad input, with one sentence that names the argument, the place and the rule

    Notes
    -----
    O(n d). The offsets of primal and gap are b and rho.

    Examples
    --------
    >>> from refsvm.solvers.smo import smo
    >>> solution = smo(NuProblem([[0], [1], [3], [4]], [-1, -1, 1, 1], nu=0.75))
    >>> solution.alpha, solution.b, solution.offsets.rho.value
    ([0.5, 1.0, 1.0, 0.5], -8.0, 8.0)
    """

    y: list[int]
    nu: Number
    example_weights: Vector

    made_of = ("kind", "X", "y", "kernel", "nu", "example_weights")
    numbers = ("nu", "example_weights")
    offsets_class = NuOffsets
    lam_coefficients = ((1, 1), (-1, 1))
    not_negative = ("rho",)

    def __init__(
        self,
        X: Rows,
        y: VectorLike,
        kernel: KernelLike = Linear(),
        nu: Number = 0.5,
        weights: VectorLike | None = None,
    ) -> None:
        kernel = as_kernel(kernel)
        kind = number_kind(X, nu, weights, kernel.parameters())
        self.set_converted(kind, X, y, kernel, nu, weights)

    def set_converted(
        self,
        kind: Kind,
        X: Rows,
        y: VectorLike,
        kernel: Kernel,
        nu: Number,
        weights: VectorLike | None,
    ) -> None:
        """Set the attributes from values that are checked, and converted to this kind."""
        kernel = kernel.to(kind)
        rows = self.convert_rows(X, kernel, kind)
        self.kind, self.y = kind, labels(y, len(rows))
        self.nu = share_of_outliers(kind, nu)
        self.example_weights = box_weights(kind, weights, len(rows))
        self.set_points(rows, kernel)

    def dual_form(self) -> DualForm:
        """Return the data of the dual: the class +1, then the class -1 (S11.8, S34.1)."""
        zero, of = self.kind(0), self.order()
        positive = self.y.count(1)
        half = share_of_weights(self.kind, self.nu, self.example_weights) / 2
        return DualForm(
            of=of,
            target=[zero] * self.n,
            lower=[zero if self.y[i] > 0 else -self.example_weights[i] for i in of],
            upper=[self.example_weights[i] if self.y[i] > 0 else zero for i in of],
            groups=[range(positive), range(positive, self.n)],
            sums=[half, -half],
            unit=lambda lam, w_norm2: (lam[1] - lam[0]) / 2,
            degenerates=True,
        )

    def order(self) -> list[int]:
        """Return the examples of the class +1, then those of the class -1."""
        return [i for sign in (1, -1) for i, y in enumerate(self.y) if y == sign]

    def example_and_sign(self, k: int) -> tuple[int, int]:
        """Return the example of a variable, and its label."""
        i = self.order()[k]
        return i, self.y[i]

    def beta(self, alpha: VectorLike, name: str = "alpha") -> Vector:
        """Return alpha_i y_i, in numbers of the problem's kind."""
        return [a * s for a, s in zip(super().beta(alpha, name), self.y)]

    def variables_of(self, alpha: Vector) -> Vector:
        """Return alpha_i y_i in the order of the classes."""
        return [alpha[i] * self.y[i] for i in self.order()]

    def multipliers_of(self, variables: Vector) -> Vector:
        """Return alpha in the order of the examples; a zero has no sign."""
        of = dict(zip(self.order(), variables))
        return [of[i] * s + 0 for i, s in enumerate(self.y)]

    def lam_of(self, offsets: Vector, w_norm2: Number) -> Vector:
        """Return b - rho and b + rho (S11.3)."""
        b, rho = offsets
        return [b - rho, b + rho]
