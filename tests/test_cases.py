"""The cases of the audit against what was worked out for them by others."""

from fractions import Fraction
from functools import cache
from math import inf

import pytest
from cases_by_hand import CASES, F14, NOT_SEPARABLE

from refsvm.conformance.cases import FILES, cases
from refsvm.conformance.cases.flags import FLAGS
from refsvm.kernels.base import as_kernel
from refsvm.kernels.standard import Gaussian
from refsvm.proofs.canonical_json import NAMED, canonical
from refsvm.proofs.certificate_json import optimum_document, problem_document
from refsvm.proofs.checker import check
from refsvm.proofs.enclosures import kernel_interval
from refsvm.proofs.optimum import solve_exactly
from refsvm.solvers.active_set import active_set
from refsvm.solvers.decomposition import decomposition
from refsvm.solvers.smo import smo
from refsvm.svm.problem import Problem
from spec.vectors.makers import solved_cases

BY_HAND = {case.name: case for case in CASES}


@cache
def every():
    """{name: case} of all."""
    return {case.name: case for case in cases(*FILES)}


@pytest.mark.parametrize("name", BY_HAND)
def test_the_optimum_is_the_one_that_was_worked_out_by_hand(name):
    case, known = every()[name], BY_HAND[name]
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
    assert set(BY_HAND) <= set(every())
    assert {case.name for case in NOT_SEPARABLE} <= {
        case.name for case in every().values() if case.optimum and case.optimum.farkas
    }


def test_the_extras_have_the_values_that_were_printed_with_them():
    decided = [every()[f"E1-{pair}"].queries[-1] for pair in ("01", "12", "20")]
    assert [str(query.f_low) for query in decided] == ["1/2", "21/11", "9/17"]
    found = every()["E3"].optimum
    assert (found.w, found.b_low, found.b_high) == ([1], -1, 0)
    assert len(every()["E3"].given["X"]) == 4 and every()["E3"].problem.n == 3


@pytest.mark.parametrize("lam, errors", [(3, 2), (5, 1)])
def test_the_number_of_training_errors_that_the_notes_tell(lam, errors):
    case = every()[f"F14 lambda {lam}"]
    assert (case.problem.X, case.problem.y) == F14
    scores, _ = case.problem.scores_and_norm2(case.problem.beta(case.optimum.alpha))
    wrong = [
        y * (s + case.optimum.b_low) < 0
        for s, y in zip(scores, F14[1])
    ]
    assert sum(wrong) == errors


def holds(interval, number, ulp):
    """Whether the interval lies within one last decimal of the number."""
    return number - ulp <= interval.low <= interval.high <= number + ulp


def test_gaussians_have_the_closed_forms():
    found = {case.name: case.optimum for case in cases("gaussians")}
    alpha = Fraction("1.03766281782329182275224813551446592660258324")  # printed elsewhere
    assert holds(found["E4-xor"].objective, 2 * alpha, Fraction(1, 10**28))
    assert holds(found["E4-xor"].b_low, 0, Fraction(1, 2**90))
    k = kernel_interval(Gaussian(1), [0], [1], 200).low
    assert holds(found["E4-two"].objective, 1 / (1 - k), Fraction(1, 2**90))
    assert holds(found["E4-two-bounded"].objective, 2 - (1 - k), Fraction(1, 2**90))


def test_moved_points_have_the_same_optimum():
    first, *others = (case.optimum for case in cases("gaussians") if case.name.startswith("E5-"))
    assert all(other[1:] == first[1:] for other in others)


def test_another_alpha_is_another_and_proved_by_the_same_checker():
    several = [case for case in every().values() if case.optimum and case.optimum.other_alpha]
    assert len(several) > 10
    for case in several:
        best = case.optimum
        assert best.other_alpha != best.alpha and not best.alpha_unique
        other = optimum_document(case.problem, best._replace(alpha=best.other_alpha))
        check(canonical(problem_document(case.problem)), canonical(other))


def letter(margin, due):
    return "L" if margin > due else "U" if margin < due else "M"


def test_statuses_say_on_which_side_of_the_margin_an_example_is():
    for case in every().values():
        if case.problem and case.optimum.alpha and "?" not in case.optimum.status:
            problem, best = case.problem, case.optimum
            b = (best.b_low + best.b_high) * Fraction(1, 2)
            for s, y, a, c, told in zip(
                solved_cases.scores(problem, best), problem.y, best.alpha, problem.C, best.status
            ):
                due = 1 - a / c if problem.slack == "squared" and c != inf else 1
                if problem.kind is Fraction:
                    assert letter(y * (s + b), due) == told, case.name
                else:  # an interval of which the end on the margin's side decides, or neither
                    f = y * (s + b)
                    assert told in {letter(f.low, due), letter(f.high, due), "M"}, case.name


def test_the_twenty_five_come_first():
    assert [case.name for case in cases()][:25] == [f"C{k:02}" for k in range(1, 26)]


def test_names_are_for_one_case_each():
    assert len(every()) == len(cases(*FILES)) > 180


def test_every_flag_of_a_case_is_explained_and_every_flag_is_carried():
    carried = {flag for case in every().values() for flag in case.flags}
    assert carried == set(FLAGS)
    assert all(case.flags for case in every().values())


def test_flags_that_the_optimum_shows_are_so():
    shown = {
        "OffsetInterval", "NoFreeSV", "BoundedSV", "AlphaNotUnique", "DegenerateMargin",
        "AlphaAtBoundExactly", "Infeasible", "NotDyadic",
    }
    for case in every().values():
        if case.problem and (case.optimum.alpha or case.optimum.farkas):
            right = set(solved_cases.shown_flags(case.problem, case.optimum))
            assert shown & set(case.flags) == right, case.name


def test_a_tied_prediction_is_undetermined_somewhere():
    for case in every().values():
        if "TiedPrediction" in case.flags:
            scores = solved_cases.scores(case.problem, case.optimum)
            low, high = case.optimum.b_low, case.optimum.b_high
            train = any(s + low <= 0 <= s + high for s in scores)
            assert train or any(query.label is None for query in case.queries), case.name


def test_an_unknown_file_is_refused():
    with pytest.raises(ValueError, match="files is 'cores'; the known ones are 'core'"):
        cases("cores")


@pytest.mark.parametrize("case", cases("rejects"), ids=lambda case: case.name)
def test_what_has_no_right_answer_is_refused_or_ends_without_a_proof(case):
    def problem():
        return Problem(**{**case.given, "kernel": kernel_given(**case.given["kernel"])})

    if case.result == "reject" or case.name == "gamma is zero":
        with pytest.raises((ValueError, TypeError)):
            problem()
        return
    for solver in smo, decomposition, active_set:
        assert solver(problem(), max_iter=1000).iterations < 1000
    with pytest.raises(ValueError, match="not positive semidefinite"):
        solve_exactly(problem())


def kernel_given(name, **parameters):
    """The kernel of a document whose parameters are floats; ValueError for an unknown one."""
    return NAMED[name][0](**parameters) if name in NAMED else as_kernel(name)
