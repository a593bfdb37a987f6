"""Mutants are made and drawn, and every module has the tests that they are tried against."""

import mutation
from mutants import ROOT, mutants


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


def test_a_seed_means_the_same_mutants():
    first, again, other = (mutation.some_mutants(5, seed, "exact_sums") for seed in (1, 1, 2))
    assert first == again != other and len(first) == 5
    assert all(mutant.path.stem == "exact_sums" for mutant in first)
