"""Which lines of an adapter decide: each way to call a machine is tried on four points."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isfinite
from typing import Any

from ..kernels.base import Kernel
from ..kernels.standard import Gaussian, Linear
from ..svm.problem import Problem
from .adapter_words import DECIDING
from .forms import Form, make_problem
from .named_subjects import time_limit
from .plain_values import Unsupported

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
