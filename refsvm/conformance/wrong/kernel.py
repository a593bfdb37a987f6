"""Bugs of the kernel: other parameters, other formulas, values in single precision.

Each change takes a task and returns it with another kernel. A kernel that is wrong when the
machine decides only is the same change, of what it decides with.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf, log, sqrt
from typing import Any

from ...kernels.base import as_kernel
from ...kernels.standard import Gaussian, Linear, Polynomial, Precomputed, Sigmoid
from ...numerics.elementary import exp, power
from ...numerics.linalg import dot, squared_distance, total
from ...numerics.types import VectorLike
from .rows import centred, single
from .tasks import BugTable, Task, as_gram

TABLE = BugTable("kernel")
Value = Callable[[Any, Any], float]
OfTask = Callable[[Task], Any]


def _another(kind: type, of_kernel: Callable[[Any, Task], Any]) -> OfTask:
    """Return the change of a kernel of one kind; None of the others, or if it is the same."""

    def change(t: Task) -> Task | None:
        if type(t.kernel) is not kind:
            return None
        other = of_kernel(t.kernel, t)
        return None if other is None or other == t.kernel else t.but(kernel=other)

    return change


def _gamma(of_gamma: Callable[[float, Task], float]) -> OfTask:
    """Return the change of the gamma of a Gaussian."""

    def other(k: Any, t: Task) -> Any:
        gamma = of_gamma(k.gamma, t)
        return Gaussian(gamma) if 0 < gamma < inf else None

    return _another(Gaussian, other)


def width(t: Task) -> int:
    """Return the number of features."""
    return len(t.X[0])


def _scale(gamma: float, t: Task) -> float:
    """Return 1 / (features, times the variance of all values)."""
    values = [Fraction(v) for x in t.X for v in x]
    middle = total(values) / len(values)
    variance: Any = total((v - middle) ** 2 for v in values) / len(values)
    return float(1 / (width(t) * variance)) if 0 < variance < 2**900 else inf


def _poly(of_parts: Callable[[int, float, float, Task], tuple[int, float, float]]) -> OfTask:
    """Return the change of degree, gamma and coef0 of a polynomial."""

    def other(k: Any, t: Task) -> Any:
        return Polynomial(*of_parts(k.degree, k.gamma, k.coef0, t))

    return _another(Polynomial, other)


def _slope(of_parts: Callable[[float, float, Task], tuple[float, float]]) -> OfTask:
    """Return the change of gamma and coef0 of a sigmoid."""
    return _another(Sigmoid, lambda k, t: Sigmoid(*of_parts(k.gamma, k.coef0, t)))


GAMMAS: dict[str, OfTask] = {
    "gamma counts twice": _gamma(lambda g, t: 2 * g),
    "gamma counts half": _gamma(lambda g, t: g / 2),
    "gamma is taken for sigma: 1 / (2 sigma^2)": _gamma(lambda g, t: 1 / (2 * g * g)),
    "gamma is taken for sigma: 1 / sigma^2": _gamma(lambda g, t: 1 / (g * g)),
    "gamma is taken for sigma^2: 1 / (2 sigma^2)": _gamma(lambda g, t: 1 / (2 * g)),
    "gamma is taken for its inverse": _gamma(lambda g, t: 1 / g),
    "gamma is squared": _gamma(lambda g, t: g * g),
    "the root of gamma": _gamma(lambda g, t: sqrt(g)),
    "gamma is divided by the features": _gamma(lambda g, t: g / width(t)),
    "gamma is multiplied by the features": _gamma(lambda g, t: g * width(t)),
    "gamma is 1 / features, whatever was asked": _gamma(lambda g, t: 1 / width(t)),
    "gamma is 1 / examples, whatever was asked": _gamma(lambda g, t: 1 / t.n),
    "gamma is 1, whatever was asked": _gamma(lambda g, t: 1.0),
    "gamma is 1 / (features variance), whatever was asked": _gamma(_scale),
    "gamma is halved for more than 8 features": _gamma(lambda g, t: g / 2 if width(t) > 8 else g),
}
POLYNOMIALS: dict[str, OfTask] = {
    "coef0 is 0": _poly(lambda n, g, r, t: (n, g, 0.0)),
    "coef0 is 1": _poly(lambda n, g, r, t: (n, g, 1.0)),
    "coef0 has the wrong sign": _poly(lambda n, g, r, t: (n, g, -r)),
    "gamma is 1": _poly(lambda n, g, r, t: (n, 1.0, r)),
    "gamma is 1 / features": _poly(lambda n, g, r, t: (n, 1 / width(t), r)),
    "gamma counts twice in a polynomial": _poly(lambda n, g, r, t: (n, 2 * g, r)),
    "gamma counts half in a polynomial": _poly(lambda n, g, r, t: (n, g / 2, r)),
    "gamma and coef0 are exchanged": _poly(lambda n, g, r, t: (n, r, g)),
    "gamma multiplies coef0, too": _poly(lambda n, g, r, t: (n, g, g * r)),
    "the degree is 3": _poly(lambda n, g, r, t: (3, g, r)),
    "the degree is 2": _poly(lambda n, g, r, t: (2, g, r)),
    "the degree is 2 at most": _poly(lambda n, g, r, t: (min(n, 2), g, r)),
    "the degree is one more": _poly(lambda n, g, r, t: (n + 1, g, r)),
    "the degree is one less": _poly(lambda n, g, r, t: (n - 1, g, r)),
    "coef0 is squared": _poly(lambda n, g, r, t: (n, g, r * r)),
}
SLOPES: dict[str, OfTask] = {
    "coef0 of the sigmoid is 0": _slope(lambda g, r, t: (g, 0.0)),
    "coef0 of the sigmoid has the wrong sign": _slope(lambda g, r, t: (g, -r)),
    "gamma of the sigmoid is 1": _slope(lambda g, r, t: (1.0, r)),
    "gamma of the sigmoid counts twice": _slope(lambda g, r, t: (2 * g, r)),
    "gamma of the sigmoid counts half": _slope(lambda g, r, t: (g / 2, r)),
    "gamma of the sigmoid multiplies coef0, too": _slope(lambda g, r, t: (g, g * r)),
    "gamma and coef0 of the sigmoid are exchanged": _slope(lambda g, r, t: (r, g)),
}


# ---- formulas


def _formula(kind: type, value_of: Callable[[Any], Value]) -> OfTask:
    """Return the change of a kernel of one kind to another formula of its parameters."""
    return lambda t: t.but(kernel=value_of(t.kernel)) if type(t.kernel) is kind else None


def _of_product(formula: Callable[[Any, float], float]) -> Callable[[Any], Value]:
    """Return the formula of a kernel's parameters and x.z."""
    return lambda k: lambda x, z: formula(k, float(dot(x, z)))


def _of_distance(distance: Value) -> Callable[[Any], Value]:
    """Return exp(-gamma d) with another distance."""
    return lambda k: lambda x, z: exp(-k.gamma * distance(x, z))


def _absolute_distance(x: Any, z: Any) -> float:
    """Return the sum of the absolute differences."""
    return float(total([abs(p - q) for p, q in zip(x, z)]))


def _largest_distance(x: Any, z: Any) -> float:
    """Return the largest absolute difference."""
    return float(max(abs(p - q) for p, q in zip(x, z)))


def expanded_distance(x: VectorLike, z: VectorLike) -> float:
    """Return x.x + z.z - 2 x.z, which cancels far from zero."""
    return max(0.0, float(dot(x, x) + dot(z, z) - 2 * dot(x, z)))


def _expanded_in_single(x: VectorLike, z: VectorLike) -> float:
    """Return the same in single precision."""
    xx, zz, xz = (single(float(dot(p, q))) for p, q in ((x, x), (z, z), (x, z)))
    return max(0.0, single(single(xx + zz) - 2 * xz))


def _distance_of_both(x: VectorLike, z: VectorLike) -> float:
    """Return the squared distance over the features that neither row has at 0."""
    return float(total([(p - q) * (p - q) for p, q in zip(x, z) if p and q]))


def _finite_distance(x: VectorLike, z: VectorLike) -> float:
    d = float(squared_distance(x, z))
    return d if d < inf else 0.0


FORMULAS: dict[str, OfTask] = {
    "the distance is not squared": _formula(
        Gaussian, _of_distance(lambda x, z: sqrt(squared_distance(x, z)))
    ),
    "the distance is the sum of absolute values": _formula(
        Gaussian, _of_distance(_absolute_distance)
    ),
    "the distance is the largest difference": _formula(Gaussian, _of_distance(_largest_distance)),
    "the distance is divided by the features": _formula(
        Gaussian, _of_distance(lambda x, z: float(squared_distance(x, z)) / len(x))
    ),
    "the distance lacks features that one of the rows has at 0": lambda t: (
        _formula(Gaussian, _of_distance(_distance_of_both))(t)
        if t.form != "svdd"  # of which two cases tell it only, and too little
        else None
    ),
    "distances that overflow are 0": _formula(Gaussian, _of_distance(_finite_distance)),
    "a Gaussian below 1/10 is 0": _formula(
        Gaussian,
        lambda k: lambda x, z: v if (v := k(x, z)) > 0.1 else 0.0,
    ),
    "(gamma x.z)^degree + coef0": _formula(
        Polynomial, _of_product(lambda k, s: power(k.gamma * s, k.degree) + k.coef0)
    ),
    "gamma (x.z + coef0)^degree": _formula(
        Polynomial, _of_product(lambda k, s: k.gamma * power(s + k.coef0, k.degree))
    ),
    "|gamma x.z + coef0|^degree": _formula(
        Polynomial, _of_product(lambda k, s: float(power(abs(k.gamma * s + k.coef0), k.degree)))
    ),
    "powers by logarithms: no sign": _formula(
        Polynomial,
        _of_product(
            lambda k, s: exp(k.degree * log(abs(v))) if (v := k.gamma * s + k.coef0) else 0.0
        ),
    ),
    "the sigmoid is 0": _formula(Sigmoid, lambda k: lambda x, z: 0.0),
}


def _linear_instead(t: Task) -> Task | None:
    """Return the task with the linear kernel in the place of another."""
    return None if isinstance(t.kernel, Precomputed) else t.but(kernel=Linear())


def _gaussian_instead(t: Task) -> Task | None:
    """Return the task with a Gaussian in the place of the linear kernel."""
    return t.but(kernel=Gaussian(1 / width(t))) if type(t.kernel) is Linear else None


def _negated(t: Task) -> Task | None:
    """Return the task with values of the wrong sign."""
    if not isinstance(t.kernel, Sigmoid):
        return None
    kernel = t.kernel
    return t.but(kernel=lambda x, z: -kernel(x, z))


def _zero_power(t: Task) -> Task | None:
    """Return the task whose constant kernel, or empty product, is 0."""
    if type(t.kernel) is not Polynomial:
        return None
    k: Any = t.kernel

    def value(x: VectorLike, z: VectorLike) -> float:
        base = k.gamma * dot(x, z) + k.coef0
        return float(power(base, k.degree)) if base else 0.0

    return t.but(kernel=value)


def _rounded(in_fit_only: bool) -> OfTask:
    """Return the change of kernel values to single precision."""

    def change(t: Task) -> Task | None:
        if t.kernel is None or isinstance(t.X[0], str):
            return None
        g = as_gram(t)
        X = [[single(v) for v in x] for x in g.X]
        rows = g.rows if in_fit_only else [[single(v) for v in x] for x in g.rows]
        there = Precomputed() if in_fit_only else None
        return g.but(X=X, rows=rows, there=there) if X != g.X else None

    return change


def _when_it_decides(change: OfTask) -> OfTask:
    """Return the change of the kernel that the machine decides with."""

    def decides(t: Task) -> Task | None:
        changed = change(t)
        if changed is None or changed.X != t.X:
            return None
        return t.but(there=as_kernel(changed.kernel))

    return decides


def _when_it_trains(change: OfTask) -> OfTask:
    """Return the change of the kernel that the machine is trained with."""

    def trains(t: Task) -> Task | None:
        changed = change(t)
        return None if changed is None else changed.but(there=t.kernel)

    return trains


TABLE.add(
    "KernelParameters",
    "gamma, coef0 and degree found with one program are others in the next.",
    "scikit-learn/scikit-learn#12741 NVIDIA/cuml#1353 opencv/opencv#13718",
    {
        **GAMMAS,
        **POLYNOMIALS,
        **SLOPES,
        "the linear kernel, whatever was asked": _linear_instead,
        "a Gaussian in the place of the linear kernel": _gaussian_instead,
    },
)
TABLE.add(
    "KernelFormula",
    "The kernel is one that no book has; some of them are no kernels at all.",
    "from-scratch codes: a root, a power or a norm at the wrong place",
    FORMULAS,
)
TABLE.add(
    "KernelSign",
    "Similar rows count as different.",
    "opencv/opencv#13718: the sigmoid was -tanh",
    {"kernel values have the wrong sign": _negated},
)
TABLE.add(
    "ZeroToTheZero",
    "Rows at right angles, or at the origin, have the wrong kernel value.",
    "opencv/opencv#4962",
    {"0^0 is 0": _zero_power},
)
TABLE.add(
    "Cancellation",
    "Far from the origin rows that differ are the same, and the same rows differ.",
    "programs that compute distances by matrix products; linear kernels of times in seconds",
    {
        "x.z of rows as they are, far from 0": _formula(Linear, _of_product(lambda k, s: s)),
        "x.x + z.z - 2 x.z": _formula(Gaussian, _of_distance(expanded_distance)),
        "x.x + z.z - 2 x.z in single precision": _formula(
            Gaussian, _of_distance(_expanded_in_single)
        ),
        "x.x + z.z - 2 x.z when it trains only": _when_it_trains(
            _formula(Gaussian, _of_distance(expanded_distance))
        ),
        "x.x + z.z - 2 x.z in single precision when it trains only": _when_it_trains(
            _formula(Gaussian, _of_distance(_expanded_in_single))
        ),
    },
)
TABLE.add(
    "Float32Rows",
    "Multipliers end where single precision ends: large C and far rows are wrong.",
    "cjlin1/libsvm#225 cjlin1/libsvm#229 scikit-learn/scikit-learn#30353",
    {
        "kernel values are kept in single precision": _rounded(False),
        "kernel values are in single precision when it trains only": _rounded(True),
        "kernel values of centred rows are kept in single precision": lambda t: (
            _rounded(False)(centred(t) or t)
            if type(t.kernel) is Linear and t.bias and t.form != "one_class"
            else None
        ),
    },
)
TABLE.add(
    "DecisionArithmetic",
    "The model is right, and decides with another kernel than it was trained with.",
    "exported models: onnx/sklearn-onnx#302 eloquentarduino/micromlgen#14",
    {
        f"{words}, when it decides": _when_it_decides(change)
        for words, change in {**GAMMAS, **POLYNOMIALS, **FORMULAS}.items()
    },
)
