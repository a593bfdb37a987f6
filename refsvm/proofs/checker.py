"""Does a certificate prove what it states?      python checker.py PROBLEM CERTIFICATE

What both texts are, and why these checks are a proof: spec/standard/certificates.md, "A
certificate as a document". All is computed in fractions, and whatever is not proved is refused
with a ValueError.

    p    the problem: rows X, labels y, penalties C (inf: no slack), kernel, bias, slack
    c    the certificate: the multipliers alpha over a denominator, the offset b, and what it
         states: the optimum's value is from dual to primal
    K    the kernel matrix, in whole numbers over one denominator q
    s    the scores s_i = sum_j K_ij alpha_j y_j = <w, phi(x_i)> of w = sum_i alpha_i y_i phi(x_i)
"""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from hashlib import sha256
from math import inf, lcm
from operator import mul
from typing import Any


def check(problem: str, certificate: str) -> None:
    """Raise a ValueError unless the certificate states what its multipliers prove."""
    try:
        p, c = read_problem(problem), read_certificate(certificate)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError) as error:
        raise ValueError("a text is not written as spec/standard/certificates.md says") from error
    check_spelling(p, problem)
    check_spelling(c, certificate)
    check_name(c, problem)
    check_shape(p, c)
    check_penalties(p)
    check_kernel(p["kernel"])
    check_box(p, c)
    check_offset(p, c)
    K, q = kernel_matrix(p["X"], **p["kernel"])
    if p["kernel"]["name"] == "precomputed":
        check_definite(K)
    beta = [*map(mul, c["alpha"], p["y"])]  # times the denominator
    s = [sum(map(mul, row, beta)) / (q * c["denominator"]) for row in K]  # exact
    w_norm2 = sum(map(mul, beta, s)) / c["denominator"]  # exact
    check_dual(p, c, w_norm2)
    check_primal(p, c, w_norm2, s)


def read_problem(text: str) -> Any:
    """The parts of a problem, with a Fraction for each number but the labels and the degree."""
    p = json.loads(text)
    X = [[number(v) for v in x] for x in p["X"]]
    C = [inf if v == "inf" else number(v) for v in p["C"]]
    kernel = {k: number(v) if k in ("gamma", "coef0") else v for k, v in p["kernel"].items()}
    rest = {"y": [*map(int, p["y"])], "bias": bool(p["bias"]), "slack": p["slack"]}
    return {"X": X, "C": C, "kernel": kernel, **rest}


def read_certificate(text: str) -> Any:
    """The parts of a certificate; dual and primal stay strings."""
    c = json.loads(text)
    rest = {k: c[k] for k in ("problem_sha256", "dual", "primal")}
    numbers = {k: number(c[k]) for k in ("denominator", "b")}
    return {"alpha": [*map(int, c["alpha"])], **numbers, **rest}


def number(text: str) -> Fraction:
    """The Fraction "p" or "p/q"."""
    return Fraction(*map(int, text.split("/")))


def require(truth: bool, sentence: str) -> None:
    """Refuse what is not so."""
    if not truth:
        raise ValueError(sentence)


def check_spelling(document: Any, text: str) -> None:
    """What was read, written anew, is the text: no second spelling, nothing doubled or unread."""
    parts = {k: [*map(str, v)] if k in ("C", "alpha") else v for k, v in document.items()}
    again = json.dumps(parts, sort_keys=True, separators=(",", ":"), default=str)
    require(again == text, "a text is not the canonical one")


def check_name(c: Any, problem: str) -> None:
    """The certificate is of this problem."""
    name = sha256(problem.encode()).hexdigest()
    require(c["problem_sha256"] == name, "the certificate is of another problem")


def check_shape(p: Any, c: Any) -> None:
    """There are two classes, and as many rows, all of one length, as labels, C_i and alpha_i."""
    require({*p["y"]} == {1, -1}, "the labels are not 1 and -1, or not both of them")
    lengths = {*map(len, (p["X"], p["y"], p["C"], c["alpha"]))}
    require(len(lengths) == 1, "X, y, C and alpha differ in length")
    width = len(p["X"][0])
    require(all(len(x) == width > 0 for x in p["X"]), "rows differ in length, or are empty")


def check_penalties(p: Any) -> None:
    """Slack is penalised as it is or by its square, and each C_i is above 0."""
    require(p["slack"] in ("hinge", "squared"), "slack is neither hinge nor squared")
    require(min(p["C"]) > 0, "a penalty is not above 0")


def check_kernel(kernel: Any) -> None:
    """The kernel is known; a polynomial without a minus is an inner product by its formula."""
    if kernel not in ({"name": "linear"}, {"name": "precomputed"}):
        known = kernel.keys() == {"name", "degree", "gamma", "coef0"}
        require(known and kernel["name"] == "polynomial", "the kernel is not one of three")
        whole = type(kernel["degree"]) is int and 0 <= kernel["degree"] < 1000
        require(whole, "the degree is no whole number from 0 to 999")
        require(min(kernel["gamma"], kernel["coef0"]) >= 0, "gamma or coef0 is negative")


def check_box(p: Any, c: Any) -> None:
    """0 <= alpha_i, and alpha_i <= C_i unless slack is squared."""
    require(c["denominator"] > 0, "the denominator is not above 0")
    require(min(c["alpha"]) >= 0, "a multiplier is negative")
    below_C = all(a <= v * c["denominator"] for a, v in zip(c["alpha"], p["C"]))
    require(below_C or p["slack"] == "squared", "a multiplier is above its C")


def check_offset(p: Any, c: Any) -> None:
    """sum alpha_i y_i = 0 if there is an offset; b = 0 if there is none."""
    balance = sum(map(mul, c["alpha"], p["y"]))  # exact
    require(balance == 0 or not p["bias"], "sum alpha_i y_i is not 0")
    require(c["b"] == 0 or p["bias"], "b is not 0, and there is no offset")


def kernel_matrix(X: Any, name: str, degree: int = 1, gamma: Any = 1, coef0: Any = 0) -> Any:
    """K and q: K is X if precomputed, and (gamma x.z + coef0)^degree otherwise."""
    q = lcm(*(v.denominator for x in X for v in x))
    X = [[int(q * v) for v in x] for x in X]
    if name == "precomputed":
        return X, q
    d = gamma.denominator * coef0.denominator
    g, r = int(gamma * d), int(coef0 * d * q**2)
    K = [[(g * sum(map(mul, x, z)) + r) ** degree for z in X] for x in X]  # exact
    return K, (d * q**2) ** degree


def check_definite(K: Any) -> None:
    """Elimination: K is symmetric, no pivot is negative, and where one is 0 so is its row."""
    while K:
        (pivot, *row), *rest = K
        require(row == [k for k, *_ in rest], "the kernel matrix is not symmetric")
        require(pivot > 0 or not any([pivot, *row]), "the kernel matrix is indefinite")
        K = [[v - k * Fraction(u, pivot or 1) for v, u in zip(x, row)] for k, *x in rest]


def check_dual(p: Any, c: Any, w_norm2: Fraction) -> None:
    """It is sum alpha_i - |w|^2 / 2, with squared slack less sum alpha_i^2 / 2 C_i.

    It is inf if w = 0 though not alpha = 0, and alpha_i = 0 wherever C_i is finite.
    """
    alpha = [a / c["denominator"] for a in c["alpha"]]
    ridge = sum(a * a / v for a, v in zip(alpha, p["C"]) if v < inf)  # exact
    dual = sum(alpha) - (w_norm2 + (ridge if p["slack"] == "squared" else 0)) / 2  # exact
    endless = w_norm2 == ridge == 0 < max(alpha)
    require(c["dual"] == str(inf if endless else dual), "dual is not the value of alpha")


def check_primal(p: Any, c: Any, w_norm2: Fraction, s: Any) -> None:
    """It is |w|^2 / 2 + sum C_i xi_i, with squared slack |w|^2 / 2 + sum C_i xi_i^2 / 2.

    If C_i = inf the margin m_i = y_i (s_i + b) must be 1 at least; so w and b are first multiplied
    by the least factor >= 1 that lifts these margins to 1. It is inf if there is none.
    """
    m = [y * (score + c["b"]) for y, score in zip(p["y"], s)]
    least, primal = min([1] + [v for v, C in zip(m, p["C"]) if C == inf]), inf
    if least > 0:
        power = 1 if p["slack"] == "hinge" else 2
        xi = [max(1 - v / least, 0) for v in m]
        costs = [C * v**power / power for v, C in zip(xi, p["C"]) if v > 0]
        primal = w_norm2 / least**2 / 2 + sum(costs)  # exact
    require(c["primal"] == str(primal), "primal is not the value of w and b")


if __name__ == "__main__":
    getattr(sys, "set_int_max_str_digits", int)(0)
    check(*(open(n, encoding="ascii").read().rstrip("\n") for n in sys.argv[1:]))  # noqa: SIM115
    print("proved")
