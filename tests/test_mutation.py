"""Mutants are made and drawn, and every module has the tests that they are tried against."""

from queue import Queue

import mutation
import pytest
from mutants import ROOT, Mutant, mutants


def test_every_file_in_the_table_is_there_and_every_module_too():
    table = mutation.ALSO_TESTED
    assert [name for name in table if not (ROOT / name).exists()] == []
    stems = {path.stem for path in mutation.modules()}
    assert {stem for words in table.values() for stem in words.split()} - stems == set()


def test_every_module_has_a_name_of_its_own_and_a_file_of_tests():
    modules = mutation.modules()
    assert len({path.stem for path in modules}) == len(modules) > 60
    assert [path.stem for path in modules if len(mutation.tests_of(path)) < 2] == []


def test_mutants_have_one_mistake_each_and_no_docstring_has_one(tmp_path):
    path = tmp_path / "half.py"
    path.write_text('def half(x):\n    """x / 2, at least 0."""\n    return max(x / 2, 0)\n')
    found = {(mutant.what, mutant.source.split("\n    ")[-1]) for mutant in mutants(path)}
    assert found == {
        ("Div to Mult", "return max(x * 2, 0)"), ("max to min", "return min(x / 2, 0)"),
        ("2 to 3", "return max(x / 3, 0)"), ("0 to 1", "return max(x / 2, 1)"),
        ("nothing returned", "return"),
    }


class Recorded:
    """A workshop in which each way has the verdict that is written down for it."""

    def __init__(self, **verdicts):
        self.verdicts, self.asked = verdicts, []

    def verdict_on(self, mutant, tests, seconds, options):
        way = next(way for way in mutation.WAYS if mutation.WAYS[way] is options)
        self.asked.append(way)
        return self.verdicts[way]


@pytest.mark.parametrize("quick, merge, every, noticed, asked", [
    ("fails", "-", "-", "quick merge every", "quick"),
    ("passes", "fails", "-", "merge every", "quick merge"),
    ("fails on a draw", "passes", "fails on a draw", "quick every", "quick merge every"),
    ("passes", "passes", "passes", "", "quick merge every"),
])
def test_ways_below_one_that_fails_without_a_draw_are_spared(quick, merge, every, noticed, asked):
    workshops, workshop = Queue(), Recorded(quick=quick, merge=merge, every=every)
    workshops.put(workshop)
    mutant = Mutant(mutation.modules()[0], "f", 1, "0 to 1", "")
    assert mutation.tried(workshops, mutant, 1, list(mutation.WAYS)) == noticed.split()
    assert workshop.asked == asked.split() and workshops.get() is workshop


def test_a_seed_means_the_same_mutants():
    first, again, other = (mutation.some_mutants(5, seed, "exact_sums") for seed in (1, 1, 2))
    assert first == again != other and len(first) == 5
    assert all(mutant.path.stem == "exact_sums" for mutant in first)
