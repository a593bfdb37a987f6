"""Break what a statement of the notes stands on, and count the mistakes that its tests notice:

    python3 -m tests --python tests/breaking.py                    every statement
    python3 -m tests --python tests/breaking.py nyu-12 cs229-93    these
    python3 -m tests --python tests/breaking.py --sample 300 --seed 11
    python3 -m tests --python tests/breaking.py --statements FILE  another list in the same form

Each small mistake (tests/mutants.py) in a function that a statement names is tried against the
tests that the statement names, and against no other. Printed is each that is not noticed, and at
the end, for each statement and function, how many of them were. A pair with fewer than 70 percent
(fewer than all but one, where there are up to three; fewer than one) ends the run with status 1.

A mistake that returns nothing is not counted: almost any test notices it. Nor is one that changes
no answer: tests/equivalent.json lists these, with the reason. A sample is drawn from all mistakes
of all statements; the same seed draws the same ones.
"""

import argparse
import importlib
import inspect
import json
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import pytest  # noqa: E402

from refsvm.numerics.picks import shuffle, splitmix64  # noqa: E402
from tests.forked import Forks, Trial  # noqa: E402
from tests.mutants import ROOT, Mutant, mutants  # noqa: E402

STATEMENTS = ROOT / "spec" / "statements.json"
EQUIVALENT = ROOT / "tests" / "equivalent.json"
PLAINLY = ["-q", "--tb=no", "--assert=plain", "-p", "no:cacheprovider", "-p", "tests.unshrunk"]


class Mistake(NamedTuple):
    """A mutant of a function, to be noticed by the tests of a statement."""

    statement: str
    function: str
    mutant: Mutant
    tests: tuple


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("ids", nargs="*")
    parser.add_argument("--statements", default=STATEMENTS, type=Path)
    parser.add_argument("--sample", type=int, help="so many mistakes instead of all")
    parser.add_argument("--seed", default=1, type=int)
    parser.add_argument("--jobs", default=2, type=int)
    parser.add_argument("--profile", default="breaking", help="of hypothesis: tests/profiles.py")
    given = parser.parse_args()
    entries = json.loads(given.statements.read_text(encoding="utf-8"))
    entries = [entry for entry in entries if not given.ids or entry["id"] in given.ids]
    found = [mistake for entry in entries for mistake in mistakes(entry)]
    if given.sample is not None:
        found = shuffle(found, splitmix64(given.seed))[:given.sample]
    breaking = Breaking(found)
    tests = sorted({test for mistake in found for test in mistake.tests})
    status = pytest.main([*PLAINLY, f"--hypothesis-profile={given.profile}", *tests],
                         plugins=[Forks(breaking.play, given.jobs)])
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        return 2
    weak = judge(entries, found, breaking.noticed) if given.sample is None else []
    share = 100 * len(breaking.noticed) / max(1, len(found))
    print(f"{len(breaking.noticed)} of {len(found)} mistakes noticed, {share:.1f} percent")
    return 1 if weak or breaking.red else 0


def mistakes(entry):
    """Each Mistake that a statement's tests should notice."""
    return [Mistake(entry["id"], name, mutant, tuple(entry["tests"]))
            for name in entry["functions"] for mutant in fine_mutants(name)]


@cache
def fine_mutants(name):
    """The mutants of a function by its dotted name that return something, another answer."""
    path, function = place_of(name)
    same = equivalent().get(name, {})
    return [mutant for mutant in mutants(path, [function])
            if mutant.what != "nothing returned" and mutant.change not in same]


@cache
def equivalent():
    """{function: {changed line: why no answer changes}}."""
    return json.loads(EQUIVALENT.read_text(encoding="utf-8"))


class Breaking:
    """Tries each mistake, and keeps the places in the list of those that are noticed."""

    def __init__(self, found):
        self.found, self.noticed = found, set()
        self.seconds, self.red = {}, []  # of each test with nothing broken; those that fail so
        self.failures, self.passes = set(), set()  # of (mutant, test)

    def play(self, forks):
        """Run every test unbroken, then every mistake."""
        every = sorted({test for mistake in self.found for test in mistake.tests})
        for trial, verdict in forks.verdicts(Trial(t, None, (t,), 600) for t in every):
            self.seconds[trial.key] = verdict.seconds
            self.red += [trial.key] * bool(verdict.failed or verdict.ended)
        print(f"\n{len(every)} tests take {sum(self.seconds.values()):.0f} s of work; with nothing"
              f" broken these fail, and are left out: {self.red}", flush=True)
        for trial, verdict in forks.verdicts(self.trials()):
            self.learn(trial, verdict)
        for place, mistake in enumerate(self.found):
            if any((mistake.mutant, test) in self.failures for test in mistake.tests):
                self.noticed.add(place)

    def trials(self):
        """A trial for each mistake of which nothing is known yet, the quickest tests first."""
        before = None
        for place, mistake in enumerate(self.found):
            if before not in (None, mistake.statement):
                print(f"{before} done: {place} of {len(self.found)} mistakes", flush=True)
            before = mistake.statement
            tests = sorted(set(mistake.tests).difference(self.red), key=self.seconds.__getitem__)
            if not any((mistake.mutant, test) in self.failures for test in tests):
                tests = tuple(t for t in tests if (mistake.mutant, t) not in self.passes)
                yield Trial(place, mistake.mutant, tests, self.patience(tests))

    def patience(self, tests):
        """Seconds of work after which a mutant counts as noticed: it may not end at all."""
        return 1 + 4 * sum(self.seconds[test] for test in tests)

    def learn(self, trial, verdict):
        """Keep what a trial says of its mutant for other statements with the same tests."""
        if verdict.ended:
            self.noticed.add(trial.key)
            return
        stop = trial.tests.index(verdict.failed) if verdict.failed else len(trial.tests)
        self.passes.update((trial.mutant, test) for test in trial.tests[:stop])
        if verdict.failed:
            self.failures.add((trial.mutant, verdict.failed))
        else:
            mutant, statement = trial.mutant, self.found[trial.key].statement
            print(f"{statement} does not notice {mutant}: {mutant.change}", flush=True)


def judge(entries, found, noticed):
    """Print the share of each statement and function, and return those with too low a one."""
    weak = []
    for entry in entries:
        for name in entry["functions"]:
            places = [k for k, m in enumerate(found)
                      if m.statement == entry["id"] and m.function == name]
            count = sum(k in noticed for k in places)
            print(f"{entry['id']} {name}: {count} of {len(places)} noticed"
                  if places else f"{entry['id']} {name}: no mistake to be made")
            if not enough(count, len(places)):
                weak.append(f"{entry['id']} {name}")
    print(f"{len(weak)} notice too few:", *weak, sep="\n    ")
    return weak


def enough(count, most):
    """Whether so many noticed mistakes of these show that the tests look at the function."""
    if most < 4:
        return count >= max(most - 1, min(most, 1))
    return 10 * count >= 7 * most


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
