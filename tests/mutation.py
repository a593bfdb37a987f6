"""How many small mistakes the tests notice: mutants drawn at random over the numerical modules.

    python tests/mutation.py --count 400 --seed 1

Each mutant is tried against the tests of its own module (and the doctests in it), in a copy of the
project. The draw is a shuffle by refsvm.picks, so that a seed means the same mutants everywhere.
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

from refsvm.picks import shuffle, splitmix64  # noqa: E402
from tests.mutants import ROOT, Workshop, mutants  # noqa: E402

# Where a module's tests do not stand in the file of its name.
TESTS = {
    "kernel_algebra": ["test_kernels"],
    "gram_matrices": ["test_kernels", "test_model"],
    "factorisations": ["test_linalg"],
    "eigenvalues": ["test_linalg"],
    "solvers/line": ["test_smo", "test_quadratic"],
    "solvers/program": ["test_smo"],
    "solvers/descent": ["test_smo", "test_coordinate_ascent"],
    "solvers/face": ["test_smo", "test_projected_gradient"],
    "solvers/separation": ["test_separation", "test_smo"],
    "solvers/answers": ["test_smo", "test_active_set"],
    "solvers/pivoting": ["test_active_set", "test_quadratic"],
    "solvers/principal_exact": ["test_principal", "test_active_set"],
    "solvers/loop": ["test_smo", "test_projected_gradient"],
}
FLOORS = ["refsvm", "refsvm/solvers", "refsvm/online"]
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
    files = TESTS.get(name, [f"test_{path.stem}"])
    files = [f"tests/{file}.py" for file in files if (ROOT / "tests" / f"{file}.py").exists()]
    return [str(path.relative_to(ROOT)), *files]


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
