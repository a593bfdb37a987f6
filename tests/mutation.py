"""How many small mistakes the tests notice: mutants drawn at random over the numerical modules.

    python tests/mutation.py --count 400 --seed 1
    python tests/mutation.py --count 100 --seed 2 --ways every,quick,merge

Each mutant is tried against the tests of its own module (and the doctests in it), in a copy of the
project. The draw is a shuffle by refsvm.numerics.picks, so that a seed means the same mutants
everywhere. Printed are the survivors, each of which is a line that no test of the module depends
on, or a change that changes nothing; and the share that was noticed.

The ways are which of these tests are run, and with how many draws:

    quick   as python3 -m tests does: not those marked slow, few draws
    merge   as .ci/run does: all of them, few draws
    every   all of them, 100 new draws

With several ways, a mutant that only some of them notice is printed with these. Each way runs the
tests of those above: where one has failed that draws nothing, the ways below are spared.
"""

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from queue import Queue

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from refsvm.numerics.picks import shuffle, splitmix64  # noqa: E402
from tests.mutants import ROOT, Workshop, mutants  # noqa: E402

WAYS = {
    "quick": ["--hypothesis-profile=few", "-m", "not slow"],
    "merge": ["--hypothesis-profile=few"],
    "every": ["--hypothesis-profile=breaking"],
}
FOLDERS = ["numerics", "kernels", "svm", "theory", "online", "solvers", "proofs"]
WITHOUT_NUMBERS = {"__init__", "types", "one_vs_one"}

# The tests of a module are tests/test_NAME.py, wherever in refsvm the module lies; and these.
# What spec/standard/smo.md pins bit for bit is a test of the modules that it describes.
ALSO_TESTED = {
    "tests/test_active_set.py": "dual_program submatrix_inverse qp_active_set",
    "tests/test_fast_names.py": "notebook_hook",
    "tests/test_canonical_json.py": "canonical_json numerals plain_json",
    "tests/test_certificate.py": "offsets answers certified_bounds"
    " offset_interval",
    "tests/test_certificate_machines.py": "answers certified_bounds offset_interval",
    "tests/test_checker.py": "certificate_json",
    "tests/test_checker_machines.py": "canonical_json certificate_json checker",
    "tests/test_proof.py": "coq_theorem checker",
    "tests/test_ascent_loop.py": "ascent_loop",
    "tests/test_face_system.py": "conjugate_gradient face_system",
    "tests/test_coordinate_ascent.py": "textbook dual_ascent dual_program",
    "tests/test_degeneracy.py": "semidefiniteness",
    "tests/test_enclosed.py": "offsets definiteness enclosed_optimum"
    " enclosed_values exponential_sums fixed_point intervals merged_examples refinement"
    " rounded_problem",
    "tests/test_enclosed_machines.py": "enclosed_optimum enclosed_values"
    " exponential_sums merged_examples refinement rounded_problem",
    "tests/test_enclosures.py": "intervals",
    "tests/test_grouped_problem.py": "ball_problem box_bounds conjugate_gradient"
    " dual_form nu_problem"
    " one_class_problem regression_problem training_problem",
    "tests/test_fitted_check.py": "fitted_check judgement",
    "tests/test_foreign_code.py": "gram_matrices",
    "tests/test_hostile_values.py": "conversion quoting validation",
    "tests/test_kernels.py": "base extreme_gamma gram_matrices standard",
    "tests/test_line_search.py": "step_sizes",
    "tests/test_linalg.py": "eigenvalues factorisations powers_of_two",
    "tests/test_margin_program.py": "hard_margin",
    "tests/test_model.py": "gram_matrices",
    "tests/test_objectives.py": "regularised_risk",
    "tests/test_optimum_machines.py": "optimum starting_points uniqueness verification",
    "tests/test_optimum.py": "definiteness exponential_sums rational_kernels starting_points"
    " uniqueness verification",
    "tests/test_pair_probabilities.py": "coupling",
    "tests/test_pegasos.py": "textbook_pegasos",
    "tests/test_pickles.py": "problem_rows",
    "tests/test_projected_gradient.py": "conjugate_gradient dual_ascent dual_program textbook",
    "tests/test_newton.py": "own_weights newton_direction",
    "tests/test_problem.py": "column_shift",
    "tests/test_proximal_point.py": "own_weights",
    "tests/test_gap_bounds.py": "exact_answers gap_bounds machine_in_doubles own_weights",
    "tests/test_residual_bounds.py": "residual_bounds rounding_bounds value_errors",
    "tests/test_solutions.py": "exact_answers machine_in_doubles rational_values solutions",
    "tests/test_quadratic_program.py": "dual_program qp_active_set",
    "tests/test_representer.py": "regularised_risk",
    "tests/test_scipy_matrices.py": "conversion",
    "tests/test_slack.py": "losses",
    "tests/test_decomposition.py": "dual_ascent",
    "tests/test_linear_residuals.py": "decomposition",
    "tests/test_smo.py": "conjugate_gradient dual_ascent dual_program pair_ascent",
    "tests/test_solvers.py": "active_set conjugate_gradient coordinate_ascent decomposition"
    " dual_ascent dual_program infeasibility pair_ascent projected_gradient qp_active_set smo"
    " textbook_smo",
    "tests/test_textbook_smo.py": "textbook",
    "spec/standard/probabilities.md": "calibration coupling",
    "spec/standard/dual-ascent.md": "dual_coordinate_descent",
    "spec/standard/decomposition.md": "decomposition",
    "spec/standard/smo.md": "conjugate_gradient dual_ascent dual_program infeasibility pair_ascent"
    " smo",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", default=400, type=int)
    parser.add_argument("--seed", default=1, type=int)
    parser.add_argument("--jobs", default=2, type=int)
    parser.add_argument("--only", default="", help="modules whose path contains this")
    parser.add_argument("--ways", default="every", help=f"some of {','.join(WAYS)}")
    given = parser.parse_args()
    ways = [way for way in WAYS if way in given.ways.split(",")]
    drawn = some_mutants(given.count, given.seed, given.only)
    paths = sorted({m.path for m in drawn})
    workshops = Queue()
    for _ in range(given.jobs):
        workshops.put(Workshop())
    with ThreadPoolExecutor(given.jobs) as pool:
        patience = dict(zip(paths, pool.map(lambda p: unbroken(workshops, p, ways[-1]), paths)))
        noticed = list(pool.map(lambda m: tried(workshops, m, patience[m.path], ways), drawn))
    while not workshops.empty():
        workshops.get().close()
    for way in ways:
        count = sum(way in those for those in noticed)
        print(f"{way}: {count} of {len(drawn)} noticed, {100 * count / len(drawn):.1f} percent")


def some_mutants(count, seed, only=""):
    """So many of all the mutants of the modules whose path contains `only`, in their order."""
    paths = [path for path in modules() if only in str(path)]
    drawn = shuffle([m for path in paths for m in mutants(path)], splitmix64(seed))
    return sorted(drawn[:count], key=lambda m: (m.path, m.line))


def modules():
    """The numerical modules, in order."""
    paths = [path for name in FOLDERS for path in sorted((ROOT / "refsvm" / name).glob("*.py"))]
    return [path for path in paths if path.stem not in WITHOUT_NUMBERS]


def tests_of(path):
    """What is run for a module: its own doctests, and its test files."""
    own = [name for name in [f"tests/test_{path.stem}.py"] if (ROOT / name).exists()]
    also = [name for name, stems in ALSO_TESTED.items() if path.stem in stems.split()]
    return [str(path.relative_to(ROOT)), *own, *also]


@contextmanager
def borrowed(workshops):
    """A workshop, for one at a time."""
    workshop = workshops.get()
    try:
        yield workshop
    finally:
        workshops.put(workshop)


def unbroken(workshops, path, way):
    """Seconds to wait for a mutant: from the run of the tests with nothing broken."""
    begun = time.monotonic()
    with borrowed(workshops) as workshop:
        if not workshop.passes(tests_of(path), 600, WAYS[way]):
            raise SystemExit(f"{' '.join(tests_of(path))} fails though nothing is broken")
    return 20 + 4 * (time.monotonic() - begun)


def tried(workshops, mutant, seconds, ways):
    """The ways in which the mutant is noticed; it is printed unless they are all."""
    tests, noticed = tests_of(mutant.path), []
    with borrowed(workshops) as workshop:
        for k, way in enumerate(ways):
            verdict = workshop.verdict_on(mutant, tests, seconds, WAYS[way])
            if verdict == "fails":
                noticed += ways[k:]
                break
            if verdict == "fails on a draw":
                noticed.append(way)
    if len(noticed) < len(ways):
        print(f"{'only ' + ','.join(noticed) if noticed else 'survives'}: {mutant}", flush=True)
    return noticed


if __name__ == "__main__":
    main()
