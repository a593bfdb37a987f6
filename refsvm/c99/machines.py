"""What of a model a C file holds: the tables, checked, in one form for two classes and for more.

rows       what x is compared with: for a linear machine the weights, a row for each pair of
           classes; otherwise the support vectors
coefs      for each support vector the factors of its kernel value, one for each class but its
           own, in their order; None for a linear machine
offsets    b of each pair of classes, in the order of one_vs_one.py
counts     how many support vectors each class has; None for a Model
labels     of the classes; None for a Model, which says +1 or -1
kernel     with its parameters as floats
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from ..kernels.base import Kernel, as_kernel
from ..kernels.standard import Linear
from ..numerics.validation import matrix, number_kind, to_number, vector, whole_number
from ..svm.model import Model
from ..svm.one_vs_one import OneAgainstOne, pair_terms, pair_weights, pairs
from .formulas import refuse_unless_formula


class Machine(NamedTuple):
    """The numbers of a C file; see the top of this module."""

    rows: list[list[Any]]  # floats, as all numbers here
    coefs: list[list[Any]] | None
    offsets: list[Any]
    counts: list[int] | None
    labels: list[Any] | None
    kernel: Kernel


def machine_of(model: Model | OneAgainstOne) -> Machine:
    """Return the Machine of a Model or a OneAgainstOne; anything C cannot hold is refused."""
    if not isinstance(model, (Model, OneAgainstOne)):
        raise TypeError(
            f"model is a {type(model).__name__}; a Model or a OneAgainstOne is needed, or an SVC"
            " or LinearSVC that is fitted"
        )
    kernel = as_kernel(model.kernel)
    refuse_unless_formula(kernel)
    if number_kind([list(model), kernel.parameters()]) is Fraction:
        raise TypeError(
            "model holds Fractions, and C has none; export model.to(float), which decides by"
            " rounded numbers"
        )
    if not model.vectors and getattr(model, "w", None) is None:
        raise ValueError("model has no support vector; one is needed, and C has no empty tables")
    if isinstance(model, Model):
        return of_two(model._replace(kernel=kernel), kernel.to(float))
    return of_many(model._replace(kernel=kernel))


def of_two(model: Model, kernel: Kernel) -> Machine:
    """Return the Machine of a Model, whose kernel is given in floats."""
    b = to_number(float, model.b, "b")
    if model.w is not None:
        return Machine([vector(model.w, "w", float)], None, [b], None, None, kernel)
    coef = vector(model.coef, "coef", float)
    refuse_unless_as_long(coef, "coef", len(model.vectors))
    rows = matrix(model.vectors, "vectors", float)
    return Machine(rows, [[c] for c in coef], [b], None, None, kernel)


def of_many(model: OneAgainstOne) -> Machine:
    """Return the Machine of a OneAgainstOne."""
    model = model.to(float)
    k, V = len(model.classes), len(model.vectors)
    if k < 2:
        raise ValueError(f"classes has length {k}; there must be at least 2")
    refuse_unless_as_long(model.counts, "counts", k)
    refuse_unless_as_long(model.coefs, "coefs", k - 1)
    refuse_unless_as_long(model.coefs[0], "coefs[0]", V)
    refuse_unless_as_long(model.offsets, "offsets", k * (k - 1) // 2)
    counts = [whole_number(n, f"counts[{c}]", 0) for c, n in enumerate(model.counts)]
    if sum(counts) != V:  # exact
        raise ValueError(f"counts adds up to {sum(counts)}; there are {V} vectors")  # exact
    rows, coefs = model.vectors, [list(of_vector) for of_vector in zip(*model.coefs)]
    if type(model.kernel) is Linear:
        rows = [pair_weights(model, pair_terms(model, p, q)) for p, q in pairs(k)]
        coefs = None
    kernel = as_kernel(model.kernel)
    return Machine(rows, coefs, model.offsets, counts, list(model.classes), kernel)


def refuse_unless_as_long(values: Sequence[Any], name: str, length: int) -> None:
    """ValueError for a table of another length than the others ask for."""
    if len(values) != length:
        raise ValueError(f"{name} has length {len(values)}; it must be {length}")
