"""Does a certificate prove what it states? python checker.py PROBLEM CERTIFICATE

Chapter 19 of refsvm's specification says what both hold, and why alpha proves it. Nothing here is
refsvm's, nothing is rounded, and whatever is not so ends with an exception.
"""

import json
import sys
from fractions import Fraction
from hashlib import sha256
from math import inf, lcm
from pathlib import Path


def need(truth, rule):
    if not truth:
        raise ValueError(f"not so: {rule}")


def number(text):
    value = Fraction(*map(int, text.split("/")))
    need(str(value) == text, "a number is p or p/q in lowest terms")
    return value


def dot(x, z):
    need(type(x) is type(z) is list and len(x) == len(z), "lists have one length")
    return sum(a * b for a, b in zip(x, z))  # exact


def whole(rows):
    """The rows times q, in whole numbers, and q."""
    q = lcm(*(v.denominator for row in rows for v in row))
    return [[v.numerator * (q // v.denominator) for v in row] for row in rows], q


def polynomial(X, name, degree, gamma, coef0):
    need(name == "polynomial" and type(degree) is int and 0 <= degree < 1000, "a known kernel")
    (X, q), gamma, coef0 = whole(X), number(gamma), number(coef0)
    need(min(gamma, coef0) >= 0, "the kernel is an inner product")
    return [[(gamma * Fraction(dot(x, z), q * q) + coef0) ** degree for z in X] for x in X]


def semidefinite(K):
    need(K == [[*column] for column in zip(*K)], "the kernel matrix is symmetric")
    rest = K
    while rest:
        (pivot, *row), *rest = rest
        need(pivot > 0 or pivot == 0 and not any(row), "no pivot is negative")
        rest = [[a - r * c / (pivot or 1) for a, c in zip(line, row)] for r, *line in rest]
    return K


def kernel_matrix(X, kernel):
    """It is semidefinite: by a formula without a minus, or by its pivots."""
    if kernel == {"name": "precomputed"}:
        return semidefinite(X)
    linear = {"name": "polynomial", "degree": 1, "gamma": "1", "coef0": "0"}
    return polynomial(X, **(linear if kernel == {"name": "linear"} else kernel))


def proofs(alpha, denominator, b, X, y, C, kernel, bias, slack):
    """Each claim that the multipliers prove, and the numbers that it states."""
    need({*map(repr, y)} == {"1", "-1"} and type(bias) is bool, "labels are 1 and -1")
    need({*map(type, (alpha, C, *X))} == {list} and all(X), "alpha, C and rows are lists")
    need(len(X) == len(y) == len(C) == len(alpha), "there is one of each for an example")

    # The machine: beta_i = alpha_i y_i, between two ends; scores; |w|^2; the slack alpha asks for
    hinge = {"hinge": True, "squared": False}[slack]
    C = [inf if c == "inf" else number(c) for c in C]
    (terms,), unit = whole([[l * number(a) for l, a in zip(y, alpha)]])
    below = number(denominator)
    need(unit == below.denominator == 1, "alpha and the denominator are whole numbers")
    need(min(C) > 0, "prices are above 0")
    beta = [t / below for t in terms]
    ends = [sorted((0, l * (c if hinge else inf))) for l, c in zip(y, C)]
    inside = all(low <= v <= high for v, (low, high) in zip(beta, ends))
    need(inside and (sum(beta) == 0 or not bias), "alpha is feasible")  # exact
    K, q = whole(kernel_matrix([[number(v) for v in x] for x in X], kernel))
    scores = [dot(row, terms) / (q * below) for row in K]
    norm2 = dot(beta, scores)
    slacks = [0 if hinge or c == inf else v / c for v, c in zip(beta, C)]  # times y_i
    dual = dot(beta, y) - (norm2 + dot(beta, slacks)) / 2

    # Whose beta can rise asks for an offset from r on; whose can fall, for one up to r
    asks = [l - s - v for l, s, v in zip(y, scores, slacks)]
    zero = [] if bias else [0]
    m = max(zero + [r for r, v, (_, high) in zip(asks, beta, ends) if v < high])
    M = min(zero + [r for r, v, (low, _) in zip(asks, beta, ends) if v > low])
    if m <= M:
        yield "optimum", {"value": dual, "b_low": m, "b_high": M}
    if norm2 == 0 and any(beta) and all(c == inf for c, v in zip(C, beta) if v):
        yield "infeasible", {}

    # The primal value: of the least multiple of the machine that keeps all hard margins
    margins = [l * (s + b) for l, s in zip(y, scores)]
    factor = max([1] + [1 / v for v, c in zip(margins, C) if c == inf])
    losses = [(c, 1 - factor * v) for v, c in zip(margins, C) if factor * v < 1]
    costs = [c * v if hinge else c * v * v / 2 for c, v in losses]
    primal = factor**2 * norm2 / 2 + sum(costs)  # exact
    yield "gap", {"dual": dual, "primal": primal, "b": b if bias else 0}


def check(problem, certificate):
    """Pass, if the certificate states what its multipliers prove; both are canonical texts."""
    for text in (problem, certificate):
        again = json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"))
        need(text == again, "the JSON is canonical")
    stated, problem_sha256 = json.loads(certificate), sha256(problem.encode()).hexdigest()
    need(stated.pop("problem_sha256") == problem_sha256, "the certificate is of this problem")
    claim, alpha, denominator = map(stated.pop, ("claim", "alpha", "denominator"))
    stated = {key: number(text) for key, text in stated.items()}
    b = stated.get("b", 0)
    proved = proofs(alpha, denominator, b, **json.loads(problem))
    need((claim, stated) in proved, "what is stated is what alpha proves")


if __name__ == "__main__":
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)  # proofs need numbers of thousands of digits
    check(*(Path(name).read_text("ascii").rstrip("\n") for name in sys.argv[1:]))
    print("proved")
