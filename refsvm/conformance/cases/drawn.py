"""Cases drawn from a seed: small problems of few different numbers, solved when they are asked.

The name of a case, such as "seed 7, 3" or "svdd, seed 7, 3", says its machine, the seed and which
draw it is. So a report can be repeated, and one of its cases asked alone.

nu is no multiple of 1 / n: a rounding of nu n must not decide how many examples are free.
"""

from __future__ import annotations

import re
from functools import cache, partial
from typing import Any

from ...kernels.standard import Gaussian, Linear, Polynomial
from ...numerics.picks import below, splitmix64
from ...numerics.validation import whole_number
from ...svm.problem import Problem
from ..protocol.forms import FORMS, Form, make_problem
from . import Case, case_named, shipped
from .machines import case_of_problem, machine_case, machine_names, queries_of

MANY_DRAWN = 12  # of an audit
DRAWN = "drawn"  # the group
SEED, LARGEST_SEED = 1, 2**48 - 1
COMMENT, FLAGS = "a small problem, drawn", ("Random",)
NAME = re.compile(r"(?:(\w+), )?seed (\d+), (\d+)")
KERNELS = (Linear(), Linear(), Polynomial(2, 0.5, 1.0), Gaussian(0.25))
PENALTIES, WEIGHTS = (0.125, 1.0, 8.0, 64.0), (0.5, 1.0, 2.0)


def names_of_seed(form: Form | None, seed: int) -> list[str]:
    """Return the names of the cases that an audit draws."""
    seed = whole_number(seed, "seed", 0, most=LARGEST_SEED)
    machine = "" if form is None else f"{form.name}, "
    return [f"{machine}seed {seed}, {k}" for k in range(1, MANY_DRAWN + 1)]


@cache
def drawn_case(name: str) -> Case:
    """Return the case of such a name."""
    problem = _drawn_problem(name)
    return case_of_problem((name, COMMENT, FLAGS, "valid"), problem, queries_of(problem))


def _drawn_problem(name: str) -> Any:
    """Draw the problem that a name says."""
    machine, seed, k = NAME.fullmatch(name).groups()  # type: ignore[union-attr]
    draw = partial(below, bits=splitmix64((int(seed) << 16) + int(k)))
    form = FORMS.get(machine)
    n, d = 4 + draw(6), 1 + draw(3)
    X = [[(draw(17) - 8) / 4 for _ in range(d)] for _ in range(n)]
    y: list[Any] = [2 * draw(2) - 1 if i > 3 else (-1) ** i for i in range(n)]
    kernel, C = KERNELS[draw(4)], PENALTIES[draw(4)]
    bounds = [C * WEIGHTS[draw(3)] for _ in X] if draw(3) == 0 else [C] * n
    if form is None:
        return Problem(X, y, kernel, bounds)
    nu = (0.3125, 0.6875)[draw(2)]
    if form.answers == "values":
        y = [(draw(17) - 8) / 4 for _ in X]
    if form.name == "svdd":
        bounds = [1 / (nu * n)] * n
    elif not form.has_C:
        bounds = [1.0] * n
    parameter = {"epsilon": 0.25, "nu": nu}.get(form.parameter or "")
    return make_problem(form, X, y, kernel, bounds, parameter)


def place_of(name: str) -> tuple[Form | None, str] | None:
    """Return the machine and the group of a case; None if no case is called so."""
    if name in machine_names():
        form, group = machine_names()[name]
        return FORMS[form], group
    if name in shipped():
        return None, shipped()[name]
    found = NAME.fullmatch(name)
    if found is None or found[1] not in (None, *FORMS):
        return None
    return FORMS.get(found[1] or ""), DRAWN


def find_case(name: str) -> Case | None:
    """Return the case of this name; None if none is called so."""
    place = place_of(name)
    if place is None:
        return None
    form, group = place
    if group == DRAWN:
        return drawn_case(name)
    return machine_case(form.name, name) if form else case_named(group, name)
