"""The checker believes what is so, and refuses whatever else it is given.

Its verdicts are compared with exact.py, which finds every optimum of a small problem by trying all
patterns. A certificate is tampered with in each of its fields, in each way that its type allows.
"""

import ast
import copy
import json
import re
import subprocess
import sys
from fractions import Fraction as Q
from hashlib import sha256
from math import inf
from pathlib import Path

import exact as judge
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from problems import arbitrary, feasible, givens, offsets

import refsvm
from refsvm import Linear, MonomialSum, Polynomial, Precomputed, Problem, Spectrum
from refsvm.proofs import certificate_json as statements
from refsvm.proofs import checker
from refsvm.proofs.canonical_json import canonical, digest, document_of, gram_document, problem_of
from refsvm.proofs.certificate_json import optimum_document, problem_document, statement
from refsvm.proofs.checker import check

CHECKER = Path(statements.__file__).with_name("checker.py")
any_problem = givens(most=4, hard=True)
BENT = [  # what no number, no list and no object may be replaced by
    None, True, 0, 1, -1, 0.5, float("nan"), "", "0.5", "1e3", " 1", "1 ", "+1", "1/0", "1//2",
    "nan", "inf", "-inf", "0x1", "1_0", "\u0661", [], {}, [[]], "x", 10**30, "1/-2", "--1",
]


def believed(problem, certificate):
    """Whether the checker believes a text of another; it refuses with a ValueError only."""
    try:
        check(problem, certificate)
    except ValueError:
        return False
    return True


def passes(problem, certificate):
    """Whether it believes a document of another."""
    return believed(text(problem), text(certificate))


def text(document):
    return json.dumps(document, sort_keys=True, separators=(",", ":"))


def name_of(problem):
    """What a certificate calls the problem, were it written of this document."""
    return sha256(text(problem).encode()).hexdigest()


def renamed(problem):
    """The certificate of the EXAMPLE, for another problem."""
    return {**EXAMPLE[1], "problem_sha256": name_of(problem)}


def nothing(problem, n=2, primal=2):
    """What alpha = 0 proves of a document, whatever else is in it: 0 <= optimum <= sum C."""
    return {"problem_sha256": name_of(problem), "alpha": ["0"] * n, "denominator": "1", "b": "0",
            "dual": "0", "primal": str(primal)}


def certified(problem):
    """The document of a problem, and of its optimum or infeasibility."""
    return problem_document(problem), optimum_document(problem, refsvm.solve_exactly(problem))


def paths(document, so_far=()):
    """The path to each part of a document."""
    yield so_far
    if isinstance(document, (dict, list)):
        keys = document if isinstance(document, dict) else range(len(document))
        for key in keys:
            yield from paths(document[key], (*so_far, key))


def replaced(document, path, part):
    """A copy with another part at the path."""
    if not path:
        return part
    document = copy.deepcopy(document)
    place = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = part
    return document


def at(document, path):
    for key in path:
        document = document[key]
    return document


# What is so is believed


@given(any_problem)
def test_the_certificate_of_an_optimum_is_believed(g):
    assert passes(*certified(g.problem()))


KERNELS = [
    (Linear(), [[0], [1], [3], [2]]),
    (Polynomial(3, gamma=0.5, coef0=1), [[0], [1], [3], [2]]),
    (Polynomial(2, coef0=-0.0), [[0], [1], [3], [2]]),
    (MonomialSum(3), [[0], [1], [3], [2]]),
    (0.25 * Linear() + Polynomial(2) * MonomialSum(1), [[0], [1], [3], [2]]),
    (Spectrum(2), ["banana", "ananas", "\u00e9\u00e9\u00e9", 'a"\\\n']),
    (2 * Spectrum(1) * Spectrum(2) + Spectrum(3), ["banana", "ananas", "aaaa", "b"]),
    (Precomputed(), [[2, 1, 0, 0], [1, 2, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]]),
    (lambda x, z: len(set(x) & set(z)), ["ab", "bc", "ca", "abc"]),
]


@pytest.mark.parametrize("kernel, X", KERNELS, ids=[repr(k) for k, _ in KERNELS[:-1]] + ["own"])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("slack", ["hinge", "squared"])
def test_problems_with_any_rational_kernel_are_certified(kernel, X, bias, slack):
    problem = Problem(X, [-1, 1, 1, -1], kernel, [0.5, 2, 1, 3], bias, slack)
    assert passes(*certified(problem))


@pytest.mark.parametrize("kernel, X", KERNELS, ids=[repr(k) for k, _ in KERNELS[:-1]] + ["own"])
def test_a_certificate_is_bound_to_the_kernel_or_to_its_gram_matrix(kernel, X):
    """Who has the problem only can tell whether a certificate is of it; it has one name."""
    problem = Problem(X, [-1, 1, 1, -1], kernel)
    written, proof = certified(problem)
    known = isinstance(kernel, (Linear, Polynomial, Precomputed))
    assert written == (document_of(problem) if known else gram_document(problem))
    assert proof["problem_sha256"] == digest(problem_document(problem)) == name_of(written)
    assert problem_document(problem_of(written)) == written
    if not known:
        K = [[str(Q(kernel(x, z))) for z in problem.to(Q).X] for x in problem.to(Q).X]
        assert written == {**document_of(problem), "X": K, "kernel": {"name": "precomputed"}}
    if callable(getattr(kernel, "to", None)):
        assert problem_document(problem_of(document_of(problem))) == written


@pytest.mark.parametrize("kernel", [
    Polynomial(2, gamma=-1), Polynomial(1, coef0=-1), Polynomial(1000), Polynomial(999),
])
def test_a_polynomial_that_may_be_no_inner_product_is_bound_to_its_gram_matrix(kernel):
    problem = Problem([[2], [2], [2]], [-1, 1, 1], kernel)
    written = problem_document(problem)
    assert passes(written, nothing(written, 3, 3))
    assert (written["kernel"]["name"] == "polynomial") == (kernel == Polynomial(999))


@given(any_problem, st.data())
def test_the_certificate_of_any_answer_is_believed(g, data):
    alpha = data.draw(feasible(g))
    found = refsvm.certify(g.problem(), alpha, data.draw(offsets) if g.bias else 0)
    assert passes(problem_document(g.problem()), found.document())


@given(any_problem, st.data())
def test_dual_and_primal_are_one_number_where_alpha_and_b_are_optimal(g, data):
    best = refsvm.solve_exactly(g.problem())
    assume(best.status != "infeasible")
    ends = [best.b_low, best.b_high, (best.b_low + best.b_high) / 2]
    found = refsvm.certify(g.problem(), best.alpha, data.draw(st.sampled_from(ends))).document()
    assert found["dual"] == found["primal"] == str(best.objective)
    assert {**found, "b": str(best.b_low)} == optimum_document(g.problem(), best)


@given(any_problem)
def test_dual_and_primal_are_infinite_where_no_hard_margin_is(g):
    best, proof = refsvm.solve_exactly(g.problem()), certified(g.problem())[1]
    assert (proof["dual"] == "inf") == (proof["primal"] == "inf") == (best.status == "infeasible")


# What is not so is refused


def truth(g, certificate):
    """Whether the statement is true, by the judge; alpha and the numbers as they stand there."""
    if not certificate["denominator"].isdigit():
        return False
    alpha = [Q(a) / Q(certificate["denominator"]) for a in certificate["alpha"]]
    beta, squared = [a * y for a, y in zip(alpha, g.y)], g.slack == "squared"
    top = [inf if squared else c for c in g.C]
    if not all(0 <= a <= c for a, c in zip(alpha, top)) or g.bias and judge.exact_sum(beta) != 0:
        return False
    b, dual = Q(certificate["b"]), judge.dual(g.K, g.y, g.C, beta, squared)
    if any(alpha) and judge.quadratic(g.K, beta) == 0 and all(
        c == inf for a, c in zip(alpha, g.C) if a
    ):
        assert judge.optimum(*g.for_the_judge) is None
        dual = inf
    if b != 0 and (dual == inf or not g.bias):
        return False
    values = [number_of(certificate[key]) for key in ("dual", "primal")]
    return values == [dual, g.problem().primal(alpha, b)]


def number_of(text):
    return inf if text == "inf" else Q(text)


@st.composite
def nudges(draw, number):
    """Another number near the one in a string."""
    value = Q(number.replace("inf", "1"))
    step = draw(st.sampled_from([Q(1), Q(-1), Q(1, 2**60), Q(-1, 2**60), -2 * value, value]))
    return str(value + step)


@given(any_problem, st.data())
def test_a_nudged_number_is_refused_unless_the_statement_is_still_true(g, data):
    problem, certificate = certified(g.problem())
    numbers = [p for p in paths(certificate) if p and p[0] != "problem_sha256"
               and isinstance(at(certificate, p), str)]
    path = data.draw(st.sampled_from(numbers))
    other = replaced(certificate, path, data.draw(nudges(at(certificate, path))))
    assume(other != certificate and Q(other["denominator"]) != 0)
    assert passes(problem, other) == truth(g, other)


@given(any_problem, st.data())
def test_other_values_are_refused_unless_they_are_those_of_alpha(g, data):
    """Feasible multipliers that are not optimal, with numbers that some others would have."""
    alpha, b = data.draw(feasible(g)), data.draw(offsets) if g.bias else Q(0)
    best = refsvm.solve_exactly(g.problem())
    values = st.sampled_from([
        inf, best.objective or 0, g.problem().dual(alpha), g.problem().primal(alpha, b),
    ])
    other = statement(g.problem(), alpha, {"b": b}, data.draw(values), data.draw(values))
    assert passes(problem_document(g.problem()), other) == truth(g, other)


@given(any_problem, st.data())
def test_multipliers_that_are_not_feasible_bound_nothing(g, data):
    """Their dual value may be above the optimum's: it is refused though it be computed rightly."""
    problem, alpha = g.problem(), data.draw(arbitrary(g))
    b = data.draw(offsets) if g.bias else Q(0)
    values = problem.dual(alpha), problem.primal(alpha, b)
    other = statement(problem, alpha, {"b": b}, *values)
    assert passes(problem_document(problem), other) == truth(g, other)


def test_an_offset_where_there_is_none_is_refused():
    problem = Problem([[0], [1]], [1, -1], bias=False)
    for b, primal in ((0, 2), (1, 2), (-1, 2)):
        zero = statement(problem.to(Q), [Q(0)] * 2, {"b": b}, 0, primal)
        assert passes(document_of(problem), zero) == (b == 0)


@given(any_problem, st.data())
def test_a_problem_with_one_number_changed_is_another_problem(g, data):
    problem, certificate = certified(g.problem())
    path = data.draw(st.sampled_from([p for p in paths(problem) if p and p[0] in "XyC" and p[1:]]))
    part = at(problem, path)
    assume(isinstance(part, (str, int)) and part != "inf")
    other = replaced(problem, path, -part if isinstance(part, int) else data.draw(nudges(part)))
    assume(other != problem)
    assert not passes(other, certificate)


@given(any_problem, st.data())
def test_a_changed_label_is_refused_though_the_name_be_adapted(g, data):
    problem, certificate = certified(g.problem())
    i = data.draw(st.integers(0, len(g.y) - 1))
    y = [-label if k == i else label for k, label in enumerate(g.y)]
    assume(len(set(y)) == 2)
    other = {**problem, "y": y}
    renamed = {**certificate, "problem_sha256": name_of(other)}
    assert passes(other, renamed) == truth(g._replace(y=y), renamed)


@given(st.data())
def test_another_sort_of_thing_in_any_place_is_refused(data):
    problem, certificate = EXAMPLE
    which = data.draw(st.booleans())
    document = (problem, certificate)[which]
    path = data.draw(st.sampled_from(list(paths(document))))
    part = data.draw(st.sampled_from(BENT))
    assume(part != at(document, path) or type(part) is not type(at(document, path)))
    other = replaced(document, path, part)
    if which:
        assert not passes(problem, other)
        return
    assert not passes(other, certificate)
    another_penalty = path[:1] == ("C",) and part == "inf"
    assert another_penalty or not passes(other, renamed(other))


EXAMPLE = certified(Problem(
    [[0, 1], [1, 0.5], [3, 1], [2, 2]], [-1, -1, 1, 1], Polynomial(2, gamma=0.5, coef0=1),
    C=[1, 2, 1, 1],
))


@pytest.mark.parametrize("number", ["01/2", "2/4", "1/02", "-0", "0/1", "1/1", "00"])
def test_a_number_has_one_spelling(number):
    value = str(Q(number))
    problem = {**EXAMPLE[0], "X": [[value, "1"], *EXAMPLE[0]["X"][1:]]}
    assert passes(problem, nothing(problem, 4, 5))
    bent = {**problem, "X": [[number, "1"], *problem["X"][1:]]}
    assert not passes(bent, nothing(bent, 4, 5))


@given(st.data())
def test_a_missing_or_an_additional_field_is_refused(data):
    problem, certificate = copy.deepcopy(EXAMPLE)
    key = data.draw(st.sampled_from(sorted(certificate)))
    assert not passes(problem, {**certificate, "value": certificate["dual"]})
    assert not passes(problem, {**certificate, "X": problem["X"]})
    del certificate[key]
    assert not passes(problem, certificate)


@pytest.mark.parametrize("key", sorted(EXAMPLE[0]))
def test_a_problem_without_one_of_its_fields_or_with_one_more_is_refused(key):
    for other in ({k: v for k, v in EXAMPLE[0].items() if k != key}, {**EXAMPLE[0], "gamma": "1"}):
        assert not passes(other, renamed(other)) and not passes(other, nothing(other, 4, 5))


@pytest.mark.parametrize("old, new", [
    ('"b":', '"b":"0","b":'), ('"alpha"', '"\\u0061lpha"'),
    ('"denominator":', '"denominator":"7","denominator":'),
    (":", ": "), ("{", "{ "), ('"', "'"), ("[", "[0,"), ("}", ""),
])
def test_a_text_that_is_not_canonical_is_refused(old, new):
    problem, certificate = map(text, EXAMPLE)
    check(problem, certificate)
    for bent in (certificate.replace(old, new, 1), certificate + " ", "\ufeff" + certificate):
        assert not believed(problem, bent)


@pytest.mark.parametrize("hostile", [
    "", "{}", "[]", "null", "NaN", "0", '""', "[[]]", "[" * 10**5, '{"X":' * 10**5, "\x00",
    "\ufeff{}", '{"X":[],"y":[]}', "{" + "," * 9 + "}", "9" * 5000, '"\\ud800"', "\ud800",
])
def test_a_text_of_anything_else_is_refused(hostile):
    problem, certificate = map(text, EXAMPLE)
    assert believed(problem, certificate) and not believed(certificate, problem)
    for pair in ((hostile, certificate), (problem, hostile), (hostile, hostile)):
        assert not believed(*pair)


def test_where_one_text_ends_and_the_other_begins_is_no_matter_of_choice():
    both = ",".join(map(text, EXAMPLE))
    pairs = [(both[:k], both[k + 1 :]) for k in range(len(both))]
    assert [pair for pair in pairs if believed(*pair)] == [tuple(map(text, EXAMPLE))]


@pytest.mark.parametrize("key, part", [
    ("alpha", ["0", "0", "0"]), ("alpha", ["0"]), ("alpha", []), ("alpha", "00"),
    ("alpha", [0, 0]), ("alpha", ["0", "-0"]), ("alpha", ["0", "0/1"]), ("alpha", [[], []]),
    ("alpha", ["0", "\u0660"]), ("alpha", {"0": "0"}), ("alpha", ["1", "0"]),
    ("alpha", ["-1", "-1"]), ("alpha", ["2", "2"]), ("alpha", ["0", "1e9"]),
    ("alpha", ["0", "9" * 5000]), ("alpha", ["0", False]),
    ("denominator", "0"), ("denominator", "-1"), ("denominator", "inf"), ("denominator", 1),
    ("denominator", "1e999999999"), ("denominator", ["1"]), ("denominator", "1/1"),
    ("b", "inf"), ("b", "-inf"), ("b", "nan"), ("b", 0), ("b", "1e999999999"), ("b", "-0"),
    ("dual", "inf"), ("dual", "-inf"), ("dual", float("inf")), ("dual", 0), ("dual", "1"),
    ("dual", "-1"), ("primal", "inf"), ("primal", "-inf"), ("primal", float("inf")),
    ("primal", "3/2"), ("primal", "0"), ("primal", "3"),
    ("problem_sha256", "0" * 64), ("problem_sha256", None),
])
@pytest.mark.parametrize("slack, primal", [("hinge", 2), ("squared", 1)])
def test_another_part_of_a_certificate_is_refused(slack, primal, key, part):
    """Also where it would do no harm: alpha = 0 is 0 by any denominator."""
    problem = document_of(Problem([[0], [1]], [1, -1], slack=slack))
    certificate = nothing(problem, primal=primal)
    assert passes(problem, certificate) and not passes(problem, {**certificate, key: part})


def test_a_negative_denominator_is_refused_with_any_values():
    problem = document_of(Problem([[0], [1]], [1, -1], slack="squared"))
    for primal in ("0", "1", "-1", "inf"):
        assert not passes(problem, {**nothing(problem, primal=primal), "denominator": "-1"})


@pytest.mark.parametrize("kernel", [
    {"name": "gaussian", "gamma": "1"}, {"name": "linear", "gamma": "1"}, {"name": "polynomial"},
    {"kind": "linear"}, {"degree": 2, "gamma": "1", "coef0": "1", "kind": "polynomial"},
    {"name": "polynomial", "degree": 10**6, "gamma": "1", "coef0": "1"},
    {"name": "polynomial", "degree": True, "gamma": "1", "coef0": "1"},
    {"name": "polynomial", "degree": 2.0, "gamma": "1", "coef0": "1"},
    {"name": "polynomial", "degree": "2", "gamma": "1", "coef0": "1"},
    {"name": "polynomial", "degree": 2, "gamma": "inf", "coef0": "1"},
    {"name": "polynomial", "degree": 2, "gamma": "2/2", "coef0": "1"},
    {"name": "polynomial", "degree": 2, "gamma": "1", "coef0": "-0"},
    {"name": "polynomial", "degree": 2, "gamma": "1", "coef0": "1", "kernel": "linear"},
    {"name": "polynomial", "degree": -1, "gamma": "1", "coef0": "1"},
    {"name": "multiple", "factor": "-1", "kernel": {"name": "linear"}},
    {"name": "sum", "terms": [{"name": "linear"}, {"name": "linear"}]},
    {"name": "monomial_sum", "degree": 1}, {"name": "precomputed"}, "linear", {}, None,
    {"name": "precomputed", "degree": 1},
    {"name": "linear", "degree": 1, "gamma": "1", "coef0": "0"},
    {"name": "spectrum", "degree": 1, "gamma": "1", "coef0": "0"},
    {"name": "polynomial", "degree": 1, "gamma": "-1", "coef0": "1"},
    {"name": "polynomial", "degree": 1, "gamma": "1", "coef0": "-1"},
])
def test_what_is_no_kernel_or_no_inner_product_is_refused(kernel):
    other = {**EXAMPLE[0], "kernel": kernel}
    assert passes(EXAMPLE[0], nothing(EXAMPLE[0], 4, 5))
    assert not passes(other, renamed(other)) and not passes(other, nothing(other, 4, 5))


@example([[Q(0), Q(1)], [Q(1), Q(0)]])
@example([[Q(0), Q(1)], [Q(1), Q(2)]])
@given(st.lists(st.lists(st.sampled_from([Q(v) for v in range(-2, 3)]), min_size=3, max_size=3),
                min_size=3, max_size=3))
def test_an_indefinite_matrix_is_refused(rows):
    n = len(rows)
    K = [[rows[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]
    y = [1] + [-1] * (n - 1)
    problem = {"X": [[str(v) for v in row] for row in K], "y": y, "C": ["1"] * n, "bias": True,
               "kernel": {"name": "precomputed"}, "slack": "hinge"}
    assert passes(problem, nothing(problem, n, n)) == refsvm.mercer(K).psd


@pytest.mark.parametrize("kernel, rows, true", [
    ({"name": "polynomial", "degree": 1, "gamma": "1", "coef0": "-1"}, ["2", "2"], False),
    ({"name": "polynomial", "degree": 2, "gamma": "-1", "coef0": "0"}, ["1", "3"], False),
    ({"name": "polynomial", "degree": 3, "gamma": "1/2", "coef0": "0"}, ["-1", "3"], True),
    ({"name": "polynomial", "degree": 0, "gamma": "0", "coef0": "0"}, ["-1", "3"], True),
    ({"name": "polynomial", "degree": 999, "gamma": "1", "coef0": "0"}, ["-1", "1"], True),
    ({"name": "polynomial", "degree": 1000, "gamma": "1", "coef0": "0"}, ["-1", "1"], False),
    ({"name": "linear"}, ["-1", "-3"], True),
])
def test_a_formula_without_a_minus_is_believed_and_no_other(kernel, rows, true):
    problem = {"X": [[v] for v in rows], "y": [1, -1], "C": ["1", "1"], "bias": True,
               "kernel": kernel, "slack": "hinge"}
    assert passes(problem, nothing(problem)) == true


@pytest.mark.parametrize("key, part, true", [
    ("C", ["1", "1"], True), ("C", ["0", "2"], False), ("C", ["-1", "3"], False),
    ("C", ["1"], False), ("C", ["1", "1", "1"], False), ("C", "11", False),
    ("y", [1, 1], False), ("y", [1, -1, 1], False), ("y", [1.0, -1], False),
    ("y", [True, -1], False), ("y", ["1", "-1"], False), ("X", [[], []], False),
    ("bias", 1, False), ("slack", "linear", False), ("X", [["0"]], False),
    ("X", ["a", "b"], False), ("X", [["0"], "b"], False), ("X", {"0": "1", "1": "2"}, False),
    ("X", [[0], [1]], False),
])
@pytest.mark.parametrize("slack, primal", [("hinge", "2"), ("squared", "1")])
def test_a_problem_that_is_none_has_no_certificate(slack, primal, key, part, true):
    """alpha = 0 proves that the optimum costs 0 to sum C (or half of it), whatever else is so."""
    problem = {"X": [["0"], ["1"]], "y": [1, -1], "C": ["1", "1"], "bias": True,
               "kernel": {"name": "linear"}, "slack": slack, key: part}
    assert passes(problem, nothing(problem, primal=primal)) == true


@pytest.mark.parametrize("kernel, X, true", [
    ("linear", [["0"], ["1"], ["0"], ["0"]], True),
    ("linear", [["0"], ["0", "1"], ["0"], ["0"]], False),
    ("linear", [["0", "1"], ["0"], ["0", "1"], ["0", "1"]], False),
    ("linear", [["0"], [], ["0"], ["0"]], False),
    ("precomputed", [["1", "1", "0", "0"], ["1", "1", "0", "0"], *[["0"] * 4] * 2], True),
    ("precomputed", [["1", "2", "0", "0"], *[["0"] * 4] * 3], False),
    ("precomputed", [["1", "1", "0", "0"], *[["0"] * 4] * 3], False),
    ("precomputed", [["1", "0", "0"], *[["0"] * 3] * 3], False),
    ("precomputed", [["1", "0", "0", "0", "0"], *[["0"] * 5] * 3], False),
    ("precomputed", [["0"] * 4] * 3, False),
])
def test_ragged_rows_and_a_matrix_that_is_not_symmetric_are_refused(kernel, X, true):
    other = {**EXAMPLE[0], "X": X, "kernel": {"name": kernel}}
    assert passes(other, nothing(other, 4, 5)) == true


# Each check for itself: what is refused by it, and by no other


def two_points(certificate=None, **problem):
    """The problem x = 0, 1, y = 1, -1, C = 1, changed so; and what alpha = 0 proves of it."""
    document = {"X": [["0"], ["1"]], "y": [1, -1], "C": ["1", "1"], "bias": True,
                "kernel": {"name": "linear"}, "slack": "hinge", **problem}
    return text(document), text({**nothing(document), **(certificate or {})})


def polynomial(**parts):
    return {"name": "polynomial", "degree": 1, "gamma": "1", "coef0": "0", **parts}


def precomputed(*rows):
    return {"X": [row.split() for row in rows], "kernel": {"name": "precomputed"}}


def proves(alpha, dual, primal, **parts):
    return {"alpha": alpha.split(), "dual": dual, "primal": primal, **parts}


def of_machine(form, parameters, alpha, dual, primal, **offsets):
    """The two points, for a machine beside classification, and a certificate of alpha."""
    problem = {"X": [["0"], ["1"]], "form": form, "kernel": {"name": "linear"},
               "weights": ["1", "1"], **parameters}
    certificate = proves(alpha, dual, primal, denominator="1", **offsets)
    return text(problem), text({**certificate, "problem_sha256": name_of(problem)})


FLAT = {"y": ["0", "0"], "C": "1"}
REFUSED = [  # the check, its sentence, and the texts
    ("check_spelling", "a text is not the canonical one",
     (two_points()[0], two_points()[1] + " ")),
    ("check_name", "the certificate is of another problem",
     two_points({"problem_sha256": "0" * 64})),
    ("check_shape", "the labels are not 1 and -1, or not both of them", two_points(y=[1, 1])),
    ("check_shape", "X, y, C, weights and alpha differ in length", two_points(C=["1", "1", "1"])),
    ("check_shape", "X, y, C, weights and alpha differ in length",
     two_points(proves("0 0 0", "0", "2"))),
    ("check_shape", "rows differ in length, or are empty", two_points(X=[["0"], ["0", "1"]])),
    ("check_shape", "rows differ in length, or are empty", two_points(X=[[], []])),
    ("check_parameters", "slack is neither plain nor squared",
     two_points(slack="cubed")),
    ("check_parameters", "a penalty is not above 0",
     two_points({"primal": "1"}, slack="squared", C=["-1", "3"])),
    ("check_kernel", "the kernel is not one of three",
     two_points(kernel=polynomial(name="monomial_sum"))),
    ("check_kernel", "the degree is no whole number from 0 to 999",
     two_points(kernel=polynomial(degree=1000))),
    ("check_kernel", "the degree is no whole number from 0 to 999",
     two_points(kernel=polynomial(degree=True))),
    ("check_kernel", "gamma or coef0 is negative", two_points(kernel=polynomial(gamma="-1"))),
    ("check_kernel", "gamma or coef0 is negative", two_points(kernel=polynomial(coef0="-1"))),
    ("check_box", "the denominator is no whole number above 0",
     two_points({"denominator": "-1"})),
    ("check_box", "the denominator is no whole number above 0",
     two_points({"denominator": "3/2"})),
    ("check_box", "a multiplier is negative", two_points(proves("-1 -1", "-5/2", "7/2"))),
    ("check_box", "a multiplier is above its C", two_points(proves("2 2", "2", "3"))),
    ("check_sums", "sum alpha_i y_i is not 0", two_points(proves("1 0", "1", "2"))),
    ("check_sums", "b is not 0, and there is no offset", two_points({"b": "1"}, bias=False)),
    ("check_parameters", "a weight is not above 0",
     of_machine("one_class", {"nu": "1/2", "weights": ["0", "2"]}, "0 1", "-1/2", "-1/2",
                rho="1")),
    ("check_parameters", "nu is not above 0 and at most 1",
     of_machine("one_class", {"nu": "0"}, "0 0", "0", "0", rho="0")),
    ("check_parameters", "epsilon is negative",
     of_machine("regression", {**FLAT, "epsilon": "-1"}, "0 0", "0", "4", b="0")),
    ("check_box", "a multiplier is above its C",
     of_machine("regression", {"X": [["0"], ["1"], ["1"]], "y": ["0"] * 3, "C": "1",
                               "weights": ["1"] * 3, "epsilon": "0"},
                "1 1 -2", "-1/2", "5/2", b="0")),
    ("check_sums", "a class has not nu W / 2 of alpha",
     of_machine("nu", {"y": [1, -1], "nu": "1/2"}, "1 0", "0", "0", b="0", rho="0")),
    ("check_sums", "a class has not nu W / 2 of alpha",
     of_machine("nu", {"y": [1, -1], "nu": "1"}, "0 0", "0", "0", b="0", rho="0")),
    ("check_sums", "sum alpha_i is not 0",
     of_machine("regression", {**FLAT, "epsilon": "0"}, "1 0", "0", "0", b="0")),
    ("check_sums", "sum |alpha_i| is above C nu W",
     of_machine("nu_regression", {**FLAT, "nu": "1/2"}, "1 -1", "-1/2", "3/2", b="0",
                epsilon="0")),
    ("check_sums", "sum alpha_i is not nu W",
     of_machine("one_class", {"nu": "1/2"}, "0 0", "0", "0", rho="0")),
    ("check_sums", "sum alpha_i is not 1",
     of_machine("ball", {"C": "1"}, "0 0", "0", "1", radius2="0")),
    ("check_no_multipliers", "a machine of this form always has multipliers",
     of_machine("one_class", {"nu": "1"}, "1 1", "-inf", "-inf", rho="0")),
    ("check_no_multipliers", "dual is not -inf, or offsets are not 0",
     of_machine("ball", {"C": "1/3"}, "1 1", "-inf", "-inf", radius2="1")),
    ("check_no_multipliers", "dual is not -inf, or offsets are not 0",
     of_machine("ball", {"C": "1/3"}, "1 1", "0", "-inf", radius2="0")),
    ("check_no_multipliers", "a sum has others",
     of_machine("ball", {"C": "1/3"}, "1 0", "-inf", "-inf", radius2="0")),
    ("check_no_multipliers", "the boxes allow the sum",
     of_machine("ball", {"C": "1/2"}, "1 1", "-inf", "-inf", radius2="0")),
    ("check_no_multipliers", "the boxes allow the sum",
     of_machine("nu", {"y": [1, -1], "nu": "1"}, "1 0", "-inf", "-inf", b="0", rho="0")),
    ("check_definite", "the kernel matrix is not symmetric",
     two_points(**precomputed("1 1", "0 1"))),
    ("check_definite", "the kernel matrix is indefinite", two_points(**precomputed("0 1", "1 0"))),
    ("check_definite", "the kernel matrix is indefinite",
     two_points(**precomputed("-1 0", "0 0"))),
    ("check_dual", "dual is not the value of alpha", two_points({"dual": "1"})),
    ("check_dual", "dual is not the value of alpha", two_points({"dual": "inf"})),
    ("check_dual", "b is not 0, and dual is inf",
     two_points(proves("1 1", "inf", "inf", b="1/2"), X=[["1"], ["1"]], C=["inf", "inf"])),
    ("check_primal", "primal is not the value of w and the offsets", two_points({"primal": "1"})),
    ("check_primal", "primal is not the value of w and the offsets",
     two_points({"primal": "inf"})),
]


@pytest.mark.parametrize("name, sentence, texts", REFUSED, ids=[row[0] for row in REFUSED])
def test_each_check_refuses_what_would_be_believed_without_it(name, sentence, texts, monkeypatch):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        check(*texts)
    monkeypatch.setattr(checker, name, lambda *_: None)
    check(*texts)


def test_each_check_and_each_of_its_sentences_has_such_texts():
    tree = ast.parse(CHECKER.read_text("ascii"))
    checks = {f.name: f for f in tree.body
              if isinstance(f, ast.FunctionDef) and f.name.startswith("check_")}
    sentences = {
        (name, call.args[1].value) for name, f in checks.items() for call in ast.walk(f)
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "require"
    }
    assert sentences == {(name, sentence) for name, sentence, _ in REFUSED}
    assert {name for name, _ in sentences} == set(checks)


# The program


def test_the_checker_is_read_at_one_sitting():
    assert CHECKER.read_bytes().count(b"\n") < 341


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-I", "-S", *map(str, arguments)], capture_output=True, text=True
    )


def test_the_program_needs_nothing_beside_it(tmp_path):
    program = tmp_path / "checker.py"
    program.write_bytes(CHECKER.read_bytes())
    for name, document in zip(("problem", "certificate"), EXAMPLE):
        (tmp_path / name).write_text(canonical(document) + "\n", "ascii")
    done = run(program, tmp_path / "problem", tmp_path / "certificate")
    assert (done.returncode, done.stdout) == (0, "proved\n")
    broken = replaced(EXAMPLE[1], ("dual",), "1")
    (tmp_path / "certificate").write_text(canonical(broken), "ascii")
    done = run(program, tmp_path / "problem", tmp_path / "certificate")
    assert (done.returncode, done.stdout) == (1, "") and "dual is not the value" in done.stderr
    done = run("-O", program, tmp_path / "problem", tmp_path / "certificate")
    assert (done.returncode, done.stdout) == (1, "") and "dual is not the value" in done.stderr


@pytest.mark.slow("a limit on digits")
def test_numbers_of_many_thousand_digits_are_read(tmp_path):
    long = Q(7**6200, 5**6200)
    problem = Problem([[long], [-long]], [1, -1])
    for name, document in zip(("problem", "certificate"), certified(problem)):
        (tmp_path / name).write_text(canonical(document), "ascii")
    done = run(CHECKER, tmp_path / "problem", tmp_path / "certificate")
    assert (done.returncode, done.stderr) == (0, "")


def test_the_checker_imports_the_standard_library_only():
    tree = ast.parse(CHECKER.read_text("ascii"))
    imports = [n for n in ast.walk(tree) if isinstance(n, (ast.Import, ast.ImportFrom))]
    names = {a.name for n in imports if isinstance(n, ast.Import) for a in n.names}
    names |= {n.module for n in imports if isinstance(n, ast.ImportFrom)}
    assert names == {"__future__", "json", "sys", "fractions", "hashlib", "math", "operator",
                     "typing"}
