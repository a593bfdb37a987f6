"""What a Solution says, compiled (ending.pxi), is what the oracle's methods say."""

import signal
from fractions import Fraction
from math import inf
from random import Random

import pytest
from equality import compiled, tree

import refsvm
import refsvm_fast
from refsvm import OneClassProblem
from refsvm.numerics import exact_sums
from refsvm.numerics.rounding_bounds import nearest_double
from refsvm.svm import regression_without_offset
from refsvm.svm.dual_form import exact_total
from refsvm.svm.residual_bounds import BoundedResiduals, residuals_by_w
from refsvm.svm.solutions import FinalIterate, _proved_in_doubles
from refsvm_fast import _grouped_problems

ROWS = [[0.1, 1.0], [1.3, 0.5], [3.0, 2.7], [4.2, 1.0], [2.5, 3.3], [0.7, 0.9]]
Y, VALUES = [-1, -1, 1, 1, 1, -1], [1.0, 0.1, 3.0, 2.3, 5.0, -0.7]
WITHOUT_OFFSET = {refsvm: regression_without_offset.RegressionWithoutOffset,
                  refsvm_fast: _grouped_problems.RegressionWithoutOffset}


def problems(package, kernel):
    """A problem of each machine, in every variant that has another ending."""
    for slack in ("hinge", "squared"):
        for bias in (True, False):
            yield package.Problem(ROWS, Y, kernel, 2.5, bias, slack)
        yield package.Problem(ROWS, Y, kernel, [1.0, inf, 2.0, 3.0, inf, 1.5], True, slack)
        if kernel == refsvm.Linear():
            tubes = WITHOUT_OFFSET[package]
            yield tubes(ROWS, VALUES, kernel, 1.7, 0.3, slack.replace("hinge", "linear"))
    yield package.NuProblem(ROWS, Y, kernel, 0.4)
    yield package.RegressionProblem(ROWS, VALUES, kernel, 1.7, 0.3)
    yield package.NuRegressionProblem(ROWS, VALUES, kernel, 1.7, 0.3)
    yield package.OneClassProblem(ROWS, kernel, 0.4)
    yield package.BallProblem(ROWS, kernel, 0.5)
    yield package.BallProblem(ROWS, kernel, inf)


@compiled
def test_what_is_proved_is_what_the_oracle_proves_wherever_it_is():
    """Of any residuals and errors; and the errors of any residuals."""
    random = Random(6)
    for kernel in (refsvm.Linear(), refsvm.Gaussian(0.3)):
        for theirs, ours in zip(problems(refsvm, kernel), problems(refsvm_fast, kernel)):
            form = theirs.dual_form()
            for _ in range(3):
                ends = [(max(low, -3.0), min(high, 3.0)) for low, high in
                        zip(form.lower, form.upper)]
                beta = [random.choice([*e, 0.0, random.uniform(*e)]) for e in ends]
                r = [random.choice([1.0, 0.0, random.gauss(0, 1)]) for _ in beta]
                errors = [random.choice([0.0, 1e-9, random.choice([0.0, inf])]) for _ in r]
                given = BoundedResiduals(r, errors, [9.0] * len(r), 1e-9)
                carried = random.choice([0, 1.0])
                seen, w = [], [random.gauss(0, 1), 1e-9]
                for problem in (theirs, ours):
                    answer = FinalIterate(problem, problem.dual_form(), list(beta), list(r),
                                    residual_error=1e-9)
                    found = [problem.bounded_residuals(*answer[1:4], carried)]
                    if problem.linear:
                        found.append(residuals_by_w(*answer[:3]))
                        found.append(residuals_by_w(*answer[:3], w=w))
                    seen.append(tree([_proved_in_doubles(answer, some)
                                      for some in (given, *found)] + found))
                assert seen[0] == seen[1]


@compiled
def test_nearest_scores_are_those_of_fractions():
    """Of rows with lists or not, that cancel, and beyond the reach of products in doubles."""
    random = Random(8)
    for n, d, zeros, unit in ((2, 3, 0, 1), (64, 7, 0.5, 1e9), (130, 33, 0.98, 1),
                              (66, 21, 0.9, 1), (8, 2, 0, 1e-300), (4, 2, 0, 1e300)):
        X = [[0.0 if random.random() < zeros else random.gauss(0, 1) * unit for _ in range(d)]
             for _ in range(n)]
        w = [random.choice([0.0, -0.0, random.gauss(0, 1), -1e9]) for _ in range(d)]
        X[-1][:2] = w[1], -w[0]
        exactly = [nearest_double(sum(Fraction(a) * Fraction(v) for a, v in zip(w, x))) for x in X]
        for package in (refsvm, refsvm_fast):
            problem = package.Problem(X, [-1, 1] * (n // 2), bias=False)
            assert tree(problem.nearest_scores(w)) == tree(exactly)


@compiled
def test_only_rows_beyond_the_reach_of_doubles_are_added_up_in_whole_numbers(monkeypatch):
    asked, nearest = [], exact_sums.nearest_products
    monkeypatch.setattr(exact_sums, "nearest_products",
                        lambda w, rows: asked.append(rows) or nearest(w, rows))
    X = [[1.0, 2.0], [1e-200, 1.0], [1.0, 1.0]]
    for width in (2, 42):
        rows = [x + [0.0] * (width - 2) for x in X]
        problem = refsvm_fast.Problem(rows, [1, -1, 1], bias=False)
        assert problem.nearest_scores([1e-120] + [2.0] * (width - 1)) == [4.0, 2.0, 2.0]
        assert list(asked.pop()) == rows[1:2] and not asked


@compiled
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers here")
def test_nearest_scores_hear_signals_meanwhile():
    heard = []
    problem = refsvm_fast.Problem([[1.0 + i, 0.1 * i] for i in range(10**5)], [1, -1] * 50_000)
    before = signal.signal(signal.SIGALRM, lambda *_: heard.append(1))
    signal.setitimer(signal.ITIMER_REAL, 1e-4, 1e-4)
    try:
        problem.nearest_scores([0.1, 0.3])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert len(heard) > 5  # one or two as it begins and ends


@compiled
def test_sums_are_restored_as_the_oracle_does():
    """From starts whose sums are off by anything, up to the end of the doubles."""
    random = Random(7)
    for kernel in (refsvm.Linear(), refsvm.Polynomial(3, 1.0, 1.0), refsvm.Gaussian(0.3)):
        for C in (1.0, 1e300, 1e308):
            start = [C * random.random() for _ in Y]
            seen = []
            for package in (refsvm, refsvm_fast):
                try:
                    seen.append(package.smo(package.Problem(ROWS, Y, kernel, C), start=start,
                                            max_iter=3))
                except ValueError as error:
                    seen.append(str(error))
            assert tree(seen[0]) == tree(seen[1])
            if C == 1:
                assert abs(exact_total(a * y for a, y in zip(seen[0].alpha, Y))) < 1e-15


@compiled
def test_a_class_made_from_a_problem_may_answer_otherwise():
    class Own(refsvm_fast.OneClassProblem):
        def middles(self, ends):
            return [-7.0]

    rows = [[1.0], [2.0], [4.0]]
    assert refsvm_fast.smo(Own(rows)).offsets.rho.value == 7
    assert tree(refsvm_fast.smo(Own(rows)).alpha) == tree(refsvm.smo(OneClassProblem(rows)).alpha)
