"""Bugs of what the machines beside C-SVC have of their own: nu, epsilon, values, rho and R^2.

PROBLEM changes tasks, as problem.py does; OFFSET changes b, as offset.py does; DECIDE changes
decisions, as decision.py does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import ceil, floor, inf, sqrt
from typing import Any

from ...kernels.standard import Linear
from ...numerics.linalg import dot, total
from ...svm.dual_form import middle
from ..protocol.forms import C_SVC
from .decision import OfDecisions
from .offset import Found, OfFit, free, support
from .pipeline import AfterTraining, norms2_of
from .problem import fixed
from .rows import deviation, mean
from .tasks import BugTable, Task

PROBLEM = BugTable("problem")
OFFSET = BugTable("offset")
DECIDE = BugTable("decide")
Floats = list[float]


# ---- nu and epsilon


def _with_nu(of_nu: Callable[[float, Task], float]) -> Callable[[Task], Any]:
    """Return the change of nu; None of a machine that has none, or beyond 0 .. 1."""

    def change(t: Task) -> Task | None:
        if t.form not in ("nu_svc", "nu_svr", "one_class") or t.parameter is None:
            return None
        nu = of_nu(t.parameter, t)
        return t.but(parameter=nu) if 0 < nu <= 1 else None

    return change


def _rounded(how: Callable[[float], float]) -> Callable[[float, Task], float]:
    return lambda nu, t: how(nu * t.n) / t.n if len(set(t.bounds)) == 1 else nu


def _smaller(nu: float, t: Task) -> float:
    return 2 * nu * min(t.y.count(1), t.y.count(-1)) / t.n if t.is_labelled else nu


def _lighter(nu: float, t: Task) -> float:
    weights = [float(total([c for c, y in zip(t.bounds, t.y) if y == s])) for s in (-1, 1)]
    return 2 * nu * min(weights) / float(total(weights)) if t.is_labelled else nu


PROBLEM.add(
    "NuIgnored",
    "nu does nothing: the share of outliers is another one than was asked.",
    "wrappers that lose a parameter",
    {
        "nu is 1/2, whatever was asked": _with_nu(lambda nu, t: 0.5),
        "nu is 1/10, whatever was asked": _with_nu(lambda nu, t: 0.1),
    },
)
PROBLEM.add(
    "NuScaled",
    "The share of outliers is another one than was asked.",
    "scikit-learn/scikit-learn#32778: nu for nu / 2, for years",
    {
        "nu counts half": _with_nu(lambda nu, t: nu / 2),
        "nu counts twice": _with_nu(lambda nu, t: 2 * nu),
        "nu is taken for 1 - nu": _with_nu(lambda nu, t: 1 - nu),
        "nu is squared": _with_nu(lambda nu, t: nu * nu),
        "nu is 1/2 at most": _with_nu(lambda nu, t: min(nu, 0.5)),
        "nu is a share of the rows, not of their weights": _with_nu(
            lambda nu, t: nu if t.has_C else nu / mean(t.bounds)
        ),
        "each class has the sum of nu times the smaller class": _with_nu(_smaller),
        "each class has the sum of nu times the lighter class": _with_nu(_lighter),
    },
)
PROBLEM.add(
    "RemainderRounded",
    "For few examples nu jumps: 2/5 of six rows are two rows, or three.",
    "first points that are filled in whole numbers",
    {
        "nu n is rounded down": _with_nu(_rounded(floor)),
        "nu n is rounded up": _with_nu(_rounded(ceil)),
        "nu n is rounded": _with_nu(_rounded(round)),
        "nu n is rounded down, to 1 at least": _with_nu(_rounded(lambda v: max(1, int(v)))),
    },
)


def _without_box(t: Task) -> Task | None:
    """Return the task whose multipliers have no upper bound, and the same sum."""
    if t.form not in ("nu_svc", "one_class") or t.parameter is None:
        return None
    most = t.parameter * float(total(t.bounds))
    return t.but(bounds=[most] * t.n, parameter=1 / t.n)


PROBLEM.add(
    "BoxIgnored",
    "A single outlier decides where the border is.",
    "OpenCV's nu-SVR: a box of 1 whatever C is",
    {
        "multipliers have no upper bound": _without_box,
        "the box is 1, whatever C is": lambda t: (
            t.but(bounds=[1.0] * t.n, parameter=min(1.0, t.parameter * max(t.bounds)))
            if t.form == "nu_svr"
            else None
        ),
    },
)
PROBLEM.add(
    "NuAsPenalty",
    "A share is taken for a price: another machine, under the same name.",
    "wrappers with one parameter for both",
    {
        "nu is taken for the C of C-SVC": lambda t: (
            t.but(form=C_SVC, bounds=[t.parameter] * t.n, parameter=None)
            if t.form == "nu_svc"
            else None
        )
    },
)


def _with_tube(of_width: Callable[[Any, Task], float]) -> Callable[[Task], Any]:
    """Return the change of epsilon."""
    return lambda t: t.but(parameter=of_width(t.parameter, t)) if t.form == "epsilon_svr" else None


PROBLEM.add(
    "EpsilonIgnored",
    "epsilon does nothing: the tube has a width that was not asked for.",
    "wrappers that lose a parameter",
    {f"epsilon is {v:g}, whatever was asked": _with_tube(fixed(v)) for v in (0.0, 0.1, 1e-3)},
)
PROBLEM.add(
    "EpsilonScaled",
    "The tube is wider or narrower than asked: fewer rows, or more, are support vectors.",
    "a width that is taken for its half; units of y",
    {
        "epsilon counts twice": _with_tube(lambda e, t: 2 * e),
        "epsilon counts half": _with_tube(lambda e, t: e / 2),
        "epsilon is squared": _with_tube(lambda e, t: e * e),
        "epsilon is multiplied by C": _with_tube(lambda e, t: e * t.bounds[0]),
        "epsilon is a share of y's deviation": _with_tube(lambda e, t: e * deviation(t.y)),
        "epsilon is a share of y's spread": _with_tube(lambda e, t: e * (max(t.y) - min(t.y))),
        "the tube lies on one side, below y": lambda t: _one_sided(t, -0.5),
        "the tube lies on one side, above y": lambda t: _one_sided(t, 0.5),
    },
)


def _one_sided(t: Task, part: float) -> Task | None:
    """Return the task whose tube is half as wide, on one side of y."""
    if t.form != "epsilon_svr" or t.parameter is None:
        return None
    return t.but(y=[v + part * t.parameter for v in t.y], parameter=t.parameter / 2)


# ---- y


def _with_y(of_y: Callable[[float], float]) -> Callable[[Task], Any]:
    """Return the change of the values of regression."""
    return lambda t: t.but(y=[of_y(v) for v in t.y]) if t.form.endswith("svr") else None


def _in_units(unit_of: Callable[[Floats], float]) -> Callable[[Task], Any]:
    """Return the change of C and epsilon to units of y."""

    def change(t: Task) -> Task | None:
        unit = unit_of(t.y) if t.form.endswith("svr") else 0.0
        if not 0 < unit < inf:
            return None
        width = t.parameter
        if t.form == "epsilon_svr" and width is not None:
            width = unit * width
        return t.but(bounds=[unit * c for c in t.bounds], parameter=width)

    return change


PROBLEM.add(
    "TargetsRounded",
    "Prices below 1, or rates, are all predicted as 0.",
    "arrays of whole numbers that take y",
    {
        "y is cut to whole numbers": _with_y(lambda v: float(int(v))),
        "y is rounded to whole numbers": _with_y(lambda v: float(round(v))),
    },
)
PROBLEM.add(
    "TargetsScaled",
    "y is scaled in silence, so C and epsilon are those of other units.",
    "programs that standardise y as a kindness",
    {
        "C and epsilon are in units of y's deviation": _in_units(deviation),
        "C and epsilon are in units of y's spread": _in_units(lambda y: max(y) - min(y)),
        "C and epsilon are in units of y's size": _in_units(lambda y: max(map(abs, y))),
    },
)


# ---- b of regression and of one class


def _y_less_s(chosen: Callable[[AfterTraining], Iterator[int]], add: float = 0.0) -> OfFit:
    """Return the mean of y - s over examples, of regression; `add` times epsilon too much."""

    def offset(m: AfterTraining) -> Found:
        some = list(chosen(m)) if m.task.form.endswith("svr") else []
        width = m.task.parameter or 0.0
        parts = [
            m.task.y[i] - m.at[i] + add * width * ((m.alpha[i] > 0) - (m.alpha[i] < 0))
            for i in some
        ]
        return mean(parts) if parts else None

    return offset


def _vectors(m: AfterTraining) -> Iterator[int]:
    return (i for i, a in enumerate(m.alpha) if a != 0)


def _free_vectors(m: AfterTraining) -> Iterator[int]:
    return (i for i, (a, c) in enumerate(zip(m.alpha, m.task.bounds)) if 0 < abs(a) < c)


def _first_vector(m: AfterTraining) -> Iterator[int]:
    return iter(list(_vectors(m))[:1])


def _quantile(m: AfterTraining) -> Found:
    """Return -rho of the nu-quantile of the examples' scores, between two of them."""
    if m.task.form != "one_class" or m.task.parameter is None:
        return None
    scores, place = sorted(m.at), m.task.parameter * (m.task.n - 1)
    low, high = scores[floor(place)], scores[ceil(place)]
    return -low - (place - floor(place)) * (high - low)


OFFSET.add(
    "Offset",
    "As many rows as asked are outliers by count, and the border lies off the support vectors.",
    "codes that call numpy.percentile on the scores of the training rows",
    {"rho is the nu-quantile of the examples' scores": _quantile},
)


def _lam_of(side: int) -> OfFit:
    """Return the offset that is the multiplier of one sum of two."""
    return lambda m: middle(*m.ends[side]) if len(m.ends) == 2 else None


OFFSET.add(
    "OffsetMeanOfY",
    "Predictions are right on average, and wrong everywhere.",
    "regressors that begin with the mean, and forget to correct it",
    {"b is the mean of y": lambda m: mean(m.task.y) if m.task.form.endswith("svr") else None},
)
OFFSET.add(
    "OffsetWithoutEpsilon",
    "Predictions are off by up to the width of the tube.",
    "from-scratch regressors",
    {
        "b is the mean of y - s over free support vectors": _y_less_s(_free_vectors),
        "b is the mean of y - s over support vectors": _y_less_s(_vectors),
        "b is y - s of the first support vector": _y_less_s(_first_vector),
        "b adds epsilon where it is to be taken off": _y_less_s(_vectors, 1.0),
    },
)
OFFSET.add(
    "OffsetOneSide",
    "The border lies on one of the two margins.",
    "two sums, of which one is looked at",
    {
        "b is the multiplier of the first sum": _lam_of(0),
        "b is the multiplier of the second sum": _lam_of(1),
    },
)


def _mean_radius(m: AfterTraining) -> Found:
    """Return R^2 with the mean of k(x, x) for that of the first row on the boundary."""
    if m.task.form != "svdd":
        return None
    norms2, i = norms2_of(m.task, m.task.X, m.task.kernel), (free(m) or support(m))[0]
    return mean(norms2) - norms2[i] - m.at[i]


def _dual_value(m: AfterTraining) -> Found:
    """Return the value of the ball's dual, which is R^2 for the hard one alone."""
    if m.task.form != "svdd":
        return None
    return float(dot(m.alpha, norms2_of(m.task, m.task.X, m.task.kernel))) - m.w_norm2


def _ball(of_radius2: Callable[[float, AfterTraining], float]) -> OfFit:
    """Return a function of R^2, of the ball."""

    def offset(m: AfterTraining) -> Found:
        if m.task.form != "svdd":
            return None
        low, high = (of_radius2(v, m) for v in m.offsets())
        return low, high

    return offset


def _norm2_from_mean(m: AfterTraining) -> float:
    """Return |c|^2 where rows are counted from their mean, as some do for the linear kernel."""
    if type(m.task.kernel) is not Linear:
        return m.w_norm2
    centre = [float(dot(m.beta, c)) - mean(c) for c in map(list, zip(*m.task.X))]
    return float(dot(centre, centre))


OFFSET.add(
    "RadiusOfMean",
    "The ball is too large or too small, by how far the rows are from each other.",
    "iqiukp/SVDD-Python#11",
    {
        "R^2 takes the mean of k(x, x) over all rows": _mean_radius,
        "R^2 is the value of the dual": _dual_value,
        "R^2 is the mean squared distance of all rows": lambda m: (
            -mean(m.at) if m.task.form == "svdd" else None
        ),
    },
)
OFFSET.add(
    "RadiusNotSquared",
    "A radius is held against squared distances: nearly every row is outside, or inside.",
    "SVDD codes that return R",
    {"R where R^2 is meant": _ball(lambda v, m: sqrt(max(v, 0.0)))},
)
OFFSET.add(
    "CentreNorm",
    "Every decision is off by the squared norm of the centre: right for centred data.",
    "SVDD codes that expand the square",
    {
        "the centre's squared norm is left out of the distance": _ball(lambda v, m: v + m.w_norm2),
        "the centre's squared norm is left out of R^2": _ball(lambda v, m: v - m.w_norm2),
        "the centre's squared norm is counted twice": _ball(lambda v, m: v - m.w_norm2 / 2),
        "the norm of the centre of centred rows is left out of the distance": _ball(
            lambda v, m: v + _norm2_from_mean(m)
        ),
    },
)


# ---- decisions


DECIDE.add(
    "RadiusNotSquared",
    "Rows are ranked rightly, and thresholds on R^2 - d^2 fail.",
    "SVDD codes that take roots",
    {"decisions are R - d": lambda m, f: _roots(m, f) if m.task.form == "svdd" else None},
)


def _roots(m: AfterTraining, f: Floats) -> Floats:
    """Return R - d of R^2 - d^2."""
    radius2 = f[0] - m.scores[0]
    return [sqrt(max(radius2, 0.0)) - sqrt(max(-s, 0.0)) for s in m.scores]


def _nearer(of_norm2: Callable[[float], float]) -> OfDecisions:
    """Return the decisions with so much less in each squared distance, by k(x, x); of the ball."""

    def said(m: AfterTraining, f: Floats) -> Floats | None:
        if m.task.form != "svdd":
            return None
        kernel = m.task.kernel if m.task.there is None else m.task.there
        norms2 = norms2_of(m.task, m.task.rows, kernel)
        return [v + of_norm2(k) for v, k in zip(f, norms2)]

    return said


DECIDE.add(
    "DecisionArithmetic",
    "The distance from the centre lacks a term: rows are ranked wrongly.",
    "SVDD codes that expand the square",
    {
        "the distance lacks k(x, x)": _nearer(lambda k: k),
        "the distance has 1 for k(x, x)": _nearer(lambda k: k - 1),
    },
)
