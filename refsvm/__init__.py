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
    files tables c99                LIBSVM's files; tables, prepared; a machine as C
    estimators plotting             SVC and its siblings; pictures
    proofs conformance exercises    exact optima, certificates; the audit; functions to write
    play commands                   the page on which points are dragged; the command line

Only the standard library is imported. The public names stand in the table PUBLIC below; type
checkers read them in __init__.pyi. X: rows, y: labels +1 and -1, alpha: multipliers, b: the
offset, C: the penalty of slack, K: the Gram matrix, w: the weights.
"""

import sys
from importlib import import_module

if sys.version_info < (3, 9):  # noqa: UP036 - before the first import that needs it
    raise ImportError(
        "refsvm needs Python 3.9 or later; this is " + sys.version.split()[0], name="refsvm"
    )

from .numerics import notebook_hook, roundings
from .version import __version__  # noqa: F401

roundings.warn_if_not_as_promised()

# The public names, by the modules that they are imported from when they are first asked for: who
# trains with smo does not wait for the other learners, nor who computes for gzip and tempfile.
PUBLIC = {
    "kernels.base": "Kernel",
    "kernels.standard": "Linear Polynomial Gaussian Sigmoid Cauchy MonomialSum Precomputed",
    "kernels.strings": "Spectrum",
    "kernels.gram_matrices": "gram",
    "kernels.mercer_condition": "mercer Mercer",
    "svm.problem": "Problem",
    "svm.nu_problem": "NuProblem",
    "svm.regression_problem": "RegressionProblem NuRegressionProblem",
    "svm.one_class_problem": "OneClassProblem",
    "svm.ball_problem": "BallProblem",
    "svm.kkt_conditions": "kkt KKT",
    "svm.gap_bounds": "gap_bounds",
    "svm.model": "Solution Model",
    "svm.one_vs_one": "OneAgainstOne",
    "svm.calibration": "calibrate",
    "svm.coupling": "couple",
    "online.lms": "lms kernel_lms",
    "online.pegasos": "pegasos kernel_pegasos",
    "online.perceptron": "perceptron kernel_perceptron",
    "online.textbook_pegasos": "textbook_pegasos",
    "solvers.active_set": "active_set",
    "solvers.coordinate_ascent": "coordinate_ascent textbook_coordinate_ascent",
    "solvers.dual_coordinate_descent": "dual_coordinate_descent",
    "solvers.newton": "newton",
    "solvers.pair_ascent": "Step",
    "solvers.proximal_point": "proximal_point",
    "solvers.projected_gradient": "projected_gradient textbook_projected_gradient",
    "solvers.smo": "smo",
    "solvers.subgradient_descent": "subgradient_descent",
    "solvers.textbook_smo": "textbook_smo",
    "files.models": "read_model write_model",
    "files.scaling": "Scaling",
    "tables.data": "read_data write_data Data",
    "tables.preparation": "Preparation",
    "c99.exporting": "export",
    "estimators.svc": "SVC",
    "estimators.nu_svc": "NuSVC",
    "estimators.svr": "SVR NuSVR",
    "estimators.outliers": "OneClassSVM SVDD",
    "estimators.linear_svc": "LinearSVC",
    "estimators.linear_svr": "LinearSVR",
    "estimators.cross_validation": "cross_validate Validation",
    "estimators.grid_search": "grid Grid",
    "plotting.drawing": "plot",
    "plotting.tracing": "trace",
    "proofs.optimum": "solve_exactly",
    "proofs.verification": "Optimum",
    "proofs.certificate": "certify Certificate",
    "proofs.fitted_check": "check Check",
    "conformance.audit": "audit",
    "conformance.fingerprint": "fingerprint",
}

_MODULES = {name: module for module, names in PUBLIC.items() for name in names.split()}
__all__ = sorted(_MODULES)


def __getattr__(name):
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = getattr(import_module(f".{_MODULES[name]}", __name__), name)
    return globals()[name]


def __dir__():
    return sorted({*globals(), *__all__})


def _notebook_html(result):
    from .plotting.notebook import result_html

    return result_html(result)


notebook_hook.html = _notebook_html
