"""Steps end: where none are left to gain, and not before."""

from fractions import Fraction as F
from math import inf
from random import Random
from types import SimpleNamespace

import pytest

import refsvm
import refsvm_fast
from refsvm.solvers import ascent_loop, decomposition, dual_ascent
from refsvm.solvers.ascent_loop import maximise
from refsvm.solvers.dual_program import dual_program
from refsvm.solvers.pair_ascent import PairAscent
from refsvm_fast.solvers import decomposition as fast_rounds

SIX = [[F(v)] for v in range(6)], [-1, -1, 1, -1, 1, 1]
# Scores of 1e21 and a rho of 1: steps go round in a circle of roundings.
CIRCLE = refsvm.NuRegressionProblem(
    [[-0.75], [2.5], [7.5], [-8.5]],
    [-0.5, -2.0, -0.5, -2.25],
    refsvm.Polynomial(7, 1.0, 1.0),
    C=1000.0,
    nu=0.3,
)


class IdleAscent(PairAscent):
    """A PairAscent whose steps go there and back again, after a few that are real."""

    real = 0

    def step(self):
        if self.iterations < self.real:
            return super().step()
        return dual_ascent.Move(0, 0, 0, 0, 0, 0, 0)


@pytest.fixture
def window(monkeypatch):
    monkeypatch.setattr(ascent_loop, "window", lambda variables: 2)
    monkeypatch.setattr(decomposition, "window", lambda variables: 2)


def ended(problem, real, tol=0):
    ascent = IdleAscent(dual_program(problem, None, 1), problem.kind)
    ascent.cg_interval, ascent.real = 10**9, real
    return maximise(problem, ascent, tol, inf)


def test_steps_end_a_window_after_they_brought_anything_last(window):
    exact, rounded = refsvm.Problem(*SIX), refsvm.Problem([[float(x)] for [x] in SIX[0]], SIX[1])
    for problem, status in (exact, "max_iter"), (rounded, "precision"):
        for real in 0, 1, 2, 3:
            solution = ended(problem, real)
            assert solution.status == status
            assert real + 2 <= solution.iterations <= real + 5
        assert ended(problem, 0, tol=2).status == "optimal"  # y is from -1 to 1


class Told:
    """As much of an ascent as StallTest asks for: violations and duals that follow each other."""

    zero, beta, largest_residual, mass_when_new, iterations = F(0), [F(1)], 0, 2**49, 0

    def __init__(self, violations, duals, hard=False):
        self.form = SimpleNamespace(hard=hard)
        self.told = iter(zip(violations, duals))

    def recompute_residuals(self):
        self.now = next(self.told)

    def violation(self):
        return self.now[0]

    def objective(self):
        return self.now[1]


def stalled(*told, **options):
    """What StallTest says at the end of each window; rounding may feign 1/2."""
    ascent = Told(*told, **options)
    stall_test, answers = ascent_loop.StallTest(ascent), []
    for _ in told[0]:
        ascent.iterations += 2
        answers.append(stall_test.has_stalled(ascent, F(1)))
    return answers


def test_a_window_brings_something_if_the_violation_falls_or_the_dual_rises(window):
    assert stalled([9, 8, 7], [0, 0, 0]) == [False, False, False]
    assert stalled([9, 9, 9], [0, 1, 2]) == [False, False, False]
    assert stalled([9, 9, 9], [0, 1, 2], hard=True) == [False, True, True]
    assert stalled([9, 9, 8], [0, 0, 0]) == [False, True, False]
    assert stalled([9, 12, 8.75], [2, 0, 2.25]) == [False, True, True]  # of the best, by rounding
    assert stalled([9, 1], [0, 0]) == [False, False]
    assert stalled([1, 1], [0, 0]) == [False, False]  # the limit: no reason to stop


def test_a_proof_is_looked_for_at_twice_as_many_steps_each_time(window, monkeypatch):
    problem = refsvm.Problem([[0.0], [3.0], [1.0], [4.0]], [-1, -1, 1, 1], C=inf)
    ascent, looks = PairAscent(dual_program(problem, None, 1), float), []
    ascent.cg_interval = 10**9
    monkeypatch.setattr(ascent_loop, "window", lambda variables: 10**9)
    monkeypatch.setattr(ascent_loop, "infeasibility_proof",
                        lambda problem, ascent: looks.append(ascent.iterations))
    assert maximise(problem, ascent, 0, 100).status == "max_iter"
    assert looks == [4, 8, 16, 32, 64, 100]  # and at the end


def test_no_window_ends_steps_that_bring_something(window):
    for options in {}, {"slack": "squared"}, {"C": inf}, {"bias": False}:
        y = [-1, -1, -1, 1, 1, 1] if "C" in options else SIX[1]
        solution = refsvm.smo(refsvm.Problem(SIX[0], y, **options), tol=0)
        assert solution.status == "optimal" and solution.gap == 0


def test_of_a_hard_margin_only_the_violation_counts(window):
    """The dual rises for ever: the classes touch, and no proof is asked for."""
    problem = refsvm.Problem([[0.0], [3.0], [1.0], [4.0]], [-1, -1, 1, 1], C=inf)
    ascent = PairAscent(dual_program(problem, None, 1), float)
    ascent.cg_interval, ascent.indefinite = 10**9, True  # then no proof is looked for
    solution = maximise(problem, ascent, 0, 10_000)
    assert solution.iterations < 100


def test_a_circle_of_roundings_has_an_end():
    solution = refsvm_fast.smo(CIRCLE, tol=0)
    assert (solution.status, solution.iterations) == ("precision", 200_000)


def test_both_packages_look_at_the_same_steps(monkeypatch):
    monkeypatch.setattr(ascent_loop, "window", lambda variables: 20 * variables)
    monkeypatch.setattr(decomposition, "window", ascent_loop.window)
    short = fast_rounds.decomposition, decomposition.decomposition
    random, ends = Random(5), set()
    for _ in range(14):
        X = [[random.gauss(0, 3), random.gauss(0, 3)] for _ in range(8)]
        y = [random.choice([-1.0, 0.5, 1.0]) for _ in range(8)]
        kernel = random.choice([refsvm.Gaussian(0.01), refsvm.Polynomial(7, 1.0, 1.0)])
        problem = refsvm.RegressionProblem(X, y, kernel, C=1000.0, epsilon=0.25)
        for fast, oracle in (refsvm_fast.smo, refsvm.smo), short:
            solution = oracle(problem, tol=0, max_iter=4000)
            assert fast(problem, tol=0, max_iter=4000) == solution
            ends.add((solution.status, solution.iterations % 320))
    assert ("precision", 0) in ends  # at the end of a window
