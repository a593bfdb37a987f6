"""Tests that state cases: a problem, its optimum, rows to decide, and a certificate."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from refsvm.conformance.cases import Case, Document, Query
from refsvm.conformance.cases.number_json import doubles, hexadecimal
from refsvm.kernels.rational_values import is_rational
from refsvm.proofs.canonical_json import digest, document_of
from refsvm.proofs.certificate_json import optimum_document, over_one_denominator
from refsvm.svm.problem import Problem

from .function_runs import head_of_test
from .json_text import rational

PROBLEM = "S2"  # the section of the problem of classification


def case_json(case: Case) -> Document:
    """Return the test that states a Case with an optimum."""
    problem: Any = case.problem
    document = document_of(problem)
    facts = {
        "given": {"problem": document},
        "optimum": rational(_optimum_json(case.optimum, case.scores)),
        "queries": [rational(query_json(query)) for query in case.queries],
    }
    test = _head_of_case(case)
    if case.given["y"] != problem.y:
        asked = {key: case.given[key] for key in ("X", "y", "C")}
        test["asked"] = rational({**asked, "C": list(map(Fraction, asked["C"]))})
    certificate = certificate_json(problem, case.optimum)
    test.update(facts, problem_sha256=digest(document), certificate=certificate)
    test["doubles"] = None if "NotDyadic" in case.flags else doubles(facts)
    return test


def _head_of_case(case: Case) -> Document:
    """Return the beginning of the test of a Case."""
    return head_of_test(case.name, case.comment, case.flags, case.result, PROBLEM)


def rounded_json(case: Case) -> Document:
    """Return the test that states a Case whose numbers were rounded to doubles."""
    problem: Any = case.problem
    best: Any = case.optimum
    document = document_of(problem)
    value, within = _stated_value(best.objective)
    optimum = {
        **_optimum_json(best._replace(objective=value), case.scores),
        "within": within,
    }
    test = _head_of_case(case)
    test.update(
        given={"problem": document},
        optimum=hexadecimal(optimum),
        queries=[
            {**hexadecimal(query_json(query)), "x": rational(query.x)} for query in case.queries
        ],
        problem_sha256=digest(document),
    )
    return test


def _stated_value(objective: Any) -> tuple[Any, Any]:
    """Return the value in the middle of an interval, and `within` of interval_around."""
    value = (objective.low + objective.high) / 2
    return value, (objective.high - value) / max(1, abs(value))


def _optimum_json(optimum: Any, example_scores: Sequence[Any]) -> Document:
    """Return the facts of the optimum; an alpha only to show that it is not the only one."""
    if optimum.farkas:
        return {"status": "infeasible"}
    facts = {"value": optimum.objective}
    if optimum.w is not None:
        facts["w"] = optimum.w
    facts.update(
        w_norm2=optimum.w_norm2,
        sum_alpha=optimum.sum_alpha,
        sum_C_xi=optimum.sum_C_slack,
        b={"lo": optimum.b_low, "hi": optimum.b_high},
        s_train=example_scores,
        status=optimum.status,
        alpha_unique=optimum.alpha_unique,
        b_unique=optimum.b_unique,
    )
    if optimum.other_alpha is not None:
        facts["other_alpha"] = optimum.other_alpha
    return facts


def query_json(query: Query) -> Document:
    """Return the query; where 0 lies between f_lo and f_hi no label is right or wrong."""
    label = "undetermined" if query.label is None else query.label
    return {"x": query.x, "s": query.s, "f_lo": query.f_low, "f_hi": query.f_high, "label": label}


def certificate_json(problem: Problem, optimum: Any) -> Document:
    """Return what proves the optimum, or that there is none: what proofs/checker.py checks.

    Where kernel values are no fractions it states nothing, but has the multipliers.
    """
    if is_rational(problem.kernel):
        return optimum_document(problem, optimum)
    return over_one_denominator(optimum.alpha)
