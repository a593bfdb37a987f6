"""The problem of refsvm for each machine that formulations.py defines."""

from formulations import Ball, NuRegression, NuSVC, OneClass, Regression

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
