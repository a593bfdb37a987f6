"""The result of training for the smallest ball: its centre, its radius, and what lies inside."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..kernels.base import as_kernel
from ..kernels.standard import Precomputed
from ..numerics.display import displayed
from ..numerics.linalg import squared_distance
from ..numerics.pickles import with_format
from ..numerics.sparse_rows import converted, inner
from ..numerics.types import KernelLike, Kind, Number, Rows, Vector
from ..numerics.validation import number_kind
from .model import Model, SingleDecision, model_at


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
    """A ball around most of the training examples; f(x) = R^2 - |phi(x) - c|^2.

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
        kernel, vectors = as_kernel(self.kernel).to(kind), self.vectors
        if vectors and not isinstance(vectors[0], (int, str)):
            vectors = [converted(v, kind) for v in vectors]
        w = None if self.w is None else converted(self.w, kind)
        coef: Vector = list(map(kind, self.coef))
        return BallModel(kind(self.radius2), coef, vectors, kernel, w, kind(self.w_norm2))


def ball_fields(problem: Any, solution: Any) -> BallFields:
    """Return the fields of a BallModel, of a solution. O(n d), other kernels O(n n d)."""
    model = model_at(problem, solution.alpha, problem.kind(0))
    if model.w is not None:
        w_norm2 = inner(model.w, model.w)
    else:
        _, w_norm2 = problem.scores_and_norm2(problem.beta(solution.alpha))
    return BallFields(solution.b, model.coef, model.vectors, model.kernel, model.w, w_norm2)
