"""The names that the chapters of the course use, for one line at the head of each:

    >>> from refsvm.course import *
    >>> F(1, 3) + F(1, 6)
    Fraction(1, 2)

F is Fraction, inf is infinity. Every other name is that of the function, class or module that has
it in refsvm: help(smo) says from where. Nothing is defined here. Three modules are short: qp is
qp_duality, sub is subgradients, svm is svm_dual.
"""

# ruff: noqa: F401

from fractions import Fraction as F
from math import inf

from ..conformance.audit import audit
from ..conformance.fingerprint import fingerprint
from ..estimators.cross_validation import cross_validate
from ..estimators.linear_svc import LinearSVC
from ..estimators.svc import SVC
from ..kernels import feature_maps, strings
from ..kernels.gram_matrices import gram
from ..kernels.mercer_condition import mercer
from ..kernels.standard import Gaussian, Linear, MonomialSum, Polynomial, Precomputed
from ..numerics import picks
from ..numerics.factorisations import rank
from ..numerics.linalg import dot, gram_of_rows, subtract
from ..numerics.picks import passes, shuffled_passes
from ..numerics.polyhedra import corners
from ..numerics.projections import onto_multipliers
from ..online.lms import largest_rate, lms, stochastic_lms
from ..online.pegasos import equivalent_problem, kernel_pegasos, pegasos
from ..online.perceptron import (
    kernel_mistake_bound,
    kernel_perceptron,
    mistake_bound,
    perceptron,
    step,
    with_constant,
)
from ..online.textbook_pegasos import textbook_pegasos
from ..plotting.tracing import trace
from ..proofs.certificate import certify
from ..proofs.optimum import solve_exactly
from ..solvers.active_set import active_set
from ..solvers.coordinate_ascent import climb, coordinate_ascent
from ..solvers.hard_margin import hard_margin, squared_margin_bound, widest
from ..solvers.newton import newton
from ..solvers.projected_gradient import projected_gradient, textbook_projected_gradient
from ..solvers.smo import smo
from ..solvers.subgradient_descent import subgradient_descent
from ..solvers.textbook_smo import textbook_smo
from ..svm import offsets
from ..svm.ball_problem import BallProblem
from ..svm.calibration import calibrate
from ..svm.conventions import from_average_slack, from_mean_hinge_halved, from_sum_hinge_halved
from ..svm.coupling import couple
from ..svm.kkt_conditions import kkt
from ..svm.nu_problem import NuProblem
from ..svm.one_class_problem import OneClassProblem
from ..svm.problem import Problem
from ..svm.regression_problem import NuRegressionProblem, RegressionProblem
from ..svm.support_vectors import (
    gap_shares,
    is_possible,
    margin_support,
    places,
    slackness,
    support_vectors,
)
from ..tables.preparation import Preparation
from ..theory import constrained, hyperplanes, losses, margins, regularised_risk
from ..theory import qp_duality as qp
from ..theory import subgradients as sub
from ..theory import svm_dual as svm
from ..theory.constrained import Program, affine
from ..theory.convex_functions import absolute_sum, plus, polyhedral, quadratic
from ..theory.kkt_theorems import kkt_multipliers, kkt_residuals
from ..theory.lagrange_duality import (
    certificate,
    explosion,
    lagrangian,
    maxmin,
    minmax,
    theta_primal,
)
from ..theory.margins import (
    canonical,
    functional_margin,
    functional_margins,
    geometric_margins,
    squared_geometric_margins,
)
from ..theory.printed_algorithms import clamp, svm_solver
from ..theory.regret import expectation, largest_squared_norm, log_bounds
from ..theory.regularised_risk import objective, primal_at, span_decomposition, svm_objective
from ..theory.smo_step import (
    best,
    clip,
    curvature,
    errors,
    implied,
    offset_after,
    pair_step,
    parabola,
    partner,
    segment,
    unclipped,
    zeta,
)
from ..theory.subgradients import subgradient
