"""The active-set method for a quadratic program with bounds: from face to face, to the optimum.

    minimise   1/2 x'P x - q'x        such that   A x = c,   lower <= x <= upper

Some variables are free (the list F), the others fixed where they are. One at a time:

    1  if x is not the optimum of the face of the free variables, go towards it; stop at the first
       bound that one of them meets, fix that one, and begin 1 again
    2  if no fixed variable can move the way its reduced gradient points, x is optimal
    3  let the one of largest gradient enter: it moves, and the free ones respond so that their
       gradients stay zero and A x = c; until its own gradient is zero (then it is free), it meets
       its other bound, or a free variable meets a bound (the ratio test) and is fixed instead
    4  if it never ends, the objective has no lower bound, and the direction is the proof

The optimum of the face solves M [lambda; x_F] = [c; q]_F, less the fixed variables' part, where M
has all equations and the free variables (submatrix_inverse.py) of

    [ 0   A ]        whose rows are numbered 0 .. m-1 (the equations) and m .. m+n-1 (variables)
    [ A'  P ]

M is regular at all times, and P positive definite on the x_F that A x_F = 0 leaves free. So F
begins with as many variables as A has rows, with independent columns; one of them may sit on a
bound. While x stands still, 2 takes the first that can move and 1 and 3 fix the first that
blocks: the rule of the least index, under which no F comes twice (on Fractions).

Throughout this module
    g           [c; q] - (the matrix above) [lambda; x]: zero at the rows of M, elsewhere the
                reduced gradient, the rate at which the objective falls when x_j rises
    right_side  [c; q] less the rows of the fixed variables: the part of g that changes seldom
    z           [lambda; x_F], in the order of the rows of M
    direction   {j: speed} of the variables that move

Source: Dantzig and van de Panne and Whinston's simplex method for quadratic programming, as in
Fletcher, Practical Methods of Optimization, chapter 10; least index: Chang and Cottle,
Mathematical Programming 18 (1980), pages 127-137.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf, lcm
from typing import Any, NamedTuple

from ..numerics.exact_sums import ScaledIntegers, scaled_integers
from ..numerics.factorisations import rank, row_echelon
from ..numerics.linalg import dot, transpose
from ..numerics.submatrix_inverse import ETA_NOISE, ExactInverse, FloatInverse, Singular
from ..numerics.types import Number, Vector
from .dual_program import Numbers


class BoundedQP(NamedTuple):
    """A program: row(j) is row j of P; A a list of m rows (m may be 0), the others lists.

    On Fractions row(j) may be ScaledIntegers, which are quicker.
    """

    row: Callable[[int], Any]
    q: Numbers
    A: list[Numbers]
    c: Numbers
    lower: Numbers
    upper: Numbers


class Pivot(NamedTuple):
    """What on_step is called with after each move."""

    iteration: int
    entering: Any  # the variable that was freed in point 3; None in point 1
    step: Any  # in 3 how far it moved; in 1 which part of the way to the face's optimum was gone
    blocking: Any  # the variable that met a bound and is fixed now; None if none did
    objective: Any  # 1/2 x'P x - q'x after the move


class ActiveSetMethod:
    """x on its way to the optimum; true at all times: A x = c, bounds, and M is regular (S6.4).

    is_ray(direction) decides, on floats, whether the objective falls for ever along a direction
    with no bound on it, whose curvature may be nothing but rounding.
    """

    def __init__(
        self,
        program: BoundedQP,
        start: Numbers,
        kind: Any,
        on_step: Any = None,
        is_ray: Any = None,
    ) -> None:
        self.x, self.kind = list(start), kind
        self.zero: Any = kind(0)
        self.program, self.n = program, len(start)
        self.kept_equations, basis = self.independent_equations()
        A, c = ([part[r] for r in self.kept_equations] for part in (program.A, program.c))
        self.program, self.m = program._replace(A=A, c=c), len(A)
        self.on_step, self.is_ray = on_step, is_ray
        self.at_face_optimum = False
        self.stalled = False  # whether x stands still since the last moves
        self.recomputed = kind is not float  # whether nothing moved since all was computed anew
        self.iterations = self.faces_since_best = 0
        self.z: Numbers = []
        self.ray: Numbers | None = None
        self.negative_direction: dict[int, Any] = {}  # {variable: speed}, where "indefinite"
        self.best_objective: Any = inf  # on floats
        self.inverse: Any = (ExactInverse if kind is Fraction else FloatInverse)(
            self.matrix_row, self.m + self.n
        )
        self.inverse.set_index([*range(self.m), *(self.m + j for j in basis)])
        for j in self.strictly_inside():
            if self.m + j not in self.inverse.index:
                self.inverse.add_if_regular(self.m + j)
        self.recompute_right_side()
        self.objective: Any = None if on_step is None else self.objective_at_x()

    def matrix_row(self, a: int) -> Any:
        """Row a of the bordered matrix; ScaledIntegers where a row of P is one."""
        if a < self.m:
            return [self.zero] * self.m + self.program.A[a]
        return bordered_row(
            [row[a - self.m] for row in self.program.A], self.program.row(a - self.m)
        )

    def strictly_inside(self) -> list[int]:
        """The variables that are on no bound."""
        bounds = zip(self.x, self.program.lower, self.program.upper)
        return [j for j, (v, low, high) in enumerate(bounds) if low < v < high]

    def independent_equations(self) -> tuple[list[int], list[int]]:
        """Equations that are independent, and as many variables whose columns are.

        Variables on no bound are taken if possible, and those that cannot move only if need be.
        """
        A = self.program.A
        if not A:
            return [], []
        inside = set(self.strictly_inside())
        movable = [high > low for low, high in zip(self.program.lower, self.program.upper)]
        order = sorted(range(self.n), key=lambda j: (j not in inside, not movable[j]))
        basis = [order[k] for k in row_echelon([[row[j] for j in order] for row in A])[1]]
        if len(basis) == len(A):
            return list(range(len(A))), basis
        return row_echelon(transpose(A))[1], basis

    def free(self) -> list[int]:
        """F, in the order of the rows of M."""
        return [a - self.m for a in self.inverse.index[self.m :]]

    def recompute_right_side(self) -> None:
        """Compute right_side anew."""
        free = set(self.free())
        fixed = {self.m + j: v for j, v in enumerate(self.x) if v != 0 and j not in free}
        self.right_side = self.inverse.subtract_rows(self.program.c + self.program.q, fixed)

    def fix(self, j: int, amount: Number) -> None:
        """Take this much more of variable j off the right side."""
        if amount != 0:
            self.right_side = self.inverse.subtract_rows(self.right_side, {self.m + j: amount})

    def objective_at_x(self) -> Number:
        """The objective, from x alone. O(n) rows."""
        zeros = [self.zero] * (self.m + self.n)
        moved = {self.m + j: v for j, v in enumerate(self.x) if v != 0}
        minus_Px = self.inverse.subtract_rows(zeros, moved)[self.m :]
        return -dot(self.x, minus_Px) / 2 - dot(self.program.q, self.x)

    def minimise(self, tol: Number, max_iter: float) -> str:
        """Move until no reduced gradient is wrong by more than tol; the status.

        "optimal", "max_iter", "unbounded" (see `ray`), "indefinite" or "precision".
        """
        status: str | None = None
        try:
            while status is None:
                status = self.next_move(tol, max_iter)
        except Singular:
            status = "precision"
        return status

    def next_move(self, tol: Number, max_iter: float) -> str | None:
        """Point 1, or points 2 and 3: one system of equations; a status if it is the end."""
        if self.at_face_optimum:
            return self.leave_face(tol, max_iter)
        return self.move_to_face_optimum(max_iter)

    def move_to_face_optimum(self, max_iter: float) -> str | None:
        """Point 1: move towards the optimum of the face; a status if it is the end (S6.7)."""
        F = self.free()
        z = self.inverse.solve([self.right_side[a] for a in self.inverse.index])
        direction = {j: v - self.x[j] for v, j in zip(z[self.m :], F)}
        rounding = self.recomputed and self.kind is float  # what is left then is no move to count
        if any(direction.values()) and self.iterations == max_iter and not rounding:
            return "max_iter"
        slope = self.inverse.quadratic_form([*[self.zero] * self.m, *direction.values()])
        if slope < 0 and self.kind is not float:  # a float is free only with positive curvature
            self.negative_direction = direction
            return "indefinite"
        t, block = self.ratio_test(direction, self.kind(1))
        while self.kind is float and block is not None and self.is_determined(F, block):
            direction[block] = self.zero
            t, block = self.ratio_test(direction, self.kind(1))
        self.stalled = not self.move(direction, t, block) and self.stalled
        if block is None:
            self.at_face_optimum, self.z = True, z
        else:
            self.recomputed = self.kind is not float
            self.inverse.remove(self.m + block)
            self.fix(block, self.x[block])
        if any(direction.values()) and not (rounding and block is None):
            self.report(None, t, block, slope * t - slope * t * t / 2)
        return None

    def is_determined(self, F: list[int], block: int) -> bool:
        """Whether A x = c gives x_block from the fixed variables: that it moves is rounding."""
        if self.m == 0:
            return False
        return rank([[row[j] for j in F if j != block] for row in self.program.A]) < self.m

    def leave_face(self, tol: Number, max_iter: float) -> str | None:
        """Points 2 and 3, from the optimum of a face; a status if it is the end (S6.7)."""
        g, denominator = self.inverse.subtract_index_rows(self.right_side, self.z)  # 1 on floats
        j = self.entering_variable(g[self.m :], tol * denominator)
        if j is None:
            if self.recomputed:
                return "optimal"
            self.recompute()
            return None
        if self.iterations == max_iter:
            return "max_iter"
        if self.kind is float and not self.still_improves(g):
            return "precision"
        return self.move_entering(j, g[self.m + j] / self.kind(denominator))

    def entering_variable(self, g: Numbers, tol: Number) -> int | None:
        """The fixed variable that gains most by moving, or the first one while x stands still."""
        free = set(self.free())
        best, choice = tol, None
        for j, (v, slope) in enumerate(zip(self.x, g)):
            if abs(slope) > best and j not in free and v != self.bound(j, slope):
                best, choice = abs(slope), j
                if self.stalled:
                    break
        return choice

    def still_improves(self, g: Numbers) -> bool:
        """Whether the objective fell on one of the last n faces; on floats it may stop falling.

        With x the optimum of its face, 1/2 x'P x - q'x is -1/2 (q'x + g'x + lambda'c).
        """
        value: Number = dot(self.program.q, self.x) + dot(g[self.m :], self.x)
        value = -(value + dot(self.z[: self.m], self.program.c)) / 2
        if value < self.best_objective:
            self.best_objective, self.faces_since_best = value, 0
        else:
            self.faces_since_best += 1
        return self.faces_since_best <= self.n

    def recompute(self) -> None:
        """Compute everything anew from x and F, as rounding may have spoilt it."""
        self.inverse.recompute()
        self.recompute_right_side()
        self.at_face_optimum, self.recomputed = False, True

    def move_entering(self, j: int, slope: Number) -> str | None:
        """Point 3: move j as its slope says, while the free variables respond; a status."""
        u, curvature, sign = self.inverse.response(self.m + j)
        s = 1 if slope > 0 else -1
        direction = {k: s * v for k, v in zip(self.free(), u[self.m :])}
        direction[j] = self.kind(s)
        end = abs(slope) / curvature if curvature > 0 else inf
        t, block = self.ratio_test(direction, end)
        if sign < 0:
            self.negative_direction = direction
        if block is None and sign <= 0:
            ending = self.unbounded_status(direction, curvature, sign)
            if ending:
                return ending
        old = self.x[j]
        self.stalled = not self.move(direction, t, block)
        self.recomputed = self.kind is not float
        gain = t * abs(slope) - t * t * curvature / 2
        self.update_free(j, old, block, [t * s * v for v in u], sign)
        self.report(j, t, block, gain)
        return "indefinite" if sign < 0 else None

    def update_free(
        self, j: int, old: Number, block: int | None, change: Numbers, sign: int
    ) -> None:
        """Update F now that x_j has moved away from `old`, and z by `change`."""
        lone = block is None and sign <= 0  # at its best, but too dependent on F to join it
        # The right side lacks the new x_j if it stays fixed, and nothing of it if it is free now.
        self.fix(j, self.x[j] - old if block == j or lone else -old)
        if block is not None and block != j:
            self.inverse.replace(self.m + block, self.m + j)
            self.fix(block, self.x[block])
            self.at_face_optimum = False
            return
        self.z = [v + c for v, c in zip(self.z, change)]
        if block is None and not lone:
            self.inverse.add(self.m + j)
            self.z.append(self.x[j])

    def unbounded_status(
        self, direction: dict[int, Number], curvature: Number, sign: int
    ) -> str | None:
        """The status of a direction without a bound on it; None if its curvature is positive."""
        ray = [direction.get(k, self.zero) for k in range(self.n)]
        if sign < 0:
            return "indefinite"
        if curvature <= 0 or self.is_ray and self.is_ray(ray):
            self.ray = ray
            return "unbounded"
        return None

    def ratio_test(self, direction: dict[int, Any], end: Number) -> tuple[Any, int | None]:
        """The step length, at most `end`, and the first variable at a bound before that (S6.7).

        On floats a speed that is but rounding blocks nothing. Fractions are divided if need be.
        """
        t, block, rounding = end, None, self.kind is float
        still = ETA_NOISE * max(map(abs, direction.values()), default=0) if rounding else 0
        for k, d in direction.items():
            bound = self.bound(k, d)
            if abs(d) <= still or abs(bound) == inf:
                continue
            distance = bound - self.x[k]
            if rounding or t == inf or abs(distance) <= t * abs(d):
                length = distance / d
                if length < t or length == t and block is not None and k < block:
                    t, block = length, k
        return t, block

    def bound(self, k: int, d: Number) -> Any:
        """The bound that variable k moves towards."""
        return self.program.upper[k] if d > 0 else self.program.lower[k]

    def move(self, direction: dict[int, Number], t: Number, block: int | None) -> bool:
        """Move by t, the blocking variable onto its bound exactly; whether any x changed."""
        moved = False
        for k, d in direction.items():
            v = self.bound(k, d) if k == block else self.x[k] + t * d
            v = min(max(v, self.program.lower[k]), self.program.upper[k])
            moved = moved or v != self.x[k]
            self.x[k] = v
        return moved

    def report(self, j: int | None, t: Number, block: int | None, gain: Number) -> None:
        """Count the move, and call on_step with it."""
        self.iterations += 1
        if self.on_step is not None:
            self.objective -= gain
            self.on_step(Pivot(self.iterations, j, t, block, self.objective))


def bordered_row(left: Numbers, row: Vector | ScaledIntegers) -> Vector | ScaledIntegers:
    """The numbers of left, then those of the row; ScaledIntegers if the row is one."""
    if not isinstance(row, ScaledIntegers):
        return left + row
    left = scaled_integers(left)
    denominator = lcm(left.denominator, row.denominator)
    numbers = [v * (denominator // q) for part, q in (left, row) for v in part]
    return ScaledIntegers(numbers, denominator)
