"""RegressionWithoutOffset: what it solves, and that all that is asked of a problem holds of it."""

import pickle
import shutil
import subprocess
from fractions import Fraction as F
from math import inf, nan
from pathlib import Path
from random import Random

import pytest
from equality import same
from hypothesis import assume, given
from hypothesis import strategies as st
from profiles import draws
from test_checker import at, nudges, passes, paths, replaced

import refsvm
import refsvm_fast
from refsvm.numerics.picks import shuffled_passes
from refsvm.proofs.canonical_json import canonical, document_of, parsed, problem_of
from refsvm.proofs.certificate_json import optimum_document, problem_document
from refsvm.proofs.coq_theorem import coq_theorem
from refsvm.solvers.newton import NewtonDescent
from refsvm.svm.own_weights import bounds_at_gradient
from refsvm.svm.regression_without_offset import SLACKS_OF_TUBE, RegressionWithoutOffset

seeds = st.integers(0, 2**40)


def drawn(random, slack=None):
    """A problem on numbers of few digits."""
    n, d = random.randrange(1, 9), random.randrange(1, 4)
    return RegressionWithoutOffset(
        [[random.randint(-9, 9) / 2 for _ in range(d)] for _ in range(n)],
        [random.randint(-9, 9) / 2 for _ in range(n)],
        C=random.choice([1, 0.25, 100, [random.choice([1, 8]) for _ in range(n)]]),
        epsilon=random.choice([0, 0.5, 2, 20]), slack=slack or random.choice(SLACKS_OF_TUBE))


def wild(random, slack=None):
    """A problem in any unit, sparse or not."""
    n, d, unit = random.randrange(1, 40), random.choice([1, 3, 40]), 10.0 ** random.randint(-6, 6)
    zeros = random.choice([0, 0.8])
    return RegressionWithoutOffset(
        [[0.0 if random.random() < zeros else random.gauss(0, unit) for _ in range(d)]
         for _ in range(n)],
        [random.gauss(2, 1) for _ in range(n)], C=10 ** random.uniform(-3, 4),
        epsilon=random.choice([0, 0.1, 1.0]), slack=slack or random.choice(SLACKS_OF_TUBE))


def primal(problem, w):
    """The primal of w in fractions, by the definition."""
    w = list(map(F, w))
    value = sum(v * v for v in w) / 2
    for x, y, C in zip(problem.X, problem.y, problem.C):
        short = max(F(0), abs(F(y) - sum(F(a) * b for a, b in zip(x, w))) - F(problem.epsilon))
        value += F(C) * (short if problem.slack == "linear" else short * short / 2)
    return value


@given(seeds)
@draws(1/3)
def test_each_solver_comes_to_the_optimum_of_the_page(seed):
    problem = drawn(Random(seed))
    exact = refsvm.solve_exactly(problem)
    assert primal(problem, exact.w) == exact.objective == problem.to(F).dual(exact.alpha)
    passes = shuffled_passes(problem.n, 400, seed)
    found = [refsvm.dual_coordinate_descent(problem, passes, 1e-4)]
    if problem.slack == "squared":
        found.append(refsvm.newton(problem))
        ended = refsvm.newton(problem.to(F), tol=0)
        assert (ended.status, ended.gap, ended.w) == ("optimal", 0, exact.w)
        assert ended.objective == exact.objective and ended.violation == 0
    else:
        found.append(refsvm.smo(problem, 1e-4))
    for solution in found:
        true = primal(problem, solution.w) - exact.objective
        assert 0 <= true <= F(solution.gap) and F(solution.objective) <= exact.objective
        assert refsvm.gap_bounds(problem, solution).high >= true
        assert refsvm.certify(problem, solution).gap >= true
        assert solution.status == "optimal" or solution.iterations > 100


@given(seeds)
@draws(1/3)
def test_the_gap_is_half_the_square_of_the_gradient(seed):
    random = Random(seed)
    for problem in (drawn(random, "squared").to(F), wild(random, "squared")):
        descent = NewtonDescent(problem)
        w = [problem.kind(random.randint(-9, 9)) / 4 for _ in problem.X[0]]
        if random.random() < 0.5:
            w = refsvm.newton(problem).w
        at = descent.point(w)
        g = descent.gradient(at)
        exact = problem.to(F)
        true = primal(problem, w) - exact.dual(list(map(F, at.coefs)))
        if problem.kind is F:
            assert true == sum(v * v for v in g) / 2
        else:
            told = bounds_at_gradient(w, g, at.primal, descent.sums(at))
            assert true <= told.gap and abs(primal(problem, w) - F(at.primal)) <= told.lost


@given(seeds)
@draws(1/3)
def test_compiled_solvers_take_the_same_steps(seed):
    random = Random(seed)
    problem = random.choice([drawn, wild])(random)
    given_ = (problem.X, problem.y, problem.kernel, problem.C, problem.epsilon, problem.slack)
    for found in (problem, refsvm_fast.RegressionWithoutOffset(*given_)):
        start = random.choice([None, [c / 512 for c in problem.C]])
        picks = list(shuffled_passes(problem.n, 40, seed))
        tol = random.choice([0, 1e-3])
        same("dual_coordinate_descent", found, picks, tol, start=start)
        same("newton" if problem.slack == "squared" else "smo", found, tol, 500)


def test_nothing_is_missed_within_the_tube():
    """Then the primal is 0, and so is a gap that is proved."""
    for slack in SLACKS_OF_TUBE:
        rows, y = [[1.0], [2.5]] * 40, [1.0, -2] * 40
        problem = RegressionWithoutOffset(rows, y, epsilon=3, slack=slack)
        solver = refsvm.newton if slack == "squared" else refsvm.smo
        assert (solver(problem).status, solver(problem).w) == ("optimal", [0.0])


def test_smo_refuses_squared_slack():
    problem = RegressionWithoutOffset([[1]], [2], slack="squared")
    for package in (refsvm, refsvm_fast):
        with pytest.raises(ValueError, match="squared slack on both sides of a tube; newton"):
            package.smo(problem)


def test_a_pickle_and_other_numbers_are_the_same_problem():
    problem = RegressionWithoutOffset([[1, 2]], [3], C=0.1, epsilon=0.3, slack="squared")
    again = pickle.loads(pickle.dumps(problem))
    assert refsvm.newton(again) == refsvm.newton(problem)
    assert problem.to(F).score_bounds() == ([3 - F(0.3)], [3 + F(0.3)])


@pytest.mark.parametrize("given_, sentence", [
    ({"C": inf}, "C[0] is inf; it must be a finite number"), ({"C": 0}, "C is 0"),
    ({"C": 1e-320, "slack": "squared"}, "C[0] is 1e-320; under squared slack"),
    ({"epsilon": -1}, "epsilon is -1"), ({"y": [nan]}, "y[0] is nan"),
    ({"y": [1, 2]}, "y has length 2"), ({"slack": "hinge"}, "slack is 'hinge'; the known"),
])
def test_bad_input_is_refused(given_, sentence):
    with pytest.raises(ValueError) as refused:
        refsvm.newton(RegressionWithoutOffset(**{"X": [[1]], "y": [1], **given_}))
    assert sentence in str(refused.value)


def test_b_is_zero():
    problem = RegressionWithoutOffset([[1]], [2])
    assert problem.primal([1], 0) == problem.primal([1])
    with pytest.raises(ValueError, match="b is 1.0; a problem without offset has b = 0"):
        problem.primal([1], 1)


def truth(problem, certificate):
    """Whether a certificate is true, by the definition of the problem."""
    problem, denominator = problem.to(F), F(certificate["denominator"])
    alpha = [F(a) / denominator for a in certificate["alpha"]]
    if any(abs(a) > C for a, C in zip(alpha, problem.upper_bounds())) or certificate["b"] != "0":
        return False
    w = [sum(a * x for a, x in zip(alpha, column)) for column in zip(*problem.X)]
    dual = sum(y * a - problem.epsilon * abs(a) for y, a in zip(problem.y, alpha))
    dual -= sum(v * v for v in w) / 2
    if problem.slack == "squared":
        dual -= sum(a * a / C for a, C in zip(alpha, problem.C)) / 2
    return [certificate["dual"], certificate["primal"]] == [str(dual), str(primal(problem, w))]


@given(seeds, st.data())
@draws(1/2)
def test_the_certificate_of_an_answer_is_believed_and_no_other_number_in_it(seed, data):
    random = Random(seed)
    problem = drawn(random)
    text, best = problem_document(problem), refsvm.solve_exactly(problem)
    any_alpha = [random.choice([-1, 0, 0.5, 1]) * c for c in problem.C]
    optimum = optimum_document(problem, best)
    assert optimum["dual"] == optimum["primal"] == str(best.objective)
    for proof in optimum, refsvm.certify(problem, any_alpha).document():
        assert truth(problem, proof) and passes(text, proof)
        path = data.draw(st.sampled_from([p for p in paths(proof) if p and p[0] != "problem_sha256"
                                          and isinstance(at(proof, p), str)]))
        other = replaced(proof, path, data.draw(nudges(at(proof, path))))
        assume(other != proof and F(other["denominator"]) > 0)
        assert passes(text, other) == (other["denominator"].isdigit() and truth(problem, other))
    again = problem_of(parsed(canonical(text)))
    assert type(again) is RegressionWithoutOffset and document_of(again) == text
    with pytest.raises(ValueError, match="regression_without_offset, which the checker in Coq"):
        coq_theorem(problem, best)


@pytest.mark.parametrize("slack", SLACKS_OF_TUBE)
def test_the_port_believes_the_same_certificates(slack, tmp_path):
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not there")
    port = Path(__file__).parents[1] / "spec/ports/javascript/checker.mjs"
    problem = drawn(Random(7), slack)
    for number, passed in ("0", True), ("1", False):
        proof = {**refsvm.certify(problem, [0.25] * problem.n).document(), "b": number}
        files = [tmp_path / "problem", tmp_path / "certificate"]
        for file, document in zip(files, (problem_document(problem), proof)):
            file.write_text(canonical(document))
        said = subprocess.run([node, port, *files], capture_output=True, text=True, check=False)
        assert (said.stdout == "proved\n") == passed, said
