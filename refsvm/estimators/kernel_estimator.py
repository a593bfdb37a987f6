"""What the estimators with a kernel share: its parameters, gamma as a word, and what fit leaves.

gamma "scale" is 1 / (d v), with v the variance of all numbers of X, and 1 where v = 0. Squares
of numbers near the ends of the doubles are beyond them. So v is computed of numbers in an ordinary
unit, a power of two (numerics/powers_of_two.py), and gamma is brought back from there: data
scaled by 2^k have the gamma scaled by 4^-k. "scale/4" is a quarter of it, "scale/0.25" four times.

    n, d    rows and columns of X        k    number of classes
    p, q    the places of two classes in classes_, p < q
    e       the exponent of the unit: the numbers were divided by 2^e

Source: Pedregosa et al., Scikit-learn: Machine Learning in Python (2011), for the words.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from math import inf, sqrt
from operator import neg, pos
from typing import Any, ClassVar

from ..kernels.base import Kernel, as_kernel
from ..kernels.gram_matrices import refuse_if_numbers, refuse_if_string
from ..kernels.standard import WORDS, Linear, Precomputed, parameters_of
from ..numerics.cures import Cure, giving, scaled, with_cure
from ..numerics.linalg import total
from ..numerics.powers_of_two import in_ordinary_unit, times_power_of_two
from ..numerics.quoting import quote
from ..numerics.sparse_rows import converted, rows_from, total_of
from ..numerics.types import KernelLike, Kind, Label, Matrix, Number, Rows, RowsLike, Vector
from ..numerics.validation import one_of, positive
from ..solvers.smo import smo
from ..svm.model import SingleDecision, Solution
from ..svm.one_vs_one import OneAgainstOne, pair_terms, pair_weights, pairs
from ..svm.problem_rows import require_gram
from ..svm.training_problem import TrainingProblem
from .estimator import BaseEstimator, Endings, not_fitted, rows_as_in_fit, solver_limits
from .training_data import Targets, TrainingSet, Weights, other_numbers, read_rows, valued_rows

# Below 2^-1022 a double has fewer digits, and a gamma rounded to these belongs to data a little
# longer or shorter than those given. Down to here it has 27 or more, so that the error is at most
# 2^-27 of gamma; below, half of the digits are gone, and the data are refused with the cure.
MIN_SCALE_GAMMA = times_power_of_two(1, -1048)


class KernelEstimator(BaseEstimator):
    """The base of the estimators with a kernel."""

    kernel: str | KernelLike
    degree: int
    gamma: str | Number
    coef0: Number
    cache_size: float

    support_: list[int]
    n_support_: list[int]
    support_vectors_: Rows
    dual_coef_: Matrix
    intercept_: Vector
    fit_status_: int
    shape_fit_: tuple[int, ...]

    def _read(self, X: RowsLike, beside: Sequence[object]) -> tuple[Any, Kind]:
        """Return the rows of X, and the kind of all numbers; see read_rows."""
        return read_rows(X, beside)

    def _refuse_strings(self, first: object) -> None:
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
        return variance(data.present_of(data.rows), data.kind)

    def _solve(self, problem: Any, tol: Number, max_iter: int | None, **options: Any) -> Any:
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


class SingleMachine(KernelEstimator):
    """The base of those that train one machine on all rows: SVR, NuSVR, OneClassSVM, SVDD.

    A subclass says which problem its parameters make, and what its offsets are called.
    """

    n_iter_: int
    solution_: Solution
    model_: SingleDecision

    _problem_class: ClassVar[Any]

    def _solver_settings(self) -> tuple[Any, ...]:
        return solver_limits(self)

    def _training_set(self, X: RowsLike, y: Targets, sample_weight: Weights) -> TrainingSet:
        rows, kind = self._read(X, other_numbers(self, y, sample_weight))
        self._refuse_strings(rows[0])
        data = valued_rows(rows, kind, y, sample_weight)
        return data._replace(kernel=self._checked_kernel(data))

    @abstractmethod
    def _problem(self, data: TrainingSet) -> TrainingProblem:
        """Return the problem that the parameters make of the rows."""

    def _check_parameters(self, data: TrainingSet) -> None:
        self._problem(data)

    def _rows_to_train(self, data: TrainingSet) -> Matrix:
        """Return the rows that are present; of a Gram matrix these columns only."""
        rows = data.present_of(data.rows)
        return list(map(data.present_of, rows)) if isinstance(data.kernel, Precomputed) else rows

    def _learn(self, data: TrainingSet, *settings: Any) -> dict[str, Any]:
        solution = self._solved(data, *settings)
        self._refuse_failure(solution, data, *settings)
        model = self._model(data, solution)
        return {
            **_attributes_of_one(data, solution),
            **self._model_attributes(model),
            **self._own_attributes(solution, model),
        }

    def _solved(self, data: TrainingSet, steps: int | None, cache_mb: Number) -> Any:
        """Return the Solution of the problem that the parameters make of the rows."""
        return self._solve(self._problem(data), self.tol, steps, cache_mb=cache_mb)

    def _refuse_failure(self, solution: Solution, data: TrainingSet, *limits: Any) -> None:
        """Raise NoMachine where there is none; limits are those of _solved."""

    def _model(self, data: TrainingSet, solution: Solution) -> SingleDecision:
        """Return the model; precomputed values are counted by all rows, not by those present."""
        model = solution.model()
        if not isinstance(data.kernel, Precomputed):
            return model
        return model._replace(vectors=[data.present[i] for i in model.vectors])

    def _own_attributes(self, solution: Solution, model: Any) -> dict[str, Vector]:
        """Return the fitted attributes that are the estimator's own."""
        return {"intercept_": [solution.b]}

    def _endings(self) -> Endings:
        return [type(self).__name__], [self.solution_], "machines"

    def _decisions(self, X: RowsLike) -> Vector:
        """Return the decision value of each row of X, checked against those given to fit."""
        model = getattr(self, "model_", None)
        if model is None:
            raise not_fitted(self)
        rows = rows_as_in_fit(self, X, type(model[0]), model.vectors)
        return model.decisions(rows)  # type: ignore[no-any-return]

    @property
    def coef_(self) -> Matrix:
        """The weights w, one row; AttributeError unless linear."""
        model = self._kept_model()
        if model is None or type(model.kernel) is not Linear:
            raise AttributeError("coef_ is there after fit, and with a linear kernel only")
        return [model.w]


def cure_of_meeting_hulls(machine: Any, most: Number, trains: Callable[..., bool]) -> Cure | None:
    """Return what parts reduced hulls that meet, None if nothing was found.

    The larger nu is, the smaller they are. Where the largest does not help, the Gaussian kernel
    parts any rows that differ, as its Gram matrix is positive definite. Each is tried, in doubles,
    before it is recommended.

    most: the largest nu that the rows allow
    trains: trains(nu=.., kernel=..) tells whether there is a machine for these parameters
    """
    if machine.nu != most and trains(nu=most):
        size = "larger" if machine.nu < most else "smaller"
        words = f"take a {size} nu, such as {quote(most)}, or another kernel"
        return giving(words, "nu", most)
    if machine.kernel != "precomputed" and trains(nu=min(machine.nu, most), kernel="rbf"):
        return giving(f"nu={quote(most)} does not help, so take kernel='rbf'", "kernel", "rbf")
    return None


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
    if not MIN_SCALE_GAMMA <= gamma < inf:
        size = times_power_of_two(1 / sqrt(in_unit * features), e)  # their deviation
        raise with_cure(
            ValueError,
            "gamma 'scale' is 1 / (features * variance), beyond the doubles, as the numbers of X"
            f" are around {size:.0e} in size;",
            Cure(f"scale them, for example by 2.0**{-e}", "X", partial(scaled, -e)),
        )
    return gamma


def variance(rows: list[Vector], kind: Kind) -> tuple[Number, int]:
    """Return (v, e): the mean squared distance of all numbers from their mean is v 4^e (S2.10).

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


class Classes(list):  # type: ignore[type-arg]
    """A list of labels with the one method that scikit-learn's scorers expect of an array."""

    def tolist(self) -> list[Label]:
        return list(self)


def attributes_of_pairs(
    data: TrainingSet, support: list[int], model: OneAgainstOne
) -> dict[str, Any]:
    """Return the attributes of machines for all pairs of classes, but for the model's own, and
    those of attributes_of_endings."""
    # With two classes they speak for the later one.
    turned: Callable[[Vector], Vector]
    turned = (lambda numbers: [-v for v in numbers]) if len(model.classes) == 2 else list
    return {
        "classes_": Classes(model.classes),
        "class_weight_": data.class_weights,
        "support_": support,
        "n_support_": list(model.counts),
        "dual_coef_": [turned(coefs) for coefs in model.coefs],
        "intercept_": turned(model.offsets),
        **_attributes_of_rows(data.rows),
    }


def attributes_of_endings(solutions: list[Solution]) -> dict[str, Any]:
    """Return the attributes that tell how the training of each pair of classes ended."""
    return {
        "n_iter_": [solution.iterations for solution in solutions],
        "fit_status_": 0 if all(found.status == "optimal" for found in solutions) else 1,
        "solutions_": solutions,
    }


def _attributes_of_one(data: TrainingSet, solution: Solution) -> dict[str, Any]:
    """Return the attributes of one machine for all rows, but for the model's own."""
    coefs = solution.problem.beta(solution.alpha)
    used = [(i, c) for i, c in zip(data.present, coefs) if c != 0]
    return {
        "support_": [i for i, _ in used],
        "n_support_": [len(used)],
        "dual_coef_": [[c for _, c in used]],
        "n_iter_": solution.iterations,
        "fit_status_": 0 if solution.status == "optimal" else 1,
        "solution_": solution.without_problem(),
        **_attributes_of_rows(data.rows),
    }


def _attributes_of_rows(rows: Any) -> dict[str, Any]:
    """Return shape_fit_ and n_features_in_; strings have no columns."""
    n, first = len(rows), rows[0]
    if isinstance(first, str):
        return {"shape_fit_": (n,)}
    return {"shape_fit_": (n, len(first)), "n_features_in_": len(first)}


def weights_by_pair(
    model: OneAgainstOne, d: int, weights: Callable[..., Sequence[Number]] = pair_weights
) -> Matrix:
    """Return coef_ of a linear model of d features; weights(model, terms) is w of one pair."""
    k = len(model.classes)
    none = rows_from([([], [])], d, 0)[0]  # when no step was allowed there is no vector
    W = [weights(model, pair_terms(model, p, q)) or none for p, q in pairs(k)]
    return [converted(w, neg if k == 2 else pos) for w in W]


def model_attributes(model: Any) -> dict[str, Any]:
    """Return the fitted attributes that are the model's own: itself, and a copy of its rows."""
    rows = [] if isinstance(model.kernel, Precomputed) else model.vectors
    vectors = [list(row) if isinstance(row, list) else row for row in rows]
    return {"support_vectors_": vectors, "model_": model}
