"""A primal-dual interior-point method: near an optimum in some thirty steps, on floats.

    minimise   1/2 beta'(K + R) beta - y'beta
    such that  lower_i <= beta_i <= upper_i        and, with an offset, sum beta = 0

A method that goes along the bounds meets them one at a time, and there may be thousands on its
way. This one stays off them. Every bound has a slack, the distance to it, and a multiplier, both
positive. The points where each slack times its multiplier is mu make the central path, which ends,
at mu = 0, at an optimum: there a free one has slack and no multiplier, the others have no slack. A
step is one of Newton's, towards a smaller mu, and stops short of the first bound:

    (K + R + D) dx + dlambda = right,    sum dx = -sum beta      D_i: sum of multiplier / slack

With K = G G', where G has r columns, it is enough to solve r equations:

    (G G' + E)^-1 = E^-1 - E^-1 G (I + G'E^-1 G)^-1 G'E^-1          E = R + D, diagonal

Nothing is proved here: the result only says where others begin (starting_points.py).

    G       a list of its r columns                  R      the ridge of squared slack
    bounds  the finite ones: (i, +1, lower_i) and (i, -1, upper_i)
    shift   lambda, the multiplier of sum beta = 0, which is the offset
    slope   y - (K + R) beta: on the path it is lambda less the signed multipliers of the bounds

Source: Mehrotra, SIAM Journal on Optimization 2 (1992), pages 575-601 (the steps); Fine and
Scheinberg, Journal of Machine Learning Research 2 (2001), pages 243-264 (G).
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, sqrt
from typing import Any, NamedTuple

from ..numerics.factorisations import cholesky, solve_lower, solve_upper
from ..numerics.linalg import add_scaled, dot, gram_of_rows, subtract, transpose
from ..numerics.types import VectorLike
from ..svm.problem import Problem

Floats = list[Any]

MAX_INTERIOR_STEPS = 60
ENOUGH = 2.0**-36  # what slacks times multipliers add up to at the end, as a part of the objective
SOFTEST = 2.0**-40  # of the largest element of K: less in E, and rounding hides the 1 in I + ...
RANK = 2.0**-50  # of the largest element, for each example: what is left below it is rounding
SLIGHT = 2.0**-30  # an example that adds less to I + G'E^-1 G is left to the refinement
STEP_SHARE = 0.995  # of the way to the nearest bound


def interior_point_beta(problem: Problem) -> Floats | None:
    """beta of a problem on floats, near an optimum, those on a bound exactly there (S15.7).

    None if it does not come near one. ValueError if rounding makes the equations singular.
    O(n r^2 + r^3) a step, r being the rank of K.
    """
    iterate = Iterate(problem)
    for _ in range(MAX_INTERIOR_STEPS):
        if iterate.is_near_optimum():
            return iterate.snap_to_bounds()
        iterate.step()
    return None


class NewtonStep(NamedTuple):
    """The change of each variable in one step."""

    beta: Floats
    shift: Any
    slacks: Floats
    multipliers: Floats


class Iterate:
    """A point inside the box, and its multipliers; step by step they follow the path."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.ridge = problem, problem.ridge()
        self.ones = [1.0] * problem.n
        self.norms = problem.kernel.squared_norms(problem.rows, float)
        row = problem.kernel_rows()
        self.G = low_rank(lambda i: row(problem.rows[i]), self.norms)
        tops = problem.upper_bounds()
        self.bounds = [(i, y, 0.0) for i, y in enumerate(problem.y)]
        self.bounds += [(i, -y, y * c) for i, (y, c) in enumerate(zip(problem.y, tops)) if c < inf]
        self.begin(tops)

    def begin(self, tops: VectorLike) -> None:
        """Start with each class at one multiplier: the best one, or half of the box if less."""
        y = self.problem.y
        direction = [label / y.count(label) for label in y]
        curvature: Any = dot(direction, self.multiply_K(direction))
        t = 2 / (curvature or max(self.norms) or 1)  # the dual is 2 t - curvature t^2 / 2 there
        self.beta = [label * min(t * abs(v), c / 2) for label, v, c in zip(y, direction, tops)]
        self.shift: Any = 0.0
        self.update_slacks()
        if self.problem.bias:
            self.shift = sorted(self.slope)[len(y) // 2]
        least = max(map(abs, self.slope))
        residuals = [s - self.shift for s in self.slope]
        self.multipliers = [max(-sign * residuals[i], 0.0) + least for i, sign, _ in self.bounds]

    def multiply_K(self, x: VectorLike) -> Floats:
        """(K + R) x. O(n r)."""
        product: Floats = [c * v for c, v in zip(self.ridge, x)]
        for g in self.G:
            product = add_scaled(product, dot(g, x), g)
        return product

    def update_slacks(self) -> None:
        """Compute slacks and slope from beta."""
        self.slacks = [sign * (self.beta[i] - bound) for i, sign, bound in self.bounds]
        self.slope: Floats = subtract(self.problem.y, self.multiply_K(self.beta))

    def is_near_optimum(self) -> bool:
        """Whether what can still be gained is rounding, next to the objective."""
        value: Any = dot(self.beta, [y + s for y, s in zip(self.problem.y, self.slope)]) / 2
        remainder: Any = dot(self.slacks, self.multipliers)
        return bool(remainder <= ENOUGH * abs(value))

    def step(self) -> None:
        """Predict where mu = 0 would lead; by that choose mu, and go.

        What is left of the products where the first step ends says how much to ask of the second,
        and its second-order terms are known by then, too.
        """
        stiffness = list(self.ridge)
        for (i, _, _), s, f in zip(self.bounds, self.slacks, self.multipliers):
            stiffness[i] += f / s
        least = SOFTEST * max(self.norms)  # a free one with more of it goes a little slower
        matrix = LowRankPlusDiagonal(self.G, [max(e, least) for e in stiffness])
        ones = matrix.solve(self.ones) if self.problem.bias else None
        step = self.newton_step(matrix, ones, [0.0] * len(self.bounds))
        t = self.ratio_test(step)
        now = dot(self.slacks, self.multipliers)
        then = dot(
            add_scaled(self.slacks, t, step.slacks),
            add_scaled(self.multipliers, t, step.multipliers),
        )
        mu = (then / now) ** 2 * then / len(self.bounds)  # Mehrotra's: (then / now)^3 of mu now
        products = [mu - d * e for d, e in zip(step.slacks, step.multipliers)]
        step = self.newton_step(matrix, ones, products)
        t = min(1.0, STEP_SHARE * self.ratio_test(step))
        self.beta = add_scaled(self.beta, t, step.beta)
        self.multipliers = add_scaled(self.multipliers, t, step.multipliers)
        self.shift += t * step.shift
        self.update_slacks()

    def newton_step(
        self, matrix: LowRankPlusDiagonal, ones: Floats | None, products: Floats
    ) -> NewtonStep:
        """The step to where slacks times multipliers are these products, to first order.

        ones: the solution for a right side of ones; None without an offset.
        """
        gains = [c / s - f for c, s, f in zip(products, self.slacks, self.multipliers)]
        right = [s - self.shift for s in self.slope]
        for (i, sign, _), f, g in zip(self.bounds, self.multipliers, gains):
            right[i] += sign * (f + g)
        beta = matrix.solve(right)
        shift: Any = 0.0
        if ones is not None:
            shift = (dot(beta, self.ones) + dot(self.beta, self.ones)) / dot(ones, self.ones)
            beta = add_scaled(beta, -shift, ones)
        slacks = [sign * beta[i] for i, sign, _ in self.bounds]
        multipliers = [
            g - f * d / s for g, f, d, s in zip(gains, self.multipliers, slacks, self.slacks)
        ]
        return NewtonStep(beta, shift, slacks, multipliers)

    def ratio_test(self, step: NewtonStep) -> float:
        """The largest t <= 1 for which t times the step keeps slacks and multipliers from 0 on."""
        t = 1.0
        pairs = (self.slacks, step.slacks), (self.multipliers, step.multipliers)
        for values, changes in pairs:
            for value, change in zip(values, changes):
                if change < 0:
                    t = min(t, value / -change)
        return t

    def snap_to_bounds(self) -> Floats:
        """beta, with those put on their bounds that are held there by more than rounding.

        Multipliers are slopes, and a slack times this norm is the slope it takes to cross it.
        """
        beta, norm = list(self.beta), max(self.norms) or 1
        for (i, _, bound), s, f in zip(self.bounds, self.slacks, self.multipliers):
            if norm * s < f:
                beta[i] = bound
        return beta


def low_rank(row: Callable[[int], Any], diagonal: VectorLike) -> list[Floats]:
    """Columns G with G G' = K nearly, by Cholesky's method, largest pivot first. O(n r^2).

    >>> low_rank([[4.0, 2.0, 4.0], [2.0, 2.0, 2.0], [4.0, 2.0, 4.0]].__getitem__, [4.0, 2.0, 4.0])
    [[2.0, 1.0, 2.0], [0.0, 1.0, 0.0]]
    """
    remainder: Floats = list(diagonal)
    G: list[Floats] = []
    least = RANK * len(remainder) * max(remainder)
    while max(remainder) > least:
        i = remainder.index(max(remainder))
        column = row(i)
        for g in G:
            column = add_scaled(column, -g[i], g)
        root = sqrt(remainder[i])
        column = [c / root for c in column]
        remainder = [d - c * c for d, c in zip(remainder, column)]
        remainder[i] = 0.0
        G.append(column)
    return G


class LowRankPlusDiagonal:
    """The matrix G G' + E, E diagonal and positive, to solve equations with. O(n r^2 + r^3)."""

    def __init__(self, G: list[Floats], E: Floats) -> None:
        self.G, self.E = G, E
        sizes = [0.0] * len(E)
        for g in G:
            sizes = [s + v * v for s, v in zip(sizes, g)]
        kept = [(i, sqrt(e)) for i, (s, e) in enumerate(zip(sizes, E)) if s > SLIGHT * e]
        A = gram_of_rows([[g[i] / root for i, root in kept] for g in G])
        for k, row in enumerate(A):
            row[k] += 1
        self.L = cholesky(A)
        self.U = transpose(self.L)

    def solve(self, right: Floats) -> Floats:
        """x with (G G' + E) x = right, refined once. O(n r)."""
        x = self.solve_roughly(right)
        residual = [r - e * v for r, e, v in zip(right, self.E, x)]
        for g in self.G:
            residual = add_scaled(residual, -dot(g, x), g)
        return [v + c for v, c in zip(x, self.solve_roughly(residual))]

    def solve_roughly(self, right: Floats) -> Floats:
        """x, up to rounding and to what the examples that were left out add."""
        right = [r / e for r, e in zip(right, self.E)]
        inner = solve_upper(self.U, solve_lower(self.L, [dot(g, right) for g in self.G]))
        back = [0.0] * len(right)
        for c, g in zip(inner, self.G):
            back = add_scaled(back, c, g)
        return [r - b / e for r, b, e in zip(right, back, self.E)]
