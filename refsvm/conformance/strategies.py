"""Problems drawn to be awkward, and searches with them: for hypothesis.

Few distinct coordinates, so that rows coincide, lie on a line and on each other's margin; C from
nearly nothing to nearly infinite; weights, zero among them. Programs that are right on random
clouds of points fail here.

An Image is a problem made from another in such a way that its optimum follows from the other's
(metamorphic.py). With these a program is tested against itself: no reference is needed.

Throughout this module
    row    a list of Fractions, all of them small dyadics: doubles hold them, and their products
    C      the penalty                   weight   multiplies C for one example; 0 leaves it out

Needs hypothesis; nothing else in refsvm does. Source: MacIver and others, Hypothesis, Journal of
Open Source Software 4 (2019), 1891.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from ..kernels.base import Kernel
from ..kernels.standard import Linear, MonomialSum, Polynomial, Precomputed
from ..numerics.display import displayed
from ..numerics.linalg import gram_of_rows
from ..svm.problem import Problem
from .audit import audit, is_wrong
from .checks.metamorphic import (
    Image,
    mirrored,
    permuted,
    rotated,
    scaled,
    split,
    translated,
    widened,
    with_margin_point,
    with_opposite_pair,
)

COORDINATES = [Fraction(v) for v in (0, 1, -1, 2, -2, 3, 4, 5)] + [
    Fraction(v, 4) for v in (1, -1, 2, -3, 7)
]
DRAWN_C = [Fraction(2) ** k for k in (0, 3, -3, 20, -30)]
WEIGHTS = [Fraction(1), Fraction(2), Fraction(3), Fraction(1, 2)]
DRAWN_KERNELS = [
    Linear(),
    Polynomial(2, coef0=1),
    Polynomial(0),
    Polynomial(3, gamma=Fraction(1, 2), coef0=1),
    MonomialSum(2),
    Precomputed(),
]


@displayed
class Training(NamedTuple):
    """What an estimator is given.

    Parameters
    ----------
    X, y : n rows of Fractions, n labels -1/+1
    kernel : Kernel
    C : Fraction
    weights : n Fractions
        0 leaves an example out

    Examples
    --------
    >>> one = Fraction(1)
    >>> training = Training([[one], [2 * one]], [-1, 1], Linear(), one, [one, 3 * one])
    >>> training.problem.C
    [Fraction(1, 1), Fraction(3, 1)]
    """

    X: list[Any]
    y: list[int]
    kernel: Kernel
    C: Fraction
    weights: list[Fraction]

    @property
    def problem(self) -> Problem:
        """The Problem of the examples that have a weight, each with the penalty weight C."""
        kept = [i for i, weight in enumerate(self.weights) if weight]
        X = [self.X[i] for i in kept]
        if isinstance(self.kernel, Precomputed):
            X = [[row[i] for i in kept] for row in X]
        C = [self.C * self.weights[i] for i in kept]
        return Problem(X, [self.y[i] for i in kept], self.kernel, C)


@st.composite
def trainings(
    draw: Callable[[Any], Any], most: int = 8, kernels: Sequence[Kernel] | None = None
) -> Training:
    """Draw a Training of 2 to `most` examples in 1 to 3 dimensions; both labels have a weight.

    The rows of a precomputed matrix are those of a linear kernel: often it is singular.

    >>> trainings(most=4).validate()
    """
    n, d = draw(st.integers(2, most)), draw(st.integers(1, 3))
    pool = st.sampled_from(draw(st.lists(st.sampled_from(COORDINATES), min_size=2, max_size=4)))
    X = draw(st.lists(st.lists(pool, min_size=d, max_size=d), min_size=n, max_size=n))
    y = draw(st.sampled_from([[1, -1], [-1, 1]])) + draw(lists(st.sampled_from([1, -1]), n - 2))
    weights = draw(lists(st.sampled_from(WEIGHTS), 2)) + draw(
        lists(st.sampled_from([*WEIGHTS, Fraction(0)]), n - 2)
    )
    kernel = draw(st.sampled_from(kernels or DRAWN_KERNELS))
    if isinstance(kernel, Precomputed):
        X = gram_of_rows(X)
    return Training(X, y, kernel, draw(st.sampled_from(DRAWN_C)), weights)


def lists(values: st.SearchStrategy[Any], n: int) -> st.SearchStrategy[list[Any]]:
    """Draw lists of n of them."""
    return st.lists(values, min_size=n, max_size=n)


def problems(most: int = 8, kernels: Sequence[Kernel] | None = None) -> st.SearchStrategy[Problem]:
    """Draw a Problem on Fractions, with an offset and hinge slack; its optimum exists.

    >>> find(problems(kernels=[Linear()]), lambda problem: problem.n > 2)
    <Problem of 3 examples, Linear(), hinge slack, with offset>
    """
    return trainings(most, kernels).map(lambda training: training.problem)


@st.composite
def images(draw: Callable[[Any], Any], problem: Problem) -> Image:
    """Draw an Image of the problem, by one of the changes that its kernel allows.

    >>> images(Problem([[0], [2]], [-1, 1])).validate()
    """
    rows = st.integers(0, problem.n - 1)
    exponents = st.integers(-20, 20)
    changes: list[Callable[[], Image]] = [
        lambda: permuted(problem, draw(st.permutations(range(problem.n)))),
        lambda: mirrored(problem),
        lambda: split(problem, draw(rows)),
        lambda: with_opposite_pair(problem, draw(st.sampled_from(DRAWN_C))),
    ]
    if not isinstance(problem.kernel, Precomputed):
        d = len(problem.X[0])
        changes.append(lambda: widened(problem))
        if d > 1:
            changes.append(lambda: rotated(problem, *draw(st.permutations(range(d)))[:2]))
    if problem.linear:
        changes.append(lambda: scaled(problem, draw(exponents)))
        changes.append(lambda: with_margin_point(problem, draw(st.integers(0, 7))))
        powers = exponents.map(lambda k: Fraction(2) ** k)
        changes.append(lambda: translated(problem, draw(lists(powers, len(problem.X[0])))))
    change: Callable[[], Image] = draw(st.sampled_from(changes))
    return change()


# ---- searching with them


def smallest_failure(
    subject: Any,
    *,
    kernels: Sequence[Kernel] | None = None,
    tries: int = 200,
) -> Problem | None:
    """Search for a small Problem on which the audit finds a subject wrong.

    Parameters
    ----------
    subject : as audit() takes it
        asked in this process
    kernels : list of those to draw from
        None: DRAWN_KERNELS
    tries : int
        how many problems are drawn, before one fails; then it is made smaller

    Returns
    -------
    Problem, or None if none was drawn

    Notes
    -----
    The draws are the same each time. O(tries) audits of one case.

    Examples
    --------
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
        return find(
            problems(kernels=kernels),
            lambda drawn: is_wrong(subject, drawn.to(float)),
            settings=options,
        )
    except NoSuchExample:
        return None


def estimator_machine(
    make: Callable[[Training], Any], kernels: Sequence[Kernel] | None = None
) -> type[RuleBasedStateMachine]:
    """Return a state machine: an estimator is fitted, changed, fitted again, saved, loaded.

    Parameters
    ----------
    make : function
        takes a Training, returns an estimator with its kernel and C, not yet fitted, that has
        fit(X, y, sample_weight), decision_function and set_params(C=..)
    kernels : list of those that it offers
        None: linear and quadratic

    Returns
    -------
    a class for hypothesis.stateful.run_state_machine_as_test

    Notes
    -----
    After every fit the audit must find nothing wrong, whatever was done before; what was saved
    and loaded decides as before.

    Examples
    --------
    >>> from refsvm.estimators.svc import SVC
    >>> machine = estimator_machine(lambda training: SVC(training.C, training.kernel, tol=1e-9))
    >>> machine.__name__
    'EstimatorMachine'
    """

    class EstimatorMachine(RuleBasedStateMachine):
        @initialize(training=trainings(kernels=kernels or DRAWN_KERNELS[:2]))
        def begin(self, training: Training) -> None:
            self.training, self.estimator = training, make(training)
            self.fit()

        @rule()
        def fit(self) -> None:
            X, y, _, _, weights = self.training
            self.estimator.fit(_as_floats(X), y, sample_weight=_as_floats(weights))
            problem = self.training.problem
            decisions = self.estimator.decision_function(_as_floats(problem.X))
            records = audit({"decisions": decisions}, problem, isolate=False)
            failures = [record for record in records if record.result == "fail"]
            if failures:
                raise AssertionError(f"the audit fails: {failures[0].reason}")

        @rule(C=st.sampled_from(DRAWN_C))
        def set_C(self, C: Fraction) -> None:
            self.training = self.training._replace(C=C)
            self.estimator.set_params(C=float(C))
            self.fit()

        @rule(data=st.data())
        def permute(self, data: st.DataObject) -> None:
            order = data.draw(st.permutations(range(len(self.training.y))))
            X, y, weights = self.training.X, self.training.y, self.training.weights
            self.training = self.training._replace(
                X=[X[i] for i in order],
                y=[y[i] for i in order],
                weights=[weights[i] for i in order],
            )
            self.fit()

        @rule(other=trainings(kernels=[Linear()]))
        def change_rows(self, other: Training) -> None:
            self.training = other._replace(C=self.training.C, kernel=self.training.kernel)
            self.fit()

        @rule()
        def save_and_load(self) -> None:
            rows = _as_floats(self.training.X)
            before = list(self.estimator.decision_function(rows))
            self.estimator = pickle.loads(pickle.dumps(self.estimator))
            after = list(self.estimator.decision_function(rows))
            if after != before:
                raise AssertionError(f"saved and loaded, it decides {after}, not {before}")

    return EstimatorMachine


def _as_floats(values: Sequence[Any]) -> list[Any]:
    """Return a list, or list of lists, of Fractions as floats."""
    return [_as_floats(v) if isinstance(v, list) else float(v) for v in values]
