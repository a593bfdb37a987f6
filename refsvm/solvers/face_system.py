"""Between two steps: a face of many free multipliers, solved at once by elimination.

The optimum of a face lies where the residuals of each group are one number, and its sum of beta
stays. That is a system of equations for the way p there and the multipliers lam of the groups:

    K p + E lam = r        E' p = 0        E_ag = 1 if a is of group g

Elimination brings K into the form L' D L, by f^3 / 6 multiplications: those of f / 6 products of K
with a vector. Then each way is a substitution, half such a product. Where p meets a bound first,
that member leaves: what was eliminated after it gains a matrix of rank one, which is worked into L
and D for at most such a product. On Fractions all of this is exact.

Unknown 0 is the right-hand side, with -1 in its place; then come the lam, then the members. They
are eliminated from the last to the first, the right-hand side along with them. A member whose
pivot is rounding only depends on those eliminated before it: it is held, and steps move it.

Source: Golub and Van Loan, Matrix Computations, section 4.1; for a member that leaves Gill, Golub,
Murray and Saunders, Mathematics of Computation 28 (1974), method C1.
"""

from __future__ import annotations

from math import inf
from typing import Any

from ..numerics.types import Number

MAX_SYSTEM = 4096  # members: of more the matrix takes more room than the rows that are kept
USUAL_SYSTEM = 2048  # of more members many leave in further steps, and often the work was in vain:
IN_DOUBT = 4  # so many times as much must have been saved for it


def solve_face(face: Any, tol: Number, noise: Number) -> None:
    """Move the members of a Face towards its optimum, until half of them have met bounds."""
    system = FaceSystem(face, noise)
    places = list(range(system.first, len(system.L)))
    # What was taken off the residuals of each group, for the right-hand side.
    levels = [r[0] if r else 0 for r in face.in_groups(face.r)] if face.group_ends else [0]
    for _ in range(len(face.index) // 2):
        if not face.index or face.violation() <= tol / 2:
            return
        z = system.solution()
        face.p = [z[k] for k in places]
        ends = [face.length_to_bound(i, q) for i, q in zip(face.index, face.p)]
        t = min(1, *ends)
        known = all(abs(q) < inf for q in face.p) and face.keeps_sums(face.p)
        if not (known and t > 0 and face.move(t, ends)):
            return
        aims = [v + lam for v, lam in zip(levels, z[1:])] if face.group_ends else levels
        levels = [v + t * (aim - v) for v, aim in zip(levels, aims)]
        r = zip(aims, face.in_groups(face.r))
        face.r = [v - t * (v - aim) for aim, group in r for v in group]
        if t == 1:
            return
        system.scale_right_side(1 - t)
        lower, upper = face.form.lower, face.form.upper
        free = [lower[i] < face.beta[i] < upper[i] for i in face.index]
        for k, stays in zip(places, free):
            if not stays:
                system.remove(k)
        places, face.index, face.r = (
            [v for v, stays in zip(values, free) if stays]
            for values in (places, face.index, face.r)
        )


class FaceSystem:
    """The system of a face: L, whose row c has the elements before its diagonal, and pivots d.

    d is 0, and row and column are, of an unknown that is held or has left. Standard: S3.7.
    """

    def __init__(self, face: Any, noise: Number) -> None:
        groups = face.in_groups(face.r)
        zero: Any = 0 * groups[0][0] if groups[0] else 0 * groups[1][0]
        count = len(face.group_ends)
        self.first, self.zero, self.noise = 1 + count, zero, noise
        self.L: list[list[Any]] = [[zero] * (g + 1) for g in range(self.first)]
        for g, r in enumerate(groups):
            for v in r:
                i = face.index[len(self.L) - self.first]
                row, last = face.row(i), len(self.L) - self.first + 1
                column = [v - r[0] if count else v, *(zero + (h == g) for h in range(count))]
                self.L.append(column + [row[j] for j in face.index[:last]])
        self.d = [zero] * len(self.L)
        for c in range(len(self.L) - 1, 0, -1):
            self.eliminate(c)

    def eliminate(self, c: int) -> None:
        """Let row c become that of L, and find its pivot."""
        row, norm = self.L[c], self.L[c][c]
        for k in range(len(self.L) - 1, c, -1):
            b = self.d[k] * self.L[k][c]
            row = [v - b * x for v, x in zip(row, self.L[k])]
        pivot = row.pop()
        dependent = c >= self.first and not pivot > self.noise * norm
        if dependent or pivot == 0:
            self.L[c] = [self.zero] * c
        else:
            self.d[c], self.L[c] = pivot, [v / pivot for v in row]

    def solution(self) -> list[Any]:
        """-1, the lam, and p of each member: by substitution from the first on."""
        z: list[Any] = [self.zero - 1]
        for row in self.L[1:]:
            s = self.zero
            for x, v in zip(row, z):
                s += x * v
            z.append(-s)
        return z

    def scale_right_side(self, share: Any) -> None:
        """Leave this share of the right-hand side: the way was gone but for it."""
        for row in self.L[1:]:
            row[0] = share * row[0]

    def remove(self, k: int) -> None:
        """Take unknown k out: what was eliminated after it gains d l l', l its row of L."""
        w, alpha = self.L[k], self.d[k]
        self.L[k], self.d[k] = [self.zero] * k, self.zero
        for row in self.L[k + 1 :]:
            row[k] = self.zero
        for j in range(k - 1, 0, -1):
            p, d = w[j], self.d[j]
            if p == 0 or d == 0:
                continue
            pivot = d + alpha * p * p
            if not pivot / d > self.noise:  # the group has no member left
                self.L[j], self.d[j] = [self.zero] * j, self.zero
                continue
            beta, alpha = alpha * p / pivot, d * alpha / pivot
            self.d[j] = pivot
            w = [v - p * x for v, x in zip(w, self.L[j])]
            self.L[j] = [x + beta * v for x, v in zip(self.L[j], w)]
