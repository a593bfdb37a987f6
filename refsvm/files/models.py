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
    probA -1.5                    k(k-1)/2 numbers, and as many in the line probB, if the model was
    probB 0.25                    trained for probabilities: A and B of each pair's sigmoid
    nr_sv 1 1                     how many vectors each class has
    SV
    0.25 1:1 3:-2                 k-1 coefficients, then the vector without its zeros
    # refsvm {"labels":[..]}      only if it is needed: table_columns.py; LIBSVM passes it over

Numbers are written as the shortest decimals that read back to the same double. LIBSVM itself
writes features with 8 digits only, so a model that it saved differs a little from the one it
trained. A precomputed kernel has the vector `0:serial`, counted from 1.

Source: svm_save_model and svm_load_model of LIBSVM. The layout of the coefficients: one_vs_one.py.
model_lines.py has what is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from ..kernels.base import Kernel
from ..kernels.standard import Precomputed
from ..numerics.options import instance_of, one_of
from ..numerics.quoting import quote
from ..numerics.sparse_rows import ZEROS_A_NUMBER, KeptColumns, SparseRow, row_items
from ..numerics.types import Label, Matrix, Vector
from ..numerics.validation import matrix, number_kind
from ..svm.calibration import Calibration
from ..svm.one_vs_one import OneAgainstOne
from .fitted import Fitted, columns_of_frame, model_of
from .model_lines import KERNELS, LARGEST_LABEL, model_lines
from .outputs import writing
from .table_columns import Kept, TableColumns, kept_width, lines_before
from .text import (
    LARGEST_INDEX,
    PathLike,
    at,
    brief,
    finite,
    items,
    plain_line,
    reading,
    rows_of_items,
    whole,
    whole_width,
)

Lines = Iterable[tuple[int, str]]  # of a file, each with its number
Header = dict[str, list[Any]]

IGNORED = ["prob_density_marks"]  # of a machine of one class


def read_model(path: PathLike, features: int | None = None) -> OneAgainstOne:
    """Read a LIBSVM model file, plain or gzipped.

    The lines probA and probB become its calibrations, of which `probabilities` are made, as
    svm-predict -b 1 makes them. Without these lines calibrations is None.

    Parameters
    ----------
    path : name of a file
    features : int
        how many numbers a vector has; if not given, what the last line says of it, or else the
        largest index in the file, at least one. same_width brings vectors and rows together

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
    >>> from refsvm import Linear
    >>> model = OneAgainstOne([1, -1], Linear(), [[1.0], [-1.0]], [1, 1], [[0.5, -0.5]], [0.25])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "small.model")
    ...     write_model(path, model)
    ...     read_model(path) == model
    True
    """
    return read_model_and_columns(path, features)[0]


def read_model_and_columns(
    path: PathLike, features: int | None = None
) -> tuple[OneAgainstOne, TableColumns | None]:
    """Return the classifier of a model file, and what the columns of its table were.

    TableColumns are None for a model that was not trained on a table. See read_model.
    """
    if features is not None:
        features = whole_width(features)
    kept: list[Kept] = []
    with reading(path) as lines:
        header = read_header(path, lines)
        kernel, classes, counts, rho = from_header(path, header)
        calibrations = sigmoids(path, header, len(rho))
        V = field(path, header, "total_sv", 1)[0]
        vector_lines = lines_before(path, lines, kept)
        per_vector, vectors = read_vectors(path, vector_lines, len(classes), kernel, features)
    if len(vectors) != V or V != sum(counts):  # exact
        raise ValueError(
            f"{brief(path)} has {len(vectors)} lines after SV, total_sv is {V} and nr_sv adds"
            f" up to {sum(counts)}; these must be equal"  # exact
        )
    labels, columns = kept[0] if kept else (None, None)
    classes = classes if labels is None else named_classes(path, classes, labels)
    if not isinstance(kernel, Precomputed):
        largest = max([1] + [indices[-1] for indices, _ in vectors if indices])
        width = features or kept_width(path, columns, largest)
        vectors = rows_of_items(vectors, width)
    coefs: Matrix = [[of_vector[r] for of_vector in per_vector] for r in range(len(classes) - 1)]
    offsets: Vector = [0 - value for value in rho]
    model = OneAgainstOne(classes, kernel, vectors, counts, coefs, offsets, calibrations)
    return model, columns


def named_classes(path: PathLike, numbers: list[Any], labels: list[Any]) -> list[Any]:
    """Return the labels that stand for 1, 2, .., k."""
    k = len(numbers)
    if numbers != list(range(1, k + 1)) or len(labels) != k:
        raise ValueError(
            f"{brief(path)} names {len(labels)} labels after # refsvm; they stand for 1 to"
            f" {len(labels)}, which its line label does not have in this order"
        )
    return labels


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
    "probA": finite,
    "probB": finite,
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


def sigmoids(path: PathLike, header: Header, count: int) -> list[Calibration] | None:
    """Return the Calibration of each pair; None if the header has neither probA nor probB."""
    if not {"probA", "probB"} & set(header):
        return None
    A, B = (field(path, header, key, count) for key in ("probA", "probB"))
    return [Calibration(*pair) for pair in zip(A, B)]


def read_vectors(
    path: PathLike, lines: Lines, k: int, kernel: Kernel, features: int | None
) -> tuple[list[list[float]], list[Any]]:
    """Return the k-1 coefficients of each support vector; and its items, or its index from 0."""
    coefs: list[list[float]] = []
    vectors: list[Any] = []
    largest = LARGEST_INDEX if features is None else features
    for number, line in lines:
        plain = None if isinstance(kernel, Precomputed) else plain_line(line, k - 1, largest)
        if plain:
            coefs.append(plain[0])
            vectors.append(plain[1])
            continue
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

    >>> from refsvm import Linear
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


def write_model(
    path: PathLike, model: OneAgainstOne | Fitted, columns: TableColumns | None = None
) -> None:
    """Write a OneAgainstOne as a LIBSVM model; gzipped for a name in .gz, as LIBSVM is not.

    Of an SVC or LinearSVC that is fitted its `model_` is written. Labels that are texts, and the
    columns of the table or data frame that it was trained on, are kept in a last line, which
    LIBSVM passes over.

    columns: of the Data that it was trained on, if they were a table.

    read_model gives it back with equal labels, parameters, coefficients and offsets, and with
    equal vectors but for columns of zeros at the right. LIBSVM loads it. The file appears whole
    or not at all. O(V d).

    Raises
    ------
    ValueError or TypeError
        for labels that are neither ints of 32 bits nor texts, a kernel that LIBSVM lacks, and a
        Fraction that no double equals
    """
    columns = columns or columns_of_frame(model)
    model = model_of(model)
    if not isinstance(model, OneAgainstOne):
        raise TypeError(
            f"model is a {type(model).__name__}; a OneAgainstOne is needed, or an SVC or"
            " LinearSVC that is fitted"
        )
    lines = model_lines(model, columns)
    with writing(path) as text:
        text.writelines(line + "\n" for line in lines)
