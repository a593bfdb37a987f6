"""The exact optima of nu, regression, one class and the ball, as tests for other languages.

A test states a problem, what every optimum of it has in common, rows to decide, and a certificate
that proofs/checker.py checks; then problem, optimum and queries once more in doubles. Where the
status is "infeasible" there is no more, and where it is "degenerate" there are no queries.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby
from math import inf
from typing import Any

from ...kernels.gram_matrices import gram
from ...kernels.standard import Precomputed
from ...numerics.linalg import dot
from ...proofs.canonical_json import digest, document_of
from ...proofs.certificate_json import optimum_document
from ...proofs.optimum import solve_exactly
from ...proofs.plain_json import Document
from ...svm.ball_problem import BallProblem
from ..cases.number_json import doubles, rational
from .function_runs import head_of_test
from .machine_inputs import STATED, Stated

FORMULATION = (
    "by the key form of the problem, each xi_i the least that is not negative and"
    " allowed: nu: |w|^2 / 2 - nu W rho + sum w_i xi_i, y_i (s_i + b) >= rho - xi_i; regression:"
    " |w|^2 / 2 + C sum w_i xi_i, |y_i - s_i - b| <= epsilon + xi_i; nu_regression: the same"
    " + C nu W epsilon; one_class: |w|^2 / 2 - nu W rho + sum w_i xi_i, s_i >= rho - xi_i; ball:"
    " radius2 + C sum w_i xi_i, |phi(x_i) - w|^2 <= radius2 + xi_i; with s_i = <w, phi(x_i)>, W ="
    " sum w_i"
)


def groups_of_machines() -> list[tuple[str, list[Document]]]:
    """Return (form, its tests) for each machine."""
    by_form = groupby(map(_stated_json, STATED), lambda test: test["problem"]["form"])
    found: dict[str, list[Document]] = {}
    for form, tests in by_form:
        found.setdefault(form, []).extend(tests)
    return list(found.items())


def _stated_json(stated: Stated) -> Document:
    """Return the test that states the optimum of a problem."""
    problem, best = stated.problem, solve_exactly(stated.problem)
    document = document_of(problem)
    facts: Document = {"problem": document, "optimum": rational(_facts_of(problem, best))}
    if best.status != "infeasible":
        found = [] if best.status == "degenerate" else stated.queries
        facts["queries"] = [rational(query_json(problem, best, x)) for x in found]
    test = head_of_test(stated.name, stated.comment, flags_of(best), "valid")
    test.update(facts, problem_sha256=digest(document))
    if best.status != "infeasible":
        test["certificate"] = optimum_document(problem, best)
    if _is_made_of_doubles(problem):
        test["doubles"] = doubles(facts)
    return test


def _facts_of(problem: Any, best: Any) -> Document:
    """Return what every optimum has in common; an alpha only to show that it is not the only."""
    if best.status == "infeasible":
        return {"status": "infeasible", "farkas": best.farkas}
    facts: Document = {"value": best.objective}
    if best.w is not None:
        facts["w"] = best.w
    facts.update(
        w_norm2=best.w_norm2,
        offsets={
            name: {"lo": offset.low, "hi": offset.high}
            for name, offset in best.offsets._asdict().items()
        },
        s_train=[score(problem, best, x) for x in problem.X],
        status=best.status,
        alpha_unique=best.alpha_unique,
    )
    if best.other_alpha is not None:
        facts["other_alpha"] = best.other_alpha
    if best.farkas is not None:
        facts["farkas"] = best.farkas
    return facts


def score(problem: Any, best: Any, x: Any) -> Any:
    """Return <w, phi(x)>; with Precomputed, x holds the kernel values."""
    given = isinstance(problem.kernel, Precomputed)
    values: Any = x if given else gram(problem.kernel, [x], problem.X)[0]
    return dot(problem.beta(best.alpha), values)


def query_json(problem: Any, best: Any, x: Any) -> Document:
    """Return the row, its score, and between which numbers f(x) may lie."""
    s = score(problem, best, x)
    away: Any = s
    if isinstance(problem, BallProblem):
        away = 2 * s - problem.kernel(x, x) - best.w_norm2
    return {"x": x, "s": s, "f_lo": away + best.b_low, "f_hi": away + best.b_high}


def flags_of(best: Any) -> tuple[str, ...]:
    """Return the flags that the optimum itself shows."""
    if best.status == "infeasible":
        return ()
    room = any(low < high for _, low, high in best.offsets)
    return ("OffsetInterval",) * room + ("AlphaNotUnique",) * (best.alpha_unique is False)


def _is_made_of_doubles(problem: Any) -> bool:
    """Return whether each number of the problem is a double exactly."""
    rows = [v for x in problem.X if not isinstance(x, str) for v in x]
    lists = [getattr(problem, name) for name in problem.numbers]
    flat = [v for part in lists for v in (part if isinstance(part, list) else [part])]
    return all(v == inf or Fraction(float(v)) == v for v in [*rows, *flat])
