"""Each rule of what is promised of doubles (spec/standard/doubles.md) shows in a vector.

A mutant is an implementation with one rule wrong: some run of the solvers, or of gap_bounds, must
then have another bit than its vector. Steps and multipliers are the same, so it shows in gap,
objective, violation or an end of an offset.
"""

import json
from pathlib import Path

import pytest

from refsvm.conformance.cases.number_json import text_of
from refsvm.conformance.vectors import RUNS
from refsvm.conformance.vectors.function_runs import run_json
from refsvm.kernels import standard, value_errors
from refsvm.numerics.rounding_bounds import TINY, U, rounded_down, rounded_up
from refsvm.solvers import proved_status
from refsvm.svm import gap_bounds, judged_answer, residual_bounds, solutions, training_problem
from refsvm.svm.ball_problem import BallProblem
from refsvm.svm.judged_answer import JudgedAnswer
from refsvm.svm.outlier_problem import OutlierProblem

FOLDER = Path(__file__).parent.parent / "spec" / "vectors"
USERS = gap_bounds, judged_answer, residual_bounds, solutions, proved_status
ROUNDINGS, FEASIBLE, ERROR_OF_W, ERROR_OF_HALF_NORM2 = (
    value_errors.roundings, JudgedAnswer.feasible, residual_bounds.error_of_w,
    JudgedAnswer.error_of_half_norm2)


def stated(name):
    """The tests of a file by their names."""
    groups = json.loads((FOLDER / f"{name}.json").read_text(encoding="ascii"))["testGroups"]
    return {test["name"]: test for group in groups for test in group["tests"]}


FILES = [(RUNS[name].runs, stated(name)) for name in ("conditions", "solvers", "machine_solvers")]


def first_noticed():
    """The first run whose bits are not those of its vector, or None."""
    for runs, tests in FILES:
        for run in runs:
            answer = json.loads(text_of(run_json(run)["answer"]))
            if answer != tests[run.name]["answer"]:
                return run.name
    return None


def everywhere(name, function):
    """Changes that give all who use a function another one."""
    return [(module, name, function) for module in USERS if hasattr(module, name)]


def doubled(answer, excess):
    """Feasible variables, where what moves costs twice."""
    beta, parts = FEASIBLE(answer, excess)
    return beta, parts._replace(cost=2 * parts.cost)


def exact_where_scores_are(answer, w_norm2):
    """What |w|^2 / 2 is off: nothing where no residual is."""
    return 0 if answer.has_exact_residuals else ERROR_OF_HALF_NORM2(answer, w_norm2)


MUTANTS = {
    "no room for smaller terms": everywhere("of_sum", lambda k, size: U * k * size),
    "bounds are not rounded themselves": everywhere("above", lambda v, k: v),
    "tiny terms are forgotten": everywhere(
        "above", lambda v, k: v and v * (1 + (k + 4) * U * (1 + 2.0**-6))),
    "a kernel value is not rounded": [
        (value_errors, "roundings", lambda kernel, m: ROUNDINGS(kernel, m) - 1)],
    "a Gaussian's t is as large as 1": [(standard, "LARGEST_OF_T", 1.0)],
    "w is the exact one": everywhere("error_of_w", lambda *given: 0.0),
    "the sum of w counts once": everywhere(
        "error_of_w", lambda problem, size, *more: ERROR_OF_W(problem, size / 2, *more)),
    "shares are added from the last": [
        (judged_answer, "total", lambda values: sum(reversed(list(values))))],
    "residuals are exact in the gap": [
        (JudgedAnswer, "errors", property(lambda answer: [0.0] * len(answer.r)))],
    "the dual is the optimum": [
        (solutions, "_ends_of_dual", lambda answer, values: [values.objective] * 2)],
    "m and M are as computed": [(training_problem, "ends_of", lambda r, errors: (r, r))],
    "ends are rounded inwards": [(solutions, "rounded_down", rounded_up),
                                 (solutions, "rounded_up", rounded_down)],
    "whole numbers are rounded, too": everywhere("grain_of_kernel_values", lambda problem: 0.0),
    "one bound for all is not asked for": everywhere("FAR_BELOW", 0.0),
    "one bound for all is always enough": everywhere("FAR_BELOW", 1.0),
    "rows that leave the bound wide stay": everywhere("WIDE", 2.0**40),
    "the square of the centre is exact where the scores are": [
        (JudgedAnswer, "error_of_half_norm2", exact_where_scores_are)],
    "a ball decides exactly where its scores are exact": [
        (BallProblem, "decides_exactly", OutlierProblem.decides_exactly)],
    "a change of a multiplier costs twice": [(JudgedAnswer, "feasible", doubled)],
    "a share of squared slack is as wide as a hinge's": [
        (judged_answer, "_square_share", lambda d, a, C, ridge: abs(d) * (C + a) + TINY)],
}


def test_without_a_mistake_nothing_is_noticed():
    assert first_noticed() is None


@pytest.mark.parametrize("mistake", MUTANTS)
def test_a_vector_notices(mistake, monkeypatch):
    assert MUTANTS[mistake]
    for owner, name, value in MUTANTS[mistake]:
        monkeypatch.setattr(owner, name, value)
    assert first_noticed() is not None
