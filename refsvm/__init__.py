"""The support vector machine in plain Python: to be read, run on exact numbers, and trusted.

    >>> import refsvm
    >>> problem = refsvm.Problem([[0], [1], [3], [4]], [-1, -1, 1, 1], C=10)
    >>> solution = refsvm.smo(problem)
    >>> solution.alpha, solution.b, solution.gap
    ([0.0, 0.5, 0.5, 0.0], -2.0, 0.0)
    >>> solution.model().predictions([[0.5], [2.5]])
    [-1, 1]

Where to begin: the problem and its optimality conditions in svm/problem.py and
svm/kkt_conditions.py, then the solvers. Each folder imports only from those before it:

    numerics kernels svm theory     numbers; inner products; the problem; its mathematics
    online solvers                  perceptron, LMS, Pegasos; SMO and the other solvers
    files c99 estimators plotting   LIBSVM's files; a machine as C; SVC; pictures
    proofs conformance commands     exact optima, certificates; the audit; the command line

Only the standard library is imported. X: rows, y: labels +1 and -1, alpha: multipliers, b: the
offset, C: the penalty of slack, K: the Gram matrix, w: the weights.
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if sys.version_info < (3, 9):  # noqa: UP036 - before the first import that needs it
    raise ImportError(
        "refsvm needs Python 3.9 or later; this is " + sys.version.split()[0], name="refsvm"
    )

from .numerics import display
from .version import __version__ as __version__

__all__ = [
    "BallProblem",
    "Calibration",
    "Certificate",
    "CertificateWithOffsets",
    "Converted",
    "Data",
    "Gaussian",
    "Grid",
    "KKT",
    "Kernel",
    "Linear",
    "LinearSVC",
    "Mercer",
    "Model",
    "MonomialSum",
    "NuProblem",
    "NuRegressionProblem",
    "NuSVC",
    "NuSVR",
    "OffsetInterval",
    "OneAgainstOne",
    "OneClassProblem",
    "OneClassSVM",
    "Optimum",
    "OptimumWithOffsets",
    "Polynomial",
    "Precomputed",
    "Problem",
    "RegressionProblem",
    "SVC",
    "SVDD",
    "SVR",
    "Scaling",
    "Sigmoid",
    "Solution",
    "SolutionWithOffsets",
    "Spectrum",
    "Step",
    "Validation",
    "active_set",
    "audit",
    "calibrate",
    "calibrate_pairs",
    "certify",
    "certify_linear",
    "coordinate_ascent",
    "couple",
    "cross_validate",
    "decomposition",
    "dual_coordinate_descent",
    "export",
    "fingerprint",
    "from_average_slack",
    "from_halved_squares",
    "from_mean_hinge",
    "from_mean_hinge_halved",
    "from_squares",
    "from_sum_hinge_halved",
    "from_sum_of_slacks",
    "gram",
    "grid",
    "kernel_lms",
    "kernel_pegasos",
    "kernel_perceptron",
    "kkt",
    "laplace_scale",
    "lms",
    "mercer",
    "pegasos",
    "perceptron",
    "plot",
    "projected_gradient",
    "read_data",
    "read_model",
    "read_scaling",
    "smo",
    "solve_exactly",
    "stochastic_kernel_lms",
    "stochastic_lms",
    "subgradient_descent",
    "textbook_coordinate_ascent",
    "textbook_pegasos",
    "textbook_projected_gradient",
    "textbook_smo",
    "trace",
    "write_data",
    "write_model",
    "write_scaling",
]

# Imported when first asked for: training with smo does not wait for the other learners, computing
# not for gzip and tempfile, and the command line not for what its command does not need.
LAZY = {
    "Kernel": "kernels.base",
    "gram": "kernels.gram_matrices",
    "Gaussian": "kernels.standard",
    "Linear": "kernels.standard",
    "MonomialSum": "kernels.standard",
    "Polynomial": "kernels.standard",
    "Precomputed": "kernels.standard",
    "Sigmoid": "kernels.standard",
    "Step": "solvers.pair_ascent",
    "smo": "solvers.smo",
    "KKT": "svm.kkt_conditions",
    "kkt": "svm.kkt_conditions",
    "Model": "svm.model",
    "Solution": "svm.model",
    "Problem": "svm.problem",
    "Mercer": "kernels.mercer_condition",
    "mercer": "kernels.mercer_condition",
    "Spectrum": "kernels.strings",
    "Calibration": "svm.calibration",
    "calibrate": "svm.calibration",
    "calibrate_pairs": "estimators.pair_calibration",
    "couple": "svm.coupling",
    "laplace_scale": "svm.residual_scale",
    "Converted": "svm.conventions",
    "from_average_slack": "svm.conventions",
    "from_halved_squares": "svm.conventions",
    "from_mean_hinge": "svm.conventions",
    "from_mean_hinge_halved": "svm.conventions",
    "from_squares": "svm.conventions",
    "from_sum_hinge_halved": "svm.conventions",
    "from_sum_of_slacks": "svm.conventions",
    "OneAgainstOne": "svm.one_vs_one",
    "NuProblem": "svm.nu_problem",
    "RegressionProblem": "svm.regression_problem",
    "NuRegressionProblem": "svm.regression_problem",
    "OneClassProblem": "svm.one_class_problem",
    "BallProblem": "svm.ball_problem",
    "active_set": "solvers.active_set",
    "coordinate_ascent": "solvers.coordinate_ascent",
    "decomposition": "solvers.decomposition",
    "dual_coordinate_descent": "solvers.dual_coordinate_descent",
    "projected_gradient": "solvers.projected_gradient",
    "subgradient_descent": "solvers.subgradient_descent",
    "textbook_smo": "solvers.textbook_smo",
    "textbook_coordinate_ascent": "solvers.coordinate_ascent",
    "textbook_projected_gradient": "solvers.projected_gradient",
    "pegasos": "online.pegasos",
    "kernel_pegasos": "online.pegasos",
    "textbook_pegasos": "online.textbook_pegasos",
    "perceptron": "online.perceptron",
    "kernel_perceptron": "online.perceptron",
    "lms": "online.lms",
    "stochastic_lms": "online.lms",
    "kernel_lms": "online.lms",
    "stochastic_kernel_lms": "online.lms",
    "plot": "plotting.drawing",
    "trace": "plotting.tracing",
    "LinearSVC": "estimators.linear_svc",
    "SVC": "estimators.svc",
    "NuSVC": "estimators.nu_svc",
    "SVR": "estimators.svr",
    "NuSVR": "estimators.svr",
    "OneClassSVM": "estimators.outliers",
    "SVDD": "estimators.outliers",
    "Validation": "estimators.cross_validation",
    "cross_validate": "estimators.cross_validation",
    "Grid": "estimators.grid_search",
    "grid": "estimators.grid_search",
    "Data": "files.data",
    "read_data": "files.data",
    "write_data": "files.data",
    "read_model": "files.models",
    "write_model": "files.models",
    "Scaling": "files.scaling",
    "read_scaling": "files.scaling",
    "write_scaling": "files.scaling",
    "export": "c99.exporting",
    "Certificate": "proofs.certificate",
    "CertificateWithOffsets": "proofs.certificate_with_offsets",
    "certify": "proofs.certificate",
    "certify_linear": "proofs.certificate",
    "solve_exactly": "proofs.optimum",
    "Optimum": "proofs.verification",
    "OptimumWithOffsets": "proofs.optimum_with_offsets",
    "OffsetInterval": "svm.grouped_problem",
    "SolutionWithOffsets": "svm.grouped_problem",
    "audit": "conformance.audit",
    "fingerprint": "conformance.fingerprint",
}

if TYPE_CHECKING:
    from .c99.exporting import export
    from .conformance.audit import audit
    from .conformance.fingerprint import fingerprint
    from .estimators.cross_validation import Validation, cross_validate
    from .estimators.grid_search import Grid, grid
    from .estimators.linear_svc import LinearSVC
    from .estimators.nu_svc import NuSVC
    from .estimators.outliers import SVDD, OneClassSVM
    from .estimators.pair_calibration import calibrate_pairs
    from .estimators.svc import SVC
    from .estimators.svr import SVR, NuSVR
    from .files.data import Data, read_data, write_data
    from .files.models import read_model, write_model
    from .files.scaling import Scaling, read_scaling, write_scaling
    from .kernels.base import Kernel
    from .kernels.gram_matrices import gram
    from .kernels.mercer_condition import Mercer, mercer
    from .kernels.standard import Gaussian, Linear, MonomialSum, Polynomial, Precomputed, Sigmoid
    from .kernels.strings import Spectrum
    from .online.lms import kernel_lms, lms, stochastic_kernel_lms, stochastic_lms
    from .online.pegasos import kernel_pegasos, pegasos
    from .online.perceptron import kernel_perceptron, perceptron
    from .online.textbook_pegasos import textbook_pegasos
    from .plotting.drawing import plot
    from .plotting.tracing import trace
    from .proofs.certificate import Certificate, certify, certify_linear
    from .proofs.certificate_with_offsets import CertificateWithOffsets
    from .proofs.optimum import solve_exactly
    from .proofs.optimum_with_offsets import OptimumWithOffsets
    from .proofs.verification import Optimum
    from .solvers.active_set import active_set
    from .solvers.coordinate_ascent import coordinate_ascent, textbook_coordinate_ascent
    from .solvers.decomposition import decomposition
    from .solvers.dual_coordinate_descent import dual_coordinate_descent
    from .solvers.pair_ascent import Step
    from .solvers.projected_gradient import projected_gradient, textbook_projected_gradient
    from .solvers.smo import smo
    from .solvers.subgradient_descent import subgradient_descent
    from .solvers.textbook_smo import textbook_smo
    from .svm.ball_problem import BallProblem
    from .svm.calibration import Calibration, calibrate
    from .svm.conventions import (
        Converted,
        from_average_slack,
        from_halved_squares,
        from_mean_hinge,
        from_mean_hinge_halved,
        from_squares,
        from_sum_hinge_halved,
        from_sum_of_slacks,
    )
    from .svm.coupling import couple
    from .svm.grouped_problem import OffsetInterval, SolutionWithOffsets
    from .svm.kkt_conditions import KKT, kkt
    from .svm.model import Model, Solution
    from .svm.nu_problem import NuProblem
    from .svm.one_class_problem import OneClassProblem
    from .svm.one_vs_one import OneAgainstOne
    from .svm.problem import Problem
    from .svm.regression_problem import NuRegressionProblem, RegressionProblem
    from .svm.residual_scale import laplace_scale

else:  # hidden from type checkers, which find a mistyped name so

    def __getattr__(name):
        if name not in LAZY:
            raise AttributeError(f"module 'refsvm' has no attribute {name!r}")
        globals()[name] = getattr(import_module(f".{LAZY[name]}", __name__), name)
        return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _notebook_html(result: Any) -> str:
    from .plotting.notebook import html

    return html(result)


display.html = _notebook_html  # here, as numerics must not know of pictures
