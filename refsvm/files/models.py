"""LIBSVM's model files, of type c_svc: what svm-train writes and svm-predict reads.

A header of `key value ..` lines, the line SV, then a line for each support vector:

    svm_type c_svc                c_svc is the SVM with the penalty C, for two or more classes
    kernel_type polynomial        linear, polynomial, rbf, sigmoid or precomputed
    degree 2                      the parameters that this kernel has
    gamma 1
    coef0 0
    nr_class 2                    k, the number of classes
    total_sv 2                    V, the number of support vectors
    rho -0.5                      k(k-1)/2 numbers, one a pair of classes; the offset b is -rho
    label 1 -1                    the k labels, ints; the vectors are grouped in this order
    nr_sv 1 1                     how many vectors each class has
    SV
    0.25 1:1 3:-2                 k-1 coefficients, then the vector without its zeros

Numbers are written as the shortest decimals that read back to the same double. LIBSVM itself
writes features with 8 digits only, so a model that it saved differs a little from the one it
trained. A precomputed kernel has the vector `0:serial`, counted from 1.

Source: svm_save_model and svm_load_model of LIBSVM. The layout of the coefficients: one_vs_one.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from ..kernels.base import Kernel
from ..kernels.standard import Gaussian, Linear, Polynomial, Precomputed, Sigmoid
from ..numerics.options import instance_of, one_of
from ..numerics.quoting import quote
from ..numerics.sparse_rows import ZEROS_A_NUMBER, KeptColumns, SparseRow, row_items
from ..numerics.types import Label, Matrix
from ..numerics.validation import matrix, number_kind, to_number
from ..svm.one_vs_one import OneAgainstOne
from .outputs import writing
from .text import (
    PathLike,
    at,
    brief,
    decimals,
    finite,
    item_words,
    items,
    reading,
    rows_of_items,
    whole,
    whole_width,
)

Lines = Iterable[tuple[int, str]]  # of a file, each with its number
Header = dict[str, list[Any]]

KERNELS: dict[str, tuple[type[Kernel], list[str]]] = {
    "linear": (Linear, []),
    "polynomial": (Polynomial, ["degree", "gamma", "coef0"]),
    "rbf": (Gaussian, ["gamma"]),
    "sigmoid": (Sigmoid, ["gamma", "coef0"]),
    "precomputed": (Precomputed, []),
}
IGNORED = ["probA", "probB", "prob_density_marks"]  # of probabilities, which votes do not use
LARGEST_LABEL = 2**31 - 1


def read_model(path: PathLike, features: int | None = None) -> OneAgainstOne:
    """Read a LIBSVM model file, plain or gzipped.

    The lines probA, probB and prob_density_marks are passed over: they serve svm-predict -b 1,
    whose most probable class may differ from the one with the most votes.

    Parameters
    ----------
    path : name of a file
    features : int
        how many numbers a vector has, which the file does not say; the largest index in the file,
        at least one, if not given. same_width brings vectors and rows together

    Raises
    ------
    ValueError
        naming the file and the place: for another svm_type, an unknown or missing header line, a
        number that is not finite, and counts that do not agree

    Notes
    -----
    O(V d), V vectors of d numbers.

    Examples
    --------
    >>> import os, tempfile
    >>> model = OneAgainstOne([1, -1], Linear(), [[1.0], [-1.0]], [1, 1], [[0.5, -0.5]], [0.25])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "small.model")
    ...     write_model(path, model)
    ...     read_model(path) == model
    True
    """
    if features is not None:
        features = whole_width(features)
    with reading(path) as lines:
        header = read_header(path, lines)
        kernel, classes, counts, rho = from_header(path, header)
        V = field(path, header, "total_sv", 1)[0]
        per_vector, vectors = read_vectors(path, lines, len(classes), kernel, features)
    if len(vectors) != V or V != sum(counts):  # exact
        raise ValueError(
            f"{brief(path)} has {len(vectors)} lines after SV, total_sv is {V} and nr_sv adds"
            f" up to {sum(counts)}; these must be equal"  # exact
        )
    if not isinstance(kernel, Precomputed):
        width = features or max([1] + [indices[-1] for indices, _ in vectors if indices])
        vectors = rows_of_items(vectors, width)
    coefs: Matrix = [[of_vector[r] for of_vector in per_vector] for r in range(len(classes) - 1)]
    return OneAgainstOne(classes, kernel, vectors, counts, coefs, [0 - value for value in rho])


def read_header(path: PathLike, lines: Lines) -> Header:
    """Return {key: values} of the lines before SV."""
    header: Header = {}
    for number, line in lines:
        key, *words = line.split() or [""]
        if key == "SV":
            return header
        with at(path, number):
            if key in header:
                raise ValueError(f"{quote(key)} stands in the header twice")
            if key and key not in IGNORED:
                header[key] = values_of(key, words)
    raise ValueError(f"{brief(path)} has no line SV; it is not a whole LIBSVM model")


def values_of(key: str, words: list[str]) -> list[Any]:
    """Return the words after a key of the header, as what they mean."""
    if key not in MEANINGS:
        known = ", ".join([*MEANINGS, *IGNORED, "SV"])
        raise ValueError(
            f"{quote(key)} is no header of a LIBSVM model; the known ones are {known}"
        )
    return [MEANINGS[key](word, key) for word in words]


def svm_type(word: str, name: str) -> str:
    """Return the word c_svc."""
    if word != "c_svc":
        raise ValueError(f"{name} is {quote(word)}; only models of the type c_svc can be read")
    return word


def label(word: str, name: str) -> int:
    """Return an int with a sign or without."""
    if not re.fullmatch("[+-]?[0-9]{1,10}", word) or abs(int(word)) > LARGEST_LABEL:
        raise ValueError(
            f"{name} is {quote(word)}; a LIBSVM model has labels that are ints of 32 bits"
        )
    return int(word)


MEANINGS: dict[str, Callable[[str, str], Any]] = {
    "svm_type": svm_type,
    "kernel_type": lambda word, name: one_of(word, KERNELS, name),
    "degree": whole,
    "gamma": finite,
    "coef0": finite,
    "nr_class": lambda word, name: whole(word, name, 2),
    "total_sv": whole,
    "rho": finite,
    "label": label,
    "nr_sv": whole,
}


def field(path: PathLike, header: Header, key: str, count: int) -> list[Any]:
    """Return the values of a header line, refused unless there are `count` of them."""
    if key not in header:
        raise ValueError(
            f"{brief(path)} has no header line {key}; a model with these headers needs it"
        )
    if len(header[key]) != count:
        raise ValueError(
            f"{brief(path)} has {len(header[key])} values of {key}; there must be {count}"
        )
    return header[key]


def from_header(
    path: PathLike, header: Header
) -> tuple[Kernel, list[Label], list[int], list[float]]:
    """Return the kernel, the labels, the count of vectors of each and the rho of each pair."""
    field(path, header, "svm_type", 1)
    make, names = KERNELS[field(path, header, "kernel_type", 1)[0]]
    parameters = [field(path, header, name, 1)[0] for name in names]
    try:
        kernel = make(*parameters)
    except ValueError as error:
        raise ValueError(f"{brief(path)}: {error}") from None
    k = field(path, header, "nr_class", 1)[0]
    classes = field(path, header, "label", k)
    if len(set(classes)) < k:
        raise ValueError(f"{brief(path)} has a label twice; every class must have its own")
    return (
        kernel,
        classes,
        field(path, header, "nr_sv", k),
        field(path, header, "rho", k * (k - 1) // 2),
    )


def read_vectors(
    path: PathLike, lines: Lines, k: int, kernel: Kernel, features: int | None
) -> tuple[list[list[float]], list[Any]]:
    """Return the k-1 coefficients of each support vector; and its items, or its index from 0."""
    coefs: list[list[float]] = []
    vectors: list[Any] = []
    for number, line in lines:
        tokens = line.split()
        if tokens:
            with at(path, number):
                if len(tokens) < k - 1:
                    raise ValueError(f"there are {len(tokens)} coefficients; {k - 1} are needed")
                coefs.append([finite(token, "a coefficient") for token in tokens[: k - 1]])
                if isinstance(kernel, Precomputed):
                    vectors.append(serial(tokens[k - 1 :]) - 1)
                else:
                    vectors.append(items(tokens[k - 1 :], features))
    return coefs, vectors


def serial(tokens: list[str]) -> int:
    """Return the number, from 1, of the training example in the tokens 0:number."""
    if len(tokens) != 1 or not tokens[0].startswith("0:"):
        raise ValueError(
            f"the vector is {quote(' '.join(tokens))}; with a precomputed kernel it must be"
            " 0:serial"
        )
    return whole(tokens[0][2:], "the serial number", 1)


def same_width(model: OneAgainstOne, X: Any) -> tuple[OneAgainstOne, Any]:
    """Return (model, X) with zeros added at the right, so that vectors and rows are equally long.

    Zeros that a file left out change no linear, polynomial, Gaussian or sigmoid kernel. With a
    precomputed kernel both are returned as they are.

    >>> model = OneAgainstOne([1, -1], Linear(), [[1.0], [-1.0]], [1, 1], [[0.5, -0.5]], [0.0])
    >>> model, X = same_width(model, [[3, 0, 7]])
    >>> model.vectors, X
    ([[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]], [[3.0, 0.0, 7.0]])
    """
    if isinstance(instance_of(OneAgainstOne, model, "model").kernel, Precomputed):
        return model, X
    X = matrix(X, "X")
    width = max(map(len, X + model.vectors))
    return model._replace(vectors=[pad(v, width) for v in model.vectors]), [
        pad(row, width) for row in X
    ]


def pad(row: Any, width: int) -> Any:
    """Return the row with zeros of its kind added at the right; sparse, if that is smaller."""
    zero = number_kind(row)(0)
    if isinstance(row, list) and width <= ZEROS_A_NUMBER * len(row):
        return row + [zero] * (width - len(row))
    found = dict(row_items(row))
    return SparseRow(KeptColumns(list(found), width), list(found.values()), zero)


class Fitted(Protocol):
    """An SVC that is fitted."""

    model_: OneAgainstOne


def write_model(path: PathLike, model: OneAgainstOne | Fitted) -> None:
    """Write a OneAgainstOne as a LIBSVM model; gzipped for a name in .gz, as LIBSVM is not.

    Of an SVC that is fitted its `model_` is written.

    read_model gives it back with equal labels, parameters, coefficients and offsets, and with
    equal vectors but for columns of zeros at the right. LIBSVM loads it. The file appears whole
    or not at all. O(V d).

    Raises
    ------
    ValueError or TypeError
        for labels that are not ints of 32 bits, a kernel that LIBSVM lacks, and a Fraction that
        no double equals
    """
    model = getattr(model, "model_", model)
    if not isinstance(model, OneAgainstOne):
        raise TypeError(
            f"model is a {type(model).__name__}; a OneAgainstOne is needed, or an SVC that is"
            " fitted"
        )
    lines = header_lines(model) + ["SV"] + vector_lines(model)
    with writing(path) as text:
        text.writelines(line + "\n" for line in lines)


def header_lines(model: OneAgainstOne) -> list[str]:
    """Return the lines before SV, in LIBSVM's order."""
    rho = [decimals(0 - b, f"offsets[{i}]") for i, b in enumerate(model.offsets)]
    labels = [str(int_label(label, f"classes[{c}]")) for c, label in enumerate(model.classes)]
    return [
        "svm_type c_svc",
        *kernel_lines(model.kernel),
        f"nr_class {len(model.classes)}",
        f"total_sv {len(model.vectors)}",
        " ".join(["rho"] + rho),
        " ".join(["label"] + labels),
        " ".join(["nr_sv"] + [str(count) for count in model.counts]),
    ]


def kernel_lines(kernel: object) -> list[str]:
    """Return the header lines of a kernel and its parameters."""
    for word, (make, names) in KERNELS.items():
        if type(kernel) is make:
            return [f"kernel_type {word}"] + [
                f"{name} {decimals(getattr(kernel, name), name)}" for name in names
            ]
    known = ", ".join(make.__name__ for make, _ in KERNELS.values())
    name = kernel.__name__ if hasattr(kernel, "__name__") else repr(kernel)
    raise ValueError(f"kernel is {name}; a LIBSVM model can only have one of {known}")


def int_label(label: Any, name: str) -> int:
    """Return a label as an int, refused if it is not one."""
    rule = "a LIBSVM model has labels that are ints of 32 bits"
    if isinstance(label, (str, bytes)) or not hasattr(label, "__float__"):
        raise TypeError(f"{name} is {quote(label)}; {rule}")
    number = to_number(number_kind(label), label, name)
    if number != int(number) or not -LARGEST_LABEL <= number <= LARGEST_LABEL:
        raise ValueError(f"{name} is {quote(label)}; {rule}")
    return int(number)


def vector_lines(model: OneAgainstOne) -> list[str]:
    """Return the lines after SV. LIBSVM ends each word of them with a blank, and so it is here."""
    lines = []
    for v, vector in enumerate(model.vectors):
        words = [decimals(row[v], f"coefs[{r}][{v}]") for r, row in enumerate(model.coefs)]
        if isinstance(model.kernel, Precomputed):
            words.append(f"0:{vector + 1}")
        else:
            words += item_words(vector, f"vectors[{v}]")
        lines.append(" ".join(words) + " ")
    return lines
