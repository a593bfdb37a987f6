"""A problem on Fractions next to one whose kernel values are none, and how far off it is.

Each kernel value of the merged examples (merged_examples.py) is rounded to a multiple of 2^-p. The
rounded matrix differs from the true one by at most one unit in each element, so v'Kv by at most n
units |v|^2: n units more on the diagonal make it positive semidefinite again, and all of exact
arithmetic can be used on it.

    n        the number of examples left           unit    2^-p
    values   the rounded kernel matrix, whole numbers of units, n more on the diagonal
    error    the true value of an element is within this of the rounded one: n + 1 units

Scores are off by `error` times the size of beta, sum |beta_i|. The targets of the ball are half
the K_ii, and so rounded, too. But its beta are not negative and add up to 1, and what K_ii / 2 is
off goes the way of the scores: with e_ij units for the errors, |e_ij| <= 1 and |e_ii - n| <= 1,

    r_k is off by                          e_kk (1/2 - beta_k) - sum of the other e_kj beta_j
    the dual, less what |w|^2 allows for, is too large by at most
                                           (n + 2) (1 - sum beta_i^2) / 2 - (n + 1) / 2 units

The first is at most n + 1 in size; the second is below 0, as sum beta_i^2 >= 1 / n. So nothing has
to be added for the targets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import inf
from typing import Any

from ..kernels.base import Kernel
from ..numerics.exact_sums import integer_dot, scaled_integers
from ..numerics.fixed_point import eigenvalue_lower_bound
from ..numerics.types import Kind, Number, VectorLike
from ..svm.dual_form import DualForm, dual
from ..svm.regression_problem import TubeProblem
from ..svm.training_problem import TrainingProblem
from .enclosures import floor_rows, fraction_rows, mirror
from .merged_examples import MergedProblem


class RoundedKernel(Kernel):
    """Kernel values by the indices of the examples: k([i], [j]) is values[i][j] units."""

    def __init__(self, values: list[list[int]], p: int) -> None:
        self.values, self.p, self.unit = values, p, Fraction(1, 1 << p)

    def __call__(self, x: VectorLike, z: VectorLike) -> Fraction:
        """The value of two rows, each the index of an example."""
        (value,) = self.row_of(int(x[0]), [int(z[0])])
        return value * self.unit

    def row_function(
        self, points: Sequence[Sequence[Fraction]], kind: Kind
    ) -> Callable[[Any], list[Any]]:
        """The function that takes x to the values of x and these rows."""
        columns = [int(z[0]) for z in points]
        return lambda x: [v * self.unit for v in self.row_of(int(x[0]), columns)]

    def row_of(self, i: int, columns: Sequence[int]) -> list[int]:
        """The values of example i and these, in units."""
        row = self.values[i]
        return [row[j] for j in columns]

    def scores(self, coefs: Mapping[int, Number], examples: Sequence[int]) -> list[Fraction]:
        """The sums of c_j k(x_i, x_j) for each of these examples i, over all j: c_j of a dict."""
        whole, q = scaled_integers(coefs.values())
        q, support = q << self.p, list(coefs)
        return [Fraction(integer_dot(self.row_of(i, support), whole), q) for i in examples]

    def __repr__(self) -> str:
        return f"<kernel values rounded to multiples of {self.unit}>"


class GrowingKernel(RoundedKernel):
    """A RoundedKernel whose values are computed when they are asked for, each once.

    Of the examples that were asked for, in that order, it has the triangle up to the diagonal.
    """

    computed = ("_places", "_triangle")

    def __init__(self, kernel: Kernel, rows: Sequence[Any], p: int) -> None:
        self.kernel, self.rows, self.p, self.unit = kernel, rows, p, Fraction(1, 1 << p)
        self._places: dict[int, int] = {}  # of examples in the triangle
        self._triangle: list[list[int]] = []

    def __call__(self, x: VectorLike, z: VectorLike) -> Fraction:
        """The value of two rows; of a row and itself nothing else is computed for it."""
        i = int(x[0])
        if int(z[0]) != i:
            return super().__call__(x, z)
        point = self.rows[i]
        return (floor_rows(self.kernel, [point])(point, self.p, 1)[0] + 1) * self.unit

    def include(self, examples: Iterable[int]) -> None:
        """Compute the values of these and of all that were included before. O(m d) a row of m."""
        new = [i for i in dict.fromkeys(examples) if i not in self._places]
        if not new:
            return
        row = floor_rows(self.kernel, [self.rows[i] for i in (*self._places, *new)])
        for i in new:
            self._places[i] = place = len(self._places)
            self._triangle.append([v + 1 for v in row(self.rows[i], self.p, place + 1)])

    def row_of(self, i: int, columns: Sequence[int]) -> list[int]:
        """The values of example i and these, in units."""
        try:
            place, others = self._places[i], [self._places[j] for j in columns]
        except KeyError:
            self.include([i, *columns])
            return self.row_of(i, columns)
        row = self._triangle[place]
        return [row[k] if k <= place else self._triangle[k][place] for k in others]

    def scores(self, coefs: Mapping[int, Number], examples: Sequence[int]) -> list[Fraction]:
        """Those of a RoundedKernel; the values are computed for all of them together."""
        self.include([*coefs, *examples])
        return super().scores(coefs, examples)

    @property
    def values(self) -> list[list[int]]:  # type: ignore[override]
        """All values, in units."""
        everyone = range(len(self.rows))
        self.include(everyone)
        return [self.row_of(i, everyone) for i in everyone]


def rounded_gram(problem: TrainingProblem, p: int) -> list[list[int]]:
    """The kernel matrix in units of 2^-p: whole numbers, each at most 1 off."""
    X = fraction_rows(problem.points)
    row = floor_rows(problem.kernel, X)
    return mirror([v + 1 for v in row(x, p, i + 1)] for i, x in enumerate(X))


class RoundedProblem:
    """The rounded problem, of any machine.

    problem      on Fractions; `given` is the merged one on floats
    form         its dual, or, if `closed`, that of a tube without width: one variable an example
    of, group    the example of each variable, and its group, -1 where there are no groups
    ridge        what squared slack adds to the diagonal for each variable
    """

    def __init__(self, merged: MergedProblem, p: int, closed: bool = False) -> None:
        of = merged.problem
        self.given, self.n, self.p = of, of.n, p
        self.error = Fraction(of.n + 1, 1 << p)
        self.values = rounded_gram(of, p)
        for i, row in enumerate(self.values):
            row[i] += self.n
        self.problem = merged.exact(RoundedKernel(self.values, p))
        self.use_form(closed)

    def use_form(self, closed: bool) -> None:
        """Choose the form: that of the problem, or of a tube that is closed."""
        self.closed = closed
        self.form = form = _form_of(self.problem, closed)
        self.of = list(range(self.n)) if form.of is None else form.of
        self.group = [-1] * len(self.of)
        for g, group in enumerate(form.groups):
            for k in group:
                self.group[k] = g
        self.ridge = form.per_variable(self.problem.ridge())

    def net(self, x: Sequence[Any]) -> list[Any]:
        """The coefficient of each example in w: the sum of its variables."""
        if self.form.of is None:
            return list(x)
        beta = [Fraction(0)] * self.n
        for i, v in zip(self.of, x):
            beta[i] += v
        return beta

    def scores_and_norm2(self, beta: Sequence[Fraction]) -> tuple[list[Fraction], Fraction]:
        """(the scores s_i, |w|^2) of the rounded problem, computed in whole numbers."""
        support = [j for j, v in enumerate(beta) if v != 0]
        whole, denominator = scaled_integers([beta[j] for j in support])
        denominator <<= self.p
        products = (integer_dot([row[j] for j in support], whole) for row in self.values)
        scores = [Fraction(product, denominator) for product in products]
        w_norm2 = Fraction(0)
        for j in support:
            w_norm2 += beta[j] * scores[j]
        return scores, w_norm2

    def residuals(self, x: Sequence[Any]) -> list[Fraction]:
        """target - s - ridge x for each variable."""
        scores: Any = self.scores_and_norm2(self.net(x))[0]
        terms = zip(self.form.target, self.form.per_variable(scores), self.ridge, x)
        return [t - s - c * v for t, s, c, v in terms]

    def best_lam(self, r: Sequence[Fraction]) -> list[tuple[Any, Any]]:
        """The ends of the interval of best lam of each group, from residuals without ridge."""
        return self.problem.best_lam(self.form, list(r))  # type: ignore[no-any-return]

    def primal_above(self, scores: Any, error: Any, w_norm2: Any, lam: Any) -> Any:
        """The primal value of the form, where scores may be off by this error; may be inf."""
        value = self.problem.primal_value(
            self.form, self.form.per_variable(scores), w_norm2, lam, error
        )
        return value if value == inf else value / self.problem.scale

    def dual_below(self, x: Sequence[Any], w_norm2: Any) -> Any:
        """The dual value of the form at feasible variables, with this |w|^2."""
        return dual(self.form, list(x), w_norm2, self.ridge)

    def submatrix(self, indices: Sequence[int]) -> list[list[int]]:
        """The rows and columns of these variables, with the ridge, in units; 1 more in a group.

        On vectors whose sum over each group is fixed that 1 changes nothing but lam, and it makes
        regular what the equation for the sum makes so.
        """
        one, of, group = 1 << self.p, self.of, self.group
        rows = [
            [self.values[of[k]][of[l]] + one * (group[k] == group[l] >= 0) for l in indices]
            for k in indices
        ]
        for a, k in enumerate(indices):
            rows[a][a] += int(self.ridge[k] * one)
        return rows

    def curvature(self, indices: Sequence[int]) -> Fraction:
        """A Fraction c with v'Qv >= c |v|^2 for the v on these with sum zero over each group.

        0 if none is proved. Q is the true kernel matrix with the ridge (of which the part below a
        unit is left out). It is at least the rounded one less 2 n units on the diagonal.
        """
        proved = eigenvalue_lower_bound(self.submatrix(indices), self.p)
        return max(proved - Fraction(2 * self.n, 1 << self.p), Fraction(0))


def _form_of(problem: Any, closed: bool) -> DualForm:
    """The dual of a problem on Fractions, with finite bounds where the sums leave no other.

    The ball without slack: a multiplier is at most the sum of all; twice that never binds.
    """
    if closed:
        return problem.closed_form()  # type: ignore[no-any-return]
    form: DualForm = problem.dual_form()
    if inf not in form.upper or min(form.lower) < 0:
        return form
    most = 2 * form.sums[0]
    return form._replace(upper=[min(v, most) for v in form.upper])


def is_closed(problem: TrainingProblem, alpha: VectorLike) -> bool:
    """Whether the problem is of regression with a tube that has no width near alpha."""
    return isinstance(problem, TubeProblem) and problem.is_tube_closed(list(alpha))
