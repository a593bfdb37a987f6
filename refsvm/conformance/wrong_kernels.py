"""Kernels that known bugs compute: other parameters, other formulas, single precision."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from math import inf, sqrt
from struct import pack, unpack
from typing import Any, NamedTuple

from ..kernels.base import Kernel
from ..kernels.standard import Gaussian, Linear, Polynomial, Precomputed, Sigmoid
from ..numerics.elementary import exp, power
from ..numerics.linalg import dot, squared_distance, total
from .explanations import Explanation, float_kernel_rows, to_float
from .metamorphic import with_changes
from .protocol import NumericProblem
from .truth import kernel_values, on_fractions

Value = Callable[[Any, Any], Any]  # of two rows
Made = tuple[NumericProblem, Any]  # a problem, and rows to decide about
CANCELS = "the distance x.x + z.z - 2 x.z, which cancels far from zero"
LARGE = 1e150  # the square of a number beyond may be infinite


class WrongProblem(NamedTuple):
    """A problem that is solved by mistake.

    flag      the bug                          why      the words after "it is the optimum"
    make      returns what is solved, and the rows to decide about as it has them; None: nothing
              differs
    weight, variant, second   as in Explanation
    """

    flag: str
    why: str
    make: Callable[[], Made | None]
    weight: float = 1.0
    variant: str = ""
    second: Explanation | None = None


def changed(problem: NumericProblem, rows: Any, **changes: Any) -> Made:
    """Return the problem with some fields changed, and the rows."""
    return with_changes(problem, **changes), rows


def wrong_kernels(problem: NumericProblem, rows: Any) -> Iterator[WrongProblem]:
    """Yield the problem with the kernels that known bugs compute."""
    if not problem.kernel.has_rows:
        return
    for why, variant, kernel in wrong_parameters(problem):
        make = partial(changed, problem, rows, kernel=kernel)
        yield WrongProblem("KernelParameters", why, make, variant=variant)
    if type(problem.kernel) is Polynomial:
        yield from _wrong_powers(problem, rows)
    if type(problem.kernel) is Gaussian:
        yield from _wrong_distances(problem, rows)


# ---- parameters: (why, variant, kernel)


def wrong_parameters(problem: NumericProblem) -> Iterator[tuple[str, str, Kernel]]:
    """Yield the same kernel with parameters that are used by mistake."""
    for variant, kernel in {
        Gaussian: _wrong_gammas,
        Sigmoid: _wrong_slopes,
        Polynomial: _wrong_polynomials,
    }.get(type(problem.kernel), _no_parameters)(problem):
        if kernel != problem.kernel:
            yield f"with {kernel!r}: {variant}", variant, kernel


def _no_parameters(problem: NumericProblem) -> Iterator[tuple[str, Kernel]]:
    """Yield nothing."""
    return iter(())


def _wrong_gammas(problem: NumericProblem) -> Iterator[tuple[str, Kernel]]:
    """Yield the widths that come of other conventions."""
    gamma, width = problem.kernel.gamma, len(problem.X[0])
    conventions = {
        "2 gamma": 2 * gamma,
        "gamma / 2": gamma / 2,
        "gamma is taken for sigma, 1 / (2 sigma^2)": 1 / (2 * gamma * gamma) if gamma**2 else inf,
        "gamma is taken for sigma, 1 / sigma^2": 1 / (gamma * gamma) if gamma**2 else inf,
        "gamma^2": gamma * gamma,
        "1 / gamma": 1 / gamma,
        "1 / (2 gamma)": 1 / (2 * gamma),
        "gamma / features": gamma / width,
        "features gamma": gamma * width,
        "1 / features, gamma is ignored": 1 / width,
        "1, gamma is ignored": 1.0,
        "the root of gamma": sqrt(gamma),
        "1 / (features variance), gamma is ignored": scale_of(problem.X),
    }
    for variant, value in conventions.items():
        if 0 < value < inf:
            yield variant, Gaussian(value)


def scale_of(X: Any) -> float:
    """Return 1 / (features, times the variance of all values): gamma="scale"."""
    values = [Fraction(v) for x in X for v in x]
    middle = total(values) / len(values)
    variance: Any = total((v - middle) ** 2 for v in values) / len(values)
    return float(1 / (len(X[0]) * variance)) if 0 < variance < 2**900 else inf


def _wrong_slopes(problem: NumericProblem) -> Iterator[tuple[str, Kernel]]:
    """Yield sigmoids with parameters lost or exchanged."""
    gamma, coef0, width = problem.kernel.gamma, problem.kernel.coef0, len(problem.X[0])
    yield "coef0 is 0", Sigmoid(gamma, 0.0)
    yield "gamma is 1", Sigmoid(1.0, coef0)
    yield "gamma is 1 / features", Sigmoid(1 / width, coef0)
    yield "coef0 has the wrong sign", Sigmoid(gamma, -coef0)
    yield "2 gamma", Sigmoid(2 * gamma, coef0)
    yield "gamma / 2", Sigmoid(gamma / 2, coef0)
    yield "gamma multiplies coef0, too", Sigmoid(gamma, gamma * coef0)


def _wrong_polynomials(problem: NumericProblem) -> Iterator[tuple[str, Kernel]]:
    """Yield polynomials with parameters lost or exchanged."""
    kernel, width = problem.kernel, len(problem.X[0])
    degree, gamma, coef0 = kernel.degree, kernel.gamma, kernel.coef0
    yield "coef0 is 0", Polynomial(degree, gamma, 0.0)
    yield "gamma is 1", Polynomial(degree, 1.0, coef0)
    yield "gamma is 1 / features", Polynomial(degree, 1 / width, coef0)
    yield "the degree is 3", Polynomial(3, gamma, coef0)
    yield "the degree is 2", Polynomial(2, gamma, coef0)
    yield "a degree more", Polynomial(degree + 1, gamma, coef0)
    if degree > 0:
        yield "a degree less", Polynomial(degree - 1, gamma, coef0)
    if coef0 > 0:
        yield "gamma and coef0 are exchanged", Polynomial(degree, coef0, gamma)
    yield "coef0 is 1", Polynomial(degree, gamma, 1.0)
    yield "coef0 has the wrong sign", Polynomial(degree, gamma, -coef0)
    yield "gamma multiplies coef0, too", Polynomial(degree, gamma, gamma * coef0)
    yield "2 gamma", Polynomial(degree, 2 * gamma, coef0)
    yield "gamma / 2", Polynomial(degree, gamma / 2, coef0)


# ---- formulas


def _wrong_powers(problem: NumericProblem, rows: Any) -> Iterator[WrongProblem]:
    """Yield powers of inner products that are not (gamma x.z + coef0)^degree."""
    degree, gamma, coef0 = problem.kernel.degree, problem.kernel.gamma, problem.kernel.coef0
    for why, formula in (
        ("(gamma x.z)^degree + coef0", lambda s: power(gamma * s, degree) + coef0),
        ("gamma (x.z + coef0)^degree", lambda s: gamma * power(s + coef0, degree)),
        ("|gamma x.z + coef0|^degree", lambda s: power(abs(gamma * s + coef0), degree)),
    ):
        make = partial(with_values, problem, rows, _of_inner_product(formula))
        yield WrongProblem("KernelFormula", f"with {why}", make)


def _of_inner_product(formula: Callable[[Any], Any]) -> Value:
    """Return the function of two rows that is a formula of their inner product."""
    return lambda x, z: formula(dot(x, z))


def _wrong_distances(problem: NumericProblem, rows: Any) -> Iterator[WrongProblem]:
    """Yield exp(-gamma d) of another distance d than the square of the usual one."""
    gamma = problem.kernel.gamma

    def not_squared(x: Any, z: Any) -> Any:
        return exp(-gamma * sqrt(squared_distance(x, z)))

    def absolute(x: Any, z: Any) -> Any:
        return exp(-gamma * total(abs(p - q) for p, q in zip(x, z)))

    def expanded(x: Any, z: Any) -> Any:
        return exp(-gamma * max(0.0, dot(x, x) + dot(z, z) - 2 * dot(x, z)))

    def expanded_in_single(x: Any, z: Any) -> Any:
        squares = single(single(dot(x, x)) + single(dot(z, z)))
        return exp(-gamma * max(0.0, single(squares - 2 * single(dot(x, z)))))

    def overflow_as_0(x: Any, z: Any) -> Any:
        distance = squared_distance(x, z)
        return exp(-gamma * (distance if distance < inf else 0.0))

    formulas: list[tuple[str, str, Value]] = [
        ("KernelFormula", "with a distance not squared", not_squared),
        ("KernelFormula", "with a distance that sums absolute values", absolute),
    ]
    largest = max(abs(v) for x in [*problem.X, *rows] for v in x)
    if largest > LARGE and any(squared_distance(x, z) == inf for x in problem.X for z in rows):
        words = "with distances that overflow counted as 0"
        formulas = [("KernelFormula", words, overflow_as_0), *formulas]
    for flag, why, value in formulas:
        yield WrongProblem(flag, why, partial(with_values, problem, rows, value))
    if max(dot(x, x) for x in [*problem.X, *rows]) < inf:
        for words, value in (("", expanded), (", in single precision", expanded_in_single)):
            make = partial(with_values, problem, rows, value)
            why = f"with {CANCELS}{words}"
            yield WrongProblem("Cancellation", why, make)
            make = partial(with_values, problem, rows, value, in_fit_only=True)
            yield WrongProblem("Cancellation", f"{why}, in fit only", make)


def with_values(
    problem: NumericProblem, rows: Any, value: Value, in_fit_only: bool = False
) -> Made:
    """Return problem and rows with a Gram matrix of the values of a function of two rows."""
    K = [[value(x, z) for x in problem.X] for z in problem.X]
    if in_fit_only:
        there = float_kernel_rows(problem, rows)
    else:
        there = [[value(x, z) for x in problem.X] for z in rows]
    return with_changes(problem, X=K, kernel=Precomputed()), there


def exact_kernel_rows(problem: NumericProblem, rows: Any) -> list[list[Fraction]]:
    """Return the kernel values of each row with the examples, as Fractions."""
    problem, rows = on_fractions(problem, rows)
    return [kernel_values(problem, row) for row in rows]


# ---- precision


def in_single_precision(problem: NumericProblem, rows: Any) -> Iterator[WrongProblem]:
    """Yield rows, and kernel values, that are rounded to single or half precision."""
    if not problem.kernel.has_rows:
        return
    for name, round_off in (("single", single), ("half", half)):
        why = f"with rows in {name} precision"
        for only, words in ((False, why), (True, f"{why} in fit only")):
            make = partial(_with_rounded_rows, problem, rows, round_off, only)
            yield WrongProblem("Float32Rows", words, make)
    if type(problem.kernel) in (Linear, Polynomial, Gaussian, Sigmoid):
        why = "with kernel values in single precision"
        for only, words in ((False, why), (True, f"{why} in fit only")):
            make = partial(_with_rounded_values, problem, rows, only)
            yield WrongProblem("Float32Rows", words, make)


def _with_rounded_rows(
    problem: NumericProblem, rows: Any, round_off: Callable[[float], float], in_fit_only: bool
) -> Made | None:
    """Return the problem on rounded rows; None if they are the same, or too large."""
    X = [[round_off(v) for v in x] for x in problem.X]
    there = rows if in_fit_only else [[round_off(v) for v in x] for x in rows]
    same = X == problem.X and there == rows
    if same or max(abs(v) for x in [*X, *there] for v in x) == inf:
        return None
    return with_changes(problem, X=X), there


def _with_rounded_values(problem: NumericProblem, rows: Any, in_fit_only: bool) -> Made | None:
    """Return the problem on rounded kernel values; None if no margin can tell, or too large."""
    K, there = (float_kernel_rows(problem, some) for some in (problem.X, rows))
    rounded, at_rows = ([[single(v) for v in row] for row in some] for some in (K, there))
    if not differ(K, rounded) or max(abs(v) for row in [*rounded, *at_rows] for v in row) == inf:
        return None
    other = with_changes(problem, X=rounded, kernel=Precomputed())
    return other, there if in_fit_only else at_rows


def differ(K: list[list[float]], rounded: list[list[float]]) -> bool:
    """Return whether rounding has changed a value by so much that a margin can tell."""
    pairs = [(p, q) for row, other in zip(K, rounded) for p, q in zip(row, other)]
    return any(abs(p - q) > 1e-4 for p, q in pairs)


def single(value: Any) -> float:
    """Return the nearest number of single precision; the value itself beyond their range."""
    try:
        return float(unpack("f", pack("f", value))[0])
    except OverflowError:
        return to_float(value)


def half(value: float) -> float:
    """Return the nearest number of half precision; the largest of them beyond their range."""
    return float(unpack("e", pack("e", max(-65504.0, min(65504.0, value))))[0])
