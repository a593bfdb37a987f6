"""The header of a LIBSVM model file: `key value ..` lines up to the line SV.

models.py says what the keys mean.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from ..kernels.base import Kernel
from ..numerics.quoting import quote
from ..numerics.types import Label
from ..numerics.validation import one_of
from ..svm.calibration import Calibration
from .model_lines import KERNELS, LARGEST_LABEL
from .text import PathLike, at, brief, finite, whole

Lines = Iterable[tuple[int, str]]  # of a file, each with its number
Header = dict[str, list[Any]]

CLASSIFIERS = ("c_svc", "nu_svc")
TYPES = (*CLASSIFIERS, "one_class", "epsilon_svr", "nu_svr")
IGNORED = ["prob_density_marks"]  # of a machine of one class


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


def label(word: str, name: str) -> int:
    """Return an int with a sign or without."""
    if not re.fullmatch("[+-]?[0-9]{1,10}", word) or abs(int(word)) > LARGEST_LABEL:
        raise ValueError(
            f"{name} is {quote(word)}; a LIBSVM model has labels that are ints of 32 bits"
        )
    return int(word)


MEANINGS: dict[str, Callable[[str, str], Any]] = {
    "svm_type": lambda word, name: one_of(word, TYPES, name),
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


def kernel_of(path: PathLike, header: Header) -> Kernel:
    """Return the kernel of a model."""
    make, names = KERNELS[field(path, header, "kernel_type", 1)[0]]
    parameters = [field(path, header, name, 1)[0] for name in names]
    try:
        return make(*parameters)
    except ValueError as error:
        raise ValueError(f"{brief(path)}: {error}") from None


def classes_of_model(path: PathLike, header: Header) -> tuple[list[Label], list[int], list[float]]:
    """Return the labels, the count of vectors of each and the rho of each pair."""
    k = field(path, header, "nr_class", 1)[0]
    classes = field(path, header, "label", k)
    if len(set(classes)) < k:
        raise ValueError(f"{brief(path)} has a label twice; every class must have its own")
    return (
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
