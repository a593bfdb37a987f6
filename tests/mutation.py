"""How many small mistakes the tests notice: mutants drawn at random over the numerical modules.

    python tests/mutation.py --count 400 --seed 1

Each mutant is tried against the tests of its own module (and the doctests in it), in a copy of the
project. The draw is a shuffle by refsvm.numerics.picks: a seed means the same mutants everywhere.
Printed are the survivors, each of which is a line that no test of the module depends on, or a
change that changes nothing; and the share that was noticed.
"""

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from refsvm.numerics.picks import shuffle, splitmix64  # noqa: E402
from tests.mutants import ROOT, Workshop, mutants  # noqa: E402

# Where a module's tests do not stand in the file of its name. What chapter 12 pins bit for bit is
# a test of the modules that it describes.
SMO = ["tests/test_smo.py", "spec/12-smo.md"]
CERTIFICATE, ENCLOSED = ["tests/test_certificate.py"], ["tests/test_enclosed.py"]
OPTIMUM = ["tests/test_optimum.py"]
TESTS = {
    "kernel_algebra": ["tests/test_kernels.py"],
    "gram_matrices": ["tests/test_kernels.py", "tests/test_model.py"],
    "factorisations": ["tests/test_linalg.py"],
    "eigenvalues": ["tests/test_linalg.py"],
    "solvers/smo": SMO,
    "solvers/line": [*SMO, "tests/test_quadratic_program.py"],
    "solvers/program": SMO,
    "solvers/descent": [*SMO, "tests/test_coordinate_ascent.py"],
    "solvers/face": [*SMO, "tests/test_projected_gradient.py"],
    "solvers/separation": ["tests/test_infeasibility.py", *SMO],
    "solvers/answers": [*SMO, "tests/test_active_set.py"],
    "solvers/loop": [*SMO, "tests/test_projected_gradient.py"],
    "solvers/active_set": ["tests/test_active_set.py", "tests/test_smo.py"],
    "solvers/coordinate_ascent": ["tests/test_coordinate_ascent.py", "tests/test_smo.py"],
    "solvers/projected_gradient": ["tests/test_projected_gradient.py", "tests/test_smo.py"],
    "solvers/pivoting": ["tests/test_active_set.py", "tests/test_quadratic_program.py"],
    "solvers/principal_exact": ["tests/test_submatrix_inverse.py", "tests/test_active_set.py"],
    **{f"proofs/{name}": OPTIMUM for name in (
        "answer", "exactly", "proposals", "search", "semidefinite", "ties", "uniqueness",
        "verification", "whole_rows",
    )},
    **{f"proofs/{name}": CERTIFICATE for name in ("images", "known", "offset_ends", "repair")},
    **{f"proofs/{name}": ENCLOSED for name in (
        "definite_kernels", "exponential_sums", "fixed_point", "measuring", "nearby", "polishing",
    )},
    "proofs/best_offsets": [*CERTIFICATE, *ENCLOSED],
    "proofs/exponentials": ["tests/test_enclosures.py"],
    "proofs/intervals": ["tests/test_enclosures.py", *ENCLOSED],
    "proofs/statements": ["tests/test_checker.py"],
}
FLOORS = ["refsvm", "refsvm/solvers", "refsvm/online", "refsvm/proofs"]
# Not numerical: files, pictures, the command line, what scikit-learn spells.
ELSEWHERE = {
    "__init__", "__main__", "estimators", "training_sets", "pairwise", "voting", "contours", "svg",
    "drawing", "animation", "tracing",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", default=400, type=int)
    parser.add_argument("--seed", default=1, type=int)
    parser.add_argument("--jobs", default=2, type=int)
    parser.add_argument("--only", default="", help="modules whose path contains this")
    given = parser.parse_args()
    paths = [path for path in modules() if given.only in str(path)]
    drawn = shuffle([m for path in paths for m in mutants(path)], splitmix64(given.seed))
    drawn = sorted(drawn[:given.count], key=lambda m: (m.path, m.line))
    workshops = Queue()
    for _ in range(given.jobs):
        workshops.put(Workshop())
    paths = sorted({m.path for m in drawn})
    with ThreadPoolExecutor(given.jobs) as pool:
        patience = dict(zip(paths, pool.map(lambda path: unbroken(workshops, path), paths)))
        noticed = list(pool.map(lambda m: tried(workshops, m, patience[m.path]), drawn))
    while not workshops.empty():
        workshops.get().close()
    print(f"{sum(noticed)} of {len(drawn)} noticed, {100 * sum(noticed) / len(drawn):.1f} percent")


def modules():
    """The numerical modules, in order."""
    paths = [path for floor in FLOORS for path in sorted((ROOT / floor).glob("*.py"))]
    return [path for path in paths if path.stem not in ELSEWHERE]


def tests_of(path):
    """What is run for a module: its own doctests, and its test files."""
    name = str(path.relative_to(ROOT / "refsvm").with_suffix(""))
    return [str(path.relative_to(ROOT)), *TESTS.get(name, [f"tests/test_{path.stem}.py"])]


def unbroken(workshops, path):
    """Seconds to wait for a mutant: from the run of the tests with nothing broken."""
    workshop = workshops.get()
    begun = time.monotonic()
    passed = workshop.passes(tests_of(path), seconds=600)
    workshops.put(workshop)
    if not passed:
        raise SystemExit(f"{' '.join(tests_of(path))} fails though nothing is broken")
    return 20 + 4 * (time.monotonic() - begun)


def tried(workshops, mutant, seconds):
    """Whether the mutant is noticed; a survivor is printed."""
    workshop = workshops.get()
    noticed = workshop.notices(mutant, tests_of(mutant.path), seconds)
    workshops.put(workshop)
    if not noticed:
        print(f"survives: {mutant}", flush=True)
    return noticed


if __name__ == "__main__":
    main()
