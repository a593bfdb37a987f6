"""Small problems of the five machines for hypothesis to draw, in Fractions.

Few distinct numbers, so that rows and targets coincide, lie on a line, at the origin and on each
other's margin; nu next to 0 and at its limit; targets, C and epsilon in units from 2^-300 to
2^300.
"""

from fractions import Fraction as Q
from typing import Any, NamedTuple

from exact import exact_sum, linear_gram
from formulations import Ball, NuRegression, NuSVC, OneClass, Regression
from hypothesis import strategies as st
from problems import KERNELS, kernel_and_gram, labellings

coordinates = st.sampled_from([Q(v, 2) for v in range(-4, 5)] + [Q(0), Q(1), Q(3)])
shares = st.sampled_from([Q(v) for v in ("1/4", "1/3", "1/2", "1/2", "2/3", "3/4", "9/10", "1")])
next_to_0 = st.sampled_from([Q(1e-9), Q(2.0**-30), Q(1, 10_000)])
penalties = st.sampled_from([Q(c) for c in ("1/8", "1/3", "1/2", "1", "1", "2", "100")])
tubes = st.sampled_from([Q(v) for v in ("0", "1/4", "1/2", "1/2", "1", "5")])
units = st.sampled_from([Q(2) ** k for k in (0, 0, 0, 0, -300, -20, 20, 300)])
amounts = st.sampled_from([Q(v) for v in ("1/2", "1", "1", "3/2", "2", "3")])


class Given(NamedTuple):
    """The rows and the kernel of refsvm for a machine, whose K is their kernel matrix."""

    X: list
    kernel: Any
    machine: Any


@st.composite
def samples(draw, least, most, kernels=KERNELS):
    """(X, kernel, K, weights); about half of the time every weight is 1."""
    n, d = draw(st.integers(least, most)), draw(st.integers(1, 2))
    row = st.lists(coordinates, min_size=d, max_size=d)
    X = draw(st.lists(row, min_size=n, max_size=n))
    spec = draw(st.sampled_from(kernels))
    if spec == ("precomputed",):
        X = linear_gram(X)
    some = st.lists(amounts, min_size=n, max_size=n)
    return X, *kernel_and_gram(spec, X), draw(st.one_of(st.just([Q(1)] * n), some))


def nus(limit):
    """Values of nu up to its limit: often at it, and sometimes next to 0."""
    return st.one_of(shares.map(lambda share: share * limit), shares, next_to_0).filter(
        lambda nu: nu <= limit
    )


@st.composite
def nu_svcs(draw, most=5, **kinds):
    """nu-classification, feasible; its reduced hulls may meet."""
    X, kernel, K, weights = draw(samples(2, most, **kinds))
    y = draw(labellings(len(X)))
    return Given(X, kernel, NuSVC(K, y, draw(nus(nu_limit(y, weights))), weights))


def nu_limit(y, weights):
    """The largest nu that two classes allow."""
    plus = exact_sum(w for w, label in zip(weights, y) if label > 0)
    return 2 * min(plus, exact_sum(weights) - plus) / exact_sum(weights)


@st.composite
def regressions(draw, most=3, **kinds):
    X, kernel, K, weights = draw(samples(1, most, **kinds))
    y, unit = draw(targets(len(X))), draw(units)
    C, epsilon = draw(penalties) * unit, draw(tubes) * unit
    return Given(X, kernel, Regression(K, [unit * v for v in y], C, epsilon, weights))


@st.composite
def nu_regressions(draw, most=3, **kinds):
    X, kernel, K, weights = draw(samples(1, most, **kinds))
    y, unit = draw(targets(len(X))), draw(units)
    C, nu = draw(penalties) * unit, draw(nus(1))
    return Given(X, kernel, NuRegression(K, [unit * v for v in y], C, nu, weights))


def targets(n):
    return st.one_of(
        st.lists(coordinates, min_size=n, max_size=n), coordinates.map(lambda v: [v] * n)
    )


@st.composite
def one_classes(draw, most=5, **kinds):
    X, kernel, K, weights = draw(samples(1, most, **kinds))
    return Given(X, kernel, OneClass(K, draw(nus(1)), weights))


@st.composite
def balls(draw, most=5, **kinds):
    """C from the least that has an answer, 1 / W, to more than ever binds."""
    X, kernel, K, weights = draw(samples(1, most, **kinds))
    share = draw(st.one_of(shares, next_to_0))
    return Given(X, kernel, Ball(K, 1 / (share * exact_sum(weights)), weights))


ALL = {
    "nu-SVC": nu_svcs,
    "regression": regressions,
    "nu-regression": nu_regressions,
    "one class": one_classes,
    "ball": balls,
}


def anything(**kinds):
    """A Given of any of the five machines."""
    return st.one_of(*(draws(**kinds) for draws in ALL.values()))


@st.composite
def feasible(draw, machine):
    """Variables within their bounds, each group with its sum, of a machine that has some."""
    program = machine.program()
    b = [None] * len(program.t)
    for group, s in zip(program.groups, program.sums):
        rest = s
        order = draw(st.permutations(group))
        for place, k in enumerate(order):
            later = order[place + 1 :]
            low = max(program.lower[k], rest - exact_sum(program.upper[j] for j in later))
            high = min(program.upper[k], rest - exact_sum(program.lower[j] for j in later))
            b[k] = low + (high - low) * draw(st.sampled_from([Q(0), Q(1, 3), Q(1, 2), Q(1)]))
            rest -= b[k]
    return b
