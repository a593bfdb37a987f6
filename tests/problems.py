"""Small problems for hypothesis to draw, in numbers whose arithmetic is exact."""

from fractions import Fraction
from functools import cache
from math import inf
from typing import Any, NamedTuple

from cases_by_hand import CASES
from exact import exact_sum, linear_gram, optimum, polynomial_gram
from hypothesis import strategies as st

from refsvm.kernels.standard import Linear, Polynomial, Precomputed
from refsvm.svm.problem import Problem


class Given(NamedTuple):
    """What a problem is given; K is its kernel matrix, worked out by exact.py."""

    X: list
    y: list
    kernel: Any
    C: list
    bias: bool
    slack: str
    K: list

    def problem(self, **changed):
        return Problem(*self._replace(**changed)[:6])

    @property
    def for_the_judge(self):
        """The arguments of exact.optimum."""
        return self.K, self.y, self.C, self.bias, self.slack == "squared"


def kernel_and_gram(spec, X):
    """The kernel of refsvm, and the kernel matrix, that a Case's `kernel` means."""
    name, *parameters = spec
    if name == "precomputed":
        return Precomputed(), X
    if name == "polynomial":
        return Polynomial(*parameters), polynomial_gram(X, *parameters)
    return Linear(), linear_gram(X)


def of_case(case):
    """A Given for a Case of cases_by_hand.py, in Fractions."""
    C = case.C if isinstance(case.C, list) else [case.C] * len(case.y)
    C = [c if c == inf else Fraction(c) for c in C]
    kernel, K = kernel_and_gram(case.kernel, case.X)
    return Given(case.X, case.y, kernel, C, case.bias, case.slack, K)


@cache
def known(name):
    """The Optimum of the case of cases_by_hand.py with this name."""
    return optimum(*of_case(next(case for case in CASES if case.name == name)).for_the_judge)


# Few distinct values, so that points coincide, lie on a line and on each other's margin.
coordinates = st.sampled_from(
    [Fraction(v) for v in range(-3, 4)] + [Fraction(v, 4) for v in (-9, -2, -1, 1, 2, 3, 7)]
)
penalties = st.sampled_from([Fraction(c) for c in ("1/8", "1/3", "1/2", "1", "2", "100")])
small = [Fraction(p, q) for q in (1, 2, 3, 6) for p in range(-3 * q, 3 * q + 1)]
offsets = st.sampled_from(small + [Fraction(-5), Fraction(9, 2), Fraction(100)])
dyadics = st.integers(-64, 64).map(lambda v: v / 8)


KERNELS = (("linear",), ("polynomial", 2, 1, 1), ("precomputed",))


@st.composite
def givens(
    draw, most=4, slacks=("hinge", "squared"), biases=(True, False), hard=False, kernels=KERNELS
):
    """A problem of 2 to `most` examples; `hard`: some C may be infinite."""
    n = draw(st.integers(2, most))
    d = draw(st.integers(1, 2))
    X = draw(st.lists(st.lists(coordinates, min_size=d, max_size=d), min_size=n, max_size=n))
    y = draw(labellings(n))
    one_penalty = penalties if not hard else st.one_of(penalties, st.just(inf))
    C = draw(st.one_of(
        one_penalty.map(lambda c: [c] * n), st.lists(one_penalty, min_size=n, max_size=n)
    ))
    spec = draw(st.sampled_from(kernels))
    if spec == ("precomputed",):
        X = linear_gram(X)
    kernel, K = kernel_and_gram(spec, X)
    return Given(X, y, kernel, C, draw(st.sampled_from(biases)), draw(st.sampled_from(slacks)), K)


def labellings(n):
    """Lists of n labels, both present."""
    return st.lists(st.sampled_from([1, -1]), min_size=n, max_size=n).filter(
        lambda y: len(set(y)) == 2
    )


@st.composite
def examples(draw, numbers, n=(2, 6), d=(1, 3)):
    """(X, y): rows of numbers, so many of such a length, and labels, both present."""
    count, length = draw(st.integers(*n)), draw(st.integers(*d))
    row = st.lists(numbers, min_size=length, max_size=length)
    return draw(st.lists(row, min_size=count, max_size=count)), draw(labellings(count))


@st.composite
def feasible(draw, given):
    """An alpha with 0 <= alpha_i <= C_i and, with an offset, sum alpha_i y_i = 0."""
    top = [4 if c == inf or given.slack == "squared" else c for c in given.C]
    sixths = st.lists(st.integers(0, 6), min_size=len(top), max_size=len(top))
    alpha = [Fraction(c) * p / 6 for c, p in zip(top, draw(sixths))]
    if not given.bias:
        return alpha
    plus, minus = (exact_sum(a for a, y in zip(alpha, given.y) if y == s) for s in (1, -1))
    lighter = min(plus, minus)
    share = {1: lighter / plus if plus else 0, -1: lighter / minus if minus else 0}
    return [a * share[y] for a, y in zip(alpha, given.y)]


def arbitrary(given):
    """Any numbers at all in the place of alpha: signs, sums and bounds as they come."""
    n = len(given.y)
    return st.lists(st.sampled_from(small), min_size=n, max_size=n)


def tops(given):
    """The largest value of each alpha."""
    return [inf] * len(given.y) if given.slack == "squared" else given.C


def balance(given, alpha):
    """sum alpha_k y_k."""
    return exact_sum(a * y for a, y in zip(alpha, given.y))
