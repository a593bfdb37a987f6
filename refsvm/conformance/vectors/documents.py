"""The vectors: files from which a program in any language learns what is right.

    python -m refsvm.conformance.vectors spec/vectors

writes them all, and the cases of the audit into this package; a test compares them with what is
there. How they are read is told in spec/README.md, what they may hold in spec/vectors/schema.json.
"""

from itertools import groupby
from pathlib import Path

from ...numerics.validation import one_of
from ...proofs.canonical_json import digest, document_of, problem_of
from ..arithmetic import ARITHMETIC, KERNEL_VALUES
from ..cases.case import ARGUMENTS, FILES, path_of, read
from ..cases.core import EXTRAS, TWENTY_FIVE
from ..cases.entry import Entry
from ..cases.families import FAMILIES
from ..cases.flags import FLAGS
from ..cases.invalid_inputs import REJECTS
from ..cases.known_bugs import BUGS
from ..cases.number_json import text_of
from ..cases.solved import case_of
from ..gaussians import GAUSSIANS
from ..lectures import LECTURES
from .case_json import as_test, rejected_told
from .function_runs import as_test as run_told
from .run_inputs import CONDITIONS, LEARNERS, SOLVERS

FORMAT = "refsvm-vectors-1"
FORMULATION = (
    "minimise |w|^2 / 2 + sum C_i xi_i (slack hinge) or sum C_i/2 xi_i^2 (slack squared), subject"
    " to y_i (<w, phi(x_i)> + b) >= 1 - xi_i and xi_i >= 0; b = 0 where bias is false"
)
HEADER = [
    "CC0 1.0: to be copied without condition. Made by python -m refsvm.conformance.vectors.",
    "A number is a string: a fraction p/q, or a double 0x...p...; see spec/README.md of refsvm.",
]
ENTRIES = {
    "core": TWENTY_FIVE + EXTRAS,
    "lectures": LECTURES,
    "bugs": BUGS,
    "families": FAMILIES,
    "gaussians": GAUSSIANS,
}

# Each file of runs: the chapters of the specification it is about, and the runs.
RUNS = {
    "arithmetic": ("1", ARITHMETIC),
    "kernels": ("4.3, 8", KERNEL_VALUES),
    "conditions": ("4.7", CONDITIONS),
    "solvers": ("12, 13, 14", SOLVERS),
    "learners": ("9, 11", LEARNERS),
}


def documents():
    """Every file: a dict of its name to its document."""
    found = {name: optima(name, map(case_of, entries)) for name, entries in ENTRIES.items()}
    kept = [solved(c.problem, c.name, c.flags, c.comment) for c in read(path_of("found"))]
    found["found"] = optima("found", kept)
    found["rejects"] = envelope("SVM", [group("Rejected", "rejects", map(rejected_told, REJECTS))])
    for name, (chapters, runs) in RUNS.items():
        found[name] = bits(chapters, runs)
    return found


def optima(name, cases):
    """The document of a file of problems with their optima: a group for each run of one kernel."""
    by_kernel = groupby(map(as_test, cases), lambda test: test["problem"]["kernel"]["name"])
    return envelope(
        "SVM", [group("Optimum", name, tests, kernel=kernel) for kernel, tests in by_kernel]
    )


def bits(chapters, runs):
    """The document of a file of runs: a group for each run of one function."""
    return envelope(
        f"chapter {chapters} of the specification",
        [
            group(function, "runs", map(run_told, of_one))
            for function, of_one in groupby(runs, lambda run: run.function)
        ],
    )


def group(kind, source, tests, **told):
    """A group of tests of one kind, and the module that they come from."""
    source = f"refsvm.conformance.{source}"
    return {"type": kind, "source": source, **told, "tests": list(tests)}


def envelope(algorithm, groups):
    """The document of a file: what it is, the flags of its tests explained, and its groups."""
    tests = [test for part in groups for test in part["tests"]]
    for number, test in enumerate(tests, 1):
        test["tcId"] = number
    flags = sorted({flag for test in tests for flag in test["flags"]})
    return {
        "format": FORMAT,
        "schema": "schema.json",
        "algorithm": algorithm,
        "formulation": FORMULATION,
        "header": HEADER,
        "notes": {flag: FLAGS[flag]._asdict() for flag in flags},
        "numberOfTests": len(tests),
        "testGroups": groups,
    }


def save(document, path):
    """Write a document to a file, the same bytes on every system."""
    Path(path).write_bytes((text_of(document) + "\n").encode("ascii"))


def write(problem, path, *, name=None, flags=("Random",), comment="found by search"):
    """Add a problem, solved, to the vectors of the file at `path`; a list of the file's cases.

    problem    a Problem, such as the smallest on which a program is wrong
    path       a file of problems with their optima; it is made if it is not there
    name       what the case is called, "found" and the beginning of its SHA-256 if None
    flags      keys of flags.FLAGS; those that the optimum itself shows are added
    comment    what happens

    A problem that the file holds already is not added again. ValueError if the kernel matrix is
    not positive semidefinite, or for a flag that nobody explains.

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
    known = read(path) if Path(path).exists() else ()
    document = document_of(problem)
    if document not in [document_of(case.problem) for case in known]:
        name = name or f"found {digest(document)[:8]}"
        known = *known, solved(problem_of(document), name, flags, comment)
        save(optima("found", known), path)
    return list(known)


def solved(problem, name, flags, comment):
    """The Case of a problem on exact numbers."""
    given = {key: getattr(problem, key) for key in ARGUMENTS}
    return case_of(Entry(name, flags=tuple(flags), comment=comment, **given))


def export(folder):
    """Write every file of vectors into the folder, and those of the audit into this package."""
    for name, document in documents().items():
        save(document, Path(folder) / f"{name}.json")
        if name in FILES:
            save(document, path_of(name))
