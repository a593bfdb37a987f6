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
from refsvm.conformance.cases.number_json import numbers
from refsvm.numerics.intervals import Interval
from refsvm.proofs.canonical_json import canonical, problem_of
from refsvm.proofs.certificate_json import problem_document
from refsvm.proofs.checker import check
from refsvm.tables.column_kinds import number_of
from refsvm.tables.written_numbers import Manner
from spec.vectors import makers

FOLDER = Path(__file__).parent.parent / "spec" / "vectors"
PATHS = sorted([*FOLDER.glob("*.json"), *FOLDER.glob("exact/*.json")])
SCHEMAS = {path.name: json.loads(path.read_text()) for path in PATHS if "schema" in path.name}
WRITTEN = sorted(str(path.relative_to(FOLDER))[:-5] for path in PATHS if "schema" not in path.name)
LARGE = [
    "bugs", "conditions", "digests", "exact/conditions", "exact/kernels", "exact/machine_solvers",
    "exact/solvers", "families", "gaussians", "kernels", "machine_solvers", "sizes",
    "solvers",
]
FINDS = "a change in a large file"
TEXTS = {name: (FOLDER / f"{name}.json").read_text(encoding="ascii") for name in WRITTEN}
FOUND = {name: json.loads(text) for name, text in TEXTS.items()}


def in_file(name):
    """The tests of a file, or of all that a name of FILES means."""
    return [test for group in FOUND[name]["testGroups"] for test in group["tests"]]


def test_every_file_is_made_and_every_file_made_is_there():
    assert sorted(makers.WRITTEN) == WRITTEN


def assert_made_anew(name):
    same = makers.text_of(makers.make_document(name)) + "\n" == TEXTS[name]  # no slow diff
    assert same, "python3 -m spec.vectors.makers spec/vectors makes it anew"


@pytest.mark.parametrize("name", partly_slow(FINDS, LARGE, WRITTEN))
def test_a_file_is_what_the_command_makes(name):
    assert_made_anew(name)


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


@pytest.mark.parametrize("first", [1, *slow_cases(FINDS, 9999)])
@pytest.mark.parametrize("name", WRITTEN)
def test_a_file_has_the_form_that_the_schema_tells(name, first):
    document, schema = dict(FOUND[name]), SCHEMAS[FOUND[name]["schema"]]
    if "testGroups" in document:
        document["testGroups"] = [{**group, "tests": group["tests"][:first]}
                                  for group in document["testGroups"]]
    assert errors(document, schema, schema) == []


@pytest.mark.parametrize("name", sorted({*WRITTEN} - {"algorithms"}))
def test_tests_are_counted_and_flags_explained(name):
    document, tests = FOUND[name], in_file(name)
    assert [test["tcId"] for test in tests] == list(range(1, document["numberOfTests"] + 1))
    assert len({test["name"] for test in tests}) == len(tests)
    assert {flag for test in tests for flag in test["flags"]} == set(document["notes"])


@pytest.mark.parametrize("name", partly_slow("a case of many features", ["sizes"], FILES[:-1]))
def test_a_case_that_was_read_is_told_in_the_same_words(name):
    to_json = makers.rounded_json if name == "sizes" else makers.case_json
    for test in one_in(3, in_file(name)):
        assert {**to_json(case_from_json(test)), "tcId": test["tcId"]} == test


@pytest.mark.parametrize("name", [*FILES[:-1], "machines"])
def test_the_checker_that_shares_no_code_believes_every_certificate(name):
    for test in in_file(name):
        if "dual" in test.get("certificate", {}):
            bound_to = problem_document(problem_of(test["given"]["problem"]))
            check(canonical(bound_to), canonical(test["certificate"]))


@pytest.mark.parametrize("name", [*FILES[:-1], "machines"])
def test_what_the_doubles_say_is_nearest_to_the_fractions(name):
    for test in in_file(name):
        if test.get("doubles") is not None:
            for key, told in test["doubles"].items():
                assert all(nearest(p, q) for p, q in leaves(test[key], told))


def test_bits_of_kernels_are_near_their_exact_values():
    bits = {test["name"]: test for test in in_file("kernels")}
    for fractions in in_file("exact/kernels"):
        test = bits[fractions["name"]]
        found = Fraction(float.fromhex(test["answer"]["value"]))
        exact = numbers(fractions["answer"]["value"])
        low, high = exact if isinstance(exact, Interval) else (exact, exact)
        off = max(abs(low), abs(high), 1) * Fraction(1, 2**44)  # another kernel is further away
        assert low - off <= found <= high + off, test["name"]


@pytest.mark.parametrize("which", ["rows", "new"])
def test_what_was_learnt_of_tables_makes_the_rows_that_are_stated(which):
    for test in in_file("tables"):
        given, answer = test["given"], test["answer"]
        if "rows" not in answer:  # refused
            continue
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
    manner = Manner(column.get("decimal", ""), column.get("unit", ""))
    return [(number_of(field, manner) - m) / s]


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
    "w", "asked", "max_iter", "other_alpha", "doubles", "seed", "times", "steps", "k", "start",
    "farkas", "keep", "drop", "texts",
}


@pytest.mark.parametrize("name", [
    "core", "rejects", "arithmetic", "sizes", "tables", "digests",
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


# ---- what the vectors see

def wide_rows(kernel):
    """(x, z, the value) of the tests of a kernel whose features round."""
    for test in in_file("kernels"):
        if test["given"]["kernel"] == kernel and "features" in test["name"]:
            x, z = ([float.fromhex(v) for v in test["given"][key]] for key in "xz")
            yield x, z, float.fromhex(test["answer"]["value"])


def forwards(terms):
    total = 0
    for term in terms:
        total += term
    return total


ORDERS = {
    "backwards": lambda terms: forwards(terms[::-1]),
    "in two lanes": lambda terms: forwards(terms[::2]) + forwards(terms[1::2]),
    "in halves": lambda terms: forwards(terms[: len(terms) // 2]) + forwards(
        terms[len(terms) // 2 :]),
    "fused": lambda terms: float(sum(map(Fraction, terms))),  # exact: as if rounded once
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("kernel", [
    {"name": "linear"}, {"name": "polynomial", "degree": 1, "gamma": "0x1.0000000000000p+0",
                         "coef0": "0x0.0p+0"}], ids=["linear", "polynomial"])
def test_another_order_of_a_sum_shows_in_a_kernel_value(kernel, order):
    found = list(wide_rows(kernel))
    assert {len(x) for x, _, _ in found} == {3, 5, 8, 17}
    assert all(forwards([a * b for a, b in zip(x, z)]) == value for x, z, value in found)
    assert any(ORDERS[order]([a * b for a, b in zip(x, z)]) != value for x, z, value in found)


def test_another_order_of_a_power_shows():
    powers = [test for test in in_file("arithmetic") if test["name"].startswith("power of")]
    wrong = 0
    for test in powers:
        b, n = float.fromhex(test["given"]["b"]), test["given"]["n"]
        product = 1.0
        for _ in range(n):
            product *= b
        wrong += product.hex() != test["answer"]["value"]
    assert len(powers) == 28 and wrong > 5


def test_every_ending_and_every_condition_is_in_the_vectors():
    kinds = {}
    for name in ("conditions", "solvers", "machine_solvers"):
        for group in FOUND[name]["testGroups"]:
            kinds.setdefault(group["type"], []).extend(group["tests"])
    runs = kinds["smo"] + kinds["decomposition"]
    for form in (None, "nu", "regression", "nu_regression", "one_class", "ball"):
        of_form = [t for t in runs if t["given"]["problem"].get("form") == form]
        endings = {test["answer"]["status"] for test in of_form}
        assert {"optimal", "max_iter", "precision", "indefinite"} <= endings, form
    large = [t for t in kinds["decomposition"] if len(t["given"]["problem"]["X"]) >= 20]
    assert {"linear", "gaussian", "polynomial"} <= {
        test["given"]["problem"]["kernel"]["name"] for test in large}
    given = [test["given"] for test in runs]
    assert any("max_iter" not in each for each in given)
    assert any(each["tol"] == "0x0.0p+0" for each in given)
    worst = {test["answer"]["worst"]["condition"] for test in kinds["kkt"]}
    assert worst == {
        "alpha >= 0", "alpha <= C", "margin >= 1 where alpha < C",
        "margin <= 1 where alpha > 0", "sum alpha_i y_i = 0",
    }
    for solver in ("dual_coordinate_descent", "newton", "proximal_point", "coordinate_ascent",
                   "active_set"):
        endings = {test["answer"]["status"] for test in kinds[solver]}
        assert {"optimal", "max_iter", "precision"} <= endings, solver


def test_all_vectors_fit_into_six_megabytes():
    assert sum(path.stat().st_size for path in FOLDER.rglob("*.json")) < 6e6
