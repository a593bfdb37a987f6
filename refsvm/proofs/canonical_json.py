"""A problem as a document: JSON that any language can read, and one text of it to be hashed.

A proof is worth something only for one problem. So a problem is written down as a document, the
document has one canonical text, and the SHA-256 of that text is the problem's name.

    document   dicts, lists, strings, bools and ints: what JSON holds, without its numbers but
               small ints. The keys of a problem are X, y, C, kernel, bias and slack
    number     a string, "p" or "p/q" in lowest terms with q > 1; a penalty C_i may be "inf"
    text       keys sorted, no spaces, no character beyond ASCII but as \\uXXXX

Every float is written as the dyadic fraction it is, so nothing is rounded on the way out or in. A
kernel of the caller's own has no name in other languages: it is written as the Gram matrix of its
exact values, as a precomputed one.

    >>> from refsvm.svm.problem import Problem
    >>> document = document_of(Problem([[0.5], [2]], [-1, 1], C=[1, float("inf")]))
    >>> print(canonical(document))                                      # doctest: +ELLIPSIS
    {"C":["1","inf"],"X":[["1/2"],["2"]],"bias":true,"kernel":{"name":"linear"},...,"y":[-1,1]}
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable
from fractions import Fraction
from hashlib import sha256
from math import inf
from typing import Any

from ..kernels.base import Multiple, Product, Sum
from ..kernels.gram_matrices import gram
from ..kernels.standard import Gaussian, Linear, MonomialSum, Polynomial, Precomputed, Sigmoid
from ..kernels.strings import Spectrum
from ..numerics.conversion import is_sequence
from ..numerics.numerals import numeral, parse_double, parse_number
from ..numerics.options import one_of
from ..numerics.quoting import quote, shorten
from ..svm.problem import Problem, require_problem

Document = dict[str, Any]
ReadNumber = Callable[[Any, str], Any]  # takes a string and what a refusal calls it to a number

DEEPEST = 100  # lists and objects in one another; a kernel made of kernels has some
TOO_DEEP = f"the document holds lists or objects in one another, deeper than {DEEPEST}"
INT_DIGITS = 18

KEYS = ("X", "y", "C", "kernel", "bias", "slack")

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


def canonical(document: Any) -> str:
    """Write the one text of a document, in ASCII characters. O(its length).

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


def digest(document: Any) -> str:
    """Compute the SHA-256 of the canonical text, as 64 hexadecimal digits.

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


def document_of(problem: Problem) -> Document:
    """Write a Problem as a document; with a named kernel nothing is computed, O(n d).

    Raises
    ------
    TypeError
        if a kernel of the caller's own is combined with one that is not rational

    Examples
    --------
    >>> from refsvm.svm.problem import Problem
    >>> K = lambda x, z: len(set(x) & set(z))
    >>> document_of(Problem(["ab", "bc"], [-1, 1], K))["X"]
    [['2', '1'], ['1', '2']]
    """
    kernel = kernel_document(require_problem(problem).kernel)
    if kernel is None:
        return gram_document(problem)
    return problem_document_with(problem, problem.X, kernel)


def gram_document(problem: Problem) -> Document:
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
    exact = require_problem(problem).to(Fraction)
    given = type(exact.kernel) is Precomputed
    K = exact.X if given else symmetric_gram(exact.kernel, exact.X)
    return problem_document_with(exact, K, {"name": "precomputed"})


def problem_document_with(problem: Problem, rows: Iterable[Any], kernel: Document) -> Document:
    """The document of the problem with these rows, and with the document of a kernel."""
    return {
        "X": [x if isinstance(x, str) else list(map(numeral, x)) for x in rows],
        "y": list(problem.y),
        "C": list(map(numeral, problem.C)),
        "kernel": kernel,
        "bias": problem.bias,
        "slack": problem.slack,
    }


def problem_of(document: Any) -> Problem:
    """Read the Problem of a document: on Fractions, on floats if its kernel needs them.

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
    refuse_other_keys(document, KEYS, "the document")
    kernel = kernel_of(document["kernel"], "kernel", parse_number)
    number: ReadNumber = parse_number
    if needs_floats(document["kernel"]):
        kernel, number = kernel_of(document["kernel"], "kernel", parse_double), parse_double
    X = [row_of(x, i, number) for i, x in enumerate(require_list(document["X"]))]
    for i, label in enumerate(require_list(document["y"])):
        if type(label) is not int:
            raise TypeError(f"y[{i}] is {quote(label)}; a label must be 1 or -1")
    C = [
        inf if c == "inf" else number(c, f"C[{i}]")
        for i, c in enumerate(require_list(document["C"]))
    ]
    return Problem(X, document["y"], kernel, C, document["bias"], document["slack"])


def row_of(row: Any, i: int, number: ReadNumber) -> Any:
    """Row i of X: a string as it is, or the list of its numbers."""
    if isinstance(row, str):
        return row
    return [number(v, f"X[{i}][{k}]") for k, v in enumerate(require_list(row))]


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


def symmetric_gram(kernel: Any, X: Any) -> Any:
    """The Gram matrix, refused unless it is symmetric to the last bit."""
    return Problem(gram(kernel, X), [1] + [-1] * (len(X) - 1), Precomputed()).X


def unique_keys(pairs: list[tuple[str, Any]]) -> Document:
    """The pairs of a JSON object as a dict; raise ValueError if a key stands twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the document has the key {quote(twice)} twice in one object")
    return found


def parse_small_int(text: str) -> int:
    """Read a label or a degree, whose digits are few."""
    return int(text) if len(text) <= INT_DIGITS else refuse_number(text)


def refuse_number(text: str) -> Any:
    """Refuse a JSON number that is no small int, and NaN and Infinity."""
    raise ValueError(f'the document holds {shorten(text)}; a number is a string, "p" or "p/q"')


def require_plain(document: Any) -> None:
    """Refuse a document unless it holds dicts with string keys, lists, strings, ints, bools."""
    level, seen = [document], {id(document)}  # a part that stands in several places is read once
    for _ in range(DEEPEST):
        below: list[Any] = []
        for part in level:
            refuse_unless_plain(part)
            if type(part) in (dict, list):
                below += part.values() if type(part) is dict else part
        level = [part for part in below if id(part) not in seen]
        seen.update(map(id, level))
        if not level:
            return
    raise ValueError(TOO_DEEP)


def refuse_unless_plain(part: Any) -> None:
    """Raise TypeError for a part of a document, not looking at its own parts."""
    if type(part) is dict:
        for key in part:
            if type(key) is not str:
                raise TypeError(f"the document has the key {quote(key)}; a string is needed")
    elif type(part) not in (list, str, bool) and not (
        type(part) is int and abs(part) < 10**INT_DIGITS
    ):
        raise TypeError(f'the document holds {quote(part)}; a number is a string, "p" or "p/q"')


def refuse_other_keys(document: Any, keys: Collection[str], place: str) -> None:
    """Raise ValueError unless the dict has exactly these keys."""
    if not isinstance(document, dict):
        raise TypeError(f"{place} is {quote(document)}; an object is needed")
    for key in document:
        one_of(key, keys, f"a key of {place}")
    for key in keys:
        if key not in document:
            raise ValueError(f"{place} has no {quote(key)}")


def require_list(value: Any) -> Any:
    """The list, refused unless it is one."""
    if not is_sequence(value):
        raise TypeError(f"the document holds {quote(value)}; a list is needed")
    return value
