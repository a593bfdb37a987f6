"""Programs in other languages read the vectors, agree with them, and see when they are wrong."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from refsvm.conformance.cases.drawn import find_case
from refsvm.kernels.rational_values import is_rational
from spec.vectors.makers import optima, save, solved_case

TESTS = Path(__file__).parent
FOLDER = TESTS.parent / "spec" / "vectors"
SOURCES = TESTS / "consumers"
EXACT = ["core", "lectures", "bugs", "families", "found"]
BITS = ["arithmetic", "kernels"]


def tool(name):
    """The path of a program; the test is skipped without it."""
    return shutil.which(name) or pytest.skip(f"{name} is not installed")


@pytest.mark.parametrize("name", ["vectors.c", "vectors.js", "sizes.js"])
def test_sixty_lines_suffice(name):
    assert len((SOURCES / name).read_text("ascii").splitlines()) <= 60


@pytest.fixture(scope="module")
def in_c(tmp_path_factory):
    program = tmp_path_factory.mktemp("c") / "vectors"
    flags = ["-std=c99", "-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"]
    source = SOURCES / "vectors.c"
    subprocess.run([tool("cc"), *flags, "-o", program, source, "-lm"], check=True)
    return [program]


@pytest.fixture(scope="module")
def in_javascript():
    return [tool("node"), SOURCES / "vectors.js"]


def run(program, *paths):
    """(exit status, how many are right, how many are wrong)."""
    done = subprocess.run([*program, *paths], capture_output=True, text=True)
    found = re.search(r"(\d+) right, (\d+) wrong", done.stdout)
    return done.returncode, int(found[1]), int(found[2])


def files(names):
    return [FOLDER / f"{name}.json" for name in names]


def count(names):
    return sum(json.loads(path.read_text())["numberOfTests"] for path in files(names))


def test_c_computes_the_same_bits(in_c):
    status, right, wrong = run(in_c, *files(BITS))
    assert (status, wrong) == (0, 0) and right > 140


@pytest.mark.slow("an optimum that only Python believes")
def test_javascript_proves_every_optimum(in_javascript):
    assert run(in_javascript, *files(EXACT)) == (0, count(EXACT), 0)


@pytest.fixture(scope="module")
def of_sizes():
    return [tool("node"), SOURCES / "sizes.js"]


def test_javascript_agrees_with_what_is_stated_in_doubles(of_sizes):
    assert run(of_sizes, *files(["sizes"])) == (0, count(["sizes"]), 0)


def test_javascript_sees_a_change_of_what_is_stated_in_doubles(of_sizes, tmp_path):
    document = json.loads((FOLDER / "sizes.json").read_text())
    optimum = document["testGroups"][0]["tests"][0]["optimum"]
    changed = []
    for key in ("value", "w_norm2", "sum_alpha"):
        test = {**document["testGroups"][0]["tests"][0]}
        changed.append({**test, "optimum": {**optimum, key: "0x1.0000000000000p+9"}})
    for key in ("s_train", "w"):
        changed.append({**test, "optimum": {**optimum, key: optimum[key][::-1]}})
    path = tmp_path / "changed.json"
    path.write_text(json.dumps({"testGroups": [{"tests": changed}]}))
    assert run(of_sizes, path) == (1, 0, len(changed))


@pytest.mark.slow("a checker that knows the vectors only")
def test_javascript_proves_optima_that_are_new(in_javascript, tmp_path):
    path, count = tmp_path / "drawn.json", 150
    some = [find_case(f"seed 2026, {k}") for k in range(1, 2 * count)]
    exact = [case for case in some if is_rational(case.given["kernel"])][:count]
    kept = [solved_case(c.problem, c.name, c.flags, c.comment) for c in exact]
    save(optima(kept), path)
    assert run(in_javascript, path) == (0, count, 0)


def test_c_sees_one_bit(in_c, tmp_path):
    path = tmp_path / "changed.json"
    path.write_text((FOLDER / "arithmetic.json").read_text().replace("5769p+1", "576ap+1"))
    status, _, wrong = run(in_c, path)
    assert (status, wrong) == (1, 1)


def changes(test):
    """The test, changed in each way that makes it wrong."""
    optimum = test["optimum"]
    for key in ("value", "w_norm2", "sum_alpha", "sum_C_xi"):
        yield {**test, "optimum": {**optimum, key: optimum[key] + "1"}}
    for end in ("lo", "hi"):
        yield {**test, "optimum": {**optimum, "b": {**optimum["b"], end: "12345"}}}
    problem = test["given"]["problem"]
    yield {**test, "given": {"problem": {**problem, "y": problem["y"][::-1]}}}
    yield {**test, "problem_sha256": "0" * 64}
    alpha = ["1", *test["certificate"]["alpha"][1:]]
    yield {**test, "certificate": {**test["certificate"], "alpha": alpha}}
    for key in ("s", "f_lo", "f_hi"):
        query = {**test["queries"][0], key: "12345"}
        yield {**test, "queries": [query, *test["queries"][1:]]}
    yield {**test, "queries": [{**test["queries"][0], "label": 7}]}


def test_javascript_sees_every_change(in_javascript, tmp_path):
    document = json.loads((FOLDER / "core.json").read_text())
    tests = [test for group in document["testGroups"] for test in group["tests"]]
    changed = list(changes(next(test for test in tests if test["name"] == "C25")))
    path = tmp_path / "changed.json"
    path.write_text(json.dumps({"testGroups": [{"tests": changed}]}))
    assert run(in_javascript, path) == (1, 0, len(changed))


@pytest.fixture(scope="module")
def of_machines():
    return [tool("node"), SOURCES / "machines.js"]


def test_javascript_proves_every_optimum_of_the_other_machines(of_machines):
    assert run(of_machines, *files(["machines"])) == (0, count(["machines"]), 0)


def changes_of_machine(test):
    """The test, changed in each way that makes it wrong."""
    problem, optimum, proof = test["given"]["problem"], test["optimum"], test["certificate"]
    for key in ("value", "w_norm2"):
        yield {**test, "optimum": {**optimum, key: optimum[key] + "1"}}
    for name, ends in optimum["offsets"].items():
        for end in ends if problem["form"] != "nu_regression" else ():
            offsets = {**optimum["offsets"], name: {**ends, end: "12345"}}
            yield {**test, "optimum": {**optimum, "offsets": offsets}}
        yield {**test, "certificate": {**proof, name: "12345"}}
    yield {**test, "optimum": {**optimum, "s_train": [*optimum["s_train"][:-1], "12345"]}}
    weights = ["7", *problem["weights"][1:]]
    yield {**test, "given": {"problem": {**problem, "weights": weights}}}
    yield {**test, "certificate": {**proof, "alpha": ["1234", *proof["alpha"][1:]]}}
    for key in ("s", "f_lo", "f_hi"):
        yield {**test, "queries": [{**test["queries"][0], key: "12345"}, *test["queries"][1:]]}


def test_javascript_sees_every_change_of_the_other_machines(of_machines, tmp_path):
    document = json.loads((FOLDER / "machines.json").read_text())
    tests = [test for group in document["testGroups"] for test in group["tests"]]
    names = ("nu 3/4 on a line", "regression", "nu-regression, a third", "one class, nu 1/2",
             "ball, C 2/5")
    chosen = [test for test in tests if test["name"] in names]
    changed = [other for test in chosen for other in changes_of_machine(test)]
    assert len(chosen) == 5
    path = tmp_path / "changed.json"
    path.write_text(json.dumps({"testGroups": [{"tests": changed}]}))
    assert run(of_machines, path) == (1, 0, len(changed))
