"""Problems drawn to be awkward, and changes whose effect on the optimum is known: for hypothesis.

Few distinct coordinates, so that rows coincide, lie on a line and on each other's margin; prices
from nearly nothing to nearly infinite; weights, zero among them. Whoever passes random clouds of
points stops here.

An Image is a problem made from another in such a way that its optimum follows from the other's:
rows moved, turned, scaled, permuted, split in two, mirrored, given a column of zeros, or given an
example that cannot matter. With these a program is tested against itself: no reference is needed.

Throughout this module
    f      what an optimal machine says of a row: any number of s(x) + [b_low, b_high]
    row    a list of Fractions, all of them small dyadics: doubles hold them, and their products
    C      the price of slack            weight   multiplies C for one example; 0 leaves it out

Needs hypothesis; nothing else in refsvm does. Source: MacIver and others, Hypothesis, Journal of
Open Source Software 4 (2019), 1891; the changes are listed in Murphy, Kaiser, Hu, Wu, SEKE 2008,
pages 867-872, and proved in the docstrings.
"""

import pickle
from fractions import Fraction
from functools import partial
from typing import Any, Callable, NamedTuple

from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from ..kernels.standard import Linear, MonomialSum, Polynomial, Precomputed
from ..numerics.linalg import add, dot, gram_of_rows, scale, subtract
from ..proofs.optimum import solve_exactly
from ..svm.problem import Problem
from .audit import audit, is_wrong
from .vectors import write

COORDINATES = [Fraction(v) for v in (0, 1, -1, 2, -2, 3, 4, 5)] + [
    Fraction(v, 4) for v in (1, -1, 2, -3, 7)
]
PRICES = [Fraction(2) ** k for k in (0, 3, -3, 20, -30)]
WEIGHTS = [Fraction(1), Fraction(2), Fraction(3), Fraction(1, 2)]
KERNELS = [
    Linear(),
    Polynomial(2, coef0=1),
    Polynomial(0),
    Polynomial(3, gamma=Fraction(1, 2), coef0=1),
    MonomialSum(2),
    Precomputed(),
]


class Training(NamedTuple):
    """What an estimator is given. `problem`: what it has to solve, on Fractions."""

    X: list
    y: list
    kernel: Any
    C: Fraction
    weights: list

    @property
    def problem(self):
        """The Problem of the examples that have a weight, each at the price weight C."""
        kept = [i for i, weight in enumerate(self.weights) if weight]
        X = [self.X[i] for i in kept]
        if isinstance(self.kernel, Precomputed):
            X = [[row[i] for i in kept] for row in X]
        prices = [self.C * self.weights[i] for i in kept]
        return Problem(X, [self.y[i] for i in kept], self.kernel, prices)


@st.composite
def trainings(draw, most=8, kernels=None):
    """A Training of 2 to `most` examples in 1 to 3 dimensions; both labels have a weight.

    The rows of a precomputed matrix are those of a linear kernel: often it is singular.
    """
    n, d = draw(st.integers(2, most)), draw(st.integers(1, 3))
    pool = st.sampled_from(draw(st.lists(st.sampled_from(COORDINATES), min_size=2, max_size=4)))
    X = draw(st.lists(st.lists(pool, min_size=d, max_size=d), min_size=n, max_size=n))
    y = draw(st.sampled_from([[1, -1], [-1, 1]])) + draw(several(st.sampled_from([1, -1]), n - 2))
    weights = draw(several(st.sampled_from(WEIGHTS), 2)) + draw(
        several(st.sampled_from([*WEIGHTS, Fraction(0)]), n - 2)
    )
    kernel = draw(st.sampled_from(kernels or KERNELS))
    if isinstance(kernel, Precomputed):
        X = gram_of_rows(X)
    return Training(X, y, kernel, draw(st.sampled_from(PRICES)), weights)


def several(values, n):
    """Lists of n of them."""
    return st.lists(values, min_size=n, max_size=n)


def problems(most=8, kernels=None):
    """A Problem on Fractions, with an offset and hinge slack; its optimum exists.

    >>> find(problems(kernels=[Linear()]), lambda problem: problem.n > 2)
    <Problem of 3 examples, Linear(), hinge slack, with offset>
    """
    return trainings(most, kernels).map(lambda training: training.problem)


# ---- changes whose effect on the optimum is known


class Image(NamedTuple):
    """A problem made from another, and its optimum in terms of the other's.

    name      of the change
    problem   the new Problem
    query     takes a row x to the row x' that the new machine is to be asked about
    sign      f'(x') = sign f(x)
    factor    the optimal value becomes factor value + added
    added
    whole     every optimal offset has an image; if not, f' has part of the freedom that f had
    """

    name: str
    problem: Problem
    query: Callable
    sign: int = 1
    factor: Any = 1
    added: Any = 0
    whole: bool = True


def changed(problem, **given):
    """The problem with some of its arguments changed."""
    kept = {name: getattr(problem, name) for name in ("X", "y", "kernel", "C", "bias", "slack")}
    return Problem(**{**kept, **given})


def stay(x):
    return x


def permuted(problem, order):
    """The examples in another order. A row of kernel values is permuted with them."""

    def pick(values):
        return [values[i] for i in order]

    given = isinstance(problem.kernel, Precomputed)
    rows = pick(problem.X)
    X = [pick(row) for row in rows] if given else rows
    new = changed(problem, X=X, y=pick(problem.y), C=pick(problem.C))
    return Image("permuted", new, pick if given else stay)


def mirrored(problem):
    """All labels turned round: beta becomes -beta."""
    return Image("mirrored", changed(problem, y=[-s for s in problem.y]), stay, sign=-1)


def split(problem, i):
    """Example i as two of half its price. Their slacks are equal: they cost what one did."""

    def twice(values):
        return [*values, values[i]]

    given = isinstance(problem.kernel, Precomputed)
    X = [twice(row) for row in twice(problem.X)] if given else twice(problem.X)
    C = twice(problem.C)
    C[i] = C[-1] = C[i] / 2
    return Image("split", changed(problem, X=X, y=twice(problem.y), C=C), twice if given else stay)


def translated(problem, shift):
    """Every row moved by the same vector: the offset takes up what <w, shift> adds."""
    new = changed(problem, X=[add(x, shift) for x in problem.X])
    return Image("translated", new, lambda x: add(x, shift))


def scaled(problem, k):
    """Rows times 2^k and C divided by 4^k: w is divided by 2^k, and no slack changes."""
    c = Fraction(2) ** k
    new = changed(problem, X=[scale(c, x) for x in problem.X], C=[v / c**2 for v in problem.C])
    return Image("scaled", new, partial(scale, c), factor=1 / c**2)


def turned(problem, i, j):
    """Coordinates i and j turned by the angle whose cosine is 3/5: no inner product changes."""

    def turn(x):
        x = list(x)
        x[i], x[j] = (3 * x[i] - 4 * x[j]) / 5, (4 * x[i] + 3 * x[j]) / 5
        return x

    return Image("turned", changed(problem, X=[turn(x) for x in problem.X]), turn)


def widened(problem):
    """A column of zeros at the end: no inner product and no distance changes."""

    def widen(x):
        return [*x, Fraction(0)]

    return Image("widened", changed(problem, X=[widen(x) for x in problem.X]), widen)


def with_margin_point(problem, choice):
    """One example more, of weight 8, on the margin of a machine that is optimal: it stays so.

    It costs that machine nothing, and other machines not less than nothing. Where the optimal
    offset is free it may cut the interval. Linear kernel only; `choice` picks among the places.
    """
    best = solve_exactly(problem)
    w, b = best.w, best.b_low
    corners = [(x, s) for x, s in zip(problem.X, problem.y) if s * (dot(w, x) + b) == 1]
    x, s = corners[choice % len(corners)]
    ways = [subtract(z, x) for z in problem.X if z != x and dot(w, z) == dot(w, x)] + across(w)
    point = add(x, ways[choice % len(ways)]) if ways else x
    new = changed(problem, X=[*problem.X, point], y=[*problem.y, s], C=[*problem.C, 8])
    return Image("margin point", new, stay, whole=False)


def across(w):
    """Directions in whole numbers along which <w, x> stays: one for each column but the first."""
    ways = []
    for j in range(1, len(w)):
        p, q = (w[j] / w[0]).as_integer_ratio() if w[0] else (1, 0)
        ways.append([Fraction(-p), *[Fraction(0)] * (len(w) - 1)])
        ways[-1][j] = Fraction(q)
    return ways


def with_opposite_pair(problem, price):
    """A row twice more, once with either label: where -1 <= f <= 1 the two cost 2 price, together.

    That is the least they can cost, so a machine that was optimal remains so. The row is the
    first whose f is between. There is one: over the support vectors, the mean of f of the
    positive ones, where f <= 1, is at least that of the negative ones, where f >= -1, since the
    difference is |w|^2 / sum of the positive alpha.
    """
    best = solve_exactly(problem)
    margins = problem.margins(best.alpha, best.b_low)
    i = next(i for i, margin in enumerate(margins) if -1 <= margin <= 1)
    given = isinstance(problem.kernel, Precomputed)

    def twice_more(values):
        return [*values, values[i], values[i]]

    X = twice_more(problem.X)
    if given:
        X = [twice_more(row) for row in X]
    new = changed(problem, X=X, y=[*problem.y, 1, -1], C=[*problem.C, price, price])
    return Image("opposite pair", new, twice_more if given else stay, added=2 * price, whole=False)


@st.composite
def images(draw, problem):
    """An Image of the problem, by one of the changes that its kernel allows."""
    given, linear = isinstance(problem.kernel, Precomputed), problem.linear
    rows = st.integers(0, problem.n - 1)
    exponents = st.integers(-20, 20)
    ways = [
        lambda: permuted(problem, draw(st.permutations(range(problem.n)))),
        lambda: mirrored(problem),
        lambda: split(problem, draw(rows)),
        lambda: with_opposite_pair(problem, draw(st.sampled_from(PRICES))),
    ]
    if not given:
        d = len(problem.X[0])
        ways.append(lambda: widened(problem))
        if d > 1:
            ways.append(lambda: turned(problem, *draw(st.permutations(range(d)))[:2]))
    if linear:
        ways.append(lambda: scaled(problem, draw(exponents)))
        ways.append(lambda: with_margin_point(problem, draw(st.integers(0, 7))))
        powers = exponents.map(lambda k: Fraction(2) ** k)
        ways.append(lambda: translated(problem, draw(several(powers, len(problem.X[0])))))
    return draw(st.sampled_from(ways))()


# ---- searching with them


def smallest_failure(subject, path=None, *, kernels=None, tries=200):
    """A small Problem on which the audit finds a subject wrong; None if none was drawn.

    subject    as audit() takes it, asked in this process
    path       a file of vectors: the problem is added to it, solved, as vectors.write does
    kernels    a list of those to draw from; None: KERNELS
    tries      how many problems are drawn, before one fails; then it is made smaller

    The draws are the same each time. O(tries) audits of one case.

    >>> class Stubborn:  # always decides by x - 1
    ...     def decision_function(self, X):
    ...         return [x[0] - 1 for x in X]
    >>> smallest_failure(lambda problem: Stubborn(), kernels=[Linear()]).n
    2
    """
    options = settings(
        max_examples=tries,
        database=None,
        deadline=None,
        derandomize=True,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    try:
        problem = find(
            problems(kernels=kernels),
            lambda drawn: is_wrong(subject, drawn.to(float)),
            settings=options,
        )
    except NoSuchExample:
        return None
    if path is not None:
        write(problem, path, comment="a program was wrong here; found by search, made smaller")
    return problem


def estimator_machine(make, kernels=None):
    """A hypothesis state machine: an estimator is fitted, changed, fitted again, saved, loaded.

    make       takes a Training, returns an estimator with its kernel and C, not yet fitted, that
               has fit(X, y, sample_weight), decision_function and set_params(C=..)
    kernels    those that it offers; None: linear and quadratic

    After every fit the audit must find nothing wrong, whatever was done before; what was saved
    and loaded decides as before. hypothesis.stateful.run_state_machine_as_test runs it.
    """

    class EstimatorMachine(RuleBasedStateMachine):
        @initialize(training=trainings(kernels=kernels or KERNELS[:2]))
        def begin(self, training):
            self.training, self.estimator = training, make(training)
            self.fit()

        @rule()
        def fit(self):
            X, y, _, _, weights = self.training
            self.estimator.fit(on_floats(X), y, sample_weight=on_floats(weights))
            problem = self.training.problem
            decisions = self.estimator.decision_function(on_floats(problem.X))
            records = audit({"decisions": decisions}, problem, isolate=False)
            assert [record for record in records if record.result == "fail"] == []

        @rule(C=st.sampled_from(PRICES))
        def set_price(self, C):
            self.training = self.training._replace(C=C)
            self.estimator.set_params(C=float(C))
            self.fit()

        @rule(data=st.data())
        def permute(self, data):
            order = data.draw(st.permutations(range(len(self.training.y))))
            X, y, kernel, C, weights = self.training
            X, y, weights = ([values[i] for i in order] for values in (X, y, weights))
            self.training = Training(X, y, kernel, C, weights)
            self.fit()

        @rule(other=trainings(kernels=[Linear()]))
        def change_rows(self, other):
            self.training = other._replace(C=self.training.C, kernel=self.training.kernel)
            self.fit()

        @rule()
        def save_and_load(self):
            rows = on_floats(self.training.X)
            before = list(self.estimator.decision_function(rows))
            self.estimator = pickle.loads(pickle.dumps(self.estimator))
            assert list(self.estimator.decision_function(rows)) == before

    return EstimatorMachine


def on_floats(values):
    """A list, or list of lists, of Fractions as floats."""
    return [on_floats(v) if isinstance(v, list) else float(v) for v in values]
