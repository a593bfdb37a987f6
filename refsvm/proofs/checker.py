"""Does a certificate prove what it states? python checker.py PROBLEM CERTIFICATE

Chapter 19 of refsvm's specification says what the two files hold. Nothing here is refsvm's, and
nothing is rounded. Whatever is stated and is not so ends with an exception.
"""

import json
import re
import sys
from fractions import Fraction
from functools import cache
from hashlib import sha256
from math import inf, lcm, prod
from pathlib import Path

KERNELS = {  # of rows x and z with the inner product s; then the keys that such a kernel has
    "linear": lambda x, z, s: s,
    "polynomial": lambda x, z, s, degree, gamma, coef0:
        (number(gamma) * s + number(coef0)) ** degree,
    "monomial_sum": lambda x, z, s, degree: sum(s**e for e in range(degree + 1)),  # exact
    "spectrum": lambda x, z, s, length:
        sum(map(words(z, length).count, words(x, length))),  # exact
    "sum": lambda x, z, s, terms: sum(value(x, z, s, **term) for term in terms),  # exact
    "product": lambda x, z, s, factors: prod(value(x, z, s, **factor) for factor in factors),
    "multiple": lambda x, z, s, factor, kernel: number(factor) * value(x, z, s, **kernel)}


def need(truth, rule):
    if not truth:
        raise ValueError(f"not so: {rule}")


@cache
def number(text):
    need(re.fullmatch("-?[0-9]{1,999999}(/[1-9][0-9]{,999999})?", text), "a number is p or p/q")
    need(str(Fraction(text)) == text, "a number is in lowest terms")
    return Fraction(text)


def dot(x, z):
    need(len(x) == len(z), "lists have one length")
    return sum(a * b for a, b in zip(x, z))  # exact


def words(x, length):
    return [x[i : i + length] for i in range(len(x) - length + 1)]


def value(x, z, s, name, **parameters):
    return Fraction(KERNELS[name](x, z, s, **parameters))


def whole(rows):
    """The rows times q, whole numbers, and q."""
    q = lcm(*(v.denominator for row in rows for v in row))
    return [[v.numerator * (q // v.denominator) for v in row] for row in rows], q


def matrix(X, kernel):
    """The kernel matrix times q, whole numbers, and q."""
    need({*map(type, X)} in ({str}, {list}), "X is a list of rows")
    given, strings = kernel == {"name": "precomputed"}, type(X[0]) is str
    X, q = (X, 1) if strings else whole([[number(v) for v in x] for x in X])
    if not given:
        inner = (lambda x, z: None) if strings else lambda x, z: Fraction(dot(x, z), q * q)
        half = [[value(x, z, inner(x, z), **kernel) for z in X[: i + 1]] for i, x in enumerate(X)]
        X, q = whole([[half[max(i, j)][min(i, j)] for j in range(len(X))] for i in range(len(X))])
    need([[*column] for column in zip(*X)] == X, "the kernel matrix is symmetric")
    rest = X if given or "-" in json.dumps(kernel) else []  # others are inner products by formula
    while rest:
        (pivot, *row), *rest = rest
        need(pivot > 0 or pivot == 0 and not any(row), "the kernel matrix is semidefinite")
        rest = [[a - Fraction(r * c, pivot or 1) for a, c in zip(line, row)] for r, *line in rest]
    return X, q


class Machine:
    """The problem, and the machine that the multipliers make; they are feasible."""

    def __init__(self, alpha, denominator, X, y, C, kernel, bias, slack):
        need({type(v) for v in (X, y, C, alpha)} == {list} and {*map(type, y)} == {int}, "lists")
        need(len(X) == len(y) == len(C) == len(alpha) and {*y} == {1, -1}, "one an example")
        need(type(bias) is bool and slack in ("hinge", "squared"), "bias and slack are known")
        self.y, self.bias, self.hinge = y, bias, slack == "hinge"
        self.C = [inf if c == "inf" else number(c) for c in C]
        need(min(self.C) > 0, "C is positive")
        K, q = matrix(X, kernel)
        (terms,), part = whole([[l * number(a) for a, l in zip(alpha, y)]])
        below = part * number(denominator)
        self.beta = [Fraction(v, below) for v in terms]  # alpha_i y_i
        self.scores = [Fraction(dot(row, terms), below * q) for row in K]
        self.w2 = dot(self.beta, self.scores)
        self.ridge = [0 if self.hinge or c == inf else 1 / c for c in self.C]
        self.ends = [sorted((0, l * (c if self.hinge else inf))) for l, c in zip(y, self.C)]
        fits = all(low <= b <= high for b, (low, high) in zip(self.beta, self.ends))
        need(fits and (sum(self.beta) == 0 or not bias), "alpha is feasible")  # exact

    def dual(self):
        squares = sum(c * b * b for c, b in zip(self.ridge, self.beta))  # exact
        return dot(self.beta, self.y) - (self.w2 + squares) / 2

    def primal(self, b):
        margins = [l * (s + b) for l, s in zip(self.y, self.scores)]
        factor = max([1] + [1 / m for m, c in zip(margins, self.C) if c == inf])
        xi = [max(0, 1 - factor * m) for m in margins]
        costs = (c * (v if self.hinge else v * v / 2) for c, v in zip(self.C, xi) if v)
        return factor * factor * self.w2 / 2 + sum(costs)  # exact

    def offsets(self):
        """m and M: the largest b that an example asks for, and the smallest."""
        terms = zip(self.y, self.scores, self.ridge, self.beta)
        r = [l - s - c * b for l, s, c, b in terms]
        zero = [] if self.bias else [0]
        m = max(zero + [v for v, b, (_, high) in zip(r, self.beta, self.ends) if b < high])
        M = min(zero + [v for v, b, (low, _) in zip(r, self.beta, self.ends) if b > low])
        return m, M


def prove(problem, claim, alpha, denominator, **stated):
    """Compare what is stated with what the multipliers alpha / denominator prove."""
    machine = Machine(alpha, denominator, **problem)
    stated = {key: number(text) for key, text in stated.items()}
    if claim == "optimum":
        m, M = machine.offsets()
        need(m <= M, "alpha is optimal")
        proved = {"value": machine.dual(), "b_low": m, "b_high": M}
    elif claim == "gap":
        b = stated["b"] if machine.bias else 0
        proved = {"dual": machine.dual(), "primal": machine.primal(b), "b": b}
    else:
        need(claim == "infeasible" and machine.w2 == 0 and any(machine.beta), "a ray to infinity")
        need(all(c == inf for c, b in zip(machine.C, machine.beta) if b), "it needs infinite C")
        proved = {}
    need(stated == proved, "what is stated is what alpha proves")


def check(problem, certificate):
    """Pass, if the certificate proves all that it states; both are canonical JSON texts."""
    for text in (problem, certificate):
        again = json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"))
        need(text == again, "the JSON is canonical")
    other = '"(degree|length)":(?![0-9]{1,3}[,}])'
    need(not re.search(other, problem), "a degree or length is a whole number below 1000")
    stated = json.loads(certificate)
    name = sha256(problem.encode()).hexdigest()
    need(stated.pop("problem_sha256") == name, "the certificate is of this problem")
    prove(json.loads(problem), **stated)


if __name__ == "__main__":
    getattr(sys, "set_int_max_str_digits", id)(0)  # proofs need numbers of thousands of digits
    check(*(Path(name).read_text("ascii").rstrip("\n") for name in sys.argv[1:]))
    print("proved")
