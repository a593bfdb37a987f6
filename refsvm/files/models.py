"""LIBSVM's model files: what svm-train writes and svm-predict reads.

A header of `key value ..` lines, the line SV, then a line for each support vector. A model that
does not classify has neither label nor nr_sv, its nr_class is 2, and it has one rho:

    svm_type c_svc                c_svc and nu_svc classify, epsilon_svr and nu_svr predict values,
                                  one_class tells outliers
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
model_text.py has the header, and what is written.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

from ..kernels.base import Kernel
from ..kernels.standard import Linear, Precomputed
from ..numerics.exact_sums import nearest_weights
from ..numerics.quoting import quote
from ..numerics.sparse_rows import ZEROS_A_NUMBER, KeptColumns, SparseRow, row_items
from ..numerics.types import Label, Matrix, Vector
from ..numerics.validation import instance_of, matrix, number_kind, whole_number
from ..svm.model import Model
from ..svm.one_class_problem import OneClassModel
from ..svm.one_vs_one import OneAgainstOne
from ..svm.regression_problem import RegressionModel
from .model_text import (
    SVC_TYPES,
    Header,
    Lines,
    classes_of_model,
    header_values,
    kernel_of_header,
    model_lines,
    read_header,
    sigmoids,
    svm_type_of,
)
from .outputs import writing
from .table_columns import LINEAR_TYPES, Kept, TableColumns, kept_width, lines_before
from .text import (
    MAX_INDEX,
    PathLike,
    brief,
    finite,
    in_line,
    items,
    plain_line,
    reading,
    rows_of_items,
    whole,
    whole_width,
)

AnyModel = Any  # a OneAgainstOne, a RegressionModel or a OneClassModel


class FileContents(NamedTuple):
    """What a model file holds.

    columns    of the table that the model was trained on; None if it was none
    first      the index of the first column in the file: 0 if that occurs, else 1
    svm_type   as in the header: nu_svc and c_svc have models of one class, and so have both types
               of regression; or as in the last line, if it is linear_svc or linear_svr
    """

    model: AnyModel
    columns: TableColumns | None
    svm_type: str
    first: int


# ---- read


def is_model(path: PathLike) -> bool:
    """Tell whether a file begins as models do."""
    with reading(path) as lines:
        return next((line.split()[:1] == ["svm_type"] for _, line in lines if line.strip()), False)


def read_model(path: PathLike, features: int | None = None) -> AnyModel:
    """Read a LIBSVM model file, plain or gzipped.

    A classifier is a OneAgainstOne, what predicts values a RegressionModel, and what tells
    outliers a OneClassModel.

    A model of nu_svc, nu_svr, linear_svc or linear_svr says so by its svm_type, and is written as
    one again. The vectors of the last two are the weights of their machines.

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
        naming the file and the place: for an unknown svm_type, an unknown or missing header line,
        a number that is not finite, and counts that do not agree

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
    return read_model_file(path, features).model


def read_model_and_columns(
    path: PathLike, features: int | None = None
) -> tuple[AnyModel, TableColumns | None]:
    """Return the model of a file, and what the columns of its table were.

    TableColumns are None for a model that was not trained on a table. See read_model.

    >>> from tempfile import TemporaryDirectory
    >>> from refsvm.estimators.svc import SVC
    >>> with TemporaryDirectory() as folder:
    ...     write_model(f"{folder}/model", SVC(kernel="linear").fit([[0], [2]], [-1, 1]))
    ...     read_model_and_columns(f"{folder}/model")[1] is None
    True
    """
    found = read_model_file(path, features)
    return found.model, found.columns


def read_model_file(
    path: PathLike, features: int | None = None, first: int | None = None
) -> FileContents:
    """Return all that a model file holds; see read_model.

    first: the index of the first column, where it is known: no vector need have a number there.

    >>> from tempfile import TemporaryDirectory
    >>> from refsvm.estimators.svc import SVC
    >>> with TemporaryDirectory() as folder:
    ...     write_model(f"{folder}/model", SVC(kernel="linear").fit([[0], [2]], [-1, 1]))
    ...     read_model_file(f"{folder}/model").svm_type
    'c_svc'
    """
    if features is not None:
        features = whole_width(features)
    kept: list[Kept] = []
    with reading(path) as lines:
        if first is None:
            first, lines = _first_index(lines)
        header = read_header(path, lines)
        (svm_type,) = header_values(path, header, "svm_type", 1)
        kernel = kernel_of_header(path, header)
        vector_lines = lines_before(path, lines, kept)
        read = _read_classifier if svm_type in SVC_TYPES else _read_single
        model = read(path, header, kernel, vector_lines, _Width(features, first), kept)
    linear = kept[0].svm_type if kept else None
    if linear is not None:
        svm_type = _linear_type(path, linear, svm_type, kernel)
    if isinstance(model, (OneAgainstOne, RegressionModel)) and (linear or "nu_" in svm_type):
        model.svm_type = svm_type
    return FileContents(model, kept[0].columns if kept else None, svm_type, first)


def _linear_type(path: PathLike, linear: str, svm_type: str, kernel: Kernel) -> str:
    """Return the type that the last line has, refused if the header has another machine."""
    if svm_type != LINEAR_TYPES[linear] or type(kernel) is not Linear:
        raise ValueError(
            f"{brief(path)} has the type {linear} after # refsvm; its header must have the"
            f" svm_type {LINEAR_TYPES[linear]} and the kernel_type linear"
        )
    return linear


class _Width(NamedTuple):
    """How many numbers a vector has, None if the file shows it, and the index of the first."""

    features: int | None
    first: int


def _first_index(lines: Lines) -> tuple[int, Iterator[tuple[int, str]]]:
    """Return the index of the first column of vectors, 0 if that occurs, else 1; and the lines.

    The file may be a pipe, which can be read once only. O(length of the file).
    """
    read = deque(lines)
    first = 0 if any(" 0:" in line and line[:1] != "#" for _, line in read) else 1
    return first, (read.popleft() for _ in range(len(read)))


def _read_classifier(
    path: PathLike,
    header: Header,
    kernel: Kernel,
    lines: Lines,
    width: _Width,
    kept: list[Kept],
) -> OneAgainstOne:
    """Return the classifier of a header and the lines after SV."""
    classes, counts, rho = classes_of_model(path, header)
    calibrations = sigmoids(path, header, len(rho))
    V = header_values(path, header, "total_sv", 1)[0]
    per_vector, vectors = _read_vectors(path, lines, len(classes), kernel, width)
    if len(vectors) != V or V != sum(counts):  # exact
        raise ValueError(
            f"{brief(path)} has {len(vectors)} lines after SV, total_sv is {V} and nr_sv adds"
            f" up to {sum(counts)}; these must be equal"  # exact
        )
    if kept and kept[0].labels is not None:
        classes = _named_classes(path, classes, kept[0].labels)
    coefs: Matrix = [[of_vector[r] for of_vector in per_vector] for r in range(len(classes) - 1)]
    offsets: Vector = [0 - value for value in rho]
    vectors = _vectors_as_rows(path, vectors, kernel, width, kept)
    return OneAgainstOne(classes, kernel, vectors, counts, coefs, offsets, calibrations)


def _read_single(
    path: PathLike,
    header: Header,
    kernel: Kernel,
    lines: Lines,
    width: _Width,
    kept: list[Kept],
) -> Model:
    """Return the model of one machine: of regression, or of one class."""
    (V,) = header_values(path, header, "total_sv", 1)
    (rho,) = header_values(path, header, "rho", 1)
    per_vector, items_of = _read_vectors(path, lines, 2, kernel, width)
    if len(items_of) != V:
        raise ValueError(
            f"{brief(path)} has {len(items_of)} lines after SV and total_sv is {V}; these must be"
            " equal"
        )
    vectors, coef = _vectors_as_rows(path, items_of, kernel, width, kept), _first_of(per_vector)
    w = nearest_weights(coef, vectors) if type(kernel) is Linear and vectors else None
    if header["svm_type"] == ["one_class"]:
        return OneClassModel(0 - rho, coef, vectors, kernel, w)
    model = RegressionModel(0 - rho, coef, vectors, kernel, w)
    if "probA" in header:
        (model.scale,) = header_values(path, header, "probA", 1)
    return model


def _first_of(per_vector: list[list[float]]) -> Vector:
    """Return the only coefficient of each support vector."""
    return [c for (c,) in per_vector]


def _vectors_as_rows(
    path: PathLike, vectors: Any, kernel: Kernel, width: _Width, kept: list[Kept]
) -> list[Any]:
    """Return the support vectors as rows of one width; as they are if precomputed."""
    if isinstance(kernel, Precomputed):
        return list(vectors)
    features, first = width
    largest = max([1] + [indices[-1] + 1 - first for indices, _ in vectors if indices])
    features = features or kept_width(path, kept[0].columns if kept else None, largest)
    return rows_of_items(vectors, features, first)


def _named_classes(path: PathLike, numbers: list[Any], labels: list[Label]) -> list[Any]:
    """Return the labels that stand for 1, 2, .., k."""
    k = len(numbers)
    if numbers != list(range(1, k + 1)) or len(labels) != k:
        raise ValueError(
            f"{brief(path)} names {len(labels)} labels after # refsvm; they stand for 1 to"
            f" {len(labels)}, which its line label does not have in this order"
        )
    return labels


def _read_vectors(
    path: PathLike, lines: Lines, k: int, kernel: Kernel, width: _Width
) -> tuple[list[list[float]], list[Any]]:
    """Return the k-1 coefficients of each support vector; and its items, or its index from 0."""
    coefs: list[list[float]] = []
    vectors: list[Any] = []
    features, first = width
    last = MAX_INDEX if features is None else features - 1 + first
    for number, line in lines:
        plain = None if isinstance(kernel, Precomputed) else plain_line(line, k - 1, last, first)
        if plain:
            coefs.append(plain[0])
            vectors.append(plain[1])
            continue
        tokens = line.split()
        if tokens:
            with in_line(path, number):
                if len(tokens) < k - 1:
                    raise ValueError(f"there are {len(tokens)} coefficients; {k - 1} are needed")
                coefs.append([finite(token, "a coefficient") for token in tokens[: k - 1]])
                if isinstance(kernel, Precomputed):
                    vectors.append(serial(tokens[k - 1 :]) - 1)
                else:
                    vectors.append(items(tokens[k - 1 :], last, first))
    return coefs, vectors


def serial(tokens: list[str]) -> int:
    """Return the number, from 1, of the training example in the tokens 0:number."""
    if len(tokens) != 1 or not tokens[0].startswith("0:"):
        raise ValueError(
            f"the vector is {quote(' '.join(tokens))}; with a precomputed kernel it must be"
            " 0:serial"
        )
    return whole(tokens[0][2:], "the serial number", 1)


def same_width(model: AnyModel, X: object) -> tuple[AnyModel, Any]:
    """Return (model, X) with zeros added at the right, so that vectors and rows are equally long.

    Zeros that a file left out change no linear, polynomial, Gaussian or sigmoid kernel. With a
    precomputed kernel both are returned as they are.

    >>> from refsvm import Linear
    >>> model = OneAgainstOne([1, -1], Linear(), [[1.0], [-1.0]], [1, 1], [[0.5, -0.5]], [0.0])
    >>> model, X = same_width(model, [[3, 0, 7]])
    >>> model.vectors, X
    ([[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]], [[3.0, 0.0, 7.0]])
    """
    if not isinstance(model, Model):
        instance_of(OneAgainstOne, model, "model")
    if isinstance(model.kernel, Precomputed):
        return model, X
    X = matrix(X, "X")
    width = max(map(len, X + model.vectors))
    wider = model._replace(vectors=[pad(v, width) for v in model.vectors])
    if getattr(model, "w", None) is not None:
        wider = wider._replace(w=pad(model.w, width))
    return wider, [row if len(row) == width else pad(row, width) for row in X]


def pad(row: Any, width: int) -> Any:
    """Return the row with zeros of its kind added at the right; sparse, if that is smaller."""
    zero = number_kind(row)(0)
    if isinstance(row, list) and width <= ZEROS_A_NUMBER * len(row):
        return row + [zero] * (width - len(row))
    found = dict(row_items(row))
    return SparseRow(KeptColumns(list(found), width), list(found.values()), zero)


# ---- written


class Fitted(Protocol):
    """A classifier that is fitted."""

    @property
    def model_(self) -> OneAgainstOne: ...


def fitted_model(machine: Any) -> Any:
    """Return the model of a fitted estimator; of anything else itself.

    ValueError where an estimator has no model to give, in its own sentence.

    >>> fitted_model(3)
    3
    """
    try:
        return machine.model_
    except AttributeError as error:
        if not isinstance(getattr(type(machine), "model_", None), property):
            return machine
        raise ValueError(str(error)) from None


def _columns_of_frame(model: Any) -> TableColumns | None:
    """Return the TableColumns of the data frame that an SVC was fitted on, if it was one."""
    names = getattr(model, "feature_names_in_", None)
    return None if names is None else TableColumns(list(map(str, names)), len(names))


def write_model(
    path: PathLike,
    model: AnyModel | Fitted,
    columns: TableColumns | None = None,
    *,
    first: int = 1,
) -> None:
    """Write a OneAgainstOne, a RegressionModel or a OneClassModel as a LIBSVM model.

    The file is gzipped for a name in .gz, which LIBSVM does not read. Of an estimator that is
    fitted its `model_` is written. Labels that are texts, and the
    columns of the table or data frame that it was trained on, are kept in a last line, which
    LIBSVM passes over.

    columns, first: of the Data that it was trained on, if they were a table, and the index of its
    first column, 1 or 0.

    read_model gives it back with equal labels, parameters, coefficients and offsets, and with
    equal vectors but for columns of zeros at the right. LIBSVM loads it. The file appears whole
    or not at all. O(V d).

    Raises
    ------
    ValueError or TypeError
        for labels that are neither ints of 32 bits nor texts, a kernel that LIBSVM lacks, and a
        Fraction that no double equals
    """
    columns, svm_type = columns or _columns_of_frame(model), svm_type_of(model)
    model = fitted_model(model)
    svm_type = svm_type or svm_type_of(model)
    if not isinstance(model, (OneAgainstOne, RegressionModel, OneClassModel)):
        raise TypeError(
            f"model is a {type(model).__name__}; a OneAgainstOne is needed, a model of regression"
            " or of one class, or an estimator that is fitted"
        )
    lines = model_lines(model, columns, svm_type, whole_number(first, "first", 0, 1))
    with writing(path) as text:
        text.writelines(line + "\n" for line in lines)
