"""Break what a statement of the notes stands on, and see its tests fail:

    python tests/breaking.py                    every statement of spec/statements.json
    python tests/breaking.py nyu-12 cs229-93    these
    python tests/breaking.py --statements FILE  of another list in the same form

For each statement and each function named there, small mistakes are made in that function alone
until one of the tests named there fails. Printed is the first mistake that was noticed; a function
none of whose mistakes is noticed ends the run with status 1.
"""

import argparse
import importlib
import inspect
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from pathlib import Path
from queue import Queue

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.mutants import ROOT, Workshop, mutants  # noqa: E402

TRIES = 8  # mistakes that may go unnoticed before a function counts as one no test looks at


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("ids", nargs="*")
    parser.add_argument("--statements", default=ROOT / "spec" / "statements.json", type=Path)
    parser.add_argument("--jobs", default=2, type=int)
    given = parser.parse_args()
    entries = json.loads(given.statements.read_text(encoding="utf-8"))
    work = [
        (entry["id"], name, tuple(entry["tests"]))
        for entry in entries if not given.ids or entry["id"] in given.ids
        for name in entry["functions"]
    ]
    workshops = Queue()
    for _ in range(given.jobs):
        workshops.put(Workshop())
    every_test = sorted({test for _, _, tests in work for test in tests})
    if not workshops.queue[0].passes(every_test, seconds=1800):
        sys.exit("a test named there fails though nothing is broken: run the tests first")
    with ThreadPoolExecutor(given.jobs) as pool:
        answers = list(pool.map(lambda job: seen_failing(workshops, *job), work))
    while not workshops.empty():
        workshops.get().close()
    unseen = [job for job, noticed in zip(work, answers) if not noticed]
    print(f"{len(work) - len(unseen)} of {len(work)} seen failing; not seen:", unseen or "none")
    return 1 if unseen else 0


def seen_failing(workshops, statement, name, tests):
    """Whether one of the tests fails when the function is broken; prints how."""
    workshop = workshops.get()
    try:
        for mutant in mistakes(name)[:TRIES]:
            if workshop.notices(mutant, tests):
                print(f"{statement}: {mutant}: noticed", flush=True)
                return True
        print(f"{statement}: {name}: NOT NOTICED by {' '.join(tests)}", flush=True)
        return False
    finally:
        workshops.put(workshop)


@cache
def mistakes(name):
    """The mutants of a function by its dotted name: spread over its lines, crude ones last."""
    path, qualified = place_of(name)
    inside = [m for m in every_mutant(path)
              if m.function == qualified or m.function.startswith(qualified + ".")]
    fine = [m for m in inside if m.what != "nothing returned"]
    crude = [m for m in inside if m.what == "nothing returned"]
    step = max(1, len(fine) // (TRIES - 2))
    return fine[::step][:TRIES - 2] + crude[:2]


every_mutant = lru_cache(maxsize=None)(mutants)


def place_of(name):
    """(path of the file, qualified name in it) of what a dotted name stands for."""
    parts = name.split(".")
    for k in range(len(parts) - 1, 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:k]))
        except ModuleNotFoundError:
            continue
        for part in parts[k:]:
            found = inspect.getattr_static(found, part) if inspect.isclass(found) else getattr(
                found, part)
        if isinstance(found, (classmethod, staticmethod)):
            found = found.__func__
        if isinstance(found, property):
            found = found.fget
        return Path(inspect.getsourcefile(found)), found.__qualname__
    raise SystemExit(f"{name} cannot be imported")


if __name__ == "__main__":
    sys.exit(main())
