"""A problem as a document: JSON that any language can read, and one text of it to be hashed.

A proof is worth something only for one problem. So a problem is written down as a document, the
document has one canonical text, and the SHA-256 of that text is the problem's name.

    document   dicts, lists, strings, bools and ints: what JSON holds, without its numbers but
               small ints. The keys of a problem are X, y, C, kernel, bias and slack; beside
               classification form, X, kernel, and those of weights, y, C, nu, epsilon and slack
               that the machine has
    number     a string, "p" or "p/q" in lowest terms with q > 1; a penalty C_i may be "inf"
    text       keys sorted, no spaces, no character beyond ASCII but as \\uXXXX

Every float is written as the dyadic fraction it is, so nothing is rounded on the way out or in. A
kernel is written by name, with its parameters; sums, products and multiples hold the documents of
their parts. A kernel of the caller's own has no name in other languages: it is written as the Gram
matrix of its exact values, as a precomputed one.

    >>> from refsvm.svm.problem import Problem
    >>> document = document_of(Problem([[0.5], [2]], [-1, 1], C=[1, float("inf")]))
    >>> print(canonical(document))                                      # doctest: +ELLIPSIS
    {"C":["1","inf"],"X":[["1/2"],["2"]],"bias":true,"kernel":{"name":"linear"},...,"y":[-1,1]}
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from hashlib import sha256
from math import inf
from typing import Any

from ..kernels.base import Multiple, Product, Sum
from ..kernels.gram_matrices import gram
from ..kernels.standard import FORMULAS, Precomputed, parameters_of
from ..kernels.strings import Spectrum
from ..numerics.numerals import numeral, parse_double, parse_number
from ..numerics.quoting import quote
from ..numerics.types import Number, Row
from ..numerics.validation import one_of
from ..svm.ball_problem import BallProblem
from ..svm.nu_problem import NuProblem
from ..svm.one_class_problem import OneClassProblem
from ..svm.problem import Problem
from ..svm.problem_rows import training_rows
from ..svm.regression_problem import NuRegressionProblem, RegressionProblem
from ..svm.regression_without_offset import RegressionWithoutOffset
from ..svm.training_problem import TrainingProblem, require_training_problem
from .plain_json import (
    TOO_DEEP,
    Document,
    parse_small_int,
    refuse_number,
    refuse_other_keys,
    require_list,
    require_plain,
    unique_keys,
)

# The machines beside classification, by what a document calls their form.
FORMS: dict[str, Any] = {
    "nu": NuProblem,
    "regression": RegressionProblem,
    "regression_without_offset": RegressionWithoutOffset,
    "nu_regression": NuRegressionProblem,
    "one_class": OneClassProblem,
    "ball": BallProblem,
}
ORDER = ("X", "y", "C", "nu", "epsilon", "weights", "kernel", "bias", "slack")

ReadNumber = Callable[[Any, str], Any]  # takes a string and what a refusal calls it to a number

WHOLE_PARAMETERS = ("degree", "length")  # parameters that are whole numbers

# The kernels by name, and how each of their parameters is written.
NAMED: dict[str, tuple[Any, dict[str, str]]] = {
    re.sub(r"\B([A-Z])", r"_\1", kernel.__name__).lower(): (
        kernel,
        {name: "int" if name in WHOLE_PARAMETERS else "number" for name in parameters_of(kernel)},
    )
    for kernel in (*FORMULAS, Spectrum, Precomputed)
}
FLOAT_KERNELS = ("gaussian", "sigmoid")  # kernels that exist on floats only
COMPOSED: dict[str, tuple[Any, str]] = {"sum": (Sum, "terms"), "product": (Product, "factors")}


def canonical(document: object) -> str:
    """Write the one text of a document, in ASCII characters (S16.7). O(its length).

    Raises
    ------
    TypeError
        for what no document holds, such as a float, and for a key that is no string

    Examples
    --------
    >>> canonical({"y": [-1, 1], "X": ["ab", "\\u00e9"]})
    '{"X":["ab","\\\\u00e9"],"y":[-1,1]}'
    """
    require_plain(document)
    return json.dumps(document, sort_keys=True, separators=(",", ":"))


def digest(document: object) -> str:
    """Compute the SHA-256 of the canonical text, as 64 hexadecimal digits (S16.7).

    >>> digest({})[:16]
    '44136fa355b3678a'
    """
    return sha256(canonical(document).encode("ascii")).hexdigest()


def parsed(text: str) -> Document:
    """Read the document that a JSON text holds.

    Raises
    ------
    ValueError
        for a key that stands twice, a float, an int of more than 18 digits, and for lists or
        objects in one another, deeper than 100

    Examples
    --------
    >>> parsed('{"y": [1, 1e0]}')
    Traceback (most recent call last):
      ...
    ValueError: the document holds 1e0; a number is a string, "p" or "p/q"
    """
    try:
        document: Document = json.loads(
            text,
            object_pairs_hook=unique_keys,
            parse_int=parse_small_int,
            parse_float=refuse_number,
            parse_constant=refuse_number,
        )
    except RecursionError:
        raise ValueError(TOO_DEEP) from None
    return document


def document_of(problem: TrainingProblem) -> Document:
    """Write a problem of any machine as a document; with a named kernel nothing is computed.

    Raises
    ------
    TypeError
        if a kernel of the caller's own is combined with one that is not rational

    Notes
    -----
    O(n d). The problem of classification has no `form`. Standard: S16.7.

    Examples
    --------
    >>> from refsvm.svm.problem import Problem
    >>> K = lambda x, z: len(set(x) & set(z))
    >>> document_of(Problem(["ab", "bc"], [-1, 1], K))["X"]
    [['2', '1'], ['1', '2']]
    >>> from refsvm.svm.ball_problem import BallProblem
    >>> print(canonical(document_of(BallProblem([[0.5], [2]]))))
    {"C":"1","X":[["1/2"],["2"]],"form":"ball","kernel":{"name":"linear"},"weights":["1","1"]}
    """
    kernel = kernel_document(require_training_problem(problem).kernel)
    if kernel is None:
        return gram_document(problem)
    return _problem_document_with(problem, problem.X, kernel)


def gram_document(problem: TrainingProblem) -> Document:
    """Write the same problem with its exact Gram matrix for rows and kernel. O(n n d).

    Raises
    ------
    TypeError
        if kernel values are no Fractions
    ValueError
        unless the matrix is symmetric

    Examples
    --------
    >>> from refsvm.svm.problem import Problem
    >>> document = gram_document(Problem([[0.5], [2]], [-1, 1]))
    >>> document["X"], document["kernel"]
    ([['1/4', '1'], ['1', '4']], {'name': 'precomputed'})
    """
    exact = require_training_problem(problem).to(Fraction)
    given = type(exact.kernel) is Precomputed
    K = exact.X if given else training_rows(gram(exact.kernel, exact.X), Precomputed(), Fraction)
    return _problem_document_with(exact, K, {"name": "precomputed"})


def _problem_document_with(
    problem: TrainingProblem, rows: Iterable[Row], kernel: Document
) -> Document:
    """The document of the problem with these rows, and with the document of a kernel."""
    name = _form_name(problem)
    values: Document = {
        "X": [x if isinstance(x, str) else list(map(numeral, x)) for x in rows],
        "kernel": kernel,
    }
    for attribute in problem.made_of[1:]:
        key = _key_of(attribute)
        if key not in values:
            values[key] = _value_document(getattr(problem, attribute))
    return {**({"form": name} if name else {}), **{key: values[key] for key in _keys_of(problem)}}


def _keys_of(kind: Any) -> list[str]:
    """The keys of a problem's document, or of those of a class of problems, but for `form`."""
    return sorted(map(_key_of, kind.made_of[1:]), key=ORDER.index)


def _form_name(problem: TrainingProblem) -> str | None:
    """What a document calls the form of the problem; None for classification."""
    return next((name for name, kind in FORMS.items() if isinstance(problem, kind)), None)


def _key_of(key: str) -> str:
    """The key of a document for an attribute that a problem is made of."""
    return "weights" if key == "example_weights" else key


def _value_document(value: Any) -> Any:
    """The part of a document for a value: labels, words and bools as they are, else numbers."""
    if isinstance(value, list):
        return [v if type(v) is int else numeral(v) for v in value]
    return numeral(value) if isinstance(value, (float, Fraction)) else value


def problem_of(document: Any) -> Any:
    """Read the problem of a document: on Fractions, on floats if its kernel needs them.

    Raises
    ------
    ValueError, TypeError
        in a sentence, for anything that is not exactly such a document

    Examples
    --------
    >>> document = document_of(Problem([[0.5], [2]], [-1, 1]))
    >>> problem_of(document).X
    [[Fraction(1, 2)], [Fraction(2, 1)]]
    """
    require_plain(document)
    form = document.get("form") if isinstance(document, dict) else None
    kind = Problem if form is None else FORMS[one_of(form, FORMS, "form")]
    keys = _keys_of(kind)
    refuse_other_keys(document, keys if form is None else ("form", *keys), "the document")
    number: ReadNumber = parse_number
    kernel = _kernel_of(document["kernel"], "kernel", number)
    if _needs_floats(document["kernel"]):
        number = parse_double
        kernel = _kernel_of(document["kernel"], "kernel", number)
    X = [_row_of(x, i, number) for i, x in enumerate(require_list(document["X"]))]
    values = {key: _value_of(kind, key, document[key], number) for key in keys}
    return kind(**{**values, "X": X, "kernel": kernel})


def _value_of(kind: Any, key: str, value: Any, number: ReadNumber) -> Any:
    """What a part of a document stands for, besides rows and kernel."""
    if key in ("X", "kernel", "bias", "slack"):
        return value
    if key == "y" and kind in (Problem, NuProblem):
        return [_label_of(label, i) for i, label in enumerate(require_list(value))]
    if key in ("y", "weights") or key == "C" and "slack" in kind.made_of:
        return [_limit_of(v, f"{key}[{i}]", number) for i, v in enumerate(require_list(value))]
    return _limit_of(value, key, number)


def _label_of(label: object, i: int) -> int:
    """Label i, refused unless it is an int."""
    if type(label) is not int:
        raise TypeError(f"y[{i}] is {quote(label)}; a label must be 1 or -1")
    return label


def _limit_of(value: object, place: str, number: ReadNumber) -> Number:
    """The number of a string; that of a penalty C may be inf."""
    return inf if value == "inf" and place[0] == "C" else number(value, place)


def _row_of(row: object, i: int, number: ReadNumber) -> Row:
    """Row i of X: a string as it is, or the list of its numbers."""
    if isinstance(row, str):
        return row
    return [number(v, f"X[{i}][{k}]") for k, v in enumerate(require_list(row))]


# ---- kernels


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


def _kernel_of(document: object, place: str, number: ReadNumber) -> Any:
    """The kernel that the document describes; `place` is what a refusal calls it.

    number is how its parameters are read: parse_number, or parse_double where one needs floats.
    """
    if not isinstance(document, dict) or "name" not in document:
        raise TypeError(f"{place} is {quote(document)}; an object with a name is needed")
    name = one_of(document["name"], (*NAMED, *COMPOSED, "multiple"), f"{place}.name")
    if name == "multiple":
        refuse_other_keys(document, ("name", "factor", "kernel"), place)
        factor = number(document["factor"], f"{place}.factor")
        return factor * _kernel_of(document["kernel"], f"{place}.kernel", number)
    if name in COMPOSED:
        return _composed_kernel(document, place, number, *COMPOSED[name])
    kind, parameters = NAMED[name]
    refuse_other_keys(document, ("name", *parameters), place)
    number = parse_double if name in FLOAT_KERNELS else number
    return kind(
        **{
            key: document[key] if form == "int" else number(document[key], f"{place}.{key}")
            for key, form in parameters.items()
        }
    )


def _composed_kernel(
    document: Document, place: str, number: ReadNumber, kind: Any, key: str
) -> Any:
    """The Sum or Product of the two parts under `key`."""
    refuse_other_keys(document, ("name", key), place)
    parts = require_list(document[key])
    if len(parts) != 2:
        raise ValueError(f"{place}.{key} has length {len(parts)}; there are two")
    named = [(part, f"{place}.{key}[{k}]") for k, part in enumerate(parts)]
    return kind(*(_kernel_of(part, where, number) for part, where in named))


def _needs_floats(kernel: Document) -> bool:
    """Whether a part of the kernel's document exists on floats only."""
    parts = [*kernel.get("terms", ()), *kernel.get("factors", ()), kernel.get("kernel")]
    return kernel["name"] in FLOAT_KERNELS or any(_needs_floats(part) for part in parts if part)
