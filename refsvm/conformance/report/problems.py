"""A case in words: its problem, its exact optimum, and what it is for."""

from __future__ import annotations

from typing import Any

from ..cases import Case, case_named, shipped
from ..cases.machines import machine_case, machine_names
from ..forms import FORMS, Form, form_of_problem
from ..grouped_measure import NO_MACHINE
from .examples import (
    data_text,
    exact_text,
    interval_text,
    number_text,
    penalty_text,
    row_text,
)

SHOWN = 8  # rows of X, or labels in a line


def problem_words(name: str) -> list[str]:
    """Return paragraphs about a case that is shipped; none for another."""
    file, machine = shipped().get(name), machine_names().get(name)
    if machine is not None:
        case = machine_case(machine[0], name)
    elif file is not None:
        case = case_named(file, name)
    else:
        return []
    given = case.given
    X, y = given["X"], given["y"]
    more = f" .. {len(X)} rows" if len(X) > SHOWN else ""
    form = None if machine is None else FORMS[machine[0]]
    parts = [
        f"X = {' '.join(map(data_text, X[:SHOWN]))}{more}",
        *([f"y = {_values_text(y, form)}"] if form is None or form.is_labelled else []),
        f"{'C' if form is None or form.has_C else 'weights'} = {penalty_text(given['C'])}",
        *(f"{key} = {number_text(given[key])}" for key in ("epsilon", "nu") if key in given),
        f"kernel = {kernel_text(given['kernel'])}",
        _optimum_text(case),
    ]
    return [case.comment, "; ".join(parts)]


def _values_text(y: list[Any], form: Form | None) -> str:
    """Return labels as signs, or values as numbers."""
    if form is not None and form.answers == "values":
        return row_text(y)
    return "".join("+" if label == 1 else "-" if label == -1 else "?" for label in y)


def kernel_text(kernel: Any) -> str:
    """Return a kernel, with floats for its Fractions."""
    if isinstance(kernel, dict):
        return str(kernel["name"])
    given = ", ".join(
        f"{key}={float(v):g}" if hasattr(v, "__float__") else f"{key}={v!r}"
        for key, v in vars(kernel).items()
    )
    return f"{type(kernel).__name__}({given})"


def _optimum_text(case: Case) -> str:
    """Return the optimum of a case: exact where it is short."""
    best = case.optimum
    if best is None:
        return "it must be refused"
    if best.status in NO_MACHINE and form_of_problem(case.problem) is not None:
        return NO_MACHINE[best.status]
    if best.status == "infeasible":
        return "there is no hard margin"
    b = interval_text(best.b_low, best.b_high)
    return f"p* = {exact_text(best.objective)}, b {b if b.startswith('from') else f'= {b}'}"
