"""Does a certificate prove what it states? python checker.py PROBLEM CERTIFICATE (chapter 19)"""

import json
import sys
from fractions import Fraction
from hashlib import sha256
from math import lcm

if not __debug__:
    raise ImportError("python -O would leave out all that is asserted here")


def number(text):
    return Fraction(*map(int, text.split("/")))


def check(problem, certificate):
    """Pass, if the certificate states what its multipliers prove; both are canonical texts."""
    p, told = json.loads(problem), json.loads(certificate)
    X, y = [[*map(number, x)] for x in p["X"]], [*map(int, p["y"])]
    soft = [0 if c == "inf" else 1 / number(c) for c in p["C"]]  # 1 / C: 0 for a hard margin
    alpha, below, b = [*map(int, told["alpha"])], number(told["denominator"]), number(told["b"])
    beta, power = [a * l for a, l in zip(alpha, y)], {"hinge": 1, "squared": 2}[p["slack"]]
    form = {k: number(v) if k in ("gamma", "coef0") else v for k, v in p["kernel"].items()}
    name, degree, gamma, coef0 = {"name": 0, "degree": 1, "gamma": 1, "coef0": 0, **form}.values()
    assert {*y} == {1, -1} and len({*map(len, (X, y, soft, alpha))}) == len({*map(len, X)}) == 1
    assert len(form) == {"linear": 1, "precomputed": 1, "polynomial": 4}[name] and degree < 1000
    assert all(X) and min(*soft, gamma, coef0, degree) >= 0 < below and type(degree) is int
    assert all(a >= 0 and (power == 2 or a * s <= below) for a, s in zip(alpha, soft)), "alpha > C"
    assert sum(beta) == 0 if p["bias"] else b == 0, "alpha is not balanced, or b is not 0"  # exact
    q, d = lcm(*(v.denominator for x in X for v in x)), gamma.denominator * coef0.denominator
    K = rest = [[int(q * v) for v in x] for x in X]  # the kernel matrix, times q
    while rest and name == "precomputed":
        (pivot, *row), *rest = rest
        assert row == [c for c, *_ in rest] and (pivot > 0 or not any([pivot, *row])), "indefinite"
        rest = [[v - c * Fraction(u, pivot or 1) for v, u in zip(x, row)] for c, *x in rest]
    if name != "precomputed":
        g, r, q = int(gamma * d), int(coef0 * d * q**2), (d * q**2) ** degree
        K = [[(g * sum(u * v for u, v in zip(x, z)) + r) ** degree for z in K] for x in K]  # exact
    u, one, shift = b.denominator, q * below * b.denominator, q * below * b.numerator
    m = [l * (shift + u * sum(k * t for k, t in zip(x, beta))) for l, x in zip(y, K)]  # exact
    norm2 = sum(a * v for a, v in zip(alpha, m)) / (one * below)  # exact
    ridge = sum(a * a * s for a, s in zip(alpha, soft)) / below**2  # exact
    dual = sum(alpha) / below - (norm2 + (power - 1) * ridge) / 2  # exact
    dual = "inf" if norm2 == ridge == 0 < sum(alpha) else dual  # exact
    least = min([one] + [v for v, s in zip(m, soft) if s == 0])  # of the hard margins and 1
    cost = sum((least - v) ** power / s for v, s in zip(m, soft) if v < least)  # exact
    primal = norm2 * (one / least) ** 2 / 2 + cost / (power * least**power) if least > 0 else "inf"
    p.update(X=X, y=y, C=[1 / s if s else "inf" for s in soft], kernel=form, bias=bool(p["bias"]))
    told.update(alpha=[*map(str, alpha)], denominator=below, b=b, dual=dual, primal=primal)
    told["problem_sha256"] = sha256(problem.encode()).hexdigest()
    again = json.dumps([p, told], sort_keys=True, separators=(",", ":"), default=str)
    assert again == f"[{problem},{certificate}]" and len(p) == len(told) == 6, "not what is proved"


if __name__ == "__main__":
    getattr(sys, "set_int_max_str_digits", int)(0)
    check(*(open(n, encoding="ascii").read().rstrip("\n") for n in sys.argv[1:]))  # noqa: SIM115
    print("proved")
