"""The vectors on disk: in the form that the schema tells, and what the generator makes today."""

import gzip
import json
import zipfile
from copy import deepcopy
from datetime import date
from fractions import Fraction
from math import inf, nextafter
from pathlib import Path

import pytest
from json_schema import errors
from profiles import one_in, partly_slow, slow_cases

from refsvm.conformance import cases
from refsvm.conformance.cases import FILES, case_from_json
from refsvm.conformance.cases.entries import counted_problem, solve_rounded
from refsvm.conformance.cases.number_json import numbers, text_of
from refsvm.conformance.cases.sizes import SIZES
from refsvm.conformance.vectors import OTHERS, RUNS, case_json, make_document, rounded_json
from refsvm.numerics.intervals import Interval
from refsvm.proofs.canonical_json import canonical, digest, document_of, problem_of
from refsvm.proofs.certificate_json import problem_document
from refsvm.proofs.checker import check

FOLDER = Path(__file__).parent.parent / "spec" / "vectors"
PATHS = sorted(FOLDER.glob("*.json"))
SCHEMAS = {path.name: json.loads(path.read_text()) for path in PATHS if "schema" in path.name}
NAMES = [path.stem for path in PATHS if "schema" not in path.name]
LARGE = ["bugs", "families", "gaussians", "kernels", "machine_solvers", "sizes", "solvers"]
FINDS = "a change in a large file"
TEXTS = {name: (FOLDER / f"{name}.json").read_text(encoding="ascii") for name in NAMES}
FOUND = {name: json.loads(text) for name, text in TEXTS.items()}


def in_file(name):
    return [test for group in FOUND[name]["testGroups"] for test in group["tests"]]


def test_every_file_is_made_and_every_file_made_is_there():
    assert sorted([*FILES, *RUNS, *OTHERS]) == NAMES


def assert_made_anew(name):
    same = TEXTS[name] == text_of(make_document(name)) + "\n"  # pytest would compare line by line
    assert same, "python -m refsvm.conformance.vectors spec/vectors makes it anew"


@pytest.mark.parametrize("name", partly_slow(FINDS, LARGE, sorted({*NAMES} - {"sizes"})))
def test_a_file_is_what_the_command_makes(name):
    assert_made_anew(name)


@pytest.mark.slow("a change of the problems of many features and examples, or of their optima")
def test_the_file_of_sizes_is_what_the_command_makes():
    stated = in_file("sizes")
    problems = [counted_problem(entry._asdict()) for entry in SIZES]
    assert [digest(document_of(p)) for p in problems] == [t["problem_sha256"] for t in stated]
    for entry, test in one_in(9, [*zip(SIZES, stated)]):
        assert {**rounded_json(solve_rounded(entry)), "tcId": test["tcId"]} == test


@pytest.mark.parametrize("path, packed", [
    ("spec/vectors/rejects.json", False), ("refsvm/conformance/vectors/rejects.json.gz", True),
])
def test_cases_are_read_in_a_checkout_an_installation_and_a_zip_file(
    path, packed, tmp_path, monkeypatch
):
    held = gzip.compress(b"what it holds") if packed else b"what it holds"
    with zipfile.ZipFile(tmp_path / "some.zip", "w") as archive:
        archive.writestr("refsvm/__init__.py", "")
        archive.writestr(path, held)
        archive.extractall(tmp_path)
    for place in tmp_path / "refsvm", zipfile.Path(tmp_path / "some.zip", "refsvm/"):
        monkeypatch.setattr(cases, "files", {"refsvm": place}.get)
        assert cases.text_of_file("rejects") == "what it holds"


@pytest.mark.parametrize("name", partly_slow(FINDS, LARGE, NAMES))
def test_a_file_has_the_form_that_the_schema_tells(name):
    schema = SCHEMAS[FOUND[name]["schema"]]
    assert errors(FOUND[name], schema, schema) == []


@pytest.mark.parametrize("name", NAMES)
def test_tests_are_counted_and_flags_explained(name):
    document, tests = FOUND[name], in_file(name)
    assert [test["tcId"] for test in tests] == list(range(1, document["numberOfTests"] + 1))
    assert len({test["name"] for test in tests}) == len(tests)
    assert {flag for test in tests for flag in test["flags"]} == set(document["notes"])


def test_there_are_enough_problems():
    assert sum(len(in_file(name)) for name in FILES) > 350


@pytest.mark.parametrize("name", partly_slow("a case of many features", ["sizes"], FILES[:-1]))
def test_a_case_that_was_read_is_told_in_the_same_words(name):
    to_json = rounded_json if name == "sizes" else case_json
    for test in one_in(3, in_file(name)):
        assert {**to_json(case_from_json(test)), "tcId": test["tcId"]} == test


@pytest.mark.parametrize("name", [*FILES[:-1], *OTHERS])
def test_the_checker_that_shares_no_code_believes_every_certificate(name):
    for test in in_file(name):
        if "dual" in test.get("certificate", {}):
            bound_to = problem_document(problem_of(test["problem"]))
            check(canonical(bound_to), canonical(test["certificate"]))


@pytest.mark.parametrize("name", [*FILES[:-1], *OTHERS])
def test_what_the_doubles_say_is_nearest_to_the_fractions(name):
    for test in in_file(name):
        if "doubles" in test:
            for key, told in test["doubles"].items():
                assert all(nearest(p, q) for p, q in leaves(test[key], told))


def test_bits_of_kernels_are_near_their_exact_values():
    for test in in_file("kernels"):
        found = Fraction(float.fromhex(test["bits"]["answer"]["value"]))
        exact = numbers(test["exact"]["answer"]["value"])
        low, high = exact if isinstance(exact, Interval) else (exact, exact)
        off = max(abs(low), abs(high), 1) * Fraction(1, 2**44)  # another kernel is further away
        assert low - off <= found <= high + off, test["name"]


@pytest.mark.parametrize("which", ["rows", "new"])
def test_what_was_learnt_of_tables_makes_the_rows_that_are_stated(which):
    for test in in_file("tables")[:-6]:
        given, answer = test["bits"]["given"], test["bits"]["answer"]
        for fields, row in zip(given[which], answer[which]):
            told = [" ".join((field or "").split()) for field in fields]
            made = [v for pair in zip(told, answer["columns"]) for v in made_of(*pair)]
            assert [v.hex() for v in made] == row


def made_of(field, column):
    """The numbers that a field becomes, by what was learnt of its column."""
    if column is None:
        return []
    if "values" in column:
        return [float(field == value) for value in column["values"]]
    m, s = float.fromhex(column["mean"]), float.fromhex(column["deviation"])
    if s == 0 or field.lower() in ("", "?", "na", "n/a", "#n/a", "nan", "null"):
        return [0.0]
    if column.get("days"):
        day = date(*map(int, field.replace("/", "-").split("-")))
        return [((day - date(1970, 1, 1)).days - m) / s]
    return [(float(field) - m) / s]


def leaves(tree, other):
    """The pairs of strings that two trees of one form hold."""
    if isinstance(tree, (dict, list)):
        assert type(tree) is type(other) and len(tree) == len(other)
        for key in tree if isinstance(tree, dict) else range(len(tree)):
            yield from leaves(tree[key], other[key])
    else:
        yield tree, other


def nearest(fraction, double):
    """Whether the double is the nearest to the fraction; what is no number is the same twice."""
    if not isinstance(double, str) or "0x" not in double:
        return fraction == double
    exact, found = Fraction(fraction), float.fromhex(double)
    beside = [Fraction(nextafter(found, way)) for way in (-inf, inf)]
    return all(abs(exact - Fraction(found)) <= abs(exact - other) for other in beside)


def places(tree, here=()):
    """Every place in the tree, as a tuple of keys."""
    yield here
    if isinstance(tree, (dict, list)):
        for key in tree if isinstance(tree, dict) else range(len(tree)):
            yield from places(tree[key], (*here, key))


def changed(document, place, change):
    """A copy of the document, changed at a place that is no root."""
    document = deepcopy(document)
    owner = document
    for key in place[:-1]:
        owner = owner[key]
    change(owner, place[-1])
    return document


def shortened(tree):
    """A copy of the tree with the first items of each list: what is said of one is said of all."""
    if isinstance(tree, dict):
        return {key: shortened(value) for key, value in tree.items()}
    return [shortened(value) for value in tree[:2]] if isinstance(tree, list) else tree


def removed(owner, key):
    del owner[key]


def misspelt(owner, key):
    owner[key] = {"oops": 1}


OPTIONAL = {
    "exact", "w", "given", "other_alpha", "doubles", "seed", "times", "steps", "k", "start",
    "farkas", "keep", "drop", "texts",
}


@pytest.mark.parametrize("name", [
    "core", "rejects", "arithmetic", "sizes", "tables",
    *slow_cases("a field that a schema leaves open", "solvers", "machines", "machine_solvers"),
])
def test_the_schema_refuses_what_is_missing_too_much_or_of_another_form(name):
    document = shortened(FOUND[name])
    schema = SCHEMAS[document["schema"]]
    del document["testGroups"][1:], document["testGroups"][0]["tests"][1:]
    document["notes"] = dict(list(document["notes"].items())[:1])
    assert errors(document, schema, schema) == []
    for place in list(places(document))[1:]:
        assert errors(changed(document, place, misspelt), schema, schema), place
        if isinstance(place[-1], str) and place[-1] not in OPTIONAL and "notes" not in place[-2:]:
            assert errors(changed(document, place, removed), schema, schema), place
