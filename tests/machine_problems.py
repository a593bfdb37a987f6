"""The problem of refsvm for each machine that formulations.py defines, and draws of both."""

from fractions import Fraction as Q

import pytest
from formulation_cases import CASES
from formulation_draws import ALL
from formulations import Ball, NuRegression, NuSVC, OneClass, Regression
from hypothesis import strategies as st

from refsvm import (
    BallProblem,
    NuProblem,
    NuRegressionProblem,
    OneClassProblem,
    RegressionProblem,
)


def problem_of(X, kernel, machine):
    """The problem of these rows, whose kernel matrix the machine has; in Fractions, as these."""
    of = {
        NuSVC: lambda m: NuProblem(X, m.y, kernel, m.nu, m.weights),
        Regression: lambda m: RegressionProblem(X, m.y, kernel, m.C, m.epsilon, m.weights),
        NuRegression: lambda m: NuRegressionProblem(X, m.y, kernel, m.C, m.nu, m.weights),
        OneClass: lambda m: OneClassProblem(X, kernel, m.nu, m.weights),
        Ball: lambda m: BallProblem(X, kernel, m.C, m.weights),
    }
    return of[type(machine)](machine)


by_machine = pytest.mark.parametrize("name", list(ALL))
some = st.sampled_from([Q(v, 4) for v in (-9, -4, -2, -1, 0, 0, 0, 1, 2, 3, 4, 5, 8, 400)])


@st.composite
def machines(draw, name, **kinds):
    """(machine, problem) of a name in ALL: the definition, and refsvm's problem of it."""
    drawn = draw(ALL[name](**kinds))
    return drawn.machine, problem_of(*drawn)


@st.composite
def answers(draw, machine):
    """(alpha, offsets), any numbers in the machine's unit; the offsets may be left out."""
    unit = getattr(machine, "C", 1)
    alpha = [draw(some) * unit for _ in range(machine.n)]
    return alpha, [draw(some) * unit for _ in machine.SHARES] if draw(st.booleans()) else []


def named(name):
    """The Case of formulation_cases.py with this name."""
    return next(case for case in CASES if case.name == name)


def beta_of(machine, alpha):
    return [a * y for a, y in zip(alpha, machine.y)] if isinstance(machine, NuSVC) else alpha


def ends_of_alpha(machine):
    """The least and the largest net multiplier of each example."""
    top = [getattr(machine, "C", 1) * w for w in machine.weights]
    signed = hasattr(machine, "y") and not isinstance(machine, NuSVC)
    return [-c if signed else 0 for c in top], top
