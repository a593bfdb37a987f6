"""From face to face: the active-set method for a quadratic program with bounds.

    minimise   1/2 x'P x - q'x        such that   A x = c,   lower <= x <= upper

Some variables are free (the list F), the others held where they are. One at a time:

    1  if x is not the best point for the free variables, go there; stop at the first bound that
       one of them meets, hold that one, and begin 1 again
    2  look at the reduced gradient of those held: if none wants to move the way it may, x is
       optimal
    3  let the one that wants it most move, and the free ones respond so that their gradients stay
       zero and A x = c. It ends where its own gradient is zero (then it is free from now on), at
       its other bound, or when a free variable meets a bound: then the two change places
    4  if it never ends, the objective has no lower bound, and the way is the proof

The equations for the best point are M [lambda; x_F] = [c; q]_F, less what the held ones make of
it. M is the part of

    [ 0   A ]        whose lines are numbered 0 .. m-1 (the equations) and m .. m+n-1 (variables),
    [ A'  P ]        with all equations and the free variables in it; see submatrix_inverse.py

M is regular at all times, and P positive definite on the x_F that A x_F = 0 leaves free. So F
begins with as many variables as A has rows, with independent columns; one of them may sit on a
bound. While x stands still, 2 takes the first that wants to move and 1 and 3 hold the first that
blocks: the rule of the least index, under which no F comes twice (on Fractions).

Throughout this module
    g        [c; q] - (the matrix above) [lambda; x]: zero at the lines of M, elsewhere the reduced
             gradient, the rate at which the objective falls when x_j rises
    held     [c; q] less the lines of the held variables: the part of g that changes seldom
    z        [lambda; x_F], in the order of the lines of M

Source: Dantzig and van de Panne and Whinston's simplex method for quadratic programming, as in
Fletcher, Practical Methods of Optimization, chapter 10; least index: Chang and Cottle,
Mathematical Programming 18 (1980), pages 127-137.
"""

from fractions import Fraction
from math import inf, lcm
from typing import Any, NamedTuple

from ..numerics.exact_submatrix_inverse import ExactInverse
from ..numerics.exact_sums import ScaledIntegers, scaled_integers
from ..numerics.factorisations import rank, row_echelon
from ..numerics.linalg import dot, transpose
from ..numerics.submatrix_inverse import NOISE, FloatInverse, Singular


class Form(NamedTuple):
    """A program: row(j) is row j of P; A a list of m rows (m may be 0), the others lists.

    On Fractions row(j) may be ScaledIntegers, which are quicker.
    """

    row: Any
    q: list
    A: list
    c: list
    lower: list
    upper: list


class Pivot(NamedTuple):
    """What on_step is told after each move."""

    iteration: int
    entering: Any  # the variable that was let go in point 3; None on the way of point 1 before
    step: Any  # in 3 how far it moved; in 1 which part of the way to the best point was gone
    blocking: Any  # the variable that met a bound and is held now; None if none did
    objective: Any  # 1/2 x'P x - q'x after the move


class Walk:
    """x on its way to the optimum; true at all times: A x = c, bounds, and M is regular.

    certain(way) is asked on floats whether a way with no bound on it goes down for ever, when its
    curvature is nothing but rounding; if not, the curvature is believed.
    """

    def __init__(self, form, start, kind, on_step=None, certain=None):
        self.x, self.kind, self.zero = list(start), kind, kind(0)
        self.form, self.n = form, len(start)
        self.kept, basis = self.independent()  # the equations that say all that all of them say
        A, c = ([part[r] for r in self.kept] for part in (form.A, form.c))
        self.form, self.m = form._replace(A=A, c=c), len(A)
        self.on_step, self.certain = on_step, certain
        self.level = False  # whether x is the best point for the free variables
        self.stalled = False  # whether x stands still since the last moves
        self.fresh = kind is not float  # whether nothing moved since all was computed anew
        self.iterations, self.z, self.ray = 0, [], None
        self.best, self.idle = inf, 0  # the lowest objective on floats, and faces since then
        self.part = (ExactInverse if kind is Fraction else FloatInverse)(
            self.line, self.m + self.n
        )
        self.part.set_index([*range(self.m), *(self.m + j for j in basis)])
        for j in self.strictly_inside():
            if self.m + j not in self.part.index:
                self.part.add_if_regular(self.m + j)
        self.count_held()
        self.objective = None if on_step is None else self.value_from_x()

    def line(self, a):
        """Line a of the bordered matrix; ScaledIntegers where a row of P is one."""
        if a < self.m:
            return [self.zero] * self.m + self.form.A[a]
        return bordered([row[a - self.m] for row in self.form.A], self.form.row(a - self.m))

    def strictly_inside(self):
        """The variables that are on no bound."""
        bounds = zip(self.x, self.form.lower, self.form.upper)
        return [j for j, (v, low, high) in enumerate(bounds) if low < v < high]

    def independent(self):
        """Equations that are independent, and as many variables whose columns are.

        Variables on no bound are taken if possible, and those that cannot move only if need be.
        """
        A = self.form.A
        if not A:
            return [], []
        inside = set(self.strictly_inside())
        room = [high > low for low, high in zip(self.form.lower, self.form.upper)]
        order = sorted(range(self.n), key=lambda j: (j not in inside, not room[j]))
        basis = [order[k] for k in row_echelon([[row[j] for j in order] for row in A])[1]]
        if len(basis) == len(A):
            return list(range(len(A))), basis
        return row_echelon(transpose(A))[1], basis

    def free(self):
        """F, in the order of the lines of M."""
        return [a - self.m for a in self.part.index[self.m :]]

    def count_held(self):
        """Compute `held` anew."""
        free = set(self.free())
        held = {self.m + j: v for j, v in enumerate(self.x) if v != 0 and j not in free}
        self.held = self.part.subtract_rows(self.form.c + self.form.q, held)

    def hold(self, j, amount):
        """Count this much more of variable j among what is held."""
        if amount != 0:
            self.held = self.part.subtract_rows(self.held, {self.m + j: amount})

    def value_from_x(self):
        """The objective, from x alone. O(n) rows."""
        zeros = [self.zero] * (self.m + self.n)
        moved = {self.m + j: v for j, v in enumerate(self.x) if v != 0}
        less = self.part.subtract_rows(zeros, moved)[self.m :]
        return -dot(self.x, less) / 2 - dot(self.form.q, self.x)

    def minimise(self, tol, max_iter):
        """Go until no reduced gradient is wrong by more than tol; the status.

        "optimal", "max_iter", "unbounded" (see `ray`), "indefinite" or "precision".
        """
        status = None
        try:
            while status is None:
                status = self.next_face(tol, max_iter) if self.level else self.to_best(max_iter)
        except Singular:
            status = "precision"
        return status

    def to_best(self, max_iter):
        """Point 1: towards the best point for the free variables; a status if it is the end."""
        F = self.free()
        z = self.part.solve([self.held[a] for a in self.part.index])
        way = [v - self.x[j] for v, j in zip(z[self.m :], F)]
        rounding = self.fresh and self.kind is float
        if any(way) and self.iterations == max_iter and not rounding:
            return "max_iter"
        slope = self.part.quadratic_form([self.zero] * self.m + way)
        if slope < 0 and self.kind is not float:  # floats let nobody in without positive curvature
            return "indefinite"
        t, block = self.first_block(F, way, self.kind(1))
        while self.kind is float and self.pinned(F, block):
            way[F.index(block)] = self.zero
            t, block = self.first_block(F, way, self.kind(1))
        self.stalled = not self.go(F, way, t, block) and self.stalled
        if block is None:
            self.level, self.z = True, z
        else:
            self.fresh = self.kind is not float
            self.part.remove(self.m + block)
            self.hold(block, self.x[block])
        if any(way) and not (rounding and block is None):
            self.tell(None, t, block, slope * t - slope * t * t / 2)
        return None

    def pinned(self, F, block):
        """Whether A x = c fixes this variable, given the held ones: that it moves is rounding."""
        if block is None or self.m == 0:
            return False
        return rank([[row[j] for j in F if j != block] for row in self.form.A]) < self.m

    def next_face(self, tol, max_iter):
        """Points 2 and 3, when x is the best point of its face; a status if it is the end."""
        # g / below is what g stands for above
        g, below = self.part.subtract_index_rows(self.held, self.z)
        j = self.choice(g[self.m :], tol * below)
        if j is None:
            if self.fresh:
                return "optimal"
            self.refresh()
            return None
        if self.iterations == max_iter:
            return "max_iter"
        if self.kind is float and not self.gains(g):
            return "precision"
        return self.drive(j, g[self.m + j] / self.kind(below))

    def choice(self, g, tol):
        """The held variable that gains most by moving, or the first one while x stands still."""
        free = set(self.free())
        best, choice = tol, None
        for j, (v, slope) in enumerate(zip(self.x, g)):
            if abs(slope) > best and j not in free and v != self.bound(j, slope):
                best, choice = abs(slope), j
                if self.stalled:
                    break
        return choice

    def gains(self, g):
        """Whether the objective has come down lately; on floats it need not for ever.

        With x the best of its face, 1/2 x'P x - q'x is -1/2 (q'x + g'x + lambda'c).
        """
        value = dot(self.form.q, self.x) + dot(g[self.m :], self.x)
        value = -(value + dot(self.z[: self.m], self.form.c)) / 2
        self.best, self.idle = (value, 0) if value < self.best else (self.best, self.idle + 1)
        return self.idle <= self.n

    def refresh(self):
        """Compute everything anew from x and F, as rounding may have spoilt it."""
        self.part.recompute()
        self.count_held()
        self.level, self.fresh = False, True

    def drive(self, j, slope):
        """Point 3: move j as its slope says, while the free variables respond."""
        u, curvature, sign = self.part.response(self.m + j)
        s = 1 if slope > 0 else -1
        moving, way = [*self.free(), j], [*(s * v for v in u[self.m :]), self.kind(s)]
        end = abs(slope) / curvature if curvature > 0 else inf
        t, block = self.first_block(moving, way, end)
        if block is None and sign <= 0:
            ending = self.endless(moving, way, curvature, sign)
            if ending:
                return ending
        before = self.x[j]
        moved = self.go(moving, way, t, block)
        self.stalled = not moved
        self.fresh = self.kind is not float
        gain = t * abs(slope) - t * t * curvature / 2
        self.settle(j, before, block, [t * s * v for v in u], sign)
        self.tell(j, t, block, gain)
        return "indefinite" if sign < 0 else None

    def settle(self, j, before, block, change, sign):
        """Say who is free now that j has moved away from `before`, and z by `change`."""
        lone = block is None and sign <= 0  # at its best, but too dependent on F to join it
        if block == j or lone:
            self.hold(j, self.x[j] - before)
        else:
            self.hold(j, -before)
        if block is not None and block != j:
            self.part.replace(self.m + block, self.m + j)
            self.hold(block, self.x[block])
            self.level = False
            return
        self.z = [v + c for v, c in zip(self.z, change)]
        if block is None and not lone:
            self.part.add(self.m + j)
            self.z.append(self.x[j])

    def endless(self, moving, way, curvature, sign):
        """The status if no bound is on this way and its curvature is not surely positive."""
        ray = [self.zero] * self.n
        for k, d in zip(moving, way):
            ray[k] = d
        if sign < 0:
            return "indefinite"
        if curvature <= 0 or self.certain and self.certain(ray):
            self.ray = ray
            return "unbounded"
        return None

    def first_block(self, moving, way, end):
        """How far to go, at most `end`, and the first variable to meet a bound before that.

        On floats what moves so little beside the others may not move at all, and blocks nobody.
        Fractions are not divided before it is known that a bound is near enough.
        """
        t, block, rounding = end, None, self.kind is float
        still = NOISE * max(map(abs, way), default=0) if rounding else 0
        for k, d in zip(moving, way):
            bound = self.bound(k, d)
            if abs(d) <= still or abs(bound) == inf:
                continue
            left = bound - self.x[k]
            if rounding or t == inf or abs(left) <= t * abs(d):
                room = left / d
                if room < t or room == t and block is not None and k < block:
                    t, block = room, k
        return t, block

    def bound(self, k, d):
        """The bound that variable k moves towards."""
        return self.form.upper[k] if d > 0 else self.form.lower[k]

    def go(self, moving, way, t, block):
        """Move; the one that blocks ends on its bound exactly. Whether any x changed."""
        moved = False
        for k, d in zip(moving, way):
            v = self.bound(k, d) if k == block else self.x[k] + t * d
            v = min(max(v, self.form.lower[k]), self.form.upper[k])
            moved = moved or v != self.x[k]
            self.x[k] = v
        return moved

    def tell(self, j, t, block, gain):
        """Count the move, and tell the caller of it."""
        self.iterations += 1
        if self.on_step is not None:
            self.objective -= gain
            self.on_step(Pivot(self.iterations, j, t, block, self.objective))

    def residuals(self):
        """q - P x, from the x as they are now."""
        z = [self.zero] * self.m + [self.x[j] for j in self.free()]
        r, below = self.part.subtract_index_rows(self.held, z)
        return [self.kind(v) / below for v in r[self.m :]]


def bordered(left, row):
    """The numbers of left, then those of the row; ScaledIntegers if the row is one."""
    if not isinstance(row, ScaledIntegers):
        return left + row
    left, under = scaled_integers(left)
    below = lcm(under, row.denominator)
    left, right = ([v * (below // q) for v in part] for part, q in ((left, under), row))
    return ScaledIntegers(left + right, below)
