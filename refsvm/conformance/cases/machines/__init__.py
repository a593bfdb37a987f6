"""The cases of the machines beside C-SVC, by their names; each is solved when it is asked for.

exact      S, V, O, D, N and a number: found on paper and by enumeration
families   these in other units, orders and weights; the ends of nu, C and epsilon
sizes      more features and examples
claims     where doubles end
invalid    what must be refused

nu, regression, outliers, wide: the entries.
"""

from __future__ import annotations

from functools import cache
from math import inf, nan
from typing import Any

from ...protocol.forms import FORMS, Form
from .. import Case
from ..claims import claims_of
from ..invalid_inputs import THREE_ROWS, with_row
from ..machine_entries import MachineEntry, solve_machine_entry
from .nu import NU_CLASSES, NU_FAMILIES
from .outliers import BALL_FAMILIES, BALLS, ONE_CLASS, ONE_CLASS_FAMILIES
from .regression import SHARE_FAMILIES, SHARES, TUBE_FAMILIES, TUBES
from .wide import wide

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
        SIZES: list(wide(form, LETTERS[form])),
        FAR: claims_of(form, LETTERS[form]),
    }
    for form, some in FOUND.items()
}
USUAL = {"epsilon": 0.25, "nu": 0.5}


def _invalid_cases(form: Form) -> list[Case]:
    """Return what must be refused: three rows, all in order but for one thing."""
    y: list[Any] = [1] * 3
    if form.is_labelled:
        y = [-1, 1, 1] if form.answers == "classes" else [0.0, 1.0, 4.0]
    parameter = {} if form.parameter is None else {form.parameter: USUAL[form.parameter]}
    base: dict[str, Any] = {
        "X": THREE_ROWS,
        "y": y,
        "C": [1.0] * 3,
        "kernel": {"name": "linear"},
        **parameter,
    }

    def rejected(name: str, flag: str, comment: str, **changed: Any) -> Case:
        given = {**base, **changed}
        name = f"{LETTERS[form.name]} {name}"
        return Case(name, comment, (flag,), "reject", given, None, None, [], [])

    found = [
        rejected("a NaN", "RejectNotFinite", "NaN among the features", X=with_row([nan])),
        rejected(
            "an infinity", "RejectNotFinite", "infinity among the features", X=with_row([inf])
        ),
        rejected(
            "ragged rows", "RejectShape", "rows of different lengths", X=with_row([1.0, 2.0])
        ),
        rejected("no rows", "RejectShape", "nothing to learn from", X=[], y=[], C=[]),
        rejected("a negative weight", "RejectWeight", "one example's weight", C=[1.0, -1.0, 1.0]),
        rejected("a weight that is NaN", "RejectWeight", "no number", C=[1.0, nan, 1.0]),
        rejected("an unknown kernel", "RejectUnknown", "misspelt", kernel={"name": "guassian"}),
    ]
    if form.has_C:
        for words, C in (("zero", 0.0), ("negative", -1.0), ("NaN", nan)):
            found.append(rejected(f"C is {words}", "RejectPenalty", "C is above 0", C=[C] * 3))
    if form.parameter == "nu":
        for words, nu in (("zero", 0.0), ("negative", -0.5), ("3/2", 1.5), ("NaN", nan)):
            found.append(
                rejected(f"nu is {words}", "RejectParameter", "nu is above 0, at most 1", nu=nu)
            )
    if form.parameter == "epsilon":
        for words, width in (("negative", -0.25), ("NaN", nan)):
            comment = "epsilon is 0 or more"
            found.append(
                rejected(f"epsilon is {words}", "RejectParameter", comment, epsilon=width)
            )
    if form.is_labelled:
        found.append(rejected("too few y", "RejectShape", "two y for three rows", y=y[:2]))
        found.append(rejected("too many y", "RejectShape", "four y for three rows", y=[*y, 1]))
        found.append(rejected("a NaN for a y", "RejectLabel", "no number", y=[y[0], y[1], nan]))
    if form.answers == "classes":
        found.append(rejected("one class only", "RejectOneClass", "nothing to tell", y=[1] * 3))
    return found


@cache
def group_names(form: str) -> dict[str, str]:
    """Return {name of a case: its group} of a machine; not to be changed."""
    found = {e.name: group for group, some in ENTRIES[form].items() for e in some}
    return {**found, **{case.name: INVALID for case in _invalid_cases(FORMS[form])}}


@cache
def machine_names() -> dict[str, tuple[str, str]]:
    """Return {name of a case: (its machine, its group)} of all machines; not to be changed."""
    return {name: (form, group) for form in FORMS for name, group in group_names(form).items()}


@cache
def _entries_by_name(form: str) -> dict[str, MachineEntry | Case]:
    """Return {name: the entry, or the case of invalid input} of a machine."""
    entries = {e.name: e for some in ENTRIES[form].values() for e in some}
    return {**entries, **{case.name: case for case in _invalid_cases(FORMS[form])}}


@cache
def machine_case(form: str, name: str) -> Case:
    """Return the case of this name, solved."""
    found = _entries_by_name(form)[name]
    return solve_machine_entry(found) if isinstance(found, MachineEntry) else found
