"""The cases of the machines beside C-SVC, by their names; each is solved when it is asked for.

exact      S, V, O, D, N and a number: found on paper and by enumeration
families   these in other units, orders and weights; the ends of nu, C and epsilon
sizes      more features and examples
claims     where doubles end
invalid    what must be refused

The design of the sizes is that of C-SVC: widths beside multiples of 4, 8, 16 and 32, and more
examples than 16, 32 and 64. Rows are whole numbers; y follows a plane that every feature has a
part in. nu is a double, and no sum that it asks for is a whole number of bounds: there a rounding
of nu n would decide whether one more example is free, and so whether an offset has one value or
many. The other entries are in nu_and_balls.py and regression.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction as Q
from functools import cache
from math import nan
from typing import Any

from ....kernels.base import Kernel
from ....kernels.standard import Gaussian, Linear, Polynomial
from ....numerics.picks import splitmix64
from ...protocol.forms import FORMS
from .. import Case, Document, case_named
from ..machine_entries import (
    MachineEntry,
    Rows,
    column,
    drawn,
    heights,
    machine,
    moved,
    rows,
    solve_machine_entry,
)
from .nu_and_balls import (
    BALL_FAMILIES,
    BALLS,
    NU_CLASSES,
    NU_FAMILIES,
    ONE_CLASS,
    ONE_CLASS_FAMILIES,
)
from .regression import SHARE_FAMILIES, SHARES, TUBE_FAMILIES, TUBES

SHAPES = (  # the place of the kernel, examples, features, whether each example has a weight
    *((0, 24, 9, False), (1, 35, 65, False), (2, 20, 33, False)),
    *((3, 34, 17, False), (4, 40, 8, False), (5, 70, 5, False)),
    *((0, 26, 12, True), (5, 30, 6, True), (6, 20, 4, False)),
)
WEIGHTS = Q(1, 4), Q(1, 2), Q(1), Q(2)
SHARE = Q(5, 16)  # nu of the machines that have one; the ball has 1 / (nu n) for C


def kernel_of(place: int, d: int) -> tuple[str, Kernel]:
    """Return the kernel of one of the sizes, in words and as it is."""
    if place < 3:
        return "", Linear()
    if place in (4, 6):
        return ", degree 2", Polynomial(2, Q(1, 4 * d), Q(place == 4))
    return ", gaussian", Gaussian(1.0 / (4 << d.bit_length()))


def _numbers_of(form: str, n: int, d: int, kernel: Kernel) -> tuple[Any, Any]:
    """Return the bound of all multipliers, and epsilon or nu."""
    penalty = Q(1, 2 * d) if isinstance(kernel, Linear) else Q(2)
    return {
        "nu_svc": (1, SHARE),
        "epsilon_svr": (penalty, Q(1, 2)),
        "nu_svr": (penalty, SHARE),
        "one_class": (1, SHARE),
        "svdd": (1 / (SHARE * n), None),
    }[form]


def _values_of(form: str, X: Rows, seed: int) -> list[Any] | None:
    """Return y: values, the sides of their median, or none."""
    y = heights(X, seed, len(X[0]) // 2 + 2)
    if form == "nu_svc":
        middle = sorted(y)[len(y) // 2]
        return [1 if v >= middle else -1 for v in y]
    return None if form in ("one_class", "svdd") else y


def _wide(form: str, letter: str) -> Iterator[MachineEntry]:
    """Yield the cases of one machine, whose names begin with its letter."""
    for place, n, d, is_weighted in SHAPES:
        words, kernel = kernel_of(place, d)
        X = moved(1, drawn(n, d, n + d, 3))
        bound, parameter = _numbers_of(form, n, d, kernel)
        name, y = f"{letter} {n} rows of {d}{words}", _values_of(form, X, d)
        flags, comment = "ManyFeatures ManyExamples", "many features and rows: where blocks end"
        if is_weighted:
            bits = splitmix64(n)
            bound = [bound * WEIGHTS[next(bits) >> 62] for _ in X]
            name, flags = f"{name}, weights", f"{flags} SampleWeight"
            comment = "many rows, each with its own weight"
        yield machine(form, name, X, y, bound, parameter, flags, comment, kernel=kernel)
    if form in ("nu_svc", "epsilon_svr"):
        both_sides = column(-9000, 4099, 4094, 4101, 4096, 4103)  # far from their mean, too
        y = [-1, 1, -1, 1, -1, 1] if form == "nu_svc" else [4, 0, 7, 1, 9, 3]
        name, parameter = f"{letter} rows far on both sides", Q(1, 3 if form == "nu_svc" else 2)
        comment = "what is centred first is far from 0 in single precision, too"
        yield machine(form, name, both_sides, y, 1, parameter, "Float32Hostile", comment)


# fmt: off
AIM = "LimitOfDoubles"
HEAVY = rows((3, 1), (8104, 17), (1, 260), (95, 4021), (7, 2), (1500, 9))  # few large numbers
CUBIC = Polynomial(3, coef0=1)


def claims_of(form: str, letter: str) -> list[MachineEntry]:
    """Return problems of one machine at which doubles end, named by its letter."""
    classes, numbers = ([-1, 1, -1, 1, -1, 1], [-1, -1, -1, 1, 1, 1]), ([4, 0, 7, 1, 9, 3],) * 2
    mixed, sorted_ = classes if form == "nu_svc" else numbers
    if form in ("one_class", "svdd"):
        mixed = sorted_ = None
    parameter = {"epsilon_svr": "1/2", "svdd": None}.get(form, "2/5")
    bound = {"nu_svc": 1, "one_class": 1, "svdd": "1/2"}.get(form, 1000)
    far = moved(10**8, column(0, 1, 2, 3, 4, 5))
    return [
        machine(form, f"{letter} heavy tails, cubic", HEAVY, mixed, bound, parameter, AIM,
                "whole numbers to 8104 under a cubic kernel", kernel=CUBIC),
        machine(form, f"{letter} heavy tails, linear", HEAVY, mixed, bound, parameter, AIM,
                "whole numbers to 8104"),
        machine(form, f"{letter} rows from 1e8", far, sorted_, bound, parameter, AIM,
                "rows so far from the origin that their products are rounded"),
        machine(form, f"{letter} rows from 1e8, squared", far, sorted_, bound, parameter, AIM,
                "the same under the square", kernel=Polynomial(2, coef0=1)),
    ]
# fmt: on


# ---- all of them

EXACT, FAMILIES, SIZES, FAR = "exact", "families", "sizes", "claims"
INVALID = "invalid"
FOUND: dict[str, dict[str, list[MachineEntry]]] = {
    "nu_svc": {EXACT: NU_CLASSES, FAMILIES: NU_FAMILIES},
    "epsilon_svr": {EXACT: TUBES, FAMILIES: TUBE_FAMILIES},
    "nu_svr": {EXACT: SHARES, FAMILIES: SHARE_FAMILIES},
    "one_class": {EXACT: ONE_CLASS, FAMILIES: ONE_CLASS_FAMILIES},
    "svdd": {EXACT: BALLS, FAMILIES: BALL_FAMILIES},
}
LETTERS = {"nu_svc": "N", "epsilon_svr": "S", "nu_svr": "V", "one_class": "O", "svdd": "D"}
ENTRIES = {
    form: {
        **some,
        SIZES: list(_wide(form, LETTERS[form])),
        FAR: claims_of(form, LETTERS[form]),
    }
    for form, some in FOUND.items()
}


OF_ALL = (  # of what C-SVC must refuse, what every machine must
    *("a NaN", "an infinity", "ragged rows", "no rows"),
    *("a negative weight", "a weight that is NaN", "an unknown kernel"),
)
USUAL = {"epsilon": 0.25, "nu": 0.5}
NU, WIDTH = "nu is above 0, at most 1", "epsilon is 0 or more"


@cache
def _rejects(name: str) -> list[Case]:
    """Return what a machine must refuse: three points of the line, but for what is changed."""
    form, letter = FORMS[name], LETTERS[name]
    y: list[Any] = [1] * 3
    if form.is_labelled:
        y = [-1, 1, 1] if form.answers == "classes" else [0.0, 1.0, 4.0]
    usual = {} if form.parameter is None else {form.parameter: USUAL[form.parameter]}

    def of_c_svc(name: str) -> Case:
        case = case_named("rejects", name)
        X, C = case.given["X"], case.given["C"]
        given = {"X": X, "y": y[: len(X)], "C": C if isinstance(C, list) else [C] * 3}
        given.update(kernel=case.given["kernel"], **usual)
        return case._replace(name=f"{letter} {name}", given=given)

    def own(name: str, flag: str, comment: str, **changed: Any) -> Case:
        given: Document = {"X": [[0.0], [1.0], [2.0]], "y": y, "C": [1.0] * 3}
        given.update(kernel={"name": "linear"}, **{**usual, **changed})
        return Case(f"{letter} {name}", comment, (flag,), "reject", given, None, None, [], [])

    found = list(map(of_c_svc, OF_ALL))
    if form.has_C:
        found += [of_c_svc(f"C is {word}") for word in ("zero", "negative", "NaN")]
    if form.parameter == "nu":
        for word, nu in (("zero", 0.0), ("negative", -0.5), ("3/2", 1.5), ("NaN", nan)):
            found.append(own(f"nu is {word}", "RejectParameter", NU, nu=nu))
    if form.parameter == "epsilon":
        for word, width in (("negative", -0.25), ("NaN", nan)):
            found.append(own(f"epsilon is {word}", "RejectParameter", WIDTH, epsilon=width))
    if form.is_labelled:
        found.append(own("too few y", "RejectShape", "two y for three rows", y=y[:2]))
        found.append(own("too many y", "RejectShape", "four y for three rows", y=[*y, 1]))
        found.append(own("a NaN for a y", "RejectLabel", "no number", y=[y[0], y[1], nan]))
    if form.answers == "classes":
        found.append(own("one class only", "RejectOneClass", "nothing to tell", y=[1] * 3))
    return found


@cache
def group_names(form: str) -> dict[str, str]:
    """Return {name of a case: its group} of a machine; not to be changed."""
    found = {e.name: group for group, some in ENTRIES[form].items() for e in some}
    return {**found, **{case.name: INVALID for case in _rejects(form)}}


@cache
def machine_names() -> dict[str, tuple[str, str]]:
    """Return {name of a case: (its machine, its group)} of all machines; not to be changed."""
    return {name: (form, group) for form in FORMS for name, group in group_names(form).items()}


@cache
def _entries_by_name(form: str) -> dict[str, MachineEntry | Case]:
    """Return {name: the entry, or the case of invalid input} of a machine."""
    entries = {e.name: e for some in ENTRIES[form].values() for e in some}
    return {**entries, **{case.name: case for case in _rejects(form)}}


@cache
def machine_case(form: str, name: str) -> Case:
    """Return the case of this name, solved."""
    found = _entries_by_name(form)[name]
    return solve_machine_entry(found) if isinstance(found, MachineEntry) else found
