"""A case as a test of a file: the same facts, in words that any language can read.

problem        the document of the problem, and its SHA-256  (canonical_json.py)
given          X, y, C as they are given to a program, where that is not the problem itself
optimum        value, w_norm2, sum_alpha, sum_C_xi, b, s_train, status and what is unique
queries        rows to decide: s without offset, and where f may lie
certificate    an optimal alpha, or why there is no optimum, to be checked  (certificate_json.py)
doubles        problem, optimum and queries once more, each fraction as the nearest double
"""

from fractions import Fraction

from ...proofs.canonical_json import digest, document_of
from ...proofs.certificate_json import multipliers, optimum_document
from ...proofs.rational_kernels import rational as rational_kernel
from ..cases.number_json import doubles, rational
from ..cases.solved import scores


def as_test(case):
    """The test that tells of a Case with an optimum; a dict of what JSON holds."""
    document = document_of(case.problem)
    facts = {
        "problem": document,
        "optimum": rational(optimum_told(case)),
        "queries": [rational(query_told(query)) for query in case.queries],
    }
    test = headed(case.name, case.comment, case.flags, case.result)
    if case.given["y"] != case.problem.y:
        given = {key: case.given[key] for key in ("X", "y", "C")}
        test["given"] = rational({**given, "C": list(map(Fraction, given["C"]))})
    test.update(facts, problem_sha256=digest(document), certificate=certificate_told(case))
    if "NotDyadic" not in case.flags:
        test["doubles"] = doubles(facts)
    return test


def headed(name, comment, flags, result):
    """The beginning of every test. Its tcId, which counts those of a file, comes with the file."""
    return {"tcId": 0, "name": name, "comment": comment, "flags": list(flags), "result": result}


def optimum_told(case):
    """The optimum; an alpha is told only to show that it is not the only one."""
    optimum = case.optimum
    if optimum.farkas:
        return {"status": "infeasible"}
    told = {"value": optimum.objective}
    if optimum.w is not None:
        told["w"] = optimum.w
    told.update(
        w_norm2=optimum.w_norm2,
        sum_alpha=optimum.sum_alpha,
        sum_C_xi=optimum.sum_C_slack,
        b={"lo": optimum.b_low, "hi": optimum.b_high},
        s_train=scores(case.problem, optimum),
        status=optimum.status,
        alpha_unique=optimum.alpha_unique,
        b_unique=optimum.b_unique,
    )
    if optimum.other_alpha is not None:
        told["other_alpha"] = optimum.other_alpha
    return told


def query_told(query):
    """The query; where 0 lies between f_lo and f_hi no label is right or wrong."""
    label = "undetermined" if query.label is None else query.label
    return {"x": query.x, "s": query.s, "f_lo": query.f_low, "f_hi": query.f_high, "label": label}


def certificate_told(case):
    """What proves the optimum, or that there is none: what proofs/checker.py checks.

    Where kernel values are no fractions it states nothing, but has the multipliers.
    """
    if rational_kernel(case.problem.kernel):
        return optimum_document(case.problem, case.optimum)
    return multipliers(case.optimum.alpha)


def rejected_told(rejected):
    """The test of an input without a right answer."""
    test = headed(rejected.name, rejected.comment, [rejected.flag], rejected.result)
    test["given"] = rational(rejected.given)
    return test
