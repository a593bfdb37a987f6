"""The compiled loops over all variables (grouped_ending.pxi) return what the oracle's do."""

from fractions import Fraction
from math import inf
from random import Random

from equality import compiled, tree

import refsvm
import refsvm_fast
from refsvm import OneClassProblem
from refsvm.numerics import linalg
from refsvm.svm import dual_form, outlier_problem
from refsvm.svm.dual_form import DualForm, exact_total

SURPLUS = [0.0, 0.1, 1e-17, -3e-16, 2.0**-1074]
IN_THE_WAY = Fraction(1, 3), Fraction(1, 2**1080)  # sums that are no sum of doubles


def loops(name):
    """(the oracle's function of this name, the compiled one)."""
    from refsvm_fast import _solution

    modules = {"dot": linalg, "total": linalg, "group_extremes": dual_form}
    found = getattr(modules.get(name, outlier_problem), name)
    return found, getattr(_solution, name)


def alike(name, *given):
    """Whether both do the same with these arguments, and to their lists, to the last bit."""
    seen = []
    for f in loops(name):
        own = [[*value] if type(value) is list else value for value in given]
        seen.append((tree(f(*own)), tree(own)))
    return seen[0] == seen[1]


def form_of(random, n):
    """(a DualForm of two groups, variables within its bounds, residuals)."""

    def number():
        return random.choice([0.0, -0.0, 1.0, random.gauss(0, 1), random.gauss(0, 1)])

    lower = [random.choice([0.0, -0.0, -1.0, -inf]) for _ in range(n)]
    upper = [random.choice([1.0, 0.5, 3.0, inf]) for _ in range(n)]
    beta = [min(max(number(), low), high) for low, high in zip(lower, upper)]
    cut = random.randint(0, n)
    groups = [range(cut), range(cut, n)]
    sums = [exact_total(beta[g.start : g.stop]) + Fraction(random.choice(SURPLUS)) for g in groups]
    if random.random() < 0.1:
        sums[1] += random.choice(IN_THE_WAY)
    return DualForm(None, beta, lower, upper, groups, sums), beta, [number() for _ in range(n)]


@compiled
def test_loops_over_all_variables_are_those_of_the_oracle():
    random = Random(5)
    for kind, n in [(Fraction, 3), *((float, n) for n in range(1, 7))] * 8:
        form, beta, r = form_of(random, n)
        within = random.choice([0.0, 0.5, inf])
        beta, r = list(map(kind, beta)), list(map(kind, r))
        for name, given in {
            "group_extremes": (form, beta, r),
            "largest_below_bound": (form.upper, beta, r, within),
            "dot": (beta, r),
            "total": (r,),
        }.items():
            assert alike(name, *given), name


@compiled
def test_the_primal_is_that_of_the_oracle():
    random = Random(6)
    for n in [*range(1, 7)] * 6:
        form, _, r = form_of(random, n)
        lam = [random.choice([1.0, inf, -inf, 0.1]), r[0]]
        problem, ours = (p.OneClassProblem([[1.0]] * n) for p in (refsvm, refsvm_fast))
        given = form, r, 2.5, lam
        assert tree(problem.primal_value(*given)) == tree(ours.primal_value(*given))


@compiled
def test_a_class_made_from_a_problem_may_answer_otherwise():
    class Own(refsvm_fast.OneClassProblem):
        def dual_value(self, form, variables, w_norm2):
            return 7.0

    rows = [[1.0], [2.0], [4.0]]
    assert refsvm_fast.smo(Own(rows)).objective == 7.0
    assert tree(refsvm_fast.smo(Own(rows)).alpha) == tree(refsvm.smo(OneClassProblem(rows)).alpha)
