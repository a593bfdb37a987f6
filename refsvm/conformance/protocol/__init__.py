"""What is asked of the program under audit, and what it answers: one line of JSON each.

    Request    train on this problem, then decide about these rows
    Answer     the decisions, and whatever else the program knows of its model

The same two go to an estimator in this process, to one in a process of its own and to a program
in another language; spec/standard/audit.md explains every field. Numbers are JSON's, the shortest
decimals that read back to the same double; the three numbers that JSON lacks are the strings
"inf", "-inf" and "nan".

    X, y, C    rows, labels, penalties, one an example; of other machines, see forms.py
    rows       the rows to decide about: those of X first
    beta       alpha_i y_i of each example

    case              a problem whose optimum is known        forms     which machines there are
    plain_values      any object as lists, numbers, words     records   what each check found
    answer_reader     whatever is answered, checked           refusals  when not to answer is right
    kernel_tables     exact kernel values, quickly
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import inf, isfinite
from typing import Any, NamedTuple

from ...kernels.base import Kernel
from ...kernels.standard import Gaussian, Linear, Polynomial, Precomputed, Sigmoid
from ...svm.problem import Problem
from .forms import bounds_of, form_named, form_of_problem, labels_of, make_problem, parameter_of
from .kernel_tables import kernel_table

KERNEL_CLASSES = {
    "linear": Linear,
    "polynomial": Polynomial,
    "gaussian": Gaussian,
    "sigmoid": Sigmoid,
    "precomputed": Precomputed,
}
NumericProblem = Any  # a Problem whose rows hold numbers, no strings: no annotation says so
OPTIMAL = "optimal"
NOT_PREDICTED = "not predicted"  # in the place of a label, of a row that a function was not given
LIMITS = (
    "max_iter, maxiter, max iter, max number, max iterations, max steps, maximum number,"
    " maximum iterations, maximum steps, number of iterations, iteration limit, step limit,"
    " time limit, limit of steps, limit of iterations, limit reached, its limit, time out,"
    " timeout, terminated early, stopped early, not converge, n't converge, not yet converge,"
    " failed to converge, before convergence, without convergence, no convergence,"
    " non-convergence, ConvergenceWarning, not finished, unfinished"
)  # the words stand in chapter S19 of the standard, too
LIMIT = re.compile("|".join(map(re.escape, LIMITS.split(", "))), re.IGNORECASE)
NOT_FINITE = {"inf": inf, "-inf": -inf, "nan": float("nan")}


class Request(NamedTuple):
    """One problem, and the rows to decide about.

    None means: as the program usually does.
    """

    id: str
    X: Sequence[Any]
    y: Sequence[Any]
    C: Sequence[Any]
    kernel: dict[str, Any]  # {"name": .., its parameters}
    rows: list[Any]
    bias: bool | None = None
    slack: str | None = None
    tol: float | None = None  # how far the conditions of optimality may be off
    class_weight: Any = None  # of an estimator: [[label, weight], ..] or "balanced"
    max_iter: int | None = None  # steps allowed; None: as many as needed
    extras: Any = False  # whether to fit twice, to decide row by row, to save and load; 2: and
    #                      to fit other rows in between
    threads: int | None = None  # fit in so many threads at once, and with so many of its own
    pairs: bool = False  # of an estimator: return the decisions of each pair of classes
    brief: bool = False  # of an estimator: the decisions will do, no predictions
    form: str | None = None  # which machine, see forms.py; None: C-SVC
    epsilon: float | None = None  # of regression: half the width of the tube
    nu: float | None = None  # of nu-classification, nu-regression and one class
    arrays: dict[str, str] | None = None  # of an estimator: {"X", "y" or "rows": array_forms.py}
    settings: dict[str, Any] | None = None  # of an estimator: more of its constructor's parameters
    before: Any = None  # of an estimator: what is done before the fit, see histories.py
    after: Any = None  # the same after the fit, before it decides


class Answer(NamedTuple):
    """What came back, as answer_reader.py has read it. None for what was not said."""

    decisions: Any = None  # f of each of the rows asked about
    predictions: Any = None  # a label for each of them
    alpha: Any = None  # the multiplier of each example; or, with its sign,
    beta: Any = None
    b: Any = None
    w: Any = None
    rho: Any = None  # of nu-classification: the margin, of decisions not divided by it; -b
    epsilon: Any = None  # of nu-regression: half the width of the tube
    radius2: Any = None  # of the ball: b
    status: Any = None  # "optimal", or what else happened
    warnings: Any = None
    attributes: Any = None  # of an estimator: support, support_vectors, n_support, ..
    exchanged: Any = None  # the decisions after a fit with the classes exchanged
    refitted: Any = None  # the decisions after a second fit of the same model
    repeated: Any = None  # those of another new model, fitted alike, if refitted are others
    after_other_fit: Any = None  # the decisions of the first model, after another one was fitted
    one_by_one: Any = None  # [(number of a row, its decision when asked alone), ..]
    threaded: Any = None  # lists of decisions, each of a fit with threads; or what went wrong
    scores: Any = None  # of more than two classes: the decisions about each row
    changed: Any = None  # the name of an argument that is another one afterwards
    reloaded: Any = None  # the decisions of a saved and loaded model; or what went wrong
    unsupported: Any = None  # a sentence: this sort of problem is not on offer
    refused: Any = None  # a sentence: this problem was refused
    crashed: Any = None  # a sentence: an exception of a sort that is seldom a refusal
    place: Any = None  # of an exception: where it was raised
    died: Any = None  # a sentence: the process ended
    late: Any = None  # a sentence: no answer within the deadline
    malformed: Any = None  # a sentence: a field is not of the form that was asked for


def says_unfinished(answer: Answer) -> bool:
    """Return whether the program says of itself that it has not finished."""
    words = " ".join(answer.warnings or []).lower()
    return answer.status not in (None, OPTIMAL) or any(
        word in words for word in ("converge", "max_iter", "iterations", "status", "optimal")
    )


def stopped_at(answer: Answer) -> str | None:
    """Return the words by which a program says that it stopped at a limit of its own, else None.

    They are those of LIMITS, in its status or, where it states none, in a warning; of a status
    "limit" will do.

    >>> stopped_at(Answer(status="max_iter")), stopped_at(Answer(status="user_limit"))
    ('max_iter', 'user_limit')
    >>> stopped_at(Answer(status="optimal", warnings=["max_iter reached"]))
    """
    if answer.status is not None:
        is_limit = LIMIT.search(answer.status) or "limit" in answer.status.lower()
        return answer.status if is_limit else None
    return next((words for words in answer.warnings or [] if LIMIT.search(words)), None)


# ---- lines of JSON


def to_line(message: Request | Answer) -> str:
    """Return a Request or an Answer as a line of JSON, without what is None.

    >>> to_line(Answer(decisions=[0.5, inf]))
    '{"decisions": [0.5, "inf"]}'
    """
    fields = {name: value for name, value in message._asdict().items() if value is not None}
    return json.dumps(floats_to_words(fields), allow_nan=False, default=float)  # Fractions, too


def request_from_line(line: str) -> Request:
    """Return the Request that a line holds."""
    return Request(**words_to_floats(json.loads(line)))


def floats_to_words(value: Any) -> Any:
    """Return the value with words for the floats that JSON has no numbers for."""
    if isinstance(value, float) and not isfinite(value):
        return "nan" if value != value else "inf" if value > 0 else "-inf"
    if isinstance(value, dict):
        return {key: floats_to_words(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [floats_to_words(item) for item in value]
    return value


def words_to_floats(value: Any) -> Any:
    """Return the value with floats for those words: what floats_to_words was given."""
    if isinstance(value, str):
        return NOT_FINITE.get(value, value)
    if isinstance(value, dict):
        return {key: words_to_floats(item) for key, item in value.items()}
    if isinstance(value, list):
        return [words_to_floats(item) for item in value]
    return value


# ---- problems


def kernel_document(kernel: Kernel) -> dict[str, Any] | None:
    """Return {"name": .., parameters} of a kernel that the messages know, else None.

    >>> kernel_document(Polynomial(2, coef0=1))
    {'name': 'polynomial', 'degree': 2, 'gamma': 1.0, 'coef0': 1.0}
    """
    for name, known in KERNEL_CLASSES.items():
        if type(kernel) is known:
            parameters = vars(kernel).items()
            return {"name": name, **{k: v if k == "degree" else float(v) for k, v in parameters}}
    return None


def problem_from_request(request: Request) -> Any:
    """Return the problem that a Request asks to be solved, on floats."""
    parameters = {k: v for k, v in request.kernel.items() if k != "name"}
    kernel = KERNEL_CLASSES[request.kernel["name"]](**parameters)
    form = form_named(request.form)
    if form is not None:
        parameter = getattr(request, form.parameter) if form.parameter else None
        return make_problem(form, request.X, request.y, kernel, list(request.C), parameter)
    return Problem(
        request.X,
        request.y,
        kernel,
        request.C,
        bias=request.bias is not False,
        slack=request.slack or "hinge",
    )


def as_doubles(problem: Any, queries: Iterable[Any]) -> tuple[Any, list[list[float]]]:
    """Return the problem and the rows as messages hold them: on doubles, with a kernel they know.

    The rows are those of the problem, then the queries. Another kernel becomes its Gram matrix.
    """
    rows = [*problem.X, *queries]
    if kernel_document(problem.kernel) is None:
        rows = kernel_table(problem.kernel, problem.X, rows).doubles()
        problem = problem.with_rows(rows[: problem.n], Precomputed(), float)
    problem = problem if problem.kind is float else problem.to(float)
    return problem, [list(map(float, row)) for row in rows]


def request_for(
    name: str, problem: Any, rows: list[Any], tol: float | None, extras: Any = False
) -> Request:
    """Return the Request about a problem of `as_doubles`."""
    form = form_of_problem(problem)
    return Request(
        name,
        problem.X,
        labels_of(problem),
        bounds_of(problem),
        kernel_document(problem.kernel) or {},
        rows,
        problem.bias if form is None else None,
        problem.slack if form is None else None,
        tol,
        extras=extras,
        form=None if form is None else form.name,
        **parameter_of(problem),
    )


def as_fractions(values: Iterable[Any]) -> list[Fraction]:
    """Return the finite numbers as the fractions they are."""
    return [Fraction(value) for value in values]
