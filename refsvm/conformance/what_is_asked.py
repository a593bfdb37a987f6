"""Everything that an audit asks, from top to bottom.

cases        problems whose optimum is known, and input that must be refused
checks       of each answer to a case
relations    of each right answer: the same problem in another way, check G5
policies     what estimators are asked besides, check G7: what a user may hand to fit
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from .cases import FILES, Case, case_named, shipped
from .cases.drawn import DRAWN, drawn_case, names_of_seed, place_of
from .cases.machines import (
    EXACT,
    FAMILIES,
    FAR,
    INVALID,
    SIZES,
    group_names,
    machine_case,
)
from .checks import Finding, check_arithmetic, check_multipliers, check_offset, check_optimality
from .checks.answer_checks import check_consistency, check_round_trip
from .checks.relations import Transformed, shuffled, transformed_problems
from .policies.classes import many_classes, three_classes
from .policies.inputs import (
    arrays,
    integers,
    labels,
    many_rows,
    mixed_arrays,
    rows_to_decide,
    sparse_rows,
)
from .policies.overlapping_classes import vote_in_a_circle, votes_of_pairs
from .policies.parameters import (
    class_weights,
    gamma_scale,
    kernel_parameters,
    kernels_of_wide_rows,
    sign_of_the_sigmoid,
    tolerance,
    weight_0_in_a_gram_matrix,
    zero_to_the_zero,
)
from .policies.questions import Policy
from .policies.state import few_steps, lookalikes, refits, settings, warm_start
from .protocol import NumericProblem
from .protocol.forms import Form
from .subjects import GivenAnswer, ProblemFunction, Subject, stated_tol
from .subjects.estimator_adapter import Estimator
from .truth import Evidence

MANY = "ManyExamples"  # the flag of cases that are asked in another order only
TIGHT = 1e-9  # a tolerance that is asked for

# ---- cases

GROUPS = {  # by the file that holds the cases: the name of the group, and what it is for
    "core": (
        "C01 to C25, E..",
        "Two to eight examples, one case for each way to go wrong: ties, offsets that are not"
        " unique, extreme C, weights, numbers far from 0. E.. are extras: strings, threads ..",
    ),
    "lectures": ("F..", "Problems that lecture notes solve by hand, in the order of the notes."),
    "bugs": (
        "known bugs",
        "Problems on which some program is known to be wrong, each named after the mistake.",
    ),
    EXACT: (
        "exact",
        "Two to five examples whose answer was found on paper: what programs get wrong, and what"
        " has more than one answer.",
    ),
    FAMILIES: (
        "families",
        "The same in other units, with weights and other kernels, and with penalties and nu from"
        " one end to the other. Most are degenerate.",
    ),
    "found": ("found", "Problems on which a search found some program wrong."),
    "gaussians": (
        "Gaussian and others",
        "Kernels whose values are no fractions, or which are sums and products of others.",
    ),
    SIZES: (
        "sizes",
        "4 to 65 features and 20 to 130 examples, with every kernel: where blocks end, caches are"
        " full and working sets change.",
    ),
    FAR: (
        "claims",
        "Numbers so large that doubles hold no answer to the tolerance: a program must not say"
        " that it converged.",
    ),
    INVALID: ("invalid input", "Input that is no problem, and must be refused."),
    "policies": (
        "questions to estimators",
        "Labels, arrays, sparse rows, weights, several classes, tolerances: what a user may hand"
        " to fit and predict.",
    ),
    DRAWN: (
        "drawn",
        "Small problems drawn from a seed, which their names tell: --seed draws others.",
    ),
    "given": ("the given problem", "The problem that was given to the audit."),
}


def cases_for(subject: Subject, form: Form | None, seed: int) -> dict[str, Callable[[], Case]]:
    """Return {name: what reads the case}; a function is given problems, so no invalid input."""
    drawn = {name: partial(drawn_case, name) for name in names_of_seed(form, seed)}
    is_function = isinstance(subject, ProblemFunction)
    if form is not None:
        groups = group_names(form.name).items()
        names = [name for name, group in groups if not (is_function and group == INVALID)]
        return {**{name: partial(machine_case, form.name, name) for name in names}, **drawn}
    files = [f for f in FILES if f != "rejects" or not is_function]
    every = [(name, file) for name, file in shipped().items() if file in files]
    return {**{name: partial(case_named, file, name) for name, file in every}, **drawn}


# ---- checks of an answer to a case; G5 are relations, G7 policies, G8 is what judging.py says

ANSWER_CHECKS: dict[str, Callable[[Evidence], Finding | None]] = {
    "G1": check_optimality,
    "G2": check_multipliers,
    "G3": check_offset,
    "G4": check_arithmetic,
    "G6": check_consistency,
    "G9": check_round_trip,
}


# ---- relations


def has_relations(subject: Subject, form: Form | None, case: Case) -> bool:
    """Return whether the case is asked transformed, too.

    Not an answer that is there already, nor the families, which are transformed already, nor
    what is drawn.
    """
    if isinstance(subject, GivenAnswer):
        return False
    _, group = place_of(case.name) or (None, EXACT)
    if group in (FAMILIES, DRAWN):
        return form is not None and MANY in case.flags
    is_slow = "SlowSMO" in case.flags or "ZeroWeight" in case.flags
    return not is_slow if form is None else group == EXACT or MANY in case.flags


def relations_of(
    subject: Subject, case: Case, problem: NumericProblem, rows: list[Any]
) -> Iterable[Transformed]:
    """Return the problem transformed: many examples in another order only, which is cheap."""
    form, group = place_of(case.name) or (None, EXACT)
    if group == SIZES if form is None else MANY in case.flags:
        return [shuffled(problem, rows)]
    return transformed_problems(problem, rows, isinstance(subject, Estimator))


# ---- policies


EVERY, CLASSES, C_SVC = "every machine", "machines that answer classes", "C-SVC"
POLICIES: tuple[tuple[str, str, Policy], ...] = (
    ("labels", CLASSES, labels),
    ("integers", EVERY, integers),
    ("arrays", EVERY, arrays),
    ("arrays of two forms", EVERY, mixed_arrays),
    ("sparse rows", EVERY, sparse_rows),
    ("many rows", EVERY, many_rows),
    ("rows to decide", EVERY, rows_to_decide),
    ("class weights", C_SVC, class_weights),  # NuSVC of scikit-learn takes them without a word
    ("weight 0 in a Gram matrix", C_SVC, weight_0_in_a_gram_matrix),
    ("gamma scale", EVERY, gamma_scale),
    ("kernel parameters", EVERY, kernel_parameters),
    ("kernels of wide rows", EVERY, kernels_of_wide_rows),
    ("zero to the zero", C_SVC, zero_to_the_zero),
    ("sign of the sigmoid", C_SVC, sign_of_the_sigmoid),
    ("three classes", CLASSES, three_classes),
    ("many classes", CLASSES, many_classes),
    ("votes of pairs", C_SVC, votes_of_pairs),
    ("vote in a circle", C_SVC, vote_in_a_circle),
    ("refits", EVERY, refits),
    ("problems that look alike", EVERY, lookalikes),
    ("settings", EVERY, settings),
    ("warm start", EVERY, warm_start),
    ("few steps", EVERY, few_steps),
)


def policies_for(subject: Subject, form: Form | None = None) -> dict[str, Policy]:
    """Return {name: policy} of what an estimator is asked besides the cases."""
    of_classes = form is None or form.answers == "classes"
    asked = {EVERY, *([CLASSES] if of_classes else []), *([C_SVC] if form is None else [])}
    found = {name: policy for name, machines, policy in POLICIES if machines in asked}
    return {**found, "tolerance": partial(tolerance, tol=stated_tol(subject, TIGHT))}
