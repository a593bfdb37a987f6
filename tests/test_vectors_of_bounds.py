"""Each rule of what is promised of doubles (spec/standard/doubles.md) shows in a vector.

A mutant is an implementation with one rule wrong: some run of the solvers, or of gap_bounds, must
then have another bit than its vector. Steps and multipliers are the same, so it shows in gap,
objective, violation or an end of an offset.
"""

import json
from fractions import Fraction
from math import inf
from pathlib import Path

import pytest
from profiles import one_in

from refsvm import Problem
from refsvm.kernels import standard, value_errors
from refsvm.numerics.rounding_bounds import U, rounded_down, rounded_up
from refsvm.svm import exact_answers, gap_bounds, machine_in_doubles, residual_bounds, solutions
from refsvm.svm.machine_in_doubles import MachineInDoubles
from refsvm.svm.residual_bounds import BoundedResiduals
from spec.vectors.makers import RUNS, text_of
from spec.vectors.makers.function_runs import run_json

FOLDER = Path(__file__).parent.parent / "spec" / "vectors"
USERS = exact_answers, gap_bounds, machine_in_doubles, residual_bounds, solutions
ROUNDINGS, ERROR_OF_W, ERRORS = (
    value_errors.roundings, residual_bounds.error_of_w, residual_bounds._errors)
COST, EXCESS, DUAL = (
    machine_in_doubles.cost_of_moves, MachineInDoubles.excess, MachineInDoubles.dual)


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


def never(*given):
    return False


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
        "error_of_w", lambda problem, form, beta, coefs, roots, size: ERROR_OF_W(
            problem, form, beta, coefs, roots, size / 2)),
    "one bound for all residuals": [
        (residual_bounds, "_errors", lambda *given: [max(ERRORS(*given))] * len(given[1]))],
    "what is carried is forgotten": [
        (residual_bounds, "_errors", lambda terms, brackets, roots, carried, w_error: ERRORS(
            terms, brackets, roots, [0.0] * len(roots), w_error))],
    "a target has no part in the errors": [
        (residual_bounds, "_brackets", lambda problem, form, beta, roots, of_scores: of_scores)],
    "scores of another w are rounded at each step": [
        (Problem, "nearest_scores", Problem.scores_of_weights)],
    "residuals are exact in the gap": [
        (MachineInDoubles, "excess", lambda machine: [((a + b) / 2,) * 2 for a, b in
                                                      EXCESS(machine)])],
    "shares are added from the last": [
        (machine_in_doubles, "total", lambda values: sum(reversed(list(values))))],
    "a change of a multiplier costs twice": [
        (machine_in_doubles, "cost_of_moves", lambda moves, slopes, roots: tuple(
            2 * v for v in COST(moves, slopes, roots)))],
    "a share of squared slack is as wide as a hinge's": [
        (machine_in_doubles, "square_share", lambda d, a, C, ridge: abs(d) * (C + a))],
    "the dual is the optimum": [
        (MachineInDoubles, "dual", lambda machine: (sum(DUAL(machine)) / 2,) * 2)],
    "m and M are as computed": [(BoundedResiduals, "ends", lambda found: (found.r, found.r))],
    "ends are rounded inwards": [(solutions, "rounded_down", rounded_up),
                                 (solutions, "rounded_up", rounded_down)],
    "the square of the centre is exact": everywhere("error_of_half_norm2", lambda machine: 0.0),
    "short numbers are rounded, too": [(solutions, "is_short", never)],
    "small problems are judged in doubles": [(solutions, "is_small", never)],
    "gaps of small problems are judged in doubles": [(gap_bounds, "is_small", never)],
    "every bound is enough": [(solutions, "FAR_BELOW", inf)],
    "no bound is enough": [(solutions, "FAR_BELOW", 0.0)],
    "the offset is that of the rounded residuals": [
        (solutions, "_nearest", lambda value, kind: value if abs(value) == inf else kind(
            rounded_down(Fraction(value)) if kind is float else value))],
}


@pytest.mark.slow("a vector that accuses right bounds")
def test_without_a_mistake_nothing_is_noticed():
    assert first_noticed() is None


@pytest.mark.parametrize("mistake", one_in(6, [*MUTANTS]))
def test_a_vector_notices(mistake, monkeypatch):
    assert MUTANTS[mistake]
    for owner, name, value in MUTANTS[mistake]:
        monkeypatch.setattr(owner, name, value)
    assert first_noticed() is not None
