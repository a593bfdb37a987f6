"""What an adapter is written from: the names that people give to the parts of an SVM, and trials.

Which way of calling a machine gives its decisions, no name tells: each is tried on four points.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isfinite
from typing import Any

from ...kernels.base import Kernel
from ...kernels.standard import Gaussian, Linear
from ...svm.problem import Problem
from ..protocol.forms import Form, make_problem
from ..protocol.plain_values import Unsupported
from .named_subjects import time_limit

ROLES = {  # the names of parameters, by what they are
    role: names.split()
    for role, names in {
        "rows": "X x data features x_train samples points examples",
        "labels": "y Y labels target targets y_train t",
        "C": "C c cost penalty box slack_penalty regularization reg reg_c regularisation"
        " regularization_strength reg_strength",
        "lambda": "lambda lam lmbda lambd lambda_param lambda_p alpha l2 reg_lambda weight_decay"
        " reg_param lambda_reg regularization_param",
        "nu": "nu",
        "kernel": "kernel K kernel_type kernel_name kernel_func kernel_fn ker kernel_function",
        "gamma": "gamma rbf_gamma",
        "sigma": "sigma bandwidth width rbf_sigma sig",
        "degree": "degree d deg power p poly_degree",
        "coef0": "coef0 coef r c0 constant",
        "tol": "tol eps tolerance epsilon toler",
        "seed": "seed random_state random_seed",
        "steps": "n_iters n_iter max_iter max_iters epochs n_epochs iterations num_iterations"
        " max_iterations max_passes num_epochs maxiter steps",
        "rate": "learning_rate lr eta rate step_size eta0",
    }.items()
}
CONVERSIONS = {  # the values of the parameters that every problem has
    "rows": "X",
    "labels": "y",
    "C": "problem.C[0]",
    "lambda": "1 / (problem.n * problem.C[0])",
    "nu": "nu_of(problem)",
    "tol": "1e-6",
    "seed": "0",
}
WIDTHS = ("epsilon", "eps", "tube", "width")  # of a tube, half of it
USUAL = {"C": 1, "epsilon": 0.1, "nu": 0.5}  # where a constructor has no parameter for it
IF_NEEDED = {"rate": "0.001", "steps": "1000"}  # else it keeps what it takes by itself
KERNEL_PARAMETERS = {
    "gamma": 'getattr(problem.kernel, "gamma", 1.0)',
    "sigma": '(2 * getattr(problem.kernel, "gamma", 0.5)) ** -0.5',
    "degree": 'getattr(problem.kernel, "degree", 3)',
    "coef0": 'getattr(problem.kernel, "coef0", 0.0)',
}
NAMED_KERNELS = {
    "Linear": ("linear", "lin"),
    "Polynomial": ("poly", "polynomial"),
    "Gaussian": ("rbf", "gaussian", "gauss"),
}
FITTING = ("fit", "train", "learn", "fit_model", "optimize", "solve", "run")
DECIDING = (
    *("decision_function", "decision", "decisions", "project", "decide", "f", "margin"),
    *("net_input", "score_samples", "evaluate", "score"),
)

TEMPLATE = '''"""{name} for the audit. Save this as adapter.py, then run

    refsvm audit adapter.py:solve{type}

It was read from names: check that each line means what {name} does.
spec/standard/auditing-your-own.md has examples, and says what other codes call C and gamma.
"""

{imports}
from refsvm.conformance.subjects import Unsupported
{helpers}

def solve(problem):
    """Return what {name} decides about a row, after it has learnt a refsvm.{problem}."""
{body}
'''
VALUES_OF_ARRAYS = '''

def values_of(kernel):
    """Return a function of two rows, or of two arrays of rows, whichever it is given."""

    def values(A, B, *more, **named):
        A, B = np.asarray(A, float), np.asarray(B, float)
        rows, others = np.atleast_2d(A).tolist(), np.atleast_2d(B).tolist()
        K = np.array([[kernel(x, z) for z in others] for x in rows])
        return K.reshape(A.shape[:-1] + B.shape[:-1])[()]

    return values
'''
VALUES_OF_LISTS = '''

def values_of(kernel):
    """Return a function of two rows, or of two lists of rows, whichever it is given."""

    def values(A, B, *more, **named):
        if hasattr(A[0], "__len__"):
            return [values(x, B) for x in A]
        if hasattr(B[0], "__len__"):
            return [kernel(A, z) for z in B]
        return kernel(A, B)

    return values
'''
NU_OF = '''

def nu_of(problem):
    """Return the nu that has the decisions of C, divided by rho: the mean of alpha / C."""
    return sum(smo(problem, 1e-9).alpha) / (problem.n * problem.C[0])
'''


LONGEST_TRIAL = 10.0  # seconds for the four points
POINTS = [[0.0, 1.0], [1.0, 0.5], [3.0, 1.0], [4.0, 2.5]]
SIDES, HEIGHTS = [-1, -1, 1, 1], [0.0, 1.0, 3.0, 4.0]
Lines = list[str]


def ways_to_decide(
    target: Any, source: str, uses_numpy: bool, form: Form | None
) -> Iterator[Lines]:
    """Yield the last lines of the adapter, in the order in which they are worth a trial.

    What a machine of regression predicts is what it decides.
    """
    row, rows = ("np.array(row)", "np.array([row])") if uses_numpy else ("row", "[row]")
    first = "float(np.ravel({})[0])" if uses_numpy else "{}[0]"
    has_values = form is not None and form.answers == "values"
    for name in ("predict", *DECIDING) if has_values else DECIDING:
        if hasattr(target, name) or f".{name} =" in source:
            yield [f"return lambda row: {first.format(f'machine.{name}({rows})')}"]
            yield [f"return lambda row: float(machine.{name}({row}))"]
    dot = "sum(v * x for v, x in zip({}, row))"
    sign = "-" if re.search(r"-\s*self\.(b|bias|intercept)\b", source) else "+"
    for w, b in (("w", "b"), ("weights", "bias"), ("w", "bias"), ("coef", "intercept")):
        yield [
            f"w, b = machine.{w}, machine.{b}",
            f"return lambda row: float({dot.format('w')} {sign} b)",
        ]
    yield [
        "w, b = machine[0], machine[1]",
        f"return lambda row: float({dot.format('w')} + b)",
    ]
    yield ["return machine"]
    head = "# it only predicts: then labels alone are judged"
    for label in (first.format(f"machine.predict({rows})"), f"machine.predict({row})"):
        yield [head, f'return {{"predictions": lambda row: int({label})}}']


def works(text: str, is_strict: bool, form: Form | None) -> bool:
    """Return whether an adapter answers for some points, and rightly if this is strict.

    The kernel is the linear, or the Gaussian if the other is not on offer.
    """
    problem = _trial_of(form, Linear())
    names: dict[str, Any] = {}
    try:
        with time_limit(LONGEST_TRIAL):
            exec(compile(text, "<adapter>", "exec"), names)
            try:
                found = names["solve"](problem)
            except Unsupported:
                problem = _trial_of(form, Gaussian(0.5))
                found = names["solve"](problem)
            if isinstance(found, dict):
                found = found["predictions"]
            values = [float(found(row)) for row in problem.X]
    except KeyboardInterrupt:
        raise
    except BaseException:  # whatever a class does that is called in the wrong way
        return False
    return all(map(isfinite, values)) and (
        is_right(values, form) or not is_strict and len(set(values)) > 1
    )


def _trial_of(form: Form | None, kernel: Kernel) -> Any:
    """Return the problem that an adapter is tried on."""
    if form is None:
        return Problem(POINTS, SIDES, kernel)
    y = HEIGHTS if form.answers == "values" else SIDES
    parameter = None if form.parameter is None else 0.5
    return make_problem(form, POINTS, y, kernel, [1.0] * len(POINTS), parameter)


def is_right(values: list[float], form: Form | None) -> bool:
    """Return whether values are nearly those asked for, or have the signs of the two sides.

    Of outliers: whether some row is inside.
    """
    if form is None or form.answers == "classes":
        return [f > 0 for f in values] == [y > 0 for y in SIDES]
    if form.answers == "outliers":
        return max(values) > min(values) and max(values) >= 0
    return all(abs(f - y) <= 1 for f, y in zip(values, HEIGHTS))
