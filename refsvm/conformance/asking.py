"""How a policy asks: a question is stated for C-SVC, and put to another machine in its numbers.

values      labels -1 and 1 are values, C is C, the tube has half the width EPSILON
nu          C is no part of the machine: nu is NU; in a step before the fit that has another C it
            is as much larger or smaller; penalties that differ are weights of mean 1
the ball    C is 1 / (NU n), the ball that goes with NU; there is no y, as of one class
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..numerics.linalg import total
from .forms import Form
from .protocol import Answer, Request

EPSILON, NU = 0.25, 0.4
LEAST_BALL = 1.5  # times 1 / n: C of a ball is more


class Ask:
    """Asks one estimator, as the machine that it is; form is None of C-SVC."""

    def __init__(self, answer: Callable[[Request], Answer], form: Form | None = None) -> None:
        self.answer, self.form = answer, form

    def __call__(self, request: Request) -> Answer:
        """Return the answer to what a request means."""
        return self.answer(self.meant(request))

    @property
    def answers(self) -> str:
        """What the machine answers: "classes", "values" or "outliers"."""
        return "classes" if self.form is None else self.form.answers

    def meant(self, request: Request) -> Request:
        """Return the request as it is put to this machine, with all that is done before it."""
        form, C = self.form, request.C
        if form is None or request.form is not None:
            return request
        changes: dict[str, Any] = {"form": form.name, "bias": None, "slack": None}
        for name in ("before", "after"):
            steps = getattr(request, name) or ()
            meant = [(verb, self.change_meant(change, C)) for verb, change in steps]
            changes[name] = meant or None
        return request._replace(**changes, **numbers_of(form, C))

    def change_meant(self, change: dict[str, Any], C: Sequence[Any]) -> dict[str, Any]:
        """Return what is other in a step; C: the penalties of the question."""
        if self.form is None or "C" not in change:
            return change
        return {**change, **numbers_of(self.form, change["C"], max(change["C"]) / max(C))}


def numbers_of(form: Form, C: Sequence[Any], times: float = 1.0) -> dict[str, Any]:
    """Return the bounds, and epsilon or nu, of a machine; times: C to that of the question."""
    found: dict[str, Any] = {}
    if form.parameter is not None:
        found[form.parameter] = EPSILON if form.parameter == "epsilon" else NU
    if form.answers == "values" or not C:
        return {**found, "C": C}
    mean = total(list(map(float, C))) / len(C)
    weights = [c / mean for c in C] if len(set(C)) > 1 else [1.0] * len(C)
    if form.has_C:
        share = max(times / NU, LEAST_BALL) / len(C)
        return {"C": [share * w for w in weights]}
    return {"nu": times * NU, "C": weights}
