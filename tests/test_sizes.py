"""The cases of many features and many examples: the truth that they state, and what they see."""

import re
from collections.abc import Mapping
from fractions import Fraction as Q
from math import inf

import pytest
from profiles import one_in
from size_faults import Machine, decisions, is_accused, unseen

from refsvm.conformance.cases import case_named, documents_by_name, names_of
from refsvm.conformance.checks import roundings
from refsvm.conformance.protocol import as_doubles
from refsvm.conformance.truth import middle_offset, truth_of
from refsvm.numerics.intervals import Interval
from refsvm.solvers.smo import smo
from spec.vectors.makers.solved_cases import Rounding, interval_around

NAMES = names_of("sizes")


class Cases(Mapping):
    """The cases by their names, each made when it is asked for: all of them take seconds."""

    def __getitem__(self, name):
        return case_named("sizes", name)

    def __iter__(self):
        return iter(NAMES)

    def __len__(self):
        return len(NAMES)


CASES = Cases()


def within(case):
    """How far a number of this size may be off."""
    value = case.optimum.objective
    middle = (value.low + value.high) / 2
    unit = (value.high - middle) / max(1, middle)
    return lambda v: unit * max(1, abs(v))


def test_a_rounding_knows_how_far_its_worst_number_is_off():
    rounding = Rounding(Q(0))
    assert [rounding(v) for v in (Q(1, 3), Interval(Q(1), Q(3)))] == [Q(1 / 3), 2]
    assert rounding.worst == Q(1, 2) and rounding.within == Q(1, 2)
    assert Rounding(Q(0)).within == 0 and Rounding(Q(1, 5)).within == Q(1, 4)
    assert interval_around(Q(6), Q(1, 2)) == Interval(Q(3), Q(9))


@pytest.mark.parametrize("name", CASES)
def test_the_numbers_of_a_case_belong_together(name):
    case = CASES[name]
    problem, best, off = case.problem, case.optimum, within(case)
    terms = best.w_norm2 / 2 + best.sum_C_slack
    dual = best.sum_alpha - best.w_norm2 / 2
    if problem.slack == "squared":
        dual -= best.sum_C_slack
    for value in (terms, dual):
        assert abs(value - (best.objective.low + best.objective.high) / 2) <= 4 * off(value)
    slacks = [max(0, 1 - y * (s + best.b_low)) for y, s in zip(problem.y, case.scores)]
    if problem.slack == "hinge" and inf not in problem.C:
        penalty = sum(Q(c) * v for c, v in zip(problem.C, slacks))
        assert abs(penalty - best.sum_C_slack) <= 4 * problem.n * max(problem.C) * off(penalty)
    for query in case.queries:
        assert abs(query.s + best.b_low - query.f_low) <= 4 * off(query.s)
        assert query.label in (None, 1 if query.f_low > 0 else -1)


@pytest.mark.parametrize("name", CASES)
def test_statuses_say_on_which_side_of_the_margin_an_example_is(name):
    case = CASES[name]
    b, off = (case.optimum.b_low + case.optimum.b_high) / 2, within(case)
    if case.problem.slack == "hinge":
        for y, s, told in zip(case.problem.y, case.scores, case.optimum.status):
            over = y * (s + b) - 1
            assert told == ("M" if abs(over) <= 4 * off(s) else "L" if over > 0 else "U")


FEATURES = {4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 65}
EXAMPLES = {20, 31, 33, 49, 50, 51, 64, 65, 99, 100, 101, 128, 129, 130}


def size_of(case):
    """The kernel's word in the name of a case, its number of features and of examples."""
    kernel, d, n = re.match(r"(.*), (\d+) features, (\d+) examples", case.name).groups()
    return kernel, int(d), int(n)


def test_numbers_of_features_and_of_examples_lie_beside_the_ends_of_blocks():
    found = [size_of(case) for case in CASES.values() if "features" in case.name]
    assert {d for _, d, _ in found} >= FEATURES and {n for _, _, n in found} >= EXAMPLES
    for kernel in ("linear", "gaussian", "polynomial", "sigmoid"):
        assert len({d for name, d, _ in found if name == kernel}) >= 4
    for case in CASES.values():
        if "features" in case.name:
            assert size_of(case)[1:] == (len(case.problem.X[0]), case.problem.n)


def test_all_forms_are_there_and_rows_hold_whole_numbers():
    forms = {(case.problem.slack, case.problem.bias) for case in CASES.values()}
    assert len(forms) == 4
    assert sum(len(set(case.problem.C)) > 1 for case in CASES.values()) >= 4
    for case in CASES.values():
        if "features" in case.name:
            assert all(v == int(v) and abs(v) <= 2 for x in case.problem.X for v in x), case.name


def test_some_optima_have_no_free_multiplier_and_some_an_interval_of_offsets():
    wide = [c for c in CASES.values() if c.optimum.b_high - c.optimum.b_low > Q(1, 10)]
    assert len(wide) >= 3 and all("NoFreeSV" in case.flags for case in wide)
    assert sum(case.problem.n >= 100 for case in wide) >= 2


QUICK = ["linear, 8 features, 33 examples", "gaussian, 16 features, 33 examples",
         "strings of 2, 51 examples", "matrix of 33 examples"]


@pytest.mark.parametrize("name", QUICK)
def test_a_case_sees_the_faults_that_it_is_there_for(name):
    assert list(unseen(Machine(CASES[name]))) == []


SOFT = [name for name, of in documents_by_name("sizes").items()
        for problem in [of["given"]["problem"]]
        if problem["bias"] and problem["slack"] == "hinge" and "inf" not in problem["C"]]


@pytest.mark.parametrize("name", sorted({*QUICK} & {*SOFT}))
def test_a_case_does_not_accuse_plain_pair_steps(name):
    assert not is_accused(Machine(CASES[name]))


@pytest.mark.slow("a case of sizes that misses a fault, or calls one that stops at 1e-3 wrong")
@pytest.mark.parametrize("name", one_in(4, [*CASES]))
def test_every_case_sees_its_faults_and_accuses_no_usual_tolerance(name):
    machine = Machine(CASES[name])
    found = smo(machine.problem).model().decisions(machine.rows)
    b = (machine.low + machine.high) / 2
    assert all(
        machine.low - b - a <= f - s - b <= machine.high - b + a
        for f, s, a in zip(found, machine.scores, machine.allowed)
    )
    if name not in QUICK:
        assert list(unseen(machine)) == []
        assert name not in SOFT or not is_accused(machine)


def test_a_right_machine_is_none_of_the_faults():
    machine = Machine(CASES["gaussian, 16 features, 33 examples"])
    right = decisions(machine.K, *machine.solution)
    assert not machine.sees(right) and machine.sees([0.99 * f for f in right])


@pytest.mark.slow("a case of sizes whose optimum no double can hold well enough")
@pytest.mark.parametrize("name", [*CASES][::8])
def test_rounding_is_far_below_what_is_allowed(name):
    problem, rows = as_doubles(CASES[name].problem, [query.x for query in CASES[name].queries])
    truth = truth_of(problem, rows, CASES[name])
    beta = truth.problem.beta(truth.alpha)
    off = roundings(truth, beta, None, middle_offset(truth.optimum))
    assert max(r / a for r, a in zip(off, truth.allowed)) < 1e-6
    for stated, exact, most in zip(truth.scores, truth.exact.of_beta(beta), truth.allowed):
        assert abs(stated - exact) < most / 10**9
