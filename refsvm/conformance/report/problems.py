"""A case in words: its problem, its exact optimum, and what it is for."""

from __future__ import annotations

from typing import Any

from ..cases import Case, case_named, shipped
from .examples import data_text, exact_text, interval_text, penalty_text

SHOWN = 8  # rows of X, or labels in a line


def problem_words(name: str) -> list[str]:
    """Return paragraphs about a case that is shipped; none for another."""
    file = shipped().get(name)
    if file is None:
        return []
    case = case_named(file, name)
    given = case.given
    X, y = given["X"], given["y"]
    more = f" .. {len(X)} rows" if len(X) > SHOWN else ""
    labels = "".join("+" if label == 1 else "-" if label == -1 else "?" for label in y)
    parts = [
        f"X = {' '.join(map(data_text, X[:SHOWN]))}{more}",
        f"y = {labels}",
        f"C = {penalty_text(given['C'])}",
        f"kernel = {kernel_text(given['kernel'])}",
        optimum_text(case),
    ]
    return [case.comment, "; ".join(parts)]


def kernel_text(kernel: Any) -> str:
    """Return a kernel, with floats for its Fractions."""
    if isinstance(kernel, dict):
        return str(kernel["name"])
    given = ", ".join(
        f"{key}={float(v):g}" if hasattr(v, "__float__") else f"{key}={v!r}"
        for key, v in vars(kernel).items()
    )
    return f"{type(kernel).__name__}({given})"


def optimum_text(case: Case) -> str:
    """Return the optimum of a case: exact where it is short."""
    best = case.optimum
    if best is None:
        return "it must be refused"
    if best.status == "infeasible":
        return "there is no hard margin"
    b = interval_text(best.b_low, best.b_high)
    return f"p* = {exact_text(best.objective)}, b {b if b.startswith('from') else f'= {b}'}"
