"""The cases of the audit against what was worked out for them by others."""

import pytest
from cases_by_hand import CASES, F14, NOT_SEPARABLE

from refsvm.conformance.cases import FILES, cases
from refsvm.conformance.flags import FLAGS
from refsvm.definiteness import mercer
from refsvm.kernel_algebra import as_kernel
from refsvm.problem import Problem
from refsvm.proofs.canonical import NAMED

BY_HAND = {case.name: case for case in CASES}
EVERY = {case.name: case for case in cases(*FILES)}


@pytest.mark.parametrize("name", [name for name in EVERY if name in BY_HAND])
def test_the_optimum_is_the_one_that_was_worked_out_by_hand(name):
    case, known = EVERY[name], BY_HAND[name]
    problem, found = case.problem, case.optimum
    C = known.C if isinstance(known.C, list) else [known.C] * len(known.y)
    assert (problem.X, problem.y, problem.C) == (known.X, known.y, C)
    assert (problem.bias, problem.slack) == (known.bias, known.slack)
    for ours, theirs in (
        (found.objective, known.value), (found.w, known.w), ((found.b_low, found.b_high), known.b),
        (found.alpha, known.alpha), (found.sum_alpha, known.sum_alpha),
    ):
        assert theirs is None or ours == theirs


def test_all_that_was_worked_out_by_hand_is_there():
    assert set(BY_HAND) <= set(EVERY)
    assert {case.name for case in NOT_SEPARABLE} <= {
        case.name for case in EVERY.values() if case.optimum and case.optimum.farkas
    }


def test_the_extras_have_the_values_that_were_printed_with_them():
    decided = [EVERY[f"E1-{pair}"].queries[-1] for pair in ("01", "12", "20")]
    assert [str(query.f_low) for query in decided] == ["1/2", "21/11", "9/17"]
    found = EVERY["E3"].optimum
    assert (found.w, found.b_low, found.b_high) == ([1], -1, 0)
    assert len(EVERY["E3"].given["X"]) == 4 and EVERY["E3"].problem.n == 3


@pytest.mark.parametrize("lam, errors", [(3, 2), (5, 1)])
def test_the_number_of_training_errors_that_the_notes_tell(lam, errors):
    case = EVERY[f"F14 lambda {lam}"]
    assert (case.problem.X, case.problem.y) == F14
    wrong = [
        y * (s + case.optimum.b_low) < 0
        for s, y in zip(case.problem.image(case.problem.beta(case.optimum.alpha))[0], F14[1])
    ]
    assert sum(wrong) == errors


def test_the_twenty_five_come_first():
    assert [case.name for case in cases()][:25] == [f"C{k:02}" for k in range(1, 26)]


def test_names_are_for_one_case_each():
    assert len(EVERY) == len(cases(*FILES)) > 330


def test_every_flag_of_a_case_is_explained_and_every_flag_is_carried():
    carried = {flag for case in EVERY.values() for flag in case.flags}
    assert carried == set(FLAGS)
    assert all(case.flags for case in EVERY.values())


def test_an_unknown_file_is_refused():
    with pytest.raises(ValueError, match="files is 'cores'; the known ones are 'core'"):
        cases("cores")


@pytest.mark.parametrize("case", cases("rejects"), ids=lambda case: case.name)
def test_what_must_be_refused_is_refused(case):
    if case.result == "reject":
        with pytest.raises((ValueError, TypeError)):
            Problem(**{**case.given, "kernel": kernel_given(**case.given["kernel"])})


def kernel_given(name, **parameters):
    """The kernel of a document whose parameters are floats; ValueError for one nobody knows."""
    return NAMED[name][0](**parameters) if name in NAMED else as_kernel(name)


def test_what_may_be_refused_has_negative_curvature():
    for case in cases("rejects"):
        if case.result == "acceptable":
            assert mercer(case.given["X"]).psd is False
