"""Requests that are made of cases: input that must be refused, examples that weigh nothing.

And cases whose examples are in another order, of which the optimum is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ..cases import Case
from ..cases.number_json import numbers
from ..protocol import Answer, Request
from ..protocol.forms import Form, form_named


def invalid_request(case: Case, tol: float, form: Form | None) -> Request:
    """Return the Request of input that must be refused."""
    given = _without_fractions(case.given)
    n, kernel = len(given["y"]), given["kernel"]
    kernel = {
        key: v if key == "name" else _without_fractions(numbers(v)) for key, v in kernel.items()
    }
    C = given["C"] if isinstance(given["C"], list) else [given["C"]] * n
    row = [0.0] * (n if kernel["name"] == "precomputed" else 1)
    request = Request(case.name, given["X"], given["y"], C, kernel, [row], tol=tol)
    more = {key: given[key] for key in ("bias", "slack", "epsilon", "nu") if key in given}
    return request._replace(**more, form=form and form.name)


def _without_fractions(value: Any) -> Any:
    """Return the value with floats for its Fractions."""
    if isinstance(value, dict):
        return {key: _without_fractions(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_fractions(item) for item in value]
    return float(value) if isinstance(value, Fraction) else value


def with_weightless_example(request: Request) -> Request:
    """Return the Request with one example more, of weight 0: the first, with another y."""
    return request._replace(
        X=[*request.X, request.X[0]], y=[*request.y, _other_label(request)], C=[*request.C, 0.0]
    )


def _other_label(request: Request) -> Any:
    """Return the other class, a value far from the others, or a 1 where there is no y."""
    form = form_named(request.form)
    if form is None or form.answers == "classes":
        return -request.y[0]
    return 2 * max(request.y) - min(request.y) + 1 if form.is_labelled else 1


def weighted_examples(case: Case) -> list[int]:
    """Return the indices of the examples whose weight is not 0."""
    return [i for i, c in enumerate(case.given["C"]) if c != 0]


def reordered_case(case: Case, order: Sequence[int]) -> Case | None:
    """Return a case with its examples in another order; None if its optimum is not known."""
    best = case.optimum
    if best is None or "NotDyadic" in case.flags:
        return None
    alpha = [best.alpha[i] for i in order] if best.alpha else best.alpha
    scores = [case.scores[i] for i in order] if case.scores else case.scores
    return case._replace(optimum=best._replace(alpha=alpha), scores=scores)


def with_examples_first(
    request: Request, answer: Answer, order: Sequence[int]
) -> tuple[Request, Answer]:
    """Return a Request with the examples first, in the order of its problem, and the Answer."""
    places = [*order, *range(len(order), len(request.rows))]
    rows = [request.rows[k] for k in places]
    decisions = [answer.decisions[k] for k in places]
    return request._replace(rows=rows), answer._replace(decisions=decisions)
