"""NuSVC: nu-classification under scikit-learn's name, one against one like SVC.

All that is not training is SVC's. Each pair of classes is a NuProblem, whose answer is divided by
rho, as LIBSVM does: then the margin is 1, and a pair is the machine of SVC with C = 1 / rho.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from fractions import Fraction
from functools import partial
from math import frexp, inf
from typing import Any

from ..numerics.cures import Cure, giving, scaled
from ..numerics.quoting import quote
from ..numerics.rounding_bounds import rounded_down
from ..numerics.types import KernelLike, Number, RowsLike, Vector
from ..svm.dual_form import exact_total
from ..svm.nu_problem import NuProblem
from ..svm.one_vs_one import pairs
from .estimator import NoMachine, keep_parameters, may_be_degenerate
from .kernel_estimator import cure_of_meeting_hulls
from .pairwise_training import Pair, PairData, Watch, pair_data, pair_names, unwatched
from .svc import SVC
from .training_data import Targets, TrainingSet, Weights


class NuSVC(SVC):
    """Classify into two or more classes with a share of margin errors in the place of C.

    What is not named here is as in SVC.

    Parameters
    ----------
    nu : number above 0, at most 1
        the share of rows that may be margin errors; at least that share are support vectors
    class_weight : None, "balanced" or dict
        factors of the largest multiplier of a row
    kernel, degree, gamma, coef0, cache_size, max_iter, decision_function_shape, break_ties
        as in SVC
    tol : float
        how far the conditions of optimality may be violated, in units of the margin

    Attributes
    ----------
    rho_ : list of numbers, one for each pair
        the functional margin by which the answer of each pair was divided
    solutions_ : list of Solution, for the pairs (0,1) (0,2) .. (1,2) ..
        what the solver returned, before it was divided by rho

    Examples
    --------
    >>> X, y = [[0], [1], [3], [4]], [1, 1, 2, 2]
    >>> machine = NuSVC(nu=0.75, kernel="linear").fit(X, y)
    >>> machine.intercept_, machine.coef_, machine.predict([[1.5], [2.5]])
    ([-1.0], [[0.5]], [1, 2])
    """

    nu: Number
    C: Number = 1  # no parameter: what the weight of a row is multiplied by

    rho_: Vector

    _libsvm_type = "nu_svc"
    _problem_class = NuProblem

    def __init__(
        self,
        nu: Number = 0.5,
        kernel: str | KernelLike = "rbf",
        degree: int = 3,
        gamma: str | Number = "scale",
        coef0: Number = 0.0,
        tol: Number = 1e-3,
        cache_size: float = 200,
        class_weight: None | str | Mapping[Any, Number] = None,
        max_iter: int = -1,
        decision_function_shape: str = "ovr",
        break_ties: bool = False,
    ) -> None:
        keep_parameters(self, locals())

    def _training_set(self, X: RowsLike, y: Targets, sample_weight: Weights) -> TrainingSet:
        data = super()._training_set(X, y, sample_weight)
        total_weights = [exact_total(data.C[i] for i in rows) for rows in data.members]
        return data._replace(total_weights=total_weights)

    def _pair_problem(self, data: TrainingSet, p: int, q: int) -> tuple[list[int], Any]:
        rows, X, y, C = self._pair_data(data, p, q)
        return rows, self._problem_class(X, y, data.kernel, _nu_of_pair(self.nu, data, p, q), C)

    def _pair_data(self, data: TrainingSet, p: int, q: int) -> PairData:
        """Return the examples of the classes p and q."""
        return pair_data(data, p, q)

    def _check_parameters(self, data: TrainingSet) -> None:
        self._pair_problem(data, 0, 1)

    def _trained(
        self, data: TrainingSet, steps: int | None, cache_mb: Number, watch: Watch = unwatched
    ) -> list[Pair]:
        trained = super()._trained(data, steps, cache_mb, watch)
        for pair, name in zip(trained, pair_names(data.classes)):
            why = _why_no_machine(self.nu, data, pair, name)
            if why:
                cure = self._cure_of(pair, data, steps, cache_mb)
                raise NoMachine(pair.solution.status, why, cure)
        return trained

    def _cure_of(
        self, failed: Pair, data: TrainingSet, steps: int | None, cache_mb: Number
    ) -> Cure | None:
        """Return what to change where a pair has no machine, None if nothing was found."""
        if failed.solution.status == "max_iter":
            return giving("allow more steps, as max_iter=-1 does", "max_iter", -1)
        if failed.solution.status == "optimal" and failed.solution.offsets.rho.value > 0:
            power = -frexp(failed.solution.offsets.rho.value)[1] // 2
            return Cure(f"scale X, for example by 2.0**{power}", "X", partial(scaled, power))

        def trains(**changes: Any) -> bool:
            other = copy(self).set_params(**changes)
            changed = data._replace(kernel=other._checked_kernel(data))
            trained = super(NuSVC, other)._trained(changed, steps, cache_mb)
            return not any(_why_no_machine(other.nu, changed, pair, "") for pair in trained)

        return cure_of_meeting_hulls(self, _largest_nu(data), trains)

    def _in_units_of_margin(self, trained: list[Pair]) -> list[Pair]:
        return [
            pair._replace(
                solution=pair.solution._replace(
                    alpha=[a / rho for a in pair.solution.alpha], b=pair.solution.b / rho
                )
            )
            for pair, rho in zip(trained, _rho_of_pairs(trained))
        ]

    def _own_attributes(self, trained: list[Pair]) -> dict[str, Vector]:
        return {"rho_": _rho_of_pairs(trained)}


def _rho_of_pairs(trained: list[Pair]) -> Vector:
    """Return rho of each pair."""
    return [pair.solution.offsets.rho.value for pair in trained]


def _why_no_machine(nu: Number, data: TrainingSet, pair: Pair, name: str) -> str:
    """Return in a sentence why a pair of classes has no machine for this nu; "" if it has."""
    status = pair.solution.status
    if status == "infeasible":
        most = rounded_down(_nu_allowed(data, pair.p, pair.q), data.kind)
        return (
            f"nu is {quote(nu)}; {name} allow at most {quote(most)}, twice the share of the"
            " lighter one"
        )
    if status == "degenerate":
        return (
            f"nu is {quote(nu)}; the reduced hulls of {name} meet, so w is 0 and there is no"
            " machine"
        )
    rho = pair.solution.offsets.rho.value
    if may_be_degenerate(pair.solution) or rho <= 0:
        return (
            f"nu is {quote(nu)}; training {name} ended with status {quote(status)} where rho may"
            " be 0, as it is if the reduced hulls meet"
        )
    if data.kind is float and max(pair.solution.alpha) / rho == inf:
        return (
            f"rho of {name} is {quote(rho)}, and multipliers divided by it are beyond the doubles"
        )
    return ""


def _nu_of_pair(nu: Number, data: TrainingSet, p: int, q: int) -> Number:
    """Return nu, rounded down where it is the double next above the largest share of two classes.

    As 0.1 is, of 5 rows in 100: the double is 5e-18 above the share.
    """
    most = _nu_allowed(data, p, q)
    is_rounded = type(nu) is float and nu > most and nu == float(most)
    return rounded_down(most, data.kind) if is_rounded else nu


def _nu_allowed(data: TrainingSet, p: int, q: int) -> Fraction:
    """Return the largest nu of two classes: twice the share of the lighter one."""
    lighter, heavier = sorted([data.total_weights[p], data.total_weights[q]])
    return 2 * lighter / (lighter + heavier)


def _largest_nu(data: TrainingSet) -> Number:
    """Return the largest nu that all pairs of classes allow."""
    least = min(_nu_allowed(data, p, q) for p, q in pairs(len(data.classes)))
    return rounded_down(least, data.kind)  # type: ignore[no-any-return]
