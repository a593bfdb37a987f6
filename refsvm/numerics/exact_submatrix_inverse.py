"""The inverse of a part of a symmetric matrix of Fractions: kept modulo a prime, solved exactly.

The inverse of a matrix of doubles, in fractions, holds numbers of thousands of digits. What
follows the changes is therefore the inverse modulo a prime p, whose numbers stay small, and each
solution is lifted from it (dixon_lifting.py). If M is regular modulo p it is regular; the
converse fails for a few unlucky primes, and then the next prime is taken.

    M, H, u, eta    as in submatrix_inverse.py, H modulo p
    prepared line   a Whole: its whole numbers, and the denominator of all of them
"""

from fractions import Fraction
from math import lcm

from .dixon_lifting import inner, lifted, primes
from .exact_sums import Whole, whole_numbers
from .submatrix_inverse import Principal


class Exact(Principal):
    """On Fractions."""

    one = 1

    def __init__(self, line, width):
        super().__init__(line, width)
        self.primes = primes()
        self.p = next(self.primes)
        self.known = {}
        self.digits = 1

    def prepared(self, a):
        if a not in self.known:
            self.known[a] = self.whole(a)
        return self.known[a]

    def whole(self, a):
        """Line a as a Whole, which is not kept."""
        line = self.line(a)
        return line if isinstance(line, Whole) else whole_numbers(line)

    def near(self, j):
        while self.prepared(j)[1] % self.p == 0:
            self.p = next(self.primes)
            self.renew()
        return super().near(j)

    def elements(self, line, indices):
        whole, below = line
        e = self.inverse(below)
        return [whole[b] * e % self.p for b in indices]

    def reduced(self, values):
        return [v % self.p for v in values]

    def inverse(self, value):
        return pow(value, -1, self.p)

    def inner(self, x, z):
        return inner(x, z) % self.p

    def times_H(self, r):
        return [inner(row, r) % self.p for row in self.H]

    def renew(self):
        """Compute H anew, modulo the next prime if M or a denominator is singular modulo this."""
        self.H, self.changes = None, 0
        while self.H is None:
            if all(below % self.p for _, below in self.lines):
                self.H = self.inverted()
            if self.H is None:
                self.p = next(self.primes)

    def solve(self, right):
        """The x with M x = right, exactly."""
        if not self.index:
            return []
        rows = [[whole[b] for b in self.index] for whole, _ in self.lines]
        scales = [below for _, below in self.lines]
        x, self.digits = lifted(rows, scales, self.H, self.p, right, self.digits)
        return x

    def response(self, j):
        """u, eta, and its sign."""
        whole, below = self.prepared(j)
        m = [Fraction(whole[a], below) for a in self.index]
        u = [-v for v in self.solve(m)]
        eta = Fraction(whole[j], below) + exact_dot(m, u)
        return u, eta, (eta > 0) - (eta < 0)

    def admit(self, j):
        """Let j come if M with it is regular modulo p; whether it came."""
        answer = self.near(j)
        if answer[1] != 0:
            self.enter(j, answer)
        return answer[1] != 0

    def less(self, total, x):
        """total less the sum of x_a times line a: numbers, and the denominator of all. O(k n)."""
        return combined(total, x, self.lines)

    def without(self, total, held):
        """total less the sum of x times line a, for each (a, x) of a dict. O(n) each."""
        whole, below = combined(total, list(held.values()), list(map(self.whole, held)))
        return [Fraction(v, below) for v in whole]

    def form(self, x):
        """x'M x. O(k*k)."""
        lines = [Whole([whole[b] for b in self.index], below) for whole, below in self.lines]
        image, below = combined([Fraction(0)] * len(x), x, lines)
        return -exact_dot(x, image) / below


def combined(total, x, lines):
    """total less the sum of x_a times line a, as a Whole; the lines are Wholes."""
    parts, below = whole_numbers([v / scale for v, (_, scale) in zip(x, lines)])
    total, under = whole_numbers(total)
    common = lcm(below, under)
    total = [t * (common // under) for t in total]
    for c, (whole, _) in zip(parts, lines):
        if c != 0:
            c *= common // below
            total = [t - c * v for t, v in zip(total, whole)]
    return Whole(total, common)


def exact_dot(x, z):
    """The inner product of Fractions, over one denominator each."""
    (x, below), (z, under) = whole_numbers(x), whole_numbers(z)
    return Fraction(inner(x, z), below * under)
