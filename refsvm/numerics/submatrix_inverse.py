"""The inverse of a part of a symmetric matrix, kept up to date while indices come and go.

Given is a symmetric matrix, one line at a time. Looked at is its part M: the lines and columns
whose indices are in a list. H is the inverse of M. When an index comes, leaves, or takes the place
of another, H follows in k^2 products; a fresh inverse would take k^3.

    M, m, d    the part; the column of a newcomer j, and its diagonal element
    H          the inverse of M                  h    the diagonal element of H of one who leaves
    u          -H m, the response: how the solution of M x = r moves, for each unit that x_j does
    eta        d - m'H m, the Schur complement; M with j is regular if and only if it is not zero

Two arithmetics share the formulas. Here is Rounded, for floats, where H is only nearly the inverse
and each solution is refined with M itself. Exact, for Fractions, is in principal_exact.py.

Source: Golub and Van Loan, Matrix Computations, section 2.1.4 (Sherman, Morrison, Woodbury).
"""

from .linalg import dot

NOISE = 2.0**-40  # an eta smaller than this part of its terms is rounding, or next to it
REFINEMENTS = 2


class Singular(ArithmeticError):
    """M has no inverse as far as floats can tell."""


class Principal:
    """What both arithmetics share. `index` lists the indices of M, in the order of its rows.

    line(a) is line a of the whole matrix, a list of `width` numbers.
    """

    def __init__(self, line, width):
        self.line, self.width = line, width
        self.index, self.lines, self.H = [], [], []
        self.changes = 0  # since H was last computed anew

    def take(self, indices):
        """Look at these indices, and compute H anew."""
        self.index = list(indices)
        self.lines = [self.prepared(a) for a in self.index]
        self.renew()

    def near(self, j):
        """u and eta in the arithmetic of H."""
        line = self.prepared(j)
        m = self.elements(line, self.index)
        u = self.reduced([-v for v in self.times_H(m)])
        return u, self.reduced([self.elements(line, [j])[0] + self.inner(m, u)])[0]

    def enter(self, j, answer=None):
        """Let j come last. M with j must be regular; `answer` is near(j), if known."""
        u, eta = answer or self.near(j)
        self.index.append(j)
        self.lines.append(self.prepared(j))
        if self.pivot(eta):
            e = self.inverse(eta)
            last = self.reduced([e * v for v in u])
            self.H = [
                self.reduced([h + v * b for h, b in zip(row, u)]) + [v]
                for row, v in zip(self.H, last)
            ]
            self.H.append([*last, e])

    def leave(self, i):
        """Let i go. M without i must be regular."""
        a = self.index.index(i)
        del self.index[a], self.lines[a]
        if self.pivot(self.H[a][a]):
            gone = self.H.pop(a)
            e = self.inverse(gone.pop(a))
            left = [row.pop(a) for row in self.H]
            part = self.reduced([e * v for v in gone])
            self.H = [
                self.reduced([h - v * b for h, b in zip(row, part)])
                for row, v in zip(self.H, left)
            ]

    def exchange(self, i, j):
        """Let j take the place of i. M with j in the place of i must be regular.

        M without i and M with both may be singular. Entering and leaving in one:
        H_ab + u_a (h u_b - u_i H_ib) / D - H_ia (eta H_ib + u_i u_b) / D,   D = h eta + u_i^2.
        """
        u, eta = self.near(j)
        a = self.index.index(i)
        self.index[a], self.lines[a] = j, self.prepared(j)
        old, h, u_i = self.H[a], self.H[a][a], u[a]
        whole = self.reduced([h * eta + u_i * u_i])[0]
        if self.pivot(whole):
            e = self.inverse(whole)
            v = self.reduced([e * (h * b - u_i * c) for b, c in zip(u, old)])
            w = self.reduced([e * (eta * c + u_i * b) for b, c in zip(u, old)])
            self.H = [
                self.reduced([c + p * q - r * s for c, q, s in zip(row, v, w)])
                for row, p, r in zip(self.H, u, old)
            ]
            v[a] = self.reduced([e * h])[0]
            self.H[a] = v
            for row, c in zip(self.H, v):
                row[a] = c

    def pivot(self, value):
        """Whether H can follow by dividing by this; if not, H is computed anew instead."""
        self.changes += 1
        if value == 0:
            self.renew()
        return value != 0

    def inverted(self):
        """The inverse of M by Gauss and Jordan's elimination; None if a pivot is missing.

        The pivot is the largest entry left in the column; modulo p any that is not zero will do.
        A column that is done with holds the one of the inverse that belongs to the row on top.
        """
        k = len(self.index)
        rows = [self.elements(line, self.index) for line in self.lines]
        order = list(range(k))
        for c in range(k):
            best = max(range(c, k), key=lambda a: abs(rows[a][c]))
            for swapped in (rows, order):
                swapped[c], swapped[best] = swapped[best], swapped[c]
            if rows[c][c] == 0:
                return None
            e, rows[c][c] = self.inverse(rows[c][c]), self.one
            top = rows[c] = self.reduced([e * v for v in rows[c]])
            for a, row in enumerate(rows):
                if a != c and row[c] != 0:
                    f, row[c] = row[c], 0 * self.one
                    rows[a] = self.reduced([v - f * t for v, t in zip(row, top)])
        back = sorted(range(k), key=order.__getitem__)
        return [[row[c] for c in back] for row in rows]


class Rounded(Principal):
    """On floats."""

    one = 1.0

    def __init__(self, line, width):
        super().__init__(line, width)
        self.M = [], []  # an index and its M
        self.latest = None, None  # the latest j that response was asked for, and when; its answer

    def square(self):
        """M, row by row."""
        if self.M[0] != self.index:
            rows = [self.elements(line, self.index) for line in self.lines]
            self.M = list(self.index), rows
        return self.M[1]

    def prepared(self, a):
        return self.line(a)

    def elements(self, line, indices):
        return [line[b] for b in indices]

    def reduced(self, values):
        return values

    def inverse(self, value):
        return 1 / value

    def inner(self, x, z):
        return dot(x, z)

    def times_H(self, r):
        return [dot(row, r) for row in self.H]

    def renew(self):
        """Compute H anew. Singular if there is none."""
        self.H, self.changes = self.inverted(), 0
        if self.H is None:
            raise Singular

    def solve(self, right):
        """The x with M x = right, refined. O(k*k)."""
        if self.changes > len(self.index):
            self.renew()
        x = self.times_H(right)
        for _ in range(REFINEMENTS):
            left = [r - dot(row, x) for r, row in zip(right, self.square())]
            x = [v + c for v, c in zip(x, self.times_H(left))]
        return x

    def response(self, j):
        """u, eta, and the sign of eta, 0 where it may be rounding.

        With v = [u; 1] eta is v'(M with j)v, and computed so an error of u counts by its square.
        """
        line = self.line(j)
        m = self.elements(line, self.index)
        u = [-v for v in self.solve(m)]
        eta, size, sizes = line[j], abs(line[j]), list(map(abs, u))
        for c, v, row in zip(m, u, self.square()):
            eta += v * (c + (c + dot(row, u)))
            size += abs(v) * (2 * abs(c) + dot(list(map(abs, row)), sizes))
        self.latest = (j, self.changes, list(self.index)), (u, eta)
        return u, eta, (eta > NOISE * size) - (eta < -NOISE * size)

    def near(self, j):
        if self.latest[0] != (j, self.changes, self.index):
            self.response(j)
        return self.latest[1]

    def admit(self, j):
        """Let j come if M with it is regular beyond doubt; whether it came."""
        u, eta, sign = self.response(j)
        if sign > 0:
            self.enter(j, (u, eta))
        return sign > 0

    def less(self, total, x):
        """total less the sum of x_a times line a: numbers, and the denominator of all. O(k n)."""
        for c, line in zip(x, self.lines):
            if c != 0:
                total = [t - c * v for t, v in zip(total, line)]
        return total, 1

    def without(self, total, held):
        """total less the sum of x times line a, for each (a, x) of a dict. O(n) each."""
        for a, c in held.items():
            total = [t - c * v for t, v in zip(total, self.line(a))]
        return total

    def form(self, x):
        """x'M x. O(k*k)."""
        image = [0.0] * len(x)
        for c, row in zip(x, self.square()):
            if c != 0:
                image = [t - c * v for t, v in zip(image, row)]
        return -dot(x, image)
