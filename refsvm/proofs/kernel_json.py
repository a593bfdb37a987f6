"""Kernels as parts of a document: by name, with their parameters as numbers of canonical_json.py.

Sums, products and multiples hold the documents of their parts. A kernel of the caller's own has no
name in other languages, and no document.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..kernels.base import Multiple, Product, Sum
from ..kernels.standard import Gaussian, Linear, MonomialSum, Polynomial, Precomputed, Sigmoid
from ..kernels.strings import Spectrum
from ..numerics.numerals import numeral, parse_double
from ..numerics.quoting import quote
from ..numerics.validation import one_of
from .plain_json import Document, refuse_other_keys, require_list

ReadNumber = Callable[[Any, str], Any]  # takes a string and what a refusal calls it to a number

# The kernels by name, and how each of their parameters is written.
NAMED: dict[str, tuple[Any, dict[str, str]]] = {
    "linear": (Linear, {}),
    "polynomial": (Polynomial, {"degree": "int", "gamma": "number", "coef0": "number"}),
    "monomial_sum": (MonomialSum, {"degree": "int"}),
    "gaussian": (Gaussian, {"gamma": "number"}),
    "sigmoid": (Sigmoid, {"gamma": "number", "coef0": "number"}),
    "spectrum": (Spectrum, {"length": "int"}),
    "precomputed": (Precomputed, {}),
}
ROUNDED = ("gaussian", "sigmoid")  # kernels that exist on floats only
COMPOSED: dict[str, tuple[Any, str]] = {"sum": (Sum, "terms"), "product": (Product, "factors")}


def kernel_document(kernel: Any) -> Document | None:
    """The document of a kernel; None for one of the caller's own, which has no name."""
    for name, (kind, parameters) in NAMED.items():
        if type(kernel) is kind:
            return {
                "name": name,
                **{
                    key: getattr(kernel, key) if form == "int" else numeral(getattr(kernel, key))
                    for key, form in parameters.items()
                },
            }
    for name, (kind, key) in COMPOSED.items():
        if type(kernel) is kind:
            parts = [kernel_document(part) for part in (kernel.left, kernel.right)]
            return None if None in parts else {"name": name, key: parts}
    if type(kernel) is Multiple:
        part = kernel_document(kernel.kernel)
        return part and {
            "name": "multiple",
            "factor": numeral(kernel.factor),
            "kernel": part,
        }
    return None


def kernel_of(document: Any, place: str, number: ReadNumber) -> Any:
    """The kernel that the document describes; `place` is what a refusal calls it.

    number is how its parameters are read: value_of, or double_of where a part needs floats.
    """
    if not isinstance(document, dict) or "name" not in document:
        raise TypeError(f"{place} is {quote(document)}; an object with a name is needed")
    name = one_of(document["name"], (*NAMED, *COMPOSED, "multiple"), f"{place}.name")
    if name == "multiple":
        refuse_other_keys(document, ("name", "factor", "kernel"), place)
        factor = number(document["factor"], f"{place}.factor")
        return factor * kernel_of(document["kernel"], f"{place}.kernel", number)
    if name in COMPOSED:
        return composed_kernel(document, place, number, *COMPOSED[name])
    kind, parameters = NAMED[name]
    refuse_other_keys(document, ("name", *parameters), place)
    number = parse_double if name in ROUNDED else number
    return kind(
        **{
            key: document[key] if form == "int" else number(document[key], f"{place}.{key}")
            for key, form in parameters.items()
        }
    )


def composed_kernel(
    document: Document, place: str, number: ReadNumber, kind: Any, key: str
) -> Any:
    """The Sum or Product of the two parts under `key`."""
    refuse_other_keys(document, ("name", key), place)
    parts = require_list(document[key])
    if len(parts) != 2:
        raise ValueError(f"{place}.{key} has length {len(parts)}; there are two")
    named = [(part, f"{place}.{key}[{k}]") for k, part in enumerate(parts)]
    return kind(*(kernel_of(part, where, number) for part, where in named))


def needs_floats(kernel: Document) -> bool:
    """Whether a part of the kernel's document exists on floats only."""
    parts = [*kernel.get("terms", ()), *kernel.get("factors", ()), kernel.get("kernel")]
    return kernel["name"] in ROUNDED or any(needs_floats(part) for part in parts if part)
