"""What a picture needs to know of a machine, whatever the machine is.

scene    of a Model, a OneAgainstOne, or a fitted SVC or LinearSVC of any of the packages
about    its kernel, its penalty where that is known, its count of support vectors: in words
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from ..estimators.classifier import Classifier
from ..files.fitted import model_of
from ..kernels.standard import Linear, Precomputed
from ..numerics.quoting import quote, shorten
from ..svm.model import Model
from ..svm.one_vs_one import OneAgainstOne

LONG_NUMBER = r"\d+\.\d{6,}(e-?\d+)?"


class Scene(NamedTuple):
    """A trained machine.

    decisions takes rows to the decisions of each row, one for each pair of classes, above 0 for
    the earlier class.
    """

    classes: list[Any]
    vectors: list[Any]
    decisions: Callable[[Any], Any] | None
    is_linear: bool
    about: str


NOTHING = Scene([], [], None, False, "")


def scene_of(machine: Any, C: Any = None) -> Scene:
    """Return the Scene of a machine; of an estimator its own C counts, of a model the C given.

    Raises
    ------
    TypeError or ValueError
        for what is no trained machine, and for one whose rows are no points of the plane

    >>> scene_of(Model(0.5, [1.0], [[3.0, 4.0]], Linear(), [3.0, 4.0]), C=10).about
    'Linear(), C = 10, 1 support vector'
    """
    model = model_of(machine)
    if model is not machine:
        C = getattr(machine, "C", None)
    require_model(model)
    require_points(model)
    vectors = support_vectors(machine, model)
    if type(model[0] if isinstance(model, Model) else model.offsets[0]) is Fraction:
        model = model.to(float)
    is_linear, about = type(model.kernel) is Linear, describe(model.kernel, C, vectors)
    if isinstance(model, Model):

        def decisions(X: Any) -> Any:
            return [[f] for f in model.decisions(X)]

        return Scene([1, -1], vectors or [], decisions, is_linear, about)
    return Scene(list(model.classes), vectors or [], model.decisions, is_linear, about)


def support_vectors(machine: Any, model: Model | OneAgainstOne) -> list[Any] | None:
    """Return the support vectors; None of a LinearSVC, which keeps w only."""
    is_known = model is machine or hasattr(machine, "kernel")
    return list(model.vectors) if is_known else None


def require_model(model: Any) -> None:
    """Refuse what is no model."""
    if isinstance(model, (Model, OneAgainstOne)):
        return
    needed = "a Model, a OneAgainstOne or a fitted SVC or LinearSVC of refsvm is needed"
    if callable(getattr(model, "model", None)):
        needed += "; its model() is one"
    elif hasattr(model, "steps"):
        needed += "; give the estimator inside it, and rows as they reach that"
    elif isinstance(model, Classifier) or type(model).__module__.startswith("refsvm.sklearn"):
        raise ValueError(f"model is {quote(model)}, which is not fitted; call fit(X, y) first")
    raise TypeError(f"model is {quote(model)}; {needed}")


def require_points(model: Model | OneAgainstOne) -> None:
    """Refuse a model whose support vectors are no points of the plane."""
    first = next(iter(model.vectors), None)
    if isinstance(model.kernel, Precomputed):
        raise ValueError("model has kernel values and no features; a picture shows two")
    if isinstance(first, str):
        raise ValueError("model has strings for rows; a picture shows two features")
    if first is not None and len(first) != 2:
        count = f"{len(first)} feature{'s' * (len(first) != 1)}"
        raise ValueError(f"model has {count}; a picture shows two")


def describe(kernel: Any, C: Any, vectors: list[Any] | None = None) -> str:
    """Return what is said below the title: the kernel, C and the count of support vectors."""
    words = [kernel_text(kernel), *penalty_text(C)]
    if vectors is not None:
        words.append(f"{len(vectors):,} support vector{'s' * (len(vectors) != 1)}")
    return ", ".join(words)


def kernel_text(kernel: Any) -> str:
    """Return a kernel in words, its numbers in short: a function of the caller's has its name.

    >>> from refsvm.kernels.standard import Polynomial
    >>> kernel_text(Polynomial(2, gamma=1 / 3)), kernel_text(max)
    ('Polynomial(degree=2, gamma=0.333333, coef0=0.0)', 'max(x, z)')
    """
    name = getattr(kernel, "__name__", None)
    text = f"{name}(x, z)" if name else repr(kernel)
    return shorten(re.sub(LONG_NUMBER, lambda found: f"{float(found[0]):.6g}", text))


def penalty_text(C: Any) -> list[str]:
    """Return C in words, alone in a list; nothing where it is not known.

    >>> penalty_text(0.1), penalty_text([1, 2.5, 1]), penalty_text(None)
    (['C = 0.1'], ['C = 1 to 2.5'], [])
    """
    if C is None:
        return []
    every: Iterable[Any] = C if isinstance(C, list) else [C]
    low, high = min(every), max(every)
    ends = [f"{float(c):.6g}" if c != inf else "inf" for c in (low, high)]
    return ["C = " + " to ".join(dict.fromkeys(ends))]


def in_order(labels: Iterable[Any]) -> list[Any]:
    """Return the labels of all classes in the order that gives each its sign.

    >>> in_order([7, 2, 2]), in_order(["b", 1])
    ([2, 7], [1, 'b'])
    """
    every = list(dict.fromkeys(labels))
    try:
        return sorted(every)
    except TypeError:  # a model and the data may have labels of two sorts
        return sorted(every, key=lambda label: (type(label).__name__, str(label)))


def class_name(label: Any) -> str:
    """Return what a legend calls a class, if it is not told: a text by itself, others by class.

    >>> class_name("yes"), class_name(-1)
    ('yes', 'class -1')
    """
    return label if isinstance(label, str) else f"class {label}"
