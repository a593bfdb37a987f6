"""Does a certificate prove what it states?      python checker.py PROBLEM CERTIFICATE

What both texts are, and why these checks are a proof: spec/standard/certificates.md, "A
certificate as a document". All is computed in fractions, and whatever is not proved is refused
with a ValueError.

    p      the problem: rows X, kernel, and what PROBLEM_FIELDS says of its form; without `form` it
           is one of classification: labels y, penalties C (inf: no slack), bias, slack
    c      the certificate: the multipliers alpha over a denominator, the offsets, and what it
           states: the optimum's value is from dual to primal
    K      the kernel matrix, in whole numbers over one denominator q; not for a linear kernel
    alpha  the multipliers, divided          beta   alpha_i y_i where y are labels, else alpha
    s      the scores s_i = sum_j K_ij beta_j = <w, phi(x_i)> of w = sum_i beta_i phi(x_i)
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
    """Raise a ValueError unless the certificate states what its multipliers prove (S16.9).

    >>> check("{}", "{}")
    Traceback (most recent call last):
      ...
    ValueError: a text is not written as the standard says of certificates
    """
    try:
        p = _read_problem(problem)
        c = _read_certificate(certificate, OFFSET_NAMES[p.get("form")])
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError) as error:
        raise ValueError("a text is not written as the standard says of certificates") from error
    check_spelling(p, problem)
    check_spelling(c, certificate)
    check_name(c, problem)
    check_shape(p, c)
    check_parameters(p)
    check_kernel(p["kernel"])
    if p["kernel"]["name"] == "precomputed":
        check_definite(kernel_matrix(p["X"], "precomputed")[0])
    if c["primal"] == "-inf":
        return check_no_multipliers(p, c)
    check_box(p, c)
    alpha = [a / c["denominator"] for a in c["alpha"]]
    check_sums(p, c, alpha)
    labels = p["y"] if p.get("form") in (None, "nu") else [1] * len(alpha)
    beta = [*map(mul, c["alpha"], labels)]  # times the denominator
    sums, norms2, q = scores(p["X"], p["kernel"], beta)
    s = [v / (q * c["denominator"]) for v in sums]
    w_norm2 = sum(map(mul, beta, sums)) / (q * c["denominator"] ** 2)  # exact
    check_dual(p, c, alpha, w_norm2, norms2)
    check_primal(p, c, w_norm2, s, norms2)


def number(text: str) -> Fraction:
    """The Fraction "p" or "p/q"."""
    return Fraction(*map(int, text.split("/")))


def limit(text: str) -> Any:
    """The same, or inf."""
    return inf if text == "inf" else number(text)


def _kernel_of(kernel: Any) -> Any:
    """The kernel, with a Fraction for each number but the degree."""
    return {k: number(v) if k in ("gamma", "coef0") else v for k, v in kernel.items()}


def whole_numbers(texts: Any) -> Any:
    """Ints, of ints or strings."""
    return [*map(int, texts)]


def numbers(texts: Any) -> Any:
    """A Fraction for each string."""
    return [*map(number, texts)]


ANY: Any = {"X": lambda X: [numbers(x) for x in X], "kernel": _kernel_of}
OTHER: Any = {**ANY, "form": str, "weights": numbers}
TUBE: Any = {"y": numbers, "epsilon": number}
PROBLEM_FIELDS: Any = {
    None: {**ANY, "y": whole_numbers, "C": lambda C: [*map(limit, C)], "bias": bool, "slack": str},
    "nu": {**OTHER, "y": whole_numbers, "nu": number},
    "regression": {**OTHER, **TUBE, "C": number},
    "regression_without_offset": {**ANY, **TUBE, "form": str, "C": numbers, "slack": str},
    "nu_regression": {**OTHER, "y": numbers, "C": number, "nu": number},
    "one_class": {**OTHER, "nu": number},
    "ball": {**OTHER, "C": limit},
}
OFFSET_NAMES: Any = {
    None: ["b"],
    "nu": ["b", "rho"],
    "regression": ["b"],
    "regression_without_offset": ["b"],
    "nu_regression": ["b", "epsilon"],
    "one_class": ["rho"],
    "ball": ["radius2"],
}
REGRESSION = "regression", "nu_regression", "regression_without_offset"


def _read_problem(text: str) -> Any:
    """The parts of a problem, with a Fraction for each number but labels and the degree."""
    p = json.loads(text)
    return {key: read(p[key]) for key, read in PROBLEM_FIELDS[p.get("form")].items()}


def _read_certificate(text: str, offsets: Any) -> Any:
    """The parts of a certificate; dual and primal stay strings."""
    c = json.loads(text)
    parts = {k: number(c[k]) for k in ("denominator", *offsets)}
    rest = {k: c[k] for k in ("problem_sha256", "dual", "primal")}
    return {"alpha": whole_numbers(c["alpha"]), **parts, **rest}


def require(truth: bool, sentence: str) -> None:
    """Refuse what is not so."""
    if not truth:
        raise ValueError(sentence)


def check_spelling(document: Any, text: str) -> None:
    """What was read, written anew, is the text: no second spelling, nothing doubled or unread."""
    parts = {k: str(v) if v == inf else v for k, v in document.items()}
    for key in ("alpha", "C"):
        if type(parts.get(key)) is list:
            parts[key] = [*map(str, parts[key])]
    again = json.dumps(parts, sort_keys=True, separators=(",", ":"), default=str)
    require(again == text, "a text is not the canonical one")


def check_name(c: Any, problem: str) -> None:
    """The certificate is of this problem."""
    name = sha256(problem.encode()).hexdigest()
    require(c["problem_sha256"] == name, "the certificate is of another problem")


def check_shape(p: Any, c: Any) -> None:
    """There are two classes, and as many rows, all of one length, as labels, C_i and alpha_i."""
    two = p.get("form") not in (None, "nu") or {*p["y"]} == {1, -1}
    require(two, "the labels are not 1 and -1, or not both of them")
    lists = [v for v in (*p.values(), c["alpha"]) if type(v) is list]
    require(len({*map(len, lists)}) == 1, "X, y, C, weights and alpha differ in length")
    lengths = {*map(len, p["X"])}
    require(len(lengths) == 1 and lengths != {0}, "rows differ in length, or are empty")


def check_parameters(p: Any) -> None:
    """Slack is penalised as it is or by its square; penalties and weights are above 0."""
    words = "linear" if "form" in p else "hinge", "squared"
    require(p.get("slack", "squared") in words, "slack is neither plain nor squared")
    C = p.get("C", 1)
    require((min(C) if type(C) is list else C) > 0, "a penalty is not above 0")
    require(min(p.get("weights", [1])) > 0, "a weight is not above 0")
    require(0 < p.get("nu", 1) <= 1, "nu is not above 0 and at most 1")
    require(p.get("epsilon", 0) >= 0, "epsilon is negative")


def check_kernel(kernel: Any) -> None:
    """The kernel is known; a polynomial without a minus is an inner product by its formula."""
    if kernel not in ({"name": "linear"}, {"name": "precomputed"}):
        known = kernel.keys() == {"name", "degree", "gamma", "coef0"}
        require(known and kernel["name"] == "polynomial", "the kernel is not one of three")
        whole = type(kernel["degree"]) is int and 0 <= kernel["degree"] < 1000
        require(whole, "the degree is no whole number from 0 to 999")
        require(min(kernel["gamma"], kernel["coef0"]) >= 0, "gamma or coef0 is negative")


def boxes(p: Any) -> Any:
    """The largest size of each alpha_i: C_i (inf if slack is squared), w_i, or C w_i."""
    if "slack" in p:
        return p["C"] if p["slack"] != "squared" else [inf] * len(p["y"])
    C = p.get("C", 1)
    return [inf if C == inf else C * w for w in p["weights"]]


def check_box(p: Any, c: Any) -> None:
    """Each alpha_i is within its box; only those of regression may be negative."""
    whole, signed = c["denominator"], p.get("form") in REGRESSION
    require(whole.denominator == 1 <= whole, "the denominator is no whole number above 0")
    require(signed or min(c["alpha"]) >= 0, "a multiplier is negative")
    within = all(abs(a) / whole <= top for a, top in zip(c["alpha"], boxes(p)))
    require(within, "a multiplier is above its C")


def check_sums(p: Any, c: Any, alpha: Any) -> None:
    """The multipliers have the sums of their machine; b = 0 if there is no offset."""
    form, W = p.get("form"), sum(p.get("weights", []))  # exact
    size = sum(map(abs, alpha))  # exact
    balance = sum(map(mul, alpha, p["y"] if form in (None, "nu") else [1] * len(alpha)))  # exact
    if "slack" in p:
        require(balance == 0 or not p.get("bias"), "sum alpha_i y_i is not 0")
        require(c["b"] == 0 or p.get("bias"), "b is not 0, and there is no offset")
    if form == "nu":
        require(balance == 0 and size == p["nu"] * W, "a class has not nu W / 2 of alpha")
    if form in ("regression", "nu_regression"):
        require(balance == 0, "sum alpha_i is not 0")
    if form == "nu_regression":
        require(size <= p["C"] * p["nu"] * W, "sum |alpha_i| is above C nu W")
    if form == "one_class":
        require(size == p["nu"] * W, "sum alpha_i is not nu W")
    if form == "ball":
        require(size == 1, "sum alpha_i is not 1")


def check_no_multipliers(p: Any, c: Any) -> None:
    """alpha_i = 1 marks a class (nu), or all (ball), whose boxes are less than their sum."""
    form, labels = p.get("form"), p.get("y", [1] * len(c["alpha"]))
    require(form in ("nu", "ball"), "a machine of this form always has multipliers")
    zeros = [c["denominator"] - 1, *(c[name] for name in OFFSET_NAMES[form])]
    require(c["dual"] == "-inf" and not any(zeros), "dual is not -inf, or offsets are not 0")
    require(c["alpha"] in [[int(y == v) for y in labels] for v in {*labels}], "a sum has others")
    wanted = p["nu"] * sum(p["weights"]) / 2 if form == "nu" else 1  # exact
    require(sum(map(mul, c["alpha"], boxes(p))) < wanted, "the boxes allow the sum")  # exact


def scores(X: Any, kernel: Any, beta: Any) -> Any:
    """K beta times q, the k(x_i, x_i), and q; a linear kernel needs w alone, and no matrix."""
    if kernel["name"] != "linear":
        K, q = kernel_matrix(X, **kernel)
        norms2 = [Fraction(row[i], q) for i, row in enumerate(K)]
        return [sum(map(mul, row, beta)) for row in K], norms2, q  # exact
    X, q = kernel_matrix(X, "precomputed")  # the rows, in whole numbers
    w = [sum(map(mul, beta, column)) for column in zip(*X)]  # exact
    norms2 = [Fraction(sum(map(mul, x, x)), q**2) for x in X]  # exact
    return [sum(map(mul, x, w)) for x in X], norms2, q**2  # exact


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


def check_dual(p: Any, c: Any, alpha: Any, w_norm2: Fraction, norms2: Any) -> None:
    """It is, with |w|^2 / 2 taken off (|w|^2 for the ball), and sum alpha_i^2 / 2 C_i if slack is
    squared,

    classification   sum alpha_i; inf if w = 0 though not alpha = 0, and alpha_i = 0 wherever C_i
                     is finite
    nu, one class    0
    regression       sum y_i alpha_i - epsilon sum |alpha_i|; with nu the first sum alone
    ball             sum alpha_i k(x_i, x_i)
    """
    form, dual, endless = p.get("form"), -w_norm2 / 2, False
    limits = p["C"] if "slack" in p else []
    ridge = Fraction(sum(a * a / v for a, v in zip(alpha, limits) if v < inf))  # exact
    dual -= ridge / 2 if p.get("slack") == "squared" else 0
    if form is None:
        dual += sum(alpha)  # exact
        endless = w_norm2 == ridge == 0 < max(alpha)
    elif form in REGRESSION:
        width = p.get("epsilon", 0)
        dual += sum(y * a - width * abs(a) for y, a in zip(p["y"], alpha))  # exact
    elif form == "ball":
        dual += sum(map(mul, alpha, norms2)) - w_norm2 / 2  # exact
    require(c["dual"] == str(inf if endless else dual), "dual is not the value of alpha")
    require(not endless or c["b"] == 0, "b is not 0, and dual is inf")


def check_primal(p: Any, c: Any, w_norm2: Fraction, s: Any, norms2: Any) -> None:
    """It is the value of w and the offsets: that of _slack_of_margins, or, W being sum w_i, with
    sum C_i xi_i for C sum w_i xi_i where there is no offset, or sum C_i xi_i^2 / 2,

    nu               |w|^2 / 2 - nu W rho + sum w_i xi_i      xi_i  rho - y_i (s_i + b)
    one class        |w|^2 / 2 - nu W rho + sum w_i xi_i      xi_i  rho - s_i
    regression       |w|^2 / 2 + C sum w_i xi_i               xi_i  y_i - s_i - b - epsilon
    with nu          the same + C nu W epsilon                      and  s_i + b - y_i - epsilon
    ball             radius2 + C sum w_i xi_i                 xi_i  |phi(x_i) - w|^2 - radius2

    where these are above 0, else xi_i = 0. It is inf if there is slack where C is inf.
    """
    form, W = p.get("form"), sum(p.get("weights", []))  # exact
    if form is None:
        primal = _slack_of_margins(p, [y * (v + c["b"]) for y, v in zip(p["y"], s)], w_norm2)
    elif form == "ball":
        xi = [k - 2 * v + w_norm2 - c["radius2"] for k, v in zip(norms2, s)]
        primal = c["radius2"] + penalty(p, xi)
    elif form in REGRESSION:
        width = c["epsilon"] if form == "nu_regression" else p["epsilon"]
        r = [y - v - c["b"] for y, v in zip(p["y"], s)]
        primal = w_norm2 / 2 + penalty(p, [v - width for v in r])
        primal += penalty(p, [-v - width for v in r])
        primal += p["C"] * p["nu"] * W * width if form == "nu_regression" else 0
    else:
        f = [y * (v + c["b"]) for y, v in zip(p["y"], s)] if form == "nu" else s
        primal = w_norm2 / 2 - p["nu"] * W * c["rho"] + penalty(p, [c["rho"] - v for v in f])
    require(c["primal"] == str(primal), "primal is not the value of w and the offsets")


def penalty(p: Any, xi: Any) -> Any:
    """C sum w_i xi_i over those above 0, or sum C_i xi_i; with squared slack of xi_i^2 / 2."""
    power, C = 2 if p.get("slack") == "squared" else 1, p["C"] if "slack" in p else boxes(p)
    slack = [(c, v) for c, v in zip(C, xi) if v > 0]
    if inf in [c for c, _ in slack]:
        return inf
    return sum(c * v**power / power for c, v in slack)  # exact


def _slack_of_margins(p: Any, m: Any, w_norm2: Fraction) -> Any:
    """|w|^2 / 2 + sum C_i xi_i, with squared slack |w|^2 / 2 + sum C_i xi_i^2 / 2.

    xi_i is 1 less the margin m_i. If C_i = inf the margin must be 1 at least; so w and b are first
    multiplied by the least factor >= 1 that lifts these margins to 1. It is inf if there is none.
    """
    least = min([1] + [v for v, C in zip(m, p["C"]) if C == inf])
    if least <= 0:
        return inf
    return w_norm2 / least**2 / 2 + penalty(p, [1 - v / least for v in m])


if __name__ == "__main__":
    getattr(sys, "set_int_max_str_digits", int)(0)
    check(*(open(n, encoding="ascii").read().rstrip("\n") for n in sys.argv[1:]))  # noqa: SIM115
    print("proved")
