"""What is asked of the program under audit, and what it says: one line of JSON each.

    Request    train on this problem, then decide about these rows
    Answer     the decisions, and whatever else the program knows of its model

The same two go to an estimator in this process, to one in a process of its own and to a program
in another language; spec/22-audit.md explains every field. Numbers are JSON's, the shortest
decimals that read back to the same double; the three numbers that JSON lacks are the strings
"inf", "-inf" and "nan".

    X, y, C    rows, labels, prices of slack, one an example
    rows       the rows to decide about: those of X first
    beta       alpha_i y_i of each example
"""

import json
from fractions import Fraction
from math import inf, isfinite
from typing import Any, NamedTuple

from ..kernels.standard import Gaussian, Linear, Polynomial, Precomputed, Sigmoid
from ..proofs.enclosures import kernel_interval
from ..svm.problem import Problem

KERNELS = {
    "linear": Linear,
    "polynomial": Polynomial,
    "gaussian": Gaussian,
    "sigmoid": Sigmoid,
    "precomputed": Precomputed,
}
BITS = 256  # far more than doubles can be asked for
WORDS = {"inf": inf, "-inf": -inf, "nan": float("nan")}


class Request(NamedTuple):
    """One problem, and the rows to decide about. None for bias or slack: as you usually do."""

    id: str
    X: list
    y: list
    C: list
    kernel: dict  # {"name": .., its parameters}
    rows: list
    bias: Any = None
    slack: Any = None
    tol: Any = None  # how far the conditions of optimality may be off; None: as you usually do
    class_weight: Any = None  # of an estimator: [[label, weight], ..] or "balanced"
    max_iter: Any = None  # steps allowed; None: as many as needed
    extras: Any = False  # whether to fit twice, to decide row by row, to save and load; 2: and
    #                      to fit other rows in between
    threads: Any = None  # fit in so many threads at once, and with so many of the program's own
    pairs: bool = False  # of an estimator: tell the decisions of each pair of classes
    brief: bool = False  # of an estimator: the decisions will do, no predictions
    form: Any = None  # of an estimator: rows in an array of this form, a key of forms.py


class Answer(NamedTuple):
    """What came back. None for what was not said."""

    decisions: Any = None  # f of each of the rows asked about
    predictions: Any = None  # a label for each of them
    alpha: Any = None  # the multiplier of each example; or, with its sign,
    beta: Any = None
    b: Any = None
    w: Any = None
    status: Any = None  # "optimal", or what else happened
    warnings: Any = None
    attributes: Any = None  # of an estimator: support, support_vectors, n_support, ..
    exchanged: Any = None  # the decisions after a fit with the classes exchanged
    again: Any = None  # the decisions after a second fit, of the model of that one
    after: Any = None  # the decisions of the first model, after another one was fitted
    single: Any = None  # [(number of a row, its decision when asked alone), ..]
    beside: Any = None  # lists of decisions, each of a fit with threads; or what went wrong
    scores: Any = None  # of more than two classes: the decisions about each row
    changed: Any = None  # the name of an argument that is another one afterwards
    reloaded: Any = None  # the decisions of a saved and loaded model
    unsupported: Any = None  # a sentence: this sort of problem is not on offer
    refused: Any = None  # a sentence: this problem was refused
    crashed: Any = None  # a sentence: an exception that is no refusal
    died: Any = None  # a sentence: the process ended
    late: Any = None  # a sentence: no answer within the deadline


def says_unfinished(answer):
    """Whether the subject says of itself that it has not finished."""
    words = " ".join(answer.warnings or []).lower()
    return answer.status not in (None, "optimal") or any(
        word in words for word in ("converge", "max_iter", "iterations", "status", "optimal")
    )


def line_of(message):
    """A Request or an Answer as a line of JSON; what is None is left out of it.

    >>> line_of(Answer(decisions=[0.5, inf]))
    '{"decisions": [0.5, "inf"]}'
    """
    said = {name: value for name, value in message._asdict().items() if value is not None}
    return json.dumps(in_words(said), allow_nan=False)


def in_words(value):
    """The value with words for the floats that JSON has no numbers for."""
    if isinstance(value, float) and not isfinite(value):
        return "nan" if value != value else "inf" if value > 0 else "-inf"
    if isinstance(value, dict):
        return {key: in_words(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [in_words(item) for item in value]
    return value


def in_numbers(value):
    """The value with floats for those words: what in_words was given."""
    if isinstance(value, str):
        return WORDS.get(value, value)
    if isinstance(value, dict):
        return {key: in_numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [in_numbers(item) for item in value]
    return value


def request_of(line):
    """The Request that a line holds."""
    return Request(**in_numbers(json.loads(line)))


def answer_of(line):
    """The Answer that a line holds; ValueError if it is none. Fields of other names are ignored.

    >>> answer_of('{"decisions": [0.5, "inf"]}').decisions
    [0.5, inf]
    """
    try:
        said = in_numbers(json.loads(line))
    except ValueError:
        raise ValueError(f"the program wrote {line[:60]!r}; a line of JSON is needed") from None
    if not isinstance(said, dict):
        raise ValueError(f"the program wrote {line[:60]!r}; an object of JSON is needed")
    return Answer(**{name: said.get(name) for name in Answer._fields})


def kernel_document(kernel):
    """{"name": .., parameters} of a kernel that the messages know, else None.

    >>> kernel_document(Polynomial(2, coef0=1))
    {'name': 'polynomial', 'degree': 2, 'gamma': 1.0, 'coef0': 1.0}
    """
    for name, known in KERNELS.items():
        if type(kernel) is known:
            given = vars(kernel).items()
            return {"name": name, **{k: v if k == "degree" else float(v) for k, v in given}}
    return None


def problem_of(request):
    """The Problem that a Request asks to be solved, on floats."""
    parameters = {k: v for k, v in request.kernel.items() if k != "name"}
    kernel = KERNELS[request.kernel["name"]](**parameters)
    return Problem(
        request.X,
        request.y,
        kernel,
        request.C,
        bias=request.bias is not False,
        slack=request.slack or "hinge",
    )


def posed(problem, queries):
    """(problem, rows) as the messages can say it: on doubles, with a kernel that they know.

    rows are those of the problem, then the queries. Another kernel is sent as its Gram matrix.
    """
    if kernel_document(problem.kernel) is None:
        rows = [[value(problem.kernel, x, z) for z in problem.X] for x in [*problem.X, *queries]]
        problem = Problem(
            rows[: problem.n], problem.y, Precomputed(), problem.C, problem.bias, problem.slack
        )
    else:
        rows = [*problem.X, *queries]
    problem = problem if problem.kind is float else problem.to(float)
    return problem, [list(map(float, row)) for row in rows]


def value(kernel, x, z):
    """k(x, z) as a fraction: exact, or to BITS bits after the point."""
    if x == z and type(kernel) is Gaussian:
        return Fraction(1)
    found = kernel_interval(kernel, x, z, BITS)
    return (found.low + found.high) / 2


def asked(name, problem, rows, tol, extras=False):
    """The Request about a problem that is posed already."""
    return Request(
        name,
        problem.X,
        problem.y,
        problem.C,
        kernel_document(problem.kernel),
        rows,
        problem.bias,
        problem.slack,
        tol,
        extras=extras,
    )


def exactly(values):
    """The finite numbers, as the fractions they are."""
    return [Fraction(value) for value in values]
