"""The vectors: files from which a program in any language learns what is right.

    python -m refsvm.conformance.vectors spec/vectors

writes them all; a test compares them with what is there. The audit reads its cases from them, and
setup.py puts them, gzipped, into this folder of an installation. spec/README.md says how they are
read, spec/vectors/schema.json what they may hold.

A test of a case states these facts:

    problem        the document of the problem, and its SHA-256  (canonical_json.py)
    given          X, y, C as they are given to a program, where that is not the problem itself
    optimum        value, w_norm2, sum_alpha, sum_C_xi, b, s_train, status and what is unique
    queries        rows to decide: s without offset, and where f may lie
    certificate    an optimal alpha, or why there is no optimum, to be checked
    doubles        problem, optimum and queries once more, each fraction as the nearest double
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import groupby
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from ...kernels.rational_values import is_rational
from ...numerics.validation import one_of
from ...proofs.canonical_json import digest, document_of, problem_of
from ...proofs.certificate_json import optimum_document, over_one_denominator
from ...svm.problem import Problem
from ..cases import ARGUMENTS, FILES, Case, Document, Query, cases, read_cases
from ..cases.core import EXTRAS, LECTURES, TWENTY_FIVE
from ..cases.entries import Entry, solve_entry, solve_rounded
from ..cases.families import FAMILIES, GAUSSIANS
from ..cases.flags import FLAGS
from ..cases.invalid_inputs import REJECTS
from ..cases.known_bugs import CLAIMS, KNOWN_BUGS
from ..cases.number_json import doubles, hexadecimal, rational, text_of
from ..cases.sizes import SIZES
from .function_runs import Run, head_of_test, run_json
from .machine_inputs import FORMULATION as MACHINES_FORMULATION
from .machine_inputs import MACHINE_RUNS, groups_of_machines
from .run_inputs import (
    ARITHMETIC_RUNS,
    CONDITION_RUNS,
    KERNEL_RUNS,
    LEARNER_RUNS,
    PROBABILITY_RUNS,
    SOLVER_RUNS,
)
from .table_inputs import TABLE_RUNS

FORMAT = "refsvm-vectors-1"
FORMULATION = (
    "minimise |w|^2 / 2 + sum C_i xi_i (slack hinge) or sum C_i/2 xi_i^2 (slack squared), subject"
    " to y_i (<w, phi(x_i)> + b) >= 1 - xi_i and xi_i >= 0; b = 0 where bias is false"
)
SCHEMAS = {"Optimum": "schema.json", "RoundedOptimum": "sizes.schema.json"}
HEADER = [
    "CC0 1.0: to be copied without condition. Made by python -m refsvm.conformance.vectors.",
    "A number is a string: a fraction p/q, or a double 0x...p...; see spec/README.md of refsvm.",
]
ENTRIES = {
    "core": TWENTY_FIVE + EXTRAS,
    "lectures": LECTURES,
    "bugs": KNOWN_BUGS,
    "families": FAMILIES,
    "gaussians": GAUSSIANS,
    "claims": CLAIMS,
}


class RunFile(NamedTuple):
    """A file of runs, and the chapters of the specification that it is about."""

    chapters: str
    runs: list[Run]
    schema: str = "schema.json"


RUNS = {
    "arithmetic": RunFile("1", ARITHMETIC_RUNS),
    "kernels": RunFile("4.3, 8", KERNEL_RUNS),
    "conditions": RunFile("4.7", CONDITION_RUNS),
    "solvers": RunFile("12, 13, 14", SOLVER_RUNS),
    "learners": RunFile("9, 11", LEARNER_RUNS),
    "probabilities": RunFile("30", PROBABILITY_RUNS, "probabilities.schema.json"),
    "tables": RunFile("tables", TABLE_RUNS, "tables.schema.json"),
    "machine_solvers": RunFile(
        "smo, decomposition, dual-ascent, newton", MACHINE_RUNS, "machines.schema.json"
    ),
}
OTHERS = ("machines",)  # optima that are no cases of the audit


# ---- tests


def case_json(case: Case) -> Document:
    """Return the test that states a Case with an optimum."""
    problem: Any = case.problem
    document = document_of(problem)
    facts = {
        "problem": document,
        "optimum": rational(_optimum_json(case.optimum, case.scores)),
        "queries": [rational(query_json(query)) for query in case.queries],
    }
    test = _head_of(case)
    if case.given["y"] != problem.y:
        given = {key: case.given[key] for key in ("X", "y", "C")}
        test["given"] = rational({**given, "C": list(map(Fraction, given["C"]))})
    certificate = certificate_json(problem, case.optimum)
    test.update(facts, problem_sha256=digest(document), certificate=certificate)
    if "NotDyadic" not in case.flags:
        test["doubles"] = doubles(facts)
    return test


def _head_of(case: Case) -> Document:
    """Return the beginning of the test of a Case."""
    return head_of_test(case.name, case.comment, case.flags, case.result)


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
    test = _head_of(case)
    test.update(
        problem=document,
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


# ---- files


def documents() -> dict[str, Document]:
    """Return every file: a dict of its name to its document."""
    return {name: make_document(name) for name in (*FILES, *RUNS, *OTHERS)}


def make_document(name: str) -> Document:
    """Return the document of the file of this name, solved anew."""
    if name in ENTRIES:
        return optima(name, map(solve_entry, ENTRIES[name]))
    if name == "sizes":
        return optima(name, map(solve_rounded, SIZES), "RoundedOptimum", rounded_json)
    if name == "found":
        kept = [solved_case(c.problem, c.name, c.flags, c.comment) for c in cases(name)]
        return optima(name, kept)
    if name == "rejects":
        tests = [{**_head_of(case), "given": rational(case.given)} for case in REJECTS]
        return _envelope("SVM", [group("Rejected", name, tests)])
    return _machines_document() if name in OTHERS else _runs_document(RUNS[name])


def _machines_document() -> Document:
    """Return the document of the optima beside classification: a group for each machine."""
    groups = [
        group("OptimumWithOffsets", "machines", tests, form=form)
        for form, tests in groups_of_machines().items()
    ]
    document = _envelope("SVM", groups, "machines.schema.json")
    return {**document, "formulation": MACHINES_FORMULATION}


def optima(
    name: str,
    cases: Iterable[Case],
    kind: str = "Optimum",
    to_json: Callable[[Case], Document] = case_json,
) -> Document:
    """Return the document of a file of cases: a group for each stretch of one kernel."""
    by_kernel = groupby(map(to_json, cases), lambda test: test["problem"]["kernel"]["name"])
    groups = [group(kind, name, tests, kernel=kernel) for kernel, tests in by_kernel]
    return _envelope("SVM", groups, SCHEMAS[kind])


def _runs_document(file: RunFile) -> Document:
    """Return the document of a file of runs: a group for each stretch of one function."""
    return _envelope(
        f"chapter {file.chapters} of the specification",
        [
            group(function, "runs", map(run_json, of_one))
            for function, of_one in groupby(file.runs, lambda run: run.function)
        ],
        file.schema,
    )


def group(kind: str, source: str, tests: Iterable[Document], **more: str) -> Document:
    """Return a group of tests of one kind.

    `source` names the list that they come from, as the first version of these files did: readers
    of other languages may know the word, so it stays when modules are renamed.
    """
    source = f"refsvm.conformance.{source}"
    return {"type": kind, "source": source, **more, "tests": list(tests)}


def _envelope(algorithm: str, groups: list[Document], schema: str = "schema.json") -> Document:
    """Return the document of a file: what it is, the flags of its tests, and its groups."""
    tests = [test for part in groups for test in part["tests"]]
    for number, test in enumerate(tests, 1):
        test["tcId"] = number
    flags = sorted({flag for test in tests for flag in test["flags"]})
    return {
        "format": FORMAT,
        "schema": schema,
        "algorithm": algorithm,
        "formulation": FORMULATION,
        "header": HEADER,
        "notes": {flag: FLAGS[flag]._asdict() for flag in flags},
        "numberOfTests": len(tests),
        "testGroups": groups,
    }


def save(document: Document, path: str | PathLike[str]) -> None:
    """Write a document to a file, the same bytes on every system."""
    Path(path).write_bytes((text_of(document) + "\n").encode("ascii"))


def write(
    problem: Problem,
    path: str | PathLike[str],
    *,
    name: str | None = None,
    flags: Sequence[str] = ("Random",),
    comment: str = "found by search",
) -> list[Case]:
    """Add a problem, solved, to the vectors of a file.

    Parameters
    ----------
    problem : Problem
        such as the smallest on which a program is wrong; one that the file holds already is not
        added again
    path : a file of problems with their optima
        it is made if it is not there
    name : str
        what the case is called; None: "found" and the beginning of its SHA-256
    flags : keys of flags.FLAGS
        those that the optimum itself shows are added
    comment : str
        what happens

    Returns
    -------
    list of Case
        all that the file holds

    Raises
    ------
    ValueError
        if the kernel matrix is not positive semidefinite, or a flag is not a key of FLAGS

    Examples
    --------
    >>> import tempfile
    >>> from refsvm.svm.problem import Problem
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = folder + "/found.json"
    ...     case = write(Problem([[0], [1]], [-1, 1]), path, comment="b has the wrong sign")[-1]
    >>> case.name, case.flags, case.optimum.objective
    ('found a5ddc4a0', ('Random', 'OffsetInterval', 'NoFreeSV'), Fraction(3, 2))
    """
    for flag in flags:
        one_of(flag, sorted(FLAGS), "flags")
    known = read_cases(path) if Path(path).exists() else ()
    document = document_of(problem)
    problems: list[Any] = [case.problem for case in known]
    if document not in map(document_of, problems):
        name = name or f"found {digest(document)[:8]}"
        known = *known, solved_case(problem_of(document), name, flags, comment)
        save(optima("found", known), path)
    return list(known)


def solved_case(problem: Any, name: str, flags: Sequence[str], comment: str) -> Case:
    """Return the Case of a problem on exact numbers."""
    given = {key: getattr(problem, key) for key in ARGUMENTS}
    return solve_entry(Entry(name, flags=tuple(flags), comment=comment, **given))


def export(folder: str | PathLike[str]) -> None:
    """Write every file of vectors into the folder."""
    for name, document in documents().items():
        save(document, Path(folder) / f"{name}.json")
