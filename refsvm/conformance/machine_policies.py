"""What estimators of the machines beside C-SVC are asked as policies of check G7.

They are the questions about rows that SVC is asked, too (estimator_inputs.py, estimator_state.py):
rows of ints, arrays of every sort, sparse matrices, many rows or none to decide about, settings
of time and memory. Labels of two classes are values as well; a machine without y is given none.
"""

from __future__ import annotations

from collections.abc import Callable

from .estimator_inputs import (
    arrays,
    integers,
    many_rows,
    mixed_arrays,
    rows_to_decide,
    sparse_rows,
)
from .estimator_state import settings
from .forms import Form
from .protocol import Answer, Request
from .questions import Ask, FindingList

EPSILON, NU = 0.25, 0.4
BOUND = {True: 0.25, False: 1.0}  # of a multiplier, where it is no penalty of values
POLICIES: dict[str, Callable[[Ask], FindingList]] = {
    "integers": integers,
    "arrays": arrays,
    "arrays of two forms": mixed_arrays,
    "sparse rows": sparse_rows,
    "many rows": many_rows,
    "rows to decide": rows_to_decide,
    "settings": settings,
}


def machine_policies(form: Form) -> dict[str, Callable[[Ask], FindingList]]:
    """Return the policies by the names of their cases, for a machine of this form."""
    return {name: of_form(form, policy) for name, policy in POLICIES.items()}


def of_form(form: Form, policy: Callable[[Ask], FindingList]) -> Callable[[Ask], FindingList]:
    """Return a policy whose requests are those of a machine of this form."""

    def asked(ask: Ask) -> FindingList:
        def ask_machine(request: Request) -> Answer:
            C = request.C if form.answers == "values" else [BOUND[form.has_C]] * len(request.y)
            other = request._replace(form=form.name, bias=None, slack=None, C=C)
            if form.parameter == "nu":
                return ask(other._replace(nu=NU))
            return ask(other._replace(epsilon=EPSILON) if form.parameter else other)

        return policy(ask_machine)

    return asked
