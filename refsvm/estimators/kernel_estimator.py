"""What the estimators with a kernel share: the parameters that mean it, and gamma as a word.

gamma "scale" is 1 / (d v), with v the variance of all numbers of X, and 1 where v = 0. Squares
of numbers near the ends of the doubles are beyond them. So v is computed of numbers in an ordinary
unit, a power of two (numerics/powers_of_two.py), and gamma is brought back from there: data
scaled by 2^k have the gamma scaled by 4^-k. "scale/4" is a quarter of it, "scale/0.25" four times.

    d    columns of X
    e    the exponent of the unit: the numbers were divided by 2^e

Source: Pedregosa et al., Scikit-learn: Machine Learning in Python (2011), for the words.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf, sqrt
from typing import Any

from ..kernels.base import Kernel, as_kernel
from ..kernels.gram_matrices import refuse_if_numbers, refuse_if_string
from ..kernels.standard import WORDS, Precomputed, parameters_of
from ..numerics.linalg import total
from ..numerics.powers_of_two import in_ordinary_unit, times_power_of_two
from ..numerics.quoting import quote
from ..numerics.sparse_rows import total_of
from ..numerics.types import KernelLike, Kind, Matrix, Number, Vector
from ..numerics.validation import one_of, positive
from ..solvers.smo import smo
from ..svm.problem_rows import require_gram
from .estimator import BaseEstimator
from .fitted_attributes import model_attributes
from .training_data import TrainingSet, read_rows

# Below 2^-1022 a double has fewer digits, and a gamma rounded to these belongs to data a little
# longer or shorter than those given. Down to here it has 27 or more, so that the error is at most
# 2^-27 of gamma; below, half of the digits are gone, and the data are refused with the cure.
LEAST_GAMMA = times_power_of_two(1, -1048)


class KernelEstimator(BaseEstimator):
    """The base of the estimators with a kernel."""

    kernel: str | KernelLike
    degree: int
    gamma: str | Number
    coef0: Number
    cache_size: float

    support_: list[int]
    n_support_: list[int]
    support_vectors_: list[Any]
    dual_coef_: Matrix
    intercept_: Vector
    fit_status_: int
    shape_fit_: tuple[int, ...]

    def _read(self, X: Any, beside: list[Any]) -> tuple[Any, Kind]:
        """Return the rows of X, and the kind of all numbers; see read_rows."""
        return read_rows(X, beside)

    def _refuse_strings(self, first: Any) -> None:
        """Raise TypeError if the first row is a string, and the kernel is a word for numbers."""
        if isinstance(first, str) and isinstance(self.kernel, str):
            raise TypeError(
                f"X[0] is {quote(first)}; the kernel {quote(self.kernel)} needs rows of numbers"
            )

    def _checked_kernel(self, data: TrainingSet) -> Kernel:
        """Return the kernel object that the parameters mean, which takes the rows."""
        kernel, first = _kernel_for(self, data).to(data.kind), data.rows[0]
        refuse_if_string(kernel, first, "X[0]")
        refuse_if_numbers(kernel, first, "X[0]")
        if isinstance(kernel, Precomputed) and type(data.rows) is list:  # else it is known
            require_gram(data.rows)
        return kernel

    def _variance(self, data: TrainingSet) -> tuple[Number, int]:
        """Return (v, e): the variance of the rows present is v 4^e."""
        return variance(data.of_present(data.rows), data.kind)

    def _solve(self, problem: Any, tol: Any, max_iter: int | None, **options: Any) -> Any:
        """Return the Solution of a problem."""
        return smo(problem, tol, max_iter, **options)

    def _model_attributes(self, model: Any) -> dict[str, Any]:
        """Return the fitted attributes that are the model's own."""
        return model_attributes(model)

    def _kept_model(self) -> Any:
        """Return the model as fit left it, None before; refsvm_fast's may be packed."""
        return getattr(self, "model_", None)

    def _more_tags(self) -> dict[str, bool]:
        """Return the tags of scikit-learn before 1.6: precomputed X is cut on both sides."""
        return {"pairwise": takes_gram(self.kernel)}


def takes_gram(kernel: object) -> bool:
    """Tell whether the rows of X are those of a Gram matrix, by the parameter `kernel`.

    The parameter may be anything: an array compared with a word would be no truth value.
    """
    return isinstance(kernel, Precomputed) or isinstance(kernel, str) and kernel == "precomputed"


def _kernel_for(estimator: KernelEstimator, data: TrainingSet) -> Kernel:
    """Return the kernel object that the parameters of an estimator mean."""
    word = estimator.kernel
    if not isinstance(word, str):
        return as_kernel(word)
    one_of(word, WORDS, "kernel")
    given = {name: getattr(estimator, name) for name in parameters_of(WORDS[word])}
    if "gamma" in given:
        given["gamma"] = _gamma_for(estimator, data)
    return WORDS[word](**given)


def _gamma_for(estimator: KernelEstimator, data: TrainingSet) -> Number:
    """Return gamma as a number: "scale", a part of it, "auto" or the positive number given."""
    gamma, kind = estimator.gamma, data.kind
    if not isinstance(gamma, str):
        return positive(kind, gamma, "gamma")
    divisor = divisor_of_scale(gamma)
    if divisor is None and gamma != "auto":
        raise ValueError(
            f"gamma is {quote(gamma)}; the known ones are 'scale', 'auto', 'scale/4' and the like"
        )
    v, e = (kind(1), 0) if gamma == "auto" else estimator._variance(data)
    part = kind(1) / kind(divisor or 1)
    if v == 0:
        return part
    in_unit = part / (len(data.rows[0]) * v)
    # A Fraction has e = 0: what follows is for doubles.
    return in_unit if e == 0 else _gamma_in_doubles(in_unit, e, len(data.rows[0]))


def divisor_of_scale(word: str) -> str | None:
    """Return the positive decimal number N of the word "scale/N"; None if it is another word.

    >>> divisor_of_scale("scale"), divisor_of_scale("scale/0.25"), divisor_of_scale("scale/-4")
    ('1', '0.25', None)
    """
    scale, slash, divisor = word.partition("/")
    if scale != "scale":
        return None
    if not slash:
        return "1"
    is_decimal = divisor.isascii() and divisor.replace(".", "", 1).isdigit()
    return divisor if is_decimal and 0 < float(divisor) < inf else None


def _gamma_in_doubles(in_unit: Number, e: int, features: int) -> float:
    """Return gamma of the numbers themselves; ValueError if it is beyond the doubles.

    >>> _gamma_in_doubles(1.5, -600, 1)
    Traceback (most recent call last):
      ...
    ValueError: gamma 'scale' is 1 / (features * variance), beyond the doubles, as the \
numbers of X are around 2e-181 in size; scale them, for example by 2.0**600
    """
    gamma = times_power_of_two(in_unit, -2 * e)
    if not LEAST_GAMMA <= gamma < inf:
        size = times_power_of_two(1 / sqrt(in_unit * features), e)  # their deviation
        raise ValueError(
            "gamma 'scale' is 1 / (features * variance), beyond the doubles, as the numbers of X"
            f" are around {size:.0e} in size; scale them, for example by 2.0**{-e}"
        )
    return gamma


def variance(rows: list[Vector], kind: Kind) -> tuple[Number, int]:
    """Return (v, e): the mean squared distance of all numbers from their mean is v 4^e.

    Each row sums by itself. Numbers are measured from the first of them, so that equal numbers
    have variance 0 exactly.

    >>> variance([[1.0, 2.0], [3.0, 6.0]], float)
    (0.21875, 2)
    """
    rows, e = (rows, 0) if kind is Fraction else in_ordinary_unit(rows)
    # The mean of all numbers is found as the first number and a mean excess over it, so that
    # numbers that are large and near each other lose no digits.
    first, count = rows[0][0], kind(len(rows) * len(rows[0]))
    excess = total(total_of(row, lambda v: v - first) for row in rows)
    mean = first + excess / count
    return total(total_of(row, lambda v: (v - mean) * (v - mean)) for row in rows) / count, e
