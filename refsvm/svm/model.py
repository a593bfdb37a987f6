"""The result of training: a Solution, and the Model that decides about new rows.

f(x) = sum alpha_i y_i k(x_i, x) + b        predict +1 when f(x) >= 0, else -1
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from ..kernels.base import Kernel, as_kernel, checked_row_function
from ..kernels.gram_matrices import refuse_if_string, refuse_infinite_values, refuse_other_type
from ..kernels.standard import Linear, Precomputed, comparable
from ..numerics.display import displayed
from ..numerics.exact_sums import nearest_weights
from ..numerics.linalg import dot
from ..numerics.pickles import with_format
from ..numerics.sparse_rows import converted, inner, narrowed
from ..numerics.types import KernelLike, Kind, Number, Row, Rows, Vector
from ..numerics.validation import nearest, number_kind, sequence, vector, whole_number
from .limits_of_doubles import limit_in_words

if TYPE_CHECKING:
    from .problem_rows import ProblemRows


# What every model has that decides by one number


class SingleDecision:
    """The base of Model and BallModel, which say how rows are decided about."""

    __slots__ = ()

    def decide(self, X: Rows, names: list[str]) -> Vector:
        """Return f of the rows of X; names say which row an error is about."""
        raise NotImplementedError

    def decision(self, x: Row) -> Number:
        """Return f(x) of one row. O(d) for a linear model, O(vectors d) for the others."""
        return self.decide([x], ["x"])[0]

    def decisions(self, X: Rows, *, threads: int = 1) -> Vector:
        """Return f of each row of X.

        threads: at most so many work, in refsvm_fast; changes no bit. One does where kernel values
        take fewer than some 50 million cycles, as two would bring little: with AVX2 and 1000
        support vectors up to 4000 rows of 5 columns, 3000 of 20, 1000 of 100.
        """
        whole_number(threads, "threads", 1)
        X = sequence(X, "X")
        return self.decide(X, [f"X[{i}]" for i in range(len(X))])

    def predict(self, x: Row) -> int:
        """Return +1 if f(x) >= 0, else -1."""
        return 1 if self.decision(x) >= 0 else -1

    def predictions(self, X: Rows, *, threads: int = 1) -> list[int]:
        """Return +1 if f(x) >= 0, else -1, for each row x of X."""
        return [1 if f >= 0 else -1 for f in self.decisions(X, threads=threads)]


class ModelFields(NamedTuple):
    """The fields of a Model, in order."""

    b: Number
    coef: Vector
    vectors: list[Any]
    kernel: KernelLike
    w: Vector | None


@with_format
@displayed
class Model(SingleDecision, ModelFields):
    """A trained classifier of two classes, made of the examples with alpha_i > 0.

    Attributes
    ----------
    b : number
        the offset
    coef : list of numbers
        alpha_i y_i of each support vector
    vectors : list
        the support vectors, in the order of training; for Precomputed their indices
    kernel : a Kernel, or any k(x, z)
    w : d numbers, or None
        the weights of a linear model

    Notes
    -----
    A linear model decides by w.x + b, the others by the sum in the order of the vectors.
    """

    __slots__ = ()

    def decide(self, X: Rows, names: list[str]) -> Vector:
        """Return f of the rows of X; names say which row an error is about."""
        kernel, kind = as_kernel(self.kernel), number_kind(X, self.b)
        is_ready = kernel is self.kernel and kind is type(self.b)
        model = self if is_ready else self.to(kind)
        kernel = as_kernel(model.kernel)
        rows = [model.convert_row(x, name, kind) for x, name in zip(X, names)]
        if model.w is not None:
            _, (w,), rows = narrowed([model.w], rows)
            return [inner(w, x) + model.b for x in rows]
        _, vectors, rows = comparable(kernel, model.vectors, rows)
        row = checked_row_function(kernel, vectors, kind, len(vectors))
        values = map(row, rows)
        return [model.decision_from(k, name) for k, name in zip(values, names)]

    def decision_from(self, values: Vector, name: str) -> Number:
        """Return f of a row, from its kernel values with the support vectors."""
        if not as_kernel(self.kernel).bounded:
            refuse_infinite_values(values, name)
        return dot(self.coef, values) + self.b

    def convert_row(self, x: Row, name: str, kind: Kind) -> Any:
        """Return the row x in numbers of this kind; refuse it if its length does not fit."""
        refuse_if_string(as_kernel(self.kernel), x, name)
        refuse_other_type(x, self.vectors, name)
        if isinstance(x, str):
            return x
        x = vector(x, name, kind)
        if isinstance(self.kernel, Precomputed):
            if self.vectors and len(x) <= self.vectors[-1]:
                raise ValueError(
                    f"{name} has length {len(x)}; it must hold the kernel value with every"
                    f" training example, at least {self.vectors[-1] + 1}"
                )
            return x
        known = [self.w] if self.w is not None else self.vectors[:1]
        width = len(known[0]) if known else len(x)
        if len(x) != width:
            raise ValueError(f"{name} has length {len(x)}; the model has {width} features")
        return x

    def to(self, kind: Kind) -> Model:
        """Return the same model in numbers of this kind."""
        kernel, vectors = as_kernel(self.kernel).to(kind), self.vectors
        if vectors and not isinstance(vectors[0], (int, str)):
            vectors = [converted(v, kind) for v in vectors]
        w = None if self.w is None else converted(self.w, kind)
        coef = [nearest(kind, c, f"coef[{i}]") for i, c in enumerate(self.coef)]
        return type(self)(nearest(kind, self.b, "b"), coef, vectors, kernel, w)


def model_from_beta(kernel: Kernel, X: list[Any], beta: Vector, b: Number) -> Model:
    """Return the Model that decides by sum beta_i k(x_i, x) + b; X are a Problem's rows. O(n d).

    Rows whose beta_i is 0 are left out.

    >>> from refsvm.kernels.standard import Linear
    >>> model_from_beta(Linear(), [[1.0], [5.0]], [2.0, 0.0], -1.0).decision([3])
    5.0
    """
    support = [i for i, c in enumerate(beta) if c != 0]
    points = kernel.reference_points(X)
    return Model(
        b=b,
        coef=[beta[i] for i in support],
        vectors=[points[i] for i in support],
        kernel=kernel,
        w=nearest_weights(beta, X) if type(kernel) is Linear else None,
    )


def model_at(problem: ProblemRows, alpha: Vector, b: Number) -> Model:
    """Return the Model of a problem with these multipliers and this offset. O(n d)."""
    beta = problem.beta(alpha)
    support = [i for i, c in enumerate(beta) if c != 0]
    return Model(
        b=b,
        coef=[beta[i] for i in support],
        vectors=problem.support_rows(support),
        kernel=problem.kernel,
        w=problem.weights(alpha) if problem.linear else None,
    )


@displayed
class OffsetInterval(NamedTuple):
    """An offset: the value taken, and the interval of those that are as good.

    >>> from refsvm.solvers.smo import smo
    >>> from refsvm.svm.problem import Problem
    >>> smo(Problem([[0], [2]], [-1, 1])).offsets.b.value
    -1.0
    """

    value: Number
    low: Number
    high: Number


class SolutionValues(NamedTuple):
    """What residuals in doubles say of their variables.

    ends        of each group: m lies between the first two, M between the others
    near        a lower bound of m and an upper bound of M, of those that are not near a bound
                (dual_form.roundings_of_sums)
    w_norm2     |w|^2, as computed
    """

    ends: list[tuple[Any, Any, Any, Any]]
    near: list[tuple[Number, Number]]
    w_norm2: Any


class SolutionFields(NamedTuple):
    """The fields of a Solution, in order."""

    alpha: Vector
    b: Number
    b_low: Number
    b_high: Number
    objective: Number
    gap: Number
    violation: Number
    iterations: int
    status: str
    farkas: Vector | None


@with_format
@displayed
class Solution(SolutionFields):
    """The answer of a solver, and how good it is.

    Its numbers are bounds that hold in exact arithmetic, of the exact kernel of the doubles given
    (solutions.py); where nothing is rounded, and on Fractions, they are exact themselves.

    Attributes
    ----------
    alpha : n numbers
        the multipliers; for regression the net ones, which may be negative
    b : number
        the offset: what a decision value adds to the score
    b_low, b_high : number
        a lower bound of m and an upper bound of M, for the caller's rows; b_low may exceed b_high
        by tol
    objective : number
        a lower bound of the optimum: the dual at alpha, less what rounding may have added
    gap : number
        an upper bound of the duality gap of the machine that is kept, this w and b, and so of its
        suboptimality, primal - optimum
    violation : number
        an upper bound of m - M, see kkt_conditions.py, in units of the functional margin. Of the
        worst group, where a machine has two
    iterations : int
        steps taken
    status : str
        "optimal"     m - M <= tol in exact arithmetic
        "max_iter"    the last step allowed was taken
        "infeasible"  no hard margin exists, or no multipliers have the machine's sums: see farkas
        "degenerate"  rho is 0, and w with it, in exact arithmetic: no machine; see farkas
        "indefinite"  the kernel has a direction of negative curvature
        "precision"   doubles cannot show more
    farkas : n numbers, or None
        multipliers >= 0, not all zero, whose sum alpha_i y_i phi(x_i) is zero and whose
        sum alpha_i y_i is zero (if there is an offset): a proof that the classes touch, on floats
        the rounded one of a solution that there is. Where no multipliers have the sums, it
        marks those that allow too little; where rho is 0, it holds the weights of a point that
        the reduced hulls have in common
    offsets : NamedTuple of OffsetInterval
        b, rho, epsilon or radius2, as the machine has them; not one of the fields
    w : d numbers, or None
        the weights of a linear machine; not one of the fields
    limit : str
        where the status is "precision", why doubles cannot show more, and what helps: a sentence;
        otherwise "". Not one of the fields
    """

    problem: Any
    least_scores: Sequence[int] = ()  # see outlier_problem.py
    keeps_w: bool = False  # whether w is one of its own, see own_weights.py
    optimum_at_most: Number = inf  # and so is the primal of the machine that is kept

    @classmethod
    def for_problem(cls, problem: ProblemRows, **fields: Any) -> Solution:
        """Return a Solution that remembers its problem, which is not one of the fields."""
        solution = cls(**fields)
        solution.problem = problem
        return solution

    @cached_property
    def offsets(self) -> Any:
        """The offsets of the machine, each an OffsetInterval."""
        return self.problem.offsets_class(OffsetInterval(self.b, self.b_low, self.b_high))

    @cached_property
    def w(self) -> Vector | None:
        """The weights of a linear machine, else None. O(n d), at the first time."""
        return self.problem.weights(self.alpha) if self.problem.linear else None

    @cached_property
    def limit(self) -> str:
        """Why doubles cannot show more, if the status is "precision", and what helps; else ""."""
        if self.status != "precision":
            return ""
        own = self.gap if self.keeps_w else None
        return limit_in_words(self.problem, self.alpha, self.violation, self.optimum_at_most, own)

    def without_problem(self) -> Solution:
        """Return the same without its problem: with many, their rows would be kept, too."""
        found = Solution(*self)
        found.offsets, found.limit = self.offsets, self.limit
        found.optimum_at_most = self.optimum_at_most
        if self.keeps_w:
            found.w, found.keeps_w = self.w, True
        return found

    def model(self) -> Model:
        """Return the Model of this solution. O(n d)."""
        model: Model = self.problem.model_of(self)
        return model._replace(w=self.w) if self.keeps_w else model
