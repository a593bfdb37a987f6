"""The text of a LIBSVM model file: its header, read and written, and its lines, written.

models.py says what a file holds, and reads the support vectors. The header is the `key value ..`
lines up to the line SV.

Labels that are texts are written as 1, 2, .., k, for LIBSVM knows ints only; what they stand for
is kept in the last line (table_columns.py), which LIBSVM does not read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from ..kernels.base import Kernel
from ..kernels.standard import Gaussian, Linear, Polynomial, Precomputed, Sigmoid
from ..numerics.quoting import quote
from ..numerics.types import Label, Matrix
from ..numerics.validation import number_kind, one_of, to_number
from ..svm.calibration import Calibration
from ..svm.coupling import checked_calibrations
from ..svm.model import Model
from ..svm.one_class_problem import OneClassModel
from ..svm.one_vs_one import OneAgainstOne
from ..svm.regression_problem import RegressionModel
from .table_columns import LINEAR_TYPES, TableColumns, line_of
from .text import PathLike, brief, decimals, finite, in_line, item_words, whole

KERNEL_OF: dict[str, tuple[type[Kernel], list[str]]] = {
    "linear": (Linear, []),
    "polynomial": (Polynomial, ["degree", "gamma", "coef0"]),
    "rbf": (Gaussian, ["gamma"]),
    "sigmoid": (Sigmoid, ["gamma", "coef0"]),
    "precomputed": (Precomputed, []),
}
MAX_LABEL = 2**31 - 1
Lines = Iterable[tuple[int, str]]  # of a file, each with its number
Header = dict[str, list[Any]]

SVC_TYPES = ("c_svc", "nu_svc")
SVM_TYPES = (*SVC_TYPES, "one_class", "epsilon_svr", "nu_svr")
IGNORED = ["prob_density_marks"]  # of a machine of one class


# ---- the header, read


def read_header(path: PathLike, lines: Lines) -> Header:
    """Return {key: values} of the lines before SV."""
    header: Header = {}
    for number, line in lines:
        key, *words = line.split() or [""]
        if key == "SV":
            return header
        with in_line(path, number):
            if key in header:
                raise ValueError(f"{quote(key)} stands in the header twice")
            if key and key not in IGNORED:
                header[key] = _header_words(key, words)
    raise ValueError(f"{brief(path)} has no line SV; it is not a whole LIBSVM model")


OF_OTHERS = {"solver_type": "LIBLINEAR", "SVM-light": "SVMlight"}  # how their models begin


def _header_words(key: str, words: list[str]) -> list[Label]:
    """Return the words after a key of the header, as what they mean."""
    if key in OF_OTHERS:
        raise ValueError(
            f"this is a model of {OF_OTHERS[key]}; LIBSVM's are read, which refsvm train and"
            " svm-train write of the same data"
        )
    if key not in KEY_READERS:
        known = ", ".join([*KEY_READERS, *IGNORED, "SV"])
        raise ValueError(
            f"{quote(key)} is no header of a LIBSVM model; the known ones are {known}"
        )
    return [KEY_READERS[key](word, key) for word in words]


def _label_in_header(word: str, name: str) -> int:
    """Return an int with a sign or without."""
    if not re.fullmatch("[+-]?[0-9]{1,10}", word) or abs(int(word)) > MAX_LABEL:
        raise ValueError(
            f"{name} is {quote(word)}; a LIBSVM model has labels that are ints of 32 bits"
        )
    return int(word)


KEY_READERS: dict[str, Callable[[str, str], Any]] = {
    "svm_type": lambda word, name: one_of(word, SVM_TYPES, name),
    "kernel_type": lambda word, name: one_of(word, KERNEL_OF, name),
    "degree": whole,
    "gamma": finite,
    "coef0": finite,
    "nr_class": lambda word, name: whole(word, name, 2),
    "total_sv": whole,
    "rho": finite,
    "label": _label_in_header,
    "nr_sv": whole,
    "probA": finite,
    "probB": finite,
}


def header_values(path: PathLike, header: Header, key: str, count: int) -> list[Any]:
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


def kernel_of_header(path: PathLike, header: Header) -> Kernel:
    """Return the kernel of a model."""
    make, names = KERNEL_OF[header_values(path, header, "kernel_type", 1)[0]]
    parameters = [header_values(path, header, name, 1)[0] for name in names]
    try:
        return make(*parameters)
    except ValueError as error:
        raise ValueError(f"{brief(path)}: {error}") from None


def classes_of_model(path: PathLike, header: Header) -> tuple[list[Label], list[int], list[float]]:
    """Return the labels, the count of vectors of each and the rho of each pair."""
    k = header_values(path, header, "nr_class", 1)[0]
    classes = header_values(path, header, "label", k)
    if len(set(classes)) < k:
        raise ValueError(f"{brief(path)} has a label twice; every class must have its own")
    return (
        classes,
        header_values(path, header, "nr_sv", k),
        header_values(path, header, "rho", k * (k - 1) // 2),
    )


def sigmoids(path: PathLike, header: Header, count: int) -> list[Calibration] | None:
    """Return the Calibration of each pair; None if the header has neither probA nor probB."""
    if not {"probA", "probB"} & set(header):
        return None
    A, B = (header_values(path, header, key, count) for key in ("probA", "probB"))
    return [Calibration(*pair) for pair in zip(A, B)]


# ---- header and vectors, written


def svm_type_of(model: Any) -> str | None:
    """Return the svm_type of a model or an estimator; None where it is the usual one."""
    return getattr(model, "_libsvm_type", None) or getattr(model, "svm_type", None)


def model_lines(
    model: OneAgainstOne | OneClassModel | RegressionModel,
    columns: TableColumns | None,
    svm_type: str | None = None,
    first: int = 1,
) -> list[str]:
    """Return all lines of a model file; svm_type, unless it is the usual one of the model."""
    if isinstance(model, Model):
        usual = "epsilon_svr" if isinstance(model, RegressionModel) else "one_class"
        return [
            *_single_header_lines(model, LINEAR_TYPES.get(svm_type or "", svm_type) or usual),
            "SV",
            *vector_lines([model.coef], model.vectors, model.kernel, first),
            *line_of(columns, None, svm_type),
        ]
    texts = [label for label in model.classes if isinstance(label, str)]
    return [
        *_header_lines(model, LINEAR_TYPES.get(svm_type or "", svm_type) or "c_svc"),
        "SV",
        *vector_lines(model.coefs, model.vectors, model.kernel, first),
        *line_of(columns, model.classes if texts else None, svm_type),
    ]


def _label_words(classes: list[Label]) -> list[str]:
    """Return the labels as the header has them: 1 to k, if one of them is a text.

    >>> _label_words([1, -1]), _label_words(["no", "yes"])
    (['1', '-1'], ['1', '2'])
    """
    others = [(c, label) for c, label in enumerate(classes) if not isinstance(label, str)]
    ints = [str(int_label(label, f"classes[{c}]")) for c, label in others]
    return ints if len(ints) == len(classes) else [str(c + 1) for c in range(len(classes))]


def _single_header_lines(model: Model, svm_type: str) -> list[str]:
    """Return the lines before SV of a machine that does not classify."""
    scale = getattr(model, "scale", None)
    return [
        f"svm_type {svm_type}",
        *_kernel_header_lines(model.kernel),
        "nr_class 2",
        f"total_sv {len(model.vectors)}",
        f"rho {decimals(0 - model.b, 'b')}",
        *([] if scale is None else [f"probA {decimals(scale, 'scale')}"]),
    ]


def _header_lines(model: OneAgainstOne, svm_type: str) -> list[str]:
    """Return the lines before SV of a classifier, in LIBSVM's order."""
    rho = [decimals(0 - b, f"offsets[{i}]") for i, b in enumerate(model.offsets)]
    return [
        f"svm_type {svm_type}",
        *_kernel_header_lines(model.kernel),
        f"nr_class {len(model.classes)}",
        f"total_sv {len(model.vectors)}",
        " ".join(["rho"] + rho),
        " ".join(["label"] + _label_words(model.classes)),
        *_probability_lines(model),
        " ".join(["nr_sv"] + [str(count) for count in model.counts]),
    ]


def _probability_lines(model: OneAgainstOne) -> list[str]:
    """Return the lines probA and probB: A and B of each pair's sigmoid; none without them."""
    if model.calibrations is None:
        return []
    sigmoids = checked_calibrations(model.calibrations, len(model.classes))
    A = [decimals(sigmoid.A, f"calibrations[{c}].A") for c, sigmoid in enumerate(sigmoids)]
    B = [decimals(sigmoid.B, f"calibrations[{c}].B") for c, sigmoid in enumerate(sigmoids)]
    return [" ".join(["probA", *A]), " ".join(["probB", *B])]


def _kernel_header_lines(kernel: object) -> list[str]:
    """Return the header lines of a kernel and its parameters."""
    for word, (make, names) in KERNEL_OF.items():
        if type(kernel) is make:
            return [f"kernel_type {word}"] + [
                f"{name} {decimals(getattr(kernel, name), name)}" for name in names
            ]
    known = ", ".join(make.__name__ for make, _ in KERNEL_OF.values())
    name = kernel.__name__ if hasattr(kernel, "__name__") else repr(kernel)
    raise ValueError(f"kernel is {name}; a LIBSVM model can only have one of {known}")


def int_label(label: object, name: str) -> int:
    """Return a label as an int, refused if it is not one."""
    rule = "a LIBSVM model has labels that are ints of 32 bits, or texts"
    if isinstance(label, bytes) or not hasattr(label, "__float__"):
        raise TypeError(f"{name} is {quote(label)}; {rule}")
    number = to_number(number_kind(label), label, name)
    if number != int(number) or not -MAX_LABEL <= number <= MAX_LABEL:
        raise ValueError(f"{name} is {quote(label)}; {rule}")
    return int(number)


def vector_lines(coefs: Matrix, vectors: list[Any], kernel: Any, first: int = 1) -> list[str]:
    """Return the lines after SV. LIBSVM ends each word of them with a blank, and so it is here."""
    lines = []
    for v, vector in enumerate(vectors):
        words = [decimals(row[v], f"coefs[{r}][{v}]") for r, row in enumerate(coefs)]
        if isinstance(kernel, Precomputed):
            words.append(f"0:{vector + 1}")
        else:
            words += item_words(vector, f"vectors[{v}]", first)
        lines.append(" ".join(words) + " ")
    return lines
