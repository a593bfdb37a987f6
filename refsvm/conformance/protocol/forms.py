"""The machines that can be audited beside classification, and how each is asked.

    form         which problem a request states, by the names of LIBSVM's model files; None: C-SVC
    parameters   what the problem has beside the rows, the kernel and the bounds
    bounds       C_i of a request, in each case the largest multiplier: the table of section S20.8
    answers      "classes"; "values", numbers that are predicted; or "outliers": no y, +1 inside

The problem with penalty 1 and weights C_i is the one with penalty C and weights w_i.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernels.base import Kernel
from ...numerics.types import Vector
from ...numerics.validation import one_of
from ...svm.ball_problem import BallProblem
from ...svm.nu_problem import NuProblem
from ...svm.one_class_problem import OneClassProblem
from ...svm.problem import Problem
from ...svm.regression_problem import NuRegressionProblem, RegressionProblem
from ...svm.training_problem import TrainingProblem


class Form(NamedTuple):
    """A machine, as it is asked.

    name, words  as in a request, and in a sentence
    problem      the class of its problems
    parameter    epsilon or nu; None of the ball, which has neither
    has_C        whether bounds are penalties, so that a program may have one C for all
    answers      "classes", "values" or "outliers"
    estimators   names of estimators that train it, in small letters and without "_"
    """

    name: str
    words: str
    problem: Any
    parameter: str | None
    has_C: bool
    answers: str
    estimators: tuple[str, ...]

    @property
    def is_labelled(self) -> bool:
        """Whether the problem has a y."""
        return self.answers != "outliers"


C_SVC = "c_svc"
FORMS = {
    form.name: form
    for form in (
        Form("nu_svc", "nu-classification", NuProblem, "nu", False, "classes",
             ("nusvc", "nusvm")),
        Form("epsilon_svr", "regression with a tube of given width", RegressionProblem, "epsilon",
             True, "values", ("svr", "epsilonsvr", "epssvr", "linearsvr")),
        Form("nu_svr", "regression with a share of rows outside its tube", NuRegressionProblem,
             "nu", True, "values", ("nusvr",)),
        Form("one_class", "one class", OneClassProblem, "nu", False, "outliers",
             ("oneclass", "oneclasssvm", "oneclasssvc", "ocsvm")),
        Form("svdd", "the smallest ball", BallProblem, None, True, "outliers", ("svdd",)),
    )
}  # fmt: skip
CLASSIFIERS = ("svc", "csvc", "linearsvc", "svmclassifier")  # names that mean C-SVC


def form_named(name: str | None) -> Form | None:
    """Return the Form of this name; None of C-SVC, which has none."""
    if name is None or one_of(name, (C_SVC, *FORMS), "form") == C_SVC:
        return None
    return FORMS[name]


def form_of_problem(problem: Any) -> Form | None:
    """Return the Form of a problem; None of a Problem, which is C-SVC."""
    if isinstance(problem, Problem):
        return None
    return next(form for form in FORMS.values() if type(problem).__mro__.count(form.problem))


def bounds_of(problem: TrainingProblem) -> list[Any]:
    """Return the largest size of each multiplier: C_i, or w_i where there is no C."""
    if isinstance(problem, Problem):
        return list(problem.C)
    machine: Any = problem
    C = getattr(problem, "C", 1)
    return [C * w for w in machine.example_weights]


def labels_of(problem: TrainingProblem) -> Vector:
    """Return y; ones of a problem that has none."""
    return list(getattr(problem, "y", [1] * problem.n))


def parameter_of(problem: TrainingProblem) -> dict[str, Any]:
    """Return {epsilon or nu: its value}."""
    form = form_of_problem(problem)
    name = None if form is None else form.parameter
    return {} if name is None else {name: getattr(problem, name)}


def make_problem(
    form: Form, X: Any, y: Any, kernel: Kernel, bounds: list[Any], parameter: Any
) -> Any:
    """Return the problem of a form: with one C for all if the bounds are equal, else weights."""
    alike = len(set(bounds)) == 1
    given: dict[str, Any] = {"X": X, "kernel": kernel}
    if form.is_labelled:
        given["y"] = y
    if form.parameter is not None:
        given[form.parameter] = parameter
    if form.has_C:
        given["C"] = bounds[0] if alike else 1
    if not alike or not (form.has_C or bounds[0] == 1):
        given["weights"] = bounds
    return form.problem(**given)


def changed_problem(problem: Any, **changes: Any) -> Any:
    """Return a problem of the same machine; changes: X, y, kernel, bounds, epsilon, nu, bias .."""
    form = form_of_problem(problem)
    given = {"X": problem.X, "y": labels_of(problem), "kernel": problem.kernel}
    given = {**given, "bounds": bounds_of(problem), **parameter_of(problem), **changes}
    if form is None:
        C = given.pop("bounds")
        return Problem(**{"bias": problem.bias, "slack": problem.slack, "C": C, **given})
    parameter = given[form.parameter] if form.parameter else None
    return make_problem(form, given["X"], given["y"], given["kernel"], given["bounds"], parameter)
