"""Bugs that a function of one problem cannot have: votes of several classes, labels, earlier fits.

An estimator shows them: `Shown` is a right one, small enough to be read, with a place for each.

    pairs    what a pair is trained on, and what becomes of all pairs   Pairs(rows, signs, ..)
    votes    scores of the pairs, number of classes -> the class      a row of several classes
    labels   labels as they are read, and as they are said            Labels(read, said)
    state    the estimator, what it held before -> None               after a fit: something stays

What they do is seen by checks of their own (policies), which name them; so naming.py leaves them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from statistics import pvariance
from typing import Any, NamedTuple

from ...kernels.standard import Gaussian, Linear, Polynomial, Precomputed, Sigmoid
from ...numerics.conversion import as_lists
from ...numerics.linalg import total
from ...solvers.smo import smo
from ...svm.problem import Problem
from .tasks import Bug, BugTable

PAIRS, VOTES = BugTable("pairs"), BugTable("votes")
LABELS, STATE = BugTable("labels"), BugTable("state")
Scores = Sequence[float]


def _same(labels: list[Any]) -> list[Any]:
    return labels


class Labels(NamedTuple):
    """What becomes of labels when they are read, and of those that are said."""

    read: Callable[[list[Any]], list[Any]] = _same
    said: Callable[[list[Any]], list[Any]] = _same


# ---- pairs


class TrainedOn(NamedTuple):
    """What a pair of classes is trained on: examples, their labels -1 and 1, their weights."""

    some: list[int]
    signs: list[int]
    weights: list[float]


def _of_two(y: list[Any], weights: list[float], p: Any, q: Any) -> TrainedOn:
    """Return the examples of two classes: -1 is the first of them."""
    some = [i for i, v in enumerate(y) if v in (p, q) and weights[i] > 0]
    return TrainedOn(some, [1 if y[i] == q else -1 for i in some], [weights[i] for i in some])


def _every_row(y: list[Any], *_: Any) -> list[int]:
    return list(range(len(y)))


class Pairs(NamedTuple):
    """How pairs are made.

    train     labels, weights, two classes -> TrainedOn
    gamma_of  labels, two classes -> the examples that gamma="scale" is of
    kept      all pairs -> what is kept of them
    """

    train: Callable[..., TrainedOn] = _of_two
    gamma_of: Callable[..., list[int]] = _every_row
    kept: Callable[[list[Any]], list[Any]] = _same


def _with_all_others(side: int) -> Callable[..., TrainedOn]:
    """Return how a pair is trained on every example, those of other classes on one side."""

    def train(y: list[Any], weights: list[float], p: Any, q: Any) -> TrainedOn:
        some = [i for i in range(len(y)) if weights[i] > 0]
        signs = [{p: -1, q: 1}.get(y[i], side) for i in some]
        return TrainedOn(some, signs, [weights[i] for i in some])

    return train


def _with_weights_by_place(y: list[Any], weights: list[float], p: Any, q: Any) -> TrainedOn:
    """Return the examples of two classes with the weights of the first rows of all."""
    right = _of_two(y, weights, p, q)
    return right._replace(weights=weights[: len(right.some)])


def _with_weights_of_the_first_two(
    y: list[Any], weights: list[float], p: Any, q: Any
) -> TrainedOn:
    """Return the examples of two classes, each with the weight of one of the first two classes."""
    right, classes = _of_two(y, weights, p, q), sorted(set(y))
    low, high = (weights[y.index(one)] for one in classes[:2])
    return right._replace(weights=[low if sign < 0 else high for sign in right.signs])


def _without_weights(y: list[Any], weights: list[float], p: Any, q: Any) -> TrainedOn:
    right = _of_two(y, weights, p, q)
    return right._replace(weights=[1.0 for _ in right.some])


def _last_two(y: list[Any], *_: Any) -> list[int]:
    return [i for i, v in enumerate(y) if v in sorted(set(y))[-2:]]


PAIRS.add(
    "Pairs",
    "Two classes alone are right; among others, where they overlap, they are not.",
    "NVIDIA/cuml#8578: class_weight did not come to the machines of the pairs",
    {
        "a pair is trained on the other classes, too, as its first": Pairs(_with_all_others(-1)),
        "a pair is trained on the other classes, too, as its second": Pairs(_with_all_others(1)),
        "a pair has no weights": Pairs(_without_weights),
        "a pair has the weights of the first rows": Pairs(_with_weights_by_place),
        "a pair has the weights of the first two classes": Pairs(_with_weights_of_the_first_two),
        "gamma='scale' is that of the last pair in all of them": Pairs(gamma_of=_last_two),
        "the offset of the first pair is that of all": Pairs(
            kept=lambda pairs: [pair._replace(b=pairs[0].b) for pair in pairs]
        ),
        "the offset of the last pair is that of all": Pairs(
            kept=lambda pairs: [pair._replace(b=pairs[-1].b) for pair in pairs]
        ),
    },
)

# ---- votes


def _right_vote(scores: Scores, k: int) -> int:
    """Return the class with most votes of the pairs, of several the first."""
    count = [0] * k
    for f, (p, q) in zip(scores, combinations(range(k), 2)):
        count[q if f >= 0 else p] += 1
    return count.index(max(count))


def _by_sums(scores: Scores, k: int) -> int:
    sums = [0.0] * k
    for f, (p, q) in zip(scores, combinations(range(k), 2)):
        sums[q if f >= 0 else p] += abs(f)
    return sums.index(max(sums))


def _with_margin(scores: Scores, k: int) -> int:
    return _right_vote([f - 1 for f in scores], k)


def _last_of_ties(scores: Scores, k: int) -> int:
    return k - 1 - _right_vote([-f for f in scores[::-1]], k)


def _other_order(scores: Scores, k: int) -> int:
    pairs = sorted(combinations(range(k), 2), key=sum)
    by_pair = dict(zip(pairs, scores))
    return _right_vote([by_pair[pair] for pair in combinations(range(k), 2)], k)


VOTES.add(
    "Votes",
    "With two classes all is right; with three the wrong one is said.",
    "scikit-learn/scikit-learn#8276 cjlin1/libsvm#85 ageron/handson-ml2#482",
    {
        "a vote goes to the class that loses": lambda scores, k: _right_vote(
            [-f for f in scores], k
        ),
        "decisions count, not votes": _by_sums,
        "a vote needs a margin of 1": _with_margin,
        "a tie goes to the last class": _last_of_ties,
        "the first pair alone decides": lambda scores, k: 1 if scores[0] >= 0 else 0,
        "the pairs are counted in another order": _other_order,
        "the first three pairs vote": lambda scores, k: _right_vote(
            [*scores[:3], *[-1.0] * (len(scores) - 3)], k
        ),
    },
)

# ---- labels

LABELS.add(
    "NotAccepted",
    "Words, booleans and large numbers come back as something else, or as each other.",
    "Xtra-Computing/thundersvm#246 mljs/svm#3",
    {
        "predict says -1 and +1, whatever the labels are": Labels(
            said=lambda labels: [2 * labels.index(v) - 1 for v in labels]
        ),
        "labels are made doubles": Labels(
            read=lambda y: [v if isinstance(v, str) else float(v) for v in y]
        ),
        "labels are cut to whole numbers": Labels(
            read=lambda y: [int(v) if isinstance(v, float) else v for v in y]
        ),
        "words are cut to their first letter": Labels(
            read=lambda y: [v[:1] if isinstance(v, str) else v for v in y]
        ),
        "labels are kept in eight bits": Labels(
            read=lambda y: [(v + 128) % 256 - 128 if type(v) is int else v for v in y]
        ),
    },
)
LABELS.add(
    "PredictSign",
    "decision_function is right, predict says the opposite.",
    "treder/MVPA-Light#54",
    {"predict is turned round": Labels(said=lambda labels: labels[::-1])},
)


# ---- earlier fits


def _keep(*names: str) -> Callable[[Any, dict[str, Any]], None]:
    """Return the change that leaves what a first fit has set."""

    def change(machine: Any, before: dict[str, Any]) -> None:
        for name in names:
            if name in before:
                setattr(machine, name, before[name])

    return change


def _never_forgets(machine: Any, before: dict[str, Any]) -> None:
    """Add the decisions of the fit before to those of this one."""
    if "pairs_" in before and len(before["pairs_"]) == len(machine.pairs_):
        machine.pairs_ = [
            pair._replace(more=old) for pair, old in zip(machine.pairs_, before["pairs_"])
        ]


STATE.add(
    "StateKept",
    "The second model of a search, or of a service, is made of the first.",
    "haifengl/smile#434 gmum/gmum.r#403 davidsoergel/jlibsvm#12",
    {
        "a second fit keeps the classes of the first": _keep("classes_"),
        "a second fit keeps the model of the first": _keep("pairs_"),
        "a second fit adds to the first": _never_forgets,
    },
)


# ---- the estimator


class ShownPair(NamedTuple):
    """The machine of two classes; more: one whose decisions are added to its own.

    columns: those of a Gram matrix that it needs; None: rows are rows
    """

    model: Any
    b: float
    columns: list[int] | None = None
    more: Any = None

    def decisions(self, X: Any) -> list[float]:
        """Return f of each row."""
        rows = X if self.columns is None else [[x[i] for i in self.columns] for x in X]
        own = [f - self.model.b + self.b for f in self.model.decisions(rows)]
        return own if self.more is None else [p + q for p, q in zip(own, self.more.decisions(X))]


class Shown:
    """A classifier of any number of classes, one against one, in which bugs are planted."""

    bugs: tuple[Bug, ...] = ()

    def __init__(
        self,
        C: float = 1.0,
        kernel: str = "rbf",
        degree: int = 3,
        gamma: Any = 1.0,
        coef0: float = 0.0,
        tol: float = 1e-6,
        class_weight: Any = None,
    ) -> None:
        self.C, self.kernel, self.degree = C, kernel, degree
        self.gamma, self.coef0, self.tol = gamma, coef0, tol
        self.class_weight = class_weight

    def _change(self, stage: str, usual: Any) -> Any:
        return next((bug.change for bug in self.bugs if bug.stage == stage), usual)

    def _weights(self, y: list[Any], weights: list[float]) -> list[float]:
        """Return the weight of each example times that of its class."""
        factors = self.class_weight or {}
        if factors == "balanced":
            of = {v: total(w for w, u in zip(weights, y) if u == v) for v in set(y)}
            factors = {v: total(weights) / (len(of) * of[v]) for v in of}
        return [w * factors.get(v, 1.0) for w, v in zip(weights, y)]

    def _kernel(self, X: list[Any]) -> Any:
        gamma = self.gamma
        if gamma in ("scale", "auto"):
            spread = pvariance([v for x in X for v in x])
            gamma = 1 / (len(X[0]) * (spread if gamma == "scale" else 1))
        made: dict[str, Callable[[], Any]] = {
            "linear": Linear,
            "poly": lambda: Polynomial(self.degree, gamma, self.coef0),
            "rbf": lambda: Gaussian(gamma),
            "sigmoid": lambda: Sigmoid(gamma, self.coef0),
            "precomputed": Precomputed,
        }
        return made[self.kernel]()

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Shown:
        """Train a machine for each pair of classes."""
        before = dict(vars(self))
        labels: Labels = self._change("labels", Labels())
        X, y = as_lists(X), labels.read(list(as_lists(y)))
        weights = [1.0] * len(X) if sample_weight is None else as_lists(sample_weight)
        weights = self._weights(y, weights)
        self.classes_ = sorted(set(y))
        how: Pairs = self._change("pairs", Pairs())
        pairs = []
        for p, q in combinations(self.classes_, 2):
            some, signs, given = how.train(y, weights, p, q)
            rows = [X[i] for i in some]
            columns = some if self.kernel == "precomputed" else None
            rows = rows if columns is None else [[x[i] for i in columns] for x in rows]
            kernel = self._kernel([X[i] for i in how.gamma_of(y, p, q)])
            problem = Problem(rows, signs, kernel, [self.C * w for w in given])
            model = smo(problem, tol=self.tol).model()
            pairs.append(ShownPair(model, float(model.b), columns))
        self.pairs_ = how.kept(pairs)
        change = self._change("state", None)
        if change is not None:
            change(self, before)
        return self

    def decision_function(self, X: Any) -> list[Any]:
        """Return f of each row; of more than two classes those of each pair."""
        columns = [pair.decisions(X) for pair in self.pairs_]
        return columns[0] if len(columns) == 1 else [list(row) for row in zip(*columns)]

    def predict(self, X: Any) -> list[Any]:
        """Return the class of each row."""
        labels: Labels = self._change("labels", Labels())
        names, vote = labels.said(list(self.classes_)), self._change("votes", _right_vote)
        columns = [pair.decisions(X) for pair in self.pairs_]
        return [names[vote(row, len(names))] for row in zip(*columns)]


def shown_estimator(*bugs: Bug) -> type[Shown]:
    """Return an estimator that has these bugs of votes, labels or earlier fits."""
    return type("ShownWithBugs", (Shown,), {"bugs": bugs})
