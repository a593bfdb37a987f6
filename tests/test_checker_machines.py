"""The checker on the five other machines: what is so is believed, and nothing else.

What is so is said by formulations.py, which has the machines as their definitions have them.
"""

from fractions import Fraction as Q
from math import inf

import pytest
from formulation_cases import CASES
from hypothesis import assume, given
from hypothesis import strategies as st
from machine_problems import answers, beta_of, by_machine, ends_of_alpha, machines, problem_of
from profiles import draws
from test_checker import BENT, at, name_of, nudges, passes, paths, replaced

from refsvm import (
    BallProblem,
    Gaussian,
    Linear,
    MonomialSum,
    NuProblem,
    OneClassProblem,
    Problem,
    Spectrum,
    certify,
    solve_exactly,
)
from refsvm.proofs import canonical_json
from refsvm.proofs.canonical_json import FORMS, canonical, document_of, parsed
from refsvm.proofs.certificate_json import optimum_document, problem_document, statement


def certified(problem):
    return problem_document(problem), optimum_document(problem, solve_exactly(problem))


def truth(machine, certificate):
    """Whether the statement is true, by the definition of the machine."""
    if not certificate["denominator"].isdigit():
        return False
    denominator = Q(certificate["denominator"])
    alpha = [Q(a) / denominator for a in certificate["alpha"]]
    lows, highs = ends_of_alpha(machine)
    if not all(low <= a <= high for low, a, high in zip(lows, alpha, highs)):
        return False
    sums = sums_of(machine, alpha)
    if any(found != wanted for found, wanted in sums[:-1]) or sums[-1][0] > sums[-1][1]:
        return False
    beta = beta_of(machine, alpha)
    offsets = {name: Q(certificate[name]) for name in machine.SHARES}
    values = [machine.dual(variables_of(machine, beta)), machine.primal(beta, **offsets)]
    return [Q(certificate[key]) for key in ("dual", "primal")] == values


def sums_of(machine, alpha):
    """(what a sum is, what it must be) of each; the last need not be more."""
    W, name = machine.W, type(machine).__name__
    size, net = sum(map(abs, alpha), Q(0)), sum(alpha, Q(0))  # exact
    if name == "NuSVC":
        plus = sum((a for a, y in zip(alpha, machine.y) if y > 0), Q(0))  # exact
        return [(plus, machine.nu * W / 2), (size, machine.nu * W), (0, 0)]
    if name == "NuRegression":
        return [(net, 0), (size, machine.C * machine.nu * W)]
    return [(net, {"Regression": 0, "Ball": 1}.get(name, getattr(machine, "nu", 0) * W)), (0, 0)]


@by_machine
@draws(1 / 2)
@given(st.data())
def test_the_certificate_of_an_optimum_is_believed(name, data):
    machine, problem = data.draw(machines(name))
    best = solve_exactly(problem)
    document = optimum_document(problem, best)
    assert document["dual"] == document["primal"] == str(best.objective)
    assert truth(machine, document) and passes(problem_document(problem), document)


@by_machine
@draws(1 / 2)
@given(st.data())
def test_the_certificate_of_any_answer_is_believed(name, data):
    machine, problem = data.draw(machines(name))
    alpha, offsets = data.draw(answers(machine))
    document = certify(problem, alpha, *offsets).document()
    assert truth(machine, document) and passes(problem_document(problem), document)


@by_machine
@draws(1/2)
@given(st.data())
def test_a_nudged_number_is_refused_unless_the_statement_is_still_true(name, data):
    machine, problem = data.draw(machines(name))
    problem, certificate = certified(problem)
    numbers = [p for p in paths(certificate) if p and p[0] != "problem_sha256"
               and isinstance(at(certificate, p), str)]
    path = data.draw(st.sampled_from(numbers))
    other = replaced(certificate, path, data.draw(nudges(at(certificate, path))))
    assume(other != certificate and Q(other["denominator"]) > 0)
    assert passes(problem, other) == truth(machine, other)


def variables_of(machine, beta):
    twice = [*(max(b, Q(0)) for b in beta), *(min(b, Q(0)) for b in beta)]
    return twice if hasattr(machine, "loss") else beta


@by_machine
@draws(1/2)
@given(st.data())
def test_multipliers_that_are_not_feasible_bound_nothing(name, data):
    """Some change keeps the sum of all, or of each class; the values stated are those of alpha."""
    machine, problem = data.draw(machines(name))
    alpha, top = solve_exactly(problem).alpha, ends_of_alpha(machine)[1]
    i, j = (data.draw(st.integers(0, machine.n - 1)) for _ in "ij")
    d = data.draw(st.sampled_from([0, 1, -1, 3])) * top[i]
    alpha[i], alpha[j] = alpha[i] + d, alpha[j] + data.draw(st.sampled_from([0, 1, -1])) * d
    beta = beta_of(machine, alpha)
    offsets = {name: Q(1) for name in machine.SHARES}
    values = machine.dual(variables_of(machine, beta)), machine.primal(beta, **offsets)
    document = statement(problem, alpha, offsets, *values)
    assert passes(problem_document(problem), document) == truth(machine, document)


EXAMPLES = [certified(problem_of(case.X, Linear(), case.machine))
            for case in CASES if case.name in ("N7", "S7", "V4", "O2", "D2")]


@pytest.mark.parametrize("problem, certificate", EXAMPLES, ids=lambda d: d.get("form", "proof"))
@draws(2)
@given(data=st.data())
def test_another_sort_of_thing_in_any_place_is_refused(problem, certificate, data):
    path = data.draw(st.sampled_from([p for p in paths(problem) if p]))
    part = data.draw(st.sampled_from(BENT))
    assume(part != at(problem, path) or type(part) is not type(at(problem, path)))
    other = replaced(problem, path, part)
    unlimited = problem["form"] == "ball" and path == ("C",) and part == "inf"
    assert unlimited or not passes(other, {**certificate, "problem_sha256": name_of(other)})
    path = data.draw(st.sampled_from([p for p in paths(certificate) if p]))
    assert part == at(certificate, path) or not passes(problem, replaced(certificate, path, part))


@pytest.mark.parametrize("problem, certificate", EXAMPLES, ids=lambda d: d.get("form", "proof"))
def test_keys_are_those_of_the_form(problem, certificate):
    assert passes(problem, certificate)
    for key in problem:
        other = {k: v for k, v in problem.items() if k != key}
        assert not passes(other, {**certificate, "problem_sha256": name_of(other)})
    for key, value in (("C", "1"), ("bias", True), ("epsilon", "1"), ("nu", "1"), ("b", "0")):
        if key not in problem:
            other = {**problem, key: value}
            assert not passes(other, {**certificate, "problem_sha256": name_of(other)})
    for form in FORMS:
        other = {**problem, "form": form}
        if form != problem["form"]:
            assert not passes(other, {**certificate, "problem_sha256": name_of(other)})


def test_a_ball_without_slack_is_certified():
    problem = BallProblem([[0], [2], [10]], C=inf)
    written, proof = certified(problem)
    assert written["C"] == "inf" and proof["primal"] == "25" and passes(written, proof)
    small = certify(problem, [0.5, 0, 0.5], 24).document()
    assert small["primal"] == "inf" and passes(written, small)
    assert not passes(written, {**small, "primal": "25"})


@pytest.mark.parametrize("kernel, X", [
    (MonomialSum(2), [[0], [1], [3]]), (Spectrum(1), ["ab", "b", "aa"]),
    (lambda x, z: len(set(x) & set(z)), ["ab", "bc", "ca"]),
])
def test_a_kernel_that_the_checker_does_not_know_is_written_as_its_gram_matrix(kernel, X):
    written, proof = certified(OneClassProblem(X, kernel, 0.5))
    assert written["kernel"] == {"name": "precomputed"} and passes(written, proof)


def test_one_row_is_enough_for_one_class_and_its_gram_matrix():
    problem = OneClassProblem([[2.0]], MonomialSum(1), 0.5)
    assert passes(*certified(problem))


@by_machine
@draws(1 / 2)
@given(st.data())
def test_a_problem_is_read_back_as_it_was_written(name, data):
    _, problem = data.draw(machines(name))
    document = document_of(problem)
    again = canonical_json.problem_of(parsed(canonical(document)))
    assert type(again) is type(problem) and document_of(again) == document
    assert vars(again).keys() == vars(problem).keys()
    assert all(getattr(again, k) == getattr(problem, k) for k in problem.made_of)
    on_floats = canonical_json.problem_of(document_of(OneClassProblem([[0.5]], Gaussian(0.5))))
    assert on_floats.kind is float and "form" not in document_of(Problem([[0], [1]], [1, -1]))


@pytest.mark.parametrize("change, sentence", [
    ({"form": "svdd"}, "form is 'svdd'; the known ones are 'nu', 'regression'"),
    ({"form": None}, "the document holds None"),
    ({"bias": True}, "a key of the document is 'bias'"),
    ({"weights": ["1"]}, "weights has length 1"), ({"nu": "inf"}, "nu is 'inf'; a number is"),
    ({"nu": ["1"]}, "nu is"), ({"nu": "2"}, "nu is 2; it must be above 0 and at most 1"),
    ({"weights": "11"}, "the document holds '11'; a list is needed"),
])
def test_what_is_no_document_is_refused(change, sentence):
    document = document_of(OneClassProblem([[0.5], [1]], nu=0.5))
    with pytest.raises((ValueError, TypeError), match=sentence):
        canonical_json.problem_of({**document, **change})


def test_what_has_no_fractions_has_no_certificate():
    problem = OneClassProblem([[0.0], [2.0]], Gaussian(1))
    with pytest.raises(TypeError, match="whose values are no Fractions"):
        optimum_document(problem, solve_exactly(problem))
    with pytest.raises(TypeError, match="whose values are no Fractions"):
        certify(problem, [0.5, 0.5]).document()
    with pytest.raises(TypeError, match="optimum is "):
        optimum_document(BallProblem([[0], [2]]), solve_exactly(Problem([[0], [2]], [1, -1])))


# Each with another that has multipliers, just so.
WITHOUT_MULTIPLIERS = [
    (make(limit + Q(1, 10**30 * sign)), make(limit))
    for limit, sign, make in (
        (Q(2, 3), 1, lambda nu: NuProblem([[0], [1], [3]], [-1, -1, 1], nu=nu)),
        (Q(4, 5), 1, lambda nu: NuProblem([[0], [4], [3]], [-1, 1, 1], nu=nu, weights=[2, 1, 2])),
        (Q(1, 3), -1, lambda C: BallProblem([[0], [1], [3]], C=C)),
        (Q(2, 9), -1, lambda C: BallProblem([[0], [1]], C=C, weights=[4, Q(1, 2)])),
    )
]


@pytest.mark.parametrize("problem, feasible", WITHOUT_MULTIPLIERS, ids=repr)
def test_it_is_proved_that_no_multipliers_have_the_sums(problem, feasible):
    document, proof = certified(problem)
    assert passes(document, proof)
    offset = list(problem.offsets_class._fields)[-1]
    wrong = [{"alpha": [str(int(m >> i) & 1) for i in range(problem.n)]} for m in range(8)]
    wrong = [change for change in wrong if change["alpha"] != proof["alpha"]]
    wrong += [{offset: "1"}, {"denominator": "2"}, {"dual": "inf"}, {"dual": "0"},
              {"primal": "0"}, {"primal": "inf"}, {"alpha": [*proof["alpha"], "1"]}]
    for change in wrong:
        assert not passes(document, {**proof, **change})
    other = problem_document(feasible)
    assert passes(*certified(feasible))
    assert not passes(other, {**proof, "problem_sha256": name_of(other)})
    with pytest.raises(ValueError, match="must add up to .* and can to .* which is .* less"):
        certify(problem, [0] * problem.n)


def test_a_form_that_always_has_multipliers_has_no_such_proof():
    document = problem_document(OneClassProblem([[1], [2]], nu=1))
    proof = {"problem_sha256": name_of(document), "alpha": ["1", "1"], "denominator": "1",
             "rho": "0", "dual": "-inf", "primal": "-inf"}
    assert not passes(document, proof)
