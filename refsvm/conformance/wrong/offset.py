"""Bugs of the offset: the multipliers are right, b is not.

Each change takes a trained machine and returns the b that the program finds: a number, or the ends
of what it may choose; None where it finds none. b is what is added to the scores: minus the rho of
one class, the squared radius of a ball.

    r      what each variable's margin asks of b      x    the variables, see svm/dual_form.py
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, isfinite
from typing import Any, Optional, Union

from ..protocol.forms import C_SVC
from .pipeline import AfterTraining, norms2_of
from .rows import mean
from .tasks import BugTable

TABLE = BugTable("offset")
Ends = tuple[float, float]
Found = Optional[Union[float, Ends]]
OfFit = Callable[[AfterTraining], Found]


def _times(factor: Callable[[AfterTraining], float]) -> OfFit:
    """Return the optimal offsets, so many times."""

    def offset(m: AfterTraining) -> Found:
        if not m.ends:
            return None
        low, high = m.offsets()
        k = factor(m)
        return (k * low, k * high) if 0 < abs(k) < inf else None

    return offset


def _mean_over(chosen: Callable[[AfterTraining], Sequence[int]]) -> OfFit:
    """Return the offset that the mean residual of some variables of each group makes."""

    def offset(m: AfterTraining) -> Found:
        some = set(chosen(m))
        parts = [[m.r[k] for k in group if k in some] for group in m.form.groups]
        if not m.ends or not all(parts):
            return None
        return m.offset(list(map(mean, parts)))

    return offset


def support(m: AfterTraining) -> list[int]:
    """Return the variables that are not 0."""
    least = max(map(abs, m.x)) / 2**20
    return [k for k, v in enumerate(m.x) if abs(v) > least]


def free(m: AfterTraining) -> list[int]:
    return [k for k in support(m) if not m.bounded[k]]


def _at_bound(m: AfterTraining) -> list[int]:
    return [k for k in support(m) if m.bounded[k]]


def _every(m: AfterTraining) -> list[int]:
    return list(range(len(m.x)))


def _only(
    k: int, of: Callable[[AfterTraining], Sequence[int]] = support
) -> Callable[..., list[int]]:
    """Return the choice of the k-th of some variables of each group."""

    def chosen(m: AfterTraining) -> list[int]:
        parts = [[v for v in of(m) if v in group] for group in m.form.groups]
        return [part[k] for part in parts if -len(part) <= k < len(part)]

    return chosen


def _of_label(label: int, k: int) -> Callable[[AfterTraining], list[int]]:
    """Return the choice of the k-th support vector of a class, of C-SVC."""

    def chosen(m: AfterTraining) -> list[int]:
        if m.task.form != C_SVC:
            return []
        some = [i for i in support(m) if m.task.y[i] == label]
        return [some[k]] if -len(some) <= k < len(some) else []

    return chosen


def _one_of_each(m: AfterTraining) -> list[int]:
    return [*_of_label(1, 0)(m), *_of_label(-1, 0)(m)]


def _largest(m: AfterTraining) -> list[int]:
    some = support(m)
    return sorted(some, key=lambda k: -abs(m.x[k]))[:1] if m.task.form == C_SVC else []


def _where_none_is_free(found: OfFit) -> OfFit:
    """Return an offset that is wrong only where no variable is free."""
    return lambda m: m.offsets() if free(m) else found(m)


TABLE.add(
    "OffsetMissing",
    "The border goes through the origin; rates of error look like chance.",
    "mlpack/mlpack#2419 canlab/CanlabCore#2 JuliaStats/SVM.jl#32",
    {
        "b is 0": lambda m: 0.0 if m.ends else None,
        "b is 0 where no multiplier is free": _where_none_is_free(
            lambda m: 0.0 if m.ends else None
        ),
        **{
            f"b is 0 for more than {n} examples": lambda m, n=n: (
                0.0 if m.task.n > n else m.offsets()
            )
            for n in (12, 50, 100)
        },
    },
)
TABLE.add(
    "OffsetSign",
    "Everything is decided as one class, far from the origin.",
    "Xtra-Computing/thundersvm: no free support vector; intercept_ taken for rho",
    {
        "b has the wrong sign": _times(lambda m: -1.0),
        "b has the wrong sign where no multiplier is free": _where_none_is_free(
            _times(lambda m: -1.0)
        ),
    },
)
TABLE.add(
    "OffsetScaled",
    "The border is moved, the more the farther the data lie from the origin.",
    "rbgirshick/fast-rcnn#69: the offset times the scale of the features",
    {
        "b is doubled": _times(lambda m: 2.0),
        "b is halved": _times(lambda m: 0.5),
        "b is the sum of its ends where no multiplier is free": _where_none_is_free(
            _times(lambda m: 2.0)
        ),
        "b has the wrong sign and is doubled": _times(lambda m: -2.0),
        "b is multiplied by C": _times(
            lambda m: m.task.bounds[0] if len(set(m.task.bounds)) == 1 else 0.0
        ),
        "b is divided by C": _times(
            lambda m: 1 / m.task.bounds[0] if len(set(m.task.bounds)) == 1 else 0.0
        ),
        "b is divided by n": _times(lambda m: 1 / m.task.n),
        "b is not divided by rho": _times(
            lambda m: m.widths()[0] if m.task.form == "nu_svc" else 0.0
        ),
    },
)
TABLE.add(
    "OffsetAveraged",
    "b is pulled towards the rows that are on the wrong side.",
    "nihil21/custom-svm#3 and many course codes",
    {
        "b is the mean over all support vectors, those at C too": _mean_over(support),
        "b is the mean over the support vectors at C": _mean_over(_at_bound),
        "b is the mean over all support vectors where there are some at C": lambda m: (
            _mean_over(_at_bound)(m) if not free(m) else m.offsets()
        ),
    },
)
TABLE.add(
    "OffsetEveryRow",
    "b is pulled towards rows that have no say.",
    "course codes that take the mean of y - s",
    {"b is the mean over all examples": _mean_over(_every)},
)
TABLE.add(
    "OffsetBounded",
    "b is right or wrong by the order of the rows: a row at C is not on the margin.",
    "ageron/handson-ml2#386 and notebooks that take the first support vector",
    {
        "b is that of the first support vector, free or not": _mean_over(_only(0)),
        "b is that of the last support vector, free or not": _mean_over(_only(-1)),
        "b is that of the first support vector at C": _mean_over(_only(0, _at_bound)),
        "b is that of the first example": _mean_over(_only(0, _every)),
        "b is that of the last example": _mean_over(_only(-1, _every)),
        "b is that of the largest multiplier": _mean_over(_largest),
        "b is the mean of one support vector of each class": _mean_over(_one_of_each),
        **{
            f"b is that of the {words} support vector of the class {label:+}": _mean_over(
                _of_label(label, k)
            )
            for label in (1, -1)
            for words, k in (("first", 0), ("last", -1))
        },
    },
)


# ---- the ends of the interval


def _sets(m: AfterTraining) -> Any:
    """Return the residuals of those that may rise, and of those that may fall; one group."""
    parts = list(zip(m.r, m.x, m.form.lower, m.form.upper))
    return [r for r, x, _, high in parts if x < high], [r for r, x, low, _ in parts if x > low]


def _of_sets(of_sets: Callable[[list[float], list[float]], float]) -> OfFit:
    """Return an offset of the residuals that may rise and that may fall, of one group."""

    def offset(m: AfterTraining) -> Found:
        if len(m.ends) != 1 or not all(_sets(m)):
            return None
        found = m.offset([of_sets(*_sets(m))])
        return found if isfinite(found) else None

    return offset


def _hard_margin(m: AfterTraining) -> Found:
    """Return the middle between the classes: -(the largest score of -1 + the least of +1) / 2."""
    if m.task.form != C_SVC or not m.ends:
        return None
    below = max(s for s, y in zip(m.at, m.task.y) if y < 0)
    above = min(s for s, y in zip(m.at, m.task.y) if y > 0)
    return -(below + above) / 2


TABLE.add(
    "OffsetHardMargin",
    "One outlier moves the border: the formula is that of classes that can be told apart.",
    "lecture notes, CS229 among them, used for the soft margin",
    {"b is half way between the classes": _hard_margin},
)
TABLE.add(
    "OffsetEnds",
    "b lies outside of where it may lie; most tests have a free support vector and pass.",
    "uxlfoundation/oneDAL#641 uxlfoundation/oneDAL#1809",
    {
        "b is the middle of the ends of the other sets": _of_sets(
            lambda up, low: (min(up) + max(low)) / 2
        ),
        "b is the middle of those that may fall": _of_sets(
            lambda up, low: (max(low) + min(low)) / 2
        ),
        "b is the middle of those that may rise": _of_sets(
            lambda up, low: (max(up) + min(up)) / 2
        ),
        "b is the middle over all examples": _of_sets(
            lambda up, low: (min(*up, *low) + max(*up, *low)) / 2
        ),
        "b is the least of those that may rise": _of_sets(lambda up, low: min(up)),
        "b is the largest of those that may fall": _of_sets(lambda up, low: max(low)),
        "b is the least of all": _of_sets(lambda up, low: min(*up, *low)),
        "b is the largest of all": _of_sets(lambda up, low: max(*up, *low)),
        "b is half the difference of its ends": _of_sets(lambda up, low: (max(up) - min(low)) / 2),
        "the sets are exchanged where no multiplier is free": _where_none_is_free(
            _of_sets(lambda up, low: (max(low) + min(low)) / 2)
        ),
    },
)


# ---- other formulas


def _of_signs(chosen: Callable[[AfterTraining], Sequence[int]]) -> OfFit:
    """Return the mean of y - sign(s) over some examples."""

    def offset(m: AfterTraining) -> Found:
        some = list(chosen(m))
        if m.task.form != C_SVC or not m.ends or not some:
            return None
        return mean([m.task.y[i] - (1 if m.at[i] >= 0 else -1) for i in some])

    return offset


def _own_terms(m: AfterTraining) -> Found:
    """Return the mean of y_i - beta_i K_ii over the support vectors."""
    some = support(m)
    if m.task.form != C_SVC or not m.ends or not some:
        return None
    norms2 = norms2_of(m.task, m.task.X, m.task.kernel)
    return mean([m.task.y[i] - m.beta[i] * norms2[i] for i in some])


TABLE.add(
    "OffsetSignOfF",
    "b is 0 or some share of n: a border by chance.",
    "ajtulloch/svmpy#6, quoted by many pages",
    {
        "b is the mean of y - sign(f) over the free support vectors": _of_signs(free),
        "b is the mean of y - sign(f) over the support vectors": _of_signs(support),
        "b is the mean of y - sign(f) over all examples": _of_signs(_every),
    },
)
TABLE.add(
    "Offset",
    "Every decision is off by the same.",
    "b found before the last step, or by a formula of its own",
    {
        "b is the mean of y less its own term, not the whole score": _own_terms,
        "b is the median over all support vectors": lambda m: (
            sorted(m.r[k] for k in support(m))[len(support(m)) // 2]
            if m.task.form == C_SVC and m.ends
            else None
        ),
        "b is counted for rows that were centred": lambda m: _moved(m, 1.0),
        "b is carried back twice": lambda m: _moved(m, -1.0),
    },
)


def _moved(m: AfterTraining, times: float) -> Found:
    """Return b with the score of the mean of the rows, as if they had been centred."""
    if not m.ends or m.task.form == "svdd":
        return None
    low, high = m.offsets()
    by = times * mean(m.at)
    return low + by, high + by
