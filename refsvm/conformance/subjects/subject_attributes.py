"""scikit-learn's attributes of a fitted machine: which there are, and the model that they state.

support, support_vectors, n_support, dual_coef, intercept, coef, classes: without underscore
beta    alpha_i y_i of each example, from support and dual_coef
"""

from __future__ import annotations

from typing import Any

from ..protocol import Request
from ..protocol.answer_reader import ATTRIBUTES, Fields, attributes
from ..protocol.plain_values import reading


def attributes_of(model: Any, request: Request) -> Fields:
    """Return scikit-learn's attributes of a fitted machine, as far as it has them."""
    with reading("attributes"):
        values = {name: _attribute_of(model, name + "_") for name in ATTRIBUTES}
    return attributes("attributes", values, request)


def _attribute_of(model: Any, name: str) -> Any:
    """Return an attribute; None if there is none, as of a w where the kernel has none."""
    try:
        return getattr(model, name, None)
    except NotImplementedError:
        return None


def model_parts(attributes: Fields, request: Request) -> Fields:
    """Return b, beta and w, as far as the attributes have them."""
    parts = {}
    intercept, coef = attributes.get("intercept"), attributes.get("coef")
    for name, values in (
        ("b", intercept),
        ("radius2", attributes.get("radius2") if request.form == "svdd" else None),
        ("rho", attributes.get("offset") if request.form == "one_class" else None),
        ("epsilon", attributes.get("epsilon") if request.form == "nu_svr" else None),
    ):
        if values not in (None, []):
            parts[name] = values[0] if isinstance(values, list) else values
    if coef and request.kernel["name"] == "linear":
        parts["w"] = coef[0]
    beta = beta_of(attributes, request)
    if beta is not None:
        parts["beta"] = beta
    return parts


def beta_of(attributes: Fields, request: Request) -> list[float] | None:
    """Return beta of each example; None unless support names the rows of dual_coef rightly."""
    support, coefs = attributes.get("support"), attributes.get("dual_coef")
    if support is None or not coefs or not has_right_support(attributes, request):
        return None
    beta = [0.0] * len(request.X)
    for i, coef in zip(support, coefs[0]):
        beta[i] = coef
    return beta


def has_right_support(attributes: Fields, request: Request) -> bool:
    """Return whether the rows that support names are support_vectors.

    True if those are not there, or are no rows of this width.
    """
    support, vectors = attributes.get("support"), attributes.get("support_vectors")
    if not all(0 <= i < len(request.X) for i in support or ()):
        return False
    if support is None or not vectors or request.kernel["name"] == "precomputed":
        return True
    if wrong_width(attributes, request):
        return True
    return bool([request.X[i] for i in support] == vectors)


def wrong_width(attributes: Fields, request: Request) -> str | None:
    """Return a sentence about support vectors that are not as wide as the rows; else None."""
    width, vectors = len(request.X[0]), attributes.get("support_vectors")
    if not vectors or request.kernel["name"] == "precomputed" or len(vectors[0]) == width:
        return None
    return f"support_vectors_ have {len(vectors[0])} features; the rows have {width}"


def status_of(model: Any) -> str | None:
    """Return "optimal" or "not optimal" where the estimator says so."""
    with reading("fit_status_"):
        status = getattr(model, "fit_status_", None)
    return None if status is None else "optimal" if status == 0 else "not optimal"
