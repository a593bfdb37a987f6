"""The vectors: files from which a program in any language learns what is right.

    python3 -m spec.vectors.makers spec/vectors

writes them all, from the root of a checkout; a test compares them with what is there. The audit
reads its cases from them, and setup.py puts them, gzipped, into refsvm/conformance/vectors of an
installation, without what is here. README.md beside them says how they are read, schema.json what
they may hold.

The problems of the cases have no other source than the files: what is stated of each is solved
anew. `write` adds one. What functions return is made from the runs in the modules here.

A test of a case states these facts:

    given.problem  the document of the problem; problem_sha256 is its SHA-256  (canonical_json.py)
    asked          X, y, C as they are given to a program, where that is not the problem itself
    optimum        value, w_norm2, sum_alpha, sum_C_xi, b, s_train, status and what is unique
    queries        rows to decide: s without offset, and where f may lie
    certificate    an optimal alpha, or why there is no optimum, to be checked
    doubles        given, optimum and queries once more, each fraction as the nearest double; null
                   where the problem's numbers are no doubles

What a function returns stands in bits; the same as fractions, in the folder exact.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from refsvm.conformance.bits.digests import digests_of
from refsvm.conformance.bits.sections import ALGORITHMS
from refsvm.conformance.cases import (
    ARGUMENTS,
    FILES,
    Case,
    Document,
    Query,
    case_from_json,
    cases,
    machines,
    tests_of,
    text_of_file,
)
from refsvm.conformance.cases.flags import BUGS, FLAGS
from refsvm.numerics.validation import one_of
from refsvm.proofs.canonical_json import digest, document_of, problem_of
from refsvm.svm.problem import Problem

from .case_tests import case_json, rounded_json
from .drawn_inputs import DIGEST_RUNS, drawn_runs, power_runs, wide_kernel_runs
from .function_runs import Run, exact_json, run_json
from .json_text import text_of
from .machine_inputs import FORMULATION as MACHINES_FORMULATION
from .machine_inputs import MACHINE_RUNS, groups_of_machines
from .rule_inputs import rule_runs
from .run_inputs import (
    ARITHMETIC_RUNS,
    CONDITION_RUNS,
    KERNEL_RUNS,
    LEARNER_RUNS,
    PROBABILITY_RUNS,
    SOLVER_RUNS,
)
from .solved_cases import solve_case, solve_rounded
from .table_inputs import TABLE_RUNS

FORMAT = "refsvm-vectors-2"
FORMULATION = (
    "minimise |w|^2 / 2 + sum C_i xi_i (slack hinge) or sum C_i/2 xi_i^2 (slack squared), subject"
    " to y_i (<w, phi(x_i)> + b) >= 1 - xi_i and xi_i >= 0; b = 0 where bias is false"
)
OF_ALL = f"{FORMULATION}; of the other machines, {MACHINES_FORMULATION}"
SCHEMAS = {"Optimum": "schema.json", "RoundedOptimum": "sizes.schema.json"}
HEADER = [
    "CC0 1.0: to be copied without condition. Made by python -m spec.vectors.makers.",
    "A number is a string: a fraction p/q, or a double 0x...p...; see README.md in this folder.",
]
GIVEN = ("rejects", machines.FILE)  # files that hold problems, and nothing that is solved


class RunFile(NamedTuple):
    """A file of runs."""

    runs: list[Run]
    schema: str = "schema.json"
    formulation: str = FORMULATION


def _by_function(runs: Iterable[Run]) -> list[Run]:
    """Return the runs with those of one function beside one another."""
    runs = list(runs)
    functions = list(dict.fromkeys(run.function for run in runs))
    return sorted(runs, key=lambda run: functions.index(run.function))


RUNS = {
    "arithmetic": RunFile(
        _by_function([*ARITHMETIC_RUNS, *power_runs(), *rule_runs("tanh", "folds")])
    ),
    "kernels": RunFile([*KERNEL_RUNS, *wide_kernel_runs(), *rule_runs("kernel")]),
    "conditions": RunFile(
        _by_function([*CONDITION_RUNS, *drawn_runs("kkt", "gap_bounds")]),
        "runs.schema.json",
        OF_ALL,
    ),
    "solvers": RunFile(
        _by_function(
            [
                *SOLVER_RUNS,
                *drawn_runs("coordinate_ascent", "projected_gradient", "active_set"),
            ]
        ),
        "runs.schema.json",
    ),
    "learners": RunFile(
        _by_function(
            [
                *LEARNER_RUNS,
                *drawn_runs("pegasos", "kernel_pegasos", "kernel_perceptron", "lms"),
                *drawn_runs("kernel_lms", "stochastic_kernel_lms", "perceptron", "stochastic_lms"),
                *rule_runs("kernel_perceptron", "pegasos"),
            ]
        )
    ),
    "probabilities": RunFile(
        _by_function(
            [
                *PROBABILITY_RUNS,
                *drawn_runs("calibrate", "couple"),
                *rule_runs("calibrate", "couple", "laplace_scale"),
            ]
        ),
        "probabilities.schema.json",
    ),
    "tables": RunFile(TABLE_RUNS, "tables.schema.json"),
    "machine_solvers": RunFile(
        _by_function(
            [
                *MACHINE_RUNS,
                *drawn_runs("smo", "decomposition", "dual_coordinate_descent"),
                *drawn_runs("newton", "proximal_point"),
                *rule_runs("smo"),
            ]
        ),
        "runs.schema.json",
        OF_ALL,
    ),
}
EXACT = tuple(name for name in RUNS if name != "tables")
OTHERS = ("machines", machines.FILE, "digests", "algorithms", *(f"exact/{name}" for name in EXACT))
WRITTEN = (*FILES, *RUNS, *OTHERS)


# ---- files


def documents() -> dict[str, Document]:
    """Return every file: a dict of its name to its document."""
    return {name: make_document(name) for name in WRITTEN}


def make_document(name: str) -> Document:
    """Return the document of the file of this name, solved anew."""
    if name in GIVEN:
        given: Document = json.loads(text_of_file(name))
        schema, formulation = given["schema"], given["formulation"]
        return _envelope(given["testGroups"], schema, formulation)
    if name == "sizes":
        return optima(map(solve_rounded, cases(name)), "RoundedOptimum", rounded_json)
    if name in FILES:
        return optima(map(solve_case, cases(name)))
    if name == "machines":
        return _machines_document()
    if name == "algorithms":
        return _algorithms_document()
    if name == "digests":
        return _runs_document(RunFile(DIGEST_RUNS, "digests.schema.json", OF_ALL), _digest_json)
    folder, _, of = name.rpartition("/")
    return _runs_document(RUNS[of], exact_json if folder else run_json)


def _machines_document() -> Document:
    """Return the document of the optima beside classification: a group for each machine."""
    groups = [
        group("OptimumWithOffsets", tests, form=form)
        for form, tests in groups_of_machines().items()
    ]
    return _envelope(groups, "machines.schema.json", MACHINES_FORMULATION)


def _algorithms_document() -> Document:
    """Return the table of the functions: where they are ordered, and since when."""
    algorithms = [
        {
            "name": name,
            "section": algorithm.section,
            "revision": algorithm.revision,
            "since": algorithm.since,
            "fields": algorithm.fields,
        }
        for name, algorithm in ALGORITHMS.items()
    ]
    return {"format": FORMAT, "schema": "algorithms.schema.json", "algorithms": algorithms}


def optima(
    cases: Iterable[Case],
    kind: str = "Optimum",
    to_json: Callable[[Case], Document] = case_json,
) -> Document:
    """Return the document of a file of cases: a group for each stretch of one kernel."""
    by_kernel = groupby(
        map(to_json, cases), lambda test: test["given"]["problem"]["kernel"]["name"]
    )
    groups = [group(kind, tests, kernel=kernel) for kernel, tests in by_kernel]
    return _envelope(groups, SCHEMAS[kind])


def _runs_document(file: RunFile, to_json: Callable[[Run], Document | None]) -> Document:
    """Return the document of a file of runs: a group for each stretch of one function."""
    groups = []
    for function, of_one in groupby(file.runs, lambda run: run.function):
        tests = [test for test in map(to_json, of_one) if test is not None]
        groups += [group(function, tests)] if tests else []
    return _envelope(groups, file.schema, file.formulation)


def _digest_json(run: Run) -> Document:
    """Return the test of a Run with the digests of its answer in the place of the answer."""
    test = run_json(run)
    return {**test, "answer": digests_of(test["answer"])}


def group(kind: str, tests: Iterable[Document], **more: str) -> Document:
    """Return a group of tests of one kind."""
    return {"type": kind, **more, "tests": list(tests)}


def _envelope(
    groups: list[Document], schema: str = "schema.json", formulation: str = FORMULATION
) -> Document:
    """Return the document of a file: what it is, the flags of its tests, and its groups."""
    tests = [test for part in groups for test in part["tests"]]
    for number, test in enumerate(tests, 1):
        test["tcId"] = number
    flags = sorted({flag for test in tests for flag in test["flags"]})
    return {
        "format": FORMAT,
        "schema": schema,
        "formulation": formulation,
        "header": HEADER,
        "notes": {flag: _note(flag) for flag in flags},
        "numberOfTests": len(tests),
        "testGroups": groups,
    }


def _note(flag: str) -> Document:
    """Return what a flag means."""
    if flag in FLAGS:
        return FLAGS[flag]._asdict()
    return {"bugType": "ending", "description": BUGS[flag], "links": []}


def save(document: Document, path: str | PathLike[str]) -> None:
    """Write a document to a file, the same bytes on every system."""
    Path(path).write_bytes((text_of(document) + "\n").encode("ascii"))


def read_cases(path: str | PathLike[str]) -> tuple[Case, ...]:
    """Read the cases of one file."""
    return tuple(map(case_from_json, tests_of(Path(path).read_text(encoding="ascii"))))


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
    flags : keys of FLAGS
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
        save(optima(known), path)
    return list(known)


def solved_case(problem: Any, name: str, flags: Sequence[str], comment: str) -> Case:
    """Return the Case of a problem on exact numbers, with rows between neighbours to decide."""
    given = {key: getattr(problem, key) for key in ARGUMENTS}
    queries = [Query(x, None, None, None, None) for x in machines.probes(problem)]
    return solve_case(
        Case(name, comment, tuple(flags), "valid", given, problem, None, queries, [])
    )


def export(folder: str | PathLike[str]) -> None:
    """Write every file of vectors into the folder."""
    (Path(folder) / "exact").mkdir(exist_ok=True)
    for name, document in documents().items():
        save(document, Path(folder) / f"{name}.json")
