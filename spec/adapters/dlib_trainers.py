"""dlib's trainers (pip install dlib, or dlib-bin) as functions for the audit.

In this folder: python3 -m refsvm audit dlib_trainers:radial_basis, or linear.
"""

import dlib

from refsvm import Gaussian, Linear
from refsvm.conformance.subjects import Unsupported


def radial_basis(problem, tol=1e-3):
    """Train svm_c_trainer_radial_basis."""
    trainer = dlib.svm_c_trainer_radial_basis()
    check(problem, Gaussian)
    trainer.gamma = problem.kernel.gamma
    return trained(trainer, problem, tol)


def linear(problem, tol=1e-3):
    """Train svm_c_trainer_linear, whose slacks are averaged: it is told n C."""
    check(problem, Linear)
    return trained(dlib.svm_c_trainer_linear(), problem, tol, problem.n)


def check(problem, kernel):
    """Raise Unsupported unless it has this kernel, an offset, and a C for each class."""
    if type(problem.kernel) is not kernel or not problem.bias or problem.slack != "hinge":
        raise Unsupported("another kernel, no offset, or squared slacks")
    if len(set(zip(problem.y, problem.C))) > 2 or float("inf") in problem.C:
        raise Unsupported("hard margins, or more penalties than classes")


def trained(trainer, problem, tol, times=1):
    """Return what the trainer learns: a function of a row."""
    penalty = dict(zip(problem.y, problem.C))
    trainer.c_class1, trainer.c_class2 = penalty[1] * times, penalty[-1] * times
    trainer.epsilon = tol
    rows, labels = dlib.vectors(), dlib.array([float(label) for label in problem.y])
    for x in problem.X:
        rows.append(dlib.vector(x))
    machine = trainer.train(rows, labels)
    return lambda x: machine(dlib.vector(x))
