"""A problem as a document: JSON that any language can read, and one text of it to be hashed.

A proof is worth something only for the problem it was made for. So a problem is written down as a
document, the document has one canonical text, and the SHA-256 of that text is the problem's name.

    document   dicts, lists, strings, bools and ints: what JSON holds, without its numbers but
               small ints. The keys of a problem are X, y, C, kernel, bias and slack
    number     a string, "p" or "p/q" in lowest terms with q > 1; a price C_i may be "inf"
    text       keys sorted, no spaces, no character beyond ASCII but as \\uXXXX

Every float is written as the dyadic fraction it is, so nothing is rounded on the way out or in. A
kernel of the caller's own has no name in other languages: it is written as the Gram matrix of its
exact values, as a precomputed one.

    >>> from refsvm.svm.problem import Problem
    >>> document = document_of(Problem([[0.5], [2]], [-1, 1], C=[1, float("inf")]))
    >>> print(canonical(document))                                      # doctest: +ELLIPSIS
    {"C":["1","inf"],"X":[["1/2"],["2"]],"bias":true,"kernel":{"name":"linear"},...,"y":[-1,1]}
"""

import json
import re
from fractions import Fraction
from hashlib import sha256
from math import inf

from ..kernels.base import Multiple, Product, Sum
from ..kernels.gram_matrices import gram
from ..kernels.standard import Gaussian, Linear, MonomialSum, Polynomial, Precomputed, Sigmoid
from ..kernels.strings import Spectrum
from ..numerics.validation import is_sequence, one_of
from ..svm.problem import Problem, require_problem

DIGITS = 4000  # Python refuses to turn more than 4300 into an int at once, or back
NUMBER = re.compile(r"(0|-?[1-9][0-9]*)(/[1-9][0-9]*)?")
KEYS = ("X", "y", "C", "kernel", "bias", "slack")

# The kernels by name, and how each of their parameters is written.
NAMED = {
    "linear": (Linear, {}),
    "polynomial": (Polynomial, {"degree": "int", "gamma": "number", "coef0": "number"}),
    "monomial_sum": (MonomialSum, {"degree": "int"}),
    "gaussian": (Gaussian, {"gamma": "number"}),
    "sigmoid": (Sigmoid, {"gamma": "number", "coef0": "number"}),
    "spectrum": (Spectrum, {"length": "int"}),
    "precomputed": (Precomputed, {}),
}
ROUNDED = ("gaussian", "sigmoid")  # kernels that exist on floats only
COMPOSED = {"sum": (Sum, "terms"), "product": (Product, "factors")}


def canonical(document):
    """The one text of a document: a str of ASCII characters. O(its length).

    TypeError for what no document holds, such as a float, and for a key that is no string.

    >>> canonical({"y": [-1, 1], "X": ["ab", "\\u00e9"]})
    '{"X":["ab","\\\\u00e9"],"y":[-1,1]}'
    """
    refuse_unless_plain(document)
    return json.dumps(document, sort_keys=True, separators=(",", ":"))


def digest(document):
    """The SHA-256 of the canonical text, as 64 hexadecimal digits.

    >>> digest({})[:16]
    '44136fa355b3678a'
    """
    return sha256(canonical(document).encode("ascii")).hexdigest()


def parsed(text):
    """The document that a JSON text holds. ValueError for a key that stands twice, or a float.

    >>> parsed('{"y": [1, 1e0]}')
    Traceback (most recent call last):
      ...
    ValueError: the document holds 1e0; a number is a string, "p" or "p/q"
    """
    return json.loads(
        text, object_pairs_hook=keys_once, parse_float=no_float, parse_constant=no_float
    )


def document_of(problem):
    """The document of a Problem; of the named kernels without computing anything, O(n d).

    TypeError if a kernel of the caller's own is combined with one that is not rational.

    >>> from refsvm.svm.problem import Problem
    >>> K = lambda x, z: len(set(x) & set(z))
    >>> document_of(Problem(["ab", "bc"], [-1, 1], K))["X"]
    [['2', '1'], ['1', '2']]
    """
    kernel = kernel_document(require_problem(problem).kernel)
    return gram_document(problem) if kernel is None else written(problem, problem.X, kernel)


def gram_document(problem):
    """The document of the same problem with its exact Gram matrix for rows and kernel. O(n n d).

    TypeError if kernel values are no Fractions; ValueError unless the matrix is symmetric.

    >>> from refsvm.svm.problem import Problem
    >>> document = gram_document(Problem([[0.5], [2]], [-1, 1]))
    >>> document["X"], document["kernel"]
    ([['1/4', '1'], ['1', '4']], {'name': 'precomputed'})
    """
    exact = require_problem(problem).to(Fraction)
    given = type(exact.kernel) is Precomputed
    K = exact.X if given else gram_of(exact.kernel, exact.X)
    return written(exact, K, {"name": "precomputed"})


def written(problem, rows, kernel):
    """The document of the problem with these rows, and the document of a kernel."""
    return {
        "X": [x if isinstance(x, str) else list(map(numeral, x)) for x in rows],
        "y": list(problem.y),
        "C": list(map(numeral, problem.C)),
        "kernel": kernel,
        "bias": problem.bias,
        "slack": problem.slack,
    }


def problem_of(document):
    """The Problem that a document describes: on Fractions, on floats if its kernel needs them.

    ValueError or TypeError, in a sentence, for anything that is not exactly such a document.

    >>> document = document_of(Problem([[0.5], [2]], [-1, 1]))
    >>> problem_of(document).X
    [[Fraction(1, 2)], [Fraction(2, 1)]]
    """
    refuse_unless_plain(document)
    refuse_other_keys(document, KEYS, "the document")
    kernel, number = kernel_of(document["kernel"], "kernel", value_of), value_of
    if needs_floats(document["kernel"]):
        kernel, number = kernel_of(document["kernel"], "kernel", a_double), a_double
    X = [
        x if isinstance(x, str) else [number(v, f"X[{i}][{k}]") for k, v in enumerate(a_list(x))]
        for i, x in enumerate(a_list(document["X"]))
    ]
    for i, label in enumerate(a_list(document["y"])):
        if type(label) is not int:
            raise TypeError(f"y[{i}] is {label!r}; a label must be 1 or -1")
    C = [inf if c == "inf" else number(c, f"C[{i}]") for i, c in enumerate(a_list(document["C"]))]
    return Problem(X, document["y"], kernel, C, document["bias"], document["slack"])


def kernel_document(kernel):
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
        return part and {"name": "multiple", "factor": numeral(kernel.factor), "kernel": part}
    return None


def kernel_of(document, place, number):
    """The kernel that the document describes; `place` is what a refusal calls it.

    number is how its parameters are read: value_of, or a_double where a part needs floats.
    """
    if not isinstance(document, dict) or "name" not in document:
        raise TypeError(f"{place} is {document!r}; an object with a name is needed")
    name = one_of(document["name"], (*NAMED, *COMPOSED, "multiple"), f"{place}.name")
    if name == "multiple":
        refuse_other_keys(document, ("name", "factor", "kernel"), place)
        factor = number(document["factor"], f"{place}.factor")
        return factor * kernel_of(document["kernel"], f"{place}.kernel", number)
    if name in COMPOSED:
        return composed(document, place, number, *COMPOSED[name])
    kind, parameters = NAMED[name]
    refuse_other_keys(document, ("name", *parameters), place)
    number = a_double if name in ROUNDED else number
    return kind(
        **{
            key: document[key] if form == "int" else number(document[key], f"{place}.{key}")
            for key, form in parameters.items()
        }
    )


def composed(document, place, number, kind, key):
    """The Sum or Product of the two parts under `key`."""
    refuse_other_keys(document, ("name", key), place)
    parts = a_list(document[key])
    if len(parts) != 2:
        raise ValueError(f"{place}.{key} has length {len(parts)}; there are two")
    named = [(part, f"{place}.{key}[{k}]") for k, part in enumerate(parts)]
    return kind(*(kernel_of(part, where, number) for part, where in named))


def needs_floats(kernel):
    """Whether a part of the kernel's document exists on floats only."""
    parts = [*kernel.get("terms", ()), *kernel.get("factors", ()), kernel.get("kernel")]
    return kernel["name"] in ROUNDED or any(needs_floats(part) for part in parts if part)


def gram_of(kernel, X):
    """The Gram matrix, refused unless it is symmetric to the last bit."""
    return Problem(gram(kernel, X), [1] + [-1] * (len(X) - 1), Precomputed()).X


def numeral(value):
    """A number as a string: "p", "p/q" or "inf".

    >>> numeral(0.75), numeral(-2), numeral(inf)
    ('3/4', '-2', 'inf')
    """
    if value == inf:
        return "inf"
    p, q = value.as_integer_ratio()
    return digits_of(p) if q == 1 else f"{digits_of(p)}/{digits_of(q)}"


def value_of(text, place):
    """The Fraction that a string "p" or "p/q" is; refused unless it is in lowest terms.

    >>> value_of("-3/4", "b")
    Fraction(-3, 4)
    >>> value_of("0.75", "b")
    Traceback (most recent call last):
      ...
    ValueError: b is '0.75'; a number is "p" or "p/q" in lowest terms
    """
    if isinstance(text, str) and NUMBER.fullmatch(text):
        p, *q = text.split("/")
        value = Fraction(whole(p), *map(whole, q))
        if value.denominator == whole(q[0] if q else "1") and q != ["1"]:
            return value
    raise ValueError(f'{place} is {text!r}; a number is "p" or "p/q" in lowest terms')


def a_double(text, place):
    """The float that a string "p/q" is exactly."""
    value = value_of(text, place)
    if abs(value) >= 2**1024 or Fraction(float(value)) != value:
        raise ValueError(f"{place} is {text!r}, which is no double; the kernel needs doubles")
    return float(value)


def digits_of(n):
    """str(n) of an int, however long."""
    if n < 0:
        return "-" + digits_of(-n)
    half = n.bit_length() * 3 // 20  # about half as many as there are decimal digits
    if 2 * half < DIGITS:
        return str(n)
    high, low = divmod(n, 10**half)
    return digits_of(high) + digits_of(low).zfill(half)


def whole(digits):
    """int(digits), however many."""
    if digits[0] == "-":
        return -whole(digits[1:])
    half = len(digits) // 2
    if 2 * half < DIGITS:
        return int(digits)
    return whole(digits[:-half]) * 10**half + whole(digits[-half:])


def keys_once(pairs):
    """The pairs of a JSON object as a dict; ValueError if a key stands twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the document has the key {twice!r} twice in one object")
    return found


def no_float(text):
    """Refuse a JSON number that is no int, and NaN and Infinity."""
    raise ValueError(f'the document holds {text}; a number is a string, "p" or "p/q"')


def refuse_unless_plain(document):
    """TypeError unless the document holds dicts with string keys, lists, strings, ints, bools."""
    if isinstance(document, dict):
        for key in document:
            if not isinstance(key, str):
                raise TypeError(f"the document has the key {key!r}; a string is needed")
        document = list(document.values())
    if isinstance(document, list):
        for part in document:
            refuse_unless_plain(part)
    elif not isinstance(document, (str, int)):
        raise TypeError(f'the document holds {document!r}; a number is a string, "p" or "p/q"')


def refuse_other_keys(document, keys, place):
    """ValueError unless the dict has exactly these keys."""
    if not isinstance(document, dict):
        raise TypeError(f"{place} is {document!r}; an object is needed")
    for key in document:
        one_of(key, keys, f"a key of {place}")
    for key in keys:
        if key not in document:
            raise ValueError(f"{place} has no {key!r}")


def a_list(value):
    """The list, refused unless it is one."""
    if not is_sequence(value):
        raise TypeError(f"the document holds {value!r}; a list is needed")
    return value
