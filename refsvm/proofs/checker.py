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
    "monomial_sum": lambda x, z, s, degree: sum(s**e for e in range(degree + 1)),
    "spectrum": lambda x, z, s, length: sum(map(words(z, length).count, words(x, length))),
    "sum": lambda x, z, s, terms: sum(value(x, z, s, **term) for term in terms),
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
    return sum(a * b for a, b in zip(x, z))


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


def prove(X, y, C, kernel, bias, slack, claim, alpha, denominator, **stated):
    """Compare what is stated with what alpha / denominator prove of the claim."""
    need({type(v) for v in (X, y, C, alpha)} == {list} and {*map(type, y)} == {int}, "lists")
    need(len(X) == len(y) == len(C) == len(alpha) and {*y} == {1, -1}, "one of each an example")
    (K, q), hinge = matrix(X, kernel), slack == "hinge"
    C = [inf if c == "inf" else number(c) for c in C]
    need(min(C) > 0 and type(bias) is bool and (hinge or slack == "squared"), "C, bias, slack")
    stated = {key: number(text) for key, text in stated.items()}
    (terms,), part = whole([[l * number(a) for a, l in zip(alpha, y)]])
    beta = [Fraction(v, part * number(denominator)) for v in terms]
    scores = [Fraction(dot(row, terms), part * number(denominator) * q) for row in K]
    w2, ridge = dot(beta, scores), [0 if hinge or c == inf else 1 / c for c in C]
    dual = dot(beta, y) - w2 / 2 - sum(c * b * b for c, b in zip(ridge, beta)) / 2
    ends = [sorted((0, l * c if hinge else l * inf)) for l, c in zip(y, C)]
    need(all(low <= b <= high for b, (low, high) in zip(beta, ends)), "alpha is in its box")
    need(sum(beta) == 0 or not bias, "sum alpha_i y_i is 0")
    if claim == "optimum":
        r, zero = [l - s - c * b for l, s, c, b in zip(y, scores, ridge, beta)], [0] * (not bias)
        low = max([v for v, b, (_, high) in zip(r, beta, ends) if b < high] + zero)
        high = min([v for v, b, (low, _) in zip(r, beta, ends) if b > low] + zero)
        proved = {"value": dual, "b_low": low, "b_high": high} if low <= high else "no optimum"
    elif claim == "gap":
        margins = [l * (s + stated["b"]) for l, s in zip(y, scores)]
        factor = max([1] + [1 / m for m, c in zip(margins, C) if c == inf])
        xi = [max(0, 1 - factor * m) for m in margins]
        cost = sum(c * (v if hinge else v * v / 2) for c, v in zip(C, xi) if v)
        primal = factor * factor * w2 / 2 + cost
        proved = {"dual": dual, "primal": primal, "b": stated["b"] if bias else 0}
    else:
        ray = any(beta) and w2 == 0 and all(c == inf for c, b in zip(C, beta) if b)
        proved = {} if claim == "infeasible" and ray else "no proof"
    need(stated == proved, "what is stated is what alpha proves")


def check(problem, certificate):
    """Pass, if the certificate proves all that it states; both are canonical JSON texts."""
    for text in (problem, certificate):
        again = json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"))
        need(text == again, "the JSON is canonical")
    whole = '"(degree|length)":(?![0-9]{1,3}[,}])'
    need(not re.search(whole, problem), "a degree or length is a whole number below 1000")
    stated = json.loads(certificate)
    name = sha256(problem.encode()).hexdigest()
    need(stated.pop("problem_sha256") == name, "the certificate is of this problem")
    prove(**json.loads(problem), **stated)


if __name__ == "__main__":
    getattr(sys, "set_int_max_str_digits", id)(0)  # proofs need numbers of thousands of digits
    check(*(Path(name).read_text("ascii").rstrip("\n") for name in sys.argv[1:]))
    print("proved")
