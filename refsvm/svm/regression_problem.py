"""Support vector regression: values in the place of labels, and a tube in the place of a margin.

    primal    minimise   1/2 |w|^2 + sum C w_i (xi_i + xi*_i)            over w, b and xi, xi* >= 0
              such that  value_i - f_i <= epsilon + xi_i,  f_i - value_i <= epsilon + xi*_i

    dual      maximise   sum (value_i alpha_i - epsilon |alpha_i|) - 1/2 |w|^2
              such that  -C w_i <= alpha_i <= C w_i, and sum alpha_i = 0

RegressionProblem is given epsilon, half the width of the tube. NuRegressionProblem is given nu
instead: C nu W epsilon is added to the primal, which is minimised over epsilon >= 0, too; in the
dual the term with epsilon goes, and sum |alpha_i| <= C nu W comes.

    value_i   what is to be predicted: y          f_i     <w, phi(x_i)> + b, the prediction
    alpha_i   the net multiplier, signed          w_i     weight of an example, W their sum
    lam       b; with nu: b + epsilon, b - epsilon

The solver sees two variables an example, one for each side of the tube (dual_form.py); alpha_i is
their sum. With nu their sums are demanded to be C nu W / 2 and its negative, which any optimum can
fulfil: a surplus is added to both variables of some examples, and changes nothing else.

At most the share nu of the weight lies outside the tube, and at least that share on it or outside.

Source: Vapnik, The Nature of Statistical Learning Theory, 1995; Schoelkopf, Smola, Williamson,
Bartlett, Neural Computation 12 (2000), pages 1207-1245, on the scale of LIBSVM (their C is n
times this one); Chang and Lin, Neural Computation 14 (2002), pages 1959-1977.
"""

from __future__ import annotations

from fractions import Fraction
from math import ulp
from typing import Any, NamedTuple

from ..kernels.base import Kernel, as_kernel
from ..kernels.standard import Linear
from ..numerics.display import displayed
from ..numerics.linalg import dot
from ..numerics.types import KernelLike, Kind, Number, Row, Rows, Vector, VectorLike
from ..numerics.validation import check_length, not_negative, number_kind, positive, vector
from .box_bounds import box_limits, box_weights, share_of_outliers, share_of_weights
from .dual_form import DualForm, exact_total
from .model import Model, OffsetInterval, Solution
from .training_problem import TrainingProblem


@displayed
class RegressionOffsets(NamedTuple):
    """b."""

    b: OffsetInterval


@displayed
class NuRegressionOffsets(NamedTuple):
    """b, and epsilon, half the width of the tube; not independent: see dual_form.py."""

    b: OffsetInterval
    epsilon: OffsetInterval


class RegressionModel(Model):
    """A trained regression: f(x) = sum alpha_i k(x_i, x) + b, and f is what it predicts.

    Attributes
    ----------
    b, coef, vectors, kernel, w
        as in Model; coef holds the net multipliers
    scale : number or None
        of the Laplace distribution of what is missed, in units of f, where it is known
    svm_type : str or None
        what a model file calls the machine: "nu_svr", or "linear_svr", whose vector is w; None
        where that is "epsilon_svr"
    """

    scale: Number | None = None
    svm_type: str | None = None

    def _replace(self, **changes: Any) -> RegressionModel:
        """Return the model with other fields; scale and svm_type stay."""
        found: RegressionModel = super()._replace(**changes)
        return self._described(found, self.scale)

    def to(self, kind: Kind) -> RegressionModel:
        """Return the same model in numbers of this kind."""
        found: RegressionModel = super().to(kind)  # type: ignore[assignment]
        return self._described(found, None if self.scale is None else kind(self.scale))

    def _described(self, other: RegressionModel, scale: Number | None) -> RegressionModel:
        """Return the other model with this scale, and with the svm_type of this one."""
        if scale is not None:
            other.scale = scale
        if self.svm_type is not None:
            other.svm_type = self.svm_type
        return other

    def predict(self, x: Row) -> Number:  # type: ignore[override]
        """Return f(x)."""
        return self.decision(x)

    def predictions(self, X: Rows, *, threads: int = 1) -> Vector:  # type: ignore[override]
        """Return f of each row of X."""
        return self.decisions(X, threads=threads)


class TubeProblem(TrainingProblem):
    """What both problems of regression share: values, C, weights, and two variables an example."""

    y: Vector
    C: Number
    example_weights: Vector

    def set_converted(
        self,
        kind: Kind,
        X: Rows,
        y: VectorLike,
        kernel: Kernel,
        C: Number,
        tube: Number,
        weights: VectorLike | None,
    ) -> None:
        """Set the attributes from values that are checked, and converted to this kind."""
        kernel = kernel.to(kind)
        rows = self.convert_rows(X, kernel, kind)
        self.kind, self.y = kind, vector(y, "y", kind)
        check_length(self.y, len(rows), "y")
        self.C = positive(kind, C, "C")
        self.example_weights = box_weights(kind, weights, len(rows))
        box_limits(self.C, self.example_weights)  # refused here, before any work
        self.set_tube(tube)
        self.set_points(rows, kernel)

    def set_tube(self, tube: Any) -> None:
        """Set epsilon or nu."""
        raise NotImplementedError

    def limits(self) -> Vector:
        """Return the largest size of each alpha, C w_i."""
        return box_limits(self.C, self.example_weights)

    def two_sided_form(self, epsilon: Number, **fields: Any) -> DualForm:
        """Return the data of a dual with two variables an example (S9.2, S9.7)."""
        zero, limits = self.kind(0), self.limits()
        spread = max(self.y) / 2 - min(self.y) / 2  # halved first: the whole may overflow
        return DualForm(
            of=[*range(self.n), *range(self.n)],
            target=[v - epsilon for v in self.y] + [v + epsilon for v in self.y],
            lower=[zero] * self.n + [-c for c in limits],
            upper=limits + [zero] * self.n,
            unit=lambda lam, w_norm2: spread,
            **fields,
        )

    def variables_of(self, alpha: Vector) -> Vector:
        """Return the positive parts, then the negative parts (S34.4)."""
        zero = self.kind(0)
        return [max(a, zero) for a in alpha] + [min(a, zero) for a in alpha]

    def example_and_sign(self, k: int) -> tuple[int, int]:
        """Return the example of a variable, whose share of the net multiplier has its sign."""
        return k % self.n, 1

    def multipliers_of(self, variables: Vector) -> Vector:
        """Return the sum of the two variables of each example."""
        return [a + b for a, b in zip(variables[: self.n], variables[self.n :])]

    def form_of_closed_tube(self, alpha: Vector) -> DualForm | None:
        """Return the closed_form, if the tube's width is 0 near alpha; else None.

        Near an optimal alpha, which is optimal of this form, too.
        """
        return self.closed_form() if self.is_tube_closed(alpha) else None

    def closed_form(self) -> DualForm:
        """Return the dual's data with one variable an example: of a tube without width (S9.5)."""
        limits = self.limits()
        return DualForm(
            of=None,
            target=self.y,
            lower=[-c for c in limits],
            upper=limits,
            groups=[range(self.n)],
            sums=[Fraction(0)],
        )

    def is_tube_closed(self, alpha: Vector) -> bool:
        """Return whether near alpha the dual has no cost or bound of sum |alpha_i|."""
        raise NotImplementedError

    def within_tube(self, alpha: Vector, other: Vector) -> Vector:
        """Return an alpha on the way to the other for which the tube may stay closed."""
        return other

    def norm2_of(self, variables: Vector, scores: Vector) -> Number:
        """Return |w|^2 from the variables and the score of each; both of an example have one."""
        return dot(self.multipliers_of(variables), scores[: self.n])


class FixedTubeProblem(TubeProblem):
    """What both problems share whose tube has a given width, with an offset and without."""

    epsilon: Number

    def is_tube_closed(self, alpha: Vector) -> bool:
        """Return whether epsilon is 0."""
        return self.epsilon == 0

    def rounds_targets(self) -> bool:
        """Return whether y - epsilon may be rounded."""
        return self.epsilon != 0

    def without_common_parts(self, variables: Vector) -> Vector:
        """Return the variables of the same multipliers of which no two of an example cancel."""
        return self.variables_of(self.multipliers_of(variables))


class RegressionProblem(FixedTubeProblem):
    """A training problem of regression with a tube of given width; it never changes afterwards.

    Parameters
    ----------
    X : n rows
        numbers, or strings for a string kernel; with Precomputed(), the Gram matrix
    y : n numbers
        the values to be predicted
    kernel : a Kernel, or any pure symmetric function k(x, z)
    C : positive number
        the penalty of slack
    epsilon : number, 0 or more
        half the width of the tube, in units of y
    weights : n positive numbers
        each multiplies the C of its example; 1 without them

    Raises
    ------
    ValueError, TypeError
        for bad input, with one sentence that names the argument, the place and the rule

    Notes
    -----
    O(n d). The offset of primal and gap is b. Standard: S9.1.

    Examples
    --------
    >>> from refsvm.solvers.smo import smo
    >>> solution = smo(RegressionProblem([[0], [1], [2]], [0, 1, 4], C=1, epsilon=0.25))
    >>> solution.alpha, solution.b, solution.objective
    ([0.0, -1.0, 1.0], 0.25, 2.0)
    """

    made_of = ("kind", "X", "y", "kernel", "C", "epsilon", "example_weights")
    numbers = ("y", "C", "epsilon", "example_weights")
    offsets_class = RegressionOffsets
    model_class = RegressionModel
    lam_coefficients = ((1,),)

    def __init__(
        self,
        X: Rows,
        y: VectorLike,
        kernel: KernelLike = Linear(),
        C: Number = 1,
        epsilon: Number = 0.1,
        weights: VectorLike | None = None,
    ) -> None:
        kernel = as_kernel(kernel)
        kind = number_kind(X, y, C, epsilon, weights, kernel.parameters())
        self.set_converted(kind, X, y, kernel, C, epsilon, weights)

    def set_tube(self, tube: Number) -> None:
        """Set epsilon."""
        self.epsilon = not_negative(self.kind, tube, "epsilon")

    def dual_form(self) -> DualForm:
        """Return the data of the dual: one group, whose lam is b (S34.1)."""
        return self.two_sided_form(self.epsilon, groups=[range(2 * self.n)], sums=[Fraction(0)])

    def lam_of(self, offsets: Vector, w_norm2: Number) -> Vector:
        """Return b."""
        return offsets


class NuRegressionProblem(TubeProblem):
    """A training problem of regression with a share outside the tube; it never changes (S9.5).

    Parameters
    ----------
    X, y, kernel, C, weights
        as in RegressionProblem
    nu : number above 0, at most 1
        the share of the weight that may lie outside the tube

    Raises
    ------
    ValueError, TypeError
        for bad input, with one sentence that names the argument, the place and the rule

    Notes
    -----
    O(n d). The offsets of primal and gap are b and epsilon.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from refsvm.solvers.smo import smo
    >>> problem = NuRegressionProblem([[0], [1], [2]], [0, 1, 4], C=1, nu=Fraction(1, 3))
    >>> solution = smo(problem, tol=0)
    >>> [str(a) for a in solution.alpha], str(solution.b), str(solution.offsets.epsilon.value)
    (['-1/2', '0', '1/2'], '1', '1')
    """

    nu: Number

    made_of = ("kind", "X", "y", "kernel", "C", "nu", "example_weights")
    numbers = ("y", "C", "nu", "example_weights")
    offsets_class = NuRegressionOffsets
    model_class = RegressionModel
    lam_coefficients = ((1, 1), (1, -1))
    not_negative = ("epsilon",)

    def __init__(
        self,
        X: Rows,
        y: VectorLike,
        kernel: KernelLike = Linear(),
        C: Number = 1,
        nu: Number = 0.5,
        weights: VectorLike | None = None,
    ) -> None:
        kernel = as_kernel(kernel)
        kind = number_kind(X, y, C, nu, weights, kernel.parameters())
        self.set_converted(kind, X, y, kernel, C, nu, weights)

    def set_tube(self, tube: Number) -> None:
        """Set nu."""
        self.nu = share_of_outliers(self.kind, tube)

    def half_sum(self) -> Fraction:
        """Return what the positive variables add up to: C nu W / 2, exactly for these bounds."""
        return share_of_weights(self.kind, self.nu, self.limits()) / 2

    def is_tube_closed(self, alpha: Vector) -> bool:
        """Return whether sum |alpha_i| is less than it may be."""
        return self.room(alpha) > 0

    def room(self, alpha: Vector) -> Fraction:
        """Return by how much sum |alpha_i| is less than C nu W."""
        return 2 * self.half_sum() - exact_total(map(abs, alpha))

    def within_tube(self, alpha: Vector, other: Vector) -> Vector:
        """Return an alpha on the way to the other whose sum |alpha_i| is allowed; it is convex."""
        room, missing = self.room(alpha), -self.room(other)
        if missing <= 0:
            return other
        t = room / (room + missing)
        return [a + t * (z - a) for a, z in zip(alpha, other)]

    def dual_form(self) -> DualForm:
        """Return the data of the dual: a group for each side of the tube (S9.5, S34.1)."""
        half, n = self.half_sum(), self.n
        groups = [range(n), range(n, 2 * n)]
        return self.two_sided_form(self.kind(0), groups=groups, sums=[half, -half])

    def model_of(self, solution: Solution) -> Any:
        """Return the model of a solution, which a model file calls nu_svr."""
        model = super().model_of(solution)
        model.svm_type = "nu_svr"
        return model

    def variables_of(self, alpha: Vector) -> Vector:
        """Return positive and negative parts; what their sums lack is added to both of some.

        Not what alpha, which is a sum of two, may lack by rounding: one that is no vector would
        become two. Standard: S34.4.
        """
        variables = super().variables_of(alpha)
        missing = self.half_sum() - exact_total(variables[: self.n])
        if self.kind is float and missing <= exact_total(map(ulp, alpha)):
            return variables
        for i, limit in enumerate(self.limits()):
            if missing <= 0:
                break
            size: Any = abs(alpha[i])
            room = Fraction(limit) - Fraction(size)
            part = min(room, missing)
            if part > 0:
                variables[i] = self.kind(Fraction(variables[i]) + part)
                variables[self.n + i] = self.kind(Fraction(variables[self.n + i]) - part)
                missing -= part
        return variables

    def dual_value(self, form: DualForm, variables: Vector, w_norm2: Number) -> Number:
        """Return the value of the net alpha: what cancels is not rounded."""
        return dot(self.y, self.multipliers_of(variables)) - w_norm2 / 2

    def lam_of(self, offsets: Vector, w_norm2: Number) -> Vector:
        """Return b + epsilon and b - epsilon."""
        b, epsilon = offsets
        return [b + epsilon, b - epsilon]
