"""The cases of the audit against what was worked out for them by others."""

import pytest
from cases_by_hand import CASES

from refsvm.conformance.cases import cases
from refsvm.conformance.flags import FLAGS

KNOWN = {case.name: case for case in CASES}
CASES_OF_THE_AUDIT = {case.name: case for case in cases()}


@pytest.mark.parametrize("name", [name for name in CASES_OF_THE_AUDIT if name in KNOWN])
def test_the_optimum_is_the_one_that_was_worked_out_by_hand(name):
    case, known = CASES_OF_THE_AUDIT[name], KNOWN[name]
    found = case.optimum
    assert (case.given["X"], case.given["y"]) == (known.X, known.y)
    for ours, theirs in (
        (found.objective, known.value), (found.w, known.w), ((found.b_low, found.b_high), known.b),
        (found.alpha, known.alpha), (found.sum_alpha, known.sum_alpha),
    ):
        assert theirs is None or ours == theirs


def test_the_twenty_five_are_all_there():
    assert [f"C{k:02}" for k in range(1, 26)] == [name for name in CASES_OF_THE_AUDIT][:25]


def test_every_flag_of_a_case_is_explained():
    for case in cases():
        assert case.flags and set(case.flags) <= set(FLAGS), case.name
