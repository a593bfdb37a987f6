"""Through the inside of the box: near an optimum in some thirty steps, on floats.

    minimise   1/2 beta'(K + R) beta - y'beta
    such that  lower_i <= beta_i <= upper_i        and, with an offset, sum beta = 0

A method that goes along the bounds meets them one at a time, and there may be thousands on its
way. This one stays off them. Every bound pushes back with a force; the points where each force is
mu divided by the distance make a path, which ends, at mu = 0, at an optimum. There the free ones
have room and feel no force, the others have no room. A step is one of Newton's, towards a smaller
mu, and stops short of the first wall:

    (K + R + D) dx + dlambda = right,    sum dx = -sum beta        D_i: the sum of force / room

With K = G G', where G has r columns, it is enough to solve r equations:

    (G G' + E)^-1 = E^-1 - E^-1 G (I + G'E^-1 G)^-1 G'E^-1          E = R + D, diagonal

Nothing is proved here: what is returned only says where others begin (starting_points.py).

Throughout this module
    G       a list of its r columns                  R      the ridge of squared slack
    walls   the finite bounds: (i, +1, lower_i) and (i, -1, upper_i)
    room    how far beta_i is from a wall            force  the wall's multiplier; both positive
    short   (y - (K + R) beta - lambda), with all forces: zero on the path

Source: Mehrotra, SIAM Journal on Optimization 2 (1992), pages 575-601 (the steps); Fine and
Scheinberg, Journal of Machine Learning Research 2 (2001), pages 243-264 (G).
"""

from math import inf, sqrt
from typing import Any, NamedTuple

from ..numerics.factorisations import cholesky, solve_lower, solve_upper
from ..numerics.linalg import add_scaled, dot, gram_of_rows, subtract, transpose

STEPS = 60
ENOUGH = 2.0**-36  # what rooms times forces add up to at the end, as a part of the objective
SOFTEST = 2.0**-40  # of the largest element of K: less in E, and rounding hides the 1 in I + ...
RANK = 2.0**-50  # of the largest element, for each example: what is left below it is rounding
SLIGHT = 2.0**-30  # an example that adds less to I + G'E^-1 G is left to the refinement
SHARE = 0.995  # of the way to the nearest wall


def inside(problem):
    """beta of a problem on floats, near an optimum, those on a bound exactly there.

    None if it does not come near one. ValueError if rounding makes the equations singular.
    O(n r^2 + r^3) a step, r being the rank of K.
    """
    path = Path(problem)
    for _ in range(STEPS):
        if path.near_enough():
            return path.ended()
        path.step()
    return None


class Way(NamedTuple):
    """How far everything moves in one step."""

    beta: list
    shift: Any
    room: list
    force: list


class Path:
    """A point inside, and the forces there; both follow one step after the other."""

    def __init__(self, problem):
        self.problem, self.ridge = problem, problem.ridge()
        self.ones = [1.0] * problem.n
        self.norms = problem.kernel.squared_norms(problem.rows, float)
        row = problem.kernel_rows()
        self.G = low_rank(lambda i: row(problem.rows[i]), self.norms)
        tops = problem.upper_bounds()
        self.walls = [(i, y, 0.0) for i, y in enumerate(problem.y)]
        self.walls += [(i, -y, y * c) for i, (y, c) in enumerate(zip(problem.y, tops)) if c < inf]
        self.begin(tops)

    def begin(self, tops):
        """Both classes alike: as far as pays, or to half of the box. Nobody falls short."""
        y = self.problem.y
        ahead = [label / y.count(label) for label in y]
        bend = dot(ahead, self.image(ahead))
        t = 2 / (bend or max(self.norms) or 1)
        self.beta = [label * min(t * abs(v), c / 2) for label, v, c in zip(y, ahead, tops)]
        self.shift = 0.0
        self.look()
        if self.problem.bias:
            self.shift = sorted(self.slope)[len(y) // 2]
        least = max(map(abs, self.slope))
        pulls = [s - self.shift for s in self.slope]
        self.force = [max(-sign * pulls[i], 0.0) + least for i, sign, _ in self.walls]

    def image(self, x):
        """(K + R) x. O(n r)."""
        total = [c * v for c, v in zip(self.ridge, x)]
        for g in self.G:
            total = add_scaled(total, dot(g, x), g)
        return total

    def look(self):
        """Compute what follows from beta."""
        self.room = [sign * (self.beta[i] - bound) for i, sign, bound in self.walls]
        self.slope = subtract(self.problem.y, self.image(self.beta))

    def near_enough(self):
        """Whether what can still be gained is rounding, next to the objective."""
        value = dot(self.beta, [y + s for y, s in zip(self.problem.y, self.slope)]) / 2
        return dot(self.room, self.force) <= ENOUGH * abs(value)

    def step(self):
        """See where mu = 0 would lead; by that choose mu, and go.

        What is left of the products where the first way ends says how much to ask of the second,
        and its second-order terms are known by then, too.
        """
        stiffness = list(self.ridge)
        for (i, _, _), r, f in zip(self.walls, self.room, self.force):
            stiffness[i] += f / r
        least = SOFTEST * max(self.norms)  # a free one with more of it goes a little slower
        matrix = Shifted(self.G, [max(e, least) for e in stiffness])
        ones = matrix.solve(self.ones) if self.problem.bias else None
        way = self.way(matrix, ones, [0.0] * len(self.walls))
        t = self.longest(way)
        now = dot(self.room, self.force)
        then = dot(add_scaled(self.room, t, way.room), add_scaled(self.force, t, way.force))
        mu = (then / now) ** 2 * then / len(self.walls)
        way = self.way(matrix, ones, [mu - d * e for d, e in zip(way.room, way.force)])
        t = min(1.0, SHARE * self.longest(way))
        self.beta = add_scaled(self.beta, t, way.beta)
        self.force = add_scaled(self.force, t, way.force)
        self.shift += t * way.shift
        self.look()

    def way(self, matrix, ones, products):
        """The Way to where rooms times forces are these products, to first order.

        ones: what the matrix takes to ones; None without an offset.
        """
        push = [c / r - f for c, r, f in zip(products, self.room, self.force)]
        right = [s - self.shift for s in self.slope]
        for (i, sign, _), f, p in zip(self.walls, self.force, push):
            right[i] += sign * (f + p)
        beta, shift = matrix.solve(right), 0.0
        if ones is not None:
            shift = (dot(beta, self.ones) + dot(self.beta, self.ones)) / dot(ones, self.ones)
            beta = add_scaled(beta, -shift, ones)
        room = [sign * beta[i] for i, sign, _ in self.walls]
        force = [p - f * d / r for p, f, d, r in zip(push, self.force, room, self.room)]
        return Way(beta, shift, room, force)

    def longest(self, way):
        """How much of this way can be gone until a room or a force is used up; at most all."""
        t = 1.0
        for have, change in ((self.room, way.room), (self.force, way.force)):
            for h, c in zip(have, change):
                if c < 0:
                    t = min(t, h / -c)
        return t

    def ended(self):
        """beta, with those put on their walls that are held there by more than rounding.

        Forces are slopes, and a room times this norm is the slope it takes to cross it.
        """
        beta, norm = list(self.beta), max(self.norms) or 1
        for (i, _, bound), r, f in zip(self.walls, self.room, self.force):
            if norm * r < f:
                beta[i] = bound
        return beta


def low_rank(row, diagonal):
    """Columns G with G G' = K nearly, by Cholesky's method, largest pivot first. O(n r^2).

    >>> low_rank([[4.0, 2.0, 4.0], [2.0, 2.0, 2.0], [4.0, 2.0, 4.0]].__getitem__, [4.0, 2.0, 4.0])
    [[2.0, 1.0, 2.0], [0.0, 1.0, 0.0]]
    """
    left, G = list(diagonal), []
    least = RANK * len(left) * max(left)
    while max(left) > least:
        i = left.index(max(left))
        column = row(i)
        for g in G:
            column = add_scaled(column, -g[i], g)
        root = sqrt(left[i])
        column = [c / root for c in column]
        left = [d - c * c for d, c in zip(left, column)]
        left[i] = 0.0
        G.append(column)
    return G


class Shifted:
    """The matrix G G' + E, E diagonal and positive, to solve equations with. O(n r^2 + r^3)."""

    def __init__(self, G, E):
        self.G, self.E = G, E
        sizes = [0.0] * len(E)
        for g in G:
            sizes = [s + v * v for s, v in zip(sizes, g)]
        some = [(i, sqrt(e)) for i, (s, e) in enumerate(zip(sizes, E)) if s > SLIGHT * e]
        A = gram_of_rows([[g[i] / root for i, root in some] for g in G])
        for k, row in enumerate(A):
            row[k] += 1
        self.L = cholesky(A)
        self.U = transpose(self.L)

    def solve(self, right):
        """x with (G G' + E) x = right, refined once. O(n r)."""
        x = self.nearly(right)
        left = [r - e * v for r, e, v in zip(right, self.E, x)]
        for g in self.G:
            left = add_scaled(left, -dot(g, x), g)
        return [v + c for v, c in zip(x, self.nearly(left))]

    def nearly(self, right):
        """x, up to rounding and to what the examples that were left out add."""
        right = [r / e for r, e in zip(right, self.E)]
        inner = solve_upper(self.U, solve_lower(self.L, [dot(g, right) for g in self.G]))
        back = [0.0] * len(right)
        for c, g in zip(inner, self.G):
            back = add_scaled(back, c, g)
        return [r - b / e for r, b, e in zip(right, back, self.E)]
