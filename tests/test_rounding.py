"""The best that doubles can hold passes every case; what is wrong by more passes none."""

from fractions import Fraction
from functools import cache

import pytest
from profiles import one_in

from refsvm.conformance.cases import FILES, case_named, names_of
from refsvm.conformance.checks.rounding import (
    allow_rounded_multipliers,
    allow_rounding,
    as_double,
    is_beyond_doubles,
)
from refsvm.conformance.protocol import Answer, as_doubles, request_for
from refsvm.conformance.truth import (
    NoOptimum,
    allowances,
    evidence_of,
    kernel_values,
    middle_offset,
    truth_of,
)
from refsvm.conformance.what_is_asked import ANSWER_CHECKS

NAMES = [(file, name) for file in FILES if file != "rejects" for name in names_of(file)]
HARD = [("bugs", "degree seven"), ("bugs", "unix time"), ("bugs", "eight digits"),
        ("core", "C17"), ("found", "4096 and 4097")]
FORMS = ["alpha", "beta", "w", "decisions", "summed", "summed backwards"]
EVERY = pytest.param(one_in(4, NAMES), marks=pytest.mark.slow("a right program that is accused"))


@cache
def truth(file, name):
    case = case_named(file, name)
    problem, rows = as_doubles(case.problem, [query.x for query in case.queries])
    try:
        return allow_rounding(truth_of(problem, rows, case))
    except NoOptimum:
        return None


def nearest(values):
    return [float(v) for v in values]


def answer(known, form, b):
    """The optimum with each number rounded to the nearest double; None if it has no such form."""
    problem, alpha, exact_w = known.problem, known.optimum.alpha, known.optimum.w
    if form in ("alpha", "beta"):
        if alpha is None:
            return None
        return Answer(b=float(b), **{form: nearest(alpha if form == "alpha" else
                                                   problem.beta(alpha))})
    if form == "w":
        return Answer(b=float(b), w=nearest(exact_w)) if problem.linear else None
    if form == "decisions":
        return Answer(decisions=nearest(s + b for s in known.scores))
    if alpha is None and not problem.linear:
        return None
    weights = nearest(exact_w if problem.linear else problem.beta(alpha))
    order = -1 if form == "summed backwards" else 1
    found = []
    for x in known.rows:
        values = x if problem.linear else kernel_values(problem, x)
        terms = [c * float(v) for c, v in zip(weights, values)] + [float(b)]
        f = 0.0
        for term in terms[::order]:
            f += term
        found.append(f)
    return Answer(decisions=found)


def complaints(known, said):
    request = request_for("", known.original, known.rows, None)
    e = allow_rounded_multipliers(evidence_of(known, request, said, None))
    found = {name: check(e) for name, check in ANSWER_CHECKS.items()}
    return {name: f.reason for name, f in found.items() if f is not None and f.result == "fail"}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("names", [HARD, EVERY], ids=["hard", "every"])
def test_the_rounded_optimum_passes(names, form):
    accused = {}
    for file, name in names:
        known = truth(file, name)
        if known is None:
            continue
        best = known.optimum
        ends = (best.b_low, best.b_high) if form == "alpha" else ()
        for b in (middle_offset(best), *ends):
            said = answer(known, form, b)
            found = complaints(known, said) if said else None
            if found:
                accused[name] = found
    assert accused == {}


@pytest.mark.parametrize("names", [HARD, EVERY], ids=["hard", "every"])
def test_what_is_wrong_by_three_times_as_much_fails(names):
    for file, name in names:
        known = truth(file, name)
        if known is None:
            continue
        f = [s + middle_offset(known.optimum) for s in known.scores]
        width = known.optimum.b_high - known.optimum.b_low
        for wrong in (
            [v + 3 * a + width if k == len(f) - 1 else v
             for k, (v, a) in enumerate(zip(f, known.allowed))],
            [v + 3 * (min(known.allowed) + known.offset_rounding) + width for v in f],
        ):
            if len(f) > 1 or wrong[0] - f[0] > 0:
                assert complaints(known, Answer(decisions=wrong)), name


def test_rounding_is_allowed_where_it_matters_and_nowhere_else():
    beyond = []
    for file, name in HARD:
        known = truth(file, name)
        thousandths = allowances(known.optimum, known.example_scores, known.scores)
        shares = [a / t for a, t in zip(known.allowed, thousandths)]
        assert min(shares) >= 1
        if max(shares) > Fraction(11, 10):
            beyond.append(name)
        assert is_beyond_doubles(known) is (name != "4096 and 4097"), name
    assert beyond == ["degree seven"]


def test_multipliers_alone_are_allowed_no_more_where_doubles_hold_them():
    known = truth("core", "C17")
    said = answer(known, "alpha", middle_offset(known.optimum))
    request = request_for("", known.original, known.rows, None)
    e = evidence_of(known, request, said, None)
    more = allow_rounded_multipliers(e).truth.allowed
    held = all(as_double(a) == a for a in known.optimum.alpha)
    assert (more == e.truth.allowed) is held
    off = allow_rounded_multipliers(evidence_of(known, request, Answer(alpha=said.alpha, b=float(
        middle_offset(known.optimum) + 1)), None))
    assert ANSWER_CHECKS["G3"](off).result == "fail"
    assert as_double(Fraction(10) ** 400) == Fraction(10) ** 400
